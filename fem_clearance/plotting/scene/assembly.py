"""All parts of a mechanism: bodies in their layers, then its items by their types."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from ...io.vtk import read_vtu
from . import contacts, gears, guides, joints, line_loads, loads, rolling, soft
from .bodies import BORED, body_parts, ground_parts, rigid_mesh
from .deformed import series
from .drawing import COLORS, PALE, Drawing, Part
from .mechanism import GROUND, NEAR, Mechanism, joins

#: functions that draw items, by type; of others those that do not describe themselves are marked
DRAWN: dict[str, Callable[[Drawing, dict], Iterable[Part]]] = {
    "revolute": joints.pinned,
    "universal": joints.crossed,
    "sliding": joints.sleeve,
    "spherical": joints.balls,
    "prismatic": joints.guided,
    "point_on_line": joints.on_shaft,
    "cylindrical": joints.on_shaft,
    "fixed": joints.clamped,
    "spring": joints.elastic,
    "distance": joints.bar,
    "point_mass": joints.weight,
    "driver": joints.round_arrow,
    "probe": joints.trace,
    "torsion_spring": soft.spiral,
    "bushing": soft.rubber,
    "rolling": rolling.rolling,
    "force": loads.force,
    "torque": loads.torque,
    "pressure": loads.pressure,
    "traction": loads.traction,
    "line_load": line_loads.line_load,
    "clearance_revolute": contacts.bore,
    "clearance_cylindrical": contacts.bore,
    "clearance_spherical": contacts.ball_and_socket,
    "film": contacts.bore,
    "clearance_translational": guides.translational,
    "rod_guide": guides.on_rod,
    "contact_guide": guides.surfaces,
    "film_guide": guides.surfaces,
    "gear_pair": gears.pair,
}


def draw(
    mechanism: Mechanism, results, folder, color: str, eye, layers: bool, hide=()
) -> tuple[Drawing, list[Part]]:
    """Parts of everything except what is hidden by name."""
    names = [n for n, b in mechanism.bodies.items() if b["type"] not in (GROUND, "frame")]
    size = mechanism.size or _extent(mechanism, folder)
    drawing = Drawing(
        mechanism, results, folder, color,
        {n: PALE if color == "pressure" else COLORS[k % len(COLORS)] for k, n in enumerate(names)},
        eye, 0.05 * size, 0.06 * size,
    )  # fmt: skip
    if mechanism.flat:
        _layers(drawing, names, layers)
    drawn = _drawn_by_items(mechanism)
    shown = [n for n in names if n not in hide and n not in drawn]
    parts = [p for n in shown for p in body_parts(drawing, n)]
    if not any(i["type"] == "rod_guide" for i in mechanism.items):  # which draws the rod itself
        parts += ground_parts(drawing)
    for item in mechanism.items:
        marked = joints.mark if item.get("plain") else None
        drawn_by = DRAWN.get(item["type"], marked)
        if drawn_by and item["name"] not in hide:
            parts += drawn_by(drawing, item)
    return drawing, [p for p in parts if p.name not in hide]


def _drawn_by_items(m: Mechanism) -> set[str]:
    """Bodies that are drawn by items: gears of a pair, sliders whose size depends on the drawn
    clearance, elastic surfaces of films."""
    found = set()
    for item in m.items:
        if item["type"] in ("clearance_translational", "rod_guide"):
            found.add(m.owner[item["frame_j"]])
        elif item["type"] == "film":
            found |= {f"{item['name']}.liner", f"{item['name']}.journal"}
        elif item["type"] == "gear_pair":
            for f in (item["frame_i"], item["frame_j"]):
                shape = m.bodies[m.owner[f]].get("shape")
                if m.bodies[m.owner[f]]["type"] == "rigid" and (
                    shape is None or shape["type"] == "gear"
                ):
                    found.add(m.owner[f])
    return found


def _extent(mechanism: Mechanism, folder) -> float:
    """Size of a mechanism all of whose frames coincide: that of its bodies' shapes and solids."""
    sizes = [0.0]
    for name, body in mechanism.bodies.items():
        if body.get("shape"):
            mesh = rigid_mesh(_bare(mechanism), name)
            sizes.append(0.0 if mesh is None else mesh.length / 2)
        elif files := series(folder, body.get("series") or name, mechanism.motion.time):
            sizes.append(float(np.linalg.norm(np.ptp(read_vtu(files[0])["points"], axis=0))) / 2)
    mechanism.size = max(sizes) or 1.0
    return mechanism.size


def _bare(mechanism: Mechanism) -> Drawing:
    return Drawing(mechanism, None, None, "", {}, mechanism.normal, 1.0, 1.0)


def _layers(drawing: Drawing, names: list[str], apart: bool) -> None:
    """Place bodies along the plane's normal: those that meet in a joint lie side by side."""
    m = drawing.mechanism
    taken: dict[str, tuple[float, float]] = {}
    journals = [n for n in names if _bare_journal(m, n)]
    drawing.shafts.update(journals)
    names = [n for n in names if n not in journals]
    order, gap = _from_ground(m), 0.08 * drawing.thickness
    first = {n: order.get(n, len(order)) for n in names}
    for group in sorted(_welded(m, names), key=lambda g: (-len(g), min(first[n] for n in g))):
        own = {n: _range(drawing, n) for n in group}
        near = [(own[n], taken[b]) for n in group for b in _meets(m, n) if b in taken]
        above = sorted(other[1] + gap - mine[0] for mine, other in near)
        for lift in [0.0, *above] if apart else [0.0]:
            if not any(a < mine[1] + lift and mine[0] + lift < b for mine, (a, b) in near):
                break
        for n, (low, high) in own.items():
            m.lift[n] = lift
            taken[n] = (low + lift, high + lift)
    for n in journals:  # inside the bodies that hold them
        item = next(i for i, _ in m.on[n] if joins(i))
        m.lift[n] = lift = m.lift.get(drawing.body_of(item["frame_i"]), 0.0)
        low, high = _range(drawing, n)
        taken[n] = (low + lift, high + lift)
    drawing.ranges.update(taken)


def _welded(m: Mechanism, names: list[str]) -> list[set[str]]:
    """Bodies in groups that are fixed to each other."""
    groups = [{n} for n in names]
    for item in m.items:
        if item["type"] == "fixed" and None not in (item.get("frame_i"), item.get("frame_j")):
            pair = {m.owner[item["frame_i"]], m.owner[item["frame_j"]]} & set(names)
            hit = [g for g in groups if g & pair]
            groups = [g for g in groups if not g & pair] + ([set().union(*hit)] if hit else [])
    return groups


def _range(drawing: Drawing, name: str) -> tuple[float, float]:
    """Initial ends of a body along the normal, m."""
    m = drawing.mechanism
    parts = [] if name in _drawn_by_items(m) else body_parts(drawing, name)
    meshes = [mesh for p in parts if (mesh := p.at(0)) is not None]
    if not meshes:
        half = drawing.thickness / 2
        x = [m.start(f) @ m.normal for _, f in m.on[name]] or [0.0]
        return min(x) - half, max(x) + half
    points = np.concatenate([mesh.points for mesh in meshes])
    x = points @ m.normal
    flat = points - x[:, None] * m.normal
    if np.ptp(x) > 1.5 * np.ptp(flat, axis=0).max():
        drawing.shafts.add(name)
    return float(x.min()), float(x.max())


def _bare_journal(m: Mechanism, name: str) -> bool:
    """Whether a body is held only in bores at one place."""
    held = [(item, f) for item, f in m.on[name] if joins(item)]
    x = np.array([m.start(f) for _, f in m.on[name]])
    return bool(held) and all(i["type"] in BORED and f == i["frame_j"] for i, f in held) and bool(
        np.ptp(x, axis=0).max() < 0.02 * m.size)  # fmt: skip


def _meets(m: Mechanism, name: str) -> set[str]:
    """Bodies that have a joint at the same place as this one, or slide along it."""
    mine = [m.start(f) for item, f in m.on[name] if _stacks(item)]
    found = set()
    for other, frames in m.on.items():
        if other not in (name, GROUND):
            for item, f in frames:
                near = (np.linalg.norm(m.start(f) - y) < 5 * NEAR * m.size for y in mine)
                if _stacks(item) and any(near):
                    found.add(other)
    for item in m.items:
        if item["type"] == "sliding":
            pair = {m.owner[item["frame_i"]], m.owner[item["frame_j"]]}
            found |= pair - {name} if name in pair else set()
    return found - {GROUND}


def _stacks(item: dict) -> bool:
    return joins(item) and item["type"] != "fixed"


def _from_ground(m: Mechanism) -> dict[str, int]:
    """Order of bodies along the chain of joints, starting with the ground's neighbours."""
    links = [
        {m.owner[f] if f is not None else GROUND for f in (i.get("frame_i"), i.get("frame_j"))}
        for i in m.items
        if joins(i)
    ]
    order, todo = {GROUND: 0}, deque([GROUND])
    while todo:
        here = todo.popleft()
        for pair in links:
            if here in pair:
                for other in pair - {here}:
                    if other not in order:
                        order[other] = len(order)
                        todo.append(other)
    return order
