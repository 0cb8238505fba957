"""Ideal joints: constraints between two frames, with Lagrange multipliers.

A joint is a list of scalar conditions on two poses, from which the virtual work, the tangent and
the reactions on frame j follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.blocks import Block, multipliers
from ..core.observables import Observable
from ..core.roles import ROTATION, TRANSLATION
from ..core.symbols import total
from ..errors import InputError
from ..model.frame import Frame, triad_about
from ..model.pair import Pair, PairKind


def _points(i, j):
    gap = j.r - i.r
    return [gap[k] for k in range(3)]


def _off_line(i, j):
    gap = j.r - i.r
    return [ufl.dot(gap, i.e(1)), ufl.dot(gap, i.e(2))]


def _off_plane(i, j):
    return [ufl.dot(j.r - i.r, i.e(3))]


def _same_axis(i, j):
    return [ufl.dot(i.e(1), j.e(3)), ufl.dot(i.e(2), j.e(3))]


def _no_turn(i, j):
    return [ufl.dot(i.e(1), j.e(2))]


def _along_i(i, j):
    return [ufl.dot(i.e(1), j.tangent), ufl.dot(i.e(2), j.tangent)]


def _along_j(i, j):
    return [ufl.dot(j.e(1), i.tangent), ufl.dot(j.e(2), i.tangent)]


#: joint type -> (conditions on positions, conditions on directions)
CONDITIONS: dict[str, tuple[Callable, Callable]] = {
    "spherical": (_points, lambda i, j: []),
    "revolute": (_points, _same_axis),
    "cylindrical": (_off_line, _same_axis),
    "prismatic": (_off_line, lambda i, j: _same_axis(i, j) + _no_turn(i, j)),
    "universal": (_points, _no_turn),
    "fixed": (_points, lambda i, j: _same_axis(i, j) + _no_turn(i, j)),
    "point_on_line": (_off_line, lambda i, j: []),
    "planar": (_off_plane, _same_axis),
    # a cable's tangent held in the triad of frame i or j
    "fixed_line_j": (_points, _along_i),
    "fixed_line_i": (_points, _along_j),
}
#: number of conditions on positions and on directions
COUNTS = {
    "spherical": (3, 0), "revolute": (3, 2), "cylindrical": (2, 2), "prismatic": (2, 3),
    "universal": (3, 1), "fixed": (3, 3), "point_on_line": (2, 0), "planar": (1, 2),
    "fixed_line_j": (3, 2), "fixed_line_i": (3, 2),
}  # fmt: skip


class ConstraintKind(PairKind):
    """Conditions Phi = 0 on two poses: virtual work of lam . Phi, with multipliers ``lam``."""

    feeds_energy = False
    conservative = True

    def work(self, c, i, j):
        """lam . Phi, the work function of the constraint."""
        raise TypeError("a constraint defines work()")

    def residual(self, c):
        return c.along(self.work(c, *self.poses(c))) * c.dx()


@dataclass(frozen=True)
class IdealKind(ConstraintKind):
    """The conditions of one joint type."""

    joint: str = "spherical"

    @property
    def label(self):
        return f"{self.joint} joint ({self.i.label}, {self.j.label})"

    @property
    def own_fields(self):
        return {"lam": (sum(COUNTS[self.joint]),)}

    def work(self, c, i, j):
        lam = c.split(c.q)[2]
        first, second = CONDITIONS[self.joint]
        return sum(lam[k] * phi for k, phi in enumerate(first(i, j) + second(i, j)))

    def observables(self, c):
        i, j = self.poses(c, variables=True)
        work = self.work(c, i, j)
        result = channels("reaction", "N", "force", force_on(work, j))
        if COUNTS[self.joint][1]:
            result |= channels("moment", "N m", "moment", moment_on(work, j))
        return result


def force_on(work, pose):
    """Force on a frame from the work function of a constraint: -d(lam . Phi)/dr.

    The frame's position must be a UFL variable.
    """
    return -ufl.diff(work, pose.r)


def moment_on(work, pose):
    """Moment on a frame about its point: a turn by the vector w moves e_k by w x e_k.

    The frame's triad must be UFL variables.
    """
    parts = [-ufl.cross(e, ufl.diff(work, e)) for e in pose.turning]
    return total(parts)


def channels(name: str, unit: str, what: str, vector, on: str = "frame j") -> dict[str, Observable]:
    """Channels of the three components of a force or moment on a frame."""
    return {
        f"{name}.{x}": Observable(vector[k], unit, f"{x} of the {what} on {on}")
        for k, x in enumerate("xyz")
    }


class IdealJoint(Pair):
    """A joint of one of the types in ``CONDITIONS``; use the named classes.

    Args:
        frame_i, frame_j, axis, name: see ``SphericalJoint``.

    Channels: ``reaction.x/y/z`` (N), and ``moment.x/y/z`` (N m) where the joint holds directions:
    what the joint exerts on frame j, the moment about frame j's point.

    Raises:
        InputError: no axis or a zero one, a frame without the triad that the joint needs, a body
            joined to itself; when added, points that do not meet.
    """

    joint = "spherical"
    needs_axis = False

    def __init__(self, frame_i, frame_j, axis: ArrayLike | None = None, *, name: str | None = None):
        self.prefix, self.label = self.joint, f"{self.joint.replace('_', ' ')} joint"
        super().__init__(frame_i, frame_j, name)
        self.axis: Any = None
        #: its multipliers; none before it is added to a system
        self.blocks: Sequence[Block] = ()
        if self.needs_axis or axis is not None:
            self.axis = checks.axis(self.who, axis)

    def triads(self) -> tuple[np.ndarray, np.ndarray]:
        """Initial joint triads of both frames, by columns."""
        triad = np.eye(3) if self.axis is None else triad_about(self.axis)
        return triad, triad

    @property
    def slides(self) -> bool:
        """Whether the points may move apart along the axis."""
        return CONDITIONS[self.joint][0] is _off_line

    def misfit(self) -> float:
        """Distance by which the joint is open at the start, m."""
        gap = self.gap
        if CONDITIONS[self.joint][0] is _off_plane:
            gap = (gap @ self.axis) * self.axis
        elif self.slides:
            gap = gap - (gap @ self.axis) * self.axis
        return float(np.linalg.norm(gap))

    def build(self, builder) -> None:
        if self.misfit() > 1e-6 * builder.extent():
            raise InputError(
                f"{self.name} cannot close at the start: {self.i.name} at "
                f"{checks.listed(self.i.position)} and {self.j.name} at "
                f"{checks.listed(self.j.position)} are {self.misfit():.3g} m apart"
                f"{' across the axis' if self.slides else ''}; move one of them."
            )
        positions, directions = COUNTS[self.joint]
        self.blocks = blocks = [multipliers(self.name, "force", positions, TRANSLATION)]
        if directions:
            blocks.append(multipliers(self.name, "moment", directions, ROTATION))
        kind = IdealKind(self.i.kind, self.j.kind, self.joint)
        ti, tj = self.triads()
        parameters = kind.pack_pair(self.i.parameters(ti), self.j.parameters(tj))
        self.add_to(builder, kind, parameters, blocks)


class SphericalJoint(IdealJoint):
    """Holds two points together.

    Args:
        frame_i, frame_j: frames, or one frame and a rigid body or the ground, whose point at the
            same place is then used.
        axis: direction of the joint's axis in the fixed frame at the start; other joints need it.
        name: name in messages and channels.

    Channels: ``reaction.x/y/z`` (N), the force on frame j.

    Raises:
        InputError: a missing or zero axis, a frame without the triad that the joint needs, a body
            that is joined to itself; when the joint is added, points that do not coincide.

    See docs/ideal_joints.md. Example::

        fc.SphericalJoint(ground, body.at((0, 0, 0)))
    """

    triads_needed = (False, False)


class RevoluteJoint(IdealJoint):
    """Allows rotation about ``axis``.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m, about its point), on frame j.
    Arguments and errors: see ``SphericalJoint``.

    See docs/ideal_joints.md. Example::

        fc.RevoluteJoint(ground, body.at((0, 0, 0)), axis=(0, 0, 1))
    """

    joint, needs_axis = "revolute", True


class CylindricalJoint(IdealJoint):
    """Allows rotation about ``axis`` and displacement along it.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m, about its point), on frame j.
    Arguments and errors: see ``SphericalJoint``.

    See docs/ideal_joints.md. Example::

        fc.CylindricalJoint(ground, body.center, axis=(1, 0, 0))
    """

    joint, needs_axis = "cylindrical", True


class PrismaticJoint(IdealJoint):
    """Allows displacement along ``axis``.

    Between two bodies it acts at the centre of mass of the second one. The place does not matter to
    the motion; it is the point to which ``moment`` refers.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m, about its point), on frame j.
    Arguments and errors: see ``SphericalJoint``.

    See docs/ideal_joints.md. Example::

        fc.PrismaticJoint(ground, body.center, axis=(1, 0, 0))
    """

    joint, needs_axis = "prismatic", True

    def __init__(self, frame_i, frame_j, axis: ArrayLike | None = None, *, name: str | None = None):
        if not isinstance(frame_i, Frame) and not isinstance(frame_j, Frame):
            frame_j = getattr(frame_j, "center", frame_j)
        super().__init__(frame_i, frame_j, axis, name=name)


class FixedJoint(IdealJoint):
    """Fixes the relative pose of two frames.

    A cable has no triad: its point and its tangent are held in the other frame.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m, about its point), on frame j.
    Arguments and errors: see ``SphericalJoint``.

    See docs/ideal_joints.md. Example::

        fc.FixedJoint(body.center, other.at(body.position))
    """

    joint = "fixed"
    triads_needed = (False, False)

    def __init__(self, frame_i, frame_j, axis: ArrayLike | None = None, *, name: str | None = None):
        super().__init__(frame_i, frame_j, axis, name=name)
        if not self.i.kind.has_triad:
            self.j.needs_triad(self.who)
            self.i, self.joint = self.i.with_tangent(self.who), "fixed_line_i"
            self.axis = self.i.basis[:, 0]
        elif not self.j.kind.has_triad:
            self.j, self.joint = self.j.with_tangent(self.who), "fixed_line_j"
            self.axis = self.j.basis[:, 0]


class PointOnLine(IdealJoint):
    """Keeps the point of frame j on the line through frame i along ``axis`` (fixed in frame i).

    Channels: ``reaction.x/y/z`` (N, on frame j).
    Arguments and errors: see ``SphericalJoint``.

    See docs/ideal_joints.md. Example::

        fc.PointOnLine(ground, body.center, axis=(1, 0, 0))
    """

    joint, needs_axis = "point_on_line", True
    triads_needed = (True, False)


class PlanarJoint(IdealJoint):
    """Allows motion in the plane normal to ``axis``: two displacements and the rotation about it.

    Between the ground and a body it keeps a mechanism in its plane where a clearance joint does
    not.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m, about its point), on frame j.
    Arguments and errors: see ``SphericalJoint``.

    See docs/ideal_joints.md. Example::

        fc.PlanarJoint(ground, body.center, axis=(0, 0, 1))
    """

    joint, needs_axis = "planar", True


class UniversalJoint(IdealJoint):
    """A cross: ``axis`` (fixed in frame i) and ``cross`` (fixed in frame j) stay perpendicular.

    Args:
        frame_i, frame_j, axis, name: see ``SphericalJoint``.
        cross: direction of the cross's second axis at the start, at right angles to ``axis``.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m, about its point), on frame j.

    Raises:
        InputError: see ``SphericalJoint``; no ``cross``, or one not at right angles to ``axis``.

    See docs/ideal_joints.md. Example::

        fc.UniversalJoint(ground, body.at((0, 0, 0)), axis=(1, 0, 0), cross=(0, 1, 0))
    """

    joint, needs_axis = "universal", True

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        cross: ArrayLike | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, axis, name=name)
        if cross is None:
            raise InputError(
                f"{self.who} needs the cross's second axis, for example cross=(0, 1, 0)."
            )
        self.cross = checks.direction(f"{self.who}: cross", cross)
        if abs(self.cross @ self.axis) > 1e-9:
            raise InputError(f"{self.who}: axis and cross must be perpendicular at the start.")

    def portrait(self):
        return super().portrait().more(data={"cross": self.cross.tolist()})

    def triads(self):
        # the condition is e1 of frame i . e2 of frame j = 0
        third = np.cross(self.axis, self.cross)
        triad = np.column_stack([self.axis, self.cross, third])
        return triad, triad
