"""A careful user tightens tolerances: lasting contacts on constrained bodies must bear it."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.cases import four_bar_wear
from fem_clearance.timestepping.limits import CREEPING, Limits

LAWS = ("corr", "n1", "lit15")


def turned(law, contact_tolerance, tolerance, t_end):
    """The stepper of the four-bar mechanism of paper 004 at its end, its largest force after one
    turn (0.1 s), its shortest step after the start."""
    case = cases.get("four_bar_wear")
    model = four_bar_wear.mechanism(case.resolve({"law": law}), None)
    stepper = fc.Stepper(
        model.system, t_end=t_end, adaptive=True, dt=1e-5, tolerance=tolerance,
        contact_tolerance=contact_tolerance,
    )  # fmt: skip
    stepper.start()
    peak, shortest = 0.0, np.inf
    while stepper.t < t_end:
        before = stepper.t
        stepper.advance()
        if stepper.t > 0.1:
            peak = max(peak, stepper.channels["joint.normal_force"])
        if before > 6e-3 and stepper.whole:
            shortest = min(shortest, stepper.t - before)
    return stepper, peak, shortest


@pytest.mark.parametrize("law, contact_tolerance, tolerance", [("lit15", 1e-5, 1e-8),
                                                              ("corr", 1e-5, 1e-9)])  # fmt: skip
def test_steps_do_not_collapse(law, contact_tolerance, tolerance):
    """Half a turn in steps that stay far above round-off."""
    stepper, _, shortest = turned(law, contact_tolerance, tolerance, 0.05)
    assert stepper.steps < 8000
    assert shortest > 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_steps_grow_as_the_root_of_the_tolerances(law, capsys):
    """Three turns: the number of steps grows at most like contact_tolerance^-1/2 and
    tolerance^-1/3, by which the errors of a step go with its length (twice that is allowed, for
    starts and onsets), and the largest force converges."""
    steps, peaks = {}, {}
    for contact_tolerance in (1e-4, 1e-5, 1e-6):
        for tolerance in (1e-6, 1e-7, 1e-8, 1e-9):
            at = contact_tolerance, tolerance
            stepper, peaks[at], shortest = turned(law, *at, 0.3)
            steps[at] = stepper.steps
            with capsys.disabled():
                print(
                    f"{law} {contact_tolerance:.0e} {tolerance:.0e}: {stepper.steps} steps, "
                    f"{stepper.rejected_steps} rejected, shortest {shortest:.1e} s, "
                    f"peak {peaks[at]:.1f} N"
                )
    for (contact_tolerance, tolerance), count in steps.items():
        for finer, power in (
            ((contact_tolerance / 10, tolerance), 1 / 2),
            ((contact_tolerance, tolerance / 10), 1 / 3),
        ):
            if key := next((k for k in steps if k == pytest.approx(finer)), None):
                assert steps[key] < 2 * 10**power * count
    best = peaks[1e-6, 1e-9]
    assert peaks[1e-6, 1e-8] == pytest.approx(best, rel=1e-3)
    assert peaks[1e-5, 1e-9] == pytest.approx(best, rel=3e-3)


def test_a_run_that_creeps_ends():
    """200 accepted steps in a row at the default smallest one end a run with a sentence that names
    what limits them; steps shortened to hit a time do not count, a step of one's own may stay."""
    system = fc.System(gravity=(0, -9.81, 0))
    system.add(fc.RigidBody(1.0, (1, 1, 1), name="ball", free=True))
    state, smallest = system.state, 1e-9
    watched, own = Limits(smallest, chosen=False), Limits(smallest, chosen=True)
    number = int(state.problem.blocks[1].numbers[0])
    for k in range(CREEPING - 1):
        watched.accept(state, k * smallest, smallest, number, whole=True)
    watched.accept(state, 0.0, smallest / 2, number, whole=False)
    for limits in (watched, own):
        for k in range(CREEPING - 1):
            limits.accept(state, k * smallest, smallest, number, whole=True)
    own.accept(state, 1.0, smallest, number, whole=True)
    with pytest.raises(fc.StepFailed, match=r"200 steps in a row .* limited by tolerance of ball"):
        watched.accept(state, 1.0, smallest, number, whole=True)


def test_tolerances_below_round_off_are_refused():
    for name, value in (("tolerance", 1e-300), ("contact_tolerance", 1e-15), ("tolerance", 10.0)):
        with pytest.raises(fc.InputError, match=f"{name} must lie between"):
            fc.Simulation(fc.System(), t_end=1.0, **{name: value})


def test_a_summary_says_what_limited_the_steps():
    """A ball that drops onto its socket: percent by contact, coordinate, onset; of a fixed step its
    cuts. They add up to all steps."""
    for options in ({}, {"dt": 1e-3}):
        system = fc.System(gravity=(0, -9.81, 0))
        ball = system.add(fc.RigidBody(1.0, (1e-3,) * 3, name="ball", free=True))
        system.add(
            fc.SphericalClearance(
                system.ground.at((0, 0, 0)), ball.center, socket_radius=0.02, ball_radius=0.019,
                stiffness=1e9, normal=fc.Hertz(), name="joint",
            )
        )  # fmt: skip
        shares = fc.Simulation(system, t_end=0.1, **options).run().summary["steps_limited_by"]
        assert sum(shares.values()) == pytest.approx(100, abs=0.5)
        if options:
            assert shares["contacts that bear no longer step"] > 10
        else:
            assert shares["contact_tolerance of joint"] > 50
            assert shares["onsets of contact"] > 0.1
            assert "tolerance of ball.r" in shares
