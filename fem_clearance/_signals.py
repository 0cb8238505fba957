"""How signals end the program: in one sentence, with exit code 3.

Imported before anything else, because the package takes seconds to load: what comes in that time
ends the program at once. From then on ``main`` turns signals into ``KeyboardInterrupt``, and a
``Simulation`` ends after the step it is in. Scripts that import the package are left alone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

STOPPED = 3
#: by what a process knows that ``mpirun`` or ``srun`` has started it: its rank
RANKS = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID", "SLURM_PROCID")
#: what each is called
SIGNALS = {
    getattr(signal, name): word
    for name, word in (
        ("SIGINT", "interrupted"), ("SIGTERM", "terminated"), ("SIGHUP", "hung up"),
    )
    if hasattr(signal, name)
}  # fmt: skip

#: the signal that ``main`` has raised, if any: some libraries swallow it where they load
pending = ""
#: whether ranks that work together wait with it until all know, see ``held``
_held = False


def is_program() -> bool:
    """Whether this process is ``fem-clearance`` or ``python -m fem_clearance``."""
    named = bool(sys.argv) and Path(sys.argv[0]).stem == "fem-clearance"
    return named or ("-m", "fem_clearance") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)


def launched() -> str | None:
    """Rank of this process, as whoever started several ranks says it; ``None`` if nobody did."""
    return next((os.environ[name] for name in RANKS if name in os.environ), None)


def _end(number, frame):
    if launched() in ("0", None):
        text = f"fem-clearance: stopped early: {SIGNALS[number]}; run the same command again.\n"
        os.write(2, text.encode())
    os._exit(STOPPED)


class Told(KeyboardInterrupt):
    """A signal. A class of its own: Python marks what ends a piece of text that it runs (those of
    dataclasses, say) with a plain ``KeyboardInterrupt``, and kills itself in the end."""


def _raise(number, frame):
    global pending
    pending = SIGNALS[number]
    if not _held:
        raise Told(pending)


@contextmanager
def held():
    """Within, a signal that ends the program waits: ranks that raised it one by one would leave
    the others waiting in a collective call. ``noted`` says it, ``heard`` lets it through."""
    global _held
    before, _held = _held, True
    try:
        yield
    finally:
        _held = before
    _let_through()


@contextmanager
def heard():
    """Within ``held``: no collective call, a signal ends this at once."""
    global _held
    before, _held = _held, False
    try:
        _let_through()
        yield
    finally:
        _held = before


def noted() -> Told | None:
    """The signal that waits."""
    return Told(pending) if _held and pending else None


def _let_through() -> None:
    if pending and not _held:
        raise Told(pending)


@contextmanager
def handled(handler=_raise):
    """Within, signals go to ``handler``; those that whoever started the program wants to be ignored
    (``nohup``) still are."""
    global pending
    if handler is _raise:
        pending = ""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def over() -> None:
    """The program ends now with the code it has: while Python is taken down, which would die of a
    signal, nothing interrupts it any more."""
    if is_program() and threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def kept(*names: str):
    """Within, what loads may set handlers of its own (PETSc's print a page); they are undone."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {n: old for n in numbers if (old := signal.getsignal(n)) is not None}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


_loading = handled(_end)
if is_program():
    _loading.__enter__()
