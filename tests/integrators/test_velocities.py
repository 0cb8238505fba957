"""Velocities on constraints and the balance with forces: against dense matrices in NumPy
(core/reference.py), and on any number of ranks against one."""

from mpi4py import MPI

import numpy as np
import pytest

import fem_clearance as fc

from ..core import reference
from .test_kept_factors import bar_in_a_ring
from .test_stabilised import STABILISED, crank_and_rocker, run, top
from .test_velocity_level import MixedKind, sleigh

ALPHA = STABILISED[0]


def blade(**options):
    return sleigh(MixedKind, planar=False, **options)[0]


#: a body, a driven loop, rows on velocities, condensed dofs; the step of each
SYSTEMS = [
    pytest.param(top, 1e-3, id="top"),
    pytest.param(crank_and_rocker, 1e-3, id="loop"),
    pytest.param(blade, 0.02, id="blade"),
    pytest.param(bar_in_a_ring, 1e-4, id="ring"),
]


def moved(make, h, steps=10, integrator=ALPHA, **options):
    """A stepper after some steps."""
    stepper = fc.Stepper(make(**options), integrator, dt=h, t_end=1.0, newton_tolerance=1e-10)
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    return stepper


def disturb(state):
    """Other velocities, by global number: the same on any number of ranks."""
    change = np.random.default_rng(5).normal(size=state.size)[state.numbers[: state.local]]
    fastest = np.abs(state.everything(state.v)).max()
    state.v[: state.local] += 0.1 * fastest * change * state.problem.dynamic[: state.local]


@pytest.mark.parametrize("new", [True, False], ids=["new factors", "kept factors"])
@pytest.mark.parametrize(("make", "h"), SYSTEMS)
def test_least_change_of_velocities(make, h, new):
    """What is violated, the velocities after it is taken off, and the kinetic energy that they
    gain, with factors of this pose and of one before."""
    stepper = moved(make, h)
    state, velocities = stepper.state, stepper.scheme.velocities
    if new:
        velocities.forget()
    disturb(state)
    M, B, moves, held, violation = reference.velocities(state)
    found = velocities.violation()
    assert found[held] == pytest.approx(violation, rel=0, abs=1e-9 * np.abs(violation).max())
    assert np.count_nonzero(found) == np.count_nonzero(found[held])
    before, gained = state.v[moves].copy(), velocities.gained.copy()
    w = reference.least_change(M, B, found[held])
    velocities.project()
    after = state.v[moves]
    assert after == pytest.approx(before - w, rel=0, abs=1e-9 * np.abs(w).max())
    energy = (after @ M @ after - before @ M @ before) / 2
    assert velocities.gained - gained == pytest.approx([energy], rel=1e-9)
    assert np.abs(velocities.violation()).max() < 1e-12 * np.abs(violation).max()


@pytest.mark.parametrize(("make", "h"), SYSTEMS)
def test_what_closes_positions_moves_no_mass(make, h):
    """q = q0 + x, v = v0 + gamma (x - z), a = beta (x - z), M z = B^T eta after each step, and the
    equations of motion hold by dense sums."""
    stepper = moved(make, h, steps=3)
    state, c, newton = stepper.state, stepper.newton.c, stepper.newton
    for _ in range(5):
        stepper.advance()
        M, B, moves, held, violation = reference.velocities(state)
        q, v, a = (field[moves] for field in (state.q, state.v, state.a))
        assert v == pytest.approx(newton.v0[moves] + c.gamma / c.beta * a, rel=1e-12, abs=1e-12)
        x = q - newton.q0[moves]
        z = x - a / c.beta
        eta = np.linalg.lstsq(B.T, M @ z, rcond=None)[0]
        assert B.T @ eta == pytest.approx(M @ z, rel=0, abs=1e-7 * np.abs(M @ x).max())
        assert np.abs(violation).max() < 1e-10 * np.abs(state.v).max()
        rows = newton.tolerances.weights * state.scale[: state.owned]
        assert np.abs(reference.condensed(state, reference.residual(state)[0]) * rows).max() < 1.01
    assert np.abs(z).max() > 1e-9 * np.abs(x).max()


# --- ranks ----------------------------------------------------------------------------------------
@pytest.mark.mpi
@pytest.mark.parametrize(("make", "h"), SYSTEMS)
def test_least_change_on_ranks(make, h, comm):
    """As on each rank alone; values of other ranks' unknowns too."""
    results = []
    for each in (comm, MPI.COMM_SELF):
        stepper = moved(make, h, steps=2, comm=each)
        state, velocities = stepper.state, stepper.scheme.velocities
        disturb(state)
        violation = state.everything(np.append(velocities.violation(), np.zeros(state.local)))
        velocities.project()
        whole = state.everything(state.v)
        assert np.array_equal(state.v[: state.local], whole[state.numbers[: state.local]])
        results.append((violation, whole))
    for one, other in zip(*results, strict=True):
        assert one == pytest.approx(other, rel=0, abs=1e-10 * np.abs(other).max())


@pytest.mark.mpi
@pytest.mark.parametrize("integrator", [*STABILISED, fc.GeneralizedAlpha(0.8)], ids=str)
@pytest.mark.parametrize(("make", "h"), SYSTEMS)
def test_steps_on_ranks(make, h, integrator, comm):
    """The same motion as on each rank alone, with as many iterations, tangents and corrections."""
    fields, counts = [], []
    for each in (comm, MPI.COMM_SELF):
        corrections = []
        stepper = run(
            make(comm=each), integrator, lambda s, c=corrections: c.append(s.scheme.velocities.w.its),
            dt=h, t_end=30 * h, newton_tolerance=1e-10,
        )  # fmt: skip
        state, newton = stepper.state, stepper.newton
        dynamic = state.everything(state.problem.dynamic) > 0
        fields.append([state.everything(z)[dynamic] for z in (state.q, state.v, state.a)])
        counts.append([newton.iterations, newton.tangents, sum(corrections)])
    for one, other, close in zip(*fields, (1e-11, 1e-10, 1e-7), strict=True):
        assert one == pytest.approx(other, rel=0, abs=close * np.abs(other).max())
    # round-off may decide about one more
    assert counts[0] == pytest.approx(counts[1], rel=0.05, abs=2)
