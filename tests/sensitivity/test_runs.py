"""The run that is derived, and what is asked of it."""

import mmap
import re

import numpy as np
import pytest
from scipy.optimize import least_squares, minimize

import fem_clearance as fc
from fem_clearance.lubrication import ShortBearing, SteadyBearing
from fem_clearance.runs import progress
from fem_clearance.sensitivity.recording import RecordingStepper
from tests.sensitivity import models


@pytest.mark.parametrize("dt", [None, 1e-3])
def test_the_run_is_that_of_simulation(dt):
    """Bit for bit, though its steps are taken one at a time."""
    of, settings = ["tip.x", "tip.vy", "joint.normal_force"], {"t_end": 0.02, "dt": dt}
    s = fc.Sensitivity(models.pendulum, at=models.PENDULUM, of=of, **settings)
    recorded = s.run()
    results = fc.Simulation(models.pendulum(models.PENDULUM), progress=False, **settings).run()
    assert np.array_equal(recorded.history.t, results.time)
    for name in of:
        assert np.array_equal(recorded.history[name], results[name])


def test_a_kink_is_named():
    """The arm falls through the clearance until sqrt(2 c / g), 14.28 ms; a clearance larger by a
    tenth or by 3 % is not reached at 14.4 ms, one larger by 1 % is (14.35 ms)."""
    s = fc.Sensitivity(
        models.pendulum, at=models.PENDULUM, by="clearance", of="tip.vy", t_end=0.0144
    )
    test = s.check()
    assert [note.split()[1] for note in test.notes] == ["0.1", "0.03"]
    assert "0 onsets and ends of contacts, not 1" in test.notes[0]
    assert "kink" in repr(test)


def test_growth_is_said():
    """After three bounces between two walls without damping, the ball flies off by as much as its
    speed is off: d(x)/d(speed) = t v, more than a tenth of the system's size for 1 % after a while.
    """
    s = fc.Sensitivity(models.bounce, at={"height": 0.15, "speed": 1.0}, of="ball.y", t_end=2.0)
    d = s.forward(histories=False)
    assert "one percent of a parameter moves the system by more than a tenth" in d.notes[0]


def test_parameters_without_influence_are_named():
    """One that the model does not read; the other moves the ball."""
    s = fc.Sensitivity(models.bounce, at={"height": 0.15, "hieght": 0.1}, of="ball.y", t_end=0.1)
    for d in (s.forward(histories=False), s.adjoint()):
        (note,) = d.notes
        assert note.startswith("hieght: without influence on the outputs")
    assert (
        not fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=0.3)
        .adjoint()
        .notes
    )


def test_instants_are_refused_before_the_run(monkeypatch):
    """Where a step of a run that has not begun will not end."""
    monkeypatch.setattr(RecordingStepper, "run", None)
    settings = {"at": {"height": 0.15}, "t_end": 0.1}
    for t, dt, nearest in ((0.2, None, "0.1"), (0.0149, 2e-3, "0.014"), (-1.0, 2e-3, "0")):
        s = fc.Sensitivity(models.bounce, of=fc.At("ball.y", t), dt=dt, **settings)
        with pytest.raises(fc.InputError, match=f"no step ends .* the nearest one at {nearest} s;"):
            s.run()


def test_optimisers():
    """A height that brings the ball to a given place after its bounce: y = 0.1 - h + (t - tau) up
    to a constant, so that both ways to look for it find the same, and count few runs."""
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=0.3)
    wanted = s.run([0.16]).outputs
    misfit = s.residuals(wanted, deviation=1e-4)
    found = least_squares(misfit, [0.15], jac=misfit.jacobian)
    assert found.x == pytest.approx([0.16], abs=1e-6)
    plain = s.residuals(wanted)
    assert misfit([0.152]) == pytest.approx(1e4 * plain([0.152]), rel=1e-14)
    assert misfit.jacobian([0.152]) == pytest.approx(1e4 * s.jacobian([0.152]), rel=1e-14)
    for wrong, message in ((0.0, "must be a positive number"), ([1.0, 2.0], "2 deviations for 1")):
        with pytest.raises(fc.InputError, match=message):
            s.residuals(wanted, deviation=wrong)
    square = fc.Function(
        lambda z: (z["ball.y"][-1] - wanted[0]) ** 2,
        lambda z: {"ball.y": np.append(np.zeros(len(z.t) - 1), 2 * (z["ball.y"][-1] - wanted[0]))},
    )
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of=square, t_end=0.3)
    value, gradient = s.objective([0.15])
    assert gradient == pytest.approx([-2 * np.sqrt(value)], rel=1e-3)
    best = minimize(s.objective, [0.15], jac=True, tol=1e-8)
    assert best.x == pytest.approx([0.16], abs=1e-5)
    several = fc.Sensitivity(models.bounce, at={"height": 0.15}, of=["ball.y"] * 2, t_end=0.3)
    with pytest.raises(fc.InputError, match="objective needs one output"):
        several.objective([0.15])
    with pytest.raises(fc.InputError, match="3 data for 2 outputs"):
        several.residuals([1, 2, 3])
    with pytest.raises(fc.InputError, match="not finite numbers at 1"):
        several.residuals([1, np.nan])
    apart = fc.Sensitivity(
        models.bounce, at={"height": 0.15}, of=[fc.At("ball.y", [0.1, 0.2]), "ball.y"], t_end=0.3
    )
    assert apart.residuals([1, 2, 3], deviation=[4, 5]).deviation.tolist() == [4, 4, 5]
    with pytest.raises(fc.InputError, match="4 deviations for 3 data"):
        apart.residuals([1, 2, 3], deviation=[4, 5, 6, 7])


def test_points_by_name():
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=0.1)
    assert s.run({"height": 0.16}) is s.run([0.16])
    with pytest.raises(fc.InputError, match="'heigth' is none .*did you mean"):
        s.run({"heigth": 0.16})


def test_models_that_are_none():
    held = SteadyBearing(ShortBearing(1e-2, 1e-2, 2e-4, 0.04), load=(0, -1), speed=10.0)
    with pytest.raises(fc.InputError, match="use SteadySensitivity .* got a SteadyBearing"):
        fc.Sensitivity(held, at={"c": 1.0}, of="ex", t_end=1.0)
    with pytest.raises(fc.InputError, match="a function .* got 'journal_bearing'"):
        fc.SteadySensitivity("journal_bearing", at={"c": 1.0}, of="ex")


def test_long_derivatives_are_announced(monkeypatch, caplog):
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "LONG", 0.0)
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=0.3)
    s.adjoint()
    said = [m for m in caplog.messages if "derivatives of" in m]
    found = re.fullmatch(r"derivatives of (\d+) steps, (\d+) of them in Python: about .* s.", *said)
    assert found and 0 < int(found[2]) < int(found[1]) == len(s.run().stepper.record)


def test_pictures(tmp_path):
    s = fc.Sensitivity(models.bounce, at={"height": 0.15}, of="ball.y", t_end=0.1)
    d = s.forward()
    assert [len(a.patches) for a in d.plot().axes] == [1]
    axes = d.plot_history("ball.y").axes[0]
    assert axes.get_ylabel() == "ball.y, m"
    # the ball falls by 0.1 m; 1 % of its height, 1.5 mm, is seen ten times as wide
    assert axes.get_legend().get_title().get_text() == "changed by 1 %, drawn 10 times as wide"
    assert [z.get_text() for z in axes.get_legend().get_texts()] == ["height: 0.0015 at most"]
    wide = np.ptp([line.get_ydata()[-1] for line in axes.lines])
    assert wide == pytest.approx(2 * 10 * 0.0015)
    with pytest.raises(fc.InputError, match=r"none.*csv cannot be written"):
        d.to_csv(tmp_path / "none" / "sensitivity.csv")
    with pytest.raises(fc.InputError, match=r"none.*csv cannot be written"):
        d.histories_to_csv(tmp_path / "none" / "histories.csv")
    many = fc.Sensitivity(
        models.bounce, at={"height": 0.15}, of=fc.At("ball.y", 0.01 * np.arange(1, 14)), t_end=0.13
    )
    with pytest.raises(fc.InputError, match="13 outputs do not fit .* plot_history"):
        many.adjoint().plot()
    with pytest.raises(fc.InputError, match=r"no history of 'ball.x'"):
        d.plot_history("ball.x")


@pytest.mark.parametrize("dt", [None, 1e-4])
def test_states_in_a_file(dt, tmp_path):
    """Every state of the run is in the file, and derivatives are the same, bit for bit."""
    settings = {"at": models.PENDULUM, "of": "tip.y", "t_end": 0.02, "dt": dt}
    s = fc.Sensitivity(models.pendulum, folder=tmp_path, **settings)
    record = s.run().stepper.record
    kept = [step.end for step in record] + [step.after for _, step in record.own()]
    for array in kept:
        while isinstance(array.base, np.ndarray):
            array = array.base
        assert isinstance(array.base, mmap.mmap)
    assert np.array_equal(
        s.adjoint().jacobian, fc.Sensitivity(models.pendulum, **settings).adjoint().jacobian
    )
    with pytest.raises(fc.InputError, match="there is no folder .* create it"):
        fc.Sensitivity(models.pendulum, folder=tmp_path / "none", **settings).run()
