"""The numbers of one run of an assembled system, and its forms evaluated with them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .. import checks
from .._backend import MPI, PETSc
from ..errors import InputError
from .compiled.shared import pointer
from .component import FUNCTION
from .evaluation import Batches
from .forms import Compiled
from .problem import Problem


class State:
    """One run's numbers; see ``component.py`` for the layout of their array.

    Args:
        problem: the assembled system; states of one problem do not know of each other.

    Attributes:
        array: all numbers; the others are views of it.
        address: where the compiled functions find it.
        q, v, a, q_n: coordinates (and algebraic unknowns), rates, accelerations, coordinates at the
            start of the step, by local number (owned, ghosts, fixed).
        parameters: of each component its cells' numbers, cells x numbers.
        globals: time, dv/dq, da/dq, gravity (3), 1 / (time since the start of the step).
        scale: value of one unit of the solver's unknown; also multiplies the row.
        components, comm, size, owned, local, total, numbers: of the problem.
    """

    def __init__(self, problem: Problem):
        self.problem = problem
        self.components, self.comm, self.numbers = problem.components, problem.comm, problem.numbers
        self.size, self.owned = problem.size, problem.owned
        self.local, self.total = problem.local, problem.total
        self.array = problem.start.copy()
        self.address = pointer(problem.module.ffi, self.array)
        self.q, self.v, self.a, self.q_n = self.array[: 4 * self.total].reshape(4, self.total)
        self.parameters = problem.parameters(self.array)
        self.globals = self.array[problem.globals_at :]
        self.scale = np.ones(self.total)
        #: what each observer (``Problem.observers``) sees of its cells; arrays that stay
        self.observations = problem.batches(
            "observe", problem.observers, lambda c: len(c.observables)
        )

    def reset(self) -> None:
        """The model's initial values again."""
        self.array[:] = self.problem.start
        self.scale[:] = 1.0

    def everything(self, local: np.ndarray) -> np.ndarray:
        """Values of all unknowns (not of fixed ones) in global order, on every rank; collective."""
        return self.problem.everything(local)

    def add_over_ranks(self, local: np.ndarray) -> np.ndarray:
        """Contributions by local number summed into the owned rows; collective."""
        return self.problem.add_over_ranks(local)

    def spread(self, owned: np.ndarray) -> np.ndarray:
        """Owned values and those of the ghosts, by local number; collective."""
        return self.problem.spread(owned)

    def largest(self, values: np.ndarray, classes: int) -> np.ndarray:
        """Largest owned value in each class of rows, over all ranks."""
        return self.problem.largest(values, classes)

    def locate(self, numbers: np.ndarray) -> np.ndarray:
        """Local numbers of global ones; -1 where this rank does not hold them."""
        return self.problem.locate(numbers)

    def assign(self, owner: str, **numbers) -> list[str]:
        """Set numbers of the cells of a body, joint or load, as ``assign("motor", vector=(0, 0,
        2))``; on this rank. One value for all cells, or a row for each in the order added.

        Returns:
            Names of those that tangents depend on, as far as is known.

        Raises:
            InputError: no such owner, a number that it has not, a value that cannot be.
        """
        kinds = [c.kind for c in self.components if owner in c.owners]
        if not kinds:
            owners = [o for c in self.components for o in c.owners]
            raise InputError(
                f"there is nothing called {owner!r} in the system"
                f"{checks.suggestion(owner, owners)}; there are {checks.some(owners)}."
            )
        known = {name for kind in kinds for name in kind.parameters}
        for name in numbers:
            if name not in known:
                raise InputError(
                    f"{owner} has no number {name!r}{checks.suggestion(name, known)}: it has "
                    f"{checks.some(sorted(known))}."
                )
        for c, rows in zip(self.components, self.parameters, strict=True):
            if owner not in c.owners:
                continue
            here, own = c.cells_of(owner)
            count = sum(g.count for g in c.groups if g.owner == owner)
            for name in numbers.keys() & c.kind.parameters.keys():
                if name == FUNCTION and c.followed.keys() & {*here}:
                    raise InputError(f"{owner}: its function is a table, which keeps its numbers.")
                value = np.asarray(numbers[name], float)
                size = int(np.prod(c.kind.parameters[name], dtype=int))
                each = value.ndim == 2 and value.shape == (count, size)
                if not (each or value.size in (1, size)) or not np.all(np.isfinite(value)):
                    raise InputError(
                        f"{owner}: {name} takes {size} finite numbers, got {numbers[name]!r}."
                    )
                if each:
                    rows[here, c.kind.columns(name)] = value[own]
                    continue
                c.kind.column(rows, name)[here] = value.ravel() if value.size > 1 else value.item()
        loads = {name for kind in kinds for name in kind.dead_loads}
        return sorted(numbers.keys() - loads)

    # --- evaluation -----------------------------------------------------------------------------
    def residual(self) -> np.ndarray:
        """Rows of this rank's cells by local number (not yet added over ranks)."""
        self.follow()
        rows = self.problem.residual(self.address)
        if self.problem.condensed is not None:
            self.problem.condensed.condense(rows)
        return rows

    def follow(self) -> None:
        """Set what follows the unknowns."""
        if self.problem.condensed is not None:
            for field in (self.q, self.v, self.a):
                self.problem.condensed.follow(field)

    def drift(self) -> np.ndarray:
        """Derivative of the constraint rows by time alone, as ``residual``."""
        self.problem.drift_kernels.evaluate(self.address)
        return self.problem.drift_sums.add()

    def tangent(self, beta: float, gamma: float) -> np.ndarray:
        """The tangent for given da/dq and dv/dq, unscaled: values behind ``Problem.coo_rows``."""
        self.globals[1:3] = gamma, beta
        self.follow()
        return self.problem.tangent(self.address)

    def derivatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Tangents of q, v and a each, dF/dq, dF/dv and dF/da, as ``tangent``; collective.

        Factors far above the stiffness keep its round-off out of rates and inertia.
        """
        K = self.tangent(0.0, 0.0).copy()
        largest = self.comm.allreduce(float(np.max(np.abs(K), initial=1.0)), op=MPI.MAX)
        heavy = 2.0 ** np.ceil(np.log2(largest) + 200)
        C = (self.tangent(0.0, heavy) - K) / heavy
        M = (self.tangent(heavy, 0.0) - K) / heavy
        self.globals[1:3] = 0.0
        return K, C, M

    def evaluate(self, k: int, form: Compiled, size: int) -> np.ndarray:
        """A form of component ``k`` at the present state, cells x size; for use outside the time
        loop."""
        batch = Batches([self.problem.work(k, form, size)], self.problem.module)
        return batch.evaluate(self.address).reshape(-1, size)

    def observe(self, start: int = 0, stop: int | None = None) -> list[np.ndarray]:
        """Observables of all ``observers`` or some, cells x observables; arrays that stay."""
        if self.problem.condensed is not None:
            self.follow()
        self.observations.evaluate(self.address, start, stop)
        return self.observations.parts

    # --- the matrix of the run ------------------------------------------------------------------
    @cached_property
    def A(self) -> PETSc.Mat:
        """The matrix, made at its first use; collective then."""
        return self.problem.matrix()

    def assemble(self, values: np.ndarray, scaled: bool = True) -> PETSc.Mat:
        """The matrix of a tangent, rows and columns scaled."""
        if scaled:
            values = self.problem.entries.scaled(values, self.scale)
        self.problem.fill(self.A, values)
        return self.A
