"""Fields of solids as VTK files, against closed forms; read by PyVista."""

import numpy as np
import pytest
import pyvista
from vtkmodules.vtkCommonCore import mutable

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance._backend import MPI
from fem_clearance.fields.solids import KINDS, vtk_order
from fem_clearance.fields.writer import FieldWriter
from fem_clearance.io.vtk import entries, read_vtu, vtu
from fem_clearance.meshes import cells as reference

E, NU, STRETCH = 1e7, 0.3, 1.2
SIZE = np.array([0.4, 0.1, 0.2])
CELLS = ["triangle", "quadrilateral", "tetrahedron", "hexahedron"]


def pulled(cell, degree, comm=None):
    """A block between planes of symmetry, pulled along x to a stretch, and what it is then.

    Green's strain along x is (stretch^2 - 1)/2, S = E times that (no stress across), the nominal
    stress stretch S, Cauchy's that over the area left, (1 - nu (stretch^2 - 1)).
    """
    plane = cell in ("triangle", "quadrilateral")
    d = 2 if plane else 3
    mesh = meshes.block(SIZE[:d], (3, 1, 2)[:d], center=SIZE / 2 * ([1, 1, 0] if plane else 1),
                        degree=degree)  # fmt: skip
    if cell in ("triangle", "tetrahedron"):
        mesh = meshes.simplices(mesh)
    S = E * (STRETCH**2 - 1) / 2
    across = np.sqrt(1 - NU * (STRETCH**2 - 1))
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    solid = system.add(
        fc.Solid(
            mesh,
            fc.StVenantKirchhoff(E=E, nu=NU, rho=1000),
            degree=mesh.degree,
            name="block",
            clamped={f"{x}0": x for x in "xyz"[:d]},
            **({"state": "plane_stress", "thickness": 0.2} if plane else {}),
        )  # fmt: skip
    )
    system.add(fc.Traction(solid.facets("x1"), (STRETCH * S, 0, 0), name="pull"))
    fc.Statics(system).solve()
    return system, solid, S, across


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("cell", CELLS)
def test_uniaxial(tmp_path, cell, degree):
    system, solid, S, across = pulled(cell, degree)
    FieldWriter(system, tmp_path, 1).record(0.5)
    ((t, name),) = entries(tmp_path / "block.pvd")
    assert t == 0.5
    grid = pyvista.read(tmp_path / name)
    data = grid.point_data
    cauchy = STRETCH * S / across**2
    stretches = np.array([STRETCH, across, across if solid.dimension == 3 else 1.0])
    u = solid.nodes * (stretches - 1)
    np.testing.assert_allclose(data["displacement"], u, atol=1e-9)
    np.testing.assert_allclose(grid.points, solid.nodes + u, atol=1e-9)
    alone = np.eye(9)[0]
    np.testing.assert_allclose(data["stress"], np.outer([cauchy] * len(u), alone), atol=1e-6 * S)
    np.testing.assert_allclose(
        data["second_piola_kirchhoff"], np.outer([S] * len(u), alone), atol=1e-6 * S
    )
    np.testing.assert_allclose(data["von_mises"], cauchy, rtol=1e-6)
    principal = data["principal_stress"]
    np.testing.assert_allclose(principal[:, 0], cauchy, rtol=1e-6)
    assert np.abs(principal[:, 1:]).max() < 1e-6 * S
    assert not data["velocity"].any()
    sizes = grid.compute_cell_sizes()["Area" if solid.dimension == 2 else "Volume"]
    assert len(sizes) == len(solid.cells) and sizes.min() > 0
    whole = np.prod((SIZE * stretches)[: solid.dimension])
    assert sizes.sum() == pytest.approx(whole, rel=1e-8)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("cell", CELLS)
def test_nodes_in_the_order_of_vtk(tmp_path, cell, degree):
    """Points inside curved cells, by VTK's shape functions and by Basix's: another order of the
    nodes would take them elsewhere."""
    d = reference.dimension(cell)
    mesh = meshes.block((1, 1, 1)[:d], (2, 1, 1)[:d], degree=degree)
    if cell in ("triangle", "tetrahedron"):
        mesh = meshes.simplices(mesh)
    x = mesh.points + 0.05 * np.random.default_rng(1).standard_normal(mesh.points.shape)
    text = vtu(x, mesh.cells[:, vtk_order(cell, mesh.cells.shape[1])], KINDS[cell], {}, {}, {})
    (tmp_path / "cells.vtu").write_text(text)
    grid = pyvista.read(tmp_path / "cells.vtu")
    inside = [0.2, 0.3, 0.15][:d]
    shape = reference.shape_functions(cell, degree, (tuple(inside),))[0, 0]
    for k, nodes in enumerate(mesh.cells):
        found, sub = np.zeros(3), np.zeros(len(nodes))
        grid.GetCell(k).EvaluateLocation(mutable(0), [*inside, 0][:3], found, sub)
        np.testing.assert_allclose(found, shape @ x[nodes], atol=1e-12)


def swinging(path, t_end, resume=False, comm=None):
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    mesh = meshes.block((0.4, 0.1), (4, 1), center=(0.2, 0, 0), degree=2)
    system.add(
        fc.Solid(
            mesh,
            fc.StVenantKirchhoff(E=E, nu=NU, rho=1000),
            degree=mesh.degree,
            name="bar",
            clamped=["x0"],
            state="plane_stress",
            thickness=0.1,
        )  # fmt: skip
    )
    fc.Simulation(
        system, dt=1e-3, t_end=t_end, output=path, fields_every=0.002, progress=False
    ).run(resume=resume)
    return [(t, read_vtu(path / "fields" / name)) for t, name in entries(path / "fields/bar.pvd")]


def same(a, b):
    assert [t for t, _ in a] == [t for t, _ in b]
    for (_, x), (_, y) in zip(a, b, strict=True):
        assert x.keys() == y.keys()
        for name in x:
            np.testing.assert_allclose(x[name], y[name], rtol=0, atol=1e-7 * np.abs(x[name]).max())


def test_a_resumed_run_goes_on(tmp_path):
    """The list and the files are those of a run in one go."""
    straight = swinging(tmp_path / "straight", 0.01)
    assert np.array([t for t, _ in straight]) == pytest.approx(np.arange(6) * 0.002)
    swinging(tmp_path / "parts", 0.006)
    same(straight, swinging(tmp_path / "parts", 0.01, resume=True))
    assert len(list((tmp_path / "parts" / "fields").glob("bar_*.vtu"))) == 6


@pytest.mark.mpi
def test_ranks_agree(comm, shared_tmp_path):
    shared = swinging(shared_tmp_path / "shared", 0.004, comm=comm)
    comm.Barrier()
    if comm.rank == 0:
        same(swinging(shared_tmp_path / "alone", 0.004, comm=MPI.COMM_SELF), shared)
