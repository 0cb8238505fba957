"""Functions where a number or vector is taken, against DOLFINx's own residual and closed forms."""

import numpy as np
import pytest
import ufl
from dolfinx import fem
from dolfinx import mesh as dm

import fem_clearance as fc
from fem_clearance import dolfinx as fcd
from fem_clearance._backend import MPI

from .models import NAMES, bar, left_over, stvk, tagged


def function(msh, space, values):
    """A Function that interpolates an expression of the places."""
    f = fem.Function(fem.functionspace(msh, space))
    f.interpolate(values)
    f.x.scatter_forward()
    return f


def rest(comm, body, *loads, gravity=(0, 0, 0), steps=1):
    system = fc.System(gravity=gravity, comm=comm)
    system.add(body)
    for load in loads:
        system.add(load)
    fc.Statics(system, steps, tolerance=1e-13).solve()
    return system


@pytest.mark.mpi
@pytest.mark.parametrize(("cell", "degree", "rule"), [("tetrahedron", 2, 4), ("hexahedron", 1, 3)])
@pytest.mark.parametrize("mirrored", [False, True])
def test_all_at_once(comm, cell, degree, rule, mirrored):
    """Modulus by cell, Poisson's ratio and thermal strain by point, body force, follower pressure
    and traction, displacements of a face: DOLFINx's residual at our solution below 1e-9 of the
    forces."""
    msh, tags = bar(comm, cell)
    if mirrored:
        msh.geometry.x[:, 2] *= -1
    E = function(msh, ("DG", 0), lambda x: 1e7 * (1 + (x[0] > 0.5)))
    nu = function(msh, ("Lagrange", 1), lambda x: 0.2 + 0.2 * x[0])
    heat = function(msh, ("Lagrange", 1), lambda x: 1e-2 * (x[1] + x[0] ** 2))
    force = function(
        msh, ("Lagrange", 2, (3,)), lambda x: np.stack([0 * x[0], -3e3 * x[0], 1e3 * x[2]])
    )
    pressure = function(msh, ("Lagrange", degree), lambda x: 1e4 * (1 + x[0]))
    pull = function(msh, ("Lagrange", 1, (3,)), lambda x: 1e3 * np.stack([x[2], x[1], 1 + x[1]]))
    place = function(msh, ("Lagrange", 2, (3,)), lambda x: 2e-2 * np.stack([x[1], x[2] ** 2, x[1]]))
    body = fc.Solid(
        fcd.mesh(msh, tags, NAMES), fc.StVenantKirchhoff(E=E, nu=nu, rho=1000), degree=degree,
        clamped={"left": place}, load=force, thermal_strain=heat, name="bar",
    )  # fmt: skip
    oil = fc.Pressure(body.facets("top"), pressure, name="oil")
    system = rest(comm, body, oil, fc.Traction(body.facets("right"), pull, name="pull"))
    u = fcd.to_function(body, system.state)
    d = fem.locate_dofs_topological(u.function_space, 2, tags.find(1))
    held = u.x.array.reshape(-1, 3)[d]
    x = u.function_space.tabulate_dof_coordinates()[d]
    if degree == 2:
        right = 2e-2 * np.stack([x[:, 1], x[:, 2] ** 2, x[:, 1]], 1)
        np.testing.assert_allclose(held, right, atol=1e-15)
    # the law by hand, on the strained part; lam and mu have the values that E and nu have
    W = fem.functionspace(msh, ("DG", 1))
    lam, mu = fem.Function(W), fem.Function(W)
    for f, expression in (
        (lam, E * nu / ((1 + nu) * (1 - 2 * nu))), (mu, E / (2 * (1 + nu)))
    ):  # fmt: skip
        f.interpolate(fem.Expression(expression, W.element.interpolation_points))
    w = ufl.TestFunction(u.function_space)
    F, J = ufl.Identity(3) + ufl.grad(u), 1 + heat
    P = J**3 * stvk(F / J, lam, mu) / J
    fine = {"quadrature_degree": 2 * degree + (cell == "hexahedron")}
    ds = ufl.Measure("ds", msh, subdomain_data=tags, metadata=fine)
    N = ufl.FacetNormal(msh)
    R = ufl.inner(P, ufl.grad(w)) * ufl.dx(degree=rule)
    R -= ufl.dot(force, w) * ufl.dx(degree=2 * degree)
    R += pressure * ufl.dot(ufl.det(F) * ufl.inv(F).T * N, w) * ds(3) - ufl.dot(pull, w) * ds(2)
    free, reaction = left_over(R, msh, tags)
    total = 1e4 * 1.5 * 0.5
    assert np.abs(reaction).max() > 0.3 * total
    assert free < 1e-9 * total


@pytest.mark.mpi
def test_plane_solid(comm):
    """The same of a plane solid of some thickness, with one vector and number a cell."""
    msh = dm.create_rectangle(comm, [[0, 0], [1, 0.5]], (6, 3), dm.CellType.triangle)
    tags = tagged(msh, lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[0], 1))
    E = function(msh, ("DG", 0), lambda x: 1e7 * (1 + x[0]))
    force = function(msh, ("DG", 0, (2,)), lambda x: np.stack([1e4 * x[1], -2e4 * x[0]]))
    pull = function(msh, ("DG", 0, (2,)), lambda x: np.stack([1e3 + 0 * x[0], 5e3 * x[1]]))
    body = fc.Solid(
        fcd.mesh(msh, tags, NAMES | {"top": 2}), fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000),
        state="plane_strain", thickness=0.2, clamped="left", load=force, name="bar",
    )  # fmt: skip
    system = rest(comm, body, fc.Traction(body.facets("right"), pull, name="pull"))
    u = fcd.to_function(body, system.state)
    w, F = ufl.TestFunction(u.function_space), ufl.Identity(2) + ufl.grad(u)
    lam, mu = E * 0.3 / 1.3 / 0.4, E / 2.6
    R = ufl.inner(stvk(F, lam, mu), ufl.grad(w)) * ufl.dx(degree=4) - ufl.dot(force, w) * ufl.dx
    R -= ufl.dot(pull, w) * ufl.Measure("ds", msh, subdomain_data=tags)(2)
    free, reaction = left_over(R, msh, tags)
    assert reaction[1] > 3e3
    assert free < 1e-9 * reaction[1]


@pytest.mark.parametrize("law", [fc.StVenantKirchhoff, fc.NeoHookean])
@pytest.mark.parametrize("given", ["number", "function"])
def test_free_expansion(law, given):
    """A body that nothing holds but at a corner's planes grows by 1 + e without stress."""
    msh, _ = bar(MPI.COMM_SELF, "hexahedron", (2, 1, 1))
    planes = (lambda x: np.isclose(x[0], 0), lambda x: np.isclose(x[1], -0.25),
              lambda x: np.isclose(x[2], -0.25))  # fmt: skip
    rod = fcd.mesh(msh, tagged(msh, *planes), {"x": 1, "y": 2, "z": 3})
    e = 0.05 if given == "number" else function(msh, ("Lagrange", 1), lambda x: 0.05 + 0 * x[0])
    body = fc.Solid(
        rod, law(E=1e7, nu=0.3, rho=1000), clamped={"x": "x", "y": "y", "z": "z"},
        thermal_strain=e, name="bar",
    )  # fmt: skip
    system = rest(MPI.COMM_SELF, body)
    u = body.recover(system.state, "displacement")
    right = 0.05 * (body.nodes - (0, -0.25, -0.25))
    np.testing.assert_allclose(u, right, atol=1e-10)
    assert np.abs(body.recover(system.state, "stress")).max() < 1e-9 * 1e7


def test_clamped_rod_pushes():
    """Linear elasticity, a rod between walls, free across: sigma = -E e for small e, to O(e)."""
    msh, tags = bar(MPI.COMM_SELF, "hexahedron", (2, 1, 1))
    planes = (lambda x: np.isclose(x[0], 0) | np.isclose(x[0], 1),
              lambda x: np.isclose(x[1], -0.25), lambda x: np.isclose(x[2], -0.25))  # fmt: skip
    rod = fcd.mesh(msh, tagged(msh, *planes), {"x": 1, "y": 2, "z": 3})
    body = fc.Solid(
        rod, fc.LinearElastic(E=1e7, nu=0.3, rho=1000), clamped={"x": "x", "y": "y", "z": "z"},
        thermal_strain=1e-6, name="bar",
    )  # fmt: skip
    system = rest(MPI.COMM_SELF, body)
    stress = body.recover(system.state, "second_piola_kirchhoff")
    np.testing.assert_allclose(stress[:, 0, 0], -1e7 * 1e-6, rtol=1e-5)
    assert np.abs(stress[:, 1, 1]).max() < 1e-4


@pytest.mark.mpi
@pytest.mark.parametrize("space", ["Lagrange", "DG"])
def test_density(comm, space):
    """rho = 1000 (1 + x): mass, centre of mass and momentum by hand; cell means likewise."""
    msh, tags = bar(comm, "hexahedron", (4, 2, 2))
    degree = 1 if space == "Lagrange" else 0
    rho = function(msh, (space, degree), lambda x: 1000 * (1 + x[0]))
    if degree == 0:  # the mean over a cell is the value in its middle
        middle = fem.Expression(1000 * (1 + ufl.SpatialCoordinate(msh)[0]), np.full((1, 3), 0.5))
        rho.interpolate(middle)
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    body = system.add(
        fc.Solid(fcd.mesh(msh, tags, NAMES), fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=rho),
                 velocity=(0, 3.0, 0), free=True, name="bar")
    )  # fmt: skip
    system.add(fc.SolidProbe(body, name="whole"))
    mass = 1000 * 1.5 * 0.25
    centre = 1000 * (1 / 2 + 1 / 3) * 0.25 / mass if degree else None
    assert body.mass == pytest.approx(mass)
    system.channels.read()
    assert system.channels["whole.py"] == pytest.approx(3 * mass)
    assert system.channels["energy.kinetic"] == pytest.approx(mass * 9 / 2)
    if centre:
        assert body.position[0] == pytest.approx(centre)
        assert system.channels["whole.x"] == pytest.approx(centre)
        assert system.channels["whole.Lz"] == pytest.approx(3 * mass * centre)


@pytest.mark.mpi
def test_load_that_changes(comm):
    """A free body under a traction that is set anew between two steps: the slope of
    its momentum is the force, and the energy balance closes."""
    msh, tags = bar(comm, "hexahedron", (2, 1, 1))
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    body = system.add(
        fc.Solid(fcd.mesh(msh, tags, NAMES), fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=1000),
                 free=True, name="bar")
    )  # fmt: skip
    pull = function(msh, ("Lagrange", 1, (3,)), lambda x: 0 * x)
    load = system.add(fc.Traction(body.facets("right"), pull, name="pull"))
    system.add(fc.SolidProbe(body, name="whole"))
    pull.x.array[0::3] = 100 / 0.25  # read at the start of the run

    def change(stepper):
        if stepper.steps == 20:
            pull.x.array[0::3] = 300 / 0.25
            load.update(stepper)

    results = fc.Simulation(
        system, fc.GeneralizedAlpha(0.0), dt=1e-3, t_end=0.04, on_step=change, progress=False
    ).run()
    p, t = results["whole.px"], results.time
    assert (p[20] - p[5]) / (t[20] - t[5]) == pytest.approx(100, rel=1e-4)
    assert (p[40] - p[35]) / (t[40] - t[35]) == pytest.approx(300, rel=1e-4)
    assert results["pull.x"][[1, 20, 21, 40]] == pytest.approx([100, 100, 300, 300])
    gained = results["energy.kinetic"][-1]
    assert abs(results["energy.balance"]).max() < 1e-2 * gained


@pytest.mark.mpi
def test_load_before_each_step(comm):
    """A traction set to its value at the end of each step: the momentum of a free body is the
    integral of 100 N sin(w t), of second order, and the motion that of the same load given as a
    function of time. Its potential changes with it at the start of a step: the account of energy
    closes to the first order."""
    omega = 50.0

    def run(h, before):
        msh, tags = bar(comm, "hexahedron", (2, 1, 1))
        system = fc.System(gravity=(0, 0, 0), comm=comm)
        body = system.add(
            fc.Solid(fcd.mesh(msh, tags, NAMES), fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=1000),
                     free=True, name="bar")
        )  # fmt: skip
        pull = function(msh, ("Lagrange", 1, (3,)), lambda x: 0 * x)
        wave = None if before else lambda t: np.sin(omega * t)
        pull.x.array[0::3] = 0.0 if before else 100 / 0.25
        load = system.add(fc.Traction(body.facets("right"), pull, wave, name="pull"))
        system.add(fc.SolidProbe(body, name="whole"))

        def follow(stepper, t):
            pull.x.array[0::3] = 100 / 0.25 * np.sin(omega * t)
            load.update(stepper)

        return fc.Simulation(
            system, dt=h, t_end=0.06, before_step=follow if before else None, progress=False
        ).run()

    errors, opened = [], []
    for h in (2e-3, 1e-3):
        results = run(h, True)
        exact = 100 / omega * (1 - np.cos(omega * results.time))
        errors.append(abs(results["whole.px"] - exact).max() / exact.max())
        opened.append(abs(results["energy.balance"]).max() / results["energy.kinetic"].max())
    assert errors[0] < 2e-3
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.1)
    assert opened[0] < 0.05
    assert opened[1] < 0.6 * opened[0]
    other = run(1e-3, False)
    for name in ("whole.x", "pull.x", "energy.kinetic"):
        size = abs(other[name]).max()
        assert results[name] == pytest.approx(other[name], abs=1e-4 * size)


def test_functions_are_read_anew():
    """Two runs of one system: each with the values that the Functions have at its start."""
    msh, tags = bar(MPI.COMM_SELF, "hexahedron", (4, 1, 1))
    E = function(msh, ("Lagrange", 1), lambda x: 1e7 + 0 * x[0])
    pressure = function(msh, ("DG", 0), lambda x: 1e2 + 0 * x[0])
    body = fc.Solid(
        fcd.mesh(msh, tags, NAMES), fc.LinearElastic(E=E, nu=0.3, rho=1000), clamped="left",
        name="bar",
    )  # fmt: skip
    load = fc.Pressure(body.facets("right"), pressure, follower=False, name="oil")
    system = rest(MPI.COMM_SELF, body, load)
    first = body.recover(system.state, "displacement")
    E.x.array[:] *= 3
    pressure.x.array[:] *= 2
    fc.Statics(system, 1, tolerance=1e-13).solve()
    second = body.recover(system.state, "displacement")
    np.testing.assert_allclose(second, 2 / 3 * first, atol=1e-9 * np.abs(first).max())


def test_sentences():
    msh, tags = bar(MPI.COMM_SELF)
    other, _ = bar(MPI.COMM_SELF)
    rod, steel = fcd.mesh(msh, tags, NAMES), fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
    plain = fc.meshes.block((1, 1, 1), (1, 1, 1))
    number = function(msh, ("Lagrange", 1), lambda x: 1 + 0 * x[0])
    negative = function(msh, ("Lagrange", 1), lambda x: -2 + 0 * x[0])
    foreign = function(other, ("Lagrange", 1), lambda x: 1 + 0 * x[0])
    nedelec = fem.Function(fem.functionspace(msh, ("N1curl", 1)))
    body = fc.Solid(rod, steel, name="bar", clamped="left")
    law = fc.StVenantKirchhoff
    varying = law(E=number, nu=0.3, rho=1)
    for call, words in (
        (lambda: fc.Solid(plain, law(E=number, nu=0.3, rho=1)), "not a DOLFINx mesh"),
        (lambda: fc.Solid(rod, law(E=foreign, nu=0.3, rho=1)), "lives on another DOLFINx mesh"),
        (lambda: law(E=negative, nu=0.3, rho=1), "modulus E must be positive, got -2"),
        (lambda: law(E=1e7, nu=number, rho=1), "ratio nu must lie above"),
        (lambda: law(E=1e7, nu=0.3, rho=negative), "density rho must be positive"),
        (lambda: fc.Solid(rod, steel, load=number), "needs 3 components"),
        (lambda: fc.Solid(rod, steel, load=nedelec), "no nodes that cells share"),
        (lambda: fc.Solid(rod, steel, thermal_strain=negative), "above -1"),
        (lambda: fc.Solid(rod, steel, clamped={"left": number}), "Function of 3 components"),
        (lambda: fc.Pressure(body.facets("top"), nedelec), "scalar"),
        (lambda: fc.Traction(body.facets("top"), number), "3 components"),
        (lambda: fc.Pressure(body.facets("top"), 1.0, name="p").update(None), "stepper.assign"),
        (
            lambda: fc.CondensedSolid(rod, varying, clamped="left", facets="top"),
            "takes no Functions",
        ),
    ):
        with pytest.raises(fc.InputError, match=words):
            call()


@pytest.mark.mpi
@pytest.mark.parametrize("law", [fc.Winkler(), fc.Hard()])
def test_modulus_that_varies_in_contact(comm, law):
    """A body force of 1 kN/m^3 presses 0.25 m^3 on a plane; a penalty and the scale of pressures
    follow from the largest modulus, on facets of 0.25 x 0.25 m."""
    msh, tags = bar(comm, "hexahedron")
    E = function(msh, ("DG", 0), lambda x: 1e7 * (1 + (x[0] > 0.5)))
    body = fc.Solid(
        fcd.mesh(msh, tags, NAMES), fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000), degree=1,
        clamped={"left": "xz"}, load=(0, 1e3, 0), name="bar",
    )  # fmt: skip
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    system.add(body)
    plane = fc.PlaneSurface(system.ground.point((0, 0.25 - 1e-6, 0)), axis=(0, -1, 0))
    contact = system.add(fc.SurfaceContact(body.facets("top"), plane, law=law, name="c"))
    results = fc.Statics(system).solve()
    assert results["c.normal_force"][-1] == pytest.approx(250.0, rel=1e-8)
    wanted = {"k": 10 * 2e7 / 0.25, "a": 0.0} if isinstance(law, fc.Winkler) else {"r": 2e7 / 0.25}
    assert law.values(contact.facets) == pytest.approx(wanted)


@pytest.mark.mpi
def test_modulus_that_changes(comm):
    """Twice the modulus at the same shape is twice the strain energy, at once; what it adds counts
    as fed: the balance is as open as the step makes it, the less the shorter that is."""
    gaps = []
    for dt in (1e-3, 5e-4):
        msh, tags = bar(comm, "hexahedron", (2, 1, 1))
        E = function(msh, ("Lagrange", 1), lambda x: 1e7 + 0 * x[0])
        system = fc.System(gravity=(0, -9.81, 0), comm=comm)
        law = fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000)
        body = system.add(fc.Solid(fcd.mesh(msh, tags, NAMES), law, clamped="left", name="bar"))
        seen = []

        def change(stepper):
            if abs(stepper.t - 0.01) < 1e-9:
                seen.append(stepper.channels["bar.strain_energy"])  # noqa: B023
                E.x.array[:] *= 2  # noqa: B023
                body.update(stepper)  # noqa: B023
                stepper.channels.read()
                seen.append(stepper.channels["bar.strain_energy"])  # noqa: B023

        run = fc.Simulation(system, dt=dt, t_end=0.02, on_step=change, progress=False).run()
        assert seen[1] == pytest.approx(2 * seen[0], rel=1e-9)
        gaps.append(abs(run["energy.balance"]).max())
    assert gaps[0] < 0.15 * seen[0]  # without, all of it
    assert gaps[1] < 0.6 * gaps[0]
