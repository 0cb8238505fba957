"""Probe of a solid as a whole: momentum, angular momentum and centre of mass."""

from __future__ import annotations

from dataclasses import dataclass

import basix.ufl
import ufl

from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...core.symbols import DIMENSION
from ...errors import InputError
from ...markup import Shown
from ...model.portrait import Portrait
from .elements import in_space
from .given import TakesFunctions, packed
from .solid import Solid


@dataclass(frozen=True)
class MomentumKind(TakesFunctions, Kind):
    """Integrals over the cells of a solid, without any effect on it."""

    called = "momentum of a solid"

    cell: str = "hexahedron"
    order: int = 1
    geometry_degree: int = 1
    #: quadrature of the solid's inertia: lumped masses have the momenta of masses at the nodes
    rule: tuple[int, str] = (2, "default")

    @property
    def conventions(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("thickness",) if DIMENSION[self.cell] == 3 else ()

    @property
    def parameters(self):  # type: ignore[override]
        return {"rho": (), "thickness": (), "mass": (), **self.given_shapes}

    def element(self, cell):
        return basix.ufl.element("Lagrange", cell, self.order, shape=(DIMENSION[self.cell],))

    def observables(self, c):
        x, v = (in_space(z, DIMENSION[self.cell]) for z in (c.x + c.q, c.v))
        rho = self.number(c, "rho") * c.par("thickness")
        turning = ufl.cross(x, v)
        result: dict[str, Observable] = {}

        def over(expression, unit, what):
            return Observable({self.rule: expression}, unit, what)

        for k, axis in enumerate("xyz"):
            result |= {
                axis: over(rho / c.par("mass") * x[k], "m", f"{axis} of the centre of mass"),
                f"p{axis}": over(rho * v[k], "kg m/s", f"{axis} of the momentum"),
                f"L{axis}": over(
                    rho * turning[k], "kg m^2/s", f"{axis} of the angular momentum about the origin"
                ),
            }
        return result


class SolidProbe(Shown):
    """Records the motion of a solid as a whole.

    Args:
        solid: a solid that has been added to the system.
        name: prefix of the channels.

    Channels: ``x y z`` of the centre of mass (m), ``px py pz`` momentum (kg m/s), ``Lx Ly Lz``
    angular momentum about the origin (kg m^2/s); of a solid with lumped masses those of its masses.

    Raises:
        InputError: no solid; when added, a solid that is not in the system.
    """

    prefix = "solid_probe"

    def __init__(self, solid: Solid, *, name: str | None = None):
        if not isinstance(solid, Solid):
            raise InputError(f"{name or 'solid probe'} needs a Solid, got {solid!r}.")
        self.solid, self.name = solid, name

    def portrait(self) -> Portrait:
        return Portrait("solid_probe", data={"solid": self.solid.name})

    def build(self, builder) -> None:
        solid = self.solid
        if solid.block is None:
            raise InputError(f"{self.name}: add {solid.name or 'the solid'} to the system first.")
        mesh = solid.mesh
        given = tuple(entry for entry in solid.kind.given if entry[0] == "rho")
        rule = solid.kind.mass_rule
        kind = MomentumKind(mesh.cell, solid.degree, mesh.degree, rule, given=given)
        own = {"rho": solid.values.rows()["rho"], "thickness": solid.thickness, "mass": solid.mass}
        about = mesh.cell_arguments()
        numbers = packed(kind, about["count"], own)
        refs = [solid.displacement(solid.cells[mesh.own])]
        builder.add_cell(kind, Cell(self.name or "", refs, numbers, **about))
