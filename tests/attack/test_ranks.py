"""The same numbers on one to four ranks; ranks without work cost nothing.

Right values: those of one rank, of which tests/literature holds the proof.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fem_clearance as fc

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

SCRIPT = """
import json, sys, time
from fem_clearance import cases
from fem_clearance._backend import MPI
name, out, changes = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
wall, cpu = time.monotonic(), time.process_time()
cases.get(name).simulation(changes, output=out, progress=False).run()
used = MPI.COMM_WORLD.gather(time.process_time() - cpu)
if MPI.COMM_WORLD.rank == 0:
    print(json.dumps([time.monotonic() - wall, used]))
"""

#: fixed steps, up to two impacts
RUNS = {
    "double_pendulum": {"arm.model": "rigid", "joint.ball_radius": 0.0199, "dt": 2e-5,
                        "t_end": 0.0065},
    "double_pendulum, cable": {"arm.model": "cable", "arm.elements": 2, "dt": 2e-5,
                               "t_end": 1e-3},
    "double_four_bar": {"dt": 1e-2, "t_end": 0.1},
    "sliding_pendulum": {"dt": 1e-4, "t_end": 0.01},
}  # fmt: skip


def on(ranks, name, out, changes):
    """Wall time in s and CPU times of the ranks."""
    launcher = Path(sys.executable).with_name("mpirun")
    command = [str(launcher) if launcher.exists() else "mpirun", "-n", str(ranks)]
    changes = json.dumps(changes | {"output.fields_every": 0})
    done = subprocess.run(
        [*command, sys.executable, "-c", SCRIPT, name.split(",")[0], str(out), changes],
        capture_output=True, text=True, timeout=1500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", RUNS)
def test_same_channels(name, tmp_path, attack):
    """To 1e-9 of each one's largest value; what is below 1e-15 of others of its unit is round-off
    of a number that is zero, such as a motion across the plane of symmetry."""
    on(1, name, tmp_path / "1", RUNS[name])
    one = fc.Results.open(tmp_path / "1")
    size = {c: np.abs(one[c]).max() for c in one.names}
    units = {one.unit(c): 0.0 for c in one.names}
    for c in one.names:
        units[one.unit(c)] = max(units[one.unit(c)], size[c])
    for ranks in (2, 3, 4):
        with attack("channels on 1 to 4 ranks", f"{name} on {ranks}"):
            on(ranks, name, tmp_path / f"{ranks}", RUNS[name])
            several = fc.Results.open(tmp_path / f"{ranks}")
            assert several.names == one.names and len(several) == len(one)
            np.testing.assert_array_equal(several.time, one.time)
            for c in one.names:
                zero = 1e-15 * units[one.unit(c)]
                tolerance = 1e-9 * size[c] if size[c] > zero else 2 * zero
                np.testing.assert_allclose(several[c], one[c], rtol=0, atol=tolerance, err_msg=c)


def test_ranks_without_work(tmp_path, attack):
    """One body on six ranks: five sleep, and take no more of the processor than their start."""
    with attack("ranks without work", "one body on six"):
        changes = {"dt": 1e-4, "t_end": 1.0}
        _, (one,) = on(1, "heavy_top", tmp_path / "1", changes)
        _, (_, *start) = on(6, "heavy_top", tmp_path / "start", changes | {"t_end": 1e-3})
        _, (first, *others) = on(6, "heavy_top", tmp_path / "6", changes)
        assert first < 3 * one + 1.0 and max(others) - max(start) < 0.3 * first
        cells = fc.Results.open(tmp_path / "6").summary["cells_per_rank"]
        assert cells == [3, 0, 0, 0, 0, 0]
