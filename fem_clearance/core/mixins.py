"""Abilities of kinds beyond their residual, each a base class in addition to ``Kind``.

    class RodContactKind(PairKind, ContactGap): ...

Code that needs such an ability tests for it with ``isinstance``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, TypeGuard

import numpy as np

from .kind import HOOKS, Kind
from .observables import KINETIC, Observable, is_energy
from .symbols import DistributedParameters, SimplerForm, Symbols

__all__ = [
    "ContactGap", "DistributedParameters", "ForeseeableChange", "LimitedValidity",
    "PassedInterval", "RecoveredFields", "RestrictedSparsity", "RigidDirectors", "SimplerForm",
    "SmallDistance", "SteadyParameters", "UpdatesParameters", "by_difference", "has_gap",
    "seen_each_step",
]  # fmt: skip

#: what is kept of a watched contact from step to step beside the kind's own history, see
#: ``timestepping.gaps``
GAP_HISTORY = ("peak", "direction", "entry", "slow")


class UpdatesParameters(Kind):
    """A kind whose parameters change after each accepted step.

    Attributes:
        before_start: whether forces at the start of a run need ``update`` at the start's state.
        remembers: whether forces follow what ``update`` writes; not those of counters of turns and
            of warnings, by which derivatives of runs (``Sensitivity``) need not be followed.
        cellwise: whether ``update`` is a piecewise smooth function of the numbers and observables
            of the same cell, and these are few but for ``profiles``: derivatives of runs are then
            available.
        profiles: names of numbers with many entries, all of one shape, most of which act on the
            entries at the same place of these numbers alone.
        largest_of: names of numbers that ``update`` sets to the largest entry of another number of
            the cell -> name of that number.

    Example::

        @dataclass(frozen=True)
        class FarthestKind(extend.PairKind, extend.UpdatesParameters):
            own_parameters = {"farthest": ()}
            remembers = False  # no force depends on it

            def observables(self, c):
                i, j = self.poses(c)
                distance = ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r))
                farthest = extend.Observable(c.par("farthest"), "m", "largest distance so far")
                return {"farthest": farthest} | extend.internal({"distance": distance})

            def update(self, parameters, observed):
                farthest = self.column(parameters, "farthest")
                np.maximum(farthest, observed["distance"], out=farthest)
    """

    before_start: ClassVar[bool] = False
    remembers: ClassVar[bool] = True
    cellwise: ClassVar[bool] = False
    profiles: ClassVar[tuple[str, ...]] = ()
    largest_of: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        updates = "update" in vars(cls) or "copied" in vars(cls)
        for name in ("remembers", "cellwise") if updates else ():
            if name not in vars(cls):  # what a base says of its own does not hold for another
                setattr(cls, name, getattr(UpdatesParameters, name))

    def update(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """Update the cells' parameters after an accepted step.

        Args:
            parameters: of this rank's cells, in place, cells x width; see ``column``.
            observed: values of ``observables`` at the end of the step, (cells,) each.
        """
        raise NotImplementedError(f"{self.label} must define update()")


class SteadyParameters(UpdatesParameters):
    """A kind whose ``update`` copies observables into parameters, and does more only where an
    observable comes to an end of its interval: many steps need no Python then.

    A subclass that defines ``update`` itself, in addition to this one, is called after each step.

    Attributes:
        copied: name of a parameter or of the history -> observables that its entries are set to, in
            turn; ``None`` for an entry that stays.
        watched: the observable with an interval; empty: none has one.
    """

    copied: ClassVar[dict[str, tuple[str | None, ...]]] = {}
    watched: ClassVar[str] = ""

    @staticmethod
    def holds(kind: Kind) -> TypeGuard[SteadyParameters]:
        """Whether a kind does no more than this after a step."""
        own = getattr(type(kind), "update", None)
        return isinstance(kind, SteadyParameters) and own is SteadyParameters.update

    @cached_property
    def copies(self) -> dict[int, str]:
        """Column of a cell's number -> observable that it is set to."""
        return {
            self.columns(name).start + k: seen
            for name, entries in self.copied.items()
            for k, seen in enumerate(entries)
            if seen is not None
        }

    def interval(self, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ends of the interval of ``watched``, (cells,) each."""
        raise NotImplementedError(f"{self.label} must define interval()")

    def near(self, parameters: np.ndarray) -> Any:
        """How near to an end counts as there, a number or (cells,)."""
        return 0.0

    def change(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> None:
        """What ``update`` does where ``watched`` has come to an end of its interval; nothing, if it
        has not. Arguments: see ``update``."""

    def update(self, parameters, observed):
        for column, seen in self.copies.items():
            parameters[:, column] = observed[seen]
        if not self.watched:
            return
        (low, high), near = self.interval(parameters), self.near(parameters)
        x = observed[self.watched]
        if not np.all((x > low + near) & (x < high - near)):
            self.change(parameters, observed)


class LimitedValidity(Kind):
    """A kind whose parameters are valid only near the last accepted state.

    Attributes:
        describes_state: whether ``update`` writes numbers that depend only on the present state
            (which facets face each other), so that an equilibrium must agree with them.
        why_exceeded: why a run ends where even the smallest step is too long, with a remedy.

    Example::

        @dataclass(frozen=True)
        class NearKind(extend.PairKind, extend.UpdatesParameters, extend.LimitedValidity):
            own_parameters = {"distance": ()}  # at the start of the step, m

            def observables(self, c):
                i, j = self.poses(c)
                return extend.internal({"now": ufl.sqrt(ufl.dot(j.r - i.r, j.r - i.r))})

            def update(self, parameters, observed):
                self.column(parameters, "distance")[:] = observed["now"]

            def exceeds_validity(self, parameters, observed):
                moved = abs(observed["now"] - self.column(parameters, "distance"))
                return bool(np.any(moved > 1e-3))  # m in a step
    """

    describes_state: ClassVar[bool] = False
    why_exceeded: str = "surfaces move too far in a step; give a smaller dt"

    def exceeds_validity(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> bool:
        """Whether a step that is about to be accepted moved further than the parameters are valid
        for; it is then repeated with a shorter length. Arguments: see
        ``UpdatesParameters.update``."""
        raise NotImplementedError(f"{self.label} must define exceeds_validity()")


class ForeseeableChange(UpdatesParameters):
    """A kind whose law changes at times that can be foreseen: steps end there.

    Attributes:
        why_stopped: why a negative time ends a run.
    """

    why_stopped: str = "a law has come to its end"

    def time_to_change(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> np.ndarray:
        """Time until each cell's law changes, s, (cells,): a step ends there, ``update`` changes
        the law, and the next step begins anew. A negative time ends the run."""
        raise NotImplementedError(f"{self.label} must define time_to_change()")

    def late(self, parameters: np.ndarray, observed: dict[str, np.ndarray]) -> np.ndarray:
        """How long before the end of a step each cell's law should have changed, s, where that
        could not be foreseen (what moves has turned back); 0 where it should not. The step is
        repeated, shorter, until it ends there."""
        return np.zeros(len(parameters))

    def select(self, parameters: np.ndarray) -> None:
        """Take the law in force from those that each cell's parameters list, in place, where they
        do: after ``update``, and in models close by, whose lists have other numbers."""


class PassedInterval(SteadyParameters, ForeseeableChange):
    """A kind whose law changes where ``watched`` leaves its interval.

    Attributes:
        rate: the observable that is the rate of ``watched``.
        late_beyond: how far outside a step should have ended before; infinite where motions that
            turn back change no law unforeseen.
    """

    rate: ClassVar[str] = ""
    late_beyond: ClassVar[float] = np.inf

    def time_to_change(self, parameters, observed):
        """Time until each cell leaves its interval at its present rate, s; infinite at rest, and
        outside."""
        low, high = self.interval(parameters)
        x, rate = observed[self.watched], observed[self.rate]
        ahead = np.where(rate > 0, high - x, x - low)
        coming = (rate != 0) & (ahead > 0)
        return np.where(coming, ahead / np.where(coming, np.abs(rate), 1.0), np.inf)

    def late(self, parameters, observed):
        (low, high), x = self.interval(parameters), observed[self.watched]
        beyond, speed = np.maximum(x - high, low - x), np.abs(observed[self.rate])
        late = beyond > self.late_beyond
        return np.where(late, beyond / np.maximum(speed, 1e-300), 0.0)


class SmallDistance(Kind):
    """A kind whose forces follow the rates of distances that are small beside the ways of the
    bodies, as those of a film's gap. In systems with some, forces see directors that turn within a
    step at the rates that agree with other bodies' positions (``timestepping.rows.turned``), which
    are off by the square of the angle; without any, at the exact ones."""


class ContactGap(Kind):
    """A kind whose cells come into contact and separate, which time stepping detects.

    Its parameters hold those named ``WATCHED``, which ``watched`` gives values at the start
    (``timestepping.gaps``).

    Attributes:
        gap: names of the observables that are the depth (negative while free), its rate and its
            acceleration; empty: there is no contact to detect.
        discontinuous: the force jumps where the depth passes zero.
        hysteretic: the force depends on the approach speed.
        has_stick_modes: it tells sticking from slipping, which may be held through a step.
        gap_force, gap_energy, gap_share: where work is done along the depth, the observables that
            are the force, the elastic energy that the law states, and the part of both that acts,
            if it changes; see ``timestepping.contact_work``.
    """

    gap: ClassVar[tuple[str, ...]] = ()
    discontinuous: ClassVar[bool] = False
    hysteretic: ClassVar[bool] = False
    has_stick_modes: ClassVar[bool] = False
    gap_force: ClassVar[str] = ""
    gap_energy: ClassVar[str] = ""
    gap_share: ClassVar[str] = ""

    @property
    def whole_history(self) -> dict[str, tuple[int, ...]]:
        return super().whole_history | dict.fromkeys(GAP_HISTORY if self.gap else (), ())


class RestrictedSparsity(Kind):
    """A kind of whose unknowns only few are coupled, which keeps the matrix sparse.

    Example::

        @dataclass(frozen=True)
        class SpringsKind(extend.RestrictedSparsity):
            parameters = {"stiffness": (2,)}

            def fields(self):
                return {"x": (2,)}

            def residual(self, c):
                k = c.par("stiffness")
                return (k[0] * c.q[0] * c.test[0] + k[1] * c.q[1] * c.test[1]) * c.dx()

            def sparsity(self):
                return np.eye(2, dtype=bool)  # each unknown is coupled with itself only
    """

    def sparsity(self) -> np.ndarray:
        """Which entries of a cell's tangent can differ from zero, (dofs, dofs)."""
        raise NotImplementedError(f"{self.label} must define sparsity()")


class RecoveredFields(Kind):
    """A kind with fields that can be evaluated for pictures.

    Attributes:
        recovered_shapes: name -> shape of what ``recovered`` gives.

    Example::

        @dataclass(frozen=True)
        class RodKind(extend.RecoveredFields):
            cell = "interval"
            recovered_shapes = {"strain": ()}

            def element(self, cell):
                return basix.ufl.element("P", cell, 1)

            def recovered(self, c):
                return {"strain": c.q.dx(0)}
    """

    recovered_shapes: dict[str, tuple[int, ...]] = {}

    def recovered(self, c: Symbols) -> dict[str, Any]:
        """Expressions that can be recovered at points of the cells, by name."""
        raise NotImplementedError(f"{self.label} must define recovered()")


class RigidDirectors(Kind):
    """A kind whose cells are rigid bodies.

    Attributes:
        rigid_directors: the unknowns of a cell that are its three directors.

    Example::

        @dataclass(frozen=True)
        class TriadKind(extend.RigidDirectors):
            rigid_directors = slice(3, 12)  # after the origin

            def fields(self):
                return {"frame": (12,)}
    """

    rigid_directors: ClassVar[slice]


HOOKS |= {
    "update": UpdatesParameters, "exceeds_validity": LimitedValidity,
    "time_to_change": ForeseeableChange, "gap": ContactGap, "gap_force": ContactGap,
    "sparsity": RestrictedSparsity, "recovered": RecoveredFields,
    "distributed": DistributedParameters, "simpler": SimplerForm,
    "rigid_directors": RigidDirectors,
}  # fmt: skip


def has_gap(kind: Kind) -> TypeGuard[ContactGap]:
    """Whether time stepping watches the contacts of a kind."""
    return isinstance(kind, ContactGap) and bool(kind.gap)


def seen_each_step(kind: Kind) -> bool:
    """Whether time stepping needs the observables after each step, recorded or not."""
    return isinstance(kind, UpdatesParameters) or has_gap(kind)


def by_difference(kind: Kind, observables: dict[str, Observable]) -> bool:
    """Whether the ledger takes what a kind gains of stored energy from the work of all its forces:
    of laws that change as they act (worn surfaces, anchors, segments of a mesh), whose energy
    changes with them, and where another kind's forces do the work."""
    totals = {o.total for o in observables.values()}
    changes = seen_each_step(kind) or kind.transmits or kind.feeds_energy is not False
    return changes and KINETIC not in totals and any(map(is_energy, totals))
