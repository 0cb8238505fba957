"""Sweeps: tables, figure, failed runs, and going on after the sweep was killed."""

import csv
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.io.folder import hold
from fem_clearance.plotting.sweeps import figure, spread
from fem_clearance.runs import heartbeat
from fem_clearance.runs.sweep import Sweep
from fem_clearance.timestepping.stepper import Stepper

from ..conftest import shell

SHORT = "--dt 1e-3 --t-end 0.02 --quiet"
TWO_RUNS = f"sweep heavy_top --vary rho_inf=0.5,0.6 --out all {SHORT}"


@contextmanager
def terminated(monkeypatch):
    """A sweep of runs of 20 steps is terminated in the middle of the second."""
    advance, count = Stepper.advance, [0]

    def interrupt(self, *_):
        count[0] += 1
        if count[0] == 30:
            os.kill(os.getpid(), signal.SIGTERM)
        advance(self)

    with monkeypatch.context() as patch:
        patch.setattr(Stepper, "advance", interrupt)
        yield


def table(path):
    with open(path / "table.csv") as file:
        return list(csv.DictReader(file))


def test_combinations(here):
    vary = "--vary joint.friction=0,0.1 --vary joint.radii=sum,difference"
    assert shell(f"sweep double_pendulum {vary} --set arm.model=rigid --out all {SHORT}") == 0
    rows = table(here / "all")
    assert [(r["joint.friction"], r["joint.radii"]) for r in rows] == [
        ("0", "sum"),
        ("0", "difference"),
        ("0.1", "sum"),
        ("0.1", "difference"),
    ]
    assert all(int(r["steps"]) == 20 for r in rows)
    run = here / "all" / "joint.friction=0.1,joint.radii=sum"
    assert fc.Results.open(run).time[-1] == 0.02
    with h5py.File(here / "all" / "table.h5") as file:
        np.testing.assert_array_equal(file["joint.friction"], [0, 0, 0.1, 0.1])
        assert file["joint.radii"].asstr()[1] == "difference"
    with open(here / "all" / "table_units.csv") as file:
        units = {row["column"]: row["unit"] for row in csv.DictReader(file)}
    assert list(units) == list(rows[0])
    assert (units["t"], units["energy_balance"], units["steps"]) == ("s", "J", "")
    assert (here / "all" / "sweep.png").stat().st_size > 5000


def test_a_bad_combination_does_not_stop_the_others(here):
    vary = "--vary joint.ball_radius=0.018,0.03,0.017"
    assert shell(f"sweep double_pendulum {vary} --set arm.model=rigid --out all {SHORT}") == 3
    stopped = [row["stopped"] for row in table(here / "all")]
    assert stopped[0] == stopped[2] == "" and "does not fit" in stopped[1]
    assert (here / "all" / "sweep.png").exists()


def test_a_parameter_may_vary_under_its_alias(here):
    """The key of --vary as it is given heads the table and runs along the figure."""
    vary = "--vary pinion.speed=100,150"
    assert shell(f"sweep spur_gear_pair {vary} --out all --dt 2e-6 --t-end 1e-4 --quiet") == 0
    assert [row["pinion.speed"] for row in table(here / "all")] == ["100", "150"]
    assert (here / "all" / "sweep.png").stat().st_size > 5000


def test_an_error_in_the_program_does_not_stop_the_others(here, monkeypatch):
    advance, count = Stepper.advance, [0]

    def break_once(self, *_):
        count[0] += 1
        if count[0] == 30:  # in the second of three runs of 20 steps
            raise ZeroDivisionError("by mistake")
        advance(self)

    monkeypatch.setattr(Stepper, "advance", break_once)
    assert shell(f"sweep heavy_top --vary rho_inf=0.5,0.6,0.7 --out all {SHORT}") == 3
    stopped = [row["stopped"] for row in table(here / "all")]
    assert stopped == ["", "error in the program: ZeroDivisionError: by mistake", ""]


def test_goes_on_where_it_was_killed(here, monkeypatch):
    """The second of three runs is terminated half-way. The same command then leaves the first run
    alone, resumes the second from its checkpoint and does the third; all as without the break."""
    command = "sweep heavy_top --vary rho_inf=0.5,0.6,0.7 --dt 1e-3 --t-end 0.02 --quiet --out"
    assert shell(f"{command} whole") == 0
    advance, count = Stepper.advance, [0]
    with terminated(monkeypatch):
        assert shell(f"{command} cut") == 3
    assert [row.get("stopped") for row in table(here / "cut")] == ["", "terminated"]
    first = here / "cut" / "rho_inf=0.5" / "summary.json"
    before = first.read_bytes()

    def counting(self, *_):
        count[0] += 1
        advance(self)

    monkeypatch.setattr(Stepper, "advance", counting)
    assert shell(f"{command} cut") == 0
    assert count[0] == 10 + 20  # what was left of the second, and the third
    assert first.read_bytes() == before
    for name in ("rho_inf=0.5", "rho_inf=0.6", "rho_inf=0.7"):
        one, other = (fc.Results.open(here / folder / name) for folder in ("whole", "cut"))
        np.testing.assert_array_equal(one["centre.x"], other["centre.x"])
    assert shell(f"{command} cut") == 0
    assert count[0] == 30


def test_tables_can_be_read_while_the_sweep_writes_them(here, monkeypatch):
    """A reader that keeps ``table.h5`` open (HDF5 locks it) does not stop the sweep."""
    readers, table = [], Sweep._tables

    def read(self):
        table(self)
        readers.append(h5py.File(here / "all" / "table.h5"))

    monkeypatch.setattr(Sweep, "_tables", read)
    assert shell(f"sweep heavy_top --vary rho_inf=0.5,0.6 --out all {SHORT}") == 0
    assert [len(file["steps"]) for file in readers] == [1, 2, 2]
    for file in readers:
        file.close()
    assert not list((here / "all").glob("*.tmp"))


def test_one_sweep_in_a_folder(here):
    (here / "all").mkdir()
    with hold(here / "all" / ".sweep"):
        code = subprocess.run(
            [sys.executable, "-m", "fem_clearance", *TWO_RUNS.split()], stderr=subprocess.PIPE
        )
    assert code.returncode == 2 and b"another sweep is writing in all" in code.stderr


def test_limits_of_each_run(here):
    """Stopped runs are noted, and the same command goes on with them until all are done."""
    command = f"{TWO_RUNS} --max-steps 15"
    assert shell(command) == 3
    assert [row["steps"] for row in table(here / "all")] == ["15", "15"]
    assert all("max_steps is reached" in row["stopped"] for row in table(here / "all"))
    assert shell(command) == 0
    assert [row["steps"] for row in table(here / "all")] == ["20", "20"]


def test_a_damaged_checkpoint_does_not_stop_a_sweep(here):
    assert shell(f"{TWO_RUNS} --max-steps 15") == 3
    (here / "all" / "rho_inf=0.5" / "checkpoint" / "state.npz").write_bytes(b"PK")
    assert shell(TWO_RUNS) == 0
    assert [row["steps"] for row in table(here / "all")] == ["20", "20"]


def test_other_parameters_run_again(here, capsys):
    vary = "--vary rho_inf=0.5 --quiet --dt 1e-3 --out all"
    assert shell(f"sweep heavy_top --t-end 0.01 {vary}") == 0
    capsys.readouterr()
    assert shell(f"sweep heavy_top --t-end 0.02 {vary} --set newton_tolerance=1e-7") == 2
    assert capsys.readouterr().err == (
        f"fem-clearance: {Path('all/rho_inf=0.5')} holds a finished run with other parameters "
        "(t_end = 0.01, now 0.02; newton_tolerance = 1e-8, now 1e-7): choose another "
        "folder, or overwrite it with --force (in Python overwrite=True).\n"
    )
    assert fc.Results.open(here / "all" / "rho_inf=0.5").time[-1] == 0.01
    assert shell(f"sweep heavy_top --t-end 0.02 {vary} --force") == 0
    assert json.loads((here / "all/rho_inf=0.5/summary.json").read_text())["steps"] == 20
    (here / "all/rho_inf=0.5/case.toml").write_text('case = "double_pendulum"\n')
    assert shell(f"sweep heavy_top --t-end 0.02 {vary}") == 2
    assert "a finished run with another case (double_pendulum): choose" in capsys.readouterr().err


def test_what_all_runs_say_is_said_once(here, capsys):
    """On the screen; in the log of each run it stays."""
    assert shell("sweep double_four_bar --vary dt=1e-3,2e-3 --set t_end=4e-3 --out s") == 0
    lines = [z for z in capsys.readouterr().err.splitlines() if "follow from others" in z]
    logs = [p.read_text().count("follow from others") for p in (here / "s").glob("*/log.txt")]
    assert len(lines) > 0 and logs == [len(lines)] * 2
    assert all(z.startswith("dt=1e-3: ") for z in lines)


def test_the_time_between_checkpoints_is_no_other_run(here):
    """It does not change the results."""
    assert shell(TWO_RUNS) == 0
    before = (here / "all/rho_inf=0.5/summary.json").read_bytes()
    assert shell(f"{TWO_RUNS} --set checkpoint.every_s=7") == 0
    assert (here / "all/rho_inf=0.5/summary.json").read_bytes() == before


def test_a_repeated_command_says_what_it_does(here, capsys, monkeypatch):
    """Lines about one of several runs begin with its name on the screen, not in its own log."""
    monkeypatch.setattr(heartbeat, "EVERY", 0.0)
    command = "sweep heavy_top --vary rho_inf=0.5,0.6,0.7 --dt 1e-3 --t-end 0.02 --out all"
    with terminated(monkeypatch):
        assert shell(command) == 3
    said = capsys.readouterr()
    assert said.out.splitlines() == ["rho_inf=0.5: done (1 of 3)"]
    assert "\nrho_inf=0.5: t = 0.001 of 0.02 s after 1 steps" in f"\n{said.err}"
    assert all(line.startswith(("rho_inf=", "fem-cl")) for line in said.err.splitlines())
    log = (here / "all/rho_inf=0.5/log.txt").read_text()
    assert " INFO t = 0.001 of 0.02 s" in log and "rho_inf" not in log
    assert shell(command) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 of 3 runs were completed earlier and are skipped, 1 continues from a checkpoint",
        "rho_inf=0.6: done (2 of 3)",
        "rho_inf=0.7: done (3 of 3)",
    ]


def test_resume_says_how_a_sweep_continues(here, capsys):
    """The command in the folder does the same runs as the one that was given."""
    vary = "--vary pinion.speed=100,150 --out all --dt 2e-6 --t-end 1e-4 --quiet"
    assert shell(f"sweep spur_gear_pair {vary}") == 0
    assert shell("resume all") == 2
    assert capsys.readouterr().err == (
        "fem-clearance: all is a sweep: to continue its runs, repeat the command that started it, "
        f"which stands in {Path('all/command.txt')}.\n"
    )
    program, *words = (here / "all/command.txt").read_text().split()
    before = (here / "all/pinion.speed=100/summary.json").read_bytes()
    assert program == "fem-clearance" and shell(" ".join(words)) == 0
    assert "2 of 2 runs were completed earlier" in capsys.readouterr().out
    assert (here / "all/pinion.speed=100/summary.json").read_bytes() == before


@pytest.mark.parametrize(
    "options, message",
    [("--ranks-per-run 0", "ranks-per-run"), ("--ranks-per-run 2", "teams of 2")],
)
def test_bad_teams(here, capsys, options, message):
    assert shell(f"sweep heavy_top --vary rho_inf=0.5 --out all {SHORT} {options}") == 2
    assert message in capsys.readouterr().err
    assert not (here / "all").exists()


def test_ranges_are_refused(here, capsys):
    assert shell(f"sweep heavy_top --vary rho_inf=0.5:0.9:3 --out all {SHORT}") == 2
    assert capsys.readouterr().err == (
        "fem-clearance: --vary needs values between commas, such as 1e-4,2e-4, got '0.5:0.9:3'.\n"
    )


# --- from Python, and its results ----------------------------------------------------------------
def test_sweep_from_python(here):
    """The same runs, names and table as by the program; finished ones are not done again."""
    vary = {"joint.friction": [0, 0.1], "joint.ball_radius": ["18 mm", 0.017]}
    settings = {"arm.model": "rigid", "dt": 1e-3, "t_end": 0.02}
    results = fc.sweep("double_pendulum", vary, settings, output="mine", progress=False)
    assert results.varied == ["joint.friction", "joint.ball_radius"] and results.runs == 4
    np.testing.assert_array_equal(results["joint.friction"], [0, 0, 0.1, 0.1])
    np.testing.assert_array_equal(results["joint.ball_radius"], [0.018, 0.017] * 2)
    assert results.units["joint.ball_radius"] == "m" and list(results)[:2] == results.varied
    assert "joint.ball_radius,m\n" in (here / "mine" / "table_units.csv").read_text()
    assert results.run(3).summary["steps"] == results["steps"][3] == 20
    command = "--vary joint.friction=0,0.1 --vary joint.ball_radius=0.018,0.017"
    assert shell(f"sweep double_pendulum {command} --set arm.model=rigid {SHORT} --out all") == 0
    again = fc.SweepResults.open("all")
    assert again.folders == results.folders
    np.testing.assert_array_equal(again["energy_change"], results["energy_change"])
    before = (here / "mine" / results.folders[0] / "summary.json").read_bytes()
    fc.sweep("double_pendulum", vary, settings, output="mine", progress=False)
    assert (here / "mine" / results.folders[0] / "summary.json").read_bytes() == before
    with pytest.raises(fc.InputError, match="finished run.*overwrite=True"):
        fc.sweep("double_pendulum", vary, settings | {"t_end": 0.01}, output="mine")
    with pytest.raises(fc.InputError, match=r"no column 'joint.fricton' \(did you mean 'joint.fr"):
        results["joint.fricton"]
    frame = pytest.importorskip("pandas") and results.to_pandas()
    assert list(frame.columns) == list(results) and len(frame) == 4


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ({}, "needs a parameter that varies"),
        ({"rho_inf": 0.5}, "rho_inf must vary over a list of values, got 0.5"),
        ({"rho_inf": [0.5, "0.5"]}, "listed twice"),
        ({"rho": [0.5]}, "no parameter 'rho'"),
        ({"t_end": ["5 mm"]}, "t_end must be in s or a unit like it, got '5 mm'"),
        (["rho_inf"], "vary must be values by parameter"),
    ],
)
def test_sweeps_that_cannot_be(here, vary, said):
    with pytest.raises(fc.InputError, match=said):
        fc.sweep("heavy_top", vary, output="out", progress=False)
    assert not (here / "out").exists()


def test_panels_of_a_sweep():
    """Numbers that are zero in all runs are left out, round-off between runs is flat, units have
    prefixes."""
    numbers = {
        "gain": np.zeros(3), "first_speed": 0.2 * np.array([1, 1 + 1e-13, 1]),
        "force": np.array([2e4, 3e4, np.nan]),
    }  # fmt: skip
    varied = {"friction": np.array([0.0, 0.1, 0.2])}
    panels = figure(varied, numbers, {"force": "N", "first_speed": "m/s"}).axes
    assert [ax.get_title() for ax in panels] == ["first speed [m/s]", "force [kN]"]
    assert np.ptp(panels[0].get_ylim()) > 0.03
    np.testing.assert_allclose(panels[1].lines[0].get_ydata(), [20, 30, np.nan])


def test_report_of_a_sweep_without_stopped_runs(here):
    """All runs are done, so that there is no column that says why one stopped."""
    assert shell(TWO_RUNS) == 0
    assert shell("report all") == 0
    assert "rho_inf" in (here / "all" / "report.html").read_text()
    table = fc.SweepResults.open(here / "all")
    assert table.get("stopped") is None and table.get("stopped", ()) == ()
    assert list(table.get("rho_inf")) == [0.5, 0.6]


def test_plot_and_report_of_a_sweep(here, capsys):
    vary = "--vary joint.ball_radius=0.018,0.03,0.017"
    assert shell(f"sweep double_pendulum {vary} --set arm.model=rigid --out all {SHORT}") == 3
    (here / "all" / "sweep.png").unlink()
    assert shell("plot all") == 0
    assert (here / "all" / "sweep.png").stat().st_size > 5000
    assert shell("report all") == 0
    page = (here / "all" / "report.html").read_text()
    assert "does not fit" in page and "data:image/png" in page and "joint.ball_radius [m]" in page
    assert fc.SweepResults.open("all")._repr_html_().count("<tr>") == 4
    with pytest.raises(fc.InputError, match="holds no sweep"):
        fc.SweepResults.open(here)


@pytest.mark.parametrize(
    ("values", "places", "labels"),
    [
        ([1.0, 2.0, 3.0], [1, 2, 3], ["1", "2", "3"]),  # evenly spaced
        ([1e-5, 1e-3, 1e-4], [-5, -3, -4], ["1e-05", "0.0001", "0.001"]),  # by decades
        ([0.0, 1.0, 50.0, 1.0], [0, 1, 2, 1], ["0", "1", "50"]),  # neither
        (["dry", "ideal"], [0, 1], ["dry", "ideal"]),
        ([float(k) for k in range(20)], list(range(20)), []),
    ],
)
def test_runs_are_spread_evenly(values, places, labels):
    found, ticks, names = spread(values)
    np.testing.assert_allclose(found, places, atol=1e-12)
    assert names == labels and len(ticks) == len(labels)
