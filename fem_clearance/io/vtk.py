"""VTK files and the collections that list them with their times."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from .. import checks
from .files import damaged, reading, replacing

HEAD = '<?xml version="1.0"?>\n'
#: VTK's name of the compression of arrays: a third of the size, in a millisecond
ZLIB = "vtkZLibDataCompressor"


class Collection:
    """Files of one series in a folder, ``NAME_000012.vtu``, and their list ``NAME.pvd``.

    Args:
        folder: of the files.
        name: of the series.
        after: time of the checkpoint from which a run is resumed: later files are dropped.
        comm: of the run; rank 0 writes.
        item: beginning of the names of the files; default: the name of the series.
    """

    def __init__(self, folder: Path, name: str, after: float | None, comm, item: str = ""):
        checks.file_name("the name of a series of files", name)
        self.folder, self.list, self.item = folder, folder / f"{name}.pvd", item or name
        self.entries: list[tuple[float, str]] = []
        if comm.rank == 0 and after is not None:
            self.entries = [e for e in entries(self.list) if e[0] <= after]

    def add(self, t: float, text: str) -> None:
        """Write a file and list it."""
        self.folder.mkdir(exist_ok=True)
        name = f"{self.item}_{len(self.entries):06d}.vtu"
        _replace(self.folder / name, text)
        self.entries.append((float(t), name))
        _replace(self.list, _collection(self.entries))


def entries(path: Path) -> list[tuple[float, str]]:
    """Times (s) and file names of a collection; empty if there is no such file."""
    if not path.exists():
        return []
    with reading(path):
        found = [z.attrib for z in ElementTree.parse(path).iter("DataSet")]
        times = [(float(z["timestep"]), z["file"]) for z in found]
        for t, name in times:
            if not np.isfinite(t) or name != Path(name).name:
                raise ValueError(f"it lists {name!r} at {t!r} s, which is no file of its folder")
    return times


def _replace(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _collection(items: list[tuple[float, str]]) -> str:
    file = Element("VTKFile", type="Collection", version="1.0")
    series = SubElement(file, "Collection")
    for t, name in items:
        SubElement(series, "DataSet", timestep=repr(t), file=name)
    indent(file)
    return HEAD + tostring(file, "unicode")


def vtu(
    x: np.ndarray, cells, kind: int, point_data: dict, cell_data: dict, field_data: dict
) -> str:
    """The text of a VTK file. (VTK's own writer does not escape names with ``<`` or ``"``, which
    gives invalid XML.)

    Args:
        x: points, m, (n, 3).
        cells: points of each cell.
        kind: VTK's number of the kind of cell.
        point_data, cell_data, field_data: arrays by name; ``field_data``, of the file as a whole,
            also lists of texts.
    """
    file = Element(
        "VTKFile", type="UnstructuredGrid", version="2.2", byte_order="LittleEndian",
        header_type="UInt64", compressor=ZLIB,
    )  # fmt: skip
    grid = SubElement(file, "UnstructuredGrid")
    whole = SubElement(grid, "FieldData")
    for name, values in field_data.items():
        if isinstance(values, list):
            about = {"type": "String", "Name": name, "NumberOfTuples": str(len(values))}
            texts = SubElement(whole, "Array", about | {"format": "ascii"})
            texts.text = " ".join(str(b) for t in values for b in [*t.encode(), 0])
        else:
            _array(whole, name, values.reshape(1, -1), NumberOfTuples="1")
    piece = SubElement(grid, "Piece", NumberOfPoints=str(len(x)), NumberOfCells=str(len(cells)))
    mesh = {
        "connectivity": np.concatenate(cells).astype(np.int64),
        "offsets": np.cumsum([len(f) for f in cells]).astype(np.int64),
        "types": np.full(len(cells), kind, np.uint8),
    }
    blocks = {"PointData": point_data, "CellData": cell_data, "Points": {"points": x}}
    for tag, arrays in (blocks | {"Cells": mesh}).items():
        block = SubElement(piece, tag)
        for name, values in arrays.items():
            _array(block, name, values)
    return HEAD + tostring(file, "unicode")


def _array(parent: Element, name: str, values: np.ndarray, **more: str) -> None:
    sort = {"f": "Float", "i": "Int", "u": "UInt"}[values.dtype.kind]
    data = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes()
    parts = values.shape[1] if values.ndim == 2 else 1
    about = {"type": f"{sort}{8 * values.itemsize}", "Name": name}
    about |= {"NumberOfComponents": str(parts), "format": "binary"}
    array = SubElement(parent, "DataArray", about | more)
    array.text = _packed(data)


def _packed(data: bytes) -> str:
    """Bytes of an array as in VTK's files: number of blocks (1), their size, size of a last shorter
    block (0), compressed sizes; then the block."""
    if not data:
        return base64.b64encode(np.zeros(3, np.uint64).tobytes()).decode()
    block = zlib.compress(data, 1)
    sizes = np.array([1, len(data), 0, len(block)], np.uint64)
    return (base64.b64encode(sizes.tobytes()) + base64.b64encode(block)).decode()


def _unpacked(text: str, compressed: bool) -> bytes:
    """The inverse of ``_packed``; files of earlier versions are not compressed."""
    if not compressed:
        content = base64.b64decode(text, validate=True)
        size = int(np.frombuffer(content[:8], np.uint64)[0])
        if size != len(content) - 8:
            raise ValueError(f"it has an array of {len(content) - 8} bytes of {size}")
        return content[8:]
    if not np.frombuffer(base64.b64decode(text[:32], validate=True), np.uint64)[0]:
        return b""
    head = np.frombuffer(base64.b64decode(text[:44], validate=True), np.uint64)
    count, size, rest, packed = head.tolist()
    block = base64.b64decode(text[44:], validate=True)
    if (count, rest, packed) != (1, 0, len(block)):
        raise ValueError(f"it has an array of {len(block)} compressed bytes of {packed}")
    content = zlib.decompress(block)
    if size != len(content):
        raise ValueError(f"it has an array of {len(content)} bytes of {size}")
    return content


#: types of the arrays in our files: name in VTK, type in NumPy
TYPES = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}


class Arrays(dict[str, Any]):
    """Arrays of a file by name; access to a missing one reports the file as damaged."""

    def __init__(self, path: Path):
        super().__init__()
        self.path = path

    def __missing__(self, name: str):
        raise damaged(self.path, f"it holds no {name!r}")


def read_vtu(path: Path) -> Arrays:
    """All arrays (and lists of texts) of a file written by ``vtu``, by name.

    Raises:
        InputError: a file that is damaged.
    """
    result = Arrays(path)
    with reading(path):
        tree = ElementTree.parse(path)
        packed = tree.getroot().get("compressor") == ZLIB
        for texts in tree.iter("Array"):
            codes = bytes(int(b) for b in (texts.text or "").split())
            result[texts.attrib["Name"]] = codes.decode().split("\0")[:-1]
        for array in tree.iter("DataArray"):
            content = _unpacked(array.text or "", packed)
            data = np.frombuffer(content, TYPES[array.attrib["type"]])
            parts = int(array.attrib["NumberOfComponents"])
            result[array.attrib["Name"]] = data.reshape(-1, parts) if parts > 1 else data
        _check_cells(tree, result)
    return result


def _check_cells(tree: Any, arrays: dict[str, Any]) -> None:
    """Refuse arrays whose length differs from that in the header, and cells with unknown points."""
    piece = next(tree.iter("Piece")).attrib
    points, cells = int(piece["NumberOfPoints"]), int(piece["NumberOfCells"])
    corners, ends = arrays["connectivity"], arrays["offsets"]
    lengths = {n: (points if tag == "PointData" else cells, arrays[n])
               for tag in ("PointData", "CellData")
               for block in tree.iter(tag) for a in block if (n := a.attrib["Name"])}  # fmt: skip
    lengths |= {"points": (points, arrays["points"]), "offsets": (cells, ends)}
    for name, (length, array) in lengths.items():
        if len(array) != length:
            raise ValueError(f"{name} has {len(array)} entries of {length}")
    if len(ends) and (np.any(np.diff(ends, prepend=0) < 1) or ends[-1] != len(corners)):
        raise ValueError("its cells do not end where the next begin")
    if len(corners) and (corners.min() < 0 or corners.max() >= points):
        raise ValueError("a cell has a corner that is no point")
