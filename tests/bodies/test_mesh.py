"""Meshes of solids: structured ones, facets, changes, bad ones."""

from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.errors import InputError

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)

SHAPES = {
    "block": (meshes.block((1, 2, 3), (2, 3, 4), degree=2), 6.0, 22.0),
    "plane block": (meshes.block((1, 2), (2, 3)), 2.0, 6.0),
    "cylinder": (meshes.hollow_cylinder(1, 2, 3, (48, 2, 2)), 9 * np.pi, 24 * np.pi),
    "ring": (meshes.hollow_cylinder(1, 2, 1, (48, 2), grading=2), 3 * np.pi, 6 * np.pi),
    "slider": (
        meshes.block_with_hole((4, 2, 1), 0.4, (48, 2, 3), hole=(1, 0.2)),
        8 - 0.16 * np.pi, 2 * (8 - 0.16 * np.pi) + 12 + 0.8 * np.pi,
    ),
    "plate": (
        meshes.block_with_hole((4, 3), 0.5, (48, 3), grading=3), 12 - 0.25 * np.pi, 14 + np.pi,
    ),
}  # fmt: skip


def solid(mesh, **options):
    options.setdefault("state", "plane_strain" if mesh.dimension == 2 else None)
    return fc.Solid(mesh, STEEL, name="body", **options)


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_volume_and_surface(name, cut):
    """Volume, surface and named facets of structured meshes; the sets cover the surface once and
    their normals point outwards (the divergence of x: sum of x . n over the surface = d V)."""
    mesh, volume, area = SHAPES[name]
    if cut:
        count = len(mesh.cells)
        mesh = meshes.simplices(mesh)
        assert len(mesh.cells) == {2: 2, 3: 6}[mesh.dimension] * count
    body = solid(mesh)
    sets = [body.facets(k) for k in mesh.facets]
    assert body.volume == pytest.approx(volume, rel=3e-6)
    assert sum(s.area for s in sets) == pytest.approx(area, rel=3e-6)
    together = np.concatenate([s.facets for s in sets])
    assert np.array_equal(np.unique(together, axis=0), np.unique(mesh.boundary(), axis=0))
    assert len(together) == len(mesh.boundary())
    flux = 0.0
    for s in sets:
        weights, x = s.quadrature()
        n = s.outward[:, None, None] * s.normals(points(s))[1]
        n /= np.linalg.norm(n, axis=2, keepdims=True)
        flux += np.einsum("kp,kpx,kpx->", weights, x, n)
    assert flux == pytest.approx(mesh.dimension * body.volume, rel=3e-6)


def points(facets):
    from fem_clearance.meshes import cells

    return cells.quadrature(cells.FACET[facets.solid.mesh.cell], 4)[0]


def test_nodes_lie_on_the_hole():
    """Nodes of quadratic cells on the circle; the corners of the block are nodes."""
    mesh = meshes.block_with_hole((4, 2, 1), 0.4, (16, 2, 3), hole=(1, 0.2))
    on = solid(mesh).facets("hole").nodes
    assert np.hypot(*(mesh.points[on, :2] - [1, 0.2]).T) == pytest.approx(0.4, rel=1e-14)
    corners = np.array([(x, y, 0.5) for x in (-2, 2) for y in (-1, 1)])
    for corner in corners:
        assert np.linalg.norm(mesh.points - corner, axis=1).min() < 1e-14


def test_closed_without_a_seam():
    """A ring has as many nodes round as cells (twice as many where quadratic), and one part."""
    for degree in (1, 2):
        mesh = meshes.hollow_cylinder(1, 2, 1, (12, 1, 1), degree=degree)
        assert len(mesh.points) == 12 * degree * (degree + 1) ** 2
        assert not mesh.parts().any()


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("dimension", [2, 3])
def test_fields_of_another_degree(dimension, cut):
    """Nodes of quadratic displacements on a linear mesh: shared by neighbours, evenly spaced."""
    mesh = meshes.block((1,) * dimension, (3,) * dimension)
    mesh = meshes.simplices(mesh) if cut else mesh
    cells, nodes = mesh.nodes(2)
    lattice = np.rint(6 * (nodes[:, :dimension] + 0.5))
    assert np.allclose(lattice, 6 * (nodes[:, :dimension] + 0.5), atol=1e-12)
    assert len(nodes) == 7**dimension == len(np.unique(lattice, axis=0))
    assert np.allclose(nodes[cells].mean(axis=1), mesh.centers, atol=0.1)


def test_marks_and_moves():
    mesh = meshes.block((10, 20, 30), (1, 2, 3)).marked(
        low=lambda x: (x[:, 1] < -9.9) & (x[:, 2] < -1)
    )
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    moved = mesh.moved(by=(1, 0, 0), rotation=turn, scale=1e-3)
    assert moved.size == pytest.approx([0.02, 0.01, 0.03])
    assert solid(moved).facets("low").center == pytest.approx([1 + 0.01, 0, -0.01])
    assert solid(moved).facets("low").area == pytest.approx(0.01 * 0.01)


# --- bad meshes -----------------------------------------------------------------------------------
def test_inverted_cells():
    mesh = meshes.block((1, 1, 1), (2, 2, 2))
    points = mesh.points.copy()
    points[13] += 2.0
    with pytest.raises(InputError, match=r"block: \d of 8 cells are inverted or flat"):
        replace(mesh, points=points)
    with pytest.raises(InputError, match="are inverted or flat"):
        replace(mesh, points=mesh.points * [1, 1, -1])
    quadratic = meshes.block((1, 1), (1, 1), degree=2)
    points = quadratic.points.copy()
    points[4] += [0.6, 0.6, 0]  # the middle node beyond a corner: inverted inside only
    with pytest.raises(InputError, match="are inverted or flat"):
        replace(quadratic, points=points)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda m: solid(m).facets("bore"), "body: the mesh has no facets marked 'bore'; its"),
        (lambda m: solid(m).facets(["x0"]), r"no facets marked \['x0'\]; its"),
        (lambda m: solid(m.marked(bore=lambda x: x[:, 0] < 9)).facets("bores"), "mean 'bore'"),
        (lambda m: solid(m, clamped="left"), "no facets marked 'left'"),
        (lambda m: solid(m, clamped={"x0": "w"}), "held along some of the axes 'xyz', got 'w'"),
        (lambda m: m.marked(nothing=lambda x: x[:, 0] > 9), "facet set 'nothing' is empty"),
        (lambda m: replace(m, cells=m.cells[:0]), "has no cells"),
        (lambda m: replace(m, points=m.points * np.nan), "not finite"),
        (lambda m: meshes.simplices(meshes.simplices(m)), "are already simplices"),
        (lambda m: meshes.block((1, 2, 3), (1, 2)), "and the same number of cells"),
        (lambda m: meshes.block((1, -2), (1, 2)), "size must be positive"),
        (lambda m: meshes.block((1, 2), (1, 0)), "whole number of at least 1"),
        (lambda m: meshes.hollow_cylinder(2, 1, 1, (8, 1)), "must exceed inner_radius"),
        (lambda m: meshes.hollow_cylinder(1, 2, 1, (2, 1)), "a closed ring needs at least 3"),
        (lambda m: meshes.hollow_cylinder(1, 2, 1, (8,)), "numbers of cells around, along"),
        (lambda m: meshes.block_with_hole((1, 1), 0.5, (8, 1)), "does not fit into a block"),
        (lambda m: meshes.block_with_hole((1, 1), 0.1, (9, 1)), "multiple of 4, got 9"),
        (lambda m: meshes.read("/nowhere/rod.msh"), "there is no mesh file '/nowhere/rod.msh'"),
        (lambda m: solid(m, state="plane_stress"), "is for plane meshes"),
        (lambda m: solid(meshes.block((1, 1), (1, 1)), state="stress"), "state must be one of"),
        (lambda m: solid(m, degree=3), "degree must be one of 1, 2"),
        (lambda m: solid(m, velocity=lambda x: x[0]), "velocity must return finite numbers"),
        (lambda m: fc.Solid("rod.msh", STEEL), "mesh must be a Mesh such as"),
        (lambda m: fc.Solid(m, 2e11), "material must be a material such as"),
        (lambda m: fc.Pressure(solid(m), 1.0), "acts on a facet set such as"),
        (lambda m: fc.Pressure(solid(m).facets("x0"), "high"), "pressure must be a number"),
        (lambda m: fc.Traction(solid(m).facets("x0"), (1, 2)), "vector of 3 numbers"),
        (lambda m: fc.SolidProbe(m), "needs a Solid"),
        (
            lambda m: fc.System().add(fc.Pressure(solid(m, free=True).facets("x0"), 1.0)),
            "not in the system: add that body first",
        ),
        (
            lambda m: solid(meshes.simplices(meshes.block((1, 1), (1, 1), degree=2)), lumped=True),
            "has no lumped mass matrix",
        ),
        (
            lambda m: fc.Traction(solid(meshes.block((1, 1), (1, 1))).facets("x0"), (0, 0, 1)),
            "takes no force across its plane",
        ),
        (lambda m: solid(m).at((0.3, 0, 0)), r"has no node at \(0.3, 0, 0\) m; the nearest one"),
        (
            lambda m: fc.System().add(solid(m, clamped=["x0", "x1"], degree=1)),
            "all of its nodes are clamped",
        ),
    ],
)  # fmt: skip
def test_messages(make, message):
    with pytest.raises(InputError, match=message):
        make(meshes.block((1, 1, 1), (1, 1, 1)))


def test_parts_that_do_not_touch():
    a, b = meshes.block((1, 1, 1), (1, 1, 1)), meshes.block((1, 1, 1), (1, 2, 1), center=(3, 0, 0))
    both = meshes.Mesh(
        "hexahedron", np.concatenate([a.points, b.points]),
        np.concatenate([a.cells, b.cells + len(a.points)]),
    )  # fmt: skip
    with pytest.raises(InputError, match="consists of 2 parts of 1, 2 cells that do not touch"):
        solid(both)


def test_warnings(caplog):
    """Millimetres in a model of metres; locking."""
    system = fc.System()
    system.add(solid(meshes.block((100, 20, 20), (2, 1, 1)), free=True))
    system.add(fc.RigidBody(mass=1, inertia=(1, 1, 1), position=(0.1, 0, 0), free=True, name="a"))
    system.assemble()
    assert "if its mesh is in mm, use mesh.moved(scale=1e-3)" in caplog.text
    caplog.clear()
    system = fc.System()
    system.add(solid(meshes.block((1, 1, 1), (1, 1, 1)), free=True))
    off = 1e-18, 0, 0  # by round-off
    system.add(fc.RigidBody(mass=1, inertia=(1, 1, 1), position=off, free=True, name="a"))
    system.assemble()
    assert "mm" not in caplog.text
    rubber = fc.NeoHookean(E=1e6, nu=0.49, rho=1000)
    fc.Solid(meshes.block((1, 1, 1), (1, 1, 1)), rubber, degree=1, name="seal")
    assert "seal: elements of degree 1 lock at Poisson's ratio 0.49; use degree=2" in caplog.text
    caplog.clear()
    fc.Solid(meshes.block((1, 1), (1, 1)), rubber, degree=1, state="plane_stress", name="sheet")
    fc.Solid(meshes.block((1, 1, 1), (1, 1, 1)), rubber, name="seal")
    assert not caplog.text
