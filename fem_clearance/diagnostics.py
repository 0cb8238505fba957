"""Checks of an assembled system, for tests and for authors of new kinds."""

import numpy as np

from ._backend import MPI
from .core.state import State

EPS = 1e-15


def tangent_errors(
    state: State, step: float = 1e-6, rates: float | None = None
) -> dict[str, float]:
    """Largest error of the derivatives of the residual by q, v and a against central differences.

    Each row is compared relative to its largest derivative by that field, or to 1e-9 of the largest
    of its class (smaller ones are round-off); what round-off explains is not counted. The state is
    left as it was; every rank checks its own cells.

    Args:
        state: an assembled system, at the state to check.
        step: change of each coordinate (m, or 1 for directors, or the unit of a multiplier).
        rates: change of each rate and acceleration; default 1000 steps.
    """
    pieces = {"q": state.tangent(0.0, 0.0).copy()}
    pieces["v"] = state.tangent(0.0, 1.0) - pieces["q"]
    pieces["a"] = state.tangent(1.0, 0.0) - pieces["q"]
    shape = (state.total, state.total)
    place = np.ravel_multi_index((state.problem.coo_rows, state.problem.coo_cols), shape)
    noise = np.bincount(
        state.problem.coo_rows, np.abs(pieces["q"] * state.q[state.problem.coo_cols]), state.total
    )
    state.residual()
    noise = EPS * (noise + state.problem.sizes())
    steps = {"q": step, "v": rates or 1e3 * step, "a": rates or 1e3 * step}
    result = {}
    for name, entries in pieces.items():
        exact = np.bincount(place, entries, state.total**2).reshape(shape)
        numeric = _differences(state, getattr(state, name), steps[name])
        if state.problem.entries.filled is not None:  # bodies have entries of unknowns alone
            for z in (exact, numeric):
                z[state.local :] = z[:, state.local :] = 0.0
        excess = np.abs(exact - numeric) - 10 * noise[:, None] / steps[name]
        scale = np.abs(np.hstack([exact, numeric])).max(axis=1, initial=0.0)
        largest = np.zeros(len(state.problem.row_names))
        np.maximum.at(largest, state.problem.row_class, scale)
        scale = np.maximum(scale, 1e-9 * largest[state.problem.row_class])
        wrong = np.where(excess > 0, excess / np.where(scale > 0, scale, 1.0)[:, None], 0.0)
        worst = float(np.max(wrong, initial=0.0)) if np.all(np.isfinite(exact)) else np.inf
        result[name] = state.comm.allreduce(worst, op=MPI.MAX)
    return result


def tangent_error(state: State, step: float = 1e-6, rates: float | None = None) -> float:
    """The largest of ``tangent_errors``."""
    return max(tangent_errors(state, step, rates).values())


def _differences(state: State, field: np.ndarray, step: float) -> np.ndarray:
    """Derivatives of the residual by the entries of a field, unknowns x unknowns (of this rank)."""
    columns = np.zeros((state.total, state.total))
    for j, value in enumerate(field.copy()):
        for sign in (1, -1):
            field[j] = value + sign * step
            columns[:, j] += sign * state.residual() / (2 * step)
        field[j] = value
    return columns
