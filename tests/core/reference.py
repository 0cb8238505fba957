"""What the compiled loop computes, in NumPy and by other means: cell by cell, with dense matrices
and a new tangent in every iteration."""

import numpy as np


def cells(state, component, form, k, size):
    """Outputs of a form of component ``k``, cells x size: FFCx's kernel on packed numbers."""
    ffi, problem = form.module.ffi, state.problem
    out = np.zeros((component.count, size))
    where = component.dof_map(
        form, problem.local_unknowns[k], problem.offsets[k], problem.total, problem.globals_at
    )
    for row, at, x in zip(out, where, component.coordinates, strict=True):
        packed = np.array([state.array[i] for i in at] or [0.0])
        place = np.array(x)
        form.kernel(
            *(ffi.cast("double *", z.ctypes.data) for z in (row, packed)), ffi.NULL,
            ffi.cast("double *", place.ctypes.data), ffi.NULL, ffi.NULL, ffi.NULL,
        )  # fmt: skip
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


class Steps:
    """Generalized-alpha of Arnold and Bruels (2007), Newton's method on unscaled equations, from
    the state of a stepper that has made some steps of the same length (one rank).

    Args:
        stepper: keeps its state; this one's is a copy.
        rho: spectral radius.
    """

    def __init__(self, stepper, state, rho=0.8):
        state.array[:] = stepper.state.array
        self.state, self.alg, self.t = state, stepper.scheme.alg.copy(), stepper.t
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
