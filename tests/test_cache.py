"""Compiled forms between runs: what a killed run leaves does not stop the next one."""

import os
import subprocess
import sys

import numpy as np
import pytest

from fem_clearance import cache

COMPILE = """
from fem_clearance import cache
from fem_clearance.core import component
from mpi4py import MPI
from fem_clearance.bodies.frame import RigidFrame
from fem_clearance.joints.ideal import IdealKind
with cache.compiling():
    print("locked", flush=True)
    if {wait}:
        input()
component.kernels(IdealKind(RigidFrame(), RigidFrame(), "spherical"), MPI.COMM_SELF)
"""


def start(folder, wait):
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE.format(wait=wait)],
        env={**os.environ, "XDG_CACHE_HOME": str(folder)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def forms(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache.forms()
    folder.mkdir(parents=True)
    for name in ("done.c", "done.c.cached", "half.c"):
        (folder / name).touch()
    return folder


def test_half_made_sources_are_cleared(forms):
    with cache.compiling() as folder:
        assert folder == forms
    assert sorted(f.name for f in forms.glob("*.c*")) == ["done.c", "done.c.cached"]


def test_not_while_another_process_compiles(forms, tmp_path):
    (forms / "half.c").unlink()
    other = start(tmp_path, wait=True)
    assert other.stdout.readline() == "locked\n"
    (forms / "half.c").touch()  # it is being compiled
    with cache.compiling():
        assert (forms / "half.c").exists()
    other.kill()
    other.wait()
    with cache.compiling():
        assert not (forms / "half.c").exists()


def test_a_run_goes_on_after_a_killed_compilation(tmp_path):
    """A source without its library, as ``kill -9`` leaves it: the next process does not wait."""
    first = start(tmp_path, wait=False)
    assert first.wait() == 0
    folder = tmp_path / "fem_clearance" / "forms"
    library = next(folder.glob("*.so"))
    source = next(f for f in folder.glob("*.c") if library.name.startswith(f.stem))
    library.unlink()
    source.with_suffix(".c.cached").unlink()
    second = start(tmp_path, wait=False)
    assert second.wait(timeout=240) == 0
    assert source.with_suffix(".c.cached").exists()


# the module alone: the package takes seconds to import
ASK = f"""
import runpy, time
import numpy as np
cache = runpy.run_path({cache.__file__!r})
def make():
    with open(cache["folder"]() / "made", "a") as file:
        file.write("x")
    time.sleep(1.0)
    return {{"a": np.arange(3.0)}}
print(cache["kept"]("tables", "key", make)["a"].tolist())
"""


def test_one_of_several_processes_computes(tmp_path):
    """The others wait and read what it wrote."""
    (tmp_path / "fem_clearance").mkdir()
    others = [
        subprocess.Popen(
            [sys.executable, "-c", ASK],
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    assert [p.communicate()[0] for p in others] == ["[0.0, 1.0, 2.0]\n"] * 3
    assert (tmp_path / "fem_clearance" / "made").read_text() == "x"


def test_kept_arrays_follow_their_key_and_survive_a_broken_file(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    calls = []

    def make(value):
        calls.append(value)
        return {"a": np.array([value])}

    def ask(value):
        return cache.kept("tables", f"value {value}", lambda: make(value))["a"].tolist()

    assert [ask(1), ask(2), ask(1)] == [[1], [2], [1]]
    assert calls == [1, 2]
    (file, *_) = sorted((tmp_path / "fem_clearance" / "tables").glob("*.npz"))
    file.write_bytes(file.read_bytes()[:40])
    assert [ask(1), ask(2)] == [[1], [2]]
    assert len(calls) == 3
