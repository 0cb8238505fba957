"""Two elastic solids pressed together and then pushed sideways: Cattaneo and Mindlin's partial slip
(Johnson, Contact Mechanics, 1985, section 7.2)."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.meshes.structured import structured

from .two_solids import spaced

#: half width of the contact, m, coefficient of friction, radius and size of the bodies, m
A, MU, RADIUS, SIZE = 1e-3, 0.3, 0.1, 20e-3
#: overlap at the start, so that the first step finds a contact, m
OVERLAP = 1e-7
STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
MODULUS = STEEL.E / (1 - STEEL.nu**2) / 2
LOAD = np.pi * MODULUS * A**2 / (4 * RADIUS)
PEAK = 2 * LOAD / (np.pi * A)


def body(up, fine, radius):
    """A block whose side at the origin is round, or flat for an infinite radius."""
    xs, ys = spaced(fine, 1.5 * A, SIZE), spaced(fine, 3 * fine, SIZE) / SIZE
    xs = np.concatenate([-xs[:0:-1], xs])

    def place(u):
        x = np.interp(u[:, 0], np.linspace(0, 1, len(xs)), xs)
        lift = 0 * x if np.isinf(radius) else radius - np.sqrt(radius**2 - x**2)
        v = u[:, 1] if up else 1 - u[:, 1]
        y = lift + (SIZE - lift) * np.interp(v, np.linspace(0, 1, len(ys)), ys)
        return np.column_stack([x, y - OVERLAP if up else -y, 0 * x])

    near, far = ((1, 0), (1, 1)) if up else ((1, 1), (1, 0))
    cells = len(xs) - 1, len(ys) - 1
    return structured(cells, place, degree=2, names={near: "near", far: "far"}, source="body")


def cylinder(mu, fine):
    """A cylinder on a flat body of the same material, whose flat end is led without turning, loaded
    downwards and moved sideways by t metres; and the places of its nodes at the contact."""
    system = fc.System(gravity=(0, 0, 0))
    given = {"material": STEEL, "state": "plane_strain"}
    up = system.add(fc.Solid(body(True, fine, RADIUS), free=True, name="up", **given))
    low = body(False, 1.1 * fine, np.inf)
    low = system.add(fc.Solid(low, clamped="far", name="low", **given))
    place = (0, SIZE - OVERLAP, 0)
    head, guide = (
        system.add(fc.RigidBody(1.0, (1.0, 1.0, 1.0), position=place, name=n))
        for n in ("head", "guide")
    )
    system.add(fc.PrismaticJoint(system.ground, guide.center, axis=(0, 1, 0)))
    system.add(fc.PrismaticJoint(guide.center, head.center, axis=(1, 0, 0)))
    system.add(
        fc.TranslationDriver(
            guide.center, head.center, axis=(1, 0, 0), displacement=lambda t: t, name="push"
        )
    )
    system.add(fc.Attachment(up.facets("far"), head, kind="rigid"))
    system.add(fc.Force(head, (0, -LOAD, 0)))
    system.add(
        fc.SurfaceContact(
            up.facets("near"), low.facets("near"), law=fc.Winkler(20 * STEEL.E / fine),
            friction=fc.SurfaceStick(mu, stiffness=2 * STEEL.E / fine), reach=3 * A, name="c",
        )
    )  # fmt: skip
    return system, up.nodes[up.facets("near").nodes, 0]


def pushed(fine, shifts):
    """Pressed without friction, then pushed by some shifts, m, one after the other: places of the
    nodes, and for each shift the ratio Q / (mu P), traction and pressure at the nodes, Pa, and the
    width of what sticks by ``stuck_area``, m."""
    last = fc.Statics(cylinder(1e-9, fine)[0], steps=1, ramp="loads", time=0.0).solve().last
    system, x = cylinder(MU, fine)
    near = np.abs(x) < 1.25 * A
    order = np.flatnonzero(near)[np.argsort(x[near])]
    found = []
    for shift in (0.0, *shifts):  # without a shift the coefficient comes into force
        run = fc.Statics(system, steps=1, ramp="time", time=shift, initial=last)
        results = run.solve()
        last = results.last
        assert results["c.normal_force"][-1] == pytest.approx(LOAD, rel=1e-4)
        state = system.state
        at = {z.what: state.q[z.numbers][order] for z in state.problem.blocks if z.owner == "c"}
        ratio = -results["c.force.x"][-1] / (MU * LOAD)
        carried, stuck = 2 * STEEL.E / fine * np.abs(at["kept0"]), results["c.stuck_area"][-1]
        found.append((abs(ratio), carried, at["load"], stuck))
    return x[order], found[1:]


def traction(x, ratio):
    """Cattaneo's, Pa, and the half width that sticks, m."""
    stick = A * np.sqrt(1 - ratio)
    outer, inner = (np.sqrt(np.maximum(1 - (x / z) ** 2, 0)) for z in (A, stick))
    return MU * PEAK * (outer - stick / A * inner), stick


def error(x, found, exact):
    """In the mean square, relative."""
    return np.sqrt(np.trapezoid((found - exact) ** 2, x) / np.trapezoid(exact**2, x))


def test_partial_slip():
    """Nearly half of mu P: the traction is Cattaneo's, with an error that falls with the size h of
    the facets, and what sticks ends within half a facet of a sqrt(1 - Q / (mu P)).

    The shift is C Q + mu P / (pi E*) ((1 - x) ln(1 - x) + x) with x = Q / (mu P): what slips adds
    to that of bodies that stick, whose compliance C depends on their size and is found by a small
    force. It follows from the normal approach, which for Hertz's line contact is C' P - P ln(a^2) /
    (pi E*): the shift is mu times its difference between P and P - Q / mu (Ciavarella 1998, Jaeger
    1998).
    """
    errors, shifts = [], (1e-7, 4e-6)
    for fine, within in ((A / 4, 0.2), (A / 8, 0.07)):
        x, ((small, *_), (ratio, found, pressure, stuck)) = pushed(fine, shifts)
        exact, stick = traction(x, ratio)
        assert 0.45 < ratio < 0.5
        errors.append(error(x, found, exact))
        right = x >= 0
        slips = x[right][np.argmax((found > 0.99 * MU * pressure)[right])]
        assert slips - fine / 4 == pytest.approx(stick, abs=fine / 2)
        assert stuck == pytest.approx(2 * stick, abs=fine)
        added = [MU * LOAD / (np.pi * MODULUS) * ((1 - z) * np.log(1 - z) + z)
                 for z in (small, ratio)]  # fmt: skip
        sticking = (shifts[0] - added[0]) / small * ratio
        assert shifts[1] - sticking == pytest.approx(added[1], rel=within)
    assert errors[0] < 0.1 and errors[1] < 0.6 * errors[0]
