"""States of a system as objects: where a run has ended, and where another may begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import checks
from ..errors import InputError
from .state import State


@dataclass(frozen=True, eq=False, repr=False)
class SystemState:
    """The state of a system at an instant, ``last`` of results; the same on every rank.

    It does not depend on a run or on the number of ranks: any run of the same model may begin with
    it. Of the cells' own numbers (approach speeds, worn depths, cycles of gears, turns) it contains
    those that differ from the start of the model, so that the loads and stiffnesses of another
    model of the same structure are kept.

    Attributes:
        time: of functions of time in it, s.
        begin: where the clock of a simulation that begins here starts, s: ``time`` for a state that
            a simulation has come to, 0 for an equilibrium.
        q, v: coordinates and multipliers, and rates, in the order of ``Problem.kept``; read-only.
        kinds: labels of the components.
        changed: of each component the places (cell times its width plus column) and the values of
            the numbers that differ from the start.
    """

    time: float
    begin: float
    q: np.ndarray
    v: np.ndarray
    kinds: tuple[str, ...]
    changed: tuple[tuple[np.ndarray, np.ndarray], ...]

    def __post_init__(self):
        for z in (self.q, self.v, *(z for pair in self.changed for z in pair)):
            z.flags.writeable = False

    def __repr__(self) -> str:
        return f"SystemState(t = {self.time:g} s, {len(self.q)} unknowns)"

    def with_time(self, time: float) -> SystemState:
        """The same state at another time, s, from which a simulation goes on."""
        time = checks.number("time", time)
        return replace(self, time=time, begin=time)

    @classmethod
    def of(cls, state: State, time: float, begin: float | None = None) -> SystemState:
        """The present state of an assembled system; collective."""
        changed = []
        for k in range(len(state.components)):
            mine = changes(state, k)
            at, values = (np.concatenate(z) for z in zip(*state.comm.allgather(mine), strict=True))
            changed.append((at, values))
        kinds = tuple(c.kind.label for c in state.components)
        q, v = (state.problem.kept.gather(z) for z in (state.q, state.v))
        begin = time if begin is None else begin
        return cls(float(time), float(begin), q, v, kinds, tuple(changed))

    @classmethod
    def of_snapshot(cls, stored: Mapping[str, Any]) -> SystemState:
        """The state in a checkpoint, see snapshot.py."""
        changed = []
        for k in range(len(stored["kinds"])):
            at = np.array(stored[f"changed{k}"])
            changed.append((at, stored[f"state.parameters{k}"].ravel()[at]))
        q, v = (np.array(stored[f"state.{z}"]) for z in ("q", "v"))
        kinds = tuple(str(label) for label in stored["kinds"])
        time = float(stored["scheme.numbers"][0])
        return cls(time, time, q, v, kinds, tuple(changed))

    def put(self, state: State) -> None:
        """Make it the present state of an assembled system; accelerations are zero.

        Raises:
            InputError: a system with another structure.
        """
        kinds = tuple(c.kind.label for c in state.components)
        if kinds != self.kinds or len(self.q) != state.size:
            raise InputError(
                f"initial: the state is of another model ({len(self.q)} unknowns, this one has "
                f"{state.size}); it must come from one with the same bodies and joints."
            )
        state.reset()
        n, kept = state.local, state.problem.kept
        state.q[:n], state.v[:n] = kept.pick(self.q), kept.pick(self.v)
        state.q_n[:n] = state.q[:n]
        for c, rows, (at, values) in zip(
            state.components, state.parameters, self.changed, strict=True
        ):
            cell, column = np.divmod(at, max(c.kind.width, 1))
            here = np.isin(cell, c.original)
            place = np.searchsorted(c.original, cell[here])
            rows[place, column[here]] = values[here]
        state.globals[0] = self.time


def changes(state: State, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Of this rank's cells of component ``k`` the numbers that differ from the start: places and
    values, see ``SystemState``."""
    c, at = state.components[k], state.problem.offsets[k]
    width, mine = c.kind.width, state.parameters[k].ravel()
    differ = np.flatnonzero(mine != state.problem.start[at : at + mine.size])
    cell, column = np.divmod(differ, max(width, 1))
    return c.original[cell] * width + column, mine[differ]


def set_to(state: State, initial: SystemState | None) -> None:
    """Go to a given state, or to the model's own initial values; collective where numbers are read
    from outside."""
    if initial is None:
        state.reset()
    else:
        initial.put(state)
    for read in state.problem.inputs:
        read(state)


def checked(initial) -> SystemState | None:
    """A state to begin with, or none.

    Raises:
        InputError: anything else.
    """
    if initial is not None and not isinstance(initial, SystemState):
        hint = "; give its .last" if hasattr(initial, "last") else ""
        raise InputError(
            f"initial must be the state of a run, such as results.last, got {initial!r}{hint}."
        )
    return initial
