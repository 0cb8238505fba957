"""Newton's method by SNES of type shell against PETSc's own, ``newtonls`` with full steps."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance._backend import PETSc
from fem_clearance.core.newton import NAN

from .test_loop import Root, double_pendulum, pendulum
from .test_solvers import swinging

PETSC = {"snes_type": "newtonls"}
REASON = PETSc.SNES.ConvergedReason


def solid(**options):
    system = fc.System(gravity=(0, -9.81, 0), **options)
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02),
                fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000), 4, model="quadratic")
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    return system


RUNS = {
    "cable": (pendulum, dict(dt=1e-3, t_end=0.1)),
    "quadratic": (solid, dict(dt=1e-3, t_end=0.03)),
    "mumps": (pendulum, dict(dt=1e-3, t_end=0.03, solver="mumps")),
    "contacts": (double_pendulum, dict(t_end=0.05)),
    "fixed": (double_pendulum, dict(dt=5e-5, t_end=0.03)),
    "stabilised": (
        double_pendulum, dict(t_end=0.04, integrator=fc.GeneralizedAlpha(0.8, "stabilised"))
    ),
}  # fmt: skip


def finished(make, comm=None, **options):
    """A run, and the norms that SNES's monitors have seen."""
    stepper = fc.Stepper(make(comm=comm), **options)
    stepper.start()
    norms: list = []
    stepper.newton.snes.setMonitor(lambda snes, its, norm: norms.append((its, norm)))
    while stepper.t < stepper.t_end:
        stepper.advance(10)
    return stepper, norms


@pytest.mark.mpi
@pytest.mark.parametrize("name", RUNS)
def test_same_iterations_tangents_and_states(name, comm):
    make, options = RUNS[name]
    lean, norms = finished(make, comm, **options)
    petsc, other = finished(make, comm, options=PETSC, **options)
    assert lean.newton.snes.getType() == "shell" and petsc.newton.snes.getType() == "newtonls"
    for count in ("iterations", "tangents"):
        assert getattr(lean.newton, count) == getattr(petsc.newton, count) > 0
    assert (lean.steps, lean.rejected_steps) == (petsc.steps, petsc.rejected_steps)
    for field in ("q", "v", "a"):
        mine, theirs = (
            s.state.everything(getattr(s.state, field)) for s in (lean, petsc)
        )  # fmt: skip
        assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12 * np.abs(theirs).max())
    assert [its for its, _ in norms] == [its for its, _ in other] and len(norms) > lean.steps
    sizes = np.array([[norm for _, norm in each] for each in (norms, other)])
    assert sizes[0] == pytest.approx(sizes[1], rel=1e-6, abs=1e-9 * sizes.max())
    assert lean.newton.snes.reason == petsc.newton.snes.reason == REASON.CONVERGED_FNORM_ABS
    assert lean.newton.snes.its == petsc.newton.snes.its


@pytest.mark.parametrize("options", [{}, PETSC], ids=["lean", "newtonls"])
def test_same_reasons(options):
    """Too many iterations, and a residual that is no number."""
    stepper = fc.Stepper(
        pendulum(), dt=1e-3, t_end=0.1, options={"snes_max_it": 2} | options, smallest=1e-3
    )  # fmt: skip
    stepper.start()
    newton = stepper.newton
    stepper.scheme.prepared(1e-3)
    stepper.newton.c.beta, stepper.newton.c.gamma = 4e6, 2e3
    newton.guess(np.ones(stepper.state.owned))
    assert not newton.solve(1e-3, full=True)
    assert newton.reason == newton.snes.reason == REASON.DIVERGED_MAX_IT
    assert newton.snes.its == newton.its == 2
    system = fc.System()
    system.add(Root(1.0, -1.0))
    stepper = fc.Stepper(system, dt=0.1, t_end=9.0, smallest=1e-3, options=options)
    stepper.start()
    with pytest.raises(fc.StepFailed):
        while stepper.t < stepper.t_end:
            stepper.advance(100)
    assert stepper.newton.snes.reason == NAN


def test_options_choose():
    """A line search asks for PETSc's method; so do solvers that iterate, whose iterations SNES
    counts."""
    for options, kind in (
        ({"snes_linesearch_type": "bt"}, "newtonls"),
        ({"snes_type": "newtontr"}, "newtontr"),
        ({"snes_max_it": 7}, "shell"),
    ):
        stepper = fc.Stepper(pendulum(), dt=1e-3, t_end=0.1, options=options)
        stepper.prepare()
        assert stepper.newton.snes.getType() == kind, options
    assert swinging(2, "iterative").newton.snes.getType() == "newtonls"


def test_a_watched_linear_solver(capfd):
    """KSP's monitors and reasons work beside lean iterations."""
    options = {"ksp_converged_reason": None, "snes_converged_reason": None}
    stepper = fc.Stepper(pendulum(), dt=1e-3, t_end=3e-3, options=options)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    PETSc.Sys.syncFlush()
    said = capfd.readouterr().out
    assert said.count("Linear fc_ solve converged") == stepper.newton.iterations
    assert said.count("Nonlinear fc_ solve converged") >= stepper.steps
