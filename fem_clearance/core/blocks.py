"""Unknowns of the system: blocks of numbers with a role, to which components refer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .roles import TRANSLATION, Condensed, Coordinate, Multiplier, Role
from .spread import Spread


@dataclass(eq=False)
class Block:
    """A group of unknowns of one body or joint.

    Attributes:
        owner: name of the body or joint to which they belong.
        what: which of its unknowns, for messages (``"node3.r"``); empty if it has no others.
        values: initial values; of internal variables the initial integral, usually zero.
        role: their meaning and numerical treatment; see ``roles.py``.
        rates: initial first time derivatives (of internal variables these are the values).
        fixed: known values, read by forms, never solved for: all of them or none, or one answer
            each; an array afterwards.
        spread: where no rank holds all of the values: which nodes (or cells) are held here, each
            with the same number of values. Those that are fixed are held by all ranks.
        numbers: numbers of the unknowns in the system, set when the system is assembled.
    """

    owner: str
    what: str
    values: np.ndarray
    role: Role = Coordinate()
    rates: np.ndarray | float = field(default=0.0, kw_only=True)
    fixed: Any = field(default=False, kw_only=True)
    spread: Spread | None = field(default=None, kw_only=True)
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64), init=False)

    def __post_init__(self):
        if not isinstance(self.role, Role):
            raise TypeError(
                f"Block({self.owner!r}, {self.what!r}, ...): role must be such as Coordinate() or "
                f"Multiplier(), got {self.role!r}"
            )
        self.values = np.array(self.values, dtype=float).ravel()
        self.rates = np.array(np.broadcast_to(np.ravel(self.rates), self.values.shape), dtype=float)
        self.fixed = np.array(np.broadcast_to(np.ravel(self.fixed), self.values.shape), dtype=bool)

    @property
    def name(self) -> str:
        """Name of the unknowns in messages."""
        return f"{self.owner}.{self.what}" if self.what else self.owner

    @property
    def constraint(self) -> str | None:
        """Name of the condition that multipliers enforce; ``None`` for other unknowns."""
        return (self.role.of or self.owner) if isinstance(self.role, Multiplier) else None

    @property
    def driven(self) -> bool:
        """Whether they are multipliers of a condition that depends on time."""
        return isinstance(self.role, Multiplier) and self.role.driven

    @property
    def width(self) -> int:
        """Unknowns of a node; 1 except for displacements."""
        return self.role.width if isinstance(self.role, Coordinate) else 1

    @property
    def places(self) -> np.ndarray | None:
        """Where the nodes of displacements are at the start, m, (nodes, 3)."""
        return self.role.places if isinstance(self.role, Coordinate) else None

    def offset_by(self, magnitude: float) -> None:
        """Note that forms add something of this size to the values before they use them."""
        magnitude = max(magnitude, self.role.offset_magnitude)
        self.role = replace(self.role, offset_magnitude=magnitude)

    @property
    def whole(self) -> bool:
        """Whether no node is held along only some of the axes."""
        held = self.fixed.reshape(-1, self.width)
        return bool(np.all(held == held[:, :1]))

    @property
    def free(self) -> np.ndarray:
        """Which of the values are unknowns of the system."""
        return ~self.fixed & (not isinstance(self.role, Condensed))

    @property
    def total(self) -> int:
        """Number of values on all ranks."""
        return len(self.values) if (s := self.spread) is None else s.count * s.width

    @property
    def unknowns(self) -> int:
        """How many of the values are unknowns, on all ranks."""
        return int(self.free.sum()) if self.spread is None else self.total - int(self.fixed.sum())

    @property
    def free_numbers(self) -> np.ndarray:
        """Numbers of these in the system."""
        if self.spread is None:
            return self.numbers[self.free]
        return np.concatenate([np.arange(*run) for run in self.spread.runs])

    def holds(self, number: int) -> bool:
        """Whether an unknown of the system, or a fixed value, belongs to this block; the same on
        every rank except for fixed values."""
        runs = () if self.spread is None else self.spread.runs
        return any(a <= number < b for a, b in runs) or bool((self.numbers == number).any())

    @property
    def all(self) -> Ref:
        """A reference to every unknown of the block."""
        return Ref(self, np.arange(len(self.values)))


class Ref:
    """Some unknowns of a block, in a given order: a piece of a row of the dof map, or of many rows
    (rows of indices).

    Args:
        block: whose unknowns they are.
        indices: their places in the block; or, with ``width``, those of nodes.
        width: unknowns of a node, which lie one after the other.
    """

    def __init__(self, block: Block, indices: np.ndarray, width: int = 1):
        self.block, self.width, self._places = block, width, indices

    @property
    def indices(self) -> np.ndarray:
        """Places of the unknowns in the block."""
        places, width = self._places, self.width
        if width == 1:
            return places
        each = width * places[..., None] + np.arange(width, dtype=places.dtype)
        return each.reshape(*places.shape[:-1], width * places.shape[-1])

    @property
    def numbers(self) -> np.ndarray:
        """Their numbers in the assembled system."""
        return self.block.numbers[self.indices]

    @property
    def values(self) -> np.ndarray:
        """Their initial values."""
        return self.block.values[self.indices]

    def present(self, values: np.ndarray) -> np.ndarray:
        """Their present values, from those of all unknowns by global number; fixed ones stay."""
        known, numbers = self.block.fixed[self.indices], self.numbers
        return np.where(known, self.values, values[np.where(known, 0, numbers)])


def multipliers(
    owner: str, what: str, count: int, quantity: str = TRANSLATION, *, driven: bool = False
) -> Block:
    """A block of Lagrange multipliers, starting at zero."""
    return Block(owner, what, np.zeros(count), Multiplier(quantity, driven=driven))


def held(
    blocks: list[Block], locate: Callable[[np.ndarray], np.ndarray]
) -> Iterator[tuple[Block, np.ndarray, np.ndarray]]:
    """Each block, local numbers of what a rank reads of it, and which of its values these are;
    ``locate`` gives local numbers of global ones, or -1."""
    found = locate(np.concatenate([b.numbers for b in blocks]))
    for b in blocks:
        at, found = np.split(found, [len(b.numbers)])
        here = np.flatnonzero(at >= 0)
        yield b, at[here], here


def holding(blocks: list[Block], number: int) -> Block | None:
    """The block to which an unknown of the system belongs; the same on every rank."""
    return next((b for b in blocks if b.holds(number)), None)


#: part of its share by which a rank may have more or less, so that bodies and films stay whole
UNEVEN = 0.1


def partition(blocks: list[Block], ranks: int) -> np.ndarray:
    """End of each rank's share of the unknowns that all ranks hold: runs of equal weight, but nodes
    of solids stay whole, and bodies and films where that changes the shares little."""
    blocks = [b for b in blocks if b.spread is None]
    size = sum(int(b.free.sum()) for b in blocks)
    weight, owner = np.ones(size), np.zeros(size, int)
    owners = {name: k for k, name in enumerate(dict.fromkeys(b.owner for b in blocks))}
    for block in blocks:
        weight[block.numbers[block.free]] = block.role.weight
        owner[block.numbers[block.free]] = owners[block.owner]
    if not size:
        return np.zeros(ranks, int)
    done = np.cumsum(weight)
    targets = done[-1] * np.arange(1, ranks + 1) / ranks
    bounds = np.searchsorted(done, targets - 1e-9) + 1
    last = np.zeros(len(owners), int)
    np.maximum.at(last, owner, np.arange(size))
    whole = np.maximum.accumulate(last[owner]) == np.arange(size)
    for good in (np.diff(owner, append=-1) != 0, whole):  # where a run ends, where all of it does
        ends = np.flatnonzero(good) + 1
        nearest = ends[np.abs(done[ends - 1] - targets[:, None]).argmin(axis=1)]
        near = np.abs(done[nearest - 1] - targets) < UNEVEN * done[-1] / ranks
        bounds = np.where(near, nearest, bounds)
    bounds[-1] = size
    for block in blocks:
        if block.width > 1 and block.free.any():
            numbers = block.numbers[block.free]
            first, last = numbers.min(), numbers.max()
            inside = (bounds > first) & (bounds <= last)
            bounds[inside] -= (bounds[inside] - first) % block.width
    return bounds


def interleave(blocks: list[Block], comm: Any, bounds: np.ndarray) -> np.ndarray:
    """Number the unknowns of spread blocks: those of each rank first, then its share of all others.

    Args:
        blocks: in the order of their numbers, which those that are not spread have.
        comm: communicator.
        bounds: end of each rank's share of these.

    Returns:
        End of each rank's share of all unknowns, which have their numbers then; collective.
    """
    spread = [(b, b.spread) for b in blocks if b.spread is not None]
    if not spread:
        return bounds
    free = [b.free.reshape(-1, s.width)[s.own] for b, s in spread]
    counts = np.array(comm.allgather([int(z.sum()) for z in free]))
    here, shares = counts.sum(axis=1), np.diff(bounds, prepend=0)
    ends = np.cumsum(here + shares)
    begin, size, others = ends - here - shares, ends[-1], bounds[-1]
    known = size  # values that are known come after the unknowns
    for b in (b for b in blocks if b.spread is None):
        rank = np.minimum(np.searchsorted(bounds, b.numbers, side="right"), comm.size - 1)
        moved = (begin + here - bounds + shares)[rank] + b.numbers
        b.numbers = np.where(b.numbers < others, moved, b.numbers - others + size)
        known += int((~b.free).sum())
    for k, (b, s) in enumerate(spread):
        first = begin + counts[:, :k].sum(axis=1)
        s.runs = np.stack([first, first + counts[:, k]], axis=1)
        held = comm.allgather(int((~free[k]).sum()))
        numbers = np.empty(free[k].shape, np.int64)
        numbers[free[k]] = np.arange(*s.runs[comm.rank])
        numbers[~free[k]] = known + sum(held[: comm.rank]) + np.arange(held[comm.rank])
        b.numbers = s.fetch(numbers).ravel()
        known += sum(held)
    return ends
