"""Closed surfaces of plane faces: prisms, bodies of revolution, volume and inertia of what they
enclose."""

from __future__ import annotations

import numpy as np

#: number of corners of a circle
ROUND = 24

Faces = list[list[int]]


def tube(stations: int, corners: int, closed: bool = False) -> Faces:
    """Faces between rings of ``corners`` points each, anticlockwise from outside if the rings run
    anticlockwise about the direction from the first to the last. The ends are faces too, or the
    last ring is joined to the first (``closed``)."""
    rings = range(stations if closed else stations - 1)
    m = corners

    def at(ring: int, corner: int) -> int:
        return ring % stations * m + corner % m

    sides = [[at(k, i), at(k, i + 1), at(k + 1, i + 1), at(k + 1, i)] for k in rings
             for i in range(m)]  # fmt: skip
    if closed:
        return sides
    return [[*range(m)][::-1], *sides, [*range((stations - 1) * m, stations * m)]]


def prism(outline, low: float, high: float, axis: int = 2) -> tuple[np.ndarray, Faces]:
    """The prism over an outline.

    Args:
        outline: corners (n, 2) m across the axis, anticlockwise seen against it.
        low, high: where it begins and ends along the axis, m.
        axis: 0, 1 or 2; the outline's directions are the next two.
    """
    flat = np.asarray(outline, float)
    ends = [np.column_stack([np.full(len(flat), z), flat]) for z in (low, high)]
    return np.roll(np.vstack(ends), axis, axis=1), tube(2, len(flat))


def revolved(profile, closed: bool = False) -> tuple[np.ndarray, Faces]:
    """The body of revolution about the first axis over a profile.

    Args:
        profile: place along the axis and radius, m, of each ring.
        closed: the profile goes round a hole.
    """
    angles = 2 * np.pi * np.arange(ROUND) / ROUND
    points = [[x, r * np.cos(a), r * np.sin(a)] for x, r in profile for a in angles]
    return np.array(points), tube(len(profile), ROUND, closed)


def moments(points: np.ndarray, faces: Faces) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, m^3; its centre, m, (3,); inertia about that at unit density, m^5, (3, 3)."""
    return enclosed(np.array([
        [points[f[0]], points[f[k]], points[f[k + 1]]] for f in faces for k in range(1, len(f) - 1)
    ]))  # fmt: skip


def of_point(arm: np.ndarray) -> np.ndarray:
    """Inertia of a unit mass at ``arm`` (m) from a point about this, m^2, (3, 3)."""
    return arm @ arm * np.eye(3) - np.outer(arm, arm)


def enclosed(corners: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """``moments`` inside a closed surface of triangles, (n, 3, 3) m, anticlockwise from outside:
    sums over the tetrahedra between the origin and the triangles, with their signs."""
    six = np.linalg.det(corners)
    total = corners.sum(axis=1)
    volume = float(six.sum()) / 6
    centre = six @ total / 24 / (volume or 1.0)
    squares = np.einsum("t,tki,tkj->ij", six, corners, corners)
    second = (squares + np.einsum("t,ti,tj->ij", six, total, total)) / 120
    second -= volume * np.outer(centre, centre)
    return volume, centre, np.trace(second) * np.eye(3) - second
