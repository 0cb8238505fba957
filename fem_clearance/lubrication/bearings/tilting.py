"""Bearings with tilting pads: equilibrium of journal and pads, coefficients of journal alone.

Every pad has a film of its own, described in axes (u, q) of which u points from the middle of the
bearing to the pivot. With the machined clearance c, the preload m, the arm A from the pivot to the
pad's centre of curvature, its tilt d (about the third axis) and its deflection y along u, the
journal at e lies relative to the centre of curvature of the pad at::

    e + (m c - y) u + A d q

The film's force f on the journal does virtual work along this: the pad is in equilibrium if A f . q
is the moment of its pivot, and -f . u the load of its pivot. (The shear on the pad is left out of
that: its moment is smaller by the ratio of clearance and radius.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...bodies.solids.condensed import CondensedSolid
from ...errors import InputError, StepFailed
from ..film.cavitation import Cavitation, Reynolds
from ..film.film import Film
from ..film.lobe import MOST_PRELOAD
from ..film.lubricant import Lubricant, lubricant_of
from ..film.surface import cylinder
from ..film.thermal import Thermal
from ..film.turbulence import Turbulence
from .bearing import Bearing
from .equilibrium import Coefficients
from .pivots import Pivot
from .place import FilmState, Place
from .start import leaving
from .warm_pads import Inlets, PadLiner

#: of the assembled clearance: where the search begins, towards the load; how far each pad is open
#: at its leading edge there; the largest step of an iteration
START, OPEN, STEP = 0.5, 0.36, 0.3
#: least part of the smallest gap that an iteration leaves
KEEP = 0.3
#: a pad whose film carries a smaller part of the load is unloaded: it stays where it is
UNLOADED = 1e-8
#: iterations
MOST = 60
#: K by which the oil that enters a pad may still change
SETTLED = 1e-3
#: parts of the deflections of yielding pivots with which the search continues from rigid ones
SOFTER = 0.1, 0.3, 1.0


@dataclass(frozen=True)
class TiltingPad:
    """A rigid pad on a pivot.

    Args:
        angle: of its pivot from the first axis, rad.
        arc: of the pad, rad.
        thickness: from the surface of the pad to its pivot, m.
        preload: 1 - (assembled clearance)/(machined clearance), from 0 to 0.95.
        offset: fraction of the arc, from its start in the positive sense, at which the pivot is.
        pivot: default: rigid, without resistance to tilting.
        mass: of the pad, kg, for coefficients at a frequency.
        inertia: of the pad about its pivot, kg m^2.

    Raises:
        InputError: numbers out of range.
    """

    angle: float
    arc: float
    thickness: float
    preload: float = 0.0
    offset: float = 0.5
    pivot: Pivot = field(default_factory=Pivot)
    mass: float = 0.0
    inertia: float = 0.0

    def __post_init__(self):
        checks.number("TiltingPad: angle", self.angle)
        checks.positive("TiltingPad: arc", self.arc)
        checks.within("TiltingPad: arc", self.arc, 0.0, np.pi)
        checks.positive("TiltingPad: thickness", self.thickness)
        checks.within("TiltingPad: preload", self.preload, 0.0, MOST_PRELOAD)
        checks.within("TiltingPad: offset", self.offset, 0.0, 1.0)
        if not isinstance(self.pivot, Pivot):
            raise InputError(
                f"TiltingPad: pivot must be a Pivot such as PointPivot(...), got {self.pivot!r}."
            )
        checks.non_negative("TiltingPad: mass", self.mass)
        checks.non_negative("TiltingPad: inertia", self.inertia)

    def evenly(self, count: int) -> tuple[TiltingPad, ...]:
        """This pad and others like it, evenly around the bearing, ``count`` in all."""
        step = 2 * np.pi / checks.count("TiltingPad: count", count)
        return tuple(replace(self, angle=self.angle + k * step) for k in range(count))


@dataclass(frozen=True, eq=False)
class PadsState:
    """A journal and tilting pads in equilibrium.

    Attributes:
        e: centre of the journal, m, (2,).
        tilts: of the pads about their pivots, rad.
        deflections: of the pivots, outwards, m. The position of pads without load is undetermined:
            they are where the search left them.
        loaded: whether the film of a pad carries load.
        films: of the pads, in axes whose first points to the pivot.
        force: of all films on the journal, N, (2,).
        power_loss: W.
        speed: rad/s.
        bearing: the one that found it.
    """

    e: np.ndarray
    tilts: np.ndarray
    deflections: np.ndarray
    loaded: np.ndarray
    films: tuple[FilmState, ...]
    force: np.ndarray
    power_loss: float
    speed: float
    bearing: TiltingPadBearing

    def coefficients(self, frequency: float | None = None) -> Coefficients:
        """Coefficients of the journal, with pads that follow a harmonic motion: their motion is
        eliminated from the impedance K + i w C of the journal.

        Args:
            frequency: w of the motion, rad/s; default: the speed (synchronous); 0: slow motion.

        Raises:
            InputError: a negative frequency.
        """
        w = abs(self.speed) if frequency is None else frequency
        checks.non_negative("coefficients: frequency", w)
        M, C, K = self.bearing._matrices(self)
        e, pads = slice(2), slice(2, None)
        if w == 0:
            follow = -np.linalg.solve(K[pads, pads], K[pads, e])
            led = -np.linalg.solve(K[pads, pads].T, K[e, pads].T).T
            left, right = np.hstack([np.eye(2), led]), np.vstack([np.eye(2), follow])
            return Coefficients(K[e, e] + K[e, pads] @ follow, left @ C @ right)
        Z = K + 1j * w * C - w**2 * M
        Z = Z[e, e] - Z[e, pads] @ np.linalg.solve(Z[pads, pads], Z[pads, e])
        return Coefficients(Z.real, Z.imag / w)


class TiltingPadBearing:
    """A journal bearing with tilting pads. See docs/bearing_types.md.

    Example:
        >>> pads = TiltingPad(-np.pi / 2, np.radians(60), thickness=0.01, preload=0.3).evenly(5)
        >>> bearing = TiltingPadBearing(0.05, 0.05, 1e-4, 0.03, pads, sliding_speed=15.0)
        >>> bearing.equilibrium((0.0, -5e3), 300.0).coefficients().stiffness

    Args:
        radius: to which the pads are machined, m.
        length: m.
        clearance: machined clearance, ``radius`` minus that of the journal, m.
        lubricant: viscosity law, or the viscosity in Pa s.
        pads: one ``TiltingPad`` or more.
        sliding_speed: typical sliding speed, m/s.
        cells: of each pad, around and along, (2,).
        cavitation: default ``Reynolds()``.
        thermal: model of the temperatures of each pad, in the axes of the pad. The fraction
            ``carry_over`` of the oil that leaves a pad mixes with fresh oil and enters the next
            one; all pads heat one ``Shaft``.
        supply_flow: flow of fresh oil to all pads, m^3/s, with ``thermal``; default: what the pads
            need in addition to the oil that is carried over.
        solid: elastic body of each pad, in its axes: condensed to ``bore`` and clamped at its
            pivot (``tilting_pad_mesh``); default: pads are rigid.
        turbulence: law of turbulent films; default: laminar.

    Raises:
        InputError: no pads, or numbers out of range.
    """

    def __init__(
        self, radius: float, length: float, clearance: float, lubricant: Lubricant | float,
        pads: Sequence[TiltingPad], *, sliding_speed: float = 1.0, cells: Sequence[int] = (32, 16),
        cavitation: Cavitation | None = None, thermal: Thermal | None = None,
        supply_flow: float | None = None, solid: CondensedSolid | None = None,
        turbulence: Turbulence | None = None,
    ):  # fmt: skip
        example = "TiltingPad(angle, arc, thickness)"
        self.pads = checks.objects("tilting pads: pads", pads, TiltingPad, example)
        if not self.pads:
            raise InputError("tilting pads: give at least one TiltingPad(angle, arc, thickness).")
        self.radius, self.clearance = radius, checks.positive("film: clearance", clearance)
        edges = dict.fromkeys(("start", "end", "z0", "z1"), 0.0)
        liner = None if solid is None else PadLiner(solid)
        self.bearings = [
            Bearing(
                Film(
                    cylinder(radius, length, cells, arc=pad.arc, start=-pad.offset * pad.arc),
                    clearance, lubricant_of(lubricant), cavitation or Reynolds(), edges,
                    sliding_speed=sliding_speed,
                    thermal=None if thermal is None else Inlets.held(thermal),
                    turbulence=turbulence or Turbulence(),
                ),
                liner,
            )
            for pad in self.pads
        ]  # fmt: skip
        self._inlets = None
        if thermal is not None:
            angles, flow = [pad.angle for pad in self.pads], supply_flow
            if flow is not None:
                flow = checks.positive("tilting pads: supply_flow", flow) / len(angles)
            self._inlets = Inlets(self.bearings, angles, thermal, flow)
        #: unknowns (2 + 2 pads): centre of the journal, travel A d of each pad, deflection of each
        count = len(self.pads)
        yields = [not pad.pivot.rigid for pad in self.pads]
        self._held = np.array([pad.pivot.tilting > 0 for pad in self.pads])
        self._free = np.concatenate([np.ones(2 + count, bool), yields])
        #: (u, q) of each pad by rows
        self._axes = [
            np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
            for a in (pad.angle for pad in self.pads)
        ]

    @property
    def assembled(self) -> float:
        """Least clearance of a journal in the middle, m."""
        return self.clearance * (1 - max(pad.preload for pad in self.pads))

    def arm(self, k: int) -> float:
        """From the pivot of pad ``k`` to the pad's centre of curvature, m."""
        pad = self.pads[k]
        return self.radius + pad.thickness + pad.preload * self.clearance

    def _map(self, k: int) -> np.ndarray:
        """What the unknowns add to the journal's place relative to pad ``k``, in its axes,
        (2, unknowns)."""
        count = len(self.pads)
        result = np.zeros((2, 2 + 2 * count))
        result[:, :2] = self._axes[k]
        result[1, 2 + k], result[0, 2 + count + k] = 1.0, -1.0
        return result

    def _place(self, k: int, x: np.ndarray) -> np.ndarray:
        pad = self.pads[k]
        return self._map(k) @ x + (pad.preload * self.clearance, 0.0)

    def _gaps(self, x: np.ndarray) -> np.ndarray:
        """Thickness at all nodes of all pads, m."""
        return np.concatenate([
            b.film.thickness((*self._place(k, x), 0.0), (0.0, 0.0))
            for k, b in enumerate(self.bearings)
        ])  # fmt: skip

    def _pivots(self, x: np.ndarray, soft: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Forces of the pivots along the unknowns, and the derivative (diagonal); ``soft``: part of
        the deflections by their laws."""
        count = len(self.pads)
        force, slope = np.zeros(len(x)), np.zeros(len(x))
        for k, pad in enumerate(self.pads):
            slope[2 + k] = pad.pivot.tilting / self.arm(k) ** 2
            force[2 + k] = slope[2 + k] * x[2 + k]
            if not pad.pivot.rigid:
                y = 2 + count + k
                force[y], slope[y] = pad.pivot.loaded(float(x[y]) / soft)
                slope[y] /= soft
        return force, slope

    def equilibrium(
        self, load: ArrayLike, speed: float, *, start: ArrayLike | None = None,
        tolerance: float = 1e-8,
    ) -> PadsState:  # fmt: skip
        """The position of journal and pads that carries a load.

        Pads without load have no equilibrium of their own, and a bearing may have several: the
        search begins with every pad open at its leading edge.

        Args:
            load: force on the journal, N, (2,).
            speed: of the journal, rad/s.
            start: first guess of its centre, m, (2,); default: half-way to the load.
            tolerance: of forces, relative to the load.

        Raises:
            InputError: no load, no speed.
            StepFailed: no such position was found.
        """
        load, speed = checks.vector("load", load, 2), checks.number("speed", speed)
        size = float(np.hypot(*load))
        if size == 0 or speed == 0:
            raise InputError("tilting pads: the load and the speed must not be zero.")
        x = np.zeros(2 + 2 * len(self.pads))
        x[:2] = START * self.assembled * load / size if start is None else start
        for k, axes in enumerate(self._axes):
            x[2 + k] = np.sign(speed) * OPEN * self.assembled - axes[1] @ x[:2]
        yields = slice(2 + len(self.pads), None)
        films = self._search(x, load, speed, tolerance, 0.0)
        for before, soft in zip((0.0, *SOFTER), SOFTER, strict=False):
            if not self._free[yields].any():
                break
            x[yields] = x[yields] * soft / before if before else self._deflected(films, soft)
            films = self._search(x, load, speed, tolerance, soft)
        return self._found(x, films, load, speed)

    def _deflected(self, films: Sequence[FilmState], part: float) -> np.ndarray:
        """Deflections of the pivots under what the films carry, m; that part of their laws."""
        return np.array([
            part * pad.pivot.deflected(max(float(-film.force[0]), 0.0))
            for pad, film in zip(self.pads, films, strict=True)
        ])  # fmt: skip

    def _search(self, x, load, speed, tolerance, soft) -> list[FilmState]:
        """Newton's method from ``x``, which becomes the solution; ``soft``: as above, 0: rigid."""
        size = np.hypot(*load)
        for _ in range(MOST):
            films = self._solve(x, speed)
            f, K, loaded = self._balance(x, films, load, soft)
            moves = self._free & np.concatenate(
                [[True, True], loaded | self._held, loaded & (soft > 0)]
            )
            warms = self._inlets.follow(films, speed) if self._inlets else 0.0
            if np.max(np.abs(f[moves])) <= tolerance * size and warms <= SETTLED:
                for bearing, film in zip(self.bearings, films, strict=True):
                    bearing.say(film)
                return films
            step = np.zeros_like(x)
            step[moves] = np.linalg.solve(K[np.ix_(moves, moves)], f[moves])
            h = np.concatenate([film.thickness for film in films])
            part = min(1.0, leaving(KEEP, h, self._gaps(x) - self._gaps(x + step)))
            x += min(part, STEP * self.assembled / np.max(np.abs(step))) * step
        raise StepFailed("no position was found at which the tilting pads carry this load.")

    def _solve(self, x: np.ndarray, speed: float) -> list[FilmState]:
        places = [self._place(k, x) for k in range(len(self.pads))]
        return [
            b.attempt(Place(e=(float(a), float(z), 0.0), Omega=(0.0, 0.0, speed)))
            for b, (a, z) in zip(self.bearings, places, strict=True)
        ]

    def _balance(self, x, films, load, soft):
        """Forces along the unknowns, minus their derivative, and which pads carry load."""
        force, slope = self._pivots(x, soft or 1.0)
        f, K = -force, np.diag(slope)
        f[:2] += load
        loaded = self._loaded(films, load)
        for k, film in enumerate(films):
            B = self._map(k)
            f += B.T @ film.force[:2]
            K += B.T @ film.stiffness[:2, :2] @ B
        return f, K, loaded

    @staticmethod
    def _loaded(films: Sequence[FilmState], load: np.ndarray) -> np.ndarray:
        """Which pads have films that carry load."""
        size = UNLOADED * np.hypot(*load)
        return np.array([np.hypot(*film.force[:2]) > size for film in films])

    def _found(self, x, films, load, speed) -> PadsState:
        count = len(self.pads)
        arms = np.array([self.arm(k) for k in range(count)])
        force = sum(axes.T @ film.force[:2] for axes, film in zip(self._axes, films, strict=True))
        return PadsState(
            x[:2].copy(), x[2 : 2 + count] / arms, x[2 + count :].copy(),
            self._loaded(films, load), tuple(films), np.asarray(force),
            sum(film.power_loss for film in films), speed, self,
        )  # fmt: skip

    def _matrices(self, state: PadsState) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Inertia, damping and stiffness of the journal's centre and of what moves of the loaded
        pads; the journal has no mass."""
        count = len(self.pads)
        arms = np.array([self.arm(k) for k in range(count)])
        x = np.concatenate([state.e, state.tilts * arms, state.deflections])
        K, C = np.diag(self._pivots(x)[1]), np.zeros((len(x), len(x)))
        for k in np.flatnonzero(state.loaded):
            film = state.films[k]
            stiffness, damping = film.bearing.derivatives(film)
            B = self._map(int(k))
            K += B.T @ stiffness[:2, :2] @ B
            C += B.T @ damping[:2, :2] @ B
        inertia = [pad.inertia / arm**2 for pad, arm in zip(self.pads, arms, strict=True)]
        M = np.diag([0.0, 0.0, *inertia, *(pad.mass for pad in self.pads)])
        keep = np.concatenate([[True, True], state.loaded, state.loaded]) & self._free
        rows = np.ix_(keep, keep)
        return M[rows], C[rows], K[rows]
