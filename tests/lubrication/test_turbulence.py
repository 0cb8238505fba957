"""Turbulent films: friction beside measurements, flows and forces beside quadratures."""

import numpy as np
import pytest
from scipy.integrate import quad

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Bearing,
    Constantinescu,
    CylindricalFilm,
    Exponential,
    Full,
    Groove,
    Guembel,
    Lubricant,
    Place,
    Reynolds,
    Streamers,
    pad_film,
    plain_bearing,
)

R, L, C, MU, RHO = 0.1, 0.1, 1e-4, 2e-3, 870.0


def speed_at(reynolds):
    """rad/s."""
    return reynolds * MU / (RHO * C * R)


def film_at(reynolds, turbulence=None, **options):
    options = {"cells": (48, 8), "cavitation": Full()} | options
    options.setdefault("sliding_speed", R * speed_at(reynolds))
    return plain_bearing(R, L, C, options.pop("oil", MU), turbulence=turbulence, **options)


def turning(reynolds, e=(0.0, 0.0, 0.0), **more):
    return Place(e=e, Omega=(0, 0, speed_at(reynolds)), **more)


@pytest.mark.parametrize("reynolds, within", [(1e4, 0.03), (2e4, 0.1)])
def test_friction_beside_measurements(reynolds, within):
    """Turbulent Couette flow, Robertson's (1959) fit of measurements: sqrt(C_f / 2) = 0.19 /
    log10(Re), with half of the thickness and half of the speed."""
    measured = 2 * (0.19 / np.log10(reynolds / 4)) ** 2  # by rho (U / 2)^2 / 2
    state = Bearing(film_at(reynolds, Constantinescu())).solve(turning(reynolds))
    stress = -state.moment[2] / (2 * np.pi * R**2 * L)
    found = stress / (RHO / 2 * (R * speed_at(reynolds) / 2) ** 2)
    assert found == pytest.approx(measured, rel=within)


def test_laminar_limit():
    """At rest, and nearly so at Re = 0.01: the laminar film."""
    for reynolds, place in (
        (0.01, turning(0.01, (0.5 * C, 0.1 * C, 0))),
        (1.0, Place(e=(0.5 * C, 0, 0), V=(1e-3, 2e-3, 0))),
    ):
        calm, wild = (
            Bearing(film_at(reynolds, t, cavitation=Reynolds())).solve(place)
            for t in (None, Constantinescu())
        )
        assert wild.force == pytest.approx(calm.force, rel=3e-5, abs=1e-9 * max(abs(calm.force)))
        assert wild.power_loss == pytest.approx(calm.power_loss, rel=3e-5)


def test_long_journal_by_quadrature():
    """Sealed ends: h U / 2 - h^3 p' / (k mu) is the same all round, with k by the local Reynolds
    number; second order in the cells."""
    reynolds, ratio = 5000.0, 0.6
    U = R * speed_at(reynolds)
    h = lambda a: C * (1 - ratio * np.cos(a))  # noqa: E731
    k = lambda a: 12 + 0.0136 * (RHO * U * h(a) / MU) ** 0.9  # noqa: E731
    part = lambda n: quad(lambda a: k(a) * h(a) ** n, 0, 2 * np.pi, epsrel=1e-11)[0]  # noqa: E731
    q = U / 2 * part(-2) / part(-3)
    slope = lambda a: R * k(a) * MU * (U / 2 * h(a) - q) / h(a) ** 3  # noqa: E731
    # by parts: the integral of p sin is that of p' cos
    force = -R * L * quad(lambda a: slope(a) * np.cos(a), 0, 2 * np.pi, epsrel=1e-10)[0]
    errors = []
    for cells in (48, 96):
        film = film_at(
            reynolds, Constantinescu(), cells=(cells, 1), pressures={}, starts_at_largest_gap=True
        )
        state = Bearing(film).solve(turning(reynolds, (ratio * C, 0, 0)))
        errors.append(abs(state.force[1] / force - 1))
    assert errors[1] < 2e-3 and errors[0] / errors[1] == pytest.approx(4, abs=0.5)


@pytest.mark.parametrize("reynolds", [0.0, 8000.0])
def test_flow_across(reynolds):
    """From a ring to the ends of a bearing whose journal turns in the middle."""
    p, width = 2e5, 0.02
    ring = Groove(0.0, 2 * np.pi, p, width)
    film = film_at(8000.0, Constantinescu(), cells=(24, 10), grooves=[ring])
    state = Bearing(film).solve(turning(reynolds))
    k = 12 + 0.0043 * reynolds**0.96
    flow = 2 * np.pi * R * C**3 / (k * MU) * p / ((L - width) / 2)
    assert state.outflow["z0"] == pytest.approx(flow, rel=1e-5)


@pytest.mark.parametrize("cavitation", [Full(), Guembel(), Reynolds(), JFO(), Streamers()])
def test_power(cavitation):
    """What the journal loses is what the film dissipates, and much more than in a laminar film."""
    reynolds, e = 5000.0, (0.6 * C, 0.2 * C, 0)
    lost = []
    for law in (Constantinescu(), None):
        film = film_at(reynolds, law, cavitation=cavitation, starts_at_largest_gap=True)
        state = Bearing(film).solve(turning(reynolds, e))
        lost.append(state.power_loss)
        power = -state.moment[2] * speed_at(reynolds)
        assert state.power_loss == pytest.approx(power, rel=1e-8)
        if cavitation.conserving:
            assert sum(state.outflow.values()) == pytest.approx(0.0, abs=1e-8 * state.outflow["z0"])
    assert lost[0] > 3 * lost[1]


def test_derivatives():
    """Stiffness and damping are those of the forces: the Reynolds number follows the motion."""
    bearing, place = Bearing(film_at(5000.0, Constantinescu())), turning(5000.0, (0.4 * C, 0, 0))
    state = bearing.solve(place)
    for k in range(2):
        step = np.eye(3)[k]
        for name, d, found in (
            ("e", 1e-4 * C, state.stiffness[:3, k]), ("V", 1e-4, state.damping[:3, k]),
        ):  # fmt: skip
            there = np.array(getattr(place, name))
            up, down = (
                bearing.solve(place._replace(**{name: tuple(there + s * d * step)})).force
                for s in (1, -1)
            )
            assert found == pytest.approx(-(up - down) / (2 * d), abs=1e-5 * abs(found).max())
    d = 1e-3 * place.Omega[2]
    up, down = (
        bearing.solve(place._replace(Omega=(0, 0, place.Omega[2] + s * d))).moment[2]
        for s in (1, -1)
    )
    assert state.damping[5, 5] == pytest.approx(-(up - down) / (2 * d), rel=1e-5)


def test_warm_turbulent_film():
    """Heat goes into the oil, to round-off; the hot oil is thinner, which counts in Re."""
    reynolds = 4000.0
    oil = Lubricant(MU, temperature=Exponential(0.03), reference_temperature=320.0)
    states = []
    for law in (Constantinescu(), None):
        film = film_at(
            reynolds, law, oil=oil, thermal=Adiabatic(supply=320.0), cavitation=Reynolds(),
            starts_at_largest_gap=True,
        )  # fmt: skip
        state = Bearing(film).solve(turning(reynolds, (0.5 * C, 0, 0)))
        assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-9)
        states.append(state)
    assert np.ptp(states[0].warm.temperature) > 1.5 * np.ptp(states[1].warm.temperature)


def test_laminar_films_that_are_none_are_reported(caplog):
    for reynolds, said in ((900.0, False), (1100.0, True)):
        caplog.clear()
        Bearing(film_at(reynolds)).solve(turning(reynolds))
        assert ("turbulence=Constantinescu()" in caplog.text) == said
    caplog.clear()
    Bearing(film_at(5000.0, Constantinescu())).solve(turning(5000.0))
    assert not caplog.text
    # vortices round a journal of a wide gap: Taylor's 41.2 sqrt(R / c)
    wide = plain_bearing(R, L, 50 * C, MU, cells=(24, 2), sliding_speed=1.0)
    for reynolds, said in ((180.0, False), (190.0, True)):
        caplog.clear()
        Bearing(wide).solve(turning(reynolds / 50))
        assert ("above 184" in caplog.text) == said
    caplog.clear()
    pad = pad_film(0.1, 0.1, 1e-4, MU, cells=(8, 4))
    Bearing(pad).solve(Place(t=(1e-5, 0), V=(-30.0, 0, 0)))
    assert "Reynolds number of the film is 1.31e+03" in caplog.text
    caplog.clear()
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1.0,) * 3, angular_velocity=(0, 0, 500.0)))
    system.add(CylindricalFilm(
        system.ground.at((0, 0, 0)), body.center, (0, 0, 1), film=film_at(3000.0), name="bearing"
    ))  # fmt: skip
    assert "bearing: the Reynolds number of the film is 3e+03" in caplog.text


def test_turbulent_film_in_a_system():
    """A journal that coasts down in the middle: the law of its drag, dw/dt ~ -w (1 + a w^0.94)."""
    spin = speed_at(8000.0)
    film = film_at(8000.0, Constantinescu(), cells=(16, 2))
    petroff, inertia, t_end = MU * 2 * np.pi * R**3 * L / C, 0.02, 0.05
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(1.0, (0.02, 0.02, inertia), angular_velocity=(0, 0, spin), name="journal")
    )
    place = system.ground.at((0, 0, 0))
    system.add(fc.RevoluteJoint(place, body.center, (0, 0, 1)))
    system.add(CylindricalFilm(place, body.center, (0, 0, 1), film=film, name="film"))
    results = fc.Simulation(system, dt=5e-5, t_end=t_end, progress=False).run()

    def since(w):
        rate = lambda z: -petroff / inertia * z * (1 + 0.0012 * (8000.0 * z / spin) ** 0.94)  # noqa: E731
        return quad(lambda z: 1 / rate(z), spin, w)[0]

    torque = results["film.moment.z"]
    lost = results["energy.dissipated"][-1]
    left = np.sqrt(spin**2 - 2 * lost / inertia)
    assert since(left) == pytest.approx(t_end, rel=1e-3) and left < 0.9 * spin
    assert torque[-1] == pytest.approx(
        -petroff * left * (1 + 0.0012 * (8000.0 * left / spin) ** 0.94), rel=3e-3
    )


def test_bad_input():
    with pytest.raises(fc.InputError, match="must be a law such as Constantinescu"):
        film_at(1.0, 3.0)
