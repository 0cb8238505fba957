"""Conditions on velocities by a user: a sleigh on a blade, against its reduced equations.

Chaplygin's sleigh: a body of mass m and moment I, whose centre is a distance a before a blade that
does not slip sideways. With the blade's speed u and the turning rate w (Neimark and Fufaev 1972)

    u' = a w^2,   w' = -m a u w / (I + m a^2),

and the blade pushes with m (u w + a w') across itself.
"""

import logging
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
import pytest
import ufl
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.core.blocks import multipliers
from fem_clearance.core.observables import Observable
from fem_clearance.core.roles import TRANSLATION
from fem_clearance.model.pair import Pair, PairKind

MASS, INERTIA, AHEAD, END = 1.0, 0.1, 0.3, 2.0
SPEED, RATE = 1.0, 1.0
INTEGRATORS = [
    fc.GeneralizedAlpha(0.0),
    fc.GeneralizedAlpha(0.5),
    fc.GeneralizedAlpha(0.8),
    fc.GeneralizedAlpha(0.0, "stabilised"),
    fc.GeneralizedAlpha(0.8, "stabilised"),
    fc.GeneralizedAlpha(1.0, "stabilised"),
    fc.Bathe(),
    fc.Bathe(2 - 2**0.5, "position"),
]


@dataclass(frozen=True)
class KnifeKind(PairKind):
    """The point of frame j does not move along e2 of frame j but with ``drift``."""

    own_fields: ClassVar = {"lam": (1,)}
    own_parameters: ClassVar = {"drift": ()}

    def slip(self, c):
        i, j = self.poses(c)
        return ufl.dot(j.e(2), j.velocity - i.velocity)

    def residual(self, c):
        lam, test, s = c.split(c.q)[2], c.split(c.test)[2], self.slip(c)
        return (lam[0] * c.power(s) + test[0] * (s - c.par("drift"))) * c.dx()

    def observables(self, c):
        return {"force": Observable(-c.split(c.q)[2][0], "N", "force on frame j along e2")}


@dataclass(frozen=True)
class MixedKind(KnifeKind):
    """The same, with a second row that holds the point in the plane z = 0."""

    own_fields: ClassVar = {"lam": (2,)}

    def residual(self, c):
        i, j = self.poses(c)
        height = c.split(c.q)[2][1] * ufl.dot(j.r - i.r, i.e(3))
        return super().residual(c) + c.along(height) * c.dx()


@dataclass(frozen=True)
class JerkyKind(KnifeKind):
    """A row on accelerations, which is no constraint."""

    def residual(self, c):
        lam, test = c.split(c.q)[2], c.split(c.test)[2]
        s = self.slip(c)
        return (lam[0] * c.power(s) + test[0] * c.second_rate(s)) * c.dx()


class Knife(Pair):
    prefix = label = "knife"

    def __init__(self, frame_i, frame_j, kind=KnifeKind, drift=0.0, name=None):
        super().__init__(frame_i, frame_j, name)
        self.kind, self.drift = kind, drift

    def build(self, builder):
        kind = self.kind(self.i.kind, self.j.kind)
        frames = self.i.parameters(np.eye(3)), self.j.parameters(np.eye(3))
        block = multipliers(self.name, "force", kind.own_fields["lam"][0], TRANSLATION)
        self.add_to(builder, kind, kind.pack_pair(*frames, drift=self.drift), [block])


def sleigh(kind=KnifeKind, across=0.0, planar=True, drift=0.0, **options):
    system = fc.System(gravity=(0, 0, 0), **options)
    body = system.add(
        fc.RigidBody(
            MASS, (INERTIA,) * 3, position=(AHEAD, 0, 0), name="body",
            velocity=(SPEED, AHEAD * RATE + across, 0), angular_velocity=(0, 0, RATE),
        )
    )  # fmt: skip
    if planar:
        system.add(fc.PlanarJoint(system.ground, body.center, axis=(0, 0, 1)))
    blade = body.at((0, 0, 0))
    system.add(Knife(system.ground.point((0, 0, 0)), blade, kind, drift, name="knife"))
    system.add(fc.Probe(blade, name="blade"))
    return system, blade


@cache
def reference():
    """u, w, the angle, x and y of the blade over time."""
    whole = INERTIA + MASS * AHEAD**2

    def rates(t, y):
        u, w, angle = y[:3]
        turn = -MASS * AHEAD * u * w / whole
        return [AHEAD * w * w, turn, w, u * np.cos(angle), u * np.sin(angle)]

    start = [SPEED, RATE, 0, 0, 0]
    return solve_ivp(rates, (0, END), start, rtol=1e-12, atol=1e-13, dense_output=True).sol


def pushes(t):
    u, w = reference()(t)[:2]
    turn = -MASS * AHEAD * u * w / (INERTIA + MASS * AHEAD**2)
    return MASS * (u * w + AHEAD * turn)


def errors(results):
    """Largest errors of the blade's place (m) and its force (N)."""
    _, _, _, x, y = reference()(results.time)
    place = np.hypot(results["blade.x"] - x, results["blade.y"] - y).max()
    return np.array([place, np.abs(results["knife.force"] - pushes(results.time)).max()])


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
def test_sleigh(integrator):
    """Place and force of the blade are of second order from the start, the energy follows."""
    runs = [
        fc.Simulation(sleigh()[0], integrator, dt=h, t_end=END, newton_tolerance=1e-11).run()
        for h in (0.02, 0.01)
    ]
    coarse, fine = map(errors, runs)
    # position, force: 0.02 s
    assert np.all(coarse < [1e-3, 1e-3])
    order = np.log2(coarse / fine)
    assert np.all((order > 1.8) & (order < 2.3)), order
    energy = runs[1]["energy.total"]
    assert np.ptp(energy) < 2e-4 * energy[0]


def test_defaults():
    """What a user gets who sets nothing but a step."""
    found = errors(fc.Simulation(sleigh()[0], dt=0.005, t_end=END).run())
    assert found[0] < 4e-6
    assert found[1] < 2e-5


def test_adaptive_steps():
    """A tenth of the tolerance takes twice as many steps (third root) and leaves a fifth."""
    runs = [
        fc.Simulation(sleigh()[0], adaptive=True, tolerance=each, t_end=END).run()
        for each in (1e-6, 1e-7)
    ]
    coarse, fine = (errors(results)[0] for results in runs)
    assert coarse < 3e-5
    assert fine < 0.35 * coarse
    assert 1.7 < len(runs[1].time) / len(runs[0].time) < 2.5


def test_rows_are_told_apart():
    """A block of one row on velocities and one on positions."""
    system, _ = sleigh(MixedKind, planar=False)
    state = system.state
    numbers = next(b.numbers for b in state.problem.blocks if b.name == "knife.force")
    assert state.problem.velocity_level[numbers].tolist() == [True, False]
    assert np.count_nonzero(state.problem.velocity_level) == 1
    results = fc.Simulation(system, dt=0.01, t_end=END).run()
    assert np.all(errors(results) < [2e-5, 1e-4])
    assert np.abs(results["blade.z"]).max() < 1e-12


def test_start_across_the_blade():
    """Velocities at the start are those after the impulse of the blade: m dv = J, I dw = -a J."""
    system, _ = sleigh(across=0.5)
    stepper = fc.Stepper(system, dt=0.01, t_end=0.01)
    stepper.start()
    impulse = -0.5 / (1 / MASS + AHEAD**2 / INERTIA)
    rate = RATE - AHEAD * impulse / INERTIA
    assert stepper.channels["body.vy"] == pytest.approx(AHEAD * rate, rel=1e-12)
    assert stepper.channels["body.vx"] == pytest.approx(SPEED, rel=1e-12)


def test_the_same_twice(caplog):
    """A condition that repeats another is dropped, and changes nothing."""
    system, blade = sleigh()
    system.add(Knife(system.ground.point((0, 0, 0)), blade, name="again"))
    with caplog.at_level(logging.INFO):
        results = fc.Simulation(system, dt=0.01, t_end=END).run()
    assert "again: 1 of its 1 constraints follow from others" in caplog.text
    assert np.all(errors(results) < [2e-5, 1e-4])


def test_contradiction():
    system, blade = sleigh()
    system.add(Knife(system.ground.point((0, 0, 0)), blade, drift=0.1, name="other"))
    with pytest.raises(fc.InputError, match="other: its condition on velocities contradicts"):
        system.assemble()


def test_accelerations_are_refused():
    system, _ = sleigh(JerkyKind)
    with pytest.raises(fc.InputError, match="knife: .* one of its rows depends on accelerations"):
        system.assemble()


def test_refused_elsewhere():
    """Explicit steps, and equilibria and modes of what moves, say why they cannot."""
    with pytest.raises(fc.InputError, match="knife is no constraint on positions alone"):
        fc.Simulation(sleigh()[0], fc.CentralDifference(), dt=1e-3, t_end=1e-2).run()
    system, blade = sleigh()
    turning = fc.SteadyRotation((0, 0, 1.0))
    with pytest.raises(fc.InputError, match=r"knife holds velocities \(rolling\)"):
        fc.Statics(system, rotation=turning).solve()
    with pytest.raises(fc.InputError, match=r"knife holds velocities \(rolling\)"):
        fc.eigenmodes(system, rotation=turning)
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1, (1, 1, 1), name="body"))
    system.add(Knife(system.ground.point((0, 0, 0)), body.center, drift=0.1, name="belt"))
    with pytest.raises(fc.InputError, match="belt holds velocities .* only on surfaces at rest"):
        fc.Statics(system).solve()


def test_independent_coordinates():
    """A sleigh has three places but two rates; a state written is read again and obeys."""
    from fem_clearance.analysis.coordinates import IndependentCoordinates

    system, _ = sleigh()
    chart = IndependentCoordinates(system)
    assert (len(chart.positions), len(chart.rates), chart.size) == (3, 2, 5)
    x = chart.read() + 1e-3 * np.arange(5)
    chart.write(x)
    assert chart.read() == pytest.approx(x, abs=1e-13)
    assert np.abs(chart.state.residual()[chart.rows]).max() < 1e-13


@pytest.mark.mpi
@pytest.mark.parametrize("integrator", [fc.GeneralizedAlpha(0.8), fc.Bathe()], ids=str)
def test_ranks(integrator):
    """On any number of ranks, two sleighs of which one has both levels in one block."""
    results = fc.Simulation(
        sleigh(MixedKind, planar=False)[0], integrator, dt=0.01, t_end=END
    ).run()
    assert np.all(errors(results) < [2e-5, 1e-4])
