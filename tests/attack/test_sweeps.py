"""Sweeps killed at every file event, in the middle of a run too, and tables that are being read."""

import csv
import shutil

import h5py
import numpy as np
import pytest

import fem_clearance as fc

from .forks import kill_at, shell

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

SWEEP = ["sweep", "heavy_top", "--vary", "rho_inf=0.5,0.8", "--dt", "1e-3", "--t-end", "2e-3"]
SWEEP += ["--quiet", "--set", "checkpoint.every_s=0", "output.fields_every=0"]
#: entries that are not the same twice
CLOCK = {"wall_s", "cpu_s"}


def table(folder):
    with open(folder / "table.csv") as file:
        return [{k: z for k, z in row.items() if k not in CLOCK} for row in csv.DictReader(file)]


def test_kills(tmp_path, attack):
    """The same command again does what is left; every fifth event, for there are many."""
    whole, folder = tmp_path / "whole", tmp_path / "sweep"
    shell([*SWEEP, "--out", whole]).sentence(0)
    for number in range(1, 2000, 5):
        shutil.rmtree(folder, ignore_errors=True)
        end = shell([*SWEEP, "--out", folder], kill_at(folder, number))
        if end.code == 0:
            break
        with attack("kills of a sweep, at a file event", f"{number}"):
            assert end.code == -9, end
            if (folder / "table.h5").exists():
                with h5py.File(folder / "table.h5") as file:
                    assert len(file["steps"]) in (1, 2)
            shell([*SWEEP, "--out", folder]).sentence(0)
            assert table(folder) == table(whole)
            for run in ("rho_inf=0.5", "rho_inf=0.8"):
                one, other = (fc.Results.open(f / run) for f in (whole, folder))
                np.testing.assert_array_equal(one["centre.x"], other["centre.x"])
    assert number > 30
