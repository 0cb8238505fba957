"""A run's folder that somebody else has made: nothing in it is run, nothing outside is written."""

import os
import shutil
from pathlib import Path

import pytest

from fem_clearance.program.case_files import load

from ..conftest import shell
from ..program.test_trust import CASE

pytestmark = pytest.mark.slow


@pytest.fixture
def run(here, capfd):
    """A user's run in ``run``, whose case lies beside it; what it may leave where it is run."""
    (here / "mine.py").write_text(CASE.format(first=""))
    assert shell("run mine.py --out run --quiet") == 0
    capfd.readouterr()
    return here / "run"


def hostile(here) -> str:
    """A case's text that leaves a folder when it is run."""
    return CASE.format(first=f"os.mkdir({str(here / 'exploded')!r})")


LOOKS = {
    "plot": "plot run --quiet",
    "report": "report run --quiet --html out.html",
    "view": "view run --html out.html",
    "export": "export run --csv out.csv",
}


@pytest.mark.parametrize("command", LOOKS)
@pytest.mark.parametrize("place", ["in the folder", "beside it", "its own file"])
def test_looking_runs_nothing(run, here, attack, command, place):
    file = {"in the folder": run / "evil.py", "beside it": here / "evil.py"}.get(
        place, here / "mine.py"
    )
    file.write_text(hostile(here))
    names = [str(file)] if place == "its own file" else [str(file), os.path.relpath(file, run)]
    for name in names:
        text = (run / "case.toml").read_text().replace(str(here / "mine.py"), name)
        (run / "case.toml").write_text(text)
        with attack("code in a folder", f"{command}, {place}"):
            assert shell(LOOKS[command]) == 0
            assert not (here / "exploded").exists()


def test_trust_runs_it(run, here, capfd, attack):
    with attack("code in a folder", "plot, trusted"):
        assert shell("plot run --quiet") == 0
        assert "--trust" in capfd.readouterr().err
        assert not (run / "figures" / "mine.png").exists()
        assert shell("plot run --quiet --trust") == 0
        assert (run / "figures" / "mine.png").exists()
    with attack("code in a folder", "report, trusted"):
        assert shell("report run --quiet --trust --html out.html") == 0
        assert "end of the simulation" in (here / "out.html").read_text()  # a parameter's text


def test_resume_of_ones_own_run(run, attack, capfd):
    with attack("resume", "the file it began with"):
        assert shell("resume run --t-end 4e-3 --quiet") == 0, capfd.readouterr().err


@pytest.mark.parametrize("place", ["in the folder", "linked", "relative", "changed", "no hash"])
def test_resume_runs_nothing_else(run, here, capfd, attack, place):
    file, text = here / "mine.py", (run / "case.toml").read_text()
    if place == "changed":
        file.write_text(hostile(here))
    else:
        evil = run / "evil.py"
        evil.write_text(hostile(here))
        digest = load(str(evil))[0].digest  # its author knows it
        (here / "exploded").rmdir()
        if place == "linked":
            (here / "link.py").symlink_to(evil)
        name = {"in the folder": str(evil), "linked": str(here / "link.py"),
                "relative": "../mine.py", "no hash": str(file)}[place]  # fmt: skip
        text = text.replace(str(file), name)
        lines = [line for line in text.splitlines() if not line.startswith("case_sha256")]
        if place != "no hash":
            lines.insert(1, f'case_sha256 = "{digest}"')
        if place in ("relative", "no hash"):
            shutil.copy(evil, file)
        (run / "case.toml").write_text("\n".join(lines) + "\n")
    with attack("resume", place):
        assert shell("resume run --t-end 4e-3 --quiet") == 2
        assert "--trust" in capfd.readouterr().err
        assert not (here / "exploded").exists()
    with attack("resume", f"{place}, trusted"):
        shell("resume run --t-end 4e-3 --quiet --trust")
        assert (here / "exploded").exists()


@pytest.mark.parametrize("what", ["figures", "figures/ball.png", "log.txt", "checkpoint",
                                  "fields", "report.html", "results.rows"])  # fmt: skip
def test_links_out_of_the_folder(run, here, attack, what):
    """Nothing is written through them."""
    outside = here / "outside"
    link = run / what
    if link.is_dir():
        shutil.move(link, outside)
    elif what in ("figures", "checkpoint", "fields"):
        outside.mkdir()
    else:
        outside.write_text("precious")
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(outside)

    def content(path: Path):
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        return [(p, p.read_bytes()) for p in files]

    before = content(outside)
    for command in ("plot run --quiet", "report run --quiet", "resume run --t-end 4e-3 --quiet"):
        with attack("a link out of the folder", f"{what}: {command.split()[0]}"):
            assert shell(command) in (0, 2)
            assert content(outside) == before
