"""Outline of a tooth: root circle, trochoid cut by the rack's rounded tip, involute."""

from __future__ import annotations

import numpy as np

from .geometry import GearMesh, SpurGear


def fillet(gear: SpurGear, count: int = 60) -> np.ndarray:
    """Points of the trochoid from the root circle to the involute, m, (count, 2).

    The tooth's middle lies on the y axis, its flank at x > 0; the gear's centre is the origin. The
    rack's rounding touches where the line through its centre C and the pitch point does.
    """
    r, depth, rounding = (
        gear.reference_radius,
        gear.rack_depth,
        gear.tool_tip_radius * gear.module,
    )
    # direction from the pitch point to C, from straight down to normal to the rack's flank
    normal = np.linspace(np.pi / 2, gear.pressure_angle, count)
    x = depth / np.tan(normal)
    length = np.hypot(x, depth)
    reach = (length + rounding) / length
    px, py = reach * x, r - reach * depth  # the touching point, from the gear's centre
    turn = (x - gear.rack_half_land) / r  # how far the gear has rolled
    # turned back to where the space's middle is the y axis, then half a pitch to the tooth's
    radius = np.hypot(px, py)
    from_space = np.arctan2(px, py) - turn
    from_tooth = np.pi / gear.teeth - from_space
    return np.column_stack([radius * np.sin(from_tooth), radius * np.cos(from_tooth)])


def involute_flank(gear: SpurGear, count: int = 80, start: float | None = None) -> np.ndarray:
    """Points of the involute from a radius (default: the base circle) to the tip, m, (count, 2)."""
    first = gear.base_radius if start is None else max(start, gear.base_radius)
    # even in the radius of curvature, in which the involute is smooth at the base circle
    ends = [np.sqrt(max(r**2 - gear.base_radius**2, 0.0)) for r in (first, gear.tip)]
    roll = np.linspace(ends[0], ends[1], count)
    radius = np.hypot(gear.base_radius, roll)
    angle = gear.half_angle(radius)
    return np.column_stack([radius * np.sin(angle), radius * np.cos(angle)])


def flank(gear: SpurGear, count: int = 80) -> np.ndarray:
    """Fillet and involute of one flank, from the root circle to the tip, m, (points, 2)."""
    root = fillet(gear, count)
    return np.vstack([root[:-1], involute_flank(gear, count, float(np.hypot(*root[-1])))])


def outline(gear: SpurGear, count: int = 40) -> np.ndarray:
    """The whole gear as a closed polygon, counter-clockwise, m, (points, 2)."""
    right = flank(gear, count)
    tooth = np.vstack([right, right[::-1] * (-1, 1)])
    points = []
    for k in range(gear.teeth):
        c, s = np.cos(2 * np.pi * k / gear.teeth), np.sin(2 * np.pi * k / gear.teeth)
        points.append(tooth @ np.array([[c, s], [-s, c]]))
    return np.vstack([*points, points[0][:1]])


def tooth_turns(mesh: GearMesh, phase: float) -> tuple[float, float]:
    """Where a pair of teeth stands whose flanks touch at a phase of the mesh cycle.

    Returns:
        Angles of the middle of a tooth of pinion and of gear from the line of centres (pinion to
        gear), about the axis about which the pinion drives, rad.
    """
    p, g = mesh.pinion, mesh.gear
    # at the pitch point both flanks lie on the line of centres
    s = phase * mesh.base_pitch - mesh.exact_lengths[0]
    halves = [z.half_angle(z.base_radius / np.cos(mesh.pressure_angle)) for z in (p, g)]
    return (
        float(s / p.base_radius - halves[0]),
        float(np.pi - s / g.base_radius - halves[1]),
    )  # fmt: skip


class ToothProfile:
    """Half thickness of a tooth along its middle, as a beam sees it.

    Args:
        gear: the gear.
        fillet: with the real fillet; else with straight radial flanks below the base circle.
        samples: points of each piece of the flank.

    Attributes:
        root_angle: half of the angle that the tooth encloses at the root circle, rad.
    """

    def __init__(self, gear: SpurGear, fillet: bool = True, samples: int = 2000):
        if fillet:
            self._points = flank(gear, samples)
        else:
            base = involute_flank(gear, samples)
            start = base[0] / np.hypot(*base[0]) * min(gear.root_radius, gear.base_radius)
            below = np.linspace(start, base[0], samples)[:-1]
            self._points = np.vstack([below, base])
        self.root_angle = float(np.arctan2(*self._points[0]))

    def half_thickness(self, y):
        """Half of the thickness at distances ``y`` from the gear's centre along the middle, m."""
        return np.interp(y, self._points[:, 1], self._points[:, 0])
