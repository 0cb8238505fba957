"""Beams with directors in general: any section, any stress-free shape, any material.

A cell is one fibre of one element: a point (y, z) of the section with its share of the section's
area. A section of n points makes n cells an element, all of one kind, so the forms are small and
compile once for all sections.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import basix.ufl
import numpy as np
import ufl
from ufl import dot

from ...core.mixins import DistributedParameters
from ...core.symbols import Symbols
from ...model.section_triad import length, section_triad
from ..materials import Material, StVenantKirchhoff
from .elements import AncfKind, BeamKind, DirectorLine, QuadraticElement, energies
from .shape_functions import combine, hermite_parts
from .strain import FACTORS, Line, fibre_split_law, green_strain, held, section_strain

#: names of the numbers of the split law
SPLIT = ("E", "mu", "lam", *FACTORS)


@dataclass(frozen=True)
class FibreLaw:
    """The elastic law of a fibre.

    Attributes:
        material: a subclass of ``Material``.
        split: whether Poisson's effect is kept on the axis only, see ``DirectorKind``; for the
            St. Venant-Kirchhoff law.
        strain: ``"green"`` or, for the split law, ``"biot"``; see ``section_strain``.
    """

    material: type[Material] = StVenantKirchhoff
    split: bool = True
    strain: str = "biot"

    @property
    def label(self) -> str:
        return f"split, {self.strain}" if self.split else self.material.__name__

    @property
    def parameters(self) -> dict[str, tuple[int, ...]]:
        names = SPLIT if self.split else self.material.parameters
        return {f"law.{n}": () for n in names}

    def values(self, material: Material, factors: dict[str, float]) -> dict[str, float]:
        """Numbers of the law."""
        if self.split:
            numbers = {n: getattr(material, n) for n in ("E", "mu", "lam")} | factors
        else:
            numbers = material.values()
        return {f"law.{n}": x for n, x in numbers.items()}

    def numbers(self, c: Symbols) -> SimpleNamespace:
        """The law's numbers in forms."""
        return SimpleNamespace(**{n[4:]: c.par(n) for n in self.parameters})

    # --- energies per undeformed volume ---------------------------------------------------------
    def energy(self, c: Symbols, line: Line, shape: Shape):
        """Strain energy, J/m^3, of a fibre of ``line`` with stress-free ``shape``."""
        p = self.numbers(c)
        if self.split:
            return fibre_split_law(*self._split_strains(line, shape), p)
        return self.material.energy(shape.gradient(line), p)

    def viscous(self, c: Symbols, line: Line, shape: Shape):
        """The same quadratic form of the rates of strain as the energy's is of small strains."""
        p = self.numbers(c)
        if self.split:
            e, axis = self._split_strains(line, shape)
            rates, on_axis = ({k: c.rate(x) for k, x in z.items()} for z in (e, axis))
            return fibre_split_law(rates, on_axis, p)
        F = shape.gradient(line)
        rate = c.rate(F.T * F / 2)  # of Green's strain
        at_rest = ufl.variable(ufl.Identity(3))
        first = ufl.diff(self.material.energy(at_rest, p), at_rest)
        i, j, k, m = ufl.indices(4)
        second = ufl.diff(first, at_rest)
        return second[i, j, k, m] * rate[i, j] * rate[k, m] / 2

    def stress(self, c: Symbols, line: Line, shape: Shape) -> dict[str, Any]:
        """Components of Cauchy's stress in the axes of the deformed section (of Biot's strains,
        that of the undeformed area)."""
        p = self.numbers(c)
        triad = section_triad(line.d2, line.d3)
        if not self.split:
            F = ufl.variable(shape.gradient(line))
            local = ufl.diff(self.material.energy(F, p), F) * F.T / ufl.det(F)
            turn = columns(*shape.triad).T * columns(*triad)
            return _by_name(turn.T * local * turn)
        e, axis = (
            {k: ufl.variable(x) for k, x in z.items()} for z in self._split_strains(line, shape)
        )
        energy = fibre_split_law(e, axis, p)
        by_e, by_axis = ({k: ufl.diff(energy, z[k]) for k in z} for z in (e, axis))
        S = {k: by_e[k] + by_axis[k] for k in ("xx", "yy", "zz")} | {"yz": by_e["yz"] / 2}
        for k in ("xy", "xz"):
            # the strain on the axis also enters, with a negative sign, the strain off the axis;
            # half, because each shear strain represents two components of the tensor
            S[k] = (2 * by_e[k] + by_axis[k]) / 2
        if self.strain == "biot":
            return S
        F = columns(*shape.columns(line))
        local = columns(*triad).T * F
        names = [["xx", "xy", "xz"], ["xy", "yy", "yz"], ["xz", "yz", "zz"]]
        second = ufl.as_matrix([[S[n] for n in row] for row in names])
        return _by_name(local * second * local.T / ufl.det(local))

    def _split_strains(self, line: Line, shape: Shape) -> tuple[dict, dict]:
        """Strains at the fibre and on the axis."""
        if self.strain == "green":
            at_fibre, on_axis = shape.columns(line), shape.on_axis.columns(line)
            return green_strain(*at_fibre), green_strain(*on_axis)
        return biot_strain(line, shape), biot_strain(line, shape.on_axis)


def columns(a, b, d):
    """Matrix with three vectors as columns."""
    return ufl.as_matrix([[x[k] for x in (a, b, d)] for k in range(3)])


def _by_name(tensor) -> dict[str, Any]:
    axes = "xyz"
    return {
        i + j: tensor[axes.index(i), axes.index(j)] for i, j in ("xx", "yy", "zz", "xy", "xz", "yz")
    }


class Shape:
    """The stress-free shape at one fibre.

    Its derivatives by s, y, z, in the axes of its section (normal, d2 made unit, third), are the
    columns of a triangular matrix: (g, a, b), (0, l, 0), (0, c, d).
    """

    def __init__(self, line: Line, y, z):
        self.line, self.y, self.z = line, y, z
        self.triad = section_triad(line.d2, line.d3)
        f1 = line.at(y, z)[0]
        self.g, self._a, self._b = (dot(f1, e) for e in self.triad)
        self._l = length(line.d2)
        self._c, self._d = (dot(line.d3, e) for e in self.triad[1:])

    @property
    def on_axis(self) -> Shape:
        """The same section's point on the axis."""
        return Shape(self.line, 0, 0)

    @property
    def volume(self):
        """Undeformed volume per length of the cell's geometry and area of the section."""
        return self.g * self._l * self._d

    def columns(self, line: Line):
        """Derivatives of the position in ``line`` along the axes of the stress-free section."""
        f1, d2, d3 = line.at(self.y, self.z)
        f2 = d2 / self._l
        f3 = (d3 - self._c * f2) / self._d
        return (f1 - self._a * f2 - self._b * f3) / self.g, f2, f3

    def gradient(self, line: Line):
        """Deformation gradient in the axes of the stress-free section."""
        rows = [[dot(e, f) for f in self.columns(line)] for e in self.triad]
        return ufl.as_matrix(rows)


def biot_strain(line: Line, shape: Shape) -> dict:
    """Strains of the geometrically exact beam at one fibre, differences to the stress-free shape's;
    see ``section_strain``."""
    now, rest = (section_strain(z, "biot") for z in (line, shape.line))
    factors = {(0, 0): 1, (1, 0): shape.y, (0, 1): shape.z}
    result = {}
    for name, terms in now.items():
        change = sum(factors[powers] * (x - rest[name][powers]) for powers, x in terms.items())
        result[name] = change / shape.g if "x" in name else change
    return result


class FibreKind(DirectorLine, BeamKind, DistributedParameters):
    """Fibres of beams with directors; subclasses say which element."""

    feeds_energy = False
    conservative = True

    law: FibreLaw
    elastic_degree: int

    @property
    def parameters(self):  # type: ignore[override]
        size = 3 * len(self.layout)
        own = {n: () for n in ("y", "z", "area", "share", "rho", "ratio")}
        return own | {"load": (3,), "reference": (size,)} | self.law.parameters

    def shape(self, c: Symbols) -> Shape:
        """Stress-free shape at the fibre."""
        return Shape(self.line(c, c.reference), c.par("y"), c.par("z"))

    def place(self, c: Symbols, state):
        """Position of the fibre of ``c.q``, or the same of ``c.v``, ``c.a``, ``c.test``."""
        r, d2, d3 = self.vectors(c, state)
        return r + c.par("y") * d2 + c.par("z") * d3

    def elastic(self, c):
        shape, line = self.shape(c), self.line(c, c.q)
        volume = c.par("area") * shape.volume * held(line, c.par("rho"))
        return {self.elastic_degree: volume * self.law.energy(c, line, shape)}

    def viscous(self, c):
        shape = self.shape(c)
        energy = self.law.viscous(c, self.line(c, c.q), shape)
        return {self.elastic_degree: c.par("area") * shape.volume * energy}

    def _weights(self, c):
        """Mass and dead load per length of the cell's geometry."""
        shape = self.shape(c)
        load = length(shape.line.t) * c.par("share") * c.par("load")
        return c.par("rho") * c.par("area") * shape.volume, load

    def residual(self, c):
        mass, load = self._weights(c)
        inertia = mass * dot(self.place(c, c.a) - c.gravity, self.place(c, c.test))
        form = (inertia - dot(load, self.vectors(c, c.test)[0])) * c.dx(self.mass_degree)
        for degree, energy in self.elastic(c).items():
            form += c.along(energy * c.dx(degree))
        return form

    def observables(self, c):
        mass, load = self._weights(c)
        v = self.place(c, c.v)
        potential = -mass * dot(c.gravity, self.place(c, c.q))
        potential -= dot(load, self.vectors(c, c.q)[0])
        return energies(self.mass_degree, mass / 2 * dot(v, v), potential, self.elastic(c))

    def pack_fibres(self, section, material, load, factors) -> list[dict]:
        """Numbers of the fibres of an element that do not depend on its place."""
        points, weights = section.quadrature(4)
        law = self.law.values(material, factors) | {"rho": material.rho, "load": load}
        return [
            law | {"y": y, "z": z, "area": w, "share": w / np.sum(weights)}
            for (y, z), w in zip(points, weights, strict=True)
        ]


@dataclass(frozen=True)
class QuadraticFibreKind(QuadraticElement, FibreKind):
    """Fibres of quadratic elements."""

    law: FibreLaw = FibreLaw()

    mass_degree = 6

    @property
    def label(self):
        return f"quadratic beam by fibres ({self.law.label})"


@dataclass(frozen=True)
class AncfFibreKind(FibreKind):
    """Fibres of the element of ``AncfKind``, whose slopes unequal elements may share."""

    law: FibreLaw = FibreLaw(strain="green")

    mass_degree = 6
    elastic_degree = AncfKind.elastic_degree
    node_fields = AncfKind.node_fields
    layout = (
        ("r", 0), ("r", 1), ("slope", 0), ("slope", 1), ("d2", 0), ("d2", 1), ("d3", 0), ("d3", 1),
    )  # fmt: skip

    @property
    def label(self):
        return f"ANCF beam by fibres ({self.law.label})"

    def element(self, cell):
        director = basix.ufl.element("Lagrange", cell, 1, shape=(3,))
        return basix.ufl.mixed_element([*hermite_parts(cell), director, director])

    def vectors(self, c, state):
        return combine(c, state)
