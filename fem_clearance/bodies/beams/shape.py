"""Beams as pictures: centre line and sections of a beam at one instant."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .beam import Beam


class BeamShape(NamedTuple):
    """A beam at one instant, for pictures.

    Attributes:
        points: centre line at the stations, m, (n, 3).
        d2, d3: section directors there, (n, 3); a corner (y, z) lies at ``points + y d2 + z d3``.
        outline: corners of the section, m, (m, 2).
    """

    points: np.ndarray
    d2: np.ndarray
    d3: np.ndarray
    outline: np.ndarray


def shape_of(beam: Beam, values: np.ndarray) -> BeamShape:
    """Shape at the ends and middles of a beam's elements; see ``Beam.shape``."""
    fields = {
        name: np.array([values[node[name].numbers] for node in beam.nodes])
        for name in beam.kind.node_fields
    }
    r, outline = fields["r"], beam.section.outline
    if beam.kind.spans == 2:
        return BeamShape(r, fields["d2"], fields["d3"], outline)
    slope, ends = fields["slope"], r
    ratio = np.diff(beam.ends)[:, None] * beam.elements / beam.length
    middle = (ends[1:] + ends[:-1]) / 2 + ratio * (slope[:-1] - slope[1:]) / 8  # Hermite cubic
    r = _between(r, middle)
    if "d2" in fields:
        d2, d3 = (_between(d, (d[1:] + d[:-1]) / 2) for d in (fields["d2"], fields["d3"]))
    else:
        middle = 1.5 * (ends[1:] - ends[:-1]) - ratio * (slope[1:] + slope[:-1]) / 4
        d2, d3 = _turned(beam, _between(slope, middle))
    return BeamShape(r, d2, d3, outline)


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rows of ``a`` with those of ``b`` in between."""
    result = np.empty((len(a) + len(b), *a.shape[1:]))
    result[::2], result[1::2] = a, b
    return result


def _turned(beam: Beam, tangents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directors of a cable: the initial ones turned the shortest way with the tangent."""
    result = []
    triads = _between(beam.triads, beam.middles)
    for (e1, e2, e3), t in zip(triads.transpose(0, 2, 1), tangents, strict=True):
        t = t / np.linalg.norm(t)
        if t @ e1 < -1 + 1e-12:  # straight back: half a turn about e3
            result.append((-e2, e3))
            continue
        mirror = (e1 + t) / (1 + t @ e1)
        result.append(tuple(e - (e @ t) * mirror for e in (e2, e3)))
    d2, d3 = np.array(result).transpose(1, 0, 2)
    return d2, d3
