"""Derivatives with respect to the numbers of all cells, from the forms of their kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import ufl

from ..core.component import Component
from ..core.evaluation import Batches
from ..core.forms import compiled
from ..core.mixins import GAP_HISTORY, has_gap
from ..core.state import State
from ..core.symbols import Symbols, total
from ..timestepping.gaps import WATCHED


class Slopes:
    """Derivatives of a form of a component, cell by cell.

    Args:
        state: at which they are evaluated.
        k: index of the component.
        name: of the form.
        rows: number of values of the form in a cell.
        write: returns the form in the symbols of the kind; ``None``: it is zero.
        argument: of the derivative: a test function where the form is a number.
    """

    def __init__(
        self, state: State, k: int, name: str, rows: int, write: Callable[[Symbols], Any],
        argument: Callable[[Any], Any] = ufl.TrialFunction,
    ):  # fmt: skip
        self._state, self._k, self._name, self._rows = state, k, name, rows
        self._write, self._argument, self._kind = write, argument, state.components[k].kind
        self._distributed = [*Symbols(self._kind).distributed]
        self._batches: dict[str, Batches | None] = {}

    @classmethod
    def of_residual(cls, state: State, k: int) -> Slopes:
        """Of the residual, cells x dofs x ..."""
        return cls(state, k, "F", state.components[k].dofs, lambda c: c.residual())

    @classmethod
    def of_observable(cls, state: State, k: int, key: str) -> Slopes:
        """Of an observable, cells x 1 x ..."""
        kind = state.components[k].kind

        def written(c: Symbols):
            return total(c._pieces(kind.observables(c)[key].expression))

        return cls(state, k, key, 1, written, ufl.TestFunction)

    def by(self, field: str) -> np.ndarray:
        """With respect to ``q``, ``v``, ``a`` or ``q_n`` of the cells, cells x rows x dofs."""
        return self._evaluate(field, self._state.components[self._k].dofs)

    def by_numbers(self) -> np.ndarray:
        """With respect to the numbers of the cells that forms read, cells x rows x numbers."""
        found = self._evaluate("p", self._kind.read)
        for name in self._distributed:
            columns = self._kind.columns(name)
            found[:, :, columns] += self._evaluate(name, columns.stop - columns.start)
        return found

    def _evaluate(self, field: str, width: int) -> np.ndarray:
        shape = self._state.components[self._k].count, self._rows, width
        if field not in self._batches:
            self._batches[field] = self._compiled(field, self._rows * width)
        batch = self._batches[field]
        if batch is None:
            return np.zeros(shape)
        return batch.evaluate(self._state.address).reshape(shape).copy()

    def _compiled(self, field: str, size: int) -> Batches | None:
        def written(c: Symbols):
            if (form := self._write(c)) is None:
                return None
            symbol = c.distributed[field] if field in c.distributed else getattr(c, field)
            form = ufl.replace(form, c._values())
            return ufl.derivative(form, symbol, self._argument(symbol.ufl_function_space()))

        problem, name = self._state.problem, f"d {self._name}/d{field}"
        form = compiled(self._kind, self._state.comm, name, written) if size else None
        if form is None:
            return None
        return Batches([problem.work(self._k, form, size)], problem.module)


class CellNumbers:
    """Derivatives of the outputs with respect to the numbers of all cells.

    Args:
        state: of the run's problem, whose array is overwritten.
        count: number of outputs.

    Attributes:
        bars: derivatives for each component, cells x numbers x outputs.
    """

    def __init__(self, state: State, count: int):
        self.state, self.count = state, count
        self.bars = [np.zeros((c.count, c.kind.width, count)) for c in state.components]
        self._slopes: dict[tuple[int, str | None], Slopes] = {}

    def equations(self, array: np.ndarray, mu: np.ndarray) -> None:
        """Add the contribution of the residual at a state, weighted by ``mu``, unknowns x
        outputs."""
        state = self.state
        full = np.zeros((state.total, self.count))
        full[: len(mu)] = mu
        if (condensed := state.problem.condensed) is not None:
            full[condensed.range] = condensed.T @ mu
        state.array[:] = array
        for k, c in enumerate(state.components):
            if c.residual is None:
                continue
            weights = full[state.problem.local_unknowns[k]]
            if has_gap(c.kind) and not c.kind.has_stick_modes:
                weights = weights * (self._depth(k) > 0)[:, None, None]
            self._add(k, None, weights)

    def _depth(self, k: int) -> np.ndarray:
        """Penetrations of the contacts of a component, m, (cells,)."""
        c, place = self.state.components[k], self.state.problem.observers.index(k)
        assert has_gap(c.kind)
        seen: np.ndarray = self.state.observe(place, place + 1)[place]
        return seen[:, list(c.observables).index(c.kind.gap[0])]

    def observed(self, array: np.ndarray, seen: Iterable, bar: np.ndarray) -> None:
        """Add the contribution of observed quantities at a state, weighted by ``bar``, (outputs,);
        see ``Slope.seen``."""
        self.state.array[:] = array
        for k, key, weights in seen:
            self._add(k, key, (weights[:, None] * bar)[:, None])

    def _add(self, k: int, key: str | None, weights: np.ndarray) -> None:
        """Add the weighted derivatives of an observable of a component (``None``: its residual) to
        ``bars``; weights, cells x rows x outputs, that are zero leave out cells whose derivatives
        need not be finite."""
        if (k, key) not in self._slopes:
            of = self.state, k
            made = Slopes.of_residual(*of) if key is None else Slopes.of_observable(*of, key)
            self._slopes[k, key] = made
        used = np.flatnonzero(weights.any(axis=(1, 2)))
        if len(used):
            found = self._slopes[k, key].by_numbers()[used]
            read = self.state.components[k].kind.read
            self.bars[k][used, :read] += np.einsum("crp,crz->cpz", found, weights[used])


def named(c: Component) -> list[str]:
    """Names of the numbers of a component's cells that belong to the model, not to its motion."""
    others = {*c.kind.conventions, *((*WATCHED, *GAP_HISTORY) if has_gap(c.kind) else ())}
    return [name for name in c.kind.parameters if name not in others]
