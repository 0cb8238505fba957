"""Cross-sections of beams, in section coordinates (y, z) along the directors d2 and d3.

The origin is the centroid and both axes are axes of symmetry, so that every moment with an odd
exponent vanishes. A new section is one subclass with ``moment``, ``quadrature`` and ``outline``.
"""

from dataclasses import dataclass
from math import gamma

import numpy as np

from .. import checks


class Section:
    """What a beam asks of its cross-section."""

    def moment(self, p: int, q: int) -> float:
        """Integral of y^p z^q over the section, m^(p+q+2)."""
        raise TypeError("a section defines moment")

    def quadrature(self, degree: int = 4) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 2) in m and weights (n,) in m^2, exact for polynomials of ``degree``."""
        raise TypeError("a section defines quadrature")

    @property
    def outline(self) -> np.ndarray:
        """Corners of the outline in m, anticlockwise seen against d1, shape (n, 2)."""
        raise TypeError("a section defines outline")

    @property
    def area(self) -> float:
        """Area, m^2."""
        return self.moment(0, 0)

    @property
    def I_y(self) -> float:
        """Integral of y^2 over the section, m^4: resists bending in the plane of d1 and d2."""
        return self.moment(2, 0)

    @property
    def I_z(self) -> float:
        """Integral of z^2 over the section, m^4: resists bending in the plane of d1 and d3."""
        return self.moment(0, 2)


@dataclass(frozen=True)
class Rectangle(Section):
    """A rectangle ``width_y`` x ``height_z`` (m), edges along the directors."""

    width_y: float
    height_z: float

    def __post_init__(self):
        for name in ("width_y", "height_z"):
            checks.positive(f"Rectangle.{name}", getattr(self, name))

    def moment(self, p, q):
        result = 1.0
        for side, k in ((self.width_y, p), (self.height_z, q)):
            result *= 0.0 if k % 2 else 2 * (side / 2) ** (k + 1) / (k + 1)
        return result

    def quadrature(self, degree=4):
        x, w = np.polynomial.legendre.leggauss(degree // 2 + 1)
        y, z = np.meshgrid(x * self.width_y / 2, x * self.height_z / 2, indexing="ij")
        return np.column_stack([y.ravel(), z.ravel()]), np.outer(w, w).ravel() * self.area / 4

    @property
    def outline(self):
        y, z = self.width_y / 2, self.height_z / 2
        return np.array([[-y, -z], [y, -z], [y, z], [-y, z]])


@dataclass(frozen=True)
class Circle(Section):
    """A full circle of ``radius`` (m)."""

    radius: float

    def __post_init__(self):
        checks.positive("Circle.radius", self.radius)

    def moment(self, p, q):
        if p % 2 or q % 2:
            return 0.0
        n = p + q + 2
        # the integral of cos^p sin^q over the circle is twice a beta function
        return self.radius**n / n * 2 * gamma((p + 1) / 2) * gamma((q + 1) / 2) / gamma(n / 2)

    def quadrature(self, degree=4):
        u, w = np.polynomial.legendre.leggauss(degree // 4 + 1)  # in the square of the radius
        r = self.radius * np.sqrt((1 + u) / 2)
        angles = 2 * np.pi * np.arange(degree + 1) / (degree + 1)
        points = [np.outer(r, f(angles)).ravel() for f in (np.cos, np.sin)]
        weights = np.repeat(w / 2 * self.area / len(angles), len(angles))
        return np.column_stack(points), weights

    @property
    def outline(self):
        angles = 2 * np.pi * np.arange(24) / 24
        return self.radius * np.column_stack([np.cos(angles), np.sin(angles)])
