"""Section forces and stresses at a place of a beam, as channels or afterwards.

Both are evaluated at Gauss points of an element, and the straight line through them gives the
values elsewhere. For a cable, whose axial strain oscillates about its mean, it is the best fit
through four points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from ufl import cross, diff, dot

from ... import checks
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...core.symbols import total, triple
from ...errors import InputError
from ...markup import Shown
from ...model.portrait import Portrait
from ...model.section_triad import section_triad
from .elements import CableKind, cable_strains
from .fibres import FibreLaw, Shape
from .layout import BeamLayout
from .matrix_elements import MatrixKind, relative_strains
from .shape_functions import shape_numbers
from .strain import Line

FORCES = {
    "N": ("N", "normal force"), "Q_y": ("N", "shear force along d2"),
    "Q_z": ("N", "shear force along d3"), "M_t": ("N m", "torque about the normal"),
    "M_y": ("N m", "bending moment about d2"), "M_z": ("N m", "bending moment about d3"),
}  # fmt: skip
STRESSES = ("xx", "yy", "zz", "xy", "xz", "yz")


@dataclass(frozen=True)
class PlaceKind(Kind):
    """A point of an element of a beam: reads the element's unknowns, and knows their factors.

    Attributes:
        fields_of: field behind each three unknowns.
    """

    fields_of: tuple[str, ...] = ()

    def fields(self):
        return {"element": (3 * len(self.fields_of),)}

    @property
    def place_parameters(self) -> dict[str, tuple[int, ...]]:
        """Parameters of all kinds: name -> shape."""
        count = len(self.fields_of)
        return {"factors": (4, count), "reference": (3 * count,), "weight": ()}

    def blend(self, c, unknowns, names: tuple[str, ...], derivative: int = 0):
        """Value or derivative by arc length of a field."""
        factors = c.par("factors")
        return total(
            factors[derivative, k] * triple(unknowns, 3 * k)
            for k, name in enumerate(self.fields_of)
            if name in names
        )

    def observables(self, c):
        return {
            name: Observable(c.par("weight") * value, unit, what)
            for name, (unit, what, value) in self.values(c).items()
        }

    def values(self, c) -> dict[str, tuple[str, str, Any]]:
        """Unit, description and expression of what is observed."""
        raise TypeError("a place kind defines values()")

    def pack_rows(self, beam: BeamLayout, s: float, places: np.ndarray | None) -> list[dict]:
        """Numbers of the cells at the arc length ``s``, m: of those whose values add up to that of
        the section, or of one at each of the ``places`` (y, z)."""
        raise TypeError("a place kind defines pack_rows()")

    def line(self, c, unknowns) -> Line:
        """The vectors that determine the strains of a section with directors."""
        parts = [self.blend(c, unknowns, ("r", "slope"), 1)]
        parts += [self.blend(c, unknowns, (n,), k) for k in (0, 1) for n in ("d2", "d3")]
        return Line(*parts)


@dataclass(frozen=True)
class FibrePlaceKind(PlaceKind):
    """One fibre of a section of a beam with directors."""

    law: FibreLaw = FibreLaw()

    @property
    def parameters(self):  # type: ignore[override]
        return self.place_parameters | {"y": (), "z": (), "area": ()} | self.law.parameters

    def setting(self, c):
        """The line in UFL variables, and its stress-free shape."""
        line = Line(*map(ufl.variable, self.line(c, c.q)))
        return line, Shape(self.line(c, c.par("reference")), c.par("y"), c.par("z"))

    def pack_rows(self, beam: BeamLayout, s: float, places: np.ndarray | None) -> list[dict]:
        points, weights = beam.section.quadrature(4)
        if places is not None:
            points, weights = places, np.ones(len(places))
        law = self.law.values(beam.material, beam.factors)
        return [
            law | {"y": y, "z": z, "area": w} for (y, z), w in zip(points, weights, strict=True)
        ]


class FibreForcesKind(FibrePlaceKind):
    """A fibre's part of the section forces: derivatives of the energy per length by dr/ds, and, for
    the moments about the axis, by the directors' derivatives."""

    label = "section forces of a beam"

    def values(self, c):
        line, shape = self.setting(c)
        energy = c.par("area") * shape.volume * self.law.energy(c, line, shape)
        force = diff(energy, line.t)
        moment = cross(line.d2, diff(energy, line.t2)) + cross(line.d3, diff(energy, line.t3))
        return _components(section_triad(line.d2, line.d3), force, moment)


class FibreStressKind(FibrePlaceKind):
    """Cauchy's stress at a fibre in the axes of the deformed section."""

    label = "stress of a beam"

    def values(self, c):
        line, shape = self.setting(c)
        stress = self.law.stress(c, line, shape)
        return {name: ("Pa", f"stress {name}", stress[name]) for name in STRESSES}


@dataclass(frozen=True)
class MatrixPlaceKind(PlaceKind):
    """A section of a beam by matrices: its forces are K times the strains, and its
    stresses a matrix times these.

    Attributes:
        names: what is observed, those of ``FORCES`` or of ``STRESSES``.
    """

    names: tuple[str, ...] = tuple(FORCES)

    @property
    def label(self):
        return f"{'section forces' if 'N' in self.names else 'stress'} of a beam by matrices"

    @property
    def parameters(self):  # type: ignore[override]
        return self.place_parameters | {"matrix": (6, 6)}

    def values(self, c):
        strain, _ = relative_strains(self.line(c, c.q), self.line(c, c.par("reference")))
        found = c.par("matrix") * strain
        known = FORCES | {n: ("Pa", f"stress {n}") for n in STRESSES}
        return {name: (*known[name], found[k]) for k, name in enumerate(self.names)}

    def pack_rows(self, beam: BeamLayout, s: float, places: np.ndarray | None) -> list[dict]:
        section = beam.section.at(s)
        if places is None:
            return [{"matrix": section.stiffness[[2, 0, 1, 5, 3, 4]]}]  # in the order of FORCES
        if section.recovery is None:
            raise InputError(
                f"{beam.label}: SectionMatrices know no stress; give them recovery=, the stresses "
                "at the corners of the outline by the section forces."
            )
        return [{"matrix": rows @ section.stiffness} for rows in section.recovery]


@dataclass(frozen=True)
class CablePlaceKind(PlaceKind):
    """A point of a cable. Directions across it are the initial ones, turned the shortest way with
    the tangent."""

    @property
    def parameters(self):  # type: ignore[override]
        own = {"EA": (), "EI": (), "E": (), "y": (), "z": (), "triad": (3, 3)}
        return self.place_parameters | own

    def derivatives(self, c, unknowns):
        """First three derivatives of the centre line."""
        return [self.blend(c, unknowns, ("r", "slope"), k) for k in (1, 2, 3)]

    def triad(self, c, tangent):
        rows = c.par("triad")
        e = [ufl.as_vector([rows[k, i] for i in range(3)]) for k in range(3)]
        return [tangent, *turned(e, tangent, dot)]

    def pack_rows(self, beam: BeamLayout, s: float, places: np.ndarray | None) -> list[dict]:
        E = beam.material.E  # type: ignore[attr-defined]
        own = {"EA": E * beam.section.area, "EI": E * beam.section.I_y, "E": E}
        return [own | {"y": y, "z": z} for y, z in (places if places is not None else [(0, 0)])]


def turned(triad, tangent, dot) -> list:
    """The second and third vector of a triad turned the shortest way that brings the first to a
    unit tangent; ``dot``: of UFL's or NumPy's vectors, as they are."""
    mirror = (triad[0] + tangent) / (1 + dot(tangent, triad[0]))
    return [e - dot(e, tangent) * mirror for e in triad[1:]]


class CableForcesKind(CablePlaceKind):
    """Section forces of a cable; the shear force follows from the balance of moments."""

    label = "section forces of a cable"

    def values(self, c):
        now = [*map(ufl.variable, self.derivatives(c, c.q))]
        rest = [*map(ufl.variable, self.derivatives(c, c.par("reference")))]
        measure = ufl.sqrt(dot(rest[0], rest[0]))
        stretch, change = cable_strains(now[:2], rest[:2])
        energy = measure * (c.par("EA") / 2 * stretch**2 + c.par("EI") / 2 * dot(change, change))
        couple = diff(energy, now[1])
        along = sum(
            dot(diff(couple, x), rate)
            for line in (now, rest) for x, rate in zip(line[:2], line[1:], strict=True)
        )  # fmt: skip
        tangent = now[0] / ufl.sqrt(dot(now[0], now[0]))
        force = diff(energy, now[0]) - along
        return _components(self.triad(c, tangent), force, c.par("EI") * change)


class CableStressKind(CablePlaceKind):
    """Axial stress at a point of a cable's section."""

    label = "stress of a cable"

    def values(self, c):
        now, rest = (self.derivatives(c, u)[:2] for u in (c.q, c.par("reference")))
        stretch, change = cable_strains(now, rest)
        t = now[0]
        tangent = t / ufl.sqrt(dot(t, t))
        _, e2, e3 = self.triad(c, tangent)
        arm = c.par("y") * e2 + c.par("z") * e3
        strain = stretch - dot(arm, cross(change, tangent))
        return {"xx": ("Pa", "stress xx", c.par("E") * strain)}


def _components(triad, force, moment) -> dict[str, tuple[str, str, Any]]:
    vectors = [(force, e) for e in triad] + [(moment, e) for e in triad]
    return {name: (*FORCES[name], dot(v, e)) for name, (v, e) in zip(FORCES, vectors, strict=True)}


def place_kind(beam: BeamLayout, stress: bool) -> PlaceKind:
    """The kind that observes section forces or stresses of a beam."""
    fields = tuple(field for field, _ in beam.kind.layout)
    if isinstance(beam.kind, CableKind):
        return (CableStressKind if stress else CableForcesKind)(fields)
    if isinstance(beam.kind, MatrixKind):
        return MatrixPlaceKind(fields, STRESSES if stress else tuple(FORCES))
    return (FibreStressKind if stress else FibreForcesKind)(fields, beam.law)


def place_rows(
    beam: BeamLayout,
    kind: PlaceKind,
    e: int,
    x: float,
    weight: float,
    places: np.ndarray | None = None,
) -> np.ndarray:
    """Parameters of the cells at a place of an element.

    Args:
        beam, kind: the beam and what is observed of it.
        e, x: element, and place in it, 0 to 1.
        weight: factor of the result.
        places: (y, z) of points of the section; by default those over which forces are summed.
    """
    own: dict[str, Any] = {
        "factors": shape_numbers(beam.kind, x, *beam.sizes(e)),
        "reference": beam.element_at_rest(e), "weight": weight,
    }  # fmt: skip
    s = float(beam.ends[e] + x * beam.sizes(e)[0])
    if "triad" in kind.parameters:
        own["triad"] = beam.triad(s).T
    rows = kind.pack_rows(beam, s, places)
    return np.array([kind.pack(**own, **row) for row in rows])


def gauss_points(beam: BeamLayout) -> np.ndarray:
    """Places in an element where forces and stresses are evaluated, 0 to 1."""
    return _gauss(beam)[0]


def _gauss(beam: BeamLayout) -> tuple[np.ndarray, np.ndarray]:
    x, w = np.polynomial.legendre.leggauss(4 if isinstance(beam.kind, CableKind) else 2)
    return (1 + x) / 2, w / 2


def drawn(beam: BeamLayout, x: float) -> np.ndarray:
    """Weights of the values at the Gauss points in the value at ``x`` of their best linear fit."""
    points, weights = _gauss(beam)
    return weights * (1 + 12 * (x - 0.5) * (points - 0.5))


class SectionForces(Shown):
    """Records the forces and moments that a beam's section carries.

    They are what the part beyond the section exerts on the part before it, along the section's
    triad: its normal, d2, and their cross product. Kelvin-Voigt damping is not in them.

    Args:
        beam: the beam.
        s: undeformed arc length, m.
        name: prefix of the channels.

    Channels: ``N Q_y Q_z`` (N), ``M_t M_y M_z`` (N m).

    Raises:
        InputError: no beam, or an arc length beyond its ends.

    Example:
        >>> system.add(SectionForces(arm, 0.0, name="root"))   # root.N, root.M_z, ...
    """

    prefix = "section_forces"

    def __init__(self, beam: BeamLayout, s: float, *, name: str | None = None):
        self.name: Any = name
        if not isinstance(beam, BeamLayout):
            raise InputError(f"section forces are those of a Beam, got {checks.shown(beam)}.")
        self.beam = beam
        self.i = beam.at_length(s)
        self.s = float(s)

    def portrait(self) -> Portrait:
        return Portrait("section_forces", self.i)

    def build(self, builder) -> None:
        beam = self.beam
        kind = place_kind(beam, stress=False)
        last = beam.locate(self.s)[0]
        first = max(last - 1, 0) if abs(self.s - beam.ends[last]) < 1e-9 * beam.length else last
        elements = sorted({first, last})
        for e in elements:
            x = (self.s - beam.ends[e]) / beam.sizes(e)[0]
            weights = drawn(beam, x) / len(elements)
            for at, weight in zip(gauss_points(beam), weights, strict=True):
                rows = place_rows(beam, kind, e, at, weight)
                cell = Cell(self.name, beam.element_refs(e), rows, count=len(rows))
                builder.add_cell(kind, cell)
