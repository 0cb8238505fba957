"""Cross-sections of beams, in section coordinates (y, z) along the directors d2 and d3.

The origin is the centroid: y and z are zero on average. Where both axes are axes of symmetry every
moment with an odd exponent vanishes, and straight beams take the fast elements; any other section
is integrated over its quadrature points, product moments included. A new section is one subclass
with ``quadrature`` and ``outline`` (with holes or curved edges ``triangulation`` too).
"""

from dataclasses import dataclass
from math import gamma
from typing import Any

import numpy as np

from ... import checks
from ...errors import InputError
from ...meshes.polygons import doubles, triangles
from .warping import SectionConstants, constants


class Section:
    """Base of cross-sections of beams.

    Example::

        class HalfDisc(fc.Section):
            # half of a disc, by points: an integral over radius and angle

            def __init__(self, radius):
                self.radius = radius

            def quadrature(self, degree=4):
                x, w = np.polynomial.legendre.leggauss(degree + 4)
                r, a = (x + 1) / 2 * self.radius, x * np.pi / 2
                y, z = np.outer(r, np.cos(a)), np.outer(r, np.sin(a))
                y -= 4 * self.radius / (3 * np.pi)  # from the centroid
                weights = np.outer(w * r * self.radius / 2, w * np.pi / 2)
                return np.column_stack([y.ravel(), z.ravel()]), weights.ravel()

            @property
            def outline(self):
                a = np.linspace(-np.pi / 2, np.pi / 2, 61)
                y = np.cos(a) - 4 / (3 * np.pi)
                return self.radius * np.column_stack([y, np.sin(a)])

        HalfDisc(0.02).I_y  # 1.756e-8 m^4
    """

    def moment(self, p: int, q: int) -> float:
        """Integral of y^p z^q over the section, m^(p+q+2)."""
        points, weights = self.quadrature(max(p + q, 4))
        y, z = points.T
        return float(np.sum(weights * y**p * z**q))

    def quadrature(self, degree: int = 4) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 2) in m and weights (n,) in m^2, exact for polynomials of ``degree``."""
        raise TypeError("a section defines quadrature")

    @property
    def outline(self) -> np.ndarray:
        """Corners of the outline in m, anticlockwise seen against d1, shape (n, 2)."""
        raise TypeError("a section defines outline")

    @property
    def inner_outline(self) -> np.ndarray | None:
        """Corners of the edge of a hole through the section, m, (n, 2); ``None``: it is full."""
        return None

    def portrait(self) -> dict[str, Any]:
        """The section as ``scene.json`` has it."""
        outlines = {"outline": self.outline, "inner": self.inner_outline}
        shown = {name: None if x is None else x.tolist() for name, x in outlines.items()}
        return {"type": type(self).__name__.lower(), **shown}

    @property
    def triangulation(self) -> np.ndarray:
        """Triangles (n, 3, 2) in m that fill the section, anticlockwise; by default its outline."""
        return triangles(self.outline)

    @property
    def saint_venant(self) -> float:
        """Saint-Venant's torsion constant J, m^4: torsional stiffness G J of free warping."""
        return self._constants.torsion

    def shear_factors(self, nu: float) -> tuple[float, float]:
        """Cowper's (1966) shear factors along y and along z: shear force over shear modulus, area
        and mean shear strain; ``nu``: Poisson's ratio."""
        return self._constants.shear_factors(nu)

    @property
    def shear_centre(self) -> tuple[float, float]:
        """(y, z) of the point through which shear forces do not twist the section, m."""
        return (0.0, 0.0) if self.symmetric else self._constants.shear_centre

    @property
    def _constants(self) -> SectionConstants:
        """Constants by finite elements on the ``triangulation`` (warping.py).

        Raises:
            InputError: the triangles do not fill the section.
        """
        corners = self.triangulation
        filled = float(doubles(corners).sum()) / 2
        if abs(filled - self.area) > 1e-3 * self.area:
            raise InputError(
                f"torsion constant and shear factors of a {type(self).__name__} cannot be computed:"
                f" its outline encloses {filled:.4g} m^2, its area is {self.area:.4g} m^2. Define "
                "its triangulation, or give the beam torsion_constant= and shear=."
            )
        return constants(corners)

    @property
    def symmetric(self) -> bool:
        """Whether all moments up to the fourth with an odd exponent vanish."""
        size = float(np.abs(self.outline).max())
        odd = [(p, q) for p in range(5) for q in range(5 - p) if p % 2 or q % 2]
        return all(abs(self.moment(p, q)) <= 1e-9 * self.area * size ** (p + q) for p, q in odd)

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

    @property
    def I_yz(self) -> float:
        """Integral of y z over the section, m^4: couples bending in both planes."""
        return self.moment(1, 1)

    def principal(self) -> tuple[float, float, float]:
        """Largest and smallest second moment (m^4), and the angle from d2 towards d3 of the axis
        along which the largest is counted (rad)."""
        values, axes = np.linalg.eigh([[self.I_y, self.I_yz], [self.I_yz, self.I_z]])
        return float(values[1]), float(values[0]), float(np.arctan2(axes[1, 1], axes[0, 1]))


@dataclass(frozen=True)
class Rectangle(Section):
    """A rectangle ``width_y`` x ``height_z`` (m), edges along the directors.

    Raises:
        InputError: a size that is not positive.
    """

    width_y: float
    height_z: float

    def __post_init__(self):
        checks.positive_fields(self)

    def moment(self, p, q):
        result = 1.0
        for side, k in ((self.width_y, p), (self.height_z, q)):
            result *= 0.0 if k % 2 else 2 * (side / 2) ** (k + 1) / (k + 1)
        return result

    def quadrature(self, degree=4):
        return _grid(self.width_y, self.height_z, degree)

    @property
    def outline(self):
        y, z = self.width_y / 2, self.height_z / 2
        return np.array([[-y, -z], [y, -z], [y, z], [-y, z]])

    @property
    def saint_venant(self):
        # Timoshenko and Goodier, Theory of Elasticity, section 109
        short, long = sorted((self.width_y, self.height_z))
        n = np.arange(1, 200, 2)
        series = np.sum(np.tanh(n * np.pi * long / (2 * short)) / n**5.0)
        return float(long * short**3 / 3 * (1 - 192 / np.pi**5 * short / long * series))

    def shear_factors(self, nu):
        k = 10 * (1 + nu) / (12 + 11 * nu)
        return k, k


@dataclass(frozen=True)
class Ellipse(Section):
    """A full ellipse with half axes ``radius_y`` and ``radius_z`` (m).

    Raises:
        InputError: a size that is not positive.

    Example::

        fc.Ellipse(radius_y=0.02, radius_z=0.01).area  # 6.283e-4 m^2
    """

    radius_y: float
    radius_z: float

    def __post_init__(self):
        checks.positive_fields(self)

    def moment(self, p, q):
        return self.radius_y ** (p + 1) * self.radius_z ** (q + 1) * _disc_moment(p, q)

    def quadrature(self, degree=4):
        points, weights = _ring(0.0, 1.0, degree)
        sides = np.array([self.radius_y, self.radius_z])
        return points * sides, weights * sides.prod()

    @property
    def outline(self):
        return _circle() * [self.radius_y, self.radius_z]

    @property
    def saint_venant(self):
        a, b = self.radius_y, self.radius_z
        return np.pi * a**3 * b**3 / (a**2 + b**2)

    def shear_factors(self, nu):
        def along(a, b):
            below = (40 + 37 * nu) * a**4 + (16 + 10 * nu) * a**2 * b**2 + nu * b**4
            return 12 * (1 + nu) * a**2 * (3 * a**2 + b**2) / below

        a, b = self.radius_y, self.radius_z
        return along(a, b), along(b, a)


class Round(Section):
    """The common part of circles and tubes; subclasses define ``radii``."""

    @property
    def radii(self) -> tuple[float, float]:
        """Outer and inner radius, m."""
        raise TypeError("a round section defines radii")

    def moment(self, p, q):
        outer, inner = self.radii
        return (outer ** (p + q + 2) - inner ** (p + q + 2)) * _disc_moment(p, q)

    def quadrature(self, degree=4):
        outer, inner = self.radii
        return _ring(inner, outer, degree)

    @property
    def outline(self):
        return self.radii[0] * _circle()

    @property
    def saint_venant(self):
        return self.I_y + self.I_z

    def shear_factors(self, nu):
        outer, inner = self.radii
        m = (inner / outer) ** 2
        k = 6 * (1 + nu) * (1 + m) ** 2
        k /= (7 + 6 * nu) * (1 + m) ** 2 + (20 + 12 * nu) * m
        return k, k


@dataclass(frozen=True)
class Circle(Round):
    """A full circle of ``radius`` (m).

    Raises:
        InputError: a size that is not positive.
    """

    radius: float

    def __post_init__(self):
        checks.positive_fields(self)

    @property
    def radii(self):
        return self.radius, 0.0


@dataclass(frozen=True)
class Tube(Round):
    """A round tube between two radii (m).

    Args:
        outer_radius, inner_radius: m, the first larger.

    Raises:
        InputError: a radius that is not positive, an inner one that is not smaller.

    Example::

        fc.Tube(outer_radius=0.03, inner_radius=0.025).area  # 8.639e-4 m^2
    """

    outer_radius: float
    inner_radius: float

    def __post_init__(self):
        checks.positive_fields(self)
        if self.inner_radius >= self.outer_radius:
            raise InputError(
                f"Tube: inner_radius {self.inner_radius:g} m must be smaller than outer_radius "
                f"{self.outer_radius:g} m."
            )

    @property
    def radii(self):
        return self.outer_radius, self.inner_radius

    @property
    def inner_outline(self):
        return self.inner_radius * _circle()


@dataclass(frozen=True)
class IProfile(Section):
    """A doubly symmetric I: web along y.

    Args:
        height_y: over both flanges, m.
        width_z: of the flanges, m.
        web: thickness of the web, m.
        flange: thickness of a flange, m.

    Raises:
        InputError: a size that is not positive, flanges and web that do not fit.

    Example::

        fc.IProfile(height_y=0.1, width_z=0.05, web=0.004, flange=0.006).area  # 9.52e-4 m^2
    """

    height_y: float
    width_z: float
    web: float
    flange: float

    def __post_init__(self):
        checks.positive_fields(self)
        if self.web > self.width_z or 2 * self.flange >= self.height_y:
            raise InputError(
                "IProfile: the web must not be thicker than the flanges are wide, nor both "
                "flanges thicker than the whole."
            )

    def quadrature(self, degree=4):
        middle = (self.height_y - self.flange) / 2
        parts = [(0.0, self.height_y - 2 * self.flange, self.web)]
        parts += [(y, self.flange, self.width_z) for y in (-middle, middle)]
        grids = [(y, *_grid(a, b, degree)) for y, a, b in parts]
        return (
            np.concatenate([points + [y, 0.0] for y, points, _ in grids]),
            np.concatenate([weights for *_, weights in grids]),
        )

    @property
    def outline(self):
        h, b, t, s = self.height_y / 2, self.width_z / 2, self.web / 2, self.flange
        quarter = np.array([[h, b], [h - s, b], [h - s, t]])
        left = np.concatenate([quarter, (quarter * [-1, 1])[::-1]])
        return np.concatenate([left, (left * [1, -1])[::-1]])


def _grid(width: float, height: float, degree: int):
    """Gauss points of a rectangle."""
    x, w = np.polynomial.legendre.leggauss(degree // 2 + 1)
    y, z = np.meshgrid(x * width / 2, x * height / 2, indexing="ij")
    return np.column_stack([y.ravel(), z.ravel()]), np.outer(w, w).ravel() * width * height / 4


def _ring(inner: float, outer: float, degree: int):
    """Quadrature of the ring between two radii: Gauss points in the square of the radius."""
    u, w = np.polynomial.legendre.leggauss(degree // 4 + 1)
    squares = (inner**2 + outer**2) / 2 + (outer**2 - inner**2) / 2 * u
    angles = 2 * np.pi * np.arange(degree + 1) / (degree + 1)
    points = [np.outer(np.sqrt(squares), f(angles)).ravel() for f in (np.cos, np.sin)]
    area = np.pi * (outer**2 - inner**2)
    return np.column_stack(points), np.repeat(w / 2 * area / len(angles), len(angles))


def _disc_moment(p: int, q: int) -> float:
    """Integral of y^p z^q over the unit disc."""
    if p % 2 or q % 2:
        return 0.0
    n = p + q + 2
    # the integral of cos^p sin^q over the circle is twice a beta function
    return 2 * gamma((p + 1) / 2) * gamma((q + 1) / 2) / gamma(n / 2) / n


def _circle() -> np.ndarray:
    angles = 2 * np.pi * np.arange(24) / 24
    return np.column_stack([np.cos(angles), np.sin(angles)])
