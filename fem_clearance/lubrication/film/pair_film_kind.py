"""Films between facets of two elastic solids.

The functional of all films (kind.py) on the facets of the first solid, of the motion of both: a
quadrature point x of the first lies opposite to a point y of the other (contact/facets/cuts.py),
and in the axes Q of the other at y, its outward normal last,

    s = Q^T (x - y),    h = s_3,    U = -F^T Q (ds_1/dt, ds_2/dt, 0),

with h the thickness and U the sliding velocity of the other side, carried back to the undeformed
facet by F = dx/dX. What belongs to ds/dt is the film's force; it reaches both solids as one virtual
work that no rigid motion of the two changes, so that momentum and angular momentum are kept. The
numbers of the points stay as they are in a step.

Where nothing lies opposite the film ends: corners of facets of which a part u is uncovered lose
k u p, with k far larger than what the film conducts over a facet, which pins the pressure there to
the ambient one. (k p of all of a facet, less k p of the part that each pair covers.)
"""

from __future__ import annotations

from dataclasses import dataclass

import basix
import basix.ufl
import numpy as np
import ufl
from ufl import diff, dot

from ...contact.facets.cuts import shapes
from ...contact.facets.pair_kind import PairKind, in_space
from ...contact.forms import identity, law_symbols, load_observables
from ...core.kind import Kind
from ...core.observables import Observable, internal
from ...core.symbols import total
from ...meshes import cells as reference
from .cavitation import Cavitation, Full
from .functional import functional, passing
from .kind import complemented
from .lubricant import Lubricant
from .thickness import film_transition

#: thickness that is shown of pairs of facets that do not overlap, m
FAR = 1.0


@dataclass(frozen=True)
class PairFilmKind(PairKind):
    """Of a pair of facets; the third field is the pressure at the corners of the first."""

    lubricant: type[Lubricant] = Lubricant
    cavitation: type[Cavitation] = Full

    feeds_energy = False

    @property
    def label(self):
        return f"film between {super().label} ({self.cavitation.__name__})"

    def sizes(self) -> dict[str, int]:
        """Those of the cut, and ``G``, by which nodes of the first make gradients along its
        undeformed facet."""
        own, d = self.cutting.nodes[0], self.cutting.dimension - 1
        return super().sizes() | {"G": self.cutting.points * own * d}

    @property
    def parameters(self):  # type: ignore[override]
        (own, other), d = self.cutting.nodes, self.cutting.dimension
        names: dict[str, tuple[int, ...]] = {"X": (own, d), "Y": (other, d)}
        names |= {f"lubricant.{n}": () for n in self.lubricant.parameters}
        names |= dict.fromkeys(("least", "share", "absent"), ())
        names["pinned"] = (self.interpolation.shape[1],)
        return names | {n: (size,) for n, size in self.sizes().items()}

    @property
    def nodal(self) -> list[int]:
        return [self.interpolation.shape[1]]

    @property
    def interpolation(self) -> np.ndarray:
        """Values at the nodes of a facet from those at its corners, (nodes, corners)."""
        cell = self.cutting.cell
        spots = tuple(map(tuple, reference.lattice(cell, self.cutting.degree)))
        return reference.shape_functions(cell, 1, spots)[0]

    def depths(self, c, state):
        """No side wears."""
        return ()

    # --- forms ----------------------------------------------------------------------------------
    def over_facet(self, c, corners, share=identity):
        """Value and gradient along the undeformed facet of what the corners have."""
        rows = [
            total(float(x) * corners[k] for k, x in enumerate(row) if abs(x) > 1e-14)
            for row in self.interpolation
        ]
        value = total(c.distributed["N"][k] * x for k, x in enumerate(rows))
        both = share(ufl.as_vector([value, *self.gradient(c, rows)]))
        return both[0], ufl.as_vector([both[k] for k in range(1, self.cutting.dimension)])

    def gradient(self, c, nodes):
        """Gradient along the undeformed facet of what its nodes have (scalars, or vectors)."""
        d, G = self.cutting.dimension - 1, c.distributed["G"]
        return [total(G[d * k + i] * x for k, x in enumerate(nodes)) for i in range(d)]

    def motion(self, c, share=identity):
        """Place s and its rate (a UFL variable); thickness, its rate, distance and sliding velocity
        along the facet. ``share``: ``c.shared`` in a residual, which compiles far faster."""
        d = self.cutting.dimension
        s = self.touch(c).place
        moving, distance = ufl.variable(share(c.rate(s))), share(s)[2]
        h, opening = film_transition(distance, c.par("least"))
        e, places = self.axes(c, self.places(c, 1)), self.places(c, 0)
        stretch = self.gradient(c, [ufl.as_vector([*x, *[0] * (3 - d)]) for x in places])
        turned = share(ufl.as_vector([dot(a, e[k]) for a in stretch for k in (0, 1)]))
        U = [-turned[2 * k] * moving[0] - turned[2 * k + 1] * moving[1] for k in range(d - 1)]
        return s, moving, h, moving[2] * opening, distance, ufl.as_vector(U)

    def passing(self, c, h, p):
        """See ``functional.passing``."""
        return passing(h, self.lubricant.at(p, law_symbols(c, self.lubricant, "lubricant")))

    def loads(self, c, motion, share=identity):
        """Force on the first solid in the axes of the point, Pa."""
        _, moving, h, rate, _, U = motion
        p, slope = self.over_facet(c, c.split(c.q)[2], share)
        acting = self.cavitation.acting(p)
        L = functional(acting * p, acting * slope, self.passing(c, h, p), rate, U)
        return share(diff(L, moving))

    def work(self, c, share=identity):
        """Virtual work of the film on both solids."""
        motion = self.motion(c, share)
        force = self.loads(c, motion, share)
        return -c.distributed["weight"] * dot(force, c.along(motion[0])) * c.dx(self.degree)

    def residual(self, c):
        _, _, h, rate, _, U = self.motion(c, c.shared)
        p, slope = self.over_facet(c, c.split(c.q)[2], c.shared)
        q, along = self.over_facet(c, c.split(c.test)[2])
        P, G = ufl.variable(p), ufl.variable(slope)
        L = functional(P, G, self.passing(c, h, p), rate, U)
        form = diff(L, P) * q + dot(diff(L, G), along)
        pressures, tests = (c.split(z)[2] for z in (c.q, c.test))
        pinned = c.par("pinned")
        form -= total(pinned[k] * pressures[k] * tests[k] for k in range(len(pressures)))
        return c.distributed["weight"] * form * c.dx(self.degree) + self.work(c, c.shared)

    def observables(self, c):
        weight, degree = c.distributed["weight"], self.degree
        motion = self.motion(c)
        force, distance = self.loads(c, motion), motion[4]
        e = self.axes(c, self.places(c, 1))
        on_first = total(force[k] * e[k] for k in range(3))
        moment = ufl.cross(self.combined(c, "N", self.places(c, 0)), on_first)
        # nothing feeds it, the rim being at ambient pressure: what the bodies lose is heat
        lost = c.taken(self.work(c))

        def over(expression, unit, what, *more):
            return Observable({degree: weight * expression}, unit, what, *more)

        loads = load_observables(on_first, moment, "first solid", "about the origin")
        shown = {
            "normal_force": over(force[2], "N", "force across the film"),
            **{n: over(o.expression, o.unit, o.description) for n, o in loads.items()},
            "power_loss": Observable(lost, "W", "power the film turns into heat", "power.film"),
            "film_power": Observable(
                lost, "W", "power that the bodies lose to the film", "power.to_films", False
            ),
            "area": over(ufl.as_ufl(1.0), "m^2", "of the facets opposite to the other solid"),
            "min_film": Observable(
                {degree: weight * distance * c.par("share") + c.par("absent")}, "m",
                "least of the mean distances of facets", least=True,
            ),
        }  # fmt: skip
        u = [*c.split(c.q)[0], *c.split(c.q)[1]]
        internals = {f"u{k}": {degree: x} for k, x in enumerate(u)}
        return shown | internal(internals | {"stepping": {degree: c.globals[1]}})

    # --- after a step ---------------------------------------------------------------------------
    def pair(self, parameters, x, y) -> None:
        """Write the numbers of all points of facets that lie at x and y."""
        super().pair(parameters, x, y)
        (own, _), d, k = self.cutting.nodes, self.cutting.dimension - 1, self.cutting.points
        cell, degree = self.cutting.cell, self.cutting.degree
        X = in_space(self.column(parameters, "X"), d + 1)
        N = self.column(parameters, "N").reshape(len(X), k, own)
        xi = N @ np.array(reference.lattice(cell, degree))  # coordinates are linear functions
        D = shapes(cell, degree, xi)[1]
        tangents = np.einsum("ckna,cnx->ckxa", D, X)
        R = np.linalg.qr(tangents)[1]
        G = np.einsum("ckna,ckab->cknb", D, np.linalg.inv(R))
        self.column(parameters, "G")[:] = G.reshape(len(X), self.sizes()["G"])
        weights = basix.make_quadrature(basix.CellType.interval, self.degree)[1]
        area = self.column(parameters, "weight") @ weights
        self.column(parameters, "share")[:] = np.divide(
            1.0, area, out=np.zeros_like(area), where=area > 0
        )
        self.column(parameters, "absent")[:] = np.where(area > 0, 0.0, FAR)


@dataclass(frozen=True)
class FilmNodesKind(Kind):
    """The corners of a facet of the first solid: fields are their pressures and what complements
    them. Where nothing lies opposite the pressure is pinned to the ambient one.

    Args:
        corners: of a facet.
        cavitation: model.
    """

    corners: int = 4
    cavitation: type[Cavitation] = Full

    feeds_energy = False
    called = "nodes of a film between two solids"

    @property
    def parameters(self):  # type: ignore[override]
        return {"area": (self.corners,), "pin": (), "pressure_unit": (), "rate_unit": ()}

    def fields(self):
        names = ("pressure", "inflow") if self.cavitation.complementary else ("pressure",)
        return dict.fromkeys(names, (self.corners,))

    def residual(self, c):
        if not self.cavitation.complementary:
            states = [(c.q[k], c.test[k]) for k in range(self.corners)]
            each = [c.par("pin") * p * q for p, q in states]
        else:
            (p, r), (q, w) = c.split(c.q), c.split(c.test)
            each = [
                c.par("pin") * p[k] * q[k]
                + complemented(c, self.cavitation, (p[k], r[k]), (q[k], w[k]))
                for k in range(self.corners)
            ]
        return total(c.par("area")[k] * x for k, x in enumerate(each)) * c.dx()
