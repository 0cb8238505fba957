"""The shell's pictures of mechanisms: animate, view, and what plot and report begin with."""

import re

import pytest
from PIL import Image

from fem_clearance.plotting.offscreen import opengl_works
from fem_clearance.program import pictures
from fem_clearance.runs.results import Results

from ..conftest import shell

opengl = pytest.mark.skipif(not opengl_works(), reason="no OpenGL here")
RUN = "run double_pendulum --set arm.model=rigid --dt 1e-3 --t-end 0.05 --out run --quiet"


@pytest.fixture
def run(here):
    assert shell(f"{RUN} --set output.fields_every=0.01") == 0
    return here / "run"


@opengl
def test_animate(run, here, capsys):
    assert shell("animate run --gif a.gif --html a.html --speed 0.05 --view front") == 0
    assert capsys.readouterr().out.split() == ["a.gif", "a.html"]
    gif = Image.open(here / "a.gif")
    # six instants, 0.05 s at a twentieth of real time: a second
    assert gif.n_frames == 6 and gif.info["duration"] == pytest.approx(1000 / 6, abs=10)
    text = (here / "a.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and "/*DATA*/" not in text


@opengl
def test_plot_and_report_begin_with_the_mechanism(run):
    assert shell("report run --quiet") == 0
    names = sorted(p.name for p in (run / "figures").glob("mechanism*"))
    assert names == ["mechanism.png", "mechanism_strip.png"]
    # in 0.05 s it hardly moves: a second row shows the motion enlarged
    scene = Results.open(run).scene()
    assert scene.hardly_moves
    single = Image.open(scene.strip(run / "single.png"))
    both = Image.open(run / "figures" / "mechanism_strip.png")
    assert both.width == single.width and both.height > 1.5 * single.height
    text = (run / "report.html").read_text(encoding="utf-8")
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text)
    assert captions[:2] == ["mechanism", "mechanism strip"] and len(captions) > 3


def test_report_of_a_run_that_was_stopped(here):
    """Tables of the summary are rows of text, not key numbers, and an instant is said once."""
    assert shell(f"{RUN} --max-steps 20") == 3
    assert shell("report run --quiet") == 0
    text = (here / "run" / "report.html").read_text(encoding="utf-8")
    assert "steps_limited_by" not in text.partition("Parameters")[0]
    assert '<td>steps_limited_by</td><td class="number">the step given: 100</td>' in text
    assert '<td>t_end</td><td class="number">0.05</td><td>s</td>' in text
    reason = "max_steps is reached at t = 0.02 s"
    assert f"Stopped: {reason}<" in text
    assert f" {reason}, 20 steps in " in (here / "run" / "log.txt").read_text(encoding="utf-8")


@opengl
def test_a_bearing_without_time_is_drawn_first(here):
    assert shell("run journal_bearing --set film.cells=24x4 --out run --quiet") == 0
    assert shell("report run --quiet") == 0
    assert (here / "run" / "figures" / "bearing.png").exists()
    text = (here / "run" / "report.html").read_text(encoding="utf-8")
    assert re.findall(r"<figcaption>(.*?)</figcaption>", text)[0] == "bearing"


def test_without_opengl_figures_go_on(run, monkeypatch, capsys):
    monkeypatch.setattr(pictures, "opengl_works", lambda: False)
    assert shell("plot run") == 0
    assert re.search("no picture of the mechanism: OpenGL", capsys.readouterr().err)
    found = [p.name for p in (run / "figures").glob("*.png")]
    assert found and not any(n.startswith("mechanism") for n in found)


def test_without_poses_there_is_none(here):
    assert shell(f"{RUN} --set output.fields_every=0") == 0
    assert not Results.open(here / "run").has_motion
    assert pictures.mechanism(here / "run") == []
    assert shell("view run --html a.html") == 2


@pytest.mark.parametrize(
    "command, words",
    [
        ("animate run", "animate needs --gif FILE, --mp4 FILE or --html FILE"),
        ("animate run --gif a.png", "the file's name must end in .gif"),
        ("animate run --html a.html --speed 0", "--speed"),
        ("animate run --html a.html --view under", "--view under: it must be one of own, front"),
        ("animate run --html a.html --color heat", "color 'heat': it must be one of bodies"),
        ("view run --html a.html --clearance-scale x", "--clearance-scale"),
        ("view nowhere --html a.html", "there is no folder nowhere"),
    ],
)
def test_mistakes(run, capsys, command, words):
    assert shell(command) == 2
    assert words in capsys.readouterr().err


def test_view_writes_a_page(run, here):
    assert shell("view run --html a.html --view 1,0,2 --clearance-scale 1") == 0
    assert (here / "a.html").stat().st_size > 20_000
