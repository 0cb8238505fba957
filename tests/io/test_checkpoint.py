"""Checkpoints: complete or not there."""

import os

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.io import checkpoint

STATE = {
    "q": np.linspace(0, 1, 5),
    "steps": 12,
    "solver": np.array("mumps"),
    "names": np.array(["a", "bc"]),
}


def test_round_trip(tmp_path):
    folder = tmp_path / "checkpoint"
    assert checkpoint.read(folder) is None
    checkpoint.write(folder, STATE, {"rows": 3, "t": 0.1})
    state, about = checkpoint.read(folder)
    assert about["rows"] == 3 and about["t"] == 0.1
    np.testing.assert_array_equal(state["q"], STATE["q"])
    assert (
        state["steps"] == 12
        and str(state["solver"]) == "mumps"
        and list(state["names"]) == ["a", "bc"]
    )
    assert os.listdir(folder) == [checkpoint.NAME]


def test_the_previous_one_stays_until_the_new_one_is_complete(tmp_path, monkeypatch):
    folder = tmp_path / "checkpoint"
    checkpoint.write(folder, STATE, {"rows": 3})

    def full(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space"):
        checkpoint.write(folder, STATE, {"rows": 4})
    assert checkpoint.read(folder)[1]["rows"] == 3


def test_damaged_or_foreign(tmp_path):
    folder = tmp_path / "checkpoint"
    checkpoint.write(folder, STATE, {"format": 99})
    with pytest.raises(fc.InputError, match="format 99"):
        checkpoint.read(folder)
    whole = (folder / checkpoint.NAME).read_bytes()
    (folder / checkpoint.NAME).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(fc.InputError, match="damaged"):
        checkpoint.read(folder)
