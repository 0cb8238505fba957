"""What SECURITY.md states: which inputs are executed, and which are not."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import program
from fem_clearance.dolfinx import states
from fem_clearance.io import checkpoint
from fem_clearance.program import commands

from .conftest import shell
from .program.test_trust import CASE

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_the_page_names_tests_that_exist():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 10
    for file, test in named:
        assert (
            f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")
            if test
            else (ROOT / file).exists()
        )


def test_who_loads_cases():
    """Of the commands that look at a folder only those that draw its case's figures, and these ask
    for ``--trust``."""
    folder = Path(program.__file__).parent
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    users = {name: text for name, text in files.items() if "case_files import" in text}
    assert {"commands.py", "figures.py", "report.py"} == {*users} - {"cli.py"}
    assert "import FOLDERS\n" in users["cli.py"] and users["cli.py"].count("case_files") == 1
    assert all("of_run(run, trust)" in users[name] for name in ("figures.py", "report.py"))
    for command in (commands.do_export, commands.do_view, commands.do_animate):
        assert not re.search(r"\b(load|of_run|to_resume)\(", inspect.getsource(command))


@pytest.fixture
def seen(here):
    """A folder that appears when the case is run, and the case's text."""
    return here / "seen", CASE.format(first=f"os.mkdir({str(here / 'seen')!r})")


def test_a_case_imports_what_lies_beside_it(here):
    (here / "beside.py").write_text(f"import os\nos.mkdir({str(here / 'seen')!r})\n")
    (here / "mine.py").write_text(CASE.format(first="import beside"))
    assert shell("check mine.py") == 0
    assert (here / "seen").exists()


def test_a_case_file_runs_the_file_that_it_names(here, seen):
    folder, text = seen
    (here / "run").mkdir()
    (here / "run" / "mine.py").write_text(text)
    (here / "run" / "case.toml").write_text('case = "mine.py"\n')
    assert shell("check run/case.toml") == 0
    assert folder.exists()


def test_reading_results_runs_nothing(here, seen):
    folder, text = seen
    (here / "mine.py").write_text(text)
    assert shell("run mine.py --out run --quiet") == 0
    folder.rmdir()
    results = fc.Results.open(here / "run")
    assert results["ball.y"][-1] < 0 and results.summary["steps"] and len(results.motion.time)
    assert not folder.exists()


class Exploding:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.mkdir, (self.path,)


def readers(path: Path):
    """Each reader of files of NumPy that a user may have received."""
    return {
        "checkpoint": lambda: checkpoint.read(path.parent),
        "matrices": lambda: fc.BodyMatrices.load(path),
        "worn profile": lambda: fc.lubrication.WornProfile.read(path),
        "state": lambda: states.load(path),
    }


@pytest.mark.parametrize("what", readers(Path()))
def test_nothing_is_unpickled(tmp_path, what):
    path, exploded = tmp_path / checkpoint.NAME, tmp_path / "exploded"
    entry = np.array([Exploding(exploded)], dtype=object)
    names = "__about__", "about", "mass", "stiffness", "depth", "nodes"
    np.savez(path, **dict.fromkeys(names, entry))
    with np.load(path, allow_pickle=True) as file:
        _ = file["mass"]
    exploded.rmdir()  # it is there where objects are allowed
    with pytest.raises(fc.InputError):
        readers(path)[what]()
    assert not exploded.exists()
