"""The form of a gear pair: forces along both lines of action, and friction across them."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import ufl

from ..contact.laws.friction import tanh
from ..contact.laws.normal import indicator
from ..core.mixins import ContactGap, PassedInterval
from ..core.observables import Observable, internal
from ..timestepping.gaps import WATCHED
from .friction import ToothFriction
from .pair_pose import PosedPair

#: distance from an event, in mesh cycles, within which it counts as reached
REACHED = 1e-7


@dataclass(frozen=True)
class GearPairKind(PosedPair, PassedInterval, ContactGap):
    """A mesh of two gears.

    Attributes:
        friction: class of the friction law, or ``None``.
        backlash: whether teeth part and touch on their other flanks.
        nominal: the phase follows a nominal speed, not the pinion.
        slots: pairs of teeth in contact at most.
        order: of the series of the stiffness.
        segments: of the mesh cycle.
    """

    feeds_energy = True
    #: ``update`` counts cycles and turns, and ``select`` takes the segment in force
    remembers = False
    copied: ClassVar = {"before": ("pinion_turn", "gear_turn")}
    watched = "mesh_phase"
    rate = "onward"
    late_beyond = REACHED

    friction: type[ToothFriction] | None = None
    backlash: bool = False
    nominal: bool = True
    slots: int = 2
    order: int = 0
    segments: int = 2

    @property
    def gap(self) -> tuple[str, ...]:  # type: ignore[override]
        """With backlash the teeth part and touch again: time stepping watches the nearer flanks."""
        return ("depth", "depth_rate", "depth_acceleration") if self.backlash else ()

    @property
    def discontinuous(self) -> bool:  # type: ignore[override]
        """The mesh's damping acts from the first touch on."""
        return self.backlash

    @property
    def row(self) -> int:
        """Numbers of a segment: ends, series and direction of each slot."""
        return 2 + self.slots * (self.order + 2)

    @property
    def own_parameters(self):
        law: dict[str, tuple[int, ...]] = {}
        if self.friction:
            law |= dict.fromkeys(self.friction.parameters, ())
            law |= {"smoothing": (), "speeds": (2,), "approach_length": ()}
        return {
            "base_radii": (2,), "before": (2,), "closed": (), "mass": (), "damping": (),
            "error": (2,), "base_pitch": (), "start_phase": (), "frequency": (), "cycle": (),
            "segment": (self.row,), **({"backlash": ()} if self.backlash else {}), **law,
            **dict.fromkeys(WATCHED if self.backlash else (), ()),
        }  # fmt: skip

    @property
    def history(self):  # type: ignore[override]
        return {"table": (self.segments, self.row), "at": ()}

    @property
    def label(self):
        return f"gear pair ({self.i.label}, {self.j.label})"

    # --- the mesh cycle -------------------------------------------------------------------------
    def phase(self, c, g):
        """Phase of the mesh, mesh cycles since the start."""
        if self.nominal:
            return c.par("start_phase") + c.par("frequency") * c.t
        r = c.par("base_radii")
        return c.par("start_phase") + r[0] * (g.angle - g.angles[0]) / c.par("base_pitch")

    def frequency(self, c, d):
        """Mesh cycles a second."""
        if self.nominal:
            return c.par("frequency")
        return c.par("base_radii")[0] * (d.angle - d.angles[0]) / c.par("base_pitch")

    # --- the law --------------------------------------------------------------------------------
    def stiffnesses(self, c, phase) -> list:
        """Of each slot, N/m."""
        numbers, count = c.par("segment"), self.order + 1
        x = 2 * (phase - c.par("cycle") - numbers[0]) / (numbers[1] - numbers[0]) - 1
        terms = [ufl.as_ufl(1.0), x]
        while len(terms) < count:
            terms.append(2 * x * terms[-1] - terms[-2])
        return [
            sum((numbers[2 + m * count + k] * terms[k] for k in range(1, count)),
                numbers[2 + m * count])
            for m in range(self.slots)
        ]  # fmt: skip

    def law(self, c, pose, rate) -> SimpleNamespace:
        """Forces of the mesh from the pair's own coordinates and their rates.

        Returns:
            ``drive`` and ``coast``: forces along both lines of action, N; ``friction``: force a
            slot per force of the mesh, with its levers; and what they follow from.
        """
        s = SimpleNamespace()
        s.place = g = self.place(c, pose)
        s.rate = d = self.rates(c, pose, rate)
        s.phase, s.frequency = self.phase(c, g), self.frequency(c, d)
        s.parts = self.stiffnesses(c, s.phase)
        s.stiffness = sum(s.parts[1:], s.parts[0])
        amplitude, start = c.par("error")[0], c.par("error")[1]
        angle = 2 * np.pi * (s.phase - c.par("cycle")) + start
        s.error = amplitude * ufl.sin(angle)
        error_rate = 2 * np.pi * s.frequency * amplitude * ufl.cos(angle)
        damping = 2 * c.par("damping") * ufl.sqrt(s.stiffness * c.par("mass"))
        s.depth = g.turned + g.opened - s.error
        s.speed = d.turned + d.opened - error_rate
        s.damping = damping
        s.drive, s.coast = s.stiffness * s.depth + damping * s.speed, None
        if self.backlash:
            s.other = -g.turned + g.opened + s.error - c.par("backlash")
            s.other_speed = -d.turned + d.opened + error_rate
            back = s.stiffness * s.other + damping * s.other_speed
            active = c.par("active")

            def touching(depth, force):
                return active * indicator(ufl.And(ufl.gt(depth, 0), ufl.gt(force, 0)))

            s.drive = touching(s.depth, s.drive) * s.drive
            s.coast = touching(s.other, back) * back
        s.friction = self._friction(c, s) if self.friction else []
        return s

    def _friction(self, c, s) -> list:
        """Signed coefficient times the pair's share of the force, and both radii of curvature, a
        slot."""
        g, r, count = s.place, c.par("base_radii"), self.order + 1
        numbers, pitch, approach = c.par("segment"), c.par("base_pitch"), c.par("approach_length")
        speeds = [c.par("speeds")[0], c.par("speeds")[1]]
        onward = ufl.sign(speeds[0])
        if not self.nominal:
            turn = [-z for z in s.rate.angles]
            speeds, onward = [turn[0], -turn[1]], turn[0] / ufl.sqrt(turn[0] ** 2 + 1e-6)
        p = SimpleNamespace(**{n: c.par(n) for n in self.friction.parameters})  # type: ignore[union-attr]
        result = []
        for k in range(self.slots):
            along = (s.phase - c.par("cycle") + k) * pitch - approach  # from the pitch point
            x1 = r[0] * g.touch / (r[0] + r[1]) + along
            x2 = g.touch - x1
            share = s.parts[k] / s.stiffness
            contact = SimpleNamespace(
                u1=speeds[0] * x1, u2=speeds[1] * x2, x1=x1, x2=x2, share=share
            )
            sign = numbers[2 + self.slots * count + k]
            width = c.par("smoothing")
            smooth = indicator(ufl.gt(width, 0))
            some = ufl.conditional(ufl.gt(width, 0), width, 1.0)
            soft = ufl.sign(along) * tanh(abs(along) / (some * pitch))
            direction = smooth * (soft * abs(sign) - sign) + sign
            mu = self.friction.coefficient(contact, p)  # type: ignore[union-attr]
            result.append((mu * direction * onward * share, x1, x2))
        return result

    def sliding(self, c, s, x1, x2) -> tuple:
        """Velocity of the pinion's flank on the gear's at a point of the line of action: its
        coefficients in the rates of the pair's own coordinates; and the same for the mirror image
        of the point on the other line."""
        r = c.par("base_radii")
        apart = (r[0] + r[1]) / s.place.distance
        return (-x1, -x2, apart), (x1, x2, apart)

    def forces(self, c, s) -> list:
        """Generalised forces of the law on the pair's own coordinates: N m, N m and N."""
        r, opening = c.par("base_radii"), -s.place.touch / s.place.distance
        result = [-r[0] * s.drive, -r[1] * s.drive, opening * s.drive]
        if self.backlash:
            coast = (r[0] * s.coast, r[1] * s.coast, opening * s.coast)
            result = [a + b for a, b in zip(result, coast, strict=True)]
        return self._rubbed(c, s, result)

    def _rubbed(self, c, s, result: list) -> list:
        """Forces as ``forces`` gives them, with those of friction added."""
        for part, x1, x2 in s.friction:
            drive, coast = self.sliding(c, s, x1, x2)
            result = [a + part * s.drive * b for a, b in zip(result, drive, strict=True)]
            if self.backlash:
                result = [a - part * s.coast * b for a, b in zip(result, coast, strict=True)]
        return result

    def residual(self, c):
        # one symbol a stage, else the tangent expands to a hundred times its size
        expression, (d, axes) = self.line(c), self.centres(c)
        line, rate = c.shared(expression), c.shared(c.rate(expression))
        pose = c.shared(self.pose_of(c, line))
        turning = c.shared(self.slopes(line) * rate)
        forces = c.shared(ufl.as_vector(self.forces(c, self.law(c, pose, turning))))
        pull = c.shared(ufl.transpose(self.slopes(line)) * forces)
        # virtual work of ``pull`` on the line, in vectors that stand beside the test function
        force = c.shared(sum((pull[k] * axes[k] for k in (1, 2, 3)), pull[0] * axes[0]))
        couples = [c.shared(pull[k] * d) for k in range(4)]
        work = ufl.dot(force, c.along(d))
        work += sum(ufl.dot(z, c.along(e)) for z, e in zip(couples, axes, strict=True))
        return work * c.dx()

    # --- what can be recorded -------------------------------------------------------------------
    def observables(self, c):
        line = self.line(c)
        rate = self.slopes(line) * c.rate(line)
        s = self.law(c, self.pose_of(c, line), rate)
        force = s.drive if s.coast is None else s.drive - s.coast
        energy, loss = self._energy(s)
        result = {
            "transmission_error": Observable(
                s.place.turned + s.place.opened,
                "m",
                "approach of the gears along the line of action",
            ),
            "transmission_error_rate": Observable(s.rate.turned + s.rate.opened, "m/s", "its rate"),
            "mesh_force": Observable(
                force, "N", "force of the mesh along the line of action (negative: other flanks)"
            ),
            "mesh_stiffness": Observable(s.stiffness, "N/m", "stiffness of the mesh"),
            "mesh_phase": Observable(
                s.phase - c.par("cycle"), "1", "phase of the mesh cycle, 0 to 1"
            ),
            "pressure_angle_deg": Observable(
                s.place.angle * 180 / np.pi, "deg", "angle of the line of action"
            ),
            "static_error": Observable(s.error, "m", "transmission error of the unloaded gears"),
            "energy": Observable(energy, "J", "energy of the mesh", "energy.strain"),
            "loss": Observable(loss, "W", "power lost in the damping of the mesh", "power.gears"),
        }
        for k, part in enumerate(s.parts):
            share = part / s.stiffness
            result[f"pair{k + 1}.force"] = Observable(force * share, "N", f"force of pair {k + 1}")
        if self.friction:
            result |= self._friction_observables(c, s, rate, force)
        if self.backlash:
            result |= self._of_flanks(c, s)
        return result | self._of_events(c, s)

    def _of_flanks(self, c, s) -> dict[str, Observable]:
        """Depth of the nearer flanks, its rate and its acceleration, which are watched."""
        driving = indicator(ufl.gt(s.depth, s.other))
        depth = driving * s.depth + (1 - driving) * s.other
        rate = driving * s.speed + (1 - driving) * s.other_speed
        acceleration = c.second_rate(rate)
        if self.nominal:  # the error runs with the time, not with the motion
            curvature = (2 * np.pi * s.frequency) ** 2 * s.error
            acceleration += (2 * driving - 1) * curvature
        return internal(dict(zip(self.gap, (depth, rate, acceleration), strict=True)))

    def _energy(self, s) -> tuple:
        """Elastic energy of the mesh, J, and the power that is lost in its damping, W."""
        energy, loss = s.stiffness / 2 * s.depth**2, s.damping * s.speed**2
        if self.backlash:
            inside, outside = (indicator(ufl.gt(z, 0)) for z in (s.depth, s.other))
            energy = s.stiffness / 2 * (inside * s.depth**2 + outside * s.other**2)
            # what the elastic energy loses and no force returns, also where the force is cut at 0
            loss = inside * (s.drive - s.stiffness * s.depth) * s.speed
            loss += outside * (s.coast - s.stiffness * s.other) * s.other_speed
        return energy, loss

    def _friction_observables(self, c, s, rate, force) -> dict[str, Observable]:
        """Friction and its power, of all pairs and of each."""
        rubbing = sum(part * force for part, _, _ in s.friction)
        taken = sum(f * rate[k] for k, f in enumerate(self._rubbed(c, s, 3 * [0])))
        return {
            "friction_force": Observable(
                rubbing, "N", "friction on the gear across the line of action"
            ),
            "friction_loss": Observable(taken, "W", "power lost in friction", "power.gears"),
            **{
                f"pair{k + 1}.friction": Observable(
                    part * force, "N", f"friction of pair {k + 1} on the gear"
                )
                for k, (part, _, _) in enumerate(s.friction)
            },
        }

    def _of_events(self, c, s) -> dict[str, Observable]:
        """Observables that ``time_to_change`` and ``update`` need."""
        turns = {
            f"{name}_turn": Observable(
                s.place.angles[k], "rad", f"angle of the line of centres in the {name}",
                recorded=False,
            )
            for k, name in enumerate(("pinion", "gear"))
        }  # fmt: skip
        return turns | {
            "onward": Observable(s.frequency, "1/s", "mesh cycles a second", recorded=False),
        }  # fmt: skip

    # --- events ---------------------------------------------------------------------------------
    def interval(self, parameters):
        """The segment in force."""
        first, last = self.column(parameters, "segment")[:, :2].T
        return first, last

    def near(self, parameters):
        """An event counts as reached a little before it."""
        return REACHED

    def change(self, parameters, observed):
        at = {n: self.columns(n) for n in ("cycle", "table", "at")}
        for row, phase, onward in zip(
            parameters, observed["mesh_phase"], observed["onward"], strict=True
        ):
            table = row[at["table"]].reshape(self.segments, self.row)
            k, cycle = int(row[at["at"].start]), row[at["cycle"].start]
            x, start = phase, cycle
            # in the direction of motion
            while onward > 0 and x >= table[k][1] - REACHED:
                k += 1
                if k == self.segments:
                    k, x, start = 0, x - 1, start + 1
            while onward < 0 and x <= table[k][0] + REACHED:
                k -= 1
                if k < 0:
                    k, x, start = self.segments - 1, x + 1, start - 1
            if k != int(row[at["at"].start]) or start != cycle:
                row[at["at"]], row[at["cycle"]] = k, start
                self.select(parameters)

    def select(self, parameters):
        at = {n: self.columns(n) for n in ("segment", "table", "at")}
        for row in parameters:
            table = row[at["table"]].reshape(self.segments, self.row)
            row[at["segment"]] = table[int(row[at["at"].start])]
