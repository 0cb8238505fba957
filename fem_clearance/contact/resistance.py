"""How a friction law acts in a contact: by the sliding speed alone, with bristles, or by sticking.

Each way is an object of a kind: it says which fields and numbers a cell needs beside those of the
contact, the force on body i, and what moves on after a step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import ufl

from ..core.observables import Observable, internal
from .forms import across, identity, in_axes, in_space, law_symbols, length, touching
from .laws.friction import BristleLaw, FrictionLaw
from .laws.stick import Return, Sticking, at_start, in_force, left, returned, stretch
from .placements.touch import Touch


def speed_of(velocity, law: type[FrictionLaw], numbers):
    """Size of a velocity, a vector or a scalar, above 0 by what the law does not resolve."""
    return ufl.sqrt(ufl.inner(velocity, velocity) + law.rest(numbers) ** 2)


def sliding_friction(law: type[FrictionLaw], velocity, numbers):
    """Friction per normal force of a law without bristles, along the sliding velocity (m/s, a
    vector or a scalar)."""
    speed = speed_of(velocity, law, numbers)
    return law.coefficient(speed, numbers) / speed * velocity


@dataclass(frozen=True)
class Sliding:
    """A law of the sliding velocity.

    Args:
        law: its class.
        size: of the vectors along the surface: 3 in space, 1 along an axis.
    """

    law: Any
    size: int = 3

    @property
    def fields(self) -> dict[str, tuple[int, ...]]:
        """Fields of the cell."""
        return {}

    @property
    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Numbers of the cell."""
        return {f"friction.{n}": () for n in self.law.parameters}

    def numbers(self, c):
        """The law's numbers."""
        return law_symbols(c, self.law, "friction")

    def force(self, c, at: Touch, load, as_symbol=identity):
        """Friction on body i, N, a vector along the sliding; body j gets the opposite.

        Args:
            load: normal force, N.
            as_symbol: ``c.shared`` in a residual.
        """
        return load * sliding_friction(self.law, at.sliding, self.numbers(c))

    def residual(self, c, at: Touch) -> Any:
        """Equations of the fields; ``None`` without any."""
        return None

    def observables(self, c, at: Touch, load) -> dict[str, Observable]:
        """What is shown of friction alone, and what ``update`` needs."""
        return {}

    def update(self, kind, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """See ``UpdatesParameters.update``."""


@dataclass(frozen=True)
class Bristles(Sliding):
    """Bristles: their deflection is a field of order 1 (the deflection is ``c.v``, its rate
    ``c.a``), a vector in the triad of frame i."""

    @property
    def fields(self):
        return {"bristle": (self.size,)}

    def deflection(self, c, at: Touch, state):
        """Of the bristles (``state`` = ``c.v``) or its rate (``c.a``), in the axes of ``at``."""
        z = c.split(state)[2]
        return z if at.frame is None else in_space(at.frame, z)

    def force(self, c, at, load, as_symbol=identity):
        z, rate = (as_symbol(across(self.deflection(c, at, s), at.normal)) for s in (c.v, c.a))
        return load * self.law.drag(z, rate, at.sliding, self.numbers(c))

    def residual(self, c, at):
        """Growth of the bristles where the bodies touch, their relaxation elsewhere.

        A bristle stays across the normal: its component along n, which turns against body i as
        the point of contact wanders, does not grow and relaxes.
        """
        law, numbers, touches = self.law, self.numbers(c), touching(at.depth)
        test, rate = c.split(c.test)[2], c.split(c.a)[2]
        z = c.shared(self.deflection(c, at, c.v))
        grown = across(z, at.normal)
        growth = law.growth(at.sliding, grown, speed_of(at.sliding, law, numbers), numbers)
        change = touches * (growth - numbers.relaxation * (z - grown))
        change = c.shared(change - (1 - touches) * numbers.relaxation * z)
        local = change if at.frame is None else in_axes(at.frame, change)
        return ufl.dot(rate - local, test) * c.dx()

    def observables(self, c, at, load):
        z = c.split(c.v)[2]
        size = z[0] if self.size == 1 else length(z)
        return {"deflection": Observable(size, "m", "deflection of the bristles")}


@dataclass(frozen=True)
class Spring(Sliding):
    """Friction that sticks by return mapping (laws/stick.py); subclasses say where the anchor and
    the coefficient in force are kept."""

    def anchor(self, c):
        """Place of the anchor in the coordinates of the contact, m."""
        return c.par("anchor")

    def coefficient(self, c):
        """Coefficient of friction in force."""
        return c.par("mu")

    def mapped(self, c, at: Touch, load) -> Return:
        """Return mapping of the place along the surface."""
        slide, limit = across(at.place - self.anchor(c), at.normal), self.coefficient(c) * load
        return returned(slide, at.sliding, 0 * slide, limit, self.numbers(c))

    def force(self, c, at, load, as_symbol=identity):
        return self.mapped(c, at, load).force

    def after(self, c, at: Touch, m: Return) -> tuple[Any, Any]:
        """The anchor of what slips after the step, m, and the energy of the spring then."""
        p, s, anchor = self.numbers(c), at.place, self.anchor(c)
        now, before = (across(z - anchor, at.normal) for z in (s, at_start(c, s)))
        kept = left(c, m, now, before, p)
        return s - stretch(c, m, before, p), p.stiffness * ufl.dot(kept, kept) / 2


@dataclass(frozen=True)
class Stick(Spring):
    """The same, kept in the numbers of a cell. The anchor goes with the point while the surfaces
    are apart."""

    #: channel and total of the energy of the spring; whether the channel is recorded
    energy: ClassVar[tuple[str, str, bool]] = ("sticking_energy", "energy.contact", False)

    @property
    def parameters(self):
        own = {"anchor": (self.size,), "mu": (), "slipping": (), "since": ()}
        return super().parameters | own

    @staticmethod
    def pressed(at: Touch) -> Any:
        """1 where the spring is held, else 0."""
        return touching(at.depth)

    def observables(self, c, at, load):
        m, s = self.mapped(c, at, load), at.place
        anchor, energy = self.after(c, at, m)
        energy *= self.pressed(at)
        name, whole, recorded = self.energy
        return {
            "slipping": Observable(c.par("slipping"), "1", "1 while it slips, 0 while it sticks"),
            name: Observable(energy, "J", "energy of the sticking spring", whole, recorded),
            **internal({f"anchor{k}": anchor[k] for k in range(self.size)}),
            **internal({f"place{k}": s[k] for k in range(self.size)}),
            **internal({"slipped": m.slips, "time": c.t}),
        }

    def update(self, kind, parameters, observed):
        free = observed["depth"] <= 0
        slips = (observed["slipped"] > 0.5) & ~free
        anchor = kind.column(parameters, "anchor")
        for k in range(self.size):
            anchor[slips, k] = observed[f"anchor{k}"][slips]
            anchor[free, k] = observed[f"place{k}"][free]
        self.go_on(kind, parameters, observed["time"], slips)

    @staticmethod
    def go_on(kind, parameters, time: np.ndarray, slips: np.ndarray) -> None:
        """Note which cells slip from ``time`` on, and the coefficients in force."""
        kind.column(parameters, "slipping")[:] = slips
        kind.column(parameters, "since")[:] = time
        kind.column(parameters, "mu")[:] = in_force(kind, parameters, slips)


def resistance(law: Any, size: int = 3) -> Sliding:
    """How a law acts, by its class."""
    way: type[Sliding] = Sliding
    if issubclass(law, BristleLaw):
        way = Bristles
    elif issubclass(law, Sticking):
        way = Stick
    return way(law, size)
