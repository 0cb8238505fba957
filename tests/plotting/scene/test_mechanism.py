"""Where things are drawn: contacts stay contacts at any scale, joints stay closed, layers apart."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.plotting.scene import instants
from fem_clearance.plotting.scene.contacts import enlarged, journal
from fem_clearance.plotting.scene.mechanism import Mechanism
from fem_clearance.plotting.scene.scene import Scene

from .motions import BEARING, CLEARANCE, COUPLER, CRANK, pendulum, slider_crank


def item(scene, name):
    return next(i for i in scene.mechanism.items if i["name"] == name)


@pytest.mark.parametrize("make", [slider_crank, pendulum])
@pytest.mark.parametrize("scale", [1.0, 2.5, 6.0])
def test_what_touches_is_drawn_touching(make, scale):
    """The drawn bore's wall is as far from the drawn journal's as the true gap times the scale."""
    scene = Scene(*make(), clearance_scale=scale)
    joint = item(scene, "joint")
    radius, drawn, _ = enlarged(scene.drawing, joint)
    assert radius == BEARING and drawn == pytest.approx(BEARING - scale * CLEARANCE)
    place, bore = journal(scene.drawing, joint), scene.mechanism.pose(joint["frame_i"])
    for k in range(scene.mechanism.count):
        apart = np.linalg.norm(place(k)[:3, 3] - bore(k)[:3, 3])
        assert radius - drawn - apart == pytest.approx(0, abs=1e-12)


def test_a_free_journal_keeps_its_gap():
    scene = Scene(*slider_crank(ratio=0.4), clearance_scale=3.0)
    joint = item(scene, "joint")
    radius, drawn, _ = enlarged(scene.drawing, joint)
    place, bore = journal(scene.drawing, joint), scene.mechanism.pose(joint["frame_i"])
    apart = np.linalg.norm(place(5)[:3, 3] - bore(5)[:3, 3])
    assert radius - drawn - apart == pytest.approx(3.0 * 0.6 * CLEARANCE)


def test_the_meshes_touch():
    """Nearest points of bush and journal as they are put into the picture."""
    scene = Scene(*slider_crank(), clearance_scale=6.0)
    bush, pin = [p for p in scene.parts if p.name == "joint" and p.kind == "joint"]
    for k in (0, 3, 8):
        # a circle of 72 corners lies inside the true one by 1e-3 of its radius
        inner = bush.at(k).points
        gap = np.linalg.norm(inner[:, None, :2] - pin.at(k).points[None, :, :2], axis=2).min()
        assert gap < 0.09 * BEARING
        axis = scene.mechanism.pose(item(scene, "joint")["frame_i"])(k)[:2, 3]
        out = np.linalg.norm(pin.at(k).points[:, :2] - axis, axis=1).max()
        assert out == pytest.approx(BEARING, rel=2e-3)


def test_joints_stay_closed_and_what_is_guided_stays_in_its_guide():
    motion, channels = slider_crank()
    scene = Scene(motion, channels, clearance_scale=10.0)
    m = scene.mechanism
    lift = m.lift["coupler"]
    assert lift > 0 and m.lift["crank"] == m.lift["slider"] == 0
    a, o, guide = (item(scene, n) for n in ("A", "O", "guide"))
    for k in range(m.count):
        pin, other = (m.pose(a[f"frame_{s}"])(k)[:3, 3] for s in "ij")
        np.testing.assert_allclose(other - pin, (0, 0, lift), atol=1e-12)
        np.testing.assert_allclose(m.pose(o["frame_j"])(k)[:3, 3], 0, atol=1e-12)
        slider = m.pose(guide["frame_j"])(k)[:3, 3]
        np.testing.assert_allclose(slider, motion.position[k, guide["frame_j"]], atol=1e-12)
        # the crank's mesh is where its joint is
        end = m.body("crank")(k) @ [CRANK / 2, 0, 0, 1]
        np.testing.assert_allclose(end[:3], pin, atol=1e-12)


def test_layers_do_not_overlap():
    scene = Scene(*slider_crank())
    r = scene.drawing.ranges
    assert r["coupler"][0] > max(r["crank"][1], r["slider"][1])
    flat = Scene(*slider_crank(), layers=False)
    assert set(flat.mechanism.lift.values()) == {0.0}


def test_plane_up_and_sizes():
    motion, channels = slider_crank()
    m = Mechanism(motion)
    assert m.plane and m.flat and m.size == pytest.approx((CRANK + COUPLER - CLEARANCE) / 2, 1e-2)
    np.testing.assert_allclose(m.normal, (0, 0, 1))
    np.testing.assert_allclose(m.up, (0, 1, 0))
    motion.scene["up"] = [0, 0, 1]  # along the axes: of no use
    np.testing.assert_allclose(Mechanism(motion).up, (0, 1, 0))
    swings, _ = pendulum()
    m = Mechanism(swings)
    assert m.plane and not m.flat
    np.testing.assert_allclose(np.abs(m.normal), (0, 0, 1), atol=1e-12)


def test_automatic_scale():
    """To 0.35 of the bearing's radius, rounded down: 0.35 x 10 mm / 0.5 mm = 7."""
    motion, channels = slider_crank()
    expected = np.floor(0.35 * BEARING / CLEARANCE)
    assert Mechanism(motion).scale == {"joint": expected}
    assert Scene(motion, channels).caption == f"clearance × {expected:g}"
    assert Scene(motion, channels, clearance_scale={"joint": 2}).caption == "clearance × 2"
    assert Scene(motion, channels, clearance_scale=1).caption == ""


def test_a_small_motion_is_enlarged():
    """Displacements from the mean place, by the factor that the caption says."""
    motion, channels = pendulum()
    motion.position = motion.position.mean(axis=0) + 1e-3 * (
        motion.position - motion.position.mean(axis=0)
    )
    scene = Scene(motion, channels)
    assert scene.hardly_moves
    large = Scene(motion, channels, motion_scale=50.0, clearance_scale=1.0)
    assert large.caption == "motion × 50"
    tip = item(scene, "tip")["frame_i"]
    true = motion.position[:, tip] - motion.position[:, tip].mean(axis=0)
    drawn = large.mechanism.drawn(tip)
    np.testing.assert_allclose(drawn - drawn.mean(axis=0), 50 * true, atol=1e-9)
    assert Scene(motion, channels, motion_scale="auto").mechanism.motion_scale > 50


def test_instants():
    motion, channels = slider_crank(count=41)
    m = Mechanism(motion)
    np.testing.assert_allclose(instants.turned(m), 2 * np.pi * motion.time / 0.01, atol=1e-9)
    assert instants.last_turn(m) == (20, 40)
    assert instants.several(m, 5) == [20, 24, 28, 32, 36]  # the last is not the first again
    # force 100 + 50 cos over the later half: large, but not the largest
    k = instants.telling(m, channels)
    low, high = np.quantile(channels["joint.normal_force"][20:], (0.8, 0.97))
    assert k >= 20 and low <= channels["joint.normal_force"][k] <= high
    # without a contact force: where the box of the three joints is largest, of the later half
    pin, end = (motion.position[20:, item(Scene(motion), n)["frame_i"]] for n in ("A", "joint"))
    box = np.abs(pin[:, 1]) * (end[:, 0] - np.minimum(pin[:, 0], 0))
    assert box[instants.telling(m, None) - 20] == pytest.approx(box.max(), rel=0.02)
    swings, _ = pendulum(11)
    assert instants.several(Mechanism(swings), 5) == [0, 2, 5, 8, 10]
    assert instants.clock(0.02) == (1e3, "ms", 1) and instants.clock(20.0) == (1.0, "s", 1)


@pytest.mark.parametrize(
    "choices, words",
    [
        ({"color": "heat"}, "color 'heat': it must be one of bodies, von_mises, pressure"),
        ({"view": "under"}, "view 'under': it must be one of own, front"),
        ({"view": (0, 0, 0)}, "or a vector"),
        (
            {"clearance_scale": -1},
            "clearance_scale -1: it must be 'auto' or a positive factor, or one a joint",
        ),
        ({"clearance_scale": {"hinge": 2}}, "there is no item 'hinge'; there are O, drive"),
        ({"motion_scale": "big"}, "motion_scale 'big'"),
        ({"hide": ["lever"]}, "hide: there is no 'lever'"),
    ],
)
def test_choices_that_do_not_exist(choices, words):
    with pytest.raises(fc.InputError) as error:
        Scene(*slider_crank(), **choices)
    assert words in str(error.value)


def test_hidden_things_are_left_out():
    names = {p.name for p in Scene(*slider_crank(), hide=["coupler", "pin"]).parts}
    assert "coupler" not in names and "pin" not in names and "crank" in names
    kinds = {p.kind for p in Scene(*slider_crank(), forces=False, traces=False).parts}
    assert kinds == {"body", "joint", "ground"}


def test_worn_surfaces():
    """A bore that has lost 2 um over a quarter, a journal without wear: drawn by the caption's
    scale, at their angles from the first direction, which turns with the bearing."""
    motion, channels = slider_crank()
    joint = next(i for i in motion.scene["items"] if i["name"] == "joint")
    joint["worn"] = {"bins": 72, "first": [[0, 1, 0], [1, 0, 0]]}
    depths = np.zeros((21, 2, 72))
    depths[:, 0, 10:20] = 2e-6
    motion.worn = {"joint": depths}
    scene = Scene(motion, channels)
    scale = scene.mechanism.wear["joint"]
    assert scale == 600.0  # 0.12 x 10 mm / 2 um
    assert scene.caption.endswith("wear × 600")
    bush, pin = [p for p in scene.parts if p.name == "joint" and p.kind == "joint"]
    for k in (0, 7):
        place = scene.mechanism.pose(joint["frame_i"])(k)
        x = (bush.at(k).points - place[:3, 3]) @ place[:3, :3]
        inner = np.hypot(x[:, 0], x[:, 1])
        x, inner = x[inner < 1.15 * BEARING], inner[inner < 1.15 * BEARING]
        angle = np.degrees(np.arctan2(x[:, 1], x[:, 0]) - np.pi / 2) % 360  # from y
        worn = (angle > 47) & (angle < 98)
        np.testing.assert_allclose(inner[worn], BEARING + 600 * 2e-6, rtol=1e-5)
        np.testing.assert_allclose(inner[~worn], BEARING, rtol=1e-5)
        about = journal(scene.drawing, joint)(k)[:3, 3]
        rim = np.linalg.norm((pin.at(k).points - about)[:, :2], axis=1)
        np.testing.assert_allclose(rim, enlarged(scene.drawing, joint)[1], rtol=1e-5)
