"""Fields and heated solids on meshes of which each rank holds a part: as on those that all hold."""

import basix.ufl
import numpy as np
import pytest
import ufl
from dolfinx import fem, la
from dolfinx import mesh as dm

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance import meshes
from fem_clearance._backend import MPI
from fem_clearance.core.initial import SystemState
from fem_clearance.lubrication import HeatedSolid

from ..dolfinx.models import NAMES, bar, left_over, stvk, tagged
from .models import RUBBER, of_bar, of_nodes, ran
from .test_films import R, compare, conducting

pytestmark = pytest.mark.mpi

#: pressure by temperature, Pa/K, and a flux, 1/m
PUSH, FLUX = 3e5, 2.0


def weak_forms(msh, tags, T, u, w, v, rates=(0.0, 0.0)):
    """Conduction in a bar that its heat bends and whose volume changes the conduction: a flux on
    the top, cooling all over, a source in half of the cells by its tag."""
    here = dm.locate_entities(msh, 3, lambda x: x[0] <= 0.6 + 1e-9).astype(np.int32)
    dx = ufl.Measure("dx", msh, subdomain_data=dm.meshtags(msh, 3, here, np.full(len(here), 7)))
    ds, J = ufl.Measure("ds", msh, subdomain_data=tags), ufl.det(ufl.Identity(3) + ufl.grad(u))
    V = fem.functionspace(msh, ("Lagrange", 1))
    film = fem.Function(V)
    film.interpolate(lambda x: 0.2 + 0.1 * x[0] + x[1])
    flow = (0.5 + 0.5 * J) * ufl.inner(ufl.grad(T), ufl.grad(w)) + rates[0] * w
    normal = ufl.inner(J * ufl.inv(ufl.Identity(3) + ufl.grad(u)).T, ufl.grad(v))
    heat = flow * ufl.dx(degree=5) - FLUX * w * ds(NAMES["top"]) - w * dx(7)
    return heat + film * T * w * ufl.ds(msh, degree=4), PUSH * T * normal * ufl.dx(degree=5)


def warm_bar(comm, distributed, order=0):
    """The bar with its field; ``order`` of the conduction."""
    msh, tags = bar(comm, "hexahedron", (5, 2, 2))
    mesh = fcd.mesh(msh, tags, NAMES, distributed=distributed)
    body = fc.Solid(mesh, RUBBER, degree=2 - order, clamped="left", name="bar")
    V = fem.functionspace(msh, ("Lagrange", 1))

    def both(T, u):
        rates = (5.0 * T.rate, 0.0) if order else (0.0, 0.0)
        heat, push = weak_forms(msh, tags, T.value, u.value, T.test, u.test, rates)
        return heat - push

    cold = fem.dirichletbc(0.01, fem.locate_dofs_topological(V, 2, tags.find(1)), V)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    system.add(body)
    field = fcd.Field(
        V, both, order=order, bcs=[cold], coupled=body, name="T",
        observed={"heat": ("J", lambda T, u: 5.0 * T.value)},
    )  # fmt: skip
    system.add(field)
    system.add(fc.Probe(body.at((1, 0.25, 0.25)), name="tip"))
    return system, body, field, tags


def test_field_of_a_solid(comm):
    """At rest: as on the whole mesh, and by DOLFINx's own residuals of both equations."""
    found = []
    for distributed in (False, True):
        system, body, field, tags = warm_bar(comm, distributed)
        fc.Statics(system, 2, tolerance=1e-13).solve()
        T, u = fcd.to_function(field, system.state), fcd.to_function(body, system.state)
        found.append((of_nodes(comm, T), of_nodes(comm, u), system.channels["T.heat"]))
    (whole, shape, heat), (part, shape_there, heat_there) = found
    assert np.ptp(whole[:, 3]) > 0.1
    assert np.abs(shape[:, 3:]).max() > 5e-3
    assert part == pytest.approx(whole, abs=1e-12)
    assert shape_there == pytest.approx(shape, abs=1e-12)
    assert heat_there == pytest.approx(heat, rel=1e-12)

    msh = field.V.mesh
    w, v = ufl.TestFunction(field.V), ufl.TestFunction(u.function_space)
    balance, push = weak_forms(msh, tags, T, u, w, v)
    rows = fem.assemble_vector(fem.form(balance))
    rows.scatter_reverse(la.InsertMode.add)
    own = field.V.dofmap.index_map.size_local
    held = fem.locate_dofs_topological(field.V, 2, tags.find(1))
    rows.array[held] = 0.0
    assert comm.allreduce(np.abs(rows.array[:own]).max(initial=0.0), MPI.MAX) < 1e-11
    stress = stvk(ufl.Identity(3) + ufl.grad(u), RUBBER.lam, RUBBER.mu)
    free, _ = left_over(ufl.inner(stress, ufl.grad(v)) * ufl.dx(degree=5) - push, msh, tags)
    assert free < 1e-9 * PUSH * 0.25


def test_field_in_time(comm):
    """The same warming up: all channels at all times, and its state on other ranks."""
    rows, states = [], []
    for group, distributed in ((comm, False), (comm, True), (MPI.COMM_SELF, True)):
        stepper, found = ran(warm_bar(group, distributed, 1)[0], 2e-2, 8)
        rows.append(found)
        states.append(SystemState.of(stepper.state, stepper.t))
    names = np.array(stepper.channels.names)
    whole, part, alone = rows
    for name, a, b, c in zip(names, whole.T, part.T, alone.T, strict=True):
        same = np.char.startswith(names, name.split(".")[0] + ".")
        scale = np.abs(whole[:, same]).max()
        assert b == pytest.approx(a, abs=1e-9 * scale + 1e-15), name
        assert c == pytest.approx(a, abs=1e-9 * scale + 1e-15), name
    assert np.ptp(whole[:, names == "T.heat"]) > 0.01
    assert np.ptp(whole[:, names == "tip.y"]) > 1e-5
    for name in ("q", "v"):
        a, b = (getattr(z, name) for z in states[1:])
        assert a == pytest.approx(b, abs=1e-9 * np.abs(b).max())


@pytest.mark.parametrize("space", [("Lagrange", 2, (3,)), ("DG", 0)])
def test_field_alone(comm, space):
    """Vectors and a number for each cell, which decay to a Function that changes on the way, known
    on one side, without a solid; also where ranks have no cells."""
    for cells in ((5, 2, 2), (1, 1, 1)):
        found = []
        for distributed in (False, True):
            msh, tags = bar(comm, "hexahedron", cells)
            V, wanted = fem.functionspace(msh, space), fem.Function(fem.functionspace(msh, space))
            size = (3,) if len(space) > 2 else ()
            wanted.interpolate(lambda x, size=size: (1 + x[0]) * np.ones((*size, x.shape[1])))

            def decay(y, wanted=wanted):
                return ufl.inner(y.rate + y.value - wanted, y.test) * ufl.dx

            held = [fem.dirichletbc(fem.Constant(msh, (1.0, 2.0, 3.0)),
                                    fem.locate_dofs_topological(V, 2, tags.find(1)), V)
                    ] if size else []  # fmt: skip
            system = fc.System(gravity=(0, 0, 0), comm=comm)
            field = system.add(
                fcd.Field(V, decay, bcs=held, distributed=distributed, initial=0.5, name="y")
            )
            stepper, _ = ran(system, 0.05, 3)
            wanted.x.array[:] *= -1
            field.update(stepper)
            for _ in range(3):
                stepper.advance()
            found.append(of_nodes(comm, *(fcd.to_function(field, stepper.state, z)
                                          for z in ("value", "rate"))))  # fmt: skip
        whole, part = found
        assert np.ptp(whole[:, 3:]) > 0.1
        assert part == pytest.approx(whole, abs=1e-12)


def test_mixed(comm):
    """Some whole on each rank and some not: refused in a sentence."""
    whole = of_bar(comm, False)
    body = fc.Solid(whole, RUBBER, degree=1, name="bar")
    V = fem.functionspace(whole.link.mesh, ("Lagrange", 1))
    with pytest.raises(fc.InputError, match="to every mesh and field, or to none"):
        fcd.Field(V, lambda T, u: T.rate * T.test * ufl.dx, coupled=body, distributed=True)
    alone = fcd.Field(V, lambda T: T.rate * T.test * ufl.dx, name="T")
    there = fcd.mesh(whole.link.mesh, distributed=True)
    other = fc.Solid(there, RUBBER, degree=1, name="other")
    with pytest.raises(fc.InputError, match="to every mesh and field, or to none"):
        fcd.Field(V, lambda a, T, u: a.rate * a.test * ufl.dx, coupled=[alone, other])


def ring(comm):
    """A bush by DOLFINx, with its bore and rim tagged."""
    source = meshes.hollow_cylinder(R, 2 * R, R, (16, 2, 2), degree=1)
    points, cells = source.points, source.cells
    if comm.rank:
        points, cells = points[:0], cells[:0]
    element = basix.ufl.element("Lagrange", "hexahedron", 1, shape=(3,))
    msh = dm.create_mesh(comm, cells, element, points)
    far = [lambda x, r=r: np.isclose(np.hypot(x[0], x[1]), r, rtol=1e-6) for r in (R, 2 * R)]
    return msh, tagged(msh, *far), {"bore": 1, "rim": 2}


def test_heated_solid(comm):
    """Its mesh is collected: responses and a film's channels are those of the whole mesh."""
    msh, tags, names = ring(comm)
    cooled, bushes = {"rim": (500.0, 310.0)}, []
    for distributed in (False, True):
        mesh = fcd.mesh(msh, tags, names, distributed=distributed)
        bushes.append(HeatedSolid(mesh, 50.0, 3.6e6, cooled=cooled, responses=20))
    whole, part = (bush.condensed(320.0) for bush in bushes)
    for a, b in zip(whole, part, strict=True):
        assert b == pytest.approx(a, abs=1e-12 * np.abs(a).max())
    assert whole.shapes.shape[0] == 16 * 3 * 3
    channels = compare(lambda group: conducting(group, bushes[1]), comm, 5e-5, rel=1e-9)
    assert channels["film.solid_stored"] + channels["film.solid_passed"] > 1.0


def test_condensed_solid(comm):
    """Its mesh is collected, too: the deflection of a bar under a pressure."""
    found = []
    for distributed in (False, True):
        system = fc.System(gravity=(0, 0, 0), comm=comm)
        body = system.add(
            fc.CondensedSolid(of_bar(comm, distributed), RUBBER, degree=1, facets="top",
                              clamped="left", name="bar")
        )  # fmt: skip
        system.add(fc.Pressure(body.facets("top"), 2e3, follower=False, name="pressure"))
        fc.Statics(system, 1, tolerance=1e-13).solve()
        found.append(system.channels["bar.strain_energy"])
    assert found[0] > 1e-2
    assert found[1] == pytest.approx(found[0], rel=1e-12)
