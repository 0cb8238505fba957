"""The equations of an equilibrium, linear about it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..core import linear_solvers as solvers
from ..errors import SingularSystem
from .static_view import StaticView

#: models around an equilibrium, of each parameter, and their factors in a derivative
Near = list[list[tuple[StaticView, float]]]


class LinearEquilibrium:
    """The equations of one equilibrium, linear about it.

    Args:
        view: the model.
        factor, array: load factor and state array.
        near: models around, of each parameter.
        sizes: of the parameters.

    Attributes:
        scale: value of one unit of each unknown; also multiplies the rows.
    """

    def __init__(self, view: StaticView, factor: float, array: np.ndarray, near: Near, sizes):
        self.view, self.factor, self.array, self.near = view, factor, array, near
        self.sizes = np.array(sizes, float)
        n = view.state.local
        view.see(array, factor)
        linear = view.linearised()
        state = view.state
        stiffness = linear.stiffness()[state.problem.row_class]
        held = state.problem.constrained & (stiffness > 0)
        state.scale[:] = np.where(held, stiffness, np.where(
            state.problem.algebraic, state.problem.unit, 1.0
        ))  # fmt: skip
        self.scale = state.scale[:n].copy()
        self._A = linear.assemble(linear.K, 1.0)
        self._factors: solvers.Factors | None = None

    def __del__(self):
        if self._factors is not None:
            self._factors.destroy()
        self._A.destroy()

    @cached_property
    def by_parameters(self) -> np.ndarray:
        """dF/dp, unknowns x parameters."""
        found = np.zeros((len(self.scale), len(self.near)))
        for p, around in enumerate(self.near):
            for view, weight in around:
                view.see(self.array, self.factor)
                found[:, p] += weight * view.rows()
        return found

    @cached_property
    def moved(self) -> np.ndarray:
        """dx/dp, unknowns x parameters."""
        return self.solve(-self.by_parameters)

    def solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Solutions of K x = rhs or of its transpose, refined once."""
        if self._factors is None:
            self._factors = solvers.Factors(self._A)
        ksp, S = self._factors.ksp, self.scale[:, None]
        solve = ksp.solveTranspose if transposed else ksp.solve
        multiply = self._A.multTranspose if transposed else self._A.mult
        x, b = self._A.createVecs()
        found, left = np.zeros_like(rhs), S * rhs
        wanted = np.abs(left).max(axis=0, initial=0.0)
        for _ in range(2):
            for j in range(rhs.shape[1]):
                b.array[:] = left[:, j]
                solve(b, x)
                found[:, j] += x.array_r
                x.array[:] = found[:, j]
                multiply(x, b)
                left[:, j] = S[:, 0] * rhs[:, j] - b.array_r
        x.destroy()
        b.destroy()
        if not np.all(np.abs(left).max(axis=0, initial=0.0) <= 1e-8 * wanted):
            raise SingularSystem(
                f"the equilibrium at load factor {self.factor:.6g} has no derivative: its "
                "stiffness is singular, as at a limit point or where bodies move freely."
            )
        return S * found
