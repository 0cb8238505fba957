"""Figures of derivatives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from .style import figure, styled

#: half the width of the widest band that is seen, by the range of the channel
SEEN = 0.1


@styled
def bars(names: Sequence[str], by: Sequence[str], scaled: np.ndarray) -> Figure:
    """Bars of derivatives times the sizes of the parameters, axes for each output.

    Args:
        names, by: of outputs and parameters.
        scaled: outputs x parameters, in the units of the outputs.
    """
    rows = len(names)
    drawn = figure(figsize=(5.2, 0.6 + rows * (0.7 + 0.22 * len(by))))
    for axes, name, row in zip(
        np.ravel(drawn.subplots(rows, 1, squeeze=False)), names, scaled, strict=True
    ):
        order = np.argsort(np.abs(row))
        axes.barh([by[k] for k in order], row[order], color="C0", height=0.6)
        axes.axvline(0.0, color="0.3", linewidth=0.6)
        axes.set_xlabel(f"d({name})/d(log of parameter), SI units")
        axes.grid(visible=False, axis="y")
    return drawn


@styled
def band(
    t: np.ndarray, values: np.ndarray, changes: np.ndarray, by: Sequence[str], name: str
) -> Figure:
    """A channel over time with bands by which each parameter changes it.

    The bands are drawn 1, 2, 5, 10, 20, ... times as wide as they are, so that the widest one is
    seen; the legend has this number and the largest change by each parameter.

    Args:
        t, values: of the channel, s and SI units.
        changes: change of the channel by 1 % of each parameter, instants x parameters.
        by: names of the parameters.
        name: of the channel, with its unit.
    """
    drawn = figure()
    axes = drawn.subplots()
    largest = np.abs(changes).max(axis=0, initial=0.0)
    times = _times(np.ptp(values), largest.max(initial=0.0))
    for k, j in enumerate(np.argsort(-largest)):
        wide = times * np.abs(changes[:, j])
        low, high = values - wide, values + wide
        color, label = f"C{k + 1}", f"{by[j]}: {largest[j]:.2g} at most"
        axes.fill_between(t, low, high, color=color, alpha=0.35, label=label, linewidth=0.8)
        axes.plot(t, np.array([low, high]).T, color=color, linewidth=0.6)
    axes.plot(t, values, color="C0", linewidth=0.8)
    axes.set_xlabel("time, s")
    axes.set_ylabel(name)
    axes.legend(title="changed by 1 %" + (f", drawn {times} times as wide" if times > 1 else ""))
    return drawn


def _times(extent: float, widest: float) -> int:
    """How many times as wide a band is drawn, of a channel with this range."""
    if not 0.0 < widest < SEEN * extent:
        return 1
    power = 10 ** int(np.floor(np.log10(SEEN * extent / widest)))
    return next(k * power for k in (1, 2, 5, 10) if k * power * widest >= SEEN * extent)
