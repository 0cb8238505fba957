"""Trials of users' laws when a joint is given them: values at rest are finite and of the right
sign, and energies are the work of forces. Laws are UFL, so that they can be evaluated before any
form is compiled."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import ufl

from ...user_code import is_added, number_of, place_of, refusal
from .friction import FrictionLaw
from .normal import NormalLaw

logger = logging.getLogger(__name__)

#: depths, by a typical one, at which forces are tried
DEPTHS = (1e-2, 1e-1, 1.0)
#: the same of energies: a depth of the whole clearance too, where terms show that are small before
DEPTHS_OF_ENERGIES = (*DEPTHS, 10.0)
#: part of a law's work from which its energy is another
OFF = 1e-2
#: speeds, m/s, at which the work of a law is that at rest: laws may have a branch for each sign
AT_REST = (-1e-9, 0.0, 1e-9)
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
            raise refusal(
                place_of(type(law).force),
                f"{who}: {name}, or its derivative, is not finite at a depth of {at:.3g} m; it is "
                "evaluated, although it does not act, where the surfaces are apart: write "
                "power(depth, n) in the place of depth**n and of roots.",
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
    _try_energy(who, law, numbers, depth)


def _try_energy(who: str, law: NormalLaw, numbers: Mapping[str, float], depth: float) -> None:
    """Compare a law's energy, if it has one, with the work of its force at rest."""
    cls = type(law)
    if cls.energy is NormalLaw.energy:
        return
    p = SimpleNamespace(**numbers)
    points, weights = np.polynomial.legendre.leggauss(16)
    for at in (part * depth for part in DEPTHS_OF_ENERGIES):
        energy = number_of(cls.energy(ufl.as_ufl(float(at)), p))
        forces = np.array([
            [force_at(law, numbers, at * (1 + x) / 2, rate) for x in points] for rate in AT_REST
        ])  # fmt: skip
        works = (forces if law.pulls else np.maximum(forces, 0.0)) @ weights * at / 2
        near = OFF * np.abs(works).max()
        if not works.min() - near <= energy <= works.max() + near:
            logger.warning(
                "%s: %s.energy is %.3g J at a depth of %.3g m, where the work of its force at rest "
                "is %.3g J; the difference would count as dissipated or fed in: correct one of "
                "them",
                *(who, cls.__name__, energy, at, works[1]),
            )
            return


def try_friction(who: str, law: FrictionLaw, numbers: Mapping[str, float]) -> None:
    """Warn of a user's coefficient of friction that would drive the sliding; arguments as above."""
    for speed in SPEEDS if is_added(type(law)) else ():
        value = number_of(type(law).coefficient(ufl.as_ufl(speed), SimpleNamespace(**numbers)))
        if value < 0:
            logger.warning(
                "%s: %s.coefficient is negative, %.3g, at a sliding speed of %g m/s, so that "
                "friction drives the sliding; change its sign",
                *(who, type(law).__name__, value, speed),
            )
            return


def force_at(
    law: NormalLaw, numbers: Mapping[str, float], depth: float, rate: float = 0.0
) -> float:
    """Normal force at a depth (m), by default at rest, N; NaN where it is not real."""
    return number_of(_force(law, numbers, depth, rate)[1])


def slope_at(law: NormalLaw, numbers: Mapping[str, float], depth: float) -> float:
    """Derivative of the normal force at rest by the depth (m), N/m; NaN where it is not real."""
    at, force = _force(law, numbers, depth)
    return number_of(ufl.diff(force, at))


def _force(
    law: NormalLaw, numbers: Mapping[str, float], depth: float, rate: float = 0.0
) -> tuple[Any, Any]:
    at = ufl.variable(ufl.as_ufl(float(depth)))
    return at, ufl.as_ufl(type(law).force(at, rate, 1.0, SimpleNamespace(**numbers)))
