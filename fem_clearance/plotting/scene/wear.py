"""Worn bores and journals, with the depths of wear enlarged by a scale of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyvista as pv

from . import parts
from .drawing import Drawing
from .outlines import circle
from .poses import Place, matrix

#: mesh in space, by the instant's number and the place of the body
Made = Callable[[int, Place], pv.PolyData]


def profiles(
    drawing: Drawing, item: dict, radii: tuple[float, float], outer: float, heights
) -> tuple[Made, Made] | None:
    """Functions that make the worn bush and journal; ``None`` if there is no wear.

    Args:
        item: the joint.
        radii: of the bore and of the drawn journal, m.
        outer: radius of the bush, m.
        heights: low and high end of the bush, then of the journal, m.
    """
    m = drawing.mechanism
    if item["name"] not in m.wear:
        return None
    depths = m.motion.worn[item["name"]]
    if depths.ndim == 4:  # in slices along the axis: their mean
        depths = depths.mean(axis=1)
    scale, bins = m.wear[item["name"]], depths.shape[-1]
    angle = 2 * np.pi * np.arange(bins) / bins
    round_ = np.column_stack([np.cos(angle), np.sin(angle)])

    def local(side: int) -> np.ndarray:
        """Axes of the bins in a body's frame: the first direction, and the axis last."""
        frame = item["frame_i" if side == 0 else "frame_j"]
        z = np.linalg.solve(m.motion.triad[0, frame], m.axis(item))
        x = np.asarray(item["worn"]["first"][side], float)
        return matrix(np.column_stack([x, np.cross(z, x), z]))

    def make(side: int, sign: float) -> Made:
        axes, (low, high) = local(side), heights[side]

        def mesh(k: int, place: Place) -> pv.PolyData:
            worn = (radii[side] + sign * scale * depths[k, side])[:, None] * round_
            loops = [circle(outer), worn] if side == 0 else [worn]
            return parts.plate(loops, low, high).transform(place(k) @ axes, inplace=False)

        return mesh

    return make(0, 1.0), make(1, -1.0)
