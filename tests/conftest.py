"""Fixtures shared by all tests."""

import json
import os
import sys
from collections import Counter
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


@pytest.fixture(scope="session")
def spinning_top(reference) -> Callable[..., Any]:
    """Runs the heavy top of heavy_top.json: a stepper at its end."""
    import fem_clearance as fc

    p = reference("heavy_top.json")["parameters"]
    omega = np.array(p["omega0_body"])

    def run(integrator, h: float, t_end: float, **options):
        system = fc.System(gravity=p["g"], **options)
        top = system.add(
            fc.RigidBody(p["m"], p["J_com_body"], position=p["x0"], angular_velocity=omega,
                         velocity=np.cross(omega, p["x0"]), name="top")
        )  # fmt: skip
        system.add(fc.SphericalJoint(system.ground, top.at((0, 0, 0)), name="pivot"))
        stepper = fc.Stepper(system, integrator, dt=h, t_end=t_end, newton_tolerance=1e-10)
        stepper.start()
        while stepper.t < t_end:
            stepper.advance()
        return stepper

    return run


@pytest.fixture
def here(tmp_path: Path, monkeypatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(text: str) -> int:
    """Exit code of ``fem-clearance`` with these arguments."""
    from fem_clearance.program.cli import main

    return main(text.split())


def pytest_terminal_summary(terminalreporter):
    """Says which files took the time of a run of many tests (seconds summed up over processes)."""
    seconds = Counter()
    reports = [r for rs in terminalreporter.stats.values() for r in rs if hasattr(r, "duration")]
    for report in reports:
        seconds[report.nodeid.split("::")[0]] += report.duration
    if len(seconds) < 10 or MPI.COMM_WORLD.rank:
        return
    terminalreporter.section(f"time by file: {seconds.total():.0f} s in {len(seconds)} files")
    for file, spent in seconds.most_common(15):
        terminalreporter.line(f"{spent:7.1f} s  {file}")


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
