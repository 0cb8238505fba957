"""LU factors of the package's own for matrices of a known structure, in place of PETSc's.

Whatever the structure, the interface is one: ``factorise``, ``solve`` and ``solve_transposed``, and
``attach``, by which a solver of PETSc's uses them (``compiled/factors.c``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._backend import PETSc
from .compiled.shared import pointer

#: attribute of a preconditioner: the entries that it factorises, if its matrix has others
PART = "part"
#: width of a vector in numbers, see the compiled functions
VECTOR = 8


class OwnFactors:
    """LU factors of one matrix after another, of one pattern.

    Args:
        module: the compiled one.
        name: of its functions.
    """

    def __init__(self, module: Any, name: str):
        self._ffi, self._lib, self._name = module.ffi, module.lib, name
        self._petsc = module.petsc
        self._c: Any = None  # set by heirs

    def _function(self, what: str) -> Callable[..., int]:
        return getattr(self._lib, f"fc_{self._name}_{what}")

    def factorise(self, values: np.ndarray) -> bool:
        """New factors for the entries of a matrix (in the order of its pattern); ``False`` where
        one has no pivot."""
        return not self._function("factorise")(self._c, self._at(values))

    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        """Solution, into ``x``; infinite without factors."""
        self._function("solve")(self._c, self._at(b), self._at(x), False)

    def solve_transposed(self, b: np.ndarray, x: np.ndarray) -> None:
        """The same with the transposed matrix."""
        self._function("solve")(self._c, self._at(b), self._at(x), True)

    def functions(self) -> tuple[Any, Any, Any]:
        """The compiled functions that factorise and solve, and their first argument."""
        factorise, solve = (self._address(what) for what in ("factorise", "solve"))
        kinds = "int (*)(void *, const double *)", "int (*)(void *, const double *, double *, int)"
        cast = self._ffi.cast
        return cast(kinds[0], factorise), cast(kinds[1], solve), self._c

    def _address(self, what: str) -> Any:
        return self._ffi.addressof(self._lib, f"fc_{self._name}_{what}")

    def attach(self, pc: PETSc.PC, values: np.ndarray | None = None) -> None:
        """Let a preconditioner of a matrix of this pattern factorise and solve by these; they live
        as long as it does.

        Args:
            values: entries to factorise; by default those of the preconditioner's matrix.
        """
        ffi, reason = self._ffi, PETSc.PC.FailedReason
        petsc = ffi.new("fc_petsc *", self._petsc)
        functions = {
            what: ffi.cast("void *", self._address(what)) for what in ("factorise", "solve")
        }
        shell = ffi.new("fc_factors *", {
            "petsc": petsc, "of": self._c, **functions, "no_error": int(reason.NOERROR),
            "zero_pivot": int(reason.FACTOR_NUMERIC_ZEROPIVOT),
            "values": ffi.NULL if values is None else self._at(values),
        })  # fmt: skip
        pc.setType("shell")
        if error := self._lib.fc_factors_attach(shell, ffi.cast("void *", pc.handle)):
            raise PETSc.Error(error)
        pc.setAttr("factors", (self, petsc, shell))
        pc.setAttr(PART, values)

    def _at(self, array: np.ndarray) -> Any:
        return pointer(self._ffi, array)
