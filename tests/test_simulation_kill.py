"""A run that is killed keeps its rows, and resumed it ends as if nothing had happened."""

import json
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.program.cli import main
from fem_clearance.runs import stored

#: through the first impact, with a checkpoint every few steps
RUN = [
    "run",
    "double_pendulum",
    "--set",
    "arm.model=rigid",
    "checkpoint.every_s=0",
    "output.fields_every=0.005",
    "--dt",
    "2e-5",
    "--t-end",
    "0.04",
    "--quiet",
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The uninterrupted run, and the seconds it took."""
    path = tmp_path_factory.mktemp("whole") / "run"
    assert main([*RUN, "--out", str(path)]) == 0
    return fc.Results.open(path), json.loads((path / "summary.json").read_text())


def kill_and_resume(whole, path, moment):
    """Kill the run after a part of its time, look at what is left, go on."""
    reference, summary = whole
    run = subprocess.Popen([sys.executable, "-m", "fem_clearance", *RUN, "--out", str(path)])
    while run.poll() is None and not (path / stored.ROWS).exists():
        time.sleep(0.01)
    time.sleep(moment * summary["wall_s"])
    run.kill()
    assert run.wait() in (0, -signal.SIGKILL)
    left = fc.Results.open(path)
    if (path / "fields" / "frames.h5").exists():  # whatever it was doing
        kept = len(left.motion)
        np.testing.assert_array_equal(left.motion.position, reference.motion.position[:kept])
    n = len(left)
    for name in ("time", *reference.names):
        np.testing.assert_array_equal(left[name], reference[name][:n])
    assert main(["resume", str(path), "--quiet"]) == 0
    again = fc.Results.open(path)
    for name in ("time", *reference.names):
        np.testing.assert_array_equal(again[name], reference[name])
    ended = json.loads((path / "summary.json").read_text())
    for key in (
        "steps",
        "rows",
        "newton_iterations",
        "first_impact_time",
        "first_impact_peak_force",
        "energy_change",
    ):
        assert ended[key] == summary[key]
    assert {p.name for p in path.iterdir()} == {
        ".fem_clearance",
        "case.toml",
        "results.h5",
        "summary.json",
        "scene.json",
        "fields",
        "checkpoint",
        "log.txt",
    }
    assert len(list((path / "fields").glob("*.vtu"))) == 9
    for name in ("time", "position", "triad"):
        wanted = getattr(reference.motion, name)
        assert len(wanted) == 9
        np.testing.assert_array_equal(getattr(again.motion, name), wanted)


@pytest.mark.parametrize("moment", [0.0, 0.35, 0.7])
def test_kill(whole, tmp_path, moment):
    kill_and_resume(whole, tmp_path / "run", moment)


@pytest.mark.slow
@pytest.mark.parametrize("k", range(50))
def test_kill_at_random_instants(whole, tmp_path, k):
    kill_and_resume(whole, tmp_path / "run", random.uniform(0, 1))


def test_resume_of_a_run_killed_before_its_first_checkpoint(whole, tmp_path):
    reference, _ = whole
    path = tmp_path / "run"
    assert main([*RUN, "--out", str(path)]) == 0
    for name in ("results.h5", "summary.json", "checkpoint/state.npz"):
        (path / name).unlink()
    (path / "checkpoint").rmdir()
    assert main(["resume", str(path), "--quiet"]) == 0
    np.testing.assert_array_equal(fc.Results.open(path).time, reference.time)
