"""Films between walls that expand as they warm: the clearance follows their temperatures.

With the temperatures T_b, T_j of bush and journal and T_0, at which the clearance is as given, the
film opens by::

    u(T_b - T_0) . n - alpha R (T_j - T_0)

u is the displacement of the bush's bore, a linear function of its temperatures (thermoelastic.py);
the journal is a free body of one temperature. The rates of both count in Reynolds' equation, and
what the walls' expansion works on the film is heat too.
"""

from __future__ import annotations

from dataclasses import dataclass

import basix.ufl
import ufl
from ufl import diff, dot, grad

from ...core.observables import Observable
from .conduction import ConductingFilmKind


@dataclass(frozen=True)
class ExpandingFilmKind(ConductingFilmKind):
    """A conducting film whose walls expand.

    Args:
        bush_grows: the bore's displacement along the normal, of temperatures over the supply's, is
            a field of its own; else the journal alone expands.
    """

    bush_grows: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        settled = {"settled": (4,)} if self.bush_grows else {}
        names = ("journal.expansion", "journal.settled")
        return super().parameters | dict.fromkeys(names, ()) | settled

    def distributed(self, cell):
        nodal = basix.ufl.element("Lagrange", cell, 1)
        return super().distributed(cell) | ({"settled": nodal} if self.bush_grows else {})

    def _warmths(self, cell):
        growth = [basix.ufl.element("Lagrange", cell, 1)] * self.bush_grows
        return [*super()._warmths(cell), *growth]

    def opening(self, c, state):
        """By which the walls' expansion opens the film, m."""
        radius = dot(c.x, self.shape.normal(c.x))
        rise = self.across(c, state)[1] + c.par("journal.settled")
        result = -c.par("journal.expansion") * radius * rise
        if self.bush_grows:
            result += c.split(state)[self._warm + self.fed + 3] + c.distributed["settled"]
        return result

    def distance(self, c, state=None):
        return super().distance(c, state) + self.opening(c, c.q if state is None else state)

    def _rate(self, c):
        """Rate of the opening, m/s, over the step."""
        return c.per_step * (self.opening(c, c.q) - self.opening(c, c.q_n))

    def _opened(self, c, rate):
        """Velocity of the bore's surface that opens the gap at a rate."""
        return rate * self.shape.normal(c.x) if self.shear else rate

    def _surface_velocity(self, c):
        liner, walls = super()._surface_velocity(c), self._opened(c, self._rate(c))
        return walls if liner is None else liner + walls

    def observables(self, c):
        p, *_, W = self._parts(c, c.q)
        rate, part = ufl.variable(self._rate(c)), self.cavitation.acting(p)
        opened, wetted = self._opened(c, rate), self.wetted(c)
        fed = self._power(c, part * p, part * grad(p), W, opened, wetted)
        what = "power that the expansion of the walls feeds"
        power = {self.quadrature: -diff(fed, rate) * rate}
        return super().observables(c) | {"expansion_power": Observable(power, "W", what)}
