"""Elastic balls in space: Hertz's point contact (Johnson, Contact Mechanics, 1985, section 4.2)."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.meshes.structured import structured

from .two_solids import spaced

#: radius of the contact, size of what is meshed of the balls, and their radii, m
A, SIZE, RADII = 1e-3, 10e-3, (1.0, 2.0)
#: overlap at the start, about the approach of the balls, m
OVERLAP = 1.5e-6
ONE, TWO = fc.StVenantKirchhoff(2e11, 0.3, 7800.0), fc.StVenantKirchhoff(1e11, 0.25, 7800.0)


MODULUS = 1 / sum((1 - z.nu**2) / z.E for z in (ONE, TWO))
LOAD = 4 * MODULUS * A**3 / 3 * sum(1 / z for z in RADII)


def ball(up, radius, fine):
    """A quarter of a ball's end about the origin, cells of size ``fine`` where it touches."""
    xs, zs = spaced(fine, 1.2 * A, SIZE), spaced(fine, 3 * fine, SIZE) / SIZE

    def place(u):
        depth = u[:, 2] if up else 1 - u[:, 2]
        x, y, v = (
            np.interp(w, np.linspace(0, 1, len(z)), z)
            for w, z in ((u[:, 0], xs), (u[:, 1], xs), (depth, zs))
        )
        lift = radius - np.sqrt(radius**2 - x**2 - y**2)
        z = lift + (SIZE - lift) * v
        return np.column_stack([x, y, z - OVERLAP if up else -z])

    names = {(0, 0): "x0", (1, 0): "y0", (2, 1 - up): "near", (2, int(up)): "far"}
    cells = (len(xs) - 1, len(xs) - 1, len(zs) - 1)
    return structured(cells, place, degree=1, names=names, source="ball")


def pressed(fine):
    """A quarter of two balls of different materials, facets of size ``fine`` on facets that are
    larger by 15 %: radius of the contact, m, by the mean of r^2 over the pressure, which is 2/5 a^2
    by Hertz, and peak of the pressure, Pa."""
    system, held = fc.System(gravity=(0, 0, 0)), {"x0": "x", "y0": "y"}
    up = fc.Solid(ball(True, RADII[0], fine), ONE, degree=1, clamped=held, name="up")
    low = ball(False, RADII[1], 1.15 * fine)
    low = fc.Solid(low, TWO, degree=1, clamped=held | {"far": "z"}, name="low")
    for solid in (up, low):
        system.add(solid)
    system.add(fc.Traction(up.facets("far"), (0, 0, -LOAD / 4 / SIZE**2)))
    near = up.facets("near")
    contact = fc.SurfaceContact(near, low.facets("near"), law=fc.Hard(), reach=0.1 * A, name="c")
    system.add(contact)
    results = fc.Statics(system, steps=1).solve()
    assert results["c.normal_force"][-1] == pytest.approx(LOAD / 4, rel=1e-6)
    x, y = up.nodes[near.nodes, 0], up.nodes[near.nodes, 1]
    order, side = np.lexsort((y, x)), np.unique(x)
    pressure = np.maximum(system.state.q[contact.block.numbers], 0.0)

    def integral(f):
        return np.trapezoid(np.trapezoid(f[order].reshape(len(side), -1), side), side)

    assert integral(pressure) == pytest.approx(LOAD / 4, rel=1e-4)
    spread = integral(pressure * (x**2 + y**2)) / integral(pressure)
    return np.sqrt(2.5 * spread), pressure.max()


@pytest.mark.slow
def test_hertz_point_of_two_balls():
    """Radius and peak; the error of the radius falls with more than the power 1.5 of the size of
    the facets."""
    coarse, fine = (pressed(A / n) for n in (4, 6))
    exact = A, 1.5 * LOAD / (np.pi * A**2)
    assert fine[0] == pytest.approx(exact[0], rel=0.025)
    assert fine[1] == pytest.approx(exact[1], rel=0.01)
    assert abs(fine[0] - A) < (4 / 6) ** 1.5 * abs(coarse[0] - A)
