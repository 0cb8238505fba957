"""Warm films beyond what their oil is for: a failed step with a sentence or a word in the log, no
other error and no number that is none."""

import logging
from contextlib import contextmanager

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import InputError, StepFailed
from fem_clearance.lubrication import (
    Adiabatic,
    Barus,
    Bearing,
    Conducting,
    Convection,
    CylindricalFilm,
    Exponential,
    Film,
    HeatedSolid,
    Lubricant,
    Place,
    Reynolds,
    Roelands,
    RoelandsTemperature,
    Shaft,
    Vogel,
    Walther,
    cylinder,
)

R, L, C, SUPPLY, SPIN = 15e-3, 20e-3, 5e-5, 320.0, 300.0
VOGEL = Vogel.through((313.15, 0.04), (343.15, 0.0125), (373.15, 0.0058))
WALTHER = Walther((313.15, 46e-6), (373.15, 6.8e-6))
OILS = {
    "exponential": (Lubricant, {}, Exponential(0.03)),
    "vogel": (Lubricant, {}, VOGEL),
    "walther": (Lubricant, {}, WALTHER),
    "roelands": (Roelands, {"z": 0.6}, RoelandsTemperature(1.1)),
    "barus": (Barus, {"alpha": 2e-8}, Exponential(0.03)),
}
ADIABATIC = Adiabatic(SUPPLY)
CONDUCTING = Conducting(SUPPLY, bush=Convection(2000.0, 310.0))
AT = (0.3 * C, -0.6 * C, 0.0)


def film(oil, thermal, spin=SPIN):
    law, numbers, temperature = OILS[oil] if isinstance(oil, str) else (Lubricant, {}, oil)
    lubricant = law(0.04, temperature=temperature, reference_temperature=SUPPLY, **numbers)
    return Film(cylinder(R, L, (12, 4)), C, lubricant, Reynolds(), sliding_speed=R * spin,
                thermal=thermal)  # fmt: skip


def started(own, spin=SPIN, dt=1e-4):
    """A loaded journal in a film, at the start of its run."""
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(0.5, (1e3,) * 3, position=AT, angular_velocity=(0, 0, spin), name="journal")
    )
    place = system.ground.at((0, 0, 0))
    system.add(CylindricalFilm(place, journal.center, (0, 0, 1), film=own, name="film"))
    system.add(fc.Force(journal.center, (0, -600, 0)))
    stepper = fc.Stepper(system, dt=dt, t_end=10 * dt)
    stepper.start()
    return stepper


def said(text):
    """Whether a failure names the equations of the film, or its temperature, and a remedy."""
    names = "the equations of film." in text or "no steady temperature" in text
    return names and ("speed" in text or "slower motion" in text)


@contextmanager
def told(caplog):
    """Whatever is done there fails in a sentence, or has a solution whose viscosity is held beyond
    the bounds of its law, which is said."""
    caplog.clear()
    try:
        yield
    except StepFailed as failed:
        assert said(str(failed)), failed
    else:
        assert "leave the bounds" in caplog.text


@pytest.mark.parametrize("thermal", [ADIABATIC, CONDUCTING], ids=["adiabatic", "conducting"])
@pytest.mark.parametrize("oil", OILS)
def test_much_too_fast(oil, thermal, caplog):
    """Surfaces at 150 km/s: the exponents of the laws overflow on the way of Newton's method. The
    bearing is as good as new afterwards."""
    spin = 1e7
    bearing = Bearing(film(oil, thermal, spin))
    with np.errstate(all="raise"), told(caplog):
        bearing.solve(Place(e=AT, Omega=(0, 0, spin)))
    slow = Place(e=AT, Omega=(0, 0, SPIN))
    fresh = Bearing(film(oil, thermal, spin)).solve(slow)
    near = 1e-5 if "leave the bounds" in caplog.text else 1e-7  # Newton's, from another start
    np.testing.assert_allclose(bearing.solve(slow).force, fresh.force, rtol=near, atol=1e-6)
    with told(caplog):
        started(film(oil, thermal, spin), spin, 1e-5).advance()


def test_fails_in_a_run():
    """Walls so hot that the oil has no viscosity: the journal falls through the film until the
    surfaces touch; the state is the one before the step."""
    stepper = started(film("barus", Conducting(SUPPLY, bush=1000.0, journal=1000.0)))
    with pytest.raises(StepFailed, match="t = .*, smallest step .* film: the surfaces touch"):
        for _ in range(100):
            stepper.advance()
    stepper.channels.read()
    assert stepper.channels["film.min_film"] > 0
    assert 0 < stepper.t < 1e-3
    assert all(np.isfinite(stepper.channels[c.name]) for c in stepper.channels.list)


@pytest.mark.parametrize("oil", [Vogel(900.0, 290.0), Vogel(900.0, 282.0)])
def test_pole_within_what_newton_sees(oil):
    """The viscosity goes on to change for 20 K beyond the bounds, here at 300 K; a law with a pole
    there is refused, and not with narrower bounds."""
    with pytest.raises(InputError, match="at 280 K, within 20 K of the bounds, .* would be"):
        film(oil, ADIABATIC)
    film(oil, Adiabatic(SUPPLY, bounds=(-10.0, 200.0)) if oil.c < 290 else CONDUCTING_WARM)


CONDUCTING_WARM = Conducting(SUPPLY, bounds=(-5.0, 200.0))


@pytest.mark.parametrize("oil", ["vogel", "walther", "roelands", "barus"])
def test_cold_walls(oil, caplog):
    """Walls far below the bounds, where Vogel's law has a pole: the viscosity is that at the bounds
    or a little beyond, so that the film is laminar, and the log says it."""
    cold = film(oil, Conducting(SUPPLY, bush=155.0, journal=155.0))
    with caplog.at_level(logging.WARNING):
        state = Bearing(cold).solve(Place(e=AT, Omega=(0, 0, SPIN)))
    assert np.isfinite(state.force).all() and state.warm.temperature.max() < 270.0
    messages = [r.getMessage() for r in caplog.records]
    assert len(messages) == 1 and "leave the bounds of 300 to 520 K" in messages[0]
    bounds = [cold.lubricant.viscosity_at(T) for T in (300.0, 280.0)]
    # a film of one viscosity loses that part of what another one loses
    flat = Film(cold.surface, C, Lubricant(1.0), Reynolds(), sliding_speed=R * SPIN)
    loss = state.power_loss / Bearing(flat).solve(state.place).power_loss
    if oil in ("vogel", "walther"):  # whose viscosity does not grow with the pressure
        assert bounds[0] < loss < bounds[1]


def test_walls_beyond_the_bounds(caplog):
    """The oil is within them: of a bearing and in a run, for given walls and for those that follow;
    the channels are the highest temperatures of the walls."""
    given = film("walther", Conducting(SUPPLY, bush=298.0))
    with caplog.at_level(logging.WARNING):
        state = Bearing(given).solve(Place(e=AT, Omega=(0, 0, SPIN)))
    assert state.warm.temperature.min() > 300.0
    assert [r.getMessage().startswith("film: temperatures of 298 to") for r in caplog.records] == [
        True
    ]
    caplog.clear()
    ring = fc.meshes.hollow_cylinder(R, 2 * R, L, (12, 2, 2), degree=2)
    solid = HeatedSolid(ring, 50.0, 3.6e6, cooled={"rim": (500.0, 310.0)}, responses=20)
    for bush in (295.0, Convection(2e4, 250.0), solid):
        shaft = Shaft(conductance=50.0, temperature=250.0)
        stepper = started(film("walther", Conducting(SUPPLY, bush=bush, journal=shaft)))
        with caplog.at_level(logging.WARNING):
            for _ in range(5):
                stepper.advance()
        stepper.channels.read()
        blocks = {b.name: b for b in stepper.system.state.problem.blocks}
        for wall in ("bush", "journal"):
            block = blocks[f"film.{wall}"]
            rise = stepper.state.q[stepper.state.locate(block.numbers)]
            found = stepper.channels[f"film.max_{wall}_temperature"]
            assert found == pytest.approx(SUPPLY + rise.max(), rel=1e-12)
        messages = [r.getMessage() for r in caplog.records]
        caplog.clear()
        of_bush = [m for m in messages if "temperatures of the bush of" in m]
        assert len(of_bush) == (bush is not solid), messages
