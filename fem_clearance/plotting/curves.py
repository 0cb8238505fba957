"""Figures of channels over time, and of one channel over another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..core.observation import Channel
from ..io import folder
from . import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: the channel that the ledger is open by
BALANCE = "energy.balance"


class Columns(Protocol):
    """Columns of numbers with units over time, or over what else the rows go by."""

    @property
    def axis(self) -> Channel:
        """What the rows go by."""

    @property
    def time(self) -> np.ndarray:
        """Its values, s if it is the time."""

    @property
    def names(self) -> list[str]:
        """Names of the columns, without that of ``axis``."""

    def unit(self, name: str) -> str:
        """Unit of a column."""

    def __getitem__(self, name: str, /) -> np.ndarray:
        """Values of a column."""


def draw(path: Path, results: Columns, own: Mapping[str, Figure] | None = None) -> list[Path]:
    """Write figures of a run into the ``figures`` of its folder; returns the files.

    See ``program.figures.draw`` for those that the run's case defines.

    Args:
        path: the folder.
        results: of the run.
        own: figures by file name, to which that of the energies is added; by default one figure a
            group of channels.

    Raises:
        InputError: the folder of figures is a link, or holds one.
    """
    target = figures_of(path)
    files = []
    for name, figure in groups(results) if own is None else _with_energies(results, own):
        files.append(target / f"{name}.png")
        style.save(figure, files[-1])
        style.plt.close(figure)
    return files


def figures_of(path: Path) -> Path:
    """The folder of a run's figures, made where there is none.

    Raises:
        InputError: it is a link, or holds one.
    """
    target = path / folder.FIGURES
    folder.refuse_links(target)
    target.mkdir(exist_ok=True)
    return target


def _with_energies(results: Columns, own: Mapping[str, Figure]) -> Iterator[tuple[str, Figure]]:
    yield from own.items()
    if BALANCE in results.names and "energies" not in own:
        yield "energies", energies(results)


def groups(results: Columns) -> Iterator[tuple[str, Figure]]:
    """A figure for each prefix of the channels' names (``joint.``, ``energy.``)."""
    prefixes: dict[str, list[str]] = {}
    for name in results.names:
        prefixes.setdefault(name.rpartition(".")[0] or name, []).append(name)
    for prefix, names in prefixes.items():
        if BALANCE in names:
            yield "energies", energies(results)
            continue
        yield prefix.replace(".", "_"), over_time(results, names)


@style.styled
def over_time(
    results: Columns, names: Sequence[str], window: tuple[float, float] | None = None
) -> Figure:
    """Channels over time; those of a unit share axes.

    Args:
        results: of a run.
        names: channels.
        window: first and last time shown, s.
    """
    units: dict[str, list[str]] = {}
    for name in names:
        units.setdefault(results.unit(name), []).append(name)
    figure, axes = style.new(len(units), x=_axis(results))
    rows = _rows(results.time, window)
    for ax, (unit, group) in zip(axes, units.items(), strict=True):
        common = _common(group)
        for name in group:
            ax.plot(
                *thinned(results.time[rows], results[name][rows]),
                label=style.plain(name.removeprefix(common + ".")),
            )
        ax.set_ylabel(style.label(style.plain(common), style.plain(unit)))
        if len(group) > 1:
            ax.legend(ncols=4, **style.ABOVE)
    return figure


def _axis(results: Columns) -> str:
    """Label of what the rows go by."""
    return style.label(results.axis.description, results.axis.unit)


@style.styled
def energies(results: Columns) -> Figure:
    """The ledger over time: energies, what was dissipated and fed; below, what it is open by."""
    names = [n for n in results.names if n.startswith("energy.")]
    if BALANCE not in names:
        return over_time(results, names)
    apart = ("energy.total", "energy.projected")  # the same as stored; part of the balance
    shown = [n for n in names if n not in (*apart, BALANCE) and np.any(results[n])]
    figure, (above, below) = style.new(2, x=_axis(results), y=("energy [J]", "balance [J]"))
    for name in shown:
        label = name.removeprefix("energy.")
        above.plot(*thinned(results.time, results[name]), label=label)
    above.legend(ncols=4, **style.ABOVE)
    below.plot(*thinned(results.time, results[BALANCE]))
    return figure


@style.styled
def line(x: np.ndarray, y: np.ndarray, x_label: str, y_label: str, **options) -> Figure:
    """A single line; ``options`` are those of matplotlib's ``plot``."""
    figure, (ax,) = style.new(x=x_label, y=y_label)
    ax.plot(*thinned(x, y), **options)
    return figure


@style.styled
def against(
    results: Columns, x: str, y: str, rows: slice = slice(None), equal: bool = False
) -> Figure:
    """One channel over another; ``equal`` for a path in space."""
    labels = [style.label(name, results.unit(name)) for name in (x, y)]
    figure, (ax,) = style.new(x=labels[0], y=labels[1])
    ax.plot(results[x][rows], results[y][rows])
    if equal:
        ax.set_aspect("equal", adjustable="datalim")
    return figure


def _rows(time: np.ndarray, window) -> slice:
    if window is None:
        return slice(None)
    return slice(
        int(np.searchsorted(time, window[0])), int(np.searchsorted(time, window[1], "right"))
    )


def _common(names: Sequence[str]) -> str:
    """What names have in common: the name itself, or the prefix."""
    if len(names) == 1:
        return names[0]
    prefixes = {n.rpartition(".")[0] for n in names}
    return prefixes.pop() if len(prefixes) == 1 else "value"


def thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most ``style.POINTS`` points of a line: of every stretch of ``x`` the first and last row
    and those of the extremes, so that jumps stay upright."""
    if len(x) <= style.POINTS:
        return x, y
    way = np.maximum.accumulate(np.abs(x - x[0]))
    ends = np.linspace(0, way[-1], style.POINTS // 4 + 1)[1:-1]
    edges = np.unique([0, *np.searchsorted(way, ends), len(x)])
    keep: list[int] = []
    for a, b in zip(edges[:-1], edges[1:], strict=True):
        keep += [a, b - 1, a + int(np.argmin(y[a:b])), a + int(np.argmax(y[a:b]))]
    rows = np.unique(keep)
    return x[rows], y[rows]
