"""Figures of a slider in a guide with clearance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ...contact.translational import MODES, SIDES, contact_mode
from ...plotting import solids, style
from ...plotting.curves import thinned
from ...plotting.offscreen import opengl_works
from ...plotting.units import scaled
from ...runs.results import Results

CORNERS = tuple(f"{side}_{end}" for side in SIDES for end in ("rear", "front"))


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """Phase portraits, tilt and gaps of the corners, forces, modes of contact, and von Mises
    stress in a flexible slider, of a run of ``slider_crank_translational``."""
    yield "phase_portrait", portrait(results, p["clearance"])
    yield "tilt_and_gaps", gaps(results)
    yield "contact_forces", forces(results)
    yield "contact_modes", modes(results)
    if results.folder and "slider" in solids.names(results.folder) and opengl_works():
        yield "slider_von_mises", stress(results)


@style.styled
def portrait(results: Results, clearance: float) -> Figure:
    """Phase portraits of the slider's displacement across the guide and of its tilt."""
    figure, (left, right) = style.subplots(1, 2, figsize=(6.4, 3.0))
    (y, limit), long = scaled("m", [results["slider.y"], np.array([-clearance, clearance])])
    (speed,), fast = scaled("m/s", [results["slider.vy"]])
    left.plot(y, speed, lw=0.6)
    for side, label in zip(limit, ("clearance", None), strict=True):
        left.axvline(side, color="k", ls=":", lw=0.8, label=label)
    left.legend(**style.ABOVE)
    left.set(xlabel=style.label("slider y", long), ylabel=style.label("slider speed across", fast))
    tilt, rate = _rates(results.time, results["slider.angle"])
    (tilt,), wide = scaled("rad", [tilt])
    (rate,), fast = scaled("rad/s", [rate])
    right.plot(tilt, rate, lw=0.6)
    right.set(xlabel=style.label("tilt", wide), ylabel=style.label("rate of tilt", fast))
    return figure


def _rates(time: np.ndarray, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles and rates in the middle of each step; the size of the steps varies greatly."""
    return (angle[1:] + angle[:-1]) / 2, np.diff(angle) / np.diff(time)


@style.styled
def gaps(results: Results) -> Figure:
    """Tilt and the gaps of the four corners over time."""
    (time,), seconds = scaled("s", [results.time])
    (tilt,), wide = scaled("rad", [results["slider.angle"]])
    open_by, long = scaled("m", [results[f"guide.{corner}.gap"] for corner in CORNERS])
    labels = style.label("tilt", wide), style.label("gap", long)
    figure, (above, below) = style.new(2, x=style.label("time", seconds), y=labels)
    above.plot(*thinned(time, tilt))
    for k, (corner, gap) in enumerate(zip(CORNERS, open_by, strict=True)):
        below.plot(*thinned(time, gap), color=f"C{k // 2}", ls="-" if k % 2 else "--",
                   label=corner.replace("_", " "))  # fmt: skip
    below.axhline(0, color="k", lw=0.6)
    below.legend(ncols=4, columnspacing=0.8, handlelength=1.2, **style.ABOVE)
    return figure


@style.styled
def forces(results: Results) -> Figure:
    """Forces on both surfaces over time, on the same scale."""
    (time,), seconds = scaled("s", [results.time])
    pressed, unit = scaled("N", [results[f"contact.{side}"] for side in SIDES])
    labels = [style.label(f"force on {side}\nsurface", unit) for side in SIDES]
    figure, axes = style.new(2, x=style.label("time", seconds), y=labels, sharey=True)
    for ax, force in zip(axes, pressed, strict=True):
        ax.plot(*thinned(time, force), lw=0.7, clip_on=False)
        if not force.any():
            ax.text(0.5, 0.5, "no contact", ha="center", color="0.4", transform=ax.transAxes)
    axes[0].set_ylim(0, 1.05 * max(map(np.max, pressed)) or 1.0)
    return figure


def mode_of(results: Results) -> np.ndarray:
    """Index into ``MODES`` of each row. A bulging elastic face may press without its corners."""
    mode = contact_mode({c: results[f"guide.{c}.penetration"] > 0 for c in CORNERS})
    for name in (f"surface_{side}.normal_force" for side in SIDES):
        if name in results:
            mode[(mode == 0) & (results[name] > 0)] = MODES.index("face on a side")
    return mode


@style.styled
def modes(results: Results) -> Figure:
    """Mode of contact over the crank's angle, a line for each turn."""
    mode = mode_of(results)
    turn = results["crank.angle"] / (2 * np.pi)
    rows = max(1, int(np.ceil(turn.max())))
    shown = 360 * turn.max() if 0 < turn.max() < 0.5 else 360
    figure, (ax,) = style.new(x="crank angle [deg]", y="turn", size=(5.2, 1.6 + 0.5 * rows))
    colors = ["#e8e8e8", *(f"C{k}" for k in range(len(MODES) - 1))]
    for k, name in enumerate(MODES):
        ax.bar(0, 0, color=colors[k], label=name)
    first, last = turn[:-1], turn[1:]
    for row in range(rows):
        here = (last > row) & (first < row + 1)
        change = np.flatnonzero(np.diff(mode[:-1][here])) + 1
        begin, end, what = first[here], last[here], mode[:-1][here]
        pieces = np.concatenate([[0], change]), np.concatenate([change, [here.sum()]])
        for a, b in zip(*pieces, strict=True):
            left, right = max(begin[a] - row, 0), min(end[b - 1] - row, 1)
            # a contact over a hundredth of a degree would be too thin to be visible
            width = max(360 * (right - left), shown / 600 if what[a] else 0)
            ax.barh(row + 1, width, left=360 * left, height=0.8, color=colors[what[a]],
                    zorder=2 + int(what[a]))  # fmt: skip
    if shown == 360:
        ax.set_xticks(range(0, 361, 60))
    ax.set(xlim=(0, shown), ylim=(0.5, rows + 0.5), yticks=range(1, rows + 1))
    ax.grid(False)
    ax.legend(ncols=3, **style.ABOVE)
    return figure


def stress(results: Results) -> Figure:
    """Von Mises stress in the deformed slider, without its rigid motion: at the first saved instant
    after the first contact, at the largest stress, and at the end."""
    run = results.folder
    assert run is not None
    times = np.array([t for t, _ in solids.series(run, "slider")])
    first = results.summary.get("first_contact_time")
    after = times[times >= (times[-1] if first is None else first)][:1]
    chosen = sorted({*after, solids.largest(run, "slider")[0], times[-1]})
    return solids.drawn(run, "slider", solids.still(run, "slider"), chosen).figure
