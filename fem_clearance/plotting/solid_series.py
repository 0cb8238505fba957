"""Fields of solids from the files of a run: surfaces to draw at any of the saved times."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ..errors import InputError
from ..fields.solids import KINDS, vtk_order
from ..fields.surfaces import skin
from ..fields.writer import COLLECTION
from ..io import folder
from ..io.vtk import entries, read_vtu
from ..meshes import cells as reference
from ..meshes.mesh import Mesh
from . import style
from .offscreen import polygons
from .units import scaled

#: most facets that are divided finely
FINE = 2000


class Quantity(NamedTuple):
    """A quantity in pictures: array of the file, component (``None``: the magnitude), words and
    unit; the unit in which limits are given, and the factor to it."""

    array: str
    component: int | None
    words: str
    unit: str
    given: str
    factor: float

    @property
    def title(self) -> str:
        """Words and the unit in which limits are given."""
        return style.label(self.words, self.given)

    def scale(self, low: float, high: float) -> tuple[str, tuple[float, float]]:
        """Title and limits of the colour bar in a suitable unit, from limits as given."""
        (ends,), unit = scaled(self.unit, [np.array([low, high]) / self.factor])
        return style.label(self.words, unit), (float(ends[0]), float(ends[1]))


QUANTITIES = {
    "von_mises": Quantity("von_mises", None, "von Mises stress", "Pa", "MPa", 1e-6),
    "principal": Quantity("principal_stress", 0, "largest principal stress", "Pa", "MPa", 1e-6),
    "displacement": Quantity("displacement", None, "displacement", "m", "mm", 1e3),
    "velocity": Quantity("velocity", None, "velocity", "m/s", "m/s", 1.0),
} | {
    f"stress.{a}{b}": Quantity("stress", 3 * i + j, f"stress {a}{b}", "Pa", "MPa", 1e-6)
    for i, a in enumerate("xyz")
    for j, b in enumerate("xyz")
}  # fmt: skip


def names(run) -> list[str]:
    """Names of the solids whose fields a run saved."""
    fields = Path(run) / folder.FIELDS
    return sorted(p.stem for p in fields.glob("*.pvd") if _is_solid(p))


def _is_solid(path: Path) -> bool:
    found = entries(path)
    return bool(found) and "second_piola_kirchhoff" in read_vtu(path.parent / found[0][1])


def series(run, solid: str) -> list[tuple[float, Path]]:
    """Times and files of a solid's fields.

    Raises:
        InputError: none were written.
    """
    fields = Path(run) / folder.FIELDS
    path = fields / f"{solid}.pvd"
    if not _is_solid(path):
        raise InputError(
            f"{run} holds no fields of a solid {solid!r} (there are: "
            f"{', '.join(names(run)) or 'none'}); run it with output.fields_every, e.g. 0.01 (s)."
        )
    return [(t, fields / name) for t, name in entries(path)]


def largest(run, solid: str, array: str = "von_mises") -> tuple[float, float]:
    """Time (s) at which a scalar array of a solid's fields is largest, and its value."""
    values = [(float(read_vtu(path)[array].max()), -t) for t, path in series(run, solid)]
    value, t = max(values)
    return -t, value


class Body:
    """A solid of a run.

    Args:
        run, name: folder and solid.
        quantity: shown by colours.
        exaggerate: factor of displacements.
        still: omit the rigid motion (that fits the nodes best).
        coarse: divide curved cells at their nodes only, as ``cut`` does.
    """

    def __init__(
        self, run, name: str, quantity: Quantity, exaggerate: float = 1.0, still: bool = False,
        coarse: bool = False,
    ):  # fmt: skip
        self.series, self.quantity, self.exaggerate = series(run, name), quantity, exaggerate
        first = read_vtu(self.series[0][1])
        undeformed = first["points"] - first["displacement"]
        #: undeformed nodes of a body that is drawn without its rigid motion
        self.start = undeformed if still else None
        self.cell = {k: c for c, k in KINDS.items()}[int(first["types"][0])]
        count = len(first["connectivity"]) // len(first["types"])
        corners = len(reference.entities(self.cell, 0))
        self.degree = 1 if count == corners else 2
        #: nodes of each cell in VTK's order, and in that of this package
        self.connectivity = first["connectivity"].reshape(-1, count)
        cells = self.connectivity[:, np.argsort(vtk_order(self.cell, count))]
        mesh = Mesh(
            self.cell, undeformed, cells, degree=self.degree, source=name,
        )  # fmt: skip
        facet, self.rows = skin(mesh, cells, self.degree)
        self.plane = mesh.dimension == 2
        pieces = 1 if self.degree == 1 else 2 if coarse or len(self.rows) > FINE else 4
        points, faces, outline = _divided(facet, pieces)
        self.values = reference.shape_functions(facet, self.degree, points)[0]
        start = len(points) * np.arange(len(self.rows))[:, None, None]
        self.faces = (start + faces).reshape(-1, faces.shape[1])
        self.lines = (start + outline).reshape(-1, len(outline))

    def at(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Displaced nodes as they are drawn, (n, 3), and the quantity there, (n,)."""
        data = read_vtu(self.series[k][1])
        values = data[self.quantity.array] * self.quantity.factor
        if self.quantity.component is not None:
            values = values[:, self.quantity.component]
        elif values.ndim == 2:
            values = np.linalg.norm(values, axis=1)
        if self.start is None:
            return data["points"] + (self.exaggerate - 1) * data["displacement"], values
        return self.start + self.exaggerate * deformation(self.start, data["points"]), values

    def surface(self, x: np.ndarray, values: np.ndarray):
        """Its surface with the array ``shown``, and its cells' edges."""
        import pyvista

        points = np.einsum("pn,knx->kpx", self.values, x[self.rows]).reshape(-1, 3)
        result = pyvista.PolyData(points, polygons(self.faces))
        result["shown"] = np.einsum("pn,kn->kp", self.values, values[self.rows]).ravel()
        if self.degree == 2:  # smooth within a facet, sharp between facets
            result.compute_normals(
                cell_normals=False, split_vertices=False, consistent_normals=False,
                auto_orient_normals=False, inplace=True,
            )  # fmt: skip
        return result, pyvista.PolyData(points, lines=polygons(self.lines))

    def cut(self, x: np.ndarray, values: np.ndarray, normal: np.ndarray):
        """As ``surface``, for the half behind a plane through the middle."""
        import pyvista

        # beside nodes that lie in the plane but for round-off, which make slivers of cells
        where = {"normal": normal, "origin": middle(x) + 1e-5 * np.ptp(x) * normal}
        kinds = np.full(len(self.connectivity), KINDS[self.cell], np.uint8)
        grid = pyvista.UnstructuredGrid(polygons(self.connectivity), kinds, x)
        grid["shown"] = values
        half = grid.clip(**where).extract_surface(
            algorithm="dataset_surface", nonlinear_subdivision=0
        )
        corners = self.connectivity[:, : len(reference.entities(self.cell, 0))]
        straight = {"tetrahedron": "TETRA", "hexahedron": "HEXAHEDRON", "triangle": "TRIANGLE"}
        kinds[:] = getattr(pyvista.CellType, straight.get(self.cell, "QUAD"))
        plain = pyvista.UnstructuredGrid(polygons(corners), kinds, x)
        section = plain.slice(**where, generate_triangles=False).extract_all_edges()
        lines = self.surface(x, values)[1].clip(**where)
        return half, lines.merge(section) if section.n_points else lines


def deformation(start: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Displacements of nodes, (n, 3), without the best-fitting rigid motion."""
    place, origin = x.mean(axis=0), start.mean(axis=0)
    back = Rotation.align_vectors(start - origin, x - place)[0]
    return back.apply(x - place) - (start - origin)


def middle(x: np.ndarray) -> np.ndarray:
    """Middle of the bounding box of points."""
    return (x.min(axis=0) + x.max(axis=0)) / 2


def _divided(facet: str, n: int) -> tuple[tuple, np.ndarray, np.ndarray]:
    """Points of a triangle or quadrilateral with ``n`` divisions per side, corners of its pieces,
    and the points around its edge (closed)."""
    triangle = facet == "triangle"
    grid = [(i, j) for j in range(n + 1) for i in range(n + 1) if not triangle or i + j <= n]
    at = {p: k for k, p in enumerate(grid)}
    faces = []
    for i, j in grid:
        a, b, c, d = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
        if not triangle:
            faces += [[a, b, c, d]] if c in at else []
            continue
        faces += [[a, b, d]] if b in at else []
        faces += [[b, c, d]] if c in at else []
    ends = [(0, 0), (n, 0), (0, n)] if triangle else [(0, 0), (n, 0), (n, n), (0, n)]
    outline = []
    for p, q in zip(ends, ends[1:] + ends[:1], strict=True):
        outline += [at[p[0] + (q[0] - p[0]) * k // n, p[1] + (q[1] - p[1]) * k // n]
                    for k in range(n)]  # fmt: skip
    points = tuple((i / n, j / n) for i, j in grid)
    numbers = np.array([[at[p] for p in f] for f in faces])
    return points, numbers, np.array([*outline, outline[0]])


def others(run, t: float, drawn: list[str]):
    """Surface of the bodies that are not among ``drawn``, at a saved time; ``None`` if there are
    no others."""
    import pyvista

    fields = Path(run) / folder.FIELDS
    found = entries(fields / COLLECTION)
    if not found:
        return None
    k = int(np.abs(np.array([when for when, _ in found]) - t).argmin())
    data: dict[str, Any] = read_vtu(fields / found[k][1])
    if "names" not in data:  # an old file
        return None
    grey = ~np.isin(np.array(data["names"])[data["body"]], drawn)
    if not grey.any():
        return None
    faces = np.split(data["connectivity"], data["offsets"][:-1])
    chosen = [f for f, keep in zip(faces, grey, strict=True) if keep]
    return pyvista.PolyData(data["points"], polygons(chosen)).clean()
