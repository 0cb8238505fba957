"""Work of contacts on the bodies between onset and loss, over accepted steps.

With the normal force F and the penetration d of a contact (0 while free)::

    W = sum (F_0 + F_1)/2 (d_1 - d_0)

whether or not its law states an elastic energy. Where only a part s of the law's force acts, and s
changes (a journal that slides out of its bearing), e ds is added with the stated energy e divided
by s: the work of the axial force that goes with it.

From the onset of a contact to its loss W cannot be negative: the contact returns what it has
stored, and the rest is dissipated. Steps that are too long do supply energy. Its amount is compared
with the largest W in between, the work of compression, which is the kinetic energy of the approach,
so that the masses of the bodies need not be known. Contacts that are closed when the run begins are
not judged, nor are those that never exceed their least approach speed (``approach_floor``), which
time stepping does not resolve either.

A step is counted by ``fc_touches_count`` of ``core/compiled/work.c``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.mixins import has_gap

if TYPE_CHECKING:
    from ..core.component import Component
    from ..core.observation import Channels

#: numbers that are kept of a contact: penetration, force, share and energy divided by the share at
#: the last accepted step; of the present touch its work so far, the largest of it (compression) and
#: the fastest rate; of the touch that supplied most in proportion: work divided by compression (not
#: positive), both in J, time of its end
KEPT = ("depth", "force", "share", "density", "work", "compression", "speed",
        "worst", "given", "compressed", "time")  # fmt: skip


class Gain(NamedTuple):
    """A touch that supplied energy to the bodies."""

    owner: str
    time: float  # of its end, s
    given: float  # J
    compression: float  # J

    @property
    def ratio(self) -> float:
        """Energy that it supplied, divided by the work of its compression."""
        return self.given / self.compression if self.compression > 0 else np.inf


class Touches:
    """The contacts of one component on this rank.

    Attributes:
        component: whose cells they are.
        kept: ``KEPT`` of each contact.
    """

    def __init__(self, component: Component, observed: np.ndarray, parameters: np.ndarray):
        kind, names = component.kind, list(component.observables)
        assert has_gap(kind)
        self.component, self.kept = component, np.zeros((component.count, len(KEPT)))

        def column(name: str) -> Any:
            return observed[:, names.index(name)] if name in names else None

        self.depth, self.rate, self.force, self.energy, self.share = map(
            column, (*kind.gap[:2], kind.gap_force, kind.gap_energy, kind.gap_share)
        )
        self.floor = kind.column(parameters, "floor")

    def show(self, entry, ffi) -> None:
        """Fill the compiled function's entry (``fc_touches`` of work.h)."""
        entry.count = len(self.kept)
        for name in ("depth", "rate", "force", "energy", "share", "floor"):
            array = getattr(self, name)
            address = 0 if array is None else array.ctypes.data
            setattr(entry, name, ffi.cast("double *", address))
        entry.observables, entry.parameters = (
            z.strides[0] // z.itemsize for z in (self.depth, self.floor)
        )
        entry.kept = ffi.cast("double *", self.kept.ctypes.data)


class ContactWork:
    """Counts the work of all contacts whose kinds name their force (``ContactGap.gap_force``).

    Attributes:
        contacts: those of each component, the same components on every rank.
    """

    def __init__(self, channels: Channels):
        self.comm, state = channels.state.comm, channels.state
        self.contacts = [
            Touches(state.components[k], channels.observed[position], state.parameters[k])
            for position, k in enumerate(state.problem.observers)
            if counted(state.components[k])
        ]
        self.any = bool(self.contacts)
        ffi, self._lib = state.problem.module.ffi, state.problem.module.lib
        self.table = ffi.new("fc_touches[]", len(self.contacts))
        for entry, contacts in zip(self.table, self.contacts, strict=True):
            contacts.show(entry, ffi)

    def begin(self) -> None:
        """Note the present state, just observed, as the start of a run."""
        if not self.any:
            return
        self.count(0.0)
        for contacts in self.contacts:
            _, _, _, _, work, compression, speed, *_ = contacts.kept.T
            work[:], speed[:] = 0.0, 0.0
            compression[:] = np.where(contacts.kept[:, 0] > 0, np.inf, 0.0)

    def count(self, t: float) -> None:
        """Count the step that has just been accepted and observed; it ended at ``t``."""
        self._lib.fc_touches_count(self.table, len(self.contacts), t)

    def worst(self) -> Gain | None:
        """The touch so far that supplied most energy in proportion to its compression;
        collective."""
        found = []
        for contacts in self.contacts:
            ratios = contacts.kept[:, KEPT.index("worst")]
            if len(ratios) and ratios.min() < 0:
                k, component = int(np.argmin(ratios)), contacts.component
                *_, given, compressed, time = map(float, contacts.kept[k])
                owner = component.owners[component.owner[k]]
                found.append(Gain(owner, time, given, compressed))
        if self.any and self.comm.size > 1:
            found = sum(self.comm.allgather(found), [])
        return max(found, key=lambda gain: gain.ratio, default=None)


def counted(component: Component) -> bool:
    """Whether the work of a component's cells is counted."""
    kind = component.kind
    return has_gap(kind) and kind.gap_force in component.observables
