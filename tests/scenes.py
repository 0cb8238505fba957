"""Scenes of systems, for tests of what is recorded for the eye."""

import json

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.fields.scene import VERSION, SceneBuilder

SHAPES = {
    "box",
    "compound",
    "cylinder",
    "disc",
    "gear",
    "link",
    "plate",
    "rod",
    "slider",
    "sphere",
    "surface",
}


def scene_of(system) -> dict:
    """The system's scene, as JSON has it."""
    return json.loads(json.dumps(SceneBuilder(system, {}).scene, allow_nan=False))


def items_of(system) -> dict:
    return {i["name"]: i for i in scene_of(system)["items"]}


def check_shape(shape: dict) -> None:
    assert shape["type"] in SHAPES
    axes = np.array(shape["orientation"])
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-8)
    assert len(shape["position"]) == 3
    for part in shape.get("parts", ()):
        check_shape(part)


def check(scene: dict) -> None:
    """Entries of the right sort, numbers of frames that exist, directions of unit length."""
    assert scene["version"] == VERSION
    frames = scene["frames"]
    bodies = {b["name"]: b for b in scene["bodies"]}
    assert frames[0] == {"name": "ground", "body": "ground", "turns": True}
    assert {f["body"] for f in frames} <= set(bodies)
    assert len({f["name"] for f in frames}) == len(frames)
    for body in bodies.values():
        assert body["type"] in ("rigid", "frame", "beam", "solid", "ground")
        assert (body["frame"] is None) == (body["type"] in ("beam", "solid"))
        assert body["given"] == (body["shape"] is not None)
        if body["given"]:
            check_shape(body["shape"])
        if body["type"] == "beam":
            assert len(body["section"]["outline"]) > 3
        for spot in body["attached"]:
            assert frames[spot["frame"]]["body"] == body["name"]
            assert (spot["point"] is None) == (body["type"] in ("beam", "solid"))
    for item in scene["items"]:
        assert set(item) >= {"name", "type", "frame_i", "frame_j", "axis", "sizes", "channels"}
        for side in "ij":
            k = item[f"frame_{side}"]
            assert k is None or 0 <= k < len(frames)
        if item["axis"] is not None:
            assert np.linalg.norm(item["axis"]) == pytest.approx(1)
        assert all(x >= 0 for x in item["sizes"].values() if item["type"] != "film")


def two_bodies(gap=(0.0, 0, 0), plane=True):
    """A system with two bodies whose centres are ``gap`` apart."""
    system = fc.System()
    first = system.add(
        fc.RigidBody(
            1.0, (1, 1, 1), position=(1, 2, 3), name="first", free=True, orientation=(0.1, 0.2, 0.3)
        )
    )
    second = system.add(
        fc.RigidBody(
            1.0,
            (1, 1, 1),
            position=np.add((1, 2, 3), gap),
            name="second",
            orientation=(0.0, -0.4, 0.1),
            free=True,
        )
    )
    return system, first, second


def swinging(start=1.0, **options):
    """A rigid rod of 1 m that hangs on a pivot, released at rest ``start`` rad from below."""
    turned = np.array(
        [[np.sin(start), np.cos(start), 0], [-np.cos(start), np.sin(start), 0], (0, 0, 1)]
    )
    system = fc.System()
    rod = system.add(
        fc.RigidBody(
            1.0, (1e-3, 1 / 12, 1 / 12), position=turned[:, 0] / 2, orientation=turned, name="rod"
        )
    )
    system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), (0, 0, 1), name="pivot"))
    system.add(fc.Probe(rod.at(turned[:, 0]), name="tip"))
    return fc.Simulation(system, dt=1e-3, t_end=2.0, progress=False, **options)
