"""Condensed solids: linear elastic bodies reduced to the responses of their facets.

Displacements of chosen facets are sums of static responses (those that tractions on the facets
excite most) and, with inertia, of natural modes, each with one unknown of the system
(responses.py). Everything that can act on a solid's facets acts on these too; what is left out is
stated.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import checks
from ..._backend import MPI
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...core.roles import Condensed, Coordinate
from ...errors import InputError
from ...meshes.mesh import Mesh
from ...model.item import Shared
from ..materials import Damping, Material
from .facets import FacetSet
from .responses import Condensation, Shapes, of_body
from .solid import Solid
from .stress import nodal_means

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ResponseKind(Kind):
    """One response: a spring, perhaps with a mass, and the part of gravity that excites it."""

    feeds_energy = False

    parameters = {"stiffness": (), "mass": (), "damping": (), "excitation": (3,)}
    label = "condensed response"

    def fields(self):
        return {"amplitude": ()}

    def residual(self, c):
        force = c.par("mass") * c.a + c.par("damping") * c.v + c.par("stiffness") * c.q
        weight = sum(c.par("excitation")[k] * c.gravity[k] for k in range(3))
        return (force - weight) * c.test * c.dx()

    def observables(self, c):
        weight = sum(c.par("excitation")[k] * c.gravity[k] for k in range(3))
        return {
            "kinetic_energy": Observable(
                c.par("mass") / 2 * c.v**2, "J", "kinetic energy", "energy.kinetic", False
            ),
            "potential_energy": Observable(
                -weight * c.q, "J", "potential energy of gravity", "energy.potential", False
            ),
            "strain_energy": Observable(
                c.par("stiffness") / 2 * c.q**2, "J", "strain energy", "energy.strain"
            ),
        }


class CondensedSolid(Solid):
    """A linear elastic solid condensed to some of its facets.

    The displacements must remain small, and the body must be clamped somewhere. Forces act on
    the retained facets only; gravity is taken into account, other body loads are refused.

    Args:
        mesh, degree, state, thickness, clamped, damping, lumped, name, free: see ``Solid``.
        incompatible_modes, material: likewise, with the moduli at small strain.
        velocity, angular_velocity, load: must be zero, because the body starts at rest.
        facets: names of the facet sets to retain.
        responses: how many to keep; default: all.
        direction: of the tractions, ``"any"`` or ``"normal"`` (for oil films, which need
            fewer responses).
        inertia: whether the body has mass; without it, the body follows its loads at once.
        modes: with inertia, how many natural modes to keep beside the responses, of each type:
            with the retained facets held (Craig and Bampton) and with them free; default: those
            up to ``frequency``.
        frequency: Hz, the highest that loads excite; default: twice the lowest natural frequency of
            the body, its retained facets free.

    Channels: ``strain_energy`` (J).

    Attributes:
        stiffness: of each response and mode, N/m, for amplitudes in m (largest displacement of a
            node).
        responses: displacements of all nodes, (n, dimension, responses and modes).
        modes_kept: how many modes are kept, of both sorts, that the responses leave.
        left_out: facet set -> part that the kept responses miss of the strain energy under a
            pressure on a patch, a bell a quarter as wide as the facets reach from their centre.

    Raises:
        InputError: a value that is out of range for a solid, no clamp, facets too large to keep
            every response.
    """

    prefix = "condensed_solid"

    def __init__(
        self, mesh: Mesh, material: Material, *, facets: str | Sequence[str],
        responses: int | None = None, direction: str = "any", inertia: bool = False,
        degree: int | None = None, state: str | None = None, thickness: float = 1.0,
        clamped: Any = (), velocity: Any = (0, 0, 0), angular_velocity: Any = (0, 0, 0),
        load: Any = (0, 0, 0), damping: Damping | None = None, lumped: bool = False,
        incompatible_modes: bool = False, name: str | None = None, free: bool = False,
        modes: int | None = None, frequency: float | None = None,
    ):  # fmt: skip
        super().__init__(
            mesh, material, degree=degree, state=state, thickness=thickness, clamped=clamped,
            velocity=velocity, angular_velocity=angular_velocity, load=load, damping=damping,
            lumped=lumped, incompatible_modes=incompatible_modes, name=name, free=free,
        )  # fmt: skip
        who = name or "condensed solid"
        if not self.fixed.any():
            raise InputError(f"{who} must be clamped: give the facet sets in clamped=.")
        if self.values.varies or self.prescribed.any():
            raise InputError(f"{who}: a condensed solid takes no Functions of DOLFINx.")
        if any(np.any(z) for z in (self.load, self.velocity, self.angular_velocity)):
            raise InputError(f"{who}: a condensed solid starts at rest and takes no load=.")
        if direction not in ("any", "normal"):
            raise InputError(f"{who}: direction must be 'any' or 'normal', got {direction!r}.")
        names = [facets] if isinstance(facets, str) else list(facets)
        self.retained = {n: mesh.facet_set(n, who) for n in names}
        nodes = [super(CondensedSolid, self).facets(n).nodes for n in names]
        self.kept = np.unique(np.concatenate(nodes))  # nodes
        self.count, self.direction, self.inertia = responses, direction, inertia
        self.modes, self.frequency = self._range(who, modes, frequency)
        self.modes_kept = 0
        self.left_out: dict[str, float] = {}
        self._shared = Shared()  # by shallow copies: the whole body and its responses

    def _range(self, who: str, modes: int | None, frequency: float | None):
        if (modes is not None or frequency is not None) and not self.inertia:
            raise InputError(f"{who}: modes and frequency are those of a body with inertia=True.")
        if modes is not None and modes != 0:
            checks.count(f"{who}: modes", modes)
        if frequency is not None:
            checks.positive(f"{who}: frequency", frequency)
        return modes, frequency

    # --- the interface of a solid ---------------------------------------------------------------
    def facets(self, name: str) -> FacetSet:
        if name not in getattr(self, "retained", {name: None}):
            raise InputError(
                f"{self.name or 'condensed solid'} does not retain the facets {name!r}, only "
                f"{', '.join(self.retained)}."
            )
        return super().facets(name)

    def displacement(self, nodes: np.ndarray) -> Ref:
        assert self.block is not None
        place = np.searchsorted(self.kept, nodes)
        if np.any(self.kept[np.minimum(place, len(self.kept) - 1)] != nodes):
            raise InputError(f"{self.name}: a node inside the body was condensed away.")
        d = self.dimension
        indices = d * place[..., None] + np.arange(d)
        return Ref(self.block, indices.reshape(*nodes.shape[:-1], -1))

    def at_nodes(self, values: np.ndarray, rates: bool = False) -> np.ndarray:
        result = np.zeros((len(self.nodes), 3))
        result[:, : self.dimension] = self.responses @ values[self.amplitudes.numbers]
        return result

    def recover(self, state, name: str) -> np.ndarray | None:
        values = state.everything(state.q)
        if state.comm.rank:
            return None
        private, full, _ = self._full
        private.q[: full.size] = self._shared["solutions"] @ values[self.amplitudes.numbers]
        return nodal_means(self._twin, private, name)

    # --- condensation ---------------------------------------------------------------------------
    @property
    def _full(self):
        """State of the whole body alone, at rest, its stiffness and mass matrices, and its nodal
        forces under unit gravity."""
        if "full" in self._shared:
            return self._shared["full"]
        from ...model.system import System

        system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
        twin = self._shared["twin"] = Solid(
            self.mesh, self.material, degree=self.degree, thickness=self.thickness, name="whole",
            state=None if self.state == "space" else self.state, clamped=self._clamps,
            incompatible_modes=self.incompatible, lumped=self.kind.lumped,
        )  # fmt: skip
        system.add(twin)
<<<<<<< HEAD
        state = system.state
        self._shared["full"] = state, *of_body(state)
=======
        self._shared["full"] = system.state, _Matrices(system.state)
>>>>>>> door
        return self._shared["full"]

    @property
    def _twin(self) -> Solid:
        """The whole body in that system."""
        return self._shared["twin"]

    def build(self, builder) -> None:
        builder.connect(builder.ground, self)
        found, known = None, "condensed" in self._shared
        if builder.comm.rank == 0:
            found = self._shared["condensed"] if known else self._condense()
        found = builder.comm.bcast(found)
        self.responses, self.stiffness, self.left_out = found.nodes, found.stiffness, found.left_out
        self.modes_kept = found.modes
        mass = found.mass if self.inertia and not self.massless else 0 * found.mass
        excitation = 0 * found.excitation if self.massless else found.excitation
        if not known:
            self._tell(found)
        count = len(self.stiffness)
        role = Coordinate(massless=self.massless)
        self.amplitudes = Block(str(self.name), "amplitude", np.zeros(count), role)
        builder.add_block(self.amplitudes)
        shapes = self.responses[self.kept].reshape(-1, count)
        condensed = Condensed(master=self.amplitudes, matrix=shapes)
        self.block = Block(str(self.name), "displacement", np.zeros(len(shapes)), condensed)
        builder.add_block(self.block)
        time = self.damping.retardation if self.damping else 0.0
        drag = self.damping.drag if self.damping else 0.0
        kind = ResponseKind()
        rows = [
            kind.pack(stiffness=k, mass=m, damping=time * k + drag * m, excitation=e)
            for k, m, e in zip(self.stiffness, mass, excitation, strict=True)
        ]
        refs = [Ref(self.amplitudes, np.arange(count)[:, None])]
        builder.add_cell(kind, Cell(str(self.name), refs, np.array(rows), count=count))

<<<<<<< HEAD
    def _condense(self) -> Shapes:
        _, matrices, weights = self._full
        condensation = Condensation(
            self, {n: self.facets(n) for n in self.retained}, self.kept, matrices, weights,
            self.count, self.direction,
        )  # fmt: skip
        found, solutions = condensation.shapes(
            self.inertia and not self.massless, self.modes, self.frequency
        )
        self._shared["solutions"] = solutions  # for stresses
        self._shared["condensed"] = found
        return found

    def _tell(self, found: Shapes) -> None:
        """What is kept and what is left out."""
        if found.modes:
            logger.info("%s: %d natural modes beside its responses", self.name, found.modes)
        for name, part in found.left_out.items():
            logger.info(
                "%s: %d responses; they miss %.1e of the strain energy under pressure on a patch "
                "of %s", self.name, len(found.stiffness) - found.modes, part, name,
            )  # fmt: skip
=======
    def _condense(self):
        _, matrices = self._full
        every = self._twin.displacement(np.arange(len(self.nodes))[:, None])
        free = np.where(self.fixed, -1, every.numbers)  # of each displacement in the matrices
        spread, metric = self._tractions(free, matrices.size)
        size = spread.shape[1]
        count = size if self.count is None else min(self.count, size)
        if count == size and size > COMPLETE:
            raise InputError(
                f"{self.name}: its facets have {size} displacements, too many to keep every "
                "response; give responses=, for example 40."
            )
        vectors = _largest(lambda f: spread.T @ matrices.solve(spread @ f), metric, count)
        if count < size:  # simple tractions first, then what yields most
            simple = _independent(self._simple(), metric)
            vectors = _independent(vectors, metric, simple, NEW)[:, :count]
        # responses to these tractions; unit of the amplitude: largest displacement 1 m
        U = np.column_stack([matrices.solve(spread @ v) for v in vectors.T])
        K, M = U.T @ (matrices.K @ U), U.T @ (matrices.M @ U)
        from scipy.linalg import eigh

        # responses that do not couple, neither by stiffness nor by inertia
        _, modes = eigh((M + M.T) / 2, (K + K.T) / 2)
        U = U @ modes[:, ::-1]
        shapes = np.zeros((*self.fixed.shape, count))
        shapes[~self.fixed] = U[free[~self.fixed]]  # plane stress has stretches too
        size = np.abs(shapes[self.kept]).max(axis=(0, 1))
        shapes, U = shapes / size, U / size
        self._shared["solutions"] = U  # on rank 0, for stresses
        stiffness = np.einsum("ik,ik->k", U, matrices.K @ U)
        mass = np.einsum("ik,ik->k", U, matrices.M @ U)
        excitation = U.T @ matrices.weights
        left = {n: self._left_out(n, free, matrices, U, stiffness) for n in self.retained}
        return shapes, stiffness, mass, excitation, left

    def _tractions(self, free: np.ndarray, size: int):
        """Nodal forces (displacements x tractions) of nodal tractions on the retained facets, and
        the tractions' metric: the integral of their product."""
        from scipy.sparse import coo_matrix, kron

        mass, normals = self._facet_mass()
        n, d = len(self.kept), self.dimension
        rows = free[self.kept].ravel()
        mine = rows >= 0
        pick = coo_matrix((np.ones(mine.sum()), (rows[mine], np.flatnonzero(mine))), (size, n * d))
        vector = kron(mass, np.eye(d)).tocsr()
        if self.direction == "any":
            return (pick @ vector).tocsr(), vector
        return (pick @ vector @ _diagonal_blocks(normals[:, :d])).tocsr(), mass.tocsr()

    def _rule(self, facets: FacetSet):
        """Shape functions at the points of a rule, (p, nodes); its weights; places and normals
        there, see ``FacetSet.normals``."""
        cell = reference.FACET[self.mesh.cell]
        points, weights = reference.quadrature(cell, 2 * self.degree + 2)
        values = reference.shape_functions(cell, self.degree, points)[0]
        return values, weights, *facets.normals(points)

    def _facet_mass(self):
        """Mass matrix of the retained facets' nodes (their area), and normals at the nodes."""
        from scipy.sparse import coo_matrix

        rows, cols, entries = [], [], []
        normals = np.zeros((len(self.kept), 3))
        for name in self.retained:
            facets = self.facets(name)
            values, weights, _, normal = self._rule(facets)
            area = self.thickness * (np.linalg.norm(normal, axis=2) * weights)
            each = np.einsum("kp,pi,pj->kij", area, values, values)
            here = np.searchsorted(self.kept, facets.cells)
            rows.append(np.repeat(here, here.shape[1], axis=1).ravel())
            cols.append(np.tile(here, here.shape[1]).ravel())
            entries.append(each.ravel())
            cell = reference.FACET[self.mesh.cell]
            spots = tuple(map(tuple, reference.lattice(cell, self.degree)))
            _, there = facets.normals(spots)
            np.add.at(normals, here, there * facets.outward[:, None, None])
        place, n = tuple(map(np.concatenate, (rows, cols))), len(self.kept)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        return coo_matrix((np.concatenate(entries), place), (n, n)).tocsr(), normals

    def _simple(self) -> np.ndarray:
        """Tractions that are uniform or vary linearly on each facet set, (tractions, k)."""
        _, normals = self._facet_mass()
        d, columns = self.dimension, []
        for name in self.retained:
            facets = self.facets(name)
            here = np.isin(self.kept, facets.nodes)
            arm = (self.nodes[self.kept] - facets.center) / np.abs(self.nodes - facets.center).max()
            pressures = [here * 1.0, *(here * arm[:, k] for k in range(d))]
            if self.direction == "normal":
                columns += pressures
                continue
            columns += [(p[:, None] * normals[:, :d]).ravel() for p in pressures]
            for axis in np.eye(3):
                columns.append((here[:, None] * axis[:d]).ravel())
                columns.append((here[:, None] * np.cross(axis, arm)[:, :d]).ravel())
        return np.column_stack(columns)

    def _left_out(self, name, free, matrices, U, stiffness) -> float:
        facets = self.facets(name)
        values, weights, x, normal = self._rule(facets)
        normal = normal * facets.outward[:, None, None] * weights[:, None]
        arm = x - facets.center
        distance = np.linalg.norm(x - x[0, 0], axis=2)
        pressure = np.exp(-((distance / (0.25 * np.linalg.norm(arm, axis=2).max())) ** 2))
        force = np.zeros(self.fixed.shape)
        each = np.einsum("kp,pi,kpx->kix", pressure, values, normal)[..., : self.dimension]
        np.add.at(force, facets.cells, each)
        f = np.zeros(matrices.size)
        f[free[free >= 0]] = force[free >= 0]
        whole, kept = f @ matrices.solve(f), float(np.sum((U.T @ f) ** 2 / stiffness))
        return max(0.0, 1 - kept / whole)


class _Matrices:
    """Stiffness and mass of a body at rest, and solves with the stiffness."""

    def __init__(self, state):
        from scipy.sparse import csr_matrix

        n, problem = state.size, state.problem
        keep = (problem.coo_rows < n) & (problem.coo_cols < n)
        place, self.size = (problem.coo_rows[keep], problem.coo_cols[keep]), n
        stiffness, _, inertia = state.derivatives()
        self.K = csr_matrix((stiffness[keep], place), (n, n))
        self.M = csr_matrix((inertia[keep], place), (n, n))
        #: nodal forces of unit gravity along each axis, (size, 3)
        self.weights = np.zeros((n, 3))
        for k in range(3):
            state.globals[3:6] = np.eye(3)[k]
            self.weights[:, k] = -state.residual()[:n]
        state.globals[3:6] = 0.0
        K = self.K.sorted_indices()
        csr = (K.indptr.astype(PETSc.IntType), K.indices.astype(PETSc.IntType), K.data)
        self._factors = Factors(PETSc.Mat().createAIJ((n, n), csr=csr, comm=MPI.COMM_SELF))

    def solve(self, f: np.ndarray) -> np.ndarray:
        """Displacements under nodal forces.

        Raises:
            SingularSystem: the body can move.
        """
        return self._factors.solve(f)


def _largest(operator, metric, count: int) -> np.ndarray:
    """Eigenvectors of the largest eigenvalues of a symmetric operator, by a metric, the largest
    first."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = metric.shape[0]
    if count > n // 3:
        dense = np.column_stack([operator(e) for e in np.eye(n)])
        return eigh((dense + dense.T) / 2, metric.toarray())[1][:, ::-1][:, :count]
    start = np.random.default_rng(0).standard_normal(n)
    values, vectors = eigsh(
        LinearOperator((n, n), matvec=operator), count, M=metric.tocsc(), v0=start
    )
    return vectors[:, np.argsort(values)[::-1]]  # the first ones count most


def _independent(vectors: np.ndarray, metric, kept=None, least: float = 1e-8) -> np.ndarray:
    """Columns made orthonormal by the metric, in turn, after those that are ``kept`` already; left
    out are those of which earlier ones leave less than the part ``least``."""
    kept = np.zeros((len(vectors), 0)) if kept is None else kept
    for v in vectors.T:
        size = np.sqrt(v @ (metric @ v))
        for _ in range(2):
            v = v - kept @ (kept.T @ (metric @ v))
        rest = np.sqrt(max(v @ (metric @ v), 0.0))
        if size > 0 and rest > least * size:
            kept = np.column_stack([kept, v / rest])
    return kept


def _diagonal_blocks(rows: np.ndarray):
    """Sparse matrix with one column a node that holds the node's row."""
    from scipy.sparse import coo_matrix

    n, d = rows.shape
    return coo_matrix((rows.ravel(), (np.arange(n * d), np.repeat(np.arange(n), d))), (n * d, n))
>>>>>>> door
