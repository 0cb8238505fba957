"""Kinds: what the cells of a component are, as UFL.

A kind gives fields, parameters, a weak form and observables in terms of symbols. Tangents are
derived from the weak form; all of it compiles to kernels once a kind, whatever its cells' numbers.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import basix.ufl
import numpy as np

from .. import (
    _backend,  # noqa: F401  (MPI first)
    checks,
)
from ..errors import InputError
from .observables import Observable
from .symbols import DIMENSION, Symbols

#: method or attribute -> the mixin (mixins.py) without which nobody looks at it
HOOKS: dict[str, type] = {}
#: what hooks were called before -> what they are called now
RENAMED = {
    "accept": "update", "strays": "exceeds_validity", "time_left": "time_to_change",
    "memory": "history", "coupled": "sparsity", "jumps": "discontinuous",
    "stopped": "why_stopped",
}  # fmt: skip


class Kind:
    """What the cells of a component are. Subclasses are frozen dataclasses: equal kinds share
    forms.

    A new body, joint or law is one subclass: ``fields`` (or ``element``), ``parameters`` and
    ``residual``. Tangents are derived from the residual by ``ufl.derivative``. What some kinds do
    beside that, they say by a mixin (mixins.py).
    """

    #: ``"point"``, ``"interval"``, ``"triangle"``, ``"quadrilateral"``, ``"tetrahedron"`` or
    #: ``"hexahedron"``
    cell: str = "point"
    #: degree of the cell's geometry (edges are straight or parabolas), points apart
    geometry_degree: int = 1
    #: coordinates of a node, where they are more than the cell's own dimension: on a surface
    space_dimension: int | None = None
    #: cells fill a volume or surface: their matrix needs a fill-reducing order
    bulk: bool = False
    #: name -> shape of the numbers each cell carries in the state
    parameters: dict[str, tuple[int, ...]] = {}
    #: name -> shape of numbers that are kept from step to step and no form reads; zero at first
    #: unless ``pack`` is given values
    history: dict[str, tuple[int, ...]] = {}
    #: parameters that describe nothing of the model, as signs or factors of one: derivatives with
    #: respect to all numbers leave them out
    conventions: tuple[str, ...] = ()
    #: quadrature degree of observables, points apart
    degree: int = 6
    #: parameters that are constant loads, if the kind has them: load stepping scales them
    dead_loads: tuple[str, ...] = ("load",)
    #: whether its forces can raise the system's energy, as drivers' and loads' do: what can only
    #: store energy that an observable tells, or take it, says ``False``; ``None``: nobody says so.
    #: It speaks of the residual, and does not hold for that of a subclass
    feeds_energy: bool | None = None
    #: whether its forces are inertia, derivatives of the energies that its observables tell, and
    #: reactions that do no work: then the ledger (ledger.py) has nothing to count. Of the residual
    #: alone, too
    conservative: bool = False
    #: what it is, in the words of messages
    called: ClassVar[str] = ""
    #: its forces reach the bodies through another kind: a film's through its port
    transmits: ClassVar[bool] = False

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for name in vars(cls):
            if name in RENAMED:
                raise TypeError(f"{cls.__name__}.{name} is called {RENAMED[name]} now")
            if name in HOOKS and not issubclass(cls, HOOKS[name]):
                base = HOOKS[name].__name__
                raise TypeError(
                    f"{cls.__name__}.{name}: only kinds with the mixin {base} have it; write class "
                    f"{cls.__name__}(..., {base})"
                )
        if "residual" in vars(cls):  # what a base says of its own does not hold for another
            for name in ("feeds_energy", "conservative"):
                if name not in vars(cls):
                    setattr(cls, name, getattr(Kind, name))

    @property
    def label(self) -> str:
        """What it is, in messages: ``called``, or a user's class by its name."""
        return self.called or type(self).__name__

    @property
    def geometric_dimension(self) -> int:
        """Coordinates of a node of the mesh of the cells."""
        return self.space_dimension or (3 if self.cell == "point" else DIMENSION[self.cell])

    def fields(self) -> dict[str, tuple[int, ...]]:
        """Name -> shape of the fields of a point kind."""
        raise TypeError(f"{type(self).__name__} defines neither fields() nor element()")

    def element(self, cell):
        """The (mixed) finite element; by default one degree-0 block per field."""
        blocks = [basix.ufl.element("DG", cell, 0, shape=s) for s in self.fields().values()]
        return blocks[0] if len(blocks) == 1 else basix.ufl.mixed_element(blocks)

    def residual(self, c: Symbols):
        """The weak form, linear in ``c.test``; ``None`` if the kind only observes."""
        return None

    def observables(self, c: Symbols) -> dict[str, Observable]:
        """Scalars of a cell that can be recorded or that the kind's own ``update`` needs."""
        return {}

    # --- a cell's numbers -----------------------------------------------------------------------
    @property
    def whole_history(self) -> dict[str, tuple[int, ...]]:
        """All that is kept of a cell from step to step and no form reads."""
        return self.history

    @cached_property
    def cell_layout(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Columns and shape of each of a cell's numbers: parameters, then history."""
        result, at = {}, 0
        for name, shape in {**self.parameters, **self.whole_history}.items():
            size = int(np.prod(shape, dtype=int))
            result[name] = slice(at, at + size), shape
            at += size
        return result

    def columns(self, name: str) -> slice:
        """Columns of a parameter or of the history in a cell's row."""
        if name not in self.cell_layout:
            near, known = checks.suggestion(name, self.cell_layout), checks.some(self.cell_layout)
            raise InputError(f"{self.label}: no parameter {name!r}{near}; it has {known}.")
        return self.cell_layout[name][0]

    def column(self, rows: np.ndarray, name: str) -> np.ndarray:
        """View of a parameter or of the history of all cells: (cells,), or (cells, size) where it
        has a shape."""
        columns, shape = self.cell_layout[name]
        return rows[:, columns] if shape else rows[:, columns.start]

    @cached_property
    def read(self) -> int:
        """Numbers of a cell that forms read."""
        return sum(int(np.prod(s, dtype=int)) for s in self.parameters.values())

    @cached_property
    def width(self) -> int:
        """Numbers of a cell in the state: parameters, then history."""
        return self.read + sum(int(np.prod(s, dtype=int)) for s in self.whole_history.values())

    def pack(self, **values) -> np.ndarray:
        """A cell's parameters (and history) as one row."""
        values = {**dict.fromkeys(self.whole_history, 0.0), **values}
        wanted = {**self.parameters, **self.whole_history}
        if set(values) != set(wanted):
            missing, unknown = (
                checks.some(sorted(z)) or "none"
                for z in (set(wanted) - set(values), set(values) - set(wanted))
            )
            raise InputError(
                f"{self.label}: values must be given for all of its parameters and no others; "
                f"missing: {missing}; unknown: {unknown}."
            )
        return np.concatenate(
            [np.ravel(np.broadcast_to(values[k], s)) for k, s in wanted.items()] or [np.zeros(0)]
        ).astype(float)
