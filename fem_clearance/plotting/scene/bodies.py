"""Parts of bodies: their given shapes, else links from joint to joint; beams, solids."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from scipy.spatial import ConvexHull

from . import parts
from .deformed import beam_parts, solid_parts
from .drawing import EARTH, Drawing, Part
from .mechanism import GROUND, GUIDES, NEAR, joins
from .outlines import circle
from .outlines import link as link_outline
from .poses import across, between, matrix, triad, unit
from .shapes import mesh_of

#: outer radius of a bush by its bore's
BUSH = 1.2


def body_parts(drawing: Drawing, name: str) -> list[Part]:
    """Parts of one body."""
    body = drawing.mechanism.bodies[name]
    if body["type"] == "beam":
        return beam_parts(drawing, body)
    if body["type"] == "solid":
        return solid_parts(drawing, body)
    if body["type"] == GROUND:
        return []
    mesh = rigid_mesh(drawing, name)
    if mesh is None:
        return []
    place = drawing.mechanism.body(name)
    found = [Part(name, mesh, place, "body", drawing.colors[name])]
    return [*found, *_stretched_arms(drawing, name, place)]


def ground_parts(drawing: Drawing) -> list[Part]:
    """The shape of the ground, if it has one."""
    body = drawing.mechanism.bodies.get(GROUND) or {}
    mesh = mesh_of(body["shape"]) if body.get("shape") else None
    if mesh is None:
        return []
    return [Part(GROUND, mesh, drawing.mechanism.pose(body["frame"]), GROUND, EARTH)]


def rigid_mesh(drawing: Drawing, name: str) -> pv.PolyData | None:
    """Mesh of a rigid body in its axes: its given shape, else links between its joints."""
    m = drawing.mechanism
    body = m.bodies[name]
    shape = body.get("shape") or {}
    if shape and (mesh := mesh_of(shape)) is not None:
        return parts.merged([mesh, *_arms(drawing, name, mesh)])
    if body["type"] != "rigid":  # a frame without mass
        return None
    found = m.distinct(name)
    first = matrix(m.motion.triad[0, body["frame"]], m.start(body["frame"]))
    back = np.linalg.inv(first)
    if len(found) >= 2:
        mesh = _linked(drawing, found, shape)
    else:
        mesh = _alone(drawing, name, [m.start(f) for _, f in found], first[:3, 3])
    return mesh.transform(back, inplace=False)


def _stretched_arms(drawing: Drawing, name: str, place) -> Iterator[Part]:
    """Bars from a body that spins in an enlarged motion to its joints."""
    m, r = drawing.mechanism, 0.4 * drawing.knuckle
    if not m.spins(name):
        return
    for _, f in m.distinct(name):
        joint = m.pose(f)
        length = float(np.linalg.norm(joint(0)[:3, 3] - place(0)[:3, 3]))
        if length > r:
            bar = parts.bar(r, 0.0, length)
            yield Part(name, bar, between(place, joint, length), "body", drawing.colors[name])


def _arms(drawing: Drawing, name: str, mesh: pv.PolyData) -> Iterator[pv.PolyData]:
    """Bars from the body's origin to joints that its shape does not reach."""
    m = drawing.mechanism
    frame = m.bodies[name]["frame"]
    back = np.linalg.inv(matrix(m.motion.triad[0, frame], m.start(frame)))
    normal = back[:3, :3] @ m.normal
    for item, f in m.distinct(name):
        x = back[:3, :3] @ m.start(f) + back[:3, 3]
        apart = pv.PolyData(x[None]).compute_implicit_distance(mesh)["implicit_distance"][0]
        if not joins(item) and item["type"] != "sliding" or apart < 0.3 * drawing.knuckle:
            continue
        r, long = drawing.knuckle, float(np.linalg.norm(x))
        if long < 0.5 * r:  # as within a bore
            continue
        if m.flat and abs(x @ normal) < 0.5 * long:
            heights = mesh.points @ normal
            low, high = heights.min(), heights.max()
            low = max(low, high - drawing.thickness)
            bar = parts.link(long, r, r, 0.55 * r, low, high)
            yield bar.transform(matrix(triad(x, normal)), inplace=False)
        else:
            yield _rod(np.zeros(3), x, 0.4 * r)


def _eyes(drawing: Drawing, found, knuckle: float) -> Iterator[tuple[np.ndarray, float, float]]:
    """Place, radius and bore of a link's eyes."""
    m = drawing.mechanism
    for item, f in found:
        sizes = item.get("sizes") or {}
        bore = sizes.get("liner_radius") or sizes.get("bearing_radius") or 0.0
        bore = BUSH * bore if f == item.get("frame_i") and item["type"] in BORED else 0.0
        yield m.start(f), max(knuckle, 1.3 * bore), bore


#: items whose side i has a bore
BORED = {"clearance_revolute", "clearance_cylindrical", "film"}


def _linked(drawing: Drawing, found, shape: dict) -> pv.PolyData:
    """A plate through all joints of a plane mechanism, rods between those in space.

    Args:
        shape: a rod or link without a length, whose other sizes are kept; or none.
    """
    knuckle = 0.65 * shape.get("width", drawing.knuckle / 0.65)
    eyes = [*_eyes(drawing, found, knuckle)]
    x = np.array([e[0] for e in eyes])
    if not drawing.mechanism.flat or shape.get("type") == "rod":
        cut = [_cut(i, f) for i, f in found]
        middle = x.mean(axis=0)
        ends = [(x[0], cut[0], x[1], cut[1])] if len(x) == 2 else [
            (middle, 0.0, p, c) for p, c in zip(x, cut, strict=True)
            if np.linalg.norm(p - middle) > c + NEAR * drawing.mechanism.size
        ]  # fmt: skip
        sockets = [(i.get("sizes") or {}).get("socket_radius") for i, _ in found]
        radius = min([0.45 * drawing.knuckle, *(0.45 * s for s in sockets if s)])
        radius = shape.get("radius", radius)
        return parts.merged([_rod(a, b, radius, s, t) for a, s, b, t in ends])
    half, n = shape.get("thickness", drawing.thickness) / 2, drawing.normal
    far = max(((a, b) for b in range(len(x)) for a in range(b)), key=lambda p: np.linalg.norm(
        x[p[0]] - x[p[1]]))  # fmt: skip
    a, b = far
    axes = matrix(triad(x[b] - x[a], n), x[a])
    flat = np.array([np.linalg.solve(axes, [*p, 1.0])[:2] for p in x])
    radii = [e[1] for e in eyes]
    if np.abs(flat[:, 1]).max() < 0.02 * drawing.mechanism.size:
        waist = 0.5 * shape.get("width", 1.1 * min(radii[a], radii[b]))
        outline = link_outline(flat[b, 0], radii[a], radii[b], waist)
    else:
        rims = np.concatenate([circle(r, c) for c, r in zip(flat, radii, strict=True)])
        outline = rims[ConvexHull(rims).vertices]
    holes = [circle(e[2], c) for c, e in zip(flat, eyes, strict=True) if e[2]]
    return parts.plate([outline, *holes], -half, half).transform(axes, inplace=False)


def _rod(a, b, radius: float, start: float = 0.0, end: float = 0.0) -> pv.PolyData:
    """A round bar from one point to another, shortened at its ends by ``start`` and ``end``."""
    along = unit(b - a)
    return parts.tube(np.linspace(a + start * along, b - end * along, 3), radius)


def _cut(item: dict, frame: int) -> float:
    """Distance from a joint at which a bar ends: at the socket's shell, or inside the ball."""
    sizes = item.get("sizes") or {}
    if item["type"] != "clearance_spherical":
        return 0.0
    return (1.2 if frame == item["frame_i"] else 0.3) * sizes["socket_radius"]


def _alone(drawing: Drawing, name: str, joints, centre) -> pv.PolyData:
    """A body with one joint or none: a block that slides, a bob on its rod, or a ball."""
    m, r = drawing.mechanism, drawing.knuckle
    sliding = [i for i, _ in m.on[name] if i["type"] in GUIDES and m.axis(i) is not None]
    if sliding:
        axis = m.axis(sliding[0])
        z = m.normal if abs(axis @ m.normal) < 0.9 else across(axis)
        bore = max(((i.get("sizes") or {}).get("bearing_radius") or 0.0 for i, _ in m.on[name]))
        size = max(3.2 * r, 3.5 * bore), max(2.2 * r, 2.9 * bore), drawing.thickness
        mesh = parts.block(size, 0.2 * r)
        return mesh.transform(matrix(triad(axis, z), centre), inplace=False)
    box = m.bodies[name].get("box")
    if box:
        edges = np.sort(box["edges"])
        if edges[2] > 5 * edges[1]:  # slender
            way = np.asarray(box["orientation"], float)[:, np.argmax(box["edges"])]
            way = m.motion.triad[0, m.bodies[name]["frame"]] @ way * edges[2] / 2
            return _rod(centre - way, centre + way, 0.4 * r)
    ball = parts.ball(1.3 * r).translate(centre, inplace=False)
    if joints and np.linalg.norm(joints[0] - centre) > 2 * r:
        cut = _cut(*m.on[name][0]) if m.on[name] else 0.0
        return parts.merged([_rod(joints[0], centre, 0.4 * r, cut, 1.2 * r), ball])
    return ball
