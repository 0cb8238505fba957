"""Elastic liners in running systems: balances, frames, ranks.

The bearing: bore 15 mm, liner 10 mm thick with its rim fixed, width 14 mm, 130 GPa, clearance
.02 mm, .04 Pa s, journal of 1 kg at 1000 rad/s.
"""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    CylindricalFilm,
    Film,
    Lubricant,
    Place,
    bearing_on,
    cylinder,
)

from .test_ehd import LENGTH, MU, SPEED, C, R, solid
from .test_port import values

CELLS = (12, 2, 1)
#: a coarse mesh, one of its own on the condensed liner's bore
SURFACE = cylinder(R, LENGTH, (16, 3))
LOAD = (4000.0, -1200.0, 0.0)
#: of the journal: it keeps its spin, or it is free
INERTIA = {False: (1e3, 1e3, 1e3), True: (1e-3, 1e-3, 1e-3)}


def condensed(**options):
    return solid(CELLS, fc.CondensedSolid, responses=16, **options)


def full():
    return solid(CELLS)


def film_on(surface, **options):
    return Film(surface, C, Lubricant(MU), sliding_speed=R * SPEED, **options)


def rotor(liner, film, load=None, at=(0.3, 0.1, 0.0), turn=None, free=False, tilt=0.0, comm=None,
          grows=True, spin=SPEED, journal=None):  # fmt: skip
    """A journal in a lined housing, the ground or free, all turned in space by ``turn``; ``load``:
    force (N), which grows smoothly from nothing if ``grows``; ``journal``: its ``Liner``, if it is
    elastic."""
    turn = np.eye(3) if turn is None else turn
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    housing = system.ground.at((0, 0, 0))
    if free:
        housing = system.add(
            fc.RigidBody(2.0, (3e-3, 3e-3, 3e-3), name="housing", free=True, orientation=turn,
                         velocity=turn @ (0.03, -0.02, 0.01), position=turn @ (0.01, 0.02, 0.03),
                         angular_velocity=turn @ (3.0, -2.0, -50.0))
        ).at((0, 0, 0))  # fmt: skip
    lean = Rotation.from_rotvec([tilt, 0.5 * tilt, 0]).as_matrix()
    start = housing.position + turn @ np.multiply(C, at)
    body = system.add(
        fc.RigidBody(1.0, INERTIA[free], name="journal", orientation=turn @ lean, free=free,
                     position=start, angular_velocity=turn @ (0, 0, spin),
                     velocity=turn @ (0.03, -0.02, 0.01) if free else (0, 0, 0))
    )  # fmt: skip
    system.add(
        CylindricalFilm(
            housing, body.center, turn @ (0, 0, 1), film=film, liner=liner, journal=journal,
            journal_axis=turn @ lean @ (0, 0, 1), first=turn @ (1, 0, 0), name="film",
        )
    )  # fmt: skip
    if load is not None:
        growth = fc.functions.Harmonic(amplitude=1.0, frequency=1000.0) if grows else None
        system.add(fc.Force(body.center, turn @ load, growth, name="load"))
    return system


def run(system, dt, steps, **options):
    """A stepper after some accepted steps, channels read."""
    stepper = fc.Stepper(system, dt=dt, t_end=steps * dt, **options)
    stepper.start()
    for _ in range(steps):
        stepper.advance()
    stepper.channels.read()
    return stepper


def amplitudes(system):
    state = system.state
    block = next(b for b in state.problem.blocks if b.name == "film.liner.amplitude")
    return state.q[state.locate(block.numbers)].copy()


@pytest.mark.parametrize("lined", [pytest.param(full, marks=pytest.mark.slow), condensed])
def test_at_rest_it_is_the_bearing_alone(lined):
    """A journal that has come to rest (to 6e-5 of the load): force and pressure of the bearing
    alone at that place."""
    liner = lined()
    film = film_on(liner.surface() if lined is full else SURFACE)
    system = rotor(liner, film, load=LOAD, grows=False)
    stepper = run(system, 1e-4, 100, newton_tolerance=1e-10)
    e, t, V, W = (values(system, n) for n in ("e", "t", "V", "Omega"))
    alone = Bearing(film, liner, tolerance=1e-12).solve(
        Place(tuple(e), tuple(t), tuple(V), tuple(W))
    )
    force = values(system, "force")
    np.testing.assert_allclose(force, alone.force, atol=2e-4 * np.abs(force).max())
    np.testing.assert_allclose(
        values(system, "pressure"), alone.pressure, atol=2e-4 * alone.pressure.max()
    )
    assert alone.deformation.max() > 0.02 * C
    assert stepper.channels["film.power_loss"] == pytest.approx(alone.power_loss, rel=2e-4)


def test_balance_in_motion():
    """Tilted, both bodies free: what they lose is the film's heat and the pressure's work on the
    liner, 1e-10 of the loss; momentum and angular momentum stay."""
    system = rotor(condensed(), film_on(SURFACE), at=(0.6, 0.2, 10.0), tilt=5e-4, free=True)
    h = 2e-6
    stepper = fc.Stepper(system, dt=h, t_end=1e-3, newton_tolerance=1e-13)
    stepper.start()
    body = next(i for i in system.items if i.name == "film.liner")
    stiffness = body.stiffness
    last = amplitudes(system)
    for _ in range(12):
        stepper.advance()
        stepper.channels.read()
        now = amplitudes(system)
        stored = stiffness * now @ (now - last) / h
        last = now
        lost = stepper.channels["power.film"]
        assert stepper.channels["power.to_films"] == pytest.approx(lost + stored, rel=1e-10)
    assert stepper.rejected_steps == 0 and abs(stored) > 1e-6 * lost
    assert stepper.channels["film.liner.strain_energy"] == pytest.approx(
        stiffness @ now**2 / 2, rel=1e-9
    )


def test_turned_in_space():
    """Housing free and turning, all of it turned in space: pressures, places, amplitudes stay.
    After .13 ms the tilted journal would touch the liner's edge."""
    film, turn = film_on(SURFACE), Rotation.from_rotvec([0.7, -1.1, 0.4]).as_matrix()
    numbers = []
    for rotation in (None, turn):
        system = rotor(condensed(), film, at=(0.5, 0.2, 5.0), tilt=5e-4, turn=rotation, free=True)
        run(system, 1e-5, 12, newton_tolerance=1e-11)
        numbers.append([values(system, n) for n in ("pressure", "e", "force", "liner.amplitude")])
    for here, there in zip(*numbers, strict=True):
        np.testing.assert_allclose(there, here, atol=1e-6 * np.abs(here).max())


def test_full_and_condensed_move_alike():
    """On the same facets, all responses: the linear liner moves the journal like the full one."""
    liner = full()
    film = film_on(liner.surface())
    tips = []
    for one in (liner, solid(CELLS, fc.CondensedSolid)):
        system = rotor(one, film, load=LOAD)
        run(system, 2e-5, 12)
        tips.append(values(system, "e") / C)
    assert np.abs(tips[0]).max() > 0.2
    np.testing.assert_allclose(tips[1], tips[0], atol=1e-3)


@pytest.mark.slow
def test_time_order():
    """The liner's velocity is taken over the step: first order, small beside the motion."""
    film, last = film_on(SURFACE), []
    for dt, steps in ((2e-5, 10), (1e-5, 20), (1.25e-6, 160)):
        system = rotor(condensed(), film, load=LOAD)
        run(system, dt, steps, newton_tolerance=1e-11)
        last.append(values(system, "e")[:2] / C)
    coarse, fine = (np.abs(z - last[-1]).max() for z in last[:2])
    assert fine < 5e-3
    assert coarse / fine > 1.7


@pytest.mark.slow
def test_conserving_film_in_time():
    """JFO on a liner: content and flow balance at each step."""
    liner = condensed()
    film = bearing_on(SURFACE, C, MU, sliding_speed=R * SPEED, cavitation=JFO(),
                      starts_at_largest_gap=True)  # fmt: skip
    system = rotor(liner, film, load=LOAD)
    stepper = fc.Stepper(system, dt=1e-5, t_end=1.0)
    stepper.start()
    stepper.channels.read()
    content = stepper.channels["film.content"]
    for _ in range(20):
        stepper.advance()
        stepper.channels.read()
        now, flow = (stepper.channels[f"film.{n}"] for n in ("content", "inflow"))
        assert abs(now - content - 1e-5 * flow) < 1e-10 * content
        content = now


@pytest.mark.mpi
@pytest.mark.parametrize("lined", [full, condensed])
def test_ranks_agree(comm, lined):
    """Film, liner and bodies partitioned over the ranks."""
    liner = lined()
    film = film_on(liner.surface() if lined is full else SURFACE)
    numbers = []
    for group in (MPI.COMM_SELF, comm):
        system = rotor(liner, film, load=LOAD, comm=group)
        stepper = run(system, 2e-5, 8, newton_tolerance=1e-11)
        numbers.append(stepper.channels.values.copy())
    np.testing.assert_allclose(numbers[1], numbers[0], rtol=1e-6, atol=1e-9)


def test_bad_input():
    system = fc.System()
    journal = system.add(fc.RigidBody(1.0, (1, 1, 1)))
    with pytest.raises(fc.InputError, match="a liner is a Liner"):
        CylindricalFilm(
            system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film_on(SURFACE),
            liner="bronze",
        )  # fmt: skip
