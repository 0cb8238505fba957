"""Cylindrical clearance joints and thrust faces: forces on both bodies by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

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
    check_apart,
    check_load,
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


class Tilted:
    """A short journal in space, a line between two points that the bearing's ends may cut off; it
    may be shifted and turned about its centre from where it is, and both bodies go on moving for a
    time ``t``."""

    def __init__(self, found, half):
        self.found, self.half = found, half
        self.motion = [
            (*found.carried(body, P), found.pose(body)[3], found.direction(body, AXIS))
            for body in (found.a, found.b)
        ]

    def segment(self, shift=(0, 0, 0), turn=(0, 0, 0), t=0.0):
        """Bearing's centre and axis, journal's axis; where the journal begins and ends in the
        bearing, two points of its axis."""
        (ri, k), (rj, b) = (
            (r + t * v, Rotation.from_rotvec(t * spin).apply(axis))
            for r, v, spin, axis in self.motion
        )
        rj, b = rj + shift, Rotation.from_rotvec(turn).apply(b)
        ends = [rj - self.half * b, rj + self.half * b]
        places = np.array([(z - ri) @ k for z in ends])
        low, high = np.clip(places, -0.015, 0.015)
        share = (np.array([low, high]) - places[0]) / (places[1] - places[0])
        return ri, k, b, *(ends[0] + z * (ends[1] - ends[0]) for z in share)

    def at(self, **moved):
        """Depths at the stations and the length of journal in the bearing, along the bearing's
        axis; directions, and the stations' points of the journal's axis."""
        ri, k, _, first, last = self.segment(**moved)
        points = [first + (1 + x) / 2 * (last - first) for x in lobatto(9)[0]]
        radial = np.array([z - ri - (z - ri) @ k * k for z in points])
        distance = np.linalg.norm(radial, axis=1)
        return distance - 1e-3, (last - first) @ k, radial / distance[:, None], np.array(points)

    def slopes(self, name, direction, h=1e-6):
        """Of the depths and of the length, when the journal is shifted or turned, or by time."""
        ahead, behind = (self.at(**{name: s * np.asarray(direction)})[:2] for s in (h, -h))
        return [(x - y) / (2 * h) for x, y in zip(ahead, behind, strict=True)]


@pytest.mark.parametrize("friction", [False, True])
@pytest.mark.parametrize(("along", "inside"), [(0.001, 2), (0.011, 1), (-0.012, 1)])
def test_tilted_journal_shorter_than_its_bearing(along, inside, friction):
    """Virtual work: the law's force at the stations, which move with the journal's ends, on their
    depths, and the energy a length on the length in the bearing; both by differences of the ends in
    space. Lengths along the bearing's axis are those of the journal by the cosine of the tilt."""
    found = cylindrical((0.09, -0.14, 0.06), along * AXIS + (2e-4, -4e-4, 1e-4),
                        journal_length=0.022, **(COULOMB if friction else {}))  # fmt: skip
    tilted = Tilted(found, 0.011)
    depth, length, n, points = tilted.at()
    ri, k, b, first, last = tilted.segment()
    places = [(z - ri) @ k for z in (first, last)]
    assert sum(abs(abs(z) - 0.015) > 1e-9 for z in places) == inside
    assert b @ k < 0.987
    touching, share = depth > 0, lobatto(9)[1] / 2 * length / 0.03
    assert 2 < touching.sum() < 9
    rate, _ = tilted.slopes("t", 1.0)
    law = np.array([normal_size(d, r) if d > 0 else 0 for d, r in zip(depth, rate, strict=True)])
    stored = 1e8 * np.maximum(depth, 0) ** 2.5 / 2.5
    slopes = [[tilted.slopes(name, x) for x in np.eye(3)] for name in ("shift", "turn")]
    wrench = -np.array([
        [share @ (law * deeper + stored * longer / length) for deeper, longer in of]
        for of in slopes
    ])  # fmt: skip
    gradient = np.transpose([deeper for deeper, _ in slopes[0]])
    (_, vi, spin_i, _), (rj, vj, spin_j, _) = tilted.motion
    lost = 0.0
    for m in np.flatnonzero(touching if friction else []):
        arm = points[m] + (0.019 - depth[m] / 2) * n[m] - rj
        sliding = vj + np.cross(spin_j, arm) - vi - np.cross(spin_i, rj + arm - ri)
        normal = gradient[m] / np.linalg.norm(gradient[m])
        sliding = sliding - sliding @ normal * normal
        drag = -share[m] * law[m] * smooth(sliding)
        wrench += drag, np.cross(arm, drag)
        lost -= drag @ sliding
    found.check(rj, *wrench, rel=1e-6)
    see = found.channels
    check_load(found, *wrench, rel=1e-6)
    np.testing.assert_allclose([see[f"c.e{x}"] for x in "xyz"], rj - ri)
    assert see["c.overlap"] == pytest.approx(length)
    assert see["c.contacts"] == touching.sum()
    assert see["c.normal_force"] == pytest.approx(share @ law, rel=1e-6)
    assert see["c.friction_loss"] == pytest.approx(lost, rel=1e-6)
    assert see["energy.contact"] == pytest.approx(share @ stored)
    assert see["c.penetration"] == pytest.approx(depth.max())
    middle = rj + (ri - rj) @ k / (b @ k) * b
    assert see["c.eccentricity"] == pytest.approx(np.linalg.norm(middle - ri))


@pytest.mark.parametrize("way", [0.0, 0.04])
def test_journal_that_does_not_touch(way):
    """In the bearing within the clearance, tilted; and beyond its end, farther off the axis than
    the clearance."""
    faces = fc.Thrust(play=0.2, radius=0.025, stiffness=3e6, **COULOMB)
    tilt, across = (0.01, -0.02, 0.02), np.cross(AXIS, (0, 0.6, -0.8))
    found = cylindrical(tilt, way * AXIS + (2e-3 if way else 3e-4) * across,
                        journal_length=0.02, thrust=faces, **COULOMB)  # fmt: skip
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    (ri, _), (rj, _) = (found.carried(body, P) for body in (found.a, found.b))
    inside = min(0.015, (rj - ri) @ k + 0.01 * b @ k) - max(-0.015, (rj - ri) @ k - 0.01 * b @ k)
    assert found.channels["c.overlap"] == pytest.approx(max(inside, 0.0), abs=1e-15)
    check_apart(found)


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
