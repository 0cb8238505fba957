"""Time stepping of a simple system: grid, end, failure, driven start."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import NoSolution


def pendulum(**options):
    system = fc.System(gravity=(0, -9.81, 0))
    body = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="arm"))
    system.add(fc.RevoluteJoint(system.ground, body.at((0, 0, 0)), axis=(0, 0, 1), name="pin"))
    return fc.Stepper(system, **options)


def march(stepper):
    stepper.start()
    times = [stepper.t]
    while stepper.t < stepper.t_end:
        stepper.advance()
        times.append(stepper.t)
    return np.array(times)


def test_fixed_steps_lie_on_the_grid_and_end_exactly():
    times = march(pendulum(dt=0.01, t_end=0.105))
    assert times == pytest.approx([*np.arange(0, 0.101, 0.01), 0.105], abs=1e-15)
    assert times[-1] == 0.105


def test_adaptive_steps_end_exactly():
    times = march(pendulum(t_end=0.3))
    assert times[-1] == 0.3
    assert np.all(np.diff(times) > 0)


def test_adaptive_error_follows_the_tolerance():
    """Position at 1 s against the exact pendulum (scipy, 1e-12)."""
    from scipy.integrate import solve_ivp

    exact = solve_ivp(lambda t, y: [y[1], -9.81 * 0.5 * np.cos(y[0]) / 0.35], (0, 1), [0, 0],
                      rtol=1e-12, atol=1e-12).y[0, -1]  # fmt: skip
    errors = []
    for tolerance in (1e-5, 1e-7):
        stepper = pendulum(t_end=1.0, tolerance=tolerance)
        march(stepper)
        x, y = stepper.channels["arm.x"], stepper.channels["arm.y"]
        errors.append(abs(x - 0.5 * np.cos(exact)) + abs(y - 0.5 * np.sin(exact)))
    assert errors[0] < 5e-5
    assert errors[1] < 1e-5


def test_failure_gives_the_reason_and_keeps_the_last_state():
    """A step without solution is cut to the smallest, then the run stops with a sentence."""
    stepper = pendulum(dt=1e-3, t_end=0.01)
    stepper.start()
    stepper.advance()
    before = stepper.state.q.copy()
    stepper.scheme.step = lambda h: NoSolution(f"{h:g} s are too long")
    stepper.march.possible = False  # compiled steps would know nothing of that
    with pytest.raises(fc.StepFailed, match="smallest step.*: 1e-09 s are too long"):
        stepper.advance()
    assert stepper.rejected_steps > 5
    assert np.array_equal(stepper.state.q, before)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dt": 0.0, "t_end": 1}, "dt must be positive"),
        ({"dt": -1e-3, "t_end": 1}, "dt must be positive"),
        ({"dt": 1e-3, "t_end": 0}, "t_end must be positive"),
        ({"dt": float("nan"), "t_end": 1}, "dt must be a finite number"),
        ({"dt": 2.0, "t_end": 1}, "longer than the run"),
        ({"t_end": 1, "adaptive": False}, "fixed step dt"),
        ({"t_end": 1, "tolerance": 0}, "tolerance must lie between"),
        ({"t_end": 1, "newton_tolerance": 1e-20}, "newton_tolerance must lie between"),
    ],
)
def test_bad_input(options, words):
    with pytest.raises(fc.InputError, match=words):
        pendulum(**options)


def test_snapshot_goes_on_exactly():
    """A run restored from a snapshot repeats the uninterrupted one bit for bit, kept tangent
    included."""
    ends = []
    for interrupt in (False, True):
        stepper = pendulum(t_end=0.5)
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
            if interrupt and stepper.steps == 20:
                stored = stepper.snapshot()
                stepper = pendulum(t_end=0.5)
                stepper.restore(stored)
        ends.append((stepper.steps, stepper.state.q.copy(), stepper.state.a.copy()))
    assert ends[0][0] == ends[1][0]
    assert np.array_equal(ends[0][1], ends[1][1])
    assert np.array_equal(ends[0][2], ends[1][2])


@pytest.mark.parametrize("adaptive", [False, True])
def test_the_first_force_ever(adaptive):
    """A journal that flies without any force until it meets its bearing: until then nothing says
    what force is large, and none of its turning rows ever had one. It returns with the law's
    restitution, .9132 for .9 (docs/contact.md)."""
    steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(mass=1, inertia=(1e-4,) * 3, velocity=(0.1, 0, 0), name="journal", free=True)
    )
    system.add(
        fc.CylindricalClearance(
            system.ground, journal.center, axis=(0, 0, 1), bearing_radius=0.01,
            journal_radius=0.0095, length=0.015, materials=(steel, steel), name="joint",
            normal=fc.Liu(hysteresis=fc.LankaraniNikravesh, restitution=0.9),
        )
    )  # fmt: skip
    system.add(fc.Probe(journal.center, name="place"))
    stepper = fc.Stepper(system, dt=1e-6, t_end=8e-3, adaptive=adaptive)
    stepper.prepare()
    stepper.start()
    while stepper.t < 7e-3:
        stepper.advance()
    assert stepper.events
    assert stepper.channels["place.vx"] == pytest.approx(-0.1 * 0.91318, rel=1e-3)


def test_newton_goes_on_where_it_is_near():
    """A step that two iterations bring to a thousandth of its start, but not to the end, is no
    failure: a pendulum in steps of 0.2 s."""
    from fem_clearance.core.settings import SolverSettings
    from fem_clearance.timestepping.stepper import Stepper

    steps = pendulum(dt=0.2, t_end=1.0)
    short = Stepper.of(
        steps.system, fc.GeneralizedAlpha(0.8), steps.settings, SolverSettings(max_iterations=2)
    )
    for stepper in (steps, short):
        stepper.start()
        stepper.advance()
    assert short.rejected_steps == steps.rejected_steps == 0
    assert short.state.q == pytest.approx(steps.state.q, abs=1e-8)


@pytest.mark.mpi
def test_an_error_that_is_no_number_refuses_the_step(monkeypatch):
    """On one rank of several, too, whose largest values are those of the others."""
    stepper = pendulum(t_end=0.1)
    stepper.start()
    comm, right = stepper.state.comm, stepper.scheme.error
    broken = np.nan if comm.rank == comm.size - 1 else 1.0
    monkeypatch.setattr(stepper.scheme, "error", lambda h, noise: broken * right(h, noise))
    if comm.allreduce(bool(np.isnan(broken) and stepper.state.owned)):
        error = stepper.errors.largest(1e-3, False)
        assert error == np.inf and not stepper.control.accept(error, stepper.control.h)
