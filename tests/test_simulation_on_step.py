"""Functions called after each step: what they see, and what they set.

The controlled disc is a double integrator under a torque that is held through each step: its motion
over a step is known in closed form.
"""

import numpy as np
import pytest

import fem_clearance as fc

INERTIA, STIFF, DAMP, STEP, TARGET = 0.02, 0.8, 0.1, 1e-3, 0.3


def disc():
    system = fc.System(gravity=(0, 0, 0))
    disc = system.add(fc.RigidBody(1.0, (0.01, 0.01, INERTIA), name="disc"))
    system.add(fc.RevoluteJoint(system.ground, disc.center, axis=(0, 0, 1)))
    system.add(fc.AngleProbe(system.ground, disc.center, axis=(0, 0, 1), name="shaft"))
    system.add(fc.Torque(disc, (0, 0, STIFF * TARGET), name="motor"))
    return system


def held(stepper):
    angle, rate = (stepper.channels[f"shaft.{n}"] for n in ("angle", "speed"))
    stepper.assign("motor", vector=(0, 0, STIFF * (TARGET - angle) - DAMP * rate))


def exact(steps, h=STEP):
    """Angle and rate of the sampled system."""
    x, v, found = 0.0, 0.0, [(0.0, 0.0)]
    for _ in range(steps):
        u = (STIFF * (TARGET - x) - DAMP * v) / INERTIA
        x, v = x + h * v + h * h / 2 * u, v + h * u
        found.append((x, v))
    return np.transpose(found)


@pytest.mark.mpi
def test_controller():
    """A controller that samples angle and rate and holds its torque: the motion is that of the
    sampled system, its work the kinetic energy, to the first order in the step that jumps of the
    torque leave."""
    errors = []
    for h in (STEP, STEP / 2):
        results = fc.Simulation(disc(), dt=h, t_end=0.5, on_step=held).run()
        x, v = exact(round(0.5 / h), h)
        kinetic = results["energy.kinetic"].max()
        errors.append([
            abs(results["shaft.angle"] - x).max() / TARGET,
            abs(results["shaft.speed"] - v).max() / v.max(),
            abs(results["energy.balance"]).max() / kinetic,
        ])  # fmt: skip
        assert results["energy.fed"][-1] == pytest.approx(
            results["energy.kinetic"][-1], abs=0.02 * kinetic
        )
    assert np.all(np.array(errors[0]) < (3e-3, 3e-3, 1.5e-2))
    assert np.array(errors[1]) == pytest.approx(np.array(errors[0]) / 2, rel=0.05)


def test_it_is_called_after_each_step(tmp_path):
    times = []
    results = fc.Simulation(
        disc(), dt=STEP, t_end=0.02, on_step=lambda s: times.append(s.t), output=tmp_path / "run"
    ).run()
    assert times == pytest.approx(results.time[1:], abs=1e-15)
    assert len(times) == results.summary["steps"]


def test_a_number_that_is_set_is_the_model_s_from_then_on():
    """A stiffness doubled at half time: Hooke's law on either side, tangents made anew."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(1.2, 0, 0), name="body"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    ends = system.ground.at((0, 0, 0)), body.center
    system.add(fc.SpringDamper(*ends, stiffness=50.0, free_length=1.0, name="spring"))
    changed = []

    def twice(stepper):
        if stepper.t > 0.0999 and not changed:
            changed.append(len(stepper.events))
            stepper.assign("spring", stiffness=100.0)

    results = fc.Simulation(system, dt=1e-4, t_end=0.2, on_step=twice).run()
    x, v, t = results["body.x"], results["body.vx"], results.time
    half = np.searchsorted(t, 0.1)
    first, second = np.sqrt(50.0), np.sqrt(100.0)
    assert x[:half] == pytest.approx(1 + 0.2 * np.cos(first * t[:half]), abs=2e-6)
    later = t[half:] - t[half]
    free = (x[half] - 1) * np.cos(second * later) + v[half] / second * np.sin(second * later)
    assert x[half:] == pytest.approx(1 + free, abs=5e-5)
    jump = 50.0 / 2 * (x[half] - 1) ** 2
    assert results["energy.fed"][-1] == pytest.approx(jump, rel=1e-3)
    # the one step in which the force jumps is of the first order
    assert abs(results["energy.balance"]).max() < 1e-3 * jump


def test_what_cannot_be_set():
    stepper = fc.Stepper(disc(), dt=STEP, t_end=0.1)
    stepper.start()
    with pytest.raises(fc.InputError, match="nothing called 'moter'.*did you mean 'motor'"):
        stepper.assign("moter", vector=(0, 0, 1))
    with pytest.raises(fc.InputError, match="motor has no number 'vektor' .did you mean 'vector'"):
        stepper.assign("motor", vektor=(0, 0, 1))
    for wrong in ((0, 1), (0, 0, np.nan), (0, 0, np.inf)):
        with pytest.raises(fc.InputError, match="motor: vector takes 3 finite numbers, got"):
            stepper.assign("motor", vector=wrong)
    with pytest.raises(fc.InputError, match="on_step must be a function"):
        fc.Simulation(disc(), dt=STEP, t_end=0.1, on_step=3)


def test_before_each_step():
    """Values at the end of the coming step: a force that varies with time acts as one given as a
    function of time does, m x'' = F sin(w t) in closed form, of second order; held by ``on_step``
    it is of first order. Both ways its work is the kinetic energy."""
    mass, amplitude, omega = 2.0, 3.0, 8.0

    def run(h, **door):
        system = fc.System(gravity=(0, 0, 0))
        body = system.add(fc.RigidBody(mass, (1, 1, 1), name="body", free=True))
        system.add(fc.Force(body, (0, 0, 0), name="push"))
        system.add(fc.Probe(body.center, name="p"))
        results = fc.Simulation(system, dt=h, t_end=1.0, progress=False, **door).run()
        t = results.time
        exact = amplitude / (mass * omega) * (t - np.sin(omega * t) / omega)
        return results, abs(results["p.x"] - exact).max()

    def push(stepper, t):
        ends.append(t)
        stepper.assign("push", vector=(amplitude * np.sin(omega * t), 0, 0))

    errors = []
    for h in (0.01, 0.005):
        ends = []
        results, error = run(h, before_step=push)
        errors.append(error)
        assert ends == pytest.approx(results.time[1:], abs=1e-12)
        assert results["energy.fed"][-1] == pytest.approx(results["energy.kinetic"][-1], rel=1e-3)
        assert abs(results["energy.balance"]).max() < 1e-3 * results["energy.kinetic"].max()
    assert errors[0] < 2e-4
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.1)
    late = [run(h, on_step=lambda s: push(s, s.t))[1] for h in (0.01, 0.005)]
    assert late[1] == pytest.approx(late[0] / 2, rel=0.1)
    assert late[1] > 10 * errors[1]


def test_before_step_must_be_a_function():
    with pytest.raises(fc.InputError, match="before_step must be a function"):
        fc.Simulation(fc.System(), dt=1e-3, t_end=1.0, before_step=3)
