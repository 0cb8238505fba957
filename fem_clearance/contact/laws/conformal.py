"""A pin in the bore of an infinite elastic plate: the exact pressure, by a Fourier series."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ... import checks
from ...bodies.materials import Material
from ...errors import InputError

#: largest shift of the pin by the clearance: beyond it contact reaches its limit, 85 to 90 degrees
FAR = 1e4


class Conformity(NamedTuple):
    """A pin pressed into a bore.

    Attributes:
        load: N/m.
        half_angle: of the contact, rad.
        peak: largest pressure, Pa.
        angles: from the middle of the contact, rad, and ``pressure`` there, Pa.
    """

    load: float
    half_angle: float
    peak: float
    angles: np.ndarray
    pressure: np.ndarray


@dataclass(frozen=True)
class PinInBore:
    """A pin pressed without friction into a bore of an infinite plate, small strains; line contact
    where the contact is narrow, conformal contact where it is not.

    A pressure p_n cos(n t) opens the gap by c_n p_n R cos(n t); of the bore (shear modulus G and
    Kolosov's constant k) and of the pin

        c_n = (k / (n - 1) + 1 / (n + 1)) / 4 G,    c_0 = 1 / 2 G
        c_n = (1 / (n - 1) + k / (n + 1)) / 4 G,    c_0 = (k - 1) / 4 G        n = 2, 3, ...

    (n = 1 shifts the pin). The pressure is what is positive where the gap dR - d cos(t) + its own
    opening vanishes, found on a grid of angles. Of one material the relation of load and angle is
    Persson's (1964) closed form.

    Args:
        radius: of the bore, m.
        clearance: difference of the radii, m.
        bore, pin: materials with E and nu; ``pin=None``: rigid.
        state: ``"plane_strain"`` or ``"plane_stress"``.
        points: of the grid, over half a turn, at least 10.

    Raises:
        InputError: a radius or clearance that is not positive, too few points, a material without
            E and nu.

    See docs/deformable_contact.md. Example::

        fc.PinInBore(radius=0.01, clearance=1e-5, bore=steel, pin=steel)
    """

    radius: float
    clearance: float
    bore: Material
    pin: Material | None = None
    state: str = field(default="plane_strain", kw_only=True)
    points: int = field(default=1200, kw_only=True)

    def __post_init__(self):
        checks.positive("PinInBore.radius", self.radius)
        checks.positive("PinInBore.clearance", self.clearance)
        checks.choice("PinInBore.state", self.state, ("plane_strain", "plane_stress"))
        if checks.count("PinInBore.points", self.points) < 10:
            raise InputError(f"PinInBore.points must be at least 10, got {self.points}.")
        for material in (self.bore, self.pin):
            if material is not None and not checks.offers(material, "E", "nu"):
                raise InputError(f"PinInBore needs materials with E and nu, got {material!r}.")

    def _constants(self, material) -> tuple[float, float]:
        """Shear modulus and Kolosov's constant."""
        nu = material.nu
        kolosov = 3 - 4 * nu if self.state == "plane_strain" else (3 - nu) / (1 + nu)
        return material.E / (2 * (1 + nu)), kolosov

    @cached_property
    def _opening(self) -> tuple[np.ndarray, np.ndarray]:
        """Angles, and the opening of the gap over R at each by a pressure at each, 1/Pa."""
        count = self.points
        angles = (np.arange(count) + 0.5) * np.pi / count
        n = np.arange(count)
        cosines = np.cos(np.outer(angles, n))
        analysis = 2 / count * cosines.T
        analysis[0] /= 2
        G, k = self._constants(self.bore)
        m = n[2:]
        c = np.r_[1 / (2 * G), 0.0, (k / (m - 1) + 1 / (m + 1)) / (4 * G)]
        if self.pin is not None:
            G, k = self._constants(self.pin)
            c += np.r_[(k - 1) / (4 * G), 0.0, (1 / (m - 1) + k / (m + 1)) / (4 * G)]
        return angles, cosines @ (c[:, None] * analysis)

    def at_shift(self, shift: float) -> Conformity:
        """What a shift of the pin does, the first harmonic of the approach, m. (The plate's own
        displacement, which has no limit in an infinite one, is left out.)

        Raises:
            InputError: a shift that is not above the clearance, or above 10,000 times it.
        """
        most = (1 + FAR) * self.clearance * (1 + 1e-9)
        if not self.clearance < checks.number("PinInBore: shift", shift) <= most:
            raise InputError(
                f"PinInBore: shift must be above the clearance, {self.clearance:g} m, where pin "
                f"and bore touch, and at most {most:.3g} m, got {shift:g}."
            )
        angles, opening = self._opening
        gap = (self.clearance - shift * np.cos(angles)) / self.radius
        touch = gap < 0
        pressure = np.zeros(len(angles))
        for _ in range(200):
            pressure[:] = 0.0
            pressure[touch] = np.linalg.solve(opening[np.ix_(touch, touch)], -gap[touch])
            wider = (touch & (pressure > 0)) | (~touch & (gap + opening @ pressure < 0))
            if np.array_equal(wider, touch):
                break
            touch = wider
        step = np.pi / len(angles)
        load = 2 * self.radius * float(pressure @ np.cos(angles)) * step
        return Conformity(load, _edge(pressure, step), float(pressure.max()), angles, pressure)

    def at_load(self, load: float) -> Conformity:
        """What a load does, N/m."""
        checks.positive("PinInBore: load", load)
        return self._where(lambda found: found.load - load, f"a load of {load:g} N/m")

    def at_angle(self, half_angle: float) -> Conformity:
        """What makes contact of a half angle, rad."""
        checks.positive("PinInBore: half_angle", half_angle)
        what = f"a half angle of {np.degrees(half_angle):g} degrees"
        return self._where(lambda found: found.half_angle - half_angle, what)

    def _where(self, off, what: str) -> Conformity:
        """Root for the shift, by how far it is from the clearance."""

        def at(log: float) -> Conformity:
            return self.at_shift((1 + np.exp(log)) * self.clearance)

        low, high = np.log(1e-6), np.log(FAR)
        if off(at(high)) < 0:
            raise InputError(
                f"PinInBore: {what} exceeds what this contact can carry; use a smaller one."
            )
        if off(at(low)) > 0:
            raise InputError(
                f"PinInBore: {what} is too small for its grid; use Hertz's line contact instead."
            )
        return at(brentq(lambda log: off(at(log)), low, high, xtol=1e-7))


def _edge(pressure: np.ndarray, step: float) -> float:
    """Where a pressure at midpoints of a grid ends: its square falls linearly there."""
    inside = np.flatnonzero(pressure > 0)
    if len(inside) < 3:
        return len(inside) * step
    last, before = pressure[inside[-1]] ** 2, pressure[inside[-2]] ** 2
    part = last / (before - last) if before > last else 0.5
    return float((inside[-1] + 0.5 + min(part, 1.0)) * step)
