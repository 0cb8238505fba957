"""Curves of solutions: pseudo-arclength continuation of F(z, parameter) = 0 past folds (Keller).

It is independent of orbits: ``problem(z, parameter)`` returns the residual and its derivatives.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError

logger = logging.getLogger(__name__)

#: residual (as long as z), its derivative by z, by the parameter
Problem = Callable[[np.ndarray, float], tuple[np.ndarray, np.ndarray, np.ndarray]]


class NotConverged(Exception):
    """Newton's method found no solution."""


class Solution(NamedTuple):
    """A point of a curve.

    Attributes:
        z: unknowns.
        parameter: its value.
        tangent: direction of the curve in scaled (z, parameter), a unit vector.
        iterations: of Newton's method.
    """

    z: np.ndarray
    parameter: float
    tangent: np.ndarray
    iterations: int


@dataclass(frozen=True)
class Steps:
    """How a curve is followed. Lengths are in scaled unknowns, of which each has the scale 1.

    Args:
        first, least, most: length of the steps.
        count: most steps that are tried.
        angle: largest angle between the tangents of neighbouring points, rad.
        tolerance: of the scaled residual.
        iterations: most iterations of Newton's method.

    Raises:
        InputError: lengths that are not in the order least, first, most.
    """

    first: float = 0.02
    least: float = 1e-5
    most: float = 0.1
    count: int = 400
    angle: float = 0.3
    tolerance: float = 1e-8
    iterations: int = 8

    def __post_init__(self):
        for name in ("first", "least", "most", "angle", "tolerance"):
            checks.positive(f"Steps.{name}", getattr(self, name))
        if not self.least <= self.first <= self.most:
            raise InputError("Steps: least <= first <= most is needed.")


class Curve:
    """A curve of solutions of ``problem``, in scaled unknowns u = (z / scale, parameter / span).

    Args:
        problem: residual and derivatives.
        scale: size of each unknown, by which residuals are scaled too.
        span: size of the parameter's range.
        steps: lengths of steps, tolerances.

    Example::

        def circle(z, parameter):  # z^2 + parameter^2 = 1: residual, its derivatives
            return z**2 + parameter**2 - 1, np.diag(2 * z), np.array([2 * parameter])

        curve = analysis.Curve(circle, scale=[1.0], span=1.0)
        curve.correct(np.array([0.9, 0.6]), np.array([0.0, 1.0]), 0.6)[0][0]  # 0.8
    """

    def __init__(self, problem: Problem, scale: ArrayLike, span: float, steps: Steps | None = None):
        self.problem, self.steps = problem, steps or Steps()
        self.scale = np.append(np.asarray(scale, float), checks.positive("span", span))
        if not np.all(self.scale > 0):
            raise InputError("the scale of each unknown must be positive.")

    # --- points ---------------------------------------------------------------------------------
    def _evaluate(self, u):
        z = u * self.scale
        residual, by_z, by_parameter = self.problem(z[:-1], float(z[-1]))
        jacobian = np.column_stack([by_z, by_parameter]) * self.scale / self.scale[:-1, None]
        return residual / self.scale[:-1], jacobian

    def correct(self, guess: np.ndarray, row: np.ndarray, value: float) -> tuple[np.ndarray, int]:
        """Newton's method for F(u) = 0 and row . u = value; the last derivatives are kept.

        Raises:
            NotConverged: too many iterations, values that are not finite, a singular matrix.
        """
        u = guess.copy()
        for k in range(self.steps.iterations + 1):
            residual, self.jacobian = self._evaluate(u)
            if not (np.all(np.isfinite(residual)) and np.all(np.isfinite(self.jacobian))):
                raise NotConverged("the residual is not a number (NaN)")
            rest = np.append(residual, row @ u - value)
            if np.max(np.abs(rest)) < self.steps.tolerance:
                return u, k
            try:
                u = u - np.linalg.solve(np.vstack([self.jacobian, row]), rest)
            except np.linalg.LinAlgError as error:
                raise NotConverged(str(error)) from None
        raise NotConverged(f"residual {np.max(np.abs(rest)):.1e} after {k} iterations")

    def _tangent(self, along: np.ndarray) -> np.ndarray:
        """Unit tangent at the last corrected point, on the side of ``along``."""
        right = np.zeros(len(along))
        right[-1] = 1.0
        t = np.linalg.solve(np.vstack([self.jacobian, along]), right)
        return t / np.linalg.norm(t)

    def _solution(self, u, along, iterations) -> Solution:
        z = u * self.scale
        return Solution(z[:-1], float(z[-1]), self._tangent(along), iterations)

    def start(self, z, parameter: float, upwards: bool) -> Solution:
        """The solution at a given parameter, with the tangent towards larger or smaller parameters.

        Raises:
            NotConverged: no solution near the guess.
        """
        fixed = np.zeros(len(self.scale))
        fixed[-1] = 1.0
        guess = np.append(z, parameter) / self.scale
        u, its = self.correct(guess, fixed, guess[-1])
        return self._solution(u, fixed if upwards else -fixed, its)

    def step(self, point: Solution, length: float) -> Solution:
        """The point at a distance along the curve.

        Raises:
            NotConverged: there is none.
        """
        u = np.append(point.z, point.parameter) / self.scale
        guess = u + length * point.tangent
        new, its = self.correct(guess, point.tangent, point.tangent @ guess)
        return self._solution(new, point.tangent, its)

    # --- the curve ------------------------------------------------------------------------------
    def follow(self, first: Solution, low: float, high: float) -> Iterator[tuple[Solution, float]]:
        """Points after ``first``, each with the length of the step that led to it, until the
        parameter leaves ``low ... high``, the curve closes, or the steps are used up."""
        steps, point, length = self.steps, first, self.steps.first
        start = np.append(first.z, first.parameter) / self.scale
        away = False
        for _ in range(steps.count):
            try:
                new = self.step(point, length)
                turn = float(np.arccos(np.clip(new.tangent @ point.tangent, -1, 1)))
                if turn > steps.angle and length > steps.least:
                    raise NotConverged("the curve turns")
            except (NotConverged, InputError, np.linalg.LinAlgError) as reason:
                length /= 2
                if length < steps.least:
                    logger.warning(
                        "continuation stops at parameter %g, because it fails beyond: %s",
                        point.parameter,
                        reason,
                    )
                    return
                continue
            if not low <= new.parameter <= high:
                yield self._edge(point, new, low if new.parameter < low else high), length
                return
            yield new, length
            distance = np.linalg.norm(np.append(new.z, new.parameter) / self.scale - start)
            away |= bool(distance > 3 * steps.most)
            if away and distance < length:
                logger.info("the curve is closed")
                return
            point = new
            easy = new.iterations <= 3 and turn < steps.angle / 2
            length = min(length * (1.5 if easy else 1.0), steps.most)
            if new.iterations > 5:
                length = max(length / 2, steps.least)

    def _edge(self, inside: Solution, outside: Solution, limit: float) -> Solution:
        """The point on the limit between two points, or the one outside if it is not found."""
        part = (limit - inside.parameter) / (outside.parameter - inside.parameter)
        guess = (1 - part) * inside.z + part * outside.z
        try:
            return self.start(guess, limit, outside.parameter > inside.parameter)
        except (NotConverged, np.linalg.LinAlgError):
            return outside

    def locate(
        self, point: Solution, length: float, value: Callable[[Solution], float]
    ) -> Solution:
        """The point within ``length`` along the curve at which ``value`` changes its sign."""
        from scipy.optimize import brentq

        found: dict[float, Solution] = {}

        def at(s):
            if s not in found:
                found[s] = self.step(point, s) if s else point
            return value(found[s])

        s = brentq(at, 0.0, length, xtol=1e-6 * length, rtol=1e-9, maxiter=60)
        at(s)
        return found[s]


def fold(point: Solution) -> float:
    """A value that changes its sign at folds."""
    return float(point.tangent[-1])
