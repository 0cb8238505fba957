"""Evaluation of kernels, and summation of their results, by the compiled functions."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from .blocked import aligned, in_lanes
from .compiled.shared import fill, pointer
from .component import BLOCKS, Component
from .forms import Compiled


class DofMap:
    """Positions in the state of what a form reads of each cell, in the lanes of its kernel.

    Args:
        others: of all numbers behind those of the unknowns.
        unknowns: local numbers of the unknowns, shared with other forms; default: none.
        begins: where the form reads numbers of the unknowns (q, v, a, q_n), in its order: where
            these blocks begin in the state.
    """

    def __init__(
        self, others: np.ndarray, unknowns: np.ndarray | None = None, begins: Sequence[int] = ()
    ):
        self.others, self.begins = others, begins
        self.unknowns = others[:, :0] if unknowns is None else unknowns

    @property
    def width(self) -> int:
        """Numbers that a form reads of a cell."""
        return self.others.shape[1] + len(self.begins) * self.unknowns.shape[1]


class DofMaps:
    """Dof maps of the forms of components. Forms that read the same beside the unknowns share where
    that is as long as one of them is in use, and all forms the numbers of the unknowns.

    Args:
        components: of the system.
        unknowns: local numbers of the cells of each component, cells x dofs.
        offsets: where the parameters of each component start in the state.
        total: count of local numbers.
        globals_at: where the globals start in the state.
    """

    def __init__(
        self, components: list[Component], unknowns: Sequence[np.ndarray], offsets: list[int],
        total: int, globals_at: int,
    ):  # fmt: skip
        self._components, self._unknowns, self._offsets = components, unknowns, offsets
        self._total, self._globals_at = total, globals_at
        self._made: WeakValueDictionary = WeakValueDictionary()

    def work(self, k: int, form: Compiled, size: int) -> tuple[Component, Compiled, DofMap, int]:
        """Entry of ``Batches`` for a form of component ``k`` that returns ``size`` numbers."""
        component = self._components[k]
        of_unknowns = [*takewhile(lambda name: name in BLOCKS, form.coefficients)]
        rest = form.coefficients[len(of_unknowns) :]
        others = self._kept((k, tuple(rest), form.lanes), lambda: component.dof_map(
            rest, self._unknowns[k], self._offsets[k], self._total, self._globals_at
        ))  # fmt: skip
        numbers = self._kept((k, None, form.lanes), lambda: self._unknowns[k])
        begins = [BLOCKS.index(name) * self._total for name in of_unknowns]
        return component, form, DofMap(others, numbers, begins), size

    def _kept(self, key: tuple, rows: Callable[[], np.ndarray]) -> np.ndarray:
        """Rows of the cells in the lanes of the last of ``key``, which forms share."""
        if (found := self._made.get(key)) is None:
            self._made[key] = found = in_lanes(rows(), key[-1])
        return found


class Batches:
    """One form of every component, ready to evaluate.

    Args:
        work: component, compiled form, dof map, and outputs of a cell.
        kept: whether outputs are; ``False`` of those that compiled functions add up.

    Attributes:
        out: outputs of all cells of all components, one after the other.
        parts: for each component its view into ``out``, cells x outputs of a cell.
    """

    def __init__(self, work: list[tuple[Component, Compiled, DofMap, int]], module: Any, kept=True):
        sizes = [c.count * size * kept for c, _, _, size in work]
        self.out = np.zeros(sum(sizes))
        ends = np.cumsum([0, *sizes])
        self.parts = [
            self.out[a:b].reshape(c.count if kept else 0, size)
            for a, b, (c, _, _, size) in zip(ends[:-1], ends[1:], work, strict=True)
        ]
        self.count = len(work)
        #: room for the packed coefficients and twice the outputs of one block
        where = [c.coordinates(form.lanes) for c, form, _, _ in work]
        room = [
            form.lanes * (read.width + 2 * size + (z[1] is not None) * _geometry(*z))
            for (_, form, read, size), z in zip(work, where, strict=True)
        ]
        self.work = aligned(np.zeros(max([1, *room])))
        self._ffi = ffi = module.ffi
        self._evaluate, self._packed = module.lib.fc_evaluate, pointer(ffi, self.work)
        self._keep: list = []
        self.table = ffi.new("fc_batch[]", max(self.count, 1))
        for b, out, (c, form, read, size), (x, nodes) in zip(
            self.table, self.parts, work, where, strict=False
        ):
            self._keep += [read, x, nodes]
            b.kernel = ffi.cast("fc_kernel", int(form.module.ffi.cast("uintptr_t", form.kernel)))
            b.lanes, b.cells, b.size = form.lanes, c.count, size
            b.width, b.geometry = read.width, _geometry(x, nodes)
            b.dofs, b.reads = read.unknowns.shape[1], len(read.begins)
            b.begin = [*read.begins]
            b.unknowns = ffi.from_buffer("int[]", read.unknowns)
            b.gather, b.x = ffi.from_buffer("int[]", read.others), ffi.from_buffer("double[]", x)
            if nodes is not None:
                b.nodes = ffi.from_buffer("int[]", nodes)
            b.out = ffi.cast("double*", out.ctypes.data)
            if c.tables:
                b.tables, b.tabled = c.tables, len(c.tables)

    def leave_out_zeros(self, kept: np.ndarray) -> None:
        """Do not write outputs that are always 0; ``kept``: indices of ``out`` that may differ."""
        some = np.zeros(len(self.out), bool)
        some[kept] = True
        ends = np.cumsum([0, *(part.size for part in self.parts)])
        for b, start, part in zip(self.table, ends, self.parts, strict=False):
            first = some[start : start + part.shape[1]] if len(part) else some[:0]
            whole = len(first) - len(first) % b.lanes
            blank = ~first[:whole].reshape(-1, b.lanes).any(axis=1)
            if b.lanes > 1 and blank.any():
                self._keep += fill(self._ffi, b, {"blank": blank})

    def evaluate(self, state: Any, start: int = 0, stop: int | None = None) -> np.ndarray:
        """The kernels of all components, or of some, at a state (its ``address``); returns
        ``out``."""
        count = (self.count if stop is None else stop) - start
        table = self.table + start if start else self.table
        self._evaluate(table, count, state, self._packed)
        return self.out


def _geometry(x: np.ndarray, nodes: np.ndarray | None) -> int:
    """Coordinates of a cell's nodes, see ``Component.coordinates``: their number."""
    return x.shape[1] if nodes is None else 3 * nodes.shape[1]


class Sums:
    """Sums numbers by their places.

    Args:
        to: place of each number.
        n: number of places.
        values: the array that holds the numbers, always the same.
        take: which of its numbers; by default all in turn.

    Attributes:
        sums: the result of ``add``.
    """

    def __init__(
        self, to: np.ndarray, n: int, values: np.ndarray, module: Any,
        take: np.ndarray | None = None,
    ):  # fmt: skip
        self.to, self.n, self.values = np.ascontiguousarray(to, np.int32), n, values
        self.take = None if take is None else np.ascontiguousarray(take, np.int32)
        self.sums = np.zeros(n)

        def at(array: np.ndarray | None):
            return module.ffi.NULL if array is None else pointer(module.ffi, array)

        self._add = module.lib.fc_add
        self._arguments = (
            at(self.take), at(self.to), len(self.to), at(values), at(self.sums), n,
        )  # fmt: skip

    def add(self) -> np.ndarray:
        """The sums of the present numbers."""
        self._add(*self._arguments)
        return self.sums

    def sizes(self) -> np.ndarray:
        """The sums of their sizes."""
        values = self.values if self.take is None else self.values[self.take]
        return np.bincount(self.to, np.abs(values), self.n)
