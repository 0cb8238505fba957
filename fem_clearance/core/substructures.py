"""Substructures: each rank eliminates by itself the unknowns that no other rank's cells touch.

The matrix is the sum of the ranks' parts, each of its own cells. What is left of it is the border,
the unknowns between ranks, whose Schur complement is the sum of theirs (bordered.py). So a tangent
takes one sum over the ranks, and a solution another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import lapack

from .blocked import aligned
from .compiled.shared import communicator, pointer

if TYPE_CHECKING:
    from .problem import Problem


class SharedBorder:
    """The unknowns that are not of one rank alone; collective.

    Args:
        problem: on several ranks.
        dense: local numbers of unknowns that belong to the border whoever touches them.

    Attributes:
        unknowns: local numbers of those that this rank knows.
        numbers: global numbers of all.
        at: of each of ``unknowns`` its place among these.
        comm: communicator.
    """

    def __init__(self, problem: Problem, dense: np.ndarray):
        owned, comm = problem.owned, problem.comm
        inside = np.zeros(problem.local, bool)
        inside[:owned] = _untouched(problem, dense)
        _leave_without_pivots(problem, inside)
        self.unknowns = np.flatnonzero(~inside)
        mine = problem.numbers[np.flatnonzero(~inside[:owned])]
        self.numbers = np.concatenate(comm.allgather(mine))  # in the order of the ranks' shares
        self.comm, self._module = comm, problem.module
        self.at = np.searchsorted(self.numbers, problem.numbers[self.unknowns]).astype(np.int32)

    def table(self) -> tuple[dict[str, Any], list[np.ndarray]]:
        """``fc_shared_border`` of bordered.h, and the arrays that must stay."""
        ffi, size = self._module.ffi, len(self.numbers)
        arrays = [aligned(np.zeros(n)) for n in (*[size * size + 1] * 2, size, size)]
        names = "part", "sum", "right_part", "right"
        return {
            "size": size, "at": pointer(ffi, self.at),
            "comm": communicator(self._module, self.comm),
            **{name: pointer(ffi, z) for name, z in zip(names, arrays, strict=True)},
        }, [self.at, *arrays]  # fmt: skip


class DenseBorder:
    """The border's dense matrix: the sum of the ranks' parts, which each of them factorises.

    Args:
        shared: the border; none of one rank alone.

    Attributes:
        good: whether there are factors.
    """

    def __init__(self, shared: SharedBorder):
        self._shared, self.good = shared, False
        self._factors: list[np.ndarray] = []

    def factorise(self, part: np.ndarray, failed: bool) -> bool:
        """New factors; ``False``, on all ranks, where a rank has ``failed`` or there are none;
        collective.

        Args:
            part: of this rank, by the unknowns that it knows.
        """
        at, size = self._shared.at, len(self._shared.numbers)
        mine = np.zeros(size * size + 1)
        mine[:-1].reshape(size, size)[np.ix_(at, at)] = part
        mine[-1] = failed
        total, info = self._over_ranks(mine), 0
        self.good = not total[-1] and bool(np.isfinite(total).all())
        if self.good and size:
            *self._factors, info = lapack.dgetrf(total[:-1].reshape(size, size))
            self.good = not info
        return self.good

    def solve(self, part: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Values of the unknowns that this rank knows, for the sum of the ranks' right sides;
        collective."""
        if not len(self._shared.numbers):
            return part
        mine = np.zeros(len(self._shared.numbers))
        mine[self._shared.at] = part
        right = self._over_ranks(mine)
        return lapack.dgetrs(*self._factors, right, trans=transposed)[0][self._shared.at]

    def _over_ranks(self, part: np.ndarray) -> np.ndarray:
        total = np.empty_like(part)
        self._shared.comm.Allreduce(part, total)
        return total


def _untouched(problem: Problem, dense: np.ndarray) -> np.ndarray:
    """Which of the owned unknowns this rank's cells touch, and no other's."""
    touched = np.zeros(problem.total)
    touched[problem.owned : problem.local] = 1.0  # whose owner counts on this
    for numbers in (problem.entries.rows, problem.entries.cols):
        touched[numbers] = 1.0
    touched[dense] += 2.0  # on any rank
    return (touched[: problem.owned] == 1.0) & (problem.add_over_ranks(touched) == 1.0)


def _leave_without_pivots(problem: Problem, inside: np.ndarray) -> None:
    """Leave to the border multipliers that would be eliminated before all they hold: they would
    have no pivot."""
    rows, cols = problem.entries.rows, problem.entries.cols
    here = (rows < problem.local) & (cols < problem.local)
    rows, cols = rows[here], cols[here]
    held = problem.constrained[rows] & ~inside[cols]
    inside[rows[held]] = False
