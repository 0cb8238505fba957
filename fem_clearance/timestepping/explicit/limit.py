"""The largest stable step of explicit central differences, from the tangent."""

from __future__ import annotations

import numpy as np

from ..._backend import MPI
from .inertia import Inertia

#: relative error of an eigenvalue at which the iteration ends
CLOSE = 5e-3
#: (h omega)^2 that hints at a new stiffness; a default step has 0.64 of the allowed 4 already
SUSPECT = 1.0
#: vectors at most
MOST = 120


class StepLimit:
    """Fastest motion and strongest damping of the system linearised where it is.

    Central differences with forces at predicted velocities follow q'' + c q' + omega^2 q = 0 stably
    while (h omega)^2 + 4 h c <= 4: up to 2/omega without damping. Lanczos iterations, with the mass
    matrix as inner product and on the motions that constraints allow, give the largest omega^2
    and c; each is taken with its error bound on top, and both as if of one motion. (SLEPc's solvers
    fail where a stiffness acts on few motions, a spring on a chain of bodies, and take ten times as
    long for the few vectors that the limit needs.)

    Attributes:
        omega: largest angular frequency, rad/s.
        damping: largest c, 1/s.
    """

    def __init__(self, inertia: Inertia):
        self.inertia, self.state = inertia, inertia.state
        self.omega = self.damping = 0.0
        self._tops: dict[str, np.ndarray] = {}

    def compute(self) -> float:
        """The limit at the present state, s (``inf`` if nothing limits it); collective."""
        state = self.state
        keep = state.globals.copy()
        K, C, M = state.derivatives()
        state.globals[:] = keep
        self.inertia.check(M)
        self.inertia.renew()
        self.omega = float(np.sqrt(max(self._largest("stiffness", K), 0.0)))
        self.damping = max(self._largest("damping", C), 0.0)
        low = self.damping + float(np.hypot(self.damping, self.omega))
        return 2 / low if low > 0 else np.inf

    def stiffer(self, change: np.ndarray, way: np.ndarray, wanted: float) -> bool:
        """Whether a step hints at a stiffness that was not there when the limit was computed, as
        that of a contact that closes; collective.

        With da = -A dq the quotient da.M da / -da.M dq is no larger than A's largest eigenvalue,
        and near that of the place where forces change. Above 4/h^2 a step of h is unstable; less
        may come on top of what is known (or be known).

        Args:
            change: of accelerations in the step, local.
            way: change of the coordinates, local.
            wanted: longest step that may follow, s.
        """
        dynamic = self.state.problem.dynamic[: self.state.local]
        weighted = self.inertia.momentum(change * dynamic)
        square, work = self._dot(np.array([change * dynamic, -way * dynamic]), weighted)
        return bool(work > 0 and wanted**2 * square > SUSPECT * work)

    def _times(self, values: np.ndarray, x: np.ndarray) -> np.ndarray:
        """A x in the owned rows of coordinates; x by local number."""
        state = self.state
        x = np.append(x, np.zeros(state.total - len(x)))
        products = state.problem.entries.times(values, x)
        return state.add_over_ranks(products) * state.problem.dynamic[: state.owned]

    def _dot(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Products of owned vectors (rows of ``x``) with one, over all ranks."""
        return self.state.comm.allreduce(x[..., : self.state.owned] @ y, op=MPI.SUM)

    def _start(self, name: str) -> np.ndarray:
        """The last top vector, with a little of everything; the latter alone at first."""
        state = self.state
        random = np.random.default_rng(5).standard_normal(state.size)
        random = (
            random[state.problem.low : state.problem.low + state.owned]
            * state.problem.dynamic[: state.owned]
        )
        start = self._on_constraints(random)
        if name not in self._tops:
            return start
        scale = np.sqrt(self._dot(start, self.inertia.momentum(start)))
        return self._tops[name] + 0.1 * start / scale

    def _on_constraints(self, forces: np.ndarray) -> np.ndarray:
        """Accelerations that forces cause, local."""
        return self.inertia.accelerations(forces) * self.state.problem.dynamic[: self.state.local]

    def _largest(self, name: str, values: np.ndarray) -> float:
        """Largest eigenvalue of M^-1 A on the motions that constraints allow, plus its bound."""
        if not self.state.comm.allreduce(bool(np.any(values)), MPI.LOR):
            return 0.0
        basis, weighted, H = [], [], np.zeros((MOST + 1, MOST))
        x = self._start(name)
        x /= np.sqrt(self._dot(x, self.inertia.momentum(x)))
        value = bound = 0.0
        for k in range(MOST):
            basis.append(x)
            weighted.append(self.inertia.momentum(x))
            x = self._on_constraints(self._times(values, x))
            for _ in range(2):
                parts = self._dot(np.array(weighted), x[: self.state.owned])
                H[: k + 1, k] += parts
                x = x - parts @ np.array(basis)
            left = float(np.sqrt(max(float(self._dot(x, self.inertia.momentum(x))), 0.0)))
            H[k + 1, k] = left
            eigenvalues, vectors = np.linalg.eig(H[: k + 1, : k + 1])
            top = int(np.argmax(eigenvalues.real))
            shape = vectors[:, top] / np.linalg.norm(vectors[:, top])
            value, bound = float(eigenvalues[top].real), float(left * abs(shape[-1]))
            largest = np.abs(H[: k + 1, : k + 1]).max()
            if bound <= CLOSE * value or left <= 1e-12 * largest:
                break
            x = x / left
        self._tops[name] = shape.real @ np.array(basis)
        return value + bound
