"""A component: all cells of one kind, their kernels, and their dof map.

All bodies, joints and contacts of one *kind* are the cells of one component. The kind (kind.py)
defines the cells; FFCx compiles its forms into kernels, once for each kind and process, cached on
disk. A component contains no mechanics.

Everything on which a form can depend lies in one state array of the system::

    state = [ q | v | a | q_n | parameters of all components | globals ]

where ``q_n`` is ``q`` at the start of the step and the globals are time, the two derivatives
dv/dq and da/dq of the integrator, gravity, and 1 / (time since the start of the step). For each
form an integer array (cells x packed coefficients) says where each number of a cell's packed
coefficients lies in the state. That array is the dof map. Neighbouring elements share unknowns
through it, not vertices: the mesh of a component is a list of unconnected cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

import numpy as np

from ..errors import InputError
from .blocked import in_lanes
from .blocks import Ref
from .compiled.shared import pointer
from .forms import drift_kernel, kernels
from .kind import Kind
from .symbols import GLOBALS, PER_STEP

#: the state's numbers of the unknowns, in this order
BLOCKS = ("q", "v", "a", "q_n")
#: parameter that holds the numbers of a function of time
FUNCTION = "function"


@dataclass
class Cell:
    """One cell of a component (a body, an element of a beam, a joint), or many cells of one owner.

    Attributes:
        owner: name of the body or joint, prefix of its channels.
        refs: unknowns of the cell, in the order of the kind's fields. Where ``count`` cells are
            given at once, the indices of a ref are one row a cell, or one row for all of them.
        parameters: numbers of this cell, in the order of the kind's ``parameters``; one row a cell
            or one for all.
        geometry: coordinates of the cells' nodes, m, (count, nodes, 3); or points and each cell's
            among them; ``None`` for points.
        count: number of cells.
        place: prefix of channels that are of this cell alone (``Observable.each``); else the owner.
        original: where each rank gives other cells, all of which it evaluates: their numbers among
            those of all ranks, ascending; ``None`` where every rank gives all of them.
        total: number of the latter.
    """

    owner: str
    refs: Sequence[Ref]
    parameters: np.ndarray = field(default_factory=lambda: np.zeros(0))
    geometry: np.ndarray | tuple[np.ndarray, np.ndarray] | None = None
    count: int = 1
    place: str = ""
    original: np.ndarray | None = None
    total: int = 0

    def __post_init__(self):
        if self.original is None:
            self.total = self.count

    @property
    def numbers(self) -> np.ndarray:
        """Global numbers of the unknowns, cells x dofs."""
        rows = [np.atleast_2d(r.numbers) for r in self.refs]
        return np.hstack([_each(r, self.count) for r in rows])

    @property
    def nodes(self) -> np.ndarray:
        """The coordinates that ``geometry`` contains, m."""
        given = self.geometry[0] if isinstance(self.geometry, tuple) else self.geometry
        return np.zeros(0) if given is None else given

    def moved(self, nodes: np.ndarray) -> Cell:
        """The same with other coordinates, in the order of ``nodes``."""
        if self.geometry is None:
            return self
        x = nodes.reshape(self.nodes.shape)
        shared = isinstance(self.geometry, tuple)
        return replace(self, geometry=(x, self.geometry[1]) if shared else x)

    def coordinates(self, kind: Kind, which: np.ndarray) -> np.ndarray:
        """Geometry of some cells as kernels read it: cells x (3 per node), zero along directions
        that the mesh of the kind does not have."""
        if self.geometry is None:
            return np.zeros((len(which), 3))
        if isinstance(self.geometry, tuple):
            points, cells = self.geometry
            nodes = points[cells[which]]
        else:
            nodes = self.geometry.reshape(self.count, -1, 3)[which]
        return in_plane(nodes, kind).reshape(len(which), 3 * nodes.shape[1])


def _each(rows: np.ndarray, count: int) -> np.ndarray:
    """A row for each cell, where one may be given for all of them."""
    return rows if len(rows) == count else np.broadcast_to(rows, (count, rows.shape[1]))


def in_plane(points: np.ndarray, kind: Kind) -> np.ndarray:
    """Coordinates of points, zero along directions that the mesh of a kind does not have; the
    array itself if it has all."""
    d = kind.geometric_dimension
    return points if d == 3 else points * (np.arange(3) < d)


def ranks_of(numbers: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Rank of each cell, from its unknowns (cells x dofs) and the ends of the ranks' shares."""
    first = np.where(numbers < bounds[-1], numbers, bounds[-1]).min(axis=1, initial=bounds[-1])
    rank = np.searchsorted(bounds, first, side="right")
    return np.where(first < bounds[-1], rank, 0)


class Component:
    """The cells of one kind that this rank owns, with their kernels.

    Args:
        kind: what they are.
        cells: all of them, on every rank, but for those of which each rank gives its own.
        comm: communicator.
        bounds: end of each rank's share of the unknowns; fixed values are numbered past the last. A
            cell belongs to the rank that holds its first free unknown.

    Attributes:
        count: cells of this rank.
        original: numbers of this rank's cells among all cells of the kind, in the order added.
        owners: names of the owners of these cells, in the order added.
        owner: index of the owner of each cell.
        driven: whether it has multipliers of drivers.
        places, place: the same for channels that are of single cells.
        parameters: initial numbers of each cell, cells x width.
        dofs: unknowns a cell reads.
        total: cells of all ranks.
        formulas: signature of the kind's residual and observables.
        followed: cubics of tables by the cells whose function of time they are, intervals x 5, see
            ``functions.Table``; ``tables``: the same for the compiled functions.
    """

    def __init__(self, kind: Kind, cells: list[Cell], comm, bounds: np.ndarray):
        self.kind, self.comm, self.groups = kind, comm, cells
        self.followed: dict[int, np.ndarray] = {}
        self.tables: Any = ()
        counts = [cell.count for cell in cells]
        self.total = sum(cell.total for cell in cells)
        compiled = kernels(kind, comm, self.total)
        self.dofs, self.observables = compiled.dofs, compiled.observables
        self.residual, self.tangent = compiled.residual, compiled.tangent
        self.observe, self.work = compiled.observe, compiled.work
        self.by_difference, self.formulas = compiled.by_difference, compiled.formulas
        self.driven = any(ref.block.driven for cell in cells for ref in cell.refs)
        self.drift = drift_kernel(kind, comm) if self.driven else None
        rank = ranks_of(self._all(), bounds)
        ends = np.cumsum([0, *counts])
        numbers, first = np.arange(ends[-1]), 0
        for cell, start in zip(cells, ends, strict=False):
            some = slice(start, start + cell.count)
            if cell.original is not None:
                rank[some] = comm.rank
            own = np.arange(cell.count) if cell.original is None else cell.original
            numbers[some] = first + own
            first += cell.total
        #: which of the cells that were given here are this rank's
        self.given = np.flatnonzero(rank == comm.rank)
        self.original, self.count = numbers[self.given], len(self.given)
        self.owners, self.owner = self._named([cell.owner for cell in cells], counts)
        self.places, self.place = self._named([cell.place or cell.owner for cell in cells], counts)
        rows = [_each(np.atleast_2d(z.parameters), z.count) for z in cells]
        self.parameters = np.concatenate(rows)[self.given]
        self._blocks: dict[int, tuple[np.ndarray, np.ndarray | None]] = {}

    def _named(self, names: list[str], counts: list[int]) -> tuple[list[str], np.ndarray]:
        """The distinct names in the order added, and the index among them of each cell here."""
        distinct = [*dict.fromkeys(names)]
        index = {name: k for k, name in enumerate(distinct)}
        return distinct, np.repeat([index[name] for name in names], counts)[self.given]

    def _all(self) -> np.ndarray:
        rows = np.concatenate([cell.numbers for cell in self.groups])
        if rows.shape[1] != self.dofs:
            raise InputError(
                f"{self.kind.label}: its cells have {rows.shape[1]} unknowns, but its fields "
                f"{self.dofs}; give a block of the size of each field, in their order."
            )
        return rows

    def cells_of(self, owner: str) -> tuple[np.ndarray, np.ndarray]:
        """The cells of an owner on this rank: their places here, and their numbers among those that
        the owner has given on this rank."""
        before = sum(g.count for g in takewhile(lambda g: g.owner != owner, self.groups))
        here = np.flatnonzero(self.owner == self.owners.index(owner))
        return here, self.given[here] - before

    def follow(self, owner: str, pieces: np.ndarray) -> None:
        """Use a table as the function of an owner's cells, by its cubics, intervals x 5."""
        if owner in self.owners and FUNCTION in self.kind.parameters:
            self.followed |= dict.fromkeys(map(int, self.cells_of(owner)[0]), pieces)

    def place_tables(self, ffi: Any, offset: int, time: int) -> None:
        """Make ``tables``; where the parameters start in the state, and where the time is."""
        self.tables = ffi.new("fc_table[]", len(self.followed))
        column = self.kind.columns(FUNCTION).start if self.followed else 0
        for table, (cell, pieces) in zip(self.tables, self.followed.items(), strict=True):
            table.count, table.pieces = len(pieces), pointer(ffi, pieces)
            table.at, table.time = offset + cell * self.kind.width + column, time

    def moved(self, nodes: Sequence[np.ndarray], followed: Mapping[int, np.ndarray]) -> Component:
        """The same cells with other coordinates of each group's nodes, and other tables; before
        these are placed."""
        other = copy(self)
        other.groups = [cell.moved(x) for cell, x in zip(self.groups, nodes, strict=True)]
        other.followed, other._blocks = dict(followed), {}
        return other

    def _of_groups(self) -> list[tuple[Cell, np.ndarray]]:
        """Each group of cells that was given here, and which of them are this rank's."""
        ends = np.cumsum([0, *(cell.count for cell in self.groups)])
        cuts = np.searchsorted(self.given, ends)
        return [
            (cell, self.given[a:b] - start)
            for cell, start, a, b in zip(self.groups, ends, cuts, cuts[1:], strict=False)
        ]

    def geometry(self) -> np.ndarray:
        """Coordinates of the nodes of each cell, m, cells x numbers."""
        return np.concatenate([z.coordinates(self.kind, which) for z, which in self._of_groups()])

    def coordinates(self, lanes: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Coordinates of the nodes of each cell, m, in the order in which kernels for ``lanes``
        cells read them, and ``None``; where cells share nodes those of points, (n, 3), and the
        cells' nodes among them in that order. Computed once."""
        if lanes not in self._blocks:
            each = self._of_groups()
            meshes = [cell.geometry for cell in self.groups if isinstance(cell.geometry, tuple)]
            if len(meshes) < len(each):
                self._blocks[lanes] = in_lanes(self.geometry(), lanes), None
            else:
                x = [in_plane(points, self.kind) for points, _ in meshes]
                first = np.cumsum([0, *map(len, x)])
                nodes = [
                    (cells[which] + start).astype(np.int32)
                    for (_, cells), (_, which), start in zip(meshes, each, first, strict=False)
                ]
                points = np.ascontiguousarray(x[0] if len(x) == 1 else np.concatenate(x), float)
                self._blocks[lanes] = points, in_lanes(np.concatenate(nodes), lanes)
        return self._blocks[lanes]

    def unknowns(self) -> np.ndarray:
        """Global numbers of the unknowns, cells x dofs; read again after refs have changed."""
        return self._all()[self.given]

    def dof_map(
        self, coefficients: Sequence[str], local: np.ndarray, offset: int, size: int,
        globals_at: int,
    ) -> np.ndarray:  # fmt: skip
        """Place in the state of each packed coefficient of each cell.

        Args:
            coefficients: names of those of a compiled form.
            local: local numbers of the unknowns, cells x dofs.
            offset: where this component's parameters start in the state.
            size: length of each of the state's blocks q, v, a, q_n.
            globals_at: where the globals start.
        """
        n, width, columns = self.count, self.kind.width, []
        for name in coefficients:
            if name in BLOCKS:
                columns.append(BLOCKS.index(name) * size + local.astype(np.int32))
            elif name == "globals":
                numbers = globals_at + np.arange(GLOBALS, dtype=np.int32)
                columns.append(np.broadcast_to(numbers, (n, GLOBALS)))
            elif name == "per_step":
                columns.append(np.full((n, 1), globals_at + PER_STEP, np.int32))
            else:
                rows = offset + np.arange(n * width, dtype=np.int32).reshape(n, width)
                some = slice(self.kind.read)
                if name != "parameters":  # a field of its own
                    some = self.kind.columns(name)
                columns.append(rows[:, some])
        return np.ascontiguousarray(
            np.hstack(columns) if columns else np.zeros((n, 0)), dtype=np.int32
        )
