"""Gears with their teeth in mesh."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import parts
from .drawing import STEEL, Drawing, Part
from .poses import matrix, then


def pair(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Both gears of a pair, rotated according to the mesh's phase so that flanks touch."""
    m = drawing.mechanism
    for frame, gear in zip((item["frame_i"], item["frame_j"]), item["gears"], strict=True):
        x, z = (np.asarray(gear[n], float) for n in ("towards", "axis"))
        half, body = gear["face_width"] / 2, drawing.body_of(frame)
        low, high = drawing.between([frame], frame) if m.flat and body in drawing.ranges else (
            -half, half
        )  # fmt: skip
        low, high = (low, high) if high - low < 4 * half else (-half, half)
        mesh = parts.gear(np.asarray(gear["outline"], float), gear["bore_radius"], low, high)
        a = gear["turn"] - np.pi / 2  # the tooth of the outline points along y
        c, s = np.cos(a), np.sin(a)
        local = np.column_stack([x, np.cross(z, x), z]) @ np.array(
            [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        )
        place = then(m.pose(frame), matrix(local))
        yield Part(body, mesh, place, "body", drawing.colors.get(body, STEEL))
