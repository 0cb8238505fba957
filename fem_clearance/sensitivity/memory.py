"""Memory of kinds from step to step (anchors of friction, worn depths), and its derivatives.

After a step the numbers m of a cell follow from those before it and from the observables z at the
end of the step,

    m' = U(m, z, p),     z = z(q, v, a, q_n, m, p, t, 1 / h),

where U is ``UpdatesParameters.update`` of a kind that treats each cell by itself (``cellwise``), a
NumPy function, whose derivatives are central differences (update_slopes.py); those of z, and of the
residual with respect to m, are derived from the forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..core.mixins import GAP_HISTORY, UpdatesParameters, has_gap
from ..core.observables import Observable
from ..core.state import State
from ..core.symbols import PER_STEP, Symbols
from ..timestepping.gaps import WATCHED
from .cell_numbers import Slopes
from .contact_numbers import by_forms
from .gradients import FIELDS
from .rebuilt import Dependence, quiet
from .record import Step
from .update_slopes import UpdateSlopes

#: change of the time for differences, relative to the step
TIME = 1e-3


def remembering(state: State) -> list[int]:
    """Indices of the components whose forces depend on what ``update`` writes."""
    return [
        k for k in state.problem.observers
        if isinstance(kind := state.components[k].kind, UpdatesParameters) and kind.remembers
    ]  # fmt: skip


def kept(state: State, steps: Sequence[Step]) -> list[Memory]:
    """Memories of the components of a run that have any."""
    found = [Memory(state, k, steps) for k in remembering(state)]
    return [each for each in found if each.count]


class Update(NamedTuple):
    """Derivatives of the remembered numbers after a step, in the order cells x columns.

    Attributes:
        motion: with respect to q, v and a at its end, three matrices, numbers x unknowns.
        start: with respect to q at its start, numbers x unknowns.
        before: with respect to the numbers before it, numbers x numbers.
        parameters: directly with respect to the parameters, numbers x parameters.
        time, length: with respect to the time at its end and to its length, (numbers,).
    """

    motion: list[csr_matrix]
    start: csr_matrix
    before: csr_matrix
    parameters: np.ndarray
    time: np.ndarray
    length: np.ndarray


class Memory:
    """Memory of a component.

    Args:
        state: whose array is overwritten.
        k: index of the component.
        steps: of the run.

    Attributes:
        columns: indices of a cell's numbers that change at the start of the run or during it.
        places: their positions in a state array, cells x columns.
    """

    def __init__(self, state: State, k: int, steps: Sequence[Step]):
        self.state, self.k = state, k
        c, problem = state.components[k], state.problem
        assert isinstance(c.kind, UpdatesParameters)
        self.component, self.kind = c, c.kind
        self.position = problem.observers.index(k)
        self.unknowns, at = problem.local_unknowns[k], problem.offsets[k]
        rows = slice(at, at + c.count * c.kind.width)
        # what the start of the run has changed already, such as what slips at once
        changed = (
            (problem.parameters(problem.start)[k] != steps[0].start[rows].reshape(c.count, -1)).any(
                axis=0
            )
            if steps
            else np.zeros(c.kind.width, bool)
        )
        sizes = np.zeros(c.kind.width)
        for step in steps:
            end, after = (z[rows].reshape(c.count, -1) for z in (step.end, step.after))
            changed |= (end != after).any(axis=0)
            sizes = np.maximum(sizes, np.abs(after).max(axis=0, initial=0.0))
        if has_gap(c.kind):  # approach.py follows these
            for name in (*WATCHED, *GAP_HISTORY):
                changed[c.kind.columns(name)] = False
        self.columns = np.flatnonzero(changed)
        self.places = at + c.kind.width * np.arange(c.count)[:, None] + self.columns
        self.count = self.places.size
        #: those of ``columns`` that forms read
        self._known = np.flatnonzero(self.columns < c.kind.read)
        self._rows = np.zeros((c.count, c.kind.width))
        self._slopes = UpdateSlopes(self.kind, self.columns, sizes, self._rows)
        self._needed = self._read()
        self._sights: dict[tuple[str, ...], tuple[Slopes, list[int]]] = {}
        self._force = Slopes.of_residual(state, k)

    def _read(self) -> list[str]:
        """Names of the observables that ``update`` reads."""

        class Watched(dict):
            """Notes what is looked up."""

            read: set[str] = set()

            def __getitem__(self, name):
                self.read.add(name)
                return super().__getitem__(name)

        seen = Watched(self._seen())
        seen.read = set()
        self._rows[:] = self.state.parameters[self.k]
        self.kind.update(self._rows, seen)
        return [name for name in self.component.observables if name in seen.read]

    def _seen(self) -> dict[str, np.ndarray]:
        """Observables at the present state, by name, (cells,)."""
        values = self.state.observe(self.position, self.position + 1)[self.position]
        return dict(zip(self.component.observables, values.T.copy(), strict=True))

    # --- forms ------------------------------------------------------------------------------------
    def force(self) -> csr_matrix:
        """dF/dm at the present state, unknowns x numbers."""
        blocks = self._own(self._force.by_numbers())
        spread = self._spread(blocks.transpose(0, 2, 1))
        return (self._picked().T @ spread).T.tocsr()

    def _own(self, by_numbers: np.ndarray) -> np.ndarray:
        """The part of derivatives with respect to numbers that belongs to those remembered ones
        that forms read."""
        return by_numbers[..., self.columns[self._known]]

    def _picked(self) -> csr_matrix:
        """Picks what forms read of the remembered numbers."""
        cells, count = self.component.count, len(self.columns)
        at = (count * np.arange(cells)[:, None] + self._known).ravel()
        return csr_matrix((np.ones(len(at)), (np.arange(len(at)), at)), (len(at), self.count))

    def _sight(self, names: Sequence[str]) -> tuple[Slopes, list[int]]:
        """Derivatives of some observables, and their rows."""
        if (key := tuple(names)) not in self._sights:
            wanted = {*(name.split(".")[0] for name in names)}

            def some(c: Symbols) -> dict[str, Observable]:
                every = self.kind.observables(c)
                found = {n: o for n, o in every.items() if n in wanted}
                if all(o.points for o in found.values()):  # one at least of the whole cell
                    found |= dict([next((n, o) for n, o in every.items() if not o.points)])
                return found

            c = Symbols(self.kind)
            order = [*c.columns(some(c))]
            slopes = Slopes(
                self.state, self.k, f"({', '.join(sorted(wanted))})", len(order),
                lambda c: c.observation(some(c)),
            )  # fmt: skip
            self._sights[key] = slopes, [order.index(name) for name in names]
        return self._sights[key]

    def weigh(self, sizes: dict[str, float], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of a weighted sum of observables at the present state.

        Args:
            sizes: weights of the observables, by name.
            weights: weights of the cells, (cells,).

        Returns:
            With respect to the remembered numbers, (numbers,), and to q at the start of the step,
            (unknowns,).
        """
        slopes, rows = self._sight([*sizes])
        factors, used = np.array([*sizes.values()]), np.flatnonzero(weights)
        found = []
        for blocks in (self._own(slopes.by_numbers()), slopes.by("q_n")):
            result = np.zeros((blocks.shape[0], blocks.shape[2]))
            for cell in used:  # others need not be finite
                result[cell] = weights[cell] * factors @ blocks[cell, rows]
            found.append(result)
        start = np.asarray(self._spread(found[1][:, None]).sum(axis=0)).ravel()
        return self._picked().T @ found[0].ravel(), start

    def _spread(self, blocks: np.ndarray) -> csr_matrix:
        """Blocks of the cells, cells x rows x dofs, as a matrix (cells * rows) x unknowns."""
        state, (cells, rows, dofs) = self.state, blocks.shape
        at = np.arange(cells * rows).repeat(dofs)
        to = np.repeat(self.unknowns[:, None], rows, axis=1).ravel()
        shape = cells * rows, state.total
        found = csr_matrix((blocks.ravel(), (at, to)), shape)
        if (condensed := state.problem.condensed) is not None:
            own = condensed.range
            return found[:, : state.local] + found[:, own.start : own.stop] @ condensed.T
        return found[:, : state.local]

    # --- a step -----------------------------------------------------------------------------------
    def update(self, step: Step, dependences: Sequence[Dependence]) -> Update:
        """Derivatives of the remembered numbers after a step."""
        state = self.state
        state.array[:] = step.end
        rows, seen = state.parameters[self.k].copy(), self._seen()
        numbers = np.array([d.numbers[self.k] for d in dependences])
        slopes, used = self._slopes, numbers.any(axis=(0, 1))
        used[self.columns] = False  # these depend on the parameters by ``before``
        others = np.flatnonzero(used)
        with quiet():
            by_own = slopes.by_own(rows, seen)
            by_others = [slopes.by_number(rows, seen, int(j)) for j in others]
            by_seen = np.stack(
                [slopes.by_observable(rows, seen, name) for name in self._needed], axis=2
            )
        counts = by_seen.any(axis=1)
        state.array[:] = step.end
        sight, at = self._sight(self._needed)
        # entries that have no influence need not be finite
        by_read, *motion = (
            np.where(counts[..., None], z[:, at], 0.0)
            for z in (sight.by_numbers(), *map(sight.by, (*FIELDS, "q_n")))
        )
        spread = [self._spread(by_seen @ z) for z in motion]
        before = by_own + self._blocks(by_seen @ self._own(by_read)) @ self._picked()
        direct = np.zeros((*by_seen.shape[:2], len(dependences)))
        for j, by_other in zip(others, by_others, strict=True):
            direct += by_other[:, :, None] * numbers[:, :, j].T[:, None]
        if by_forms(self.component):
            some = np.flatnonzero(numbers[:, :, : self.kind.read].any(axis=(0, 1)))
            changes = by_read[:, :, some] @ numbers[:, :, some].transpose(1, 2, 0)
        else:
            changes = self._nearby(step, dependences)
        direct += by_seen @ np.where(counts[..., None], changes, 0.0)
        time, length = self._by_globals(step)
        return Update(
            spread[:3], spread[3], before, direct.reshape(self.count, -1),
            *(np.einsum("cij,cj->ci", by_seen, z).ravel() for z in (time, length)),
        )  # fmt: skip

    def _nearby(self, step: Step, dependences: Sequence[Dependence]) -> np.ndarray:
        """Derivatives of what ``update`` reads with respect to the parameters, cells x observables
        x parameters."""
        names = [*self.component.observables]
        columns = [names.index(n) for n in self._needed]
        result = np.zeros((self.component.count, len(columns), len(dependences)))
        for p, dependence in enumerate(dependences):
            for changed in dependence.near:
                changed.see(step.end)
                own = changed.state.observe(self.position, self.position + 1)[self.position]
                result[:, :, p] += changed.factor * own[:, columns]
        return result

    def _by_globals(self, step: Step) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of what ``update`` reads with respect to the time and the length of the step,
        cells x observables each."""
        state, at = self.state, self.state.problem.globals_at
        found = []
        for place, d, factor in (
            (at, TIME * step.h, 1.0), (at + PER_STEP, TIME / step.h, -1 / step.h**2)
        ):  # fmt: skip
            sides = []
            for side in (1.0, -1.0):
                state.array[:] = step.end
                state.array[place] += side * d
                seen = self._seen()
                sides.append(np.stack([seen[n] for n in self._needed], axis=1))
            found.append(factor * (sides[0] - sides[1]) / (2 * d))
        return found[0], found[1]

    def _blocks(self, blocks: np.ndarray) -> csr_matrix:
        """Block-diagonal matrix with one block for each cell."""
        cells, rows, columns = blocks.shape
        at = np.arange(cells * rows).repeat(columns)
        to = columns * np.arange(cells)[:, None, None] + np.arange(columns)
        to = np.broadcast_to(to, blocks.shape).ravel()
        return csr_matrix((blocks.ravel(), (at, to)), (cells * rows, cells * columns))
