"""Clearance joints on attachments: the bore's middle and the solid's material are found."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.bodies.solids.round_facets import fitted

STEEL = fc.StVenantKirchhoff(2.07e11, 0.3, 7800)
BRONZE = fc.LinearElastic(1.1e11, 0.34, 8800)
TURN = Rotation.from_rotvec((0.3, -0.7, 0.2)).as_matrix()
PLACE = np.array([0.4, -0.1, 0.2])
AXIS = TURN @ (0, 0, 1)


def lug(degree=2, material=BRONZE, **where):
    """A ring somewhere in space, with further facet sets by places in its own axes."""
    ring = meshes.hollow_cylinder(0.02, 0.04, 0.03, (12, 2, 2), degree=degree)
    return fc.Solid(ring.marked(**where).moved(PLACE, TURN), material, name="lug", free=True)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("facets", ["bore", "rim", "half"])
def test_middle_of_a_bore(degree, facets):
    """Also of half a bore, whose area has its centre elsewhere, and of a polygon."""
    solid = lug(degree, half=lambda x: (np.hypot(x[:, 0], x[:, 1]) < 0.021) & (x[:, 0] > 1e-3))
    found = fitted(solid.facets(facets))
    assert found.radius == pytest.approx(0.04 if facets == "rim" else 0.02, rel=1e-3)
    assert abs(found.axis @ AXIS) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(found.center, PLACE, atol=1e-9)
    if facets == "half":
        assert np.linalg.norm(solid.facets("half").center - PLACE) > 0.01


def test_facets_that_are_not_round():
    assert fitted(lug().facets("z1")) is None
    block = fc.Solid(meshes.block((1, 1, 1), (2, 2, 2)).marked(
        two=lambda x: (x[:, 0] > 0.4) | (x[:, 1] > 0.4)), STEEL)  # fmt: skip
    assert fitted(block.facets("two")) is None


def test_plane_ring():
    ring = meshes.hollow_cylinder(0.02, 0.04, 1.0, (12, 2), degree=2).moved((0.1, 0.2, 0))
    found = fitted(fc.Solid(ring, STEEL, thickness=0.01, state="plane_strain").facets("bore"))
    np.testing.assert_allclose(found.center, (0.1, 0.2, 0), atol=1e-6)
    np.testing.assert_allclose(np.abs(found.axis), (0, 0, 1), atol=1e-9)


def joined(given, system, pin, **options):
    return fc.RevoluteClearance(
        given, pin, AXIS, bearing_radius=0.02, journal_radius=0.0199, length=0.03, **options
    )


def test_clearance_joint_on_an_attachment():
    """Frame in the middle of the half bore, material of the lug: E* of bronze and steel."""
    system = fc.System()
    solid = system.add(lug(half=lambda x: (np.hypot(x[:, 0], x[:, 1]) < 0.021) & (x[:, 0] > 1e-3)))
    held = system.add(fc.Attachment(solid.facets("half"), name="held"))
    pin = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=PLACE, name="pin"))
    joint = joined(held, system, pin.center, materials=None)
    np.testing.assert_allclose(joint.i.position, PLACE, atol=1e-9)
    assert joint.i.body is held.own and joint.contact.materials == (BRONZE, None)
    by_frame = joined(held.at(PLACE), system, pin.center)
    assert by_frame.contact.materials == (BRONZE, None)
    held_by_pin = fc.Attachment(solid.facets("rim"), pin, name="rim")
    assert joined(held_by_pin, system, system.ground).contact.materials == (BRONZE, None)
    modulus = 1 / ((1 - 0.34**2) / 1.1e11 + (1 - 0.3**2) / 2.07e11)
    both = joined(held, system, pin.center, materials=(BRONZE, STEEL))
    assert both.contact.modulus == pytest.approx(modulus)
    flat = fc.Attachment(solid.facets("z1"), name="flat")
    with pytest.raises(fc.InputError, match="flat: the facets 'z1' lie on no cylinder and no sph"):
        joined(flat, system, pin.center)


def test_prismatic_joint_of_two_bodies():
    """A block on a rail: it slides by g t^2 / 2 sin, and no frame need be given."""
    system = fc.System(gravity=(0, -9.81, 0))
    block = system.add(fc.RigidBody(1.0, (1e-2,) * 3, position=(0.3, 0.2, 0), name="block"))
    rail = np.array([1.0, -1.0, 0]) / np.sqrt(2)
    joint = system.add(fc.PrismaticJoint(system.ground, block, axis=rail, name="rail"))
    np.testing.assert_allclose(joint.i.position, block.position)
    run = fc.Simulation(system, dt=1e-2, t_end=0.5, progress=False).run()
    assert run["block.x"][-1] - 0.3 == pytest.approx(9.81 / 2 * 0.5 * 0.25, rel=1e-3)
