"""Derivatives of runs in which laws change at foreseen times: teeth of gears, sliding points."""

import numpy as np
import pytest
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears import ConstantFriction, GearPair, RectangularStiffness
from tests.sensitivity import models

RADII = [g.base_radius for g in (data.mesh().pinion, data.mesh().gear)]
#: of a mesh so soft that steps of a hundredth of a millisecond resolve its oscillation
LARGEST, MEAN = 1e-3 * data.LARGEST, 1e-3 * data.MEAN
#: the same with fewer pairs in contact
LEAST = (MEAN - (data.RATIO - 1) * LARGEST) / (2 - data.RATIO)
GEARS = {"stiffness": 1.0, "inertia": 1.0, "speed": 100.0, "phase": 0.2}


def gears(p):
    """Gears on bearings that turn without load, pressed together by 10 um at the start."""
    system, mesh, bodies = fc.System(gravity=(0, 0, 0)), data.mesh(), []
    speeds = p["speed"] * np.array([1.0, -RADII[0] / RADII[1]])
    inertias = np.array(data.INERTIAS) * (1.0, p["inertia"])
    for k in (0, 1):
        place = (k * mesh.centre_distance, 0, 0)
        body = fc.RigidBody(
            data.MASSES[k], (inertias[k] / 1.5, inertias[k] / 1.5, inertias[k]), position=place,
            angular_velocity=(0, 0, speeds[k]), free=True, name=("pinion", "gear")[k],
        )  # fmt: skip
        bodies.append(system.add(body))
        system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
        if p.get("torque"):
            system.add(fc.Torque(body.center, (0, 0, (1.0, 0.9)[k] * p["torque"])))
    friction = ConstantFriction(p["friction"]) if p.get("friction") else None
    system.add(
        GearPair(
            bodies[0].center, bodies[1].center, (0, 0, 1), mesh=mesh, speed=p.get("nominal"),
            stiffness=RectangularStiffness(p["stiffness"] * LARGEST, p["stiffness"] * MEAN),
            damping=p.get("damping", 0.0), mass=0.4, friction=friction, phase=p["phase"],
            initial=1e-5, name="mesh",
        )
    )  # fmt: skip
    return system


def oscillation(p, t_end):
    """The same in closed form: d'' = -k d / m, with the stiffness k of the teeth in contact, which
    changes as the way of the pinion, r w t + (d - d(0)) m r^2 / I, says; d and its rate."""
    yields = np.array(RADII) ** 2 / (np.array(data.INERTIAS) * (1.0, p["inertia"]))
    mass = 1 / yields.sum()
    t, x, v = 0.0, 1e-5, 0.0
    for end, most in ((data.RATIO - 1, True), (1.0, False), (data.RATIO, True)):
        rate = np.sqrt(p["stiffness"] * (LARGEST if most else LEAST) / mass)

        def at(s, x=x, v=v, rate=rate):
            cos, sin = np.cos(rate * s), np.sin(rate * s)
            return np.array([x * cos + v / rate * sin, v * cos - x * rate * sin])

        def ahead(s, t=t, at=at, end=end):
            way = RADII[0] * p["speed"] * (t + s) + mass * yields[0] * (at(s)[0] - 1e-5)
            return end - p["phase"] - way / data.mesh().base_pitch

        if ahead(t_end - t) > 0:
            break
        s = brentq(ahead, 0.0, t_end - t, xtol=1e-18, rtol=1e-15)
        (x, v), t = at(s), t + s
    return at(t_end - t)


def of_closed_form(p, t_end):
    """Its derivatives, 2 x parameters."""
    columns = []
    for name, value in p.items():
        d = 1e-3 * value
        columns.append(
            sum(
                factor / d * oscillation({**p, name: value + k * d}, t_end)
                for k, factor in ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
            )
        )
    return np.array(columns).T


def same(d, other, tolerance):
    """Whether derivatives agree, by the largest of each output."""
    largest = np.abs(d.scaled).max(axis=1)[:, None]
    assert other / largest == pytest.approx(d.scaled / largest, abs=tolerance)


def ends(s):
    """How the steps of a run end."""
    return [step.kind for step in s.run().stepper.record]


ERROR = ["mesh.transmission_error", "mesh.transmission_error_rate"]


def test_teeth_in_contact():
    """The stiffness jumps when a pair of teeth leaves and when the next one enters, at times that
    the speed and the oscillation decide on: closed form."""
    s = fc.Sensitivity(gears, at=GEARS, of=ERROR, t_end=3e-3, dt=1e-5, newton_tolerance=1e-12)
    d = s.forward(histories=False)
    assert ends(s).count("foreseen") >= 2
    assert d.values == pytest.approx(oscillation(GEARS, 3e-3), rel=1e-3)
    same(d, of_closed_form(GEARS, 3e-3) * d.parameters, 3e-4)
    same(d, s.adjoint().scaled, 1e-9)


def test_gears_under_load():
    """Friction, damping, and torques that accelerate the gears, so that steps to the times foreseen
    go too far and are repeated; by both ways, and by differences of runs."""
    at = {"speed": 100.0, "torque": 50.0, "friction": 0.05}
    of = [*ERROR, "mesh.mesh_phase"]

    def model(p):
        return gears({**GEARS, "damping": 0.05, **p})

    settings = {"t_end": 1e-3, "dt": 1e-5, "newton_tolerance": 1e-12}
    s = fc.Sensitivity(model, at=at, of=of, **settings)
    d = s.forward(histories=False)
    assert "passed" in ends(s)
    same(d, s.adjoint().scaled, 1e-9)
    found = models.differences(model, at, of, 1e-3, **settings) * d.parameters
    same(d, found, 1e-3)


def test_teeth_by_a_nominal_speed():
    """Where the teeth follow a given speed, times of events change with it alone."""
    at = {"nominal": 100.0, "stiffness": 1.0}

    def model(p):
        return gears({**GEARS, **p})

    settings = {"t_end": 1e-3, "dt": 1e-5, "newton_tolerance": 1e-12}
    s = fc.Sensitivity(model, at=at, of=ERROR, **settings)
    d = s.forward()
    same(d, s.adjoint().scaled, 1e-9)
    found = models.differences(model, at, ERROR, 1e-3, **settings) * d.parameters
    same(d, found, 1e-3)


def test_gears_at_rest():
    """Gears that begin at rest pass their first event at a time that was not foreseen."""
    at = {**GEARS, "torque": 50.0}
    del at["speed"]

    def model(p):
        return gears({**p, "speed": 0.0, "phase": 0.4329})

    s = fc.Sensitivity(model, at=at, of=ERROR, t_end=5e-3, dt=1e-3)
    with pytest.raises(fc.InputError, match="not foreseen .*let it begin with a motion"):
        s.forward()


def test_stages():
    s = fc.Sensitivity(gears, at=GEARS, of=ERROR, t_end=1e-3, integrator=fc.Bathe())
    with pytest.raises(fc.InputError, match="gear pairs, sliding points.* use GeneralizedAlpha"):
        s.forward()


def slope(p):
    """A bead on a rigid straight line of unequal elements that slopes down."""
    along = np.array([np.cos(p["angle"]), -np.sin(p["angle"]), 0.0])
    system = fc.System(gravity=(0, -9.81, 0))
    line = system.add(
        fc.Beam((0, 0, 0), along, fc.Rectangle(0.01, 0.01), fc.StVenantKirchhoff(2e11, 0.3, 7800),
                [0, 0.1, 0.25, 0.3, 0.6, 1.0], model="cable", free=True, name="line")
    )  # fmt: skip
    for node in line.nodes:
        for block in node.values():
            block.fixed[:] = True
    bead = fc.RigidBody(
        0.5, (1e-3,) * 3, position=0.02 * along, velocity=p["speed"] * along, free=True, name="bead"
    )
    system.add(bead)
    system.add(fc.SlidingJoint(line, bead.center, name="slide"))
    return system


@pytest.mark.parametrize("settings", [{"dt": 1e-2}, {"tolerance": 1e-6}])
def test_bead_on_a_straight_line(settings):
    """s = s_0 + u t + g sin(a) t^2 / 2, across nodes; the force does not change with the speed."""
    at = {"angle": 0.5, "speed": 0.3}
    of = ["slide.s", "slide.speed", "slide.force.y"]
    s = fc.Sensitivity(slope, at=at, of=of, t_end=0.35, newton_tolerance=1e-12, **settings)
    d = s.forward()
    assert ends(s).count("foreseen") >= 3
    t, g, a = 0.35, 9.81, 0.5
    exact = [[g * np.cos(a) * t**2 / 2, t], [g * np.cos(a) * t, 1.0]]
    exact.append([-0.5 * g * np.sin(2 * a), 0.0])
    assert d.jacobian == pytest.approx(np.array(exact), abs=1e-4)
    same(d, s.adjoint().scaled, 3e-9)  # round-off of the force, which grows as 1/h^2 in cut steps


def bridge(p):
    """A bead that slides over a flexible beam between two bearings."""
    system, along = fc.System(gravity=(0, -9.81, 0)), np.array([1.0, -0.2, 0.0])
    material = fc.StVenantKirchhoff(p["E"], 0.3, 7800)
    beam = system.add(
        fc.Beam((0, 0, 0), along, fc.Rectangle(0.02, 0.02), material, 6, model="cable", name="beam")
    )
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.SphericalJoint(system.ground.point(along), beam.end))
    bead = fc.RigidBody(
        p["mass"], (1e-3,) * 3, position=0.1 * along, velocity=p["speed"] * along, free=True,
        name="bead",
    )  # fmt: skip
    system.add(bead)
    friction = fc.SmoothCoulomb(p["friction"]) if "friction" in p else None
    system.add(fc.SlidingJoint(beam, bead.center, friction=friction, name="slide"))
    return system


def test_bead_on_a_flexible_beam():
    """By both ways, by differences of runs (so close that all have as many steps), and by the
    remainder of the linear prediction."""
    at = {"E": 2e9, "mass": 0.5, "speed": 1.0}
    of = ["bead.x", "bead.y", "slide.s", "bead.vx", "bead.vy"]
    settings = {"t_end": 0.25, "dt": 2e-3, "newton_tolerance": 1e-12}
    s = fc.Sensitivity(bridge, at=at, of=of, **settings)
    d = s.forward(histories=False)
    assert ends(s).count("foreseen") >= 2
    same(d, s.adjoint().scaled, 1e-9)
    found = models.differences(bridge, at, of, 1e-4, **settings) * d.parameters
    same(d, found, 3e-5)
    assert s.check({"mass": 1.0}).orders[-2:] == pytest.approx(2.0, abs=0.2)


def test_bead_with_friction():
    at = {"speed": 1.0, "friction": 0.1}

    def model(p):
        return bridge({"E": 2e9, "mass": 0.5, **p})

    s = fc.Sensitivity(model, at=at, of=["slide.s", "bead.vy"], t_end=0.25, dt=5e-3)
    d = s.forward(histories=False)
    assert ends(s).count("foreseen") >= 2
    same(d, s.adjoint().scaled, 1e-9)
