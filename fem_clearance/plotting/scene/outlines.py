"""Plane outlines of parts: closed polygons as arrays (n, 2), counter-clockwise, in m."""

from __future__ import annotations

import numpy as np

#: corners of a circle
ROUND = 72


def circle(radius: float, centre=(0.0, 0.0), count: int = ROUND) -> np.ndarray:
    """A circle about a centre."""
    a = 2 * np.pi * np.arange(count) / count
    return np.column_stack([centre[0] + radius * np.cos(a), centre[1] + radius * np.sin(a)])


def rectangle(x0: float, x1: float, y0: float, y1: float, corner: float) -> np.ndarray:
    """A rectangle; its corners are rounded with a radius, or sharp (0)."""
    if corner <= 0:
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)
    a = np.linspace(0, np.pi / 2, 8)
    centres = (
        (x1 - corner, y1 - corner),
        (x0 + corner, y1 - corner),
        (x0 + corner, y0 + corner),
        (x1 - corner, y0 + corner),
    )
    return np.concatenate([circle_arc(corner, c, a + n * np.pi / 2) for n, c in enumerate(centres)])


def circle_arc(radius: float, centre, angles: np.ndarray) -> np.ndarray:
    """Points of a circle at given angles, rad."""
    return np.column_stack(
        [centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)]
    )


def link(length: float, start: float, end: float, waist: float) -> np.ndarray:
    """A link along x: eyes of radii ``start`` (at 0) and ``end`` (at ``length``), a bar of half
    width ``waist`` between them."""

    def eye(radius):
        neck = np.arcsin(min(waist / radius, 0.999))
        return circle_arc(radius, (0, 0), np.linspace(neck, 2 * np.pi - neck, ROUND))

    return np.concatenate([eye(start), (length, 0) - eye(end)])


def bracket(height: float, eye: float, foot: float) -> np.ndarray:
    """A bracket: a round eye at the origin, a foot of half width ``foot`` at y = -height."""
    top = circle_arc(eye, (0, 0), np.linspace(-0.25, np.pi + 0.25, 40))
    return np.concatenate([[(foot, -height)], top, [(-foot, -height)]])


def pillow(outer: float, height: float, foot: float) -> np.ndarray:
    """A bearing's housing: round above the origin, a foot of half width ``foot`` at y = -height."""
    top = circle_arc(outer, (0, 0), np.linspace(-0.05, np.pi + 0.05, 48))
    thick = 0.22 * height
    right = [(foot, -height), (foot, thick - height), (outer, 1.6 * thick - height)]
    left = [(-x, y) for x, y in right[::-1]]
    return np.concatenate([right, top, left])
