"""Oil films: a journal bearing, rupture and reformation, an elastic liner, a spherical film."""

import numpy as np

from .draw import BLUE, BRASS, GREEN, INK, OIL, RED, SOFT, STEEL, THIN, Sketch, unit

#: place of the pressure dam among the lobed bearings
DAM = (3.6, -3.7)


def journal_bearing():
    """Section of a lubricated bearing: load, attitude, film thickness, pressure."""
    s = Sketch(6.2, 4.4, (-2.5, 3.0, -2.15, 1.95))
    bore, journal, e, place = 1.3, 1.0, 0.19, -48.0
    o, n = np.zeros(2), unit(place)
    j = s.bore_and_journal(o, bore, journal, e, place, wall=0.22, fill=OIL)
    s.axis(o, (2.0, 0), "1", (0.1, 0))
    s.axis(o, (0, 1.85), "2", (0.12, 0))
    s.out_of_page(o, "", (0, 0), 0.06)
    s.text((-0.2, -0.06), "$O_i$")
    s.point(j, "$O_j$", (-0.12, -0.17))
    s.line(o, j, color=BLUE, width=2.2, z=10)
    s.centre_line(o - 0.9 * n, o + 1.85 * n, 6)
    s.text(o + 0.5 * (j - o) + (0.15, 0.05), r"$\mathbf{e}$", BLUE)
    s.arrow(j + (0, -0.02), j + (0, -0.95), None)
    s.text(j + (-0.2, -0.75), "$W$", RED)
    s.angle(j, 0.6, -90, place, r"$\beta$", off=0.14)
    s.angle(j, 0.72, 95, 165, r"$\omega$", INK, off=-0.17)
    theta = 38.0
    d = unit(theta)
    along = d @ (j - o) + np.sqrt(journal**2 - (j - o) @ (j - o) + (d @ (j - o)) ** 2)
    s.line(o, along * d, color=SOFT, width=0.6, style="--", z=6)
    s.dimension(along * d, bore * d, None)
    s.text(1.72 * d + (0.1, 0), r"$h(\theta)$", BLUE)
    s.line(1.3 * d, 1.58 * d, color=BLUE, width=0.6)
    s.angle(o, 0.55, 0, theta, r"$\theta$", off=0.14)
    phi = np.radians(np.linspace(0, 175, 70)) + np.radians(place - 172)
    gap = 0.3 - e * np.cos(phi - np.radians(place))
    p = np.maximum(0, -np.sin(phi - np.radians(place))) / gap**2  # Sommerfeld's, in its manner
    p = 0.55 * p / p.max()
    r = 1.3 + 0.22 + p
    curve = np.column_stack([r * np.cos(phi), r * np.sin(phi)])
    s.line(*curve, color=RED, width=1.3)
    for k in range(12, 70, 8):
        foot = 1.53 * np.array([np.cos(phi[k]), np.sin(phi[k])])
        s.arrow(curve[k], foot, None, RED, 0.7, head=5)
    s.text((-0.55, -2.0), "$p$", RED)
    s.text((1.7, -1.9), r"$c=R_i-R_j,\quad \varepsilon=e/c$", white=False)
    return s


def lobed_bearing():
    """Displaced lobes, two and three; offset halves; a pressure dam."""
    s = Sketch(4.7, 4.95, (-1.75, 5.35, -5.6, 1.85))
    bore, journal, shift, wall = 1.25, 0.86, 0.2, 0.22
    lobes = {  # place of the bearing: middle of each lobe, its arc, and its centre
        (0.0, 0.0): [(k, 156, -shift * unit(k)) for k in (90, 270)],
        (3.6, 0.0): [(k, 98, -shift * unit(k)) for k in (30, 150, 270)],
        (0.0, -3.7): [(90, 156, (shift, 0)), (270, 156, (-shift, 0))],
        DAM: [(90, 156, (0, 0)), (270, 156, (0, 0))],
    }
    for place, arcs in lobes.items():
        o = np.array(place)
        for middle, arc, centre in arcs:
            at, a = o + centre, np.radians(middle + np.linspace(-arc / 2, arc / 2, 60))
            ring = np.column_stack([np.cos(a), np.sin(a)])
            inner = np.full((60, 1), bore)
            if place == DAM and middle == 90:
                inner[a < np.radians(130)] += 0.14
            s.polygon([*(at + inner * ring), *(at + (bore + wall) * ring)[::-1]], STEEL, 3)
            if np.any(centre):
                s.point(at, color=BLUE)
        s.circle(o, journal, z=3.4)
        s.point(o)
        s.angle(o, 0.6, 20, 90, None, INK)
        s.text(o + 0.4 * unit(55), r"$\omega$")
    s.dimension((0, 0), (0, shift), None)
    s.text((-0.3, 0.12), r"$m\,c$", BLUE)
    step = DAM + 1.32 * unit(130)
    s.text(step + (-0.45, 0.5), "step")
    s.line(step + (-0.4, 0.32), step, color=SOFT, width=0.7, z=11)
    s.text(np.add(DAM, (0.3, 1.07)), "pocket")
    names = ("elliptical", "three lobes", "offset halves", "pressure dam")
    for place, name in zip(lobes, names, strict=True):
        s.text(place + np.array([0, -1.75]), name, white=False)
    return s


def hydrostatic():
    """A recess between two lands, fed through a restrictor, and its pressure."""
    s = Sketch(6.4, 4.2, (-3.3, 3.3, -2.45, 2.0))
    half, recess, low, gap, deep = 2.4, 1.1, -0.55, 0.16, 0.3
    s.polygon([(-half, 0), (half, 0), (half, 0.55), (-half, 0.55)], STEEL, 3)
    floor = low + gap + 0.22
    body = [(-half, floor - 1.0), (half, floor - 1.0), (half, floor), (recess, floor)]
    body += [(recess, floor - deep), (-recess, floor - deep), (-recess, floor), (-half, floor)]
    oil = [(-half, 0), (half, 0), (half, floor), (recess, floor), (recess, floor - deep)]
    oil += [(-recess, floor - deep), (-recess, floor), (-half, floor)]
    s.polygon(oil, OIL, 1, 0)
    s.polygon(body, STEEL, 3)
    s.polygon([(-0.1, floor - 1.0), (0.1, floor - 1.0), (0.1, floor - deep), (-0.1, floor - deep)],
              OIL, 4)  # fmt: skip
    s.polygon([(-0.3, floor - 1.0), (0.3, floor - 1.0), (0.3, floor - 1.35), (-0.3, floor - 1.35)],
              BRASS, 3)  # fmt: skip
    s.arrow((0, floor - 2.0), (0, floor - 1.38), None, INK)
    s.text((0.27, floor - 1.8), "$p_s$")
    s.text((0.75, floor - 1.18), r"$R,\ Q$")
    s.text((0, floor / 2 - 0.13), "$p_r$", RED, white=False)
    s.line((half, 0), (half + 0.3, 0), color=BLUE, width=0.6)
    s.line((half, floor), (half + 0.3, floor), color=BLUE, width=0.6)
    s.arrow((half + 0.22, 0.36), (half + 0.22, 0), None, BLUE, THIN, head=7)
    s.arrow((half + 0.22, floor - 0.36), (half + 0.22, floor), None, BLUE, THIN, head=7)
    s.text((half + 0.4, 0.27), "$h$", BLUE)
    p = [(-half, 0.8), (-recess, 1.6), (recess, 1.6), (half, 0.8)]
    s.line(*p, color=RED, width=1.4)
    s.line((-half, 0.8), (half, 0.8), color=SOFT, width=0.7)
    s.text((0, 1.78), "$p$", RED)
    s.arrow((-half - 0.1, floor / 2), (-half - 0.7, floor / 2), None, INK)
    s.arrow((half + 0.3, floor / 2), (half + 0.9, floor / 2), None, INK)
    return s


def thrust_pads():
    """Sector pads round an axis, and a tapered, a stepped and a pivoted pad under the collar."""
    s = Sketch(4.7, 4.55, (-1.6, 3.9, -3.4, 1.9))
    hub = np.array([0.0, 0.4])
    for k in range(6):
        a = np.radians(np.linspace(60 * k + 6, 60 * k + 54, 40))
        ring = np.column_stack([np.cos(a), np.sin(a)])
        s.polygon([*(hub + 0.75 * ring), *(hub + 1.45 * ring)[::-1]], STEEL, 3)
    s.point(hub)
    s.angle(hub, 0.45, 80, 170, None, INK)
    s.text(hub + 0.27 * unit(125), r"$\omega$")
    s.line(hub, hub + 0.75 * unit(30), color=SOFT, width=0.7)
    s.line(hub, hub + 1.45 * unit(-30), color=SOFT, width=0.7)
    s.text(hub + 0.5 * unit(46), "inner")
    s.text(hub + 1.08 * unit(-30) + (0.02, 0.16), "outer")
    low, high = -0.7, 0.2
    pads = {  # place of the foot's left end: the pad's name and shape above it
        (2.05, 0.6): ("tapered", [(0, -0.25), (1.1, high), (1.4, high), (1.4, low), (0, low)]),
        (-0.7, -2.2): ("stepped", [(0, -0.1), (1.0, -0.1), (1.0, high), (1.4, high), (1.4, low),
                                    (0, low)]),
        (2.05, -2.2): ("pivoted", [(0, -0.2), (1.4, high), (1.5, -0.15), (0.1, -0.55)]),
    }  # fmt: skip
    for place, (name, pad) in pads.items():
        o = np.array(place)
        s.box(o + (0, 0.35), 1.4, 0.4, z=3)
        s.arrow(o + (0.35, 0.93), o + (1.05, 0.93), None, INK)
        s.text(o + (1.22, 0.93), "$U$")
        s.polygon(o + pad, STEEL, 3)
        s.ground(o + (0, low), o + (1.4, low), 0.16, 0.18)
        s.text(o + (0.7, -1.08), name, white=False)
        for y, way in ((0.35, 0.36), (high, -0.36)):
            s.line(o + (1.4, y), o + (1.68, y), color=BLUE, width=0.6)
            s.arrow(o + (1.6, y + way), o + (1.6, y), None, BLUE, THIN, head=7)
        s.text(o + (1.64, 0.86), "$h$", BLUE)
    s.polygon(o + [(0.93, -0.32), (0.73, low), (1.13, low)], BRASS, 3)
    return s


def tilting_pad():
    """A pad on its pivot: tilt, deflection, centre of curvature."""
    s = Sketch(5.2, 4.6, (-2.4, 2.1, -2.7, 1.35))
    o, arm, shift, tilt = np.zeros(2), 2.15, 0.22, np.radians(-4)
    pivot = np.array([0.0, -arm])
    design = o + (0, shift)
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    centre = pivot + turn @ (design - pivot)
    a = np.radians(np.linspace(235, 305, 60))
    ring = np.column_stack([np.cos(a), np.sin(a)])
    s.polygon([*(centre + 1.72 * ring @ turn.T), *(centre + 2.36 * ring @ turn.T)[::-1]], STEEL, 3)
    j = np.array([0.3, -0.1])
    s.circle(j, 1.25, z=3.4)
    s.polygon([pivot, pivot + (-0.18, -0.3), pivot + (0.18, -0.3)], BRASS, 3)
    s.ground((-0.6, -arm - 0.3), (0.6, -arm - 0.3), 0.16, 0.18)
    s.point(o, "$O$", (-0.16, -0.02))
    s.point(j, "$O_j$", (0.05, -0.2))
    s.line(o, j, color=BLUE, width=2.2, z=10)
    s.point(centre, color=BLUE)
    s.line(centre, pivot, color=SOFT, width=0.7, style="--", z=6)
    s.dimension(pivot, centre, "$A$", shift=1.7)
    s.arrow(o, (0, -0.75), None, INK)
    s.text((-0.16, -0.7), r"$\mathbf{u}$")
    s.arrow(o, (0.75, 0), None, INK)
    s.text((0.7, -0.16), r"$\mathbf{q}$")
    s.text(pivot + (0.55, -0.08), r"$\delta,\ y$", BLUE)
    s.angle(j, 0.9, 40, 110, r"$\omega$", INK, off=-0.17)
    return s


def cavitation():
    """A film that breaks, carries its lubricant on and forms again."""
    s = Sketch(7.6, 3.4, (-0.4, 7.6, -1.5, 2.05))
    x = np.linspace(0, 7, 141)
    h = 0.75 - 0.42 * np.cos(2 * np.pi * (x - 2.2) / 7)
    s.polygon([(0, -0.6), *zip(x, h - 0.6, strict=True), (7, -0.6)], OIL, 1, 0)
    broken, again = 3.1, 6.1
    inside = (x > broken) & (x < again)
    filled = h[np.searchsorted(x, broken)]
    top = zip(x[inside], h[inside] - 0.6, strict=True)
    void = [(broken, filled - 0.6), *top, (again, h[x >= again][0] - 0.6), (again, filled - 0.6)]
    s.polygon(void, "white", 2, 0.8)
    s.line(*zip(x, h - 0.6, strict=True), width=1.6)
    s.ground((0, -0.6), (7, -0.6), 0.16, 0.18)
    s.arrow((0.4, -1.05), (1.7, -1.05), None, INK)
    s.text((1.95, -1.05), r"$\mathbf{U}$")
    p = np.where(x < broken, np.sin(np.pi * np.clip(x / broken, 0, 1)) ** 1.5, 0)
    p += np.where(x > again, 0.35 * np.sin(np.pi * np.clip((x - again) / 1.8, 0, 1)), 0)
    s.line(*zip(x, 1.0 + 0.85 * p, strict=True), color=RED, width=1.4)
    s.line((0, 1.0), (7, 1.0), color=SOFT, width=0.7)
    s.text((1.1, 1.55), "$p$", RED)
    s.dimension((5.0, filled - 0.6), (5.0, h[100] - 0.6), "$g$")
    s.dimension((4.45, -0.6), (4.45, h[89] - 0.6), "$h$", where=0.5)
    for place, word in ((broken, "rupture"), (again, "reformation")):
        s.line((place, -0.6), (place, 1.15), color=SOFT, width=0.8, style="--", z=6)
        s.text((place, 1.28), word, size=9, white=False)
    s.text((1.2, -0.3), r"full film: $g=0$", size=9, white=False)
    s.text((4.0, 0.78), "$p=0$, $g>0$", size=9, white=False)
    return s


def elastic_liner():
    """An elastic liner in its housing: displacement of the bore, film thickness."""
    s = Sketch(5.6, 4.0, (-2.3, 2.7, -1.85, 1.75))
    bore, rim, journal, e, place = 1.05, 1.5, 0.92, 0.16, -60.0
    o, n = np.zeros(2), unit(place)
    a = np.linspace(0, 2 * np.pi, 241)
    ring = np.column_stack([np.cos(a), np.sin(a)])
    s.circle(o, 1.68, "#b9c2cc", 1)
    s.circle(o, rim, BRASS, 2, 1.2)
    u = 0.17 * np.exp(-(((a - np.radians(300)) / 0.55) ** 2))
    s.polygon((bore + u)[:, None] * ring, OIL, 3)
    s.line(*(bore * ring), color=BLUE, width=0.8, style="--", z=4)
    j = o + e * n
    s.circle(j, journal, STEEL, 5)
    s.point(o, "$O_i$", (-0.2, 0.05))
    s.point(j, "$O_j$", (-0.2, -0.06))
    s.line(o, j, color=BLUE, width=2.0, z=10)
    s.text(j / 2 + (0.14, 0.03), r"$\mathbf{e}$", BLUE)
    s.centre_line(-0.6 * n, 1.9 * n, 6)
    s.dimension(bore * n, (bore + 0.17) * n, None)
    s.text(1.14 * n + (0.34, -0.02), r"$\mathbf{u}\cdot\mathbf{n}$", BLUE)
    s.arrow(1.5 * n, 1.8 * n, None, INK, THIN, head=7)
    s.text(1.83 * n + (0.16, 0.0), r"$\mathbf{n}$")
    for d in np.linspace(268, 332, 6):
        size = 0.3 * np.exp(-(((np.radians(d) - np.radians(300)) / 0.5) ** 2)) + 0.08
        q = (bore + 0.17) * unit(d)
        s.arrow(q - size * unit(d), q, None, RED, 0.9, head=5, z=11)
    s.text((0.95, -0.35), "$p$", RED)
    s.text((1.95, 1.2), "housing", size=9, white=False)
    s.line((1.6, 1.12), (1.25, 1.02), color=SOFT, width=0.7, z=9)
    s.text((2.15, 0.55), "liner", size=9, white=False)
    s.line((1.85, 0.55), (1.3, 0.4), color=SOFT, width=0.7, z=9)
    s.text((0.1, -1.78), "dashed: undeformed bore", size=9, white=False)
    return s


def spherical_film():
    """A ball that approaches its socket: the hemisphere of the squeeze film."""
    s = Sketch(5.0, 3.9, (-2.2, 2.3, -1.75, 1.75))
    place, e = -55.0, 0.2
    o, n = np.zeros(2), unit(place)
    j = s.bore_and_journal(o, 1.2, 0.93, e, place, fill=OIL)
    t = unit(place + 90)
    s.centre_line(-1.0 * n, 1.7 * n, 6)
    s.line(-1.2 * t, 1.2 * t, color=GREEN, width=1.2, style="--", z=6)
    s.text(1.2 * t + (0.42, 0.2), "edge: $p=0$", GREEN, size=9)
    s.point(o, "$O_i$", (-0.18, 0.12))
    s.point(j, "$O_j$", (-0.2, -0.1))
    s.arrow(j, j + 0.55 * n, None, INK)
    s.text(j + 0.5 * n + (0.2, 0.05), r"$\dot{e}$")
    s.arrow(j, j - 0.8 * n, None)
    s.text(j - 0.8 * n + (-0.16, 0.08), "$F$", RED)
    s.angle(o, 0.5, place, place + 50, r"$\theta$", off=0.14)
    d = unit(place + 50)
    along = d @ (j - o) + np.sqrt(0.93**2 - e**2 + (d @ (j - o)) ** 2)
    s.dimension(along * d, 1.2 * d, None)
    s.line(o, along * d, color=SOFT, width=0.6, style="--", z=6)
    s.line(1.2 * d, 1.62 * d, color=BLUE, width=0.6)
    s.text(1.85 * d + (0.05, 0), r"$h=c-e\cos\theta$", BLUE, size=9)
    return s


def transition():
    """Film thickness over the distance of the surfaces, and who carries the load."""
    s = Sketch(6.4, 2.9, (-1.55, 3.3, -0.75, 1.85))
    s.axis((-1.4, 0), (3.1, 0), "$d$", (0.1, 0))
    s.axis((0, -0.1), (0, 1.75), "$h$", (0.13, 0))
    b = 1.2
    d = np.linspace(0, b, 60)
    s.line((-1.3, b / 2), (0, b / 2), *zip(d, b / 2 * (1 + (d / b) ** 2), strict=True),
           color=BLUE, width=1.8)  # fmt: skip
    s.line((b, b), (1.7, 1.7), color=BLUE, width=1.8)
    s.line((0, 0), (b, b), color=SOFT, width=0.7, style="--")
    s.line((b, 0), (b, b), color=SOFT, width=0.7, style="--")
    s.dimension((0, -0.18), (b, -0.18), "$b$")
    s.text((-0.2, b / 2 + 0.17), "$b/2$")
    s.text((-0.75, -0.48), "surfaces overlap:\ndry contact acts", size=8, white=False)
    s.text((0.6, -0.52), "transition: pressure\nacts by d$h$/d$d$", size=8, white=False)
    s.text((2.2, -0.48), "full film:\n$h=d$", size=8, white=False)
    return s


def port():
    """The port between film and bodies: what is read and what is handed over."""
    s = Sketch(7.4, 2.2, (0, 7.4, -1.05, 1.15))
    boxes = (
        (0.1, "bodies $i$, $j$\npositions\nvelocities"),
        (2.85, "port"),
        (5.5, "film\n$p$ at nodes"),
    )
    for x, words in boxes:
        s.box((x, -0.5), 1.75, 1.0, "#eef1f4")
        s.text((x + 0.88, 0), words, size=9, white=False)
    s.arrow((1.85, 0.28), (2.85, 0.28), None, INK, THIN, head=7)
    s.text(
        (2.35, 0.72), r"$\mathbf{e},\ \mathbf{t}$" "\n" r"$\mathbf{V},\ \mathbf{\Omega}$", size=10
    )
    s.arrow((4.6, 0.28), (5.5, 0.28), None, INK, THIN, head=7)
    s.text((5.05, 0.72), "eleven\nnumbers", size=8, white=False)
    s.arrow((2.85, -0.28), (1.85, -0.28), None)
    s.text((2.35, -0.72), r"$\pm\mathbf{F}$", RED)
    s.arrow((5.5, -0.28), (4.6, -0.28), None)
    s.text((5.05, -0.72), r"$\partial L/\partial\mathbf{W}$", RED)
    return s
