"""Partial differential equations of one's own as items of a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from types import SimpleNamespace
from typing import Any

import numpy as np
from dolfinx import fem

from .. import checks
from ..bodies.solids.facets import FacetSet
from ..bodies.solids.given import packed
from ..bodies.solids.solid import Solid
from ..core.blocks import Block, Ref
from ..core.component import Cell
from ..core.roles import Algebraic, Coordinate, Internal, Role
from ..core.spread import places
from ..core.state import State
from ..errors import InputError
from ..markup import Shown
from ..meshes import cells as reference
from ..model.portrait import Portrait
from . import forms
from .forms import FormKind, Part, SurfaceFormKind, Unknown
from .mesh import DistributedMesh, DolfinxMesh, mesh, tagged_facets
from .nodes import nodes_of


class Field(Shown):
    """An unknown field on a DOLFINx space whose equation is a UFL form of one's own.

    The residual is a function of what is unknown, in the order V, ``coupled``; each has ``value``,
    ``rate``, ``acceleration`` (as far as the order goes), ``test`` and ``time``. It returns the
    weak form "residual = 0", linear in the test functions; tangents are derived from it. DOLFINx
    Constants are read before each step, Functions at the start of a run and by ``update``.

    Example:
        >>> k, q = fem.Constant(msh, 50.0), fem.Constant(msh, 1e4)
        >>> def heat(T):
        ...     flow = k * ufl.inner(ufl.grad(T.value), ufl.grad(T.test))
        ...     return (3.6e6 * T.rate * T.test + flow) * ufl.dx - q * T.test * ds(2)
        >>> plate = system.add(Field(V, heat, order=1, bcs=[fem.dirichletbc(0.0, dofs, V)]))

    Args:
        V: DOLFINx space of Lagrange or DG elements without permuted dofs, on cells a solid may
            have.
        residual: see above.
        order: of the equation in time: 0, 1 or 2.
        initial: DOLFINx Function in V, or a number: the field at the start; of order 0 a first
            guess.
        initial_rate: the same of its rate, for order 2.
        bcs: of ``dolfinx.fem.dirichletbc``, for V; they hold throughout.
        coupled: solids on the same DOLFINx mesh, and fields that were added before.
        observed: channel -> (unit, function of the same unknowns as ``residual`` that gives a UFL
            scalar): its integral over the cells.
        scale: value that the field commonly reaches, in its unit, by which round-off and the errors
            of adaptive steps are judged; default the largest of the values at the start and of
            ``bcs``, and 1 if these are zero.
        distributed: each rank holds only its part of the field, as solids on a mesh by
            ``mesh(..., distributed=True)`` do; what is coupled must be distributed, too, and if it
            is, the field is.
        name: for messages and channels.

    Raises:
        InputError: a space or form that cannot be packed; the sentence says what can.
    """

    prefix = "field"
    #: it needs no connection to the ground
    free = True

    def __init__(
        self,
        V: Any,
        residual: Callable[..., Any],
        *,
        order: int = 1,
        initial: Any = 0.0,
        initial_rate: Any = 0.0,
        bcs: Sequence[Any] = (),
        coupled: Any = (),
        observed: Mapping[str, tuple[str, Callable[..., Any]]] | None = None,
        scale: float | None = None,
        distributed: bool = False,
        name: str | None = None,
    ):
        self.name, self.V = name, V
        who = self.who = name or self.prefix
        if not isinstance(V, fem.FunctionSpace):
            raise InputError(f"{who} lives in a dolfinx.fem.FunctionSpace, got {V!r}.")
        self.order = checks.choice(f"{who}: order", order, (0, 1, 2))
        several: Any = [coupled] if isinstance(coupled, Field | Solid) else coupled
        self.coupled: list[Any] = [*several]
        self.unknowns = self._unknowns()
        self.mesh = mesh(V.mesh, distributed=self._distributed(distributed))
        self.width = V.dofmap.bs
        dofs = [np.zeros(0, int), *(self._dofs(bc) for bc in bcs)]
        self.nodes = nodes_of(V, self.mesh, np.unique(np.concatenate(dofs) // self.width))
        self.cells, self.local = self.nodes.cells, self.nodes.local
        self.parts = forms.parts_of(who, self._of("residual", residual), self.unknowns, V.mesh)
        self.observed = self._observed(observed or {})
        if self.order < 2 and (hasattr(initial_rate, "x") or initial_rate):
            raise InputError(f"{who}: only an equation of order 2 has an initial rate.")
        self.values, self.rates = self._nodal(initial), self._nodal(initial_rate)
        self.fixed = np.zeros(self.values.shape, bool)
        for bc in bcs:
            self._hold(bc)
        largest = max(self.mesh.of_ranks(float(np.abs(self.values).max(initial=0.0)))) or 1.0
        self.scale = largest if scale is None else checks.positive(f"{who}: scale", scale)
        self.block: Block | None = None

    def _unknowns(self) -> list[Unknown]:
        """What the residual is a function of."""
        time = fem.Constant(self.V.mesh, 0.0)
        result = [Unknown(self.V, self.order, 0, self.who, time)]
        for item in self.coupled:
            if isinstance(item, Field):
                space, order = item.V, item.order
            elif isinstance(item, Solid) and isinstance(item.mesh, DolfinxMesh):
                space, order = item.space(), 2
            else:
                raise InputError(
                    f"{self.who}: coupled takes solids on a mesh by fem_clearance.dolfinx.mesh and "
                    f"fields, got {item!r}."
                )
            shared: Any = item.mesh
            if shared.link.mesh is not self.V.mesh:
                raise InputError(
                    f"{self.who}: {item.name} lives on another DOLFINx mesh; coupled fields share "
                    "one."
                )
            result.append(Unknown(space, order, len(result), self.who, time))
        return result

    def _distributed(self, wanted: bool) -> bool:
        """Whether each rank holds a part alone: if that is wanted, or so for what is coupled."""
        parts = {isinstance(item.mesh, DistributedMesh) for item in self.coupled}
        if len(parts | ({True} if wanted else set())) > 1:
            raise InputError(
                f"{self.who}: it and all that is coupled must either be distributed or whole on "
                "each rank: give distributed=True to every mesh and field, or to none."
            )
        return wanted or True in parts

    def _of(self, what: str, function: Callable[..., Any]) -> Any:
        """What a function given by the user makes of the unknowns.

        Raises:
            InputError: it does not take as many.
        """
        try:
            signature(function).bind(*self.unknowns)
        except TypeError:
            names = [self.name or "the field", *(item.name for item in self.coupled)]
            raise InputError(
                f"{self.who}: {what} must be a function of the field's own unknown and those of "
                f"coupled=, in this order: {', '.join(names)}, {len(names)} in all."
            ) from None
        return function(*self.unknowns)

    def _observed(self, wanted: Mapping[str, tuple[str, Callable[..., Any]]]) -> list[tuple]:
        """Channel, unit and expression of each integral over the cells, all of which one part
        has."""
        result = []
        for channel, (unit, expression) in wanted.items():
            channel = checks.name(f"{self.who}: channel", channel)
            result.append((channel, unit, self._of(f"observed {channel!r}", expression)))
        whole = next((p for p in self.parts if not p.facet and p.tags is None), None)
        if result and whole is None:  # the form is of parts of the cells alone
            whole = Part(self.unknowns, False, None, None)
            self.parts.append(whole)
        for _, _, found in result:
            assert whole is not None
            whole.note(found, self.who)
        return result

    # --- values at the nodes --------------------------------------------------------------------
    def _nodal(self, given: Any) -> np.ndarray:
        if not hasattr(given, "function_space"):
            value = checks.number(f"{self.who}: initial value", given)
            return np.full((len(self.nodes.slot), self.width), value)
        if given.function_space != self.V:
            raise InputError(f"{self.who}: initial values are a Function in the field's own space.")
        return self.nodes.gathered(given.x.array)

    def _dofs(self, bc: Any) -> np.ndarray:
        """Local dofs of V that a Dirichlet condition fixes."""
        if not isinstance(bc, fem.DirichletBC):
            raise InputError(
                f"{self.who}: bcs must be made by dolfinx.fem.dirichletbc, got {bc!r}."
            )
        if bc.function_space != self.V._cpp_object:
            raise InputError(f"{self.who}: a Dirichlet condition belongs to another space than V.")
        return bc.dof_indices()[0]

    def _hold(self, bc: Any) -> None:
        """Fix the dofs of a Dirichlet condition at its values."""
        values, held = np.zeros((2, len(self.local) * self.width))
        bc.set(values)
        held[self._dofs(bc)] = 1.0
        held_all = self.nodes.gathered(held) > 0
        self.values = np.where(held_all, self.nodes.gathered(values), self.values)
        self.rates = np.where(held_all, 0.0, self.rates)
        self.fixed |= held_all

    # --- what a body has ------------------------------------------------------------------------
    @property
    def corners(self) -> np.ndarray:
        """Corners of the box round it, m, (2, 3)."""
        return self.mesh.box

    @property
    def position(self) -> np.ndarray:
        """Middle of that box, m."""
        return self.corners.mean(axis=0)

    def portrait(self) -> Portrait:
        return Portrait("field", data={"space": str(self.V.ufl_element())})

    # --- building -------------------------------------------------------------------------------
    def _role(self) -> Role:
        quantity = f"equation of {self.name}"
        if self.order == 2:
            return Coordinate(quantity, typical=self.scale)
        if self.order == 1:
            return Internal(quantity, typical=self.scale)
        return Algebraic(quantity, counts_forces=True, typical=self.scale)

    def build(self, builder: Any) -> None:
        for item in self.coupled:
            if item.block is None:
                raise InputError(f"{self.name}: add {item.name or 'what is coupled'} first.")
            builder.connect(item, self)
        self.mesh.check_ranks(builder.comm, str(self.name))
        order = np.argsort(self.nodes.slot)
        values, rates = self.values[order], self.rates[order]
        if self.order == 1:  # the value is the rate of a dummy coordinate
            values, rates = np.zeros_like(values), values
        elif self.order == 0:
            rates = np.zeros_like(rates)
        role = self._role()
        self.block = Block(
            str(self.name), "", values, role, rates=rates, fixed=self.fixed[order],
            spread=self.nodes.spread,
        )  # fmt: skip
        builder.add_block(self.block)
        self._made = [self._add(builder, part) for part in self.parts]
        builder.reads(self._read)
        tests = forms.tests_of(self.parts)
        for item, unknown in zip(self.coupled, self.unknowns[1:], strict=True):
            if isinstance(item, Solid) and unknown.test in tests:
                item.acted_on.append(str(self.name))

    def ref(self, nodes: np.ndarray) -> Ref:
        """Unknowns of nodes of its cells, (cells, nodes): all components of a node together."""
        assert self.block is not None
        indices = self.width * self.nodes.slot[nodes][..., None] + np.arange(self.width)
        return Ref(self.block, indices.reshape(len(nodes), self.width * nodes.shape[1]))

    def _refs(self, cells: np.ndarray, facets: np.ndarray | None = None) -> list[Ref]:
        """Of all unknowns in cells held here, or on the facets of these numbers in them."""
        result, numbers = [], self.mesh.link.numbers[cells]
        for item, unknown in zip([self, *self.coupled], self.unknowns, strict=True):
            nodes = item.cells[item.mesh.link.held(numbers)]
            if facets is not None:
                table = forms.facet_table(self.mesh.cell, unknown.space, self.who)
                nodes = np.take_along_axis(nodes, table[facets], axis=1)
            result.append(item.ref(nodes) if isinstance(item, Field) else item.displacement(nodes))
        return result

    def _add(self, builder: Any, part: Part) -> tuple[Part, Any, Any]:
        """Register the cells of a part; the part, its kind and its places for ``_rows``."""
        source = self.mesh
        if not part.facet:
            kind: Any = FormKind(
                part=part,
                cell=source.cell,
                geometry_degree=source.degree,
                observed=tuple(self.observed) if part.tags is None else (),
            )
            where = self._tagged(part, source.dimension)
            refs = self._refs(where)
            geometry = source.cells[where]
            own: dict[str, Any] = {}
        else:
            where = self._facets(part)
            refs = self._refs(*where.T)
            owner: Any = SimpleNamespace(
                mesh=source, degree=source.degree, cells=source.cells, dimension=source.dimension,
                thickness=1.0, name=self.name,
            )  # fmt: skip
            facets = FacetSet(owner, str(part.tags or "surface"), where)
            kind = SurfaceFormKind(part=part, **facets.kind_arguments)
            table = reference.facet_nodes(source.cell, source.degree)
            geometry = source.cells[where[:, :1], table[where[:, 1]]]
            own = {"outward": facets.outward[:, None], "thickness": 1.0}
        rows = packed(kind, len(where), own | self._rows(part, where))
        cell = Cell(
            str(self.name), refs, rows, geometry=(source.points, geometry), count=len(where),
            **self._among(where),
        )  # fmt: skip
        builder.add_cell(kind, cell)
        return part, kind, where

    def _among(self, where: np.ndarray) -> dict[str, Any]:
        """What a ``Cell`` is told of cells or facets held here among those of all ranks."""
        if self.nodes.spread is None:
            return {}
        comm, cells = self.mesh.link.comm, where if where.ndim == 1 else where[:, 0]
        keys = self.mesh.link.numbers[cells]
        if where.ndim == 2:
            keys = keys * len(reference.facet_nodes(self.mesh.cell, 1)) + where[:, 1]
        return {"original": places(comm, keys), "total": comm.allreduce(len(where))}

    def _tagged(self, part: Part, dimension: int) -> np.ndarray:
        """Numbers of the cells of a part."""
        if part.tags is None:
            return np.arange(len(self.mesh.cells))
        if part.data.dim != dimension:
            raise InputError(f"{self.name}: the tags of dx are of dimension {part.data.dim}.")
        link = self.mesh.link
        mine = np.concatenate([part.data.find(tag) for tag in part.tags])
        found = np.concatenate(link.comm.allgather(link.cells[mine[mine < link.own]]))
        if not len(found):
            raise InputError(f"{self.name}: no cells have the tag {part.tags} of dx.")
        return link.held(np.sort(found[np.isin(found, link.numbers)]))

    def _facets(self, part: Part) -> np.ndarray:
        """Cell and number in it of each facet of a part."""
        if part.tags is None:
            rows = self.mesh.surface()
        else:
            rows = tagged_facets(self.mesh, part.data, {str(tag): tag for tag in part.tags})
            rows = rows[np.isin(rows[:, 0], self.mesh.link.numbers)]
            rows = np.stack([self.mesh.link.held(rows[:, 0]), rows[:, 1]], axis=1)
        return rows[np.lexsort(rows.T[::-1])]

    # --- numbers that change --------------------------------------------------------------------
    def _rows(self, part: Part, where: np.ndarray) -> dict[str, Any]:
        """Numbers of a part's cells: Constants, and a row each of Functions; collective."""
        result: dict[str, Any] = {}
        for k, constant in enumerate(part.constants):
            result[f"constant{k}"] = (
                np.ravel(constant.value) if constant.ufl_shape else float(constant.value)
            )
        for k, f in enumerate(part.functions):
            values = self.mesh.link.values(f, self.who)
            if part.facet:
                table = forms.facet_table(self.mesh.cell, f.function_space, self.who)
                values = values[where[:, :1], table[where[:, 1]]]
            else:
                values = values[where]
            size = int(np.prod(values.shape[1:]))
            result[f"function{k}"] = values.reshape(len(where), size)
        return result

    def _read(self, state: State) -> bool:
        """Take the present values of Constants and Functions; collective. Tangents may depend on
        them."""
        for component, rows in zip(state.components, state.parameters, strict=True):
            for part, kind, where in self._made:
                if component.kind is kind:
                    forms.set_constants(kind, rows)
                    _, own = component.cells_of(str(self.name))
                    for name, values in self._rows(part, where).items():
                        if name.startswith("function"):
                            rows[:, kind.columns(name)] = values[own]
        return True

    def update(self, stepper: Any) -> None:
        """Take the present values of Functions (and Constants) for the steps to come; collective.

        Args:
            stepper: of the run, as ``on_step`` is handed.
        """
        stepper.change(self._read)

    # --- back to DOLFINx ------------------------------------------------------------------------
    def at_nodes(self, state: State, rate: bool = False) -> np.ndarray:
        """Values, or rates (of order 1 and 2), at the nodes, (nodes, width); collective."""
        assert self.block is not None
        # of order 1 the value is a rate, see ``build``
        value, change = (state.q, self.block.values), (state.v, np.asarray(self.block.rates))
        if self.order == 1:
            value, change = change, (state.a, np.zeros(len(self.block.values)))
        numbers, start = change if rate else value
        known = np.array(start)
        free = ~self.block.fixed
        known[free] = state.everything(numbers)[self.block.numbers[free]]
        return known.reshape(-1, self.width)[self.nodes.slot]
