"""Tables of bearing coefficients as files: CSV, and the TOML and JSON files of ROSS."""

from __future__ import annotations

import csv
import json
import logging
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError

logger = logging.getLogger(__name__)

#: names of the entries of both matrices, by rows
ENTRIES = ("xx", "xy", "yx", "yy")
STIFFNESS, DAMPING = ([f"{what}{n}" for n in ENTRIES] for what in "kc")
#: first line of a CSV file
COLUMNS = ["frequency", *STIFFNESS, *DAMPING]
#: name of the element in ROSS
ELEMENT = "BearingElement"
#: coefficients that a file of ROSS may leave out, and those that are used instead
OTHERS = {"kyy": "kxx", "cyy": "cxx"}


@dataclass(frozen=True, eq=False)
class CoefficientTable:
    """Stiffness and damping coefficients of a bearing by frequency, which can be written to a file
    and read from one.

    Args:
        frequencies: frequencies of the rows, rad/s, increasing, (n,): speeds of rotation, each with
            the coefficients of synchronous motion; or, with ``speed``, frequencies of whirl.
        stiffness: K, N/m, (n, 2, 2); the force on the journal is - K x - C dx/dt.
        damping: C, N s/m, (n, 2, 2).
        speed: speed of rotation of all rows, rad/s; default: that of each row is its frequency.

    Raises:
        InputError: frequencies that do not increase, arrays of another shape, values that are not
            finite.

    See docs/connections.md. Example::

        fc.CoefficientTable(
            [100.0, 300.0], stiffness=[[[1e7, 2e6], [-2e6, 1e7]]] * 2,
            damping=[[[1e4, 0], [0, 1e4]]] * 2,
        )
    """

    frequencies: ArrayLike
    stiffness: ArrayLike
    damping: ArrayLike
    speed: float | None = None

    def __post_init__(self):
        x = np.atleast_1d(checks.array(self.frequencies))
        if x.ndim != 1 or not len(x) or not np.isfinite(x).all() or np.any(np.diff(x) <= 0):
            raise InputError(
                "CoefficientTable: frequencies must be finite and increase, got "
                f"{checks.shown(self.frequencies)}."
            )
        object.__setattr__(self, "frequencies", x)
        for name in ("stiffness", "damping"):
            value = checks.array(getattr(self, name))
            if value.shape != (len(x), 2, 2) or not np.isfinite(value).all():
                raise InputError(
                    f"CoefficientTable: {name} must be finite matrices ({len(x)}, 2, 2), one for "
                    f"each frequency, got {checks.shown(getattr(self, name))}."
                )
            object.__setattr__(self, name, value)
        if self.speed is not None:
            checks.number("CoefficientTable: speed", self.speed)

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """Name -> values for the frequencies, as in files."""
        K, C = (np.asarray(z).reshape(-1, 4) for z in (self.stiffness, self.damping))
        named = zip((*STIFFNESS, *DAMPING), (*K.T, *C.T), strict=True)
        return {"frequency": np.asarray(self.frequencies), **dict(named)}

    def write(self, path: str | Path, *, node: int = 0, tag: str = "bearing") -> None:
        """Write a ``.csv`` file, or a ``.toml`` or ``.json`` file that ROSS reads with
        ``BearingElement.load``. All digits are kept.

        Args:
            path: path of the file, which is replaced if it exists.
            node: node of the rotor at which the bearing lies, for ROSS.
            tag: name of the bearing, for ROSS.

        Raises:
            InputError: another suffix.
        """
        path, columns = Path(path), {n: z.tolist() for n, z in self.columns.items()}
        rotation = {} if self.speed is None else {"speed": float(self.speed)}
        ending = _ending(path)
        if ending == ".csv":
            with path.open("w", newline="", encoding="utf-8") as file:
                if rotation:
                    file.write(f"# speed = {rotation['speed']!r}\n")
                writer = csv.writer(file)
                writer.writerow(COLUMNS)
                writer.writerows(zip(*(columns[n] for n in COLUMNS), strict=True))
            return
        # ROSS passes unknown entries to its element, which ignores them
        data = {f"{ELEMENT}_{tag}": {"n": node, "tag": tag, **columns, **rotation}}
        text = tomli_w.dumps(data) if ending == ".toml" else json.dumps(data, indent=2)
        path.write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, path: str | Path, *, tag: str | None = None) -> CoefficientTable:
        """Read a file that ``write`` or ROSS has written.

        Args:
            path: path of the file, ``.csv``, ``.toml`` or ``.json``.
            tag: name of the bearing; needed if the file has several.

        Raises:
            InputError: a file or bearing that does not exist, values that are missing or are not
                numbers.
        """
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            data = _table(text) if _ending(path) == ".csv" else _element(path, text, tag)
            return _read(path, data)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"CoefficientTable: {path} cannot be read: {error}.") from None
        except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
            raise InputError(f"CoefficientTable: {path} is damaged: {error}.") from None


def _ending(path: Path) -> str:
    checks.choice("CoefficientTable: suffix of the file", path.suffix, (".csv", ".toml", ".json"))
    return path.suffix


def _table(text: str) -> dict[str, Any]:
    """Columns of a CSV file; lines that begin with # are notes."""
    lines = text.splitlines()
    notes = [line[1:].split("=") for line in lines if line.startswith("#")]
    rows = list(csv.reader(line for line in lines if line.strip() and line[0] != "#"))
    head = rows.pop(0) if rows else []
    if any(len(row) != len(head) for row in rows):
        raise InputError(
            "CoefficientTable: a line of the file has more or fewer values than names."
        )
    named = dict(zip((name.strip() for name in head), zip(*rows, strict=True), strict=False))
    given = {n.strip(): v for n, v in (z for z in notes if len(z) == 2) if n.strip() == "speed"}
    return named | given


def _element(path: Path, text: str, tag: str | None) -> Mapping[str, Any]:
    """The entry of a bearing in a file of ROSS."""
    data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    found = {n: z for n, z in data.items() if isinstance(z, Mapping) and "kxx" in z}
    if tag is not None:
        found = {n: z for n, z in found.items() if z.get("tag") == tag or n.endswith(f"_{tag}")}
    if len(found) != 1:
        names = ", ".join(n for n in data) or "nothing"
        asked = "" if tag is None else f" with the tag {tag!r}"
        raise InputError(
            f"CoefficientTable: {path} has {len(found)} bearings{asked}; give the tag of one. The "
            f"file contains: {names}."
        )
    return next(iter(found.values()))


def _read(path: Path, data: Mapping[str, Any]) -> CoefficientTable:
    """The table of a bearing's entries by name."""
    values: dict[str, np.ndarray] = {}
    for name in COLUMNS:
        given = data.get(name, data.get(OTHERS.get(name, ""), None))
        if given is None and name not in ("kxy", "kyx", "cxy", "cyx"):
            raise InputError(
                f"CoefficientTable: {path} has no {name!r}; a table needs {', '.join(COLUMNS)}."
            )
        try:
            values[name] = np.atleast_1d(np.array(0.0 if given is None else given, float))
        except (TypeError, ValueError):
            raise InputError(
                f"CoefficientTable: {path}: the values of {name} must be numbers."
            ) from None
    masses = [n for n in data if n in ("mxx", "mxy", "myx", "myy") and np.any(data[n])]
    if masses:
        logger.warning(
            "%s: the added masses %s are left out, because a table has stiffness and damping only",
            path, ", ".join(masses),
        )  # fmt: skip
    count = len(values["frequency"])
    try:
        K, C = (
            np.stack([np.broadcast_to(values[n], count) for n in names], 1).reshape(-1, 2, 2)
            for names in (STIFFNESS, DAMPING)
        )
    except ValueError:
        raise InputError(
            f"CoefficientTable: {path} needs {count} values of each coefficient, one for each "
            "frequency."
        ) from None
    speed = data.get("speed")
    return CoefficientTable(values["frequency"], K, C, None if speed is None else float(speed))
