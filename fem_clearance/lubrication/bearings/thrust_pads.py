"""Pads of thrust bearings: tapered, stepped, or on a pivot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ... import checks
from ...meshes.mesh import Mesh
from ...meshes.structured import structured
from ..film.sector import sector


@dataclass(frozen=True)
class ThrustPad:
    """A flat pad, a sector of a ring; base of the other pads.

    Such a pad carries a load only if it is tilted.

    Args:
        inner, outer: radii, m.
        arc: angle of the sector, rad.

    Raises:
        InputError: radii or an arc out of range.

    Example::

        lubrication.ThrustPad(inner=30e-3, outer=50e-3, arc=np.radians(40))
    """

    inner: float
    outer: float
    arc: float

    def __post_init__(self):
        sector(self.inner, self.outer, self.arc, (1, 1))

    @property
    def lines(self) -> tuple[float, ...]:
        """Angles at which the mesh has lines of nodes, rad from the leading edge."""
        return ()

    @property
    def pivot(self) -> np.ndarray | None:
        """Position of the pivot, m, (2,); ``None`` for a fixed pad."""
        return None

    def depth(self, angle):
        """Depth of the surface below its highest part, m, at angles from the leading edge (an
        array, rad)."""
        return 0 * angle


class TwoPartPad(ThrustPad):
    """A fixed pad that is deeper from its leading edge to a line across it; base of dataclasses.

    Attributes:
        part: fraction of the arc that is deeper.
    """

    part: float

    def __post_init__(self):
        super().__post_init__()
        name = f"{type(self).__name__}: part"
        checks.positive(name, self.part)
        checks.within(name, self.part, 0.0, 1.0)

    @property
    def lines(self):
        return (self.part * self.arc,)


@dataclass(frozen=True)
class TaperedPad(TwoPartPad):
    """A pad whose surface rises from its leading edge to a flat part.

    Args:
        inner, outer, arc: see ``ThrustPad``.
        depth_at_start: depth of the leading edge below the flat part, m.
        part: fraction of the arc that is tapered, up to 1.

    Raises:
        InputError: numbers out of range.
    """

    depth_at_start: float
    part: float = 0.8

    def __post_init__(self):
        super().__post_init__()
        checks.positive("TaperedPad: depth_at_start", self.depth_at_start)

    def depth(self, angle):
        return self.depth_at_start * np.maximum(0.0, 1 - angle / (self.part * self.arc))


@dataclass(frozen=True)
class SteppedPad(TwoPartPad):
    """A pad with a step (Rayleigh 1918), which is deeper between its leading edge and the step.

    Args:
        inner, outer, arc: see ``ThrustPad``.
        step: depth of the step, m.
        part: fraction of the arc that is deeper; without side flow 0.718 carries most.

    Raises:
        InputError: numbers out of range.

    Example::

        lubrication.SteppedPad(inner=30e-3, outer=50e-3, arc=np.radians(40), step=30e-6)
    """

    step: float
    part: float = 0.718

    def __post_init__(self):
        super().__post_init__()
        checks.positive("SteppedPad: step", self.step)

    def depth(self, angle):
        return self.step * (angle < self.part * self.arc)


@dataclass(frozen=True)
class PivotedPad(ThrustPad):
    """A flat pad that tilts freely about a point.

    Args:
        inner, outer, arc: see ``ThrustPad``.
        offset: fraction of the arc, from the leading edge, at which the pivot lies; a pad carries
            a load if it is above 0.5.
        pivot_radius: radius at which the pivot lies, m; default: the mean of both radii.
        mass: of the pad, kg; only used in a ``ThrustFilm``, where the pad is a body whose centre
            of mass lies at its pivot.
        inertia: moment of inertia about every axis through the pivot, kg m^2; only used in a
            ``ThrustFilm``.

    Raises:
        InputError: a pivot outside the pad, or a negative mass or inertia.
    """

    offset: float = 0.6
    pivot_radius: float | None = None
    mass: float = 0.0
    inertia: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        checks.within("PivotedPad: offset", self.offset, 0.0, 1.0)
        if self.pivot_radius is not None:
            checks.within("PivotedPad: pivot_radius", self.pivot_radius, self.inner, self.outer)
        checks.non_negative("PivotedPad: mass", self.mass)
        checks.non_negative("PivotedPad: inertia", self.inertia)

    @property
    def pivot(self):
        radius = self.pivot_radius or (self.inner + self.outer) / 2
        angle = self.offset * self.arc
        return radius * np.array([np.cos(angle), np.sin(angle)])


def thrust_pad_mesh(
    pad: ThrustPad, thickness: float, cells: Sequence[int], *, degree: int = 2
) -> Mesh:
    """Mesh of a thrust pad in the axes of the film of the first pad, for ``HeatedSolid``.

    Facet sets: ``face``, under the film, ``back``, ``start``, ``end``, ``inner`` and ``outer``. The
    depth of tapers and steps, which is micrometres, is left out.

    Example:
        >>> thrust_pad_mesh(PivotedPad(0.04, 0.08, 0.7), 0.015, (12, 6, 3))

    Args:
        pad: radii and arc.
        thickness: of the pad, m.
        cells: numbers of cells around, across and through, (3,).
        degree: degree of the geometry.

    Raises:
        InputError: numbers out of range.
    """
    checks.positive("thrust_pad_mesh: thickness", thickness)

    def place(unit):
        angle, r = pad.arc * unit[:, 0], pad.outer - (pad.outer - pad.inner) * unit[:, 1]
        return np.stack([r * np.cos(angle), r * np.sin(angle), thickness * unit[:, 2]], 1)

    sides = {(0, 0): "start", (0, 1): "end", (1, 0): "outer", (1, 1): "inner", (2, 0): "face",
             (2, 1): "back"}  # fmt: skip
    return structured(cells, place, degree=degree, names=sides, source="thrust_pad_mesh")
