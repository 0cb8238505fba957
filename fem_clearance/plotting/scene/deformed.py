"""Parts of bodies that deform: beams with their section, solids from their own files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyvista as pv

from ...io.vtk import entries, read_vtu
from ..offscreen import polygons
from . import parts
from .drawing import Drawing, Paint, Part

#: name of the array that is coloured
STRESS = "von_mises"


def beam_parts(drawing: Drawing, body: dict) -> list[Part]:
    """A beam: its section at each station of its line; coloured by stress if that is selected and
    has been written."""
    m, name = drawing.mechanism, body["name"]
    line = m.motion.beams[name]
    section = body["section"]
    outline = np.asarray(section.get("outlines", section["outline"]), float)
    stations, corners = line.r.shape[1], outline.shape[-2]
    faces = _prism(stations, corners)
    start = _skin(line, outline, 0)
    shown = pv.PolyData(start, faces)
    edges = parts.finished(shown)
    # original points of those that sharp edges have split
    same = _nearest(start, edges.points)
    stress = _beam_stress(drawing, name, start, len(start))
    paint = None
    if stress is not None:
        paint = _stress_scale(stress)

    def mesh(k):
        now = m.points(name, start, _skin(line, outline, k), k)
        result = edges.copy()
        result.points = now[same]
        result = result.compute_normals(
            cell_normals=False, split_vertices=False, consistent_normals=False
        )
        if stress is not None:
            result[STRESS] = 1e-6 * stress[k][same]
        return result

    return [Part(name, mesh, None, "body", drawing.colors[name], paint=paint)]


def _skin(line, outline: np.ndarray, k: int) -> np.ndarray:
    """Corners of the sections at an instant, m; the outline may vary from station to station."""
    y, z = np.moveaxis(outline, -1, 0)[..., None]
    x = line.r[k][:, None] + y * line.d2[k][:, None] + z * line.d3[k][:, None]
    return x.reshape(-1, 3)


def _prism(stations: int, corners: int) -> np.ndarray:
    """Faces of a prism with ``corners`` at each station, its ends closed."""
    ring = np.arange(corners)
    a = (corners * np.arange(stations - 1)[:, None] + ring).ravel()
    b = (corners * np.arange(stations - 1)[:, None] + np.roll(ring, -1)).ravel()
    sides = polygons(np.column_stack([a, b, b + corners, a + corners]))
    last = corners * (stations - 1) + ring
    return np.concatenate([sides, [corners], ring[::-1], [corners], last])


def _nearest(points: np.ndarray, of: np.ndarray) -> np.ndarray:
    from scipy.spatial import cKDTree

    return cKDTree(points).query(of)[1]


def _stress_scale(stress) -> Paint:
    """A colour scale up to the 0.995 quantile of the stress."""
    top = max(float(np.quantile(np.concatenate([s.ravel() for s in stress]), 0.995)), 1.0)
    return Paint(STRESS, "von Mises stress [MPa]", 0.0, 1e-6 * top, "turbo", 1e-6)


def series(folder: Path | None, name: str, times: np.ndarray) -> list[Path] | None:
    """Files of a series nearest to the recorded instants; ``None`` if there are none."""
    found = [] if folder is None else entries(Path(folder) / f"{name}.pvd")
    if not found:
        return None
    written = np.array([t for t, _ in found])
    assert folder is not None
    return [Path(folder) / found[int(np.abs(written - t).argmin())][1] for t in times]


def _beam_stress(drawing: Drawing, name: str, start: np.ndarray, count: int):
    """Stress at a beam's corners at each instant, Pa, from the files of shapes."""
    if drawing.color != STRESS:
        return None
    files = series(drawing.folder, "fields", drawing.mechanism.motion.time)
    if files is None:
        return None
    first = read_vtu(files[0])
    if STRESS not in first or name not in first.get("names", []):
        return None
    owner = list(first["names"]).index(name)
    faces = np.split(first["connectivity"], first["offsets"][:-1])
    mine = [f for f, o in zip(faces, first["body"].ravel(), strict=True) if o == owner]
    used = np.unique(np.concatenate(mine))
    if len(used) != count:
        return None
    same = used[_nearest(first["points"][used], start)]
    return [read_vtu(f)[STRESS].ravel()[same] for f in files]


def _undeformed(grid: pv.DataSet) -> np.ndarray:
    """Places of a solid's nodes at the start, m."""
    return grid.points - grid.point_data.get("displacement", 0.0)


def on_solid(drawing: Drawing, name: str, places: np.ndarray):
    """k -> drawn places of points of a solid, (p, 3), that are given at the start; they move with
    the nearest nodes. ``None`` without files."""
    files = series(drawing.folder, name, drawing.mechanism.motion.time)
    if files is None:
        return None
    start = _undeformed(pv.read(files[0]))
    same = _nearest(start, places)

    def now(k):
        moved = np.asarray(pv.read(files[k]).points)[same] - start[same]
        return drawing.mechanism.points(name, places, places + moved, k)

    return now


def solid_parts(drawing: Drawing, body: dict) -> list[Part]:
    """A deformed solid from its own series of files; nothing without them."""
    m, name = drawing.mechanism, body["name"]
    files = series(drawing.folder, body.get("series") or name, m.motion.time)
    if files is None:
        return []
    first = pv.read(files[0])
    start = _undeformed(first)
    now: dict[Path, pv.DataSet] = {}

    def read(k):
        if files[k] not in now:
            now.clear()
            now[files[k]] = pv.read(files[k])
        return now[files[k]]

    paint = None
    if drawing.color == STRESS:
        some = files[:: max(1, len(files) // 8)]
        paint = _stress_scale([np.asarray(pv.read(f)[STRESS]) for f in some])
    flat = np.ptp(first.points, axis=0).min() < 1e-9 * np.ptp(first.points, axis=0).max()

    def mesh(k):
        grid = read(k).copy()
        grid.points = m.points(name, start, np.asarray(grid.points), k)
        surface = grid.extract_surface(
            algorithm="dataset_surface", nonlinear_subdivision=1, pass_pointid=False
        )
        values = 1e-6 * np.asarray(surface[STRESS]) if STRESS in surface.point_data else None
        surface.clear_data()
        if values is not None:
            surface[STRESS] = values
        if flat:
            half = drawing.thickness / 2
            surface = surface.triangulate().translate(-half * drawing.normal).extrude(
                2 * half * drawing.normal, capping=True)  # fmt: skip
        return surface.triangulate().compute_normals(
            cell_normals=False, split_vertices=True, feature_angle=parts.SHARP
        )

    return [Part(name, mesh, None, "body", drawing.colors[name], paint=paint)]
