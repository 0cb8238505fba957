"""Geometry of a journal in a bearing, seen along the bearing's axis.

Four numbers say how a journal (frame j) sits in its bearing (frame i): ``x, y``, the journal's
centre in the bearing's axes, and ``p, w``, cosine and sine of the journal's turn. Everything a
planar contact does follows from them and their rates: a law gives four generalised forces, and
their virtual work is ``dot(forces, c.along(coordinates))``. Forces on both bodies, their moments
and the rates of the laws then come from the same expressions and cannot disagree.
"""

from __future__ import annotations

import ufl

from .clearance import TINY_LENGTH


def coordinates(i, j):
    """``x, y`` (m), ``p, w`` of two poses; the third axis of ``i`` is the bearing's."""
    e = j.r - i.r
    return ufl.as_vector(
        [
            ufl.dot(e, i.e(1)),
            ufl.dot(e, i.e(2)),
            ufl.dot(j.e(1), i.e(1)),
            ufl.dot(j.e(1), i.e(2)),
        ]
    )


def distance(s):
    """Distance of the centres, m."""
    return ufl.sqrt(s[0] ** 2 + s[1] ** 2 + TINY_LENGTH**2)


def on_journal(s):
    """Direction from bearing to journal centre on the journal's axes: its two components, m."""
    x, y, p, w = (s[k] for k in range(4))
    return x * p + y * w, y * p - x * w


def bearing_angle(s):
    """Angle of the journal's centre in the bearing, rad."""
    return ufl.atan2(s[1], s[0] + TINY_LENGTH)


def journal_angle(s):
    """Angle of the same direction in the journal, rad."""
    x, y = on_journal(s)
    return ufl.atan2(y, x + TINY_LENGTH)


def normal(gradient):
    """Unit vector across the surfaces in the bearing's axes: along the gradient of the depth."""
    size = ufl.sqrt(gradient[0] ** 2 + gradient[1] ** 2 + TINY_LENGTH)
    return gradient[0] / size, gradient[1] / size


def sliding_direction(s, n, lever):
    """Gradient of the sliding by the coordinates: ``sliding`` is its product with their rates.

    Seen from the bearing, the journal's centre moves along the surface and the journal turns; both
    material points lie where friction acts, ``lever`` (m) from the journal's centre.
    """
    size = s[2] ** 2 + s[3] ** 2
    return ufl.as_vector([-n[1], n[0], -lever * s[3] / size, lever * s[2] / size])


def directions(n):
    """The normal and the direction of sliding as vectors in the bearing's axes."""
    return ufl.as_vector([n[0], n[1], 0]), ufl.as_vector([-n[1], n[0], 0])


def force_and_moment(i, j, forces):
    """What generalised forces by the coordinates are as a force at the journal's centre and a
    moment, in space, also where the axes of ``i`` and ``j`` differ."""
    on_centre, on_first_axis = (forces[k] * i.e(1) + forces[k + 1] * i.e(2) for k in (0, 2))
    return on_centre, ufl.cross(j.e(1), on_first_axis)
