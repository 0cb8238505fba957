"""Figures of derivatives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from .style import figure, styled


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

    Args:
        t, values: of the channel, s and SI units.
        changes: change of the channel by 1 % of each parameter, instants x parameters.
        by: names of the parameters.
        name: of the channel, with its unit.
    """
    drawn = figure()
    axes = drawn.subplots()
    order = np.argsort(-np.abs(changes).max(axis=0, initial=0.0))
    for k, j in enumerate(order):
        low, high = values - np.abs(changes[:, j]), values + np.abs(changes[:, j])
        color = f"C{k + 1}"
        axes.fill_between(t, low, high, color=color, alpha=0.35, label=by[j], linewidth=0.8)
        axes.plot(t, np.array([low, high]).T, color=color, linewidth=0.6)
    axes.plot(t, values, color="C0", linewidth=0.8)
    axes.set_xlabel("time, s")
    axes.set_ylabel(name)
    axes.legend(title="changed by 1 %")
    return drawn
