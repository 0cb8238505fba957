"""Solids and what acts on their facets: rows against energies and integrals in NumPy."""

from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes

from ..bricks import MATERIAL, Brick
from ..forces import residuals_only
from .elements import slopes

E, MU, LAM, RHO = MATERIAL.E, MATERIAL.mu, MATERIAL.lam, MATERIAL.rho
GRAVITY, LOAD = np.array([1.0, -9.0, 2.0]), np.array([3e3, -2e3, 1e3])


def green(F):
    return (np.swapaxes(F, 1, 2) @ F - np.eye(3)) / 2


def trace(a):
    return np.trace(a, axis1=1, axis2=2)


def kirchhoff(F):
    e = green(F)
    return LAM / 2 * trace(e) ** 2 + MU * np.sum(e * e, axis=(1, 2))


def rubber(F):
    """Bonet and Wood (2008) eq. (6.27)."""
    J = np.linalg.det(F)
    return MU / 2 * (np.sum(F * F, axis=(1, 2)) - 3) - MU * np.log(J) + LAM / 2 * np.log(J) ** 2


def hooke(F):
    e = (F + np.swapaxes(F, 1, 2)) / 2 - np.eye(3)
    return LAM / 2 * trace(e) ** 2 + MU * np.sum(e * e, axis=(1, 2))


LAWS = {"StVenantKirchhoff": kirchhoff, "NeoHookean": rubber, "LinearElastic": hooke}


@pytest.mark.parametrize("name", LAWS)
def test_elastic_forces(name):
    """Two points a direction; strain energy, stresses by the energy's derivative."""
    law, brick = LAWS[name], Brick(material=getattr(fc, name)(E, 0.3, RHO))

    def energy(u):
        _, slope, volume = brick.inside(2)
        return volume @ law(np.eye(3) + np.einsum("ax,nak->nxk", u, slope))

    wanted = slopes(energy, brick.u)
    np.testing.assert_allclose(brick.rows, wanted, atol=1e-6 * np.abs(wanted).max())
    assert brick.channels["energy.strain"] == pytest.approx(energy(brick.u))
    # stresses that are recovered: J^-1 P F' and F^-1 P at the cell's middle
    _, slope, _ = brick.inside(1)
    F = (np.eye(3) + np.einsum("ax,nak->nxk", brick.u, slope))[0]
    P = slopes(lambda F: law(F[None])[0], F)
    from fem_clearance.core.symbols import Symbols

    c = Symbols(brick.solid.kind)
    assert {*brick.solid.kind.recovered(c)} == {"stress", "second_piola_kirchhoff"}
    cauchy, second = (recovered(brick, n) for n in ("stress", "second_piola_kirchhoff"))
    np.testing.assert_allclose(cauchy, P @ F.T / np.linalg.det(F), atol=1e-6 * np.abs(P).max())
    np.testing.assert_allclose(second, np.linalg.inv(F) @ P, atol=1e-6 * np.abs(P).max())


def recovered(brick, name):
    """A stress at the middle of the cell."""
    from fem_clearance.core.forms import expression_kernel

    kind, state = brick.solid.kind, brick.state
    k = next(n for n, z in enumerate(brick.system.state.components) if z.kind == kind)
    with residuals_only():
        kernel = expression_kernel(kind, name, np.full((1, 3), 0.5), brick.system.comm)
    return state.evaluate(k, kernel, kernel.size).reshape(3, 3)


def test_expressions_at_other_points():
    """A kernel belongs to its points: one for eight of them writes eight times as much."""
    from fem_clearance.core.forms import expression_kernel

    kind, comm = Brick().solid.kind, Brick().system.comm
    points = np.array([*np.ndindex(2, 2, 2)], float)
    with residuals_only():
        sizes = [expression_kernel(kind, "stress", z, comm).size for z in (points, points[:1])]
    assert sizes == [72, 9]


def test_inertia_weight_and_damping():
    """rho a, -(rho g + load), viscous stress 2 eta E' + zeta tr(E') I, drag c rho v; energies and
    the power lost."""
    damping = fc.Damping(retardation=0.03, drag=4.0)
    brick = Brick(gravity=GRAVITY, load=LOAD, damping=damping)
    shape, _, volume = brick.inside(2)
    brick.state.v[brick.nodes] = 0.0
    still = brick.rows.copy()
    brick.state.a[brick.nodes] = brick.acceleration
    mass = np.einsum("na,nb,n->ab", shape, shape, RHO * volume)
    inertia = mass @ brick.acceleration
    np.testing.assert_allclose(brick.rows - still, inertia, atol=1e-6 * np.abs(inertia).max())
    brick.state.a[brick.nodes] = 0.0
    brick.state.globals[3:6] = 0.0
    weight = np.outer(shape.T @ volume, RHO * GRAVITY)
    np.testing.assert_allclose(still - brick.rows, -weight, atol=1e-6 * np.abs(weight).max())
    brick.state.globals[3:6] = GRAVITY
    brick.state.v[brick.nodes] = brick.v
    h = 1e-5

    def dissipation(v):
        _, slope, volume = brick.inside(2)
        ends = [np.eye(3) + np.einsum("ax,nak->nxk", brick.u + k * h * v, slope) for k in (1, -1)]
        rate = (green(ends[0]) - green(ends[1])) / (2 * h)
        viscous = 0.03 * (MU * np.sum(rate * rate, axis=(1, 2)) + LAM / 2 * trace(rate) ** 2)
        speed = shape @ v
        return volume @ (viscous + 4.0 * RHO / 2 * np.sum(speed**2, axis=1))

    wanted = slopes(dissipation, brick.v, 1e-4)
    np.testing.assert_allclose(brick.rows - still, wanted, atol=1e-5 * np.abs(wanted).max())
    see = brick.channels
    assert see["power.damping"] == pytest.approx(2 * dissipation(brick.v), rel=1e-5)
    speed = shape @ brick.v
    assert see["energy.kinetic"] == pytest.approx(volume @ np.sum(speed**2, axis=1) * RHO / 2)
    place = shape @ brick.now
    body = brick.pose(brick.b)[0]
    potential = -volume @ (place @ (RHO * GRAVITY + LOAD)) - 1.3 * GRAVITY @ body
    assert see["energy.potential"] == pytest.approx(potential)


def test_lumped_inertia_and_the_probe():
    """Masses at the nodes (by the volume at each corner); momentum, angular momentum, centre."""
    brick = Brick(lambda z: z.add(fc.SolidProbe(z.solid, name="p")), lumped=True)
    corners = []
    for at in brick.reference:
        linear = 0.5 + 2 * at * brick.reference
        slope = np.stack([2 * brick.reference[:, k] * np.prod(np.delete(linear, k, 1), axis=1)
                          for k in range(3)], 1)  # fmt: skip
        corners.append(np.linalg.det(brick.places.T @ slope) / 8)
    mass = RHO * np.array(corners)
    still = brick.rows.copy()
    brick.state.a[brick.nodes] = brick.acceleration
    np.testing.assert_allclose(brick.rows - still, mass[:, None] * brick.acceleration, atol=1e-9)
    see = brick.channels
    momentum = [see[f"p.p{x}"] for x in "xyz"]
    np.testing.assert_allclose(momentum, mass @ brick.v, atol=1e-12)
    spin = mass @ np.cross(brick.now, brick.v)
    np.testing.assert_allclose([see[f"p.L{x}"] for x in "xyz"], spin, atol=1e-9)
    centre = mass @ brick.now / brick.solid.mass
    np.testing.assert_allclose([see[f"p.{x}"] for x in "xyz"], centre, rtol=1e-9)


def test_drag_alone():
    """Without a retardation there is no viscosity: -c rho v only, and v . c rho v is lost."""
    brick = Brick(damping=fc.Damping(drag=4.0))
    shape, _, volume = brick.inside(2)
    moving = brick.rows.copy()
    drag = np.einsum("na,nb,n,bx->ax", shape, shape, 4.0 * RHO * volume, brick.v)
    lost = brick.channels["power.damping"]
    assert lost == pytest.approx(np.sum(drag * brick.v))
    brick.state.v[brick.nodes] = 0.0
    np.testing.assert_allclose(moving - brick.rows, drag, atol=1e-6 * np.abs(drag).max())


def test_probe_of_a_plane_solid():
    """Linear triangles: of mass m at the mean of the corners, with momentum m times the mean of
    their velocities; integrals of products by the mass matrix m (1 + delta_ab) / 12. Nothing out of
    the plane."""
    mesh = meshes.simplices(meshes.block((0.2, 0.3), (2, 1)))
    system = fc.System(gravity=(0, 0, 0))
    solid = system.add(fc.Solid(mesh, MATERIAL, state="plane_strain", thickness=0.04, free=True,
                                degree=1, name="s"))  # fmt: skip
    system.add(fc.SolidProbe(solid, name="p"))
    with residuals_only():
        state = system.state
    at = state.locate(solid.displacement(np.arange(len(solid.nodes))[:, None]).numbers)
    random = np.random.default_rng(3)
    state.q[at], state.v[at] = random.uniform(-1, 1, (2, *at.shape))
    now = solid.nodes[:, :2] + state.q[at]
    mass, centre, momentum, spin = 0.0, np.zeros(2), np.zeros(2), 0.0
    for cell in solid.cells:
        a, b, c = solid.nodes[cell, :2]
        m = RHO * 0.04 * abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]) / 2
        x, v = now[cell], state.v[at][cell]
        mass, centre, momentum = mass + m, centre + m * x.mean(0), momentum + m * v.mean(0)
        products = m / 12 * (1 + np.eye(3))
        spin += x[:, 0] @ products @ v[:, 1] - x[:, 1] @ products @ v[:, 0]
    system.channels.read()
    see = {n: np.array([system.channels[f"p.{n}{x}"] for x in "xyz"]) for n in ("", "p", "L")}
    assert mass == pytest.approx(RHO * 0.04 * 0.2 * 0.3)
    np.testing.assert_allclose(see[""], [*centre / mass, 0], rtol=1e-9)
    np.testing.assert_allclose(see["p"], [*momentum, 0], rtol=1e-9)
    np.testing.assert_allclose(see["L"], [0, 0, spin], rtol=1e-9)


@pytest.mark.parametrize("state", ["plane_strain", "plane_stress"])
def test_plane_states(state):
    """Triangles: nothing changes across the plane, or a stretch that makes the energy stationary;
    times the thickness. Weight and load have a potential, zero at the origin."""
    mesh = meshes.simplices(meshes.block((0.2, 0.3), (1, 1)))
    system = fc.System(gravity=GRAVITY)
    solid = system.add(fc.Solid(mesh, MATERIAL, state=state, thickness=0.04, load=LOAD, free=True,
                                degree=1, name="s"))  # fmt: skip
    with residuals_only():
        q = system.state
    at = q.locate(solid.displacement(np.arange(len(solid.nodes))[:, None]).numbers)
    random = np.random.default_rng(2)
    u = 0.02 * random.uniform(-1, 1, at.shape)
    q.q[at] = u
    count = len(solid.cells)
    across = 0.1 * random.uniform(-1, 1, count) if state == "plane_stress" else np.zeros(count)
    if state == "plane_stress":
        stretch = q.locate(next(b for b in system.blocks if b.name == "s.stretch").numbers)
        q.q[stretch] = across

    def energies(u, across):
        strain = potential = 0.0
        for cell, more in zip(solid.cells, across, strict=True):
            X, x = (z[cell] for z in (solid.nodes[:, :2], solid.nodes[:, :2] + u))
            D0, D = ((z[1:] - z[0]).T for z in (X, x))
            F = np.eye(3)
            F[:2, :2], F[2, 2] = D @ np.linalg.inv(D0), 1 + more
            volume = 0.04 * abs(np.linalg.det(D0)) / 2
            strain += volume * kirchhoff(F[None])[0]
            potential -= volume * x.mean(axis=0) @ (RHO * GRAVITY + LOAD)[:2]
        return strain, potential

    def energy(u, across):
        return sum(energies(u, across))

    rows = q.residual()
    wanted = slopes(lambda u: energy(u, across), u)
    np.testing.assert_allclose(rows[at], wanted, atol=1e-6 * np.abs(wanted).max())
    if state == "plane_stress":
        wanted = slopes(lambda z: energy(u, z), across)
        np.testing.assert_allclose(rows[stretch], wanted, atol=1e-6 * np.abs(wanted).max())
    system.channels.read()
    see = [system.channels[f"energy.{name}"] for name in ("strain", "potential")]
    assert see == pytest.approx(energies(u, across))


# --- loads on facets ----------------------------------------------------------------------------
@pytest.mark.parametrize("follower", [True, False])
def test_pressure(follower):
    """-p times the area vector of the deformed facet, or of the undeformed one."""
    brick = Brick(lambda z: z.add(
        fc.Pressure(z.solid.facets("z1"), 2e4, fc.functions.Harmonic(1.0, 3.0, 0.4),
                    follower=follower,
                    name="p")
    ))  # fmt: skip
    bare = Brick().rows
    brick.state.globals[0] = 0.1
    shape, slope, w = brick.facet(3)
    pressure = 2e4 * np.sin(2 * np.pi * 3 * 0.1 + 0.4)
    places = brick.now if follower else brick.places
    area = brick.area_vector(slope, places[brick.upper])
    wanted = -pressure * np.einsum("n,na,nx->ax", w, shape, area)
    force = -(brick.rows - bare)
    np.testing.assert_allclose(force[brick.upper], wanted, atol=1e-7 * np.abs(wanted).max())
    see = brick.channels
    np.testing.assert_allclose([see[f"p.{x}"] for x in "xyz"], wanted.sum(axis=0), rtol=1e-6,
                               atol=1e-9)  # fmt: skip
    assert see["p.power"] == pytest.approx(np.sum(wanted * brick.v[brick.upper]))


def test_traction():
    """Per undeformed area, in a fixed direction; its potential."""
    vector = np.array([3e3, -4e3, 5e3])
    brick = Brick(lambda z: z.add(fc.Traction(z.solid.facets("z1"), vector, name="p")))
    bare = Brick().rows
    shape, slope, w = brick.facet(3)
    area = np.linalg.norm(brick.area_vector(slope, brick.places[brick.upper]), axis=1)
    wanted = np.einsum("n,na,x->ax", w * area, shape, vector)
    force = -(brick.rows - bare)
    np.testing.assert_allclose(force[brick.upper], wanted, atol=1e-9 * np.abs(wanted).max())
    see = brick.channels
    assert see["p.power"] == pytest.approx(np.sum(wanted * brick.v[brick.upper]))
    assert see["energy.potential"] == pytest.approx(-np.sum(wanted * brick.now[brick.upper]))


def test_pressure_on_the_edge_of_a_plane_solid():
    """Out of an edge, times the thickness."""
    mesh = meshes.block((0.2, 0.3), (1, 1))
    mesh = replace(mesh, points=mesh.points + [0.01, 0.02, 0])
    rows = []
    for pressure in (0.0, 2e4):
        system = fc.System(gravity=(0, 0, 0))
        solid = system.add(fc.Solid(mesh, MATERIAL, state="plane_strain", thickness=0.04,
                                    free=True, degree=1, name="s"))  # fmt: skip
        system.add(fc.Pressure(solid.facets("x1"), pressure, name="p"))
        with residuals_only():
            q = system.state
        at = q.locate(solid.displacement(np.arange(4)[:, None]).numbers)
        q.q[at] = 0.01 * np.array([[1, 2], [-1, 3], [2, -2], [1, 1]])
        rows.append(q.residual()[at].copy())
    force = rows[0] - rows[1]
    right = np.flatnonzero(mesh.points[:, 0] > 0.05)
    low, high = right[np.argsort(mesh.points[right, 1])]
    now = mesh.points[:, :2] + q.q[at]
    along = now[high] - now[low]
    wanted = -2e4 * 0.04 * np.array([along[1], -along[0]]) / 2
    np.testing.assert_allclose(force[[low, high]], [wanted, wanted], atol=1e-6)
