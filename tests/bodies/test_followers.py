"""Tangents of unknowns that others follow, against the product of whole matrices."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from fem_clearance.core.compiled.build import native
from fem_clearance.core.condensation import ReducedTangent

#: unknowns, followers, fixed values
UNKNOWNS, FOLLOWERS, FIXED = 9, 7, 3
TOTAL = UNKNOWNS + FOLLOWERS + FIXED


def ties(groups):
    """T with followers and leaders of each group tied by random numbers."""
    rng, T = np.random.default_rng(0), np.zeros((FOLLOWERS, UNKNOWNS))
    for followers, leaders in groups:
        T[np.ix_(followers, leaders)] = rng.standard_normal((len(followers), len(leaders)))
    return T


@pytest.mark.parametrize(
    "groups",
    [
        [(range(FOLLOWERS), (2, 3))],
        [((0, 2, 3), (1, 7)), ((1, 4, 5, 6), (4,))],  # interleaved, two bodies
        [((0, 1), (0, 8))],  # the others follow nothing: zero
    ],
)
def test_reduced_tangent(groups):
    rng, T = np.random.default_rng(1), ties(groups)
    rows, cols = rng.integers(0, TOTAL, (2, 300))  # places met several times
    entries = rng.standard_normal(300)
    kept = np.flatnonzero(rng.random(300) < 0.8)  # the others are known to be zero
    entries[np.setdiff1d(np.arange(300), kept)] = 0.0
    followers = SimpleNamespace(total=TOTAL, unknowns=UNKNOWNS, count=FOLLOWERS, T=csr_matrix(T))
    reduced = ReducedTangent(rows, cols, followers, entries, kept, native())
    result = np.zeros((TOTAL, TOTAL))
    K = np.zeros((TOTAL, TOTAL))
    np.add.at(K, (rows, cols), entries)
    for _ in range(2):  # arrays are used again
        values = reduced.reduce()
        result[:] = 0
        np.add.at(result, (reduced.rows, reduced.cols), values)
    P = np.eye(TOTAL)
    P[UNKNOWNS : UNKNOWNS + FOLLOWERS] = 0
    P[UNKNOWNS : UNKNOWNS + FOLLOWERS, :UNKNOWNS] = T
    np.testing.assert_allclose(result, P.T @ K @ P, atol=1e-12)


def test_no_followers_here():
    """A rank without followers."""
    followers = SimpleNamespace(total=4, unknowns=4, count=0, T=csr_matrix(np.zeros((0, 4))))
    entries = np.array([1.0, 2.0, 3.0])
    places = np.array([0, 1, 1]), np.array([0, 2, 2])
    reduced = ReducedTangent(*places, followers, entries, np.arange(3), native())
    np.testing.assert_array_equal(reduced.reduce(), [1.0, 5.0])
