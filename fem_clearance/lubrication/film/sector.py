"""Surfaces of thrust pads: sectors of a ring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ...meshes.structured import lattice
from .surface import Surface, halved, moved_lines


def sector(
    inner: float, outer: float, arc: float, cells: Sequence[int] = (32, 16), *,
    start: float = 0.0, angles: ArrayLike = (),
) -> Surface:  # fmt: skip
    """A sector of a ring in the plane of the first two axes, with its centre at the origin; its
    edges are ``start`` and ``end``, ``inner`` and ``outer``.

    Args:
        inner, outer: radii, m.
        arc: angle between ``start`` and ``end``, rad.
        cells: around and across.
        start: angle of that edge from the first axis, rad.
        angles: at which lines of nodes shall lie: the nearest lines move there, rad.

    Raises:
        InputError: radii, an arc or cells that cannot be.

    Example::

        lubrication.sector(inner=30e-3, outer=50e-3, arc=np.radians(40), cells=(32, 16))
    """
    checks.positive("sector: inner", inner)
    if not outer > inner or not np.isfinite(outer):
        raise InputError(f"sector: outer must be larger than inner, {inner:g} m; got {outer!r}.")
    if not 0 < arc < 2 * np.pi:
        raise InputError(f"sector: arc must lie between 0 and 2 pi rad, got {arc:g}.")
    cells = checks.counts("film: cells", cells)
    moved = moved_lines((np.asarray(angles, float) - start) / arc, cells[0], False)
    return _sector(inner, outer, arc, cells, start, moved)


def _sector(inner, outer, arc, cells, start, moved) -> Surface:
    _, numbers, unit, _ = lattice(cells, degree=2, closed=(False, False), source="film")
    angle = start + arc * np.interp(unit[:, 0], *moved)
    radius = inner + (outer - inner) * unit[:, 1]
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * angle], 1)
    surface = Surface(points, numbers, {}, 2, "sector of a thrust bearing")
    u, v = unit[surface.corners[1], :2].T
    edges = {"start": u == 0, "end": u == 1, "inner": v == 0, "outer": v == 1}
    fewer = halved(cells, (4, 2))
    return replace(
        surface, sets={name: np.flatnonzero(on) for name, on in edges.items()},
        coarser=None if fewer is None else _sector(inner, outer, arc, fewer, start, moved),
    )  # fmt: skip
