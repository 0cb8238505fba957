"""Facets of a solid in contact with a guide, and what they wear."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...bodies.solids.facets import FacetSet
from ...errors import InputError
from ...model.frame import Frame
from ...model.portrait import Portrait
from ..guide import SIDES, Guide, GuideSurface, Plane, too_high
from ..laws.friction import FrictionLaw
from ..surfaces.base import Placed
from .base import FacetContact, checked_facets
from .contact import Winkler
from .friction import SurfaceStick
from .wear import SurfaceWear

logger = logging.getLogger(__name__)
#: part of the guide's height beyond which facets that overlap it at the start are worth a warning
PRESSED = 1e-3


class GuideContact(FacetContact):
    """Facets of a solid that may touch one surface of a guide.

    A slider between two surfaces has two of them, one on each of its faces. The pressure acts on
    the deformed facets and on the guide, which may be flat or shaped, fixed or moving.

    Args:
        guide: frame on the guide's middle line (or a body with a triad, or the ground).
        facets: such as ``slider.facets("y1")``.
        axis: along the guide, fixed in the guide's frame; direction at the start.
        across: from the lower to the upper surface.
        side: ``"upper"`` or ``"lower"``.
        gap: distance of the guide's surfaces, m.
        surface: shape of this one; default ``Plane()``.
        law: ``Winkler`` pressure.
        friction: a friction law, ``SurfaceStick``, or ``None``. Friction with memory (that one, and
            laws with bristles such as ``LuGre``) has its state at each quadrature point.
        resolution: quadrature degree on each facet.
        wear: ``SurfaceWear`` of the facets, or ``None``.
        worn: depth that the facets have lost at the start, m: a function of their undeformed
            quadrature points (m, shape (facets, points, 3)), or an array over facets and points.
        name: for messages and channels.

    Channels: ``normal_force``, ``friction_force`` (N), ``moment`` (N m), ``area`` in contact (m^2),
    ``friction_loss`` (W); with ``SurfaceStick`` ``stuck_area`` (m^2); with wear ``worn_volume``
    (m^3) and ``worn_depth``, the deepest (m).

    Raises:
        InputError: no facets, facets outside of the guide, laws that cannot be, worn depths of the
            wrong shape or beyond the liner.

    See docs/translational.md. Example::

        fc.GuideContact(ground, solid.facets("y1"), (1, 0, 0), (0, 1, 0), side="upper",
                        gap=0.06)
    """

    prefix, label = "guide_contact", "contact with a guide"
    #: what its portrait calls it
    sort = "contact_guide"

    def __init__(
        self,
        guide,
        facets: FacetSet,
        axis: ArrayLike | None = None,
        across: ArrayLike | None = None,
        *,
        side: str,
        gap: float,
        surface: GuideSurface | None = None,
        law: Winkler | None = None,
        friction: FrictionLaw | SurfaceStick | None = None,
        resolution: int = 8,
        wear: SurfaceWear | None = None,
        worn: Any = None,
        name: str | None = None,
    ):
        self.name = name
        who = name or self.label
        facets = checked_facets(who, facets)
        if not isinstance(guide, Frame):
            if not checks.offers(guide, "at"):
                raise InputError(f"{who}: guide must be a frame or a body, got {guide!r}.")
            guide = guide.at(facets.solid.position)
        guide.needs_triad(who)
        self.side = checks.choice(f"{who}: side", side, SIDES)
        self.guide = Guide(who, axis, across, gap, surface or Plane())
        seat = Placed(guide, self.guide.triad, self.guide.shape(side), self.guide.numbers(side))
        super().__init__(facets, seat, law, friction, resolution, wear, worn)
        self._check_place(who)

    def _check_place(self, who: str):
        reach, gap = self._reach(), self.guide.gap
        if reach > gap / 2 + gap:
            raise InputError(
                f"{who}: at the start the facets {self.facets.name!r} are {reach:.4g} m from "
                f"the middle of the guide, far beyond its {self.side} surface at {gap / 2:.4g} "
                "m; check gap= and the position of the solid."
            )
        if reach < 0:
            raise InputError(
                f"{who}: the facets {self.facets.name!r} and the {self.side} surface are on "
                "opposite sides of the middle of the guide; use the other side= or other "
                "facets."
            )

    def _reach(self) -> float:
        """Height of the highest facet over the guide's middle, on its side, m."""
        places = self.facets.solid.nodes[self.facets.nodes] - self.i.position
        return float(np.max(SIDES[self.side] * (places @ self.guide.triad[:, 2])))

    def _check_room(self, builder) -> None:
        """Whether the solid fits between this surface and one opposite that it may touch."""
        for other in builder.items:
            if (
                isinstance(other, GuideContact) and other.facets.solid is self.facets.solid
                and other.i.body is self.i.body and other.side != self.side
            ):  # fmt: skip
                height, gap = self._reach() + other._reach(), (self.guide.gap + other.guide.gap) / 2
                if height > gap * (1 + 1e-6):
                    raise InputError(too_high(self.name, height, gap))

    def portrait(self) -> Portrait:
        data = {**self.guide.portrait(self.i), "side": self.side, **self.facets.portrait()}
        return Portrait(
            self.sort, self.i, None, self.guide.triad[:, 0], {"gap": self.guide.gap}, data
        )

    def build(self, builder) -> None:
        self._check_room(builder)
        super().build(builder)

    def _check_start(self) -> None:
        """Say so where facets overlap the guide, but for what they have lost, further than a load
        presses them in."""
        local = self.seat.coordinates(self.facets.quadrature(self.resolution)[1])
        if self.worn is not None:
            local[..., 2] -= SIDES[self.side] * self.worn
        depth = self.guide.overlap(self.side, local)
        if depth > PRESSED * self.guide.gap:
            logger.warning(
                "%s: the facets %r overlap the guide at the start by %.3g m, so that the "
                "motion begins with the full pressure of this contact.",
                self.name, self.facets.name, depth,
            )  # fmt: skip
