"""Fields of solids over time as VTK files: deformed cells with displacement, velocity, stress."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from dolfinx.cpp.io import perm_vtk
from dolfinx.mesh import CellType

from ..bodies.solids.nodes import Nodal
from ..bodies.solids.solid import Solid
from ..bodies.solids.stress import principal, von_mises
from ..bodies.solids.whole import WholeSolid
from ..io.ranks import on_root
from ..io.vtk import Collection, vtu

#: VTK's Lagrange cells
KINDS = {"triangle": 69, "quadrilateral": 70, "tetrahedron": 71, "hexahedron": 72}


class SolidFields:
    """Writes one solid's fields: ``NAME_000012.vtu``, listed with their times in ``NAME.pvd``.

    Point data: displacement (m), velocity (m/s), Cauchy stress and second Piola-Kirchhoff stress
    (Pa, nine components), von Mises stress and principal stresses (Pa); stresses are averaged over
    the cells that meet at a node.
    """

    def __init__(self, solid: Solid, system, folder: Path, after: float | None):
        self.solid, self.state, self.comm = solid, system.state, system.comm
        self.whole = WholeSolid(solid)
        self.collection = Collection(folder, str(solid.name), after, self.comm)

    def write(self, t: float, values: np.ndarray, rates: np.ndarray) -> None:
        """Write the present state; ``values``, ``rates``: by global number. Collective."""
        names = ("stress", "second_piola_kirchhoff")
        tensors = {n: self.whole.collected(self.solid.recover(self.state, n)) for n in names}
        on_root(self.comm, self._write, t, values, rates, tensors)

    def _write(self, t, values, rates, tensors):
        self.collection.add(t, text(self.whole, values, rates, tensors, t))


def text(solid: Nodal, values, rates, tensors, t: float = 0.0) -> str:
    """A VTK file of a solid's deformed cells with ``point_data``."""
    data = point_data(solid, values, rates, tensors)
    cell, cells = solid.mesh.cell, solid.cells
    return vtu(
        solid.nodes + data["displacement"], cells[:, vtk_order(cell, cells.shape[1])],
        KINDS[cell], data, {}, {"TimeValue": np.array([float(t)])},
    )  # fmt: skip


def vtk_order(cell: str, nodes: int) -> np.ndarray:
    """Nodes of a cell in the order of VTK."""
    return np.argsort(perm_vtk(CellType[cell], nodes))


def point_data(solid: Nodal, values, rates, tensors) -> dict[str, np.ndarray]:
    """Arrays at the nodes of a solid, by name."""
    stress = tensors["stress"]
    return {
        "displacement": solid.at_nodes(values),
        "velocity": solid.at_nodes(rates, rates=True),
        "stress": stress.reshape(-1, 9),
        "second_piola_kirchhoff": tensors["second_piola_kirchhoff"].reshape(-1, 9),
        "von_mises": von_mises(stress),
        "principal_stress": principal(stress),
    }
