"""Films with a temperature in running systems: warm-up against its closed form and step by step,
power lost and heat, several ranks."""

import logging

from mpi4py import MPI

import numpy as np
import pytest
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance.core.symbols import PER_STEP
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.lubrication import (
    Adiabatic,
    CylindricalFilm,
    Exponential,
    Film,
    FilmProbe,
    Full,
    Lubricant,
    LubricatedCylindrical,
    LubricatedSpherical,
    Reynolds,
    SphereGap,
    Streamers,
    cap,
    cylinder,
    joined,
)

from .balances import run

R, L, C, MU, BETA, SPIN, SUPPLY = 15e-3, 20e-3, 5e-5, 0.04, 0.03, 300.0, 320.0
OIL = Lubricant(
    MU, temperature=Exponential(BETA), reference_temperature=SUPPLY, mass_density=850.0,
    specific_heat=2000.0,
)  # fmt: skip
RC, U = 1.7e6, R * SPIN
#: keeps its spin and its direction
HEAVY = (1e3, 1e3, 1e3)
DRY = {
    "length": L, "bearing_radius": R, "journal_radius": R - C, "stations": 2,
    "stiffness": 1e11, "normal": fc.Hertz(),
}  # fmt: skip


def film_of(cavitation, clearance=C, speed=U, cells=(16, 4), **thermal):
    return Film(cylinder(R, L, cells), clearance, OIL, cavitation, sliding_speed=speed,
                thermal=Adiabatic(SUPPLY, **thermal))  # fmt: skip


def pads(**more):
    arc = np.radians(170)
    halves = (cylinder(R, L, (12, 4), arc=arc, start=m - arc / 2) for m in (np.pi / 2, 1.5 * np.pi))
    sets = dict.fromkeys(("z0", "z1", "start0", "end0", "start1", "end1"), 0.0)
    grooves = {"left": ("end0", "start1"), "right": ("end1", "start0")}
    return Film(joined(halves), C, OIL, Streamers(), sets, sliding_speed=U,
                thermal=Adiabatic(SUPPLY, grooves, **more))  # fmt: skip


def rotor(film, load=(0, 0, 0), at=(0, 0), inertia=HEAVY, joint=CylindricalFilm, comm=None,
          spin=SPIN, **more):  # fmt: skip
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    journal = system.add(
        fc.RigidBody(0.5, inertia, position=(*np.multiply(C, at), 0), name="journal",
                     angular_velocity=(0, 0, spin))
    )  # fmt: skip
    bearing = system.add(
        joint(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film, name="film",
              **more)
    )  # fmt: skip
    if np.any(load):
        system.add(fc.Force(journal.center, load, name="load"))
    system.add(FilmProbe(bearing, (0, R, 0), name="probe"))
    return system


def test_warm_up_of_a_concentric_film():
    """rho c h dT/dt = mu_0 exp(-beta T) U^2 / h: by backward Euler in each step, and by the closed
    form T = ln(1 + beta k t) / beta to the first order in the step."""
    thin, spin = C / 100, SPIN / 100  # a step turns by little, which directors follow exactly
    k = MU * U**2 / (RC * C**2)
    t_end, errors = 0.02, []
    for dt in (1e-3, 5e-4):
        film = film_of(Full(), thin, U / 100, (48, 2))
        stepper = run(rotor(film, spin=spin), dt, t_end)
        T = 0.0
        for _ in range(round(t_end / dt)):
            T = brentq(lambda z, T=T, dt=dt: z - T - dt * k * np.exp(-BETA * z), T, T + dt * k)
        found = stepper.channels["probe.temperature"] - SUPPLY
        assert found == pytest.approx(T, rel=2e-6)
        errors.append(abs(found - np.log1p(BETA * k * t_end) / BETA))
        # what the bodies lose is what the film turns into heat and the oil stores
        lost = stepper.channels["film.power_loss"]
        exact = MU * np.exp(-BETA * T) * (U / 100) ** 2 / thin * 2 * np.pi * R * L
        assert lost == pytest.approx(exact, rel=1e-5)
        assert stepper.channels["film.heat"] == pytest.approx(lost, rel=1e-9)
        assert stepper.channels["film.oil_heat"] == pytest.approx(lost, rel=1e-9)
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)


def test_energy_of_a_spinning_down_journal():
    """The kinetic energy that a journal loses is the heat that its oil has at the end, rho c h T:
    an independent sum over the channels of the bodies and the probe."""
    inertia = 2e-5
    system = rotor(film_of(Full()), inertia=(inertia,) * 3)
    stepper = run(system, 2.5e-4, 0.02)
    energy = stepper.channels["energy.kinetic"] - inertia * SPIN**2 / 2
    held = RC * C * 2 * np.pi * R * L * (stepper.channels["probe.temperature"] - SUPPLY)
    assert stepper.channels["probe.temperature"] > SUPPLY + 0.5
    assert held == pytest.approx(-energy, rel=1e-2)


def test_heat_of_a_loaded_film():
    """Reynolds' film in steps: what the bodies lose becomes heat that the oil takes."""
    stepper = run(rotor(film_of(Reynolds()), load=(0, -300.0, 0), at=(0.3, -0.5)), 2e-4, 4e-3)
    lost = stepper.channels["film.power_loss"]
    assert lost > 1.0
    assert stepper.channels["film.heat"] == pytest.approx(lost, rel=1e-8)
    assert stepper.channels["film.oil_heat"] == pytest.approx(lost, rel=1e-7)


def test_axes_that_turn_are_refused():
    film = Film(cap(R, cells=(4, 2)), C, OIL, Full(), {"rim": 0.0}, sliding_speed=U,
                gap=SphereGap(), thermal=Adiabatic(SUPPLY))  # fmt: skip
    system = fc.System()
    ball = system.add(fc.RigidBody(1.0, HEAVY))
    with pytest.raises(fc.InputError, match="follow the line of centres"):
        LubricatedSpherical(
            system.ground.at((0, 0, 0)), ball.center, film=film, socket_radius=R, ball_radius=R - C,
            normal=fc.Hertz(), stiffness=1e9,
        )  # fmt: skip


def test_beyond_the_bounds_is_said(caplog):
    """Once in a run, and there is a channel of the hottest oil."""
    film = film_of(Full(), bounds=(-5.0, 0.5))
    with caplog.at_level(logging.WARNING):
        stepper = run(rotor(film), 5e-4, 0.005)
    said = [r.getMessage() for r in caplog.records if "leave the bounds" in r.getMessage()]
    assert len(said) == 1 and "320.5 K" in said[0]
    hottest = stepper.channels["film.max_temperature"]
    assert hottest == pytest.approx(stepper.channels["probe.temperature"], abs=1e-6)
    assert hottest > SUPPLY + 0.5


def test_pads_with_grooves_in_steps():
    """Of two pads with grooves that mix, too: the oil takes the heat of a filled film, which is
    more than what the bodies lose to a broken one."""
    stepper = run(rotor(pads(), load=(0, -300.0, 0), at=(0.3, -0.5)), 5e-4, 0.02)
    heat = stepper.channels["film.heat"]
    assert stepper.channels["film.oil_heat"] == pytest.approx(heat, rel=1e-7)
    assert stepper.channels["film.power_loss"] < heat
    assert stepper.channels["probe.temperature"] > SUPPLY + 1.0


@pytest.mark.parametrize("joint", [CylindricalFilm, LubricatedCylindrical])
def test_tangent_and_joints(joint):
    """The rows' derivatives by the unknowns, in a step, of joints with and without dry contact."""
    more = {} if joint is CylindricalFilm else DRY
    system = rotor(film_of(Full()), load=(0, -300.0, 0), at=(0.3, -0.5), joint=joint, **more)
    stepper = run(system, 2e-4, 1e-3)
    stepper.state.globals[PER_STEP] = 1 / 2e-4
    assert max(tangent_errors(stepper.state, step=1e-9, rates=1e-6).values()) < 1e-5


@pytest.mark.mpi
def test_several_ranks():
    """The same numbers on all ranks together as on each alone."""
    found = [
        run(rotor(pads(), load=(0, -300.0, 0), at=(0.3, -0.5), comm=comm), 5e-4, 4e-3)
        for comm in (MPI.COMM_WORLD, MPI.COMM_SELF)
    ]
    for name in ("probe.temperature", "film.heat", "film.power_loss", "film.ex", "film.ey"):
        a, b = (stepper.channels[name] for stepper in found)
        assert a == pytest.approx(b, rel=1e-8, abs=1e-14), name
