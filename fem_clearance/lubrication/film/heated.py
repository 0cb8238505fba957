"""Bushes and pads that a film heats: the heat equation on their own mesh, condensed.

The temperatures of the mesh are sums of responses: those to heat at the bore that warm it most, a
uniform temperature (so that heat balances), and the modes that cool most slowly. Of responses that
are orthogonal in both matrices each has a heat capacity and a conductance.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csc_matrix, csr_matrix
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from ... import checks
from ...errors import InputError
from ...meshes import cells as reference
from ...meshes.mesh import Mesh
from ...meshes.tools import project

logger = logging.getLogger(__name__)

#: how far the film's nodes may lie off the bore, in edges of its facets
OFF = 0.1
#: part of a response, by the largest, below which it is a sum of others
SAME = 1e-12


class HeatResponses(NamedTuple):
    """A condensed solid.

    Attributes:
        shapes: temperature of each node by amplitude, (nodes, responses).
        capacity, conductance: of each response, J/K and W/K.
        excitation: heat that the surroundings bring to each at the supply's temperature, W.
        share: amplitudes of a uniform temperature of 1 K.
    """

    shapes: np.ndarray
    capacity: np.ndarray
    conductance: np.ndarray
    excitation: np.ndarray
    share: np.ndarray


@dataclass(frozen=True)
class HeatedSolid:
    """A solid that conducts heat, with the film on its bore.

    Example:
        >>> mesh = fc.meshes.hollow_cylinder(0.2, 0.35, 0.26, (48, 4, 6), degree=1)
        >>> HeatedSolid(mesh, 50.0, 3.6e6, cooled={"rim": (736.0, 323.0)})

    Args:
        mesh: of hexahedra, in the film's axes; its degree is that of the temperature.
        conductivity: of heat, W/(m K).
        heat_capacity: per volume, J/(m^3 K).
        cooled: facet set -> coefficient of heat transfer, W/(m^2 K), and temperature of the
            surroundings, K; other facets are insulated.
        facets: name of the facets under the film.
        responses: how many responses to heat at the bore are kept.
        modes: that cool most slowly, kept for changes in time.

    Raises:
        InputError: numbers out of range, no cooled facets, a mesh of other cells.
    """

    mesh: Mesh
    conductivity: float
    heat_capacity: float
    cooled: Mapping[str, tuple[float, float]] = field(kw_only=True)
    facets: str = field(default="bore", kw_only=True)
    responses: int = field(default=120, kw_only=True)
    modes: int = field(default=8, kw_only=True)

    def __post_init__(self):
        who = "HeatedSolid"
        if not isinstance(self.mesh, Mesh) or self.mesh.cell != "hexahedron":
            raise InputError(f"{who}: films need facets that are quadrilaterals: give hexahedra.")
        checks.positive(f"{who}: conductivity", self.conductivity)
        checks.positive(f"{who}: heat_capacity", self.heat_capacity)
        checks.count(f"{who}: responses", self.responses)
        checks.count(f"{who}: modes", self.modes)
        self.mesh.facet_set(self.facets, who)
        if not self.cooled:
            raise InputError(f"{who}: a solid that nothing cools has no steady temperature.")
        for name, (coefficient, temperature) in self.cooled.items():
            self.mesh.facet_set(name, who)
            checks.positive(f"{who}: coefficient of {name}", coefficient)
            checks.positive(f"{who}: temperature at {name}", temperature)

    # --- matrices -------------------------------------------------------------------------------
    def _facets(self, name: str) -> np.ndarray:
        """Nodes of each facet, (k, nodes)."""
        mesh = self.mesh
        table = reference.facet_nodes(mesh.cell, mesh.degree)
        facets = mesh.facet_set(name, "HeatedSolid")
        return mesh.cells[facets[:, :1], table[facets[:, 1]]]

    def _on_facets(self, name: str) -> csr_matrix:
        """Integrals of products of the shape functions over facets, m^2."""
        mesh, cells = self.mesh, self._facets(name)
        points, weights = reference.quadrature("quadrilateral", 2 * mesh.degree + 1)
        values = reference.shape_functions("quadrilateral", mesh.degree, points)
        t = np.einsum("dpn,knx->kpxd", values[1:], mesh.points[cells])
        area = np.linalg.norm(np.cross(t[..., 0], t[..., 1]), axis=2) * weights
        return self._sum(np.einsum("kp,pi,pj->kij", area, values[0], values[0]), cells)

    def _sum(self, entries: np.ndarray, cells: np.ndarray) -> csr_matrix:
        n, size = cells.shape[1], len(self.mesh.points)
        rows, cols = np.repeat(cells, n, axis=1).ravel(), np.tile(cells, (1, n)).ravel()
        return csr_matrix((entries.ravel(), (rows, cols)), (size, size))

    @cached_property
    def matrices(self) -> tuple[csr_matrix, csr_matrix]:
        """Heat capacity, J/K, and conductance with that of the cooled facets, W/K, of the nodes."""
        mesh = self.mesh
        points, weights = reference.quadrature(mesh.cell, 2 * mesh.degree + 1)
        values = reference.shape_functions(mesh.cell, mesh.degree, points)
        jacobian = np.einsum("dpn,mnx->mpxd", values[1:], mesh.points[mesh.cells])
        volume = np.abs(np.linalg.det(jacobian)) * weights
        slopes = np.einsum("dpn,mpdx->mpnx", values[1:], np.linalg.inv(jacobian))
        held = np.einsum("mp,pi,pj->mij", volume, values[0], values[0])
        passed = np.einsum("mp,mpix,mpjx->mij", volume, slopes, slopes)
        conductance = self.conductivity * self._sum(passed, mesh.cells)
        for name, (coefficient, _) in self.cooled.items():
            conductance = conductance + coefficient * self._on_facets(name)
        return self.heat_capacity * self._sum(held, mesh.cells), conductance

    # --- condensation ---------------------------------------------------------------------------
    @cached_property
    def _basis(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Shapes of the responses, their capacities and conductances."""
        capacity, conductance = self.matrices
        bore, ones = np.unique(self._facets(self.facets)), np.ones(len(self.mesh.points))
        S = self._on_facets(self.facets)[bore][:, bore].tocsc()
        inverse = splu(csc_matrix(conductance))
        start = 1 + np.sin(np.arange(len(bore)))  # repeatable

        def warmed(heat):
            full = np.zeros((len(ones), *heat.shape[1:]))
            full[bore] = heat
            return inverse.solve(full)

        def compliance(flux):
            return S @ warmed(S @ flux)[bore]

        kept = min(self.responses, len(bore) - 2)
        C = LinearOperator(S.shape, matvec=compliance, dtype=float)
        sizes, fluxes = eigsh(C, kept, S, v0=start)
        modes = min(self.modes, len(ones) - 2)
        start = 1 + np.sin(np.arange(len(ones)))
        _, slow = eigsh(conductance.tocsc(), modes, capacity.tocsc(), sigma=0, v0=start)
        V = np.column_stack([ones, slow, warmed(S @ fluxes)])
        V /= np.abs(V).max(axis=0)
        V /= np.sqrt(np.einsum("ni,ni->i", V, capacity @ V))
        values, vectors = np.linalg.eigh(V.T @ (capacity @ V))
        own = values > SAME * values.max()
        V = V @ (vectors[:, own] / np.sqrt(values[own]))
        _, vectors = eigh(V.T @ (conductance @ V))
        V = V @ vectors
        V /= np.abs(V).max(axis=0)
        logger.info(
            "heated solid: %d responses; the last warms the bore %.1e times as much as the first",
            V.shape[1], sizes.min() / sizes.max(),
        )  # fmt: skip
        return V, np.einsum("ni,ni->i", V, capacity @ V), np.einsum("ni,ni->i", V, conductance @ V)

    def condensed(self, supply: float) -> HeatResponses:
        """Responses, with surroundings over a supply's temperature, K."""
        V, capacity, conductance = self._basis
        heat = np.zeros(len(V))
        for name, (coefficient, temperature) in self.cooled.items():
            heat += coefficient * (temperature - supply) * (self._on_facets(name) @ np.ones(len(V)))
        share = (V.T @ (self.matrices[0] @ np.ones(len(V)))) / capacity
        return HeatResponses(V, capacity, conductance, V.T @ heat, share)

    def at(self, points: np.ndarray) -> csr_matrix:
        """What gives temperatures at places on the bore, m, (n, 3), from those of the nodes.

        Raises:
            InputError: the places are off the bore.
        """
        cells, degree = self._facets(self.facets), self.mesh.degree
        geometry = self.mesh.points[cells]
        at, shares, distance = project("quadrilateral", degree, geometry, points, degree)
        size = np.linalg.norm(geometry[:, 1] - geometry[:, 0], axis=1).mean()
        if distance.max() > OFF * size:
            raise InputError(
                f"HeatedSolid: the film's surface does not lie on the facets {self.facets!r}; a "
                f"node is {distance.max():.3g} m away from them."
            )
        rows = np.repeat(np.arange(len(points)), cells.shape[1])
        place = rows, cells[at].ravel()
        return csr_matrix((shares.ravel(), place), (len(points), len(self.mesh.points)))
