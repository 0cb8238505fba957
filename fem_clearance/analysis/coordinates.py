"""Independent coordinates of a multibody system.

The coordinates of a system are constrained by its joints. As many of them as there are degrees of
freedom are chosen as independent (coordinate partitioning, Wehage and Haug 1982), and as many rates
as the constraints on velocities allow (fewer, where bodies roll); the others follow from the
constraints. Internal variables of first order are independent too.
"""

from __future__ import annotations

import numpy as np

from ..core.initial import SystemState
from ..core.levels import FAST
from ..core.state import State
from ..errors import InputError, StepFailed
from ..model.system import System
from ..timestepping.event_set import EventSet


class IndependentCoordinates:
    """Independent coordinates of an assembled system near its initial configuration.

    Args:
        like: those of a system with the same structure, whose choice is adopted.

    Attributes:
        positions: local numbers of the independent coordinates.
        rates: local numbers of the coordinates with independent rates.
        internal: local numbers of the internal variables (order 1), whose values are rates.
        names: components of x: coordinates, their rates, internal variables.

    Raises:
        InputError: a system on several ranks, or one that cannot move.
    """

    def __init__(self, system: System, like: IndependentCoordinates | None = None):
        state = system.state
        if state.comm.size > 1:
            raise InputError(
                "periodic orbits of a system need it on one rank: System(..., comm=MPI.COMM_SELF)."
            )
        self.system, self.state = system, state
        order = np.zeros(state.total, int)
        for block in state.problem.blocks:
            at = state.locate(block.numbers)  # -1: a fixed value that nothing reads
            order[at[at >= 0]] = np.where(block.fixed, -1, block.role.order)[at >= 0]
        self.coordinates = np.flatnonzero(order == 2)
        self.internal = np.flatnonzero(order == 1)
        self.rows = np.flatnonzero(state.problem.constrained & (order == 0))
        state.reset()
        rated = state.problem.velocity_level[self.rows]
        #: places in ``rows`` of constraints on positions, and of those on velocities
        self.closed, self.rated = np.flatnonzero(~rated), np.flatnonzero(rated)
        self.event_set = EventSet(system.channels)
        if like is None:
            jacobian = self._jacobian()
            self.positions = self._pick(jacobian[self.closed])
            self.rates = self._pick(jacobian) if len(self.rated) else self.positions
        else:
            self.positions, self.rates = like.positions, like.rates
        self.names = [
            *self._names(self.positions),
            *(f"d({n})/dt" for n in self._names(self.rates)),
            *self._names(self.internal),
        ]

    def _jacobian(self) -> np.ndarray:
        """Derivatives of the constraints by the coordinates, of those on velocities by the rates,
        ``rows`` x ``coordinates``."""
        state = self.state
        keep = state.globals[1:3].copy()
        entries = state.tangent(0.0, 0.0).copy()
        if len(self.rated):
            rated = state.problem.velocity_level[state.problem.coo_rows]
            entries[rated] = state.tangent(0.0, FAST)[rated] / FAST
        state.globals[1:3] = keep
        row, column = (np.full(state.total, -1) for _ in range(2))
        row[self.rows] = np.arange(len(self.rows))
        column[self.coordinates] = np.arange(len(self.coordinates))
        r, c = row[state.problem.coo_rows], column[state.problem.coo_cols]
        use = (r >= 0) & (c >= 0)
        result = np.zeros((len(self.rows), len(self.coordinates)))
        np.add.at(result, (r[use], c[use]), entries[use])
        return result

    def _pick(self, jacobian: np.ndarray) -> np.ndarray:
        """Coordinates that best span the motions that the constraints allow."""
        import scipy.linalg

        free = scipy.linalg.null_space(jacobian, rcond=1e-9)
        if not free.shape[1]:
            raise InputError("the system cannot move: it has no degrees of freedom.")
        _, _, order = scipy.linalg.qr(free.T, pivoting=True, mode="economic")
        return self.coordinates[np.sort(order[: free.shape[1]])]

    def _names(self, local) -> list[str]:
        found = {}
        for block in self.state.problem.blocks:
            for k, n in enumerate(self.state.locate(block.numbers)):
                found[int(n)] = f"{block.name}[{k}]"
        return [found[int(n)] for n in local]

    @property
    def size(self) -> int:
        """Length of x."""
        return len(self.positions) + len(self.rates) + len(self.internal)

    def read(self, state: State | None = None, rate: bool = False) -> np.ndarray:
        """x, or its rate, at the state of a run; default: the present state."""
        state = self.state if state is None else state
        first, second = (state.v, state.a) if rate else (state.q, state.v)
        return np.concatenate([first[self.positions], second[self.rates], second[self.internal]])

    def write(self, x: np.ndarray) -> SystemState:
        """The state at x and time 0, everything else as assembled; it also becomes the present
        state.

        Raises:
            StepFailed: the joints cannot be closed at x.
        """
        state, n = self.state, len(self.positions)
        state.reset()
        state.q[self.positions] = x[:n]
        self._close()
        self._set_rates(x[n : n + len(self.rates)])
        state.v[self.internal] = x[n + len(self.rates) :]
        state.q_n[:] = state.q
        self.event_set.observe()
        for gap in self.event_set.contacts:  # existing contacts have not just begun
            for k, (depth, _, _) in enumerate(gap.now):
                gap.touching[k] = float(depth > 0)
        return SystemState.of(state, 0.0)

    def _set_rates(self, rates: np.ndarray) -> None:
        """Set the independent rates, and from them those of the other coordinates."""
        state, jacobian = self.state, self._jacobian()
        state.v[self.coordinates], state.v[self.rates] = 0.0, rates
        dependent = np.setdiff1d(self.coordinates, self.rates)
        others = np.searchsorted(self.coordinates, dependent)
        rhs = -state.drift()[self.rows]
        rhs[self.closed] -= (jacobian @ state.v[self.coordinates])[self.closed]
        if len(self.rated):
            rhs[self.rated] = -state.residual()[self.rows][self.rated]
        if len(dependent):
            state.v[dependent] = np.linalg.lstsq(jacobian[:, others], rhs, rcond=None)[0]

    def _close(self):
        state, rows = self.state, self.rows[self.closed]
        dependent = np.setdiff1d(self.coordinates, self.positions)
        others = np.searchsorted(self.coordinates, dependent)
        for _ in range(20):
            gap = state.residual()[rows]
            if not len(gap) or np.max(np.abs(gap)) < 1e-15:
                return
            step = np.linalg.lstsq(self._jacobian()[self.closed][:, others], gap, rcond=None)[0]
            state.q[dependent] -= step
            if np.max(np.abs(step)) < 1e-15:
                return
        if not np.max(np.abs(state.residual()[rows])) < 1e-9:
            raise StepFailed("the joints cannot be closed at the coordinates asked for")
