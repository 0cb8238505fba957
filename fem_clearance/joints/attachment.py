"""Attachments: facets or nodes of a solid held to a frame, on which joints and loads can act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import basix.ufl
import numpy as np
import ufl

from .. import checks
from ..bodies.rigid import MasslessFrame
from ..bodies.solids.elements import FacetKind
from ..bodies.solids.facets import FacetSet
from ..bodies.solids.round_facets import fitted
from ..core.blocks import Block, Ref, multipliers
from ..core.component import Cell
from ..core.observables import Observable
from ..core.roles import ROTATION, TRANSLATION, Multiplier
from ..errors import InputError
from ..markup import Shown
from ..model.frame import Frame, FrameKind, NodeFrame, RigidFrame
from ..model.portrait import Portrait
from .ideal import ConstraintKind, channels, force_on, moment_on

KINDS = ("averaged", "rigid")


def _reactions(work, pose, degree: int | None = None) -> dict[str, Observable]:
    """Force, moment and power on the frame from lam . Phi of a cell or of its area."""
    force, moment = force_on(work, pose), moment_on(work, pose)
    power = ufl.dot(force, pose.velocity) + ufl.dot(moment, pose.omega)
    result = channels("reaction", "N", "force", force, "the frame")
    result |= channels("moment", "N m", "moment", moment, "the frame")
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
        gap = self.in_space(self.place(c) - pose.r)  # in the plane: z of the frame is not held
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
class RigidlyAttachedKind(ConstraintKind):
    """A node (frame i) stays at a place of frame j."""

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
        lam, place = c.split(c.q)[2], c.par("place")
        gap = i.r - j.r - sum((place[k] * e for k, e in enumerate(j.triad)), ufl.zero(3))
        return sum(lam[k] * gap[k] for k in range(self.i.size))

    def observables(self, c):
        i, j = self.poses(c, variables=True)
        return _reactions(self.work(c, i, j), j)


class Attachment(Shown):
    """Holds a marked set of facets of a solid to a frame.

    Args:
        facets: such as ``solid.facets("x1")``.
        frame: a frame with a triad, or a rigid body or the ground; by default the attachment has a
            massless frame of its own, at the facets' centre and with axes along the fixed ones,
            to which joints, loads and probes attach: ``attachment.frame``, ``attachment.at(...)``.
        kind: ``"averaged"``: the frame follows the facets' mean displacement and mean rotation, six
            conditions (three in the plane) that leave the facets free to deform; ``"rigid"``:
            every node of the facets follows the frame.
        name: for messages and channels.

    Attributes:
        facets, frame, kind: see above.

    Channels: ``reaction.x/y/z`` (N) and ``moment.x/y/z`` (N m), what the solid exerts on the frame,
    in the fixed axes, the moment about the frame's point; ``power`` (W) of both on the frame (that
    on the solid is the opposite). An own frame, ``<name>.frame``, has the channels of a rigid body.

    Raises:
        InputError: no set of facets, a frame without a triad or on the same solid, facets that
            determine no rotation, facets held already.

    Example:
        >>> end = system.add(Attachment(rod.facets("x1"), name="end"))
        >>> system.add(RevoluteJoint(end.frame, slider.at(end.position), axis=(0, 0, 1)))

    See docs/attachments.md. Example::

        fc.Attachment(solid.facets("x0"), body, name="seat")
    """

    prefix = "attachment"

    def __init__(
        self, facets: FacetSet, frame=None, *, kind: str = "averaged", name: str | None = None
    ):
        self.name: Any = name
        who = name or self.prefix
        if not isinstance(facets, FacetSet):
            raise InputError(
                f"{who} needs a set of facets such as solid.facets('x1'), got {facets!r}."
            )
        self.facets, self.kind = facets, checks.choice(f"{who}: kind", kind, KINDS)
        self.solid = facets.solid
        self.own: MasslessFrame | None = None
        if frame is None:
            self.own = self._own_frame()
            frame = self.own.center
        self.frame: Frame = self._frame(frame, who)
        self.j = self.frame if self.own is None else None
        self.flexibility = np.zeros((3, 3))
        if kind == "averaged" or self.own is not None:
            self.flexibility = self._flexibility(who)

    @property
    def position(self) -> np.ndarray:
        """Initial place of the frame, m."""
        return self.frame.position

    @property
    def middle(self) -> Frame:
        """Frame at the middle of the bore, journal, socket or ball that the facets are.

        A clearance joint that is given the attachment in the place of a frame takes this one, and
        the solid's material.

        Raises:
            InputError: facets that lie on no cylinder and no sphere.
        """
        found = fitted(self.facets)
        if found is None:
            raise InputError(
                f"{self.name or self.prefix}: the facets {self.facets.name!r} lie on no cylinder "
                "and no sphere whose centre could be taken; give a frame such as attachment.frame "
                "or attachment.at((x, y, z))."
            )
        return self.at(found.center)

    def at(self, position) -> Frame:
        """Frame at a point given by its initial position in space (m), that moves with the
        attachment's."""
        return self.frame.body.at(position)

    def _own_frame(self) -> MasslessFrame:
        solid = self.solid
        rate, turning = solid.velocity, solid.angular_velocity
        rate = rate.mean(axis=0) if rate.ndim == 2 else rate
        frame = MasslessFrame(
            self.facets.center,
            plane=solid.dimension == 2,
            velocity=rate + np.cross(turning, self.facets.center - solid.position),
            angular_velocity=turning,
            free=solid.free,
        )
        frame.material = solid.material  # of the surface that a clearance joint meets there
        return frame

    def _frame(self, frame, who: str) -> Frame:
        if not isinstance(frame, Frame):
            if not checks.offers(frame, "at"):
                raise InputError(
                    f"{who}: frame must be such as body.point(...), beam.end or system.ground, or "
                    f"left out, got {frame!r}."
                )
            frame = frame.at(self.facets.center)
        if frame.body is self.solid:
            raise InputError(
                f"{who} attaches {self.solid.name or 'the solid'} to itself; leave the frame out "
                "and join to attachment.frame what shall hold it."
            )
        frame.needs_triad(who)
        return frame

    def _flexibility(self, who: str) -> np.ndarray:
        """Inverse of the facets' inertia, 1/m^2; of a plane solid its z part."""
        inertia = self.facets.inertia
        if self.solid.dimension == 2:
            result = np.zeros((3, 3))
            result[2, 2] = 1 / inertia[2, 2]
            return result
        moments, axes = np.linalg.eigh(inertia)
        if moments[0] < 1e-9 * moments[2]:
            raise InputError(
                f"{who}: the facets {self.facets.name!r} lie along a line and determine no "
                "rotation about it; mark a set with some width."
            )
        return (axes / moments) @ axes.T

    def portrait(self) -> Portrait:
        return Portrait("attachment", j=self.frame, data=self.facets.portrait())

    # --- building -------------------------------------------------------------------------------
    def build(self, builder) -> None:
        self._check_nodes(builder)
        if self.own is not None:
            self.own.name = f"{self.name}.frame"
            builder.add(self.own)
        (self._build_rigid if self.kind == "rigid" else self._build_averaged)(builder)
        builder.connect(self.solid, self.frame.body)

    def _check_nodes(self, builder):
        """Refuse facets that something else holds already."""
        mine, solid = self.facets.nodes, self.solid
        if not any(body is solid for body in builder.bodies):
            raise InputError(
                f"{self.name} attaches the facets {self.facets.name!r} of "
                f"{solid.name or 'a solid'}, which is not in the system; add the solid first."
            )
        kept = getattr(solid, "shapes_kept", None)  # of a condensed or a reduced one
        if self.kind == "rigid" and kept is not None and kept < solid.dimension * len(mine):
            raise InputError(
                f"{self.name}: {solid.name} keeps {kept} responses, too few for "
                f"{len(mine)} nodes that follow a frame; keep all of them or attach on the average."
            )
        holders = {f"the clamp of {solid.name}": solid.held}
        for other in builder.items:
            if isinstance(other, Attachment) and other.solid is solid and other.kind == "rigid":
                holders[other.name] = other.facets.nodes
        for holder, nodes in holders.items():
            shared = np.isin(mine, nodes)
            if shared.all() or (shared.any() and self.kind == "rigid"):
                raise InputError(
                    f"{self.name}: {shared.sum()} of the {len(mine)} nodes of the facets "
                    f"{self.facets.name!r} are held by {holder} already; let their sets have no "
                    f"node in common{', or take kind=averaged' * (not shared.all())}."
                )

    def _build_averaged(self, builder):
        frame = self.frame
        kind = AveragedKind(**self.facets.kind_arguments, frame=frame.kind)
        self.facets.add_to(
            builder, self.name, kind, [*frame.refs, *self._multipliers(builder, kind.counts)],
            frame=frame.parameters(np.eye(3)), origin=frame.position,
            center=self.facets.center, flexibility=self.flexibility, area=self.facets.area,
        )  # fmt: skip

    def _multipliers(self, builder, counts: tuple[int, int]) -> list[Ref]:
        blocks = [
            multipliers(self.name, "force", counts[0], TRANSLATION),
            multipliers(self.name, "moment", counts[1], ROTATION),
        ]
        for block in blocks:
            builder.add_block(block, after=(self.facets, self.frame))
        return [b.all for b in blocks]

    def _build_rigid(self, builder):
        frame, nodes, d = self.frame, self.facets.nodes, self.solid.dimension
        role = Multiplier(exclusive=True)  # nothing else holds these nodes
        force = Block(self.name, "force", np.zeros(d * len(nodes)), role)
        builder.add_block(force, after=(self.facets, frame))
        kind = RigidlyAttachedKind(NodeFrame(size=d), frame.kind)
        pose, places = frame.parameters(np.eye(3)), self.solid.nodes[nodes]
        parameters = [kind.pack_pair(x, pose, place=x - frame.position) for x in places]
        lam = Ref(force, np.arange(d * len(nodes)).reshape(-1, d))
        refs = [*self.facets.refs, *frame.refs, lam]
        builder.add_cell(kind, Cell(self.name, refs, np.array(parameters), count=len(nodes)))
