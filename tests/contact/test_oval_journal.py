"""An elastic journal of oval section in an elastic bore, dry: any section may touch."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes

STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
#: half axes of the journal, radius of the bore, m, and load, N/m
AXES, BORE, LOAD = (10e-3, 9.98e-3), 10.05e-3, 1e3


def outline(turn, count=200001):
    """Points of the turned journal's section, m, (count, 2)."""
    t = np.linspace(0, 2 * np.pi, count)
    x, y = AXES[0] * np.cos(t), AXES[1] * np.sin(t)
    return np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], 1)


def lowest(turn):
    """How far the journal can go down in a rigid bore, m, and where it touches that, m."""
    x, y = outline(turn).T
    depth = y + np.sqrt(BORE**2 - x**2)  # along the vertical
    k = np.argmin(depth)
    return depth[k], np.array([x[k], y[k] - depth[k]])


@pytest.mark.parametrize("degrees", [0.0, 30.0, 75.0])
def test_oval_journal_in_a_bore(degrees):
    """Pressed down in a guide that does not let it turn, it comes to lie where a rigid one would,
    and the force acts along the normal of the bore there."""
    turn = np.radians(degrees)
    down, touch = lowest(turn)
    system = fc.System(gravity=(0, 0, 0))
    plane = {"material": STEEL, "state": "plane_strain"}
    mesh = meshes.hollow_cylinder(BORE, 2 * BORE, 1.0, (120, 2), degree=2)
    bore = system.add(fc.Solid(mesh, clamped="rim", name="bore", **plane))
    mesh = meshes.hollow_cylinder(AXES[0] / 2, AXES[0], 1.0, (140, 2), degree=2)
    mesh.points[:, 1] *= AXES[1] / AXES[0]
    c, s = np.cos(turn), np.sin(turn)
    place = (0, -down - 1e-8, 0)
    mesh = mesh.moved(rotation=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), by=place)
    journal = system.add(fc.Solid(mesh, name="journal", **plane))
    shaft = system.add(fc.RigidBody(1.0, (1, 1, 1), position=place, name="shaft"))
    system.add(fc.Attachment(journal.facets("bore"), shaft))
    system.add(fc.PrismaticJoint(system.ground, shaft.center, axis=(0, 1, 0)))
    system.add(fc.Force(shaft.center, (0, -LOAD, 0)))
    system.add(fc.Probe(shaft.center, name="at"))
    system.add(fc.SurfaceContact(journal.facets("rim"), bore.facets("bore"), name="c"))
    results = fc.Statics(system, steps=1).solve()
    force = np.array([results[f"c.force.{x}"][-1] for x in "xy"])
    assert force[1] == pytest.approx(-LOAD, rel=1e-6)
    assert force[0] / force[1] == pytest.approx(touch[0] / touch[1], abs=1e-3)
    assert results["at.y"][-1] == pytest.approx(-down, abs=2e-3 * (BORE - AXES[1]))
