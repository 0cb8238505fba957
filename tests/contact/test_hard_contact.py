"""Hard contact of facets: pressures as unknowns, in equilibrium."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.diagnostics import tangent_error

from .test_elastic_bore import STEEL, R, half_plate

CLEARANCE = 1e-5


def pressed(half):
    """A rigid pin in the bore of half a plate under the load that makes a half angle, degrees."""
    wanted = fc.PinInBore(R, CLEARANCE, STEEL).at_angle(np.radians(half))
    system = fc.System(gravity=(0, 0, 0))
    mesh = half_plate(1.3 * wanted.half_angle)
    clamped = {"start": "y", "end": "y", "rim": "xy"}
    plate = system.add(fc.Solid(mesh, STEEL, state="plane_strain", clamped=clamped, name="plate"))
    place = (1.001 * CLEARANCE, 0, 0)
    pin = system.add(fc.RigidBody(1.0, (1, 1, 1), position=place, name="pin"))
    system.add(fc.PrismaticJoint(system.ground, pin.center, axis=(1, 0, 0)))
    system.add(fc.Force(pin.center, (wanted.load / 2, 0, 0)))
    surface = fc.CylinderSurface(pin.center, radius=R - CLEARANCE)
    contact = fc.SurfaceContact(plate.facets("bore"), surface, law=fc.Hard(), name="c")
    system.add(contact)
    return system, plate, pin, contact, wanted


@pytest.mark.parametrize("half", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_rigid_pin_in_an_elastic_bore(half):
    """Against the exact series of ``PinInBore``: half angle within 0.5 degrees, peak within 0.5 %;
    no node penetrates, no pressure is negative, and where there is any there is no gap. The state
    is stable."""
    system, plate, pin, contact, wanted = pressed(half)
    results = fc.Statics(system, steps=3).solve()
    pressure = system.state.q[contact.block.numbers]
    assert np.degrees(results["c.area"][-1] / R) == pytest.approx(half, abs=0.5)
    assert pressure.max() == pytest.approx(wanted.peak, rel=5e-3)
    nodes = plate.facets("bore").nodes
    x = (plate.nodes + plate.at_nodes(system.state.q))[nodes]
    x -= system.state.q[pin.refs[0].numbers]
    gap = np.hypot(x[:, 0], x[:, 1]) - (R - CLEARANCE)
    assert gap.min() > -1e-13
    assert pressure.min() > -1e-12 * wanted.peak
    assert np.abs(gap[pressure > 1e-6 * wanted.peak]).max() < 1e-13
    assert results["c.force.x"][-1] == pytest.approx(-wanted.load / 2, rel=1e-9)
    assert results.summary["stable"] is True
    assert results.summary["newton_iterations"] < 30


def test_flat_on_flat_in_space():
    """A block pressed on a plane by 1 MPa, degrees 1 and 2: uniform pressure at every node."""
    for degree in (1, 2):
        system = fc.System(gravity=(0, 0, 0))
        block = system.add(
            fc.Solid(meshes.block((0.1, 0.05, 0.04), (3, 2, 2), center=(0, 0, 0.02)), STEEL,
                     degree=degree, incompatible_modes=degree == 1, name="block",
                     clamped={"x0": "x", "y0": "y"})
        )  # fmt: skip
        system.add(fc.Pressure(block.facets("z1"), 1e6, follower=False))
        contact = fc.SurfaceContact(
            block.facets("z0"), fc.PlaneSurface(system.ground), law=fc.Hard(), name="c"
        )
        system.add(contact)
        results = fc.Statics(system).solve()
        assert results["c.normal_force"][-1] == pytest.approx(1e6 * 0.1 * 0.05, rel=1e-9)
        assert system.state.q[contact.block.numbers] == pytest.approx(1e6, rel=1e-5)


def test_tangent():
    """Against central differences, nodes in contact and free."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.hollow_cylinder(R, 2 * R, 1.0, (8, 1), degree=2)
    ring = system.add(fc.Solid(mesh, STEEL, state="plane_strain", clamped="rim", name="ring"))
    pin = system.add(fc.RigidBody(1.0, (1, 1, 1), free=True, name="pin"))
    surface = fc.CylinderSurface(pin.center, radius=R)
    contact = fc.SurfaceContact(ring.facets("bore"), surface, law=fc.Hard(), name="c")
    system.add(contact)
    state, rng = system.state, np.random.default_rng(1)
    state.q[ring.block.numbers[~ring.block.fixed]] = 1e-5 * rng.uniform(
        -1, 1, np.count_nonzero(~ring.block.fixed)
    )
    state.q[contact.block.numbers] = 1e8 * rng.uniform(-1, 1, len(contact.block.numbers))
    system.channels.read()
    assert 0 < system.channels["c.area"] < 2 * np.pi * R
    assert tangent_error(state, step=1e-9) < 1e-5


def test_refused():
    system, *_ = pressed(10)
    fc.Statics(system).solve()
    stepper = fc.Stepper(system, initial=system.equilibrium, dt=1e-6, t_end=1e-5)
    stepper.start()
    with pytest.raises(fc.StepFailed, match="hard contact of facets is available in Statics only"):
        stepper.advance()
    system = fc.System()
    block = system.add(
        fc.Solid(meshes.simplices(meshes.block((1, 1, 1), (1, 1, 1))), STEEL, clamped="x0")
    )
    ground = fc.PlaneSurface(system.ground)
    for changes, message in (
        ({"friction": fc.SmoothCoulomb(0.1, v0=1e-3)}, "neither friction nor wear"),
        ({"law": fc.Hertz()}, "law must be a pressure"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SurfaceContact(block.facets("z0"), ground, **{"law": fc.Hard(), **changes})
    with pytest.raises(fc.InputError, match="no quadrature at the nodes"):
        system.add(fc.SurfaceContact(block.facets("z0"), ground, law=fc.Hard()))
