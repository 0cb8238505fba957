"""Loads along beams as rows of arrows whose lengths are proportional to the load."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import parts
from .drawing import LOAD, Drawing, Part
from .loads import across_eye, vectors
from .poses import matrix, triad

#: longest arrow by the mechanism's size; fraction of it below which there is no arrow
LONG, LEAST = 0.1, 0.03


def line_load(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Arrows that end at places along a beam; for a moment arrows around its direction."""
    m, name = drawing.mechanism, item["beam"]
    if name not in m.motion.beams or "places" not in item:
        return
    given = np.asarray(item["vectors"], float)
    top = float(np.linalg.norm(given, axis=1).max())
    share = shares(drawing, item)
    if share is None or not top > 0:
        return
    share = share / np.abs(share).max(initial=1e-300)
    outline = np.asarray(m.bodies[name]["section"]["outline"], float)
    off = float(np.linalg.norm(outline, axis=1).max())
    mesh = parts.round_arrow(0.6, 0.04) if item["moment"] else parts.arrow(1.0, 0.1)
    start = _places(drawing, item, 0)

    def arrows(k):
        found = []
        points = m.points(name, start, _places(drawing, item, k), k)
        for x, load in zip(points, share[k] / top * _turned(drawing, item, k), strict=True):
            part = float(np.linalg.norm(load))
            if part < LEAST:
                continue
            way, length = load / part, LONG * m.size * part
            if item["moment"]:
                pose = matrix(length * triad(drawing.eye, way), x)
            else:
                turn = triad(*across_eye(way, drawing.eye))
                pose = matrix(length * turn, x - (length + off) * way)
            found.append(mesh.transform(pose, inplace=False))
        return parts.merged(found) if found else None

    yield Part(item["name"], arrows, None, "force", LOAD, outline=0)


def shares(drawing: Drawing, item: dict) -> np.ndarray | None:
    """Fraction of the full load at the recorded instants, from its resultant; ``None`` for a
    varying load without a resultant, of which it is unknown."""
    count = drawing.mechanism.count
    if item["steady"]:
        return np.ones(count)
    found = vectors(drawing, item)
    if found is None:
        return None
    whole = np.array([_integral(item, _turned(drawing, item, k)) for k in range(count)])
    size = np.linalg.norm(whole, axis=1)
    sizes = np.linalg.norm(np.asarray(item["vectors"], float), axis=1)
    if size.min() < 0.05 * _integral(item, sizes):
        return None
    return np.einsum("kx,kx->k", found, whole) / size**2


def _integral(item: dict, values: np.ndarray) -> np.ndarray:
    return np.trapezoid(values, np.asarray(item["places"], float), axis=0)


def _at(drawing: Drawing, item: dict, rows: np.ndarray) -> np.ndarray:
    """Rows at a beam's stations, interpolated at the places of a load."""
    stations = drawing.mechanism.bodies[item["beam"]]["stations"]
    return np.column_stack([np.interp(item["places"], stations, x) for x in rows.T])


def _places(drawing: Drawing, item: dict, k: int) -> np.ndarray:
    return _at(drawing, item, drawing.mechanism.motion.beams[item["beam"]].r[k])


def _turned(drawing: Drawing, item: dict, k: int) -> np.ndarray:
    """The full load per length at its places, in space; follower loads rotate with the sections."""
    given = np.asarray(item["vectors"], float)
    if not item["follower"]:
        return given
    line = drawing.mechanism.motion.beams[item["beam"]]
    sections = []
    for at in (0, k):
        d2, d3 = (_at(drawing, item, d[at]) for d in (line.d2, line.d3))
        sections.append(np.stack([np.cross(d2, d3), d2, d3], axis=-1))
    local = np.linalg.solve(sections[0], given[..., None])
    return (sections[1] @ local)[..., 0]
