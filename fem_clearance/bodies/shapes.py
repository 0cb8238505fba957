"""Shapes of rigid bodies, for pictures and, with a density, for mass and inertia.

The origin and axes of a shape are those of the body unless ``position`` and ``orientation`` are
given. (A gear with its teeth is ``gears.Gear``.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from ..errors import InputError
from ..model.frame import triad_about
from .polyhedra import prism, revolved
from .shape import ClosedForm, Shape
from .shape_surfaces import Compound, Surface

__all__ = [
    "Box", "Compound", "Cylinder", "Disc", "Link", "Plate", "Rod", "Shape", "Slider", "Sphere",
    "Surface",
]  # fmt: skip


@dataclass(frozen=True)
class Box(ClosedForm):
    """A rectangular block with edges ``lx, ly, lz`` (m) along its axes.

    Args:
        position, orientation: see ``Shape``, also for errors.

    Example::

        shapes.Box(0.1, 0.05, 0.02).volume  # 1e-4 m^3
    """

    lx: float
    ly: float
    lz: float

    positive = ("lx", "ly", "lz")

    @property
    def volume(self) -> float:
        """m^3."""
        return self.lx * self.ly * self.lz

    def _principal(self, mass):
        x, y, z = self.lx**2, self.ly**2, self.lz**2
        return mass / 12 * np.array([y + z, x + z, x + y])

    @property
    def half_size(self) -> np.ndarray:
        """Half extent along its axes, m."""
        return np.array([self.lx, self.ly, self.lz]) / 2

    def corners(self):
        x, y, z = self.half_size
        return prism([(-y, -z), (y, -z), (y, z), (-y, z)], -x, x, axis=0)


@dataclass(frozen=True)
class Slider(ClosedForm):
    """A block that slides along its first axis.

    Args:
        length, height, width: along its first, second and third axis, m.
        position, orientation: see ``Shape``, also for errors.

    Example::

        fc.RigidBody(0.5, (1e-4,) * 3, shape=shapes.Slider(length=0.06, height=0.03, width=0.03))
    """

    length: float
    height: float
    width: float

    positive = ("length", "height", "width")

    @property
    def _box(self) -> Box:
        return Box(self.length, self.height, self.width)

    @property
    def volume(self) -> float:
        """m^3."""
        return self._box.volume

    def _principal(self, mass):
        return self._box.inertia(mass)

    def corners(self):
        return self._box.corners()


@dataclass(frozen=True)
class Cylinder(ClosedForm):
    """A cylinder of ``radius`` and ``length`` (m) along its first axis.

    Args:
        position, orientation: see ``Shape``, also for errors.
    """

    radius: float
    length: float

    positive = ("radius", "length")

    @property
    def volume(self) -> float:
        """m^3."""
        return np.pi * self.radius**2 * self.length

    def _principal(self, mass):
        across = mass * (3 * self.radius**2 + self.length**2) / 12
        return np.array([mass * self.radius**2 / 2, across, across])

    @property
    def half_size(self) -> np.ndarray:
        """Half extent along its axes, m."""
        return np.array([self.length / 2, self.radius, self.radius])

    def corners(self):
        x = self.length / 2
        return revolved([(-x, self.radius), (x, self.radius)])


@dataclass(frozen=True)
class Sphere(ClosedForm):
    """A sphere of ``radius`` (m).

    Args:
        position, orientation: see ``Shape``, also for errors.
    """

    radius: float

    positive = ("radius",)

    @property
    def volume(self) -> float:
        """m^3."""
        return 4 / 3 * np.pi * self.radius**3

    def _principal(self, mass):
        return np.full(3, 0.4 * mass * self.radius**2)

    @property
    def half_size(self) -> np.ndarray:
        """Half extent along its axes, m."""
        return np.full(3, self.radius)

    def corners(self):
        turns = np.linspace(0.02, np.pi - 0.02, 12)
        return revolved([(-self.radius * np.cos(a), self.radius * np.sin(a)) for a in turns])


@dataclass(frozen=True)
class Rod(Shape):
    """A round bar along its first axis.

    Args:
        radius: m.
        length: m; default: in pictures from joint to joint of its body, whatever its axes.
        position, orientation: see ``Shape``, also for errors.
    """

    radius: float
    length: float | None = None

    positive = ("radius", "length")

    @property
    def complete(self):
        return self.length is not None

    @property
    def _cylinder(self) -> Cylinder:
        assert self.length is not None
        return Cylinder(self.radius, self.length)

    def _moments(self):
        return self._cylinder.moments()

    def corners(self):
        return self._cylinder.corners()


@dataclass(frozen=True)
class Link(Shape):
    """A flat bar along its first axis, with ends rounded about the joints.

    Args:
        width: along its second axis, m.
        thickness: along its third axis, m; default half the width.
        length: from joint to joint, m; default: in pictures from joint to joint of its body,
            whatever its axes.
        position, orientation: see ``Shape``, also for errors.

    Example::

        fc.RigidBody(0.5, (1e-4, 4e-3, 4e-3), shape=shapes.Link(width=0.03, thickness=0.01))
    """

    width: float
    thickness: float | None = None
    length: float | None = None

    positive = ("width", "thickness", "length")

    def __post_init__(self):
        super().__post_init__()
        if self.thickness is None:
            object.__setattr__(self, "thickness", self.width / 2)

    @property
    def complete(self):
        return self.length is not None

    def corners(self):
        assert self.length is not None and self.thickness is not None
        turns = np.linspace(-np.pi / 2, np.pi / 2, 13)
        end = np.column_stack([np.cos(turns), np.sin(turns)]) * self.width / 2
        end += [self.length / 2, 0]
        return prism(np.vstack([end, -end]), -self.thickness / 2, self.thickness / 2)


@dataclass(frozen=True)
class Plate(Shape):
    """A plate with any outline in the plane of its first and second axis.

    Args:
        outline: corners (x, y) one after the other, m.
        thickness: m, half of it on either side of the plane.
        position, orientation: see ``Shape``.

    Raises:
        InputError: as of ``Shape``; an outline of less than three corners.

    Example::

        shapes.Plate([(0, 0), (0.2, 0), (0.2, 0.1), (0, 0.15)], thickness=0.01).volume  # 2.5e-4 m^3
    """

    outline: Any
    thickness: float

    positive = ("thickness",)

    def __post_init__(self):
        super().__post_init__()
        corners = checks.array(self.outline)
        if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3:
            raise InputError("Plate.outline must be three or more corners (x, y), in m.")
        x, y = corners.T
        turned = x @ np.roll(y, -1) < y @ np.roll(x, -1)
        self._set(outline=corners[::-1] if turned else corners)

    def corners(self):
        return prism(self.outline, -self.thickness / 2, self.thickness / 2)


@dataclass(frozen=True)
class Disc(Shape):
    """A disc, possibly with a hole of the radius ``bore``.

    Args:
        radius, thickness: m.
        axis: of the disc in its own axes.
        bore: m; 0 without a hole.
        position, orientation: see ``Shape``.

    Raises:
        InputError: as of ``Shape``; a bore as large as the disc.

    Example::

        shapes.Disc(radius=0.1, thickness=0.02, bore=0.02).volume  # 6.032e-4 m^3
    """

    radius: float
    thickness: float
    axis: Any = (0.0, 0.0, 1.0)
    bore: float = 0.0

    positive = ("radius", "thickness")

    def __post_init__(self):
        super().__post_init__()
        self._set(axis=checks.direction("Disc.axis", self.axis))
        if not 0 <= self.bore < self.radius:
            raise InputError(f"Disc.bore must be below its radius, got {self.bore!r}.")

    @property
    def _turn(self) -> np.ndarray:
        """The axes of a body of revolution about the first axis, by columns."""
        return np.roll(triad_about(np.array(self.axis)), 1, axis=1)

    def _moments(self):
        volume, _, inertia = Cylinder(self.radius, self.thickness).moments()
        if self.bore:
            hole, _, lacks = Cylinder(self.bore, self.thickness).moments()
            volume, inertia = volume - hole, inertia - lacks
        return volume, np.zeros(3), self._turn @ inertia @ self._turn.T

    def corners(self):
        x = self.thickness / 2
        profile = [(-x, self.radius), (x, self.radius)]
        if self.bore:
            profile += [(x, self.bore), (-x, self.bore)]
        points, faces = revolved(profile, closed=bool(self.bore))
        return points @ self._turn.T, faces
