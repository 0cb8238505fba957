"""Facets of one solid on facets of another: a cell is a pair of facets that may overlap.

The quadrature points of a cell lie where the two facets overlap (cuts.py). Each carries the numbers
of the shape functions of both sides, which stay as they are in a step:

    x = sum N_A (X_A + u_A),    y = sum M_B (Y_B + w_B),    s = Q^T (x - y),

with the axes Q of the other side at y, its outward normal last. s is a function of both solids'
unknowns that no rigid motion of the two changes: linear and angular momentum are kept, and the
tangent is exact, whatever the points. After the step they are found anew.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import basix.ufl
import numpy as np
import ufl

from ...core.mixins import LimitedValidity, UpdatesParameters
from ...core.observables import Observable, internal
from ...core.symbols import DistributedParameters, total
from ...errors import StepFailed
from ..forms import length, load_observables
from ..placements.touch import Touch
from ..resistance import Sliding
from .contact import Pressing, Winkler
from .cuts import FAR, Cutting

logger = logging.getLogger(__name__)

#: how far facets that face each other move in a step, by the smaller of their sizes
LONGEST = 0.5
#: speed in m/s below which nothing is worn off
RESTING = 1e-12
#: part of its area by which a node counts that lies opposite to nothing
SMALL = 1e-12


@dataclass(frozen=True)
class PairKind(Pressing, DistributedParameters, UpdatesParameters, LimitedValidity):
    """A facet of one solid and a facet of another; fields are the displacements of their nodes.

    Args:
        cutting: how the facets are cut.
        law: class of the pressure.
        friction: class of a law of the sliding velocity, or ``None``.
        worn: whether each side wears; further fields are the depths of those nodes.
    """

    cutting: Cutting = Cutting()
    law: Any = Winkler
    friction: Any = None
    worn: tuple[bool, bool] = (False, False)

    cell = "interval"
    feeds_energy = False
    describes_state = True

    @property
    def label(self):
        c = self.cutting
        sides = f"{c.cell} of degree {c.degree} on {c.other} of degree {c.other_degree}"
        return f"facets on facets, {sides}"

    @property
    def degree(self) -> int:  # type: ignore[override]
        """Of the quadrature on the interval, which has as many points as a pair of facets."""
        return 2 * self.cutting.points - 1

    @cached_property
    def resistance(self) -> Sliding | None:
        """How friction acts; ``None`` without."""
        return Sliding(self.friction) if self.friction else None

    @property
    def parameters(self):  # type: ignore[override]
        (own, other), d = self.cutting.nodes, self.cutting.dimension
        names: dict[str, tuple[int, ...]] = {"X": (own, d), "Y": (other, d)}
        names |= {f"law.{n}": () for n in self.law.parameters}
        if self.resistance:
            names |= self.resistance.parameters
        names |= {f"wear{k}": () for k in (0, 1) if self.worn[k]}
        return names | {n: (size,) for n, size in self.sizes().items()}

    @property
    def history(self):  # type: ignore[override]
        return {"sides": (2,), "thickness": (), "reach": (), "apart": (3,)}

    @property
    def nodal(self) -> list[int]:
        """Sizes of further fields, a value at each node of a side."""
        return [n for n, worn in zip(self.cutting.nodes, self.worn, strict=True) if worn]

    def element(self, cell):
        sizes = [n * self.cutting.dimension for n in self.cutting.nodes] + self.nodal
        parts = [basix.ufl.element("DG", cell, 0, shape=(n,)) for n in sizes]
        return basix.ufl.mixed_element(parts)

    def sizes(self) -> dict[str, int]:
        """How many numbers the points of a cell have of each sort."""
        return self.cutting.sizes()

    def distributed(self, cell):
        points, result = self.cutting.points, {}
        for name, size in self.sizes().items():
            shape = () if name == "weight" else (size // points,)
            result[name] = basix.ufl.quadrature_element(cell, shape, degree=self.degree)
        return result

    # --- forms ----------------------------------------------------------------------------------
    def places(self, c, side: int):
        """Present places of the nodes of a facet, vectors of the solids' dimension, m."""
        X, u, d = c.par("XY"[side]), c.split(c.q)[side], self.cutting.dimension
        count = self.cutting.nodes[side]
        return [[X[k, i] + u[d * k + i] for i in range(d)] for k in range(count)]

    def combined(self, c, name: str, nodes, start: int = 0, step: int = 1):
        """Places of nodes combined by the numbers of a point, in space."""
        numbers, d = c.distributed[name], self.cutting.dimension
        vector = [
            total(numbers[start + step * k] * x[i] for k, x in enumerate(nodes)) for i in range(d)
        ]
        return ufl.as_vector(vector + [0] * (3 - d))

    def axes(self, c, nodes):
        """Axes of the other side at the point: along it, and its outward normal."""
        d = self.cutting.dimension - 1
        t = [self.combined(c, "D", nodes, k, d) for k in range(d)]
        first = t[0] / ufl.sqrt(ufl.dot(t[0], t[0]))
        if d == 1:
            return first, ufl.as_vector([0, 0, 1]), ufl.as_vector([first[1], -first[0], 0])
        n = ufl.cross(t[0], t[1])
        n /= ufl.sqrt(ufl.dot(n, n))
        return first, ufl.cross(n, first), n

    def touch(self, c) -> Touch:
        """How a point lies on the other side; components are along the axes of that."""
        nodes = self.places(c, 1)
        apart = self.combined(c, "N", self.places(c, 0)) - self.combined(c, "M", nodes)
        s = ufl.as_vector([ufl.dot(apart, e) for e in self.axes(c, nodes)])
        rate, inward = c.rate(s), ufl.as_vector([0, 0, -1])
        sliding = ufl.as_vector([rate[0], rate[1], 0])
        depth = -s[2]
        for side, lost in self.depths(c, c.v):
            depth -= self.at_point(c, side, lost)
        return Touch(depth, -rate[2], inward, inward, sliding, place=s)

    def depths(self, c, state):
        """The sides that wear, and the fields of their nodes' depths (``state`` = ``c.v``)."""
        sides = [k for k in (0, 1) if self.worn[k]]
        return zip(sides, c.split(state)[2 : 2 + len(sides)], strict=True)

    def at_point(self, c, side: int, values):
        """Values of nodes of a side at the point."""
        numbers = c.distributed["NM"[side]]
        return total(numbers[k] * values[k] for k in range(self.cutting.nodes[side]))

    def residual(self, c):
        at = self.touch(c)
        pressure = self.pressure(c, at)
        traction = pressure * at.gradient + self.drag(c, at, pressure)
        virtual = ufl.dot(traction, c.along(at.place))
        for side, test in self.depths(c, c.test):
            worn = c.par(f"wear{side}") * pressure * length(at.sliding, RESTING)
            virtual -= worn * self.at_point(c, side, test)
        return c.distributed["weight"] * virtual * c.dx(self.degree)

    def observables(self, c):
        at, d = self.touch(c), self.degree
        weight = c.distributed["weight"]
        pressure = self.pressure(c, at)
        drag = self.drag(c, at, pressure)
        traction = pressure * at.gradient + drag
        e = self.axes(c, self.places(c, 1))
        force = total(traction[k] * e[k] for k in range(3))
        moment = ufl.cross(self.combined(c, "N", self.places(c, 0)), force)

        def over(expression, unit, what, *more):
            return Observable({d: weight * expression}, unit, what, *more)

        loads = load_observables(force, moment, "second solid", "about the origin")
        shown = self.shown(c, at, pressure, drag, over)
        shown |= {n: over(o.expression, o.unit, o.description) for n, o in loads.items()}
        u = [*c.split(c.q)[0], *c.split(c.q)[1]]
        # by dv/dq: 0 in equilibrium, where rates do not follow from coordinates
        internals = {f"u{k}": {d: x} for k, x in enumerate(u)} | {"stepping": {d: c.globals[1]}}
        return shown | internal(internals)

    # --- after a step ---------------------------------------------------------------------------
    def update(self, parameters, observed):
        """Find the points anew."""
        x, y = self.nodes_now(parameters, observed)
        X, Y = (in_space(self.column(parameters, n), self.cutting.dimension) for n in "XY")
        moved = x.mean(axis=1) - y.mean(axis=1) - (X.mean(axis=1) - Y.mean(axis=1))
        reach, far = self.column(parameters, "reach"), np.linalg.norm(moved, axis=1)
        if np.any(far > reach):
            k = int(np.argmax(far - reach))
            raise StepFailed(
                f"facets have moved by {far[k]:.3g} m relative to facets of the other solid, "
                f"further than reach= {reach[k]:.3g} m permits; give the contact a larger "
                "reach=, or leave it out."
            )
        slid = self.slid(parameters, x, y) * (observed["area"] > 0)
        if slid.max(initial=0.0) > LONGEST and not np.any(observed["stepping"]):
            logger.warning(
                "statics: facets in contact moved by %.2g of their size along facets of the other "
                "solid in a load step, whose points in contact are those of its start: for the "
                "results at loads before the last, take more steps.", slid.max(),
            )  # fmt: skip
        self.pair(parameters, x, y)

    def exceeds_validity(self, parameters, observed):
        """Whether facets that are near have moved past each other by more than a part of their
        size."""
        slid = self.slid(parameters, *self.nodes_now(parameters, observed))
        return bool(slid.max(initial=0.0) > LONGEST)

    def slid(self, parameters, x, y) -> np.ndarray:
        """How far facets have moved by each other since they were paired, by the smaller of their
        sizes, (cells,); 0 of those that were nowhere near on the straight path from there."""
        before = self.column(parameters, "apart")
        moved = x.mean(axis=1) - y.mean(axis=1) - before
        size = np.linalg.norm(moved, axis=1)
        part = -np.einsum("cx,cx->c", before, moved) / np.maximum(size**2, 1e-300)
        closest = np.linalg.norm(before + np.clip(part, 0, 1)[:, None] * moved, axis=1)
        sizes = np.stack([np.linalg.norm(z[:, 1] - z[:, 0], axis=1) for z in (x, y)])
        return (closest < FAR * sizes.sum(axis=0)) * size / sizes.min(axis=0)

    def nodes_now(self, parameters, observed) -> list[np.ndarray]:
        """Places of the nodes of either side, m, (cells, nodes, 3)."""
        (own, other), d = self.cutting.nodes, self.cutting.dimension
        u = np.stack([observed[f"u{k}"] for k in range((own + other) * d)], axis=1)
        moved = np.split(u, [own * d], axis=1)
        return [
            in_space(self.column(parameters, n) + z, d) for n, z in zip("XY", moved, strict=True)
        ]

    def pair(self, parameters, x, y) -> None:
        """Write the numbers of all points of facets that lie at x and y."""
        X = in_space(self.column(parameters, "X"), self.cutting.dimension)
        found = self.cutting.cut(x, y, X, self.column(parameters, "sides"))
        weights = basix.make_quadrature(basix.CellType.interval, self.degree)[1]
        found["weight"] *= self.column(parameters, "thickness")[:, None] / weights
        found["apart"] = x.mean(axis=1) - y.mean(axis=1)
        for name, value in found.items():
            rows = self.column(parameters, name)
            rows[:] = value.reshape(rows.shape)

    def at_points(self, parameters, name: str) -> np.ndarray:
        """The parameter ``name`` at the points, (cells, points, entries of a point)."""
        points = self.cutting.points
        each = self.sizes()[name] // points
        return self.column(parameters, name).reshape(len(parameters), points, each)

    def tangents(self, parameters, y) -> np.ndarray:
        """Tangents at the points of the other side, whose nodes are at ``y``, (cells, points,
        dimension - 1, 3)."""
        M = self.at_points(parameters, "M")
        D = self.at_points(parameters, "D").reshape(*M.shape, self.cutting.dimension - 1)
        return np.einsum("ckna,cnx->ckax", D, y)

    def openings(self, parameters, x, y, nodal) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places of the points that stand for some area, m, (points, 3), their gaps, m, and values
        there of what the first side's nodes have, (cells, nodes); of cells whose nodes lie at x and
        y, as ``pair``."""
        N = self.at_points(parameters, "N")
        place = np.einsum("ckn,cnx->ckx", N, x)
        apart = place - np.einsum("ckn,cnx->ckx", self.at_points(parameters, "M"), y)
        t = self.tangents(parameters, y)
        plane = self.cutting.dimension == 2
        n = np.cross(t[:, :, 0], [0.0, 0.0, 1.0] if plane else t[:, :, -1])
        gap = np.einsum("ckx,ckx->ck", apart, n) / np.linalg.norm(n, axis=2)
        some = self.at_points(parameters, "weight")[..., 0] > 0
        return place[some], gap[some], np.einsum("ckn,cn->ck", N, nodal)[some]


@dataclass(frozen=True)
class NodalPairKind(PairKind):
    """The same with unknowns at the nodes of the first side, whose equations are integrals over the
    points; ``share`` is a part of a node's area, m^2."""

    @property
    def parameters(self):  # type: ignore[override]
        return {**super().parameters, "share": ()}

    def weighed(self, c, rows, tests, idle):
        """Equations of the nodes, ``rows``, taken by the functions of the nodes at the points.

        Where no point has any area, the equations are those of ``idle``, times a part of the
        node's area so small that it does not count elsewhere.
        """
        N, weight = c.distributed["N"], c.distributed["weight"]
        count = range(self.cutting.nodes[0])
        here = total(weight * N[k] * rows[k] * tests[k] for k in count)
        rest = total(idle[k] * tests[k] for k in count)
        return (here + SMALL * c.par("share") * rest) * c.dx(self.degree)


def in_space(rows: np.ndarray, dimension: int) -> np.ndarray:
    """Rows of x, y(, z) after x, y(, z) as (cells, nodes, 3)."""
    nodes = rows.reshape(len(rows), rows.shape[1] // dimension, dimension)  # of no rows, too
    return np.concatenate([nodes, np.zeros((*nodes.shape[:2], 3 - dimension))], axis=2)
