"""Style of figures, legible in a column of a paper and with units on every axis; their files."""

from __future__ import annotations

import functools
import io
import textwrap
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .units import readable

STYLE = {
    "figure.figsize": (5.2, 3.4),
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.labelsize": 10,
    "legend.fontsize": 9,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "lines.linewidth": 1.2,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "axes.formatter.useoffset": False,
    "axes.prop_cycle": matplotlib.cycler(
        color=["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"]
    ),
}

#: a legend above its axes, where it covers no curve
ABOVE = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}

#: most points of a line
POINTS = 4000


def styled(function):
    """Decorator: call a drawing function with this style, without changing the user's own."""

    @functools.wraps(function)
    def inside(*arguments, **options):
        with matplotlib.rc_context(STYLE):
            return function(*arguments, **options)

    return inside


class FreeFigure(Figure):
    """A figure without window or backend: it is freed when it is no longer referenced, and a
    notebook shows it once, as the value of a cell."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        save(self, picture, format="png")
        return picture.getvalue()


@styled
def figure(**options) -> Figure:
    """An empty figure; ``options`` are those of matplotlib's ``Figure``."""
    return FreeFigure(**options)


@styled
def subplots(rows: int = 1, columns: int = 1, *, figsize=None, **options):
    """A figure and its axes, as matplotlib's ``subplots`` of the same name.

    Args:
        rows, columns: numbers of axes.
        figsize: of the figure, in.
        options: of ``Figure.subplots``.
    """
    drawn = FreeFigure(figsize=figsize)
    return drawn, drawn.subplots(rows, columns, **options)


def new(
    rows: int = 1, *, x: str | Sequence[str] = "", y: str | Sequence[str] = "",
    size: tuple[float, float] | None = None, **options,
):  # fmt: skip
    """A figure with axes above each other.

    Args:
        rows: number of axes.
        x: label of the common horizontal axis, or labels of separate ones.
        y: label of each vertical axis.
        size: of the figure, in.
        options: of matplotlib's ``subplots``.
    """
    width, height = STYLE["figure.figsize"]
    drawn, axes = subplots(
        rows, 1, sharex=isinstance(x, str), squeeze=False,
        figsize=size or (width, height if rows == 1 else 1.2 + 1.8 * rows), **options,
    )  # fmt: skip
    below = [*(rows - 1) * [""], x] if isinstance(x, str) else x
    beside = rows * [y] if isinstance(y, str) else y
    for ax, under, left in zip(axes[:, 0], below, beside, strict=True):
        ax.set(xlabel=under, ylabel=left)
    return drawn, axes[:, 0]


def save(figure, target, **options) -> None:
    """Write a figure: line drawings at twice the resolution, pictures of solids pixel by pixel.

    Args:
        figure: matplotlib's.
        target: the file, of any format that matplotlib writes.
        options: of matplotlib's ``savefig``.
    """
    lines = figure.dpi == STYLE["figure.dpi"]
    with matplotlib.rc_context(STYLE):  # numbered colours are resolved when it is drawn
        figure.savefig(target, dpi=STYLE["savefig.dpi"] if lines else figure.dpi, **options)


def save_as(figure, target: Path, formats: Sequence[str]) -> list[Path]:
    """Write a figure as ``target.png``, ``target.svg`` and so on; returns the files."""
    files = [target.with_name(f"{target.name}.{ending}") for ending in formats]
    for file in files:
        save(figure, file)
    return files


def circle(radius: float = 1.0) -> np.ndarray:
    """Points of a circle about the origin, (2, 361)."""
    turn = np.linspace(0, 2 * np.pi, 361)
    return radius * np.stack([np.cos(turn), np.sin(turn)])


def arrow(ax, start, end, color: str = "black", width: float = 1.0) -> None:
    """An arrow between two points of the data; ``width`` in points."""
    shape = {"arrowstyle": "-|>", "color": color, "lw": width, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops=shape)


def plain(text: str) -> str:
    """A text with escaped dollar signs, between which Matplotlib would read mathematics."""
    return text.replace("$", r"\$")


def wrapped(what: str, unit: str, width: int = 28) -> str:
    """Axis label in lines of at most ``width`` characters; the unit is not broken."""
    whole = label(what, unit.replace(" ", "\N{NO-BREAK SPACE}"))
    lines = textwrap.wrap(whole, width)
    return plain("\n".join(lines).replace("\N{NO-BREAK SPACE}", " "))


def label(what: str, unit: str) -> str:
    """Axis label: quantity and unit."""
    return f"{what} [{readable(unit)}]" if unit else what
