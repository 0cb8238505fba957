"""How deep a journal presses into its bearing when both are worn.

A gap is a function of the journal's place (x, y) and turn in the bearing's axes. What a contact
needs of it near a state is its value, gradient and second derivatives: from these follow forces
along the gradient, with moments on both bodies, so that contact on worn surfaces conserves energy
(docs/errata.md). ``Overlap`` carries the excess over the depth |e| - c of round surfaces.
"""

from __future__ import annotations

from math import acos, atan2, cos, hypot, sin
from typing import NamedTuple

import numpy as np

from . import profile

#: part of the clearance by which surfaces count as touching before they do, so that the depth of
#: nearly touching surfaces is smooth; round ones are not changed by it
ASPERITY = 2e-3
#: part of the circle to each side of the line of centres in which surfaces may touch
REACH = 4


class Overlap(NamedTuple):
    """The depth near a state, less that of round surfaces.

    Attributes:
        value, gradient, hessian: by x, y and turn.
        centre: angle of the centre of pressure in the bearing, rad.
        first, local: first bin and overlaps (m) of the bins that touch; ``None`` for a single
            point.
    """

    value: float
    gradient: np.ndarray
    hessian: np.ndarray
    centre: float
    first: int = 0
    local: np.ndarray | None = None


def round_part(x: float, y: float) -> tuple[float, np.ndarray, np.ndarray]:
    """|e|, its gradient and second derivatives by x, y and turn."""
    r = hypot(x, y) + 1e-15
    n, across = np.array([x / r, y / r, 0.0]), np.array([-y / r, x / r, 0.0])
    return r, n, np.outer(across, across) / r


def radial(x: float, y: float, turn: float, splines: np.ndarray, clearance: float) -> Overlap:
    """Depth |e| - c - h_b - h_j with the worn depths in the direction of e: Bai et al. (2014), (5).

    The surfaces are taken to touch on the line of centres, however worn they are.
    """
    r, _, _ = round_part(x, y)
    angle = atan2(y, x)
    b, j = profile.at(splines[0], angle), profile.at(splines[1], angle - turn)
    along = np.array([-y, x, 0.0]) / r**2
    gradient = -(b[1] + j[1]) * along
    gradient[2] = j[1]
    second = np.array([[2 * x * y, y * y - x * x, 0], [y * y - x * x, -2 * x * y, 0], [0, 0, 0]])
    hessian = -(b[2] + j[2]) * np.outer(along, along) - (b[1] + j[1]) * second / r**4
    hessian[:2, 2] = hessian[2, :2] = j[2] * along[:2]
    hessian[2, 2] = -j[2]
    return Overlap(-(b[0] + j[0]), gradient, hessian, angle)


def foundation(x: float, y: float, turn: float, splines: np.ndarray, clearance: float) -> Overlap:
    """Depth at which round surfaces would store as much energy in an elastic foundation.

    The journal overlaps the bearing at the angle p by d(p) = e . u(p) - c - h_b(p) - h_j(p - turn);
    A, the integral of d^2 where d > 0, is what a foundation stores, and the depth is the one at
    which unworn surfaces have the same A. The surfaces touch where they touch, in one place or
    several; for round ones this is |e| - c exactly.
    """
    bins, lift = splines.shape[1], ASPERITY * clearance
    width, half = 2 * np.pi / bins, bins // REACH
    angle = atan2(y, x)
    first, count = round(angle / width) - half, 2 * half + 1
    p = width * (first + np.arange(count))
    near = profile.run(splines[0], first - 1, count + 2)
    worn = (near[:-2] + 4 * near[1:-1] + near[2:]) / 6
    journal = profile.turned(splines[1], turn, first, count)
    c, s = np.cos(p), np.sin(p)
    d = x * c + y * s - clearance - worn - journal[0]
    nearest = int(np.argmax(d))
    r, n, curved = round_part(x, y)
    if d[nearest] < -clearance / 2:  # far from contact: the nearest point is enough
        gradient = np.array([c[nearest], s[nearest], journal[1, nearest]]) - n
        value = float(d[nearest]) - (r - clearance)
        return Overlap(value, gradient, np.zeros((3, 3)), float(p[nearest]))
    lift = max(lift, lift - float(d[nearest]))
    d += lift
    touch = np.flatnonzero(d > 0)
    inside = slice(touch[0], touch[-1] + 1)
    d = np.maximum(d[inside], 0.0)
    slopes = np.stack([c[inside], s[inside], journal[1, inside]])
    total, moments = float(d @ d), slopes @ d
    on = slopes * (d > 0)
    second = on @ on.T
    second[2, 2] -= float(journal[2, inside] @ d)
    depth, rise, bend = _equivalent(total * width, clearance - lift, float(d.max()))
    gradient = 2 * width / rise * moments
    hessian = 2 * width / rise * second - bend / rise * np.outer(gradient, gradient)
    centre = float(p[inside] @ d / d.sum())
    return Overlap(
        depth - lift - (r - clearance), gradient - n, hessian - curved, centre,
        first + int(touch[0]), d,
    )  # fmt: skip


def _equivalent(area: float, clearance: float, guess: float) -> tuple[float, float, float]:
    """Depth at which round surfaces have the integral ``area`` of overlap squared, and first and
    second derivative of that integral by the depth."""
    depth = guess
    for _ in range(50):
        e = clearance + depth
        t = acos(clearance / e)
        whole = t + sin(t) * cos(t)
        rise = 2 * (e * whole - 2 * clearance * sin(t))
        excess = e * e * whole - 4 * e * clearance * sin(t) + 2 * clearance**2 * t - area
        change = excess / rise
        depth = max(depth - change, 0.2 * depth)
        if abs(change) < 1e-14 * clearance + 1e-12 * depth:
            break
    e = clearance + depth
    t = acos(clearance / e)
    whole = t + sin(t) * cos(t)
    return depth, 2 * (e * whole - 2 * clearance * sin(t)), 2 * whole


MODELS = {"radial": radial, "foundation": foundation}
