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
from ...bodies.solids.stress import von_mises
from ...errors import InputError
from ...meshes import cells as reference
from ...meshes.mesh import Mesh
from ...meshes.tools import project
from .surface import Surface
from .thermoelastic import Expanding, Expansion

logger = logging.getLogger(__name__)

#: how far the film's nodes may lie off the bore, in edges of its facets
OFF = 0.1
#: parts of the edge of a film's cell, at most, in which its heat is integrated
PARTS = 8
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


class HeatedState(NamedTuple):
    """A heated solid at one instant.

    Attributes:
        nodes: m, (n, 3); of one that expands those of its displacement.
        cells: nodes of each cell.
        temperature: at the nodes, K.
        displacement: m, (n, 3), and Cauchy stress, Pa, (n, 3, 3), by its expansion; ``None``
            without.
    """

    nodes: np.ndarray
    cells: np.ndarray
    temperature: np.ndarray
    displacement: np.ndarray | None
    stress: np.ndarray | None

    @property
    def von_mises(self) -> np.ndarray:
        """Von Mises' equivalent stress at the nodes, Pa; 0 without expansion."""
        return von_mises(np.zeros((len(self.nodes), 3, 3)) if self.stress is None else self.stress)


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
        modes: how many of the modes that decay most slowly are kept, for changes in time.
        expansion: how the solid expands; default: not at all.

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
    expansion: Expansion | None = field(default=None, kw_only=True)

    def __post_init__(self):
        who = "HeatedSolid"
        if not isinstance(self.mesh, Mesh) or self.mesh.cell != "hexahedron":
            raise InputError(
                f"{who}: films need facets that are quadrilaterals; use a mesh of hexahedra."
            )
        object.__setattr__(self, "mesh", self.mesh.collected(who))  # as dense as the responses
        checks.positive(f"{who}: conductivity", self.conductivity)
        checks.positive(f"{who}: heat_capacity", self.heat_capacity)
        checks.count(f"{who}: responses", self.responses)
        checks.count(f"{who}: modes", self.modes)
        self.mesh.facet_set(self.facets, who)
        if not self.cooled:
            raise InputError(
                f"{who}: without cooling there is no steady temperature; name cooled facets."
            )
        if self.expansion is not None:
            if not isinstance(self.expansion, Expansion):
                raise InputError(
                    f"{who}: expansion must be Expansion(coefficient, E=..., nu=...) or None, got "
                    f"{self.expansion!r}."
                )
            rests = [] if self.expansion.rests is None else [self.expansion.rests]
            for name in [*self.expansion.held, *rests]:
                self.mesh.facet_set(name, who)
        for name, (coefficient, temperature) in self.cooled.items():
            self.mesh.facet_set(name, who)
            checks.positive(f"{who}: coefficient of {name}", coefficient)
            checks.temperature(f"{who}: temperature at {name}", temperature)

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
        return HeatResponses(V, capacity, conductance, V.T @ heat, self._share)

    @property
    def _share(self) -> np.ndarray:
        """Amplitudes of a uniform temperature of 1 K."""
        V, capacity, _ = self._basis
        return (V.T @ (self.matrices[0] @ np.ones(len(V)))) / capacity

    def at(self, points: np.ndarray) -> csr_matrix:
        """What gives temperatures at places on the bore, m, (n, 3), from those of the nodes.

        Raises:
            InputError: the places are off the bore.
        """
        return self._temperatures(points)

    def _temperatures(self, points: np.ndarray, off: float = OFF) -> csr_matrix:
        cells, size = self._facets(self.facets), len(self.mesh.points)
        return self._on_bore(points, self.mesh.degree, cells, size, off)

    def under(self, surface: Surface, shapes: np.ndarray) -> np.ndarray:
        """Temperatures of a bush at a film from fields of its mesh: the bilinear fields that
        are nearest to them in the mean square over its area. The heat of the film is then a flux
        over the facets, which all of their nodes receive, those in the middle of edges too. See
        docs/thermal.md.

        Example::

            >>> rise = solid.under(film.surface, solid.condensed(323.0).shapes)

        Args:
            surface: of the film.
            shapes: at the nodes of the mesh, K, (nodes, k).

        Returns:
            at the nodes of the film's pressure, K, (its nodes, k).

        Raises:
            InputError: the film is off the bore.
        """
        numbers, used = surface.corners
        self.at(surface.points[used])
        edges = surface.points[surface.cells[:, :4]], self.mesh.points[self._facets(self.facets)]
        longest, own = (np.linalg.norm(z[:, [1, 2]] - z[:, [0, 0]], axis=2) for z in edges)
        parts = int(np.clip(np.ceil(longest.max() / own.mean()), 1, PARTS))
        X, weights = _composed(parts, self.mesh.degree + 2)
        values = reference.shape_functions("quadrilateral", surface.degree, X)
        geometry = surface.points[surface.cells]
        t = np.einsum("dpn,mnx->dmpx", values[1:], geometry)
        area = np.linalg.norm(np.cross(t[0], t[1]), axis=2) * weights
        points = np.einsum("pn,mnx->mpx", values[0], geometry).reshape(-1, 3)
        corner = reference.shape_functions("quadrilateral", 1, X)[0]
        each = np.repeat(numbers, len(weights), axis=0)
        rows = np.repeat(np.arange(len(points)), 4)
        N = csr_matrix((np.tile(corner.ravel(), len(numbers)), (rows, each.ravel())))
        weighted = N.multiply(area.reshape(-1, 1)).T.tocsr()
        there = self._temperatures(points, np.inf) @ shapes
        return splu((weighted @ N).tocsc()).solve(weighted @ there)

    def _on_bore(
        self, points, degree: int, cells: np.ndarray, size: int, off: float = OFF
    ) -> csr_matrix:
        """What interpolates a field of a degree, whose facets have these nodes of so many."""
        geometry = self.mesh.points[self._facets(self.facets)]
        at, shares, distance = project("quadrilateral", self.mesh.degree, geometry, points, degree)
        edge = np.linalg.norm(geometry[:, 1] - geometry[:, 0], axis=1).mean()
        if distance.max() > off * edge:
            raise InputError(
                f"HeatedSolid: the film's surface does not lie on the facets {self.facets!r}; a "
                f"node is {distance.max():.3g} m away from them."
            )
        rows = np.repeat(np.arange(len(points)), cells.shape[1])
        place = rows, cells[at].ravel()
        return csr_matrix((shares.ravel(), place), (len(points), size))

    # --- expansion ------------------------------------------------------------------------------
    @cached_property
    def _expanding(self) -> tuple[Expanding, np.ndarray]:
        """The elastic body, and its displacements under each response, m/K, (nodes, 3, k)."""
        assert self.expansion is not None
        body = Expanding(self.mesh, self.expansion, self.facets)
        return body, body.displacements(self._basis[0])

    def opening(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By which the bore moves away from the film at places on it, (n, 3), m: by amplitude, m,
        (n, k), and for a uniform rise of 1 K, (n,)."""
        body, displacements = self._expanding
        there = self._on_bore(points, 2, body.facets.cells, len(body.solid.nodes))
        by_amplitude = there @ body.along_normal(displacements)
        return by_amplitude, by_amplitude @ self._share

    def heated(self, amplitudes: np.ndarray, supply: float, reference: float) -> HeatedState:
        """The solid at amplitudes of a film with a supply's temperature, K, expanded from a
        reference temperature, K."""
        temperature = supply + self._basis[0] @ amplitudes
        if self.expansion is None:
            return HeatedState(self.mesh.points, self.mesh.cells, temperature, None, None)
        body, displacements = self._expanding
        u = displacements @ (amplitudes + (supply - reference) * self._share)
        stress = body.stress(u, temperature - reference)
        solid = body.solid
        return HeatedState(solid.nodes, solid.cells, body.at_nodes(temperature), u, stress)


def _composed(parts: int, degree: int) -> tuple[tuple[tuple[float, ...], ...], np.ndarray]:
    """A quadrature rule of the unit square from as many parts of each edge."""
    points, weights = reference.quadrature("quadrilateral", degree)
    steps = np.arange(parts)
    corners = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 1, 2)
    X = ((corners + np.array(points)) / parts).reshape(-1, 2)
    return tuple(map(tuple, X.tolist())), np.tile(weights, parts**2) / parts**2
