"""Meshes of the shapes of bodies, in their own axes: see ``SHAPES``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyvista as pv

from ...model.frame import triad_about
from . import parts
from .poses import matrix


def mesh_of(shape: Mapping[str, Any]) -> pv.PolyData | None:
    """Mesh of a shape in the body's axes; ``None`` for unknown ones, or from joint to joint.

    Args:
        shape: of a body in ``scene.json``.
    """
    make = SHAPES.get(shape["type"])
    if make is None or shape["type"] in SPANNING and shape.get("length") is None:
        return None
    turn = shape.get("orientation")
    pose = matrix(None if turn is None else np.asarray(turn, float), shape.get("position") or 0.0)
    return make(shape).transform(pose, inplace=False)


def _rod(s) -> pv.PolyData:
    half = s["length"] / 2
    return parts.bar(s["radius"], -half, half)


def _link(s) -> pv.PolyData:
    half, width = s["thickness"] / 2, s["width"] / 2
    mesh = parts.link(s["length"], 1.3 * width, 1.3 * width, width, -half, half)
    return mesh.translate((-s["length"] / 2, 0, 0), inplace=False)


def _about(s, mesh: pv.PolyData) -> pv.PolyData:
    """A mesh about z, turned about the shape's axis."""
    return mesh.transform(matrix(triad_about(np.asarray(s["axis"], float))), inplace=False)


def _disc(s) -> pv.PolyData:
    half, bore = s["thickness"] / 2, s.get("bore")
    if bore:
        return _about(s, parts.ring(bore, s["radius"], -half, half))
    return _about(s, parts.cylinder(s["radius"], -half, half))


def _gear(s) -> pv.PolyData:
    half = s["face_width"] / 2
    return _about(s, parts.gear(np.asarray(s["outline"], float), s["bore_radius"], -half, half))


def _plate(s) -> pv.PolyData:
    half = s["thickness"] / 2
    return parts.plate([np.asarray(s["outline"], float)], -half, half)


def _surface(s) -> pv.PolyData:
    return parts.finished(pv.PolyData(np.asarray(s["points"], float), np.asarray(s["faces"], int)))


def _compound(s) -> pv.PolyData:
    return parts.merged([mesh for p in s["parts"] if (mesh := mesh_of(p)) is not None])


#: shapes that extend from joint to joint if they have no length
SPANNING = ("rod", "link")
#: functions that make the meshes, by type of the shape
SHAPES: dict[str, Callable[[Mapping[str, Any]], pv.PolyData]] = {
    "rod": _rod,
    "cylinder": _rod,
    "link": _link,
    "box": lambda s: parts.block([s[n] for n in ("lx", "ly", "lz")]),
    "slider": lambda s: parts.block([s[n] for n in ("length", "height", "width")]),
    "disc": _disc,
    "gear": _gear,
    "plate": _plate,
    "sphere": lambda s: parts.ball(s["radius"]),
    "surface": _surface,
    "compound": _compound,
}
