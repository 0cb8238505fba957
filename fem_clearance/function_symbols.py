"""Time and numbers as UFL symbols, and Python functions of time called once with them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import basix.ufl
import numpy as np
import ufl
from ufl.algorithms import replace
from ufl.classes import Power
from ufl.constantvalue import RealValue, Zero

from .errors import InputError
from .user_code import described, place, place_of, scalar


class _Symbol(ufl.Constant):
    """Time or a number of a function. UFL's own constants recurse endlessly when they are converted
    to a number, as by ``math.sqrt(t)``."""

    def __float__(self):
        raise TypeError("must be real number, not an expression of UFL")

    __complex__ = __float__


_domain = ufl.Mesh(basix.ufl.element("Lagrange", "interval", 1, shape=(1,)))
TIME = _Symbol(_domain)
_numbers: list[Any] = []


def numbers(count: int) -> list[Any]:
    """The first symbols that stand for numbers of a function."""
    while len(_numbers) < count:
        _numbers.append(_Symbol(_domain))
    return _numbers[:count]


#: counterparts of NumPy's functions for expressions
UFUNCS = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul,
    np.true_divide: operator.truediv, np.power: operator.pow, np.negative: operator.neg,
    np.positive: operator.pos, np.square: lambda x: x * x, np.absolute: abs, np.sign: ufl.sign,
    np.sqrt: ufl.sqrt, np.exp: ufl.exp, np.log: ufl.ln, np.sin: ufl.sin, np.cos: ufl.cos,
    np.tan: ufl.tan, np.arcsin: ufl.asin, np.arccos: ufl.acos, np.arctan: ufl.atan,
    np.arctan2: ufl.atan2, np.sinh: ufl.sinh, np.cosh: ufl.cosh, np.tanh: ufl.tanh,
    np.minimum: ufl.min_value, np.maximum: ufl.max_value,
    np.less: ufl.lt, np.less_equal: ufl.le, np.greater: ufl.gt, np.greater_equal: ufl.ge,
    np.logical_and: ufl.And, np.logical_or: ufl.Or, np.logical_not: ufl.Not,
    np.deg2rad: lambda x: x * (np.pi / 180), np.radians: lambda x: x * (np.pi / 180),
}  # fmt: skip


def _plain(x: Any) -> Any:
    """An expression, or a number as Python's."""
    return x.expression if isinstance(x, _Traced) else x.item() if isinstance(x, np.generic) else x


class _Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """An expression of time that NumPy's functions take."""

    def __init__(self, expression: Any):
        self.expression = expression

    def __array_ufunc__(self, ufunc, method, *values, **options):
        if method != "__call__" or options or ufunc not in UFUNCS:
            raise TypeError(f"NumPy's {ufunc.__name__} of the time is not known")
        return _Traced(UFUNCS[ufunc](*map(_plain, values)))

    def __array_function__(self, function, types, values, options):
        if function is not np.where or len(values) != 3 or options:
            raise TypeError(f"NumPy's {function.__name__} of the time is not known")
        return _Traced(ufl.conditional(*map(_plain, values)))

    def __bool__(self):
        raise TypeError("UFL conditions cannot be evaluated as bool: write numpy.where(c, a, b)")

    def __float__(self):
        raise TypeError("must be real number, not the time as a symbol")


class Traced:
    """A Python function of time, such as ``lambda t: 0.1 * np.sin(5 * t)``.

    It is called once, with the time as a symbol, and its result is the expression in the forms, so
    that values and time derivatives are exact. It may use arithmetic and functions of UFL or of
    NumPy, with ``numpy.where`` for cases. Its numbers become parameters: different numbers need no
    compilation.

    Args:
        function: of the time in s.

    Raises:
        InputError: it cannot be called with a symbol, or returns no scalar.

    Example::

        functions.Traced(lambda t: 0.1 * np.sin(5 * t))
    """

    def __init__(self, function: Callable[[Any], Any]):
        found: list[float] = []
        self.function, self._template = function, _lifted(_called(function), found)
        self.numbers = tuple(found)

    def expression(self, t, p):
        known = {TIME: t, **dict(zip(numbers(len(self.numbers)), p, strict=False))}
        changed = {k: ufl.as_ufl(x) for k, x in known.items() if k is not x}
        return replace(self._template, changed) if changed else self._template

    def __repr__(self):
        return f"Traced({getattr(self.function, '__name__', self.function)!s})"


def _called(function: Callable[[Any], Any]) -> Any:
    """The function of the symbol of time, in UFL."""
    try:
        result = function(TIME)
        if not isinstance(result, np.ndarray):
            return ufl.as_ufl(scalar("a function of time", function, result))
    except InputError:
        raise
    except Exception:
        pass  # it may use NumPy
    try:
        return ufl.as_ufl(scalar("a function of time", function, _plain(function(_Traced(TIME)))))
    except InputError:
        raise
    except Exception as error:
        where = place(error) or place_of(function)
        raise InputError(
            (f"{where}: " if where else "")
            + "the function of time cannot be evaluated with the time as a symbol: "
            f"{described(error)} Or sample it: functions.Table(times, values)."
        ) from error


def _lifted(expression: Any, found: list[float]) -> Any:
    """The expression with its numbers, except exponents, replaced by symbols and collected."""
    if isinstance(expression, RealValue) and not isinstance(expression, Zero):
        found.append(float(expression))
        return numbers(len(found))[-1]
    parts = expression.ufl_operands
    if not parts:
        return expression
    kept = 1 if isinstance(expression, Power) else len(parts)
    parts = [_lifted(x, found) if k < kept else x for k, x in enumerate(parts)]
    return expression._ufl_expr_reconstruct_(*parts)
