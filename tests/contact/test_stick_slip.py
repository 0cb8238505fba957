"""The case ``stick_slip_oscillator`` against its closed form.

m = k = 1, belt 0.2 m/s, mu_s N = 4 N, mu_d N = 3 N. From rest the block
slips, x = 3 (1 - cos t), until it has the belt's speed; sticks to x = 4; slips, x = 3 + cos t + 0.2
sin t, until it has it again, at x = 2, pi + 2 atan 0.2 s later; sticks for 10 s; and so on.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.cases import stick_slip_oscillator as oscillator

SPEED, STATIC, SLIDING = 0.2, 4.0, 3.0
FIRST = np.arcsin(SPEED / SLIDING)  # sticks for the first time
BREAK = FIRST + (STATIC - SLIDING * (1 - np.cos(FIRST))) / SPEED
SLIP = np.pi + 2 * np.arctan(SPEED / (STATIC - SLIDING))
PERIOD = SLIP + 2 * (STATIC - SLIDING) / SPEED


def exact(t):
    """Place and speed."""
    slips = t < FIRST
    x = np.where(slips, SLIDING * (1 - np.cos(t)), STATIC + SPEED * (t - BREAK))
    v = np.where(slips, SLIDING * np.sin(t), SPEED)
    late, phase = t >= BREAK, (t - BREAK) % PERIOD
    slips = late & (phase < SLIP)
    x = np.where(late, 2 * SLIDING - STATIC + SPEED * (phase - SLIP), x)
    x = np.where(slips, SLIDING + np.cos(phase) + SPEED * np.sin(phase), x)
    return x, np.where(slips, SPEED * np.cos(phase) - np.sin(phase), v)


def run(**changes):
    return oscillator.case.simulation(changes, progress=False).run()


def switches(results):
    """Times of breaking away and of coming to rest."""
    slips, t = results["contact.slipping"] > 0.5, results.time
    return t[1:][slips[1:] & ~slips[:-1]], t[1:][~slips[1:] & slips[:-1]]


def test_true_stick_against_the_closed_form():
    """One period: durations, places and speeds to 1e-4."""
    results = run(t_end=BREAK + PERIOD + 0.5)
    x, v = exact(results.time)
    assert results["block.x"] == pytest.approx(x, abs=1e-4)
    assert results["block.v"] == pytest.approx(v, abs=1e-4)
    breaks, rests = switches(results)
    assert breaks == pytest.approx([BREAK, BREAK + PERIOD], abs=2e-5)
    assert rests == pytest.approx([FIRST, BREAK + SLIP], abs=2e-5)
    assert rests[1] - breaks[0] == pytest.approx(SLIP, rel=1e-4)  # slip
    assert breaks[1] - rests[1] == pytest.approx(PERIOD - SLIP, rel=1e-4)  # stick
    late = results.time > BREAK
    assert results["block.x"][late].max() == pytest.approx(3 + np.sqrt(1.04), abs=2e-5)
    assert results["friction_force"][0] == pytest.approx(SLIDING)  # it slips from the start


@pytest.mark.parametrize("tolerance", [1e-7, 1e-8])
def test_coarser_tolerances(tolerance):
    """Steps do not shrink while it sticks (it took thousands: Newton's method went to and fro
    between stick and slip), and the closed form is met as well as the tolerance allows."""
    results = run(t_end=BREAK + PERIOD + 0.5, tolerance=tolerance)
    assert len(results) < 1500
    allowed = {1e-7: 1e-3, 1e-8: 1e-4}[tolerance]
    assert results["block.x"] == pytest.approx(exact(results.time)[0], abs=allowed)


def test_bristles_break_away_in_long_steps():
    """LuGre's law in steps of seconds while it sticks: it must not hold more than mu_s N."""
    results = run(friction="lugre", t_end=22.0)
    assert np.diff(results.time).max() > 0.3
    assert results["friction_force"].max() < 1.02 * STATIC
    late = results.time > 21  # x = 3 + cos t + 0.2 sin t since it broke away
    assert results["block.v"][late] == pytest.approx(exact(results.time[late])[1], abs=0.1)


@pytest.mark.parametrize("options", [{"dt": 1e-3}, {}], ids=["fixed", "adaptive"])
def test_energy_of_the_sticking_spring(options):
    """Without a damper F^2 / 2 k, whether it sticks or slips; where it has just broken away, static
    friction's, although the force is that of sliding already."""
    system, soft = fc.System(gravity=(0, 0, 0)), 1e3
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(1, 0, 0), name="block"))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=oscillator.AXIS))
    system.add(fc.SpringDamper(system.ground.point((-1, 0, 0)), block.center, stiffness=100.0))
    system.add(
        fc.FrictionElement(
            system.ground, block.center, oscillator.AXIS, normal_force=10.0, name="contact",
            friction=fc.TrueStick(0.4, 0.3, stiffness=soft),
        )
    )  # fmt: skip
    stepper = fc.Stepper(system, t_end=1.0, tolerance=1e-6, **options)
    stepper.start()
    found, force, slipping = [], [], []
    while stepper.t < stepper.t_end:
        stepper.advance()
        for name, values in (("energy", found), ("friction_force", force), ("slipping", slipping)):
            values.append(stepper.channels[f"contact.{name}"])
    breaks = np.diff(slipping, prepend=0.0) > 0
    assert 2 < breaks.sum() < 5
    force = np.where(breaks, STATIC, force)
    assert found == pytest.approx(force**2 / 2 / soft, rel=1e-6, abs=1e-12)


@pytest.mark.slow
def test_fixed_steps_are_of_first_order():
    """Fixed steps find stick and slip at their end: the largest place is late by half a step."""
    errors = []
    for dt in (4e-3, 2e-3):
        results = run(dt=dt, t_end=24.0)
        errors.append(abs(results["block.x"].max() - 3 - np.sqrt(1.04)))
    assert errors[0] < 2e-3
    assert errors[1] < 0.7 * errors[0]


@pytest.mark.slow
@pytest.mark.parametrize("friction", ["smooth", "lugre"])
def test_other_laws_come_near(friction):
    """Stick and slip in about the same period (both laws lose a little at the transitions)."""
    results = run(friction=friction, t_end=60.0)
    late = results.time > 20
    x = results["block.x"][late]
    assert x.max() == pytest.approx(4.02, abs=0.15)
    assert x.min() == pytest.approx(1.98, abs=0.15)


def test_bad_input():
    with pytest.raises(fc.InputError, match="mu_d"):
        oscillator.case.simulation({"mu_d": 0.5})
    with pytest.raises(fc.InputError, match="mu_s must not be negative"):
        oscillator.case.resolve({"mu_s": -0.1})
