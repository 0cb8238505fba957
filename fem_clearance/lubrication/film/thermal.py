"""Temperature of a film: where its oil comes from, and the unknowns of its temperature."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ... import checks
from ...core.blocks import Block, Ref
from ...core.roles import Algebraic
from ...errors import InputError
from .cavitation import Cavitation, Guembel
from .energy import BEYOND
from .heat import WarmFilmKind
from .hottest import add_watch
from .lubricant import Lubricant
from .surface import Surface
from .temperature import TemperatureLaw

logger = logging.getLogger(__name__)

#: class of the equations of a film's temperature, W
HEAT = "film heat"
#: where the equations of a film's temperature are no finite numbers
NO_NUMBER = (
    "the oil's pressure or temperature is beyond the lubricant's laws, or the surfaces touch, "
    "where there is no film; begin with a lower speed, a wider gap or shorter steps"
)
#: K, a common rise of temperature, by which unknowns are scaled
UNIT = 10.0
#: blocks of a film's temperatures: of its oil, its grooves and its walls
WARMTHS = ("temperature", "groove", "bush", "journal", "solid")
#: neighbours of the corners of a quadrilateral
BESIDE = ((1, 2), (0, 3), (0, 3), (1, 2))


@dataclass(frozen=True)
class Thermal:
    """How the oil of a film warms; base of ``Adiabatic`` and ``Conducting``.

    Args:
        supply: temperature of the fresh oil, at which a film begins, K.
        grooves: name -> sets of nodes on whose edges the groove lies: whole edges of the surface,
            or grooves from end to end. Oil that leaves there is carried over into the oil that
            enters there; what enters elsewhere where a pressure is given is fresh.
        carry_over: part of the hot oil that comes to a groove which goes on with the fresh oil.
        upwind: stabilise to first order; default to second (SUPG with discontinuity capturing).
        bounds: K over the supply's temperature between which the oil follows its laws.

    Raises:
        InputError: temperatures, parts or names that cannot be.
    """

    supply: float
    grooves: Mapping[str, Sequence[str]] = field(default_factory=dict)
    carry_over: float = 0.8
    upwind: bool = False
    bounds: tuple[float, float] = (-20.0, 200.0)

    def __post_init__(self):
        who = type(self).__name__
        checks.temperature(f"{who}: supply", self.supply)
        checks.within(f"{who}: carry_over", self.carry_over, 0.0, 1.0)
        low, high = checks.vector(f"{who}: bounds", self.bounds, 2)
        if not -self.supply < low < 0 < high:
            raise InputError(
                f"{who}: bounds are K over the supply's temperature, the first below and the "
                f"second above 0, got {self.bounds!r}."
            )
        for name, sets in self.grooves.items():
            if isinstance(sets, str) or not all(isinstance(z, str) for z in sets):
                raise InputError(
                    f"{who}: the groove {name!r} must be a list of names of sets of nodes, "
                    f"such as [{sets!r}], got {sets!r}."
                )

    def check_lubricant(self, lubricant: Lubricant) -> None:
        """Refuse a lubricant without a viscosity between the bounds.

        Raises:
            InputError: there is none.
        """
        low, high = self.bounds
        # beyond them the viscosity goes on to change for some degrees
        T = self.supply + np.array([0.0, low, low - BEYOND, high, high + BEYOND])
        found = [lubricant.viscosity_at(z) for z in T]
        least = (0.0, *found[:2], 0.0, 0.0)  # a law past its pole has less where the oil is cold
        for k, mu in enumerate(found):
            if not 0 < mu < np.inf or mu < least[k]:
                beside = f", within {BEYOND:g} K of the bounds," if k in (2, 4) else ""
                raise InputError(
                    f"film: at {T[k]:g} K{beside} the lubricant's viscosity would be {mu:g} Pa s; "
                    "give the temperatures for which its law holds, "
                    f"{type(self).__name__}(bounds=...)."
                )

    def within(self, temperature: float) -> float:
        """The temperature, K, by the bounds, at whose viscosity oil beyond them is computed."""
        low, high = self.bounds
        return float(np.clip(temperature, self.supply + low, self.supply + high))

    @property
    def coldest(self) -> float:
        """Lowest temperature of what may cool the oil, K."""
        return self.supply

    def kind(self) -> tuple[type[WarmFilmKind], dict[str, Any]]:
        """Kind of the film's cells, and its own settings."""
        return WarmFilmKind, {}

    def walls(self, builder, name: str, surface: Any, where: Warmth, role: Algebraic) -> list[Wall]:
        """Register the temperatures of journal and bush, if the film has any."""
        return []

    @property
    def expands(self) -> bool:
        """Whether the walls' expansion changes the clearance."""
        return False

    def nodal(self, surface: Surface) -> dict[str, np.ndarray]:
        """Parameters of the film's cells that vary from node to node, by nodes."""
        return {}

    def openings(self, film) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """By which the walls' expansion opens a film at its nodes, m: by block of temperatures over
        the supply's (nodes, its unknowns), and at the supply's temperature, (nodes,)."""
        return {}, np.zeros(len(film.surface.nodes))

    def numbers(self) -> dict[str, float]:
        """Parameters of the film's cells."""
        low, high = self.bounds
        return {
            "thermal.supply": self.supply, "thermal.low": low, "thermal.high": high,
            "thermal.unit": UNIT,
        }  # fmt: skip


class Adiabatic(Thermal):
    """A temperature mixed across the film, between walls that take no heat; see ``Thermal``."""


class Wall(NamedTuple):
    """Temperatures of one side of a film.

    Attributes:
        block: of them.
        numbers: of each cell, (cells, its unknowns).
        nodal: unknowns of the film's nodes, in the order of the oil's; to be numbered with them.
        warm: a temperature, which in a groove is the groove's; else what follows from some.
    """

    block: Block
    numbers: np.ndarray
    nodal: bool
    warm: bool = True


def check_model(thermal: Thermal, cavitation: Cavitation, lubricant: Lubricant) -> None:
    """Refuse cavitation models and lubricants for which no temperature can be computed.

    Raises:
        InputError: something that is no ``Thermal``, a model of cavitation or grooves that do not
            go with it, a lubricant without a viscosity between its bounds.
    """
    model = type(cavitation).__name__
    if not isinstance(thermal, Thermal):
        raise InputError(
            "film: thermal must be Adiabatic(supply=...), Conducting(supply=...) or "
            f"None, got {thermal!r}."
        )
    if isinstance(cavitation, Guembel):
        raise InputError(
            f"film: {model}() computes negative pressures that do not act, whose heat would be "
            "lost; a film with thermal= takes Reynolds() or Streamers()."
        )
    if cavitation.nodal and thermal.grooves:
        raise InputError(
            f"film: {model}() makes oil where the film breaks, so that grooves would get more hot "
            "oil than they pass on; grooves that mix need Streamers() or JFO()."
        )
    thermal.check_lubricant(lubricant)
    if type(lubricant.temperature) is TemperatureLaw:
        _say_constant(lubricant.viscosity)


@lru_cache
def _say_constant(viscosity: float) -> None:
    """Say of a lubricant, once, that its viscosity, Pa s, does not know the temperature."""
    logger.warning(
        "film: the lubricant's viscosity of %g Pa s does not depend on temperature, so that "
        "thermal= follows only the heat; give the lubricant temperature=Exponential(...) or "
        "another law.", viscosity,
    )  # fmt: skip


def check_thermal(film) -> None:
    """Refuse a film on a surface whose temperature cannot be computed.

    Raises:
        InputError: see ``check_model``; also rough surfaces, unknown node sets, or impossible
            grooves.
    """
    thermal = film.thermal
    check_model(thermal, film.cavitation, film.lubricant)
    if film.asperities is not None:
        raise InputError(
            "film: the heat of the contact of rough surfaces is not included in a film with "
            "thermal=; omit asperities."
        )
    for sets in thermal.grooves.values():
        for name in sets:
            film.surface.node_set(name, "film: thermal.grooves")
    film.warmth  # noqa: B018  (refuses grooves that cannot be)


class Warmth(NamedTuple):
    """Unknowns of a film's temperature.

    Attributes:
        numbers: of each cell's corners, (cells, 4).
        nodes: of the pressure that the unknowns lie at; those of lone nodes come first, and a node
            at a groove has one on each side.
        groove: number of each cell's groove, -1 without; the last is the supply.
        mask: 1 at the corners at a groove, (cells, 4).
        inside: cells in a groove, which have its temperature.
    """

    numbers: np.ndarray
    nodes: np.ndarray
    groove: np.ndarray
    mask: np.ndarray
    inside: np.ndarray

    def at_nodes(self, corners: np.ndarray, values: np.ndarray, grooves: np.ndarray) -> np.ndarray:
        """Temperatures at the nodes of the pressure: the values of the unknowns, in grooves theirs;
        of a node on either side of a groove the first."""
        result = values[: corners.max() + 1].copy()
        for k in np.unique(self.groove[self.inside]):
            mine = self.inside & (self.groove == k)
            result[np.setdiff1d(corners[mine], self.nodes[self.numbers[self.fed]])] = grooves[k]
        return result

    @property
    def used(self) -> np.ndarray:
        """Unknowns that cells read which are not in a groove."""
        return np.unique(self.numbers[~self.inside])

    @property
    def fed(self) -> np.ndarray:
        """Cells at the edge of a groove."""
        return (self.groove >= 0) & ~self.inside

    def grooved(self, cell: int) -> dict[str, Any]:
        """How a cell lies at a groove, as ``EnergyEquation`` says it."""
        return {"fed": bool(self.fed[cell]), "pooled": bool(self.inside[cell])}


def warmth(
    corners: np.ndarray, grooves: Mapping[str, np.ndarray], fresh: Sequence[np.ndarray]
) -> Warmth:
    """Unknowns of the temperature on cells with these corners, (cells, 4).

    Args:
        corners: nodes of each cell.
        grooves: name -> nodes of each.
        fresh: sets of nodes of given pressure beside those; a cell belongs to the first of them; at
            a corner of one it takes in no fresh oil.

    Raises:
        InputError: a groove that does not go from end to end, or two that meet in a cell.
    """
    groove, mask = np.full(len(corners), -1), np.zeros(corners.shape)
    inside = np.zeros(len(corners), bool)
    for name, own in [*grooves.items(), *(("", own) for own in fresh)]:
        k = list(grooves).index(name) if name else len(grooves)
        mine = np.isin(corners, own)
        size = mine.sum(axis=1)
        edge = (size == 2) & (mine[:, 0] != mine[:, 3])  # not across the diagonal
        whole = size == 4
        if not name:
            edge, whole = edge & (groove < 0), whole & (groove < 0)
        elif not edge.any() or np.any((size > 0) & ~edge & ~whole):
            raise InputError(
                f"film: the groove {name!r} must lie along whole edges of the film, or cross it "
                "from end to end, for the oil that passes it to mix; make it as long as the "
                "bearing, Groove(..., length=...), or leave it out of grooves= of thermal=, and "
                "its oil is fresh."
            )
        elif np.any(groove[edge | whole] >= 0):
            raise InputError(f"film: cells lie between the groove {name!r} and another; give more.")
        groove[edge | whole], mask[edge] = k, mine[edge]
        inside |= whole
    return Warmth(*_sides(corners, mask, inside), groove, mask, inside)


def _sides(corners, mask, inside) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and nodes of the unknowns: a node at a groove has one for each sheet of cells round
    it, which meet at edges that are no groove's."""
    numbers, nodes = corners.copy(), [*range(corners.max() + 1)]
    edges = corners[mask.any(axis=1)][mask[mask.any(axis=1)] > 0].reshape(-1, 2)
    at_groove, walls = np.unique(edges), {frozenset(pair) for pair in edges.tolist()}
    around: dict[int, list[tuple[int, int, list[int]]]] = {int(n): [] for n in at_groove}
    for cell, a in np.argwhere(np.isin(corners, at_groove) & ~inside[:, None]).tolist():
        node = int(corners[cell, a])
        away = [int(corners[cell, b]) for b in BESIDE[a]]
        away = [n for n in away if frozenset((node, n)) not in walls]
        around[node].append((cell, a, away))
    for node, cells in around.items():
        sheets: list[tuple[set[int], list[tuple[int, int]]]] = []
        for cell, a, away in cells:
            ends: set[int] = {*away}
            corner = [(cell, a)]
            for sheet in [z for z in sheets if z[0] & ends]:
                sheets.remove(sheet)
                ends, corner = ends | sheet[0], corner + sheet[1]
            sheets.append((ends, corner))
        for k, (_, corner) in enumerate(sheets):
            for cell, a in corner:
                numbers[cell, a] = len(nodes) if k else node
            if k:
                nodes.append(node)
    return numbers, np.array(nodes)


def add_temperature(
    builder,
    name: str,
    thermal: Thermal,
    surface: Surface | None,
    where: Warmth,
    floor: float,
    weight: float,
) -> tuple[Block, Block, list[Wall]]:
    """Register a film's temperatures over the supply's, K: of its nodes; of its grooves and, last,
    of the supply; of its walls."""
    role = Algebraic(
        HEAT, counts_forces=True, force_floor=floor, no_number=NO_NUMBER, unit=UNIT,
        weight=weight, persistent=True, slow=True,
    )  # fmt: skip
    used = where.used
    unused = ~np.isin(np.arange(len(where.nodes)), used)
    T = Block(name, "temperature", np.zeros(len(where.nodes)), role, fixed=unused)
    builder.add_block(T)
    fresh = np.arange(len(thermal.grooves) + 1) == len(thermal.grooves)
    groove = Block(name, "groove", np.zeros(len(fresh)), role, fixed=fresh)
    builder.add_block(groove)
    add_watch(builder, name, T, used, thermal)
    walls = thermal.walls(builder, name, surface, where, role)
    for wall in walls:
        if wall.warm:
            own = np.unique(wall.numbers[~where.inside])
            add_watch(builder, name, wall.block, own, thermal, str(wall.block.what))
    return T, groove, walls


def groups(
    where: Warmth, T: Block, groove: Block, walls: Sequence[Wall] = ()
) -> list[tuple[np.ndarray, list[Ref]]]:
    """Cells that read the same unknowns, and those of the temperature that they read. In a groove
    the walls' are the groove's: they take no heat of it."""
    own = where.groove[:, None]
    sides = [Ref(wall.block, wall.numbers) for wall in walls]
    warm = [Ref(T, where.numbers), *(z for z, wall in zip(sides, walls, strict=True) if wall.warm)]
    inside = [Ref(groove, np.repeat(own, z.indices.shape[1], axis=1)) for z in warm]
    inside += [z for z, wall in zip(sides, walls, strict=True) if not wall.warm]
    result = [
        (~where.fed & ~where.inside, [Ref(T, where.numbers), *sides]),
        (where.inside, inside),
        (where.fed, [Ref(T, where.numbers), Ref(groove, own), *sides]),
    ]
    return [
        (np.flatnonzero(mine), [Ref(ref.block, ref.indices[mine]) for ref in refs])
        for mine, refs in result if mine.any()
    ]  # fmt: skip
