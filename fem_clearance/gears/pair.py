"""A pair of gears as a force element between two frames."""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError
from ..model.frame import triad_about
from ..model.pair import Pair
from ..timestepping.gaps import watched
from .friction import ToothFriction
from .geometry import GearMesh
from .mesh_stiffness import MeshStiffness, schedule
from .outline import outline, tooth_turns
from .pair_kind import GearPairKind


def equivalent_mass(mesh: GearMesh, inertias: Sequence[float]) -> float:
    """Equivalent mass of two gears along the line of action, Tian et al. (2015) eq. (17), kg.

    Args:
        inertias: of pinion and gear about their axes, kg m^2.
    """
    p, g = (checks.positive("inertia of a gear", x) for x in inertias)
    rp, rg = mesh.pinion.base_radius, mesh.gear.base_radius
    return p * g / (rp**2 * g + rg**2 * p)


class GearPair(Pair):
    """Two spur gears in mesh, on rigid bodies or shafts.

    The force acts along the line of action for the present distance of the centres and follows from
    the true rotations of the gears. With the rotations of both gears relative to the line of
    centres the approach is r_bp theta_p + r_bg theta_g + (R a_w - sqrt(a^2 - R^2)), R = r_bp + r_bg
    = a cos(a_w), a the distance. Force = k (approach - e) + c (its rate). It acts by virtual work
    on both bodies. Positive rotations of the pinion about ``axis`` drive the gear. See
    docs/gears.md.

    Args:
        frame_i, frame_j: centres of pinion and gear; the gears turn with them.
        axis: of both gears, fixed in both frames.
        mesh: the gears; their distance must be that of the frames.
        stiffness: of the mesh.
        damping: ratio of the mesh's oscillation.
        mass: for the damping, see ``equivalent_mass``, kg.
        friction: of the teeth; none by default.
        load: nominal force of the mesh that a friction law may refer to, N.
        transmission_error: amplitude of the unloaded gears' error, a sine of the mesh cycle, m.
        backlash: clearance along the line of action at the initial distance, m: teeth part, and
            touch on their other flanks (of the same stiffness at the same phase); ``None``: they
            stay in contact whatever the force.
        speed: nominal speed of the pinion, rad/s, from which the phase of the mesh follows;
            default: the phase follows the pinion's own turns.
        phase: of the mesh cycle at the start; at 0 a pair comes into contact.
        initial: approach at the start, m.
        name: for messages and channels.

    Channels: ``transmission_error`` (m), ``transmission_error_rate`` (m/s), ``mesh_force`` (N),
    ``mesh_stiffness`` (N/m), ``mesh_phase``, ``pressure_angle_deg``, ``static_error`` (m),
    ``energy`` (J), ``loss`` (W), ``pair1.force`` ... (N); with friction ``friction_force`` (N),
    ``friction_loss`` (W), ``pair1.friction`` ... (N).

    Raises:
        InputError: frames without triads or at another distance than the mesh says.

    Example::

        gears.GearPair(pinion.center, gear.center, (0, 0, 1), mesh=mesh,
                       stiffness=gears.ChaariStiffness(E=2.07e11, nu=0.3))
    """

    prefix, label = "gear_pair", "gear pair"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        mesh: GearMesh,
        stiffness: MeshStiffness,
        damping: float = 0.0,
        mass: float | None = None,
        friction: ToothFriction | None = None,
        load: float | None = None,
        transmission_error: float = 0.0,
        backlash: float | None = None,
        speed: float | None = None,
        phase: float = 0.0,
        initial: float = 0.0,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        who = self.who
        self.axis = checks.axis(who, axis)
        for value, kind, what in (
            (mesh, GearMesh, "mesh=GearMesh(pinion, gear)"),
            (stiffness, MeshStiffness, "stiffness=ConstantStiffness(5e8)"),
        ):
            if not isinstance(value, kind):
                raise InputError(f"{who} needs {what}, got {value!r}.")
        if friction is not None and not isinstance(friction, ToothFriction):
            raise InputError(
                f"{who}: friction must be one of teeth, such as ConstantFriction(0.1)."
            )
        self.mesh, self.stiffness, self.friction = mesh, stiffness, friction
        self.damping = checks.non_negative(f"{who}: damping", damping)
        if self.damping and mass is None:
            raise InputError(f"{who}: damping needs mass=equivalent_mass(mesh, inertias).")
        self.mass = 1.0 if mass is None else checks.positive(f"{who}: mass", mass)
        self.error = checks.non_negative(f"{who}: transmission_error", transmission_error)
        self.backlash = None if backlash is None else checks.non_negative(
            f"{who}: backlash", backlash
        )  # fmt: skip
        self.speed = None if speed is None else checks.number(f"{who}: speed", speed)
        if self.speed == 0:
            raise InputError(f"{who}: a nominal speed of 0 makes no mesh cycles; leave it out.")
        self.phase = checks.number(f"{who}: phase", phase) % 1.0
        self.initial = checks.number(f"{who}: initial", initial)
        self.load = 0.0 if load is None else checks.positive(f"{who}: load", load)
        if friction is not None and "hertz" in friction.parameters and not self.load:
            raise InputError(f"{who}: this friction needs the nominal load of the mesh in N.")
        self._check_distance()

    @property
    def _across(self) -> np.ndarray:
        """From the pinion's centre to the gear's, across the axis, at the start, m."""
        return self.gap - (self.gap @ self.axis) * self.axis

    def _check_distance(self):
        distance, wanted = float(np.linalg.norm(self._across)), self.mesh.centre_distance
        if abs(distance - wanted) > 1e-6 * wanted:
            raise InputError(
                f"{self.who}: the centres are {distance:.9g} m apart across the axis, the mesh "
                f"says {wanted:.9g} m."
            )

    def portrait(self):
        turns = tooth_turns(self.mesh, self.phase)
        gears = [
            {
                "outline": outline(gear, 8)[:-1].tolist(), "turn": turn, "teeth": gear.teeth,
                "module": gear.module, "face_width": gear.face_width, "tip_radius": gear.tip,
                "root_radius": gear.root_radius, "bore_radius": gear.bore_radius,
            }
            for gear, turn in zip((self.mesh.pinion, self.mesh.gear), turns, strict=True)
        ]  # fmt: skip
        across = self._across / np.linalg.norm(self._across)
        # directions of the line of centres and of the axis at the start in either frame
        towards = [np.linalg.solve(f.basis, across).tolist() for f in (self.i, self.j)]
        axes = [np.linalg.solve(f.basis, self.axis).tolist() for f in (self.i, self.j)]
        for gear, t, a in zip(gears, towards, axes, strict=True):
            gear |= {"towards": t, "axis": a}
        sizes = {"centre_distance": self.mesh.centre_distance, "module": self.mesh.pinion.module}
        return super().portrait().more(sizes, {"gears": gears})

    def build(self, builder) -> None:
        mesh, segments = self.mesh, schedule(self.mesh, self.stiffness)
        kind = GearPairKind(
            self.i.kind,
            self.j.kind,
            type(self.friction) if self.friction else None,
            self.backlash is not None,
            self.speed is not None,
            mesh.slots,
            self.stiffness.degree,
            len(segments),
        )
        table = np.array([[z.first, z.last, *z.series.ravel(), *z.direction] for z in segments])
        at = int(np.searchsorted(table[:, 0], self.phase, side="right")) - 1
        # the first axis of both gears along the line of centres: angles begin at 0
        triad = triad_about(self.axis, self.gap)
        own = self._numbers(mesh)
        parameters = kind.pack_pair(
            self.i.parameters(triad), self.j.parameters(triad),
            segment=table[at], table=table, at=at, **own,
        )  # fmt: skip
        self.add_to(builder, kind, parameters)

    def _numbers(self, mesh: GearMesh) -> dict:
        """Parameters of the cell but the segments."""
        radii = np.array([mesh.pinion.base_radius, mesh.gear.base_radius])
        both, a = radii.sum(), mesh.centre_distance
        start, frequency = self.phase, 0.0
        if self.speed is None:
            start -= radii[0] * acos(both / a) / mesh.base_pitch
        else:
            frequency = self.speed * mesh.pinion.teeth / (2 * pi)
        own = {
            "base_radii": radii,
            "before": np.zeros(2),
            "closed": both * acos(both / a) - sqrt(a**2 - both**2) - self.initial,
            "mass": self.mass,
            "damping": self.damping,
            "error": (self.error, 0.0),
            "base_pitch": mesh.base_pitch,
            "start_phase": start,
            "frequency": frequency,
            "cycle": 0.0,
        }
        if self.backlash is not None:
            # the other flanks see the same opening, from their own start
            own["backlash"] = self.backlash + self.initial * 2
            own |= watched()
        if self.friction:
            speed = self.speed or 0.0
            own |= {
                **self.friction.values(mesh, self.load),
                "smoothing": self.friction.smoothing,
                "speeds": (speed, speed * mesh.pinion.teeth / mesh.gear.teeth),
                "approach_length": mesh.approach_length,
            }
        return own
