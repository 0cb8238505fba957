"""Lubricated cylindrical joint: a journal in a bearing, a film between them, dry contact under
it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ... import checks
from ...contact.cylindrical import CylindricalClearance, CylindricalContactKind
from ...errors import InputError
from ...model.frame import triad_about
from ..film.film import Film
from ..film.thickness import CylinderGap
from .joint import add_film, check_film, check_same, extent
from .least_film import add_least_film
from .port import PortKind
from .transition import Transition, UnderFilmKind, check_smooth


@dataclass(frozen=True)
class FilmedCylindricalKind(UnderFilmKind, CylindricalContactKind):
    """A station of dry contact under a film."""


class LubricatedCylindrical(CylindricalClearance, films=True):
    """A cylindrical joint with clearance, filled with lubricant, and dry contact under the film.

    The film is that of the joint's clearance. Where it gets thinner than ``transition.band`` it has
    a transition, a ``Film`` place by place, a closed form by its least thickness (thickness.py);
    where the surfaces meet the dry contact's law acts. Any load, and any depth, has an answer.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground); sections of beams too.
        axis: direction of the bearing's axis at the start, fixed in frame i.
        film: a ``Film`` on a ``cylinder``, its surface in axes whose third is ``axis``, or a closed
            form, ``ShortBearing(...)`` or ``LongBearing(...)``; of the joint's radius and
            clearance.
        transition: where the film has one; only its ``band`` counts; default ``Transition()``.
        roughness: m, a film thinner than that is warned of.

    All others are those of the dry joint, see ``CylindricalClearance``; ``stations=1`` is enough
    for motion in a plane.

    Channels: those of the dry joint, ``normal_force`` and ``force.x .. moment.z`` being those of
    film and contact together; ``film_force``, ``contact_force`` (N), ``min_film`` (m, negative
    where the surfaces overlap), ``power_loss`` (W, of the film).

    Raises:
        InputError: besides those of the dry joint, something that is no film, or one of another
            radius or clearance.
    """

    label = "lubricated cylindrical joint"
    may_wear = False

    def _fill(self, who: str, film, transition, roughness) -> None:
        self.transition = Transition() if transition is None else transition
        check_film(who, film)
        check_smooth(who, film)
        if isinstance(film, Film) and not isinstance(film.gap, CylinderGap):
            raise InputError(f"{who}: the film of a journal needs gap=CylinderGap().")
        check_same(who, "radius", film.radius, self.contact.radius_i)
        check_same(who, "clearance", film.clearance, self.clearance)
        if roughness is not None:
            checks.positive(f"{who}: roughness", roughness)
        self.film, self.roughness = film, roughness

    @property
    def station_kind(self) -> type[CylindricalContactKind]:
        return FilmedCylindricalKind

    @property
    def room(self) -> float:
        return self.transition.band * self.clearance

    def build(self, builder) -> None:
        super().build(builder)
        c = self.clearance
        triads = [triad_about(axis) for axis in (self.axis, self.journal_axis)]
        kind = PortKind(self.i.kind, self.j.kind, over_contact=True)
        film = replace(self.film, least=c * self.transition.band)
        add_film(self, builder, film, kind, triads)
        add_least_film(
            self, builder, triads, c, extent(self.film), self.roughness, self.transition.band * c
        )
