"""Spherical and revolute clearance joints: forces on both bodies by hand, and where they act."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc

from ..forces import TURN, Bench
from .states import (
    AXIS,
    BRISTLES,
    CHI_LN,
    COMMON,
    COULOMB,
    FLOOR,
    MOTION_A,
    MOTION_B,
    SIZES,
    P,
    bristle_state,
    check_apart,
    check_load,
    grown,
    in_plane,
    lugre_drag,
    normal_size,
    smooth,
)  # fmt: skip


def spherical(**options):
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.SphericalClearance(found.a.at(TURN @ P), found.b.at(TURN @ P),
                                    socket_radius=0.02, ball_radius=0.019, **COMMON, **options)
    )  # fmt: skip
    found.assemble()
    found.move(found.a, (0.001, 0.0005, -0.0002), **MOTION_A)
    found.move(found.b, (0.0023, -0.0008, 0.0007), **MOTION_B)
    return found


def apart(found):
    """Centres of the joint, their velocities, direction from a's to b's, distance."""
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    e = rj - ri
    return ri, vi, rj, vj, e / np.linalg.norm(e), np.linalg.norm(e)


def test_spherical_clearance_without_friction():
    """F along the line of centres; channels of depth, energy and place."""
    found = spherical()
    ri, vi, rj, vj, n, e = apart(found)
    depth, rate = e - 1e-3, n @ (vj - vi)
    assert depth > 0
    force = normal_size(depth, rate)
    found.check(rj, -force * n)
    see = found.channels
    assert see["c.normal_force"] == pytest.approx(force)
    assert see["c.penetration"] == pytest.approx(depth)
    assert see["c.eccentricity"] == pytest.approx(e)
    assert see["energy.contact"] == pytest.approx(1e8 * depth**2.5 / 2.5)
    np.testing.assert_allclose([see[f"c.e{x}"] for x in "xyz"], rj - ri)
    check_load(found, -force * n)
    # faster than the least approach speed, either way: measured by the present rate
    for sign in (1, -1):
        velocity = sign * (TURN.T @ n) * 2
        found.move(found.b, (0.0023, -0.0008, 0.0007), velocity=velocity)
        _, vi, rj, vj, n, e = apart(found)
        assert sign * n @ (vj - vi) > FLOOR
        found.check(rj, -1e8 * (e - 1e-3) ** 1.5 * (1 + sign * CHI_LN) * n)
    found.move(found.b, (0.001, 0.0006, -0.0002), **MOTION_B)
    check_apart(found)


def test_spherical_clearance_with_friction():
    """Friction acts midway between the surfaces, against the velocity of the ball's material
    point past the socket's there (errata, "Sliding velocity")."""
    found = spherical(**COULOMB)
    ri, vi, rj, vj, n, e = apart(found)
    depth, rate = e - 1e-3, n @ (vj - vi)
    point = rj + (0.019 - depth / 2) * n
    np.testing.assert_allclose(point, ri + (0.02 + depth / 2) * n)
    at_j = vj + np.cross(found.pose(found.b)[3], point - rj)
    at_i = vi + np.cross(found.pose(found.a)[3], point - ri)
    sliding = at_j - at_i - n @ (at_j - at_i) * n
    drag = smooth(sliding)
    found.check(point, -normal_size(depth, rate) * (n + drag))
    size, speed = normal_size(depth, rate) * np.linalg.norm(drag), np.linalg.norm(sliding)
    see = found.channels
    assert see["c.friction_force"] == pytest.approx(size)
    assert see["c.sliding_speed"] == pytest.approx(speed)
    assert see["c.friction_loss"] == pytest.approx(size * speed)
    pull = -normal_size(depth, rate) * (n + drag)
    check_load(found, pull, np.cross(point - rj, pull))
    found.move(found.b, (0.001, 0.0006, -0.0002), **MOTION_B)
    check_apart(found)
    # pressed on, but at rest: no friction
    found.move(found.a)
    found.move(found.b, (0.0013, -0.0013, 0.0009))
    _, _, rj, _, n, e = apart(found)
    pull = -normal_size(e - 1e-3, 0) * n
    assert e > 1e-3
    found.check(rj, pull)
    check_load(found, pull)


def test_spherical_clearance_with_bristles():
    """LuGre's force and growth; bristles turn with the socket."""
    found = spherical(friction=fc.LuGre(0.3, 0.2, **BRISTLES))
    ri, vi, rj, vj, n, e = apart(found)
    depth, rate = e - 1e-3, n @ (vj - vi)
    point = rj + (0.019 - depth / 2) * n
    relative = vj + np.cross(found.pose(found.b)[3], point - rj)
    relative = relative - vi - np.cross(found.pose(found.a)[3], point - ri)
    sliding = relative - n @ relative * n
    at, z, change = bristle_state(found)
    axes = found.pose(found.a)[1]  # those of the socket's body
    drag = lugre_drag(axes @ z, axes @ change, n, sliding, BRISTLES)
    pull = -normal_size(depth, rate) * (n + drag)
    found.check(point, pull)
    check_load(found, pull, np.cross(point - rj, pull))
    see = found.channels
    # as much as the force takes from the sliding, though bristles may lean the other way
    lost = normal_size(depth, rate) * drag @ sliding
    assert see["c.friction_loss"] == pytest.approx(lost)
    assert see["c.friction_force"] == pytest.approx(np.linalg.norm(pull - pull @ n * n))
    assert see["c.deflection"] == pytest.approx(np.linalg.norm(z))
    growth = axes.T @ grown(axes @ z, n, sliding, BRISTLES)
    np.testing.assert_allclose(found.state.residual()[at], change - growth, rtol=1e-9)
    # parted: no force, and the bristles relax
    found.move(found.b, (0.001, 0.0006, -0.0002), **MOTION_B)
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at], change + 2e3 / 0.4 * z, rtol=1e-9)
    np.testing.assert_allclose(found.wrench(found.b, point), 0, atol=1e-9)


def revolute(**options):
    """A bearing and a journal that have turned about one axis, and shifted along it."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.RevoluteClearance(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                   normal=fc.LankaraniNikravesh(), **SIZES, **COMMON, **options)
    )  # fmt: skip
    found.assemble()
    found.move(found.a, turn=0.4 * AXIS, velocity=MOTION_A["velocity"], omega=1.5 * AXIS)
    ri, _ = found.carried(found.a, P)
    found.move(found.b, turn=-0.7 * AXIS, velocity=MOTION_B["velocity"], omega=-6.0 * AXIS)
    rj, _ = found.carried(found.b, P)
    across = np.cross(AXIS, (0.3, -0.8, 0.2))
    across *= 1.3e-3 / np.linalg.norm(across)
    shift = TURN.T @ (ri - rj) + across + 0.004 * AXIS
    found.move(found.b, shift, -0.7 * AXIS, MOTION_B["velocity"], -6.0 * AXIS)
    return found


def revolute_state(found, reach_j, reach_i):
    """Depth, its rate, the sliding speed of material points on both bodies, and its direction."""
    k, n, e, ri, vi, rj, vj = in_plane(found)
    t = np.cross(k, n)
    spin = found.pose(found.a)[3]
    # seen from the bearing, whose plane through the journal's centre turns with it
    rate = n @ (vj - vi - np.cross(spin, rj - ri))
    foot = ri + (rj - ri) @ k * k
    on_j = vj + np.cross(found.pose(found.b)[3], reach_j * n)
    on_i = vi + np.cross(spin, foot + reach_i * n - ri)
    return k, n, t, e - 1e-3, rate, t @ (on_j - on_i), foot, rj


def test_revolute_clearance():
    """Without friction: across the axis, along the line of centres."""
    found = revolute()
    _, n, _, depth, rate, _, _, rj = revolute_state(found, 0, 0)
    force = normal_size(depth, rate)
    found.check(rj, -force * n)
    check_load(found, -force * n)
    see = found.channels
    assert see["c.penetration"] == pytest.approx(depth)
    assert see["c.normal_force"] == pytest.approx(force)
    assert see["c.friction_force"] == see["c.friction_loss"] == 0
    assert see["energy.contact"] == pytest.approx(1e8 * depth**2.5 / 2.5)
    np.testing.assert_allclose([see[f"c.e{x}"] for x in "xyz"], rj - found.carried(found.a, P)[0])
    part_revolute(found)
    check_apart(found)


def part_revolute(found):
    """Lay the journal's centre within the clearance, nearer to the bearing's wall than to its
    middle; turned and shifted along the axis as it is."""
    k, n, e, *_ = in_plane(found)
    found.state.q[found.numbers(found.b)[:3]] -= (e - 0.8e-3) * n


def test_revolute_clearance_with_friction_midway():
    """Friction midway between the surfaces: one point for both bodies, no couple left."""
    found = revolute(**COULOMB)
    depth = revolute_state(found, 0, 0)[3]
    reach = 0.019 - depth / 2
    k, n, t, depth, rate, speed, foot, rj = revolute_state(found, reach, 0.02 + depth / 2)
    drag = 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed)
    force = normal_size(depth, rate)
    found.check(rj + reach * n, -force * (n + drag * t))
    # friction turns the journal about its axis: its lever is where it acts
    check_load(found, -force * (n + drag * t), -force * drag * reach * k)
    see = found.channels
    assert see["c.sliding_speed"] == pytest.approx(speed)
    assert see["c.friction_force"] == pytest.approx(force * abs(drag))
    assert see["c.friction_loss"] == pytest.approx(force * drag * speed)
    assert see["c.eccentricity"] == pytest.approx(1e-3 + depth)
    assert see["c.bearing_angle_deg"] == pytest.approx(angle_from_first(found, found.a, n, k))
    assert see["c.journal_angle_deg"] == pytest.approx(angle_from_first(found, found.b, n, k))
    part_revolute(found)
    check_apart(found)


def angle_from_first(found, body, n, k):
    """Degrees from the joint's first direction, fixed in the body, to n about the axis."""
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    at = 12 * (body is found.b)
    first = found.pose(body)[1] @ cell.parameters[at + 3 : at + 6]
    return np.degrees(np.arctan2(k @ np.cross(first, n), first @ n))


def test_revolute_clearance_with_friction_at_the_radii():
    """Each body at its own radius, as in the literature: the couple friction x depth is left."""
    found = revolute(friction_at="radii", **COULOMB)
    k, n, t, depth, rate, speed, foot, rj = revolute_state(found, 0.019, 0.02)
    drag = 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed)
    force = normal_size(depth, rate)
    point = rj + 0.019 * n
    total = -force * (n + drag * t)
    # on the bearing the friction acts at its own radius, depth nearer to its axis
    couple = np.cross(foot + 0.02 * n - point, force * drag * t)
    found.check(point, total, on_first=(-total, couple))
    check_load(found, total, -force * drag * 0.019 * k)
    assert found.channels["c.sliding_speed"] == pytest.approx(speed)
    assert found.channels["c.friction_loss"] == pytest.approx(force * drag * speed)


@pytest.mark.parametrize("friction_at", ["midway", "radii"])
def test_revolute_clearance_with_a_tilted_journal(friction_at):
    """Virtual work where the axes differ, as those of bent shafts do: on the depth, and on the
    sliding of the journal's centre and its turn as seen along the bearing's axis; by differences of
    the bodies' places."""
    found = revolute(friction_at=friction_at, **COULOMB)
    tilts = ((found.a, (0, 0, 0), MOTION_A["omega"]), (found.b, (0.1, -0.15, 0.05),
                                                         MOTION_B["omega"]))  # fmt: skip
    for body, tilt, omega in tilts:  # about the joint's point
        (r, axes, v, _), point = found.pose(body), found.carried(body, P)[0]
        tilted = Rotation.from_rotvec(tilt)
        axes = tilted.apply(axes.T)
        found.state.q[found.numbers(body)] = [*(point + tilted.apply(r - point)), *axes.ravel()]
        found.state.v[found.numbers(body)] = [*v, *np.cross(omega, axes).ravel()]
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spins = [found.pose(body)[3] for body in (found.a, found.b)]
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    first = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    second = found.pose(found.b)[1] @ cell.parameters[15:18]
    k = first[:, 2]

    def seen(shift=(0, 0, 0), turn=(0, 0, 0), t=0.0):
        """Place of the journal's centre in the bearing, and angle of its first direction."""
        turned = Rotation.from_rotvec(t * spins[0]).apply(first[:, :2].T)
        e = turned @ (rj + t * vj + shift - ri - t * vi)
        f = turned @ Rotation.from_rotvec(np.add(turn, t * spins[1])).apply(second)
        return np.array([*e, np.arctan2(f[1], f[0])])

    def slope(name, direction, h=1e-6):
        ahead, behind = (seen(**{name: s * np.asarray(direction)}) for s in (h, -h))
        return (ahead - behind) / (2 * h)

    place = seen()[:2]
    e = np.linalg.norm(place)
    n, depth = place / e, e - 1e-3
    assert depth > 0
    midway = friction_at == "midway"
    lever = 0.019 - (depth / 2 if midway else 0)
    deepening, sliding = np.array([*n, 0]), np.array([-n[1], n[0], lever])
    rates = slope("t", 1.0)
    # at the radii the bearing's point is depth nearer to its axis
    speed = sliding @ rates + (0 if midway else depth * spins[0] @ k)
    force = normal_size(depth, deepening @ rates)
    drag = force * 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed)
    on_journal = [
        [-(force * deepening + drag * sliding) @ slope(name, x) for x in np.eye(3)]
        for name in ("shift", "turn")
    ]
    pull, couple = np.array(on_journal)
    extra = 0 * k if midway else -drag * depth * k
    found.check(rj, pull, couple, on_first=(-pull, extra - couple), rel=1e-7)
    check_load(found, pull, couple, rel=1e-7)
    see = found.channels
    assert see["c.sliding_speed"] == pytest.approx(speed)
    assert see["c.friction_loss"] == pytest.approx(drag * speed)


def test_revolute_clearance_with_bristles():
    """LuGre along the surface."""
    found = revolute(friction=fc.LuGre(0.3, 0.2, **BRISTLES))
    depth = revolute_state(found, 0, 0)[3]
    reach = 0.019 - depth / 2
    k, n, t, depth, rate, speed, foot, rj = revolute_state(found, reach, 0.02 + depth / 2)
    at, z, change = bristle_state(found)
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    axes = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    drag = t @ lugre_drag(axes @ z, axes @ change, n, speed * t, BRISTLES)
    force = normal_size(depth, rate)
    found.check(rj + reach * n, -force * (n + drag * t))
    check_load(found, -force * (n + drag * t), -force * drag * reach * k)
    see = found.channels
    assert see["c.friction_force"] == pytest.approx(force * abs(drag))
    assert see["c.friction_loss"] == pytest.approx(force * drag * speed)
    assert see["c.deflection"] == pytest.approx(np.linalg.norm(z))
    growth = axes.T @ grown(axes @ z, n, speed * t, BRISTLES)
    np.testing.assert_allclose(found.state.residual()[at], change - growth, rtol=1e-9)
