"""LU factors in Python: what a preconditioner of PETSc's, of type ``python``, calls."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from .._backend import PETSc
from .factors import PART


class PythonFactors(ABC):
    """Factors of one matrix after another, of one pattern."""

    @abstractmethod
    def factorise(self, values: np.ndarray) -> bool:
        """New factors for the entries of a matrix, in the order of its pattern; ``False`` where it
        has none."""

    @abstractmethod
    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        """Solution, into ``x``; infinite without factors."""

    @abstractmethod
    def solve_transposed(self, b: np.ndarray, x: np.ndarray) -> None:
        """The same with the transposed matrix."""

    @abstractmethod
    def _matrices(self) -> list[PETSc.Mat]:
        """Factors of PETSc's inside."""

    def attach(self, pc: PETSc.PC, part: np.ndarray) -> None:
        """Let a preconditioner factorise these entries and solve; they live as long as it does."""
        self._part = part
        for factors in self._matrices():
            factors.setOptionsPrefix(pc.getOptionsPrefix())
        pc.setType("python")
        pc.setPythonContext(self)
        pc.setAttr(PART, part)

    # --- what PETSc calls -----------------------------------------------------------------------
    def setUp(self, pc: PETSc.PC) -> None:  # noqa: N802
        """The entries are new."""
        reason = PETSc.PC.FailedReason
        good = self.factorise(self._part)
        pc.setFailedReason(reason.NOERROR if good else reason.FACTOR_NUMERIC_ZEROPIVOT)

    def apply(self, pc: PETSc.PC, b: PETSc.Vec, x: PETSc.Vec) -> None:
        """x of A x = b."""
        self.solve(b.array_r, x.array_w)

    def applyTranspose(self, pc: PETSc.PC, b: PETSc.Vec, x: PETSc.Vec) -> None:  # noqa: N802
        """The same with the transposed matrix."""
        self.solve_transposed(b.array_r, x.array_w)
