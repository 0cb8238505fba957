"""A script that fails on one rank alone ends on all of them."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from fem_clearance._backend import MPI
from fem_clearance.io.ranks import end_together

comm = MPI.COMM_WORLD
end_together(comm, patience=0.5)
if comm.rank == 1 or {both}:
    raise ValueError("found on rank %d" % comm.rank)
comm.allreduce(1)  # waits for the other one
print("not reached", flush=True)
"""


def run(both: bool) -> subprocess.CompletedProcess:
    """The script on two ranks, one or both of which raise."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HYDRA", "MPI"))}
    command = ["mpirun", "-n", "2", sys.executable, "-c", SCRIPT.format(both=both)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)


@pytest.mark.parametrize("both", [False, True])
def test_ends(both):
    """Each rank that fails says what it has found; one that waits for it is stopped."""
    ended = run(both)
    assert ended.returncode != 0
    assert ("found on rank 0" in ended.stderr) is both
    assert "found on rank 1" in ended.stderr
    assert ("the other ranks were stopped" in ended.stdout) is not both
    assert "not reached" not in ended.stdout
