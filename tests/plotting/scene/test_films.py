"""Oil between bore and enlarged journal, coloured by the pressure of its middle plane."""

import numpy as np
import pytest

from fem_clearance.io.vtk import Collection, vtu
from fem_clearance.plotting.scene.scene import Scene

from .motions import BEARING, CLEARANCE, slider_crank

SCALE, PEAK = 5.0, 2e6


def with_film(folder, comm, last=1.0):
    """The slider-crank with a film whose pressure is PEAK (1 + cos(angle - 1)) / 2 in the middle
    and nothing at the ends; at the last instant ``last`` times that."""
    motion, channels = slider_crank()
    angle = 2 * np.pi * np.arange(24) / 24
    x = np.array([
        (BEARING * np.cos(a), BEARING * np.sin(a), z) for z in (-0.01, 0, 0.01) for a in angle
    ])  # fmt: skip
    quads = [
        [24 * r + k, 24 * r + (k + 1) % 24, 24 * r + 24 + (k + 1) % 24, 24 * r + 24 + k]
        for r in (0, 1) for k in range(24)
    ]  # fmt: skip
    pressure = np.zeros((3, 24))
    pressure[1] = PEAK * (1 + np.cos(angle - 1)) / 2
    series = Collection(folder, "joint", None, comm)
    for t in motion.time:
        size = last if t == motion.time[-1] else 1.0
        whole = {"eccentricity": np.array([CLEARANCE, 0.0]), "clearance": np.array([CLEARANCE])}
        series.add(t, vtu(x, quads, 9, {"pressure": size * pressure.ravel()}, {}, whole))
    joint = next(i for i in motion.scene["items"] if i["name"] == "joint")
    joint["films"] = [{"series": "joint", "side": "i", "axes": np.eye(3).tolist(),
                       "origin": [0, 0, 0], "turning": False}]  # fmt: skip
    return Scene(motion, channels, fields=folder, clearance_scale=SCALE)


@pytest.fixture
def scene(tmp_path, comm):
    return with_film(tmp_path, comm)


@pytest.mark.parametrize("last, high, label", [
    (2.5, 2.5, "oil pressure [MPa]"), (40.0, 1.0, "oil pressure [MPa], at most 80"),
])  # fmt: skip
def test_scale_tells_the_largest_pressure(tmp_path, comm, last, high, label):
    """It ends there, or, above a short peak, says how large that is."""
    found = with_film(tmp_path, comm, last).paint
    assert found.label == label
    assert found.high == pytest.approx(1e-6 * PEAK * high, 0.01)


def test_scale_of_recorded_pressures(scene):
    """The channel's, where it is recorded."""
    time = scene.results.time
    peaks = 3e6 + 0 * time
    recorded = type(scene.results)(
        {**{n: scene.results[n] for n in scene.results}, "joint.max_pressure": peaks}
    )
    motion = scene.mechanism.motion
    found = Scene(motion, recorded, fields=scene.drawing.folder, clearance_scale=SCALE)
    assert found.paint.high == pytest.approx(3.0)
    joint = next(i for i in motion.scene["items"] if i["name"] == "joint")
    joint["wears"] = True
    found = Scene(motion, recorded, fields=scene.drawing.folder, clearance_scale=SCALE)
    assert found.caption == "clearance × 5,  wear of joint not drawn"


def test_film_fills_the_gap(scene):
    (film,) = [p for p in scene.parts if p.kind == "film"]
    joint = next(i for i in scene.mechanism.items if i["name"] == "joint")
    place = scene.mechanism.pose(joint["frame_i"])(0)
    x = (film.at(0).points - place[:3, 3]) @ place[:3, :3]
    outer = np.hypot(x[:, 0], x[:, 1])
    inner = np.hypot(x[:, 0] - SCALE * CLEARANCE, x[:, 1])
    drawn = BEARING - SCALE * CLEARANCE  # the enlarged journal's radius
    assert (np.isclose(outer, BEARING, rtol=1e-6) | np.isclose(inner, drawn, rtol=1e-6)).all()
    low, high = scene.drawing.ranges["coupler"]
    assert np.ptp(x[:, 2]) == pytest.approx(high - low, rel=0.15)  # as thick as the link


def test_colours_are_those_of_the_middle(scene):
    (film,) = [p for p in scene.parts if p.kind == "film"]
    mesh = film.at(0)
    assert scene.paint.label == "oil pressure [MPa]" and scene.paint.high == pytest.approx(2, 0.01)
    joint = next(i for i in scene.mechanism.items if i["name"] == "joint")
    place = scene.mechanism.pose(joint["frame_i"])(0)
    x = (mesh.points - place[:3, 3]) @ place[:3, :3]
    rim = np.isclose(np.hypot(x[:, 0], x[:, 1]), BEARING, rtol=1e-6)
    angle = np.arctan2(x[rim, 1], x[rim, 0])
    expected = 1e-6 * PEAK * (1 + np.cos(angle - 1)) / 2
    # linear between 24 nodes: off by at most PEAK / 2 (15 deg)^2 / 8
    np.testing.assert_allclose(mesh["pressure"][rim], expected, atol=1.0 * 0.262**2 / 8 * 1.05)


def test_bodies_are_pale_beside_films(scene):
    assert len({*scene.drawing.colors.values()}) == 3
    motion = scene.mechanism.motion
    pale = Scene(motion, scene.results, fields=scene.drawing.folder, color="pressure")
    assert len({*pale.drawing.colors.values()}) == 1


@pytest.mark.parametrize(
    ("kind", "touching", "words"),
    [
        ("film", None, "film 500 N"),
        ("clearance_revolute", 0.0, "film 500 N"),
        ("clearance_revolute", 80.0, "film and contact 500 N"),
        ("clearance_revolute", None, "contact 120 N"),  # no oil: along the line of centres
    ],
)
def test_force_of_a_film_is_drawn_whole(kind, touching, words):
    """A film pushes across the line of centres too: 300 N along x and 400 N along y."""
    motion, channels = slider_crank()
    joint = next(i for i in motion.scene["items"] if i["name"] == "joint")
    oil = kind == "film" or touching is not None
    given = {"normal_force": 120.0}
    if oil:  # on the journal
        given |= {"force.x": -300.0, "force.y": -400.0, "force.z": 0.0}
    if touching is not None:
        given |= {"film_force": 450.0, "contact_force": touching}
    joint["type"], joint["channels"] = kind, {n: f"joint.{n}" for n in given}
    for name, value in given.items():
        channels[f"joint.{name}"] = np.full(len(motion.time), value)
    scene = Scene(motion, channels, clearance_scale=SCALE)
    (arrow,) = [p for p in scene.parts if p.name == "joint" and p.kind == "force"]
    k = 3
    pose = arrow.place(k)
    e = scene.mechanism.eccentricity(joint)[k]
    wanted = np.array([0.6, 0.8, 0.0]) if oil else e / np.linalg.norm(e)
    eye = scene.drawing.eye
    seen = wanted - (wanted @ eye) * eye  # arrows lie in the plane of the picture
    np.testing.assert_allclose(
        pose[:3, 0] / np.linalg.norm(pose[:3, 0]), seen / np.linalg.norm(seen), atol=1e-9
    )
    assert abs(wanted @ e) < 0.999 * np.linalg.norm(e) or not oil
    bore = scene.mechanism.pose(joint["frame_i"])(k)[:3, 3]
    off = pose[:3, 3] - bore
    np.testing.assert_allclose(off[:2], BEARING * wanted[:2], atol=1e-9)
    assert words in scene._words(k, None)
