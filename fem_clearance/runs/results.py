"""Results of a run: channels over time, on disk (``results.h5``) or in memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, KeysView, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..core.initial import SystemState
from ..core.observation import Channel
from ..core.renamed import present
from ..errors import InputError
from ..fields.motion import FRAMES, REMEDY, Motion
from ..io import checkpoint
from ..io.files import writing
from ..io.folder import CHECKPOINT, FIELDS
from ..timestepping.events import Events
from . import tables
from .stored import TIME, Stored, found, read_events, read_summary


class Results:
    """Channels of a run: a mapping from names, including ``time``, to arrays (rows,); ``len`` is
    the number of rows, as for a pandas table.

    Attributes:
        channels: name, unit and description of each.
        summary: the entries of ``summary.json``.
        folder: the run's folder, or ``None``.

    Example:
        >>> results = Results.open("runs/double_pendulum")
        >>> results.time, results["joint.eccentricity"], results.unit("joint.eccentricity")
        >>> results["tip.x", "tip.y"].shape, results.to_pandas().describe()
    """

    #: the independent variable of the rows
    axis = TIME

    def __init__(
        self,
        channels: Sequence[Channel],
        table: np.ndarray | Stored | None = None,
        summary: dict[str, Any] | None = None,
        folder: Path | None = None,
        last: SystemState | None = None,
        events: Events | None = None,
        motion: Motion | None = None,
    ):
        if isinstance(channels, str | Path) or table is None:
            raise InputError(
                "Results(...) takes channels and their table; a run's folder is read by "
                f"Results.open(folder), got {checks.shown(channels)}."
            )
        self._last, self._events, self._motion = last, events, motion
        self.channels, self.summary, self.folder = list(channels), summary or {}, folder
        self._table = table
        self._index = {self.axis.name: 0} | {c.name: k + 1 for k, c in enumerate(self.channels)}

    @classmethod
    def open(cls, folder) -> Results:
        """Results in a run's folder, finished or not (also during the run, or after it was killed).

        Raises:
            InputError: no run in the folder, damaged files.
        """
        folder = Path(folder)
        for last in (False, False, True):  # a run that just ends moves its rows
            try:
                return cls(*found(folder), read_summary(folder), folder)
            except InputError as error:
                if last or not isinstance(error.__cause__, FileNotFoundError):
                    raise
        raise AssertionError

    @property
    def last(self) -> SystemState:
        """The state at the end, from which another run may begin:
        ``Simulation(..., initial=results.last)``.

        Raises:
            InputError: a folder without a checkpoint.
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
        ``speed`` (m/s) of each; for a killed run those until its last checkpoint."""
        if self._events is None:
            self._events = read_events(self.folder)
        return self._events

    @property
    def motion(self) -> Motion:
        """Poses of bodies and joints at the field steps, and their appearance.

        Raises:
            InputError: a run without poses (``fields_every=0``), damaged files.
        """
        if self._motion is not None:
            return self._motion
        if self.folder is None:
            raise InputError(f"these results hold no poses of bodies; {REMEDY}.")
        return Motion.open(self.folder)

    @property
    def has_motion(self) -> bool:
        """Whether poses of bodies have been recorded."""
        if self._motion is not None or self.folder is None:
            return self._motion is not None
        return (Path(self.folder) / FIELDS / FRAMES).exists()

    def scene(
        self, *, up: ArrayLike | None = None, view: str | ArrayLike | None = None,
        clearance_scale: float | str | Mapping[str, float] = "auto",
        motion_scale: float | str = 1.0, color: str = "bodies", forces: bool = True,
        traces: bool | Sequence[str] = True, layers: bool = True, hide: Sequence[str] = (),
    ):  # fmt: skip
        """The moving mechanism for pictures: ``.picture``, ``.strip``, ``.animation``, ``.page``,
        ``.plotter``, or displayed in a notebook.

        Args:
            up, view, clearance_scale, motion_scale, color, forces, traces, layers, hide: see
                ``plotting.scene.scene.Scene``.

        Raises:
            InputError: a run without poses, an unknown choice.
        """
        from ..plotting.scene.scene import Scene

        fields = None if self.folder is None else Path(self.folder) / FIELDS
        title = "mechanism" if self.folder is None else Path(self.folder).resolve().name
        return Scene(
            self.motion, self, fields=fields, title=title, up=up, view=view,
            clearance_scale=clearance_scale, motion_scale=motion_scale, color=color, forces=forces,
            traces=traces, layers=layers, hide=hide,
        )  # fmt: skip

    # --- reading --------------------------------------------------------------------------------
    @property
    def names(self) -> list[str]:
        """Names of the channels, without ``time``."""
        return [c.name for c in self.channels]

    @property
    def time(self) -> np.ndarray:
        """Times of the rows, s."""
        return self[self.axis.name]

    def __getitem__(self, name: str | Sequence[str]) -> np.ndarray:
        """A channel (rows,), or several as columns (rows, n): ``results["a", "b"]``."""
        if isinstance(name, str):
            return np.asarray(self._table[:, self._column(name)])
        columns = [self._column(n) for n in name]
        return np.asarray(self._table[:, columns]) if columns else np.zeros((len(self), 0))

    def __contains__(self, name) -> bool:
        return isinstance(name, str) and present(name, self._index) in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._table)

    def keys(self) -> KeysView[str]:
        """Names of all channels, that of the time first."""
        return self._index.keys()

    def values(self) -> Iterator[np.ndarray]:
        """Arrays of all channels, the time first."""
        return (self[name] for name in self)

    def items(self) -> Iterator[tuple[str, np.ndarray]]:
        """Names and arrays of all channels, the time first."""
        return ((name, self[name]) for name in self)

    def get(self, name: str, default=None):
        """A channel, or ``default`` if there is none of that name."""
        return self[name] if name in self else default  # noqa: SIM401  (this is that method)

    def __repr__(self) -> str:
        return tables.line(self)

    def _repr_html_(self) -> str:
        return tables.html(self)

    def unit(self, name: str) -> str:
        """SI unit of a channel."""
        return self._channel(name).unit

    def description(self, name: str) -> str:
        """Description of a channel, one line."""
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
    def plot(self, *names: str, x: str | None = None, ax=None, window=None):
        """A figure of channels over time, or over another channel.

        Channels of one quantity share axes, which are labelled in words and in a unit that suits
        the numbers. The figure belongs to no window: a notebook shows it as the value of a cell; a
        script saves it, ``figure.savefig(...)``, or passes its own ``ax``.

        Args:
            names: channels.
            x: channel on the horizontal axis; by default the time.
            ax: Matplotlib axes to draw into, for channels of one unit.
            window: first and last time shown, s.

        Returns:
            The Matplotlib figure.

        Raises:
            InputError: no channel or an unknown one; several units for one ``ax``.

        Example:
            >>> results.plot("joint.ex", "joint.ey", window=(0.02, 0.03)).savefig("joint.svg")
        """
        from ..plotting.curves import over_time

        return over_time(self, names, window=window, x=x, ax=ax)

    def to_pandas(self, names: Sequence[str] | None = None):
        """A ``pandas.DataFrame`` with the time as index and a column for each channel; ``attrs``
        contains units and descriptions by channel.

        Args:
            names: channels; by default all.

        Raises:
            InputError: an unknown channel; pandas is not installed.
        """
        return tables.to_pandas(self, names)

    def to_xarray(self, names: Sequence[str] | None = None):
        """An ``xarray.Dataset`` over the time; each channel has ``units`` and ``long_name``.

        Args:
            names: channels; by default all.

        Raises:
            InputError: an unknown channel; xarray is not installed.
        """
        return tables.to_xarray(self, names)

    def to_csv(self, path, names: Sequence[str] | None = None) -> None:
        """Write channels as CSV: a header, then ``time`` and the channels in the order given.

        Raises:
            InputError: an unknown channel, a file that cannot be written.
        """
        first = self.axis.name
        names = [n for n in (self.names if names is None else names) if n != first]
        columns = [0, *(self._column(n) for n in names)]
        with writing(path) as file:
            csv.writer(file, lineterminator="\n").writerow([first, *names])
            for at in range(0, len(self), 65536):
                for row in self._table[at : at + 65536, columns].tolist():
                    file.write(",".join(map(repr, row)) + "\n")

    def events_to_csv(self, path) -> None:
        """Write ``events`` as CSV: a header, then a line an event.

        Raises:
            InputError: a file that cannot be written.
        """
        with writing(path) as file:
            self.events.write(file)
