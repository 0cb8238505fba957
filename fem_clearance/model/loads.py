"""External forces and torques: constant, following a frame, or varying with time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.component import Cell
from ..core.observables import Observable
from ..core.symbols import Symbols, total
from ..errors import InputError
from ..functions import Function, shape
from ..markup import Shown
from .frame import Pose
from .pair import SingleKind, resolve_one
from .portrait import Portrait


@dataclass(frozen=True)
class FrameLoadKind(SingleKind):
    """Virtual power of a force or torque on a velocity of the frame; subclasses define the load.

    For a torque the velocity is the angular one, which is no rate of coordinates: its virtual
    counterpart is the derivative with respect to v (Jourdain).

    Attributes:
        turns: whether the load is a torque.
    """

    feeds_energy = True

    turns: bool = False

    def load(self, c: Symbols, pose: Pose):
        """The force, N, or torque, N m, in the fixed axes."""
        raise TypeError("a kind of load defines load()")

    def motion(self, pose: Pose):
        """What the load works on: the velocity, m/s, or angular velocity, rad/s."""
        return pose.omega if self.turns else pose.velocity

    def residual(self, c):
        pose = self.pose(c)
        return -ufl.dot(self.load(c, pose), c.power(self.motion(pose))) * c.dx()

    def observables(self, c):
        pose = self.pose(c)
        load = self.load(c, pose)
        what, unit = ("torque", "N m") if self.turns else ("force", "N")
        shown = {x: Observable(load[k], unit, f"{x} of the {what}") for k, x in enumerate("xyz")}
        power = ufl.dot(load, self.motion(pose))
        return shown | {"power": Observable(power, "W", f"power of the {what}")}


@dataclass(frozen=True)
class LoadKind(FrameLoadKind):
    """A vector times a function of time."""

    called = "force or torque"

    follower: bool = False
    function: Any = None  # Shape

    @property
    def own_parameters(self):
        return {"vector": (3,), **(self.function.parameters if self.function else {})}

    @property
    def dead_loads(self):  # type: ignore[override]
        return () if self.function else ("vector",)

    def load(self, c, pose):
        vector = c.par("vector")
        if self.follower:
            vector = total(vector[k] * e for k, e in enumerate(pose.triad))
        return self.function.at(c, c.t) * vector if self.function else vector


class Load(Shown):
    """The common part of ``Force`` and ``Torque``."""

    prefix, label, turns = "load", "load", False

    def __init__(
        self,
        frame,
        vector: ArrayLike | None = None,
        function: Function | None = None,
        *,
        follower: bool = False,
        name: str | None = None,
    ):
        self.name: Any = name
        who = name or self.label
        self.i = resolve_one(frame, who)
        if follower:
            self.i.needs_triad(who)
        elif self.turns:
            self.i = self.i.with_tangent(who)
        self.vector = checks.vector(f"{who}: vector", vector)
        self.follower = bool(follower)
        self.shape = None
        if function is not None:
            self.shape = shape(
                who, "function", function, "functions.Harmonic(amplitude=1, frequency=5)"
            )

    def portrait(self) -> Portrait:
        about = {"vector": self.vector.tolist(), "follower": self.follower}
        return Portrait(self.prefix, self.i, data=about)

    def build(self, builder) -> None:
        kind = LoadKind(self.i.kind, self.turns, self.follower, self.shape)
        own = self.shape.pack() if self.shape else {}
        # the triad starts along the fixed axes, so a follower's components are those of the start
        parameters = kind.pack_single(self.i.parameters(np.eye(3)), vector=self.vector, **own)
        builder.add_cell(kind, Cell(self.name, self.i.refs, parameters))


class Force(Load):
    """A force on a frame's point.

    Args:
        frame: such as ``arm.end``; a rigid body stands for its centre of mass.
        vector: N, in the fixed axes (for a follower: at the start).
        function: of time, multiplies the vector; default 1.
        follower: whether the force turns with the frame.
        name: for messages and channels.

    Channels: ``x y z`` (N), ``power`` (W).

    Raises:
        InputError: a vector that is not three finite numbers, a follower on a cable.
    """

    prefix = label = "force"


class Torque(Load):
    """A torque on a frame; see ``Force``, with N m in place of N.

    A cable takes it through its tangent: its slope unknowns bear it, and what turns about the
    tangent does no work.

    Args:
        frame: such as ``arm.end``; a rigid body stands for its centre of mass.
        vector: N m, in the fixed axes (for a follower: at the start).
        function: of time, multiplies the vector; default 1.
        follower: whether the torque turns with the frame.
        name: for messages and channels.

    Channels: ``x y z`` (N m), ``power`` (W).

    Raises:
        InputError: a vector that is not three finite numbers, a follower on a cable.
    """

    prefix = label = "torque"
    turns = True


#: places of a line load that are drawn
SHOWN = 13


class LineLoad(Shown):
    """A force or moment spread over a beam.

    It is put on as forces at three Gauss points of each element (exact for intensities up to
    quadratic along an element), each with its share in the element's unknowns.

    Args:
        beam: the beam.
        vector: N per metre of undeformed length (moments: N m per metre) in the fixed axes, or a
            function of the arc length (m) that returns it.
        function: of time, multiplies the vector; default 1.
        span: arc lengths between which it acts, m; default the whole beam.
        moment: whether it is a moment.
        follower: whether it turns with the sections; it then starts with the given direction.
        name: for messages and channels.

    Channels: ``x y z`` (N or N m) of the whole, ``power`` (W).

    Raises:
        InputError: vectors that are not three finite numbers, a span outside the beam, a follower
            on a cable.

    Example::

        system.add(fc.LineLoad(beam, (0, -120.0, 0)))  # N/m
    """

    prefix = label = "line_load"

    def __init__(
        self,
        beam,
        vector: ArrayLike | None = None,
        function: Function | None = None,
        *,
        span: ArrayLike | None = None,
        moment: bool = False,
        follower: bool = False,
        name: str | None = None,
    ):
        self.name: Any = name
        who = name or self.label
        if not checks.offers(beam, "at_length"):
            raise InputError(f"{who} needs a beam, got {beam!r}.")
        self.i = beam.start
        start, end = (0.0, beam.length) if span is None else checks.vector(f"{who}: span", span, 2)
        for s in (start, end):
            checks.within(f"{who}: ends of the span", s, 0.0, beam.length)
        if start >= end:
            raise InputError(
                f"{who}: the start of the span must lie before its end, got {start:g} to {end:g} m."
            )
        self.span = start, end
        cuts = np.unique([start, *beam.ends[(beam.ends > start) & (beam.ends < end)], end])
        gauss, weights = np.polynomial.legendre.leggauss(3)
        kind = Torque if moment else Force
        self.parts: list[Load] = []
        for a, b in zip(cuts[:-1], cuts[1:], strict=True):
            for x, w in zip((a + b) / 2 + (b - a) / 2 * gauss, (b - a) / 2 * weights, strict=True):
                value = vector(float(x)) if callable(vector) else vector
                share = w * checks.vector(f"{who}: vector", value)
                point = beam.at_length(x)
                self.parts.append(kind(point, share, function, follower=follower, name=who))
        self.shape, self.moment, self.follower = self.parts[0].shape, moment, follower
        #: arc lengths, m, and load per length there, of what is drawn
        self.shown = np.linspace(start, end, SHOWN)
        given = [vector(float(x)) if callable(vector) else vector for x in self.shown]
        self.intensities = np.array([checks.vector(f"{who}: vector", v) for v in given])

    def portrait(self) -> Portrait:
        ends = dict(zip(("start", "end"), self.span, strict=True))
        about = {
            "beam": self.i.body.name, "places": self.shown.tolist(),
            "vectors": self.intensities.tolist(), "moment": self.moment,
            "follower": self.follower, "steady": self.shape is None,
        }  # fmt: skip
        return Portrait("line_load", self.i, sizes=ends, data=about)

    def build(self, builder) -> None:
        for part in self.parts:
            part.name = self.name
            part.build(builder)
