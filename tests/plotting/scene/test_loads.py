"""Loads as arrows where they act, marks on what rolls, springs and rings that turn and yield, oil
on the faces of sliders, liners; places by hand from the motion that is given."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.io.vtk import Collection, vtu
from fem_clearance.lubrication import CylindricalFilm, Film, Liner, Lubricant
from fem_clearance.plotting.scene import line_loads, loads, soft
from fem_clearance.plotting.scene.scene import Scene

from ...io.test_portraits import STEEL, Z
from ...scenes import items_of
from .motions import Builder, Channels, about_z

T = np.linspace(0, 1, 5)


def arm(angle=None):
    """A metre long, its middle at x = 0.5, turning about the origin."""
    angle = 0.4 * T if angle is None else angle
    b, turn = Builder(T), about_z(angle)
    b.body("arm", 0.5 * turn[:, :, 0], turn)
    b.item("pivot", "revolute", b.frame("ground", b.still((0, 0, 0))),
           b.frame("arm", b.still((0, 0, 0)), turn), [0, 0, 1])  # fmt: skip
    b.item("tip", "probe", b.frame("arm", turn[:, :, 0], turn))
    return b, turn


def arrow(scene, name, k):
    """Begin and end of an arrow along x of its own mesh, in space."""
    (part,) = [p for p in scene.parts if p.name == name]
    place = part.place(k)
    return place[:3, 3], place[:3, 3] + place[:3, 0]


@pytest.mark.parametrize("way, ends", [((3.0, 4.0, 0.0), False), ((-5.0, 0.0, 0.0), True)])
def test_a_force_ends_where_it_pushes_and_begins_where_it_pulls(way, ends):
    b, turn = arm()
    b.item("f", "force", b.frame("arm", turn[:, :, 0], turn), channels="xyz")
    share = np.array([0.0, 1e-5, 0.25, 1.0, 0.5])
    channels = {f"f.{x}": share * way[n] for n, x in enumerate("xyz")}
    scene = Scene(b.motion(), Channels({"time": T, **channels}))
    (part,) = [p for p in scene.parts if p.name == "f"]
    assert part.kind == "force" and part.at(0) is None and part.at(1) is None
    begin, end = arrow(scene, "f", 3)
    held = end if ends else begin
    m = scene.mechanism
    np.testing.assert_allclose(held @ [[1, 0], [0, 1], [0, 0]], turn[3, :2, 0], atol=1e-9)
    assert held @ m.normal > 0  # before the link
    np.testing.assert_allclose(
        (end - begin) / np.linalg.norm(end - begin), np.divide(way, 5), atol=1e-9
    )
    longest = np.linalg.norm(end - begin)
    begin, end = arrow(scene, "f", 2)
    assert np.linalg.norm(end - begin) == pytest.approx(longest * (0.35 + 0.65 * 0.5))


def test_a_torque_turns_the_way_it_acts():
    b, turn = arm()
    b.item("m", "torque", b.frame("arm", 0.5 * turn[:, :, 0], turn), channels="xyz")
    channels = Channels({"time": T, "m.x": 0 * T, "m.y": 0 * T, "m.z": -2.0 + 0 * T})
    scene = Scene(b.motion(), channels)
    (part,) = [p for p in scene.parts if p.name == "m"]
    np.testing.assert_allclose(part.place(2)[:3, 2] / np.linalg.norm(part.place(2)[:3, 2]), -Z)
    # the arrow's mesh turns the positive way about its own z: its head is the thick end
    mesh = part.mesh
    angle = np.arctan2(*mesh.points[:, 1::-1].T)
    assert angle[np.abs(mesh.points[:, 2]).argmax()] > np.pi / 2


def test_scenes_without_channels_have_no_loads():
    b, turn = arm()
    b.item("f", "force", b.frame("arm", turn[:, :, 0], turn), channels="xyz")
    assert not [p for p in Scene(b.motion(), Channels({"time": T})).parts if p.name == "f"]


# --- facets ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A block that a pressure on its top presses for 2 ms and a traction pulls at its end."""
    system = fc.System()
    solid = system.add(
        fc.Solid(fc.meshes.block((1.0, 0.2, 0.2), (4, 1, 1)), STEEL, clamped="x0", name="bar")
    )
    system.add(fc.Pressure(solid.facets("y1"), 3e5, fc.functions.Harmonic(1.0, 250.0), name="p"))
    system.add(fc.Traction(solid.facets("x1"), (0.0, 0.0, -2e5), name="t"))
    out = tmp_path_factory.mktemp("loaded") / "run"
    return fc.Simulation(
        system, dt=2.5e-4, t_end=3e-3, fields_every=2, output=out, progress=False
    ).run()


def test_pressures_press_and_tractions_pull(loaded):
    scene = loaded.scene()
    items = {i["name"]: i for i in scene.mechanism.items}
    # p(t) = 3e5 sin(2 pi 250 t), read off the force on a surface that hardly turns
    times = scene.mechanism.motion.time
    expected = 3e5 * np.sin(2 * np.pi * 250 * times)
    found = loads.pressures(scene.drawing, items["p"])
    np.testing.assert_allclose(found, expected, atol=1e3)
    (part,) = [p for p in scene.parts if p.name == "p"]
    top = scene.mechanism.motion.time.searchsorted(1e-3)
    mesh, length = part.at(top), loads.SHORT * scene.mechanism.size
    assert np.ptp(mesh.points[:, 1]) == pytest.approx(length, rel=0.02)
    assert mesh.points[:, 1].min() == pytest.approx(items["p"]["center"][1], abs=1e-3)
    (pull,) = [p for p in scene.parts if p.name == "t"]
    mesh = pull.at(top)
    assert mesh.points[:, 0].mean() == pytest.approx(items["t"]["center"][0], abs=0.02)
    assert mesh.points[:, 2].min() < items["t"]["center"][2] - 0.5 * length


def test_spots_of_facets():
    solid = fc.Solid(fc.meshes.block((1.0, 0.2, 0.1), (8, 3, 2)), STEEL, name="bar", free=True)
    spots = solid.facets("y1").spots(12)
    points = np.array(spots["points"])
    assert points.shape == (12, 3) and np.ptp(points[:, 1]) < 1e-12
    assert len(np.unique(points.round(9), axis=0)) == 12
    np.testing.assert_allclose(spots["normals"], np.tile([0.0, 1.0, 0.0], (12, 1)), atol=1e-12)
    np.testing.assert_allclose(spots["normal_area"], (0, 0.1, 0), atol=1e-12)
    assert spots["area"] == pytest.approx(0.1)


# --- springs, rings, wheels -----------------------------------------------------------------------
def test_a_torsion_spring_winds_up_with_the_angle():
    angle = 5.0 * T  # more than half a turn in the end
    b, turn = arm(angle)
    b.item("s", "torsion_spring", b.frame("ground", b.still((0, 0, 0))),
           b.frame("arm", b.still((0, 0, 0)), turn), [0, 0, 1])  # fmt: skip
    scene = Scene(b.motion(), Channels({"time": T}))
    item = scene.mechanism.items[-1]
    np.testing.assert_allclose(soft.turned(scene.drawing, item), angle, atol=1e-9)
    wire = next(p for p in scene.parts if p.name == "s")
    for k in (0, 2, 4):  # the inner end goes with the arm, the outer one stays
        x = wire.at(k).points
        radius = np.hypot(*x[:, :2].T)
        inner, outer = (np.arctan2(*x[n, 1::-1]) for n in (radius.argmin(), radius.argmax()))
        off = inner - (2 * np.pi * soft.TURNS + angle[k])
        assert (off + np.pi) % (2 * np.pi) - np.pi == pytest.approx(0, abs=0.1)
        assert outer == pytest.approx(0, abs=0.1)


def test_a_bushing_yields_within_its_sleeve():
    b, turn = arm()
    pin = np.column_stack([0.005 * T, 0 * T, 0 * T])
    b.item("b", "bushing", b.frame("ground", b.still((0, 0, 0))), b.frame("arm", pin, turn))
    parts = [p for p in Scene(b.motion(), Channels({"time": T})).parts if p.name == "b"]
    bolt = next(p for p in parts if p.place is not None and p.place(4)[0, 3] > 0)
    assert bolt.place(0)[0, 3] == 0.0 and bolt.place(4)[0, 3] == pytest.approx(0.005)
    ring = next(p for p in parts if callable(p.mesh))
    moved = [np.hypot(*ring.at(k).points[:, :2].T).min() for k in (0, 4)]
    assert moved[0] - moved[1] == pytest.approx(0.005, rel=0.05)  # the hole goes with the pin


def test_marks_turn_with_the_wheel():
    radius, path = 0.1, 0.3 * T
    b, turn = Builder(T), about_z(-path / 0.1)
    at = np.column_stack([path, 0.1 + 0 * T, 0 * T])
    disc = {"type": "disc", "radius": radius, "thickness": 0.02, "axis": [0, 0, 1], "bore": 0.0,
            "position": [0, 0, 0], "orientation": np.eye(3).tolist()}  # fmt: skip
    b.body("wheel", at, turn, shape=disc)
    b.item("r", "rolling", b.frame("ground", b.still((0, 0, 0))), b.frame("wheel", at, turn),
           sizes={"radius": radius})  # fmt: skip
    b.items[-1] |= {"normal": [0, 1, 0], "axis_j": [0, 0, 1]}
    scene = Scene(b.motion(), Channels({"time": T}))
    spoke, floor = (p for p in scene.parts if p.name == "r")
    for k in range(len(T)):
        x = spoke.at(k).points.mean(axis=0) - at[k]
        assert np.linalg.norm(x) == pytest.approx(0.5 * radius, rel=1e-3)
        first = spoke.at(0).points.mean(axis=0) - at[0]
        np.testing.assert_allclose(x, turn[k] @ first, atol=1e-6)
    assert np.ptp(spoke.at(0).points[:, 2]) > 0.02  # seen on both faces
    assert floor.kind == "ground" and floor.at(0).points[:, 1].max() == pytest.approx(0, abs=1e-7)


# --- oil and liners -------------------------------------------------------------------------------
def test_oil_on_a_face_reaches_from_the_slider_to_the_guide(tmp_path, comm):
    length, height, gap, play, peak = 0.1, 0.04, 0.0402, 1e-4, 4e6
    b = Builder(T)
    at = np.column_stack([0.05 * T, 0 * T - 0.5 * play, 0 * T])
    b.body("slider", at)
    b.item(
        "g", "clearance_translational", b.frame("ground", b.still((0, 0, 0))),
        b.frame("slider", at), [1, 0, 0],
        {"length": length, "height": height, "width": 0.05, "gap": gap, "clearance": play},
    )  # fmt: skip
    x = np.array([(a, c, 0.0) for c in (-0.02, 0.0, 0.02) for a in np.linspace(-0.05, 0.05, 5)])
    quads = [[5 * r + n, 5 * r + n + 1, 5 * r + n + 6, 5 * r + n + 5] for r in (0, 1)
             for n in range(4)]  # fmt: skip
    p = np.where(x[:, 1] == 0, peak * (1 - (x[:, 0] / 0.05) ** 2), 0.0)
    series = Collection(tmp_path, "g.lower", None, comm)
    for t in T:
        series.add(t, vtu(x, quads, 9, {"pressure": p}, {}, {}))
    b.items[-1] |= {
        "across": [0, 1, 0], "slider": np.eye(3).tolist(),
        "films": [{"series": "g.lower", "side": "j", "axes": np.eye(3).tolist(),
                   "origin": [0, 0, -height / 2], "turning": False}],
    }  # fmt: skip
    scene = Scene(b.motion(), Channels({"time": T}), fields=tmp_path, clearance_scale=20)
    (film,) = [p for p in scene.parts if p.kind == "film"]
    mesh = film.at(2)
    # enlarged: the slider has the gap less twice 20 clearances, and lies 10 clearances low
    face = -20 * 0.5 * play - (gap / 2 - 20 * play)
    y = mesh.points[:, 1]
    assert (np.isclose(y, face, atol=1e-7) | np.isclose(y, -gap / 2, atol=1e-7)).all()
    assert np.ptp(y) == pytest.approx(face + gap / 2, rel=1e-4)
    shown = mesh.points[:, 0] - 0.025
    expected = 1e-6 * peak * (1 - (shown / 0.05) ** 2)
    np.testing.assert_allclose(mesh["pressure"], expected, atol=1e-4)


def test_a_liner_is_a_ring_round_the_bore():
    liner = Liner(
        fc.Solid(fc.meshes.hollow_cylinder(0.02, 0.03, 0.02, (8, 2, 1)), STEEL, clamped="rim")
    )
    system = fc.System()
    journal = system.add(fc.RigidBody(1.0, (1, 1, 1), name="journal"))
    film = Film(liner.surface(), 2e-5, Lubricant(0.04), sliding_speed=1.0)
    system.add(CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, Z, film=film,
                               liner=liner, name="film"))  # fmt: skip
    assert items_of(system)["film"]["sizes"]["liner_radius"] == pytest.approx(0.03)
    from .test_items import drawn

    reach = [np.hypot(*m.points[:, :2].T) for m in drawn(system)["film"]]
    assert any(r.min() == pytest.approx(0.02) and r.max() == pytest.approx(0.03) for r in reach)


def test_liner_oil_and_journal_lie_in_a_housing_that_moves(tmp_path):
    """All of a free, tilted bearing is drawn about the housing's axis, at one place along it."""
    turn = Rotation.from_rotvec([0.6, 0.9, 0.2]).as_matrix()
    liner = Liner(
        fc.Solid(fc.meshes.hollow_cylinder(0.02, 0.03, 0.02, (8, 2, 1)), STEEL, clamped="rim")
    )
    system, at = fc.System(gravity=(0, 0, 0)), np.array([0.1, 0.2, 0.3])
    housing, journal = (
        system.add(
            fc.RigidBody(1.0, (1e-3,) * 3, position=at, orientation=turn, velocity=(0.1, 0, 0),
                         free=True, name=n)
        )
        for n in ("housing", "journal")
    )  # fmt: skip
    film = Film(liner.surface(), 2e-4, Lubricant(0.04), sliding_speed=1.0)
    system.add(CylindricalFilm(housing.center, journal.center, turn @ Z, film=film, liner=liner,
                               name="film"))  # fmt: skip
    results = fc.Simulation(
        system, dt=1e-3, t_end=2e-3, fields_every=1, output=tmp_path / "run", progress=False
    ).run()
    scene, axis = results.scene(), turn @ Z
    k = len(scene.times) - 1
    place = scene.mechanism.pose(scene.mechanism.items[0]["frame_i"])(k)[:3, 3]
    # lifts along the normal of a plane mechanism are along the axis
    apart = place - at - (0.1 * scene.times[k], 0, 0)
    assert np.linalg.norm(apart - (apart @ axis) * axis) < 1e-6
    mine = [p for p in scene.parts if p.name in ("film", "film.liner") and p.kind != "force"]
    assert {p.kind for p in mine} == {"body", "joint", "film"}
    for part in mine:
        x = part.at(k).points - place
        along = x @ axis
        assert (along.max() + along.min()) / 2 == pytest.approx(0, abs=0.15 * np.ptp(along))
        radius = np.linalg.norm(x - along[:, None] * axis, axis=1)
        assert radius.max() < 1.2 * 0.03 * 1.001
    (shown,) = [p for p in mine if p.name == "film.liner"]
    x = shown.at(k).points - place
    radius = np.linalg.norm(x - (x @ axis)[:, None] * axis, axis=1)
    assert radius.max() == pytest.approx(0.03, rel=1e-3)


# --- line loads -----------------------------------------------------------------------------------
def beam(function=None, vector=(0, -40.0, 0), **options):
    """A cantilever of 1 m under a line load; a scene of 20 ms and its one part that is the load."""
    system = fc.System(gravity=(0, 0, 0))
    bar = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.01), STEEL, 4, model="quadratic",
                name="bar")
    )  # fmt: skip
    system.add(fc.FixedJoint(system.ground, bar.start))
    system.add(fc.LineLoad(bar, vector, function, name="snow", **options))
    run = fc.Simulation(system, dt=1e-3, t_end=0.02, fields_every=5, progress=False).run()
    scene = run.scene()
    (item,) = [i for i in scene.mechanism.items if i["name"] == "snow"]
    return scene, item, next((p for p in scene.parts if p.name == "snow"), None)


def test_line_loads_end_on_their_beam():
    """A triangular load: arrows above, none at its thin end; the tallest at its thick end."""
    scene, _, part = beam(vector=lambda s: (0, -40.0 * (1 - s), 0))
    x = part.at(0).points
    assert x[:, 1].min() == pytest.approx(np.hypot(0.005, 0.005), abs=1e-5)
    assert x[:, 0].max() == pytest.approx(11 / 12, abs=0.02)  # a twelfth from the end
    for at in (0.0, 0.25, 0.5):
        tall = np.ptp(x[np.abs(x[:, 0] - at) < 0.01][:, 1])
        assert tall == pytest.approx(0.1 * scene.mechanism.size * (1 - at), rel=1e-3)


def test_line_loads_that_vary_and_that_follow():
    """Parts of the full load are those of its function; a load that follows stays at right angles
    to the beam, whose end has turned by q l^3 / 6 E I in rest and less here."""
    scene, item, part = beam(lambda t: 100 * t)
    share = line_loads.shares(scene.drawing, item)
    assert share == pytest.approx(100 * scene.mechanism.motion.time, abs=1e-9)
    assert part.at(0) is None and part.at(4) is not None
    scene, item, _ = beam(follower=True)
    loads_now = line_loads._turned(scene.drawing, item, 4)
    line = scene.mechanism.motion.beams["bar"]
    end = line.r[4][-1] - line.r[4][-2]
    turned = np.arctan2(end[1], end[0])
    assert -0.5 < turned < -1e-3
    assert loads_now[-1] == pytest.approx(
        40 * np.array([np.sin(turned), -np.cos(turned), 0]), abs=40 * 0.05 * abs(turned)
    )
    np.testing.assert_allclose(loads_now[0], (0, -40, 0), atol=1e-3)


def test_line_loads_without_a_resultant_are_left_out_if_they_vary():
    wave = lambda s: (0, 40 * np.cos(2 * np.pi * s), 0)  # noqa: E731
    assert beam(vector=wave)[2] is not None
    assert beam(lambda t: 1 + t, vector=wave)[2] is None
