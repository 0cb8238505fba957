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
from typing import IO, Any

from ..errors import InputError
from .files import replacing

logger = logging.getLogger(__name__)

#: the first file of every run, which stays: it marks the folder as one of ours from then on, and a
#: run at work holds a lock on it (on a deleted file that would bind nobody)
MARK = ".fem_clearance"
CASE, LOG = "case.toml", "log.txt"
H5, ROWS, SUMMARY, SCENE = "results.h5", "results.rows", "summary.json", "scene.json"
FIELDS, CHECKPOINT, FIGURES = "fields", "checkpoint", "figures"
#: what a run writes, in the order in which an overwritten one goes: first what could be taken for
#: results of the new run, last the case, by which a run that was killed can be started again
OURS = (CHECKPOINT, SUMMARY, H5, ROWS, SCENE, FIELDS, FIGURES, LOG, CASE)
#: by what an earlier run is known; the last one: of versions without a mark
MARKS = (MARK, SUMMARY, H5, ROWS, CHECKPOINT, ".fem_clearance.lock")
#: entries of a summary that say how a run went, not what came out of it
COUNTED = frozenset(
    (
        "case", "t", "t_end", "stopped", "steps", "rejected_steps", "newton_iterations",
        "jacobians", "wall_s", "cpu_s", "ranks", "cells_per_rank", "unknowns", "rows",
        "energy_change", "energy_growth", "energy_guard", "energy_dissipated", "energy_fed",
        "energy_balance", "energy_error", "contact_gain", "units", "versions", "ended",
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
        self.rows, self.h5 = self.path / ROWS, self.path / H5
        self._lock = None
        self._new = False  # whether nothing lay here when ``check`` looked

    @property
    def is_run(self) -> bool:
        """Whether an earlier run of ours lies here."""
        return any((self.path / name).exists() for name in MARKS)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written here but the mark."""
        return not any((self.path / name).exists() for name in OURS)

    @property
    def is_finished(self) -> bool:
        """Whether a run has come to its end here; a summary that cannot be read counts as one."""
        try:
            summary = json.loads((self.path / SUMMARY).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            return True
        return not (isinstance(summary, dict) and "stopped" in summary)

    def spare(self) -> None:
        """Refuse to overwrite a finished run.

        Raises:
            InputError: one is here.
        """
        if self.is_finished:
            raise InputError(
                f"{self.path} holds a finished run: choose another folder, or overwrite it with "
                "--force (in Python overwrite=True)."
            )

    def check(self) -> None:
        """Refuse, before any work, a folder that is not ours to write in; one that holds a run is
        locked from here on, in others nothing is written.

        Raises:
            InputError: a file, a folder with other content, no permission, another run at work.
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
        """Make the folder ours: marked, locked, and empty unless ``keep``; killed at any instant it
        can be claimed again.

        Args:
            keep: leave what an earlier run has written.
            case: text of the case file, which replaces an earlier one in the end.

        Raises:
            InputError: another run holds it, or has been here since ``check``.
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
        for name in OURS:  # of a run that was killed while it wrote one
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
        """Hold the folder until ``unlock`` or the end of the process, however it ends.

        Raises:
            InputError: another run holds it.
        """
        self._lock = hold(self.path / MARK)
        if self._lock is None:
            raise InputError(
                f"another run is writing in {self.path}; wait for it or choose another folder."
            )

    def unlock(self) -> None:
        """Give the folder free; its mark stays."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def write(self, name: str, text: str) -> None:
        """Write a small file, complete or not at all."""
        with replacing(self.path / name, sync=True) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Write ``summary.json``."""
        self.write(SUMMARY, json.dumps(summary, indent=2, default=_plain) + "\n")


def hold(path: Path) -> IO[str] | None:
    """Open a file and lock it until it is closed or the process ends; ``None`` where another
    process holds it."""
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

    chosen = min(level or logging.INFO, logging.INFO)  # a user may want more, not less, of a run
    package.setLevel(chosen if comm.rank == 0 else logging.CRITICAL + 1)
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


def refuse_links(*paths: Path) -> None:
    """Refuse links where files are written into a run's folder.

    Raises:
        InputError: one of the paths, or what lies in one of them, is a link.
    """
    for path in paths:
        for one in (path, *path.glob("*")):
            if one.is_symlink():
                raise InputError(
                    f"{one} is a link, perhaps out of the run's folder: nothing is written "
                    "through links, remove it."
                )
