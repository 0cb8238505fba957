"""Springs and dampers between two frames: along a line, about an axis, along the axes of a frame.

The virtual work of the springs follows from their potential. The dampers act on the same
coordinates, so that neither can do work in a rigid motion of the whole system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.mixins import SmallDistance
from ..core.observables import Observable
from ..core.symbols import Symbols, total
from ..errors import InputError
from ..model.pair import Pair, PairKind
from .angle import AngleKind, AnglePair
from .full_bushing import FullBushingKind


class Stretch(NamedTuple):
    """A coordinate of a pair on which a spring and a damper act, in UFL.

    Attributes:
        value: m or rad, zero without force.
        rate, virtual: its rate, and its change along the test function.
        stiffness, damping: by its unit.
    """

    value: Any
    rate: Any
    virtual: Any
    stiffness: Any
    damping: Any

    @property
    def force(self):
        """Force or torque with which spring and damper resist."""
        return self.stiffness * self.value + self.damping * self.rate


def _stretch(c: Symbols, x, free, stiffness, damping) -> Stretch:
    """How far an expression of q is from its value without force."""
    return Stretch(x - free, c.rate(x), c.along(x), stiffness, damping)


class ElasticKind(PairKind):
    """V = sum of k u^2 / 2 and damping forces c du/dt on the stretches u of a pair, which
    subclasses define; observes ``energy`` (J) and ``loss`` (W)."""

    feeds_energy = False

    def stretches(self, c: Symbols) -> list[Stretch]:
        """The coordinates that springs and dampers act on."""
        raise TypeError("an elastic pair defines stretches()")

    def residual(self, c):
        return total(u.force * u.virtual for u in self.stretches(c)) * c.dx()

    def observables(self, c):
        stretches = self.stretches(c)
        energy = total(u.stiffness / 2 * u.value**2 for u in stretches)
        loss = total(u.damping * u.rate**2 for u in stretches)
        return {
            "energy": Observable(energy, "J", "energy of the springs", "energy.strain"),
            "loss": Observable(loss, "W", "power lost in the dampers"),
        }


@dataclass(frozen=True)
class SpringKind(ElasticKind):
    """A spring and a damper along the line between two points."""

    called = "spring"

    @property
    def own_parameters(self):
        return {"stiffness": (), "damping": (), "free_length": (), "tiny": ()}

    def length(self, c):
        """Distance of the points; ``tiny`` is far below it and keeps its derivative finite."""
        i, j = self.poses(c)
        gap = j.r - i.r
        return ufl.sqrt(ufl.dot(gap, gap) + c.par("tiny") ** 2)

    def stretches(self, c):
        length = self.length(c)
        return [_stretch(c, length, c.par("free_length"), c.par("stiffness"), c.par("damping"))]

    def observables(self, c):
        (u,) = self.stretches(c)
        return {
            "length": Observable(self.length(c), "m", "distance of the points"),
            "force": Observable(u.force, "N", "tension"),
            **super().observables(c),
        }


class SpringDamper(Pair):
    """A spring and a damper side by side between two points.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        stiffness: N/m.
        damping: N s/m.
        free_length: length without force, m (default: the initial one).
        name: for messages and channels.

    Channels: ``length`` (m), ``force`` (N, positive when it pulls), ``energy`` (J), ``loss`` (W).

    Raises:
        InputError: a negative stiffness, damping or free length.

    See docs/ideal_joints.md. Example::

        fc.SpringDamper(ground.at((0, 0.3, 0)), body.center, stiffness=1e3, damping=5.0)
    """

    prefix = label = "spring"
    triads_needed = (False, False)

    def __init__(
        self,
        frame_i,
        frame_j,
        stiffness: float | None = None,
        damping: float = 0.0,
        free_length: float | None = None,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        self.stiffness = _stiffness(self.who, stiffness, "N/m")
        self.damping = checks.non_negative(f"{self.who}: damping", damping)
        initial = float(np.linalg.norm(self.gap))
        if free_length is None:
            free_length = initial
        self.free_length = checks.non_negative(f"{self.who}: free_length", free_length)

    def portrait(self):
        about = {"springs": self.stiffness > 0, "damps": self.damping > 0}
        return super().portrait().more(sizes={"free_length": self.free_length}, data=about)

    def build(self, builder) -> None:
        kind = SpringKind(self.i.kind, self.j.kind)
        parameters = kind.pack_pair(
            self.i.parameters(),
            self.j.parameters(),
            stiffness=self.stiffness,
            damping=self.damping,
            free_length=self.free_length,
            tiny=1e-9 * builder.extent(),
        )
        self.add_to(builder, kind, parameters)


@dataclass(frozen=True)
class TorsionKind(ElasticKind, AngleKind):
    """A spring and a damper about the axis of frame i."""

    called = "torsion spring"

    @property
    def own_parameters(self):
        return {"before": (), "stiffness": (), "damping": (), "free_angle": ()}

    def stretches(self, c):
        angle = self.angle(c)
        value = angle.value - c.par("free_angle")
        change = angle.rate, angle.along(c.along)
        return [Stretch(value, *change, c.par("stiffness"), c.par("damping"))]

    def observables(self, c):
        (u,) = self.stretches(c)
        angle = self.angle(c).value
        return {
            "angle": Observable(angle, "rad", "angle of frame j about the axis of frame i"),
            "torque": Observable(-u.force, "N m", "torque on frame j about the axis"),
            **super().observables(c),
        }


class TorsionSpring(AnglePair):
    """A torsion spring and damper about an axis, over any number of turns.

    It acts beside a joint that holds the axis, such as a revolute. A step may turn it by less than
    half a turn.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        axis: direction at the start, fixed in frame i.
        stiffness: N m/rad.
        damping: N m s/rad.
        free_angle: angle of frame j without torque, measured from the start, rad.
        name: for messages and channels.

    Channels: ``angle`` (rad), ``torque`` (N m, on frame j), ``energy`` (J), ``loss`` (W).

    Raises:
        InputError: no axis or a zero one, negative stiffness or damping, frames without a triad.

    See docs/ideal_joints.md. Example::

        fc.TorsionSpring(ground, body.center, (0, 0, 1), stiffness=10.0, damping=0.1)
    """

    prefix, label = "torsion_spring", "torsion spring"

    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        stiffness: float | None = None,
        damping: float = 0.0,
        free_angle: float = 0.0,
        *,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, axis, name)
        self.stiffness = _stiffness(self.who, stiffness, "N m/rad")
        self.damping = checks.non_negative(f"{self.who}: damping", damping)
        self.free_angle = checks.number(f"{self.who}: free_angle", free_angle)

    def build(self, builder) -> None:
        kind = TorsionKind(self.i.kind, self.j.kind)
        parameters = self.pack(
            kind, stiffness=self.stiffness, damping=self.damping, free_angle=self.free_angle
        )
        self.add_to(builder, kind, parameters)


@dataclass(frozen=True)
class BushingKind(ElasticKind, SmallDistance):
    """Springs and dampers along the axes e_n of frame i, on u_n = (r_j - r_i) . e_n less its value
    without force."""

    called = "bushing"

    @property
    def own_parameters(self):
        return {"stiffness": (3,), "damping": (3,), "free": (3,)}

    def stretches(self, c):
        i, j = self.poses(c)
        stiffness, damping, free = (c.par(n) for n in ("stiffness", "damping", "free"))
        return [
            _stretch(c, ufl.dot(j.r - i.r, i.e(n + 1)), free[n], stiffness[n], damping[n])
            for n in range(3)
        ]

    def observables(self, c):
        forces = {
            f"force{n + 1}": Observable(-u.force, "N", f"on frame j along axis {n + 1}")
            for n, u in enumerate(self.stretches(c))
        }
        return forces | super().observables(c)


class Bushing(Pair):
    """Springs and dampers between two points along three axes that turn with frame i; full matrices
    resist turning too and couple all directions.

    Args:
        frame_i, frame_j: frames, or one frame and a body (its point at the same place is taken).
        stiffness: along the axes, N/m: three numbers, or one for all, which do not resist turning;
            or a 6x6 matrix K, symmetric or not (cross-coupled bearings), of force and moment by
            displacement and rotation vector, N/m, N/rad, N m/m and N m/rad.
        damping: N s/m: three numbers, or one for all; or, with a 6x6 stiffness, a 6x6 matrix C.
        axes: directions at the start by columns; default the fixed axes.
        name: for messages and channels.

    It exerts no force in the position at the start. With matrices the virtual work is
    (K x + C dx/dt) . dx, where x is the displacement of frame j and its rotation vector (below half
    a turn), both from the start and in the axes of frame i.

    Channels: ``force1 force2 force3`` (N, on frame j along the axes), with matrices ``moment1`` to
    ``moment3`` (N m, what the rotation vector does work on: the moment while turns are small),
    ``energy`` (J), ``loss`` (W).

    Raises:
        InputError: a negative stiffness or damping, matrices of another shape, axes that are no
            triad, a frame without one.

    See docs/ideal_joints.md. Example::

        fc.Bushing(ground, body.center, stiffness=(1e6, 1e6, 1e5), damping=(10, 10, 1))
    """

    prefix = label = "bushing"

    @property
    def triads_needed(self):  # type: ignore[override]
        """Frame j needs a triad only if its rotation is resisted."""
        return True, self.full

    def __init__(
        self,
        frame_i,
        frame_j,
        stiffness: ArrayLike | None = None,
        damping: ArrayLike = 0.0,
        *,
        axes: ArrayLike | None = None,
        name: str | None = None,
    ):
        #: whether it has full matrices
        self.full = stiffness is not None and checks.array(stiffness).ndim == 2
        super().__init__(frame_i, frame_j, name)
        if stiffness is None:
            raise InputError(
                f"{self.who} needs a stiffness in N/m: one number, three, or a 6x6 matrix."
            )
        checked = _six if self.full else _three
        self.stiffness = checked(f"{self.who}: stiffness", stiffness)
        self.damping = checked(f"{self.who}: damping", damping)
        self.axes = np.eye(3) if axes is None else checks.array(axes)
        if self.axes.shape != (3, 3) or not np.allclose(self.axes.T @ self.axes, np.eye(3)):
            raise InputError(f"{self.who}: axes must be three orthogonal unit vectors by columns.")

    def build(self, builder) -> None:
        kind: PairKind = BushingKind(self.i.kind, self.j.kind)
        if self.full:
            kind = FullBushingKind(self.i.kind, self.j.kind, self._feeds())
        # frame j starts with the same axes, from which its rotation counts
        other = self.j.parameters(self.axes) if self.full else self.j.parameters()
        parameters = kind.pack_pair(
            self.i.parameters(self.axes), other, stiffness=self.stiffness, damping=self.damping,
            free=self.axes.T @ self.gap,
        )  # fmt: skip
        self.add_to(builder, kind, parameters)

    def _feeds(self) -> bool:
        """Whether matrices may give energy."""
        K, C = self.stiffness, self.damping
        least = np.linalg.eigvalsh(C + C.T).min()
        return not np.allclose(K, K.T, rtol=1e-12, atol=0.0) or bool(least < -1e-12 * abs(C).max())


def _stiffness(who: str, value, unit: str) -> float:
    if value is None:
        raise InputError(f"{who} needs a stiffness in {unit}.")
    return checks.non_negative(f"{who}: stiffness", value)


def _three(what: str, value) -> np.ndarray:
    """One number for all axes, or three."""
    if checks.array(value).ndim == 0:
        return np.full(3, checks.non_negative(what, value))
    return np.array([checks.non_negative(what, x) for x in checks.vector(what, value)])


def _six(what: str, value) -> np.ndarray:
    """A 6x6 matrix; a zero stands for none."""
    result = checks.array(value)
    if result.ndim == 0 and result == 0:
        result = np.zeros((6, 6))
    if result.shape != (6, 6) or not np.all(np.isfinite(result)):
        raise InputError(
            f"{what} must be a 6x6 matrix of finite numbers, got {checks.shown(value)}."
        )
    return result
