"""Results of a run: channels over time, on disk (``results.h5``) or in memory."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .. import checks
from ..core.initial import SystemState
from ..core.observation import Channel
from ..core.renamed import present
from ..errors import InputError
from ..io import checkpoint, rows
from ..io.files import reading, replacing
from ..io.folder import CHECKPOINT, H5, ROWS, SUMMARY
from ..timestepping.events import Event, Events

#: events of a run in its results file
EVENTS = "events"
#: what the rows of a run go by
TIME = Channel("time", "s", "time")


class Results:
    """Channels of a run by name.

    Attributes:
        channels: name, unit and description of each.
        summary: the entries of ``summary.json``.
        folder: the run's folder, or ``None``.

    Example:
        >>> results = Results.open("runs/double_pendulum")
        >>> results.time, results["joint.eccentricity"], results.unit("joint.eccentricity")
    """

    #: what the rows go by
    axis = TIME

    def __init__(
        self,
        channels: Sequence[Channel],
        table: np.ndarray | _Stored,
        summary: dict[str, Any] | None = None,
        folder: Path | None = None,
        last: SystemState | None = None,
        events: Events | None = None,
    ):
        self._last, self._events = last, events
        self.channels, self.summary, self.folder = list(channels), summary or {}, folder
        self._table = table
        self._index = {self.axis.name: 0} | {c.name: k + 1 for k, c in enumerate(self.channels)}

    @classmethod
    def open(cls, folder) -> Results:
        """Results of a run's folder, finished or not (also while it runs, or after it was killed).

        Raises:
            InputError: no run there, files that are damaged.
        """
        folder = Path(folder)
        for last in (False, False, True):  # a run that ends moves its rows while they are looked at
            try:
                return cls(*_found(folder), read_summary(folder), folder)
            except InputError as error:
                if last or not isinstance(error.__cause__, FileNotFoundError):
                    raise
        raise AssertionError

    @property
    def last(self) -> SystemState:
        """The state at the end: of a ``Simulation(..., initial=results.last)``, say.

        Raises:
            InputError: a folder without checkpoint.
        """
        if self._last is None:
            saved = checkpoint.read(self.folder / CHECKPOINT) if self.folder else None
            if saved is None:
                raise InputError("these results hold no state to begin with.")
            self._last = SystemState.of_snapshot(saved[0])
        return self._last

    @property
    def events(self) -> Events:
        """Beginnings and ends of contacts and changes between sticking and slipping, located inside
        the steps: ``time`` (s), ``owner``, ``kind`` (``onset``, ``loss``, ``stick``, ``slip``) and
        ``speed`` (m/s) of each. Of a run that was killed those until its last checkpoint."""
        if self._events is None:
            self._events = _read_events(self.folder)
        return self._events

    # --- reading --------------------------------------------------------------------------------
    @property
    def names(self) -> list[str]:
        """Names of the channels, without ``time``."""
        return [c.name for c in self.channels]

    @property
    def time(self) -> np.ndarray:
        """Times of the rows, s."""
        return self[self.axis.name]

    def __getitem__(self, name: str) -> np.ndarray:
        return np.asarray(self._table[:, self._column(name)])

    def __contains__(self, name) -> bool:
        return present(name, self._index) in self._index

    def __len__(self) -> int:
        return len(self._table)

    def unit(self, name: str) -> str:
        """SI unit of a channel."""
        return self._channel(name).unit

    def description(self, name: str) -> str:
        """What a channel is, one line."""
        return self._channel(name).description

    def _channel(self, name: str) -> Channel:
        column = self._column(name)
        return self.channels[column - 1] if column else self.axis

    def _column(self, name: str) -> int:
        try:
            return self._index[present(name, self._index)]
        except KeyError:
            raise InputError(
                f"there is no channel {name!r}{checks.suggestion(name, self._index)}; there are "
                f"{checks.some(self.names, like=name)}."
            ) from None

    # --- handing over ---------------------------------------------------------------------------
    def plot(self, *names: str):
        """A matplotlib figure of channels over time."""
        from ..plotting.curves import over_time

        return over_time(self, names)

    def to_csv(self, path, names: Sequence[str] | None = None) -> None:
        """Write channels as CSV: a header, then ``time`` and the channels in the order given.

        Raises:
            InputError: an unknown channel, a file that cannot be written.
        """
        first = self.axis.name
        names = [n for n in (self.names if names is None else names) if n != first]
        columns = [0, *(self._column(n) for n in names)]
        with _text(path) as file:
            csv.writer(file, lineterminator="\n").writerow([first, *names])
            for at in range(0, len(self), 65536):
                for row in self._table[at : at + 65536, columns].tolist():
                    file.write(",".join(map(repr, row)) + "\n")

    def events_to_csv(self, path) -> None:
        """Write ``events`` as CSV: a header, then a line an event.

        Raises:
            InputError: a file that cannot be written.
        """
        with _text(path) as file:
            self.events.write(file)


@contextmanager
def _text(path):
    """A text file to write."""
    try:
        with open(path, "w", newline="", encoding="utf-8") as file:
            yield file
    except BrokenPipeError:  # of a program that reads it, see cli.py
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


# --- results.h5 ---------------------------------------------------------------------------------
def write_h5(
    path: Path, channels: Sequence[Channel], table: np.ndarray, events: Events | None = None
) -> None:
    """One dataset a channel with ``unit`` and ``description``, and ``time``; a table ``events``, if
    there are any; atomically."""
    import h5py

    with replacing(path, sync=True) as temporary, h5py.File(temporary, "w") as file:
        sets = []
        for c in (TIME, *channels):
            data = file.create_dataset(c.name, (len(table),), "f8")
            data.attrs["unit"], data.attrs["description"] = c.unit, c.description
            sets.append(data)
        for at in range(0, len(table), 65536):
            columns = np.ascontiguousarray(np.asarray(table[at : at + 65536]).T)
            for data, column in zip(sets, columns, strict=True):
                data[at : at + len(column)] = column
        if events:
            data = file.create_dataset(EVENTS, data=_event_rows(events))
            data.attrs["unit"] = "time: s, speed: m/s"
            data.attrs["description"] = "beginnings and ends of contacts, changes of sticking"
        file.attrs["rows"] = len(table)
        file.attrs["channels"] = [c.name for c in channels]


def _event_rows(events: Events) -> np.ndarray:
    """Events as a table of HDF5."""
    import h5py

    word = h5py.string_dtype()
    kinds: dict[str, Any] = {"time": "f8", "owner": word, "kind": word, "speed": "f8"}
    return np.array([tuple(e) for e in events], dtype=list(kinds.items()))


def _read_events(folder: Path | None) -> Events:
    """Those of the results file, or else of the checkpoint."""
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


def _found(folder: Path) -> tuple[list[Channel], np.ndarray | _Stored]:
    """Channels and table of a run: of its row file where that knows more than the results file."""
    h5, log = folder / H5, folder / ROWS
    stored = _read_h5(h5) if h5.exists() else None
    if log.exists() and (stored is None or rows.count(log) > len(stored[1])):
        return rows.read(log)
    if stored is None:
        raise InputError(f"{folder} holds no results of a run.")
    return stored


def _opened(path: Path):
    """A results file; one of another program is told from one that is torn."""
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


def _read_h5(path: Path) -> tuple[list[Channel], _Stored]:
    with reading(path), _opened(path) as file:
        names, count = [str(n) for n in file.attrs["channels"]], int(file.attrs["rows"])
        for name in (TIME.name, *names):
            if file[name].shape != (count,) or file[name].dtype != float:
                raise ValueError(f"{name} is not a column of {count} numbers")
        rows.checked_times(file[TIME.name][:])
        channels = [
            Channel(n, str(file[n].attrs["unit"]), str(file[n].attrs["description"])) for n in names
        ]
        return channels, _Stored(path, [TIME.name, *names], count)


class _Stored:
    """The table of a results file; columns are read when they are asked for."""

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
    """The row file of a finished run again, from ``results.h5``, so that it can go on."""
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
    """Entries of ``summary.json``; none where there is no such file.

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
