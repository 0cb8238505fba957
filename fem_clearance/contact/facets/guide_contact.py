"""Facets of a solid in contact with a guide, and what they wear."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...bodies.solids.facets import FacetSet
from ...errors import InputError
from ...markup import Shown
from ...model.frame import Frame
from ...model.portrait import Portrait
from ..guide import SIDES, Guide, GuideSurface, Plane, too_high
from ..laws.friction import BristleLaw, FrictionLaw
from ..wear.periods import kept
from .contact import ChangingSurfaceKind, SurfaceContactKind, Winkler
from .friction import SurfaceStick
from .wear import SurfaceWear, WornFacets

logger = logging.getLogger(__name__)
#: part of the guide's height beyond which facets that overlap it at the start are worth a warning
PRESSED = 1e-3


class GuideContact(Shown):
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
    """

    prefix, label = "guide_contact", "contact with a guide"

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
        self.name: Any = name
        who = name or self.label
        if not isinstance(facets, FacetSet):
            raise InputError(
                f"{who} needs a set of facets such as slider.facets('y1'), got {facets!r}."
            )
        if not len(facets.cells):
            raise InputError(f"{who}: the set of facets {facets.name!r} is empty; mark some.")
        self.facets = facets
        if not isinstance(guide, Frame):
            if not checks.offers(guide, "at"):
                raise InputError(f"{who}: guide must be a frame or a body, got {guide!r}.")
            guide = guide.at(facets.solid.position)
        guide.needs_triad(who)
        self.i = guide
        self.side = checks.choice(f"{who}: side", side, SIDES)
        self.guide = Guide(who, axis, across, gap, surface or Plane())
        self.law = law or Winkler()
        if not isinstance(self.law, Winkler):
            raise InputError(f"{who}: law must be a pressure such as Winkler(), got {law!r}.")
        if friction is not None and not isinstance(friction, FrictionLaw | SurfaceStick):
            raise InputError(
                f"{who}: friction must be a law such as SmoothCoulomb(0.1) or SurfaceStick(0.1), "
                f"or None, got {friction!r}."
            )
        remembers = isinstance(friction, BristleLaw | SurfaceStick)
        if remembers and wear is not None:
            raise InputError(
                f"{who}: facets that wear need friction without memory such as SmoothCoulomb(0.1)."
            )
        self.friction = friction
        self.resolution = checks.count(f"{who}: resolution", resolution)
        self._check_place(who)
        if wear is not None and not isinstance(wear, SurfaceWear):
            raise InputError(f"{who}: wear must be SurfaceWear(Archard(k, H), ...), got {wear!r}.")
        if worn is not None and wear is None:
            raise InputError(f"{who}: worn facets need wear=SurfaceWear(...).")
        self.wear = wear
        self.worn = None if wear is None else wear.begin(who, facets, self.resolution, worn)

    def _check_place(self, who: str):
        reach, gap = self._reach(), self.guide.gap
        if reach > gap / 2 + gap:
            raise InputError(
                f"{who}: the facets {self.facets.name!r} start {reach:.4g} m from the guide's "
                f"middle, far behind its {self.side} surface at {gap / 2:.4g} m."
            )
        if reach < 0:
            raise InputError(
                f"{who}: the facets {self.facets.name!r} lie on the other side of the guide's "
                f"middle than its {self.side} surface."
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

    #: what its portrait calls it
    sort = "contact_guide"

    def portrait(self) -> Portrait:
        data = {**self.guide.portrait(self.i), "side": self.side, **self.facets.portrait()}
        return Portrait(
            self.sort, self.i, None, self.guide.triad[:, 0], {"gap": self.guide.gap}, data
        )

    def build(self, builder) -> None:
        self._check_room(builder)
        self._check_start()
        changing = self.wear or isinstance(self.friction, BristleLaw | SurfaceStick)
        make = ChangingSurfaceKind if changing else SurfaceContactKind
        kind = make(
            **self.facets.kind_arguments, frame=self.i.kind, law=type(self.law),
            friction=type(self.friction) if self.friction else None,
            surface=self.guide.shape(self.side), resolution=self.resolution,
            worn=WornFacets() if self.wear else None,
        )  # fmt: skip
        own: dict[str, Any] = self.guide.numbers(self.side)
        own["frame"] = self.i.parameters(self.guide.triad)
        own |= {f"law.{n}": x for n, x in self.law.values(self.facets).items()}
        each: dict[str, np.ndarray] = {}
        if isinstance(self.friction, SurfaceStick):
            own |= {f"friction.{n}": x for n, x in self.friction.values(own["law.k"]).items()}
            own["since"] = 0.0
            each = self._memory(anchored=True)
            each["mu"] = np.full_like(each["area"], self.friction.mu_s)
        elif self.friction is not None:
            own |= {f"friction.{n}": x for n, x in self.friction.values().items()}
            if isinstance(self.friction, BristleLaw):
                each = self._memory(anchored=False)
        if self.wear is not None:
            own |= self.wear.numbers()
            each = self.wear.fields(self.facets, self.resolution, self.worn)
        # depths are differences of places: these, not those of neighbours, set their round-off
        block = self.facets.solid.block
        assert block is not None
        block.offset_by(float(np.abs(self.facets.solid.nodes).max()))
        self.facets.add_to(builder, self.name, kind, self.i.refs, each, **own)
        builder.connect(self.i.body, self.facets.solid)

    def _check_start(self) -> None:
        """Say so where facets overlap the guide, but for what they have lost, further than a load
        presses them in."""
        places = self.facets.quadrature(self.resolution)[1] - self.i.position
        local = places @ self.guide.triad
        if self.worn is not None:
            local[..., 2] -= SIDES[self.side] * self.worn
        depth = self.guide.overlap(self.side, local)
        if depth > PRESSED * self.guide.gap:
            logger.warning(
                "%s: the facets %r overlap the guide at the start, by %.3g m: they are pressed in "
                "with all that this takes.", self.name, self.facets.name, depth,
            )  # fmt: skip

    def _memory(self, anchored: bool) -> dict[str, np.ndarray]:
        """What the quadrature points remember at the start: their places in the guide, or nothing;
        and the areas they stand for, m^2."""
        area, places = self.facets.quadrature(self.resolution)
        start = (places - self.i.position) @ self.guide.triad * float(anchored)
        return {"area": area, **{f"kept{k}": start[:, :, k] for k in range(3)}}

    def worn_depths(self, system) -> np.ndarray | None:
        """What the facets have lost by now, m, at the points of
        ``facets.quadrature(resolution)``: (facets, points), on rank 0, elsewhere ``None``;
        collective."""
        if self.worn is None:
            return None
        found = system.comm.gather([*kept(system.state, self.name, "worn")])
        if found is None:
            return None
        depth = np.zeros(self.worn.shape)
        for numbers, worn in sum(found, []):
            depth[numbers] = worn
        return depth
