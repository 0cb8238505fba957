"""Springs, joints and drivers: forces and moments on both bodies by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc

from ..forces import TURN, Bench

P, Q = np.array([0.3, 0.1, -0.2]), np.array([0.5, -0.1, 0.3])
AXIS = np.array([1.0, 2.0, 2.0]) / 3


def bench(item, *, apart=True, moved=True):
    """An item between a point of ``a`` and one of ``b``, in motion."""
    result = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    second = Q if apart else P
    result.add(item(result.a.at(TURN @ P), result.b.at(TURN @ second)))
    result.assemble()
    if moved:
        result.move(result.a, (0.02, -0.03, 0.05), (0.2, -0.1, 0.3), (0.4, 0.1, -0.3),
                    (1.1, -0.7, 0.5))  # fmt: skip
        result.move(result.b, (-0.04, 0.01, 0.02), (-0.3, 0.25, 0.1), (-0.2, 0.6, 0.5),
                    (0.3, 0.9, -1.2))  # fmt: skip
    return result


def on_line(bench):
    """Both points, direction between them, distance, rate."""
    (ri, vi), (rj, vj) = bench.carried(bench.a, P), bench.carried(bench.b, Q)
    length = np.linalg.norm(rj - ri)
    u = (rj - ri) / length
    return ri, rj, u, length, u @ (vj - vi)


def test_spring_damper():
    """Tension k (l - l0) + c dl/dt along the line; energy and loss by their definitions."""
    found = bench(lambda i, j: fc.SpringDamper(i, j, 70.0, 5.0, 0.3, name="s"))
    _, rj, u, length, rate = on_line(found)
    tension = 70 * (length - 0.3) + 5 * rate
    found.check(rj, -tension * u)
    see = found.channels
    assert see["s.force"] == pytest.approx(tension)
    assert see["s.length"] == pytest.approx(length)
    assert see["s.energy"] == pytest.approx(35 * (length - 0.3) ** 2)
    assert see["s.loss"] == pytest.approx(5 * rate**2)


def test_bushing():
    """k_n u_n + c_n du_n/dt along the axes of frame i, which turn: their rate is part of du/dt."""
    axes = Rotation.from_rotvec((0.3, 0.5, -0.2)).as_matrix()
    k, c = np.array([70.0, 50, 20]), np.array([5.0, 3, 2])
    found = bench(lambda i, j: fc.Bushing(i, j, k, c, axes=TURN @ axes, name="s"))
    ri, rj, *_ = on_line(found)
    (_, vi), (_, vj) = found.carried(found.a, P), found.carried(found.b, Q)
    omega = found.pose(found.a)[3]
    e = np.column_stack([found.direction(found.a, axes[:, n]) for n in range(3)])
    u = e.T @ (rj - ri) - axes.T @ (Q - P)
    rates = e.T @ (vj - vi - np.cross(omega, rj - ri))
    forces = -(k * u + c * rates)
    found.check(rj, e @ forces)
    see = found.channels
    for n in range(3):
        assert see[f"s.force{n + 1}"] == pytest.approx(forces[n])
    assert see["s.energy"] == pytest.approx(k @ u**2 / 2)
    assert see["s.loss"] == pytest.approx(c @ rates**2)


#: turn of frame j about the axis of frame i, rad: more than half a turn after the one before
TURNED = 0.8


def about_axis(item):
    """Bodies that turn about one axis: no tilt, so that the angle is TURNED."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(item(found.a.at(TURN @ P), found.b.at(TURN @ P)))
    found.assemble()
    found.move(found.a, turn=0.3 * AXIS, velocity=(0.1, 0.2, 0.3), omega=0.5 * AXIS)
    found.move(found.b, turn=(0.3 + TURNED) * AXIS, omega=2.5 * AXIS)
    return found


def test_torsion_spring():
    """A couple k (angle - free) + c rate about the axis."""
    found = about_axis(lambda i, j: fc.TorsionSpring(i, j, TURN @ AXIS, 40.0, 3.0, 0.2, name="t"))
    torque = -(40 * (TURNED - 0.2) + 3 * 2.0)
    found.check(np.zeros(3), (0, 0, 0), torque * TURN @ AXIS)
    see = found.channels
    assert see["t.angle"] == pytest.approx(TURNED)
    assert see["t.torque"] == pytest.approx(torque)
    assert see["t.energy"] == pytest.approx(20 * (TURNED - 0.2) ** 2)
    assert see["t.loss"] == pytest.approx(3 * 2.0**2)


def test_angle_probe_over_more_than_half_a_turn():
    """The angle goes on from the one before; its rate and acceleration are those of the bodies."""
    found = about_axis(lambda i, j: fc.AngleProbe(i, j, TURN @ AXIS, initial=3.0, name="p"))
    see = found.channels
    assert see["p.angle"] == pytest.approx(3 + TURNED)
    assert see["p.angle_deg"] == pytest.approx(np.degrees(3 + TURNED))
    assert see["p.speed"] == pytest.approx(2.0)
    spin, at = 2.5 * TURN @ AXIS, found.numbers(found.b)
    faster = 7.0 * TURN @ AXIS
    d = found.pose(found.b)[1].T
    found.state.a[at[3:]] = (np.cross(faster, d) + np.cross(spin, np.cross(spin, d))).ravel()
    at = found.numbers(found.a)
    spin, d = 0.5 * TURN @ AXIS, found.pose(found.a)[1].T
    found.state.a[at[3:]] = np.cross(spin, np.cross(spin, d)).ravel()
    assert found.channels["p.acceleration"] == pytest.approx(7.0)


# --- constraints: what their multipliers exert ---------------------------------------------------
def test_distance_joint():
    """The multiplier is the rod's tension; the row is (d.d - L^2) / (2 L)."""
    found = bench(lambda i, j: fc.DistanceJoint(i, j, name="rod"))
    _, rj, u, length, _ = on_line(found)
    L = np.linalg.norm(Q - P)
    at = found.block("rod.force")
    assert found.state.residual()[at] == pytest.approx((length**2 - L**2) / (2 * L))
    found.state.q[at] = 12.0
    found.check(rj, -12 * length / L * u)  # of the length it should have
    see = found.channels
    assert see["rod.tension"] == pytest.approx(12)
    reaction = [see[f"rod.reaction.{x}"] for x in "xyz"]
    np.testing.assert_allclose(reaction, -12 * length / L * u)


JOINTS = {  # kind, directions of frame i along which the force acts, conditions on directions
    "spherical": (fc.SphericalJoint, None, ()),
    "revolute": (fc.RevoluteJoint, None, ((0, 2), (1, 2))),
    "cylindrical": (fc.CylindricalJoint, (0, 1), ((0, 2), (1, 2))),
    "prismatic": (fc.PrismaticJoint, (0, 1), ((0, 2), (1, 2), (0, 1))),
    "fixed": (fc.FixedJoint, None, ((0, 2), (1, 2), (0, 1))),
    "point_on_line": (fc.PointOnLine, (0, 1), ()),
    "planar": (fc.PlanarJoint, (2,), ((0, 2), (1, 2))),
}


@pytest.mark.parametrize("name", JOINTS)
def test_ideal_joint(name):
    """Rows and reactions: a multiplier of (r_j - r_i) . e is a force -lam e on j, at j's point on
    both bodies; one of e_m . f_n = 0 a couple lam e_m x f_n on j."""
    make, along, directions = JOINTS[name]
    fixed = make in (fc.SphericalJoint, fc.FixedJoint)
    options = {} if fixed else {"axis": TURN @ AXIS}
    found = bench(lambda i, j: make(i, j, name="joint", **options), apart=False)
    (ri, _), (rj, _) = found.carried(found.a, P), found.carried(found.b, P)
    cell = next(c for k, cells in found.system.cells.items() for c in cells if c.owner == "joint")
    # the joint's triad in space at the start: only its third axis is said by the user
    triads = [cell.parameters[12 * k + 3 : 12 * k + 12].reshape(3, 3).T for k in (0, 1)]
    triads = [body.axes @ z for body, z in zip((found.a, found.b), triads, strict=True)]
    np.testing.assert_allclose(triads[0], triads[1], atol=1e-12)
    np.testing.assert_allclose(triads[0].T @ triads[0], np.eye(3), atol=1e-12)
    assert np.linalg.det(triads[0]) > 0
    if not fixed:
        np.testing.assert_allclose(triads[0][:, 2], TURN @ AXIS, atol=1e-12)
    e, f = (
        found.pose(body)[1] @ body.axes.T @ z
        for body, z in zip((found.a, found.b), triads, strict=True)
    )
    lines = np.eye(3).T if along is None else e[:, list(along)].T
    lam, mu = np.array([3.0, -5, 7])[: len(lines)], np.array([2.0, 11, -13])[: len(directions)]
    at = found.block("joint.force")
    rows = found.state.residual()
    np.testing.assert_allclose(rows[at], lines @ (rj - ri), atol=1e-12)
    if directions:
        turned = [e[:, m] @ f[:, n] for m, n in directions]
        np.testing.assert_allclose(rows[found.block("joint.moment")], turned, atol=1e-12)
        found.state.q[found.block("joint.moment")] = mu
    found.state.q[at] = lam
    force = -lam @ lines
    couple = sum(
        (x * np.cross(e[:, m], f[:, n]) for x, (m, n) in zip(mu, directions, strict=True)),
        np.zeros(3),
    )
    # on a: where the directions of the force are fixed in a, at j's point; else at i's own
    first = (-force, -couple)
    if along is None:
        first = (-force, -couple + np.cross(ri - rj, -force))
    found.check(rj, force, couple, first)
    see = found.channels
    np.testing.assert_allclose([see[f"joint.reaction.{x}"] for x in "xyz"], force, atol=1e-12)
    if directions:
        np.testing.assert_allclose([see[f"joint.moment.{x}"] for x in "xyz"], couple, atol=1e-12)
    else:  # what holds no directions shows no moment
        assert "joint.moment.x" not in see.names


def test_universal_joint():
    """e_i . f_j = 0 of the two arms of the cross: a couple lam e x f on j."""
    cross = np.cross(AXIS, (0, 0, 1)) / np.linalg.norm(np.cross(AXIS, (0, 0, 1)))
    found = bench(
        lambda i, j: fc.UniversalJoint(i, j, axis=TURN @ AXIS, cross=TURN @ cross, name="joint"),
        apart=False,
    )
    e, f = found.direction(found.a, AXIS), found.direction(found.b, cross)
    at = found.block("joint.moment")
    assert found.state.residual()[at] == pytest.approx(e @ f)
    found.state.q[at] = 4.0
    found.check(np.zeros(3), (0, 0, 0), 4 * np.cross(e, f))


FUNCTION = fc.functions.Harmonic(0.3, 2.0, 0.1)  # amplitude, frequency (Hz), phase
TIME = 0.2


def prescribed(f):
    """Value and rate of FUNCTION from t = 0 on, where drivers begin."""
    w = 2 * np.pi * 2.0
    return 0.3 * np.sin(w * TIME + 0.1), 0.3 * w * np.cos(w * TIME + 0.1)


def test_rotation_driver():
    """sin(angle - f) = 0; near its root the multiplier is the torque on j against the angle."""
    found = about_axis(lambda i, j: fc.RotationDriver(i, j, TURN @ AXIS, FUNCTION, name="d"))
    found.state.globals[0] = TIME
    f, rate = prescribed(FUNCTION)
    angle = TURNED + 0.3 * np.sin(0.1)  # the pose at the start counts as the function's value
    at = found.block("d.torque")
    assert found.state.residual()[at] == pytest.approx(np.sin(angle - f))
    found.state.q[at] = 6.0
    torque = -6 * np.cos(angle - f)
    found.check(np.zeros(3), (0, 0, 0), torque * TURN @ AXIS)
    see = found.channels
    assert see["d.angle"] == pytest.approx(f)
    assert see["d.torque"] == pytest.approx(torque)
    assert see["d.power"] == pytest.approx(torque * rate)


def test_torque_of_a_rotation_driver_whose_axes_have_parted():
    """Its channel is the part along the axis, which is fixed in frame i, of the couple that the
    rows exert on j."""
    found = bench(lambda i, j: fc.RotationDriver(i, j, TURN @ AXIS, FUNCTION, name="d"))
    found.state.globals[0] = TIME
    found.state.q[found.block("d.torque")] = 6.0
    force, couple = found.wrench(found.b, np.zeros(3))
    np.testing.assert_allclose(force, 0, atol=1e-12)
    axes = [found.direction(body, AXIS) for body in (found.a, found.b)]
    torques = [couple @ z for z in axes]
    assert axes[0] @ axes[1] < 0.9 and abs(torques[0] - torques[1]) > 0.01
    see = found.channels
    assert see["d.torque"] == pytest.approx(torques[0])
    assert see["d.power"] == pytest.approx(torques[0] * prescribed(FUNCTION)[1])


def test_translation_driver():
    """(r_j - r_i) . e - start - f = 0: a force -lam e on j at its point."""
    found = bench(lambda i, j: fc.TranslationDriver(i, j, TURN @ AXIS, FUNCTION, name="d"))
    found.state.globals[0] = TIME
    f, rate = prescribed(FUNCTION)
    ri, rj, *_ = on_line(found)
    e = found.direction(found.a, AXIS)
    at = found.block("d.force")
    moved = (rj - ri) @ e - (Q - P) @ AXIS
    assert found.state.residual()[at] == pytest.approx(moved - (f - 0.3 * np.sin(0.1)))
    found.state.q[at] = 6.0
    found.check(rj, -6 * e)
    see = found.channels
    assert see["d.force"] == pytest.approx(-6)
    assert see["d.displacement"] == pytest.approx(f)
    assert see["d.power"] == pytest.approx(-6 * rate)
