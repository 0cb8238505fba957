"""A script that fails on one rank alone ends on all of them."""

import os
import subprocess
import sys

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


def test_one_rank_fails():
    """The other one, which waits, is stopped; the message is there."""
    ended = run(False)
    assert ended.returncode != 0
    assert "found on rank 1" in ended.stderr
    assert "the other ranks were stopped" in ended.stdout
    assert "not reached" not in ended.stdout


def test_both_fail():
    """Each says what it has found; nobody is stopped."""
    ended = run(True)
    assert ended.returncode != 0
    assert "found on rank 0" in ended.stderr
    assert "found on rank 1" in ended.stderr
    assert "were stopped" not in ended.stdout
