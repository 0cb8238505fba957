"""What the compiled loop computes, in NumPy and by other means: cell by cell, with dense matrices
and a new tangent in every iteration."""

import numpy as np

from fem_clearance.core.blocked import aligned


def cells(state, component, form, k, size):
    """Outputs of a form of component ``k``, cells x size: FFCx's kernel on packed numbers."""
    ffi, problem = form.module.ffi, state.problem
    out = np.zeros((component.count, size))
    where = component.dof_map(
        form.coefficients, problem.local_unknowns[k], problem.offsets[k], problem.total,
        problem.globals_at,
    )  # fmt: skip
    for row, at, x in zip(out, where, component.geometry(), strict=True):
        packed = [state.array[i] for i in at] or [0.0]
        # all lanes have the same cell
        block, numbers, place = (
            aligned(np.repeat(np.reshape(z, (-1, 1)), form.lanes, axis=1)) for z in (row, packed, x)
        )
        form.kernel(
            *(ffi.cast("double *", z.ctypes.data) for z in (block, numbers)), ffi.NULL,
            ffi.cast("double *", place.ctypes.data), ffi.NULL, ffi.NULL, ffi.NULL,
        )  # fmt: skip
        row[:] = block[:, 0]
    return out


def _each(state, name):
    for k, c in enumerate(state.components):
        if (form := getattr(c, name)) is not None:
            yield k, c, form, state.problem.local_unknowns[k]


def residual(state):
    """Rows by local number, and the sums of the sizes of their terms."""
    rows, sizes = np.zeros((2, state.total))
    for k, c, form, unknowns in _each(state, "residual"):
        values = cells(state, c, form, k, c.dofs)
        np.add.at(rows, unknowns, values)
        np.add.at(sizes, unknowns, np.abs(values))
    return rows, sizes


def tangent(state, beta, gamma):
    """The dense matrix of all local numbers for da/dq and dv/dq."""
    K = np.zeros((state.total, state.total))
    state.globals[1:3] = gamma, beta
    for k, c, form, unknowns in _each(state, "tangent"):
        for at, values in zip(unknowns, cells(state, c, form, k, c.dofs**2), strict=True):
            K[np.ix_(at, at)] += values.reshape(c.dofs, c.dofs)
    return K


def _unknowns(state):
    """All local values over this rank's unknowns, those that are condensed by their masters."""
    P, condensed = np.eye(state.total, state.local), state.problem.condensed
    if condensed is not None:
        P[condensed.range] = condensed.T.toarray()
    return P


def condensed(state, rows):
    """Rows of this rank's unknowns, with those of what follows them."""
    return _unknowns(state).T @ rows


def velocities(state, dt=1e-5):
    """What constraints ask of velocities: mass matrix M and constraints' derivatives B (dPhi/dq, or
    ds/dv of those on velocities), over the unknowns that move; which rows of the unknowns are these
    and which are B's; and what the present velocities violate, B v + dPhi/dt (or s). Dense, on one
    rank; dPhi/dt by central differences."""
    kept, problem, n, heavy = state.globals.copy(), state.problem, state.local, 2.0**80
    P = _unknowns(state)
    K, C, M = (P.T @ tangent(state, *by) @ P for by in ((0, 0), (0, heavy), (heavy, 0)))
    moves = np.flatnonzero(problem.dynamic[:n] > 0)
    held = np.flatnonzero(problem.constrained[:n])
    rated = problem.velocity_level[held]
    B = np.where(rated[:, None], (C - K)[held] / heavy, K[held])[:, moves]
    state.globals[:] = kept
    state.follow()
    now, rows = residual(state)[0][held], []
    for step in (1, -1, 2, -2):
        state.globals[0] = kept[0] + step * dt
        rows.append(residual(state)[0][held])
    state.globals[:] = kept
    drift = (8 * (rows[0] - rows[1]) - (rows[2] - rows[3])) / (12 * dt)  # of fourth order
    violation = np.where(rated, now, B @ state.v[moves] + drift)
    return (M - K)[np.ix_(moves, moves)] / heavy, B, moves, held, violation


def least_change(M, B, violation):
    """w with B w = violation and M w = B^T eta."""
    zero = np.zeros((len(B), len(B)))
    rhs = np.append(np.zeros(len(M)), violation)
    return np.linalg.solve(np.block([[M, B.T], [B, zero]]), rhs)[: len(M)]


class Steps:
    """Generalized-alpha of Arnold and Bruels (2007), Newton's method on unscaled equations, from
    the state of a stepper that has made some steps of the same length (one rank).

    Args:
        stepper: keeps its state; this one's is a copy.
        rho: spectral radius.
    """

    def __init__(self, stepper, state, rho=0.8):
        state.array[:] = stepper.state.array
        self.state, self.alg, self.t = state, stepper.scheme.own[0].copy(), stepper.t
        self.am, self.af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.af - self.am
        self.beta = 0.25 * (1 + self.af - self.am) ** 2

    def step(self, h):
        state, n, am, af = self.state, self.state.local, self.am, self.af
        moves = state.problem.dynamic[:n] > 0
        state.q_n[:] = state.q
        q, v, a = (z[:n].copy() for z in (state.q, state.v, state.a))
        known = (af * a - am * self.alg) / (1 - am)  # alg_1 = known + part a_1
        part = (1 - af) / (1 - am)
        q0 = q + h * v + h * h * ((0.5 - self.beta) * self.alg + self.beta * known)
        v0 = v + h * ((1 - self.gamma) * self.alg + self.gamma * known)
        b, g = h * h * self.beta * part, h * self.gamma * part
        self.t += h
        state.globals[0], state.globals[6] = self.t, 1 / h
        unknown = np.where(moves, a, q)
        for _ in range(12):
            state.q[:n] = np.where(moves, q0 + b * unknown, unknown)
            state.v[:n] = np.where(moves, v0 + g * unknown, 0.0)
            state.a[:n] = np.where(moves, unknown, 0.0)
            state.globals[1:3] = g / b, 1 / b
            rows, K = residual(state)[0][:n], tangent(state, 1 / b, g / b)[:n, :n]
            K = K * np.where(moves, b, 1.0)
            # rows of constraints by h^2: as well conditioned as the others
            size = np.abs(K).max(axis=1)
            change = np.linalg.solve(K / size[:, None], rows / size)
            unknown = unknown - change
            if np.abs(change).max() < 1e-13 * np.abs(unknown).max():
                break
        state.q[:n] = np.where(moves, q0 + b * unknown, unknown)
        state.v[:n] = np.where(moves, v0 + g * unknown, 0.0)
        state.a[:n] = np.where(moves, unknown, 0.0)
        self.alg = np.where(moves, known + part * unknown, 0.0)
