"""Closed forms of journal bearings behind a port: in a running system they stand for a ``Film``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import ufl
from ufl import as_vector

from ...contact.forms import TINY_LENGTH
from ...contact.laws.normal import indicator
from ...core.kind import Kind
from ...core.observables import Observable
from ..film.cavitation import Cavitation
from ..film.fading import faded


class Law(Protocol):
    """A closed form, see ``ClosedForm.acting``."""

    @classmethod
    def acting(
        cls, e: Any, V: Any, omega: Any, numbers: Any, cavitation: Any, *, share: Any = 1.0
    ) -> list: ...


@dataclass(frozen=True)
class ClosedLawKind(Kind):
    """The force of a closed form for the motion that its port knows; fields are those of the port.

    Args:
        law: a ``ClosedForm``.
        cavitation: its model.
        fades: where the film gets thinner than ``least`` (m) it fades (fading.py): with the least
            thickness d the law is that of a journal at c - h(d), of whose force the part dh/dd
            acts. Shear goes on. So the law is a number at any place, and never drives the journal.
    """

    feeds_energy = False

    law: type[Law]
    cavitation: type[Cavitation]
    fades: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        own = ("radius", "length", "clearance", "viscosity", *(("least",) if self.fades else ()))
        return dict.fromkeys(own, ())

    @property
    def label(self):
        return f"film ({self.law.__name__}, {self.cavitation.__name__})"

    def fields(self):
        return {"e": (3,), "t": (2,), "W": (6,)}

    def _force(self, c):
        """Force and moment on the journal."""
        e, _, W = c.split(c.q)
        numbers = [c.par(n) for n in ("radius", "length", "clearance", "viscosity")]
        nearer, share = self._faded(c, e) if self.fades else (1.0, 1.0)
        x, y, turn = self.law.acting(
            [nearer * e[0], nearer * e[1]], [W[0], W[1]], W[5], numbers, self.cavitation,
            share=share,
        )  # fmt: skip
        return as_vector([x, y, 0.0, 0.0, 0.0, turn])

    @staticmethod
    def _faded(c, e):
        """Where the law is read, as a part of the journal's place, and the part that acts."""
        clearance, least = c.par("clearance"), c.par("least")
        distance = ufl.sqrt(e[0] ** 2 + e[1] ** 2 + TINY_LENGTH**2)
        apart = ufl.variable(clearance - distance)
        h = faded(apart, least)
        near = indicator(ufl.lt(apart, least))
        return 1 - near + near * (clearance - h) / distance, ufl.diff(h, apart)

    def residual(self, c):
        return -ufl.dot(self._force(c), c.split(c.test)[2]) * c.dx()

    def observables(self, c):
        lost = -ufl.dot(self._force(c), c.split(c.q)[2])
        return {"power_loss": Observable(lost, "W", "power the film turns into heat", "power.film")}
