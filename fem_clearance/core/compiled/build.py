"""Compilation of the time loop.

It is built once with the compiler that FFCx needs anyway, and cached by its text. PETSc's functions
are found by name in the library that petsc4py has loaded: no headers, no linking.
"""

import ctypes
import hashlib
from functools import partial
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from ... import cache
from ..._backend import MPI, PETSc
from ...errors import CompilationFailed, InputError
from ..lanes import processor

#: methods of Newton's that the compiled Jacobian calls now and then, and of a run's in its steps
CALLED = ("refresh", "reduce", "build", "foresee", "examine", "update")
CALLBACK = "".join(f'extern "Python" int fc_call_{name}(void *);' for name in CALLED)

#: declarations and functions in the order in which they know each other
TOPICS = (
    "tables", "evaluate", "bulk", "condensed", "ranks", "factors", "bordered", "nodes", "apart",
    "newton", "steps", "contacts", "steady", "work", "velocities", "turning", "stages", "channels",
    "march", "sweep",
)  # fmt: skip


#: what the bodies of functions begin with, in this order
FIRST = ("common", "transpose")


def _text(names: tuple[str, ...], ending: str) -> str:
    return "".join(Path(__file__).with_name(name + ending).read_text() for name in names)


#: read together with the Python that shares their structures: an update of the package under a
#: running program must not mix both
SOURCES = _text(("petsc", *TOPICS), ".h"), _text((*FIRST, *TOPICS), ".c")

_modules: dict[str, tuple] = {}


def native(comm=MPI.COMM_WORLD) -> Any:
    """The compiled module (``.ffi``, ``.lib``); collective.

    Raises:
        InputError: one of the ranks cannot compile or load it.
    """
    failure = None
    for turn in (comm.rank == 0, comm.rank != 0):  # the others find what the first has built
        if turn:
            module, failure = _local()
        comm.barrier()
    failure = next(filter(None, comm.allgather(failure)), None)
    if failure:
        raise InputError(failure)
    return module


def _local() -> tuple:
    """The module on this rank and what went wrong; tried once."""
    declarations, body = SOURCES
    declarations = f"typedef int{8 * np.dtype(PETSc.IntType).itemsize}_t fc_int;\n{declarations}"
    source = f"#include <stdint.h>\n{declarations}{body}"
    options = ["-O3", "-g0", *processor.options(processor.lanes())]
    text = CALLBACK + source + " ".join(options)
    name = "fc_loop_" + hashlib.sha256(text.encode()).hexdigest()[:12]
    if name not in _modules:
        try:
            module = cache.module(
                name,
                partial(_build, name, declarations + CALLBACK, source, options),
                "the loop over time steps",
            )
            _modules[name] = _connected(module), None
        except (InputError, CompilationFailed) as error:
            _modules[name] = None, str(error)
        except AttributeError as error:
            why = f"the PETSc of petsc4py is not one that the time loop knows ({error}); "
            _modules[name] = None, why + "install a version that pyproject.toml allows."
    return _modules[name]


def _build(name: str, declarations: str, source: str, options: list[str], folder: Path) -> Any:
    builder = cffi.FFI()
    builder.cdef(declarations)
    builder.set_source(name, source, extra_compile_args=options)
    return cache.loaded(Path(builder.compile(tmpdir=folder)))


def _connected(module: Any) -> Any:
    """The module with PETSc's functions and Newton's methods for C to call."""
    ffi, library = module.ffi, ctypes.CDLL(PETSc.__file__)  # its handle finds all of libpetsc
    module.petsc = {
        symbol: ffi.cast(field.type, ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value)
        for symbol, field in ffi.typeof("fc_petsc").fields
    }
    for name in CALLED:
        ffi.def_extern(name=f"fc_call_{name}")(partial(_callback, ffi, name))
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
