"""The ground: brackets and ceilings that hold joints, rails of guides, and their hatching."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import parts
from .drawing import EARTH, INK, STEEL, Drawing, Part
from .mechanism import GROUND
from .poses import Place, across, fixed, matrix, then, triad

#: travel or length, by the mechanism's size, above which a guide is not drawn, as that of a belt
ENDLESS = 6.0


def hatched(drawing: Drawing, name: str, length: float, place: Place) -> Part:
    """Hatching at the x axis of a place, strokes towards -y."""
    r = drawing.knuckle
    mesh = parts.hatching(length, 0.5 * r, 0.5 * r)
    return Part(name, mesh, place, GROUND, INK, outline=0, lit=False)


def hangs(drawing: Drawing, frame: int, other: int | None) -> bool:
    """Whether the body on the other side of a joint with the ground stays below it."""
    m = drawing.mechanism
    if other is None:
        return False
    body = m.owner[other]
    points = [m.motion.position[:, f] for _, f in m.on[body]]
    centre = m.bodies.get(body, {}).get("frame")
    if centre is not None:
        points.append(m.motion.position[:, centre])
    if body in m.motion.beams:
        points.append(m.motion.beams[body].r.mean(axis=1))
    height = (np.mean(points, axis=0) - m.motion.position[:, frame]) @ m.up
    return bool(height.mean() < -0.15 * m.size)


def stand(
    drawing: Drawing, item: dict, ground: int, other: int | None, round_: bool = False
) -> Iterator[Part]:
    """The support of a joint on the ground: a bracket below it, or a ceiling above it.

    Args:
        item: the joint.
        ground: its frame on the ground.
        other: that on the body.
        round_: a post with the joint at its end, instead of a bracket with an eye.
    """
    m, name = drawing.mechanism, item["name"]
    r = max(drawing.knuckle, 0.9 * ((item.get("sizes") or {}).get("socket_radius") or 0.0))
    if other is not None:
        r = max(r, 1.25 * drawing.bore(other))
    axis = None if round_ else m.axis(item)
    if axis is not None and abs(axis @ m.up) > 0.9:  # it stands along its axis
        round_ = True
    z = axis if axis is not None and not round_ else drawing.front
    place = drawing.upright(m.pose(ground), z)
    hanging = hangs(drawing, ground, other)
    if hanging:  # upside down
        place = then(place, matrix(np.diag([-1.0, -1, 1])))
    height, depth = 2.6 * r, 0.8 * r
    if round_:
        socket = (item.get("sizes") or {}).get("socket_radius") or 0.0
        post = parts.cylinder(0.35 * r, 1.25 * socket, max(height, 3 * socket) - 0.4 * r)
        foot = parts.block((3.6 * r, 0.4 * r, 2.4 * r)).translate((0, 0.2 * r - height, 0))
        post = post.transform(matrix(triad((1, 0, 0), (0, -1, 0))), inplace=False)
        mesh, back, front = parts.merged([post, foot]), -1.2 * r, 1.2 * r
        wide = 3.6 * r
    else:
        low = drawing.layer(other)[0] if m.flat and other is not None else -0.7 * r
        back = low - 1.2 * drawing.thickness if m.flat else -0.5 * depth
        front = low - 0.1 * drawing.thickness if m.flat else 0.5 * depth
        mesh, wide = parts.pedestal(height, 1.2 * r, 1.7 * r, back, front), 4.4 * r
    yield Part(name, mesh, place, GROUND, EARTH)
    # strokes must not cover the edge at which they begin
    edge = matrix(at=(0, -height, back if hanging else front))
    yield hatched(drawing, name, wide, then(place, edge))


def rails(drawing: Drawing, item: dict, slider: int) -> Iterator[Part]:
    """Two rails of a guide on the ground, as long as the slider and its travel.

    Args:
        item: the guide.
        slider: frame of the body that slides.
    """
    m, r, name = drawing.mechanism, drawing.knuckle, item["name"]
    axis = m.axis(item)
    z = m.normal if abs(axis @ m.normal) < 0.9 else across(axis)
    turn = triad(axis, z)
    start = m.drawn(slider)
    travel = (start - start[0]) @ axis
    box = extent(drawing, m.owner[slider], turn, start[0])
    if max(np.ptp(travel), np.ptp(box[:, 0])) > ENDLESS * m.size:
        return
    x0, x1 = travel.min() + 1.5 * box[0, 0], travel.max() + 1.5 * box[1, 0]
    thick = 0.35 * min(box[1, 1] - box[0, 1], 2 * r)
    back, front = box[:, 2]
    middle, length = (x0 + x1) / 2, x1 - x0
    for sign, y in ((1, box[1, 1]), (-1, box[0, 1])):
        at = np.array([middle, y + sign * thick / 2, (back + front) / 2])
        mesh = parts.block((length, thick, front - back)).translate(at)
        yield Part(name, mesh, fixed(matrix(turn, start[0])), GROUND, EARTH)
        seen = front if (turn @ (0, sign, 0)) @ drawing.eye < 0 else back
        edge = matrix(
            np.diag([-1.0, -1, 1]) if sign > 0 else None, (middle, y + sign * thick, seen)
        )
        yield hatched(drawing, name, length, fixed(matrix(turn, start[0]) @ edge))


def shaft(drawing: Drawing, item: dict, slider: int) -> Iterator[Part]:
    """A round bar along which something slides, held by the ground."""
    m, r = drawing.mechanism, drawing.knuckle
    axis, x = m.axis(item), m.drawn(slider)
    travel = (x - x[0]) @ axis
    mesh = parts.cylinder(0.4 * r, travel.min() - 3 * r, travel.max() + 3 * r)
    yield Part(item["name"], mesh, fixed(matrix(triad(across(axis), axis), x[0])), GROUND, STEEL)


def extent(drawing: Drawing, body: str, turn: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Box of a body as it is drawn at the start, in given axes about a point, (2, 3), m."""
    from .bodies import rigid_mesh

    m, r = drawing.mechanism, drawing.knuckle
    if m.bodies.get(body, {}).get("type") == "rigid":
        mesh = rigid_mesh(drawing, body)
        if mesh is not None:
            pose = m.body(body)(0)
            x = (mesh.points @ pose[:3, :3].T + pose[:3, 3] - origin) @ turn
            return np.array([x.min(axis=0), x.max(axis=0)])
    half = np.array([1.6 * r, 1.1 * r, drawing.thickness / 2])
    return np.array([-half, half])
