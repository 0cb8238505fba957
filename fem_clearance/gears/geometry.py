"""Involute spur gears and how two of them mesh: lengths in m, angles in rad."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import acos, ceil, cos, pi, sqrt, tan

import numpy as np
from scipy.optimize import brentq

from .. import checks
from ..errors import InputError

#: how the length of the path of approach follows: from the radii, or as half of the path
APPROACHES = ("exact", "printed")


def involute(angle):
    """The involute function, tan(x) - x, of angles in rad."""
    return np.tan(angle) - angle


@dataclass(frozen=True)
class SpurGear:
    """An external spur gear cut by a rack.

    Args:
        teeth: number of teeth.
        module: m.
        pressure_angle: of the rack, rad.
        face_width: m.
        profile_shift: outward shift of the rack, in modules.
        tip_radius: of the addendum circle, m; default one module (and the shift) outside the
            reference circle.
        dedendum: depth of the rack below its datum line, in modules.
        tool_tip_radius: rounding of the rack's tip, in modules.
        bore_radius: of the hole for the shaft, m.

    Raises:
        InputError: impossible numbers; teeth that the rack undercuts.
    """

    teeth: int
    module: float
    pressure_angle: float
    face_width: float
    profile_shift: float = 0.0
    tip_radius: float | None = None
    dedendum: float = 1.25
    tool_tip_radius: float = 0.2
    bore_radius: float | None = None

    def __post_init__(self):
        if checks.count("SpurGear.teeth", self.teeth) < 5:
            raise InputError(f"SpurGear.teeth must be at least 5, got {self.teeth}.")
        for name in ("module", "face_width", "dedendum"):
            checks.positive(f"SpurGear.{name}", getattr(self, name))
        checks.within("SpurGear.pressure_angle (rad)", self.pressure_angle, 0.1, 0.8)
        checks.within("SpurGear.profile_shift", self.profile_shift, -1, 1.5)
        checks.non_negative("SpurGear.tool_tip_radius", self.tool_tip_radius)
        if self.tip_radius is None:
            height = self.module * (1 + self.profile_shift)
            object.__setattr__(self, "tip_radius", self.reference_radius + height)
        checks.positive("SpurGear.tip_radius", self.tip_radius)
        self._check_rack()
        if self.bore_radius is not None:
            checks.positive("SpurGear.bore_radius", self.bore_radius)
            if self.bore_radius >= self.root_radius:
                raise InputError(
                    f"SpurGear.bore_radius = {self.bore_radius:g} m reaches the root circle, "
                    f"{self.root_radius:g} m; give a smaller one."
                )

    def _check_rack(self):
        if not max(self.base_radius, self.root_radius) < self.tip:
            raise InputError(
                f"SpurGear.tip_radius = {self.tip:g} m lies inside the base circle, "
                f"{self.base_radius:g} m; give a larger one."
            )
        if self.rack_half_land < 0:
            raise InputError(
                f"SpurGear.tool_tip_radius = {self.tool_tip_radius:g} modules is more than the "
                "rack's tooth is wide; give a smaller one."
            )
        used = self.rack_depth / np.sin(self.pressure_angle) + self.tool_tip_radius * self.module
        if used > self.reference_radius * np.sin(self.pressure_angle):
            raise InputError(
                f"a rack undercuts {self.teeth} teeth at {np.degrees(self.pressure_angle):.4g} deg "
                "without more profile shift; undercut teeth are not described: use a larger "
                "profile_shift or more teeth."
            )
        if self.half_angle(self.tip) <= 0:
            raise InputError(
                f"SpurGear.tip_radius = {self.tip:g} m lies beyond the point where the flanks "
                "meet; give a smaller one."
            )

    @property
    def tip(self) -> float:
        """Radius of the addendum circle, m."""
        return float(self.tip_radius)  # type: ignore[arg-type]

    @property
    def reference_radius(self) -> float:
        """Radius of the reference (standard pitch) circle, m."""
        return self.module * self.teeth / 2

    @property
    def base_radius(self) -> float:
        """Radius of the base circle, m."""
        return self.reference_radius * cos(self.pressure_angle)

    @property
    def root_radius(self) -> float:
        """Radius of the dedendum circle, m."""
        return self.reference_radius - self.module * (self.dedendum - self.profile_shift)

    @property
    def base_pitch(self) -> float:
        """Distance of neighbouring flanks along a normal, m."""
        return pi * self.module * cos(self.pressure_angle)

    @property
    def rack_depth(self) -> float:
        """Depth of the centre of the rack's rounded tip below the reference circle, m."""
        return self.module * (self.dedendum - self.tool_tip_radius - self.profile_shift)

    @property
    def rack_half_land(self) -> float:
        """Distance of that centre from the middle of the rack's tooth, m."""
        depth = self.dedendum - self.tool_tip_radius
        slope = depth * tan(self.pressure_angle) + self.tool_tip_radius / cos(self.pressure_angle)
        return self.module * (pi / 4 - slope)

    def half_angle(self, radius):
        """Half of the angle that a tooth's involute flanks enclose at a radius, rad."""
        at_reference = pi / 2 + 2 * self.profile_shift * tan(self.pressure_angle)
        at_radius = np.arccos(np.minimum(self.base_radius / radius, 1.0))
        return at_reference / self.teeth + involute(self.pressure_angle) - involute(at_radius)


class GearMesh:
    """Two spur gears in mesh, at a given distance.

    Positions ``s`` along the line of action are measured from the point A where a pair of teeth
    comes into contact (the tip of the gear's tooth); the pinion drives.

    Args:
        pinion, gear: cut by the same rack.
        centre_distance: m; default that without backlash.
        contact_ratio: default from the radii.
        approach: length of the path from A to the pitch point: ``"exact"``, or ``"printed"``: half
            of the path, as Tian et al. (2015) eq. (2) has it, which holds for equal gears.

    Attributes:
        centre_distance: m.
        pressure_angle: of the line of action at that distance, rad.
        base_pitch: m.
        contact_ratio: length of the path of contact in base pitches.
        approach_length: from A to the pitch point, m.

    Raises:
        InputError: gears of different racks, gears that do not reach each other or get stuck.
    """

    def __init__(
        self,
        pinion: SpurGear,
        gear: SpurGear,
        centre_distance: float | None = None,
        contact_ratio: float | None = None,
        approach: str = "exact",
    ):
        same = ("module", "pressure_angle")
        if any(abs(getattr(pinion, n) - getattr(gear, n)) > 1e-12 for n in same):
            raise InputError("gears in mesh need the same module and pressure_angle.")
        checks.choice("approach", approach, APPROACHES)
        self.pinion, self.gear, self.approach = pinion, gear, approach
        self.base_pitch = pinion.base_pitch
        closest = self._closest()
        self.centre_distance = (
            closest
            if centre_distance is None
            else checks.positive("centre_distance", centre_distance)
        )
        if self.centre_distance < closest * (1 - 1e-6):
            raise InputError(
                f"centre_distance = {self.centre_distance:g} m: the teeth jam below {closest:.7g} "
                "m; move the gears apart or shift the profiles inwards."
            )
        self.pressure_angle = acos(self.base_radii / self.centre_distance)
        #: path from A to the pitch point and from there to the end, by the radii, m
        self.exact_lengths = tuple(
            sqrt(g.tip**2 - g.base_radius**2) - g.base_radius * tan(self.pressure_angle)
            for g in (gear, pinion)
        )
        if min(self.exact_lengths) <= 0:
            raise InputError(
                f"centre_distance = {self.centre_distance:g} m: the teeth do not reach each other; "
                "move the gears together."
            )
        exact = sum(self.exact_lengths) / self.base_pitch
        self.contact_ratio = exact if contact_ratio is None else float(contact_ratio)
        checks.within("contact_ratio", self.contact_ratio, 1.0, 4.0)
        half = self.contact_ratio * self.base_pitch / 2
        self.approach_length = half if approach == "printed" else self.exact_lengths[0]
        if self.approach_length > self.line_length:
            raise InputError(
                f"the gear's teeth reach inside the pinion's base circle: {self.approach_length:g} "
                f"m before the pitch point; shorten the gear's tip_radius."
            )

    @property
    def base_radii(self) -> float:
        """Sum of the radii of the base circles, m."""
        return self.pinion.base_radius + self.gear.base_radius

    def _closest(self) -> float:
        """Distance of the centres without backlash, m."""
        p, g = self.pinion, self.gear
        angle, shift = p.pressure_angle, p.profile_shift + g.profile_shift
        target = involute(angle) + 2 * tan(angle) * shift / (p.teeth + g.teeth)
        if target <= 0:
            raise InputError("profile shifts: the sum is so negative that no distance fits.")
        working = brentq(lambda x: involute(x) - target, 1e-3, 1.2, xtol=1e-15)
        return self.base_radii / cos(working)

    @property
    def backlash(self) -> float:
        """Clearance along the line of action that the distance of the centres leaves, m."""
        p, g = self.pinion, self.gear
        shift = 2 * p.module * (p.profile_shift + g.profile_shift) * tan(p.pressure_angle)
        opened = involute(self.pressure_angle) - involute(p.pressure_angle)
        backlash = 2 * (p.reference_radius + g.reference_radius) * opened - shift
        return max(float(backlash * cos(p.pressure_angle)), 0.0)

    @property
    def line_length(self) -> float:
        """Distance of the points where the line of action touches the base circles, m."""
        return sqrt(self.centre_distance**2 - self.base_radii**2)

    @property
    def path_length(self) -> float:
        """Length of the path of contact, m."""
        return self.contact_ratio * self.base_pitch

    @property
    def face_width(self) -> float:
        """Width along which the teeth touch, m."""
        return min(self.pinion.face_width, self.gear.face_width)

    @property
    def slots(self) -> int:
        """Largest number of pairs of teeth in contact at once."""
        return ceil(self.contact_ratio - 1e-12)

    def curvatures(self, s):
        """Radii of curvature of pinion and gear at positions ``s``, m: distances from the points
        where the line of action touches the base circles."""
        pinion = self.pinion.base_radius * tan(self.pressure_angle) - self.approach_length + s
        return pinion, self.line_length - pinion

    def positions(self, phase):
        """Positions of the pairs at phases of the mesh cycle (0 to 1: the entry of a pair), m;
        shape (slots, ...), NaN where a slot is without contact."""
        phase = np.asarray(phase, float) % 1.0
        s = np.array([(phase + k) * self.base_pitch for k in range(self.slots)])
        return np.where(s < self.path_length * (1 - 1e-12), s, np.nan)

    @cached_property
    def breaks(self) -> np.ndarray:
        """Phases at which something begins, ends or reverses, from 0 to 1: a pair leaves, a pair
        passes the pitch point."""
        inside = (self.contact_ratio % 1.0, (self.approach_length / self.base_pitch) % 1.0)
        return np.unique([0.0, *(x for x in inside if 1e-9 < x < 1 - 1e-9), 1.0])

    def events(self, speed: float) -> dict[str, float]:
        """Times of the mesh cycle at a speed of the pinion in rad/s: Tian et al. (2015) eqs. (1) to
        (4), s.

        Returns:
            ``cycle``, ``double`` (two pairs in contact), ``single`` and ``pitch`` (from the entry
            of a pair to its passing the pitch point).
        """
        cycle = 2 * pi / (self.pinion.teeth * checks.positive("speed", speed))
        part = self.contact_ratio - 1
        return {
            "cycle": cycle,
            "double": part * cycle,
            "single": (1 - part) * cycle,
            "pitch": self.approach_length / self.base_pitch * cycle,
        }
