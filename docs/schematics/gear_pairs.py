"""A pair of spur gears: circles, line of action, forces of the teeth."""

import numpy as np
from matplotlib.patches import Circle

from fem_clearance import gears
from fem_clearance.gears.outline import outline

from .draw import BLUE, DASHES, INK, RED, SOFT, Sketch

PHASE = 0.42  # of the mesh cycle


def _turns(mesh):
    """Angles of a tooth's middle of both gears, the pinion turning clockwise, so that flanks touch
    where the phase says."""
    p, g = mesh.pinion, mesh.gear
    alpha = np.arccos((p.base_radius + g.base_radius) / mesh.centre_distance)
    pitch = np.array([p.base_radius, g.base_radius]) / np.cos(alpha)
    approach = np.sqrt(g.tip**2 - g.base_radius**2) - g.base_radius * np.tan(alpha)
    s = PHASE * mesh.base_pitch - approach
    first = -(s / p.base_radius - float(p.half_angle(pitch[0])))
    return first, np.pi + s / g.base_radius + float(g.half_angle(pitch[1]))


def _teeth(s, mesh, centres, width):
    colours = ("#cfdff0", "#f6dcc6")
    pair = mesh.pinion, mesh.gear
    for o, spur, turn, colour in zip(centres, pair, _turns(mesh), colours, strict=True):
        c, q = np.cos(turn - np.pi / 2), np.sin(turn - np.pi / 2)
        s.polygon(outline(spur, 10) @ np.array([[c, q], [-q, c]]) + o, colour, 2, width)
        for r, style, ink in (
            (spur.base_radius, (0, (4, 2)), BLUE), (spur.reference_radius, DASHES, SOFT)
        ):  # fmt: skip
            s.add(Circle(o, r, fill=False, edgecolor=ink, lw=0.9, ls=style, zorder=3))


def gear_pair():
    """Two spur gears: the whole, and the teeth in contact."""
    rack = np.radians(20)
    p, g = gears.SpurGear(20, 1.0, rack, 10.0), gears.SpurGear(28, 1.0, rack, 10.0)
    distance = (p.teeth + g.teeth) / 2
    mesh = gears.GearMesh(p, g, distance)
    o1, o2 = np.zeros(2), np.array([distance, 0.0])
    whole = Sketch(7.6, 3.9, (-11.8, 39.2, -16.4, 15.8), place=(0, 0, 0.56, 1))
    near = Sketch(0, 0, (4.6, 15.6, -7.2, 6.4), beside=whole, place=(0.575, 0.02, 0.42, 0.96))
    slope = np.array([np.cos(rack), np.sin(rack)])
    t1, t2 = o1 + p.base_radius * slope, o2 - g.base_radius * slope
    along = (t2 - t1) / np.hypot(*(t2 - t1))
    for s, width in ((whole, 0.9), (near, 1.4)):
        _teeth(s, mesh, (o1, o2), width)
        s.line(t1 - 1.5 * along, t2 + 1.5 * along, color=RED, width=1.2, z=5)
        s.centre_line(o1 - (1.5, 0), o2 + (1.5, 0))
        s.line(o1, t1, color=BLUE, z=5)
        s.line(o2, t2, color=BLUE, z=5)
    _whole(whole, o1, o2, t1, t2)
    _near(near, mesh, t1, t2, along)
    return whole


def _whole(s, o1, o2, t1, t2):
    for o, label, off in ((o1, "$O_p$", (-1.5, -1.4)), (o2, "$O_g$", (1.5, 1.4))):
        s.cross(o, 1.4)
        s.text(o + off, label)
    s.text(o1 + 0.5 * (t1 - o1) + (-0.6, 1.3), "$r_{bp}$", BLUE)
    s.text(o2 + 0.5 * (t2 - o2) + (0.6, -1.3), "$r_{bg}$", BLUE)
    s.angle(o1, 5.0, 215, 130, r"$\omega_p$", INK, off=1.6)
    s.angle(o2, 6.0, -30, 55, r"$\omega_g$", INK, off=1.7)
    s.dimension(o1 - (0, 15.2), o2 - (0, 15.2), "$a$")
    s.text(o1 + (0, 7.2), "pinion $i$", size=9)
    s.text(o2 + (0, 9.5), "gear $j$", size=9)


def _near(s, mesh, t1, t2, along):
    p, g = mesh.pinion, mesh.gear
    side = np.array([-along[1], along[0]])
    pitch = np.array([p.reference_radius, 0.0])
    s.line(pitch + (0, 5.8), pitch - (0, 6.6), color=SOFT, width=0.7, style=DASHES)
    s.point(pitch, "$P$", (-0.42, -0.36))
    s.point(t1, "$T_p$", (-0.55, 0.3), color=BLUE)
    s.point(t2, "$T_g$", (0.6, -0.3), color=BLUE)
    tan = np.tan(np.radians(20))
    approach = np.sqrt(g.tip**2 - g.base_radius**2) - g.base_radius * tan
    recess = np.sqrt(p.tip**2 - p.base_radius**2) - p.base_radius * tan
    for n, label in ((-approach, "$A$"), (recess, "$E$")):
        q = pitch + n * along
        s.line(q - 0.22 * side, q + 0.22 * side, color=RED, width=1.6, z=7)
        s.text(q + 0.5 * side * np.sign(-n), label, RED)
    for n in np.arange(PHASE, 3) * mesh.base_pitch - approach:
        if n < recess:
            q = pitch + n * along
            s.point(q, color=RED, size=4.5)
            s.arrow(q, q + 1.25 * along, None, RED, 1.8)
            s.text(q + 0.9 * along + 0.5 * side, "$N$", RED)
    tilt = np.degrees(np.arctan2(along[1], along[0]))
    s.angle(pitch, 5.2, -90, tilt, r"$\alpha$", off=0.55)
