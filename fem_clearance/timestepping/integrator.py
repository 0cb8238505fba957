"""Integrators as rows of numbers: the formulas of a scheme, apart from its execution
(row_engine.py).

A scheme for equations of second order in time is linear in the vectors that it carries from step to
step: the coordinates q, their rates v and accelerations a, and vectors of its own. It states with
which sums of these q and v begin a step, how the unknown acceleration enters them, and what its own
vectors are at the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

#: how constraints are imposed, the default first
CONSTRAINTS = ("position", "stabilised")
#: factors by the names of vectors
Row = Mapping[str, float]


@dataclass(frozen=True)
class Past:
    """What a vector of an integrator's own stands for.

    With this the engine sets the vector at a start, moves it when the step changes, and derives the
    error of the formulas for a rotating body.

    Args:
        derivative: order of the time derivative of the coordinates: 0, 1 or 2.
        ahead: number of steps by which the vector lies after the present time; it moves with the
            length of the coming step (accelerations only). ``None``: it belongs to the start of the
            last step or stage.
    """

    derivative: int
    ahead: float | None = None


@dataclass(frozen=True)
class Coefficients:
    """The formulas of a step (or of one stage of it).

    With a the unknown acceleration at its end: ``q = q0 + a / beta``, ``v = v0 + gamma / beta a``.
    The rows ``q0`` and ``v0`` hold factors of ``"q"``, ``"v"``, ``"a"`` and of own vectors at the
    start of the stage, and of ``"new NAME"``: an own vector at its end, for a = 0.

    Args:
        beta: da/dq, 1/s^2.
        gamma: dv/dq, 1/s.
        q0: coordinates at the end for a = 0.
        v0: rates at the end for a = 0.
        update: rows of own vectors at the end, over the same and ``"new q"``, ``"new v"``,
            ``"new a"``, those at the end; vectors that are not named stay as they are.
        part: where the stage ends, as a fraction of the step.
    """

    beta: float
    gamma: float
    q0: Row
    v0: Row
    update: Mapping[str, Row] = field(default_factory=dict)
    part: float = 1.0


class Integrator(ABC):
    """An implicit time integrator: subclasses are frozen dataclasses.

    ``docs/extending.md`` shows one of 20 lines.
    """

    @property
    def history(self) -> Mapping[str, Past]:
        """The vectors of its own, by name; here none."""
        return {}

    @property
    def order(self) -> int:
        """Of accuracy, 1 or 2; here 2."""
        return 2

    @property
    def constraints(self) -> str | None:
        """``"position"`` (index 3) or ``"stabilised"`` (index 2: velocities too). ``None``, as
        here: on positions, unless their residual in a step would then grow from step to step, or
        multipliers would be of a lower order than the scheme."""
        return None

    @property
    def stages(self) -> int:
        """Solves of a step; here 1."""
        return 1

    @property
    def remedy(self) -> str:
        """What to use so that reactions of constraints on positions alone are damped, in words."""
        return "a scheme that damps the highest frequencies"

    @abstractmethod
    def coefficients(self, h: float, h_old: float, stage: int = 0) -> Coefficients:
        """Of a step of ``h`` after one of ``h_old`` (``h`` at a start), s."""
