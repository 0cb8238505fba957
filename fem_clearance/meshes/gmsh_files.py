"""Meshes from gmsh: from its text files (format 4.1 or 2.2), or from a gmsh model in memory.

Physical groups give the names: those of surfaces (lines, of plane meshes) become facet sets, those
of volumes (surfaces) can be read one by one as the parts of an assembly. Text files are read here:
gmsh itself, which brings a window system's libraries along, is installed by those who need it for
binary and other files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from dolfinx.cpp.mesh import to_type
from dolfinx.io.gmsh import _gmsh_to_cells, cell_perm_array

from .._backend import MPI
from ..errors import InputError
from . import cells as reference
from .mesh import Mesh

#: gmsh's number of each element -> cell, degree
TYPES = {k: z for k, z in _gmsh_to_cells.items() if z[0] in reference.CELLS and z[1] in (1, 2)}
#: corners, ends of lines and the like
POINT = 15
#: gmsh's elements that serendipity meshes are made of
INCOMPLETE = {16: "quadrilaterals", 17: "hexahedra"}


@dataclass
class Content:
    """What a file or model holds.

    Attributes:
        tags, places: number of each node and its place.
        names: (dimension, number) -> physical name.
        elements: (gmsh's type, number of the physical group or 0) -> nodes by number, a row each.
    """

    tags: np.ndarray
    places: np.ndarray
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    elements: dict[tuple[int, int], list[np.ndarray]] = field(
        default_factory=lambda: defaultdict(list)
    )


def read(path: str | Path, *, part: str | None = None, scale: float = 1.0) -> Mesh:
    """The mesh in a gmsh file.

    Args:
        path: of the file, ``.msh``.
        part: name of the physical group of cells to read; default: all cells.
        scale: 1e-3 for a file in mm.

    Raises:
        InputError: no such file; none that can be read; mixed, unknown or cubic cells; no such
            part; a physical group that is no surface of the mesh.

    Example:
        >>> rod = Solid(meshes.read("rod.msh", scale=1e-3), steel)
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no mesh file {str(path)!r}.")
    head = path.open("rb").read(64).split()
    text = head[:1] == [b"$MeshFormat"] and head[1] in (b"4.1", b"2.2") and head[2] == b"0"
    content = _Text(path).content() if text else _by_gmsh(path)
    return _mesh(content, str(path), part, scale)


def from_model(
    model: Any, *, part: str | None = None, scale: float = 1.0, comm: Any = None
) -> Mesh:
    """The mesh of a gmsh model in memory.

    Args:
        model: ``gmsh.model``, with a mesh.
        part, scale: see ``read``.
        comm: where only rank 0 of a communicator has the model (the others give ``None``).

    Raises:
        InputError: see ``read``.

    Example::

        def lever():  # needs gmsh
            import gmsh

            gmsh.initialize()
            gmsh.model.occ.addBox(0, 0, 0, 100, 20, 10)  # mm
            gmsh.model.occ.synchronize()
            gmsh.model.mesh.generate(3)
            return fc.meshes.from_model(gmsh.model, scale=1e-3)
    """
    content = None
    if comm is None or comm.rank == 0:
        content = _model(model)
    if comm is not None:
        content = comm.bcast(content)
    assert content is not None
    return _mesh(content, "gmsh model", part, scale)


# --- from gmsh to arrays --------------------------------------------------------------------------
def _by_gmsh(path: Path) -> Content:
    try:
        import gmsh
    except (ImportError, OSError) as error:
        raise InputError(
            f"{path}: only text files of gmsh's format 4.1 or 2.2 can be read without gmsh, which "
            f"cannot be imported here ({error}); save the mesh as text (Mesh.Binary = 0) or "
            "install gmsh (pip install gmsh)."
        ) from None
    mine = not gmsh.isInitialized()
    if mine:
        gmsh.initialize(interruptible=False)
    before = gmsh.model.getCurrent()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.open(str(path))
        return _model(gmsh.model)
    except Exception as error:  # gmsh raises nothing more specific
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: gmsh cannot read it: {error}.") from error
    finally:
        if mine:
            gmsh.finalize()
        else:
            gmsh.model.remove()
            gmsh.model.setCurrent(before)


def _model(model) -> Content:
    tags, places, _ = model.mesh.getNodes()
    result = Content(np.asarray(tags, np.int64), np.reshape(places, (-1, 3)))
    for d, group in model.getPhysicalGroups():
        result.names[d, group] = model.getPhysicalName(d, group) or str(group)
    for d, entity in model.getEntities():
        groups = [abs(int(g)) for g in model.getPhysicalGroupsForEntity(d, entity)] or [0]
        for kind, numbers, nodes in zip(*model.mesh.getElements(d, entity), strict=True):
            rows = np.reshape(nodes, (len(numbers), -1)).astype(np.int64)
            for group in groups:
                result.elements[int(kind), group].append(rows)
    return result


class _Text:
    """A text file, section by section."""

    def __init__(self, path: Path):
        self.path = path
        self.groups: dict[tuple[int, int], list[int]] = {}

    def content(self) -> Content:
        result = Content(np.zeros(0, np.int64), np.zeros((0, 3)))
        try:
            lines = iter(self.path.read_text().splitlines())
            for line in lines:
                if line.startswith("$MeshFormat"):
                    new = next(lines).split()[0] == "4.1"
                elif line.startswith("$PhysicalNames"):
                    for _ in range(int(next(lines))):
                        d, group, name = next(lines).split(maxsplit=2)
                        result.names[int(d), int(group)] = name.strip().strip('"')
                elif line.startswith("$Entities"):
                    self._entities(lines)
                elif line.startswith("$Nodes"):
                    result.tags, result.places = self._nodes(lines) if new else _nodes_2(lines)
                elif line.startswith("$Elements"):
                    self._elements(lines, result) if new else _elements_2(lines, result)
        except (ValueError, IndexError, StopIteration, UnicodeDecodeError) as error:
            raise InputError(f"{self.path} is damaged: {error or 'it ends too early'}.") from None
        return result

    def _entities(self, lines):
        counts = [int(x) for x in next(lines).split()]
        for d, count in enumerate(counts):
            for _ in range(count):
                words = next(lines).split()
                at = 4 if d == 0 else 7
                groups = words[at + 1 : at + 1 + int(words[at])]
                self.groups[d, int(words[0])] = [abs(int(g)) for g in groups]

    @staticmethod
    def _nodes(lines):
        blocks, count = (int(x) for x in next(lines).split()[:2])
        tags, places = np.zeros(count, np.int64), np.zeros((count, 3))
        at = 0
        for _ in range(blocks):
            n = int(next(lines).split()[3])
            tags[at : at + n] = [int(next(lines)) for _ in range(n)]
            places[at : at + n] = [next(lines).split()[:3] for _ in range(n)] or np.zeros((0, 3))
            at += n
        return tags, places

    def _elements(self, lines, result: Content):
        for _ in range(int(next(lines).split()[0])):
            d, entity, kind, n = (int(x) for x in next(lines).split())
            rows = np.array([next(lines).split()[1:] for _ in range(n)], np.int64)
            for group in self.groups.get((d, entity)) or [0]:
                result.elements[kind, group].append(rows)


def _nodes_2(lines: Iterator[str]):
    rows = [next(lines).split() for _ in range(int(next(lines)))]
    return np.array([r[0] for r in rows], np.int64), np.array([r[1:4] for r in rows], float)


def _elements_2(lines: Iterator[str], result: Content) -> None:
    rows = defaultdict(list)
    for _ in range(int(next(lines))):
        _, kind, count, *numbers = (int(x) for x in next(lines).split())
        group = abs(numbers[0]) if count else 0
        rows[kind, group].append(numbers[count:])
    for key, nodes in rows.items():
        result.elements[key].append(np.array(nodes, np.int64))


# --- from arrays to a mesh ------------------------------------------------------------------------
def _mesh(content: Content, source: str, part: str | None, scale: float) -> Mesh:
    kinds = _kinds(content, source)
    kind, d = kinds[-1], _dimension(kinds[-1])
    cell, degree = TYPES[kind]
    numbers = _cells(content, source, kind, d, part)
    numbers = numbers[:, cell_perm_array(to_type(cell), numbers.shape[1])]
    used, cells = np.unique(numbers, return_inverse=True)
    cells = cells.reshape(numbers.shape)
    order = np.argsort(content.tags)
    at = np.searchsorted(content.tags, used, sorter=order)
    rows = order[np.minimum(at, len(order) - 1)] if len(order) else at
    if not len(order) or np.any(content.tags[rows] != used):
        raise InputError(f"{source} has cells whose nodes are missing; write the file again.")
    points = content.places[rows] * scale
    if d == 2:
        cells = _counter_clockwise(points, cells, cell, degree)
    mesh = Mesh(cell, points, cells, {}, degree, source)
    return _named(mesh, content, used, part)


def _dimension(kind: int) -> int:
    return reference.dimension(TYPES[kind][0])


def _kinds(content: Content, source: str) -> list[int]:
    """Types of elements by dimension; refuses elements that solids do not have."""
    kinds = {k for k, _ in content.elements} - {POINT}
    for k in kinds & set(INCOMPLETE):
        raise InputError(
            f"{source} has {INCOMPLETE[k]} without inner nodes; generate it with "
            "Mesh.SecondOrderIncomplete = 0."
        )
    unknown = kinds - set(TYPES)
    if unknown:
        raise InputError(
            f"{source} has elements of gmsh's type {', '.join(map(str, sorted(unknown)))}; "
            "solids accept triangles, quadrilaterals, tetrahedra and hexahedra of order 1 or "
            "2."
        )
    result = sorted(kinds, key=_dimension)
    if not result or _dimension(result[-1]) < 2:
        raise InputError(f"{source} has no cells; generate the mesh of the model first.")
    cells = [k for k in result if _dimension(k) == _dimension(result[-1])]
    if len(cells) > 1:
        names = " and ".join(TYPES[k][0] for k in cells)
        raise InputError(
            f"{source} mixes {names} cells; all cells of a solid must be of the same type."
        )
    return result


def _cells(content: Content, source: str, kind: int, d: int, part: str | None) -> np.ndarray:
    """Cells of the mesh, each once."""
    groups = [g for k, g in content.elements if k == kind]
    if part is not None:
        groups = [g for g in groups if content.names.get((d, g), str(g)) == part]
        if not groups:
            known = ", ".join(n for (e, _), n in sorted(content.names.items()) if e == d) or "none"
            raise InputError(f"{source} has no cells marked {part!r}; its parts are: {known}.")
    rows = np.concatenate([z for g in groups for z in content.elements[kind, g]])
    _, first = np.unique(np.sort(rows, axis=1), axis=0, return_index=True)
    return rows[np.sort(first)]


def _counter_clockwise(points, cells, cell: str, degree: int) -> np.ndarray:
    """Plane cells, counter-clockwise; gmsh's orientation depends on how the model was drawn."""
    corners = points[cells[:, :3], :2]
    area = np.linalg.det(corners[:, 1:] - corners[:, :1])
    if np.any(area > 0):
        return cells
    places = {tuple(x): k for k, x in enumerate(reference.lattice(cell, degree))}
    mirror = [places[y, x] for x, y in reference.lattice(cell, degree)]
    return cells[:, mirror]


def _named(mesh: Mesh, content: Content, used: np.ndarray, part: str | None) -> Mesh:
    """The mesh with the facet sets of its physical groups."""
    facet = reference.FACET[mesh.cell]
    corners = len(reference.entities(facet, 0))
    sets: dict[str, list[np.ndarray]] = defaultdict(list)
    for (kind, group), pieces in content.elements.items():
        if kind == POINT or not group or TYPES[kind][0] != facet:
            continue
        name = content.names.get((mesh.dimension - 1, group), str(group))
        rows = np.concatenate(pieces)[:, :corners]
        found, missing = mesh.find_facets(np.searchsorted(used, rows) + _outside(used, rows))
        if missing.any() and part is None:
            raise InputError(
                f"{mesh.source}: {missing.sum()} facets of the physical group {name!r} are not "
                "on the surface of the mesh; remove them from the group."
            )
        if len(found):
            sets[name].append(found)
    for name, pieces in sets.items():
        mesh.facets[name] = np.unique(np.concatenate(pieces), axis=0)
    return mesh


def _outside(used: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """What to add to node numbers so that those not in the mesh exceed all of its own."""
    return np.where(np.isin(rows, used), 0, len(used) + 1 + rows)


def write(mesh: Mesh, path: str | Path, name: str = "solid") -> None:
    """Write a mesh as a gmsh text file (format 2.2), facet sets as physical groups; on rank 0.

    Args:
        mesh: to write.
        path: of the file.
        name: of the physical group of its cells.
    """
    if MPI.COMM_WORLD.rank:
        return
    number = {cell: k for k, cell in TYPES.items()}
    small = reference.FACET[mesh.cell]
    groups = [(mesh.dimension, 1, name)]
    groups += [(mesh.dimension - 1, k, n) for k, n in enumerate(mesh.facets, 2)]
    sets = [
        (small, reference.nodes_of_facets(mesh.cell, mesh.degree, mesh.cells, f))
        for f in mesh.facets.values()
    ]
    rows: list[str] = []
    for group, (cell, nodes) in enumerate([(mesh.cell, mesh.cells), *sets], 1):
        back = np.argsort(cell_perm_array(to_type(cell), nodes.shape[1]))
        for row in (nodes[:, back] + 1).tolist():
            head = (len(rows) + 1, number[cell, mesh.degree], 2, group, group)
            rows.append(" ".join(map(str, (*head, *row))))
    places = enumerate(mesh.points.tolist(), 1)
    sections = {
        "MeshFormat": ["2.2 0 8"],
        "PhysicalNames": [str(len(groups)), *(f'{d} {k} "{n}"' for d, k, n in groups)],
        "Nodes": [str(len(mesh.points)), *(f"{k} {x!r} {y!r} {z!r}" for k, (x, y, z) in places)],
        "Elements": [str(len(rows)), *rows],
    }
    text = [f"${key}\n" + "\n".join(lines) + f"\n$End{key}\n" for key, lines in sections.items()]
    Path(path).write_text("".join(text))
