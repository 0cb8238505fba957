"""Derivatives of what is observed in a run: channels, and the gaps of contacts."""

from __future__ import annotations

import numpy as np

from ..core.mixins import has_gap
from ..core.symbols import PER_STEP
from .gradients import Slope
from .linear_run import LENGTH, SPEED, Contact, LinearRun
from .memory import Memory


def gap(run: LinearRun, array: np.ndarray, contact: Contact, sizes: np.ndarray) -> Slope:
    """Derivatives of a weighted sum of penetration, rate and acceleration of a contact.

    Args:
        run: the linearised run.
        array: state array at the instant.
        contact: the contact.
        sizes: factors of penetration, rate and acceleration, (3,).
    """
    i, k = contact
    number = run.contacts[i].component
    c = run.state.components[number]
    assert has_gap(c.kind)
    motion = np.zeros((3, run.n))
    names, observed = list(c.observables), []
    run.state.array[:] = array
    for name, size in zip(c.kind.gap, sizes, strict=True):
        if size:
            weights = np.zeros(c.count)
            weights[k] = size
            motion += run.gradients.of(number, name).at(weights)
            observed.append((number, name, weights))
    position = run.state.problem.observers.index(number)
    keys = [names.index(name) for name in c.kind.gap]
    parameters = np.zeros(run.columns)
    for p, dependence in enumerate(run.dependences):
        for changed in dependence.near:
            changed.see(array)
            seen = changed.state.observe(position, position + 1)[position]
            parameters[p] += changed.factor * (sizes @ seen[k, keys])
    slope = Slope(motion, parameters, {}, array=array, seen=observed)
    run.state.array[:] = array
    for j, each in enumerate(run.memories):
        if each.k == number:
            wanted = {n: z for n, z in zip(c.kind.gap, sizes, strict=True) if z}
            slope.memory[j], _ = each.weigh(wanted, np.arange(c.count) == k)
    if run.contacts[i].modes:  # a load may be a function of time
        at, d = run.state.problem.globals_at, LENGTH * run.steps[0].h
        for side in (1.0, -1.0):
            run.state.array[:] = array
            run.state.array[at] += side * d
            seen = run.state.observe(position, position + 1)[position]
            slope.time += side * float(sizes @ seen[k, keys]) / (2 * d)
    return slope


def channels(run: LinearRun, instant: int, names: list[str], moved: bool) -> dict[str, Slope]:
    """Derivatives of channels at an instant; with ``moved`` also with respect to the instant."""
    array, state = _seen(run, instant), run.state
    state.array[:] = array
    found = {
        n: Slope(
            run.gradients.at(n), np.zeros(run.columns), {},
            array=array, seen=run.gradients.observed(n),
        )
        for n in names
    }  # fmt: skip
    for name in names:
        found[name].parameters += _by_parameters(run, array, name)
    touching = [
        ((each.place, k), int(each.columns["approach"][k]))
        for each in run.contacts
        if not each.modes
        for k in np.flatnonzero(array[each.columns["touching"]] > 0).tolist()
    ]
    for contact, at in touching:
        d = SPEED * abs(array[at])
        for name, slope in _sides(run, array, at, d, names).items():
            if slope:
                found[name].speeds[contact] = slope
    if moved:
        at = state.problem.globals_at
        d = LENGTH * run.steps[max(instant - 1, 0)].h
        for name, slope in _sides(run, array, at, d, names).items():
            found[name].time = slope
    for j, each in enumerate(run.memories):
        for name in names:
            _remembered(run, found[name], name, j, each, instant)
    if moved and run.memories and instant:
        h, at = run.steps[instant - 1].h, state.problem.globals_at + PER_STEP
        for name, slope in _sides(run, array, at, LENGTH / h, names).items():
            found[name].length = -slope / h**2
    state.array[:] = array
    return found


def _seen(run: LinearRun, instant: int) -> np.ndarray:
    """The state array at which channels were observed, which is before memories are updated."""
    array = run.array(instant)
    if not run.memories or not instant or run.steps[instant - 1].restart is not None:
        return array
    array = array.copy()
    for each in run.memories:
        array[each.places] = run.steps[instant - 1].end[each.places]
    return array


def _remembered(
    run: LinearRun, slope: Slope, name: str, j: int, each: Memory, instant: int
) -> None:
    """Add the derivatives of a channel with respect to the memory of a component."""
    array = _seen(run, instant)
    anew = not instant or run.steps[instant - 1].restart is not None
    run.state.array[:] = array
    for k, key, weights in run.gradients.observed(name):
        if k != each.k:
            continue
        memory, start = each.weigh({key: 1.0}, weights)
        # channels that depend on remembered numbers only are observed after the update
        after = anew or not run.gradients.of(k, key).at(weights).any()
        to = slope.memory if after else slope.before
        to[j] = to.get(j, 0.0) + memory
        if not anew:
            slope.start = start if slope.start is None else slope.start + start


def _by_parameters(run: LinearRun, array: np.ndarray, name: str) -> np.ndarray:
    """Direct derivatives of a channel at a state with respect to the parameters."""
    result, state = np.zeros(run.columns), run.state
    state.array[:] = array
    for k, key, weights in run.gradients.observed(name):
        touching = np.zeros(len(weights), bool)
        for each in run.contacts:
            if each.component == k and k in run.by_numbers:
                touching = array[each.columns["touching"]] > 0
        if touching.any():
            result += run.by_numbers[k].observable(key, np.where(touching, weights, 0.0))
        weights = np.where(touching, 0.0, weights)
        if not weights.any():
            continue
        position = state.problem.observers.index(k)
        column = list(state.components[k].observables).index(key)
        for p, dependence in enumerate(run.dependences):
            for changed in dependence.near:
                changed.see(array)
                seen = changed.state.observe(position, position + 1)[position]
                result[p] += changed.factor * (weights @ seen[:, column])
    return result


def motion(run: LinearRun, instant: int) -> np.ndarray:
    """Rates of q, v and a at an instant, 3 x unknowns; the rates of accelerations and algebraic
    unknowns are means over the step that ends there."""
    shape = 3, run.state.total
    _, v, a = run.array(instant)[: 3 * run.state.total].reshape(shape)[:, : run.n]
    result = np.array([v, a, np.zeros(run.n)])
    if instant:
        step = run.steps[instant - 1]
        start, end = (z[: 3 * run.state.total].reshape(shape) for z in (step.start, step.end))
        mean = (end - start)[:, : run.n] / step.h
        result[2] = mean[2]
        result[0] = np.where(run.dynamic > 0, v, mean[0])
    return result


def rate(run: LinearRun, instant: int, slope: Slope) -> float:
    """Rate of an observed quantity at an instant."""
    result = float(np.sum(slope.motion * motion(run, instant))) + slope.time
    if instant:
        step = run.steps[instant - 1]
        for j, weights in slope.memory.items():
            at = run.memories[j].places.ravel()
            result += float(weights @ (step.after[at] - step.end[at])) / step.h
    return result


def _sides(
    run: LinearRun, array: np.ndarray, at: int, d: float, names: list[str]
) -> dict[str, float]:
    """Derivatives of channels with respect to one number of the state, by central differences."""
    found = []
    for side in (1.0, -1.0):
        run.state.array[:] = array
        run.state.array[at] += side * d
        found.append(run.stepper.channels.read().copy())
    slopes = (found[0] - found[1]) / (2 * d)
    return {n: float(slopes[run.gradients.columns[n]]) for n in names}
