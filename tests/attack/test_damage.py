"""Damaged files of a run: one sentence that names the file, exit code 2; never other numbers."""

import json
import os
import pickle
import re
import shutil

import h5py
import numpy as np
import pytest

from ..conftest import shell

pytestmark = pytest.mark.slow

CASE = """
import fem_clearance as fc

def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    ball = system.add(fc.RigidBody(shape=fc.shapes.Sphere(0.02), density=7800, name="ball"))
    system.add(fc.SphericalClearance(
        system.ground.at((0, 0, 0)), ball.center, socket_radius=0.021, ball_radius=0.02,
        normal=fc.Hertz(), stiffness=1e9, name="joint"))
    return system

case = fc.Case("ball", "a ball in a socket", build, settings={
    "t_end": 0.02, "dt": 1e-4, "adaptive": False, "output.fields_every": 5e-3,
    "checkpoint.every_s": 0.0})
"""
H5, ROWS, SUMMARY, STATE = "results.h5", "results.rows", "summary.json", "checkpoint/state.npz"
PVD, FRAMES = "fields/fields.pvd", "fields/frames.h5"
SCENE, TOML = "scene.json", "case.toml"
#: of a finished run ("done") and one that was killed ("killed"): what reads each of its files
READS = {
    (H5, "done"): "export {} --csv out.csv",
    (SUMMARY, "done"): "report {} --html out.html",
    (TOML, "done"): "plot {}",
    (FRAMES, "done"): "view {} --html out.html",
    (SCENE, "done"): "view {} --html out.html",
    (ROWS, "killed"): "export {} --csv out.csv",
    (STATE, "killed"): "resume {} --quiet --trust",
    (TOML, "killed"): "resume {} --quiet --trust",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A finished run with figures and one that was killed, by name."""
    import signal
    import subprocess
    import sys
    import time

    here = tmp_path_factory.mktemp("runs")
    (here / "ball.py").write_text(CASE)
    assert shell(f"run {here}/ball.py --out {here}/done --quiet") == 0
    assert shell(f"plot {here}/done --quiet") == 0
    command = [sys.executable, "-m", "fem_clearance", "run", f"{here}/ball.py", "--out"]
    run = subprocess.Popen([*command, f"{here}/killed", "--t-end", "1000"], stderr=subprocess.PIPE)
    while not (here / "killed" / STATE).exists() or not (here / "killed" / PVD).exists():
        assert run.poll() is None and run.stderr is not None
        time.sleep(0.05)
    time.sleep(1.0)
    run.send_signal(signal.SIGKILL)
    run.wait()
    (here / "killed" / H5).unlink(missing_ok=True)
    # How far the run came depends on the processor: it is to go on for 100 steps more.
    with np.load(here / "killed" / STATE) as state:
        t_end = json.loads(state["__about__"].item())["t"] + 0.01
    text = (here / "killed" / TOML).read_text()
    text, count = re.subn(r"(?m)^t_end = .*$", f"t_end = {t_end!r}", text)
    assert count == 1
    (here / "killed" / TOML).write_text(text)
    return here


def halved(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def shorter(path):
    path.write_bytes(path.read_bytes()[:-64])


def zeros(path):
    path.write_bytes(bytes(path.stat().st_size))


def a_folder(path):
    path.unlink()
    path.mkdir()


def a_pipe(path):
    path.unlink()
    os.mkfifo(path)


EVERYWHERE = {
    "emptied": lambda path: path.write_bytes(b""),
    "halved": halved,
    "64 bytes shorter": shorter,
    "zeros": zeros,
    "random": lambda path: path.write_bytes(np.random.default_rng(1).bytes(path.stat().st_size)),
    "a folder": a_folder,
    "a pipe": a_pipe,
}
#: what is no damage: the last row of rows is torn by a kill; a text may end early and be whole
WHOLE = {(ROWS, "halved"), (ROWS, "64 bytes shorter"), (TOML, "halved"), (TOML, "emptied"),
         (TOML, "64 bytes shorter")}  # fmt: skip


def words_for_times(file):
    rows = len(file["time"])
    del file["time"]
    file["time"] = ["noon"] * rows


def h5(change):
    def damage(path):
        with h5py.File(path, "r+") as file:
            change(file)

    return damage


def replaced(old, new):
    def damage(path):
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return damage


def array(name, change):
    """Of a checkpoint."""

    def damage(path):
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        change(arrays, name)
        np.savez(path.with_suffix(""), **arrays)

    return damage


def reversed_time(file):
    file["time"][:] = file["time"][:][::-1]


def shortened(file):
    values = file["ball.x"][:-1]
    del file["ball.x"]
    file["ball.x"] = values


class Bomb:
    """Unpickled it would leave a file."""

    def __reduce__(self):
        return (os.mkdir, ("exploded",))


def bomb(path):
    with open(path, "wb") as file:
        pickle.dump(Bomb(), file)


SPECIAL = {
    (H5, "done"): {
        "of another program": lambda path: h5py.File(path, "w").close(),
        "a column missing": h5(lambda f: f.__delitem__("ball.x")),
        "a column too short": h5(shortened),
        "times go back": h5(reversed_time),
        "no unit": h5(lambda f: f["ball.x"].attrs.__delitem__("unit")),
        "rows of a text": h5(lambda f: f.attrs.__setitem__("rows", "many")),
    },
    (SUMMARY, "done"): {
        "a list": lambda path: path.write_text("[1, 2]"),
        "nested": lambda path: path.write_text("[" * 100_000),
        "a number": lambda path: path.write_text("1e999"),
    },
    (FRAMES, "done"): {
        "an array missing": h5(lambda f: f.__delitem__("position")),
        "times of words": h5(words_for_times),
        "a picture": lambda path: path.write_bytes(b"\x89PNG\r\n"),
    },
    (SCENE, "done"): {
        "a list": lambda path: path.write_text("[1, 2]"),
        "nested": lambda path: path.write_text("[" * 100_000),
        "no bodies": replaced('"bodies"', '"corpses"'),
        "no frames": replaced('"frames"', '"pictures"'),
    },
    (STATE, "killed"): {
        "an array missing": array("state.q", lambda a, n: a.pop(n)),
        "an array too short": array("state.q", lambda a, n: a.update({n: a[n][:-1]})),
        "of texts": array("newton.numbers", lambda a, n: a.update({n: np.array(["x"] * 8)})),
        "nothing about it": array("__about__", lambda a, n: a.pop(n)),
        "about nothing": array("__about__", lambda a, n: a.update({n: np.array("[]")})),
        "another format": array("__about__", lambda a, n: a.update({n: np.array('{"format": 1}')})),
        "no times": array("__about__", lambda a, n: a.update({n: np.array('{"format": 2}')})),
        "a pickle": bomb,
    },
    (TOML, "done"): {
        "a key twice": lambda path: path.write_text(path.read_text() + "t_end = 3\n"),
        "a key twice, quoted": lambda path: path.write_text(
            path.read_text() + '"output.every" = 2\n'
        ),
        "no case": replaced("case = ", "other = "),
        "5000 digits": lambda path: path.write_text(f'case = "x"\nt_end = {"9" * 5000}\n'),
        "nested": lambda path: path.write_text('case = "x"\na = ' + "[" * 100_000),
        "not UTF-8": lambda path: path.write_bytes(b'case = "\xff"\n'),
    },
}  # fmt: skip


#: said in other words
ELSEWHERE = ("a folder", "a pipe", "a file missing", "another format", "an array too short")


def commanded(text, capfd) -> tuple[int, str]:
    """Exit code of a command and the one line that says why."""
    capfd.readouterr()
    code = shell(text)
    said = capfd.readouterr().err
    assert code in (0, 2, 3) and "Traceback" not in said, said
    reasons = [line for line in said.splitlines() if line.startswith("fem-clearance: ")]
    assert len(reasons) == (code != 0), said
    return code, reasons[0] if reasons else ""


@pytest.mark.parametrize(("file", "state"), READS)
def test_damaged(runs, here, capfd, attack, file, state):
    everywhere = {n: d for n, d in EVERYWHERE.items() if (file, n) not in WHOLE}
    for name, damage in {**everywhere, **SPECIAL.get((file, state), {})}.items():
        run = here / "run"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(runs / state, run)
        damage(run / file)
        with attack("a damaged file", f"{file} of a run that is {state}: {name}"):
            code, message = commanded(READS[file, state].format("run"), capfd)
            assert code == 2, (code, message)
            assert os.path.basename(file) in message or name in ELSEWHERE, message
            if file != TOML and name not in ELSEWHERE:
                assert " is damaged: " in message, message
            assert not (here / "exploded").exists()


def test_rows_that_the_checkpoint_counts(runs, here, capfd, attack):
    """A run does not go on after rows that are missing."""
    shutil.copytree(runs / "killed", here / "run")
    path = here / "run" / ROWS
    start = path.read_bytes().index(b"\n")
    path.write_bytes(path.read_bytes()[: start + 100])
    with attack("a damaged file", "rows that are missing"):
        code, message = commanded("resume run --quiet --trust", capfd)
        assert code == 2 and "results.rows is damaged: it holds" in message, message


def test_a_log_is_no_data(runs, here, capfd, attack):
    """Whatever lies in it, the page shows what can be read."""
    shutil.copytree(runs / "done", here / "run")
    for content in (b"\xff\xfe\n WARNING \x00\xff\n", b"", bytes(1000)):
        (here / "run" / "log.txt").write_bytes(content)
        with attack("a damaged file", f"log.txt: {content[:20]!r}"):
            assert commanded("report run --html out.html", capfd)[0] == 0


def test_figures_are_pictures(runs, here, capfd, attack):
    """Nothing else gets into a page, which people hand on."""
    shutil.copytree(runs / "done", here / "run")
    figure = sorted((here / "run" / "figures").glob("*.png"))[0]
    figure.write_text("secret")
    with attack("a damaged file", "a figure that is a text"):
        code, message = commanded("report run --html out.html", capfd)
        assert code == 2 and f"{figure.name} is damaged" in message
        assert not (here / "out.html").exists()


@pytest.mark.timeout(3 * 3600)  # a busy machine takes over an hour for them
def test_truncated_anywhere(runs, here, capfd, attack):
    """200 files of runs cut at random places: numbers are those of the whole file, or refused."""
    random = np.random.default_rng(20261128)
    numbers = {}
    for state in ("done", "killed"):
        assert commanded(f"export {runs / state} --csv whole.csv", capfd)[0] == 0
        numbers[state] = (here / "whole.csv").read_text()
    for k in range(200):
        state = ("done", "killed")[k % 2]
        run = here / "run"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(runs / state, run)
        files = sorted(p for p in run.rglob("*") if p.is_file() and p.stat().st_size)
        path = files[random.integers(len(files))]
        size = int(random.integers(path.stat().st_size))
        with open(path, "r+b") as file:
            file.truncate(size)
        with attack("a file cut at random", f"{path.relative_to(run)} at {size}"):
            code, _ = commanded("export run --csv out.csv", capfd)
            if code == 0:
                assert numbers[state].startswith((here / "out.csv").read_text())
            commanded("view run --html out.html", capfd)
            commanded("report run --html out.html", capfd)
            if state == "killed":
                commanded("resume run --quiet --trust", capfd)
            summary = run / SUMMARY
            if summary.exists() and path != summary:
                assert isinstance(json.loads(summary.read_text()), dict)
