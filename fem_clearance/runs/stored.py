"""Files of results: ``results.h5``, rows of a run in progress, ``summary.json``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.observation import Channel
from ..errors import InputError
from ..io import checkpoint, rows
from ..io.files import reading, replacing
from ..io.folder import CHECKPOINT, H5, ROWS, SUMMARY
from ..timestepping.events import Event, Events

#: dataset of the events in a results file, and its dimension
EVENTS, EVENT = "events", "event"
#: the independent variable of a run
TIME = Channel("time", "s", "time")


def write_h5(
    path: Path, channels: Sequence[Channel], table: np.ndarray, events: Events | None = None
) -> None:
    """Write, atomically, a dataset for each channel with ``unit`` and ``description`` (for other
    programs also as ``units`` and ``long_name``), their dimension ``time``, and a table ``events``,
    if there are any."""
    import h5py

    # since version 1.8 of HDF5, a dimension may have more than some 4000 channels
    format = {"libver": ("v108", "v108")}
    with replacing(path, sync=True) as temporary, h5py.File(temporary, "w", **format) as file:
        sets: list[Any] = []
        for c in (TIME, *channels):
            data = file.create_dataset(c.name, (len(table),), "f8")
            data.attrs["unit"] = data.attrs["units"] = c.unit
            data.attrs["description"] = data.attrs["long_name"] = c.description
            sets.append(data)
            if c is TIME:
                data.make_scale(c.name)
            else:
                data.dims[0].attach_scale(sets[0])
        for at in range(0, len(table), 65536):
            columns = np.ascontiguousarray(np.asarray(table[at : at + 65536]).T)
            for data, column in zip(sets, columns, strict=True):
                data[at : at + len(column)] = column
        if events:
            data = file.create_dataset(EVENTS, data=_event_rows(events))
            data.attrs["unit"] = "time: s, speed: m/s"
            data.attrs["description"] = "beginnings and ends of contacts, changes of sticking"
            data.dims[0].attach_scale(_numbers(file, len(events)))
        file.attrs["rows"] = len(table)
        file.attrs["channels"] = [c.name for c in channels]


def _numbers(file, count: int):
    """The dimension of the events: their numbers."""
    data = file.create_dataset(EVENT, data=np.arange(count))
    data.attrs["unit"], data.attrs["description"] = "", "number of the event"
    data.make_scale(EVENT)
    return data


def _event_rows(events: Events) -> np.ndarray:
    """Events as a structured array for HDF5."""
    import h5py

    word = h5py.string_dtype()
    kinds: dict[str, Any] = {"time": "f8", "owner": word, "kind": word, "speed": "f8"}
    return np.array([tuple(e) for e in events], dtype=list(kinds.items()))


def read_events(folder: Path | None) -> Events:
    """Events in the results file, or else in the checkpoint."""
    import h5py

    if folder is None:
        return Events()
    if (path := folder / H5).exists():
        with reading(path), h5py.File(path) as file:
            rows = file[EVENTS][:].tolist() if EVENTS in file else []
            return Events(Event(t, o.decode(), k.decode(), v) for t, o, k, v in rows)
    saved = checkpoint.read(folder / CHECKPOINT)  # still running, or killed
    names = Event._fields
    if saved is None or any(f"events.{n}" not in saved[0] for n in names):
        return Events()
    with reading(folder / CHECKPOINT / checkpoint.NAME):
        return Events.of(**{n: saved[0][f"events.{n}"] for n in names})


def found(folder: Path) -> tuple[list[Channel], np.ndarray | Stored]:
    """Channels and table of a run: from its row file, if that has more rows than results.h5."""
    h5, log = folder / H5, folder / ROWS
    stored = _read_h5(h5) if h5.exists() else None
    if log.exists() and (stored is None or rows.count(log) > len(stored[1])):
        return rows.read(log)
    if stored is None:
        inside = next(folder.glob(f"*/{H5}"), None) if folder.is_dir() else None
        raise InputError(
            f"{folder} holds no results of a run"
            + (f": take one of those in it, such as {inside.parent}." if inside else ".")
        )
    return stored


def _opened(path: Path):
    """A results file, opened; ``ValueError`` for a file of another program."""
    import h5py

    try:
        file = h5py.File(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ValueError(f"it is not a results file of fem_clearance ({error})") from None
    if "rows" not in file.attrs or "channels" not in file.attrs:
        file.close()
        raise ValueError("it is not a results file of fem_clearance")
    return file


def _read_h5(path: Path) -> tuple[list[Channel], Stored]:
    with reading(path), _opened(path) as file:
        names, count = [str(n) for n in file.attrs["channels"]], int(file.attrs["rows"])
        for name in (TIME.name, *names):
            if file[name].shape != (count,) or file[name].dtype != float:
                raise ValueError(f"{name} is not a column of {count} numbers")
        rows.checked_times(file[TIME.name][:])
        channels = [
            Channel(n, str(file[n].attrs["unit"]), str(file[n].attrs["description"])) for n in names
        ]
        return channels, Stored(path, [TIME.name, *names], count)


class Stored:
    """The table of a results file; columns are read when they are accessed."""

    def __init__(self, path: Path, names: list[str], rows: int):
        self.path, self.names, self.rows = path, names, rows

    def __len__(self):
        return self.rows

    def __getitem__(self, place) -> np.ndarray:
        import h5py

        rows, columns = place if isinstance(place, tuple) else (place, range(len(self.names)))
        with reading(self.path), h5py.File(self.path) as file:
            if isinstance(columns, int):
                return file[self.names[columns]][rows]
            return np.column_stack([file[self.names[k]][rows] for k in columns])


def restore_rows(folder: Path) -> None:
    """Restore the row file of a finished run from ``results.h5``, so that it can be continued."""
    path = folder / ROWS
    if path.exists() or not (folder / H5).exists():
        return
    channels, table = _read_h5(folder / H5)
    with replacing(path) as temporary:
        rows.create(temporary, channels)
        with open(temporary, "ab") as file:
            for at in range(0, len(table), 65536):
                file.write(np.ascontiguousarray(table[at : at + 65536]).tobytes())


def read_summary(folder: Path) -> dict[str, Any]:
    """Entries of ``summary.json``; empty if there is no such file.

    Raises:
        InputError: a file that is damaged.
    """
    path = folder / SUMMARY
    if not path.exists():
        return {}
    with reading(path, "results are read without it once it is removed"):
        summary = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(summary, dict):
            raise ValueError("it holds no entries")
    return summary
