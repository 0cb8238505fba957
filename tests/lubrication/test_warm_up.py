"""Bearings that warm up step by step, beside films in a steady state: bush and journal against
closed forms, heat in each step."""

import logging
from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import InputError
from fem_clearance.lubrication import (
    Adiabatic,
    Bearing,
    Conducting,
    Convection,
    CylindricalFilm,
    Exponential,
    Groove,
    HeatedSolid,
    Place,
    Shaft,
    Streamers,
    equilibrium,
    plain_bearing,
)

from . import thermal as two

CAPACITY = 4e5  # J/K
#: whose viscosity is constant: what its film gives the journal is linear in their temperatures, if
#: no layers are captured
OIL = replace(two.WARM_OIL, temperature=Exponential(0.0))
SUPPLY = 323.0


def bearing(journal, bush=SUPPLY, oil=OIL, **more):
    thermal = Conducting(SUPPLY, two.GROOVES, bush=bush, journal=journal, **more)
    return Bearing(replace(two.pads((8, 4), oil=oil), thermal=thermal))


def balance(found):
    """What oil, bush and journal take, by what the bodies lose."""
    warm = found.warm
    return (warm.oil_heat + warm.bush_heat + warm.journal_heat) / found.power_loss


def test_journal_warms_exponentially():
    """C dT/dt = q - K T of a ruptured film, whose q and K are those of journals held at two
    temperatures: backward Euler's to round-off, the exponential to the first order in the step."""
    cold, warmer = (
        bearing(SUPPLY + z, upwind=True).solve(two.LOADED).warm.journal_heat for z in (0.0, 10.0)
    )
    K, end = (cold - warmer) / 10, 1500.0
    exact, errors = cold / K * (1 - np.exp(-K * end / CAPACITY)), []
    for steps in (5, 10):
        own, h, T = bearing(Shaft(capacity=CAPACITY), upwind=True), end / steps, 0.0
        state = own.solve(two.LOADED)
        state = replace_journal(own, state, 0.0)
        for _ in range(steps):
            state = own.solve(two.LOADED, before=state, step=h)
            T = (CAPACITY / h * T + cold) / (CAPACITY / h + K)
            assert state.warm.journal[0] - SUPPLY == pytest.approx(T, rel=1e-7)
            stored = own.system.channels["film.shaft_stored"]
            assert stored == pytest.approx(state.warm.journal_heat, rel=1e-9)
            assert balance(state) == pytest.approx(1.0, abs=1e-10)
        errors.append(T - exact)
    assert exact > 5.0 and errors[0] / errors[1] == pytest.approx(2.0, abs=0.15)


def replace_journal(own, state, rise):
    """The film with a journal of another temperature over the supply's, K."""
    unknowns = state.unknowns.copy()
    unknowns[own.temperatures.places["journal"]] = rise
    return state._replace(unknowns=unknowns)


def test_solid_warms_with_its_film():
    """What enters a bush on its mesh warms it or leaves at its rim, in each step until nothing
    changes any more; the load is carried in each."""
    mesh = fc.meshes.hollow_cylinder(two.R, 1.5 * two.R, two.L, (12, 2, 2), degree=1)
    bush = HeatedSolid(mesh, 50.0, 3.6e6, cooled={"rim": (700.0, 300.0)}, responses=10)
    own, load = bearing(Shaft(capacity=CAPACITY), bush, two.WARM_OIL), (0.0, -1e5)
    steady = equilibrium(own, load, two.SPEED)
    assert abs(own.system.channels["film.solid_stored"]) < 1e-9 * steady.warm.bush_heat
    state = replace_journal(own, steady, 0.0)
    last = 0.0
    for h in (50.0, 500.0, 1e9):
        state = equilibrium(own, load, two.SPEED, before=state, step=h)
        stored, passed = (own.system.channels[f"film.solid_{z}"] for z in ("stored", "passed"))
        assert stored + passed == pytest.approx(state.warm.bush_heat, rel=1e-9)
        assert balance(state) == pytest.approx(1.0, abs=1e-10)
        np.testing.assert_allclose(state.force[:2], np.negative(load), atol=1e-3)
        assert state.warm.journal[0] > last
        last = state.warm.journal[0]
    assert state.place.e == pytest.approx(steady.place.e, rel=1e-6)
    assert last == pytest.approx(steady.warm.journal[0], abs=1e-4)


def test_steps_need_a_film_before():
    own = bearing(Shaft())
    state = own.solve(two.LOADED)
    for more in ({"before": state}, {"step": 1.0}, {"before": state, "step": -1.0}):
        with pytest.raises(InputError, match="give before="):
            own.solve(two.LOADED, **more)
    with pytest.raises(InputError, match="same bearing"):
        own.solve(two.LOADED, before=state._replace(unknowns=state.unknowns[:-1]), step=1.0)


def grooved(thermal, length=0.06, cells=(24, 4)):
    """A film fed by two wide grooves."""
    grooves = [Groove(z, np.radians(20), length=length) for z in (0.0, np.pi)]
    return plain_bearing(0.04, 0.06, 6e-5, two.WARM_OIL, sliding_speed=12.0, cells=cells,
                         cavitation=Streamers(), grooves=grooves, thermal=thermal)  # fmt: skip


MIXED = {"left": ["groove1"], "right": ["groove2"]}


@pytest.mark.parametrize("model", [Adiabatic, Conducting])
def test_oil_of_grooves_warms(model):
    """In motion the heat that warms the oil of wide grooves, which mixes, is the film's, and counts
    once; shear over a groove heats its oil."""
    film = grooved(model(SUPPLY, MIXED, carry_over=1.0))
    system = fc.System(gravity=(0, -9.81, 0))
    rotor = system.add(
        fc.RigidBody(600.0, (1e3,) * 3, position=(1e-5, -1.5e-5, 0), angular_velocity=(0, 0, 300.0))
    )  # fmt: skip
    ground = system.ground.at((0, 0, 0))
    system.add(CylindricalFilm(ground, rotor.center, (0, 0, 1), film=film, name="film"))
    run = fc.Stepper(system, dt=5e-4, t_end=2e-3, newton_tolerance=1e-12)
    run.start()
    for _ in range(4):
        run.advance()
        run.channels.read()
        read = {n: run.channels[f"film.{n}"] for n in ("heat", "oil_heat", "power_loss")}
        walls = ("bush_heat", "journal_heat") if model is Conducting else ()
        taken = read["oil_heat"] + sum(run.channels[f"film.{n}"] for n in walls)
        assert taken == pytest.approx(read["heat"], rel=1e-9)
        assert read["heat"] > 100.0


OFF_CENTRE = Place(e=(2e-5, -3e-5, 0.0), Omega=(0.0, 0.0, 300.0))


def test_oil_of_grooves_gives_no_heat_to_the_bush():
    """All oil of a bearing with sealed ends and carry_over=1 stays, so that all of its heat leaves
    through the bush under the film, but for what grooves mix along their edges, which falls with
    the cells."""
    bush, off = Convection(2000.0, 300.0), []
    for cells in ((24, 4), (48, 8)):
        thermal = Conducting(SUPPLY, MIXED, carry_over=1.0, bush=bush)
        film = replace(grooved(thermal, cells=cells), pressures={"groove1": 0.0, "groove2": 0.0})
        state = Bearing(film).solve(OFF_CENTRE)
        assert min(state.warm.grooves.values()) > SUPPLY + 5.0
        assert balance(state) == pytest.approx(1.0, abs=1e-10)
        off.append(abs(state.warm.bush_heat / state.power_loss - 1))
    print(off)
    assert off[0] < 1e-3 and off[1] < 0.6 * off[0], off


def test_short_grooves_that_shall_mix_are_refused():
    with pytest.raises(InputError, match=r"make it as long as the bearing.*oil is fresh"):
        grooved(Adiabatic(SUPPLY, MIXED), 0.048)


def heat_per_kelvin(state):
    """Of the oil that leaves at the ends, W/K."""
    return 855.0 * 1950.0 * (state.outflow["z0"] + state.outflow["z1"])


def words(caplog, what):
    return [r.getMessage() for r in caplog.records if what in r.getMessage()]


def test_fresh_grooves_that_lose_heat_are_told(caplog):
    """Once, with the power: what of the oil's heat does not leave at the ends. Not where it
    mixes."""
    with caplog.at_level(logging.WARNING):
        own = Bearing(grooved(Adiabatic(SUPPLY), 0.048))
        state = equilibrium(own, (0.0, -6e3), 300.0)
    flow = own._flow(own.state.residual())
    ends = np.concatenate([own.film.given()[n] for n in ("z0", "z1")])
    rise = state.warm.temperature[ends] - SUPPLY
    lost = state.warm.oil_heat - 855.0 * 1950.0 * np.maximum(flow[ends], 0) @ rise
    print(f"fresh grooves: {lost:.0f} W of {state.power_loss:.0f} W, loss / (rho c Q) = "
          f"{state.power_loss / heat_per_kelvin(state):.1f} K")  # fmt: skip
    said = words(caplog, "fresh all the same")
    assert len(said) == 1 and f"brings {lost:.3g} W" in said[0] and lost > 0.1 * state.power_loss
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        mixed = equilibrium(grooved(Adiabatic(SUPPLY, MIXED)), (0.0, -6e3), 300.0)
    print(f"mixed: {mixed.power_loss:.0f} W, loss / (rho c Q) = "
          f"{mixed.power_loss / heat_per_kelvin(mixed):.1f} K")  # fmt: skip
    assert not words(caplog, "fresh all the same") and mixed.power_loss < state.power_loss


def test_oil_colder_than_all_that_could_cool_it_is_told(caplog):
    """Once; not of a right film, nor where bush or surroundings are as cold."""
    own = Bearing(two.pads((8, 4)))
    with caplog.at_level(logging.WARNING):
        state = own.solve(two.LOADED)
        assert not words(caplog, "is colder than")
        own.state.q[own.temperatures.places["temperature"][:3]] = -5.0
        own.temperatures.say(own.item, state.warm)
        own.temperatures.say(own.item, state.warm)
    (said,) = words(caplog, "is colder than")
    assert "oil of 318 K" in said and "323 K" in said and len(said) <= 400
    warm = Conducting(SUPPLY, bush=Convection(50.0, 310.0), journal=Shaft(2.0, 312.0))
    assert (warm.coldest, Conducting(SUPPLY, bush=330.0).coldest) == (310.0, SUPPLY)
    assert Conducting(SUPPLY, journal=300.0).coldest == 300.0


def test_films_on_the_way_say_nothing(caplog):
    """A first guess close to the bore has oil beyond the bounds, the film that carries the load has
    none; films that are asked for speak."""
    own = Bearing(two.pads((8, 4), bounds=(-20.0, 40.0)))
    thin = two.LOADED._replace(e=(0.5 * two.C, -0.78 * two.C, 0.0))
    with caplog.at_level(logging.WARNING):
        equilibrium(own, (0.0, -2e4), two.SPEED, start=thin.e[:2])
        assert not words(caplog, "leave the bounds")
        own.solve(thin)
    assert len(words(caplog, "leave the bounds")) == 1
