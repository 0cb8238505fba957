"""Expansion of heated solids: displacements and stresses under given temperatures.

A linear elastic body of the expansion alpha takes, without tractions, the displacement of::

    int sigma(u) : eps(v) dV = int 3 K alpha (T - T_0) div v dV

with the bulk modulus K; its stress is sigma(u) - 3 K alpha (T - T_0) 1. The stiffness is that of
the ``Solid`` at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

from ... import checks
from ...bodies.materials import StVenantKirchhoff
from ...bodies.solids.condensed import alone
from ...bodies.solids.facets import FacetSet
from ...bodies.solids.responses import Matrices
from ...bodies.solids.solid import Solid
from ...bodies.solids.stress import nodal_means
from ...meshes import cells as reference
from ...meshes.mesh import Mesh


@dataclass(frozen=True)
class Expansion:
    """How a heated solid expands. See docs/thermal.md.

    Example:
        >>> steel = Expansion(12e-6, E=2.07e11, nu=0.3, held=["rim"])
        >>> HeatedSolid(mesh, 50.0, 3.6e6, cooled={"rim": (736.0, 323.0)}, expansion=steel)

    Args:
        coefficient: coefficient of linear expansion, 1/K.
        E, nu: Young's modulus, Pa, and Poisson's ratio.
        held: facet sets that do not move; default: none, the solid expands freely.
        rests: facet set whose mean rigid motion is zero if the solid expands freely, such as the
            pivot of a pad; default: the facets under the film.

    Raises:
        InputError: numbers out of range.
    """

    coefficient: float
    E: float = field(kw_only=True)
    nu: float = field(kw_only=True)
    held: Sequence[str] = field(default=(), kw_only=True)
    rests: str | None = field(default=None, kw_only=True)

    def __post_init__(self):
        checks.non_negative("Expansion: coefficient", self.coefficient)
        checks.positive("Expansion: E", self.E)
        checks.within("Expansion: nu", self.nu, 0.0, 0.49)

    @property
    def stress(self) -> float:
        """Pressure in a body that cannot expand, per rise of its temperature, Pa/K."""
        return self.coefficient * self.E / (1 - 2 * self.nu)


class Expanding:
    """A mesh of hexahedra that expands.

    Args:
        mesh: whose nodes have temperatures.
        expansion: its law.
        bore: facet set under the film.
    """

    def __init__(self, mesh: Mesh, expansion: Expansion, bore: str):
        self.mesh, self.expansion = mesh, expansion
        law = StVenantKirchhoff(E=expansion.E, nu=expansion.nu, rho=1.0)
        solid = Solid(mesh, law, degree=2, name="heated solid", free=True)
        self.solid, self.state, self._whole, _ = alone(solid)
        self.facets = FacetSet(self.solid, bore, mesh.facet_set(bore, "HeatedSolid"))
        self._places = self.solid.displacement(np.arange(len(self.solid.nodes))[:, None]).numbers
        held = [self.solid.facets(name).nodes for name in expansion.held]
        self._held = np.concatenate(held) if held else np.zeros(0, int)

    def displacements(self, temperatures: np.ndarray) -> np.ndarray:
        """Of the nodes of the solid, m, (nodes, 3, k), by rises of temperature at the nodes of the
        mesh, K, (n, k)."""
        load = self._loads @ temperatures
        keep = np.setdiff1d(np.arange(self._whole.size), self._places[self._held])
        K = self._whole.K if len(self._held) else self._whole.K + self._supports()
        matrices = Matrices(K[keep][:, keep], self._whole.M[keep][:, keep])
        found = np.zeros_like(load)
        for k, column in enumerate(load.T):
            found[keep, k] = matrices.solve(column[keep])
        u = found[self._places]
        return u if len(self._held) else self._at_rest(u)

    def along_normal(self, displacements: np.ndarray) -> np.ndarray:
        """Displacements (nodes, 3, k) into the solid, away from the film, at all nodes (0 off the
        bore), m, (nodes, k)."""
        facets = self.facets
        spots = reference.lattice(reference.FACET[self.mesh.cell], 2)
        _, there = facets.normals(tuple(map(tuple, spots)))
        normals = np.zeros((len(self.solid.nodes), 3))
        np.add.at(normals, facets.cells, -there * facets.outward[:, None, None])
        mine = facets.nodes
        normals[mine] /= np.linalg.norm(normals[mine], axis=1)[:, None]
        return np.einsum("nx,nxk->nk", normals, displacements)

    def stress(self, displacement: np.ndarray, rise: np.ndarray) -> np.ndarray:
        """Cauchy stress at the nodes of the solid, Pa, (nodes, 3, 3).

        Args:
            displacement: of these nodes, m, (nodes, 3).
            rise: of the temperature at the nodes of the mesh, K.
        """
        self.state.q[self._places] = displacement
        total = nodal_means(self.solid, self.state, "stress")
        assert total is not None
        return total - self.expansion.stress * self.at_nodes(rise)[:, None, None] * np.eye(3)

    def at_nodes(self, values: np.ndarray) -> np.ndarray:
        """Values at the nodes of the solid, of those at the nodes of the mesh."""
        mesh, spots = self.mesh, reference.lattice(self.mesh.cell, 2)
        shapes = reference.shape_functions(mesh.cell, mesh.degree, tuple(map(tuple, spots)))[0]
        result = np.zeros(len(self.solid.nodes))
        result[self.solid.cells] = values[mesh.cells] @ shapes.T
        return result

    @property
    def _loads(self) -> csr_matrix:
        """Forces on the unknowns by temperatures of the mesh's nodes, N/K."""
        mesh, solid = self.mesh, self.solid
        points, weights = reference.quadrature(mesh.cell, 5)
        geometry = reference.shape_functions(mesh.cell, mesh.degree, points)
        slopes = reference.shape_functions(mesh.cell, 2, points)[1:]
        J = np.einsum("dpn,mnx->mpxd", geometry[1:], mesh.points[mesh.cells])
        volume = np.abs(np.linalg.det(J)) * weights * self.expansion.stress
        slopes = np.einsum("dpn,mpdx->mpnx", slopes, np.linalg.inv(J))
        entries = np.einsum("mp,mpix,pj->mixj", volume, slopes, geometry[0])
        rows = np.broadcast_to(self._places[solid.cells][..., None], entries.shape)
        cols = np.broadcast_to(mesh.cells[:, None, None], entries.shape)
        shape = (self._whole.size, len(mesh.points))
        return csr_matrix((entries.ravel(), (rows.ravel(), cols.ravel())), shape)

    def _supports(self) -> csr_matrix:
        """Springs at three nodes that hold a free body, statically determinate: loads that balance,
        as those of a temperature do, leave them without force."""
        x = self.solid.nodes
        a = int(np.argmin(x @ (1.0, 1.01, 1.02)))
        b = int(np.argmax(np.linalg.norm(x - x[a], axis=1)))
        along = (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])
        off = x - x[a] - np.outer((x - x[a]) @ along, along)
        c = int(np.argmax(np.linalg.norm(off, axis=1)))
        across = np.cross(along, off[c] / np.linalg.norm(off[c]))
        blocks = (
            (a, np.eye(3)),
            (b, np.eye(3) - np.outer(along, along)),
            (c, np.outer(across, across)),
        )
        rows, cols, entries = [], [], []
        for node, block in blocks:
            at = self._places[node]
            rows.append(np.repeat(at, 3))
            cols.append(np.tile(at, 3))
            entries.append(self._whole.K.diagonal().mean() * block.ravel())
        place = np.concatenate(rows), np.concatenate(cols)
        return csr_matrix((np.concatenate(entries), place), self._whole.K.shape)

    def _at_rest(self, u: np.ndarray) -> np.ndarray:
        """Displacements less the rigid motion that is nearest to that of the nodes at rest."""
        name = self.expansion.rests
        mine = self.facets.nodes if name is None else self.solid.facets(name).nodes
        arm = self.solid.nodes - self.solid.nodes[mine].mean(axis=0)
        turns = [np.cross(axis, arm) for axis in np.eye(3)]
        moves = [np.broadcast_to(axis, arm.shape) for axis in np.eye(3)]
        rigid = np.stack([*moves, *turns], axis=2)
        basis = rigid[mine].reshape(-1, 6)
        part = np.linalg.lstsq(basis, u[mine].reshape(len(basis), -1), rcond=None)[0]
        return u - rigid @ part
