"""Surfaces of several pads as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ...errors import InputError
from .surface import Surface

#: sets of nodes that all pads have in common, by name
SHARED = ("z0", "z1")


def joined(pads: Iterable[Surface], *, shared: Sequence[str] = SHARED) -> Surface:
    """Pads side by side as the surface of one film, which do not touch.

    Example:
        >>> arc = np.radians(176)
        >>> halves = [cylinder(0.2, 0.26, (40, 16), arc=arc, start=s) for s in (0.03, 3.18)]
        >>> sorted(joined(halves).sets)
        ['end0', 'end1', 'start0', 'start1', 'z0', 'z1']

    Args:
        pads: of the same degree of geometry.
        shared: names of sets that are joined; of others each pad has its own, with its number.

    Raises:
        InputError: none, or pads of different degrees.
    """
    pads = list(pads)
    if not pads or len({pad.degree for pad in pads}) != 1:
        raise InputError("joined: give at least one pad, all of one degree.")
    sets: dict[str, list[np.ndarray]] = {}
    cells, points, nodes = [], 0, 0
    for k, pad in enumerate(pads):
        cells.append(pad.cells + points)
        for name, own in pad.sets.items():
            sets.setdefault(name if name in shared else f"{name}{k}", []).append(own + nodes)
        points, nodes = points + len(pad.points), nodes + len(pad.nodes)
    coarser = None
    if all(pad.coarser is not None for pad in pads):
        coarser = joined((pad.coarser for pad in pads if pad.coarser), shared=shared)
    return replace(
        pads[0], points=np.concatenate([pad.points for pad in pads]), cells=np.concatenate(cells),
        sets={name: np.concatenate(own) for name, own in sets.items()}, source="pads",
        coarser=coarser,
    )  # fmt: skip
