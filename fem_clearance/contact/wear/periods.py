"""Wear periods: when worn surfaces get their new shape, of many cells at once."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ... import checks
from ...errors import InputError
from .archard import Archard


@dataclass(frozen=True)
class WearPeriods:
    """When worn surfaces get their new shape.

    Worn depths are collected from ``settle`` on to the end of each ``period``; then they are
    multiplied by ``repeat`` and grow into the surfaces within the time ``renewal``, at a constant
    rate. With ``period`` of N turns and ``repeat = N_w / N`` a period stands for N_w turns.

    Args:
        law: Archard's.
        period: s, or ``None``.
        settle: s at the start of each period that do not count.
        repeat: how many times what was collected is applied.
        renewal: s; default ``settle`` / 4, or the period if nothing settles. It is not above
            ``settle``, or the period.
        liner: thickness of what may wear, m: a deeper wear stops the run.

    Raises:
        InputError: numbers that cannot be.
    """

    law: Archard
    period: float | None = None
    settle: float = 0.0
    repeat: float | None = 1.0
    renewal: float | None = None
    liner: float | None = None

    def __post_init__(self):
        who = type(self).__name__
        if not isinstance(self.law, Archard):
            raise InputError(f"{who}: law must be Archard(k, H), got {self.law!r}.")
        for name in ("period", "renewal", "liner", "repeat"):
            if getattr(self, name) is not None:
                checks.positive(f"{who}.{name}", getattr(self, name))
        checks.non_negative(f"{who}.settle", self.settle)
        if self.period is not None and self.settle >= self.period:
            raise InputError(
                f"{who}: with settle = {self.settle:g} s nothing of a period of "
                f"{self.period:g} s counts; use a shorter settle."
            )
        ends = self.settle or self.period
        if self.renewal is not None and ends is not None and self.renewal > ends * (1 + 1e-9):
            what = "settle" if self.settle else "period"
            raise InputError(
                f"{who}: new shapes grow in for renewal = {self.renewal:g} s, but wear counts "
                f"again after {what} = {ends:g} s; use a renewal of at most that."
            )

    @property
    def ramp(self) -> float:
        """Time in which a new shape grows in, s."""
        if self.renewal is not None:
            return self.renewal
        return self.settle / 4 if self.settle else self.period or 0.0

    def numbers(self) -> dict[str, float]:
        """What a cell keeps; -1 for what is not given."""
        return {
            "rate": self.law.rate, "period": given(self.period), "settle": self.settle,
            "repeat": given(self.repeat), "ramp": self.ramp, "liner": given(self.liner),
        }  # fmt: skip


def check_depths(who: str, what: str, wear: WearPeriods, liner: str, depth: np.ndarray) -> None:
    """Refuse depths (m) at the start that are no numbers or go through the liner."""
    if not np.all(np.isfinite(depth)):
        raise InputError(f"{who}: worn depths must be finite.")
    if wear.liner is not None and not depth.max() < wear.liner:
        raise InputError(
            f"{who}: {what} worn {depth.max():.3g} m deep at the start, through {liner} of "
            f"{wear.liner:.3g} m; give a thicker liner or less wear."
        )


class Counted(NamedTuple):
    """What of a step counts for wear periods; numbers or arrays.

    Attributes:
        now, later: parts of the step that count for the period it began in, and for the one it
            ends in if that is another.
        ends: periods that end within the step.
    """

    now: Any
    later: Any
    ends: Any


def counted(t, dt, begun, period, settle) -> Counted:
    """What of the step of length ``dt`` that ends at ``t`` lies in the counted part of a wear
    period: from ``settle`` after its beginning to its end. All in s, numbers or arrays.

    Args:
        t, dt: end and length of the step; nothing counts of a step without length.
        begun: beginning of the period that the step begins in.
        period, settle: see ``WearPeriods``.
    """

    def until(time):
        """Time that has counted since ``begun``."""
        since = np.maximum(time - begun, 0.0)
        whole = np.floor(since / period)
        return whole * (period - settle) + np.maximum(since - whole * period - settle, 0.0)

    ends = np.maximum(np.floor((t - begun) / period + 1e-9), 0.0)
    before, after = until(t - dt), until(t)
    passed = np.where(ends > 0, ends * (period - settle), after)
    length = np.where(dt > 0, dt, np.inf)
    return Counted((passed - before) / length, np.maximum(after - passed, 0.0) / length, ends)


def grown(t, dt, begun, ramp):
    """Part of what a shape still lacks by which it grows in the step of length ``dt`` that ends at
    ``t``; numbers or arrays, s."""
    left = begun + ramp - (t - dt)
    return np.where(left > 0, np.minimum(dt / np.where(left > 0, left, 1.0), 1.0), 1.0)


def given(x: float | None) -> float:
    """A number that may be missing, as a cell keeps it."""
    return -1.0 if x is None else float(x)


#: what ``view`` made last of each kind's numbers, which are the same array all through a run; the
#: views keep the whole state's memory, so they go with that array
_views: dict[Any, tuple[weakref.ref[np.ndarray], SimpleNamespace]] = {}


def view(kind, rows: np.ndarray) -> SimpleNamespace:
    """Numbers of all cells of a kind by name, views of the shapes that these have in a cell."""
    last = _views.get(kind)
    if last is not None and last[0]() is rows:
        return last[1]
    found = {}
    for name, (columns, shape) in kind.cell_layout.items():
        if len(shape) > 1:
            found[name] = rows[:, columns].reshape(len(rows), *shape)
        else:
            found[name] = rows[:, columns] if shape else rows[:, columns.start]
    forget = _views.pop  # when a program ends, the name of the dictionary goes before its content
    last = weakref.ref(rows, lambda _: forget(kind, None)), SimpleNamespace(**found)
    _views[kind] = last
    return last[1]


def which(mask: np.ndarray) -> list[int]:
    """Numbers of the cells that are meant; of the few cells of a joint quicker than NumPy."""
    return [k for k, on in enumerate(mask.tolist()) if on]


def kept(state, owner: str, name: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Numbers of the cells of an owner on this rank: their numbers among the owner's cells, and
    what they keep by ``name``, (cells, ...)."""
    for component, rows in zip(state.components, state.parameters, strict=True):
        if name in component.kind.cell_layout and owner in component.owners:
            here, own = component.cells_of(owner)
            columns, shape = component.kind.cell_layout[name]
            yield own, rows[here][:, columns].reshape(len(here), *shape)


class PeriodClock:
    """The wear periods of cells, at the end of a step: depths are collected, surfaces grow towards
    their goal, and where a period ends there is a new goal.

    Args:
        z: the cells' numbers by name, as views, (cells,) each: ``clock``, ``begun``, ``period``,
            ``settle``, ``repeat``, ``ramp``, ``renewing``; and ``goal``, ``collected``, arrays like
            ``shape``. Cells without a period have a negative one: all of a step counts for them.
        shape: what the surfaces have lost, (cells, ...).
        time: end of the step, s, (cells,).

    Attributes:
        dt: length of the step, s, (cells,).
        ends: whether a period ended within it, (cells,).
    """

    def __init__(self, z: SimpleNamespace, shape: np.ndarray, time: np.ndarray):
        self.z, self.shape, self.dt = z, shape, time - z.clock
        z.clock[:] = time
        self.timed = z.period > 0
        self.period = np.where(self.timed, z.period, 1.0)
        counts = counted(time, self.dt, z.begun, self.period, z.settle)
        whole = Counted(1.0 * (self.dt > 0), 0.0, 0.0)
        now, later, ends = (np.where(self.timed, *both) for both in zip(counts, whole, strict=True))
        self._now, self._later, self._whole = now, later, ends
        self.ends = ends > 0
        self._depth: np.ndarray | None = None

    def counts(self) -> np.ndarray:
        """Whether some of the step counts, (cells,)."""
        return self._now + self._later > 0

    def collect(self, depth: np.ndarray) -> None:
        """Add what the step wore off, like ``shape``."""
        self._depth = depth
        self.z.collected += self._each(self._now) * depth

    def grow(self) -> np.ndarray:
        """Move surfaces towards their goal; returns which moved, (cells,)."""
        z = self.z
        moving = self.timed & (z.renewing > 0) & (self.dt > 0)
        if moving.any():
            part = grown(z.clock, self.dt, z.begun, z.ramp)
            self.shape[moving] += (self._each(part) * (z.goal - self.shape))[moving]
            z.renewing[moving] = part[moving] < 1
        return moving

    def begin(self, fresh: np.ndarray) -> None:
        """Begin the next period where one ended; ``fresh``: what was collected there, as
        ``shape`` keeps it, (cells that end, ...)."""
        z, ends = self.z, self.ends
        late = ends & (z.renewing > 0)
        self.shape[late] = z.goal[late]
        z.goal[ends] += self._each(z.repeat)[ends] * fresh
        z.collected[ends] = 0.0
        if self._depth is not None:
            z.collected[ends] = (self._each(self._later) * self._depth)[ends]
        z.begun[ends] += (self._whole * self.period)[ends]
        z.renewing[ends] = 1.0

    def _each(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers of the cells, to be multiplied with arrays like ``shape``."""
        return numbers.reshape(-1, *[1] * (self.shape.ndim - 1))
