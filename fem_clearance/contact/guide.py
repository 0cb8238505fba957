"""Shapes of the surfaces of a guide."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from .. import checks
from ..errors import InputError
from ..user_code import Law


@dataclass(frozen=True)
class GuideSurface(Law):
    """Base of the shapes of a guide's surface: its distance from the middle plane beyond half of
    the guide's height.

    To add one: name the numbers it reads in ``parameters`` (each an attribute) and give ``height``;
    positive leaves more room. Its derivatives are derived.
    """

    scalars: ClassVar[tuple[str, ...]] = ("height",)

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the shape."""
        return {name: float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def height(x, y, p: SimpleNamespace) -> Any:
        """Height in m over places along the guide and across its width, m (UFL or NumPy)."""
        return 0.0 * x


@dataclass(frozen=True)
class Flat(GuideSurface):
    """A plane at half of the guide's height."""


@dataclass(frozen=True)
class Wavy(GuideSurface):
    """amplitude cos(2 pi (x - start) / wavelength).

    Args:
        amplitude: m.
        wavelength: m.
        start: of a crest, along the guide, m.

    Raises:
        InputError: a number that is not finite, a wavelength that is not positive.
    """

    amplitude: float
    wavelength: float
    start: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("amplitude", "wavelength", "start")

    def __post_init__(self):
        checks.number("Wavy.amplitude", self.amplitude)
        checks.positive("Wavy.wavelength", self.wavelength)
        checks.number("Wavy.start", self.start)

    @staticmethod
    def height(x, y, p):
        cosine = np.cos if isinstance(x, np.ndarray | float) else ufl.cos
        return p.amplitude * cosine(2 * np.pi * (x - p.start) / p.wavelength)


@dataclass(frozen=True)
class Curved(GuideSurface):
    """A parabola, (x - start)^2 / (2 radius): of that radius of curvature near ``start``.

    Args:
        radius: m; positive opens the guide away from ``start``.
        start: where its height is zero, along the guide, m.

    Raises:
        InputError: a number that is not finite, a radius of zero.
    """

    radius: float
    start: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("radius", "start")

    def __post_init__(self):
        if not checks.number("Curved.radius", self.radius):
            raise InputError("Curved.radius must not be zero.")
        checks.number("Curved.start", self.start)

    @staticmethod
    def height(x, y, p):
        return (x - p.start) ** 2 / (2 * p.radius)


@dataclass(frozen=True)
class Hollow(GuideSurface):
    """A worn place, depth exp(-((x - place) / width)^2).

    Args:
        depth: m; negative for a bump.
        place: of its middle along the guide, m.
        width: m.

    Raises:
        InputError: a number that is not finite, a width that is not positive.
    """

    depth: float
    place: float
    width: float
    parameters: ClassVar[tuple[str, ...]] = ("depth", "place", "width")

    def __post_init__(self):
        checks.number("Hollow.depth", self.depth)
        checks.number("Hollow.place", self.place)
        checks.positive("Hollow.width", self.width)

    @staticmethod
    def height(x, y, p):
        exponential = np.exp if isinstance(x, np.ndarray | float) else ufl.exp
        return p.depth * exponential(-(((x - p.place) / p.width) ** 2))
