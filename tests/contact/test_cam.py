"""A cam with a roller follower: an eccentric circle as a profile, under an elastic roller."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes

RADIUS, OFF, ROLLER, LOAD = 0.03, 0.008, 0.012, 200.0


def profile(angle):
    """Of a circle whose centre is off the axis."""
    return OFF * np.cos(angle) + np.sqrt(RADIUS**2 - (OFF * np.sin(angle)) ** 2)


@pytest.mark.parametrize("degrees", [20.0, 160.0])
def test_eccentric_cam_and_roller(degrees):
    """The follower lies where the slider of a slider-crank does whose rod is as long as both radii
    together, and the force acts along that rod."""
    turn, rod = np.radians(degrees), RADIUS + ROLLER
    x, y = OFF * np.cos(turn), OFF * np.sin(turn)
    up = np.sqrt(rod**2 - x**2)
    system = fc.System(gravity=(0, 0, 0))
    first = (np.cos(turn), np.sin(turn), 0)
    cam = fc.ProfileSurface(system.ground.point((0, 0, 0)), radii=profile, pieces=64, first=first)
    place = (0, y + up - 1e-6, 0)
    mesh = meshes.hollow_cylinder(ROLLER / 2, ROLLER, 1.0, (96, 3), degree=2).moved(by=place)
    steel = fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
    roller = fc.Solid(mesh, steel, thickness=0.02, state="plane_strain", name="roller")
    system.add(roller)
    follower = system.add(fc.RigidBody(1.0, (1, 1, 1), position=place, name="follower"))
    system.add(fc.Attachment(roller.facets("bore"), follower, name="pin"))
    system.add(fc.PrismaticJoint(system.ground, follower.center, axis=(0, 1, 0)))
    system.add(fc.Force(follower.center, (0, -LOAD, 0)))
    system.add(fc.SurfaceContact(roller.facets("rim"), cam, law=fc.Winkler(1e15), name="c"))
    results = fc.Statics(system).solve()
    assert results["c.force.y"][-1] == pytest.approx(-LOAD, rel=1e-6)
    assert results["c.force.x"][-1] == pytest.approx(LOAD * x / up, rel=1e-2)
    height = system.state.q[follower.refs[0].numbers][1]
    assert height == pytest.approx(y + up, abs=2e-3 * OFF)
