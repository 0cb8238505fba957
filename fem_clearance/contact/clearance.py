"""What clearance joints share: their laws, the numbers these read, and the gap that is watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from .. import checks
from ..core.blocks import INTERNAL, Block, Ref
from ..core.component import Cell
from ..core.observables import Observable, hidden
from ..core.symbols import total
from ..errors import InputError
from ..model.frame import Frame
from ..model.pair import PairKind, resolve
from ..timestepping.gaps import WATCHED, least_approach, watched
from .laws.friction import BristleLaw, FrictionLaw
from .laws.normal import APPROACH_SPEEDS, LankaraniNikravesh, NormalLaw, contact_force, indicator
from .laws.pair_data import ContactGeometry, check_fit

#: length below which nothing is resolved; keeps unit vectors finite at the centre
TINY_LENGTH = 1e-15
#: added to squares of forces and the like, below anything in any units: keeps sizes differentiable
NOTHING = 1e-60


def as_it_is(expression):
    """In place of ``c.shared`` where nothing is shared."""
    return expression


@dataclass(frozen=True)
class ClearanceKind(PairKind):
    """Base of the kinds: a normal law and perhaps a friction law between frames i and j.

    Subclasses give ``geometry`` names and a residual; ``normal_force`` and ``drag`` hold all that
    a law says. A friction law with bristles adds the field ``bristle``: their deflection, a vector
    in the triad of frame i (order 1: the deflection is ``c.v``, its rate ``c.a``).
    """

    normal: type[NormalLaw] = LankaraniNikravesh
    friction: type[FrictionLaw] | None = None

    #: observables that time stepping watches: depth (negative while free), its rate and
    #: acceleration
    gap: ClassVar[tuple[str, ...]] = ("depth", "depth_rate", "depth_acceleration")
    gap_force: ClassVar[str] = "normal_force"
    gap_energy: ClassVar[str] = "contact_energy"
    #: names of the joint's own numbers
    geometry: ClassVar[tuple[str, ...]] = ()

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """Whether the normal force jumps when contact begins."""
        return self.normal.jumps

    @property
    def hysteretic(self) -> bool:  # type: ignore[override]
        """Whether the normal force depends on the approach speed."""
        return self.normal.hysteretic

    @property
    def remembers(self) -> bool:
        """Whether the friction law has bristles."""
        return self.friction is not None and self.friction.bristles

    @property
    def own_fields(self):
        return {"bristle": (3,)} if self.remembers else {}

    @property
    def own_parameters(self):
        laws = {"normal": self.normal, "friction": self.friction}
        read = [f"{role}.{n}" for role, law in laws.items() if law for n in law.parameters]
        return dict.fromkeys((*WATCHED, *self.geometry, *read), ())

    def numbers(self, c, role: str) -> SimpleNamespace:
        """Numbers of the ``"normal"`` or the ``"friction"`` law, as its methods read them."""
        return law_symbols(c, getattr(self, role), role)

    def normal_force(self, c, depth, rate):
        """Normal force in N, zero while free."""
        numbers, approach = self.numbers(c, "normal"), approach_speed(c, rate)
        return c.par("active") * contact_force(self.normal, depth, rate, approach, numbers)

    def stored(self, c, depth):
        """Elastic energy of the contact in J, where the surfaces touch."""
        return self.normal.energy(depth, self.numbers(c, "normal"))

    def bristle(self, c, i, state):
        """Deflection of the bristles (``state`` = ``c.v``) or its rate (``c.a``) in the triad of
        frame i, as a vector in space."""
        z = c.split(state)[2]
        return total(z[k] * i.e(k + 1) for k in range(3))

    def drag(self, c, i, velocity, n, share=as_it_is):
        """Friction force per normal force on body i, along the sliding ``velocity`` (of body j
        relative to body i, a vector across ``n``); body j gets the opposite.

        Args:
            share: ``c.shared`` in a residual.
        """
        law, numbers = self.friction, self.numbers(c, "friction")
        assert law is not None
        if not issubclass(law, BristleLaw):
            return sliding_friction(law, velocity, numbers)
        z, rate = (share(across(self.bristle(c, i, state), n)) for state in (c.v, c.a))
        return law.drag(z, rate, velocity, numbers)

    def bristle_residual(self, c, i, velocity, n, touching):
        """Growth of the bristles where the bodies touch, their relaxation elsewhere.

        A bristle stays across the normal: its component along n, which turns against body i as
        the point of contact wanders, does not grow and relaxes.
        """
        law, numbers = self.friction, self.numbers(c, "friction")
        assert law is not None and issubclass(law, BristleLaw)
        test, rate = c.split(c.test)[2], c.split(c.a)[2]
        z = c.shared(self.bristle(c, i, c.v))
        grown = across(z, n)
        growth = law.growth(velocity, grown, speed_of(velocity, law, numbers), numbers)
        change = touching * (growth - numbers.relaxation * (z - grown))
        change = c.shared(change - (1 - touching) * numbers.relaxation * z)
        local = ufl.as_vector([ufl.dot(change, i.e(k)) for k in (1, 2, 3)])
        return ufl.dot(rate - local, test) * c.dx()

    def common_observables(self, c, depth, rate, friction, share=1.0) -> dict[str, Observable]:
        """What every clearance joint shows; ``friction``: size of the friction force, N; ``share``:
        part of the law's force that acts here."""
        touching = ufl.gt(depth, 0)
        energy = self.stored(c, depth)
        bristles = {}
        if self.remembers:
            z = c.split(c.v)[2]
            size = ufl.sqrt(ufl.dot(z, z) + TINY_LENGTH**2)
            bristles["deflection"] = Observable(size, "m", "deflection of the bristles")
        return {
            **bristles,
            **watched_depth(c, depth, rate),
            "penetration": Observable(ufl.conditional(touching, depth, 0.0), "m", "penetration"),
            "normal_force": Observable(
                share * self.normal_force(c, depth, rate), "N", "normal contact force"
            ),
            "friction_force": Observable(friction, "N", "size of the friction force"),
            "contact_energy": Observable(
                ufl.conditional(touching, share * energy, 0.0),
                "J",
                "elastic energy of contacts",
                "energy.contact",
                False,
            ),
        }


def watched_depth(c, depth, rate) -> dict[str, Observable]:
    """The observables that ``ClearanceKind.gap`` names."""
    values = (depth, rate, c.second_rate(rate))
    return hidden(dict(zip(ClearanceKind.gap, values, strict=True)))


def centre_offsets(i, j, inner: str, outer: str) -> dict[str, Observable]:
    """``ex ey ez``: from the point of frame i to that of frame j in space, m."""
    return {
        f"e{x}": Observable((j.r - i.r)[k], "m", f"{x} of the {inner}'s centre from the {outer}'s")
        for k, x in enumerate("xyz")
    }


def in_space(frame, vector):
    """The vector in space whose components along a frame's axes are given."""
    return vector[0] * frame.e(1) + vector[1] * frame.e(2) + vector[2] * frame.e(3)


def load_observables(force, moment, body: str, about: str) -> dict[str, Observable]:
    """``force.x .. moment.z`` on a body, components in space, N and N m."""
    parts = (("force", "N", force, ""), ("moment", "N m", moment, f" {about}"))
    return {
        f"{name}.{x}": Observable(vector[k], unit, f"{x} of the {name} on the {body}{more}")
        for name, unit, vector, more in parts
        for k, x in enumerate("xyz")
    }


def across(vector, n):
    """The part of a vector across the unit vector n."""
    return vector - ufl.dot(vector, n) * n


def speed_of(velocity, law: type[FrictionLaw], numbers):
    """Size of a velocity, a vector or a scalar, above 0 by what the law does not resolve."""
    return ufl.sqrt(ufl.inner(velocity, velocity) + law.rest(numbers) ** 2)


def sliding_friction(law: type[FrictionLaw], velocity, numbers):
    """Friction per normal force of a law without bristles, along the sliding velocity (m/s, a
    vector or a scalar)."""
    speed = speed_of(velocity, law, numbers)
    return law.coefficient(speed, numbers) / speed * velocity


def approach_speed(c, rate):
    """The speed that hysteresis is measured by, m/s; by phases it is never below the present rate,
    also within a step (see ``gaps.Gaps.follow``)."""
    approach = c.par("approach")
    faster = c.par("by_phase") * abs(rate) - approach
    return approach + indicator(ufl.gt(faster, 0)) * faster


def touching(depth):
    """1 in contact, else 0."""
    return indicator(ufl.gt(depth, 0))


def law_symbols(c, law, role: str) -> SimpleNamespace:
    """Parameters ``role.name`` of a cell, as the methods of its law read them."""
    return SimpleNamespace(**{n: c.par(f"{role}.{n}") for n in law.parameters})


def law_numbers(contact: ContactGeometry, normal, friction) -> dict[str, float]:
    """Numbers of both laws, as the forms name them."""
    laws = {"normal": normal.values(contact)}
    if friction is not None:
        laws["friction"] = friction.values()
    return {f"{r}.{n}": x for r, values in laws.items() for n, x in values.items()}


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
            f"{friction!r}."
        )


def own_materials(given, i: Frame, j: Frame) -> tuple:
    """Two materials: those given, else those of two frames' bodies, ``None`` where a body knows
    none."""
    return tuple(given or (getattr(frame.body, "material", None) for frame in (i, j)))


def add_bristles(system, name: str, frames: tuple[Frame, Frame]) -> Ref:
    """Unknown deflection of the bristles between two frames, at rest."""
    block = Block(f"{name}.bristle", np.zeros(3), order=1, row=INTERNAL)
    system.add_block(block, after=frames)
    return block.all


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


class MayBeFilmed:
    """Base of joints that are others with a ``film``: ``CylindricalClearance(..., film=Film(...))``
    makes a lubricated one."""

    label = "clearance joint"
    #: the class of the same joint with a film, if there is one
    _filmed: ClassVar[type[MayBeFilmed] | None] = None

    def __init_subclass__(cls, films: bool = False):
        """``films``: the class is its base with a film."""
        super().__init_subclass__()
        if films:
            cls.__base__._filmed = cls  # type: ignore[union-attr]

    def __new__(cls, *_, film=None, name=None, **options):
        if film is None:
            return super().__new__(cls)
        if cls._filmed is None:
            raise InputError(
                f"{name or cls.label} takes no film; SphericalClearance and CylindricalClearance "
                "do, and TranslationalClearance."
            )
        return super().__new__(cls._filmed)

    @staticmethod
    def _without_film(who: str, **given) -> None:
        """Refuse what only a film asks for."""
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{who}: {name} is of joints with a film; give film= or leave it.")


class Clearance(MayBeFilmed):
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
        self.i, self.j = resolve(frame_i, frame_j, who)
        check_fit(who, self.bodies, radius_i, radius_j)
        self.normal = LankaraniNikravesh() if laws.normal is None else laws.normal
        self.friction = laws.friction
        check_laws(who, self.normal, self.friction)
        if self.friction is not None:
            for frame in (self.i, self.j):
                frame.needs_triad(f"{who} with friction")
        self.floor = least_approach(who, laws.approach_floor)
        self.contact = ContactGeometry(
            who, float(radius_i), float(radius_j), own_materials(laws.materials, self.i, self.j),
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
        """By how much the surfaces may overlap at the start, m: under a film as far as the band of
        the transition to dry contact."""
        return 0.0

    @property
    def law_types(self) -> tuple[type[NormalLaw], type[FrictionLaw] | None]:
        """Classes of the laws, as the kinds of cells name them."""
        return type(self.normal), type(self.friction) if self.friction else None

    def add_to(
        self, system, kind: ClearanceKind, i, j, *, part="", place="", laws=None, **geometry
    ) -> None:
        """Register a cell of the joint. ``i``, ``j``: parameters of the frames; ``part``: ending of
        its name in channels; ``place``: ending of it in those of the cell alone; ``laws``: numbers
        of the laws, where not the joint's own."""
        name = f"{self.name}{part}"
        numbers = kind.pack_pair(
            i, j, **watched(self.floor, self.normal.approach_speed), **geometry,
            **(self.numbers if laws is None else laws),
        )  # fmt: skip
        refs = [*self.i.refs, *self.j.refs]
        if kind.remembers:
            refs.append(add_bristles(system, name, (self.i, self.j)))
        system.add_cell(kind, Cell(name, refs, numbers, place=f"{name}{place}"))
        system.connect(self.i.body, self.j.body)
