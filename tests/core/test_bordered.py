"""Factors of matrices with a dense border, against LAPACK's of the whole matrix (NumPy)."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix, diags, random

import fem_clearance as fc
from fem_clearance.core import bordered
from fem_clearance.core.bordered import BorderedLU
from fem_clearance.core.compiled.build import native
from fem_clearance.lubrication import Bearing, Liner, Place, plain_bearing
from fem_clearance.meshes import hollow_cylinder


def matrix(n: int, border: np.ndarray, seed: int, rows_at=None) -> csr_matrix:
    """A sparse matrix of n unknowns with dense rows and columns at ``border``."""
    rng = np.random.default_rng(seed)
    A = (random(n, n, 3 / n, random_state=rng) + diags(4 + rng.random(n))).toarray()
    A[:, border] = rng.normal(size=(n, len(border)))
    reached = np.ones(n, bool) if rows_at is None else rows_at
    A[np.ix_(border, reached)] = rng.normal(size=(len(border), reached.sum()))
    return csr_matrix(A)


@pytest.fixture(scope="module")
def module():
    return native()


@pytest.mark.parametrize("size, count", [(40, 1), (60, 8), (97, 13), (30, 29)])
def test_factors_solve_both_ways(module, size, count):
    border = np.sort(np.random.default_rng(count).permutation(size)[:count])
    A = matrix(size, border, 3)
    lu = BorderedLU(A.indptr, A.indices, border, module)
    for scale in (1.0, -3.0):  # new numbers in the same pattern
        assert lu.factorise(scale * A.data)
        b, x = np.random.default_rng(5).normal(size=(2, size))
        lu.solve(b, x)
        assert x == pytest.approx(np.linalg.solve(scale * A.toarray(), b), rel=1e-10, abs=1e-12)
        lu.solve_transposed(b, x)
        assert x == pytest.approx(np.linalg.solve(scale * A.toarray().T, b), rel=1e-10, abs=1e-12)


def test_panels_of_nodes_with_several_unknowns(module, monkeypatch):
    """Rows of U with the same columns are taken together, with the numbers that each gives alone:
    a film that conducts heat has two temperatures at each node."""
    nodes, each, border = 15, 4, np.arange(60, 63)
    rng, near = np.random.default_rng(11), abs(np.subtract.outer(*[np.arange(nodes)] * 2)) < 3
    A = np.zeros((63, 63))
    A[:60, :60] = np.kron(near, np.ones((each, each))) * rng.normal(size=(60, 60))
    A[border], A[:, border] = rng.normal(size=(3, 63)), rng.normal(size=(63, 3))
    A = csr_matrix(A + 12 * np.eye(63))
    b, x, y = rng.normal(size=(3, 63))
    lu = BorderedLU(A.indptr, A.indices, border, module)
    assert (lu._panel_end > np.arange(1, 61)).any()
    monkeypatch.setattr(bordered, "PANEL", np.inf)
    alone = BorderedLU(A.indptr, A.indices, border, module)
    assert (alone._panel_end == np.arange(1, 61)).all()
    for own, found in ((lu, x), (alone, y)):
        assert own.factorise(A.data)
        own.solve(b, found)
    assert x == pytest.approx(y, rel=1e-14)
    assert x == pytest.approx(np.linalg.solve(A.toarray(), b), rel=1e-10, abs=1e-12)


def test_rows_that_the_border_does_not_reach(module):
    """Half of a film's unknowns, what complements its pressures, act on no amplitude."""
    size, border = 50, np.arange(42, 50)
    reached = np.zeros(size, bool)
    reached[30:] = True
    A = matrix(size, border, 1, reached)
    lu = BorderedLU(A.indptr, A.indices, border, module)
    b, x = np.random.default_rng(2).normal(size=(2, size))
    for solve, whole in ((lu.solve, A.toarray()), (lu.solve_transposed, A.toarray().T)):
        assert lu.factorise(A.data)
        solve(b, x)
        assert x == pytest.approx(np.linalg.solve(whole, b), rel=1e-10, abs=1e-12)


def test_each_of_two_films_has_a_part_of_the_border(module):
    """Two films that meet in the last unknowns only, as those of two bearings in a shaft."""
    size, border = 83, np.arange(60, 83)
    rng = np.random.default_rng(7)
    A = np.diag(4 + rng.random(size))
    first, second, shaft = np.arange(25), np.arange(25, 50), np.arange(50, 60)
    for film, responses in ((first, border[:9]), (second, border[9:])):
        own = np.concatenate([film, responses, shaft])
        values, some = rng.normal(size=(len(own),) * 2), rng.random((len(own),) * 2) < 0.4
        A[np.ix_(own, own)] += values * some
    A[np.ix_(border, border)] += 4 * np.eye(len(border))
    A = csr_matrix(A)
    lu = BorderedLU(A.indptr, A.indices, border, module)
    for ranges in (lu._y_range, lu._w_range):
        assert ranges[:25, 1].max() == 16 and ranges[25:50, 0].min() == 8  # of 24 in vectors
        assert ranges[50:].tolist() == [[0, 24]] * 10
    assert lu.factorise(A.data)
    b, x = rng.normal(size=(2, size))
    lu.solve(b, x)
    assert x == pytest.approx(np.linalg.solve(A.toarray(), b), rel=1e-8, abs=1e-9)
    lu.solve_transposed(b, x)
    assert x == pytest.approx(np.linalg.solve(A.toarray().T, b), rel=1e-8, abs=1e-9)


def test_a_missing_pivot_is_told(module):
    """[[0, 1], [1, 0]] beside a border: regular, but not without pivoting."""
    dense = np.array([[0.0, 1, 1], [1, 0, 2], [1, 3, 1]])
    first, columns = np.arange(0, 10, 3, dtype=np.int32), np.tile(np.arange(3, dtype=np.int32), 3)
    lu = BorderedLU(first, columns, np.array([2]), module)
    assert not lu.factorise(dense.ravel())
    b, x = np.ones((2, 3))
    lu.solve(b, x)
    assert np.all(np.isinf(x))
    dense[0, 0] = np.nan
    assert not lu.factorise(dense.ravel())
    singular = np.array([4.0, 1, 0, 1, 5, 0, 0, 0, 0])
    assert not lu.factorise(singular)
    lu.solve_transposed(b, x)
    assert np.all(np.isinf(x))
    assert lu.factorise(np.array([4.0, 1, 1, 1, 5, 2, 1, 3, 1]))  # and it works on afterwards
    lu.solve(b, x)
    assert x == pytest.approx(np.linalg.solve([[4.0, 1, 1], [1, 5, 2], [1, 3, 1]], b))


def test_a_film_on_a_condensed_liner_is_solved_as_by_mumps():
    """Force on a journal, by the bordered factors and by MUMPS's."""
    R, length, c = 15e-3, 14e-3, 2e-5
    mesh = hollow_cylinder(R, 25e-3, length, (16, 2, 1))
    solid = fc.CondensedSolid(
        mesh, fc.StVenantKirchhoff(E=1e9, nu=0.3, rho=8000), clamped="rim", facets="bore",
        direction="normal", responses=12,
    )  # fmt: skip
    film = plain_bearing(R, length, c, 0.04, sliding_speed=R * 1e3, cells=(32, 4))
    place, found = Place(e=(0.8 * c, 0, 0), Omega=(0, 0, 1e3)), []
    for package in ("petsc", "mumps"):
        bearing = Bearing(film, Liner(solid))
        bearing.newton.use(package)
        pc = bearing.newton.snes.getKSP().getPC().getType()
        assert pc == ("shell" if package == "petsc" else "lu")
        found.append(bearing.solve(place))
        assert bearing.newton.linear_solver == package
    assert found[0].iterations == found[1].iterations
    assert found[0].force == pytest.approx(found[1].force, rel=1e-9)
