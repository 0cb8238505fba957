"""Cylindrical clearance joint in motion: balance, invariance, rebound, flexible shafts."""

import numpy as np
import pytest

import fem_clearance as fc

from .conftest import IN_FIRST, IN_SECOND, check_kept, check_turned, free_pair, momenta, run
from .journals import FRICTION, LENGTH, SIZE, STIFFNESS, Z, in_ground


# --- balance ------------------------------------------------------------------------------------
def two_bodies(turn=None, normal=None, friction=FRICTION, spin=(8.0, -15.0), thrust=True, **more):
    """Free bodies that tumble; the joint sits off both centres of mass."""
    turn = np.eye(3) if turn is None else turn
    system, first, second = free_pair(
        turn, spin_a=(0.5, 0.4, spin[0]), spin_b=(-0.3, 0.9, spin[1]), velocity_a=(0.2, 0.1, 0.1)
    )
    faces = fc.Thrust(4e-4, 0.014, normal or fc.Hertz(exponent=1.0), 1e7, friction)
    joint = fc.CylindricalClearance(
        first.point(IN_FIRST), second.point(IN_SECOND), turn @ Z, name="joint",
        thrust=faces if thrust else None, friction=friction,
        normal=normal or fc.Hertz(exponent=1.0), stiffness=1e7, **{**SIZE, **more},
    )  # fmt: skip
    system.add(joint)
    return system, first, second


def test_action_equals_reaction():
    """Rubbing along the journal and on its collars, all momentum is kept."""
    system, *bodies = two_bodies()
    system.assemble()
    before, seen = momenta(system, bodies), []
    names = "joint.friction_force", "joint.thrust.friction_force", "joint.tilt"
    run(system, 2e-5, 0.02, lambda c, t: seen.append([c[n] for n in names]))
    rubbed, thrust, tilt = np.max(seen, axis=0)
    assert rubbed > 10 and thrust > 1 and tilt > 1e-3
    check_kept(before, momenta(system, bodies))


def test_frame_invariance():
    check_turned(two_bodies, 2e-5, 0.004)


def test_energy_lost_is_friction():
    """With elastic laws the energy lost equals the work of friction that the joint reports."""
    system, *_ = two_bodies(spin=(8.0, -40.0))
    log, dt = [], 5e-6
    names = "energy.total", "joint.friction_loss", "joint.thrust.friction_loss"
    run(system, dt, 0.02, lambda c, t: log.append([t, *(c[n] for n in names)]))
    time, energy, *powers = np.array(log).T
    power = sum(powers)
    assert energy[0] - energy[-1] == pytest.approx(np.trapezoid(power, time), rel=2e-3)
    assert energy[0] - energy[-1] > 1e-3 and min(power) >= 0


def energies(dt, out):
    """Largest change of energy of a rattling elastic journal by its first; ``out``: it leaves."""
    system, body, joint = in_ground(
        velocity=(0.3, 0.4, 1.0 if out else 0.0), spin=(20.0, 5.0, 0.0),
        journal_length=LENGTH if out else None,
    )  # fmt: skip
    system.add(joint)
    log, names = [], ("energy.total", "joint.overlap", "energy.contact")
    run(
        system, dt, 0.036, lambda c, t: log.append([c[n] for n in names]),
        integrator=fc.GeneralizedAlpha(1.0),
    )  # fmt: skip
    energy, overlap, stored = np.array(log).T
    assert stored.max() > 0.2 * energy[0]
    assert (overlap[-1] <= 0) == out
    return np.abs(energy - energy[0]).max() / energy[0]


def test_energy_is_kept():
    """Elastic, without friction, to second order in the step."""
    coarse, fine = (energies(dt, False) for dt in (4e-5, 1e-5))
    assert fine < 1e-4
    assert coarse / fine > 8


def test_energy_is_kept_by_a_journal_that_slides_out():
    """The force along the axis makes up for the contact that gets shorter."""
    assert energies(1e-5, True) < 5e-4


@pytest.mark.parametrize("direction", ["across", "along"])
def test_restitution_and_rebound(direction, reference):
    """Against the wall, and of a collar on its face: Lankarani-Nikravesh e = 0.9 returns 0.9132
    (e_restitution.csv)."""
    table = reference("e_restitution.csv")
    returned = table["LN_eeff"][np.argmin(np.abs(table["c_e"] - 0.9))]
    velocity = {"across": (0.1, 0, 0), "along": (0, 0, 0.1)}[direction]
    law = fc.LankaraniNikravesh(exponent=1.0, restitution=0.9)
    t_end = 0.015 if direction == "across" else 0.004
    stepper = thrown(velocity, law, t_end, contact_tolerance=2e-5)[0]
    v = stepper.state.v[:3]
    assert np.linalg.norm(v) == pytest.approx(0.1 * returned, rel=1e-4)
    assert v @ velocity < 0
    assert stepper.events[0].time == pytest.approx(
        5e-3 if direction == "across" else 1e-3, rel=1e-6
    )
    assert stepper.events[0].speed == pytest.approx(0.1, rel=1e-6)


def thrown(velocity, law, t_end, **options):
    """A spinning journal on its way to wall or face: the stepper at the end, times, forces."""
    system, body, joint = in_ground(
        velocity=velocity,
        spin=(0, 0, 5.0),
        normal=law,
        thrust=fc.Thrust(2e-4, 0.012, law, STIFFNESS),
    )
    system.add(joint)
    log, names = [], ("joint.normal_force", "joint.thrust.normal_force")
    stepper = run(
        system, None, t_end, lambda c, t: log.append([t, sum(c[n] for n in names)]), adaptive=True,
        **options,
    )  # fmt: skip
    return stepper, *np.array(log).T


@pytest.mark.parametrize("velocity, first", [((0.1, 0, 0), 5e-3), ((0, 0, 0.1), 1e-3)])
def test_linear_contact_lasts_half_a_period(velocity, first):
    """pi sqrt(m / K), its peak v sqrt(m K)."""
    _, time, pressed = thrown(velocity, fc.Hertz(exponent=1.0), first + 2e-3)
    half = np.pi * np.sqrt(0.5 / STIFFNESS)
    assert pressed.max() == pytest.approx(0.1 * np.sqrt(0.5 * STIFFNESS), rel=1e-3)
    assert time[pressed > 0][-1] == pytest.approx(first + half, abs=0.03 * half)


# --- flexible bodies, long motions --------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_overhung_shaft(model):
    """A flexible shaft, held at a ball, ends in a bearing: at rest the bearing's force and moment
    balance the weight, and it lies on the inner edge with the slope of a simply supported beam."""
    section, length = fc.Circle(0.0095), 0.6
    soft = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, -9.81, 0))
    shaft = system.add(
        fc.Beam(
            (0, 0, 0), (0, 0, length), section, soft, 6, model=model, damping=2e-2, name="shaft"
        )
    )
    system.add(fc.SphericalJoint(system.ground, shaft.start, name="ball"))
    system.add(fc.TorsionSpring(system.ground.point((0, 0, 0)), shaft.start, Z, stiffness=1.0))
    joint = fc.CylindricalClearance(
        system.ground.point((0, 0, length)), shaft.end, Z, name="joint", stations=17, **SIZE,
        normal=fc.KelvinVoigt(damping=20.0, stiffness=1e5),
    )  # fmt: skip
    system.add(joint)
    stepper = run(system, 2e-4, 0.6)
    c, weight = stepper.channels, shaft.mass * 9.81
    bending = 2e9 * np.pi * 0.0095**4 / 4
    moment = c["joint.force.y"] * length - c["joint.moment.x"]  # about the ball
    assert moment == pytest.approx(weight * length / 2, rel=2e-3)
    assert 5e-3 < c["joint.moment.x"] / c["joint.force.y"] < LENGTH / 2  # on the inner half
    slope = weight * length**2 / (24 * bending) - c["joint.moment.x"] * length / (3 * bending)
    assert c["joint.tilt"] == pytest.approx(slope + c["joint.ey"] / length, rel=0.02)
    assert 0 < c["joint.contacts"] < 17


@pytest.mark.slow
def test_rattling_journal_only_loses_energy():
    """Free journal with collars, hysteresis and friction: energy never grows, it stays inside."""
    law = fc.LankaraniNikravesh(exponent=1.0, restitution=0.8)
    system, body, joint = in_ground(
        velocity=(0.3, 0.4, 0.5), spin=(20.0, 5.0, 60.0), normal=law, friction=FRICTION,
        stiffness=5e7,
        thrust=fc.Thrust(1e-3, 0.014, law, 1e7, FRICTION),
    )  # fmt: skip
    system.add(joint)
    log, names = [], ("energy.total", "joint.shift", "joint.penetration", "joint.tilt")
    stepper = run(system, 1e-5, 0.2, lambda c, t: log.append([c[n] for n in names]))
    energy, shift, depth, tilt = np.array(log).T
    assert sum(e.kind == "onset" for e in stepper.events) > 100
    assert np.diff(energy).max() < 1e-4 * energy[0]
    assert energy[-1] < 0.8 * energy[0]
    assert np.abs(shift).max() < 6e-4 and depth.max() < 2e-4 and tilt.max() < 0.05
