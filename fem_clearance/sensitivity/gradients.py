"""Gradients of what a run observes, by the unknowns of one instant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import ufl

from .. import checks
from ..core.accounts import COUNTED, TOTALS, entries
from ..core.component import Component
from ..core.evaluation import Batches
from ..core.forms import Compiled, compiled
from ..core.observables import is_energy
from ..core.observation import Channels
from ..core.renamed import present
from ..core.state import State
from ..core.symbols import Symbols, total
from ..errors import InputError

#: fields by which an observable is derived
FIELDS = ("q", "v", "a")


def observable_kernel(kind, comm, key: str, field: str) -> Compiled | None:
    """Kernel of the derivative of one observable of a kind by ``q``, ``v`` or ``a``.

    Only the one asked for is derived: zero times the derivative of another, as of a root at zero,
    is no number.
    """

    def written(c: Symbols):
        form = total(c._pieces(kind.observables(c)[key].expression))
        form = ufl.replace(form, c._values())
        return ufl.derivative(form, getattr(c, field), ufl.TestFunction(c.space))

    return compiled(kind, comm, f"d {key}/d{field}", written)


class Gradient:
    """Gradients of one observable of the cells of a component, each by its own unknowns.

    Args:
        state: whose present numbers are taken.
        k: number of the component.
        key: of the observable.
    """

    def __init__(self, state: State, k: int, key: str):
        problem, c = state.problem, state.components[k]
        self._state, self._unknowns = state, problem.local_unknowns[k]
        self._batches: list[Batches | None] = []
        for name in FIELDS:
            form = observable_kernel(c.kind, state.comm, key, name)
            work = None if form is None else [problem.work(k, form, c.dofs)]
            self._batches.append(None if work is None else Batches(work, problem.module))

    def at(self, weights: np.ndarray) -> np.ndarray:
        """The gradient of the weighted sum over cells, (q, v, a) x unknowns.

        Args:
            weights: of the cells, (cells,).
        """
        state = self._state
        result = np.zeros((len(FIELDS), state.total))
        for row, batch in zip(result, self._batches, strict=True):
            if batch is None:
                continue
            values = batch.evaluate(state.address).reshape(self._unknowns.shape)
            used = np.flatnonzero(weights)  # others may be no numbers
            parts = weights[used, None] * values[used]
            row += np.bincount(self._unknowns[used].ravel(), parts.ravel(), state.total)
            if state.problem.condensed is not None:
                state.problem.condensed.condense(row)
        return result[:, : state.local]


class Term(NamedTuple):
    """What an observable of a component adds to a channel, with a weight for each cell."""

    component: int
    key: str
    weights: np.ndarray
    least: bool
    largest: bool


def known(name: str, names: list[str]) -> str:
    """The present name of a channel.

    Raises:
        InputError: a channel that there is not, or that counts what happened before.
    """
    own = present(name, names)
    if own in COUNTED:
        raise InputError(
            f"{name} is accumulated from the start of the run, and its derivative is not "
            "available; use the Integral of a power."
        )
    if own not in names:
        raise InputError(
            f"there is no channel {name!r}{checks.suggestion(name, names)}; there are "
            f"{checks.some(names)}."
        )
    return own


@dataclass
class Slope:
    """How a number observed at one instant changes.

    Attributes:
        motion: with q, v and a there, 3 x unknowns.
        parameters: with the parameters, (parameters,).
        speeds: with the approach speeds of contacts.
        time: with the instant, explicitly.
        length: with the length of the step that ends there, explicitly.
        memory: with the memory of each component (memory.py) there, (numbers,).
        before, start: with the memories before the step that ends there, and with q at its start.
        array, seen: state array there, and component, name and weights of the cells of each
            observed term, for derivatives with respect to the numbers of cells.
    """

    motion: np.ndarray
    parameters: np.ndarray
    speeds: dict[tuple[int, int], float]
    time: float = 0.0
    length: float = 0.0
    memory: dict[int, np.ndarray] = field(default_factory=dict)
    before: dict[int, np.ndarray] = field(default_factory=dict)
    start: np.ndarray | None = None
    array: np.ndarray | None = None
    seen: Sequence[tuple[int, str, np.ndarray]] = ()


class ChannelGradients:
    """Gradients of channels.

    Args:
        channels: of the run.
        names: those that are asked for.

    Raises:
        InputError: a channel that there is not, or that counts what happened before.
    """

    def __init__(self, channels: Channels, names: Iterable[str]):
        self.channels, self.state = channels, channels.state
        self._gradients: dict[tuple[int, str], Gradient] = {}
        self.terms: dict[str, list[Term]] = {}
        for name in names:
            self.terms[name] = self._terms_of(known(name, channels.names))
        self.columns = {n: channels.names.index(present(n, channels.names)) for n in self.terms}

    def _terms_of(self, name: str) -> list[Term]:
        found = []
        for k in self.state.problem.observers:
            c = self.state.components[k]
            for key, o in c.observables.items():
                weights = np.zeros(c.count)
                if o.total == name:
                    weights += 1.0
                if is_energy(o.total) and name in TOTALS:
                    weights += entries(c).get(name, 0)
                if o.recorded:
                    weights += _recorded(c, key, o.each, name)
                if weights.any():
                    found.append(Term(k, key, weights, o.least, o.largest))
        return found

    def at(self, name: str) -> np.ndarray:
        """The gradient of a channel at the present state, (q, v, a) x unknowns."""
        result = np.zeros((len(FIELDS), self.state.local))
        for k, key, weights in self.observed(name):
            result += self.of(k, key).at(weights)
        return result

    def observed(self, name: str) -> list[tuple[int, str, np.ndarray]]:
        """Component, observable and weights of the cells of each term at the present state."""
        return [
            (k, key, self.picked(k, key, weights, largest) if least or largest else weights)
            for k, key, weights, least, largest in self.terms[name]
        ]

    def of(self, k: int, key: str) -> Gradient:
        """The gradient of an observable of a component."""
        if (k, key) not in self._gradients:
            self._gradients[k, key] = Gradient(self.state, k, key)
        return self._gradients[k, key]

    def picked(self, k: int, key: str, weights: np.ndarray, largest: bool) -> np.ndarray:
        """Weights of the cells by which the one whose value counts is picked."""
        self.state.observe()
        position = self.state.problem.observers.index(k)
        column = list(self.state.components[k].observables).index(key)
        values = self.state.observations.parts[position][:, column]
        values = np.where(weights > 0, values, -np.inf if largest else np.inf)
        result = np.zeros(len(weights))
        result[np.argmax(values) if largest else np.argmin(values)] = 1.0
        return result

    def values(self, channels: Channels) -> np.ndarray:
        """Of the channels asked for, in their order, at the state of some channels of the model."""
        values = channels.read()
        return np.array([values[k] for k in self.columns.values()])


def _recorded(c: Component, key: str, each: bool, name: str) -> np.ndarray:
    """1 for each cell whose observable the channel is."""
    owners, owner = (c.places, c.place) if each else (c.owners, c.owner)
    mine = [j for j, who in enumerate(owners) if f"{who}.{key}" == name]
    return np.isin(owner, mine).astype(float)
