"""Condensed solids against the same solids in full."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.materials import Damping
from fem_clearance.bodies.solids.condensed import CondensedSolid
from fem_clearance.bodies.solids.loads import Pressure, Traction
from fem_clearance.bodies.solids.solid import Solid
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.core.state import State
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.errors import InputError
from fem_clearance.meshes.structured import hollow_cylinder

from ..core import reference

E, NU, RHO = 1.3e11, 0.3, 8000.0
BORE, RIM, LENGTH = 0.015, 0.025, 0.03


def ring(cells=(16, 2), degree=2):
    return hollow_cylinder(BORE, RIM, LENGTH, cells, degree=degree)


def liner(kind, mesh, law=fc.LinearElastic, comm=None, **options):
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    if mesh.dimension == 2:
        options = {"state": "plane_strain", "thickness": LENGTH} | options
    body = kind(mesh, law(E=E, nu=NU, rho=RHO), clamped=["rim"], name="liner", **options)
    return system, system.add(body)


def displacements(system, body):
    fc.Statics(system).solve()
    return body.at_nodes(system.state.everything(system.state.q))


@pytest.mark.parametrize(
    "cells, state", [((16, 2), "plane_strain"), ((16, 2), "plane_stress"), ((12, 2, 1), "space")]
)
def test_all_responses_are_the_linear_body(cells, state):
    """Static condensation is exact for a linear body: every node, stress included."""
    results = []
    for kind, options in ((Solid, {}), (CondensedSolid, {"facets": "bore"})):
        system, body = liner(kind, ring(cells), state=state, **options)
        system.add(Pressure(body.facets("bore"), 1e6, follower=False))
        system.add(Traction(body.facets("bore"), (3e5, 1e6, 0)))
        u = displacements(system, body)
        results.append((u, body.recover(system.state, "stress")))
    (u, s), (v, t) = results
    assert v == pytest.approx(u, abs=1e-9 * np.abs(u).max())
    assert t == pytest.approx(s, abs=1e-7 * np.abs(s).max())


def test_lame(caplog):
    """Bore of a thick ring, rim fixed, plane strain: Lame's solution. The first response to
    pressure is in the basis, so a few suffice."""
    p = 1e6
    with caplog.at_level("INFO"):
        system, body = liner(
            CondensedSolid, ring((48, 6)), facets="bore", responses=5, direction="normal"
        )
    system.add(Pressure(body.facets("bore"), p, follower=False))
    u = displacements(system, body)
    bore = np.isclose(np.hypot(*body.nodes[:, :2].T), BORE)
    radial = np.sum(u[bore] * body.nodes[bore], axis=1) / BORE
    assert radial == pytest.approx(np.full(bore.sum(), radial.mean()), rel=1e-5)
    assert radial.mean() == pytest.approx(0.437895 * p * BORE / E, rel=1e-4)
    assert "responses, which neglect" in caplog.text


def test_few_responses_converge():
    """The strain energy that is missed under a patch of pressure falls with the responses kept."""
    missed = []
    for count in (6, 12, 24, 48):
        system, body = liner(
            CondensedSolid, ring((24, 2)), facets="bore", responses=count, direction="normal"
        )
        system.assemble()
        missed.append(body.left_out["bore"])
    assert np.all(np.diff(missed) < 0)
    assert missed[-1] < 1e-5
    assert missed[2] < 0.02


@pytest.mark.parametrize("pressure", [1e6, 1e8, 1e9])
def test_where_it_leaves_the_nonlinear_body(pressure):
    """The linear body errs by about the strain, and no more."""
    u = []
    for kind, law, options in (
        (Solid, fc.StVenantKirchhoff, {}),
        (CondensedSolid, fc.StVenantKirchhoff, {"facets": "bore"}),
    ):
        system, body = liner(kind, ring((16, 2)), law, **options)
        system.add(Pressure(body.facets("bore"), pressure, follower=False))
        u.append(displacements(system, body))
    off = np.abs(u[1] - u[0]).max() / np.abs(u[0]).max()
    strain = pressure / E
    assert 0.1 * strain < off < 5 * strain


def test_a_body_attached_to_it_swings_alike():
    """A joint does not see whether the solid is whole: a heavy ring's inside on a short shaft."""
    tips = []
    for kind, options in (
        (Solid, {}),
        (CondensedSolid, {"facets": "bore", "inertia": True}),
    ):
        system, body = liner(kind, ring((12, 1)), fc.LinearElastic, **options)
        shaft = system.add(fc.RigidBody(mass=5.0, inertia=(1e-3, 1e-3, 1e-3), name="shaft"))
        system.add(fc.Attachment(body.facets("bore"), shaft.center, name="hold"))
        system.add(fc.Force(shaft.center, (0, 1e5, 0)))
        stepper = fc.Stepper(system, dt=2e-6, t_end=1e-3)
        stepper.prepare()
        stepper.start()
        for _ in range(60):
            stepper.advance()
        tips.append(system.state.everything(system.state.q)[shaft.refs[0].numbers])
    assert np.abs(tips[0]).max() > 1e-8
    assert tips[1] == pytest.approx(tips[0], rel=1e-5, abs=1e-12)


def hertz(system, count):
    return np.abs(fc.eigenmodes(system, count).eigenvalues) / 2 / np.pi


FEW = {"responses": 40}


@pytest.mark.parametrize(
    "options, held",
    [(FEW, False), (FEW | {"direction": "normal"}, False), ({"lumped": True}, False), ({}, True),
     ({"state": "plane_stress"}, True)],
    ids=["any", "normal", "lumped", "held", "plane_stress"],
)  # fmt: skip
def test_natural_frequencies_are_those_of_the_whole_body(options, held):
    """A bush, rim clamped: the lowest frequencies with its bore free and with its bore held, of the
    whole ``Solid`` and of the responses and modes; static responses alone are a third too high."""
    found = []
    whole = {k: v for k, v in options.items() if k in ("state", "lumped")}
    for kind, more in (
        (Solid, whole),
        (CondensedSolid, {"facets": "bore", "inertia": True, "modes": 12} | options),
    ):
        system, body = liner(kind, ring((24, 2)), **more)
        if held:
            ground = system.ground.point((0, 0, 0))
            system.add(fc.Attachment(body.facets("bore"), ground, kind="rigid"))
        found.append(hertz(system, 6))
    assert found[1] == pytest.approx(found[0], rel=1e-7)


def rod(**options):
    """Between rollers and without Poisson's effect: it moves along its length alone."""
    system = fc.System(gravity=(0, 0, 0))
    body = CondensedSolid(
        fc.meshes.block((0.4, 0.02), (16, 1), center=(0.2, 0, 0)), fc.LinearElastic(E, 0.0, RHO),
        state="plane_strain", clamped={"x0": "x", "y0": "y", "y1": "y"}, facets="x1", inertia=True,
        name="rod", **options,
    )  # fmt: skip
    return system, system.add(body)


def test_frequencies_of_a_rod():
    """Clamped at one end: (2 k - 1) c / 4 L with c^2 = E / rho. Its static response alone has half
    of EA/L and a third of the mass: sqrt(3) c / (2 pi L), a tenth too high."""
    unit = np.sqrt(E / RHO) / 0.4
    system, body = rod(modes=0)
    assert hertz(system, 1) == pytest.approx([np.sqrt(3) * unit / 2 / np.pi], rel=1e-9)
    assert body.modes_kept == 0
    system, body = rod(frequency=2.6 * unit)
    assert hertz(system, 5) == pytest.approx(unit / 4 * np.array([1, 3, 5, 7, 9]), rel=5e-4)
    # held ones, k c / 2 L: 5 up to there; free ones: 5
    assert body.modes_kept == 10
    system, body = rod()
    assert hertz(system, 1) == pytest.approx([unit / 4], rel=1e-6)


def test_stress_of_a_mode():
    """Of the rod's first mode, sin(pi x / 2 L): E pi / 2 L cos(pi x / 2 L) a metre."""
    system, body = rod(frequency=4e4)
    state = system.state
    state.q[body.amplitudes.numbers[0]] = 1e-6  # the lowest frequency comes first
    state.follow()
    stress = body.recover(state, "stress")[:, 0, 0]
    x = body.nodes[:, 0]
    wanted = 1e-6 * E * np.pi / 0.8 * np.cos(np.pi * x / 0.8)
    assert abs(stress) == pytest.approx(abs(wanted), abs=5e-3 * wanted.max())


def test_a_rod_struck_at_its_end():
    """A force F from rest: the end moves at the velocity F / (A rho c) until its wave comes back,
    after 2 L / c; at L / c the wave has reached the clamp. The static response alone moves at once.
    """
    c, force = np.sqrt(E / RHO), 1e4
    system, body = rod(frequency=2e5)
    system.add(Traction(body.facets("x1"), (force / 0.02, 0, 0)))
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(1.0), dt=5e-7, t_end=0.5 * 0.8 / c)
    stepper.start()
    while stepper.t < stepper.t_end - 1e-12:
        stepper.advance()
    u = body.at_nodes(system.state.q)
    end, middle = (np.isclose(body.nodes[:, 0], x) for x in (0.4, 0.2))
    speed = force / (0.02 * RHO * c)
    assert u[end, 0] == pytest.approx(speed * stepper.t, rel=5e-3)
    assert u[middle, 0] == pytest.approx(speed * stepper.t / 2, rel=2e-2)


def test_gravity_bends_it():
    results = []
    for kind, options in (
        (Solid, {}),
        (CondensedSolid, {"facets": "bore"}),
    ):
        system = fc.System(gravity=(0, -9.81, 0))
        body = kind(
            ring((16, 2)), fc.LinearElastic(E=1e6, nu=NU, rho=RHO), clamped=["rim"], name="liner",
            state="plane_strain", thickness=LENGTH, **options,
        )  # fmt: skip
        system.add(body)
        results.append(displacements(system, body))
    bore = np.isclose(np.hypot(*body.nodes[:, :2].T), BORE)
    # exact on the facets: all their responses are kept
    assert results[1][bore] == pytest.approx(results[0][bore], abs=1e-9 * np.abs(results[0]).max())


def test_vibration_and_damping():
    """One degree of freedom a response: Kelvin-Voigt's damping ratio is w times half the
    retardation time."""
    system, body = liner(
        CondensedSolid, ring((12, 1)), facets="bore", responses=3, inertia=True,
        damping=Damping(retardation=1e-7),
    )  # fmt: skip
    system.assemble()
    modes = fc.eigenmodes(system, 3, damped=True)
    w = np.abs(modes.eigenvalues)
    assert -modes.eigenvalues.real / w == pytest.approx(w * 1e-7 / 2, rel=1e-6)


def test_tangent():
    system, body = liner(CondensedSolid, ring((6, 1), 1), facets="bore", responses=8, inertia=True)
    system.add(Pressure(body.facets("bore"), 1e9, follower=True))
    state = system.state
    state.q[: state.owned] = 1e-4 * np.random.default_rng(0).standard_normal(state.owned)
    assert max(tangent_errors(state, step=1e-7).values()) < 1e-5


def test_followers_are_handed_on():
    """Rows and tangent of the leaders: T'F and T'KT of what NumPy makes of the cells, with T from
    how the followers answer to each unknown; those that the compiled loop hands to SNES too."""
    system, body = liner(CondensedSolid, ring((12, 1)), facets="bore", responses=10, inertia=True)
    system.add(Pressure(body.facets("bore"), 1e8, follower=True))
    state = State(system.assemble())
    n, total = state.local, state.total
    T = np.eye(total)[:, :n]
    for k in range(n):
        state.q[:] = T[:, k]
        state.follow()
        T[:, k] = state.q
    assert np.count_nonzero(T[n:]) > 100
    state.q[:] = T @ (1e-4 * np.random.default_rng(0).standard_normal(n))
    rows, sizes = reference.residual(state)
    assert state.residual()[:n] == pytest.approx(T.T @ rows, abs=1e-12 * sizes.max())
    K = T.T @ reference.tangent(state, 1e14, 1e7) @ T
    mine = np.zeros((total, total))
    np.add.at(mine, (state.problem.coo_rows, state.problem.coo_cols), state.tangent(1e14, 1e7))
    assert mine[:n, :n] == pytest.approx(K, abs=1e-12 * np.abs(K).max())

    newton = NewtonSolver(state)
    newton.factors(1e14, 1e7)
    newton.x.array[:] = 1e-4 * np.random.default_rng(1).standard_normal(n)
    newton.snes.computeFunction(newton.x, newton.f)
    d = newton.x.array * state.scale[:n]
    moves = state.problem.dynamic[:n]
    for field, own in ((state.q, d), (state.v, 1e7 * d * moves), (state.a, 1e14 * d * moves)):
        assert field == pytest.approx(T @ own, rel=1e-12, abs=1e-13 * np.abs(own).max())
    rows, sizes = reference.residual(state)
    rows = T.T @ rows * state.scale[:n]
    assert newton.f.array == pytest.approx(rows, abs=1e-12 * sizes.max())
    newton.build()
    K = T.T @ reference.tangent(state, 1e14, 1e7) @ T * np.outer(state.scale[:n], state.scale[:n])
    assert newton.A[:, :] == pytest.approx(K, abs=1e-12 * np.abs(K).max())
    newton.destroy()


@pytest.mark.mpi
def test_ranks_agree(comm):
    """The same on all ranks as on one; the facets' cells are on several."""
    from fem_clearance._backend import MPI

    u = []
    for where in (comm, MPI.COMM_SELF):
        system, body = liner(CondensedSolid, ring((12, 1)), facets="bore", responses=10, comm=where)
        system.add(Pressure(body.facets("bore"), 1e8, follower=True))
        u.append(displacements(system, body))
    assert u[0] == pytest.approx(u[1], abs=1e-10 * np.abs(u[1]).max())


@pytest.mark.mpi
def test_fields(comm, shared_tmp_path):
    """Files for pictures: those of the full linear body, whose stress the responses give."""
    from fem_clearance.fields.writer import FieldWriter
    from fem_clearance.io.vtk import entries, read_vtu

    files = []
    for kind, options in ((Solid, {}), (CondensedSolid, {"facets": "bore"})):
        system, body = liner(kind, ring((12, 1)), comm=comm, **options)
        system.add(Traction(body.facets("bore"), (3e5, 1e6, 0)))
        displacements(system, body)
        folder = shared_tmp_path / kind.__name__
        FieldWriter(system, folder, 1).record(0.0)
        comm.Barrier()
        files.append(read_vtu(folder / entries(folder / "liner.pvd")[0][1]))
    full, condensed = files
    assert full.keys() == condensed.keys() and full["von_mises"].max() > 1e6
    for name, values in full.items():
        assert condensed[name] == pytest.approx(values, abs=1e-7 * np.abs(values).max()), name


@pytest.mark.parametrize(
    "options, message",
    [
        ({"clamped": []}, "must be clamped"),
        ({"load": (0, 1, 0)}, "takes no load"),
        ({"facets": "hole"}, "no facets marked 'hole'"),
        ({"direction": "up"}, "direction must be"),
        ({"modes": 3}, "those of a body with inertia=True"),
        ({"modes": -1, "inertia": True}, "modes must be a whole number"),
        ({"frequency": 0.0, "inertia": True}, "frequency must be positive"),
    ],
)
def test_bad_input(options, message):
    given = {
        "facets": "bore",
        "clamped": ["rim"],
        "name": "liner",
        "state": "plane_strain",
    } | options
    with pytest.raises(InputError, match=message):
        CondensedSolid(ring(), fc.LinearElastic(E=E, nu=NU, rho=RHO), **given)


def test_only_retained_facets():
    _, body = liner(CondensedSolid, ring((12, 2, 1)), facets="bore")
    with pytest.raises(InputError, match="does not retain the facets 'z0', only bore"):
        body.facets("z0")


@pytest.mark.parametrize("degree, layer", [(1, 1 / 3), (2, 4 / 5)])
@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("cells", [2, 12])
def test_mass_of_a_translation(degree, layer, size, cells):
    """All free nodes of a bar move by 1 along it: twice the kinetic energy is that of the bar, of
    whose first layer of cells the part int (1 - N)^2 counts, N the shape functions of the clamped
    face: 1/3 of linear cells, 4/5 of quadratic ones."""
    mesh = fc.meshes.block((size, 0.2 * size, 0.3 * size), (cells, 1, 1))
    system = fc.System(gravity=(0, 0, 0))
    body = CondensedSolid(
        mesh, fc.LinearElastic(E=E, nu=NU, rho=RHO), degree=degree, facets="x1", clamped="x0",
        inertia=True, name="bar",
    )  # fmt: skip
    system.add(body)
    state, matrices, _ = body._full
    along = np.zeros((len(body.nodes), 3))
    along[:, 0] = 1.0
    block = body._twin.block
    ones = along[np.argsort(body._twin.slot)].ravel()[~block.fixed]
    mass = ones @ (matrices.M @ ones)
    h = size / cells
    assert mass == pytest.approx(RHO * 0.06 * size**2 * (size - h + layer * h), rel=1e-13)


def test_frequencies_go_with_the_size():
    """Bodies of one shape and material: the frequency times the size is a number of its own."""
    numbers = []
    for size in (1.0, 1e-4, 1e-8):
        mesh = fc.meshes.block((size, 0.2 * size, 0.2 * size), (6, 1, 1))
        system = fc.System(gravity=(0, 0, 0))
        body = CondensedSolid(
            mesh, fc.LinearElastic(E=E, nu=NU, rho=RHO), degree=1, facets="x1", clamped="x0",
            inertia=True, name="bar",
        )  # fmt: skip
        system.add(body)
        system.assemble()
        numbers.append(np.abs(fc.eigenmodes(system, 4).eigenvalues) * size)
    assert numbers[1] == pytest.approx(numbers[0], rel=1e-9)
    assert numbers[2] == pytest.approx(numbers[0], rel=1e-9)
