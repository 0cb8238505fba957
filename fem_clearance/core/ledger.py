"""The ledger of energy: what forces take from the motion, counted over accepted steps.

With a component's generalised forces f (its residual) along the coordinates q, the work

    W = sum (f_0 + f_1)/2 . (q_1 - q_0)

over the steps is what the motion loses to it: the trapezoidal rule, of second order as the
integrators are. No kind has to write down what it dissipates. Of a kind whose ``feeds_energy`` is
``False`` W less the gain of the energies that its observables tell is dissipated; of any other W,
less that gain, has been fed with the opposite sign. What is lossless (``Kind.conservative``) is not
counted: bodies' inertia and elasticity, and reactions of ideal joints.

A contact's forces act along the part of a step in which it touches, ``f_1/2 . (q_1 - q_0)`` times
that part where it begins (f_1 where the force jumps): steps far too long, whose contacts give
energy, are found out so.

Where laws change as they act (``mixins.by_difference``) the energy's gain is the difference of what
is stored; of all others the energies' derivatives are left out of f (``Symbols.lost``), so that
what conserves energy dissipates exactly nothing.

Some power passes through a component beside the work of its forces, ``PASSING`` totals of
observables: what supplies feed a film, which turns it into heat, and what gears, which the error of
their teeth drives, lose. It counts as fed and as dissipated.

Velocities that are put on the constraints again, where the step changes (``VelocityConstraints``),
gain or lose kinetic energy of the order of the error of time stepping; that is counted apart.

Then stored + dissipated - fed stays what it was at the start but for the error of time stepping:
the bodies' energies are told by the state alone, while W is counted.

The sum of a step is ``fc_count_work`` of ``compiled/work.c``.
"""

from __future__ import annotations

import numpy as np

from .accounts import ACCOUNTS, COUNTED, FED, LOST, PASSING, SHARES, account
from .compiled.shared import pointer
from .component import Component
from .mixins import ContactGap, has_gap
from .observation import Channels


class Ledger:
    """Counts the work of all components that may change the energy of a system.

    Attributes:
        totals: ``ACCOUNTS`` of this rank so far, J.
        offsets: what the channels that it counts begin with on this rank, J.
        work: of each counted component the work of its cells so far, J.
    """

    def __init__(self, channels: Channels):
        self.state, self.channels = channels.state, channels
        state, self.totals = channels.state, np.zeros(len(ACCOUNTS))
        here = [bool(state.problem.moving[z].any()) for z in state.problem.local_unknowns]
        moved = np.any(state.comm.allgather(here), axis=0)  # the same components on every rank
        counted = [k for k, c in enumerate(state.components) if c.work is not None and moved[k]]
        self.components = [state.components[k] for k in counted]
        self.accounts = [account(c) for c in self.components]
        self.base = channels.base[channels.counted]
        if not len(self.base):
            self.base = np.zeros(len(COUNTED))  # of a system that tells no energy
        self.offsets = np.zeros(len(self.base))
        self.forces = state.problem.batches("work", counted, lambda c: c.dofs)
        self.unknowns = [
            np.ascontiguousarray(state.problem.local_unknowns[k], np.int32) for k in counted
        ]
        self.before = [np.zeros_like(now) for now in self.forces.parts]
        self.work = [np.zeros(c.count) for c in self.components]
        #: depths of the contacts among the cells, and at the start of the step
        self.depths = [self._depth(c) for c in self.components]
        self.was = [np.zeros(c.count) for c in self.components]
        through = [
            channels.observed[position][:, column]
            for position, k in enumerate(state.problem.observers)
            for column, o in enumerate(state.components[k].observables.values())
            if o.total in PASSING
        ]
        self.power = np.zeros(1)  # that passed at the end of the last step, W
        module = state.problem.module
        ffi, self._lib = module.ffi, module.lib
        self.passing = ffi.new("fc_passing[]", [
            {"cells": len(z), "stride": z.strides[0] // z.itemsize,
             "power": ffi.cast("double *", z.ctypes.data)}
            for z in through
        ])  # fmt: skip
        self._passed = pointer(ffi, self.power), pointer(ffi, self.totals)
        self.table = ffi.new("fc_forces[]", max(len(counted), 1))
        parts = zip(
            self.table, self.components, self.accounts, self.unknowns, self.forces.parts,
            self.before, self.work, self.depths, self.was, strict=False,
        )  # fmt: skip
        for entry, component, total, unknowns, now, before, work, depth, was in parts:
            entry.cells, entry.dofs, entry.total = component.count, component.dofs, total
            entry.unknowns = pointer(ffi, unknowns)
            entry.now, entry.before, entry.work, entry.was = (
                ffi.cast("double *", z.ctypes.data) for z in (now, before, work, was)
            )
            if depth is not None:
                entry.depth = ffi.cast("double *", depth.ctypes.data)
                entry.observables = len(component.observables)
                entry.jumps = (
                    isinstance(component.kind, ContactGap) and component.kind.discontinuous
                )
        self._arguments = [
            ffi.cast("double *", z.ctypes.data)
            for z in (
                state.array, self.forces.work, state.q, state.q_n, state.problem.moving,
                self.totals, SHARES, self.offsets, self.base,
            )
        ]  # fmt: skip
        self._arguments = [self.table, self.forces.table, len(counted), *self._arguments]

    def _depth(self, component: Component) -> np.ndarray | None:
        """What a component observes of its contacts' depths, ``None`` if it has no contacts."""
        kind, names = component.kind, list(component.observables)
        if not (has_gap(kind) and kind.gap_force in names):
            return None
        position = self.state.problem.observers.index(self.state.components.index(component))
        return self.channels.observed[position][:, names.index(kind.gap[0])]

    def begin(self) -> None:
        """Count from the present state on; collective."""
        channels = self.channels
        self.totals[:] = self.offsets[:] = self.base[:] = 0.0
        for work in self.work:
            work[:] = 0.0
        channels.kept = True
        channels.read()
        told = channels.sums[channels.counted]
        if channels.comm.rank == 0 and len(told):
            self.offsets[:] = -told
        self.renew()

    def renew(self) -> None:
        """Look at the forces of the present state again: they have jumped since the last step."""
        self.forces.evaluate(self.state.address)
        for before, now in zip(self.before, self.forces.parts, strict=True):
            before[:] = now
        for was, depth in zip(self.was, self.depths, strict=True):
            was[:] = 0.0 if depth is None else depth
        self._pass(0.0)
        self._close()

    def balance(self) -> float:
        """What the ledger is open by, J; 0 in a system that tells no energy; collective."""
        told = len(self.channels.base[self.channels.counted]) > 0
        return self.channels["energy.balance"] if told else 0.0

    def giver(self) -> tuple[float, str]:
        """The most energy, J, that an item has given the motion whose forces are to dissipate it,
        and its name and kind; collective."""
        found = [(0.0, "")]
        for c, total, work in zip(self.components, self.accounts, self.work, strict=True):
            if total == LOST and len(work):
                k = int(np.argmin(work))
                found.append((-work.item(k), f"{c.owners[c.owner[k]]} ({type(c.kind).__name__})"))
        return max(self.state.comm.allgather(max(found)))

    def feed(self, energy: float) -> None:
        """Count energy, J, that came in between two steps; collective."""
        self.totals[FED] -= energy * (self.state.comm.rank == 0)
        self._close()

    def _close(self) -> None:
        """Let the channels know."""
        self.base[:] = self.offsets + SHARES @ self.totals
        self.channels.changed()

    def _pass(self, h: float) -> None:
        """Count what has passed in a step of ``h``."""
        self._lib.fc_pass(self.passing, len(self.passing), h, *self._passed)

    def count(self, h: float) -> None:
        """Count the step of ``h`` that has just been accepted and observed; collective."""
        if len(self.passing):
            self._pass(h)
        self._lib.fc_count_work(*self._arguments)
        self.channels.changed()

    def rows(self, k: int) -> np.ndarray:
        """What a checkpoint keeps of the cells of the counted component ``k``."""
        return np.column_stack([self.work[k], self.was[k], self.before[k]])

    def restore(self, stored: dict[str, np.ndarray]) -> None:
        """Go on from a snapshot, whose state is the present one; collective."""
        *totals, power = stored["totals"] * (self.state.comm.rank == 0)
        self.totals[:], self.power[:] = totals, power
        self.offsets[:] = stored["offsets"] * (self.state.comm.rank == 0)
        for k, component in enumerate(self.components):
            rows = stored[str(k)][component.original]
            self.work[k][:], self.was[k][:], self.before[k][:] = rows[:, 0], rows[:, 1], rows[:, 2:]
        self.channels.kept = True
        self._close()
