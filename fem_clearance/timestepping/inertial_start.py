"""Accelerations at the start of solids, from their inertia alone."""

from __future__ import annotations

import numpy as np

from .._backend import MPI, PETSc
from ..core.component import Component
from ..core.newton import NewtonSolver

#: weight of the inertia, beside which the stiffness is negligible in the tangent
HEAVY = 2.0**200
#: inertia below this is only stiffness divided by that weight
NONE = 1e-40
#: tolerance of the solution, relative to the forces
LEFT = 1e-12


def by_inertia(newton: NewtonSolver, time: float) -> np.ndarray | None:
    """Accelerations at the present positions and velocities, local, where all unknowns are
    coordinates with inertia: M a = f; ``None`` where they are not. Collective.

    Trial steps, which find multipliers as well, take four tangents, each with factors or a
    multigrid hierarchy; a mass matrix needs none. Forces of contacts that depend on velocities or
    on the displacement in a step set in at once. Trial steps account for that and the present state
    does not, so that the result is ``None`` with such forces.

    Args:
        newton: solver of the system; its matrix is overwritten and will be rebuilt.
        time: s.
    """
    state, n = newton.state, newton.state.owned
    comm, problem = state.comm, state.problem
    if any(_answers_to_motion(c) for c in state.components if not problem.fills(c)):
        return None
    if not comm.allreduce(bool(np.all(problem.moving[:n])), MPI.LAND):
        return None
    before, past = state.globals.copy(), state.q_n.copy()
    state.globals[0], state.q_n[:], state.a[:] = time, state.q, 0.0
    forces = state.add_over_ranks(state.residual())[:n].copy()
    M = state.tangent(HEAVY, 0.0)
    M /= HEAVY  # in place: a copy of it would be what takes most memory
    inertia = state.add_over_ranks(problem.entries.diagonal(M))[:n]
    a = None
    if comm.allreduce(bool(np.all(inertia > NONE)), MPI.LAND):
        problem.fill(newton.A, M)
        newton.rebuild = True
        a = _solved(newton.A, -forces)
    if a is not None:
        state.a[: state.local] = a = state.spread(a).copy()
        state.residual()  # the first forces by which residuals are judged
    state.globals[:], state.q_n[:] = before, past
    if a is not None:
        newton.accepted()
    return a


def _answers_to_motion(c: Component) -> bool:
    """Whether forces of a component's cells depend on rates or on displacements in a step."""
    read = () if c.residual is None else c.residual.coefficients
    return not {"v", "q_n", "per_step"}.isdisjoint(read)


def _solved(M: PETSc.Mat, forces: np.ndarray) -> np.ndarray | None:
    """M^-1 f, owned; ``None`` if conjugate gradients do not find it."""
    ksp = PETSc.KSP().create(M.comm)
    ksp.setType("cg")
    ksp.getPC().setType("jacobi")
    ksp.setTolerances(rtol=LEFT, atol=0.0, max_it=1000)
    ksp.setOperators(M)
    x, b = M.createVecs()
    b.array[:] = forces
    ksp.solve(b, x)
    found = x.array_r.copy() if ksp.reason > 0 else None
    for item in (ksp, x, b):
        item.destroy()
    return found
