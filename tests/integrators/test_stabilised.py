"""Stabilised index 2: constraints on positions and velocities, forces in balance, order, drift."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import NoSolution, SingularSystem

Z = (0, 0, 1)
STABILISED = [fc.GeneralizedAlpha(0.8, "stabilised"), fc.Bathe()]


def top(**options):
    system = fc.System(gravity=(0, 0, -9.81), **options)
    spin = np.array([0, 150, -4.61538])
    body = system.add(
        fc.RigidBody(15, (0.234375, 0.46875, 0.234375), position=(0, 1, 0), name="top",
                     velocity=np.cross(spin, (0, 1, 0)), angular_velocity=spin)
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, body.at((0, 0, 0)), name="pivot"))
    return system


def crank_and_rocker(**options):
    """A four-bar loop of spatial revolutes (redundant constraints), a driven crank and a damper:
    forces that depend on velocities."""
    system = fc.System(gravity=(0, -9.81, 0), **options)
    places = [(0, 0, 0), (0.1, 0.2, 0), (0.5, 0.4, 0), (0.6, 0, 0)]
    frames = []
    for k, (a, b) in enumerate(zip(places[:-1], places[1:], strict=True)):
        a, b = np.array(a, float), np.array(b, float)
        along = (b - a) / np.linalg.norm(b - a)
        axes = np.column_stack([along, np.cross(Z, along), Z])
        body = system.add(
            fc.RigidBody(1.0, (1e-3, 2e-2, 2e-2), position=(a + b) / 2, orientation=axes,
                         name=f"link{k}")
        )  # fmt: skip
        frames.append((body.at(a), body.at(b)))
    pin = system.add(fc.RevoluteJoint(system.ground, frames[0][0], axis=Z, name="A"))
    for k in (0, 1):
        system.add(fc.RevoluteJoint(frames[k][1], frames[k + 1][0], axis=Z, name="BC"[k]))
    system.add(fc.RevoluteJoint(frames[2][1], system.ground, axis=Z, name="D"))
    system.add(
        fc.RotationDriver(
            pin.i, pin.j, axis=Z, angle=fc.functions.SmoothRamp(30.0, 0.05), name="drive"
        )
    )
    system.add(
        fc.SpringDamper(system.ground.at((0.3, 0.6, 0)), frames[1][0], stiffness=1e3, damping=50.0)
    )
    return system


def run(system, integrator, watch=None, **options):
    stepper = fc.Stepper(system, integrator, **options)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
        if watch:
            watch(stepper)
    return stepper


def open_by(state):
    """Largest violation of the constraints on positions."""
    rows = state.add_over_ranks(state.residual()) * state.problem.constrained[: state.owned]
    return float(np.abs(rows).max(initial=0.0))


@pytest.mark.parametrize("integrator", STABILISED, ids=["alpha", "bathe"])
@pytest.mark.parametrize(
    ("make", "h", "t_end"), [(top, 1e-3, 0.05), (crank_and_rocker, 1e-3, 0.2)], ids=["top", "loop"]
)
def test_both_constraints_and_forces_hold(make, h, t_end, integrator):
    """At every step: positions and velocities on the constraints to round-off (the latter as a
    part of the speeds, and with drivers dPhi/dt), and the equations of motion in balance with these
    very accelerations and multipliers, and with the rates of the positions."""
    open_, off, unbalanced = [], [], []

    def watch(stepper):
        velocities, state = stepper.scheme.velocities, stepper.state
        open_.append(open_by(state))
        off.append(np.abs(velocities.violation()).max() / np.abs(state.v).max())
        v = state.v[: state.local].copy()
        state.v[: state.local] += velocities.shown  # the rates of the positions
        unbalanced.append(stepper.newton.scaled_residual())
        state.v[: state.local] = v

    stepper = run(make(), integrator, watch, dt=h, t_end=t_end, newton_tolerance=1e-10)
    assert stepper.rejected_steps == 0
    assert max(off) < 1e-14
    assert max(open_) < 1e-9
    assert max(unbalanced) <= 1.01


def test_positions_alone_leave_velocities_off():
    """What the stabilised form is for: the top's are off by 1e-3 of its speeds."""
    stepper = run(top(), fc.GeneralizedAlpha(0.8), dt=1e-3, t_end=0.05)
    off = np.abs(stepper.scheme.velocities.violation()).max() / np.abs(stepper.state.v).max()
    assert off > 1e-5


def test_no_drift():
    """The same after 1000 steps."""
    stepper = run(top(), STABILISED[0], dt=1e-3, t_end=1.0)
    off = np.abs(stepper.scheme.velocities.violation()).max()
    assert off < 1e-14 * np.abs(stepper.state.v).max()
    assert open_by(stepper.state) < 1e-9


def test_second_order(mass_on_a_rod):
    """Position, velocity and force of a mass on a rod (no body turns)."""
    run_, exact = mass_on_a_rod
    for rho_inf in (0.8, 0.5):
        integrator = fc.GeneralizedAlpha(rho_inf, "stabilised")
        errors = np.array(
            [
                [np.linalg.norm(a - b) for a, b in zip(run_(integrator, h, 0.8), exact(0.8),
                                                         strict=True)]
                for h in (4e-3, 2e-3, 1e-3)
            ]
        )  # fmt: skip
        order = np.log2(errors[:-1] / errors[1:])
        assert order == pytest.approx(2, abs=0.15), order


@pytest.mark.parametrize("time", [0.0123, 0.04, 0.07])
def test_explicit_time_derivative(time):
    """dPhi/dt of the driver from its form against central differences; zero in other rows."""
    system = crank_and_rocker()
    state = system.state
    rows = []
    for step in (1e-5, -1e-5):
        state.globals[0] = time + step
        rows.append(state.residual().copy())
    numeric = (rows[0] - rows[1]) / 2e-5
    state.globals[0] = time
    assert state.drift() == pytest.approx(numeric, rel=1e-6, abs=1e-9)
    assert np.count_nonzero(state.drift()) == 1


def test_the_driven_loop_is_the_same_motion():
    """Both forms of the constraints converge to one motion; driving torque included."""
    ends = [
        run(crank_and_rocker(), integrator, dt=h, t_end=0.2, newton_tolerance=1e-11).channels
        for integrator, h in (
            (fc.GeneralizedAlpha(0.8), 2.5e-4),
            (STABILISED[0], 5e-4),
            (STABILISED[1], 5e-4),
        )
    ]
    for name, close in (("link1.x", 1e-6), ("link1.vy", 2e-5), ("drive.torque", 2e-3)):
        values = [c[name] for c in ends]
        assert values[1:] == pytest.approx([values[0]] * 2, rel=close), name


def test_heavy_top_at_ten_times_the_step(heavy_top):
    """Errors of position and pivot force at 1 s no larger than with constraints on positions alone
    and a tenth of the step, both with rho_inf = 0.8."""
    fine = heavy_top(fc.GeneralizedAlpha(0.8), 2.5e-4, 1.0)
    coarse = heavy_top(fc.GeneralizedAlpha(0.8, "stabilised"), 2.5e-3, 1.0)
    assert np.all(coarse < fine), (coarse, fine)


def test_second_order_for_the_heavy_top(heavy_top):
    """At least: turning directors leave little of the second order's error."""
    errors = np.array([heavy_top(STABILISED[0], h, 0.1) for h in (1e-3, 5e-4, 2.5e-4)])
    assert np.all(np.log2(errors[:-1] / errors[1:]) > 1.9), errors


def test_a_step_without_solution_says_why(monkeypatch):
    """What failed, not a residual that has converged."""
    stepper = fc.Stepper(crank_and_rocker(), STABILISED[1], dt=1e-3, t_end=0.2)
    stepper.start()
    stepper.advance()
    before = stepper.state.array.copy()
    scheme = stepper.scheme
    monkeypatch.setattr(type(stepper.newton), "by_hand", True)  # as where solvers read options

    def singular(attempt, tried):
        raise SingularSystem("the linear solver failed")

    with monkeypatch.context() as m:
        m.setattr(scheme.velocities, "settle", singular)
        assert scheme.step(1e-3).reason == "constraints on velocities: the linear solver failed"
    with monkeypatch.context() as m:
        settle = scheme.velocities.settle

        def unbalanced(attempt, tried):
            settle(attempt, tried)
            scheme.velocities.w.excess = 2.0

        m.setattr(scheme.velocities, "settle", unbalanced)
        m.setattr(type(scheme.stabiliser), "solves", 2)
        assert "forces that follow them disagree after 2 solves" in scheme.step(1e-3).reason
    with monkeypatch.context() as m:
        m.setattr(stepper.newton, "solve", lambda *args, **kw: False)
        with pytest.raises(fc.StepFailed, match="smallest step.*: Newton's method stopped early"):
            stepper.advance()
    assert np.array_equal(stepper.state.array, before)
    assert scheme.step(1e-3) is None
    with pytest.raises(ValueError, match="must say why"):
        NoSolution("")
