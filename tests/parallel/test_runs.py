"""Runs on one and on several ranks: same numbers, resume across, errors without hanging."""

import csv
import json
import os
import signal
import time
from threading import Timer

from mpi4py import MPI

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.core import linear_solvers
from fem_clearance.core.entries import Entries
from fem_clearance.io.ranks import on_root
from fem_clearance.joints import sampled_loads
from fem_clearance.program.cli import main
from fem_clearance.runs.recorder import Recorder
from fem_clearance.timestepping.stepper import Stepper

pytestmark = pytest.mark.mpi

#: a small clearance: impacts at 6.4 and 17.4 ms
PENDULUM = {"arm.model": "rigid", "joint.ball_radius": 0.0199, "dt": 2e-5, "t_end": 0.02}


def alone(comm, path, name, changes):
    """The same run on a single rank; its results on all."""

    def run():
        cases.get(name).simulation(changes, output=path, progress=False, comm=MPI.COMM_SELF).run()

    on_root(comm, run)
    return fc.Results.open(path)


@pytest.mark.parametrize(
    ("name", "changes", "tolerance"),
    [
        ("double_pendulum", PENDULUM | {"t_end": 6e-3}, 1e-9),
        (
            "double_pendulum",
            {"arm.model": "cable", "arm.elements": 3, "dt": 2e-5, "t_end": 1e-3},
            1e-9,
        ),
        ("heavy_top", {"dt": 1e-3, "t_end": 0.05}, 1e-9),
        ("double_four_bar", {"dt": 1e-2, "t_end": 0.2}, 1e-9),
        ("flexible_pendulum", {"beam.elements": 4, "t_end": 0.02}, 1e-9),
    ],
)
def test_same_numbers_on_any_number_of_ranks(comm, shared_tmp_path, name, changes, tolerance):
    one = alone(comm, shared_tmp_path / "one", name, changes)
    all_ranks = (
        cases.get(name).simulation(changes, output=shared_tmp_path / "all", progress=False).run()
    )
    np.testing.assert_allclose(all_ranks.time, one.time, rtol=1e-15)
    positions = [n for n in one.names if one.unit(n) == "m"]
    assert positions
    for channel in positions:
        scale = max(np.abs(one[channel]).max(), 1e-3)
        np.testing.assert_allclose(all_ranks[channel], one[channel], atol=tolerance * scale, rtol=0)
    summary = all_ranks.summary
    assert summary["ranks"] == comm.size == len(summary["cells_per_rank"])
    assert sum(summary["cells_per_rank"]) == sum(one.summary["cells_per_rank"])


def test_two_impacts_on_any_number_of_ranks(comm, shared_tmp_path):
    one = alone(comm, shared_tmp_path / "one", "double_pendulum", PENDULUM)
    simulation = cases.get("double_pendulum").simulation(
        PENDULUM, output=shared_tmp_path / "all", progress=False
    )
    several = simulation.run()
    assert np.count_nonzero(np.diff((one["joint.normal_force"] > 0).astype(int)) == 1) == 2
    for channel in ("tip.x", "tip.y", "joint.ex", "joint.ey"):
        np.testing.assert_allclose(several[channel], one[channel], atol=1e-9, rtol=1e-6)
    assert several.summary["first_impact_time"] == pytest.approx(
        one.summary["first_impact_time"], rel=1e-9
    )


@pytest.mark.parametrize("until", [0.005, 0.0064])  # before and in the first impact
def test_resume_on_another_number_of_ranks(comm, shared_tmp_path, until):
    whole = PENDULUM | {"t_end": 0.01}
    reference = alone(comm, shared_tmp_path / "whole", "double_pendulum", whole)
    alone(comm, shared_tmp_path / "part", "double_pendulum", whole | {"t_end": until})
    simulation = cases.get("double_pendulum").simulation(
        whole, output=shared_tmp_path / "part", progress=False
    )
    again = simulation.run(resume=True)
    np.testing.assert_allclose(again.time, reference.time, rtol=1e-15)
    for channel in ("tip.x", "tip.y", "joint.eccentricity"):
        np.testing.assert_allclose(again[channel], reference[channel], rtol=1e-8, atol=1e-12)


def test_resume_keeps_the_solver(comm):
    """A run that has changed to MUMPS, as it does after a zero pivot, goes on with it."""

    def pendulum():
        system = fc.System(comm=comm)
        body = system.add(fc.RigidBody(1.0, (1, 2, 2), position=(0.5, 0, 0), name="body"))
        system.add(fc.SphericalJoint(system.ground, body.at((0, 0, 0))))
        return fc.Stepper(system, dt=1e-3, t_end=0.01)

    first, second = pendulum(), pendulum()
    first.start()
    assert first.newton.linear_solver == "petsc"
    first.newton.use("mumps")
    first.advance()
    second.restore(first.snapshot())
    assert second.newton.linear_solver == "mumps"
    for stepper in (first, second):
        stepper.advance()
    n = first.state.owned
    np.testing.assert_array_equal(second.state.q[:n], first.state.q[:n])


def test_in_memory_results_are_on_every_rank(comm):
    results = cases.get("heavy_top").simulation({"dt": 1e-3, "t_end": 0.01}, progress=False).run()
    assert len(results) == 11
    assert len(set(comm.allgather(results["centre.x"][-1]))) == 1


def test_bad_input_ends_all_ranks(comm, shared_tmp_path, capsys):
    out = str(shared_tmp_path / "run")
    assert main(["run", "double_pendulum", "--set", "joint.ball_radius=0.03", "--out", out]) == 2
    error = capsys.readouterr().err
    assert error.count("fem-clearance: ") == (comm.rank == 0)
    on_root(comm, (shared_tmp_path / "theirs").mkdir)
    on_root(comm, lambda: (shared_tmp_path / "theirs" / "notes.txt").write_text("not ours"))
    assert (
        main(["run", "heavy_top", "--out", str(shared_tmp_path / "theirs")]) == 2
    )  # only rank 0 looks


def test_a_full_disk_ends_all_ranks(comm, shared_tmp_path, monkeypatch):
    from fem_clearance.io import rows

    def full(self, block):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rows, "WAIT", 0.0)
    monkeypatch.setattr(rows.RowFile, "_write", full)
    simulation = cases.get("double_pendulum").simulation(PENDULUM, output=shared_tmp_path / "run")
    with pytest.raises(OSError, match="No space left"):
        simulation.run()


def test_a_full_disk_after_a_failed_step_ends_all_ranks(comm, shared_tmp_path, monkeypatch):
    """The last row of a run that stops cannot be written on rank 0."""
    advance, append, failed = Stepper.advance, Recorder.append, []

    def fails(self, *ahead):
        if self.steps >= 5:
            failed.append(self.steps)
            raise fc.StepFailed("no solution")
        advance(self, 1, *ahead[1:])

    def full(self):
        if failed and self.root:
            raise OSError(28, "No space left on device")
        append(self)

    monkeypatch.setattr(Stepper, "advance", fails)
    monkeypatch.setattr(Recorder, "append", full)
    simulation = cases.get("double_pendulum").simulation(PENDULUM, output=shared_tmp_path / "run")
    with pytest.raises(OSError, match="No space left"):
        simulation.run()


def test_interrupt_of_one_rank_ends_all(comm, shared_tmp_path, monkeypatch):
    advance, cells = Stepper.advance, []

    def once(self, *_):
        cells[:] = [sum(c.count for c in self.system.state.components)]
        if self.steps == 20 and self.system.comm.rank == self.system.comm.size - 1:
            os.kill(os.getpid(), signal.SIGTERM)
        advance(self)

    monkeypatch.setattr(Stepper, "advance", once)
    simulation = cases.get("double_pendulum").simulation(PENDULUM, output=shared_tmp_path / "run")
    with pytest.raises(fc.Interrupted):
        simulation.run()
    assert simulation.results.summary["stopped"] == "terminated"
    assert len(simulation.results) == 22
    assert comm.size > 2 or cells[0] > 0  # both ranks had work


def test_a_rank_without_work_sleeps_and_can_end_the_run(comm, shared_tmp_path, monkeypatch):
    """A top is three cells of one rank: the last rank takes no step, and knows the results."""
    steps, advance = [], Stepper.advance

    def count(self, *_):
        steps.append(self.t)
        if comm.size > 1:
            time.sleep(0.002)  # the other rank has time to be told
        advance(self)

    monkeypatch.setattr(Stepper, "advance", count)
    top = {"dt": 1e-3, "t_end": 0.05}
    simulation = cases.get("heavy_top").simulation(top, output=shared_tmp_path / "run")
    cpu = time.process_time()
    results = simulation.run()
    if comm.rank:
        assert not steps and time.process_time() - cpu < 0.5
    assert results.summary["ranks"] == comm.size == len(results.summary["cells_per_rank"])
    assert results.summary["cells_per_rank"] == [3] + [0] * (comm.size - 1)
    assert results.time[-1] == 0.05
    # its system is then one of all ranks
    again = fc.Simulation(simulation.system, dt=1e-3, t_end=0.02, progress=False).run()
    np.testing.assert_array_equal(again["centre.x"], results["centre.x"][:21])
    if comm.size == 1:
        return
    simulation = cases.get("heavy_top").simulation(top | {"t_end": 30.0}, progress=False)
    if comm.rank == comm.size - 1:
        Timer(1.0, os.kill, (os.getpid(), signal.SIGTERM)).start()
    with pytest.raises(fc.Interrupted, match="terminated"):
        simulation.run()
    assert simulation.results.time[-1] < 30
    with pytest.raises(fc.InputError, match="beyond"):  # an error of the ranks that work is all's
        cases.get("heavy_top").simulation(
            top | {"t_end": 0.01}, output=shared_tmp_path / "run"
        ).run(resume=True)


def test_the_total_energy_does_not_hang_on_the_number_of_ranks(comm, shared_tmp_path, monkeypatch):
    """Kinetic and potential energy cancel each other but for 1e-7: a sum in another order would be
    off by their round-off, 1e-9 of the total. So would be a motion with other round-off: one rank
    takes the assembly and the factors of several."""
    monkeypatch.setattr(linear_solvers, "own_factors", lambda A, state: None)
    monkeypatch.setattr(linear_solvers, "substructured", lambda state, package: None)
    monkeypatch.setattr(Entries, "places", None)
    changes = {"arm.model": "cable", "arm.elements": 2, "dt": 2e-5, "t_end": 1e-3}
    one = alone(comm, shared_tmp_path / "one", "double_pendulum", changes)
    several = cases.get("double_pendulum").simulation(changes, progress=False).run()
    largest = np.abs(one["energy.total"]).max()
    assert 0 < largest < 1e-6 * one["energy.kinetic"].max()
    np.testing.assert_allclose(
        several["energy.total"], one["energy.total"], rtol=0, atol=1e-9 * largest
    )


def test_sweep_shares_the_runs(comm, shared_tmp_path, capsys):
    out = shared_tmp_path / "sweep"
    arguments = [
        "--vary",
        "rho_inf=0.5,0.8,1",
        "--dt",
        "1e-3",
        "--t-end",
        "0.01",
        "--out",
        str(out),
    ]
    assert main(["sweep", "heavy_top", *arguments]) == 0
    printed = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    assert printed == ([f"done ({k} of 3)" for k in (1, 2, 3)] if comm.rank == 0 else [])
    with open(out / "table.csv") as file:
        assert [r["rho_inf"] for r in csv.DictReader(file)] == ["0.5", "0.8", "1"]
    assert json.loads((out / "rho_inf=1" / "summary.json").read_text())["ranks"] == 1


def test_sweep_in_teams(comm, shared_tmp_path):
    """Both ranks together on each run."""
    out = shared_tmp_path / "sweep"
    arguments = ["--vary", "rho_inf=0.5,0.8", "--dt", "1e-3", "--t-end", "0.01", "--quiet"]
    teams = ["--ranks-per-run", str(comm.size), "--out", str(out)]
    assert main(["sweep", "heavy_top", *arguments, *teams]) == 0
    for name in ("rho_inf=0.5", "rho_inf=0.8"):
        summary = json.loads((out / name / "summary.json").read_text())
        assert summary["ranks"] == comm.size and summary["steps"] == 10


def test_commands_that_only_read(comm, shared_tmp_path, capsys):
    alone(comm, shared_tmp_path / "run", "heavy_top", {"dt": 1e-3, "t_end": 0.01})
    run = str(shared_tmp_path / "run")
    assert main(["list"]) == 0
    assert (capsys.readouterr().out != "") == (comm.rank == 0)
    assert main(["export", run, "--csv", str(shared_tmp_path / "a.csv")]) == 0
    assert main(["view", run, "--html", str(shared_tmp_path / "a.html")]) == 0
    assert main(["plot", run]) == 0
    assert main(["check", "heavy_top"]) == 0
    comm.Barrier()
    assert (shared_tmp_path / "a.csv").exists() and (shared_tmp_path / "a.html").exists()


@pytest.mark.parametrize("error", [fc.StepFailed, ZeroDivisionError])
def test_an_update_that_fails_on_one_rank_ends_all(comm, monkeypatch, error):
    """The force acts on one body, so that one rank alone has its cell."""

    def broken(kind, parameters, observed):
        if len(parameters):
            raise error("no force is known")

    monkeypatch.setattr(sampled_loads, "renew", broken)
    system = fc.System(comm=comm)
    for k in range(2 * comm.size):
        name = f"ball{k}"
        ball = fc.RigidBody(1.0, (0.1,) * 3, position=(k, 0, 0), name=name, free=True)
        system.add(ball)
    system.add(fc.SampledForce(ball, lambda t, x, v: np.zeros(3), name="f"))
    with pytest.raises((error, RuntimeError), match="no force is known") as failure:
        fc.Simulation(system, dt=0.02, t_end=0.2, progress=False).run()
    own = sum(comm.allgather(failure.type is error))
    assert own == (comm.size if error is fc.StepFailed else 1)
