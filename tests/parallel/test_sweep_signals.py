"""Signals to all ranks of a sweep, of which some are idle or write the end of a run."""

import json
import os
import subprocess
import sys

import pytest

import fem_clearance as fc
from fem_clearance.io.checkpoint import NAME

pytestmark = pytest.mark.slow

#: rank 0 waits in its tenth step until rank 1 has a signal in the end of its first run, and in the
#: second run until rank 1 has refused another one
SCRIPT = """
import json, os, signal, sys, time
from pathlib import Path

from mpi4py import MPI
import fem_clearance as fc
from fem_clearance.program.cli import main
from fem_clearance.runs.recorder import Recorder
from fem_clearance.runs.sweep import Sweep
from fem_clearance.timestepping.stepper import Stepper

rank, there, steps, ends = MPI.COMM_WORLD.rank, Path("there"), [0], [0]
other = MPI.COMM_WORLD.allgather(os.getpid())[1]
advance, close = Stepper.advance, Recorder.close

def interrupt(self, *_):
    steps[0] += 1
    if rank == 0 and steps[0] == 10:
        while {busy} and not there.exists():
            time.sleep(0.01)
        for process in {told}:
            os.kill(process, signal.SIGTERM)
    while rank == 0 and steps[0] == 30 and {busy} and not Path("refused").exists():
        time.sleep(0.01)
    advance(self)

def closing(self, *arguments):
    ends[0] += 1
    if rank == 1:
        os.kill(other, signal.SIGTERM)
        there.touch()
    return close(self, *arguments)

def one(self, *arguments):
    try:
        return work(self, *arguments)
    except KeyboardInterrupt:
        Path("refused").touch()
        raise

work = Sweep._one
Stepper.advance, Recorder.close, Sweep._one = interrupt, closing, one
"""
IDLE = """
try:
    fc.sweep("heavy_top", {"rho_inf": [0.5]}, {"dt": 1e-3, "t_end": 0.02}, output="all")
except KeyboardInterrupt as error:
    Path(f"rank{rank}").write_text(str(error))
else:
    Path(f"rank{rank}").write_text("done")
"""
ENDING = """
words = "sweep heavy_top --vary rho_inf=0.4,0.5,0.6,0.7,0.8,0.9 --dt 1e-3 --t-end 0.02 --out all"
code = main([*words.split(), "--quiet"])
Path(f"rank{rank}").write_text(json.dumps([code, ends[0]]))
sys.exit(code)
"""


def run(folder, script: str, **how) -> subprocess.CompletedProcess:
    """The script on two ranks."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HYDRA", "MPI"))}
    for name, value in how.items():
        script = script.replace(f"{{{name}}}", value)
    command = ["mpirun", "-n", "2", sys.executable, "-c", script]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, env=environment
    )


def test_an_idle_rank_of_a_script(tmp_path):
    """It waits for the other, which writes its checkpoint; both raise. The same script goes on."""
    ended = run(tmp_path, SCRIPT + IDLE, busy="False", told="(other, os.getpid())")
    said = [(tmp_path / f"rank{k}").read_text() for k in (0, 1)]
    assert said == ["terminated"] * 2 and ended.returncode == 0, ended.stderr
    summary = json.loads((tmp_path / "all/rho_inf=0.5/summary.json").read_text())
    assert (summary["steps"], summary["stopped"]) == (10, "terminated")
    assert (tmp_path / "all/rho_inf=0.5/checkpoint" / NAME).exists()
    ended = run(tmp_path, SCRIPT + IDLE, busy="False", told="()")
    assert [(tmp_path / f"rank{k}").read_text() for k in (0, 1)] == ["done"] * 2, ended.stderr
    assert "1 continues from a checkpoint" in ended.stdout
    assert fc.Results.open(tmp_path / "all/rho_inf=0.5").summary["steps"] == 20


@pytest.mark.parametrize("told", ["(os.getpid(),)", "()"], ids=["both", "one"])
def test_a_rank_that_writes_the_end_of_a_run(tmp_path, told):
    """It begins no other run, and no rank aborts the program, whether the other one has the signal
    too or completes the runs that it has begun."""
    ended = run(tmp_path, SCRIPT + ENDING, busy="True", told=told)
    assert ended.returncode == 3
    (code, first), second = (json.loads((tmp_path / f"rank{k}").read_text()) for k in (0, 1))
    assert second == [3, 1] and code == 3
    assert first == 1 if told != "()" else 1 <= first < 5, first
    said = ended.stderr + ended.stdout
    assert "stopped early: terminated; run the same command again." in said
    assert "Abort" not in said and "the other ranks" not in said
    table = fc.SweepResults.open(tmp_path / "all")
    assert table.runs == first + 1
    assert list(table.get("stopped", ())).count("terminated") == (told != "()")
