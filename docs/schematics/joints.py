"""Ideal joints, rolling, and a point that slides along a beam."""

import numpy as np

from .draw import BLUE, BRASS, INK, RED, ROD, SOFT, STEEL, THIN, Sketch, unit


def _revolute(s):
    s.ground((-0.55, -0.62), (0.55, -0.62))
    s.polygon([(0, 0), (-0.36, -0.62), (0.36, -0.62)], "white", 4)
    s.link((0, 0), (0.95, 0.55), 0.15)
    s.pin((0, 0), 0.12)
    s.angle((0, 0), 0.62, 55, 120, None, INK)


def _spherical(s):
    s.ground((-0.55, -0.62), (0.55, -0.62))
    s.box((-0.16, -0.62), 0.32, 0.4, "white")
    s.annulus(np.zeros(2), 0.25, 0.37, z=5)
    s.link((0, 0), (0.98, 0.55), 0.1, z=6)
    s.circle((0, 0), 0.23, STEEL, 8)
    for a in (35, 155, 275):
        s.angle((0, 0), 0.55, a + 12, a + 75, None, INK)


def _axis_box(s):
    s.centre_line((-1.15, 0), (1.2, 0), 8)
    s.text((1.05, -0.3), "axis", size=8, white=False)
    s.ground((-0.5, -0.62), (0.5, -0.62))


def _cylindrical(s):
    _axis_box(s)
    for y in (0.17, -0.4):
        s.box((-0.45, y), 0.9, 0.23, BRASS, 3, "////")
    s.box((-1.0, -0.17), 2.0, 0.34, STEEL, 4)
    s.line((0, -0.4), (0, -0.62), width=1.6)
    s.arrow((0.55, 0.33), (1.1, 0.33), None, INK, THIN, head=7, both=True)
    s.angle((-0.75, 0), 0.33, 65, 295, None, INK)


def _prismatic(s):
    _axis_box(s)
    for y in (0.2, -0.4):
        s.box((-0.45, y), 0.9, 0.2, BRASS, 3, "////")
    s.box((-1.0, -0.2), 2.0, 0.4, STEEL, 4)
    s.line((-1.0, 0.1), (1.0, 0.1), width=0.8, z=5)
    s.line((-1.0, -0.1), (1.0, -0.1), width=0.8, z=5)
    s.line((0, -0.4), (0, -0.62), width=1.6)
    s.arrow((0.55, 0.36), (1.1, 0.36), None, INK, THIN, head=7, both=True)


def _universal(s):
    s.ground((-1.2, -0.62), (-0.4, -0.62))
    s.line((-0.8, -0.62), (-0.8, 0), (-0.42, 0), width=2.4)
    s.line((-0.24, 0.3), (-0.42, 0.3), (-0.42, -0.3), (-0.24, -0.3), width=2.4)
    s.line((0, -0.42), (0, 0.42), width=2.0)
    s.line((-0.3, 0.1), (0.3, -0.1), width=2.0)
    s.line((0.14, 0.36), (0.5, 0.16), (0.42, -0.3), (0.12, -0.28), color=SOFT, width=2.4)
    s.line((0.48, -0.05), (1.15, 0.15), color=SOFT, width=2.4)
    s.text((0.1, 0.58), "axis", size=8, white=False)
    s.text((0.42, -0.47), "cross", size=8, white=False)


def _planar(s):
    s.polygon([(-1.1, -0.5), (0.65, -0.5), (1.15, 0.2), (-0.6, 0.2)], "#eef1f4", 2, 0.8)
    s.polygon([(-0.4, -0.3), (0.3, -0.3), (0.48, -0.02), (-0.22, -0.02)], STEEL, 4)
    s.arrow((0.04, -0.16), (0.04, 0.72), None, INK, THIN, head=7)
    s.text((0.32, 0.62), "axis", size=8, white=False)
    s.arrow((0.5, -0.2), (0.95, -0.2), None, INK, THIN, head=7, both=True)
    s.arrow((-0.62, -0.38), (-0.4, 0.0), None, INK, THIN, head=7, both=True)
    s.angle((0.04, 0.3), 0.22, 150, 400, None, INK)


def _distance(s):
    s.box((-1.1, -0.55), 0.45, 0.45)
    s.box((0.6, 0.05), 0.45, 0.45)
    a, b = np.array([-0.88, -0.32]), np.array([0.82, 0.28])
    s.line(a, b, width=1.6, z=6)
    s.pin(a, 0.07)
    s.pin(b, 0.07)
    s.dimension(a, b, "$d$", shift=0.36)


def _fixed(s):
    s.box((-1.0, -0.4), 0.95, 0.75)
    s.box((-0.05, -0.25), 1.05, 0.45, ROD)
    for y in (-0.2, -0.08, 0.04):
        s.line((-0.15, y), (0.05, y + 0.12), width=1.0, z=8)


def ideal_joints():
    """The ideal joints, with what they leave free."""
    names = {
        "RevoluteJoint": _revolute, "SphericalJoint": _spherical,
        "CylindricalJoint": _cylindrical, "PrismaticJoint": _prismatic,
        "UniversalJoint": _universal, "PlanarJoint": _planar, "DistanceJoint": _distance,
        "FixedJoint": _fixed,
    }  # fmt: skip
    first = None
    for k, (name, drawn) in enumerate(names.items()):
        place = (k % 4 * 0.25, 0.5 - k // 4 * 0.5, 0.25, 0.5)
        s = Sketch(7.8, 3.6, (-1.3, 1.3, -1.15, 1.05), beside=first, place=place)
        first = first or s
        drawn(s)
        s.text((0, -1.02), name, size=9, white=False)
    return first


def rolling():
    """A leaning disc on a plane, a ball in a socket, a pinion on a rack."""
    disc = Sketch(7.8, 2.9, (-1.6, 1.9, -0.65, 2.3), place=(0, 0, 0.36, 1))
    lean = 18.0
    up, out = unit(90 - lean), unit(-lean)
    s = disc
    s.ground((-1.4, 0), (1.7, 0), 0.14, 0.16)
    contact = np.zeros(2)
    centre = contact + 1.05 * up
    s.polygon([contact, contact + 2.1 * up, contact + 2.1 * up + 0.13 * out, contact + 0.13 * out])
    s.centre_line(centre - 0.5 * out, centre + 1.15 * out, 5)
    s.arrow(centre, centre + 0.85 * out, None, INK, THIN, head=7)
    s.text(centre + 0.95 * out + (0.05, -0.15), r"$\mathbf{a}$")
    s.arrow(centre, contact, None, BLUE, 1.2, head=8)
    s.text((centre + contact) / 2 + (-0.2, 0.05), r"$\mathbf{p}$", BLUE)
    s.point(centre, "$O_j$", (-0.22, 0.12))
    s.arrow((-1.05, 0), (-1.05, 0.75), None, INK, THIN, head=7)
    s.text((-0.9, 0.72), r"$\mathbf{n}$")
    s.arrow(contact, contact + (0, 0.55), None)
    s.text((0.25, 0.3), "$N$", RED)
    s.arrow(contact, contact + (-0.6, 0), None)
    s.text((-0.62, 0.17), "$T$", RED)
    s.text((0.2, -0.5), "disc on a plane (side view)", size=9, white=False)
    s = Sketch(0, 0, (-1.7, 1.7, -1.5, 1.45), beside=disc, place=(0.36, 0, 0.3, 1))
    a = np.radians(np.linspace(180, 360, 80))
    s.line(*(1.3 * np.column_stack([np.cos(a), np.sin(a)])), width=1.6)
    u = unit(-50)
    ball = 0.85 * u
    s.circle(ball, 0.45)
    s.arrow((0, 0), ball, None, BLUE, 1.0, head=7)
    s.text(0.42 * u + (0.16, 0.08), "$S-R$", BLUE)
    s.arrow(ball, 1.3 * u, r"$\mathbf{p}$", BLUE, 1.2, head=8, off=(0.12, -0.1))
    s.point((0, 0), "$O_i$", (-0.18, 0.12))
    s.point(ball, "$O_j$", (-0.16, -0.1))
    s.line((0, 0), 1.3 * unit(200), color=BLUE, z=2)
    s.text(0.7 * unit(200) + (0, 0.14), "$S$", BLUE)
    s.text((0, -1.47), "ball in a socket", size=9, white=False)
    s = Sketch(0, 0, (-1.7, 1.9, -0.95, 2.0), beside=disc, place=(0.68, 0, 0.32, 1))
    s.box((-1.5, -0.35), 3.2, 0.35)
    teeth = [p for k in range(13) for p in ((-1.5 + k * 0.25, 0), (-1.44 + k * 0.25, 0.1),
             (-1.34 + k * 0.25, 0.1), (-1.28 + k * 0.25, 0))]  # fmt: skip
    s.line(*teeth, width=1.0, z=5)
    s.circle((0, 0.85), 0.8, "#f6dcc6")
    s.point((0, 0.85), "$O_j$", (-0.2, 0.1))
    s.dimension((0, 0.85), (0, 0.05), None)
    s.text((0.15, 0.45), "$R$", BLUE)
    s.angle((0, 0.85), 0.45, 100, 20, r"$\theta$", INK, off=0.17)
    s.arrow((0.4, -0.55), (1.2, -0.55), "$x$", INK, THIN, off=(0.13, 0), head=7)
    s.text((0.1, -0.85), "pinion on a rack", size=9, white=False)
    return disc


def sliding():
    """A point of a body on the centre line of a flexible beam."""
    s = Sketch(6.6, 2.8, (-0.3, 6.3, -0.9, 1.9))
    x = np.linspace(0, 6, 100)

    def line(x):
        return 0.55 * np.sin(0.55 * x)

    s.line(*zip(x, line(x), strict=True), color="#b9c2cc", width=7, z=2)
    s.line(*zip(x, line(x), strict=True), color=INK, width=0.8, style=(0, (9, 2.5, 1.5, 2.5)), z=3)
    for k in (0, 1.5, 3, 4.5, 6):
        s.point((k, line(k)), size=4)
    at = np.array([2.35, line(2.35)])
    slope = np.degrees(np.arctan(0.55 * 0.55 * np.cos(0.55 * at[0])))
    t, n = unit(slope), unit(slope + 90)
    for side in (0.13, -0.33):
        s.polygon([at + a * 0.42 * t + b * n for a, b in
                   ((-1, side), (1, side), (1, side + 0.2), (-1, side + 0.2))], ROD, 5)  # fmt: skip
    s.point(at, r"$\mathbf{r}_j=\mathbf{r}(s)$", (-0.1, -0.58))
    s.arrow(at, at + 1.25 * t, None, INK, THIN, head=7)
    s.text(at + 1.38 * t, r"$\mathbf{t}$")
    s.arrow(at, at + 1.1 * n, None, INK, THIN, head=7)
    s.text(at + 1.22 * n + (0.06, 0), r"$\mathbf{n}_1$")
    s.arrow(at, at - 0.0 * t + 0.8 * n, None)
    s.text(at + 0.7 * n + (0.24, 0.02), r"$\lambda_1$", RED)
    s.arrow(at, at - 0.9 * t, None)
    s.text(at - 0.95 * t + (-0.05, -0.22), "$T$", RED)
    offset = [(a, line(a) + 0.62) for a in np.linspace(0, 1.9, 40)]
    s.line(*offset, color=BLUE)
    s.arrow(offset[-3], offset[-1], None, BLUE, THIN, head=7)
    s.text((0.75, 1.08), "$s$", BLUE)
    s.text((5.2, 0.55), "beam, elements\nand their nodes", size=9, white=False)
    return s
