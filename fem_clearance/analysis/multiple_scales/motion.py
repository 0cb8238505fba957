"""Motion of the sliding pendulum in contact, in a film and in free flight: Ebrahimi et al. (2017),
sections 3.1.1 to 3.1.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...errors import InputError
from .coefficients import Coefficients


@dataclass(frozen=True)
class Contact:
    """Motion in permanent contact (or film), eqs. (34), (35) and (41), (42), corrected.

    Args:
        c: coefficients.
        amplitude: a of the fast motion at ``time``, m.
        phase: psi of the fast motion at ``time``, rad.
        swing: c3, amplitude of the pendulum, rad.
        swing_phase: phi of the pendulum at ``time``, rad.
        time: s.
    """

    c: Coefficients
    amplitude: float
    phase: float
    swing: float
    swing_phase: float
    time: float = 0.0

    @classmethod
    def through(cls, c: Coefficients, time: float, y, speed, angle, rate) -> Contact:
        """The solution with given values at a time (s): y (m), dy/dt (m/s), theta (rad) and
        dtheta/dt (rad/s).

        Raises:
            InputError: there is none, for example if the motion is not small.
        """
        from scipy.optimize import root

        swing_phase = np.arctan2(-rate / c.omega2, angle)
        swing = float(np.hypot(angle, rate / c.omega2))
        steady = cls(c, 0.0, 0.0, swing, swing_phase, time)
        goal = np.array([y, speed, angle, rate])
        fast = goal[:2] - [steady.y(time), steady._rate(steady.y, time)]
        # y = -a cos psi to begin with
        a, psi = np.hypot(fast[0], fast[1] / c.omega1), np.arctan2(fast[1] / c.omega1, -fast[0])
        size = np.array([max(a, 1e-12)] * 2 + [max(swing, 1e-12)] * 2)
        units = size * [1, c.omega1, 1, c.omega2]

        def values(x) -> tuple[float, float, float, float]:
            """Amplitudes and phases as cosine and sine parts."""
            (p, q), (r, s) = x[:2] * size[0], x[2:] * size[2]
            return np.hypot(p, q), np.arctan2(q, p), np.hypot(r, s), np.arctan2(s, r)

        def misfit(x):
            m = cls(c, *values(x), time)
            now = [m.y(time), m._rate(m.y, time), m.angle(time), m._rate(m.angle, time)]
            return (now - goal) / units

        start = np.array(
            [a * np.cos(psi), a * np.sin(psi),
             swing * np.cos(swing_phase), swing * np.sin(swing_phase)]
        ) / size  # fmt: skip
        found = root(misfit, start, tol=1e-12)
        if np.max(np.abs(misfit(found.x))) > 1e-8:
            raise InputError("no multiple-scales solution has these initial values.")
        a, psi, b, phi = map(float, values(found.x))
        return cls(c, a, psi, b, phi, time)

    @staticmethod
    def _rate(function, t):
        """Derivative of an analytic function by the complex step."""
        return np.imag(function(t + 1e-20j)) / 1e-20

    @property
    def frequency(self) -> float:
        """Frequency of the pendulum, Hz: eq. (38)."""
        return self.c.omega2 * (1 - self.swing**2 / 16) / (2 * np.pi)

    def fast_amplitude(self, t):
        """Amplitude a of the fast motion, m: eq. (31)."""
        c, s = self.c, np.asarray(t) - self.time
        if self.amplitude == 0:
            return 0.0 * s
        if c.alpha2 == 0:  # no damping at all
            return self.amplitude + 0.0 * s
        left = np.exp(-c.alpha2 * s)
        more = c.alpha4 * self.amplitude**2 / (4 * c.alpha2)
        return self.amplitude * np.sqrt(left / (1 + more * (1 - left)))

    def angle(self, t):
        """Pendulum's angle, rad: eq. (34)."""
        return self.swing * np.cos(self._phi(t))

    def _phi(self, t):
        return self.swing_phase + 2 * np.pi * self.frequency * (np.asarray(t) - self.time)

    def steady(self, t):
        """y after the fast motion has decayed, m: the first terms of eq. (35), and eq. (42)."""
        c, phi, b = self.c, self._phi(t), self.swing
        second = (b**2 - b**4 / 12) * np.cos(2 * phi) / (c.omega1**2 - 4 * c.omega2**2)
        fourth = b**4 * np.cos(4 * phi) / (12 * (c.omega1**2 - 16 * c.omega2**2))
        return c.rest + c.alpha5 * c.omega2**2 * (second - fourth)

    def y(self, t):
        """Slider's position, m: eq. (35), corrected."""
        c, a = self.c, self.fast_amplitude(t)
        psi = self.phase + c.omega1 * (np.asarray(t) - self.time)
        # a^2 = 4 alpha2 / D in the symbols of the paper
        fast = -a * np.cos(psi)
        fast = fast + c.alpha1 * a**2 / (2 * c.omega1**2) * (1 - np.cos(2 * psi) / 3)
        fast = fast + c.alpha3 * a**2 / (6 * c.omega1) * np.sin(2 * psi)
        fast = fast + c.alpha4 * a**3 / (32 * c.omega1) * np.sin(3 * psi)
        return self.steady(t) + fast


class Flight(NamedTuple):
    """Motion without contact, exact, in place of eqs. (39), (40).

    The centre of mass falls freely; a pendulum at rest keeps its angle. Arguments: ``y`` (m),
    ``speed`` = dy/dt (m/s), ``angle`` (rad) and ``rate`` (rad/s) at the start; kg, m, m/s^2.
    """

    y: float
    speed: float
    angle: float
    rate: float = 0.0
    pendulum_mass: float = 50.0
    slider_mass: float = 0.2
    length: float = 1.0
    gravity: float = 9.81

    def motion(self, t) -> tuple[np.ndarray, np.ndarray]:
        """y (m) and angle (rad) at times since the flight began, increasing."""
        t = np.asarray(t, float)
        arm = self.pendulum_mass * self.length / (2 * (self.pendulum_mass + self.slider_mass))
        angle = self._angle(t)
        fall = (self.speed + arm * np.sin(self.angle) * self.rate) * t - self.gravity / 2 * t**2
        return self.y + fall + arm * (np.cos(angle) - np.cos(self.angle)), angle

    def _angle(self, t):
        if self.rate == 0:
            return np.full_like(t, self.angle)
        from scipy.integrate import solve_ivp

        m, total = self.pendulum_mass, self.pendulum_mass + self.slider_mass

        def inertia(x):
            return self.length**2 * m * (1 / 3 - m / (4 * total) * np.sin(x) ** 2)

        # inertia(angle) rate^2 / 2, the energy about the centre of mass, is constant
        speed = lambda _, x: self.rate * np.sqrt(inertia(self.angle) / inertia(x))  # noqa: E731
        span = (0.0, max(float(t[-1]), 1e-12))
        return solve_ivp(speed, span, [self.angle], t_eval=t, rtol=1e-11, atol=1e-13).y[0]
