"""How the parameters of an earlier run in a folder differ from those of a new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError
from ..io import toml
from ..io.toml import shortest
from .case import Case
from .parameters import Values

#: a parameter without effect on the results
IDLE = "checkpoint.every_s"
#: differences that are named
SHOWN = 3


def differences(path: Path, case: Case, values: Values) -> str:
    """The differences, in words for a message; empty if there are none.

    Args:
        path: case file of the earlier run.
        case, values: of the new run.
    """
    if not path.exists():
        return "unknown parameters"
    try:
        earlier = toml.content(path)
        if earlier.case != case.source:
            return f"another case ({earlier.case})"
        if earlier.digest != case.digest:
            return f"another version of {case.source}"
        old = case.resolve(earlier.changes)
    except InputError:  # damaged, or of another version of the case
        return "unreadable parameters"
    changed = [k for k in values if k != IDLE and _plain(old[k]) != _plain(values[k])]
    # what follows from others is not what the user has changed
    named = [key for key in changed if key in values.given] or changed
    shown = [f"{key} = {_text(old[key])}, now {_text(values[key])}" for key in named[:SHOWN]]
    return f"other parameters ({'; '.join(shown)})" if shown else ""


def _plain(value: Any) -> Any:
    return [*map(float, value)] if isinstance(value, (list, tuple)) else value


def _text(value: Any) -> str:
    return "none" if value is None else shortest(value) if isinstance(value, float) else str(value)
