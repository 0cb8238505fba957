"""A component: all cells of one kind, their kernels, and the incidence that glues them.

All bodies, joints and contacts of one *kind* are the cells of one component. The kind (kind.py)
says what the cells are; FFCx compiles its forms into kernels, once a kind and process, cached on
disk. A component knows no mechanics.

Everything a form can depend on lies in one state array of the system::

    state = [ q | v | a | q_n | parameters of all components | globals ]

where ``q_n`` is ``q`` at the start of the step and the globals are time, the two derivatives
dv/dq and da/dq of the integrator, gravity, and 1 / (time since the start of the step). For each
form an integer array (cells x packed coefficients) says where each number of a cell's packed
coefficients lies in the state. That array is the incidence. Neighbouring elements share unknowns
through it, not vertices: the mesh of a component is a list of unconnected cells.
"""

from __future__ import annotations

import logging
import math
import os
import sysconfig
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import ffcx.naming
import numpy as np
from dolfinx import jit
from ufl.algorithms import extract_coefficients

from .. import cache
from .._backend import MPI
from ..user_code import forms_of
from .blocks import Ref
from .kind import Kind
from .observables import Observable, is_energy
from .symbols import GLOBALS, PER_STEP, Symbols

logger = logging.getLogger(__name__)

#: Optimisations that keep infinities and NaN (guards and SNES rely on them).
SAFE_MATH = [
    "-fno-math-errno", "-fno-trapping-math", "-fassociative-math", "-fno-signed-zeros",
    "-freciprocal-math", "-g0",
]  # fmt: skip


def jit_options(cell: str) -> dict[str, Any]:
    """How kernels of kinds on these cells are compiled.

    A point's kernel is one long line of arithmetic, up to 30,000 statements: more than -O1 finds
    nothing to gain in it and takes twice as long (docs/performance.md). Others are loops.
    """
    level = "-O1" if cell == "point" else "-O3"
    return {"cffi_extra_compile_args": [level, *SAFE_MATH], "timeout": 600}


@dataclass
class Cell:
    """One cell of a component (a body, an element of a beam, a joint), or many cells of one owner.

    Attributes:
        owner: name of the body or joint, prefix of its channels.
        refs: unknowns of the cell, in the order of the kind's fields. Where ``count`` cells are
            given at once, the indices of a ref are one row a cell, or one row for all of them.
        parameters: numbers of this cell, in the order of the kind's ``parameters``; one row a cell
            or one for all.
        geometry: coordinates of the cells' nodes, m, (count, nodes, 3); ``None`` for points.
        count: number of cells.
        place: prefix of channels that are of this cell alone (``Observable.each``); else the owner.
    """

    owner: str
    refs: Sequence[Ref]
    parameters: np.ndarray = field(default_factory=lambda: np.zeros(0))
    geometry: np.ndarray | None = None
    count: int = 1
    place: str = ""

    @property
    def numbers(self) -> np.ndarray:
        """Global numbers of the unknowns, cells x dofs."""
        rows = [np.atleast_2d(r.numbers) for r in self.refs]
        return np.hstack([np.broadcast_to(r, (self.count, r.shape[1])) for r in rows])

    def coordinates(self, kind: Kind) -> np.ndarray:
        """Geometry as the kernels want it: cells x (3 per node), zero along directions that the
        mesh of the kind has not."""
        if self.geometry is None:
            return np.zeros((self.count, 3))
        nodes = self.geometry.reshape(self.count, -1, 3)
        return (nodes * (np.arange(3) < kind.geometric_dimension)).reshape(self.count, -1)


@dataclass(frozen=True)
class Compiled:
    """A form or expression as FFCx compiled it.

    Attributes:
        kernel: the function that fills a cell's tensor (cffi).
        module: where it is from; keeps it loaded.
        coefficients: names of the coefficients it packs, in order.
        size: numbers that an expression gives for a cell, those of all its points; 0 for forms.
    """

    kernel: Any
    module: Any
    coefficients: tuple[str, ...]
    size: int = 0


@dataclass(frozen=True)
class Kernels:
    """All a kind compiles to."""

    dofs: int
    residual: Compiled | None
    tangent: Compiled | None
    observe: Compiled | None
    observables: dict[str, Observable]
    #: what the ledger counts the work of; ``None``: nothing
    work: Compiled | None
    #: whether it takes stored energy's gain from the work of all forces, see ``Kind.by_difference``
    by_difference: bool


_kernels: dict[Kind, Kernels] = {}


def kernels(kind: Kind, comm) -> Kernels:
    """Kernels of a kind, compiled on the first call of a process; collective."""
    if not all(comm.allgather(kind in _kernels)):  # ranks may have run systems of their own
        tic = time.perf_counter()
        with forms_of(kind):
            c = Symbols(kind)
            residual, tangent = c.forms()
            observables = kind.observables(c)
            observe = c.observation(observables) if observables else None
        first, second, third = (_compile(f, c, comm) for f in (residual, tangent, observe))
        columns = c.columns(observables)
        work = None if kind.lossless else first
        stores = any(is_energy(o.total) for o in observables.values())
        difference = kind.by_difference(observables) or c.stores_in_rates(observables)
        if work is not None and stores and not difference:
            work = _compile(c.lost(observables), c, comm)
        _kernels[kind] = Kernels(c.element.dim, first, second, third, columns, work, difference)
        seconds = time.perf_counter() - tic
        level = logging.INFO if seconds > 3 else logging.DEBUG
        logger.log(level, "forms of %s ready in %.1f s", kind.label, seconds)
    return _kernels[kind]


_expressions: dict[tuple[Kind, str, bytes], Compiled] = {}


def expression_kernel(kind: Kind, name: str, points: np.ndarray, comm) -> Compiled:
    """Kernel of one of the kind's ``recovered`` expressions at points of its reference cell;
    collective."""
    key = kind, name, points.tobytes()
    if not all(comm.allgather(key in _expressions)):
        with forms_of(kind):
            c = Symbols(kind)
            recovered = kind.recovered(c)[name]
        compiled = _compile(recovered, c, comm, points)
        assert compiled is not None
        _expressions[key] = compiled
    return _expressions[key]


_drifts: dict[Kind, Compiled | None] = {}


def drift_kernel(kind: Kind, comm) -> Compiled | None:
    """Kernel of the residual's explicit time derivative, for kinds with drivers; collective."""
    if not all(comm.allgather(kind in _drifts)):
        with forms_of(kind):
            c = Symbols(kind)
            drift = c.drift()
        _drifts[kind] = _compile(drift, c, comm)
    return _drifts[kind]


def _compile(form, c: Symbols, comm, points=None) -> Compiled | None:
    """A form, or an expression at points of the reference cell; collective."""
    if form is None:
        return None
    names = {
        c.q: "q", c.v: "v", c.a: "a", c.q_n: "q_n", c.globals: "globals", c.p: "parameters",
        c.per_step: "per_step", **{field: name for name, field in c.distributed.items()},
    }  # fmt: skip
    original = extract_coefficients(form)
    what = form if points is None else (form, points)
    module = in_turn(comm, lambda: _module(what, c.kind.cell))
    (name,) = (n for n in dir(module.lib) if n.startswith(("form_", "expression_")))
    compiled = getattr(module.lib, name)
    kernels, size = [compiled], 0
    if points is not None:
        shape = [compiled.value_shape[k] for k in range(compiled.num_components)]
        size = compiled.num_points * math.prod(shape)
    else:
        offsets = compiled.form_integral_offsets
        kernels = [compiled.form_integrals[k] for k in range(offsets[0], offsets[1])]
    if len(kernels) != 1:
        raise ValueError("a packed form has exactly one cell integral")
    positions = compiled.original_coefficient_positions
    packed = [original[positions[i]] for i in range(compiled.num_coefficients)]
    kernel = kernels[0].tabulate_tensor_float64
    return Compiled(kernel, module, tuple(names[w] for w in packed), size)


def _module(what, cell: str) -> Any:
    """FFCx's module of a form, or of an expression and its points."""
    compile_options = jit.get_options(jit_options(cell))
    key = {k: z for k, z in compile_options.items() if k not in ("cache_dir", "timeout")}
    key |= {"CFLAGS": [sysconfig.get_config_var("CFLAGS"), *map(os.environ.get, ("CC", "CFLAGS"))]}
    tag = repr(sorted(ffcx.get_options().items())) + repr(sorted(key.items()))

    def build(folder: Path):
        options = {**compile_options, "cache_dir": folder}
        return jit.ffcx_jit(MPI.COMM_SELF, what, jit_options=options)[1]

    return cache.module(ffcx.naming.compute_signature([what], tag), build)


def in_turn(comm, make: Callable[[], Any]) -> Any:
    """What ``make`` returns on this rank: the first makes it, the others find it in the cache; what
    one raises all do. Collective."""
    result = failure = None
    for turn in (comm.rank == 0, comm.rank != 0):
        if turn and failure is None:
            try:
                result = make()
            except (Exception, KeyboardInterrupt) as error:
                failure = error
        if comm.size > 1:
            failure = next((e for e in comm.allgather(failure) if e is not None), None)
    if failure is not None:
        raise failure
    return result


def ranks_of(numbers: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Rank of each cell, from its unknowns (cells x dofs) and the ends of the ranks' shares."""
    first = np.where(numbers < bounds[-1], numbers, bounds[-1]).min(axis=1, initial=bounds[-1])
    rank = np.searchsorted(bounds, first, side="right")
    return np.where(first < bounds[-1], rank, 0)


class Component:
    """The cells of one kind that this rank owns, with their kernels.

    Args:
        kind: what they are.
        cells: all of them, on every rank.
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
    """

    def __init__(self, kind: Kind, cells: list[Cell], comm, bounds: np.ndarray):
        self.kind, self.comm, self.groups = kind, comm, cells
        compiled = kernels(kind, comm)
        self.dofs, self.observables = compiled.dofs, compiled.observables
        self.residual, self.tangent = compiled.residual, compiled.tangent
        self.observe, self.work = compiled.observe, compiled.work
        self.by_difference = compiled.by_difference
        self.driven = any(ref.block.driven for cell in cells for ref in cell.refs)
        self.drift = drift_kernel(kind, comm) if self.driven else None
        counts = [cell.count for cell in cells]
        self.original = np.flatnonzero(ranks_of(self._all(), bounds) == comm.rank)
        self.count = len(self.original)
        self.owners, self.owner = self._named([cell.owner for cell in cells], counts)
        self.places, self.place = self._named([cell.place or cell.owner for cell in cells], counts)
        rows = (np.broadcast_to(z.parameters, (z.count, kind.width)) for z in cells)
        self.parameters = np.concatenate([*rows])[self.original]
        self.coordinates = np.ascontiguousarray(
            np.concatenate([cell.coordinates(kind) for cell in cells])[self.original]
        )

    def _named(self, names: list[str], counts: list[int]) -> tuple[list[str], np.ndarray]:
        """The distinct names in the order added, and the index among them of each cell here."""
        distinct = [*dict.fromkeys(names)]
        index = {name: k for k, name in enumerate(distinct)}
        return distinct, np.repeat([index[name] for name in names], counts)[self.original]

    def _all(self) -> np.ndarray:
        rows = np.concatenate([cell.numbers for cell in self.groups]).astype(np.int64)
        if rows.shape[1] != self.dofs:
            raise ValueError(f"{self.kind.label}: {rows.shape[1]} unknowns for {self.dofs} dofs")
        return rows

    def cells_of(self, owner: str) -> tuple[np.ndarray, np.ndarray]:
        """The cells of an owner on this rank: their places here, and their numbers among the
        owner's."""
        before = sum(g.count for g in takewhile(lambda g: g.owner != owner, self.groups))
        here = np.flatnonzero(self.owner == self.owners.index(owner))
        return here, self.original[here] - before

    def unknowns(self) -> np.ndarray:
        """Global numbers of the unknowns, cells x dofs; read again after an incidence changed."""
        return self._all()[self.original]

    def gather(
        self, form: Compiled, local: np.ndarray, offset: int, size: int, globals_at: int
    ) -> np.ndarray:
        """Place in the state of each packed coefficient of each cell.

        Args:
            form: one of the compiled forms.
            local: local numbers of the unknowns, cells x dofs.
            offset: where this component's parameters start in the state.
            size: length of each of the state's blocks q, v, a, q_n.
            globals_at: where the globals start.
        """
        n, width, columns = self.count, self.kind.width, []
        blocks = {"q": 0, "v": 1, "a": 2, "q_n": 3}
        for name in form.coefficients:
            if name in blocks:
                columns.append(blocks[name] * size + local)
            elif name == "globals":
                columns.append(np.broadcast_to(globals_at + np.arange(GLOBALS), (n, GLOBALS)))
            elif name == "per_step":
                columns.append(np.full((n, 1), globals_at + PER_STEP))
            else:
                rows = offset + np.arange(n * width).reshape(n, width)
                some = slice(self.kind.read)
                if name != "parameters":  # a field of its own
                    some = self.kind.columns(name)
                columns.append(rows[:, some])
        return np.ascontiguousarray(
            np.hstack(columns) if columns else np.zeros((n, 0)), dtype=np.int32
        )
