"""A mass on a frame: a tip mass of a beam, a bolt on an attachment, a rotor's weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import ufl
from numpy.typing import ArrayLike

from .. import checks
from ..core.component import Cell
from ..core.observables import body_energies
from ..markup import Shown
from ..model.pair import SingleKind, resolve_one
from ..model.portrait import Portrait
from .rigid import inertia_tensor


@dataclass(frozen=True)
class PointMassKind(SingleKind):
    """Inertia and weight of a mass at a frame's point; with ``turns`` also its rotary inertia:
    ``dL/dt`` on the frame's angular velocity, ``L = J omega`` about the point."""

    called = "point mass"

    turns: bool = False

    feeds_energy = False
    conservative = True

    @property
    def own_parameters(self):
        return {"mass": (), "inertia": (3, 3)} if self.turns else {"mass": ()}

    def spin(self, c, pose):
        """Angular momentum about the point."""
        J, e = c.par("inertia"), pose.triad
        rates = [ufl.dot(pose.omega, e[m]) for m in range(3)]
        return sum(
            (sum(J[k, m] * rates[m] for m in range(3)) * e[k] for k in range(3)), ufl.zero(3)
        )

    def residual(self, c):
        pose = self.pose(c)
        velocity = pose.velocity
        force = c.par("mass") * (c.second_rate(velocity) - c.gravity)
        form = ufl.dot(force, c.power(velocity))
        if self.turns:
            form += ufl.dot(c.second_rate(self.spin(c, pose)), c.power(pose.omega))
        return form * c.dx()

    def observables(self, c):
        pose, mass = self.pose(c), c.par("mass")
        kinetic = mass / 2 * ufl.dot(pose.velocity, pose.velocity)
        if self.turns:
            kinetic += ufl.dot(pose.omega, self.spin(c, pose)) / 2
        return body_energies(kinetic, -mass * ufl.dot(c.gravity, pose.r))


class PointMass(Shown):
    """A mass that moves with a frame: of a beam, a rigid body, an attachment, a node of a solid.

    Args:
        frame: where its centre is, such as ``beam.end`` or ``attachment.frame``.
        mass: kg.
        inertia: about its centre along the fixed axes at the start, kg m^2, moments (3,) or a
            tensor (3, 3); default: none. A frame with a triad is needed for it.
        name: for messages.

    Channels: none of its own; its energies are in ``energy.kinetic`` and ``energy.potential``.

    Raises:
        InputError: no frame, a mass that is not positive, an inertia that no body has, or one on a
            point that knows of no rotation.

    Example:
        >>> system.add(PointMass(beam.end, 0.5, name="weight"))
    """

    prefix, label = "mass", "point mass"

    def __init__(
        self, frame, mass: float, inertia: ArrayLike | None = None, *, name: str | None = None
    ):
        self.name = name
        who = name or self.label
        self.i = resolve_one(frame, who)
        self.mass = checks.positive(f"{who}: mass", mass)
        self.inertia = None if inertia is None else inertia_tensor(who, inertia)
        if inertia is not None:
            self.i.needs_triad(who)

    def portrait(self) -> Portrait:
        return Portrait("point_mass", self.i)

    def build(self, builder) -> None:
        kind = PointMassKind(self.i.kind, self.inertia is not None)
        own = {} if self.inertia is None else {"inertia": self.inertia}
        numbers = kind.pack_single(self.i.parameters(np.eye(3)), mass=self.mass, **own)
        builder.add_cell(kind, Cell(self.name or "", self.i.refs, numbers))
