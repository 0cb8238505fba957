"""All cases: both methods agree, and what they predict is right to second order, or the case is
refused."""

import numpy as np
import pytest

import fem_clearance as fc
from benchmarks.table_sensitivity import RUNS, STEADY, measured, refusal
from fem_clearance import cases


def test_every_case_is_there():
    """The table leaves none out."""
    assert {run.case for run in RUNS} | {*STEADY} == {*cases.names()}


@pytest.mark.parametrize("name", STEADY)
def test_without_time(name):
    """Analyses without time: the sentence names what derives them."""
    assert "use SteadySensitivity" in refusal(name)


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.label)
def test_case(run):
    """Forward and adjoint agree; the remainder of the linear prediction is of second order over two
    decades, but where ``check`` names a kink; what has no derivative is refused."""
    if run.refused:
        with pytest.raises(fc.InputError, match=run.refused):
            measured(run)
        return
    found = measured(run)
    assert found.adjoint < 1e-9
    for name, order in found.orders.items():
        assert np.isnan(order) or found.kinks[name] or 1.9 < order < 3.2, (name, order)
