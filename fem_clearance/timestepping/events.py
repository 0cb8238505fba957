"""Beginnings and ends of contacts, and changes between sticking and slipping."""

from __future__ import annotations

import csv
from typing import NamedTuple

import numpy as np

ONSET, LOSS, STICK, SLIP = KINDS = ("onset", "loss", "stick", "slip")
#: lines of a table that ``repr`` shows
SHOWN = 20


class Event(NamedTuple):
    """One event, located within its step."""

    time: float  # s
    owner: str  # the joint
    kind: str  # one of KINDS
    speed: float  # of approach, or of separation at a loss, m/s; 0 for stick and slip


class Events(list[Event]):
    """Events of a run in order of time: a list, shown as a table.

    Example:
        >>> [e.speed for e in results.events if e.kind == "onset"]
    """

    def __repr__(self) -> str:
        width = max((len(e.owner) for e in self), default=5)
        lines = [f"{'time, s':>14}  {'owner':{width}}  kind   speed, m/s"]
        lines += [
            f"{e.time:14.9g}  {e.owner:{width}}  {e.kind:5}  {e.speed:.6g}" for e in self[:SHOWN]
        ]
        more = len(self) - SHOWN
        return "\n".join([*lines, *([f"... and {more} more"] if more > 0 else [])])

    def arrays(self) -> dict[str, np.ndarray]:
        """One array a field."""
        numbers = np.array([(e.time, e.speed) for e in self]).reshape(-1, 2)
        words = (np.array([getattr(e, n) for e in self], dtype=str) for n in ("owner", "kind"))
        return dict(zip(("time", "speed", "owner", "kind"), (*numbers.T, *words), strict=True))

    @classmethod
    def of(cls, time, owner, kind, speed) -> Events:
        """From arrays."""
        rows = zip(time, owner, kind, speed, strict=True)
        return cls(Event(float(t), str(o), str(k), float(v)) for t, o, k, v in rows)

    def write(self, file) -> None:
        """As CSV into an open file: a header, then a line an event."""
        table = csv.writer(file, lineterminator="\n")
        table.writerow(Event._fields)
        table.writerows((repr(e.time), e.owner, e.kind, repr(e.speed)) for e in self)
