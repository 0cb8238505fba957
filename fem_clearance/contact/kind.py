"""The one kind of contact of two bodies: a placement, a normal law, friction, wear."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import ufl

from ..core.mixins import ContactGap, LimitedValidity, UpdatesParameters
from ..core.observables import Observable, internal
from ..model.pair import PairKind
from ..timestepping.gaps import WATCHED
from .forms import NOTHING, identity, law_symbols, length, touching
from .laws.normal import LankaraniNikravesh, NormalLaw, contact_force, hysteretic, indicator
from .laws.stick import Sticking
from .placements.planar import Planar
from .placements.touch import Placement, Touch
from .resistance import Sliding, resistance


@dataclass(frozen=True)
class ContactKind(PairKind, ContactGap):
    """Contact of body j with body i.

    Args:
        i, j: frames.
        placement: where the bodies touch, how deep, and how their surfaces slide.
        normal: class of the normal-force law.
        friction: class of the friction law, or ``None``.
        worn: what the surfaces have lost, and how they lose it (wear/rings.py), or ``None``.
    """

    placement: Placement = Planar()
    normal: type[NormalLaw] = LankaraniNikravesh
    friction: Any = None
    worn: Any = None

    feeds_energy = False
    #: observables that time stepping watches: depth (negative while free), its rate and
    #: acceleration
    gap: ClassVar[tuple[str, ...]] = ("depth", "depth_rate", "depth_acceleration")
    gap_force: ClassVar[str] = "normal_force"
    gap_energy: ClassVar[str] = "contact_energy"

    @property
    def gap_share(self) -> str:  # type: ignore[override]
        """The part of the law's force that acts, where it changes."""
        return "share" if self.placement.shares else ""

    @property
    def discontinuous(self) -> bool:  # type: ignore[override]
        """Whether the normal force jumps when contact begins."""
        return self.normal.jumps

    @property
    def hysteretic(self) -> bool:  # type: ignore[override]
        """Whether the normal force depends on the approach speed."""
        return hysteretic(self.normal)

    @property
    def label(self):
        worn = "worn " if self.worn else ""
        return f"{worn}{self.placement.label} ({self.i.label}, {self.j.label})"

    @cached_property
    def resistance(self) -> Sliding | None:
        """How friction acts; ``None`` without."""
        return resistance(self.friction) if self.friction else None

    @property
    def own_fields(self):
        return self.resistance.fields if self.resistance else {}

    @property
    def own_parameters(self):
        normal = dict.fromkeys(f"normal.{n}" for n in self.normal.parameters)
        names: dict[str, tuple[int, ...]] = dict.fromkeys(
            (*WATCHED, *self.placement.parameters, *normal), ()
        )
        for part in (self.resistance, self.worn):
            names |= part.parameters if part else {}
        return names

    @property
    def history(self):  # type: ignore[override]
        return self.worn.history if self.worn else {}

    # --- the law --------------------------------------------------------------------------------
    def normal_force(self, c, depth, rate):
        """Normal force in N, zero while free."""
        numbers, approach = law_symbols(c, self.normal, "normal"), approach_speed(c, rate)
        return c.par("active") * contact_force(self.normal, depth, rate, approach, numbers)

    def stored(self, c, depth):
        """Elastic energy of the contact in J, where the surfaces touch."""
        return self.normal.energy(depth, law_symbols(c, self.normal, "normal"))

    def forces(self, c, at: Touch, as_symbol=identity):
        """Generalised forces on body i, and friction on it (a vector, N; ``None`` without).

        Args:
            as_symbol: ``c.shared`` in a residual.
        """
        load = at.share * self.normal_force(c, at.depth, at.rate)
        forces = load * at.gradient
        if at.longer is not None:
            # a contact that gets longer stores more: without this force along the axis, the energy
            # of a journal that slides out of its bearing would not balance
            stored = c.par("active") * touching(at.depth) * self.stored(c, at.depth)
            forces += stored * at.longer
        if self.resistance is None:
            return forces, None
        friction = self.resistance.force(c, at, load, as_symbol)
        return forces + at.back(friction), friction

    # --- forms ----------------------------------------------------------------------------------
    def residual(self, c):
        at = self.placement.touch(self, c, c.shared)
        forces, _ = self.forces(c, at, c.shared)
        form = at.work(forces) * c.dx()
        more = self.resistance.residual(c, at) if self.resistance else None
        return form if more is None else form + more

    def observables(self, c):
        at = self.placement.touch(self, c, identity)
        load = at.share * self.normal_force(c, at.depth, at.rate)
        forces, friction = self.forces(c, at)
        shown = {}
        if self.resistance:
            shown = self.resistance.observables(c, at, load)
        size = lost = 0.0 * at.depth
        if friction is not None:
            friction = at.acting(friction)
            size, lost = length(friction, NOTHING**0.5), ufl.dot(friction, at.sliding)
        pressed, energy = ufl.gt(at.depth, 0), at.share * self.stored(c, at.depth)
        result = {
            **shown,
            **watched_depth(c, at.depth, at.rate),
            "penetration": Observable(
                ufl.conditional(pressed, at.depth, 0.0), "m", "penetration"
            ),
            "normal_force": Observable(load, "N", "normal contact force"),
            "friction_force": Observable(size, "N", "size of the friction force"),
            "friction_loss": Observable(lost, "W", "power lost to friction"),
            "contact_energy": Observable(
                ufl.conditional(pressed, energy, 0.0),
                "J", "elastic energy of contacts", "energy.contact", False,
            ),
        }  # fmt: skip
        if self.placement.shares:
            # places of contact add up in channels: keep what may be added
            for name in ("penetration", "deflection"):
                result.pop(name, None)
        return result | self.placement.observables(self, c, at, forces)


@dataclass(frozen=True)
class ChangingContactKind(ContactKind, UpdatesParameters, LimitedValidity):
    """Contact whose surfaces wear or stick: its numbers change after each step."""

    cellwise: ClassVar[bool] = True

    @property
    def profiles(self) -> tuple[str, ...]:  # type: ignore[override]
        """Rings of worn depths."""
        return self.worn.rings if self.worn else ()

    def update(self, parameters, observed):
        for part in (self.resistance, self.worn):
            if part:
                part.update(self, parameters, observed)

    def exceeds_validity(self, parameters, observed) -> bool:
        return bool(self.worn) and self.worn.exceeds_validity(self, parameters, observed)


def contact_kind(i, j, placement: Placement, normal, friction=None, worn=None) -> ContactKind:
    """The kind of contact of two frames.

    Args:
        normal, friction: laws; ``friction`` may be ``None``.
        worn: see ``ContactKind``.
    """
    sticks = isinstance(friction, Sticking)
    make = ChangingContactKind if worn or sticks else ContactKind
    law = type(friction) if friction else None
    return make(i.kind, j.kind, placement, type(normal), law, worn)


def approach_speed(c, rate):
    """The speed that hysteresis is measured by, m/s; by phases it is never below the present rate,
    also within a step (see ``contact_events.ContactEvents.track``)."""
    approach = c.par("approach")
    faster = c.par("by_phase") * abs(rate) - approach
    return approach + indicator(ufl.gt(faster, 0)) * faster


def watched_depth(c, depth, rate) -> dict[str, Observable]:
    """The observables that ``ContactKind.gap`` names."""
    values = (depth, rate, c.second_rate(rate))
    return internal(dict(zip(ContactKind.gap, values, strict=True)))
