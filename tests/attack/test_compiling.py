"""Compiling under attack: killed, damaged, without compiler, without room."""

import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time

import pytest

from .forks import Ended

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

RUN = ["run", "heavy_top", "--dt", "1e-3", "--t-end", "2e-3"]
#: a user without rights, where the tests are run by root
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def start(cache, out, **options):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), **options.pop("env", {})}
    return subprocess.Popen(
        [sys.executable, "-m", "fem_clearance", *RUN, "--out", str(out)], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def run(cache, out, **options) -> Ended:
    process = start(cache, out, **options)
    said = process.communicate(timeout=500)[1]
    return Ended(process.returncode, said)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("filled")
    run(path / "cache", path / "run").sentence(0)
    return path / "cache"


def libraries(cache):
    return sorted((cache / "fem_clearance" / "forms").glob("*/*.so"))


def test_damaged_libraries(filled, tmp_path, attack):
    """Every library that a run loads, in one of three ways."""
    ways = {
        "cut": lambda whole: whole[: random.Random(1).randrange(100, len(whole))],
        "empty": lambda whole: b"",
        "zeros": lambda whole: whole[:4096] + bytes(len(whole) - 4096),
    }
    for k, library in enumerate(libraries(filled)):
        how = list(ways)[k % 3]
        with attack("damaged libraries", f"{library.name} {how}"):
            library.write_bytes(ways[how](library.read_bytes()))
            end = run(filled, tmp_path / f"run{k}")
            end.sentence(0)
            assert end.said.count("it is compiled anew") == 1


def test_kills(tmp_path, attack):
    """Of two on an empty cache one is killed at a random instant, the other goes on; then a third
    finds all that it needs."""
    rng = random.Random(3)
    for k in range(4):
        with attack("kills of a process that compiles", f"{k}"):
            cache = tmp_path / f"cache{k}"
            first = start(cache, tmp_path / f"a{k}")
            time.sleep(rng.uniform(2, 12))
            second = start(cache, tmp_path / f"b{k}")
            time.sleep(rng.uniform(1, 6))
            first.kill()
            first.communicate()
            said = second.communicate(timeout=300)[1]
            Ended(second.returncode, said).sentence(0)
            made = [f.stat().st_mtime_ns for f in libraries(cache)]
            run(cache, tmp_path / f"c{k}").sentence(0)
            assert made == [f.stat().st_mtime_ns for f in libraries(cache)]


def test_places(filled, tmp_path, attack):
    """Caches that cannot be used: one sentence, and the run goes on."""
    open_to_all = tmp_path / "open"
    open_to_all.mkdir(mode=0o777)
    open_to_all.chmod(0o777)
    for parent in open_to_all.parents[:4]:
        parent.chmod(parent.stat().st_mode | 0o055)
    (tmp_path / "file").write_text("")
    read_only = tmp_path / "read_only"
    shutil.copytree(filled, read_only)

    def sealed(folder):
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)

    sealed(read_only)
    empty = tmp_path / "empty"
    (empty / "fem_clearance").mkdir(parents=True)
    sealed(empty)
    with attack("caches that cannot be used", "a file"):
        end = run(tmp_path / "file", tmp_path / "r1")
        end.sentence(0)
        assert end.said.count("cannot be used") == 1
    with attack("caches that cannot be used", "read-only, complete"):
        end = run(read_only, open_to_all / "r2", **NOBODY)
        end.sentence(0)
        # of root's own making, or of this user's: nothing is missing there
        assert "cannot be used" not in end.said
    with attack("caches that cannot be used", "read-only, empty"):
        end = run(empty, open_to_all / "r3", **NOBODY)
        end.sentence(0)
        assert end.said.count("cannot be used") == 1
    with attack("caches that cannot be used", "no compiler"):
        end = run(tmp_path / "new", tmp_path / "r4", env={"CC": "no-such-compiler"})
        assert "no C compiler found" in end.sentence(2)
        assert not (tmp_path / "r4").exists()
    with attack("caches that cannot be used", "no compiler, but all is compiled"):
        run(filled, tmp_path / "r5", env={"PATH": "/nowhere"}).sentence(0)
    with attack("caches that cannot be used", "no room for a library"):
        # as on a full disk, for the process and its compiler
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

        end = run(tmp_path / "full", tmp_path / "r6", preexec_fn=small)
        end.sentence(2, 3)


def test_other_machines(filled, tmp_path, attack):
    """What was compiled for another processor is left alone, and a library that does not load here
    is compiled anew."""
    (machine,) = (filled / "fem_clearance" / "forms").iterdir()
    with attack("shared homes", "another processor's"):
        home = tmp_path / "home"
        shutil.copytree(filled, home)
        other = home / "fem_clearance" / "forms" / machine.name
        other.rename(other.with_name("m68k-00000000"))
        before = {f: f.read_bytes() for f in libraries(home)}
        run(home, tmp_path / "r1").sentence(0)
        assert before.items() <= {f: f.read_bytes() for f in libraries(home)}.items()
    with attack("shared homes", "a library that does not load"):
        home = tmp_path / "other"
        shutil.copytree(filled, home)
        library = libraries(home)[0]
        library.write_bytes(b"\x7fELF" + bytes(200))
        for note in library.parent.glob("*.json"):
            about = json.loads(note.read_text())
            if about["file"] == library.name:
                about["sha256"] = hashlib.sha256(library.read_bytes()).hexdigest()
                note.write_text(json.dumps(about))
        end = run(home, tmp_path / "r2")
        end.sentence(0)
        assert "cannot be loaded here" in end.said
