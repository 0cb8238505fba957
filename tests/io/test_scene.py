"""``scene.json``: bodies, frames and names; every case is recognised."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.cases import get, names
from fem_clearance.model.item import Item
from fem_clearance.model.pair import Pair
from fem_clearance.model.portrait import Portrayed
from fem_clearance.plotting.scene.assembly import draw
from fem_clearance.plotting.scene.mechanism import Mechanism

from ..scenes import check, items_of, scene_of, two_bodies

X, Y, Z = np.eye(3)
JOINTS = {
    "revolute",
    "spherical",
    "cylindrical",
    "prismatic",
    "fixed",
    "point_on_line",
    "planar",
    "universal",
    "clearance_revolute",
    "clearance_spherical",
    "clearance_cylindrical",
    "clearance_translational",
    "film",
    "rod_guide",
    "contact_guide",
    "film_guide",
    "sliding",
    "rolling",
    "gear_pair",
    "distance",
    "attachment",
}


MOVING = [name for name in names() if get(name).analyse is None]


@pytest.mark.parametrize("name", MOVING)
def test_every_case_is_recognised(name):
    """Rigid bodies with mass have a shape; the scene has an up and joints."""
    case = get(name)
    scene = scene_of(case.model(case.resolve({})).system)
    check(scene)
    up = {"spatial": Y, "heavy_top": Z, "quick_return": Z}.get(name, Y)
    np.testing.assert_allclose(scene["up"], up, atol=1e-12)
    for body in scene["bodies"]:
        assert body["given"] or body["type"] != "rigid", f"{body['name']} has no shape"
    kinds = {i["type"] for i in scene["items"]}
    assert kinds & JOINTS or name == "twisting_column"


@pytest.mark.parametrize(
    ("name", "changes", "item", "kind", "sizes"),
    [
        (
            "slider_crank_revolute",
            {"clearance": 2e-4},
            "joint",
            "clearance_revolute",
            {"bearing_radius": 0.01, "journal_radius": 0.0098, "clearance": 2e-4, "length": 0.02},
        ),
        (
            "double_pendulum",
            {},
            "joint",
            "clearance_spherical",
            {"socket_radius": 0.02, "ball_radius": 0.018, "clearance": 2e-3},
        ),
        (
            "slider_crank_translational",
            {"clearance": 5e-4},
            "guide",
            "clearance_translational",
            {"length": 0.1, "height": 0.05, "width": 0.0, "gap": 0.051, "clearance": 5e-4},
        ),
        (
            "sliding_pendulum",
            {},
            "joint",
            "rod_guide",
            {"hole_radius": 0.0055, "rod_radius": 0.005, "clearance": 5e-4},
        ),
        (
            "spur_gear_pair",
            {},
            "mesh",
            "gear_pair",
            {"centre_distance": 88.9e-3, "module": 3.175e-3},
        ),
    ],
)
def test_sizes_are_the_case_s(name, changes, item, kind, sizes):
    case = get(name)
    found = items_of(case.model(case.resolve(changes)).system)[item]
    assert found["type"] == kind
    assert found["sizes"] == pytest.approx(sizes)


def test_channels_go_by_their_recorded_names():
    """Of a case that renames, and of an item whose name begins another's."""
    case = get("slider_crank_revolute")
    scene = case.simulation({"t_end": 1e-4}, progress=False).run().motion.scene
    items = {i["name"]: i for i in scene["items"]}
    assert items["drive"]["channels"]["torque"] == "crank.moment"
    assert items["joint"]["channels"]["ex"] == "joint.ex"
    assert items["crank_angle"]["channels"]["angle_deg"] == "crank.angle_deg"


def test_channels_of_an_item_are_its_own():
    """Not those of one whose name ends, or begins, likewise."""
    system, first, second = two_bodies()
    for name, body in (("pin", first), ("crankpin", second), ("pin2", second)):
        system.add(fc.Probe(body.center, name=name))
    motion = fc.Simulation(system, dt=1e-3, t_end=1e-3, progress=False).run().motion
    channels = {i["name"]: i["channels"] for i in motion.scene["items"]}
    assert all(own == f"pin.{ending}" for ending, own in channels["pin"].items())
    assert channels["crankpin"]["x"] == "crankpin.x" and len(channels["pin"]) == 12


# --- what users write -----------------------------------------------------------------------------
class Own:
    """An item of a user's that does not describe itself."""

    prefix = "own"

    def __init__(self, frame):
        self.name, self.i = None, frame

    def build(self, builder):
        pass


def test_items_that_do_not_describe_themselves():
    system, first, _ = two_bodies()
    item = system.add(Own(first.at((1, 2, 4))))
    assert isinstance(item, Item) and not isinstance(item, Portrayed)
    found = items_of(system)["own1"]
    assert (found["type"], found["frame_j"], found["sizes"]) == ("own", None, {})
    assert found["plain"]


class Rod(fc.DistanceJoint):
    """One of the package's joints under another name, which says nothing for pictures."""

    prefix = "rod"
    portrait = Pair.portrait


def test_pairs_that_do_not_describe_themselves_are_marked():
    """By a bar and two balls; those of the package say what they are."""
    system, first, second = two_bodies()
    system.add(Rod(first.center, second.at((1, 2, 4)), name="own"))
    system.add(fc.DistanceJoint(first.center, second.at((1, 2, 4)), name="theirs"))
    items = items_of(system)
    assert (items["own"]["type"], items["own"].get("plain")) == ("rod", True)
    assert items["theirs"].get("plain") is None
    motion = fc.Simulation(system, dt=1e-3, t_end=1e-3, progress=False).run().motion
    parts = draw(Mechanism(motion), None, None, "bodies", Z, True)[1]
    assert sum(part.name == "own" for part in parts) == 3


def test_a_portrait_that_is_none():
    system, first, second = two_bodies()
    rod = Rod(first.center, second.at((1, 2, 4)), name="own")
    rod.portrait = lambda: "magnet"
    system.add(rod)
    with pytest.raises(fc.InputError) as caught:
        scene_of(system)
    assert str(caught.value) == "own: Rod.portrait must return a Portrait, got 'magnet'."


def test_the_ground_may_have_a_shape():
    system, *_ = two_bodies()
    system.ground.shape = fc.shapes.Rod(0.01, 2.0)
    ground = scene_of(system)["bodies"][0]
    assert ground["given"] and ground["shape"]["length"] == 2.0


@pytest.mark.parametrize(
    ("options", "up"),
    [
        ({"gravity": (0, 0, -2)}, [0, 0, 1]),
        ({"gravity": (0, 0, 0)}, None),
        ({"gravity": (0, -1, 0), "up": (0, 0, 3)}, [0, 0, 1]),
    ],
)
def test_up(options, up):
    assert scene_of(fc.System(**options))["up"] == up


def test_up_is_a_direction():
    with pytest.raises(fc.InputError, match="up must not be the zero vector"):
        fc.System(up=(0, 0, 0))


def test_frames_are_recorded_once():
    """A joint and a probe at one point share the frame; one at another point has its own."""
    system, first, second = two_bodies()
    system.add(fc.RevoluteJoint(first.center, second.center, Z, name="pin"))
    system.add(fc.Probe(first.at((1, 2, 3.5)), name="flag"))
    system.add(fc.Probe(second.center, name="spot"))
    scene = scene_of(system)
    assert [f["name"] for f in scene["frames"]] == ["ground", "first", "second", "flag.i"]
    flag = first.axes.T @ (0, 0, 0.5)
    (_, spot) = scene["bodies"][1]["attached"]
    np.testing.assert_allclose(spot["point"], flag, atol=1e-15)
