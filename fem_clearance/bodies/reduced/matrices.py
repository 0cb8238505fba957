"""Stiffness, mass and shapes of a body from another program: arrays in HDF5 or ``.npz`` files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, issparse

from ... import checks
from ...errors import InputError

#: largest distance of nodes of a file from those of the mesh, relative to its size
NEAR = 1e-6


@dataclass(frozen=True)
class BodyMatrices:
    """Matrices of a free body, as a finite-element program exports them.

    Rows and columns are the displacements x, y(, z) of the first node, then of the second, ...; of
    matrices with six rows a node (translations, then rotations) the translations are taken. In a
    file, HDF5 or ``.npz``, the arrays have these names; a sparse matrix is stored as three arrays,
    ``stiffness_row``, ``stiffness_col`` and ``stiffness_data`` (``mass_row``, ...), or by
    ``save``.

    Attributes:
        nodes: positions of the nodes in the mesh's axes, m, (n, 3); in any order.
        stiffness: N/m, sparse or dense.
        mass: kg; the same in all directions, like that of solid elements, consistent or lumped.
        modes: shapes to keep, displacements of the nodes, (n, 2 or 3, m); ``None``: they are
            computed as for a solid.

    Raises:
        InputError: arrays that are missing or do not go together.

    Example::

        two = np.array([[1.0, -1.0], [-1.0, 1.0]])
        fc.BodyMatrices(
            nodes=[(0, 0, 0), (0.1, 0, 0)],  # a bar of two nodes
            stiffness=np.kron(2e8 * two, np.diag([1, 0, 0])),
            mass=0.4 * np.eye(6),
        )
    """

    nodes: np.ndarray
    stiffness: Any
    mass: Any
    modes: np.ndarray | None = None

    def __post_init__(self):
        nodes = checks.array(self.nodes)
        if nodes.ndim != 2 or nodes.shape[1] != 3:
            raise InputError(f"matrices of a body: nodes must be (n, 3), got {nodes.shape}.")
        object.__setattr__(self, "nodes", nodes)
        for name in ("stiffness", "mass"):
            matrix = getattr(self, name)
            matrix = csr_matrix(matrix if issparse(matrix) else checks.array(matrix))
            rows = matrix.shape[0]
            if matrix.shape != (rows, rows) or rows not in (k * len(nodes) for k in (2, 3, 6)):
                raise InputError(
                    f"matrices of a body: {name} has the shape {matrix.shape}; {len(nodes)} nodes "
                    "have two, three or six rows each."
                )
            object.__setattr__(self, name, matrix)
        if self.modes is not None:
            modes = checks.array(self.modes)
            if modes.ndim != 3 or len(modes) != len(nodes) or modes.shape[1] not in (2, 3):
                raise InputError(
                    f"matrices of a body: modes must be (nodes, 2 or 3, modes), got {modes.shape}."
                )
            object.__setattr__(self, "modes", modes)

    @classmethod
    def load(cls, path: str | Path) -> BodyMatrices:
        """Read a file, ``.npz`` or HDF5.

        Raises:
            InputError: no such file, arrays that are missing.
        """
        path = Path(path)
        try:
            if path.suffix == ".npz":
                with np.load(path) as file:
                    return cls._of(path, {k: file[k] for k in file.files})
            import h5py

            with h5py.File(path) as file:
                return cls._of(path, {k: file[k][()] for k in file})
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read as matrices of a body: {error}.") from None

    @classmethod
    def _of(cls, path: Path, arrays: Mapping[str, np.ndarray]) -> BodyMatrices:
        def matrix(name: str) -> Any:
            parts = [f"{name}_{part}" for part in ("data", "row", "col")]
            if all(part in arrays for part in parts):
                data, row, col = (np.ravel(arrays[part]) for part in parts)
                size = int(arrays.get(f"{name}_size", max(row.max(), col.max()) + 1))
                return coo_matrix((data, (row, col)), (size, size))
            return need(name)

        def need(name: str) -> np.ndarray:
            if name not in arrays:
                raise InputError(f"{path} holds no array {name!r}, only {', '.join(arrays)}.")
            return arrays[name]

        return cls(need("nodes"), matrix("stiffness"), matrix("mass"), arrays.get("modes"))

    def save(self, path: str | Path) -> None:
        """Write a file that ``load`` reads, ``.npz`` or (any other ending) HDF5."""
        arrays: dict[str, Any] = {"nodes": self.nodes}
        for name in ("stiffness", "mass"):
            m = getattr(self, name).tocoo()
            arrays |= {
                f"{name}_data": m.data, f"{name}_row": m.row, f"{name}_col": m.col,
                f"{name}_size": np.array(m.shape[0]),
            }  # fmt: skip
        if self.modes is not None:
            arrays["modes"] = self.modes
        path = Path(path)
        if path.suffix == ".npz":
            np.savez_compressed(path, **arrays)
            return
        import h5py

        with h5py.File(path, "w") as file:
            for name, x in arrays.items():
                file[name] = x

    def order(self, who: str, nodes: np.ndarray) -> np.ndarray:
        """For each of ``nodes`` the number of the node at the same place here.

        Raises:
            InputError: there is none, or another number of nodes.
        """
        from scipy.spatial import cKDTree

        distance, order = cKDTree(self.nodes).query(nodes)
        size = np.ptp(nodes, axis=0).max()
        if len(nodes) != len(self.nodes) or distance.max() > NEAR * size:
            k = int(distance.argmax())
            raise InputError(
                f"{who}: its matrices are of {len(self.nodes)} nodes, its mesh has {len(nodes)}, "
                f"one of them at {nodes[k]} m, {distance[k]:.3g} m from the nearest node of the "
                "matrices; mesh, degree and units (m) of the solid must be those of the matrices."
            )
        return order

    def of_nodes(self, who: str, nodes: np.ndarray, d: int) -> tuple[csr_matrix, csr_matrix]:
        """Stiffness and mass of the displacements of a mesh's nodes.

        Raises:
            InputError: see ``order``; a mass that couples directions or differs between them, a
                stiffness that resists rigid motions.
        """
        order = self.order(who, nodes)
        found = []
        for matrix in (self.stiffness, self.mass):
            each = matrix.shape[0] // len(nodes)
            if each < d:
                raise InputError(f"{who}: a body in space has three rows per node, not {each}.")
            rows = (each * order[:, None] + np.arange(d)).ravel()
            found.append(matrix[rows][:, rows].tocsr())
        K, M = found
        first = M[0::d, 0::d]
        for i in range(d):
            for j in range(d):
                off = abs(M[i::d, j::d] - (first if i == j else 0 * first)).max()
                if off > 1e-6 * abs(first).max():
                    raise InputError(
                        f"{who}: its mass matrix differs between directions or couples them; use "
                        "that of solid elements, consistent or lumped, without point masses."
                    )
        return K, M

    def modes_at(self, who: str, nodes: np.ndarray, d: int) -> np.ndarray:
        """Shapes at a mesh's nodes, (n, d, m)."""
        assert self.modes is not None
        return self.modes[self.order(who, nodes)][:, :d]
