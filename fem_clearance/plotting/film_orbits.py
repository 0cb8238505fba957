"""Figures of a journal's orbit under a varying load: path, time series, animation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from . import files, films, style
from .units import scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..lubrication.bearings.orbit import Orbit
    from ..lubrication.film.film import Film


@style.styled
def path(orbit: Orbit, clearance: float) -> Figure:
    """The path of the journal's centre within the clearance circle."""
    figure, (ax,) = style.new(x="$e_x$ / clearance", y="$e_y$ / clearance", size=(3.8, 3.8))
    ax.plot(*style.circle(), color="black", lw=1.0)
    ax.plot(*(orbit.e.T / clearance), color="C0")
    ax.plot(*(orbit.e[0] / clearance), "o", color="C1", ms=4, label="start")
    reach = 1.05 * max(1.0, np.abs(orbit.e).max() / clearance)
    ax.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach))
    ax.legend(loc="upper right")
    return figure


@style.styled
def series(orbit: Orbit) -> Figure:
    """Load, smallest film and largest pressure (and displacement of the liner) over time."""
    yields = np.abs(orbit.max_deformation).max() > 0
    found = {
        "load": scaled("N", [np.hypot(*orbit.load.T)]),
        "thickness": scaled("m", [orbit.min_film, orbit.max_deformation]),
        "largest pressure": scaled("Pa", [orbit.max_pressure]),
    }
    ((load,), _), ((film, moved), _), ((pressure,), _) = found.values()
    (t,), seconds = scaled("s", [orbit.time])
    labels = [style.label(what, unit) for what, (_, unit) in found.items()]
    figure, axes = style.new(3, x=style.label("time", seconds), y=labels)
    axes[0].plot(t, load)
    axes[1].plot(t, film, label="smallest film thickness")
    if yields:
        axes[1].plot(t, moved, "--", label="largest displacement of the bore")
        axes[1].legend(ncols=2, **style.ABOVE)
    axes[1].set_ylim(0, None)
    axes[2].plot(t, pressure, color="C1")
    axes[2].set_ylim(0, None)
    axes[2].ticklabel_format(axis="y", style="plain")
    return figure


@style.styled
def animation(orbit: Orbit, film: Film, target, seconds: float = 6.0) -> Path:
    """Write an animated GIF of the films that were kept: pressure on the unfolded bore, place of
    the journal and load.

    Args:
        orbit: with films that were kept (``keep=1``).
        film: of the bearing.
        target: the GIF file.
        seconds: length of the animation.
    """
    from PIL import Image

    shots = [films.pictured(film, state) for state in orbit.films]
    top = max(float(shot.pressure.max()) for shot in shots)
    images = []
    for shot in shots:
        figure = films.pressure_and_journal(shot, top)
        figure.canvas.draw()
        pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]  # type: ignore[attr-defined]
        images.append(Image.fromarray(pixels.copy()))
    return files.save_gif(images, target, seconds, colors=256)
