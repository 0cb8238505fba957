"""Gears in pictures: their teeth mesh where the phase says."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

import fem_clearance as fc
from fem_clearance import gears
from fem_clearance.cases import get
from fem_clearance.gears.outline import outline, tooth_turns

from ..scenes import items_of

X = (1, 0, 0)


def test_gears_mesh_where_the_phase_says():
    """Flanks of the drawn outlines touch on the line of action, base pitches from where the gear's
    tip meets it (involute geometry), and no tooth cuts into another."""
    pinion = gears.SpurGear(20, 3e-3, np.radians(20), 0.02)
    gear = gears.SpurGear(33, 3e-3, np.radians(20), 0.02)
    mesh = gears.GearMesh(pinion, gear)
    for phase in (0.0, 0.3, 0.7):
        turned = []
        for wheel, turn, x in zip((pinion, gear), tooth_turns(mesh, phase), (0, 1), strict=True):
            c, s = np.cos(turn - np.pi / 2), np.sin(turn - np.pi / 2)
            flat = outline(wheel, 2000) @ np.array([[c, s], [-s, c]])
            turned.append(flat + [x * mesh.centre_distance, 0])
        away, _ = cKDTree(turned[1]).query(turned[0])
        assert away.min() < 2e-6
        # the pinion turns about z: its driving flank pushes along the line of action, which leans
        # by the pressure angle from the pitch circles' tangent (downwards: y falls to the gear)
        angle = mesh.pressure_angle
        direction = np.array([np.sin(angle), np.cos(angle)])
        pitch = np.array([pinion.reference_radius, 0])
        s = phase * mesh.base_pitch - mesh.exact_lengths[0]
        touch = pitch + s * direction
        for flat in turned:
            assert np.linalg.norm(flat - touch, axis=1).min() < 5e-6


def test_gear_pairs_show_their_gears():
    case = get("spur_gear_pair")
    found = items_of(case.model(case.resolve({})).system)["mesh"]
    pinion, gear = found["gears"]
    assert (pinion["teeth"], gear["teeth"]) == (25, 31)
    reach = [np.linalg.norm(g["outline"], axis=1).max() for g in (pinion, gear)]
    assert reach == pytest.approx([g["tip_radius"] for g in (pinion, gear)])
    assert pinion["towards"] == [1, 0, 0] and pinion["axis"] == [0, 0, 1]


def in_space(gear: dict, motion, frame: int, count: int = 40) -> np.ndarray:
    """The outline of a gear of a recorded pair as a picture places it, finely divided, m."""
    flat = np.array(gear["outline"])
    fine = np.linspace(flat, np.roll(flat, -1, axis=0), count, axis=1, endpoint=False)
    towards, axis = np.array(gear["towards"]), np.array(gear["axis"])
    c, s = np.cos(gear["turn"] - np.pi / 2), np.sin(gear["turn"] - np.pi / 2)
    turned = fine.reshape(-1, 2) @ np.array([[c, s], [-s, c]])
    local = turned @ np.array([towards, np.cross(axis, towards)])
    return motion.position[0, frame] + local @ motion.triad[0, frame].T


@pytest.mark.parametrize("phase", [0.2, 0.8])
def test_gears_of_a_pair_touch_in_pictures(phase):
    """Whatever the bodies' axes, flanks of the recorded outlines touch at the start, where the
    mesh's phase says: a path s from the pitch point along the line of action."""
    spur = gears.SpurGear(24, 4e-3, np.radians(20), 0.02)
    mesh = gears.GearMesh(spur, spur)
    system = fc.System(gravity=(0, 0, 0))
    bodies = []
    for name, x, turned in (("one", 0.0, (0.3, 0.2, 0.1)), ("two", 1.0, (-1.0, 0.5, 0.7))):
        place = np.array([0, x * mesh.centre_distance, 0])
        bodies.append(system.add(fc.RigidBody(1.0, (1, 1, 1), position=place, orientation=turned,
                                              name=name)))  # fmt: skip
        system.add(fc.RevoluteJoint(system.ground, bodies[-1].center, X, name=f"pin_{name}"))
    system.add(gears.GearPair(bodies[0].center, bodies[1].center, X, mesh=mesh, phase=phase,
                              stiffness=gears.ConstantStiffness(1e8), name="mesh"))  # fmt: skip
    motion = fc.Simulation(system, dt=1e-5, t_end=1e-5, progress=False).run().motion
    item = next(i for i in motion.scene["items"] if i["name"] == "mesh")
    one, two = (
        in_space(g, motion, item[f"frame_{s}"]) for g, s in zip(item["gears"], "ij", strict=True)
    )
    np.testing.assert_allclose(one[:, 0], 0, atol=1e-15)
    # the centres lie along y, the pinion turns about x: its flanks push towards +z
    s = phase * mesh.base_pitch - mesh.exact_lengths[0]
    angle = mesh.pressure_angle
    touch = np.array([0, spur.reference_radius + s * np.sin(angle), s * np.cos(angle)])
    for outline_ in (one, two):  # of 14 chords a flank: 20 um from the involute at most
        assert np.linalg.norm(outline_ - touch, axis=1).min() < 4e-5
