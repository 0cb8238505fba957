"""Derivatives of runs that hold constraints on velocities too; of bodies that turn in a step."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Full
from tests.sensitivity import models

STABILISED = fc.GeneralizedAlpha(0.8, constraints="stabilised")


def rotor(p):
    """A rotor that turns about a fixed axis, without gravity."""
    system = fc.System(gravity=(0, 0, 0))
    arm = system.add(
        fc.RigidBody(
            mass=1.0,
            inertia=(1e-3, 0.1, 0.1),
            position=(0, 0, 0),
            angular_velocity=(0, 0, p["spin"]),
            name="arm",
        )
    )
    system.add(fc.RevoluteJoint(system.ground.at((0, 0, 0)), arm.at((0, 0, 0)), axis=(0, 0, 1)))
    system.add(fc.Probe(arm.at((p["length"], 0, 0)), name="tip"))
    return system


def two_arms(p):
    """A double pendulum of rigid arms."""
    system = fc.System(gravity=(0, -9.81, 0))
    first, second = (
        system.add(
            fc.RigidBody(mass=mass, inertia=(1e-3, 0.083, 0.083), position=(x, 0, 0), name=name)
        )
        for name, mass, x in (("one", p["mass"], 0.5), ("two", 1.0, 1 + p["length"] / 2))
    )
    ground = system.ground.at((0, 0, 0))
    system.add(fc.RevoluteJoint(ground, first.at((0, 0, 0)), axis=(0, 0, 1)))
    system.add(fc.SphericalJoint(first.at((1, 0, 0)), second.at((1, 0, 0))))
    system.add(fc.Probe(second.at((1 + p["length"], 0, 0)), name="tip"))
    return system


def check_both(s):
    """Forward derivatives, with which the adjoint ones agree."""
    d = s.forward(histories=False)
    assert s.adjoint().scaled == pytest.approx(d.scaled, rel=1e-9, abs=1e-12)
    return d


def test_spin():
    """A rotor that turns with omega: a point at the radius l is at l (cos, sin) omega t, and its
    derivatives by omega are l t (-sin, cos) omega t. Directors that go straight would be off by
    2e-3."""
    spin, length, t = 40.0, 1.0, 0.1
    s = fc.Sensitivity(
        rotor, at={"spin": spin, "length": length}, of=["tip.x", "tip.y"], t_end=t,
        integrator=STABILISED, dt=2e-3,
    )  # fmt: skip
    d = check_both(s)
    cos, sin = np.cos(spin * t), np.sin(spin * t)
    assert d.values == pytest.approx([cos, sin], abs=1e-6)
    assert d.jacobian == pytest.approx(np.array([[-t * sin, cos], [t * cos, sin]]), abs=1e-6)


def test_beam():
    """What the derivatives leave of computed changes is of second order over two decades."""
    s = fc.Sensitivity(
        models.beam, at=models.BEAM, of=["tip.x", "tip.y", "energy.kinetic"], t_end=0.05, dt=1e-3,
        newton_tolerance=1e-12, integrator=STABILISED,
    )  # fmt: skip
    check_both(s)
    test = s.check({"E": 0.3, "rho": -0.2, "damping": 0.5, "length": 0.1, "width": -0.2})
    assert test.orders[1:] == pytest.approx(2.0, abs=0.06)


@pytest.mark.parametrize(
    ("model", "at"),
    [
        (two_arms, {"mass": 1.0, "length": 1.0}),
        (models.driven_beam, {"amplitude": 0.3, "frequency": 2.0, "E": 6e7}),
    ],
    ids=["arms", "driver"],
)
def test_against_runs(model, at):
    """Arms that turn in each step, and a driver, which knows the time: differences of runs."""
    of = ["tip.x", "tip.y", "tip.vy", "energy.kinetic"]
    settings = {"t_end": 0.05, "dt": 2.5e-3, "newton_tolerance": 1e-12, "integrator": STABILISED}
    d = check_both(fc.Sensitivity(model, at=at, of=of, **settings))
    found = models.differences(model, at, of, 1e-3, **settings) * d.parameters
    assert d.scaled == pytest.approx(found, rel=1e-6, abs=1e-8)


def test_an_onset():
    """The driven wall of test_located_onsets.py: x(T) = -w T + x_0 - (u + w) (T - t_1 - tau)."""
    at = {"gap": 0.2, "speed": 1.0, "wall": 0.5}
    s = fc.Sensitivity(
        models.driven_wall, at=at, of="ball.x", t_end=0.4, tolerance=1e-9, integrator=STABILISED
    )
    x, u, w, end = 0.2, 1.0, 0.5, 0.4
    v = u + w
    tau = 2.94328 * (1.25 / models.STIFFNESS) ** 0.4 * v**-0.2
    by_speed = -(end - x / v - tau) - v * (x / v**2 + 0.2 * tau / v)
    d = check_both(s)
    assert d.jacobian[0] == pytest.approx([2.0, by_speed, by_speed - end], abs=1e-4)


@pytest.mark.parametrize("constraints", ["position", "stabilised"])
@pytest.mark.parametrize(
    ("model", "at"),
    [
        (two_arms, {"mass": 1.0, "length": 1.0}),
        (models.driven_beam, {"amplitude": 0.3, "frequency": 2.0, "E": 6e7}),
    ],
    ids=["arms", "driver"],
)
def test_two_stages(model, at, constraints):
    """Bathe's scheme, whose second stage knows the first: differences of runs."""
    of = ["tip.x", "tip.y", "energy.kinetic"]
    integrator = fc.Bathe(constraints=constraints)
    settings = {"t_end": 0.04, "dt": 4e-3, "newton_tolerance": 1e-12, "integrator": integrator}
    d = check_both(fc.Sensitivity(model, at=at, of=of, **settings))
    found = models.differences(model, at, of, 1e-3, **settings) * d.parameters
    assert d.scaled == pytest.approx(found, rel=1e-6, abs=1e-8)


def test_two_stages_of_a_film():
    """A film, whose forces know the start of the step: differences of runs."""
    of, model = ["journal.x", "journal.y"], models.journal(Full())
    settings = {"t_end": 1e-4, "dt": 2e-5, "newton_tolerance": 1e-13, "integrator": fc.Bathe()}
    d = check_both(fc.Sensitivity(model, at=models.JOURNAL, of=of, **settings))
    found = models.differences(model, models.JOURNAL, of, 1e-3, **settings)
    assert d.jacobian == pytest.approx(found, rel=1e-7)


def test_times_within_adaptive_steps():
    """Where a step must end within the run, the lengths of later steps follow: refused for bodies
    that turn within a step."""
    s = fc.Sensitivity(
        rotor, at={"spin": 40.0, "length": 1.0}, of=fc.At("tip.x", 0.05), t_end=0.1,
        integrator=STABILISED,
    )  # fmt: skip
    with pytest.raises(fc.InputError, match="give dt, or use constraints='position'"):
        s.forward()
