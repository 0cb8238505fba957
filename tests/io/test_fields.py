"""Shapes of the bodies as VTK files."""

import base64
from xml.etree import ElementTree

import numpy as np
import pytest
import pyvista

import fem_clearance as fc
from fem_clearance.fields.surfaces import surfaces
from fem_clearance.fields.writer import COLLECTION, FieldWriter
from fem_clearance.io.vtk import entries, read_vtu, vtu


def spinning(shape):
    system = fc.System(gravity=(0, 0, 0))
    system.add(
        fc.RigidBody(
            shape=shape,
            density=1000.0,
            position=(1, 2, 3),
            orientation=(0, 0, np.pi / 2),
            velocity=(1, 0, 0),
            angular_velocity=(0, 0, 2),
            name="body",
            free=True,
        )
    )
    return system


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        (fc.shapes.Box(0.1, 0.2, 0.4), (0.2, 0.1, 0.4)),
        (fc.shapes.Cylinder(0.05, 0.3), (0.1, 0.3, 0.1)),
        (fc.shapes.Sphere(0.1), (0.2,) * 3),
    ],
)
def test_rigid_bodies(tmp_path, shape, size):
    system = spinning(shape)
    system.assemble()
    FieldWriter(system, tmp_path, 1).record(0.25)
    ((t, name),) = entries(tmp_path / COLLECTION)
    assert t == 0.25
    grid = pyvista.read(tmp_path / name)
    np.testing.assert_allclose(np.reshape(grid.bounds, (3, 2)).mean(axis=1), (1, 2, 3), atol=1e-12)
    np.testing.assert_allclose(np.ptp(np.reshape(grid.bounds, (3, 2)), axis=1), size, rtol=1e-2)
    velocity = (1, 0, 0) + np.cross((0, 0, 2), grid.points - (1, 2, 3))
    np.testing.assert_allclose(grid.point_data["velocity"], velocity, atol=1e-6)
    surface = grid.extract_surface(algorithm="dataset_surface").triangulate()
    assert surface.volume == pytest.approx(shape.volume, rel=0.05)
    assert set(grid.cell_data["body"]) == {0}


def test_a_body_without_a_shape_is_drawn_as_the_box_of_its_inertia():
    system = fc.System()
    box = fc.shapes.Box(0.3, 0.2, 0.1)
    body = fc.RigidBody(2.0, box.inertia(2.0), free=True, name="body")
    system.add(body)
    state = system.state
    (surface,) = surfaces(system)
    size = np.ptp(surface.points(state.everything(state.q)), axis=0)
    np.testing.assert_allclose(size, (0.3, 0.2, 0.1), rtol=1e-12)


def test_the_ground_s_shape_stands_still(tmp_path):
    system = spinning(fc.shapes.Box(0.1, 0.1, 0.1))
    system.ground.shape = fc.shapes.Cylinder(0.01, 4.0, position=(1, 0, 0))
    system.assemble()
    FieldWriter(system, tmp_path, 1).record(0.0)
    grid = pyvista.read(tmp_path / entries(tmp_path / COLLECTION)[0][1])
    rail = grid.extract_cells(grid.cell_data["body"] == 1)
    np.testing.assert_allclose(rail.bounds[:2], (-1, 3), atol=1e-12)
    assert not rail.point_data["velocity"].any()
    assert read_vtu(tmp_path / "shape_000000.vtu")["names"] == ["body", "ground"]


def test_a_link_without_a_length_is_drawn_as_the_box_of_its_inertia():
    system = fc.System()
    box = fc.shapes.Box(0.3, 0.2, 0.1)
    system.add(fc.RigidBody(2.0, box.inertia(2.0), shape=fc.shapes.Link(0.02), free=True))
    (surface,) = surfaces(system)
    size = np.ptp(surface.points(system.state.everything(system.state.q)), axis=0)
    np.testing.assert_allclose(size, (0.3, 0.2, 0.1), rtol=1e-12)


@pytest.mark.parametrize("model", ["quadratic", "ancf", "cable"])
def test_beams(tmp_path, model):
    system = fc.System()
    material = fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=1000)
    beam = system.add(
        fc.Beam(
            (0, 0, 0),
            (1, 0, 0),
            fc.Rectangle(0.1, 0.1),
            material,
            elements=3,
            model=model,
            velocity=(0, 1, 0),
            free=True,
            name="beam",
        )
    )
    system.assemble()
    FieldWriter(system, tmp_path, 1).record(0.0)
    grid = pyvista.read(tmp_path / entries(tmp_path / COLLECTION)[0][1])
    np.testing.assert_allclose(grid.bounds, (0, 1, -0.05, 0.05, -0.05, 0.05), atol=1e-12)
    np.testing.assert_allclose(
        grid.point_data["velocity"], np.tile((0, 1, 0), (grid.n_points, 1)), atol=1e-6
    )
    assert grid.extract_surface(algorithm="dataset_surface").triangulate().volume == pytest.approx(
        0.01 * beam.length
    )


def test_collection_opens_and_goes_on(tmp_path):
    system = spinning(fc.shapes.Box(1, 1, 1))
    system.assemble()
    writer = FieldWriter(system, tmp_path, 0.1)
    times = []
    for step in range(41):
        t = step * 0.025
        if writer.due(t, step):
            times.append(t)
            writer.record(t)
    np.testing.assert_allclose(times, np.arange(11) * 0.1)
    reader = pyvista.get_reader(tmp_path / "fields.pvd")
    np.testing.assert_allclose(reader.time_values, times)
    again = FieldWriter(system, tmp_path, 0.1, after=0.52)
    assert not again.due(0.55, 0) and again.due(0.6, 0)
    again.record(0.61)
    assert [t for t, _ in entries(tmp_path / COLLECTION)][-3:] == pytest.approx([0.4, 0.5, 0.61])


def test_every_so_many_steps(tmp_path):
    system = spinning(fc.shapes.Box(1, 1, 1))
    system.assemble()
    writer = FieldWriter(system, tmp_path, 5)
    assert [k for k in range(12) if writer.due(k * 0.1, k)] == [0, 5, 10]


def test_own_reader_agrees_with_vtk(tmp_path):
    system = spinning(fc.shapes.Cylinder(0.1, 1.0))
    system.assemble()
    FieldWriter(system, tmp_path, 1).record(0.0)
    path = tmp_path / entries(tmp_path / COLLECTION)[0][1]
    mine, grid = read_vtu(path), pyvista.read(path)
    np.testing.assert_array_equal(mine["points"], grid.points)
    np.testing.assert_array_equal(mine["connectivity"], grid.cell_connectivity)
    np.testing.assert_array_equal(mine["gravity"], grid.field_data["gravity"].reshape(1, 3))


def test_files_of_earlier_versions_are_read(tmp_path):
    """Arrays that are not compressed: their length in bytes, then the bytes."""
    x = np.random.default_rng(1).normal(size=(4, 3))
    text = vtu(x, [[0, 1, 2, 3]], 9, {"pressure": x[:, 0]}, {}, {})
    root = ElementTree.fromstring(text)
    del root.attrib["compressor"]
    types = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}
    arrays = {"points": x, "pressure": x[:, 0], "connectivity": np.arange(4), "offsets": [4]}
    for array in root.iter("DataArray"):
        kind = types[array.attrib["type"]]
        data = np.asarray(arrays.get(array.attrib["Name"], [9]), kind).tobytes()
        array.text = base64.b64encode(np.uint64(len(data)).tobytes() + data).decode()
    (tmp_path / "old.vtu").write_bytes(ElementTree.tostring(root))
    (tmp_path / "new.vtu").write_text(text)
    old, new = (read_vtu(tmp_path / name) for name in ("old.vtu", "new.vtu"))
    np.testing.assert_array_equal(pyvista.read(tmp_path / "old.vtu").points, x)
    for name in new:
        np.testing.assert_array_equal(old[name], new[name])


@pytest.mark.parametrize("size", [0, 1, 100_000])
def test_arrays_of_any_length(tmp_path, size):
    """As VTK reads them; a hundred thousand numbers are several of VTK's own blocks."""
    values = np.random.default_rng(2).normal(size=size)
    about = {"extra": values} if size else {}
    (tmp_path / "a.vtu").write_text(vtu(np.eye(3), [[0, 1, 2]], 5, {}, {}, about))
    found = read_vtu(tmp_path / "a.vtu")
    grid = pyvista.read(tmp_path / "a.vtu")
    if size:
        np.testing.assert_array_equal(found["extra"].ravel(), values)
        np.testing.assert_array_equal(grid.field_data["extra"].ravel(), values)
    np.testing.assert_array_equal(grid.points, np.eye(3))


def test_damaged_arrays_are_told(tmp_path):
    """Every tenth letter of a file in turn made another: an error that says so, or the same
    numbers; never other ones, nor an error of another sort."""
    path = tmp_path / "a.vtu"
    text = vtu(np.eye(3), [[0, 1, 2]], 5, {"p": np.array([1.0, 2, 3])}, {}, {})
    path.write_text(text)
    whole, told = read_vtu(path), 0
    for at in range(40, len(text), 10):
        path.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
        try:
            again = read_vtu(path)
            same = all(np.array_equal(again[n], whole[n]) for n in ("points", "p"))
        except fc.InputError as error:
            told, same = told + 1, "damaged" in str(error) or "holds no" in str(error)
        assert same, at
    assert told > 50
