"""Elastic balls in space: Hertz's point contact and Mindlin's partial slip (Johnson, Contact
Mechanics, 1985, sections 4.2 and 7.2)."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.meshes.structured import structured

from .two_solids import spaced

#: radius of the contact, and size of what is meshed of the balls, m
A, SIZE = 1e-3, 10e-3
#: overlap at the start, about the approach of the balls, so that the first step finds a contact, m
OVERLAP = 1.5e-6
ONE, TWO = fc.StVenantKirchhoff(2e11, 0.3, 7800.0), fc.StVenantKirchhoff(1e11, 0.25, 7800.0)
RADII = (1.0, 2.0)
SIDES = {"x0": "x", "y0": "y"}


def hertz(materials, radii):
    """Load, N, and peak of the pressure, Pa, of two balls whose contact has the radius ``A``."""
    modulus = 1 / sum((1 - z.nu**2) / z.E for z in materials)
    load = 4 * modulus * A**3 / 3 * sum(1 / z for z in radii)
    return load, 1.5 * load / (np.pi * A**2)


def ball(up, radius, xs, ys, zs):
    """The end of a ball about the origin, with corners of cells at these places; ``zs`` from 0 to
    1, from its surface to its flat end."""

    def place(u):
        depth = u[:, 2] if up else 1 - u[:, 2]
        x, y, v = (
            np.interp(w, np.linspace(0, 1, len(z)), z)
            for w, z in zip((u[:, 0], u[:, 1], depth), (xs, ys, zs), strict=True)
        )
        lift = radius - np.sqrt(radius**2 - x**2 - y**2) if np.isfinite(radius) else 0 * x
        z = lift + (SIZE - lift) * v
        return np.column_stack([x, y, z - OVERLAP if up else -z])

    names = {(0, 0): "x0", (1, 0): "y0", (2, 1 - up): "near", (2, int(up)): "far"}
    cells = (len(xs) - 1, len(ys) - 1, len(zs) - 1)
    return structured(cells, place, degree=1, names=names, source="ball")


def places(fine):
    """Corners of cells along the contact, ``fine`` where it is, and from there to the flat end."""
    return spaced(fine, 1.2 * A, SIZE), spaced(fine, 3 * fine, SIZE) / SIZE


def pressed(fine):
    """A quarter of two balls, pressed together by ``hertz``: the system and their contact."""
    system, solids, (x, z) = fc.System(gravity=(0, 0, 0)), [], places(fine)
    held = SIDES, SIDES | {"far": "z"}
    for up, material, radius, clamped in zip((True, False), (ONE, TWO), RADII, held, strict=True):
        mesh = ball(up, radius, x, x, z)
        solids.append(system.add(fc.Solid(mesh, material, degree=1, clamped=clamped)))
    load = hertz((ONE, TWO), RADII)[0]
    system.add(fc.Traction(solids[0].facets("far"), (0, 0, -load / 4 / SIZE**2)))
    contact = fc.SurfaceContact(
        *(z.facets("near") for z in solids), law=fc.Winkler(20 * ONE.E / fine), reach=0.1 * A,
        name="c",
    )  # fmt: skip
    system.add(contact)
    return system, contact


@pytest.mark.slow
def test_hertz_point_of_two_balls():
    """Balls of 1 m and 2 m, of different materials, meshes that do not match: radius and peak of
    the pressure within 1 %."""
    system, contact = pressed(A / 8)
    results = fc.Statics(system, steps=1).solve()
    load, peak = hertz((ONE, TWO), (1.0, 2.0))
    assert results["c.normal_force"][-1] == pytest.approx(load / 4, rel=1e-6)
    assert np.sqrt(4 * results["c.area"][-1] / np.pi) == pytest.approx(A, rel=0.01)
    assert contact.pressures(system)[1].max() == pytest.approx(peak, rel=0.01)


MU, FINE = 0.3, A / 6


def pushed(mu):
    """Half of a ball on a flat body of the same material, whose flat end is led without turning,
    loaded downwards and moved along x by t metres; and the ball."""
    system = fc.System(gravity=(0, 0, 0))
    given = {"material": ONE, "degree": 1}
    y, z = places(FINE)
    x = np.concatenate([-y[:0:-1], y])
    mesh = ball(True, 1.0, x, y, z)
    # nodes of the far end are held by what leads that
    side = mesh.facets["y0"]
    inner = mesh.points[mesh.cells[side[:, 0]], 2].max(axis=1) < 0.999 * SIZE
    mesh.facets["y0"] = side[inner]
    up = system.add(fc.Solid(mesh, clamped={"y0": "y"}, name="up", **given))
    low = ball(False, np.inf, x, y, z)
    low = system.add(fc.Solid(low, clamped={"y0": "y", "far": "xyz"}, name="low", **given))
    place = (0, 0, SIZE - OVERLAP)
    head, guide = (
        system.add(fc.RigidBody(1.0, (1.0, 1.0, 1.0), position=place, name=n))
        for n in ("head", "guide")
    )
    system.add(fc.PrismaticJoint(system.ground, guide.center, axis=(0, 0, 1)))
    system.add(fc.PrismaticJoint(guide.center, head.center, axis=(1, 0, 0)))
    system.add(
        fc.TranslationDriver(
            guide.center, head.center, axis=(1, 0, 0), displacement=lambda t: t, name="push"
        )
    )
    system.add(fc.Attachment(up.facets("far"), head, kind="rigid"))
    system.add(fc.Force(head, (0, 0, -hertz((ONE, ONE), (1.0,))[0] / 2)))
    friction = fc.SurfaceStick(mu, stiffness=2 * ONE.E / FINE)
    contact = fc.SurfaceContact(
        up.facets("near"), low.facets("near"), law=fc.Winkler(20 * ONE.E / FINE),
        friction=friction, reach=0.1 * A, name="c",
    )  # fmt: skip
    system.add(contact)
    return system, up


@pytest.mark.slow
def test_partial_slip_of_a_ball():
    """About half of mu P: what sticks is a circle of radius c = a (1 - Q / (mu P))^(1/3), and the
    traction in its middle is mu p0 (1 - c/a)."""
    load, peak = hertz((ONE, ONE), (1.0,))
    last = fc.Statics(pushed(1e-9)[0], steps=1, ramp="loads", time=0.0).solve().last
    system, up = pushed(MU)
    for shift in (0.0, 1.6e-7):  # without a shift the coefficient comes into force
        results = fc.Statics(system, steps=1, ramp="time", time=shift, initial=last).solve()
        last = results.last
    assert results["c.normal_force"][-1] == pytest.approx(load / 2, rel=1e-4)
    ratio = abs(results["c.force.x"][-1]) / (MU * load / 2)
    assert 0.4 < ratio < 0.6
    stick = A * (1 - ratio) ** (1 / 3)
    assert np.sqrt(2 * results["c.stuck_area"][-1] / np.pi) == pytest.approx(stick, abs=FINE / 2)
    kept = next(z for z in system.state.problem.blocks if z.what == "kept0")
    origin = np.linalg.norm(up.nodes[up.facets("near").nodes], axis=1).argmin()
    middle = abs(system.state.q[kept.numbers][origin]) * 2 * ONE.E / FINE
    assert middle == pytest.approx(MU * peak * (1 - stick / A), rel=0.1)
