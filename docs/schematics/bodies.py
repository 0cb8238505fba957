"""Beams: the centre line with its directors, and the sections."""

import numpy as np
from matplotlib.patches import Ellipse

from .draw import BLUE, INK, RED, SOFT, STEEL, THIN, Sketch


def beam():
    """A beam: arc length, directors, a point of the section."""
    s = Sketch(7.2, 3.3, (-0.7, 6.9, -1.5, 2.05))
    x = np.linspace(0, 5.6, 80)
    y = 0.5 * np.sin(0.75 * x)
    normal = np.column_stack([-0.375 * np.cos(0.75 * x), np.ones_like(x)])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    line = np.column_stack([x, y])
    s.polygon([*(line + 0.26 * normal), *(line - 0.26 * normal)[::-1]], STEEL, 2, 1.2)
    s.line(*line, color=SOFT, width=0.8, style=(0, (9, 2.5, 1.5, 2.5)), z=4)
    k = 42
    at, n = line[k], normal[k]
    t = np.array([n[1], -n[0]])
    s.line(at - 0.26 * n, at + 0.26 * n, width=1.2, z=5)
    s.arrow(at, at + 0.95 * n, None, INK, 1.2, head=8)
    s.text(at + 1.05 * n + (-0.18, 0.05), r"$\mathbf{d}_2$")
    s.arrow(at, at + 0.9 * t, None, INK, 1.2, head=8)
    s.text(at + 1.0 * t + (0.12, 0.02), r"$\mathbf{t}$")
    s.out_of_page(at, r"$\mathbf{d}_3$", (-0.2, -0.42), 0.06)
    s.point(at)
    o = np.array([-0.4, -1.1])
    s.axis(o, o + (0.7, 0), "$x$", (0.1, 0))
    s.axis(o, o + (0, 0.7), "$y$", (0.12, 0))
    s.arrow(o, at, None, BLUE, THIN, head=7)
    s.text((1.55, -0.62), r"$\mathbf{r}(s)$", BLUE)
    arc = line[:k] + 0.55 * normal[:k]
    s.line(*arc, color=BLUE)
    s.arrow(arc[-4], arc[-1], None, BLUE, THIN, head=7)
    s.text(arc[18] + (0, 0.2), "$s$", BLUE)
    end = line[-1]
    s.arrow(end, end + (0.75, -0.1), None)
    s.text(end + (0.85, -0.12), "$N$", RED)
    s.arrow(end, end + 0.75 * normal[-1], None)
    s.text(end + 0.85 * normal[-1], "$Q_y$", RED)
    s.angle(end, 0.5, -75, -15, "$M_z$", RED, off=0.24)
    return s


def sections():
    """Beam sections and their sizes; the tangent points at the reader."""
    s = Sketch(8.5, 2.65, (-2.05, 9.7, -1.75, 1.55))
    places = (0.5, 2.95, 5.3, 7.9)
    names = ("Rectangle(width_y,\nheight_z)", "Ellipse(radius_y,\nradius_z)",
             "Circle(radius), Tube(\nouter_radius, inner_radius)",
             "IProfile(height_y, width_z,\nweb, flange)")  # fmt: skip
    for x, name in zip(places, names, strict=True):
        s.text((x, -1.5), name, size=8, white=False)
    s.box((0.0, -0.65), 1.0, 1.3)
    s.dimension((1.2, -0.65), (1.2, 0.65), None)
    s.text((1.62, -0.3), "width_y", BLUE, size=7)
    s.dimension((0.0, -0.85), (1.0, -0.85), None)
    s.text((0.5, -1.0), "height_z", BLUE, size=7)
    s.add(Ellipse((2.95, 0), 1.5, 0.9, facecolor=STEEL, edgecolor=INK, lw=1.6, zorder=4))
    s.annulus(np.array([5.3, 0.0]), 0.42, 0.68, STEEL, None)
    b, h, web, flange = 1.2, 1.6, 0.16, 0.2
    right = [(b / 2, h / 2), (b / 2, h / 2 - flange), (web / 2, h / 2 - flange)]
    right += [(z, -y) for z, y in right[::-1]]
    s.polygon(np.array(right + [(-z, y) for z, y in right[::-1]]) + (7.9, 0))
    s.dimension((8.7, -h / 2), (8.7, h / 2), None)
    s.text((9.0, -0.35), "height_y", BLUE, size=7)
    s.dimension((7.3, -1.0), (8.5, -1.0), None)
    s.text((7.9, -1.15), "width_z", BLUE, size=7)
    for x in places:
        s.axis((x, 0), (x, 1.25), "$y$", (0.14, 0))
        s.axis((x, 0), (x - 1.0, 0), "$z$", (-0.12, 0))
        s.out_of_page((x, 0), "", (0, 0), 0.06)
    s.text((-1.15, 1.1), r"$y$ along $\mathbf{d}_2$" "\n" r"$z$ along $\mathbf{d}_3$", size=8)
    return s


def section_matrices():
    """A section given by matrices: its axis off the centres, the six forces in their order."""
    s = Sketch(6.4, 3.0, (-2.6, 4.4, -1.6, 1.7))
    a = np.linspace(0, 2 * np.pi, 120)
    shape = np.column_stack([1.55 * np.cos(a) - 0.2, 0.62 * np.sin(a) * (1 - 0.25 * np.cos(a))])
    s.polygon(shape, STEEL, 2, 1.2)
    o = np.array([-0.95, 0.0])
    s.arrow(o, o + (1.9, 0), None, INK, 1.2, head=8)
    s.text(o + (2.05, 0.16), r"$\mathbf{d}_2$")
    s.arrow(o, o + (0, 1.25), None, INK, 1.2, head=8)
    s.text(o + (0.2, 1.3), r"$\mathbf{d}_3$")
    s.out_of_page(o, r"$\mathbf{n}$", (-0.22, -0.22), 0.07)
    centres = {
        "mass": ((0.1, 0.1), (0.45, 0.14)), "tension": ((-0.35, -0.2), (0.2, -0.2)),
        "shear": ((0.55, -0.2), (0.36, -0.14)),
    }  # fmt: skip
    for name, (at, off) in centres.items():
        s.point(at, color=BLUE)
        s.text(np.add(at, off), name, BLUE, size=8)
    rows = (
        r"1  shear along $\mathbf{d}_2$", r"2  shear along $\mathbf{d}_3$", "3  axial",
        r"4  bending about $\mathbf{d}_2$", r"5  bending about $\mathbf{d}_3$", "6  torsion",
    )  # fmt: skip
    for k, row in enumerate(rows):
        s.text((2.0, 1.25 - 0.45 * k), row, RED, ha="left", size=9, white=False)
    return s
