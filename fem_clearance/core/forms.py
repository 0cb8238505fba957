"""Forms of kinds, compiled: what FFCx makes of them, once a kind and process, cached on disk.

Cells are evaluated by the loop of ``compiled/evaluate.c``, which packs the numbers of a cell from
the state, of several at once where there are many (``lanes``). So a form may only be integrated
over the cells, and read what ``Symbols`` offers; all else is refused here in a sentence.
"""

from __future__ import annotations

import logging
import math
import os
import sysconfig
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ffcx.naming
import numpy as np
from dolfinx import jit
from ufl.algorithms import extract_coefficients

from .. import _signals, cache
from .._backend import MPI
from ..errors import CompilationFailed
from ..user_code import forms_of
from .kind import Kind
from .lanes import choice, processor
from .mixins import RecoveredFields, by_difference
from .observables import Observable, check_observables, is_energy
from .packable import check_reads
from .symbols import Symbols, _lower

logger = logging.getLogger(__name__)

#: Optimisations that keep infinities and NaN (guards and SNES rely on them).
SAFE_MATH = [
    "-fno-math-errno", "-fno-trapping-math", "-fassociative-math", "-fno-signed-zeros",
    "-freciprocal-math", "-g0",
]  # fmt: skip


def jit_options(cell: str) -> dict[str, Any]:
    """How kernels of kinds on these cells are compiled, beside what lanes need.

    A point's kernel is one long line of arithmetic, up to 30,000 statements: more than -O1 finds
    nothing to gain in it and takes twice as long (docs/performance.md). Others are loops.
    """
    level = "-O1" if cell == "point" else "-O3"
    return {"cffi_extra_compile_args": [level, *SAFE_MATH], "timeout": 600}


@dataclass(frozen=True)
class Compiled:
    """A form or expression as FFCx compiled it.

    Attributes:
        kernel: the function that fills a cell's tensor (cffi).
        module: where it is from; keeps it loaded.
        coefficients: names of the coefficients it packs, in order.
        size: numbers that an expression gives for a cell, those of all its points; 0 for forms.
        lanes: cells that it evaluates at once.
    """

    kernel: Any
    module: Any
    coefficients: tuple[str, ...]
    size: int = 0
    lanes: int = 1


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
    #: whether it takes stored energy's gain from the work of all forces, see ``by_difference``
    by_difference: bool
    #: signature of the residual and the observables, the same in every process
    formulas: str


_kernels: dict[tuple[Kind, int], Kernels] = {}


@dataclass
class _Progress:
    """What is said of kinds while they compile: on a first run that takes a minute.

    Attributes:
        kinds: how many there are.
        number, label: of the one at work, from 1.
        said: the last number that was announced.
    """

    kinds: int
    number: int = 0
    label: str = ""
    said: int = 0
    tic: float = field(default_factory=time.monotonic)

    def compiles(self) -> None:
        """The present kind is not in the cache."""
        if self.said < self.number:
            seconds = f", {time.monotonic() - self.tic:.0f} s so far" if self.said else ""
            logger.info(
                "preparing the forms (compiled the first time only): %s, %d of %d kinds%s",
                self.label, self.number, self.kinds, seconds,
            )  # fmt: skip
            self.said = self.number


_progress: _Progress | None = None


def prepare(kinds: Mapping[Kind, int], comm) -> None:
    """Kernels of all these kinds, each of so many cells, in order; what has to be compiled is
    announced, collective."""
    global _progress
    progress = _progress = _Progress(len(kinds))
    try:
        with _signals.held() if comm.size > 1 else nullcontext():
            for kind, cells in kinds.items():
                progress.number, progress.label = progress.number + 1, kind.label
                kernels(kind, comm, cells)
    finally:
        _progress = None
    if progress.said:
        logger.info("forms are ready after %.0f s", time.monotonic() - progress.tic)


def kernels(kind: Kind, comm, cells: int = 1) -> Kernels:
    """Kernels of a kind for so many cells on all ranks, compiled on the first call of a process;
    collective."""
    lanes = choice.lanes(kind.cell, cells)
    key = kind, lanes
    if not all(comm.allgather(key in _kernels)):  # ranks may have run systems of their own
        tic = time.perf_counter()
        with forms_of(kind):
            c = Symbols(kind)
            residual, tangent = c.forms()
            observables = kind.observables(c)
            check_observables(kind.label, observables)
            observe = c.observation(observables) if observables else None
        first, second, third = (_compile(f, c, comm, lanes) for f in (residual, tangent, observe))
        columns = c.columns(observables)
        work = None if kind.conservative else first
        stores = any(is_energy(o.total) for o in observables.values())
        difference = by_difference(kind, observables) or c.stores_in_rates(observables)
        if work is not None and stores and not difference:
            work = _compile(c.lost(observables), c, comm, lanes)
        formulas = " ".join(f.signature()[:32] for f in (residual, observe) if f is not None)
        _kernels[key] = Kernels(
            c.element.dim, first, second, third, columns, work, difference, formulas
        )
        logger.debug("forms of %s ready in %.1f s", kind.label, time.perf_counter() - tic)
    return _kernels[key]


_expressions: dict[tuple[Kind, str, bytes], Compiled] = {}


def expression_kernel(kind: RecoveredFields, name: str, points: np.ndarray, comm) -> Compiled:
    """Kernel of one of the kind's ``recovered`` expressions at points of its reference cell;
    collective."""
    key = kind, name, points.tobytes()
    if not all(comm.allgather(key in _expressions)):
        with forms_of(kind):
            c = Symbols(kind)
            recovered = kind.recovered(c)[name]
        compiled = _compile(recovered, c, comm, points=points)
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


_derived: dict[tuple[Kind, str], Compiled | None] = {}


def compiled(kind: Kind, comm, name: str, write: Callable[[Symbols], Any]) -> Compiled | None:
    """Kernel of another form of a kind, as a derivative; ``None`` if it is zero. Collective.

    Args:
        name: by which it is known again.
        write: the form in the symbols of the kind; ``None``: zero.
    """
    key = kind, name
    if not all(comm.allgather(key in _derived)):
        with forms_of(kind):
            c = Symbols(kind)
            form = write(c)
        form = None if form is None else _lower(form)
        zero = form is None or form.empty()
        _derived[key] = None if zero else _compile(form, c, comm, name=name)
    return _derived[key]


def _compile(
    form, c: Symbols, comm, lanes: int = 1, points=None, name: str = "equations or observables"
) -> Compiled | None:
    """A form in at most so many lanes, or an expression at points of the reference cell;
    collective.

    Raises:
        InputError: it cannot be evaluated cell by cell, or nothing can be compiled here.
        CompilationFailed: the compiler refuses it.
    """
    if form is None:
        return None
    names = {
        c.q: "q", c.v: "v", c.a: "a", c.q_n: "q_n", c.globals: "globals", c.p: "parameters",
        c.per_step: "per_step", **{field: name for name, field in c.distributed.items()},
    }  # fmt: skip
    check_reads(c.kind.label, form, names)
    original = extract_coefficients(form)
    what = form if points is None else (form, points)
    if lanes > 1 and not choice.gains(c.kind.cell, form):
        lanes = 1
    try:
        module = in_turn(comm, lambda: _module(what, c, lanes))
    except CompilationFailed as error:
        raise CompilationFailed(
            f"{c.kind.label}, {name.strip()}: {error}; unless the form is your own, please report "
            "this error of the program together with the model."
        ) from None
    (found,) = (n for n in dir(module.lib) if n.startswith(("form_", "expression_")))
    compiled = getattr(module.lib, found)
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
    return Compiled(kernel, module, tuple(names[w] for w in packed), size, lanes)


def _module(what, c: Symbols, lanes: int) -> Any:
    """FFCx's module of a form of a kind, or of an expression and its points."""
    compile_options = jit.get_options(jit_options(c.kind.cell))
    written: dict[str, Any] = {}
    if lanes > 1:
        written = {"language": processor.LANGUAGE}
        compile_options["cffi_extra_compile_args"] = [
            *compile_options["cffi_extra_compile_args"], *processor.options(lanes)
        ]  # fmt: skip
    key = {k: z for k, z in compile_options.items() if k not in ("cache_dir", "timeout")}
    key |= {"CFLAGS": [sysconfig.get_config_var("CFLAGS"), *map(os.environ.get, ("CC", "CFLAGS"))]}
    tag = repr(sorted(ffcx.get_options(written).items())) + repr(sorted(key.items()))
    tag += processor.TEXT if lanes > 1 else ""

    def build(folder: Path):
        if _progress is not None:
            _progress.compiles()
        options = {**compile_options, "cache_dir": folder}
        return jit.ffcx_jit(MPI.COMM_SELF, what, written, options)[1]

    key = ffcx.naming.compute_signature([what], tag)
    return cache.module(key, build, f"the equations of {c.kind.label}")


def in_turn(comm, make: Callable[[], Any]) -> Any:
    """What ``make`` returns on this rank: the first makes it, the others find it in the cache; what
    one raises all do. Collective."""
    if comm.size == 1:
        return make()
    result = failure = None
    with _signals.held():
        for turn in (comm.rank == 0, comm.rank != 0):
            if turn and failure is None:
                try:
                    with _signals.heard():
                        result = make()
                except (Exception, KeyboardInterrupt) as error:
                    failure = error
            failure = failure or _signals.noted()
            failure = next((e for e in comm.allgather(failure) if e is not None), None)
    if failure is not None:
        raise failure
    return result
