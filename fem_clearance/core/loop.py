"""Evaluation of packed kernels, and the compiled loop: ``loop.c`` or the same in Python.

The compiled functions are built once with the compiler that FFCx needs anyway, and cached by their
text. PETSc's functions are found by name in the library that petsc4py has loaded: no headers, no
linking. Where any of this fails the Python functions take over, with a log line; they are also the
readable reference, and a test compares both.
"""

import ctypes
import hashlib
import logging
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cffi
import numpy as np

from .. import cache
from .._backend import MPI, PETSc
from .component import Component

logger = logging.getLogger(__name__)

#: what the compiled Jacobian asks of Newton now and then
CALLBACK = 'extern "Python" int fc_refresh(void *); extern "Python" int fc_reduce(void *);'

#: files of the compiled functions, each with its declarations
UNITS = ("loop", "stabilised", "work")
#: declarations and functions, read together with the Python that shares their structures: an update
#: of the package under a running program must not mix both
SOURCES = tuple(
    "".join(Path(__file__).with_name(name + end).read_text() for name in UNITS)
    for end in (".h", ".c")
)

_modules: dict[str, tuple] = {}


# --- the compiled module --------------------------------------------------------------------------
def native(comm=MPI.COMM_WORLD):
    """The compiled module (``.ffi``, ``.lib``), or ``None`` where one of the ranks has none."""
    failure = None
    for turn in (comm.rank == 0, comm.rank != 0):  # the others find what the first has built
        if turn:
            module, failure = _local()
        comm.barrier()
    failure = next(filter(None, comm.allgather(failure)), None)
    if not failure:
        return module
    logger.warning("the time loop runs in Python, several times slower: %s", failure)
    return None


def _local() -> tuple:
    """The module on this rank and what went wrong; tried once."""
    declarations, body = SOURCES
    declarations = f"typedef int{8 * np.dtype(PETSc.IntType).itemsize}_t fc_int;\n{declarations}"
    source = f"#include <stdint.h>\n{declarations}{body}"
    name = "fc_loop_" + hashlib.sha256((CALLBACK + source).encode()).hexdigest()[:12]
    if name not in _modules:
        try:
            module = cache.module(name, partial(_build, name, declarations + CALLBACK, source))
            _modules[name] = _connected(module), None
        except Exception as error:  # a compiler's failure comes in many types
            _modules[name] = None, f"{type(error).__name__}: {error}"
    return _modules[name]


def _build(name: str, declarations: str, source: str, folder: Path) -> Any:
    builder = cffi.FFI()
    builder.cdef(declarations)
    builder.set_source(name, source, extra_compile_args=["-O3", "-g0"])
    return cache.loaded(Path(builder.compile(tmpdir=folder)))


def _connected(module: Any) -> Any:
    """The module with PETSc's functions and Newton's methods for C to call."""
    ffi, library = module.ffi, ctypes.CDLL(PETSc.__file__)  # its handle finds all of libpetsc
    module.petsc = {
        symbol: ffi.cast(field.type, ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value)
        for symbol, field in ffi.typeof("fc_petsc").fields
    }
    for name in ("refresh", "reduce"):
        ffi.def_extern(name=f"fc_{name}")(partial(_callback, ffi, name))
    return module


def _callback(ffi, name: str, newton) -> int:
    """A method of Newton's for C, which sees an error code; the error is raised after the solve."""
    me = ffi.from_handle(newton)
    try:
        getattr(me, name)()
    except BaseException as error:
        me.error = error
        return 1
    return 0


def pointer(ffi, array: np.ndarray):
    """Where the compiled functions find an array, which must stay."""
    if array.dtype not in (np.int32, float) or not array.flags.c_contiguous:
        raise TypeError(f"an array of {array.dtype} is not what the loop reads")
    return ffi.cast("int *" if array.dtype == np.int32 else "double *", array.ctypes.data)


class Shared:
    """Numbers and arrays of the time loop, used by Python and by the compiled functions.

    Attributes:
        numbers: ``fc_loop`` of loop.h, or a plain object where nothing is compiled.
    """

    def __init__(self, module):
        self.module, self.keep = module, {}
        self.numbers = SimpleNamespace()
        if module is not None:
            self.numbers = module.ffi.new("fc_loop *")
            for name, address in module.petsc.items():
                setattr(self.numbers.petsc, name, address)

    def set(self, **values) -> None:
        """Numbers of both."""
        for name, value in values.items():
            setattr(self.numbers, name, value)

    def point(self, **arrays) -> None:
        """Arrays and PETSc objects that the compiled functions find under these names."""
        if self.module is None:
            return
        ffi = self.module.ffi
        for name, value in arrays.items():
            self.keep[name] = value
            if isinstance(value, np.ndarray):
                value = pointer(ffi, value)
            elif isinstance(value, PETSc.Object):
                value = ffi.cast("void *", value.handle)
            setattr(self.numbers, name, value)

    def release(self) -> None:
        """Let go of them; nothing compiled may run after this."""
        self.keep.clear()


def number(name: str, meaning: str):
    """An attribute that is one of the numbers of ``Shared``, which its object has as ``c``."""
    return property(
        lambda self: getattr(self.c, name),
        lambda self, value: setattr(self.c, name, value),
        doc=meaning,
    )


# --- evaluation -----------------------------------------------------------------------------------
class Batches:
    """One form of every component, ready to evaluate.

    Attributes:
        out: outputs of all cells of all components, one after the other.
        parts: for each component its view into ``out``, cells x outputs of a cell.
    """

    def __init__(self, work: list[tuple[Component, object, np.ndarray, int]], module):
        """``work``: component, compiled form, gather array and outputs a cell."""
        self.module = module
        sizes = [c.count * size for c, _, _, size in work]
        self.out = np.zeros(sum(sizes))
        ends = np.cumsum([0, *sizes])
        self.parts = [
            self.out[a:b].reshape(c.count, size)
            for a, b, (c, _, _, size) in zip(ends[:-1], ends[1:], work, strict=True)
        ]
        self.count = len(work)
        self._keep: list = []
        self._calls: list[tuple] = []
        width = max([g.shape[1] for _, _, g, _ in work], default=1)
        self.work = np.zeros(max(width, 1))
        if module is None:
            self._prepare_python(work)
        else:
            self._prepare(work)

    def _prepare(self, work):
        ffi, self._evaluate = self.module.ffi, self.module.lib.fc_evaluate
        self.table = ffi.new("fc_batch[]", max(self.count, 1))
        for b, out, (c, form, gather, size) in zip(self.table, self.parts, work, strict=False):
            x = c.coordinates
            self._keep += [gather, x]
            b.kernel = ffi.cast("fc_kernel", int(form.module.ffi.cast("uintptr_t", form.kernel)))
            b.cells, b.width, b.size, b.geometry = c.count, gather.shape[1], size, x.shape[1]
            b.gather, b.x = ffi.from_buffer("int[]", gather), ffi.from_buffer("double[]", x)
            b.out = ffi.cast("double*", out.ctypes.data)
        self._packed = ffi.cast("double*", self.work.ctypes.data)

    def _prepare_python(self, work):
        for out, (c, form, gather, _) in zip(self.parts, work, strict=True):
            ffi, x, packed = form.module.ffi, c.coordinates, np.zeros(gather.shape)
            kernel = form.kernel
            self._keep += [x, packed]

            def pointer(array, ffi=ffi):
                return ffi.cast("double*", array.ctypes.data)

            rows = [
                (
                    pointer(out[e : e + 1]),
                    pointer(packed[e : e + 1]),
                    ffi.NULL,
                    pointer(x[e : e + 1]),
                )
                for e in range(c.count)
            ]
            self._calls.append((out, kernel, gather, packed, rows, (ffi.NULL,) * 3))

    def evaluate(self, state: np.ndarray, start: int = 0, stop: int | None = None) -> np.ndarray:
        """The kernels of all components, or of some, at a state (its array); returns ``out``."""
        if self.module is not None:
            count = (self.count if stop is None else stop) - start
            table = self.table + start if start else self.table
            numbers = self.module.ffi.cast("double*", state.ctypes.data)
            self._evaluate(table, count, numbers, self._packed)
            return self.out
        for out, kernel, gather, packed, rows, nothing in self._calls[start:stop]:
            out.fill(0.0)
            state.take(gather, out=packed, mode="clip")
            for row in rows:
                kernel(*row, *nothing)
        return self.out


class Sums:
    """Adds numbers up, each to its place.

    Args:
        to: place of each number.
        n: number of places.
        values: the array that holds the numbers, always the same.
        take: which of its numbers; by default all in turn.
        base: what the sums begin with, an array that stays; default: 0.
        signs: 1 or -1 for each number; default: 1.

    Attributes:
        sums: the result of ``add``.
    """

    def __init__(
        self, to: np.ndarray, n: int, values: np.ndarray, module, take=None, base=None, signs=None
    ):
        self.to, self.n, self.values, self.module, self.base = (
            np.ascontiguousarray(to, np.int32),
            n,
            values,
            module,
            base,
        )
        self.signs = signs
        self.take = None if take is None else np.ascontiguousarray(take, np.int32)
        self.sums = np.zeros(n)
        if module is not None:
            ffi = module.ffi
            self._arguments = (
                ffi.NULL if take is None else ffi.from_buffer("int[]", self.take),
                ffi.from_buffer("int[]", self.to), len(self.to),
                ffi.cast("double *", values.ctypes.data),
                ffi.cast("double *", self.sums.ctypes.data), n,
                *(
                    ffi.NULL if z is None else ffi.cast("double *", z.ctypes.data)
                    for z in (base, signs)
                ),
            )  # fmt: skip

    def add(self) -> np.ndarray:
        """The sums of the present numbers."""
        if self.module is not None:
            self.module.lib.fc_add(*self._arguments)
        else:
            values = self.values if self.take is None else self.values[self.take]
            values = values if self.signs is None else self.signs * values
            self.sums[:] = np.bincount(self.to, values, self.n)
            if self.base is not None:
                self.sums += self.base
        return self.sums

    def sizes(self) -> np.ndarray:
        """The sums of their sizes."""
        values = self.values if self.take is None else self.values[self.take]
        return np.bincount(self.to, np.abs(values), self.n)
