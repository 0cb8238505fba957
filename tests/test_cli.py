"""The program fem-clearance, in this process: every command on small runs."""

import csv
import json
import time

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.cli import main

SCRIPT = """
import sys
sys.path.insert(0, "")
from fem_clearance.cases.double_pendulum import build
import fem_clearance as fc
from fem_clearance import cases

case = fc.Case("mine", "the double pendulum again", build, cases.get("double_pendulum").parameters)
"""
SHORT = ("--t-end", "0.02", "--dt", "1e-3", "--quiet")
RIGID = ("--set", "arm.model=rigid")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run with an impact: 30 ms of the rigid double pendulum."""
    run = tmp_path_factory.mktemp("runs") / "finished"
    assert (
        main(
            [
                "run",
                "double_pendulum",
                *RIGID,
                "--t-end",
                "0.03",
                "--dt",
                "1e-5",
                "--out",
                str(run),
                "--quiet",
            ]
        )
        == 0
    )
    return run


def test_list(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    for name in cases.names():
        assert f"{name} " in out


def test_check_builds_without_a_run(here, capsys):
    assert main(["check", "double_pendulum", "--set", "arm.E=6e7", "arm.elements=3"]) == 0
    out = capsys.readouterr().out
    assert (
        "* arm.E " in out
        and "6e7 Pa" in out
        and "coordinates" in out
        and "joint.eccentricity" in out
    )
    assert not list(here.iterdir())


def test_run_and_its_folder(finished):
    names = {p.name for p in finished.iterdir()}
    assert names == {"case.toml", "results.h5", "summary.json", "fields", "checkpoint", "log.txt"}
    summary = json.loads((finished / "summary.json").read_text())
    assert summary["steps"] >= 3000 and summary["t"] == 0.03
    assert summary["first_impact_time"] == pytest.approx(2.856575921474e-2, abs=1e-6)
    assert summary["first_impact_speed"] == pytest.approx(0.1400867087, rel=1e-3)
    assert summary["first_impact_peak_force"] == pytest.approx(
        283.3, rel=0.1
    )  # six steps in contact
    results = fc.Results.open(finished)
    assert results.time[0] == 0 and results.time[-1] == 0.03
    wanted = (
        "tip.x tip.y tip.z tip.vx tip.vy tip.vz joint.eccentricity joint.penetration "
        "joint.normal_force joint.friction_force energy.kinetic energy.strain energy.potential energy.total"
    )
    assert set(wanted.split()) <= set(results.names)


@pytest.mark.parametrize(
    ("case", "channels"),
    [
        ("heavy_top", "centre.x centre.y centre.z reaction.x reaction.y reaction.z"),
        ("double_four_bar", "B0.x B0.y"),
        ("flexible_pendulum", "tip.x tip.y tip.z energy.total"),
    ],
)
def test_cases_have_their_channels(here, case, channels):
    assert main(["run", case, "--t-end", "2e-3", "--quiet"]) == 0
    results = fc.Results.open(here / "runs" / case)
    assert set(channels.split()) <= set(results.names)
    assert results.time[-1] == 2e-3


@pytest.mark.parametrize("kind", ["ideal", "dry"])
@pytest.mark.parametrize("start", ["collinear", "perpendicular"])
def test_double_pendulum_variants(here, kind, start):
    options = [f"joint.kind={kind}", f"start={start}", "joint.friction=0.1", *RIGID[1:]]
    assert main(["run", "double_pendulum", "--set", *options, *SHORT]) == 0
    results = fc.Results.open(here / "runs" / "double_pendulum")
    assert results["tip.z"][0] == (0.3 if start == "perpendicular" else 0)
    assert (
        results["joint.eccentricity"][-1] == 0
        if kind == "ideal"
        else results["joint.eccentricity"][-1] > 0
    )
    if kind == "ideal":
        force = np.sqrt(sum(results[f"joint.reaction.{x}"] ** 2 for x in "xyz"))
        np.testing.assert_array_equal(results["joint.normal_force"], force)


def test_export(finished, here, capsys):
    names = ["joint.normal_force", "tip.y", "joint.eccentricity"]
    assert (
        main(
            [
                "export",
                str(finished),
                "--channel",
                names[0],
                "--channel",
                *names[1:],
                "--csv",
                "out.csv",
            ]
        )
        == 0
    )
    lines = (here / "out.csv").read_text().splitlines()
    assert lines[0] == ",".join(["time", *names])
    numbers, results = np.loadtxt(lines[1:], delimiter=","), fc.Results.open(finished)
    for k, name in enumerate(["time", *names]):
        np.testing.assert_array_equal(numbers[:, k], results[name])
    assert capsys.readouterr().out == ""


def test_a_case_file_repeats_the_run(finished, here):
    assert main(["run", str(finished / "case.toml"), "--out", "again", "--quiet"]) == 0
    first, again = fc.Results.open(finished), fc.Results.open(here / "again")
    assert first.names == again.names
    for name in ("time", *first.names):
        np.testing.assert_array_equal(first[name], again[name])
    assert (finished / "case.toml").read_text() == (here / "again" / "case.toml").read_text()


def test_a_users_file_gives_the_same_numbers(finished, here):
    (here / "mine.py").write_text(SCRIPT)
    assert (
        main(
            [
                "run",
                "mine.py",
                *RIGID,
                "--t-end",
                "0.03",
                "--dt",
                "1e-5",
                "--out",
                "mine",
                "--quiet",
            ]
        )
        == 0
    )
    first, again = fc.Results.open(finished), fc.Results.open(here / "mine")
    np.testing.assert_array_equal(first["joint.eccentricity"], again["joint.eccentricity"])
    assert f'case = "{here / "mine.py"}"' in (here / "mine" / "case.toml").read_text()
    assert {p.name for p in here.iterdir()} == {"mine.py", "mine"}


def test_resume_equals_an_uninterrupted_run(finished, here):
    run = ["run", "double_pendulum", *RIGID, "--dt", "1e-5", "--out", "part", "--quiet"]
    assert main([*run, "--t-end", "0.0287"]) == 0  # in the middle of the first impact
    assert main(["resume", "part", "--t-end", "0.03", "--quiet"]) == 0
    first, again = fc.Results.open(finished), fc.Results.open(here / "part")
    np.testing.assert_allclose(
        first.time, again.time, rtol=1e-15
    )  # 0.0287 itself against 2870 x 1e-5
    for name in first.names:
        np.testing.assert_array_equal(first[name], again[name])
    a, b = (json.loads((p / "summary.json").read_text()) for p in (finished, here / "part"))
    for key in (
        "steps",
        "newton_iterations",
        "jacobians",
        "energy_change",
        "first_impact_time",
        "first_impact_peak_force",
    ):
        assert a[key] == b[key]
    assert "t_end = 0.03 " in (here / "part" / "case.toml").read_text()
    assert main(["resume", "part", "--quiet"]) == 0  # nothing left to do
    assert len(fc.Results.open(here / "part")) == len(first)


def test_overwriting_a_finished_run_is_logged(here):
    assert main(["run", "heavy_top", "--t-end", "1e-3", "--quiet"]) == 0
    (here / "runs" / "heavy_top" / "notes.txt").write_text("mine")
    assert main(["run", "heavy_top", "--t-end", "2e-3", "--quiet"]) == 0
    run = here / "runs" / "heavy_top"
    assert "the earlier run in this folder is overwritten" in (run / "log.txt").read_text()
    assert (run / "notes.txt").exists() and fc.Results.open(run).time[-1] == 2e-3


def test_bad_input_spares_an_earlier_run(here):
    assert main(["run", "heavy_top", "--t-end", "1e-3", "--quiet"]) == 0
    assert main(["run", "heavy_top", "--t-end", "1e-3", "--dt", "2", "--quiet"]) == 2
    assert fc.Results.open(here / "runs" / "heavy_top").time[-1] == 1e-3


def test_plot(finished):
    assert main(["plot", str(finished), "--quiet"]) == 0
    names = {p.stem for p in (finished / "figures").glob("*.png")}
    for number in ("fig09", "fig10", "fig11", "fig12", "fig13", "fig14", "fig17", "fig20"):
        assert any(n.startswith(number) for n in names)
    assert "energies" in names


def test_plot_of_any_case(here):
    assert main(["run", "heavy_top", "--t-end", "2e-3", "--quiet"]) == 0
    assert main(["plot", "runs/heavy_top", "--quiet"]) == 0
    assert {p.stem for p in (here / "runs/heavy_top/figures").iterdir()} == {
        "centre",
        "energy",
        "reaction",
        "top",
    }


def test_sweep(here, capsys):
    assert (
        main(
            [
                "sweep",
                "double_pendulum",
                "--vary",
                "joint.friction=0,0.1",
                "--vary",
                "joint.radii=sum,difference",
                *RIGID,
                "--out",
                "all",
                *SHORT,
            ]
        )
        == 0
    )
    with open(here / "all" / "table.csv") as file:
        rows = list(csv.DictReader(file))
    assert [(r["joint.friction"], r["joint.radii"]) for r in rows] == [
        ("0", "sum"),
        ("0", "difference"),
        ("0.1", "sum"),
        ("0.1", "difference"),
    ]
    assert all(int(r["steps"]) == 20 for r in rows)
    run = here / "all" / "joint.friction=0.1,joint.radii=sum"
    assert fc.Results.open(run).time[-1] == 0.02
    assert (
        main(
            [
                "sweep",
                "double_pendulum",
                "--vary",
                "joint.friction=0,0.1",
                *RIGID,
                "--out",
                "all",
                *SHORT,
            ]
        )
        == 0
    )


def test_sweep_goes_on_after_a_bad_combination(here):
    assert (
        main(
            [
                "sweep",
                "double_pendulum",
                "--vary",
                "joint.ball_radius=0.018,0.03",
                *RIGID,
                "--out",
                "all",
                *SHORT,
            ]
        )
        == 3
    )
    with open(here / "all" / "table.csv") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["stopped"] == "" and "does not fit" in rows[1]["stopped"]


def test_stopped_early(here, capsys, monkeypatch):
    from fem_clearance.stepping import Stepper

    def fail(self):
        raise fc.StepFailed("no solution: the equations of joint are to blame.")

    monkeypatch.setattr(Stepper, "advance", fail)
    assert main(["run", "heavy_top", "--t-end", "1e-3"]) == 3
    assert (
        "stopped early: no solution: the equations of joint are to blame."
        in capsys.readouterr().err
    )
    assert len(fc.Results.open(here / "runs" / "heavy_top")) == 1


def test_steps_within_two_seconds(here):
    """Forms come from the cache over parameter values."""
    main(["run", "double_pendulum", "--t-end", "1e-6", "--quiet"])
    tic = time.monotonic()
    assert (
        main(
            [
                "run",
                "double_pendulum",
                "--t-end",
                "1e-6",
                "--quiet",
                "--set",
                "arm.E=1e11",
                "joint.restitution=0.5",
            ]
        )
        == 0
    )
    assert time.monotonic() - tic < 4.0  # 2 s on an idle machine


def test_help_and_version(capsys):
    assert main(["--help"]) == 0
    assert main(["run", "--help"]) == 0
    assert main(["--version"]) == 0
    assert fc.__version__ in capsys.readouterr().out
