"""Meshes of parts: links, rods, discs, gears, sockets, springs, arrows, ground.

In local axes and in m: the plane of a mechanism is x, y, the axis of a joint is z. Every function
returns a ``pyvista.PolyData``; solid parts are closed surfaces with separate normals on both sides
of sharp edges. This module is independent of systems and runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersGeneral import vtkContourTriangulator

from .outlines import ROUND, bracket, circle, pillow, rectangle
from .outlines import link as link_outline
from .poses import across, matrix, triad, unit

#: edges sharper than this are drawn, degrees
SHARP = 35.0
#: rotation of a mesh about z to one about x
ALONG_X = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])


def plate(loops: Sequence[np.ndarray], low: float, high: float) -> pv.PolyData:
    """A plate between z = ``low`` and ``high``.

    Args:
        loops: its outline, then its holes.
    """
    points, lines, at = [], [], 0
    for loop in loops:
        n = len(loop)
        points.append(np.column_stack([loop, np.full(n, low)]))
        lines.append(np.concatenate([[n + 1], at + np.arange(n), [at]]))
        at += n
    fill = vtkContourTriangulator()
    fill.SetInputData(pv.PolyData(np.concatenate(points), lines=np.concatenate(lines)))
    fill.Update()
    face = pv.wrap(fill.GetOutput())
    return finished(face.extrude((0, 0, high - low), capping=True))


def finished(mesh: pv.DataSet) -> pv.PolyData:
    """A surface of triangles with normals outwards; points on sharp edges are split."""
    if not isinstance(mesh, pv.PolyData):
        mesh = mesh.extract_surface(algorithm="dataset_surface")
    mesh = mesh.triangulate().clean(tolerance=1e-6, absolute=False)  # relative to its size
    mesh.clear_data()
    return mesh.compute_normals(
        cell_normals=False, split_vertices=True, feature_angle=SHARP, auto_orient_normals=True,
        consistent_normals=True,
    )  # fmt: skip


def merged(meshes: Sequence[pv.PolyData]) -> pv.PolyData:
    """Several meshes as one; their normals stay."""
    return meshes[0] if len(meshes) == 1 else pv.merge([*meshes], merge_points=False)


def link(
    length: float, start: float, end: float, waist: float, low: float, high: float
) -> pv.PolyData:
    """A link along x with eyes at 0 and ``length``, see ``outlines.link``."""
    return plate([link_outline(length, start, end, waist)], low, high)


def ring(inner: float, outer: float, low: float, high: float) -> pv.PolyData:
    """A bush."""
    return plate([circle(outer), circle(inner)], low, high)


def cylinder(radius: float, low: float, high: float) -> pv.PolyData:
    """A pin or disc about z."""
    return plate([circle(radius)], low, high)


def bar(radius: float, low: float, high: float) -> pv.PolyData:
    """A round bar along x."""
    return cylinder(radius, low, high).transform(matrix(ALONG_X), inplace=False)


def block(size: Sequence[float], corner: float = 0.0) -> pv.PolyData:
    """A block about the origin.

    Args:
        size: along x, y, z.
        corner: radius of its edges along z.
    """
    x, y, z = np.asarray(size, float) / 2
    return plate([rectangle(-x, x, -y, y, corner)], -z, z)


def gear(outline: np.ndarray, bore: float, low: float, high: float) -> pv.PolyData:
    """A gear from its closed outline (n, 2), with holes in a wide web."""
    if np.allclose(outline[0], outline[-1]):
        outline = outline[:-1]
    root = float(np.hypot(*outline.T).min())
    loops = [outline]
    if bore:
        loops.append(circle(bore))
    inner, outer = 1.9 * bore, 0.86 * root
    hole = 0.42 * (outer - inner)
    if bore and hole > 0.08 * root:
        middle = (inner + outer) / 2
        for a in 2 * np.pi * (np.arange(5) + 0.5) / 5:
            loops.append(circle(hole, (middle * np.cos(a), middle * np.sin(a)), 40))
    return plate(loops, low, high)


def revolved(profile: np.ndarray, count: int = ROUND) -> pv.PolyData:
    """Surface of revolution about z of points (radius, z)."""
    a = 2 * np.pi * np.arange(count + 1) / count
    rows = np.array([[r * np.cos(a), r * np.sin(a), np.full(count + 1, z)] for r, z in profile])
    return finished(pv.StructuredGrid(*np.moveaxis(rows, 1, 0)[..., None]))


def ball(radius: float) -> pv.PolyData:
    """A ball about the origin."""
    a = np.linspace(-np.pi / 2, np.pi / 2, ROUND // 2)
    return revolved(radius * np.column_stack([np.cos(a), np.sin(a)]))


def socket(inner: float, outer: float) -> pv.PolyData:
    """Half a spherical shell, open towards +z."""
    a = np.linspace(-np.pi / 2, 0, 32)
    return revolved(
        np.array(
            [(outer * np.cos(b), outer * np.sin(b)) for b in a]
            + [(inner * np.cos(b), inner * np.sin(b)) for b in a[::-1]]
        )
    )


def tube(path: np.ndarray, radius: float, sides: int = 12) -> pv.PolyData:
    """A round wire along points (n, 3), closed at its ends."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = across(along[0])
    turn = 2 * np.pi * np.arange(sides + 1) / sides
    rows = [np.tile(path[0], (sides + 1, 1))]
    for x, t in zip(path, along, strict=True):
        side = unit(side - (side @ t) * t)  # without torsion
        rows.append(
            x + radius * (np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * np.cross(t, side))
        )
    rows.append(np.tile(path[-1], (sides + 1, 1)))
    return finished(pv.StructuredGrid(*np.moveaxis(np.array(rows), 2, 0)[..., None]))


def spring(length: float, radius: float, wire: float, coils: int = 7) -> pv.PolyData:
    """A coil along x from 0 to ``length`` with straight ends; the number of its points depends on
    the coils alone."""
    t = np.linspace(0, 1, 24 * coils)
    ends = 0.12
    turn = 2 * np.pi * coils * np.clip((t - ends) / (1 - 2 * ends), 0, 1)
    fade = radius * np.clip(np.minimum(t, 1 - t) / ends, 0, 1)
    return tube(np.column_stack([length * t, fade * np.cos(turn), fade * np.sin(turn)]), wire)


def arrow(length: float, width: float) -> pv.PolyData:
    """An arrow along x from 0; the size of its head depends on its width."""
    head = min(3.2 * width, 0.6 * length)
    profile = [
        (0, 0), (width / 2, 0), (width / 2, length - head), (1.35 * width, length - head),
        (0, length),
    ]  # fmt: skip
    return revolved(np.array(profile), count=24).rotate_y(90, inplace=False)


def round_arrow(radius: float, wire: float, sign: float = 1.0) -> pv.PolyData:
    """An arrow around z, in the positive sense of rotation or against it; its middle is at +y."""
    a = sign * np.linspace(-0.35 * np.pi, 0.35 * np.pi, 24)
    path = radius * np.column_stack([-np.sin(a), np.cos(a), 0 * a])
    head = revolved(np.array([(0, 0), (3.1 * wire, 0), (0, 6.7 * wire)]), count=24)
    end = matrix(triad((0, 0, 1), path[-1] - path[-2]), path[-1])
    return merged([tube(path, wire), head.transform(end, inplace=False)])


def hatching(length: float, pitch: float, depth: float) -> pv.PolyData:
    """The line of the ground at y = 0, of a length about the origin, and strokes below: lines."""
    x0, x1 = -length / 2, length / 2
    ends = np.linspace(x0, x1, max(2, round(length / pitch)) + 1)[1:]
    segments: list[tuple] = [((x0, 0, 0), (x1, 0, 0))]
    segments += [((x, 0, 0), (x - 0.8 * depth, -depth, 0)) for x in ends]
    return pv.line_segments_from_points(np.array(segments, float).reshape(-1, 3))


def pedestal(height: float, eye: float, foot: float, low: float, high: float) -> pv.PolyData:
    """A bracket: eye at the origin, foot at y = -height."""
    return plate([bracket(height, eye, foot)], low, high)


def housing(
    bore: float, outer: float, height: float, foot: float, low: float, high: float
) -> pv.PolyData:
    """A pillow block with its bore at the origin and its foot at y = -height."""
    return plate([pillow(outer, height, foot), circle(bore)], low, high)
