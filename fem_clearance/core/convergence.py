"""Convergence criterion of Newton's method: the residual of each row is compared with a fraction of
the largest recent forces of its class, plus its round-off."""

from __future__ import annotations

import numpy as np

from .._backend import PETSc
from .compiled.shared import Shared, number
from .problem import Problem
from .state import State


def round_off(problem: Problem) -> np.ndarray:
    """Round-off of each unknown relative to that of positions, which is that of the system's size.
    For a field it is that of its typical values, and zero for one of first order, whose unknown is
    an integral."""
    given = problem.typical > 0
    return np.where(given, problem.typical / problem.extent * (problem.order == 2), 1.0)


class ConvergenceCriterion:
    """Judges residuals row by row: no norm mixes N and N m.

    The compiled loop uses the same weights and updates the forces (``compiled/newton.c``).

    Args:
        state: the assembled system.
        tolerance: largest residual of a row, relative to the largest force of its class lately.
        shared: numbers and arrays of the time loop.

    Attributes:
        force_scale: largest recent sum of forces in each class of rows, N or N m, which decays
            slowly.
        known: whether ``force_scale`` was set from outside (by a checkpoint, by the loads of an
            equilibrium); else the first forces are used.
        noise: round-off of each owned row, unscaled.
        part: factor of the tolerance for each owned row.
        held: whether some rows have a smaller tolerance than their class.
        weights: 1 / largest accepted residual of each owned row.
    """

    #: accepted steps after which the largest force counts half
    memory = 100
    tolerance = number("tolerance", "Part of the largest force that a row may leave.")

    def __init__(self, state: State, tolerance: float, shared: Shared):
        self.state, self.c = state, shared.numbers
        self.force_scale, self.known = np.zeros(len(state.problem.row_names)), False
        self.noise, self.weights = np.zeros((2, state.owned))
        self.part = state.problem.tolerance_factors[state.problem.row_class[: state.owned]]
        self.held = False
        self._sums, self._forces = np.zeros(state.total), np.zeros(len(self.force_scale))
        self._excess = np.zeros(3 * len(self.force_scale))
        self._ffi, self._lib = state.problem.module.ffi, state.problem.module.lib
        self._fields = any(b.role.typical for b in state.problem.blocks)
        problem = state.problem
        shared.set(tolerance=tolerance, classes=len(self.force_scale), memory=self.memory, steps=0)
        shared.point(
            measured=problem.counts_forces, floors=problem.force_floors,
            row_class=problem.row_class,
            force_scale=self.force_scale, forces=self._forces, noise=self.noise, part=self.part,
            weights=self.weights, excess=self._excess,
        )  # fmt: skip
        shared.point("forms", g=self._sums)

    # --- residuals ------------------------------------------------------------------------------
    def scaled_residual(self) -> float:
        """Largest residual in the solver's vector relative to the criterion of its row, infinity if
        one is not finite; collective."""
        largest = self._ffi.new("double *")
        if error := self._lib.fc_judge(self.c, largest):
            raise PETSc.Error(error)
        return largest[0]

    def worst(self, rows: np.ndarray) -> tuple[float, int]:
        """The largest of them, ``inf`` if one is not finite, and the global number of its unknown;
        collective."""
        mine, number = -1.0, -1
        if self.state.owned:
            sizes = np.abs(rows) * self.weights
            k = int(np.argmax(sizes))
            mine, number = float(sizes[k]), int(self.state.numbers[k])
        return max(self.state.comm.allgather((mine if np.isfinite(mine) else np.inf, number)))

    def hold(self, part: np.ndarray) -> None:
        """Multiply the tolerance of rows by a factor ``part`` (by local number)."""
        state, n = self.state, self.state.owned
        self.part[:] = state.problem.tolerance_factors[state.problem.row_class[:n]] * part[:n]
        self.held = True
        self.weigh()

    def excuse(self, rows: np.ndarray) -> bool:
        """Whether the solver's residual (``rows``, owned), which new tangents do not reduce,
        satisfies the criterion without the factors of ``hold``; it then counts as round-off until
        that is estimated again. Collective."""
        if not self.held:
            return False
        state, n, part = self.state, self.state.owned, self.part.copy()
        self.part[:] = state.problem.tolerance_factors[state.problem.row_class[:n]]
        self.weigh()
        found = self.scaled_residual() <= 1
        self.part[:] = part
        if found:
            np.maximum(self.noise, np.abs(rows) / state.scale[:n], out=self.noise)
        self.weigh()
        return found

    # --- scales ---------------------------------------------------------------------------------
    def weigh(self) -> None:
        """Weights for the present forces, round-off and scale of the state."""
        self._lib.fc_weigh(self.c)

    def forces(self) -> np.ndarray:
        """Largest sum of forces in each class of rows at the last residual, infinity if one is not
        finite; collective."""
        if error := self._lib.fc_row_forces(self.c):
            raise PETSc.Error(error)
        return self._forces.copy()

    def refresh(self) -> None:
        """Round-off of the rows at the present state, and the weights that follow; collective.

        The round-off of a row is that of its terms, stiffness times coordinates and damping times
        rates: constraints determine coordinates only to their round-off, and rates to gamma' times
        that. It changes slowly and takes a second tangent, so that it is not renewed with every
        tangent.
        """
        state, problem, c = self.state, self.state.problem, self.c
        sizes = np.abs(state.q) + problem.offset_magnitude
        state.globals[1:3] = c.gamma, 0.0
        state.follow()
        problem.tangent_kernels.evaluate(state.address)
        self._lib.fc_stiffness(c, self._ffi.from_buffer("double[]", sizes))
        noise = self._sums
        if self._fields:
            noise = noise.copy() + self._of_typical_values()
        if problem.condensed is not None:  # what follows hides places of its own
            noise = problem.condensed.condense_sizes(noise)
        noise = 1e-15 * state.add_over_ranks(noise)
        # where a law is not finite (a film that is pierced) the last value stays
        self.noise[:] = np.where(np.isfinite(noise), noise, self.noise)
        state.globals[1:3] = c.gamma, c.beta
        # no accepted step gives a scale yet: at the first solve, or at the first force
        if not (self.known or c.steps) or not np.any(self.force_scale):
            n = state.owned
            closing = self.noise * state.scale[:n] * problem.constrained[:n]
            # of bodies without forces: reactions are known as well as constraints can be closed
            forces = np.maximum(self.forces(), state.largest(closing, len(self.force_scale)))
            self.force_scale[:] = np.where(np.isfinite(forces), forces, self.force_scale)
        self.weigh()

    def _of_typical_values(self) -> np.ndarray:
        """Sums of the sizes of the cells' tangents times the typical values of fields.

        The forces of a field are not a useful scale, because it may start at zero and its terms may
        cancel within each cell. The criterion of its rows is at least the round-off of such values.
        """
        state, problem, c = self.state, self.state.problem, self.c
        sizes = problem.typical.copy()
        first = problem.order == 1  # the value is gamma times a dummy coordinate
        sizes[first] *= 1 / c.gamma if c.gamma else 0.0
        state.globals[1:3] = c.gamma, c.beta
        problem.tangent_kernels.evaluate(state.address)
        self._lib.fc_stiffness(c, self._ffi.from_buffer("double[]", sizes))
        return self._sums
