"""Many steps of derivatives in one compiled call.

Steps of one length whose contacts are open, and whose velocities are left alone, are all alike:
``core/compiled/sweep.c`` takes them one after the other, forwards or backwards. Everything else,
and steps whose linear equations it cannot solve accurately, is that of ``tangent.py`` and
``adjoint.py``.

K, dF/dq + gamma' dF/dv and J are three evaluations of the tangent; cells whose forces know no
rates, or no accelerations, are left out of the second and third. With x and w for the start
values dq0 and dv0, K x + C w = K (x - w / gamma') + (K + gamma' C) w / gamma': its round-off is
that of K x, and no factor far above the stiffness is needed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from .._backend import PETSc
from ..core.compiled.shared import fill, pointer
from .linear_run import LinearRun
from .linearised import ACCURATE, Linearised, Pattern
from .maps import StageMap
from .nearby import Close

#: relative residual at which solutions are refined no further
SETTLED = 1e-13
#: solutions, with their residual, that take as long as PETSc's LU of a film; factors of the
#: package's own take no longer than the refinement that keeping them needs
RENEWAL = 15
#: change of the time by a step, for central differences
TIME = 1e-3


class Sweeps:
    """The compiled sweeps of a run.

    Args:
        run: whose steps are taken.
        columns: that are carried: parameters forwards, outputs backwards.
    """

    def __init__(self, run: LinearRun, columns: int):
        self.run, self.columns = run, columns
        state, linear, vectors = run.state, run.linear, run.vectors
        problem, module = state.problem, state.problem.module
        self._ffi, self._lib, self._problem = module.ffi, module.lib, problem
        self._stage: StageMap | None = None
        self.near = [
            (p, changed.factor, close)
            for p, dependence in enumerate(run.dependences)
            for changed in dependence.near
            if (close := changed.close()) is not None
        ]
        time = Close(problem.residual_kernels, problem.sums, *np.zeros((2, len(state.array))))
        later = time._replace(array=time.array.copy(), offset=time.offset.copy())
        self._time = time, later
        self._all = [each for _, _, each in self.near] + [time, later]
        self._w: Any = module.ffi.new("fc_sweep *")
        self._keep: list = []
        self._share(linear, vectors)

    def _share(self, linear: Linearised, vectors) -> None:
        """Show the compiled functions where everything is."""
        run, w, ffi = self.run, self._w, self._ffi
        state, problem, pattern, n = run.state, self._problem, linear.tangents.pattern, run.n
        m, entries = vectors.m, len(pattern.cols)
        self._petsc = ffi.new("fc_petsc *", problem.module.petsc)
        w.petsc = self._petsc
        w.n, w.total, w.numbers, w.columns = n, state.total, len(state.array), self.columns
        w.vectors, w.m = vectors.count, m
        tangent, residual = problem.tangent_kernels, problem.residual_kernels
        w.tangent, w.tangents = tangent.table, tangent.count
        residuals = [c.residual for c in state.components if c.tangent is not None]
        forces = [form.coefficients for form in residuals if form is not None]
        reads = np.array([("v" in z) + 2 * ("a" in z) for z in forces], np.int32)
        self._keep += fill(ffi, w, {"reads": reads})
        w.accurate, w.settled = ACCURATE, SETTLED
        self.K, self.G, self.J, fixed = np.zeros((4, entries))
        sides = self.run.columns + 1
        self._by, self._counted = np.zeros((sides, n)), np.zeros((sides, self.columns))
        w.sides = sides
        self.Z = np.zeros((vectors.count, self.columns, n))
        self._A, self._ends = np.zeros((m + 2, vectors.count)), np.zeros((m, 3))
        self._factor, self._scale = np.zeros(entries), np.zeros(n)
        self._length, self._sizes = np.zeros(n), np.zeros(self.columns)
        self._drift = np.zeros(self.columns)
        arrays = {
            "state": state.array, "globals": state.globals, "work": tangent.work,
            "cells": problem.cells, "K": self.K, "G": self.G, "J": self.J, "fixed": fixed,
            "factor": self._factor, "scale": self._scale, "scaled": linear.entries,
            "dynamic": run.dynamic, "A": self._A, "ends": self._ends, "Z": self.Z,
            "U": np.zeros(((m + 2), n)), "left": np.zeros((4, n)), "length": self._length,
            "sizes": self._sizes, "drift": self._drift, "by": self._by, "counted": self._counted,
            "past": np.zeros((3, self.columns, n)),
        }  # fmt: skip
        self._point(w, arrays)
        self._by_reads(pattern, reads)
        self._keep.append(residual)
        if (memory := linear.memory.batches) is not None:
            w.memory, w.memories = memory.table, memory.count
            self.N = np.zeros(len(linear.memory.own.cols))
            self._point(w, {"N": self.N, "memory_work": memory.work, "memory_out": memory.out})
            self._pattern(w.of_N, linear.memory.own)
        self._near = ffi.new("fc_nearby[]", len(self._all))
        w.near = self._near
        for b, each in zip(self._near, self._all, strict=True):
            kernels, sums = each.kernels, each.sums
            b.residual, b.batches, b.outputs = kernels.table, kernels.count, len(sums.to)
            b.numbers, b.total = len(each.offset), sums.n
            self._point(b, {
                "work": kernels.work, "state": each.array, "offset": each.offset,
                "out": kernels.out, "rows": sums.to, "f": sums.sums,
            })  # fmt: skip
        for b, (p, factor, _) in zip(self._near, self.near, strict=False):
            b.of, b.factor = p, factor

    def _point(self, struct, arrays: dict[str, np.ndarray]) -> None:
        """Let a structure point to arrays, which stay."""
        for name, z in arrays.items():
            setattr(struct, name, pointer(self._ffi, z))
        self._keep.append(arrays)

    def _by_reads(self, pattern: Pattern, reads: np.ndarray) -> None:
        """Show the tangents' pattern, with the numbers of cells that read the same together."""
        w, sums, tangent = self._w, pattern.sums, self._problem.tangent_kernels
        take = np.arange(len(sums.to)) if sums.take is None else sums.take
        of_number = np.repeat(reads, [part.size for part in tangent.parts])[take]
        order = np.argsort(of_number, kind="stable")
        w.of_J.count = len(order)
        self._keep += fill(self._ffi, w.of_J, {
            "first": pattern.ends, "column": pattern.cols, "place": sums.to[order],
            "take": take[order],
        })  # fmt: skip
        known = np.searchsorted(of_number[order], np.arange(5))
        self._keep += fill(self._ffi, w, {"known": known})

    def _pattern(self, struct, pattern: Pattern) -> None:
        """The same of a matrix's pattern."""
        sums = pattern.sums
        struct.count = len(sums.to)
        arrays = {"first": pattern.ends, "column": pattern.cols, "place": sums.to}
        if sums.take is not None:
            arrays["take"] = sums.take
        self._keep += fill(self._ffi, struct, arrays)

    # --- calls ------------------------------------------------------------------------------------
    def _prepare(self, first: int, Z: np.ndarray, time: bool) -> None:
        """Before a call for steps of one length.

        Args:
            time: whether derivatives by time count.
        """
        w, linear = self._w, self.run.linear
        h, (stage,) = TIME * self.run.steps[first].h, self.run.maps(first).stages
        if stage is not self._stage:
            self._stage = stage
            w.beta, w.gamma = stage.beta, stage.gamma
            self._A[:], self._ends[:] = stage.A, stage.ends
            self._scale[:] = linear.scale_of(stage.beta, stage.gamma)[: self.run.n]
            pattern = linear.tangents.pattern
            self._factor[:] = self._scale[pattern.rows] * self._scale[pattern.cols]
        self._ksp = linear.ksp  # whose package may have changed
        pc = self._ksp.getPC()
        self._w.renewal = 0 if pc.getType() == "shell" else RENEWAL
        handles = linear.matrix, self._ksp, pc, linear.b, linear.x
        for name, item in zip(("matrix", "ksp", "pc", "b", "x"), handles, strict=True):
            setattr(w, name, self._ffi.cast("void *", item.handle))
        self.Z[:] = Z.transpose(0, 2, 1)
        w.nearby = len(self.near) + (2 if time else 0)
        at = self._problem.globals_at
        for side, each, k in zip((1.0, -1.0), self._time, (-2, -1), strict=True):
            each.offset[at], b = side * h, self._near[len(self._all) + k]
            b.of, b.factor = self.run.columns, side / (2 * h)

    def _call(self, function, ends: np.ndarray) -> int:
        """How many steps were taken, whose ends are at these addresses."""
        done = self._ffi.new("int *")
        where = self._ffi.cast("uintptr_t *", ends.ctypes.data)
        if error := function(self._w, where, len(ends), done):
            raise PETSc.Error(error)
        return int(done[0])

    def forward(self, first: int, end: int, Z: np.ndarray, t: np.ndarray) -> tuple[int, np.ndarray]:
        """Derivatives over the steps of a span.

        Args:
            Z: derivatives of the vectors, vectors x unknowns x columns.
            t: of the instants, (columns,).

        Returns:
            How many steps were taken, and what ``Z`` is after them.
        """
        self._prepare(first, Z, bool(t.any()))
        self._drift[:] = t
        done = self._call(self._lib.fc_sweep_forward, self.run.steps.addresses(first, end))
        return done, self.Z.transpose(0, 2, 1).copy()

    def watch(self, length: np.ndarray, sizes: np.ndarray, reach: float) -> None:
        """Note the first step after which a column times its size moves an unknown times its length
        by more than ``reach``, see ``beyond``."""
        self._length[:], self._sizes[:], self._w.reach = length, sizes, reach

    @property
    def beyond(self) -> int | None:
        """The first such step of the last call."""
        return self._w.beyond if self._w.beyond >= 0 else None

    def back(
        self, first: int, end: int, Z: np.ndarray, moved: bool
    ) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
        """The same backwards; ``moved``: whether the instants follow from the motion.

        Returns:
            How many steps were taken, ``Z`` at the start of the last of them, and what the
            parameters and the instants count by the equations: parameters x columns, (columns,).
        """
        self._prepare(first, Z, moved)
        self._counted[:] = 0.0
        ends = self.run.steps.addresses(first, end)[::-1].copy()
        done = self._call(self._lib.fc_sweep_back, ends)
        *parameters, time = -self._counted
        Z = self.Z.transpose(0, 2, 1).copy()
        return done, Z, np.reshape(parameters, (self.run.columns, -1)), time


def groups(run: LinearRun, cut: set[int]) -> Iterator[tuple[int, int]]:
    """The steps of a run as spans (first, end) of steps that one sweep can take, and single ones
    (whose end is the next).

    Args:
        cut: instants at which something is observed, where spans end.
    """
    steps, i, count = run.steps, 0, len(run.steps)
    cuts = [*sorted(cut), count]
    while i < count:
        j = i + 1
        if run.plain(i):
            lengths, stop = (steps[i].h, steps[i].h_old), cuts[bisect_right(cuts, i)]
            j = min(steps.alike(i), stop)
            while j < stop and run.plain(j) and (steps[j].h, steps[j].h_old) == lengths:
                j = min(steps.alike(j), stop)
        yield i, j
        i = j
