"""Parts of torsion springs and bushings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import parts
from .drawing import BRASS, Drawing, Part
from .ground import stand
from .joints import coil, sides
from .outlines import circle
from .poses import angles, matrix, moved

RUBBER = "#4b4f56"
#: turns of a spiral spring at the start, and points along it
TURNS, POINTS = 3.5, 240


def spiral(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A torsion spring, a spiral whose outer end moves with frame i and whose inner end moves with
    frame j: it winds up as the angle increases."""
    i, j = item.get("frame_i"), item.get("frame_j")
    if i is None or j is None or drawing.mechanism.axis(item) is None:
        return
    r, angle = drawing.knuckle, turned(drawing, item)
    low, high = _front(drawing, i, j)
    share = np.linspace(0.0, 1.0, POINTS)
    radius, place = r * (1.7 - 1.05 * share), drawing.flat(item, i)

    def mesh(k: int):
        a = share * (2 * np.pi * TURNS + angle[k])
        path = np.column_stack([radius * np.cos(a), radius * np.sin(a), np.full(POINTS, high)])
        return parts.tube(path, 0.07 * r, sides=8).transform(place(k), inplace=False)

    yield Part(item["name"], mesh, color=BRASS, outline=1.0)
    arbor = parts.cylinder(0.68 * r, low, high + 0.12 * r)
    turning = moved(drawing.flat(item, j), place)  # with frame j, about the axis at frame i
    yield Part(item["name"], arbor, turning)
    post = parts.cylinder(0.16 * r, low, high + 0.12 * r).translate((1.7 * r, 0, 0))
    yield Part(item["name"], post, place)


def turned(drawing: Drawing, item: dict) -> np.ndarray:
    """Angle of frame j about the axis of frame i from the start, rad, at the recorded instants."""
    recorded = drawing.channel(item, "angle")
    if recorded is not None:
        return recorded - recorded[0]
    m, i, j = drawing.mechanism, item["frame_i"], item["frame_j"]
    change = np.swapaxes(m.motion.triad[:, i], 1, 2) @ m.motion.triad[:, j]
    change = change @ change[0].T  # of frame j, in the axes of frame i
    return np.unwrap(angles(change, np.asarray(item["axis"], float)))


def _front(drawing: Drawing, i: int, j: int) -> tuple[float, float]:
    """Begin and place of a spring along its axis, from frame i, m: in front of the links."""
    if not drawing.mechanism.flat:
        return -0.2 * drawing.knuckle, 0.0
    high = drawing.between((i, j), i)[1]
    return high, high + 0.35 * drawing.thickness


def rubber(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A bushing: a rubber ring in a sleeve on frame i, with a pin on frame j in its bore; between
    points that are apart, a coil."""
    i, j = item.get("frame_i"), item.get("frame_j")
    if i is None or j is None:
        return
    m, r = drawing.mechanism, drawing.knuckle
    if np.linalg.norm(m.start(j) - m.start(i)) > 0.3 * r:
        yield from coil(drawing, item)
        return
    low, high = drawing.between((i, j), i) if m.flat else (-0.7 * r, 0.7 * r)
    out = 0.15 * (high - low)
    low, high = low - out, high + out
    inner, outer = 0.55 * r, 1.25 * r
    place = drawing.flat({**item, "axis": None}, i)
    start = np.linalg.inv(place(0))
    pin = m.pose(j)

    def shift(k: int) -> np.ndarray:
        """Displacement of the pin in the sleeve since the start, limited to the sleeve."""
        local = np.linalg.inv(place(k)) @ pin(k)[:, 3] - start @ pin(0)[:, 3]
        size = np.hypot(*local[:2])
        return local[:2] * min(1.0, 0.9 * (outer - inner) / size if size else 1.0)

    def ring(k: int):
        mesh = parts.plate([circle(outer), circle(inner, shift(k))], low, high)
        return mesh.transform(place(k), inplace=False)

    yield Part(item["name"], parts.ring(outer, 1.45 * r, low, high), place)
    yield Part(item["name"], ring, color=RUBBER)
    bolt = parts.cylinder(inner, low - out, high + out)
    yield Part(item["name"], bolt, lambda k: place(k) @ matrix(at=(*shift(k), 0.0)))
    ground, body = sides(drawing, item)
    if ground is not None and body is not None:
        yield from stand(drawing, item, ground, body)
