"""Pseudo-transient relaxation to an equilibrium that Newton's method alone does not find."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._backend import MPI
from .eigen import real_modes
from .equilibrium import Equilibrium, describe_motion


class GradientFlow:
    """Implicit Euler steps of the gradient flow of a system's energy, M (q - q0) beta + F(q) = 0.

    The mass matrix is the metric; beta (1/s^2) is the smaller the longer the step.

    Args:
        equations: of equilibrium.
        relative_length: displacement of a unit of each owned unknown, by the system's size.
        first: beta of a step of moderate length, 1/s^2.
        settle: called after each step, so that laws follow.

    Attributes:
        moving: the last step, by global number.
    """

    #: largest displacement of a step, relative to the system's size
    longest = 0.3

    def __init__(
        self,
        equations: Equilibrium,
        relative_length: np.ndarray,
        first: float,
        settle: Callable[[], None],
    ):
        self.equations, self.state = equations, equations.state
        self.relative_length = relative_length
        self.first, self.settle = first, settle
        self.moving = np.zeros(self.state.size)

    def moved(self, start: np.ndarray) -> float:
        """Largest displacement since a state, relative to the system's size; collective."""
        return self._largest(self.state.q - start[: self.state.total])

    def _largest(self, change: np.ndarray) -> float:
        change = np.abs(change)[: self.state.owned] * self.relative_length
        return self.state.comm.allreduce(float(np.max(change, initial=0.0)), op=MPI.MAX)

    def relax(self) -> bool:
        """Go to an equilibrium, in steps that grow near it; ``False`` if none is found."""
        equations = self.equations
        least = max(1e-13 * equations.linear().fast(), 1e-9 * self.first)
        beta = least  # where this succeeds, it is Newton's method
        for _ in range(300):
            moved = self.step(beta)
            if moved is None:
                beta = max(8 * beta, self.first)
                continue
            if equations.balanced():
                equations.restart()  # what remembers has followed the last step
                return True
            if equations.its <= 6 and moved < self.longest / 2:
                beta = max(beta / 8, least)
        equations.f.array[:] = equations.rows()
        return False

    def step(self, beta: float) -> float | None:
        """One step; its largest displacement by the system's size, or ``None`` (and nothing
        changed) if it is too long or there is no solution."""
        equations, state = self.equations, self.state
        start = state.array.copy()
        equations.factors(beta, 0.0)
        equations.restart()
        moved = self.moved(start) if equations.solve() else np.inf
        if not moved < self.longest:
            state.array[:] = start
            return None
        self.moving = state.everything((state.q - start[: state.total]) * equations.moves)
        self.settle()
        return moved

    def leave(self) -> bool:
        """Go from an unstable equilibrium to a stable one: a small displacement along the motion in
        which the energy decreases most, then relaxation; ``False`` if none is found."""
        equations, state = self.equations, self.state
        linear = equations.linear()
        (value, *_), (push, *_) = real_modes(linear, 1)
        push = linear.local(linear.coordinates(push))
        state.q[:] += 1e-3 / self._largest(push) * push
        beta = 2 * abs(float(value))  # enough inertia for a step not to lead back
        for _ in range(100):
            if self.step(beta) is None:
                beta *= 2
            elif equations.linear().stable():
                break
        return self.relax()

    def words(self) -> str:
        """What moved most in the last step."""
        return describe_motion(self.state, self.moving)
