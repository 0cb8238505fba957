"""The step controller alone: milestones, rejection, recovery, limits. No mechanics."""

import numpy as np
import pytest

from fem_clearance.timestepping.step_control import Controller, Milestones


def drive(controller, error, end):
    """Steps to ``end`` with an error given as a function of time and step; returns the times."""
    t, times = 0.0, [0.0]
    for _ in range(10_000):
        h = controller.next(end - t)
        if controller.accept(error(t, h), h):
            t = end if abs(t + h - end) < 1e-12 else t + h
            times.append(t)
        if t == end:
            return np.array(times)
    raise AssertionError("no end")


def test_settles_where_the_error_is_below_one():
    """Error (h/0.01)^3: steps settle between 0.9 and 1 times 0.01 / worthwhile."""
    steps = np.diff(drive(Controller(1e-5, 1e-9, 1.0), lambda t, h: (h / 0.01) ** 3, 1.0))
    assert np.all(steps <= 0.01 * (1 + 1e-12))
    assert np.median(steps) > 0.01 * 0.8 / 1.5


def test_hits_the_end_exactly_without_a_sliver():
    """The last two steps share what is left."""
    times = drive(Controller(0.3, 1e-9, 0.3), lambda t, h: 0.5, 1.0)
    assert times[-1] == 1.0
    assert np.diff(times) == pytest.approx([0.3, 0.3, 0.2, 0.2])


def test_rejects_and_recovers():
    """A disturbance at 0.5 s that needs steps of 1e-4: cut before, grown again after it."""
    narrow = lambda t, h: (h / (1e-4 if t + h >= 0.5 and t <= 0.51 else 0.02)) ** 3  # noqa: E731
    controller = Controller(0.01, 1e-9, 0.1)
    times = drive(controller, narrow, 1.0)
    steps, inside = np.diff(times), (times[1:] > 0.5) & (times[:-1] < 0.51)
    assert controller.rejected >= 2
    assert steps[inside].max() < 1.01e-4
    assert steps[-3] > 0.005


def test_a_step_after_a_rejection_does_not_grow():
    controller = Controller(1.0, 1e-9, 10.0)
    assert not controller.accept(8.0, 1.0)
    h = controller.next(100.0)
    assert h == pytest.approx(0.4)
    assert controller.accept(1e-9, h)
    assert controller.next(100.0) == h
    assert controller.accept(1e-9, h)
    assert controller.next(100.0) == 2 * h


def test_smallest_step_is_accepted_or_reported():
    controller = Controller(1e-3, 1e-3, 1.0)
    assert controller.accept(1e9, 1e-3)
    assert not controller.cut(1e-3)
    assert Controller(1e-2, 1e-3, 1.0).cut(1e-2)


def test_a_step_cut_short_does_not_spoil_the_step_size():
    """A milestone shortens one step; the next is as long as before."""
    controller = Controller(0.1, 1e-9, 1.0)
    assert controller.accept(0.4, controller.next(0.02))
    assert controller.next(10.0) == 0.1


# --- milestones -----------------------------------------------------------------------------------
def test_milestones_are_hit_exactly_and_leave_the_step_size():
    """Output times that no multiple of the step meets, ten steps or a hundredth of one apart."""
    marks = [0.137, 0.138, 0.5, 0.5 + 1e-4, 1.0]
    controller, t, hit, steps = Controller(0.01, 1e-9, 0.01), 0.0, [], []
    for mark in marks:
        while t < mark:
            h = controller.next(mark - t)
            assert controller.accept(0.5, h)
            t = mark if h == mark - t else t + h
            steps.append(h)
        hit.append(t)
    assert hit == marks
    assert max(steps) <= 0.01 * (1 + 1e-9)
    assert controller.h == 0.01
    assert controller.next(1.0) == 0.01


def test_no_sliver_before_a_milestone():
    """What is left is never a small part of a step, whatever the distance."""
    controller = Controller(1.0, 1e-9, 1.0)
    for left in np.linspace(1.001, 1.999, 50):
        first = controller.next(left)
        assert first + controller.next(left - first) == pytest.approx(left, abs=1e-12)
        assert first >= 0.5


@pytest.mark.parametrize("off", [1e-12, -1e-12])
def test_round_off_before_a_milestone_changes_no_step(off):
    """Factors are kept for the same number; the stepper takes the milestone's time as reached."""
    assert Controller(0.1, 1e-9, 0.1).next(0.1 + off) == 0.1


def test_tables_stop_steps():
    """Adaptive steps end at each stop; fixed ones pass over one, and meet their grid."""
    stops = [0.33, 0.34, 0.71]
    adaptive, t, ends = Milestones(0.0, 1e-4, True, stops), 0.0, []
    while t < 1.0:
        t, change = adaptive.next(t, np.inf, 1.0)
        assert not change
        adaptive.reached(t)
        ends.append(t)
    assert ends == [*stops, 1.0]
    fixed, t, ends = Milestones(0.0, 0.25, False, stops), 0.0, []
    while t < 1.0:
        t, _ = fixed.next(t, np.inf, 1.0)
        fixed.reached(t)
        ends.append(t)
    assert ends == pytest.approx([0.25, 0.34, 0.5, 0.75, 1.0])


# --- rejection, recovery, limits ------------------------------------------------------------------
@pytest.mark.parametrize("error", [np.inf, np.nan, 1e300])
def test_errors_that_are_no_measure_reject(error):
    controller = Controller(1.0, 1e-6, 1.0)
    assert not controller.accept(error, 1.0)
    assert 0.1 <= controller.h < 1.0


def test_a_step_changes_by_bounded_factors():
    controller = Controller(1.0, 1e-12, 1e12)
    assert controller.accept(0.0, 1.0)
    assert controller.h == 2.0
    assert not controller.accept(1e30, 2.0)
    assert controller.h == pytest.approx(0.2)
    assert Controller(1.0, 1e-12, 1.5).accept(0.0, 1.0)


def test_limits_hold():
    controller = Controller(1.0, 0.5, 1.2)
    assert controller.accept(1e-9, 1.0)
    assert controller.h == 1.2
    assert not controller.accept(1e9, 1.2)
    assert controller.h == 0.5
    assert controller.accept(1e9, 0.5)  # nothing smaller resolves it


def test_steps_without_solution_are_cut_and_recover():
    """Each failure quarters the step; the first success keeps it, the next grows."""
    controller = Controller(1.0, 1e-3, 1.0)
    assert controller.cut(1.0) and controller.cut(controller.h)
    assert controller.h == 1 / 16
    assert controller.rejected == 2
    assert controller.accept(1e-6, 1 / 16) and controller.h == 1 / 16
    assert controller.accept(1e-6, 1 / 16) and controller.h == 1 / 8
    controller.h = 1e-3
    assert not controller.cut(1e-3)


# --- with an error estimate -----------------------------------------------------------------------
def decay(tolerance, rate=lambda t: 1 + 99 * np.exp(-(((t - 1) / 0.05) ** 2))):
    """y' = -rate(t) y by the trapezoidal rule, whose error h^3/12 y''' is estimated by the change
    of y'' over a step, as in ``StepEngine.error``; largest error against the closed form, the
    largest ratio of true to estimated local error where it matters, and the controller."""
    from scipy.integrate import quad

    def exact(a, b):
        return np.exp(-quad(rate, a, b, epsabs=1e-14, epsrel=1e-13, points=[1.0])[0])

    controller, t, y, worst, truth = Controller(1e-3, 1e-12, 0.5), 0.0, 1.0, 0.0, 1.0
    ratios = []
    second = lambda t, y: (rate(t) ** 2 - (rate(t + 1e-6) - rate(t - 1e-6)) / 2e-6) * y  # noqa: E731
    while t < 2.0:
        h = controller.next(2.0 - t)
        new = y * (1 - h / 2 * rate(t)) / (1 + h / 2 * rate(t + h))
        estimate = h * h / 12 * abs(second(t + h, new) - second(t, y))
        if controller.accept(estimate / tolerance, h):
            part = exact(t, t + h)
            if estimate > 0.1 * tolerance:
                ratios.append(abs(new - y * part) / estimate)
            truth *= part
            y, t = new, 2.0 if abs(t + h - 2.0) < 1e-12 else t + h
            worst = max(worst, abs(y - truth))
    return worst, np.median(ratios), controller


def test_estimated_errors_are_the_true_ones_and_follow_the_tolerance():
    """A decay that turns a hundred times faster for 0.1 s: errors stay near the tolerance times the
    steps and fall with it, steps are rejected where it begins."""
    (coarse, ratio, controller), (fine, closer, _) = decay(1e-5), decay(1e-8)
    assert controller.rejected > 0
    assert ratio == pytest.approx(1, abs=0.1)
    assert closer == pytest.approx(1, abs=0.03)
    assert coarse < 1e-3
    assert 30 < coarse / fine < 3000  # between tolerance^(1/2) and tolerance^(1)
