"""Cylindrical clearance joints and thrust faces: forces on both bodies by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc

from ..forces import TURN, Bench
from .states import (
    AXIS,
    COMMON,
    COULOMB,
    MOTION_A,
    MOTION_B,
    SIZES,
    P,
    in_plane,
    normal_size,
    smooth,
)  # fmt: skip

STEEL = SimpleNamespace(E=2.07e11, nu=0.3)


def cylindrical(tilt, shift=(0, 0, 0), **options):
    """A bearing and a journal whose axes differ by a small turn."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.CylindricalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                      normal=fc.LankaraniNikravesh(), **SIZES, **COMMON, **options)
    )  # fmt: skip
    found.assemble()
    found.move(found.a, **MOTION_A)
    found.move(found.b, turn=tilt, **MOTION_B)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    found.move(found.b, back + shift, tilt, **MOTION_B)
    return found


def lobatto(count):
    """Nodes and weights (sum 2) from the eigenvalues of the Jacobi matrix of the inner nodes."""
    k = np.arange(1, count - 2)
    inner = np.sqrt(k * (k + 2) / ((2 * k + 1) * (2 * k + 3)))
    x = np.r_[-1, np.linalg.eigvalsh(np.diag(inner, 1) + np.diag(inner, -1)), 1]
    return x, np.linalg.solve(np.vander(x, increasing=True).T,
                              [(1 - (-1) ** (m + 1)) / (m + 1) for m in range(count)])  # fmt: skip


def stations(found, friction, low=-0.015, high=0.015, length=0.03, weights=None):
    """Force and moment about the bearing's centre on the journal, and friction's power: the law's
    force a length at each station, across the journal's axis."""
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    x, w = lobatto(9)
    force, moment, power, touching = np.zeros(3), np.zeros(3), 0.0, 0
    for z, share in zip((low + high) / 2 + x * (high - low) / 2, w / 2, strict=True):
        along = (z - (rj - ri) @ k) / (b @ k)
        point = rj + along * b  # on the journal's axis, in the bearing's plane at z
        radial = point - ri - z * k
        distance = np.linalg.norm(radial)
        n, depth = radial / distance, distance - 1e-3
        if depth <= 0:
            continue
        touching += 1
        g = n - n @ b / (b @ k) * k  # gradient of the depth by the journal's centre: across b
        # rate of the depth at a fixed z of the bearing
        on_axis = vj + np.cross(spin_j, along * b) - vi - np.cross(spin_i, point - ri)
        size = share * (high - low) / length * normal_size(depth, g @ on_axis)
        pull = -size * g
        if friction:
            arm = along * b + (0.019 - depth / 2) * n
            at_j = vj + np.cross(spin_j, arm)
            at_i = vi + np.cross(spin_i, rj + arm - ri)
            normal = g / np.linalg.norm(g)
            sliding = at_j - at_i - normal @ (at_j - at_i) * normal
            drag = -size * smooth(sliding)
            pull = pull + drag
            moment += np.cross(rj + arm - point, drag)
            power -= drag @ sliding
        force += pull
        moment += np.cross(point - ri, pull)
    return force, moment, power, touching, ri


#: so that the axes cross inside the bearing: some stations touch on one side, some on the other
TILT, AWAY = (0.05, -0.08, 0.06), (2e-4, -3e-4, 5e-4)


@pytest.mark.parametrize("friction", [False, True])
def test_cylindrical_clearance(friction):
    """Stations of a tilted journal without ends."""
    found = cylindrical(TILT, AWAY, **(COULOMB if friction else {}))
    force, moment, power, touching, ri = stations(found, friction)
    assert 2 < touching < 9
    found.check(ri, force, moment, rel=1e-7)
    see = found.channels
    assert see["c.contacts"] == touching
    assert see["c.friction_loss"] == pytest.approx(power)
    np.testing.assert_allclose([see[f"c.f{x}"] for x in "xyz"], force, rtol=1e-7)
    rj = found.carried(found.b, P)[0]
    about = moment - np.cross(rj - ri, force)
    np.testing.assert_allclose(
        [see[f"c.m{x}"] for x in "xyz"], about, atol=1e-7 * np.abs(moment).max()
    )
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    assert see["c.tilt"] == pytest.approx(np.arccos(k @ b))
    assert see["c.shift"] == pytest.approx((rj - ri) @ k)
    assert see["c.overlap"] == pytest.approx(0.03)


def test_journal_that_ends_inside():
    """An aligned journal that has slid out by half: half the force over half the length, and along
    the axis the stated energy a length, by which energy is kept while it slides out."""
    found = cylindrical((0, 0, 0), 0.02 * AXIS + 1.4e-3 * np.cross(AXIS, (0, 0.6, -0.8)),
                        journal_length=0.04)  # fmt: skip
    k, n, e, ri, vi, rj, vj = in_plane(found)
    depth, low, high = e - 1e-3, 0.0, 0.015  # from the journal's end to the bearing's
    force, _, _, _, _ = stations(found, False, low, high)
    assert force @ k == pytest.approx(0, abs=1e-9 * np.linalg.norm(force))
    stored = 1e8 * depth**2.5 / 2.5
    rows = found.wrench(found.b, rj)[0]
    np.testing.assert_allclose(rows - rows @ k * k, force, rtol=1e-7)
    # the length in contact grows as the journal moves in, against the axis
    assert rows @ k == pytest.approx(stored / 0.03, rel=1e-6)
    assert found.channels["energy.contact"] == pytest.approx(stored / 2, rel=1e-6)
    assert found.channels["c.overlap"] == pytest.approx(0.015)


def test_thrust_faces():
    """A collar presses on points of a ring: an even share of the law's force at each, along the
    journal's axis at the ring's points."""
    faces = fc.Thrust(play=1e-3, radius=0.025, stiffness=3e6, friction=fc.SmoothCoulomb(0.2, 0.3),
                      points=6)  # fmt: skip
    found = cylindrical((0.004, -0.006, 0.003), -6e-4 * AXIS, thrust=faces)
    b = found.direction(found.b, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    axes = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    force, moment, touching = np.zeros(3), np.zeros(3), 0
    for side in (-1, 1):
        for angle in np.arange(6) * np.pi / 3:
            ring = ri + axes @ (0.025 * np.cos(angle), 0.025 * np.sin(angle), side * 0.015)
            out = ring - rj
            depth = side * out @ b - (0.015 + 0.5e-3)
            if depth <= 0:
                continue
            touching += 1
            relative = vi + np.cross(spin_i, ring - ri) - vj - np.cross(spin_j, ring - rj)
            rate = side * b @ relative  # of the collar's plane past a point of the bearing
            size = normal_size(depth, rate, 3e6, 1.0) / 6
            point = ring - side * depth / 2 * b  # friction midway
            slide = vj + np.cross(spin_j, point - rj) - vi - np.cross(spin_i, point - ri)
            slide = slide - slide @ b * b
            drag = -size * smooth(slide)
            force += size * side * b + drag
            moment += np.cross(ring - ri, size * side * b) + np.cross(point - ri, drag)
    assert 0 < touching < 6
    found.check(ri, force, moment, rel=1e-7)
    np.testing.assert_allclose([found.channels[f"c.thrust.f{x}"] for x in "xyz"], force, rtol=1e-7)


def test_stiffness_of_thrust_faces():
    """A rigid circular punch on an elastic half space: 2 E* a."""
    found = Bench(material=STEEL)
    joint = fc.CylindricalClearance(found.a.center, found.b.center, (0, 0, 1), **SIZES,
                                    thrust=fc.Thrust(play=1e-3, radius=0.025))  # fmt: skip
    alone = 2.07e11 / (2 * (1 - 0.09))
    assert joint.faces["normal.K"] == pytest.approx(2 * alone * 0.025)
