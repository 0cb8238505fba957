"""Pivots of tilting pads: how far a pad yields under its load, and what resists its tilt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl

from ... import checks
from ...errors import InputError


@dataclass(frozen=True)
class Pivot:
    """A rigid pivot about which the pad tilts freely; base of the others.

    Example::

        lubrication.Pivot().deflected(1000.0)  # 0.0 m
    """

    @property
    def tilting(self) -> float:
        """Stiffness against the tilt of the pad, N m/rad."""
        return 0.0

    @property
    def rigid(self) -> bool:
        """Whether the pad does not yield."""
        return True

    def deflection(self, load):
        """By how much the pad yields outwards under a positive load, N: m (UFL)."""
        return 0 * load

    def deflected(self, load: float) -> float:
        """Deflection under a load, N, m."""
        return float(self.deflection(ufl.as_ufl(load))(())) if load > 0 else 0.0

    def loaded(self, deflection: float) -> tuple[float, float]:
        """Load at a deflection, N, and its derivative, N/m: none where the pad has left its pivot.

        Raises:
            InputError: no load yields so much within the range of the law.
        """
        from scipy.optimize import brentq

        if deflection <= 0:
            return 0.0, 0.0

        def at(load):
            N = ufl.variable(ufl.as_ufl(float(load)))
            law = self.deflection(N)
            return law(()), ufl.diff(law, N)(())

        low, high = self._range()
        most = at(high)[0]
        if deflection > most:
            raise InputError(
                f"{type(self).__name__}: a pad is deflected by {deflection:.3g} m, but the law of "
                f"its pivot ends at {most:.3g} m (a load of {high:.3g} N); give a larger contact."
            )
        if deflection <= at(low)[0]:  # linear towards nothing
            return low * deflection / at(low)[0], low / at(low)[0]
        load = brentq(lambda N: at(N)[0] - deflection, low, high, xtol=1e-12 * low, rtol=1e-13)
        return float(load), float(1 / at(load)[1])

    def _range(self) -> tuple[float, float]:
        """Loads between which the law is used, N."""
        return 1e-3, 1e12


@dataclass(frozen=True)
class PointPivot(Pivot):
    """A ball in a spherical seat, by Hertz: load = 4/3 E* sqrt(R) deflection^(3/2).

    Args:
        radius: of the ball, m.
        seat: of the seat, m, larger; ``inf``: a flat seat.
        modulus: E* of the contact, 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2, Pa.

    Raises:
        InputError: numbers out of range, a seat that is not larger than the ball.
    """

    radius: float
    seat: float
    modulus: float

    def __post_init__(self):
        _check_contact(self)

    @property
    def rigid(self) -> bool:
        return False

    def deflection(self, load):
        relative = 1 / (1 / self.radius - 1 / self.seat)
        return (3 * load / (4 * self.modulus * np.sqrt(relative))) ** (2 / 3)


@dataclass(frozen=True)
class LinePivot(Pivot):
    """A cylinder in a cylindrical seat (rocker back)::

        deflection = 2 (1 - nu^2) load / (pi E L) (2/3 + ln(8 E L (R_seat - R) / (2.15^2 load)))

    with both bodies of one material (Kirk and Reedy 1988, there with diameters).

    Args:
        radius, seat: of the rocker and of its seat, m, the seat being larger.
        length: of the line, m.
        modulus: E, Pa.
        poisson: nu.

    Raises:
        InputError: numbers out of range, a seat that is not larger than the rocker.

    Example::

        lubrication.LinePivot(radius=40e-3, seat=42e-3, length=60e-3, modulus=2.1e11)
    """

    radius: float
    seat: float
    length: float
    modulus: float
    poisson: float = 0.3

    def __post_init__(self):
        _check_contact(self)
        checks.positive("LinePivot: length", self.length)
        checks.within("LinePivot: poisson", self.poisson, 0.0, 0.5)
        if not np.isfinite(self.seat):
            raise InputError("LinePivot: seat must be finite; the law needs its radius.")

    @property
    def rigid(self) -> bool:
        return False

    @property
    def _scale(self) -> float:
        """Load in the logarithm, N."""
        return 4 * self.modulus * self.length * 2 * (self.seat - self.radius) / 2.15**2

    def deflection(self, load):
        part = 2 * (1 - self.poisson**2) / (np.pi * self.length * self.modulus)
        return part * load * (2 / 3 + ufl.ln(self._scale / load))

    def _range(self):
        return 1e-9 * self._scale, np.exp(-0.5) * self._scale  # there it is still increasing


@dataclass(frozen=True)
class FlexurePivot(Pivot):
    """A flexible web on which the pad is cut out of the housing.

    Args:
        rotation: its stiffness against the tilt of the pad, N m/rad.
        radial: its stiffness along the radius, N/m; default: rigid.

    Raises:
        InputError: stiffnesses that are not positive.

    Example::

        lubrication.FlexurePivot(rotation=500.0, radial=2e9)  # N m/rad, N/m
    """

    rotation: float
    radial: float = np.inf

    def __post_init__(self):
        checks.positive("FlexurePivot: rotation", self.rotation)
        if self.radial != np.inf:
            checks.positive("FlexurePivot: radial", self.radial)

    @property
    def tilting(self) -> float:
        return self.rotation

    @property
    def rigid(self) -> bool:
        return self.radial == np.inf

    def deflection(self, load):
        return load / self.radial

    def loaded(self, deflection):
        return self.radial * deflection, self.radial  # a web pulls, too


def _check_contact(pivot) -> None:
    name = type(pivot).__name__
    checks.positive(f"{name}: radius", pivot.radius)
    checks.positive(f"{name}: modulus", pivot.modulus)
    if not pivot.seat > pivot.radius:
        raise InputError(
            f"{name}: the seat must be larger than the pivot in it, {pivot.radius:g} m; got "
            f"{pivot.seat!r}."
        )
