"""Oil films coloured by their pressure: in bores, in sockets and on guides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyvista as pv

from ...io.vtk import read_vtu
from ..offscreen import polygons
from .deformed import series
from .drawing import Drawing, Paint, Part
from .poses import Place, matrix, then

PRESSURE = "pressure"
#: largest pressure by the 0.9 quantile above which peaks are short, and would leave the others pale
SHORT = 3.0


def film_parts(drawing: Drawing, item: dict, half: float | None = None) -> Iterator[Part]:
    """The films of an item that the run has written.

    Args:
        half: half the drawn length of films in bores, m; default: the film's own length.
    """
    for film in item.get("films") or ():
        files = series(drawing.folder, film["series"], drawing.mechanism.motion.time)
        if files is None:
            continue
        first = read_vtu(files[0])
        if (item.get("sizes") or {}).get("bearing_radius"):
            mesh = _annulus(drawing, item, files, half)
        else:
            mesh = _surface(drawing, item, film, files)
        paint = scale(drawing, item)
        if mesh is not None and len(first["points"]):
            yield Part(item["name"], _placed(drawing, item, film, mesh), None, "film",
                       outline=0, lit=False, paint=paint)  # fmt: skip


def face_films(
    drawing: Drawing, item: dict, slider: Place, guide: Place, half: float, gap: float, heights
) -> Iterator[Part]:
    """The oil between an enlarged slider and its guide, coloured by the pressure along the middle
    of each face.

    Args:
        slider: place of the drawn slider: along, across, sideways.
        guide: place of the drawn guide, whose surfaces are flat.
        half: half the drawn slider's height, m.
        gap: height of the guide, m.
        heights: low and high end sideways, m.
    """
    for film in item.get("films") or ():
        files = series(drawing.folder, film["series"], drawing.mechanism.motion.time)
        if files is None:
            continue
        sign = 1.0 if film["series"].endswith(".upper") else -1.0
        mesh = _layer(drawing, item, files, (slider, guide), (half, gap), heights, sign)
        yield Part(item["name"], mesh, None, "film", outline=0, lit=False,
                   paint=scale(drawing, item))  # fmt: skip


def facet_film(drawing: Drawing, item: dict, film: dict, files: list[Path], least: float) -> Part:
    """The oil between facets of a solid and a guide, at least ``least`` (m) thick, as films are too
    thin to be visible. It is coloured by the largest pressure across the guide: at the rim, the
    only visible part, the pressure is that of the surroundings."""
    paint, place = scale(drawing, item), film_place(drawing, item, film)

    def mesh(k):
        data = read_vtu(files[k])
        x, h, p = data["points"], data["film_thickness"].ravel(), data["pressure"].ravel()
        p = _largest_along(x[:, 0], p)
        wide = 0.51 * drawing.thickness
        cells = data["connectivity"].reshape(len(data["offsets"]), -1)
        if cells.shape[1] == 2:  # of a plane solid: as wide as bodies are drawn
            count, low, high = len(x), x - (0, wide, 0), x + (0, wide, 0)
            x, h, p = np.concatenate([low, high]), np.tile(h, 2), np.tile(p, 2)
            cells = np.column_stack([cells, cells[:, ::-1] + count])
        wall = x + np.outer(np.maximum(h, least), (0, 0, float(data["side"].item())))
        count = len(x)
        rim = _open_edges(cells)
        walls = np.column_stack([rim, rim[:, ::-1] + count])
        faces = np.concatenate([polygons(z) for z in (cells, cells + count, walls)])
        now = place(k)
        points = np.concatenate([x, wall]) @ now[:3, :3].T + now[:3, 3]
        result = pv.PolyData(points, faces)
        result[PRESSURE] = paint.factor * np.tile(p, 2)
        return result

    return Part(item["name"], mesh, None, "film", outline=0, lit=False, paint=paint)


def _largest_along(x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The largest of the values near the same place along the guide, at each point: interpolated
    between the largest values of sections."""
    long = float(np.ptp(x)) or 1.0
    bins = min(48, len(np.unique(np.round(x / long, 6))))
    stretch = np.round((x - x.min()) / long * (bins - 1)).astype(int)
    rising = np.argsort(p)
    top = dict(zip(stretch[rising].tolist(), rising.tolist(), strict=True))
    chosen = np.array([top[n] for n in sorted(top)])
    chosen = chosen[np.argsort(x[chosen])]
    return np.interp(x, x[chosen], p[chosen])


def _open_edges(cells: np.ndarray) -> np.ndarray:
    """Edges that belong to a single cell, (edges, 2)."""
    edges = np.stack([cells, np.roll(cells, -1, axis=1)], -1).reshape(-1, 2)
    _, first, times = np.unique(
        np.sort(edges, axis=1), axis=0, return_index=True, return_counts=True
    )
    return edges[first[times == 1]]


def _layer(drawing, item, files, places, sizes, heights, sign):
    """k -> body of the oil on one face, in space."""
    paint, (slider, guide), (half, gap) = scale(drawing, item), places, sizes

    def mesh(k):
        data = read_vtu(files[k])
        x, p = data["points"], data["pressure"].ravel()
        middle = np.isclose(np.abs(x[:, 1]), np.abs(x[:, 1]).min())
        order = np.argsort(x[middle, 0])
        along, p = x[middle, 0][order], p[middle][order]
        now, count = slider(k), len(along)
        face = [np.column_stack([along, np.full(count, sign * half), np.full(count, z)]) @ (
            now[:3, :3].T) + now[:3, 3] for z in heights]  # fmt: skip
        back = np.linalg.inv(guide(k))
        wall = []
        for rim in face:
            local = rim @ back[:3, :3].T + back[:3, 3]
            local[:, 1] = sign * gap / 2
            wall.append(local @ guide(k)[:3, :3].T + guide(k)[:3, 3])
        return _closed([face[0], wall[0], wall[1], face[1]], p, paint)

    return mesh


def scale(drawing: Drawing, item: dict) -> Paint:
    """The scale of pressure of all films of a mechanism: up to the largest that is drawn or, where
    short peaks are much higher than the 0.9 quantile, up to that. The label then states the
    largest."""
    if drawing.pressure is None:
        names = [f["series"] for i in drawing.mechanism.items for f in i.get("films") or ()]
        peaks = np.concatenate([_peaks(drawing, name) for name in names])
        top, most = (max(float(np.quantile(peaks, q)), 1e-6) for q in (0.9, 1.0))
        unit, factor = ("MPa", 1e-6) if top > 3e5 else ("kPa", 1e-3)
        label = f"oil pressure [{unit}]"
        if most <= SHORT * top:
            top = most
        else:
            label += f", at most {factor * most:.3g}"
        drawing.pressure = Paint(PRESSURE, label, 0.0, factor * top, factor=factor)
    return drawing.pressure


def _peaks(drawing: Drawing, name: str) -> np.ndarray:
    """Largest pressure of a film at each instant that can be drawn, Pa: as recorded, or else of the
    files."""
    time, results = drawing.mechanism.motion.time, drawing.results
    if results is not None and (channel := f"{name}.max_pressure") in results:
        return np.interp(time, results.time, results[channel])
    files = dict.fromkeys(series(drawing.folder, name, time) or ())
    return np.array([read_vtu(f)["pressure"].max() for f in files])


def film_place(drawing: Drawing, item: dict, film: dict) -> Place:
    """Drawn place of a film's axes, which are given in frame i or j of the item."""
    frame = item["frame_j" if film.get("side") == "j" else "frame_i"]
    axes = matrix(np.asarray(film["axes"], float))
    origin = matrix(at=film.get("origin") or (0.0, 0.0, 0.0))
    return then(drawing.mechanism.pose(frame), axes @ origin)


def _placed(drawing: Drawing, item: dict, film: dict, mesh):
    """k -> mesh in space."""
    place = film_place(drawing, item, film)
    return lambda k: mesh(k).transform(place(k), inplace=False)


def _annulus(drawing: Drawing, item: dict, files: list[Path], half: float | None):
    """k -> body of the oil between the bore and the enlarged journal, in the film's axes.

    Its ends are coloured by the pressure in the middle plane; at the ends themselves the pressure
    is that of the surroundings.
    """
    radius, clearance = item["sizes"]["bearing_radius"], item["sizes"]["clearance"]
    factor = drawing.mechanism.scale.get(item["name"], 1.0)
    paint = scale(drawing, item)

    def mesh(k):
        data = read_vtu(files[k])
        x, p = data["points"], data["pressure"].ravel()
        middle = np.isclose(np.abs(x[:, 2]), np.abs(x[:, 2]).min())
        angle = np.arctan2(x[middle, 1], x[middle, 0])
        order = np.argsort(angle)
        a = 2 * np.pi * np.arange(97) / 96
        around = np.interp(a, angle[order], p[middle][order], period=2 * np.pi)
        e = factor * data["eccentricity"].ravel()[:2]
        low, high = (-half, half) if half else (x[:, 2].min(), x[:, 2].max())
        unit = np.column_stack([np.cos(a), np.sin(a)])
        rims = [radius * unit, radius * unit, (radius - factor * clearance) * unit + e]
        rims.append(rims[2])
        heights = (low, high, high, low)
        rows = [np.column_stack([r, np.full(97, z)]) for r, z in zip(rims, heights, strict=True)]
        return _closed(rows, around, paint)

    return mesh


def _closed(rows: list[np.ndarray], p: np.ndarray, paint: Paint) -> pv.PolyData:
    """The surface through four lines of as many points, which closes with the first one; ``p``:
    pressure along each of them, Pa."""
    number = np.arange(5 * len(p)).reshape(5, len(p))
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], -1)
    result = pv.PolyData(np.concatenate([*rows, rows[0]]), polygons(quads.reshape(-1, 4)))
    result[PRESSURE] = paint.factor * np.tile(p, 5)
    return result


def _surface(drawing: Drawing, item: dict, film: dict, files: list[Path]):
    """k -> the film's own surface, coloured; for a ball only the half away from the eye."""
    paint, eye = scale(drawing, item), drawing.eye
    frame = item["frame_j" if film.get("side") == "j" else "frame_i"]
    turn = drawing.mechanism.motion.triad[:, frame] @ np.asarray(film["axes"], float)
    ball = bool((item.get("sizes") or {}).get("socket_radius"))

    def mesh(k):
        data = read_vtu(files[k])
        quads = data["connectivity"].reshape(-1, 4)
        if ball:
            middle = data["points"][quads].mean(axis=1) @ turn[k].T
            quads = quads[middle @ eye < 0]
        result = pv.PolyData(data["points"], polygons(quads))
        result[PRESSURE] = paint.factor * data["pressure"].ravel()
        return result

    return mesh
