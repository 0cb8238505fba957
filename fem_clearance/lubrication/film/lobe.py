"""Bores that are not one cylinder: lobes with centres of curvature of their own, and pockets.

A bore of lobes is the cylinder of its machined radius, in which each lobe is displaced towards the
journal. With the machined clearance c, the preload m and the unit vector u towards the place that a
journal in the middle is nearest to, the film of a lobe has the thickness::

    h = c - e . n - m c u . n + depth of a pocket

whose part beside c - e . n is the ``recess`` of the film (Lund and Thomsen 1978).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ... import checks
from ...errors import InputError
from .groove import Patch

#: largest preload: beyond it the film of a journal in the middle is thinner than 1/20 of the
#: machined clearance
MOST_PRELOAD = 0.95
#: offsets allowed, parts of the arc: the centre of curvature may lie beside the lobe's own arc
OFFSETS = -1.0, 2.0


@dataclass(frozen=True)
class Lobe:
    """An arc of a bore about a centre of curvature of its own.

    Example:
        >>> lemon = Lobe.evenly(2, arc=np.radians(160), preload=0.5, angle=np.pi / 2)

    Args:
        angle: of its middle from the first axis of the film, rad.
        arc: that it covers, rad.
        preload: 1 - (assembled clearance)/(machined clearance), from 0 (round) to 0.95: the lobe
            is displaced towards the journal by this part of the machined clearance.
        offset: part of the arc, from its beginning in the positive sense, at which a journal in the
            middle of the bearing is nearest: 0.5 is the middle of the lobe, 1 its end.

    Raises:
        InputError: numbers out of range.
    """

    angle: float
    arc: float
    preload: float = 0.0
    offset: float = 0.5

    def __post_init__(self):
        checks.number("Lobe: angle", self.angle)
        checks.positive("Lobe: arc", self.arc)
        if self.arc >= 2 * np.pi:
            raise InputError(f"Lobe: arc must be less than 2 pi rad, got {self.arc:g}.")
        checks.within("Lobe: preload", self.preload, 0.0, MOST_PRELOAD)
        checks.within("Lobe: offset", self.offset, *OFFSETS)

    @classmethod
    def evenly(
        cls, count: int, *, arc: float, preload: float = 0.0, offset: float = 0.5,
        angle: float = 0.0,
    ) -> tuple[Lobe, ...]:  # fmt: skip
        """Equal lobes evenly around the bearing.

        Args:
            count: of lobes.
            arc, preload, offset: of each, see above.
            angle: of the middle of the first one, rad.
        """
        step = 2 * np.pi / checks.count("Lobe: count", count)
        return tuple(cls(angle + k * step, arc, preload, offset) for k in range(count))

    @classmethod
    def offset_halves(
        cls, *, arc: float, preload: float, split: float = 0.0, turns: int = 1
    ) -> tuple[Lobe, Lobe]:
        """The halves of a bearing that is displaced along its split, so that the film of each
        narrows in the sense of rotation.

        Args:
            arc: of each half, rad.
            preload: displacement of each half, as a part of the machined clearance.
            split: direction of the split from the first axis, rad.
            turns: sense of rotation of the journal, 1 or -1 about the third axis.
        """
        if turns not in (1, -1):
            raise InputError(f"Lobe.offset_halves: turns must be 1 or -1, got {turns!r}.")
        quarter = np.pi / 2
        offset = 0.5 + turns * quarter / checks.positive("Lobe: arc", arc)
        return cls(split + quarter, arc, preload, offset), cls(
            split - quarter, arc, preload, offset
        )

    @property
    def start(self) -> float:
        """Angle of its beginning, rad."""
        return self.angle - self.arc / 2

    def centre(self, clearance: float) -> np.ndarray:
        """Its centre of curvature, m, (2,), for a machined clearance, m."""
        nearest = self.start + self.offset * self.arc
        return -self.preload * clearance * np.array([np.cos(nearest), np.sin(nearest)])

    def covers(self, angles: np.ndarray) -> np.ndarray:
        """Whether angles (n,), rad, lie within the arc."""
        return np.abs(_wrapped(angles - self.angle)) <= self.arc / 2


@dataclass(frozen=True)
class Pocket(Patch):
    """A part of a bore that is deeper by a constant: the pocket of a pressure dam, which ends in a
    step; a relief track; a groove whose oil is sheared at its own depth.

    Args:
        angle: of its middle from the first axis of the film, rad.
        width: around the bearing, rad; 2 pi: a ring.
        depth: m, in addition to the thickness of the film beside it.
        length: along the bearing, m; default: 0.8 of the bearing's.
        place: of its middle along the axis from the middle of the bearing, m.

    Raises:
        InputError: numbers out of range.
    """

    angle: float
    width: float
    depth: float
    length: float | None = None
    place: float = 0.0

    def __post_init__(self):
        self._check_patch()
        checks.positive("Pocket: depth", self.depth)


@dataclass(frozen=True)
class LobedBore:
    """By how much a bore of lobes with pockets is deeper than the cylinder of its machined radius:
    a ``recess`` of films.

    Args:
        lobes: that do not overlap.
        clearance: machined clearance, m.
        length: of the bearing, m.
        pockets: in its surface.

    Raises:
        InputError: lobes that overlap, pockets that reach beyond the bearing.
    """

    lobes: tuple[Lobe, ...]
    clearance: float
    length: float
    pockets: tuple[Pocket, ...] = ()

    def __post_init__(self):
        if not self.lobes or not all(isinstance(lobe, Lobe) for lobe in self.lobes):
            raise InputError("lobes must be at least one Lobe(angle, arc, ...).")
        for pocket in self.pockets:
            if not isinstance(pocket, Pocket):
                raise InputError(f"pockets must be Pocket(angle, width, depth, ...): {pocket!r}.")
            pocket.edges(self.length)
        for k, one in enumerate(self.lobes):
            for other in self.lobes[:k]:
                apart = abs(_wrapped(np.array(one.angle - other.angle)))
                if apart < (one.arc + other.arc) / 2 - 1e-9:
                    raise InputError(
                        f"the lobes about {np.degrees(other.angle):.4g} and "
                        f"{np.degrees(one.angle):.4g} degrees overlap; give them smaller arcs."
                    )

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Depth, m, at points (n, 3) inside cells of the film."""
        angles = np.arctan2(points[:, 1], points[:, 0])
        normals = np.stack([np.cos(angles), np.sin(angles)])
        depth, found = np.zeros(len(points)), np.zeros(len(points), bool)
        for lobe in self.lobes:
            own = lobe.covers(angles) & ~found
            depth[own] = (lobe.centre(self.clearance) @ normals)[own]
            found |= own
        for pocket in self.pockets:
            depth[pocket.covers(points, self.length, 0.0)] += pocket.depth
        return depth


def lines(pockets: Sequence[Pocket], lobe: Lobe, length: float) -> tuple[list[float], list[float]]:
    """Angles (rad) within a lobe and places along the axis (m) of the edges of pockets."""
    angles: list[float] = []
    places: list[float] = []
    for pocket in pockets:
        around, along = pocket.edges(length)
        inside = [a for a in around if abs(_wrapped(np.array(a - lobe.angle))) < lobe.arc / 2]
        if inside or lobe.covers(np.array([pocket.angle]))[0] or pocket.ring:
            angles, places = angles + inside, places + along
    return angles, places


def _wrapped(angles: np.ndarray) -> np.ndarray:
    """Angles between -pi and pi."""
    return np.angle(np.exp(1j * np.asarray(angles)))
