"""Bores that wear under a film during a run: Archard's law at the corners of the cells.

The depth that a step of length dt wears off follows from the pressure p_a of the asperities and the
sliding velocity U at its start and end by the trapezoidal rule::

    h_n+1 = h_n + k/H (p_a,n |U_n| + p_a,n+1 |U_n+1|) / 2 dt

Cells that share a corner compute the same wear there, because distance and speed agree. Oil fills
the worn volume.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any

import basix.ufl
import numpy as np

from ...contact.facets.wear import SurfaceWear
from ...contact.wear.periods import PeriodClock, view
from ...core.mixins import LimitedValidity, UpdatesParameters
from ...core.observables import Observable, internal
from ...errors import InputError, StepFailed
from .asperities import contacts
from .film import Film
from .kind import FilmKind
from .liner import Lined
from .sliding import speeds
from .surface import AREA

#: largest depth that a step may wear off, relative to the roughness
MOST = 0.05
#: corners of a cell
CORNERS = 4
#: parameters of a cell that are channels
SHOWN: dict[str, tuple[tuple[str, str], dict[str, Any]]] = {
    "worn_volume": (("m^3", "worn volume, without the factor by which wear is repeated"), {}),
    "worn_depth": (("m", "largest worn depth"), {"largest": True}),
    "min_film": (("m", "smallest distance between the surfaces at the nodes"), {"least": True}),
}


@dataclass(frozen=True)
class WearingFilmKind(UpdatesParameters, LimitedValidity, FilmKind):
    """A film on a bore that wears; the worn depth is a bilinear field."""

    before_start = True

    @property
    def parameters(self):  # type: ignore[override]
        return super().parameters | {"worn": (CORNERS,)} | dict.fromkeys([*SHOWN, "size"], ())

    @property
    def history(self):  # type: ignore[override]
        numbers = ("rate", "live", "clock", "begun", "period", "settle", "repeat", "ramp", "liner",
                   "renewing")  # fmt: skip
        at_corners = dict.fromkeys(("area", "goal", "collected", "wearing"), (CORNERS,))
        return dict.fromkeys(numbers, ()) | at_corners | {"corner": (CORNERS, 3)}

    def distributed(self, cell):
        return super().distributed(cell) | {"worn": basix.ufl.element("Lagrange", cell, 1)}

    def distance(self, c, state=None):
        return super().distance(c, state) + c.distributed["worn"]

    def observables(self, c):
        *_, e, t, W = self._parts(c, c.q)

        def of_cell(x):
            return {AREA: x / c.par("size")}

        port = {"e": e, "t": t, "W": W}
        seen = {f"{n}{k}": x[k] for n, x in port.items() for k in range(len(x))} | {"time": c.t}
        place = internal({name: of_cell(x) for name, x in seen.items()})
        shown = {
            name: Observable(of_cell(c.par(name)), *text, **options)
            for name, (text, options) in SHOWN.items()
        }
        return super().observables(c) | place | shown

    # --- after a step ---------------------------------------------------------------------------
    def _at_corners(self, z: SimpleNamespace, seen: dict[str, np.ndarray]):
        """At the corners, (cells, 4): distance between the surfaces, m, and pressure of the
        asperities times sliding speed, W/m^2."""

        def vector(name, numbers):
            return [seen[f"{name}{k}"][:, None] for k in numbers]

        x = np.moveaxis(z.corner, -1, 0)
        h = z.clearance[:, None] - self.shape.closing(x, vector("e", range(3)), vector("t", (0, 1)))
        h = h + z.worn + (z.reference[:, :CORNERS] if self.recessed else 0.0)
        numbers = {n: getattr(z, f"asperities.{n}")[:, None] for n in ("roughness", "stiffness")}
        pressure = numbers["stiffness"] * contacts(h / numbers["roughness"], 2.5, np)
        V, Omega = (np.stack(vector("W", range(k, k + 3)), axis=-1) for k in (0, 3))
        return h, pressure * speeds(self.shape, z.corner, V, Omega)

    def _lost(self, z: SimpleNamespace, seen, wearing: np.ndarray) -> np.ndarray:
        """Depth worn off in a step, m, (cells, 4)."""
        dt = np.maximum(seen["time"] - z.clock, 0.0)
        return (z.rate * dt)[:, None] * (z.wearing + wearing) / 2

    def exceeds_validity(self, parameters, observed):
        z = view(self, parameters)
        lost = z.live[:, None] * self._lost(z, observed, self._at_corners(z, observed)[1])
        return bool(np.any(lost > MOST * getattr(z, "asperities.roughness")[:, None]))

    def update(self, parameters, observed):
        z = view(self, parameters)
        h, wearing = self._at_corners(z, observed)
        lost = self._lost(z, observed, wearing)
        clock = PeriodClock(z, z.worn, observed["time"])
        before = z.worn.copy()
        z.wearing[:] = wearing
        z.worn_volume += (lost * z.area).sum(axis=1)
        z.worn += z.live[:, None] * lost
        clock.collect(lost)
        clock.grow()
        clock.begin(z.collected[clock.ends])
        z.worn_depth[:] = z.worn.max(axis=1)
        z.min_film[:] = (h + z.worn - before).min(axis=1)
        for name in SHOWN:  # channels show the numbers of this step, not of the one before
            observed[name][:] = getattr(z, name)
        through = np.maximum(z.worn, z.goal).max(axis=1) - z.liner
        if np.any(through[z.liner > 0] > 0):
            raise StepFailed(
                f"the bore has worn {np.max(z.worn_depth):.3g} m deep, through its liner of "
                f"{z.liner.max():.3g} m; end the run earlier or give a thicker liner."
            )


@dataclass(frozen=True)
class WearingFilm(Film):
    """A film whose bore wears during a run.

    Args:
        wear: wear law and periods.
    """

    wear: SurfaceWear | None = None

    @classmethod
    def of(cls, who: str, film, wear: SurfaceWear) -> WearingFilm:
        """A film with wear.

        Raises:
            InputError: ``wear`` is not a ``SurfaceWear``, or the film has no asperities.
        """
        if not isinstance(wear, SurfaceWear):
            raise InputError(f"{who}: wear must be SurfaceWear(Archard(...), ...), got {wear!r}.")
        if not isinstance(film, Film) or film.asperities is None:
            raise InputError(
                f"{who}: only the pressure of asperities wears a bore under a film; give the film "
                "asperities=Asperities(...)."
            )
        return cls(**{f.name: getattr(film, f.name) for f in fields(Film)}, wear=wear)

    @property
    def isothermal(self) -> Film:
        """The same film without wear."""
        return Film(**{f.name: getattr(self, f.name) for f in fields(Film)})

    def kind(self, elastic: Sequence[Lined] = ()) -> WearingFilmKind:
        plain = super().kind(elastic)
        return WearingFilmKind(**{f.name: getattr(plain, f.name) for f in fields(FilmKind)})

    def _parameters(self, kind, thinnest, values, fixed) -> np.ndarray:
        assert self.wear is not None
        plain, surface = super().kind(), self.surface
        first = super()._parameters(plain, thinnest, values, fixed)
        own = np.zeros((len(first), kind.width - plain.width))  # the kind's own come last
        rows, area = np.hstack([first, own]), surface.shares()
        numbers: dict[str, Any] = {
            **{n: x for n, x in self.wear.numbers().items() if n in kind.cell_layout},
            "area": area, "size": area.sum(axis=1, keepdims=True),
            "corner": surface.points[surface.cells[:, :CORNERS]].reshape(len(area), -1),
        }  # fmt: skip
        for name, x in numbers.items():
            rows[:, kind.columns(name)] = x
        return rows
