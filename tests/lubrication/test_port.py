"""A film inside a running system: coupling, balances, invariance, order.

The bearing: R 15 mm, L 14 mm, c 0.1 mm, 0.04 Pa s, journal of 1 kg at 1000 rad/s.
"""

from dataclasses import replace

from mpi4py import MPI

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.lubrication.bearings.bearing import Bearing, Place
from fem_clearance.lubrication.film.cavitation import Full, Guembel, Reynolds
from fem_clearance.lubrication.film.film import Film
from fem_clearance.lubrication.film.lubricant import Lubricant
from fem_clearance.lubrication.film.surface import cylinder
from fem_clearance.lubrication.film.thickness import SphereGap
from fem_clearance.lubrication.joints.joint import CylindricalFilm

from .balances import check_action_and_reaction, check_power, check_tangent, run

RADIUS, LENGTH, C, SPIN = 0.015, 0.014, 1e-4, 1000.0
INERTIA = (1e-3, 1e-3, 1e-3)
#: keeps its spin
HEAVY = (1e3, 1e3, 1e3)


def a_film(cells=(24, 4), cavitation=None):
    surface = cylinder(RADIUS, LENGTH, cells, degree=1)
    return Film(
        surface, C, Lubricant(0.04), cavitation or Reynolds(), sliding_speed=RADIUS * SPIN
    )  # fmt: skip


def rotor(
    film, load=(0, 0, 0), at=(0, 0, 0), turn=None, free=False, tilt=0.0, comm=None,
    gravity=(0, 0, 0), inertia=INERTIA,
):  # fmt: skip
    """A journal with a load at its centre, in a housing that is the ground or flies freely; all of
    it turned in space by ``turn``."""
    turn = np.eye(3) if turn is None else turn
    system = fc.System(gravity=turn @ gravity, comm=comm)
    housing = system.ground
    if free:
        housing = system.add(
            fc.RigidBody(2.0, (3e-3, 3e-3, 3e-3), name="housing", free=True, orientation=turn,
                         velocity=turn @ (0.03, -0.02, 0.01), position=turn @ (0.01, 0.02, 0.03),
                         angular_velocity=turn @ (3.0, -2.0, -50.0))
        )  # fmt: skip
    lean = Rotation.from_rotvec([tilt, 0.5 * tilt, 0]).as_matrix()
    journal = system.add(
        fc.RigidBody(1.0, inertia, name="journal", orientation=turn @ lean, free=free,
                     position=turn @ np.multiply(C, at), angular_velocity=turn @ (0, 0, SPIN))
    )  # fmt: skip
    system.add(
        CylindricalFilm(
            housing.at((0, 0, 0)) if free else housing, journal.center, turn @ (0, 0, 1),
            film=film, journal_axis=turn @ lean @ (0, 0, 1), first=turn @ (1, 0, 0), name="film",
        )
    )  # fmt: skip
    if np.any(load):
        system.add(fc.Force(journal.center, turn @ load, name="load"))
    return system


def values(system, *names):
    """Unknowns of the film's blocks, on a single rank."""
    state = system.state
    blocks = {b.name: b for b in state.problem.blocks}
    return np.concatenate([state.q[state.locate(blocks[f"film.{n}"].numbers)] for n in names])


@pytest.mark.parametrize("cavitation", [Full(), Guembel(), Reynolds()])
def test_tangent_against_differences(cavitation):
    system = rotor(a_film((6, 2), cavitation), at=(0.4, 0.3, 20.0), tilt=1e-3, free=True)
    state = system.state
    rng = np.random.default_rng(3)
    for b in state.problem.blocks:  # pressures of either sign, away from the kinks, given ones too
        at = state.locate(b.numbers)
        sign = rng.choice([-1.0, 1.0], len(at)) if not cavitation.complementary else 1.0
        if b.name.startswith("film.") and b.name[5:] not in ("e", "t"):
            state.q[at] = sign * b.role.unit * rng.uniform(0.3, 1, len(at))
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    check_tangent(state, 2e-6)


def test_running_film_is_the_bearing_alone():
    """Force and moment in the system, in a transient and in the steady state, are those of the
    bearing alone at the same motion; in the steady state they carry the load."""
    film = a_film((32, 4))
    bearing = Bearing(film, tolerance=1e-12)
    for t_end in (4e-4, 0.02):
        stepper = run(rotor(film, load=(200.0, 0, 0), at=(0.1, 0, 0), inertia=HEAVY),
                      2e-5, t_end, newton_tolerance=1e-11)  # fmt: skip
        system = stepper.system
        e, t, V, W = (values(system, n) for n in ("e", "t", "V", "Omega"))
        alone = bearing.solve(Place(tuple(e), tuple(t), tuple(V), tuple(W)))
        force, moment = values(system, "force"), values(system, "moment")
        np.testing.assert_allclose(force, alone.force, atol=1e-9 * np.abs(force).max())
        np.testing.assert_allclose(moment, alone.moment, atol=1e-9 * np.abs(moment).max())
        assert stepper.channels["film.power_loss"] == pytest.approx(alone.power_loss, rel=1e-9)
    np.testing.assert_allclose(alone.force[:2], (-200.0, 0.0), atol=2e-3)


def test_bodies_lose_what_the_film_dissipates():
    """At every step, on a coarse mesh, tilted, both bodies free: 1e-10 of the loss."""
    for cavitation in (Full(), Reynolds()):
        system = rotor(a_film((16, 3), cavitation), at=(0.5, 0.2, 10.0), tilt=2e-3, free=True)
        stepper = fc.Stepper(system, dt=1e-5, t_end=1e-3, newton_tolerance=1e-13)
        stepper.start()
        check_power(stepper, 15, rel=1e-10, least=1)


def energy_defect(dt):
    """Work of the load less kinetic energy less what the film took, over 1 ms."""
    system = rotor(a_film((16, 3)), load=(150.0, 40.0, 0), at=(0.3, 0.1, 0), tilt=1e-3)
    stepper = fc.Stepper(
        system, fc.GeneralizedAlpha(0.8, "stabilised"), dt=dt, t_end=1e-3, newton_tolerance=1e-10
    )
    stepper.start()
    channels = stepper.channels

    def look():
        channels.read()
        return channels["energy.kinetic"], channels["load.power"] - channels["power.film"]

    start, power = look()
    work, last = 0.0, power
    while stepper.t < 1e-3 - 1e-9:
        stepper.advance()
        kinetic, power = look()
        work, last = work + dt / 2 * (power + last), power
    return kinetic - start - work


def test_energy_closes_with_second_order():
    """Energy of 500 J; the film takes about 0.13 J in 1 ms."""
    coarse, fine = abs(energy_defect(4e-5)), abs(energy_defect(2e-5))
    assert fine < 1e-3 * 0.13
    assert fine < 0.35 * coarse


def test_action_is_reaction():
    """Force and moment about the origin of what the film does to both bodies, to round-off."""
    system = rotor(a_film((16, 3)), at=(0.5, 0.2, 10.0), tilt=2e-3, free=True)
    stepper = run(system, 2e-5, 4e-4)
    check_action_and_reaction(stepper.state, system.items[:2])


def test_turned_in_space_the_answer_is_turned():
    film, turn = a_film((16, 3)), Rotation.from_rotvec([0.7, -1.1, 0.4]).as_matrix()
    numbers = []
    for rotation in (None, turn):
        system = rotor(film, load=(300.0, 0, 50.0), at=(0.3, 0.2, 5.0), tilt=1e-3, turn=rotation)
        run(system, 2e-5, 6e-4, newton_tolerance=1e-11)
        numbers.append([values(system, n) for n in ("pressure", "e", "t", "force")])
    for here, there in zip(*numbers, strict=True):
        np.testing.assert_allclose(there, here, atol=1e-8 * np.abs(here).max())


def test_centred_start_without_load():
    """No direction of the eccentricity anywhere: nothing but drag happens."""
    system = rotor(a_film((32, 4)))
    stepper = run(system, 2e-5, 1e-4)
    assert np.isfinite(stepper.channels.values).all()
    assert stepper.channels["film.eccentricity"] < 1e-9 * C
    # Petroff: 2 pi mu R^3 L omega / c
    assert stepper.channels["film.moment.z"] == pytest.approx(
        -2 * np.pi * 0.04 * RADIUS**3 * LENGTH * SPIN / C, rel=0.02
    )


def test_a_step_across_the_wall_is_cut():
    """3e4 N: free flight would cross the clearance in 80 us; the film must hold."""
    system = rotor(a_film((24, 4)), load=(3e4, 0, 0))
    stepper = run(system, 1e-4, 5e-4)
    assert stepper.rejected_steps > 0
    closing = np.linalg.norm(values(system, "e")[:2])
    assert 0.9 * C < closing < C


def test_time_order_is_two():
    film, last = a_film((16, 3)), []
    for dt in (4e-5, 2e-5, 2.5e-6):
        system = rotor(film, load=(200.0, 0, 0), at=(0.1, 0.1, 0))
        run(system, dt, 8e-4, newton_tolerance=1e-11)
        last.append(np.concatenate([values(system, "e") / C, values(system, "force") / 200]))
    coarse, fine = (np.abs(z - last[-1]).reshape(2, 3).max(axis=1) for z in last[:2])
    assert fine.max() < 2e-4
    np.testing.assert_array_less(3.7, coarse / fine)


@pytest.mark.slow
def test_half_frequency_whirl():
    """A journal that only its weight loads (m c omega^2 / W = 10) whirls at half the speed, on a
    bounded orbit."""
    film = a_film((32, 4))
    system = rotor(film, gravity=(0, -9.81, 0), at=(0.3, 0, 0), inertia=HEAVY)
    stepper = fc.Stepper(system, dt=4e-5, t_end=0.3)
    stepper.start()
    orbit = []
    while stepper.t < 0.3 - 1e-9:
        stepper.advance()
        stepper.channels.read()
        orbit.append((stepper.channels["film.ex"], stepper.channels["film.ey"]))
    z = np.array(orbit)[-2500:] @ (1, 1j)
    assert 0.3 * C < np.abs(z).min() < np.abs(z).max() < 0.95 * C
    whirl = np.unwrap(np.angle(z))
    speed = (whirl[-1] - whirl[0]) / (4e-5 * (len(z) - 1))
    assert 0.45 * SPIN < speed < 0.505 * SPIN


@pytest.mark.mpi
def test_ranks_agree(comm):
    """Cells of one film and both its bodies are partitioned over the ranks."""
    film = a_film((12, 3))
    options = {"load": (200.0, 0, 0), "at": (0.3, 0.1, 0), "tilt": 1e-3, "free": True}
    numbers = []
    for group in (MPI.COMM_SELF, comm):
        stepper = run(rotor(film, comm=group, **options), 2e-5, 2e-4, newton_tolerance=1e-11)
        numbers.append(stepper.channels.values.copy())
    np.testing.assert_allclose(numbers[1], numbers[0], rtol=1e-8, atol=1e-10)


def test_bad_input():
    system = fc.System()
    journal = system.add(fc.RigidBody(1.0, INERTIA, position=(1.2e-4, 0, 0)))
    for film, axis, message in (
        (a_film(), None, "needs an axis"), ("oil", (0, 0, 1), "must be a Film"),
        # of a ball: neither its eccentricity nor its thickness would be shown
        (replace(a_film(), gap=SphereGap()), (0, 0, 1), "needs gap=CylinderGap"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=message):
            CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, axis, film=film)
    with pytest.raises(fc.InputError, match="first must not lie along"):
        CylindricalFilm(
            system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=a_film(), first=(0, 0, 2)
        )
    with pytest.raises(fc.InputError, match="touch at the start"):
        system.add(
            CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=a_film())
        )
