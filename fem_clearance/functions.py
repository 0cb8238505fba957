"""Functions of time for drivers and loads.

A function gives its UFL expression in the time ``t`` and its ``numbers`` ``p``. The numbers are
parameters of the cell: a different rate or amplitude needs no compilation. A user's own function is
any object with ``expression(t, p)`` and ``numbers``::

    class Chirp:
        def __init__(self, amplitude, rate):
            self.numbers = (amplitude, rate)

        def expression(self, t, p):
            return p[0] * ufl.sin(p[1] * t**2)

A Python function of time can be given as well, ``lambda t: 0.1 * np.sin(5 * t)`` (``Traced``), and
a table of points or a CSV file (``Table``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Protocol

import numpy as np
import ufl

from . import checks
from .errors import InputError
from .function_symbols import TIME, Traced, numbers
from .function_tables import Table, cubic
from .user_code import failure, place_of, scalar

__all__ = [
    "Constant", "Function", "Harmonic", "Linear", "Polynomial", "SmoothRamp", "Table", "Traced",
]  # fmt: skip


class Function(Protocol):
    """What drivers and loads require of a function of time."""

    @property
    def numbers(self) -> Sequence[float]:
        """Numbers that may change without a new compilation."""
        ...

    def expression(self, t, p) -> Any:
        """UFL scalar of the time ``t`` (s) and the numbers ``p``."""
        ...


class _Checked:
    """A dataclass of finite numbers."""

    def __post_init__(self):
        for name, value in vars(self).items():
            checks.number(f"{type(self).__name__}.{name}", value)

    @property
    def numbers(self) -> tuple[float, ...]:
        return tuple(float(x) for x in astuple(self))  # type: ignore[call-overload]


@dataclass(frozen=True)
class Constant(_Checked):
    """The same ``value`` at all times.

    Raises:
        InputError: a number that is not finite.
    """

    value: float

    def expression(self, t, p):
        return p[0]


@dataclass(frozen=True)
class Linear(_Checked):
    """``initial + rate t``; ``rate`` in units per second.

    Raises:
        InputError: a number that is not finite.
    """

    rate: float
    initial: float = 0.0

    def expression(self, t, p):
        return p[1] + p[0] * t


@dataclass(frozen=True)
class SmoothRamp(_Checked):
    """Starts at rest; its rate rises to ``rate`` (units/s) in ``duration`` (s) and stays there.

    The rate follows the quintic step 10 x^3 - 15 x^4 + 6 x^5 of x = t / duration, which is twice
    continuously differentiable; after the start the function is ``rate (t - duration / 2)``.

    Raises:
        InputError: a number that is not finite, a duration that is not positive.
    """

    rate: float
    duration: float

    def __post_init__(self):
        super().__post_init__()
        checks.positive("SmoothRamp.duration", self.duration)

    def expression(self, t, p):
        x = t / p[1]
        start = p[0] * p[1] * (2.5 * x**4 - 3 * x**5 + x**6)
        return ufl.conditional(ufl.lt(t, p[1]), start, p[0] * (t - p[1] / 2))


@dataclass(frozen=True)
class Harmonic(_Checked):
    """``amplitude sin(2 pi frequency t + phase)``; ``frequency`` in Hz, ``phase`` in rad.

    Raises:
        InputError: a number that is not finite.
    """

    amplitude: float
    frequency: float
    phase: float = 0.0

    def expression(self, t, p):
        return p[0] * ufl.sin(2 * np.pi * p[1] * t + p[2])


@dataclass(frozen=True)
class Polynomial:
    """``c0 + c1 t + c2 t^2 + ...``; coefficients in units per second to their power.

    Raises:
        InputError: no coefficients, one that is not finite.

    Example::

        functions.Polynomial((0.0, 0.0, 2.0))  # an acceleration of 4 m/s^2
    """

    coefficients: tuple[float, ...]

    def __post_init__(self):
        try:
            values = tuple(self.coefficients)
        except TypeError:
            raise InputError(
                "Polynomial needs a list of coefficients, lowest power first."
            ) from None
        if not values:
            raise InputError("Polynomial needs at least one coefficient.")
        values = tuple(checks.number("Polynomial: coefficient", c) for c in values)
        object.__setattr__(self, "coefficients", values)

    @property
    def numbers(self) -> tuple[float, ...]:
        return self.coefficients

    def expression(self, t, p):
        result = p[len(self.coefficients) - 1]
        for k in range(len(self.coefficients) - 2, -1, -1):
            result = p[k] + t * result
        return result


# --- for the forms ------------------------------------------------------------------------------
class Shape:
    """The part of a function that enters a form: its expression without the numbers.

    Functions of equal shape share a kernel; shapes are equal if their expressions in symbolic time
    and numbers are. That of a table is the cubic of the interval in which the time lies.

    Attributes:
        table: the table; ``None`` for other functions.
    """

    def __init__(self, function: Function):
        self.function, self.table = function, _table(function)
        self.count = self.table.pieces.shape[1] if self.table else len(function.numbers)
        self._expression = cubic if self.table else function.expression
        who, method = f"{type(function).__name__}.expression", self._expression
        expression = ufl.as_ufl(scalar(who, method, method(TIME, numbers(self.count))))
        self._key = repr(expression)

    def __eq__(self, other):
        return isinstance(other, Shape) and self._key == other._key and self.count == other.count

    def __hash__(self):
        return hash((self._key, self.count))

    @property
    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The cell parameter that holds the numbers."""
        return {"function": (self.count,)}

    def at(self, c, t):
        """UFL expression at time ``t`` in the forms of component ``c``."""
        return ufl.as_ufl(self._expression(t, c.par("function")))

    def pack(self) -> dict[str, np.ndarray]:
        """Values for ``Kind.pack``."""
        numbers = self.table.pieces[0] if self.table else self.function.numbers
        return {"function": np.array(numbers, float)}


def shape(who: str, what: str, function, example: str) -> Shape:
    """The shape of a user's function: an object with ``expression`` and ``numbers``, or a Python
    function of the time.

    Raises:
        InputError: no function of time, numbers that are not finite.
    """
    function = of_time(function)
    if _table(function):
        return Shape(function)
    if not checks.offers(function, "expression", "numbers"):
        got = "" if function is None else f", got {checks.shown(function)}"
        raise InputError(
            f"{who} needs its {what} as a function of time, for example {example} or a lambda{got}."
        )
    for value in function.numbers:
        checks.number(f"{who}: a number of {type(function).__name__}", value)
    try:
        return Shape(function)
    except InputError:
        raise
    except Exception as error:
        what = f"{who}: {type(function).__name__}.expression(t, p)"
        raise failure(what, error, place_of(type(function).expression)) from error


def of_time(function: Any) -> Any:
    """A function of time as forms use it: a Python function is called with the symbol of time."""
    plain = callable(function) and not isinstance(function, type)
    return Traced(function) if plain and not hasattr(function, "expression") else function


def _table(function: Any) -> Table | None:
    """The function, if it is a table and has no ``expression`` of its own, else ``None``."""
    plain = isinstance(function, Table) and type(function).expression is Table.expression
    return function if plain else None


def tables(items: Iterable[Any]) -> Iterator[tuple[str, Table]]:
    """Tables in the motions and loads of items, each with the item's name."""
    for item in items:
        for own in getattr(item, "__dict__", {}).values():
            if isinstance(own, Shape) and own.table:
                yield item.name, own.table


def check_spans(items: Iterable[Any], start: float, end: float) -> None:
    """Refuse a run that exceeds the times of a table.

    Raises:
        InputError: it does; the message names the first such item.
    """
    for name, table in tables(items):
        first, last = table.span
        if start < first or end > last * (1 + 1e-12):
            raise InputError(
                f"{name}: {table.name} goes from {first:g} to {last:g} s, the run from {start:g} "
                f"to {end:g} s: give more points, or end the run with them."
            )


def stops(items: Iterable[Any]) -> np.ndarray:
    """Times that steps do not pass over, s, see ``Table``."""
    return np.unique(np.concatenate([np.zeros(0), *(t.stops for _, t in tables(items))]))


def value(function: Function, t: float = 0.0) -> float:
    """Value of a function at a time."""
    if table := _table(function):
        return table.at(t)
    return float(ufl.as_ufl(function.expression(float(t), list(function.numbers)))(()))


def rate(function: Function, t: float = 0.0) -> float:
    """Time derivative of a function at a time."""
    if table := _table(function):
        return table.at(t, 1)
    moment = ufl.variable(ufl.as_ufl(float(t)))
    return float(
        ufl.diff(ufl.as_ufl(function.expression(moment, list(function.numbers))), moment)(())
    )
