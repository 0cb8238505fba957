"""The figure of a sweep: key numbers of its runs over the first parameter that varies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from . import style

#: panels at most, lines that a legend can name
PANELS, LINES = 8, 12


@style.styled
def draw(
    target: Path,
    combinations: Sequence[Mapping[str, str]],
    numbers: Mapping[str, np.ndarray],
    units: Mapping[str, str],
) -> None:
    """Write the figure: a panel a key number, a line for each combination of further parameters.

    Args:
        target: the PNG file; none is written where there are no numbers.
        combinations: what varies, by name, of each run; the first parameter runs along the figure.
        numbers: key numbers by name, one a run, NaN for a run without it; the first ``PANELS`` are
            drawn.
        units: of parameters and key numbers, where they have one.
    """
    numbers = dict(list(numbers.items())[:PANELS])
    if not numbers:
        return
    along, *others = combinations[0]
    places, ticks = _places([c[along] for c in combinations])
    lines: dict[str, list[int]] = {}
    for k, c in enumerate(combinations):
        lines.setdefault(", ".join(f"{key}={c[key]}" for key in others), []).append(k)
    columns = 1 if len(numbers) == 1 else 2
    rows = -(-len(numbers) // columns)
    figure, axes = style.subplots(
        rows, columns, sharex=True, squeeze=False, figsize=(3.6 * columns, 0.8 + 2.0 * rows)
    )
    for ax, (name, values) in zip(axes.flat, numbers.items(), strict=False):
        for label, runs in lines.items():
            order = sorted(runs, key=lambda k: places[k])
            ax.plot([places[k] for k in order], [values[k] for k in order], ".-", label=label)
        ax.set_title(style.label(name, units.get(name, "")), fontsize=9)
    for ax in axes.flat[len(numbers) :]:
        ax.remove()
    for column in range(columns):
        below = [a for a in axes[:, column] if a.figure is not None]
        below[-1].set_xlabel(style.label(along, units.get(along, "")))
        below[-1].tick_params(labelbottom=True)
        if ticks is not None:
            below[-1].set_xticks(range(len(ticks)), ticks)
    if 1 < len(lines) <= LINES:
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=min(3, len(lines)))
    style.save(figure, target)


def _places(texts: list[str]) -> tuple[list[float], list[str] | None]:
    """Where runs lie along the axis: at their values, or side by side if those are words."""
    try:
        return [float(t) for t in texts], None
    except ValueError:
        words = list(dict.fromkeys(texts))
        return [float(words.index(t)) for t in texts], words
