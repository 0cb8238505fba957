"""Fixtures shared by all tests."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

try:
    import dolfinx_solver  # noqa: F401  (wheels: loads MPI before the bindings)
except ImportError:
    pass
from mpi4py import MPI

import numpy as np
import pytest

DATA = Path(__file__).parent / "literature" / "data"


@pytest.fixture(scope="session")
def comm() -> MPI.Intracomm:
    """All ranks of this test run."""
    return MPI.COMM_WORLD


@pytest.fixture
def shared_tmp_path(tmp_path: Path) -> Path:
    """A temporary folder that is the same on every rank (tmp_path is one per rank)."""
    return MPI.COMM_WORLD.bcast(tmp_path)


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Any]:
    """Reads a file of tests/literature/data: JSON as it stands, CSV as a structured array."""

    def read(name: str) -> Any:
        path = DATA / name
        if path.suffix == ".json":
            return json.loads(path.read_text(encoding="utf-8"))
        lines = path.read_text(encoding="utf-8").splitlines()
        lines = [line for line in lines if not line.startswith("#")]
        return np.genfromtxt(lines, delimiter=",", names=True)

    return read


def pytest_sessionfinish(session, exitstatus):
    session.config.fc_status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Several ranks end together, here: what Python frees at its exit it frees in an order of its
    own on each rank, and PETSc's objects would wait for each other."""
    comm = MPI.COMM_WORLD
    if comm.size > 1 and hasattr(config, "fc_status"):
        sys.stdout.flush()
        sys.stderr.flush()
        comm.Barrier()
        MPI.Finalize()
        os._exit(config.fc_status)
