"""Signals at the end of a run, or between the runs of a sweep, are not lost."""

import os
import signal
from contextlib import contextmanager

import pytest

import fem_clearance as fc
from fem_clearance.runs.recorder import Recorder

from ..conftest import shell
from .test_sweep import SHORT, table

SETTINGS = {"dt": 1e-3, "t_end": 0.02}


@contextmanager
def at_the_end(monkeypatch, run: int, number=signal.SIGTERM):
    """A signal while a run, the first or a later one, writes its end."""
    close, count = Recorder.close, [0]

    def told(self, *arguments):
        count[0] += 1
        if count[0] == run:
            os.kill(os.getpid(), number)
        return close(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "close", told)
        yield


@pytest.fixture
def heard():
    """Signals that a script's own handler has received."""
    numbers: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: numbers.append(number))
    yield numbers
    signal.signal(signal.SIGTERM, before)


def test_the_program_begins_no_other_run(here, capsys, monkeypatch):
    """The run is complete, the sweep is not."""
    command = f"sweep heavy_top --vary rho_inf=0.5,0.6,0.7 --out all {SHORT}"
    with at_the_end(monkeypatch, 1):
        assert shell(command) == 3
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "fem-clearance: stopped early: terminated; run the same command again."
    assert [row["rho_inf"] for row in table(here / "all")] == ["0.5"]
    assert fc.Results.open(here / "all/rho_inf=0.5").time[-1] == 0.02
    assert not (here / "all/rho_inf=0.6").exists()
    with at_the_end(monkeypatch, 2):  # the last one: all is done
        assert shell(command) == 0
    assert len(table(here / "all")) == 3 and (here / "all/sweep.png").exists()


def test_a_sweep_in_a_script(here, heard, monkeypatch):
    """It ends between two runs. A signal in the last one is left to the script."""
    vary = {"rho_inf": [0.5, 0.6]}
    with (
        at_the_end(monkeypatch, 1),
        pytest.raises(KeyboardInterrupt, match="terminated"),
    ):
        fc.sweep("heavy_top", vary, SETTINGS, output="all", progress=False)
    assert heard == [] and not (here / "all/rho_inf=0.6").exists()
    with at_the_end(monkeypatch, 1):
        found = fc.sweep("heavy_top", vary, SETTINGS, output="all", progress=False)
    assert heard == [signal.SIGTERM] and found.runs == 2
    os.kill(os.getpid(), signal.SIGTERM)
    assert heard == [signal.SIGTERM] * 2


def test_a_run_in_a_script(here, heard, monkeypatch):
    """It is complete; the script's handler receives the signal."""
    from fem_clearance import cases

    simulation = cases.get("heavy_top").simulation(SETTINGS, progress=False)
    with at_the_end(monkeypatch, 1):
        assert simulation.run().time[-1] == 0.02
    assert heard == [signal.SIGTERM]
