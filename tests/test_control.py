"""The step controller alone: milestones, rejection, recovery, limits. No mechanics."""

import numpy as np
import pytest

from fem_clearance.control import Controller


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
