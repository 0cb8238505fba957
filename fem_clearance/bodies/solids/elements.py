"""Solid elements: total Lagrangian finite elements, and the cells on their facets.

The unknowns are nodal displacements u; a material point X lies at X + u. A facet's cell is a
surface (or, of a plane solid, a line) of its own whose unknowns are the nodes of that facet.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import basix
import basix.ufl
import numpy as np
import ufl
from ufl import dot, inner

from ...core.kind import Kind
from ...core.mixins import RecoveredFields
from ...core.observables import Observable, body_energies
from ...core.symbols import DIMENSION, Symbols
from ...meshes import cells as reference
from ...meshes.mesh import Mesh
from ..materials import Material, StVenantKirchhoff
from .given import TakesFunctions

#: a number whose square is infinite; a quotient by zero would take 5 % of the residual's time
LARGE = 1e200
#: plane states of strain and stress, and full space
STATES = ("space", "plane_strain", "plane_stress")


@dataclass(frozen=True)
class SolidKind(TakesFunctions, RecoveredFields):
    """Elastic cells of a solid.

    Plane solids move in x and y only. In plane strain there is no strain across the plane. In plane
    stress each cell has a further field, the stretch across the plane, for which the strain energy
    is stationary, so that the stress across the plane vanishes for any material.

    ``incompatible`` adds modes of the cell to the deformation gradient, see ``incompatible_modes``.

    ``damping`` adds the stress of viscosities, S = 2 eta E' + zeta tr(E') I with E' the rate of
    Green's strain (objective: a body that turns is not slowed), and a drag -c rho v.

    ``thermal`` adds a stress-free expansion e, the same along all directions: the elastic
    deformation gradient is F_e = F / (1 + e), and the energy of the law, which refers to the
    expanded volume, is multiplied by (1 + e)^3 (Lu and Pister 1975). Cauchy's stress is that of the
    law at F_e.
    """

    feeds_energy = False

    cell: str = "hexahedron"
    degree: int = 1
    geometry_degree: int = 1
    material: type[Material] = StVenantKirchhoff
    state: str = "space"
    damped: bool = False
    lumped: bool = False
    incompatible: bool = False
    thermal: bool = False
    bulk = True

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Without damping."""
        return not self.damped

    @property
    def conventions(self) -> tuple[str, ...]:  # type: ignore[override]
        """The thickness of a solid in space is 1."""
        return ("thickness",) if self.dimension == 3 else ()

    @property
    def parameters(self):  # type: ignore[override]
        names = ("rho", "thickness", *self.material.parameters)
        viscous = ("shear_viscosity", "bulk_viscosity", "drag") if self.damped else ()
        heat = ("thermal_strain",) if self.thermal else ()
        middle = {"middle": (self.dimension,) * 2} if self.incompatible else {}
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys((*names, *viscous, *heat), ())
        return shapes | {"load": (3,)} | middle | self.given_shapes

    @property
    def label(self):
        return f"{self.material.__name__} {self.cell} of degree {self.degree}"

    @property
    def dimension(self) -> int:
        """Displacements of a node."""
        return DIMENSION[self.cell]

    @property
    def elastic_degree(self) -> int:
        """Quadrature degree of the strain energy: 2 points a direction for degree 1, 3 for 2."""
        simplex = self.cell in reference.SIMPLICES
        if simplex:
            return {1: 1 if self.geometry_degree == 1 else 2, 2: 4}[self.degree]
        return {1: 3, 2: 5}[self.degree]

    @property
    def mass_degree(self) -> int:
        """Quadrature degree of the inertia (exact) and of dead loads."""
        return 2 * self.degree + (self.geometry_degree - 1) * self.dimension

    def element(self, cell):
        parts = [basix.ufl.element("Lagrange", cell, self.degree, shape=(self.dimension,))]
        if self.state == "plane_stress":
            parts.append(basix.ufl.element("DG", cell, self.stretch_degree))
        if self.incompatible:
            modes = incompatible_modes(cell)
            parts.append(basix.ufl.blocked_element(modes, shape=(self.dimension,)))
        return basix.ufl.mixed_element(parts) if len(parts) > 1 else parts[0]

    @property
    def stretch_degree(self) -> int:
        """Of the stretch across the plane: as many unknowns as quadrature points, so that the
        stress across the plane vanishes at each of these."""
        return 0 if self.elastic_degree == 1 else self.degree

    #: shapes of what ``recovered`` gives
    recovered_shapes = {"stress": (3, 3), "second_piola_kirchhoff": (3, 3)}

    def recovered(self, c):
        """Elastic stresses, Pa: Cauchy's and the second Piola-Kirchhoff tensor."""
        F = self.deformation(c)
        S = self.stress(c, F)
        return {"stress": F * S * F.T / ufl.det(F), "second_piola_kirchhoff": S}

    # --- forms ----------------------------------------------------------------------------------
    def deformation(self, c: Symbols, state=None):
        """Deformation gradient, 3 x 3."""
        parts = c.split(c.q if state is None else state)
        G = ufl.grad(parts[0])
        if self.incompatible:
            G += incompatible_gradient(c, parts[-1])
        if self.dimension == 3:
            return ufl.Identity(3) + G
        across = 1 + parts[1] if self.state == "plane_stress" else 1
        return ufl.as_tensor([[1 + G[0, 0], G[0, 1], 0], [G[1, 0], 1 + G[1, 1], 0], [0, 0, across]])

    def energy(self, c: Symbols, F):
        """Strain energy per undeformed volume, J/m^3."""
        numbers = SimpleNamespace(**{n: self.number(c, n) for n in self.material.parameters})
        if not self.thermal:
            return self.material.energy(F, numbers)
        stretch = 1 + self.number(c, "thermal_strain")
        return stretch**3 * self.material.energy(F / stretch, numbers)

    def stress(self, c: Symbols, F):
        """Second Piola-Kirchhoff stress without damping, Pa."""
        F = ufl.variable(F)
        return ufl.inv(F) * ufl.diff(self.energy(c, F), F)

    def damping(self, c: Symbols):
        """Virtual power of the viscous stress and of the drag."""
        F = self.deformation(c)
        rate, virtual = c.rate(F.T * F / 2), c.along(F.T * F / 2)  # of Green's strain
        stress = 2 * self.number(c, "shear_viscosity") * rate
        stress += self.number(c, "bulk_viscosity") * ufl.tr(rate) * ufl.Identity(3)
        v, w = (c.split(z)[0] for z in (c.v, c.test))
        volume = c.par("thickness")
        drag = volume * c.par("drag") * self.number(c, "rho") * dot(v, w)
        viscous = volume * inner(stress, virtual)
        return viscous * c.dx(self.elastic_degree) + drag * self.mass_measure(c)

    @property
    def mass_rule(self) -> tuple[int, str]:
        """Quadrature of the inertia; with points at the nodes the mass matrix is diagonal."""
        if not self.lumped:
            return self.mass_degree, "default"
        return (1, "vertex") if self.degree == 1 else (3, "GLL")

    def mass_measure(self, c: Symbols):
        """The measure that goes with ``mass_rule``."""
        return c.dx(*self.mass_rule)

    def residual(self, c):
        a, w = (c.split(z)[0] for z in (c.a, c.test))
        volume, rho = c.par("thickness"), self.number(c, "rho")
        given = self.number(c, "load")
        load = ufl.as_vector([given[k] for k in range(self.dimension)])
        gravity = ufl.as_vector([c.gravity[k] for k in range(self.dimension)])
        form = volume * rho * dot(a, w) * self.mass_measure(c)
        form -= volume * dot(rho * gravity + load, w) * c.dx(self.mass_degree)
        form += c.along(self.elastic(c) * c.dx(self.elastic_degree))
        if self.damped:
            form += self.damping(c)
        return form

    def elastic(self, c: Symbols):
        """Strain energy by undeformed area or volume, and no finite number where a cell has turned
        inside out: laws of large strains would hold it in a mirrored equilibrium."""
        F = self.deformation(c)
        volume = c.par("thickness")
        if not self.material.small_displacements:
            # of a cell, not of each point; its derivative by the thickness is no constant either,
            # as C code knows no infinite ones
            infinite = LARGE * volume * (LARGE * volume)
            volume = ufl.conditional(ufl.gt(ufl.det(F), 0), volume, infinite)
        return volume * self.energy(c, F)

    def observables(self, c):
        u, v = (c.split(z)[0] for z in (c.q, c.v))
        volume, rho = c.par("thickness"), self.number(c, "rho")
        force = rho * c.gravity + self.space_vector(c, "load")
        strain = volume * self.energy(c, self.deformation(c))
        place = c.x + u
        potential = -volume * sum(force[k] * place[k] for k in range(self.dimension))
        fine = self.mass_degree
        kinetic = {self.mass_rule if self.lumped else fine: volume * rho / 2 * dot(v, v)}
        result = body_energies(kinetic, {fine: potential}, "gravity and dead loads")
        result["strain_energy"] = Observable(
            {self.elastic_degree: strain}, "J", "strain energy", "energy.strain"
        )
        if self.damped:
            result["damping_loss"] = Observable(
                c.taken(self.damping(c)), "W", "power lost to damping", "power.damping"
            )
        return result


def incompatible_modes(cell):
    """Element of the parabolas M_k, one along each reference coordinate; ``cell``: Basix's type.

    Incompatible modes: parabolas inside of linear quadrilaterals and hexahedra, by which these
    bend. Wilson and others (1973), with the gradients of Taylor, Beresford and Wilson (1976), which
    pass the patch test on distorted cells, added to the deformation gradient as enhanced strains
    are (Simo and Armero 1992):

        F = I + grad u + sum_k a_k (x) (j0 / j) J0^-T grad' M_k,    M_k' = 2 xi_k - 1 along xi_k

    with J0, j0 the Jacobian of the undeformed cell and its determinant in the middle, j the
    determinant at the point. The amplitudes a_k are algebraic unknowns of the cell, for which the
    energy is stationary. They turn with the body, so the law stays objective.
    """
    dimension = len(basix.topology(cell)) - 1
    # second Legendre polynomials along each coordinate, as members of the orthonormal basis
    count = 3**dimension
    wcoeffs = np.zeros((dimension, count))
    for k in range(dimension):
        wcoeffs[k, 2 * 3 ** (dimension - 1 - k)] = 1.0
    points, weights = basix.make_quadrature(cell, 4)
    values = basix.tabulate_polynomials(basix.PolynomialType.legendre, cell, 2, points)
    empty = [[np.zeros((0, dimension))] * len(entities) for entities in basix.topology(cell)[:-1]]
    none = [[np.zeros((0, 1, 0, 1))] * len(entities) for entities in basix.topology(cell)[:-1]]
    moments = (wcoeffs @ values * weights)[:, None, :, None]
    return basix.ufl.custom_element(
        cell, [], wcoeffs, [*empty, [points]] + [[]] * (3 - dimension),
        [*none, [moments]] + [[]] * (3 - dimension), 0, basix.MapType.identity,
        basix.SobolevSpace.L2, True, 1, 2,
    )  # fmt: skip


def incompatible_gradient(c, amplitudes):
    """Contribution of the modes to the deformation gradient, (dimension, dimension)."""
    along = ufl.grad(amplitudes) * ufl.Jacobian(c.mesh)  # by the reference coordinates
    return along * c.par("middle") / ufl.JacobianDeterminant(c.mesh)


def middles(mesh: Mesh) -> np.ndarray:
    """Parameter ``middle`` of each cell, row by row: the inverse Jacobian in the middle times its
    determinant, (cells, dimension squared)."""
    centre = ((0.5,) * mesh.dimension,)
    slopes = reference.shape_functions(mesh.cell, mesh.degree, centre)[1:, 0]
    J = np.einsum("dn,mnx->mxd", slopes, mesh.points[mesh.cells][..., : mesh.dimension])
    return (np.linalg.det(J)[:, None, None] * np.linalg.inv(J)).reshape(len(J), -1)


def in_space(vector, dimension: int):
    """A vector of the plane (``dimension`` 2) or of space as one in space."""
    return ufl.as_vector([vector[0], vector[1], 0]) if dimension == 2 else vector


@dataclass(frozen=True)
class FacetKind(Kind):
    """Cells on the facets of solids: fields are the facet's displacement and the facet's own.

    Parameters of all: ``outward`` (1 or -1, so that ``outward * normal`` points out of the
    solid) and ``thickness``.
    """

    cell: str = "quadrilateral"
    degree: int = 1
    geometry_degree: int = 1
    plane: bool = False

    @property
    def own_parameters(self) -> dict[str, tuple[int, ...]]:
        """Further parameters: name -> shape."""
        return {}

    @property
    def own_elements(self) -> list:
        """Elements of further fields, after the displacement's."""
        return []

    @property
    def parameters(self):  # type: ignore[override]
        return {"outward": (), "thickness": (), **self.own_parameters}

    @property
    def conventions(self) -> tuple[str, ...]:  # type: ignore[override]
        """The thickness of what has volume or surface in space is 1."""
        return ("outward",) if self.plane else ("outward", "thickness")

    @property
    def space_dimension(self):  # type: ignore[override]
        return 2 if self.plane else 3

    @property
    def label(self):
        return f"{super().label} on {self.cell} of degree {self.degree}"

    @property
    def surface_degree(self) -> int:
        """Quadrature degree of integrals over the facet."""
        return 2 * self.degree + 2 * (self.geometry_degree - 1) + (self.cell == "quadrilateral")

    def element(self, cell):
        u = basix.ufl.element("Lagrange", cell, self.degree, shape=(self.space_dimension,))
        return basix.ufl.mixed_element([u, *self.own_elements]) if self.own_elements else u

    def place(self, c: Symbols):
        """Present place of a point of the facet, m, three coordinates."""
        return self.in_space(c.x + c.split(c.q)[0])

    def in_space(self, vector):
        """A vector of the mesh as one in space."""
        return in_space(vector, self.space_dimension)

    def normal(self, c: Symbols, deformed: bool = True):
        """Outward normal of the deformed facet times its present area over the undeformed one; or
        of the undeformed one."""
        J = ufl.Jacobian(c.mesh)
        if deformed:
            J += ufl.grad(c.split(c.q)[0]) * ufl.Jacobian(c.mesh)
        if self.plane:
            scaled = ufl.as_vector([J[1, 0], -J[0, 0]])
        else:
            scaled = ufl.cross(*(ufl.as_vector([J[i, k] for i in range(3)]) for k in (0, 1)))
        return self.in_space(c.par("outward") / ufl.JacobianDeterminant(c.mesh) * scaled)
