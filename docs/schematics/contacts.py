"""Clearance joints: a journal in a bearing, a ball in a socket, a collar."""

import numpy as np

from .draw import BLUE, BRASS, INK, RED, SOFT, STEEL, THIN, Sketch, unit


def _section(s, bore, journal, e, attitude, names=("i", "j")):
    """A journal in a bearing at the origin: axes, centres, eccentricity, attitude, radii."""
    o, n = np.zeros(2), unit(attitude)
    j = s.bore_and_journal(o, bore, journal, e, attitude)
    s.axis(o, (1.7 * bore, 0), "$x$", (0.12, 0))
    s.axis(o, (0, 1.55 * bore), "$y$", (0.13, 0))
    s.centre_line(o - 0.75 * n, o + 1.55 * bore * n)
    s.line(o, j, color=BLUE, width=2.2, z=9)
    up = attitude > 0
    s.point(o, f"$O_{names[0]}$", (-0.19, 0.12) if up else (-0.21, -0.1))
    s.point(j, f"$O_{names[1]}$", (0.17, 0.06) if up else (-0.06, -0.19))
    s.text((o + j) / 2 + ((-0.02, 0.13) if up else (0.14, 0)), "$e$", BLUE)
    s.angle(o, 0.62, 0, attitude, r"$\varphi$", off=0.14)
    for centre, r, degrees, label in (
        (o, bore, 152, f"$R_{names[0]}$"), (j, journal, 285 if up else 205, f"$R_{names[1]}$")
    ):  # fmt: skip
        p = centre + r * unit(degrees)
        s.arrow(centre, p, None, BLUE, THIN, head=7)
        s.text(centre + 0.62 * (p - centre), label, BLUE)
    return j, n


def revolute():
    """The section of a revolute joint with clearance, free and in contact."""
    free = Sketch(7.6, 3.9, (-1.95, 2.25, -1.95, 2.05), place=(0, 0, 0.5, 1))
    touching = Sketch(0, 0, (-1.95, 2.25, -1.95, 2.05), beside=free, place=(0.5, 0, 0.5, 1))
    j, n = _section(free, 1.2, 0.9, 0.19, 38)
    free.dimension(j + 0.9 * n, 1.2 * n, None)
    free.text(1.34 * n + (0.12, 0.0), r"$c-e$", BLUE)
    free.angle(j, 0.5, 165, 245, r"$\omega_j$", INK, off=0.15)
    free.text((0.1, -1.82), r"free: $e<c=R_i-R_j$", white=False)
    s, o = touching, np.zeros(2)
    n, t = unit(38), unit(128)
    j = s.bore_and_journal(o, 1.2, 0.9, 0.44, 38)
    s.centre_line(-0.7 * n, 1.75 * n)
    s.point(o, "$O_i$", (-0.12, -0.16))
    s.point(j, "$O_j$", (0.05, -0.19))
    s.arrow(o, j, None, BLUE, 1.4, head=8)
    s.text(j / 2 + (-0.08, 0.13), r"$\mathbf{e}$", BLUE)
    at = 1.27 * n
    s.arrow(at, at - 0.62 * n, None)
    s.text(at - 0.36 * n - 0.17 * t, "$F_n$", RED)
    s.arrow(at, at - 0.5 * t, None)
    s.text(at - 0.5 * t + (-0.16, 0.0), "$F_t$", RED)
    s.arrow(at, at + 0.45 * t, None, INK, THIN, head=7)
    s.text(at + 0.6 * t, r"$v_t$")
    for r in (1.2, 1.34):
        s.line(r * n, r * n - 0.95 * t, color=BLUE, width=0.6, z=9)
    s.dimension(1.2 * n - 0.9 * t, 1.34 * n - 0.9 * t, None)
    s.text(1.27 * n - 1.08 * t, r"$\delta$", BLUE)
    s.arrow(1.5 * n, 1.95 * n, None, INK, THIN, head=7)
    s.text(1.95 * n + (0.14, 0.05), r"$\mathbf{n}$")
    s.text((0.1, -1.82), r"in contact: $\delta=e-c>0$; forces on $j$", white=False)
    return free


def cylindrical():
    """Section and side view of a cylindrical joint with clearance, stations and a collar."""
    s = Sketch(7.6, 3.7, (-1.75, 6.0, -1.85, 1.95))
    bore, journal = 1.15, 0.85
    _section(s, bore, journal, 0.235, -52)
    x0, half, wall, reach = 4.05, 1.05, 0.3, 1.6
    for y in (bore, -bore - wall):
        s.box((x0 - half, y), 2 * half, wall, BRASS, 4, "////")
    tilt = 6.4
    turn = np.array([unit(tilt), unit(tilt + 90)])
    middle = np.array([x0, -0.185])
    shape = np.array([(-reach, -journal), (reach, -journal), (reach, journal), (-reach, journal)])
    s.polygon(shape @ turn + middle, STEEL, 3)
    s.centre_line((x0 - 1.72, 0), (x0 + 1.82, 0), 5)
    axis = unit(tilt)
    s.centre_line(middle - 1.72 * axis, middle + 1.78 * axis, 5)
    s.dimension((x0 - half, bore + wall), (x0 + half, bore + wall), "$L$", shift=0.2)
    s.line(middle, middle + (1.45, 0), color=SOFT, width=0.6, style="--", z=6)
    s.angle(middle, 1.25, 0, tilt, None, arrow=False)
    s.text(middle + (1.42, 0.09), r"$\gamma$", BLUE)
    s.dimension((x0, 0), middle, None)
    s.text((x0 - 0.19, -0.09), "$e_y$", BLUE)
    s.text((x0 + 1.92, 0), "$z$", white=False)
    s.text((x0 - 0.55, bore + 0.15), "bearing $i$", size=9)
    s.text((x0 + 0.1, 0.45), "journal $j$", size=9, white=False)
    for k in np.linspace(-1, 1, 5):  # stations
        x = x0 + k * half
        s.line((x, -bore), (x, -bore - 0.12), width=1.0, z=8)
    s.text((x0 + 0.12, -bore - 0.55), "stations", size=9, white=False)
    edge = np.array([x0 - half, -bore])
    s.arrow(edge - (0, 0.05), edge + (0, 0.55), None)
    s.text(edge + (-0.3, 0.35), r"$F_1$", RED)
    return s


def spherical():
    """A ball in a socket."""
    s = Sketch(4.6, 3.9, (-2.1, 2.6, -1.95, 2.05))
    o, attitude = np.zeros(2), -40
    n, t = unit(attitude), unit(attitude + 90)
    j, _ = _section(s, 1.2, 0.9, 0.26, attitude)
    at = 1.2 * n
    s.arrow(at, at - 0.55 * n, None)
    s.text(at - 0.42 * n - 0.2 * t, "$F_n$", RED)
    s.arrow(at, at - 0.45 * t, None)
    s.text(at - 0.6 * t + (-0.1, -0.08), "$F_t$", RED)
    s.arrow(1.5 * n, 1.95 * n, None, INK, THIN, head=7)
    s.text(1.95 * n + (0.15, 0.04), r"$\mathbf{n}$")
    s.text((-1.35, 1.75), "socket $i$", size=9, white=False)
    s.line((-1.2, 1.63), (-0.95, 1.0), color=SOFT, width=0.7, z=9)
    s.text(o + (0.42, 0.55), "ball $j$", size=9, white=False)
    s.text((0.2, -1.82), r"$c=R_i-R_j,\quad \delta=e-c$", white=False)
    return s
