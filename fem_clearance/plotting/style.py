"""How figures look, legible in a paper's column, units on every axis; and how they are written."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg", force=False)
import matplotlib.pyplot as plt  # noqa: E402

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
    "axes.prop_cycle": plt.cycler(
        color=["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"]
    ),
}

#: place of a legend above its axes, where it covers no curve
ABOVE = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2}

#: points a line at most; between, the extremes of each stretch are kept
POINTS = 4000


def styled(function):
    """Runs a drawing function with this style, without changing the user's own."""

    @functools.wraps(function)
    def inside(*arguments, **options):
        with plt.rc_context(STYLE):
            return function(*arguments, **options)

    return inside


def new(
    rows: int = 1, *, x: str | Sequence[str] = "", y: str | Sequence[str] = "",
    size: tuple[float, float] | None = None, **options,
):  # fmt: skip
    """A figure with axes above each other.

    Args:
        rows: how many.
        x: label of the axis that they share, or of each its own.
        y: label of each.
        size: of the figure, in.
        options: of matplotlib's ``subplots``.
    """
    width, height = STYLE["figure.figsize"]
    figure, axes = plt.subplots(
        rows, 1, sharex=isinstance(x, str), squeeze=False,
        figsize=size or (width, height if rows == 1 else 1.2 + 1.8 * rows), **options,
    )  # fmt: skip
    below = [*(rows - 1) * [""], x] if isinstance(x, str) else x
    beside = rows * [y] if isinstance(y, str) else y
    for ax, under, left in zip(axes[:, 0], below, beside, strict=True):
        ax.set(xlabel=under, ylabel=left)
    return figure, axes[:, 0]


def save(figure, target) -> None:
    """Write a picture: fine lines at twice the resolution, pictures of solids pixel by pixel."""
    plain = figure.dpi == STYLE["figure.dpi"]
    with plt.rc_context(STYLE):  # colours by number are looked up when it is drawn
        figure.savefig(target, dpi=STYLE["savefig.dpi"] if plain else figure.dpi)


def save_animation(images: Sequence, target, seconds: float, **options) -> Path:
    """Write an animated GIF that goes on for ever.

    Args:
        images: Pillow's.
        target: the file; its folder is made.
        seconds: length of the animation.
        options: of Pillow's ``Image.save``.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    pause = max(20, int(1000 * seconds / len(images)))
    images[0].save(
        target, save_all=True, append_images=images[1:], duration=pause, loop=0, **options
    )
    return target


def circle(radius: float = 1.0) -> np.ndarray:
    """Points of a circle about the origin, (2, 361)."""
    turn = np.linspace(0, 2 * np.pi, 361)
    return radius * np.stack([np.cos(turn), np.sin(turn)])


def plain(text: str) -> str:
    """A name as it is: between two dollar signs matplotlib would read mathematics."""
    return text.replace("$", r"\$")


def label(what: str, unit: str) -> str:
    """Axis label: quantity and unit."""
    return f"{what} [{unit}]" if unit else what
