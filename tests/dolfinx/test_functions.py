"""Fields as Functions, against DOLFINx's own Expressions of the displacement; files read back."""

import basix
import h5py
import numpy as np
import pytest
import ufl
from dolfinx import fem, io, la

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance._backend import MPI

from .models import NAMES, bar, stvk

STEEL = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)


def bent(comm, cell="tetrahedron", degree=1):
    """A bar at rest under its weight and a pull."""
    msh, tags = bar(comm, cell)
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    rod = fcd.mesh(msh, tags, NAMES)
    body = system.add(fc.Solid(rod, STEEL, degree=degree, clamped="left", name="bar"))
    system.add(fc.Traction(body.facets("right"), (1e4, -2e3, 0), name="pull"))
    results = fc.Statics(system, 1).solve()
    return system, body, results


def cauchy(u):
    """Cauchy's stress of a displacement, by hand."""
    F = ufl.Identity(3) + ufl.grad(u)
    return stvk(F, STEEL.lam, STEEL.mu) * F.T / ufl.det(F)


@pytest.mark.mpi
def test_stress_of_linear_tetrahedra(comm):
    """Constant in each cell: the mean over the cells of a node, by DOLFINx's interpolation into
    DG 0 and sums over ranks."""
    system, body, _ = bent(comm)
    u, stress = (fcd.to_function(body, system.state, n) for n in ("displacement", "stress"))
    msh = u.function_space.mesh
    W = fem.functionspace(msh, ("DG", 0, (3, 3)))
    cells = fem.Function(W)
    cells.interpolate(fem.Expression(cauchy(u), W.element.interpolation_points))
    total = fem.Function(fem.functionspace(msh, ("Lagrange", 1, (3, 3))))
    count = fem.Function(fem.functionspace(msh, ("Lagrange", 1)))
    own = msh.topology.index_map(3).size_local
    nodes = total.function_space.dofmap.list[:own]
    values = cells.x.array.reshape(-1, 1, 9)[:own]
    np.add.at(total.x.array.reshape(-1, 9), nodes, np.broadcast_to(values, (own, 4, 9)))
    np.add.at(count.x.array, nodes, 1.0)
    for f in (total, count):
        f.x.scatter_reverse(la.InsertMode.add)
        f.x.scatter_forward()
    mean = total.x.array.reshape(-1, 9) / count.x.array[:, None]
    here = total.function_space.dofmap.index_map.size_local
    assert np.abs(mean).max() > 1e4
    found = stress.x.array.reshape(-1, 9)[:here]
    np.testing.assert_allclose(found, mean[:here], atol=1e-8 * np.abs(mean).max())
    mises = fcd.to_function(body, system.state, "von_mises")
    s = mean - np.trace(mean.reshape(-1, 3, 3), axis1=1, axis2=2)[:, None] / 3 * np.eye(3).ravel()
    right = np.sqrt(1.5 * (s**2).sum(axis=1))[:here]
    np.testing.assert_allclose(mises.x.array[:here], right, rtol=1e-8)


def test_stress_of_quadratic_hexahedra():
    """DOLFINx's Expression at the 2 x 2 x 2 Gauss points, a trilinear fit by least squares of
    monomials, its values at the nodes, the mean of the cells that meet."""
    system, body, _ = bent(MPI.COMM_SELF, "hexahedron", 2)
    u, stress = (fcd.to_function(body, system.state, n) for n in ("displacement", "stress"))
    msh, V = u.function_space.mesh, u.function_space
    points, _ = basix.make_quadrature(basix.CellType.hexahedron, 3)
    cells = np.arange(msh.topology.index_map(3).size_local, dtype=np.int32)
    values = fem.Expression(cauchy(u), points).eval(msh, cells).reshape(len(cells), 8, 9)

    def monomials(x):
        x, y, z = x.T
        return np.stack([1 + 0 * x, x, y, z, x * y, y * z, z * x, x * y * z], axis=1)

    carry = monomials(V.element.basix_element.points) @ np.linalg.inv(monomials(points))
    total, count = np.zeros((len(u.x.array) // 3, 9)), np.zeros(len(u.x.array) // 3)
    np.add.at(total, V.dofmap.list, np.einsum("np,cpk->cnk", carry, values))
    np.add.at(count, V.dofmap.list, 1.0)
    mean = total / count[:, None]
    found = stress.x.array.reshape(-1, 9)
    np.testing.assert_allclose(found, mean, atol=1e-8 * np.abs(mean).max())


@pytest.mark.mpi
def test_velocity_and_results(comm):
    """A bar that turns: w x r at its nodes; the same from results, of the end of the run."""
    msh, tags = bar(comm)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    rod = fcd.mesh(msh, tags, NAMES)
    body = system.add(
        fc.Solid(rod, STEEL, degree=2, angular_velocity=(0, 0, 2.0), free=True, name="bar")
    )
    v = fcd.to_function(body, system.state, "velocity")
    x = v.function_space.tabulate_dof_coordinates() - (0.5, 0, 0)
    right = np.cross((0, 0, 2.0), x)
    np.testing.assert_allclose(v.x.array.reshape(-1, 3), right, atol=1e-12)
    results = fc.Simulation(system, dt=1e-3, t_end=5e-3, progress=False).run()
    for name in ("velocity", "stress"):
        now = fcd.to_function(body, system.state, name)
        then = fcd.to_function(body, results, name, system=system)
        size = np.abs(now.x.array).max(initial=0)
        np.testing.assert_allclose(then.x.array, now.x.array, atol=1e-9 * size)


@pytest.mark.mpi
@pytest.mark.parametrize("suffix", [".bp", ".xdmf", ".vtkhdf"])
def test_writer(comm, shared_tmp_path, suffix):
    """A body that flies: files at the instants asked for, with displacements v t."""
    msh, tags = bar(comm, "hexahedron")
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    body = system.add(
        fc.Solid(fcd.mesh(msh, tags, NAMES), STEEL, velocity=(3, 0, 0), free=True, name="bar")
    )
    path = shared_tmp_path / f"bar{suffix}"
    fields = ("displacement",) if suffix == ".vtkhdf" else ("displacement", "stress", "von_mises")
    with fcd.Writer(path, body, fields, every=2e-3) as writer:
        writer.write(system.state, t=0.0)
        fc.Simulation(system, dt=1e-3, t_end=6e-3, on_step=writer, progress=False).run()
    comm.Barrier()
    assert path.exists()
    if suffix == ".xdmf":
        file = h5py.File(path.with_suffix(".h5"))
        times = {
            float(k.replace("_", ".")): v[()] for k, v in file["Function/displacement"].items()
        }
        moved = [times[t][:, 0] for t in sorted(times)]
    elif suffix == ".vtkhdf":
        file = h5py.File(path)["VTKHDF"]
        times = dict.fromkeys(file["Steps/Values"][()])
        moved = np.split(file["PointData/u"][()][:, 0], len(times))
    else:
        return
    assert sorted(times) == pytest.approx([0, 2e-3, 4e-3, 6e-3])
    for t, x in zip(sorted(times), moved, strict=True):
        assert x == pytest.approx(np.full(45, 3 * t), abs=1e-10)


def test_writer_of_a_plane_solid(tmp_path):
    """Vectors of two components have three in VTKHDF."""
    from dolfinx import mesh as dm

    msh = dm.create_rectangle(MPI.COMM_SELF, [[0, 0], [1, 1]], (2, 2), dm.CellType.quadrilateral)
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    body = system.add(
        fc.Solid(
            fcd.mesh(msh), STEEL, state="plane_strain", velocity=(1, 2, 0), free=True, name="p"
        )
    )
    with fcd.Writer(tmp_path / "p.vtkhdf", body, "velocity") as writer:
        writer.write(system.state)
    found = h5py.File(tmp_path / "p.vtkhdf")["VTKHDF/PointData/u"][()]
    np.testing.assert_allclose(found, np.broadcast_to((1, 2, 0), (9, 3)))
    for suffix in ("bp", "xdmf"):
        with fcd.Writer(tmp_path / f"p.{suffix}", body, ("velocity", "stress")) as writer:
            writer.write(system.state)
        assert (tmp_path / f"p.{suffix}").exists()


def test_sentences(tmp_path):
    system, body, results = bent(MPI.COMM_SELF)
    other = fc.Solid(fc.meshes.block((1, 1, 1), (1, 1, 1)), STEEL, name="other")
    tensor = ("stress",)
    for call, words in (
        (lambda: fcd.to_function(body, results, "stress"), "system=system"),
        (lambda: fcd.to_function(body, system.state, "strain"), "field"),
        (lambda: fcd.to_function(body, 3.0), "such as system.state"),
        (lambda: fcd.to_function(other, system.state), "not a DOLFINx mesh"),
        (lambda: fcd.to_function(system, system.state), "fields of a Solid"),
        (lambda: fcd.Writer(tmp_path / "a.vtu", body), "suffix"),
        (lambda: fcd.Writer(tmp_path / "a.vtkhdf", body, tensor), "one vector or scalar"),
        (lambda: fcd.Writer(tmp_path / "a.xdmf", body, every=-1), "every"),
    ):
        with pytest.raises(fc.InputError, match=words):
            call()
    writer = fcd.Writer(tmp_path / "a.xdmf", body)
    writer.close()
    with pytest.raises(fc.InputError, match="closed already"):
        writer.write(system.state)


def test_files_are_read_by_dolfinx(tmp_path):
    """The mesh of an XDMF file of ours, read by DOLFINx, is the bar."""
    system, body, _ = bent(MPI.COMM_SELF)
    with fcd.Writer(tmp_path / "a.xdmf", body) as writer:
        writer.write(system.state)
    with io.XDMFFile(MPI.COMM_SELF, tmp_path / "a.xdmf", "r") as file:
        assert fcd.mesh(file.read_mesh()).quadrature()[0].sum() == pytest.approx(0.25)
