"""Sliders in guides, pads, and friction that sticks."""

import numpy as np

from .draw import BLUE, INK, OIL, RED, SOFT, STEEL, THIN, Sketch, unit


def translational():
    """A rigid slider in a guide: sizes, axes, a corner that touches."""
    s = Sketch(7.6, 3.0, (-3.4, 3.9, -1.45, 1.45))
    gap, length, height, turn = 1.66, 2.6, 1.15, 7.0
    s.ground((-3.1, -gap / 2), (3.1, -gap / 2), 0.16, 0.18)
    s.ground((3.1, gap / 2), (-3.1, gap / 2), 0.16, 0.18)
    s.centre_line((-3.3, 0), (3.3, 0))
    at = np.array([0.0, 0.095])
    corners = s.block(at, (length, height), turn)
    along, across = unit(turn), unit(turn + 90)
    s.centre_line(at - 1.55 * along, at + 1.75 * along, 5)
    s.angle(at, 1.62, 0, turn, None, arrow=False)
    s.text(at + (1.78, 0.12), r"$\psi$", BLUE)
    s.point(at, "$O_j$", (-0.18, -0.17))
    s.dimension(corners[3] + 0.0 * across, corners[2], "$l$", shift=-0.22, off=(0, 0))
    s.dimension(corners[0], corners[3], "$h$", shift=0.22)
    s.dimension((-2.95, -gap / 2), (-2.95, gap / 2), "$g$")
    for corner, name in zip(corners, ("1", "2", "3", "4"), strict=True):
        s.point(corner)
        inward = 0.17 * (at - corner) / np.hypot(*(at - corner))
        s.text(corner + inward + (0, 0), name, size=8, white=False)
    touching = corners[2]
    s.arrow(touching, touching - (0, 0.62), None)
    s.text(touching + (0.2, -0.5), "$N$", RED)
    s.arrow(touching, touching - (0.6, 0), None)
    s.text(touching + (-0.62, -0.17), "$T$", RED)
    s.axis((2.45, -0.35), (3.1, -0.35), "1, along", (0.36, 0))
    s.axis((2.45, -0.35), (2.45, 0.3), "3, across", (0.42, 0.05))
    s.out_of_page((2.45, -0.35), "2", (-0.14, -0.13))
    s.text((-2.2, 1.18), "upper surface", size=9)
    s.text((-2.2, -1.2), "lower surface of the guide $i$", size=9)
    s.text(at + (-0.6, -0.32), "slider $j$", size=9, white=False)
    return s


def shaped_guide():
    """A corner of the slider and a shaped surface: height, depth, gradient."""
    s = Sketch(7.0, 2.5, (-0.3, 6.7, -0.45, 2.05))
    x = np.linspace(0, 6.2, 120)

    def surface(x):
        return 1.15 + 0.28 * np.cos(1.5 * x)

    top = [*zip(x, surface(x), strict=True), (6.2, 1.85), (0, 1.85)]
    s.polygon(top, "#f0e6cf", 1, 0)
    s.line(*zip(x, surface(x), strict=True), width=1.6)
    s.centre_line((-0.1, 0), (6.3, 0))
    s.text((5.45, -0.17), "middle plane of the guide", size=9, white=False)
    at = 2.75
    height = surface(at)
    s.dimension((0.75, 0), (0.75, surface(0.75)), "$H(s_1, s_2)$")
    corner = np.array([at, height + 0.14])
    s.polygon([corner, corner + (1.5, -0.25), corner + (1.35, -1.15), corner + (-0.15, -0.9)])
    s.point(corner)
    slope = -0.42 * np.sin(1.5 * at)
    n = np.array([-slope, 1.0]) / np.hypot(slope, 1)
    s.arrow(corner, corner - 0.75 * n, None)
    s.text(corner - 0.75 * n + (-0.2, 0.05), "$N$", RED)
    s.dimension((at - 0.42, height - 0.0), (at - 0.42, height + 0.14), None)
    s.text((at - 0.6, height + 0.12), r"$\delta$", BLUE)
    s.line((at - 0.5, height + 0.14), corner, color=BLUE, width=0.6)
    s.text(corner + (0.72, -0.6), "slider $j$", size=9, white=False)
    s.dimension((0, -0.28), (at, -0.28), "$s_1$")
    s.line((at, -0.32), (at, height), color=SOFT, width=0.6, style="--")
    s.text((5.2, 1.66), "guide $i$", size=9, white=False)
    return s


def true_stick():
    """The rheological model of friction that sticks, and its force over the displacement."""
    s = Sketch(7.6, 2.5, (-0.2, 4.2, -0.95, 1.25), place=(0, 0, 0.56, 1))
    s.ground((0, -0.72), (4.0, -0.72))
    s.box((2.9, -0.72), 0.9, 1.2)
    s.text((3.35, -0.2), "body $j$", size=9, white=False)
    s.spring((1.0, 0.25), (2.9, 0.25), 5, 0.1)
    s.damper((1.0, -0.3), (2.9, -0.3), 0.1)
    s.line((1.0, 0.4), (1.0, -0.45), width=1.6)
    s.text((1.95, 0.5), "$k$")
    s.text((1.95, -0.55), "$d$")
    s.box((0.45, -0.72), 0.55, 0.16, "#b9c2cc")
    s.line((1.0, -0.45), (1.0, -0.56), width=1.6)
    s.text((0.62, -0.42), "anchor $a$", size=9, white=False)
    s.arrow((0.73, -0.66), (0.25, -0.66), None)
    s.text((0.25, -0.53), r"$\mu N$", RED)
    s.dimension((1.0, 0.78), (2.9, 0.78), r"$z=s-a$")
    s.arrow((3.8, 0.2), (4.15, 0.2), None)
    s.text((4.0, 0.38), "$-T$", RED)
    s.arrow((3.35, 0.48), (3.35, 0.95), None)
    s.text((3.52, 0.85), "$N$", RED)
    c = Sketch(0, 0, (-1.5, 1.7, -1.25, 1.35), beside=s, place=(0.6, 0.02, 0.4, 0.96))
    c.axis((-1.4, 0), (1.5, 0), "$s$", (0.12, 0))
    c.axis((0, -1.15), (0, 1.2), "$T$", (0.14, 0))
    c.line((0, 0), (0.28, 0.95), (0.35, 0.72), (1.3, 0.72), width=1.8)
    c.line((1.3, 0.72), (0.88, -0.72), (-1.2, -0.72), color=BLUE, width=1.4)
    c.line((-0.08, 0.95), (0.28, 0.95), color=SOFT, width=0.6, style="--")
    c.line((-0.08, 0.72), (0.35, 0.72), color=SOFT, width=0.6, style="--")
    c.text((-0.38, 1.0), r"$\mu_s N$")
    c.text((-0.38, 0.68), r"$\mu_d N$")
    c.text((1.27, 0.2), "slope $k$", size=9)
    return s


def pad():
    """A tilted pad over a surface, its pressure and the signs of place and velocity."""
    s = Sketch(7.4, 3.3, (-2.9, 3.5, -1.35, 1.75))
    s.ground((-2.5, -0.75), (2.5, -0.75))
    lower, upper = np.array([-1.7, -0.05]), np.array([1.7, -0.42])
    s.polygon([lower, upper, upper + (0, 0.6), lower + (0, 0.6)])
    s.polygon([(-1.7, -0.75), (1.7, -0.75), upper, lower], OIL, 1, 0)
    s.text((-0.25, 0.15), "slider", size=9, white=False)
    x = np.linspace(0, 1, 60)
    h0, h1 = 0.33, 0.70
    h = h1 + (h0 - h1) * x
    p = (h1 - h) * (h - h0) / h**2
    p = 0.95 * p / p.max()
    place = np.column_stack([-1.7 + 3.4 * x, 0.62 + p])
    s.line(*place, color=RED, width=1.4)
    for k in range(6, 60, 7):
        s.arrow(place[k], (place[k][0], 0.62), None, RED, 0.7, head=5)
    s.text((1.12, 1.5), "$p$", RED)
    s.dimension((-1.7, -0.75), lower, "$h_1$", shift=0.3)
    s.dimension((1.7, -0.75), upper, "$h_0$", shift=-0.3)
    s.dimension((0.35, -0.75), (0.35, -0.27), "$h(x)$", off=(0.32, 0))
    s.dimension((-1.7, 0.62), (1.7, 0.62), None, shift=0)
    s.text((-0.6, 0.74), "$l$", BLUE)
    s.arrow((-0.9, -1.02), (0.4, -1.02), None, INK)
    s.text((0.62, -1.02), "$U$")
    s.axis((2.75, -0.35), (3.3, -0.35), "1", (0.1, 0))
    s.axis((2.75, -0.35), (2.75, 0.25), "3", (0.12, 0))
    s.out_of_page((2.75, -0.35), "2", (-0.14, -0.13))
    s.text((1.95, -1.1), "guide", size=9, white=False)
    return s


def rod_guide():
    """The sliding pendulum: a slider with a bore on a fixed rod."""
    s = Sketch(5.2, 3.4, (-2.3, 2.4, -2.15, 0.95))
    s.line((-2.2, 0), (2.2, 0), width=5, color=STEEL)
    for y in (0.055, -0.055):
        s.line((-2.2, y), (2.2, y), width=1.2)
    at = np.array([0.0, -0.13])
    for y in (0.24, -0.55):
        s.box(at + (-0.55, y), 1.1, 0.3)
    s.line(at + (-0.55, -0.24), at + (-0.55, 0.24), width=THIN, style=":")
    end = at + 1.5 * unit(-63)
    s.link(at + (0, -0.4), end, 0.07)
    s.circle(end, 0.17, "#9fb3c8", 7)
    s.line(at + (0, -0.4), at + (0, -1.75), color=SOFT, width=0.7, style="--")
    s.angle(at + (0, -0.4), 0.85, -90, -65, r"$\theta$", off=0.16)
    s.dimension((-1.4, 0), (-1.4, at[1]), None)
    s.text((-1.62, -0.1), "$y$", BLUE)
    s.centre_line((-1.6, at[1]), (0.9, at[1]), 8)
    s.text((1.3, 0.38), "rod $i$", size=9, white=False)
    s.text(at + (-0.95, 0.5), "slider $j$", size=9, white=False)
    s.text(end + (0.38, -0.1), "$m$, $l$")
    s.axis((1.4, -1.4), (2.0, -1.4), "$x$", (0.12, 0))
    s.axis((1.4, -1.4), (1.4, -0.8), "$y$", (0.12, 0))
    return s
