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
from ...core.roles import Algebraic
from ...errors import InputError
from .conduction import ConductingFilmKind
from .heat import WarmFilmKind
from .thermal import UNIT, Thermal, Wall, Warmth


@dataclass(frozen=True)
class Convection:
    """A bush whose heat leaves at each place by the shortest way.

    Args:
        coefficient: of heat transfer by the area of the film, W/(m^2 K).
        temperature: of the surroundings, K.
    """

    coefficient: float
    temperature: float

    def __post_init__(self):
        checks.positive("Convection: coefficient", self.coefficient)
        checks.positive("Convection: temperature", self.temperature)

    @classmethod
    def through_ring(
        cls, inner: float, outer: float, conductivity: float, coefficient: float, temperature: float
    ) -> Convection:
        """Of a ring that conducts heat outwards only.

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
    """A journal of one temperature, as one that turns fast has all round.

    Args:
        conductance: of heat that the shaft passes to its surroundings, W/K.
        temperature: of these, K; needed where there is a conductance.
        capacity: heat that warms the journal by one kelvin, J/K; in time only.
    """

    conductance: float = 0.0
    temperature: float | None = None
    capacity: float = 0.0

    def __post_init__(self):
        checks.non_negative("Shaft: conductance", self.conductance)
        checks.non_negative("Shaft: capacity", self.capacity)
        if self.temperature is not None:
            checks.positive("Shaft: temperature", self.temperature)
        elif self.conductance:
            raise InputError("Shaft: give the temperature of the surroundings it passes heat to.")


@dataclass(frozen=True)
class ShaftKind(Kind):
    """The heat of a journal of one temperature, W: what it stores and passes on."""

    called = "shaft"

    parameters = {"capacity": (), "conductance": (), "outside": (), "unit": ()}

    def fields(self):
        return {"rise": ()}

    def _heats(self, c):
        (T,), (T_n,) = c.split(c.q), c.split(c.q_n)
        stored = c.par("capacity") * c.per_step * (T - T_n)
        return stored, c.par("conductance") * (T - c.par("outside"))

    def residual(self, c):
        (s,) = c.split(c.test)
        return sum(self._heats(c)) * s / c.par("unit") * c.dx()

    def observables(self, c):
        stored, passed = self._heats(c)
        return {
            "shaft_stored": Observable(stored, "W", "heat that warms the journal"),
            "shaft_passed": Observable(passed, "W", "heat that the shaft passes on"),
        }


@dataclass(frozen=True)
class Conducting(Thermal):
    """A temperature that varies across the film, whose heat goes into journal and bush.

    Example:
        >>> bush = Convection.through_ring(0.2, 0.35, 50.0, 736.0, 323.0)
        >>> Film(..., thermal=Conducting(323.0, bush=bush))

    Args:
        supply, grooves, carry_over, upwind, bounds: see ``Thermal``.
        bush: ``Convection(...)``; its temperature, K, if that is known; default: insulated.
        journal: ``Shaft(...)``, of one temperature, by default one that takes no heat altogether;
            its temperature, K; ``None``: insulated at each place.

    Raises:
        InputError: walls of another kind.
    """

    bush: Convection | float | None = field(default=None, kw_only=True)
    journal: Shaft | float | None = field(default=Shaft(), kw_only=True)

    def __post_init__(self):
        super().__post_init__()
        for name, kind, example in (
            ("bush", Convection, "Convection(coefficient, temperature)"),
            ("journal", Shaft, "Shaft()"),
        ):
            wall = getattr(self, name)
            if isinstance(wall, bool) or not isinstance(wall, kind | float | int | None):
                raise InputError(
                    f"Conducting: {name} must be {example}, a temperature in K or None (insulated)"
                    f", got {wall!r}."
                )
            if isinstance(wall, float | int):
                checks.positive(f"Conducting: temperature of the {name}", wall)

    def kind(self) -> tuple[type[WarmFilmKind], dict[str, Any]]:
        return ConductingFilmKind, {"journal_varies": self.journal is None}

    def numbers(self) -> dict[str, float]:
        cooling, outside = 0.0, self.supply
        if isinstance(self.bush, Convection):
            cooling, outside = self.bush.coefficient, self.bush.temperature
        return super().numbers() | {
            "bush.cooling": cooling, "bush.outside": outside - self.supply,
        }  # fmt: skip

    def walls(self, builder, name: str, where: Warmth, role: Algebraic) -> list[Wall]:
        bush = self._side(builder, name, "bush", self.bush, where, role)
        if not isinstance(self.journal, Shaft):
            return [bush, self._side(builder, name, "journal", self.journal, where, role)]
        T = Block(name, "journal", np.zeros(1), role)
        builder.add_block(T)
        kind, shaft = ShaftKind(), self.journal
        outside = self.supply if shaft.temperature is None else shaft.temperature
        numbers = kind.pack(
            capacity=shaft.capacity, conductance=shaft.conductance,
            outside=outside - self.supply, unit=UNIT,
        )  # fmt: skip
        builder.add_cell(kind, Cell(name, [Ref(T, np.array([[0]]))], numbers))
        return [bush, Wall(T, np.zeros((len(where.numbers), 1), int), False)]

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
