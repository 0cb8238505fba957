"""Blocks of unknowns with a role: who owns them is said, never read out of a name."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.extend import (
    DIRECTIONS,
    DISPLACEMENTS,
    INTERNAL,
    PLACES,
    ROTATION,
    TRANSLATION,
    Algebraic,
    Block,
    Condensed,
    Coordinate,
    Internal,
    Multiplier,
    multipliers,
)  # fmt: skip


def test_orders_and_classes():
    blocks = {
        Block("b", "r", np.zeros(3)): (2, TRANSLATION, None),
        Block("b", "d", np.zeros(9), Coordinate(ROTATION)): (2, ROTATION, None),
        Block("b", "u", np.zeros(3), Coordinate(massless=True)): (0, TRANSLATION, None),
        Block("j", "z", np.zeros(1), Internal()): (1, INTERNAL, None),
        Block("j", "p", np.zeros(1), Algebraic("film")): (0, "film", None),
        multipliers("j", "force", 3): (0, TRANSLATION, "j"),
        Block("b", "lam", np.zeros(6), Multiplier(of="b: orthonormality")):
            (0, TRANSLATION, "b: orthonormality"),
    }  # fmt: skip
    for block, expected in blocks.items():
        assert (block.role.order, block.role.quantity, block.constraint) == expected


def test_condensed_values_are_no_unknowns():
    master = Block("s", "amplitude", np.zeros(2))
    slave = Block("s", "u", np.zeros(3), Condensed(master=master, matrix=np.ones((3, 2))))
    assert master.free.all() and not slave.free.any()


def test_a_role_is_an_object():
    with pytest.raises(TypeError, match=r"role must be such as Coordinate\(\) or Multiplier\(\)"):
        Block("b", "r", np.zeros(3), "coordinate")


def test_arms_with_names_in_two_parts_share_no_energy():
    """Two pendulums that nothing couples: of each mode all energy is in one; their names began with
    the same part, and both were taken for one body ``arm``."""
    system = fc.System(gravity=(0, -9.81, 0))
    for name, length in (("arm.1", 0.5), ("arm.2", 1.0)):
        arm = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(0, -length, 0), name=name))
        system.add(fc.RevoluteJoint(system.ground, arm.at((0, 0, 0)), axis=(0, 0, 1)))
    modes = fc.eigenmodes(system, 2, at=fc.Statics(system).solve().last)
    exact = [np.sqrt(9.81 * L / (L**2 + 1e-3)) / (2 * np.pi) for L in (1.0, 0.5)]
    assert modes.frequencies == pytest.approx(exact, rel=1e-6)
    for k, name in enumerate(("arm.2", "arm.1")):
        assert modes.energies[k][name] == pytest.approx(1.0, abs=1e-9)


def test_what_three_coordinates_form():
    """Places and directors of a rigid body, displacements of a solid."""
    system = fc.System(gravity=(0, 0, 0))
    steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
    system.add(fc.RigidBody(1.0, (1, 1, 1), free=True, name="body"))
    cube = meshes.block((0.1, 0.1, 0.1), (1, 1, 1))
    system.add(fc.Solid(cube, steel, degree=1, free=True, name="cube"))
    owned = [b for b in system.blocks if b.owner != "ground"]
    vectors = {b.owner: set() for b in owned}
    for b in owned:
        vectors[b.owner] |= {b.role.vectors} if isinstance(b.role, Coordinate) else set()
    assert vectors == {"body": {PLACES, DIRECTIONS}, "cube": {DISPLACEMENTS}}
    (u,) = [b for b in system.blocks if b.owner == "cube"]
    assert sorted(map(tuple, np.round(u.places, 9))) == sorted(map(tuple, np.round(cube.points, 9)))
