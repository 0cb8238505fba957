"""Couplers: ideal ratios between the motions of joints, as of gears, racks, screws,
differentials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import multipliers
from ..core.component import Cell
from ..core.mixins import SteadyParameters
from ..core.observables import Observable
from ..core.roles import ROTATION, TRANSLATION
from ..core.symbols import total
from ..errors import InputError
from ..markup import Shown
from ..model.frame import FrameKind, triad_about
from ..model.portrait import Portrait
from .angle import Angle
from .ideal import CylindricalJoint, IdealJoint, PrismaticJoint, RevoluteJoint

#: motions of a joint, with unit and description, and the effort on it with its unit
MOTIONS = {
    "angle": ("rad", "angle of frame j about the axis", "torque", "N m"),
    "displacement": ("m", "displacement of frame j along the axis", "force", "N"),
}
#: motions that joints leave free
FREE: dict[type, tuple[str, ...]] = {
    RevoluteJoint: ("angle",), PrismaticJoint: ("displacement",),
    CylindricalJoint: ("angle", "displacement"),
}  # fmt: skip


class Motion(NamedTuple):
    """A free motion of a joint: its frames' kinds, and whether it is a rotation."""

    i: FrameKind
    j: FrameKind
    turns: bool


@dataclass(frozen=True)
class CouplerKind(SteadyParameters):
    """sum of ratio_k x_k = 0 of the free motions x_k of joints, from the start: virtual work of
    lam times this sum."""

    called = "coupler"

    feeds_energy = False
    conservative = True

    motions: tuple[Motion, ...] = ()

    @property
    def label(self):
        return (
            f"coupler ({', '.join('angle' if m.turns else 'displacement' for m in self.motions)})"
        )

    def fields(self):
        frames: dict[str, tuple[int, ...]] = {}
        for k, m in enumerate(self.motions):
            frames |= {f"i{k}": (m.i.size,), f"j{k}": (m.j.size,)}
        return frames | {"lam": (1,)}

    @property
    def parameters(self):  # type: ignore[override]
        count = len(self.motions)
        own: dict[str, tuple[int, ...]] = {"ratios": (count,), "starts": (count,)}
        for k, m in enumerate(self.motions):
            own |= {f"i{k}": (m.i.numbers,), f"j{k}": (m.j.numbers,)}
        return own

    def coordinates(self, c) -> list:
        """Motions from the start, rad or m."""
        q, found = c.split(c.q), []
        for k, m in enumerate(self.motions):
            i = m.i.pose(c, q[2 * k], c.par(f"i{k}"))
            j = m.j.pose(c, q[2 * k + 1], c.par(f"j{k}"))
            start = c.par("starts")[k]
            turned = Angle(c, i, j, start).value if m.turns else ufl.dot(j.r - i.r, i.e(3)) - start
            found.append(turned)
        return found

    def residual(self, c):
        lam, ratios = c.split(c.q)[-1][0], c.par("ratios")
        condition = total(ratios[k] * x for k, x in enumerate(self.coordinates(c)))
        return c.along(lam * condition) * c.dx()

    def observables(self, c):
        lam, ratios, result = c.split(c.q)[-1][0], c.par("ratios"), {}
        for k, x in enumerate(self.coordinates(c)):
            motion = "angle" if self.motions[k].turns else "displacement"
            unit, what, effort, of = MOTIONS[motion]
            result[f"{motion}{k + 1}"] = Observable(x, unit, f"{what}, joint {k + 1}")
            result[f"{effort}{k + 1}"] = Observable(
                -lam * ratios[k], of, f"{effort} on frame j of joint {k + 1}"
            )
        return result

    @property
    def copied(self):  # type: ignore[override]
        """The angles after the last step, see ``Angle``."""
        angles = (f"angle{k + 1}" if m.turns else None for k, m in enumerate(self.motions))
        return {"starts": tuple(angles)}


class Coupler(Shown):
    """Couples the motions of joints by fixed ratios, sum of ratio_k x_k = 0 from the start.

    x is the angle of a revolute joint, the displacement of a prismatic one, of frame j from frame
    i. Two revolutes are a gear pair (ratios (z_1, z_2) of the numbers of teeth of external gears,
    with z_2 negative for an internal one; all axes pointing the same way), a revolute and a
    prismatic one a rack, both motions of a cylindrical joint a screw, three revolutes a
    differential. Angles count over any number of turns; a step may turn each by less than half a
    turn.

    Args:
        joints: two or more joints; of a cylindrical one the pair ``(joint, "angle")`` or
            ``(joint, "displacement")``.
        ratios: one for each; where a motion is a displacement (m) beside an angle (rad), its ratio
            is per metre.
        name: for messages and channels.

    Channels: ``angle1`` (rad) or ``displacement1`` (m), ``torque1`` (N m) or ``force1`` (N) on
    frame j of the first joint, and so on.

    Raises:
        InputError: fewer than two motions, joints without a free motion along or about an axis,
            ratios that are zero or not as many.

    See docs/connections.md. Example::

        fc.Coupler(
            [
                system.add(fc.RevoluteJoint(ground, pinion.center, axis=(0, 0, 1))),
                system.add(fc.RevoluteJoint(ground, gear.center, axis=(0, 0, 1))),
            ],
            [25, 31],
        )
    """

    prefix, label = "coupler", "coupler"

    def __init__(self, joints: Sequence[Any], ratios: ArrayLike, *, name: str | None = None):
        self.name: Any = name
        who = name or self.label
        pairs = [self._motion(who, given) for given in checks.several(f"{who}: joints", joints)]
        if len(pairs) < 2:
            raise InputError(f"{who} needs at least two joints, got {len(pairs)}.")
        self.joints = [joint for joint, _ in pairs]
        self.motions = [motion for _, motion in pairs]
        self.ratios = checks.vector(f"{who}: ratios", ratios, len(pairs))
        if not self.ratios.all():
            raise InputError(f"{who}: no ratio may be 0, got {checks.listed(self.ratios)}.")
        self.i, self.j = self.joints[0].i, self.joints[0].j

    @staticmethod
    def _motion(who: str, given) -> tuple[IdealJoint, str]:
        joint, motion = given if isinstance(given, tuple) else (given, None)
        free = next((m for kind, m in FREE.items() if isinstance(joint, kind)), None)
        if free is None:
            raise InputError(
                f"{who}: a coupler takes revolute, prismatic and cylindrical joints, got "
                f"{checks.shown(joint)}."
            )
        if motion is None and len(free) == 1:
            return joint, free[0]
        if motion not in free:
            raise InputError(
                f"{who}: say which motion of {joint.who} is coupled, (joint, {free[0]!r})"
                + (f" or (joint, {free[1]!r})." if len(free) > 1 else ".")
            )
        return joint, motion

    def portrait(self) -> Portrait:
        about = {"joints": [j.name for j in self.joints], "ratios": self.ratios.tolist()}
        return Portrait("coupler", self.i, self.j, self.joints[0].axis, data=about)

    def build(self, builder) -> None:
        turns = [motion == "angle" for motion in self.motions]
        kind = CouplerKind(
            tuple(
                Motion(joint.i.kind, joint.j.kind, turn)
                for joint, turn in zip(self.joints, turns, strict=True)
            )
        )
        own: dict[str, Any] = {"ratios": self.ratios, "starts": [0.0] * len(turns)}
        refs: list = []
        for k, (joint, turn) in enumerate(zip(self.joints, turns, strict=True)):
            triad = triad_about(joint.axis)
            own |= {f"i{k}": joint.i.parameters(triad), f"j{k}": joint.j.parameters(triad)}
            if not turn:
                own["starts"][k] = float(joint.gap @ joint.axis)
            refs += [*joint.i.refs, *joint.j.refs]
        effort = "torque" if turns[0] else "force"
        block = multipliers(self.name, effort, 1, ROTATION if turns[0] else TRANSLATION)
        builder.add_block(block, after=[f for joint in self.joints for f in (joint.i, joint.j)])
        builder.add_cell(kind, Cell(self.name, [*refs, block.all], kind.pack(**own)))
