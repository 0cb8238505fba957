"""What clearance joints share as items of a system: laws, the checks of these, cells."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .. import checks
from ..core.blocks import Block
from ..core.component import Cell
from ..core.roles import Internal
from ..errors import InputError
from ..model.frame import Frame
from ..model.pair import PairKind, resolve
from ..model.portrait import Portrait
from ..timestepping.gaps import least_approach, watched
from .films import Fillable
from .forms import as_parameters
from .kind import ContactKind, contact_kind
from .laws.friction import FrictionLaw
from .laws.normal import APPROACH_SPEEDS, LankaraniNikravesh, NormalLaw
from .laws.pair_data import ContactGeometry, check_fit, checked_materials
from .laws.stick import TrueStick
from .laws.trial import try_friction, try_normal
from .placements.touch import Placement

logger = logging.getLogger(__name__)

#: depth at which laws are tried where there is no clearance, m
TYPICAL_DEPTH = 1e-5


def law_numbers(contact: ContactGeometry, normal, friction) -> dict[str, float]:
    """Numbers of both laws, as the forms name them; the laws are tried with them."""
    values = normal.values(contact)
    try_normal(contact.who, normal, values, 0.1 * contact.clearance or TYPICAL_DEPTH)
    numbers = as_parameters("normal", values)
    if friction is not None:
        if isinstance(friction, FrictionLaw):
            try_friction(contact.who, friction, friction.values())
        numbers |= as_parameters("friction", friction.values())
    return numbers


#: where ``TrueStick`` is available, for messages of joints in which it is not
STICKS = "; TrueStick acts in FrictionElement and TranslationalClearance, here use LuGre"


def check_laws(who: str, normal, friction, kinds: Any = FrictionLaw) -> None:
    """Refuse what is no normal-force law or no friction law of these ``kinds`` (or ``None``)."""
    if not isinstance(normal, NormalLaw):
        raise InputError(
            f"{who}: normal must be a normal-force law such as Hertz(), got {normal!r}."
        )
    checks.choice(f"{who}: approach_speed", normal.approach_speed, APPROACH_SPEEDS)
    if friction is not None and not isinstance(friction, kinds):
        raise InputError(
            f"{who}: friction must be a friction law such as SmoothCoulomb(0.1), or None, got "
            f"{friction!r}" + STICKS * isinstance(friction, TrueStick) + "."
        )


def attached(frame: Any) -> bool:
    """Whether what a joint is given as a frame is an attachment of facets."""
    return checks.offers(frame, "facets", "solid", "at")


def own_materials(who: str, given: Any, i: Any, j: Any) -> tuple[Any, Any]:
    """Two materials: those given, else those of two frames' bodies or of the solids attached there,
    ``None`` where neither knows one.

    Raises:
        InputError: something given that is no pair.
    """
    first, second = (frame.solid if attached(frame) else frame.body for frame in (i, j))
    own = getattr(first, "material", None), getattr(second, "material", None)
    return checked_materials(who, given) or own


def add_contact(
    builder, kind: PairKind, name: str, frames: Sequence[Frame], numbers, place="", **bristle
) -> None:
    """Register a cell between two frames, with its bristles (at rest) if it has some.

    Args:
        name: of the cell's channels; ``place``: of those of the cell alone, see ``Cell``.
        numbers: the cell's parameters.
        bristle: further arguments of the bristles' role.
    """
    refs = [ref for frame in frames for ref in frame.refs]
    if (shape := kind.own_fields.get("bristle")) is not None:
        block = Block(name, "bristle", np.zeros(shape), Internal(**bristle))
        builder.add_block(block, after=frames)
        refs.append(block.all)
    builder.add_cell(kind, Cell(name, refs, numbers, place=place))


@dataclass(frozen=True)
class ContactLaws:
    """What acts between the surfaces of a clearance joint, as its constructor is given it.

    Args:
        normal: normal-force law; default ``LankaraniNikravesh()``.
        friction: friction law, or ``None``; needs frames with a triad.
        stiffness: contact stiffness, N/m^n, instead of the one of the bodies' materials.
        materials: of both bodies, where the bodies do not know theirs.
        radii: see ``sphere_stiffness``.
        approach_floor: least approach speed in m/s that hysteresis is measured by: slower contacts
            count as this fast. Default: a thousandth of the speed that gravity gives a fall over
            the size of the system, without gravity of the fastest motion so far (see
            ``gaps.set_floors``).
    """

    normal: NormalLaw | None = None
    friction: FrictionLaw | None = None
    stiffness: float | None = None
    materials: Sequence[Any] | None = None
    radii: str = "difference"
    approach_floor: float | None = None


class Place(NamedTuple):
    """A place of contact of a joint.

    Attributes:
        kind: of its cell.
        i, j: parameters of the frames.
        numbers: of the geometry and of wear.
        part: ending of the joint's name in its channels.
        own: ending of it in those of the cell alone.
        laws: numbers of the laws, where not the joint's own.
    """

    kind: ContactKind
    i: np.ndarray
    j: np.ndarray
    numbers: dict[str, Any]
    part: str = ""
    own: str = ""
    laws: dict[str, float] | None = None


class Clearance(Fillable):
    """Base of the clearance joints: checks the laws and the geometry, registers the cell.

    Args:
        frame_i, frame_j: of the concave and the convex body (or one of them and a rigid body or the
            ground).
        radius_i, radius_j: m, the first larger.
        laws: what acts between the surfaces.
        length: axial length of cylinders, m.
        name: for messages and channels.
    """

    #: without a name of its own the first is "joint", the next "joint2"
    prefix = first_name = "joint"
    label = "clearance joint"
    #: what its portrait calls it
    sort = "clearance"
    #: of the concave body at the start, where it has one
    axis: Any = None
    #: what the concave and the convex body are called
    bodies = ("bearing", "journal")

    def __init__(
        self,
        frame_i,
        frame_j,
        radius_i: float,
        radius_j: float,
        laws: ContactLaws,
        *,
        length: float | None = None,
        name: str | None = None,
    ):
        self.name: Any = name  # System.add gives one where there is none
        who = name or self.label
        first, second = (f.middle if attached(f) else f for f in (frame_i, frame_j))
        self.i, self.j = resolve(first, second, who)
        # attached facets know their material, whatever holds them
        given = [f if attached(f) else g for f, g in ((frame_i, self.i), (frame_j, self.j))]
        check_fit(who, self.bodies, radius_i, radius_j)
        if radius_i - radius_j >= radius_j:
            logger.warning(
                "%s: the clearance, %.3g m, is as large as the radius of the %s, %.3g m; "
                "check that both radii are in m",
                who, radius_i - radius_j, self.bodies[1], radius_j,
            )  # fmt: skip
        self.normal = LankaraniNikravesh() if laws.normal is None else laws.normal
        self.friction = laws.friction
        check_laws(who, self.normal, self.friction)
        if self.friction is not None:
            for frame in (self.i, self.j):
                frame.needs_triad(f"{who} with friction")
        self.floor = least_approach(who, laws.approach_floor)
        self.contact = ContactGeometry(
            who, float(radius_i), float(radius_j), own_materials(who, laws.materials, *given),
            length, laws.stiffness, laws.radii,
        )  # fmt: skip
        #: numbers of the laws, asked for at once: what is missing is said before any work
        self.numbers = law_numbers(self.contact, self.normal, self.friction)

    @property
    def clearance(self) -> float:
        """m."""
        return self.contact.clearance

    @property
    def room(self) -> float:
        """By how much the surfaces may overlap at the start, m; see ``FilmPart``."""
        return self.filling.room

    def portrait(self) -> Portrait:
        """What it looks like: its radii by the names of its bodies."""
        radii = {
            f"{body}_radius": radius
            for body, radius in zip(
                self.bodies, (self.contact.radius_i, self.contact.radius_j), strict=True
            )
        }
        sizes = {**radii, "clearance": self.clearance}
        if self.contact.axial_length is not None:
            sizes["length"] = self.contact.axial_length
        data = self.filling.portrait()
        return Portrait(self.sort, self.i, self.j, self.axis, sizes, data)

    def _kind(self, placement: Placement, worn=None) -> ContactKind:
        """Kind of a cell with the joint's laws."""
        return contact_kind(self.i, self.j, placement, self.normal, self.friction, worn)

    def _places(self) -> Iterable[Place]:
        """The places at which the bodies may touch."""
        raise TypeError(f"{type(self).__name__} defines no _places()")

    def build(self, builder) -> None:
        for place in self._places():
            kind, numbers = self.filling.under(place.kind, place.numbers)
            name = f"{self.name}{place.part}"
            packed = kind.pack_pair(
                place.i, place.j, **watched(self.floor, self.normal.approach_speed), **numbers,
                **(self.numbers if place.laws is None else place.laws),
            )  # fmt: skip
            add_contact(builder, kind, name, (self.i, self.j), packed, f"{name}{place.own}")
        builder.connect(self.i.body, self.j.body)
        self.filling.build(builder)
