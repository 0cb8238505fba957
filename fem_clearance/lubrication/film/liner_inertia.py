"""Inertia and weight of a condensed liner that moves with its housing.

A point of the liner is x = r + D (X + u), with the origin r and the axes D of the film, and
u = sum_j psi_j(X) eta_j. It is a linear combination of the vectors c_a = (r, d_l, d_l eta_j), whose
factors are the functions b_a = (1, X_l, psi_lj) of the undeformed position X. With the density rho,
the kinetic energy of the liner is therefore

    T = 1/2 sum_ab (integral of rho b_a b_b) c_a'. c_b',

and by the eigenvectors of the matrix of these integrals it becomes a sum over as many mass points,
each of which lies at a combination of the c_a. Nothing is neglected: centrifugal, Coriolis and
Euler forces are included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl

from ...bodies.reduced.reduction import Whole
from ...bodies.solids.condensed import CondensedSolid
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.observables import Observable
from ...core.roles import Condensed
from ...core.symbols import total
from ...model.frame import Frame
from ...model.pair import SingleKind

#: part of the largest eigenvalue below which an eigenvalue counts as zero
NONE = 1e-13


@dataclass(frozen=True)
class LinerMassKind(SingleKind):
    """A mass point that represents the inertia of a liner, at ``share`` r + D (``place`` + u).

    Parameters: ``mass``, kg; ``share``, 1; ``place``, m, (3,). The field u, m, (3,), is a linear
    function of the liner's amplitudes.
    """

    called = "mass of a liner"

    feeds_energy = False
    conservative = True

    @property
    def own_parameters(self):
        return {"mass": (), "share": (), "place": (3,)}

    def fields(self):
        return super().fields() | {"u": (3,)}

    def place(self, c):
        """Position, m."""
        pose, u = self.pose(c), c.split(c.q)[1]
        at = c.par("place") + u
        return c.par("share") * pose.r + total(at[k] * pose.e(k + 1) for k in range(3))

    def residual(self, c):
        x = self.place(c)
        force = c.par("mass") * (c.second_rate(c.rate(x)) - c.par("share") * c.gravity)
        return ufl.dot(force, c.along(x)) * c.dx()

    def observables(self, c):
        x, mass = self.place(c), c.par("mass")
        v = c.rate(x)
        return {
            "kinetic_energy": Observable(
                mass / 2 * ufl.dot(v, v), "J", "kinetic energy", "energy.kinetic", False
            ),
            "potential_energy": Observable(
                -mass * c.par("share") * ufl.dot(c.gravity, x), "J",
                "potential energy of gravity", "energy.potential", False,
            ),
        }  # fmt: skip


def mass_points(places: np.ndarray, mass, shapes: np.ndarray):
    """Mass points that have the same kinetic energy as a body.

    Args:
        places: undeformed positions of the nodes, m, (n, 3).
        mass: sparse mass matrix of one component of the displacements, kg, (n, n).
        shapes: displacements of the nodes by amplitude, (n, 3, m).

    Returns:
        For s mass points: masses, kg, (s,), shares of r, (s,), places, m, (s, 3), and displacements
        by amplitude, (s, 3, m).
    """
    n, size = len(places), float(np.linalg.norm(places, axis=1).max())
    functions = np.column_stack([np.ones(n), places / size, shapes.reshape(n, -1)])
    norms = np.sqrt(np.einsum("na,na->a", functions, mass @ functions))
    scaled = functions / np.where(norms > 0, norms, 1.0)
    values, vectors = np.linalg.eigh(scaled.T @ (mass @ scaled))
    mine = values > NONE * values[-1]
    factors = (vectors[:, mine] * norms[:, None] / norms[0]).T
    moved = factors[:, 4:].reshape(-1, *shapes.shape[1:])
    return values[mine] * norms[0] ** 2, factors[:, 0], size * factors[:, 1:4], moved


def add_inertia(builder, solid: CondensedSolid, frame: Frame, axes: np.ndarray) -> None:
    """Register inertia and weight of a condensed solid in the axes of a frame.

    Args:
        builder: of the system.
        solid: the liner, which is already built; its nodes and displacements are in the axes.
        frame: frame that the liner moves with, and whose point is the origin.
        axes: at the start, by columns, (3, 3).
    """
    points = None
    if builder.comm.rank == 0:
        points = mass_points(solid.nodes, Whole(solid, None).mass, solid.responses)
    mass, share, place, moved = builder.comm.bcast(points)
    name, count = str(solid.name), len(mass)
    condensed = Condensed(master=solid.amplitudes, matrix=moved.reshape(3 * count, -1))
    block = Block(name, "mass_points", np.zeros(3 * count), condensed)
    builder.add_block(block)
    kind, pose = LinerMassKind(frame.kind), frame.parameters(axes)
    rows = [
        kind.pack_single(pose, mass=m, share=w, place=x)
        for m, w, x in zip(mass, share, place, strict=True)
    ]
    refs = [*frame.refs, Ref(block, np.arange(3 * count).reshape(-1, 3))]
    builder.add_cell(kind, Cell(name, refs, np.array(rows), count=count))
