"""The figure of a sweep: key numbers of its runs over the first varied parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import style
from .units import scaled

#: most panels, most lines in a legend
PANELS, LINES = 8, 12
#: relative change between runs that is more than round-off
SAME = 1e-9
#: most ticks; largest ratio of gaps between neighbours that count as evenly spaced
TICKS, UNEVEN = 9, 4.0


@style.styled
def figure(
    varied: Mapping[str, np.ndarray], numbers: Mapping[str, np.ndarray], units: Mapping[str, str]
) -> Any:
    """A panel for each key number with a line for each combination of further parameters; ``None``
    without numbers.

    Args:
        varied: varied parameters by name, a value for each run; the first is on the horizontal
            axis.
        numbers: key numbers by name, a value for each run, NaN for a run without it; the first
            ``PANELS`` that are not zero in all runs are drawn.
        units: of parameters and key numbers, if they have one.
    """
    moving = {n: x for n, x in numbers.items() if np.any(np.nan_to_num(x))}
    numbers = dict(list((moving or numbers).items())[:PANELS])
    if not numbers:
        return None
    along, *others = varied
    places, ticks, labels = spread(varied[along])
    lines: dict[str, list[int]] = {}
    for k in range(len(places)):
        what = ", ".join(f"{key} = {_shown(varied[key][k], units.get(key, ''))}" for key in others)
        lines.setdefault(what, []).append(k)
    columns = 1 if len(numbers) == 1 else 2
    rows = -(-len(numbers) // columns)
    figure, axes = style.subplots(
        rows, columns, sharex=True, squeeze=False, figsize=(3.6 * columns, 0.8 + 2.0 * rows)
    )
    for ax, (name, found) in zip(axes.flat, numbers.items(), strict=False):
        (values,), unit = scaled(units.get(name, ""), [found])
        for label, runs in lines.items():
            order = sorted(runs, key=lambda k: places[k])
            ax.plot([places[k] for k in order], [values[k] for k in order], ".-", label=label)
        ax.set_title(style.label(name.replace("_", " "), unit), fontsize=9)
        low, high = np.nanmin(values), np.nanmax(values)
        if 0 < high - low < SAME * max(abs(low), abs(high)):
            ax.set_ylim(*sorted((0.9 * low, 1.1 * high)))
    for ax in axes.flat[len(numbers) :]:
        ax.remove()
    for column in range(columns):
        below = [a for a in axes[:, column] if a.figure is not None]
        below[-1].set_xlabel(style.label(along, units.get(along, "")))
        below[-1].tick_params(labelbottom=True)
        if ticks:
            turned = {"rotation": 30, "ha": "right"} if sum(map(len, labels)) > 30 else {}
            below[-1].set_xticks(ticks, labels, **turned)
            below[-1].minorticks_off()
    if 1 < len(lines) <= LINES:
        handles, names = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=min(3, len(lines)))
    return figure


def spread(values: Sequence[Any] | np.ndarray) -> tuple[list[float], list[float], list[str]]:
    """Places of the runs on the axis, its ticks and their labels.

    Numbers are placed at their values if these are about evenly spaced, at their logarithms if
    those are; words and other numbers side by side. Without ticks (many numbers) the axis has its
    own.
    """
    distinct = list(dict.fromkeys(values))
    if not all(isinstance(v, float) and np.isfinite(v) for v in values):
        at = {v: float(k) for k, v in enumerate(distinct)}
        return [at[v] for v in values], [*at.values()], [str(v) for v in distinct]
    known = sorted(distinct)
    scales = [np.array(known, float)]
    if known[0] > 0:
        scales.append(np.log10(known))
    scales.append(np.arange(len(known), dtype=float))
    chosen = next(x for x in scales if _even(x) or x is scales[-1])
    if chosen is scales[0] and len(known) > TICKS:
        return [float(v) for v in values], [], []
    at = dict(zip(known, map(float, chosen), strict=True))
    labelled = known[:: -(-len(known) // TICKS)]
    return [at[v] for v in values], [at[v] for v in labelled], [f"{v:.4g}" for v in labelled]


def _even(x: np.ndarray) -> bool:
    """Whether places are about evenly spaced."""
    gaps = np.diff(x)
    return len(gaps) == 0 or bool(gaps.max() <= UNEVEN * gaps.min())


def _shown(value: Any, unit: str) -> str:
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f"{text} {unit}".strip()
