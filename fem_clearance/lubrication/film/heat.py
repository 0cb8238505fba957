"""Warm films on surfaces: the cells of kind.py with the energy equation of energy.py.

A film that conserves its oil stores and carries heat with the oil that Reynolds' equation says it
has, theta of the gap, and its heat is what the bodies lose: that of the shear that acts, of the
pressure that drives the oil or closes voids, and::

    int p [(h - h_n) / step - dh/dt] dA

which the content takes of the pressure's work in a step, by backward Euler, beyond the rates of the
surfaces. So loss, heat and what the oil takes agree to round-off in every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix.ufl
import numpy as np
import ufl
from basix import CellType
from ufl import dot, grad

from ...contact.laws.normal import indicator
from .energy import EnergyEquation
from .functional import driven
from .kind import VERTICES, FilmKind, steady

#: least part of a broken film in which temperatures are spread: an empty one has a temperature
LEAST = 1e-3


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
        if self.cavitation.nodal:  # what is missing at a node counts in its own temperature
            missing = result[own, ends[0] : ends[1]]
            missing[:] = False
            missing[:4] = np.eye(4, dtype=bool)
        return result

    def _pressed(self, c):
        return self._parts(c, c.q)[:2]

    def packing(self, c, state=None):
        rise = self._over_reference(c, self.rise(c, c.q if state is None else state))
        return super().packing(c, state) * self.density.warm(rise, self._numbers(c, "density"))

    def _oil(self, c):
        flow, shear, pressure = self._passed(c)
        void = self._parts(c, c.q)[1]
        return flow, self.cavitation.heating(void, self.thickness(c)) * shear + pressure

    def _passed(self, c):
        """Mass flow of a filled film divided by the reference density, m^2/s, and heat of its shear
        and of its pressure, W/m^2."""
        p, *_, W = self._parts(c, c.q)
        h, U = self.thickness(c), self._motion(c, W, None)[1]
        drawn, conducts, shear = self.passing(c, h)
        shear *= dot(U, U)
        if self.grooved:
            shear *= c.par("sheared")
        flow = self.packing(c) * (drawn * U - conducts * grad(p))
        return flow, shear, driven(conducts, grad(p), grad(p))

    # --- a broken film that conserves its oil ---------------------------------------------------
    def _filled(self, c):
        if not self.cavitation.conserving:
            return 1.0
        part = 1 - self._parts(c, c.q)[1] / self.thickness(c)
        return part + indicator(ufl.lt(part, LEAST)) * (LEAST - part)

    def _held(self, c):
        if not self.cavitation.conserving:
            return super()._held(c)
        before = self.packing(c, c.q_n) * self.thickness(c, c.q_n)
        return {self.quadrature: before, VERTICES: -self._parts(c, c.q_n)[1]}

    def _streams(self, c):
        full = super()._streams(c)
        return full | {VERTICES: -self._void_flow(c)} if self.cavitation.conserving else full

    def _heat(self, c):
        if not self.cavitation.conserving:
            return super()._heat(c)
        void, (_, shear, pressure) = self._parts(c, c.q)[1], self._passed(c)
        work = self._work_of_contents(c)
        work[self.quadrature] += self.cavitation.wetted(void, self.thickness(c)) * shear + pressure
        return work

    def _work_of_contents(self, c) -> dict[Any, Any]:
        """Work of the pressure that becomes heat beside that of its flow, W/m^2, by quadrature: on
        voids that close where the film forms again, and on the content in a step."""
        if not self.cavitation.conserving:
            return {}
        p, *_, W = self._parts(c, c.q)
        h, opening = self._thickness(c)
        rate = opening * self._motion(c, W, self._yielding(c))[0]
        held = c.per_step * (h - self.thickness(c, c.q_n)) - (1 - steady(c)) * rate
        return {self.quadrature: p * held, VERTICES: self._continuity(c, p)[VERTICES]}
