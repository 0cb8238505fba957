"""Elements of solids: patch tests on distorted meshes, tangents, rotations."""

from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.errors import InputError

ELEMENTS = [
    ("triangle", "plane_strain"), ("triangle", "plane_stress"),
    ("quadrilateral", "plane_strain"), ("quadrilateral", "plane_stress"),
    ("tetrahedron", "space"), ("hexahedron", "space"),
]  # fmt: skip
#: a large deformation: shear, stretch and rotation
GRADIENT = np.array([[1.2, 0.3, 0.1], [-0.2, 0.9, 0.15], [0.05, -0.1, 1.1]])
RUBBER = fc.NeoHookean(E=1e6, nu=0.3, rho=1000)


def box(cell, degree, count=2, distorted=0.12, curved=False):
    """A unit block with inner nodes moved about at random; edges straight unless ``curved``."""
    plane = cell in ("triangle", "quadrilateral")
    mesh = meshes.block((1,) * (2 if plane else 3), (count,) * (2 if plane else 3))
    if cell in ("triangle", "tetrahedron"):
        mesh = meshes.simplices(mesh)
    if curved:
        mesh = quadratic(mesh)
    inside = np.all(np.abs(mesh.points[:, : mesh.dimension]) < 0.5 - 1e-9, axis=1)
    shift = np.zeros_like(mesh.points)
    random = np.random.default_rng(3).uniform(-1, 1, shift.shape)
    shift[inside] = distorted / count / (1 + curved) * random[inside]
    if plane:
        shift[:, 2] = 0
    mesh = replace(mesh, points=mesh.points + shift)
    return quadratic(mesh) if degree == 2 and not curved else mesh


def quadratic(mesh):
    """The same mesh with nodes on the middle of edges and faces."""
    cells, points = mesh.nodes(2)
    return replace(mesh, cells=cells, points=points, degree=2)


def assembled(mesh, material=RUBBER, **options):
    state = options.pop("state", "space")
    system = fc.System(gravity=(0, 0, 0))
    solid = fc.Solid(
        mesh, material, state=None if state == "space" else state, free=True, name="s",
        **{"degree": mesh.degree} | options,
    )  # fmt: skip
    system.add(solid)
    return system, solid, system.state


def stretch_across(F, state, material):
    """Of plane stress: where the neo-Hookean energy is stationary (bisection on its derivative)."""
    if state != "plane_stress":
        return 1.0 if state == "plane_strain" else None
    area = np.linalg.det(F[:2, :2])
    low, high = 0.2, 5.0
    for _ in range(200):
        z = (low + high) / 2
        slope = material.mu * (z - 1 / z) + material.lam * np.log(area * z) / z
        low, high = (low, z) if slope > 0 else (z, high)
    return z


def put(solid, state, F, across):
    """The homogeneous deformation F as state."""
    d = solid.dimension
    u = (solid.nodes @ (F - np.eye(3)).T)[:, :d]
    state.q[solid.displacement(np.arange(len(u))[:, None]).numbers] = u
    if across is not None and state.size > u.size:
        state.q[u.size :] = across - 1
    state.q_n[:] = state.q


@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(("cell", "plane"), ELEMENTS)
def test_patch(cell, plane, degree, curved):
    """A homogeneous deformation balances inside whatever the mesh; the forces on the surface add up
    to the moment of the stress, sum f x X = V P; and the energy is V W. (Large strain; closed form
    of the neo-Hookean stress, P = mu (F - F^-T) + lam ln J F^-T.)"""
    if curved and degree == 1:
        with pytest.raises(InputError, match="cannot turn curved cells"):
            assembled(box(cell, 1, curved=True), state=plane, degree=1)
        return
    mesh = box(cell, degree, curved=curved)
    system, solid, state = assembled(mesh, state=plane)
    F = GRADIENT.copy()
    if plane != "space":
        F[2, :2] = F[:2, 2] = 0
        F[2, 2] = stretch_across(F, plane, RUBBER)
    put(solid, state, F, F[2, 2] if plane == "plane_stress" else None)
    rows = state.residual()
    d, n = solid.dimension, len(solid.nodes)
    f = rows[solid.displacement(np.arange(n)[:, None]).numbers]
    inside = np.all(np.abs(solid.nodes[:, :d]) < 0.5 - 1e-9, axis=1)
    assert inside.any() and np.abs(f[inside]).max() < 1e-11 * np.abs(f).max()
    inverse, J = np.linalg.inv(F).T, np.linalg.det(F)
    P = RUBBER.mu * (F - inverse) + RUBBER.lam * np.log(J) * inverse
    assert np.allclose(f.T @ solid.nodes[:, :d], P[:d, :d], rtol=0, atol=1e-10 * np.abs(P).max())
    if plane == "plane_stress":
        assert abs(P[2, 2]) < 1e-9 * np.abs(P).max()
        assert np.abs(rows[d * n :]).max() < 1e-9 * np.abs(f).max()
    W = RUBBER.mu / 2 * (np.sum(F**2) - 3) - RUBBER.mu * np.log(J) + RUBBER.lam / 2 * np.log(J) ** 2
    system.channels.read()
    assert system.channels["energy.strain"] == pytest.approx(W, rel=1e-11)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(("cell", "plane"), ELEMENTS)
def test_inner_nodes_find_back(cell, plane, degree):
    """The same by solving: surface nodes held on the homogeneous deformation, inner ones off it."""
    mesh = box(cell, degree)
    _, solid, state = assembled(mesh, state=plane)
    F = np.eye(3) + 0.3 * (GRADIENT - np.eye(3))
    if plane != "space":
        F[2, :2] = F[:2, 2] = 0
        F[2, 2] = stretch_across(F, plane, RUBBER)
    put(solid, state, F, F[2, 2] if plane == "plane_stress" else None)
    exact, d = state.q.copy(), solid.dimension
    inner = np.all(np.abs(solid.nodes[:, :d]) < 0.5 - 1e-9, axis=1)
    numbers = solid.displacement(np.flatnonzero(inner)[:, None]).numbers.ravel()
    free = np.concatenate([numbers, np.arange(d * len(solid.nodes), state.size)])
    state.q[free] += np.random.default_rng(1).uniform(-0.02, 0.02, len(free))
    for _ in range(12):
        K = np.zeros((state.size, state.size))
        np.add.at(K, (state.problem.coo_rows, state.problem.coo_cols), state.tangent(0.0, 0.0))
        state.q[free] -= np.linalg.solve(K[np.ix_(free, free)], state.residual()[free])
    assert np.abs(state.q - exact).max() < 1e-12


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(("cell", "plane"), ELEMENTS)
def test_tangents(cell, plane, degree):
    """Derivatives by displacements, rates and accelerations against differences of the residual."""
    material = fc.StVenantKirchhoff(E=1e3, nu=0.3, rho=10)
    mesh = box(cell, degree, count=1, distorted=0)
    options = {"damping": fc.Damping(retardation=1e-2, drag=3.0)}
    system, solid, state = assembled(mesh, material, state=plane, **options)
    system.state.globals[3:6] = 0, -9.81, 0
    random = np.random.default_rng(0)
    for field, size in ((state.q, 0.1), (state.v, 1.0), (state.a, 1.0)):
        field[:] = size * random.uniform(-1, 1, len(field))
    errors = tangent_errors(state, step=1e-5)
    assert max(errors.values()) < 1e-6, errors


@pytest.mark.parametrize("material", [fc.NeoHookean, fc.StVenantKirchhoff])
@pytest.mark.parametrize(("cell", "plane"), ELEMENTS)
def test_rotation_changes_nothing_but_directions(cell, plane, material):
    """Energy, forces (turned) and stress across the plane of a strained body, before and after a
    rotation by 2 rad; a rotation alone makes no forces, also of curved cells."""
    mesh = box(cell, 2, curved=True)
    system, solid, state = assembled(mesh, material(E=1e6, nu=0.3, rho=1000), state=plane)
    d, n = solid.dimension, len(solid.nodes)
    numbers = solid.displacement(np.arange(n)[:, None]).numbers
    u = np.random.default_rng(5).uniform(-0.02, 0.02, (n, d))
    axis = np.array([0, 0, 1.0]) if d == 2 else np.array([1, 2, -1]) / 6**0.5
    R = turn(axis, 2.0)[:d, :d]

    def forces(x):
        state.q[numbers] = x - solid.nodes[:, :d]
        rows = state.residual().copy()
        system.channels.read()
        return rows[numbers], rows[d * n :], system.channels["energy.strain"]

    x = solid.nodes[:, :d] + u
    before, after = forces(x), forces(x @ R.T)
    size = np.abs(before[0]).max()
    assert np.allclose(after[0], before[0] @ R.T, rtol=0, atol=1e-10 * size)
    assert np.allclose(after[1], before[1], rtol=0, atol=1e-10 * size)
    assert after[2] == pytest.approx(before[2], rel=1e-10)
    rest = forces(solid.nodes[:, :d] @ R.T)
    assert np.abs(rest[0]).max() < 1e-12 * size * 10 and abs(rest[2]) < 1e-9 * before[2]


def turn(axis, angle):
    K = np.cross(np.eye(3), -axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
