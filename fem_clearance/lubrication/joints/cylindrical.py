"""The film of a cylindrical joint: between a journal and its bearing, over their dry contact."""

from __future__ import annotations

from dataclasses import replace

from ...contact.cylindrical import CylindricalClearance
from ...contact.films import film_part
from ...contact.placements.axial import Station
from ...errors import InputError
from ...model.frame import triad_about
from ..film.dimensions import check_roughness, verified_thickness
from ..film.film import Film
from .joint import add_film, check_film, check_same, extent, shown
from .least_film import add_least_film
from .port import PortKind
from .transition import Transition, UnderFilmKind, check_smooth


class LubricatedCylindrical(CylindricalClearance):
    """A cylindrical joint with clearance, filled with lubricant, and dry contact under the film: a
    ``CylindricalClearance`` with a ``film``, which must be given.

    The film has the clearance of the joint. Where it is thinner than ``transition.band`` it has a
    transition: a ``Film`` point by point, a closed form by its least thickness (thickness.py).
    Where the surfaces meet, the law of the dry contact acts. Any load and any penetration has an
    answer.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground); sections of beams too.
        axis: direction of the bearing's axis at the start, fixed in frame i.
        film: a ``Film`` on a ``cylinder``, its surface in axes whose third is ``axis``, or a closed
            form, ``ShortBearing(...)`` or ``LongBearing(...)``; of the joint's radius and
            clearance.
        transition: of the film; only its ``band`` is used; default ``Transition()``.
        roughness: thickness below which a warning is logged, m.

    All others are those of the dry joint, see ``CylindricalClearance``; ``stations=1`` is enough
    for motion in a plane.

    Channels: those of the dry joint, ``normal_force`` and ``force.x .. moment.z`` being those of
    film and contact together; ``film_force``, ``contact_force`` (N), ``min_film`` (m, negative
    where the surfaces overlap), ``power_loss`` (W, of the film); ``e1 .. v3`` and ``max_pressure``
    as of ``CylindricalFilm``.

    Raises:
        InputError: besides those of the dry joint, something that is no film, or one of another
            radius or clearance.

    See docs/lubricated_joints.md. Example::

        lubrication.LubricatedCylindrical(
            ground, body.center, (0, 0, 1), bearing_radius=0.0151, journal_radius=0.015,
            length=0.014, materials=(steel, steel),
            film=lubrication.ShortBearing(0.0151, 0.014, 1e-4, viscosity=0.04))
    """

    label = "lubricated cylindrical joint"
    needs_film = True


@film_part.register(CylindricalClearance)
class JournalFilm:
    """The film in a ``CylindricalClearance``, a ``FilmPart``; arguments as the joint's."""

    label = "lubricated cylindrical joint"

    def __init__(self, joint: CylindricalClearance, film, *, transition=None, roughness=None):
        who = joint.name or self.label
        self.joint, self.film, self.roughness = joint, film, roughness
        self.transition = Transition() if transition is None else transition
        check_film(who, film)
        check_smooth(who, film)
        check_same(who, "radius", film.radius, joint.contact.radius_i)
        check_same(who, "clearance", film.clearance, joint.clearance)
        if isinstance(film, Film) and film.depths().min() < 0:
            raise InputError(
                f"{who}: dry contact between cylinders does not know the lobes of the film, which "
                "reach into its clearance; use CylindricalFilm(film=...), which has no dry contact."
            )
        check_roughness(who, roughness, film.clearance)
        self.film = replace(film, least=self.room)

    @property
    def room(self) -> float:
        """Depth of the band of the transition, m."""
        return self.transition.band * self.joint.clearance

    def under(self, kind, numbers):
        """The dry contact; no film lies on collars."""
        station = isinstance(kind.placement, Station)
        return UnderFilmKind.of(kind) if station else kind, numbers

    def portrait(self):
        joint = self.joint
        triad = triad_about(joint.axis)
        return {"films": [shown(joint.name, joint.i, triad)] if isinstance(self.film, Film) else []}

    def build(self, builder) -> None:
        """Add the film and the watch on its thickness."""
        joint, c, band = self.joint, self.joint.clearance, self.room
        triads = [triad_about(axis) for axis in (joint.axis, joint.journal_axis)]
        kind = PortKind(joint.i.kind, joint.j.kind, over_contact=True)
        add_film(joint, builder, self.film, kind, triads)
        add_least_film(
            joint, builder, triads, c, extent(self.film), self.roughness, band,
            verified=verified_thickness(self.film),
        )  # fmt: skip
