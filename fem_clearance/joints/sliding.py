"""Sliding joints: a point of a body moves along a flexible beam, from element to element."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from ..bodies.beams.beam import Beam
from ..bodies.beams.shape_functions import shape_numbers
from ..contact.forms import NOTHING
from ..contact.laws.friction import BristleLaw, FrictionLaw
from ..core.blocks import Block, multipliers
from ..core.component import Cell
from ..core.mixins import PassedInterval
from ..core.observables import Observable, internal
from ..core.roles import ROTATION, TRANSLATION, Algebraic
from ..core.symbols import total, triple
from ..errors import InputError
from ..markup import Shown
from ..model.frame import Frame, FrameKind, PointFrame, triad_about
from ..model.portrait import Portrait

#: distance from a node, relative to the beam's length, within which the point counts as there: the
#: centre lines of both elements differ by half the jump of curvature times this distance squared
PAST = 1e-5


@dataclass(frozen=True)
class SlidingKind(PassedInterval):
    """(I - t t) (r_j - r(s)) = 0 and t . (r_j - r(s)) = 0, with the tangent t at the arc length s.

    The first two conditions (along two axes that are kept across the tangent) have multipliers;
    the third determines s. No force therefore acts along the tangent, and the constraints do not
    depend on the rate of s. There is a cell for each element of the beam, of which only that with
    the point is active.

    A frame that turns with the tangent has two more multipliers: a_k . t = 0 for its axes across
    the line. There, the tangent is extrapolated by the distance of the point along it, so that the
    rate of this condition does not depend on that of s either. Where the line is curved, the couple
    then has a component of force along it, because the frame has to turn in order to move.

    Attributes:
        j: the frame of the point.
        friction: class of the friction law, or ``None``.
        turning: whether the frame turns with the tangent.
    """

    feeds_energy = False
    #: ``update`` only selects the active element, and the axes along which the force is resolved
    remembers = False
    #: the present directions across the line, which does not change the forces
    copied: ClassVar = {"axes": tuple(f"normal{n}.{x}" for n in (0, 1) for x in "xyz")}
    watched = "place"
    rate = "rate"

    j: FrameKind = PointFrame()
    friction: type[FrictionLaw] | None = None
    turning: bool = False

    def fields(self):
        couple = {"couple": (2,)} if self.turning else {}
        return {"line": (12,), "j": (self.j.size,), "s": (1,), "lam": (2,), **couple}

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Without friction."""
        return self.friction is None

    @property
    def parameters(self):  # type: ignore[override]
        law = dict.fromkeys(self.friction.parameters, ()) if self.friction else {}
        return {
            "j": (self.j.numbers,), "active": (), "first": (), "length": (), "ratio": (),
            "axes": (2, 3), "stiffness": (), **law,
        }  # fmt: skip

    #: why a negative ``time_to_change`` ends a run
    why_stopped = "the point of a sliding joint has left its beam"
    #: length of the beam
    history = {"whole": ()}

    @property
    def label(self):
        return f"sliding joint ({self.j.label})"

    # --- the line -------------------------------------------------------------------------------
    def ends(self, c, state):
        """Position and slope unknowns of the element's ends, of q, v or a test function."""
        line = c.split(state)[0]
        return [triple(line, 3 * n) for n in range(4)]

    def factors(self, c, s):
        """Factors of the ends' unknowns in the position, and in its derivatives by arc length."""
        h, ratio = c.par("length"), c.par("ratio")
        # if the point is on another element, the middle of this one
        x = ufl.variable(c.par("active") * ((s - c.par("first")) / h - 0.5) + 0.5)
        value = [1 - 3 * x**2 + 2 * x**3, ratio * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3,
                 ratio * (x**3 - x**2)]  # fmt: skip
        slope = [ufl.diff(z, x) / h for z in value]
        return value, slope, [ufl.diff(z, x) / h for z in slope]

    @staticmethod
    def blend(factors, ends):
        """Sum of the ends' unknowns times factors."""
        return total(a * b for a, b in zip(factors, ends, strict=True))

    def pose(self, c):
        return self.j.pose(c, c.split(c.q)[1], c.par("j"))

    def place(self, c, shared=lambda z: z) -> SimpleNamespace:
        """Where the point is on the line, and the directions there."""
        p, s = SimpleNamespace(), c.split(c.q)[2][0]
        value, slope, second = self.factors(c, s)
        p.value = shared(ufl.as_vector(value))
        p.value = [p.value[k] for k in range(4)]
        ends = self.ends(c, c.q)
        p.pose = self.pose(c)
        p.gap = shared(p.pose.r - self.blend(value, ends))
        p.slope = shared(self.blend(slope, ends))
        p.size = ufl.sqrt(ufl.dot(p.slope, p.slope))
        p.tangent = p.slope / p.size
        axes = c.par("axes")
        rows = [ufl.as_vector([axes[k, n] for n in range(3)]) for k in (0, 1)]
        p.normals = [e - ufl.dot(e, p.tangent) * p.tangent for e in rows]
        if self.turning:
            p.slopes = slope
            p.axes = [shared(p.pose.e(k)) for k in (1, 2)]
            bend = shared(self.blend(second, ends))
            # of the tangent, by the way along the line
            p.curvature = (bend - ufl.dot(bend, p.tangent) * p.tangent) / p.size**2
        return p

    def moving(self, c, p, state):
        """Motion of the point against the material of the line: of v or a test function."""
        r = self.pose(c).r
        own = c.rate(r) if state is c.v else c.along(r)
        return own - self.blend(p.value, self.ends(c, state))

    def forces(self, c, p):
        """Across the line and along it, by which the point pushes the line, N."""
        lam = c.split(c.q)[3]
        across = lam[0] * p.normals[0] + lam[1] * p.normals[1]
        if not self.friction:
            return across, None
        speed = ufl.dot(p.tangent, self.moving(c, p, c.v))
        law = SimpleNamespace(**{n: c.par(n) for n in self.friction.parameters})
        size = ufl.sqrt(speed**2 + self.friction.rest(law) ** 2)
        push = ufl.sqrt(ufl.dot(across, across) + NOTHING)
        return across, self.friction.coefficient(size, law) * push * speed / size

    def couple(self, c, p):
        """What holds the frame to the tangent: sum of the multipliers times its axes, N m."""
        lam = c.split(c.q)[4]
        return lam[0] * p.axes[0] + lam[1] * p.axes[1]

    def force(self, c, p):
        """Force by which the point pushes the line, N; its part along the line by friction."""
        across, along = self.forces(c, p)
        push = across if along is None else across + along * p.tangent
        if self.turning:
            push += ufl.dot(self.couple(c, p), p.curvature) * p.tangent
        return push, along

    def turn(self, c, p):
        """Virtual work of the couple, and its condition times the test function."""
        tests, lam = c.split(c.test), c.split(c.q)[4]
        couple = self.couple(c, p)
        pull = c.shared((couple - ufl.dot(couple, p.tangent) * p.tangent) / p.size)
        work = ufl.dot(pull, self.blend(p.slopes, self.ends(c, c.test)))
        way = ufl.dot(p.gap, p.tangent)
        for k in (0, 1):
            work += ufl.dot(c.shared(lam[k] * p.tangent), c.along(p.pose.e(k + 1)))
            work += tests[4][k] * ufl.dot(p.axes[k], p.tangent + way * p.curvature)
        return work

    def residual(self, c):
        p = self.place(c, c.shared)
        push = c.shared(self.force(c, p)[0])
        tests = c.split(c.test)
        work = ufl.dot(push, self.moving(c, p, c.test))
        work += sum(tests[3][k] * ufl.dot(p.normals[k], p.gap) for k in (0, 1))
        work += c.par("stiffness") * tests[2][0] * ufl.dot(p.gap, p.tangent)
        if self.turning:
            work += self.turn(c, p)
        return c.par("active") * work * c.dx()

    def observables(self, c):
        p = self.place(c)
        push, along = self.force(c, p)
        motion = ufl.dot(p.tangent, self.moving(c, p, c.v))
        s, s_n, on = c.split(c.q)[2][0], c.split(c.q_n)[2][0], c.par("active")
        result = {
            "s": Observable(on * s, "m", "arc length of the point on the beam at rest"),
            "speed": Observable(on * motion, "m/s", "of the point along the beam"),
        }
        for k, x in enumerate("xyz"):
            result[f"force.{x}"] = Observable(-on * push[k], "N", f"{x} of the force on frame j")
        if self.turning:
            moment = ufl.cross(p.tangent, self.couple(c, p))
            for k, x in enumerate("xyz"):
                result[f"moment.{x}"] = Observable(
                    on * moment[k], "N m", f"{x} of the moment on frame j"
                )
        loss = 0.0 * motion if along is None else along * motion
        result["friction_loss"] = Observable(on * loss, "W", "power lost to friction")
        own = {"place": s, "moved": s - s_n, "rate": motion / p.size}
        own |= {f"tangent.{x}": p.tangent[n] for n, x in enumerate("xyz")}
        for k in (0, 1):
            own |= {f"normal{k}.{x}": p.normals[k][n] for n, x in enumerate("xyz")}
        return result | internal(own)

    # --- from element to element ----------------------------------------------------------------
    def interval(self, parameters):
        """The active element."""
        first, length, active = (self.column(parameters, n) for n in ("first", "length", "active"))
        on = active > 0
        return np.where(on, first, -np.inf), np.where(on, first + length, np.inf)

    def near(self, parameters):
        """At a node both elements are near."""
        return PAST * self.column(parameters, "whole")

    def time_to_change(self, parameters, observed):
        """Time until the point reaches the end of its element, s."""
        s, whole = observed["place"], self.column(parameters, "whole")
        gone = (s < -1e-3 * whole) | (s > (1 + 1e-3) * whole)
        return np.where(gone, -1.0, super().time_to_change(parameters, observed))

    def change(self, parameters, observed):
        first, length, active, whole = (
            self.column(parameters, n) for n in ("first", "length", "active", "whole")
        )
        s, axes = observed["place"], self.columns("axes")
        # at a node the element ahead becomes active
        past = np.where(observed["moved"] > 0, -PAST, PAST) * whole
        low = (s >= first + past) | (first <= 0)
        high = (s < first + length + past) | (first + length >= whole * (1 - 1e-12))
        for k in np.flatnonzero(low & high & (active == 0)):
            tangent = np.array([observed[f"tangent.{x}"][k] for x in "xyz"])
            across = triad_about(tangent / np.linalg.norm(tangent))[:, :2]
            parameters[k, axes] = across.T.ravel()
        active[:] = low & high


class SlidingJoint(Shown):
    """Holds a point of a body on the centre line of a beam, along which it slides.

    The beam may be long and flexible. A step ends where the point reaches a node of it, and the
    next one begins in the next element.

    Args:
        beam: of the models ``"cable"`` or ``"ancf"``, whose centre line has a continuous tangent.
        frame: the point; on a curved beam best at ``beam.at_length(s).position``, since elements
            are not quite as curved as the line they were made from.
        friction: law of friction along the beam; none by default.
        turning: the frame turns with the beam's tangent, like a sleeve; about the tangent, and
            along it, it stays free.
        name: for messages and channels.

    Channels: ``s`` (m), ``speed`` (m/s), ``force.x/y/z`` (N, on the frame), ``friction_loss`` (W);
    with ``turning`` ``moment.x/y/z`` (N m, on the frame).

    Raises:
        InputError: a beam without continuous tangent; a frame without axes that is to turn; when
            added, a point off the beam.

    See docs/sliding.md. Example::

        fc.SlidingJoint(beam, body.at((0.1, 0, 0)), friction=fc.SmoothCoulomb(0.1))
    """

    prefix, label = "sliding", "sliding joint"

    def __init__(self, beam: Beam, frame: Frame, *, friction: FrictionLaw | None = None,
                 turning: bool = False, name: str | None = None):  # fmt: skip
        self.name: Any = name
        who = name or self.label
        if not isinstance(beam, Beam) or "slope" not in beam.kind.node_fields:
            raise InputError(
                f"{who} needs a beam whose centre line has a tangent everywhere: "
                f"model='cable' or 'ancf', got {getattr(beam, 'name', beam)!r}."
            )
        if not isinstance(frame, Frame):
            raise InputError(f"{who} needs a frame such as body.center, got {frame!r}.")
        bristles = isinstance(friction, BristleLaw)
        if bristles or not isinstance(friction, FrictionLaw | None):
            raise InputError(f"{who}: friction must be a law without bristles, got {friction!r}.")
        if turning:
            frame.needs_triad(who)
        self.beam, self.i, self.j, self.friction = beam, beam.node(0), frame, friction
        self.turning = bool(turning)

    def _element(self, s: float) -> tuple[int, np.ndarray, np.ndarray]:
        """Element at an arc length, and its place and slope there: not quite those of the line that
        it was made from."""
        beam = self.beam
        e, x = beam.locate(s)
        place, slope = np.zeros(3), np.zeros(3)
        numbers = shape_numbers(beam.kind, x, *beam.sizes(e))
        for (name, node), value, rate in zip(beam.kind.layout, *numbers[:2], strict=True):
            if name in ("r", "slope"):
                start = beam.at_rest[e * beam.kind.spans + node][name]
                place, slope = place + value * start, slope + rate * start
        return e, place, slope

    def _start(self) -> tuple[int, float, np.ndarray]:
        """Element, arc length and tangent where the point is at the start."""
        beam, point = self.beam, self.j.position
        s = float(np.clip(beam.line.nearest(point), 0, beam.length))
        away = float(np.linalg.norm(point - beam.line.point([s])[0]))
        if away > 1e-6 * beam.length:
            raise InputError(
                f"{self.name}: {self.j.name} lies {away:.3g} m off the beam {beam.name}; put it on "
                "its centre line."
            )
        for _ in range(3):
            e, place, slope = self._element(s)
            s = float(np.clip(s + slope @ (point - place) / (slope @ slope), 0, beam.length))
        e, _, slope = self._element(s)
        return e, s, slope / np.linalg.norm(slope)

    def portrait(self) -> Portrait:
        return Portrait("sliding", self.i, self.j, data={"beam": self.beam.name})

    def build(self, builder) -> None:
        beam = self.beam
        here, s, tangent = self._start()
        kind = SlidingKind(
            self.j.kind, type(self.friction) if self.friction else None, self.turning
        )
        own: dict[str, Any] = self.friction.values() if self.friction else {}
        triad = triad_about(tangent)
        own |= {
            "j": self.j.parameters(triad),
            "stiffness": beam.section.area * beam.material.E / beam.length,
            "axes": triad[:, :2].T,
            "whole": beam.length,
        }
        place = Block(self.name, "s", np.array([s]), Algebraic())
        lam = multipliers(self.name, "force", 2, TRANSLATION)
        blocks = [place, lam]
        if self.turning:
            blocks.append(multipliers(self.name, "moment", 2, ROTATION))
        for block in blocks:
            builder.add_block(block, after=(beam.node(beam.elements), self.j))
        for e in range(beam.elements):
            length, ratio = beam.sizes(e)
            parameters = kind.pack(
                **own, active=float(e == here), first=beam.ends[e], length=length, ratio=ratio
            )
            line = [beam.nodes[n][x].all for n in (e, e + 1) for x in ("r", "slope")]
            refs = [*line, *self.j.refs, *(b.all for b in blocks)]
            builder.add_cell(kind, Cell(self.name, refs, parameters))
        builder.number_behind(self.j.body, beam)
        builder.connect(beam, self.j.body)
