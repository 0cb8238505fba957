"""The sliding pendulum by multiple scales: Ebrahimi et al. (2017), section 3, corrected.

Derivation and errata: docs/multiple_scales.md. With u = -(y - y_rest) and theta both cases are

    u'' + w1^2 u + a1 u^2 + cubic u^3 + a2 u' + a3 u u' + a4 u^2 u'
        = a5 [(theta - theta^3/6) theta'' + theta'^2 (1 - theta^2/2)]           (9), (17), E002-2
    theta'' + w2^2 theta = a6 (theta - theta^3/6) u'' + a7 theta^3              (10), (18)

``dry`` and ``lubricated`` give the coefficients, ``Contact`` the motion, ``Resonance`` the response
to a harmonic force on the slider.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .. import checks
from ..errors import InputError
from .flows import OdeFlow


@dataclass(frozen=True)
class Coefficients:
    """Numbers of the equations above.

    Attributes:
        omega1, omega2: linear natural frequencies of slider and pendulum, rad/s.
        alpha1 ... alpha7: as in eq. (11); of a film those of eq. (19) in the same places.
        cubic: coefficient of u^3, which the paper drops and the backbone needs, 1/(m^2 s^2).
        rest: y of the slider at rest, m.
        mass: of slider and pendulum, kg.
    """

    omega1: float
    omega2: float
    alpha1: float
    alpha2: float
    alpha3: float
    alpha4: float
    alpha5: float
    alpha6: float
    alpha7: float
    cubic: float
    rest: float
    mass: float


def _pendulum(mass, length, gravity, total):
    omega2 = np.sqrt(1.5 * gravity / length)
    return {
        "omega2": float(omega2),
        "alpha5": mass * length / (2 * total),
        "alpha6": 1.5 / length,
        "alpha7": float(omega2**2 / 6),
        "mass": total,
    }


def dry(
    stiffness: float,
    hysteresis: float,
    approach: float,
    *,
    clearance: float = 5e-4,
    pendulum_mass: float = 50.0,
    slider_mass: float = 0.2,
    length: float = 1.0,
    gravity: float = 9.81,
) -> Coefficients:
    """Coefficients of dry contact with K delta^1.5 (1 + chi rate / approach), eq. (11).

    Args:
        stiffness: K, N/m^1.5.
        hysteresis: chi; of a law, ``law.hysteresis()``.
        approach: speed of the first contact, m/s.
    """
    total = pendulum_mass + slider_mass
    delta = (total * gravity / checks.positive("stiffness", stiffness)) ** (2 / 3)
    k, x = stiffness / total, hysteresis / checks.positive("approach", approach)
    x *= k
    return Coefficients(
        omega1=float(np.sqrt(1.5 * k * delta**0.5)),
        alpha1=3 / 8 * k * delta**-0.5,
        alpha2=x * delta**1.5,
        alpha3=1.5 * x * delta**0.5,
        alpha4=3 / 8 * x * delta**-0.5,
        cubic=-k / 16 * delta**-1.5,
        rest=-clearance - delta,
        **_pendulum(pendulum_mass, length, gravity, total),
    )


def lubricated(
    viscosity: float,
    *,
    clearance: float = 8e-5,
    radius: float = 5e-3,
    bearing_length: float = 0.04,
    spring: float = 1.56e9,
    pendulum_mass: float = 50.0,
    slider_mass: float = 0.2,
    length: float = 1.0,
    gravity: float = 9.81,
) -> Coefficients:
    """Coefficients of the squeeze film with a spring, eq. (19)."""
    total = pendulum_mass + slider_mass
    rest = -total * gravity / checks.positive("spring", spring)
    c = checks.positive("clearance", clearance)
    viscosity = checks.positive("viscosity", viscosity)
    d = 12 * np.pi * viscosity * bearing_length * radius**3 / c**3 / total
    return Coefficients(
        omega1=float(np.sqrt(spring / total)),
        alpha1=0.0,
        alpha2=d * (1 + 1.5 * (rest / c) ** 2),
        alpha3=-3 * d * rest / c**2,
        alpha4=1.5 * d / c**2,
        cubic=0.0,
        rest=rest,
        **_pendulum(pendulum_mass, length, gravity, total),
    )


@dataclass(frozen=True)
class Contact:
    """Motion in permanent contact (or film), eqs. (34), (35) and (41), (42), E002-4.

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
        """The solution with these values at a time: y (m), dy/dt (m/s), theta (rad), dtheta/dt.

        Raises:
            InputError: none, such as values far outside small motion.
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

        def values(x):
            """Amplitudes and phases as cosine and sine parts."""
            (p, q), (r, s) = x[:2] * size[0], x[2:] * size[2]
            return float(np.hypot(p, q)), np.arctan2(q, p), float(np.hypot(r, s)), np.arctan2(s, r)

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
        return cls(c, *values(found.x), time)

    @staticmethod
    def _rate(function, t):
        """Derivative of an analytic function by the complex step."""
        return np.imag(function(t + 1e-20j)) / 1e-20

    @property
    def frequency(self) -> float:
        """Of the pendulum, Hz: eq. (38)."""
        return self.c.omega2 * (1 - self.swing**2 / 16) / (2 * np.pi)

    def fast_amplitude(self, t):
        """Amplitude a of the fast motion, m: eq. (31)."""
        c, s = self.c, np.asarray(t) - self.time
        if self.amplitude == 0:
            return 0.0 * s
        left = np.exp(-c.alpha2 * s)
        more = c.alpha4 * self.amplitude**2 / (4 * c.alpha2)
        return self.amplitude * np.sqrt(left / (1 + more * (1 - left)))

    def angle(self, t):
        """Pendulum's angle, rad: eq. (34)."""
        return self.swing * np.cos(self._phi(t))

    def _phi(self, t):
        return self.swing_phase + 2 * np.pi * self.frequency * (np.asarray(t) - self.time)

    def steady(self, t):
        """y when the fast motion has died out, m: the first terms of eq. (35), and eq. (42)."""
        c, phi, b = self.c, self._phi(t), self.swing
        second = (b**2 - b**4 / 12) * np.cos(2 * phi) / (c.omega1**2 - 4 * c.omega2**2)
        fourth = b**4 * np.cos(4 * phi) / (12 * (c.omega1**2 - 16 * c.omega2**2))
        return c.rest + c.alpha5 * c.omega2**2 * (second - fourth)

    def y(self, t):
        """Slider's position, m: eq. (35) with E002-4."""
        c, a = self.c, self.fast_amplitude(t)
        psi = self.phase + c.omega1 * (np.asarray(t) - self.time)
        # a^2 = 4 alpha2 / D in the symbols of the paper
        fast = -a * np.cos(psi)
        fast = fast + c.alpha1 * a**2 / (2 * c.omega1**2) * (1 - np.cos(2 * psi) / 3)
        fast = fast + c.alpha3 * a**2 / (6 * c.omega1) * np.sin(2 * psi)
        fast = fast + c.alpha4 * a**3 / (32 * c.omega1) * np.sin(3 * psi)
        return self.steady(t) + fast


class Flight(NamedTuple):
    """Motion without contact, exact: E002-5, E002-6 in place of eqs. (39), (40).

    The centre of mass falls freely. A pendulum at rest keeps its angle.
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

        # inertia(angle) rate^2 / 2, the energy about the centre of mass, stays
        speed = lambda _, x: self.rate * np.sqrt(inertia(self.angle) / inertia(x))  # noqa: E731
        span = (0.0, max(float(t[-1]), 1e-12))
        return solve_ivp(speed, span, [self.angle], t_eval=t, rtol=1e-11, atol=1e-13).y[0]


@dataclass(frozen=True)
class Resonance:
    """Response of the slider to F0 cos(Omega t), the pendulum at rest: section 3.2, E002-7.

    First order, eqs. (46), (47): [sigma^2 + (alpha4 a^2 / 8 + alpha2 / 2)^2] a^2 = (f / 2 omega1)^2
    with sigma = Omega - omega1 and the specific force f = F0 / mass. ``backbone=True`` puts
    sigma - kappa a^2 for sigma, the second-order shift of the free vibration.

    Args:
        c: coefficients.
        force: F0, N.
        backbone: bend the curve along the free vibration's frequency.
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
        """Largest amplitude, m."""
        roots = np.roots([self.c.alpha4 / 8, 0.0, self.c.alpha2 / 2, -self._drive])
        return float(roots[np.abs(roots.imag) < 1e-9 * np.abs(roots)].real.max())

    def frequencies(self, amplitude) -> tuple[np.ndarray, np.ndarray]:
        """Both excitation frequencies (Hz) of an amplitude up to ``peak`` (m): the branches left
        and right of the backbone."""
        a, c = np.asarray(amplitude, float), self.c
        across = (self._drive / a) ** 2 - (c.alpha4 * a**2 / 8 + c.alpha2 / 2) ** 2
        width = np.sqrt(np.maximum(across, 0.0))
        middle = c.omega1 + (self.shift * a**2 if self.backbone else 0.0)
        return (middle - width) / (2 * np.pi), (middle + width) / (2 * np.pi)

    def amplitudes(self, frequency: float) -> list[float]:
        """Amplitudes at an excitation frequency in Hz, m: one, or three where the curve folds."""
        c, sigma = self.c, 2 * np.pi * frequency - self.c.omega1
        kappa = self.shift if self.backbone else 0.0
        # a polynomial in a^2
        cubic = [
            kappa**2 + (c.alpha4 / 8) ** 2,
            c.alpha4 * c.alpha2 / 8 - 2 * sigma * kappa,
            sigma**2 + c.alpha2**2 / 4,
            -self._drive**2,
        ]
        # in units of the peak, so that the coefficients are of one size
        unit = self.peak**2
        roots = np.roots([k * unit ** (3 - n) for n, k in enumerate(cubic)])
        real = roots[np.abs(roots.imag) < 1e-7 * np.abs(roots)].real
        return sorted(float(np.sqrt(r * unit)) for r in real if r > 0)


def dry_flow(
    c: Coefficients, stiffness: float, hysteresis: float, approach: float, force: float
) -> OdeFlow:
    """The slider with the pendulum at rest, the full contact law and F0 cos(Omega t): what
    ``Resonance`` approximates. x = (u, du/dt) in m, m/s; the parameter is the frequency in Hz.

    Args:
        c: from ``dry`` with the same numbers.
        stiffness, hysteresis, approach: as for ``dry``; the approach speed stays as it is.
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
