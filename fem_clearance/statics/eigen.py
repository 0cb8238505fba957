"""Eigenvalues of constrained linear systems: dense for small systems, SLEPc for large ones.

All solvers shift and invert, so that multipliers, whose mass is zero, may stay among the unknowns:
the solution with the shifted matrix satisfies the constraints, and their infinite eigenvalues are
mapped to zero.
"""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import scipy.linalg

from .._backend import PETSc
from ..core.linear_solvers import ROOM
from ..core.state import State
from .linearised import Linearised

#: prefix of the options of the eigenvalue solvers
PREFIX = "fc_modes_"
#: unknowns up to which dense matrices are used
DENSE = 300
#: eigenvalues this many times the fastest diagonal entry belong to constraints
INFINITE = 1e3


# --- real modes -----------------------------------------------------------------------------------
def real_modes(problem: Linearised, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Lowest lambda of K x = lambda M x (both symmetric), and x by rows, by global number with
    x.M x = 1; collective."""
    solve = _dense_real if problem.state.size <= DENSE else _sparse_real
    with _options():
        shift = 1e-8 * problem.fast() or 1.0
        values, shapes = _twice(lambda s: solve(problem, count, s), shift, count)
    order = np.argsort(values)[:count]
    return values[order], shapes[order]


def _twice(solve, shift: float, count: int):
    """Solve, and repeat with a shift of the size of the eigenvalues found, which loses fewer
    digits."""
    values, shapes = solve(shift)
    wanted = np.sort(np.abs(values))[:count]
    wanted = wanted[wanted > 1e-6 * wanted.max(initial=0.0)]
    return solve(0.4 * float(np.median(wanted))) if len(wanted) else (values, shapes)


def _dense_real(problem: Linearised, count: int, shift: float):
    K, M = problem.dense(problem.K, 1.0), problem.dense(problem.M)
    sizes, axes = np.linalg.eigh(M)
    some = sizes > 1e-14 * sizes.max()
    L = axes[:, some] * np.sqrt(sizes[some])
    X = np.linalg.solve(K + shift * M, L)
    T = L.T @ X
    theta, w = np.linalg.eigh((T + T.T) / 2)
    finite = np.abs(theta) > 1 / (INFINITE * max(problem.fast(), shift))
    values = 1 / theta[finite] - shift
    return values, (X @ (w[:, finite] / theta[finite])).T


def _sparse_real(problem: Linearised, count: int, shift: float):
    from slepc4py import SLEPc  # needs PETSc's libraries to be loaded

    state = problem.state
    K, M = problem.assemble(problem.K, 1.0), problem.assemble(problem.M)
    eps = SLEPc.EPS().create(state.comm)
    eps.setOperators(K, M)
    eps.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    _shift_and_invert(eps, -shift)
    eps.setTolerances(1e-13, 200)
    found: list[tuple[float, np.ndarray]] = []
    deflated: list[PETSc.Vec] = []
    # one Krylov space may miss copies of equal eigenvalues: search again, with those found deflated
    wanted, possible = count + 4, problem.freedoms()
    while len(found) < possible:
        eps.setDimensions(nev=min(wanted, possible - len(found)))
        eps.setDeflationSpace(deflated)
        eps.solve()
        new = _pairs(eps, state, INFINITE * max(problem.fast(), shift))
        for _, vector in new:
            deflated.append(state.problem.x.duplicate())
            deflated[-1].array[:] = vector.real[state.problem.low : state.problem.low + state.owned]
        last = np.sort([value for value, _ in found])[count - 1] if len(found) >= count else np.inf
        found += [(value.real, vector.real) for value, vector in new]
        if not new or all(value.real > last for value, _ in new):
            break
        wanted = 4
    for item in (eps, K, M, *deflated):
        item.destroy()
    return np.array([z for z, _ in found]), np.array([x for _, x in found]).reshape(-1, state.size)


def _shift_and_invert(solver, shift: float) -> None:
    solver.setTarget(shift)
    solver.setWhichEigenpairs(solver.Which.TARGET_MAGNITUDE)
    st = solver.getST()
    st.setType("sinvert")
    ksp = st.getKSP()
    ksp.setType("preonly")
    ksp.getPC().setType("lu")
    ksp.getPC().setFactorSolverType("mumps")
    solver.setOptionsPrefix(PREFIX)
    solver.setFromOptions()


@contextmanager
def _options():
    """MUMPS reads its options when it factorises; the user's win, none are left."""
    database, name = PETSc.Options(), f"{PREFIX}st_mat_mumps_icntl_14"
    mine = not database.hasName(name)
    if mine:
        database.setValue(name, ROOM)
    try:
        yield
    finally:
        if mine:
            database.delValue(name)


def _pairs(solver, state: State, largest: float) -> list[tuple[complex, np.ndarray]]:
    """Converged eigenvalues below a size, and vectors by global number on every rank."""
    result = []
    real, imaginary = state.problem.x.duplicate(), state.problem.x.duplicate()
    for k in range(solver.getConverged()):
        pair = solver.getEigenpair(k, real, imaginary)
        value = complex(pair) if isinstance(pair, (float, complex)) else complex(pair[0])
        if abs(value) < largest:
            vector = state.everything(real.array_r) + 1j * state.everything(imaginary.array_r)
            result.append((value, vector))
    real.destroy()
    imaginary.destroy()
    return result


# --- complex modes --------------------------------------------------------------------------------
def complex_modes(problem: Linearised, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Smallest lambda of (lambda^2 M + lambda C + K) x = 0, at least ``count`` conjugate pairs, and
    x by rows, by global number; collective."""
    solve = _dense_complex if problem.state.size <= DENSE else _sparse_complex
    with _options():
        shift = 1e-5 * np.sqrt(problem.fast()) or 1.0
        return _twice(lambda s: solve(problem, count, s), shift, 2 * count)


def _dense_complex(problem: Linearised, count: int, shift: float):
    state = problem.state
    K, C, M = problem.dense(problem.K, 1.0), problem.dense(problem.C), problem.dense(problem.M)
    moving = state.everything(((problem.order > 0) & ~problem.held).astype(float)) > 0
    held = state.everything(state.problem.constrained.astype(float)) > 0
    # coordinates that the constraints leave free
    jacobian = K[np.ix_(held, moving)]
    if len(jacobian):
        jacobian = jacobian / np.linalg.norm(jacobian, axis=1)[:, None]
    free = scipy.linalg.null_space(jacobian, rcond=1e-10) if len(jacobian) else np.eye(moving.sum())
    N = np.zeros((state.size, free.shape[1]))
    N[moving] = free
    # (v - s q = u, -(K q + C v) - s M v = M w) gives q and v from u and w
    shifted = K + shift * C + shift**2 * M
    X = np.linalg.solve(shifted, -np.hstack([(C + shift * M) @ N, M @ N]))
    q = N.T @ X
    v = shift * q + np.eye(*q.shape)
    theta, y = scipy.linalg.eig(np.vstack([q, v]))
    finite = np.abs(theta) > 1 / (INFINITE * max(np.sqrt(problem.fast()), shift))
    values = shift + 1 / theta[finite]
    shapes = (N @ y[: free.shape[1], finite]).T
    order = np.argsort(np.abs(values))
    return values[order], shapes[order]


def _sparse_complex(problem: Linearised, count: int, shift: float):
    from slepc4py import SLEPc

    state = problem.state
    matrices = [
        problem.assemble(problem.K, 1.0), problem.assemble(problem.C), problem.assemble(problem.M)
    ]  # fmt: skip
    pep = SLEPc.PEP().create(state.comm)
    pep.setOperators(matrices)
    pep.setProblemType(SLEPc.PEP.ProblemType.GENERAL)
    pep.setType("toar")
    _shift_and_invert(pep, shift)
    pep.setScale(SLEPc.PEP.Scale.SCALAR)
    pep.setTolerances(1e-12, 200)
    pep.setDimensions(nev=2 * count + 4)
    pep.solve()
    found = _pairs(pep, state, INFINITE * max(np.sqrt(problem.fast()), shift))
    for item in (pep, *matrices):
        item.destroy()
    values, shapes = np.array([z for z, _ in found]), np.array([x for _, x in found])
    order = np.argsort(np.abs(values))
    return values[order], shapes[order].reshape(-1, state.size)
