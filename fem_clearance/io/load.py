"""Finding a case: by name, by a user's Python file, by a ``case.toml``."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

from .. import checks
from ..errors import InputError
from ..user_code import failure
from . import toml
from .case import Case


def load(source: str) -> tuple[Case, dict[str, Any]]:
    """A case by name, Python file or ``case.toml``, and the parameters that the file sets.

    Raises:
        InputError: no such case or file, a file that does not define a case.
    """
    from .. import cases

    if source.endswith(".toml"):
        case, changes = toml.read(Path(source))
        if case.endswith(".toml"):
            raise InputError(f"{source} must name a case or a Python file, not another case file.")
        return load(case)[0], changes
    if source.endswith(".py"):
        return _from_file(Path(source)), {}
    if source not in cases.names():
        raise InputError(
            f"there is no case {source!r}{checks.suggestion(source, cases.names())}; "
            "'fem-clearance list' shows them (or give a .py or .toml file)."
        )
    return cases.get(source), {}


def _from_file(path: Path) -> Case:
    """The case of a user's file; the file runs as it stands, no byte code is left behind."""
    try:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{path} is not a Python file: {error}.") from None
    # a name of its own, at which dataclasses find it, and no module that is imported by its name
    module = types.ModuleType(f"_case_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
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
    case.file = path.resolve()
    return case
