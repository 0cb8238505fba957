"""Meshes through the door, on any number of ranks: the solid's own result, and DOLFINx's residual
at it; and what cannot be a solid, in sentences."""

import basix.ufl
import dolfinx.fem.petsc  # noqa: F401  (assembles matrices)
import numpy as np
import pytest
import ufl
from dolfinx import fem, io
from dolfinx import mesh as dm

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance._backend import MPI, PETSc
from fem_clearance.core import linear_solvers
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.dolfinx.functions import BodyFunctions

from .models import NAMES, bar, left_over, stvk, tagged

STEEL = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
LAM, MU = STEEL.lam, STEEL.mu


def pulled(comm, rod, degree, pull=(0, -2e3, 1e3), **options):
    """A bar with its weight and a traction, at rest."""
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    body = system.add(fc.Solid(rod, STEEL, degree=degree, clamped="left", name="bar", **options))
    system.add(fc.Traction(body.facets("right"), pull, name="pull"))
    fc.Statics(system, 1, tolerance=1e-13).solve()
    return system, body


def weak_form(u, msh, tags, pull, degree):
    """The same in DOLFINx's own words, with the rules that the solid states."""
    w = ufl.TestFunction(u.function_space)
    d = len(u)
    F = ufl.Identity(d) + ufl.grad(u)
    ds = ufl.Measure("ds", msh, subdomain_data=tags)
    inner = ufl.inner(stvk(F, LAM, MU), ufl.grad(w)) * ufl.dx(degree=degree)
    gravity = ufl.as_vector((0.0, -9.81 * STEEL.rho, 0.0)[:d])
    load = fem.Constant(msh, np.array(pull[:d], float))
    return inner - ufl.dot(gravity, w) * ufl.dx - ufl.dot(load, w) * ds(NAMES["right"])


RULES = {("tetrahedron", 1): 1, ("tetrahedron", 2): 4, ("hexahedron", 1): 3, ("hexahedron", 2): 5}


@pytest.mark.mpi
@pytest.mark.parametrize(("cell", "degree"), RULES)
def test_residual_by_dolfinx(comm, cell, degree):
    """DOLFINx's residual at our solution is below 1e-9 of its forces, and what holds the clamp is
    weight and traction, which are known."""
    msh, tags = bar(comm, cell)
    pull = (0, -2e3, 1e3)
    system, body = pulled(comm, fcd.mesh(msh, tags, NAMES), degree, pull)
    u = fcd.to_function(body, system.state)
    free, held = left_over(weak_form(u, msh, tags, pull, RULES[cell, degree]), msh, tags)
    weight = STEEL.rho * 9.81 * 0.25
    assert held == pytest.approx([0, weight + 2e3 * 0.25, -1e3 * 0.25], rel=1e-9, abs=1e-7)
    assert free < 1e-9 * weight
    assert np.abs(u.x.array).max() > 1e-3


@pytest.mark.mpi
@pytest.mark.parametrize("distributed", [False, True])
@pytest.mark.parametrize(("cell", "degree"), RULES)
def test_matrix_by_dolfinx(comm, cell, degree, distributed, monkeypatch):
    """DOLFINx's own matrix of the derivative of the weak form at our solution, with an inertia, is
    ours: its norm and its product with a vector, to 1e-12."""
    monkeypatch.setattr(linear_solvers, "BETWEEN_SOLIDS", 0)  # PETSc's matrix
    msh, tags = bar(comm, cell)
    system, body = pulled(comm, fcd.mesh(msh, tags, NAMES, distributed=distributed), degree)
    state, weight = system.state, 4e6
    newton = NewtonSolver(state)
    newton.factors(weight, 0.0)
    newton.build()
    u = fcd.to_function(body, state)
    V = u.function_space
    du, w = ufl.TrialFunction(V), ufl.TestFunction(V)
    J = ufl.derivative(weak_form(u, msh, tags, (0, 0, 0), RULES[cell, degree]), u, du)
    J += weight * STEEL.rho * ufl.inner(du, w) * ufl.dx(degree=2 * degree)
    clamp = fem.locate_dofs_topological(V, 2, tags.find(NAMES["left"]))
    A = fem.petsc.assemble_matrix(fem.form(J), bcs=[fem.dirichletbc(np.zeros(3), clamp, V)])
    A.assemble()
    y = fem.Function(V)
    y.interpolate(lambda x: x[0] * np.stack([np.sin(9 * x[1]), np.cos(5 * x[2]), x[0] + x[1]]))
    own, nodes = slice(V.dofmap.index_map.size_local), BodyFunctions(body).nodes
    numbers = body.block.numbers.reshape(-1, 3)[body.slot][nodes][own].ravel()
    values, free = y.x.array.reshape(-1, 3)[own].ravel(), numbers < state.size
    x, product = newton.A.createVecs()
    x.setValues(numbers[free].astype(PETSc.IntType), values[free])
    x.assemble()
    newton.A.mult(x, product)
    ours = state.problem.everything(product.array_r)[numbers[free]]
    there, theirs = A.createVecs()
    there.array[:] = values
    A.mult(there, theirs)
    largest = comm.allreduce(np.abs(ours).max(initial=0.0), MPI.MAX)
    assert largest > 1e3
    assert theirs.array_r[free] == pytest.approx(ours, abs=1e-12 * largest)
    clamped = comm.allreduce(int(np.sum(~free)))
    assert np.sqrt(A.norm() ** 2 - clamped) == pytest.approx(newton.A.norm(), rel=1e-12)


@pytest.mark.mpi
def test_space_is_the_bodys(comm):
    """body.space() has the body's degree; fields of places come out as places."""
    msh, tags = bar(comm)
    body = fc.Solid(fcd.mesh(msh, tags, NAMES), STEEL, degree=2)
    V = body.space()
    assert V.element.basix_element.degree == 2
    assert V.dofmap.index_map.size_global == len(body.nodes)


@pytest.mark.mpi
def test_same_on_any_ranks(comm):
    """Every rank holds what one rank alone would: nodes, cells and facets in the input's order."""
    whole = fcd.mesh(*bar(comm), NAMES)
    alone = fcd.mesh(*bar(MPI.COMM_SELF), NAMES)
    np.testing.assert_allclose(whole.points, alone.points, atol=1e-15)
    np.testing.assert_array_equal(whole.cells, alone.cells)
    for name in NAMES:
        np.testing.assert_array_equal(whole.facets[name], alone.facets[name])


@pytest.mark.mpi
@pytest.mark.parametrize("cell", ["triangle", "quadrilateral", "tetrahedron", "hexahedron"])
@pytest.mark.parametrize("degree", [1, 2])
def test_cells_given_clockwise(comm, cell, degree):
    """A mesh seen in a mirror: every cell is turned inside out, the solid as good as before."""
    plane = cell in ("triangle", "quadrilateral")
    n = (3, 2) if plane else (3, 2, 2)
    make = dm.create_rectangle if plane else dm.create_box
    msh = make(comm, [[0] * len(n), [1] * len(n)], n, dm.CellType[cell])
    msh.geometry.x[:, 0] *= -1
    tags = tagged(msh, lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[0], -1))
    rod = fcd.mesh(msh, tags, {"left": 1, "right": 2})
    options = {"state": "plane_strain"} if plane else {}
    pull = (-1e4, 0, 0)
    system, body = pulled(comm, rod, degree, pull, **options)
    u = fcd.to_function(body, system.state)
    rule = RULES[{"triangle": "tetrahedron", "quadrilateral": "hexahedron"}.get(cell, cell), degree]
    free, held = left_over(weak_form(u, msh, tags, pull, rule), msh, tags)
    assert abs(held[0]) == pytest.approx(1e4, rel=1e-9)
    assert free < 1e-9 * 1e4


def test_curved_cells():
    """A quarter of a ring of curved triangles under pressure: DOLFINx's residual, and the area of
    edges of degree 2 rather than of chords."""
    comm = MPI.COMM_SELF
    flat = dm.create_rectangle(comm, [[1, 0], [2, 1]], (2, 4), dm.CellType.triangle)
    W = fem.functionspace(flat, ("Lagrange", 2, (2,)))
    curve = fem.Function(W)
    turn = lambda x: np.pi / 2 * x[1]  # noqa: E731
    curve.interpolate(lambda x: np.stack([x[0] * np.cos(turn(x)), x[0] * np.sin(turn(x))]))
    element = basix.ufl.element("Lagrange", "triangle", 2, shape=(2,))
    places = curve.x.array.reshape(-1, 2)
    msh = dm.create_mesh(comm, W.dofmap.list.astype(np.int64), element, places)
    radius = lambda x: np.hypot(x[0], x[1])  # noqa: E731
    tags = tagged(msh, lambda x: np.isclose(x[1], 0), lambda x: np.isclose(radius(x), 1, atol=1e-3))
    ring = fcd.mesh(msh, tags, {"left": 1, "bore": 2})
    assert ring.curved
    area = ring.quadrature()[0].sum()
    exact = np.pi / 4 * (4 - 1)
    chords = 4 / 2 * np.sin(np.pi / 8) * (4 - 1)  # of straight edges at the same corners
    assert abs(area - exact) < 0.01 * abs(chords - exact)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    body = system.add(fc.Solid(ring, STEEL, state="plane_strain", clamped="left", name="ring"))
    system.add(fc.Pressure(body.facets("bore"), 1e4, follower=False, name="oil"))
    fc.Statics(system, 1, tolerance=1e-13).solve()
    u = fcd.to_function(body, system.state)
    w = ufl.TestFunction(u.function_space)
    P = stvk(ufl.Identity(2) + ufl.grad(u), LAM, MU)
    ds = ufl.Measure("ds", msh, subdomain_data=tags, metadata={"quadrature_degree": 6})
    R = ufl.inner(P, ufl.grad(w)) * ufl.dx(degree=4)
    R += 1e4 * ufl.dot(ufl.FacetNormal(msh), w) * ds(2)
    free, held = left_over(R, msh, tags)
    assert free < 1e-9 * 1e4
    assert held == pytest.approx([-1e4, -1e4], rel=1e-3)  # pressure on the bore's two projections


def plate(comm, gmsh):
    """gmsh's quarter of a plate with a hole, quadratic, with names."""
    if comm.rank == 0:
        gmsh.initialize(interruptible=False)
        gmsh.option.setNumber("General.Terminal", 0)
        occ = gmsh.model.occ
        whole, hole = occ.addRectangle(0, 0, 0, 1, 1), occ.addDisk(0, 0, 0, 0.3, 0.3)
        occ.cut([(2, whole)], [(2, hole)])
        occ.synchronize()
        gmsh.model.addPhysicalGroup(2, [1], name="plate")
        for _, line in gmsh.model.getEntities(1):
            x, y, _ = gmsh.model.occ.getCenterOfMass(1, line)
            if x < 1e-6:
                gmsh.model.addPhysicalGroup(1, [line], name="left")
            if x > 1 - 1e-6:
                gmsh.model.addPhysicalGroup(1, [line], name="right")
        gmsh.option.setNumber("Mesh.MeshSizeMax", 0.25)
        gmsh.model.mesh.generate(2)
        gmsh.model.mesh.setOrder(2)
    data = io.gmsh.model_to_mesh(gmsh.model if comm.rank == 0 else None, comm, 0, gdim=2)
    if comm.rank == 0:
        gmsh.finalize()
    return data


@pytest.mark.mpi
def test_gmsh(comm):
    """What model_to_mesh returns, with its names; edges of the hole are curved."""
    gmsh = pytest.importorskip("gmsh")
    data = plate(comm, gmsh)
    names = data.physical_groups
    whole = fcd.mesh(data.mesh, data.facet_tags, names, data.cell_tags)
    assert set(whole.facets) == {"left", "right"} and whole.degree == 2 and whole.curved
    assert whole.quadrature()[0].sum() == pytest.approx(1 - np.pi * 0.09 / 4, abs=1e-4)
    E = whole.by_cells({"plate": 2e7})
    assert np.all(E.x.array == 2e7)
    pull = (1e4, 0, 0)
    system, body = pulled(comm, whole, 2, pull, state="plane_strain")
    u = fcd.to_function(body, system.state)
    tags = data.facet_tags
    w = weak_form(u, data.mesh, tags, (0, 0), 4)
    ds = ufl.Measure("ds", data.mesh, subdomain_data=tags)(names["right"].tag)
    w -= 1e4 * ufl.TestFunction(u.function_space)[0] * ds
    free, held = left_over(w, data.mesh, tags, names["left"].tag)
    assert held[0] == pytest.approx(-1e4, rel=1e-9)  # what the clamp exerts
    assert free < 1e-9 * 1e4


@pytest.mark.mpi
def test_files(comm, shared_tmp_path):
    """XDMF and VTKHDF read by DOLFINx; the volume is the box's."""
    msh, _ = bar(comm, "hexahedron")
    with io.XDMFFile(comm, shared_tmp_path / "bar.xdmf", "w") as file:
        file.write_mesh(msh)
    with io.XDMFFile(comm, shared_tmp_path / "bar.xdmf", "r") as file:
        read = file.read_mesh()
    io.vtkhdf.write_mesh(shared_tmp_path / "bar.vtkhdf", msh)
    comm.Barrier()
    again = io.vtkhdf.read_mesh(comm, str(shared_tmp_path / "bar.vtkhdf"))
    for found in (read, again):
        assert fcd.mesh(found).quadrature()[0].sum() == pytest.approx(0.25)


def test_tags_are_names():
    """Without names the tags are names."""
    rod = fcd.mesh(*bar(MPI.COMM_SELF))
    assert set(rod.facets) == {"1", "2", "3"}


@pytest.mark.mpi
def test_a_piece_of_each_rank(comm):
    """What a user might do by hand: each rank's own cells. Several ranks are refused."""
    msh, _ = bar(comm, "hexahedron")
    nodes = msh.geometry.dofmaps[0][: msh.topology.index_map(3).size_local]
    piece = fc.meshes.Mesh("hexahedron", msh.geometry.x.copy(), nodes.astype(int))
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    body = fc.Solid(piece, STEEL, free=True, name="bar")
    if comm.size == 1:
        system.add(body)
        return
    with pytest.raises(fc.InputError, match="the ranks hold different meshes"):
        system.add(body)


def test_second_system():
    """A body without Functions is copied with its mesh; one with Functions is refused."""
    msh, tags = bar(MPI.COMM_SELF)
    rod = fcd.mesh(msh, tags, NAMES)
    plain = fc.Solid(rod, STEEL, clamped="left", name="bar")
    E = fem.Function(fem.functionspace(msh, ("DG", 0)))
    E.x.array[:] = 1e7
    varying = fc.Solid(rod, fc.StVenantKirchhoff(E=E, nu=0.3, rho=1), clamped="left", name="soft")
    first, second = (fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF) for _ in range(2))
    first.add(plain)
    first.add(varying)
    assert second.add(plain).mesh is rod
    with pytest.raises(fc.InputError, match="cannot be copied into this one"):
        second.add(varying)


def test_names_of_cells_and_facets():
    """One mapping for both; a name that neither has is refused."""
    msh, tags = bar(MPI.COMM_SELF)
    every = np.arange(msh.topology.index_map(3).size_local, dtype=np.int32)
    cells = dm.meshtags(msh, 3, every, np.where(every < 40, 8, 9).astype(np.int32))
    names = NAMES | {"steel": 8, "rubber": 9}
    rod = fcd.mesh(msh, tags, names, cells)
    assert set(rod.facets) == set(NAMES)
    E = rod.by_cells({"steel": 2e11, 9: 1e7})
    assert E.x.array == pytest.approx(np.where(every < 40, 2e11, 1e7))
    with pytest.raises(fc.InputError, match="no facets have the tag 30 of 'foot'"):
        fcd.mesh(msh, tags, names | {"foot": 30}, cells)


def refusals():
    comm = MPI.COMM_SELF
    msh, tags = bar(comm)
    inner = dm.meshtags(msh, 2, np.arange(msh.topology.index_map(2).size_local, dtype=np.int32), 7)
    cells = dm.meshtags(msh, 3, np.arange(4, dtype=np.int32), np.ones(4, np.int32))
    line = dm.create_interval(comm, 3, [0, 1])
    prisms = dm.create_box(comm, [[0, 0, 0], [1, 1, 1]], [1, 1, 1], dm.CellType.prism)
    E = basix.ufl.element("Lagrange", "triangle", 1, shape=(3,))
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 1.0]])
    sheet = dm.create_mesh(comm, np.array([[0, 1, 2]]), E, corners)
    rod = fcd.mesh(msh, tags, NAMES)
    tagged_cells = fcd.mesh(msh, cell_tags=cells, names={"some": 1})
    return [
        (lambda: fcd.mesh("bar.msh"), "takes a dolfinx.mesh.Mesh"),
        (lambda: fc.Solid(msh, STEEL), "fem_clearance.dolfinx.mesh makes one of it"),
        (lambda: fcd.mesh(msh, NAMES), "tags are a dolfinx.mesh.MeshTags, got {'left'"),
        (lambda: fcd.mesh(msh, tags, {"foot": 8}), "no facets have the tag 8 of 'foot'; .* 1, 2"),
        (lambda: fcd.mesh(msh, inner, {"all": 7}), "lie inside of the body"),
        (lambda: fcd.mesh(msh, cells), "dimension 3"),
        (lambda: fcd.mesh(line), "cell interval"),
        (lambda: fcd.mesh(prisms), "cell prism"),
        (lambda: fcd.mesh(sheet), "surface of triangles in space"),
        (lambda: rod.moved(scale=1e-3), "change msh.geometry.x"),
        (lambda: rod.by_cells({1: 2.0}), "needs cell tags"),
        (lambda: tagged_cells.by_cells({"some": 2.0}), "92 cells have none of the tags"),
        (lambda: tagged_cells.by_cells({"core": 2.0}), "no cells are called 'core'"),
        (
            lambda: fc.Solid(fc.meshes.block((1, 1, 1), (1, 1, 1)), STEEL).space(),
            "not a DOLFINx mesh",
        ),
    ]


def test_sentences():
    for call, words in refusals():
        with pytest.raises(fc.InputError, match=words):
            call()
