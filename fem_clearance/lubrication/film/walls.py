"""Walls of a film that take its heat: what bush and journal do with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ... import checks
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...core.roles import Algebraic, Condensed
from ...errors import InputError
from .conduction import ConductingFilmKind
from .expansion import ExpandingFilmKind
from .heat import WarmFilmKind
from .heated import HeatedSolid, HeatedState
from .surface import Surface
from .thermal import HEAT, UNIT, Thermal, Wall, Warmth


@dataclass(frozen=True)
class Convection:
    """A bush that gives off heat at each point directly to its surroundings.

    Args:
        coefficient: of heat transfer, per area of the film, W/(m^2 K).
        temperature: of the surroundings, K.
    """

    coefficient: float
    temperature: float

    def __post_init__(self):
        checks.positive("Convection: coefficient", self.coefficient)
        checks.temperature("Convection: temperature", self.temperature)

    @classmethod
    def through_ring(
        cls, inner: float, outer: float, conductivity: float, coefficient: float, temperature: float
    ) -> Convection:
        """The coefficient of a ring that conducts heat radially only.

        Args:
            inner, outer: radii, m.
            conductivity: of the ring, W/(m K).
            coefficient: of heat transfer at its outer surface, W/(m^2 K).
            temperature: of the surroundings, K.
        """
        checks.positive("Convection: inner", inner)
        checks.positive("Convection: conductivity", conductivity)
        checks.positive("Convection: coefficient", coefficient)
        if checks.positive("Convection: outer", outer) <= inner:
            raise InputError("Convection: the outer radius must be larger than the inner one.")
        resistance = np.log(outer / inner) / conductivity + 1 / (coefficient * outer)
        return cls(float(1 / (inner * resistance)), temperature)


@dataclass(frozen=True)
class Shaft:
    """A journal with a uniform temperature, as that of a fast journal is.

    Args:
        conductance: thermal conductance from the shaft to its surroundings, W/K.
        temperature: of the surroundings, K; required with a conductance.
        capacity: heat capacity of the journal, J/K; used only in motions.
    """

    conductance: float = 0.0
    temperature: float | None = None
    capacity: float = 0.0

    def __post_init__(self):
        checks.non_negative("Shaft: conductance", self.conductance)
        checks.non_negative("Shaft: capacity", self.capacity)
        if self.temperature is not None:
            checks.temperature("Shaft: temperature", self.temperature)
        elif self.conductance:
            raise InputError(
                "Shaft: with a conductance, give the temperature of the surroundings, too."
            )


@dataclass(frozen=True)
class HeatKind(Kind):
    """A temperature with a heat capacity and a conductance, W: what it stores and passes on.

    Its number ``pace`` is 1 / (length of a step that it takes beside a steady film), 1/s.

    Args:
        side: ``"shaft"``, or ``"solid"``, of whose uniform temperature a response has a share.
    """

    called = "heat of a wall"

    side: str = "shaft"

    parameters = dict.fromkeys(
        ("capacity", "conductance", "excitation", "share", "unit", "pace"), ()
    )  # fmt: skip

    def fields(self):
        return {"rise": ()}

    def _heats(self, c):
        (T,), (T_n,) = c.split(c.q), c.split(c.q_n)
        stored = c.par("capacity") * (c.per_step + c.par("pace")) * (T - T_n)
        return stored, c.par("conductance") * T - c.par("excitation")

    def residual(self, c):
        (s,) = c.split(c.test)
        return sum(self._heats(c)) * s / c.par("unit") * c.dx()

    def observables(self, c):
        stored, passed = (c.par("share") * z for z in self._heats(c))
        return {
            f"{self.side}_stored": Observable(stored, "W", f"heat that warms the {self.side}"),
            f"{self.side}_passed": Observable(
                passed, "W", f"heat that the {self.side} gives to its surroundings"
            ),
        }


@dataclass(frozen=True)
class Conducting(Thermal):
    """A warm film whose temperature varies across it and whose heat enters journal and bush.

    Example:
        >>> bush = Convection.through_ring(0.2, 0.35, 50.0, 736.0, 323.0)
        >>> Film(..., thermal=Conducting(323.0, bush=bush))

    Args:
        supply, grooves, carry_over, upwind, bounds: see ``Thermal``.
        bush: ``HeatedSolid(...)``, on whose mesh the heat equation is solved; ``Convection(...)``;
            or a prescribed temperature, K; default: insulated.
        journal: ``Shaft(...)``, with a uniform temperature, by default that at which it receives no
            net heat; a prescribed temperature, K; or ``None``: insulated at each point.
        journal_expansion: coefficient of thermal expansion of the journal, which expands freely,
            1/K; a bush expands by ``HeatedSolid(expansion=...)``.
        reference: temperature of both at which the clearance is that of the film, K; default: the
            supply temperature.

    Raises:
        InputError: a bush or journal of another kind; a journal that expands but has no uniform
            temperature.
    """

    bush: Convection | HeatedSolid | float | None = field(default=None, kw_only=True)
    journal: Shaft | float | None = field(default=Shaft(), kw_only=True)
    journal_expansion: float = field(default=0.0, kw_only=True)
    reference: float | None = field(default=None, kw_only=True)

    def __post_init__(self):
        super().__post_init__()
        for name, kind, example in (
            ("bush", Convection | HeatedSolid, "HeatedSolid(...), Convection(...)"),
            ("journal", Shaft, "Shaft()"),
        ):
            wall = getattr(self, name)
            if isinstance(wall, bool) or not isinstance(wall, kind | float | int | None):
                raise InputError(
                    f"Conducting: {name} must be {example}, a temperature in K or None (insulated)"
                    f", got {wall!r}."
                )
            if isinstance(wall, float | int):
                checks.temperature(f"Conducting: temperature of the {name}", wall)
        if self.reference is not None:
            checks.temperature("Conducting: reference", self.reference)
        expansion = checks.non_negative("Conducting: journal_expansion", self.journal_expansion)
        if expansion and self.journal is None:
            raise InputError(
                "Conducting: a journal that expands has one temperature: give "
                "journal=Shaft(...) or that temperature in K."
            )

    @property
    def _grown(self) -> HeatedSolid | None:
        """The bush, if it expands."""
        bush = self.bush
        return bush if isinstance(bush, HeatedSolid) and bush.expansion is not None else None

    @property
    def expands(self) -> bool:
        return self._grown is not None or self.journal_expansion > 0

    def _settled(self) -> float:
        """Temperature of the supply over that at which the clearance is given, K."""
        return 0.0 if self.reference is None else self.supply - self.reference

    @property
    def coldest(self) -> float:
        found = [self.supply]
        for wall in (self.bush, self.journal):
            if isinstance(wall, HeatedSolid):
                found += [temperature for _, temperature in wall.cooled.values()]
            elif wall is not None:
                own = wall if isinstance(wall, float | int) else wall.temperature
                found += [] if own is None else [own]
        return min(found)

    def kind(self) -> tuple[type[WarmFilmKind], dict[str, Any]]:
        varies = {"journal_varies": self.journal is None}
        if not self.expands:
            return ConductingFilmKind, varies
        return ExpandingFilmKind, varies | {"bush_grows": self._grown is not None}

    def numbers(self) -> dict[str, float]:
        cooling, outside = 0.0, self.supply
        if isinstance(self.bush, Convection):
            cooling, outside = self.bush.coefficient, self.bush.temperature
        own = {"bush.cooling": cooling, "bush.outside": outside - self.supply}
        if self.expands:
            own |= {"journal.expansion": self.journal_expansion, "journal.settled": self._settled()}
        return super().numbers() | own

    def nodal(self, surface: Surface) -> dict[str, np.ndarray]:
        if (bush := self._grown) is None:
            return {}
        return {"settled": self._settled() * bush.opening(surface.nodes)[1]}

    def openings(self, film) -> tuple[dict[str, np.ndarray], np.ndarray]:
        nodes, by, settled = film.surface.nodes, {}, np.zeros(len(film.surface.nodes))
        if self.journal_expansion:
            outward = film.gap.components(nodes.T)
            radius = sum(a * b for a, b in zip(nodes.T, outward, strict=True))
            by["journal"] = -self.journal_expansion * np.asarray(radius)[:, None]
            settled += self._settled() * by["journal"][:, 0]
        if (bush := self._grown) is not None:
            by["solid"], uniform = bush.opening(nodes)
            settled += self._settled() * uniform
        return by, settled

    def heated(self, amplitudes: np.ndarray) -> HeatedState:
        """The heated solid of a film: its temperatures and, if it expands, its displacements and
        stresses.

        Args:
            amplitudes: of its responses, as ``FilmState.warm.amplitudes`` holds them.

        Raises:
            InputError: the bush is no ``HeatedSolid``.
        """
        if not isinstance(self.bush, HeatedSolid):
            raise InputError("Conducting.heated: the bush is no HeatedSolid(...).")
        reference = self.supply if self.reference is None else self.reference
        return self.bush.heated(amplitudes, self.supply, reference)

    def walls(
        self, builder, name: str, surface: Surface, where: Warmth, role: Algebraic
    ) -> list[Wall]:
        if isinstance(self.bush, HeatedSolid):
            bush = self._solid(builder, name, self.bush, surface, where, role)
        else:
            bush = self._side(builder, name, "bush", self.bush, where, role)
        grown = self._growth(builder, name, surface)
        if not isinstance(self.journal, Shaft):
            return [bush, self._side(builder, name, "journal", self.journal, where, role), *grown]
        T, shaft = Block(name, "journal", np.zeros(1), role), self.journal
        builder.add_block(T)
        outside = self.supply if shaft.temperature is None else shaft.temperature
        excitation = shaft.conductance * (outside - self.supply)
        rows = np.array([[shaft.capacity, shaft.conductance, excitation, 1.0]])
        _add_heat(builder, name, HeatKind("shaft"), T, rows)
        return [bush, Wall(T, np.zeros((len(where.numbers), 1), int), False), *grown]

    def _growth(self, builder, name: str, surface: Surface) -> list[Wall]:
        """The displacement of a bore that expands; its amplitudes are known."""
        if (bush := self._grown) is None:
            return []
        amplitudes = next(b for b in builder.blocks if b.owner == name and b.what == "solid")
        by_amplitude = bush.opening(surface.nodes)[0]
        condensed = Condensed(HEAT, master=amplitudes, matrix=by_amplitude)
        growth = Block(name, "growth", np.zeros(len(by_amplitude)), condensed)
        builder.add_block(growth)
        return [Wall(growth, surface.corners[0], False, warm=False)]

    def _solid(
        self, builder, name: str, solid: HeatedSolid, surface: Surface, where: Warmth,
        role: Algebraic,
    ) -> Wall:  # fmt: skip
        """The bore of a solid, whose amplitudes are unknowns of their own."""
        found = solid.condensed(self.supply)
        amplitudes = Block(name, "solid", np.zeros(len(found.capacity)), role)
        builder.add_block(amplitudes)
        rows = np.stack([found.capacity, found.conductance, found.excitation, found.share], 1)
        _add_heat(builder, name, HeatKind("solid"), amplitudes, rows)
        shapes = solid.under(surface, found.shapes)
        condensed = Condensed(HEAT, master=amplitudes, matrix=shapes)
        T = Block(name, "bush", np.zeros(len(shapes)), condensed)
        builder.add_block(T)
        return Wall(T, where.nodes[where.numbers], False)

    def _side(self, builder, name: str, what: str, wall, where: Warmth, role: Algebraic) -> Wall:
        """A side of given temperature, or with one at each node."""
        if isinstance(wall, float | int):
            T = Block(name, what, np.array([wall - self.supply]), role, fixed=True)
            width = 4 if what == "bush" else 1
            numbers = np.zeros((len(where.numbers), width), int)
        else:
            unused = ~np.isin(np.arange(len(where.nodes)), where.used)
            T = Block(name, what, np.zeros(len(where.nodes)), role, fixed=unused)
            numbers = where.numbers
        builder.add_block(T)
        return Wall(T, numbers, numbers is where.numbers)


def _add_heat(builder, name: str, kind: HeatKind, T: Block, rows: np.ndarray) -> None:
    """Register the heat of temperatures: rows of capacity, conductance, excitation and share."""
    numbers = [
        kind.pack(capacity=m, conductance=k, excitation=f, share=s, unit=UNIT, pace=0.0)
        for m, k, f, s in rows
    ]
    refs = [Ref(T, np.arange(len(rows))[:, None])]
    builder.add_cell(kind, Cell(name, refs, np.array(numbers), count=len(rows)))
