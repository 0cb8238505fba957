"""Friction that really sticks: Coulomb's law by return mapping.

While surfaces stick, a stiff spring and a damper hold them at an anchor; what these cannot carry
slips. The anchor and the coefficient in force (static while it sticks, sliding while it slips) are
numbers of a contact that move on after each accepted step; the tangent of a step is consistent, for
the forms are those of the step itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import ufl

from ... import checks
from ...core.kind import Kind
from ...core.symbols import Symbols
from ..forms import NOTHING
from .normal import indicator


@dataclass(frozen=True)
class Sticking:
    """What ``TrueStick`` and ``SurfaceStick`` share."""

    mu_s: float
    mu_d: float | None = None
    stiffness: float | None = None
    damping: float = 0.0
    parameters: ClassVar[tuple[str, ...]] = ("mu_s", "mu_d", "stiffness", "damping")

    def __post_init__(self):
        who = type(self).__name__
        checks.non_negative(f"{who}.mu_s", self.mu_s)
        if self.mu_d is not None:
            checks.within(f"{who}.mu_d", self.mu_d, 0.0, self.mu_s)
        if self.stiffness is not None:
            checks.positive(f"{who}.stiffness", self.stiffness)
        checks.non_negative(f"{who}.damping", self.damping)

    def _values(self, stiffness: float) -> dict[str, float]:
        mu_d = self.mu_s if self.mu_d is None else self.mu_d
        numbers = (self.mu_s, mu_d, stiffness, self.damping)
        return dict(zip(self.parameters, map(float, numbers), strict=True))


@dataclass(frozen=True)
class TrueStick(Sticking):
    """Coulomb friction that really sticks, for ``FrictionElement`` and ``TranslationalClearance``.

    While it sticks, a stiff spring and a damper hold the surfaces at an anchor (no creep); beyond
    mu_s x normal force they slip at mu_d x normal force.

    Args:
        mu_s, mu_d: coefficients of static and of sliding friction; mu_d: default mu_s.
        stiffness: of the sticking contact, N/m; high, since its deflection is the remaining motion.
        damping: N s/m; about 0.4 sqrt(stiffness x mass) settles quickly.

    Raises:
        InputError: a value out of range, mu_s below mu_d.

    See docs/translational.md. Example::

        fc.TrueStick(mu_s=0.4, mu_d=0.3)
    """

    stiffness: float = 1e6

    def __post_init__(self):
        checks.positive("TrueStick.stiffness", self.stiffness)
        super().__post_init__()

    def values(self):
        """Numbers of the law."""
        return self._values(self.stiffness)


def at_rest(law: TrueStick, anchor) -> dict[str, Any]:
    """Numbers of a contact that sticks at the start, with its ``anchor`` there, m."""
    return {"anchor": anchor, "mu": law.mu_s, "slipping": 0.0, "since": 0.0}


class Return(NamedTuple):
    """What the return mapping makes of a displacement and its rate, scalars or vectors (UFL).

    Attributes:
        excess: size of what the spring and damper would carry beyond the limit, N.
        reversal: speed against the friction, m/s; negative while it slips on.
        slips: 1 or 0.
        force: what is carried, N, along the displacement (friction is the opposite).
    """

    excess: Any
    reversal: Any
    slips: Any
    force: Any


def returned(x, v, anchor, limit, p, held: Any = 0, slipping: Any = 0) -> Return:
    """Elastic predictor, cut at the limit.

    Args:
        x, v: displacement, m, and its rate, m/s.
        anchor: of the spring, m.
        limit: coefficient in force x normal force, N.
        p: numbers of ``TrueStick``.
        held: 1 where it must go on as at the start of the step.
        slipping: 1 where it slipped there.
    """
    trial = p.stiffness * (x - anchor) + p.damping * v
    size = ufl.sqrt(ufl.inner(trial, trial) + NOTHING)
    excess = size - limit
    slips = held * slipping + (1 - held) * indicator(ufl.gt(excess, 0))
    force = (slips * limit / size + (1 - slips)) * trial
    return Return(excess, -ufl.inner(v, trial) / size, slips, force)


def stretch(c: Symbols, m: Return, before, p):
    """Deflection of the spring at the end of a step in which it slipped, m.

    Spring and damper share the force in series with what slips: k e + c de/dt = force, by an
    implicit Euler step from the deflection ``before``. (Left with the whole force, or with what the
    damper would leave of it at the sliding speed, the spring would gain energy from nowhere.)
    """
    viscous = p.damping * c.per_step
    return (m.force + viscous * before) / (p.stiffness + viscous)


def in_step(c: Symbols):
    """1 in a step, 0 once it has been accepted and the anchor belongs to its end (``since``: the
    time of that)."""
    return indicator(ufl.gt((c.t - c.par("since")) ** 2, (1e-12 * c.t) ** 2))


def left(c: Symbols, m: Return, now, before, p):
    """Deflection that the spring keeps after the step, m.

    Args:
        now, before: deflections from the anchor at the end and at the start of the step, m.
    """
    moved = m.slips * in_step(c)
    return moved * stretch(c, m, before, p) + (1 - moved) * now


def in_force(kind: Kind, parameters: np.ndarray, slips: np.ndarray) -> np.ndarray:
    """Coefficients of friction in force after a step: of sliding where one ``slips``, or static."""
    static, sliding = (kind.column(parameters, f"friction.{n}") for n in ("mu_s", "mu_d"))
    if slips.ndim == 2:  # at the points of each cell
        static, sliding = static[:, None], sliding[:, None]
    return np.where(slips, sliding, static)


def at_start(c: Symbols, expression):
    """An expression of the coordinates at the start of the step."""
    return ufl.replace(expression, {c.q: c.q_n})
