"""Parts of joints without clearance, of springs, loads and probes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv

from . import parts
from .drawing import BRASS, EARTH, INK, TRACE, Drawing, Part
from .ground import hatched, rails, shaft, stand
from .mechanism import GROUND
from .poses import across, angles, between, fixed, matrix, then, triad


def sides(drawing: Drawing, item: dict) -> tuple[int | None, int | None]:
    """Frames of an item on the ground and on a body: those of a joint with the ground."""
    frames = [*drawing.frames(item)]
    ground = [f for f in frames if drawing.body_of(f) == GROUND]
    body = [f for f in frames if drawing.body_of(f) != GROUND]
    return (ground[0] if ground else None), (body[0] if body else None)


def pinned(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A pin about an axis, with a bracket if it is on the ground."""
    frames, r = [*drawing.frames(item)], drawing.knuckle
    if not frames:
        return
    ground, body = sides(drawing, item)
    frame = frames[0] if body is None else body
    if drawing.mechanism.flat:
        low, high = drawing.slab(frames, frame, None)
        if ground is not None:
            low -= 1.3 * drawing.thickness
        high += 0.3 * drawing.thickness
    else:
        low, high = -1.1 * r, 1.1 * r
    radius = max(0.5 * r, *(drawing.bore(f) for f in frames))
    yield Part(item["name"], parts.cylinder(radius, low, high), drawing.flat(item, frame))
    if ground is not None and body is not None:
        yield from stand(drawing, item, ground, body)


def balls(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A small ball, with a post if it is on the ground."""
    ground, body = sides(drawing, item)
    frame = ground if body is None else body
    if frame is None:
        return
    ball = parts.ball(0.55 * drawing.knuckle)
    yield Part(item["name"], ball, drawing.mechanism.pose(frame))
    if ground is not None and body is not None:
        yield from stand(drawing, item, ground, body, round_=True)


def weight(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A point mass, a ball."""
    frame = item.get("frame_i")
    if frame is not None:
        ball = parts.ball(0.8 * drawing.knuckle)
        yield Part(item["name"], ball, drawing.mechanism.pose(frame), color=INK)


def crossed(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A universal joint: in a plane mechanism a pin, else a ball."""
    yield from (pinned if drawing.mechanism.flat else balls)(drawing, item)


def sleeve(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A sleeve that slides along a beam, and the pin that carries it."""
    m, line = drawing.mechanism, drawing.mechanism.motion.beams.get(item.get("beam"))
    j = item.get("frame_j")
    if line is None or j is None:
        return
    beam = m.bodies[item["beam"]]
    radius = float(np.linalg.norm(beam["section"]["outline"], axis=1).max())
    lift = (m.lift.get(beam["name"], 0.0) - m.lift.get(drawing.body_of(j), 0.0)) * m.normal
    pin = m.pose(j)

    def place(k):
        x, at = line.r[k], pin(k)[:3, 3]
        near = np.linalg.norm(x - m.motion.position[k, j], axis=1).argmin()
        along = x[min(near + 1, len(x) - 1)] - x[max(near - 1, 0)]
        return matrix(triad(across(along), along), at + lift)

    ring = parts.ring(1.03 * radius, 1.6 * radius, -2.2 * radius, 2.2 * radius)
    yield Part(item["name"], ring, place, color=BRASS)
    if m.flat and drawing.body_of(j) in drawing.ranges:
        low, high = drawing.layer(j)
        reach = float(lift @ m.normal)
        bolt = parts.cylinder(0.45 * radius, (low + high) / 2, reach + 1.9 * radius)
        yield Part(item["name"], bolt, drawing.upright(pin))


def guided(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Rails on the ground."""
    ground, body = sides(drawing, item)
    if ground is None or body is None or drawing.mechanism.loose(ground, body):
        return
    if drawing.mechanism.axis(item) is not None:
        yield from rails(drawing, item, body)


def on_shaft(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A bar on the ground along which something slides and turns."""
    ground, body = sides(drawing, item)
    if ground is not None and body is not None and drawing.mechanism.axis(item) is not None:
        yield from shaft(drawing, item, body)


def clamped(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A hatched wall at a body that is fixed to the ground."""
    ground, body = sides(drawing, item)
    if ground is None or body is None:
        return
    m, r = drawing.mechanism, drawing.knuckle
    at = m.drawn(body)[0]
    centre = np.mean([m.start(f) for _, f in m.on[m.owner[body]]], axis=0)
    if m.owner[body] in m.motion.beams:
        centre = m.motion.beams[m.owner[body]].r[0].mean(axis=0)
    out = centre - at
    if np.linalg.norm(out) < 1e-9 * m.size:
        out = m.up
    turn = triad(np.cross(out, drawing.normal), drawing.normal)  # y towards the body
    pose = matrix(turn, at)
    mesh = parts.block((5 * r, 0.8 * r, 2 * r)).translate((0, -0.4 * r, 0))
    yield Part(item["name"], mesh, fixed(pose), GROUND, EARTH)
    back = pose @ matrix(at=(0, -0.8 * r, r))
    yield hatched(drawing, item["name"], 5 * r, fixed(back))


def elastic(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A spring, a damper, or both side by side."""
    if item.get("springs", True):
        yield from coil(drawing, item)
    if item.get("damps", False):
        yield from dashpot(drawing, item)


def coil(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A spring between two points; it is stretched along its axis."""
    i, j = item.get("frame_i"), item.get("frame_j")
    if i is None or j is None:
        return
    m, r = drawing.mechanism, drawing.knuckle
    a, b = m.pose(i), m.pose(j)
    first = np.linalg.norm(b(0)[:3, 3] - a(0)[:3, 3])
    if first < 1e-6 * m.size:
        return
    yield Part(item["name"], parts.spring(first, 0.6 * r, 0.1 * r, 9), between(a, b, first))
    for frame, place in ((i, a), (j, b)):
        if drawing.body_of(frame) == GROUND:
            yield from _wall(drawing, item, place, b if place is a else a)


def dashpot(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A damper between two points: a pot and a rod that dips into it."""
    i, j = item.get("frame_i"), item.get("frame_j")
    if i is None or j is None:
        return
    m, r = drawing.mechanism, drawing.knuckle
    a, b = m.pose(i), m.pose(j)
    lengths = np.linalg.norm(m.drawn(j) - m.drawn(i), axis=1)
    if lengths.min() < 1e-6 * m.size:
        return
    pot = parts.bar(0.5 * r, 0.0, 0.6 * lengths.min())
    rod = parts.bar(0.18 * r, -0.6 * lengths.max(), 0.0)
    yield Part(item["name"], pot, between(a, b, None))
    yield Part(item["name"], rod, between(b, a, None, back=True))


def _wall(drawing: Drawing, item: dict, at, other) -> Iterator[Part]:
    r = drawing.knuckle
    p = at(0)[:3, 3]
    out = other(0)[:3, 3] - p
    z = drawing.normal if abs(out @ drawing.normal) < 0.9 * np.linalg.norm(out) else across(out)
    pose = matrix(triad(np.cross(out, z), z), p)  # y towards the other end
    mesh = parts.block((4 * r, 0.5 * r, 2 * r)).translate((0, -0.25 * r, 0))
    yield Part(item["name"], mesh, fixed(pose), GROUND, EARTH)
    back = pose @ matrix(at=(0, -0.5 * r, r))
    yield hatched(drawing, item["name"], 4 * r, fixed(back))


def bar(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A bar without mass that keeps two points at a distance."""
    i, j = item.get("frame_i"), item.get("frame_j")
    if i is None or j is None:
        return
    m, r = drawing.mechanism, drawing.knuckle
    length = float(np.linalg.norm(m.drawn(j)[0] - m.drawn(i)[0]))
    if length < 1e-6 * m.size:
        return
    rod = parts.bar(0.25 * r, 0.0, length)
    yield Part(item["name"], rod, between(m.pose(i), m.pose(j), length))
    for frame in (i, j):
        yield Part(item["name"], parts.ball(0.5 * r), m.pose(frame))


def mark(drawing: Drawing, item: dict) -> Iterator[Part]:
    """An item of which only its frames are known: balls there, and a bar between two of them."""
    if item.get("frame_i") is not None and item.get("frame_j") is None:
        yield from weight(drawing, item)
    yield from bar(drawing, item)


def trace(drawing: Drawing, item: dict) -> Iterator[Part]:
    """The path of a probe's point so far, which fades."""
    names = [(item.get("channels") or {}).get(x) for x in "xyz"]
    frame = item.get("frame_i")
    m = drawing.mechanism
    if frame is None:
        return
    times, path = m.motion.time, m.motion.position[:, frame]
    if m.motion_scale != 1.0:
        path = m.drawn(frame)
    elif drawing.results is not None and all(n is not None and n in drawing.results for n in names):
        times = drawing.results.time
        path = np.column_stack([drawing.results[n] for n in names])
    span = np.ptp(path, axis=0).max(initial=0.0)
    if span < 0.02 * m.size:
        return
    last = m.motion.time[-1] - m.motion.time[0]
    ink = np.array([int(TRACE[n : n + 2], 16) for n in (1, 3, 5)]) / 255
    lift = 0.0 if m.motion_scale != 1.0 else m.lift.get(m.owner[frame], 0.0) * m.normal

    def line(k):
        t = m.motion.time[k]
        mine = (times <= t) & (times >= t - 0.4 * last)
        x = path[mine]
        if len(x) < 2:
            return None
        if len(x) > 400:
            x = x[np.linspace(0, len(x) - 1, 400).astype(int)]
        mesh = pv.lines_from_points(x + lift)
        fade = np.linspace(0.1, 1, len(x))[:, None]
        mesh["rgb"] = (255 * (1 - fade * (1 - ink))).astype(np.uint8)
        return mesh

    yield Part(item["name"], line, None, "trace", TRACE, outline=0, lit=False, width=3.0)


def round_arrow(drawing: Drawing, item: dict) -> Iterator[Part]:
    """An arrow around the axis of a drive, in its initial sense of rotation."""
    ground, body = sides(drawing, item)
    m, r = drawing.mechanism, drawing.knuckle
    axis = m.axis(item)
    if item.get("motion") == "translation" or not m.flat or m.count < 2:
        return
    if ground is None or body is None or axis is None:
        return
    turn = m.motion.triad[1, body] @ m.motion.triad[0, body].T
    sign = np.sign(angles(turn[None], m.normal)[0]) or 1.0
    arrow = parts.round_arrow(1.75 * r, 0.09 * r, sign)
    high = drawing.reach(body) + 0.2 * drawing.thickness
    front = then(drawing.upright(m.pose(ground)), matrix(at=(0, 0, high)))
    yield Part(item["name"], arrow, front, "force", INK, outline=0)
