"""Forms of geometric stiffening: axial stresses that stiffen a reduced body, or let it buckle.

For small strains and moderate rotations the strain energy follows from the linear strain e1 and
the quadratic strain e2, ``integral of (e1 + e2) : C : (e1 + e2) / 2``. Of the product only the part
that couples with states of axial stress is kept (axial.py): with the amplitude e of a state and the
sum g over the displacements u in the body's triad,

    energy = k (e + g)^2 / 2 - k e^2 / 2,    g = sum_ab H_ab / 2 u_a . u_b.

The second term is in the linear stiffness already. With an unknown a = e + g for the elongation the
sum over pairs is one of small cells: ``k (a e - a^2 / 2 - e^2 / 2)`` of a state and
``k a H_ab / 2 u_a . u_b`` of each pair are stationary.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from ...core.kind import Kind
from ...core.observables import Observable
from ...core.symbols import total
from .kinds import ElongationKind, PairsKind


@dataclass(frozen=True)
class Stiffening(Kind):
    """Base of kinds with an ``energy(c)``, J, that is stationary, and the elongation ``a`` of a
    state as an unknown."""

    feeds_energy = False
    conservative = True

    def fields(self):
        return super().fields() | {"a": ()}

    @abstractmethod
    def energy(self, c): ...

    def residual(self, c):
        return c.along(self.energy(c)) * c.dx()

    def observables(self, c):
        what = "strain energy of stiffening"
        return {"stiffening": Observable(self.energy(c), "J", what, "energy.strain", False)}


@dataclass(frozen=True)
class AxialStateKind(Stiffening, ElongationKind):
    """A state of axial stress, with its elongation ``a`` as unknown."""

    called = "axial stress of a reduced body"

    @property
    def parameters(self):  # type: ignore[override]
        return super().parameters | {"stiffness": ()}

    def energy(self, c):
        e, a = self.elongation(c), c.split(c.q)[2]
        return c.par("stiffness") * (a * e - a**2 / 2 - e**2 / 2)


@dataclass(frozen=True)
class StiffeningKind(Stiffening, PairsKind):
    """Some pairs' part of g.

    Parameters: those of ``PairsKind``; ``factors``, k H_ab, of a vector with itself the half of it,
    N/m^2.
    """

    called = "stiffening of a reduced body"

    @property
    def parameters(self):  # type: ignore[override]
        return super().parameters | {"factors": (self.SOME,)}

    def energy(self, c):
        u, others = self.displacements(c)
        factors, a = c.par("factors"), c.split(c.q)[3]
        pulled = [total(factors[n] * v[k] for n, v in enumerate(others)) for k in range(self.d)]
        return a * total(x * y for x, y in zip(u, pulled, strict=False))


@dataclass(frozen=True)
class AxialLoadKind(ElongationKind):
    """Observes how near a body is to buckling under a state of axial stress.

    Parameters: those of ``ElongationKind``; ``critical``, amplitude at which it buckles, m.
    """

    called = "axial load of a reduced body"

    #: whether the elongation is that of ``AxialStateKind``
    stiffened: bool = False

    feeds_energy = False
    conservative = True

    @property
    def parameters(self):  # type: ignore[override]
        return super().parameters | {"critical": ()}

    def fields(self):
        return super().fields() | ({"a": ()} if self.stiffened else {})

    def residual(self, c):
        return None

    def observables(self, c):
        e = c.split(c.q)[2] if self.stiffened else self.elongation(c)
        what = "axial load by that at which the free body buckles"
        return {"load_ratio": Observable(abs(e) / c.par("critical"), "1", what)}
