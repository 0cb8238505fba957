"""Rigid bodies that turn within a step, and how fast they spin.

A scheme of second order moves each director on a parabola. For a body that spins fast its error is
mostly that of this curve: h^2/12 times a third derivative of the size of omega^2 d(omega)/dt. But
that curve is known beforehand: directors turn with a spin that changes slowly. So the scheme is
applied to the difference from a turning reference

    d' = omega(t) x d,    omega(t) = omega_n + alpha t + beta t^2 / 2,

which starts each step at the present directors and spin; alpha and beta follow from the spins of
the last three steps. Schemes are linear in coordinates, velocities and accelerations, so this only
adds to their formulas their error for the reference: for each power of t in its Taylor series, the
difference between the power and its approximation by the scheme. These differences begin with h^3,
so that the order of the scheme remains the same.

The spins must be free of the oscillations that constraints on positions alone cause in velocities,
because these would be fed back. Directors therefore turn only with stabilised constraints.

The series is evaluated in ``core/compiled/turning.c``.
"""

from __future__ import annotations

import logging
from math import inf
from typing import Any

import numpy as np

from ..core.compiled.shared import fill, pointer
from ..core.mixins import RigidDirectors, SmallDistance
from ..core.newton import NewtonSolver
from ..core.state import State

logger = logging.getLogger(__name__)

#: terms of the Taylor series
TERMS = 13
_POWERS = np.arange(TERMS)
_FACTORS = 1 / np.cumprod([1.0, *range(1, TERMS)])
#: angle in a step, rad, below which directors go straight: the difference is round-off
SLOW = 1e-4
#: angle in a step, rad, above which it may be what a loss of energy is due to
NOTED = 5e-3


class Bodies:
    """The rigid bodies of this rank: cells of kinds that say where their ``directors`` are.

    Attributes:
        names: of the bodies.
        places: local numbers of their directors' components, bodies x 9.
    """

    def __init__(self, state: State):
        self.state = state
        names, places = [], [np.zeros((0, 9), int)]
        for c, mine in zip(state.components, state.problem.local_unknowns, strict=True):
            if isinstance(c.kind, RigidDirectors):
                names += [c.owners[k] for k in c.owner]
                places.append(mine[:, c.kind.rigid_directors])
        self.names = names
        self.places = np.ascontiguousarray(np.concatenate(places), np.int32)
        self.any = bool(state.comm.allreduce(len(names)))

    def spins(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Angular velocities, rad/s: half the sum of d_k x (rate of d_k), bodies x 3."""
        module: Any = self.state.problem.module
        result = np.zeros((len(self.names), 3))
        places, *at = (pointer(module.ffi, z) for z in (self.places, q, v, result))
        module.lib.fc_spins(places, len(result), *at)
        return result


class DirectorRotation:
    """Reference motion of the directors in the coming step, as its Taylor series.

    Args:
        bodies: those that turn.
        newton: the solver of the system.

    Attributes:
        past: coordinates and velocities before the last step, and before the one before.
        gaps: whether forces follow the rates of small distances (``SmallDistance``).
        slopes: spin of each body with its first and second derivative, bodies x 9, as ``until`` has
            found them; derivatives only where any body turns.
    """

    def __init__(self, bodies: Bodies, newton: NewtonSolver):
        self.bodies, self.state, self.newton = bodies, bodies.state, newton
        small = any(isinstance(c.kind, SmallDistance) for c in self.state.components)
        self.gaps = bool(self.state.comm.allreduce(small))
        self.past = np.array([self.state.q, self.state.v] * 2)
        self.slopes = np.zeros((len(bodies.names), 9))
        self._weights, self._added = np.zeros((0, TERMS)), np.zeros((0, self.state.local))
        module: Any = self.state.problem.module
        self._ffi, self._lib = module.ffi, module.lib
        self.t = module.ffi.new("fc_turning *")
        self.t.bodies, self.t.terms, self.t.slow = len(bodies.names), TERMS, SLOW
        self._keep = fill(module.ffi, self.t, {
            "places": bodies.places, "slopes": self.slopes, "series": np.zeros((TERMS, 9)),
            "past": self.past,
        })  # fmt: skip

    def until(
        self, h: float, weights: np.ndarray, last: float = 0.0, older: float = 0.0
    ) -> np.ndarray | None:
        """Terms that turning directors add to formulas over a time ``h`` from now, on all unknowns
        (local), one row for each row of ``weights``, in an array that the next call may use again;
        ``None`` where nothing turns. Collective.

        Args:
            weights: of the derivatives in each formula; the same array as long as they are the
                same.
            last, older: lengths of the last step and of the one before, s; 0 without them.

        Steps do the same in ``core/compiled/stages.c``.
        """
        if weights is not self._weights:
            self._take(weights)
        c, at = self.newton.c, (self._weights_at, len(weights), self._added_at)
        self.newton.check(self._lib.fc_turn(c, self.t, h, last, older, *at))
        return self._added if self.t.turns else None

    def _take(self, weights: np.ndarray) -> None:
        """Pass other weights to the compiled function."""
        if len(self._added) != len(weights):
            self._added = np.zeros((len(weights), self.state.local))
        self._weights = weights
        self._weights_at, self._added_at = (pointer(self._ffi, z) for z in (weights, self._added))


def powers(t: float) -> np.ndarray:
    """Weights of the derivatives in a Taylor series at ``t``, those of its first and of its second
    derivative: 3 x TERMS."""
    result = np.zeros((3, TERMS))
    result[0] = t**_POWERS * _FACTORS
    result[1, 1:], result[2, 2:] = result[0, :-1], result[0, :-2]
    return result


class RotationLimit:
    """Warns once when a rigid body turns too far in a step for the scheme to be accurate.

    A director that goes straight in a step of angle x has an error of x^2/12 of its path, 2e-4 for
    0.05 rad. Schemes in which directors turn allow more. The first step is checked, then one in
    every ``every``, because a check takes as long as a step.

    Args:
        bodies: the rigid bodies of a run.
        turning: whether their directors turn within a step.
        every: steps from one check to the next; compiled steps (march.c) check each.
    """

    def __init__(self, bodies: Bodies, turning: bool, every: int = 100):
        self.bodies, self.turning, self.every = bodies, turning, every
        self.limit = 0.5 if turning else 0.05
        #: step of the next check
        self.due = 0.0 if bodies.any else inf

    def see(self, steps: int, h: float) -> None:
        """After the accepted step number ``steps``, of length ``h``; collective."""
        if steps < self.due:
            return
        self.due = steps + self.every
        spin, name = self.fastest()
        if spin * h <= self.limit:
            return
        self.due = inf
        logger.warning(
            "%s turns by %.2g rad a step (%.4g rad/s): %s", name, spin * h, spin, self._advice(spin)
        )

    def fastest(self) -> tuple[float, str]:
        """Angular velocity (rad/s) and name of the body that turns fastest; collective."""
        bodies, state, comm = self.bodies, self.bodies.state, self.bodies.state.comm
        spins = np.linalg.norm(bodies.spins(state.q, state.v), axis=1)
        k = int(np.argmax(spins)) if len(spins) else -1
        mine = (float(spins[k]), bodies.names[k]) if len(spins) else (0.0, "")
        return max(comm.allgather(mine)) if comm.size > 1 else mine

    def drag(self, h: float) -> str:
        """Which body constraints on positions alone brake in steps of ``h`` s, and what helps, or
        an empty text: none turns by ``NOTED``; collective."""
        spin, name = self.fastest() if self.bodies.any and not self.turning else (0.0, "")
        if not spin * h > NOTED:
            return ""
        return (
            f"{name} turns by {spin * h:.2g} rad a step, which brakes it with constraints on "
            "positions; use constraints=stabilised, smaller steps or a rho_inf closer to 1"
        )

    def _advice(self, spin: float) -> str:
        step = f"a step of {self.limit / spin:.2g} s or less follows it"
        if self.turning:
            return step + "."
        return f"{step}, or constraints=stabilised, in which directors turn within a step."
