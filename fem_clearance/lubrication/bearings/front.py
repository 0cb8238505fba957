"""Derivatives of a film's forces where its edge lies between nodes.

Where a film breaks p = dp/dn = 0 (Swift and Stieber): to first order nothing changes there when the
journal moves, and the change of the pressure vanishes on the edge. On a mesh it vanishes at the
first broken node instead, up to a cell away, and derivatives jump as the edge goes from node to
node. Therefore what is missing, r = f where the film is broken and 0 where it is whole, is taken
for this purpose as a smooth function of the pressure::

    r = f exp(-p / P),  P = f delta^2 / (h^3 / 12 mu)

with f what would be missing without any pressure. The film then ends within a layer as thick as
delta, a part of a cell; far from it the pressure is off by a constant, P, and all derivatives by
terms of second order in delta, which two values of delta take away. In a film that conserves its
lubricant r is what the void grows by.

Where a film forms again p = 0, but dp/dn is not: the pressure grows at once, by what the void
brought, and its change does not vanish on the edge. The edge stays at the nodes there: between the
last broken node and the first whole one the change is taken as linear over the cell, where it is
nearly constant over the part of the cell that is whole. That is an error of first order, half of
the change in these cells at most, and of either sign as the edge goes from node to node, so that
derivatives scatter. ``formed`` says by how much.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_matrix, diags

from ..._backend import PETSc
from ...core.linear_solvers import Factors
from ...core.state import State
from ...errors import SingularSystem, StepFailed

#: squares of delta over the width of a cell
WIDTHS = (1.0, 0.5)
#: iterations, and what they may leave of the largest pressure
MOST, LEFT = 40, 1e-9
#: entries of a row, by its largest, that are none
TINY = 1e-30
#: what a solution of linear equations may leave, by their largest right-hand side, and how often
#: it is refined for that: rows that smooth an edge go down to 1e-30 of their largest entry, and
#: with the border of a liner's responses the factors alone may leave all of a right-hand side
LINEAR, REFINED = 1e-9, 5
#: part of the largest f below which nothing is missing
FEW = 1e-9
#: coupling of a node's void with the one before it, by its own, that counts
CARRIED = 0.1

Pair = tuple[np.ndarray, np.ndarray]


class Solved(Protocol):
    """A film in a system of its own at a solution, see ``Bearing``.

    Attributes:
        port, at_pressure, at_complement: local numbers of the film's unknowns.
    """

    film: Any
    state: State
    port: np.ndarray
    at_pressure: np.ndarray
    at_complement: np.ndarray
    complement: Any

    @property
    def pattern(self) -> Pattern: ...


def derivatives(bearing: Solved, unknowns: np.ndarray) -> Pair:
    """-d(force, moment)/d(e, t) and -d(force, moment)/d(V, Omega), (6, 5) and (6, 6), of second
    order in the width of the cells.

    Args:
        bearing: whose film it is.
        unknowns: of the solution.

    Raises:
        StepFailed: no film with a smooth edge found.
    """
    state = bearing.state
    state.q[:] = unknowns
    if bearing.complement is None or not np.any(unknowns[bearing.at_pressure] > 0):
        return tangents(bearing)
    edge = _Edge(bearing)
    try:
        wide, narrow = (edge.tangents(square) for square in WIDTHS)
    except SingularSystem:
        raise StepFailed(edge.failure) from None
    finally:
        state.q[:] = unknowns
    part = WIDTHS[0] / (WIDTHS[0] - WIDTHS[1])
    stiffness, damping = (
        part * fine + (1 - part) * coarse for coarse, fine in zip(wide, narrow, strict=True)
    )
    return stiffness, damping


def formed(bearing: Solved, unknowns: np.ndarray) -> Pair:
    """By how much the same may be off since edges where a film forms lie at nodes."""
    film, state = bearing.film, bearing.state
    state.q[:] = unknowns
    if not film.cavitation.conserving or not np.any(unknowns[bearing.at_pressure] > 0):
        return np.zeros((6, 5)), np.zeros((6, 6))
    behind = _Edge(bearing).behind
    A, driven, forces = _rows(bearing, matrix(bearing))
    inner = _Inverse(bearing, A)
    follow = inner.solve(driven.toarray())
    inner.destroy()
    # of the four cells round a node two hold the edge
    off = abs(forces[:, behind]) @ np.abs(follow[behind]) / 2
    return off[:, :5], off[:, 5:]


def tangents(bearing: Solved) -> Pair:
    """The same at the present state, exact for its mesh."""
    return _reduced(bearing, *_rows(bearing, matrix(bearing)))


class _Edge:
    """A film at its solution, and the rows that smooth its edge."""

    failure = (
        "no film with a smooth edge found, whose derivatives are the dynamic coefficients; more "
        "cells round the bearing (film.cells) help, FilmState.stiffness and damping are those of "
        "the mesh."
    )

    def __init__(self, bearing: Solved):
        self.bearing, state, film = bearing, bearing.state, bearing.film
        free = bearing.at_pressure < state.owned
        self.p, r = bearing.at_pressure[free], bearing.at_complement[free]
        q = state.q
        self.largest = q[self.p].max()
        unit = film.rate_unit if film.cavitation.nodal else film.clearance
        whole = q[self.p] / film.pressure_unit > q[r] / unit
        # Reynolds' equation stands in the complement's row where that is nodal
        reynolds, complement = (r, self.p) if film.cavitation.nodal else (self.p, r)
        A = matrix(bearing)[reynolds]
        grown = -A[:, : state.owned]  # by the complement
        grown = grown @ diags(np.isin(np.arange(state.owned), r).astype(float))
        before = q.copy()
        q[self.p] = q[r] = 0.0
        missing = state.residual()[reynolds]
        q[:] = before
        smooth = missing > FEW * np.abs(missing).max()
        before, behind = _forming(grown[:, r], whole)
        smooth[before] = smooth[behind] = False
        #: whole nodes behind edges where the film forms
        self.behind = self.p[np.unique(behind)]
        k = np.flatnonzero(smooth)
        self.at, self.rows, self.missing = self.p[k], complement[k], missing[k]
        self.grown = grown.tocsr()[k]
        # P, from the mean of f at a node and round it: f may vanish nearby, where a film begins
        A = abs(A[:, self.p]).tocsr()
        size = 2 * np.abs(missing) / A.diagonal()
        A.data[:] = 1.0
        self.pressure = (A @ size)[k] / np.diff(A.indptr)[k]
        kept = np.ones(state.owned)
        kept[self.rows] = 0.0
        self.kept = diags(kept)

    def tangents(self, square: float) -> Pair:
        """With the edge smooth over a part of a cell, of given square."""
        bearing, state = self.bearing, self.bearing.state
        n, size = state.owned, square * self.pressure
        place = np.arange(len(self.at))
        for _ in range(MOST):
            left = self.missing * np.exp(-state.q[self.at] / size)
            rows = state.residual()[:n].copy()
            rows[self.rows] = self.grown @ state.q[:n] - left
            A, driven, forces = _rows(bearing, matrix(bearing))
            falls = csr_matrix((left / size, (place, self.at)), (len(place), n))
            spread = csr_matrix((np.ones(len(place)), (self.rows, place)), (n, len(place)))
            A = self.kept @ A + spread @ (self.grown + falls)
            inner = _Inverse(bearing, A)
            step = inner.solve(rows)
            inner.destroy()
            state.q[:n] -= step
            if np.abs(step[self.p]).max() <= LEFT * self.largest:
                return _reduced(bearing, A, self.kept @ driven, forces)
        raise StepFailed(self.failure)


def _forming(grown: csr_matrix, whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes on either side of edges where a film forms: broken ones that carry their void to a
    whole one, and these.

    Args:
        grown: what voids bring, nodes by nodes.
        whole: whether the film is so at a node.
    """
    among = grown.tocoo()
    own = np.abs(grown.diagonal())
    ends = (among.row != among.col) & (np.abs(among.data) > CARRIED * own[among.row])
    ends &= whole[among.row] & ~whole[among.col]
    return among.col[ends], among.row[ends]


class Pattern:
    """Which entries of a tangent differ from zero, and where each number of the cells' goes."""

    def __init__(self, state):
        keys = state.problem.coo_rows.astype(np.int64) * state.total + state.problem.coo_cols
        entries, self.place = np.unique(keys, return_inverse=True)
        rows, self.columns = np.divmod(entries, state.total)
        self.starts = np.searchsorted(rows, np.arange(state.total + 1))

    def matrix(self, values: np.ndarray) -> csr_matrix:
        """The sum of cells' tangents."""
        size = len(self.starts) - 1
        entries = np.bincount(self.place, values, len(self.columns))
        return csr_matrix((entries, self.columns, self.starts), (size, size))


def matrix(bearing: Solved) -> csr_matrix:
    """The tangent at the present state, with the rows and columns of fixed values."""
    return bearing.pattern.matrix(bearing.state.tangent(0.0, 0.0))


def _rows(bearing: Solved, A: csr_matrix) -> tuple[csr_matrix, csr_matrix, csr_matrix]:
    """Of the unknowns: by the unknowns and by the port; of the port's forces: by everything."""
    n, port = bearing.state.owned, bearing.port
    return A[:n][:, :n], A[:n][:, port], A[port[5:]]


def _reduced(bearing: Solved, A, driven, forces) -> Pair:
    """Derivatives of the forces by the port, everything else following."""
    n, inner = bearing.state.owned, _Inverse(bearing, A)
    follow = inner.solve(driven.toarray())
    inner.destroy()
    moved = forces[:, bearing.port].toarray() - forces[:, :n] @ follow  # rows of W: - force
    return moved[:, :5], moved[:, 5:]


class _Inverse:
    """Solves with a matrix whose rows and columns are scaled: pressures are millions of Pa, what
    complements them micrometres, and smooth rows hold both."""

    def __init__(self, bearing: Solved, A: csr_matrix):
        self.unit = bearing.state.scale[: bearing.state.owned]
        A = (A @ diags(self.unit)).tocsr()
        self.weight = 1 / abs(A).max(axis=1).toarray().ravel()
        A = (diags(self.weight) @ A).tocsr()
        A.data[abs(A.data) < TINY] = 0.0
        self.matrix = A
        index = (z.astype(PETSc.IntType) for z in (A.indptr, A.indices))
        self.A = PETSc.Mat().createAIJ(A.shape, csr=(*index, A.data), comm=PETSc.COMM_SELF)
        self.factors = Factors(self.A, bearing.state.problem.followers is not None)

    def solve(self, rhs: np.ndarray) -> np.ndarray:
        """Solution; the columns of a matrix likewise."""
        if rhs.ndim > 1:
            return np.column_stack([self.solve(column) for column in rhs.T])
        b = self.weight * rhs
        x, allowed = self.factors.solve(b), LINEAR * np.abs(b).max()
        for _ in range(REFINED):
            left = b - self.matrix @ x
            if np.abs(left).max() <= allowed:
                break
            x += self.factors.solve(left)
        return self.unit * x

    def destroy(self) -> None:
        self.factors.destroy()
        self.A.destroy()
