"""Derivatives of what turning directors add to the formulas of a step, see rotations.py.

The formulas of ``core/compiled/turning.c`` are repeated here for complex numbers: a number's change
by i d with d far below round-off shows its derivative in the imaginary part, exact to round-off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..timestepping import rows
from ..timestepping.integrator import Integrator
from ..timestepping.rotations import SLOW, TERMS, DirectorRotation, powers
from .maps import CENTRAL, CHANGE
from .record import Step

#: change of a number along the imaginary axis
TINY = 1e-30
#: sources: coordinates, rates and accelerations at the start of the step; coordinates and rates
#: before the last step and before the one before that
SOURCES = ("q", "v", "a", "q_1", "v_1", "q_2", "v_2")


def _spin(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Half the sum of d_k x (rate of d_k), ... x 3; of ... x 9."""
    shape = *q.shape[:-1], 3, 3
    return np.cross(q.reshape(shape), v.reshape(shape)).sum(axis=-2) / 2


def _times(w: np.ndarray, d: np.ndarray) -> np.ndarray:
    """w x d for three directors each."""
    crossed = np.cross(w[..., None, :], d.reshape(*d.shape[:-1], 3, 3))
    return crossed.reshape(d.shape)


def added(x: np.ndarray, weights: np.ndarray, last: float, older: float) -> np.ndarray:
    """What turning directors add: rows of weights x ... x bodies x 9.

    Args:
        x: the sources, SOURCES x ... x bodies x 9, perhaps complex.
        weights: of the derivatives, rows x TERMS.
        last, older: lengths of the last step and of the one before, s; 0 without them.
    """
    q, v, a, q_1, v_1, q_2, v_2 = x
    spin = _spin(q, v)
    if older > 0:
        first, second = spin - _spin(q_1, v_1), _spin(q_1, v_1) - _spin(q_2, v_2)
        changes = np.maximum(np.abs(first.real).max(-1), np.abs(second.real).max(-1))
        smooth = (changes < 0.5 * np.abs(spin.real).max(-1))[..., None]
        beta = smooth * 2 * (first / last - second / older) / (last + older)
        alpha = smooth * (first / last + beta * last / 2)
    else:
        alpha, beta = _spin(q, a), np.zeros_like(spin)
    series = [q]
    for k in range(TERMS - 1):
        following = _times(spin, series[k])
        if k > 0:
            following = following + k * _times(alpha, series[k - 1])
        if k > 1:
            following = following + k * (k - 1) / 2 * _times(beta, series[k - 2])
        series.append(following)
    return np.tensordot(weights, np.array(series), 1)


class Turned:
    """What turning directors add to the stages of steps, and its derivatives.

    Args:
        turning: of the run's scheme.
        integrator: of the run.
        moving: whether all its own vectors move with the step.
        steps: of the run.
    """

    def __init__(
        self, turning: DirectorRotation, integrator: Integrator, moving: bool, steps: Sequence[Step]
    ):
        self.places, self._gaps = turning.bodies.places, turning.gaps
        self._integrator, self._moving = integrator, moving
        self._steps, self._total = steps, turning.state.total
        self._past = list(integrator.history.values())

    def sources(self, i: int) -> np.ndarray | None:
        """What directors follow from in a step, SOURCES x bodies x 9; ``None``: none turns by more
        than what is left out."""
        past = [self._steps[max(k, 0)].start for k in (i, i - 1, i - 2)]
        shape = 3, self._total
        now, last, older = (z[: 3 * self._total].reshape(shape)[:, self.places] for z in past)
        fastest = np.max(np.abs(_spin(now[0], now[1])), initial=0.0)
        turns = fastest * self._steps[i].h >= SLOW
        return np.concatenate([now, last[:2], older[:2]]) if turns else None

    def weights(self, h: float, h_old: float | None, stage: int) -> np.ndarray:
        """Of the derivatives, in the rows of a stage: own vectors, q0, v0, and what forces see in
        the velocities."""
        last = h if self._moving or not h_old else h_old
        unit, powers_of_h = rows.turned(self._integrator, last / h, self._gaps)
        found = unit[stage] * h ** powers_of_h[stage]
        if h_old is None and not stage:  # own vectors begin by a Taylor series, which is added to
            made = rows.stages_of(self._integrator, h, last)[0]
            for j, past in enumerate(self._past):
                t = -h if past.ahead is None else past.ahead * h
                beyond = powers(t)[past.derivative].copy()
                beyond[:3] = 0.0
                found[:-1] += np.outer(made.from_start[:, 3 + j], beyond)
        return found

    def slopes(self, i: int, k: int) -> np.ndarray | None:
        """Derivatives of what is added to the start of a stage of a step by the sources, rows x
        bodies x 9 x SOURCES x 9."""
        if (x := self.sources(i)) is None:
            return None
        step, (sources, bodies, nine) = self._steps[i], x.shape
        count = sources * nine
        shifts = 1j * TINY * np.eye(count).reshape(count, sources, 1, nine)
        moved = np.moveaxis(x + shifts, 0, 1)
        weights = self.weights(step.h, step.h_old, k)
        found = added(moved, weights, step.h_old or 0.0, step.h_older or 0.0).imag / TINY
        return np.moveaxis(found.reshape(-1, sources, nine, bodies, nine), (1, 2), (3, 4))

    def seen(self, i: int, k: int, n: int) -> np.ndarray:
        """What forces see in the velocities at the end of a stage, (unknowns,)."""
        result, step = np.zeros(self._total), self._steps[i]
        if self._gaps and (x := self.sources(i)) is not None:
            weights = self.weights(step.h, step.h_old, k)[-1:]
            result[self.places] = added(x, weights, step.h_old or 0.0, step.h_older or 0.0)[0]
        return result[:n]

    def by_length(self, i: int, by_last: bool, n: int) -> np.ndarray:
        """Derivative of what is added to the start of a step of one stage by its length, or by
        that of the step before; rows x unknowns."""
        step, x = self._steps[i], self.sources(i)
        h, h_old, older = step.h, step.h_old or 0.0, step.h_older or 0.0
        result = np.zeros((len(self._past) + 3, self._total))
        if x is None or (by_last and not h_old):
            return result[:, :n]
        d = CHANGE * (h_old if by_last else h)
        for k, factor in CENTRAL:
            length, last = (h, h_old + k * d) if by_last else (h + k * d, h_old)
            weights = self.weights(length, last or None, 0)
            result[:, self.places] += factor / d * added(x, weights, last, older)
        return result[:, :n]
