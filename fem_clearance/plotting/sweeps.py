"""The figure of a sweep: key numbers of its runs over the first parameter that varies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..io.folder import COUNTED
from . import style

if TYPE_CHECKING:
    from ..program.sweep import Sweep

#: drawn where a case has no key numbers of its own
PLAIN = ("steps", "cpu_s")
#: panels at most, lines that a legend can name
PANELS, LINES = 8, 12


@style.styled
def draw(sweep: Sweep, target: Path) -> None:
    """Write the figure: a panel a key number, a line for each combination of further parameters."""
    numbers = _numbers(sweep)
    if not numbers:
        return
    units = {k: u for row in sweep.rows.values() for k, u in row.get("units", {}).items()}
    along, *others = sweep.combinations[0]
    places, ticks = _places([c[along] for c in sweep.combinations])
    lines: dict[str, list[int]] = {}
    for k, c in enumerate(sweep.combinations):
        lines.setdefault(", ".join(f"{key}={c[key]}" for key in others), []).append(k)
    columns = 1 if len(numbers) == 1 else 2
    rows = -(-len(numbers) // columns)
    figure, axes = style.plt.subplots(
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
        below[-1].set_xlabel(style.label(along, sweep.values(0, None).parameters[along].unit))
        below[-1].tick_params(labelbottom=True)
        if ticks is not None:
            below[-1].set_xticks(range(len(ticks)), ticks)
    if 1 < len(lines) <= LINES:
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=min(3, len(lines)))
    style.save(figure, target)
    style.plt.close(figure)


def _numbers(sweep: Sweep) -> dict[str, np.ndarray]:
    """Key numbers of the runs by name, NaN for a run without one."""
    names, rows = sweep.table()
    found = {}
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        if name not in sweep.combinations[0] and any(_is_number(v) for v in column):
            found[name] = np.full(len(sweep.names), np.nan)
            for k, value in zip(sorted(sweep.rows), column, strict=True):
                if _is_number(value):
                    found[name][k] = value
    own = {name: v for name, v in found.items() if name not in COUNTED}
    chosen = own or {name: found[name] for name in PLAIN if name in found}
    return dict(list(chosen.items())[:PANELS])


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _places(texts: list[str]) -> tuple[list[float], list[str] | None]:
    """Where runs lie along the axis: at their values, or side by side if those are words."""
    try:
        return [float(t) for t in texts], None
    except ValueError:
        words = list(dict.fromkeys(texts))
        return [float(words.index(t)) for t in texts], words
