"""Run folders: what may be written to, and what may not."""

import contextlib
import logging
import os
import subprocess
import sys
from importlib import metadata

from mpi4py import MPI

import pytest

import fem_clearance as fc
from fem_clearance.core import ends
from fem_clearance.io import folder, ranks
from fem_clearance.io.folder import RunFolder


def test_new_folder(tmp_path):
    run = RunFolder(tmp_path / "a" / "b")
    run.check()
    assert not run.path.exists()
    run.claim(keep=False)
    assert run.path.is_dir()
    run.unlock()
    assert [f.name for f in run.path.iterdir()] == [folder.MARK]


def test_the_version_is_that_of_the_code(monkeypatch):
    """An editable installation keeps the metadata of the version that was installed."""
    monkeypatch.setattr(metadata, "version", lambda name: "0.0.1")
    found = folder.versions()
    assert found["fem_clearance"] == fc.__version__ and found["numpy"] == "0.0.1"


class Node:
    """Three ranks on one machine, seen from the first."""

    rank, size = 0, 3

    def __init__(self, *cores):
        self.cores = cores

    def Split_type(self, kind):
        return self

    def allgather(self, own):
        return self.cores

    def gather(self, found):
        return [found] * self.size

    def Free(self):
        pass


@pytest.mark.parametrize(
    ("cores", "few"),
    [
        (({0, 1},) * 3, "2 cores"),
        (({3},) * 3, "1 core"),
        (({4, 5, 6, 7},) * 3, ""),
        (({0}, {1}, {2}), ""),  # bound by the launcher
    ],
)
def test_more_ranks_than_cores(caplog, cores, few):
    ranks.warn_of_crowd(Node(*cores))
    warned = (
        f"3 ranks share {few}: a rank that waits keeps its core busy, so that steps take many "
        "times as long; start at most one rank for each core."
    )
    assert [record.getMessage() for record in caplog.records] == ([warned] if few else [])


def test_foreign_folder_and_file(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(fc.InputError, match="not a run"):
        RunFolder(tmp_path).check()
    with pytest.raises(fc.InputError, match="is a file"):
        RunFolder(tmp_path / "notes.txt" / "run").check()
    (tmp_path / "notes.txt").unlink()
    (tmp_path / "case.toml").write_text("a user's own case file is no run")
    with pytest.raises(fc.InputError, match="not a run"):
        RunFolder(tmp_path).check()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_no_permission(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(fc.InputError, match="permission"):
        RunFolder(tmp_path / "closed" / "run").check()


def test_overwriting_removes_ours_only(tmp_path):
    for name in ("results.h5", "case.toml", "mine.txt"):
        (tmp_path / name).write_text("x")
    (tmp_path / "fields").mkdir()
    run = RunFolder(tmp_path)
    run.check()
    run.claim(keep=False)
    run.unlock()
    assert sorted(os.listdir(tmp_path)) == [folder.MARK, "mine.txt"]


def test_a_run_killed_at_any_instant_of_its_start_can_be_started_again(tmp_path):
    """What is there after each file event of a first run and of one that overwrites it: a run's
    folder to be claimed, whose case file is the old one or the new one."""
    path = tmp_path / "run"
    states: list[set[str]] = []

    def look(event, args):
        names = ("open", "os.mkdir", "os.rename", "os.remove", "shutil.rmtree")
        if watching and event in names and str(path) in str(args[0]) and path.exists():
            states.append({f.name for f in path.iterdir()})

    watching = True
    sys.addaudithook(look)
    for case in ('case = "first"\n', 'case = "second"\n'):
        run = RunFolder(path)
        run.check()
        states.clear()
        run.claim(keep=False, case=case)
        assert (path / "case.toml").read_text() == case
        assert all(not names or folder.MARK in names for names in states), states
        assert case == 'case = "first"\n' or all("case.toml" in names for names in states), states
        for name in ("summary.json", "results.rows", "log.txt"):
            run.write(name, "x")
        (path / "checkpoint").mkdir()
        run.unlock()
    watching = False
    assert len(states) > 6


def test_a_mark_is_a_run(tmp_path):
    """All that a run leaves that was killed before it had written anything."""
    run = RunFolder(tmp_path / "run")
    run.claim(keep=False)
    run.unlock()
    again = RunFolder(tmp_path / "run")
    again.check()
    again.claim(keep=False)
    again.unlock()


def test_who_finds_a_finished_run_where_there_was_none_does_not_overwrite_it(tmp_path):
    """Both had looked at the folder before either wrote."""
    one, other = RunFolder(tmp_path / "run"), RunFolder(tmp_path / "run")
    one.check()
    other.check()
    one.claim(keep=False)
    with pytest.raises(fc.InputError, match="another run is writing"):
        other.claim(keep=False)
    one.write("summary.json", "{}")
    one.unlock()
    with pytest.raises(fc.InputError, match="in the meantime"):
        other.claim(keep=False)


def test_one_writer_at_a_time(tmp_path):
    run = RunFolder(tmp_path / "run")
    run.claim(keep=False)
    script = (
        "import sys; from fem_clearance.io.folder import RunFolder\n"
        "from fem_clearance import InputError\n"
        "try: RunFolder(sys.argv[1]).check()\nexcept InputError as e: print(e)"
    )
    out = subprocess.run(
        [sys.executable, "-c", script, str(run.path)], capture_output=True, text=True, check=True
    )
    assert "another run is writing" in out.stdout
    run.unlock()
    out = subprocess.run(
        [sys.executable, "-c", script, str(run.path)], capture_output=True, text=True, check=True
    )
    assert out.stdout == ""


def test_log_holds_what_was_said_before_the_folder_existed(tmp_path):
    log = logging.getLogger("fem_clearance.test")
    level = logging.getLogger("fem_clearance").level
    with folder.run_log(MPI.COMM_SELF) as to_file:
        log.info("first")
        to_file(tmp_path / "log.txt")
        log.warning("second")
    log.warning("third")
    lines = (tmp_path / "log.txt").read_text().splitlines()
    assert [line.split()[-1] for line in lines] == ["first", "second"]
    assert logging.getLogger("fem_clearance").level == level


@pytest.mark.parametrize(
    ("root", "package", "part", "seen"),
    [
        (logging.WARNING, 0, 0, "warning"),
        (logging.INFO, 0, 0, "info warning"),
        (logging.INFO, logging.ERROR, 0, ""),
        (logging.WARNING, logging.DEBUG, 0, "debug info warning"),
        (logging.WARNING, 0, logging.DEBUG, "debug info warning"),
    ],
)
def test_a_run_keeps_the_users_level(root, package, part, seen, tmp_path, caplog):
    """What the user's handlers get is what they would get without a run; the file gets INFO."""
    log = logging.getLogger("fem_clearance.test.part")
    levels = ("", root), ("fem_clearance", package), ("fem_clearance.test", part)
    with contextlib.ExitStack() as stack:
        for name, level in levels:
            stack.enter_context(caplog.at_level(level, logger=name or None))
        caplog.handler.setLevel(0)
        with folder.run_log(MPI.COMM_SELF) as to_file:
            to_file(tmp_path / "log.txt")
            log.debug("debug")
            log.info("info")
            log.warning("warning")
            logging.getLogger("other").log(root, "foreign")
        log.info("after")
    text = seen if "debug" in seen else "info warning"
    said = [line.split()[-1] for line in (tmp_path / "log.txt").read_text().splitlines()]
    assert " ".join(said) == text
    found = [r.getMessage() for r in caplog.records]
    assert " ".join(x for x in found if x not in ("foreign", "after")) == seen
    assert "foreign" in found and ("after" in found) == ("info" in seen)


@pytest.mark.mpi
def test_an_error_of_rank_0_reaches_all(comm):
    def fail():
        raise fc.InputError("only rank 0 knows")

    with pytest.raises(fc.InputError, match="only rank 0"):
        ranks.on_root(comm, fail)
    assert ranks.on_root(comm, lambda: comm.rank) == 0


@pytest.mark.mpi
def test_the_worst_code_wins(comm):
    code, message = ends.agree(comm, 2 if comm.rank == comm.size - 1 else 0, f"rank {comm.rank}")
    assert (code, message) == (2, f"rank {comm.size - 1}")
