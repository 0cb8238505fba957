"""What steps pass over and derivatives therefore depend on: reversals of friction, kinks of the
force where a contact ends, and the edges of films."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from ..core.component import Component
from ..lubrication.film.cavitation import Guembel
from ..lubrication.film.facet_film_kind import FacetFilmKind
from ..lubrication.film.kind import FilmKind
from ..lubrication.film.pair_film_kind import PairFilmKind

#: change of the coefficient within a step that a derivative needs to be smaller than, relative to
#: its largest value in the run: with half of it, an error of 0.5 % (docs/sensitivity.md)
CHANGE = 0.5
#: channels of friction, and of laws with internal variables, whose force does not follow the speed
NEEDED, OTHER = ("friction_force", "normal_force", "friction_loss"), ("slipping", "deflection")
#: what limits derivatives of the friction of films with Guembel's condition
EDGE = (
    "%s: the shear of a film with Guembel() jumps where its pressure changes sign, and the "
    "derivative leaves out how this edge moves, so that it may be wrong by several percent, and "
    "more where it is small; use cavitation=Reynolds(), or differences of runs."
)


def passed_over(t: np.ndarray, channels: Mapping[str, np.ndarray]) -> tuple[str, float] | None:
    """The first joint whose friction reverses within a step, in which its coefficient changes too
    much for derivatives, and when, s; ``None``: there is none.

    Args:
        t: the ends of all steps, s, (instants,).
        channels: of the run, by their own names, (instants,).
    """
    found = []
    for name in channels:
        owner, _, key = name.rpartition(".")
        own = [f"{owner}.{each}" for each in NEEDED]
        if key != NEEDED[0] or any(f"{owner}.{each}" in channels for each in OTHER):
            continue
        if all(each in channels for each in own):
            where = _reversals(*(channels[each] for each in own))
            found += [(float(t[k]), owner) for k in where[:1]]
    return min(found)[::-1] if found else None


def _reversals(friction: np.ndarray, load: np.ndarray, loss: np.ndarray) -> np.ndarray:
    """Instants beside reversals within a step in which the coefficient changes too much."""
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficient = np.where(load > 0, np.abs(friction / load), np.nan)
        speed = np.where(load > 0, np.abs(loss / friction), np.nan)
    before, here, behind = speed[:-2], speed[1:-1], speed[2:]
    least = (here <= before) & (here <= behind) & (here < np.fmax(before, behind) / 2)
    change = coefficient[1:-1] + np.fmin(coefficient[:-2], coefficient[2:])
    largest = np.nanmax(coefficient, initial=0.0)
    return 1 + np.flatnonzero(least & (change > CHANGE * largest))


def edged(components: Sequence[Component], channels: Iterable[str]) -> list[str]:
    """Which channels hold shear of films with Guembel's condition. It jumps at the edge where the
    pressure acts, whose motion derivatives at points of quadrature leave out.

    Args:
        components: of the model.
        channels: by their own names.
    """
    owners = [
        owner for c in components
        if isinstance(c.kind, FilmKind | FacetFilmKind | PairFilmKind)
        and issubclass(c.kind.cavitation, Guembel) for owner in c.owners
    ]  # fmt: skip
    sheared = {f"{owner}.power_loss" for owner in owners} | {"power.film"}
    return [name for name in channels if owners and name in sheared]


def released(
    t: np.ndarray, channels: Mapping[str, np.ndarray], ended: Collection[str]
) -> tuple[str, float] | None:
    """The first joint whose normal force has a kink where it becomes zero, and when, s; ``None``:
    there is none. See ``passed_over``.

    Args:
        ended: joints in which a contact has ended.
    """
    found = []
    for owner in ended:
        if (force := channels.get(f"{owner}.normal_force")) is not None:
            found += [(float(t[k]), owner) for k in _kinks(t, force)[:1]]
    return min(found)[::-1] if found else None


def _kinks(t: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Instants before a step in which a force becomes zero at a rate that does not fade. The slopes
    over the two steps before are in the ratio 1 at a kink. A force that fades with the power 3/2 of
    the time left has slopes as the roots of this, a ratio that is the larger the later in the step
    the force becomes zero, but below ``latest``."""
    down, up, step = force[1:-2], force[2:-1], np.diff(t)
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.diff(force) / step
        ratio = slopes[1:-1] / slopes[:-2]
        left = step[2:] + step[1:-1] / 2
        latest = np.sqrt(left / (left + (step[:-2] + step[1:-1]) / 2))
    ends = (force[3:] == 0) & (up > 0) & (down > up) & (slopes[:-2] < 0)
    return 2 + np.flatnonzero(ends & (ratio > (1 + latest) / 2))
