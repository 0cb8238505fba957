"""A self-contained HTML page with a moving mechanism: WebGL 2, without libraries or a server.

Rigid parts are stored once with a matrix for each instant, deforming ones for each instant; the
data are compressed by gzip, which browsers decompress.
"""

from __future__ import annotations

import base64
import gzip
import json
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pyvista as pv

from ...io.files import writing
from .drawing import Part
from .numbers import told
from .view import direction

TEMPLATE = Path(__file__).with_name("page.html")
#: views that the page offers, in the order of its buttons
BUTTONS = ("own", "front", "side", "top", "iso")


class Blob:
    """Arrays stored one after the other."""

    def __init__(self):
        self.pieces: list[bytes] = []
        self.size = 0

    def put(self, array, kind: str) -> list[int]:
        """Add an array; returns its first byte and the one after its last."""
        data = np.ascontiguousarray(array, kind).tobytes()
        data += b"\0" * (-len(data) % 4)
        self.pieces.append(data)
        self.size += len(data)
        return [self.size - len(data), self.size]


def write(scene, target, seconds: float = 5.0, count: int = 60) -> Path:
    """Write the page.

    Args:
        scene: the ``Scene``.
        target: the file.
        seconds: duration of the motion at normal speed.
        count: most instants.

    Raises:
        InputError: the file cannot be written.
    """
    target = Path(target)
    made = text(scene, seconds, count)
    with writing(target) as file:
        file.write(made)
    return target


def framed(scene, height: int = 480) -> str:
    """The page in an HTML frame, for notebooks."""
    inside = escape(text(scene), quote=True)
    return (
        f'<iframe srcdoc="{inside}" style="width:100%;height:{height}px;border:1px solid #dde1e6">'
        "</iframe>"
    )


def text(scene, seconds: float = 5.0, count: int = 60) -> str:
    """The page."""
    head, blob = content(scene, seconds, count)
    start = json.dumps(head, separators=(",", ":")).encode()
    raw = len(start).to_bytes(4, "little") + start + b"".join(blob.pieces)
    packed = base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode()
    return TEMPLATE.read_text(encoding="utf-8").replace("/*DATA*/", packed)


def content(scene, seconds: float, count: int) -> tuple[dict[str, Any], Blob]:
    """Head of the page's data, and its arrays."""
    last, blob = len(scene.times) - 1, Blob()
    ks = np.unique(np.linspace(0, last, min(count, last + 1)).round().astype(int)).tolist()
    view, m = scene.frame, scene.mechanism
    scale, unit, digits = scene.clock
    span = view.span
    head = {
        "title": scene.title,
        "caption": scene.caption,
        "times": scene.times[ks].tolist(),
        "scale": scale, "unit": unit, "digits": digits, "seconds": seconds,
        "up": m.up.tolist(),
        "views": {_shown(n): direction(m, n).tolist() for n in BUTTONS} | {
            "view": scene.towards.tolist()
        },
        "centre": view.centre.tolist(),
        "half": (0.53 * span).tolist(),
        "size": float(np.hypot(*span) + view.depth[1] - view.depth[0]),
        "parts": [_part(p, ks, blob) for p in scene.parts],
        "paints": [_paint(p) for p in scene.paints],
        "channels": told(scene, ks),
    }  # fmt: skip
    return head, blob


def _shown(name: str) -> str:
    return "view" if name == "own" else name


def _paint(paint) -> dict[str, Any]:
    colors = matplotlib.colormaps[paint.map](np.linspace(0, 1, 9))
    return {
        "label": paint.label, "low": paint.low, "high": paint.high,
        "colors": [matplotlib.colors.to_hex(c) for c in colors],
    }  # fmt: skip


def _part(part: Part, ks: list[int], blob: Blob) -> dict[str, Any]:
    """A part: its meshes and, if rigid, its place at each instant (0: it is not shown)."""
    entry: dict[str, Any] = {
        "name": part.name, "kind": part.kind, "lit": part.lit, "outline": part.outline > 0,
        "color": [round(c, 4) for c in matplotlib.colors.to_rgb(part.color)],
    }  # fmt: skip
    if callable(part.mesh):
        meshes = [part.at(k) for k in ks]
        entry["meshes"] = [None if m is None else _mesh(m, part, blob) for m in meshes]
        return entry
    entry["meshes"] = [_mesh(part.mesh, part, blob)]
    if part.place is not None:
        places = (part.place(k) for k in ks)
        moves = [np.zeros((4, 4)) if p is None else p.T for p in places]
        entry["M"] = blob.put(np.stack(moves), "<f4")
    return entry


def _mesh(mesh: pv.PolyData, part: Part, blob: Blob) -> dict[str, list[int]]:
    """Points, normals, colours, triangles and edges."""
    if mesh.n_faces == 0:
        pairs, at, lines = [], 0, mesh.lines
        while at < len(lines):
            path = lines[at + 1 : at + 1 + lines[at]]
            pairs.append(np.column_stack([path[:-1], path[1:]]))
            at += lines[at] + 1
        result = {"x": blob.put(mesh.points, "<f4"), "l": blob.put(np.concatenate(pairs), "<u4")}
        if "rgb" in mesh.point_data:
            result["c"] = blob.put(mesh["rgb"], "u1")
        return result
    mesh = mesh.copy()
    mesh.cell_data.clear()  # what filters leave behind
    mesh = mesh.triangulate()
    result = {"x": blob.put(mesh.points, "<f4"), "f": blob.put(mesh.regular_faces, "<u4")}
    if "Normals" in mesh.point_data:
        result["n"] = blob.put(np.clip(127 * mesh["Normals"], -127, 127), "i1")
    if part.paint is not None and part.paint.name in mesh.point_data:
        low, high = part.paint.low, part.paint.high
        share = (mesh[part.paint.name] - low) / (high - low)
        result["c"] = blob.put(255 * matplotlib.colormaps[part.paint.map](share)[:, :3], "u1")
    if part.outline:
        edges = _edges(mesh)
        if len(edges):
            result["l"] = blob.put(edges, "<u4")
    return result


def _edges(mesh: pv.PolyData) -> np.ndarray:
    """Pairs of points on sharp edges, where normals were split."""
    bare = mesh.copy()
    bare.clear_data()
    bare["id"] = np.arange(bare.n_points)
    edges = bare.extract_feature_edges(40, boundary_edges=True, manifold_edges=False)
    if not edges.n_cells:
        return np.zeros((0, 2), int)
    return edges["id"][edges.lines.reshape(-1, 3)[:, 1:]]
