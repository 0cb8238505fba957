"""Systems of two elastic solids whose facets touch, for tests and cases of them."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.meshes.structured import structured

SOFT = fc.StVenantKirchhoff(2e9, 0.3, 1000.0)
#: of the penalty, Pa/m
STIFFNESS = 1e13
#: on the upper block, Pa
PRESSURE = 1e6
#: half width of Hertz's contact, m
HALF_WIDTH = 1e-3
#: smallest cells of that, m
FINE = 5e-5


def stack(
    cells=(5, 7), degree=2, friction=None, held=({}, {}), law=None, with_contact=False, **options
):
    """Two plane blocks of 0.1 m x 0.05 m that meet at y = 0, with so many cells side by side.

    Args:
        held: what is clamped of the lower and of the upper block.
        with_contact: return the contact, too.
        options: of both blocks.
    """
    system = fc.System(gravity=(0, 0, 0))
    same = {"degree": degree, "state": "plane_strain", "thickness": 0.02, **options}
    blocks = []
    for n, y, name, clamped in zip(cells, (-0.025, 0.025), ("low", "up"), held, strict=True):
        mesh = meshes.block((0.1, 0.05), (n, 3), center=(0, y, 0))
        blocks.append(system.add(fc.Solid(mesh, SOFT, name=name, clamped=clamped, **same)))
    low, up = blocks
    law = law or fc.Winkler(STIFFNESS)
    contact = fc.SurfaceContact(
        up.facets("y0"), low.facets("y1"), law=law, friction=friction, name="c"
    )
    system.add(contact)
    return (system, low, up, contact) if with_contact else (system, low, up)


def stack_in_space(cell, law, layers):
    """Two blocks of 0.1 m x 0.1 m x 0.05 m that meet at z = 0: 2 x 2 facets, quadrilaterals or, of
    ``cell`` "tetrahedron", triangles, on 3 x 3, and so many layers of cells in each block."""
    system = fc.System(gravity=(0, 0, 0))
    sides, size = {"x0": "x", "y0": "y"}, (0.1, 0.1, 0.05)
    mesh = meshes.block(size, (3, 3, layers), center=(0, 0, -0.025))
    held = {"z0": "z", **sides}
    low = system.add(fc.Solid(mesh, SOFT, degree=1, clamped=held, name="low"))
    mesh = meshes.block(size, (2, 2, layers), center=(0, 0, 0.025))
    mesh = meshes.simplices(mesh) if cell == "tetrahedron" else mesh
    up = system.add(fc.Solid(mesh, SOFT, degree=1, clamped=sides, name="up"))
    system.add(fc.FacetPairContact(up.facets("z0"), low.facets("z1"), law=law, name="c"))
    return system, low, up


def check_uniform(results, system, solids, axis, area, tolerances):
    """A uniform pressure passes through both solids, whose contact is ``c``: the stress along an
    axis is the same at each node, the force is ``PRESSURE`` times the area. Tolerances: of the
    stress's differences, of the force."""
    stress = [z.recover(system.state, "stress")[:, axis, axis] for z in solids]
    stress = np.concatenate(stress)
    assert np.abs(stress / stress.mean() - 1).max() < tolerances[0]
    assert stress.mean() == pytest.approx(-PRESSURE, rel=1e-3)  # of the deformed area
    assert results["c.normal_force"][-1] == pytest.approx(PRESSURE * area, rel=tolerances[1])
    assert results["c.area"][-1] == pytest.approx(area, rel=1e-12)


def colliding(friction=None):
    """Two free plane blocks that collide, turn and slide along each other."""
    system = fc.System(gravity=(0, 0, 0))
    soft = fc.StVenantKirchhoff(2e8, 0.3, 1000.0)
    same = {"state": "plane_strain", "thickness": 0.02, "free": True}
    one = system.add(
        fc.Solid(meshes.block((0.1, 0.05), (6, 3), center=(0, -0.0255, 0)), soft, name="one",
                 velocity=(0, 1.0, 0), angular_velocity=(0, 0, 2.0), **same)
    )  # fmt: skip
    two = system.add(
        fc.Solid(meshes.block((0.08, 0.04), (7, 3), center=(0.02, 0.0205, 0)), soft, name="two",
                 velocity=(0.4, -1.0, 0), **same)
    )  # fmt: skip
    for solid in (one, two):
        system.add(fc.SolidProbe(solid, name=f"{solid.name}_all"))
    law = fc.Winkler(1e11)
    contact = fc.SurfaceContact(
        two.facets("y0"), one.facets("y1"), law=law, friction=friction, name="c"
    )
    system.add(contact)
    return system


def check_kept(friction, channel):
    """Linear momentum to round-off and angular momentum to the integrator's error through the
    impact of ``colliding``, and energy is never above that of the start: energies and values of a
    channel after each step."""
    stepper = fc.Stepper(colliding(friction), fc.GeneralizedAlpha(1.0), dt=5e-6, t_end=2.5e-3)
    stepper.start()

    def momenta():
        stepper.channels.read()
        return [
            sum(stepper.channels[f"{n}_all.{q}"] for n in ("one", "two"))
            for q in ("px", "py", "Lz")
        ]

    before, energy, values = momenta(), [stepper.channels["energy.total"]], []
    while stepper.t < stepper.t_end - 1e-12:
        stepper.advance()
        energy.append(stepper.channels["energy.total"])
        values.append(stepper.channels[channel])
    after = momenta()
    assert after[:2] == pytest.approx(before[:2], abs=1e-14)
    assert after[2] == pytest.approx(before[2], rel=1e-5)
    assert max(energy) <= energy[0] * (1 + 1e-12)
    return energy, values


def graded(unit, length, fine):
    """Places from 0 to a length, the first ones some ``fine`` apart."""
    steep = np.arcsinh(length / fine / 10) + 1.0
    return length * np.sinh(steep * unit) / np.sinh(steep)


def spaced(fine, even, size):
    """Places from 0 to ``size``, some ``fine`` apart up to ``even`` and further and further
    beyond."""
    x = [*np.arange(round(even / fine) + 1) * fine]
    while x[-1] < size:
        x.append(x[-1] + 1.4 * (x[-1] - x[-2]))
    x, far = np.array(x), np.array(x) > 1.0001 * even
    x[far] = even + (x[far] - even) * (size - even) / (x[-1] - even)
    return x


def round_end(radius, up, cells, fine, size=40 * HALF_WIDTH):
    """Half of a block whose upper or lower side is round, about the origin."""

    def place(u):
        x = graded(u[:, 0], size, fine)
        lift = radius - np.sqrt(radius**2 - x**2)
        v = u[:, 1] if up else 1 - u[:, 1]
        y = lift + (size - lift) * graded(v, 1.0, fine / size)
        return np.column_stack([x, y if up else -y, 0 * x])

    near, far = ((1, 0), (1, 1)) if up else ((1, 1), (1, 0))
    names = {(0, 0): "middle", near: "round", far: "flat"}
    return structured(cells, place, degree=2, names=names, source="round end")


def cylinders(law):
    """Halves of two cylinders of 0.1 m and 0.25 m, of different materials, pressed together so that
    Hertz's contact has ``HALF_WIDTH``: the system, the contact and the load, N/m."""
    one, two = fc.StVenantKirchhoff(2e11, 0.3, 7800.0), fc.StVenantKirchhoff(1e11, 0.25, 7800.0)
    modulus = 1 / sum((1 - z.nu**2) / z.E for z in (one, two))
    radius = 1 / (1 / 0.1 + 1 / 0.25)
    load = np.pi * modulus * HALF_WIDTH**2 / (4 * radius)
    system = fc.System(gravity=(0, 0, 0))
    same = {"state": "plane_strain"}
    up = system.add(
        fc.Solid(round_end(0.1, True, (36, 30), FINE), one, clamped={"middle": "x"}, **same)
    )
    held = {"middle": "x", "flat": "y"}
    low = system.add(fc.Solid(round_end(0.25, False, (33, 28), FINE), two, clamped=held, **same))
    system.add(fc.Traction(up.facets("flat"), (0, -load / 2 / (40 * HALF_WIDTH), 0)))
    contact = fc.SurfaceContact(
        up.facets("round"), low.facets("round"), law=law, reach=2 * HALF_WIDTH, name="c"
    )
    system.add(contact)
    return system, contact, load
