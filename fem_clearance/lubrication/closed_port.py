"""Closed forms of journal bearings behind a port: in a running system they stand for a ``Film``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ufl
from ufl import as_vector

from ..contact.clearance import TINY_LENGTH
from ..contact.normal import indicator
from ..core.kind import Kind, Observable
from .cavitation import Cavitation

if TYPE_CHECKING:
    from .closed_form import ClosedForm


@dataclass(frozen=True)
class ClosedLawKind(Kind):
    """The force of a closed form for the motion that its port knows; fields are those of the port.

    Beyond ``end`` (m) a dry contact has taken over and the journal counts as centred, so that the
    law stays a number.

    Args:
        law: a ``ClosedForm``.
        cavitation: its model.
    """

    feeds_energy = False

    law: type[ClosedForm]
    cavitation: type[Cavitation]

    parameters = dict.fromkeys(("radius", "length", "clearance", "viscosity", "end"), ())

    @property
    def label(self):
        return f"film ({self.law.__name__}, {self.cavitation.__name__})"

    def fields(self):
        return {"e": (3,), "t": (2,), "W": (6,)}

    def _force(self, c):
        """Force and moment on the journal."""
        e, _, W = c.split(c.q)
        distance = ufl.sqrt(e[0] ** 2 + e[1] ** 2 + TINY_LENGTH**2)
        inside = indicator(ufl.lt(distance, c.par("end")))
        numbers = [c.par(n) for n in ("radius", "length", "clearance", "viscosity")]
        x, y, turn = self.law.acting(
            [inside * e[0], inside * e[1]], [W[0], W[1]], W[5], numbers, self.cavitation
        )
        return as_vector([x, y, 0.0, 0.0, 0.0, turn])

    def residual(self, c):
        return -ufl.dot(self._force(c), c.split(c.test)[2]) * c.dx()

    def observables(self, c):
        lost = -ufl.dot(self._force(c), c.split(c.q)[2])
        return {"power_loss": Observable(lost, "W", "power the film turns into heat", "power.film")}
