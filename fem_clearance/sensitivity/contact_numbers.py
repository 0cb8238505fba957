"""Derivatives of contacts by the numbers of their cells, from their forms.

Just behind an onset the depth is far below what a changed model changes of it: the derivative of a
force by the clearance and that by the coordinates cancel but for a part that differences of forces
do not resolve. Elsewhere differences of changed models do, for all numbers and geometry at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.component import Component
from ..core.mixins import has_gap
from ..core.state import State
from .cell_numbers import Slopes


def by_forms(component: Component) -> bool:
    """Whether derivatives of a component by its numbers are taken from its forms."""
    return has_gap(component.kind) and component.kind.cell == "point" and component.kind.read > 0


class ByNumbers:
    """Derivatives of a component of contacts by the parameters of a run.

    Args:
        state: whose present numbers are taken.
        k: number of the component.
        numbers: derivatives of its cells' numbers by the parameters, parameters x cells x width.
    """

    def __init__(self, state: State, k: int, numbers: Sequence[np.ndarray]):
        problem, c = state.problem, state.components[k]
        self.state, self.k, self._unknowns = state, k, problem.local_unknowns[k]
        read = c.kind.read
        self._numbers = np.array(numbers).reshape(len(numbers), c.count, -1)[:, :, :read]
        #: columns that change: others may be no numbers, as of an exponent at no depth
        self._used = np.flatnonzero(self._numbers.any(axis=(0, 1)))
        self._observables: dict[str, Slopes] = {}
        self._force = Slopes.of_residual(state, k)

    def force(self, cells: np.ndarray) -> np.ndarray:
        """dF/d(parameters) of some cells, all unknowns x parameters."""
        result = np.zeros((self.state.total, len(self._numbers)))
        if not len(cells) or not len(self._used):
            return result
        slopes = self._force.by_numbers()
        for cell in cells.tolist():
            part = slopes[cell][:, self._used] @ self._numbers[:, cell, self._used].T
            np.add.at(result, self._unknowns[cell], part)
        return result

    def observable(self, key: str, weights: np.ndarray) -> np.ndarray:
        """Derivative of the weighted sum of an observable over cells, (parameters,)."""
        if key not in self._observables:
            self._observables[key] = Slopes.of_observable(self.state, self.k, key)
        result = np.zeros(len(self._numbers))
        if not len(self._used):
            return result
        slopes = self._observables[key].by_numbers()[:, 0]
        for cell in np.flatnonzero(weights).tolist():
            change = self._numbers[:, cell, self._used] @ slopes[cell, self._used]
            result += weights[cell] * change
        return result
