"""Frames: a point of a body, with a triad, to which joints and loads attach.

A frame kind computes the position of a material point and an orthonormal triad from unknowns, as
UFL expressions. Rigid bodies and the ground have four vectors (origin and directors), beams with
directors the position and the section's directors at a node, and cables a position only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import ufl

from .. import checks
from ..core.blocks import Ref
from ..core.symbols import Symbols, total, triple
from ..errors import InputError
from .section_triad import mean_triad, mean_triad_of


class Pose:
    """Position ``r`` and triad ``e1, e2, e3`` of a frame in a form.

    ``body_triad`` is any orthonormal triad that turns with the frame: the angular velocity is read
    from it, which keeps the local triad's nine numbers out of forms that need no axes.
    """

    def __init__(self, c: Symbols, r, triad=None, body_triad=None):
        self.c, self.r, self._triad = c, r, triad
        self._body_triad = body_triad or triad

    @property
    def triad(self):
        """Its three unit vectors; ``None`` of a point."""
        return self._triad

    def e(self, k: int):
        """Unit vector 1, 2 or 3 of the triad."""
        return self._triad[k - 1]

    @property
    def velocity(self):
        """Of the point, m/s."""
        return self.c.rate(self.r)

    @property
    def turning(self):
        """Vectors that turn with the frame."""
        return self._triad or ()

    def as_variables(self) -> Pose:
        """The pose in UFL variables, by which forces and moments are read off with ``ufl.diff``."""
        return Pose(self.c, ufl.variable(self.r), tuple(map(ufl.variable, self.turning)) or None)

    @property
    def omega(self):
        """Angular velocity, rad/s: half the sum of d_k x dd_k/dt."""
        products = [ufl.cross(d, self.c.rate(d)) for d in self._body_triad]
        return (products[0] + products[1] + products[2]) / 2


@dataclass(frozen=True)
class FrameKind:
    """How a pose follows from unknowns and parameters."""

    label: str = ""
    size: int = 0  # unknowns
    numbers: int = 0  # parameters
    has_triad: bool = True

    @property
    def turns(self) -> bool:
        """Whether the unknowns determine how it turns."""
        return self.has_triad

    def pose(self, c: Symbols, q, p) -> Pose:
        """Pose from the frame's unknowns and parameters (UFL vectors)."""
        raise TypeError("a frame kind defines pose()")

    def place(self, q: np.ndarray, p: np.ndarray, basis: np.ndarray):
        """The pose of numbers: point, m, (3,), and triad by columns, (3, 3).

        Args:
            q, p: the frame's unknowns and parameters.
            basis: directors at the start by columns, for what the unknowns do not determine.
        """
        return q[:3], basis

    def values(self, frame: Frame, rows: np.ndarray) -> np.ndarray:
        """Numbers of a frame; ``rows``: coordinates of a triad's vectors in its directors, (9,)."""
        return rows


def _components(vector) -> list:
    return [vector[k] for k in range(3)]


def _local_triad(directors, p, start: int):
    """Triad whose k-th vector has the coordinates p[start + 3 k ...] in the directors."""
    return tuple(total(p[start + 3 * k + i] * directors[i] for i in range(3)) for k in range(3))


@dataclass(frozen=True)
class RigidFrame(FrameKind):
    """Origin and three directors (12 unknowns); parameters: point and triad in the directors."""

    label: str = "rigid body"
    size: int = 12
    numbers: int = 12

    def pose(self, c, q, p):
        directors = [triple(q, 3 * k) for k in (1, 2, 3)]
        r = triple(q) + total(p[i] * directors[i] for i in range(3))
        return Pose(c, r, _local_triad(directors, p, 3), directors)

    def place(self, q, p, basis):
        directors = q[3:].reshape(3, 3)
        return q[:3] + p[:3] @ directors, (p[3:].reshape(3, 3) @ directors).T

    def values(self, frame, rows):
        return np.concatenate([frame.offset, rows])


@dataclass(frozen=True)
class SectionFrame(FrameKind):
    """A beam node: position and the section's two directors (9 unknowns).

    The directors of a shear-flexible beam are neither unit nor orthogonal; the triad is that of
    ``section_triad.mean_triad``. Parameters: share of d2 in its turns, and a triad in that one.
    """

    label: str = "beam section"
    size: int = 9
    numbers: int = 10

    def pose(self, c, q, p):
        r, d2, d3 = (triple(q, 3 * k) for k in range(3))
        section = mean_triad(d2, d3, p[0])
        return Pose(c, r, _local_triad(section, p, 1), section)

    def place(self, q, p, basis):
        return q[:3], mean_triad_of(q[3:6], q[6:], p[0]) @ p[1:].reshape(3, 3).T

    def values(self, frame, rows):
        return np.concatenate([frame.weights, rows])


@dataclass(frozen=True)
class PointFrame(FrameKind):
    """A node of a cable: position only (3 unknowns)."""

    label: str = "point"
    size: int = 3
    numbers: int = 0
    has_triad: bool = False

    def pose(self, c, q, p):
        return Pose(c, triple(q))

    def values(self, frame, rows):
        return np.zeros(0)


@dataclass(frozen=True)
class NodeFrame(FrameKind):
    """A node of a solid: its displacement (3 unknowns, of a plane solid 2); parameters: its place
    at the start."""

    label: str = "node of a solid"
    size: int = 3
    numbers: int = 3
    has_triad: bool = False

    def pose(self, c, q, p):
        return Pose(c, ufl.as_vector([p[k] + q[k] if k < self.size else p[k] for k in range(3)]))

    def place(self, q, p, basis):
        return p + np.pad(q, (0, 3 - self.size)), basis

    def values(self, frame, rows):
        return frame.position


@dataclass(frozen=True)
class InteriorFrame(FrameKind):
    """A point inside a beam's element: the section there, or of a cable the position only.

    Attributes:
        fields: field behind each three unknowns (``"r"``, ``"slope"``, ``"d2"``, ``"d3"``).

    Parameters: the factor of each three unknowns in its field, then those of ``SectionFrame``.
    """

    label: str = "beam between nodes"
    fields: tuple[str, ...] = ()

    #: factors of each three unknowns among the parameters
    sets: ClassVar[int] = 1

    def __post_init__(self):
        count, triad = len(self.fields), "d2" in self.fields
        for name, value in (
            ("size", 3 * count), ("numbers", self.sets * count + 10 * triad), ("has_triad", triad)
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def values(self, frame, rows):
        return np.concatenate([frame.weights, rows]) if self.has_triad else frame.weights

    def blend(self, q, p, names, start: int = 0):
        """Sum of unknowns of some fields times the factors p[start...]."""
        terms = [p[start + k] * triple(q, 3 * k) for k, f in enumerate(self.fields) if f in names]
        return total(terms)

    def at_node(self, q, p) -> list:
        """Unknowns of ``node`` from those of the element: UFL scalars."""
        names = [("r", "slope"), ("d2",), ("d3",)] if self.has_triad else [("r", "slope")]
        return [x for n in names for x in _components(self.blend(q, p, n))]

    def node(self) -> FrameKind:
        """The kind of the same point if it were a node."""
        return SectionFrame() if self.has_triad else PointFrame()

    def node_numbers(self, p: list) -> list:
        """Parameters of ``node`` from those of the frame."""
        return p[len(self.fields) :]

    def pose(self, c, q, p):
        node = self.node()
        numbers = self.node_numbers([p[k] for k in range(self.numbers)])
        return node.pose(c, self.at_node(q, p), numbers)

    def blended(self, q: np.ndarray, p: np.ndarray, *names: str) -> np.ndarray:
        """``blend`` of numbers, with the factors at the beginning of ``p``."""
        mine = np.isin(self.fields, names)
        return p[: len(mine)][mine] @ q.reshape(-1, 3)[mine]

    def place(self, q, p, basis):
        r = self.blended(q, p, "r", "slope")
        if not self.has_triad:
            return r, basis
        node = np.concatenate([r, *(self.blended(q, p, d) for d in ("d2", "d3"))])
        return self.node().place(node, p[len(self.fields) :], basis)


@dataclass(frozen=True)
class LineFrame(InteriorFrame):
    """A point of a cable with its tangent, which takes the place of a triad.

    Parameters: the factors of the unknowns in the position, then those in its derivative.
    """

    label: str = "line"

    sets: ClassVar[int] = 2
    turns = True

    def at_node(self, q, p):
        names, count = ("r", "slope"), len(self.fields)
        parts = (self.blend(q, p, names, start) for start in (0, count))
        return [x for part in parts for x in _components(part)]

    def node(self):
        return LineFrame(fields=("r", "slope"))

    def node_numbers(self, p):
        return [1.0, 0.0, 0.0, 1.0]

    def pose(self, c, q, p):
        x = self.at_node(q, p)
        return LinePose(c, ufl.as_vector(x[:3]), ufl.as_vector(x[3:]))

    def place(self, q, p, basis):
        names = "r", "slope"
        tangent = self.blended(q, p[len(self.fields) :], *names)
        tangent /= np.linalg.norm(tangent)
        return self.blended(q, p, *names), shortest_turn(basis[:, 0], tangent) @ basis


class LinePose(Pose):
    """Position and tangent; the angular velocity is that of the tangent, without spin about it."""

    def __init__(self, c: Symbols, r, tangent):
        super().__init__(c, r)
        self.tangent = tangent / ufl.sqrt(ufl.dot(tangent, tangent))

    @property
    def turning(self):
        return (self.tangent,)

    def as_variables(self):
        pose = LinePose(self.c, ufl.variable(self.r), self.tangent)
        pose.tangent = ufl.variable(self.tangent)
        return pose

    @property
    def omega(self):
        return ufl.cross(self.tangent, self.c.rate(self.tangent))


class Frame:
    """A point of a body with a triad, to which joints, loads and probes attach.

    Attributes:
        body: the body it belongs to.
        kind: how its pose follows from unknowns.
        position: initial position, m, shape (3,).
        basis: initial directors in which the triad is measured, by columns, shape (3, 3).
        offset: the point in the body's directors (rigid bodies), m.
        weights: numbers of a beam's frame before the triad.
    """

    def __init__(
        self, body: Any, kind: FrameKind, position: np.ndarray, basis: np.ndarray, *,
        offset=(0, 0, 0), weights=(),
    ):  # fmt: skip
        self.body, self.kind, self.position, self.basis = body, kind, position, basis
        self.offset, self.weights = np.asarray(offset, float), np.asarray(weights, float)

    def __repr__(self) -> str:
        return f"{self.name} at {checks.listed(self.position)} m"

    @property
    def name(self) -> str:
        """For messages; bodies may be named when they are added to a system."""
        raise TypeError("a frame defines name")

    @property
    def refs(self) -> list[Ref]:
        """The unknowns, once the body has been added to a system."""
        raise TypeError("a frame defines refs")

    def parameters(self, triad: np.ndarray | None = None) -> np.ndarray:
        """Numbers of the frame kind for a triad given by columns at the start (default: the
        basis)."""
        local = np.eye(3) if triad is None else np.linalg.solve(self.basis, triad)
        return self.kind.values(self, local.T.ravel())

    def coordinates(self, values: np.ndarray) -> np.ndarray:
        """Present values of its unknowns, from those of the system by global number."""
        return np.concatenate([ref.present(values) for ref in self.refs])

    def place(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where it is: point, m, (3,), and triad by columns, (3, 3), which begins as ``basis``.
        Points keep that triad; the triad of a cable has its tangent first.

        Args:
            values: of the system's unknowns by global number, ``state.everything(state.q)``.
        """
        return self.kind.place(self.coordinates(values), self.parameters(), self.basis)

    def with_tangent(self, who: str) -> Frame:
        """The same point with the tangent of a cable; other frames have a triad."""
        self.needs_triad(who)
        return self

    def needs_triad(self, who: str) -> None:
        """Refuse frames without directors."""
        if not self.kind.has_triad:
            raise InputError(
                f"{who} needs a triad at {self.name}, which is only a point: for a beam use "
                "model='quadratic' or 'ancf', and for a solid attach a set of facets to a "
                "body."
            )


def across(basis: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The column of a basis that is furthest from an axis; the first of equals, regardless of
    round-off."""
    sizes = np.abs(axis @ basis)
    return basis[:, np.argmax(sizes < sizes.min() + 1e-9)]


def shortest_turn(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Rotation matrix of the shortest turn that takes one unit vector to another."""
    both, cosine = first + second, first @ second
    if cosine < -1 + 1e-12:  # half a turn, about any axis across
        axis = triad_about(first)[:, 0]
        return 2 * np.outer(axis, axis) - np.eye(3)
    return np.eye(3) - np.outer(both, both) / (1 + cosine) + 2 * np.outer(second, first)


def triad_about(axis: np.ndarray, towards: np.ndarray | None = None) -> np.ndarray:
    """Orthonormal triad by columns whose third vector is ``axis`` (unit), the first near
    ``towards``."""
    guess = across(np.eye(3), axis) if towards is None else np.asarray(towards, float)
    e1 = guess - (guess @ axis) * axis
    e1 /= np.linalg.norm(e1)
    return np.column_stack([e1, np.cross(axis, e1), axis])
