"""Condensed solids: linear elastic bodies reduced to the responses of their facets.

Displacements of chosen facets are sums of static responses (those that tractions on the facets
excite most) and, with inertia, of natural modes, each with one unknown of the system
(responses.py). Everything that can act on the facets of a solid can act on these too, and the error
of the reduction is reported.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl

from ... import checks
from ..._backend import MPI
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable, body_energies
from ...core.roles import Condensed, Coordinate
from ...errors import InputError
from ...meshes.mesh import Mesh
from ...model.item import Shared
from ...model.system import System
from ..materials import Damping, Material
from .facets import FacetSet
from .responses import Condensation, Matrices, Shapes, of_body
from .solid import Solid
from .stress import nodal_means

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ResponseKind(Kind):
    """One response: a spring, possibly with a mass, and the excitation by gravity."""

    feeds_energy = False

    parameters = {"stiffness": (), "mass": (), "damping": (), "excitation": (3,)}
    label = "condensed response"

    def fields(self):
        return {"amplitude": ()}

    def residual(self, c):
        force = c.par("mass") * c.a + c.par("damping") * c.v + c.par("stiffness") * c.q
        return (force - self.weight(c)) * c.test * c.dx()

    @staticmethod
    def weight(c):
        """Force of gravity on the amplitude, N."""
        return ufl.dot(c.par("excitation"), c.gravity)

    def observables(self, c):
        potential = -self.weight(c) * c.q
        return body_energies(c.par("mass") / 2 * c.v**2, potential, "gravity") | {
            "strain_energy": Observable(
                c.par("stiffness") / 2 * c.q**2, "J", "strain energy", "energy.strain"
            ),
        }


class CondensedSolid(Solid):
    """A linear elastic solid condensed to some of its facets.

    The displacements must remain small, and the body must be clamped somewhere. Forces act on
    the retained facets only; gravity is taken into account, other body loads are refused.

    Args:
        mesh, degree, state, thickness, clamped, damping, lumped, name, free: see ``Solid``.
        incompatible_modes, material: likewise, with the moduli at small strain.
        velocity, angular_velocity, load: must be zero, because the body starts at rest.
        facets: names of the facet sets to retain.
        responses: how many to keep; default: all.
        direction: of the tractions, ``"any"`` or ``"normal"`` (for oil films, which need
            fewer responses).
        inertia: whether the body has mass; without it, the body follows its loads at once.
        modes: with inertia, how many natural modes to keep beside the responses, of each type:
            with the retained facets held (Craig and Bampton) and with them free; default: those
            up to ``frequency``.
        frequency: Hz, the highest that loads excite; default: twice the lowest natural frequency of
            the body, its retained facets free.

    Channels: ``strain_energy`` (J).

    Attributes:
        stiffness: of each response and mode, N/m, for amplitudes in m (largest displacement of a
            node).
        responses: displacements of all nodes, (n, dimension, responses and modes).
        modes_kept: number of modes kept, of both types, that are independent of the responses.
        left_out: facet set -> fraction of the strain energy that the kept responses miss under a
            pressure on a patch, bell-shaped and a quarter as wide as the radius of the facets.

    Raises:
        InputError: a value that is out of range for a solid, no clamp, facets too large to keep
            every response.
    """

    prefix = "condensed_solid"
    #: it moves with a frame, and its inertia and weight are those of other cells
    carried = False

    def __init__(
        self, mesh: Mesh, material: Material, *, facets: str | Sequence[str],
        responses: int | None = None, direction: str = "any", inertia: bool = False,
        degree: int | None = None, state: str | None = None, thickness: float = 1.0,
        clamped: Any = (), velocity: Any = (0, 0, 0), angular_velocity: Any = (0, 0, 0),
        load: Any = (0, 0, 0), damping: Damping | None = None, lumped: bool = False,
        incompatible_modes: bool = False, name: str | None = None, free: bool = False,
        modes: int | None = None, frequency: float | None = None,
    ):  # fmt: skip
        who = name or "condensed solid"
        if isinstance(mesh, Mesh):
            mesh = mesh.collected(who)  # its responses are of all nodes, too
        super().__init__(
            mesh, material, degree=degree, state=state, thickness=thickness, clamped=clamped,
            velocity=velocity, angular_velocity=angular_velocity, load=load, damping=damping,
            lumped=lumped, incompatible_modes=incompatible_modes, name=name, free=free,
        )  # fmt: skip
        if not self.fixed.any():
            raise InputError(f"{who} must be clamped: give the facet sets in clamped=.")
        if self.values.varies or self.prescribed.any():
            raise InputError(f"{who}: a condensed solid takes no Functions of DOLFINx.")
        if any(np.any(z) for z in (self.load, self.velocity, self.angular_velocity)):
            raise InputError(f"{who}: a condensed solid starts at rest and takes no load=.")
        checks.choice(f"{who}: direction", direction, ("any", "normal"))
        names = checks.names(f"{who}: facets", facets)
        self.retained = {n: mesh.facet_set(n, who) for n in names}
        nodes = [super(CondensedSolid, self).facets(n).nodes for n in names]
        self.kept = np.unique(np.concatenate(nodes))  # nodes
        self.count, self.direction, self.inertia = responses, direction, inertia
        self.modes, self.frequency = self._range(who, modes, frequency)
        self.modes_kept = 0
        self.left_out: dict[str, float] = {}
        self._shared = Shared()  # by shallow copies: the whole body and its responses

    def _range(self, who: str, modes: int | None, frequency: float | None):
        if (modes is not None or frequency is not None) and not self.inertia:
            raise InputError(f"{who}: modes and frequency are those of a body with inertia=True.")
        if modes is not None and modes != 0:
            checks.count(f"{who}: modes", modes)
        if frequency is not None:
            checks.positive(f"{who}: frequency", frequency)
        return modes, frequency

    # --- the interface of a solid ---------------------------------------------------------------
    def facets(self, name: str) -> FacetSet:
        if name not in list(getattr(self, "retained", [name])):
            raise InputError(
                f"{self.name or 'condensed solid'} does not retain the facets "
                f"{checks.shown(name)}, only {checks.some(self.retained)}."
            )
        return super().facets(name)

    def displacement(self, nodes: np.ndarray) -> Ref:
        assert self.block is not None
        place = np.searchsorted(self.kept, nodes)
        if np.any(self.kept[np.minimum(place, len(self.kept) - 1)] != nodes):
            raise InputError(f"{self.name}: a node inside the body was condensed away.")
        d = self.dimension
        indices = d * place[..., None] + np.arange(d)
        return Ref(self.block, indices.reshape(*nodes.shape[:-1], -1))

    def at_nodes(self, values: np.ndarray, rates: bool = False) -> np.ndarray:
        result = np.zeros((len(self.nodes), 3))
        result[:, : self.dimension] = self.responses @ values[self.amplitudes.numbers]
        return result

    def recover(self, state, name: str) -> np.ndarray | None:
        values = state.everything(state.q)
        if state.comm.rank:
            return None
        private, full, _ = self._full
        private.q[: full.size] = self._shared[self._condensed][1] @ values[self.amplitudes.numbers]
        return nodal_means(self._twin, private, name)

    @property
    def shapes_kept(self) -> int:
        """Responses and modes."""
        return self.responses.shape[-1]

    # --- condensation ---------------------------------------------------------------------------
    @property
    def _full(self):
        """State of the whole body alone, at rest, its stiffness and mass matrices, and its nodal
        forces under unit gravity."""
        if "full" in self._shared:
            return self._shared["full"]
        self._shared["twin"], *full = alone(self, clamped=self._clamps)
        self._shared["full"] = full
        return self._shared["full"]

    @property
    def _twin(self) -> Solid:
        """The whole body in that system."""
        return self._shared["twin"]

    def build(self, builder) -> None:
        builder.connect(builder.ground, self)
        found, known = None, self._condensed in self._shared
        if builder.comm.rank == 0:
            found = self._shared[self._condensed][0] if known else self._condense()
        found = builder.comm.bcast(found)
        self.responses, self.stiffness, self.left_out = found.nodes, found.stiffness, found.left_out
        self.modes_kept = found.modes
        own = not (self.massless or self.carried)
        mass = found.mass if self.inertia and own else 0 * found.mass
        excitation = found.excitation if own else 0 * found.excitation
        if not known:
            self._tell(found)
        count = len(self.stiffness)
        role = Coordinate(massless=self.massless)
        self.amplitudes = Block(str(self.name), "amplitude", np.zeros(count), role)
        builder.add_block(self.amplitudes)
        shapes = self.responses[self.kept].reshape(-1, count)
        condensed = Condensed(master=self.amplitudes, matrix=shapes)
        self.block = Block(str(self.name), "displacement", np.zeros(len(shapes)), condensed)
        builder.add_block(self.block)
        time = self.damping.retardation if self.damping else 0.0
        drag = self.damping.drag if self.damping else 0.0
        kind = ResponseKind()
        rows = [
            kind.pack(stiffness=k, mass=m, damping=time * k + drag * m, excitation=e)
            for k, m, e in zip(self.stiffness, mass, excitation, strict=True)
        ]
        refs = [Ref(self.amplitudes, np.arange(count)[:, None])]
        builder.add_cell(kind, Cell(str(self.name), refs, np.array(rows), count=count))

    @property
    def _condensed(self) -> tuple[str, bool]:
        """Key of its shapes: whether natural modes are among them."""
        return "condensed", self.inertia and not self.massless

    def _condense(self) -> Shapes:
        _, matrices, weights = self._full
        condensation = Condensation(
            self, {n: self.facets(n) for n in self.retained}, self.kept, matrices, weights,
            self._twin.displacement(np.arange(len(self.nodes))[:, None]).numbers, self.count,
            self.direction,
        )  # fmt: skip
        found = condensation.shapes(self._condensed[1], self.modes, self.frequency)
        self._shared[self._condensed] = found  # in all unknowns, too, for stresses
        return found[0]

    def _tell(self, found: Shapes) -> None:
        """Log what is kept and what is left out."""
        if found.modes:
            logger.info("%s: %d natural modes in addition to its responses", self.name, found.modes)
        for name, part in found.left_out.items():
            logger.info(
                "%s: %d responses, which neglect %.1e of the strain energy under pressure on a "
                "patch of %s", self.name, len(found.stiffness) - found.modes, part, name,
            )  # fmt: skip


class _Copy(Solid):
    """A copy of a solid whose mesh has been checked already."""

    def _check_mesh(self, who: str):
        pass


def alone(solid: Solid, clamped: Any = ()) -> tuple[Solid, Any, Matrices, np.ndarray]:
    """A copy of a solid alone in a system, at rest: the copy, the system's state, its stiffness and
    mass, and its nodal forces under unit gravity. On one rank."""
    system = System(gravity=(0, 0, 0), comm=MPI.COMM_SELF)
    twin = _Copy(
        solid.mesh, solid.material, degree=solid.degree, thickness=solid.thickness, name="whole",
        state=solid.state, clamped=clamped, free=True,
        incompatible_modes=solid.incompatible, lumped=solid.kind.lumped,
    )  # fmt: skip
    system.add(twin)
    state = system.state
    return twin, state, *of_body(state)
