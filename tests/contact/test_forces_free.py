"""Friction with memory: while the surfaces are apart, on guides with bristles, and what a sticking
spring keeps of the step in which it slips."""

import numpy as np
import pytest

import fem_clearance as fc

from ..bricks import Brick
from ..forces import TURN, Bench
from .states import (
    AXIS,
    BRISTLES,
    MOTION_A,
    MOTION_B,
    P,
    accept,
    grown,
    lugre_drag,
    normal_size,
)  # fmt: skip
from .test_forces_facets import K, Touching
from .test_forces_guides import ACROSS, GUIDE, SIDE


def test_bristles_of_an_element_without_load():
    """They relax: dz/dt = -relaxation z."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    law = fc.LuGre(0.3, 0.2, relaxation=70.0, **BRISTLES)
    found.add(fc.FrictionElement(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                 friction=law, normal_force=0.0, name="c"))  # fmt: skip
    found.assemble()
    found.move(found.b, 0.01 * AXIS, **MOTION_B)
    at = found.block("c.bristle")
    found.state.v[at], found.state.a[at] = 3e-5, -0.02
    assert found.state.residual()[at] == pytest.approx(-0.02 + 70 * 3e-5)


def test_spring_that_slips_in_a_step():
    """Spring and damper share the force in series with what slips: an implicit Euler step of
    k e + c de/dt = force from the deflection before. Once the step is accepted it is kept."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    law = fc.TrueStick(0.25, 0.2, stiffness=1e4, damping=20.0)
    found.add(fc.FrictionElement(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                 friction=law, normal_force=40.0, name="c"))  # fmt: skip
    state = found.assemble()
    before, now, h = 0.4e-3, 3e-3, 5e-3
    found.move(found.b, before * AXIS)
    state.q_n[:] = state.q
    found.move(found.b, now * AXIS, velocity=0.5 * AXIS)
    state.globals[0], state.globals[-1] = 1.0, 1 / h
    assert 1e4 * now + 20 * 0.5 > 0.25 * 40
    kept = (0.25 * 40 + 20 / h * before) / (1e4 + 20 / h)
    assert found.channels["c.energy"] == pytest.approx(1e4 / 2 * kept**2)
    assert found.observed("anchor0") == pytest.approx(now - kept)
    assert found.observed("slipped") == 1
    assert found.observed("change") == pytest.approx(abs(1e4 * now + 20 * 0.5) - 0.25 * 40)
    found.parameter("StickKind", "slipping", 1.0)  # then: speed against the friction
    assert found.observed("change") == pytest.approx(-0.5)
    found.parameter("StickKind", "slipping", 0.0)
    # the anchor moves on with the step; nothing else does, so that the same energy is stored
    accept(found, "StickKind")
    assert found.channels["c.energy"] == pytest.approx(1e4 / 2 * kept**2)


def test_friction_element_between_points_apart():
    """It sticks where it starts: 0.2 m along the axis leave no force, 0.1 mm more that of the
    spring."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    law = fc.TrueStick(0.25, 0.2, stiffness=1e4, damping=20.0)
    found.add(
        fc.FrictionElement(
            found.a.at(TURN @ P),
            found.b.at(TURN @ (P + 0.2 * AXIS)),
            TURN @ AXIS,
            friction=law,
            normal_force=40.0,
            name="c",
        )
    )
    found.assemble()
    assert found.channels["c.energy"] == pytest.approx(0, abs=1e-12)
    found.move(found.b, 1e-4 * AXIS)
    assert found.channels["c.energy"] == pytest.approx(1e4 / 2 * 1e-8, rel=1e-6)


def sticking_element():
    """A sticking element between two bodies in motion; 0.4 mm along its axis a step ago."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    law = fc.TrueStick(0.25, 0.2, stiffness=1e4, damping=20.0)
    found.add(fc.FrictionElement(found.a.at(TURN @ P), found.b.at(TURN @ P), TURN @ AXIS,
                                 friction=law, normal_force=40.0, name="c"))  # fmt: skip
    state = found.assemble()
    found.move(found.b, 0.4e-3 * AXIS)
    state.q_n[:] = state.q
    found.move(found.a, omega=(0.3, -0.2, 0.6))
    found.move(found.b, 3e-3 * AXIS, (0.1, 0.2, -0.3), **MOTION_B)
    return found


@pytest.mark.parametrize(
    ("beyond", "active", "slipping", "slips"),
    [(-0.1, 1, 0, 0), (0.1, 1, 0, 1), (-0.1, 1, 1, 0), (0.1, 1, 1, 1),
     (0.1, 0, 0, 0), (-0.1, 0, 1, 1)],
)  # fmt: skip
def test_modes_of_a_sticking_spring(beyond, active, slipping, slips):
    """What spring and damper would carry from the anchor is ``beyond`` the limit, N: a step that
    holds its mode goes on as it began, any other slips if it is beyond. What slips carries the
    limit, even if spring and damper would carry less."""
    found = sticking_element()
    k = found.direction(found.a, AXIS)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    slide = k @ (rj - ri)
    speed = k @ (vj - vi - np.cross(found.pose(found.a)[3], rj - ri))
    trial = 1e4 * (slide + 2e-3) + 20 * speed
    assert trial > 1
    coefficient = (trial - beyond) / 40
    for name, x in (("anchor", -2e-3), ("mu", coefficient), ("active", active)):
        found.parameter("StickKind", name, x)
    found.parameter("StickKind", "slipping", slipping)
    found.check(rj, -(coefficient * 40 if slips else trial) * k)
    assert found.observed("slipped") == slips


def test_spring_in_a_tiny_step():
    """A step of 1e-9 of the time is one: what slips keeps the spring that was there before, nearly
    all of it if the damper is stiff on this scale."""
    found, h = sticking_element(), 1e-9
    for name, x in (("anchor", -2e-3), ("mu", 0.1), ("active", 1), ("since", 1 - h)):
        found.parameter("StickKind", name, x)
    found.state.globals[0], found.state.globals[-1] = 1.0, 1 / h
    before = 0.4e-3 + 2e-3
    kept = (0.1 * 40 + 20 / h * before) / (1e4 + 20 / h)
    assert found.channels["c.energy"] == pytest.approx(1e4 / 2 * kept**2, rel=1e-9)


def test_spring_at_rest_at_its_anchor():
    """No force in any direction, and no energy."""
    found = Bench()
    found.add(fc.FrictionElement(found.a.center, found.b.center, TURN @ AXIS, name="c",
                                 friction=fc.TrueStick(0.25), normal_force=40.0))  # fmt: skip
    found.assemble()
    for name in ("c.friction_force", "c.friction_loss", "c.energy", "c.slipping"):
        assert found.channels[name] == 0
    np.testing.assert_array_equal(found.wrench(found.b, found.b.position), 0)


@pytest.mark.parametrize("lift", [0.0, -2e-3])
def test_bristles_on_a_guide(lift):
    """LuGre's force at each corner in touch, with bristles in the guide's axes; they relax where it
    is apart."""
    found = Bench(((0.1, 0, 0), tuple(P)))
    law = fc.LuGre(0.3, 0.2, **BRISTLES)
    found.add(
        fc.TranslationalClearance(
            found.a.at(TURN @ P),
            found.b.center,
            TURN @ AXIS,
            TURN @ ACROSS,
            friction=law,
            **GUIDE | {"width": 0.0},
        )
    )
    # fmt: skip
    found.assemble()
    found.move(found.a, **MOTION_A)
    found.move(found.b, 0.03 * AXIS + (1.4e-3 + lift) * ACROSS, (0.01, -0.015, 0.02), **MOTION_B)
    e = np.column_stack([found.direction(found.a, z) for z in (AXIS, SIDE, ACROSS)])
    ri, vi = found.carried(found.a, P)
    spin, n = found.pose(found.a)[3], np.array([0, 0, 1.0])
    force, touching = np.zeros(3), 0
    z, change = np.array([3e-5, -2e-5, 4e-5]), np.array([0.02, 0.05, -0.01])
    relaxation = BRISTLES["stiffness"] / BRISTLES["damping"]
    for up, side in ((1, "upper"), (-1, "lower")):
        for forward, end in ((1, "front"), (-1, "rear")):
            r, v = found.carried(found.b, P + (forward * 0.1 * AXIS + up * 0.05 * ACROSS) / 2)
            at = found.block(f"g.{side}_{end}.bristle")
            found.state.v[at], found.state.a[at] = z, change
            depth = up * (r - ri) @ e[:, 2] - 0.026
            rate = e.T @ (v - vi - np.cross(spin, r - ri))
            row = change + relaxation * z
            if depth > 0:
                touching += 1
                law_force = normal_size(depth, up * rate[2])
                sliding = rate * (1, 1, 0)
                drag = lugre_drag(z, change, n, sliding, BRISTLES)
                force -= law_force * e @ (up * n + drag)
                row = change - grown(z, n, sliding, BRISTLES)
            np.testing.assert_allclose(found.state.residual()[at], row, rtol=1e-9)
    assert 0 < touching < 4
    np.testing.assert_allclose(
        found.wrench(found.b, ri)[0], force, atol=1e-9 * np.linalg.norm(force) + 1e-12
    )
    if touching:
        see = found.channels
        assert see["g.upper_front.deflection"] == pytest.approx(np.linalg.norm(z))


FACETS = {"axis": (1, 0, 0), "across": (0, 0, 1), "side": "upper", "gap": 0.3, "name": "g"}


@pytest.mark.parametrize(
    "friction", [fc.SurfaceStick(0.3, 0.2, stiffness=2e7), fc.LuGre(0.3, 0.2, **BRISTLES)]
)
def test_facets_apart(friction):
    """No force, no energy; the anchors of what sticks go with the points, bristles relax."""
    brick = Brick(
        lambda z: z.system.add(fc.GuideContact(z.b.at((0, 0, 0)), z.solid.facets("z1"),
                                               law=fc.Winkler(3e7), friction=friction, **FACETS))
    )  # fmt: skip
    bare = Brick().rows
    h = 0.02
    brick.state.globals[-1] = 1 / h
    np.testing.assert_allclose(brick.rows, bare, atol=1e-9)
    assert brick.channels["energy.contact"] == 0
    kind = next(k for k in brick.system.cells if getattr(k, "parts", ()))
    number = next(n for n, z in enumerate(brick.system.state.components) if z.kind == kind)
    component, rows = brick.system.state.components[number], brick.state.parameters[number]
    kept = [kind.column(rows, f"kept{k}") for k in range(3)]
    if isinstance(friction, fc.LuGre):
        for k in range(3):
            kept[k][:] = (3e-5, -2e-5, 4e-5)[k]
    position = brick.state.problem.observers.index(number)
    brick.state.observe()
    values = brick.state.observations.parts[position]
    kind.update(rows, {n: values[:, k] for k, n in enumerate(component.observables)})
    shape, _, _ = brick.facet(5)
    places = shape @ brick.now[brick.upper] - (brick.pose(brick.b)[0] - brick.b.position)
    found = np.stack([z[0] for z in kept], 1)
    if isinstance(friction, fc.LuGre):
        relaxation = BRISTLES["stiffness"] / BRISTLES["damping"]
        # across the guide's normal: z_n / (1 + h relaxation)
        wanted = np.array([3e-5, -2e-5, 0]) / (1 + h * relaxation)
        np.testing.assert_allclose(found, np.tile(wanted, (len(found), 1)), rtol=1e-6, atol=1e-15)
        return
    # the points of the rule in another order
    np.testing.assert_allclose(
        found[np.lexsort(np.round(found, 9).T)], places[np.lexsort(np.round(places, 9).T)],
        atol=1e-9,
    )  # fmt: skip


def test_anchors_of_facets_that_slip():
    """They follow, the spring keeping what it carries: place less force / (stiffness + c / h), for
    points whose anchors were elsewhere."""
    found = Touching(friction=fc.SurfaceStick(0.02, 0.015, stiffness=2e7))
    brick = found.brick
    brick.state.globals[0] = 0.3  # s
    before = brick.channels["energy.contact"]
    rows, kind = accept(brick, "ChangingSurfaceKind")
    moved = (found.s - found.start) * (1, 1, 0)
    size = np.linalg.norm(moved, axis=1)[:, None]
    stretch = 0.02 * found.pressure[:, None] / 2e7 * moved / size
    anchors = np.stack([kind.column(rows, f"kept{k}")[0] for k in range(3)], 1)
    wanted = found.s - stretch
    np.testing.assert_allclose(
        anchors[np.lexsort(np.round(anchors, 6).T[:2])][:, :2],
        wanted[np.lexsort(np.round(wanted, 6).T[:2])][:, :2], atol=1e-6,
    )  # fmt: skip
    # the springs hold what they held, though less is carried from now on
    assert brick.channels["energy.contact"] == pytest.approx(before, rel=1e-9)
    springs = before - found.area @ (K / 2 * found.depth**2)
    assert springs == pytest.approx(found.area @ (2e7 / 2 * np.sum(stretch**2, axis=1)), rel=1e-6)
