"""Evaluation of packed kernels: compiled by cffi, or the same in Python.

The compiled functions live in ``loop.c`` and are built once with the compiler that FFCx needs
anyway, cached by their text. Where that fails the Python functions below take over, with a log line;
they are also the readable reference and a test compares both.
"""

import hashlib
import importlib.util
import logging
import os
import shutil
import tempfile
from pathlib import Path

from ._backend import MPI
import cffi
import numpy as np

from .component import Component

logger = logging.getLogger(__name__)

DECLARATIONS = """
typedef void (*fc_kernel)(double*, const double*, const double*, const double*, const int*,
                          const uint8_t*, void*);
typedef struct {
  fc_kernel kernel;
  int cells, width, size, geometry; /* of a cell: packed coefficients, outputs, coordinates */
  const int *gather;                /* place in the state of each packed coefficient */
  const double *x;                  /* coordinates of the cells */
  double *out;                      /* outputs, cells x size */
} fc_batch;
void fc_evaluate(const fc_batch *batch, int batches, const double *state, double *work);
void fc_accumulate(const int *rows, const double *values, int count, double *f, double *g, int n);
void fc_set(const double *x, int n, const double *scale, const double *dynamic, const double *q0,
            const double *v0, double gamma, double beta, double *q, double *v, double *a);
"""

_modules: dict[str, object] = {}


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(root) / "fem_clearance"


def native(comm=MPI.COMM_WORLD):
    """The compiled module (``.ffi``, ``.lib``), or ``None`` where it cannot be built."""
    source = "#include <stdint.h>\n" + DECLARATIONS + Path(__file__).with_name("loop.c").read_text()
    name = "fc_loop_" + hashlib.sha256(source.encode()).hexdigest()[:12]
    if all(comm.allgather(name in _modules)):  # the ranks may have run systems of their own before
        return _modules[name]
    failure = None
    if comm.rank == 0 and not _built(name):
        try:
            _build(name, source)
        except Exception as error:  # a compiler's failure comes in many types
            failure = f"{type(error).__name__}: {error}"
    failure = comm.bcast(failure)
    module = None
    if failure:
        logger.warning("the time loop runs in Python, several times slower: %s", failure)
    else:
        spec = importlib.util.spec_from_file_location(name, _built(name))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    _modules[name] = module
    return module


def _built(name: str) -> Path | None:
    return next((f for f in _cache().glob(name + ".*so")), None)


def _build(name: str, source: str) -> None:
    """Compile in a private folder and move the result, so that no half-written file is loaded."""
    builder = cffi.FFI()
    builder.cdef(DECLARATIONS)
    builder.set_source(name, source, extra_compile_args=["-O3", "-g0"])
    _cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_cache()) as folder:
        built = Path(builder.compile(tmpdir=folder))
        shutil.move(built, _cache() / built.name)


class Batches:
    """One form of every component, ready to evaluate.

    Attributes:
        out: outputs of all cells of all components, one after the other.
        parts: for each component its view into ``out``, cells x outputs of a cell.
    """

    def __init__(self, work: list[tuple[Component, object, np.ndarray, int]], state, module):
        """``work``: component, compiled form, gather array and outputs a cell."""
        self.state, self.module = state, module
        sizes = [len(c.cells) * size for c, _, _, size in work]
        self.out = np.zeros(sum(sizes))
        ends = np.cumsum([0, *sizes])
        self.parts = [
            self.out[a:b].reshape(len(c.cells), size)
            for a, b, (c, _, _, size) in zip(ends[:-1], ends[1:], work, strict=True)
        ]
        self._keep, self._calls = [], []
        width = max([g.shape[1] for _, _, g, _ in work], default=1)
        self._work = np.zeros(max(width, 1))
        if module is None:
            self._prepare_python(work)
        else:
            self._prepare_native(work)

    def _prepare_native(self, work):
        ffi = self.module.ffi
        self._table = ffi.new("fc_batch[]", max(len(work), 1))
        for b, out, (c, form, gather, size) in zip(self._table, self.parts, work, strict=False):
            x = c.coordinates()
            self._keep += [gather, x]
            b.kernel = ffi.cast("fc_kernel", int(_address(form)))
            b.cells, b.width, b.size, b.geometry = len(c.cells), gather.shape[1], size, x.shape[1]
            b.gather, b.x = ffi.from_buffer("int[]", gather), ffi.from_buffer("double[]", x)
            b.out = ffi.cast("double*", out.ctypes.data)
        self._count = len(work)
        self._state = ffi.cast("double*", self.state.ctypes.data)
        self._packed = ffi.cast("double*", self._work.ctypes.data)

    def _prepare_python(self, work):
        for out, (c, form, gather, _) in zip(self.parts, work, strict=True):
            ffi, x, packed = form.module.ffi, c.coordinates(), np.zeros(gather.shape)
            kernel = form.ufcx_form.form_integrals[0].tabulate_tensor_float64
            self._keep += [x, packed]

            def pointer(array, ffi=ffi):
                return ffi.cast("double*", array.ctypes.data)

            rows = [
                (pointer(out[e : e + 1]), pointer(packed[e : e + 1]), ffi.NULL, pointer(x[e : e + 1]))
                for e in range(len(c.cells))
            ]
            self._calls.append((kernel, gather, packed, rows, (ffi.NULL,) * 3))

    def evaluate(self) -> np.ndarray:
        """All kernels at the current state; returns ``out``."""
        if self.module is not None:
            self.module.lib.fc_evaluate(self._table, self._count, self._state, self._packed)
            return self.out
        self.out.fill(0.0)
        for kernel, gather, packed, rows, nothing in self._calls:
            self.state.take(gather, out=packed, mode="clip")
            for row in rows:
                kernel(*row, *nothing)
        return self.out


def _address(form) -> int:
    """Address of the only kernel of a form."""
    offsets = form.ufcx_form.form_integral_offsets
    if offsets[1] - offsets[0] != 1:
        raise ValueError("a packed form has exactly one cell integral")
    kernel = form.ufcx_form.form_integrals[0].tabulate_tensor_float64
    return int(form.module.ffi.cast("uintptr_t", kernel))


class Sums:
    """Adds cell outputs up in the rows of the unknowns: values and sizes."""

    def __init__(self, rows: np.ndarray, n: int, module):
        self.rows, self.n, self.module = np.ascontiguousarray(rows, dtype=np.int32), n, module
        self.f, self.g = np.zeros(n), np.zeros(n)
        if module is not None:
            ffi = module.ffi
            self._rows = ffi.from_buffer("int[]", self.rows)
            self._f, self._g = (ffi.from_buffer("double[]", z) for z in (self.f, self.g))

    def add(self, values: np.ndarray) -> None:
        if self.module is not None:
            values_pointer = self.module.ffi.cast("double*", values.ctypes.data)
            self.module.lib.fc_accumulate(
                self._rows, values_pointer, len(values), self._f, self._g, self.n
            )
        else:
            self.f[:] = np.bincount(self.rows, values, self.n)
            self.g[:] = np.bincount(self.rows, np.abs(values), self.n)
