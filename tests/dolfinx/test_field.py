"""Equations of users' own: against DOLFINx's own assembly and solvers, and SciPy's exponentials."""

import dolfinx.fem.petsc  # noqa: F401  (assembles matrices)
import numpy as np
import pytest
import ufl
from dolfinx import fem, la
from dolfinx import mesh as dm
from scipy.linalg import eigh, expm

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance._backend import MPI

from .models import NAMES, bar, left_over, stvk, tagged


def square(comm, cell="triangle", n=6):
    """A unit square with tags left 1, right 2, the rest of the rim 3."""
    msh = dm.create_unit_square(comm, n, n, dm.CellType[cell])
    rest = lambda x: np.isclose(x[1], 0) | np.isclose(x[1], 1)  # noqa: E731
    return msh, tagged(msh, lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[0], 1), rest)


def function(msh, space, values):
    f = fem.Function(fem.functionspace(msh, space))
    f.interpolate(values)
    f.x.scatter_forward()
    return f


def residual(form, V, bcs=()):
    """Largest row of DOLFINx's assembly of a form away from Dirichlet dofs."""
    r = fem.assemble_vector(fem.form(form))
    r.scatter_reverse(la.InsertMode.add)
    rows = r.array.copy()
    for bc in bcs:
        rows[bc.dof_indices()[0]] = 0.0
    own = V.dofmap.index_map.size_local * V.dofmap.bs
    return V.mesh.comm.allreduce(float(np.abs(rows[:own]).max(initial=0)), MPI.MAX)


def at_rest(field, comm, *items):
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    for item in (*items, field):
        system.add(item)
    fc.Statics(system, 1, tolerance=1e-13).solve()
    return system


@pytest.mark.mpi
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("cell", ["triangle", "quadrilateral"])
@pytest.mark.parametrize("mirrored", [False, True])
def test_all_that_a_form_may_hold(comm, cell, mirrored):
    """A nonlinear conduction with a source by place, Constants, Functions of three spaces, fluxes
    on parts of the rim with the normal, convection, Dirichlet values, parts of the cells:
    DOLFINx's residual of the same lines at our solution."""
    msh, tags = square(comm, cell)
    if mirrored:
        msh.geometry.x[:, 0] = 1 - msh.geometry.x[:, 0]
        tags = tagged(
            msh, lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[0], 1),
            lambda x: np.isclose(x[1], 0) | np.isclose(x[1], 1),
        )  # fmt: skip
    here = dm.locate_entities(msh, 2, lambda x: x[0] <= 0.5 + 1e-9).astype(np.int32)
    parts = dm.meshtags(msh, 2, here, np.full(len(here), 7, np.int32))
    dx = ufl.Measure("dx", msh, subdomain_data=parts)
    ds = ufl.Measure("ds", msh, subdomain_data=tags, metadata={"quadrature_degree": 6})
    V = fem.functionspace(msh, ("Lagrange", 2))
    k = function(msh, ("DG", 0), lambda x: 1 + (x[0] > 0.5))
    grow = function(msh, ("Lagrange", 1), lambda x: 0.3 + x[1])
    flux = function(msh, ("Lagrange", 2, (2,)), lambda x: np.stack([1 + x[1] ** 2, x[0]]))
    h, outside = fem.Constant(msh, 2.5), fem.Constant(msh, (0.3, 0.4))
    x = ufl.SpatialCoordinate(msh)

    def conduction(T):
        u, w = T.value, T.test
        inside = k * (1 + grow * u**2) * ufl.inner(ufl.grad(u), ufl.grad(w)) - 10 * x[0] * w
        rim = h * (u - outside[0] * outside[1]) * w * ds(3)
        n = ufl.FacetNormal(msh)
        return inside * ufl.dx(degree=6) - w * dx(7) - ufl.dot(flux, n) * w * ds(2) + rim

    edge = function(msh, ("Lagrange", 2), lambda x: 0.5 * x[1])
    g = fem.Function(V)
    g.x.array[:] = edge.x.array
    bc = fem.dirichletbc(g, fem.locate_dofs_topological(V, 1, tags.find(1)))
    field = fcd.Field(V, conduction, order=0, bcs=[bc], name="T")
    system = at_rest(field, comm)
    T = fcd.to_function(field, system.state)

    class Own:
        value, test = T, ufl.TestFunction(V)

    assert comm.allreduce(np.ptp(T.x.array), MPI.MAX) > 0.5
    assert residual(conduction(Own), V) > 0.05  # what the Dirichlet dofs hold
    assert residual(conduction(Own), V, [bc]) < 1e-10
    np.testing.assert_allclose(
        T.x.array[bc.dof_indices()[0]], g.x.array[bc.dof_indices()[0]], atol=1e-14
    )


def matrices(V, *forms):
    """DOLFINx's own matrices of bilinear forms, dense."""
    found = []
    for form in forms:
        A = fem.petsc.assemble_matrix(fem.form(form))
        A.assemble()
        found.append(A.convert("dense").getDenseArray().copy())
    return found


def stiff_and_mass(V):
    u, w = ufl.TrialFunction(V), ufl.TestFunction(V)
    return matrices(V, ufl.inner(ufl.grad(u), ufl.grad(w)) * ufl.dx, ufl.inner(u, w) * ufl.dx)


def test_heat_over_time():
    """M T' + K T = M f: the matrix exponential of DOLFINx's matrices; order 2 in the step, and the
    recorded integral."""
    msh, _ = square(MPI.COMM_SELF, n=4)
    V = fem.functionspace(msh, ("Lagrange", 1))
    start = function(msh, ("Lagrange", 1), lambda x: np.cos(np.pi * x[0]) + 0.3)
    T0 = fem.Function(V)
    T0.x.array[:] = start.x.array
    K, M = stiff_and_mass(V)
    rate = -np.linalg.solve(M, K)
    source, t_end = 2.0, 0.1
    whole = np.block([[rate, np.full((len(K), 1), source)], [np.zeros((1, len(K) + 1))]])
    right = (expm(whole * t_end) @ np.append(T0.x.array, 1.0))[:-1]
    f = fem.Constant(msh, source)

    def heat(T):
        flow = ufl.inner(ufl.grad(T.value), ufl.grad(T.test))
        return (T.rate * T.test + flow - f * T.test) * ufl.dx

    errors = []
    for dt in (4e-3, 2e-3):
        system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        field = system.add(
            fcd.Field(
                V, heat, initial=T0, observed={"heat": ("J", lambda T: 3 * T.value)}, name="plate"
            )
        )
        run = fc.Simulation(system, dt=dt, t_end=t_end, progress=False).run()
        T = fcd.to_function(field, system.state)
        errors.append(np.abs(T.x.array - right).max())
        assert run["plate.heat"][[0, -1]] == pytest.approx([3 * 0.3, 3 * 0.5], rel=1e-6)
        slope = fcd.to_function(field, system.state, "rate").x.array
        assert slope == pytest.approx(rate @ right + source, abs=2e-2)
    assert errors[0] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


@pytest.mark.mpi
def test_membrane(comm):
    """The first mode of DOLFINx's matrices swings with its own frequency, cos(w t)."""
    msh, tags = square(comm, "quadrilateral", 4)
    V = fem.functionspace(msh, ("Lagrange", 2))
    alone, _ = square(MPI.COMM_SELF, "quadrilateral", 4)
    W = fem.functionspace(alone, ("Lagrange", 2))
    K, M = stiff_and_mass(W)
    rim = fem.locate_dofs_geometrical(
        W, lambda x: np.isclose(x[0] * (1 - x[0]) * x[1] * (1 - x[1]), 0)
    )
    free = np.setdiff1d(np.arange(len(K)), rim)
    omega = np.sqrt(eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True)[0])
    assert omega == pytest.approx(np.sqrt(2) * np.pi, rel=1e-3)
    mode = fem.Function(V)
    mode.interpolate(lambda x: np.sin(np.pi * x[0]) * np.sin(np.pi * x[1]))
    dofs = fem.locate_dofs_topological(V, 1, np.sort(tags.indices))
    bc = fem.dirichletbc(0.0, dofs, V)

    def wave(u):
        pull = ufl.inner(ufl.grad(u.value), ufl.grad(u.test))
        return (u.acceleration * u.test + pull) * ufl.dx

    system = fc.System(gravity=(0, 0, 0), comm=comm)
    field = system.add(
        fcd.Field(V, wave, order=2, initial=mode, bcs=[bc], name="drum",
                  observed={"square": ("", lambda u: u.value**2)})
    )  # fmt: skip
    t_end = 0.75 * 2 * np.pi / omega
    run = fc.Simulation(system, fc.Bathe(), dt=t_end / 200, t_end=t_end, progress=False).run()
    right = np.cos(omega * run.time) ** 2 * run["drum.square"][0]
    assert run["drum.square"] == pytest.approx(right, abs=1e-3 * right[0])
    rate = fcd.to_function(field, system.state, "rate")
    largest = comm.allreduce(rate.x.array.max(initial=0), MPI.MAX)
    assert largest == pytest.approx(omega, rel=5e-3)


@pytest.mark.mpi
def test_constants_and_functions_that_change(comm):
    """q a Constant read before each step, in the square (area 1) and a quarter of it on its rim
    (length 4), s a Function by update: the slope of the integral is 2 q + s."""
    msh, _ = square(comm, n=2)
    V = fem.functionspace(msh, ("Lagrange", 1))
    q, s = fem.Constant(msh, 1.0), fem.Function(V)

    def source(T):
        return (T.rate - q - s) * T.test * ufl.dx - q / 4 * T.test * ufl.ds(msh)

    system = fc.System(gravity=(0, 0, 0), comm=comm)
    field = system.add(fcd.Field(V, source, observed={"sum": ("", lambda T: T.value)}, name="f"))

    def change(stepper):
        if stepper.steps == 20:
            q.value = 3.0
        if stepper.steps == 40:
            s.x.array[:] = 5.0
            field.update(stepper)

    run = fc.Simulation(
        system, fc.GeneralizedAlpha(0.0), dt=1e-2, t_end=0.6, on_step=change, progress=False
    ).run()
    total, t = run["f.sum"], run.time
    for a, b, slope in ((5, 20, 2), (30, 40, 6), (50, 60, 11)):
        assert (total[b] - total[a]) / (t[b] - t[a]) == pytest.approx(slope, rel=1e-3)


@pytest.mark.mpi
def test_coupled_to_a_solid(comm):
    """Conduction in a bar that bends by its own heat, and whose volume changes the conduction:
    DOLFINx's residuals of both equations, written down anew."""
    msh, tags = bar(comm, "hexahedron", (3, 2, 2))
    steel = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    body = fc.Solid(fcd.mesh(msh, tags, NAMES), steel, degree=2, clamped="left", name="bar")
    V = fem.functionspace(msh, ("Lagrange", 1))
    ds = ufl.Measure("ds", msh, subdomain_data=tags)
    push = fem.Constant(msh, 3e5)

    def both(T, u):
        F = ufl.Identity(3) + ufl.grad(u.value)
        heat = ufl.inner(ufl.grad(T.value), ufl.grad(T.test)) * (1 + 0.5 * (ufl.det(F) - 1))
        work = push * T.value * ufl.inner(ufl.det(F) * ufl.inv(F).T, ufl.grad(u.test))
        return heat * ufl.dx(degree=5) - work * ufl.dx(degree=5) - T.test * ds(NAMES["top"])

    hot = fem.dirichletbc(0.0, fem.locate_dofs_topological(V, 2, tags.find(1)), V)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    system.add(body)
    field = system.add(fcd.Field(V, both, order=0, bcs=[hot], coupled=[body], name="T"))
    fc.Statics(system, 4, tolerance=1e-13).solve()
    T, u = fcd.to_function(field, system.state), fcd.to_function(body, system.state)
    assert comm.allreduce(np.abs(u.x.array).max(), MPI.MAX) > 5e-3

    w, v = ufl.TestFunction(V), ufl.TestFunction(u.function_space)
    F = ufl.Identity(3) + ufl.grad(u)
    J, rule = ufl.det(F), ufl.dx(degree=5)
    heat = (0.5 + 0.5 * J) * ufl.inner(ufl.grad(T), ufl.grad(w)) * rule - w * ds(3)
    assert residual(heat, V, [hot]) < 1e-11
    stress = stvk(F, steel.lam, steel.mu) - 3e5 * T * J * ufl.inv(F).T
    free, held = left_over(ufl.inner(stress, ufl.grad(v)) * rule, msh, tags)
    assert free < 1e-9 * 3e5 * 0.25
    pushed = 3e5 * T * J * ufl.inner(ufl.inv(F).T, ufl.grad(v)) * rule
    assert left_over(pushed, msh, tags)[0] > 1e3  # without the stress


@pytest.mark.mpi
@pytest.mark.parametrize("distributed", [False, True])
@pytest.mark.parametrize("dimension", [2, 3])
def test_forces_of_a_hot_bar_between_walls(comm, caplog, dimension, distributed):
    """A bar that cannot become longer, but wider, and is heated by dT pushes the walls apart with
    E a dT A, at both ends and through each section, also where a field of temperature adds the
    stress -3 K a dT; a traction on clamped facets is carried by that clamp. Along the bar the
    stress of the material alone is (3 K - E) a dT."""
    E, nu, a, dT, width, p = 2e11, 0.25, 1.2e-5, 100.0, 0.1, 1e6
    cells, ends = [4, 1, 1][:dimension], [[0.0] * dimension, [1.0, width, width][:dimension]]
    create = dm.create_rectangle if dimension == 2 else dm.create_box
    kind = dm.CellType.quadrilateral if dimension == 2 else dm.CellType.hexahedron
    msh = create(comm, ends, cells, kind)
    sides = [(0, 0.0), (0, 1.0), (1, 0.0), (2, 0.0)][: dimension + 1]
    tags = tagged(msh, *(lambda x, k=k, z=z: np.isclose(x[k], z) for k, z in sides))
    names = dict(zip(("foot", "end", "y", "z"), range(1, dimension + 2), strict=False))
    m = fcd.mesh(msh, tags, names, distributed=distributed)
    held = {"foot": "x", "end": "x", "y": "y"} | ({"z": "z"} if dimension == 3 else {})
    plane = {} if dimension == 3 else {"state": "plane_stress", "thickness": width}
    bar = fc.Solid(m, fc.LinearElastic(E, nu, 7800.0), clamped=held, name="bar", **plane)
    V = fem.functionspace(msh, ("Lagrange", 1))
    # of plane stress what acts in the plane: E / (1 - nu), per thickness
    push = E / (1 - 2 * nu) if dimension == 3 else width * E / (1 - nu)

    def hot(T, u):
        return (T.value - dT) * T.test * ufl.dx - push * a * T.value * ufl.div(u.test) * ufl.dx

    field = fcd.Field(V, hot, order=0, initial=dT, scale=dT, coupled=bar, name="T")
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    system.add(bar)
    system.add(field)
    system.add(fc.Traction(bar.facets("end"), (p, *[0] * 2)))
    fc.Statics(system, 1).solve()
    force = E * a * dT * width**2
    for name, wanted in (("foot", force), ("end", -force - p * width**2)):
        found = fc.resultants.clamping(system, bar, name).force
        assert found == pytest.approx([wanted, 0, 0], rel=1e-6, abs=1e-6 * force)
    cut = fc.resultants.section(system, bar, lambda x: x[:, 0] > 0.5, about=(0.5, 0, 0))
    assert cut.force == pytest.approx([force, 0, 0], rel=1e-6, abs=1e-6 * force)
    wider = 1 + (1 + nu) * a * dT
    arm = width / 2 * wider * force
    wanted = [0, arm if dimension == 3 else 0, -arm]
    assert cut.moment == pytest.approx(wanted, rel=1e-6, abs=1e-6 * arm)
    for _ in range(2):
        stress = bar.recover(system.state, "stress")
    own = (push if dimension == 3 else push / width) - E
    area = wider * (wider if dimension == 3 else 1 - nu / (1 - nu) * (wider - 1))
    if stress is not None and len(stress):
        assert stress[:, 0, 0] == pytest.approx(own * a * dT / area, rel=1e-6)
    assert caplog.text.count("this stress is that of the material alone, without what T adds") == 1


def test_stress_beside_a_field_that_only_reads_the_solid(caplog):
    msh, tags = bar(MPI.COMM_SELF, "hexahedron", (1, 1, 1))
    body = fc.Solid(fcd.mesh(msh, tags, NAMES), fc.LinearElastic(1e9, 0.3, 1e3), clamped="left")
    V = fem.functionspace(msh, ("Lagrange", 1))
    read = fcd.Field(
        V, lambda T, u: (T.value - ufl.div(u.value)) * T.test * ufl.dx, order=0, coupled=body
    )
    system = at_rest(read, MPI.COMM_SELF, body)
    body.recover(system.state, "stress")
    assert "this stress" not in caplog.text


def test_coupled_fields():
    """Two fields that feed each other, a' = -2 a + b, b' = a - 2 b: exponentials by hand."""
    msh, _ = square(MPI.COMM_SELF, n=2)
    V, W = fem.functionspace(msh, ("Lagrange", 1)), fem.functionspace(msh, ("DG", 0))
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    a = system.add(
        fcd.Field(V, lambda a: (a.rate + 2 * a.value) * a.test * ufl.dx, initial=1.0, name="a")
    )

    def exchange(b, a):
        return ((b.rate + 2 * b.value - a.value) * b.test - b.value * a.test) * ufl.dx

    b = system.add(fcd.Field(W, exchange, coupled=a, name="b"))
    fc.Simulation(system, dt=2e-3, t_end=0.5, progress=False).run()
    right = expm(0.5 * np.array([[-2.0, 1.0], [1.0, -2.0]])) @ (1, 0)
    for field, value in zip((a, b), right, strict=True):
        found = fcd.to_function(field, system.state)
        np.testing.assert_allclose(found.x.array, value, rtol=1e-5)


@pytest.mark.parametrize("whole", [True, False])
def test_parts_of_the_cells(whole):
    """T' = 2 in half of a square and 5 in the other, by tags: integrals are over all cells once."""
    msh, _ = square(MPI.COMM_SELF, n=2)
    cells = np.arange(msh.topology.index_map(2).size_local, dtype=np.int32)
    left = fem.Function(fem.functionspace(msh, ("DG", 0)))
    left.interpolate(lambda x: 1.0 * (x[0] < 0.5))
    tags = dm.meshtags(msh, 2, cells, np.where(left.x.array > 0.5, 1, 2).astype(np.int32))
    dx = ufl.Measure("dx", msh, subdomain_data=tags)
    V = fem.functionspace(msh, ("DG", 0))

    def source(T):
        every = ufl.dx if whole else dx((1, 2))
        return T.rate * T.test * every - 2 * T.test * dx(1) - 5 * T.test * dx(2)

    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    field = system.add(
        fcd.Field(V, source, observed={"sum": ("", lambda T: T.value + 1)}, name="T")
    )
    run = fc.Simulation(system, dt=0.1, t_end=1.0, progress=False).run()
    assert run["T.sum"][[0, -1]] == pytest.approx([1, 1 + (2 + 5) / 2])
    found = fcd.to_function(field, system.state).x.array
    assert found == pytest.approx(np.where(left.x.array > 0.5, 2, 5))


@pytest.mark.parametrize("integrator", [None, fc.Bathe(), fc.CentralDifference()])
@pytest.mark.parametrize("order", [1, 2])
def test_steps_by_their_error(integrator, order):
    """Adaptive steps, and explicit ones: the exponential (cosine) of DOLFINx's matrices."""
    msh, _ = square(MPI.COMM_SELF, n=4)
    V = fem.functionspace(msh, ("Lagrange", 1))
    start = fem.Function(V)
    start.interpolate(lambda x: np.cos(np.pi * x[0]))
    K, M = stiff_and_mass(V)
    values, modes = eigh(K, M)
    parts = modes.T @ M @ start.x.array
    t_end = 0.1
    change = np.exp(-values * t_end) if order == 1 else np.cos(np.sqrt(abs(values)) * t_end)

    def equation(T):
        fast = T.rate if order == 1 else T.acceleration
        return (fast * T.test + ufl.inner(ufl.grad(T.value), ufl.grad(T.test))) * ufl.dx

    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    field = system.add(fcd.Field(V, equation, order=order, initial=start, name="T"))
    explicit = isinstance(integrator, fc.CentralDifference)
    fc.Simulation(
        system, integrator, t_end=t_end, dt=1e-3 if explicit else None, progress=False
    ).run()
    found = fcd.to_function(field, system.state).x.array
    np.testing.assert_allclose(found, modes @ (change * parts), atol=1e-3)


def decaying(order, size, speed, **options):
    """u of the size given with the time scale 1 / speed: steps, and DOLFINx's matrices' value."""
    msh, _ = square(MPI.COMM_SELF, n=3)
    V = fem.functionspace(msh, ("Lagrange", 1))
    start = fem.Function(V)
    start.interpolate(lambda x: size * np.cos(np.pi * x[0]))
    K, M = stiff_and_mass(V)
    values, modes = eigh(K, M)
    span = 0.1 if order == 1 else 1.0
    change = np.exp(-values * span) if order == 1 else np.cos(np.sqrt(abs(values)) * span)

    def equation(u):
        fast = u.rate / speed if order == 1 else u.acceleration / speed**2
        return (fast * u.test + ufl.inner(ufl.grad(u.value), ufl.grad(u.test))) * ufl.dx

    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    field = system.add(fcd.Field(V, equation, order=order, initial=start, name="u", **options))
    run = fc.Simulation(system, t_end=span / speed, progress=False).run()
    found = fcd.to_function(field, system.state).x.array
    return len(run.time), np.abs(found - modes @ (change * (modes.T @ M @ start.x.array))) / size


@pytest.mark.parametrize("order", [1, 2])
def test_units_of_values_and_time(order):
    """Adaptive steps are as good, and as many, whatever the units of the field and of time; the
    scale given counts: with one that is far too large the motion is not resolved."""
    steps, error = decaying(order, 1.0, 1.0)
    assert error.max() < 1e-4
    assert steps < (300 if order == 1 else 1000)
    for size, speed in ((1e-9, 1.0), (3e2, 1e-4), (1.0, 1e6)):
        count, other = decaying(order, size, speed)
        assert count == pytest.approx(steps, rel=0.02)
        assert other.max() < 1e-4
    count, other = decaying(order, 1e-4, 1.0, scale=1.0)
    assert count < 0.5 * steps
    assert other.max() > 5 * error.max()


@pytest.mark.parametrize("order", [1, 2])
def test_a_field_that_starts_at_zero(order, caplog):
    """u' or u'' = q from t = 1/2, of any size, beside a heavy body or alone, where the terms cancel
    within each cell; a field far from its scale is named after adaptive steps, and only then."""
    msh, _ = square(MPI.COMM_SELF, n=2)
    V = fem.functionspace(msh, ("Lagrange", 1))
    for size, heavy in ((1.0, False), (1e-9, True)):

        def late(u, size=size):
            fast = u.rate if order == 1 else u.acceleration
            source = size * ufl.conditional(u.time > 0.5 + 1e-9, 1.0, 0.0)
            flow = ufl.inner(ufl.grad(u.value), ufl.grad(u.test))
            return ((fast - source) * u.test + flow) * ufl.dx

        system = fc.System(gravity=(0, -9.81, 0), comm=MPI.COMM_SELF)
        field = system.add(fcd.Field(V, late, order=order, name="u"))
        if heavy:
            system.add(fc.RigidBody(1e6, (1, 1, 1), name="block", free=True))
        fc.Simulation(system, dt=1e-2, t_end=1.0, progress=False).run()
        found = fcd.to_function(field, system.state).x.array
        assert found == pytest.approx(size / (2 if order == 1 else 8), rel=0.03)
    assert "scale" not in caplog.text
    for scale, words in ((None, "u: its largest value"), (1e-9, "")):
        caplog.clear()
        system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        system.add(fcd.Field(V, late, order=order, scale=scale, name="u"))
        fc.Simulation(system, t_end=1.0, progress=False).run()
        assert words in caplog.text
        assert ("give Field(scale=" in caplog.text) == bool(words)


def test_source_in_time():
    """T' = t by the unknown's own time."""
    msh, _ = square(MPI.COMM_SELF, n=1)
    V = fem.functionspace(msh, ("Lagrange", 1))
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    field = system.add(fcd.Field(V, lambda T: (T.rate - T.time) * T.test * ufl.dx))
    fc.Simulation(system, dt=1e-2, t_end=1.0, progress=False).run()
    found = fcd.to_function(field, system.state)
    np.testing.assert_allclose(found.x.array, 0.5, rtol=1e-3)


def test_writer_of_a_field(tmp_path):
    msh, _ = square(MPI.COMM_SELF, n=2)
    V = fem.functionspace(msh, ("Lagrange", 1))
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    field = system.add(fcd.Field(V, lambda T: T.rate * T.test * ufl.dx, initial=4.0))
    import h5py

    with fcd.Writer(tmp_path / "T.vtkhdf", field) as writer:
        writer.write(system.state)
    values = h5py.File(tmp_path / "T.vtkhdf")["VTKHDF/PointData/u"][()]
    np.testing.assert_allclose(values, 4.0)


def test_sentences():
    msh, tags = square(MPI.COMM_SELF, n=2)
    other, _ = square(MPI.COMM_SELF, n=2)
    V = fem.functionspace(msh, ("Lagrange", 1))
    W = fem.functionspace(other, ("Lagrange", 1))
    edge = fem.functionspace(msh, ("N1curl", 1))
    foreign, ds = fem.Function(W), ufl.Measure("ds", msh, subdomain_data=tags)
    stray = ufl.Coefficient(V)
    bc = fem.dirichletbc(0.0, np.array([0], np.int32), W)
    solid = fc.Solid(fcd.mesh(other), fc.LinearElastic(E=1, nu=0, rho=1), state="plane_strain")
    mass = lambda T: T.value * T.test * ufl.dx  # noqa: E731
    for call, words in (
        (lambda: fcd.Field("V", mass), "dolfinx.fem.FunctionSpace"),
        (lambda: fcd.Field(edge, mass), "no nodes that cells share"),
        (lambda: fcd.Field(V, mass, order=3), "order"),
        (lambda: fcd.Field(V, lambda T: T.acceleration * T.test * ufl.dx), "give order=2"),
        (lambda: fcd.Field(V, lambda T: 1.0), "must return a UFL form"),
        (lambda: fcd.Field(V, lambda T: T.test * ds(2)), "no integral over the cells"),
        (lambda: fcd.Field(V, lambda T: mass(T) + ufl.avg(T.test) * ufl.dS), "interior facets"),
        (lambda: fcd.Field(V, lambda T: mass(T) + T.test * ufl.ds(2)), "needs its tags"),
        (
            lambda: fcd.Field(V, lambda T: mass(T) + ufl.grad(T.value)[0] * T.test * ds(2)),
            "reads a gradient",
        ),
        (lambda: fcd.Field(V, lambda T: ufl.TestFunction(V) * ufl.TrialFunction(V) * ufl.dx),
         "test function of its own"),
        (lambda: fcd.Field(V, lambda T: stray * T.test * ufl.dx), "neither an unknown"),
        (lambda: fcd.Field(V, lambda T: ufl.Constant(msh) * T.test * ufl.dx), "has no value"),
        (lambda: fcd.Field(V, lambda T: mass(T) + T.test * ufl.dx(other)), "another mesh"),
        (lambda: fcd.Field(V, mass, bcs=[bc]), "another space"),
        (lambda: fcd.Field(V, mass, initial=foreign), "own space"),
        (lambda: fcd.Field(V, mass, coupled=[solid]), "another DOLFINx mesh"),
        (lambda: fcd.Field(V, mass, coupled=[3]), "coupled takes"),
        (lambda: fcd.Field(V, mass, initial_rate=2.0), "order 2 has an initial rate"),
        (lambda: fcd.Field(V, mass, scale=0.0), "scale"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=words):
            call()
    for words, options in (
        ("q: residual must be a function of .* in this order: q, other, 2 in all", {}),
        ("q: observed 'heat' must be .* unknown and those of coupled=, in this order: q, other, 2",
         {"observed": {"heat": ("J", lambda T: T.value)}}),
    ):  # fmt: skip
        law = (lambda T, a: mass(T)) if options else mass
        other = fcd.Field(V, mass, name="other")
        with pytest.raises(fc.InputError, match=words):
            fcd.Field(V, law, coupled=other, name="q", **options)
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    later = fcd.Field(V, mass, name="later")
    with pytest.raises(fc.InputError, match="add later first"):
        system.add(fcd.Field(V, lambda T, u: mass(T), coupled=[later]))
    with pytest.raises(fc.InputError, match="no facets have the tag 9"):
        system.add(fcd.Field(V, lambda T: mass(T) + T.test * ds(9)))
