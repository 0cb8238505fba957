"""Symbols: what the forms of a kind are written in, and how their tangents are derived."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import basix
import basix.ufl
import numpy as np
import ufl
from basix import CellType
from ufl.algorithms.apply_algebra_lowering import apply_algebra_lowering
from ufl.algorithms.apply_derivatives import apply_derivatives

from .. import _backend  # noqa: F401  (MPI first)
from ..user_code import is_added
from .observables import KINETIC, Observable, is_energy
from .packable import check_integrals, check_test

#: numbers every form may read: time, dv/dq, da/dq, gravity (3)
GLOBALS = 6
#: and behind them one that few do: 1 / (time since the start of the step), 0 in a steady state
PER_STEP = GLOBALS

#: dimension of each cell
DIMENSION = {
    "point": 0, "interval": 1, "triangle": 2, "quadrilateral": 2, "tetrahedron": 3, "hexahedron": 3
}  # fmt: skip


class HasForms(Protocol):
    """What symbols ask of a kind, see ``Kind``."""

    cell: str
    geometry_degree: int
    degree: int
    parameters: dict[str, tuple[int, ...]]

    @property
    def label(self) -> str: ...
    @property
    def geometric_dimension(self) -> int: ...
    @property
    def read(self) -> int: ...
    def element(self, cell) -> Any: ...
    def columns(self, name: str) -> slice: ...
    def residual(self, c: Symbols) -> Any: ...


class DistributedParameters:
    """Mixin of a kind some of whose parameters are a field on the cell."""

    def distributed(self, cell) -> dict[str, Any]:
        """Name -> element of each field, whose degrees of freedom the parameter of that name holds;
        forms read it as ``c.distributed[name]``. By default ``reference`` in the space of the
        unknowns, if there is one."""
        kind: Any = self
        return {"reference": kind.element(cell)} if "reference" in kind.parameters else {}


class SimplerForm:
    """Mixin of a kind that may be another's of fewer unknowns and parameters, combinations of its
    own: forms are derived for that and combined afterwards, which compiles far faster."""

    def simpler(self) -> tuple[Any, Any, Any] | None:
        """The kind, its unknowns as a vector of this one's ((symbols, state) -> UFL vector), and
        its parameters likewise (symbols -> UFL vector); ``None`` if there is none."""
        raise NotImplementedError(f"{type(self).__name__} must define simpler()")


class Symbols:
    """What a kind's forms are written in.

    Attributes:
        q, v, a: coordinates (and algebraic unknowns), their rates, their accelerations.
        q_n: coordinates at the start of the step.
        test: the test function; a residual is linear in it.
        per_step: 1 / (time since the start of the step), 1/s, so that a change over the step is
            ``(c.q - c.q_n) * c.per_step``; 0 in a steady state.
        distributed: fields whose degrees of freedom are parameters of the cell, by name.
        reference: the one of that name, if any: a stress-free shape in the unknowns' space.
    """

    def __init__(self, kind: HasForms, mesh=None):
        self.kind = kind
        cell = CellType[kind.cell]
        degree = 0 if kind.cell == "point" else kind.geometry_degree
        coordinate = basix.ufl.element("Lagrange", cell, degree, shape=(kind.geometric_dimension,))
        self.mesh = ufl.Mesh(coordinate) if mesh is None else mesh
        self.element = kind.element(cell)
        self.space = ufl.FunctionSpace(self.mesh, self.element)
        self.q, self.v, self.a, self.q_n = (ufl.Coefficient(self.space) for _ in range(4))
        self.test = ufl.TestFunction(self.space)
        self.globals = ufl.Coefficient(self._numbers(GLOBALS))
        self.per_step = ufl.Coefficient(self._numbers())
        self.p: Any = ufl.Coefficient(self._numbers(kind.read)) if kind.read else None
        own = kind.distributed(cell) if isinstance(kind, DistributedParameters) else {}
        self.distributed: dict[str, Any] = {
            name: ufl.Coefficient(self._space(element)) for name, element in own.items()
        }
        self.reference = self.distributed.get("reference")
        self._shared: dict[ufl.Coefficient, Any] = {}

    def _numbers(self, *shape: int):
        """Space of constants a cell."""
        return self._space(basix.ufl.element("DG", CellType[self.kind.cell], 0, shape=shape))

    def _space(self, element):
        return ufl.FunctionSpace(self.mesh, element)

    @property
    def x(self):
        """Place in the undeformed cell, m."""
        return ufl.SpatialCoordinate(self.mesh)

    @property
    def t(self):
        """Time at the end of the step."""
        return self.globals[0]

    @property
    def gravity(self):
        """Acceleration of gravity, m/s^2, (3,)."""
        return triple(self.globals, 3)

    def split(self, state):
        """Fields of ``c.q``, ``c.v``, ``c.a``, ``c.q_n`` or ``c.test``."""
        if isinstance(self.element, basix.ufl._MixedElement):
            return ufl.split(state)
        return (state,)

    def par(self, name: str):
        """A parameter of the cell as a UFL scalar, vector or matrix; ``()`` of an empty one."""
        columns = self.kind.columns(name)
        shape = self.kind.parameters[name]
        numbers = [self.p[k] for k in range(columns.start, columns.stop)]
        if shape == ():
            return numbers[0]
        if len(shape) == 1:
            return ufl.as_vector(numbers) if numbers else ()
        rows = np.reshape(np.arange(len(numbers)), shape)
        return ufl.as_matrix([[numbers[k] for k in row] for row in rows])

    def along(self, expression, direction=None):
        """Derivative of an expression of q: virtual (along the test function) by default."""
        return ufl.derivative(expression, self.q, self.test if direction is None else direction)

    def rate(self, expression):
        """Time derivative of an expression of q that does not depend on time explicitly."""
        return ufl.derivative(expression, self.q, self.v)

    def second_rate(self, rate):
        """Time derivative of a rate, an expression of q and v."""
        return ufl.derivative(rate, self.q, self.v) + ufl.derivative(rate, self.v, self.a)

    def power(self, expression):
        """Virtual counterpart of an expression linear in v (Jourdain): its derivative along
        test."""
        return ufl.derivative(expression, self.v, self.test)

    def taken(self, form, rates: Sequence | None = None):
        """Power that the forces of a form take from the motion, W: the form with rates in the
        place of the test function, as an observable's expression.

        Args:
            form: a residual or a part of one.
            rates: one for each field, ``None`` for nothing; by default ``c.v``.
        """
        motion: Any = self.v
        if rates is not None:
            rows: list = []
            for field, rate in zip(self.split(self.test), rates, strict=True):
                given = ufl.zero(field.ufl_shape) if rate is None else rate
                rows += [given[k] for k in range(len(field))] if field.ufl_shape else [given]
            motion = ufl.as_vector(rows)
        form = ufl.replace(ufl.replace(form, self._values()), {self.test: motion})
        parts: dict = {}
        for i in form.integrals():
            degree, rule = (i.metadata().get(f"quadrature_{n}") for n in ("degree", "rule"))
            key = degree if rule in (None, "default") else (degree, rule)
            parts[key] = parts[key] + i.integrand() if key in parts else i.integrand()
        return parts[None] if self.kind.cell == "point" else parts

    def shared(self, expression):
        """A vector that a residual uses many times, as one symbol in the tangent.

        The value is the expression's; its derivative enters the tangent by the chain rule in one
        place, instead of being expanded at each use: large laws compile in a fraction of the time.
        """
        symbol = ufl.Coefficient(self._numbers(*expression.ufl_shape))
        self._shared[symbol] = expression
        return symbol

    def dx(self, degree: int | None = None, rule: str = "default"):
        """The cell measure; points need no quadrature degree.

        Args:
            degree: polynomials that are integrated exactly.
            rule: Basix's name of the quadrature, as ``"vertex"`` or ``"GLL"``.
        """
        if degree is None:
            return ufl.dx(self.mesh)
        metadata = {"quadrature_degree": degree, "quadrature_rule": rule}
        return ufl.dx(self.mesh, metadata=metadata)

    # --- forms ----------------------------------------------------------------------------------
    def residual(self) -> Any:
        """The kind's residual, looked at; ``None`` if it has none.

        Raises:
            InputError: no kernel of cells can be made of it.
        """
        form = self.kind.residual(self)
        if form is not None or is_added(type(self.kind).residual):
            check_integrals(self.kind.label, form, self.mesh)
            check_test(self.kind.label, form, self.test)
        return form

    def forms(self) -> tuple[Any, Any]:
        """Residual and tangent, dF/dq + gamma' dF/dv + beta' dF/da; ``None`` where there is
        none."""
        simpler = self.kind.simpler() if isinstance(self.kind, SimplerForm) else None
        if simpler is not None:
            return self._combined(*simpler)
        form = self.residual()
        if form is None:
            return None, None
        parts = [*self._derivatives(form)]
        tangent = total(parts) if parts else None
        return ufl.replace(form, self._values()), tangent

    def _combined(self, kind: HasForms, unknowns, parameters) -> tuple[Any, Any]:
        """Residual and tangent by those of a simpler kind; see ``SimplerForm``.

        A form is written as the sum of its values for unit vectors in place of the arguments times
        the arguments' combinations, so that these stand outside of all that is expensive.
        """
        c = Symbols(kind, self.mesh)
        values = {
            getattr(c, n): unknowns(self, getattr(self, n)) for n in ("q", "v", "a", "q_n")
        } | {c.globals: self.globals}
        if c.p is not None:
            values[c.p] = parameters(self)
        arguments = [
            (inner, unknowns(self, outer))
            for inner, outer in (
                (c.test, self.test), (ufl.TrialFunction(c.space), ufl.TrialFunction(self.space))
            )
        ]  # fmt: skip
        results = []
        for form, count in zip(c.forms(), (1, 2), strict=True):
            if form is not None:
                parts = [i.integrand() for i in _lower(form).integrals()]
                whole = _outside(total(parts), arguments[:count])
                form = ufl.replace(whole * self.dx(), values)
            results.append(form)
        return results[0], results[1]

    def drift(self):
        """Derivative of the residual by time alone, at fixed coordinates; ``None`` if zero."""
        form = self.residual()
        if form is None:
            return None
        form = ufl.replace(form, self._values())
        direction = ufl.as_vector([1.0] + [0.0] * (GLOBALS - 1))
        form = _lower(ufl.derivative(form, self.globals, direction))
        return None if form.empty() else form

    def lost(self, observables: dict[str, Observable]):
        """The residual without inertia and without the derivatives of the energies that observables
        tell: what dissipates."""
        form = ufl.replace(self.residual(), self._values())
        parts = [form, -1 * ufl.derivative(form, self.a, self.a)]
        for o in observables.values():
            if is_energy(o.total) and o.total != KINETIC:
                parts.append(-self.along(total(self._pieces(o.expression))))
        return _lower(total(parts))

    def stores_in_rates(self, observables: dict[str, Observable]) -> bool:
        """Whether an energy that is stored depends on rates, as on internal variables of first
        order: what it loses then is not seen in its derivative by coordinates."""
        told = [o for o in observables.values() if is_energy(o.total) and o.total != KINETIC]
        parts = [
            ufl.derivative(p, self.v, self.v) for o in told for p in self._pieces(o.expression)
        ]
        return any(not _lower(part).empty() for part in parts)

    def _pieces(self, expression, factor=1):
        """An observable's expression as forms, one for each quadrature."""
        degree = None if self.kind.cell == "point" else self.kind.degree
        pieces = expression if isinstance(expression, dict) else {degree: expression}
        for d, piece in pieces.items():
            measure = self.dx(*d) if isinstance(d, tuple) else self.dx(d)
            yield piece * factor * measure

    def observation(self, observables: dict[str, Observable]):
        """One form that yields all observables of a cell, those with ``points`` last."""
        single = [o for o in observables.values() if not o.points]
        pointwise = [o for o in observables.values() if o.points]
        space, parts = self._numbers(len(single)), []
        if pointwise:
            cell = CellType[self.kind.cell]
            rules = [basix.ufl.quadrature_element(cell, degree=o.points) for o in pointwise]
            mixed = basix.ufl.mixed_element([space.ufl_element(), *rules])
            w, *tests = ufl.TestFunctions(ufl.FunctionSpace(self.mesh, mixed))
            for o, test in zip(pointwise, tests, strict=True):
                parts.append(o.expression * test * self.dx(o.points))
        else:
            w = ufl.TestFunction(space)
        for k, o in enumerate(single):
            parts += self._pieces(o.expression, w[k])
        form = total(parts)
        check_integrals(self.kind.label, form, self.mesh)
        return form

    def columns(self, observables: dict[str, Observable]) -> dict[str, Observable]:
        """The numbers that ``observation`` yields, in its order."""
        result = {n: o for n, o in observables.items() if not o.points}
        for name, o in observables.items():
            if o.points:
                rule = basix.ufl.quadrature_element(CellType[self.kind.cell], degree=o.points)
                hidden = o._replace(recorded=False, total="")
                result |= {f"{name}.{k}": hidden for k in range(rule.dim)}
        return result

    def _derivatives(self, form):
        """Derivative of the residual by q, v and a: the direct part, then through shared vectors.

        Shared vectors may depend on earlier ones: ``steps`` holds their derivatives along the trial
        function, ``values`` their expressions with earlier symbols filled in. The derivatives of a
        vector by q, v and a are summed up before they go on: what depends on it is derived once.
        """
        trial = ufl.TrialFunction(self.space)
        values = self._values()
        steps: dict[Any, tuple] = {}
        states = ((self.q, None), (self.v, self.globals[1]), (self.a, self.globals[2]))
        for symbol, expression in self._shared.items():
            parts = []
            for state, factor in states:
                part = _lower(ufl.derivative(expression, state, trial))
                parts.append(part if factor is None else factor * part)
            for earlier, (placeholder, step) in steps.items():
                part = _lower(ufl.derivative(expression, earlier, placeholder))
                parts.append(_lower(ufl.replace(part, {placeholder: step})))
            placeholder = ufl.Argument(symbol.ufl_function_space(), 1)
            steps[symbol] = placeholder, total(parts)
        for state, factor in states:
            direct = _lower(ufl.derivative(form, state, trial))
            if not direct.empty():
                direct = ufl.replace(direct, values)
                yield direct if factor is None else _times(direct, factor)
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


def total(terms: Iterable):
    """Sum of UFL expressions of one shape, at least one (``sum`` begins with the scalar 0)."""
    first, *others = terms
    return sum(others, first)


def triple(numbers, start: int = 0):
    """Three consecutive components of a UFL vector as a vector."""
    return ufl.as_vector([numbers[start + k] for k in range(3)])


def _lower(expression):
    """Derivatives carried out; what is zero becomes empty."""
    return apply_derivatives(apply_algebra_lowering(expression))


def _times(form, factor):
    """A form times a factor that need not be constant over the mesh."""
    return ufl.Form([i.reconstruct(integrand=factor * i.integrand()) for i in form.integrals()])


def _outside(expression, arguments: list[tuple]):
    """An expression linear in some arguments as a sum of its values at unit vectors, each times a
    component of what stands for the argument."""
    if not arguments:
        return expression
    (argument, combination), *others = arguments
    terms = []
    for k in range(argument.ufl_shape[0]):
        unit = ufl.as_vector([ufl.as_ufl(float(k == i)) for i in range(argument.ufl_shape[0])])
        value = ufl.replace(expression, {argument: unit})
        if not isinstance(value, ufl.constantvalue.Zero):
            terms.append(_outside(value, others) * combination[k])
    return total(terms) if terms else 0
