"""Factors of bodies without inertia that are kept from tangent to tangent: liners under films.

Their stiffness K does not depend on the step, and hardly on their own small deformation, whereas
the films' tangents change with every motion of the journals. Of [K B; C D], with all else in D, the
factors of K are kept, together with its inverse at the unknowns that others touch, the bore. A new
tangent then takes S = D - C K^-1 B, a small dense matrix, and no factorisation of a body. Equal
bodies share the factors of one of them. How much of an error the kept K leaves in an iteration of
Newton's method is estimated for each tangent; where that is too much, the whole is factorised
(inner_factors.py) until K has settled again.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from .._backend import MPI, PETSc
from .inner_factors import InnerLU
from .kept_bulk import KeptBulk
from .python_factors import PythonFactors
from .submatrix import Direct, FactorisedSubmatrix, Submatrix
from .substructures import DenseBorder

#: part of an error of a body's displacements that its kept stiffness may leave in an iteration; a
#: kept tangent may leave 0.3 of a residual (newton.py)
MOST = 0.03
#: change of entries, relative to the largest, up to which a stiffness may settle
SETTLING = 1e-3
#: tangents whose stiffness is alike before it is kept: its responses take as long as some of their
#: factorisations; twice as many after each failure, up to the second number
PATIENCE, LONGEST = 4, 1024
#: part of the largest right side of bodies: where theirs is less away from what others touch, that
#: is solved for only after all else
INSIDE = 1e-2
#: columns of responses that are computed at once
COLUMNS = 128


class KeptLU(PythonFactors):
    """Factors of one matrix after another, of one pattern; ``factorise`` and solutions are
    collective.

    Args:
        first, columns: pattern of this rank's part by rows, in local numbers.
        bodies: numbers of the unknowns whose part of the matrix may be kept, none of the border.
        whole: factors without anything kept, and their border between ranks.
        direct: sets a solver up to factorise a matrix.
        bulk: the tangents of the bodies' cells, if these can be left out while factors are kept.
    """

    def __init__(
        self, first: np.ndarray, columns: np.ndarray, bodies: np.ndarray, whole: InnerLU,
        direct: Direct, bulk: KeptBulk | None = None,
    ):  # fmt: skip
        self.bulk = bulk
        self._whole, self._shared, self._owned = whole, whole.shared, whole.owned
        self._border, self._still = DenseBorder(self._shared), bodies
        size = len(first) - 1
        places = csr_matrix((np.arange(len(columns)), columns, first), (size, size))
        alone = np.setdiff1d(np.arange(size), np.union1d(bodies, self._shared.unknowns))
        #: all else: first what is this rank's alone, then the border
        self._rest, self._alone = np.concatenate([alone, self._shared.unknowns]), len(alone)
        self._D = Submatrix(places[self._rest][:, self._rest])
        count, label = connected_components(places[bodies][:, bodies], directed=False)
        self._groups: list[_Group] = []
        for k in range(count):
            body = _Body(places, bodies[label == k], self._rest)
            group = next((g for g in self._groups if g.takes(body)), None)
            if group is None:
                self._groups.append(group := _Group(body, direct))
            group.bodies.append(body)
        for group in self._groups:
            group.begin()
        self._kept = False  # whether the bodies have factors
        self._alike, self._patience = 0, PATIENCE

    @property
    def touched(self) -> int:
        """Largest number of unknowns of a body that others touch."""
        return max((len(group.touched) for group in self._groups), default=0)

    def _matrices(self) -> list[PETSc.Mat]:
        return [*self._whole._matrices(), *(group.K.factors for group in self._groups)]

    # --- factors --------------------------------------------------------------------------------
    def factorise(self, values: np.ndarray) -> bool:
        """As there, of the entries of this rank's part."""
        for group in self._groups:
            group.take(values)
        if self._kept and not self._largest(self._left()) <= MOST:
            self._kept, self._alike = False, 0
            self._patience = min(2 * self._patience, LONGEST)
            self._release(values)
        if not self._kept and self._settled():
            self._kept = not self._largest([not g.factorise() for g in self._groups])
            self._keep_bulk()
        if not self._kept:
            return self._whole.factorise(values)
        return self._reduce(values)

    def _left(self) -> list[float]:
        """Part of an error that each group leaves."""
        beyond = np.zeros(len(self._still) + len(self._rest))
        if self.bulk is not None and self.bulk.out[0]:
            for group in self._groups:
                group.show_errors(beyond)
            beyond = self.bulk.change(beyond)
        return [group.left(beyond) for group in self._groups]

    def _keep_bulk(self) -> None:
        """Leave the tangents of the bodies' cells out, if these have factors now."""
        if self._kept and self.bulk is not None:
            self.bulk.keep()
            if self.bulk.out[0]:
                for group in self._groups:
                    group.look_at(np.isin(group.places, self.bulk.into).any(axis=0))

    def _release(self, values: np.ndarray) -> None:
        """Bring the entries of a matrix up to date whose cells were not evaluated."""
        if self.bulk is not None:
            self.bulk.release(values)
        for group in self._groups:
            group.look_at(np.ones(group.places.shape[1], bool))
            group.take(values)

    def _settled(self) -> bool:
        """Whether the stiffness has been alike for so long that it is worth keeping."""
        same = self._largest([g.changed() for g in self._groups]) <= SETTLING
        self._alike = self._alike + 1 if same else 0
        return self._alike >= self._patience

    def _largest(self, numbers: list[float]) -> float:
        """Over all bodies and ranks; infinite where one is no number, on every rank alike."""
        mine = np.nan_to_num(np.max(numbers, initial=0.0), nan=np.inf)
        return self._shared.comm.allreduce(float(mine), MPI.MAX)

    def _reduce(self, values: np.ndarray) -> bool:
        """Factors of all else with the bodies' responses."""
        self._D.take(values)
        S, a = self._D.matrix.toarray(order="F"), self._alone
        for group in self._groups:
            for body in group.bodies:
                S[np.ix_(body.rows, body.cols)] -= body.reduce(values, group.responses)
        self._own, info = (np.zeros((0, 0)), np.zeros(0, np.int32)), 0
        self._below, self._beside = S[a:, :a], S[:a, a:]
        if a:
            *self._own, info = lapack.dgetrf(S[:a, :a])
        if a and not info:
            self._beside = lapack.dgetrs(*self._own, self._beside)[0]
        return self._border.factorise(S[a:, a:] - self._below @ self._beside, info != 0)

    # --- solutions ------------------------------------------------------------------------------
    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        """As there, of owned values."""
        if not self._kept:
            self._whole.solve(b, x)
            return
        right, little = self._right(b), INSIDE * np.abs(b[self._still]).max(initial=0.0)
        for group in self._groups:
            group.act(b, right, little)
        if self._solve_rest(right, x, False):
            for group in self._groups:
                group.solve(b, right, x)

    def solve_transposed(self, b: np.ndarray, x: np.ndarray) -> None:
        """The same with the transposed matrix."""
        if not self._kept:
            self._whole.solve_transposed(b, x)
            return
        right = self._right(b)
        for group in self._groups:
            group.act_transposed(b, right)
        if self._solve_rest(right, x, True):
            for group in self._groups:
                group.solve_transposed(b, right, x)

    def _right(self, b: np.ndarray) -> np.ndarray:
        """Right side of all else; that of what other ranks own they add."""
        own = self._rest < self._owned
        right = np.zeros(len(own))
        right[own] = b[self._rest[own]]
        return right

    def _solve_rest(self, right: np.ndarray, x: np.ndarray, transposed: bool) -> bool:
        """Values of all else, into ``right`` and owned ones into ``x`` too; ``False`` and infinite
        ``x`` without factors."""
        if not self._border.good:
            x[:] = np.inf
            return False
        own, border = right[: self._alone], right[self._alone :]  # views
        if transposed:
            border[:] = self._border.solve(border - self._beside.T @ own, True)
            own -= self._below.T @ border
            own[:] = self._solve_own(own, True)
        else:
            own[:] = self._solve_own(own, False)
            border[:] = self._border.solve(border - self._below @ own)
            own -= self._beside @ border
        mine = self._rest < self._owned
        x[self._rest[mine]] = right[mine]
        return True

    def _solve_own(self, right: np.ndarray, transposed: bool) -> np.ndarray:
        return lapack.dgetrs(*self._own, right, trans=transposed)[0] if len(right) else right


class _Body:
    """A connected body and what acts between it and all else.

    Args:
        places: where the entries of the matrix stand.
        unknowns, rest: numbers of the body's, and of all else that is not of a body.

    Attributes:
        rows, cols: which of the rest it acts on, and which act on it.
        touched: which of the body's these touch; ``inside``: the others.
        places: where its stiffness stands.
        C, B: entries of rows and of columns of the rest.
    """

    def __init__(self, places: csr_matrix, unknowns: np.ndarray, rest: np.ndarray):
        self.unknowns, mine = unknowns, places[unknowns]
        C, B = places[rest][:, unknowns], mine[:, rest]
        self.rows, self.cols = np.flatnonzero(np.diff(C.indptr)), np.unique(B.indices)
        self.touched = np.union1d(C.indices, np.flatnonzero(np.diff(B.indptr)))
        self.inside = np.setdiff1d(np.arange(len(unknowns)), self.touched)
        self.places = mine[:, unknowns]
        self.places.sort_indices()
        self._C = Submatrix(C[self.rows][:, self.touched])
        self._B = Submatrix(B[self.touched][:, self.cols])
        self.C, self.B = self._C.matrix, self._B.matrix

    def reduce(self, values: np.ndarray, responses: np.ndarray) -> np.ndarray:
        """C K^-1 B, rows x cols, of the entries of a matrix."""
        self._C.take(values)
        self._B.take(values)
        self.acting = self.C @ responses
        return self.acting @ self.B


class _Group:
    """Bodies of one pattern, which share the factors of the first one's stiffness.

    Args:
        body: the first one.
        direct: as above.

    Attributes:
        K: that stiffness; ``responses``: of the touched unknowns to each other.
    """

    def __init__(self, body: _Body, direct: Direct):
        self.bodies: list[_Body] = []
        self.K, self.touched = FactorisedSubmatrix(body.places.copy(), direct), body.touched
        self._errors = np.zeros((0, 0))

    def takes(self, body: _Body) -> bool:
        """Whether a body has this pattern."""
        first, its = self.bodies[0], body.places
        same = ((first.places.indptr, its.indptr), (first.places.indices, its.indices),
                (first.touched, body.touched))  # fmt: skip
        return all(np.array_equal(*pair) for pair in same)

    # --- stiffness ------------------------------------------------------------------------------
    def begin(self) -> None:
        """Room for the stiffness of all bodies: now, when it was looked at last, and now less
        that which is kept."""
        self._now, self._seen, self._changes = np.zeros((3, *self.places.shape))
        self.look_at(np.ones(self.places.shape[1], bool))

    @property
    def places(self) -> np.ndarray:
        """Where the entries of each body's stiffness stand in the matrix."""
        return np.stack([body.places.data for body in self.bodies])

    def look_at(self, some: np.ndarray) -> None:
        """Which of the entries can change from now on."""
        self._some = np.flatnonzero(some)
        self._watched = self.places[:, self._some]

    def take(self, values: np.ndarray) -> None:
        """Look at the stiffness in the entries of a matrix."""
        self._now[:, self._some] = values[self._watched]

    def changed(self) -> float:
        """Largest change of the stiffness since it was looked at last, or difference to that of the
        first body, relative to its largest entry."""
        now, seen, self._seen = self._now, self._seen, self._now.copy()
        change = max(np.abs(now - seen).max(), np.abs(now - now[0]).max())
        return float(change / np.abs(now).max())

    def factorise(self) -> bool:
        """Factors and responses for the present stiffness; ``False`` if there are none."""
        self.K.matrix.data[:] = self._now[0]
        self._changes[:] = self._now - self._now[0]
        if not self.K.factorise():
            return False
        n, b = self.K.matrix.shape[0], len(self.touched)
        self.responses = np.empty((b, b))
        for low in range(0, b, COLUMNS):
            some = self.touched[low : low + COLUMNS]
            unit = csr_matrix((np.ones(len(some)), (np.arange(len(some)), some)), (len(some), n))
            self.responses[:, low : low + COLUMNS] = self.K.solve_all(unit)[self.touched]
        self._errors = np.random.default_rng(1).uniform(-1, 1, (n, len(self.bodies)))
        return True

    def show_errors(self, errors: np.ndarray) -> None:
        """Write the errors that ``left`` follows, by local number."""
        for body, error in zip(self.bodies, self._errors.T, strict=True):
            errors[body.unknowns] = error

    def left(self, beyond: np.ndarray) -> float:
        """Part of an error of the displacements that an iteration with the kept stiffness leaves:
        one iteration of the power method, so that it becomes exact from tangent to tangent.

        Args:
            beyond: products of the errors with changes of the stiffness that the entries do not
                show, by local number.
        """
        A, some = self.K.matrix, self._some
        self._changes[:, some] = self._now[:, some] - A.data[some]
        products = np.stack([
            csr_matrix((change, A.indices, A.indptr), A.shape) @ error + beyond[body.unknowns]
            for change, error, body in zip(self._changes, self._errors.T, self.bodies, strict=True)
        ], axis=1)  # fmt: skip
        if not products.any():
            return 0.0
        errors = self.K.solve_columns(products)
        left = np.abs(errors).max(axis=0)
        self._errors = errors / np.where(left > 0, left, 1.0)
        return float(left.max())

    # --- what the bodies do to all else ---------------------------------------------------------
    def act(self, b: np.ndarray, right: np.ndarray, little: float) -> None:
        """Subtract C K^-1 b from the right side of all else; what is ``little`` of b is left out,
        because it is solved for after that."""
        loads = [b[body.unknowns] for body in self.bodies]
        inside = max(np.abs(z[self.bodies[0].inside]).max(initial=0.0) for z in loads)
        found = self.K.solve_columns(np.stack(loads, axis=1)).T if inside > little else loads
        for body, z in zip(self.bodies, found, strict=True):
            by = body.acting if inside <= little else body.C
            right[body.rows] -= by @ z[self.touched]

    def act_transposed(self, b: np.ndarray, right: np.ndarray) -> None:
        """Subtract B' K'^-1 b from it."""
        for body in self.bodies:
            right[body.cols] -= body.B.T @ self.K.solve(b[body.unknowns], True)[self.touched]

    def solve(self, b: np.ndarray, others: np.ndarray, x: np.ndarray) -> None:
        """K^-1 (b - B others) into ``x``."""
        loads = np.stack([b[body.unknowns] for body in self.bodies], axis=1)
        for body, load in zip(self.bodies, loads.T, strict=True):
            load[self.touched] -= body.B @ others[body.cols]
        for body, found in zip(self.bodies, self.K.solve_columns(loads).T, strict=True):
            x[body.unknowns] = found

    def solve_transposed(self, b: np.ndarray, others: np.ndarray, x: np.ndarray) -> None:
        """K'^-1 (b - C' others) into ``x``."""
        for body in self.bodies:
            load = b[body.unknowns]
            load[self.touched] -= body.C.T @ others[body.rows]
            x[body.unknowns] = self.K.solve(load, True)
