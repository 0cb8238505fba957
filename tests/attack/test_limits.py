"""Runs without an end, and runs in pieces.

In pieces of a few steps, each a process of its own, a run is that in one piece bit for bit.
"""

import time

import numpy as np
import pytest

import fem_clearance as fc

from .forks import shell

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

#: cases with contacts, beams, friction, films; fixed and adaptive steps
RUNS = {
    "heavy_top": ["--dt", "1e-3", "--t-end", "0.02"],
    "double_pendulum": ["--set", "arm.model=rigid", "joint.ball_radius=0.0199", "--t-end", "8e-3"],
    "flexible_pendulum": ["--set", "beam.elements=2", "--t-end", "0.02"],
    "stick_slip_oscillator": ["--t-end", "0.2"],
    "sliding_pendulum": ["--t-end", "0.01"],
}


@pytest.mark.parametrize("name", RUNS)
def test_pieces(name, tmp_path, attack):
    command = ["run", name, *RUNS[name], "--quiet", "--out"]
    shell([*command, tmp_path / "whole"]).sentence(0)
    whole = fc.Results.open(tmp_path / "whole")
    size = max(len(whole) // 7, 1)
    with attack("runs in pieces", name):
        folder = tmp_path / "run"
        end, pieces = shell([*command, folder, "--max-steps", size]), 1
        while end.code == 3:
            assert "max_steps is reached" in end.sentence(3)
            end, pieces = shell(["resume", folder, "--quiet", "--max-steps", size]), pieces + 1
            assert pieces < 20
        end.sentence(0)
        results = fc.Results.open(folder)
        assert pieces > 5
        for channel in ("time", *whole.names):
            np.testing.assert_array_equal(results[channel], whole[channel])


@pytest.mark.parametrize("command", [["run"], ["sweep", "--vary", "rho_inf=0.7,0.8"]])
def test_no_end(command, tmp_path, attack):
    with attack("runs without an end", command[0]):
        words = [command[0], "heavy_top", *command[1:], "--t-end", "1e7", "--quiet"]
        tic = time.monotonic()
        end = shell([*words, "--max-wall", "1", "--out", tmp_path / "run"])
        assert time.monotonic() - tic < 60
        assert end.code == 3
        if command == ["run"]:
            assert "max_wall is reached" in end.sentence(3)
