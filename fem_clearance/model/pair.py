"""The common part of items between two frames, or at one: kinds, and how the items are built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import ufl

from .. import checks
from ..core.blocks import Block
from ..core.component import Cell
from ..core.kind import Kind
from ..core.mixins import SimplerForm
from ..core.symbols import Symbols
from ..errors import InputError
from ..markup import Shown
from ..user_code import is_added
from .frame import Frame, FrameKind, InteriorFrame, PointFrame, Pose, RigidFrame
from .portrait import Portrait


@dataclass(frozen=True)
class PairKind(Kind, SimplerForm):
    """A point component that reads frame i, frame j and perhaps fields of its own.

    Subclasses give ``own_fields`` and ``own_parameters``; the frames' come before them.
    """

    i: FrameKind = PointFrame()
    j: FrameKind = PointFrame()

    @property
    def own_fields(self) -> dict[str, tuple[int, ...]]:
        """Fields after the frames': name -> shape."""
        return {}

    @property
    def own_parameters(self) -> dict[str, tuple[int, ...]]:
        """Parameters after the frames': name -> shape."""
        return {}

    @property
    def label(self) -> str:
        return f"{super().label} ({self.i.label}, {self.j.label})"

    def fields(self):
        return {"i": (self.i.size,), "j": (self.j.size,), **self.own_fields}

    @property
    def parameters(self):  # type: ignore[override]
        """Parameters of both frames, then the kind's own: name -> shape."""
        return {"i": (self.i.numbers,), "j": (self.j.numbers,), **self.own_parameters}

    def poses(self, c: Symbols, variables: bool = False) -> tuple[Pose, Pose]:
        """Poses of both frames; as UFL variables where forces are read off by ``ufl.diff``."""
        result = []
        for name, kind, q in zip("ij", (self.i, self.j), c.split(c.q), strict=False):
            pose = kind.pose(c, q, c.par(name))
            result.append(pose.as_variables() if variables else pose)
        return result[0], result[1]

    def simpler(self):
        return through_sections(self, ("i", "j"))

    def pack_pair(self, i: np.ndarray, j: np.ndarray, **own) -> np.ndarray:
        """Parameters of a cell: those of both frames, then the kind's own."""
        return self.pack(i=i, j=j, **own)


@dataclass(frozen=True)
class SingleKind(Kind, SimplerForm):
    """A point component that reads one frame; subclasses give ``own_parameters``.

    Example::

        @dataclass(frozen=True)
        class LeanKind(extend.SingleKind):
            def observables(self, c):
                pose = self.pose(c)
                lean = extend.total(pose.e(k)[2] ** 2 for k in (1, 2))
                return {"lean": extend.Observable(lean, "1", "squared sine of the lean")}
    """

    frame: FrameKind = PointFrame()

    @property
    def own_parameters(self) -> dict[str, tuple[int, ...]]:
        """Parameters after the frames': name -> shape."""
        return {}

    @property
    def label(self) -> str:
        return f"{super().label} ({self.frame.label})"

    def fields(self):
        return {"frame": (self.frame.size,)}

    @property
    def parameters(self):  # type: ignore[override]
        """Parameters of the frame, then the kind's own: name -> shape."""
        return {"frame": (self.frame.numbers,), **self.own_parameters}

    def pose(self, c: Symbols) -> Pose:
        """Pose of the frame."""
        return self.frame.pose(c, c.split(c.q)[0], c.par("frame"))

    def simpler(self):
        return through_sections(self, ("frame",))

    def pack_single(self, frame: np.ndarray, **own) -> np.ndarray:
        """Parameters of a cell: the frame's, then the kind's own."""
        return self.pack(frame=frame, **own)


def through_sections(kind: Kind, names: tuple[str, ...]):
    """``SimplerForm.simpler`` of a kind whose frames ``names`` may lie inside a beam's element: the
    same with the section there as if it were a node.

    The frames are the first fields and parameters of the kind.
    """
    frames = [getattr(kind, name) for name in names]
    if not any(isinstance(f, InteriorFrame) and f.node() != f for f in frames):
        return None
    nodes = [f.node() if isinstance(f, InteriorFrame) else f for f in frames]
    simple = replace(kind, **dict(zip(names, nodes, strict=True)))  # type: ignore[type-var]
    starts = np.cumsum([0, *(f.size for f in frames)])

    def unknowns(c, state):
        parts: list = []
        for name, f, start in zip(names, frames, starts, strict=False):
            q = [state[int(start) + k] for k in range(f.size)]
            parts += f.at_node(q, c.par(name)) if isinstance(f, InteriorFrame) else q
        return ufl.as_vector(parts + [state[k] for k in range(starts[-1], c.element.dim)])

    def parameters(c):
        parts: list = []
        for name, f in zip(names, frames, strict=True):
            numbers = list(c.par(name))
            parts += f.node_numbers(numbers) if isinstance(f, InteriorFrame) else numbers
        first = sum(f.numbers for f in frames)
        return ufl.as_vector(parts + [c.p[k] for k in range(first, kind.read)])

    return simple, unknowns, parameters


#: what items act on, for messages
_WANTED = "a frame, such as body.at((0, 0, 0)) or beam.end"


class Pair(Shown):
    """An item between two frames; base of joints, drivers and springs.

    Args:
        frame_i, frame_j: frames, or one frame and a rigid body or the ground (its point at the same
            place is taken).
        name: for messages and channels.

    Attributes:
        holds: whether the item counts as a connection when loose bodies are looked for.
        axis: direction at the start of the axis, which turns with frame i; ``None`` without one.
    """

    prefix, label, holds = "pair", "pair", True
    axis: Any = None
    #: whether frame i and frame j need a triad
    triads_needed = (True, True)

    def __init__(self, frame_i, frame_j, name: str | None = None):
        self.name: Any = name  # System.add gives one where there is none
        self.i, self.j = resolve(frame_i, frame_j, self.who)
        for frame, needed in zip((self.i, self.j), self.triads_needed, strict=True):
            if needed:
                frame.needs_triad(self.who)

    @property
    def who(self) -> str:
        """Name of the item in messages."""
        return self.name or self.label

    @property
    def gap(self) -> np.ndarray:
        """Initial vector from the point of frame i to that of frame j, m."""
        return self.j.position - self.i.position

    def portrait(self) -> Portrait:
        """Description for pictures, which mark items of users by their frames."""
        about = {"plain": True} if is_added(type(self)) else {}
        return Portrait(self.prefix, self.i, self.j, self.axis, data=about)

    def add_to(
        self, builder, kind: PairKind, parameters: np.ndarray, blocks: Sequence[Block] = ()
    ) -> None:
        """Register the item's cell and its multipliers."""
        for block in blocks:
            builder.add_block(block, after=(self.i, self.j))
        refs = [*self.i.refs, *self.j.refs, *(b.all for b in blocks)]
        builder.add_cell(kind, Cell(self.name, refs, parameters))
        if self.holds:
            builder.connect(self.i.body, self.j.body)


def resolve(frame_i, frame_j, who: str) -> tuple[Frame, Frame]:
    """Frames of a pair; a rigid body or the ground stands for its point at the other frame."""
    for name, given in (("frame_i", frame_i), ("frame_j", frame_j)):
        if not isinstance(given, Frame) and not checks.offers(given, "at"):
            raise InputError(f"{who}: {name} must be {_WANTED}, got {checks.shown(given)}.")
    if not isinstance(frame_i, Frame) and not isinstance(frame_j, Frame):
        one, other = (getattr(b, "name", None) or "the body" for b in (frame_i, frame_j))
        raise InputError(
            f"{who} needs a place, because {one} and {other} are whole bodies: state where it "
            f"acts by {other}.at((x, y, z)), a point in space at the start, or "
            f"{other}.point((x, y, z)), a point in the axes of the body."
        )
    if not isinstance(frame_i, Frame):
        frame_i = frame_i.at(frame_j.position)
    if not isinstance(frame_j, Frame):
        frame_j = frame_j.at(frame_i.position)
    if frame_i.body is frame_j.body and (
        isinstance(frame_i.kind, RigidFrame) or np.allclose(frame_i.position, frame_j.position)
    ):
        raise InputError(f"{who} connects {frame_i.name} with itself; give two different frames.")
    return frame_i, frame_j


def resolve_one(frame, who: str) -> Frame:
    """The frame of a load or probe; a rigid body stands for its centre of mass."""
    if not isinstance(frame, Frame):
        frame = getattr(frame, "center", None) or frame
    if not isinstance(frame, Frame):
        raise InputError(f"{who} needs {_WANTED}, got {checks.shown(frame)}.")
    return frame
