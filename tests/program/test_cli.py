"""The program fem-clearance, in this process: every command on small runs."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases

from ..conftest import shell

SHORT = "--set arm.model=rigid --t-end 0.02 --dt 1e-3 --quiet"


def test_list(capsys):
    assert shell("list") == 0
    out = capsys.readouterr().out
    for name in cases.names():
        assert f"{name} " in out


def test_check_builds_without_a_run(here, capsys):
    assert shell("check double_pendulum --set arm.E=6e7 arm.elements=3") == 0
    out = capsys.readouterr().out
    assert (
        "* arm.E " in out
        and "6e7 Pa" in out
        and "coordinates" in out
        and "joint.eccentricity" in out
    )
    assert not list(here.iterdir())


@pytest.mark.parametrize(
    ("case", "channels"),
    [
        ("heavy_top", "centre.x centre.y centre.z reaction.x reaction.y reaction.z"),
        ("double_four_bar", "B0.x B0.y"),
        ("flexible_pendulum", "tip.x tip.y tip.z energy.total"),
    ],
)
def test_cases_have_their_channels(here, case, channels):
    assert shell(f"run {case} --t-end 2e-3 --quiet") == 0
    results = fc.Results.open(here / "runs" / case)
    assert set(channels.split()) <= set(results.names)
    assert results.time[-1] == 2e-3


@pytest.mark.parametrize("kind", ["ideal", "dry"])
@pytest.mark.parametrize("start", ["collinear", "perpendicular"])
def test_double_pendulum_variants(here, kind, start):
    options = f"joint.kind={kind} start={start} joint.friction=0.1"
    assert shell(f"run double_pendulum --set {options} {SHORT}") == 0
    results = fc.Results.open(here / "runs" / "double_pendulum")
    tip = 0.3 if start == "perpendicular" else 0
    assert results["tip.z"][0] == pytest.approx(tip, abs=1e-12)
    assert (
        results["joint.eccentricity"][-1] == 0
        if kind == "ideal"
        else results["joint.eccentricity"][-1] > 0
    )
    if kind == "ideal":
        force = np.sqrt(sum(results[f"joint.reaction.{x}"] ** 2 for x in "xyz"))
        np.testing.assert_array_equal(results["joint.normal_force"], force)


def test_bad_input_spares_an_earlier_run(here):
    assert shell("run heavy_top --t-end 1e-3 --quiet") == 0
    assert shell("run heavy_top --t-end 1e-3 --dt 2 --quiet") == 2
    assert fc.Results.open(here / "runs" / "heavy_top").time[-1] == 1e-3


def test_plot_of_any_case(here):
    assert shell("run heavy_top --t-end 2e-3 --quiet") == 0
    assert shell("plot runs/heavy_top --quiet") == 0
    drawn = {p.stem for p in (here / "runs/heavy_top/figures").iterdir()}
    assert {n for n in drawn if not n.startswith("mechanism")} == {
        "centre",
        "energies",
        "energy_balance",
        "reaction",
        "top",
    }


def test_stopped_early(here, capsys, monkeypatch):
    from fem_clearance.timestepping.stepper import Stepper

    def fail(self, *_):
        raise fc.StepFailed("no solution: the equations of joint are to blame.")

    monkeypatch.setattr(Stepper, "advance", fail)
    assert shell("run heavy_top --t-end 1e-3") == 3
    assert (
        "stopped early: no solution: the equations of joint are to blame."
        in capsys.readouterr().err
    )
    assert len(fc.Results.open(here / "runs" / "heavy_top")) == 1


def test_steps_within_two_seconds(here):
    """Forms come from the cache over parameter values."""
    run = "run double_pendulum --t-end 1e-6 --quiet"
    assert shell(run) == 0
    tic = time.process_time()
    assert shell(f"{run} --force --set arm.E=1e11 joint.restitution=0.5") == 0
    assert time.process_time() - tic < 4.0


def test_help_and_version(capsys):
    assert shell("--help") == 0
    assert shell("run --help") == 0
    assert shell("--version") == 0
    assert fc.__version__ in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no SIGPIPE on this system")
@pytest.mark.parametrize("arguments", ["list", "check heavy_top --quiet", "rnu 2>&1"])
def test_output_that_nobody_reads(arguments):
    """As ``fem-clearance list | head -1`` where ``head`` has ended first: nothing is said, PETSc's
    handler is quiet, and the exit code is the shell's for a program that SIGPIPE has ended."""
    both = arguments.endswith(" 2>&1")
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "-m", "fem_clearance", *arguments.removesuffix(" 2>&1").split()],
        stdout=write, stderr=write if both else subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(write)
    assert run.returncode == 128 + signal.SIGPIPE
    assert both or run.stderr == b""
