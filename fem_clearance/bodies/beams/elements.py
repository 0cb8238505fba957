"""Beam elements: total Lagrangian energies on cells, those of each kind forming one component.

This file contains cables, straight or curved, and the fast elements of straight uniform beams with
symmetric sections: products of strains, polynomials in the section coordinates, are integrated
exactly by the moments of the section, without section quadrature in a form. For all others see
fibres.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix
import basix.ufl
import ufl
from ufl import dot

from ...core.kind import Kind
from ...core.mixins import DistributedParameters
from ...core.observables import Observable, body_energies
from ...core.symbols import Symbols, total
from ..materials import StVenantKirchhoff
from .sections import Section
from .shape_functions import combine, hermite_parts
from .strain import MOMENTS, SHEAR_Z, Line, full_law, held, section_strain, split_law


class BeamKind(Kind):
    """The common part of all beams: inertia, dead loads, elastic energy, observables.

    Subclasses define ``inertia``: pairs of a mass per length and the field to which it belongs, the
    centre line first; ``elastic``: energy per reference length by quadrature degree; and
    ``viscous``: the same for the rates of strain, half the power lost per second of retardation.
    """

    feeds_energy = False
    conservative = True

    cell = "interval"
    #: quadrature degree of inertia and loads (exact)
    mass_degree = 6
    #: fields of a node, in the order of their numbers
    node_fields: tuple[str, ...] = ()
    #: number of nodes of an element, less one
    spans = 1
    #: field and node behind each three unknowns of an element, in the order of its dofs
    layout: tuple[tuple[str, int], ...] = ()

    def inertia(self, c: Symbols, state) -> list[tuple]:
        """Mass per length and field of ``c.q``, ``c.v``, ...; the centre line first."""
        raise TypeError("a beam kind defines inertia")

    def measure(self, c: Symbols):
        """Undeformed length per length of the cell's geometry."""
        return 1

    def elastic(self, c: Symbols) -> dict:
        """Quadrature degree -> strain energy per reference length, J/m."""
        raise TypeError("a beam kind defines elastic")

    def viscous(self, c: Symbols) -> dict:
        """Quadrature degree -> ``elastic`` of the rates of strain, J/(m s^2)."""
        raise TypeError("a beam kind defines viscous")

    def pack_beam(self, section: Any, material: Any, load, factors) -> dict:
        """Numbers of a cell that do not depend on its position.

        ``load`` in N per reference length; ``factors`` of shear and torsion.
        """
        raise TypeError("a beam kind defines pack_beam")

    def residual(self, c):
        form = 0
        pairs = zip(self.inertia(c, c.a), self.inertia(c, c.test), strict=True)
        for k, ((mass, a), (_, w)) in enumerate(pairs):
            form += mass * dot(a - c.gravity if k == 0 else a, w)
            if k == 0:
                form -= self.measure(c) * dot(c.par("load"), w)
        form *= c.dx(self.mass_degree)
        for degree, energy in self.elastic(c).items():
            form += c.along(energy * c.dx(degree))
        return form

    def observables(self, c):
        kinetic = sum(mass / 2 * dot(v, v) for mass, v in self.inertia(c, c.v))
        mass, r = self.inertia(c, c.q)[0]
        potential = -dot(mass * c.gravity + self.measure(c) * c.par("load"), r)
        return energies(self.mass_degree, kinetic, potential, self.elastic(c))


def energies(degree: int, kinetic, potential, strain: dict) -> dict[str, Observable]:
    """Observables of every beam."""
    return body_energies({degree: kinetic}, {degree: potential}, "gravity and dead loads") | {
        "strain_energy": Observable(strain, "J", "strain energy", "energy.strain"),
    }


class DirectorLine:
    """Mixin of kinds whose state splits into r, d2 and d3."""

    def line(self, c: Symbols, state) -> Line:
        """The vectors that determine the strains of a section."""
        r, d2, d3 = self.vectors(c, state)
        return Line(r.dx(0), d2, d3, d2.dx(0), d3.dx(0))

    def vectors(self, c: Symbols, state):
        """Centre line and section directors of ``c.q``, ``c.v``, ..."""
        return c.split(state)


@dataclass(frozen=True)
class DirectorKind(DirectorLine, BeamKind):
    """Beams with a centre line r and section directors d2, d3.

    ``poisson="full"`` is the three-dimensional St. Venant-Kirchhoff law integrated over the section
    (Shabana and Yakoub 2001; Tian et al. 2009). As the section cannot contract unevenly it is too
    stiff in bending by (1-nu)/((1+nu)(1-2nu)) on any mesh. ``"split"`` therefore keeps the Poisson
    effect on the axis only and takes the law without it across the section (Nachbagauer, Pechstein,
    Irschik and Gerstmayr 2011; Nachbagauer, Gruber and Gerstmayr 2013). ``strain`` is that of
    ``strain.section_strain``.
    """

    poisson: str = "split"
    strain: str = "green"

    parameters = {"E": (), "mu": (), "lam": (), "rho": (), "load": (3,)} | {
        name: () for name in (*MOMENTS.values(), *SHEAR_Z.values(), "shear_area_y")
    }
    #: quadrature degree of the elastic energy along the axis
    elastic_degree = 3

    def inertia(self, c, state):
        r, d2, d3 = self.vectors(c, state)
        rho = c.par("rho")
        return [(rho * c.par("area"), r), (rho * c.par("I_y"), d2), (rho * c.par("I_z"), d3)]

    def law(self, c, strain):
        """Energy per length of strains or, for damping, of their rates."""
        return (split_law if self.poisson == "split" else full_law)(c, strain)

    def elastic(self, c):
        line = self.line(c, c.q)
        energy = self.law(c, section_strain(line, self.strain))
        return {self.elastic_degree: held(line, c.par("rho")) * energy}

    def viscous(self, c):
        strain = section_strain(self.line(c, c.q), self.strain)
        rates = {k: {n: c.rate(x) for n, x in e.items()} for k, e in strain.items()}
        return {self.elastic_degree: self.law(c, rates)}

    def pack_beam(self, section: Section, material: StVenantKirchhoff, load, factors) -> dict:
        moments = {name: section.moment(*powers) for powers, name in MOMENTS.items()}
        constants = {k: getattr(material, k) for k in ("E", "mu", "lam", "rho")}
        return moments | constants | {
            "load": load,
            "shear_area_y": factors["shear_y"] * section.area,
            "shear_area_z": factors["shear_z"] * section.area,
            "twist_y": factors["torsion"] * section.I_y,
            "twist_z": factors["torsion"] * section.I_z,
        }  # fmt: skip


class QuadraticElement:
    """Mixin of kinds with r, d2 and d3 quadratic, 27 coordinates an element.

    Two Gauss points for the elastic energy keep it free of shear and membrane locking.
    """

    elastic_degree = 3
    node_fields: tuple[str, ...] = ("r", "d2", "d3")
    spans = 2
    layout = tuple((field, node) for field in ("r", "d2", "d3") for node in (0, 2, 1))

    def element(self, cell):
        """See ``Kind.element``."""
        field = basix.ufl.element("Lagrange", cell, 2, shape=(3,))
        return basix.ufl.mixed_element([field, field, field])


@dataclass(frozen=True)
class QuadraticKind(QuadraticElement, DirectorKind):
    """The fast quadratic element."""

    mass_degree = 4

    @property
    def label(self):
        return f"quadratic beam ({self.poisson}, {self.strain})"


@dataclass(frozen=True)
class AncfKind(DirectorKind):
    """r Hermite cubic, d2 and d3 linear: the fully parameterised ANCF beam of Shabana and Yakoub
    (2001), 24 coordinates an element, fully integrated: it locks in shear on coarse meshes."""

    elastic_degree = 6
    node_fields = ("r", "slope", "d2", "d3")
    layout = (
        ("r", 0), ("slope", 0), ("r", 1), ("slope", 1), ("d2", 0), ("d2", 1), ("d3", 0), ("d3", 1),
    )  # fmt: skip

    @property
    def label(self):
        return f"ANCF beam ({self.poisson}, {self.strain})"

    def element(self, cell):
        line = basix.ufl.element(basix.ElementFamily.Hermite, cell, 3, shape=(3,))
        director = basix.ufl.element("Lagrange", cell, 1, shape=(3,))
        return basix.ufl.mixed_element([line, director, director])


@dataclass(frozen=True)
class CableKind(BeamKind):
    """A thin elastic line: position only, Hermite cubic, 12 coordinates an element.

    Energy of stretch and of curvature (Gerstmayr and Irschik 2008); the curvature is the turn per
    *reference* length, |r' x r''| / |r'|^2, that of a material line. No shear, torsion or rotary
    inertia. The axial energy needs Gauss degree 7 (3 leaves a spurious mode), bending 3.
    """

    #: quadrature degrees of the energies of stretch and bending
    stretch_degree = 7
    bend_degree = 3

    parameters = {"EA": (), "EI": (), "mass": (), "load": (3,)}
    node_fields = ("r", "slope")
    layout = (("r", 0), ("slope", 0), ("r", 1), ("slope", 1))

    @property
    def label(self):
        return "cable"

    def element(self, cell):
        return basix.ufl.element(basix.ElementFamily.Hermite, cell, 3, shape=(3,))

    def line(self, c, state):
        """Centre line of ``c.q``, ``c.v``, ..."""
        return state

    def inertia(self, c, state):
        return [(c.par("mass"), self.line(c, state))]

    def elastic(self, c):
        t, n = c.q.dx(0), c.q.dx(0).dx(0)
        tt, nn, tn = dot(t, t), dot(n, n), dot(t, n)
        stretch = ufl.sqrt(tt) - 1
        curvature2 = (tt * nn - tn**2) / tt**2
        return {
            self.stretch_degree: c.par("EA") / 2 * stretch**2,
            self.bend_degree: c.par("EI") / 2 * curvature2,
        }

    def viscous(self, c):
        r, measure = self.line(c, c.q), self.measure(c)
        t = r.dx(0)
        stretch = c.rate(ufl.sqrt(dot(t, t)) / measure)
        # the rate seen by the turning tangent, which is taken not to spin about itself
        bend = turn(t, t.dx(0)) / measure
        spin = turn(t, c.rate(t))
        bending = c.rate(bend) - ufl.cross(spin, bend)
        EA, EI = c.par("EA"), c.par("EI")
        return {
            self.stretch_degree: measure * EA / 2 * stretch**2,
            self.bend_degree: measure * EI / 2 * dot(bending, bending),
        }

    def pack_beam(self, section: Section, material, load, factors) -> dict:
        return {
            "EA": material.E * section.area, "EI": material.E * section.I_y,
            "mass": material.rho * section.area, "load": load,
        }  # fmt: skip


@dataclass(frozen=True)
class GeneralCableKind(CableKind, DistributedParameters):
    """A cable with a stress-free shape and a slope shared by unequal elements.

    The strains are differences to the shape's: stretch |r'|/|r0'| - 1, and the difference of the
    curvature *vectors*, turns per undeformed length. A cable does not know how it is turned about
    its tangent; the initial curvature therefore keeps its direction, the normal of the plane the
    cable lies in. That is exact, with sign, for all motion in that plane (or parallel to it) and
    for cables straight at rest; a curved cable must not leave its plane.
    """

    parameters = CableKind.parameters | {"ratio": (), "reference": (12,)}
    layout = (("r", 0), ("r", 1), ("slope", 0), ("slope", 1))

    @property
    def label(self):
        return "cable, curved or graded"

    def element(self, cell):
        return basix.ufl.mixed_element(hermite_parts(cell))

    def line(self, c, state):
        return combine(c, state)[0]

    def measure(self, c):
        t = self.line(c, c.reference).dx(0)
        return ufl.sqrt(dot(t, t))

    def inertia(self, c, state):
        return [(c.par("mass") * self.measure(c), self.line(c, state))]

    def elastic(self, c):
        measure = self.measure(c)
        now, rest = (self.line(c, z) for z in (c.q, c.reference))
        stretch, change = cable_strains(*((r.dx(0), r.dx(0).dx(0)) for r in (now, rest)))
        return {
            self.stretch_degree: measure * c.par("EA") / 2 * stretch**2,
            self.bend_degree: measure * c.par("EI") / 2 * dot(change, change),
        }


def cable_strains(now, rest) -> tuple:
    """Stretch, and the difference of the curvature vectors, 1/m, of a cable.

    ``now`` and ``rest``: first and second derivative of the centre line by one parameter, in the
    present and in the stress-free shape.
    """
    (t, n), (t0, n0) = now, rest
    measure = ufl.sqrt(dot(t0, t0))
    change = (turn(t, n) - turn(t0, n0)) / measure
    return ufl.sqrt(dot(t, t)) / measure - 1, change


def turn(t, n):
    """Turn of the tangent per unit of the line's parameter, a vector, from the line's first and
    second derivative."""
    return ufl.cross(t, n) / dot(t, t)


@dataclass(frozen=True)
class ViscousKind(Kind, DistributedParameters):
    """Stresses of the rates of strain: the elastic law of a beam kind, linear at small strains,
    times the retardation time.

    Cells of their own beside the elastic ones, with the same unknowns.
    """

    called = "damping of a beam"

    feeds_energy = False

    beam: BeamKind

    cell = "interval"

    @property
    def parameters(self):  # type: ignore[override]
        return {**self.beam.parameters, "retardation": ()}

    @property
    def label(self):
        return f"damping of {self.beam.label}"

    def distributed(self, cell):
        beam = self.beam
        return beam.distributed(cell) if isinstance(beam, DistributedParameters) else {}

    def element(self, cell):
        return self.beam.element(cell)

    def residual(self, c):
        return total(
            c.power(c.par("retardation") * x) * c.dx(d) for d, x in self.beam.viscous(c).items()
        )

    def observables(self, c):
        lost, what = c.taken(self.residual(c)), "power lost by Kelvin-Voigt damping"
        return {"damping_loss": Observable(lost, "W", what, "power.damping")}
