"""Results: rows that survive anything, results.h5, CSV."""

import h5py
import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.observation import Channel
from fem_clearance.io import rows
from fem_clearance.runs import results
from fem_clearance.runs.results import Results
from fem_clearance.timestepping.events import Event, Events

CHANNELS = [Channel("tip.x", "m", "x of the tip"), Channel("joint.force", "N", "force, µ")]


def table(n: int) -> np.ndarray:
    t = np.linspace(0, 1, n)
    return np.column_stack([t, np.sin(t), np.cos(t)])


def fill(log, numbers):
    for row in numbers:
        log.append(row[0], row[1:])


def test_rows_in_a_file(tmp_path):
    log = rows.RowFile(tmp_path / results.ROWS, CHANNELS)
    fill(log, table(10_000))
    assert len(log) == 10_000
    log.close()
    channels, read = rows.read(log.path)
    assert channels == CHANNELS
    np.testing.assert_array_equal(read, table(10_000))


def test_torn_last_row_is_ignored(tmp_path):
    log = rows.RowFile(tmp_path / results.ROWS, CHANNELS)
    fill(log, table(7))
    log.close()
    with open(log.path, "ab") as file:
        file.write(b"\1\2\3\4\5")
    assert rows.count(log.path) == 7
    np.testing.assert_array_equal(Results.open(tmp_path).time, table(7)[:, 0])


def test_going_on_from_a_number_of_rows(tmp_path):
    log = rows.RowFile(tmp_path / results.ROWS, CHANNELS)
    fill(log, table(20))
    log.close()
    again = rows.RowFile(log.path, CHANNELS, keep=12)
    fill(again, table(20)[12:])
    again.close()
    np.testing.assert_array_equal(rows.read(log.path)[1], table(20))
    with pytest.raises(fc.InputError, match="other channels"):
        rows.RowFile(log.path, CHANNELS[:1], keep=3)


def test_rows_are_written_within_a_second(tmp_path, monkeypatch):
    log = rows.RowFile(tmp_path / results.ROWS, CHANNELS)
    monkeypatch.setattr(rows, "WAIT", 0.0)
    log.append(0.0, np.array([1.0, 2.0]))
    assert rows.count(log.path) == 1


def test_derived_channels(tmp_path):
    derived = [
        rows.Derived("twice", "m", "", lambda c: 2 * c["tip.x"]),
        rows.Derived("zero", "N", "", lambda c: 0.0),
        rows.Derived("thrice", "m", "", lambda c: c["twice"] + c["tip.x"]),
    ]
    for log in (
        rows.Rows(CHANNELS, derived),
        rows.RowFile(tmp_path / results.ROWS, CHANNELS, derived),
    ):
        fill(log, table(rows.BUFFER + 5))
        found = Results(log.channels, log.table())
        np.testing.assert_array_equal(found["twice"], 2 * found["tip.x"])
        np.testing.assert_allclose(found["thrice"], 3 * found["tip.x"])
        assert not found["zero"].any()
        log.close()


def test_events_in_h5(tmp_path):
    """A table beside the channels; none where nothing happened."""
    events = Events([Event(0.25, "joint", "onset", 0.5), Event(0.5, "joint µ", "loss", 0.25)])
    results.write_h5(tmp_path / results.H5, CHANNELS, table(10), events)
    with h5py.File(tmp_path / results.H5) as file:
        rows = file["events"]
        assert rows.dtype.names == ("time", "owner", "kind", "speed")
        np.testing.assert_array_equal(rows["speed"], [0.5, 0.25])
    found = Results.open(tmp_path)
    assert found.events == events and found.names == ["tip.x", "joint.force"]
    found.events_to_csv(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text("utf-8").splitlines() == [
        "time,owner,kind,speed",
        "0.25,joint,onset,0.5",
        "0.5,joint µ,loss,0.25",
    ]
    results.write_h5(tmp_path / results.H5, CHANNELS, table(10), Events())
    assert Results.open(tmp_path).events == []
    assert Results(CHANNELS, table(10)).events == []
    with pytest.raises(fc.InputError, match="hold no state"):
        Results(CHANNELS, table(10)).last  # noqa: B018


def test_names_that_results_need():
    for name in ("time", "events"):
        with pytest.raises(fc.InputError, match=f"no channel may be called {name}"):
            rows.Rows([Channel(name, "", "")])


def test_h5_has_units_and_descriptions(tmp_path):
    results.write_h5(tmp_path / results.H5, CHANNELS, table(100))
    with h5py.File(tmp_path / results.H5) as file:
        assert set(file) == {"time", "tip.x", "joint.force"}
        assert file["joint.force"].attrs["unit"] == "N"
        assert file["joint.force"].attrs["description"] == "force, µ"
        assert file["time"].attrs["unit"] == "s"
        np.testing.assert_array_equal(file["tip.x"], np.sin(np.linspace(0, 1, 100)))
    found = Results.open(tmp_path)
    assert found.names == ["tip.x", "joint.force"]
    assert (found.unit("tip.x"), found.unit("time"), found.description("tip.x")) == (
        "m",
        "s",
        "x of the tip",
    )
    assert len(found) == 100 and "tip.x" in found and "tip.y" not in found
    with pytest.raises(fc.InputError, match="did you mean 'tip.x'"):
        found["tip.z"]
    assert not list(tmp_path.glob("*.tmp"))


def test_the_newer_of_rows_and_h5_is_read(tmp_path):
    log = rows.RowFile(tmp_path / results.ROWS, CHANNELS)
    fill(log, table(50)[:20])
    results.write_h5(tmp_path / results.H5, log.channels, log.table())
    fill(log, table(50)[20:])
    log.flush()
    assert len(Results.open(tmp_path)) == 50
    log.close()


def test_rows_of_a_finished_run_come_back(tmp_path):
    results.write_h5(tmp_path / results.H5, CHANNELS, table(100))
    results.restore_rows(tmp_path)
    channels, read = rows.read(tmp_path / results.ROWS)
    assert channels == CHANNELS
    np.testing.assert_array_equal(read, table(100))


def test_csv(tmp_path):
    found = Results(CHANNELS, table(5))
    found.to_csv(tmp_path / "a.csv", ["joint.force", "tip.x"])
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "time,joint.force,tip.x"
    np.testing.assert_array_equal(np.loadtxt(lines[1:], delimiter=","), table(5)[:, [0, 2, 1]])
    found.to_csv(tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text().startswith("time,tip.x,joint.force\n")
    with pytest.raises(fc.InputError, match="cannot be written"):
        found.to_csv(tmp_path / "no" / "a.csv")


def test_no_results(tmp_path):
    with pytest.raises(fc.InputError, match="holds no results"):
        Results.open(tmp_path)
    (tmp_path / results.H5).write_text("no")
    with pytest.raises(fc.InputError, match="not a results file"):
        Results.open(tmp_path)


def test_two_channels_of_one_name():
    with pytest.raises(fc.InputError, match=r"two channels are called tip\.x"):
        rows.Rows(CHANNELS, [rows.Derived("tip.x", "m", "", lambda c: 0.0)])


def test_a_million_rows(tmp_path):
    n = 1_000_000
    log = rows.RowFile(tmp_path / results.ROWS, CHANNELS)
    values = np.zeros(2)
    for k in range(n):
        values[0] = k
        log.append(k * 1e-6, values)
    results.write_h5(tmp_path / results.H5, log.channels, log.table())
    log.close()
    log.path.unlink()
    found = Results.open(tmp_path)
    assert len(found) == n and found["tip.x"][-1] == n - 1


def test_former_names_of_losses():
    """What is lost has names that end in ``loss``; those of before still find it."""
    seen = []
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(0, 0.01, 0), name="b", free=True))
    system.add(
        fc.RevoluteClearance(
            system.ground.at((0, 0, 0)), body.center, (0, 0, 1), bearing_radius=0.011,
            journal_radius=0.01, length=0.01, stiffness=1e6, friction=fc.SmoothCoulomb(0.1),
            name="joint",
        )
    )  # fmt: skip

    def derived(c):
        seen.append(c["joint.friction_power"])
        return 2 * seen[-1]

    twice = fc.Derived("twice", "W", "twice the loss", derived)
    results = fc.Simulation(system, dt=1e-3, t_end=0.01, derived=[twice], progress=False).run()
    for name in ("joint.friction_loss", "joint.friction_power"):
        assert name in results and results.unit(name) == "W"
        np.testing.assert_array_equal(results["twice"], 2 * results[name])
    assert "joint.friction_power" not in results.names
    assert system.channels["joint.friction_power"] == system.channels["joint.friction_loss"]
    assert "joint.other_power" not in results
    with pytest.raises(fc.InputError, match="there is no channel 'joint.other_power'"):
        results["joint.other_power"]
