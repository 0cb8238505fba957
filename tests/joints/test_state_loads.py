"""Loads by the state, in UFL and in Python: SciPy's solutions of the equations of motion."""

import numpy as np
import pytest
import ufl
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error

MASS, DRAG, PULL, G = 0.5, 0.08, 3.0, 9.81
START, SPEED = np.array([1.0, 0.0, 0.5]), np.array([2.0, 8.0, -1.0])


def force(t, x, v):
    """Drag by the square of the speed, a spring to the origin, and a wind that grows."""
    return -DRAG * np.linalg.norm(v) * v - PULL * x + np.array([np.sin(3 * t), 0, 0])


def derivative(t, x, v):
    size = np.linalg.norm(v) + 1e-12
    return -PULL * np.eye(3), -DRAG * (size * np.eye(3) + np.outer(v, v) / size)


def law(at, p):
    speed = ufl.sqrt(ufl.dot(at.velocity, at.velocity) + 1e-24)
    wind = ufl.as_vector([ufl.sin(3 * at.t), 0, 0])
    return -p.drag * speed * at.velocity - p.pull * at.position + wind


def thrown(make, h, t_end=1.0):
    system = fc.System(gravity=(0, -G, 0))
    ball = system.add(
        fc.RigidBody(MASS, (1, 1, 1), position=START, velocity=SPEED, name="ball", free=True)
    )
    system.add(make(ball))
    system.add(fc.Probe(ball.center, name="p"))
    return fc.Simulation(system, dt=h, t_end=t_end, progress=False).run()


EXACT = solve_ivp(
    lambda t, y: [*y[3:], *(force(t, y[:3], y[3:]) / MASS + (0, -G, 0))],
    (0, 1), [*START, *SPEED], rtol=1e-11, atol=1e-12, dense_output=True,
)  # fmt: skip

WAYS = {
    "ufl": lambda ball: fc.StateForce(ball, law, {"drag": DRAG, "pull": PULL}, name="f"),
    "differences": lambda ball: fc.SampledForce(ball, force, name="f"),
    "derivative": lambda ball: fc.SampledForce(ball, force, derivative=derivative, name="f"),
}


@pytest.mark.parametrize("way", WAYS)
def test_thrown_ball(way):
    """All three are of second order; what the load took is the change of energy."""
    errors = []
    for h in (4e-3, 2e-3):
        results = thrown(WAYS[way], h)
        place = np.array([results[f"p.{x}"] for x in "xyz"])
        errors.append(np.abs(place - EXACT.sol(results.time)[:3]).max())
        seen = np.array([results[f"f.{x}"][-1] for x in "xyz"])
        end = EXACT.sol(1.0)
        assert seen == pytest.approx(force(1.0, end[:3], end[3:]), abs=3e-3)
    assert errors[0] < 2e-4
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.15)
    energy = results["energy.kinetic"] + results["energy.potential"]
    assert results["energy.fed"][-1] == pytest.approx(energy[-1] - energy[0], rel=1e-4)
    assert abs(results["energy.balance"]).max() < 1e-4 * energy.max()


def test_tangent_and_frame():
    """A law of the triad and of the angular velocity on an arm's end."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (0.1, 0.2, 0.3), name="b", free=True))
    system.add(
        fc.StateForce(body.at((0.5, 0, 0)), lambda at, p: p.k * at.triad[1] * at.omega[2],
                      {"k": 4.0}, name="jet")
    )  # fmt: skip
    system.add(fc.StateTorque(body, lambda at, p: -p.c * at.omega, {"c": 0.3}, name="drag"))
    state = system.state
    at = np.concatenate([state.locate(r.numbers) for r in body.refs])
    spin = np.array([0.4, -0.7, 2.0])
    state.v[at[3:]] = np.cross(spin, np.eye(3)).ravel()
    rows = state.residual()[at]
    thrust = 4.0 * 2.0 * np.array([0, 1.0, 0])
    moment = -np.cross(np.eye(3), rows[3:].reshape(3, 3)).sum(axis=0)
    assert -rows[:3] == pytest.approx(thrust)
    wanted = np.cross((0.5, 0, 0), thrust) - 0.3 * spin
    assert moment == pytest.approx(wanted)
    assert tangent_error(state, step=1e-7) < 1e-6


def test_sampled_torque():
    """A pendulum with a controller's torque by SciPy; momentum of both frames is kept."""
    inertia, length = 0.3, 0.4

    def torque(t, angle, speed):
        return 2.0 * np.sin(4 * t) - 0.5 * speed - 3.0 * np.sin(angle - 0.2)

    exact = solve_ivp(
        lambda t, y: (y[1], (torque(t, *y) - MASS * G * length * np.sin(y[0]))
                      / (inertia + MASS * length**2)),
        (0, 1), (0.0, 1.0), rtol=1e-10, atol=1e-12, dense_output=True,
    )  # fmt: skip
    system = fc.System(gravity=(0, -G, 0))
    body = system.add(
        fc.RigidBody(MASS, (inertia,) * 3, position=(0, -length, 0),
                     velocity=(length, 0, 0), angular_velocity=(0, 0, 1.0))
    )  # fmt: skip
    pin = system.add(
        fc.RevoluteJoint(system.ground.at((0, 0, 0)), body.at((0, 0, 0)), axis=(0, 0, 1))
    )
    system.add(fc.SampledTorque(pin.i, pin.j, (0, 0, 1), torque, name="t"))
    errors = []
    for h in (4e-3, 2e-3):
        results = fc.Simulation(system, dt=h, t_end=1.0, progress=False).run()
        errors.append(abs(results["t.angle"] - exact.sol(results.time)[0]).max())
    assert errors[0] < 1e-4
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.15)


def test_failures():
    system = fc.System(gravity=(0, 0, 0))
    ball = fc.RigidBody(1.0, (1, 1, 1), free=True)
    for make in (fc.StateForce, fc.StateTorque, fc.SampledForce):
        with pytest.raises(fc.InputError, match="needs a function"):
            make(ball)
    system.add(ball)
    with pytest.raises(fc.InputError, match="its function"):
        system.add(fc.SampledForce(ball, lambda t, x, v: 1 / 0, name="bad"))
    with pytest.raises(fc.InputError, match="its function"):
        system.add(fc.SampledForce(ball, lambda t, x, v: (1, 2), name="bad"))

    def later(t, x, v):
        return (np.nan if t > 0.01 else 0.0, 0, 0)

    system.add(fc.SampledForce(ball, later, name="late"))
    with pytest.raises(fc.StepFailed, match="late: at t = .* its function returned"):
        fc.Simulation(system, dt=1e-3, t_end=0.1, progress=False).run()


def test_not_finite_at_rest(caplog):
    """A drag of constant size: refused by nobody, because the run begins with a velocity."""
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(2.0, (1, 1, 1), velocity=(3.0, 0, 0), name="ball", free=True))
    with np.errstate(invalid="ignore"):
        system.add(fc.SampledForce(ball, lambda t, x, v: -4.0 * v / np.linalg.norm(v), name="f"))
    assert "f: its function is not finite at rest" in caplog.text
    system.add(fc.Probe(ball.center, name="p"))
    results = fc.Simulation(system, dt=1e-3, t_end=0.5, progress=False).run()
    assert results["p.vx"][-1] == pytest.approx(3.0 - 2.0 * 0.5, rel=1e-9)
