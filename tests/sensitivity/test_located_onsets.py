"""Derivatives through impacts whose onsets steps end at: closed forms."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from tests.sensitivity import models


@pytest.mark.parametrize(("t_end", "bounces"), [(0.3, 1), (0.45, 2)])
def test_bounce(t_end, bounces):
    """Elastic bounces without gravity: the ball comes back, d(end)/d(start) = -1 exactly, +1 after
    the second one, whatever the contact."""
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=t_end)
    d = s.forward()
    assert sum(e.kind == "onset" for e in s.run().stepper.events) == bounces
    assert d.jacobian[0, 0] == pytest.approx((-1) ** bounces, abs=1e-4)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, abs=1e-11)


def test_history_of_a_bounce():
    """The derivative of the height over time, at fixed times: 1 before the contact, -1 after it;
    that of the velocity: 0 at both."""
    at = {"height": 0.15}
    s = fc.Sensitivity(models.bounce, at=at, of=["ball.y", "ball.vy"], t_end=0.3)
    d = s.forward()
    onset, loss = (e.time for e in s.run().stepper.events)
    free = (d.t < 0.999 * onset) | (d.t > 1.001 * loss)
    expected = np.where(d.t < onset, 1.0, -1.0)
    assert d.histories["ball.y", "height"][free] == pytest.approx(expected[free], abs=1e-4)
    assert d.histories["ball.vy", "height"][free] == pytest.approx(0.0, abs=2e-3)


def test_a_grid_is_no_help():
    """The same on fixed steps: the derivative of the grid, far from that of the motion."""
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=0.3, dt=1e-3)
    d = s.forward()
    assert abs(d.jacobian[0, 0] + 1) > 0.1
    assert "adaptive steps" in d.notes[0]


def test_energy_of_a_bounce():
    """Peak of Hertz's force, 1.25 m v^2 = (K delta^2.5) 2, F = K delta^1.5: it goes with the mass
    (here through the speed) as v^1.2, and its momentum, the integral of the force, is 2 m v."""

    def model(p):
        return models.bounce({"height": 0.15, "speed": p["speed"]})

    of = [fc.Peak("joint.normal_force"), fc.Integral("joint.normal_force")]
    s = fc.Sensitivity(model, at={"speed": 1.0}, of=of, t_end=0.3, contact_tolerance=1e-5)
    d = s.forward()
    deepest = (1.25 / models.STIFFNESS) ** 0.4
    peak = models.STIFFNESS * deepest**1.5
    assert d.values == pytest.approx([peak, 2.0], rel=1e-4)
    assert d.jacobian[:, 0] == pytest.approx([1.2 * peak, 2.0], rel=2e-4)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)


def test_constraints_and_an_onset():
    """An arm in a clearance joint, whose velocities are put on the constraints as steps change:
    both ways, and differences of runs as far as their steps, chosen anew each, allow."""
    of = ["tip.x", "tip.y", "tip.vy", fc.Peak("joint.normal_force")]
    settings = {"t_end": 0.02, "tolerance": 1e-8, "contact_tolerance": 1e-5}
    settings["newton_tolerance"] = 1e-12
    s = fc.Sensitivity(models.pendulum, at=models.PENDULUM, of=of, **settings)
    d = s.forward()
    a = s.adjoint()
    assert a.jacobian[:2] == pytest.approx(d.jacobian[:2], rel=1e-11)
    assert a.jacobian == pytest.approx(d.jacobian, rel=1e-8)
    found = models.differences(models.pendulum, models.PENDULUM, of[:2], 1e-3, **settings)
    assert d.scaled[:2] == pytest.approx(
        found * d.parameters, abs=1e-3 * np.abs(d.scaled[:2]).max()
    )
    assert d.notes == ()


def test_balls():
    """Two equal elastic balls exchange their motions; while they touch, for tau of Hertz's contact,
    which goes with the speed as v^-1/5, both move at the mean speed:
    d(x_1, x_2)/d(x_1, x_2, v_1, v_2) = (0, 1, 0.4 tau, 1 - 0.4 tau), (1, 0, 1 - 0.4 tau, 0.4 tau).
    """
    tau = models.DURATION
    exact = [[0, 1, 0.4 * tau, 1 - 0.4 * tau], [1, 0, 1 - 0.4 * tau, 0.4 * tau]]
    at = {"x1": 0.0, "x2": 0.52, "v1": 1.0, "v2": 0.0}
    s = fc.Sensitivity(
        models.balls, at=at, of=["one.x", "two.x"], t_end=1.0, sizes={"x1": 1.0, "v2": 1.0},
        tolerance=1e-9,
    )  # fmt: skip
    d = s.forward()
    assert d.jacobian == pytest.approx(np.array(exact), abs=1e-4)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, abs=1e-11)


def test_a_driven_wall():
    """A ball bounces elastically off a wall that a driver moves at w against it: the contact at
    t_1 = x_0 / (u + w) lasts tau, 2.94 (1.25 m / K)^0.4 (u + w)^-0.2, and then the ball goes back
    with u + 2 w: x(T) = -w T + x_0 - (u + w) (T - t_1 - tau). The driver knows the time, which
    moves with the onset."""
    at = {"gap": 0.2, "speed": 1.0, "wall": 0.5}
    s = fc.Sensitivity(models.driven_wall, at=at, of="ball.x", t_end=0.4, tolerance=1e-9)
    d = s.forward()
    x, u, w, end = 0.2, 1.0, 0.5, 0.4
    v = u + w
    tau = 2.94328 * (1.25 / models.STIFFNESS) ** 0.4 * v**-0.2
    by_speed = -(end - x / v - tau) - v * (x / v**2 + 0.2 * tau / v)
    assert d.values[0] == pytest.approx(-w * end + x - v * (end - x / v - tau), abs=1e-5)
    assert d.jacobian[0] == pytest.approx([2.0, by_speed, by_speed - end], abs=1e-4)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)


def test_two_rods_by_the_clearance():
    """A rod about a pivot and a free one joined to its end by a clearance: while the joint is open
    the ends part as g t^2 / 4, until t_1 = 2 sqrt(c / g), with the speed sqrt(c g). The impact
    takes the relative speed v to -e' v, and the middle of the free rod by (1 + e') v / 7 (masses
    alike: the ends yield as 3 / m and 4 / m). After it the free rod falls on, so that its speed
    changes with the clearance as that jump does, d(1 + e') apart: e' is that of the run.

    Just behind the onset depths are far below what 1e-6 of the radius are.
    """
    s = fc.Sensitivity(
        cases.get("double_pendulum"), at={"t_end": 0.0287, "arm.model": "rigid"},
        by="joint.ball_radius", of="arm2.vy",
    )  # fmt: skip
    d = s.forward()
    onset, loss = s.run().stepper.events
    c, g = 2e-3, 9.81
    assert onset.time == pytest.approx(2 * np.sqrt(c / g), rel=1e-3)
    jump = (onset.speed + loss.speed) / 7
    assert d.jacobian[0, 0] == pytest.approx(jump / (2 * c), rel=1e-2)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-8)


def test_instants_after_a_bounce():
    """Steps end at given instants, which take back what the onset has moved, and go on: the height
    at each by the height x and the speed u at the start, y = -x + u (t - tau) but for a constant,
    where tau, of Hertz's contact, goes as u^-1/5."""
    times = [0.18, 0.22, 0.27]
    at = {"height": 0.15, "speed": 1.0}
    s = fc.Sensitivity(models.bounce, at=at, of=[fc.At("ball.y", times), "ball.vy"], t_end=0.3)
    d = s.forward()
    kinds = [step.kind for step in s.run().stepper.record]
    assert kinds.count("stop") == 4 and kinds.count("located") == 1
    tau = 2.94328 * (1.25 / models.STIFFNESS) ** 0.4
    assert d.jacobian[:3, 0] == pytest.approx(-1, abs=1e-4)
    assert d.jacobian[:3, 1] == pytest.approx(np.array(times) - 0.8 * tau, abs=2e-4)
    assert d.jacobian[3] == pytest.approx([0.0, 1.0], abs=1e-3)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, abs=1e-11)
