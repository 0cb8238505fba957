"""Rigid bodies that turn within a step, and how fast they spin.

A scheme of second order moves each director on a parabola. For a body that spins fast its error is
mostly that of this curve: h^2/12 times a third derivative of the size of omega^2 d(omega)/dt. But
that curve is known beforehand: directors turn with a spin that changes slowly. So the scheme is
applied to the difference from a turning reference

    d' = omega(t) x d,    omega(t) = omega_n + alpha t + beta t^2 / 2,

which starts each step at the present directors and spin; alpha and beta follow from the spins of
the last three steps. Schemes are linear in coordinates, velocities and accelerations, so this only
adds to their formulas what they leave of the reference: of each power of t in its Taylor series the
difference between the power and what the scheme makes of it. These differences begin with h^3, so
the order of the scheme stays.

The spins must be free of the oscillations that constraints on positions alone leave in velocities
(they would be fed back): schemes do this with stabilised constraints only.

``fc_turn`` of ``core/compiled/turning.c`` is ``DirectorRotation.step``, for one rank without
followers; it leaves out terms below round-off.
"""

from __future__ import annotations

import logging
from math import inf
from typing import Any

import numpy as np

from ..core.compiled.shared import pointer
from ..core.mixins import RigidDirectors
from ..core.state import State

logger = logging.getLogger(__name__)

#: terms of the Taylor series
TERMS = 13
_POWERS = np.arange(TERMS)
_FACTORS = 1 / np.cumprod([1.0, *range(1, TERMS)])
#: rad in a step below which directors may as well go straight: what is left is round-off
SLOW = 1e-4


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
        self.names, self.places = names, np.concatenate(places)
        self.any = bool(state.comm.allreduce(len(names)))

    def directors(self, values: np.ndarray) -> np.ndarray:
        """Those of local values, bodies x director x component."""
        return values[self.places].reshape(-1, 3, 3)

    def spins(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Angular velocities, rad/s: half the sum of d_k x (rate of d_k), bodies x 3."""
        products = self.directors(q).transpose(0, 2, 1) @ self.directors(v)
        return (products[:, (1, 2, 0), (2, 0, 1)] - products[:, (2, 0, 1), (1, 2, 0)]) / 2


class DirectorRotation:
    """Reference motion of the directors in the coming step, as its Taylor series.

    Attributes:
        past: coordinates and velocities before the last step, and before the one before.
    """

    def __init__(self, bodies: Bodies, c: Any):
        self.bodies, self.state, self.c = bodies, bodies.state, c
        self.past = np.array([self.state.q, self.state.v] * 2)
        self.spin = np.zeros((len(bodies.names), 3))
        self.added = np.zeros((0, self.state.local))
        self._weights: np.ndarray | None = None
        self._module: Any = self.state.problem.module
        self._lib: Any = None
        if self.state.problem.compiled_alone:
            self._share()
        self.free = (bodies.places < self.state.local).ravel()  # others are known values
        self.into = bodies.places.ravel()[self.free]

    def _share(self) -> None:
        """Show the compiled function where everything is."""
        bodies, module = self.bodies, self._module
        count = len(bodies.names)
        self._keep: list[np.ndarray] = [
            np.ascontiguousarray(bodies.places, np.int32),
            np.zeros((count, 9)), np.zeros((TERMS, 9)), self.past,
        ]  # fmt: skip
        self._lib, self.t = module.lib, module.ffi.new("fc_turning *")
        self.t.bodies, self.t.terms, self.t.slow = count, TERMS, SLOW
        for name, z in zip(("places", "slopes", "series", "past"), self._keep, strict=True):
            setattr(self.t, name, pointer(module.ffi, z))

    def step(self, h: float, last: float, older: float, weights: np.ndarray) -> np.ndarray | None:
        """What turning directors add to the formulas of a step of ``h`` that begins here, on all
        unknowns (local), one row for each row of ``weights``; ``None`` where nothing turns.
        Collective.

        Args:
            last, older: lengths of the last step and of the one before, s; 0 without them.
            weights: of the derivatives in each formula; the same array as long as ``h`` is the
                same.
        """
        if self._lib is not None:
            if weights is not self._weights:
                self._take(weights)
            turns = self._lib.fc_turn(
                self.c, self.t, h, last, older, self._weights_at, len(weights), self._added_at
            )
            return self.added if turns else None
        past = [(self.past[k], self.past[k + 1]) for k in (0, 2)]
        turns = self.begin(h, past, [last, older] if older else [])
        self.past[2:] = self.past[:2]
        self.past[:2] = self.state.q, self.state.v
        return self.sum(weights) if turns else None

    def _take(self, weights: np.ndarray) -> None:
        """Show the compiled function other weights."""
        ffi = self._module.ffi
        if len(self.added) != len(weights):
            self.added = np.zeros((len(weights), self.state.local))
            self._added_at = pointer(ffi, self.added)
        self._weights = weights
        self._weights_at = pointer(ffi, weights)

    def begin(self, h: float, past: list[tuple[np.ndarray, np.ndarray]], steps: list[float]):
        """Look at the present state, at the start of a step of ``h``.

        Args:
            past: coordinates and velocities one and two steps ago.
            steps: lengths of these steps, s, as far as they count.

        Returns:
            whether any body turns enough to matter; collective.
        """
        bodies, state = self.bodies, self.state
        if not bodies.any:
            return False
        self.spin = bodies.spins(state.q, state.v)
        fastest = float(np.abs(self.spin).max(initial=0.0)) * h
        if state.comm.size > 1:
            fastest = state.comm.allreduce(fastest, max)
        if fastest < SLOW:
            return False
        if len(steps) == 2:
            before = [bodies.spins(q, v) for q, v in past]
            slopes = _slopes(self.spin, before, steps)
        else:  # the accelerations of a start are exact; those of later steps would be fed back
            slopes = bodies.spins(state.q, state.a), np.zeros_like(self.spin)
        self._series(*slopes)
        return True

    def _series(self, alpha: np.ndarray, beta: np.ndarray):
        """Derivatives of the directors, terms x bodies x 9, from d' = omega x d by Leibniz."""
        omega, alpha, beta = map(_cross_matrix, (self.spin, alpha, beta))
        d = [self.bodies.directors(self.state.q)]
        for k in range(TERMS - 1):
            following = d[k] @ omega
            if k > 0:
                following += k * d[k - 1] @ alpha
            if k > 1:
                following += k * (k - 1) / 2 * d[k - 2] @ beta
            d.append(following)
        self.derivatives = np.reshape(d, (TERMS, 9 * len(d[0])))

    def sum(self, weights: np.ndarray) -> np.ndarray:
        """Series with the given weights of the derivatives, one row each, on all unknowns
        (local); collective."""
        state = self.state
        result = np.zeros((len(weights), state.total))
        result[:, self.into] = (weights @ self.derivatives)[:, self.free]
        if state.comm.size > 1:
            return np.array([state.spread(state.add_over_ranks(row).copy()) for row in result])
        return result[:, : state.local]


def powers(t: float) -> np.ndarray:
    """Weights of the derivatives in a Taylor series at ``t``, those of its first and of its second
    derivative: 3 x TERMS."""
    result = np.zeros((3, TERMS))
    result[0] = t**_POWERS * _FACTORS
    result[1, 1:], result[2, 2:] = result[0, :-1], result[0, :-2]
    return result


def _slopes(spin: np.ndarray, before: list[np.ndarray], steps: list[float]):
    """First and second derivative of the spins from divided differences.

    Where the last steps are not those of a smooth motion (an impact) they are taken as zero.
    """
    changes = spin - before[0], before[0] - before[1]
    first, second = (z / h for z, h in zip(changes, steps, strict=True))
    beta = 2 * (first - second) / (steps[0] + steps[1])
    largest = np.maximum(*np.abs(changes)).max(axis=1, keepdims=True)
    smooth = largest < 0.5 * np.abs(spin).max(axis=1, keepdims=True)
    return (first + beta * steps[0] / 2) * smooth, beta * smooth


def _cross_matrix(w: np.ndarray) -> np.ndarray:
    """Matrices W with d W = w x d for rows d."""
    result = np.zeros((len(w), 3, 3))
    result[:, 0, 1], result[:, 1, 2], result[:, 2, 0] = w[:, 2], w[:, 0], w[:, 1]
    return result - result.transpose(0, 2, 1)


class RotationLimit:
    """Warns once when the spin of a rigid body times the step passes what the scheme follows well.

    A director that goes straight in a step of angle x is off by x^2/12 of its way: 0.05 rad leaves
    2e-4. Schemes in which directors turn allow more. Looks at the first step and then now and then:
    a look costs as much as a step.

    Args:
        bodies: the rigid bodies of a run.
        turning: whether their directors turn within a step.
        every: steps from one look to the next.
    """

    def __init__(self, bodies: Bodies, turning: bool, every: int = 100):
        self.bodies, self.turning, self.every = bodies, turning, every
        self.limit = 0.5 if turning else 0.05
        #: step of the next look
        self.due = 0.0 if bodies.any else inf

    def see(self, steps: int, h: float) -> None:
        """After the accepted step number ``steps``, of length ``h``; collective."""
        if steps < self.due:
            return
        self.due = steps + self.every
        bodies, state, comm = self.bodies, self.bodies.state, self.bodies.state.comm
        spins = np.linalg.norm(bodies.spins(state.q, state.v), axis=1)
        fastest = int(np.argmax(spins)) if len(spins) else -1
        mine = (float(spins[fastest]), bodies.names[fastest]) if len(spins) else (0.0, "")
        spin, name = max(comm.allgather(mine)) if comm.size > 1 else mine
        if spin * h <= self.limit:
            return
        self.due = inf
        logger.warning(
            "%s turns by %.2g rad a step (%.4g rad/s): %s", name, spin * h, spin, self._advice(spin)
        )

    def _advice(self, spin: float) -> str:
        step = f"a step of {self.limit / spin:.2g} s or less follows it"
        if self.turning:
            return step + "."
        return f"{step}, or constraints=stabilised, in which directors turn within a step."
