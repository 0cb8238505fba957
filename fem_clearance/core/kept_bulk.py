"""Tangents of cells that fill bodies whose stiffness is kept: they are not evaluated meanwhile.

Each takes twenty times as long as the cells' forces. By how much the tangent has changed since it
was kept is told by these: by their differences between displacements that are a little apart.
"""

from __future__ import annotations

import numpy as np

from .compiled.shared import pointer
from .state import State

#: how far apart these are, relative to the distance of the nodes: a law that is a polynomial of
#: third degree gives a difference that is wrong by the square of it
STEP = 1e-5


class KeptBulk:
    """The tangent of a run's cells that fill bodies, as it was when it was kept.

    Args:
        state: of the run; these cells touch no unknowns but ``bodies``.
        bodies: local numbers of the unknowns whose stiffness is kept.

    Attributes:
        into: places of entries to which others add, in the order in which they are added.
        under: what these cells give in each of these places, scaled.
        out: [1] while the cells are not evaluated: the compiled loop then takes ``under`` and
            leaves all entries as they are to which no others add.
    """

    def __init__(self, state: State, bodies: np.ndarray):
        entries = state.problem.entries
        assert entries.filled is not None and entries.into is not None
        self._state, self._bodies, self._filled = state, bodies, entries.filled
        self._step = STEP * float(state.problem.offset_magnitude[bodies].min())
        self.into = entries.into
        self.under, self.out = np.zeros(len(self.into)), np.zeros(1, np.int32)
        self._then = self._scale = np.zeros(0)

    @staticmethod
    def possible(state: State, bodies: np.ndarray) -> bool:
        """Whether the cells touch no other unknowns, and lengths are known of all of these."""
        problem = state.problem
        filling = [
            np.unique(u)
            for u, c in zip(problem.local_unknowns, problem.components, strict=True)
            if problem.fills(c)
        ]
        touched = np.unique(np.concatenate(filling))
        free = touched[touched < problem.local]
        return np.array_equal(free, bodies) and bool(np.all(problem.offset_magnitude[free] > 0))

    def keep(self) -> None:
        """Keep what the matrix holds, the tangent at the present state, unless that depends on the
        step."""
        state = self._state
        self._then, self._scale = state.array.copy(), state.scale[self._bodies].copy()
        entries, of_step = self._entries(), state.globals[1:3].copy()
        state.globals[1:3] = 0.0
        self.out[0] = np.array_equal(entries, self._entries())
        state.globals[1:3] = of_step
        self.under[:] = entries[self.into]

    def release(self, values: np.ndarray) -> None:
        """Evaluate the cells from now on, and once for these entries of the matrix."""
        if self.out[0]:
            others = values[self.into] - self.under
            values[:] = self._entries()
            values[self.into] += others  # where several add, ``others`` are their sum
        self.out[0] = 0

    def change(self, errors: np.ndarray) -> np.ndarray:
        """Product of the change of the tangent since it was kept with errors of the bodies'
        unknowns, scaled, by local number; infinite if the scale has changed."""
        at, result = self._bodies, np.zeros(len(errors))
        scale = self._state.scale[at]
        if not np.array_equal(scale, self._scale):
            result[at] = np.inf
            return result
        moves = scale * errors[at]
        moves *= (step := self._step / (np.abs(moves).max() or 1.0))
        now, then = (self._difference(z, moves) for z in (self._state.array, self._then))
        result[at] = scale * (now - then) / (2 * step)
        return result

    def _difference(self, array: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """The cells' forces on the bodies after moves of these less those before."""
        problem, at = self._state.problem, self._bodies
        sizes, found = problem.bulk_rows.sizes.copy(), np.zeros((2, problem.total))
        for sign, sums in zip((1.0, -1.0), found, strict=True):
            moved = array.copy()
            moved[at] += sign * moves  # coordinates come first
            problem.bulk_rows.add(pointer(problem.module.ffi, moved), sums)
        problem.bulk_rows.sizes[:] = sizes
        return (found[0] - found[1])[at]

    def _entries(self) -> np.ndarray:
        """The tangent at the present state, scaled."""
        entries = np.zeros(self._filled.count)
        self._filled.add(self._state.address, entries)
        self._filled.scale(entries, self._state.scale)
        return entries
