"""Which factors of the package's own the matrix of a system gets on one rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._backend import PETSc
from .apart import ApartLU
from .bordered import BorderedLU, border_of
from .factors import OwnFactors
from .nodes import node_factors
from .roles import Algebraic

if TYPE_CHECKING:
    from .blocks import Block
    from .problem import Problem
    from .state import State

#: unknowns up to which a system of reduced bodies alone is factorised as a dense matrix, and a
#: border between ranks
DENSE = 1000


def own_factors(A: PETSc.Mat, state: State) -> OwnFactors | None:
    """Factors for a system's matrix, where they are faster than PETSc's."""
    first, columns = A.getRowIJ()[:2]
    return _factors_of(first, columns, border_of(state.problem), state.problem.module)


def factors_apart(A: PETSc.Mat, state: State) -> OwnFactors:
    """Factors for a system's matrix by which what slow unknowns do to others may be left out."""
    border, module = border_of(state.problem), state.problem.module
    first, columns = A.getRowIJ()[:2]

    def factors(first: np.ndarray, columns: np.ndarray, unknowns: np.ndarray) -> OwnFactors:
        dense, last = np.flatnonzero(np.isin(unknowns, border)), np.array([len(unknowns) - 1])
        own = _factors_of(first, columns, dense, module)
        return own or BorderedLU(first, columns, last, module)

    def later(first: np.ndarray, columns: np.ndarray, unknowns: np.ndarray) -> OwnFactors:
        walls = np.isin(unknowns, border)  # oil hardly notices within a step what they warm
        if not 0 < walls.sum() < len(walls):
            return factors(first, columns, unknowns)
        return ApartLU(first, columns, walls, lambda i, j, some: factors(i, j, unknowns[some]),
                       module)  # fmt: skip

    slow = np.zeros(state.size, bool)
    for b in slow_blocks(state.problem):
        slow[b.numbers[b.free]] = True
    return ApartLU(first, columns, slow, factors, module, later)


def _factors_of(
    first: np.ndarray, columns: np.ndarray, border: np.ndarray, module: Any
) -> OwnFactors | None:
    """Factors for matrices of a pattern with these dense rows and columns."""
    size = len(first) - 1
    if 2 * len(border) > size and size <= DENSE:
        border = np.arange(size)  # all of it, with pivots
    if 0 < 2 * len(border) <= size or len(border) == size > 0:
        return BorderedLU(first, columns, border, module)
    return node_factors(first, columns, module)


def slow_blocks(problem: Problem) -> list[Block]:
    """Blocks of slow unknowns, see ``Algebraic``."""
    return [b for b in problem.blocks if isinstance(b.role, Algebraic) and b.role.slow]
