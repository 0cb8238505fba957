"""Periodic orbits and their stability.

Shooting: x lies on an orbit if the flow returns to it after a period. The eigenvalues of the
derivative of that map (the monodromy matrix) are the Floquet multipliers; an orbit is stable if all
lie inside the unit circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .continuation import Curve, NotConverged, Solution, Steps
from .flows import Flow, Motion
from .signals import Extremes, extremes, interpolant


@dataclass
class Orbit:
    """A periodic motion.

    Attributes:
        flow: of which it is an orbit.
        parameter: its value.
        state: x at the start of a period.
        period: s.
        monodromy: derivative of x after a period by x.
    """

    flow: Flow = field(repr=False)
    parameter: float
    state: np.ndarray
    period: float
    monodromy: np.ndarray = field(repr=False)

    @cached_property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers, the largest first."""
        values = np.linalg.eigvals(self.monodromy)
        return values[np.argsort(-np.abs(values))]

    @property
    def relevant(self) -> np.ndarray:
        """The multipliers, for autonomous flows without the one that is always 1."""
        values = self.multipliers
        if not self.flow.autonomous:
            return values
        return np.delete(values, np.argmin(np.abs(values - 1)))

    @property
    def stable(self) -> bool:
        """Whether neighbouring motions approach it."""
        return bool(np.all(np.abs(self.relevant) < 1))

    @cached_property
    def motion(self) -> Motion:
        """A period at 257 times (of a ``System`` at its steps)."""
        return self.flow.motion(self.state, self.parameter, 256, self.period)

    def extremes(self, component: int = 0) -> Extremes:
        """Lowest and highest value of a component, also between the times of ``motion``."""
        m = self.motion
        return extremes(m.time, m.states[:, component], m.rates[:, component])

    def amplitude(self, component: int = 0) -> float:
        """Half the peak-to-peak value of a component."""
        found = self.extremes(component)
        return (found.high - found.low) / 2

    def harmonics(self, component: int = 0, count: int = 8) -> np.ndarray:
        """Complex amplitudes of the mean and the first ``count`` harmonics: the motion is the real
        part of sum c_k exp(2 pi i k t / period)."""
        m = self.motion
        even = np.linspace(0.0, m.time[-1], len(m.time))
        values = m.states[:, component]
        if not np.allclose(m.time, even, rtol=0.0, atol=1e-9 * m.time[-1]):  # adaptive steps
            values = interpolant(m.time, values, m.rates[:, component])(even)
        lines = np.fft.rfft(values[:-1]) / (len(values) - 1)
        lines[1:] *= 2
        return lines[: count + 1]


class Shooting:
    """Residual of a periodic orbit in z = x, or (x, period) for autonomous equations."""

    def __init__(self, flow: Flow, reference: np.ndarray, rate: np.ndarray | None):
        self.flow, self.reference, self.rate = flow, reference, rate

    def split(self, z):
        """x and the period, ``None`` if it is that of the excitation."""
        return (z[:-1], float(z[-1])) if self.flow.autonomous else (z, None)

    def __call__(self, z, parameter):
        x, period = self.split(z)
        if period is not None and not period > 0:
            raise NotConverged("the period is not positive")
        end, monodromy, by_parameter, rate = self.flow.transition(x, parameter, period)
        self.monodromy = monodromy
        residual, by_z = end - x, monodromy - np.eye(len(x))
        if period is not None:
            # the phase is free: stay in the plane normal to the reference orbit
            assert self.rate is not None
            unit = self.rate / np.linalg.norm(self.rate)
            residual = np.append(residual, unit @ (x - self.reference))
            by_z = np.block([[by_z, rate[:, None]], [unit[None, :], np.zeros((1, 1))]])
            by_parameter = np.append(by_parameter, 0.0)
        return residual, by_z, by_parameter


def first_guess(flow: Flow, parameter: float, guess, period, periods: int) -> np.ndarray:
    """The checked guess after some periods, which bring it near an attractor, if there is one."""
    x = np.asarray(flow.initial(parameter), float)  # the flow of a system needs this for its size
    if guess is not None:
        x = np.asarray(guess, float)
    if x.shape != (flow.size,):
        raise InputError(f"the guess must be {flow.size} numbers, got {guess!r}.")
    if flow.autonomous and period is None:
        raise InputError("autonomous equations need a guess of the period: period= in s.")
    for _ in range(periods):
        x = flow.end(x, parameter)
    return x


def scale_of(flow, parameter, x, period) -> np.ndarray:
    """Size of each component over a period from x, and of an unknown period."""
    size = flow.scale(x, parameter, period)
    return np.append(size, period) if flow.autonomous else size


def periodic_orbit(
    flow: Flow,
    parameter: float,
    guess: ArrayLike | None = None,
    *,
    period: float | None = None,
    periods: int = 0,
    scale: Sequence[float] | None = None,
    steps: Steps | None = None,
) -> Orbit:
    """A periodic orbit near a guess, stable or not, by shooting.

    Args:
        flow: an ``OdeFlow`` or ``SystemFlow``.
        parameter: its value.
        guess: state at the start of a period; default: of a ``SystemFlow`` as built, else 0.
        period: guess of the period of autonomous equations, s.
        periods: number of periods that are run from the guess first.
        scale: size of the motion in each component, to which errors are relative; default: half the
            peak-to-peak value over a period from the guess.
        steps: whose ``tolerance`` and ``iterations`` Newton's method has.

    Raises:
        InputError: no orbit found.

    Example::

        forced = analysis.OdeFlow(  # x'' + 0.1 x' + x = cos(w t)
            lambda t, x, w: [x[1], np.cos(w * t) - 0.1 * x[1] - x[0]], size=2,
            period=lambda w: 2 * np.pi / w)
        orbit = analysis.periodic_orbit(forced, 1.0)
        orbit.amplitude(0)  # 10.0
    """
    x = first_guess(flow, parameter, guess, period, periods)
    shooting = Shooting(flow, x, rate_of(flow, x, parameter, period))
    size = scale_of(flow, parameter, x, period) if scale is None else np.asarray(scale, float)
    steps = steps or Steps(tolerance=flow.precision)
    curve = Curve(shooting, size, abs(parameter) or 1.0, steps)
    z = x if period is None or not flow.autonomous else np.append(x, period)
    try:
        found = curve.start(z, parameter, True)
    except (NotConverged, np.linalg.LinAlgError) as reason:
        raise InputError(
            f"no periodic orbit near the guess at parameter {parameter:g} ({reason}); give a "
            "better guess, or periods= to let the motion settle."
        ) from None
    return orbit_at(shooting, found)


@dataclass(frozen=True)
class PeriodicOrbit:
    """Arguments of ``periodic_orbit``, for derivatives of the orbit.

    Args:
        flow, parameter, guess, period, periods: see ``periodic_orbit``.
    """

    flow: Flow
    parameter: float = 0.0
    guess: ArrayLike | None = None
    period: float | None = None
    periods: int = 0

    def solve(self) -> Orbit:
        """The orbit; errors as of ``periodic_orbit``."""
        return periodic_orbit(
            self.flow, self.parameter, self.guess, period=self.period, periods=self.periods
        )


def rate_of(flow, x, parameter, period):
    """dx/dt at x, normal to which the phase of an autonomous orbit is fixed; else ``None``."""
    return flow.motion(x, parameter, 1, period).rates[0] if flow.autonomous else None


def orbit_at(shooting: Shooting, found: Solution) -> Orbit:
    """The orbit at a point of a curve, at which ``shooting`` was evaluated last."""
    flow = shooting.flow
    x, period = shooting.split(found.z)
    T = flow.period(found.parameter) if period is None else period
    return Orbit(flow, found.parameter, x, T, shooting.monodromy.copy())
