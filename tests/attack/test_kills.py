"""Runs, analyses and overwrites killed at every file event: nothing is lost, all can go on.

The right values are those of a run that nobody killed, bit for bit.
"""

import os
import shutil
import time

import numpy as np
import pytest

import fem_clearance as fc

from .forks import kill_at, shell

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

#: three steps of a top, a checkpoint and a shape after each
SETTINGS = {"checkpoint.every_s": 0, "output.fields_every": 1}
TOP = ["run", "heavy_top", "--force", "--dt", "1e-3", "--t-end", "3e-3", "--quiet", "--set"]
TOP += [f"{key}={value}" for key, value in SETTINGS.items()]
FILM = ["run", "journal_bearing", "--force", "--quiet", "--set", "film.cells=12x4"]
SLOWER = ["run", "heavy_top", "--force", "--dt", "1e-3", "--t-end", "0.05", "--quiet"]


def deaths(command, folder, prepare):
    """Kill a command at each of its file events in turn, each time on a fresh copy of what
    ``prepare`` makes; yields the number of the event."""
    for number in range(1, 1000):
        shutil.rmtree(folder, ignore_errors=True)
        prepare()
        end = shell([*command, "--out", folder], kill_at(folder, number))
        if end.code == 0:
            return
        assert end.code == -9, end
        yield number


def same(folder, reference):
    found, wanted = fc.Results.open(folder), fc.Results.open(reference)
    assert "stopped" not in found.summary
    for name in ("time", *wanted.names):
        np.testing.assert_array_equal(found[name], wanted[name])


@pytest.mark.parametrize("over", ["nothing", "a run", "an analysis"])
def test_runs(tmp_path, attack, over):
    """Of a folder with a run or an analysis in it that is overwritten the old case or the new one
    can be started again, but never is it somebody else's folder or a script's."""
    whole, old, folder = tmp_path / "whole", tmp_path / "old", tmp_path / "run"
    shell([*TOP, "--out", whole]).sentence(0)
    if over != "nothing":
        shell([*(SLOWER if over == "a run" else FILM), "--out", old]).sentence(0)

    def prepare():
        if old.exists():
            shutil.copytree(old, folder)

    for number in deaths(TOP, folder, prepare):
        with attack(f"kills of a run over {over}, at a file event", f"{number}"):
            if (folder / "case.toml").exists():
                text = (folder / "case.toml").read_text()
                if text == (whole / "case.toml").read_text():
                    shell(["resume", folder, "--quiet"]).sentence(0)
                    same(folder, whole)
                    continue
                assert over != "nothing" and text == (old / "case.toml").read_text()
            elif folder.exists():
                assert "script" not in shell(["resume", folder, "--quiet"]).sentence(2)
            shell([*TOP, "--out", folder]).sentence(0)
            same(folder, whole)


def test_analyses(tmp_path, attack):
    whole, folder = tmp_path / "whole", tmp_path / "run"
    shell([*FILM, "--out", whole]).sentence(0)
    for number in deaths(FILM, folder, lambda: None):
        with attack("kills of an analysis, at a file event", f"{number}"):
            shell([*FILM, "--out", folder]).sentence(0)
            same(folder, whole)


def test_kills_while_it_goes_on(tmp_path, attack):
    """The one that resumes is killed too, at each of its file events."""
    whole, cut, folder = tmp_path / "whole", tmp_path / "cut", tmp_path / "run"
    shell([*TOP, "--out", whole]).sentence(0)
    shell([*TOP, "--out", cut, "--max-steps", "1"]).sentence(3)
    for number in range(1, 1000):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(cut, folder)
        end = shell(["resume", folder, "--quiet"], kill_at(folder, number))
        with attack("kills of a run that goes on, at a file event", f"{number}"):
            if end.code == 0:
                same(folder, whole)
                break
            assert end.code == -9, end
            shell(["resume", folder, "--quiet"]).sentence(0)
            same(folder, whole)


def test_races(tmp_path, attack):
    """Three processes for one new folder at the same instant: one wins, two hear of it."""
    for k in range(5):
        with attack("races of three processes for a folder", f"{k}"):
            folder, go = tmp_path / f"run{k}", tmp_path / f"go{k}"

            def wait(go=go):
                while not go.exists():
                    time.sleep(1e-3)

            children = []
            for _ in range(3):
                pid = os.fork()
                if not pid:
                    try:
                        end = shell([*SLOWER, "--out", folder], wait)
                        ok = end.code == 0 or (end.code == 2 and "another run" in end.sentence(2))
                        os._exit(end.code if ok else 9)
                    finally:
                        os._exit(9)
                children.append(pid)
            time.sleep(0.1)
            go.touch()
            codes = sorted(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children)
            assert codes == [0, 2, 2]
            assert len(fc.Results.open(folder)) == 51
