"""Poses of bodies, beams and joints over time, from which pictures of a mechanism are drawn.

``fields/frames.h5`` grows by a row at each field step. It is flushed at checkpoints and at
intervals, so that it can be read at any time and a killed run leaves all rows flushed so far
(HDF5's single writer, multiple readers).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..contact.journal import JournalClearance
from ..errors import InputError
from ..io.files import reading, replacing
from ..io.folder import FIELDS, SCENE
from ..io.ranks import on_root
from ..io.rows import checked_times
from .scene import SceneBuilder

FRAMES = "frames.h5"
#: rows of a chunk of the file, which are written together; longest delay, s of wall time
CHUNK, WAIT = 16, 0.5


class Line(NamedTuple):
    """A beam over time, at the ends and middles of its elements.

    Attributes:
        r: places, m, (n, stations, 3).
        d2, d3: the section's directors there; a corner (y, z) lies at ``r + y d2 + z d3``.
    """

    r: np.ndarray
    d2: np.ndarray
    d3: np.ndarray


class Motion:
    """Poses of a run at its field steps, and the description of what is shown.

    Attributes:
        scene: bodies, items and frames, as ``scene.json`` holds them (docs/recording.md).
        time: s, (n,).
        position: of each frame, m, (n, frames, 3).
        triad: of each frame, (n, frames, 3, 3): ``triad[n, k, :, a]`` is unit vector a of frame k.
        beams: name of each beam -> its line.
        worn: name of each joint whose surfaces wear -> depths that bearing and journal have lost,
            m, (n, 2, bins), of cylindrical joints (n, slices, 2, bins); bin k is at the angle
            2 pi k / bins in either body.
    """

    def __init__(self, scene: dict[str, Any], arrays: dict[str, np.ndarray]):
        self.scene = scene
        self.time, self.position, self.triad = (arrays[n] for n in ("time", "position", "triad"))
        names = [b["name"] for b in scene["bodies"] if b["type"] == "beam"]
        self.beams = {
            name: Line(*(arrays[f"beams/{name}/{part}"] for part in Line._fields))
            for name in names
        }  # fmt: skip
        self.worn = {
            item["name"]: arrays[f"worn/{item['name']}"] for item in scene["items"]
            if "worn" in item
        }  # fmt: skip

    def __len__(self) -> int:
        return len(self.time)

    @classmethod
    def open(cls, folder: Path) -> Motion:
        """The motion in a run's folder, finished or not.

        Raises:
            InputError: the run has recorded none, or files are damaged.
        """
        folder = Path(folder)
        path = folder / FIELDS / FRAMES
        if not path.exists() or not (folder / SCENE).exists():
            raise InputError(f"{folder} holds no poses of bodies; {REMEDY}.")
        with reading(folder / SCENE):
            scene = json.loads((folder / SCENE).read_text(encoding="utf-8"))
            if not isinstance(scene, dict):
                raise ValueError("it holds no entries")
            for name in ("frames", "bodies", "items"):
                if not isinstance(scene.get(name), list):
                    raise ValueError(f"it has no list of {name}")
        with reading(path):
            arrays = read(path)
            if arrays["position"].shape[1:] != (len(scene["frames"]), 3):
                raise ValueError("it has other frames than scene.json")
            return cls(scene, arrays)


#: what to do about a run without poses
REMEDY = "a run through time records them unless its fields_every is 0"


def read(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a file of frames, by name; incomplete rows are left out."""
    import h5py

    found: dict[str, np.ndarray] = {}
    try:  # this notices a file that has been cut short
        opened = h5py.File(path)
    except OSError as error:
        if "already open for" not in str(error):
            raise
        opened = h5py.File(path, libver="latest", swmr=True)  # of a run at work, or killed
    with opened as file:
        file.visititems(
            lambda name, x: found.update({name: x[:]}) if isinstance(x, h5py.Dataset) else None
        )
    rows = min(map(len, found.values()))
    checked_times(found["time"][:rows])
    return {name: x[:rows] for name, x in found.items()}


class FrameFile:
    """``frames.h5``, to which rows are added.

    Args:
        path: of the file.
        first: a row, which tells the sizes.
        after: time of the checkpoint from which a run is resumed: later rows are dropped.
    """

    def __init__(self, path: Path, first: dict[str, np.ndarray], after: float | None):
        import h5py

        old = {name: np.zeros((0, *x.shape)) for name, x in first.items()}
        if after is not None and path.exists():
            with reading(path, "the run goes on without its earlier poses once it is removed"):
                old = read(path)
                if any(old[name].shape[1:] != x.shape for name, x in first.items()):
                    raise ValueError("it has other frames than this run")
                keep = old["time"] <= after
                old = {name: old[name][keep] for name in first}
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as temporary, h5py.File(temporary, "w", libver="latest") as file:
            for name, rows in old.items():
                shape = rows.shape[1:]
                file.create_dataset(
                    name, data=rows, maxshape=(None, *shape), chunks=(CHUNK, *shape)
                )
        self.file = h5py.File(path, "r+", libver="latest")
        self.file.swmr_mode = True
        self.rows = len(old["time"])
        self.pending: list[dict[str, np.ndarray]] = []
        self.flushed = time.monotonic()

    def add(self, row: dict[str, np.ndarray]) -> None:
        """Append a row; rows are written at intervals."""
        self.pending.append(row)
        if len(self.pending) == CHUNK or time.monotonic() - self.flushed > WAIT:
            self.flush()

    def flush(self) -> None:
        """All rows are in the file when this returns."""
        self.flushed = time.monotonic()
        if not self.pending:
            return
        before, self.rows = self.rows, self.rows + len(self.pending)
        for name in self.pending[0]:
            data = self.file[name]
            data.resize(self.rows, axis=0)
            data[before:] = [row[name] for row in self.pending]
        self.pending = []
        self.file.flush()

    def close(self) -> None:
        """Write the last rows and close the file."""
        if self.file:
            self.flush()
            self.file.close()


class MotionRecorder:
    """Records poses during a run, in a folder or in memory.

    Args:
        system: the assembled system.
        recorded: see ``SceneBuilder``.
        folder: the run's, or ``None``.
        after: time of the checkpoint from which a run is resumed.
    """

    def __init__(
        self, system, recorded: Mapping[str, str], folder: Path | None = None,
        after: float | None = None,
    ):  # fmt: skip
        built = SceneBuilder(system, recorded)
        self.scene, self.frames, self.beams = built.scene, built.frames, built.beams
        self._numbers = [frame.parameters() for frame in self.frames]
        self.system = system
        self._wearing = [i for i in system.items if isinstance(i, JournalClearance) and i.wear]
        self._rows: list[dict[str, np.ndarray]] = []  # in memory, on every rank
        self._file: FrameFile | None = None
        self.comm, self._in_memory = system.comm, folder is None
        if folder is not None:
            values = system.state.everything(system.state.q)
            on_root(self.comm, self._open, folder, after, self._row(0.0, values))

    def _open(self, folder: Path, after: float | None, first: dict[str, np.ndarray]):
        with replacing(folder / SCENE, sync=True) as temporary:
            temporary.write_text(json.dumps(self.scene) + "\n", encoding="utf-8")
        self._file = FrameFile(folder / FIELDS / FRAMES, first, after)

    def _row(self, t: float, values: np.ndarray) -> dict[str, np.ndarray]:
        """The present row, on every rank; collective.

        Args:
            t: time, s.
            values: of the unknowns by global number.
        """
        poses = [
            frame.kind.place(frame.coordinates(values), numbers, frame.basis)
            for frame, numbers in zip(self.frames, self._numbers, strict=True)
        ]
        found = {
            "time": np.array(float(t)),
            "position": np.array([r for r, _ in poses]),
            "triad": np.array([triad for _, triad in poses]),
        }
        for beam in self.beams:
            for part, x in zip(Line._fields, beam.shape(values)[:3], strict=True):
                found[f"beams/{beam.name}/{part}"] = np.array(x)
        for joint in self._wearing:
            depths = self.comm.allgather(joint.worn_depths(self.system))
            found[f"worn/{joint.name}"] = next(x for x in depths if x is not None)
        return found

    def record(self, t: float, values: np.ndarray) -> None:
        """Record the present poses; collective."""
        row = self._row(t, values)
        if self._in_memory:
            self._rows.append(row)
        else:
            on_root(self.comm, self._add, row)

    def _add(self, row: dict[str, np.ndarray]):
        assert self._file is not None
        self._file.add(row)

    def flush(self) -> None:
        """Write all rows recorded so far to the file."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()

    @property
    def motion(self) -> Motion | None:
        """Poses recorded in memory; ``None`` if there are none."""
        if not self._rows:
            return None
        return Motion(self.scene, {n: np.array([r[n] for r in self._rows]) for n in self._rows[0]})
