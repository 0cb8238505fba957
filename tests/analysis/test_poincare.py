"""Sections of motions known in closed form, and the impact oscillator.

Impact oscillator: x'' + x = F cos(w t) with a rigid stop at x = 0 that returns the part r of the
speed (Shaw and Holmes 1983). Its orbits with one impact a period, and the derivative of the map
round them, follow from the free motion in closed form; here the stop is a stiff contact with the
exact restitution of the Lankarani-Nikravesh law, whose impacts last 2e-3 of a period.
"""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

import fem_clearance as fc
from fem_clearance.analysis import (
    Steps,
    SystemFlow,
    bifurcation,
    impacts,
    periodic_orbit,
    section,
    stroboscopic,
)
from fem_clearance.timestepping.events import Event

NOMINAL = 0.6
CHI = 0.75 * (1 - NOMINAL**2)
#: effective restitution: chi (1 + r) = ln((1 + chi) / (1 - chi r))
RESTITUTION = brentq(
    lambda r: CHI * (1 + r) - np.log((1 + CHI) / (1 - CHI * r)), 1e-6, 1 - 1e-9
)  # fmt: skip


def record():
    t = np.sort(np.append([0.0, 20.0], np.random.default_rng(2).uniform(0, 20, 4000)))
    return {"time": t, "x": np.sin(t), "v": np.cos(t), "y": np.sin(t / 2)}


# --- sections of a series -----------------------------------------------------------------------
def test_strobe():
    found = stroboscopic(record(), 2 * np.pi, ["x", "y"], phase=0.25, skip=1, rates={"x": "v"})
    assert found.time == pytest.approx([2.5 * np.pi, 4.5 * np.pi])
    assert found["x"] == pytest.approx([1, 1], abs=1e-8)
    assert found["y"] == pytest.approx([np.sin(1.25 * np.pi), np.sin(2.25 * np.pi)], abs=1e-6)


def test_section_at_a_level():
    found = section(record(), "x", ["v"], level=0.5, rates={"x": "v"}, skip=1.0)
    assert found["v"] == pytest.approx([np.sqrt(0.75)] * 3, abs=1e-5)
    assert len(section(record(), "x", ["v"], level=0.5, direction="both").time) == 7


def test_impacts():
    rows = (0.3, "a", "onset", 1.0), (0.35, "a", "loss", 0.9), (0.4, "b", "onset", 1.0)
    events = [Event(*z) for z in (*rows, (2.6, "a", "onset", 2.0))]
    assert impacts(events, "a", 0.5) == pytest.approx(np.array([[0.6, 1.0], [0.2, 2.0]]))
    assert impacts(events, "c", 0.5).shape == (0, 2)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: stroboscopic(record(), 30.0, ["x"], skip=1), "holds no period"),
        (lambda: stroboscopic(record(), -1.0, ["x"]), "period must be positive"),
        (lambda: stroboscopic(record(), 1.0, []), "at least one channel"),
        (lambda: bifurcation(impact_oscillator, [2.2], 1.0, []), "at least one channel"),
        (lambda: bifurcation(impact_oscillator, [2.2], 0.1, ["body.z0"], settle=0, keep=1),
         "no channel 'body.z0'"),
    ],
)  # fmt: skip
def test_bad_input(call, message):
    with pytest.raises(fc.InputError, match=message):
        call()


# --- impact oscillator --------------------------------------------------------------------------
def impact_oscillator(w):
    """Mass 1 kg, spring 1 N/m, force cos(w t) N; the far side of the guide is 20 m away."""
    system = fc.System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    body = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(-0.3, 0, 0), name="body"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    system.add(
        fc.SpringDamper(system.ground.point((-50, 0, 0)), body.center, 1.0, free_length=50.0)
    )
    system.add(fc.Force(body, (1, 0, 0), fc.functions.Harmonic(1.0, w / (2 * np.pi), np.pi / 2)))
    system.add(fc.RodGuide(
        system.ground.point((-10, 0, 0)), body.center, (1, 0, 0), hole_radius=11.0, rod_radius=1.0,
        stiffness=1e9, force=fc.LankaraniNikravesh(restitution=NOMINAL), name="stop",
    ))  # fmt: skip
    return system


class Exact:
    """The rigid impact oscillator: orbit with one impact a period, and its map."""

    def __init__(self, w):
        self.w, self.period, self.forced = w, 2 * np.pi / w, 1 / (1 - w**2)
        for phase in np.linspace(0, self.period, 8, endpoint=False):
            (a, b, t), _, ok, _ = fsolve(self._closes, [0.5, -0.5, phase], full_output=True)
            self.a, self.b, self.impact = a, b, t % self.period
            times = t + np.linspace(1e-6, 1 - 1e-6, 400) * self.period
            self.speed = self.at(a, b, t + self.period)[1]
            if ok == 1 and self.at(a, b, times)[0].max() < 1e-9 and self.speed > 0:
                self.state = np.array(self.at(*self._shifted(t), self.period))
                return
        raise AssertionError("no orbit")

    def _shifted(self, t):
        """Coefficients for a clock in which the impact lies within the first period."""
        turns = t - self.impact
        c, s = np.cos(turns), np.sin(turns)
        return self.a * c + self.b * s, self.b * c - self.a * s

    def at(self, a, b, t):
        w, g = self.w, self.forced
        x = a * np.cos(t) + b * np.sin(t) + g * np.cos(w * t)
        return x, b * np.cos(t) - a * np.sin(t) - g * w * np.sin(w * t)

    def _closes(self, z):
        a, b, t = z
        x, v = self.at(a, b, np.array([t, t + self.period]))
        return [x[0], x[1], v[0] + RESTITUTION * v[1]]

    def map(self, x):
        """State after a period with one impact."""
        a, b = x[0] - self.forced, x[1]
        t = brentq(lambda t: self.at(a, b, t)[0], self.impact - 0.3, self.impact + 0.3, xtol=1e-14)
        v = -RESTITUTION * self.at(a, b, t)[1]
        c, s = np.cos(t), np.sin(t)
        free = [-self.forced * np.cos(self.w * t), v + self.forced * self.w * np.sin(self.w * t)]
        a, b = np.linalg.solve([[c, s], [-s, c]], free)
        return np.array(self.at(a, b, self.period))

    def multipliers(self):
        """Of the orbit."""
        steps = 1e-6 * np.eye(2)
        columns = [(self.map(self.state + s) - self.map(self.state - s)) / 2e-6 for s in steps]
        return np.linalg.eigvals(np.column_stack(columns))


def test_impact_oscillator_orbit_and_multipliers():
    """State, speed and phase of the impact, multipliers; their product is r^2 (the free motion
    keeps areas). Within 0.3 %: the contact lasts a while."""
    w = 2.2
    exact = Exact(w)
    assert exact.map(exact.state) == pytest.approx(exact.state, abs=1e-9)
    flow = SystemFlow(impact_oscillator, lambda w: 2 * np.pi / w, steps=None, tolerance=1e-8)
    orbit = periodic_orbit(flow, w, exact.state, steps=Steps(tolerance=1e-5))
    assert orbit.state == pytest.approx(exact.state, rel=6e-3)
    assert np.prod(orbit.multipliers).real == pytest.approx(RESTITUTION**2, rel=3e-3)
    assert np.sort_complex(orbit.multipliers) == pytest.approx(
        np.sort_complex(exact.multipliers()), rel=4e-3
    )
    assert orbit.stable


@pytest.mark.slow
def test_impact_oscillator_diagram():
    """Impacts of the settled motion as in the closed form up to 2.645; there it doubles its period
    before 2.67, where a multiplier of that orbit has passed -1 (at 2.655)."""
    values = [2.2, 2.4, 2.55, 2.62, 2.645, 2.67, 2.7]
    found = bifurcation(
        impact_oscillator, values, lambda w: 2 * np.pi / w, ["body.x", "body.vx"], settle=40,
        keep=8, contact="stop", rates={"body.x": "body.vx"},
    )  # fmt: skip
    for w, hits in zip(values[:5], found.impacts, strict=False):
        exact = Exact(w)
        assert len(hits) == 8 and np.all(np.abs(exact.multipliers()) < 1)
        assert hits[-1] == pytest.approx([exact.impact / exact.period, exact.speed], rel=4e-3)
    assert Exact(2.67).multipliers().real.min() < -1
    assert found.orders("body.x", 2e-3).tolist() == [1, 1, 1, 1, 1, 2, 2]
    parameter, points = found.points("body.x")
    assert len(parameter) == len(points) == 7 * 8
