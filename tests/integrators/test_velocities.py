"""Velocities on constraints and the balance with forces: against dense matrices in NumPy
(core/reference.py), and on any number of ranks against one."""

from dataclasses import dataclass

from mpi4py import MPI

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.core.blocks import Block, Ref
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.roles import Multiplier

from ..core import reference
from .test_kept_factors import bar_in_a_ring
from .test_stabilised import STABILISED, crank_and_rocker, top
from .test_velocity_level import MixedKind, sleigh

ALPHA = STABILISED[0]


def blade(**options):
    """On a belt that moves across."""
    return sleigh(MixedKind, planar=False, drift=0.1, **options)[0]


@dataclass(frozen=True)
class PushedKind(Kind):
    """A place moves along y at a rate of sin(t / (10 ms)) cm/s, against a drag of 1 kN s/m."""

    def fields(self):
        return {"u": (2,), "lam": (1,)}

    def residual(self, c):
        lam, (rate, _), (w, z) = c.split(c.q)[1], c.split(c.v), c.split(c.test)
        return (
            lam[0] * w[1] + z[0] * (rate[1] - 0.01 * ufl.sin(100 * c.t)) + 1e3 * ufl.dot(rate, w)
        ) * c.dx()


class Pushed:
    """Pushes a condensed solid's first node at a given rate: a row on velocities reads a value that
    follows the unknowns."""

    prefix, free, name, position = "pushed", True, None, np.zeros(3)

    def __init__(self, solid):
        self.solid, self.lam = solid, Block("pushed", "lam", np.zeros(1), Multiplier())

    def build(self, builder):
        builder.add_block(self.lam)
        node = Ref(self.solid.block, np.arange(2))
        builder.add_cell(PushedKind(), Cell(self.name, [node, self.lam.all]))


def pushed_ring(**options):
    system = bar_in_a_ring(spin=100.0, **options)
    system.add(Pushed(next(item for item in system.items if item.name == "ring")))
    return system


#: a body, a driven loop, rows on velocities, condensed dofs, both; the step of each
SYSTEMS = [
    pytest.param(top, 1e-3, id="top"),
    pytest.param(crank_and_rocker, 1e-3, id="loop"),
    pytest.param(blade, 0.02, id="blade"),
    pytest.param(bar_in_a_ring, 1e-4, id="ring"),
    pytest.param(pushed_ring, 1e-4, id="pushed ring"),
]


def moved(make, h, steps=10, integrator=ALPHA, **options):
    """A stepper after some steps."""
    stepper = fc.Stepper(make(**options), integrator, dt=h, t_end=1.0, newton_tolerance=1e-10)
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    return stepper


def disturb(state):
    """Another pose and other velocities, the same on any number of ranks; what follows them does
    not know it yet."""
    n, rng = state.local, np.random.default_rng(5)
    for field, part in ((state.q, 1e-3), (state.v, 0.1)):
        change = rng.normal(size=state.size)[state.numbers[:n]] * state.problem.dynamic[:n]
        field[:n] += part * np.abs(state.everything(field)).max() * change


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
    found = velocities.violation()
    M, B, moves, held, violation = reference.velocities(state)
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
        rows = rows * ~state.problem.velocity_level[: state.owned]
        before = state.array.copy()
        state.v[: state.local] += stepper.scheme.velocities.shown  # the rates of the positions
        state.follow()
        assert np.abs(reference.condensed(state, reference.residual(state)[0]) * rows).max() < 1.01
        state.array[:] = before
    assert np.abs(z).max() > 1e-10 * np.abs(x).max()


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
    """The same motion as on each rank alone, judged by the same forces, with as many iterations,
    tangents and corrections."""
    fields, counts, forces = [], [], []
    for each in (comm, MPI.COMM_SELF):
        stepper, corrections = moved(make, h, 0, integrator, comm=each), 0
        for _ in range(12):
            stepper.advance()
            corrections += stepper.scheme.velocities.w.its
        state, newton = stepper.state, stepper.newton
        dynamic = state.everything(state.problem.dynamic) > 0
        fields.append([state.everything(z)[dynamic] for z in (state.q, state.v, state.a)])
        forces.append(newton.tolerances.force_scale)
        counts.append([newton.iterations, newton.tangents, corrections])
    for one, other, close in zip(*fields, (1e-11, 1e-10, 1e-7), strict=True):
        assert one == pytest.approx(other, rel=0, abs=close * np.abs(other).max())
    assert forces[0] == pytest.approx(forces[1], rel=1e-6)
    # round-off may decide about one more
    assert counts[0] == pytest.approx(counts[1], rel=0.05, abs=2)
