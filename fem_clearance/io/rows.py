"""Recorded rows of a run: one for each recorded step, appended to a file or kept in memory.

The file survives ``kill -9``: a line of JSON with the channels, padded to a multiple of 8 bytes,
then rows of 64-bit numbers (time first). A torn last row is ignored.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .. import checks
from ..core.observation import Channel
from ..core.renamed import present
from ..errors import InputError
from .checkpoint import REMEDY
from .files import damaged, reading, replacing

#: rows of the buffer, and the longest time before it is written, s of wall time
BUFFER, WAIT = 4096, 0.5
#: datasets of the results file that are not channels
RESERVED = ("time", "events", "event")


class Derived(NamedTuple):
    """A channel computed from recorded ones.

    Attributes:
        name, unit, description: as of any channel.
        function: takes a mapping from channel names (and ``time``, s) to arrays (rows,), and
            returns such an array, or one number for all rows.

    Example::

        def length(channels):
            return np.hypot(channels["rod.x"], channels["rod.y"])

        fc.Derived("rod.length", "m", "length of the rod", length)
    """

    name: str
    unit: str
    description: str
    function: Callable[[Mapping[str, np.ndarray]], np.ndarray | float]


def check_names(channels: Iterable[Channel | Derived]) -> list[str]:
    """Names of channels, after which datasets and figures are named.

    Raises:
        InputError: one that is not allowed.
    """
    return [checks.file_name("the name of a channel", c.name, 200) for c in channels]


class _Columns(dict[str, np.ndarray]):
    """Arrays of channels, under former names too."""

    def __missing__(self, name: str) -> np.ndarray:
        now = present(name, self)
        if now == name:
            raise KeyError(name)
        return self[now]


class Rows:
    """Rows of time and channels, in memory.

    Args:
        channels: recorded channels, in the order of their values.
        derived: further channels, computed from these when the buffer is written.

    Raises:
        InputError: two channels of the same name.
    """

    def __init__(self, channels: Sequence[Channel], derived: Sequence[Derived] = ()):
        self.recorded, self.derived = list(channels), list(derived)
        self.channels = [*self.recorded, *(Channel(d.name, d.unit, d.description) for d in derived)]
        names = check_names(self.channels)
        if reserved := set(names) & set(RESERVED):
            raise InputError(f"no channel may be called {', '.join(sorted(reserved))}.")
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise InputError(f"two channels are called {', '.join(sorted(twice))}.")
        self.buffer = np.zeros((BUFFER, 1 + len(self.recorded)))
        self.filled = self.written = 0
        self.blocks: list[np.ndarray] = []
        self.flushed = time.monotonic()

    def __len__(self):
        return self.written + self.filled

    def append(self, t: float, values: np.ndarray) -> None:
        """Add a row; the buffer is written at intervals."""
        row = self.buffer[self.filled]
        row[0], row[1:] = t, values
        self._added(1)

    def extend(self, rows: np.ndarray) -> None:
        """Add rows of time and values."""
        while len(rows):
            some = rows[: BUFFER - self.filled]
            self.buffer[self.filled : self.filled + len(some)] = some
            self._added(len(some))
            rows = rows[len(some) :]

    def _added(self, rows: int) -> None:
        self.filled += rows
        if self.filled == BUFFER or time.monotonic() - self.flushed > WAIT:
            self.flush()

    def flush(self) -> None:
        """Write the buffer, with the derived channels."""
        self.flushed = time.monotonic()
        if not self.filled:
            return
        block = self.buffer[: self.filled]
        if self.derived:
            columns = _Columns({c.name: block[:, k + 1] for k, c in enumerate(self.recorded)})
            columns["time"] = block[:, 0]
            more = []
            for d in self.derived:
                columns[d.name] = np.broadcast_to(
                    np.asarray(d.function(columns), float), len(block)
                )
                more.append(columns[d.name])
            block = np.column_stack([block, *more])
        self._write(block)
        self.written += self.filled
        self.filled = 0

    def _write(self, block: np.ndarray) -> None:
        self.blocks.append(block.copy())

    def table(self) -> np.ndarray:
        """All rows: time, then the channels."""
        self.flush()
        if len(self.blocks) != 1:
            self.blocks = [np.concatenate([np.zeros((0, 1 + len(self.channels))), *self.blocks])]
        return self.blocks[0]

    def sync(self) -> None:
        """Write all rows so far, to the disk if they go to a file."""
        self.flush()

    def close(self) -> None:
        """Write the last rows; nothing can be appended afterwards."""
        self.flush()


class RowFile(Rows):
    """Rows in a file.

    Args:
        path: the file; it must not exist unless ``keep`` is given.
        channels, derived: as for ``Rows``.
        keep: number of rows of the existing file that are kept.

    Raises:
        InputError: the existing file has other channels.
    """

    def __init__(
        self,
        path: Path,
        channels: Sequence[Channel],
        derived: Sequence[Derived] = (),
        keep: int | None = None,
    ):
        super().__init__(channels, derived)
        self.path = path
        if keep is None:
            create(path, self.channels)
        else:
            start, old, found = _layout(path)
            if old != self.channels:
                raise InputError(
                    f"{path} has other channels than this run: it was made by another model."
                )
            if found < keep:
                raise damaged(path, f"it holds {found} rows of {keep}", REMEDY)
            with open(path, "r+b") as file:
                file.truncate(start + 8 * keep * (1 + len(old)))
            self.written = keep
        self.file = open(path, "ab", buffering=0)  # noqa: SIM115

    def _write(self, block: np.ndarray) -> None:
        data = memoryview(np.ascontiguousarray(block)).cast("B")
        while len(data):
            data = data[self.file.write(data) :]

    def table(self) -> np.ndarray:
        self.flush()
        return read(self.path)[1]

    def sync(self) -> None:
        self.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        if not self.file.closed:
            try:
                self.flush()
            finally:
                self.file.close()


def create(path: Path, channels: Sequence[Channel]) -> None:
    """Create an empty row file atomically."""
    head = json.dumps({"channels": channels}, ensure_ascii=False).encode()
    head += b" " * (-(len(head) + 1) % 8) + b"\n"
    with replacing(path) as temporary:
        temporary.write_bytes(head)


def _layout(path: Path) -> tuple[int, list[Channel], int]:
    """Byte at which the rows start, the channels, and the number of complete rows.

    Raises:
        InputError: a file that is damaged.
    """
    with reading(path):
        with open(path, "rb") as file:
            line = file.readline()
        channels = [Channel(*c) for c in json.loads(line)["channels"]]
        if (
            not line.endswith(b"\n")
            or len(line) % 8
            or not all(isinstance(text, str) for c in channels for text in c)
        ):
            raise ValueError("its first line does not name the channels")
        size = path.stat().st_size - len(line)
    return len(line), channels, size // (8 * (1 + len(channels)))


def count(path: Path) -> int:
    """Number of complete rows in the file."""
    return _layout(path)[2]


def read(path: Path) -> tuple[list[Channel], np.ndarray]:
    """Channels and rows, (rows, 1 + channels), mapped from the file and not loaded.

    Raises:
        InputError: a file that is damaged.
    """
    start, channels, rows = _layout(path)
    shape = (rows, 1 + len(channels))
    if not rows:
        return channels, np.zeros(shape)
    table = np.memmap(path, dtype=float, mode="r", offset=start, shape=shape)
    with reading(path):
        checked_times(table[:, 0])
    return channels, table


def checked_times(times: np.ndarray) -> None:
    """Check times of a run; ``ValueError`` if they are not finite or decrease."""
    if not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
        raise ValueError("its times do not increase")
