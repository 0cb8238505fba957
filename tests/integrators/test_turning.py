"""Directors that turn within a step, and the warning where they turn too far."""

import logging

from mpi4py import MPI

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.timestepping.rotations import powers

STABILISED = [fc.GeneralizedAlpha(0.8, "stabilised"), fc.Bathe(), fc.Bathe(0.6)]


def flight(integrator, inertia, spin, h, t_end, **options):
    """Body axes (columns) of a body in free flight at the end, and the stepper."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(1.0, inertia, angular_velocity=spin, free=True, name="body", **options)
    )
    stepper = fc.Stepper(system, integrator, dt=h, t_end=t_end, newton_tolerance=1e-12)
    stepper.start()
    while stepper.t < t_end:
        stepper.advance()
    return stepper.state.q[body.refs[1].numbers].reshape(3, 3).T, stepper


@pytest.mark.parametrize("integrator", STABILISED, ids=["alpha", "bathe", "bathe 0.6"])
def test_steady_spin_is_exact(integrator):
    """A tenth of a turn a step: after ten turns directors are where they belong within 2e-5 of
    their way, which the accelerations at the start (extrapolated from h/100) leave."""
    rate = 20 * np.pi
    orientation = np.array([0.3, -0.2, 0.5])
    axis = Rotation.from_rotvec(orientation).as_matrix()[:, 2]
    axes, _ = flight(integrator, (0.2, 0.3, 0.4), rate * axis, 0.01, 1.0, orientation=orientation)
    assert axes == pytest.approx(Rotation.from_rotvec(orientation).as_matrix(), abs=1.3e-3)


def test_straight_directors_are_late():
    """With constraints on positions alone, and steps a tenth as long."""
    axes, _ = flight(fc.GeneralizedAlpha(0.8), (0.2, 0.3, 0.4), (0, 0, 20 * np.pi), 1e-3, 1.0)
    assert np.arctan2(axes[1, 0], axes[0, 0]) < -1e-2


def euler(inertia, spin, t_end):
    """Axes and spin of a free body by Euler's equations (DOP853, 1e-13)."""
    inertia = np.array(inertia)

    def rates(t, y):
        axes, local = y[:9].reshape(3, 3), y[9:]
        change = np.cross(inertia * local, local) / inertia
        skew = np.array([[0, -local[2], local[1]], [local[2], 0, -local[0]],
                         [-local[1], local[0], 0]])  # fmt: skip
        return np.concatenate([(axes @ skew).ravel(), change])

    y = solve_ivp(rates, (0, t_end), [*np.eye(3).ravel(), *spin], method="DOP853", rtol=1e-13,
                  atol=1e-13).y[:, -1]  # fmt: skip
    return y[:9].reshape(3, 3)


@pytest.mark.parametrize("integrator", STABILISED[:2], ids=["alpha", "bathe"])
def test_tumbling_body(integrator):
    """Euler's equations of three different moments. The spin changes as fast as the body turns,
    so the series helps less than for a top."""
    inertia, spin, t_end = (0.2, 0.3, 0.45), (5.0, 20.0, 1.0), 1.0
    exact = euler(inertia, spin, t_end)
    errors = [
        np.abs(flight(integrator, inertia, spin, h, t_end)[0] - exact).max() for h in (0.01, 0.005)
    ]
    assert np.log2(errors[0] / errors[1]) > 1.9
    straight = np.abs(flight(fc.GeneralizedAlpha(0.8), inertia, spin, 0.005, t_end)[0] - exact)
    assert errors[1] < straight.max()


def test_powers_are_a_taylor_series():
    t = 0.7
    weights = powers(t)
    derivatives = np.array([3.0**k for k in range(weights.shape[1])])  # of exp(3 t) at 0
    assert weights @ derivatives == pytest.approx(np.exp(3 * t) * np.array([1, 3, 9]), rel=1e-4)


def spinning(comm=None, count=3):
    """Bodies in flight, and what turns their directors; no step is made."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    rng = np.random.default_rng(2)
    for k in range(count):
        body = fc.RigidBody(
            1.0, (0.2, 0.3, 0.4), position=rng.normal(size=3), orientation=rng.normal(size=3),
            velocity=rng.normal(size=3), angular_velocity=rng.normal(size=3), free=True,
            name=f"body{k}",
        )  # fmt: skip
        system.add(body)
    stepper = fc.Stepper(system, STABILISED[0], dt=0.1, t_end=1.0)
    stepper.prepare()
    return stepper.scheme.turning


def give(turning, values, spin):
    """Rates of the directors in a field of local values, by the spins of the bodies."""
    for places, w in zip(turning.bodies.places, spin, strict=True):
        values[places] = np.cross(w, turning.state.q[places].reshape(3, 3)).ravel()


def test_spins():
    """Half the sum of d_k x (rate of d_k) is the spin of a rigid body, on local axes as given."""
    turning = spinning()
    spin = np.random.default_rng(3).normal(size=(3, 3))
    give(turning, turning.state.v, spin)
    assert turning.bodies.spins(turning.state.q, turning.state.v) == pytest.approx(spin)


def test_slopes_of_a_parabola():
    """Spins of a parabola at uneven steps give its derivatives; after a jump they are zero."""
    turning, h = spinning(count=1), 0.1
    state, weights = turning.state, powers(h)
    spin = lambda t: np.array([[30 + 2 * t - 5 * t**2, t, 1.0]])  # noqa: E731
    give(turning, state.v, spin(0.0))

    def slopes(before, first, last, older):
        turning.past[0] = turning.past[2] = state.q
        give(turning, turning.past[1], before)
        give(turning, turning.past[3], first)
        assert turning.until(h, weights, last, older) is not None
        return turning.slopes.reshape(3, 3)

    found = slopes(spin(-0.1), spin(-0.3), 0.1, 0.2)
    exact = [[30.0, 0.0, 1.0], [2.0, 1.0, 0.0], [-10.0, 0.0, 0.0]]
    assert found == pytest.approx(np.array(exact), abs=1e-9)
    for past in ((-spin(0.0), -spin(0.0)), (spin(0.0), -spin(0.0))):
        assert not slopes(*past, 0.1, 0.1)[1:].any()


def test_series_follows_turning_directors():
    """Directors, their rates and accelerations after a time against SciPy's solution of
    d' = (omega + alpha t + beta t^2/2) x d."""
    turning, h, rng = spinning(), 0.05, np.random.default_rng(4)
    state = turning.state
    omega, alpha, beta = 4 * rng.normal(size=(3, 3)), *rng.normal(size=(2, 3, 3))
    spin = lambda t: omega + alpha * t + beta * t**2 / 2  # noqa: E731
    give(turning, state.v, omega)
    turning.past[0] = turning.past[2] = state.q
    give(turning, turning.past[1], spin(-0.05))
    give(turning, turning.past[3], spin(-0.15))
    added = turning.until(h, powers(h), 0.05, 0.1)
    assert np.count_nonzero(added) == np.count_nonzero(added[:, turning.bodies.places])
    for k, places in enumerate(turning.bodies.places):

        def rates(t, d, k=k):
            return np.cross(spin(t)[k], d.reshape(3, 3)).ravel()

        exact = solve_ivp(
            rates, (0, h), state.q[places], method="DOP853", rtol=1e-13, atol=1e-14
        ).y[:, -1]
        rate = rates(h, exact)
        second = rates(h, rate) + np.cross((alpha + beta * h)[k], exact.reshape(3, 3)).ravel()
        for row, expected in zip(added[:, places], (exact, rate, second), strict=True):
            assert row == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_slow_bodies_go_straight():
    """Below 1e-4 rad in a step nothing is added; the next step remembers this one."""
    turning = spinning()
    state, past = turning.state, turning.past.copy()
    state.v *= 1e-6
    assert turning.until(0.1, powers(0.1)) is None
    state.problem.module.lib.fc_remember(turning.newton.c, turning.t)
    assert np.array_equal(turning.past, [state.q, state.v, past[0], past[1]])


@pytest.mark.mpi
@pytest.mark.parametrize("count", [1, 3])
def test_turning_on_ranks(count, comm):
    """As on each rank alone, values of other ranks' unknowns too; of one body most ranks have
    nothing."""
    added = []
    for each in (comm, MPI.COMM_SELF):
        turning = spinning(each, count)
        state, rows = turning.state, turning.until(0.1, powers(0.1)[:2])
        rows = turning.until(0.1, powers(0.1)[:2])  # arrays are used again
        whole = np.array([state.everything(row) for row in rows])
        assert np.array_equal(rows, whole[:, state.numbers[: state.local]])
        added.append(whole)
    assert np.count_nonzero(added[0]) == 18 * count
    assert added[0] == pytest.approx(added[1], rel=1e-14, abs=1e-14)


# --- the warning ----------------------------------------------------------------------------------
def warnings(caplog, integrator, spin, steps=250):
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        flight(integrator, (0.2, 0.3, 0.4), (0, 0, spin), 1e-3, steps * 1e-3)
    return [r.getMessage() for r in caplog.records]


def test_warns_once_of_a_fast_spin(caplog):
    """0.06 rad a step; the step named is 0.05 rad over the spin."""
    messages = warnings(caplog, None, 60.0)
    assert len(messages) == 1
    assert "body turns by 0.06 rad a step (60 rad/s)" in messages[0]
    assert "0.00083 s" in messages[0] and "stabilised" in messages[0]


def test_does_not_warn_of_a_slow_spin(caplog):
    assert not warnings(caplog, None, 48.0)
    assert not warnings(caplog, STABILISED[0], 400.0)


def test_turning_directors_are_warned_of_later(caplog):
    assert "turns by 0.6 rad" in warnings(caplog, STABILISED[0], 600.0, steps=20)[0]


@pytest.mark.parametrize("most", [1, 1000])
def test_a_spin_that_grows_is_noticed(most, caplog):
    """A driver speeds a body up after the first step; compiled steps look at each, and stop at the
    first that turns by more than 0.05 rad, at 50 rad/s."""
    system = fc.System()
    body = system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1), name="wheel"))
    pin = system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    ramp = fc.functions.SmoothRamp(100.0, 0.05)
    system.add(fc.RotationDriver(pin.i, pin.j, axis=(0, 0, 1), angle=ramp))
    stepper = fc.Stepper(system, dt=1e-3, t_end=0.25)
    stepper.start()
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        while stepper.t < stepper.t_end:
            stepper.advance(most)
    (message,) = [r.getMessage() for r in caplog.records]
    assert message.startswith("wheel")
    if most > 1:
        speed = float(message.split("(")[1].split()[0])
        assert 50 < speed < 54  # 100 rad/s in 0.05 s: at most twice 2 rad/s a step
