"""Figures of channels over time, and of one channel over another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..core.observation import Channel
from ..errors import InputError
from ..io import folder
from . import style
from .quantities import common, entire, quantities, short, unwrapped, words
from .units import largest, scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: the channel of the energy balance
BALANCE = "energy.balance"
#: initial potential energy by the largest change of energies, above which changes are drawn
HIDING = 3.0
#: most panels in one column
TALL = 4
#: size below which a channel is round-off, relative to the largest component of its quantity, and
#: relative to the largest channel of its unit
NOUGHT, NOTHING = 1e-12, 1e-16


class Columns(Protocol):
    """Columns of numbers with units over time or another independent variable."""

    @property
    def axis(self) -> Channel:
        """The independent variable."""

    @property
    def time(self) -> np.ndarray:
        """Its values, s if it is the time."""

    @property
    def names(self) -> list[str]:
        """Names of the columns, without that of ``axis``."""

    def unit(self, name: str) -> str:
        """Unit of a column."""

    def description(self, name: str) -> str:
        """Description of a column."""

    def __getitem__(self, name: str, /) -> np.ndarray:
        """Values of a column."""


def draw(
    path: Path, results: Columns, own: Mapping[str, Figure] | None = None,
    formats: Sequence[str] = ("png",),
) -> list[Path]:  # fmt: skip
    """Write figures of a run into the ``figures`` of its folder; returns the files.

    See ``program.figures.draw`` for those that the run's case defines.

    Args:
        path: the folder.
        results: of the run.
        own: figures by file name, to which those of the energies are added; by default one figure
            for each group of channels.
        formats: extensions of the files: ``png``, ``svg``, ``pdf``.

    Raises:
        InputError: the folder of figures is or contains a symbolic link.
    """
    target = figures_of(path)
    files = []
    for name, figure in groups(results) if own is None else _with_energies(results, own):
        files += style.save_as(figure, target / name, formats)
    return files


def figures_of(path: Path) -> Path:
    """The folder of a run's figures, which is created if necessary.

    Raises:
        InputError: it is or contains a symbolic link.
    """
    target = path / folder.FIGURES
    folder.refuse_links(target)
    target.mkdir(exist_ok=True)
    return target


def _with_energies(results: Columns, own: Mapping[str, Figure]) -> Iterator[tuple[str, Figure]]:
    yield from own.items()
    if BALANCE in results.names:
        yield from ((name, figure) for name, figure in _energies(results) if name not in own)


def groups(
    results: Columns, window: tuple[float, float] | None = None
) -> Iterator[tuple[str, Figure]]:
    """A figure for each prefix of the channels' names (``joint.``, ``energy.``).

    Channels that are zero in every row, up to round-off, are omitted.
    """
    prefixes: dict[str, list[str]] = {}
    most: dict[str, float] = {}
    for name in results.names:
        prefixes.setdefault(name.rpartition(".")[0] or name, []).append(name)
        unit = results.unit(name)
        most[unit] = max(largest(results[name]), most.get(unit, 0.0))
    for prefix, names in prefixes.items():
        if BALANCE in names:
            yield from _energies(results, window)
        elif shown := _moving(results, names, most):
            yield prefix.replace(".", "_"), over_time(results, shown, window)


def _moving(results: Columns, names: Sequence[str], most: Mapping[str, float]) -> list[str]:
    """Channels that exceed the round-off of others; ``most``: the largest value of each unit."""
    kept: list[str] = []
    for (_, unit), group in quantities(results, names).items():
        sizes = {n: largest(results[n]) for n in group}
        least = max(NOUGHT * max(sizes.values()), NOTHING * most[unit])
        kept += [n for n in group if sizes[n] > least]
    return [n for n in names if n in kept]


@style.styled
def over_time(
    results: Columns,
    names: Sequence[str],
    window: tuple[float, float] | None = None,
    x: str | None = None,
    ax=None,
    what: str | None = None,
) -> Figure:
    """Channels over time, or over another channel; those of one quantity share axes.

    Args:
        results: of a run.
        names: channels.
        window: first and last time shown, s.
        x: channel on the horizontal axis; by default the time.
        ax: Matplotlib axes to draw into; by default those of a new figure.
        what: the quantity in words, instead of the channels' own descriptions.

    Raises:
        InputError: an unknown channel; channels of several quantities for one ``ax``.
    """
    panels = list(quantities(results, names).values())
    if not panels:
        raise InputError("name the channels to plot: plot('tip.x', 'tip.y').")
    if ax is not None and len({results.unit(n) for n in names}) > 1:
        raise InputError(
            f"{', '.join(names)} have several units: give one unit an ax, or leave ax out."
        )
    rows = _rows(results.time, window)
    places, x_label = _along(results, rows, x)
    if ax is not None:
        _panel(ax, results, [n for group in panels for n in group], rows, places, what)
        ax.set_xlabel(x_label)
        return ax.figure
    wide = 1 if len(panels) <= TALL else 2
    high = -(-len(panels) // wide)
    width, height = style.STYLE["figure.figsize"]
    figure, axes = style.subplots(
        high, wide, sharex=True, squeeze=False,
        figsize=(width * (1 if wide == 1 else 1.7), height if high == 1 else 1.2 + 1.8 * high),
    )  # fmt: skip
    for k, panel in enumerate(axes.flat):
        if k >= len(panels):
            panel.remove()
            continue
        _panel(panel, results, panels[k], rows, places, what, 28 if len(panels) == 1 else 20)
        if k + wide >= len(panels):
            panel.set_xlabel(x_label)
            panel.tick_params(labelbottom=True)
    owner = common({n.rpartition(".")[0] for n in names})
    if owner:
        figure.suptitle(style.plain(owner), fontsize=10)
    return figure


def _panel(
    ax, results: Columns, names: Sequence[str], rows: slice, places: np.ndarray, what: str | None,
    width: int = 28,
) -> None:  # fmt: skip
    """Draw one quantity: lines in a suitable unit, and the quantity in words, in lines of at most
    ``width`` characters."""
    lines, unit = scaled(
        results.unit(names[0]), [unwrapped(results[n][rows], results.unit(n)) for n in names]
    )
    one_owner = common({n.rpartition(".")[0] for n in names})
    for name, line in zip(names, lines, strict=True):
        ax.plot(*thinned(places, line), label=style.plain(short(results, name, bool(one_owner))))
    ax.set_ylabel(style.wrapped(what or words(results, names), unit, width))
    if len(names) > 1:
        ax.legend(ncols=4, **style.ABOVE)


def _along(results: Columns, rows: slice, x: str | None) -> tuple[np.ndarray, str]:
    """Places along the axis, and its label."""
    if x is None or x == results.axis.name:
        (values,), unit = scaled(results.axis.unit, [results.time[rows]])
        return values, style.label(results.axis.description, unit)
    (values,), unit = scaled(results.unit(x), [unwrapped(results[x][rows], results.unit(x))])
    owner = x.rpartition(".")[0]
    what = f"{owner}: {entire(results, x)}" if owner else entire(results, x)
    return values, style.wrapped(what, unit, 44)


@style.styled
def energies(results: Columns, window: tuple[float, float] | None = None) -> Figure:
    """Energies over time, with the energy dissipated and fed; see ``balance``."""
    # the same as stored, and parts of the balance
    apart = ("energy.total", "energy.projected", BALANCE)
    names = [n for n in results.names if n.startswith("energy.") and n not in apart]
    names = [n for n in names if largest(results[n])] or names
    rows = _rows(results.time, window)
    time, label = _along(results, rows, None)
    values = {n.removeprefix("energy."): results[n][rows] for n in names}
    what, values = _from_start(values)
    lines, unit = scaled("J", values.values())
    figure, (ax,) = style.new(x=label, y=style.label(what, unit))
    for name, line in zip(values, lines, strict=True):
        ax.plot(*thinned(time, line), label=name)
    ax.legend(ncols=4, **style.ABOVE)
    return figure


def _from_start(values: dict[str, np.ndarray]) -> tuple[str, dict[str, np.ndarray]]:
    """Label of the axis and energies, with the potential energy relative to its initial value if
    the choice of its zero would hide all changes."""
    start = float(values["potential"][0]) if "potential" in values else 0.0
    moved = {n: v - start if n in ("potential", "stored") else v for n, v in values.items()}
    if abs(start) > HIDING * max((largest(v) for v in moved.values()), default=0.0):
        return "energy, potential\nfrom its start", moved
    return "energy", values


@style.styled
def balance(results: Columns, window: tuple[float, float] | None = None) -> Figure:
    """The error of the energy balance over time."""
    rows = _rows(results.time, window)
    time, label = _along(results, rows, None)
    (open_by,), unit = scaled("J", [results[BALANCE][rows]])
    what = "stored + dissipated - fed\n- its start"
    figure, (ax,) = style.new(x=label, y=style.label(what, unit))
    ax.plot(*thinned(time, open_by))
    return figure


def _energies(results: Columns, window=None) -> Iterator[tuple[str, Figure]]:
    yield "energies", energies(results, window)
    if largest(results[BALANCE]):
        yield "energy_balance", balance(results, window)


@style.styled
def line(x: np.ndarray, y: np.ndarray, x_label: str, y_label: str, **options) -> Figure:
    """A single line; ``options`` are those of matplotlib's ``plot``."""
    figure, (ax,) = style.new(x=x_label, y=y_label)
    ax.plot(*thinned(x, y), **options)
    return figure


@style.styled
def against(
    results: Columns, x: str, y: str, rows: slice = slice(None), equal: bool = False,
    what: Sequence[str] | None = None,
) -> Figure:  # fmt: skip
    """One channel over another; ``equal``: equal scales, for a path; ``what``: labels of both."""
    if equal:  # one unit for both, that of the larger
        lines, unit = scaled(results.unit(x), [results[n][rows] for n in (x, y)])
        units = [unit, unit]
    else:
        pairs = [scaled(results.unit(n), [results[n][rows]]) for n in (x, y)]
        lines, units = [line for (line,), _ in pairs], [unit for _, unit in pairs]
    shown = what or [entire(results, n) for n in (x, y)]
    labels = [style.label(w, u) for w, u in zip(shown, units, strict=True)]
    figure, (ax,) = style.new(x=labels[0], y=labels[1])
    ax.plot(*lines)
    if equal:
        ax.set_aspect("equal", adjustable="datalim")
    return figure


def _rows(time: np.ndarray, window: tuple[float, float] | None) -> slice:
    """Rows of a window in time.

    Raises:
        InputError: there are none.
    """
    if window is None:
        return slice(None)
    first, end = np.searchsorted(time, window[0]), np.searchsorted(time, window[1], "right")
    if first >= end:
        span = f"from {time[0]:g} to {time[-1]:g}" if len(time) else "without rows"
        raise InputError(
            f"there is nothing between {window[0]:g} and {window[1]:g}: the results are {span}."
        )
    return slice(int(first), int(end))


def thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most ``style.POINTS`` points of a line: in each section of ``x`` the first and last row
    and those of the extremes, so that jumps remain vertical."""
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
