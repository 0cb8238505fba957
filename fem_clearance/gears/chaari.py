"""Stiffness of a pair of teeth from beam, foundation and contact: Chaari et al. (2006, 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .. import checks
from ..errors import InputError
from .geometry import GearMesh, SpurGear
from .mesh_stiffness import MeshStiffness
from .outline import ToothProfile

#: rows L*, M*, P*, Q*, columns A to F: Sainsot, Velex and Duverger (2004) table 1
SAINSOT = np.array(
    [
        [-5.574e-5, -1.9986e-3, -2.3015e-4, 4.7702e-3, 0.0271, 6.8045],
        [60.111e-5, 28.100e-3, -83.431e-4, -9.9256e-3, 0.1624, 0.9086],
        [-50.952e-5, 185.50e-3, 0.0538e-4, 53.300e-3, 0.2895, 0.9236],
        [-6.2042e-5, 9.0889e-3, -4.0964e-4, 7.8297e-3, -0.1472, 0.6904],
    ]
)
#: where the table holds: ratio of root and bore radius, half angle of the tooth at the root, rad
RATIOS, ROOT_ANGLES = (1.4, 7.0), (0.01, 0.12)


def sainsot(ratio: float, root_angle: float) -> np.ndarray:
    """L*, M*, P*, Q* of Sainsot et al. (2004).

    Args:
        ratio: radius of the root circle over that of the bore.
        root_angle: half of the angle that a tooth encloses at the root, rad.
    """
    h, t = ratio, root_angle
    return SAINSOT @ np.array([1 / t**2, h**2, h / t, 1 / t, h, 1.0])


def contact_stiffness(E: float, nu: float, width: float) -> float:
    """Of two teeth, linearised: Yang and Sun (1985), N/m."""
    return np.pi * E * width / (4 * (1 - nu**2))


def weber_contact(mesh: GearMesh, E: float, nu: float, load: float, s):
    """Approach of two flanks per load, down to the middles of the teeth: Hertz's contact of
    cylinders, Weber and Banaschek (1953), m/N.

    Args:
        load: force of the pair, N; the approach grows almost as the load, with its logarithm.
        s: positions on the path of contact, m.
    """
    radii, width = mesh.curvatures(s), mesh.face_width
    radius, depth = radii[0] * radii[1] / (radii[0] + radii[1]), 1.0
    square = 8 * load * radius * (1 - nu**2) / (np.pi * width * E)
    for gear, x in zip((mesh.pinion, mesh.gear), radii, strict=True):
        r = np.hypot(gear.base_radius, x)
        depth = depth * r * np.sin(gear.half_angle(r)) / np.cos(load_angle(gear, x))
    inside = np.log(4 * depth / square) - nu / (1 - nu)
    return 2 * (1 - nu**2) / (np.pi * width * E) * inside


@lru_cache(maxsize=64)
def _profile(gear: SpurGear, fillet: bool) -> ToothProfile:
    return ToothProfile(gear, fillet)


def load_angle(gear: SpurGear, curvature):
    """Angle between the load and the normal to the tooth's middle, rad.

    Args:
        curvature: radius of curvature of the flank at the point of contact, m.
    """
    radius = np.hypot(gear.base_radius, curvature)
    return np.arctan(curvature / gear.base_radius) - gear.half_angle(radius)


def bending_compliance(gear: SpurGear, E, nu, curvature, fillet=True, points: int = 200):
    """Deflection of a tooth as a beam, along the load and per load: Weber (1949), m/N.

    Bending, shear and compression of a beam of varying thickness from the root circle to where the
    load meets the tooth's middle, Tian et al. (2015) eq. (5) with the load's own angle in place of
    the pressure angle (docs/errata.md), its sum carried out as an integral (Gauss).

    Args:
        curvature: radii of curvature of the flank at the points of contact, m.
        fillet: count the fillet as part of the tooth; else flanks are straight and radial below
            the base circle.
        points: of the integration.
    """
    angle = load_angle(gear, np.asarray(curvature, float))
    profile = _profile(gear, bool(fillet))
    start = gear.root_radius * np.cos(profile.root_angle)
    arm = gear.base_radius / np.cos(angle) - start
    x, w = np.polynomial.legendre.leggauss(points)
    s = np.multiply.outer(arm, (x + 1) / 2)
    thick = 2 * profile.half_thickness(start + s)
    area, second = gear.face_width * thick, gear.face_width * thick**3 / 12
    shear = 2.4 * (1 + nu) + np.tan(angle) ** 2
    density = (arm[..., None] - s) ** 2 / second + shear[..., None] / area
    return np.cos(angle) ** 2 / E * (density @ w) * arm / 2


def foundation_compliance(gear: SpurGear, E, curvature, fillet=True):
    """Deflection of the gear's body at the root, along the load and per load, m/N: Sainsot et al.
    (2004), Tian et al. (2015) eq. (7)."""
    angle = load_angle(gear, np.asarray(curvature, float))
    root, half = gear.root_radius, _profile(gear, bool(fillet)).root_angle
    L, M, P, Q = sainsot(root / gear.bore_radius, half)  # type: ignore[operator]
    reach = (gear.base_radius / np.cos(angle) - root) / (2 * root * half)
    sum_ = L * reach**2 + M * reach + P * (1 + Q * np.tan(angle) ** 2)
    return np.cos(angle) ** 2 / (E * gear.face_width) * sum_


@dataclass(frozen=True)
class ChaariStiffness(MeshStiffness):
    """Bending, foundation and contact in series, Tian et al. (2015) eqs. (5) to (12).

    Args:
        E, nu: of both gears, Pa.
        fillet: count the real fillet as part of the teeth; without it they are thinner below the
            base circle and the mesh is softer.
        scale: factor of the stiffness, for calibration.
        load: force of a pair in N, at which Hertz's contact is counted (``weber_contact``); default
            the paper's linear contact (``contact_stiffness``), which is about three times as stiff.

    Raises:
        InputError: when used, gears without bore radius or outside the table of Sainsot et al.

    See docs/gears.md. Example::

        gears.ChaariStiffness(E=2.07e11, nu=0.3)
    """

    E: float
    nu: float
    fillet: bool = True
    scale: float = 1.0
    load: float | None = None

    def __post_init__(self):
        checks.positive("ChaariStiffness.E", self.E)
        checks.within("ChaariStiffness.nu", self.nu, 0.0, 0.5)
        checks.positive("ChaariStiffness.scale", self.scale)
        if self.load is not None:
            checks.positive("ChaariStiffness.load", self.load)

    def pair(self, mesh, s, count):
        for gear in (mesh.pinion, mesh.gear):
            self._check(gear)
        if self.load is None:
            compliance = 1 / contact_stiffness(self.E, self.nu, mesh.face_width)
        else:
            compliance = weber_contact(mesh, self.E, self.nu, self.load, s)
        for gear, x in zip((mesh.pinion, mesh.gear), mesh.curvatures(s), strict=True):
            compliance = compliance + bending_compliance(gear, self.E, self.nu, x, self.fillet)
            compliance = compliance + foundation_compliance(gear, self.E, x, self.fillet)
        return self.scale / compliance

    def _check(self, gear: SpurGear) -> None:
        if gear.bore_radius is None:
            raise InputError(
                "ChaariStiffness needs the bore_radius of both gears: their bodies deform too."
            )
        checks.within("root radius over bore radius", gear.root_radius / gear.bore_radius, *RATIOS)
        half = _profile(gear, self.fillet).root_angle
        checks.within("half angle of a tooth at its root (rad)", half, *ROOT_ANGLES)
