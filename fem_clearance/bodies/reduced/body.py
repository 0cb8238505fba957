"""Reduced flexible bodies: solids with large motions and small deformations in a few shapes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, eye, kron

from ... import checks
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.roles import ROTATION, Algebraic, Condensed, Coordinate, Multiplier
from ...errors import InputError
from ...model.item import Shared
from ..solids.condensed import CondensedSolid
from ..solids.facets import FacetSet
from ..solids.solid import Solid
from .basis import Basis, pairs
from .kinds import ModalMassKind, ModalStiffnessKind, PairsKind, RigidDirectorsKind
from .matrices import BodyMatrices
from .reduction import Reduced, Whole, reduce_solid
from .stiffening import AxialLoadKind, AxialStateKind, StiffeningKind

#: load relative to the buckling load above which the error is 5 %, without and with stiffening
BUCKLING = {False: 0.05, True: 0.5}
#: mean deflection relative to the body's size above which it is not small
LARGE = 0.05
#: fraction of the surface below which a facet set counts as an interface
SMALL = 0.1

logger = logging.getLogger(__name__)


class ReducedBody(Solid):
    """A flexible body that moves and rotates freely and deforms in a few shapes of a solid.

    Its deformation in its own frame is small and linear elastic; its inertia is exact, with one
    constant mass matrix. Facets, attachments, contacts, films and loads are those of a solid.

    Args:
        solid: gives mesh, material, damping and velocities. It is not added to the system itself,
            and must not be clamped.
        modes: how many natural modes of the free body to keep; with 0 and without interfaces the
            body is rigid.
        interfaces: names of the facet sets where joints, contacts and loads act. For each of them
            the inertia-relief responses to a force and a moment are kept, six shapes (three in the
            plane). Default: the mesh's sets that are less than a tenth of the surface each, as the
            ends of a rod or the bores of a link; ``()``: none.
        responses: how many further responses of the interfaces to keep, to those tractions that
            deform them most; for contacts and films.
        direction: of the tractions, ``"any"`` or ``"normal"``.
        held: how many natural modes with all interfaces fixed to keep (Craig and Bampton).
        stiffening: whether axial stresses, due to forces between interfaces and to rotation,
            stiffen the body or let it buckle.
        matrices: stiffness and mass of the body (and optionally shapes) from another program,
            instead of those of the solid's elements: ``BodyMatrices``, or a file of them.
        name: for messages and channels; default: the solid's.

    Channels: ``x y z`` (m) and ``vx vy vz`` (m/s) of the centre of mass, ``px py pz`` momentum
    (kg m/s), ``Lx Ly Lz`` angular momentum about the origin (kg m^2/s), ``strain_energy`` (J),
    ``mean_square``, the mean square of the displacements in its triad over the square of its size,
    and ``load_ratio``, the axial load over that at which the free body buckles. After a run a
    warning says if the last two exceeded what the linear body is valid for.

    Attributes:
        frequencies: natural frequencies of the free body as it is reduced, Hz, ascending.
        left_out: interface -> fraction of the strain energy under a pressure on a patch of it that
            the shapes cannot represent.
        basis: its numbers.

    Raises:
        InputError: a value that is out of range, a solid that is clamped or loaded.
    """

    prefix = "reduced_body"

    def __init__(
        self,
        solid: Solid,
        modes: int = 6,
        *,
        interfaces: str | Sequence[str] | None = None,
        responses: int = 0,
        direction: str = "any",
        held: int = 0,
        stiffening: bool = False,
        matrices: Any = None,
        name: str | None = None,
    ):
        who = name or getattr(solid, "name", None) or "reduced body"
        if not isinstance(solid, Solid) or isinstance(solid, CondensedSolid | ReducedBody):
            raise InputError(
                f"{who} needs a Solid of finite elements, without clamps, got {solid!r}."
            )
        solid.mesh.whole(who)
        super().__init__(
            solid.mesh, solid.material, degree=solid.degree, thickness=solid.thickness,
            state=solid.state, damping=solid.damping,
            lumped=solid.kind.lumped, incompatible_modes=solid.incompatible, free=solid.free,
            angular_velocity=solid.angular_velocity, name=name or solid.name,
        )  # fmt: skip
        self.velocity = solid.velocity
        self._check(who, solid)
        if interfaces is None:
            interfaces = () if modes == 0 else self._small_sets()
        names = checks.names(f"{who}: interfaces", interfaces)
        self.interfaces = {n: solid.mesh.facet_set(n, who) for n in names}
        for what, count in (("modes", modes), ("responses", responses), ("held", held)):
            if count != 0:
                checks.count(f"{who}: {what}", count)
        if (responses or held) and not names:
            raise InputError(f"{who}: responses and held need interfaces; name some facet sets.")
        checks.choice(f"{who}: direction", direction, ("any", "normal"))
        self.modes, self.responses, self.held_modes = modes, responses, held
        self.direction, self.matrices = direction, matrices
        self.stiffening = bool(stiffening)
        self._shared = Shared()  # by copies in other systems: what is found once

    @classmethod
    def from_solid(
        cls, solid: Solid, modes: int = 6, *, interfaces: str | Sequence[str] | None = None,
        responses: int = 0, direction: str = "any", held: int = 0, stiffening: bool = False,
        matrices: Any = None, name: str | None = None,
    ) -> ReducedBody:  # fmt: skip
        """The body of a solid; arguments: see the class."""
        return cls(
            solid, modes, interfaces=interfaces, responses=responses, direction=direction,
            held=held, stiffening=stiffening, matrices=matrices, name=name,
        )  # fmt: skip

    def _check_mesh(self, who: str):
        pass  # the mesh of the solid has been checked

    def _check(self, who: str, solid: Solid) -> None:
        if solid.fixed.any():
            raise InputError(
                f"{who}: a reduced body moves freely; remove the clamps of its solid and attach "
                "its facets, or use a CondensedSolid."
            )
        if solid.values.varies or solid.thermal_strain is not None or np.any(solid.load):
            raise InputError(
                f"{who}: a reduced body accepts neither load= nor thermal_strain= nor Functions of "
                "DOLFINx; only gravity and loads on its facets act on it."
            )

    def _small_sets(self) -> list[str]:
        """Facet sets that are small parts of the surface."""
        whole = FacetSet(self, "", self.mesh.boundary()).area
        return [n for n in self.mesh.facets if self.facets(n).area < SMALL * whole]

    # --- the interface of a solid ---------------------------------------------------------------
    @property
    def basis(self) -> Basis:
        return self.reduction.basis

    @property
    def reduction(self) -> Reduced:
        """The reduction of the solid, which is computed when it is first used."""
        if "reduced" not in self._shared:
            self._shared["reduced"] = reduce_solid(self, self._whole)
        return self._shared["reduced"]

    @property
    def _whole(self) -> Whole:
        """The solid of finite elements."""
        if "whole" not in self._shared:
            given = self.matrices
            if isinstance(given, str | Path):
                given = BodyMatrices.load(given)
            self._shared["whole"] = Whole(self, given)
        return self._shared["whole"]

    @property
    def frequencies(self) -> np.ndarray:
        return self.reduction.frequencies

    @property
    def left_out(self) -> dict[str, float]:
        return self.reduction.left_out

    def exported(self) -> BodyMatrices:
        """Stiffness and mass of the solid, to be saved in a file; on one rank."""
        d = self.dimension
        return BodyMatrices(self.nodes, self._whole.stiffness(), kron(self._whole.mass, eye(d)))

    @property
    def shapes_kept(self) -> int:
        """Number of nodal displacements that can be independent."""
        return self.dimension * len(self.basis.mass)

    def displacement(self, nodes: np.ndarray) -> Ref:
        assert self.block is not None
        d = self.dimension
        indices = d * nodes[..., None] + np.arange(d)
        return Ref(self.block, indices.reshape(*nodes.shape[:-1], -1))

    def _vectors(self, values: np.ndarray) -> np.ndarray:
        """Changes of the c_a (or their rates) in space, (p, 3)."""
        d = self.dimension
        return np.pad(values[self.amplitudes.numbers].reshape(-1, d), ((0, 0), (0, 3 - d)))

    def at_nodes(self, values: np.ndarray, rates: bool = False) -> np.ndarray:
        return self.basis.functions @ self._vectors(values)

    def deformation(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How the body is turned, a rotation matrix by which it has turned since the start, and the
        displacements of its nodes in the axes of the start, m, (n, 3).

        Args:
            values: of the unknowns by global number, ``state.everything(state.q)``.
        """
        basis = self.basis
        now = basis.places + self._vectors(values)
        leads, triad = basis.leads @ now, np.eye(3)
        triad[0] = leads[0] / np.linalg.norm(leads[0])
        if self.dimension == 3:
            triad[1] = leads[1] - (leads[1] @ triad[0]) * triad[0]
            triad[1] /= np.linalg.norm(triad[1])
            triad[2] = np.cross(triad[0], triad[1])
        else:
            triad[1] = np.cross([0, 0, 1.0], triad[0])
        turn = triad.T @ basis.triad.T
        here = basis.functions @ now - now[0]
        return turn, here @ turn - (self.nodes - basis.center)

    def recover(self, state, name: str) -> np.ndarray | None:
        fields = ("displacement", *self.kind.recovered_shapes)
        checks.choice(f"{self.name}: field", name, fields)
        values = state.everything(state.q)
        if state.comm.rank:
            return None
        if name == "displacement":
            return self.at_nodes(values)
        turn, u = self.deformation(values)
        stress = self._whole.stress(u[:, : self.dimension], name)
        return turn @ stress @ turn.T if name == "stress" else stress

    def judge(self, table: Any) -> None:
        """Warn of loads and deflections beyond the range of validity of the body."""
        remedy = "take the Solid" if self.stiffening else "give stiffening=True, or take the Solid"
        channels = [f"{self.name}.{name}" for name in ("load_ratio", "mean_square")]
        ratio, square = (float(np.max(table[n])) if n in table else 0.0 for n in channels)
        if ratio > BUCKLING[self.stiffening]:
            logger.warning(
                "%s: its axial load reached %.2g of its buckling load, and the error of its "
                "deflections is about as large: %s.", self.name, ratio, remedy,
            )  # fmt: skip
        if square > LARGE**2:
            logger.warning(
                "%s: its mean deflection reached %.2g of its size, which is not small: divide it "
                "into several reduced bodies, or use the Solid.", self.name, np.sqrt(square),
            )  # fmt: skip

    # --- building -------------------------------------------------------------------------------
    def build(self, builder) -> None:
        found = self.reduction if builder.comm.rank == 0 else None
        self._shared["reduced"] = builder.comm.bcast(found)
        basis, d, who = self.basis, self.dimension, str(self.name)
        logger.info(
            "%s: %d functions; interfaces: %s", who, len(basis.mass),
            ", ".join(self.interfaces) or "none",
        )  # fmt: skip
        count = len(basis.mass)
        role = Coordinate(width=d, offset_magnitude=basis.size)
        self.amplitudes = Block(who, "amplitudes", np.zeros(count * d), role, rates=self._rates())
        builder.add_block(self.amplitudes)
        follows = csr_matrix(kron(basis.functions, eye(d)))
        self.block = self._condensed(builder, "displacement", follows, self.mesh.spacing)
        kind, drag = ModalMassKind(d), self.damping.drag if self.damping else 0.0
        rows = [
            kind.pack(mass=m, weight=m * (a == 0), share=float(a == 0), place=c, drag=drag)
            for a, (m, c) in enumerate(zip(basis.mass, basis.places, strict=True))
        ]
        refs = [Ref(self.amplitudes, np.arange(count * d).reshape(-1, d))]
        builder.add_cell(kind, Cell(who, refs, np.array(rows), count=count))
        (self._hold_directors if basis.rigid else self._add_stiffness)(builder)

    def _condensed(self, builder, what: str, matrix, offset: float) -> Block:
        role = Condensed(master=self.amplitudes, matrix=matrix, offset_magnitude=offset)
        block = Block(str(self.name), what, np.zeros(matrix.shape[0]), role)
        builder.add_block(block)
        return block

    def _rates(self) -> np.ndarray:
        """Rates of the c_a at the start: the projection of the velocities of the nodes."""
        basis, d = self.basis, self.dimension
        turning = np.cross(self.angular_velocity, self.nodes - basis.center)
        rates = basis.functions.T @ (self.reduction.mass @ (self.velocity + turning))
        return (rates / basis.mass[:, None])[:, :d].ravel()

    def _add_stiffness(self, builder) -> None:
        basis, d = self.basis, self.dimension
        leads = csr_matrix(kron(basis.leads[: 1 if d == 2 else 2], eye(d)))
        directors = self._condensed(builder, "triad", leads, basis.size)
        first, others, counted = pairs(len(self.basis.mass), PairsKind.SOME)
        K = basis.stiffness[first[:, None], :, others] * counted[:, :, None, None]
        K = K.transpose(0, 2, 1, 3).reshape(len(first), d, -1)
        time = self.damping.retardation if self.damping else 0.0
        share = (others[:, 0] == first) * basis.mass[first] / basis.mass[0] / basis.size**2
        self._add_pairs(
            builder, ModalStiffnessKind(d), directors, first, others,
            stiffness=K, retardation=np.full(len(first), time), share=share,
        )  # fmt: skip
        axial = self.reduction.axial
        assert axial is not None
        elongations: list[Ref] = []
        if self.stiffening:
            elongations.append(self._add_stiffening(builder, directors, axial))
        self._add_elongations(
            builder, AxialLoadKind(d, self.stiffening), "axial", directors, axial.reads,
            elongations, critical=axial.critical,
        )  # fmt: skip

    def _leading(self) -> dict[str, np.ndarray]:
        """Parameters of ``TriadKind``."""
        d1, d2, _ = self.basis.size * self.basis.triad.T
        return {"d1": d1, "d2": d2}

    def _add_pairs(self, builder, kind, directors: Block, first, others, more=(), **numbers):
        """Add cells of a ``PairsKind``."""
        d, count = self.dimension, len(first)
        leading, places = self._leading(), self.basis.places
        along = places @ self.basis.triad
        rows = [
            kind.pack(
                **leading, first=places[a], others=places[b], first_along=along[a],
                others_along=along[b], **{n: z[k] for n, z in numbers.items()},
            )
            for k, (a, b) in enumerate(zip(first, others, strict=True))
        ]  # fmt: skip
        refs = [
            Ref(directors, np.tile(np.arange(len(directors.values)), (count, 1))),
            *(
                Ref(self.amplitudes, (d * z[..., None] + np.arange(d)).reshape(count, -1))
                for z in (first, others)
            ),
            *more,
        ]
        builder.add_cell(kind, Cell(str(self.name), refs, np.array(rows), count=count))

    def _add_elongations(self, builder, kind, what: str, directors: Block, reads, more, **numbers):
        """Add cells of an ``ElongationKind`` with factors (s, p, d) along the triad."""
        basis, d, count = self.basis, self.dimension, len(reads)
        each = np.einsum("sak,ij->skiaj", reads, np.eye(d)).reshape(count * d * d, -1)
        w0 = np.einsum("sak,ax->skx", reads[:, 1:], basis.places[1:])
        e0 = np.einsum("skx,xk->s", w0, basis.triad[:, :d])
        w = self._condensed(builder, what, csr_matrix(each), float(np.abs(w0).max()))
        leading = self._leading()
        rows = [
            kind.pack(**leading, w0=w0[s], e0=e0[s], **{n: z[s] for n, z in numbers.items()})
            for s in range(count)
        ]
        refs = [
            Ref(directors, np.tile(np.arange(len(directors.values)), (count, 1))),
            Ref(w, np.arange(count * d * d).reshape(count, -1)), *more,
        ]  # fmt: skip
        builder.add_cell(kind, Cell(str(self.name), refs, np.array(rows), count=count))

    def _add_stiffening(self, builder, directors: Block, axial) -> Ref:
        d, count = self.dimension, len(axial.stiffness)
        role = Algebraic(offset_magnitude=self.basis.size)
        elongations = Block(str(self.name), "elongations", np.zeros(count), role)
        builder.add_block(elongations)
        own = Ref(elongations, np.arange(count)[:, None])
        self._add_elongations(
            builder, AxialStateKind(d), "stretch", directors, axial.reads, [own],
            stiffness=axial.stiffness,
        )  # fmt: skip
        first, others, counted = pairs(len(self.basis.mass), PairsKind.SOME)
        H = axial.stiffness[:, None, None] * axial.products
        states, cells = len(H), len(first)
        self._add_pairs(
            builder, StiffeningKind(d), directors, np.tile(first, states),
            np.tile(others, (states, 1)),
            [Ref(elongations, np.repeat(np.arange(states), cells)[:, None])],
            factors=(H[:, first[:, None], others] * counted).reshape(states * cells, -1),
        )  # fmt: skip
        return own

    def _hold_directors(self, builder) -> None:
        d, who = self.dimension, str(self.name)
        tied = Multiplier(ROTATION, of=f"{who}: orthonormality", inherent=True)
        lam = Block(who, "orthonormality", np.zeros(d * (d + 1) // 2), tied)
        builder.add_block(lam)
        kind, basis = RigidDirectorsKind(d), self.basis
        row = kind.pack(place=basis.directors[:d, :d], size=basis.size)
        refs = [Ref(self.amplitudes, d + np.arange(d * d)), lam.all]
        builder.add_cell(kind, Cell(who, refs, row))
