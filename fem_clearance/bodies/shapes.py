"""Solid shapes of uniform density: volume and inertia about the centre of mass."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks

__all__ = ["Box", "Cylinder", "Sphere"]


@dataclass(frozen=True)
class Box:
    """A rectangular block with edges ``lx, ly, lz`` (m) along the body's axes.

    Raises:
        InputError: a size that is not positive.
    """

    lx: float
    ly: float
    lz: float

    def __post_init__(self):
        checks.positive_fields(self)

    @property
    def volume(self) -> float:
        """m^3."""
        return self.lx * self.ly * self.lz

    def inertia(self, mass: float) -> np.ndarray:
        """Principal moments (Ix, Iy, Iz) in kg m^2."""
        x, y, z = self.lx**2, self.ly**2, self.lz**2
        return mass / 12 * np.array([y + z, x + z, x + y])

    @property
    def half_size(self) -> np.ndarray:
        """Half extent along the body's axes, m."""
        return np.array([self.lx, self.ly, self.lz]) / 2

    def portrait(self) -> dict[str, Any]:
        """The shape as ``scene.json`` has it."""
        place = {"position": [0.0] * 3, "orientation": np.eye(3).tolist()}
        return {"type": type(self).__name__.lower(), **vars(self), **place}


@dataclass(frozen=True)
class Cylinder:
    """A cylinder of ``radius`` and ``length`` (m) along the body's first axis.

    Raises:
        InputError: a size that is not positive.
    """

    radius: float
    length: float

    def __post_init__(self):
        checks.positive_fields(self)

    @property
    def volume(self) -> float:
        """m^3."""
        return np.pi * self.radius**2 * self.length

    def inertia(self, mass: float) -> np.ndarray:
        """Principal moments (Ix, Iy, Iz) in kg m^2."""
        across = mass * (3 * self.radius**2 + self.length**2) / 12
        return np.array([mass * self.radius**2 / 2, across, across])

    @property
    def half_size(self) -> np.ndarray:
        """Half extent along the body's axes, m."""
        return np.array([self.length / 2, self.radius, self.radius])

    def portrait(self) -> dict[str, Any]:
        """The shape as ``scene.json`` has it."""
        place = {"position": [0.0] * 3, "orientation": np.eye(3).tolist()}
        return {"type": type(self).__name__.lower(), **vars(self), **place}


@dataclass(frozen=True)
class Sphere:
    """A sphere of ``radius`` (m).

    Raises:
        InputError: a size that is not positive.
    """

    radius: float

    def __post_init__(self):
        checks.positive_fields(self)

    @property
    def volume(self) -> float:
        """m^3."""
        return 4 / 3 * np.pi * self.radius**3

    def inertia(self, mass: float) -> np.ndarray:
        """Principal moments (Ix, Iy, Iz) in kg m^2."""
        return np.full(3, 0.4 * mass * self.radius**2)

    @property
    def half_size(self) -> np.ndarray:
        """Half extent along the body's axes, m."""
        return np.full(3, self.radius)

    def portrait(self) -> dict[str, Any]:
        """The shape as ``scene.json`` has it."""
        place = {"position": [0.0] * 3, "orientation": np.eye(3).tolist()}
        return {"type": type(self).__name__.lower(), **vars(self), **place}
