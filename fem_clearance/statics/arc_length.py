"""Path following: equilibria along their arc, the load factor being one of the unknowns."""

from __future__ import annotations

import numpy as np

from .._backend import MPI
from ..core.linear_solvers import Factors
from ..errors import SingularSystem
from .equilibrium import Equilibrium, LoadProgram


class ArcLength:
    """Steps along the path of equilibria x(s), from an equilibrium.

    Riks (1979) and Crisfield (1981): with the unit tangent (x', s') of the last equilibrium, in the
    metric of mean square displacement relative to the system's size and the load factor, each
    Newton iteration solves

        K dx + F_s ds = -F,    x'.dx + s' ds = 0

    by two solves with K. It passes points where the load factor turns. Steps follow the number of
    iterations and the turning of the tangent.

    PETSc's SNESNEWTONAL (3.25) cannot be used. One solve follows the whole path in steps of one
    length and fails if one of them does; it keeps the factor between bounds, while the path may go
    below zero; and it does not report an equilibrium before it continues, although bodies that roll
    must begin anew there.

    Args:
        equations: of equilibrium.
        loads: sets the loads of a factor.
        relative_length: displacement of a unit of each owned unknown, by the system's size.
        step: largest change of the load factor in a step.

    Attributes:
        factor: load factor of the present equilibrium.
        reached: whether the step that ``advance`` did not take would pass factor 1.
    """

    def __init__(
        self, equations: Equilibrium, loads: LoadProgram, relative_length: np.ndarray, step: float
    ):
        self.equations, self.loads, self.state = equations, loads, equations.state
        self.comm = self.state.comm
        self.scale = self.state.scale[: self.state.owned]
        count = self._sum(np.count_nonzero(relative_length))
        self.weight = (relative_length * self.scale) ** 2 / max(count, 1.0)
        self.step, self.factor, self.reached = step, 0.0, False
        self.tangent: tuple[np.ndarray, float] | None = None
        self.length: float | None = None
        equations.factors(0.0, 0.0)

    def _sum(self, value) -> float:
        return self.comm.allreduce(float(value), op=MPI.SUM)

    def _dot(self, x: np.ndarray, y: np.ndarray) -> float:
        return self._sum(np.sum(x * self.weight * y))

    def _rows(self, x: np.ndarray, factor: float) -> np.ndarray:
        """Residual for the solver's unknowns and a load factor."""
        self.loads.set(factor)
        self.equations.set(self.state.spread(x))
        return self.equations.rows()

    def _by_factor(self, x: np.ndarray, factor: float) -> np.ndarray:
        e = 1e-6
        return (self._rows(x, factor + e) - self._rows(x, factor - e)) / (2 * e)

    # --- steps ----------------------------------------------------------------------------------
    def advance(self) -> bool:
        """One step along the path; ``False`` if there is no solution (and nothing changed) or if
        it would pass factor 1 (``reached``): the state then is near the equilibrium there."""
        equations, state = self.equations, self.state
        start, factor = state.array.copy(), self.factor
        equations.restart()
        x0 = equations.x.array_r.copy()
        along, rate = self._tangent(x0)
        if self.length is None:
            self.length = self.step / abs(rate)
        for _ in range(12):
            length = min(self.length, self.step / max(abs(rate), 1e-300))
            x, s = x0 + length * along, factor + length * rate
            found = self._correct(x, s, along, rate)
            if found is not None and not self._turned(*found[:2]):
                x, s, its = found
                self.reached = s >= 1.0
                if self.reached:  # what lies before it is the guess for factor 1
                    part = (1.0 - factor) / (s - factor)
                    self._rows(x0 + part * (x - x0), self.factor)
                    self.length = length
                    return False
                self.factor = s
                equations.x.array[:] = x
                self.length = length * (1.6 if its <= 3 else 1.0 if its <= 6 else 0.6)
                return True
            self.length = length / 4
            self._restore(start)
        self.reached = False
        return False

    def _restore(self, start: np.ndarray):
        self.state.array[:] = start
        self.loads.set(self.factor)

    def shorten(self):
        """Take shorter steps from here."""
        assert self.length is not None
        self.length /= 4

    def _factors(self) -> Factors:
        values = self.equations.tangent(0.0)
        return Factors(self.equations.assemble(values))

    def _tangent(self, x: np.ndarray) -> tuple[np.ndarray, float]:
        """Unit tangent of the path at an equilibrium, onwards."""
        by_factor = self._by_factor(x, self.factor)
        self._rows(x, self.factor)
        factors = self._factors()
        try:
            along = factors.solve(-by_factor)
        finally:
            factors.destroy()
        size = np.sqrt(self._dot(along, along) + 1.0)
        along, rate = along / size, 1.0 / size
        if self.tangent is not None:
            old, old_rate = self.tangent
            if self._dot(along, old) + rate * old_rate < 0:
                along, rate = -along, -rate
        self.tangent = along, rate
        return along, rate

    def _correct(self, x, s, along, rate):
        """Return to the path by Newton's method; the solution with the number of iterations, or
        ``None``."""
        equations = self.equations
        last = np.inf
        for its in range(1, equations.max_iterations + 1):
            by_factor = self._by_factor(x, s)
            rows = self._rows(x, s)
            equations.refresh()
            factors = self._factors()
            try:
                first, second = factors.solve(-rows), factors.solve(-by_factor)
            except SingularSystem:
                return None
            finally:
                factors.destroy()
            change = -self._dot(along, first) / (rate + self._dot(along, second))
            x, s = x + first + change * second, s + change
            rows = self._rows(x, s)
            equations.f.array[:] = rows
            equations.iterations += 1
            value = equations.scaled_residual()
            equations.its = its
            if value <= 1.0:
                return x, s, its
            if not np.isfinite(value) or (its > 4 and value > 1e3 * last):
                return None
            last = value
        return None

    def _turned(self, x: np.ndarray, s: float) -> bool:
        """Whether the path turned so far in the step that it may be another one."""
        assert self.tangent is not None
        along, rate = self.tangent
        x0 = self.equations.x.array_r
        chord, change = x - x0, s - self.factor
        size = np.sqrt(self._dot(chord, chord) + change**2)
        return self._dot(chord, along) + change * rate < 0.95 * size
