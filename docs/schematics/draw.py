"""Helpers for schematics: a drawing without axes and the parts of mechanisms.

Lengths are in drawing units and strokes in points, so that all schematics have the same weight.
Blue is for dimensions and angles, red for forces, black for bodies, axes and motion.
"""

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path as Curve
from matplotlib.patheffects import Normal, Stroke

INK, SOFT, BLUE, RED, GREEN = "#1d2430", "#7a8594", "#1f5fa8", "#c8102e", "#2f7d4f"
STEEL, BRASS, OIL, ROD, PALE = "#cfd6de", "#f0d9a3", "#dcebf7", "#f6dcc6", "#eef1f4"
HATCH = "#b08d3c"
HEAVY, THIN = 1.6, 0.8
DASHES = (0, (9, 2.5, 1.5, 2.5))
#: glyphs as outlines, since readers may lack the fonts; the same file from the same drawing
STYLE = {
    "font.size": 10, "mathtext.fontset": "cm", "svg.fonttype": "path", "hatch.linewidth": 0.6,
    "svg.hashsalt": "fem_clearance", "path.simplify": False,
}  # fmt: skip


def unit(degrees):
    """Unit vector at an angle."""
    a = np.radians(degrees)
    return np.array([np.cos(a), np.sin(a)])


class Sketch:
    """A drawing without axes, with equal scales.

    Args:
        width, height: inches.
        box: x0, x1, y0, y1 in drawing units.
        beside, place: another drawing in whose figure this one lies, and where (left, bottom,
            width, height, as parts of the figure).
    """

    def __init__(self, width, height, box, beside=None, place=(0, 0, 1, 1)):
        if beside:
            self.figure = beside.figure
        else:
            self.figure = Figure(figsize=(width, height))
            FigureCanvasAgg(self.figure)
        self.ax = self.figure.add_axes(place)
        self.ax.set(xlim=box[:2], ylim=box[2:], aspect="equal")
        self.ax.set_axis_off()

    def add(self, patch):
        self.ax.add_patch(patch)
        return patch

    def save(self, target):
        """Write the drawing; the ending of the name says in which format."""
        with matplotlib.rc_context(STYLE):
            metadata = {"Date": None} if str(target).endswith("svg") else None
            self.figure.savefig(target, dpi=110, facecolor="white", metadata=metadata)

    # lines and words
    def line(self, *points, color=INK, width=THIN, style="-", z=3):
        x = np.array(points, float)
        self.ax.plot(*x.T, color=color, lw=width, ls=style, zorder=z, solid_capstyle="round")

    def centre_line(self, a, b, z=2):
        self.line(a, b, color=SOFT, width=0.7, style=DASHES, z=z)

    def text(self, at, words, color=INK, ha="center", va="center", white=True, size=None):
        halo = [Stroke(linewidth=2.6, foreground="white"), Normal()] if white else None
        self.ax.text(
            *at, words, color=color, ha=ha, va=va, zorder=12, path_effects=halo, fontsize=size
        )

    def arrow(
        self, a, b, label=None, color=RED, width=HEAVY, where=1.0, off=(0, 0), head=9,
        both=False, z=9,
    ):  # fmt: skip
        """From a to b; the label lies at the part ``where`` of it, shifted by ``off``."""
        a, b = np.asarray(a, float), np.asarray(b, float)
        style = f"{'<|-|>' if both else '-|>'},head_length=.55,head_width=.22"
        self.add(
            FancyArrowPatch(
                a, b, arrowstyle=style, mutation_scale=head, lw=width, color=color, shrinkA=0,
                shrinkB=0, zorder=z, joinstyle="miter",
            )
        )  # fmt: skip
        if label:
            self.text(a + where * (b - a) + off, label, color)

    def axis(self, a, b, label, off):
        """An axis of coordinates."""
        self.arrow(a, b, label, INK, THIN, off=off, head=7)

    def out_of_page(self, at, label, off, size=0.07):
        """An axis that points to the reader."""
        self.add(Circle(at, size, facecolor="white", edgecolor=INK, lw=THIN, zorder=9))
        self.point(at, size=2.0)
        self.text(np.asarray(at) + off, label)

    def dimension(self, a, b, label, shift=0.0, where=0.5, off=(0, 0), color=BLUE):
        """Distance from a to b, drawn ``shift`` to the left of the path, with extension lines."""
        a, b = np.asarray(a, float), np.asarray(b, float)
        n = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a)) * shift
        if shift:
            for p in (a, b):
                self.line(p, p + 1.06 * n, color=color, width=0.6)
        self.arrow(a + n, b + n, label, color, THIN, where, off, head=7, both=True)

    def angle(self, centre, radius, first, last, label, color=BLUE, arrow=True, off=0.0, where=0.5):
        """An arc from ``first`` to ``last`` (degrees) with a head at its end."""
        a = np.radians(np.linspace(first, last, 60))
        x = np.asarray(centre) + radius * np.column_stack([np.cos(a), np.sin(a)])
        width, head = (THIN, 7) if color == BLUE else (HEAVY, 9)
        self.line(*x[:-2] if arrow else x, color=color, width=width, z=9)
        if arrow:
            self.arrow(x[-4], x[-1], None, color, width, head=head)
        if label:
            middle = unit(first + where * (last - first))
            self.text(np.asarray(centre) + (radius + off) * middle, label, color)

    def point(self, at, label=None, off=(0, 0), size=3.2, color=INK):
        self.ax.plot(*at, "o", ms=size, color=color, zorder=10)
        if label:
            self.text(np.asarray(at) + off, label, color)

    def cross(self, at, size):
        x, y = at
        self.centre_line((x - size, y), (x + size, y))
        self.centre_line((x, y - size), (x, y + size))

    # shapes
    def polygon(self, points, color=STEEL, z=4, width=HEAVY, **more):
        return self.add(
            Polygon(points, closed=True, facecolor=color, edgecolor=INK, lw=width, zorder=z, **more)
        )

    def circle(self, centre, radius, color=STEEL, z=4, width=HEAVY):
        return self.add(Circle(centre, radius, facecolor=color, edgecolor=INK, lw=width, zorder=z))

    def box(self, corner, width, height, color=STEEL, z=4, hatch=None):
        """A rectangle; ``hatch`` for material that is cut."""
        if hatch:
            self.add(
                Rectangle(corner, width, height, facecolor=color, edgecolor=HATCH, hatch=hatch,
                          lw=0, zorder=z)
            )  # fmt: skip
        face = "none" if hatch else color
        return self.add(
            Rectangle(corner, width, height, facecolor=face, edgecolor=INK, lw=HEAVY, zorder=z)
        )

    def block(self, at, size, turn=0.0, color=STEEL, z=4):
        """A turned rectangle; its corners."""
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size) / 2
        corners = half @ np.array([[c, s], [-s, c]]) + at
        self.polygon(corners, color, z)
        return corners

    def annulus(self, centre, inner, outer, color=BRASS, hatch="////", z=1, fill="white"):
        """The section of a bearing; ``fill`` is what lies in the bore."""
        a = np.linspace(0, 2 * np.pi, 181)
        ring = np.column_stack([np.cos(a), np.sin(a)])
        path = Curve.make_compound_path(
            Curve(centre + outer * ring), Curve(centre + inner * ring[::-1])
        )
        self.add(PathPatch(path, facecolor=color, edgecolor=HATCH, hatch=hatch, lw=0, zorder=z))
        self.add(Circle(centre, inner, facecolor=fill, lw=0, zorder=z))
        for r in (inner, outer):
            self.add(Circle(centre, r, fill=False, edgecolor=INK, lw=HEAVY, zorder=z + 0.2))

    def bore_and_journal(self, centre, bore, journal, e, attitude, wall=0.3, z=1, fill="white"):
        """Section of a bearing; e: eccentricity, attitude: its direction (degrees). Returns the
        journal's centre."""
        centre = np.asarray(centre, float)
        self.annulus(centre, bore, bore + wall, z=z, fill=fill)
        at = centre + e * unit(attitude)
        self.circle(at, journal, z=z + 0.4)
        return at

    # parts of mechanisms
    def ground(self, a, b, depth=0.12, pitch=0.14):
        """A line from a to b, hatched on its right."""
        a, b = np.asarray(a, float), np.asarray(b, float)
        along = (b - a) / np.hypot(*(b - a))
        right = np.array([along[1], -along[0]])
        self.line(a, b, width=HEAVY)
        for s in np.arange(pitch, np.hypot(*(b - a)) + 1e-9, pitch):
            p = a + s * along
            self.line(p, p + depth * (right - 0.8 * along), width=THIN)

    def pin(self, at, radius):
        self.circle(at, radius, "white", z=7)

    def pivot(self, at, size=0.3):
        """A pin on the ground."""
        x, y = at
        corners = [(x, y), (x - 0.6 * size, y - size), (x + 0.6 * size, y - size)]
        self.polygon(corners, "white", 5)
        self.ground((x - size, y - size), (x + size, y - size), 0.35 * size, 0.33 * size)
        self.pin(at, 0.22 * size)

    def link(self, a, b, width=0.16, color=STEEL, z=4):
        """A bar with round ends."""
        a, b = np.asarray(a, float), np.asarray(b, float)
        t = np.degrees(np.arctan2(*(b - a)[::-1]))
        ends = [a + width * unit(h + t) for h in np.linspace(90, 270, 30)]
        ends += [b + width * unit(h + t) for h in np.linspace(-90, 90, 30)]
        self.polygon(ends, color, z)

    def spring(self, a, b, coils=6, width=0.1, color=INK):
        a, b = np.asarray(a, float), np.asarray(b, float)
        side = width * np.array([0, 1, 0, -1] * coils + [0])
        t = np.linspace(0.15, 0.85, 4 * coils + 1)
        n = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a))
        points = a + t[:, None] * (b - a) + side[:, None] * n
        self.line(a, *points, b, color=color, width=1.1)

    def damper(self, a, b, width=0.1, color=INK):
        a, b = np.asarray(a, float), np.asarray(b, float)
        n = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a)) * width

        def p(s, w=0.0):
            return a + s * (b - a) + w * n

        self.line(a, p(0.42), color=color, width=1.1)
        self.line(p(0.66, 1), p(0.42, 1), p(0.42, -1), p(0.66, -1), color=color, width=1.1)
        self.line(p(0.56, 0.8), p(0.56, -0.8), color=color, width=1.8)
        self.line(p(0.56), b, color=color, width=1.1)
