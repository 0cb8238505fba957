"""A script that fails on one rank alone ends on all of them."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from fem_clearance._backend import MPI
from fem_clearance.core.ends import end_together

comm = MPI.COMM_WORLD
end_together(comm, patience=0.5)
if comm.rank == 1 or {both}:
    raise ValueError("found on rank %d" % comm.rank)
comm.allreduce(1)  # waits for the other one
print("not reached", flush=True)
"""


RUN = """
import fem_clearance as fc
from fem_clearance._backend import MPI
from fem_clearance.core import ends

ends.end_together.__defaults__ = (0.5,)
comm = MPI.COMM_WORLD
system = fc.System(gravity=(0, -9.81, 0))
for k in range({bodies}):
    body = fc.RigidBody(1.0, (1, 1, 1), position=(1.0, 0, k), free=True)
    system.add(body)
if {statics}:
    for body in system.bodies:
        system.add(fc.FixedJoint(system.ground, body.center))
    fc.Statics(system, 1).solve()
else:
    fc.Simulation(system, dt=0.01, t_end=0.02, progress=False).run()
if comm.rank == 1:
    raise ValueError("found on rank 1")
comm.allreduce(1)  # waits for the other one
print("not reached", flush=True)
"""


def run(script: str) -> subprocess.CompletedProcess:
    """A script on two ranks."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "HYDRA", "MPI"))}
    command = ["mpirun", "-n", "2", sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)


@pytest.mark.parametrize("both", [False, True])
def test_ends(both):
    """Each rank that fails says what it has found; one that waits for it is stopped."""
    ended = run(SCRIPT.format(both=both))
    assert ended.returncode != 0
    assert ("found on rank 0" in ended.stderr) is both
    assert "found on rank 1" in ended.stderr
    assert ("the other ranks were stopped" in ended.stdout) is not both
    assert "not reached" not in ended.stdout


@pytest.mark.parametrize("bodies, statics", [(1, False), (2, False), (2, True)])
def test_ends_after_a_run(bodies, statics):
    """A script that only ran a system, whose mesh is no distributed one; the run of a single body
    is that of one rank alone."""
    ended = run(RUN.format(bodies=bodies, statics=statics))
    assert ended.returncode != 0 and "found on rank 1" in ended.stderr
    assert "the other ranks were stopped" in ended.stdout and "not reached" not in ended.stdout
