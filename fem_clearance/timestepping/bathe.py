"""Bathe's composite scheme: a trapezoidal sub-step, then three-point backward differences.

Bathe (2007), Computers and Structures 85, 437-445; with the fraction s of the step h that the first
sub-step takes (Bathe and Noh 2012; 1/2 in the paper), k = s h:

    v_k = v_0 + k/2 (a_0 + a_k),             q_k = q_0 + k/2 (v_0 + v_k)
    v_1 = c_1 q_0 + c_2 q_k + c_3 q_1,       a_1 = c_1 v_0 + c_2 v_k + c_3 v_1
    c_1 = (1 - s)/(s h),  c_2 = -1/((1 - s) s h),  c_3 = (2 - s)/((1 - s) h)

Equations and constraints are solved at the end of both sub-steps. Second order; the highest
frequencies are gone after one step. Internal variables of first order are rates of dummy
coordinates, as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import checks
from ..errors import InputError
from .integrator import CONSTRAINTS, Coefficients, Integrator, Past


@dataclass(frozen=True)
class Bathe(Integrator):
    """Bathe's composite scheme: no parameter to choose, large steps, two solves a step.

    Args:
        split: part of the step that the trapezoidal sub-step takes. 1/2 is the published scheme;
            2 - sqrt(2) = 0.586 gives both sub-steps the same tangent, which is then kept over steps
            (and a slightly smaller error).
        constraints: ``"stabilised"``: those on velocities hold as well (stabilised index 2), or
            ``"position"`` (index 3): multipliers are then of first order only.
    """

    split: float = 0.5
    constraints: str = "stabilised"
    stages = 2

    def __post_init__(self):
        if not 0 < checks.number("split", self.split) < 1:
            raise InputError(f"split must lie between 0 and 1, got {self.split:g}.")
        checks.choice("constraints", self.constraints, CONSTRAINTS)

    @property
    def history(self) -> Mapping[str, Past]:
        return {"q_0": Past(derivative=0), "v_0": Past(derivative=1)}

    def coefficients(self, h: float, h_old: float, stage: int = 0) -> Coefficients:
        s = self.split
        if stage == 0:
            k = s * h
            return Coefficients(
                beta=4 / k**2,
                gamma=2 / k,
                q0={"q": 1.0, "v": k, "a": k * k / 4},
                v0={"v": 1.0, "a": k / 2},
                update={"q_0": {"q": 1.0}, "v_0": {"v": 1.0}},
                part=s,
            )
        c1, c2, c3 = (1 - s) / (s * h), -1 / ((1 - s) * s * h), (2 - s) / ((1 - s) * h)
        v0 = {"v": -c2 / c3, "v_0": -c1 / c3}
        q0 = {name: factor / c3 for name, factor in v0.items()}
        return Coefficients(c3 * c3, c3, q0 | {"q": -c2 / c3, "q_0": -c1 / c3}, v0)
