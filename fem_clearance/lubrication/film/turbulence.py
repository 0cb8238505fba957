"""Turbulent films: what flows and what shears by the local Reynolds number.

With Re = rho |U| h / mu of the sliding velocity, pressure drives the flow by h^3/(k mu), along the
sliding velocity with k = k_x and across it with k = k_z, and the sliding surfaces shear by
C mu |U| / h. What is drawn along stays h U/2. In a laminar film k = 12 and C = 1.

Eddies carry heat across as well: what a film conducts grows by 1 + Pr^(1/3) (C - 1), Pr = mu c/k.
This is Chilton and Colburn's (1934) analogy of heat and friction, St Pr^(2/3) = tau / (rho U^2),
for what turbulence adds to both.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import ufl
from ufl import dot

from ...errors import InputError
from ...user_code import Law
from .sliding import sliding_speeds
from .thickness import CylinderGap

logger = logging.getLogger(__name__)

#: sliding speed, m/s, so low that nothing is turbulent: keeps from powers of zero
CREEP = 1e-6
#: Reynolds number up to which the film between parallel surfaces is taken as laminar
LAMINAR = 1000.0
#: of vortices round a turning journal (Taylor 1923): Re > VORTICES sqrt(R / c)
VORTICES = 41.2


@dataclass(frozen=True)
class Turbulence(Law):
    """A laminar film; base class of laws of turbulence.

    Example::

        lubrication.Turbulence.along(5000.0, None)  # 12.0, of a laminar film
    """

    scalars: ClassVar[tuple[str, ...]] = ("along", "across", "shear")

    parameters: ClassVar[tuple[str, ...]] = ()

    def values(self) -> dict[str, float]:
        """Numbers of the law, as forms name them."""
        return {f"turbulence.{name}": float(getattr(self, name)) for name in self.parameters}

    @staticmethod
    def along(reynolds, p: SimpleNamespace):
        """k_x: a pressure gradient along the sliding velocity drives a flow of h^3 / (k_x mu) times
        the gradient (UFL)."""
        return 12.0 + 0.0 * reynolds

    @staticmethod
    def across(reynolds, p: SimpleNamespace):
        """k_z, the same for a gradient across the sliding velocity (UFL)."""
        return 12.0 + 0.0 * reynolds

    @staticmethod
    def shear(reynolds, p: SimpleNamespace):
        """C, shear stress relative to that of a laminar film (UFL)."""
        return 1.0 + 0.0 * reynolds


class Constantinescu(Turbulence):
    """Constantinescu and Galetuse (1965), after the theory of Ng and Pan (1965)::

        k_x = 12 + 0.0136 Re^0.9,   k_z = 12 + 0.0043 Re^0.96,   C = 1 + 0.0012 Re^0.94

    For Re from about 1000 to 50000; for small Re it becomes the laminar film.

    See docs/films.md. Example::

        lubrication.plain_bearing(0.1, 0.1, 2e-4, 0.005, sliding_speed=30.0,
                                  turbulence=lubrication.Constantinescu())
    """

    @staticmethod
    def along(reynolds, p):
        return 12 + 0.0136 * reynolds**0.9

    @staticmethod
    def across(reynolds, p):
        return 12 + 0.0043 * reynolds**0.96

    @staticmethod
    def shear(reynolds, p):
        return 1 + 0.0012 * reynolds**0.94


def turbulent(law: type[Turbulence], p: SimpleNamespace, h, mu, U, density) -> tuple:
    """What a turbulent film passes (UFL), see ``FilmKind.passing``: conduction is a tensor."""
    square = dot(U, U) + CREEP**2
    reynolds = density * ufl.sqrt(square) * h / mu
    along, across = (12 / k(reynolds, p) for k in (law.along, law.across))
    directed = across * ufl.Identity(3) + (along - across) / square * ufl.outer(U, U)
    return h / 2, h**3 / (12 * mu) * directed, mu / h * law.shear(reynolds, p)


def conducting(law: type[Turbulence], p: SimpleNamespace, h, mu, U, density, *, heat, k):
    """Conductivity across a turbulent film (UFL), W/(m K), of oil with the conductivity ``k`` and a
    heat capacity per volume, J/(m^3 K); other arguments: see ``turbulent``."""
    reynolds = density * ufl.sqrt(dot(U, U) + CREEP**2) * h / mu
    return k * (1 + (mu * heat / density / k) ** (1 / 3) * (law.shear(reynolds, p) - 1))


def check_turbulence(film) -> None:
    """Refuse what is no law."""
    if not isinstance(film.turbulence, Turbulence):
        raise InputError(
            f"film: turbulence must be a law such as Constantinescu(), got {film.turbulence!r}."
        )


def laminar_limit(film) -> float:
    """Reynolds number above which a film is expected to have vortices, or to be turbulent."""
    if not isinstance(film.gap, CylinderGap):
        return LAMINAR
    return min(LAMINAR, VORTICES * float(np.sqrt(film.radius / film.clearance)))


def fastest(film, place) -> tuple[float, float]:
    """Sliding speed, m/s, and thickness, m, at the node with the largest product of both."""
    speed = sliding_speeds(film, place)
    h = np.maximum(film.thickness(*place[:2]), 0.0)
    k = int(np.argmax(speed * h))
    return float(speed[k]), float(h[k])


def warn_if_turbulent(who: str, film, speed: float, thickness: float, viscosity: float) -> bool:
    """Say that a film that is computed as laminar is not; whether it did. m/s, m, Pa s."""
    reynolds = film.lubricant.mass_density * speed * thickness / viscosity
    limit = laminar_limit(film)
    if film.turbulent or reynolds <= limit:
        return False
    logger.warning(
        "%s: the Reynolds number of the film is %.3g, above %.3g, where it has vortices or is "
        "turbulent: losses and stiffness are then larger than those computed; give "
        "turbulence=Constantinescu(), and mass_density of the lubricant if it is not %g kg/m^3",
        who, reynolds, limit, film.lubricant.mass_density,
    )  # fmt: skip
    return True
