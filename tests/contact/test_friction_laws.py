"""Friction laws without memory: their curves, a sliding block, true stick."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error

from .conftest import rubbing_block

AXIS = (1, 0, 0)


def curve(law, speeds):
    """Coefficients of a law at some speeds."""
    p = SimpleNamespace(**law.values())
    return np.array([float(type(law).coefficient(ufl.as_ufl(float(v)), p)) for v in speeds])


def test_cubic_stribeck():
    """Bai et al. (2014) eq. (13) corrected (docs/errata.md): 0 at rest, mu_s at v_s, mu_d at v_d,
    continuous with slope zero at both; low branch as printed but for the sign,
    mu_s - 2 mu_s y^2 (3 - 2 y), y = (v + v_s)/2 v_s."""
    law = fc.CubicStribeck(mu_s=0.3, mu_d=0.2, v_s=0.01, v_d=0.1)
    assert curve(law, [0, 0.01, 0.1, 3.0]) == pytest.approx([0, 0.3, 0.2, 0.2], abs=1e-15)
    v = np.linspace(0, 0.0099, 7)
    y = (v + 0.01) / 0.02
    assert curve(law, v) == pytest.approx(-(0.3 - 2 * 0.3 * y**2 * (3 - 2 * y)), abs=1e-15)
    assert curve(law, [0.055]) == pytest.approx([0.25])  # middle of the second cubic
    for at in (0.01, 0.1):
        low, mid, high = curve(law, [at - 1e-7, at, at + 1e-7])
        assert abs(mid - low) < 1e-8 and abs(high - mid) < 1e-8


def test_smooth_curves():
    """Values from the laws' equations with numpy; peaks and limits where they belong."""
    v = np.array([1e-5, 1e-3, 5e-3, 2e-2, 1.0])
    assert curve(fc.SmoothCoulomb(0.3, v0=1e-3), v) == pytest.approx(0.3 * np.tanh(v / 1e-3))
    stribeck = fc.Stribeck(0.4, 0.3, v_s=1e-2, v0=1e-3, viscous=0.05)
    expected = (0.3 + 0.1 * np.exp(-((v / 1e-2) ** 2))) * np.tanh(v / 1e-3) + 0.05 * v
    assert curve(stribeck, v) == pytest.approx(expected)
    rise = 0.2 * (1 - np.exp(-3 * v / 1e-2)) / (1 - np.exp(-3))
    expected = np.where(v < 1e-2, rise, 0.2)
    assert curve(fc.Threlfall(0.2, v0=1e-2), v) == pytest.approx(expected)
    # continuous with slope zero at the peak, in the published form -mu_s/v0^2 (v - v0)^2 + mu_s
    law = fc.BengisuAkay(0.4, 0.3, v0=1e-3, decay=200.0)
    rise = 0.4 - 0.4 / 1e-6 * (v - 1e-3) ** 2
    fall = 0.3 + 0.1 * np.exp(-200 * (v - 1e-3))
    assert curve(law, v) == pytest.approx(np.where(v < 1e-3, rise, fall))
    ramp = fc.ModifiedCoulomb(0.3, v0=1e-3, v1=1e-2)
    expected = [0, 0, 0.3 * 4 / 9, 0.3, 0.3]
    assert curve(ramp, v) == pytest.approx(expected, abs=1e-15)


LAWS = [
    fc.ModifiedCoulomb(0.3),
    fc.SmoothCoulomb(0.3),
    fc.Stribeck(0.4, 0.3),
    fc.CubicStribeck(0.4, 0.3),
    fc.Threlfall(0.3),
    fc.BengisuAkay(0.4, 0.3),
]


def block(friction, normal_force=10.0, force=None, mass=2.0, **motion):
    """A block on a straight guide that rubs, pulled by a force."""
    system, body = rubbing_block(friction, normal_force, mass, **motion)
    if force:
        system.add(fc.Force(body.center, (force, 0, 0)))
    return system


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_terminal_speed(law):
    """Pulled by 1.2 N under 10 N of normal force, a block ends where the coefficient is 0.12;
    friction takes what the pull gives, and the tangent is right."""
    stepper = fc.Stepper(block(law, force=1.2), dt=1e-3, t_end=0.3)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    speed = stepper.channels["rub.speed"]
    assert curve(law, [speed]) == pytest.approx([0.12], rel=1e-5)
    assert stepper.channels["rub.friction_force"] == pytest.approx(-1.2, rel=1e-5)
    assert stepper.channels["rub.friction_loss"] == pytest.approx(1.2 * speed, rel=1e-5)
    assert tangent_error(stepper.state, step=1e-7, rates=1e-8) < 1e-5


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_tangent_far_from_rest(law):
    """At 5 m/s, thousands of times the speeds of the laws, nothing overflows."""
    state = block(law, velocity=(5.0, 0, 0)).state
    assert tangent_error(state, step=1e-6, rates=1e-5) < 1e-5


@dataclass(frozen=True)
class Viscous(fc.FrictionLaw):
    """mu = speed / reference: a user's law."""

    reference: float = 1.0
    parameters: ClassVar[tuple[str, ...]] = ("reference",)

    @staticmethod
    def coefficient(speed, p):
        return speed / p.reference


def test_a_users_law():
    """Viscous friction: the speed decays as exp(-N t / (m reference))."""
    stepper = fc.Stepper(block(Viscous(2.0), velocity=(0.5, 0, 0)), dt=1e-3, t_end=0.4)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    assert stepper.channels["rub.speed"] == pytest.approx(0.5 * np.exp(-1.0), rel=1e-5)


# --- true stick -----------------------------------------------------------------------------------
def incline(degrees, law, dt=1e-3, t_end=2.0):
    """A block of 1 kg on an incline: places and sticking after each step."""
    angle, g = np.radians(degrees), 9.81
    pull, normal = g * np.sin(angle), g * np.cos(angle)
    stepper = fc.Stepper(block(law, normal, pull, mass=1.0), dt=dt, t_end=t_end)
    stepper.start()
    places, slips = [], []
    while stepper.t < t_end:
        stepper.advance()
        places.append(stepper.channels["rub.slide"])
        slips.append(stepper.channels["rub.slipping"])
    return np.array(places), np.array(slips)


STICK = fc.TrueStick(0.4, stiffness=1e6, damping=400.0)


@pytest.mark.parametrize("place", [1e-6, 1e-4])
def test_tangent_of_true_stick(place):
    """Sticking and slipping (limit 4 N, 1e6 N/m), against central differences."""
    state = block(STICK).state
    state.q[0], state.v[0] = place, 1e-3
    assert tangent_error(state, step=1e-9, rates=1e-6) < 1e-5


@pytest.mark.mpi
def test_no_creep_below_the_angle_of_friction():
    """21 degrees, mu = 0.4 (21.80): what moves once it has settled is round-off."""
    places, slips = incline(21.0, STICK, t_end=0.6)
    assert np.ptp(places[300:]) < 1e-15
    assert not slips[300:].any()
    assert places[-1] < 3e-4  # the sudden load at the start slips a little


def test_slides_beyond_the_angle_of_friction():
    """30 degrees: g (sin - mu cos) t^2 / 2."""
    places, slips = incline(30.0, STICK)
    expected = 9.81 * (np.sin(np.pi / 6) - 0.4 * np.cos(np.pi / 6)) * 2
    assert places[-1] == pytest.approx(expected, rel=2e-3)
    assert slips[10:].all()


def belt(dt, t_end=45.0):
    """A block of 1 kg on a belt of 0.2 m/s, held by 1 N/m, seen from the belt: the spring's other
    end moves off; mu 0.4 / 0.3 under 10 N. Its place on the ground and sticking."""
    law = fc.TrueStick(0.4, 0.3, stiffness=1e5, damping=0.4 * np.sqrt(1e5))
    system = block(law, 10.0, mass=1.0)
    hand = system.add(
        fc.RigidBody(1.0, (1, 1, 1), position=(-20, 0, 0), velocity=(-0.2, 0, 0), name="hand")
    )
    system.add(fc.PrismaticJoint(system.ground, hand.center, axis=AXIS))
    away = fc.functions.Linear(-0.2)
    system.add(fc.TranslationDriver(system.ground, hand.center, axis=AXIS, displacement=away))
    system.add(fc.SpringDamper(hand.center, system.items[0].center, stiffness=1.0))
    stepper = fc.Stepper(system, dt=dt, t_end=t_end)
    stepper.start()
    rows = []
    while stepper.t < t_end:
        stepper.advance()
        place = stepper.channels["rub.slide"] + 0.2 * stepper.t
        rows.append((stepper.t, place, stepper.channels["rub.slipping"]))
    return np.array(rows).T


def test_stick_slip_on_a_belt():
    """Closed form: sticks up to x = 4, then half a wave about x = 3 with the belt's speed at its
    start; largest x = 3 + sqrt(1.04), period pi + 2 atan 0.2 + 10. First order in the step."""
    t, x, slips = belt(4e-3)
    late = t > 15
    assert x[late].max() == pytest.approx(3 + np.sqrt(1.04), abs=2e-3)
    assert x[late].min() == pytest.approx(3 - np.sqrt(1.04), abs=2e-3)
    starts = t[1:][(slips[1:] > 0) & (slips[:-1] == 0) & (x[1:] > 3)]
    period = np.pi + 2 * np.arctan(0.2) + 10
    assert np.diff(starts) == pytest.approx(period, abs=1.5e-2)


def test_bad_input():
    system = fc.System()
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), name="block"))
    for law, message in (
        (lambda: fc.Stribeck(0.1, 0.2), "static friction mu_s = 0.1 must not be below mu_d = 0.2"),
        (lambda: fc.CubicStribeck(v_s=0.1, v_d=0.1), "v_d = 0.1 m/s must exceed v_s = 0.1 m/s"),
        (lambda: fc.TrueStick(0.1, 0.2), "TrueStick.mu_d must lie between 0 and 0.1, got 0.2"),
        (
            lambda: fc.FrictionElement(system.ground, body.center, AXIS, normal_force=1.0),
            "friction must be a friction law",
        ),
        (
            lambda: fc.FrictionElement(
                system.ground, body.center, friction=STICK, normal_force=1.0
            ),
            "needs an axis",
        ),
        (
            lambda: fc.FrictionElement(
                system.ground, body.center, AXIS, friction=STICK, normal_force=-1.0
            ),
            "normal_force must not be negative",
        ),
        (
            lambda: fc.SphericalClearance(
                system.ground, body.center, socket_radius=0.02, ball_radius=0.01, stiffness=1e9,
                friction=STICK,
            ),
            "TrueStick acts in FrictionElement and TranslationalClearance, here use LuGre",
        ),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=message):
            law()
