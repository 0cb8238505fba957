"""Joints with worn surfaces, and points that only watch a guide: depths and forces by hand."""

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
    check_load,
    in_plane,
    normal_size,
    smooth,
)  # fmt: skip

#: the excess depth about a state: value, slopes by x, y and the turn, and second derivatives
EXCESS, SLOPE = 2e-4, np.array([0.05, -0.08, 3e-4])
BEND = np.array([[90.0, 20.0, 4.0], [20.0, -70.0, -3.0], [4.0, -3.0, 0.02]])
WEAR = fc.Wear(fc.Archard(1e-4, 1e9), period=1.0, repeat=1.0, bins=48)
MATERIALS = (fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800),) * 2
WORN_JOURNAL = 4e-4


def worn_state(found, kind, origin, turned):
    for name, value in {
        "origin": origin, "turned": (np.cos(turned), np.sin(turned)), "excess": EXCESS,
        "slope": SLOPE, "journal_wear": WORN_JOURNAL, "bearing_wear": 1e-4, "centre": 0.3,
        "bend": BEND[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]],
    }.items():  # fmt: skip
        found.parameter(kind, name, value)


def observed(found, kind):
    """What the one cell of a kind observes, by name."""
    found.state.observe()
    for k, values in zip(
        found.state.problem.observers, found.state.observations.parts, strict=True
    ):
        component = found.system.state.components[k]
        if type(component.kind).__name__ == kind:
            return dict(zip(component.observables, values[0], strict=True))
    raise KeyError(kind)


@pytest.mark.parametrize("friction", [False, True])
def test_worn_revolute_clearance(friction):
    """Depth of round surfaces and an excess of second order in place and turn: its gradient by the
    turn is a couple. Friction acts where the worn journal touches."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(
        fc.RevoluteClearance(
            found.a.at(TURN @ P),
            found.b.at(TURN @ P),
            TURN @ AXIS,
            normal=fc.LankaraniNikravesh(),
            materials=MATERIALS,
            wear=WEAR,
            **SIZES,
            **COMMON,
            **(COULOMB if friction else {}),
        )
    )
    # fmt: skip
    found.assemble()
    spins = 1.5, -6.0
    found.move(found.a, turn=0.4 * AXIS, velocity=MOTION_A["velocity"], omega=spins[0] * AXIS)
    found.move(found.b, turn=-0.7 * AXIS)
    away = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    across = np.cross(AXIS, (0.3, -0.8, 0.2))
    away = away + 1.3e-3 * across / np.linalg.norm(across)
    found.move(found.b, away, -0.7 * AXIS, MOTION_B["velocity"], spins[1] * AXIS)
    k, n, e, ri, vi, rj, vj = in_plane(found)
    cell = next(c for _, cells in found.system.cells.items() for c in cells if c.owner == "c")
    e1, e2 = (found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T).T[:2]
    f1 = found.pose(found.b)[1] @ cell.parameters[15:18]
    place = np.array([e1 @ (rj - ri), e2 @ (rj - ri)])
    turn = np.arctan2(f1 @ e2, f1 @ e1)
    assert turn == pytest.approx(-1.1)
    origin, before = place + (2e-5, -3e-5), turn - 0.01
    worn_state(found, "ChangingContactKind", origin, before)

    def depth_at(q):
        z = q - [*origin, before]
        return np.hypot(q[0], q[1]) - 1e-3 + EXCESS + SLOPE @ z + z @ BEND @ z / 2

    q, h = np.array([*place, turn]), 1e-7
    slopes = np.array([(depth_at(q + h * d) - depth_at(q - h * d)) / (2 * h) for d in np.eye(3)])
    depth = depth_at(q)
    moved = vj - vi - np.cross(spins[0] * TURN @ AXIS, rj - ri)
    rates = np.array([e1 @ moved, e2 @ moved, spins[1] - spins[0]])
    force = normal_size(depth, slopes @ rates)
    push = slopes[0] * e1 + slopes[1] * e2
    pull, couple = -force * push, -force * slopes[2] * k
    see = found.channels
    if friction:
        n = push / np.linalg.norm(push)
        lever = 0.019 - WORN_JOURNAL - depth / 2
        t = np.cross(k, n)
        speed = t @ moved + lever * (spins[1] - spins[0])
        drag = -force * 0.2 * np.tanh(abs(speed) / 0.3) * np.sign(speed) * t
        pull, couple = pull + drag, couple + np.cross(lever * n, drag)
        assert see["c.sliding_speed"] == pytest.approx(speed, rel=1e-6)
    found.check(rj, pull, couple, rel=1e-6)
    check_load(found, pull, couple, rel=1e-6)
    assert see["c.penetration"] == pytest.approx(depth, rel=1e-6)
    assert see["c.clearance"] == pytest.approx(1e-3 + 1e-4 + WORN_JOURNAL)
    assert see["c.contact_centre_deg"] == pytest.approx(np.degrees(0.3))
    seen = observed(found, "ChangingContactKind")
    assert [seen[n] for n in ("x", "y", "turn")] == pytest.approx([*place, turn])


def test_worn_cylindrical_clearance():
    """One slice, in the bearing's middle: the force acts across the journal where its axis crosses
    the slice, friction at the worn radius."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(fc.CylindricalClearance(
        found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS, normal=fc.LankaraniNikravesh(),
        materials=MATERIALS, wear=WEAR, stations=1, **SIZES, **COMMON, **COULOMB))  # fmt: skip
    found.assemble()
    found.move(found.a, **MOTION_A)
    tilt = (0.02, -0.03, 0.01)
    found.move(found.b, turn=tilt, **MOTION_B)
    back = TURN.T @ (found.carried(found.a, P)[0] - found.carried(found.b, P)[0])
    across = np.cross(AXIS, (0.3, -0.8, 0.2))
    found.move(found.b, back + 1.3e-3 * across / np.linalg.norm(across) + 2e-3 * AXIS, tilt,
               **MOTION_B)  # fmt: skip
    found.parameter("ChangingContactKind", "excess", EXCESS)
    found.parameter("ChangingContactKind", "turned", (1.0, 0.0))
    found.parameter("ChangingContactKind", "journal_wear", WORN_JOURNAL)
    k, b = found.direction(found.a, AXIS), found.direction(found.b, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    spin_i, spin_j = found.pose(found.a)[3], found.pose(found.b)[3]
    along = -(rj - ri) @ k / (b @ k)
    point = rj + along * b
    n = (point - ri) / np.linalg.norm(point - ri)
    depth = np.linalg.norm(point - ri) - 1e-3 + EXCESS
    g = n - n @ b / (b @ k) * k
    rate = g @ (vj + np.cross(spin_j, along * b) - vi - np.cross(spin_i, point - ri))
    size = normal_size(depth, rate)
    arm = along * b + (0.019 - WORN_JOURNAL - depth / 2) * n
    sliding = vj + np.cross(spin_j, arm) - vi - np.cross(spin_i, rj + arm - ri)
    normal = g / np.linalg.norm(g)
    sliding = sliding - sliding @ normal * normal
    drag = -size * smooth(sliding)
    moment = np.cross(point - ri, -size * g) + np.cross(rj + arm - ri, drag)
    found.check(ri, drag - size * g, moment, rel=1e-7)
    check_load(found, drag - size * g, moment - np.cross(rj - ri, drag - size * g), rel=1e-7)
    see = found.channels
    # the turn about its own axis: what is left of it once its axis is laid on the bearing's
    cell = next(c for k, cells in found.system.cells.items() for c in cells
                if type(k).__name__ == "ChangingContactKind")  # fmt: skip
    f = found.pose(found.b)[1] @ cell.parameters[15:18]
    axis, angle = np.cross(k, b), np.arctan2(np.linalg.norm(np.cross(k, b)), k @ b)
    laid = Rotation.from_rotvec(-angle * axis / np.linalg.norm(axis)).apply(f)
    e = found.pose(found.a)[1] @ cell.parameters[3:12].reshape(3, 3).T
    turn = np.arctan2(laid @ e[:, 1], laid @ e[:, 0])
    assert abs(turn) > 1e-3
    assert observed(found, "ChangingContactKind")["turn"] == pytest.approx(turn, rel=1e-6)
    assert see["c.slice1.penetration"] == pytest.approx(depth)
    assert see["c.slice1.sliding_speed"] == pytest.approx(np.linalg.norm(sliding))
    assert see["c.friction_loss"] == pytest.approx(-drag @ sliding)


def test_point_watched_in_a_guide():
    """Its distance from the surface; no force."""
    found = Bench(((0.1, 0, 0), tuple(P)))
    corner = P + 0.05 * AXIS + 0.025 * np.cross(AXIS, (0.0, 0.6, -0.6))
    found.add(
        fc.GuideProbe(
            found.a.at(TURN @ P),
            {"corner": ("lower", found.b.at(TURN @ corner))},
            TURN @ AXIS,
            TURN @ np.cross(AXIS, (0, 1, -1)),
            gap=0.05,
            name="w",
        )
    )
    # fmt: skip
    found.assemble()
    for shift in (0.0, -0.02, 0.01, -0.07):
        across = np.cross(AXIS, (0, 1, -1)) / np.linalg.norm(np.cross(AXIS, (0, 1, -1)))
        found.move(found.b, shift * across, (0.1, 0.05, -0.1))
        up = found.direction(found.a, across)
        height = (found.carried(found.b, corner)[0] - found.carried(found.a, P)[0]) @ up
        depth = -height - 0.025
        assert found.channels["w.corner.gap"] == pytest.approx(-depth)
        assert found.channels["w.corner.penetration"] == pytest.approx(max(depth, 0))
        np.testing.assert_allclose(found.wrench(found.b, up), 0, atol=1e-12)
