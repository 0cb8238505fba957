"""Rolling wheels and balls, with marks that show their rotation, and what they roll on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import parts
from .drawing import EARTH, INK, STEEL, Drawing, Part
from .mechanism import GROUND
from .poses import across, fixed, matrix, then, triad, unit
from .shapes import mesh_of


def rolling(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Marks: a spoke on either face of a wheel, two great circles on a ball."""
    j, radius = item.get("frame_j"), item["sizes"]["radius"]
    if j is None:
        return
    m, name = drawing.mechanism, drawing.body_of(j)
    place, color = m.pose(j), drawing.colors.get(name, STEEL)
    shaped = bool(m.bodies[name].get("shape"))
    if item.get("axis_j") is None:
        if not shaped:
            yield Part(name, parts.ball(radius), place, "body", color)
        band = parts.ring(0.99 * radius, 1.006 * radius, -0.05 * radius, 0.05 * radius)
        other = band.rotate_x(90, inplace=False)
        yield Part(item["name"], parts.merged([band, other]), place, color=INK, outline=0)
    else:
        axis = unit(item["axis_j"])
        wheel = matrix(triad(across(axis), axis))
        low, high = _faces(drawing, item, axis)
        spoke = parts.block((0.8 * radius, 0.14 * radius, high - low + 0.03 * radius))
        spoke = spoke.translate((0.5 * radius, 0, (low + high) / 2))
        yield Part(item["name"], spoke, then(place, wheel), color=INK, outline=0)
        if not shaped:
            rim = parts.ring(0.85 * radius, radius, low, high)
            yield Part(name, rim, then(place, wheel), "body", color)
    yield from _way(drawing, item)


def _faces(drawing: Drawing, item: dict, axis: np.ndarray) -> tuple[float, float]:
    """Ends of the wheel's body along its axis, from frame j, m."""
    m, j = drawing.mechanism, item["frame_j"]
    name = drawing.body_of(j)
    body = m.bodies[name]
    mesh = mesh_of(body["shape"]) if body.get("shape") else None
    if mesh is None:
        half = 0.12 * item["sizes"]["radius"]
        return -half, half
    space = matrix(m.motion.triad[0, body["frame"]], m.start(body["frame"]))
    points = mesh.points @ space[:3, :3].T + space[:3, 3] - m.start(j)
    along = points @ (m.motion.triad[0, j] @ axis)
    return float(along.min()), float(along.max())


def _way(drawing: Drawing, item: dict) -> Iterator[Part]:
    """The plane, rack or socket on which it rolls, if that is the ground without a shape."""
    m, i, j = drawing.mechanism, item.get("frame_i"), item["frame_j"]
    radius, socket = item["sizes"]["radius"], item["sizes"].get("socket_radius")
    if i is None or drawing.body_of(i) != GROUND or m.bodies[GROUND].get("shape"):
        return
    place = m.pose(i)
    if socket:
        turn = triad(np.cross(m.up, drawing.eye), drawing.eye)  # the half behind the ball
        shell = parts.socket(socket, socket + 0.12 * radius)
        pose = matrix(turn, place(0)[:3, 3])
        yield Part(item["name"], shell, fixed(pose), GROUND, EARTH)
        return
    way = m.drawn(j)
    if item.get("along") is not None:
        x = unit(m.motion.triad[0, i] @ item["along"])
        side = way[0] - place(0)[:3, 3]
        y = unit(side - (side @ x) * x)
    else:
        y = unit(m.motion.triad[0, i] @ item["normal"])
        x = np.linalg.svd((way - way.mean(0)) @ (np.eye(3) - np.outer(y, y)))[2][0]
        x = unit(x - (x @ y) * y) if np.ptp(way, axis=0).max() > 1e-9 * m.size else across(y)
    axes = np.column_stack([x, y, np.cross(x, y)])
    local = (way - place(0)[:3, 3]) @ axes
    low, high = local.min(0)[[0, 2]] - 1.5 * radius, local.max(0)[[0, 2]] + 1.5 * radius
    if item.get("along") is not None or np.ptp(local[:, 2]) < 1e-6 * m.size:
        low[1], high[1] = local[0, 2] - 0.4 * radius, local[0, 2] + 0.4 * radius
    thick, size = 0.15 * radius, high - low
    block = parts.block((size[0], thick, size[1]))
    middle = (low + high) / 2
    pose = matrix(axes, place(0)[:3, 3] + axes @ (middle[0], -thick / 2, middle[1]))
    yield Part(item["name"], block, fixed(pose), GROUND, EARTH)
