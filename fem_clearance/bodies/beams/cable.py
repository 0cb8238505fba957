"""Cables: thin lines without torsion, and those curved at rest or of elements unequal in length."""

from __future__ import annotations

from dataclasses import dataclass

import basix
import basix.ufl
import ufl
from ufl import dot

from ...core.mixins import DistributedParameters
from .elements import BeamKind
from .sections import Section
from .shape_functions import combine, hermite_parts


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
        bend = ufl.cross(t, t.dx(0)) / dot(t, t) / measure
        spin = ufl.cross(t, c.rate(t)) / dot(t, t)
        turn = c.rate(bend) - ufl.cross(spin, bend)
        EA, EI = c.par("EA"), c.par("EI")
        return {
            self.stretch_degree: measure * EA / 2 * stretch**2,
            self.bend_degree: measure * EI / 2 * dot(turn, turn),
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
        t = self.line(c, c.q).dx(0)
        stretch = ufl.sqrt(dot(t, t)) / measure - 1
        change = (turn(self.line(c, c.q)) - turn(self.line(c, c.reference))) / measure
        return {
            self.stretch_degree: measure * c.par("EA") / 2 * stretch**2,
            self.bend_degree: measure * c.par("EI") / 2 * dot(change, change),
        }


def turn(r):
    """Turn of the tangent per unit of the line's parameter, a vector."""
    t = r.dx(0)
    return ufl.cross(t, t.dx(0)) / dot(t, t)
