"""Steps that hold constraints on velocities beside those on positions (stabilised index 2)."""

from __future__ import annotations

import numpy as np

from ..core.newton import NewtonSolver
from ..errors import NoSolution, SingularSystem
from .velocity_constraints import VelocityConstraints


class Stabilised:
    """Solves (sub-)steps with constraints on velocities too (Gear, Gupta and Leimkuhler 1985).

    A part z = M^-1 B^T eta of the increment x of the coordinates moves no mass. It only closes the
    constraints on positions: ``q = q0 + x``, ``v = v0 + gamma (x - z)``, ``a = beta (x - z)``, with
    eta such that B v + dPhi/dt = 0. Since M z lies in the range of B^T, accelerations and
    multipliers change together, and z affects the balance only through forces that depend on
    velocities. Of z these see the part with which positions move (``rows.seen``). The equations are
    therefore solved with the z of the last step, and corrected as long as they are out of balance
    with the right one.

    The usual steps are taken by ``core/compiled/velocities.c``.

    Args:
        newton: solver of the steps.
        velocities: the constraints on velocities.
        substeps: solves of a step.

    Attributes:
        taken: what the last step took off velocities (and off multipliers, over the masses behind
            them), divided by the square of its length; one row for each sub-step.
        base: ``newton.v0`` before that, as ``fc_expect`` of velocities.c leaves it.
    """

    #: solves of one step at most, and corrections by kept factors after each
    solves, corrections = 10, 5

    def __init__(self, newton: NewtonSolver, velocities: VelocityConstraints, substeps: int):
        self.newton, self.state, self.velocities = newton, newton.state, velocities
        n = self.state.local
        self.dynamic = self.state.problem.dynamic[:n]
        self.taken, self.base = np.zeros((substeps, n)), np.zeros(n)
        self._lib = self.state.problem.module.lib

    def settle(
        self, why: NoSolution | None, time: float, h: float, substep: int, tried: bool
    ) -> NoSolution | None:
        """Hold the velocities once the equations of a (sub-)step have been solved.

        Args:
            why: reason for which the equations have no solution, if they have none.
            time: end of the (sub-)step, s.
            h: its length, s.
            substep: its number.
            tried: the first attempt has been made by a compiled function, without success.
        """
        newton, velocities = self.newton, self.velocities
        try:
            for _ in range(self.solves):
                newton.v0[:] = self.base
                if why:
                    return why
                if not tried or velocities.w.asked:
                    velocities.settle(lambda: self._balance(h * h, substep), tried)
                tried = False
                if velocities.w.excess <= 1:
                    return None
                velocities.forget()  # the mass matrix may have changed
                self._lib.fc_show(newton.c, velocities.w)
                why = None if newton.solve(time, full=True) else NoSolution(newton.failure())
        except SingularSystem as error:
            return NoSolution(f"constraints on velocities: {error}")
        newton.v0[:] = self.base
        return NoSolution(
            f"velocities and the forces that follow them disagree after {self.solves} solves"
        )

    def _balance(self, square: float, substep: int) -> bool:
        """Subtract the excess of the velocities from the solution in ``newton.x``, and its
        counterpart from accelerations and multipliers, and correct the solution with kept factors
        as long as forces are out of balance; returns whether new factors are needed."""
        newton, velocities, w = self.newton, self.velocities, self.velocities.w
        handles = newton.ksp_handle, newton.x_handle, newton.dx_handle
        newton.check(self._lib.fc_balance(newton.c, w, self.corrections, *handles))
        asked = bool(w.asked)
        if not asked and w.excess <= 1:
            np.divide(velocities.x, square, out=self.taken[substep])
        return asked
