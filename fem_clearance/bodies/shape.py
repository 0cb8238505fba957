"""The common part of the shapes of rigid bodies: position, volume, inertia, description."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from .. import checks
from ..errors import InputError
from .polyhedra import Faces, moments

#: the axes of the body
SAME = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Shape:
    """Base of the shapes.

    Args:
        position: of the shape's origin in the body's axes, from its centre of mass, m.
        orientation: the shape's axes in the body's, by columns.

    Raises:
        InputError: a size that is not positive, a position that is not a vector, axes that are
            not orthonormal.

    Example::

        @dataclass(frozen=True)
        class Corner(shapes.Shape):
            edge: float  # m
            positive = ("edge",)

            def corners(self):
                points = self.edge * np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
                return points, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]

        Corner(0.06).volume  # 3.6e-5 m^3
    """

    position: Any = field(default=(0.0, 0.0, 0.0), kw_only=True)
    orientation: Any = field(default=SAME, kw_only=True)

    #: sizes that must be positive, if they are given
    positive: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self):
        who = type(self).__name__
        for name in self.positive:
            if getattr(self, name) is not None:
                checks.positive(f"{who}.{name}", getattr(self, name))
        place = checks.vector(f"{who}.position", self.position)
        axes = checks.array(self.orientation)
        if axes.shape != (3, 3) or not np.allclose(axes.T @ axes, np.eye(3), atol=1e-8):
            raise InputError(f"{who}.orientation must be three orthogonal unit vectors by columns.")
        self._set(position=place, orientation=axes)

    def _set(self, **values) -> None:
        """Keep arrays as tuples, so that shapes can be compared."""
        for name, value in values.items():
            rows = np.asarray(value, float).tolist()
            nested = tuple(map(tuple, rows)) if np.ndim(value) == 2 else tuple(rows)
            object.__setattr__(self, name, nested)

    @property
    def complete(self) -> bool:
        """Whether its sizes are all given; else the joints of its body determine its length."""
        return True

    def corners(self) -> tuple[np.ndarray, Faces]:
        """Corners in its own axes, m, (n, 3), and those of each face, anticlockwise from
        outside."""
        raise TypeError(f"{type(self).__name__} defines no corners")

    def surface(self) -> tuple[np.ndarray, Faces]:
        """The same in the body's axes."""
        points, faces = self.corners()
        return points @ np.array(self.orientation).T + self.position, faces

    def _moments(self) -> tuple[float, np.ndarray, np.ndarray]:
        """``moments`` in its own axes."""
        return moments(*self.corners())

    def moments(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Volume, m^3; its centre, m, (3,), and the inertia about that at unit density, m^5,
        (3, 3), in the body's axes.

        Raises:
            InputError: a shape that encloses nothing.
        """
        if not self.complete:
            raise InputError(
                f"{type(self).__name__} without a length is for pictures only: give length=, or "
                "the body mass and inertia instead of a density."
            )
        volume, centre, inertia = self._moments()
        if not volume > 0:
            raise InputError(
                f"{type(self).__name__} encloses no volume: its surface is not closed."
            )
        axes = np.array(self.orientation)
        return volume, axes @ centre + self.position, axes @ inertia @ axes.T

    @property
    def volume(self) -> float:
        """m^3."""
        return self.moments()[0]

    def inertia(self, mass: float) -> np.ndarray:
        """About its centre in the body's axes, kg m^2: principal moments, (3,), or a tensor,
        (3, 3)."""
        volume, _, inertia = self.moments()
        return mass / volume * inertia

    def portrait(self) -> dict[str, Any]:
        """The shape as in ``scene.json``: its type, sizes (m) and position."""
        sizes = {f.name: getattr(self, f.name) for f in fields(self)}
        return {"type": type(self).__name__.lower(), **sizes}


class ClosedForm(Shape):
    """A shape with an inertia in closed form; subclasses give ``volume`` and ``_principal``."""

    def _principal(self, mass: float) -> np.ndarray:
        raise TypeError(f"{type(self).__name__} defines no principal moments")

    def _moments(self):
        return self.volume, np.zeros(3), np.diag(self._principal(self.volume))

    def inertia(self, mass: float) -> np.ndarray:
        if self.orientation == SAME:
            return self._principal(mass)
        return super().inertia(mass)
