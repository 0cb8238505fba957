"""Films that give heat to journal and bush: exact temperatures between plates, limits, balances."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import solve_banded
from scipy.optimize import brentq
from scipy.special import airy

from fem_clearance.errors import InputError
from fem_clearance.lubrication import (
    Conducting,
    Convection,
    Film,
    FlatGap,
    Full,
    Lubricant,
    Shaft,
    pad,
)
from fem_clearance.lubrication.film import across

from .thermal import H_IN, H_OUT, LOADED, MU, OIL, RC, RUN, B, U, W, Wedge, pads, solved, wedge

K = 0.15


def plates(length, n, thermal, viscosity=MU, conductivity=K):
    """A film of uniform thickness."""
    oil = Lubricant(viscosity, mass_density=850.0, specific_heat=2000.0, conductivity=conductivity)
    return Film(pad(length, W, (n, 1)), H_OUT, oil, Full(), {"x0": 0.0, "x1": 0.0},
                sliding_speed=U, gap=FlatGap(), thermal=thermal)  # fmt: skip


def decay(insulated):
    """Lowest eigenvalue of T'' + z y T = 0 with T(0) = 0 and T(1) = 0 or T'(1) = 0, by Airy's
    functions of -z^(1/3) y."""

    def end(z):
        x = z ** (1 / 3)
        a0, _, b0, _ = airy(0.0)
        a, da, b, db = airy(-x)
        return da * b0 - db * a0 if insulated else a * b0 - b * a0

    return brentq(end, 2.0, 5.0) if insulated else brentq(end, 10.0, 25.0)


@pytest.mark.parametrize(
    ("journal", "exact", "galerkin"), [(323.0, 18.956, 20.0), (None, 3.477, 3.542)]
)
def test_decay_between_walls(journal, exact, galerkin):
    """Hot oil between cold walls, or a cold bush and an insulated journal: its temperature decays
    as that of the parabola (Galerkin, polynomials integrated by hand), 6 and 2 % faster than
    exactly."""
    assert decay(journal is None) == pytest.approx(exact, abs=1e-3)
    length = 3 * RC * U * H_OUT**2 / K / galerkin
    film = plates(length, 48, Conducting(333.0, bush=323.0, journal=journal), viscosity=1e-9)
    _, state = solved(film, RUN)
    x, rise = film.surface.nodes[:, 0], state.warm.temperature - 323.0
    order = np.argsort(x)[::2]
    rate = -np.diff(np.log(rise[order])) / np.diff(x[order]) * RC * U * H_OUT**2 / K
    np.testing.assert_allclose(rate[-16:-3], galerkin, rtol=1e-3)
    assert galerkin == pytest.approx(exact, rel=0.06)


def test_warm_plates():
    """Far from the inlet between walls of 320 and 326 K: T = T_b + (T_j - T_b) y + mu U^2/(2k) y
    (1 - y), a parabola: its mean, and k dT/dy at both walls."""
    length = 12 * RC * U * H_OUT**2 / K / 20
    film = plates(length, 24, Conducting(323.0, bush=320.0, journal=326.0))
    _, state = solved(film, RUN)
    far = film.surface.nodes[:, 0] > length * (1 - 1e-9)
    mean = 323.0 + MU * U**2 / (12 * K)
    np.testing.assert_allclose(state.warm.temperature[far], mean, rtol=0, atol=1e-3)
    # the last sixth, against the same film without it
    shorter = plates(length * 5 / 6, 20, film.thermal)
    _, less = solved(shorter, RUN)
    area = W * length / 6
    half, through = MU * U**2 / H_OUT / 2, K * 6.0 / H_OUT
    more = state.warm.bush_heat - less.warm.bush_heat
    assert more == pytest.approx((half + through) * area, rel=1e-4)
    more = state.warm.journal_heat - less.warm.journal_heat
    assert more == pytest.approx((half - through) * area, rel=1e-4)


def entering(length, places, hot, biot):
    """Bush and mean, by the temperature of the oil that enters, of rc U y T_x = k T_yy between a
    journal T(1) = hot and a bush T_y(0) = biot T (in thicknesses): implicit steps along x."""
    y, steps = np.linspace(0.0, 1.0, 401), np.concatenate([[0.0], np.geomspace(1e-7, length, 1500)])
    T, d, found = np.zeros(len(y)), y[1], []
    T[-1] = hot
    for step in np.diff(steps):
        a = step / d**2
        bands = np.zeros((3, len(y)))
        bands[1], bands[0, 2:], bands[2, :-2] = y + 2 * a, -a, -a
        right = y * T
        bands[1, 0], bands[0, 1], right[0] = 1 + biot * d, -1.0, 0.0
        bands[1, -1], right[-1] = 1.0, hot
        T = solve_banded((1, 1), bands, right)
        found.append([T[0], np.trapezoid(T, y)])
    return np.array([np.interp(places, steps[1:], z) for z in np.transpose(found)])


@pytest.mark.parametrize("upwind", [False, True])
def test_fresh_oil_between_a_hot_journal_and_a_bush(upwind):
    """Its bush has the temperature of the oil that enters. As long as the layer at the journal is
    thin the parabola has it too cold, by a fifth of the journal's excess at most; by the rows of
    Galerkin's method it jumps to the journal's temperature and beyond."""
    hot, biot, n, part = 20.0, 0.3, 24, 0.2
    length = part * RC * U * H_OUT**2 / K
    bush = Convection(biot * K / H_OUT, 323.0)
    thermal = Conducting(323.0, bush=bush, journal=323.0 + hot, upwind=upwind)
    film = plates(length, n, thermal, viscosity=1e-9)
    _, state = solved(film, RUN)
    x = film.surface.nodes[:, 0]
    exact = entering(part, x / x.max() * part, hot, biot)
    off = np.array([state.warm.bush, state.warm.temperature]) - 323.0 - exact
    first, far = x < 1e-12, x > 0.6 * length
    print(np.round(np.transpose([x / length, *exact, *off])[::2], 3))
    assert np.abs(off[:, first]).max() < 0.06 * hot and off[0].max() < 0.01 * hot
    assert off[0].min() > -0.2 * hot and np.abs(off[1]).max() < 0.07 * hot
    assert np.abs(off[:, far]).max() < 0.05 * hot


def test_oil_that_conducts_well_is_adiabatic():
    """Insulated walls, and oil whose heat spreads across at once: the exact wedge, by order 2 in
    the cells but for what 1 / k leaves."""
    exact, errors = Wedge(), []
    for n in (16, 64):
        film = wedge(n, oil=replace(OIL, conductivity=100.0))
        film = replace(film, thermal=Conducting(323.0, journal=None))
        _, state = solved(film, RUN)
        end = film.surface.nodes[:, 0] > B * (1 - 1e-9)
        errors.append(
            [
                abs((state.warm.temperature[end].mean() - 323) / exact.T(B) - 1),
                abs(state.force[2] / W / exact.load + 1),
            ]
        )
        assert abs(state.warm.bush_heat) + abs(state.warm.journal_heat) < 1e-9 * state.power_loss
    assert max(errors[1]) < 1e-3 and max(errors[0]) < 7e-3, errors


def test_enthalpy_that_leaves_a_wedge():
    """What the oil takes is what it carries out, with the velocities drawn and driven: their
    temperatures by their profiles 2y and 6y(1 - y), Gauss's rule across, the flow of Reynolds'
    equation."""
    oil = Lubricant(MU, mass_density=850.0, specific_heat=2000.0, conductivity=K)
    film = replace(wedge(24, oil=oil), thermal=Conducting(323.0, bush=325.0, journal=None))
    _, state = solved(film, RUN)
    warm, end = state.warm, film.surface.nodes[:, 0] > B * (1 - 1e-9)
    b, j, m = 2.0, *(z[end].mean() - 323.0 for z in (warm.journal, warm.temperature))
    y, w = np.polynomial.legendre.leggauss(6)
    y, w = (1 + y) / 2, w / 2
    T = b * (1 - 4 * y + 3 * y**2) + j * (3 * y**2 - 2 * y) + m * (6 * y - 6 * y**2)
    draw = (H_OUT + (H_IN - H_OUT) / 24 / 2) * U / 2 * W  # of the last strip of cells
    drive = state.outflow["x1"] - draw
    out = RC * (draw * w @ (2 * y * T) + drive * w @ (6 * y * (1 - y) * T))
    assert warm.oil_heat == pytest.approx(out, rel=1e-10)
    assert warm.oil_heat + warm.bush_heat == pytest.approx(state.power_loss, rel=1e-11)
    assert abs(warm.bush_heat) > 0.05 * state.power_loss and w @ T == pytest.approx(m, rel=1e-12)


RING = Convection.through_ring(0.2, 0.35, 50.0, 736.0, 323.0)


def warm_pads(cells, **more):
    film = pads(cells)
    thermal = Conducting(323.0, film.thermal.grooves, **({"bush": RING} | more))
    return replace(film, thermal=thermal)


def test_heat_of_pads():
    """A broken film: loss = heat of shear, pressure and voids that close = heat of oil, bush and
    journal, to round-off; into the bush goes what its back gives off by the nodal temperatures;
    the journal takes none."""
    bearing, state = solved(warm_pads((20, 8)), LOADED)
    warm, film = state.warm, bearing.film
    assert (state.void > 0.2 * state.thickness).sum() > 50
    assert warm.heat == pytest.approx(state.power_loss, rel=1e-12)
    assert warm.oil_heat + warm.bush_heat + warm.journal_heat == pytest.approx(warm.heat, rel=1e-11)
    off = RING.coefficient * film.surface.areas() @ (warm.bush - 323.0)
    assert warm.bush_heat == pytest.approx(off, rel=1e-6)  # areas of flat cells
    assert abs(warm.journal_heat) < 1e-9 * warm.heat and 0.1 * warm.heat < warm.bush_heat
    assert len(warm.journal) == 1 and 330 < warm.journal[0] < warm.temperature.max()


def test_shaft_takes_heat():
    """Its conductance times its temperature over that of the surroundings."""
    bearing, state = solved(
        warm_pads((20, 8), journal=Shaft(conductance=40.0, temperature=300.0)), LOADED
    )
    passed = bearing.system.channels["film.shaft_passed"]
    assert passed == pytest.approx(40.0 * (state.warm.journal[0] - 300.0), rel=1e-12)
    assert state.warm.journal_heat == pytest.approx(passed, rel=1e-10)


def test_ring():
    """1 / (a r) = ln(R / r) / k + 1 / (b R) per length and radian."""
    found = Convection.through_ring(0.1, 0.2, 40.0, 500.0, 300.0)
    drop = np.log(2.0) / 40.0 + 1 / (500.0 * 0.2)
    assert found.coefficient * 0.1 * drop == pytest.approx(1.0) and found.temperature == 300.0


def test_tangent():
    """Against differences: viscosity across the film, voids, grooves, walls."""
    bearing, _ = solved(warm_pads((8, 4)), LOADED)
    slopes, found = bearing.solve(LOADED).stiffness, []
    for sign in (1, -1):
        place = LOADED._replace(e=(LOADED.e[0] + sign * 1e-9, *LOADED.e[1:]))
        found.append(bearing.solve(place).force)
    differences = -(found[0] - found[1]) / 2e-9
    np.testing.assert_allclose(slopes[:3, 0], differences, rtol=2e-4, atol=1e3)


def test_matrices():
    """Sums across the film: of what is held the mean, of what is conducted nothing, of what passes
    across what both flows carry apart; rows of what passes across know no uniform temperature."""
    np.testing.assert_allclose(across.MASS.sum(0), [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(across.CONDUCTION, [[4, 2, -6], [2, 4, -6], [-6, -6, 12]])
    np.testing.assert_allclose(across.DRAW.sum(0), [-1 / 6, 1 / 6, 1], atol=1e-15)
    np.testing.assert_allclose(across.DRIVE.sum(0), [-0.1, -0.1, 1.2], atol=1e-15)
    apart = (across.DRAW - across.DRIVE).sum(0)
    np.testing.assert_allclose(across.CROSS.sum(0), apart, atol=1e-15)
    np.testing.assert_allclose(across.SQUEEZE.sum(0), across.MASS.sum(0) - across.DRIVE.sum(0),
                               atol=1e-15)  # fmt: skip
    for matrix in (across.CROSS, across.SQUEEZE, across.CONDUCTION):
        np.testing.assert_allclose(matrix.sum(1), 0, atol=1e-14)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Conducting(323.0, bush="steel"), "bush must be HeatedSolid"),
        (lambda: Conducting(323.0, journal=True), "journal must be Shaft"),
        (lambda: Conducting(323.0, bush=-3.0), "temperature of the bush"),
        (lambda: Conducting(-1.0), "Conducting: supply"),
        (lambda: Conducting(45.0), r"in kelvin, got 45 K.* 45 degrees Celsius are 318.15 K"),
        (lambda: Conducting(323.0, bush=50.0), "temperature of the bush must be in kelvin"),
        (lambda: Shaft(1.0, 25.0), "Shaft: temperature must be in kelvin"),
        (lambda: Lubricant(0.04, reference_temperature=40.0), "reference_temperature must be in"),
        (lambda: Convection(0.0, 300.0), "coefficient"),
        (lambda: Convection.through_ring(0.2, 0.1, 50.0, 700.0, 300.0), "outer radius"),
        (lambda: Shaft(conductance=3.0), "temperature of the surroundings"),
        (lambda: Shaft(capacity=-3.0), "capacity"),
    ],
)
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
