"""Values of which each rank holds a part: who owns them, and how the others learn of them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np


def fetch(comm: Any, ends: np.ndarray, numbers: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Rows of some numbers from the ranks that own them; collective.

    Args:
        comm: communicator.
        ends: end of each rank's run of the numbers.
        numbers: of the rows wanted, (n,).
        own: rows of this rank's run.
    """
    order, cuts = _by_rank(ends, numbers)
    asked = comm.alltoall(np.split(numbers[order], cuts))
    low = ends[comm.rank] - len(own)
    answers = comm.alltoall([own[z - low] for z in asked])
    result = np.empty((len(numbers), *own.shape[1:]), own.dtype)
    result[order] = np.concatenate(answers)
    return result


def _by_rank(ends: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order of numbers by the rank that owns them, and where each rank's begin in it but the first
    one's."""
    rank = np.searchsorted(ends, numbers, side="right")
    order = np.argsort(rank, kind="stable")
    return order, np.searchsorted(rank[order], np.arange(1, len(ends)))


def places(comm: Any, keys: np.ndarray) -> np.ndarray | None:
    """Place of each key (an integer) among the keys of all ranks in ascending order; ``None`` where
    two are equal. Collective."""
    extremes = comm.allgather((keys.min(), keys.max()) if len(keys) else None)
    known = [z for z in extremes if z is not None]
    if not known:
        return np.zeros(0, np.int64)
    low, high = min(z[0] for z in known), max(z[1] for z in known)
    width = int(high - low) // comm.size + 1
    order, cuts = _by_rank(low + width * np.arange(1, comm.size + 1), keys)
    got = comm.alltoall(np.split(keys[order], cuts))
    given = np.concatenate(got)
    once = np.unique(given)
    if comm.allreduce(len(given) - len(once)):
        return None
    start = sum(comm.allgather(len(once))[: comm.rank])
    found = start + np.searchsorted(once, given)
    back = comm.alltoall(np.split(found, np.cumsum([len(z) for z in got])[:-1]))
    result = np.empty(len(keys), np.int64)
    result[order] = np.concatenate(back)
    return result


class Spread:
    """Rows of values, one for each node or cell, of which a rank holds those that its cells read.

    Args:
        comm: communicator of all ranks.
        ends: end of each rank's run of the rows' numbers; it owns the rows of its run.
        numbers: of the rows held here, ascending but for those that ``hold`` adds; those of the own
            run are among them.
        keys: gives an integer for each own row by which the rows can be put into an order that does
            not depend on the number of ranks; collective.
        width: values of a row.

    Attributes:
        count: rows on all ranks.
        own: which of those held here this rank owns.
        runs: of each rank the first number of its free unknowns in the system and the one past the
            last, set when the system is assembled.
    """

    def __init__(
        self, comm: Any, ends: np.ndarray, numbers: np.ndarray, keys: Callable[[], np.ndarray],
        width: int,
    ):  # fmt: skip
        self.comm, self.ends, self.numbers, self.keys = comm, ends, numbers, keys
        self.width = width
        self.count = int(ends[-1])
        low = int(ends[comm.rank - 1]) if comm.rank else 0
        self.own = slice(*np.searchsorted(numbers, (low, ends[comm.rank])))
        self.runs = np.zeros((comm.size, 2), np.int64)

    def __deepcopy__(self, memo: dict) -> Spread:
        return copy(self)  # a communicator cannot be copied deeply

    def hold(self, number: int) -> None:
        """Hold one more row, of another rank, after all others."""
        self.numbers = np.append(self.numbers, number)

    def fetch(self, own: np.ndarray) -> np.ndarray:
        """Rows of all that are held here, from the own rows of each rank; collective."""
        return fetch(self.comm, self.ends, self.numbers, own)

    def mean(self, rows: np.ndarray) -> np.ndarray:
        """Mean of the rows of all ranks, from what each holds; collective."""
        return self.comm.allreduce(rows[self.own].sum(axis=0)) / self.count

    def add(self, rows: np.ndarray, by: Any = np.add) -> np.ndarray:
        """Own rows, to which other ranks have added what they hold of them (or what else ``by``
        does); collective."""
        comm, numbers = self.comm, self.numbers[: len(rows)]
        order, cuts = _by_rank(self.ends, numbers)
        pieces = zip(np.split(numbers[order], cuts), np.split(rows[order], cuts), strict=True)
        result = rows[self.own].copy()
        low = self.ends[comm.rank] - len(result)
        for rank, (where, values) in enumerate(comm.alltoall([*pieces])):
            if rank != comm.rank:
                by.at(result, where - low, values)
        return result
