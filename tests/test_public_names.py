"""Each public name stands in a page, in an example and in a test."""

import pytest

from tests.public_names import (
    in_examples,
    in_pages,
    in_tests,
    public,
    short,
    used,
    with_results,
)  # fmt: skip

#: names without an example, and why
NO_EXAMPLE = {
    "fem_clearance.extend.SimplerForm": "PairKind has it; others only compile faster",
    "fem_clearance.extend.StepEngine": "an Integrator of one's own gets its engine",
    "fem_clearance.lubrication.ClosedForm": "base of ShortBearing and LongBearing alone",
}


@pytest.mark.parametrize(
    ("found", "exempt", "what"),
    [
        (in_pages, {}, "described in no page of docs"),
        (in_examples, NO_EXAMPLE, "in no example of a page, tutorial, demo or docstring"),
        (in_tests, {}, "used in no test"),
    ],
)
def test_public_names(found, exempt, what):
    known = found() if found is in_pages else with_results(found())
    missing = {name for name in public() if short(name) not in known}
    assert sorted(missing - set(exempt)) == [], what
    assert sorted(set(exempt) - missing) == [], "exempt for nothing"


def test_what_counts():
    """A word, a name of another package or an assignment are not the use of a public name."""
    assert used("import fem_clearance as fc\nfc.Beam(1)") == {"Beam"}
    assert used("from fem_clearance.extend import Kind\nclass A(Kind): pass") == {"Kind"}
    assert used("import numpy as np\nnp.Beam(1)\nBeam = 2\n# fc.Beam") == set()
    assert used("from fem_clearance import gears\ngears.pair.SpurGear(1)") >= {"SpurGear"}
