"""Lubricated cylindrical joint: a journal in a bearing, a film between them, dry contact under
it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from .. import checks
from ..bodies.frame import triad_about
from ..contact.cylindrical import CylindricalClearance, CylindricalContactKind
from ..errors import InputError
from .closed_form import ClosedForm
from .film import Film
from .gap import CylinderGap
from .joint import add_port, check_film, check_same, extent
from .least_film import add_least_film
from .port_kind import PortKind
from .transition import FilmedKind, Transition, check_smooth


@dataclass(frozen=True)
class FilmedCylindricalKind(FilmedKind, CylindricalContactKind):
    """A station of dry contact under a film."""

    geometry: ClassVar[tuple[str, ...]] = (*CylindricalContactKind.geometry, "band")


class LubricatedCylindrical(CylindricalClearance, films=True):
    """A cylindrical joint with clearance, filled with lubricant: where the journal comes closer
    than the film can hold, dry contact takes over by the transition of Tian et al. (2009), eq.
    (35).

    Film and dry contact share by the depth of the journal's centre; where a tilted journal touches
    with an end, dry contact there comes on top of the whole film.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground); sections of beams too.
        axis: direction of the bearing's axis at the start, fixed in frame i.
        film: a ``Film`` on a ``cylinder``, its surface in axes whose third is ``axis``, or a closed
            form, ``ShortBearing(...)`` or ``LongBearing(...)``; of the joint's radius and
            clearance.
        transition: where dry contact takes over.
        roughness: m, a film thinner than that is warned of.
        options: of the dry joint, see ``CylindricalClearance``; ``stations=1`` is enough for motion
            in a plane.

    Channels: those of the dry joint, ``normal_force`` being that of film and contact together;
    ``film_force``, ``contact_force`` (N), ``force.x .. moment.z`` (of the film on the journal, in
    the film's axes), ``min_film`` (m, negative where the surfaces overlap), ``power_loss`` (W, of
    the film as if none of it had faded).

    Raises:
        InputError: besides those of the dry joint, something that is no film, or one of another
            radius or clearance.
    """

    label = "lubricated cylindrical joint"
    may_wear = False

    def __init__(
        self, frame_i, frame_j, axis=None, *, film, transition: Transition | None = None,
        roughness=None, name=None, **options,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, axis, name=name, **options)
        who = name or self.label
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
    def geometry(self) -> dict[str, float]:
        return {**super().geometry, "band": self.transition.band * self.clearance}

    def build(self, system) -> None:
        super().build(system)
        c = self.clearance
        wide = replace(self.film, clearance=c * (1 + self.transition.margin))
        numbers = {"clearance": c, "band": c * self.transition.band}
        triads = [triad_about(axis) for axis in (self.axis, self.journal_axis)]
        kind = PortKind(self.i.kind, self.j.kind, fades=True)
        port = add_port(self, system, wide, kind, triads, **numbers)
        if isinstance(wide, ClosedForm):
            wide.build(system, self.name, port, c + numbers["band"])
        else:
            wide.build(system, self.name, port)
        add_least_film(self, system, triads, c, extent(self.film), self.roughness)
