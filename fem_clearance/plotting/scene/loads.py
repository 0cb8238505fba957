"""Loads as arrows: forces and torques, tractions and pressures on facets of solids.

Lengths are proportional to the square root of the load, like those of contact forces. Forces and
torques of a mechanism each share a scale; each traction and pressure has its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import parts
from .bodies import rigid_mesh
from .deformed import on_solid
from .drawing import LEAST, LOAD, Drawing, Part, arrow_length
from .poses import across, matrix, triad, unit

#: longest arrows, by the mechanism's size: of forces, of facets' loads
LONG, SHORT = 0.22, 0.12


def vectors(drawing: Drawing, item: dict) -> np.ndarray | None:
    """Components x, y, z of a load at the recorded instants, (n, 3); ``None`` if not recorded."""
    found = [x for n in "xyz" if (x := drawing.channel(item, n)) is not None]
    return np.column_stack(found) if len(found) == 3 else None


def _largest(drawing: Drawing, kind: str) -> float:
    """The largest load of a type."""
    sizes = [
        np.linalg.norm(v, axis=1).max() for i in drawing.mechanism.items
        if i["type"] == kind and (v := vectors(drawing, i)) is not None
    ]  # fmt: skip
    return float(max(sizes, default=0.0))


def force(drawing: Drawing, item: dict) -> Iterator[Part]:
    """An arrow that ends at the point if the force pushes on the body, and begins there if it
    pulls."""
    found, frame = vectors(drawing, item), item.get("frame_i")
    top = _largest(drawing, item["type"])
    if found is None or frame is None or top <= 0:
        return
    m, place = drawing.mechanism, drawing.mechanism.pose(frame)
    long, out = LONG * m.size, _outside(drawing, frame)
    inside = _middle(drawing, frame)
    mesh = parts.arrow(1.0, 0.1)

    def where(k):
        size = np.linalg.norm(found[k])
        if size < LEAST * top:
            return None
        way, at = found[k] / size, place(k)[:3, 3]
        length = long * arrow_length(size / top)
        pushes = way @ (inside(k) - at) > 1e-6 * m.size
        start = at + out(k, -way if pushes else way) - (length * way if pushes else 0.0)
        return matrix(length * triad(*across_eye(way, drawing.eye)), start)

    yield Part(item["name"], mesh, where, "force", LOAD, outline=1.5)


def across_eye(way: np.ndarray, eye: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Direction of a load, and the direction across it that is closest to the eye."""
    z = eye - (eye @ way) * way
    return way, unit(z) if np.linalg.norm(z) > 1e-6 else across(way)


def _outside(drawing: Drawing, frame: int):
    """(k, direction) -> vector from a drawn frame to a place where an arrow is visible: in front of
    a link of a plane mechanism, a slider in its guide or a ball in its socket; where a line in the
    direction leaves other rigid bodies."""
    m, name = drawing.mechanism, drawing.mechanism.owner[frame]
    guides = [i for i, _ in m.on[name] if i["type"] == "clearance_translational"]
    if m.flat or guides:
        high = drawing.reach(frame) if m.flat else _half_width(guides[0])
        side = drawing.normal if m.flat else _sideways(drawing, guides[0])
        lift = (high + 0.1 * drawing.thickness) * side
        return lambda k, way: lift
    for item, f in m.on[name]:
        if item["type"] == "clearance_spherical" and f == item["frame_j"]:
            radius = item["sizes"]["ball_radius"]
            if np.linalg.norm(m.start(f) - m.start(frame)) < radius:
                return lambda k, way: radius * drawing.eye
    mesh = rigid_mesh(drawing, name) if m.bodies[name]["type"] == "rigid" else None
    if mesh is None:
        return lambda k, way: np.zeros(3)
    place, at = m.body(name), m.pose(frame)

    def out(k, way):
        back = np.linalg.inv(place(k))
        start, along = back @ at(k)[:, 3], back[:3, :3] @ way
        end = start[:3] + 2 * (mesh.length + np.linalg.norm(start[:3])) * along
        hits, _ = mesh.ray_trace(start[:3], end)
        return (max((hits - start[:3]) @ unit(along)) if len(hits) else 0.0) * way

    return out


def _half_width(guide: dict) -> float:
    """Half of a drawn slider's width, m."""
    return guide["sizes"].get("width", 0.0) / 2 or 0.3 * guide["sizes"]["gap"]


def _sideways(drawing: Drawing, guide: dict) -> np.ndarray:
    """Direction of a guide's width, towards the eye."""
    z = np.cross(guide["axis"], guide["across"])
    z = unit(drawing.mechanism.motion.triad[0, guide["frame_i"]] @ z)
    return z if z @ drawing.eye >= 0 else -z


def _middle(drawing: Drawing, frame: int):
    """k -> a point within the body of a frame."""
    m, name = drawing.mechanism, drawing.mechanism.owner[frame]
    if name in m.motion.beams:
        return lambda k: m.motion.beams[name].r[k].mean(axis=0)
    own = m.bodies[name].get("frame")
    others = [f for _, f in m.on[name]] if own is None else [own]
    return lambda k: m.motion.position[k, others].mean(axis=0)


def torque(drawing: Drawing, item: dict) -> Iterator[Part]:
    """An arrow around the direction of the torque, about the point."""
    found, frame = vectors(drawing, item), item.get("frame_i")
    top = _largest(drawing, item["type"])
    if found is None or frame is None or top <= 0:
        return
    m, place = drawing.mechanism, drawing.mechanism.pose(frame)
    radius, out = 2.1 * drawing.knuckle, _outside(drawing, frame)
    mesh = parts.round_arrow(1.0, 0.055)

    def where(k):
        size = np.linalg.norm(found[k])
        if size < LEAST * top:
            return None
        z = found[k] / size
        x = np.cross(m.up, z)
        turn = triad(x if np.linalg.norm(x) > 1e-6 else across(z), z)
        return matrix(radius * arrow_length(size / top) * turn, place(k)[:3, 3] + out(k, z))

    yield Part(item["name"], mesh, where, "force", LOAD, outline=1.0)


def traction(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Arrows along the force from spots on the facets."""
    found = vectors(drawing, item)
    if found is None or not np.any(found) or "points" not in item:
        return
    size = np.linalg.norm(found, axis=1)
    ways = found / np.maximum(size, 1e-300)[:, None]
    yield from _field(
        drawing, item, size / size.max(), lambda k, normals: np.tile(ways[k], (len(normals), 1))
    )


def pressure(drawing: Drawing, item: dict) -> Iterator[Part]:
    """Arrows against the surface, away from it where the pressure is negative."""
    sizes = pressures(drawing, item)
    if sizes is None or not np.abs(sizes).max() > 0:
        return
    yield from _field(
        drawing, item, sizes / np.abs(sizes).max(), lambda k, normals: -normals * np.sign(sizes[k])
    )


def pressures(drawing: Drawing, item: dict) -> np.ndarray | None:
    """Pressures at the recorded instants, Pa, from the resultant; 1 for a constant pressure on a
    closed surface. ``None`` if it is not recorded, or varies on a closed surface and is unknown."""
    found, whole = vectors(drawing, item), np.asarray(item.get("normal_area", (0, 0, 0)), float)
    if found is None or "area" not in item:
        return None
    size = np.linalg.norm(whole)
    if size < 0.05 * item["area"]:
        return np.ones(len(found)) if item["steady"] else None
    resultant = np.linalg.norm(found, axis=1)
    against = -np.einsum("nx,nxa,a->n", found, _turns(drawing, item), whole)
    return np.sign(against) * resultant / size


def _turns(drawing: Drawing, item: dict) -> np.ndarray:
    """Rotation of the facets as a whole since the start, (n, 3, 3)."""
    x = np.asarray(item["points"], float)
    now = on_solid(drawing, item["solid"], x)
    if now is None or len(x) < 3:
        return np.tile(np.eye(3), (drawing.mechanism.count, 1, 1))
    return np.array([_rotation(x, now(k)) for k in range(drawing.mechanism.count)])


def _rotation(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The rotation about the means that maps points closest to others (Kabsch)."""
    u, _, v = np.linalg.svd((y - y.mean(axis=0)).T @ (x - x.mean(axis=0)))
    return u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v))]) @ v


def _field(drawing: Drawing, item: dict, share: np.ndarray, ways) -> Iterator[Part]:
    """Arrows at spots of facets; those towards the surface end there."""
    x, normals = (np.asarray(item[n], float) for n in ("points", "normals"))
    now = on_solid(drawing, item["solid"], x)
    if now is None:
        return
    long = SHORT * drawing.mechanism.size
    mesh = parts.arrow(1.0, 0.07)

    def arrows(k):
        if abs(share[k]) < LEAST:
            return None
        at = now(k)
        turn = _rotation(x, at) if len(x) > 2 else np.eye(3)
        turned = normals @ turn.T
        length = long * arrow_length(abs(share[k]))
        found = []
        for p, way, n in zip(at, ways(k, turned), turned, strict=True):
            start = p - length * way if way @ n < 0 else p
            place = matrix(length * triad(*across_eye(way, drawing.eye)), start)
            found.append(mesh.transform(place, inplace=False))
        return parts.merged(found)

    yield Part(item["name"], arrows, None, "force", LOAD, outline=0)
