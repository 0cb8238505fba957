"""Forms of geometric stiffening: axial stresses that stiffen a reduced body, or let it buckle.

The strain energy of small strains and moderate rotations is that of the linear strain e1 and the
quadratic one e2, ``integral of (e1 + e2) : C : (e1 + e2) / 2``. Of the product only what states of
axial stress see is kept (axial.py): with the amplitude e of a state and the sum g over the
displacements u in the body's triad,

    energy = k (e + g)^2 / 2 - k e^2 / 2,    g = sum_r h_r / 2 |sum_a y_ra u_a|^2.

The second term is in the linear springs already. With an unknown a = e + g for the elongation the
sum over r is one of small cells: ``k (a e - a^2 / 2 - e^2 / 2)`` of a state and
``k a h_r / 2 |..|^2`` of each term of g are stationary.
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ...core.observables import Observable
from ...core.symbols import total
from .kinds import ModalSpringKind, TriadKind, in_space


@dataclass(frozen=True)
class AxialStateKind(ModalSpringKind):
    """A state of axial stress, with its elongation ``a`` as unknown."""

    called = "axial stress of a reduced body"

    feeds_energy = False
    conservative = True

    @property
    def parameters(self):  # type: ignore[override]
        own = super().parameters
        del own["damping"], own["shape"]
        return own

    def fields(self):
        return super().fields() | {"a": ()}

    def energy(self, c):
        e, a = self.elongation(c), c.split(c.q)[2]
        return c.par("stiffness") * (a * e - a**2 / 2 - e**2 / 2)

    def residual(self, c):
        return c.along(self.energy(c)) * c.dx()

    def observables(self, c):
        what = "strain energy of stiffening"
        return {"stiffening": Observable(self.energy(c), "J", what, "energy.strain", False)}


@dataclass(frozen=True)
class StiffeningKind(TriadKind):
    """One term of g.

    Parameters: ``stiffness``, N/m; ``factor``, h_r, 1/m; ``d1``, ``d2``, see ``TriadKind``; ``z0``,
    sum of y_ra c_a at the start, along the triad, m.
    """

    called = "stiffening of a reduced body"

    feeds_energy = False
    conservative = True

    @property
    def parameters(self):  # type: ignore[override]
        return {"stiffness": (), "factor": (), "d1": (3,), "d2": (3,), "z0": (3,), "start": (3,)}

    def fields(self):
        return {"directors": self.of_directors, "z": (self.d,), "a": ()}

    def energy(self, c):
        directors, z, a = c.split(c.q)
        z0 = c.par("z0")
        turned = total(z0[k] * t for k, t in enumerate(self.triad(c, directors)))
        u = in_space(z, self.d) + c.par("start") - turned
        return c.par("stiffness") * c.par("factor") / 2 * a * ufl.dot(u, u)

    def residual(self, c):
        return c.along(self.energy(c)) * c.dx()

    def observables(self, c):
        what = "strain energy of stiffening"
        return {"stiffening": Observable(self.energy(c), "J", what, "energy.strain", False)}


@dataclass(frozen=True)
class AxialLoadKind(ModalSpringKind):
    """Shows how near a body is to buckling under a state of axial stress.

    Parameters: those of a spring without ``stiffness`` and ``damping``; ``critical``, amplitude at
    which it buckles, m.
    """

    called = "axial load of a reduced body"

    #: whether the elongation is that of ``AxialStateKind``
    stiffened: bool = False

    feeds_energy = False
    conservative = True

    @property
    def parameters(self):  # type: ignore[override]
        own = super().parameters
        del own["stiffness"], own["damping"], own["shape"]
        return own | {"critical": ()}

    def fields(self):
        return super().fields() | ({"a": ()} if self.stiffened else {})

    def residual(self, c):
        return None

    def observables(self, c):
        e = c.split(c.q)[2] if self.stiffened else self.elongation(c)
        what = "axial load by that at which the free body buckles"
        return {"load_ratio": Observable(abs(e) / c.par("critical"), "1", what, largest=True)}
