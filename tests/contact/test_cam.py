"""A cam with a roller follower: an eccentric circle as a profile, under an elastic roller."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes

#: radius of the cam, eccentricity, radius and width of the roller, m
RADIUS, OFF, ROLLER, WIDTH = 0.03, 0.008, 0.012, 0.02
#: the follower lies where the slider of a slider-crank does whose rod is this long, m
ROD = RADIUS + ROLLER
STEEL, POLYMER = (fc.StVenantKirchhoff(*z) for z in ((2e11, 0.3, 7800.0), (1e10, 0.3, 1200.0)))


def profile(angle):
    """Of a circle whose centre is off the axis."""
    return OFF * np.cos(angle) + np.sqrt(RADIUS**2 - (OFF * np.sin(angle)) ** 2)


def lift(turn):
    """Height of the follower, and its derivatives by the angle of the cam's centre, m."""
    x, y = OFF * np.cos(turn), OFF * np.sin(turn)
    up = np.sqrt(ROD**2 - x**2)
    return y + up, x + x * y / up, (x**2 - y**2) / up - (x * y) ** 2 / up**3 - y


def mechanism(turn, material, load, law, crowded=0.0, cells=(96, 3), angle=None):
    """Cam, follower in a guide along y and roller on it, which the follower does not let turn.

    Args:
        turn: of the cam's centre at the start, from x, rad.
        load: on the follower, N.
        crowded: how much smaller cells are below the roller's axis, as a part of the mean.
        angle: by which the cam turns, a function of time; default: it is part of the ground.
    """
    system = fc.System(gravity=(0, 0, 0))
    place = (0, lift(turn)[0] - 1e-6, 0)
    mesh = meshes.hollow_cylinder(ROLLER / 2, ROLLER, 1.0, cells, degree=2)
    round_ = np.arctan2(mesh.points[:, 0], -mesh.points[:, 1])
    round_ -= crowded * np.sin(round_)
    r = np.hypot(mesh.points[:, 0], mesh.points[:, 1])
    mesh.points[:, :2] = np.stack([r * np.sin(round_), -r * np.cos(round_)], axis=1)
    plane = {"thickness": WIDTH, "state": "plane_strain", "name": "roller"}
    roller = system.add(fc.Solid(mesh.moved(by=place), material, **plane))
    follower = system.add(fc.RigidBody(1.0, (1, 1, 1), position=place, name="follower"))
    system.add(fc.Attachment(roller.facets("bore"), follower, name="pin"))
    system.add(fc.PrismaticJoint(system.ground, follower.center, axis=(0, 1, 0)))
    system.add(fc.Force(follower.center, (0, -load, 0)))
    system.add(fc.Probe(follower.center, name="at"))
    seat = system.ground.point((0, 0, 0))
    if angle is not None:
        cam = system.add(fc.RigidBody(1.0, (1, 1, 1), name="cam"))
        pin = system.add(fc.RevoluteJoint(system.ground, cam.center, axis=(0, 0, 1)))
        system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), angle))
        seat = cam.center
    first = (np.cos(turn), np.sin(turn), 0)
    surface = fc.ProfileSurface(seat, radii=profile, pieces=64, first=first)
    system.add(fc.SurfaceContact(roller.facets("rim"), surface, law=law, name="c"))
    return system


@pytest.mark.parametrize("degrees", [20.0, 160.0])
def test_eccentric_cam_and_roller(degrees):
    """The follower lies where the slider does, and the force acts along that rod."""
    turn, load = np.radians(degrees), 200.0
    results = fc.Statics(mechanism(turn, STEEL, load, fc.Winkler(1e15))).solve()
    y, x = lift(turn)[0], OFF * np.cos(turn)
    assert results["c.force.y"][-1] == pytest.approx(-load, rel=1e-6)
    assert results["c.force.x"][-1] == pytest.approx(load * x / (y - OFF * np.sin(turn)), rel=1e-2)
    assert results["at.y"][-1] == pytest.approx(y, abs=2e-3 * OFF)


#: load on the follower in motion, N, its mass with the roller, kg, and the speed of the cam at
#: which it jumps off at the highest point, where its acceleration is e (1 + e / l) speed^2, rad/s
LOAD = 2000.0
MASS = 1.0 + POLYMER.rho * 0.75 * np.pi * ROLLER**2 * WIDTH
JUMP = np.sqrt(LOAD / (MASS * OFF * (1 + OFF / ROD)))


def turned(speed, turns, steps):
    """From rest at the lowest point in half a turn's time to a speed, and on for some turns, in so
    many steps a turn: results, exact height of the follower, m, and vertical force, N."""
    period = 2 * np.pi / speed
    ramp = period / 2
    angle = fc.functions.SmoothRamp(rate=speed, duration=ramp)
    # ten times the modulus by the mean size of a facet; the default, by the smallest, is stiffer
    # than steps of this length resolve
    law = fc.Winkler(10 * POLYMER.E / (2 * np.pi * ROLLER / 64))
    system = mechanism(-np.pi / 2, POLYMER, LOAD, law, 0.8, (64, 2), angle)
    start = fc.Statics(system, time=0.0).solve().last
    results = fc.Simulation(
        system, fc.GeneralizedAlpha(0.8), dt=period / steps, t_end=ramp + turns * period,
        initial=start, progress=False,
    ).run()  # fmt: skip
    x = np.minimum(results.time / ramp, 1.0)
    angles = speed * (ramp * x**4 * (2.5 - 3 * x + x**2) + np.maximum(results.time - ramp, 0.0))
    rate, growth = (10 - 15 * x + 6 * x**2) * x**3, 30 * x**2 * (1 - x) ** 2 / ramp
    y, slope, curvature = lift(angles - np.pi / 2)
    return results, y, LOAD + MASS * speed * (speed * rate**2 * curvature + growth * slope)


@pytest.mark.slow
def test_slowly_turning_cam():
    """The follower's path is the exact one, less the approach of the bodies under the load, which
    hardly changes; the force is that which the path demands."""
    results, y, force = turned(0.05 * JUMP, 1.0, 200)
    assert -results["c.force.y"] == pytest.approx(force, rel=2e-3)
    sunk = y - results["at.y"]
    assert sunk.min() > 0 and np.ptp(sunk) < 5e-4 * OFF


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.96, 1.04])
def test_follower_jumps_off(part):
    """Just below the speed at which its weight and load cannot accelerate it downwards as fast as
    the cam recedes, the follower stays on the cam, and the force is F + M a; just above it, it
    leaves the cam beyond the highest point."""
    results, y, force = turned(part * JUMP, 0.4, 500)  # the highest point comes at 0.25
    if part < 1:
        assert -results["c.force.y"] == pytest.approx(force, abs=0.03 * LOAD)
        assert results["c.normal_force"].min() > 0
        return
    free = results["c.normal_force"] == 0
    left, exact = (results.time[np.argmax(z)] for z in (free, force < 0))
    assert left == pytest.approx(exact, abs=0.02 * 2 * np.pi / (part * JUMP))
    assert (results["at.y"] - y)[free].max() > 1e-5
