"""Rolling and sliding joints: forces on both bodies and the rows of their conditions by hand."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc

from ..forces import TURN, Bench

AXIS = np.array([1.0, 2.0, 2.0]) / 3
P = np.array([0.3, 0.1, -0.2])
FORCE = np.array([7.0, 2.0, -3.0])  # multipliers: along the normal, along the tangents
MOTION_A = {"velocity": (0.1, -0.05, 0.08), "omega": (1.1, -0.7, 0.5)}
MOTION_B = {"velocity": (0.02, 0.12, -0.03), "omega": (-0.4, 0.9, 1.6)}


def rolling(centre, radius, **options):
    """A round body, whose centre is its centre of mass, on a body at P; both moved a little."""
    found = Bench(((0.1, 0, 0), centre))
    turned = {n: TURN @ z if n in ("normal", "axis", "along") else z for n, z in options.items()}
    found.add(fc.RollingJoint(found.a.at(TURN @ P), found.b.center, radius, name="r", **turned))
    found.assemble()
    found.move(found.a, (0.01, -0.02, 0.015), (0.2, -0.1, 0.3), **MOTION_A)
    found.move(found.b, (-0.02, 0.01, 0.02), (-0.3, 0.25, 0.1), **MOTION_B)
    return found


def check_contact(found, gap, normal, tangents, arm):
    """Rows: the gap, the slip along the tangents; the force acts at the contact."""
    rj, _, vj, wj = found.pose(found.b)
    ri, vi = found.carried(found.a, P)
    wi, point = found.pose(found.a)[3], rj + arm
    slip = vj + np.cross(wj, arm) - vi - np.cross(wi, point - ri)
    rows, at = found.state.residual(), [found.block(f"r.{n}") for n in ("normal", "tangential")]
    assert rows[at[0]] == pytest.approx(gap, abs=1e-14)
    np.testing.assert_allclose(rows[at[1]], tangents @ slip, atol=1e-12)
    found.state.q[at[0]], found.state.q[at[1]] = FORCE[0], FORCE[1:]
    force = -FORCE[0] * normal - FORCE[1:] @ tangents
    found.check(point, force)
    see = found.channels
    np.testing.assert_allclose([see[f"r.reaction.{x}"] for x in "xyz"], force)
    np.testing.assert_allclose([see[f"r.contact.{x}"] for x in "xyz"], point)
    assert see["r.normal_force"] == pytest.approx(-7.0)
    assert see["r.tangential_force"] == pytest.approx(np.hypot(2, 3))
    assert see["r.slip"] == pytest.approx(np.linalg.norm(tangents @ slip))


def joint_axes(found):
    """Triad of the joint in body a, by columns; its third vector is the axis the user gave."""
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "r")
    return found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T


def test_ball_on_a_plane():
    found = rolling(P + 0.25 * AXIS + 0.1 * np.cross(AXIS, (1, 0, 0)), 0.25, normal=AXIS)
    e = joint_axes(found)
    n = found.direction(found.a, AXIS)
    np.testing.assert_allclose(e[:, 2], n, atol=1e-12)
    gap = (found.pose(found.b)[0] - found.carried(found.a, P)[0]) @ n - 0.25
    check_contact(found, gap, n, e[:, :2].T, -0.25 * n)


def test_disc_that_leans_on_a_plane():
    """It touches with the lowest point of its rim."""
    across = np.cross(AXIS, (0, 0, 1.0))
    axis = 0.6 * AXIS + 0.8 * across / np.linalg.norm(across)
    found = rolling(P + 0.25 * 0.8 * AXIS, 0.25, normal=AXIS, axis=axis)
    e, n, k = joint_axes(found), found.direction(found.a, AXIS), found.direction(found.b, axis)
    rim = [Rotation.from_rotvec(x * k).apply(np.cross(k, e[:, 0]))
           for x in np.linspace(0, 2 * np.pi, 100001)]  # fmt: skip
    heights = rim @ n / np.linalg.norm(np.cross(k, e[:, 0]))
    lowest = heights.argmin()
    arm = 0.25 * np.asarray(rim[lowest]) / np.linalg.norm(rim[lowest])
    exact = -(n - n @ k * k)  # in the disc's plane, downhill
    exact *= 0.25 / np.linalg.norm(exact)
    np.testing.assert_allclose(arm, exact, atol=1e-4)
    rj, ri = found.pose(found.b)[0], found.carried(found.a, P)[0]
    check_contact(found, (rj + exact - ri) @ n, n, e[:, :2].T, exact)


def test_ball_in_a_socket():
    """Tangents are carried along by the shortest turn from the direction of the last step."""
    u0 = np.array([0.48, 0.6, -0.64])
    found = rolling(P + 0.15 * u0, 0.1, socket_radius=0.25)
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "r")
    kind = next(k for k, cells in found.system.cells.items() for c in cells if c.owner == "r")
    before = cell.parameters[kind.columns("before")].reshape(3, 3)
    axes = found.pose(found.a)[1] @ found.a.axes.T  # the triad of frame i began along space's
    first = before[0]
    np.testing.assert_allclose(first, TURN @ u0, atol=1e-12)
    e = found.pose(found.b)[0] - found.carried(found.a, P)[0]
    u = axes.T @ e / np.linalg.norm(e)
    turn = np.cross(first, u)
    angle = np.arctan2(np.linalg.norm(turn), first @ u)
    carried = Rotation.from_rotvec(angle * turn / np.linalg.norm(turn)).apply(before[1:])
    n = e / np.linalg.norm(e)
    check_contact(found, 0.25 - 0.1 - np.linalg.norm(e), -n, carried @ axes.T, 0.1 * n)


@pytest.mark.parametrize("side", [1, -1])
def test_pinion_on_a_rack(side):
    """x + R theta = 0, as R sin(theta + x/R): the multiplier pulls along the rack at the pitch
    line. The pinion turns about its axis only."""
    along = np.cross(AXIS, (0, 0, 1.0))
    along /= np.linalg.norm(along)
    away = np.cross(AXIS, along)
    found = Bench(((0.1, 0, 0), P + 0.25 * side * away + 0.05 * along))
    found.add(fc.RollingJoint(found.a.at(TURN @ P), found.b.center, 0.25, axis=TURN @ AXIS,
                              along=TURN @ along, name="r"))  # fmt: skip
    found.assemble()
    shift, theta = 0.03, 0.2
    found.move(found.a, omega=0.4 * AXIS, velocity=(0.1, 0.2, 0.1))
    found.move(found.b, shift * along, theta * AXIS, (0.3, -0.1, 0.2), 1.7 * AXIS)
    radius, at = side * 0.25, found.block("r.force")
    phase = theta + shift / radius
    assert found.state.residual()[at] == pytest.approx(radius * np.sin(phase))
    found.state.q[at] = 6.0
    e1, k = TURN @ along, TURN @ AXIS
    pull = -6 * np.cos(phase) * e1
    rj = found.pose(found.b)[0]
    found.check(rj, pull, -6 * radius * np.cos(phase) * k)
    see = found.channels
    (ri, vi), (_, vj) = found.carried(found.a, P), found.pose(found.b)[::2][:2]
    passing = e1 @ (vj - vi) + (rj - ri) @ np.cross(0.4 * k, e1)
    assert see["r.slip"] == pytest.approx(abs(passing + radius * (1.7 - 0.4)))
    np.testing.assert_allclose([see[f"r.reaction.{x}"] for x in "xyz"], pull, atol=1e-12)
    np.testing.assert_allclose(
        [see[f"r.contact.{x}"] for x in "xyz"], rj - radius * (TURN @ away), atol=1e-12
    )


# --- a point that slides along a beam -------------------------------------------------------------
def sliding(turning=False, friction=None):
    """A cable of two elements along x, bent at will, and a body whose centre slides on it."""
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(fc.Beam((0, 0, 0), (0.8, 0, 0), fc.Rectangle(0.02, 0.02),
                              fc.StVenantKirchhoff(E=1e6, nu=0.3, rho=1000), 2, model="cable",
                              name="line", free=True))  # fmt: skip
    found = Bench.__new__(Bench)
    found.system = system
    found.a = found.b = system.add(
        fc.RigidBody(1.3, (0.2, 0.3, 0.4), name="b", free=True, position=(0.5, 0, 0))
    )
    system.add(fc.SlidingJoint(beam, found.b.center, friction=friction, turning=turning, name="s"))
    found.assemble()
    rng = np.random.default_rng(1)
    found.slope_at_rest = beam.nodes[1]["slope"].values
    nodes = [found.state.locate(np.concatenate([node[n].numbers for n in ("r", "slope")]))
             for node in beam.nodes[1:3]]  # fmt: skip
    at = np.concatenate(nodes)
    found.state.q[at] += 0.05 * rng.standard_normal(12)
    found.state.v[at] = rng.standard_normal(12)
    return found, at


def hermite(x, length, ratio):
    """Factors of r, slope, r, slope in the position at x in (0, 1)."""
    return np.array([1 - 3 * x**2 + 2 * x**3, ratio * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3,
                     ratio * (x**3 - x**2)])  # fmt: skip


@pytest.mark.parametrize("turning", [False, True])
def test_point_that_slides_along_a_beam(turning):
    """Across the line by the multipliers, along it by friction; a sleeve's couple turns the
    tangent. The beam's own forces are taken off by a second evaluation without multipliers."""
    found, line = sliding(turning, fc.SmoothCoulomb(0.2, 0.3))
    state, at = found.state, found.numbers(found.b)
    state.q[at[:3]] += (0.02, 0.03, -0.01)
    state.v[at[:3]] = (0.3, -0.2, 0.1)
    turn = Rotation.from_rotvec((0.1, 0.2, -0.15)).as_matrix()
    found.b.axes = np.eye(3)
    state.q[at[3:]] = turn.T.ravel()
    s, lam, mu = found.block("s.s"), found.block("s.force"), np.array([3.0, -5.0])
    assert state.q[s] == pytest.approx(0.5)
    state.q[s], state.q_n[s] = 0.53, 0.47
    free = state.residual().copy()
    state.q[lam] = mu
    if turning:
        state.q[found.block("s.moment")] = (1.5, 0.8)
    rows = state.residual() - free
    # the element from 0.4 to 0.8; its slope unknowns are r' (arc length)
    x, h = (0.53 - 0.4) / 0.4, 0.4
    ends, rates = state.q[line].reshape(4, 3), state.v[line].reshape(4, 3)
    ratio = h / np.linalg.norm(found.slope_at_rest)  # so that dr/dx = h along the line at rest
    d = 1e-6
    place = [hermite(x + k * d, h, ratio) for k in (-1, 0, 1)]
    value, slope = place[1], (place[2] - place[0]) / (2 * d * h)
    bend = (place[2] - 2 * place[1] + place[0]) / (d * h) ** 2
    tangent = slope @ ends
    size = np.linalg.norm(tangent)
    tangent /= size
    gap = state.q[at[:3]] - value @ ends
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if c.owner == "s" and c.parameters[k.columns("active")] > 0)  # fmt: skip
    kind = next(k for k, cells in found.system.cells.items() for c in cells if c.owner == "s")
    axes = cell.parameters[kind.columns("axes")].reshape(2, 3)
    np.testing.assert_allclose(axes @ axes.T, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(axes @ (1, 0, 0), 0, atol=1e-9)
    normals = axes - np.outer(axes @ tangent, tangent)
    across = mu @ normals
    speed = tangent @ (state.v[at[:3]] - value @ rates)
    drag = 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed) * np.linalg.norm(across)
    push = across + drag * tangent
    curvature = bend @ ends
    curvature = (curvature - curvature @ tangent * tangent) / size**2
    on_line = -np.outer(value, push)
    if turning:
        local = np.linalg.solve(np.eye(3), turn)  # directors began along space's axes
        numbers = cell.parameters[kind.columns("j")][3:].reshape(3, 3)
        e = [local @ numbers[k] for k in (0, 1)]
        couple = 1.5 * e[0] + 0.8 * e[1]
        push = push + couple @ curvature * tangent
        pull = (couple - couple @ tangent * tangent) / size
        on_line = -np.outer(value, push) + np.outer(slope, pull)
        moment = np.cross(tangent, couple)
        conditions = [z @ (tangent + gap @ tangent * curvature) for z in e]
        np.testing.assert_allclose(
            free[found.block("s.moment")], conditions, atol=1e-6 * np.abs(curvature).max()
        )
    np.testing.assert_allclose(rows[line].reshape(4, 3), on_line, atol=2e-5 * np.abs(push).max())
    np.testing.assert_allclose(rows[at[:3]], push, atol=2e-5 * np.abs(push).max())
    np.testing.assert_allclose(free[lam], normals @ gap, atol=1e-9)
    stiffness = 4e-4 * 1e6 / 0.8  # of the whole beam, by which the row of s is a force
    assert free[s] == pytest.approx(stiffness * gap @ tangent, rel=1e-6)
    see = found.channels
    # by which it is told when the point comes to a node, and which element is next
    hidden = [found.observed(n, cell=1) for n in ("place", "moved", "rate")]
    assert hidden == pytest.approx([0.53, 0.06, speed / size])
    np.testing.assert_allclose([see[f"s.force.{x}"] for x in "xyz"], -push, rtol=1e-4)
    assert see["s.s"] == pytest.approx(0.53)
    assert see["s.speed"] == pytest.approx(speed, rel=1e-6)
    assert see["s.friction_loss"] == pytest.approx(drag * speed, rel=1e-6)
    if turning:
        np.testing.assert_allclose([see[f"s.moment.{x}"] for x in "xyz"], moment, rtol=1e-6)
        # on the body: the couple turns its axes towards the tangent
        d = state.q[at[3:]].reshape(3, 3)
        found_moment = -np.cross(d, rows[at[3:]].reshape(3, 3)).sum(axis=0)
        np.testing.assert_allclose(found_moment, moment, rtol=1e-6)
