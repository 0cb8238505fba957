"""Kinds: what the cells of a component are, as UFL.

A kind gives fields, parameters, a weak form and observables in terms of symbols. Tangents are
derived from the weak form; all of it compiles to kernels once a kind, whatever its cells' numbers.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import basix.ufl
import numpy as np

from .. import _backend  # noqa: F401  (MPI first)
from .observables import KINETIC, Observable, is_energy
from .symbols import DIMENSION, Symbols

#: what is kept of a watched contact from step to step beside the kind's own ``memory``, see
#: ``timestepping.gaps``
GAP_MEMORY = ("peak", "direction", "entry", "slow")


class Kind:
    """What the cells of a component are. Subclasses are frozen dataclasses: equal kinds share
    forms.

    A new body, joint or law is one subclass: ``fields`` (or ``element``), ``parameters`` and
    ``residual``. Tangents are derived from the residual by ``ufl.derivative``.
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
    #: name -> shape of numbers that ``accept`` keeps from step to step and no form reads; zero
    #: at first unless ``pack`` is given values
    memory: dict[str, tuple[int, ...]] = {}
    #: the unknowns of a cell that are the three directors of a rigid body, if it is one
    rigid_directors: slice | None = None
    #: quadrature degree of observables, points apart
    degree: int = 6
    #: parameters that are constant loads, if the kind has them: load stepping scales them
    dead_loads: tuple[str, ...] = ("load",)
    #: observables that time stepping watches, of a contact: depth (negative while free), its rate
    #: and its acceleration; see ``timestepping.watch.Watch``
    gap: ClassVar[tuple[str, ...]] = ()
    #: with ``gap``: the force jumps where the depth passes zero
    jumps: ClassVar[bool] = False
    #: with ``gap``: the force depends on the approach speed
    hysteretic: ClassVar[bool] = False
    #: with ``gap``: it tells sticking from slipping, which may be held through a step
    modes: ClassVar[bool] = False
    #: with ``gap``, where work is done along the depth: observables that are the force, the elastic
    #: energy that the law states, and the part of both that acts, if it changes; see
    #: ``timestepping.contact_work``
    gap_force: ClassVar[str] = ""
    gap_energy: ClassVar[str] = ""
    gap_share: ClassVar[str] = ""
    #: whether its forces can raise the system's energy, as drivers' and loads' do: what can only
    #: store energy that an observable tells, or take it, says ``False``. See ``source``
    feeds_energy: ClassVar[bool | None] = None
    #: whether its forces are inertia, derivatives of the energies that its observables tell, and
    #: reactions that do no work: then the ledger (ledger.py) has nothing to count. See ``lossless``
    conservative: ClassVar[bool] = False
    #: its forces reach the bodies through another kind: a film's through its port
    transmits: ClassVar[bool] = False
    #: shapes of what ``recovered`` gives
    recovered_shapes: dict[str, tuple[int, ...]] = {}
    #: why a negative ``time_left`` ends a run
    stopped: str = "a law has come to its end"

    @property
    def label(self) -> str:
        """Name for log lines."""
        return type(self).__name__

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

    def distributed(self, cell) -> dict[str, Any]:
        """Parameters that are a field on the cell: name -> its element, whose degrees of freedom
        the parameter holds. Forms read them as ``c.distributed[name]``."""
        return {"reference": self.element(cell)} if "reference" in self.parameters else {}

    def coupled(self) -> np.ndarray | None:
        """Which entries of a cell's tangent can differ from zero, (dofs, dofs), where that keeps
        the matrix sparse; ``None``: all."""
        return None

    def residual(self, c: Symbols):
        """The weak form, linear in ``c.test``; ``None`` if the kind only observes."""
        return None

    def observables(self, c: Symbols) -> dict[str, Observable]:
        """Scalars of a cell that can be recorded or that the kind's own ``accept`` needs."""
        return {}

    def recovered(self, c: Symbols) -> dict[str, Any]:
        """Expressions that can be recovered at points of the cells for pictures, by name."""
        return {}

    def simpler(self) -> tuple[Kind, Any, Any] | None:
        """A kind of fewer unknowns and parameters that are combinations of this one's, if there is
        one: forms are derived for it and combined afterwards, which compiles far faster.

        Returns:
            The kind, its unknowns as a vector of this one's ((symbols, state) -> UFL vector), and
            its parameters likewise (symbols -> UFL vector).
        """
        return None

    def accept(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """Update the cells' parameters after an accepted step.

        Args:
            parameters: of this rank's cells, in place, cells x width; see ``column``.
            observed: values of ``observables`` at the end of the step, (cells,) each.
        """

    def time_left(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> np.ndarray:
        """Time until each cell's law changes, s, where that can be foreseen: a step ends there,
        ``accept`` changes the law, and the next step begins anew. A negative time ends the run."""
        return np.full(len(parameters), np.inf)

    def late(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> np.ndarray:
        """With ``time_left``: how long before the end of a step each cell's law should have
        changed, s, where that could not be foreseen (what moves has turned back); 0 where it should
        not. The step is repeated, shorter, until it ends there."""
        return np.zeros(len(parameters))

    def strays(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> bool:
        """Whether a step that is about to be accepted moved further than the parameters are good
        for; it is then repeated, shorter."""
        return False

    def overrides(self, method: str) -> bool:
        """Whether the kind has a method of its own in place of one above."""
        return getattr(type(self), method) is not getattr(Kind, method)

    @property
    def acts(self) -> bool:
        """Whether time stepping needs the observables after each step, recorded or not."""
        return self.overrides("accept") or bool(self.gap)

    @property
    def source(self) -> bool | None:
        """Whether its forces can raise the system's energy; ``None`` if nobody says so."""
        return self._declared("feeds_energy")

    @property
    def lossless(self) -> bool:
        """Whether its forces are known to keep the energy that it tells."""
        return bool(self._declared("conservative"))

    def by_difference(self, observables: dict[str, Observable]) -> bool:
        """Whether the ledger takes what it gains of stored energy from the work of all its forces:
        of laws that change as they act (worn surfaces, anchors, segments of a mesh), whose energy
        changes with them, and where another kind's forces do the work."""
        totals = {o.total for o in observables.values()}
        changes = self.acts or self.transmits or self.source is not False
        return changes and KINETIC not in totals and any(map(is_energy, totals))

    def _declared(self, name: str) -> Any:
        """An attribute that speaks of the residual, ``None`` if nobody gives it: what a base says
        of its own does not hold for another ``residual``."""
        for one in type(self).__mro__:
            if name in vars(one):
                return getattr(self, name)
            if "residual" in vars(one):
                break
        return None

    # --- a cell's numbers -----------------------------------------------------------------------
    @property
    def history(self) -> dict[str, tuple[int, ...]]:
        """What is kept of a cell from step to step and no form reads: ``memory``, and that of a
        watched contact."""
        return {**self.memory, **dict.fromkeys(GAP_MEMORY if self.gap else (), ())}

    @cached_property
    def cell_layout(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Columns and shape of each of a cell's numbers: parameters, then memory."""
        result, at = {}, 0
        for name, shape in {**self.parameters, **self.history}.items():
            size = int(np.prod(shape, dtype=int))
            result[name] = slice(at, at + size), shape
            at += size
        return result

    def columns(self, name: str) -> slice:
        """Columns of a parameter or memory in a cell's row."""
        return self.cell_layout[name][0]

    def column(self, rows: np.ndarray, name: str) -> np.ndarray:
        """View of a parameter or memory of all cells: (cells,), or (cells, size) if it has a
        shape."""
        columns, shape = self.cell_layout[name]
        return rows[:, columns] if shape else rows[:, columns.start]

    @property
    def read(self) -> int:
        """Numbers of a cell that forms read."""
        return sum(int(np.prod(s, dtype=int)) for s in self.parameters.values())

    @property
    def width(self) -> int:
        """Numbers of a cell in the state: parameters, then memory."""
        return self.read + sum(int(np.prod(s, dtype=int)) for s in self.history.values())

    def pack(self, **values) -> np.ndarray:
        """A cell's parameters (and memory) as one row."""
        values = {**dict.fromkeys(self.history, 0.0), **values}
        wanted = {**self.parameters, **self.history}
        if set(values) != set(wanted):
            raise KeyError(f"{self.label}: parameters {set(values) ^ set(wanted)}")
        return np.concatenate(
            [np.ravel(np.broadcast_to(values[k], s)) for k, s in wanted.items()] or [np.zeros(0)]
        ).astype(float)
