"""Beginnings and ends of contacts, and changes between sticking and slipping."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .gaps import Gaps

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


def onsets(gaps: Iterable[Gaps], t: float, h: float) -> list[Event]:
    """Contacts that began in the step of ``h`` that ended at ``t``, or changed between sticking and
    slipping; ``Gaps.find`` has noted them. They get the approach speed they began with."""
    events = []
    for gap in gaps:
        for k in gap.new:
            fraction, speed = gap.crossing(k, h)
            end, end_rate, _ = gap.now[k].tolist()
            if not gap.active[k] and end_rate > 0:  # held as it was: the step was made to end here
                fraction, speed = 1 - end / (end_rate * h), end_rate
            gap.approach[k] = max(speed, gap.floor[k])
            kind = ONSET
            if gap.slipping is not None:
                kind, speed = (STICK if gap.slipping[k] > 0.5 else SLIP), 0.0
            events.append(Event(float(t - h + fraction * h), gap.owners[k], kind, float(speed)))
    return events


def losses(gaps: Iterable[Gaps], t: float, h: float) -> list[Event]:
    """Contacts that ended in the step of ``h`` that ended at ``t``."""
    events = []
    for gap in gaps:
        if gap.slipping is not None:
            continue
        for k in np.flatnonzero((gap.before[:, 0] > 0) & ~(gap.now[:, 0] > 0)):
            (start, rate, _), (end, end_rate, _) = gap.before[k].tolist(), gap.now[k].tolist()
            fraction, rate = parting(start, rate, end, end_rate, h)
            events.append(Event(float(t - h + fraction * h), gap.owners[k], LOSS, max(-rate, 0.0)))
    return events


def parting(
    start: float, rate: float, end: float, end_rate: float, h: float
) -> tuple[float, float]:
    """Fraction of a step of ``h`` at which a depth passes zero, and its rate there, of the cubic
    through depths (``start`` > 0 >= ``end``) and rates at both ends."""
    mean = end - start
    if not all(map(isfinite, (start, rate, end, end_rate))):
        return 1.0, 0.0
    a, b = h * rate - mean, mean - h * end_rate  # of x (1 - x)

    def depth(x: float) -> float:
        return start + mean * x + x * (1 - x) * (a * (1 - x) + b * x)

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if depth(middle) > 0 else (low, middle)
    x = high
    bent = (1 - 2 * x) * (a * (1 - x) + b * x) + x * (1 - x) * (b - a)
    return x, float((mean + bent) / h)
