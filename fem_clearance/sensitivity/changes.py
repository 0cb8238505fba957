"""Foreseen changes of laws: when they come, and how a run goes on after one.

A step ends at the time that ``time_to_change`` foresaw at its start, so that its length follows
from the motion there. The law then jumps, and accelerations and algebraic unknowns are found anew
from two short trial steps of constant acceleration (``StepEngine.restart``), of lengths l:

    F(q + l v + y, v + 2 y / l, 2 y / l^2, p, t + l) = 0,     a = 2 y / l^2,

extrapolated to l = 0. The maps are linear about the recorded trial steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.mixins import ForeseeableChange
from ..errors import InputError
from .gradients import Slope
from .observed import gap
from .record import Step

if TYPE_CHECKING:
    from .linear_run import Contact, LinearRun

#: relative change of an observed number, for central differences of the time that is left
OBSERVED = 1e-6
#: changes are divided by this up to so many times, until the time left changes by less than half
CLOSER, TIMES = 10.0, 8
#: change of the time by the step, for differences
TIME = 1e-3
#: relative difference from the time foreseen within which a step ends at the change foreseen
FAR = 0.1
#: factors of the trial steps, the longer one first
FACTORS = (-1.0, 2.0)


def time_left(run: LinearRun, i: int, at_end: bool = False) -> Slope:
    """How the time until the next change of a law changes, as it is foreseen at the start of a
    step; ``at_end``: with the same factors what is left of it at its end, before the change.

    Raises:
        InputError: the step ends at another time than that foreseen.
    """
    state, step = run.state, run.steps[i]
    state.array[:] = run.array(i)
    k, cell, position, seen = _next(run, step)
    c, near = state.components[k], TIME * step.h
    kind, names = c.kind, list(c.observables)
    assert isinstance(kind, ForeseeableChange)

    def left(parameters: np.ndarray, seen: np.ndarray) -> float:
        columns = dict(zip(names, seen.T, strict=True))
        return float(kind.time_to_change(parameters, columns)[cell])

    own, now = state.parameters[k].copy(), left(state.parameters[k], seen)

    def derivative(sides: Sequence[tuple[float, np.ndarray, np.ndarray]]) -> float:
        """Sum by their factors of the times left at changed numbers and observables."""
        part = 1.0
        for _ in range(TIMES):
            found = [left(own + part * p, seen + part * z) for _, p, z in sides]
            if all(abs(x - now) <= now / 2 for x in found):  # the law has not changed there
                return sum(f * x for (f, _, _), x in zip(sides, found, strict=True)) / part
            part /= CLOSER
        raise InputError(
            f"Sensitivity: {c.owners[c.owner[cell]]}: the time to the change of the "
            f"{kind.label}, {now:.3g} s, has no derivatives; let time_to_change() be smooth until "
            "the law changes, or let the change count as reached a little earlier."
        )

    weights, motion = np.zeros(len(names)), np.zeros((3, run.n))
    for column in range(len(names)):
        change = np.zeros_like(seen)
        d = change[cell, column] = OBSERVED * (abs(seen[cell, column]) or OBSERVED)
        weights[column] = derivative([(z / (2 * d), 0 * own, z * change) for z in (1.0, -1.0)])
    array = step.end if at_end else run.array(i)
    only = np.zeros(c.count)
    for name, weight in zip(names, weights, strict=True):
        if weight:
            only[cell] = weight
            state.array[:] = array
            motion += run.gradients.of(k, name).at(only)
    slope = Slope(motion, np.zeros(run.columns), {})
    for p, dependence in enumerate(run.dependences):
        sides = []
        for changed in dependence.near:
            changed.see(array)
            there = changed.state.observe(position, position + 1)[position]
            slope.parameters[p] += changed.factor * float(weights @ there[cell])
            sides.append((changed.factor, changed.state.parameters[k] - own, 0 * seen))
        slope.parameters[p] += derivative(sides)
    for side in (1.0, -1.0):
        state.array[:] = array
        state.array[state.problem.globals_at] += side * near
        found = state.observe(position, position + 1)[position]
        slope.time += side * float(weights @ found[cell]) / (2 * near)
    state.array[:] = array
    return slope


def located(run: LinearRun, i: int, by_h: np.ndarray) -> tuple[Slope, float]:
    """The number whose zero the end of a step follows from, and how it changes with its length.

    Args:
        by_h: how the vectors at the end change with the length, vectors x unknowns.
    """
    step = run.steps[i]
    if step.onset is not None:
        slope = gap(run, step.end, step.onset, np.array([1.0, 0.0, 0.0]))
    else:
        slope = time_left(run, i, at_end=True)
    return slope, float(np.sum(slope.motion * by_h[:3])) + slope.time


def _next(run: LinearRun, step: Step) -> tuple[int, int, int, np.ndarray]:
    """Which law changes next at the present state, the start of a step: component, cell, place
    among the observed, and what is observed there, cells x observables."""
    state, found = run.state, []
    for position, k in enumerate(state.problem.observers):
        c = state.components[k]
        if isinstance(c.kind, ForeseeableChange) and c.count:
            seen = state.observe(position, position + 1)[position].copy()
            columns = dict(zip(c.observables, seen.T, strict=True))
            left = c.kind.time_to_change(state.parameters[k], columns)
            cell = int(np.argmin(left))
            found.append((float(left[cell]), k, cell, position, seen))
    least = min(found, key=lambda z: z[0])
    if not abs(least[0] - step.h) <= FAR * step.h:
        t = run.state.array[run.state.problem.globals_at]
        raise InputError(
            f"Sensitivity: soon after t = {t:.6g} s a law changed at a time that was not foreseen "
            "(teeth turned back or began at rest), of which derivatives are not available; end the "
            "run before, or let it begin with a motion."
        )
    return least[1:]


class Restarted:
    """The maps of a restart at the end of a step.

    Args:
        run: the recorded run.
        trials: lengths of the trial steps, s, and state arrays at their ends.
    """

    def __init__(self, run: LinearRun, trials: list[tuple[float, np.ndarray]]):
        self.run, self.trials = run, trials
        state = run.state
        self.dynamic = run.dynamic[:, None]
        stays = (run.dynamic > 0) | state.problem.persistent[: run.n]
        self.free = (~stays).astype(float)[:, None]

    def _at(self, length: float, array: np.ndarray) -> tuple[float, float]:
        """Linearise about the end of a trial step; its da/dq and dv/dq."""
        beta, gamma = 2 / length**2, 2 / length
        self.run.linear.at(array, beta, gamma)
        return beta, gamma

    def _contacts(self, i: int) -> list[Contact]:
        """Contacts whose forces depend on their approach speeds, at the end of step ``i``."""
        run = self.run
        return [contact for contact in run.followed(i) if run.carries(i, contact)]

    def tangent(
        self, i: int, Z: np.ndarray, t: np.ndarray, speeds: dict, memory: Sequence[np.ndarray]
    ) -> np.ndarray:
        """Derivatives of the vectors after it.

        Args:
            i: the step, at whose end a law has changed.
            Z: before, vectors x unknowns x parameters.
            t: of the instant, (parameters,).
            speeds: of the approach speeds of contacts.
            memory: derivatives of the memory of each component, numbers x parameters.
        """
        run, D, linear = self.run, self.dynamic, self.run.linear
        result = np.zeros_like(Z)
        result[0], result[1] = Z[0] * (1 - self.free), Z[1]
        contacts = self._contacts(i)
        for factor, (length, array) in zip(FACTORS, self.trials, strict=True):
            beta, _ = self._at(length, array)
            rhs = linear.K @ ((Z[0] + length * Z[1]) * D) + linear.C @ (Z[1] * D)
            if linear.N is not None:
                rhs += linear.N @ Z[0]
            rhs += run.by_parameters(i, 0, array)
            if t.any():
                rhs += np.outer(run.by_time(i, 0, array), t)
            for contact in contacts:
                rhs += np.outer(run.by_speed(i, contact, array), speeds[contact])
            for force, own in zip(run.by_memory(i, 0, array), memory, strict=True):
                rhs += force @ own
            y = linear.solve(-rhs)
            result[2] += factor * beta * y * D
            result[0] += factor * y * self.free
        return result

    def back(self, Z: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """Derivatives with respect to the vectors before it, and the adjoint variables of each
        trial step, unknowns x outputs.

        Args:
            Z: by the vectors after it, vectors x unknowns x outputs.
        """
        D, linear, found = self.dynamic, self.run.linear, []
        result = np.zeros_like(Z)
        result[0], result[1] = Z[0] * (1 - self.free), Z[1]
        for factor, (length, array) in zip(FACTORS, self.trials, strict=True):
            beta, _ = self._at(length, array)
            y = factor * (beta * Z[2] * D + Z[0] * self.free)
            mu = linear.solve(y, transposed=True)
            by_q = linear.K.T @ mu
            result[0] -= by_q * D
            result[1] -= (length * by_q + linear.C.T @ mu) * D
            if linear.N is not None:
                result[0] -= linear.N.T @ mu
            found.append(mu)
        return result, found

    def adjoint(
        self, i: int, Z: np.ndarray, moved: bool
    ) -> tuple[
        np.ndarray, np.ndarray, np.ndarray, dict[Contact, np.ndarray], list[np.ndarray]
    ]:  # fmt: skip
        """Derivatives with respect to the state before it: to its vectors, the parameters, the
        instant, the approach speeds, and the memories of components.

        Args:
            i: the step, at whose end a law has changed.
            Z: see ``back``.
            moved: whether the instant follows from the motion.
        """
        run, (result, mus) = self.run, self.back(Z)
        parameters, time = np.zeros((run.columns, Z.shape[2])), np.zeros(Z.shape[2])
        contacts = self._contacts(i)
        speeds = {contact: np.zeros(Z.shape[2]) for contact in contacts}
        memory = [np.zeros((each.count, Z.shape[2])) for each in run.memories]
        for (_, array), mu in zip(self.trials, mus, strict=True):
            parameters -= run.by_parameters(i, 0, array).T @ mu
            if moved:
                time -= run.by_time(i, 0, array) @ mu
            for contact in contacts:
                speeds[contact] -= run.by_speed(i, contact, array) @ mu
            for force, own in zip(run.by_memory(i, 0, array), memory, strict=True):
                own -= force.T @ mu
        return result, parameters, time, speeds, memory
