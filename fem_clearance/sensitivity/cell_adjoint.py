"""Derivatives of a run with respect to the numbers of all its cells, backwards in time.

The adjoint method of ``adjoint.py`` without parameters: where that multiplies derivatives obtained
from changed models, this one uses the derivatives of the forms with respect to the numbers of each
cell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse.linalg import splu

from ..core.initial import set_to
from ..core.state import State
from ..errors import InputError
from ..timestepping.row_engine import RowEngine
from .adjoint import Adjoint, to_start
from .cell_derivatives import CellDerivatives, of_cells
from .cell_numbers import CellNumbers
from .changes import Restarted
from .gradients import Slope
from .linear_run import Contact, LinearRun
from .memory import remembering
from .outputs import Row
from .projection import Projection
from .recorded import Recorded
from .recording import RecordingStepper


class CellAdjoint(Adjoint):
    """The adjoint method for the numbers of cells.

    Attributes:
        numbers: derivatives with respect to the numbers of the cells.
    """

    def __init__(self, run: LinearRun, count: int):
        super().__init__(run, count)
        self.numbers = CellNumbers(run.state, count)

    def add(self, slope: Slope, bar: np.ndarray) -> None:
        super().add(slope, bar)
        assert slope.array is not None
        self.numbers.observed(slope.array, slope.seen, bar)

    def _equations(self, i: int, k: int, mu: np.ndarray) -> None:
        self.numbers.equations(self.run.seen(i, k), -mu)

    def _taken(self, projection: Projection, bar: np.ndarray, moved: bool) -> None:
        super()._taken(projection, bar, moved)
        self._held(projection, bar)

    def _held(self, projection: Projection, bar: np.ndarray) -> None:
        """Contribution of a projection, where ``bar`` contains the derivatives with respect to its
        result, unknowns x outputs."""
        mu = projection.multipliers(bar)
        forces, rates = np.zeros((2, self.run.n, self.count))
        forces[projection.free], rates[projection.held] = np.split(mu, [len(projection.free)])
        for factor, array in projection.loads():
            self.numbers.equations(array, -factor * forces)
        for factor, array in projection.motions():
            self.numbers.equations(array, factor * rates)

    def _floor(self, contact: Contact, bar: np.ndarray) -> None:
        k = self.run.contacts[contact[0]].component
        column = self.run.state.components[k].kind.columns("floor").start
        self.numbers.bars[k][contact[1], column] += bar

    # --- the start --------------------------------------------------------------------------------
    def start(self) -> np.ndarray:
        """Go back through the search for initial accelerations and multipliers, and the
        projections onto constraints, to the given initial values."""
        run, stepper = self.run, self.run.stepper
        assert isinstance(stepper.scheme, RowEngine)
        if stepper.scheme.shown:
            self._jerk(*stepper.scheme.shown)
        if stepper.trials:
            restarted = Restarted(run, stepper.trials)
            self.Z, mus = restarted.back(self.Z)
            for (_, array), mu in zip(restarted.trials, mus, strict=True):
                self.numbers.equations(array, -mu)
        else:
            self._by_inertia()
        if run.state.problem.any_constraint:
            given, total = State(run.state.problem), run.state.total
            set_to(given, stepper.initial)
            begin = stepper.begin.copy()
            begin[total : total + run.n] = given.v[: run.n]
            held = Projection(run.linear.tangents, begin, 1.0, run.steps[0].h)
            self._taken(held, -self.Z[1], False)
            mu = held.multipliers(-self.Z[0])[len(held.free) :]
            rates = np.zeros((run.n, self.count))
            rates[held.held] = mu
            self.numbers.equations(stepper.begin, rates)
        return super().start()

    def _jerk(self, h: float, end: np.ndarray) -> None:
        """Go back over the trial step of length h from which the jerk is computed. With the change
        c of the accelerations, the part w of it that constraints prescribe, and the fraction s of
        w that appears in this step, ``prescribed`` is w / (s h), and the jerk is
        (c + (1 / s - 1) w) / h; see ``RowEngine.start``."""
        run, vectors, D = self.run, self.run.vectors, self.run.dynamic[:, None]
        (stage,) = vectors.maps(h, None, False, False).stages
        total, n = run.state.total, run.n
        jerk, prescribed = self.Z[vectors.jerk].copy(), self.Z[vectors.prescribed].copy()
        self.Z[vectors.jerk], self.Z[vectors.prescribed] = 0.0, 0.0
        change = jerk / h
        begin = run.stepper.begin.copy()
        if run.state.problem.any_constraint:
            a = [z[2 * total : 2 * total + n] for z in (end, begin)]
            begin[total : total + n] = a[0] - a[1]
            prescribing = Projection(run.linear.tangents, begin, 1.0, h, still=True)
            shown = stage.beta * h * h / 6
            bar = prescribed / (shown * h) + (1 / shown - 1) * jerk / h
            q, c, _, _ = prescribing.adjoint(bar, [], False)
            self._held(prescribing, bar)
            self.Z[0] += q
            change = change + c
        self.Z[2] -= change * D
        run.linear.at(end, stage.beta, stage.gamma)
        mu = run.linear.solve(stage.beta * change * D, transposed=True)
        self.numbers.equations(end, -mu)
        U = np.zeros((vectors.m + 2, n, self.count))
        U[-2], U[-1] = -run.linear.K.T @ mu, -run.linear.C.T @ mu
        self.Z += np.tensordot(stage.A.T, U * D, 1)
        if run.linear.N is not None:
            self.Z[0] -= run.linear.N.T @ mu
        self.Z[vectors.jerk], self.Z[vectors.prescribed] = 0.0, 0.0

    def _by_inertia(self) -> None:
        """Go back over M a = f, see ``inertial_start``, where the coordinates are given."""
        begin = self.run.stepper.begin
        _, _, M = self.run.linear.tangents.at(begin)
        mu = splu(M.T.tocsc()).solve(self.Z[2] * self.run.dynamic[:, None])
        self.numbers.equations(begin, -mu)


def check(stepper: RecordingStepper) -> None:
    """Refuse runs for which these derivatives are not available, once they have started.

    Raises:
        InputError: such a run; the message names what is not supported.
    """
    refused = {
        "integrators of several stages or constraints on velocities": (
            stepper.scheme.substeps > 1
            or (stepper.scheme.stabilised and stepper.state.problem.any_constraint)
        ),
        "joints that constrain velocities only": stepper.state.problem.velocity_level.any(),
        "laws that change at foreseen times (gear pairs, sliding points)": (
            stepper.event_set.changing
        ),
        "laws that have a memory from step to step": bool(remembering(stepper.state)),
        "contacts that touch when the run starts": bool(stepper.touching(stepper.begin).any()),
    }
    for what, found in refused.items():
        if found:
            raise InputError(
                f"cells: derivatives with respect to the numbers of cells are not available with "
                f"{what}; name parameters in by= and use adjoint()."
            )


def by_cells(recorded: Recorded, rows: Sequence[Row]) -> CellDerivatives:
    """Derivatives of a run with respect to the numbers of its cells.

    Args:
        recorded: the run.
        rows: its outputs, in the run's own names.

    Raises:
        InputError: a run for which they are not available.
    """
    stepper = recorded.stepper
    check(stepper)
    names = dict.fromkeys(n for r in rows for n in r.channels)
    run = LinearRun(stepper, [], names, recorded.begin)
    run.sweeps = False  # compiled sweeps support parameters of changed models only
    adjoint = CellAdjoint(run, len(rows))
    try:
        to_start(adjoint, rows)
        adjoint.start()
    finally:
        run.destroy()
    problem, notes = run.state.problem, recorded.notes(None, run.unknown)
    bars = adjoint.numbers.bars
    found = of_cells(problem.components, problem.parameters(stepper.begin), bars)
    return CellDerivatives(tuple(r.name for r in rows), recorded.outputs, *found, tuple(notes))
