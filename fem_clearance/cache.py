"""Where compiled forms, the compiled loop and results of long computations are kept between runs.

The folder belongs to one user: code that somebody else could have written is not loaded. Machines
may share a home directory, so there is one folder for each type of processor and C library. A
library is loaded only if its hash is the one recorded when it was built; otherwise (power cut, full
disk) it is discarded and rebuilt. If several processes want the same one, one builds it and the
others wait; a process that is killed releases its lock, and unfinished files lie in a folder of
their own. If the folder cannot be used, a temporary one takes its place.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import importlib.util
import json
import logging
import os
import platform
import shutil
import sysconfig
import tempfile
import textwrap
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from .errors import CompilationFailed, InputError

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

#: s after which a process says that it compiles or waits for another one, and after which it stops
#: waiting
NOTICE, PATIENCE = 3.0, 600.0
#: s after which the folder of a build is regarded as left by a killed process
ABANDONED = 86400.0
#: MB; if less is free, a failed compilation is attributed to lack of space
SPACE = 20
#: beginnings of processor features that compilers use
FEATURES = ("sse", "ssse", "avx", "fma", "bmi", "neon", "asimd", "sve")


def folder() -> Path:
    """``$XDG_CACHE_HOME/fem_clearance``, by default under ``~/.cache``; if that cannot be used, a
    temporary folder, and a warning says why."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return _usable(Path(root) / "fem_clearance")


def forms() -> Path:
    """Folder of code compiled for this type of machine."""
    return _made(folder() / "forms" / _machine())


@functools.cache
def _usable(path: Path) -> Path:
    """The folder, made for this user alone, or a temporary one in its place."""
    try:
        _made(path)
        about = path.stat()
        if hasattr(os, "getuid") and about.st_uid not in (0, os.getuid()):
            return _instead(path, "it belongs to another user")
        if about.st_mode & 0o022:  # others can write here
            path.chmod(0o700)
    except OSError as error:
        if not path.is_dir():
            return _instead(path, error.strerror)
        return _instead(path, "others can write there")
    return path


def _made(path: Path) -> Path:
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
    return path


@functools.cache
def _instead(path: Path, why: str | None) -> Path:
    """A temporary folder of this process instead of one that cannot be used."""
    temporary = _temporary()
    logger.warning(
        "the cache %s cannot be used (%s): what is compiled now lasts for this run only; "
        "XDG_CACHE_HOME=DIR moves the cache", path, why,
    )  # fmt: skip
    return Path(temporary.name)


@functools.cache
def _temporary() -> tempfile.TemporaryDirectory:
    try:
        return tempfile.TemporaryDirectory(prefix="fem_clearance-", ignore_cleanup_errors=True)
    except OSError as error:
        raise InputError(
            f"compiled forms cannot be stored anywhere: {error.strerror or error}; "
            "XDG_CACHE_HOME=DIR or TMPDIR=DIR gives one."
        ) from None


@functools.cache
def _machine() -> str:
    """The type of this machine: code for one type need not run on another."""
    about = [*sorted(features()), *platform.libc_ver(), sysconfig.get_config_var("SOABI")]
    return f"{platform.machine()}-{_digest(repr(about).encode())[:8]}"


@functools.cache
def features() -> frozenset[str]:
    """Features of this processor as Linux names them; empty if they cannot be read."""
    found: set[str] = set()
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        line = next((z for z in file if z.startswith(("flags", "Features"))), "")
        found = {w for w in line.split() if w.startswith(FEATURES)}
    return frozenset(found)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- compiled modules -----------------------------------------------------------------------------
def module(key: str, build: Callable[[Path], Any], what: str) -> Any:
    """An extension module that an earlier run has built, or that is built now.

    Args:
        key: everything on which the module depends.
        build: ``build(folder)`` compiles it in an empty folder and returns it, loaded.
        what: that is, for a message if it takes long.

    Raises:
        InputError: nothing can be compiled here.
        CompilationFailed: the compiler refuses this code.
    """
    key = _digest(key.encode())[:32]
    try:
        place = forms()
        return _whole(place, key) or _built(place, key, build, what)
    except OSError as error:
        instead = _instead(folder(), error.strerror)
    except _NotCompiled as error:
        if shutil.disk_usage(folder()).free > SPACE * 2**20:
            raise error.reason from None
        instead = _instead(folder(), os.strerror(errno.ENOSPC))
    try:
        return _whole(instead, key) or _built(instead, key, build, what)
    except _NotCompiled as error:
        where = f"{error.reason} (in {instead}; TMPDIR=DIR moves it)"
        raise type(error.reason)(where) from None
    except OSError as error:
        raise InputError(f"{error} (in {instead}; TMPDIR=DIR moves it)") from error


class _NotCompiled(Exception):
    """Why something could not be compiled."""

    def __init__(self, reason: InputError | CompilationFailed):
        super().__init__(str(reason))
        self.reason = reason


def _whole(place: Path, key: str) -> Any:
    """The module, if it is here and intact, else ``None``."""
    note = place / f"{key}.json"
    try:
        about = json.loads(note.read_text(encoding="utf-8"))
        path = place / about["file"]
        if _digest(path.read_bytes()) == about["sha256"]:
            return loaded(path)
        why = "is damaged"
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        why, path = "cannot be read", note
    except ImportError as error:
        why = f"cannot be loaded here ({error})"
    logger.warning("%s %s; it is compiled anew.", path, why)
    with suppress(OSError):
        note.unlink()
    return None


def loaded(path: Path) -> Any:
    """The extension module in a file; it is not entered in ``sys.modules``."""
    spec: Any = importlib.util.spec_from_file_location(path.name.split(".")[0], path)
    result: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(result)
    return result


def _built(place: Path, key: str, build: Callable[[Path], Any], what: str) -> Any:
    """Build the module, unless another process has in the meantime."""
    with _alone(place / "lock", key):
        if found := _whole(place, key):
            return found
        _clear(place)
        with tempfile.TemporaryDirectory(
            prefix="build-", dir=place, ignore_cleanup_errors=True
        ) as work:
            handlers = logging.getLogger().handlers.copy()
            notice = threading.Timer(NOTICE, _say_compiling, (what,))
            notice.daemon = True
            notice.start()
            try:
                result = build(Path(work))
            except OSError:
                raise
            except Exception as error:
                logger.debug("compilation failed", exc_info=True)
                raise _NotCompiled(_why(error)) from error
            finally:
                notice.cancel()
                logging.getLogger().handlers = handlers  # FFCx leaves its own after a failure
            path = Path(result.__file__)
            about = {"file": path.name, "sha256": _digest(path.read_bytes())}
            note = Path(work) / "note"
            note.write_text(json.dumps(about), encoding="utf-8")
            for made, target in ((path, path.name), (note, f"{key}.json")):
                with open(made, "rb") as file:
                    os.fsync(file.fileno())
                os.replace(made, place / target)
        return result


@functools.cache
def _say_compiling(what: str) -> None:
    """Say, once for each kind in a process, what it is that takes long."""
    logger.info(
        "compiling %s, used for the first time on this machine: seconds to minutes, by its size",
        what,
    )


def _why(error: Exception) -> InputError | CompilationFailed:
    """Why something could not be compiled, in one sentence."""
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(command) is None:
        return InputError(
            f"no C compiler found: {command!r} is not on the PATH, and FEniCSx compiles its forms "
            "(on Debian: apt-get install gcc libc6-dev)."
        )
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        return InputError(
            "Python.h is missing, and forms are compiled against it (on Debian: apt-get install "
            "python3-dev)."
        )
    why = textwrap.shorten(f"{type(error).__name__}: {error}", 120)
    return CompilationFailed(f"the C compiler refuses the code; see its output above ({why})")


def _clear(place: Path) -> None:
    """Delete folders that builds of killed processes have left."""
    for work in place.glob("build-*"):
        with suppress(OSError):
            if time.time() - work.stat().st_mtime > ABANDONED:
                shutil.rmtree(work)


@contextmanager
def _alone(path: Path, key: str) -> Iterator[None]:
    """Exclude other processes that work on the same ``key``, if this file system has locks: each
    key is a byte of one file. Waits for another process, and says so."""
    if fcntl is None:
        yield
        return
    with open(path, "a", encoding="utf-8") as lock:
        at, tic, said, failures = int(key[:8], 16), time.monotonic(), False, 0
        while time.monotonic() - tic < PATIENCE and failures < 3:
            try:
                fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
                break
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.EAGAIN):
                    failures += 1  # no locks here, or none left for the moment
            if not said and time.monotonic() - tic > NOTICE:
                said = True
                logger.info("waiting for another process that compiles or computes the same")
            time.sleep(0.05)
        yield


# --- arrays ---------------------------------------------------------------------------------------
def kept(kind: str, key: str, make: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Arrays that an earlier run has computed, or that are computed now and kept for later runs.

    If several processes need them at once, one computes and the others wait for its file, which is
    moved into place when it is complete.

    Args:
        kind: folder of the file; users may delete it to have its arrays computed again.
        key: everything on which the arrays depend.
        make: computes them.
    """
    key = _digest(key.encode())[:24]
    path = folder() / kind / f"{key}.npz"
    arrays = _arrays(path)
    if arrays is not None:
        return arrays
    try:
        with _alone(_made(path.parent) / "lock", key):
            arrays = _arrays(path)
            if arrays is None:
                arrays = make()
                _keep(path, arrays)
    except OSError as error:
        _instead(folder(), error.strerror)
        arrays = arrays or make()
    return arrays


def _arrays(path: Path) -> dict[str, np.ndarray] | None:
    try:
        with np.load(path) as file:
            return dict(file)
    except FileNotFoundError:
        pass
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        logger.warning("%s is damaged; it is computed anew.", path)
    return None


def _keep(path: Path, arrays: dict[str, np.ndarray]) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
        try:
            np.savez(part, **arrays)  # type: ignore[arg-type]
            part.flush()
            os.fsync(part.fileno())
            os.replace(part.name, path)
        except BaseException:
            os.unlink(part.name)
            raise
