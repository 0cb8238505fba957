"""A component: one UFL residual on a mesh, and the incidence that glues it to the unknowns.

All bodies, joints and contacts of one *kind* are the cells of one component. The kind says what the
cells are: fields, parameters, weak form, observables. A component compiles these into kernels; it
knows no mechanics.

Everything a form can depend on lies in one state array of the system::

    state = [ q | v | a | q_n | parameters of all components | globals ]

where ``q_n`` is ``q`` at the start of the step and the globals are time, the two derivatives
dv/dq and da/dq of the integrator, and gravity. For each form an integer array (cells x packed
coefficients) says where each number of a cell's packed coefficients lies in the state. That array
is the incidence; the DOLFINx functions of a component are only symbols.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import _backend  # noqa: F401  (MPI first)
import basix.ufl
import numpy as np
import ufl
from dolfinx import fem, mesh
from ufl.algorithms.apply_algebra_lowering import apply_algebra_lowering
from ufl.algorithms.apply_derivatives import apply_derivatives

from .unknowns import Ref

logger = logging.getLogger(__name__)

#: Optimisations that keep infinities and NaN (guards and SNES rely on them).
JIT_OPTIONS = {
    "cffi_extra_compile_args": [
        "-O2", "-fno-math-errno", "-fno-trapping-math", "-fassociative-math",
        "-fno-signed-zeros", "-freciprocal-math", "-g0",
    ]
}  # fmt: skip

#: Numbers every form may read: time, dv/dq, da/dq, gravity (3).
GLOBALS = 6


class Observable(NamedTuple):
    """A scalar that can be recorded, integrated over the cell.

    Attributes:
        expression: UFL scalar of the state, or ``{quadrature degree: scalar}`` whose integrals are
            added, so that an energy is measured with the quadrature of the forces it belongs to.
        unit: SI unit, for the results file.
        description: one line, for the results file.
        total: name of a channel that sums this over all cells of the system, or empty.
        recorded: whether it becomes a channel of its owner (else it serves only the law itself).
    """

    expression: Any
    unit: str
    description: str
    total: str = ""
    recorded: bool = True


@dataclass
class Cell:
    """One cell of a component: a body, an element of a beam, a joint.

    Attributes:
        owner: name of the body or joint, prefix of its channels.
        refs: unknowns of the cell, in the order of the kind's fields.
        parameters: numbers of this cell, in the order of the kind's ``parameters``.
        ends: arc length at both ends of an interval cell; unused for points.
    """

    owner: str
    refs: Sequence[Ref]
    parameters: np.ndarray = field(default_factory=lambda: np.zeros(0))
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def numbers(self) -> np.ndarray:
        return np.concatenate([r.numbers for r in self.refs])


class Kind:
    """What the cells of a component are. Subclasses are frozen dataclasses: equal kinds share forms.

    A new body, joint or law is one subclass: ``fields`` (or ``element``), ``parameters`` and
    ``residual``. Tangents are derived from the residual by ``ufl.derivative``.
    """

    #: ``"point"`` or ``"interval"``
    cell: str = "point"
    #: name -> shape of the numbers each cell carries in the state
    parameters: dict[str, tuple[int, ...]] = {}
    #: quadrature degree of observables on intervals
    degree: int = 6

    @property
    def label(self) -> str:
        """Name for log lines."""
        return type(self).__name__

    def fields(self) -> dict[str, tuple[int, ...]]:
        """Name -> shape of the fields of a point kind."""
        raise TypeError(f"{type(self).__name__} defines neither fields() nor element()")

    def element(self, cell):
        """The (mixed) finite element; by default one degree-0 block per field."""
        blocks = [basix.ufl.element("DG", cell, 0, shape=s) for s in self.fields().values()]
        return blocks[0] if len(blocks) == 1 else basix.ufl.mixed_element(blocks)

    def residual(self, c: "Component"):
        """The weak form, linear in ``c.test``; ``None`` if the kind only observes."""
        return None

    def observables(self, c: "Component") -> dict[str, Observable]:
        """Scalars of a cell that can be recorded or that the kind's own ``accept`` needs."""
        return {}

    def accept(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """Update the cells' parameters (in place, cells x width) after an accepted step."""

    @classmethod
    def columns(cls, parameters: dict[str, tuple[int, ...]], name: str) -> slice:
        """Columns of a parameter in a cell's row."""
        at = 0
        for key, shape in parameters.items():
            size = int(np.prod(shape, dtype=int))
            if key == name:
                return slice(at, at + size)
            at += size
        raise KeyError(name)

    @property
    def width(self) -> int:
        return sum(int(np.prod(s, dtype=int)) for s in self.parameters.values())

    def pack(self, **values) -> np.ndarray:
        """A cell's parameters as one row."""
        if set(values) != set(self.parameters):
            raise KeyError(f"{self.label}: parameters {set(values) ^ set(self.parameters)}")
        return np.concatenate(
            [np.ravel(np.broadcast_to(values[k], s)) for k, s in self.parameters.items()]
            or [np.zeros(0)]
        ).astype(float)


class Component:
    """All cells of one kind: mesh, space, kernels, and the unknowns behind each cell."""

    def __init__(self, kind: Kind, cells: list[Cell], comm):
        self.kind, self.comm = kind, comm
        tic = time.perf_counter()
        self.mesh, self.cells = _mesh(kind, cells, comm)
        #: row of the parameters of all cells, in the order they were added to the system
        self.original = np.asarray(self.mesh.topology.original_cell_index[: len(self.cells)], int)
        self._symbols()
        self.residual, self.tangent, self.observe = self._forms()
        self.tangent_terms: int
        seconds = time.perf_counter() - tic
        logger.debug("forms of %s ready in %.2f s", kind.label, seconds)

    # --- symbols for the kind's UFL -------------------------------------------------------------
    def _symbols(self):
        domain = self.mesh
        self.space = fem.functionspace(domain, self.kind.element(domain.basix_cell()))
        self.q, self.v, self.a, self.q_n = (fem.Function(self.space) for _ in range(4))
        self.test = ufl.TestFunction(self.space)
        numbers = fem.functionspace(domain, ("DG", 0, (GLOBALS,)))
        self.globals = fem.Function(numbers)
        self.p = None
        if self.kind.width:
            self.p = fem.Function(fem.functionspace(domain, ("DG", 0, (self.kind.width,))))
        dofmap = self.space.dofmap
        self.dofs = dofmap.list.shape[1] * dofmap.index_map_bs

    @property
    def t(self):
        """Time at the end of the step."""
        return self.globals[0]

    @property
    def gravity(self):
        return ufl.as_vector([self.globals[k] for k in (3, 4, 5)])

    def split(self, state):
        """Fields of ``c.q``, ``c.v``, ``c.a``, ``c.q_n`` or ``c.test``."""
        if self.space.num_sub_spaces and isinstance(
            self.space.ufl_element(), basix.ufl._MixedElement
        ):
            return ufl.split(state)
        return (state,)

    def par(self, name: str):
        """A parameter of the cell as a UFL scalar, vector or matrix."""
        shape = self.kind.parameters[name]
        columns = Kind.columns(self.kind.parameters, name)
        numbers = [self.p[k] for k in range(columns.start, columns.stop)]
        if shape == ():
            return numbers[0]
        if len(shape) == 1:
            return ufl.as_vector(numbers)
        rows = np.reshape(np.arange(len(numbers)), shape)
        return ufl.as_matrix([[numbers[k] for k in row] for row in rows])

    def along(self, expression, direction=None):
        """Derivative of an expression of q: virtual (along the test function) by default."""
        return ufl.derivative(expression, self.q, self.test if direction is None else direction)

    def rate(self, expression):
        """Time derivative of an expression of q that does not depend on time explicitly."""
        return ufl.derivative(expression, self.q, self.v)

    def power(self, expression):
        """Virtual counterpart of an expression linear in v (Jourdain): its derivative along test."""
        return ufl.derivative(expression, self.v, self.test)

    def shared(self, expression):
        """A vector that a law uses many times, as one symbol in the tangent.

        The value is the expression's; its derivative enters the tangent by the chain rule in one
        place, instead of being expanded at each use. Laws with conditionals compile many times
        faster so.
        """
        space = fem.functionspace(self.mesh, ("DG", 0, expression.ufl_shape))
        symbol = fem.Function(space)
        self._shared[symbol] = expression
        return symbol

    def dx(self, degree: int | None = None):
        """The cell measure; points need no quadrature degree."""
        if degree is None:
            return ufl.dx(self.mesh)
        return ufl.dx(self.mesh, metadata={"quadrature_degree": degree})

    # --- forms ----------------------------------------------------------------------------------
    def _forms(self):
        self._shared: dict = {}
        form = self.kind.residual(self)
        residual = tangent = observe = None
        if form is not None:
            factors = ((self.q, None), (self.v, self.globals[1]), (self.a, self.globals[2]))
            parts = []
            for state, factor in factors:
                for part in self._derivatives(form, state):
                    parts.append(part if factor is None else _scaled(part, factor))
            residual = fem.form(ufl.replace(form, self._values()), jit_options=JIT_OPTIONS)
            tangent = fem.form(sum(parts[1:], parts[0]), jit_options=JIT_OPTIONS) if parts else None
        self.observables = self.kind.observables(self)
        if self.observables:
            space = fem.functionspace(self.mesh, ("DG", 0, (len(self.observables),)))
            w = ufl.TestFunction(space)
            degree = None if self.kind.cell == "point" else self.kind.degree
            parts = [
                piece * w[k] * self.dx(d)
                for k, o in enumerate(self.observables.values())
                for d, piece in (
                    o.expression if isinstance(o.expression, dict) else {degree: o.expression}
                ).items()
            ]
            observe = fem.form(sum(parts[1:], parts[0]), jit_options=JIT_OPTIONS)
        return residual, tangent, observe

    def _derivatives(self, form, state):
        """Derivative of the residual by q, v or a: the direct part, then through shared vectors.

        Shared vectors may depend on earlier ones: ``steps`` holds their derivatives along the trial
        function, ``values`` their expressions with earlier symbols filled in.
        """
        trial = ufl.TrialFunction(self.space)
        values, steps = self._values(), {}
        for symbol, expression in self._shared.items():
            parts = [_lower(ufl.derivative(expression, state, trial))]
            for earlier, (placeholder, step) in steps.items():
                part = _lower(ufl.derivative(expression, earlier, placeholder))
                parts.append(_lower(ufl.replace(part, {placeholder: step})))
            placeholder = ufl.Argument(symbol.ufl_function_space(), 1)
            steps[symbol] = placeholder, sum(parts[1:], parts[0])
        direct = _lower(ufl.derivative(form, state, trial))
        if not direct.empty():
            yield ufl.replace(direct, values)
        for symbol, (placeholder, step) in steps.items():
            part = _lower(ufl.derivative(form, symbol, placeholder))
            part = _lower(ufl.replace(part, {placeholder: step}))
            if not part.empty():
                yield ufl.replace(part, values)

    def _values(self) -> dict:
        """Expression behind each shared symbol, free of other symbols."""
        values: dict = {}
        for symbol, expression in self._shared.items():
            values[symbol] = ufl.replace(expression, values)
        return values

    # --- incidence ------------------------------------------------------------------------------
    def unknowns(self) -> np.ndarray:
        """Global numbers of the unknowns, cells x dofs; read again after an incidence changed."""
        if not self.cells:
            return np.zeros((0, self.dofs), dtype=np.int64)
        rows = np.array([cell.numbers for cell in self.cells], dtype=np.int64)
        if rows.shape[1] != self.dofs:
            raise ValueError(f"{self.kind.label}: {rows.shape[1]} unknowns for {self.dofs} dofs")
        return rows

    def gather(self, form, local: np.ndarray, offset: int, size: int, globals_at: int) -> np.ndarray:
        """Place in the state of each packed coefficient of each cell.

        Args:
            form: one of the compiled forms.
            local: local numbers of the unknowns, cells x dofs.
            offset: where this component's parameters start in the state.
            size: length of each of the state's blocks q, v, a, q_n.
            globals_at: where the globals start.
        """
        blocks = {f._cpp_object: k for k, f in enumerate((self.q, self.v, self.a, self.q_n))}
        n, columns = len(self.cells), []
        for w in form._cpp_object.coefficients:
            if w in blocks:
                columns.append(blocks[w] * size + local)
            elif w is self.globals._cpp_object:
                columns.append(np.broadcast_to(globals_at + np.arange(GLOBALS), (n, GLOBALS)))
            else:
                width = self.kind.width
                columns.append(offset + np.arange(n * width).reshape(n, width))
        return np.ascontiguousarray(
            np.hstack(columns) if columns else np.zeros((n, 0)), dtype=np.int32
        )

    def coordinates(self) -> np.ndarray:
        """Geometry of the cells as the kernels want it, cells x (3 nodes)."""
        geometry = self.mesh.geometry
        x = geometry.x[geometry.dofmaps[0][: len(self.cells)]]
        return np.ascontiguousarray(x.reshape(len(self.cells), 3 * geometry.dofmaps[0].shape[1]))


def _lower(expression):
    """Derivatives carried out; what is zero becomes empty."""
    return apply_derivatives(apply_algebra_lowering(expression))


def _scaled(form, factor):
    """A form times a factor that need not be constant over the mesh."""
    return ufl.Form([i.reconstruct(integrand=factor * i.integrand()) for i in form.integrals()])


def _mesh(kind: Kind, cells: list[Cell], comm):
    """The mesh of a kind and the cells this rank owns, in the mesh's order."""
    if kind.cell == "point":
        first, last = (len(cells) * k // comm.size for k in (comm.rank, comm.rank + 1))
        x = np.zeros((last - first, 3))
        x[:, 0] = np.arange(first, last)
        domain = mesh.create_point_mesh(comm, x)
        return domain, cells[first:last]
    # Elements of unconnected lines: neighbours share unknowns through the incidence, not vertices.
    coordinate = basix.ufl.element("Lagrange", "interval", 1, shape=(1,))
    x = np.array([c.ends for c in cells]).reshape(-1, 1)
    vertices = np.arange(len(x), dtype=np.int64).reshape(-1, 2)
    if comm.rank:
        x, vertices = x[:0], vertices[:0]
    domain = mesh.create_mesh(comm, vertices, coordinate, x, partitioner=_blocks(len(cells)))
    owned = domain.topology.index_map(1).size_local
    ours = [cells[k] for k in domain.topology.original_cell_index[:owned]]
    at = domain.geometry.x[domain.geometry.dofmaps[0][:owned]][:, :, 0]
    if owned and not np.all(at[:, 1] > at[:, 0]):
        raise RuntimeError("an interval cell was turned round by the mesh")
    return domain, ours


def _blocks(total: int):
    """A partitioner that gives each rank a run of consecutive cells."""
    from dolfinx.cpp.graph import AdjacencyList_int32

    def partition(comm, parts, cell_types, cells):
        here = len(cells[0]) // 2  # all cells are on rank 0
        destination = (np.arange(here) * parts // max(total, 1)).astype(np.int32)
        return AdjacencyList_int32(destination.reshape(-1, 1))

    return partition
