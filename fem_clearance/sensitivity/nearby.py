"""Models close by: the run's own equations with other numbers, geometry and tables.

What a parameter changes of a model is a vector of numbers (``numbers_of``). Their derivatives make
any number of models close by, without building one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.component import Component
from ..core.evaluation import Batches, Sums
from ..core.mixins import GAP_HISTORY, ForeseeableChange, has_gap
from ..core.problem import Problem
from ..core.state import State
from ..timestepping.gaps import WATCHED
from .contact_numbers import by_forms


class Close(NamedTuple):
    """A model close by, whose residuals have a part in a derivative.

    Attributes:
        kernels, sums: of its residual.
        array: its state array.
        offset: what is added to that of the run.
    """

    kernels: Batches
    sums: Sums
    array: np.ndarray
    offset: np.ndarray


class Changed:
    """The run's model with its numbers changed.

    Args:
        problem: of the run.
        slope: derivatives of its numbers, see ``numbers_of``.
        by: by how many times these they are changed.
        factor: of what it gives, in the derivative.

    Attributes:
        state: numbers of its own.
        offset: what is added to the run's state array.
    """

    def __init__(self, problem: Problem, slope: np.ndarray, by: float, factor: float):
        components = moved(problem, slope, by)
        some = [
            k for k, (c, mine) in enumerate(zip(components, problem.components, strict=True))
            if c.residual is not None and not by_forms(c)
            and (c is not mine or reads(problem, slope, k))
        ]  # fmt: skip
        if any(c is not mine for c, mine in zip(components, problem.components, strict=True)):
            problem = problem.moved(components)
        self.factor, self.offset = factor, by * slope[: len(problem.start)]
        self.state = State(problem)
        self._kernels = problem.batches("residual", some, lambda c: c.dofs)
        self._sums = problem.summed(some, self._kernels)
        self._changing = [
            (c.kind, parameters)
            for c, parameters in zip(components, self.state.parameters, strict=True)
            if isinstance(c.kind, ForeseeableChange)
        ]

    def see(self, array: np.ndarray) -> None:
        """Take a state of the run."""
        np.add(array, self.offset, out=self.state.array)
        for kind, parameters in self._changing:
            kind.select(parameters)

    def rows(self, array: np.ndarray) -> np.ndarray:
        """The residual at a state of the run, of those components that change, but for those that
        ``by_forms`` names."""
        self.see(array)
        self.state.follow()
        self._kernels.evaluate(self.state.address)
        rows = self._sums.add()
        if self.state.problem.condensed is not None:
            self.state.problem.condensed.condense(rows)
        return rows

    def close(self) -> Close | None:
        """The same for the compiled functions; ``None``: nothing changes."""
        if not self._kernels.count:
            return None
        return Close(self._kernels, self._sums, self.state.array, self.offset)


def own_numbers(state: State) -> np.ndarray:
    """What of a state array belongs to the model, at the start of a run; the rest is zero."""
    problem = state.problem
    array, n, total = state.array.copy(), problem.local, problem.total
    array[: 4 * total].reshape(4, total)[:, :n] = 0.0
    array[problem.globals_at : problem.globals_at + 3] = 0.0
    array[problem.globals_at + 6 :] = 0.0
    for c, rows in zip(problem.components, problem.parameters(array), strict=True):
        if has_gap(c.kind):
            for name in (*WATCHED, *GAP_HISTORY):
                c.kind.column(rows, name)[:] = 0.0
    return array


def numbers_of(state: State, place: np.ndarray) -> np.ndarray:
    """All numbers of a model: those of its state array at the start of a run, coordinates of the
    nodes of its cells, and tables.

    Args:
        state: before the run starts.
        place: where each number of a state array of the run is in this one.
    """
    components = state.problem.components
    others = [z.ravel() for c in components for z in (*nodes_of(c), *c.followed.values())]
    return np.concatenate([own_numbers(state)[place], *others])


def nodes_of(c: Component) -> list[np.ndarray]:
    """Coordinates of the nodes of each group of cells."""
    return [cell.nodes for cell in c.groups]


def moved(problem: Problem, slope: np.ndarray, by: float) -> list[Component]:
    """The components of a model, with the geometry and tables of one close by; see ``Changed``."""
    at, result = len(problem.start), []
    for c in problem.components:
        mine, begin = [*nodes_of(c), *c.followed.values()], at
        ends = begin + np.cumsum([0, *(z.size for z in mine)])
        at = int(ends[-1])
        if slope[begin:at].any():
            near = [
                z + by * slope[a:b].reshape(z.shape)
                for z, a, b in zip(mine, ends[:-1], ends[1:], strict=True)
            ]
            nodes, tables = near[: len(c.groups)], near[len(c.groups) :]
            c = c.moved(nodes, dict(zip(c.followed, tables, strict=True)))
        result.append(c)
    return result


def reads(problem: Problem, slope: np.ndarray, k: int) -> bool:
    """Whether the cells of a component read a number that changes."""
    total, array = problem.total, slope[: len(problem.start)]
    unknowns = array[: 4 * total].reshape(4, total)[:, problem.local_unknowns[k]]
    everyone = array[problem.globals_at :]
    return bool(problem.parameters(array)[k].any() or unknowns.any() or everyone.any())
