"""Journal orbits: a journal without inertia under a load that varies with time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError, StepFailed
from ..closed_forms.journal import ClosedForm
from ..film.film import Film
from .bearing import Bearing
from .place import FilmState, Place

#: iterations of a step, and how often a step that fails is halved
MOST, HALVINGS = 30, 12
#: part of the smallest film that an iteration may close
CLOSE = 0.5


class Orbit(NamedTuple):
    """The path of a journal and its film.

    Attributes:
        time: s, (n,).
        e, V: centre and its velocity, m and m/s, (n, 2).
        load: on the journal, N, (n, 2).
        min_film, max_pressure, max_deformation: m, Pa, m, (n,).
        power_loss: W, (n,).
        films: the stored ones.
    """

    time: np.ndarray
    e: np.ndarray
    V: np.ndarray
    load: np.ndarray
    min_film: np.ndarray
    max_pressure: np.ndarray
    max_deformation: np.ndarray
    power_loss: np.ndarray
    films: list[FilmState]


def orbit(
    bearing: Bearing | Film | ClosedForm, load: Callable[[float], np.ndarray],
    speed: float | Callable[[float], float], time: ArrayLike,
    start: ArrayLike = (0.0, 0.0), *, keep: int = 0, tolerance: float = 1e-8,
) -> Orbit:  # fmt: skip
    """The path on which the film's force balances the load, by the trapezoidal rule and Newton's
    method with the film's exact stiffness and damping.

    Bearing and journal stay parallel. A liner follows the pressure at once, and its velocity, the
    change of its displacement over the step (backward Euler, of first order), squeezes the film, as
    does the compression of a lubricant. Both are at rest at the first time. Films that conserve
    their lubricant are in steady state at each time; bush and journal warm from one to the next.

    Args:
        bearing: at whose centre the load acts; or its film.
        load: of time: force on the journal, N, (2,).
        speed: of the journal relative to the bearing, rad/s, or a function of time.
        time: instants at which the journal is computed, s, (n,).
        start: its centre at the first time, m, (2,).
        keep: store every n-th film; 0: none.
        tolerance: of the force, relative to the largest load so far.

    Raises:
        InputError: times that do not increase.
        StepFailed: no position was found; the message says at which time.
    """
    bearing, time = Bearing.of(bearing), np.asarray(time, float)
    if time.ndim != 1 or len(time) < 2 or np.any(np.diff(time) <= 0):
        raise InputError("orbit: time must contain two or more increasing instants.")
    turning = speed if callable(speed) else lambda t: speed
    e = np.array(checks.vector("orbit: start", start, 2), float)
    size, rows, films = 0.0, [], []

    def balance(t, e_0, V_0, h, before):
        """Place, velocity and film at the end of a step of h to t (h = 0: velocity at e_0)."""
        nonlocal size
        pull = np.asarray(load(t), float)
        size = max(size, float(np.hypot(*pull)))
        V = V_0.copy()
        for _ in range(MOST):
            there = e_0 + h / 2 * (V + V_0)
            place = Place((*there, 0.0), V=(*V, 0.0), Omega=(0, 0, turning(t)))
            film = bearing.attempt(place, before=before, step=h) if h else bearing.attempt(place)
            missing = film.force[:2] + pull
            if np.hypot(*missing) <= tolerance * size:
                bearing.say(film)
                return there, V, film
            slope = film.damping[:2, :2] + h / 2 * film.stiffness[:2, :2]
            step = np.linalg.solve(slope, missing)
            moved = h / 2 * float(np.hypot(*step))
            V = V + step * min(1.0, CLOSE * film.thickness.min() / max(moved, 1e-300))
        raise StepFailed("no position was found at which the force of the film balances the load")

    _, V, film = balance(time[0], e, np.zeros(2), 0.0, None)
    for k, t in enumerate(time):
        if k:
            e, V, film = _advance(balance, time[k - 1], t, e, V, film)
        rows.append((t, *e, *V, *load(t), film.thickness.min(), film.pressure.max(),
                     film.deformation.max(), film.power_loss))  # fmt: skip
        if keep and k % keep == 0:
            films.append(film)
    t, x, y, u, v, F, G, film_, p, w, lost = np.array(rows).T
    e, V, pulls = (np.stack(z, axis=1) for z in ((x, y), (u, v), (F, G)))
    return Orbit(t, e, V, pulls, film_, p, w, lost, films)


def _advance(balance, t_0, t_1, e, V, film):
    """From one time to the next, in shorter steps where that fails."""
    t, h, halved = t_0, t_1 - t_0, 0
    while True:
        end = t_1 if t + h > t_1 - 1e-9 * h else t + h
        try:
            there, rate, found = balance(end, e, V, end - t, film)
        except (InputError, StepFailed) as error:
            halved += 1
            if halved > HALVINGS:
                raise StepFailed(f"orbit: at t = {t:g} s, {error}") from None
            h /= 2
            continue
        t, e, V, film = end, there, rate, found
        if t == t_1:
            return e, V, film
