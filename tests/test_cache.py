"""What is compiled or computed between runs: kept whole, and no killed process stops the next."""

import json
import logging
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from fem_clearance import cache
from fem_clearance.errors import CompilationFailed

#: compiles a form and evaluates it; waits for a line first if it is asked to, with the lock held
COMPILE = """
import sys
from fem_clearance import cache
from fem_clearance.core import forms
from fem_clearance._backend import MPI
from fem_clearance.model.frame import RigidFrame
from fem_clearance.joints.ideal import IdealKind
built = cache._built
def slowly(place, key, build, what):
    def wait(folder):
        print("building", flush=True)
        sys.stdin.readline()
        return build(folder)
    return built(place, key, wait, what)
if {wait}:
    cache._built = slowly
forms.kernels(IdealKind(RigidFrame(), RigidFrame(), "spherical"), MPI.COMM_SELF)
print("compiled", flush=True)
"""


def start(folder, wait=False, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE.format(wait=wait)],
        env={**os.environ, "XDG_CACHE_HOME": str(folder), **environment},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache with a form in it."""
    path = tmp_path_factory.mktemp("cache")
    run = start(path)
    assert run.communicate(timeout=240)[0] == "compiled\n" and run.returncode == 0
    return path


def libraries(path):
    return sorted((path / "fem_clearance" / "forms").glob("*/*.so"))


def test_the_cache_is_private_and_by_machine(filled):
    assert (filled / "fem_clearance").stat().st_mode & 0o777 == 0o700
    (machine,) = (f for f in (filled / "fem_clearance" / "forms").iterdir())
    assert machine.name == cache._machine()
    notes = [json.loads(f.read_text()) for f in machine.glob("*.json")]
    assert {n["file"] for n in notes} == {f.name for f in libraries(filled)}
    assert not list(machine.glob("build-*"))


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "damage",
    ["truncated", "note", *(pytest.param(d, marks=SLOW) for d in ("empty", "one bit", "gone"))],
)
def test_damaged_libraries_are_compiled_anew(filled, damage):
    """A truncated library would end the process with SIGBUS where it is loaded."""
    library = libraries(filled)[0]
    whole = library.read_bytes()
    if damage == "truncated":
        library.write_bytes(whole[: len(whole) // 3])
    elif damage == "empty":
        library.write_bytes(b"")
    elif damage == "one bit":
        library.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
    elif damage == "gone":
        library.unlink()
    else:
        for note in library.parent.glob("*.json"):
            note.write_bytes(b"")
    run = start(filled)
    out, err = run.communicate(timeout=240)
    assert (run.returncode, out) == (0, "compiled\n"), err
    lines = err.splitlines()
    assert all("it is compiled anew" in line for line in lines)
    assert len(lines) == {"gone": 0, "note": len(libraries(filled))}.get(damage, 1)
    assert start(filled).communicate(timeout=240) == ("compiled\n", "")


def test_nobody_waits_for_a_process_that_was_killed(tmp_path):
    """Two on an empty cache: the one that compiles is killed, the other goes on at once."""
    first = start(tmp_path, wait=True)
    assert first.stdout.readline() == "building\n"
    second = start(tmp_path)
    time.sleep(1.0)
    first.kill()
    first.wait()
    assert second.communicate(timeout=240)[0] == "compiled\n"
    assert second.returncode == 0


@pytest.mark.slow
def test_one_of_two_compiles(tmp_path):
    first = start(tmp_path, wait=True)
    assert first.stdout.readline() == "building\n"
    second = start(tmp_path)
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(timeout=6)  # it waits for the first
    first.stdin.write("\n" * 9)
    first.stdin.close()
    assert first.wait(timeout=240) == second.wait(timeout=240) == 0
    made = [f.stat().st_ino for f in libraries(tmp_path)]
    assert start(tmp_path).wait(timeout=240) == 0
    assert made == [f.stat().st_ino for f in libraries(tmp_path)]


def test_without_a_compiler(tmp_path):
    run = start(tmp_path, CC="no-such-compiler")
    _, err = run.communicate(timeout=240)
    assert run.returncode == 1
    last = err.splitlines()[-1]
    assert last.startswith("fem_clearance.errors.InputError: no C compiler found: 'no-such-comp")


def unusable(tmp_path, how):
    if how == "a file":
        (tmp_path / "fem_clearance").write_text("")
    elif how == "below a file":
        (tmp_path / "x").write_text("")
        return tmp_path / "x"
    elif how == "another user's":
        (tmp_path / "fem_clearance").mkdir()
        os.chown(tmp_path / "fem_clearance", 12345, 12345)
    return tmp_path


@pytest.mark.parametrize("how", ["a file", "below a file", "another user's"])
def test_a_cache_that_cannot_be_used(tmp_path, how, monkeypatch, caplog):
    """A temporary folder takes its place, with one sentence."""
    if how == "another user's" and os.geteuid():
        pytest.skip("only root can give folders away")
    monkeypatch.setenv("XDG_CACHE_HOME", str(unusable(tmp_path, how)))
    made = [cache.forms() for _ in range(3)]
    assert made[0].is_dir() and len(set(made)) == 1 and tmp_path not in made[0].parents
    assert len(caplog.messages) == 1 and "lasts for this run only" in caplog.messages[0]
    kept = cache.kept("tables", "key", lambda: {"a": np.arange(3.0)})
    assert kept["a"].tolist() == [0, 1, 2]
    cache._instead.cache_clear()
    cache._usable.cache_clear()


def test_a_full_cache(tmp_path, monkeypatch, caplog):
    """What is computed is not kept, and one sentence says so."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def full(path, arrays):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_keep", full)
    for value in (1, 2):
        kept = cache.kept("tables", f"{value}", lambda value=value: {"a": np.array([value])})
        assert kept["a"].tolist() == [value]
    assert len(caplog.messages) == 1 and "No space left" in caplog.messages[0]
    cache._instead.cache_clear()


ASK = """
import time
import numpy as np
from fem_clearance import cache
def make():
    with open(cache.folder() / "made", "a") as file:
        file.write("x")
    time.sleep(1.0)
    return {"a": np.arange(3.0)}
print(cache.kept("tables", "key", make)["a"].tolist())
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


def test_what_takes_long_to_compile_is_named(monkeypatch, caplog):
    monkeypatch.setattr(cache, "NOTICE", 0.01)

    def build(folder):
        time.sleep(0.5)
        raise ValueError("no code")

    with caplog.at_level(logging.INFO, "fem_clearance"), pytest.raises(CompilationFailed):
        cache.module("slow", build, "the equations of a film")
    assert "compiling the equations of a film, used for the first time" in caplog.text
    assert "warm" not in caplog.text
