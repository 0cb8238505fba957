"""Solids: elastic bodies discretised by finite elements."""

from __future__ import annotations

import logging
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...core.blocks import Block
from ...core.component import Cell
from ...errors import InputError
from ...markup import Shown
from ...meshes import cells as reference
from ...meshes.mesh import Mesh
from ...meshes.tools import thin
from ...model.portrait import BodyPortrait
from ..given import extremes, is_function
from ..materials import Damping, Material
from .elements import STATES, SolidKind, middles
from .facets import FacetSet
from .given import Values, packed
from .nodes import Nodal
from .numbers import body_loads, clamps, numbers_of
from .stress import nodal_means

logger = logging.getLogger(__name__)


class Solid(Nodal, Shown):
    """An elastic body of finite elements, total Lagrangian: large rotations and deformations.

    Args:
        mesh: undeformed body, in space (see ``Mesh.moved``).
        material: elastic law and density.
        degree: of the displacement, 1 or 2; default 2, which bends without locking (1 with
            ``incompatible_modes``, and of lumped triangles and tetrahedra).
        state: ``"space"``; of a plane mesh ``"plane_strain"`` or ``"plane_stress"``.
        thickness: of a plane solid, m; of one in space it does not count.
        clamped: names of facet sets that do not move; or name -> axes along which its nodes do not
            move, as ``{"x0": "x", "y0": "y"}`` (planes of symmetry); or name -> a DOLFINx Function,
            the displacement (m) that its nodes have throughout.
        velocity: initial velocity of the centre of mass, m/s; or a function of places (n, 3) in m
            that returns the velocities of the points there (n, 3).
        angular_velocity: initial, about the centre of mass, rad/s.
        load: dead load per undeformed volume, N/m^3.
        thermal_strain: expansion without stress, the same along all directions (coefficient of
            expansion times rise of the temperature).
        damping: ``Damping`` or ``None``.
        lumped: a diagonal mass matrix (degree 1, or quadrilaterals and hexahedra).
        incompatible_modes: of quadrilaterals and hexahedra of degree 1: parabolas inside of each
            cell, which then bends without locking (elements.py).
        name: for messages and channels.
        free: whether the body may be connected to nothing.

    Channels: ``strain_energy`` (J), with damping ``damping_loss`` (W). ``SolidProbe`` records
    the motion of the solid as a whole.

    On a mesh by ``fem_clearance.dolfinx.mesh`` DOLFINx Functions are taken for ``load``,
    ``thermal_strain`` and the numbers of the material.

    Attributes:
        nodes: places of the nodes at the start, m, (n, 3).
        cells: nodes of each cell, (m, nodes of a cell).

    Raises:
        InputError: a value that is missing or out of range for a solid.
    """

    prefix = "solid"
    #: whether it has neither inertia nor weight and follows its loads at once, because its mass
    #: belongs to the body that carries it
    massless = False

    def __init__(
        self,
        mesh: Mesh,
        material: Material,
        *,
        degree: int | None = None,
        state: str | None = None,
        thickness: float = 1.0,
        clamped: Any = (),
        velocity: Any = (0, 0, 0),
        angular_velocity: ArrayLike = (0, 0, 0),
        load: Any = (0, 0, 0),
        thermal_strain: Any = None,
        damping: Damping | None = None,
        lumped: bool = False,
        incompatible_modes: bool = False,
        name: str | None = None,
        free: bool = False,
    ):
        who = name or "solid"
        self.name, self.mesh, self.material = name, mesh, material
        if not isinstance(mesh, Mesh):
            door = "; fem_clearance.dolfinx.mesh makes one of it" * hasattr(mesh, "topology")
            raise InputError(f"{who}: mesh must be a Mesh such as block(...), got {mesh!r}{door}.")
        if not isinstance(material, Material):
            raise InputError(
                f"{who}: material must be a material such as StVenantKirchhoff(E=2.07e11, nu=0.3, "
                f"rho=7800), got {material!r}."
            )
        simple = incompatible_modes or (lumped and mesh.cell in reference.SIMPLICES)
        default = mesh.degree if simple else 2
        self.degree = checks.choice(f"{who}: degree", degree or default, (1, 2))
        if self.degree < mesh.degree and mesh.curved:
            raise InputError(
                f"{who}: displacements of degree 1 cannot turn curved cells rigidly; use degree=2, "
                "or a mesh of degree 1."
            )
        thickness = checks.positive(f"{who}: thickness", thickness)
        self.thickness = thickness if mesh.dimension == 2 else 1.0
        self.state = self._state(who, state)
        self.cells, self.nodes = mesh.nodes(self.degree)
        if not (damping is None or isinstance(damping, Damping)):
            raise InputError(f"{who}: damping must be a Damping, got {checks.shown(damping)}.")
        self.damping = damping
        self.incompatible = self._incompatible(who, incompatible_modes)
        self.load, self.thermal_strain = body_loads(who, self.dimension, load, thermal_strain)
        self.values = Values(mesh, who, partial(numbers_of, self))
        self.kind = self._kind(who, lumped)
        self.velocity = self._velocities(who, velocity)
        self.angular_velocity = checks.vector(f"{who}: angular_velocity", angular_velocity)
        self._clamps = clamped
        #: which displacements are known, and what they are, m, (nodes, dimension)
        self.fixed, self.prescribed = clamps(self, who, clamped)
        self.free = free or bool(self.fixed.any())
        self.block: Block | None = None
        #: names of fields that act on it, until ``recover`` has said that stresses lack their share
        self.acted_on: list[str] = []
        self._number_nodes(self.degree)
        self._check_mesh(who)

    def _velocities(self, who: str, velocity) -> np.ndarray:
        """Of the body, (3,), or of each node, (n, 3)."""
        if not callable(velocity):
            return checks.vector(f"{who}: velocity", velocity)
        result = np.asarray(velocity(self.nodes), float)
        fine = result.shape == self.nodes.shape and bool(np.all(np.isfinite(result)))
        if not all(self.mesh.of_ranks(fine)):
            raise InputError(
                f"{who}: the function velocity must return finite numbers of the shape of its "
                f"argument, {self.nodes.shape}; it returned the shape {result.shape}."
            )
        return result

    def _state(self, who: str, state: str | None) -> str:
        if self.mesh.dimension == 3:
            if state not in (None, "space"):
                raise InputError(f"{who}: state = {state!r} is for plane meshes; this one is not.")
            return "space"
        state = checks.choice(f"{who}: state", state, STATES[1:])
        if self.mesh.size[2] > 1e-9 * self.mesh.size.max():
            raise InputError(f"{who}: a plane mesh must lie in a plane of constant z.")
        return state

    def _kind(self, who: str, lumped: bool) -> SolidKind:
        if lumped and self.degree == 2 and self.mesh.cell in reference.SIMPLICES:
            raise InputError(
                f"{who}: a quadratic {self.mesh.cell} has no lumped mass matrix that is positive "
                "and accurate; use degree 1, or quadrilaterals or hexahedra."
            )
        return SolidKind(
            self.mesh.cell, self.degree, self.mesh.degree, type(self.material), self.state,
            self.damping is not None, bool(lumped), self.incompatible,
            self.thermal_strain is not None, given=self.values.given,
        )  # fmt: skip

    def _incompatible(self, who: str, wanted) -> bool:
        if not wanted:
            return False
        if self.degree != 1 or self.mesh.cell in reference.SIMPLICES:
            raise InputError(
                f"{who}: incompatible_modes are those of quadrilaterals and hexahedra of degree 1; "
                "leave them out, or give degree=1."
            )
        if self.damping is not None and self.damping.retardation:
            raise InputError(
                f"{who}: with incompatible_modes damping has no retardation, since the modes have "
                "no rates; take degree=2, or damping by drag."
            )
        return True

    def _check_mesh(self, who: str):
        parts = self.mesh.parts()
        count = max(self.mesh.of_ranks(parts.max(initial=0))) + 1
        if count > 1:
            sizes = sum(self.mesh.of_ranks(np.bincount(parts[self.mesh.own], minlength=count)))
            raise InputError(
                f"{who}: the mesh consists of {len(sizes)} parts of {', '.join(map(str, sizes))} "
                "cells that do not touch; make one solid of each, or merge their common nodes."
            )
        nu = extremes(getattr(self.material, "nu", 0.0))[1]
        if self.degree == 1 and nu > 0.45 and self.state != "plane_stress":
            logger.warning(
                "%s: elements of degree 1 lock at Poisson's ratio %g; use degree=2.", who, nu
            )
        if self.degree == 1 and not self.incompatible and thin(self.mesh):
            logger.warning(
                "%s: this body is thin and has at most three cells of degree 1 across, which lock "
                "in bending (one layer of cubes deflects by 0.64 of what it should): use "
                "degree=2%s or more "
                "cells.", who, "" if self.mesh.cell in reference.SIMPLICES else
                ", incompatible_modes=True",
            )  # fmt: skip

    # --- geometry -------------------------------------------------------------------------------
    @property
    def corners(self) -> np.ndarray:
        """Corners of the box round the body at the start, m, (2, 3)."""
        return self.mesh.box

    @property
    def volume(self) -> float:
        """Undeformed volume, m^3."""
        return self.thickness * float(self._volume[0])

    @cached_property
    def _volume(self) -> np.ndarray:
        """Volume, and that times each coordinate of its centre."""
        return self.mesh.moments()

    @property
    def mass(self) -> float:
        """Mass, kg."""
        if is_function(self.material.rho):
            return self.thickness * float(self._moments[0])
        return self.material.rho * self.volume

    @cached_property
    def _moments(self) -> np.ndarray:
        """Mass, and that times each coordinate of its centre; of a density that is the same all
        over, volume."""
        if not is_function(self.material.rho):
            return self._volume
        points, _ = reference.quadrature(self.mesh.cell, 4)
        density = self.mesh.nodal(self.material.rho, "density", points)[1][..., 0]
        return self.mesh.moments(density, 4)

    @property
    def position(self) -> np.ndarray:
        """Initial centre of mass, m."""
        return self._moments[1:] / self._moments[0]

    def space(self) -> Any:
        """The DOLFINx space of its displacement, of a mesh by ``fem_clearance.dolfinx.mesh``;
        collective."""
        return self.mesh.space(self.degree)

    def facets(self, name: str) -> FacetSet:
        """A marked set of facets, for loads and attachments."""
        return FacetSet(self, name, self.mesh.facet_set(name, self.name or "solid"))

    def portrait(self) -> BodyPortrait:
        return BodyPortrait("solid", data={"series": self.name})

    # --- building -------------------------------------------------------------------------------
    def build(self, builder) -> None:
        d, mesh = self.dimension, self.mesh
        if all(mesh.of_ranks(bool(self.fixed.all()))):
            raise InputError(f"{self.name}: all of its nodes are clamped.")
        mesh.check_ranks(builder.comm, str(self.name))
        if len(self.held):
            builder.connect(builder.ground, self)
        self.block = self._block()
        builder.add_block(self.block)
        refs = [self.displacement(self.cells[mesh.own])]
        if self.state == "plane_stress":
            each = len(reference.lattice(self.mesh.cell, self.kind.stretch_degree))
            refs.append(self._of_cells(builder, "stretch", each))
        if self.incompatible:
            refs.append(self._of_cells(builder, "modes", d * d))
        own = self.values.rows() | {"thickness": self.thickness}
        if self.massless:
            own["rho"] = 0.0
        if self.incompatible:
            own["middle"] = middles(mesh)[mesh.own]
        about = mesh.cell_arguments()
        parameters = packed(self.kind, about["count"], own)
        if self.values.varies:
            builder.reads(lambda state: state.assign(self.name, **self.values.varying()))
        builder.add_cell(self.kind, Cell(self.name or "", refs, parameters, **about))

    def check_size(self, others) -> None:
        """Warn of a body far larger than the rest of the model, given by points of the others."""
        extent = np.ptp(np.array([np.zeros(3), *others]), axis=0).max() if others else 0.0
        size = self.mesh.size.max()
        # below a metre it would be shorter than a millimetre if its mesh were in mm; an extent that
        # is round-off does not count
        large = extent > 1e-12 * size and size > max(100 * extent, 1.0)
        if large and not self.massless:
            logger.warning(
                "%s is %.3g m long, the rest of the model %.3g m: if its mesh is in mm, use "
                "mesh.moved(scale=1e-3).", self.name, self.mesh.size.max(), extent,
            )  # fmt: skip

    def update(self, stepper: Any) -> None:
        """Take the present values of the Functions among its numbers for the steps to come;
        collective. At the start of every run they are taken anyway.

        Args:
            stepper: of the run, as ``on_step`` is handed.
        """
        stepper.assign(self.name, **self.values.varying())

    def recover(self, state, name: str) -> np.ndarray | None:
        """A field at the nodes, on rank 0 (elsewhere ``None``), or of a distributed mesh on every
        rank at the nodes that it holds; collective.

        Args:
            state: ``system.state``.
            name: ``"displacement"``, (n, 3) in m; or a stress in Pa, (n, 3, 3), the mean of the
                cells that meet: ``"stress"`` (Cauchy's) or ``"second_piola_kirchhoff"``. It is
                that of the material, without what coupled fields add to the equations.

        Raises:
            InputError: an unknown name.
        """
        fields = ("displacement", *self.kind.recovered_shapes)
        if checks.choice(f"{self.name}: field", name, fields) == "displacement":
            place = self.at_nodes(state.everything(state.q))
            return place if state.comm.rank == 0 or self.spread is not None else None
        if self.acted_on:
            logger.warning(
                "%s: this stress is that of the material alone, without what %s adds to the "
                "equations of the solid, such as -3*K*alpha*T of a thermal expansion: add that to "
                "it yourself. Forces by fc.resultants include it.",
                self.name, " and ".join(self.acted_on),
            )  # fmt: skip
            self.acted_on = []
        return nodal_means(self, state, name)
