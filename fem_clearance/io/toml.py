"""``case.toml``: every parameter of a run as resolved, with text and unit as a comment."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import tomli_w

from ..errors import InputError
from .files import reading

#: keys of a case file that are not parameters
CASE, DIGEST = RESERVED = ("case", "case_sha256")


class Parameters(Protocol):
    """Values by dotted key, with ``text`` and ``unit`` of each parameter."""

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def __getitem__(self, key: str) -> Any: ...

    def __iter__(self) -> Iterator[str]: ...


class CaseFile(NamedTuple):
    """Content of a case file.

    Attributes:
        case: a case's name, or the path of a Python file.
        changes: parameters by dotted key.
        digest: SHA-256 of that Python file when the run began.
    """

    case: str
    changes: dict[str, Any]
    digest: str | None


def write(case: str, values: Parameters, digest: str | None = None) -> str:
    """The text of a case file: the case's name or file, then one parameter a line.

    Raises:
        InputError: text that TOML cannot represent.
    """
    try:
        lines = [f"{CASE} = {_text(case)}"]
        if digest is not None:
            lines.append(f"{DIGEST} = {_text(digest)}  # of that file when the run began")
        keys = [k for k in values if values[k] is not None]
        for key in keys:
            p = values.parameters[key]
            about = f"{p.text} [{p.unit}]" if p.unit else p.text
            line = f"{_quoted(key, keys)} = {_value(values[key])}"
            lines.append(line + (f"  # {about}" if about.isprintable() and about else ""))
        lines.insert(1 if digest is None else 2, "")
        text = "\n".join(lines) + "\n"
        text.encode()
        return text
    except UnicodeEncodeError as error:
        raise InputError(f"case.toml cannot hold the text {error.object!r}.") from None


def _text(value: Any) -> str:
    return tomli_w.dumps({"x": value}).removeprefix("x = ").removesuffix("\n")


def _key(part: str) -> str:
    return tomli_w.dumps({part: 0}).removesuffix(" = 0\n")


def _quoted(key: str, keys: list[str]) -> str:
    """A dotted key; as one quoted word if it would otherwise be both a value and a table in
    TOML."""
    parts = key.split(".")
    above = {".".join(parts[:k]) for k in range(1, len(parts))}
    return _key(key) if above & {*keys, *RESERVED} else ".".join(map(_key, parts))


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(float(z)) for z in value) + "]"
    if isinstance(value, float):  # shorter than tomli_w writes it
        text = shortest(value)
        return text + ".0" if text.lstrip("-").isdigit() else text
    return _text(value)


def read(path: Path) -> tuple[str, dict[str, Any]]:
    """Case and parameters of a case file; see ``content``."""
    return content(path)[:2]


def content(path: Path) -> CaseFile:
    """Content of a case file.

    Raises:
        InputError: not a TOML file, no ``case``, a key given twice.
    """
    with reading(path):
        text = path.read_text(encoding="utf-8")
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError also for numbers of 5000 digits
        raise InputError(f"{path} is not a case file: {error}.") from None
    case, digest = table.pop(CASE, None), table.pop(DIGEST, None)
    if not isinstance(case, str):
        raise InputError(
            f'{path} does not say which case it is: add a line such as case = "double_pendulum".'
        )
    changes: dict[str, Any] = {}
    for key, value in _flat(table):
        if key in changes:
            raise InputError(f"{path} sets {key} twice.")
        changes[key] = value
    return CaseFile(case, changes, digest if isinstance(digest, str) else None)


def _flat(table: Mapping[str, Any], before: str = ""):
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def shortest(value: float) -> str:
    """The shortest text that reads back as the same number."""
    plain = repr(float(value)).removesuffix(".0")
    power = np.format_float_scientific(value, trim="-", exp_digits=1).replace("e+", "e")
    return power if len(power) < len(plain) else plain
