"""Mesh stiffness: that of each pair of teeth along the path of contact.

A law defines the stiffness of a pair (``pair``), which is smooth between the events of the mesh
cycle. ``schedule`` expands it there in Chebyshev series of the phase, whose coefficients are the
parameters of the force element, so that one form serves all laws.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor

import numpy as np
from numpy.polynomial import chebyshev

from .. import checks
from ..errors import InputError
from .geometry import GearMesh

#: degree of the series that follows a tooth's elasticity to 1e-8
SMOOTH = 12


@dataclass(frozen=True)
class MeshStiffness:
    """Base of the laws.

    Example::

        class Peaked(gears.MeshStiffness):
            # a pair is stiffest, 4e8 N/m, where its teeth touch at the pitch point

            def pair(self, mesh, s, count):
                return 4e8 * (1 - 0.3 * (s / mesh.base_pitch) ** 2)

        Peaked().pair(mesh, np.zeros(1), 1)[0]  # 4e8 N/m
    """

    @property
    def degree(self) -> int:
        """Degree of the series between two events; the same for most laws, which share forms."""
        return SMOOTH

    def pair(self, mesh: GearMesh, s: np.ndarray, count: np.ndarray) -> np.ndarray:
        """Stiffness of a pair along the line of action, N/m.

        Args:
            mesh: the gears.
            s: positions on the path of contact, m.
            count: pairs in contact then.
        """
        raise TypeError("a stiffness of the mesh defines pair()")

    def total(self, mesh: GearMesh, phase) -> np.ndarray:
        """Stiffness of all pairs at phases of the mesh cycle, N/m; at an event, after it."""
        s = mesh.positions(phase)
        there = np.isfinite(s)
        count = np.broadcast_to(np.sum(there, axis=0), s.shape)
        k = self.pair(mesh, np.where(there, s, 0.0), count)
        return np.sum(np.where(there, k, 0.0), axis=0)


@dataclass(frozen=True)
class ConstantStiffness(MeshStiffness):
    """A mesh of constant stiffness, however many pairs share the load.

    Args:
        stiffness: N/m.

    Raises:
        InputError: a stiffness that is not positive.

    See docs/gears.md. Example::

        gears.ConstantStiffness(1e8)
    """

    stiffness: float

    def __post_init__(self):
        checks.positive("ConstantStiffness.stiffness", self.stiffness)

    def pair(self, mesh, s, count):
        return self.stiffness / np.maximum(count, 1)


def single_stiffness(mesh: GearMesh, most: float, mean: float) -> float:
    """Stiffness while the fewest pairs are in contact, from the largest and the mean: Tian et al.
    (2015) eq. (25), N/m.

    Raises:
        InputError: a mean that leaves nothing for the fewest pairs.
    """
    share = mesh.contact_ratio - floor(mesh.contact_ratio)
    least = (mean - most * share) / (1 - share)
    if not 0 < least <= most:
        raise InputError(
            f"mesh stiffness: a mean of {mean:g} N/m does not lie between {most * share:g} and the "
            f"largest, {most:g} N/m."
        )
    return least


@dataclass(frozen=True)
class RectangularStiffness(MeshStiffness):
    """Two values: with the more and with the fewer pairs in contact, shared equally.

    Args:
        largest, mean: N/m; the lower value follows, Tian et al. (2015) eq. (25).

    Raises:
        InputError: a value that is not positive; when used, a mean that leaves nothing for the
            fewest pairs.

    See docs/gears.md. Example::

        gears.RectangularStiffness(largest=7.2e8, mean=5.568e8)
    """

    largest: float
    mean: float

    def __post_init__(self):
        checks.positive("RectangularStiffness.largest", self.largest)
        checks.positive("RectangularStiffness.mean", self.mean)

    def pair(self, mesh, s, count):
        least = single_stiffness(mesh, self.largest, self.mean)
        value = np.where(count >= ceil(mesh.contact_ratio), self.largest, least)
        return value / np.maximum(count, 1)


@dataclass(frozen=True)
class FourierStiffness(MeshStiffness):
    """The Fourier series of the rectangular stiffness, shared equally.

    k = k_mean + (k_max - k_min) sum of 2/(n pi) sin(n pi D) cos 2 pi n (x - D/2) over n = 1 ...
    order, with the phase x and the part D of the cycle in which more pairs are in contact.

    Args:
        largest, mean: N/m.
        order: of the last harmonic.

    Raises:
        InputError: an order above 60.

    See docs/gears.md. Example::

        gears.FourierStiffness(largest=7.2e8, mean=5.568e8, order=15)
    """

    largest: float
    mean: float
    order: int = 15

    def __post_init__(self):
        checks.positive("FourierStiffness.largest", self.largest)
        checks.positive("FourierStiffness.mean", self.mean)
        if checks.count("FourierStiffness.order", self.order) > 60:
            raise InputError(f"FourierStiffness.order is at most 60, got {self.order}.")

    @property
    def degree(self):
        # the last harmonic has less than `order` periods between two events, pi a coefficient;
        # at least that of order 15, so that all orders up to there share a compiled form
        return 16 + ceil(3.3 * max(self.order, 15))

    def harmonics(self, mesh: GearMesh) -> tuple[np.ndarray, np.ndarray]:
        """Amplitudes (N/m) and phases (rad) of the harmonics."""
        n, part = np.arange(1, self.order + 1), mesh.contact_ratio % 1.0
        jump = self.largest - single_stiffness(mesh, self.largest, self.mean)
        return 2 * jump / (n * np.pi) * np.sin(n * np.pi * part), -n * np.pi * part

    def pair(self, mesh, s, count):
        n = np.arange(1, self.order + 1)
        amplitudes, phases = self.harmonics(mesh)
        angle = 2 * np.pi * np.multiply.outer(s / mesh.base_pitch, n) + phases
        return (self.mean + np.cos(angle) @ amplitudes) / np.maximum(count, 1)


@dataclass(frozen=True, eq=False)
class TabulatedStiffness(MeshStiffness):
    """A pair's stiffness from values along the path of contact, between them a cubic spline.

    Args:
        positions: increasing, m; they cover the path.
        stiffness: N/m.

    Raises:
        InputError: fewer than 4 positions, positions that do not increase; when used, positions
            that do not cover the path.

    Example::

        s = np.linspace(-8e-3, 8e-3, 9)  # m from the pitch point
        gears.TabulatedStiffness(s, 4e8 * (1 - (s / 20e-3) ** 2))
    """

    positions: np.ndarray
    stiffness: np.ndarray

    def __post_init__(self):
        s, k = checks.array(self.positions), checks.array(self.stiffness)
        if s.ndim != 1 or s.shape != k.shape or len(s) < 4 or np.any(np.diff(s) <= 0):
            raise InputError(
                "TabulatedStiffness needs at least 4 increasing positions and as many values."
            )
        if not np.all(k > 0):
            raise InputError("TabulatedStiffness: the stiffness must be positive everywhere.")

    @cached_property
    def _spline(self):
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.positions, self.stiffness)

    def pair(self, mesh, s, count):
        first, last = self.positions[0], self.positions[-1]
        if first > 1e-3 * mesh.path_length or last < mesh.path_length * (1 - 1e-3):
            raise InputError(
                f"TabulatedStiffness: positions from {first:g} to {last:g} m do not cover the path "
                f"of contact, {mesh.path_length:g} m."
            )
        return self._spline(s)


@dataclass(frozen=True)
class Segment:
    """The part of the mesh cycle between two events.

    Attributes:
        first, last: phases.
        series: Chebyshev coefficients of each slot's stiffness, N/m, (slots, degree + 1).
        direction: of sliding of each slot: -1 before the pitch point, 1 after it, 0 without
            contact.
    """

    first: float
    last: float
    series: np.ndarray
    direction: np.ndarray


def schedule(mesh: GearMesh, law: MeshStiffness) -> list[Segment]:
    """The segments of a mesh cycle.

    Raises:
        InputError: a law that is no stiffness of these gears.
    """
    nodes = np.cos(np.pi * (np.arange(law.degree + 1) + 0.5) / (law.degree + 1))
    result = []
    for first, last in zip(mesh.breaks[:-1], mesh.breaks[1:], strict=True):
        middle = mesh.positions((first + last) / 2)
        there = np.isfinite(middle)
        s = (first + (last - first) * (nodes + 1) / 2) * mesh.base_pitch
        s = s[None] + np.arange(mesh.slots)[:, None] * mesh.base_pitch
        s = np.where(there[:, None], s, 0.0)
        k = np.asarray(law.pair(mesh, s, np.full(s.shape, there.sum())), float)
        if not np.all(k[there] > 0):
            raise InputError(f"{type(law).__name__}: the stiffness is not positive everywhere.")
        series = chebyshev.chebfit(nodes, k.T, law.degree).T * there[:, None]
        side = np.where(middle > mesh.approach_length, 1.0, -1.0)
        result.append(Segment(float(first), float(last), series, np.where(there, side, 0.0)))
    return result
