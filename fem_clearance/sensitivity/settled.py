"""The linear equations of steps that hold constraints on velocities too (stabilised index 2).

A part w of the velocities' change closes positions and moves no mass (timestepping/stabilised.py),
with M w + B' zeta = 0 and B v + dPhi/dt = 0 at the end of the step. Forces see v + s w:

    q = q0 + x,    v = v0 + gamma' x - w,    a = beta' x - beta'/gamma' w

    J dx - ((1 - s) C + beta'/gamma' M) dw = -(K dq0 + C dv0 + F_p dp)
    M dw + B' dzeta = -d(M w + B' zeta),    B dw = B (dv0 + gamma' dx) + d(B v + dPhi/dt)

The latter two are those of ``Projection``, whose right-hand sides follow dx.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import bmat, csr_matrix, diags

from ..errors import SingularSystem
from .linearised import ACCURATE, Factors, Linearised
from .maps import StageMap
from .projection import Projection
from .rebuilt import Dependence


class Settled:
    """The equations of one stage.

    Args:
        linear: the equations without w, at the state ``array`` as forces see it.
        array: state at the end of the stage.
        w: what its velocities were rid of, by local number.
        stage: its map.
        h: length of the step, s.
        seen: s, see ``timestepping.rows.seen``.
    """

    def __init__(
        self, linear: Linearised, array: np.ndarray, w: np.ndarray, stage: StageMap, h: float,
        seen: float,
    ):  # fmt: skip
        n, total = linear.state.local, linear.state.total
        before = array.copy()
        before[total : total + n] += w
        self.n, self.w = n, w
        part = self.projection = Projection(linear.tangents, before, 1.0, h)
        self.free, held = part.free, part.held
        moving = diags(linear.state.problem.dynamic[:n])
        self._by_start = part.by_motion()
        rates = bmat([[csr_matrix((len(self.free), n))], [self._of_free(part.B)]], "csr")
        #: right-hand sides of w and zeta by the velocities before
        self._by_rates = (rates @ moving).tocsr()
        taken = (1 - seen) * linear.C + stage.beta / stage.gamma * linear.M
        none = csr_matrix((n, len(held)))
        matrix = bmat([
            [linear.J, bmat([[-taken.tocsc()[:, self.free], none]])],
            [-(self._by_start + stage.gamma * self._by_rates), part.factors.matrix],
        ], "csc")  # fmt: skip
        self._factors = Factors(matrix, np.append(linear.scale, part.factors.size))

    def _of_free(self, B: csr_matrix) -> csr_matrix:
        """B of all unknowns."""
        pick = csr_matrix(
            (np.ones(len(self.free)), (np.arange(len(self.free)), self.free)),
            (len(self.free), self.n),
        )
        return B @ pick

    def _solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        found, left = self._factors.solve(rhs, transposed, 2)
        size = self._factors.size[:, None]
        worst = np.abs(size * left).max(initial=0.0)
        if not worst <= ACCURATE * np.abs(size * rhs).max(initial=0.0):
            raise SingularSystem("the linear equations of a step have no accurate solution")
        return found

    # --- forwards ---------------------------------------------------------------------------------
    def tangent(
        self, rhs: np.ndarray, q0: np.ndarray, v0: np.ndarray, others: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """dx and dw, unknowns x columns.

        Args:
            rhs: of the first equations, with its sign.
            q0, v0: derivatives at the start of the stage.
            others: what parameters and time add to those of w and zeta.
        """
        more = self._by_start @ q0 + self._by_rates @ v0 + others
        found = self._solve(np.vstack([rhs, more]))
        w = np.zeros_like(rhs)
        w[self.free] = found[self.n : self.n + len(self.free)]
        return found[: self.n], w

    def by_parameters(self, dependences: list[Dependence]) -> np.ndarray:
        """What the parameters add to the equations of w and zeta."""
        found = [self.projection.by_parameter(d) for d in dependences]
        return np.array(found).reshape(len(dependences), -1).T

    # --- backwards --------------------------------------------------------------------------------
    def adjoint(self, x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """mu of the first equations, and of those of w and zeta, where dx and dw count by ``x`` and
        ``w`` (unknowns x outputs)."""
        rest = np.zeros((len(self._factors.size) - self.n - len(self.free), x.shape[1]))
        mu = self._solve(np.vstack([x, w[self.free], rest]), transposed=True)
        return mu[: self.n], mu[self.n :]

    def start(self, mu: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What q0 and v0 count by the second of these."""
        return self._by_start.T @ mu, self._by_rates.T @ mu
