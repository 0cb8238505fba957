"""Results: rows that survive anything, results.h5, CSV."""

import re
import sys
import warnings

import h5py
import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.observation import Channel
from fem_clearance.errors import InputError
from fem_clearance.io import rows
from fem_clearance.runs import stored
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
    log = rows.RowFile(tmp_path / stored.ROWS, CHANNELS)
    fill(log, table(10_000))
    assert len(log) == 10_000
    log.close()
    channels, read = rows.read(log.path)
    assert channels == CHANNELS
    np.testing.assert_array_equal(read, table(10_000))


def test_torn_last_row_is_ignored(tmp_path):
    log = rows.RowFile(tmp_path / stored.ROWS, CHANNELS)
    fill(log, table(7))
    log.close()
    with open(log.path, "ab") as file:
        file.write(b"\1\2\3\4\5")
    assert rows.count(log.path) == 7
    np.testing.assert_array_equal(Results.open(tmp_path).time, table(7)[:, 0])


def test_going_on_from_a_number_of_rows(tmp_path):
    log = rows.RowFile(tmp_path / stored.ROWS, CHANNELS)
    fill(log, table(20))
    log.close()
    again = rows.RowFile(log.path, CHANNELS, keep=12)
    fill(again, table(20)[12:])
    again.close()
    np.testing.assert_array_equal(rows.read(log.path)[1], table(20))
    with pytest.raises(fc.InputError, match="other channels"):
        rows.RowFile(log.path, CHANNELS[:1], keep=3)


def test_rows_are_written_within_a_second(tmp_path, monkeypatch):
    log = rows.RowFile(tmp_path / stored.ROWS, CHANNELS)
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
        rows.RowFile(tmp_path / stored.ROWS, CHANNELS, derived),
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
    stored.write_h5(tmp_path / stored.H5, CHANNELS, table(10), events)
    with h5py.File(tmp_path / stored.H5) as file:
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
    stored.write_h5(tmp_path / stored.H5, CHANNELS, table(10), Events())
    assert Results.open(tmp_path).events == []
    assert Results(CHANNELS, table(10)).events == []
    with pytest.raises(fc.InputError, match="hold no state"):
        Results(CHANNELS, table(10)).last  # noqa: B018


def test_folder_is_read_by_open():
    with pytest.raises(InputError, match=r"Results.open\(folder\), got 'runs/x'"):
        Results("runs/x")


def test_names_that_results_need():
    for name in ("time", "events", "event"):
        with pytest.raises(fc.InputError, match=f"no channel may be called {name}"):
            rows.Rows([Channel(name, "", "")])


def test_h5_has_units_and_descriptions(tmp_path):
    stored.write_h5(tmp_path / stored.H5, CHANNELS, table(100))
    with h5py.File(tmp_path / stored.H5) as file:
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
    log = rows.RowFile(tmp_path / stored.ROWS, CHANNELS)
    fill(log, table(50)[:20])
    stored.write_h5(tmp_path / stored.H5, log.channels, log.table())
    fill(log, table(50)[20:])
    log.flush()
    assert len(Results.open(tmp_path)) == 50
    log.close()


def test_rows_of_a_finished_run_come_back(tmp_path):
    stored.write_h5(tmp_path / stored.H5, CHANNELS, table(100))
    stored.restore_rows(tmp_path)
    channels, read = rows.read(tmp_path / stored.ROWS)
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
    (tmp_path / stored.H5).write_text("no")
    with pytest.raises(fc.InputError, match="not a results file"):
        Results.open(tmp_path)


def test_two_channels_of_one_name():
    with pytest.raises(fc.InputError, match=r"two channels are called tip\.x"):
        rows.Rows(CHANNELS, [rows.Derived("tip.x", "m", "", lambda c: 0.0)])


def test_a_million_rows(tmp_path):
    n = 1_000_000
    log = rows.RowFile(tmp_path / stored.ROWS, CHANNELS)
    values = np.zeros(2)
    for k in range(n):
        values[0] = k
        log.append(k * 1e-6, values)
    stored.write_h5(tmp_path / stored.H5, log.channels, log.table())
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


def test_results_are_a_mapping():
    found = Results(CHANNELS, table(7))
    assert list(found) == list(found.keys()) == ["time", "tip.x", "joint.force"]
    assert "time" in found and "tip.x" in found and 3 not in found and ("tip.x",) not in found
    assert found.get("tip.y", 5) == 5 and len(found) == 7
    for name, column in dict(found).items():
        np.testing.assert_array_equal(column, found[name])
    np.testing.assert_array_equal(np.column_stack(list(found.values())), table(7))
    assert [name for name, _ in found.items()] == list(found)


@pytest.mark.parametrize("on_disk", [False, True])
def test_several_channels_at_once(tmp_path, on_disk):
    """Columns in the order asked for, of arrays in memory and of a file."""
    found = Results(CHANNELS, table(9))
    if on_disk:
        stored.write_h5(tmp_path / stored.H5, CHANNELS, table(9))
        found = Results.open(tmp_path)
    wanted = table(9)[:, [2, 1, 0]]
    np.testing.assert_array_equal(found["joint.force", "tip.x", "time"], wanted)
    np.testing.assert_array_equal(found[["joint.force", "tip.x", "time"]], wanted)
    assert found[["tip.x"]].shape == (9, 1) and found[[]].shape == (9, 0)
    with pytest.raises(fc.InputError, match="did you mean 'tip.x'"):
        found["joint.force", "tip.z"]


def test_pandas_and_xarray():
    """The time is the index; units and descriptions go along."""
    pandas = pytest.importorskip("pandas")
    found = Results(CHANNELS, table(9))
    frame = found.to_pandas()
    expected = pandas.DataFrame(
        table(9)[:, 1:], index=pandas.Index(table(9)[:, 0], name="time"),
        columns=["tip.x", "joint.force"],
    )  # fmt: skip
    pandas.testing.assert_frame_equal(frame, expected)
    assert frame.attrs["units"] == {"time": "s", "tip.x": "m", "joint.force": "N"}
    assert frame.attrs["descriptions"]["joint.force"] == "force, µ"
    assert list(found.to_pandas(["joint.force"])) == ["joint.force"]
    pytest.importorskip("xarray")
    data = found.to_xarray(["tip.x"])
    assert data.sizes == {"time": 9} and list(data) == ["tip.x"]
    assert data["tip.x"].attrs == {"units": "m", "long_name": "x of the tip"}
    assert data["time"].attrs["units"] == "s"
    assert float(data["tip.x"].sel(time=0.5)) == np.sin(0.5)


def test_libraries_that_are_missing(monkeypatch):
    found = Results(CHANNELS, table(3))
    for name, ask in (("pandas", found.to_pandas), ("xarray", found.to_xarray)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(fc.InputError, match=rf"to_{name} needs {name}.*pip install {name}\."):
            ask()


def test_xarray_opens_the_results_file(tmp_path):
    """Each channel lies along the time, with units; the table of events has its own dimension."""
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    events = Events([Event(0.25, "joint", "onset", 0.5)])
    stored.write_h5(tmp_path / stored.H5, CHANNELS, table(9), events)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with xarray.open_dataset(tmp_path / stored.H5, engine="h5netcdf") as data:
            assert data["tip.x"].dims == ("time",) and data["events"].dims == ("event",)
            np.testing.assert_array_equal(data.indexes["time"], table(9)[:, 0])
            assert data["joint.force"].attrs["units"] == "N"
            assert data["joint.force"].attrs["long_name"] == "force, µ"
            np.testing.assert_array_equal(data["tip.x"], table(9)[:, 1])
    assert Results.open(tmp_path).events == events


def test_files_without_a_time_axis_still_open(tmp_path):
    """As versions before wrote them: no dimension scales, no ``units``."""
    with h5py.File(tmp_path / stored.H5, "w") as file:
        for c, column in zip((stored.TIME, *CHANNELS), table(5).T, strict=True):
            file[c.name] = column
            file[c.name].attrs["unit"], file[c.name].attrs["description"] = c.unit, c.description
        file.attrs["rows"], file.attrs["channels"] = 5, [c.name for c in CHANNELS]
    found = Results.open(tmp_path)
    assert found.channels == CHANNELS and found.events == []
    np.testing.assert_array_equal(found["tip.x", "joint.force"], table(5)[:, 1:])


def test_thousands_of_channels_have_a_time_axis(tmp_path):
    """HDF5's oldest format holds some 4000 references to a dimension."""
    many = [Channel(f"a{k}", "m", "") for k in range(4500)]
    stored.write_h5(tmp_path / stored.H5, many, np.zeros((2, 4501)))
    assert len(Results.open(tmp_path).names) == 4500


def test_results_say_what_they_hold():
    """In a line, and as a table of channels with unit, description and extremes; names are text."""
    found = Results(
        [*CHANNELS, Channel("<b>", "", "a & b")], np.column_stack([table(5), np.ones(5)])
    )
    assert repr(found) == ("<Results: 5 rows, time 0 to 1 s, 3 channels: tip.x, joint.force, <b>>")
    shown = found._repr_html_()
    assert "&lt;b&gt;" in shown and "<b>" not in shown and "a &amp; b" in shown
    tip = re.search(r"<tr><td[^>]*>tip\.x</td>(.*?)</tr>", shown)[1]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", tip)
    assert cells == ["m", "x of the tip", "0", "0.8415", "0.8415"]  # sin 1
    assert "0 rows" in repr(Results(CHANNELS, np.zeros((0, 3))))
    assert "0 rows" in Results(CHANNELS, np.zeros((0, 3)))._repr_html_()
