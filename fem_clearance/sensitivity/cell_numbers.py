"""Derivatives with respect to the numbers of all cells, from the forms of their kinds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import ufl

from ..core.component import Component
from ..core.evaluation import Batches
from ..core.forms import Compiled, compiled
from ..core.mixins import GAP_HISTORY, DistributedParameters, has_gap
from ..core.state import State
from ..core.symbols import Symbols, total
from ..timestepping.gaps import WATCHED


def fields_of(component: Component) -> list[str]:
    """Names of the parameters that forms read as fields on the cell."""
    kind = component.kind
    if not isinstance(kind, DistributedParameters):
        return []
    return [*kind.distributed(Symbols(kind).mesh.ufl_cell().cellname)]


def slope_kernel(component: Component, key: str | None, field: str | None) -> Compiled | None:
    """Kernel of the derivative of a kind's residual (dofs x numbers), or of its observable ``key``,
    with respect to the numbers of a cell or of one of its fields; ``None`` without a form."""
    kind = component.kind

    def written(c: Symbols):
        form = c.residual() if key is None else total(
            c._pieces(kind.observables(c)[key].expression)
        )  # fmt: skip
        if form is None:
            return None
        numbers = c.p if field is None else c.distributed[field]
        argument = ufl.TrialFunction if key is None else ufl.TestFunction
        return ufl.derivative(
            ufl.replace(form, c._values()), numbers, argument(numbers.ufl_function_space())
        )

    name = f"d{'F' if key is None else f' {key}'}/dp {field or ''}"
    return compiled(kind, component.comm, name, written)


class Slopes:
    """Derivatives of the residual of a component, or of one of its observables, with respect to the
    numbers of each cell.

    Args:
        state: at which they are evaluated.
        k: number of the component.
        key: of the observable; ``None``: the residual.
    """

    def __init__(self, state: State, k: int, key: str | None = None):
        problem, c = state.problem, state.components[k]
        self._state, self._cells, rows = state, c.count, 1 if key else c.dofs
        self._parts: list[tuple[slice, Batches]] = []
        for field in (None, *fields_of(c)) if c.kind.read else ():
            columns = slice(0, c.kind.read) if field is None else c.kind.columns(field)
            if (form := slope_kernel(c, key, field)) is not None:
                work = problem.work(k, form, rows * (columns.stop - columns.start))
                self._parts.append((columns, Batches([work], problem.module)))

    def into(self, bars: np.ndarray, weights: np.ndarray) -> None:
        """Add the weighted derivatives of each cell to ``bars``.

        Args:
            bars: cells x numbers x outputs.
            weights: cells x rows x outputs; cells whose weights are zero are left out, because
                their derivatives need not be finite.
        """
        used = np.flatnonzero(weights.any(axis=(1, 2)))
        for columns, batches in self._parts if len(used) else ():
            found = batches.evaluate(self._state.address)
            found = found.reshape(self._cells, weights.shape[1], -1)[used]
            bars[used, columns] += np.einsum("crp,crz->cpz", found, weights[used])


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
            self._of(k).into(self.bars[k], weights)

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
            self._of(k, key).into(self.bars[k], (weights[:, None] * bar)[:, None])

    def _of(self, k: int, key: str | None = None) -> Slopes:
        if (k, key) not in self._slopes:
            self._slopes[k, key] = Slopes(self.state, k, key)
        return self._slopes[k, key]


def named(c: Component) -> list[str]:
    """Names of the numbers of a component's cells that belong to the model, not to its motion."""
    written = {*WATCHED, *GAP_HISTORY} if has_gap(c.kind) else set()
    return [name for name in c.kind.parameters if name not in written]
