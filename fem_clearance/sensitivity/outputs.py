"""Outputs whose derivatives are wanted: numbers that follow from the channels of a run.

An output says which rows (numbers) it has and, of each, how it changes with every recorded value of
every channel and with every instant. Analyses without time have one instant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..core.renamed import present
from ..errors import InputError

#: part of a run's length within which an instant counts as the one asked for
SAME = 1e-9


@dataclass(frozen=True)
class History(Mapping):
    """Channels of a run: a mapping from name to values, (instants,).

    Attributes:
        t: the recorded instants, s; 0 alone where there is no time.
        channels: values of each channel, (instants,).
    """

    t: np.ndarray
    channels: Mapping[str, np.ndarray]

    def __getitem__(self, name):
        own = present(name, self.channels)
        if own not in self.channels:
            raise InputError(
                f"there is no channel {name!r}{checks.suggestion(name, self.channels)}; there are "
                f"{checks.some(self.channels)}."
            )
        return self.channels[own]

    def __iter__(self):
        return iter(self.channels)

    def __len__(self):
        return len(self.channels)


#: places of instants, and by how much a number changes with the value there
Weights = tuple[np.ndarray, np.ndarray]
NONE: Weights = np.zeros(0, int), np.zeros(0)


@dataclass(frozen=True)
class Row:
    """One number, and how it changes with what it follows from.

    Attributes:
        name: for tables.
        value: the number.
        channels: of each channel places of instants and derivatives there.
        times: the same of the instants themselves.
    """

    name: str
    value: float
    channels: Mapping[str, Weights]
    times: Weights = NONE


class WithOutputs:
    """Base of what has been computed at a point of the parameters.

    Attributes:
        rows: the outputs.
    """

    rows: list[Row]

    @property
    def outputs(self) -> np.ndarray:
        """Values of the outputs, (outputs,)."""
        return np.array([row.value for row in self.rows])


class Output(Protocol):
    """What ``of`` of ``Sensitivity`` takes."""

    def rows(self, history: History) -> list[Row]:
        """Its numbers."""
        ...


def instants(output: Any) -> tuple[float, ...]:
    """Times at which an output needs a step to end, s."""
    return getattr(output, "times", ())


@dataclass(frozen=True)
class At:
    """The value of a channel at an instant, or at several (a row for each).

    Args:
        channel: its name.
        t: the instant or instants, s; ``None``: the end of the run (and where there is no time).

    Raises:
        InputError: times that are not finite numbers.
    """

    channel: str
    t: float | ArrayLike | None = None
    times: tuple[float, ...] = field(init=False, repr=False)

    def __post_init__(self):
        times = () if self.t is None else tuple(map(float, np.atleast_1d(self.t)))
        for t in times:
            checks.number(f"At({self.channel!r}): t", t)
        object.__setattr__(self, "times", times)

    def check(self, first: float, last: float, dt: float | None) -> None:
        """Refuse instants at which no step of a run will end.

        Args:
            first, last: its start and end, s.
            dt: of fixed steps, s; ``None``: adaptive steps, which end where they must.

        Raises:
            InputError: such an instant.
        """
        for wanted in self.times:
            nearest = min(max(wanted, first), last)
            if dt is not None:
                grid = first + dt * np.round((nearest - first) / dt)
                nearest = min((grid, last), key=lambda t: abs(t - wanted))
            self._ends(wanted, nearest, first, last)

    def _ends(self, wanted: float, nearest: float, first: float, last: float) -> None:
        """Refuse an instant unless the nearest end of a step is as good as equal to it."""
        if abs(nearest - wanted) > SAME * (last - first):
            raise InputError(
                f"At({self.channel!r}, {wanted:g}): no step ends at this time, the nearest one at "
                f"{nearest:.9g} s; give a time between {first:g} and {last:g} s, with fixed steps "
                "one at which a step ends."
            )

    def rows(self, history: History) -> list[Row]:
        values, t = history[self.channel], history.t
        if self.t is None:
            return [_at(self.channel, self.channel, values, len(t) - 1)]
        found = []
        for wanted in self.times:
            k = int(np.argmin(np.abs(t - wanted)))
            self._ends(wanted, float(t[k]), t[0], t[-1])
            found.append(_at(f"{self.channel} at {wanted:g} s", self.channel, values, k))
        return found


def _at(name: str, channel: str, values: np.ndarray, k: int) -> Row:
    return Row(name, float(values[k]), {channel: (np.array([k]), np.ones(1))})


@dataclass(frozen=True)
class Integral:
    """Integral over time of a power of a channel, by the trapezoidal rule over the steps.

    Args:
        channel: its name.
        power: a whole number from 1 on; 2 for energies and mean squares.

    Raises:
        InputError: another power.

    Example::

        fc.Integral("joint.normal_force", power=2)  # N^2 s
    """

    channel: str
    power: int = 1

    def __post_init__(self):
        checks.count(f"Integral({self.channel!r}): power", self.power)

    def rows(self, history: History) -> list[Row]:
        c, t, n = history[self.channel], history.t, self.power
        h, z, slope = np.diff(t), c**n, n * c ** (n - 1)
        share = (np.append(h, 0.0) + np.append(0.0, h)) / 2  # of each instant
        mean = (z[1:] + z[:-1]) / 2
        where = np.arange(len(t))
        by_time = np.append(0.0, mean) - np.append(mean, 0.0)
        name = f"integral of {self.channel}" + (f"^{n}" if n > 1 else "")
        return [
            Row(name, float(mean @ h), {self.channel: (where, share * slope)}, (where, by_time))
        ]


@dataclass(frozen=True)
class Peak:
    """The largest value of a channel: the vertex of the parabola through the largest recorded one
    and its neighbours.

    Args:
        channel: its name.
        least: whether the smallest value is meant instead.
    """

    channel: str
    least: bool = False

    def rows(self, history: History) -> list[Row]:
        c, t = history[self.channel], history.t
        k = int(np.argmin(c) if self.least else np.argmax(c))
        name = f"{'least' if self.least else 'largest'} {self.channel}"
        if not 0 < k < len(t) - 1:
            return [_at(name, self.channel, c, k)]
        near = np.array([k - 1, k, k + 1])
        value, by_value, by_time = vertex(t[near], c[near])
        return [Row(name, value, {self.channel: (near, by_value)}, (near, by_time))]


def vertex(t: np.ndarray, c: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Value of the parabola through three points at its vertex, and its derivatives by the values
    and by the times; the second point is the largest or the least of them."""
    left, right = t[1] - t[0], t[2] - t[1]
    down, up = (c[1] - c[0]) / left, (c[2] - c[1]) / right
    bend = (up - down) / (left + right)
    if bend == 0.0 or not np.isfinite(bend):
        return float(c[1]), np.array([0.0, 1.0, 0.0]), np.zeros(3)
    x = -(down + bend * left) / (2 * bend)  # from the second point to the vertex
    # at the vertex the slope is zero: the parabola's value there changes as at a fixed instant
    s = t[1] + x
    by_value = np.array(
        [
            (s - t[1]) * (s - t[2]) / (left * (left + right)),
            -(s - t[0]) * (s - t[2]) / (left * right),
            (s - t[0]) * (s - t[1]) / ((left + right) * right),
        ]
    )
    slopes = np.array([down - bend * left, down + bend * left, up + bend * right])
    return float(by_value @ c), by_value, -by_value * slopes


@dataclass(frozen=True)
class Function:
    """A number (or several) that a function of the run's channels returns.

    Args:
        fun: ``fun(history)`` returns a number or a list of numbers; ``history["tip.x"]`` and
            ``history.t`` are arrays over the recorded instants.
        jac: ``jac(history)`` returns its derivatives with respect to the channels that it reads,
            ``{"tip.x": array}``, (instants,) or (numbers, instants); ``"t"`` for the instants.
        name: for tables.

    Raises:
        InputError: no functions.

    Example::

        def work(h):  # of a force F on a slider at the end of the run, J
            return np.trapezoid(h["push.x"], h["slider.x"])

        def by_channels(h):
            x, F = h["slider.x"], h["push.x"]
            step = np.diff(x, prepend=x[0], append=x[-1])
            force = np.diff(F, prepend=0.0, append=0.0)
            mean = np.pad((F[1:] + F[:-1]) / 2, 1)
            return {"push.x": (step[1:] + step[:-1]) / 2, "slider.x": mean[:-1] - mean[1:]}

        fc.Function(work, by_channels, name="work")
    """

    fun: Callable[[History], Any]
    jac: Callable[[History], Mapping[str, ArrayLike]]
    name: str = "function"

    def __post_init__(self):
        if not (callable(self.fun) and callable(self.jac)):
            raise InputError("Function needs fun(history) and jac(history), two functions.")

    def rows(self, history: History) -> list[Row]:
        values = np.atleast_1d(np.asarray(self.fun(history), float))
        slopes, n = dict(self.jac(history)), len(history.t)
        found: dict[str, np.ndarray] = {}
        for channel, z in slopes.items():
            z = np.asarray(z, float)
            if channel != "t":
                history[channel]
            if z.size != len(values) * n:
                raise InputError(
                    f"Function({self.name!r}): jac returns {z.size} derivatives with respect to "
                    f"{channel!r}, not {len(values)} x {n} (numbers x instants)."
                )
            found[channel] = z.reshape(len(values), n)
        times = found.pop("t", np.zeros((len(values), n)))
        where = np.arange(n)
        return [
            Row(
                self.name if len(values) == 1 else f"{self.name} {k}", float(value),
                {channel: (where, z[k]) for channel, z in found.items()}, (where, times[k]),
            )
            for k, value in enumerate(values)
        ]  # fmt: skip


def output(given: Any) -> Output:
    """An output as a user gives it; a word is a channel at the end, ``"joint.force:max"`` its
    largest value, ``:min`` its least, ``:integral`` and ``:integral2`` that over time.

    Raises:
        InputError: something else.
    """
    if isinstance(given, str):
        channel, colon, how = given.partition(":")
        made: dict[str, Callable[[], Output]] = {
            "": lambda: At(channel), "end": lambda: At(channel), "max": lambda: Peak(channel),
            "min": lambda: Peak(channel, least=True), "integral": lambda: Integral(channel),
            "integral2": lambda: Integral(channel, 2),
        }  # fmt: skip
        if how not in made or (colon and not how):
            raise InputError(
                f"{given!r}: the name of a channel may only be followed by one of "
                f"{', '.join(f':{w}' for w in made if w)}."
            )
        return made[how]()
    if not callable(getattr(given, "rows", None)) or isinstance(given, type):
        raise InputError(
            f"of must contain At, Integral, Peak, Function or names of channels, got {given!r}."
        )
    return cast(Output, given)


def outputs(given: Any) -> list[Output]:
    """One or several outputs as a user gives them.

    Raises:
        InputError: none, or something else.
    """
    several = isinstance(given, Sequence) and not isinstance(given, str)
    found = [output(z) for z in (given if several else [given])]
    if not found:
        raise InputError("of= is empty: name at least one output, such as 'tip.y'.")
    return found
