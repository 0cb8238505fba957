"""Motors and bearings by tables over the speed: NumPy's interpolation, SciPy's equations of motion,
and a rotor's characteristic equation."""

import numpy as np
import pytest
import ufl
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error

#: a squirrel-cage motor: rad/s and N m
SPEEDS = np.array([-50.0, 0.0, 100.0, 140.0, 157.0, 200.0])
TORQUES = np.array([22.0, 20.0, 30.0, 35.0, 0.0, -30.0])
INERTIA, DRAG = 0.4, 0.05


def drive(**options):
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (INERTIA,) * 3, name="rotor"))
    pin = system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1), name="pin"))
    motor = fc.Motor(
        pin.i, pin.j, axis=(0, 0, 1), speeds=SPEEDS, torques=TORQUES, name="motor", **options
    )
    system.add(motor)
    system.add(fc.TorsionSpring(pin.i, pin.j, axis=(0, 0, 1), stiffness=0.0, damping=DRAG))
    return system, body


def test_run_up():
    """J w' = T(w) - c w by SciPy; the power of the motor is what was fed."""
    exact = solve_ivp(
        lambda t, w: (np.interp(w, SPEEDS, TORQUES) * min(t / 0.5, 1) - DRAG * w) / INERTIA,
        (0, 4), [0.0], rtol=1e-9, atol=1e-9, max_step=0.01, dense_output=True,
    )  # fmt: skip
    system, _ = drive(function=lambda t: ufl.conditional(ufl.lt(t, 0.5), 2 * t, 1.0))
    scheme = fc.GeneralizedAlpha(constraints="stabilised")
    results = fc.Simulation(system, scheme, dt=1e-3, t_end=4.0, progress=False).run()
    wanted = exact.sol(results.time)[0]
    assert wanted[-1] > 150
    assert results["motor.speed"] == pytest.approx(wanted, abs=2e-3)
    ramp = np.minimum(2 * results.time, 1)
    torque = np.interp(results["motor.speed"], SPEEDS, TORQUES) * ramp
    assert results["motor.torque"] == pytest.approx(torque, abs=1e-6)
    work = np.trapezoid(torque * results["motor.speed"], results.time)
    assert results["energy.fed"][-1] == pytest.approx(work, rel=5e-3)
    kinetic = INERTIA / 2 * wanted[-1] ** 2
    assert abs(results["energy.balance"]).max() < 5e-3 * kinetic


@pytest.mark.parametrize("speed", [-80.0, -50.0, -20.0, 0.0, 99.0, 150.0, 157.0, 199.0, 400.0])
def test_torque(speed):
    """NumPy's interpolation, constant beyond the ends."""
    system, body = drive()
    state = system.state
    at = [state.locate(r.numbers) for r in body.refs]
    rates = np.cross((0, 0, speed), np.eye(3))
    state.v[np.concatenate(at)[3:12]] = rates.ravel()
    system.channels.read()
    assert system.channels["motor.torque"] == pytest.approx(np.interp(speed, SPEEDS, TORQUES))
    drag = -DRAG * speed
    rows = state.residual()[np.concatenate(at)]
    moment = -np.cross(np.eye(3), rows[3:12].reshape(3, 3)).sum(axis=0)
    assert moment[2] == pytest.approx(np.interp(speed, SPEEDS, TORQUES) + drag)


def test_beyond_the_table(caplog):
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1e-3,) * 3))
    pin = system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
    system.add(fc.Motor(pin.i, pin.j, axis=(0, 0, 1), speeds=[0, 1], torques=[1, 1], name="m"))
    fc.Simulation(system, dt=1e-3, t_end=5e-3, progress=False).run()
    said = [r.message for r in caplog.records if "outside its table" in r.message]
    assert len(said) == 1


# --- bearings -------------------------------------------------------------------------------------
RATES = np.array([50.0, 100.0, 300.0])
K = 1e6 * np.array(
    [[[2.0, 0.3], [-0.5, 1.5]], [[1.6, 0.6], [-0.8, 1.2]], [[1.0, 1.0], [-2.0, 0.9]]]
)
C = 1e3 * np.array([[[4.0, -0.5], [-0.3, 5]], [[3.0, -0.4], [-0.2, 4]], [[2.0, -0.1], [-0.1, 3.0]]])
AXIS, FIRST = np.array([0, 0.6, 0.8]), np.array([1.0, 0, 0])


def journal(speed, mass=50.0):
    """A journal that spins in its bearing."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(mass, (1, 1, 1), angular_velocity=speed * AXIS, name="shaft"))
    system.add(
        fc.BearingCoefficients(
            system.ground, body.center, axis=AXIS, first=FIRST, speeds=RATES, stiffness=K,
            damping=C, name="b",
        )
    )  # fmt: skip
    return system, body


def table(values, speed):
    return np.array([[np.interp(speed, RATES, values[:, i, j]) for j in range(2)]
                     for i in range(2)])  # fmt: skip


@pytest.mark.parametrize("speed", [20.0, 50.0, 80.0, 100.0, 250.0, 999.0])
def test_bearing_force(speed):
    """-(K x + C x') on the journal along both axes, K and C by NumPy's interpolation."""
    system, body = journal(speed)
    state = system.state
    at = np.concatenate([state.locate(r.numbers) for r in body.refs])
    axes = np.column_stack([FIRST, np.cross(AXIS, FIRST)])
    x, v = np.array([1e-5, -2e-5]), np.array([3e-3, 1e-3])
    state.q[at[:3]], state.v[at[:3]] = axes @ x, axes @ v
    wanted = -(table(K, speed) @ x + table(C, speed) @ v)
    system.channels.read()
    found = [system.channels[f"b.force{n}"] for n in (1, 2)]
    assert found == pytest.approx(wanted, rel=1e-9)
    assert system.channels["b.power"] == pytest.approx(wanted @ v, rel=1e-9)
    assert -state.residual()[at[:3]] == pytest.approx(axes @ wanted, rel=1e-9)
    if speed not in RATES:  # where the table has kinks
        assert tangent_error(state, step=1e-7) < 1e-6


def test_eigenvalues():
    """det(m s^2 + C s + K) = 0 at a speed between two of the table."""
    speed, mass = 200.0, 50.0
    system, _ = journal(speed, mass)
    found = fc.eigenmodes(system, 12, damped=True).eigenvalues
    k, c = table(K, speed), table(C, speed)
    first_order = np.block([[np.zeros((2, 2)), np.eye(2)], [-k / mass, -c / mass]])
    for wanted in np.linalg.eigvals(first_order):
        both = np.r_[found, found.conj()]
        assert np.abs(both - wanted).min() < 1e-6 * abs(wanted)


def test_bad_input():
    system = fc.System()
    body = fc.RigidBody(1.0, (1, 1, 1))
    ends = system.ground, body.center
    for speeds, torques, message in (
        ([0, 1, 1], [1, 2, 3], "speeds must increase"),
        ([0], [1], "2 to 64 speeds"),
        ([0, 1, 2], [1, 2], "a value for each"),
        ([0, 1], [1, np.nan], "finite"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.Motor(*ends, axis=(0, 0, 1), speeds=speeds, torques=torques)
    with pytest.raises(fc.InputError, match="right angles"):
        fc.BearingCoefficients(*ends, axis=(0, 0, 1), first=(0, 0, 1), speeds=RATES, stiffness=K,
                               damping=C)  # fmt: skip
    with pytest.raises(fc.InputError, match=r"damping must be a 2x2 matrix for each speed"):
        fc.BearingCoefficients(*ends, axis=(0, 0, 1), first=(1, 0, 0), speeds=RATES, stiffness=K,
                               damping=C[:2])  # fmt: skip
