"""Derivatives by the numbers of the cells of solids, for each law and dimension."""

import numpy as np
import pytest

import fem_clearance as fc

LAWS = (fc.LinearElastic, fc.StVenantKirchhoff, fc.NeoHookean)
STATES = ("plane_strain", "plane_stress", "space")
AT = {"E": 5e6, "nu": 0.3, "push": 2e4}


def pushed(law, state):
    """A short block, clamped at one end and pushed across at the other."""
    dimension = 3 if state == "space" else 2

    def model(p):
        system = fc.System(gravity=(0, 0, 0))
        plane = {"state": state, "thickness": 0.01} if dimension == 2 else {}
        block = fc.meshes.block((0.1, 0.03, 0.01)[:dimension], (2, 1, 1)[:dimension])
        solid = system.add(
            fc.Solid(
                block, law(E=p["E"], nu=p["nu"], rho=1100), clamped="x0", name="block", **plane
            )  # fmt: skip
        )
        system.add(fc.Traction(solid.facets("x1"), (p["push"], p["push"], 0), name="push"))
        system.add(fc.Probe(solid.at((0.05, 0.015, 0.005 if dimension == 3 else 0)), name="end"))
        return system

    return model


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("law", LAWS)
def test_moduli_by_the_chain_rule(law, state):
    """Lame's constants of all cells times what E and nu make of them, and derivatives by E and nu;
    those of laws of large strains did not compile."""
    s = fc.Sensitivity(
        pushed(law, state), at=AT, of=["end.x", "end.y"], t_end=2e-3, dt=2e-4,
        newton_tolerance=1e-13,
    )  # fmt: skip
    cells, wanted = s.cells(), s.forward()
    assert (("block", "thickness") in cells.numbers) == (state != "space")
    assert not any(name in ("outward", "active") for _, name in cells.numbers)
    E, nu = AT["E"], AT["nu"]
    mu, lam = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
    by = {
        "E": (mu / E, lam / E),
        "nu": (-mu / (1 + nu), E * (1 + 2 * nu**2) / ((1 + nu) * (1 - 2 * nu)) ** 2),
    }
    sums = [cells["block", number].sum(axis=1) for number in ("mu", "lam")]
    for name, slopes in by.items():
        found = sum(z * slope for z, slope in zip(sums, slopes, strict=True))
        column = wanted.jacobian[:, wanted.by.index(name)]
        assert found == pytest.approx(column, rel=1e-6), name
    assert np.abs(wanted.scaled[:, 0]).min() > 1e-6
