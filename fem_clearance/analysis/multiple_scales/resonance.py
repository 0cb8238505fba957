"""Primary resonance of the slider: Ebrahimi et al. (2017), section 3.2; flows for shooting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import checks
from ..flows import OdeFlow
from .coefficients import Coefficients


@dataclass(frozen=True)
class Resonance:
    """Response of the slider to F0 cos(Omega t) with the pendulum at rest: section 3.2, corrected.

    First order, eqs. (46), (47): [sigma^2 + (alpha4 a^2 / 8 + alpha2 / 2)^2] a^2 = (f / 2 omega1)^2
    with sigma = Omega - omega1 and the specific force f = F0 / mass. ``backbone=True`` replaces
    sigma by sigma - kappa a^2, with the second-order shift of the free vibration.

    Args:
        c: coefficients.
        force: F0, N.
        backbone: bend the curve with the frequency of the free vibration.
    """

    c: Coefficients
    force: float
    backbone: bool = False

    def __post_init__(self):
        checks.positive("Resonance.force", self.force)

    @property
    def shift(self) -> float:
        """kappa, rad/(s m^2): free vibration of amplitude a has omega1 + kappa a^2 (second order).

        For Hertz's contact it is -omega1 / (24 Delta^2).
        """
        c = self.c
        return (9 * c.cubic * c.omega1**2 - 10 * c.alpha1**2) / (24 * c.omega1**3)

    @property
    def _drive(self) -> float:
        return self.force / self.c.mass / (2 * self.c.omega1)

    @property
    def peak(self) -> float:
        """Largest amplitude, m; infinite without damping."""
        if self.c.alpha2 == 0:
            return float("inf")
        roots = np.roots([self.c.alpha4 / 8, 0.0, self.c.alpha2 / 2, -self._drive])
        return float(roots[np.abs(roots.imag) < 1e-9 * np.abs(roots)].real.max())

    def frequencies(self, amplitude) -> tuple[np.ndarray, np.ndarray]:
        """Both excitation frequencies (Hz) for an amplitude (m) up to ``peak``: the branches to the
        left and right of the backbone."""
        a, c = np.asarray(amplitude, float), self.c
        across = (self._drive / a) ** 2 - (c.alpha4 * a**2 / 8 + c.alpha2 / 2) ** 2
        width = np.sqrt(np.maximum(across, 0.0))
        middle = c.omega1 + (self.shift * a**2 if self.backbone else 0.0)
        return (middle - width) / (2 * np.pi), (middle + width) / (2 * np.pi)

    def amplitudes(self, frequency: float) -> list[float]:
        """Amplitudes at an excitation frequency (Hz), m: one, or three between folds."""
        c, sigma = self.c, 2 * np.pi * frequency - self.c.omega1
        kappa = self.shift if self.backbone else 0.0
        # a polynomial in a^2
        cubic = [
            kappa**2 + (c.alpha4 / 8) ** 2,
            c.alpha4 * c.alpha2 / 8 - 2 * sigma * kappa,
            sigma**2 + c.alpha2**2 / 4,
            -(self._drive**2),
        ]
        # in units of about the peak, so that the coefficients are of one size
        unit = self.peak**2 if c.alpha2 else (self.force / c.mass / c.omega1**2) ** 2
        roots = np.roots([k * unit ** (3 - n) for n, k in enumerate(cubic)])
        real = roots[np.abs(roots.imag) < 1e-7 * np.abs(roots)].real
        return sorted(float(np.sqrt(r * unit)) for r in real if r > 0)


def dry_flow(
    c: Coefficients, stiffness: float, hysteresis: float, approach: float, force: float
) -> OdeFlow:
    """The slider with the pendulum at rest, the full contact law and F0 cos(Omega t), which
    ``Resonance`` approximates. x = (u, du/dt) in m, m/s; the parameter is the frequency in Hz.

    Args:
        c: from ``dry`` with the same numbers.
        stiffness, hysteresis, approach: as for ``dry``; the approach speed is constant.
        force: F0, N.
    """
    delta = c.omega1**2 / (4 * c.alpha1)  # penetration at rest
    load = stiffness * delta**1.5

    def law(u, speed):
        depth = max(delta + u, 0.0)
        spring, damping = stiffness * depth**1.5, 1 + hysteresis * speed / approach
        slope = 1.5 * stiffness * depth**0.5 * damping
        if spring * damping <= 0:
            return 0.0, 0.0, 0.0
        return spring * damping, slope, spring * hysteresis / approach

    return _flow(c, law, load, force, delta)


def lubricated_flow(
    c: Coefficients, viscosity: float, force: float, *, clearance=8e-5, radius=5e-3,
    bearing_length=0.04, spring=1.56e9,
) -> OdeFlow:  # fmt: skip
    """As ``dry_flow`` for the film with a spring, eq. (15)."""
    d = 12 * np.pi * viscosity * bearing_length * radius**3 / clearance**3

    def law(u, speed):
        eps = (u - c.rest) / clearance
        rest = 1 - eps**2
        damping = d * rest**-1.5
        slope = spring + 3 * d * speed * eps / clearance * rest**-2.5
        return spring * (u - c.rest) + damping * speed, slope, damping

    return _flow(c, law, -spring * c.rest, force, clearance)


def _flow(c: Coefficients, law, load: float, force: float, size: float) -> OdeFlow:
    """m u'' + law(u, u') = load - F0 cos(2 pi f t), with the law's derivatives."""

    def rhs(t, x, frequency):
        push = load - force * np.cos(2 * np.pi * frequency * t)
        return np.array([x[1], (push - law(*x)[0]) / c.mass])

    def jacobian(t, x, frequency):
        _, by_u, by_speed = law(*x)
        return np.array([[0.0, 1.0], [-by_u / c.mass, -by_speed / c.mass]])

    return OdeFlow(
        rhs, 2, lambda frequency: 1 / frequency, jacobian=jacobian, rtol=1e-9,
        atol=1e-9 * size * np.array([1.0, c.omega1]),
    )  # fmt: skip
