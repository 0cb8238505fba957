"""Forms of reduced bodies: masses, stiffness that turns with the body, directors that stay rigid.

A body is ``x(X, t) = sum_a c_a(t) b_a(X)`` with vectors c_a in space and scalar functions b_a of
the undeformed body: b_0 = 1, then X_l / L along its principal axes (L the body's size, m), then
functions that span all components of its shapes. What the system solves for is the change
``q_a = c_a - c_a(0)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import ufl

from ...core.kind import Kind
from ...core.observables import Observable, body_energies
from ...core.symbols import total
from ..solids.elements import in_space


@dataclass(frozen=True)
class ModalMassKind(Kind):
    """One of the vectors c_a: since the b_a are orthogonal by mass, it moves as a point of the mass
    ``integral of rho b_a^2`` does.

    Parameters: ``mass``, kg; ``weight``, integral of rho b_a, kg (that of b_0 alone is not zero);
    ``share``, of the whole mass; ``place``, c_a at the start, m; ``drag``, 1/s.
    """

    called = "mass of a reduced body"

    feeds_energy = False

    parameters = {"mass": (), "weight": (), "share": (), "place": (3,), "drag": ()}
    d: int = 3

    def fields(self):
        return {"c": (self.d,)}

    def residual(self, c):
        mass, weight = c.par("mass"), c.par("weight")
        force = mass * (c.a + c.par("drag") * c.v)
        pull = ufl.as_vector([weight * c.gravity[k] for k in range(self.d)])
        return ufl.dot(force - pull, c.test) * c.dx()

    def observables(self, c):
        mass, weight, share = c.par("mass"), c.par("weight"), c.par("share")
        q, v = in_space(c.q, self.d), in_space(c.v, self.d)
        now = c.par("place") + q
        spin = mass * ufl.cross(now, v)
        potential = -weight * ufl.dot(c.gravity, now)
        result = body_energies(mass / 2 * ufl.dot(v, v), potential, "gravity")
        for k, axis in enumerate("xyz"):
            result |= {
                axis: Observable(share * now[k], "m", f"{axis} of the centre of mass"),
                f"v{axis}": Observable(share * v[k], "m/s", f"{axis} velocity of that centre"),
                f"p{axis}": Observable(weight * v[k], "kg m/s", f"{axis} of the momentum"),
                f"L{axis}": Observable(
                    spin[k], "kg m^2/s", f"{axis} of the angular momentum about the origin"
                ),
            }
        return result


@dataclass(frozen=True)
class TriadKind(Kind):
    """Base of kinds that use the body's triad t_k: t_1 is along d_1, and t_2 in the plane of d_1
    and d_2, two vectors that are linear functions of the unknowns (``Basis.leads``). Parameters:
    ``d1``, ``d2``, these vectors at the start, m."""

    d: int = 3

    @property
    def of_directors(self) -> tuple[int]:
        """Shape of the field of d_1 and d_2; of a plane body d_1 alone."""
        return (2 if self.d == 2 else 6,)

    def triad(self, c, directors) -> list:
        """Unit vectors that turn with the body."""
        n = self.d
        d1 = c.par("d1") + in_space(ufl.as_vector([directors[k] for k in range(n)]), n)
        t1 = d1 / ufl.sqrt(ufl.dot(d1, d1))
        if n == 2:
            return [t1, ufl.as_vector([-t1[1], t1[0], 0])]
        d2 = c.par("d2") + ufl.as_vector([directors[3 + k] for k in range(3)])
        across = d2 - ufl.dot(d2, t1) * t1
        t2 = across / ufl.sqrt(ufl.dot(across, across))
        return [t1, t2, ufl.cross(t1, t2)]


@dataclass(frozen=True)
class PairsKind(TriadKind):
    """Base of kinds that use one of the vectors c_a and some others in the triad, as displacements

        u_k = t_k . c_a - (c_a at the start along the triad)_k.

    Since only products of vectors enter, a rotation of all of them changes nothing.

    Parameters: ``d1``, ``d2``, see ``TriadKind``; ``first``, ``others``: the vectors at the start,
    m; ``first_along``, ``others_along``: their components along the triad.
    """

    #: number of others, so that the triad is computed once for as many pairs
    SOME: ClassVar[int] = 4

    @property
    def parameters(self):  # type: ignore[override]
        one, some = (3,), (self.SOME, 3)
        return {
            "d1": one, "d2": one, "first": one, "first_along": one, "others": some,
            "others_along": some,
        }  # fmt: skip

    def fields(self):
        return {
            "directors": self.of_directors, "first": (self.d,), "others": (self.SOME * self.d,)
        }  # fmt: skip

    def displacements(self, c) -> tuple[list, list[list]]:
        """u of the first and of each of the others, m."""
        d = self.d
        directors, first, others = c.split(c.q)[:3]
        triad = self.triad(c, directors)

        def along(q, start, at_start) -> list:
            now = start + in_space(q, d)
            return [ufl.dot(t, now) - at_start[k] for k, t in enumerate(triad)]

        starts, along_start = c.par("others"), c.par("others_along")
        rest = [
            along(
                ufl.as_vector([others[d * n + k] for k in range(d)]),
                ufl.as_vector([starts[n, k] for k in range(3)]),
                [along_start[n, k] for k in range(3)],
            )
            for n in range(self.SOME)
        ]
        return along(first, c.par("first"), c.par("first_along")), rest


@dataclass(frozen=True)
class ModalStiffnessKind(PairsKind):
    """Stiffness between one of the vectors and some others: the strain energy
    ``sum_nkl u_k K_nkl v_nl`` with a matrix K that turns with the body.

    Parameters: those of ``PairsKind``; ``stiffness``, N/m, (d, others x d), of a vector with itself
    the half of it; ``retardation``, s; ``share``, 1/m^2: of a vector's first cell its part of the
    body's mass by the square of its size, else 0.
    """

    called = "stiffness of a reduced body"

    feeds_energy = False

    @property
    def parameters(self):  # type: ignore[override]
        own = {"stiffness": (self.d, self.SOME * self.d), "retardation": (), "share": ()}
        return super().parameters | own

    def pull(self, c, u: list) -> list:
        """sum_k u_k K_nkl, for each n and l."""
        K, d = c.par("stiffness"), range(self.d)
        return [total(K[k, m] * u[k] for k in d) for m in range(self.SOME * self.d)]

    def product(self, c, one: list, others: list[list]):
        """sum_nkl one_k K_nkl others_nl."""
        flat = [x for u in others for x in u[: self.d]]
        return total(f * x for f, x in zip(self.pull(c, one), flat, strict=True))

    def residual(self, c):
        u, others = self.displacements(c)
        time = c.par("retardation")

        def drawn(z):
            return [x + time * c.rate(x) for x in z]

        def virtual(z):
            return [c.along(x) for x in z]

        form = self.product(c, virtual(u), [drawn(v) for v in others])
        return (form + self.product(c, drawn(u), [virtual(v) for v in others])) * c.dx()

    def observables(self, c):
        u, others = self.displacements(c)
        rates = [c.rate(x) for x in u], [[c.rate(x) for x in v] for v in others]
        loss = 2 * c.par("retardation") * self.product(c, *rates)
        return {
            "strain_energy": Observable(
                self.product(c, u, others), "J", "strain energy", "energy.strain"
            ),
            "mean_square": Observable(
                c.par("share") * total(x**2 for x in u), "1",
                "mean square of its displacements by the square of its size",
            ),
            "damping_loss": Observable(loss, "W", "power lost in the material", recorded=False),
        }  # fmt: skip


@dataclass(frozen=True)
class ElongationKind(TriadKind):
    """Base of kinds that use one combination of the vectors c_a in the triad: with factors s_ak

        e = sum_k t_k . (w_k + w0_k) - e0,   w_k = sum_a s_ak q_a,

    where the w_k are linear functions of the unknowns: condensed values.

    Parameters: ``d1`` and ``d2``, see ``TriadKind``; ``w0``, m, by rows; ``e0``, m.
    """

    @property
    def parameters(self):  # type: ignore[override]
        return {"d1": (3,), "d2": (3,), "w0": (self.d, 3), "e0": ()}

    def fields(self):
        return {"directors": self.of_directors, "w": (self.d * self.d,)}

    def elongation(self, c):
        """e, m."""
        n = self.d
        directors, w = c.split(c.q)[:2]
        w0, terms = c.par("w0"), []
        for k, t in enumerate(self.triad(c, directors)):
            now = in_space(ufl.as_vector([w[n * k + i] for i in range(n)]), n)
            terms.append(ufl.dot(t, now + ufl.as_vector([w0[k, i] for i in range(3)])))
        return total(terms) - c.par("e0")


@dataclass(frozen=True)
class RigidDirectorsKind(Kind):
    """Holds the directors of a body without shapes at unit length and right angles.

    Parameters: ``place``, the directors at the start, by rows, m; ``size``, their length, m.
    """

    called = "rigidity of a reduced body"

    feeds_energy = False
    conservative = True

    d: int = 3

    @property
    def parameters(self):  # type: ignore[override]
        return {"place": (self.d, self.d), "size": ()}

    def fields(self):
        return {"directors": (self.d**2,), "orthonormality": (self.d * (self.d + 1) // 2,)}

    def residual(self, c):
        n, place, size = self.d, c.par("place"), c.par("size")
        q, lam = c.split(c.q)
        d = [
            ufl.as_vector([(place[k, i] + q[n * k + i]) / size for i in range(n)]) for k in range(n)
        ]
        pairs = [(i, j) for i in range(n) for j in range(i, n)]
        phi = [ufl.dot(d[i], d[j]) - float(i == j) for i, j in pairs]
        return c.along(ufl.dot(lam, ufl.as_vector(phi))) * c.dx()
