"""Unknowns of the system: blocks of numbers with an order, glued to components by reference."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

#: Classes of equations, each judged against its own scale by Newton's convergence test.
TRANSLATION = "translation"  # rows in N: positions and constraints on positions
ROTATION = "rotation"  # rows in N m: directors, slopes and constraints on directions
INTERNAL = "internal"  # rows in m/s: rates of internal variables such as a bristle's deflection


@dataclass(eq=False)
class Block:
    """A group of unknowns of one body or joint.

    Attributes:
        name: who owns it, for messages (``"arm1.node3"``).
        values: initial values; for order 1 the initial integral, usually zero.
        rates: initial first time derivatives (for order 1 these are the unknown's values).
        order: 2 for coordinates (q, v, a count), 1 for internal variables whose rate appears,
            0 for algebraic unknowns (multipliers, pressures).
        row: class of the equation, ``TRANSLATION``, ``ROTATION`` or ``INTERNAL``.
        reach: displacement in m that a unit of the unknowns stands for, by which errors are judged;
            default 1 for ``TRANSLATION``, the system's size for ``ROTATION``.
        fixed: known values, read by forms, never solved for: all of them or none, or one answer
            each; an array afterwards.
        constraint: for multipliers, the name of the joint or condition they enforce.
        driven: the constraint depends on time (a driver).
        private: a constraint on unknowns that no other constraint holds: never redundant.
        unit: of algebraic unknowns that are not multipliers, a value they commonly reach.
        measured: the terms of algebraic rows count as forces of their class: of a film, whose rows
            are sums over cells. (A multiplier's row is one small number.)
        floor: least force of the class that its rows are judged against.
        strict: part of Newton's tolerance that the rows of the class are held to.
        hidden: what forms add to the values before they use them (a displacement's place, seen from
            its neighbours): round-off is that of the sum.
        places: of a solid's displacements, where their nodes are at the start, m, (nodes, 3).
        width: unknowns of a node; a rank holds whole nodes.
        weight: of an unknown where they are dealt out over ranks; 0 for those of single cells,
            numbered far from the cells' nodes, which must not decide who has the cells.
        leader, follows: the unknowns are ``follows @ leader.values``, always: no unknowns of the
            system but linear functions of the leader's (free) ones. ``follows`` is a matrix.
        carried: algebraic unknowns that go on from one step to the next, as what a film holds: they
            stay when accelerations are found anew.
        no_number: what it means, and what to do, where the equations are no finite numbers.
        numbers: numbers of the unknowns in the system, set when the system is assembled.
    """

    name: str
    values: np.ndarray
    rates: np.ndarray | float = 0.0
    order: int = 2
    row: str = TRANSLATION
    reach: float | None = None
    fixed: Any = False
    constraint: str | None = None
    driven: bool = False
    private: bool = False
    unit: float = 1.0
    measured: bool = False
    floor: float = 0.0
    strict: float = 1.0
    hidden: float = 0.0
    leader: "Block | None" = None
    follows: np.ndarray | None = None
    places: np.ndarray | None = None
    width: int = 1
    weight: float = 1.0
    carried: bool = False
    no_number: str = ""
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self):
        self.values = np.array(self.values, dtype=float).ravel()
        self.rates = np.array(np.broadcast_to(np.ravel(self.rates), self.values.shape), dtype=float)
        self.fixed = np.array(np.broadcast_to(np.ravel(self.fixed), self.values.shape), dtype=bool)

    @property
    def whole(self) -> bool:
        """Whether no node is held along some axes only."""
        held = self.fixed.reshape(-1, self.width)
        return bool(np.all(held == held[:, :1]))

    @property
    def free(self) -> np.ndarray:
        """Which of the values are unknowns of the system."""
        return ~self.fixed & (self.leader is None)

    @property
    def all(self) -> "Ref":
        """A reference to every unknown of the block."""
        return Ref(self, np.arange(len(self.values)))


class Ref(NamedTuple):
    """Some unknowns of a block, in a given order: a piece of an incidence row, or of many (rows of
    indices)."""

    block: Block
    indices: np.ndarray

    @property
    def numbers(self) -> np.ndarray:
        """Their numbers in the assembled system."""
        return self.block.numbers[self.indices]

    @property
    def values(self) -> np.ndarray:
        """Their initial values."""
        return self.block.values[self.indices]


def multipliers(name: str, count: int, row: str, constraint: str, driven: bool = False) -> Block:
    """A block of Lagrange multipliers, starting at zero."""
    return Block(name, np.zeros(count), order=0, row=row, constraint=constraint, driven=driven)


def shares(blocks: list[Block], ranks: int) -> np.ndarray:
    """End of each rank's share of the unknowns: runs of equal weight, but nodes of solids stay
    whole."""
    size = sum(int((b.free).sum()) for b in blocks)
    weight = np.ones(size)
    for block in blocks:
        weight[block.numbers[block.free]] = block.weight
    done = np.cumsum(weight)
    bounds = np.searchsorted(done, done[-1] * np.arange(1, ranks + 1) / ranks - 1e-9) + 1
    bounds[-1] = size
    for block in blocks:
        if block.width > 1 and block.free.any():
            numbers = block.numbers[block.free]
            first, last = numbers.min(), numbers.max()
            inside = (bounds > first) & (bounds <= last)
            bounds[inside] -= (bounds[inside] - first) % block.width
    return bounds
