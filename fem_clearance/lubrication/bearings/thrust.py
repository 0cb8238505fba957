"""Thrust bearings: equal pads, fixed or tilting, under a collar that turns about their axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ... import checks
from ...errors import InputError, StepFailed
from ..film.cavitation import Cavitation, Reynolds
from ..film.film import Film
from ..film.lubricant import Lubricant, lubricant_of
from ..film.sector import sector
from ..film.thermal import Thermal
from ..film.thickness import FlatGap
from ..film.turbulence import Turbulence
from ..film.walls import Conducting, Shaft
from .bearing import Bearing
from .place import FilmState, Place
from .start import leaving
from .thrust_pads import ThrustPad

#: edges of a pad, all at ambient pressure unless something else is said
EDGES = ("start", "end", "inner", "outer")
#: least part of the smallest thickness that an iteration leaves
KEEP = 0.4
#: iterations
MOST = 80
#: determinant, relative to load and thickness, below which the equations are singular
SINGULAR = 1e-12
#: of a tilting pad that the search begins with: change of the thickness along the pad, by that at
#: the pivot
TILT = 0.7


class ThrustState(NamedTuple):
    """A thrust bearing in equilibrium.

    Attributes:
        load: load on the collar, N, all pads together.
        least: smallest film thickness, m.
        tilt: tilt of a pad relative to the collar about the first and the second axis, rad, (2,);
            the leading edge of the pad lies on the first axis.
        film: film of one pad.
        torque: friction torque on the collar, N m, all pads together.
        power_loss: power loss, W, all pads together.
        flow: edge -> volume flow out of all pads there, m^3/s.
        stiffness: -d(load)/d(distance of collar and pads), N/m, all pads together; pads on pivots
            change their tilt.
    """

    load: float
    least: float
    tilt: np.ndarray
    film: FilmState
    torque: float
    power_loss: float
    flow: dict[str, float]
    stiffness: float


@dataclass(frozen=True)
class ThrustBearing:
    """Equal pads around an axis, under a collar perpendicular to it.

    Args:
        pad: ``TaperedPad``, ``SteppedPad`` or ``PivotedPad``.
        count: number of pads.
        thickness: typical thickness of the film, m, with which the search begins.
        lubricant: viscosity law, or the viscosity in Pa s.
        sliding_speed: typical sliding speed at the mean radius, m/s.
        cells: numbers of cells of a pad, around and across.
        cavitation: default ``Reynolds()``.
        pressures: edge -> pressure, Pa; default: ambient at ``start``, ``end``, ``inner`` and
            ``outer``. An edge without a pressure is sealed.
        turbulence: law of turbulent films; default: laminar.
        thermal: ``Adiabatic(...)`` computes the temperature of the oil, ``Conducting(...)`` also
            those of a pad (``bush``) and of the collar (``journal``), whose ``Shaft`` all pads
            heat; default: uniform temperature. A groove that consists of ``"start"`` and ``"end"``
            represents the gap between two pads, through which hot oil is carried over to the next
            pad.

    Raises:
        InputError: ``pad`` is not a pad, there are too many pads, or ``thermal`` is no model of the
            temperature or has walls that expand.

    See docs/thrust_bearings.md. Example::

        pad = lubrication.PivotedPad(inner=0.04, outer=0.08, arc=0.7, offset=0.6)
        bearing = lubrication.ThrustBearing(pad, 8, 3e-5, 0.03, sliding_speed=6.0, cells=(16, 8))
        bearing.equilibrium(load=5e3, speed=100.0).least
    """

    pad: ThrustPad
    count: int
    thickness: float
    lubricant: Lubricant | float
    sliding_speed: float = field(default=1.0, kw_only=True)
    cells: Sequence[int] = field(default=(32, 16), kw_only=True)
    cavitation: Cavitation = field(default_factory=Reynolds, kw_only=True)
    pressures: Mapping[str, float] = field(
        default_factory=lambda: dict.fromkeys(EDGES, 0.0), kw_only=True
    )
    turbulence: Turbulence = field(default_factory=Turbulence, kw_only=True)
    thermal: Thermal | None = field(default=None, kw_only=True)

    def __post_init__(self):
        if not isinstance(self.pad, ThrustPad):
            raise InputError(
                "ThrustBearing: pad must be TaperedPad(...), SteppedPad(...) or PivotedPad(...), "
                f"got {self.pad!r}."
            )
        if not isinstance(self.thermal, Thermal | None):
            raise InputError(
                "ThrustBearing: thermal must be Adiabatic(...), Conducting(...) or None, got "
                f"{self.thermal!r}."
            )
        if self.thermal is not None and self.thermal.expands:
            raise InputError(
                "ThrustBearing: pads and collar that expand are not available; leave out "
                "expansion= of the pad and journal_expansion=, and give the warm shape of the pad."
            )
        checks.count("ThrustBearing: count", self.count)
        checks.counts("ThrustBearing: cells", self.cells)
        checks.positive("ThrustBearing: thickness", self.thickness)
        if self.count * self.pad.arc > 2 * np.pi * (1 + 1e-9):
            raise InputError(
                f"ThrustBearing: {self.count} pads of {np.degrees(self.pad.arc):.4g} degrees do "
                "not fit around the axis; give fewer or shorter pads."
            )

    def film(self, k: int = 0) -> Film:
        """Film of pad ``k`` = 0, 1, ..., whose leading edge lies at the angle 2 pi k / count, rad,
        from the first axis."""
        pad, start = self.pad, 2 * np.pi * k / self.count

        def depth(points):
            middle = start + pad.arc / 2
            angle = np.arctan2(points[:, 1], points[:, 0]) - middle
            return pad.depth(pad.arc / 2 + np.angle(np.exp(1j * angle)))

        surface = sector(
            pad.inner, pad.outer, pad.arc, self.cells, start=start,
            angles=[start + line for line in pad.lines],
        )  # fmt: skip
        flat = type(pad) is ThrustPad or pad.pivot is not None
        return Film(
            surface, self.thickness, lubricant_of(self.lubricant), self.cavitation,
            dict(self.pressures), sliding_speed=self.sliding_speed, gap=FlatGap(),
            recess=None if flat else depth, turbulence=self.turbulence, thermal=self._each_thermal,
        )  # fmt: skip

    @property
    def _each_thermal(self) -> Thermal | None:
        """Model of the temperature of one film, which heats its share of the collar."""
        thermal = self.thermal
        if not isinstance(thermal, Conducting) or not isinstance(thermal.journal, Shaft):
            return thermal
        shaft, n = thermal.journal, self.count
        each = replace(shaft, conductance=shaft.conductance / n, capacity=shaft.capacity / n)
        return replace(thermal, journal=each)

    @cached_property
    def solver(self) -> Bearing:
        """Solver for the film of pad 0."""
        return Bearing(self.film())

    def equilibrium(self, load: float, speed: float, tolerance: float = 1e-9) -> ThrustState:
        """The films that carry a load, by Newton's method with the exact stiffness of the film.

        Args:
            load: load on the collar towards the pads, N.
            speed: speed of the collar about the third axis, from ``start`` to ``end``, rad/s.
            tolerance: error of the forces, relative to the load.

        Raises:
            InputError: a load or a speed that is not positive.
            StepFailed: no thickness found at which the pads carry the load.
        """
        checks.positive("ThrustBearing: load", load)
        checks.positive("ThrustBearing: speed", speed)
        pad, each, size = self.pad, load / self.count, self.pad.outer - self.pad.inner
        u = self._start()

        def missing(u):
            """Film, and forces by the load: of the whole and, about the pivot, moments."""
            film = self.solver.attempt(self._place(u, speed))
            slopes = film.stiffness[:, 2:5].copy()
            slopes[:, 1:] += speed * film.damping[:, 3:5]  # the axis leans with the collar
            if pad.pivot is not None:  # about which it leans
                slopes[:, 1:] += np.outer(slopes[:, 0], pad.pivot)
            slopes = slopes[:, : len(u)]
            rows, push = [-film.force[2] - each], slopes[2]
            left = [push]
            if pad.pivot is not None:
                x, y = pad.pivot
                rows += list((film.moment[:2] - film.force[2] * np.array([y, -x])) / size)
                left += [-(slopes[3] - push * y) / size, -(slopes[4] + push * x) / size]
            return film, np.array(rows) / each, np.array(left) / each

        film, f, slopes = missing(u)
        for _ in range(MOST):
            if np.abs(f).max() <= tolerance:
                self.solver.say(film)
                return self._state(film, load, slopes * each)
            found = self._step(missing, u, f, slopes)
            if found is None:
                break
            u, (film, f, slopes) = found
        raise StepFailed(
            f"the search found no thickness at which the pads carry a load of {load:g} N at this "
            "speed; give a thickness closer to that of the film or a smaller load. A flat fixed "
            "pad, or one on a pivot in its middle, carries none."
        )

    def _start(self) -> np.ndarray:
        """Approach of the collar, at a pivot if there is one, and its lean seen from a pad."""
        if self.pad.pivot is None:
            return np.zeros(1)
        # thinner along the sense of rotation, at the pivot as thick as is typical
        x, y = self.pad.pivot
        along = np.array([-y, x]) / (x**2 + y**2) / self.pad.arc
        return np.array([0.0, *(-TILT * self.thickness * along)])

    def _place(self, u: np.ndarray, speed: float) -> Place:
        t, e = (0.0, 0.0), float(u[0])
        if self.pad.pivot is not None:
            t, e = (float(u[1]), float(u[2])), e + float(u[1:] @ self.pad.pivot)
        # seen from a pad the collar turns about its own axis, along its normal
        return Place(e=(0.0, 0.0, e), t=t, Omega=(speed * t[0], speed * t[1], speed))

    def _step(self, missing, u, f, slopes):
        """A step of Newton's method, shortened until it helps and leaves a film; ``None`` if none
        does."""
        units = self.thickness * np.array([1.0, 1 / self.pad.outer, 1 / self.pad.outer])[: len(u)]
        if abs(np.linalg.det(slopes * units)) < SINGULAR:
            return None  # a film that carries nothing
        step = np.linalg.solve(slopes, -f)
        film = self.solver.film

        def thickness(u):
            place = self._place(u, 0.0)
            return film.thickness(place.e, place.t)

        h = thickness(u)
        part = min(1.0, leaving(KEEP, h, h - thickness(u + step)))
        before = np.linalg.norm(f)
        for _ in range(14):
            found = missing(u + part * step)
            if np.linalg.norm(found[1]) < before:
                return u + part * step, found
            part /= 2
        return None

    def _state(self, film: FilmState, load: float, slopes: np.ndarray) -> ThrustState:
        n, place = self.count, film.place
        stiff = slopes[0, 0]
        if len(slopes) > 1:  # the pads follow, so that no moment acts about their pivots
            stiff -= slopes[0, 1:] @ np.linalg.solve(slopes[1:, 1:], slopes[1:, 0])
        torque = -float(film.moment @ (*place.t, 1.0))  # about the collar's own axis
        return ThrustState(
            load, float(film.thickness.min()), np.array([place.t[1], -place.t[0]]), film,
            n * torque, n * film.power_loss,
            {edge: n * z for edge, z in film.outflow.items()}, n * float(stiff),
        )  # fmt: skip
