"""Fields of bodies as DOLFINx Functions."""

from __future__ import annotations

from typing import Any

import numpy as np
from dolfinx import fem

from .. import checks
from ..bodies.solids.solid import Solid
from ..bodies.solids.stress import von_mises
from ..core.initial import SystemState
from ..core.state import State
from ..errors import InputError
from .field import Field
from .link import points_of
from .mesh import DistributedMesh, DolfinxMesh

#: fields that every body has, with the shape of their values; ``None``: the body's dimension
FIELDS: dict[str, tuple[int, ...] | None] = {
    "displacement": None, "velocity": None, "stress": (3, 3), "second_piola_kirchhoff": (3, 3),
    "von_mises": (),
}  # fmt: skip


class BodyFunctions:
    """Makes Functions of a body's fields; the maps between the numberings are made once.

    Args:
        body: a ``Solid`` on a mesh by ``mesh``.

    Raises:
        InputError: another body, or one on a mesh that DOLFINx does not share.
    """

    #: the field meant where none is named
    first = "displacement"

    def __init__(self, body: Any):
        if not isinstance(body, Solid):
            raise InputError(f"a Function is made of the fields of a Solid, got {body!r}.")
        mesh: Any = body.mesh
        if not isinstance(mesh, DolfinxMesh):
            mesh.space(body.degree)  # which says what to do
        self.body, self.mesh = body, mesh.link.mesh
        self.spaces: dict[tuple[int, ...], Any] = {}
        V, link = self.space((body.dimension,)), mesh.link
        #: node of the body for each local node of the spaces (on a distributed mesh: if it is one
        #: of this rank's own cells)
        if isinstance(mesh, DistributedMesh):
            rows = link.ours(V.dofmap.list[: link.own], points_of(V))
            self.nodes = np.zeros(V.tabulate_dof_coordinates().shape[0], np.int64)
            self.nodes[rows] = body.cells[link.held(link.cells[: link.own])]
        else:  # of a submesh a rank may own nodes without a cell there
            cells, local = link.dofmap(V)
            names = np.empty(len(body.nodes), np.int64)
            names[cells] = body.cells
            self.nodes = names[local]

    def space(self, shape: tuple[int, ...]) -> Any:
        """The Lagrange space of the body's degree with values of a shape."""
        if shape not in self.spaces:
            self.spaces[shape] = fem.functionspace(self.mesh, ("Lagrange", self.body.degree, shape))
        return self.spaces[shape]

    def new(self, name: str) -> Any:
        """A Function for a field, all zero.

        Raises:
            InputError: no field of that name.
        """
        known = [n for n in FIELDS if FIELDS[n] != (3, 3) or n in self.body.kind.recovered_shapes]
        shape = FIELDS[checks.choice(f"{self.body.name}: field", name, known)]
        return fem.Function(
            self.space((self.body.dimension,) if shape is None else shape), name=name
        )

    def fill(self, f: Any, state: State) -> None:
        """Set a Function by ``new`` to the present values of the field of its name; collective."""
        values = self._values(f.name, state)[self.nodes]
        if FIELDS[f.name] is None:
            values = values[:, : self.body.dimension]
        f.x.array[:] = values.ravel()
        f.x.scatter_forward()

    def _values(self, name: str, state: State) -> np.ndarray:
        """At all nodes of the body."""
        if name in ("displacement", "velocity"):
            rates = name == "velocity"
            return self.body.at_nodes(state.everything(state.v if rates else state.q), rates)
        kept: Any = self.body.recover(state, "stress" if name == "von_mises" else name)
        values = state.comm.bcast(kept) if self.body.spread is None else kept
        return von_mises(values) if name == "von_mises" else values


class FieldFunctions:
    """The same of a ``Field``, whose fields are ``"value"`` and (of order 1 and 2) ``"rate"``."""

    first = "value"

    def __init__(self, field: Field):
        self.body, self.mesh = field, field.V.mesh

    def new(self, name: str) -> Any:
        """A Function for the value or the rate, all zero."""
        known = ("value", "rate")[: 1 + (self.body.order > 0)]
        return fem.Function(
            self.body.V, name=checks.choice(f"{self.body.name}: field", name, known)
        )

    def fill(self, f: Any, state: State) -> None:
        """Set a Function by ``new`` to the present values; collective."""
        values = self.body.at_nodes(state, f.name == "rate")
        f.x.array[:] = values[self.body.local].ravel()


def functions_of(item: Any) -> BodyFunctions | FieldFunctions:
    """What makes Functions of an item's fields.

    Raises:
        InputError: see ``BodyFunctions``.
    """
    return FieldFunctions(item) if isinstance(item, Field) else BodyFunctions(item)


def to_function(body: Any, state: Any, name: str = "", *, system: Any = None) -> Any:
    """A field of a body as a DOLFINx Function in a space with the body's nodes; collective.

    Example:
        >>> u = to_function(rod, system.state, "displacement")
        >>> s = to_function(rod, results, "von_mises", system=system)

    Args:
        body: a ``Solid`` on a mesh by ``mesh``, or a ``Field``.
        state: ``system.state`` or a ``Stepper``; or results or their ``last``, with ``system``.
        name: ``"displacement"`` (m), ``"velocity"`` (m/s), ``"stress"`` (Cauchy's, Pa),
            ``"second_piola_kirchhoff"`` (Pa), both the mean of the cells that meet in a node, or
            ``"von_mises"`` (Pa), of that mean; of a field ``"value"`` or ``"rate"``. Default: the
            displacement, or the value. Stresses are those of the material, without what coupled
            fields add to the equations of the solid.
        system: whose state it is, where ``state`` does not know.

    Raises:
        InputError: another body or mesh, an unknown field, something that is no state.
    """
    functions = functions_of(body)
    f = functions.new(name or functions.first)
    functions.fill(f, state_of(state, system))
    return f


def state_of(state: Any, system: Any = None) -> State:
    """The state that something has or is.

    Raises:
        InputError: it is none, or one that needs its ``system``.
    """
    found = getattr(state, "last", state)
    found = getattr(found, "state", found) if not isinstance(found, SystemState) else found
    if callable(found):  # Stepper.last makes one
        found = state.state
    if isinstance(found, State):
        return found
    if not isinstance(found, SystemState):
        raise InputError(
            f"a state is needed, such as system.state, a stepper or results, got {state!r}."
        )
    if system is None:
        raise InputError(
            "results know the numbers but not the model they belong to: give it too, "
            "to_function(body, results, name, system=system)."
        )
    result = State(system.assemble())
    found.put(result)
    return result
