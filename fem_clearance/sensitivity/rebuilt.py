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
from typing import NamedTuple

import numpy as np

from ..core.component import Component
from ..core.evaluation import Batches, Sums
from ..core.initial import SystemState, set_to
from ..core.mixins import GAP_HISTORY, ForeseeableChange, has_gap
from ..core.problem import Problem
from ..core.state import State
from ..errors import InputError
from ..model.system import System
from ..timestepping.gaps import WATCHED
from ..timestepping.row_engine import RowEngine
from .contact_numbers import by_forms
from .maps import CENTRAL, Vectors
from .recording import RecordingStepper

#: relative changes of a parameter: of the start of a run, and of the equations of a step
START, NEAR = 1e-3, 1e-6
#: one-sided differences of fourth order, and those of a step of second order
ONE_SIDED = ((0, -25 / 12), (1, 4.0), (2, -3.0), (3, 4 / 3), (4, -1 / 4))
PAIR = ((-1, -0.5), (1, 0.5))
ONE_SIDED_PAIR = ((0, -1.5), (1, 2.0), (2, -0.5))

Build = Callable[[Mapping[str, float]], System]
Begin = Callable[[System], RecordingStepper]


class Close(NamedTuple):
    """A model close by, whose residuals have a part in a derivative.

    Attributes:
        kernels, sums: of its residual.
        array: its state array.
        place: where each number of a state of the run is there; ``None``: in its own place.
        offset: what is added to it.
    """

    kernels: Batches
    sums: Sums
    array: np.ndarray
    place: np.ndarray | None
    offset: np.ndarray


@dataclass
class Changed:
    """The model with one number changed.

    Attributes:
        factor: of what it gives, in the derivative.
        state: numbers of its own.
        offset: what is added to the run's state array.
        place: where each of the run's numbers is in its own state array.
    """

    factor: float
    state: State
    offset: np.ndarray
    place: np.ndarray

    def __post_init__(self):
        problem = self.state.problem
        some = [
            k for k, c in enumerate(problem.components)
            if c.residual is not None and not by_forms(c)
        ]  # fmt: skip
        self._kernels = problem.batches("residual", some, lambda c: c.dofs)
        rows = [np.zeros(0, int), *(problem.local_unknowns[k].ravel() for k in some)]
        to = np.concatenate(rows)
        self._sums = Sums(to, problem.total, self._kernels.out, problem.module)
        self._changing = [
            (c.kind, parameters)
            for c, parameters in zip(self.state.components, self.state.parameters, strict=True)
            if isinstance(c.kind, ForeseeableChange)
        ]

    def residual(self) -> np.ndarray:
        """Rows by the run's local number, without those components that ``by_forms`` names."""
        self.state.follow()
        self._kernels.evaluate(self.state.address)
        rows = self._sums.add()
        if self.state.problem.condensed is not None:
            self.state.problem.condensed.condense(rows)
        return rows[self.place[: self.state.total]]

    def close(self) -> Close:
        """The same for the compiled functions."""
        alike = np.array_equal(self.place, np.arange(len(self.place)))
        place = None if alike else self.place
        return Close(self._kernels, self._sums, self.state.array, place, self.offset)

    def see(self, array: np.ndarray) -> None:
        """Take a state of the run."""
        self.state.array[self.place] = array + self.offset
        for kind, parameters in self._changing:
            kind.select(parameters)

    def rows(self, array: np.ndarray) -> np.ndarray:
        """All rows of the residual at a state of the run, by the run's local number."""
        self.see(array)
        return self.state.residual()[self.place[: self.state.total]]


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
            changed.see(array)
            result += changed.factor * changed.residual()[:n]
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
        self._own = self._start_of(run)

    def by(self, name: str, size: float) -> Dependence:
        """How the run depends on one of the parameters, which is changed by parts of ``size``."""
        with quiet():
            return self._by(name, size)

    def _by(self, name: str, size: float) -> Dependence:
        vectors = self._vectors
        found = []
        for stepper, factor, place in self._around(name, START * size, CENTRAL, ONE_SIDED):
            stepper.start()
            start = at_start(stepper, vectors)[:, place[: self._run.state.local]]
            gaps = [gap_columns(stepper, z) for z in ("approach", "peak", "floor")]
            kept = [stepper.state.array[place[z]] for z in self._kept]
            found.append((factor, start, gaps, kept))
            stepper.destroy()
        start = np.sum([factor * z for factor, z, _, _ in found], axis=0)
        memory = [
            np.sum([factor * kept[i] for factor, _, _, kept in found], axis=0)
            for i in range(len(self._kept))
        ]
        counts = range(len(self._run.event_set.contacts))
        approach, peak, floor = (
            [np.sum([factor * gaps[j][i] for factor, _, gaps, _ in found], axis=0) for i in counts]
            for j in range(3)
        )
        near = self._near(name, NEAR * size, PAIR, ONE_SIDED_PAIR)
        far, constrained = [], self._run.state.problem.constrained
        if self._run.event_set.changing and constrained.any():
            far = self._near(name, START * size, CENTRAL, ONE_SIDED)
        change = np.sum([z.factor * z.offset for z in near], axis=0)
        numbers = [z.copy() for z in self._run.state.problem.parameters(change)]
        return Dependence(
            near, start, approach, peak, floor, numbers, far, constrained, memory
        )  # fmt: skip

    def _near(self, name: str, d: float, central, one_sided) -> list[Changed]:
        near = []
        for stepper, factor, place in self._around(name, d, central, one_sided):
            stepper.prepare()
            offset = self._start_of(stepper)[place] - self._own
            for kept in self._kept:  # follows from step to step
                offset[kept] = 0.0
            near.append(Changed(factor, stepper.state, offset, place))
            stepper.destroy()
        return near

    def _around(self, name: str, d: float, central, one_sided):
        """Steppers of the models around, not started, their factors in a derivative, and where the
        run's numbers are in their states."""
        found = around(lambda by: self._changed(name, by), d, central, one_sided)
        return [(stepper, factor, place) for (stepper, place), factor in found]

    def _changed(self, name: str, by: float) -> tuple[RecordingStepper, np.ndarray]:
        values = {**self._values, name: self._values[name] + by}
        stepper = self._begin(self._build(values))
        stepper.first = self._run.dt
        return stepper, where_alike(self._run.state.problem, stepper.system.assemble(), name)

    def _start_of(self, stepper: RecordingStepper) -> np.ndarray:
        """What of a state array belongs to the model, at the start of a run; the rest is zero."""
        return own_numbers(stepper.state.problem, stepper.initial)


def around[T](
    changed: Callable[[float], T], d: float, central=CENTRAL, one_sided=ONE_SIDED
) -> list[tuple[T, float]]:
    """What ``changed`` makes of changes of a parameter by parts of ``d``, and the factors of each
    in a derivative; to one side where a change goes beyond a bound."""
    last: InputError | None = None
    for points in (central, one_sided, [(-k, -factor) for k, factor in one_sided]):
        try:
            return [(changed(k * d), factor / d) for k, factor in points]
        except OtherModel:
            raise
        except InputError as error:  # beyond a bound of the parameter
            last = error
    assert last is not None
    raise last


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


def own_numbers(problem: Problem, initial: SystemState | None = None) -> np.ndarray:
    """What of a state array belongs to the model, at the start of a run; the rest is zero."""
    state = State(problem)
    set_to(state, initial)
    array, n, total = state.array.copy(), problem.local, problem.total
    array[: 4 * total].reshape(4, total)[:, :n] = 0.0
    array[problem.globals_at : problem.globals_at + 3] = 0.0
    array[problem.globals_at + 6 :] = 0.0
    for c, rows in zip(problem.components, problem.parameters(array), strict=True):
        if has_gap(c.kind):
            for name in (*WATCHED, *GAP_HISTORY):
                c.kind.column(rows, name)[:] = 0.0
    return array


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
    if a.kind == b.kind:
        return a.count == b.count
    return type(a.kind) is type(b.kind) and a.residual is b.residual is None


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
