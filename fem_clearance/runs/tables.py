"""Results as tables: for pandas and xarray, as a line of text, and as HTML for notebooks."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from .. import markup
from ..core.observation import Channel
from ..errors import InputError


class Table(Protocol):
    """Columns of numbers by name; ``Results`` are."""

    @property
    def axis(self) -> Channel:
        """The independent variable."""

    @property
    def names(self) -> list[str]:
        """Names of the columns, without that of ``axis``."""

    def unit(self, name: str) -> str:
        """Unit of a column."""

    def description(self, name: str) -> str:
        """Description of a column."""

    def __len__(self) -> int:
        """Number of rows."""

    def __getitem__(self, name: str | Sequence[str], /) -> np.ndarray:
        """A column, or several."""


#: most names in a line of text, most groups of channels that a notebook shows expanded
NAMES, OPENED = 6, 1


def library(name: str, purpose: str) -> Any:
    """An optional library.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(
            f"{purpose} needs {name}, which cannot be imported ({error}): pip install {name}."
        ) from None


def _columns(results: Table, names: Sequence[str] | None) -> tuple[list[Channel], np.ndarray]:
    """Channels without the independent variable, and their columns (rows, n)."""
    first = results.axis.name
    names = [n for n in (results.names if names is None else names) if n != first]
    channels = [Channel(n, results.unit(n), results.description(n)) for n in names]
    return channels, results[names]


def to_pandas(results: Table, names: Sequence[str] | None):
    """See ``Results.to_pandas``."""
    pandas = library("pandas", "to_pandas")
    channels, columns = _columns(results, names)
    index = pandas.Index(np.array(results[results.axis.name]), name=results.axis.name)
    table = pandas.DataFrame(columns, index=index, columns=[c.name for c in channels])
    every = (results.axis, *channels)
    table.attrs["units"] = {c.name: c.unit for c in every}
    table.attrs["descriptions"] = {c.name: c.description for c in every}
    return table


def to_xarray(results: Table, names: Sequence[str] | None):
    """See ``Results.to_xarray``."""
    xarray = library("xarray", "to_xarray")
    channels, columns = _columns(results, names)
    axis = results.axis
    place = (axis.name, np.array(results[axis.name]), _attributes(axis))
    variables = {c.name: (axis.name, columns[:, k], _attributes(c)) for k, c in enumerate(channels)}
    return xarray.Dataset(variables, coords={axis.name: place})


def _attributes(channel: Channel) -> dict[str, str]:
    return {"units": channel.unit, "long_name": channel.description}


def line(results: Table) -> str:
    """Results in a line of text."""
    names = results.names
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return f"<{_about(results)}: {', '.join(names[:NAMES])}{more}>"


def _about(results: Table) -> str:
    axis, rows = results.axis, len(results)
    span = ""
    if rows:
        places = results[axis.name]
        unit = f" {axis.unit}" if axis.unit else ""
        span = f", {axis.description} {places[0]:.6g} to {places[-1]:.6g}{unit}"
    return f"{type(results).__name__}: {rows} rows{span}, {len(results.names)} channels"


def html(results: Table) -> str:
    """Channels in tables, one for each group of names, with units, descriptions and extremes."""
    groups: dict[str, list[str]] = {}
    for name in results.names:
        groups.setdefault(name.rpartition(".")[0] or name, []).append(name)
    parts = [markup.paragraph(_about(results))]
    head = ("channel", "unit", "description", "least", "largest", "last")
    for k, (owner, names) in enumerate(groups.items()):
        columns = results[names]
        rows = [
            (n, results.unit(n), results.description(n), *_extremes(columns[:, j]))
            for j, n in enumerate(names)
        ]
        title = f"{owner} ({len(names)})"
        parts.append(markup.folded(title, markup.table(head, rows), len(groups) <= OPENED or not k))
    return "".join(parts)


def _extremes(values: np.ndarray) -> tuple[str, str, str]:
    if not len(values) or np.all(np.isnan(values)):
        return "", "", ""
    return f"{np.nanmin(values):.4g}", f"{np.nanmax(values):.4g}", f"{values[-1]:.4g}"
