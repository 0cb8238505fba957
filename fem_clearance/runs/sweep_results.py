"""The table of a sweep: varied values and key numbers of each run, in files of its folder."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .. import checks
from ..errors import InputError
from ..io import folder
from ..io.files import reading, replacing
from .results import Results
from .tables import library

H5, FIGURE, MARK, COMMAND = "table.h5", "sweep.png", ".sweep", "command.txt"
#: the same as text, which has no place for units, and those
CSV, UNITS = "table.csv", "table_units.csv"
#: entries of summaries that are not columns
LEFT_OUT = {"case", "versions", "ended"}
#: drawn if a case has no key numbers of its own
PLAIN = ("steps", "cpu_s")


def write(
    out: Path,
    varied: Sequence[str],
    ended: Mapping[str, Mapping[str, Any]],
    units: Mapping[str, str],
) -> None:
    """Write the tables of a sweep; earlier ones are replaced as a whole.

    Args:
        out: the sweep's folder.
        varied: names of the varied parameters, the first columns.
        ended: varied values and summary of each run that has ended, by the name of its folder.
        units: of columns, by name; others have none.
    """
    numbers = dict.fromkeys(
        key
        for row in ended.values()
        for key, value in row.items()
        if not (key in LEFT_OUT or key in varied or isinstance(value, (list, dict)))
    )
    names = [*varied, *numbers]
    rows = [[row.get(name, "") for name in names] for row in ended.values()]
    _write_csv(out, CSV, [names, *rows])
    _write_csv(out, UNITS, [("column", "unit"), *((name, units.get(name, "")) for name in names)])
    with replacing(out / H5) as temporary, h5py.File(temporary, "w") as file:
        for name, column in zip(names, zip(*rows, strict=True), strict=True):
            file[name] = _column(column)
            if units.get(name):
                file[name].attrs["unit"] = units[name]
        file.attrs["columns"], file.attrs["varied"] = names, list(varied)
        file.attrs["folders"] = list(ended)


def _write_csv(out: Path, name: str, rows: Iterable[Sequence[Any]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    folder.RunFolder(out).write(name, text.getvalue())


def _column(values: Sequence[Any]):
    """An array of numbers, NaN for missing ones; of texts, if one is not a number."""
    try:
        return np.array([np.nan if v in ("", None) else float(v) for v in values])
    except ValueError:
        return np.array([str(v) for v in values], dtype=h5py.string_dtype())


class SweepResults(Mapping):
    """The table of a sweep: a mapping from names of columns to one value per run, NaN (of texts
    ``""``) for a missing one.

    Args:
        columns: by name; varied parameters come first.
        units: of columns, if they have one.
        varied: names of the varied parameters.
        folders: names of the runs' folders, in the order of the rows.
        path: the sweep's folder.

    Example:
        >>> table = fc.SweepResults.open("runs/all")
        >>> table["joint.restitution"], table["first_impact_peak_force"]
    """

    def __init__(
        self, columns: Mapping[str, np.ndarray], units: Mapping[str, str], varied: list[str],
        folders: list[str], path: Path,
    ):  # fmt: skip
        self.columns, self.units = dict(columns), dict(units)
        self.varied, self.folders, self.path = varied, folders, path

    @classmethod
    def open(cls, path: str | Path) -> SweepResults:
        """The table in a sweep's folder.

        Raises:
            InputError: no sweep there, a damaged table.
        """
        path = Path(path)
        if not is_sweep(path):
            raise InputError(f"{path} holds no sweep (no {H5}).")
        with reading(path / H5), h5py.File(path / H5) as file:
            columns = {n: _values(file[n]) for n in file.attrs["columns"]}
            units = {n: str(file[n].attrs["unit"]) for n in columns if "unit" in file[n].attrs}
            varied, folders = map(list, (file.attrs["varied"], file.attrs["folders"]))
        return cls(columns, units, varied, folders, path)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise InputError(
                f"the sweep has no column {name!r}{checks.suggestion(name, self.columns)}; it has "
                f"{checks.some(self.columns, like=name)}."
            )
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def get(self, name: str, default: Any = None) -> Any:
        """A column, or ``default`` if there is none."""
        return self.columns.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.folders)

    def run(self, k: int) -> Results:
        """Results of the run in row ``k``.

        Raises:
            InputError: it has no results.
        """
        return Results.open(self.path / self.folders[k])

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each run.

        Raises:
            InputError: pandas is not installed.
        """
        return library("pandas", "to_pandas").DataFrame(self.columns)

    def numbers(self) -> dict[str, np.ndarray]:
        """Key numbers by name: those of the case, or ``PLAIN`` if it has none."""
        found = {
            n: x for n, x in self.items()
            if n not in self.varied and x.dtype.kind == "f" and np.isfinite(x).any()
        }  # fmt: skip
        own = {n: x for n, x in found.items() if n not in folder.COUNTED}
        return own or {n: found[n] for n in PLAIN if n in found}

    def plot(self) -> Any:
        """The figure of key numbers over the first varied parameter; ``None`` if there are none."""
        from ..plotting import sweeps

        axes = {n: self[n] for n in self.varied}
        return sweeps.figure(axes, self.numbers(), self.units)

    def __repr__(self) -> str:
        return f"SweepResults({self.runs} runs over {', '.join(self.varied)}: {self.path})"

    def _repr_html_(self) -> str:
        return table_html(self)


def draw(out: Path) -> Path | None:
    """Draw the figure of a sweep's folder; ``None`` if there are no numbers to draw."""
    figure = SweepResults.open(out).plot()
    if figure is None:
        return None
    from ..plotting import style

    style.save(figure, out / f".{FIGURE}")  # replaced atomically
    os.replace(out / f".{FIGURE}", out / FIGURE)
    return out / FIGURE


def is_sweep(path: Path) -> bool:
    """Whether a folder contains a sweep's table."""
    return (path / MARK).exists() and (path / H5).exists()


def _values(dataset: Any) -> np.ndarray:
    if h5py.check_string_dtype(dataset.dtype):
        return np.array(dataset.asstr()[()], dtype=object)
    return dataset[()].astype(float)


def table_html(table: SweepResults) -> str:
    """The table of a sweep as HTML: varied parameters, then key numbers, with units in the head."""
    shown = [*table.varied, *table.numbers()]
    shown += ["stopped"] if "stopped" in table and any(map(str.strip, table["stopped"])) else []
    head = "".join(
        f"<th>{escape(n)}{f' [{escape(u)}]' if (u := table.units.get(n)) else ''}</th>"
        for n in shown
    )
    rows = [
        "<tr>" + "".join(f"<td>{_cell(table[n][k])}</td>" for n in shown) + "</tr>"
        for k in range(table.runs)
    ]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.6g}"
    return escape(str(value))
