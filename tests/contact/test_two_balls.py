"""Two elastic balls in space: Hertz's point contact between curved facets that do not match."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.meshes.structured import structured

from .two_solids import graded

STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800.0)
#: radius of Hertz's contact, smallest cells, and size of the blocks, m
A, FINE, SIZE = 1e-3, 1.2e-4, 8e-3


def quarter(radius, up, cells):
    """A quarter of a block whose upper or lower side is a part of a ball, about the origin."""

    def place(u):
        x, y = (graded(u[:, k], SIZE, FINE) for k in (0, 1))
        lift = radius - np.sqrt(radius**2 - x**2 - y**2)
        w = u[:, 2] if up else 1 - u[:, 2]
        z = lift + (SIZE - lift) * graded(w, 1.0, FINE / SIZE)
        return np.column_stack([x, y, z if up else -z])

    near, far = ((2, 0), (2, 1)) if up else ((2, 1), (2, 0))
    names = {(0, 0): "x", (1, 0): "y", near: "round", far: "flat"}
    return structured(cells, place, degree=1, names=names, source="quarter of a ball")


@pytest.mark.slow
def test_hertz_point_of_two_balls():
    """Balls of 0.1 m and 0.25 m: radius and peak of Hertz's pressure (Johnson, Contact Mechanics,
    1985, section 4.2) within what cells of degree 1 and of 0.12 radii resolve."""
    modulus, radius = STEEL.E / (2 * (1 - STEEL.nu**2)), 1 / (1 / 0.1 + 1 / 0.25)
    load = 4 / 3 * modulus * A**3 / radius
    system = fc.System(gravity=(0, 0, 0))
    sides = {"x": "x", "y": "y"}
    up = system.add(
        fc.Solid(quarter(0.1, True, (12, 12, 8)), STEEL, degree=1, clamped=sides, name="up")
    )
    low = system.add(
        fc.Solid(quarter(0.25, False, (11, 11, 8)), STEEL, degree=1, name="low",
                 clamped={"flat": "z", **sides})
    )  # fmt: skip
    system.add(fc.Traction(up.facets("flat"), (0, 0, -load / 4 / SIZE**2)))
    contact = fc.SurfaceContact(
        up.facets("round"), low.facets("round"), law=fc.Winkler(10 * STEEL.E / FINE), reach=3 * A,
        name="c",
    )  # fmt: skip
    system.add(contact)
    results = fc.Statics(system, steps=2).solve()
    places, pressure = contact.pressures(system)
    area = results["c.area"][-1] * 4
    print(np.sqrt(area / np.pi) / A, pressure.max() / (1.5 * load / (np.pi * A**2)))
    print(results.summary)
    assert results["c.normal_force"][-1] == pytest.approx(load / 4, rel=1e-5)
    assert np.sqrt(area / np.pi) == pytest.approx(A, rel=0.02)
    middle = np.linalg.norm(places[:, :2], axis=1) < 0.7 * A
    hertz = np.sqrt(1 - np.sum(places[middle, :2] ** 2, axis=1) / A**2)
    peak = pressure[middle] @ hertz / (hertz @ hertz)
    assert peak == pytest.approx(1.5 * load / (np.pi * A**2), rel=0.02)
