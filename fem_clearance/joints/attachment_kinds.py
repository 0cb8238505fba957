"""Conditions that hold facets or nodes of a solid to a frame."""

from __future__ import annotations

from dataclasses import dataclass

import basix.ufl
import ufl

from ..bodies.solids.elements import FacetKind
from ..core.observables import Observable
from ..model.frame import FrameKind, RigidFrame
from ..model.pair import PairKind
from .ideal import force_on, moment_on


def _reactions(work, pose, degree: int | None = None) -> dict[str, Observable]:
    """Force, moment and power on the frame from lam . Phi of a cell or of its area."""
    force, moment = force_on(work, pose), moment_on(work, pose)
    power = ufl.dot(force, pose.velocity) + ufl.dot(moment, pose.omega)
    result = {}
    for name, unit, what, vector in (
        ("reaction", "N", "force", force), ("moment", "N m", "moment", moment)
    ):  # fmt: skip
        for k, x in enumerate("xyz"):
            result[f"{name}.{x}"] = Observable(vector[k], unit, f"{x} of the {what} on the frame")
    result["power"] = Observable(power, "W", "power on the frame")
    if degree is None:
        return result
    return {n: o._replace(expression={degree: o.expression}) for n, o in result.items()}


@dataclass(frozen=True)
class AveragedKind(FacetKind):
    """Facets follow a frame on the average.

    With ``y`` the present place of a facet's point in the frame and ``Y`` its place there at the
    start, ``s = y - Y``, ``a`` the arm from the facets' centre and J the mean of
    ``|a|^2 I - a a^T``,

        mean(s) = 0,    J^-1 mean(a x s) = 0

    over the undeformed area. The first is a displacement in m, the second, for small ones, a
    rotation in rad; for any rotation it says that the frame turns as the rigid motion nearest to
    the facets' in the sense of least squares. The multipliers are the force and the moment that
    frame and facets exert on each other about the facets' centre, in the frame's axes.
    """

    feeds_energy = False
    conservative = True

    frame: FrameKind = RigidFrame()

    @property
    def own_parameters(self):
        return {
            "frame": (self.frame.numbers,), "origin": (3,), "center": (3,), "flexibility": (3, 3),
            "area": (),
        }  # fmt: skip

    @property
    def counts(self) -> tuple[int, int]:
        """Conditions on displacement and on rotation."""
        return (2, 1) if self.plane else (3, 3)

    @property
    def own_elements(self):
        return [
            basix.ufl.element("DG", self.cell, 0, shape=(n,))
            for n in (self.frame.size, sum(self.counts))
        ]

    @property
    def label(self):
        return f"averaged attachment ({self.frame.label}) on {self.cell} of degree {self.degree}"

    def pose(self, c):
        return self.frame.pose(c, c.split(c.q)[1], c.par("frame"))

    def work(self, c, pose):
        """lam . Phi by undeformed area."""
        lam, X = c.split(c.q)[2], self.in_space(c.x)
        gap = self.in_space(self.place(c) - pose.r)  # how far off the plane the frame is is open
        slip = ufl.as_vector([ufl.dot(e, gap) for e in pose.triad]) - (X - c.par("origin"))
        arm = X - c.par("center")
        turn = c.par("flexibility") * ufl.cross(arm, slip)
        phi = [slip[0], slip[1], turn[2]] if self.plane else [*slip, *turn]
        return c.par("thickness") / c.par("area") * sum(lam[k] * z for k, z in enumerate(phi))

    def residual(self, c):
        return c.along(self.work(c, self.pose(c)) * c.dx(self.surface_degree))

    def observables(self, c):
        pose = self.pose(c).as_variables()
        return _reactions(self.work(c, pose), pose, self.surface_degree)


@dataclass(frozen=True)
class RigidlyAttachedKind(PairKind):
    """A node (frame i) stays at a place of frame j."""

    feeds_energy = False
    conservative = True

    @property
    def label(self):
        return f"rigid attachment ({self.i.label}, {self.j.label})"

    @property
    def own_fields(self):
        return {"lam": (self.i.size,)}

    @property
    def own_parameters(self):
        return {"place": (3,)}

    def work(self, c, i, j):
        """lam . Phi."""
        lam, place = c.split(c.q)[2], c.par("place")
        gap = i.r - j.r - sum((place[k] * e for k, e in enumerate(j.triad)), ufl.zero(3))
        return sum(lam[k] * gap[k] for k in range(self.i.size))

    def residual(self, c):
        return c.along(self.work(c, *self.poses(c))) * c.dx()

    def observables(self, c):
        i, j = self.poses(c, variables=True)
        return _reactions(self.work(c, i, j), j)
