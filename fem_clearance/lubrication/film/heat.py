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
from .temperature import TemperatureLaw


@dataclass(frozen=True)
class WarmFilmKind(FilmKind, EnergyEquation):
    """A film with the temperature over the supply's, K, after what complements its pressure.

    Args:
        temperature: law of the viscosity by temperature.
        upwind: first order, without overshoot; else streamline upwind Petrov-Galerkin.
        fed: cells at the edge of a groove, whose temperature is a field of its own.
    """

    temperature: type[TemperatureLaw] = TemperatureLaw
    upwind: bool = False
    fed: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        return super().parameters | self.heat_parameters

    def distributed(self, cell):
        mask = {"mask": basix.ufl.element("Lagrange", cell, 1)} if self.fed else {}
        return super().distributed(cell) | mask

    @property
    def label(self):
        return f"warm {super().label}"

    def element(self, cell):
        parts, at = super().element(cell).sub_elements, self._warm
        return basix.ufl.mixed_element([*parts[:at], *self._warmths(cell), *parts[at:]])

    def _warmths(self, cell) -> list:
        """Elements of the temperatures: of the oil and, of a cell at one, of its groove."""
        groove = [basix.ufl.element("DG", cell, 0)] * self.fed
        return [basix.ufl.element("Lagrange", cell, 1), *groove]

    @property
    def _warm(self) -> int:
        """Place of the temperature among the fields."""
        return 2 if self.cavitation.complementary else 1

    def sparsity(self):
        parts = self.element(CellType[self.cell]).sub_elements
        ends = np.cumsum([part.dim for part in parts])
        result, at = super().sparsity(), self._warm
        own = slice(ends[at - 1], ends[at - 1 + len(self._warmths(CellType[self.cell]))])
        result[own] = True
        if self.cavitation.nodal:  # what is missing at a node counts in its own temperature
            missing = result[own, ends[0] : ends[1]]
            missing[:] = False
            missing[:4] = np.eye(4, dtype=bool)
        return result

    def rise(self, c, state):
        """Temperature over the supply's, K."""
        return c.split(state)[self._warm]

    def _groove(self, c, state):
        return c.split(state)[self._warm + 1]

    def _pressed(self, c):
        return self._parts(c, c.q)[:2]

    def viscosity(self, c):
        return self._viscosity(c, self.rise(c, c.q))

    def packing(self, c, state=None):
        rise = self._over_reference(c, self.rise(c, c.q if state is None else state))
        return super().packing(c, state) * self.density.warm(rise, self._numbers(c, "density"))

    def _oil(self, c):
        """Mass flow divided by the reference density, m^2/s, and the heat of a filled film,
        W/m^2."""
        p, void, _, _, _, W = self._parts(c, c.q)
        h, U = self.thickness(c), self._motion(c, W, None)[1]
        drawn, conducts, shear = self.passing(c, h)
        shear *= dot(U, U)
        if self.grooved:
            shear *= c.par("sheared")
        heat = self.cavitation.heating(void, h) * shear + driven(conducts, grad(p), grad(p))
        return self.packing(c) * (drawn * U - conducts * grad(p)), heat

    def residual(self, c):
        return super().residual(c) + self.heat_rows(c)

    def observables(self, c):
        return super().observables(c) | self.heat_observables(c)
