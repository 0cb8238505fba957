"""Factors of matrices of dense blocks, against LAPACK's of the whole matrix (NumPy)."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import fem_clearance as fc
from fem_clearance.core.compiled.build import native
from fem_clearance.core.nodes import MOST, NodeLU, Pattern, node_factors, nodes_of


def chain(sizes, reach=2, links=(), seed=1) -> csr_matrix:
    """A matrix of nodes of these sizes, each coupled with its ``reach`` neighbours on both sides,
    and pairs of nodes in ``links`` besides; its blocks are full, its diagonal ones not dominant."""
    rng = np.random.default_rng(seed)
    start = np.cumsum([0, *sizes])
    A = np.zeros((start[-1], start[-1]))
    nodes = range(len(sizes))
    pairs = {(a, b) for a in nodes for b in nodes if abs(a - b) <= reach} | {*links}
    for a, b in pairs:
        A[start[a] : start[a + 1], start[b] : start[b + 1]] = rng.normal(size=(sizes[a], sizes[b]))
    return csr_matrix(A)


@pytest.fixture(scope="module")
def module():
    return native()


@pytest.mark.parametrize(
    "sizes, links",
    [
        ((9,) * 8, ()),
        ((3, 6, 12, 1, 5, 16, 2, 7), ()),
        ((40, 3, 17), ()),  # nodes of more than 16 unknowns are divided
        ((6, 6, 6, 6, 6, 6), ((0, 4), (4, 0))),  # a loop, which fills
        ((4, 4, 4, 4, 4), ((3, 0),)),  # coupled one way only
    ],
)
def test_factors_solve_both_ways(module, sizes, links):
    A = chain(sizes, links=links)
    lu = NodeLU(Pattern(A.indptr, A.indices, nodes_of(A.indptr, A.indices)), module)
    for scale in (1.0, -3.0):  # new numbers in the same pattern
        assert lu.factorise(scale * A.data)
        b, x = np.random.default_rng(5).normal(size=(2, A.shape[0]))
        lu.solve(b, x)
        assert scale * A @ x == pytest.approx(b, rel=1e-9, abs=1e-9)
        assert x == pytest.approx(np.linalg.solve(scale * A.toarray(), b), rel=1e-7, abs=1e-8)
        lu.solve_transposed(b, x)
        assert x == pytest.approx(np.linalg.solve(scale * A.toarray().T, b), rel=1e-7, abs=1e-8)


def test_a_node_is_a_run_of_rows_with_the_same_columns():
    A = chain((3, 20, 2))
    assert nodes_of(A.indptr, A.indices).tolist() == [0, 12, 25]  # all are neighbours: 25 rows
    A = chain((3, 4, 5, 2, 9), reach=1)
    assert nodes_of(A.indptr, A.indices).tolist() == [0, 3, 7, 12, 14, 23]
    assert np.diff(nodes_of(A.indptr, A.indices)).max() <= MOST


def test_a_node_is_pivoted_within(module):
    """[[0, 1], [1, 0]] is regular, but has no pivot without an exchange of rows."""
    full = csr_matrix(np.ones((9, 9)))
    lu = NodeLU(Pattern(full.indptr, full.indices, np.array([0, 3, 6, 9])), module)
    assert lu.factorise(np.kron(np.eye(3), [[0.0, 1, 0], [1, 0, 0], [0, 0, 2]]).ravel())
    b, x = np.arange(1.0, 10), np.zeros(9)
    lu.solve(b, x)
    assert x.tolist() == [2, 1, 1.5, 5, 4, 3, 8, 7, 4.5]


def test_a_missing_pivot_is_told(module):
    """Of a singular node, of one that elimination leaves singular, and of what is no number."""
    full = csr_matrix(np.ones((6, 6)))
    lu = NodeLU(Pattern(full.indptr, full.indices, np.array([0, 3, 6])), module)
    b, x = np.ones((2, 6))
    regular = np.diag([1.0, 2, 3, 4, 5, 6])
    for change in (
        lambda A: A.__setitem__((1, 1), 0.0),
        lambda A: A.__setitem__((slice(3, 6), slice(3, 6)), np.outer([1e6, 1, 1], [1, 1, 1])),
        lambda A: A.__setitem__((slice(3, 6), slice(0, 3)), np.nan),
        lambda A: A.__setitem__((2, 5), np.inf),
    ):
        A = regular.copy()
        change(A)
        assert not lu.factorise(A.ravel())
        lu.solve(b, x)
        assert np.all(np.isinf(x))
        lu.solve_transposed(b, x)
        assert np.all(np.isinf(x))
    twice = np.kron([[1.0, 1], [1, 1]], np.diag([3.0, 7, 0.1]))  # D - C A^-1 B is round-off
    assert not lu.factorise(twice.ravel())
    assert lu.factorise(regular.ravel())  # and it works on afterwards
    lu.solve(b, x)
    assert x == pytest.approx(1 / np.arange(1.0, 7), rel=1e-14)


def test_small_nodes_and_fill_are_left_to_petsc(module):
    A = chain((2,) * 9)
    assert node_factors(A.indptr, A.indices, module) is None
    around = chain((4,) * 30, reach=1, links=[(0, k) for k in range(30)])
    assert node_factors(around.indptr, around.indices, module) is None
    A = chain((4,) * 30)
    assert node_factors(A.indptr, A.indices, module) is not None


@pytest.mark.parametrize("model", ["quadratic", "ancf", "rigid"])
def test_a_pendulum_moves_as_with_mumps(model):
    """Places after twenty steps, by factors of nodes and by MUMPS's; and the solver of PETSc that
    has them solves transposed systems."""
    places = []
    for solver in ("auto", "mumps"):
        system = fc.System()
        if model == "rigid":
            body = system.add(fc.RigidBody(1.0, (0.1, 0.2, 0.3), position=(1, 0, 0)))
            pivot, end = body.at((0, 0, 0)), body.at((2, 0, 0))
        else:
            body = system.add(
                fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02),
                        fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000), 4, model=model)
            )  # fmt: skip
            pivot, end = body.start, body.end
        system.add(fc.SphericalJoint(system.ground, pivot))
        system.add(fc.Probe(end, name="end"))
        stepper = fc.Stepper(system, dt=1e-3, t_end=0.02, solver=solver)
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
        places.append([stepper.channels[f"end.{x}"] for x in "xyz"])
        pc = stepper.newton.snes.getKSP().getPC()
        assert pc.getType() == ("shell" if solver == "auto" else "lu")
        A = stepper.newton.A
        x, b = A.createVecs()
        b.array[:] = np.random.default_rng(1).normal(size=b.local_size)
        pc.applyTranspose(b, x)
        residual = A.createVecLeft()
        A.multTranspose(x, residual)
        assert (residual - b).norm() < 1e-9 * max(b.norm(), x.norm())
        stepper.destroy()
    assert places[0] == pytest.approx(places[1], rel=1e-10, abs=1e-11)
