"""Flows: the state after a period, and its derivatives by the initial state and the parameter.

Orbits, stability and continuation are computed for a flow: a user's own ordinary differential
equations here, a multibody system in ``system_flow``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from .. import checks, deprecated
from ..errors import InputError


class StateTransition(NamedTuple):
    """The end of a period.

    Attributes:
        state: x at the end.
        monodromy: its derivative by the initial state.
        by_parameter: its derivative by the parameter at a fixed initial state, including the change
            of a period that depends on the parameter.
        rate: dx/dt at the end.
    """

    state: np.ndarray
    monodromy: np.ndarray
    by_parameter: np.ndarray
    rate: np.ndarray


class Motion(NamedTuple):
    """States along a period: times (s), states (times x size), their rates."""

    time: np.ndarray
    states: np.ndarray
    rates: np.ndarray


class Flow(Protocol):
    """What the computation of orbits requires.

    ``autonomous``: the period is unknown, and passed as ``period``. ``precision``: relative to
    ``scale``, to which an orbit can be closed.
    """

    size: int
    autonomous: bool
    precision: float

    def initial(self, parameter: float) -> np.ndarray:
        """A first guess of x."""
        ...

    def period(self, parameter: float) -> float:
        """Period of the excitation, s; autonomous flows have none."""
        ...

    def end(self, x: np.ndarray, parameter: float, period: float | None = None) -> np.ndarray:
        """State after a period."""
        ...

    def transition(
        self, x: np.ndarray, parameter: float, period: float | None = None
    ) -> StateTransition:
        """State after a period with its derivatives."""
        ...

    def motion(
        self, x: np.ndarray, parameter: float, points: int, period: float | None = None
    ) -> Motion:
        """States along a period."""
        ...

    def scale(self, x: np.ndarray, parameter: float, period: float | None = None) -> np.ndarray:
        """Size of the motion in each component."""
        ...


@deprecated.attributes(carry="transition")
class OdeFlow:
    """The flow of dx/dt = f(t, x, parameter).

    Args:
        rhs: ``rhs(t, x, parameter)`` returns dx/dt.
        size: length of x.
        period: of the excitation in s, a number or a function of the parameter; ``None`` for
            autonomous equations, whose period is computed.
        jacobian: ``jacobian(t, x, parameter)`` returns df/dx; by default central differences.
        by_parameter: likewise df/dparameter.
        rtol, atol: tolerances of the integration; ``atol`` may have a value for each component.
        method: of ``scipy.integrate.solve_ivp``; ``"Radau"`` or ``"LSODA"`` for stiff equations.

    Example:
        >>> duffing = OdeFlow(
        ...     lambda t, x, w: [x[1], 0.3 * np.cos(w * t) - 0.1 * x[1] - x[0] - 0.5 * x[0] ** 3],
        ...     size=2, period=lambda w: 2 * np.pi / w)

    Raises:
        InputError: ``rhs`` is not a function; when used, it does not return ``size`` numbers, or
            the equations cannot be integrated.
    """

    precision = 1e-8

    def __init__(
        self,
        rhs: Callable,
        size: int,
        period: float | Callable[[float], float] | None,
        *,
        jacobian: Callable | None = None,
        by_parameter: Callable | None = None,
        rtol: float = 1e-9,
        atol: float | Sequence[float] | np.ndarray = 1e-12,
        method: str = "DOP853",
    ):
        if not callable(rhs):
            raise InputError("OdeFlow: rhs must be a function rhs(t, x, parameter).")
        self.size = checks.count("OdeFlow.size", size)
        self.autonomous = period is None
        self._rhs, self._jacobian, self._by_parameter = rhs, jacobian, by_parameter
        if not (period is None or callable(period)):
            checks.positive("OdeFlow.period", period)
        self._period = period
        self.method = method
        self.rtol = checks.positive("OdeFlow.rtol", rtol)
        self.atol = np.broadcast_to(np.asarray(atol, float), (self.size,))

    def initial(self, parameter: float) -> np.ndarray:
        """A first guess: zeros."""
        return np.zeros(self.size)

    def period(self, parameter: float) -> float:
        """Period of the excitation, s."""
        if self._period is None:
            raise InputError("autonomous equations have no given period; pass one.")
        if not callable(self._period):
            return float(self._period)
        return checks.positive("OdeFlow: period(parameter)", self._period(parameter))

    def rate(self, t: float, x: np.ndarray, parameter: float) -> np.ndarray:
        """dx/dt."""
        result = np.asarray(self._rhs(t, x, parameter), float)
        if result.shape != (self.size,):
            raise InputError(f"OdeFlow: rhs must return {self.size} numbers, got {result!r}.")
        return result

    def end(self, x, parameter, period=None):
        """State after a period."""
        return self._solve(self.rate, x, parameter, period).y[:, -1]

    def transition(self, x, parameter, period=None):
        """State after a period with its derivatives, by the variational equations."""
        n = self.size
        given = period is not None
        T = self.period(parameter) if period is None else period

        def extended(t, z, p):
            x, derivatives = z[:n], z[n:].reshape(n, n + 1)
            growth = self.jacobian(t, x, p) @ derivatives
            growth[:, n] += self.parameter_rate(t, x, p)
            return np.concatenate([self.rate(t, x, p), growth.ravel()])

        start = np.concatenate([x, np.eye(n, n + 1).ravel()])
        z = self._solve(extended, start, parameter, T).y[:, -1]
        derivatives = z[n:].reshape(n, n + 1)
        rate = self.rate(T, z[:n], parameter)
        by_parameter = derivatives[:, n]
        if not given:
            by_parameter = by_parameter + rate * self._period_change(parameter)
        return StateTransition(z[:n], derivatives[:, :n], by_parameter, rate)

    def motion(self, x, parameter, points, period=None):
        """States along a period, at ``points`` + 1 evenly spaced times."""
        T = self.period(parameter) if period is None else period
        times = np.linspace(0, T, points + 1)
        states = self._solve(self.rate, x, parameter, T, times).y.T
        rates = np.array([self.rate(t, s, parameter) for t, s in zip(times, states, strict=True)])
        return Motion(times, states, rates)

    def scale(self, x, parameter, period=None):
        """Size of the motion in each component over a period."""
        moved = np.ptp(self.motion(x, parameter, 32, period).states, axis=0) / 2
        floor = np.array([self._floor(k) for k in range(self.size)])
        return np.where(moved > 1e-6 * floor, moved, floor)

    def jacobian(self, t, x, parameter) -> np.ndarray:
        """df/dx."""
        if self._jacobian is not None:
            return np.asarray(self._jacobian(t, x, parameter), float)
        columns = []
        for k in range(self.size):
            step = np.zeros(self.size)
            step[k] = 6e-6 * max(abs(x[k]), self._floor(k))
            change = self.rate(t, x + step, parameter) - self.rate(t, x - step, parameter)
            columns.append(change / (2 * step[k]))
        return np.column_stack(columns)

    def _floor(self, k: int) -> float:
        """Small value of a component: its absolute tolerance divided by the relative one."""
        return float(self.atol[k]) / self.rtol

    def parameter_rate(self, t, x, parameter) -> np.ndarray:
        """df/dparameter."""
        if self._by_parameter is not None:
            return np.asarray(self._by_parameter(t, x, parameter), float)
        step = 6e-6 * (abs(parameter) or 1.0)
        change = self.rate(t, x, parameter + step) - self.rate(t, x, parameter - step)
        return change / (2 * step)

    def _period_change(self, parameter) -> float:
        if not callable(self._period):
            return 0.0
        step = 6e-6 * (abs(parameter) or 1.0)
        return (self.period(parameter + step) - self.period(parameter - step)) / (2 * step)

    def _solve(self, function, start, parameter, period, times=None):
        from scipy.integrate import solve_ivp

        T = self.period(parameter) if period is None else period
        # the errors of the derivatives, which follow the state, are relative to their size
        atol = np.concatenate([self.atol, np.full(len(start) - self.size, 1e-12)])
        solution = solve_ivp(
            function, (0, T), np.asarray(start, float), args=(parameter,), t_eval=times,
            method=self.method, rtol=self.rtol, atol=atol,
        )  # fmt: skip
        if not solution.success:
            raise InputError(
                f"the equations cannot be integrated over a period at parameter {parameter:g}: "
                f"{solution.message}"
            )
        return solution


def floquet_multipliers(matrix: Callable[[float], np.ndarray], period: float, rtol: float = 1e-10):
    """Multipliers of the linear periodic system dx/dt = A(t) x: eigenvalues of the matrix that maps
    x to its value after a period. If all lie inside the unit circle, x decays.

    Args:
        matrix: A as a function of time.
        period: of A, s.

    Example:
        >>> floquet_multipliers(lambda t: np.array([[0, 1], [-1 - 0.2 * np.cos(2 * t), 0]]), np.pi)
    """
    size = len(np.asarray(matrix(0.0)))
    flow = OdeFlow(
        lambda t, x, p: np.asarray(matrix(t)) @ x, size, period,
        jacobian=lambda t, x, p: matrix(t), by_parameter=lambda t, x, p: np.zeros(size), rtol=rtol,
    )  # fmt: skip
    return np.linalg.eigvals(flow.transition(np.zeros(size), 0.0).monodromy)
