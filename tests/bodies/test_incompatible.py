"""Incompatible modes: patch test, hourglass check, pure bending in closed form, slender bodies."""

from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.diagnostics import tangent_errors

CELLS = [("quadrilateral", "plane_strain"), ("quadrilateral", "plane_stress"), ("hexahedron", None)]
RUBBER = fc.NeoHookean(E=1e6, nu=0.3, rho=1000)
GRADIENT = np.array([[1.2, 0.3, 0.1], [-0.2, 0.9, 0.15], [0.05, -0.1, 1.1]])


def distorted(dimension, count, amount, corners=False, size=1.0):
    """A cube of cells; its inner nodes (or all of them) moved about at random."""
    mesh = meshes.block((size,) * dimension, (count,) * dimension)
    inside = np.all(np.abs(mesh.points[:, :dimension]) < size * (0.5 - 1e-9), axis=1)
    shift = np.zeros_like(mesh.points)
    random = np.random.default_rng(5).uniform(-1, 1, (len(shift), dimension))
    shift[:, :dimension] = amount * size / count * random * (corners | inside[:, None])
    return replace(mesh, points=mesh.points + shift)


def assembled(mesh, material, state, modes=True, **options):
    system = fc.System(gravity=(0, 0, 0))
    solid = fc.Solid(
        mesh, material, state=state, degree=1, incompatible_modes=modes, free=True, name="s",
        **options,
    )  # fmt: skip
    system.add(solid)
    return system, solid, system.state


def numbers(system, solid):
    """Numbers of the displacements, node by node, and of the unknowns of cells."""
    u = solid.displacement(np.arange(len(solid.nodes))).numbers.reshape(-1, solid.dimension)
    return u, np.setdiff1d(np.arange(system.state.size), u.ravel())


def stiffness(system, solid):
    """Of the displacements, the cells' unknowns eliminated; and these as they follow from them."""
    state = system.state
    K = np.zeros((state.size, state.size))
    np.add.at(K, (state.problem.coo_rows, state.problem.coo_cols), state.tangent(0.0, 0.0))
    u, inner = numbers(system, solid)
    u = u.ravel()
    follow = -np.linalg.solve(K[np.ix_(inner, inner)], K[np.ix_(inner, u)])
    return K[np.ix_(u, u)] + K[np.ix_(u, inner)] @ follow


@pytest.mark.parametrize(("cell", "plane"), CELLS[::2])
def test_patch(cell, plane):
    """A homogeneous deformation of a distorted mesh, large: with modes at rest all forces at inner
    nodes and along the modes vanish."""
    d = 2 if plane else 3
    system, solid, state = assembled(distorted(d, 2, 0.25), RUBBER, plane)
    u, inner = numbers(system, solid)
    F = GRADIENT[:d, :d]
    state.q[u] = solid.nodes[:, :d] @ (F - np.eye(d)).T
    forces = state.residual()[: state.size]
    middle = np.all(np.abs(solid.nodes[:, :d]) < 0.5 - 1e-9, axis=1)
    largest = np.abs(forces).max()
    assert middle.any() and largest > 1e3
    assert np.abs(forces[u[middle]]).max() < 1e-11 * largest
    assert np.abs(forces[inner]).max() < 1e-11 * largest
    # P = mu (F - F^-T) + lam ln J F^-T of the neo-Hookean law; sum f x X = V P
    whole = np.eye(3)
    whole[:d, :d] = F
    inverse = np.linalg.inv(whole).T
    P = RUBBER.mu * (whole - inverse) + RUBBER.lam * np.log(np.linalg.det(whole)) * inverse
    sums = np.einsum("ni,nj->ij", forces[u], solid.nodes[:, :d])
    assert sums == pytest.approx(P[:d, :d], rel=1e-10, abs=1e-6)


@pytest.mark.parametrize(("cell", "plane"), CELLS)
@pytest.mark.parametrize("amount", [0.0, 0.2])
def test_no_hourglasses(cell, plane, amount):
    """One cell without clamps: as many zero eigenvalues as rigid motions (3 in the plane, 6 in
    space), all others positive, and none above those without modes."""
    d = 2 if plane else 3
    mesh = distorted(d, 1, amount, corners=True)
    values = []
    for modes in (True, False):
        system, solid, _ = assembled(mesh, RUBBER, plane, modes)
        values.append(np.linalg.eigvalsh(stiffness(system, solid)))
    rigid = 3 if plane else 6
    with_modes, without = values
    assert np.abs(with_modes[:rigid]).max() < 1e-9 * with_modes[-1]
    assert with_modes[rigid] > 0.02 * with_modes[-1]
    assert np.all(with_modes < without * (1 + 1e-9) + 1e-9 * without[-1])


@pytest.mark.parametrize(("cell", "plane"), CELLS[1:])
@pytest.mark.parametrize("length", [1.0, 8.0])
def test_one_cell_bends_exactly(cell, plane, length):
    """Pure bending of a rectangular bar by the curvature k, at its corners
    u = k x y, v = -k (x^2 + nu (y^2 - z^2))/2, w = -nu k y z: the energy is E I k^2 L/2 whatever
    the cell's slenderness; without modes far more."""
    nu, E, k, h = 0.3, 2e11, 1e-3, 0.1
    mesh = meshes.block(
        (length * h, h) if plane else (length * h, h, 2 * h), (1,) * (2 + (not plane))
    )
    material = fc.StVenantKirchhoff(E=E, nu=nu, rho=7800)
    x, y, z = mesh.points.T
    z = z if not plane else 0 * z
    bent = k * np.column_stack([x * y, -(x**2 + nu * (y**2 - z**2)) / 2, -nu * y * z])
    energies = []
    for modes in (True, False):
        system, solid, _ = assembled(mesh, material, plane, modes)
        d = solid.dimension
        if modes or plane:
            K = stiffness(system, solid)
        else:
            state = system.state
            K = np.zeros((state.size, state.size))
            np.add.at(K, (state.problem.coo_rows, state.problem.coo_cols), state.tangent(0.0, 0.0))
            u, _ = numbers(system, solid)
            K = K[np.ix_(u.ravel(), u.ravel())]
        q = bent[:, :d].ravel()
        energies.append(q @ K @ q / 2)
    width = 1.0 if plane else 2 * h
    exact = E * width * h**3 / 12 * k**2 * length * h / 2
    assert energies[0] == pytest.approx(exact, rel=1e-9)
    assert energies[1] > 1.3 * exact


@pytest.mark.parametrize(("cell", "plane"), CELLS)
def test_tangent_and_rotation(cell, plane):
    """Central differences of a strained, turned state; the energy does not see a rotation of
    displacements and modes."""
    d = 2 if plane else 3
    system, solid, state = assembled(distorted(d, 2, 0.2), RUBBER, plane)
    u, inner = numbers(system, solid)
    state.q[: state.size] = 0.01 * np.random.default_rng(1).standard_normal(state.size)
    state.q[inner] /= 3  # the parabolas are steep
    assert max(tangent_errors(state, step=1e-6).values()) < 1e-6
    system.channels.read()
    before = system.channels["energy.strain"]
    angle = 2.0
    R = np.eye(3)
    R[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    R = R[:d, :d]
    places = solid.nodes[:, :d]
    state.q[u] = (places + state.q[u]) @ R.T - places
    modes = inner[-len(solid.cells) * d * d :].reshape(-1, d)
    state.q[modes] = state.q[modes] @ R.T
    system.channels.read()
    assert system.channels["energy.strain"] == pytest.approx(before, rel=1e-10)


def cantilever(cells, modes, distort=0.0, height=0.1, **options):
    """Tip's sag of a cantilever of 1 m under a force, by Timoshenko's."""
    steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
    mesh = meshes.block((1.0, height, height), cells, center=(0.5, 0, 0))
    if distort:  # cells lean to and fro
        points = mesh.points.copy()
        inside = (points[:, 0] > 1e-9) & (points[:, 0] < 1 - 1e-9)
        lean = np.cos(np.pi * points[:, 0] * cells[0]) * points[:, 1] / height
        points[:, 0] += inside * distort * lean / cells[0]
        mesh = replace(mesh, points=points)
    system = fc.System(gravity=(0, 0, 0))
    options = {"degree": 1} | options
    solid = fc.Solid(mesh, steel, incompatible_modes=modes, clamped="x0", **options)
    system.add(solid)
    system.add(fc.Traction(solid.facets("x1"), (0, -1e4 / height**2, 0)))
    system.add(fc.Probe(solid.at((1.0, height / 2, height / 2)), name="tip"))
    sag = height / 2 - fc.Statics(system).solve()["tip.y"][-1]
    bending = 1e4 / (3 * 2e11 * height**4 / 12)
    return sag / (bending + 1e4 / (5 / 6 * steel.mu * height**2))


def test_slender_cantilever():
    """One layer of cubes sags as far as Timoshenko's beam (2 % less for the clamp, which hinders
    contraction); without modes two thirds of it. Cells that lean by a fifth of their length to and
    fro, trapezes, lock a little (MacNeal 1987: no such element passes both tests)."""
    assert cantilever((10, 1, 1), True) == pytest.approx(1.0, abs=0.02)
    assert cantilever((10, 1, 1), True, distort=0.2) == pytest.approx(0.91, abs=0.01)
    assert cantilever((10, 1, 1), False) == pytest.approx(0.643, abs=1e-3)


@pytest.mark.parametrize("state", ["plane_strain", "plane_stress"])
def test_condensed(state):
    """All responses of a linear body are the body, its modes included."""
    law, tips = fc.LinearElastic(E=2e11, nu=0.3, rho=7800), []
    for kind, options in ((fc.Solid, {}), (fc.CondensedSolid, {"facets": "x1"})):
        system = fc.System(gravity=(0, 0, 0))
        body = kind(
            meshes.block((1, 0.1), (8, 1)), law, incompatible_modes=True, clamped="x0",
            state=state, **options,
        )  # fmt: skip
        system.add(body)
        system.add(fc.Traction(body.facets("x1"), (1e5, -1e6, 0)))
        fc.Statics(system).solve()
        tips.append(body.at_nodes(system.state.everything(system.state.q)))
    assert tips[1] == pytest.approx(tips[0], abs=1e-9 * np.abs(tips[0]).max())


def test_frequencies():
    """First bending frequencies of a cantilever, Euler and Bernoulli's 1.8751^2 sqrt(E I/m)/L^2,
    less 0.5 % for shear and rotary inertia at a slenderness of 20 (Timoshenko)."""
    cork = fc.StVenantKirchhoff(E=1e9, nu=0.0, rho=1000)
    mesh = meshes.block((1.0, 0.05, 0.05), (16, 1, 1))
    system = fc.System(gravity=(0, 0, 0))
    system.add(fc.Solid(mesh, cork, degree=1, incompatible_modes=True, clamped="x0"))
    found = fc.eigenmodes(system, 2).angular_frequencies
    exact = 1.8751041**2 * np.sqrt(1e9 * 0.05**2 / 12 / 1000)
    assert found == pytest.approx([0.995 * exact] * 2, rel=5e-3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"degree": 2}, "those of quadrilaterals and hexahedra of degree 1"),
        ({"damping": fc.Damping(1e-3)}, "damping has no retardation"),
    ],
)
def test_bad_input(options, words):
    mesh = meshes.block((1, 1, 1), (1, 1, 1))
    with pytest.raises(fc.InputError, match=words):
        fc.Solid(mesh, RUBBER, incompatible_modes=True, **options)
    with pytest.raises(fc.InputError, match="those of quadrilaterals"):
        fc.Solid(meshes.simplices(mesh), RUBBER, incompatible_modes=True)


# --- degrees ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("make", "options", "degree"),
    [
        (lambda m: m, {}, 2),
        (meshes.simplices, {}, 2),
        (lambda m: m, {"lumped": True}, 2),
        (meshes.simplices, {"lumped": True}, 1),
        (lambda m: m, {"incompatible_modes": True}, 1),
        (lambda m: m, {"degree": 1}, 1),
    ],
)
def test_default_degree(make, options, degree):
    mesh = make(meshes.block((1, 1, 1), (2, 1, 1)))
    assert fc.Solid(mesh, RUBBER, **options).degree == degree


def test_default_bends_as_timoshenko_says():
    """Ten cells along, one across, without any option."""
    assert cantilever((10, 1, 1), False, degree=None) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("size", "cells", "said"),
    [
        ((10, 1, 1), (10, 1, 1), True), ((10, 1, 1), (30, 3, 3), True), ((10, 1), (10, 1), True),
        ((10, 10, 1), (5, 5, 1), True), ((10, 1, 1), (40, 4, 4), False),
        ((1, 1, 1), (2, 2, 2), False), ((3, 1, 1), (3, 1, 1), False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("make", [lambda m: m, meshes.simplices])
def test_thin_bodies_of_degree_1_say_so(size, cells, said, make, caplog):
    mesh = make(meshes.block(size, cells))
    state = {"state": "plane_strain"} if len(size) == 2 else {}
    fc.Solid(mesh, RUBBER, degree=1, name="strip", **state)
    assert ("strip: this body is thin" in caplog.text) == said
    if said:
        assert "use degree=2" in caplog.text
        whole = mesh.cell in ("quadrilateral", "hexahedron")
        assert ("incompatible_modes=True" in caplog.text) == whole
    caplog.clear()
    fc.Solid(mesh, RUBBER, **state)
    assert not caplog.text


def test_thin_rings(caplog):
    """A thin wall bends too, however round it is; a thick one does not."""
    for rim, said in ((0.055, True), (0.1, False)):
        caplog.clear()
        ring = meshes.hollow_cylinder(0.05, rim, 0.2, (24, 2, 4), degree=1)
        fc.Solid(ring, RUBBER, degree=1, clamped="rim")
        assert ("this body is thin" in caplog.text) == said
