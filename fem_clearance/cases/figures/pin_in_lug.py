"""Picture of the pressure of a pin in a lug."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ...io.vtk import read_vtu
from ...plotting import films, style
from ..pin_in_lug import hertz_half_width


def figures(results, p) -> Iterator[tuple[str, Figure]]:
    """The only figure of a run of ``pin_in_lug``."""
    yield "pressure", pressure(results, p)


@style.styled
def pressure(results, p) -> Figure:
    """Pressure over the angle from the load, and Hertz's line contact under the same load.

    Args:
        results: of a run of the case ``pin_in_lug``.
        p: its parameters.

    Raises:
        InputError: a run without a folder.
    """
    data = read_vtu(films.saved(films.folder_of(results), "contact")[1])
    angle = np.degrees(np.arctan2(data["points"][:, 1], data["points"][:, 0]))
    values = data["pressure"].ravel()
    width = angle[values > 0].max()
    half = hertz_half_width(p)
    x = half * np.sin(np.linspace(0, np.pi / 2, 200))
    hertz = 2 * p["load"] / (np.pi * half) * np.sqrt(1 - (x / half) ** 2)
    figure, (ax,) = style.new(x="angle from the load [deg]", y="pressure [Pa]")
    ax.plot(angle, values, ".", ms=2, label="finite elements")
    ax.plot(np.degrees(x / p["radius"]), hertz, "-", lw=1, label="Hertz, line contact")
    ax.set_xlim(0, 1.2 * max(width, np.degrees(half / p["radius"])))
    ax.legend()
    return figure
