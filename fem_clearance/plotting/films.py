"""Figures of oil films: pressure and thickness on the unfolded surface and round the bearing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from matplotlib.ticker import MaxNLocator

from ..errors import InputError
from ..fields import films as film_fields
from ..io import folder
from ..io.vtk import entries, read_vtu
from . import style
from .units import prefixed, scaled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..lubrication.bearings.place import FilmState, Warm
    from ..lubrication.film.film import Film

#: drawn clearance by the radius of the bore
DRAWN = 0.35
#: colour of the load
LOAD = "#d55e00"


class Saved(Protocol):
    """Results of a run whose fields may be in a folder."""

    @property
    def folder(self) -> Path | None:
        """The folder; ``None`` of results in memory."""


class Picture(NamedTuple):
    """A film as it is drawn.

    Attributes:
        angle, z: places of the nodes: rad from -pi to pi, m.
        cells: corners in order around each cell.
        pressure, thickness: at the nodes, Pa, m.
        deformation: of the bore there, away from the journal, m.
        contact: pressure of asperities there, Pa.
        e: of the journal's centre, m, (2,).
        clearance: m.
        force: on the journal, N, (2,).
        speed: rad/s.
        radius: of the bore, m.
        temperature: at the nodes, K, of a warm film.
        bore: temperature of the bush there, K, if it conducts heat.
    """

    angle: np.ndarray
    z: np.ndarray
    cells: np.ndarray
    pressure: np.ndarray
    thickness: np.ndarray
    deformation: np.ndarray
    contact: np.ndarray
    e: np.ndarray
    clearance: float
    force: np.ndarray
    speed: float
    radius: float
    temperature: np.ndarray | None = None
    bore: np.ndarray | None = None


def vtk(film: Film, state: FilmState) -> str:
    """A VTK file of the film's surface with pressure (Pa), thickness (m), the deformation of the
    liner along the normal (m); of rough surfaces also the asperities' pressure (Pa), of a warm film
    its temperature and that of the bush (K)."""
    data = {
        "pressure": state.pressure, "film_thickness": state.thickness,
        "deformation": state.deformation,
    }  # fmt: skip
    if film.asperities:
        data["contact_pressure"] = state.contact_pressure
    if state.warm is not None:
        data["temperature"] = state.warm.temperature
        if (bore := _bore(state.warm)) is not None:
            data["bush_temperature"] = bore
    whole: dict[str, Any] = {
        "eccentricity": np.asarray(state.place.e, float), "force": state.force,
        "clearance": np.array([film.clearance]), "speed": np.array([state.place.Omega[2]], float),
    }  # fmt: skip
    return film_fields.text(film, data, whole)


def saved(run, name: str, at: float | None = None) -> tuple[float, Path]:
    """Time and file of a film that a run saved, nearest to a time (s); default: the last.

    Raises:
        InputError: none was saved.
    """
    fields = Path(run) / folder.FIELDS
    found = entries(fields / f"{name}.pvd")
    if not found:
        raise InputError(
            f"{run} holds no films of {name!r}; run it with output.fields_every, e.g. 0.01 (s)."
        )
    k = -1 if at is None else int(np.argmin([abs(t - at) for t, _ in found]))
    return found[k][0], fields / found[k][1]


def read(run: Path, name: str = "film") -> Picture:
    """The film that a run has written.

    Raises:
        InputError: none.
    """
    data = read_vtu(saved(run, name)[1])
    none = np.zeros_like(data["pressure"])
    return _picture(
        data["points"], data["connectivity"].reshape(-1, 4), pressure=data["pressure"],
        thickness=data["film_thickness"], deformation=data.get("deformation", none),
        contact=data.get("contact_pressure", none), e=data["eccentricity"].ravel()[:2],
        clearance=float(data["clearance"].item()), force=data["force"].ravel()[:2],
        speed=float(data["speed"].item()), temperature=data.get("temperature"),
        bore=data.get("bush_temperature"),
    )  # fmt: skip


def pictured(film: Film, state: FilmState) -> Picture:
    """A solved film as it is drawn."""
    return _picture(
        film.surface.nodes, film_fields.corners_round(film), pressure=state.pressure,
        thickness=state.thickness, deformation=state.deformation, contact=state.contact_pressure,
        e=np.asarray(state.place.e[:2], float), clearance=film.clearance, force=state.force[:2],
        speed=float(state.place.Omega[2]),
        temperature=state.warm.temperature if state.warm else None,
        bore=_bore(state.warm) if state.warm else None,
    )  # fmt: skip


def _bore(warm: Warm) -> np.ndarray | None:
    """Temperature of the bush at the film's nodes, K; ``None`` without one or if it is uniform."""
    return warm.bush if warm.bush is not None and len(warm.bush) > 1 else None


def _picture(x: np.ndarray, cells: np.ndarray, **more) -> Picture:
    """A film with nodes at x, m, (n, 3)."""
    radius = float(np.hypot(*x[:, :2].T).max())
    return Picture(np.arctan2(x[:, 1], x[:, 0]), x[:, 2], cells, radius=radius, **more)


def figures(results: Saved, p) -> Iterator[tuple[str, Figure]]:
    """Figures of a run of one bearing."""
    film = read(folder_of(results))
    yield "film_unfolded", unfolded(film)
    yield "film_round", round_the_bearing(film)


def folder_of(results: Saved) -> Path:
    """Folder of a run, which contains its films.

    Raises:
        InputError: the results are in memory.
    """
    if results.folder is None:
        raise InputError("films are drawn from a run's folder; give the run an output.")
    return results.folder


@style.styled
def unfolded(film: Picture) -> Figure:
    """Pressure, thickness and, of a warm film, temperature of the oil and of the bush on the
    unfolded bore, next to the place of the journal."""
    warm: list[tuple[str, np.ndarray]] = []
    if film.temperature is not None:
        warm.append(("temperature" if film.bore is None else "oil temperature", film.temperature))
    if film.bore is not None:
        warm.append(("bush temperature", film.bore))
    rows = 2 + len(warm)
    figure = style.figure(figsize=(7.8, 2.0 * rows))
    grid = figure.add_gridspec(rows, 2, width_ratios=(2.3, 1.0))
    above = figure.add_subplot(grid[0, 0])
    below = figure.add_subplot(grid[1, 0], sharex=above)
    (pressure,), unit = scaled("Pa", [film.pressure])
    _field(above, film, pressure, style.label("pressure", unit), "viridis")
    above.tick_params(labelbottom=False)
    _broken(above, film)
    (thickness,), unit = scaled("m", [film.thickness])
    _field(below, film, thickness, style.label("film thickness", unit), "cividis")
    for row, (words, values) in enumerate(warm, 2):
        below.tick_params(labelbottom=False)
        below = figure.add_subplot(grid[row, 0], sharex=above)
        _field(below, film, values, style.label(words, "K"), "inferno")
    below.set_xlabel("angle from the x axis [deg]")
    _journal(figure.add_subplot(grid[:, 1]), film)
    return figure


@style.styled
def pressure_and_journal(film: Picture, top: float) -> Figure:
    """Pressure on the unfolded bore, colours up to ``top`` (Pa), and the place of the journal."""
    figure = style.figure(figsize=(7.8, 2.4))
    grid = figure.add_gridspec(1, 2, width_ratios=(2.3, 1.0))
    ax = figure.add_subplot(grid[0])
    scale, unit = prefixed("Pa", top)
    label = style.label("pressure", unit)
    _field(ax, film, scale * film.pressure, label, "viridis", (0.0, scale * top))
    ax.set_xlabel("angle from the x axis [deg]")
    _journal(figure.add_subplot(grid[1]), film)
    return figure


def _field(ax, film: Picture, values: np.ndarray, label: str, colours: str, limits=None) -> None:
    """Values at the film's nodes on the unfolded bore, with a colour bar."""
    if limits is not None:
        values = np.clip(values, *limits)
    angle, z, triangles, drawn = _unrolled(film, values)
    (z,), unit = scaled("m", [z])
    filled = ax.tricontourf(
        np.degrees(angle), z, triangles, drawn,
        _levels(values if limits is None else np.array(limits)), cmap=colours,
    )  # fmt: skip
    ax.set(ylabel=style.label("z", unit), xlim=(-180, 180), xticks=range(-180, 181, 60))
    ax.grid(False)
    bar = ax.figure.colorbar(filled, ax=ax, label=label, pad=0.02, aspect=12)
    bar.locator = MaxNLocator(5)
    bar.update_ticks()
    _mark(ax, film)


def _broken(ax, film: Picture) -> None:
    """Draw a line where the film ends, if much of it has cavitated."""
    if np.mean(film.pressure <= 1e-6 * film.pressure.max()) > 0.2:
        angle, z, triangles, part = _unrolled(film, film.pressure / film.pressure.max())
        (z,), _ = scaled("m", [z])
        ax.tricontour(np.degrees(angle), z, triangles, part, [1e-3], colors="white", linewidths=0.8)


@style.styled
def round_the_bearing(film: Picture) -> Figure:
    """Pressure and thickness along the middle of the bearing; the line of centres is dotted."""
    middle = np.unique(np.abs(film.z))[0]
    mine = np.flatnonzero(np.isclose(np.abs(film.z), middle, atol=1e-9 * np.ptp(film.z)))
    mine = mine[film.z[mine] >= 0]
    mine = mine[np.argsort(film.angle[mine])]
    turn = np.degrees(film.angle[mine])
    # the ring closes
    mine = np.concatenate([mine[-1:], mine, mine[:1]])
    turn = np.concatenate([turn[-1:] - 360, turn, turn[:1] + 360])
    scale, unit = prefixed("Pa", film.pressure)
    figure, (above, below) = style.new(
        2, x="angle from the x axis [deg]", y=(style.label("pressure", unit), "")
    )
    above.plot(turn, scale * film.pressure[mine], color="C0", label="film")
    if np.any(film.contact):
        above.plot(turn, scale * film.contact[mine], color="C3", label="asperities")
        above.legend()
    if film.pressure.min() > -1e-6 * film.pressure.max():
        above.set_ylim(0, None)
    for ax in (above, below) if np.any(film.e) else ():
        at = np.degrees(np.arctan2(film.e[1], film.e[0]))
        ax.axvline(at, color="0.5", lw=0.9, ls=":", zorder=0)
    scale, unit = prefixed("m", film.thickness, film.deformation)
    below.plot(turn, scale * film.thickness[mine], color="C1", label="film thickness")
    if np.abs(film.deformation).max() > 1e-3 * film.clearance:
        rigid = film.thickness - film.deformation
        below.plot(turn, scale * rigid[mine], "--", color="C1", label="surfaces rigid, same place")
        label = "deformation of the bore"
        below.plot(turn, scale * film.deformation[mine], color="C2", label=label)
        below.legend(ncols=3, **style.ABOVE)
    yields = "film, deformation" if below.get_legend() else "film thickness"
    below.set(ylabel=style.label(yields, unit), ylim=(0, None), xticks=range(-180, 181, 60))
    below.set_xlim(-180, 180)
    return figure


def _levels(values: np.ndarray) -> np.ndarray:
    """Limits of the colours; pressures of cavitated regions, zero to round-off, have one colour."""
    low, high = float(values.min()), float(values.max())
    if low > -1e-9 * high:
        low = 0.0 if low < 1e-9 * high else low
    margin = 1e-9 * (high - low) or 1e-9
    return np.linspace(low - margin, high + margin, 25)


def _unrolled(film: Picture, values: np.ndarray):
    """Points of the plane picture (angle, z), its triangles, and a nodal field at the points.

    The cells across the cut at 180 degrees are drawn on both sides of it; a cell is four triangles
    about its middle, so that what is symmetric looks so.
    """
    corners = film.angle[film.cells]
    crossing = np.ptp(corners, axis=1) > np.pi
    pieces = [(film.cells, np.where(crossing[:, None] & (corners < 0), corners + 2 * np.pi,
                                    corners))]  # fmt: skip
    pieces.append((pieces[0][0][crossing], pieces[0][1][crossing] - 2 * np.pi))
    numbers = np.concatenate([cells for cells, _ in pieces])
    angle = np.concatenate([a for _, a in pieces])
    at = np.arange(numbers.size).reshape(-1, 4)
    middle = numbers.size + np.arange(len(numbers))
    triangles = np.concatenate(
        [np.column_stack([at[:, k], at[:, (k + 1) % 4], middle]) for k in range(4)]
    )
    fields = (angle, film.z[numbers], values[numbers])
    x, z, drawn = (np.concatenate([f.ravel(), f.mean(axis=1)]) for f in fields)
    return x, z, triangles, drawn


def _mark(ax, film: Picture) -> None:
    """Draw a line where the gap is smallest."""
    if np.any(film.e):
        at = np.degrees(np.arctan2(film.e[1], film.e[0]))
        ax.axvline(at, color="white", lw=1.0, ls="--")


def _journal(ax, film: Picture) -> None:
    """Draw bore and journal with an enlarged gap, load on the journal and sense of rotation."""
    circle = style.circle()
    centre = DRAWN * film.e / film.clearance
    ax.plot(*circle, color="black", lw=1.4)
    ax.fill(*(centre[:, None] + (1 - DRAWN) * circle), color="#c8d4e3", ec="#35506b", lw=1.2)
    ax.plot(0, 0, "+", color="black", ms=7)
    ax.plot(*centre, "o", color="#35506b", ms=3)
    if np.any(film.force):
        load = -0.42 * film.force / np.hypot(*film.force)
        style.arrow(ax, centre, centre + load, LOAD, 1.6)
        beside = 0.4 * load + 0.16 * np.array([load[1], -load[0]]) / 0.42
        ax.text(*(centre + beside), "load", color=LOAD, ha="center", va="center", fontsize=8)
    if film.speed:
        way = np.sign(film.speed) * np.linspace(0.6 * np.pi, 0.9 * np.pi, 30)
        arc = centre[:, None] + 0.75 * (1 - DRAWN) * np.stack([np.cos(way), np.sin(way)])
        ax.plot(*arc, color="#35506b", lw=1.0)
        style.arrow(ax, arc[:, -2], arc[:, -1], "#35506b")
    corner = np.array([-1.0, -1.3])
    for axis, name in zip(np.eye(2), "xy", strict=True):
        style.arrow(ax, corner, corner + 0.32 * axis, width=0.8)
        ax.text(*(corner + 0.42 * axis), name, ha="center", va="center", fontsize=9)
    ax.set(aspect="equal", xlim=(-1.08, 1.08), ylim=(-1.4, 1.08))
    ax.set(xticks=[], yticks=[])
    ratio = np.hypot(*film.e) / film.clearance
    ax.set_title(f"$\\varepsilon$ = {ratio:.3g}\n(gap not to scale)", fontsize=9)
    for side in ax.spines.values():
        side.set_visible(False)
