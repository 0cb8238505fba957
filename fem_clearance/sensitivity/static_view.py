"""An equilibrium in a model of its own: what its equations and channels say there."""

from __future__ import annotations

import numpy as np

from ..core.initial import set_to
from ..core.observation import Channels
from ..core.state import State
from ..runs.statics import Statics
from ..statics.equilibrium import LoadProgram
from ..statics.linearised import Linearised
from ..statics.rotation import RotatingFrame
from .nearby import own_numbers


class StaticView:
    """A model at an equilibrium that another (or itself) has found.

    Args:
        statics: the analysis, not yet solved or solved.
        of: the model's own numbers (``own_numbers``) that the equilibrium was found with; default:
            those of this one.

    Attributes:
        state: numbers of its own.
        own: the model's own numbers.
        held: unknowns that keep their values (internal variables), (unknowns,).
        channels: of this state.
    """

    def __init__(self, statics: Statics, of: np.ndarray | None = None):
        problem = statics.system.assemble()
        state = self.state = State(problem)
        set_to(state, statics.initial)
        self.own = own_numbers(state)
        self._offset = 0.0 if of is None else self.own - of
        self.turning = RotatingFrame(state, statics.rotation) if statics.rotation else None
        self._loads = LoadProgram(state, statics.time, statics.ramp, self.turning)
        self.channels = Channels(state)
        order = state.problem.order[: state.local]
        self.held, self.moves = order == 1, order == 2

    def see(self, array: np.ndarray, factor: float, by: np.ndarray | None = None) -> None:
        """Go to an equilibrium.

        Args:
            array: state array of the run there.
            factor: load factor.
            by: is added to coordinates, rates and accelerations, as seen from a turning frame,
                3 x unknowns.
        """
        state, n = self.state, self.state.local
        np.add(array, self._offset, out=state.array)
        self._loads.set(factor)
        if by is not None:
            state.q[:n] += by[0]
        if self.turning is not None:
            v, a = self.turning.motion()
            state.v[:n] = np.where(self.held, state.v[:n], 0.0) + v
            state.a[:n] = a
        if by is not None:
            state.v[:n] += by[1]
            state.a[:n] += by[2] + (0.0 if self.turning is None else 2 * self._turned(by[1]))

    def _turned(self, x: np.ndarray) -> np.ndarray:
        assert self.turning is not None
        return self.turning.turned(x)[self.state.numbers[: self.state.local]]

    def rows(self) -> np.ndarray:
        """What is left of the equations, (unknowns,)."""
        rows = self.state.residual()[: self.state.local].copy()
        rows[self.held] = 0.0
        return rows

    def linearised(self, internal: bool = False) -> Linearised:
        """K, C, M about the present state; ``internal``: internal variables take part."""
        linear = Linearised(self.state, self.turning)
        if internal:
            linear.follow_internal()
        return linear

    def by_coordinates(self, gradient: np.ndarray) -> np.ndarray:
        """A gradient by coordinates, rates and accelerations as one by coordinates, which the
        others follow in a steady rotation."""
        by_q, by_v, by_a = gradient
        result = by_q.copy()
        if self.turning is not None:  # x -> w x is skew
            result += self._turned(self._turned(by_a) - by_v)
        result[self.held] = 0.0
        return result
