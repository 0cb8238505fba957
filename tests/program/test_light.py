"""Commands that need no model load neither MPI nor DOLFINx nor figures: they answer at once."""

import os
import re
import subprocess
import sys

import pytest

from fem_clearance import cases
from fem_clearance.program import listing

HEAVY = "dolfinx", "petsc4py", "mpi4py", "ufl", "matplotlib", "scipy", "h5py", "pyvista", "pint"
#: what tells a process that ``mpirun`` has started it
RANKS = ("PMI", "PMIX", "OMPI", "MPI", "SLURM", "HYDRA")


def loaded(*arguments: str) -> tuple[int, str, set[str]]:
    """Exit code and answer of the program, and the packages that it has imported."""
    alone = {k: v for k, v in os.environ.items() if not k.startswith(RANKS)}
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "fem_clearance", *arguments],
        env=alone, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.findall(r"^import time:.*\| +([\w.]+)$", run.stderr, flags=re.MULTILINE)
    return run.returncode, run.stdout, {name.partition(".")[0] for name in found}


@pytest.mark.parametrize(
    ("arguments", "code", "answer"),
    [
        ("list", 0, "heavy_top"),
        ("--help", 0, "COMMAND"),
        ("run --help", 0, "--force"),
        ("--version", 0, "fem_clearance"),
        ("rnu heavy_top", 2, ""),
    ],
)
def test_nothing_heavy_is_loaded(arguments, code, answer):
    found, said, packages = loaded(*arguments.split())
    assert found == code and answer in said
    assert "numpy" in packages  # imports are seen
    assert not packages & set(HEAVY)


def test_other_commands_load_all():
    _, _, packages = loaded("check", "no_such_case")
    assert {"dolfinx", "petsc4py", "mpi4py"} <= packages


def test_descriptions_are_those_of_the_cases():
    for name in cases.names():
        assert listing.description(name) == cases.get(name).description


def test_scripts_find_mpi_loaded():
    """With wheels, MPI must be loaded by us before ``mpi4py`` and ``dolfinx`` are imported."""
    script = "import fem_clearance; from mpi4py import MPI; print(MPI.COMM_SELF.size)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1"]
