"""Films of journal bearings: forces of a given pressure, and Reynolds' equation, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from fem_clearance.lubrication import (
    JFO,
    Barus,
    DowsonHigginson,
    Guembel,
    Lubricant,
    Reynolds,
    Streamers,
)  # fmt: skip

from .films import MU, TIME_STEP, UNIT, C, E, Held, L, R, Stresses, bore, close, smooth


def test_force_of_a_given_pressure():
    """Across the axis: -p along the journal's normal, at its axis; shear counts in the moment, but
    as a force it is less by clearance / radius."""
    held, film = Held(bore(), pressure=smooth), Stresses()
    size, lever = np.abs(film.p) @ film.per, np.abs(film.p * film.s) @ film.per
    pressing = -film.p[:, None] * film.n
    force = (film.per @ pressing)[:2]
    moment = film.per @ (np.cross(np.outer(film.s, film.axis), pressing)
                         + np.cross(film.x, film.shear))  # fmt: skip
    np.testing.assert_allclose((held.force[:2] - force) / size, 0, atol=2e-3)
    np.testing.assert_allclose((held.force[3:5] - moment[:2]) / lever, 0, atol=2e-3)
    assert np.abs(held.force[[0, 1, 3, 4]] / (size, size, lever, lever)).min() > 0.01


def test_force_along_the_axis_and_moment_about_it():
    """Where pressure does not drown shear: -mu U/h - h/2 grad p along the journal's surface."""
    held, film = Held(bore(), pressure=smooth), Stresses()
    viscous = film.total(-film.mu * film.U / film.h[:, None])
    poiseuille = film.total(-(film.h / 2)[:, None] * film.slope)
    terms = [z[[2, 5]] for z in (film.total(film.pressing), viscous, poiseuille)]
    close(held.force[[2, 5]], *terms)
    assert np.abs(np.divide(terms[2], terms[1])).min() > 0.02


def test_axial_and_turning_drag_of_a_centred_journal():
    """No pressure: -mu 2 pi R L v / c along the axis, Petroff's -2 pi mu R^3 L omega / c about it;
    and what is dissipated."""
    v, omega = 0.7, 90.0
    held = Held(bore(), (0, 0, 0), (0, 0), (0, 0, v), (0, 0, omega))
    drag = MU * 2 * np.pi * R * L / C
    assert held.force[2] == pytest.approx(-drag * v, rel=2e-3)
    assert held.force[5] == pytest.approx(-drag * R**2 * omega, rel=2e-3)
    lost = drag * (v**2 + (R * omega) ** 2)
    assert held.channel("power_loss") == pytest.approx(lost, rel=2e-3)


def test_power_of_flow_along_the_axis():
    """A pressure that falls evenly along a centred journal at rest, from a supply at one end:
    h^3/(12 mu) (dp/dz)^2 of heat, all of it from the supply."""
    fed = replace(bore(), pressures={"z0": UNIT, "z1": 0.0})
    rest = ((0, 0, 0), (0, 0), (0, 0, 0), (0, 0, 0))
    held = Held(fed, *rest, lambda x: UNIT * (0.5 - x[:, 2] / L))
    lost = C**3 / (12 * MU) * (UNIT / L) ** 2 * 2 * np.pi * R * L
    assert held.channel("power_loss") == pytest.approx(lost, rel=2e-3)
    assert held.channel("supply_power") == pytest.approx(lost, rel=2e-3)


def test_guembel_lets_positive_pressures_act():
    """Half Sommerfeld: of pressure and of its gradient."""
    held, film = Held(bore(Guembel()), pressure=smooth), Stresses()
    acts = (film.p > 0)[:, None].astype(float)
    assert 0.2 < acts.mean() < 0.8
    viscous = film.total(-film.mu * film.U / film.h[:, None])
    poiseuille = film.total(-acts * (film.h / 2)[:, None] * film.slope)
    size = np.abs(film.p) @ film.per
    off = held.force[:2] - film.total(acts * film.pressing)[:2]
    np.testing.assert_allclose(off / size, 0, atol=2e-3)
    terms = [z[[2, 5]] for z in (film.total(acts * film.pressing), viscous, poiseuille)]
    close(held.force[[2, 5]], *terms, tolerance=6e-3)


def test_viscosity_of_the_pressure_acts():
    """Barus: the shear knows the viscosity at the place."""
    alpha = 0.5 / UNIT
    held = Held(bore(lubricant=Barus(MU, alpha)), pressure=smooth)
    film = Stresses(mu=MU)
    mu = MU * np.exp(alpha * film.p)
    viscous = film.total(-(mu / film.h)[:, None] * film.U)
    poiseuille = film.total(-(film.h / 2)[:, None] * film.slope)
    terms = [z[[2, 5]] for z in (film.total(film.pressing), viscous, poiseuille)]
    close(held.force[[2, 5]], *terms)


def weight(x):
    """A test function: nothing vanishes against it, and it is 0 at no node alone."""
    phi, z = np.arctan2(x[:, 1], x[:, 0]), x[:, 2] / L
    return 1.3 + np.cos(phi + 0.3) - 0.6 * np.sin(2 * phi - 0.2) + 0.7 * z * np.sin(phi)


def reynolds(held, rows):
    """The rows of Reynolds' equation against the weight."""
    return rows @ weight(held.places)


def test_reynolds_equation():
    """q dh/dt + grad q . (h^3/(12 mu) grad p - h U/2), against a smooth q."""
    held, film = Held(bore(), pressure=smooth), Stresses()
    q, slope = weight(film.x), film.gradient(weight)
    squeeze = film.per @ (q * film.rate)
    pushed = film.per @ (film.h**3 / (12 * MU) * np.sum(slope * film.slope, axis=1))
    dragged = -film.per @ (film.h / 2 * np.sum(slope * film.U, axis=1))
    close(reynolds(held, held.rows[held.pressure]), squeeze, pushed, dragged)


def test_reynolds_equation_of_a_compressible_lubricant():
    """Mass: rho dh/dt + h d(rho)/dt, and the flow times rho; p was half as high a step ago."""
    law = DowsonHigginson(0.3 / UNIT, 0.4 / UNIT)
    held = Held(bore(lubricant=Lubricant(MU, density=law)), pressure=smooth)
    held.state.q_n[held.pressure] = 0.5 * smooth(held.places)
    held.state.globals[-1] = 1 / TIME_STEP

    def density(p):
        pushed = np.maximum(p, 0)
        return 1 + 0.3 / UNIT * pushed / (1 + 0.4 / UNIT * pushed)

    film = Stresses()
    rho, before = density(film.p), density(film.p / 2)
    q, slope = weight(film.x), film.gradient(weight)
    terms = [
        film.per @ (q * rho * film.rate), film.per @ (q * film.h * (rho - before)) / TIME_STEP,
        film.per @ (rho * film.h**3 / (12 * MU) * np.sum(slope * film.slope, axis=1)),
        -film.per @ (rho * film.h / 2 * np.sum(slope * film.U, axis=1)),
    ]  # fmt: skip
    close(reynolds(held, held.rows[held.pressure]), *terms)


def test_complement_of_a_cavitating_film():
    """Swift and Stieber: Reynolds' rows hold what must flow in; the others the lesser of p and r,
    by the area of the node."""
    held = Held(bore(Reynolds()), pressure=smooth, other=lambda x: 3e-3 * weight(x))
    plain = Held(bore(), pressure=smooth)
    unit, flow = held.film.pressure_unit, held.film.rate_unit
    rows = held.rows
    area = L / 24 * 2 * np.pi * R / 96 * (1 - (np.pi / 96) ** 2 / 6)  # of a facet round the bore
    inner = np.abs(held.places[:, 2]) < 0.4 * L
    p, r = smooth(held.places) / unit, 3e-3 * weight(held.places) / flow
    # the two equations are exchanged, in units that leave them powers
    balance = rows[held.other] / (unit / flow)
    wanted = plain.rows[plain.pressure] - 3e-3 * weight(held.places) * area
    np.testing.assert_allclose(balance[inner], wanted[inner], atol=1e-3 * np.abs(wanted).max())
    least = flow * np.minimum(p, r) * area
    np.testing.assert_allclose(
        rows[held.pressure][inner], least[inner], atol=1e-3 * np.abs(least).max()
    )


@pytest.mark.parametrize("cavitation", [JFO(), Streamers()])
def test_film_that_conserves_its_lubricant(cavitation):
    """d(rho h - g)/dt + div((h - g) U/2 - h^3/(12 mu) grad p), the void g carried upwind (first
    order in the cells: 2 %); streamers shear only where there is oil."""
    void = 0.3 * C
    held = Held(bore(cavitation), pressure=smooth, other=lambda x: void * weight(x))
    film = Stresses()
    q, slope = weight(film.x), film.gradient(weight)
    g = void * q
    steady = [
        film.per @ (q * film.rate * (1 - g / film.h)),
        film.per @ (film.h**3 / (12 * MU) * np.sum(slope * film.slope, axis=1)),
        -film.per @ ((film.h - g) / 2 * np.sum(slope * film.U, axis=1)),
    ]
    close(reynolds(held, held.rows[held.pressure]), *steady, tolerance=3e-2)
    # in a step the content changes: it had been thicker by a tenth and held half the void
    held.state.q_n[held.other] *= 0.5
    held.state.q_n[held.port[:2]] = 0.9 * E[:2]
    held.state.globals[-1] = 1 / TIME_STEP
    before = Stresses(e=np.r_[0.9 * E[:2], E[2]])
    in_time = [
        film.per @ (q * (film.h - before.h)) / TIME_STEP,
        -film.per @ (q * g / 2) / TIME_STEP,
    ]
    close(reynolds(held, held.rows[held.pressure]), *in_time, *steady[1:], tolerance=3e-2)
    held.state.globals[-1] = 0.0
    wetted = 1 - g / film.h if isinstance(cavitation, Streamers) else 1
    viscous = film.total((-MU * wetted / film.h)[:, None] * film.U if np.ndim(wetted) else
                         -MU * film.U / film.h[:, None])  # fmt: skip
    poiseuille = film.total(-(film.h / 2)[:, None] * film.slope)
    close(
        held.force[[2, 5]], film.total(film.pressing)[[2, 5]], viscous[[2, 5]], poiseuille[[2, 5]]
    )
    assert held.channel("content") == pytest.approx(film.per @ (film.h - g), rel=3e-3)


def test_complementarity_of_a_conserving_film():
    """Fischer and Burmeister's function of p / unit and g / c, at the nodes."""
    film = bore(JFO())
    held = Held(film, pressure=smooth, other=lambda x: 0.3 * C * weight(x))
    inner = np.abs(held.places[:, 2]) < 0.4 * L
    p, g = smooth(held.places) / film.pressure_unit, 0.3 * weight(held.places)
    area = L / 24 * 2 * np.pi * R / 96 * (1 - (np.pi / 96) ** 2 / 6)
    wanted = film.rate_unit * film.pressure_unit / C * (p + g - np.hypot(p, g)) * area
    np.testing.assert_allclose(
        held.rows[held.other][inner], wanted[inner], atol=1e-3 * np.abs(wanted).max()
    )
