"""Warm films against the exact wedge (thermal.py), and an ODE with a density of temperature."""

import numpy as np
import pytest
from scipy.optimize import brentq

from fem_clearance.lubrication import (
    DowsonHigginson,
    Exponential,
    Film,
    FlatGap,
    Full,
    Lubricant,
)

from .thermal import BETA, H_IN, H_OUT, MU, RC, RUN, B, U, W, Wedge, solved, wedge


@pytest.mark.parametrize(("upwind", "order"), [(False, 2), (True, 1)])
def test_exact_wedge(upwind, order):
    """Order of temperatures, load and flow; a published copy of the exact values."""
    exact = Wedge()
    # references/thermal_wedge_exact: Q 6.8642877e-4 m^2/s, exit 15.877872 K, 391871.6 N/m
    assert pytest.approx(6.864287723788693e-4, rel=1e-9) == exact.Q
    assert exact.load == pytest.approx(391871.595, rel=1e-8)
    assert exact.T(B) == pytest.approx(15.87787189703133, rel=1e-9)
    errors = []
    for n in (16, 32, 64):
        film = wedge(n, upwind=upwind)
        bearing, state = solved(film, RUN)
        x, rise = film.surface.nodes[:, 0], state.warm.temperature - 323.0
        errors.append(
            [
                np.abs(rise - exact.T(x)).max() / exact.T(B),
                abs(rise[x > B * (1 - 1e-9)].mean() / exact.T(B) - 1),
                abs(state.force[2] / W / exact.load + 1),
            ]
        )
        # loss = heat = what the oil takes = rho c Q T at the exit, to round-off on every mesh
        assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-12)
        assert state.warm.heat == pytest.approx(state.power_loss, rel=1e-12)
        out = RC * state.outflow["x1"] * rise[x > B * (1 - 1e-9)].mean()
        assert out == pytest.approx(state.power_loss, rel=1e-12)
    found = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.all(found > order - 0.15), (errors, found)
    if order == 2:
        assert errors[-1][1] < 6e-5 and errors[-1][2] < 4e-4
    assert bearing.item.warm_said is False


def test_isoviscous_oil_keeps_the_isothermal_film():
    """A viscosity that does not change gives the forces of the isothermal film."""
    plain = Lubricant(MU)
    warm, cold = wedge(16, oil=plain), wedge(16, oil=plain)
    cold = Film(cold.surface, H_OUT, plain, Full(), cold.pressures, sliding_speed=U, gap=FlatGap(),
                recess=cold.recess)  # fmt: skip
    here, there = (solved(film, RUN)[1] for film in (warm, cold))
    np.testing.assert_allclose(here.force[[0, 2]], there.force[[0, 2]], rtol=1e-9)
    assert here.power_loss == pytest.approx(there.power_loss, rel=1e-9)
    assert here.warm.temperature.max() > 330.0 and there.warm is None


def test_expanding_oil():
    """Of a density that falls with the temperature the same mass flows through every section: by
    nodal rows at the inlet and the outlet, and the heat is that of the mass."""
    oil = Lubricant(MU, temperature=Exponential(BETA), reference_temperature=323.0,
                    density=DowsonHigginson(0.0, 0.0, expansion=2e-3), mass_density=850.0,
                    specific_heat=2000.0, conductivity=0.0)  # fmt: skip
    film = wedge(64, oil=oil)
    _, state = solved(film, RUN)
    x, rise = film.surface.nodes[:, 0], state.warm.temperature - 323.0
    assert state.outflow["x1"] == pytest.approx(-state.outflow["x0"], rel=1e-10)
    at_exit = rise[x > B * (1 - 1e-9)].mean()
    out = RC * state.outflow["x1"] * at_exit
    assert out == pytest.approx(state.warm.heat, rel=1e-10)
    # an ODE with the mass flow m: m c T' = mu F(m / rho), rho and mu of T
    h = H_IN - (H_IN - H_OUT) * np.linspace(0, B, 20001) / B
    dx = B / 20000

    def run(m):
        T, p = 0.0, 0.0
        for z in (h[1:] + h[:-1]) / 2:
            start = T
            for _ in range(2):  # the midpoint rule
                mid = (start + T) / 2
                mu, q = MU * np.exp(-BETA * mid), m / (1 - 2e-3 * mid)
                heat = mu * (U**2 / z + 12 * (z * U / 2 - q) ** 2 / z**3)
                T = start + dx * heat / (RC * m)
            p += dx * 12 * mu * (z * U / 2 - q) / z**3
        return p, T

    m = brentq(lambda z: run(z)[0], 5e-4, 8e-4, xtol=1e-12)
    assert state.outflow["x1"] / W == pytest.approx(m, rel=3e-4)
    assert at_exit == pytest.approx(run(m)[1], rel=1e-3)
