"""A run that derivatives are taken of, and what was observed in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..timestepping.events import ONSET, SLIP, STICK
from .outputs import History, Row
from .recording import RecordingStepper

#: what happens within a fixed step
HAPPENS = {ONSET: "touches", SLIP: "begins to slip", STICK: "comes to rest"}


@dataclass
class Recorded:
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
    def outputs(self) -> np.ndarray:
        """Values of the outputs."""
        return np.array([row.value for row in self.rows])

    @property
    def counts(self) -> dict[str, int]:
        """How many onsets there are, and fixed steps, some of which are cut while contacts last:
        where these change, outputs have kinks."""
        found = {"onsets and ends of contacts": len(self.stepper.events)}
        return found if self.stepper.adaptive else {**found, "steps": len(self.stepper.record)}

    def notes(self, beyond: float | None, unknown: set[str]) -> list[str]:
        """Sentences that say what limits the derivatives of this run.

        Args:
            beyond: the time from which they say little; ``None``: the end.
            unknown: joints with approach speeds that no rule explains.
        """
        stepper, found = self.stepper, []
        events = [e for e in stepper.events if e.kind in HAPPENS and e.time > stepper.origin]
        if events and not stepper.adaptive:
            first = events[0]
            found.append(
                f"{first.owner} {HAPPENS[first.kind]} at {first.time:.4g} s within a fixed step: "
                "the derivatives are those of this grid of steps, which can be far from those of "
                "the motion; with adaptive steps they end at onsets."
            )
        if unknown:
            found.append(
                f"{', '.join(sorted(unknown))}: an approach speed came from a step that was "
                "repeated, and is held constant in the derivatives; take smaller or adaptive steps."
            )
        if beyond is not None:
            passed = sum(e.time < beyond for e in events if e.kind == ONSET)
            found.append(
                f"from {beyond:.4g} s on, after {passed} onsets, one percent of a "
                "parameter moves the system by more than a tenth of its size, by these "
                "derivatives: they say little of larger changes."
            )
        return found
