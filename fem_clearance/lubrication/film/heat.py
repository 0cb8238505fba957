"""Warm films on surfaces: the cells of kind.py with the energy equation of energy.py."""

from __future__ import annotations

from dataclasses import dataclass

import basix.ufl
import numpy as np
from basix import CellType
from ufl import dot, grad

from .energy import EnergyEquation
from .functional import driven
from .kind import FilmKind


@dataclass(frozen=True)
class WarmFilmKind(EnergyEquation, FilmKind):
    """A film with the temperature over the supply's, K, after what complements its pressure."""

    def element(self, cell):
        parts, at = super().element(cell).sub_elements, self._warm
        return basix.ufl.mixed_element([*parts[:at], *self._warmths(cell), *parts[at:]])

    @property
    def _warm(self) -> int:
        return 2 if self.cavitation.complementary else 1

    def sparsity(self):
        parts = self.element(CellType[self.cell]).sub_elements
        ends = np.cumsum([part.dim for part in parts])
        result, at = super().sparsity(), self._warm
        own = slice(ends[at - 1], ends[at - 1 + len(self._warmths(CellType[self.cell]))])
        result[own] = True
        if self.cavitation.nodal:  # what a node lacks: without SUPG its own temperature reads it
            lacking = result[own, ends[0] : ends[1]]
            lacking[:] = False
            lacking[:4] = np.eye(4, dtype=bool) if self.upwind and not self.fed else True
        return result

    def _pressed(self, c):
        return self._parts(c, c.q)[:2]

    def packing(self, c, state=None):
        rise = self._over_reference(c, self.rise(c, c.q if state is None else state))
        return super().packing(c, state) * self.density.warm(rise, self._numbers(c, "density"))

    def _oil(self, c):
        p, void = self._pressed(c)
        h, U = self.thickness(c), self._sliding(c)
        drawn, conducts, shear = self.passing(c, h)
        shear *= dot(U, U)
        if self.grooved:
            shear *= c.par("sheared")
        heat = self.cavitation.heating(void, h) * shear + driven(conducts, grad(p), grad(p))
        return self.packing(c) * (drawn * U - conducts * grad(p)), heat
