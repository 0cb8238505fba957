"""How signals end the program: in one sentence, with exit code 3.

Imported before anything else, because the package takes seconds to load: a signal that arrives
meanwhile ends the program at once. From then on ``main`` turns signals into ``KeyboardInterrupt``,
and a ``Simulation`` ends after the current step. Scripts that import the package are not affected.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path

STOPPED = 3
#: variables in which ``mpirun`` and ``srun`` tell a process its rank
RANKS = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID", "SLURM_PROCID")
#: signals that are handled, and what messages call them
SIGNALS = {
    getattr(signal, name): word
    for name, word in (
        ("SIGINT", "interrupted"), ("SIGTERM", "terminated"), ("SIGHUP", "hung up"),
    )
    if hasattr(signal, name)
}  # fmt: skip

#: the signal that ``main`` has raised, if any: some libraries swallow it while they load
pending = ""
#: whether the signal waits until all ranks know of it, see ``held``
_held = False


def is_program() -> bool:
    """Whether this process is ``fem-clearance`` or ``python -m fem_clearance``."""
    named = bool(sys.argv) and Path(sys.argv[0]).stem == "fem-clearance"
    return named or ("-m", "fem_clearance") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)


def launched() -> str | None:
    """Rank of this process according to its launcher; ``None`` without one."""
    return next((os.environ[name] for name in RANKS if name in os.environ), None)


def _end(number, frame):
    if launched() in ("0", None):
        text = f"fem-clearance: stopped early: {SIGNALS[number]}; run the same command again.\n"
        os.write(2, text.encode())
    os._exit(STOPPED)


class Told(KeyboardInterrupt):
    """A signal. Not a plain ``KeyboardInterrupt``: Python remembers one that ends code run by
    ``exec`` (as dataclasses do), and then kills itself at exit."""


def _raise(number, frame):
    global pending
    pending = SIGNALS[number]
    if not _held:
        raise Told(pending)


@contextmanager
def held():
    """Delay signals that end the program: a rank that raised one alone would leave the others
    waiting in a collective call. ``noted`` returns the signal, ``heard`` lets it through."""
    global _held
    before, _held = _held, True
    try:
        yield
    finally:
        _held = before
    _let_through()


@contextmanager
def heard():
    """Within ``held``, for code without collective calls: a signal ends it at once."""
    global _held
    before, _held = _held, False
    try:
        _let_through()
        yield
    finally:
        _held = before


def noted() -> Told | None:
    """The delayed signal, if there is one."""
    return Told(pending) if _held and pending else None


def _let_through() -> None:
    if pending and not _held:
        raise Told(pending)


@contextmanager
def waiting():
    """Note signals in ``pending``, for work that ranks share and that asks for them. A script's own
    handlers then receive one that has not ended the work."""
    global _held, pending
    program = any(signal.getsignal(number) is _raise for number in SIGNALS)
    before, _held, late = _held, True, ""
    try:
        with nullcontext() if program else handled():
            yield
            late = pending
    finally:
        _held = before
        if not program:
            pending = ""
    if late and not program:
        signal.raise_signal(next(n for n, word in SIGNALS.items() if word == late))


def pass_on(number) -> None:
    """Hand a signal that came too late to end a run to whoever handles it now: the program notes
    it in ``pending``."""
    global pending
    if signal.getsignal(number) is _raise:
        pending = SIGNALS[number]
    else:
        signal.raise_signal(number)


@contextmanager
def handled(handler=_raise):
    """Pass signals to ``handler``, except those that the parent process ignores (``nohup``)."""
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
    """Ignore signals from now on: one that arrives while Python shuts down would change the exit
    code."""
    if is_program() and threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def kept(*names: str):
    """Restore the handlers of signals that libraries replace when they are loaded."""
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
