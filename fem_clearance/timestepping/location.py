"""Locates the onset of a contact inside an adaptive step."""

from __future__ import annotations

from typing import Protocol

from .watch import Watch


class Repeats(Protocol):
    """What can repeat the step just made with another length, see ``Stepper``."""

    watch: Watch
    located: bool

    def repeat(self, h: float) -> bool: ...


def locate(stepper: Repeats, h: float) -> float:
    """Shorten the adaptive step of ``h`` just made, if a contact begins in it, so that it ends
    within an instant after the onset (regula falsi, Illinois variant).

    Returns:
        The length of the step then, ``h`` if no contact begins, 0 if a trial has no solution.
    """
    watch = stepper.watch
    onset = watch.onset(h)
    if onset is None:
        return h
    allowed = watch.instant * onset.speed
    low, high = 0.0, h
    below, above = onset.start - allowed / 2, onset.depth - allowed / 2
    depth, trial, side = onset.depth, h, 0
    for k in range(40):
        if (0 < depth <= allowed and k) or high - low < 1e-12 * h:
            break
        trial = low - below * (high - low) / (above - below)
        trial = min(max(trial, low + 1e-3 * (high - low)), high)
        if not stepper.repeat(trial):
            return 0.0
        depth = watch.deepest_new()
        if depth - allowed / 2 > 0:
            high, above = trial, depth - allowed / 2
            below, side = below / 2 if side > 0 else below, 1
        else:
            low, below = trial, depth - allowed / 2
            above, side = above / 2 if side < 0 else above, -1
    if depth <= 0:  # the depth's round-off is larger than what is allowed: end just behind
        trial = high
        if not stepper.repeat(trial):
            return 0.0
    stepper.located = True
    return trial
