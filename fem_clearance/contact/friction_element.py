"""Friction of a translation between two frames, with a normal force that is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import INTERNAL, Block
from ..core.observables import Observable, hidden
from ..errors import InputError
from ..functions import Constant, Function, shape
from ..model.frame import triad_about
from ..model.pair import Pair, PairKind
from ..timestepping.gaps import WATCHED, watched
from .clearance import law_symbols, sliding_friction, speed_of
from .laws.friction import BristleLaw, FrictionLaw
from .laws.normal import indicator
from .laws.stick import TrueStick, at_rest, at_start, in_force, left, returned, stretch

#: rate in N/s or m/s^2 below which a change of the mode is not located within a step
FLOOR = 1e-6
#: of Newton's tolerance, for bristles: while surfaces stick these creep by 1e-10 m/s where the
#: largest term of their equation, met in slip, is the sliding speed; with all of the tolerance they
#: would hold any force
STRICT = 1e-4


@dataclass(frozen=True)
class SlideKind(PairKind):
    """Virtual work of a force along the third axis of frame i; subclasses give the force."""

    feeds_energy = False

    friction: Any = None  # class of the law
    load: Any = None  # Shape of the normal force

    @property
    def label(self):
        return f"friction element ({self.i.label}, {self.j.label})"

    @property
    def own_parameters(self):
        names = (f"friction.{n}" for n in self.friction.parameters)
        return {"start": (), **{n: () for n in names}, **self.load.parameters}

    def slide(self, c):
        """Displacement of frame j along the axis from the start, m."""
        i, j = self.poses(c)
        return ufl.dot(j.r - i.r, i.e(3)) - c.par("start")

    def numbers(self, c):
        """The law's numbers."""
        return law_symbols(c, self.friction, "friction")

    def resistance(self, c, x, v):
        """Friction in N against a positive sliding speed."""
        raise TypeError("a sliding kind defines resistance()")

    def residual(self, c):
        x = self.slide(c)
        return self.resistance(c, x, c.rate(x)) * c.along(x) * c.dx()

    def observables(self, c):
        x = self.slide(c)
        v = c.rate(x)
        force = self.resistance(c, x, v)
        return {
            "slide": Observable(x, "m", "displacement of frame j along the axis"),
            "speed": Observable(v, "m/s", "sliding speed of frame j"),
            "friction_force": Observable(-force, "N", "friction on frame j along the axis"),
            "normal_force": Observable(self.load.at(c, c.t), "N", "normal force"),
            "loss": Observable(force * v, "W", "power that friction takes"),
        }


@dataclass(frozen=True)
class FrictionElementKind(SlideKind):
    """A law of the speed, or bristles: their deflection is a field of order 1."""

    feeds_energy = False

    @property
    def own_fields(self):
        return {"bristle": (1,)} if self.friction.bristles else {}

    def resistance(self, c, x, v):
        p, normal = self.numbers(c), self.load.at(c, c.t)
        if self.friction.bristles:
            z, rate = (c.split(state)[2][0] for state in (c.v, c.a))
            return normal * self.friction.drag(z, rate, v, p)
        return normal * sliding_friction(self.friction, v, p)

    def residual(self, c):
        form = super().residual(c)
        if self.friction.bristles:
            v = c.rate(self.slide(c))
            test = c.split(c.test)[2][0]
            z, rate = (c.split(state)[2][0] for state in (c.v, c.a))
            touching = indicator(ufl.gt(self.load.at(c, c.t), 0))
            p = self.numbers(c)
            growth = self.friction.growth(v, z, speed_of(v, self.friction, p), p)
            form += (rate - touching * growth + (1 - touching) * p.relaxation * z) * test * c.dx()
        return form

    def observables(self, c):
        result = super().observables(c)
        if self.friction.bristles:
            z = c.split(c.v)[2][0]
            result["deflection"] = Observable(z, "m", "deflection of the bristles")
        return result


@dataclass(frozen=True)
class StickKind(SlideKind):
    """Return mapping to an anchor; see ``stick.py``.

    Breaking away and coming to rest are watched like the beginning of a contact. The depth is what
    the trial force exceeds the limit by, in N, while it sticks; the speed against the friction, in
    m/s, while it slips. An adaptive step ends there in the mode it began in (``active`` = 0), and
    the next one has the other mode.
    """

    #: numbers that move on after each step
    kept: ClassVar[tuple[str, ...]] = ("anchor", "mu", "slipping", "since")
    gap: ClassVar[tuple[str, ...]] = ("change", "change_rate", "change_acceleration")
    #: the force jumps from static to sliding friction
    jumps: ClassVar[bool] = True
    #: and ``active`` = 0 holds the present mode (see ``Watch.hold_modes``)
    modes: ClassVar[bool] = True

    @property
    def own_parameters(self):
        return {**dict.fromkeys((*WATCHED, *self.kept), ()), **super().own_parameters}

    def mapped(self, c, x, v):
        """Return mapping of the displacement ``x`` (m) and its rate ``v``."""
        limit = c.par("mu") * self.load.at(c, c.t)
        held = 1 - c.par("active")
        return returned(x, v, c.par("anchor"), limit, self.numbers(c), held, c.par("slipping"))

    def resistance(self, c, x, v):
        return self.mapped(c, x, v).force

    def observables(self, c):
        result = super().observables(c)
        x, p = self.slide(c), self.numbers(c)
        v = c.rate(x)
        m, slipping = self.mapped(c, x, v), c.par("slipping")
        change = slipping * m.reversal + (1 - slipping) * m.excess
        now, before = (z - c.par("anchor") for z in (x, at_start(c, x)))
        energy = p.stiffness * left(c, m, now, before, p) ** 2 / 2
        own = {
            "change": change,
            "change_rate": c.second_rate(change),
            # what the spring would carry where it slips says nothing of the step that is needed
            "change_acceleration": 0.0 * change,
            "anchor": x - stretch(c, m, before, p),
            "slipped": m.slips,
            "time": c.t,
        }
        return {
            **result,
            "slipping": Observable(slipping, "1", "1 while it slips, 0 while it sticks"),
            "energy": Observable(energy, "J", "energy of the sticking spring", "energy.strain"),
            **hidden(own),
        }

    def accept(self, parameters, observed):
        slipped, changed = observed["slipped"] > 0.5, observed["change"] > 0
        self.column(parameters, "anchor")[slipped] = observed["anchor"][slipped]
        self.column(parameters, "since")[:] = observed["time"]
        slipping = self.column(parameters, "slipping")
        slips = np.where(slipping > 0.5, slipped & ~changed, changed)
        slipping[:] = slips
        self.column(parameters, "mu")[:] = in_force(self, parameters, slips)


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
    ``normal_force`` (N), ``loss`` (W); with bristles ``deflection`` (m); with ``TrueStick``
    ``slipping`` and ``energy`` (J).

    Raises:
        InputError: no axis, no law, a negative normal force.
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
        if not checks.offers(normal_force, "expression"):
            normal_force = Constant(checks.non_negative(f"{self.who}: normal_force", normal_force))
        self.load = shape(
            self.who, "normal_force", normal_force, "Harmonic(amplitude=1, frequency=5)"
        )

    def build(self, system) -> None:
        law = self.friction
        make = StickKind if isinstance(law, TrueStick) else FrictionElementKind
        kind = make(self.i.kind, self.j.kind, type(law), self.load)
        own: dict = {f"friction.{n}": x for n, x in law.values().items()}
        if isinstance(law, TrueStick):
            own |= {**at_rest(law, 0.0), **watched(FLOOR)}
        parameters = kind.pack_pair(
            self.i.parameters(triad_about(self.axis)), self.j.parameters(),
            start=float(self.gap @ self.axis), **own, **self.load.pack(),
        )  # fmt: skip
        blocks = []
        if isinstance(law, BristleLaw):
            blocks.append(
                Block(f"{self.name}.bristle", np.zeros(1), order=1, row=INTERNAL, strict=STRICT)
            )
        self.add_to(system, kind, parameters, blocks)
