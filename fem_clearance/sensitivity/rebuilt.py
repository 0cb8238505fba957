"""How a model and the start of its runs change with the parameters.

The model is built again with numbers close by, so that no item needs to know of this: what the
start of a run has become is differenced, and the equations of a step are evaluated by the forms,
geometry and parameters of the changed models.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ..core.component import Component
from ..core.initial import set_to
from ..core.problem import Problem
from ..core.state import State
from ..errors import InputError
from ..model.system import System
from ..timestepping.row_engine import RowEngine
from .maps import CENTRAL, Vectors
from .nearby import Changed, nodes_of, numbers_of
from .recording import RecordingStepper

#: relative changes of a parameter: of models that are built, and of the equations of a step (and of
#: models whose numbers have a kink within the former)
START, NEAR = 1e-3, 2e-5
#: part of a derivative by which differences of fourth and of second order differ where a number of
#: the model has a kink; part of a number that is round-off
BENT, ROUND = 1e-2, 1e-14
#: part of the largest derivative of rows of a class by which the same differences may differ where
#: those of second order are taken
EVEN = 1e-10
#: one-sided differences of fourth order
ONE_SIDED = ((0, -25 / 12), (1, 4.0), (2, -3.0), (3, 4 / 3), (4, -1 / 4))

Build = Callable[[Mapping[str, float]], System]
Begin = Callable[[System], RecordingStepper]


@dataclass
class Dependence:
    """How a run depends on one parameter.

    Attributes:
        near: changed models, whose sum by their factors is the derivative.
        start: derivatives of the vectors at the start of the run, vectors x unknowns.
        approach, peak: of the approach speeds (and largest speeds of the phase) of the contacts at
            the start, of each component that is watched.
        floor: of their least approach speeds.
        numbers: derivatives of the numbers of the cells, of each component.
        far: models further off for the rows of constraints, which are free of kinks: where laws
            change, the square of short trial steps divides their round-off; else none.
        constrained: rows of constraints, (unknowns,).
        memory: derivatives of the memory of each component at the start, (numbers,).
    """

    near: list[Changed]
    start: np.ndarray
    approach: list[np.ndarray]
    peak: list[np.ndarray]
    floor: list[np.ndarray]
    numbers: list[np.ndarray]
    far: list[Changed]
    constrained: np.ndarray
    memory: list[np.ndarray]

    def residual(self, array: np.ndarray, n: int) -> np.ndarray:
        """dF/d(parameter) at a state of the run, (unknowns,), but for what ``by_forms`` says."""
        result = self._sum(self.near, array, n)
        if self.far:
            result = np.where(self.constrained[:n], self._sum(self.far, array, n), result)
        return result

    def _sum(self, models: list[Changed], array: np.ndarray, n: int) -> np.ndarray:
        result = np.zeros(n)
        for changed in models:
            result += changed.factor * changed.rows(array)[:n]
        return result


def at_start(stepper: RecordingStepper, vectors: Vectors) -> np.ndarray:
    """The vectors at the start of a run, vectors x unknowns."""
    state, scheme = stepper.state, stepper.scheme
    assert isinstance(scheme, RowEngine)
    n = state.local
    result = np.zeros((vectors.count, n))
    result[:3] = state.q[:n], state.v[:n], state.a[:n]
    result[vectors.jerk], result[vectors.prescribed] = scheme.jerk, scheme.prescribed
    return result


def gap_columns(stepper: RecordingStepper, name: str) -> list[np.ndarray]:
    """A number of the contacts, of each component that is watched."""
    return [np.array(getattr(each, name)) for each in stepper.event_set.contacts]


class OtherModel(InputError):
    """A number changes what a model consists of."""


class Rebuilt:
    """Derivatives of a model by its parameters.

    Args:
        build: makes the system for given values.
        begin: makes the stepper of a run of it, not started.
        run: the started stepper of the run itself.
        values: the parameters' values.
        kept: positions of the memory of each component in a state array.

    Raises:
        InputError: a number that changes what the model consists of.
    """

    def __init__(
        self, build: Build, begin: Begin, run: RecordingStepper, values: Mapping[str, float],
        kept: Sequence[np.ndarray],
    ):  # fmt: skip
        self._build, self._begin, self._run, self._values = build, begin, run, dict(values)
        self._kept = kept
        self._vectors = Vectors(run.integrator)
        mine = State(run.state.problem)
        set_to(mine, run.initial)
        self._own = numbers_of(mine, np.arange(len(mine.array)))

    def by(self, name: str, size: float) -> Dependence:
        """How the run depends on one of the parameters, which is changed by parts of ``size``."""
        with quiet():
            return self._by(name, size)

    def _by(self, name: str, size: float) -> Dependence:
        for part in (START, NEAR):
            found = around(lambda by: (by, self._begun(name, by)), part * size)
            factors, ((last, _), _) = [f for _, f in found], found[-1]
            (numbers, second), *others = (
                orders(z, factors) for z in zip(*(z for (_, z), _ in found), strict=True)
            )
            bent = np.abs(numbers - second) > BENT * np.abs(numbers)
            bent &= part * size * np.abs(numbers) > ROUND * np.maximum(np.abs(self._own), 1.0)
            if not bent.any():
                break
        side = 0 if len(found) == len(CENTRAL) else np.sign(last)

        def models(d: float) -> list[Changed]:
            points = [(side * k, side * f) for k, f in ONE_SIDED] if side else CENTRAL
            return [Changed(problem, numbers, k * d, f / d) for k, f in points]

        event_set, problem = self._run.event_set, self._run.state.problem
        near: list[Changed] = []
        far: list[Changed] = []
        if numbers.any():
            near = self._needed(models(NEAR * size))
            if event_set.changing and problem.constrained.any():
                far = models(START * size)
        start, *rest = (fourth for fourth, _ in others)
        count = len(event_set.contacts)
        approach, peak, floor = (rest[j * count : (j + 1) * count] for j in range(3))
        return Dependence(
            near, start, approach, peak, floor, problem.parameters(numbers[: len(problem.start)]),
            far, problem.constrained, rest[3 * count :],
        )  # fmt: skip

    def _needed(self, near: list[Changed]) -> list[Changed]:
        """Of models around those two that are next, where their differences are as good as those of
        all, as by numbers in which the equations are linear."""
        if len(near) > len(CENTRAL):
            return near
        problem, steps = self._run.state.problem, self._run.record
        for i in {0, len(steps) // 2, len(steps) - 1}:
            rows = [changed.rows(steps[i].end)[: problem.local] for changed in near]
            fourth, second = orders(rows, [changed.factor for changed in near])
            sizes = problem.largest(np.abs(fourth), len(problem.row_names))
            if np.any(np.abs(fourth - second) > EVEN * sizes[problem.row_class[: problem.local]]):
                return near
        pair = near[:2]
        for changed in pair:
            changed.factor *= 0.75
        return pair

    def _begun(self, name: str, by: float) -> list[np.ndarray]:
        """Of a model with a parameter changed, and of the start of its run, by the run's own
        numbering: numbers of the model, less those of the run's; vectors; approach speeds, largest
        and least ones of each component that is watched; memories."""
        run, values = self._run, {**self._values, name: self._values[name] + by}
        stepper, change = self._begin(self._build(values)), np.zeros_like(self._own)
        stepper.first = run.dt
        place = where_alike(run.state.problem, stepper.system.assemble(), name)

        def look(prepared: RecordingStepper) -> None:
            change[:] = numbers_of(prepared.state, place) - self._own

        stepper.look = look
        stepper.start()
        for kept in self._kept:  # follows from step to step
            change[kept] = 0.0
        start = at_start(stepper, self._vectors)[:, place[: run.state.local]]
        gaps = [z for n in ("approach", "peak", "floor") for z in gap_columns(stepper, n)]
        memories = [stepper.state.array[place[z]] for z in self._kept]
        stepper.destroy()
        return [change, start, *gaps, *memories]


def around[T](changed: Callable[[float], T], d: float) -> list[tuple[T, float]]:
    """What ``changed`` makes of changes of a parameter by parts of ``d``, and the factors of each
    in a derivative; to one side where a change goes beyond a bound."""
    last: InputError | None = None
    found: dict[int, T] = {}
    for points in (CENTRAL, ONE_SIDED, [(-k, -factor) for k, factor in ONE_SIDED]):
        try:
            for k, _ in points:
                if k not in found:
                    found[k] = changed(k * d)
            return [(found[k], factor / d) for k, factor in points]
        except OtherModel:
            raise
        except InputError as error:  # beyond a bound of the parameter
            last = error
    assert last is not None
    raise last


def orders(values: Sequence[np.ndarray], factors: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Differences of fourth and second order of values as ``around`` places them."""
    fourth = sum(f * z for f, z in zip(factors, values, strict=True))
    if len(values) == 4:
        second = 0.75 * (factors[0] * values[0] + factors[1] * values[1])
    else:
        second = factors[1] / 4 * (2 * values[1] - 1.5 * values[0] - 0.5 * values[2])
    return np.asarray(fourth), second


def where_alike(mine: Problem, other: Problem, name: str) -> np.ndarray:
    """Where each number of a state array is in that of a model that a parameter has changed, see
    ``places``.

    Raises:
        OtherModel: the problems differ in what they consist of, not in numbers alone.
    """
    place = None
    if (
        len(mine.components) == len(other.components)
        and all(map(alike, mine.components, other.components))
        and len(mine.start) == len(other.start) and mine.local == other.local
    ):  # fmt: skip
        place = places(mine, other)
    if place is None:
        raise OtherModel(
            f"{name} changes what the model consists of (its bodies, elements or laws), not "
            "numbers alone: there is no derivative by it."
        )
    if not same_responses(mine, other):
        raise OtherModel(
            f"{name} changes the responses of a condensed solid, by which derivatives are not "
            "known; take Solid in its place."
        )
    return place


def check_alike(mine: Problem, other: Problem, name: str) -> None:
    """Refuse a parameter that changes more than numbers, or the order of the unknowns.

    Raises:
        OtherModel: the problems differ in more than numbers.
    """
    place = where_alike(mine, other, name)
    if not np.array_equal(place, np.arange(len(place))):
        raise OtherModel(
            f"{name} changes the order of the unknowns, by which derivatives of steady states are "
            "not known; give the nodes of the body at the places that it has now."
        )


def places(mine: Problem, other: Problem) -> np.ndarray | None:
    """Where each number of a state array is in that of another problem of the same cells, whose
    unknowns may be numbered otherwise; ``None`` if their cells are glued otherwise."""
    n, total = mine.local, mine.total
    result = np.arange(len(mine.start))
    unknown = result[:total].copy()
    for a, b in zip(mine.local_unknowns, other.local_unknowns, strict=True):
        if a.shape != b.shape:
            return None
        unknown[a] = b
    again = all(
        np.array_equal(unknown[a], b)
        for a, b in zip(mine.local_unknowns, other.local_unknowns, strict=True)
    )
    free = np.array_equal(np.sort(unknown[:n]), np.arange(n))
    if not (again and free and np.array_equal(np.sort(unknown), np.arange(total))):
        return None
    for field in range(4):
        result[field * total : (field + 1) * total] = field * total + unknown
    return result


def same_responses(mine: Problem, other: Problem) -> bool:
    """Whether condensed displacements follow their amplitudes in the same way."""
    if mine.condensed is None or other.condensed is None:
        return mine.condensed is other.condensed
    a, b = mine.condensed.T, other.condensed.T
    return a.shape == b.shape and abs(a - b).max() <= 1e-12 * abs(a).max()


def alike(a: Component, b: Component) -> bool:
    """Whether two components are the same, up to the numbers of their cells; those of kinds that
    only observe may differ too, as a thickness of which they warn."""
    shapes = [
        [c.count, *c.followed, *(z.shape for z in (*nodes_of(c), *c.followed.values()))]
        for c in (a, b)
    ]
    if shapes[0] != shapes[1] or type(a.kind) is not type(b.kind):
        return False
    return a.kind == b.kind or (a.residual is b.residual is None and a.formulas == b.formulas)


@contextmanager
def quiet() -> Iterator[None]:
    """Within, what was said of the model once is not said again of those close by."""
    package = logging.getLogger("fem_clearance")
    before = package.level
    package.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        package.setLevel(before)
