"""Stress, section forces and clamping forces of solids against statics of a cantilever."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.solids.resultants import clamping, section
from fem_clearance.bodies.solids.solid import Solid
from fem_clearance.bodies.solids.stress import nodal_means, principal, von_mises
from fem_clearance.errors import InputError
from fem_clearance.meshes.structured import block

LENGTH, WIDTH, LOAD = 1.0, 0.1, 100.0  # N/m^3


@pytest.fixture(scope="module", params=["hexahedra", "plane"])
def loaded(request):
    """A cantilever under a dead load across it, so stiff that its shape hardly changes."""
    system = fc.System(gravity=(0, 0, 0))
    plane = request.param == "plane"
    sizes, cells = (LENGTH, WIDTH, WIDTH), (20, 4, 2)
    mesh = block(
        sizes[: 2 if plane else 3], cells[: 2 if plane else 3], center=(0.5, 0, 0), degree=2
    )
    bar = Solid(
        mesh, fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=1000), clamped=["x0"], load=(0, -LOAD, 0),
        name="bar", **({"state": "plane_stress", "thickness": WIDTH} if plane else {}),
    )  # fmt: skip
    system.add(bar)
    fc.Statics(system).solve()
    return system, bar


def test_section_carries_the_load_beyond_it(loaded):
    """Equilibrium: shear force and bending moment of a cantilever under a uniform load."""
    system, bar = loaded
    for x in (0.25, 0.5, 0.8):
        cut = section(system, bar, lambda c, x=x: c[:, 0] > x, about=(x, 0, 0))
        beyond = LOAD * WIDTH**2 * (LENGTH - x)
        assert cut.force == pytest.approx([0, beyond, 0], rel=1e-7, abs=1e-7 * beyond)
        # the load's arm is that of the deformed bar, shorter by some 1e-9
        assert cut.moment[2] == pytest.approx(beyond * (LENGTH - x) / 2, rel=1e-5)


def test_clamp_holds_everything(loaded):
    system, bar = loaded
    weight = LOAD * WIDTH**2 * LENGTH
    hold = clamping(system, bar, "x0")
    assert hold.force == pytest.approx([0, weight, 0], rel=1e-7, abs=1e-7 * weight)
    assert hold.moment[2] == pytest.approx(weight * LENGTH / 2, rel=1e-5)


def test_bending_stress(loaded):
    """M y / I half-way along the surface, where the clamp is out of sight."""
    system, bar = loaded
    stress = nodal_means(bar, system.state, "stress")
    surface = np.flatnonzero(
        np.isclose(bar.nodes[:, 0], 0.5) & np.isclose(bar.nodes[:, 1], WIDTH / 2)
    )
    bending = LOAD * WIDTH**2 * 0.5**2 / 2 * (WIDTH / 2) / (WIDTH**4 / 12)
    for k in surface:
        assert stress[k, 0, 0] == pytest.approx(bending, rel=0.01)
        assert von_mises(stress[k]) == pytest.approx(bending, rel=0.02)
        assert principal(stress[k])[0] == pytest.approx(bending, rel=0.01)


def test_equivalent_stress_closed_forms():
    """Uniaxial s: s; pure shear t: sqrt(3) t; pressure: 0."""
    shear = np.zeros((3, 3))
    shear[0, 1] = shear[1, 0] = 2.0
    several = np.stack([np.diag([5.0, 0, 0]), shear, -7 * np.eye(3)])
    assert von_mises(several) == pytest.approx([5.0, 2 * np.sqrt(3), 0.0], abs=1e-14)
    assert principal(several)[1] == pytest.approx([2, 0, -2])


def test_there_must_be_a_section(loaded):
    system, bar = loaded
    with pytest.raises(InputError, match="there is no section"):
        section(system, bar, lambda c: c[:, 0] > 2)
    with pytest.raises(InputError, match="'x1' is not clamped"):
        clamping(system, bar, "x1")
