"""A run's folder is data: no code that it names is run unless the user says so."""

import os

import numpy as np
import pytest

import fem_clearance as fc

from ..conftest import shell

CASE = """
import os
import fem_clearance as fc

{first}

def build(p):
    system = fc.System(comm=p.comm)
    system.add(fc.RigidBody(shape=fc.shapes.Sphere(0.1), density=1000, name="ball", free=True))
    return system

def figures(results, p):
    yield "mine", results.plot("ball.y")

case = fc.Case("mine", "a case", build, figures=figures, settings={{
    "t_end": 2e-3, "dt": 1e-3, "adaptive": False, "output.fields_every": 1e-3}})
"""


@pytest.fixture
def run(here):
    """Of a case that makes a folder ``seen`` whenever it is run."""
    (here / "mine.py").write_text(CASE.format(first=f"os.mkdir({str(here / 'seen')!r})"))
    assert shell("run mine.py --out run --quiet") == 0
    (here / "seen").rmdir()
    return here / "run"


def test_drawn_without_its_code(run, here, capfd):
    assert shell("plot run --quiet") == shell("report run --quiet") == 0
    assert shell("export run --csv out.csv") == 0
    assert not (here / "seen").exists()
    assert "mine.py is a file that the folder names" in capfd.readouterr().err
    assert not (run / "figures" / "mine.png").exists() and os.listdir(run / "figures")
    assert shell("plot run --quiet --trust") == 0
    assert (here / "seen").exists() and (run / "figures" / "mine.png").exists()


def test_goes_on_with_the_file_it_began_with(run, here, capfd):
    assert shell("resume run --t-end 3e-3 --quiet") == 0
    (here / "seen").rmdir()
    y = fc.Results.open(run)["ball.y"]
    assert y[-1] == pytest.approx(-9.81 * 3e-3**2 / 2, rel=1e-6) and np.all(np.diff(y) < 0)
    (here / "mine.py").write_text((here / "mine.py").read_text() + "# changed\n")
    assert shell("resume run --t-end 4e-3 --quiet") == 2
    assert "is not the file that the run began with" in capfd.readouterr().err
    assert not (here / "seen").exists()
    assert shell("resume run --t-end 4e-3 --quiet --trust") == 0


def test_files_that_came_with_it_are_not_run(run, here, capfd):
    (here / "mine.py").rename(run / "mine.py")
    text = (run / "case.toml").read_text()
    for name in (str(run / "mine.py"), "mine.py", "../run/mine.py"):
        (run / "case.toml").write_text(text.replace(str(here / "mine.py"), name))
        assert shell("resume run --t-end 3e-3 --quiet") == 2
        assert "a file that came with it" in capfd.readouterr().err
        assert not (here / "seen").exists()


def test_nothing_is_written_through_links(run, here, capfd):
    (here / "precious").write_text("mine")
    (run / "log.txt").unlink()
    (run / "log.txt").symlink_to(here / "precious")
    assert shell("resume run --t-end 3e-3 --quiet") == 2
    assert "log.txt is a link" in capfd.readouterr().err
    assert (here / "precious").read_text() == "mine"


def test_a_case_file_says_when_its_case_has_changed(run, here, capfd):
    (here / "mine.py").write_text((here / "mine.py").read_text() + "# changed\n")
    assert shell("check run/case.toml") == 0
    assert "mine.py has changed since" in capfd.readouterr().err
