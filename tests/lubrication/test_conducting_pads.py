"""Thrust pads and turbulent films that give heat to their walls: the exact wedge, limits, a slab,
the analogy of heat and friction."""

from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    Adiabatic,
    Bearing,
    Conducting,
    Constantinescu,
    Convection,
    Expansion,
    Film,
    FlatGap,
    Full,
    HeatedSolid,
    Lubricant,
    PivotedPad,
    Reynolds,
    Shaft,
    TaperedPad,
    ThrustBearing,
    ThrustFilm,
    pad,
    thrust_pad_mesh,
)

from .thermal import H_IN, H_OUT, MU, OIL, RUN, B, U, W, Wedge, solved, wedge

FAR = 1000.0
SEALED = {"start": 0.0, "end": 0.0}
WEDGE = TaperedPad(FAR - W / 2, FAR + W / 2, B / FAR, depth_at_start=H_IN - H_OUT, part=1.0)


def slider(thermal, cells=(64, 1), oil=OIL, **more):
    """The wedge of thermal.py as a sector of a very large ring with sealed sides."""
    return ThrustBearing(
        WEDGE, 1, H_OUT, oil, sliding_speed=U, cells=cells, cavitation=Full(), pressures=SEALED,
        thermal=thermal, **more,
    )  # fmt: skip


def test_exact_wedge():
    """Insulated pad and collar, and oil whose heat spreads across at once: under the exact load the
    thickness is that of the exact wedge, and so is the temperature at the exit (tests of
    references/thermal_wedge_exact.json are in test_thermal_wedge.py)."""
    exact, errors = Wedge(), []
    for n in (16, 64):
        bearing = slider(Conducting(323.0, journal=None), (n, 1), replace(OIL, conductivity=100.0))
        state = bearing.equilibrium(exact.load * W, U / FAR)
        warm, film = state.film.warm, bearing.solver.film
        hot = warm.temperature[film.surface.sets["end"]].mean() - 323.0
        errors.append([abs(hot / exact.T(B) - 1), abs(state.least / H_OUT - 1)])
        assert warm.oil_heat == pytest.approx(state.power_loss, rel=1e-9)
    assert max(errors[1]) < 1e-3 and max(errors[0]) < 7e-3, errors


def test_limits_of_the_walls():
    """Walls that take no heat: the adiabatic film. Walls that take all of it, and oil that conducts
    well: the isothermal film."""
    load, oil = 3e3, replace(OIL, conductivity=100.0)
    cold, mixed = (slider(z).equilibrium(load, U / FAR) for z in (None, Adiabatic(323.0)))
    hot = slider(Conducting(323.0, bush=Convection(1e-3, 300.0), journal=None), oil=oil)
    ice = slider(Conducting(323.0, bush=Convection(1e9, 323.0), journal=323.0), oil=oil)
    for bearing, limit in ((hot, mixed), (ice, cold)):
        state = bearing.equilibrium(load, U / FAR)
        assert state.least == pytest.approx(limit.least, rel=2e-3)
        assert state.power_loss == pytest.approx(limit.power_loss, rel=2e-3)
    assert abs(mixed.least / cold.least - 1) > 0.08


PADS = TaperedPad(0.04, 0.08, 0.7, depth_at_start=3e-5)


def pads(thermal, cells=(12, 6), **more):
    return ThrustBearing(PADS, 6, 3e-5, OIL, sliding_speed=6.0, cells=cells, thermal=thermal,
                         **more)  # fmt: skip


def test_pads_share_a_collar():
    """Six pads heat one collar: what it gives off to its surroundings is the sum over the pads, and
    the loss is the heat of oil, pads and collar."""
    shaft = Shaft(conductance=30.0, temperature=300.0)
    bearing = pads(Conducting(323.0, bush=Convection(500.0, 300.0), journal=shaft))
    state = bearing.equilibrium(4e3, 100.0)
    warm = state.film.warm
    assert 6 * warm.journal_heat == pytest.approx(30.0 * (warm.journal[0] - 300.0), rel=1e-8)
    total = warm.oil_heat + warm.bush_heat + warm.journal_heat
    assert 6 * total == pytest.approx(state.power_loss, rel=1e-9)
    off = 500.0 * bearing.solver.film.surface.areas() @ (warm.bush - 300.0)
    assert warm.bush_heat == pytest.approx(off, rel=1e-4)  # areas of flat cells
    assert warm.bush_heat > 0.02 * state.power_loss / 6


def test_thin_pad_is_a_slab():
    """Through a pad that is thin by its length heat passes straight: thickness/k + 1/b. (What one
    place of it warms is that place alone, so that no response is less than another: all count. The
    facets of its mesh are flat, with areas 0.1 % smaller.)"""
    thick, k, b = 5e-4, 0.25, 400.0
    mesh = thrust_pad_mesh(PADS, thick, (8, 4, 2), degree=1)
    assert {*mesh.facets} == {"start", "end", "inner", "outer", "face", "back"}
    solid = HeatedSolid(mesh, k, 3.6e6, cooled={"back": (b, 300.0)}, facets="face", responses=200)
    walls = (solid, Convection(1 / (thick / k + 1 / b), 300.0))
    found = [
        pads(Conducting(323.0, bush=wall, journal=310.0), (8, 4)).equilibrium(4e3, 100.0)
        for wall in walls
    ]
    heats = [state.film.warm.bush_heat for state in found]
    assert heats[0] == pytest.approx(heats[1], rel=5e-3)
    assert found[0].least == pytest.approx(found[1].least, rel=2e-3)


def test_in_a_mechanism():
    """A collar that settles on pads cooled by convection: loss = heat of oil, pads and collar of
    each film in each step."""
    bearing = pads(
        Conducting(323.0, bush=Convection(500.0, 300.0), journal=320.0), (8, 4),
        cavitation=Reynolds(),
    )  # fmt: skip
    system = fc.System(gravity=(0, 0, 0))
    shaft = system.add(
        fc.RigidBody(5.0, (0.1,) * 3, position=(0, 0, -4e-5), angular_velocity=(0, 0, 100.0))
    )
    ground = system.ground.at((0, 0, 0))
    system.add(fc.CylindricalJoint(ground, shaft.center, axis=(0, 0, 1)))
    system.add(ThrustFilm(ground, shaft.center, (0, 0, 1), bearing=bearing, name="thrust"))
    system.add(fc.Force(shaft.center, (0, 0, 2e3)))
    run = fc.Stepper(system, dt=2e-4, t_end=2e-3, newton_tolerance=1e-11)
    run.start()
    for _ in range(5):
        run.advance()
        run.channels.read()
        for k in (1, 6):
            loss, *taken = (
                run.channels[f"thrust.film{k}.{n}"]
                for n in ("power_loss", "oil_heat", "bush_heat", "journal_heat")
            )
            assert loss > 1.0 and abs(taken[1]) > 1e-2 * loss
            assert sum(taken) == pytest.approx(loss, rel=1e-9)


# --- turbulent films ------------------------------------------------------------------------------
def between_walls(reynolds, prandtl, hot=326.0):
    """Conductivity of a film between walls of 320 and 326 K, far from its inlet, by that of the
    oil: (q_b - q_j)/2 = k_eff (T_j - T_b)/h, whatever heat friction makes."""
    mu, rho, c = 2e-3, 850.0, 2000.0
    k, speed = mu * c / prandtl, reynolds * mu / (rho * H_OUT)
    oil = Lubricant(mu, mass_density=rho, specific_heat=c, conductivity=k)
    heats = []
    for n in (20, 24):  # the last sixth counts
        length = 12 * rho * c * speed * H_OUT**2 / k / 20 * n / 24
        film = Film(
            pad(length, W, (n, 1)), H_OUT, oil, Full(), {"x0": 0.0, "x1": 0.0},
            sliding_speed=speed, gap=FlatGap(), turbulence=Constantinescu(),
            thermal=Conducting(323.0, bush=320.0, journal=hot),
        )  # fmt: skip
        _, state = solved(film, RUN._replace(V=(speed, 0.0, 0.0)))
        warm = state.warm
        assert warm.oil_heat + warm.bush_heat + warm.journal_heat == pytest.approx(
            state.power_loss, rel=1e-9
        )
        heats.append((warm.bush_heat - warm.journal_heat) / 2)
    return np.diff(heats)[0] / (k * (hot - 320.0) / H_OUT * W * length / 6)


@pytest.mark.parametrize(("prandtl", "within"), [(1.0, 0.03), (64.0, 0.12)])
def test_analogy_of_heat_and_friction(prandtl, within):
    """Chilton and Colburn (1934): St Pr^(2/3) = tau/(rho U^2), with the friction of Robertson's
    (1959) measurements of turbulent Couette flow; for Pr = 1 it is Reynolds' analogy."""
    reynolds = 1e4
    friction = 2 * (0.19 / np.log10(reynolds / 4)) ** 2  # by rho (U/2)^2/2
    colburn = prandtl ** (1 / 3) * reynolds * friction / 8
    assert between_walls(reynolds, prandtl) == pytest.approx(colburn, rel=within)


def test_slow_films_conduct_as_the_oil():
    assert between_walls(0.01, 64.0) == pytest.approx(1.0, rel=1e-3)


def test_turbulent_oil_that_conducts_well_is_adiabatic():
    """Insulated walls: the same film with one temperature across, of a converging gap."""
    states = []
    for thermal, k in ((Conducting(323.0, journal=None), 100.0), (Adiabatic(323.0), 0.0)):
        film = wedge(32, oil=replace(OIL, viscosity=MU / 20, conductivity=k))
        film = replace(film, thermal=thermal, turbulence=Constantinescu())
        states.append(Bearing(film).solve(RUN))
    one, other = states
    assert one.force[2] == pytest.approx(other.force[2], rel=2e-3)
    assert one.power_loss == pytest.approx(other.power_loss, rel=2e-3)
    assert one.warm.temperature.max() - 323 == pytest.approx(
        other.warm.temperature.max() - 323, rel=5e-3
    )


def test_refused():
    ground, body = fc.System().ground.at((0, 0, 0)), fc.RigidBody(1.0, (1e-3,) * 3)
    mesh = thrust_pad_mesh(PADS, 0.01, (4, 2, 1))
    steel = HeatedSolid(mesh, 50.0, 3.6e6, cooled={"back": (100.0, 300.0)}, facets="face",
                        expansion=Expansion(1e-5, E=2e11, nu=0.3))  # fmt: skip
    for make, words in (
        (lambda: pads(3.0), "thermal must be"),
        (lambda: pads(Conducting(323.0, bush=steel)), "expand are not available"),
        (lambda: pads(Conducting(323.0, journal_expansion=1e-5)), "expand are not available"),
        (
            lambda: ThrustFilm(ground, body.center, (0, 0, 1), bearing=pads(Conducting(323.0))),
            "a collar that its films heat",
        ),
        (lambda: thrust_pad_mesh(PivotedPad(0.04, 0.08, 0.7), -1.0, (4, 2, 1)), "thickness"),
    ):
        with pytest.raises(fc.InputError, match=words):
            make()
