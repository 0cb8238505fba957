"""Shapes of the bodies over time as VTK files, for ParaView and PyVista.

``fields/shape_000012.vtu`` holds the surfaces of all bodies at one instant, with velocity (m/s) at
the corners and the number of the body in each face; ``fields/fields.pvd`` lists files and times.
"""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from .ranks import on_root
from .surfaces import surfaces

COLLECTION = "fields.pvd"
ENTRY = re.compile(r'<DataSet timestep="([^"]+)" file="([^"]+)"/>')


class FieldWriter:
    """Writes the bodies' shapes now and then during a run.

    Args:
        system: the assembled system.
        folder: where the files go.
        every: steps (int) or seconds of simulated time (float) between two files.
        after: time of the checkpoint from which a run goes on: later files are dropped.
    """

    def __init__(self, system, folder: Path, every: int | float, after: float | None = None):
        self.state, self.folder, self.every = system.state, folder, every
        self.gravity = system.gravity
        self.surfaces = surfaces(system)
        self.comm = system.comm
        self.entries: list[tuple[float, str]] = []
        if self.comm.rank == 0 and after is not None:
            self.entries = [e for e in entries(folder) if e[0] <= after]
        self.last = after
        self._next(after)

    def _next(self, t: float | None):
        self.next = 0.0 if t is None else (np.floor(t / self.every + 1e-9) + 1) * self.every

    def due(self, t: float, step: int) -> bool:
        """Whether a file belongs to this accepted step (the same on all ranks)."""
        if isinstance(self.every, int):
            return step % self.every == 0 and t != self.last
        return t >= self.next - 1e-12 * self.every

    def record(self, t: float) -> None:
        """Gather the state and write it on rank 0; collective."""
        if t == self.last:
            return
        self.last = t
        self._next(t)
        values, rates = (self.state.everything(z) for z in (self.state.q, self.state.v))
        if self.surfaces:
            on_root(self.comm, self._write, t, values, rates)

    def _write(self, t, values, rates):
        self.folder.mkdir(exist_ok=True)
        moment = 1e-7
        points = [s.points(values) for s in self.surfaces]
        later = [s.points(values + moment * rates) for s in self.surfaces]
        offsets = np.cumsum([0] + [len(p) for p in points])
        faces = [
            [int(at) + k for k in f]
            for at, s in zip(offsets, self.surfaces, strict=False)
            for f in s.faces
        ]
        owner = [k for k, s in enumerate(self.surfaces) for _ in s.faces]
        x = np.concatenate(points)
        velocity = (np.concatenate(later) - x) / moment
        name = f"shape_{len(self.entries):06d}.vtu"
        _replace(
            self.folder / name,
            vtu(
                x,
                faces,
                {"velocity": velocity},
                {"body": np.array(owner, np.int32)},
                {"TimeValue": np.array([float(t)]), "gravity": self.gravity},
            ),
        )
        self.entries.append((float(t), name))
        _replace(self.folder / COLLECTION, _collection(self.entries))


def entries(folder: Path) -> list[tuple[float, str]]:
    """Times and file names of a folder's collection."""
    path = folder / COLLECTION
    if not path.exists():
        return []
    return [(float(t), name) for t, name in ENTRY.findall(path.read_text(encoding="utf-8"))]


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def _collection(items: list[tuple[float, str]]) -> str:
    lines = "\n".join(f'    <DataSet timestep="{t!r}" file="{name}"/>' for t, name in items)
    return (
        '<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n  <Collection>\n'
        f"{lines}\n  </Collection>\n</VTKFile>\n"
    )


def vtu(
    x: np.ndarray, faces: list[list[int]], point_data: dict, cell_data: dict, field_data: dict
) -> str:
    """The text of a VTK file of polygons."""
    fields = "\n".join(_array(n, a, 'NumberOfTuples="1" ') for n, a in field_data.items())
    connectivity = np.array([k for f in faces for k in f], np.int64)
    offsets = np.cumsum([len(f) for f in faces]).astype(np.int64)
    kinds = np.full(len(faces), 7, np.uint8)  # VTK_POLYGON
    blocks = {
        "PointData": point_data,
        "CellData": cell_data,
        "Points": {"points": x},
        "Cells": {"connectivity": connectivity, "offsets": offsets, "types": kinds},
    }
    body = "\n".join(
        f"<{tag}>\n" + "\n".join(_array(n, a) for n, a in arrays.items()) + f"\n</{tag}>"
        for tag, arrays in blocks.items()
    )
    return (
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" '
        'byte_order="LittleEndian" header_type="UInt64">\n<UnstructuredGrid>\n'
        f"<FieldData>\n{fields}\n</FieldData>\n"
        f'<Piece NumberOfPoints="{len(x)}" NumberOfCells="{len(faces)}">\n'
        f"{body}\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"
    )


def _array(name: str, values: np.ndarray, more: str = "") -> str:
    kind = {"f": "Float64", "i": f"Int{8 * values.itemsize}", "u": "UInt8"}[values.dtype.kind]
    data = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes()
    text = base64.b64encode(np.uint64(len(data)).tobytes() + data).decode()
    parts = values.shape[1] if values.ndim == 2 else len(values) if more else 1
    return (
        f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{parts}" {more}'
        f'format="binary">{text}'
        "</DataArray>"
    )


def read_vtu(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a file written by ``vtu``, by name."""
    types = {"Float64": "<f8", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}
    result = {}
    for array in ElementTree.parse(path).iter("DataArray"):
        data = np.frombuffer(base64.b64decode(array.text or "")[8:], types[array.attrib["type"]])
        parts = int(array.attrib["NumberOfComponents"])
        result[array.attrib["Name"]] = data.reshape(-1, parts) if parts > 1 else data
    return result
