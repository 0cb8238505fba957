"""Shapes of the bodies over time as VTK files, for ParaView and PyVista.

``fields/shape_000012.vtu`` contains the surfaces of all bodies at one instant, with velocity (m/s)
and von Mises stress (Pa, of beams) at the corners, the number of the body in each face, and the
names of the bodies; ``fields/fields.pvd`` lists files and times. Solids and oil films have files of
their own (solids.py, films.py), and so have poses (motion.py).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..bodies.solids.solid import Solid
from ..io.ranks import on_root
from ..io.vtk import Collection, vtu
from ..lubrication.film.facet_film import GuideFilm
from .facet_films import FacetFilmFields
from .films import FilmFields, film_fields
from .motion import MotionRecorder
from .solids import SolidFields
from .surfaces import Surface, joined, surfaces

SERIES = "fields"
COLLECTION = f"{SERIES}.pvd"
#: VTK's number of polygons
POLYGON = 7


class FieldWriter:
    """Writes the bodies' shapes at intervals during a run.

    Args:
        system: the assembled system.
        folder: of the files; ``None``: only poses are recorded.
        every: steps (int) or seconds of simulated time (float) between two files.
        after: time of the checkpoint from which a run is resumed: later files are dropped.
        motion: records the poses at the same instants.
    """

    def __init__(
        self, system, folder: Path | None, every: int | float, after: float | None = None,
        motion: MotionRecorder | None = None,
    ):  # fmt: skip
        self.state, self.every, self.motion = system.state, every, motion
        self.gravity, self.comm, self.last = system.gravity, system.comm, after
        self.surfaces: list[Surface] = []
        self.solids: list[SolidFields] = []
        self.films: list[FilmFields | FacetFilmFields] = []
        if folder is not None:
            self.surfaces = surfaces(system)
            self.collection = Collection(folder, SERIES, after, self.comm, item="shape")
            self.solids = [
                SolidFields(item, system, folder, after)
                for item in system.items
                if isinstance(item, Solid)
            ]
            self.films = [
                *film_fields(system, folder, after),
                *(FacetFilmFields(item, system, folder, after) for item in system.items
                  if isinstance(item, GuideFilm)),
            ]  # fmt: skip
        self._next(after)

    def _next(self, t: float | None):
        self.next = 0.0 if t is None else (np.floor(t / self.every + 1e-9) + 1) * self.every

    def due(self, t: float, step: int) -> bool:
        """Whether a file is due at this accepted step (the same on all ranks)."""
        if isinstance(self.every, int):
            return step % self.every == 0 and t != self.last
        return t >= self.ahead(step)[1]

    def ahead(self, step: int) -> tuple[float, float]:
        """Number of steps until the next file is due, and the time of it, s; one of them is
        infinite."""
        if isinstance(self.every, int):
            return self.every - step % self.every, np.inf
        return np.inf, self.next - 1e-12 * self.every

    def record(self, t: float) -> None:
        """Gather the state and write it on rank 0; collective."""
        if t == self.last:
            return
        self.last = t
        self._next(t)
        values, rates = (self.state.everything(z) for z in (self.state.q, self.state.v))
        if self.motion is not None:
            self.motion.record(t, values)
        if self.surfaces:
            on_root(self.comm, self._write, t, values, rates)
        for solid in self.solids:
            solid.write(t, values, rates)
        for film in self.films:
            film.write(t, values)

    def _write(self, t, values, rates):
        moment = 1e-7
        points = [s.points(values) for s in self.surfaces]
        later = [s.points(values + moment * rates) for s in self.surfaces]
        faces, owner = joined(self.surfaces, points)
        x = np.concatenate(points)
        # a difference, good for seven digits
        velocity = ((np.concatenate(later) - x) / moment).astype(np.float32)
        whole = {
            "TimeValue": np.array([float(t)]),
            "gravity": self.gravity,
            "names": [str(s.name) for s in self.surfaces],
        }
        data = {"velocity": velocity} | self._stress(values, points)
        self.collection.add(t, vtu(x, faces, POLYGON, data, {"body": owner}, whole))

    def _stress(self, values, points) -> dict[str, np.ndarray]:
        """Von Mises stress on the beams, zero elsewhere; empty in a system without beams."""
        if not any(s.von_mises for s in self.surfaces):
            return {}
        parts = [
            s.von_mises(values) if s.von_mises else np.zeros(len(x))
            for s, x in zip(self.surfaces, points, strict=True)
        ]
        return {"von_mises": np.concatenate(parts)}
