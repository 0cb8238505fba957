"""What every item between two frames shares: its kind of component and how it is built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl

from ..bodies.frame import Frame, FrameKind, PointFrame, Pose
from ..component import Component, Kind
from ..errors import InputError


@dataclass(frozen=True)
class PairKind(Kind):
    """A point component that reads frame i, frame j and perhaps fields of its own.

    Subclasses give ``own_fields`` and ``own_parameters``; the frames' come before them.
    """

    i: FrameKind = PointFrame()
    j: FrameKind = PointFrame()

    @property
    def own_fields(self) -> dict[str, tuple[int, ...]]:
        return {}

    @property
    def own_parameters(self) -> dict[str, tuple[int, ...]]:
        return {}

    @property
    def label(self) -> str:
        return f"{type(self).__name__}({self.i.label}, {self.j.label})"

    def fields(self):
        return {"i": (self.i.size,), "j": (self.j.size,), **self.own_fields}

    @property
    def parameters(self):  # type: ignore[override]
        frames = {n: (k.numbers,) for n, k in (("i", self.i), ("j", self.j)) if k.numbers}
        return {**frames, **self.own_parameters}

    def poses(self, c: Component, variables: bool = False) -> tuple[Pose, Pose]:
        """Poses of both frames; as UFL variables where forces are read off by ``ufl.diff``."""
        result = []
        for name, kind, q in zip("ij", (self.i, self.j), c.split(c.q), strict=False):
            pose = kind.pose(c, q, c.par(name) if kind.numbers else None)
            if variables:
                triad = tuple(map(ufl.variable, pose.triad)) if pose.triad else None
                pose = Pose(c, ufl.variable(pose.r), triad)
            result.append(pose)
        return result[0], result[1]

    def pack_pair(self, i: np.ndarray, j: np.ndarray, **own) -> np.ndarray:
        """Parameters of a cell: those of both frames, then the kind's own."""
        frames = {n: z for n, z in (("i", i), ("j", j)) if len(z)}
        return self.pack(**frames, **own)


def resolve(frame_i, frame_j, who: str) -> tuple[Frame, Frame]:
    """Frames of a pair; a rigid body or the ground stands for its point where the other frame is."""
    if not isinstance(frame_i, Frame) and not isinstance(frame_j, Frame):
        raise InputError(f"{who}: give at least one frame (such as arm.end or body.point(...)), not two bodies.")
    if not isinstance(frame_i, Frame):
        frame_i = _on(frame_i, frame_j, who)
    if not isinstance(frame_j, Frame):
        frame_j = _on(frame_j, frame_i, who)
    if frame_i.body is frame_j.body:
        raise InputError(f"{who} connects {frame_i.name} with itself.")
    return frame_i, frame_j


def _on(body, frame: Frame, who: str) -> Frame:
    if not hasattr(body, "at"):
        raise InputError(f"{who} needs a frame such as arm.end or body.point(...), got {body!r}.")
    return body.at(frame.position)
