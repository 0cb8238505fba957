"""Beam elements: total Lagrangian energies on the cells of one component a kind.

A point of a beam with section directors d2, d3 lies at ``r(x) + y d2(x) + z d3(x)``. Green's
strain is a polynomial in the section coordinates y, z; products of two such polynomials are
integrated over the section exactly, by the section's moments: no section quadrature in a form.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import basix
import basix.ufl
import ufl
from ufl import dot

from ..component import Kind, Observable, Symbols
from .materials import StVenantKirchhoff
from .sections import Section

#: exponents of y and z in the moments that do not vanish -> parameter that holds them
MOMENTS = {
    (0, 0): "area", (2, 0): "I_y", (0, 2): "I_z",
    (4, 0): "I_yyyy", (2, 2): "I_yyzz", (0, 4): "I_zzzz",
}  # fmt: skip


class BeamKind(Kind):
    """What all beams share: inertia, dead loads, elastic energy as virtual work, observables.

    Subclasses give ``inertia``: pairs of a mass per length and the field it goes with, the first
    of them the centre line; and ``elastic``: energy per reference length by quadrature degree.
    """

    cell = "interval"
    #: quadrature degree of inertia and loads (exact)
    mass_degree = 6
    #: fields of a node, in the order of their numbers
    node_fields: tuple[str, ...] = ()
    #: nodes from one end of an element to the other, less one
    spans = 1
    #: field and node behind each three unknowns of an element, in the order of its dofs
    layout: tuple[tuple[str, int], ...] = ()

    def inertia(self, c: Symbols, state) -> list[tuple]:
        """Mass per length and field of ``c.q``, ``c.v``, ...; the centre line first."""
        raise TypeError("a beam kind defines inertia")

    def elastic(self, c: Symbols) -> dict:
        """Quadrature degree -> strain energy per reference length, J/m."""
        raise TypeError("a beam kind defines elastic")

    def pack_beam(self, section: Section, material: StVenantKirchhoff, load):
        """A cell's parameters; ``load`` in N per reference length."""
        raise TypeError("a beam kind defines pack_beam")

    def residual(self, c):
        form = 0
        pairs = zip(self.inertia(c, c.a), self.inertia(c, c.test), strict=True)
        for k, ((mass, a), (_, w)) in enumerate(pairs):
            form += mass * dot(a - c.gravity if k == 0 else a, w)
            if k == 0:
                form -= dot(c.par("load"), w)
        form *= c.dx(self.mass_degree)
        for degree, energy in self.elastic(c).items():
            form += c.along(energy * c.dx(degree))
        return form

    def observables(self, c):
        kinetic = sum(mass / 2 * dot(v, v) for mass, v in self.inertia(c, c.v))
        mass, r = self.inertia(c, c.q)[0]
        potential = -dot(mass * c.gravity + c.par("load"), r)
        return {
            "kinetic_energy": Observable(
                {self.mass_degree: kinetic}, "J", "kinetic energy", "energy.kinetic", False
            ),
            "potential_energy": Observable(
                {self.mass_degree: potential}, "J", "potential energy of gravity and dead loads",
                "energy.potential", False,
            ),
            "strain_energy": Observable(self.elastic(c), "J", "strain energy", "energy.strain"),
        }  # fmt: skip


@dataclass(frozen=True)
class CableKind(BeamKind):
    """A thin elastic line: position only, Hermite cubic, 12 coordinates an element.

    Energy of stretch and of curvature (Gerstmayr and Irschik 2008); the curvature is the turn per
    *reference* length, |r' x r''| / |r'|^2, that of a material line. No shear, torsion or rotary
    inertia. The axial energy needs Gauss degree 7 (3 leaves a spurious mode), bending 3.
    """

    parameters = {"EA": (), "EI": (), "mass": (), "load": (3,)}
    node_fields = ("r", "slope")
    layout = (("r", 0), ("slope", 0), ("r", 1), ("slope", 1))

    @property
    def label(self):
        return "cable"

    def element(self, cell):
        return basix.ufl.element(basix.ElementFamily.Hermite, cell, 3, shape=(3,))

    def inertia(self, c, state):
        return [(c.par("mass"), state)]

    def elastic(self, c):
        t, n = c.q.dx(0), c.q.dx(0).dx(0)
        tt, nn, tn = dot(t, t), dot(n, n), dot(t, n)
        stretch = ufl.sqrt(tt) - 1
        curvature2 = (tt * nn - tn**2) / tt**2
        return {7: c.par("EA") / 2 * stretch**2, 3: c.par("EI") / 2 * curvature2}

    def pack_beam(self, section, material, load):
        return self.pack(
            EA=material.E * section.area, EI=material.E * section.I_y,
            mass=material.rho * section.area, load=load,
        )  # fmt: skip


@dataclass(frozen=True)
class DirectorKind(BeamKind):
    """Beams with a centre line r and section directors d2, d3.

    ``poisson="full"`` is the three-dimensional St. Venant-Kirchhoff law integrated over the section
    (Shabana and Yakoub 2001; Tian et al. 2009). As the section cannot contract unevenly it is too
    stiff in bending by (1-nu)/((1+nu)(1-2nu)) on any mesh. ``"split"`` therefore keeps the Poisson
    effect on the axis only and takes the law without it across the section (Nachbagauer, Pechstein,
    Irschik and Gerstmayr 2011; Nachbagauer, Gruber and Gerstmayr 2013; no shear factors).
    """

    poisson: str = "split"

    parameters = {"E": (), "mu": (), "lam": (), "rho": (), "load": (3,)} | {
        name: () for name in MOMENTS.values()
    }
    #: quadrature degree of the elastic energy along the axis
    elastic_degree = 3

    def inertia(self, c, state):
        r, d2, d3 = c.split(state)
        rho = c.par("rho")
        return [(rho * c.par("area"), r), (rho * c.par("I_y"), d2), (rho * c.par("I_z"), d3)]

    def elastic(self, c):
        strain = green_strain(*c.split(c.q))
        law = split_law if self.poisson == "split" else full_law
        return {self.elastic_degree: law(c, strain)}

    def pack_beam(self, section, material, load):
        moments = {name: section.moment(*powers) for powers, name in MOMENTS.items()}
        constants = {k: getattr(material, k) for k in ("E", "mu", "lam", "rho")}
        return self.pack(load=load, **constants, **moments)


@dataclass(frozen=True)
class QuadraticKind(DirectorKind):
    """r, d2 and d3 quadratic, 27 coordinates an element.

    Two Gauss points for the elastic energy keep it free of shear and membrane locking.
    """

    mass_degree = 4
    elastic_degree = 3
    node_fields = ("r", "d2", "d3")
    spans = 2
    layout = tuple((field, node) for field in ("r", "d2", "d3") for node in (0, 2, 1))

    @property
    def label(self):
        return f"quadratic beam ({self.poisson})"

    def element(self, cell):
        field = basix.ufl.element("Lagrange", cell, 2, shape=(3,))
        return basix.ufl.mixed_element([field, field, field])


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
        return f"ANCF beam ({self.poisson})"

    def element(self, cell):
        line = basix.ufl.element(basix.ElementFamily.Hermite, cell, 3, shape=(3,))
        director = basix.ufl.element("Lagrange", cell, 1, shape=(3,))
        return basix.ufl.mixed_element([line, director, director])


def green_strain(r, d2, d3) -> dict[str, dict]:
    """Components of Green's strain, each a polynomial {(p, q): coefficient of y^p z^q}."""
    t, t2, t3 = (z.dx(0) for z in (r, d2, d3))
    return {
        "xx": {
            (0, 0): (dot(t, t) - 1) / 2, (1, 0): dot(t, t2), (0, 1): dot(t, t3),
            (2, 0): dot(t2, t2) / 2, (1, 1): dot(t2, t3), (0, 2): dot(t3, t3) / 2,
        },
        "yy": {(0, 0): (dot(d2, d2) - 1) / 2},
        "zz": {(0, 0): (dot(d3, d3) - 1) / 2},
        "xy": {(0, 0): dot(t, d2) / 2, (1, 0): dot(t2, d2) / 2, (0, 1): dot(t3, d2) / 2},
        "xz": {(0, 0): dot(t, d3) / 2, (1, 0): dot(t2, d3) / 2, (0, 1): dot(t3, d3) / 2},
        "yz": {(0, 0): dot(d2, d3) / 2},
    }  # fmt: skip


def integrate(c: Symbols, a: dict, b: dict):
    """Integral over the section of the product of two polynomials in y and z."""
    terms = []
    for (i, x), (j, y) in product(a.items(), b.items()):
        name = MOMENTS.get((i[0] + j[0], i[1] + j[1]))
        if name:
            terms.append(c.par(name) * x * y)
    return sum(terms[1:], terms[0])


def full_law(c: Symbols, strain: dict):
    """lam/2 tr(E)^2 + mu E:E over the section, J/m."""
    trace = dict(strain["xx"])
    trace[0, 0] = trace[0, 0] + strain["yy"][0, 0] + strain["zz"][0, 0]
    squares = {k: integrate(c, e, e) for k, e in strain.items()}
    normal = squares["xx"] + squares["yy"] + squares["zz"]
    shear = squares["xy"] + squares["xz"] + squares["yz"]
    return c.par("lam") / 2 * integrate(c, trace, trace) + c.par("mu") * (normal + 2 * shear)


def split_law(c: Symbols, strain: dict):
    """E/2 (squares of normal strains) + 2 mu (squares of shear strains) over the section, and what
    the full law adds to it on the axis, J/m."""
    E, mu, lam = c.par("E"), c.par("mu"), c.par("lam")
    squares = {k: integrate(c, e, e) for k, e in strain.items()}
    axis = [strain[k][0, 0] for k in ("xx", "yy", "zz")]
    across = E / 2 * (squares["xx"] + squares["yy"] + squares["zz"])
    across += 2 * mu * (squares["xy"] + squares["xz"] + squares["yz"])
    added = lam / 2 * sum(axis) ** 2 + (mu - E / 2) * sum(e**2 for e in axis)
    return across + c.par("area") * added
