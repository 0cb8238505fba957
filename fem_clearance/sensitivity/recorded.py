"""A run whose derivatives are computed, and what was observed in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..timestepping.events import LOSS, ONSET, SLIP, STICK
from .outputs import History, Row, WithOutputs
from .recording import RecordingStepper
from .unresolved import EDGE, edged, passed_over, released

#: what an event within a fixed step means
HAPPENS = {ONSET: "touches", SLIP: "begins to slip", STICK: "comes to rest"}
#: ``contact_tolerance`` up to which kinks at the end of a contact are resolved, to less than a
#: percent (docs/sensitivity.md)
RESOLVED = 1e-6


@dataclass
class Recorded(WithOutputs):
    """A run and what was observed in it.

    Attributes:
        values: of the parameters.
        stepper: after the run.
        begin: values of the vectors at its start.
        history: channels by the names that users know.
        rows: the outputs.
    """

    values: dict[str, float]
    stepper: RecordingStepper
    begin: np.ndarray
    history: History
    rows: list[Row]

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of events and, if steps are fixed, of steps, some of which are subdivided while
        contacts last: where these numbers change, outputs have kinks."""
        found = {"onsets and ends of contacts": len(self.stepper.events)}
        return found if self.stepper.adaptive else {**found, "steps": len(self.stepper.record)}

    @property
    def event_steps(self) -> list[int]:
        """In which of fixed steps each event lies: where one moves to another step, outputs have a
        kink. Empty for adaptive steps, which end at events."""
        if self.stepper.adaptive:
            return []
        return np.searchsorted(self.history.t, [e.time for e in self.stepper.events]).tolist()

    def notes(self, beyond: float | None, unknown: set[str]) -> list[str]:
        """Sentences on the limits of validity of the derivatives of this run.

        Args:
            beyond: time from which the derivatives no longer predict changes of one percent, s;
                ``None``: there is none.
            unknown: joints with approach speeds that no rule explains.
        """
        stepper, found = self.stepper, []
        events = [e for e in stepper.events if e.kind in HAPPENS and e.time > stepper.origin]
        if events and not stepper.adaptive:
            first = events[0]
            found.append(
                f"{first.owner} {HAPPENS[first.kind]} at {first.time:.4g} s within a fixed step: "
                "the derivatives are exact for these steps, but may be far from those of the "
                "motion; leave out dt if possible, because adaptive steps end at onsets."
            )
        names, columns = [c.name for c in stepper.channels.list], self.history.channels.values()
        own = dict(zip(names, columns, strict=True))
        if (reversal := passed_over(self.history.t, own)) is not None:
            found.append(
                f"{reversal[0]}: friction reverses at {reversal[1]:.4g} s within a step that "
                "passes over the steep part of its law, so that derivatives after it may be wrong "
                "by several percent, although the run is accurate; decrease "
                f"{'tolerance' if stepper.adaptive else 'dt'} until they no longer change, or use "
                "a law that is less steep at rest (a larger v0)."
            )
        shown = dict(zip(self.history.channels, names, strict=True))
        seen = dict.fromkeys(shown[n] for row in self.rows for n in row.channels if n in shown)
        found += [EDGE % name for name in edged(stepper.state.components, seen)]
        ended = {e.owner for e in stepper.events if e.kind == LOSS}
        resolved = not stepper.adaptive or stepper.settings.contact_tolerance <= RESOLVED
        if not resolved and (kink := released(self.history.t, own, ended)) is not None:
            found.append(
                f"{kink[0]}: the contact force has a kink where it becomes zero, within a step at "
                f"{kink[1]:.4g} s, so that derivatives after it may be wrong by several percent, "
                f"although the run is accurate; use contact_tolerance={RESOLVED:g}."
            )
        if unknown:
            found.append(
                f"{', '.join(sorted(unknown))}: an approach speed came from a step that was "
                "repeated, and is held constant in the derivatives; use smaller or adaptive steps."
            )
        if beyond is not None:
            passed = sum(e.time < beyond for e in events if e.kind == ONSET)
            found.append(
                f"from {beyond:.4g} s on, after {passed} onsets, one percent of a "
                "parameter moves the system by more than a tenth of its size according to these "
                "derivatives, which then do not predict larger changes; use a shorter run."
            )
        return found
