"""Meshes of the shapes that bodies are given, in their own axes: see ``SHAPES``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyvista as pv

from . import parts
from .poses import matrix

#: x axis of what is long, z axis of what is flat
ALONG_X = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])


def mesh_of(shape: Mapping[str, Any]) -> pv.PolyData | None:
    """Mesh of a shape in the body's axes; ``None``: a kind that is not known.

    Args:
        shape: of a body in ``scene.json``.
    """
    make = SHAPES.get(shape["type"])
    if make is None:
        return None
    turn = shape.get("orientation")
    pose = matrix(None if turn is None else np.asarray(turn, float), shape.get("position") or 0.0)
    return make(shape).transform(pose, inplace=False)


def _rod(s) -> pv.PolyData:
    half = s["length"] / 2
    return parts.cylinder(s["radius"], -half, half).transform(matrix(ALONG_X), inplace=False)


def _link(s) -> pv.PolyData:
    half, width = s["thickness"] / 2, s["width"] / 2
    mesh = parts.link(s["length"], 1.5 * width, 1.5 * width, width, -half, half)
    return mesh.translate((-s["length"] / 2, 0, 0), inplace=False)


def _box(s) -> pv.PolyData:
    return parts.block([s[n] for n in ("lx", "ly", "lz")])


def _disc(s) -> pv.PolyData:
    half = s["thickness"] / 2
    bore = s.get("bore") or 0.0
    mesh = parts.ring(bore, s["radius"], -half, half) if bore else None
    return mesh or parts.cylinder(s["radius"], -half, half)


def _surface(s) -> pv.PolyData:
    mesh = pv.PolyData(np.asarray(s["points"], float), np.asarray(s["faces"], int))
    return parts.finished(mesh)


#: how the mesh of each kind is made
SHAPES: dict[str, Callable[[Mapping[str, Any]], pv.PolyData]] = {
    "rod": _rod,
    "cylinder": _rod,
    "link": _link,
    "box": _box,
    "disc": _disc,
    "sphere": lambda s: parts.ball(s["radius"]),
    "surface": _surface,
}
