"""Coefficients of the sliding pendulum's equations: Ebrahimi et al. (2017), eqs. (11), (19)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import checks


@dataclass(frozen=True)
class Coefficients:
    """Numbers of the equations above.

    Attributes:
        omega1, omega2: linear natural frequencies of slider and pendulum, rad/s.
        alpha1 ... alpha7: as in eq. (11); of a film the corresponding ones of eq. (19).
        cubic: coefficient of u^3, which the paper drops and the backbone needs, 1/(m^2 s^2).
        rest: y of the slider at rest, m.
        mass: of slider and pendulum, kg.
    """

    omega1: float
    omega2: float
    alpha1: float
    alpha2: float
    alpha3: float
    alpha4: float
    alpha5: float
    alpha6: float
    alpha7: float
    cubic: float
    rest: float
    mass: float


def _pendulum(mass, length, gravity, total):
    omega2 = np.sqrt(1.5 * gravity / length)
    return {
        "omega2": float(omega2),
        "alpha5": mass * length / (2 * total),
        "alpha6": 1.5 / length,
        "alpha7": float(omega2**2 / 6),
        "mass": total,
    }


def dry(
    stiffness: float,
    hysteresis: float,
    approach: float,
    *,
    clearance: float = 5e-4,
    pendulum_mass: float = 50.0,
    slider_mass: float = 0.2,
    length: float = 1.0,
    gravity: float = 9.81,
) -> Coefficients:
    """Coefficients of dry contact with K delta^1.5 (1 + chi rate / approach), eq. (11).

    Args:
        stiffness: K, N/m^1.5.
        hysteresis: chi; of a law, ``law.hysteresis()``.
        approach: speed of the first contact, m/s.
    """
    total = pendulum_mass + slider_mass
    delta = (total * gravity / checks.positive("stiffness", stiffness)) ** (2 / 3)
    k, x = stiffness / total, hysteresis / checks.positive("approach", approach)
    x *= k
    return Coefficients(
        omega1=float(np.sqrt(1.5 * k * delta**0.5)),
        alpha1=3 / 8 * k * delta**-0.5,
        alpha2=x * delta**1.5,
        alpha3=1.5 * x * delta**0.5,
        alpha4=3 / 8 * x * delta**-0.5,
        cubic=-k / 16 * delta**-1.5,
        rest=-clearance - delta,
        **_pendulum(pendulum_mass, length, gravity, total),
    )


def lubricated(
    viscosity: float,
    *,
    clearance: float = 8e-5,
    radius: float = 5e-3,
    bearing_length: float = 0.04,
    spring: float = 1.56e9,
    pendulum_mass: float = 50.0,
    slider_mass: float = 0.2,
    length: float = 1.0,
    gravity: float = 9.81,
) -> Coefficients:
    """Coefficients of the squeeze film with a spring, eq. (19)."""
    total = pendulum_mass + slider_mass
    rest = -total * gravity / checks.positive("spring", spring)
    c = checks.positive("clearance", clearance)
    viscosity = checks.viscosity("viscosity", viscosity)
    d = 12 * np.pi * viscosity * bearing_length * radius**3 / c**3 / total
    return Coefficients(
        omega1=float(np.sqrt(spring / total)),
        alpha1=0.0,
        alpha2=d * (1 + 1.5 * (rest / c) ** 2),
        alpha3=-3 * d * rest / c**2,
        alpha4=1.5 * d / c**2,
        cubic=0.0,
        rest=rest,
        **_pendulum(pendulum_mass, length, gravity, total),
    )
