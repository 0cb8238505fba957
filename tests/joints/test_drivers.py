"""Drivers prescribe motion exactly; their torque, force and power are those of mechanics."""

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.functions import rate, value

Z = (0, 0, 1)
FUNCTIONS = (
    fc.functions.Constant(2.0),
    fc.functions.Linear(3.0, 1.0),
    fc.functions.SmoothRamp(2.0, 0.5),
    fc.functions.Harmonic(2.0, 3.0, 0.3),
    fc.functions.Polynomial((1.0, 2.0, -3.0)),
)


class Chirp:
    """A user's function of time."""

    def __init__(self, size, rate):
        self.numbers = (size, rate)

    def expression(self, t, p):
        return p[0] * ufl.sin(p[1] * t**2)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: type(f).__name__)
def test_rates_of_functions(function):
    for t in (0.1, 0.45, 0.7):
        difference = (value(function, t + 1e-6) - value(function, t - 1e-6)) / 2e-6
        assert rate(function, t) == pytest.approx(difference, abs=1e-7)


def test_smooth_ramp():
    """Starts at rest, runs at its rate, speed and acceleration continuous."""
    ramp = fc.functions.SmoothRamp(2.0, 0.5)
    assert value(ramp, 0.0) == rate(ramp, 0.0) == 0.0
    assert value(ramp, 1.5) == pytest.approx(2.0 * (1.5 - 0.25), abs=1e-14)
    times = np.linspace(0.4999, 0.5001, 21)
    speeds = [rate(ramp, t) for t in times]
    assert np.ptp(speeds) < 1e-9


def test_driven_crank(pendulum, march):
    """Position is the prescribed one at every step, over several turns; torque J a + m g l cos."""
    system, rod, pin = pendulum()
    drive = system.add(
        fc.RotationDriver(pin.i, pin.j, Z, fc.functions.SmoothRamp(20.0, 0.3), name="drive")
    )
    assert drive.initial_rate == 0.0
    run = march(system, 1e-3, 1.0)
    angle = run["drive.angle"]
    assert angle[-1] == pytest.approx(20 * (1.0 - 0.15), abs=1e-12) and angle[-1] > 4 * np.pi
    assert run["rod.x"] == pytest.approx(0.5 * np.cos(angle), abs=1e-9)
    assert run["rod.y"] == pytest.approx(0.5 * np.sin(angle), abs=1e-9)
    t, inertia = run["time"], 2.0 / 3
    x = t / 0.3
    acceleration = np.where(x < 1, 20 / 0.3 * 30 * (x**2 - 2 * x**3 + x**4), 0.0)
    torque = inertia * acceleration + 2.0 * 9.81 * 0.5 * np.cos(angle)
    assert run["drive.torque"][2:] == pytest.approx(torque[2:], abs=0.03)
    work = np.sum((run["drive.power"][1:] + run["drive.power"][:-1]) / 2 * 1e-3)
    gained = run["energy.total"][-1] - run["energy.total"][0]
    assert work == pytest.approx(gained, rel=5e-4)


@pytest.mark.parametrize("function", [fc.functions.Harmonic(0.4, 1.0, 0.3), Chirp(0.5, 2.0)])
def test_start_in_motion(function, pendulum, march):
    """The initial pose counts as the function's initial value, the initial speed is its rate."""
    start, speed = value(function), rate(function)
    system, rod, pin = pendulum(velocity=(0, speed / 2, 0), angular_velocity=(0, 0, speed))
    drive = system.add(fc.RotationDriver(pin.i, pin.j, Z, function, name="drive"))
    assert drive.initial_rate == pytest.approx(speed)
    system.add(fc.AngleProbe(pin.i, pin.j, Z, initial=start, name="angle"))
    run = march(system, 1e-3, 0.5)
    exact = np.array([value(function, t) for t in run["time"]])
    assert run["drive.angle"] == pytest.approx(exact, abs=1e-12)
    assert run["angle.angle"] == pytest.approx(exact, abs=1e-8)
    assert run["angle.angle_deg"] == pytest.approx(np.degrees(exact), abs=1e-6)
    rates = np.array([rate(function, t) for t in run["time"]])
    assert run["angle.speed"] == pytest.approx(rates, abs=2e-4)


def test_driven_slide(march):
    """A carriage moved up and down a vertical guide: force m (a + g)."""
    system = fc.System()
    size, frequency = 0.1, 2.0
    speed = 2 * np.pi * frequency * size
    body = system.add(
        fc.RigidBody(
            3.0, (1, 1, 1), position=(0.3, 0.2, 0), velocity=(0, speed, 0), name="carriage"
        )
    )
    guide = system.add(fc.PrismaticJoint(system.ground, body.center, axis=(0, 1, 0)))
    system.add(
        fc.TranslationDriver(
            guide.i, guide.j, (0, 1, 0), fc.functions.Harmonic(size, frequency), name="drive"
        )
    )
    run = march(system, 1e-3, 0.5)
    moved = size * np.sin(2 * np.pi * frequency * run["time"])
    assert run["carriage.y"] == pytest.approx(0.2 + moved, abs=1e-10)
    assert run["drive.displacement"] == pytest.approx(moved, abs=1e-12)
    force = 3.0 * (9.81 - (2 * np.pi * frequency) ** 2 * moved)
    # the scheme's first steps of a prescribed motion are first order in the force
    assert run["drive.force"][80:] == pytest.approx(force[80:], abs=0.02)


def test_values_do_not_compile():
    """Two drivers of other numbers are two cells of one kind; another function is another kind."""
    system = fc.System()
    bodies = [system.add(fc.RigidBody(1, (1, 1, 1), position=(k, 0, 0))) for k in range(4)]
    drivers = (
        Chirp(1, 2),
        Chirp(2, 3),
        fc.functions.Linear(2.0),
        fc.functions.Polynomial((0.0, 1.0, 2.0)),
    )
    for body, function in zip(bodies, drivers, strict=True):
        system.add(fc.RotationDriver(system.ground, body.center, Z, function))
    kinds = [kind for kind in system.cells if type(kind).__name__ == "RotationKind"]
    assert [len(system.cells[k]) for k in kinds] == [2, 1, 1]
