"""Guides, rods and friction elements: forces on both bodies by hand."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

import fem_clearance as fc

from ..forces import TURN, Bench
from .states import (
    AXIS,
    BRISTLES,
    COMMON,
    COULOMB,
    FLOOR,
    MOTION_A,
    MOTION_B,
    P,
    accept,
    check_apart,
    normal_size,
    smooth,
)  # fmt: skip

ACROSS = np.cross(AXIS, (2.0, 1.0, -2.0)) / np.linalg.norm(np.cross(AXIS, (2.0, 1.0, -2.0)))
SIDE = np.cross(ACROSS, AXIS)
GUIDE = {"length": 0.1, "height": 0.05, "gap": 0.052, "width": 0.04, "approach_floor": FLOOR,
         "normal": fc.LankaraniNikravesh(), "stiffness": 1e8, "name": "g"}  # fmt: skip


def guide(tilt=(0.01, -0.015, 0.02), **options):
    found = Bench(((0.1, 0, 0), tuple(P)))
    found.add(fc.TranslationalClearance(found.a.at(TURN @ P), found.b.center, TURN @ AXIS,
                                        TURN @ ACROSS, **GUIDE | options))  # fmt: skip
    found.assemble()
    found.move(found.a, **MOTION_A)
    found.move(found.b, 0.03 * AXIS + 0.002 * SIDE + 1.4e-3 * ACROSS, tilt, **MOTION_B)
    return found


def corners(found, heights, friction=smooth):
    """Force and moment on the slider about the guide's frame: of each corner that is beyond a
    surface; ``heights``: of both surfaces at x beyond half the gap, and their slopes."""
    e1, e3 = (found.direction(found.a, z) for z in (AXIS, ACROSS))
    ri, vi = found.carried(found.a, P)
    spin = found.pose(found.a)[3]
    force, moment, loss, touching = np.zeros(3), np.zeros(3), 0.0, 0
    for up in (1, -1):
        for forward in (1, -1):
            for out in (1, -1):
                place = P + (forward * 0.1 * AXIS + out * 0.04 * SIDE + up * 0.05 * ACROSS) / 2
                r, v = found.carried(found.b, place)
                x, z = (r - ri) @ e1, (r - ri) @ e3
                height, slope, bend = heights[up](x)
                size = np.sqrt(1 + slope**2)
                depth = (up * z - 0.026 - height) / size
                if depth <= 0:
                    continue
                touching += 1
                normal = (up * e3 - slope * e1) / size
                # the depth's own gradient: the size of the slope varies along the guide
                gradient = normal - depth * slope * bend / size**2 * e1
                relative = v - vi - np.cross(spin, r - ri)
                sliding = relative - relative @ normal * normal
                law = normal_size(depth, gradient @ relative)
                drag = law * friction(sliding)
                force -= law * gradient + drag
                moment -= np.cross(r - ri, law * gradient + drag)
                loss += drag @ sliding
    return force, moment, loss, touching, ri


def flat(x):
    return 0.0, 0.0, 0.0


def wavy(x):
    w = 2 * np.pi / 0.07
    return (4e-4 * np.cos(w * (x - 0.01)), -4e-4 * w * np.sin(w * (x - 0.01)),
            -4e-4 * w**2 * np.cos(w * (x - 0.01)))  # fmt: skip


def curved(x):
    return (x - 0.02) ** 2 / (2 * -4.0), (x - 0.02) / -4.0, 1 / -4.0


def hollow(x):
    z = (x + 0.01) / 0.05
    deep = -5e-4 * np.exp(-(z**2))
    return deep, -2 * z / 0.05 * deep, (4 * z**2 - 2) / 0.05**2 * deep


SURFACES = {
    "flat": (None, flat),
    "wavy": (fc.guides.Sinusoidal(4e-4, 0.07, 0.01), wavy),
    "curved": (fc.guides.Parabolic(-4.0, 0.02), curved),
    "hollow": (fc.guides.Dent(-5e-4, -0.01, 0.05), hollow),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_translational_clearance(surface):
    """Corners on surfaces of several shapes, with friction."""
    shape, height = SURFACES[surface]
    options = {} if shape is None else {"surfaces": (shape, fc.guides.Plane())}
    found = guide(**options, **COULOMB)
    force, moment, loss, touching, ri = corners(found, {1: height, -1: flat})
    assert touching > 1
    found.check(ri, force, moment, rel=1e-7)
    see = found.channels
    assert sum(see[n] for n in see.names if n.endswith("friction_loss")) == pytest.approx(loss)
    found.move(found.b, **MOTION_B)
    check_apart(found)


@pytest.mark.parametrize("mu", [0.5, 0.05])
def test_friction_that_sticks_on_a_guide(mu):
    """Spring and damper from the place at the start, cut at mu x normal force. What slips keeps an
    implicit Euler step of k e + c de/dt = friction in its spring, from e = 0; accepting the step
    moves anchors, not energy."""
    law = fc.TrueStick(mu, 0.04, stiffness=1e4, damping=300.0)
    found = guide(friction=law)
    e = [found.direction(found.a, z) for z in (AXIS, SIDE, ACROSS)]
    ri, vi = found.carried(found.a, P)
    spin = found.pose(found.a)[3]
    force, cut, loss, energy, pace = np.zeros(3), 0, 0.0, 0.0, 300.0 / 5e-3
    for up in (1, -1):
        for forward in (1, -1):
            for out in (1, -1):
                local = (forward * 0.1 * AXIS + out * 0.04 * SIDE + up * 0.05 * ACROSS) / 2
                r, v = found.carried(found.b, P + local)
                depth = up * (r - ri) @ e[2] - 0.026
                if depth <= 0:
                    continue
                relative = v - vi - np.cross(spin, r - ri)
                law_force = normal_size(depth, up * relative @ e[2])
                # where it began, carried along by the guide
                start = ri + sum(
                    (local @ z) * d for z, d in zip((AXIS, SIDE, ACROSS), e, strict=True)
                )
                trial = 1e4 * (r - start) + 300 * relative
                trial -= trial @ e[2] * e[2]
                limit = mu * law_force
                cut += np.linalg.norm(trial) > limit
                pull = trial * min(1, limit / np.linalg.norm(trial))
                force -= up * law_force * e[2] + pull
                loss += pull @ relative
                moved = r - start - (r - start) @ e[2] * e[2]
                kept = moved if np.linalg.norm(trial) <= limit else pull / (1e4 + pace)
                energy += 1e8 * depth**2.5 / 2.5 + 1e4 / 2 * kept @ kept
    assert bool(cut) == (mu < 0.1)
    np.testing.assert_allclose(found.wrench(found.b, ri)[0], force, rtol=1e-8)
    found.state.globals[0], found.state.globals[-1] = 0.3, 1 / 5e-3  # time; 1 / step
    see = found.channels
    assert sum(see[n] for n in see.names if n.endswith("friction_loss")) == pytest.approx(loss)
    assert see["energy.contact"] == pytest.approx(energy)
    accept(found, "ChangingContactKind")
    assert found.channels["energy.contact"] == pytest.approx(energy)


# --- a slider on a rod; friction with a given normal force --------------------------------------
def along_axis(item, shift):
    """An item along AXIS at P; both bodies in motion, the relative one along the axis known."""
    found = Bench(((0.1, 0, 0), (0.5, 0.3, 0.2)))
    found.add(item(found.a.at(TURN @ P), found.b.at(TURN @ P)))
    found.assemble()
    found.move(found.a, omega=(0.3, -0.2, 0.6))
    found.move(found.b, shift, (0.1, 0.2, -0.3), **MOTION_B)
    (ri, vi), (rj, vj) = (found.carried(body, P) for body in (found.a, found.b))
    k = found.direction(found.a, AXIS)
    rate = k @ (vj - vi - np.cross(found.pose(found.a)[3], rj - ri))
    return found, k, (rj - ri) @ k, rate, rj


@pytest.mark.parametrize("side", [1, -1])
def test_rod_guide(side):
    """Contact on both sides of the rod: -sgn(y) F(abs(y) - c) (errata, "Contact on both sides")."""
    found, k, y, rate, rj = along_axis(
        lambda i, j: fc.RodGuide(i, j, TURN @ AXIS, hole_radius=0.02, rod_radius=0.019, **COMMON),
        (side * 0.1 + 0.03) * AXIS,
    )  # fmt: skip
    assert side * y > 1e-3
    force = normal_size(abs(y) - 1e-3, side * rate)
    found.check(rj, -side * force * k)
    assert found.channels["c.displacement"] == pytest.approx(y)
    assert found.channels["c.normal_force"] == pytest.approx(force)
    assert found.channels["energy.contact"] == pytest.approx(1e8 * (abs(y) - 1e-3) ** 2.5 / 2.5)
    # the hole's middle within the clearance, off the rod's
    found.state.q[found.numbers(found.b)[:3]] -= (y - side * 6e-4) * k
    check_apart(found)


def test_squeeze_film_of_a_rod():
    """Ebrahimi et al. (2017) eqs. (14), (15)."""
    film = fc.SqueezeFilm(viscosity=0.05, length=0.03, spring=2e4)
    found, k, y, rate, rj = along_axis(
        lambda i, j: fc.RodGuide(i, j, TURN @ AXIS, hole_radius=0.25, rod_radius=0.1, force=film,
                                 name="c"), 2e-3 * AXIS)  # fmt: skip
    c = 0.15
    assert abs(y) < c
    D = 12 * np.pi * 0.05 * 0.03 * 0.1**3 / c**2
    force = D * (-rate / c) / (1 - (y / c) ** 2) ** 1.5 - 2e4 * y
    found.check(rj, force * k)
    assert found.channels["c.normal_force"] == pytest.approx(force)
    assert found.channels["energy.contact"] == pytest.approx(2e4 * y**2 / 2)


def test_friction_element():
    """mu(v) x normal force against the sliding."""
    found, k, x, rate, rj = along_axis(
        lambda i, j: fc.FrictionElement(i, j, TURN @ AXIS, friction=fc.SmoothCoulomb(0.2, 0.3),
                                        normal_force=40.0, name="f"), 0.01 * AXIS)  # fmt: skip
    force = -40 * 0.2 * np.tanh(abs(rate) / 0.3) * np.sign(rate)
    found.check(rj, force * k)
    see = found.channels
    assert see["f.friction_force"] == pytest.approx(force)
    assert see["f.friction_loss"] == pytest.approx(-force * rate)
    assert see["f.slide"] == pytest.approx(x)
    assert see["f.speed"] == pytest.approx(rate)
    assert see["f.normal_force"] == pytest.approx(40)


def test_friction_element_with_bristles():
    """LuGre's law of one dimension."""
    law = fc.LuGre(0.3, 0.2, **BRISTLES)
    found, k, _, v, rj = along_axis(
        lambda i, j: fc.FrictionElement(i, j, TURN @ AXIS, friction=law, normal_force=40.0,
                                        name="c"), 0.01 * AXIS)  # fmt: skip
    at = found.block("c.bristle")
    z, change = 3e-5, -0.02
    found.state.v[at], found.state.a[at] = z, change
    force = 40 * (2e3 * z + 0.4 * change + 0.05 * v)
    found.check(rj, -force * k)
    g = 0.2 + 0.1 * np.exp(-((v / 0.2) ** 2))
    row = found.state.residual()[at]
    assert row == pytest.approx(change - (v - 2e3 * abs(v) / g * z))
    assert found.channels["c.deflection"] == pytest.approx(z)


@pytest.mark.parametrize("slips", [False, True])
def test_friction_element_that_sticks(slips):
    """A spring and a damper from the anchor, cut at mu_s x normal force."""
    law = fc.TrueStick(0.25, 0.2, stiffness=1e4, damping=20.0)
    load = 40.0 if slips else 1e5
    found, k, x, v, rj = along_axis(
        lambda i, j: fc.FrictionElement(i, j, TURN @ AXIS, friction=law, normal_force=load,
                                        name="c"), 0.01 * AXIS)  # fmt: skip
    trial = 1e4 * x + 20 * v
    assert (abs(trial) > 0.25 * load) == slips
    force = np.sign(trial) * 0.25 * load if slips else trial
    found.check(rj, -force * k)
    see = found.channels
    stretch = force / 1e4 if slips else x  # steady state: no time passes for the damper
    assert see["c.friction_loss"] == pytest.approx(force * v)
    found.state.globals[0], found.state.globals[-1] = 1.0, 200.0  # time; 1 / step
    if slips:
        stretch = (force + 20 * 200 * 0.0) / (1e4 + 20 * 200)
    assert found.channels["c.energy"] == pytest.approx(1e4 * stretch**2 / 2)


@dataclass(frozen=True)
class Step(fc.GuideSurface):
    """A guide that is wider by ``rise`` beyond x = 0.2 m."""

    rise: float
    parameters: ClassVar[tuple[str, ...]] = ("rise",)

    @staticmethod
    def height(x, y, p):
        s = (x - 0.2) / 0.01
        return p.rise / 2 * (1 + s / (1 + s**2) ** 0.5)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_gap_of_a_surface_of_ones_own(side):
    """Far on both sides of the step, and in it, for a point 2 mm inside of half the height."""
    p = SimpleNamespace(rise=1e-4, half=0.03, side=side)
    for x, wider in ((-10.0, 0.0), (0.2, 0.5e-4), (10.0, 1e-4)):
        place = x, 0.0, side * 0.028
        assert Step.gap(place, p) == pytest.approx(0.002 + wider, abs=1e-10)
        assert fc.GuideSurface.gap(place, p) == pytest.approx(0.002, abs=1e-12)
