"""What a film in a running system records and says: peak pressure, path in the bearing, warnings.

Outside numbers: the largest pressure of a full bearing by Raimondi and Boyd (1958), and the motion
of a point seen from a turning frame.
"""

import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.io.vtk import entries, read_vtu
from fem_clearance.lubrication import (
    JFO,
    Barus,
    CylindricalFilm,
    Film,
    Full,
    Groove,
    Guembel,
    Lubricant,
    LubricatedSpherical,
    Reynolds,
    ShortBearing,
    SphereGap,
    SphericalSqueeze,
    cap,
    plain_bearing,
)

from .test_film_probe import MU, SPEED, C, L, R, bearing


def test_largest_pressure_is_that_of_raimondi_and_boyd(reference):
    """L/D = 1, eps = 0.6: the mean pressure W/(L D) is 0.415 of the largest; their error 3 %."""
    data = reference("raimondi_boyd_1958.json")
    part = next(row[-1] for row in data["table"]["1"] if row[0] == 0.6)
    system, _ = bearing((0.6 * C, 0.0), SPEED, cells=(48, 8), grooves=[], crowd=0.8,
                        starts_at_largest_gap=True)  # fmt: skip
    results = fc.Simulation(system, dt=1e-4, t_end=2e-4, progress=False).run()
    load = np.hypot(results["film.force.x"], results["film.force.y"])[-1]
    assert load / (2 * R * L) / results["film.max_pressure"][-1] == pytest.approx(part, rel=0.03)


@pytest.mark.parametrize("law", [Reynolds(), Guembel(), Full(), JFO()])
def test_largest_pressure_is_that_of_the_fields(law, tmp_path):
    """And never that of tension which does not act, or less than the pressure at the ends."""
    system, _ = bearing((0.0, 0.7 * C), SPEED, cells=(24, 6), cavitation=law)
    results = fc.Simulation(
        system, dt=1e-4, t_end=3e-4, output=tmp_path, fields_every=1, progress=False
    ).run()
    for k, (_, name) in enumerate(entries(tmp_path / "fields" / "film.pvd")):
        pressure = read_vtu(tmp_path / "fields" / name)["pressure"]
        assert results["film.max_pressure"][k] == pytest.approx(pressure.max(), rel=1e-9)
    assert results["film.max_pressure"].min() >= 2e5  # the groove's


def test_path_in_a_turning_bearing():
    """The bearing turns about its centre at 40 rad/s, the journal stays where it is in space."""
    e, turning, t_end = 0.4 * C, 40.0, 0.05
    system = fc.System(gravity=(0, 0, 0))
    rod = system.add(fc.RigidBody(1.0, (1e-3,) * 3, angular_velocity=(0, 0, turning), name="rod"))
    pin = system.add(fc.RevoluteJoint(system.ground, rod.center, (0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(turning)))
    short = ShortBearing(R, L, C, MU)
    system.add(CylindricalFilm(rod.center, system.ground.at((e, 0, 2e-3)), (0, 0, 1),
                               first=(1, 0, 0), film=short, name="film"))  # fmt: skip
    results = fc.Simulation(system, dt=1e-4, t_end=t_end, progress=False).run()
    angle, size = turning * results.time, pytest.approx
    assert results["film.ex"] == size(np.full(len(angle), e), rel=1e-9)
    for name, wanted in {
        "e1": e * np.cos(angle), "e2": -e * np.sin(angle), "e3": np.full(len(angle), 2e-3),
        "v1": -e * turning * np.sin(angle), "v2": -e * turning * np.cos(angle), "v3": 0 * angle,
    }.items():  # fmt: skip
        unit = {"e": e, "v": e * turning}[name[0]]
        np.testing.assert_allclose(results[f"film.{name}"] / unit, wanted / unit, atol=1e-5)


def test_path_of_a_ball_is_in_the_socket():
    """The axes of the film turn with the line of centres; those of the path do not."""
    radius, c = 0.02, 2e-4
    start, velocity = np.array([0.2, 0.1, 0.15]) * c, np.array([-1e-3, 2e-3, 5e-4])
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(50.0, (1.0,) * 3, position=start, velocity=velocity, free=True))
    film = Film(cap(radius, cells=(4, 4)), c, Lubricant(MU), Full(), {"rim": 0.0}, gap=SphereGap())
    socket = system.ground.at((0, 0, 0))
    system.add(LubricatedSpherical(socket, body.center, socket_radius=radius, stiffness=1e8,
                                   ball_radius=radius - c, film=film, name="film"))  # fmt: skip
    system.add(fc.Probe(body.center, name="ball"))
    results = fc.Simulation(system, dt=5e-5, t_end=1e-3, progress=False).run()
    path = np.stack([results[f"film.e{k}"] for k in "123"])
    moved = np.stack([results[f"film.e{x}"] for x in "xyz"])
    rate = np.stack([results[f"film.v{k}"] for k in "123"])
    speed = np.stack([results[f"ball.v{x}"] for x in "xyz"])
    # the socket's axes are fixed: one rotation takes both into space, at all times
    turn = np.linalg.lstsq(path.T, moved.T, rcond=None)[0].T
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-6)
    np.testing.assert_allclose(turn @ path, moved, atol=1e-9 * c)
    np.testing.assert_allclose(turn @ rate, speed, atol=1e-6 * np.abs(speed).max())
    assert np.ptp(path[0]) > 1e-4 * c


def test_a_tolerance_too_coarse_for_the_film_is_said(caplog):
    """Once at the start, above 1 % of the smallest clearance; never of fixed steps."""
    system, _ = bearing(cells=(12, 2), cavitation=Full(), grooves=[])
    size = system.extent()
    for tolerance, said in ((0.9e-2 * C / size, False), (1.1e-2 * C / size, True)):
        caplog.clear()
        fc.Simulation(system, t_end=1e-6, tolerance=tolerance, progress=False).run()
        assert caplog.text.count("of the film's clearance of 0.0001 m") == said
    (advice,) = [r.getMessage() for r in caplog.records if "clearance of" in r.getMessage()]
    better = float(advice.split("give tolerance=")[1].split(" ")[0])
    caplog.clear()
    fc.Simulation(system, t_end=1e-6, tolerance=better, progress=False).run()
    fc.Simulation(system, dt=1e-6, t_end=1e-6, tolerance=0.1, progress=False).run()
    assert "clearance of" not in caplog.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, True),
        ({"grooves": [Groove(1.0, 0.3, 0.0)]}, False),  # oil is carried away from it
        ({"grooves": [Groove(0.0, 2 * np.pi, 1e5, 0.006)]}, False),
        ({"cavitation": Reynolds()}, False),
    ],
)
def test_a_film_that_runs_empty_is_said(options, said, caplog):
    options = {"grooves": [], "cavitation": JFO(), "cells": (24, 4)} | options
    bearing(**options)[0].assemble()
    assert caplog.text.count("film: this film conserves its oil") == said


def test_viscosities_in_centipoise_are_said(caplog):
    for make in (Lubricant, Barus, SphericalSqueeze, lambda mu: ShortBearing(R, L, C, mu)):
        for viscosity, said in ((20.0, 1), (1.4, 0)):
            caplog.clear()
            make(viscosity)
            assert caplog.text.count("divide the number by 1000") == said
    caplog.clear()
    plain_bearing(R, L, C, 20.0, cells=(12, 2))
    assert caplog.text.count(".viscosity = 20 Pa s") == 1
    assert all(record.levelno == logging.WARNING for record in caplog.records)
