"""A spur gear with its teeth as the shape of a rigid body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from ..bodies.polyhedra import Faces, prism, tube
from ..bodies.shapes import Shape
from ..errors import InputError
from ..model.frame import triad_about
from .geometry import SpurGear
from .outline import outline


@dataclass(frozen=True)
class Gear(Shape):
    """A spur gear with its teeth and, if there is one, its bore.

    Args:
        spur: the gear.
        axis: in its own axes.
        position, orientation: see ``shapes.Shape``.

    Raises:
        InputError: as of ``shapes.Shape``; no gear.

    Example::

        pinion = gears.SpurGear(25, 3e-3, np.radians(20), 30e-3, bore_radius=8e-3)
        fc.RigidBody.of(fc.MassProperties.of_shape(gears.Gear(pinion), density=7850), name="pinion")
    """

    spur: SpurGear
    axis: Any = (0.0, 0.0, 1.0)

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.spur, SpurGear):
            raise InputError(f"Gear needs a SpurGear, got {self.spur!r}.")
        self._set(axis=checks.direction("Gear.axis", self.axis))

    def corners(self) -> tuple[np.ndarray, Faces]:
        flat, half = outline(self.spur, 8)[:-1], self.spur.face_width / 2
        points, faces = prism(flat, -half, half)
        if self.spur.bore_radius:
            away = np.linalg.norm(points[:, :2], axis=1)[:, None]
            hole = points * np.hstack(
                [self.spur.bore_radius / away.repeat(2, 1), np.ones_like(away)]
            )
            n = len(flat)  # round the hole: outline below and above, bore above and below
            points = np.vstack([points, hole[n:], hole[:n]])
            faces = tube(4, n, closed=True)
        return points @ triad_about(np.array(self.axis)).T, faces

    def portrait(self):
        about = {name: getattr(self.spur, name) for name in (
            "teeth", "module", "face_width", "bore_radius", "root_radius",
        )}  # fmt: skip
        place = {"position": self.position, "orientation": self.orientation, "axis": self.axis}
        flat = outline(self.spur, 8)[:-1].tolist()
        return {"type": "gear", "outline": flat, "tip_radius": self.spur.tip, **about, **place}
