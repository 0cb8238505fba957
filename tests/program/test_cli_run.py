"""A run from the shell: its folder, the same run again in other ways, resume, export, figures."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import fem_clearance as fc

from ..conftest import shell

SCRIPT = """
import fem_clearance as fc

def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
    bar = fc.shapes.Box(0.3, 0.01, 0.01)
    arm1 = system.add(fc.RigidBody(shape=bar, density=7800, position=(0.15, 0, 0), name="arm1"))
    arm2 = system.add(fc.RigidBody(shape=bar, density=7800, position=(0.45, 0, 0), name="arm2"))
    system.add(fc.SphericalJoint(system.ground, arm1.at((0, 0, 0))))
    system.add(fc.SphericalClearance(
        arm1.at((0.3, 0, 0)), arm2.at((0.3, 0, 0)), socket_radius=0.02, ball_radius=0.018,
        normal=fc.LankaraniNikravesh(restitution=p["restitution"]), materials=(steel, steel),
        name="joint"))
    system.add(fc.Probe(arm2.at((0.6, 0, 0)), name="tip"))
    return system

case = fc.Case("mine", "the double pendulum once more", build,
               [fc.Parameter("restitution", 0.9, text="of the joint")])
"""
RUN = "run double_pendulum --set arm.model=rigid --dt 1e-5 --quiet"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run with an impact: 30 ms of the rigid double pendulum."""
    run = tmp_path_factory.mktemp("runs") / "finished"
    assert shell(f"{RUN} --t-end 0.03 --out {run}") == 0
    return run


def test_run_and_its_folder(finished):
    names = {p.name for p in finished.iterdir()}
    assert names - {".fem_clearance"} == {
        "case.toml",
        "results.h5",
        "summary.json",
        "scene.json",
        "fields",
        "checkpoint",
        "log.txt",
    }
    summary = json.loads((finished / "summary.json").read_text())
    assert summary["steps"] >= 3000 and summary["t"] == 0.03
    assert summary["first_impact_time"] == pytest.approx(2.856575921474e-2, abs=1e-6)
    assert summary["first_impact_speed"] == pytest.approx(0.1400867087, rel=1e-3)
    # only six steps in contact
    assert summary["first_impact_peak_force"] == pytest.approx(283.3, rel=0.1)
    results = fc.Results.open(finished)
    assert results.time[0] == 0 and results.time[-1] == 0.03
    wanted = (
        "tip.x tip.y tip.z tip.vx tip.vy tip.vz joint.eccentricity joint.penetration "
        "joint.normal_force joint.friction_force energy.kinetic energy.strain energy.potential "
        "energy.total"
    )
    assert set(wanted.split()) <= set(results.names)


def test_export_of_events(finished, here, capsys):
    """The first impact, as the summary says it, and its end; channels are another table."""
    assert shell(f"export {finished} --events --csv events.csv") == 0
    head, *lines = (here / "events.csv").read_text().splitlines()
    assert head == "time,owner,kind,speed"
    rows = [line.split(",") for line in lines]
    assert [row[2] for row in rows[:2]] == ["onset", "loss"]
    assert {row[1] for row in rows} == {"joint"}
    summary = json.loads((finished / "summary.json").read_text())
    assert float(rows[0][0]) == summary["first_impact_time"]
    assert float(rows[0][3]) == summary["first_impact_speed"]
    assert shell(f"export {finished} --events --channel tip.x --csv events.csv") == 2
    assert "not allowed with" in capsys.readouterr().err


def test_export(finished, here, capsys):
    names = ["joint.normal_force", "tip.y", "joint.eccentricity"]
    channels = f"--channel {names[0]} --channel {names[1]} {names[2]}"
    assert shell(f"export {finished} {channels} --csv out.csv") == 0
    lines = (here / "out.csv").read_text().splitlines()
    assert lines[0] == ",".join(["time", *names])
    numbers, results = np.loadtxt(lines[1:], delimiter=","), fc.Results.open(finished)
    for k, name in enumerate(["time", *names]):
        np.testing.assert_array_equal(numbers[:, k], results[name])
    assert capsys.readouterr().out == ""


def test_a_case_file_repeats_the_run(finished, here):
    assert shell(f"run {finished / 'case.toml'} --out again --quiet") == 0
    first, again = fc.Results.open(finished), fc.Results.open(here / "again")
    assert first.names == again.names
    for name in ("time", *first.names):
        np.testing.assert_array_equal(first[name], again[name])
    assert (finished / "case.toml").read_text() == (here / "again" / "case.toml").read_text()


def test_a_users_file_gives_the_same_numbers(finished, here):
    """But for round-off: the lengths of steps that the contact asks for follow its accelerations,
    which Newton's method leaves a part of 1e-8 off, so that rows of the impact lie 1e-12 s apart.
    """
    (here / "mine.py").write_text(SCRIPT)
    assert shell("run mine.py --dt 1e-5 --t-end 0.03 --out mine --quiet") == 0
    first, again = fc.Results.open(finished), fc.Results.open(here / "mine")
    for name in ("tip.y", "joint.eccentricity", "joint.normal_force", "energy.total"):
        scale = np.abs(first[name]).max()
        np.testing.assert_allclose(again[name], first[name], rtol=0, atol=1e-6 * scale)
    assert f'case = "{here / "mine.py"}"' in (here / "mine" / "case.toml").read_text()
    assert {p.name for p in here.iterdir()} == {"mine.py", "mine"}


def test_resume_equals_an_uninterrupted_run(finished, here):
    assert shell(f"{RUN} --t-end 0.0287 --out part") == 0  # in the middle of the first impact
    assert shell("resume part --t-end 0.03 --quiet") == 0
    first, again = fc.Results.open(finished), fc.Results.open(here / "part")
    # 0.0287 itself against 2870 x 1e-5
    np.testing.assert_allclose(first.time, again.time, rtol=1e-15)
    for name in first.names:
        np.testing.assert_array_equal(first[name], again[name])
    a, b = (json.loads((p / "summary.json").read_text()) for p in (finished, here / "part"))
    same = "steps newton_iterations jacobians energy_change first_impact_time"
    assert [a[k] for k in same.split()] == [b[k] for k in same.split()]
    assert "t_end = 0.03 " in (here / "part" / "case.toml").read_text()
    assert shell("resume part --quiet") == 0  # nothing left to do
    assert len(fc.Results.open(here / "part")) == len(first)


def test_overwriting_a_finished_run_is_logged(here):
    assert shell("run heavy_top --t-end 1e-3 --quiet") == 0
    (here / "runs" / "heavy_top" / "notes.txt").write_text("mine")
    assert shell("run heavy_top --t-end 2e-3 --quiet --force") == 0
    run = here / "runs" / "heavy_top"
    assert "overwriting the earlier run in this folder" in (run / "log.txt").read_text()
    assert (run / "notes.txt").exists() and fc.Results.open(run).time[-1] == 2e-3


@pytest.mark.parametrize("case", ["heavy_top", "journal_bearing --set film.cells=24x4"])
def test_a_finished_run_is_not_overwritten(here, capsys, case):
    short = "" if "film" in case else " --t-end 1e-3"
    assert shell(f"run {case}{short} --out one --quiet") == 0
    before = {p: p.read_bytes() for p in (here / "one").rglob("*") if p.is_file()}
    assert shell(f"run {case}{short} --out one --quiet") == 2
    assert "one holds a finished run" in (said := capsys.readouterr().err) and "--force" in said
    assert {p: p.read_bytes() for p in (here / "one").rglob("*") if p.is_file()} == before
    assert shell(f"run {case}{short} --out one --quiet --force") == 0


def test_a_run_that_was_stopped_is_overwritten(here):
    assert shell("run heavy_top --t-end 1e-2 --dt 1e-3 --max-steps 3 --quiet") == 3
    assert shell("run heavy_top --t-end 1e-3 --dt 1e-3 --quiet") == 0
    assert fc.Results.open(here / "runs" / "heavy_top").time[-1] == 1e-3


def test_plot(finished):
    assert shell(f"plot {finished} --quiet") == 0
    names = {p.stem for p in (finished / "figures").glob("*.png")}
    for number in ("fig09", "fig10", "fig11", "fig12", "fig13", "fig14", "fig17", "fig20"):
        assert any(n.startswith(number) for n in names)
    assert {"energies", "energy_balance"} <= names


def test_plot_of_chosen_channels(finished, capsys):
    """As formats that are what they say, of a window, against another channel."""
    figures = finished / "figures"
    of = f"plot {finished} --quiet --channel joint.normal_force tip.y"
    assert shell(f"{of} --window 0.028: --format svg,pdf") == 0
    assert (figures / "joint.normal_force_tip.y.svg").read_text("utf-8").startswith("<?xml")
    assert (figures / "joint.normal_force_tip.y.pdf").read_bytes().startswith(b"%PDF")
    assert not (figures / "joint.normal_force_tip.y.png").exists()
    assert shell(f"plot {finished} --channel joint.force.x --against joint.ex --quiet") == 0
    assert (figures / "joint.force.x_against_joint.ex.png").stat().st_size > 5000
    said = {
        "--channel tip.q": "there is no channel 'tip.q'",
        "--channel tip.y --against q": "there is no channel 'q'",
        "--against tip.y": "--against needs --channel",
        "--window 3:4": "nothing between 3 and 4: the results are from 0 to 0.03",
        "--window 4:3": "ends before it begins",
        "--window 0.01": "two times in s",
        "--format jpeg": "the formats are png, svg, pdf",
    }
    for options, sentence in said.items():
        assert shell(f"plot {finished} {options}") == 2
        assert sentence in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout on this system")
def test_export_into_a_program_that_ends(finished):
    """As ``fem-clearance export ... --csv /dev/stdout | head -1``: more than a pipe holds."""
    command = [sys.executable, "-m", "fem_clearance", "export", str(finished), "--csv"]
    run = subprocess.Popen(
        [*command, "/dev/stdout"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout.readline().startswith(b"time,")
    run.stdout.close()
    assert run.stderr.read() == b"" and run.wait() == 141
