"""Errors inside PETSc end a step, not the program: another solver, a shorter step, results kept.

The right motion is the closed form of a ball in free flight, which every scheme of second order
gives exactly.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.newton import NewtonSolver
from fem_clearance.program.cli import _explain
from fem_clearance.timestepping.stepper import Stepper

LIBRARY = 76  # PETSC_ERR_LIB, which PETSc calls "error in external library"


def ball() -> fc.System:
    system = fc.System(gravity=(0, -9.81, 0))
    system.add(fc.RigidBody(1.0, (1.0, 1.0, 1.0), velocity=(1.0, 2.0, 0.0), free=True, name="ball"))
    return system


def break_solver(monkeypatch, first: int, count: int):
    """Solves fail ``count`` times from number ``first`` on: in SNESSolve, or in what a solve
    without it calls first."""
    share, calls = NewtonSolver._share, [0]

    def shared(self):
        share(self)
        c, ffi, petsc = self.c, self._ffi, self.state.problem.module.petsc

        def broken(name, counts):
            @ffi.callback(ffi.typeof(petsc[name]))
            def call(*arguments):
                calls[0] += counts()
                fails = counts() and first <= calls[0] < first + count
                return LIBRARY if fails else petsc[name](*arguments)

            setattr(c.petsc, name, call)
            return call

        self.shared.keep["broken"] = {
            "solve": broken("SNESSolve", lambda: True),
            "tolerances": broken("SNESGetTolerances", lambda: bool(c.direct)),
        }

    monkeypatch.setattr(NewtonSolver, "_share", shared)


@pytest.mark.parametrize("count", [1, 3])  # MUMPS helps; the step is cut
def test_a_run_goes_on(monkeypatch, count):
    break_solver(monkeypatch, 12, count)
    results = fc.Simulation(ball(), dt=0.01, t_end=0.3).run()
    t = results.time
    assert results.summary["rejected_steps"] == (1 if count == 3 else 0)
    assert t[-1] == 0.3
    # round-off of a state and Newton's tolerance of 1e-8 of the weight over t^2 / 2
    np.testing.assert_allclose(results["ball.x"], t, atol=1e-8)
    np.testing.assert_allclose(results["ball.y"], 2 * t - 9.81 / 2 * t**2, atol=1e-8)


def test_results_are_kept_where_it_cannot(monkeypatch, tmp_path):
    break_solver(monkeypatch, 12, 10**9)
    simulation = fc.Simulation(ball(), dt=0.01, t_end=0.3, output=tmp_path / "run")
    with pytest.raises(fc.StepFailed, match=r"PETSc failed with error 76 \(error in external lib"):
        simulation.run()
    results = fc.Results.open(tmp_path / "run")
    assert len(results) > 5 and "error 76" in results.summary["stopped"]
    np.testing.assert_allclose(results["ball.x"], results.time, atol=1e-8)


def test_errors_where_no_shorter_step_helps(monkeypatch):
    """In what follows a step, the velocities' projection say."""
    from fem_clearance._backend import PETSc

    def fail(self, h):
        raise PETSc.Error(LIBRARY)

    monkeypatch.setattr(Stepper, "_accept", fail)
    with pytest.raises(fc.StepFailed, match="t = .* PETSc failed with error 76"):
        fc.Simulation(ball(), dt=0.01, t_end=0.3).run()
    code, sentence = _explain(PETSc.Error(55))
    assert code == 3 and "out of memory" in sentence


@pytest.mark.parametrize(
    "other",
    [
        {"integrator": fc.Bathe()}, {"integrator": fc.CentralDifference()}, {"dt": 0.02},
        {"integrator": fc.GeneralizedAlpha(0.5)}, {"adaptive": True},
    ],
)  # fmt: skip
def test_other_settings_cannot_go_on(tmp_path, other):
    run = tmp_path / "run"
    settings = {"integrator": fc.GeneralizedAlpha(0.8), "dt": 0.01, "t_end": 0.1, "output": run}
    fc.Simulation(ball(), **settings).run()
    with pytest.raises(fc.InputError, match="GeneralizedAlpha.* fixed steps of 0.01 s and cannot"):
        fc.Simulation(ball(), **(settings | {"t_end": 0.2} | other)).run(resume=True)
    longer = settings | {"t_end": 0.2, "newton_tolerance": 1e-9}
    assert fc.Simulation(ball(), **longer).run(resume=True).time[-1] == 0.2
