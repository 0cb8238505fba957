"""A system that a script advances by itself."""

import pytest

import fem_clearance as fc
from fem_clearance.extend import SolverSettings, StepSettings


def test_a_stepper_with_its_settings():
    """A free fall under a force that grows with time: m x'' = F t, x = F t^3 / (6 m) to second
    order in the step; a number that is set counts from the next step on."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(2.0, (1, 1, 1), free=True, name="body"))
    system.add(fc.Force(body, (6.0, 0, 0), fc.functions.Linear(rate=1.0), name="push"))
    steps, solver = StepSettings(t_end=1.0, dt=2e-3), SolverSettings(newton_tolerance=1e-10)
    stepper = fc.Stepper.of(system, fc.GeneralizedAlpha(), steps, solver)
    stepper.start()
    while stepper.t < 0.5 - 1e-9:
        stepper.advance()
    assert stepper.steps == 250
    assert stepper.channels["body.x"] == pytest.approx(6.0 / 12 * 0.5**3, rel=2e-5)
    stepper.assign("push", vector=(0.0, 0, 0))
    speed = stepper.channels["body.vx"]
    assert speed == pytest.approx(6.0 / 4 * 0.5**2, rel=2e-5)
    while stepper.t < stepper.t_end:
        stepper.advance()
    assert stepper.t == 1.0
    assert stepper.channels["body.vx"] == pytest.approx(speed, abs=6.0 / 2 * 0.5 * 2e-3)
    assert stepper.last().time == 1.0


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: StepSettings(t_end=-1.0), "t_end must be positive"),
        (lambda: StepSettings(t_end=1.0, dt=0.0), "dt must be positive"),
        (lambda: StepSettings(t_end=1.0, tolerance=2.0), "tolerance must lie between"),
        (lambda: StepSettings(1.0, dt=2.0).for_run(fc.GeneralizedAlpha(), 0.0), "longer than"),
        (lambda: SolverSettings(solver="lapack"), "solver"),
        (lambda: SolverSettings(options="-ksp_view"), "PETSc options by name"),
    ],
)
def test_settings_that_cannot_be(made, words):
    with pytest.raises(fc.InputError, match=words):
        made()
