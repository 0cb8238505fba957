"""Cylindrical clearance joint: a journal of finite length, tilted, in a bearing."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..core.component import Cell
from ..errors import InputError
from ..model.frame import across, triad_about
from .clearance import ContactLaws, Place
from .journal import JournalClearance
from .journal_pose import JournalPoseKind
from .kind import contact_kind
from .laws.friction import FrictionLaw
from .laws.normal import NormalLaw
from .placements.axial import Collar, Slice, Station
from .thrust import Thrust
from .wear.rings import Wear

logger = logging.getLogger(__name__)

#: a journal without ends, in lengths of its bearing
ENDLESS = 1e6
#: share of the clearance by which sections may be wrong before this is said
COARSE = 0.02
RULES = ("lobatto", "gauss", "midpoint")


def quadrature(rule: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Stations between -1 and 1 and their weights, which sum up to 1."""
    if rule == "midpoint" or count == 1:
        return (2 * np.arange(count) + 1) / count - 1, np.full(count, 1 / count)
    if rule == "gauss":
        x, w = np.polynomial.legendre.leggauss(count)
        return x, w / 2
    last = np.polynomial.legendre.Legendre.basis(count - 1)
    x = np.concatenate([[-1.0], np.sort(last.deriv().roots().real), [1.0]])
    return x, 1 / (count * (count - 1) * last(x) ** 2)


class CylindricalClearance(JournalClearance):
    """A cylindrical joint with clearance: the journal may shift, tilt and touch anywhere; its
    surfaces may wear, or a film may lie between them.

    The law's force is that of an aligned journal over the whole ``length`` of the bearing; each
    station takes its share, by its own depth and rate. See docs/cylindrical.md.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground); sections of beams too. The journal is straight.
        axis: direction of the bearing's axis at the start, fixed in frame i.
        bearing_radius, journal_radius: m, the bearing larger.
        length: of the bearing along the axis, m.
        normal: normal-force law; default ``Liu()``, with ``stiffness`` ``LankaraniNikravesh()``.
        friction: friction law, or ``None``; needs frames with a triad.
        stiffness: contact stiffness, N/m^1.5, instead of the one of the bodies' materials.
        materials: of both bodies, where the bodies do not know theirs.
        radii: ``"difference"`` or ``"sum"``, see ``sphere_stiffness``; for laws that ask for a
            stiffness.
        approach_floor: least approach speed, m/s, see ``ContactLaws``.
        journal_axis: direction of the journal's axis at the start; default ``axis``.
        journal_length: m; default: the journal never ends inside the bearing.
        thrust: ``Thrust(play=..., radius=...)``: collars on the journal at both ends of the
            bearing; ``None``: it may shift freely.
        stations: number of planes in which contact is evaluated; with wear, of slices.
        rule: ``"lobatto"`` (both ends among the stations; the default), ``"gauss"`` or
            ``"midpoint"`` (the default with wear, and the only one).
        wear: ``Wear(...)``, or ``None``. Bearing and journal then wear slice by slice, and the
            journal must reach beyond the bearing at both ends.
        worn: depths (m) that bearing and journal have lost at the start, as two functions of the
            angle in the body and of the place along the axis from the bearing's middle (m), or two
            arrays (stations, ``wear.bins``).
        lean: limit of the journal's tilt by other joints, rad; used only for the warning that the
            journal may tilt too far for this model. Default: the clearance alone limits it.
        film: ``Film(...)`` or a closed form; ``None``: dry. See ``LubricatedCylindrical``, also for
            ``transition`` and ``roughness``.
        name: for messages and channels.

    Channels: ``normal_force`` and ``friction_force`` (N, sums of the stations' sizes),
    ``friction_loss`` (W), ``contacts`` (stations in contact), ``force.x .. moment.z`` (on the
    journal, the moment about its centre, N and N m), ``penetration`` (the deepest),
    ``eccentricity`` (in the middle), ``shift``, ``overlap``, ``ex ey ez`` (journal from bearing,
    m), ``tilt`` (rad); components are those in space. With collars the same forces under
    ``<name>.thrust``. With wear also ``worn_volume`` (m^3), and by
    axial place, under ``<name>.slice1`` (at the bearing's lower end) and so on: ``bearing_wear``,
    ``journal_wear`` and ``clearance`` where the surfaces touch, ``largest_clearance``, ``slid``,
    ``penetration`` (m), ``sliding_speed`` (m/s), ``contact_centre_deg``; there is no
    ``penetration`` of the joint then.

    Raises:
        InputError: no axis, a journal that does not fit or overlaps at the start, a cable, wear
            without materials, wear of a journal that ends, something of a film without a film.

    Example::

        fc.CylindricalClearance(ground, body.center, (0, 0, 1), bearing_radius=0.01,
                                journal_radius=0.0095, length=0.03, materials=(steel, steel))
    """

    label, sort = "cylindrical clearance joint", "clearance_cylindrical"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        bearing_radius: float,
        journal_radius: float,
        length: float,
        normal: NormalLaw | None = None,
        friction: FrictionLaw | None = None,
        stiffness: float | None = None,
        materials: Sequence[Any] | None = None,
        radii: str = "difference",
        approach_floor: float | None = None,
        journal_axis: ArrayLike | None = None,
        journal_length: float | None = None,
        thrust: Thrust | None = None,
        stations: int = 9,
        rule: str | None = None,
        wear: Wear | None = None,
        worn: Any = None,
        lean: float | None = None,
        film: Any = None,
        transition: Any = None,
        roughness: float | None = None,
        name: str | None = None,
    ):
        laws = ContactLaws(normal, friction, stiffness, materials, radii, approach_floor)
        super().__init__(
            frame_i, frame_j, axis, bearing_radius, journal_radius, laws, length=length, name=name
        )
        who = self.name or self.label
        self.journal_axis = self.axis
        if journal_axis is not None:
            self.journal_axis = checks.direction(f"{who}: journal_axis", journal_axis)
        if self.axis @ self.journal_axis < 0.9:
            raise InputError(
                f"{who}: journal_axis must be nearly parallel to the bearing's axis, but they "
                f"differ by {np.degrees(np.arccos(self.axis @ self.journal_axis)):.0f} degrees."
            )
        if journal_length is not None:
            checks.positive(f"{who}: journal_length", journal_length)
        self.journal_half = (journal_length or ENDLESS * self.contact.length) / 2
        self.stations = checks.count(f"{who}: stations", stations)
        self.lean = 2 * self.clearance / self.contact.length
        if lean is not None:
            self.lean = min(checks.positive(f"{who}: lean", lean), self.lean)
        default = "lobatto" if wear is None else "midpoint"
        self.rule = checks.choice(f"{who}: rule", default if rule is None else rule, RULES)
        if wear is not None:
            self._check_wear(who, journal_length, film)
        middles = quadrature("midpoint", self.stations)[0] * self.contact.length / 2
        self._wears(who, wear, worn, middles)
        if thrust is not None and not isinstance(thrust, Thrust):
            raise InputError(f"{who}: thrust must be Thrust(play=..., radius=...), got {thrust!r}.")
        self.thrust = thrust
        #: numbers of the laws at the collars
        self.faces = None if thrust is None else thrust.numbers(self)
        self._fill(film, transition=transition, roughness=roughness)

    def _check_wear(self, who: str, journal_length, film) -> None:
        """Refuse wear where slices that are fixed in the bearing do not describe it."""
        if film is not None or self.needs_film:
            raise InputError(
                f"{who}: dry contact under an oil film does not wear; leave out wear=, or use "
                "lubrication.CylindricalFilm(film=..., wear=...) with asperities."
            )
        if self.rule != "midpoint":
            raise InputError(
                f"{who}: surfaces that wear are divided into slices of equal length; leave out "
                f"rule=, or use rule='midpoint' instead of {self.rule!r}."
            )
        if journal_length is not None:
            raise InputError(
                f"{who}: a journal that wears must extend beyond the bearing at both ends; "
                "leave out journal_length=."
            )

    def _places(self):
        self._check_start()
        half, poses = self.contact.length / 2, self._poses()
        sizes = {
            "clearance": self.clearance, "journal_radius": self.contact.radius_j,
            "bearing_half": half, "journal_half": self.journal_half,
        }  # fmt: skip
        kind = self._kind(Slice() if self.wear else Station(), self._rings)
        for k, (x, w) in enumerate(zip(*quadrature(self.rule, self.stations), strict=True)):
            own = f".slice{k + 1}" if self.wear else ""
            numbers = {**sizes, "station": x, "weight": w, **self._surfaces(k)}
            yield Place(kind, *poses, numbers, own=own)
        if self.thrust is not None:
            kind = contact_kind(self.i, self.j, Collar(), self.thrust.normal, self.thrust.friction)
            for numbers in self.thrust.places(half):
                yield Place(kind, *poses, numbers, part=".thrust", laws=self.faces)

    def portrait(self):
        sizes = {"journal_length": min(2 * self.journal_half, 2 * self.contact.length)}
        local = np.linalg.solve(self.j.basis, self.journal_axis)
        data: dict[str, Any] = {"journal_axis": local.tolist()}
        if self.thrust is not None:
            sizes |= {"collar_radius": self.thrust.radius, "play": self.thrust.play}
            data["collars"] = list(self.thrust.ends)
        return super().portrait().more(sizes, data)

    def build(self, builder) -> None:
        observer = JournalPoseKind(self.i.kind, self.j.kind, deepest=self.wear is None)
        sizes = self.clearance, self.contact.length / 2, self.journal_half
        names = dict(zip(observer.own_parameters, sizes, strict=True))
        row = observer.pack_pair(*self._poses(), **names)
        builder.add_cell(observer, Cell(self.name, [*self.i.refs, *self.j.refs], row))
        super().build(builder)
        coarse = self.contact.radius_j * self.lean**2 / 2 / self.clearance
        if coarse > COARSE:
            logger.warning(
                "%s: a journal this short can tilt so far that its sections, treated as circles, "
                "are wrong by %.0f %% of the clearance.", self.name, 100 * coarse,
            )  # fmt: skip

    def _poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Parameters of both frames."""
        first, second = self._triads()
        return self.i.parameters(first), self.j.parameters(second)

    def _triads(self):
        # first axes by the bodies' own directors: a model turned as a whole stays the same
        first, second = (
            triad_about(axis, across(frame.basis, axis))
            for frame, axis in ((self.i, self.axis), (self.j, self.journal_axis))
        )
        return first, second

    def _check_start(self) -> None:
        """Refuse a journal that overlaps the bearing or its faces."""
        triad, half = triad_about(self.axis), self.contact.length / 2
        e, b = triad.T @ (self.j.position - self.i.position), triad.T @ self.journal_axis
        ends = np.clip(e[2] + np.array([-1, 1]) * self.journal_half * b[2], -half, half)
        if ends[1] > ends[0]:
            at = e[:2] + np.outer((ends - e[2]) / b[2], b[:2])
            gap = np.linalg.norm(at, axis=1).max()
            if gap > self.clearance * (1 + 1e-9) + self.room:
                raise InputError(
                    f"{self.name}: journal and bearing overlap at the start: their axes are "
                    f"{gap:.3g} m apart, but the clearance is only {self.clearance:.3g} m; "
                    "move one of the bodies."
                )
        if self.thrust is not None:
            depth = self.thrust.deepest(half, e, b)
            if depth > 1e-9 * half:
                raise InputError(
                    f"{self.name}: a collar overlaps the bearing's face at the start by "
                    f"{depth:.3g} m, and the axial clearance (play) is {self.thrust.play:.3g} "
                    "m; move the journal along its axis."
                )
