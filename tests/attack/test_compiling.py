"""Compiling under attack: killed, damaged, without compiler, without room."""

import errno
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time

import pytest

from .forks import Ended

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

RUN = ["run", "heavy_top", "--dt", "1e-3", "--t-end", "2e-3"]
#: the program, to which every change below a folder is denied with an error number
DENIED = """
import os, sys
folder, number = sys.argv[1], int(sys.argv[2])
def deny(event, args):
    if not args or folder not in str(args[0]):
        return
    writes = event == "open" and (args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    if writes or event in ("os.mkdir", "os.rename", "os.remove", "os.chmod"):
        raise OSError(number, os.strerror(number), str(args[0]))
sys.addaudithook(deny)
from fem_clearance.program.cli import main
sys.exit(main(sys.argv[3:]))
"""


def start(cache, out, denied=0, **options):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), **options.pop("env", {})}
    program = ["-c", DENIED, str(cache), str(denied)] if denied else ["-m", "fem_clearance"]
    return subprocess.Popen(
        [sys.executable, *program, *RUN, "--out", str(out)], env=environment,
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
    (tmp_path / "file").write_text("")
    with attack("caches that cannot be used", "a file"):
        end = run(tmp_path / "file", tmp_path / "r1")
        end.sentence(0)
        assert end.said.count("cannot be used") == 1
    for number in (errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EDQUOT, errno.EIO):
        what = os.strerror(number)
        with attack("caches that cannot be used", f"{what}, complete"):
            end = run(filled, tmp_path / f"a{number}", denied=number)
            end.sentence(0)
            assert "cannot be used" not in end.said  # nothing is missing there
        with attack("caches that cannot be used", f"{what}, empty"):
            (tmp_path / f"empty{number}" / "fem_clearance").mkdir(parents=True)
            end = run(tmp_path / f"empty{number}", tmp_path / f"b{number}", denied=number)
            end.sentence(0)
            assert end.said.count("cannot be used") == 1 and what in end.said
    with attack("caches that cannot be used", "no compiler"):
        end = run(tmp_path / "new", tmp_path / "r4", env={"CC": "no-such-compiler"})
        assert "no C compiler found" in end.sentence(2)
        assert not (tmp_path / "r4").exists()
    with attack("caches that cannot be used", "no compiler, but all is compiled"):
        run(filled, tmp_path / "r5", env={"PATH": "/nowhere"}).sentence(0)


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


def test_what_compiles_is_announced(tmp_path, attack):
    """Kind by kind with how many there are, and nothing once all are in the cache."""
    with attack("compiling", "announced"):
        said = run(tmp_path / "cache", tmp_path / "one").said.splitlines()
        kinds = [line for line in said if line.startswith("preparing the forms")]
        (count,) = {line.partition(" of ")[2].split(",")[0].split()[0] for line in kinds}
        for k, line in enumerate(kinds, 1):
            assert f", {k} of {count} kinds" in line and "Kind" not in line
        assert len(kinds) == int(count) and "s so far" in kinds[-1] and "s so far" not in kinds[0]
        assert any(line.startswith("forms are ready after ") for line in said)
        assert "forms" not in run(tmp_path / "cache", tmp_path / "two").said
