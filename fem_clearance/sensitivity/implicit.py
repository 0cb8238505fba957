"""Derivatives of solutions of equations without time, F(x, p) = 0.

Outputs g(x, p) change by g_x dx + g_p dp with F_x dx = -F_p dp. Forwards this takes a solution for
each parameter; by the adjoint equations, F_x' mu = g_x', one for each output,
dg = (g_p - mu' F_p) dp.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ..errors import InputError
from .outputs import History, Row
from .rebuilt import OtherModel, around, orders, quiet

#: changes of a parameter by its size (and of a state by the system's), the largest first: the first
#: is taken by which differences of fourth and of second order agree
STEPS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
#: part of the largest number by which they may differ, and of the terms it is the sum of
AGREE, ROUND = 1e-4, 1e-12
#: part of a number that does not count where it is changed by all of a parameter
LEAST = 1e-6


class ByUnknowns(NamedTuple):
    """How a number changes.

    Attributes:
        gradient: by the unknowns, (unknowns,).
        direct: by the parameters, unknowns held, (parameters,).
    """

    gradient: np.ndarray
    direct: np.ndarray


class Linear(Protocol):
    """Equations that are linear about a solution."""

    @property
    def by_parameters(self) -> np.ndarray:
        """dF/dp, unknowns x parameters."""
        ...

    def solve(self, rhs: np.ndarray, transposed: bool = False) -> np.ndarray:
        """Solutions of F_x x = rhs or of its transpose, unknowns x columns."""
        ...

    def slope(self, name: str) -> ByUnknowns:
        """Of a channel."""
        ...


@dataclass(frozen=True)
class Seen(History):
    """Channels, and others that are computed when they are asked for.

    Attributes:
        more: values of another name; ``None`` where it is none of these.
    """

    more: Callable[[str], np.ndarray | None]

    def __getitem__(self, name):
        found = self.more(name)
        return super().__getitem__(name) if found is None else found


class Implicit(ABC):
    """Solutions of equations without time, at one or several instants (load factors).

    Attributes:
        history: channels at the instants.
        axis: what the instants are.
        notes: what limits the derivatives, a sentence each.
    """

    history: History
    axis: str
    notes: list[str]

    @abstractmethod
    def linear(self, k: int, parameters: Mapping[str, float]) -> Linear:
        """The linear equations of an instant.

        Args:
            k: the instant.
            parameters: by whose changes their derivatives are taken: name and size.
        """

    def jacobian(
        self, rows: Sequence[Row], parameters: Mapping[str, float], adjoint: bool
    ) -> np.ndarray:
        """Derivatives of outputs, rows x parameters."""
        wanted: dict[int, list[tuple[int, str, float]]] = {}
        for r, row in enumerate(rows):
            for name, (places, weights) in row.channels.items():
                for k, w in zip(places, weights, strict=True):
                    if w:
                        wanted.setdefault(int(k), []).append((r, name, float(w)))
        result = np.zeros((len(rows), len(parameters)))
        for k, terms in wanted.items():
            linear = self.linear(k, parameters)
            G = np.zeros((len(rows), len(linear.by_parameters)))
            slopes = {name: linear.slope(name) for name in {name for _, name, _ in terms}}
            for r, name, w in terms:
                G[r] += w * slopes[name].gradient
                result[r] += w * slopes[name].direct
            if adjoint:
                result -= linear.solve(G.T, transposed=True).T @ linear.by_parameters
            else:
                result += G @ linear.solve(-linear.by_parameters)
        return result

    def changes(self, names: Sequence[str], parameters: Mapping[str, float]) -> np.ndarray:
        """Derivatives of channels at all instants, instants x names x parameters."""
        found = np.zeros((len(self.history.t), len(names), len(parameters)))
        for k in range(len(found)):
            linear = self.linear(k, parameters)
            change = linear.solve(-linear.by_parameters)
            for j, name in enumerate(names):
                slope = linear.slope(name)
                found[k, j] = slope.gradient @ change + slope.direct
        return found


def settled(
    at: Callable[[float], tuple[np.ndarray, np.ndarray]], moved: np.ndarray, least: np.ndarray,
    what: str,
) -> np.ndarray:  # fmt: skip
    """A gradient as a difference, by the largest step by which it is one of smooth numbers.

    Args:
        at: differences of fourth and second order by a step.
        moved: what it is multiplied by, unknowns x parameters.
        least: change that does not count, (parameters,).
        what: whose gradient it is.

    Raises:
        InputError: there is no such step.
    """
    for step in STEPS:
        fourth, second = at(step)
        change, gap = abs(fourth @ moved), abs((fourth - second) @ moved)
        if np.all(gap <= AGREE * change + least):
            return fourth
    raise InputError(
        f"{what} does not change smoothly at this solution and has no derivative: a contact is "
        "just beginning, or the edge of a film is just at a node."
    )


def stencil[T](
    name: str, changed: Callable[[float], T],
    rows: Callable[[T], tuple[np.ndarray, np.ndarray]], size: float,
) -> list[tuple[T, float]]:  # fmt: skip
    """Models around, and their factors in a derivative by a parameter.

    Args:
        name: of the parameter.
        changed: the model for a change of the parameter.
        rows: what it leaves of its equations at the solution, and the sizes of their terms.
        size: of the parameter.

    Raises:
        InputError: the models cannot be built, or do not change smoothly.
    """
    found: list[tuple[T, float]] | None = None
    last: InputError | None = None
    with quiet():
        for step in STEPS:
            try:
                found = around(changed, step * size)
            except OtherModel:
                raise
            except InputError as error:
                last = error
                continue
            seen, factors = [rows(z) for z, _ in found], [f for _, f in found]
            fourth, second = orders([left for left, _ in seen], factors)
            terms = max(sizes.max(initial=0.0) for _, sizes in seen)
            allowed = AGREE * np.abs(fourth).max(initial=0.0)
            allowed += ROUND * terms * np.abs(factors).max()
            if np.abs(fourth - second).max(initial=0.0) <= allowed:
                return found
    if found is None:
        assert last is not None
        raise last
    raise InputError(
        f"{name}: the equations do not change smoothly with it at this solution, so that there is "
        "no derivative: a contact is just beginning, the edge of a film is just at a node, or a "
        "CondensedSolid or ReducedBody is reduced to other vectors for each value."
    )
