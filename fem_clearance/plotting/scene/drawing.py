"""Parts of a picture with their places, and the data that functions which make parts use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyvista as pv

from .mechanism import Mechanism
from .poses import Place, across, matrix, triad, unit

INK, EARTH, STEEL, BRASS = "#1d2430", "#d5d8dc", "#8d99a6", "#e0b457"
#: colours of bodies, one after the other
COLORS = ("#5b8fc7", "#e58a4e", "#6fae7a", "#b58ac4", "#d4b13f", "#5aa9ad", "#c9747f", "#94805f")
#: of bodies beside coloured films
PALE = "#c9ced6"
FORCE, TRACE, LOAD = "#c8102e", "#d1495b", "#7a1fa2"
#: a load or contact force below this part of the largest has no arrow
LEAST = 1e-4


def arrow_length(share: float) -> float:
    """Length of an arrow by that of the longest, for a load by the largest: it goes with the
    root."""
    return 0.35 + 0.65 * np.sqrt(min(1.0, share))


@dataclass(frozen=True)
class Paint:
    """Colours by a quantity at points.

    Attributes:
        name: of the array at the points.
        label: words and unit for the colour bar.
        low, high: ends of the scale, in the array's unit.
        map: Matplotlib's colour map.
        factor: from SI to the array's unit.
    """

    name: str
    label: str
    low: float
    high: float
    map: str = "viridis"
    factor: float = 1.0


@dataclass(frozen=True)
class Part:
    """A part of a picture.

    Attributes:
        name: of the body or item to which it belongs.
        mesh: in local axes; or a function of the instant's number that returns it in space
            (``None``: nothing).
        place: pose by the instant's number (which may be ``None``: nothing is shown); ``None`` if
            the mesh is in space.
        kind: ``"body"``, ``"joint"``, ``"ground"``, ``"film"``, ``"force"`` or ``"trace"``.
        color: hexadecimal, six digits.
        outline: width of its outline, points.
        lit: whether it is lit.
        paint: colours by a quantity instead of ``color``.
        width: of lines, points.
    """

    name: str
    mesh: pv.PolyData | Callable[[int], pv.PolyData | None]
    place: Place | None = None
    kind: str = "joint"
    color: str = STEEL
    outline: float = 2.0
    lit: bool = True
    paint: Paint | None = None
    width: float = 2.0

    def at(self, k: int) -> pv.PolyData | None:
        """Its mesh in space at instant number ``k``."""
        mesh = self.mesh(k) if callable(self.mesh) else self.mesh
        if mesh is None or not mesh.n_points:
            return None
        if self.place is None:
            return mesh
        place = self.place(k)
        if place is None:
            return None
        result = mesh.copy(deep=False)  # whose points are the mesh's own: these are new ones
        moved = mesh.points @ place[:3, :3].T + place[:3, 3]
        result.SetPoints(pv.vtk_points(moved, deep=True))
        if "Normals" in mesh.point_data:
            normals = mesh.point_data["Normals"] @ np.linalg.pinv(place[:3, :3])
            length = np.linalg.norm(normals, axis=1, keepdims=True)
            result.clear_point_data()
            result.point_data["Normals"] = (normals / np.maximum(length, 1e-30)).astype("f4")
        return result


@dataclass
class Drawing:
    """Data for functions that make parts.

    Attributes:
        mechanism: bodies, items, and where they are drawn.
        results: the channels, by ``name in results``, ``results[name]``, ``results.time``.
        folder: of the run's fields, or ``None``.
        color: ``"bodies"``, ``"von_mises"`` or ``"pressure"``.
        colors: of each body.
        eye: from the mechanism to the eye, a unit vector.
        thickness: of a link's layer, m.
        knuckle: radius of a link's eye, m.
        shafts: bodies that are longer along the normal than across.
        pressure: scale of the films' pressure, once it is known.
        ranges: ends of each body of a plane mechanism along the plane's normal as drawn, m.
    """

    mechanism: Mechanism
    results: Any
    folder: Any
    color: str
    colors: dict[str, str]
    eye: np.ndarray
    thickness: float
    knuckle: float
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    shafts: set[str] = field(default_factory=set)
    pressure: Paint | None = None

    @property
    def normal(self) -> np.ndarray:
        return self.mechanism.normal

    @property
    def front(self) -> np.ndarray:
        """Horizontal direction to the eye; the normal of a plane mechanism."""
        m = self.mechanism
        level = m.normal if m.plane else self.eye
        level = unit(level - (level @ m.up) * m.up)
        return level if level.any() else across(m.up)

    def body_of(self, frame: int | None) -> str:
        """Name of the body with which a frame moves; that of the ground without a frame."""
        return "ground" if frame is None else self.mechanism.owner[frame]

    def bore(self, frame: int) -> float:
        """Radius of the bore of the gear that has a frame; 0 if there is none."""
        found = [0.0]
        for item in self.mechanism.items:
            if item["type"] == "gear_pair":
                for f, gear in zip((item["frame_i"], item["frame_j"]), item["gears"], strict=True):
                    if self.body_of(f) == self.body_of(frame):
                        found.append(gear["bore_radius"])
        return max(found)

    def layer(self, frame: int | None) -> tuple[float, float]:
        """Ends of the drawn body of a frame along the plane's normal, from the drawn frame, m."""
        half = self.thickness / 2
        body = self.body_of(frame)
        if frame is None or body not in self.ranges:
            return -half, half
        at = float(self.mechanism.pose(frame)(0)[:3, 3] @ self.normal)
        low, high = self.ranges[body]
        return low - at, high - at

    def reach(self, frame: int) -> float:
        """Extent of a link, or a shaft with its journal, along the normal from a drawn frame, m."""
        found, body = [self.layer(frame)[1]], self.body_of(frame)
        for item, f in self.mechanism.on[body] if body in self.shafts else ():
            if f == item.get("frame_j"):
                found.append(0.57 * (item.get("sizes") or {}).get("length", 0.0))
        return max(found)

    def slab(self, frames: Iterable[int], base: int, length: float | None) -> tuple[float, float]:
        """Ends of a joint about the normal, from a drawn frame, m: those of the links that it
        connects; on a shaft along the normal those of its own length."""
        frames = list(frames)
        if not self.shafts & {*map(self.body_of, frames)}:
            return self.between(frames, base)
        half = (length or 2 * self.thickness) / 2
        return -half, half

    def between(self, frames: Iterable[int], base: int) -> tuple[float, float]:
        """Ends of the drawn bodies of frames along the normal, from a drawn frame, m."""
        zero = float(self.mechanism.pose(base)(0)[:3, 3] @ self.normal)
        found = [self.ranges[b] for b in map(self.body_of, frames) if b in self.ranges]
        if not found:
            return -self.thickness / 2, self.thickness / 2
        return min(a for a, _ in found) - zero, max(b for _, b in found) - zero

    def flat(self, item: dict, frame: int) -> Place:
        """Place of a joint about an axis: z along the axis, at a frame's drawn position; it rotates
        with the frame's body."""
        m, axis = self.mechanism, self.mechanism.axis(item)
        z = self.normal if axis is None else axis
        x = np.cross(m.up, z) if abs(m.up @ z) < 0.9 else None
        start = triad(z if x is None else x, z)  # without x: any direction across z
        first = m.motion.triad[0, frame]
        place, local = m.pose(frame), np.linalg.solve(first, start)

        def pose(k):
            now = place(k)
            now[:3, :3] = now[:3, :3] @ local
            return now

        return pose

    def upright(self, place: Place, z=None) -> Place:
        """A place at the position of another, with y upwards and z along a direction (default: the
        normal)."""
        m = self.mechanism
        z = self.normal if z is None else z
        up = m.up - (m.up @ z) * z
        turn = triad(np.cross(up if np.linalg.norm(up) > 0.1 else m.up, z), z)
        return lambda k: matrix(turn, place(k)[:3, 3])

    def channel(self, item: dict, name: str) -> np.ndarray | None:
        """A channel of an item at the recorded instants; ``None`` if there is none."""
        recorded = (item.get("channels") or {}).get(name)
        if recorded is None or self.results is None or recorded not in self.results:
            return None
        times = self.results.time
        if not len(times):
            return None
        return np.interp(self.mechanism.motion.time, times, self.results[recorded])

    def frames(self, item: dict) -> Iterator[int]:
        """The one or two frames of an item, or none."""
        for side in ("frame_i", "frame_j"):
            if item.get(side) is not None:
                yield item[side]
