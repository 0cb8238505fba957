"""Dynamic coefficients of a film whose edge lies between nodes, of second order.

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

Where a film forms again p = 0, but dp/dn is not, and its edge is smoothed likewise (layer.py).
Both kinds of rows are one: with g the void, G = g exp(p / P) in a layer where the film forms and
G = g elsewhere, what the void carried grows by is f exp(-p / P).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_matrix, diags

from ..._backend import PETSc
from ...core.linear_solvers import Factors
from ...core.state import State
from ...errors import SingularSystem, StepFailed
from .layer import Layer

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

Pair = tuple[np.ndarray, np.ndarray]


class Solved(Protocol):
    """A film in a system of its own at a solution, see ``Bearing``.

    Attributes:
        port, at_pressure, at_complement: local numbers of the film's unknowns.
        sharp: whether an edge of the film was left at its nodes, of first order.
        held: local numbers of unknowns that do not follow the motion: temperatures, if they shall
            not.
    """

    film: Any
    state: State
    port: np.ndarray
    at_pressure: np.ndarray
    at_complement: np.ndarray
    complement: Any
    sharp: bool
    held: np.ndarray

    @property
    def pattern(self) -> Pattern: ...

    def pressures(self, unknowns: np.ndarray) -> np.ndarray: ...


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
    state.q[:], bearing.sharp = unknowns, False
    if bearing.complement is None or not np.any(bearing.pressures(unknowns) > 0):
        return tangents(bearing)
    for layered in (True, False):
        edge = _Edge(bearing, layered)
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # where none is found
                wide, narrow = (edge.tangents(square) for square in WIDTHS)
            break
        except (SingularSystem, StepFailed):
            if not (layered and edge.inside.any()):
                raise StepFailed(edge.failure) from None
        finally:
            state.q[:] = unknowns
    bearing.sharp = edge.layer.sharp or not layered
    part = WIDTHS[0] / (WIDTHS[0] - WIDTHS[1])
    stiffness, damping = (
        part * fine + (1 - part) * coarse for coarse, fine in zip(wide, narrow, strict=True)
    )
    return stiffness, damping


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

    def __init__(self, bearing: Solved, layered: bool = True):
        self.bearing, state, film = bearing, bearing.state, bearing.film
        free = (bearing.at_pressure >= 0) & (bearing.at_pressure < state.owned)
        self.p, r = bearing.at_pressure[free], bearing.at_complement[free]
        p, g = state.q[self.p], state.q[r]
        self.largest = p.max()
        unit = film.rate_unit if film.cavitation.nodal else film.clearance
        # Reynolds' equation stands in the complement's row where that is nodal
        reynolds, complement = (r, self.p) if film.cavitation.nodal else (self.p, r)
        A = matrix(bearing)[reynolds]
        grown, A = (-A[:, r]).tocsr(), A[:, self.p].tocsr()  # by the complement
        layer = Layer(grown, np.abs(A.diagonal()), p / film.pressure_unit > g / unit, p, g)

        # what is missing without any pressure, and how that and the void's growth follow the rest
        others = np.ones(state.total)
        others[self.p] = others[r] = 0.0
        state.q[self.p], state.q[r] = 0.0, layer.carried
        left = matrix(bearing)[reynolds] @ diags(others)
        state.q[r] = 0.0
        missing = state.residual()[reynolds]
        more = matrix(bearing)[reynolds] @ diags(others)
        state.q[self.p], state.q[r] = p, g

        smooth = missing > FEW * np.abs(missing).max()
        smooth[layer.edges] = False
        layer.inside &= layered
        k = np.flatnonzero(smooth | layer.inside)
        self.at, self.voids, self.rows, self.missing = self.p[k], r[k], complement[k], missing[k]
        self.more, self.gone = more.tocsr()[k], (more - left).tocsr()[k]
        self.inside, self.layer, self.nodes = layer.inside[k], layer, k
        self.grown = grown[k].tocoo()
        self.carriers, self.carried = self.p[self.grown.col], r[self.grown.col]
        # P, from the mean of f at a node and round it: f may vanish nearby, where a film begins
        A = abs(A)
        size = 2 * np.abs(missing) / A.diagonal()
        A.data[:] = 1.0
        self.pressure = (A @ size)[k] / np.diff(A.indptr)[k]
        kept = np.ones(state.owned)
        kept[self.rows] = 0.0
        self.kept = diags(kept)
        self.spread = csr_matrix(
            (np.ones(len(k)), (self.rows, np.arange(len(k)))), (state.owned, len(k))
        )

    def tangents(self, square: float) -> Pair:
        """With the edge smooth over a part of a cell, of given square."""
        bearing, state = self.bearing, self.bearing.state
        n, q, inside, port = state.owned, state.q, self.inside, bearing.port
        size = np.where(
            inside, np.sqrt(square) * self.layer.rise[self.nodes], square * self.pressure
        )
        before = q[:n].copy()
        q[self.at[inside]], q[self.voids[inside]] = self.layer.guess(square, self.nodes[inside])
        node, place = self.grown.row, np.arange(len(size))
        shape = (len(place), n)
        for _ in range(MOST):
            part = np.exp(-q[self.at] / size)
            left = self.missing * part
            rise = inside[node] / size[node]
            bring = self.grown.data * np.exp((q[self.carriers] - q[self.at[node]]) * rise)
            brought = bring * q[self.carried]
            rows = state.residual()[:n].copy()
            rows[self.rows] = np.bincount(node, brought, len(place)) - left
            rows[bearing.held] = 0.0
            A, driven, forces = _rows(bearing, matrix(bearing))
            followed = diags(np.where(inside, part, 1.0)) @ self.gone - diags(part) @ self.more
            smooth = (
                csr_matrix((left / size, (place, self.at)), shape)
                + csr_matrix((bring, (node, self.carried)), shape)
                + csr_matrix((brought * rise, (node, self.carriers)), shape)
                - csr_matrix((brought * rise, (node, self.at[node])), shape)
            )
            A = self.kept @ A + self.spread @ (smooth + followed[:, :n])
            inner = _Inverse(bearing, A)
            step = inner.solve(rows)
            inner.destroy()
            q[:n] -= step
            if np.abs(step[self.p]).max() <= LEFT * self.largest:
                driven = self.kept @ driven + self.spread @ followed[:, port]
                found = _reduced(bearing, A, driven, forces)
                q[:n] = before
                return found
        raise StepFailed(self.failure)


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
    """The tangent at the present state, with the rows and columns of fixed values; what is held has
    rows of its own."""
    A = bearing.pattern.matrix(bearing.state.tangent(0.0, 0.0))
    if not len(bearing.held):
        return A
    held = np.zeros(A.shape[0])
    held[bearing.held] = 1.0
    return (diags(1 - held) @ A + diags(held)).tocsr()


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
        self.factors = Factors(self.A, bearing.state.problem.condensed is not None)

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
