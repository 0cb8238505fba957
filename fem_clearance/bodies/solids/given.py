"""DOLFINx Functions in place of numbers or vectors of a solid or its loads."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import basix.ufl
import numpy as np
import ufl

from ...core.mixins import DistributedParameters
from ...errors import InputError
from ...meshes import cells as reference
from ...meshes.mesh import Mesh
from ..given import is_function


@dataclass(frozen=True)
class TakesFunctions(DistributedParameters):
    """Mixin of a kind some of whose numbers vary within a cell.

    Attributes:
        given: name and element of each of these; all others are numbers of the cell.
    """

    given: tuple[tuple[str, Any], ...] = field(default=(), kw_only=True)

    @property
    def given_shapes(self) -> dict[str, tuple[int, ...]]:
        """Their shapes among the kind's parameters."""
        return {name: (element.dim,) for name, element in self.given}

    def distributed(self, cell) -> dict[str, Any]:
        return dict(self.given)

    def number(self, c, name: str):
        """A number of the cell in a form, whether it varies or not."""
        return c.distributed[name] if name in c.distributed else c.par(name)

    def space_vector(self, c, name: str):
        """The same of a vector, with three components."""
        vector: Any = self.number(c, name)
        zeros = [0.0] * (3 - len(vector))
        return ufl.as_vector([*(vector[k] for k in range(len(vector))), *zeros])


class Values:
    """Numbers of an item's cells, some of them given by Functions, which may change.

    Args:
        mesh: whose cells they are.
        who: for messages.
        read: returns the numbers, name -> value. Its argument is a function that replaces a
            Function by its values, (cells, nodes) or (cells, nodes, components), and returns
            everything else as it is.
    """

    def __init__(self, mesh: Mesh, who: str, read: Callable[[Callable], Mapping[str, Any]]):
        self.mesh, self.who, self._read = mesh, who, read
        #: elements by their nodes and components
        self._elements: dict[tuple[int, ...], Any] = {}
        self.varies = False
        self._numbers = self._all()
        #: see ``TakesFunctions``
        self.given = tuple(
            (name, self._elements[np.shape(value)[1:]])
            for name, value in self._numbers.items()
            if np.ndim(value) > 1 and np.shape(value)[1] > 1
        )

    def _values(self, value: Any) -> Any:
        if not is_function(value):
            return value
        self.varies = True
        element, values = self.mesh.nodal(value, self.who)
        scalar = not element.reference_value_shape
        shape = values.shape[1:2] if scalar else values.shape[1:]
        self._elements[shape] = element
        return values[..., 0] if scalar else values

    def _all(self) -> dict[str, Any]:
        return dict(self._read(self._values))

    def _own(self, value: Any) -> Any:
        """Values of this rank's own cells."""
        return value[self.mesh.own] if np.ndim(value) > 1 else value

    def rows(self) -> dict[str, np.ndarray]:
        """One number or row for all cells, or a row for each, (cells, numbers), by name."""
        return {
            name: np.reshape(own, (len(own), -1)) if np.ndim(own := self._own(value)) > 1 else value
            for name, value in self._numbers.items()
        }

    def varying(self) -> dict[str, np.ndarray]:
        """Present rows of what varies from cell to cell; collective."""
        self._numbers = self._all()
        return {n: z for n, z in self.rows().items() if np.ndim(z) > 1}


def packed(kind: Any, count: int, rows: Mapping[str, Any]) -> np.ndarray:
    """Numbers of cells of a kind, one row for all or (count, width)."""
    single = {n: (0.0 if np.ndim(z) > 1 else z) for n, z in rows.items()}
    numbers = kind.pack(**single)
    several = {n: z for n, z in rows.items() if np.ndim(z) > 1}
    if several:
        numbers = np.tile(numbers, (count, 1))
        for name, row in several.items():
            numbers[:, kind.columns(name)] = row
    return numbers


def in_space(values: np.ndarray) -> np.ndarray:
    """Vectors of two components with the third, (..., 3); scalars as they are."""
    return np.pad(values, ((0, 0), (0, 0), (0, 1))) if values.shape[-1] == 2 else values


def in_numbers(material: Any, values: Callable) -> Any:
    """A copy of a material whose Functions are arrays of their values."""
    twin = copy.copy(material)
    for name, value in vars(material).items():
        if is_function(value):
            object.__setattr__(twin, name, values(value))
    return twin


def on_facets(mesh: Mesh, facets: np.ndarray, f: Any, who: str) -> tuple[Any, np.ndarray]:
    """A Function on facets of its cells: Basix element of a facet (``None``: a number each), and
    values at the facets' nodes, (facets, nodes, components); collective.

    Raises:
        InputError: a space that has no trace with the facets' nodes.
    """
    element, values = mesh.nodal(f, who)
    degree = element.degree
    if degree == 0:
        return None, values[facets[:, 0]]
    if degree > 2 or values.shape[1] != len(reference.lattice(mesh.cell, degree)):
        raise InputError(
            f"{who}: the Function {f.name!r} is of {element}; on facets Lagrange and DG elements "
            "of degree 0, 1 or 2 are taken: interpolate it into one of these."
        )
    nodes = reference.facet_nodes(mesh.cell, degree)[facets[:, 1]]
    shape = element.reference_value_shape
    small = basix.ufl.element("Lagrange", reference.FACET[mesh.cell], degree, shape=shape or None)
    return small, values[facets[:, :1], nodes]
