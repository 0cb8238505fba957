"""Facets of a solid in contact with a surface of any frame."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ...bodies.solids.facets import FacetSet
from ...errors import InputError
from ...model.portrait import Portrait
from ..laws.friction import FrictionLaw
from ..surfaces.shapes import FrameSurface
from .base import FacetContact, checked_facets
from .contact import Winkler
from .friction import SurfaceStick
from .hard import Hard
from .pair_contact import FacetPairContact
from .wear import SurfaceWear

logger = logging.getLogger(__name__)
#: part of the facets' extent beyond which an overlap at the start is worth a warning
PRESSED = 1e-3
#: sine of the angle between a normal and the plane of a plane model that is not round-off
LEANS = 1e-3


class SurfaceContact(FacetContact):
    """Facets of a solid that may touch a surface of a frame: a journal in an elastic bore, a pin in
    a lug, a ball on a block, a cam and its follower.

    Pressure and friction are integrals over the deformed facets; what acts on the solid acts
    opposite, at the same points, on the body of the surface's frame.

    Args:
        facets: such as ``lug.facets("bore")``.
        surface: such as ``CylinderSurface(pin.center, radius=0.01)``; or facets of another solid,
            see ``FacetPairContact``, which this then makes.
        law: ``Winkler`` pressure, whose default stiffness suits the facets' cells; or ``Hard()``
            for ``Statics``, without penetration.
        friction: a friction law, ``SurfaceStick``, or ``None``. Friction with memory (that one, and
            laws with bristles such as ``LuGre``) has its state at each quadrature point.
        resolution: quadrature degree on each facet.
        wear: ``SurfaceWear`` of the facets, or ``None``.
        worn: depth that the facets have lost at the start, m: a function of their undeformed
            quadrature points (m, shape (facets, points, 3)), or an array over facets and points.
        name: for messages and channels.

    Channels: ``normal_force``, ``friction_force`` (N), ``area`` in contact (m^2), ``force.x`` to
    ``force.z`` (N) and ``moment.x`` to ``moment.z`` (N m, about the frame's point) on the surface,
    ``friction_loss`` (W); with ``SurfaceStick`` ``stuck_area`` (m^2); with wear ``worn_volume``
    (m^3) and ``worn_depth``, the deepest (m).

    Raises:
        InputError: no facets, no surface of a frame, a surface that leans in a plane model, laws
            that cannot be, worn depths of the wrong shape or beyond the liner.

    See docs/deformable_contact.md. Example::

        fc.SurfaceContact(solid.facets("x1"),
                          fc.PlaneSurface(ground.at((0.06, 0, 0)), axis=(-1, 0, 0)))
    """

    prefix, label = "surface_contact", "contact with a surface"
    #: what its portrait calls it
    sort = "contact_surface"

    def __init__(
        self,
        facets: FacetSet,
        surface: FrameSurface | FacetSet,
        *,
        law: Winkler | Hard | None = None,
        friction: FrictionLaw | SurfaceStick | None = None,
        resolution: int = 8,
        wear: SurfaceWear | None = None,
        worn: Any = None,
        name: str | None = None,
    ):
        self.name = name
        who = name or self.label
        facets = checked_facets(who, facets)
        if not isinstance(surface, FrameSurface):
            raise InputError(
                f"{who}: surface must be a surface on a frame, such as "
                "CylinderSurface(pin.center, radius=0.01), or facets of another solid, got "
                f"{surface!r}."
            )
        self.surface = surface
        super().__init__(facets, surface.placed(), law, friction, resolution, wear, worn)

    def __new__(cls, facets=None, surface=None, **options):
        """Of facets on facets a contact of their own kind."""
        if isinstance(surface, FacetSet):
            return FacetPairContact(facets, surface, **options)
        return super().__new__(cls)

    __new__.__wrapped__ = __init__  # type: ignore[attr-defined]  # whose arguments are shown

    def portrait(self) -> Portrait:
        s = self.surface
        data = {"surface": type(s).__name__, **self.facets.portrait()}
        return Portrait(self.sort, self.i, None, s.triad[:, 2], s.sizes(), data)

    def _check_start(self) -> None:
        local = self.seat.coordinates(self.facets.quadrature(self.resolution)[1])
        gap = self.surface.gap_at(local)
        if gap is None:
            return
        self._check_plane(local)
        depth = -gap if self.worn is None else -gap - self.worn
        extent = np.ptp(local.reshape(-1, 3), axis=0).max()
        if depth.max() > PRESSED * extent:
            logger.warning(
                "%s: the facets %r overlap the surface at the start by up to %.3g m, so that "
                "the motion begins with the full pressure of this contact%s.",
                self.name, self.facets.name, depth.max(),
                "; all of them overlap, so check side= of the surface"
                if depth.min() > 0 else "",
            )  # fmt: skip

    def _check_plane(self, local: np.ndarray) -> None:
        """Refuse a surface whose normal points out of the plane of a plane solid at its facets
        (``local``: places in the surface's axes), where it could not push back as it should."""
        if self.facets.solid.dimension == 3:
            return
        h = 1e-6 * np.ptp(local.reshape(-1, 3), axis=0).max()
        axes = self.seat.triad  # rows: directions in space in the surface's axes
        ahead, behind = (
            np.array([self.surface.gap_at(local + step * e) for e in axes]) for step in (h, -h)
        )
        slope = ahead - behind
        if np.any(np.abs(slope[2]) > LEANS * np.linalg.norm(slope, axis=0)):
            raise InputError(
                f"{self.name}: the normal of this {type(self.surface).__name__} points out of the "
                f"plane of {self.facets.solid.name}. Give a PlaneSurface an axis in that plane, "
                "such as axis=(0, 1, 0), a cylinder or profile axis=(0, 0, 1), and a sphere a "
                "frame in the plane."
            )
