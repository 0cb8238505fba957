"""LuGre: closed forms, the same equations in SciPy, order in time, checkpoints, joints.

Data of Canudas de Wit et al. (1995), Table I: s0 = 1e5 N/m, s1 = sqrt(1e5) N s/m, s2 = 0.4 N s/m,
F_C = 1 N, F_S = 1.5 N, v_s = 1 mm/s, taken for a normal force of 1 N.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error
from fem_clearance.timestepping.snapshot import take_snapshot

from .conftest import rubbing_block

S0, S1, S2, FC, FS, VS = 1e5, np.sqrt(1e5), 0.4, 1.0, 1.5, 1e-3
LAW = fc.LuGre(mu_s=FS, mu_d=FC, v_s=VS, stiffness=S0, damping=S1, viscous=S2)
AXIS = (1, 0, 0)


def limit(v):
    return FC + (FS - FC) * np.exp(-((v / VS) ** 2))


def block(friction=LAW, normal_force=1.0, **motion):
    """A block of 1 kg on a straight guide."""
    return rubbing_block(friction, normal_force, 1.0, **motion)


def pulled(stiffness, speed):
    """The block on a spring whose other end moves off at a speed."""
    system, body = block()
    hand = system.add(
        fc.RigidBody(1.0, (1, 1, 1), position=(1, 0, 0), velocity=(speed, 0, 0), name="hand")
    )
    system.add(fc.PrismaticJoint(system.ground, hand.center, axis=AXIS))
    motion = fc.functions.Linear(speed)
    system.add(fc.TranslationDriver(system.ground, hand.center, axis=AXIS, displacement=motion))
    system.add(fc.SpringDamper(body.center, hand.center, stiffness=stiffness))
    return system


def run(system, dt, t_end):
    """Time, place, speed, deflection, friction after each step."""
    stepper = fc.Stepper(system, dt=dt, t_end=t_end, newton_tolerance=1e-10)
    stepper.start()
    rows = []
    while stepper.t < t_end:
        stepper.advance()
        c = stepper.channels
        names = ("slide", "speed", "deflection", "friction_force")
        rows.append((stepper.t, *(c[f"rub.{n}"] for n in names)))
    return np.array(rows).T


@cache
def by_scipy(stiffness, speed, t_end):
    """The same block: x, v, z at the end, and largest friction before it first slips fast."""

    def rates(t, y):
        x, v, z = y
        dz = v - S0 * abs(v) / limit(v) * z
        return v, stiffness * (speed * t - x) - S0 * z - S1 * dz - S2 * v, dz

    result = solve_ivp(rates, (0, t_end), (0, 0, 0), method="Radau", rtol=1e-11, atol=1e-15)
    x, v, z = result.y
    friction = S0 * z + S1 * (v - S0 * abs(v) / limit(v) * z) + S2 * v
    return result.y[:, -1], friction.max()


@pytest.mark.parametrize(("speed", "dt", "t_end"), [(1e-3, 1e-4, 0.4), (1e-2, 2e-5, 0.05)])
def test_steady_sliding(speed, dt, t_end):
    """Driven at a constant speed, friction settles at g(v) + s2 v (closed form)."""
    system, body = block(velocity=(speed, 0, 0))
    system.add(
        fc.TranslationDriver(
            system.ground,
            body.center,
            axis=AXIS,
            displacement=fc.functions.Linear(speed),
            name="drive",
        )
    )
    *_, z, friction = run(system, dt, t_end)
    assert -friction[-1] == pytest.approx(limit(speed) + S2 * speed, rel=1e-7)
    assert z[-1] == pytest.approx(limit(speed) / S0, rel=1e-7)


@dataclass(frozen=True)
class Dahl(fc.BristleLaw):
    """Bristles of a stiffness per normal force without damping: Dahl (1968)."""

    mu: float = 0.3
    sigma: float = 1e4
    relaxation: float = 1e3
    parameters: ClassVar[tuple[str, ...]] = ("mu", "sigma", "relaxation")

    @staticmethod
    def growth(velocity, z, speed, p):
        return velocity - p.sigma * speed * z / p.mu

    @staticmethod
    def drag(z, rate, velocity, p):
        return p.sigma * z

    @staticmethod
    def coefficient(speed, p):
        return p.mu


def test_bristles_of_ones_own():
    """Dahl's law over the way at a constant speed: mu N (1 - exp(-sigma x / mu))."""
    system, body = block(friction=Dahl(), normal_force=5.0, velocity=(1e-3, 0, 0))
    motion = fc.functions.Linear(1e-3)
    system.add(fc.TranslationDriver(system.ground, body.center, axis=AXIS, displacement=motion))
    _, x, _, z, friction = run(system, 5e-4, 0.1)
    assert -friction == pytest.approx(5 * 0.3 * (1 - np.exp(-1e4 * x / 0.3)), abs=2e-4)
    assert z[-1] == pytest.approx(0.3 / 1e4 * (1 - np.exp(-1e4 * 1e-4 / 0.3)), rel=1e-4)
    for method in ("growth", "drag"):
        with pytest.raises(TypeError, match=rf"defines {method}\(\)"):
            getattr(fc.BristleLaw, method)(0, 0, 0, None)


@pytest.mark.mpi
def test_presliding_stiffness():
    """Well below break-away the bristles are a spring: x = F / s0 (1 + small), and z = x."""
    system, body = block()
    force = 0.05
    system.add(
        fc.Force(body.center, (force, 0, 0), fc.functions.Polynomial((0.0, 2.0, -1.0)))
    )  # to t = 1
    t, x, _, z, friction = run(system, 1e-3, 1.0)
    assert -friction[-1] == pytest.approx(force, rel=1e-3)
    # dz/dx = 1 - s0 z / g(0) while it moves: x = -g / s0 ln(1 - F / g)
    assert x[-1] == pytest.approx(-FS / S0 * np.log(1 - force / FS), rel=1e-3)


@pytest.mark.parametrize("rate", [0.2, 20.0])
def test_break_away_depends_on_the_rate_of_the_load(rate):
    """Largest friction of a pulled block against the same equations in SciPy; slow loads come
    close to F_S = 1.5, at 0.2 N/s it is 1.4766 (independent prototype), fast ones stay below."""
    stiffness = 2.0
    t_end = 1.2 * FS / rate
    *_, friction = run(pulled(stiffness, rate / stiffness), t_end / 20000, t_end)
    reference = by_scipy(stiffness, rate / stiffness, t_end)[1]
    assert (-friction).max() == pytest.approx(reference, rel=2e-4)
    if rate == 0.2:
        assert reference == pytest.approx(1.4766, abs=1e-4)
    else:
        assert reference < 1.40


def test_stick_slip():
    """Pulled at 0.1 m/s on 2 N/m for 20 s: place after two slips, against SciPy."""
    t, x, v, *_ = run(pulled(2.0, 0.1), 5e-4, 20.0)
    (place, _, deflection), _ = by_scipy(2.0, 0.1, 20.0)
    assert x[-1] == pytest.approx(place, abs=2e-4)
    begins = 0.1 * t[np.argmax(v > 0.01)]
    assert begins == pytest.approx(0.7458, abs=5e-4)  # independent prototype; F_S / k = 0.75
    assert np.mean(abs(v) < 1e-3) > 0.5


@pytest.mark.parametrize(
    ("stiffness", "speed", "t_end", "steps"), [(2.0, 0.1, 0.02, 50), (200.0, 0.1, 0.08, 1000)]
)
def test_second_order_in_place_and_deflection(stiffness, speed, t_end, steps):
    """Steps halved, in pre-sliding and through break-away, against SciPy."""
    (place, _, deflection), _ = by_scipy(stiffness, speed, t_end)
    errors = []
    for n in (steps, 2 * steps, 4 * steps):
        _, x, _, z, _ = run(pulled(stiffness, speed), t_end / n, t_end)
        errors.append((abs(x[-1] - place), abs(z[-1] - deflection)))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 1.85), (errors, orders)


def test_a_snapshot_holds_the_bristles():
    """A run that is taken up again in the middle ends where the whole one does."""
    whole = fc.Stepper(pulled(2.0, 0.1), dt=1e-3, t_end=8.0)
    whole.start()
    for _ in range(4000):
        whole.advance()
    snapshot = take_snapshot(whole)
    again = fc.Stepper(pulled(2.0, 0.1), dt=1e-3, t_end=8.0)
    again.restore(snapshot)
    assert again.channels["rub.deflection"] == whole.channels["rub.deflection"] != 0
    for stepper in (whole, again):
        while stepper.t < 8.0:
            stepper.advance()
    assert again.channels["rub.deflection"] == pytest.approx(
        whole.channels["rub.deflection"], rel=1e-12
    )


def test_bristles_recover_without_load():
    """Normal force 1 - t: from t = 1 s on, z decays as exp(-relaxation t)."""
    law = fc.LuGre(mu_s=1.0, mu_d=1.0, stiffness=1e3, damping=10.0, relaxation=5.0)
    system, _ = block(law, fc.functions.Linear(-1.0, 1.0), velocity=(1e-4, 0, 0))
    t, _, _, z, _ = run(system, 1e-3, 1.5)
    at = np.argmin(abs(t - 1.05))
    assert z[at] != 0
    assert z[-1] / z[at] == pytest.approx(np.exp(-5.0 * (t[-1] - t[at])), rel=1e-3)


# --- in a joint with clearance --------------------------------------------------------------------
JOINT_LAW = fc.LuGre(
    mu_s=0.3, mu_d=0.2, v_s=1e-2, stiffness=1e5, damping=50.0, damping_speed=1e-2, viscous=0.01
)
RADIUS, MASS, INERTIA, GRAVITY = 0.05, 2.0, 0.02, 10.0


SOCKET = (0, 0, -0.99 * (MASS * GRAVITY / 1e10) ** (2 / 3))  # the ball rests near the origin


def ball_in_socket(spin=0.0, torque=None):
    """A ball that lies in a socket of the ground on its own weight; its centre stays on a line."""
    system = fc.System(gravity=(0, 0, -GRAVITY))
    ball = system.add(
        fc.RigidBody(MASS, (INERTIA,) * 3, position=(0, 0, SOCKET[2] - 0.001),
                     angular_velocity=(spin, 0, 0), name="ball")
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            system.ground.point(SOCKET), ball.center, socket_radius=RADIUS + 0.001,
            ball_radius=RADIUS, stiffness=1e10, friction=JOINT_LAW,
            normal=fc.HuntCrossley(restitution=0.1), name="joint",
        )
    )  # fmt: skip
    system.add(fc.PointOnLine(system.ground.point((0, 0, 0)), ball.center, axis=(0, 0, 1)))
    if torque:
        system.add(fc.Torque(ball.center, (1, 0, 0), fc.functions.Linear(torque)))
    return system, ball


def angular_velocity(stepper, ball):
    q, v = (z[ball.refs[1].numbers].reshape(3, 3) for z in (stepper.state.q, stepper.state.v))
    return np.cross(q, v).sum(axis=0) / 2


def test_spinning_ball_is_braked_by_the_steady_curve():
    """Spin brakes at (g(v) + s2 v) N R / I once the bristles are bent."""
    system, ball = ball_in_socket(spin=20.0)
    stepper = fc.Stepper(system, dt=2e-5, t_end=4e-3)
    stepper.start()
    before = None
    while stepper.t < stepper.t_end:
        stepper.advance()
        if before is None and stepper.t > 2e-3 - 1e-9:
            before = angular_velocity(stepper, ball)[0]
    after = angular_velocity(stepper, ball)[0]
    force = stepper.channels["joint.normal_force"]
    assert force == pytest.approx(MASS * GRAVITY, rel=0.05)
    speed = (before + after) / 2 * RADIUS
    coefficient = 0.2 + 0.1 * np.exp(-((speed / 1e-2) ** 2)) + 0.01 * speed
    braking = coefficient * MASS * GRAVITY * RADIUS / INERTIA
    assert before - after == pytest.approx(braking * 2e-3, rel=0.03)
    assert stepper.channels["joint.friction_force"] / force == pytest.approx(coefficient, rel=0.01)


def test_ball_sticks_below_break_away():
    """A slowly rising torque meets as much friction while the bristles hold; the ball turns by what
    they give, x = -g / s0 ln(1 - F / (N g)), and breaks away near mu_s N R."""
    limit = 0.3 * MASS * GRAVITY * RADIUS
    system, ball = ball_in_socket(torque=10 * limit)
    stepper = fc.Stepper(system, dt=1e-4, t_end=0.14)
    stepper.start()
    largest = 0.0
    while stepper.t < stepper.t_end:
        stepper.advance()
        largest = max(largest, stepper.channels["joint.friction_force"])
        if abs(stepper.t - 0.06) < 1e-6:  # 60 % of the limit
            friction = stepper.channels["joint.friction_force"]
            turn = np.arcsin(stepper.state.q[ball.refs[1].numbers].reshape(3, 3)[1][2])
    assert friction == pytest.approx(0.6 * limit / RADIUS, rel=0.02)
    assert turn * RADIUS == pytest.approx(-0.3 / 1e5 * np.log(1 - 0.6), rel=0.03)
    assert largest == pytest.approx(limit / RADIUS, rel=0.05)
    assert angular_velocity(stepper, ball)[0] > 0.1


def test_journal_sticks_in_its_bearing():
    """Pressed down by 20 N, half the torque of break-away turns a journal by -g/s0 ln(1 - 1/2)."""
    load, radius = 20.0, 0.0095
    steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(fc.RigidBody(2.0, (1e-3,) * 3, position=(0, -0.0005, 0), name="journal"))
    system.add(fc.PointOnLine(system.ground.point((0, 0, 0)), journal.center, axis=(0, 1, 0)))
    system.add(
        fc.RevoluteClearance(
            system.ground.point((0, 0, 0)), journal.center, axis=(0, 0, 1), bearing_radius=0.01,
            journal_radius=radius, length=0.015, materials=(steel, steel), friction=JOINT_LAW,
            normal=fc.bai_zhao("corr", restitution=0.1), name="joint",
        )
    )  # fmt: skip
    system.add(fc.Force(journal.center, (0, -load, 0)))
    torque = 0.3 * load * radius / 2
    system.add(
        fc.Torque(journal.center, (0, 0, torque), fc.functions.SmoothRamp(rate=10.0, duration=0.2))
    )
    stepper = fc.Stepper(system, dt=1e-4, t_end=0.2)  # the ramp has reached 1
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    turn = np.arcsin(stepper.state.q[journal.refs[1].numbers].reshape(3, 3)[0][1])
    assert stepper.channels["joint.normal_force"] == pytest.approx(load, rel=1e-2)
    assert stepper.channels["joint.friction_force"] == pytest.approx(torque / radius, rel=2e-2)
    assert turn * radius == pytest.approx(-0.3 / 1e5 * np.log(0.5), rel=5e-2)


@pytest.mark.parametrize("where", ["centre", "touching"])
def test_tangent_of_a_joint_with_bristles(where):
    """Against central differences; also at the centred start."""
    system, _ = ball_in_socket(spin=3.0)
    state = system.state
    state.q[2] = SOCKET[2] if where == "centre" else SOCKET[2] - 0.00102
    rng = np.random.default_rng(1)
    state.v[:] += 1e-2 * rng.standard_normal(state.total) * state.problem.dynamic
    state.a[:] += rng.standard_normal(state.total) * state.problem.dynamic
    assert np.isfinite(system.channels.read()).all()
    assert tangent_error(state, step=1e-8) < 1e-5


def test_bad_input():
    with pytest.raises(fc.InputError, match="mu_s = 0.1 must not be below mu_d = 0.2"):
        fc.LuGre(mu_s=0.1, mu_d=0.2)
    with pytest.raises(fc.InputError, match="LuGre.stiffness must be positive"):
        fc.LuGre(mu_s=0.2, mu_d=0.1, stiffness=0)
