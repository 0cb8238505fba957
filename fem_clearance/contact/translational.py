"""Translational joints with clearance: a rigid slider between the two surfaces of a guide."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from ..model.frame import RigidFrame
from ..model.pair import Pair
from ..model.portrait import Portrait
from ..timestepping.gaps import least_approach, watched
from .clearance import add_contact, check_laws, law_numbers, own_materials
from .films import Fillable
from .guide import SIDES, Guide, GuideSurface, Plane, too_high
from .kind import contact_kind
from .laws.friction import FrictionLaw
from .laws.normal import LankaraniNikravesh, NormalLaw
from .laws.pair_data import ContactGeometry
from .laws.stick import TrueStick, at_rest
from .placements.guide import OnGuide

FLAT = Plane()
#: part of the clearance that a load may have pressed a slider into its guide at the start
PRESSED = 0.01
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CornerGeometry(ContactGeometry):
    """What laws may know of a slider's corner on a guide's surface: its stiffness.

    Args:
        corner_radius: of a rounded corner, m; a sphere of this radius on a plane.
    """

    corner_radius: float | None = None

    @property
    def stiffness(self) -> float:
        """N/m^n of the law: the one given, or Hertz's of a rounded corner on a plane."""
        if self.given_stiffness is not None:
            return self.given_stiffness
        if self.corner_radius is None:
            raise InputError(
                f"{self.who}: give stiffness= in N/m^1.5, or corner_radius= in m and materials=."
            )
        return 4 / 3 * self.modulus * float(np.sqrt(self.corner_radius))


class TranslationalClearance(Fillable, Pair):
    """A rigid slider in a guide with clearance on both sides (Flores, Leine and Glocker 2010).

    The slider is a box whose corners may touch either surface of the guide: one corner, two on one
    side (then the faces are in contact) or two on opposite sides. Guide and slider may have any
    position and motion in space; the slider is free along the width.

    Args:
        guide: frame on the guide's middle line (or a body with a triad, or the ground).
        slider: frame at the middle of the slider, on a rigid body.
        axis: along the guide, fixed in the guide's frame; direction at the start.
        across: from the lower to the upper surface, at right angles to the axis.
        length, height: of the slider, m.
        gap: distance of the guide's surfaces, m, larger than ``height``.
        width: of the slider, m, for motions in space; 0: four corners, in the middle plane.
        slider_axis: the slider's length at the start, if it is tilted; default ``axis``.
        surfaces: shapes of the upper and the lower surface; default ``Plane()``.
        normal: normal-force law; default ``LankaraniNikravesh()``.
        friction: friction law, ``TrueStick``, or ``None``.
        stiffness: contact stiffness of a corner, N/m^1.5.
        corner_radius: of rounded corners, m, from which (and the materials) the stiffness follows.
        materials: of guide and slider, where the bodies do not know theirs.
        approach_floor: least approach speed, m/s, see ``ContactLaws``.
        film: ``pad_film(...)`` or a pair; ``None``: dry. See ``LubricatedTranslational``, also for
            ``least`` and ``roughness``.
        name: for messages and channels.

    Attributes:
        corners: names of the corners, ``upper_rear``, ``upper_front``, ``lower_rear``,
            ``lower_front`` (with a width each twice, ``..._left`` and ``..._right``).

    Channels of each corner, ``<name>.<corner>.``: ``gap``, ``penetration`` (m), ``normal_force``,
    ``friction_force`` (N), ``sliding`` (m/s), ``friction_loss`` (W); with bristles ``deflection``
    (m), with ``TrueStick`` ``slipping``.

    Raises:
        InputError: a slider that does not fit or overlaps the guide at the start, surfaces that
            cross, no stiffness, no rigid slider, something of a film without a film.

    See docs/translational.md. Example::

        fc.TranslationalClearance(ground, body.center, (1, 0, 0), (0, 1, 0), length=0.1,
                                  height=0.05, gap=0.052, stiffness=1e9)
    """

    prefix, label = "guide", "translational clearance joint"

    def __init__(
        self,
        guide,
        slider,
        axis: ArrayLike | None = None,
        across: ArrayLike | None = None,
        *,
        length: float,
        height: float,
        gap: float,
        width: float = 0.0,
        slider_axis: ArrayLike | None = None,
        surfaces: GuideSurface | Sequence[GuideSurface] = (FLAT, FLAT),
        normal: NormalLaw | None = None,
        friction: FrictionLaw | TrueStick | None = None,
        stiffness: float | None = None,
        corner_radius: float | None = None,
        materials: Sequence[Any] | None = None,
        approach_floor: float | None = None,
        film: Any = None,
        least: float | None = None,
        roughness: float | None = None,
        name: str | None = None,
    ):
        super().__init__(guide, slider, name)
        who = self.who
        if not isinstance(self.j.kind, RigidFrame):
            raise InputError(
                f"{who}: the slider must be a rigid body, but {self.j.name} is not; use "
                "GuideContact for facets of a solid."
            )
        self.guide = Guide(who, axis, across, gap, surfaces)
        self.length = checks.positive(f"{who}: length", length)
        self.height = checks.positive(f"{who}: height", height)
        self.width = checks.non_negative(f"{who}: width", width)
        if self.height >= self.guide.gap:
            raise InputError(too_high(who, self.height, self.guide.gap))
        if self.guide.gap >= np.hypot(self.length, self.height):
            raise InputError(
                f"{who}: the slider could turn over in its guide, because the distance between "
                f"the surfaces, {self.guide.gap:g} m, is not smaller than its diagonal; use a "
                "smaller gap."
            )
        self.slider = self.guide.triad
        if slider_axis is not None:
            e1 = checks.direction(f"{who}: slider_axis", slider_axis)
            e2 = np.cross(self.guide.triad[:, 2], e1)
            if np.linalg.norm(e2) < 1e-6:
                raise InputError(f"{who}: slider_axis must not be parallel to across.")
            e2 /= np.linalg.norm(e2)
            self.slider = np.column_stack([e1, e2, np.cross(e1, e2)])
        self.normal: NormalLaw = LankaraniNikravesh() if normal is None else normal
        self.friction = friction
        check_laws(who, self.normal, friction, FrictionLaw | TrueStick)
        self.floor = least_approach(who, approach_floor)
        if corner_radius is not None:
            checks.positive(f"{who}: corner_radius", corner_radius)
        self.contact = CornerGeometry(
            who, 1.0, 1.0, own_materials(who, materials, self.i, self.j), None, stiffness,
            corner_radius=corner_radius,
        )  # fmt: skip
        #: numbers of the laws, asked for at once: what is missing is said before any work
        self.numbers = law_numbers(self.contact, self.normal, friction)
        self.corners = tuple(name for name, _, _ in self._corners())
        self._fill(film, least=least, roughness=roughness)

    @property
    def clearance(self) -> float:
        """On each side of a centred slider, m."""
        return (self.guide.gap - self.height) / 2

    def _corners(self):
        """Name, side and place in the slider's axes of each corner."""
        for side, up in SIDES.items():
            for end, forward in (("rear", -1.0), ("front", 1.0)):
                hands = {"_left": -1.0, "_right": 1.0} if self.width else {"": 0.0}
                for hand, out in hands.items():
                    place = (forward * self.length, out * self.width, up * self.height)
                    yield f"{side}_{end}{hand}", side, np.array(place) / 2

    def _check_start(self, corner: str, side: str, place) -> None:
        """Refuse a corner that overlaps the guide, further than a load presses it in; say so where
        it is pressed in."""
        depth = self.guide.overlap(side, place)
        allowed = PRESSED * self.clearance
        if depth > allowed:
            raise InputError(
                f"{self.name}: slider and guide overlap at the start: the corner {corner} lies "
                f"{depth:.3g} m beyond the {side} surface, further than a load may press it in "
                f"({allowed:.3g} m, {PRESSED:.0%} of the clearance)."
            )
        if depth > 1e-9 * self.guide.gap:
            logger.info(
                "%s: the corner %s starts with a penetration of %.3g m", self.name, corner, depth
            )

    def portrait(self) -> Portrait:
        sizes = {n: getattr(self, n) for n in ("length", "height", "width", "clearance")}
        axes = np.linalg.solve(self.j.basis, self.slider)
        data = {**self.guide.portrait(self.i), "slider": axes.tolist(), **self.filling.portrait()}
        return Portrait(
            "clearance_translational", self.i, self.j, self.guide.triad[:, 0],
            {**sizes, "gap": self.guide.gap}, data,
        )  # fmt: skip

    def build(self, builder) -> None:
        for corner, side, place in self._corners():
            frame = self.j.body.at(self.j.position + self.slider @ place)
            placement = OnGuide(self.guide.shape(side))
            kind = contact_kind(self.i, frame, placement, self.normal, self.friction)
            start = self.guide.triad.T @ (frame.position - self.i.position)
            self._check_start(corner, side, start)
            own = self.guide.numbers(side)
            if isinstance(self.friction, TrueStick):
                own |= at_rest(self.friction, start)
            numbers = kind.pack_pair(
                self.i.parameters(self.guide.triad), frame.parameters(),
                **watched(self.floor, self.normal.approach_speed), **own, **self.numbers,
            )  # fmt: skip
            add_contact(builder, kind, f"{self.name}.{corner}", (self.i, frame), numbers)
        builder.connect(self.i.body, self.j.body)
        self.filling.build(builder)


#: how a slider may touch its guide
MODES = ("free", "one corner", "face on a side", "opposite corners", "three or more")


def contact_mode(touching: Mapping[str, np.ndarray]) -> np.ndarray:
    """Index into ``MODES`` of each instant, from which of the corners touch (boolean, by name)."""
    upper, lower = (
        sum((t.astype(int) for n, t in touching.items() if n.startswith(side)), 0) for side in SIDES
    )
    count = np.asarray(upper + lower)
    mode = np.minimum(count, 1)
    mode = np.where((count == 2) & ((upper == 2) | (lower == 2)), 2, mode)
    mode = np.where((upper == 1) & (lower == 1), 3, mode)
    return np.where(count > 2, 4, mode)
