"""Mass, centre and inertia of shapes, meshes, surfaces, discs and points; masses on frames."""

import numpy as np
import pytest
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance import MassProperties, meshes, shapes

pyvista = pytest.importorskip("pyvista")

RHO = 7850.0
SIZE = np.array([0.3, 0.2, 0.1])
CENTER = np.array([1.0, -2.0, 0.5])
MASS = RHO * SIZE.prod()
#: of a block: m (b^2 + c^2) / 12
BLOCK = MASS / 12 * np.diag((SIZE**2).sum() - SIZE**2)


def close(found: MassProperties, mass, center, inertia, tolerance=1e-12):
    assert found.mass == pytest.approx(mass, rel=tolerance)
    np.testing.assert_allclose(found.center, center, atol=tolerance * 3)
    np.testing.assert_allclose(found.inertia, inertia, atol=tolerance * np.abs(inertia).max() * 10)


def block(scale=1.0):
    low, high = (CENTER - SIZE / 2) * scale, (CENTER + SIZE / 2) * scale
    return pyvista.Box(np.stack([low, high], axis=1).ravel())


def test_mesh_of_a_block():
    mesh = meshes.block(SIZE, (3, 2, 2), center=CENTER)
    close(MassProperties.of_mesh(mesh, RHO), MASS, CENTER, BLOCK)


def test_closed_surface_of_a_block(tmp_path):
    close(MassProperties.of_mesh(block(), RHO), MASS, CENTER, BLOCK, 1e-6)  # of single precision
    block(1e3).triangulate().save(tmp_path / "block.stl")  # in mm; STL holds seven digits
    found = MassProperties.of_mesh(tmp_path / "block.stl", RHO, scale=1e-3)
    close(found, MASS, CENTER, BLOCK, 1e-5)


def test_surface_of_a_ball():
    """Of a fine polyhedron in a sphere: 2/5 m r^2 but for the chords."""
    found = MassProperties.of_mesh(pyvista.Icosphere(radius=0.1, nsub=5), RHO)
    assert found.mass == pytest.approx(RHO * 4 / 3 * np.pi * 1e-3, rel=2e-3)
    moment = 0.4 * found.mass * 0.1**2
    np.testing.assert_allclose(found.inertia, moment * np.eye(3), atol=3e-3 * moment)


def test_surfaces_that_enclose_nothing():
    sheet = pyvista.Plane().triangulate()
    with pytest.raises(fc.InputError, match="is not closed"):
        MassProperties.of_mesh(sheet, RHO)
    turned = block().triangulate()
    turned.flip_faces(inplace=True)
    with pytest.raises(fc.InputError, match="flat or turned inside out"):
        MassProperties.of_mesh(turned, RHO)
    with pytest.raises(fc.InputError, match="needs a meshes.Mesh, a closed surface .* got 3"):
        MassProperties.of_mesh(3, RHO)
    with pytest.raises(fc.InputError, match="there is no file no.stl"):
        MassProperties.of_mesh("no.stl", RHO)


def test_plane_mesh():
    mesh = meshes.block((0.3, 0.2), (3, 2))
    found = MassProperties.of_mesh(mesh, RHO, thickness=0.1)
    assert found.mass == pytest.approx(MASS)
    np.testing.assert_allclose(found.inertia, BLOCK, atol=1e-12)
    with pytest.raises(fc.InputError, match="needs a thickness"):
        MassProperties.of_mesh(mesh, RHO)


def test_shape_with_its_axes():
    """A rod along y: the first axis of the cylinder lies there."""
    axes = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    rod = MassProperties.of_shape(shapes.Cylinder(0.01, 1.0), RHO, CENTER, axes)
    m = RHO * np.pi * 1e-4
    across = m * (3e-4 + 1) / 12
    close(rod, m, CENTER, np.diag([across, m * 1e-4 / 2, across]))


def test_sum_of_two_halves_is_the_whole():
    half = np.array([0.15, 0.2, 0.1])
    inertia = MASS / 24 * np.diag((half**2).sum() - half**2)
    left, right = (MassProperties(MASS / 2, CENTER + (x, 0, 0), inertia) for x in (-0.075, 0.075))
    close(left + right, MASS, CENTER, BLOCK)


def test_two_points_make_a_dumb_bell():
    """Reduced mass times distance squared: 2 kg and 3 kg, 0.5 m apart."""
    pair = MassProperties(2.0) + MassProperties(3.0, (0.5, 0, 0))
    close(pair, 5.0, (0.3, 0, 0), np.diag([0, 1.2 * 0.25, 1.2 * 0.25]))
    with pytest.raises(fc.InputError, match="moments of inertia must be positive"):
        fc.RigidBody.of(pair, name="dumb-bell")


def test_unbalance_pulls_on_the_bearings():
    """A disc that turns evenly about its shaft: the bearing holds U omega^2 = 2e-3 x 200^2 N."""
    omega, U = 200.0, 2e-3
    disc = MassProperties.disc(4.0, 0.1, 0.02, (0, 0, 1), unbalance=(U, 0, 0))
    np.testing.assert_allclose(disc.center, [U / 4.0, 0, 0])
    assert disc.inertia[2, 2] == pytest.approx(4.0 * 0.01 / 2)
    system = fc.System(gravity=(0, 0, 0))
    rotor = system.add(
        fc.RigidBody.of(
            disc, name="rotor", angular_velocity=(0, 0, omega), velocity=(0, omega * U / 4.0, 0)
        )
    )
    system.add(fc.RevoluteJoint(system.ground, rotor.at((0, 0, 0)), axis=(0, 0, 1), name="bearing"))
    run = fc.Simulation(system, dt=1e-5, t_end=1e-3, progress=False).run()
    force = np.hypot(run["bearing.reaction.x"], run["bearing.reaction.y"])
    np.testing.assert_allclose(force, U * omega**2, rtol=1e-5)
    with pytest.raises(fc.InputError, match="across the axis"):
        MassProperties.disc(4.0, 0.1, 0.02, (0, 0, 1), unbalance=(0, 0, U))


def pendulum(tip, inertia=None):
    """A rod of 1 m with a mass on its end: as one body, or as two."""
    rod = MassProperties(2.0, (0.5, 0, 0), (1e-3, 1 / 6, 1 / 6))
    weight = MassProperties(0.5, (1.0, 0, 0), (0, 0, 0) if inertia is None else inertia)
    system = fc.System(gravity=(0, -9.81, 0))
    spin = np.array([0.3, 1.0, 0.5])
    parts = (rod,) if tip else (rod, weight)
    center = rod.center if tip else (rod + weight).center
    body = system.add(
        fc.RigidBody.of(*parts, name="rod", angular_velocity=spin, velocity=np.cross(spin, center))
    )
    if tip:
        system.add(fc.PointMass(body.at((1, 0, 0)), 0.5, inertia, name="tip"))
    system.add(fc.SphericalJoint(system.ground, body.at((0, 0, 0)), name="pivot"))
    system.add(fc.Probe(body.at((1, 0, 0)), name="end"))
    return fc.Simulation(system, dt=1e-3, t_end=0.5, newton_tolerance=1e-11, progress=False).run()


@pytest.mark.parametrize("inertia", [None, (0.01, 0.02, 0.025)])
def test_a_mass_on_a_body_is_part_of_it(inertia):
    """The same motion, energies and reaction as of one body with both masses."""
    one, two = pendulum(False, inertia), pendulum(True, inertia)
    for name in ("end.x", "end.y", "end.z", "energy.kinetic", "pivot.reaction.y"):
        scale = np.abs(one[name]).max()
        np.testing.assert_allclose(two[name], one[name], atol=2e-7 * scale, err_msg=name)
    fall = two["energy.potential"] - two["energy.potential"][0]
    change = two["energy.kinetic"] + fall - two["energy.kinetic"][0]
    assert np.abs(change).max() < 1e-4 * two["energy.kinetic"].max()


def test_a_mass_on_a_beam():
    """First bending frequency of a cantilever whose tip bears as much as it weighs itself (Blevins,
    Formulas for natural frequency and mode shape, 1979, table 8-8): the root of
    1 + cosh l cos l + l (cos l sinh l - sin l cosh l) = 0."""
    steel, section, L = fc.StVenantKirchhoff(2.1e11, 0.3, 7850), fc.Rectangle(0.01, 0.01), 1.0
    weight = 7850 * 1e-4 * L
    system = fc.System()
    beam = system.add(fc.Beam((0, 0, 0), (L, 0, 0), section, steel, elements=10, name="beam"))
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.PointMass(beam.end, weight))
    lam = brentq(
        lambda z: 1 + np.cosh(z) * np.cos(z)
        + z * (np.cos(z) * np.sinh(z) - np.sin(z) * np.cosh(z)), 1.0, 1.5
    )  # fmt: skip
    assert lam == pytest.approx(1.24792, abs=1e-5)
    EI = 2.1e11 * 1e-8 / 12
    f = lam**2 / (2 * np.pi) * np.sqrt(EI / (weight * L**3))
    assert fc.eigenmodes(system, 1).frequencies[0] == pytest.approx(f, rel=2e-3)


def test_mistakes():
    body = fc.RigidBody(1.0, (1, 1, 1), name="body")
    with pytest.raises(fc.InputError, match="RigidBody.of takes MassProperties, got"):
        fc.RigidBody.of(3.0)
    with pytest.raises(fc.InputError, match="point mass: mass must be positive"):
        fc.PointMass(body.center, -1.0)
    with pytest.raises(fc.InputError, match="needs a frame, such as"):
        fc.PointMass("tip", 1.0)
    with pytest.raises(fc.InputError, match="of_shape needs a shape such as"):
        MassProperties.of_shape("box", RHO)
