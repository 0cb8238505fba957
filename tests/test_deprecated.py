"""Old names of modules and arguments go on to be understood, with a sentence; all of them are tried
in test_upgrade.py."""

import importlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.analysis import OdeFlow


def test_an_old_module_is_the_new_one():
    sys.modules.pop("fem_clearance.joints.pair", None)
    with pytest.warns(DeprecationWarning, match=r"pair is called fem_clearance\.model\.pair"):
        old = importlib.import_module("fem_clearance.joints.pair")
    new = importlib.import_module("fem_clearance.model.pair")
    assert old is new and new.__spec__.name == new.__name__ == "fem_clearance.model.pair"


def test_a_name_that_stays_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from fem_clearance.contact.normal import power
    assert power is importlib.import_module("fem_clearance.extend").power


def test_every_old_module_is_there():
    finder = next(f for f in sys.meta_path if isinstance(f, fc.deprecated.Modules))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for old, (new, _) in finder.names.items():
            assert importlib.import_module(old) is importlib.import_module(new)


def test_no_such_module():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("fem_clearance.joints.nothing")


def test_names_of_cases():
    """What a user's case may still say: each works, and names what it is called now."""
    from fem_clearance.runs import steady

    def build(p):
        raise p.refuse("length", "too long.")

    with pytest.warns(DeprecationWarning, match="follow is called derived_settings now"):
        case = fc.Case(
            "rod", "", build, [fc.Parameter("length", 2.0)], follow=lambda v: {"t_end": v["length"]}
        )
    values = case.resolve()
    assert values["t_end"] == 2.0
    with (
        pytest.warns(DeprecationWarning, match="refuse is called error now"),
        pytest.raises(fc.InputError, match=r"length = 2\.0: too long"),
    ):
        case.model(values)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = steady.Nothing


def test_longer_names_are_told():
    with pytest.raises(AttributeError, match="'Spring'; there is SpringDamper, TorsionSpring$"):
        _ = fc.Spring


def test_an_old_attribute_is_the_new_one():
    beam = fc.Beam(
        (0, 0, 0), (1, 0, 0), fc.Circle(0.01), fc.StVenantKirchhoff(2e11, 0.3, 7800), elements=2
    )
    with pytest.warns(DeprecationWarning, match="stations is called arc_lengths now"):
        assert beam.stations is beam.arc_lengths


def test_an_old_method_is_the_new_one():
    flow = OdeFlow(lambda t, x, p: [-p * x[0]], 1, period=1.0)
    with pytest.warns(DeprecationWarning, match="carry is called transition now"):
        end = flow.carry([1.0], 0.5).state
    assert end == pytest.approx(np.exp(-0.5), rel=1e-6)


def test_the_user_sees_the_warning(tmp_path):
    """Python shows such warnings if they are about the script itself, not about a library."""
    script = tmp_path / "old.py"
    script.write_text(
        "import fem_clearance as fc\n"
        "fc.Box\n"
        "system = fc.System(loop='compiled')\n"
        "fc.Case('a', '', print, [], follow=dict)\n"
        "import fem_clearance.probes\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    shown = [line for line in done.stderr.splitlines() if "DeprecationWarning" in line]
    assert [int(line.split(":")[1]) for line in shown] == [2, 3, 4, 5]
