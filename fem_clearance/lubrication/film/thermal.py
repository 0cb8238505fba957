"""Temperature of a film: where its oil comes from, and the unknowns of its temperature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ... import checks
from ...core.blocks import Block, Ref
from ...core.roles import Algebraic
from ...errors import InputError
from .cavitation import Guembel
from .hottest import add_watch
from .lubricant import Lubricant

#: class of the equations of a film's temperature, W
HEAT = "film heat"
#: K, a common rise of temperature, by which unknowns are scaled
UNIT = 10.0
#: neighbours of the corners of a quadrilateral
BESIDE = ((1, 2), (0, 3), (0, 3), (1, 2))


@dataclass(frozen=True)
class Adiabatic:
    """A temperature mixed across the film, between walls that take no heat.

    Args:
        supply: temperature of the fresh oil, at which a film begins, K.
        grooves: name -> sets of nodes on whose edges the groove lies: whole edges of the surface,
            or grooves from end to end. Oil that leaves there is carried over into the oil that
            enters there; what enters elsewhere where a pressure is given is fresh.
        carry_over: part of the hot oil that comes to a groove which goes on with the fresh oil.
        upwind: stabilise to first order, without overshoot; default to second (SUPG).
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
        checks.positive("Adiabatic: supply", self.supply)
        checks.within("Adiabatic: carry_over", self.carry_over, 0.0, 1.0)
        low, high = checks.vector("Adiabatic: bounds", self.bounds, 2)
        if not -self.supply < low < 0 < high:
            raise InputError(
                "Adiabatic: bounds are K over the supply's temperature, the first below and the "
                f"second above 0, got {self.bounds!r}."
            )
        for name, sets in self.grooves.items():
            if isinstance(sets, str) or not all(isinstance(z, str) for z in sets):
                raise InputError(
                    f"Adiabatic: the groove {name!r} must be a list of names of sets of nodes, "
                    f"such as [{sets!r}], got {sets!r}."
                )

    def check_lubricant(self, lubricant: Lubricant) -> None:
        """Refuse a lubricant without a viscosity between the bounds.

        Raises:
            InputError: there is none.
        """
        for rise in self.bounds:
            T = self.supply + rise
            mu = lubricant.viscosity_at(T)
            if not 0 < mu < np.inf or (rise < 0 and mu < lubricant.viscosity_at(self.supply)):
                raise InputError(
                    f"film: at {T:g} K the lubricant's viscosity would be {mu:g} Pa s; give the "
                    "temperatures for which its law holds, Adiabatic(bounds=...)."
                )


def check_thermal(film) -> None:
    """Refuse a film that cannot have the temperature it shall have.

    Raises:
        InputError: something that is no ``Adiabatic``, a model of cavitation or grooves that do not
            go with it, a lubricant without a viscosity between its bounds.
    """
    thermal, model = film.thermal, type(film.cavitation).__name__
    if not isinstance(thermal, Adiabatic):
        raise InputError(f"film: thermal must be Adiabatic(supply=...) or None, got {thermal!r}.")
    if isinstance(film.cavitation, Guembel):
        raise InputError(
            f"film: {model}() computes negative pressures that do not act, whose heat would be "
            "lost; a film with thermal= takes Reynolds() or Streamers()."
        )
    if film.cavitation.nodal and thermal.grooves:
        raise InputError(
            f"film: {model}() makes oil where the film breaks, so that grooves would get more hot "
            "oil than they pass on; grooves that mix need Streamers() or JFO()."
        )
    if film.asperities is not None:
        raise InputError(
            "film: the heat of the contact of rough surfaces is not included in a film with "
            "thermal=; omit asperities."
        )
    for sets in thermal.grooves.values():
        for name in sets:
            film.surface.node_set(name, "film: thermal.grooves")
    thermal.check_lubricant(film.lubricant)
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
    def fed(self) -> np.ndarray:
        """Cells at the edge of a groove."""
        return (self.groove >= 0) & ~self.inside


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
                "from end to end, for the oil that passes it to mix."
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
    thermal: Adiabatic,
    where: Warmth,
    floor: float,
    weight: float,
    no_number: str,
) -> tuple[Block, Block]:
    """Register a film's temperatures over the supply's, K: of its nodes; of its grooves and, last,
    of the supply."""
    role = Algebraic(
        HEAT, counts_forces=True, force_floor=floor, no_number=no_number, unit=UNIT,
        weight=weight, persistent=True,
    )  # fmt: skip
    used = np.unique(where.numbers[~where.inside])
    unused = ~np.isin(np.arange(len(where.nodes)), used)
    T = Block(name, "temperature", np.zeros(len(where.nodes)), role, fixed=unused)
    builder.add_block(T)
    fresh = np.arange(len(thermal.grooves) + 1) == len(thermal.grooves)
    groove = Block(name, "groove", np.zeros(len(fresh)), role, fixed=fresh)
    builder.add_block(groove)
    add_watch(builder, name, T, used, thermal)
    return T, groove


def numbers_of(thermal: Adiabatic, lubricant: Lubricant) -> dict[str, Any]:
    """Parameters of a warm film's cells."""
    low, high = thermal.bounds
    return lubricant.thermal_values() | {
        "thermal.supply": thermal.supply, "thermal.low": low, "thermal.high": high,
        "thermal.unit": UNIT,
    }  # fmt: skip


def groups(where: Warmth, T: Block, groove: Block) -> list[tuple[np.ndarray, list[Ref]]]:
    """Cells that read the same unknowns, and those of the temperature that they read."""
    own = where.groove[:, None]
    result = [
        (~where.fed & ~where.inside, [Ref(T, where.numbers)]),
        (where.inside, [Ref(groove, np.repeat(own, 4, axis=1))]),
        (where.fed, [Ref(T, where.numbers), Ref(groove, own)]),
    ]
    return [
        (np.flatnonzero(mine), [Ref(ref.block, ref.indices[mine]) for ref in refs])
        for mine, refs in result if mine.any()
    ]  # fmt: skip
