"""Friction of a translation between two frames, with a normal force that is given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.mixins import ContactGap, UpdatesParameters
from ..core.observables import Observable, internal
from ..errors import InputError
from ..functions import Constant, Function, of_time, shape
from ..model.frame import triad_about
from ..model.pair import Pair, PairKind
from ..timestepping.gaps import WATCHED, watched
from .clearance import add_contact
from .forms import as_parameters
from .laws.friction import FrictionLaw
from .laws.stick import TrueStick, at_rest, returned
from .placements.rod import displacement
from .placements.touch import Touch
from .resistance import Sliding, Stick, resistance

#: rate in N/s or m/s^2 below which a change of the mode is not located within a step
FLOOR = 1e-6
#: of Newton's tolerance, for bristles: while surfaces stick these creep by 1e-10 m/s where the
#: largest term of their equation, met in slip, is the sliding speed; with all of the tolerance they
#: would hold any force
STRICT = 1e-4
#: observables of a change of the mode that time stepping watches
CHANGE = ("change", "change_rate", "change_acceleration")


@dataclass(frozen=True)
class Switching(Stick):
    """Friction that sticks, whose changes between sticking and slipping are located.

    Breaking away and coming to rest are watched like the beginning of a contact. The depth is what
    the trial force exceeds the limit by, in N, while it sticks; the speed against the friction, in
    m/s, while it slips. An adaptive step ends there in the mode it began in (``active`` = 0), and
    the next one has the other mode.
    """

    energy: ClassVar[tuple[str, str, bool]] = ("energy", "energy.strain", True)

    @property
    def parameters(self):
        return {**dict.fromkeys(WATCHED, ()), **super().parameters}

    @staticmethod
    def pressed(at):
        return 1.0

    def mapped(self, c, at, load):
        slide, limit = at.place - c.par("anchor"), c.par("mu") * load
        held, slipping = 1 - c.par("active"), c.par("slipping")
        return returned(slide, at.sliding, 0 * slide, limit, self.numbers(c), held, slipping)

    def observables(self, c, at, load):
        m, slipping = self.mapped(c, at, load), c.par("slipping")
        change = slipping * m.reversal + (1 - slipping) * m.excess
        # what the spring would carry where it slips says nothing of the step that is needed
        watched = change, c.second_rate(change), 0.0 * change
        own = dict(zip(CHANGE, watched, strict=True))
        return {**super().observables(c, at, load), **internal(own)}

    def update(self, kind, parameters, observed):
        slipped, changed = observed["slipped"] > 0.5, observed["change"] > 0
        kind.column(parameters, "anchor")[slipped, 0] = observed["anchor0"][slipped]
        before = kind.column(parameters, "slipping") > 0.5
        slips = np.where(before, slipped & ~changed, changed)
        self.go_on(kind, parameters, observed["time"], slips)


@dataclass(frozen=True)
class SlideKind(PairKind):
    """Friction along the third axis of frame i under a normal force that is given.

    Args:
        friction: class of the law.
        load: ``Shape`` of the normal force.
    """

    friction: Any = None
    load: Any = None

    feeds_energy = False

    @property
    def label(self):
        return f"friction element ({self.i.label}, {self.j.label})"

    @cached_property
    def resistance(self) -> Sliding:
        """How friction acts."""
        return resistance(self.friction, 1)

    @property
    def own_fields(self):
        return self.resistance.fields

    @property
    def own_parameters(self):
        return {"start": (), **self.resistance.parameters, **self.load.parameters}

    def touch(self, c) -> Touch:
        """The displacement from the start; the normal force stands for the depth."""
        x = displacement(c, self) - ufl.as_vector([c.par("start")])
        load = self.load.at(c, c.t)
        return Touch(
            load, None, None, None, c.rate(x), lambda force: ufl.dot(force, c.along(x)), place=x
        )

    def residual(self, c):
        at = self.touch(c)
        form = at.work(self.resistance.force(c, at, at.depth)) * c.dx()
        more = self.resistance.residual(c, at)
        return form if more is None else form + more

    def observables(self, c):
        at = self.touch(c)
        force = self.resistance.force(c, at, at.depth)[0]
        return {
            "slide": Observable(at.place[0], "m", "displacement of frame j along the axis"),
            "speed": Observable(at.sliding[0], "m/s", "sliding speed of frame j"),
            "friction_force": Observable(-force, "N", "friction on frame j along the axis"),
            "normal_force": Observable(at.depth, "N", "normal force"),
            "friction_loss": Observable(force * at.sliding[0], "W", "power lost to friction"),
            **self.resistance.observables(c, at, at.depth),
        }


@dataclass(frozen=True)
class StickKind(SlideKind, UpdatesParameters, ContactGap):
    """The same with friction that sticks."""

    gap: ClassVar[tuple[str, ...]] = CHANGE
    #: the force jumps from static to sliding friction
    discontinuous: ClassVar[bool] = True
    #: and ``active`` = 0 holds the present mode (see ``Watch.hold_modes``)
    has_stick_modes: ClassVar[bool] = True
    cellwise: ClassVar[bool] = True

    @property
    def label(self):
        return f"sticking {super().label}"

    @cached_property
    def resistance(self):
        return Switching(self.friction, 1)

    def update(self, parameters, observed):
        self.resistance.update(self, parameters, observed)


class FrictionElement(Pair):
    """Friction between two frames that slide along an axis.

    It acts beside a joint that guides the motion, such as a prismatic one.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: of the sliding, fixed in frame i.
        friction: a friction law, with or without bristles, or ``TrueStick``.
        normal_force: N, a number or a function of time.
        name: for messages and channels.

    Channels: ``slide`` (m), ``speed`` (m/s), ``friction_force`` (N, on frame j along the axis),
    ``normal_force`` (N), ``friction_loss`` (W); with bristles ``deflection`` (m); with
    ``TrueStick`` ``slipping`` and ``energy`` (J).

    Raises:
        InputError: no axis, no law, a negative normal force.

    See docs/laws.md. Example::

        fc.FrictionElement(ground, body.center, (1, 0, 0), friction=fc.TrueStick(0.4, 0.3),
                           normal_force=10.0)
    """

    prefix, label, holds = "friction", "friction element", False
    triads_needed = (True, False)

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        friction: FrictionLaw | TrueStick | None = None,
        normal_force: float | Function,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        self.axis = checks.axis(self.who, axis, "(1, 0, 0)")
        if not isinstance(friction, FrictionLaw | TrueStick):
            raise InputError(
                f"{self.who}: friction must be a friction law such as SmoothCoulomb(0.3), "
                f"got {friction!r}."
            )
        self.friction = friction
        normal_force = of_time(normal_force)
        if not checks.offers(normal_force, "expression"):
            normal_force = Constant(checks.non_negative(f"{self.who}: normal_force", normal_force))
        self.load = shape(
            self.who, "normal_force", normal_force, "functions.Harmonic(amplitude=1, frequency=5)"
        )

    def build(self, builder) -> None:
        law = self.friction
        make = StickKind if isinstance(law, TrueStick) else SlideKind
        kind = make(self.i.kind, self.j.kind, type(law), self.load)
        own: dict = as_parameters("friction", law.values())
        if isinstance(law, TrueStick):
            own |= {**at_rest(law, 0.0), **watched(FLOOR)}
        numbers = kind.pack_pair(
            self.i.parameters(triad_about(self.axis)), self.j.parameters(),
            start=float(self.gap @ self.axis), **own, **self.load.pack(),
        )  # fmt: skip
        add_contact(builder, kind, self.name, (self.i, self.j), numbers, tolerance_factor=STRICT)
