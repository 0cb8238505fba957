"""Linear solvers: the multigrid preset against the direct one."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance._backend import PETSc
from fem_clearance.bodies.solids.solid import Solid
from fem_clearance.core import linear_solvers as solvers
from fem_clearance.errors import InputError
from fem_clearance.meshes.structured import block


def swinging(n: int, solver: str, *, attached=False, degree=1, comm=None, **options):
    """A cantilever let go under gravity, or a bar hung up at a rigid body."""
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    mesh = block((1, 0.5, 0.5), (2 * n, n, n), center=(0.5, 0, 0), degree=degree)
    clamped = [] if attached else ["x0"]
    bar = Solid(
        mesh,
        fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000),
        degree=mesh.degree,
        clamped=clamped,
        name="bar",
    )
    system.add(bar)
    if attached:
        crank = system.add(fc.RigidBody(mass=5, inertia=(1, 1, 1), position=(-0.2, 0, 0)))
        system.add(fc.RevoluteJoint(system.ground, crank.center, axis=(0, 0, 1)))
        system.add(fc.Attachment(bar.facets("x0"), crank.center))
    system.add(fc.Probe(bar.at((1, 0.25, 0.25)), name="tip"))
    stepper = fc.Stepper(system, dt=1e-2, t_end=1.0, solver=solver, **options)
    stepper.prepare()
    stepper.start()
    return stepper


def tip(stepper):
    return np.array([stepper.channels[f"tip.{x}"] for x in "xyz"])


@pytest.mark.mpi
@pytest.mark.parametrize("attached", [False, True])
def test_multigrid_is_as_good_as_factors(comm, attached):
    ends = []
    for solver in ("mumps", "iterative"):
        stepper = swinging(3, solver, attached=attached, comm=comm)
        for _ in range(10):
            stepper.advance()
        assert stepper.newton.linear_solver == solver
        ends.append(tip(stepper))
    assert np.linalg.norm(ends[0] - (1, 0.25, 0.25)) > 1e-3
    assert ends[1] == pytest.approx(ends[0], abs=1e-7)


def test_multipliers_beside_multigrid():
    """A bar on a pin alone: its displacements by multigrid, the rest by factors, as documented, and
    as few iterations as there (docs/performance.md); factors give the same start (its velocities,
    which the pin changes, too) and the same path."""
    starts, ends = [], []
    for solver in ("mumps", "iterative"):
        system = fc.System(gravity=(0, -9.81, 0))
        mesh = block((1, 0.5, 0.5), (12, 6, 6), center=(0.5, 0, 0), degree=1)
        rubber = fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000)
        bar = system.add(fc.Solid(mesh, rubber, degree=1, angular_velocity=(0.3, 0, 1), name="bar"))
        held = system.add(fc.Attachment(bar.facets("x0"), name="held"))
        system.add(fc.RevoluteJoint(system.ground, held.frame, axis=(0, 0, 1), name="pin"))
        system.add(fc.Probe(bar.at((1, 0.25, 0.25)), name="tip"))
        stepper = fc.Stepper(system, dt=1e-3, t_end=1.0, solver=solver)
        stepper.start()
        starts.append([z.copy() for z in (stepper.state.v, stepper.state.a)])
        for _ in range(3):
            stepper.advance()
        assert stepper.newton.linear_solver == stepper.scheme.velocities.package == solver
        ends.append(tip(stepper))
    # accelerations come from trial steps, solved to Newton's tolerance
    for one, other, part in zip(*starts, (1e-9, 1e-4), strict=True):
        assert other == pytest.approx(one, abs=part * np.abs(one).max())
    assert starts[0][0].max() > 0.5
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)
    snes = stepper.newton.snes
    kinds = [k.getPC().getType() for k in snes.getKSP().getPC().getFieldSplitSubKSP()]
    assert kinds == ["gamg", "lu"]
    assert snes.getLinearSolveIterations() <= 12 * stepper.newton.its


def test_iterations_hardly_grow_with_the_mesh():
    counts = []
    for n in (4, 7, 10):
        stepper = swinging(n, "iterative")
        for _ in range(3):
            stepper.advance()
            counts.append(stepper.newton.snes.getLinearSolveIterations() / stepper.newton.its)
    small, large = np.mean(counts[:3]), np.mean(counts[-3:])
    assert large < 1.3 * small
    assert large < 10


def test_the_solver_that_suits():
    """Chains: PETSc's own factors; solids: MUMPS; large ones: multigrid."""
    pendulum = fc.System()
    arm = pendulum.add(fc.RigidBody(mass=1, inertia=(1, 1, 1), position=(1, 0, 0)))
    pendulum.add(fc.SphericalJoint(pendulum.ground, arm.at((0, 0, 0))))
    assert solvers.suitable(pendulum.state) == "petsc"
    state = swinging(2, "auto").state
    assert solvers.suitable(state) == "mumps"
    assert len(solvers.solids(state)) == 1


def test_large_solids_take_multigrid(monkeypatch, caplog):
    monkeypatch.setattr(solvers, "LARGE", 100)
    with caplog.at_level("INFO"):
        stepper = swinging(2, "auto")
    assert stepper.newton.linear_solver == "iterative"
    assert "displacements: the linear solver is GMRES with multigrid" in caplog.text


def test_users_options_win_and_none_are_left():
    stepper = swinging(2, "iterative", options={"ksp_type": "cg", "ksp_rtol": 1e-9})
    ksp = stepper.newton.snes.getKSP()
    stepper.advance()
    assert ksp.getType() == "cg" and ksp.reason > 0
    assert stepper.newton.linear_solver == "iterative"
    assert ksp.getTolerances()[0] == 1e-9
    left = [k for k in PETSc.Options().getAll() if k.startswith("fc_")]
    assert left == []


@pytest.mark.parametrize(
    ("solver", "given", "named"),
    [
        ("mumps", {"ksp_typ": "gmres"}, "'ksp_typ' (did you mean 'ksp_type'?)."),
        ("mumps", {"fieldsplit_solids_pc_type": "lu"}, "'fieldsplit_solids_pc_type'."),
        ("mumps", {"mat_mumps_icntl_14": 150, "ksp_type": "gmres", "ksp_rtol": 1e-9}, ""),
        ("iterative", {"pc_type": "lu", "pc_factor_mat_solver_type": "mumps"}, ""),
        ("iterative", {"mg_coarse_pc_factor_mat_solver_type": "mumps"}, ""),
    ],
)
def test_options_that_nothing_reads_are_named(solver, given, named, caplog):
    """Also those of solvers inside, which read theirs in the first solve."""
    stepper = swinging(1, solver, options=given)
    stepper.advance()
    said = [r.message for r in caplog.records if "nothing reads" in r.message]
    assert said == ([f"{solver}: nothing reads the PETSc option {named}"] if named else [])


def test_options_of_the_database_too(caplog):
    PETSc.Options().setValue("fc_ksp_rtl", 1e-8)
    try:
        swinging(1, "mumps").advance()
    finally:
        PETSc.Options().delValue("fc_ksp_rtl")
    assert caplog.text.count("nothing reads the PETSc option 'ksp_rtl'") == 1


def test_multigrid_is_for_solids():
    system = fc.System(gravity=(0, 0, 0))
    system.add(fc.RigidBody(mass=5, inertia=(1, 1, 1), free=True))
    with pytest.raises(InputError, match="iterative is for solids"):
        fc.Simulation(system, dt=1e-2, t_end=1, solver="iterative", progress=False).run()


def test_failing_multigrid_gives_way_to_factors(caplog):
    with caplog.at_level("INFO"):
        stepper = swinging(2, "iterative", options={"ksp_max_it": 1, "ksp_rtol": 1e-12})
        stepper.advance()
    assert stepper.newton.linear_solver == "mumps"
    assert "the iterative solver did not converge" in caplog.text


def test_unknown_solver():
    with pytest.raises(InputError, match="solver must be one of"):
        swinging(2, "superlu")
