"""The steps of a run that is kept for its derivatives: those of the compiled loop in blocks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

#: how the length of a step follows from the motion: not at all, from an onset at its end, from the
#: time that it must hit, from that at which a law changes, as foreseen at its start or, where a
#: step to that time went too far, as found at its end
FIXED, LOCATED, STOP, FORESEEN, PASSED = "fixed", "located", "stop", "foreseen", "passed"
#: ends of steps that follow from the motion
EVENTS = LOCATED, FORESEEN, PASSED


@dataclass(slots=True)
class Restart:
    """Accelerations and multipliers found anew where a law has changed.

    Attributes:
        begin: the state array before, with the parameters of the new law.
        trials: the trial steps' lengths, s, and the state arrays at their ends.
    """

    begin: np.ndarray
    trials: list[tuple[float, np.ndarray]]


@dataclass(slots=True)
class Step:
    """An accepted step.

    Attributes:
        h, h_old: its length and that of the one before, s; ``None`` where it starts anew.
        start: the state array at its start; ``own``, ``old``: the vectors of the integrator's own
            and the accelerations before, there; empty where its length and that of the step before
            follow from nothing.
        end: the state array at convergence, with the parameters that the step used.
        after: the state array once the step has been accepted.
        left: part of what velocities left of constraints that they still had at ``start``;
            ``agreed``: whether they were put on the constraints once it was accepted.
        kind: how its length follows from the motion.
        onset: the contact (place of its component among those watched, cell) whose onset it ends
            at.
        before, now: of each component watched depth, rate and acceleration of its contacts at
            start and end; ``apart``: none of them touches there.
        address: where ``end`` lies in memory.
        taken: what each stage took off velocities to hold them on constraints too, stages x
            unknowns.
        h_older: length of the step before the one before, s.
        middles: states as ``end`` at the ends of the stages but the last, stages - 1 x numbers.
        restart: how the next step begins where a law has changed.
    """

    h: float
    h_old: float | None
    start: np.ndarray
    own: np.ndarray
    old: np.ndarray
    end: np.ndarray
    left: float
    kind: str
    onset: tuple[int, int] | None
    before: list[np.ndarray]
    now: list[np.ndarray]
    apart: bool
    address: int
    taken: np.ndarray
    h_older: float | None
    middles: np.ndarray
    agreed: bool = False
    after: np.ndarray = field(default_factory=lambda: np.zeros(0))
    restart: Restart | None = None


class Block:
    """Steps of one call of the compiled loop, all as long as the one before.

    Args:
        rows: what the loop has kept of each step, see ``keep_state`` of march.c: the state array at
            its end, what numbers that accepted steps change are after it and were at its start,
            and of each component watched depths, rates and accelerations at its start and end.
        h: their length, s.
        before: the state array before the first of them.
        sizes: numbers of depths, rates and accelerations of each component watched.
        changed: where the state array has numbers that accepted steps change.
        touching: where it says whether contacts touch.

    Attributes:
        touched: which of the steps have a contact that touches at their start or end.
    """

    def __init__(
        self, rows: np.ndarray, h: float, before: np.ndarray, sizes: list[int],
        changed: np.ndarray, touching: np.ndarray,
    ):  # fmt: skip
        self.h, self._before, self._sizes, self._changed = h, before, sizes, changed
        ends = np.cumsum([len(before), len(changed), len(changed)])
        self._ends, self._after, self._start, self._gaps = np.split(rows, ends, axis=1)
        touch = (self._start[:, np.searchsorted(changed, touching)] > 0).any(axis=1)
        at = 0
        for size in sizes:
            touch |= (self._gaps[:, at + size : at + 2 * size : 3] > 0).any(axis=1)
            at += 2 * size
        self.touched = np.flatnonzero(touch)

    def __len__(self) -> int:
        return len(self._ends)

    def step(self, k: int) -> Step:
        """One of the steps."""
        end, gaps, none = self._ends[k], self._gaps[k], np.zeros(0)
        start, before, now = (self._accepted(k - 1) if k else self._before), [], []
        if len(self._changed):
            start = start.copy()
            start[self._changed] = self._start[k]
        for size in self._sizes:
            mine, gaps = gaps[: 2 * size].reshape(2, -1, 3), gaps[2 * size :]
            before.append(mine[0])
            now.append(mine[1])
        return Step(
            self.h, self.h, start, none, none, end, 1.0, FIXED, None, before, now,
            k not in self.touched, int(self.addresses(k, 1)[0]), none, None, none, False,
            self._accepted(k),
        )  # fmt: skip

    def _accepted(self, k: int) -> np.ndarray:
        """The state array once a step has been accepted."""
        if not len(self._changed):
            return self._ends[k]
        array = self._ends[k].copy()
        array[self._changed] = self._after[k]
        return array

    def addresses(self, k: int, count: int) -> np.ndarray:
        """Where the ends of ``count`` steps lie in memory."""
        first, stride = self._ends.__array_interface__["data"][0], self._ends.strides[0]
        return (first + stride * np.arange(k, k + count)).astype(np.uint64)


class Record(Sequence[Step]):
    """The steps of a run. Those of blocks are made when they are asked for: most runs have many,
    all alike."""

    def __init__(self):
        self._parts: list[Step | Block] = []
        self._firsts: list[int] = []
        self._count = 0

    def append(self, step: Step) -> None:
        """Add a step of its own."""
        self._add(step, 1)

    def extend(self, block: Block) -> None:
        """Add steps of the compiled loop."""
        self._add(block, len(block))

    def _add(self, part: Step | Block, count: int) -> None:
        self._parts.append(part)
        self._firsts.append(self._count)
        self._count += count

    def __len__(self) -> int:
        return self._count

    def _at(self, i: int) -> tuple[int, Step | Block]:
        """The part that contains step i, and where it is in that."""
        k = bisect_right(self._firsts, i) - 1
        return i - self._firsts[k], self._parts[k]

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -self._count <= i < self._count:
            raise IndexError(f"step {i} of {self._count}")
        k, part = self._at(i % self._count)
        return part.step(k) if isinstance(part, Block) else part

    def own(self) -> Iterator[tuple[int, Step]]:
        """The steps that are not in blocks, and which steps of the run they are."""
        for i, part in zip(self._firsts, self._parts, strict=True):
            if isinstance(part, Step):
                yield i, part

    def alike(self, i: int) -> int:
        """The end of the steps from i on that are in its block and whose contacts are apart."""
        k, part = self._at(i)
        if not isinstance(part, Block):
            return i + 1
        behind = np.searchsorted(part.touched, k, side="right")
        return i - k + int(part.touched[behind] if behind < len(part.touched) else len(part))

    def addresses(self, first: int, end: int) -> np.ndarray:
        """Where the ends of some steps lie in memory."""
        found = [np.zeros(0, np.uint64)]
        while first < end:
            k, part = self._at(first)
            if isinstance(part, Block):
                found.append(part.addresses(k, min(len(part) - k, end - first)))
            else:
                found.append(np.array([part.address], np.uint64))
            first += len(found[-1])
        return np.concatenate(found)
