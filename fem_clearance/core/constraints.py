"""Checks of the assembled constraints: closed at the start, free of contradiction, independent."""

from __future__ import annotations

import logging

import numpy as np

from .. import checks
from ..errors import InputError
from .blocks import Block
from .levels import FAST
from .roles import TRANSLATION, Multiplier
from .state import State

logger = logging.getLogger(__name__)


def check_and_reduce(state: State) -> int:
    """Find constraints that others imply and drop them; returns how many.

    A planar loop of spatial revolutes, for example, has three too many. Their multipliers are set
    to zero and their rows left out, which does not change the motion. Dependence is that of the
    conditions on velocities, because a rolling condition may also follow from joints.

    Raises:
        InputError: a constraint that is open at the start, a driver of a motion that joints
            already prevent, or conditions on velocities that contradict each other.
    """
    owners = _owners(state)
    if not owners:
        return 0
    numbers = np.array(sorted(owners))
    held = [owners[n] for n in sorted(owners)]
    rated = _rated(state)[numbers]
    phi, jacobian, columns = evaluate_rows(state, numbers)
    size = state.problem.extent
    _refuse_open(size, owners, phi, rated)
    order = sorted(range(len(held)), key=lambda k: (_rank(held[k], rated[k]), numbers[k]))
    here = _dependent(jacobian[order])
    nearby = _nearby(state, numbers, columns, jacobian, size, ~rated)
    there = _dependent(nearby[order])
    if len(there) < len(here):
        logger.info(
            "the system starts in a singular pose: %d constraints depend on others only in this "
            "pose",
            len(here) - len(there),
        )
        here = there
    gone = [order[k] for k in here]
    dropped = numbers[gone]
    drivers = {str(owners[n].constraint) for n in dropped if owners[n].driven}
    if drivers:
        raise InputError(
            f"{', '.join(sorted(drivers))} drives a motion that the joints already prevent "
            "or that another driver drives; remove one of them."
        )
    if np.any(rated[gone]):
        _check_rates(state, owners, jacobian, gone, rated, size)
    for name in dict.fromkeys(owners[n].constraint for n in dropped):
        own = [k for k, other in enumerate(held) if other.constraint == name]
        twice = bool(_dependent(jacobian[own])) and bool(_dependent(nearby[own]))
        logger.log(
            logging.WARNING if twice else logging.INFO,
            "%s: %d of its %d constraints follow from others%s and carry no force",
            name,
            len(set(own) & set(gone)),
            len(own),
            " of its own (is one written twice?)" if twice else "",
        )
    for block in {id(owners[n]): owners[n] for n in dropped}.values():
        block.fixed |= np.isin(block.numbers, dropped)  # a multiplier that stays zero
    return len(dropped)


def check_closed(state: State) -> None:
    """Whether the constraints hold at the present state and its time; collective.

    Raises:
        InputError: a constraint that is open.
    """
    if owners := _owners(state):
        rows, numbers = state.everything(state.add_over_ranks(state.residual())), sorted(owners)
        _refuse_open(state.problem.extent, owners, rows[numbers], _rated(state)[numbers])


def _rated(state) -> np.ndarray:
    """Which rows hold velocities, by global number."""
    return state.everything(state.problem.velocity_level.astype(float)) > 0


def _refuse_open(
    extent: float, owners: dict[int, Block], phi: np.ndarray, rated: np.ndarray
) -> None:
    largest = 1e-5 * max(extent, 1.0)
    for number, value in zip(sorted(owners), np.where(rated, 0.0, phi), strict=True):
        if abs(value) > largest:
            raise InputError(
                f"{owners[number].constraint} is violated at the start by {abs(value):.3g}, in the "
                "unit of its equation; check the places that it connects, its lengths and its "
                "value at the start."
            )


def _rank(block: Block, rated: bool) -> int:
    """Order of constraints, the last of which are dropped if they depend on each other: conditions
    on a body's own coordinates (always independent), joints (first those on positions), drivers."""
    assert isinstance(block.role, Multiplier)
    if block.driven:
        return 3
    return 0 if block.role.inherent else 1 + int(rated)


def _check_rates(
    state, owners: dict[int, Block], jacobian, gone: list[int], rated, size: float
) -> None:
    """Refuse conditions on velocities among ``gone`` that others contradict: of the rows
    J v + b = 0 they depend on others in J, so must they in b."""
    numbers = sorted(owners)
    kept = np.setdiff1d(np.arange(len(numbers)), gone)
    start = state.v.copy()
    state.v[:] = 0.0
    still, drift = (
        state.everything(state.add_over_ranks(z()))[numbers] for z in (state.residual, state.drift)
    )
    state.v[:] = start
    b = np.where(rated, still, drift)
    by_others = np.linalg.lstsq(jacobian[kept].T, jacobian[gone].T, rcond=1e-9)[0]
    left = np.abs(b[gone] - b[kept] @ by_others)
    bad = left > 1e-6 * np.abs(b).max() + 1e-12 * size * np.abs(jacobian).max()
    if np.any(bad):
        names = sorted({str(owners[numbers[gone[k]]].constraint) for k in np.flatnonzero(bad)})
        raise InputError(
            f"{', '.join(names)}: its condition on velocities contradicts other joints and drivers "
            "(they ask for different velocities of the same motion); remove one of them."
        )


def _owners(state) -> dict[int, Block]:
    """Block behind each constraint row."""
    return {
        int(n): b
        for b in state.problem.blocks
        if isinstance(b.role, Multiplier) and not b.role.exclusive
        for n in b.numbers[b.free]
    }


def evaluate_rows(state, numbers: np.ndarray):
    """Constraint rows on every rank: values, derivatives by coordinates (of conditions on
    velocities by these), and the numbers of the coordinates."""
    state.globals[:3] = 0.0
    values = state.everything(state.add_over_ranks(state.residual()))[numbers]
    problem, tangent = state.problem, state.tangent(0.0, 0.0).copy()
    rated = problem.entries.in_rows(problem.velocity_level)
    if len(rated):
        tangent[rated] = state.tangent(0.0, FAST)[rated] / FAST
        state.globals[1:3] = 0.0
    found = problem.entries.in_rows(np.isin(state.numbers, numbers))
    at = problem.entries.at(found)
    rows, cols = (state.numbers[z] for z in at)
    use = (problem.dynamic[at[1]] > 0) & (cols < state.size)
    pieces = state.comm.allgather((rows[use], cols[use], tangent[found[use]]))
    rows, cols, entries = (np.concatenate(z) for z in zip(*pieces, strict=True))
    columns, place = np.unique(cols, return_inverse=True)
    jacobian = np.zeros((len(numbers), len(columns)))
    np.add.at(jacobian, (np.searchsorted(numbers, rows), place), entries)
    if not (finite := np.isfinite(values) & np.isfinite(jacobian).all(axis=1)).all():
        bad = numbers[~finite]
        names = (str(b.constraint) for b in problem.blocks if np.isin(b.numbers, bad).any())
        raise InputError(
            f"the equations of {checks.some(dict.fromkeys(names), 3)} give no finite numbers: a "
            "length is zero (and has no direction), or a place is beyond the range of numbers."
        )
    return values, jacobian, columns


def _nearby(
    state, numbers: np.ndarray, columns: np.ndarray, jacobian: np.ndarray, size: float, closed
):
    """Constraint Jacobian at an admissible pose near the start.

    Where a mechanism starts in a singular pose (a parallelogram whose bars are in line, a crank at
    dead centre), constraints depend on each other that are needed a moment later. So the rank
    counts at a pose a thousandth of the system's size away, reached along a random motion that the
    constraints allow. If there is none, the result is the Jacobian at the start. ``closed``: which
    of the rows positions must satisfy.
    """
    start, unit = state.q.copy(), unit_motion(state, columns)
    here = state.locate(columns)
    mine = here >= 0
    scaled = jacobian * unit
    move = np.random.default_rng(0).standard_normal(len(columns))
    move -= np.linalg.lstsq(scaled, scaled @ move, rcond=1e-9)[0]
    largest = np.abs(move).max(initial=0.0)
    if largest < 1e-9:  # nothing can move
        return jacobian
    x = 1e-3 * move / largest
    result, target = jacobian, 1e-12 * max(1.0, np.abs(jacobian).max(initial=0.0) * size)
    for _ in range(20):
        state.q[here[mine]] = start[here[mine]] + (unit * x)[mine]
        phi, near, _ = evaluate_rows(state, numbers)
        phi = phi * closed
        if np.abs(phi).max() < target:
            result = near
            break
        x -= np.linalg.lstsq(near * unit, phi, rcond=1e-9)[0]
    state.q[:] = start
    return result


def unit_motion(state: State, columns: np.ndarray) -> np.ndarray:
    """Motions of coordinates (global numbers) as far as the system's size; collective."""
    problem, here = state.problem, state.locate(columns)
    mine, unit = here >= 0, np.zeros(len(columns))
    lengths = np.array([problem.extent if n == TRANSLATION else 1.0 for n in problem.row_names])
    unit[mine] = lengths[problem.row_class[here[mine]]]
    return np.max(state.comm.allgather(unit), axis=0)


def _dependent(jacobian: np.ndarray, tolerance: float = 1e-8) -> list[int]:
    """Rows that are combinations of earlier rows (Gram-Schmidt, orthogonalised twice)."""
    basis = np.zeros((0, jacobian.shape[1]))
    dependent = []
    for k, row in enumerate(jacobian):
        length = np.linalg.norm(row)
        rest = row - basis.T @ (basis @ row)
        rest -= basis.T @ (basis @ rest)
        if length == 0 or np.linalg.norm(rest) <= tolerance * length:
            dependent.append(k)
        else:
            basis = np.vstack([basis, rest / np.linalg.norm(rest)])
    return dependent
