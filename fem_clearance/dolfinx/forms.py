"""Forms of users on DOLFINx spaces, written anew for the packed kernels of this package.

A residual is given in UFL on a DOLFINx mesh. Its unknowns, test functions, Constants and Functions
become numbers that cells carry; its integrals over the cells, and over each part of the surface,
become kinds of their own. What no kernel of cells can hold is refused in a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import basix.ufl
import numpy as np
import ufl
from dolfinx import fem
from ufl.algorithms import extract_arguments, extract_coefficients
from ufl.algorithms.analysis import extract_constants, extract_type
from ufl.algorithms.apply_algebra_lowering import apply_algebra_lowering
from ufl.algorithms.apply_derivatives import apply_derivatives
from ufl.classes import FacetNormal, GeometricQuantity, Grad, SpatialCoordinate
from ufl.corealg.traversal import unique_pre_traversal

from ..bodies.solids.elements import FacetKind
from ..core.mixins import DistributedParameters, ForeseeableChange
from ..core.observables import Observable
from ..errors import InputError
from ..meshes import cells as reference
from .link import points_of

#: what a form may say of the mesh, and where
CELL_GEOMETRY = (
    "SpatialCoordinate", "Jacobian", "JacobianDeterminant", "JacobianInverse", "CellVolume",
    "Circumradius",
)  # fmt: skip


class Unknown:
    """An unknown field in a residual.

    Args:
        space: DOLFINx space it lives in.
        order: of its equation in time.
        number: of its test function among those of the form.
        owner: name, for messages.

    Attributes:
        value, rate, acceleration: UFL expressions; an equation of order 1 has no acceleration, one
            of order 0 the value alone.
        test: its test function.
        time: s.
    """

    def __init__(self, space: Any, order: int, number: int, owner: str, time: Any):
        self.space, self.order, self.owner, self.time = space, order, owner, time
        self._parts = [ufl.Coefficient(space) for _ in range(order + 1)]
        self.test = ufl.Argument(space, number)

    @property
    def value(self) -> Any:
        """The field itself."""
        return self._parts[0]

    @property
    def rate(self) -> Any:
        """Its first derivative in time."""
        return self._part(1, "rate")

    @property
    def acceleration(self) -> Any:
        """Its second derivative in time."""
        return self._part(2, "acceleration")

    def _part(self, k: int, what: str) -> Any:
        if k > self.order:
            raise InputError(
                f"{self.owner}: an equation of order {self.order} has no {what}; give order={k}."
            )
        return self._parts[k]

    def present(self, c: Any, k: int) -> dict[Any, Any]:
        """What stands for its parts in the symbols of a kind in which it is number ``k``."""
        states = {0: "q", 1: "va", 2: "qva"}[self.order]
        found = {self.test: c.split(c.test)[k]}
        for part, state in zip(self._parts, states, strict=True):
            found[part] = c.split(getattr(c, state))[k]
        return found


@dataclass
class Part:
    """What a residual integrates over the cells, or over some facets.

    Attributes:
        unknowns: in it.
        tags: of the cells or facets; ``None``: all of them, those on the surface.
        data: ``MeshTags`` of the tags.
        pieces: integrands with degree and rule of the quadrature (``None``: estimated by UFL).
        constants, functions: which it reads, in order.
    """

    unknowns: list[Unknown]
    facet: bool
    tags: tuple[int, ...] | None
    data: Any
    pieces: list[tuple[Any, int | None, str]] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    functions: list[Any] = field(default_factory=list)

    def note(self, expression: Any, who: str) -> None:
        """Note what an expression reads, and refuse what no cell has a number for."""
        known = {p for u in self.unknowns for p in u._parts}
        for constant in extract_constants(expression):
            if not isinstance(constant, fem.Constant):
                raise InputError(
                    f"{who}: a ufl.Constant has no value; take dolfinx.fem.Constant(msh, value)."
                )
            if constant not in self.constants and constant is not self.unknowns[0].time:
                self.constants.append(constant)
        for f in extract_coefficients(expression):
            if f in known or f in self.functions:
                continue
            if not isinstance(f, fem.Function):
                raise InputError(
                    f"{who}: the residual reads {f}, which is neither an unknown that it was "
                    "handed nor a DOLFINx Function."
                )
            points_of(f.function_space)
            self.functions.append(f)
        for q in extract_type(expression, GeometricQuantity):
            allowed = ("SpatialCoordinate", "FacetNormal") if self.facet else CELL_GEOMETRY
            if type(q).__name__ not in allowed:
                raise InputError(
                    f"{who}: {type(q).__name__} is not known where the residual is integrated over "
                    f"{'facets' if self.facet else 'cells'}; {', '.join(allowed)} are."
                )
        if self.facet:
            for node in unique_pre_traversal(expression):
                if isinstance(node, Grad):
                    raise InputError(
                        f"{who}: an integral over facets reads a gradient, which facets do not "
                        "have: they know values alone. Write fluxes by the values (q*test*ds), or "
                        "integrate by parts."
                    )


def parts_of(who: str, form: Any, unknowns: list[Unknown], msh: Any) -> list[Part]:
    """A residual by where it is integrated.

    Raises:
        InputError: what no kernel of cells can hold.
    """
    if not isinstance(form, ufl.Form):
        raise InputError(f"{who}: the residual must return a UFL form such as (...)*ufl.dx.")
    tests = {u.test for u in unknowns}
    found: dict[tuple, Part] = {}
    for integral in apply_derivatives(apply_algebra_lowering(form)).integrals():
        kind = integral.integral_type()
        if kind not in ("cell", "exterior_facet"):
            raise InputError(
                f"{who}: the residual is integrated over {kind.replace('_', ' ')}s; dx and ds are "
                "known, since each cell is computed by itself."
            )
        if integral.ufl_domain() != msh.ufl_domain():
            raise InputError(f"{who}: an integral is over another mesh than the space's.")
        integrand = integral.integrand()
        if not set(extract_arguments(integrand)) <= tests:
            raise InputError(
                f"{who}: the residual holds a test function of its own; take that of the unknown "
                "it is handed, as T.test."
            )
        part = _part(who, integral, unknowns, kind == "exterior_facet", found)
        part.note(integrand, who)
        about = integral.metadata()
        degree, rule = about.get("quadrature_degree"), about.get("quadrature_rule", "default")
        part.pieces.append((integrand, degree, rule))
    if not any(not p.facet for p in found.values()):
        raise InputError(f"{who}: the residual holds no integral over the cells (dx).")
    return [*found.values()]


def tests_of(parts: list[Part]) -> set[Any]:
    """Test functions that some parts of a residual hold."""
    return {v for part in parts for piece, *_ in part.pieces for v in extract_arguments(piece)}


def _part(who: str, integral: Any, unknowns: list[Unknown], facet: bool, found: dict) -> Part:
    """The part that an integral belongs to."""
    tags, data = integral.subdomain_id(), integral.subdomain_data()
    if tags == "everywhere":
        tags, data = None, None
    else:
        tags = (tags,) if isinstance(tags, int) else tuple(tags)
        data = data[0] if isinstance(data, list | tuple) and len(data) == 1 else data
        if not hasattr(data, "find"):
            raise InputError(
                f"{who}: the part {tags} of an integral needs its tags: ufl.Measure("
                f"{'ds' if facet else 'dx'!r}, domain=msh, subdomain_data=tags)."
            )
    return found.setdefault((facet, tags, id(data)), Part(unknowns, facet, tags, data))


@dataclass(frozen=True, eq=False)
class _Written:
    """What kinds of a user's residual share."""

    part: Any = None

    __eq__ = object.__eq__  # a user's residual is one of its kind
    __hash__ = object.__hash__

    @property
    def conservative(self) -> bool:
        """Whether none of its unknowns is a coordinate, along which forces do work."""
        return all(u.order < 2 for u in self.part.unknowns)

    @property
    def feeds_energy(self) -> bool | None:
        """It cannot then; else nobody knows."""
        return False if self.conservative else None

    def _names(self) -> dict[str, Any]:
        """Constants and Functions by the names of their numbers."""
        constants = {f"constant{k}": x for k, x in enumerate(self.part.constants)}
        return constants | {f"function{k}": x for k, x in enumerate(self.part.functions)}

    def _elements(self) -> dict[str, Any]:
        """Of the Functions that vary inside of a cell."""
        found = {}
        for k, f in enumerate(self.part.functions):
            if len(points_of(f.function_space)) > 1:
                found[f"function{k}"] = self._local(f.function_space)
        return found

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        varying = self._elements()
        return {
            name: (varying[name].dim,) if name in varying else tuple(x.ufl_shape)
            for name, x in self._names().items()
        }

    def _local(self, V: Any) -> Any:
        """Element of a space on a cell of the kind."""
        return V.ufl_element()

    def element(self, cell) -> Any:
        parts = [self._local(u.space) for u in self.part.unknowns]
        return basix.ufl.mixed_element(parts) if len(parts) > 1 else parts[0]

    def mapping(self, c: Any, expression: Any) -> dict[Any, Any]:
        """What stands for the terminals of an expression in the symbols of the kind."""
        found = {self.part.unknowns[0].time: c.t}
        for k, u in enumerate(self.part.unknowns):
            found |= u.present(c, k)
        for name, x in self._names().items():
            found[x] = c.distributed[name] if name in c.distributed else c.par(name)
        for q in extract_type(expression, GeometricQuantity):
            found[q] = self._geometry(c, q)
        return found

    def _geometry(self, c: Any, q: Any) -> Any:
        return c.x if isinstance(q, SpatialCoordinate) else type(q)(c.mesh)

    def written(self, c: Any, expression: Any) -> Any:
        """An expression in the symbols of the kind."""
        return ufl.replace(expression, self.mapping(c, expression))

    def residual(self, c: Any) -> Any:
        form = None
        for integrand, degree, rule in self.part.pieces:
            measure = c.dx() if degree is None else c.dx(degree, rule)
            piece = self.written(c, integrand) * measure
            form = piece if form is None else form + piece
        return form

    def update(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """Nothing changes after a step."""

    def time_to_change(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> np.ndarray:
        """Constants are read before each step; none of them ends it."""
        set_constants(self, parameters)
        return np.full(len(parameters), np.inf)


@dataclass(frozen=True, eq=False)
class FormKind(_Written, DistributedParameters, ForeseeableChange):  # type: ignore[override]
    """Cells of a field, whose law a user has written as a form.

    Attributes:
        observed: name -> unit and expression to be integrated over the cells.
    """

    called = "field"
    bulk = True

    cell: str = "triangle"
    geometry_degree: int = 1
    observed: tuple[tuple[str, str, Any], ...] = ()

    @property
    def parameters(self):  # type: ignore[override]
        return self._shapes()

    def distributed(self, cell):
        return self._elements()

    def observables(self, c):
        degree = 2 * max(u.space.element.basix_element.degree for u in self.part.unknowns) + 2
        result = {
            name: Observable({degree: self.written(c, x)}, unit, f"integral of {name}")
            for name, unit, x in self.observed
        }
        # without any, nobody would ask for the Constants
        return result or {
            "size": Observable({0: ufl.as_ufl(1.0)}, "", "size of the cell", recorded=False)
        }


@dataclass(frozen=True, eq=False)
class SurfaceFormKind(  # type: ignore[override]
    _Written, FacetKind, DistributedParameters, ForeseeableChange
):
    """The same on facets."""

    called = "field on facets"

    @property
    def own_parameters(self):
        return self._shapes()

    def distributed(self, cell):
        return self._elements()

    def _local(self, V):
        e = V.ufl_element()
        family = "Lagrange" if e.degree else "DG"
        shape = e.reference_value_shape or None
        return basix.ufl.element(family, self.cell, e.degree, shape=shape)

    def _geometry(self, c, q):
        if isinstance(q, FacetNormal):
            n = self.normal(c, deformed=False)
            return ufl.as_vector([n[k] for k in range(2 if self.plane else 3)])
        return c.x

    def observables(self, c):
        return {"size": Observable({0: ufl.as_ufl(1.0)}, "", "size", recorded=False)}


def set_constants(kind: Any, rows: np.ndarray) -> None:
    """Put the present values of the Constants of a kind into its cells' numbers."""
    for k, constant in enumerate(kind.part.constants):
        rows[:, kind.columns(f"constant{k}")] = np.ravel(constant.value)


def facet_table(cell: str, V: Any, who: str) -> np.ndarray:
    """Which nodes of a cell are those of each facet, of a space's Lagrange or DG element.

    Raises:
        InputError: of a degree above 2.
    """
    degree, nodes = V.ufl_element().degree, len(points_of(V))
    if degree == 0:
        return np.zeros((len(reference.facet_nodes(cell, 1)), 1), int)
    if degree > 2 or nodes != len(reference.lattice(cell, degree)):
        raise InputError(
            f"{who}: on facets Lagrange and DG elements of degree 0, 1 or 2 are known, not "
            f"{V.ufl_element()}."
        )
    return reference.facet_nodes(cell, degree)
