"""Involute gears and their meshes: radii, contact ratios and events of Tian et al. (2015) tables 1
and 2, and the rack that cuts them."""

import numpy as np
import pytest

from fem_clearance import InputError
from fem_clearance.cases import spur_gear_pair
from fem_clearance.gears import GearMesh, SpurGear
from fem_clearance.gears.outline import ToothProfile, fillet, flank, involute_flank, outline

DEG = np.pi / 180
PINION = SpurGear(25, 3.175e-3, 25 * DEG, 31.75e-3, bore_radius=8.5e-3)
GEAR = SpurGear(31, 3.175e-3, 25 * DEG, 31.75e-3, bore_radius=10.8e-3)


def test_radii_of_table_1():
    assert PINION.base_radius == pytest.approx(0.035969090298017044, rel=1e-14)
    # printed as 0.0428, 0.0523, 0.0357, 0.0452: truncated
    assert [PINION.tip, GEAR.tip] == pytest.approx([0.0428625, 0.0523875])
    assert [PINION.root_radius, GEAR.root_radius] == pytest.approx([0.03571875, 0.04524375])


def test_radii_of_table_2():
    gear = SpurGear(28, 3.383e-3, 20 * DEG, 20e-3)
    radii = [gear.base_radius, gear.tip, gear.root_radius]
    assert radii == pytest.approx([0.044506, 0.050745, 0.043133], abs=5e-7)
    assert GearMesh(gear, gear).contact_ratio == pytest.approx(1.638, abs=5e-4)


def test_contact_ratios():
    """1.4625 with the true addenda, 1.4312 with the printed ones; 62/62 teeth: the value of the
    rotordynamics library ROSS."""
    assert GearMesh(PINION, GEAR).contact_ratio == pytest.approx(1.4625, abs=1e-4)
    cut = [SpurGear(z, 3.175e-3, 25 * DEG, 31.75e-3, tip_radius=r)
           for z, r in ((25, 0.0428), (31, 0.0523))]  # fmt: skip
    mesh = GearMesh(*cut)
    assert mesh.contact_ratio == pytest.approx(1.4312, abs=5e-5)
    assert mesh.approach_length == pytest.approx(6.51455e-3, rel=1e-6)
    assert mesh.approach_length / mesh.base_pitch == pytest.approx(0.72063, abs=1e-5)
    large = SpurGear(62, 2e-3, 20 * DEG, 20e-3)
    assert GearMesh(large, large).contact_ratio == pytest.approx(1.7897798668, rel=1e-10)


@pytest.mark.parametrize(
    "rpm, unit, events",
    [(2.4, 1.0, (1.000, 0.433, 0.567, 0.7165)), (1500, 1e-3, (1.6, 0.6928, 0.9072, 1.1464))],
)
def test_events_of_the_mesh_cycle(rpm, unit, events):
    found = spur_gear_pair.mesh().events(2 * np.pi * rpm / 60)
    assert [found[n] / unit for n in ("cycle", "double", "single", "pitch")] == pytest.approx(
        events
    )


def test_pairs_on_the_path():
    mesh = spur_gear_pair.mesh()
    s = mesh.positions([0.0, 0.2, 0.433 + 1e-9, 0.9])
    assert np.isfinite(s).sum(axis=0).tolist() == [2, 2, 1, 1]
    assert s[1, 1] - s[0, 1] == pytest.approx(mesh.base_pitch)
    assert mesh.breaks == pytest.approx([0, 0.433, 0.7165, 1])
    x1, x2 = mesh.curvatures(mesh.approach_length)  # the pitch point
    assert [x1, x2] == pytest.approx(
        [g.reference_radius * np.sin(25 * DEG) for g in (PINION, GEAR)]
    )


def test_exact_path_of_approach_of_table_1():
    """6.51455e-3 m, 0.72063 base pitches, by the printed radii of the tips (docs/errata.md)."""
    mesh = spur_gear_pair.mesh("exact")
    assert mesh.approach_length == pytest.approx(6.51455e-3, rel=1e-6)
    assert mesh.breaks == pytest.approx([0, 0.433, 0.72063, 1], abs=1e-5)


def test_path_ends_at_the_tips():
    """The exact path begins on the gear's tip circle and ends on the pinion's."""
    mesh = GearMesh(PINION, GEAR)
    begin, end = mesh.curvatures(0.0), mesh.curvatures(mesh.path_length)
    assert np.hypot(GEAR.base_radius, begin[1]) == pytest.approx(GEAR.tip, rel=1e-12)
    assert np.hypot(PINION.base_radius, end[0]) == pytest.approx(PINION.tip, rel=1e-12)


def test_closest_centres_have_no_backlash():
    shifted = [
        SpurGear(z, 3e-3, 20 * DEG, 20e-3, profile_shift=x) for z, x in ((18, 0.4), (30, 0.2))
    ]
    mesh = GearMesh(*shifted)
    assert mesh.backlash == pytest.approx(0, abs=1e-15)
    apart = GearMesh(*shifted, mesh.centre_distance + 1e-5)
    # moving the centres apart by da opens both flanks by sin(angle) da each
    assert apart.backlash == pytest.approx(2e-5 * np.sin(mesh.pressure_angle), rel=2e-3)
    assert apart.contact_ratio < mesh.contact_ratio


def test_flank_is_an_involute():
    """Every normal touches the base circle, and the tooth is as thick as half a pitch at the
    reference circle."""
    points = involute_flank(PINION, 2000)
    tangents = np.gradient(points, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    # the normal at a point passes the centre at the distance of the base circle
    passing = np.abs(np.einsum("nk,nk->n", points, tangents))
    assert passing[5:-5] == pytest.approx(PINION.base_radius, rel=1e-5)
    half = PINION.half_angle(PINION.reference_radius) * PINION.reference_radius
    assert 2 * half == pytest.approx(np.pi * PINION.module / 2)


def test_fillet_joins_root_and_flank_smoothly():
    curve = fillet(PINION, 400)
    assert np.hypot(*curve[0]) == pytest.approx(PINION.root_radius, rel=1e-12)
    upper = involute_flank(PINION, 4000, np.hypot(*curve[-1]))
    assert curve[-1] == pytest.approx(upper[0], abs=1e-12)
    ends = [curve[-1] - curve[-2], upper[1] - upper[0], curve[1] - curve[0]]
    ends = [z / np.linalg.norm(z) for z in ends]
    assert ends[0] @ ends[1] == pytest.approx(1, abs=1e-4)
    assert abs(ends[2] @ curve[0]) / PINION.root_radius < 2e-2  # along the root circle


def test_outline_is_what_the_rack_leaves():
    """Roll a rack with rounded tips past the gear: it touches the outline of the space's right side
    everywhere and cuts nowhere into it (the envelope, computed without the formula of the
    trochoid)."""
    gear, m, a = PINION, PINION.module, PINION.pressure_angle
    curve = flank(gear, 120)
    # from the tooth's middle to the space's: a turn by half a pitch
    angle = np.pi / gear.teeth - np.arctan2(*curve.T)
    radius = np.hypot(*curve.T)
    depth, rounding = gear.rack_depth, gear.tool_tip_radius * m
    least = np.full(len(curve), np.inf)
    for roll in np.linspace(-0.25, 0.45, 3501):  # of the gear, rad
        x, y = radius * np.sin(angle + roll), radius * np.cos(angle + roll) - gear.reference_radius
        x = (
            x - gear.reference_radius * roll
        )  # in the rack, its tooth's middle at x = 0, pointing down
        to_flank = (x - np.pi * m / 4 - y * np.tan(a)) * np.cos(a)
        # beside the rounding the distance is that from its centre
        cx, cy = gear.rack_half_land, -depth
        along = (x - cx) * np.sin(a) + (y - cy) * np.cos(a)  # towards the rack's root
        round_ = np.hypot(x - cx, y - cy) - rounding
        below = -(y + depth + rounding)  # of the flat tip
        inside = np.where(along > 0, to_flank, np.where(x < cx, below, round_))
        least = np.minimum(least, np.where(x > 0, inside, np.inf))
    assert np.abs(least).max() < 2e-7  # of teeth 7 mm high; the rolls are 0.2 mrad apart


def test_outline_closes_and_profiles_agree():
    points = outline(GEAR)
    x, y = points.T
    area = np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]) / 2
    assert np.pi * GEAR.root_radius**2 < area < np.pi * GEAR.tip**2
    with_fillet, without = ToothProfile(GEAR), ToothProfile(GEAR, fillet=False)
    above = np.linspace(GEAR.reference_radius, GEAR.tip * 0.99, 5)
    assert with_fillet.half_thickness(above) == pytest.approx(
        without.half_thickness(above), rel=1e-5
    )
    assert with_fillet.half_thickness(GEAR.root_radius) > without.half_thickness(GEAR.root_radius)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"teeth": 4}, "at least 5"),
        ({"teeth": 12, "pressure_angle": 20 * DEG}, "undercut"),
        ({"tip_radius": 0.03}, "inside the base circle"),
        ({"tip_radius": 0.06}, "flanks meet"),
        ({"bore_radius": 0.036}, "reaches the root circle"),
        ({"tool_tip_radius": 0.6}, "rack's tooth"),
        ({"pressure_angle": 25}, "pressure_angle"),
    ],
)
def test_gears_that_cannot_be(changes, words):
    given = {"teeth": 25, "module": 3.175e-3, "pressure_angle": 25 * DEG, "face_width": 31.75e-3}
    with pytest.raises(InputError, match=words):
        SpurGear(**(given | changes))


def test_meshes_that_cannot_be():
    with pytest.raises(InputError, match="jam"):
        GearMesh(PINION, GEAR, 0.088)
    with pytest.raises(InputError, match="do not reach"):
        GearMesh(PINION, GEAR, 0.096)
    with pytest.raises(InputError, match="same module"):
        GearMesh(PINION, SpurGear(31, 3e-3, 25 * DEG, 31.75e-3))
