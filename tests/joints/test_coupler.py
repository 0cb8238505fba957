"""Couplers: trains of gears, racks, screws and differentials against their equations of motion."""

import numpy as np
import pytest

import fem_clearance as fc

J1, J2, TORQUE = 0.02, 0.3, 0.5


def disc(system, inertia, place, name):
    body = system.add(fc.RigidBody(1.0, (inertia,) * 3, position=place, name=name))
    pin = fc.RevoluteJoint(system.ground.at(place), body.center, axis=(0, 0, 1), name=f"{name}.pin")
    return body, system.add(pin)


def run(system, t_end=0.5, dt=1e-3):
    # directors turn within a step: exact in uniform rotation
    scheme = fc.GeneralizedAlpha(constraints="stabilised")
    return fc.Simulation(system, scheme, dt=dt, t_end=t_end, progress=False).run()


def test_gear_train():
    """20 and 60 teeth: (J1 + J2 / 9) a = T, the wheel turns backwards a third as fast, over many
    turns; the pinion's torque on the wheel is J2 a / 3; the coupler does no work."""
    system = fc.System(gravity=(0, 0, 0))
    first, pin_1 = disc(system, J1, (0, 0, 0), "pinion")
    _, pin_2 = disc(system, J2, (1, 0, 0), "wheel")
    system.add(fc.Coupler([pin_1, pin_2], [20, 60], name="gears"))
    system.add(fc.Torque(first, (0, 0, TORQUE)))
    for pin, name in ((pin_1, "a"), (pin_2, "b")):
        system.add(fc.AngleProbe(pin.i, pin.j, axis=(0, 0, 1), name=name))
    results = run(system, 5.0, 2e-3)
    acceleration = TORQUE / (J1 + J2 / 9)
    angle = acceleration * results.time**2 / 2
    assert angle[-1] > 15 * 2 * np.pi
    assert results["a.angle"] == pytest.approx(angle, abs=2e-4 * angle[-1])
    assert results["b.angle"] == pytest.approx(-results["a.angle"] / 3, abs=1e-9)
    assert results["gears.angle2"] == pytest.approx(results["b.angle"], abs=1e-12)
    assert results["gears.torque2"][-1] == pytest.approx(-J2 * acceleration / 3, rel=1e-5)
    assert results["gears.torque1"][-1] == pytest.approx(-J2 * acceleration / 9, rel=1e-5)
    # work is counted along chords of the directors' circles, up to (0.05 rad)^2 / 6 short a step
    assert results["energy.fed"][-1] == pytest.approx(TORQUE * results["a.angle"][-1], rel=1e-3)
    assert abs(results["energy.balance"]).max() < 1e-3 * results["energy.fed"][-1]
    assert abs(results["energy.dissipated"]).max() == 0


def test_rack():
    """A rack of mass m on a pinion of radius r: (J + m r^2) a = T."""
    system, r, m = fc.System(gravity=(0, 0, 0)), 0.1, 4.0
    pinion, pin = disc(system, J1, (0, 0, 0), "pinion")
    rack = system.add(fc.RigidBody(m, (1, 1, 1), position=(0, -r, 0), name="rack"))
    post = system.ground.at((-0.3, -r, 0))  # the displacement counts from the start
    guide = system.add(fc.PrismaticJoint(post, rack.center, axis=(1, 0, 0), name="guide"))
    system.add(fc.Coupler([guide, pin], [1, -r], name="mesh"))
    system.add(fc.Torque(pinion, (0, 0, TORQUE)))
    system.add(fc.Probe(rack.center, name="p"))
    results = run(system)
    acceleration = TORQUE / (J1 + m * r**2)
    assert results["p.vx"][-1] == pytest.approx(r * acceleration * 0.5, rel=1e-6)
    assert results["mesh.displacement1"] == pytest.approx(results["p.x"], abs=1e-10)
    assert results["mesh.force1"][-1] == pytest.approx(m * r * acceleration, rel=1e-6)


def test_screw():
    """A screw of pitch p turned by a torque: (J + m (p / 2 pi)^2) a = T + m g p / 2 pi."""
    system, pitch, m = fc.System(gravity=(0, 0, -9.81)), 0.02, 3.0
    nut = system.add(fc.RigidBody(m, (J1,) * 3, name="nut"))
    guide = system.add(
        fc.CylindricalJoint(system.ground, nut.center, axis=(0, 0, 1), name="thread")
    )
    lead = pitch / (2 * np.pi)
    system.add(fc.Coupler([(guide, "displacement"), (guide, "angle")], [1, -lead]))
    system.add(fc.Torque(nut, (0, 0, TORQUE)))
    system.add(fc.AngleProbe(guide.i, guide.j, axis=(0, 0, 1), name="a"))
    system.add(fc.Probe(nut.center, name="p"))
    results = run(system)
    acceleration = (TORQUE - m * 9.81 * lead) / (J1 + m * lead**2)
    assert results["a.speed"][-1] == pytest.approx(acceleration * 0.5, rel=1e-6)
    assert results["p.z"] == pytest.approx(lead * results["a.angle"], abs=1e-10)


def test_differential():
    """x1 + x2 - 2 x3 = 0 of two wheels and a cage with the torque T: each wheel gets T / 2."""
    system = fc.System(gravity=(0, 0, 0))
    bodies, pins = zip(
        *(disc(system, j, (x, 0, 0), n) for j, x, n in
          ((0.1, 0, "left"), (0.4, 1, "right"), (0.02, 2, "cage"))), strict=True,
    )  # fmt: skip
    system.add(fc.Coupler(pins, [1, 1, -2]))
    system.add(fc.Torque(bodies[2], (0, 0, TORQUE)))
    for pin, name in zip(pins, "abc", strict=True):
        system.add(fc.AngleProbe(pin.i, pin.j, axis=(0, 0, 1), name=name))
    results = run(system, 1.0)
    # multiplier f on each wheel: 0.1 a = f, 0.4 b = f, 0.02 c = T - 2 f, a + b = 2 c
    f = TORQUE / 0.02 / ((1 / 0.1 + 1 / 0.4) / 2 + 2 / 0.02)
    found = [results[f"{n}.speed"][-1] for n in "abc"]
    assert found == pytest.approx([f / 0.1, f / 0.4, (TORQUE - 2 * f) / 0.02], rel=1e-6)


def test_bad_input():
    system = fc.System()
    body = fc.RigidBody(1.0, (1, 1, 1))
    pin = fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1))
    both = fc.CylindricalJoint(system.ground, body.center, axis=(0, 0, 1))
    for joints, ratios, message in (
        ([pin], [1], "at least two joints"),
        ([pin, pin], [1, 0], "no ratio may be 0"),
        ([pin, pin], [1, 2, 3], "ratios"),
        ([pin, both], [1, 1], r"\(joint, 'angle'\) or \(joint, 'displacement'\)"),
        ([pin, (pin, "displacement")], [1, 1], "say which motion"),
        ([pin, body], [1, 1], "revolute, prismatic and cylindrical"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.Coupler(joints, ratios)
