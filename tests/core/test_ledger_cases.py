"""The ledger of energy balances in every case that runs through time, to the order of its steps."""

import importlib
from pathlib import Path

import pytest

from fem_clearance import cases

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "table_ledger.py"
#: cases whose summary is a state, not a run
STATES = {"journal_bearing", "ehd_bearing", "pin_in_lug", "spherical_bearing", "thermal_bearing"}


def script():
    """benchmarks/table_ledger.py, whose runs these are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPT.parent)
        return importlib.import_module(SCRIPT.stem)


RUNS = script().RUNS


@pytest.mark.parametrize(
    "run", [pytest.param(run, id=run.label, marks=[pytest.mark.slow] * run.slow) for run in RUNS]
)
def test_open_by_the_error_of_time_stepping(run):
    """Stored + dissipated - fed stays what it was, and what is left falls with the steps."""
    (coarse, fine), _ = run.errors()
    print(f"{run.label}: open by {coarse:.2e}, finer steps {fine:.2e}")
    assert fine < run.open
    assert coarse > run.falls * fine or coarse < 1e-9


def test_no_case_is_left_out():
    """Each case has a run here but those that find states."""
    assert {run.case for run in RUNS} == set(cases.names()) - STATES
