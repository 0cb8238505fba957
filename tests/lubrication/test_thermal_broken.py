"""Conducting films that break and conserve their oil: in every step heat balances with the loss of
the bodies."""

from dataclasses import replace

import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Conducting, Convection, CylindricalFilm

from . import thermal as two


def started(dt):
    """The stepper of a heavy journal that accelerates downwards in two pads with grooves."""
    film = two.pads((8, 4))
    thermal = Conducting(323.0, film.thermal.grooves, bush=Convection(2000.0, 310.0))
    system = fc.System(gravity=(0, -50.0, 0))
    journal = system.add(
        fc.RigidBody(1e6, (1e6, 1e6, 1e6), position=(0.3 * two.C, -0.4 * two.C, 0),
                     velocity=(0, -0.01, 0), angular_velocity=(0, 0, two.SPEED))
    )  # fmt: skip
    system.add(
        CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1),
                        film=replace(film, thermal=thermal), name="film")
    )  # fmt: skip
    run = fc.Stepper(system, dt=dt, t_end=4e-4, newton_tolerance=1e-12)
    run.start()
    return run


def test_loss_is_heat_in_each_step():
    """Voids and velocities change in each step: what the bodies lose is the heat, and that is what
    oil, bush and journal take."""
    run, parts = started(4e-5), ["oil_heat", "bush_heat", "journal_heat"]
    while run.t < 4e-4 * (1 - 1e-9):
        run.advance()
        run.channels.read()
        loss, heat = run.channels["film.power_loss"], run.channels["film.heat"]
        assert heat == pytest.approx(loss, rel=1e-10)
        assert sum(run.channels[f"film.{n}"] for n in parts) == pytest.approx(loss, rel=1e-10)
    print(f"loss {loss:.0f} W, |heat / power_loss - 1| {abs(heat / loss - 1):.1e}")
