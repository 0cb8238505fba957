"""The speed that hysteresis is measured by: blows on contacts that last, least speeds, sizes."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.core.mixins import has_gap

G, K, CLEARANCE = 9.81, 1e9, 5e-5


def resting(law, **options):
    """A ball in the lowest point of its socket, at the point of touching it, at rest."""
    system = fc.System(gravity=(0, -G, 0))
    ball = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, position=(0, -CLEARANCE * (1 - 1e-6), 0), name="ball",
                     free=True)
    )  # fmt: skip
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=0.02,
            ball_radius=0.02 - CLEARANCE, stiffness=K, normal=law, name="joint", **options,
        )
    )  # fmt: skip
    return system


def struck(law, settle, speed=0.3, **options):
    """Speed of the rebound, largest force and its time after a blow at ``settle``."""
    stepper = fc.Stepper(resting(law, **options), dt=2e-6, t_end=settle + 2e-3)
    stepper.start()
    while stepper.t < settle - 1e-9:
        stepper.advance()
    stepper.state.v[1] -= speed  # a hammer far faster than the contact; v[1]: ball.y
    force = away = 0.0
    while stepper.t < stepper.t_end - 1e-9:
        stepper.advance()
        c = stepper.channels
        force, away = max(force, c["joint.normal_force"]), max(away, c["ball.vy"])
        if away > 0 and c["joint.penetration"] == 0:
            break
    return away, force


def expected(chi, speed=0.3):
    """Rebound and largest force of a first impact at ``speed``, by SciPy from Newton's law alone:
    m d'' = m g - K d^1.5 (1 + chi d' / speed)."""

    def rates(_, z):
        depth, rate = z
        return rate, G - K * max(depth, 0.0) ** 1.5 * (1 + chi * rate / speed)

    def out(_, z):
        return z[0]

    out.terminal, out.direction = True, -1
    found = solve_ivp(
        rates, (0, 1), (1e-15, speed), rtol=1e-11, atol=1e-16, events=out, max_step=1e-6
    )
    force = K * np.maximum(found.y[0], 0) ** 1.5 * (1 + chi * found.y[1] / speed)
    return -found.y[1, -1], force.max()


@pytest.mark.parametrize("law", [fc.LankaraniNikravesh, fc.Flores2011], ids=["LN", "Flores"])
@pytest.mark.parametrize("settle", [0.0, 0.02])
def test_a_blow_on_a_contact_that_lasts(law, settle):
    """It returns what a first impact of that speed does, with the same force."""
    law = law(restitution=0.9)
    away, force = struck(law, settle)
    assert (away, force) == pytest.approx(expected(law.hysteresis()), rel=2e-3)


def test_first_touch_is_the_papers_rule():
    """The speed of the touch twenty milliseconds before, 1e-3 m/s (the least), measures the blow:
    factor 1 + 300 chi, as SciPy finds with it."""
    chi, floor = fc.LankaraniNikravesh(restitution=0.9).hysteresis(), 1e-3
    law = fc.LankaraniNikravesh(restitution=0.9, approach_speed="first_touch")
    away, force = struck(law, 0.02, approach_floor=floor)

    def rates(_, z):
        load = K * max(z[0], 0.0) ** 1.5 * (1 + chi * z[1] / floor)
        return z[1], G - max(load, 0.0)

    found = solve_ivp(rates, (0, 1e-3), ((G / K) ** (2 / 3), 0.3), rtol=1e-10, atol=1e-14)
    peak = (K * found.y[0] ** 1.5 * (1 + chi * found.y[1] / floor)).max()
    assert peak > 2 * expected(chi)[1]
    assert force == pytest.approx(peak, rel=2e-2)
    assert away == pytest.approx(-found.y[1].min(), rel=0.1)


def test_wrong_rule():
    with pytest.raises(fc.InputError, match="approach_speed"):
        resting(fc.LankaraniNikravesh(approach_speed="last"))


# --- least approach speeds ------------------------------------------------------------------------
def floor_of(system):
    state = system.state
    kinds = zip(system.state.components, state.parameters, strict=True)
    return next(c.kind.column(p, "floor")[0] for c, p in kinds if has_gap(c.kind))


def test_least_approach_speed_follows_gravity_and_size():
    """A thousandth of sqrt(g L), L the length of the arm; or the one that was given."""

    def arm(**options):
        system = fc.System(gravity=(0, -G, 0))
        body = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(0.4, 0, 0), free=True))
        system.add(
            fc.SphericalClearance(
                system.ground.at((0, 0, 0)), body.at((0, 0, 0)), socket_radius=0.02,
                ball_radius=0.019, stiffness=K, **options,
            )
        )  # fmt: skip
        return system

    assert floor_of(arm()) == pytest.approx(1e-3 * np.sqrt(G * 0.4), rel=1e-12)
    assert floor_of(arm(approach_floor=0.05)) == 0.05


def flying(speed):
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0, 0, speed), name="ball", free=True))
    joint = fc.SphericalClearance(
        system.ground.at((0, 0, 0)), ball.center, socket_radius=0.02, ball_radius=0.019,
        stiffness=K, normal=fc.ExactRestitution(restitution=0.5), name="joint",
    )  # fmt: skip
    system.add(joint)
    return system, ball


def test_without_gravity_it_follows_the_motion():
    """Of the start; or the fastest so far of a ball that a force drives from rest."""
    system, _ = flying(3.0)
    assert floor_of(system) == pytest.approx(3e-3, rel=1e-12)
    system, ball = flying(0.0)
    system.add(fc.Force(ball.center, (0, 0, 100.0)))
    results = fc.Simulation(system, t_end=6e-3).run()
    speed = next(e.speed for e in results.events if e.kind == "onset")
    assert speed == pytest.approx(np.sqrt(2 * 100.0 * 1e-3), rel=1e-6)
    state = system.state
    kinds = zip(system.state.components, state.parameters, strict=True)
    least = next(c.kind.column(p, "floor")[0] for c, p in kinds if has_gap(c.kind))
    assert speed * 1e-3 <= least * (1 + 1e-9) < 2e-3 * speed


@pytest.mark.parametrize("size", [1e-2, 1e-4, 1e-6, 100.0])
def test_small_mechanisms_move_alike(size):
    """The same arm drops into a socket, all lengths times ``size``: at the same gravity times go
    with its root, as dimensional analysis says, also of contacts that last."""

    def run(s):
        system = fc.System(gravity=(0, -G, 0))
        arm = system.add(
            fc.RigidBody(s**3, (1e-3 * s**5, 8e-3 * s**5, 8e-3 * s**5), position=(0.15 * s, 0, 0),
                         name="arm", free=True)
        )  # fmt: skip
        system.add(
            fc.SphericalClearance(
                system.ground.at((0, 0, 0)), arm.at((0, 0, 0)), socket_radius=0.022 * s,
                ball_radius=0.02 * s, stiffness=1e9 * s**1.5,
                normal=fc.ExactRestitution(restitution=0.5), name="joint",
            )
        )  # fmt: skip
        results = fc.Simulation(system, t_end=0.1 * s**0.5).run()
        onsets = [e.time / s**0.5 for e in results.events if e.kind == "onset"]
        return np.array(onsets[:4]), results["arm.y"][-1] / s

    (times, place), (others, there) = run(1.0), run(size)
    assert times == pytest.approx(others, rel=1e-4)
    assert place == pytest.approx(there, rel=1e-5)


def test_a_run_says_whose_contact_hangs_on_it(caplog):
    """A ball that comes to rest is slower than any least speed in the end; one that bounces high
    is not, and laws without hysteresis have no such speed."""
    caplog.set_level("INFO")
    law = fc.LankaraniNikravesh(restitution=0.9)
    slow = fc.Simulation(resting(law, approach_floor=1e-3), t_end=2e-3).run()
    assert slow.summary["least_approach_speeds"] == {"joint": 1e-3}
    assert "joint (0.001 m/s)" in caplog.text
    elastic = fc.Simulation(resting(fc.Hertz()), t_end=2e-3).run()
    system, _ = flying(3.0)
    fast = fc.Simulation(system, t_end=1.2e-3).run()
    assert any(e.kind == "loss" for e in fast.events)
    for results in (elastic, fast):
        assert "least_approach_speeds" not in results.summary
