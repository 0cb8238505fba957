"""LU factors of matrices some of whose unknowns hardly act on the others: temperatures of a film.

Within a short step oil warms so little that its pressures hardly notice. Of [A B; C D], with D in
the rows and columns of the temperatures, the factors of A and D then do for an iteration of
Newton's: B is left out, and a kept tangent is not exact either. How much of a change of the
temperatures comes back to them through B is estimated for each matrix; where it is too much, the
whole is factorised (``compiled/apart.c``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .._backend import PETSc
from .compiled.shared import fill
from .factors import OwnFactors

#: part of a change of the later unknowns that may come back to them through the others; a kept
#: tangent may leave 0.3 of a residual (newton.py)
MOST = 0.1
#: matrices whose whole is factorised after the first that needs it
PAUSE = 8


#: gives the factors of a part from its pattern by rows and its unknowns' numbers in the matrix
Factorising = Callable[[np.ndarray, np.ndarray, np.ndarray], OwnFactors]


class ApartLU(OwnFactors):
    """Factors of one matrix after another, of one pattern: apart, or of the whole from the first
    time on that ``join`` was called after a failure.

    Args:
        first, columns: pattern of the matrix by rows.
        later: of each unknown whether it hardly acts on the others.
        factors: gives the factors of a part's pattern: ``factors(first, columns, unknowns)``.
        module: the compiled one.
        last: the same for the later unknowns; by default ``factors``.
    """

    def __init__(
        self, first: np.ndarray, columns: np.ndarray, later: np.ndarray,
        factors: Factorising, module: Any, last: Factorising | None = None,
    ):  # fmt: skip
        super().__init__(module, "apart")
        self._whole = partial(factors, first, columns, np.arange(len(later)))
        rows = np.repeat(np.arange(len(later)), np.diff(first))
        number = np.where(later, np.cumsum(later), np.cumsum(~later)) - 1
        self._kept: list[Any] = []
        self._parts: list[OwnFactors] = []
        self._change = np.ones(int(later.sum()))
        self._c = self._ffi.new("fc_apart *", {
            "most": MOST, "came_back": -1.0, "change": self._at(self._change), "pause": PAUSE,
        })  # fmt: skip
        for name, mine, give in (
            ("before", ~later, factors), ("after", later, last or factors),
        ):  # fmt: skip
            pattern = _block(rows, columns, mine, mine, number)
            self._part(getattr(self._c, name), np.flatnonzero(mine), *pattern, give)
        for name, mine in (("forward", later), ("back", ~later)):
            starts, others, entry = _block(rows, columns, mine, ~mine, number)
            self._fill(getattr(self._c, name), first=starts, column=others, entry=entry,
                       values=np.zeros(len(entry)))  # fmt: skip
            getattr(self._c, name).entries = len(entry)

    def _part(self, part: Any, unknowns: np.ndarray, first, columns, entry, factors) -> None:
        own = factors(first, columns, unknowns)
        self._parts.append(own)
        part.size, part.entries = len(unknowns), len(entry)
        part.factorise, part.solve, part.factors = own.functions()
        size = np.zeros(len(unknowns))
        self._fill(part, unknown=unknowns, entry=entry, values=np.zeros(len(entry)), b=size,
                   x=size.copy())  # fmt: skip

    def _fill(self, struct: Any, **arrays: np.ndarray) -> None:
        self._kept += fill(self._ffi, struct, arrays)

    def join(self) -> bool:
        """Have factors of the whole where the parts are not apart; ``False`` if they are and a
        pivot is missing, or if there are such factors already. A part that is in two parts itself
        comes first."""
        if any(part.join() for part in self._parts if isinstance(part, ApartLU)):
            return True
        whole = self._c.whole
        if self._c.came_back <= MOST or whole.factorise != self._ffi.NULL:
            return False
        self._kept.append(own := self._whole())
        whole.factorise, whole.solve, whole.factors = own.functions()
        return True

    @property
    def later(self) -> OwnFactors:
        """Factors of the later unknowns."""
        return self._parts[1]

    @property
    def joined(self) -> bool:
        """Whether the last factors are those of the whole."""
        return bool(self._c.together)

    @property
    def came_back(self) -> float:
        """Part of a change of the later unknowns that comes back to them, as last estimated."""
        return self._c.came_back


def _block(rows, columns, mine, others, number) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pattern by rows of a block of a matrix, and its entries in the matrix."""
    entry = np.flatnonzero(mine[rows] & others[columns])
    starts = np.searchsorted(number[rows[entry]], np.arange(mine.sum() + 1))
    return starts.astype(np.int32), number[columns[entry]].astype(np.int32), entry


def join(pc: PETSc.PC) -> bool:
    """After a preconditioner failed: whether it has factors of the whole from now on."""
    own, *_ = pc.getAttr("factors") or [None]
    if not isinstance(own, ApartLU) or not own.join():
        return False
    pc.setFailedReason(PETSc.PC.FailedReason.NOERROR)  # else it is not asked again
    return True
