"""Order of the unknowns in stored states, which does not depend on the number of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from .spread import places


class KeptOrder:
    """Brings values of the unknowns into the order of stored states and checkpoints, and back.

    If every rank holds all bodies, it is the order of their numbers. Otherwise these depend on the
    number of ranks, and the unknowns of distributed bodies come last, in the order of their cells.

    Args:
        problem: the assembled system, a ``Problem``.
    """

    def __init__(self, problem: Any):
        self._problem, self._place = problem, np.zeros(0, np.int64)
        spread = [b for b in problem.blocks if b.spread is not None]
        if not spread:
            return
        alone = [b.free_numbers for b in problem.blocks if b.spread is None]
        known = np.sort(np.concatenate(alone))
        numbers = np.arange(problem.low, problem.low + problem.owned)
        mine, start = np.searchsorted(known, numbers), len(known)
        for b in spread:
            s = b.spread
            assert s is not None
            keys = s.keys()[:, None] * s.width + np.arange(s.width)
            found = places(problem.comm, keys[b.free.reshape(-1, s.width)[s.own]])
            assert found is not None  # no two nodes have the same place in a cell
            mine[slice(*(s.runs[problem.comm.rank] - problem.low))] = start + found
            start += b.unknowns
        self._place = np.concatenate(problem.comm.allgather(mine))

    def gather(self, local: np.ndarray) -> np.ndarray:
        """Values of all unknowns in this order, on every rank, from local ones; collective."""
        values = self._problem.everything(local)
        if not len(self._place):
            return values
        result = np.empty_like(values)
        result[self._place] = values
        return result

    def pick(self, kept: np.ndarray) -> np.ndarray:
        """The local unknowns' of values in this order."""
        numbers = self._problem.numbers[: self._problem.local]
        return kept[self._place[numbers] if len(self._place) else numbers]
