"""Old names of modules and arguments go on to be understood, with a sentence."""

import importlib
import sys
import warnings

import pytest

import fem_clearance as fc


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
