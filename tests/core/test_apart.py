"""Factors of two parts of a matrix, against LAPACK's of the whole matrix (NumPy)."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from fem_clearance.core.apart import MOST, ApartLU
from fem_clearance.core.bordered import BorderedLU
from fem_clearance.core.compiled.build import native

SIZE = 40
LATER = np.random.default_rng(4).random(SIZE) < 0.4


@pytest.fixture(scope="module")
def module():
    return native()


def matrix(back: float) -> csr_matrix:
    """A matrix whose later unknowns act on the others by ``back``."""
    rng = np.random.default_rng(1)
    A = rng.normal(size=(SIZE, SIZE)) * (rng.random((SIZE, SIZE)) < 0.3) + 6 * np.eye(SIZE)
    A[np.ix_(~LATER, LATER)] = rng.normal(size=((~LATER).sum(), LATER.sum())) * back
    return csr_matrix(A)


def factors(module):
    A = matrix(1.0)

    def part(first, columns, unknowns):
        return BorderedLU(first, columns, np.array([len(unknowns) - 1]), module)

    return ApartLU(A.indptr, A.indices, LATER, part, module)


def growth(A: np.ndarray, later=LATER) -> float:
    """Largest eigenvalue of what a change of the later unknowns does to them by way of others."""
    a, d = ~later, later
    first = np.linalg.solve(A[np.ix_(a, a)], A[np.ix_(a, d)])
    return abs(np.linalg.eigvals(np.linalg.solve(A[np.ix_(d, d)], A[np.ix_(d, a)] @ first))).max()


def test_without_what_acts_back(module):
    """Exact of a matrix without that block; else off by the part that comes back."""
    lu, (b, x) = factors(module), np.random.default_rng(2).normal(size=(2, SIZE))
    for back, off in ((0.0, 1e-10), (1e-3, 2e-3)):
        A = matrix(1.0)
        A.data[:] = matrix(1.0).toarray()[A.nonzero()]
        rows, cols = A.nonzero()
        A.data[~LATER[rows] & LATER[cols]] *= back
        assert lu.factorise(A.data)
        for solve, whole in ((lu.solve, A.toarray()), (lu.solve_transposed, A.toarray().T)):
            solve(b, x)
            exact = np.linalg.solve(whole, b)
            assert np.abs(x - exact).max() <= off * np.abs(exact).max()
    assert np.abs(x - exact).max() > 1e-6  # it is left out


def test_the_part_that_comes_back(module):
    """The estimate converges to the largest eigenvalue; where it is too large there are no factors,
    and after ``join`` those of the whole, for a while."""
    lu, A = factors(module), matrix(0.03)
    exact = growth(A.toarray())
    for _ in range(40):
        assert lu.factorise(A.data)
    assert lu.came_back == pytest.approx(exact, rel=0.3) and exact < MOST
    assert not lu.join()  # they are apart
    strong = matrix(1.0)
    assert growth(strong.toarray()) > MOST
    b, x = np.random.default_rng(2).normal(size=(2, SIZE))
    assert not lu.factorise(strong.data)
    lu.solve(b, x)
    assert np.all(np.isinf(x))
    assert lu.join() and not lu.join()
    for _ in range(3):
        assert lu.factorise(strong.data)
        for solve, whole in ((lu.solve, strong.toarray()), (lu.solve_transposed, strong.T)):
            solve(b, x)
            assert whole @ x == pytest.approx(b, rel=1e-9, abs=1e-9)
    before = lu.came_back
    for _ in range(40):
        assert lu.factorise(A.data)
    assert lu.came_back < MOST < before  # apart again


def test_parts_of_a_part(module):
    """Later unknowns in two parts themselves: exact of a matrix without what acts back; where that
    is too much, the factors of these parts together, after one failure."""
    last = np.zeros(SIZE, bool)
    last[np.flatnonzero(LATER)[::2]] = True
    A = matrix(1e-9)
    rows, cols = A.nonzero()
    acts_back = (LATER & ~last)[rows] & last[cols]

    def part(first, columns, unknowns):
        return BorderedLU(first, columns, np.array([len(unknowns) - 1]), module)

    def parts(first, columns, unknowns):
        return ApartLU(first, columns, last[unknowns], part, module)

    lu = ApartLU(A.indptr, A.indices, LATER, part, module, parts)
    b, x = np.random.default_rng(2).normal(size=(2, SIZE))
    for factor in (0.0, 20.0):
        B = A.copy()
        B.data[acts_back] *= factor
        inner = B.toarray()[np.ix_(LATER, LATER)]
        assert (growth(inner, last[LATER]) > MOST) == bool(factor)
        if factor:
            assert not lu.factorise(B.data)
            assert lu.join() and not lu.join()
        assert lu.factorise(B.data)
        assert lu.later.joined == bool(factor) and not lu.joined
        for solve, whole in ((lu.solve, B.toarray()), (lu.solve_transposed, B.toarray().T)):
            solve(b, x)
            exact = np.linalg.solve(whole, b)
            assert np.abs(x - exact).max() <= 1e-8 * np.abs(exact).max()
