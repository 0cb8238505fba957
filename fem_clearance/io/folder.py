"""The folder of a run: who owns it, what lies where, its log and summary."""

from __future__ import annotations

import contextlib
import json
import logging
import logging.handlers
import os
import platform
import shutil
import time
from pathlib import Path
from typing import Any

from ..errors import InputError
from . import results

logger = logging.getLogger(__name__)

CASE, LOG, LOCK = "case.toml", "log.txt", ".fem_clearance.lock"
SUMMARY = results.SUMMARY
FIELDS, CHECKPOINT, FIGURES = "fields", results.CHECKPOINT, "figures"
#: what a run writes, and by what an earlier run is known
OURS = (CASE, SUMMARY, LOG, results.H5, results.ROWS, FIELDS, CHECKPOINT, FIGURES)
MARKS = (SUMMARY, results.H5, results.ROWS, CHECKPOINT, LOCK)
#: entries of a summary that say how a run went, not what came out of it
COUNTED = frozenset(
    (
        "case", "t", "t_end", "stopped", "steps", "rejected_steps", "newton_iterations",
        "jacobians", "wall_s", "cpu_s", "ranks", "cells_per_rank", "unknowns", "rows",
        "energy_change", "energy_growth", "units", "versions", "ended",
    )
)  # fmt: skip


class RunFolder:
    """The folder of one run; only rank 0 calls what writes.

    Args:
        path: the folder; made by ``claim``.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.fields, self.checkpoint = self.path / FIELDS, self.path / CHECKPOINT
        self.rows, self.h5 = self.path / results.ROWS, self.path / results.H5
        self._lock = None

    @property
    def is_run(self) -> bool:
        """Whether an earlier run of ours lies here."""
        return any((self.path / name).exists() for name in MARKS)

    def check(self) -> None:
        """Refuse, before any work, a folder that is not ours to write in.

        Raises:
            InputError: a file, a folder with other content, no permission, another run at work.
        """
        path = self.path
        above = next(p for p in (path, *path.absolute().parents) if p.exists())
        if not above.is_dir():
            raise InputError(f"{above} is a file, not a folder for results; choose another --out.")
        if path.exists() and any(path.iterdir()) and not self.is_run:
            raise InputError(
                f"{path} holds files that are not a run of fem_clearance; choose an empty folder."
            )
        if not os.access(above, os.W_OK | os.X_OK):
            raise InputError(f"no permission to write in {above}; choose another --out.")
        if self.is_run:
            self.lock()
            self.unlock()

    def claim(self, keep: bool) -> None:
        """Make the folder ours: locked, and empty unless ``keep``."""
        earlier = self.is_run
        self.path.mkdir(parents=True, exist_ok=True)
        self.lock()
        if not keep and earlier:
            logger.info("%s: the earlier run in this folder is overwritten", self.path)
            for name in OURS:
                old = self.path / name
                if old.is_dir() and not old.is_symlink():
                    shutil.rmtree(old)
                else:
                    old.unlink(missing_ok=True)

    def lock(self) -> None:
        """Hold the folder until ``unlock`` or the end of the process, however it ends.

        Raises:
            InputError: another run holds it.
        """
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        self._lock = open(self.path / LOCK, "w")  # noqa: SIM115
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise InputError(
                f"another run is writing in {self.path}; wait for it or choose another --out."
            ) from None
        except OSError:  # a file system without locks
            pass

    def unlock(self) -> None:
        """Give the folder free."""
        if self._lock is not None:
            (self.path / LOCK).unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    def write(self, name: str, text: str) -> None:
        """Write a small file, complete or not at all."""
        temporary = self.path / (name + ".tmp")
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, self.path / name)

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Write ``summary.json``."""
        self.write(SUMMARY, json.dumps(summary, indent=2, default=_plain) + "\n")


def _plain(value):
    """Numbers and arrays of numpy as JSON knows them."""
    return value.tolist()


@contextlib.contextmanager
def run_log(comm):
    """Messages of the package during a run; yields ``to_file(path)`` that starts the log file.

    What was said before the file exists comes first in it. Rank 0 speaks, the others are silent.
    Without any logging set up by the caller, warnings go to the screen.
    """
    package = logging.getLogger("fem_clearance")
    level = package.level
    memory = logging.handlers.MemoryHandler(10_000, flushLevel=logging.CRITICAL + 1)
    handlers: list[logging.Handler] = [memory]
    if not package.hasHandlers():
        screen = logging.StreamHandler()
        screen.setLevel(logging.WARNING)
        handlers.append(screen)
    if comm.rank:
        handlers = []

    def to_file(path: Path):
        target = logging.FileHandler(path, encoding="utf-8")
        target.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        target.setLevel(logging.INFO)
        memory.setTarget(target)
        memory.flush()
        memory.capacity = 1
        handlers.append(target)

    package.setLevel(logging.INFO if comm.rank == 0 else logging.CRITICAL + 1)
    for handler in handlers:
        package.addHandler(handler)
    try:
        yield to_file
    finally:
        package.setLevel(level)
        for handler in handlers:
            package.removeHandler(handler)
            handler.close()


def versions() -> dict[str, str]:
    """What the numbers of a run were computed with."""
    from importlib.metadata import PackageNotFoundError, version

    import dolfinx

    from .._backend import MPI, PETSc

    found = {"python": platform.python_version(), "dolfinx": dolfinx.__version__}
    for name in ("fem_clearance", "fenics-ufl", "fenics-ffcx", "numpy", "mpi4py"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            pass
    found["petsc"] = ".".join(map(str, PETSc.Sys.getVersion()))
    found["mpi"] = MPI.Get_library_version().split("\n")[0].strip("\0 ")
    return found


def write_text(path: Path, text: str) -> None:
    """Write a file of which the user gave the name.

    Raises:
        InputError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def now() -> str:
    """Date and time, as summaries have them."""
    return time.strftime("%Y-%m-%d %H:%M:%S")
