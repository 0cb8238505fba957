"""Generalized-alpha for index-3 equations of motion (Arnold and Bruels 2007).

Tian et al. (2009), eqs. (36)-(48): with the acceleration-like variable ``alg``

    (1 - alpha_m) alg_1 + alpha_m alg_0 = (1 - alpha_f) a_1 + alpha_f a_0
    q_1 = q_0 + h v_0 + h^2 [(1/2 - beta) alg_0 + beta alg_1]
    v_1 = v_0 + h [(1 - gamma) alg_0 + gamma alg_1]

second order in coordinates, velocities and multipliers, with a chosen damping of the highest
frequencies. Internal variables of first order are rates of dummy coordinates: the velocity update
is theirs, nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import checks
from .integrator import CONSTRAINTS, Coefficients, Integrator, Past


@dataclass(frozen=True)
class GeneralizedAlpha(Integrator):
    """Generalized-alpha with spectral radius ``rho_inf`` at infinite frequency.

    Args:
        rho_inf: 1 keeps the energy of the highest frequencies, 0 removes it within a step.
        constraints: ``"position"`` (index 3), or ``"stabilised"``: those on velocities hold as well
            (stabilised index 2), for a second, smaller linear system a step. By default on
            positions, but stabilised for ``rho_inf`` = 1: on positions alone, what a step leaves
            of a constraint then grows in the reactions from step to step.
    """

    rho_inf: float = 0.8
    constraints: str | None = None
    remedy = "rho_inf = 0.95 or less"

    def __post_init__(self):
        checks.within("rho_inf", self.rho_inf, 0.0, 1.0)
        if self.constraints is not None:
            checks.choice("constraints", self.constraints, CONSTRAINTS)

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """alpha_m, alpha_f, beta and gamma."""
        am, af = (2 * self.rho_inf - 1) / (self.rho_inf + 1), self.rho_inf / (self.rho_inf + 1)
        return am, af, 0.25 * (1 + af - am) ** 2, 0.5 + af - am

    @property
    def history(self) -> Mapping[str, Past]:
        am, af, _, _ = self.numbers
        return {"alg": Past(derivative=2, ahead=am - af)}

    def coefficients(self, h: float, h_old: float, stage: int = 0) -> Coefficients:
        am, af, beta, gamma = self.numbers
        return Coefficients(
            beta=(1 - am) / (h * h * beta * (1 - af)),
            gamma=gamma / (h * beta),
            q0={"q": 1.0, "v": h, "alg": h * h * (0.5 - beta), "new alg": h * h * beta},
            v0={"v": 1.0, "alg": h * (1 - gamma), "new alg": h * gamma},
            update={
                "alg": {"a": af / (1 - am), "alg": -am / (1 - am), "new a": (1 - af) / (1 - am)}
            },
        )
