"""Steps that hold constraints on velocities beside those on positions (stabilised index 2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.newton import NewtonSolver
from ..errors import NoSolution, SingularSystem
from .velocity_constraints import VelocityConstraints


class Stabilised:
    """Solves (sub-)steps with constraints on velocities too (Gear, Gupta and Leimkuhler 1985).

    Of the increment x of the coordinates a part z = M^-1 B^T eta moves no mass: it closes the
    constraints on positions only, ``q = q0 + x``, ``v = v0 + gamma (x - z)``,
    ``a = beta (x - z)``, and eta is such that B v + dPhi/dt = 0. Since M z lies in the range of
    B^T, accelerations and multipliers change together: only forces that depend on velocities see
    that the equations were solved without z. They are solved with that of the last step, and
    corrected as long as they are out of balance with the right one.

    What is done in each step is compiled: ``core/compiled/velocities.c``.

    Args:
        newton: solver of the steps.
        velocities: the constraints on velocities.
        substeps: solves of a step.

    Attributes:
        taken: what each sub-step took off velocities last (and off multipliers, over the masses
            behind them), by the square of its length; a sub-step a row.
    """

    #: solves of one step at most, and corrections by kept factors after each
    solves, corrections = 10, 5

    def __init__(self, newton: NewtonSolver, velocities: VelocityConstraints, substeps: int):
        self.newton, self.state, self.velocities = newton, newton.state, velocities
        n = self.state.local
        self.dynamic = self.state.problem.dynamic[:n]
        self.taken, self.base = np.zeros((substeps, n)), np.zeros(n)
        module = self.state.problem.module
        self._lib = module.lib
        self._rows = [module.ffi.from_buffer("double[]", row) for row in self.taken]
        self._base = module.ffi.from_buffer("double[]", self.base)

    def solve(
        self, equations: Callable[[], NoSolution | None], time: float, h: float, substep: int
    ) -> NoSolution | None:
        """Solve for the end of a (sub-)step of ``h``.

        Args:
            equations: solves them for ``newton.v0`` as it is.
            time: end of the (sub-)step, s.
            substep: its number.
        """
        if not self.velocities.any:
            return equations()
        self.velocities.prepare()
        self._expect(h * h, substep)
        return self.settle(equations(), time, h, substep)

    def settle(
        self, why: NoSolution | None, time: float, h: float, substep: int, tried: bool = False
    ) -> NoSolution | None:
        """Hold the velocities once the equations are solved, or have no solution: ``why``.

        Args:
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
                newton.v0 -= velocities.x * self.dynamic
                why = None if newton.solve(time, full=True) else NoSolution(newton.failure())
        except SingularSystem as error:
            return NoSolution(f"constraints on velocities: {error}")
        newton.v0[:] = self.base
        return NoSolution(
            f"velocities and the forces that follow them disagree after {self.solves} solves"
        )

    def _expect(self, square: float, substep: int) -> None:
        """Take off ``newton.v0`` what velocities had too much in the last step, which goes with the
        square of its length, and add to the first guess what closes positions."""
        newton, row = self.newton, self._rows[substep]
        newton.check(
            self._lib.fc_expect(
                newton.c, self.velocities.w, square, row, self._base, newton.x_handle
            )
        )

    def _balance(self, square: float, substep: int) -> bool:
        """Take what velocities have too much off the solution in ``newton.x``, with its counterpart
        off accelerations and multipliers, and as long as forces are out of balance correct the
        solution by kept factors; whether the velocities need new ones."""
        newton, velocities, w = self.newton, self.velocities, self.velocities.w
        handles = newton.ksp_handle, newton.x_handle, newton.dx_handle
        newton.check(self._lib.fc_balance(newton.c, w, self.corrections, *handles))
        asked = bool(w.asked)
        if not asked and w.excess <= 1:
            np.divide(velocities.x, square, out=self.taken[substep])
        return asked
