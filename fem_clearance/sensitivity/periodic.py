"""Derivatives of periodic orbits, their periods and multipliers.

The unknowns are the state x at the start of a period and, without excitation, the period T; the
equations say that the flow brings x back, and in which plane across the orbit x lies (the bordered
matrix of shooting). A multiplier mu of the monodromy matrix M changes by y' dM x / y' x with its
left and right vectors; dM is the difference of the monodromy matrices of the flows around, at the
orbits that the derivatives of x and T foresee there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

from ..analysis.orbits import PeriodicOrbit
from ..errors import InputError
from .implicit import ROUND, ByUnknowns, Implicit, Seen, stencil
from .outputs import History

#: channels: a multiplier (from 1, the largest first), a component of the state (from 0)
MULTIPLIER = re.compile(r"multiplier([1-9]\d*)\.(size|angle)")
STATE = re.compile(r"x(\d+)")
#: relative difference within which multipliers are the same
SAME = 1e-6


@dataclass
class FlowView:
    """A flow around, its parameter changed by ``by``."""

    wanted: PeriodicOrbit
    by: float

    def end(self, x: np.ndarray, period: float | None) -> np.ndarray:
        """The state after a period from ``x``; ``period`` where it is unknown."""
        return self.wanted.flow.end(x, self.wanted.parameter, period)


class PeriodicOrbits(Implicit):
    """An orbit that has been found, and its derivatives.

    Args:
        build: says which orbit is wanted, for a change of a parameter.
        own: that of the point itself.
    """

    axis = ""

    def __init__(self, build: Callable[[str, float], PeriodicOrbit], own: PeriodicOrbit):
        self._build, self.wanted, self.notes = build, own, []
        self.orbit = own.solve()
        channels = {"period": np.array([self.orbit.period])}
        self.history: History = Seen(np.zeros(1), channels, self._special)
        self._known: tuple[tuple, list] = (), []

    @property
    def period(self) -> float | None:
        """The period where it is unknown."""
        return self.orbit.period if self.wanted.flow.autonomous else None

    @property
    def multipliers(self) -> np.ndarray:
        """Without the one that is 1 for every orbit without excitation; the largest first."""
        return self.orbit.relevant

    def multiplier(self, name: str) -> complex:
        """The one that a channel is of."""
        found, values = MULTIPLIER.fullmatch(name), self.multipliers
        assert found is not None
        if int(found[1]) > len(values):
            raise InputError(f"{name}: the orbit has only {len(values)} multipliers.")
        return complex(values[int(found[1]) - 1])

    def _special(self, name: str) -> np.ndarray | None:
        if found := MULTIPLIER.fullmatch(name):
            mu = self.multiplier(name)
            return np.array([abs(mu) if found[2] == "size" else abs(np.angle(mu))])
        if found := STATE.fullmatch(name):
            if self.wanted.flow.autonomous:
                raise InputError(
                    f"{name}: without excitation an orbit may start at any of its points; use its "
                    "period or its multipliers as outputs."
                )
            if int(found[1]) >= len(self.orbit.state):
                raise InputError(f"{name}: the state has only {len(self.orbit.state)} components.")
            return self.orbit.state[[int(found[1])]]
        return None

    def linear(self, k: int, parameters: Mapping[str, float]) -> LinearOrbit:
        key = tuple(parameters.items())
        if self._known[0] != key:
            x, T = self.orbit.state, self.period

            def rows(view: FlowView) -> tuple[np.ndarray, np.ndarray]:
                end = view.end(x, T)
                return end - x, np.abs(end) * view.wanted.flow.precision / ROUND

            def changed(name: str) -> Callable[[float], FlowView]:
                return lambda by: FlowView(self._build(name, by), by)

            self._known = key, [stencil(n, changed(n), rows, size) for n, size in key]
        return LinearOrbit(self, self._known[1])


class LinearOrbit:
    """The equations of an orbit, linear about it.

    Args:
        of: the orbit.
        near: flows around, of each parameter, and their factors in a derivative.
    """

    def __init__(self, of: PeriodicOrbits, near: list[list[tuple[FlowView, float]]]):
        self.of, self.near = of, near
        orbit, wanted = of.orbit, of.wanted
        self._x, self._n = orbit.state, len(orbit.state)
        _, monodromy, _, rate = wanted.flow.transition(self._x, wanted.parameter, of.period)
        self.monodromy, matrix = monodromy, monodromy - np.eye(self._n)
        if wanted.flow.autonomous:
            unit = rate / np.linalg.norm(rate)
            matrix = np.block([[matrix, rate[:, None]], [unit[None, :], np.zeros((1, 1))]])
        self._matrix = matrix

    @cached_property
    def by_parameters(self) -> np.ndarray:
        """dF/dp, unknowns x parameters."""
        found = np.zeros((len(self._matrix), len(self.near)))
        for p, around in enumerate(self.near):
            for view, factor in around:
                found[: self._n, p] += factor * view.end(self._x, self.of.period)
        return found

    @cached_property
    def moved(self) -> np.ndarray:
        """Derivatives of the unknowns, unknowns x parameters."""
        return self.solve(-self.by_parameters)

    def solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Solutions of F_z z = rhs or of its transpose."""
        return np.linalg.solve(self._matrix.T if transposed else self._matrix, rhs)

    def slope(self, name: str) -> ByUnknowns:
        """Of a channel."""
        gradient, direct = np.zeros(len(self._matrix)), np.zeros(len(self.near))
        if found := MULTIPLIER.fullmatch(name):
            return ByUnknowns(gradient, self._multiplier(self.of.multiplier(name), found[2]))
        if found := STATE.fullmatch(name):
            gradient[int(found[1])] = 1.0
        elif self.of.wanted.flow.autonomous:
            gradient[self._n] = 1.0
        else:
            for p, around in enumerate(self.near):
                for view, factor in around:
                    direct[p] += factor * view.wanted.flow.period(view.wanted.parameter)
        return ByUnknowns(gradient, direct)

    @cached_property
    def _changes(self) -> np.ndarray:
        """Derivatives of the monodromy matrix, the orbit following, parameters x n x n."""
        found = np.zeros((len(self.near), self._n, self._n))
        for p, around in enumerate(self.near):
            for view, factor in around:
                z = view.by * self.moved[:, p]
                T = None if self.of.period is None else self.of.period + z[self._n]
                flow, parameter = view.wanted.flow, view.wanted.parameter
                found[p] += factor * flow.transition(self._x + z[: self._n], parameter, T)[1]
        return found

    def _multiplier(self, mu: complex, what: str) -> np.ndarray:
        values, left, right = scipy.linalg.eig(self.monodromy, left=True, right=True)
        k = int(np.argmin(np.abs(values - mu)))
        if np.sum(np.abs(values - values[k]) <= SAME * np.abs(values).max()) > 1:
            raise InputError(
                "several multipliers of the orbit are equal, so that each has no derivative."
            )
        y, x = left[:, k].conj(), right[:, k]
        change = np.einsum("i,pij,j->p", y, self._changes, x) / (y @ x) / values[k]
        if what == "size":
            return change.real * abs(values[k])
        return change.imag * (np.sign(np.angle(values[k])) or 1.0)
