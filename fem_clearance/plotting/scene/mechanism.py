"""A mechanism from its recorded motion: its plane and size, and where its parts are drawn."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from .poses import matrix, unit

GROUND = "ground"
#: enlarged clearance by the bearing's radius
ENLARGED = 0.35
#: distance, by the mechanism's size, below which points of bodies coincide
NEAR = 1e-3


class Mechanism:
    """Bodies and items of a motion, and where they are drawn.

    Drawn places differ from the true ones in two ways. Clearances are enlarged: bodies that meet
    with clearance are moved by affine maps, as small as possible, such that bodies in contact still
    touch and ideal joints stay closed. And links of a plane mechanism lie in layers side by side,
    as real ones do.

    Args:
        motion: ``results.motion``: ``time`` (n,), ``position`` (n, m, 3), ``triad``
            (n, m, 3, 3), ``beams``, ``scene``.
        up: upward direction in pictures; default: that of the scene.
        clearance_scale: ``"auto"``, one factor for all, or factors by name of the joint.
        motion_scale: factor by which displacements from the mean places are enlarged; ``"auto"``:
            to a fifth of the mechanism's extent, if they are smaller.
    """

    def __init__(
        self, motion, up=None, clearance_scale: Any = "auto", motion_scale: float | str = 1.0
    ):
        self.motion, scene = motion, motion.scene
        self.count = len(motion.time)
        self.bodies: dict[str, dict] = {b["name"]: b for b in scene["bodies"]}
        self.items: list[dict] = scene["items"]
        #: massless frames on facets of a solid belong to it
        solid = {
            scene["frames"][i["frame_j"]]["body"]: i["solid"]
            for i in self.items if i["type"] == "attachment" and i.get("frame_j") is not None
        }  # fmt: skip
        self.owner = [solid.get(f["body"], f["body"]) for f in scene["frames"]]
        self.on: dict[str, list[tuple[dict, int]]] = defaultdict(list)  # frames on a body
        for item in self.items:
            for side in ("frame_i", "frame_j"):
                if (f := item.get(side)) is not None:
                    self.on[self.owner[f]].append((item, f))
        self.size = self._size()
        self.normal, self.plane = self._plane()
        balls = any("spherical" in i["type"] for i in self.items)
        #: whether links lie in layers side by side
        self.flat = self.plane and not balls and any(i["type"] in TURNING for i in self.items)
        self.up = self._up(scene.get("up") if up is None else up)
        self.lift: dict[str, float] = {}
        self.scale = {i["name"]: s for i in self.items if (s := _scale(i, clearance_scale)) != 1}
        self.moved = self._moved()
        if motion_scale == "auto":
            few = 0.2 * self.extent / self.moved if self.moved else 1.0
            motion_scale = float(f"{max(1.0, few):.1g}")
        self.motion_scale = float(motion_scale)
        self._shifts = self._solve()
        #: scale of the depths of wear, by joint
        self.wear = {
            i["name"]: scale_of(i["sizes"]["bearing_radius"], worn) for i in self.items
            if (worn := getattr(motion, "worn", {}).get(i["name"])) is not None and np.any(worn > 0)
        }  # fmt: skip

    # --- what lies where ------------------------------------------------------------------------
    def start(self, frame: int) -> np.ndarray:
        """True position of a frame at the first instant, m."""
        return self.motion.position[0, frame]

    def distinct(self, body: str) -> list[tuple[dict, int]]:
        """Joints and probes on a body, with their frames, one for each place."""
        found: list[tuple[dict, int]] = []
        for item, f in self.on[body]:
            if not reaches(item):
                continue
            apart = (np.linalg.norm(self.start(f) - self.start(g)) for _, g in found)
            if all(d > NEAR * self.size for d in apart):
                found.append((item, f))
        return found

    def axis(self, item: dict, k: int = 0) -> Any:
        """Axis of an item in space, (3,); ``None`` if it has none."""
        if item.get("axis") is None:
            return None
        f = item.get("frame_i")
        turn = np.eye(3) if f is None else self.motion.triad[k, f]
        return unit(
            np.eye(3) @ item["axis"] if not np.isfinite(turn).all() else turn @ item["axis"]
        )

    def _size(self) -> float:
        spans = []
        for body, found in self.on.items():
            x = np.array([self.start(f) for _, f in found])
            if body != GROUND:
                spans.append(np.linalg.norm(x[:, None] - x, axis=2).max())
        for beam in self.motion.beams.values():
            spans.append(np.ptp(beam.r[0], axis=0).max())
        boxes = [max(b["box"]["edges"]) for b in self.bodies.values() if b.get("box")]
        start, every = self.motion.position[0], self.motion.position.reshape(-1, 3)
        parts = max((_reach(i) for i in self.items), default=0.0)
        sizes = max(_spread(start), parts), max(boxes, default=0.0), _spread(every)
        nothing = 1e-9 * max(*sizes, *spans)
        spans = [s for s in spans if s > nothing]
        if spans:
            return float(np.median(spans))
        return next((size for size in sizes if size > nothing), 0.0)

    def _plane(self) -> tuple[np.ndarray, bool]:
        """Normal of the plane of all motion, and whether there is such a plane."""
        axes = [
            self.axis(i) for i in self.items
            if i["type"] in TURNING and i.get("motion") != "translation"
        ]  # fmt: skip
        axes = [a for a in axes if a is not None]
        solid = any(b["type"] == "solid" for b in self.bodies.values())
        moved = (self.motion.position - self.motion.position[:1]).reshape(-1, 3)
        for beam in self.motion.beams.values():
            moved = np.vstack([moved, (beam.r - beam.r[:1]).reshape(-1, 3)])
        if axes:
            normal = axes[0]
            plane = all(abs(a @ normal) > 0.999 for a in axes)
        elif np.abs(moved).max(initial=0.0) > 0 and not solid:
            sizes, rows = np.linalg.svd(moved, full_matrices=False)[1:]
            normal, plane = rows[-1], len(sizes) == 3 and sizes[1] > 1e-3 * sizes[0]
            if not plane:  # all moves along one line
                normal = np.eye(3)[2] if abs(rows[0][2]) < 0.9 else np.eye(3)[0]
        else:
            normal, plane = np.eye(3)[2], False
        plane = plane and np.abs(moved @ normal).max(initial=0.0) < 0.02 * max(self.size, 1e-30)
        if not plane:  # seen from the front, whatever lies there
            up = np.eye(3)[2] if abs((self.motion.scene.get("up") or [0, 1, 0])[2]) > 0.9 else None
            return (np.eye(3)[2] if up is None else -np.eye(3)[1]), False
        first = np.argmax(np.abs(normal) > 0.9 * np.abs(normal).max())
        return normal * np.sign(normal[first]), bool(plane)

    def _up(self, up) -> np.ndarray:
        if up is None or not np.any(up):
            up = np.eye(3)[2 if self.plane and abs(self.normal[0]) > 0.9 else 1]
        up = unit(up)
        if self.plane and abs(up @ self.normal) > 0.9:
            up = np.eye(3)[1] if abs(self.normal[1]) < 0.9 else np.eye(3)[2]
        return up

    # --- enlarged clearances --------------------------------------------------------------------
    def eccentricity(self, item: dict) -> np.ndarray:
        """True displacement of side j from side i across a joint's axis, m, (n, 3)."""
        p, axis = self.motion.position, item.get("axis")
        e = p[:, item["frame_j"]] - p[:, item["frame_i"]]
        if axis is not None and item["type"] != "clearance_spherical":
            a = np.array([self.axis(item, k) for k in range(self.count)])
            e = e - np.einsum("ni,ni->n", e, a)[:, None] * a
        return e

    def eccentricity_along(self, item: dict) -> np.ndarray:
        """True displacement of side j from side i along a joint's axis, m, (n, 3)."""
        p = self.motion.position
        e = p[:, item["frame_j"]] - p[:, item["frame_i"]]
        a = np.array([self.axis(item, k) for k in range(self.count)])
        return np.einsum("ni,ni->n", e, a)[:, None] * a

    def enlarged(self, item: dict) -> np.ndarray:
        """The displacement that is enlarged with a joint's clearance, m, (n, 3)."""
        along = item["type"] == "rod_guide"
        return self.eccentricity_along(item) if along else self.eccentricity(item)

    def _solve(self) -> dict[int, np.ndarray]:
        """Shift of each frame in pictures, m, (n, 3): the smallest that opens the enlarged
        clearances, and keeps other joints closed and sliders in their guides."""
        frames = sorted({f for found in self.on.values() for _, f in found})
        place = {f: n for n, f in enumerate(frames)}
        rows, rights = [], []
        zero = np.zeros((self.count, 3))

        def tie(entries, right=zero):
            row = np.zeros(len(frames))
            for f, value in entries:
                row[place[f]] += value
            rows.append(row)
            rights.append(right)

        for body, found in self.on.items():
            for _, f in found:
                if body == GROUND:
                    tie([(f, 1.0)])
                for _, g in found:
                    if f < g and np.linalg.norm(self.start(f) - self.start(g)) < NEAR * self.size:
                        tie([(f, 1.0), (g, -1.0)])
        for item in self.items:
            i, j = item.get("frame_i"), item.get("frame_j")
            if i is None or j is None:
                one = i if j is None else j
                if one is not None and item["type"] in CLOSED | GUIDES:
                    tie([(one, 1.0)])  # to the ground
            elif item["name"] in self.scale:
                more = (self.scale[item["name"]] - 1) * self.enlarged(item)
                tie([(j, 1.0), (i, -1.0)], more)
            elif item["type"] in CLOSED | GUIDES and not self.loose(i, j):
                tie([(j, 1.0), (i, -1.0)])
        shifts = np.zeros((len(frames), self.count, 3))
        if self.scale and rows:
            inverse = np.linalg.pinv(np.array(rows), rcond=1e-9)
            shifts = np.einsum("fr,rnx->fnx", inverse, np.array(rights))
        if self.motion_scale != 1.0:
            p = self.motion.position[:, frames]
            shifts += (self.motion_scale - 1) * (p - p.mean(axis=0)).swapaxes(0, 1)
        elif not self.scale:
            return {}
        return {f: shifts[n] for f, n in place.items()}

    @property
    def deep(self) -> bool:
        """Whether a plane mechanism is long along its normal, as one with shafts is."""
        x = [self.motion.position[0], *(line.r[0] for line in self.motion.beams.values())]
        return float(np.ptp(np.vstack(x) @ self.normal)) > 0.15 * self.extent

    @property
    def extent(self) -> float:
        """Longest side of the box of all joints, bodies and beams at the first instant, m."""
        x = [self.motion.position[0], *(line.r[0] for line in self.motion.beams.values())]
        return float(np.ptp(np.vstack(x), axis=0).max())

    def _moved(self) -> float:
        """Largest displacement of a point of a joint or body, m."""
        p = self.motion.position
        spans = [float(np.ptp(p, axis=0).max(initial=0.0))]
        spans += [float(np.ptp(line.r, axis=0).max()) for line in self.motion.beams.values()]
        return max(spans)

    def loose(self, i: int, j: int) -> bool:
        """Whether a guide with clearance also connects the bodies of two frames."""
        pair = {self.owner[i], self.owner[j]}
        return any(
            {self.owner[o["frame_i"]], self.owner[o["frame_j"]]} == pair
            for o in self.items if o["type"] in ("rod_guide", "clearance_translational")
        )  # fmt: skip

    def warp(self, body: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The drawn shift of a body's points: constant (n, 3) and linear part (n, 3, 3), to be
        applied to positions at the first instant less the third array (3,)."""
        lift = self.lift.get(body, 0.0) * self.normal
        found = [f for _, f in self.on[body] if f in self._shifts]
        if not found or body == GROUND:
            return np.tile(lift, (self.count, 1)), np.zeros((self.count, 3, 3)), np.zeros(3)
        x = np.array([self.start(f) for f in found])
        centre = x.mean(axis=0)
        shifts = np.array([self._shifts[f] for f in found])  # (f, n, 3)
        linear = np.einsum("xf,fny->nyx", np.linalg.pinv(x - centre, rcond=0.02), shifts)
        if np.ptp(x, axis=0).max() < NEAR * self.size:
            linear[:] = 0.0
        return shifts.mean(axis=0) + lift, linear, centre

    def pose(self, frame: int):
        """k -> drawn pose of a frame, (4, 4): its true orientation at the drawn position."""
        constant, linear, centre = self.warp(self.owner[frame])
        position = self.motion.position[:, frame] + constant
        position = position + np.einsum("nyx,x->ny", linear, self.start(frame) - centre)
        triads = self.motion.triad[:, frame]
        return lambda k: matrix(np.nan_to_num(triads[k], nan=0.0) if np.isfinite(triads[k]).all()
                                else np.eye(3), position[k])  # fmt: skip

    def drawn(self, frame: int) -> np.ndarray:
        """Drawn positions of a frame, m, (n, 3)."""
        pose = self.pose(frame)
        return np.array([pose(k)[:3, 3] for k in range(self.count)])

    def body(self, name: str):
        """k -> matrix that maps points in the frame of a rigid body to their drawn places."""
        frame = self.bodies[name]["frame"]
        constant, linear, centre = self.warp(name)
        if self.spins(name):
            nearest = min(self.on[name], key=lambda f: np.linalg.norm(
                self.start(f[1]) - self.start(frame)))[1]  # fmt: skip
            constant = self.drawn(nearest) - self.motion.position[:, nearest]
            linear, centre = 0 * linear, 0 * centre
        first = matrix(self.motion.triad[0, frame], self.start(frame))

        def place(k):
            result = matrix(self.motion.triad[k, frame], self.motion.position[k, frame])
            result[:3, :3] += linear[k] @ first[:3, :3]
            result[:3, 3] += constant[k] + linear[k] @ (first[:3, 3] - centre)
            return result

        return place

    def spins(self, name: str) -> bool:
        """Whether a body rotates too far in an enlarged motion to be stretched; bars then connect
        it to its joints."""
        if self.motion_scale == 1.0 or not self.on[name]:
            return False
        turns = self.motion.triad[:, self.bodies[name]["frame"]]
        cosines = (np.einsum("nab,ab->n", turns, turns[0]) - 1) / 2
        return bool(cosines.min() < 0.8)

    def points(self, body: str, start: np.ndarray, now: np.ndarray, k: int) -> np.ndarray:
        """Drawn places of points of a flexible body, (p, 3).

        Args:
            body: its name.
            start: true places at the first instant, (p, 3).
            now: true places at instant number ``k``, (p, 3).
            k: number of the instant.
        """
        constant, linear, centre = self.warp(body)
        return now + constant[k] + (start - centre) @ linear[k].T


#: items about whose axis bodies rotate
TURNING = {
    "revolute", "clearance_revolute", "clearance_cylindrical", "film", "driver", "gear_pair",
    "torsion_spring",
}  # fmt: skip
#: joints whose sides share a point
CLOSED = {"revolute", "spherical", "fixed", "universal"}
#: joints in which one side slides along the other
GUIDES = {"prismatic", "cylindrical", "point_on_line", "planar"}


#: other items to which bodies extend
REACHED = {"probe", "spring", "distance", "sliding", "rolling", "bushing"}

#: drawn depth of the deepest wear of a run, by the bearing's radius
DEEPEST = 0.12


def scale_of(radius: float, depths: np.ndarray) -> float:
    """Factor by which depths of wear are enlarged, with one digit; 1 without wear."""
    deepest = float(np.max(depths, initial=0.0))
    return float(f"{DEEPEST * radius / deepest:.1g}") if deepest > 0 else 1.0


def _reach(item: dict) -> float:
    """Size of a bearing, wheel or slider, m, whose frames may be only a clearance apart; else 0."""
    sizes = item.get("sizes") or {}
    round_ = (sizes.get(n) or 0.0 for n in ("bearing_radius", "socket_radius", "radius"))
    slider = sizes.get("length", 0.0) if item["type"] == "clearance_translational" else 0.0
    return max(*(3.0 * r for r in round_), 2.0 * slider)


def _spread(x: np.ndarray) -> float:
    """Longest side of the bounding box of points, m."""
    return float(np.ptp(x, axis=0).max()) if len(x) else 0.0


def joins(item: dict) -> bool:
    """Whether an item connects bodies that lie side by side."""
    kind = item["type"]
    return kind in CLOSED | GUIDES or kind.startswith(("clearance", "film", "rod_guide"))


def reaches(item: dict) -> bool:
    """Whether a body extends to the place of an item."""
    return joins(item) or item["type"] in REACHED


def _scale(item: dict, wanted) -> float:
    """Factor by which a joint's clearance is enlarged; 1 without clearance."""
    sizes = item.get("sizes") or {}
    clearance = sizes.get("clearance")
    if not clearance or item.get("frame_i") is None or item.get("frame_j") is None:
        return 1.0
    if isinstance(wanted, dict):
        wanted = wanted.get(item["name"], "auto")
    if wanted != "auto":
        return float(wanted)
    radii = (sizes.get(n) for n in ("bearing_radius", "socket_radius", "hole_radius"))
    radius = next((r for r in radii if r), 0.5 * sizes.get("height", 0.0))
    return float(max(1.0, np.floor(ENLARGED * radius / clearance))) if radius else 1.0
