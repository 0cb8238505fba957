"""Slider-crank with an elastic slider in its guide on any number of ranks, through impacts."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fem_clearance import cases
from fem_clearance._backend import MPI

#: impacts from 1.645 and 3.23 ms on that last for 30 steps; small clearance, soft contact; what
#: Newton's method leaves, which differs with the order of sums, is a hundredth of the default
SOFT = {
    "slider.model": "flexible", "slider.cells": "8x1", "slider.contact_stiffness": 2e11,
    "clearance": 3e-4, "newton_tolerance": 1e-10,
}  # fmt: skip
#: reached before the first impact, and after the second one, s
BEFORE, AFTER = 1.6e-3, 3.6e-3
CHANNELS = ("crank.angle", "rod.angle", "slider.angle", "slider.x", "slider.y", "contact.upper")


def run(comm, dt, t_end, **changes):
    case = cases.get("slider_crank_translational")
    values = SOFT | {"dt": dt, "t_end": t_end} | changes
    results = case.simulation(values, progress=False, comm=comm).run()
    return results, np.array([results[n] for n in CHANNELS])


def judge(several, one, finer, time, onset):
    """Motions on several ranks and on one, and on one with half of the step: 1e-9 until the first
    impact, then within a thousandth of what halving the step changes."""
    scale = np.abs(one).max(axis=1)
    apart = np.abs(several - one) / scale[:, None]
    halving = np.abs(finer[:, ::2] - one).max(axis=1) / scale
    assert time[one[-1] > 0].min() > onset
    assert np.count_nonzero(np.diff((one[-1] > 0).astype(int)) == 1) == 2  # impacts
    assert apart[:, time < onset].max() < 1e-9
    assert np.all(apart.max(axis=1) < 1e-3 * halving)


@pytest.mark.mpi
def test_the_motion_does_not_depend_on_the_ranks(comm):
    """A small slider; its cells and those on its facets are shared out."""
    results, several = run(comm, 1e-5, AFTER)
    (alone, one), (_, finer) = (run(MPI.COMM_SELF, dt, AFTER) for dt in (1e-5, 5e-6))
    judge(several, one, finer, alone.time, BEFORE)
    cells = results.summary["cells_per_rank"]
    assert sum(cells) == sum(alone.summary["cells_per_rank"]) and len(cells) == comm.size
    # of 33 cells those across the cut, five here, belong to one rank
    assert min(cells) >= max(cells) - 5


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_larger_slider_on_two_ranks(tmp_path):
    """The same with 24 x 3 quadratic cells, 1400 unknowns, in processes of its own."""

    def motion(ranks, dt):
        path = tmp_path / f"{ranks}-{dt:g}.npy"
        mpirun = Path(sys.executable).with_name("mpirun")
        command = [mpirun if mpirun.exists() else shutil.which("mpirun"), "-n", str(ranks)]
        done = subprocess.run(
            [*command, sys.executable, __file__, str(dt), path],
            capture_output=True, text=True, timeout=1700, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        return np.load(path)

    one, two, finer = motion(1, 1e-5), motion(2, 1e-5), motion(1, 5e-6)
    judge(two[1:], one[1:], finer[1:], one[0], BEFORE)


if __name__ == "__main__":  # a run of the test above
    found, rows = run(MPI.COMM_WORLD, float(sys.argv[1]), AFTER, **{"slider.cells": "24x3"})
    if MPI.COMM_WORLD.rank == 0:
        np.save(sys.argv[2], np.vstack([found.time, rows]))
