"""What kinds remember from step to step (anchors of friction, worn depths), and its derivatives.

After a step the numbers m of a cell follow from those before it and from what is observed at its
end,

    m' = U(m, z, p),     z = z(q, v, a, q_n, m, p, t, 1 / h),

where U is ``UpdatesParameters.update`` of a kind that treats each cell by itself (``cellwise``). U
is NumPy, piecewise a product or a ratio of a few numbers: its derivatives are central differences,
of all cells at once. Those of z, and of the residual by m, are derived from the forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import ufl
from scipy.sparse import csr_matrix

from ..core.forms import compiled
from ..core.mixins import GAP_HISTORY, UpdatesParameters, has_gap
from ..core.state import State
from ..core.symbols import PER_STEP, Symbols
from ..timestepping.gaps import WATCHED
from .contact_numbers import by_forms
from .gradients import FIELDS
from .rebuilt import Dependence
from .recording import Step

#: relative change of a number, for central differences of ``update``: no number changes its sign
CHANGE = 1e-6
#: change of the time by the step, for differences
TIME = 1e-3


def remembering(state: State) -> list[int]:
    """Numbers of the components whose forces follow what ``update`` writes."""
    return [
        k for k in state.problem.observers
        if isinstance(kind := state.components[k].kind, UpdatesParameters) and kind.remembers
    ]  # fmt: skip


def kept(state: State, steps: Sequence[Step]) -> list[Memory]:
    """What the components of a run remember, as far as there is anything."""
    found = [Memory(state, k, steps) for k in remembering(state)]
    return [each for each in found if each.count]


class Update(NamedTuple):
    """The derivatives of the numbers after a step, in the order cells x columns.

    Attributes:
        motion: by q, v and a at its end, 3 x (numbers x unknowns).
        start: by q at its start; ``before``: by the numbers before it.
        parameters: by the parameters directly, numbers x parameters.
        time, length: by the time at its end, and by its length, (numbers,).
    """

    motion: list[csr_matrix]
    start: csr_matrix
    before: csr_matrix
    parameters: np.ndarray
    time: np.ndarray
    length: np.ndarray


class Sight(NamedTuple):
    """How observables of a component change, cells x observables x what they change with.

    Attributes:
        motion: with q, v, a and q_n of the cells, 4 x (... x dofs).
        numbers: with all numbers that forms read, ... x read.
    """

    motion: list[np.ndarray]
    numbers: np.ndarray


class Memory:
    """What one component remembers.

    Args:
        state: whose array is written.
        k: number of the component.
        steps: of the run.

    Attributes:
        columns: those of a cell's numbers that change in the run.
        places: where they are in a state array, cells x columns.
    """

    def __init__(self, state: State, k: int, steps: Sequence[Step]):
        self.state, self.k = state, k
        c, problem = state.components[k], state.problem
        assert isinstance(c.kind, UpdatesParameters)
        self.component, self.kind = c, c.kind
        self.position = problem.observers.index(k)
        self.unknowns, at = problem.local_unknowns[k], problem.offsets[k]
        rows = slice(at, at + c.count * c.kind.width)
        changed, self._size = np.zeros(c.kind.width, bool), np.zeros(c.kind.width)
        for step in steps:
            end, after = (z[rows].reshape(c.count, -1) for z in (step.end, step.after))
            changed |= (end != after).any(axis=0)
            self._size = np.maximum(self._size, np.abs(after).max(axis=0, initial=0.0))
        if has_gap(c.kind):  # approach.py follows these
            for name in (*WATCHED, *GAP_HISTORY):
                changed[c.kind.columns(name)] = False
        self.columns = np.flatnonzero(changed)
        self.places = at + c.kind.width * np.arange(c.count)[:, None] + self.columns
        self.count = self.places.size
        self._rows = np.zeros((c.count, c.kind.width))
        self._needed = self._read()

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
        """All that is observed at the present state, by name, (cells,)."""
        values = self.state.observe(self.position, self.position + 1)[self.position]
        return dict(zip(self.component.observables, values.T.copy(), strict=True))

    # --- forms ------------------------------------------------------------------------------------
    def force(self) -> csr_matrix:
        """dF/dm at the present state, unknowns x numbers."""
        c, comm = self.component, self.state.comm
        read = self.columns < self.kind.read

        def written(z: Symbols, field):
            form = ufl.replace(z.residual(), z._values())
            return ufl.derivative(form, *field)

        blocks = self._by_numbers("dF/dm", written, c.dofs, comm)
        blocks = np.where(read, blocks[:, :, np.where(read, self.columns, 0)], 0.0)
        return self._spread(blocks.transpose(0, 2, 1)).T.tocsr()

    def sight(self, names: Sequence[str]) -> Sight:
        """How some observables change at the present state."""
        c, comm, kind = self.component, self.state.comm, self.kind
        wanted = [*dict.fromkeys(name.split(".")[0] for name in names)]

        def observed(z: Symbols):
            own = kind.observables(z)
            some = {n: own[n] for n in wanted}
            if all(o.points for o in some.values()):  # one at least of the whole cell
                some |= dict([next((n, o) for n, o in own.items() if not o.points)])
            return z, some

        _, some = observed(Symbols(kind))
        order = [*Symbols(kind).columns(some)]
        rows = [order.index(name) for name in names]
        key = "+".join(wanted)

        def written(z: Symbols, field):
            form = ufl.replace(z.observation(observed(z)[1]), z._values())
            return ufl.derivative(form, *field)

        motion = []
        for name in (*FIELDS, "q_n"):

            def one(z: Symbols, name=name):
                return written(z, (getattr(z, name), ufl.TrialFunction(z.space)))

            form = compiled(kind, comm, f"d {key}/d{name}", one)
            size = c.count, len(order), c.dofs
            motion.append(self._evaluate(form, size)[:, rows])
        numbers = self._by_numbers(f"d {key}/dm", written, len(order), comm)
        return Sight(motion, numbers[:, rows])

    def weigh(self, sizes: dict[str, float], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How a sum of observables, weighted by cells too, changes at the present state: with the
        numbers, and with q at the start of the step; the numbers' part apart where nothing moves.
        """
        sight, factors = self.sight([*sizes]), np.array([*sizes.values()])
        used = np.flatnonzero(weights)  # others may be no numbers
        by_numbers, by_start = (np.zeros(z.shape[::2]) for z in (sight.numbers, sight.motion[-1]))
        for cell in used:
            by_numbers[cell] = weights[cell] * factors @ sight.numbers[cell]
            by_start[cell] = weights[cell] * factors @ sight.motion[-1][cell]
        read = self.columns < self.kind.read
        memory = np.where(read, by_numbers[:, np.where(read, self.columns, 0)], 0.0).ravel()
        start = np.asarray(self._spread(by_start[:, None]).sum(axis=0)).ravel()
        return memory, start

    def _by_numbers(self, name: str, written, size: int, comm) -> np.ndarray:
        """Derivative of a form by the numbers of the cells, cells x size x read."""
        kind, c = self.kind, self.component
        fields = [*Symbols(kind).distributed]

        def of(z: Symbols, field: str):
            own = z.distributed.get(field)
            space = z._numbers(kind.read) if own is None else own.ufl_function_space()
            return written(z, (z.p if own is None else own, ufl.TrialFunction(space)))

        result = np.zeros((c.count, size, kind.read))
        for field in ("", *fields):
            form = compiled(kind, comm, f"{name} {field}", lambda z, field=field: of(z, field))
            columns = kind.columns(field) if field else slice(0, kind.read)
            width = columns.stop - columns.start
            found = self._evaluate(form, (c.count, size, width))
            if field or form is not None:
                result[:, :, columns] += found
        return result

    def _evaluate(self, form, shape: tuple[int, int, int]) -> np.ndarray:
        if form is None or not shape[0]:
            return np.zeros(shape)
        return self.state.evaluate(self.k, form, shape[1] * shape[2]).reshape(shape)

    def _spread(self, blocks: np.ndarray) -> csr_matrix:
        """Blocks of the cells, cells x rows x dofs, by the unknowns: (cells x rows) x unknowns."""
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
        """How the numbers after a step follow."""
        state = self.state
        state.array[:] = step.end
        rows, seen = state.parameters[self.k].copy(), self._seen()
        numbers = np.array([d.numbers[self.k] for d in dependences])
        used = np.union1d(self.columns, np.flatnonzero(numbers.any(axis=(0, 1))))
        by_numbers = np.stack([self._slope(rows, seen, column=j) for j in used], axis=2)
        by_seen = np.stack([self._slope(rows, seen, name=n) for n in self._needed], axis=2)
        counts = by_seen.any(axis=1)
        sight = self.sight(self._needed)
        # what does not count may be no number
        motion, by_read = (
            np.where(counts[..., None], z, 0.0) for z in (np.array(sight.motion), sight.numbers)
        )
        spread = [self._spread(by_seen @ z) for z in motion]
        own = by_numbers[:, :, np.searchsorted(used, self.columns)]
        read = self.columns < self.kind.read
        own = own + by_seen @ np.where(read, by_read[:, :, np.where(read, self.columns, 0)], 0.0)
        direct = np.einsum("cij,pcj->cip", by_numbers, numbers[:, :, used])
        if by_forms(self.component):
            some = np.flatnonzero(numbers[:, :, : self.kind.read].any(axis=(0, 1)))
            changes = by_read[:, :, some] @ numbers[:, :, some].transpose(1, 2, 0)
        else:
            changes = self._nearby(step, dependences)
        direct += by_seen @ np.where(counts[..., None], changes, 0.0)
        time, length = self._by_globals(step)
        return Update(
            spread[:3], spread[3], self._blocks(own), direct.reshape(self.count, -1),
            *(np.einsum("cij,cj->ci", by_seen, z).ravel() for z in (time, length)),
        )  # fmt: skip

    def _slope(self, rows, seen, column: int | None = None, name: str = "") -> np.ndarray:
        """Derivative of ``update`` by one number of each cell, cells x columns."""
        value = seen[name] if column is None else rows[:, column]
        size = np.abs(value)
        largest = max(size.max(initial=0.0), 0.0 if column is None else self._size[column])
        d = CHANGE * np.where(size > 0, size, largest or 1.0)
        ends = []
        for side in (1.0, -1.0):
            self._rows[:] = rows
            observed = {n: z.copy() for n, z in seen.items()}
            if column is None:
                observed[name] += side * d
            else:
                self._rows[:, column] += side * d
            self.kind.update(self._rows, observed)
            ends.append(self._rows[:, self.columns].copy())
        slope = (ends[0] - ends[1]) / (2 * d[:, None])
        for largest, of in self.kind.largest_of.items():  # of equal ones the first
            one = np.argmax(self.kind.column(rows, of), axis=1) + self.kind.columns(of).start
            from_, to = (
                np.searchsorted(self.columns, z) for z in (one, self.kind.columns(largest).start)
            )
            slope[:, to] = slope[np.arange(len(slope)), from_]
        return slope

    def _nearby(self, step: Step, dependences: Sequence[Dependence]) -> np.ndarray:
        """How what ``update`` reads changes with the parameters, cells x observables x ..."""
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
        """Derivatives of what ``update`` reads by the time and by the length of the step."""
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
        """A matrix of one block for each cell, which it couples with itself."""
        cells, rows, columns = blocks.shape
        at = np.arange(cells * rows).repeat(columns)
        to = columns * np.arange(cells)[:, None, None] + np.arange(columns)
        to = np.broadcast_to(to, blocks.shape).ravel()
        return csr_matrix((blocks.ravel(), (at, to)), (cells * rows, cells * columns))
