"""Parts of joints with clearance: bores and journals, balls and sockets; contact forces.

The drawn journal has the bore's radius less the enlarged clearance, and its centre has the enlarged
eccentricity: it touches the bore where the true one does, and its penetration is enlarged alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from . import parts
from .bodies import BUSH
from .deformed import solid_parts
from .drawing import BRASS, EARTH, FORCE, LEAST, Drawing, Part, arrow_length
from .films import film_parts, film_place
from .ground import hatched, stand
from .joints import sides
from .mechanism import GROUND
from .poses import Place, matrix, moved, then, triad, unit
from .wear import profiles

#: colour of liners
LINER = "#c77f4a"


def enlarged(drawing: Drawing, item: dict) -> tuple[float, float, float]:
    """Radius of the bore or socket, that of the drawn journal or ball, m, and the scale."""
    sizes, scale = item["sizes"], drawing.mechanism.scale.get(item["name"], 1.0)
    radius = sizes.get("bearing_radius") or sizes.get("socket_radius")
    return radius, radius - scale * sizes["clearance"], scale


def journal(drawing: Drawing, item: dict) -> Place:
    """Place of the drawn journal or ball: that of the drawn bore plus the enlarged eccentricity."""
    m = drawing.mechanism
    bore, other = m.pose(item["frame_i"]), m.pose(item["frame_j"])
    shift = drawing.mechanism.scale.get(item["name"], 1.0) * m.eccentricity(item)

    def place(k):
        return matrix(other(k)[:3, :3], bore(k)[:3, 3] + shift[k])

    return place


def bore(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A bush (on the ground a housing), a liner if there is one, and the journal."""
    m, name = drawing.mechanism, item["name"]
    radius, drawn, _ = enlarged(drawing, item)
    hold = item["sizes"].get("liner_radius") or radius  # of what the housing holds
    i, j = item["frame_i"], item["frame_j"]
    ground, body = sides(drawing, item)
    if m.flat:
        length = item["sizes"].get("length")
        bare = drawing.body_of(i) == GROUND or drawing.body_of(j) in drawing.shafts
        low, high = drawing.slab([j if bare else i], i, length)
        ends = [*drawing.slab((i, j), i, length)]
        shaft = drawing.between([j], i) != drawing.slab([j], i, length)
    else:
        shaft, length = False, item["sizes"].get("length") or 1.6 * radius
        low = item["sizes"].get("start", -length / 2)
        high = low + length
        ends = [low - 0.1 * length, high + 0.1 * length]
    flat = drawing.flat(item, i)
    if drawing.body_of(i) == GROUND:
        axis = m.axis(item)
        z = None if axis is None or abs(axis @ m.up) > 0.9 else axis
        up = drawing.upright(m.pose(i), z)
        height, foot = 2.15 * hold, 1.9 * hold
        if m.flat and not shaft:
            low, high = low - 1.2 * drawing.thickness, low - 0.1 * drawing.thickness
            ends.append(low)
        mesh = parts.housing(hold, 1.42 * hold, height, foot, low, high)
        yield Part(name, mesh, up, GROUND, EARTH)
        yield hatched(drawing, name, 2.4 * foot, then(up, matrix(at=(0, -height, high))))
    back, front = min(ends), max(ends) + 0.06 * (high - low)
    out = 0.0 if drawing.body_of(i) == GROUND else 0.05 * (high - low)
    bush, at = (low - out, high + out), journal(drawing, item)
    worn = profiles(drawing, item, (radius, drawn), BUSH * hold, (bush, (back, front)))
    if drawing.body_of(i) != GROUND:
        if worn is None:
            yield Part(name, parts.ring(hold, BUSH * hold, *bush), flat, color=BRASS)
        else:
            base = m.pose(i)
            yield Part(name, lambda k: worn[0](k, base), color=BRASS)
    if worn is None:
        turning = moved(drawing.flat(item, j), at)
        yield Part(name, parts.cylinder(drawn, back, front), turning)
    else:
        yield Part(name, lambda k: worn[1](k, at))
    if hold > radius:
        yield from _liner(drawing, item, (radius, hold), bush)
    yield from film_parts(drawing, item, 1.02 * (high - low) / 2 if m.flat else None)
    if ground is not None and drawing.body_of(j) == GROUND:
        yield from stand(drawing, item, j, i)
    yield from force(drawing, item, hold, front * drawing.normal if m.flat else None)


def _liner(
    drawing: Drawing, item: dict, radii: tuple[float, float], ends: tuple[float, float]
) -> Iterator[Part]:
    """A liner from its own files, in the axes of its film; without files a ring."""
    m, name = drawing.mechanism, f"{item['name']}.liner"
    found = solid_parts(drawing, m.bodies[name]) if name in m.bodies else []
    for part in found:
        place = film_place(drawing, item, item["films"][0])
        fit = _fitted(item["sizes"], ends) if m.flat else np.eye(4)

        def mesh(k, made=part.mesh, place=place, fit=fit):
            return made(k).transform(place(k) @ fit, inplace=False)

        yield replace(part, mesh=mesh, color=LINER)
    if not found:
        rim = 0.03 * (ends[1] - ends[0])
        ring = parts.ring(radii[0], radii[1], ends[0] - rim, ends[1] + rim)
        yield Part(item["name"], ring, drawing.flat(item, item["frame_i"]), color=LINER)


def _fitted(sizes: dict, ends) -> np.ndarray:
    """Map of a liner along its axis to the drawn bush, beyond which it extends a little."""
    low, long = sizes.get("start", -sizes["length"] / 2), sizes["length"]
    stretch = 1.06 * (ends[1] - ends[0]) / long
    middle = (ends[0] + ends[1]) / 2 - stretch * (low + long / 2)
    return matrix(np.diag([1.0, 1.0, stretch]), (0.0, 0.0, middle))


def ball_and_socket(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Half a socket, open towards the eye, and the ball in it."""
    m, name = drawing.mechanism, item["name"]
    radius, drawn, _ = enlarged(drawing, item)
    ground, body = sides(drawing, item)
    turn = triad(np.cross(m.up, drawing.eye), drawing.eye)
    place = m.pose(item["frame_i"])
    facing = lambda k: matrix(turn, place(k)[:3, 3])  # noqa: E731
    yield Part(name, parts.socket(radius, 1.3 * radius), facing, color=BRASS)
    yield Part(name, parts.ball(drawn), journal(drawing, item))
    yield from film_parts(drawing, item)
    if ground is not None and body is not None:
        yield from stand(drawing, item, ground, body, round_=True)
    yield from force(drawing, item, radius, 0.6 * radius * drawing.eye)


def force(drawing: Drawing, item: dict, radius: float, lift=None) -> Iterator[Part]:
    """The force on the bore or socket as an arrow outwards from its surface."""
    found = outward(drawing, item)
    if found is None:
        return
    forces, top = found
    if top <= 0:
        return
    m = drawing.mechanism
    place = m.pose(item["frame_i"])
    lift = np.zeros(3) if lift is None else lift
    size = max(2.2 * radius, 0.14 * m.size)
    mesh = parts.arrow(1.0, 0.14)

    def where(k):
        share = float(np.linalg.norm(forces[k])) / top
        if share < LEAST:
            return None
        n, long = unit(forces[k]), size * arrow_length(share)
        return matrix(long * triad(n, drawing.eye), place(k)[:3, 3] + radius * n + lift)

    yield Part(item["name"], mesh, where, "force", FORCE, outline=1.5)


def lubricated(item: dict) -> bool:
    """Whether oil carries a part of the force of a joint with clearance."""
    return item["type"] == "film" or "film_force" in (item.get("channels") or {})


def outward(drawing: Drawing, item: dict) -> tuple[np.ndarray, float] | None:
    """Force on the bore or socket at the recorded instants, N, (n, 3), and what hardly any row of
    the run exceeds, N; ``None`` if nothing was recorded.

    A film pushes in any direction: of all of its force, across the axis of a bore. A dry contact
    pushes along the line of centres.
    """
    m, names = drawing.mechanism, item.get("channels") or {}
    if not lubricated(item):
        normal = drawing.channel(item, "normal_force")
        if normal is None:
            return None
        e = m.eccentricity(item)
        size = np.linalg.norm(e, axis=1, keepdims=True)
        sizes = np.abs(drawing.results[names["normal_force"]])
        lines = np.divide(e, size, out=np.zeros_like(e), where=size > 0)
        return np.abs(normal)[:, None] * lines, float(np.quantile(sizes, 0.995))
    parts = [f"force.{x}" for x in "xyz"]
    on_journal = [f for n in parts if (f := drawing.channel(item, n)) is not None]
    if len(on_journal) < len(parts):
        return None
    forces = -np.stack(on_journal, axis=1)
    if item["type"] != "clearance_spherical" and item.get("axis") is not None:
        axes = np.array([m.axis(item, k) for k in range(m.count)])
        forces -= np.einsum("ni,ni->n", forces, axes)[:, None] * axes
    sizes = np.linalg.norm([drawing.results[names[n]] for n in parts], axis=0)
    return forces, float(np.quantile(sizes, 0.995))
