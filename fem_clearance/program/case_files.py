"""Finding a case: by name, by a user's Python file, by a ``case.toml``, by a run's folder.

A run's folder is data that somebody else may have created. Code is executed only from a file that
the user names, never because a folder names it: see ``of_run`` and ``to_resume``.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import types
from pathlib import Path
from typing import Any

from .. import checks
from ..errors import InputError
from ..io import folder, toml
from ..runs.case import Case
from ..user_code import failure

logger = logging.getLogger(__name__)
#: folders of the users' files that have been loaded
FOLDERS: set[Path] = set()


def load(source: str) -> tuple[Case, dict[str, Any]]:
    """A case by name, Python file or ``case.toml``, and the parameters that the file sets.

    Raises:
        InputError: no such case or file, a file that does not define a case.
    """
    if not source.endswith(".toml"):
        return _case(source), {}
    path = Path(source)
    found = toml.content(path)
    if found.case.endswith(".toml"):
        raise InputError(f"{source} must name a case or a Python file, not another case file.")
    case = _case(_beside(path, found.case))
    if case.digest and found.digest not in (None, case.digest):
        logger.warning("%s has changed since %s was written", case.file, path)
    return case, found.changes


def of_run(run: Path, trust: bool) -> tuple[Case | None, dict[str, Any]]:
    """The case of a run's folder, to draw its results with, and its parameters.

    Args:
        run: the folder.
        trust: execute a user's file that the folder names.

    Returns:
        The case, ``None`` for the run of a script, and for a user's file unless ``trust``; the
        parameters.
    """
    path = run / folder.CASE
    if not path.exists():
        return None, {}
    found = toml.content(path)
    if found.case.endswith((".py", ".toml")) and not trust:
        logger.warning(
            "%s: drawn without the figures of its case, because %s is a file that the folder "
            "names, which is run with --trust only.", run, found.case,
        )  # fmt: skip
        return None, found.changes
    return _case(_beside(path, found.case)), found.changes


def to_resume(run: Path, trust: bool) -> tuple[Case, dict[str, Any]]:
    """The case of a run's folder, to continue the run, and its parameters.

    Args:
        run: the folder.
        trust: execute a user's file that the folder names, whatever it is.

    Raises:
        InputError: a user's file that lies in the folder, or that has changed since the start.
    """
    path = run / folder.CASE
    found = toml.content(path)
    if trust or not found.case.endswith(".py"):
        return _case(_beside(path, found.case)), found.changes
    file = Path(found.case)
    if not file.is_absolute() or file.resolve().is_relative_to(run.resolve()):
        raise InputError(
            f"{run} names {file} as its case, a file that came with it: what lies in a run's "
            "folder is not run; if you trust it, say --trust."
        )
    return _from_file(file, found.digest or "unknown"), found.changes


def _beside(path: Path, case: str) -> str:
    """A case as a case file at ``path`` names it; paths of files are relative to that file."""
    return str(path.parent / case) if case.endswith(".py") else case


def _case(source: str) -> Case:
    """A case by name or Python file."""
    from .. import cases

    if source.endswith(".py"):
        return _from_file(Path(source))
    if source not in cases.names():
        raise InputError(
            f"there is no case {source!r}{checks.suggestion(source, cases.names())}; "
            "'fem-clearance list' shows them (or give a .py or .toml file)."
        )
    return cases.get(source)


def _from_file(path: Path, digest: str | None = None) -> Case:
    """The case of a user's file, which is executed without leaving byte code.

    Args:
        path: the file.
        digest: SHA-256 that it must have to be executed; ``None``: any.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    found = hashlib.sha256(content).hexdigest()
    if digest not in (None, found):
        raise InputError(
            f"{path} is not the file that the run began with; look at what has changed, and say "
            "--trust to go on with it as it is."
        )
    try:
        code = compile(content, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{path} is not a Python file: {error}.") from None
    # under a name of its own, by which dataclasses find it and which hides no other module
    module = types.ModuleType(f"_case_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    FOLDERS.add(path.resolve().parent)
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        exec(code, module.__dict__)
    except InputError:
        raise
    except Exception as error:
        raise failure("reading it", error, str(path)) from error
    finally:
        sys.dont_write_bytecode = keep
        sys.path.remove(str(path.parent.resolve()))
    case = module.__dict__.get("case")
    if not isinstance(case, Case):
        raise InputError(
            f"{path} defines no case: give it case = fc.Case(name, description, build, parameters)."
        )
    case.file, case.digest = path.resolve(), found
    return case
