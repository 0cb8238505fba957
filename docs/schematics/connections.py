"""Connections and drives that are given as data."""

import numpy as np

from .draw import BLUE, BRASS, INK, RED, THIN, Sketch, unit


def _bearing(s):
    s.annulus(np.zeros(2), 0.82, 1.0)
    at = np.array([0.16, -0.1])
    s.circle(at, 0.3)
    for angle in (20, 110, 200, 290):
        a, b = at + 0.3 * unit(angle), 0.82 * unit(angle - 3)
        (s.spring if angle in (20, 200) else s.damper)(a, b, width=0.07)
    s.angle(at, 0.18, 30, 300, None, INK)
    s.text((-0.3, -0.42), r"$\Omega$", size=9)


def _friction(s):
    s.annulus(np.zeros(2), 0.55, 0.85)
    s.circle((0, -0.05), 0.5)
    s.arrow((0, 1.15), (0, 0.5), None, RED)
    s.text((0.3, 1.0), "$N$", RED)
    s.angle((0, -0.05), 0.3, 200, 330, None, INK)
    s.angle((0, -0.05), 0.68, 330, 230, None, RED)
    s.text((0.95, -0.55), r"$\mu N$", RED)


def _stops(s):
    s.pivot((0, -0.5))
    s.link((0, -0.5), (0.15, 0.75), 0.12)
    for angle, turn in ((140, 50), (35, -55)):
        at = np.array([0, -0.5]) + 1.05 * unit(angle)
        s.block(at, (0.34, 0.2), turn, BRASS)
    s.angle((0, -0.5), 0.62, 132, 48, None, BLUE)
    s.text((-0.85, -0.25), "lower", BLUE, size=8)
    s.text((0.85, -0.25), "upper", BLUE, size=8)


def _coupler(s):
    s.circle((-0.55, 0), 0.4)
    s.circle((0.53, 0), 0.66)
    s.pin((-0.55, 0), 0.06)
    s.pin((0.53, 0), 0.06)
    s.angle((-0.55, 0), 0.27, 40, 300, None, INK)
    s.angle((0.53, 0), 0.45, 140, -120, None, INK)
    s.text((-0.55, 0.62), "$z_1$", size=9)
    s.text((0.53, 0.88), "$z_2$", size=9)


def _motor(s):
    o = np.array([-0.9, -0.55])
    s.axis(o, o + (2.0, 0), r"$\Omega$", (0.12, 0))
    s.axis(o, o + (0, 1.6), "$M$", (0.0, 0.12))
    points = o + np.array([(0, 0.85), (0.6, 0.95), (1.05, 1.25), (1.4, 0.9), (1.65, 0.0)])
    s.line(*points, color=RED, width=1.4)
    for p in points:
        s.point(p, color=RED)


def _law(s):
    s.box((-0.75, -0.25), 0.8, 0.5)
    s.arrow((-0.35, 0), (0.75, 0.35), None, INK, THIN, head=7)
    s.text((0.72, 0.55), r"$\mathbf{v}$")
    s.arrow((-0.35, 0), (-0.35, -0.95), None, RED)
    s.text((0.45, -0.75), r"$\mathbf{F}(t, \mathbf{r}, \mathbf{v})$", RED)


def connections():
    """Connections and drives given as data."""
    names = {
        "BearingCoefficients": _bearing, "JointFriction": _friction, "RotationStops": _stops,
        "Coupler": _coupler, "Motor": _motor, "StateForce, SampledForce": _law,
    }  # fmt: skip
    first = None
    for k, (name, drawn) in enumerate(names.items()):
        place = (k % 3 / 3, 0.5 - k // 3 * 0.5, 1 / 3, 0.5)
        s = Sketch(7.4, 4.4, (-1.6, 1.6, -1.45, 1.4), beside=first, place=place)
        first = first or s
        drawn(s)
        s.text((0, -1.28), name, size=9, white=False)
    return first
