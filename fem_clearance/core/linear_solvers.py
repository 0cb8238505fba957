"""Linear solvers of Newton's steps: direct ones, and a multigrid preset for large solids.

Direct: PETSc's own LU in natural order for chains and films (whose nodes are numbered in an order
of elimination, ordering.py); with the amplitudes of condensed solids as a border (bordered.py);
on several ranks with what lies between them as a border (substructures.py), solids too if that is
small (inner_factors.py). MUMPS for everything else.
Iterative: GMRES with smoothed aggregation for the solids' displacements, which is given their
rigid-body motions, and the Schur complement on all other unknowns (frames, multipliers, pressures).
"""

from __future__ import annotations

import ctypes
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from .._backend import MPI, PETSc
from ..checks import suggestion
from ..errors import InputError, SingularSystem
from .bordered import BorderedLU, border_of
from .factors import PART, OwnFactors
from .inner_factors import InnerLU
from .kept_bulk import KeptBulk
from .kept_factors import KeptLU
from .own_factors import DENSE, factors_apart, own_factors, slow_blocks
from .substructures import SharedBorder

if TYPE_CHECKING:
    from .blocks import Block
    from .problem import Problem
    from .state import State

logger = logging.getLogger(__name__)

#: of the user's options for the solvers of a run
PREFIX = "fc_"
#: linear solver by the name a user gives
PACKAGES = ("mumps", "petsc", "iterative")
#: why one has no solution
FAILED = {
    "mumps": "a rank's part is singular", "petsc": "zero pivot without pivoting",
    "iterative": "the iterative solver did not converge",
}  # fmt: skip
#: displacements of solids above which the iterative solver is chosen; measured, see
#: docs/performance.md
LARGE = 60_000
#: unknowns between ranks up to which each of these has factors of its own solids, and of their
#: responses to all of those
BETWEEN_SOLIDS = 150
#: unknowns of a body without inertia that others touch, up to which its responses there are kept
TOUCHED = 1500
#: price of a tangent and its factors (or multigrid hierarchy) in iterations; fixed, so that runs
#: repeat
PRICE = {"petsc": 3.0, "mumps": 20.0, "iterative": 3.0}


def said(code: int) -> str:
    """What an error code of PETSc's means: a clause."""
    text = ctypes.c_char_p()
    ctypes.CDLL(PETSc.__file__).PetscErrorMessage(code, ctypes.byref(text), None)
    meaning = (text.value or b"").decode(errors="replace").strip().lower()
    return f"PETSc failed with error {code}" + (f" ({meaning})" if meaning else "")


#: options that users give most, to suggest one
OPTIONS = (
    "ksp_type", "ksp_rtol", "ksp_atol", "ksp_max_it", "ksp_monitor", "ksp_converged_reason",
    "ksp_view", "ksp_gmres_restart", "pc_type", "pc_factor_mat_solver_type",
    "pc_factor_mat_ordering_type", "pc_gamg_threshold", "pc_gamg_agg_nsmooths", "snes_type",
    "snes_monitor", "snes_view", "snes_converged_reason", "snes_linesearch_type", "snes_max_it",
    "mat_mumps_icntl_14", "mat_mumps_icntl_7", "mg_levels_ksp_type", "mg_levels_pc_type",
)  # fmt: skip

#: unknowns of a rank above which multigrid is set up without storing the product of matrix and
#: interpolation: of several ranks that takes a quarter less memory and twice as long
SCARCE = 200_000
#: options that PETSc reads without a prefix
UNPREFIXED = ("matptap_via",)

#: memory that MUMPS may use beyond its estimate, %: constraints have no pivot of their own, and
#: what waits for one is factorised later
ROOM = 200


def prefixed(option: str) -> str:
    """Name of an option in PETSc's database."""
    return option if option in UNPREFIXED else PREFIX + option


@contextmanager
def in_database(options: dict, read: set[str]):
    """Options (without prefix) in PETSc's database for a while; those of the user's there win.
    Those that something reads are added to ``read``."""
    database = PETSc.Options()
    mine = {prefixed(k): v for k, v in options.items() if not database.hasName(prefixed(k))}
    for key, value in mine.items():
        database.setValue(key, value)
    try:
        yield
    finally:
        read |= {k for k in options if database.used(prefixed(k))}
        for key in mine:
            database.delValue(key)


def unread(options: dict, read: set[str]) -> list[str]:
    """Of the user's options, given here or in PETSc's own database, those that nothing has read;
    with a suggestion each."""
    database = PETSc.Options()
    given = {*options, *PETSc.Options(PREFIX).getAll()}
    left = sorted(k for k in given - read if not database.used(prefixed(k)))
    return [repr(k) + ("" if k in OPTIONS else suggestion(k, OPTIONS)) + "." for k in left]


def suitable(state: State) -> str:
    """The solver for a system when none is asked for."""
    if not state.problem.bulk:
        return "petsc"
    displacements = sum(b.unknowns for b in solids(state))
    if displacements <= LARGE:
        return "mumps"
    logger.info(
        "solids with %d displacements: the linear solver is GMRES with multigrid (use solver=mumps "
        "for a direct solver)", displacements,
    )  # fmt: skip
    return "iterative"


def solids(state: State) -> list[Block]:
    """Blocks that are displacements of solids."""
    return [b for b in state.problem.blocks if b.places is not None]


def configure(
    ksp: PETSc.KSP, state: State, package: str, in_parts: bool = False, apart: bool = False
) -> dict[str, str | float]:
    """Set a solver, which has the system's matrix, up; returns options (without prefix) to go with
    it.

    Args:
        in_parts: whether the matrix of each rank's cells can be had, see ``Entries.share``.
        apart: solutions for iterations, in which what slow unknowns do to others may be left out.
    """
    pc = ksp.getPC()
    parts = substructured(state, package) if in_parts and package != "iterative" else None
    if parts is not None:
        ksp.setType("preonly")
        parts.attach(pc, np.zeros(len(state.problem.entries.pattern()[1])))
        return {}
    if package == "petsc" and state.comm.size > 1:
        # Each rank factorises the whole: MUMPS on two ranks takes twice as long, and most of a
        # solve is waiting for each other.
        ksp.setType("preonly")
        pc.setType("redundant")
        return {
            "redundant_pc_type": "lu", "redundant_pc_factor_mat_solver_type": "petsc",
            "redundant_pc_factor_mat_ordering_type": "natural",
        }  # fmt: skip
    own = None
    if package == "petsc":
        make = factors_apart if apart and slow_blocks(state.problem) else own_factors
        own = make(ksp.getOperators()[1], state)
    if own is not None:
        ksp.setType("preonly")
        own.attach(pc)
        return {}
    if package != "iterative":
        ksp.setType("preonly")
        pc.setType("lu")
        pc.setFactorSolverType(package)
        if package == "petsc":  # films first, unknowns along the chain, multipliers after nodes
            pc.setFactorOrdering("natural")
        return {}
    if not solids(state):
        raise InputError("solver iterative is for solids, and the system has none; leave it out.")
    # the preconditioner is the same in each iteration: no need of FGMRES's second set of vectors
    ksp.setType("gmres")
    ksp.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    ksp.setGMRESRestart(60)
    ksp.setTolerances(rtol=1e-6, max_it=600)
    modes = rigid_motions(state)
    displacements = _displacements(state)
    if displacements.getSize() == state.size:
        state.A.setNearNullSpace(modes)
        return _multigrid("", state)
    displacements.compose("nearnullspace", modes)
    options = _split(pc, state, displacements)
    multigrid = _multigrid("fieldsplit_solids_", state)
    return {**multigrid, "fieldsplit_solids_ksp_type": "preonly", **options}


def _split(pc: PETSc.PC, state: State, displacements: PETSc.IS) -> dict[str, str | float]:
    """Solids' displacements, and all else by a Schur complement on them; options of the latter."""
    pc.setType("fieldsplit")
    rest = displacements.complement(*state.problem.x.getOwnershipRange())
    pc.setFieldSplitIS(("solids", displacements), ("rest", rest))
    pc.setFieldSplitType(PETSc.PC.CompositeType.SCHUR)
    pc.setFieldSplitSchurFactType(PETSc.PC.FieldSplitSchurFactType.FULL)
    pc.setFieldSplitSchurPreType(PETSc.PC.FieldSplitSchurPreType.SELFP)
    return {
        "fieldsplit_rest_ksp_type": "preonly", "fieldsplit_rest_pc_type": "lu",
        "fieldsplit_rest_pc_factor_mat_solver_type": "mumps",
        "fieldsplit_rest_mat_mumps_icntl_14": ROOM,
    }  # fmt: skip


def configure_inertia(ksp: PETSc.KSP, state: State) -> dict[str, str | float]:
    """Set a solver up for a matrix that is inertia in the displacements of solids: conjugate
    gradients there, whose number of iterations no mesh changes; options as of ``configure``, to be
    in the database at its set-up."""
    prefix = "velocities_"
    ksp.setOptionsPrefix(PREFIX + prefix)
    ksp.setType("preonly")
    ksp.getPC().setType("ksp")
    inner = ksp.getPC().getKSP()
    inner.setType("fgmres")
    inner.setTolerances(rtol=1e-10, atol=0.0, max_it=200)
    options: dict[str, str | float] = {
        "fieldsplit_solids_ksp_type": "cg", "fieldsplit_solids_ksp_rtol": 1e-12,
        "fieldsplit_solids_ksp_max_it": 500, "fieldsplit_solids_pc_type": "jacobi",
    }  # fmt: skip
    options |= _split(inner.getPC(), state, _displacements(state))
    return {f"{prefix}ksp_{key}": value for key, value in options.items()}


def direct(ksp: PETSc.KSP, A: PETSc.Mat, bordered: bool = False) -> None:
    """Set a solver up to factorise a matrix with MUMPS, see ``give_room``."""
    ksp.setType("preonly")
    ksp.getPC().setType("lu")
    ksp.getPC().setFactorSolverType("mumps")
    give_room(ksp, A, bordered)


def substructured(state: State, package: str) -> OwnFactors | InnerLU | KeptLU | None:
    """Factors on several ranks of which each has its own part, and on any number of ranks those
    that keep bodies without inertia; ``None`` for others on one rank, and where what lies between
    the ranks is too large for a dense matrix; collective."""
    problem = state.problem
    solid, comm = problem.entries.filled is not None, state.comm
    still = _still(state)
    if solid != (package == "mumps") or (comm.size == 1 and not len(still)):
        return None
    most, ghosts = BETWEEN_SOLIDS if solid else DENSE, state.local - state.owned
    if comm.allreduce(ghosts, MPI.MAX) > most:
        return None
    dense = border_of(problem)
    shared = SharedBorder(problem, dense if solid else dense[:0])
    inside = comm.allreduce(state.local - len(shared.unknowns), MPI.MIN)
    between = len(shared.numbers)
    if (between == 0) != (comm.size == 1) or between > most or (solid and not inside):
        return None
    first, columns = problem.entries.pattern()
    if not solid:
        return BorderedLU(first, columns, dense, problem.module, shared, state.owned)
    whole = InnerLU(first, columns, shared, state.owned, direct)
    kept, still = None, np.setdiff1d(still, shared.unknowns)
    if 0 < state.local - len(still) <= DENSE and len(still):
        bulk = KeptBulk(state, still) if KeptBulk.possible(state, still) else None
        kept = KeptLU(first, columns, still, whole, direct, bulk)
    if comm.allreduce(kept is not None and kept.touched <= TOUCHED, MPI.MIN):
        return kept
    return whole if comm.size > 1 else None


def _still(state: State) -> np.ndarray:
    """Local numbers of owned displacements without inertia, as those of liners; none on all ranks
    if there are none on one."""
    numbers = [b.numbers[b.free] for b in solids(state) if not b.role.order]
    found = state.problem.locate(np.concatenate([np.zeros(0, int), *numbers]))
    found = np.sort(found[(found >= 0) & (found < state.owned)])
    return found if state.comm.allreduce(len(found), MPI.MIN) else found[:0]


def part_of(ksp: PETSc.KSP) -> np.ndarray | None:
    """Where a solver expects the entries of a rank's cells, see ``Entries.share``; ``None``: in
    its matrix."""
    pc = ksp.getPC()
    return pc.getAttr(PART) if pc.getType() in ("shell", "python") else None


def dear_tangents(problem: Problem) -> bool:
    """Whether a tangent costs many iterations: with condensed solids, and films, whose pressures
    are forces that have no rates."""
    films = (b for b in problem.blocks if b.role.holds_forces and b.role.order == 0)
    return problem.condensed is not None or any(films)


def left_out_of(ksp: PETSc.KSP) -> tuple[np.ndarray, np.ndarray] | None:
    """What a solver says of cells that it may leave out, see ``Entries.share``."""
    pc = ksp.getPC()
    factors = pc.getPythonContext() if pc.getType() == "python" else None
    bulk = factors.bulk if isinstance(factors, KeptLU) else None
    return None if bulk is None else (bulk.under, bulk.out)


class Factors:
    """A matrix factorised by MUMPS, see ``give_room``; destroy it after use."""

    def __init__(self, A: PETSc.Mat, bordered: bool = False):
        self.ksp = PETSc.KSP().create(A.comm)
        direct(self.ksp, A, bordered)
        self.x, self.b = A.createVecs()

    def solve(self, rhs: np.ndarray) -> np.ndarray:
        """Solution, owned values.

        Raises:
            SingularSystem: the matrix has no inverse.
        """
        self.b.array[:] = rhs
        self.ksp.solve(self.b, self.x)
        if self.ksp.reason < 0 or not np.isfinite(self.x.norm()):
            raise SingularSystem("the linear solver failed")
        return self.x.array_r.copy()

    def destroy(self) -> None:
        """Free PETSc's objects; collective."""
        for item in (self.ksp, self.x, self.b):
            item.destroy()


def give_room(ksp: PETSc.KSP, A: PETSc.Mat, bordered: bool = False) -> None:
    """Let MUMPS, if it is the solver, use more memory than it expects to.

    Args:
        bordered: the matrix has a dense border (responses of condensed solids): minimum degree is
            then 2.5 times as fast as the order that MUMPS would choose, minimum fill.
    """
    pc = ksp.getPC()
    if pc.getType() == "lu" and pc.getFactorSolverType() == "mumps":
        ksp.setOperators(A)
        pc.setFactorSetUpSolverType()
        pc.getFactorMatrix().setMumpsIcntl(14, ROOM)
        if bordered:
            pc.getFactorMatrix().setMumpsIcntl(7, 0)


def _multigrid(prefix: str, state: State) -> dict[str, str | float]:
    options: dict[str, str | float] = {
        "pc_type": "gamg", "pc_gamg_type": "agg", "pc_gamg_agg_nsmooths": 1,
        "pc_gamg_threshold": 0.01, "mg_levels_ksp_type": "chebyshev",
        # blocks of a node: a few iterations more than with SOR, and half of its time
        "mg_levels_pc_type": "pbjacobi", "mg_levels_ksp_max_it": 2,
        "mg_levels_esteig_ksp_type": "cg",  # GMRES would keep eleven vectors of each level
        # PETSc's ten take longer and raise the iterations: the smoother's band gets wider
        "mg_levels_esteig_ksp_max_it": 6,
        "mg_coarse_pc_type": "lu",
        "mg_coarse_pc_factor_mat_solver_type": "mumps",
    }  # fmt: skip
    large = state.comm.size > 1 and state.size > SCARCE * state.comm.size
    products = {"matptap_via": "allatonce_merged"} if large else {}
    return {prefix + key: value for key, value in options.items()} | products


def _displacements(state: State) -> PETSc.IS:
    """Numbers of the displacements this rank owns."""
    low, high = state.problem.x.getOwnershipRange()
    numbers = np.concatenate([b.numbers[b.free] for b in solids(state)])
    mine = np.sort(numbers[(numbers >= low) & (numbers < high)]).astype(PETSc.IntType)
    index = PETSc.IS().createGeneral(mine, comm=state.comm)
    if all(b.whole for b in solids(state)):
        index.setBlockSize(state.problem.width)
    return index


def rigid_motions(state: State) -> PETSc.NullSpace:
    """The solids' rigid-body motions, which multigrid must carry to its coarse levels."""
    low, high = state.problem.x.getOwnershipRange()
    rows, modes = [], []
    for b in solids(state):
        assert b.places is not None
        x = b.places - (b.places.mean(axis=0) if b.spread is None else b.spread.mean(b.places))
        turns = [np.cross(axis, x) for axis in (np.eye(3) if b.width == 3 else np.eye(3)[2:])]
        moves = [np.tile(axis, (len(x), 1)) for axis in np.eye(3)[: b.width]]
        each = np.stack([m[:, : b.width].ravel() for m in (*moves, *turns)])
        mine = b.free & (b.numbers >= low) & (b.numbers < high)
        rows.append(b.numbers[mine])
        modes.append(each[:, mine])
    order = np.argsort(np.concatenate(rows))
    vectors = []
    for mode in np.concatenate(modes, axis=1)[:, order]:
        vector = PETSc.Vec().createMPI((len(order), PETSc.DETERMINE), comm=state.comm)
        vector.array[:] = mode
        vectors.append(vector)
    return PETSc.NullSpace().create(vectors=_orthonormal(vectors), comm=state.comm)


def _orthonormal(vectors: list[PETSc.Vec]) -> list[PETSc.Vec]:
    done: list[PETSc.Vec] = []
    for v in vectors:
        for _ in range(2):
            for other in done:
                v.axpy(-v.dot(other), other)
        v.normalize()
        done.append(v)
    return done
