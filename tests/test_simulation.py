"""Simulations from Python: rows, end time, thinning, results in memory and on disk, early ends."""

import json
import os
import signal
import time
from types import SimpleNamespace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.runs.ends import End
from fem_clearance.timestepping.stepper import Stepper


def pendulum(**options):
    system = fc.System(gravity=(0, -9.81, 0))
    rod = system.add(fc.RigidBody(1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0), name="rod"))
    system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=(0, 0, 1), name="pivot"))
    system.add(fc.Probe(rod.at((1, 0, 0)), name="tip"))
    return fc.Simulation(system, **({"dt": 1e-2, "t_end": 0.5, "progress": False} | options))


@pytest.fixture(scope="module")
def plain():
    return pendulum().run()


def test_in_memory(plain):
    assert len(plain) == 51
    assert plain.time[0] == 0.0 and plain.time[-1] == 0.5
    np.testing.assert_allclose(np.diff(plain.time), 1e-2, rtol=1e-9)
    assert plain["tip.x"][0] == 1.0 and plain["tip.y"][-1] < -0.5
    assert plain.unit("tip.vx") == "m/s"
    assert plain.summary["steps"] == 50 and plain.summary["ranks"] == 1
    assert plain.summary["energy_change"] < 1e-2


def test_the_last_row_is_exactly_the_end():
    results = pendulum(dt=0.03).run()
    assert results.time[-1] == 0.5 and len(results) == 18
    results = pendulum(dt=None).run()
    assert results.time[-1] == 0.5 and results.time[0] == 0.0
    assert np.all(np.diff(results.time) > 0)


@pytest.mark.parametrize("every", [1, 7, 25, 1000])
def test_thinned_rows(plain, every):
    results = pendulum(every=every).run()
    kept = sorted({*range(0, 51, every), 50})
    np.testing.assert_array_equal(results.time, plain.time[kept])
    np.testing.assert_array_equal(results["tip.y"], plain["tip.y"][kept])


def test_a_finished_run_is_kept(tmp_path):
    """Unless it is to be overwritten; to resume it is no overwriting."""
    run = tmp_path / "run"
    pendulum(output=run).run()
    with pytest.raises(fc.InputError, match="holds a finished run.*overwrite=True"):
        pendulum(output=run, t_end=0.2).run()
    assert len(pendulum(output=run, t_end=0.6).run(resume=True)) == 61
    assert len(pendulum(output=run, t_end=0.2, overwrite=True).run()) == 21
    (run / "summary.json").write_text("{")  # who knows what it was
    with pytest.raises(fc.InputError, match="holds a finished run"):
        pendulum(output=run).run()


def test_a_line_a_minute(monkeypatch, caplog):
    """With a clock that goes 10 s a step: lines after 6, 12, ... of 50 steps of 1e-2 s; what is
    left after 6 are 44 steps at 10 s."""
    from fem_clearance.runs import heartbeat

    clock = iter(range(0, 10_000, 10))
    real = heartbeat.Heartbeat
    module = "fem_clearance.runs.simulation.Heartbeat"
    monkeypatch.setattr(module, lambda s: real(s, lambda: next(clock)))
    with caplog.at_level("INFO", logger="fem_clearance"):
        pendulum().run()
    lines = [r.getMessage() for r in caplog.records if hasattr(r, "batch")]
    assert len(lines) == 8
    assert lines[0] == (
        "t = 0.06 of 0.5 s after 6 steps, the last 6 of 0.01 s each, limited by the step given; "
        "about 7 min left"
    )
    assert [heartbeat.spoken(s) for s in (5, 100, 7300, 400_000)] == [
        "5 s", "2 min", "2 h 2 min", "5 days",
    ]  # fmt: skip


def test_on_disk(plain, tmp_path):
    run = tmp_path / "run"
    results = pendulum(output=run, fields_every=0.1).run()
    np.testing.assert_array_equal(results["tip.y"], plain["tip.y"])
    np.testing.assert_array_equal(fc.Results.open(run)["tip.y"], plain["tip.y"])
    assert {p.name for p in run.iterdir()} == {
        ".fem_clearance",
        "results.h5",
        "summary.json",
        "checkpoint",
        "scene.json",
        "fields",
        "log.txt",
    }
    assert len(list((run / "fields").glob("*.vtu"))) == 6
    summary = json.loads((run / "summary.json").read_text())
    for key in (
        "steps",
        "rejected_steps",
        "newton_iterations",
        "jacobians",
        "wall_s",
        "cpu_s",
        "ranks",
        "cells_per_rank",
        "versions",
    ):
        assert key in summary
    assert "stopped" not in summary and summary["rows"] == 51
    assert "done at t = 0.5 s" in (run / "log.txt").read_text()


def test_renamed_and_derived_channels():
    results = pendulum(
        rename={"pivot.reaction": "reaction", "tip": "B"},
        derived=[fc.Derived("B.r", "m", "radius", lambda c: np.hypot(c["B.x"], c["B.y"]))],
    ).run()
    assert "reaction.x" in results and "pivot.moment.x" in results and "tip.x" not in results
    np.testing.assert_allclose(results["B.r"], 1.0, atol=1e-6)


def fail_after(monkeypatch, steps, error):
    """Let the stepper raise (or call) something after so many steps."""
    advance = Stepper.advance

    def once(self, *_):
        if self.steps == steps:
            error()
        advance(self)

    monkeypatch.setattr(Stepper, "advance", once)


def test_a_failed_step_keeps_the_results(plain, tmp_path, monkeypatch):
    def fail():
        raise fc.StepFailed("no solution: the equations of rod.r are to blame.")

    fail_after(monkeypatch, 20, fail)
    simulation = pendulum(output=tmp_path / "run", every=8)
    with pytest.raises(fc.StepFailed, match=r"rod\.r"):
        simulation.run()
    assert simulation.results.summary["stopped"].startswith("no solution")
    np.testing.assert_array_equal(simulation.results.time, plain.time[[0, 8, 16, 20]])
    monkeypatch.undo()
    results = pendulum(output=tmp_path / "run", every=8).run(resume=True)
    np.testing.assert_array_equal(results.time, plain.time[[0, 8, 16, 24, 32, 40, 48, 50]])
    np.testing.assert_array_equal(results["tip.y"], plain["tip.y"][[0, 8, 16, 24, 32, 40, 48, 50]])


@pytest.mark.parametrize(
    ("number", "reason"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")]
)
def test_signals_end_a_run_after_the_step(tmp_path, monkeypatch, number, reason):
    fail_after(monkeypatch, 20, lambda: os.kill(os.getpid(), number))
    simulation = pendulum(output=tmp_path / "run")
    # whoever started the tests in the background may have had signals ignored
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulation.run()
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    assert simulation.results.summary["stopped"] == reason
    assert len(simulation.results) == 22
    assert (tmp_path / "run" / "checkpoint" / "state.npz").exists()


def test_limits_end_a_run_that_then_goes_on(plain, tmp_path):
    """Steps are those of one call: the same command again and again comes to the end."""
    run = tmp_path / "run"
    simulation = pendulum(output=run, max_steps=20)
    with pytest.raises(fc.LimitReached, match="max_steps is reached at t = 0.2 s"):
        simulation.run()
    assert len(simulation.results) == 21
    assert "max_steps" in simulation.results.summary["stopped"]
    with pytest.raises(fc.LimitReached, match="t = 0.4 s"):
        pendulum(output=run, max_steps=20).run(resume=True)
    with pytest.raises(fc.LimitReached, match="max_wall is reached at t = 0.41 s"):
        pendulum(output=run, max_wall=1e-9).run(resume=True)  # a step all the same
    results = pendulum(output=run, max_steps=9).run(resume=True)  # the last one is the end
    np.testing.assert_array_equal(results["tip.y"], plain["tip.y"])
    assert "stopped" not in results.summary


def test_max_wall_counts_what_comes_before_the_first_step():
    stepper = SimpleNamespace(t=0.1, t_end=1.0, steps=3)
    nobody = SimpleNamespace(reason="", told=lambda: "")
    begun = time.monotonic() - 85
    assert End(stepper, nobody, nobody, begun, 90, None).reached() is None
    said = str(End(stepper, nobody, nobody, begun, 80, None).reached())
    assert said == "max_wall is reached at t = 0.1 s (85 s of it before the first step)"


@pytest.mark.parametrize("limit", [{"max_wall": 0}, {"max_steps": 0.5}, {"max_wall": "soon"}])
def test_limits_that_cannot_be(limit):
    with pytest.raises(fc.InputError, match="max_"):
        pendulum(**limit)


def test_a_full_disk_is_reported_and_rows_stay(tmp_path, monkeypatch):
    from fem_clearance.io import rows

    monkeypatch.setattr(rows, "WAIT", 0.0)
    write = rows.RowFile._write

    def full(self, block):
        if self.written > 10:
            raise OSError(28, "No space left on device")
        write(self, block)

    monkeypatch.setattr(rows.RowFile, "_write", full)
    with pytest.raises(OSError, match="No space left"):
        pendulum(output=tmp_path / "run").run()
    assert len(fc.Results.open(tmp_path / "run")) == 11


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dt": 0.0}, "dt must be positive"),
        ({"dt": -1e-3}, "dt must be positive"),
        ({"dt": float("nan")}, "dt must be a finite number"),
        ({"t_end": 0}, "t_end must be positive"),
        ({"dt": 1.0}, "dt = 1 s is longer than the run"),
        ({"dt": None, "adaptive": False}, "fixed steps need a step"),
        ({"every": 0}, "every must be a whole number"),
        ({"fields_every": -0.1}, "fields_every must be positive"),
        ({"tolerance": 0}, "tolerance must lie between"),
        ({"integrator": "bathe"}, r"integrator must be a time integrator.*mean Bathe\(\)\?"),
        ({"integrator": fc.CentralDifference}, r"did you mean CentralDifference\(\)\?"),
        ({"checkpoint_every_s": -1}, "must not be negative"),
        ({"newton_tolerance": 0.5}, "newton_tolerance must lie between 1e-14 and 0.01"),
        ({"contact_tolerance": -1}, "contact_tolerance must lie between"),
        ({"solver": "mump"}, "solver must be one of auto.*did you mean 'mumps'"),
        ({"options": ["ksp_rtol"]}, "options must be PETSc options by name"),
        ({"integrator": fc.CentralDifference(), "adaptive": True}, "take fixed steps"),
    ],
)
def test_bad_settings(options, message):
    """They are refused when they are given, by a simulation and by a stepper."""
    with pytest.raises(fc.InputError, match=message):
        pendulum(**options)
    alone = {k: z for k, z in options.items() if "every" not in k}
    if alone:
        with pytest.raises(fc.InputError, match=message):
            Stepper(fc.System(), **({"dt": 1e-2, "t_end": 0.5} | alone))


def test_not_a_system():
    with pytest.raises(fc.InputError, match="needs a System"):
        fc.Simulation("system", dt=1e-3, t_end=1)


def test_resume_needs_a_run(tmp_path):
    with pytest.raises(fc.InputError, match="holds no run"):
        pendulum(output=tmp_path / "run").run(resume=True)
    with pytest.raises(fc.InputError, match="output folder"):
        pendulum().run(resume=True)
    pendulum(output=tmp_path / "run").run()
    with pytest.raises(fc.InputError, match="already reached"):
        pendulum(output=tmp_path / "run", t_end=0.2).run(resume=True)


def test_resume_of_another_model(tmp_path):
    pendulum(output=tmp_path / "run", t_end=0.1).run()
    simulation = cases.get("heavy_top").simulation({"t_end": 0.2}, output=tmp_path / "run")
    with pytest.raises(fc.InputError, match="another model than the one given: top is in it only"):
        simulation.run(resume=True)


def test_results_plot(plain):
    figure = plain.plot("tip.x", "tip.vx")
    assert [a.get_ylabel() for a in figure.axes] == [
        "x of the position\n[m]",
        "x of the velocity\n[m/s]",
    ]


def rattling(**options):
    """A ball between the walls of a socket, an impact every 2 ms or so."""
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(fc.RigidBody(0.1, (1e-5,) * 3, velocity=(0.5, 0, 0), name="ball"))
    system.add(
        fc.SphericalClearance(
            system.ground.point((0, 0, 0)), ball.center, socket_radius=0.01, ball_radius=0.0095,
            normal=fc.Hertz(), stiffness=1e9, name="joint",
        )
    )  # fmt: skip
    return fc.Simulation(system, **({"dt": 1e-5, "progress": False} | options))


def test_events_of_a_run_that_goes_on(tmp_path):
    """After a resume those of before are there; on disk, in memory and in a checkpoint the same."""
    whole = rattling(t_end=8e-3).run()
    assert len(whole.events) >= 6
    rattling(t_end=3e-3, output=tmp_path / "run").run()
    first = fc.Results.open(tmp_path / "run").events
    assert first == [e for e in whole.events if e.time < 3e-3] and len(first) == 2
    resumed = rattling(t_end=8e-3, output=tmp_path / "run").run(resume=True)
    assert resumed.events == whole.events == fc.Results.open(tmp_path / "run").events
    (tmp_path / "run" / "results.h5").rename(tmp_path / "gone.h5")
    killed = fc.Results(whole.channels, np.zeros((0, 1)), folder=tmp_path / "run")
    assert killed.events == whole.events
