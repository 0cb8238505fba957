"""Compressible lubricants."""

import numpy as np
import pytest
from scipy.integrate import simpson, solve_bvp

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    DowsonHigginson,
    Film,
    FlatGap,
    Full,
    Lubricant,
    Place,
    bearing_on,
    cylinder,
    pad,
)

from .test_port import RADIUS, SPIN, C, rotor

#: slider: 10 mm long, 2 um at the inlet, 1 um at the outlet, 10 m/s: .5 GPa
LENGTH, INLET, OUTLET, U, MU = 0.01, 2e-6, 1e-6, 10.0, 0.04
LAW = DowsonHigginson()


def test_slider_against_scipy():
    """Flow rho (h U/2 - h^3/(12 mu) dp/dx) is constant along a wedge; no end across."""

    def thickness(x):
        return INLET + (OUTLET - INLET) * x / LENGTH

    def density(p):
        return 1 + 0.6e-9 * p / (1 + 1.7e-9 * p)

    unit = 1e8

    def slope(x, y, flow):
        h = thickness(x)
        return [12 * MU / h**3 * (h * U / 2 - flow[0] * OUTLET * U / density(y[0] * unit)) / unit]

    x = np.linspace(0, LENGTH, 401)
    exact = solve_bvp(slope, lambda a, b, _: np.array([a[0], b[0]]), x, 0 * x[None], [0.6],
                      tol=1e-7, max_nodes=100_000)  # fmt: skip
    assert exact.success
    p = exact.sol(x)[0] * unit
    width = LENGTH / 4
    surface = pad(LENGTH, width, (128, 1))
    pressures = {"x0": 0.0, "x1": 0.0}
    lean = (OUTLET - INLET) / LENGTH
    place = Place(t=(lean, 0), V=(U, 0, -lean * U))  # along its own plane
    found, rigid = (
        Bearing(Film(surface, INLET, oil, Full(), pressures, sliding_speed=U, gap=FlatGap())).solve(
            place
        )
        for oil in (Lubricant(MU, density=LAW), Lubricant(MU))
    )
    assert found.thickness.min() == pytest.approx(OUTLET)
    load = abs(found.force[2]) / width
    assert load == pytest.approx(simpson(p, x=x), rel=1e-3)
    assert found.pressure.max() == pytest.approx(p.max(), rel=1e-3)
    assert found.outflow["x1"] / width == pytest.approx(exact.p[0] * OUTLET * U, rel=1e-3)
    assert found.outflow["x0"] == pytest.approx(-found.outflow["x1"], rel=1e-9)
    # it matters here
    assert abs(found.pressure.max() / rigid.pressure.max() - 1) > 0.02


@pytest.mark.slow
def test_mass_in_time():
    """A conserving film of compressible oil (made 1000 times softer): content and flow balance in
    each step."""
    soft = Lubricant(MU, density=DowsonHigginson(0.6e-6, 1.7e-6))
    film = bearing_on(cylinder(RADIUS, 0.014, (16, 3)), C, soft, sliding_speed=RADIUS * SPIN,
                      cavitation=JFO(), starts_at_largest_gap=True)  # fmt: skip
    stepper = fc.Stepper(rotor(film, load=(300.0, 0, 0), at=(0.3, 0, 0)), dt=1e-5, t_end=1.0)
    stepper.start()
    stepper.channels.read()
    content, before = stepper.channels["film.content"], None
    for _ in range(20):
        stepper.advance()
        stepper.channels.read()
        now, flow = (stepper.channels[f"film.{n}"] for n in ("content", "inflow"))
        assert abs(now - content - 1e-5 * flow) < 1e-10 * content
        content, before = now, content
    assert abs(content - before) > 1e-8 * content


def test_bad_input():
    with pytest.raises(fc.InputError, match="density must be a law"):
        Lubricant(MU, density=870.0)
    with pytest.raises(fc.InputError, match="compressibility must not be negative"):
        DowsonHigginson(-1e-9)
