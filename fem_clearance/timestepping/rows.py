"""Properties of an integrator that follow from its rows: order, local errors, and the response of
constraints."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..user_code import failure, place_of
from .integrator import CONSTRAINTS, Coefficients, Integrator
from .rotations import TERMS, powers

#: vectors that every scheme has
MOTION = ("q", "v", "a")
#: names that engines keep arrays by
TAKEN = (*MOTION, "old", "masses", "jerk", "prescribed", "taken")
#: steps over which responses are summed up
ANSWERS = 4000
#: lengths of a step and of the one before, s, of which formulas are checked: also of unequal ones,
#: and not of 1 s, the powers of which are all equal
CHECKED = ((1.0, 1.0), (1.0, 0.7), (0.37, 0.8))
#: errors of formulas, relative to the powers of t to which they are applied, that are round-off
EXACT = 1e-9
#: spectral radius of the residual of constraints on positions alone from which it is not damped
UNDAMPED = 1 - 1e-4


class Stage:
    """The coefficients of a stage as arrays.

    Args:
        names: of the own vectors, m.
        number: of the stage.

    Attributes:
        rows: of the own vectors, for a = 0, and of q0 and v0: over q, v, a, own vectors at the
            start and own vectors for a = 0; (m + 2) x (3 + 2 m).
        ends: of the own vectors over q, v and a at the end, m x 3.
        updated: names of those that have a row.
        length: from the start of the step to the end of the stage, s.
    """

    def __init__(self, names: tuple[str, ...], number: int = 0):
        m = len(names)
        self.names, self.number = names, number
        self.rows, self.ends = np.zeros((m + 2, 3 + 2 * m)), np.zeros((m, 3))
        start = {name: k for k, name in enumerate((*MOTION, *names))}
        #: places in rows of own vectors, in their ends, in rows of q0 and v0
        self._start, self._end = start, {f"new {name}": k for k, name in enumerate(MOTION)}
        self._after = start | {f"new {name}": 3 + m + k for k, name in enumerate(names)}

    def set(self, c: Coefficients, h: float) -> Stage:
        """Take the coefficients of a step of ``h``; returns itself."""
        self.beta, self.gamma, self.part, self.length = c.beta, c.gamma, c.part, c.part * h
        self.updated, rows, ends = c.update.keys(), self.rows, self.ends
        rows[:], ends[:] = 0.0, 0.0
        try:
            for k, name in enumerate(self.names):
                if name not in c.update:
                    rows[k, 3 + k] = 1.0
                    continue
                for vector, factor in c.update[name].items():
                    if vector in self._end:
                        ends[k, self._end[vector]] = factor
                    else:
                        rows[k, self._start[vector]] = factor
            for vector, factor in c.q0.items():
                rows[-2, self._after[vector]] = factor
            for vector, factor in c.v0.items():
                rows[-1, self._after[vector]] = factor
        except KeyError as error:
            known = ", ".join(dict.fromkeys((*self._after, *self._end)))
            raise InputError(
                f"integrator: a row has no vector {error}; its vectors are {known}."
            ) from None
        if not self.updated <= set(self.names):
            unknown = min(self.updated - set(self.names))
            raise InputError(f"integrator: update names {unknown!r}, history does not.")
        return self

    @property
    def from_start(self) -> np.ndarray:
        """Rows over q, v, a and own vectors at the start alone, (m + 2) x (3 + m)."""
        m = len(self.ends)
        rows = self.rows[:, : 3 + m].copy()
        rows[m:] += self.rows[m:, 3 + m :] @ self.rows[:m, : 3 + m]
        return rows


def stages_of(integrator: Integrator, h: float, h_old: float) -> list[Stage]:
    """The stages of a step of ``h`` after one of ``h_old``."""
    names, numbers = tuple(integrator.history), range(integrator.stages)
    return [Stage(names, k).set(_coefficients(integrator, h, h_old, k), h) for k in numbers]


def _coefficients(integrator: Integrator, h: float, h_old: float, stage: int) -> Coefficients:
    who = type(integrator)
    try:
        found = integrator.coefficients(h, h_old, stage)
    except InputError:
        raise
    except Exception as error:
        raise failure(f"integrator: {who.__name__}.coefficients", error, place_of(who)) from error
    if not isinstance(found, Coefficients):
        raise InputError(
            f"integrator: {who.__name__}.coefficients must return Coefficients, got {found!r:.60}."
        )
    return found


def defects(integrator: Integrator, stages: list[Stage], h: float, h_old: float) -> np.ndarray:
    """Errors of the formulas of a step for each power of t: those of own vectors, q and v at the
    end of each stage, stages x (m + 2) x TERMS."""
    past, m = list(integrator.history.values()), len(integrator.history)
    found = np.zeros((len(stages), m + 2, TERMS))
    begin, last = 0.0, h_old

    def known(t: float, before: float) -> list[np.ndarray]:
        times = [before if p.ahead is None else t + p.ahead * h for p in past]
        return [powers(at)[p.derivative] for at, p in zip(times, past, strict=True)]

    for w, stage in zip(found, stages, strict=True):
        end = stage.part * h
        start, motion = np.array([*powers(begin), *known(begin, begin - last)]), powers(end)
        values = stage.from_start @ start
        w[:m] = np.reshape(known(end, begin), (m, TERMS)) - values[:m] - stage.ends @ motion
        w[:m][[name not in stage.updated for name in integrator.history]] = 0.0
        w[m] = motion[0] - values[m] - motion[2] / stage.beta
        w[m + 1] = motion[1] - values[m + 1] - stage.gamma / stage.beta * motion[2]
        begin, last = end, end - begin
    return found


def weights(integrator: Integrator, h: float, h_old: float) -> np.ndarray:
    """``defects`` without the round-off of powers for which the formulas are exact."""
    derivatives = np.array([*(p.derivative for p in integrator.history.values()), 0, 1])
    found = _unit_defects(integrator, h_old / h) * h ** (np.arange(TERMS) - derivatives[:, None])
    found[:, :, : integrator.order + 1] = 0.0
    return found


@lru_cache(maxsize=64)
def _unit_defects(integrator: Integrator, ratio: float) -> np.ndarray:
    """``defects`` of a step of 1 s after one of ``ratio``."""
    return defects(integrator, stages_of(integrator, 1.0, ratio), 1.0, ratio)


def _check_order(integrator: Integrator, stages: list[Stage], h: float, h_old: float) -> None:
    """Whether the formulas of a step are of the order that is stated: rates and accelerations must
    be right one power of t further than coordinates, because their errors add up to those of the
    coordinates in as many steps."""
    history, order = integrator.history, integrator.order
    derivatives = [*(past.derivative for past in history.values()), 0, 1]
    for stage, w in zip(stages, defects(integrator, stages, h, h_old), strict=True):
        for name, row, derivative in zip((*history, "q", "v"), w, derivatives, strict=True):
            k = int(np.argmax(np.abs(row[: order + 1 + (derivative > 0)])))
            if not abs(row[k]) < EXACT:
                remedy = "correct it, or state order = 1 (each stage must be of the order)"
                if name in history:
                    remedy = "it must be of the start of the last step or stage, none further back"
                raise InputError(
                    f"integrator: the formula of {name} in stage {stage.number} is not of order "
                    f"{order}: for q = t^{k}/{k}!, a step of {h:g} s after {h_old:g} s is off "
                    f"by {row[k]:.3g}; {remedy}."
                )


def _check_updates(integrator: Integrator, stages: list[Stage]) -> None:
    """Whether own vectors still mean at the end of a step what they are said to: those that lie
    ahead of the present time must move with each stage, others once a step."""
    for name, past in integrator.history.items():
        moved = [name in stage.updated for stage in stages]
        if not (any(moved) if past.ahead is None else moved[-1]):
            when = "updated in no stage" if past.ahead is None else "not updated in the last stage"
            raise InputError(
                f"integrator: {name} is {when}, so that the next step would begin with an "
                "old value; give its row in Coefficients(update=...)."
            )


@lru_cache(maxsize=64)
def _check(integrator: Integrator) -> None:
    for name, past in integrator.history.items():
        if name.split(".")[0] in TAKEN or not name.isidentifier():
            raise InputError(
                f"integrator: no own vector may be called {name!r}; take another name."
            )
        if past.derivative not in (0, 1, 2) or (past.ahead is not None and past.derivative != 2):
            raise InputError(
                f"integrator: {name} must stand for a derivative of 0, 1 or 2 at the start of the "
                f"last step, or of 2 if it is ahead; got {past}."
            )
    if integrator.constraints not in (None, *CONSTRAINTS):
        raise InputError(f"integrator: constraints must be one of {', '.join(CONSTRAINTS)}.")
    order = integrator.order
    if order not in (1, 2):
        raise InputError(f"integrator: order must be 1 or 2, got {order}.")
    for h, h_old in CHECKED:
        stages = stages_of(integrator, h, h_old)
        if stages[-1].part != 1:
            raise InputError("integrator: the last stage must end the step, part = 1.")
        if not all(stage.beta > 0 and stage.gamma > 0 for stage in stages):
            raise InputError("integrator: beta and gamma must be positive.")
        _check_updates(integrator, stages)
        _check_order(integrator, stages, h, h_old)
    halved = defects(integrator, stages_of(integrator, 0.5, 0.35), 0.5, 0.35)[..., order + 1 :]
    if not np.allclose(halved, weights(integrator, 0.5, 0.35)[..., order + 1 :], 1e-9, 1e-15):
        raise InputError(
            "integrator: what its formulas leave must go with a power of the step; write times in "
            "coefficients() as parts of h."
        )


def check(integrator: Integrator) -> None:
    """Check an integrator, once.

    Raises:
        InputError: it is not valid, or its formulas are not of its order.
    """
    try:
        hash(integrator)
    except TypeError:
        raise InputError(
            f"integrator: {type(integrator).__name__} must be a frozen dataclass of plain numbers."
        ) from None
    _check(integrator)


@lru_cache(maxsize=64)
def error_constant(integrator: Integrator) -> float:
    """C: the error of q in a step is C h^p times the derivative of order p = order + 1."""
    m, p = len(integrator.history), integrator.order + 1
    times = [(past.derivative, past.ahead) for past in integrator.history.values()]
    own = [powers(-1.0 if ahead is None else ahead)[d, p] for d, ahead in times]
    z = np.array([*powers(0.0)[:, p], *own])
    for stage in stages_of(integrator, 1.0, 1.0):
        values, a = stage.from_start @ z, powers(stage.part)[2, p]
        motion = [values[m] + a / stage.beta, values[m + 1] + stage.gamma / stage.beta * a, a]
        z = np.array([*motion, *(values[:m] + stage.ends @ motion)])
    return abs(float(powers(1.0)[0, p] - z[0]))


class Steady(NamedTuple):
    """Errors that stay from step to step.

    Attributes:
        decays: whether others decay.
        z: of q, v, a and own vectors at the end of a step.
        off: of the velocities at the end of each stage, before they are held.
    """

    decays: bool
    z: np.ndarray
    off: list[float]


# --- constraints on positions alone ---------------------------------------------------------------
def _recursion(stage: Stage, on_velocities: bool) -> tuple[np.ndarray, np.ndarray]:
    """A and B of z' = A z + B u, where a constraint prescribes q (or v) as u at the end of each
    step; z = (q, v, a, own vectors)."""
    m, known = len(stage.ends), stage.from_start
    by = 1 / stage.gamma if on_velocities else 1.0
    x = -by * known[m + on_velocities]  # and by u: the increment of q over q0
    motion = np.array([known[m] + x, known[m + 1] + stage.gamma * x, stage.beta * x])
    given = by * np.array([1.0, stage.gamma, stage.beta])
    A = np.vstack([motion, known[:m] + stage.ends @ motion])
    return A, np.append(given, stage.ends @ given)


@lru_cache(maxsize=64)
def _steady(integrator: Integrator, power: int, held: bool = False) -> Steady:
    """Errors that stay in steps of 1 s where constraints prescribe positions as t^power / power!;
    ``held``: velocities, too."""
    stages, w = stages_of(integrator, 1.0, 1.0), _unit_defects(integrator, 1.0)[:, :, power]
    m = len(stages[0].ends)

    def step(z: np.ndarray) -> tuple[np.ndarray, list[float]]:
        off = []
        for stage, (*own, q, v) in zip(stages, w, strict=True):
            known = stage.from_start @ z
            x = q - known[m]
            v = known[m + 1] - v + stage.gamma * x
            off.append(float(v))
            left = (0.0, x - v / stage.gamma) if held else (v, x)
            motion = np.array([0.0, left[0], stage.beta * left[1]])
            z = np.append(motion, known[:m] - own + stage.ends @ motion)
        return z, off

    shift, unit = step(np.zeros(3 + m))[0], np.eye(3 + m)
    A = np.array([step(z)[0] - shift for z in unit]).T
    z = np.linalg.lstsq(unit - A, shift)[0]
    return Steady(np.abs(np.linalg.eigvals(A)).max() < UNDAMPED, z, step(z)[1])


def seen(integrator: Integrator) -> list[float]:
    """Part of what each stage with constraints on velocities takes off them that forces see.

    Positions move by q' = v + w, where w closes the constraints on positions. Constraints on
    positions alone leave w in the velocities, so that the rates of small differences of positions,
    as those of a film's gap, agree with the differences. Forces must see such rates.
    """
    left, taken = (_steady(integrator, 3, held).off for held in (False, True))
    return [part / whole if whole else 0.0 for part, whole in zip(left, taken, strict=True)]


@lru_cache(maxsize=64)
def turned(integrator: Integrator, ratio: float, gaps: bool) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the derivatives of turning directors in the formulas of a step of 1 s after one of
    ``ratio``, and the powers of h with which they go, each stages x (m + 3) x TERMS: ``weights``,
    and what forces see in their velocities beside them; zero without ``gaps``."""
    found = np.pad(weights(integrator, 1.0, ratio), ((0, 0), (0, 1), (0, 0)))
    if gaps:
        stages, left = stages_of(integrator, 1.0, ratio), _steady(integrator, 3).off
        for w, off, stage in zip(found, left, stages, strict=True):
            w[-1, 3:] = off * powers(stage.part)[0, :-3]
    derivatives = np.array([*(p.derivative for p in integrator.history.values()), 0, 1, 1])
    return found, np.broadcast_to(np.arange(TERMS) - derivatives[:, None], found.shape)


def damped(integrator: Integrator) -> bool:
    """Whether residuals of constraints on positions alone die out, and constant accelerations are
    right then (with several stages whose own order is lower they need not be)."""
    return _accelerates(integrator, 2)


def accurate(integrator: Integrator) -> bool:
    """Whether multipliers of constraints on positions alone are of the integrator's order: then
    accelerations that grow as t^(order - 1) are right, too."""
    return damped(integrator) and _accelerates(integrator, integrator.order + 1)


def _accelerates(integrator: Integrator, power: int) -> bool:
    """Whether accelerations are right in the end where constraints on positions alone prescribe
    t^power."""
    left = _steady(integrator, power)
    return left.decays and bool(abs(left.z[2]) < EXACT)


@lru_cache(maxsize=64)
def answers(integrator: Integrator, on_velocities: bool = False) -> tuple[float, float]:
    """Response of an integrator of one stage to a constraint on positions (on velocities) that one
    step leaves open by 1: accelerations, in units of da/dq (da/dv). The first number is the sum of
    their sizes, to which many such steps add up at worst; the second is the root of the sum of
    their squares, to which independent errors of many steps, such as round-off, add up. See
    docs/integrators.md."""
    stage = stages_of(integrator, 1.0, 1.0)[0]
    A, z = _recursion(stage, on_velocities)
    found = np.zeros(ANSWERS)
    for k in range(ANSWERS):
        found[k] = z[2]
        z = A @ z
    found /= stage.beta / (stage.gamma if on_velocities else 1.0)
    return float(np.abs(found).sum()), float(np.linalg.norm(found))


def settled(integrator: Integrator, h: float) -> np.ndarray:
    """Steady errors of q, v, a and own vectors at the start of steps of ``h`` where constraints
    prescribe positions with a jerk of 1; zero where others would not decay."""
    found = _steady(integrator, 3)
    if not found.decays:  # velocities are held too
        return np.zeros_like(found.z)
    powers_of_h = 3 - np.array([0, 1, 2, *(p.derivative for p in integrator.history.values())])
    return np.where(np.abs(found.z) > 1e-12, found.z, 0.0) * h**powers_of_h
