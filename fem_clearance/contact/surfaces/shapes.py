"""Planes, cylinders, spheres and tori of frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ...model.frame import Frame, triad_about
from ..forms import as_parameters
from .base import Placed, Surface

#: which side of a surface is free -> sign of the gap
FREE = {"outside": 1.0, "inside": -1.0, 1: 1.0, -1: -1.0}


@dataclass(frozen=True)
class FrameSurface(Surface):
    """Base of the surfaces that belong to a frame.

    Args:
        frame: where the surface's centre is; a rigid body stands for its centre of mass, the ground
            for the origin.
        axis: the surface's third axis, fixed in the frame; direction at the start.
        first: direction near its first axis, likewise; default: one of the frame's axes.
    """

    frame: Any
    axis: ArrayLike = field(default=(0, 0, 1), kw_only=True)
    first: ArrayLike | None = field(default=None, kw_only=True)
    _triad: np.ndarray = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        who = type(self).__name__
        frame = self.frame
        if not isinstance(frame, Frame):
            center = getattr(frame, "center", None)  # of a set of facets a place
            frame = center if isinstance(center, Frame) else frame
        if not isinstance(frame, Frame) and checks.offers(frame, "point"):
            frame = frame.point((0, 0, 0))
        if not isinstance(frame, Frame):
            raise InputError(f"{who}: frame must be a frame or a body, got {self.frame!r}.")
        frame.needs_triad(who)
        object.__setattr__(self, "frame", frame)
        axis = checks.direction(f"{who}: axis", self.axis)
        towards = None if self.first is None else checks.direction(f"{who}: first", self.first)
        if towards is not None and abs(towards @ axis) > 1 - 1e-6:
            raise InputError(f"{who}: first must not be parallel to the axis.")
        object.__setattr__(self, "_triad", triad_about(axis, towards))

    @property
    def triad(self) -> np.ndarray:
        """Axes at the start by columns, in space."""
        return self._triad

    def placed(self) -> Placed:
        """As cells read it."""
        return Placed(self.frame, self.triad, self.form, as_parameters("surface", self.values()))

    def gap_at(self, places: np.ndarray) -> np.ndarray | None:
        """Gaps of places in the surface's axes, m, (..., 3); ``None`` where ``gap`` needs UFL."""
        try:
            return np.asarray(
                self.gap(np.moveaxis(places, -1, 0), SimpleNamespace(**self.values()))
            )
        except Exception:
            return None

    def sizes(self) -> dict[str, float]:
        """Lengths that pictures need, m."""
        return {}


@dataclass(frozen=True)
class PlaneSurface(FrameSurface):
    """A plane through the frame's point, free on the side that its axis points to.

    Args:
        frame, axis, first: see ``FrameSurface``.

    Raises:
        InputError: no frame with a triad, no direction.

    See docs/deformable_contact.md. Example::

        fc.PlaneSurface(body, axis=(0, 1, 0))
    """

    distance: ClassVar[bool] = True

    @classmethod
    def gap(cls, s, p):
        return s[2]


@dataclass(frozen=True)
class CylinderSurface(FrameSurface):
    """A cylinder about the axis: a pin or journal, or a bore.

    Args:
        frame, axis, first: see ``FrameSurface``.
        radius: m.
        side: where it is free, ``"outside"`` (a pin; 1) or ``"inside"`` (a bore; -1).

    Raises:
        InputError: a radius that is not positive, an unknown side, no frame with a triad.

    See docs/deformable_contact.md. Example::

        fc.CylinderSurface(body, radius=0.01, side="outside")
    """

    radius: float = field(kw_only=True)
    side: Any = field(default="outside", kw_only=True)
    parameters: ClassVar[tuple[str, ...]] = ("radius", "side")
    distance: ClassVar[bool] = True

    def __post_init__(self):
        super().__post_init__()
        who = type(self).__name__
        checks.positive(f"{who}: radius", self.radius)
        checks.choice(f"{who}: side", self.side, FREE)

    def values(self):
        return {"radius": float(self.radius), "side": FREE[self.side]}

    @classmethod
    def gap(cls, s, p):
        return p.side * ((s[0] ** 2 + s[1] ** 2) ** 0.5 - p.radius)

    def sizes(self):
        return {"radius": float(self.radius)}


@dataclass(frozen=True)
class SphereSurface(CylinderSurface):
    """A sphere about the frame's point: a ball, or a socket.

    Args:
        frame, axis, first: see ``FrameSurface``; the axis is of no account.
        radius: m.
        side: where it is free, ``"outside"`` (a ball; 1) or ``"inside"`` (a socket; -1).

    Raises:
        InputError: a radius that is not positive, an unknown side, no frame with a triad.

    See docs/deformable_contact.md. Example::

        fc.SphereSurface(body, radius=0.01)
    """

    @classmethod
    def gap(cls, s, p):
        return p.side * ((s[0] ** 2 + s[1] ** 2 + s[2] ** 2) ** 0.5 - p.radius)


@dataclass(frozen=True)
class TorusSurface(CylinderSurface):
    """A torus about the axis: a ring, or the raceway of a ball bearing.

    Args:
        frame, axis, first: see ``FrameSurface``.
        radius: of the tube, m.
        ring_radius: of the circle that the tube's centre describes, m; larger than ``radius``.
        side: where it is free, ``"outside"`` of the tube (1) or ``"inside"`` (-1).

    Raises:
        InputError: radii that are no torus, an unknown side, no frame with a triad.

    See docs/deformable_contact.md. Example::

        fc.TorusSurface(body, radius=0.005, ring_radius=0.02)
    """

    ring_radius: float = field(kw_only=True)
    parameters: ClassVar[tuple[str, ...]] = ("radius", "ring_radius", "side")

    def __post_init__(self):
        super().__post_init__()
        if not checks.positive("TorusSurface: ring_radius", self.ring_radius) > self.radius:
            raise InputError(
                f"TorusSurface: ring_radius = {self.ring_radius:g} m must be larger than the "
                f"tube's radius = {self.radius:g} m."
            )

    def values(self):
        return super().values() | {"ring_radius": float(self.ring_radius)}

    @classmethod
    def gap(cls, s, p):
        out = (s[0] ** 2 + s[1] ** 2) ** 0.5 - p.ring_radius
        return p.side * ((out**2 + s[2] ** 2) ** 0.5 - p.radius)

    def sizes(self):
        return super().sizes() | {"ring_radius": float(self.ring_radius)}
