"""Ports of flat pads: a face of a slider (the housing) on a surface of its guide (the journal).

In the axes D of the face, its origin the face's middle, the third axis out of the guide into the
slider, with the guide's normal d_3 on that side and its frame's origin r_G, the middle plane
lying ``half`` + clearance behind the surface::

    e_3 = d_3 . (r_G - r) - half         by how much the gap at the middle is closed, exactly
    t_k = D_k . d_3
    V   = D_k . (velocity of the guide at the face's middle, seen from the slider)

so that force and moment of the film refer to the face's middle, wherever along the guide it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl
from ufl import as_vector, cross, dot

from ...contact.forms import in_space, load_observables
from ...core.kind import Kind
from ...core.observables import Observable
from .least_film import WHAT, Watched
from .port import PortKind


@dataclass(frozen=True)
class PadPortKind(PortKind):
    """Frame i is the slider's face, frame j the guide."""

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
            "film_power": Observable(
                -dot(F, W), "W", "power that the bodies lose to the film", "power.to_films", False
            ),
            **load_observables(force, moment, "slider", "about the face's middle"),
        }


@dataclass(frozen=True)
class LeastPadFilmKind(Kind):
    """Observes the distance of the surfaces at the corner of a pad where it is least; fields are
    those of the port. Parameters: middle and half of the sides of the pad, m."""

    parameters = {n: () for n in ("clearance", "x", "y", "a", "b", "roughness", "warned")}

    def fields(self):
        return {"e": (3,), "t": (2,)}

    def observables(self, c):
        e, t = c.split(c.q)
        h = c.par("clearance") - e[2]
        for k, middle, half in ((0, "x", "a"), (1, "y", "b")):
            h += t[k] * c.par(middle) - abs(t[k]) * c.par(half)
        return {"min_film": Observable(h, "m", WHAT)}


@dataclass(frozen=True)
class WatchedPadFilmKind(Watched, LeastPadFilmKind):
    """The same, and warns."""
