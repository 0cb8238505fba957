"""Trials of the forces of users' kinds: those that are not to feed a system give its motion no
energy, near the start and nearly at rest, but what observables tell that they lose."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

from .. import checks
from ..user_code import is_added
from .component import Component
from .constraints import evaluate_rows, unit_motion
from .mixins import seen_each_step
from .problem import Problem
from .roles import Multiplier
from .state import State

logger = logging.getLogger(__name__)

#: cells of a kind that are tried, and random motions of each
CELLS, MOTIONS = 16, 4
#: displacement by the system's size, and speed, 1/s, at which the power of damping is small
AWAY, SLOW = 1e-3, 1e-9
#: part of the sizes of a power's terms from which it is no error of the first order in ``AWAY``
OFF = 0.02


def warn_of_giving(problem: Problem) -> None:
    """Warn of users' kinds that say ``feeds_energy = False`` while their forces give energy to a
    motion or to the opposite one, which would count as dissipated with a negative sign: of springs
    without an energy, or with the wrong one. Forces with a memory, or of contact, are not tried.
    Collective."""
    tried = [k for k, c in enumerate(problem.components) if _is_tried(c)]
    if not tried:
        return
    state = State(problem)
    state.q[problem.constrained] = 0.0  # forces without reactions
    cells = {k: _cells(problem, k) for k in tried}
    here = [problem.numbers[problem.local_unknowns[k][rows]].ravel() for k, rows in cells.items()]
    numbers = np.unique(np.concatenate(problem.comm.allgather(np.concatenate(here))))
    start, giving = state.q.copy(), {k: np.zeros(len(rows), bool) for k, rows in cells.items()}
    for there, motion in _motions(state, numbers):
        state.q[:] = state.q_n[:] = start + AWAY * there
        for way in (motion, -motion):
            for k, rows in cells.items():
                giving[k] |= _gives(state, k, way)[rows]
    for k, rows in cells.items():
        c = problem.components[k]
        mine = [c.owners[n] for n in c.owner[rows[giving[k]]]]
        if names := dict.fromkeys(sum(problem.comm.allgather(mine), [])):
            logger.warning(
                "%s: the forces of %s do work that no energy of its observables gives, and that "
                "would count as dissipated (feeds_energy = False): check their sign, define an "
                "Observable with the total energy.strain whose derivatives they are (or check its "
                "sign and factors), or set feeds_energy = True",
                *(checks.some(names, 3), c.kind.label),
            )


def _is_tried(c: Component) -> bool:
    kind = c.kind
    return (
        is_added(type(kind)) and kind.feeds_energy is False and c.work is not None
        and not (c.by_difference or c.driven or seen_each_step(kind))
    )  # fmt: skip


def _cells(problem: Problem, k: int) -> np.ndarray:
    """Cells of a component on this rank to be tried: without unknowns other than coordinates and
    multipliers."""
    mine = problem.local_unknowns[k]
    known = (problem.order[mine] == 2) | problem.constrained[mine]
    return np.flatnonzero(known.all(axis=1))[:CELLS]


def _motions(state: State, numbers: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Random displacements of unknowns of these global numbers, and velocities, 1/s, by local
    number and in units of the system's size: such as the conditions on the coordinates of each body
    allow; collective."""
    problem, blocks = state.problem, state.problem.blocks
    owners = {b.owner for b in blocks if np.isin(b.numbers[b.free], numbers).any()}
    owners = set().union(*problem.comm.allgather(owners))
    held = [
        b.numbers[b.free] for b in blocks
        if b.owner in owners and isinstance(b.role, Multiplier) and b.role.inherent
    ]  # fmt: skip
    rows, of_bodies = np.zeros((0, 0)), np.zeros(0, int)
    if held:
        rows, of_bodies = evaluate_rows(state, np.sort(np.concatenate(held)))[1:]
    columns = np.union1d(numbers[numbers < problem.size], of_bodies)
    jacobian = np.zeros((len(rows), len(columns)))
    jacobian[:, np.searchsorted(columns, of_bodies)] = rows
    unit = unit_motion(state, columns) * state.everything(problem.moving)[columns]
    scaled, here = jacobian * unit, problem.locate(columns)
    mine, random = here >= 0, np.random.default_rng(0)
    for _ in range(MOTIONS):
        both = np.zeros((2, state.total))
        for row in both:
            move = random.standard_normal(len(columns)) * (unit > 0)
            if held:
                move -= np.linalg.lstsq(scaled, scaled @ move, rcond=1e-9)[0]
            row[here[mine]] = (unit * move / max(np.abs(move).max(initial=0.0), 1e-9))[mine]
        yield both[0], both[1]


def _gives(state: State, k: int, way: np.ndarray) -> np.ndarray:
    """Which cells of a component give energy to a slow motion along ``way``."""
    c = state.components[k]
    assert c.work is not None and c.residual is not None
    inertia = "a" in c.residual.coefficients
    state.v[:] = 0.0 if inertia else SLOW * way  # forces of inertia do work on what moves
    mine = way[state.problem.local_unknowns[k]]
    taken, whole = (state.evaluate(k, form, c.dofs) * mine for form in (c.work, c.residual))
    return taken.sum(axis=1) < -OFF * np.abs(whole).sum(axis=1)
