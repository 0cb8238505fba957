"""Ports: the relative motion that a film reads, and the force it exerts on both bodies.

In the housing's frame D (axes D_k, origin r_H); the journal has the centre r_J and the axis d_3::

    e_k = D_k . (r_J - r_H),  t_k = D_k . d_3            definitions, without reaction
    W = (V, Omega) = (de/dt, D_k . (omega_J - omega_H))  a definition whose multiplier is F
    F = dL/dW, force and moment on the journal           reaches both bodies as virtual power

W is algebraic: it is read from the velocities, not integrated, so that power balances exactly.

Ports differ in axes and in what they read. Of a flat pad the housing is a face of a slider, its
origin the face's middle, the third axis out of the guide into the slider; the journal is the guide,
with its normal d_3 on that side and its frame's origin r_G, the middle plane lying ``half`` +
clearance behind the surface::

    e_3 = d_3 . (r_G - r) - half         by how much the gap at the middle is closed, exactly
    V   = D_k . (velocity of the guide at the face's middle, seen from the slider)

so that force and moment of the film refer to the face's middle, wherever along the guide it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl
from ufl import as_vector, cross, dot

from ...contact.forms import (
    TINY_LENGTH,
    centre_offsets,
    identity,
    in_space,
    load_observables,
)
from ...core.mixins import SmallDistance
from ...core.observables import Observable
from ...model.frame import FrameKind, PointFrame
from ...model.pair import PairKind


@dataclass(frozen=True)
class RelativeKind(PairKind, SmallDistance):
    """Frame i is the housing, frame j the journal (its third axis is the shaft's).

    Args:
        spherical: the film closes along the whole line of centres, not only across the axis.
        over_contact: there is a dry contact under the film, which shows where the journal is.
    """

    spherical: bool = False
    over_contact: bool = False

    @property
    def inner(self) -> str:
        """What frame j is called."""
        return "ball" if self.spherical else "journal"

    def place(self, c):
        """Poses of housing and journal, e and t."""
        housing, journal = self.poses(c)
        arm = journal.r - housing.r
        e = as_vector([dot(housing.e(k), arm) for k in (1, 2, 3)])
        t = as_vector([dot(housing.e(k), journal.e(3)) for k in (1, 2)])
        return housing, journal, e, t

    def distance(self, e):
        """Distance of the centres that the film feels, m."""
        squares = sum(e[k] ** 2 for k in range(3 if self.spherical else 2))
        return ufl.sqrt(squares + TINY_LENGTH**2)


#: within this angle (rad) of the housing's third axis reversed, axes that turn with the line of
#: centres turn by half a turn about the second
TINY_ANGLE = 1e-6


@dataclass(frozen=True)
class PortKind(RelativeKind):
    """Ties the unknowns of a port to both frames and hands the film's force to them."""

    called = "force of a film"

    feeds_energy = False

    @property
    def own_fields(self):
        return {"e": (3,), "t": (2,), "W": (6,), "F": (6,)}

    @property
    def own_parameters(self):
        return {"length": (), "lean": (), "drag": (6,)}

    def motion(self, c, housing, journal, e):
        """W as the velocities have it."""
        turning = journal.omega - housing.omega
        rates = c.rate(e)
        return as_vector([*(rates[k] for k in range(3)),
                          *(dot(housing.e(k), turning) for k in (1, 2, 3))])  # fmt: skip

    def axes(self, c, e, as_symbol=identity):
        """Axes of the film in the housing's for a place e of the journal; ``None``: the same.
        ``as_symbol``: ``c.shared`` in a residual."""
        return None

    def residual(self, c):
        *_, e, t, W, F = c.split(c.q)
        *_, e_test, t_test, W_test, F_test = c.split(c.test)
        housing, journal, place, lean = self.place(c)
        motion = self.motion(c, housing, journal, place)
        at, moving = c.shared(place), c.shared(motion)
        reaction = F
        axes = self.axes(c, at, c.shared)
        if axes is not None:
            at, moving = _seen(at, axes), _seen(moving, axes)
            reaction = _back(reaction, axes)
        form = dot(F, W_test) - dot(c.shared(reaction), c.power(motion))
        form -= dot(F_test, moving - W)
        # nothing at a solution, but a pivot for W where the film resists no motion
        drag = c.par("drag")
        form += sum(drag[k] * (W - moving)[k] * W_test[k] for k in range(6))
        # dimensionless rows once scaled by the unknowns' units
        form += dot(e - at, e_test) / c.par("length") ** 2
        form += dot(t - c.shared(lean), t_test) / c.par("lean") ** 2
        return form * c.dx()

    def force_observables(self, c, e, W, F) -> dict[str, Observable]:
        """What every film shows: in the axes of space, whatever those of the film are."""
        housing, journal, place, _ = self.place(c)
        axes = self.axes(c, place)
        force, moment = (
            in_space(housing, half) for half in _halves(F if axes is None else _back(F, axes))
        )
        distance = self.distance(e)
        pressed = -sum(F[k] * e[k] for k in range(3 if self.spherical else 2)) / distance
        towards = "force along the line of centres, positive towards the centre"
        result = {"normal_force": Observable(pressed, "N", towards)}
        if not self.over_contact:
            result["eccentricity"] = Observable(distance, "m", "distance of the centres")
            result |= centre_offsets(housing, journal, self.inner, "bearing")
        result |= self.path(place, W if axes is None else _back(W, axes))
        result |= load_observables(force, moment, self.inner, "about its centre")
        if self.over_contact:
            size = ufl.sqrt(dot(force, force))
            result["film_force"] = Observable(size, "N", "force of the film")
        return result

    def path(self, e, W) -> dict[str, Observable]:
        """``e1 e2 e3 v1 v2 v3``: place of the journal's centre and its velocity, as seen in the
        bearing; m and m/s."""
        centre = f"of the {self.inner}'s centre, as seen in the bearing"
        shown = (("e", e, "m", "position"), ("v", W, "m/s", "velocity"))
        return {
            f"{x}{k + 1}": Observable(vector[k], unit, f"component {k + 1} of the {what} {centre}")
            for x, vector, unit, what in shown
            for k in range(3)
        }

    def observables(self, c):
        *_, e, _, W, F = c.split(c.q)
        result = self.force_observables(c, e, W, F)
        what = "power that the bodies lose to the film"
        return result | {
            "film_power": Observable(-dot(F, W), "W", what, "power.to_films", recorded=False)
        }


@dataclass(frozen=True)
class TurningPortKind(PortKind):
    """A port whose axes turn with the line of centres, which is the film's third axis.

    The axes are turned from the housing's by the shortest way. V and Omega stay the motion seen
    from the housing whatever the axes do: Reynolds' equation knows the present only. Within
    ``centre`` (m) of the centre the third axis bends towards the housing's third.
    """

    called = "force of a film that turns along"

    spherical: bool = True

    @property
    def own_parameters(self):
        return {**super().own_parameters, "centre": ()}

    def axes(self, c, e, as_symbol=identity):
        away = e + as_vector([0, 0, c.par("centre")])
        line = away / ufl.sqrt(dot(away, away) + TINY_LENGTH**2)
        aside = TINY_ANGLE / (1 + (1 + line[2]) / TINY_ANGLE**2)  # nothing elsewhere
        between = line + as_vector([aside, 0, 1])
        m = as_symbol(between / ufl.sqrt(dot(between, between)))
        # the shortest way is two reflections: across the plane normal to m, which lies half-way
        # between the third axes, and of that axis. A rotation whatever the rounding of m.
        mirrored = ufl.Identity(3) - 2 * ufl.outer(m, m)
        return [mirrored[0, :], mirrored[1, :], -mirrored[2, :]]


@dataclass(frozen=True)
class PadPortKind(PortKind):
    """The port of a flat pad: frame i is the slider's face, frame j the guide."""

    called = "force of a film on a pad"

    @property
    def own_parameters(self):
        return {**super().own_parameters, "half": ()}

    def place(self, c):
        face, guide = self.poses(c)
        arm = guide.r - face.r
        e = as_vector([dot(face.e(1), arm), dot(face.e(2), arm),
                       dot(guide.e(3), arm) - c.par("half")])  # fmt: skip
        return face, guide, e, as_vector([dot(face.e(k), guide.e(3)) for k in (1, 2)])

    def motion(self, c, housing, journal, e):
        turning = journal.omega - housing.omega
        arm = housing.r - journal.r
        passing = journal.velocity + cross(journal.omega, arm) - housing.velocity
        return as_vector([dot(housing.e(k), z) for z in (passing, turning) for k in (1, 2, 3)])

    def force_observables(self, c, e, W, F):
        face = self.place(c)[0]
        force, moment = (-in_space(face, [F[k + n] for n in range(3)]) for k in (0, 3))
        size = ufl.sqrt(F[0] ** 2 + F[1] ** 2)
        return {
            "normal_force": Observable(-F[2], "N", "force of the film across the face"),
            "friction_force": Observable(size, "N", "size of the film's force along the face"),
            **load_observables(force, moment, "slider", "about the face's middle"),
        }


@dataclass(frozen=True)
class CollarPortKind(PadPortKind):
    """The port of a thrust bearing: frame i is the plane of the pads, frame j the collar; the third
    axis points from the collar to the pads."""

    called = "force of the films on a collar"

    def force_observables(self, c, e, W, F):
        pads, collar, *_ = self.place(c)
        force, moment = (in_space(pads, half) for half in _halves(F))
        torque = dot(moment, collar.e(3))
        return {
            "normal_force": Observable(-F[2], "N", "force between pads and collar"),
            "torque": Observable(torque, "N m", "moment on the collar about its axis"),
            **load_observables(force, moment, "collar", "about the point of frame i"),
        }


@dataclass(frozen=True)
class TiltingPadPortKind(PortKind):
    """The port of a pad that turns about a pivot behind its surface: frame i is the pad, and
    ``carrier`` the frame of the body that carries the pivot.

    In a film on a bore the shear stress acts as a couple about the journal, and its resultant force
    is neglected (thickness.py). On a pad the shear stress acts on the surface, close to the pivot,
    and has hardly any moment about it, so that the couple acts on the body that carries the pivot.
    The speed of rotation of the film is therefore that of the journal relative to this body.
    """

    called = "force of a film on a tilting pad"

    carrier: FrameKind = PointFrame()

    @property
    def own_fields(self):
        return {"carrier": (self.carrier.size,), **super().own_fields}

    @property
    def own_parameters(self):
        return {**super().own_parameters, "carrier": (self.carrier.numbers,)}

    def motion(self, c, housing, journal, e):
        carrier = self.carrier.pose(c, c.split(c.q)[2], c.par("carrier"))
        *others, _ = super().motion(c, housing, journal, e)
        return as_vector([*others, dot(housing.e(3), journal.omega - carrier.omega)])


def _halves(vector):
    """Vectors of three components one after the other."""
    return [as_vector([vector[i + k] for k in range(3)]) for i in range(0, len(vector), 3)]


def _seen(vector, axes):
    """Components along the axes."""
    return as_vector([dot(a, half) for half in _halves(vector) for a in axes])


def _back(vector, axes):
    """The vector of these components along the axes."""
    parts = (
        sum((half[k] * axes[k] for k in (1, 2)), half[0] * axes[0]) for half in _halves(vector)
    )
    return as_vector([part[k] for part in parts for k in range(3)])
