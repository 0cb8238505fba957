"""The sum of all energies, which are large and cancel each other, against Python's ``fsum``."""

from math import fsum

import numpy as np
import pytest

from fem_clearance._backend import MPI
from fem_clearance.core.compiled.build import native
from fem_clearance.core.compiled.shared import fill


def total(values):
    """Sum of values and what its rounding leaves, as ``fc_channels_add`` finds them."""
    module, n = native(MPI.COMM_SELF), len(values)
    c = module.ffi.new("fc_channels *")
    c.n = c.counted = c.wholes = 1
    sums, order = np.zeros(1), np.random.default_rng(2).permutation(n)
    pairs = order[: n - n % 2].reshape(-1, 2)  # of two cells each, in any order
    runs = [(int(a), int(b) - int(a), 2, 0, 1.0) for a, b in pairs]
    runs += [(int(a), 1, 1, 0, 1.0) for a in order[n - n % 2 :]]
    c.energies, c.energy = len(runs), (energy := module.ffi.new("fc_column[]", runs))
    arrays = {
        "observed": np.asarray(values, float), "whole": np.zeros(1, int), "sums": sums,
        "base": np.zeros(1),
    }  # fmt: skip
    keep = [energy, *fill(module.ffi, c, arrays)]
    module.lib.fc_channels_add(c)
    assert np.array_equal(sums, [c.total[0]], equal_nan=True) and keep
    return c.total[0], c.total[1]


@pytest.mark.parametrize("scale", [0, 6, 12])
def test_rounded_once(scale):
    """Values of very different sizes that cancel to the last digits."""
    random = np.random.default_rng(scale)
    for n in (1, 2, 7, 200):
        large = random.normal(size=n) * 10.0 ** random.integers(0, scale + 1, n)
        values = [*large, *(-large + random.normal(size=n)), 1e-9]
        found, left = total(values)
        assert found == fsum(values)
        assert left == pytest.approx(fsum([*values, -found]), rel=1e-12, abs=1e-30)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_what_is_no_number(bad):
    found, left = total([1.0, bad, 2.0])
    assert (np.isnan(found) if np.isnan(bad) else found == bad) and left == 0
