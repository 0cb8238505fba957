"""Parts are closed surfaces of the right size; volumes are those of solid geometry."""

import numpy as np
import pytest

from fem_clearance.plotting.scene import parts
from fem_clearance.plotting.scene.outlines import ROUND
from fem_clearance.plotting.scene.shapes import mesh_of

#: area of the regular polygon that stands for a circle, by the circle's
POLYGON = ROUND / (2 * np.pi) * np.sin(2 * np.pi / ROUND)
PLACE = {"position": [0, 0, 0], "orientation": np.eye(3).tolist()}


def joined(mesh):
    """Without the splits along sharp edges."""
    bare = mesh.copy()
    bare.clear_data()
    return bare.clean(tolerance=1e-9)


SOLIDS = {
    "ring": (parts.ring(0.5, 1, -0.2, 0.8), np.pi * 0.75 * POLYGON, 1e-6),
    "cylinder": (parts.cylinder(2.0, 1.0, 4.0), 12 * np.pi * POLYGON, 1e-6),
    "block": (parts.block((1, 2, 3)), 6.0, 1e-6),
    "rounded block": (parts.block((1, 2, 3), 0.1), 3 * (2 - (4 - np.pi) * 0.01), 1e-3),
    "ball": (parts.ball(1.5), 4 / 3 * np.pi * 1.5**3, 6e-3),
    "socket": (parts.socket(0.8, 1.0), 2 / 3 * np.pi * (1 - 0.8**3), 6e-3),
    "link": (parts.link(1.0, 0.1, 0.15, 0.05, 0.0, 0.2), None, None),
    "gear": (parts.gear(np.array([(1, 0), (0.5, 1), (-1, 0.3), (0, -1)]), 0.1, 0, 1), None, None),
    "spring": (parts.spring(1.0, 0.1, 0.02), None, None),
    "arrow": (parts.arrow(1.0, 0.1), None, None),
    "pedestal": (parts.pedestal(1.0, 0.2, 0.3, 0, 0.1), None, None),
    "housing": (parts.housing(0.2, 0.3, 0.6, 0.5, 0, 0.1), None, None),
}  # fmt: skip


@pytest.mark.parametrize("name", SOLIDS)
def test_closed_and_of_the_right_size(name):
    mesh, volume, tolerance = SOLIDS[name]
    whole = joined(mesh)
    assert whole.n_open_edges == 0 and whole.is_manifold
    assert whole.volume > 0
    if volume is not None:
        assert whole.volume == pytest.approx(volume, rel=tolerance)


@pytest.mark.parametrize("name", SOLIDS)
def test_normals_point_outwards(name):
    mesh, _, _ = SOLIDS[name]
    a, b, c = (mesh.points[mesh.regular_faces[:, k]] for k in range(3))
    turned = np.cross(b - a, c - a)  # of triangles that run counter-clockwise seen from outside
    # by the divergence theorem: volume = sum of a . (b - a) x (c - a) / 6
    sign = np.sign(np.einsum("ij,ij", a, turned))
    normals = mesh["Normals"][mesh.regular_faces].mean(axis=1)
    large = np.linalg.norm(turned, axis=1) > 1e-3 * np.linalg.norm(turned, axis=1).max()
    assert (sign * np.einsum("ij,ij->i", turned, normals)[large] > 0).all()


def test_where_parts_lie():
    box = np.reshape(parts.link(1.0, 0.1, 0.15, 0.05, 0.0, 0.2).bounds, (3, 2))
    np.testing.assert_allclose(box, [(-0.1, 1.15), (-0.15, 0.15), (0.0, 0.2)], atol=2e-4)
    box = np.reshape(parts.arrow(2.0, 0.1).bounds, (3, 2))
    np.testing.assert_allclose(box, [(0, 2), (-0.135, 0.135), (-0.135, 0.135)], atol=2e-3)
    box = np.reshape(parts.socket(0.8, 1.0).bounds, (3, 2))
    np.testing.assert_allclose(box[2], (-1, 0), atol=1e-6)  # open towards +z
    lines = parts.hatching(2.0, 0.1, 0.2)
    assert lines.n_cells == 21 and lines.bounds[2] == pytest.approx(-0.2)


SHAPES = {
    "rod": ({"radius": 0.1, "length": 2.0}, np.pi * 0.02 * POLYGON, (2.0, 0.2, 0.2)),
    "cylinder": ({"radius": 0.1, "length": 2.0}, np.pi * 0.02 * POLYGON, (2.0, 0.2, 0.2)),
    "box": ({"lx": 1.0, "ly": 2.0, "lz": 3.0}, 6.0, (1.0, 2.0, 3.0)),
    "slider": ({"length": 1.0, "height": 2.0, "width": 3.0}, 6.0, (1.0, 2.0, 3.0)),
    "disc": (
        {"radius": 0.5, "thickness": 0.1, "axis": [0, 1, 0], "bore": 0.0},
        0.025 * np.pi * POLYGON, (1.0, 0.1, 1.0),
    ),
    "plate": (
        {"outline": [[0, 0], [2, 0], [2, 1], [0, 1]], "thickness": 0.1}, 0.2, (2.0, 1.0, 0.1)
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes(kind):
    sizes, volume, box = SHAPES[kind]
    mesh = joined(mesh_of({"type": kind, **sizes, **PLACE}))
    assert mesh.volume == pytest.approx(volume, rel=1e-6)
    np.testing.assert_allclose(np.ptp(mesh.points, axis=0), box, rtol=2e-3)


def test_a_shape_lies_where_it_is_put():
    turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]  # x becomes y
    shape = {"type": "rod", "radius": 0.1, "length": 2.0, "position": [1, 0, 0],
             "orientation": turned}  # fmt: skip
    mesh = mesh_of(shape)
    np.testing.assert_allclose(mesh.center, (1, 0, 0), atol=1e-6)
    np.testing.assert_allclose(np.ptp(mesh.points, axis=0), (0.2, 2.0, 0.2), rtol=2e-3)
    two = mesh_of({"type": "compound", "parts": [shape, {"type": "sphere", "radius": 1, **PLACE}]})
    assert two.bounds[:2] == pytest.approx((-1, 1.1), abs=2e-3)
    assert mesh_of({"type": "link", "width": 1.0, "thickness": 0.1, "length": None}) is None
    assert mesh_of({"type": "a user's"}) is None
