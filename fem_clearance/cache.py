"""Where compiled forms, the compiled loop and results of long computations are kept between runs.

Several processes may compile at once. Each holds a shared lock while it does, which the system
takes back when it is killed; who gets the lock alone knows that nobody compiles and clears away
what a killed process left half-made (FFCx would wait for its end until the timeout).
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

logger = logging.getLogger(__name__)


def folder() -> Path:
    """``$XDG_CACHE_HOME/fem_clearance``, by default under ``~/.cache``."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(root) / "fem_clearance"


def forms() -> Path:
    """Folder of compiled forms."""
    return folder() / "forms"


@contextmanager
def compiling() -> Iterator[Path]:
    """Folder of compiled forms, locked against clearing."""
    path = forms()
    path.mkdir(parents=True, exist_ok=True)
    with open(path / "lock", "w") as lock:
        try:
            if _locked(lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                _clear(path)
            fcntl.flock(lock, fcntl.LOCK_SH)
        except OSError as error:  # a file system without locks
            logger.debug("no lock in %s: %s", path, error)
        yield path


def _locked(lock, how: int) -> bool:
    try:
        fcntl.flock(lock, how)
    except BlockingIOError:
        return False
    return True


def _clear(path: Path) -> None:
    """Delete sources whose compilation never ended."""
    for source in path.glob("*.c"):
        if not source.with_suffix(".c.cached").exists():
            logger.info(
                "%s was left half-made by a run that was killed; it is compiled anew.", source
            )
            source.unlink(missing_ok=True)


def kept(kind: str, key: str, make: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Arrays that were computed by an earlier run, or else are now and kept for later ones.

    Of several processes that ask at once one computes and the others wait for its file, which is
    moved into place when it is whole.

    Args:
        kind: folder of the file, to be deleted by users who want everything of it anew.
        key: all that the arrays follow from.
        make: computes them.
    """
    path = folder() / kind / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError as error:  # a file system without locks
            logger.debug("no lock in %s: %s", path.parent, error)
        try:
            with np.load(path) as file:
                return dict(file)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, zipfile.BadZipFile):
            logger.warning("%s cannot be read; it is computed anew.", path)
        arrays = make()
        part = path.with_name(f"{path.stem}.{os.getpid()}.npz")
        np.savez(part, **arrays)  # type: ignore[arg-type]
        part.replace(path)
    return arrays
