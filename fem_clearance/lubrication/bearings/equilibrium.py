"""Equilibrium of a bearing under a load, its dynamic coefficients, oil whirl."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError, StepFailed
from ..closed_forms.journal import ClosedForm, ShortBearing
from ..film.film import Film
from .bearing import Bearing
from .place import FilmState, Place
from .start import leaving

logger = logging.getLogger(__name__)

#: least part of the smallest gap that an iteration leaves
KEEP = 0.3
#: iterations
MOST = 60


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Linear force of a film about a place: f = - K x - C x'."""

    #: (2, 2) in (x, y), N/m
    stiffness: np.ndarray
    #: likewise, N s/m
    damping: np.ndarray
    #: estimate of what the film's mesh leaves, likewise: a third of the change from half as many
    #: cells; more where a film forms again, and the largest then counts for all
    #: (docs/cavitation.md); ``None`` without such a mesh (odd numbers of cells, the facets of a
    #: liner) or if no film was found on it, which is logged
    stiffness_error: np.ndarray | None = None
    #: the same of the damping
    damping_error: np.ndarray | None = None

    @classmethod
    def of(
        cls, film: FilmState, *, errors: bool = True, temperature: str = "follows"
    ) -> Coefficients:
        """The eight coefficients of a solved film, of second order in the width of its cells.

        Args:
            film: solved.
            errors: whether to estimate errors too, which takes the film on a coarser mesh.
            temperature: of a warm film ``"follows"`` the journal, as in slow motion, or is
                ``"held"`` as tables have it.
        """
        checks.choice("Coefficients.of: temperature", temperature, ("follows", "held"))
        hold = temperature == "held"
        found = film.bearing.derivatives(film, hold=hold)
        wrong = None
        try:
            wrong = film.bearing.errors(film, found, hold=hold) if errors else None
        except StepFailed as failure:
            logger.warning(
                "the coefficients have no error estimate, because the film was not found on half "
                "as many cells: %s", failure,
            )  # fmt: skip
        return cls(*(z[:2, :2].copy() for z in (*found, *(wrong or ()))))

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter((self.stiffness, self.damping))

    @property
    def critical_mass(self) -> float:
        """Mass of the journal above which it whirls, kg; ``inf`` if none does, 0 if it is unstable
        whatever its mass, as in a film that carries tension.

        At the threshold m x'' + C x' + K x = 0 has an undamped motion (Routh and Hurwitz; Lund
        1966).
        """
        effective = self._effective
        if effective <= 0 or np.linalg.det(self.stiffness) <= 0:
            return 0.0
        square = self.whirl_frequency**2
        return effective / square if square > 0 else np.inf

    @property
    def whirl_frequency(self) -> float:
        """Angular frequency of the motion at the threshold, rad/s; 0 if there is none."""
        K, C = self
        shifted = K - self._effective * np.eye(2)
        square = np.linalg.det(shifted) / np.linalg.det(C)
        return float(np.sqrt(max(square, 0.0)))

    @property
    def _effective(self) -> float:
        """Stiffness at the threshold, m times the square of the frequency, N/m."""
        K, C = self
        crossed = K[0, 0] * C[1, 1] + K[1, 1] * C[0, 0] - K[0, 1] * C[1, 0] - K[1, 0] * C[0, 1]
        return float(crossed / np.trace(C))

    def eigenvalues(self, mass: float) -> np.ndarray:
        """Of a journal of that mass, 1/s: it whirls if one has a positive real part."""
        M = checks.positive("mass", mass)
        eye = np.eye(2)
        return np.linalg.eigvals(
            np.block([[0 * eye, eye], [-self.stiffness / M, -self.damping / M]])
        )


def attitude(film: FilmState) -> float:
    """Angle from the direction of the load on the journal to the line of centres, rad, positive in
    the sense of rotation."""
    load, e = -film.force[:2], np.asarray(film.place.e[:2], float)
    turn = np.arctan2(load[0] * e[1] - load[1] * e[0], load @ e)
    return float(turn * (np.sign(film.place.Omega[2]) or 1.0))


def sommerfeld_number(
    load: float, *, radius: float, length: float, clearance: float, viscosity: float, speed: float
) -> float:
    """mu N L D (R/c)^2 / load with N in revolutions per second (Raimondi and Boyd 1958).

    Args:
        load: N.
        radius, length, clearance: m.
        viscosity: Pa s.
        speed: of the journal relative to the bearing, rad/s.
    """
    turns = abs(speed) / (2 * np.pi)
    area = 2 * radius * length
    return float(viscosity * turns * area * (radius / clearance) ** 2 / load)


def equilibrium(
    bearing: Bearing | Film | ClosedForm,
    load: ArrayLike,
    speed: float,
    start: ArrayLike | None = None,
    tolerance: float = 1e-9,
    *,
    before: FilmState | None = None,
    step: float = 0.0,
) -> FilmState:
    """The film that carries a load, by Newton's method with the film's exact stiffness.

    Example:
        >>> state = equilibrium(bearing, (0, -5e3), 300.0, before=state, step=10.0)  # warms up

    Args:
        bearing: whose axes stay parallel; or its film.
        load: force on the journal, N, (2,).
        speed: relative angular velocity of the journal, rad/s.
        start: first guess of its centre, m, (2,); default: where a short bearing would run.
        tolerance: of the force, relative to the load.
        before, step: the film a step (s) ago, since when bush and journal have warmed, as of
            ``Bearing.solve``; the journal moves so slowly that the film does not notice.

    Raises:
        InputError: no load, ``before`` without ``step`` or vice versa.
        StepFailed: no such place found.
    """
    bearing, load = Bearing.of(bearing), checks.vector("load", load, 2)
    size = float(np.hypot(*load))
    if size == 0:
        raise InputError("the load must not be zero, because the journal is then at the centre.")
    speed = checks.number("speed", speed)
    if start is None:
        start = _start(bearing, load, speed) if before is None else before.place.e[:2]

    def missing(e):
        place = Place(e=(float(e[0]), float(e[1]), 0.0), Omega=(0.0, 0.0, speed))
        film = bearing.attempt(place, before=before, step=step)
        return film, film.force[:2] + load, film.stiffness[:2, :2]

    return _newton(bearing, missing, np.array(checks.vector("start", start, 2)), tolerance * size)


def eccentricity_for(
    bearing: Bearing | Film | ClosedForm,
    load: float,
    speed: float,
    *,
    rate: float = 0.0,
    tolerance: float = 1e-9,
) -> FilmState:
    """The film that carries a load of given size with the journal's centre on the first axis.

    Args:
        bearing: whose axes stay parallel; or its film.
        load: size of the force, N.
        speed: relative angular velocity of the journal, rad/s.
        rate: of the eccentricity, m/s.
        tolerance: of the force, relative to the load.

    Raises:
        InputError: a load that is not positive.
        StepFailed: no such place found.

    Example::

        short = lubrication.ShortBearing(15e-3, 15e-3, 50e-6, viscosity=0.04)
        lubrication.eccentricity_for(short, load=500.0, speed=100.0).place.e[0]
    """
    bearing, load = Bearing.of(bearing), checks.positive("load", load)

    def missing(e):
        film = bearing.attempt(Place(e=(float(e[0]), 0, 0), V=(rate, 0, 0), Omega=(0, 0, speed)))
        size = np.hypot(*film.force[:2])
        # logarithms: the force grows as a power of the gap
        slope = film.force[:2] @ film.stiffness[:2, 0] / size**2
        return film, np.array([np.log(size / load)]), np.array([[slope]])

    start = 0.5 * _to_the_wall(bearing.film, np.ones(1))
    return _newton(bearing, missing, start, tolerance)


def _newton(bearing: Bearing, missing: Callable, e: np.ndarray, allowed: float) -> FilmState:
    """Find e where ``missing(e)`` (film, force f, -df/de) has f = 0; f is halved at least slowly,
    and an iteration leaves a part of the smallest gap."""
    film, f, slope = missing(e)
    for _ in range(MOST):
        if np.max(np.abs(f)) <= allowed:
            bearing.say(film)
            return film
        step = np.linalg.solve(slope, f)
        reach = _reach(bearing, film, e, step)
        part, before = min(1.0, reach), np.linalg.norm(f)
        for _ in range(12):
            there = e + part * step
            try:
                film, f, slope = missing(there)
            except StepFailed:  # no film on a liner that would have to yield so much
                part /= 2
                continue
            if np.linalg.norm(f) < before or np.max(np.abs(f)) <= allowed:
                break
            part /= 2
        else:
            raise StepFailed(
                "the film carries no such load: the search for a position makes no progress."
            )
        e = there
    raise StepFailed("no position of the journal was found at which the film carries this load.")


def _reach(bearing: Bearing, film: FilmState, e: np.ndarray, step: np.ndarray) -> float:
    """Part of a step that leaves ``KEEP`` of the present smallest gap."""
    if bearing.elastic or bearing.expands:
        length = float(np.linalg.norm(step))
        return (1 - KEEP) * float(film.thickness.min()) / max(length, 1e-300)
    if isinstance(bearing.film, Film):
        return _room(bearing.film, e, step, KEEP)
    c = bearing.film.clearance
    wall = c - KEEP * (c - np.linalg.norm(e))
    a, b, d = step @ step, e @ step, e @ e - wall**2
    return float((-b + np.sqrt(b * b - a * d)) / a)


def _room(film: Film, e: np.ndarray, step: np.ndarray, keep: float) -> float:
    """Part of a step, of which the thickness is a linear function, that leaves a part of the
    present smallest gap at every node; ``inf`` if the step closes the gap nowhere."""

    def thickness(place):
        return film.thickness(np.pad(place, (0, 3 - len(place))), (0.0, 0.0)) + film.valleys

    h = thickness(e)
    return leaving(keep, h, h - thickness(e + step))


def _start(bearing: Bearing, load: np.ndarray, speed: float) -> np.ndarray:
    """Where a short bearing would run; in the middle of the gap if that is no help."""
    from scipy.optimize import brentq

    film = bearing.film
    length = film.extent[1] - film.extent[0]
    short = ShortBearing(film.radius, length, film.clearance, film.viscosity)

    def force(ratio):
        place = Place(e=(ratio * film.clearance, 0, 0), Omega=(0, 0, speed))
        return short.force(place)[:2]

    size = float(np.hypot(*load))
    if speed == 0 or np.hypot(*force(0.95)) < size:
        ratio = 0.9
    elif np.hypot(*force(1e-4)) > size:
        ratio = 1e-4
    else:
        ratio = brentq(lambda r: np.hypot(*force(r)) - size, 1e-4, 0.95, rtol=1e-3)
    F = force(ratio)
    turn = np.arctan2(load[1], load[0]) - np.arctan2(-F[1], -F[0])
    return ratio * _to_the_wall(film, np.array([np.cos(turn), np.sin(turn)]))


def _to_the_wall(film: Film | ClosedForm, direction: np.ndarray) -> np.ndarray:
    """From the middle of the bearing in a direction by its clearance, or until the journal touches:
    lobes leave less room."""
    far = film.clearance * direction
    if isinstance(film, ClosedForm):
        return far
    return min(1.0, _room(film, np.zeros_like(far), far, 0.0)) * far


def threshold_speed(
    bearing: Bearing | Film | ClosedForm,
    load: ArrayLike,
    mass: float,
    low: float,
    high: float,
    tolerance: float = 1e-6,
) -> float:
    """Speed of rotation, rad/s, at which a loaded journal begins to whirl.

    Args:
        bearing: whose axes stay parallel; or its film.
        load: force on the journal, N, (2,).
        mass: of the journal (the half of a rigid rotor on two bearings), kg.
        low, high: rad/s, stable and unstable.
        tolerance: relative.

    Raises:
        InputError: the threshold does not lie between ``low`` and ``high``.

    Example::

        short = lubrication.ShortBearing(15e-3, 15e-3, 50e-6, viscosity=0.04)
        lubrication.threshold_speed(short, (0, -500.0), mass=51.0, low=50.0, high=2000.0)
    """
    from scipy.optimize import brentq

    checks.positive("mass", mass)
    bearing = Bearing.of(bearing)

    def margin(speed):
        film = equilibrium(bearing, load, speed)
        found = Coefficients.of(film, errors=False)
        return np.log(np.clip(found.critical_mass / mass, 1e-6, 1e6))

    ends = margin(checks.positive("low", low)), margin(checks.positive("high", high))
    if not ends[0] > 0 > ends[1]:
        raise InputError(
            f"threshold_speed: the journal must run quietly at low = {low:g} rad/s and whirl at "
            f"high = {high:g} rad/s; it {_word(ends[0])} and {_word(ends[1])} there."
        )
    return float(brentq(margin, low, high, rtol=tolerance))


def _word(margin: float) -> str:
    return "runs quietly" if margin > 0 else "whirls"
