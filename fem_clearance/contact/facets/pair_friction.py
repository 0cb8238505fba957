"""Friction with memory between two elastic solids, kept at the nodes of one side.

The points where facets meet move along both bodies, so that what friction remembers is kept at the
nodes of the first side, as deflections Z along the surface. In a step a node has the mean slide D
and the mean pressure P over its shape function N (mortar method), and from these the law, an
implicit Euler step from Z at the start, makes the traction F at the node:

    int N (D - d) dA = 0,    int N (P - p) dA = 0,    t = sum N F(D, Z_n, P),

with the slide d of a point since the start of the step. The unknown is the trial Z_n + D, which
stays as it is where the next step begins. Work of the tractions is then sum A F.D
with the nodes' areas A: springs at the nodes give back what they were given, and no node holds more
than Coulomb's law lets it.

In the plane there is one direction along the surface, and Z, D and F are numbers. In space they are
vectors in the axes of the undeformed first solid, so that all facets that meet at a node can use
them. A facet of the first side rotates them by its own rotation R: with the components of s along
the surface, d = R^T Q (s - s_n), and the traction there is Q^T R F. R^T Q is held constant during a
step. Rigid motions of both solids together do not change it, and the tangent of sticking friction
remains symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl

from ...bodies.solids.facets import FacetSet
from ...core.blocks import Block
from ...core.observables import Observable
from ...core.roles import Algebraic
from ...core.symbols import total
from ..forms import law_symbols, touching
from ..laws.normal import indicator
from ..laws.stick import Return, at_start, returned, stretch
from .contact import facet_size
from .cuts import shapes
from .friction import grown
from .pair_kind import NodalPairKind, in_space

#: slide by the size of a facet, below which its equations are not resolved further
FINE = 1e-4
#: part of the limit by which a node that slips would exceed it, and the depth in m at which a node
#: touches, at least
MARGIN, TOUCH = 1e-6, 1e-12


@dataclass(frozen=True)
class RememberingPairKind(NodalPairKind):
    """Two facets whose friction remembers; further fields are values at the nodes of the first:
    trials Z_n + D, the pressure P, deflections Z and, where it sticks, the coefficient in force."""

    @property
    def ways(self) -> int:
        """Number of components of a vector along the surface."""
        return 1 if self.cutting.dimension == 2 else 3

    @property
    def names(self) -> list[str]:
        """Names of the fields at the nodes."""
        ways = range(self.ways)
        names = [f"trial{k}" for k in ways] + ["load"] + [f"kept{k}" for k in ways]
        return names + ["mu"] * self.sticks

    @property
    def nodal(self):
        return [self.cutting.nodes[0]] * len(self.names)

    @property
    def label(self):
        return f"{super().label}, friction by {self.friction.__name__}"

    def sizes(self):
        carried = {"carried": self.cutting.points * 6} if self.cutting.dimension == 3 else {}
        return super().sizes() | carried

    # --- forms ----------------------------------------------------------------------------------
    def node_values(self, c, state) -> dict[str, Any]:
        """Values at the nodes, by name (``state`` = ``c.q``)."""
        return dict(zip(self.names, c.split(state)[2:], strict=True))

    def law_at(self, c, k: int) -> tuple[Any, Any, Any]:
        """Traction at a node, its deflection at the end of the step, and 1 if the coefficient of
        sliding is in force then, else 0."""
        now, before = self.node_values(c, c.q), self.node_values(c, c.q_n)
        p, ways = law_symbols(c, self.friction, "friction"), range(self.ways)
        # of curved facets that touch at one end the mean over a quadratic function may be negative
        load = ufl.max_value(now["load"][k], 0)
        trial = ufl.as_vector([now[f"trial{i}"][k] for i in ways])
        old = ufl.as_vector([before[f"kept{i}"][k] for i in ways])
        velocity = (trial - old) * c.per_step
        if self.sticks:
            m: Return = returned(trial, velocity, 0 * old, before["mu"][k] * load, p)
            kept = m.slips * stretch(c, m, old, p) + (1 - m.slips) * trial
            # at the limit itself, and without load, round-off must not decide: these do not slip
            slips = ufl.And(
                ufl.gt(m.excess, MARGIN * before["mu"][k] * load),
                ufl.gt(load, TOUCH * c.par("law.k")),
            )
            return m.force, kept, indicator(slips)
        z, rate = grown(c, self.friction, velocity, old, touching(load), p)
        return load * self.friction.drag(z, rate, velocity, p), z, 0

    def drag(self, c, at, pressure):
        F = [self.law_at(c, k)[0] for k in range(self.cutting.nodes[0])]
        parts = [self.at_point(c, 0, [f[i] for f in F]) for i in range(self.ways)]
        if self.cutting.dimension == 2:
            return ufl.as_vector([*parts, 0, 0])
        turn = c.distributed["carried"]
        along = [total(turn[2 * i + k] * parts[i] for i in range(3)) for k in range(2)]
        return ufl.as_vector([*along, 0])

    def slide(self, c, at) -> list[Any]:
        """Sliding of a point since the start of the step, m, in the axes of the values at the
        nodes."""
        slid = at.place - at_start(c, at.place)
        if self.cutting.dimension == 2:
            return [slid[0]]
        turn = c.distributed["carried"]
        return [turn[2 * i] * slid[0] + turn[2 * i + 1] * slid[1] for i in range(3)]

    def residual(self, c):
        at, count = self.touch(c), range(self.cutting.nodes[0])
        now, before, tests = (self.node_values(c, z) for z in (c.q, c.q_n, c.test))
        slid = self.slide(c, at)
        laws = [self.law_at(c, k) for k in count]
        wanted: dict[str, list[Any]] = {"load": [self.pressure(c, at) for _ in count]}
        for i in range(self.ways):
            wanted[f"trial{i}"] = [before[f"kept{i}"][k] + slid[i] for k in count]
            wanted[f"kept{i}"] = [kept[i] for _, kept, _ in laws]
        free = dict.fromkeys(self.names, 0)
        if self.sticks:
            p = law_symbols(c, self.friction, "friction")
            wanted["mu"] = [x * p.mu_d + (1 - x) * p.mu_s for *_, x in laws]
            free["mu"] = p.mu_s
        form = super().residual(c)
        # of the trials in N: the tangent of what sticks is symmetric
        unit = -p.stiffness if self.sticks else 1
        for name in self.names:
            scale = unit if name.startswith("trial") else 1
            rows = [scale * (now[name][k] - wanted[name][k]) for k in count]
            idle = [scale * (now[name][k] - free[name]) for k in count]
            form += self.weighed(c, rows, tests[name], idle)
        return form

    # --- after a step ---------------------------------------------------------------------------
    def pair(self, parameters, x, y):
        super().pair(parameters, x, y)
        if self.cutting.dimension == 3:
            self._carry(parameters, x, y)

    def _carry(self, parameters, x, y) -> None:
        """Store R^T Q at the points of facets whose nodes are at ``x`` and those opposite at ``y``,
        m."""
        carried = self.at_points(parameters, "carried")
        carried[:] = 0.0
        near = np.flatnonzero(self.column(parameters, "weight").any(axis=1))
        if not len(near):
            return
        X = in_space(self.column(parameters, "X")[near], 3)
        middle = np.full((1, 2), 1 / 3 if self.cutting.cell == "triangle" else 0.5)
        D = shapes(self.cutting.cell, self.cutting.degree, middle)[1][0]
        own, start = (with_normal(np.einsum("na,cnx->cax", D, z)) for z in (x[near], X))
        # the rotation in the deformation F = own start^-1 of the facet and its normal
        U, _, V = np.linalg.svd(np.linalg.solve(start, own))  # rows are vectors: F^T
        back = U @ V  # R^T
        t = self.tangents(parameters[near], y[near])
        t[:, :, 0] /= np.linalg.norm(t[:, :, 0], axis=2)[..., None]
        n = np.cross(t[:, :, 0], t[:, :, 1])
        t[:, :, 1] = np.cross(n / np.linalg.norm(n, axis=2)[..., None], t[:, :, 0])
        carried[near] = np.einsum("cxz,ckaz->ckxa", back, t).reshape(len(near), -1, 6)

    # --- what is shown --------------------------------------------------------------------------
    def observables(self, c):
        shown = super().observables(c)
        if not self.sticks:
            return shown
        laws = [self.law_at(c, k) for k in range(self.cutting.nodes[0])]
        p, before = law_symbols(c, self.friction, "friction"), self.node_values(c, c.q_n)["mu"]
        load = self.node_values(c, c.q)["load"]
        # judged by tractions: a node that slipped in an earlier step may remain at the limit
        least = [(1 - MARGIN) * before[k] * ufl.max_value(load[k], 0) for k in range(len(laws))]
        within = [
            indicator(ufl.lt(ufl.dot(F, F), z**2)) for (F, *_), z in zip(laws, least, strict=True)
        ]
        held = self.at_point(c, 0, within) * self.touches(c, self.touch(c))
        energy = self.at_point(c, 0, [p.stiffness * ufl.dot(z, z) / 2 for _, z, _ in laws])
        weight, d = c.distributed["weight"], self.degree
        return shown | {
            "stuck_area": Observable({d: weight * held}, "m^2", "that sticks"),
            "sticking_energy": Observable(
                {d: weight * energy}, "J", "energy of sticking springs", "energy.contact", False
            ),
        }


def with_normal(t: np.ndarray) -> np.ndarray:
    """Pairs of tangents, (pairs, 2, 3), with their unit normal as third row, (pairs, 3, 3)."""
    n = np.cross(t[:, :1], t[:, 1:])
    return np.concatenate([t, n / np.linalg.norm(n, axis=2, keepdims=True)], axis=1)


def add_memory(
    builder, owner: str, kind: RememberingPairKind, facets: FacetSet, own: dict[str, float]
) -> list[Block]:
    """The fields of the facets' nodes."""
    count, size = len(facets.nodes), facet_size(facets)
    area, pressure = facets.area / count, own["law.k"] * FINE * size
    blocks = []
    for name in kind.names:
        unit = {"load": pressure, "mu": 1.0}.get(name, FINE * size)
        start = np.full(count, own["friction.mu_s"] if name == "mu" else 0.0)
        stiffness = own["friction.stiffness"] if kind.sticks and name.startswith("trial") else 1.0
        role = Algebraic(
            f"{name} of friction", unit=unit, counts_forces=True, persistent=True,
            force_floor=stiffness * unit * area,
        )  # fmt: skip
        block = Block(owner, name, start, role)
        builder.add_block(block)
        blocks.append(block)
    return blocks
