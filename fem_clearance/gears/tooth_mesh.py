"""Plane finite element meshes of a whole gear, refined along one flank of one tooth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..meshes.mesh import Mesh
from ..meshes.structured import structured
from ..meshes.tools import join
from .geometry import SpurGear
from .outline import fillet, involute_flank


def _along(curve: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Points of a curve (n, 2) at parts of its length from 0 to 1."""
    way = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    return np.column_stack([np.interp(lengths * way[-1], way, curve[:, k]) for k in (0, 1)])


def graded(first: float, growth: float, largest: float) -> np.ndarray:
    """Places from 0 to 1 whose steps grow from ``first`` by a factor up to ``largest``, roughly."""
    steps = [first]
    while sum(steps) < 1:
        steps.append(min(steps[-1] * growth, largest))
    return np.cumsum([0, *steps]) / sum(steps)


def _block(radius, angle, turn: float, names=None) -> Mesh:
    """Cells between nodes given by radius and angle from the tooth's middle, (columns, rows)."""
    x, y = radius * np.sin(angle + turn), radius * np.cos(angle + turn)
    nodes = np.stack([x, y, 0 * x], -1)
    counts = (nodes.shape[0] - 1, nodes.shape[1] - 1)

    def place(unit):
        k = np.rint(unit * counts).astype(int)
        return nodes[k[:, 0], k[:, 1]]

    return structured(counts, place, names=names, source="gear")


def gear_mesh(gear: SpurGear, spacing: float, start: float, teeth: Sequence[int] = (0,)) -> Mesh:
    """The gear's cross-section, its middle at the origin, one tooth along the y axis.

    A tooth stands on the sector of one pitch. The tooth begins between the middles of its fillets;
    the rest of the outer side of the sector consists of the lower parts of the fillets and the land
    at the root.

    Args:
        gear: with a bore.
        spacing: of cells along the flank at x > 0, m.
        start: radius from which this flank is that fine, m.
        teeth: that have such a flank, counted clockwise from the one along the y axis.

    Returns:
        Mesh with the facet sets ``flank`` (above the middle of its fillet; of tooth k ``flankK``)
        and ``bore``.
    """
    curve = fillet(gear, 400)
    middle = curve[200]
    foot = float(np.hypot(*middle))
    half = float(np.arctan2(*middle))
    upper = np.vstack([curve[200:-1], involute_flank(gear, 400, float(np.hypot(*curve[-1])))])
    across = foot * half
    # from the middle of the fillet outwards: down the fillet and along the land
    land = np.linspace(np.arctan2(*curve[0]), np.pi / gear.teeth, 20)[1:]
    ground = gear.root_radius * np.column_stack([np.sin(land), np.cos(land)])
    side = np.vstack([curve[200::-1], ground])
    depth = (foot - gear.bore_radius) / across  # type: ignore[operator]
    rows = 1 - graded(0.12 / depth, 1.25, 0.5 / depth)[::-1]
    meshes = []
    for k in range(gear.teeth):
        turn, fine = 2 * np.pi * k / gear.teeth, k in [n % gear.teeth for n in teeth]
        if fine:
            inner = graded(0.35 * spacing / across, 1.4, 0.3)
            radii = np.hypot(*upper.T)
            a = int(np.searchsorted(radii, start))
            low = _along(upper[: a + 1], np.linspace(0, 1, 9))
            length = np.hypot(*np.diff(upper[a:], axis=0).T).sum()
            high = _along(upper[a:], np.linspace(0, 1, int(np.ceil(length / spacing)) + 1))
            flank = np.vstack([low, high[1:]])
        else:
            inner = np.linspace(0, 1, 4)
            flank = _along(upper, np.linspace(0, 1, 6))
        # columns from the far flank (-1) to the near one (1), fine there
        columns = np.unique(np.round(1 - 2 * inner, 12))
        radius, width = np.hypot(*flank.T), np.arctan2(*flank.T)
        names = {(0, 1): f"flank{k or ''}"} if fine else {}
        tooth = (
            np.multiply.outer(columns, width),
            np.broadcast_to(radius, (len(columns), len(width))),
        )
        meshes.append(_block(tooth[1], tooth[0], turn, names))
        edge = _along(side, np.linspace(0, 1, 6))
        top = np.hypot(*edge.T)
        angle = np.arctan2(*edge.T)
        for columns_angle, outer in (
            (columns * half, np.full(len(columns), foot)),
            (angle, top),
            (-angle[::-1], top[::-1]),
        ):
            r = gear.bore_radius + np.multiply.outer(outer - gear.bore_radius, rows)
            each = np.broadcast_to(columns_angle[:, None], r.shape)
            meshes.append(_block(r, each, turn, {(1, 0): "bore"}))
    return join(*meshes, tolerance=1e-5)
