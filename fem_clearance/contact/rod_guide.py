"""A slider with a hole on a guide rod, with clearance across the rod: Ebrahimi et al. (2017).

The slider moves across the rod along one direction only; ``y`` is its displacement from the rod's
centre. Its contact with the rod, or the oil film between them, is one law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..core.observables import Observable
from ..errors import InputError
from ..model.frame import triad_about
from ..model.pair import Pair, PairKind
from ..timestepping.gaps import least_approach, watched
from ..user_code import Law
from .forms import as_parameters, law_symbols
from .kind import contact_kind
from .laws.normal import APPROACH_SPEEDS, LankaraniNikravesh, NormalLaw
from .laws.pair_data import ContactGeometry, check_fit, checked_materials
from .laws.trial import try_normal
from .placements.rod import OnRod, displacement, shown


@dataclass(frozen=True)
class SqueezeFilm(Law):
    """Oil film of a long bearing without cavitation, and a spring.

    Ebrahimi et al. (2017) eqs. (14), (15).

    Force on the slider along y, with the eccentricity ratio eps = -y / c::

        F = D deps/dt / (1 - eps^2)^(3/2) - k y,    D = 12 pi viscosity length radius^3 / c^2

    It resists approach and retreat alike (full Sommerfeld condition), and closes only in infinite
    time; there is no contact.

    Args:
        viscosity: dynamic, Pa s.
        length: of the bearing, m.
        spring: k, N/m.

    Raises:
        InputError: a value out of range.

    See docs/multiple_scales.md. Example::

        fc.SqueezeFilm(viscosity=0.4, length=0.04, spring=1.56e9)
    """

    scalars: ClassVar[tuple[str, ...]] = ("force", "energy")

    viscosity: float
    length: float
    spring: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("D", "k", "c")

    def __post_init__(self):
        checks.viscosity("SqueezeFilm.viscosity", self.viscosity)
        checks.positive("SqueezeFilm.length", self.length)
        checks.non_negative("SqueezeFilm.spring", self.spring)

    def values(self, contact: ContactGeometry) -> dict[str, float]:
        """Numbers of the law for a rod (radius_j) in a hole."""
        c = contact.clearance
        D = 12 * np.pi * self.viscosity * self.length * contact.radius_j**3 / c**2
        return {"D": D, "k": self.spring, "c": c}

    @staticmethod
    def force(y, rate, p):
        """Force on the slider along y, N; no number where the film is pierced."""
        eps = -y / p.c
        return p.D * (-rate / p.c) / (1 - eps**2) ** 1.5 - p.k * y

    @staticmethod
    def energy(y, p):
        """Energy of the spring, J."""
        return p.k * y**2 / 2


@dataclass(frozen=True)
class RodFilmKind(PairKind):
    """A film: a force that depends on the displacement and its rate."""

    feeds_energy = False

    film: type[SqueezeFilm] = SqueezeFilm

    @property
    def label(self):
        return f"lubricated slider on a rod ({self.i.label}, {self.j.label})"

    @property
    def own_parameters(self):
        return {f"film.{n}": () for n in self.film.parameters}

    def _numbers(self, c):
        return law_symbols(c, self.film, "film")

    def residual(self, c):
        y = displacement(c, self)
        force = self.film.force(y[0], c.rate(y)[0], self._numbers(c))
        return -force * c.along(y)[0] * c.dx()

    def observables(self, c):
        y, p = displacement(c, self), self._numbers(c)
        force = self.film.force(y[0], c.rate(y)[0], p)
        return {
            "displacement": shown(y),
            "normal_force": Observable(
                force, "N", "force of the film on the slider along the axis"
            ),
            "film_energy": Observable(
                self.film.energy(y[0], p), "J", "energy of films", "energy.contact", False
            ),
        }


class RodGuide(Pair):
    """A slider's hole on a rod, with clearance along one direction across the rod.

    Another joint (a prismatic one, say) must keep the slider from moving in other directions.

    Args:
        frame_i, frame_j: centres of rod and hole (or one of them and a rigid body or the ground).
        axis: direction of the clearance, fixed in frame i.
        hole_radius, rod_radius: m, the hole larger.
        force: a normal-force law (``LankaraniNikravesh``, ``TaylorTwoTerms``, ...), or a
            ``SqueezeFilm``.
        stiffness: contact stiffness, N/m^1.5, instead of the one of the materials.
        materials: of slider and rod.
        approach_floor: least approach speed to which hysteresis refers, m/s.
        approach: approach speed of a contact that exists at the start, m/s. Without it a start in
            contact is refused, since hysteresis would have no speed to refer to.
        name: for messages and channels.

    Channels: ``displacement`` (m), ``normal_force`` (N; of a film: along the axis, on the slider),
    in dry contact also ``penetration`` (m).

    Raises:
        InputError: no axis, a rod that does not fit, no stiffness, a start in contact, or outside
            the film.

    See docs/multiple_scales.md. Example::

        fc.RodGuide(ground, body.center, (0, 1, 0), hole_radius=0.0102, rod_radius=0.01,
                    stiffness=1e10)
    """

    prefix, label = "rod_guide", "rod guide"
    triads_needed = (True, False)

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        hole_radius: float,
        rod_radius: float,
        force: NormalLaw | SqueezeFilm | None = None,
        stiffness: float | None = None,
        materials: Sequence[Any] | None = None,
        approach_floor: float | None = None,
        approach: float | None = None,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        who = self.who
        self.axis = checks.axis(who, axis, "(0, 1, 0)")
        check_fit(who, ("hole", "rod"), hole_radius, rod_radius)
        self.contact = ContactGeometry(
            who,
            float(hole_radius),
            float(rod_radius),
            checked_materials(who, materials) or (None, None),
            given_stiffness=stiffness,
        )
        self.force: NormalLaw | SqueezeFilm = LankaraniNikravesh() if force is None else force
        if not isinstance(self.force, NormalLaw | SqueezeFilm):
            raise InputError(
                f"{who}: force must be a normal-force law such as Hertz() or a SqueezeFilm, "
                f"got {force!r}."
            )
        if isinstance(self.force, NormalLaw):
            checks.choice(f"{who}: approach_speed", self.force.approach_speed, APPROACH_SPEEDS)
        self.floor = least_approach(who, approach_floor)
        self.approach = None if approach is None else checks.positive(f"{who}: approach", approach)
        #: numbers of the law, asked for at once: what is missing is said before any work
        self.numbers = self.force.values(self.contact)
        if isinstance(self.force, NormalLaw):
            try_normal(who, self.force, self.numbers, 0.1 * self.clearance)

    @property
    def clearance(self) -> float:
        """m."""
        return self.contact.clearance

    def portrait(self):
        radii = {"hole_radius": self.contact.radius_i, "rod_radius": self.contact.radius_j}
        # across the clearance; nothing else tells where the rod leads
        along = np.linalg.solve(self.i.basis, triad_about(self.axis)[:, 0])
        sizes = {**radii, "clearance": self.clearance}
        return super().portrait().more(sizes, {"along": along.tolist()})

    def build(self, builder) -> None:
        start = float(self.gap @ self.axis)
        dry = isinstance(self.force, NormalLaw)
        # a film may not be without thickness
        allowed = self.clearance * (1 + (1e-9 if dry else -1e-9))
        if abs(start) >= allowed and not (dry and self.approach):
            what = "in contact" if dry else "outside the film"
            hint = "; give approach= in m/s if it rests on the rod" if dry else ""
            raise InputError(
                f"{self.name}: the slider starts {what}, {start:.6g} m from the rod's centre with "
                f"a clearance of {self.clearance:.6g} m{hint}."
            )
        frames = self.i.parameters(triad_about(self.axis)), self.j.parameters()
        role = "normal" if dry else "film"
        own: dict[str, Any] = as_parameters(role, self.numbers)
        if isinstance(self.force, NormalLaw):
            kind: PairKind = contact_kind(self.i, self.j, OnRod(), self.force)
            rule, touching = self.force.approach_speed, abs(start) > self.clearance
            own |= watched(self.floor, rule, self.approach, touching)
            own["clearance"] = self.clearance
        else:
            kind = RodFilmKind(self.i.kind, self.j.kind, type(self.force))
        self.add_to(builder, kind, kind.pack_pair(*frames, **own))
