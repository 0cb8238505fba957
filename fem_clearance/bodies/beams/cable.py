"""Cables that are curved at rest or whose elements differ in length."""

from __future__ import annotations

from dataclasses import dataclass

import basix.ufl
import ufl
from ufl import dot

from .elements import CableKind
from .shape_functions import hermite_parts


def combine(c, state):
    """Centre line of Hermite cubics in parts, and the fields that follow them."""
    values, slopes, *rest = c.split(state)
    return values + c.par("ratio") * slopes, *rest


@dataclass(frozen=True)
class GeneralCableKind(CableKind):
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
