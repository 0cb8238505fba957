"""The beam element of sections given by matrices: 27 coordinates, like the quadratic element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix
import basix.ufl
import numpy as np
import ufl
from ufl import cross, dot

from ...core.mixins import DistributedParameters
from ...model.section_triad import length, normal
from .elements import BeamKind, DirectorLine, QuadraticElement, energies
from .section_matrices import MatrixSection
from .strain import Line, held


def frame_strains(line: Line) -> list:
    """Shear along d2 and d3, stretch, curvatures about d2 and d3 and twist in the section's triad.

    They do not depend on the lengths of the directors, and on the angle between them only to second
    order, so that a stiffness against these (``own_strains``) carries no load in equilibrium."""
    t, d2, d3, t2, t3 = line
    n, l2, l3 = normal(d2, d3), length(d2), length(d3)
    # each unit director makes a triad with the normal; equal where the directors are orthogonal
    a2, b3 = d2 / l2, d3 / l3
    a3, b2 = cross(n, a2), cross(b3, n)
    twist = (dot(t2, a3) / l2 - dot(t3, b2) / l3) / 2
    shear = [dot(t, a2 + b2) / 2, dot(t, a3 + b3) / 2]
    return [*shear, dot(t, n), dot(t3, n) / l3, -dot(t2, n) / l2, twist]


def own_strains(line: Line) -> list:
    """Strains of the section itself: lengths of the directors, and the angle between them."""
    _, d2, d3, _, _ = line
    return [(dot(d2, d2) - 1) / 2, (dot(d3, d3) - 1) / 2, dot(d2, d3) / 2]


def relative_strains(now: Line, rest: Line):
    """Strains from a stress-free shape by its length, as a vector, and that length per length of
    the line's parameter."""
    strains = zip(frame_strains(now), frame_strains(rest), strict=True)
    measure = length(rest.t)
    return ufl.as_vector([(a - b) / measure for a, b in strains]), measure


@dataclass(frozen=True)
class MatrixKind(QuadraticElement, DirectorLine, BeamKind, DistributedParameters):
    """Strain energy e' K e / 2 per length, K full, on the strains of the geometrically exact beam
    (Simo and Vu-Quoc 1986), differences to those of the stress-free shape; inertia by the integrals
    of the section's mass, which are constant.

    The section's own strains need three Gauss points, because two leave motions of the directors
    without energy."""

    feeds_energy = False
    conservative = True

    mass_degree, own_degree = 4, 5
    label = "quadratic beam by section matrices"
    #: parameters given at quadrature points: shape at a point, and degree of the rule
    at_points = {
        "stiffness": ((6, 6), QuadraticElement.elastic_degree), "own": ((3,), own_degree),
        "inertia": ((3, 3), mass_degree), "spin": ((), mass_degree),
    }  # fmt: skip
    parameters = {
        "stiffness": (2, 6, 6), "own": (3, 3), "inertia": (3, 3, 3), "spin": (3,), "load": (3,),
        "reference": (27,),
    }  # fmt: skip

    def distributed(self, cell):
        rules = {
            name: basix.ufl.quadrature_element(cell, value_shape=shape, degree=degree)
            for name, (shape, degree) in self.at_points.items()
        }
        return super().distributed(cell) | rules

    def measure(self, c):
        return length(self.line(c, c.reference).t)

    def momenta(self, c, state) -> list:
        """Rows of the inertia times r, d2 and d3 of ``state``."""
        fields, inertia = self.vectors(c, state), c.distributed["inertia"]
        return [sum(inertia[i, k] * fields[k] for k in range(3)) for i in range(3)]

    def inertial(self, c):
        """Virtual work of inertia per length, and of the polar inertia beyond that of a slice: the
        spin about the normal is (d3 . d2' - d2 . d3') / 2."""
        w = self.vectors(c, c.test)
        form = sum(dot(p, x) for p, x in zip(self.momenta(c, c.a), w, strict=True))

        def spin(d2, d3, rate2, rate3):
            return (dot(d3, rate2) - dot(d2, rate3)) / 2

        _, d2, d3 = self.vectors(c, c.q)
        _, v2, v3 = self.vectors(c, c.v)
        _, a2, a3 = self.vectors(c, c.a)
        _, w2, w3 = w
        # Lagrange's equation of spin^2 / 2
        work = spin(d2, d3, a2, a3) * spin(d2, d3, w2, w3)
        work += spin(d2, d3, v2, v3) * (dot(v3, w2) - dot(v2, w3))
        return form + c.distributed["spin"] * work

    def residual(self, c):
        w = self.vectors(c, c.test)
        inertia = c.distributed["inertia"]
        weight = sum(inertia[0, k] * dot(c.gravity, w[k]) for k in range(3))
        form = self.measure(c) * (self.inertial(c) - weight - dot(c.par("load"), w[0]))
        form *= c.dx(self.mass_degree)
        for degree, energy in self.elastic(c).items():
            form += c.along(energy * c.dx(degree))
        return form

    def _strains(self, c):
        now, rest = self.line(c, c.q), self.line(c, c.reference)
        return *relative_strains(now, rest), ufl.as_vector(own_strains(now))

    def _energies(self, c, strain, own, measure) -> dict:
        stiff = sum(c.distributed["own"][k] * own[k] ** 2 for k in range(3))
        return {
            self.elastic_degree: measure / 2 * dot(strain, c.distributed["stiffness"] * strain),
            self.own_degree: measure / 2 * stiff,
        }

    def elastic(self, c):
        strain, measure, own = self._strains(c)
        return self._energies(c, strain, own, measure * held(self.line(c, c.q), measure))

    def viscous(self, c):
        strain, measure, own = self._strains(c)
        return self._energies(c, c.rate(strain), c.rate(own), measure)

    def observables(self, c):
        q, v, inertia = self.vectors(c, c.q), self.vectors(c, c.v), c.distributed["inertia"]
        kinetic = sum(dot(p, x) for p, x in zip(self.momenta(c, c.v), v, strict=True)) / 2
        kinetic += c.distributed["spin"] / 8 * (dot(q[2], v[1]) - dot(q[1], v[2])) ** 2
        potential = -sum(inertia[0, k] * dot(c.gravity, q[k]) for k in range(3))
        potential -= dot(c.par("load"), q[0])
        measure = self.measure(c)
        return energies(self.mass_degree, measure * kinetic, measure * potential, self.elastic(c))

    def pack_span(self, section: MatrixSection, start: float, end: float, load) -> dict:
        """Parameters of an element between two arc lengths, m, at its quadrature points."""
        stiff, own, moving = (
            [section.at(s) for s in points_between(start, end, degree)]
            for degree in (self.elastic_degree, self.own_degree, self.mass_degree)
        )
        return {
            "stiffness": [z.stiffness for z in stiff],
            "own": [[K[2, 2], K[2, 2], K[0, 0] + K[1, 1]] for K in (z.stiffness for z in own)],
            "inertia": [z.inertia for z in moving], "spin": [z.spin for z in moving], "load": load,
        }  # fmt: skip


def points_between(start: float, end: float, degree: int) -> np.ndarray:
    """Arc lengths of the quadrature points of an element, m."""
    points: Any = basix.make_quadrature(basix.CellType.interval, degree)[0]
    return start + (end - start) * points[:, 0]
