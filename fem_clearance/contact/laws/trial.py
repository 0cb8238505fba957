"""Trials of users' laws when a joint is given them: values at rest are finite and of the right
sign. Laws are UFL, so that they can be evaluated before any form is compiled."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import ufl

from ...errors import InputError
from ...user_code import is_added, place_of
from .friction import FrictionLaw
from .normal import NormalLaw

logger = logging.getLogger(__name__)

#: depths, by a typical one, at which forces are tried
DEPTHS = (1e-2, 1e-1, 1.0)
#: speeds at which coefficients of friction are tried, m/s
SPEEDS = (1e-3, 1e-1, 10.0)


def try_normal(who: str, law: NormalLaw, numbers: Mapping[str, float], depth: float) -> None:
    """Refuse a user's normal law whose force is not finite where it is evaluated, and warn of one
    that would pull.

    Args:
        who: the joint, for messages.
        numbers: of the law.
        depth: a typical one, m.

    Raises:
        InputError: a force, or its derivative by the depth, that is not finite.
    """
    if not is_added(type(law)):
        return
    name = f"{type(law).__name__}.force"
    for at in (-depth, 0.0):
        if not np.isfinite((force_at(law, numbers, at), slope_at(law, numbers, at))).all():
            where = place_of(type(law).force)
            where = where and f"{where}: "
            raise InputError(
                f"{where}{who}: {name}, or its derivative, is not finite at a "
                f"depth of {at:.3g} m; it is evaluated, although it does not act, where the "
                "surfaces are apart: write power(depth, n) in the place of depth**n and of roots."
            )
    for at in () if law.pulls else (part * depth for part in DEPTHS):
        force = force_at(law, numbers, at)
        if force < 0:
            logger.warning(
                "%s: %s is %.3g N at a depth of %.3g m at rest, and what is negative is cut at "
                "zero, because surfaces do not pull; change its sign, or set pulls = True",
                *(who, name, force, at),
            )
            return


def try_friction(who: str, law: FrictionLaw, numbers: Mapping[str, float]) -> None:
    """Warn of a user's coefficient of friction that would drive the sliding; arguments as above."""
    for speed in SPEEDS if is_added(type(law)) else ():
        value = _number(type(law).coefficient(ufl.as_ufl(speed), SimpleNamespace(**numbers)))
        if value < 0:
            logger.warning(
                "%s: %s.coefficient is negative, %.3g, at a sliding speed of %g m/s, so that "
                "friction drives the sliding; change its sign",
                *(who, type(law).__name__, value, speed),
            )
            return


def force_at(law: NormalLaw, numbers: Mapping[str, float], depth: float) -> float:
    """Normal force at rest at a depth (m), N; NaN where it is not real."""
    return _number(_force(law, numbers, depth)[1])


def slope_at(law: NormalLaw, numbers: Mapping[str, float], depth: float) -> float:
    """Derivative of the normal force at rest by the depth (m), N/m; NaN where it is not real."""
    at, force = _force(law, numbers, depth)
    return _number(ufl.diff(force, at))


def _force(law: NormalLaw, numbers: Mapping[str, float], depth: float) -> tuple[Any, Any]:
    at = ufl.variable(ufl.as_ufl(float(depth)))
    return at, ufl.as_ufl(type(law).force(at, 0.0, 1.0, SimpleNamespace(**numbers)))


def _number(expression: Any) -> float:
    """Value of a UFL scalar of numbers alone."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of UFL, about roots of negative numbers
            value = ufl.as_ufl(expression)(())
    except (ZeroDivisionError, OverflowError, ValueError):
        return np.nan
    return np.nan if isinstance(value, complex) else float(value)
