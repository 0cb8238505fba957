"""Checks of the assembled constraints: closed at the start, free of contradiction, independent."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from .unknowns import TRANSLATION, Block

if TYPE_CHECKING:
    from .system import System

logger = logging.getLogger(__name__)


def check_and_reduce(system: System) -> int:
    """Find constraints that others imply and drop them; returns how many.

    A planar loop of spatial revolutes, say, has three too many; their multipliers are set to zero
    and their rows left out, which changes no motion.

    Raises:
        InputError: a constraint that is open at the start, or a driver of a motion that joints
            already prevent.
    """
    state = system.assembled
    owners = _owners(state)
    if not owners:
        return 0
    phi, jacobian, _, columns = _evaluate(state, np.array(sorted(owners)))
    numbers = sorted(owners)
    size = system.extent()
    _refuse_open(system, owners, phi)
    order = sorted(range(len(numbers)), key=lambda k: (_rank(owners[numbers[k]]), numbers[k]))
    here = _dependent(jacobian[order])
    there = _dependent(_nearby(state, np.array(numbers), columns, jacobian, size)[order])
    if len(there) < len(here):
        logger.info(
            "the system starts in a singular pose: %d constraints depend on others only there",
            len(here) - len(there),
        )
        here = there
    dropped = [numbers[order[k]] for k in here]
    drivers = {str(owners[n].constraint) for n in dropped if owners[n].driven}
    if drivers:
        raise InputError(
            f"{', '.join(sorted(drivers))} drives a motion that the joints already prevent "
            "or that another driver drives; remove one of them."
        )
    for block in {id(owners[n]): owners[n] for n in dropped}.values():
        gone = np.isin(block.numbers, dropped)
        logger.info(
            "%s: %d of its %d constraints follow from others and carry no force",
            block.constraint,
            gone.sum(),
            len(block.values),
        )
        block.fixed |= gone  # a multiplier that stays zero
    return len(dropped)


def check_closed(system: System) -> None:
    """Whether the constraints hold at the present state and its time; collective.

    Raises:
        InputError: a constraint that is open.
    """
    state = system.assembled
    if owners := _owners(state):
        rows = state.everything(state.add_over_ranks(state.residual()))
        _refuse_open(system, owners, rows[sorted(owners)])


def _refuse_open(system: System, owners: dict[int, Block], phi: np.ndarray) -> None:
    largest = 1e-5 * max(system.extent(), 1.0)
    for number, value in zip(sorted(owners), phi, strict=True):
        if abs(value) > largest:
            raise InputError(
                f"{owners[number].constraint} is violated at the start by {abs(value):.3g}."
            )


def _rank(block: Block) -> int:
    """Orthonormality first (always independent), joints next, drivers last: of constraints that
    depend on each other the last ones are dropped."""
    return 2 if block.driven else int(not block.name.endswith("orthonormality"))


def _owners(state) -> dict[int, Block]:
    """Block behind each constraint row."""
    return {
        int(n): b for b in state.blocks if b.constraint and not b.private for n in b.numbers[b.free]
    }


def _evaluate(state, numbers: np.ndarray):
    """Constraint rows on every rank: values, derivatives by coordinates, time derivatives, and the
    numbers of the coordinates."""
    state.globals[:3] = 0.0
    values = state.everything(state.add_over_ranks(state.residual()))[numbers]
    state.globals[0] = 1e-6
    later = state.everything(state.add_over_ranks(state.residual()))[numbers]
    state.globals[0] = 0.0
    tangent = state.tangent(0.0, 0.0)
    rows, cols = state.numbers[state.coo_rows], state.numbers[state.coo_cols]
    use = np.isin(rows, numbers) & (state.dynamic[state.coo_cols] > 0) & (cols < state.size)
    pieces = state.comm.allgather((rows[use], cols[use], tangent[use]))
    rows, cols, entries = (np.concatenate(z) for z in zip(*pieces, strict=True))
    columns, place = np.unique(cols, return_inverse=True)
    jacobian = np.zeros((len(numbers), len(columns)))
    np.add.at(jacobian, (np.searchsorted(numbers, rows), place), entries)
    return values, jacobian, (later - values) / 1e-6, columns


def _nearby(state, numbers: np.ndarray, columns: np.ndarray, jacobian: np.ndarray, size: float):
    """Constraint Jacobian at an admissible pose near the start.

    Where a mechanism starts in a singular pose (a parallelogram whose bars are in line, a crank at
    dead centre), constraints depend on each other that are needed a moment later. So the rank
    counts at a pose a thousandth of the system's size away, reached along a random motion that the
    constraints allow. If there is none, the result is the Jacobian at the start.
    """
    start = state.q.copy()
    here = state.locate(columns)
    mine = here >= 0
    lengths = np.array([size if n == TRANSLATION else 1.0 for n in state.row_names])
    unit = np.zeros(len(columns))
    unit[mine] = lengths[state.row_class[here[mine]]]
    unit = np.max(state.comm.allgather(unit), axis=0)
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
        phi, near, _, _ = _evaluate(state, numbers)
        if np.abs(phi).max() < target:
            result = near
            break
        x -= np.linalg.lstsq(near * unit, phi, rcond=1e-9)[0]
    state.q[:] = start
    return result


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
