"""Picture of the film of a ball in a socket."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from ...io.vtk import read_vtu
from ...plotting import films, style


def figures(results, p) -> Iterator[tuple[str, Figure]]:
    """The only figure of a run of ``spherical_bearing``."""
    yield "pressure", pressure(results, p)


@style.styled
def pressure(results, p) -> Figure:
    """Pressure at the nodes over the angle from the line of centres (the x axis), and the closed
    form of the squeeze: Tian et al. (2009), eq. (31).

    Args:
        results: of a run of the case ``spherical_bearing``.
        p: its parameters.

    Raises:
        InputError: a run without a folder.
    """
    data = read_vtu(films.saved(films.folder_of(results), "film")[1])
    cosine = data["points"][:, 0] / p["socket_radius"]
    values = data["pressure"].ravel()
    figure, (ax,) = style.new(x="angle from the line of centres [deg]", y="pressure [Pa]")
    if p["surface"] == "full":  # the constant is free: that of the closed form, 0 at a right angle
        across = np.argsort(np.abs(cosine))[:8]
        values = values - values[across].mean()
    ax.plot(np.degrees(np.arccos(cosine.clip(-1, 1))), values, ".", ms=2, label="finite elements")
    ratio, c = p["eccentricity_ratio"], p["clearance"]
    size = 3 * p["viscosity"] * p["socket_radius"] ** 2 * p["eccentricity_rate"] / c**2
    x = np.cos(np.linspace(0, np.pi if p["surface"] == "full" else np.pi / 2, 200))
    closed = size * (2 * x - ratio * x**2) / (1 - ratio * x) ** 2  # (31), without 0 / 0 at ratio 0
    ax.plot(np.degrees(np.arccos(x)), closed, "-", lw=1, label="closed form, squeeze alone")
    ax.legend()
    return figure
