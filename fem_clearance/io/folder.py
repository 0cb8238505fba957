"""The folder of a run: ownership, names of files, log and summary."""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import logging.handlers
import os
import platform
import shutil
import sys
import time
from pathlib import Path
from typing import IO, Any

from .. import checks
from ..errors import InputError
from .files import replacing

logger = logging.getLogger(__name__)

#: the first file of every run: it marks the folder as one of ours, and a run in progress holds a
#: lock on it; it is never deleted, since a lock on a deleted file would exclude nobody
MARK = ".fem_clearance"
CASE, LOG = "case.toml", "log.txt"
H5, ROWS, SUMMARY, SCENE = "results.h5", "results.rows", "summary.json", "scene.json"
FIELDS, CHECKPOINT, FIGURES = "fields", "checkpoint", "figures"
#: what a run writes, in the order in which it is deleted when it is overwritten: first what could
#: be mistaken for results of the new run, last the case, with which a killed run can be restarted
OURS = (CHECKPOINT, SUMMARY, H5, ROWS, SCENE, FIELDS, FIGURES, LOG, CASE)
#: files that identify an earlier run; the last one is of versions without a mark
MARKS = (MARK, SUMMARY, H5, ROWS, CHECKPOINT, ".fem_clearance.lock")
#: entries of a summary about the computation, as opposed to its results
COUNTED = frozenset(
    (
        "case", "t", "t_end", "stopped", "steps", "rejected_steps", "newton_iterations",
        "jacobians", "wall_s", "cpu_s", "ranks", "cells_per_rank", "unknowns", "rows",
        "energy_change", "energy_growth", "energy_guard", "energy_dissipated", "energy_fed",
        "energy_balance", "energy_error", "contact_gain", "steps_limited_by", "contact_steps",
        "contact_tolerance_reached", "least_approach_speeds", "units", "versions", "ended",
    )
)  # fmt: skip

#: units of those that have one, unless their names end in it
COUNTED_UNITS = {
    "t": "s", "t_end": "s",
    **dict.fromkeys(("energy_dissipated", "energy_fed", "energy_balance"), "J"),
}  # fmt: skip


class RunFolder:
    """The folder of one run; only rank 0 calls what writes.

    Args:
        path: the folder; ``claim`` creates it.

    Raises:
        InputError: it is no path.
    """

    def __init__(self, path):
        if not isinstance(path, (str, os.PathLike)):
            raise InputError(f"a run's folder must be a path, got {checks.shown(path)}.")
        self.path = Path(path)
        self.fields, self.checkpoint = self.path / FIELDS, self.path / CHECKPOINT
        self.rows, self.h5 = self.path / ROWS, self.path / H5
        self._lock = None
        self._new = False  # whether nothing lay here when ``check`` looked

    @property
    def is_run(self) -> bool:
        """Whether the folder contains an earlier run."""
        return any((self.path / name).exists() for name in MARKS)

    @property
    def is_empty(self) -> bool:
        """Whether the folder contains nothing but the mark."""
        return not any((self.path / name).exists() for name in OURS)

    @property
    def is_finished(self) -> bool:
        """Whether the folder contains a finished run; an unreadable summary counts as one."""
        try:
            summary = json.loads((self.path / SUMMARY).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            return True
        return not (isinstance(summary, dict) and "stopped" in summary)

    def spare(self, other: str = "") -> None:
        """Refuse to overwrite a finished run.

        Args:
            other: how its parameters differ from those of the new one.

        Raises:
            InputError: the folder contains one.
        """
        if self.is_finished:
            raise InputError(
                f"{self.path} holds a finished run{other and f' with {other}'}: choose another "
                "folder, or overwrite it with --force (in Python overwrite=True)."
            )

    def check(self) -> None:
        """Refuse, before any work, a folder in which a run may not write. One that contains a run
        is locked from here on; in others nothing is written yet.

        Raises:
            InputError: a file, a folder with other content, no permission, another run in progress.
        """
        path = self.path
        above = next(p for p in (path, *path.absolute().parents) if p.exists())
        if not above.is_dir():
            raise InputError(f"{above} is a file, not a folder for results; choose another folder.")
        if path.exists() and any(path.iterdir()) and not self.is_run:
            raise InputError(
                f"{path} holds files that are not a run of fem_clearance; choose an empty folder."
            )
        if not os.access(above, os.W_OK | os.X_OK):
            raise InputError(f"no permission to write in {above}; choose another folder.")
        self._new = not self.is_run
        if not self._new:
            self.lock()

    def claim(self, keep: bool, case: str | None = None) -> None:
        """Take possession of the folder: mark, lock and, unless ``keep``, empty it. If the process
        is killed meanwhile, the folder can be claimed again.

        Args:
            keep: keep what an earlier run has written.
            case: text of the case file, which finally replaces an earlier one.

        Raises:
            InputError: another run holds the folder, or has written in it since ``check``.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self.lock()
        earlier = not self.is_empty
        if earlier and self._new:
            self.unlock()
            raise InputError(
                f"another run has written in {self.path} in the meantime; choose another folder."
            )
        for name in OURS:  # left by a run that was killed while writing
            (self.path / f"{name}.tmp").unlink(missing_ok=True)
        if earlier and not keep:
            logger.info("%s: overwriting the earlier run in this folder", self.path)
            for name in OURS if case is None else OURS[:-1]:
                old = self.path / name
                if old.is_dir() and not old.is_symlink():
                    shutil.rmtree(old)
                else:
                    old.unlink(missing_ok=True)
        if case is not None:
            self.write(CASE, case)

    def lock(self) -> None:
        """Lock the folder until ``unlock`` or the end of the process, however it ends.

        Raises:
            InputError: another run holds it.
        """
        self._lock = hold(self.path / MARK)
        if self._lock is None:
            raise InputError(
                f"another run is writing in {self.path}; wait for it or choose another folder."
            )

    def unlock(self) -> None:
        """Release the folder; its mark stays."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def write(self, name: str, text: str) -> None:
        """Write a small file, completely or not at all."""
        with replacing(self.path / name, sync=True) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Write ``summary.json``."""
        self.write(SUMMARY, json.dumps(summary, indent=2, default=_plain) + "\n")


def hold(path: Path) -> IO[str] | None:
    """Open a file and lock it until it is closed or the process ends; ``None`` if another process
    has locked it."""
    file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except (ImportError, OSError):  # a system or a file system without locks
        pass
    return file


def _plain(value):
    """Numbers and arrays of NumPy as JSON represents them."""
    return value.tolist()


class _Wanted(logging.Filter):
    """What handlers of the user show of the package while it logs more than he asked for.

    Args:
        package: its logger.
        level: from which on messages are wanted.
    """

    def __init__(self, package: logging.Logger, level: int):
        super().__init__()
        self.package, self.level = package, level

    def filter(self, record):
        if not record.name.startswith(self.package.name) or record.levelno >= self.level:
            return True
        logger: logging.Logger | None = logging.getLogger(record.name)
        while logger and logger is not self.package:
            if logger.level:  # a part of the package whose level has been chosen
                return True
            logger = logger.parent
        return False


def _users_handlers(package: logging.Logger) -> list[logging.Handler]:
    """The handlers that messages of the package come to."""
    found = [*package.handlers]
    while package.propagate and package.parent:
        package = package.parent
        found += package.handlers
    return found


@contextlib.contextmanager
def named(run: str, said: dict[str, str]):
    """Begin the messages of one of several runs on the screen with its name. What is no warning and
    another run has said is left out; ``said``: by which run, by text."""

    def prefix(record: logging.LogRecord) -> logging.LogRecord | bool:
        first = said.setdefault(record.getMessage(), run)
        if first != run and record.levelno < logging.WARNING:
            return False
        record = copy.copy(record)  # the run's own log does without
        record.msg, record.args = f"{run}: {record.getMessage()}", ()
        return record

    screens = [*logging.getLogger("fem_clearance").handlers]
    for handler in screens:
        handler.addFilter(prefix)
    try:
        yield
    finally:
        for handler in screens:
            handler.removeFilter(prefix)


@contextlib.contextmanager
def run_log(comm):
    """Handle messages of the package during a run; yields ``to_file(path)``, which starts the log
    file.

    Earlier messages are written to the file too. Only rank 0 logs. If the caller has not configured
    logging, warnings go to the screen. The file gets INFO whatever level the caller has chosen;
    handlers of the caller get what they would without the file.
    """
    package = logging.getLogger("fem_clearance")
    level, wanted = package.level, _Wanted(package, package.getEffectiveLevel())
    theirs = _users_handlers(package)
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

    chosen = min(wanted.level, logging.INFO)
    package.setLevel(chosen if comm.rank == 0 else logging.CRITICAL + 1)
    for handler in theirs:
        handler.addFilter(wanted)
    for handler in handlers:
        package.addHandler(handler)
    try:
        yield to_file
    finally:
        package.setLevel(level)
        for handler in theirs:
            handler.removeFilter(wanted)
        for handler in handlers:
            package.removeHandler(handler)
            handler.close()


def versions() -> dict[str, str]:
    """Versions of the software that a run uses."""
    from importlib.metadata import PackageNotFoundError, version

    import dolfinx

    from .._backend import MPI, PETSc

    found = {"python": platform.python_version(), "dolfinx": dolfinx.__version__}
    # not by metadata: those of an editable installation are of the version that was installed
    found["fem_clearance"] = sys.modules[__name__.partition(".")[0]].__version__
    for name in ("fenics-ufl", "fenics-ffcx", "numpy", "mpi4py"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            pass
    found["petsc"] = ".".join(map(str, PETSc.Sys.getVersion()))
    found["mpi"] = MPI.Get_library_version().split("\n")[0].strip("\0 ")
    return found


def now() -> str:
    """Date and time, as in summaries."""
    return time.strftime("%Y-%m-%d %H:%M:%S")


def refuse_links(*paths: Path) -> None:
    """Refuse symbolic links where files are written into a run's folder.

    Raises:
        InputError: one of the paths, or an entry of one of them, is a link.
    """
    for path in paths:
        for one in (path, *path.glob("*")):
            if one.is_symlink():
                raise InputError(
                    f"{one} is a link, perhaps out of the run's folder: nothing is written "
                    "through links, remove it."
                )
