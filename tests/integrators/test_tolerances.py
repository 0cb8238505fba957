"""A careful user tightens tolerances: lasting contacts on constrained bodies must bear it."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.cases import four_bar_wear

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
