"""Guides with clearance: a slider between two surfaces, a slider on a rod; contact forces there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...io.vtk import read_vtu
from . import parts
from .deformed import series
from .drawing import EARTH, FORCE, LEAST, STEEL, Drawing, Part, arrow_length
from .films import face_films, facet_film
from .ground import hatched
from .mechanism import GROUND
from .poses import Place, across, matrix, then, triad

#: corners of a slider: along and across the guide
CORNERS = {"rear": -1.0, "front": 1.0, "upper": 1.0, "lower": -1.0}


def _axes(item: dict) -> np.ndarray:
    """Directions of a guide in its frame, by columns: along, across, sideways."""
    x, y = np.asarray(item["axis"], float), np.asarray(item["across"], float)
    return np.column_stack([x, y, np.cross(x, y)])


def _turned(turn: np.ndarray, scale: float) -> np.ndarray:
    """A turn by ``scale`` times its angle."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(scale * Rotation.from_matrix(turn).as_rotvec()).as_matrix()


def slider_place(drawing: Drawing, item: dict) -> Place:
    """Place of the drawn slider: displacement across its guide and tilt are enlarged alike, so that
    its corners touch where the true ones do."""
    m, i, j = drawing.mechanism, item["frame_i"], item["frame_j"]
    scale = m.scale.get(item["name"], 1.0)
    guide, own = m.pose(i), m.pose(j)
    axes, slider = _axes(item), np.asarray(item["slider"], float)
    shift = scale * m.eccentricity(item)

    def place(k):
        base, now = guide(k), own(k)
        rails = base[:3, :3] @ axes
        tilt = rails.T @ now[:3, :3] @ slider
        along = (now[:3, 3] - base[:3, 3]) @ rails[:, 0]
        return matrix(rails @ _turned(tilt, scale), base[:3, 3] + along * rails[:, 0] + shift[k])

    return place


def translational(drawing: Drawing, item: dict) -> Iterator[Part]:
    """The slider, and the surfaces of its guide as rails."""
    m, name, sizes = drawing.mechanism, item["name"], item["sizes"]
    scale = m.scale.get(name, 1.0)
    gap, length = sizes["gap"], sizes["length"]
    height = gap - 2 * scale * sizes["clearance"]
    i, j = item["frame_i"], item["frame_j"]
    low, high = drawing.between([j], j) if m.flat else (-0.3 * gap, 0.3 * gap)
    if sizes.get("width"):
        low, high = -sizes["width"] / 2, sizes["width"] / 2
    place = slider_place(drawing, item)
    block = parts.block((length, height, high - low)).translate((0, 0, (low + high) / 2))
    body = drawing.body_of(j)
    yield Part(body, block, place, "body", drawing.colors.get(body, STEEL))
    start = then(m.pose(i), matrix(_axes(item)))
    travel = np.array([(np.linalg.inv(start(k)) @ place(k))[0, 3] for k in range(m.count)])
    x0, x1 = travel.min() - 0.8 * length, travel.max() + 0.8 * length
    thick = 0.25 * gap
    shift = m.lift.get(drawing.body_of(j), 0.0) if drawing.body_of(i) == GROUND else 0.0
    raised = lambda k: matrix(at=shift * m.normal) @ start(k)  # noqa: E731
    for sign, side in ((1.0, "upper"), (-1.0, "lower")):
        x = np.linspace(x0, x1, 161)
        shape = np.asarray(item.get("surfaces", {}).get(side, [[x0, 0.0], [x1, 0.0]]), float)
        inner = sign * (gap / 2 + scale * np.interp(x, *shape.T))
        outer = np.full(2, sign * (np.abs(inner).max() + thick))
        outline = np.column_stack([[*x, x1, x0], [*inner, *outer]])
        if sign < 0:
            outline = outline[::-1]
        yield Part(name, parts.plate([outline[::-1]], low, high), raised, GROUND, EARTH)
        if drawing.body_of(i) == GROUND:
            seen = high if sign * (m.up @ drawing.eye) <= 0 else low
            edge = matrix(np.diag([-sign, -sign, 1.0]), ((x0 + x1) / 2, outer[0], seen))
            yield hatched(drawing, name, x1 - x0, then(raised, edge))
    inside = 0.02 * (high - low)
    yield from face_films(
        drawing, item, place, raised, height / 2, gap, (low + inside, high - inside)
    )
    yield from _corner_forces(drawing, item, place, (length, height), high)


def _corner_forces(drawing: Drawing, item: dict, place: Place, size, front) -> Iterator[Part]:
    """Forces of a slider's corners on the guide."""
    found = {}
    for side in ("upper", "lower"):
        for end in ("rear", "front"):
            force = drawing.channel(item, f"{side}_{end}.normal_force")
            if force is not None:
                found[side, end] = np.abs(force)
    top = max((float(np.quantile(f, 0.99)) for f in found.values()), default=0.0)
    if top <= 0:
        return
    size_of = 0.18 * drawing.mechanism.size
    mesh = parts.arrow(1.0, 0.14)
    for (side, end), force in found.items():
        corner = np.array([CORNERS[end] * size[0] / 2, CORNERS[side] * size[1] / 2, front, 1.0])
        out = CORNERS[side]

        def where(k, force=force, corner=corner, out=out):
            share = force[k] / top
            if share < LEAST:
                return None
            now, long = place(k), size_of * arrow_length(share)
            turn = triad(out * now[:3, 1], drawing.eye)
            return matrix(long * turn, (now @ corner)[:3])

        yield Part(item["name"], mesh, where, "force", FORCE, outline=1.5)


def on_rod(drawing: Drawing, item: dict) -> Iterator[Part]:
    """The rod of a guide, and the slider around it, cut open; the item's axis lies across."""
    m, name, sizes = drawing.mechanism, item["name"], item["sizes"]
    scale = m.scale.get(name, 1.0)
    hole, i, j = sizes["hole_radius"], item["frame_i"], item["frame_j"]
    drawn = hole - scale * sizes["clearance"]
    y = m.axis(item)
    z = m.normal if abs(y @ m.normal) < 0.9 else across(y)
    turn = np.column_stack([np.cross(y, z), y, z])
    guide, shift = m.pose(i), scale * m.eccentricity_along(item)
    lift = m.lift.get(drawing.body_of(j), 0.0) * m.normal
    reach = max(0.35 * m.size, 12 * hole)
    at = lambda k: matrix(turn, guide(k)[:3, 3] + lift)  # noqa: E731
    yield Part(name, parts.bar(drawn, -reach, reach), at, GROUND, STEEL)
    if drawing.body_of(i) == GROUND:
        for end in (-1.0, 1.0):
            wall = parts.block((0.03 * m.size, 8 * hole, 4 * hole))
            wall = wall.translate((end * reach, 0, 0))
            yield Part(name, wall, at, GROUND, EARTH)
            edge = matrix(triad((0, -end, 0), (0, 0, 1)), (end * (reach + 0.015 * m.size), 0, 0))
            yield hatched(drawing, name, 8 * hole, then(at, edge))
    length, thick = 8 * hole, 1.6 * hole
    jaws = [
        parts.block((length, thick, 2.4 * hole)).translate((0, s * (hole + thick / 2), 0))
        for s in (1, -1)
    ]
    back = parts.block((length, 2 * hole + 2 * thick, 0.4 * hole)).translate((0, 0, -1.4 * hole))
    body = drawing.body_of(j)
    slider = lambda k: matrix(turn, guide(k)[:3, 3] + lift + shift[k])  # noqa: E731
    yield Part(body, parts.merged([*jaws, back]), slider, "body", drawing.colors.get(body, STEEL))
    yield from _rod_force(drawing, item, slider, hole, shift @ y)


def _rod_force(drawing: Drawing, item: dict, slider: Place, hole, shift) -> Iterator[Part]:
    """Force of the rod on the slider."""
    force = drawing.channel(item, "normal_force")
    if force is None or not np.abs(force).max() > 0:
        return
    top = float(np.quantile(np.abs(force), 0.99)) or float(np.abs(force).max())
    mesh, size = parts.arrow(1.0, 0.14), 0.12 * drawing.mechanism.size

    def where(k):
        share = abs(force[k]) / top
        if share < LEAST:
            return None
        now, out = slider(k), -np.sign(shift[k]) or 1.0
        long = size * arrow_length(share)
        at = now[:3, 3] + out * 2.6 * hole * now[:3, 1] + 2 * hole * now[:3, 2]
        return matrix(long * triad(out * now[:3, 1], drawing.eye), at)

    yield Part(item["name"], mesh, where, "force", FORCE, outline=1.5)


def surfaces(drawing: Drawing, item: dict) -> Iterator[Part]:
    """A guide's surface that facets of a solid touch."""
    m, name, gap = drawing.mechanism, item["name"], item["sizes"].get("gap")
    if gap is None or item.get("frame_i") is None:
        return
    sides = [item["side"]] if "side" in item else ["upper", "lower"]
    at = then(m.pose(item["frame_i"]), matrix(_axes(item)))
    solid = [f for _, f in m.on.get(item.get("solid") or "", [])] or [*range(len(m.owner))]
    along = (m.motion.position[:, solid].reshape(-1, 3) - at(0)[:3, 3]) @ at(0)[:3, 0]
    x0, x1 = along.min() - 1.6 * gap, along.max() + 1.6 * gap
    middle = (x0 + x1) / 2
    half = drawing.thickness / 2
    for film in item.get("films") or ():
        files = series(drawing.folder, film["series"], m.motion.time)
        if files is not None:
            wide = float(np.ptp(read_vtu(files[0])["points"][:, 1]))
            half = 0.49 * wide or half  # the oil stands out
            yield facet_film(drawing, item, film, files, 0.03 * gap)
    for side in sides:
        sign = CORNERS.get(side, 1.0)
        block = parts.block((x1 - x0, 0.25 * gap, 2 * half))
        block = block.translate((middle, sign * (gap / 2 + 0.125 * gap), 0))
        yield Part(name, block, at, GROUND, EARTH)
        seen = half if sign * (m.up @ drawing.eye) <= 0 else -half
        edge = matrix(np.diag([-sign, -sign, 1.0]), (middle, sign * 0.75 * gap, seen))
        yield hatched(drawing, name, x1 - x0, then(at, edge))
