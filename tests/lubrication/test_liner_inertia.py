"""Liners with inertia of their own, which move with their housing: closed forms of a ring under its
weight and in rotation, kinetic energy and momenta by the mass matrix of the nodes, rigid limit.

The ring: radii of 15 and 25 mm, 14 mm wide, of a soft material, its rim held in the housing.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.reduced.reduction import Whole
from fem_clearance.lubrication import CylindricalFilm, Film, Full, Liner, Lubricant, cylinder
from fem_clearance.meshes import hollow_cylinder

from .balances import check_tangent
from .test_ehd_joint import run

A, B, WIDTH, C = 0.015, 0.025, 0.014, 2e-4
E, NU, RHO = 2e7, 0.3, 4000.0


def ring(cells=(16, 2, 1), stiffness=E, inertia=True, clamped="rim", **options):
    options = {"direction": "any", "responses": 30} | options
    if inertia:
        options = {"modes": 4} | options
    return Liner(
        fc.CondensedSolid(
            hollow_cylinder(A, B, WIDTH, cells), fc.StVenantKirchhoff(stiffness, NU, RHO),
            clamped=clamped, facets="bore", inertia=inertia, **options,
        )
    )  # fmt: skip


def oiled(viscosity=1e-9):
    """A film that hardly resists, whose pressure may be negative."""
    return Film(cylinder(A, WIDTH, (12, 2)), C, Lubricant(viscosity), cavitation=Full())


def system_of(housing, journal, film, liner, gravity=(0, 0, 0), comm=None, **start):
    """A lined housing and a journal: bodies, or the ground."""
    system = fc.System(gravity=gravity, comm=comm)
    bodies = [
        system.add(body) if isinstance(body, fc.RigidBody) else system.ground
        for body in (housing, journal)
    ]
    frames = [b.center if isinstance(b, fc.RigidBody) else b.at((0, 0, 0)) for b in bodies]
    system.add(CylindricalFilm(*frames, (0, 0, 1), film=film, liner=liner, name="film", **start))
    return system


def bore(system):
    """Mean displacement of the bore's nodes along the radius and the axis, m."""
    solid, state = lined(system), system.state
    moved = solid.at_nodes(state.everything(state.q))[solid.facets("bore").nodes]
    outward = solid.nodes[solid.facets("bore").nodes] * (1, 1, 0) / A
    return np.mean(np.sum(moved * outward, axis=1)), np.mean(moved[:, 2])


def lined(system):
    return next(i for i in system.items if i.name == "film.liner")


def housing(mass=2.0, **options):
    return fc.RigidBody(mass, (3e-3, 3e-3, 4e-3), name="housing", free=True, **options)


def shaft(**options):
    return fc.RigidBody(1.0, (1e-3, 1e-3, 1e-3), name="journal", free=True, **options)


def test_weight():
    """Antiplane shear by gravity along the axis: u = rho g / mu ((b^2 - a^2) / 4 - a^2 ln(b/a) / 2)
    at the bore, once vibrations have died out."""
    clamps = {"rim": "xyz", "z0": "xy", "z1": "xy"}
    liner = ring((16, 6, 1), clamped=clamps, damping=fc.Damping(retardation=1e-3), responses=60)
    held = fc.RigidBody(1.0, (1e-3,) * 3, name="journal", free=True)
    system = system_of(None, held, oiled(), liner, gravity=(0, 0, -10.0))
    system.add(fc.FixedJoint(system.ground, held.center))
    run(system, 2e-4, 100)
    mu = E / (2 * (1 + NU))
    wanted = RHO * 10.0 / mu * ((B**2 - A**2) / 4 - A**2 * np.log(B / A) / 2)
    assert bore(system)[1] == pytest.approx(-wanted, rel=5e-3)
    alone = ring((16, 6, 1), clamped=clamps, inertia=False, responses=60)
    system = system_of(None, fc.RigidBody(1.0, (1e-3,) * 3), oiled(), alone, (0, 0, -10.0))
    assert abs(bore(system)[1]) == 0  # without inertia it has no weight


def test_spinning_ring():
    """Housing and journal turn together: the ring of plane strain under centrifugal forces, held at
    the rim, free at the bore."""
    spin = 400.0
    liner = ring(
        (16, 6, 1), clamped={"rim": "xyz", "z0": "z", "z1": "z"}, responses=60,
        damping=fc.Damping(retardation=1e-3),
    )  # fmt: skip
    bodies = [body(angular_velocity=(0, 0, spin)) for body in (housing, shaft)]
    system = system_of(*bodies, oiled(), liner)
    run(system, 1e-4, 200)  # it slows down by less than 1e-3
    lam, mu = E * NU / ((1 + NU) * (1 - 2 * NU)), E / (2 * (1 + NU))
    k = RHO * spin**2 / (8 * (lam + 2 * mu))
    rows = [[B, 1 / B], [2 * (lam + mu), -2 * mu / A**2]]
    a, b = np.linalg.solve(rows, [k * B**3, k * A**2 * (3 * (lam + 2 * mu) + lam)])
    assert bore(system)[0] == pytest.approx(a * A + b / A - k * A**3, rel=5e-3)


def of_nodes(system, body):
    """Momentum, angular momentum about the origin and kinetic energy of the liner, by the mass
    matrix of its nodes, their places and velocities in space."""
    state, solid = system.state, lined(system)
    at = state.locate(np.concatenate([r.numbers for r in body.center.refs]))
    (r, *d), (rate, *turning) = (z[at].reshape(4, 3) for z in (state.q, state.v))
    eta = state.locate(solid.amplitudes.numbers)
    u, du = (solid.responses @ z[eta] for z in (state.q, state.v))
    X = solid.nodes + u
    x, v = r + X @ np.array(d), rate + X @ np.array(turning) + du @ np.array(d)
    M = Whole(solid, None).mass
    return (M @ v).sum(axis=0), np.cross(x, M @ v).sum(axis=0), np.sum(v * (M @ v)) / 2


def test_momenta_and_energy():
    """Housing, lined, and journal fly and tumble, the journal faster: the ring's kinetic energy is
    that of its nodes; momentum and angular momentum of all three stay while the film passes some
    from the journal to housing and ring, which is heavier."""
    start = {"velocity": (0.3, -0.2, 0.1), "angular_velocity": (30.0, -20.0, 200.0)}
    bodies = housing(0.05, **start), shaft(**start | {"velocity": (0.4, -0.26, 0.1)})
    film = oiled(4e-3)
    system = system_of(*bodies, film, ring())
    stepper = fc.Stepper(system, dt=2e-5, t_end=2e-3, newton_tolerance=1e-12)
    stepper.start()
    kept, passed = [], []
    for _ in range(40):
        stepper.advance()
        stepper.channels.read()
        state, p, L, T = system.state, *of_nodes(system, bodies[0])
        for body in bodies:
            at = state.locate(np.concatenate([r.numbers for r in body.center.refs]))
            (r, *d), (v, *dd) = (z[at].reshape(4, 3) for z in (state.q, state.v))
            D, m = np.array(d), body.mass
            J = np.diag(body.inertia) if np.ndim(body.inertia) == 1 else np.asarray(body.inertia)
            half = np.trace(J) / 2 * np.eye(3) - J  # second moments in the body's axes
            p, L = p + m * v, L + m * np.cross(r, v)
            L = L + sum(half[i, k] * np.cross(D[i], dd[k]) for i in range(3) for k in range(3))
            T += m * v @ v / 2 + np.trace(np.array(dd).T @ half @ np.array(dd)) / 2
        kept.append([*p, *L])
        passed.append(m * v)  # the journal's
        assert stepper.channels["energy.kinetic"] == pytest.approx(T, rel=1e-9)
    kept, given = np.array(kept), np.abs(passed[-1] - passed[0]).max()
    assert given > 2e-3
    assert stepper.channels["film.liner.strain_energy"] > 1e-7 * T
    # of second order in the step: measured 9e-5 and 1e-8, with half of it 2.3e-5 and 2.5e-9
    np.testing.assert_allclose(kept[:, :3], kept[:1, :3].repeat(40, 0), atol=2e-4 * given)
    np.testing.assert_allclose(kept[:, 3:], kept[:1, 3:].repeat(40, 0), atol=3e-8)


def test_a_stiff_ring_is_part_of_the_housing():
    """Where it hardly yields, it is a rigid addition to the housing's mass and inertia."""
    stiff, h = 1e11, 1e-5
    mass = RHO * np.pi * (B**2 - A**2) * WIDTH
    across = mass * ((A**2 + B**2) / 4 + WIDTH**2 / 12)
    more = np.array([across, across, mass * (A**2 + B**2) / 2])
    start = {"velocity": (0.3, -0.2, 0.1), "angular_velocity": (30.0, -20.0, 200.0)}
    ends = []
    for inertia in (True, False):
        own = fc.RigidBody(
            0.05 + (0 if inertia else mass), (3e-5, 2e-5, 4e-5) + (0 if inertia else 1) * more,
            name="housing", free=True, **start,
        )  # fmt: skip
        system = system_of(
            own, shaft(**start), oiled(1e-2),
            ring((48, 2, 1), stiff, inertia, **({"modes": 0} if inertia else {})),
            gravity=(0, -10.0, 0),
        )  # fmt: skip
        run(system, h, 100)
        state = system.state
        at = state.locate(np.concatenate([r.numbers for r in own.center.refs]))
        ends.append(np.concatenate([state.q[at], state.v[at] / 200.0]))
    assert np.abs(ends[0] - np.r_[0, 0, 0, np.eye(3).ravel(), np.zeros(12)]).max() > 0.1
    np.testing.assert_allclose(ends[0], ends[1], atol=2e-4)


def test_tangent():
    start = {"velocity": (0.3, -0.2, 0.1), "angular_velocity": (30.0, -20.0, 200.0)}
    system = system_of(
        housing(**start), shaft(), oiled(0.04), ring(responses=4, modes=0), (0, -9.0, 0)
    )
    state, rng = system.state, np.random.default_rng(5)
    eta = state.locate(lined(system).amplitudes.numbers)
    state.q[eta] = 1e-5 * rng.standard_normal(len(eta))
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    state.a[:] += rng.standard_normal(state.total) * state.problem.dynamic
    fields = (state.q, state.v, state.a)
    state.follow = lambda: [state.problem.condensed.follow(z) for z in fields]
    state.follow()
    check_tangent(state, 5e-5, step=1e-7)


@pytest.mark.mpi
def test_ranks_agree(comm):
    found = []
    for c in (comm, comm.Split(comm.rank)):
        start = {"angular_velocity": (30.0, -20.0, 200.0)}
        bodies = housing(0.05, **start), shaft(**start)
        system = system_of(*bodies, oiled(0.04), ring(), gravity=(0, -10.0, 0), comm=c)
        channels = run(system, 2e-5, 10, newton_tolerance=1e-11).channels
        names = ("film.liner.strain_energy", "energy.kinetic", "energy.potential")
        found.append([channels[n] for n in names])
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_an_elastic_journal_has_none():
    with pytest.raises(fc.InputError, match="leave out inertia=True"):
        CylindricalFilm(
            fc.System().ground.at((0, 0, 0)), shaft().center, (0, 0, 1), film=oiled(),
            journal=ring(),
        )  # fmt: skip
    with pytest.raises(fc.InputError, match="leave damping= out"):
        ring(inertia=False, damping=fc.Damping(retardation=1e-3))
