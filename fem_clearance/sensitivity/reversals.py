"""Reversals of friction that steps pass over, and on which derivatives therefore depend."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

#: change of the coefficient within a step that a derivative needs to be smaller than, relative to
#: its largest value in the run: with half of it, an error of 0.5 % (docs/sensitivity.md)
CHANGE = 0.5
#: channels of friction, and of laws with internal variables, whose force does not follow the speed
NEEDED, OTHER = ("friction_force", "normal_force", "friction_loss"), ("slipping", "deflection")


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
