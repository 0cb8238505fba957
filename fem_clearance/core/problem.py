"""An assembled system: unknowns, kernels and the pattern of the matrix, without a run's numbers.

Local numbers: the unknowns this rank owns, then those of other ranks its cells touch, then fixed
values. See ``component.py`` for the layout of the state array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from .._backend import MPI, PETSc
from .accounts import passes
from .blocks import Block, held
from .bulk import BulkResidual, BulkTangent
from .canonical import KeptOrder
from .compiled.build import native
from .component import Component
from .condensation import CondensedDofs, ReducedTangent
from .entries import Entries, of_cells
from .evaluation import Batches, DofMaps, Sums
from .forms import Compiled
from .heap import thrifty
from .mixins import RestrictedSparsity, seen_each_step
from .numbering import LocalUnknowns, Numbering
from .roles import TRANSLATION, Algebraic, Condensed, Coordinate
from .symbols import PER_STEP

#: unknowns of a rank above which a model with bodies is large
MANY = 30_000
#: part of what complements an unknown below which that one is round-off
NEGLIGIBLE = 1e-13


class Model(Protocol):
    """What runs ask of a model, see ``System``."""

    def assemble(self) -> Problem: ...

    def show(self, channels: Any, equilibrium: Any = None) -> None: ...


class Problem:
    """What all runs of a system share; any number of states belong to it.

    Args:
        components, blocks, comm: of the system.
        bounds: end of each rank's share of the unknowns.
        gravity: acceleration of gravity, m/s^2, (3,).
        extent: size of the system, m.
        first_guesses: what sets first guesses of algebraic unknowns at the start of a run, of its
            state.
        inputs: what reads numbers of cells from outside at the start of a run, into its state.

    Attributes:
        size: unknowns of the whole system; ``owned`` on this rank, ``local`` with ghosts,
            ``total`` with fixed values too.
        numbers: global number of each local one: owned, of other ranks, condensed, fixed.
        start: the state array where every run begins.
        dynamic: 1.0 for coordinates and internal variables, 0.0 for algebraic unknowns.
        moving: 1.0 for coordinates, the unknowns along which forces do work.
        constrained: which unknowns are multipliers of constraints.
        velocity_level: which of them hold velocities themselves, see ``levels.py``.
        unit, offset_magnitude: see ``Role``; ``persistent``: see ``Algebraic``.
        complements: local numbers of unknowns that are 0 where another is not, those of the others,
            and part of these below which they are round-off, see ``Algebraic``.
        row_class: number of each unknown's class of equations, a place in ``row_names``.
    """

    def __init__(
        self, components: list[Component], blocks: list[Block], comm, bounds, *,
        gravity=(0.0, 0.0, 0.0), extent: float = 1.0,
        first_guesses: Iterable[Callable[[Any], None]] = (),
        inputs: Iterable[Callable[[Any], None]] = (),
    ):  # fmt: skip
        self.components, self.blocks, self.comm = components, blocks, comm
        self.gravity, self.extent = np.asarray(gravity, float), extent
        self.first_guesses, self.inputs = tuple(first_guesses), tuple(inputs)
        self.module = native(comm)
        self.size = int(bounds[-1])
        if self.bulk and self.size > MANY * comm.size:
            thrifty()
        owned = int(np.diff(bounds, prepend=0)[comm.rank])
        self.x = PETSc.Vec().createMPI((owned, self.size), comm=comm)
        self.x.zeroEntries()
        low, high = self.x.getOwnershipRange()
        self.low, self.owned = low, high - low
        self._number(low, high)
        self._layout()
        self.build()

    @property
    def width(self) -> int:
        """Unknowns of a solid's node; 1 without solids."""
        return max(b.width for b in self.blocks)

    @property
    def bulk(self) -> bool:
        """Whether bodies fill volumes or surfaces: their matrix needs a fill-reducing order."""
        return any(c.kind.bulk for c in self.components)

    @property
    def any_constraint(self) -> bool:
        """Whether any unknown of the system is the multiplier of a constraint; on every rank."""
        return any(b.constraint and b.unknowns for b in self.blocks)

    # --- numbering ------------------------------------------------------------------------------
    def _number(self, low, high):
        slaves = [b for b in self.blocks if isinstance(b.role, Condensed)]
        found = self._held = Numbering(self.components, slaves, low, high, self.size)
        self.numbers, self.local, self.total = found.numbers, found.local, found.total
        self.condensed = None
        if self.comm.allreduce(found.masters, MPI.LOR):
            self.condensed = CondensedDofs(
                slaves, self.numbers, self.locate, self.local, self.total
            )

    def locate(self, numbers: np.ndarray) -> np.ndarray:
        """Local numbers of global ones; -1 where this rank does not hold them."""
        return self._held.locate(numbers)

    def _layout(self):
        n, at = self.total, 4 * self.total
        self.offsets = []
        for c in self.components:
            self.offsets.append(at)
            at += c.count * c.kind.width
        self.globals_at = at
        for c, offset in zip(self.components, self.offsets, strict=True):
            c.place_tables(self.module.ffi, offset, at)
        self.parameter_range = slice(4 * n, at)
        self.start = np.zeros(at + PER_STEP + 1)
        self._by_block(self.start[: 4 * n].reshape(4, n))
        self.start[self.parameter_range] = np.concatenate(
            [np.zeros(0), *(c.parameters.ravel() for c in self.components)]
        )
        self.start[at + 3 : at + 6] = self.gravity
        self.dynamic, self.algebraic = (self.order > 0).astype(float), self.order == 0
        self.moving = (self.order == 2).astype(float)
        self.velocity_level = np.zeros(n, bool)
        self.complements = self._complements()

    def parameters(self, array: np.ndarray) -> list[np.ndarray]:
        """Views into a state array: of each component its cells' parameters, cells x numbers."""
        return [
            array[o : o + c.count * c.kind.width].reshape(c.count, c.kind.width)
            for o, c in zip(self.offsets, self.components, strict=True)
        ]

    def initial(self) -> tuple[np.ndarray, ...]:
        """Initial values, rates, orders and row classes by global number, fixed values too; zero
        where this rank holds none."""
        count = sum(b.total for b in self.blocks)
        (q, v), (order, row) = np.zeros((2, count)), np.zeros((2, count), int)
        for b in self.blocks:
            q[b.numbers], v[b.numbers], order[b.numbers] = b.values, b.rates, b.role.order
            row[b.numbers] = self.row_names.index(b.role.quantity)
        return q, v, order, row

    def _by_block(self, fields: np.ndarray):
        """What blocks say of their unknowns, by local number; sets q, v and q_n (``fields``)."""
        n = self.total
        self.row_names = sorted({b.role.quantity for b in self.blocks})
        #: order of each unknown, see ``Role``
        self.order, self.row_class = np.zeros(n, np.int8), np.zeros(n, np.int32)
        self.constrained, self.persistent = np.zeros((2, n), bool)
        self.unit, (self.offset_magnitude, self.typical) = np.ones(n), np.zeros((2, n))
        #: 1.0 where the terms of the rows count as forces
        self.counts_forces = np.zeros(n)
        #: least force of each class that its rows are judged against
        self.force_floors = np.zeros(len(self.row_names))
        #: part of Newton's tolerance that each class is held to
        self.tolerance_factors = np.ones(len(self.row_names))
        for b, at, here in held(self.blocks, self.locate):
            role, k = b.role, self.row_names.index(b.role.quantity)
            self.force_floors[k] = max(self.force_floors[k], role.force_floor)
            self.tolerance_factors[k] = min(self.tolerance_factors[k], role.tolerance_factor)
            fields[0, at] = fields[3, at] = b.values[here]
            fields[1, at] = np.asarray(b.rates)[here]
            self.order[at], self.row_class[at] = role.order, k
            self.counts_forces[at], self.constrained[at] = role.holds_forces, bool(b.constraint)
            self.unit[at] = role.unit
            if role.typical:  # pages that nothing is written to take no memory
                self.typical[at] = role.typical
            self.offset_magnitude[at] = role.offset_magnitude
            self.persistent[at] = isinstance(role, Algebraic) and role.persistent

    def _complements(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See ``complements``; of pairs that this rank holds."""
        pairs = np.zeros((2, 0), np.int64)
        for b in self.blocks:
            if isinstance(b.role, Algebraic) and b.role.complements is not None:
                both = np.stack([b.role.complements.numbers, b.numbers])[:, b.free]
                pairs = np.hstack([pairs, self.locate(both)])
        pairs = pairs[:, np.all(pairs >= 0, axis=0)]
        value, other = np.ascontiguousarray(pairs, np.int32)
        return value, other, NEGLIGIBLE * self.unit[value] / self.unit[other]

    def characteristic_length(self, extent: float) -> np.ndarray:
        """Displacement in m that one of each owned unknown stands for in a system of the size
        ``extent`` (m), see ``Coordinate``."""
        result = np.ones(self.total)
        for b, at, _ in held(self.blocks, self.locate):
            own = b.role.characteristic_length if isinstance(b.role, Coordinate) else None
            usual = 1.0 if b.role.quantity == TRANSLATION else extent / (b.role.typical or 1.0)
            result[at] = own or usual
        return result[: self.owned]

    # --- what follows from the dof map; again after it changed ----------------------------------
    def build(self):
        """Gather arrays, the matrix's pattern and the scatter."""
        #: of each component, cells x dofs
        self.local_unknowns = LocalUnknowns(self.components, self.locate, self.fills)
        self._map()
        everyone = range(len(self.components))
        needed = [seen_each_step(c.kind) or passes(c) for c in self.components]
        #: components with observables; first those that are looked at after every step
        self.observers = sorted(everyone, key=lambda k: not needed[k])
        self.observers = [k for k in self.observers if self.components[k].observe is not None]
        self.acting = sum(needed[k] for k in self.observers)
        filling = [k for k in everyone if self.fills(self.components[k])]
        others = [k for k in everyone if k not in filling]
        #: forces and tangents of the cells that do not fill bodies
        self.residual_kernels = self.batches("residual", others, lambda c: c.dofs)
        self.tangent_kernels = self.batches("tangent", others, lambda c: c.dofs**2)
        acting = [k for k in others if self.components[k].residual is not None]
        self.sums = self.summed(acting, self.residual_kernels)
        work = self._works("residual", filling, lambda c: c.dofs)
        self.bulk_rows = BulkResidual(work, self.total, self.module)
        self._drifts()
        of_rows, of_cols, kept = of_cells(
            [(self.components[k], self.local_unknowns[k]) for k in others]
        )
        #: tangents of the cells that do not fill bodies, and the local numbers behind them
        self.cells = self.tangent_kernels.out
        self.cell_rows, self.cell_cols = of_rows, of_cols
        self.tangent_kernels.leave_out_zeros(kept)
        #: which of the cells' tangents can differ from 0; ``None``: all
        self.coupled = held = kept if len(kept) < len(self.cells) else None
        if self.condensed is not None:
            self.reduced = ReducedTangent(
                of_rows, of_cols, self.condensed, self.cells, kept, self.module
            )
            of_rows, of_cols, held = self.reduced.rows, self.reduced.cols, None
            self.cells = self.reduced.values
        width = self.width
        if not all(b.width == width and b.whole for b in self.blocks if b.unknowns):
            width = 1
        self.entries = Entries(
            of_rows, of_cols, held, self._filled(filling, of_rows, of_cols, kept), self.numbers,
            self.local, width, self.x,
        )  # fmt: skip
        self._communication()

    def _map(self):
        self._dof_maps = DofMaps(
            self.components, self.local_unknowns, self.offsets, self.total, self.globals_at
        )

    def moved(self, components: list[Component]) -> Problem:
        """The same equations of cells elsewhere (``Component.moved``), for ``batches`` and the
        observations of states; whatever else was computed before remains as it is."""
        other = copy(self)
        other.components = components
        for c, mine, offset in zip(components, self.components, self.offsets, strict=True):
            if c is not mine:
                c.place_tables(self.module.ffi, offset, self.globals_at)
        other._map()
        return other

    def fills(self, c: Component) -> bool:
        """Whether the tangents of a component's cells are added up as they are evaluated."""
        plain = c.kind.bulk and not isinstance(c.kind, RestrictedSparsity)
        return plain and c.tangent is not None and self.condensed is None

    def _filled(self, filling: list[int], rows, cols, kept) -> BulkTangent | None:
        """Tangents of the components that fill bodies, beside entries of others."""
        if not filling:
            return None
        work = self._works("tangent", filling, lambda c: c.dofs**2)
        kept = kept[(rows[kept] < self.local) & (cols[kept] < self.local)]
        return BulkTangent(
            work, [self.local_unknowns[k] for k in filling], rows[kept], cols[kept], self.local,
            self.owned, self.numbers, self.module,
        )  # fmt: skip

    @property
    def coo_rows(self) -> np.ndarray:
        """Local numbers of the rows behind the values of a tangent, see ``Entries``."""
        return self.entries.rows

    @property
    def coo_cols(self) -> np.ndarray:
        """The same of the columns."""
        return self.entries.cols

    def _drifts(self):
        """Kernels of the explicit time derivatives, of the components that have any."""
        moved = [k for k, c in enumerate(self.components) if c.drift is not None]
        self.drift_kernels = self.batches("drift", moved, lambda c: c.dofs)
        self.drift_sums = self.summed(moved, self.drift_kernels)

    def batches(self, name: str, components: Iterable[int], size: Callable) -> Batches:
        """The form ``name`` of the components of these numbers that have it; ``size``: numbers that
        it gives for a cell of a component."""
        return Batches(self._works(name, components, size), self.module)

    def summed(self, components: Iterable[int], kernels: Batches) -> Sums:
        """What kernels give for the cells of these components, added up by local number."""
        rows = [np.zeros(0, int), *(self.local_unknowns[k].ravel() for k in components)]
        return Sums(np.concatenate(rows), self.total, kernels.out, self.module)

    def _works(self, name: str, components: Iterable[int], size: Callable) -> list[Any]:
        """The same for ``Batches``."""
        return [
            self.work(k, form, size(self.components[k]))
            for k in components if (form := getattr(self.components[k], name)) is not None
        ]  # fmt: skip

    def work(self, k: int, form: Compiled, size: int):
        """What ``Batches`` needs of a form of component ``k``."""
        return self._dof_maps.work(k, form, size)

    def _communication(self):
        if self.comm.size > 1:
            self.ghosted = PETSc.Vec().createSeq(self.local, comm=PETSc.COMM_SELF)
            numbers = PETSc.IS().createGeneral(
                self.numbers[: self.local].astype(PETSc.IntType), comm=PETSc.COMM_SELF
            )
            self.scatter = PETSc.Scatter().create(self.x, numbers, self.ghosted, None)

    def residual(self, address: Any) -> np.ndarray:
        """Rows of this rank's cells at a state (its ``address``), by local number; an array that
        stays."""
        self.residual_kernels.evaluate(address)
        self.bulk_rows.add(address, rows := self.sums.add())
        return rows

    def tangent(self, address: Any) -> np.ndarray:
        """The tangent at a state (its ``address``), unscaled, behind ``coo_rows``; without cells
        that fill bodies an array that stays."""
        self.tangent_kernels.evaluate(address)
        self.reduce()
        if (filled := self.entries.filled) is None:
            return self.cells
        values = np.zeros(self.entries.count)
        filled.add(address, values)
        values[filled.count :] = self.cells
        return values

    def matrix(self) -> PETSc.Mat:
        """A matrix of the pattern of tangents, see ``Entries``."""
        return self.entries.matrix()

    def fill(self, matrix: PETSc.Mat, values: np.ndarray, diagonal: np.ndarray | float = 0.0):
        """Set a matrix made by ``matrix``, see ``Entries``."""
        self.entries.fill(matrix, values, diagonal)

    def sizes(self) -> np.ndarray:
        """The sizes of the terms of each row of the last residual, added up."""
        return self.sums.sizes() + self.bulk_rows.sizes

    def reduce(self) -> np.ndarray:
        """The cells' present tangents, those of condensed ones with their masters'."""
        if self.condensed is not None:
            self.reduced.reduce()
        return self.cells

    # --- sums over ranks ------------------------------------------------------------------------
    def add_over_ranks(self, local: np.ndarray) -> np.ndarray:
        """Contributions by local number summed into the owned rows."""
        if self.comm.size == 1:
            return local[: self.owned]
        self.ghosted.array[:] = local[: self.local]
        self.x.zeroEntries()
        self.scatter.scatter(
            self.ghosted, self.x, PETSc.InsertMode.ADD_VALUES, PETSc.ScatterMode.REVERSE
        )
        return self.x.array_r.copy()

    def spread(self, owned: np.ndarray) -> np.ndarray:
        """Owned values and those of the ghosts, by local number."""
        if self.comm.size == 1:
            return owned
        self.x.array[:] = owned
        self.scatter.scatter(
            self.x, self.ghosted, PETSc.InsertMode.INSERT_VALUES, PETSc.ScatterMode.FORWARD
        )
        return self.ghosted.array_r.copy()

    def largest(self, values: np.ndarray, classes: int) -> np.ndarray:
        """Largest owned value in each class of rows, over all ranks."""
        result = np.zeros(classes)
        np.maximum.at(result, self.row_class[: len(values)], values)
        if self.comm.size > 1:
            self.comm.Allreduce(MPI.IN_PLACE, result, MPI.MAX)
        return result

    @cached_property
    def kept(self) -> KeptOrder:
        """The order of unknowns in what is kept of a run; collective at first."""
        return KeptOrder(self)

    def everything(self, local: np.ndarray) -> np.ndarray:
        """Values of all unknowns (without fixed ones) in global order, on every rank."""
        pieces = self.comm.allgather(np.array(local[: self.owned]))
        return np.concatenate(pieces)
