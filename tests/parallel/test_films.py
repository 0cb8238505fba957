"""Lubricated joints on any number of ranks: the numbers of one rank."""

from mpi4py import MPI

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    Capillary,
    Conducting,
    Constantinescu,
    Convection,
    CylindricalFilm,
    Exponential,
    Film,
    Groove,
    Guembel,
    HeatedSolid,
    Lubricant,
    LubricatedCylindrical,
    LubricatedSpherical,
    Reynolds,
    Shaft,
    SphereGap,
    cap,
    cylinder,
    plain_bearing,
)

R, C, MU, SPIN = 0.015, 1e-4, 0.04, 500.0


def loaded(comm, at, load, spin=(0, 0, SPIN)):
    """A body with a load and a place for its bearing on the ground."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    journal = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=at, angular_velocity=spin, name="journal")
    )
    system.add(fc.Force(journal.center, load, name="load"))
    return system, system.ground.at((0, 0, 0)), journal


def spherical(comm, surface):
    """A ball with spin that falls towards the rim of a film on a hemisphere, down to dry contact's
    band."""
    system, socket, ball = loaded(comm, (0.3 * C, 0.1 * C, 0.2 * C), (200.0, 50.0, 100.0))
    film = Film(cap(R, cells=(3, 2)), C, Lubricant(MU), Guembel(), {"rim": 0.0},
                sliding_speed=R * SPIN,
                gap=SphereGap())  # fmt: skip
    joint = fc.SphericalClearance(
        socket, ball.center, socket_radius=R, ball_radius=R - C, stiffness=1e10, film=film,
        surface=surface, name="film",
    )  # fmt: skip
    assert joint.label == LubricatedSpherical.label
    system.add(joint)
    return system


def cylindrical(comm, cells=(16, 3)):
    """A journal in a film and dry contact under it."""
    system, bearing, journal = loaded(comm, (0.8 * C, 0.1 * C, 0), (900.0, -200.0, 0))
    film = Film(cylinder(R, R, cells), C, Lubricant(MU), Reynolds(), sliding_speed=R * SPIN)
    joint = fc.CylindricalClearance(
        bearing, journal.center, (0, 0, 1), bearing_radius=R, journal_radius=R - C, length=R,
        stiffness=1e10, film=film, name="film",
    )  # fmt: skip
    assert joint.label == LubricatedCylindrical.label
    system.add(joint)
    return system


def small_film_beside_a_beam(comm):
    """A film of few unknowns at the end of a long shaft of many."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    steel = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800.0)
    shaft = system.add(
        fc.Beam((0, 0, 0), (0, 0, 0.4), fc.Circle(0.006), steel, elements=32, model="cable",
                name="shaft")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, shaft.start))
    journal = system.add(
        fc.RigidBody(0.5, (1e-3,) * 3, position=(0, 0, 0.4), angular_velocity=(0, 0, SPIN))
    )
    system.add(fc.SphericalJoint(shaft.end, journal.center))
    film = Film(cylinder(R, R, (6, 2)), C, Lubricant(MU), Guembel(), sliding_speed=R * SPIN)
    system.add(
        CylindricalFilm(system.ground.at((0, 0, 0.4)), journal.center, (0, 0, 1), film=film,
                        name="film")
    )  # fmt: skip
    system.add(fc.Force(journal.center, (60.0, 0, 0), name="load"))
    return system


def hybrid(comm):
    """A journal over four recesses, whose pressures all ranks share, in a turbulent film."""
    system, bearing, journal = loaded(comm, (0.1 * C, 0, 0), (50.0, -400.0, 0))
    tube = Capillary(2e6, 2e11)
    recesses = [Groove(k * np.pi / 2, 0.8, length=0.6 * R, restrictor=tube) for k in range(4)]
    film = plain_bearing(
        R, R, C, MU, sliding_speed=R * SPIN, cells=(24, 6), grooves=recesses,
        turbulence=Constantinescu(),
    )  # fmt: skip
    system.add(CylindricalFilm(bearing, journal.center, (0, 0, 1), film=film, name="film"))
    return system


def conducting(comm, bush):
    """A journal with a heat capacity in a film that gives heat to it and to its bush."""
    system, bearing, journal = loaded(comm, (0.3 * C, -0.5 * C, 0), (50.0, -400.0, 0))
    oil = Lubricant(MU, temperature=Exponential(0.03), reference_temperature=320.0)
    shaft = Shaft(conductance=2.0, temperature=300.0, capacity=5.0)
    film = Film(
        cylinder(R, R, (16, 4)), C, oil, Reynolds(), sliding_speed=R * SPIN,
        thermal=Conducting(320.0, bush=bush, journal=shaft),
    )  # fmt: skip
    system.add(CylindricalFilm(bearing, journal.center, (0, 0, 1), film=film, name="film"))
    return system


def numbers(system, dt, steps=12):
    stepper = fc.Stepper(
        system, fc.GeneralizedAlpha(0.8, "stabilised"), dt=dt, t_end=1.0, newton_tolerance=1e-11
    )
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    return stepper.channels.list, stepper.channels.read().copy()


def compare(build, comm, dt, rel=1e-7):
    """Channels on this communicator against those of a single rank: a part of each, or 1e-9 of the
    largest of its unit (forces along a shaft are small beside those across)."""
    channels, here = numbers(build(comm), dt)
    others, alone = numbers(build(MPI.COMM_SELF), dt)
    assert channels == others
    units = np.array([c.unit for c in channels])
    largest = np.array([np.abs(alone[units == unit]).max() for unit in units])
    assert np.all(np.abs(here - alone) < 1e-10 + rel * np.abs(alone) + 1e-9 * largest)
    return {c.name: z for c, z in zip(channels, alone, strict=True)}


@pytest.mark.mpi
@pytest.mark.parametrize("surface", ["fixed", "turning"])
def test_spherical(comm, surface):
    channels = compare(lambda group: spherical(group, surface), comm, 1e-5)
    assert channels["film.film_force"] > 10.0
    assert channels["film.eccentricity"] > 0.376 * C  # from 0.374


@pytest.mark.mpi
def test_cylindrical(comm):
    channels = compare(cylindrical, comm, 1e-5)
    assert channels["film.film_force"] > 10.0
    assert channels["film.min_film"] < 0.2 * C


@pytest.mark.mpi
def test_recesses(comm):
    channels = compare(hybrid, comm, 1e-4)
    assert channels["film.groove4.pressure"] > 1e5
    assert channels["film.groove4.flow"] > 1e-7


@pytest.mark.mpi
@pytest.mark.parametrize("solid", [False, True], ids=["convection", "solid"])
def test_heat_into_bush_and_journal(comm, solid):
    """The bush's temperatures at the nodes, or the few amplitudes of a condensed solid, and the
    shaft's, which all ranks share."""
    bush: Convection | HeatedSolid = Convection(2000.0, 310.0)
    if solid:
        ring = fc.meshes.hollow_cylinder(R, 2 * R, R, (16, 2, 2), degree=2)
        bush = HeatedSolid(ring, 50.0, 3.6e6, cooled={"rim": (500.0, 310.0)}, responses=20)
    systems = []

    def build(group):
        systems.append(conducting(group, bush))
        return systems[-1]

    channels = compare(build, comm, 5e-5, rel=1e-9)
    cells = [c.count for c in systems[0].state.components if c.kind.label.startswith("warm film")]
    assert 0 < sum(cells) < 64 or comm.size == 1  # each rank has some
    heat = channels["film.heat"]
    assert heat > 1.0 and channels["film.max_temperature"] > 320.1
    for wall in ("bush", "journal"):
        assert abs(channels[f"film.{wall}_heat"]) > 1e-3 * heat
    if solid:
        taken = channels["film.solid_stored"] + channels["film.solid_passed"]
        assert taken == pytest.approx(channels["film.bush_heat"], rel=1e-8)


@pytest.mark.mpi
def test_all_of_a_film_on_one_rank(comm):
    """Other ranks have none of its cells."""
    systems = []

    def build(group):
        systems.append(small_film_beside_a_beam(group))
        return systems[-1]

    channels = compare(build, comm, 2e-5)
    assert channels["film.normal_force"] > 1.0
    films = next(c for c in systems[0].state.components if c.kind.label.startswith("film"))
    cells = comm.allgather(films.count)
    assert sum(cells) == 12
    assert comm.size == 1 or max(cells) == 12
