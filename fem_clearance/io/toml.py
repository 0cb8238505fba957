"""``case.toml``: every parameter of a run as resolved, with its unit as a comment."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError
from .parameters import Values, shortest


def write(case: str, values: Values) -> str:
    """The text of a case file: the case's name or file, then one parameter a line."""
    lines = [f"case = {json.dumps(case, ensure_ascii=False)}", ""]
    keys = [k for k in values if values[k] is not None]
    for key in keys:
        p = values.parameters[key]
        text = f"{p.text} [{p.unit}]" if p.unit else p.text
        name = _quoted(key, keys)
        lines.append(f"{name} = {_value(values[key])}" + (f"  # {text}" if text else ""))
    return "\n".join(lines) + "\n"


def _quoted(key: str, keys: list[str]) -> str:
    """Quoted where TOML would otherwise want ``key`` to be a number and a table at once."""
    parts = key.split(".")
    above = {".".join(parts[:k]) for k in range(1, len(parts))}
    return json.dumps(key) if above & set(keys) else key


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(float(z)) for z in value) + "]"
    text = shortest(value)
    return text if isinstance(value, int) or not text.lstrip("-").isdigit() else text + ".0"


def read(path: Path) -> tuple[str, dict[str, Any]]:
    """Case (name, or path of a Python file) and parameters of a case file.

    Raises:
        InputError: not a TOML file, no ``case``.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a case file: {error}.") from None
    case = content.pop("case", None)
    if not isinstance(case, str):
        raise InputError(
            f'{path} does not say which case it is: add a line such as case = "double_pendulum".'
        )
    if case.endswith(".py") and not Path(case).is_absolute():
        case = str(path.parent / case)
    return case, dict(_flat(content))


def _flat(table: Mapping[str, Any], before: str = ""):
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value
