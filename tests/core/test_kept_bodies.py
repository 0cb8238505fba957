"""Factors of liners that are kept from tangent to tangent, against MUMPS's of each matrix."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from fem_clearance._backend import MPI
from fem_clearance.core import kept_factors, linear_solvers
from fem_clearance.core.kept_factors import KeptLU

from .test_substructures import advanced, built, direct, lined

pytestmark = pytest.mark.mpi


def mechanism(comm):
    """Four films on full liners, which are equal."""
    return lined(comm, "full")


def kept(newton):
    """Its factors, the entries they are for, and the preconditioner that calls them."""
    pc = newton.snes.getKSP().getPC()
    factors = pc.getPythonContext()
    assert isinstance(factors, KeptLU)
    return factors, factors._part, pc


def worst(newton, pc):
    """Largest difference to MUMPS's solutions, relative to these, also of the transpose."""
    state, factors, found = newton.state, direct(newton), []
    b = np.random.default_rng(3).normal(size=state.size)
    factors.b.array[:] = b[state.problem.low : state.problem.low + state.owned]
    for ours, theirs in ((pc.apply, factors.ksp.solve),
                         (pc.applyTranspose, factors.ksp.solveTranspose)):  # fmt: skip
        x = factors.b.duplicate()
        ours(factors.b, x)
        theirs(factors.b, factors.x)
        size = factors.x.norm()
        found.append((x - factors.x).norm() / size)
        x.destroy()
    factors.destroy()
    return max(found)


def test_solves_as_the_assembled_matrix(comm):
    """With the stiffness of an earlier state almost, with the present one but for round-off."""
    newton = built(mechanism, comm)
    factors, part, pc = kept(newton)
    for _ in range(kept_factors.PATIENCE + 1):
        assert factors.factorise(part)
    assert factors._kept
    stiffness = [group.K.matrix.data.copy() for group in factors._groups]
    assert comm.allreduce(sum(len(g.bodies) for g in factors._groups)) == 4
    assert worst(newton, pc) < 1e-4
    factors._kept = False
    assert factors.factorise(part) and factors._kept
    assert worst(newton, pc) < 1e-8
    for group, before in zip(factors._groups, stiffness, strict=True):
        assert np.abs(group.K.matrix.data - before).max() < 1e-3 * np.abs(before).max()


def test_what_acts_inside_a_body_is_not_lost(comm):
    """Solutions for a load deep inside bodies, which others do not touch, and little of it."""
    newton = built(mechanism, comm)
    factors, part, _ = kept(newton)
    factors._kept = False  # steps may have kept an earlier stiffness
    while not factors._kept:
        factors.factorise(part)
    inside = factors._groups[0].bodies[0]
    b, whole, x = np.zeros((3, newton.state.owned))
    b[inside.unknowns[inside.inside]] = 1.0
    factors.solve(b, x)
    factors._kept = False
    factors._whole.factorise(part)
    factors.solve(b, whole)
    assert np.abs(x - whole).max() < 1e-4 * np.abs(whole).max() > 0


def stiffen(state, factor):
    """Multiply the liners' moduli of elasticity."""
    for c, rows in zip(state.components, state.parameters, strict=True):
        if state.problem.fills(c):
            for name in ("lam", "mu"):
                c.kind.column(rows, name)[:] *= factor


@pytest.mark.parametrize("change", [1.5, 1.0 + 2e-3])
def test_a_changed_stiffness_is_factorised_again(comm, change):
    """Twice as long as at first until it counts as settled; a change that Newton's method hardly
    feels changes nothing."""
    newton = built(mechanism, comm)
    factors, part, pc = kept(newton)
    while not factors._kept:
        factors.factorise(part)
    stiffen(newton.state, change)
    newton.build()
    assert factors.factorise(part)
    assert factors._kept == (change < 1.1)
    count = 0
    while not factors._kept:
        newton.build()
        factors.factorise(part)
        count += 1
    assert count == (0 if change < 1.1 else 2 * kept_factors.PATIENCE)


def test_cells_are_not_evaluated_while_they_are_kept(comm):
    """What an error leaves is told by forces as by the tangents themselves, and where it is too
    much, the whole matrix is that of the present state again."""
    newton = built(mechanism, comm)
    factors, part, _ = kept(newton)
    state, bulk = newton.state, factors.bulk
    while not factors._kept:
        factors.factorise(part)
    assert bulk.out[0]
    stiff = part.copy()
    stiffen(state, 1.25)
    at, errors = factors._still, np.zeros(state.local)
    errors[at] = np.random.default_rng(5).uniform(-1, 1, len(at))
    change = bulk.change(errors)
    newton.build()
    others = np.zeros(len(part), bool)
    others[bulk.into] = True
    assert np.array_equal(part[~others], stiff[~others])
    assert np.abs(part - stiff).max() < 1e-9 * np.abs(stiff).max()
    factors.factorise(part)
    assert not factors._kept and not bulk.out[0]
    released = part.copy()
    newton.build()
    assert np.abs(released - part).max() < 1e-13 * np.abs(part).max()
    first, columns = state.problem.entries.pattern()
    expected = csr_matrix((part - stiff, columns, first)) @ errors
    assert np.abs(change - expected)[at].max() < 1e-8 * np.abs(expected[at]).max() > 0


def run(comm):
    """The mechanism after 12 steps."""
    return advanced(comm, mechanism(comm), 12, dt=2e-5, newton_tolerance=1e-10)


def test_runs_as_with_mumps(comm, monkeypatch):
    """Stiffness that is kept from the first tangent on."""
    monkeypatch.setattr(kept_factors, "PATIENCE", 1)
    found, newton = run(comm)
    assert kept(newton)[0]._kept
    monkeypatch.setattr(linear_solvers, "substructured", lambda state, package: None)
    expected, other = run(MPI.COMM_SELF)
    assert other.snes.getKSP().getPC().getType() == "lu"
    start = np.abs(expected).max()
    assert np.abs(found - expected).max() < 1e-9 * start
    assert abs(newton.iterations - other.iterations) <= 0.1 * other.iterations
