"""Journal bearings with tilting pads in mechanisms."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError
from ...joints.ideal import RevoluteJoint
from ...model.portrait import Portrait
from ..bearings.tilting import TiltingPadBearing
from ..film.dimensions import check_roughness
from ..film.film import Film
from .joint import add_film
from .least_film import add_least_film_on
from .pads import PadFilms, add_pad, check_pad
from .port import TiltingPadPortKind


class TiltingPadFilm(PadFilms):
    """The films of a bearing with tilting pads between the body that carries the pads and a
    journal.

    Each pad is a body of its own, named ``<name>.pad1`` and so on, on a revolute joint at its
    pivot, where its centre of mass lies. The moment of the shear stress about the pivot is
    neglected, as in a ``TiltingPadBearing``. The journal can move freely along the axis.

    Args:
        frame_i: centre of the bearing, or the body.
        frame_j: centre of the journal, or the body.
        axis: direction of the axis of the bearing at the start.
        bearing: pads on rigid pivots, and lubricant; without ``thermal`` and ``solid``.
        first: direction at the start from which the angles of the pads are measured; default: the
            fixed axis that is furthest from ``axis``.
        tilts: tilt of each pad at the start, rad, (pads,), or one value for all; default: 0.
        roughness: thickness below which a warning is logged, m.
        name: for messages and channels.

    Channels: of the film of each pad, ``<name>.film1.`` and so on: ``force.x .. moment.z`` (of the
    film on the journal, N and N m, about its centre), ``normal_force`` (N), ``eccentricity``,
    ``ex ey ez`` (m, of the journal from the centre of curvature of the pad), ``e1 .. v3`` (in the
    axes of the pad), ``min_film`` (m), ``max_pressure`` (Pa), ``power_loss`` (W).

    Raises:
        InputError: no axis, ``bearing`` is not a ``TiltingPadBearing``, pads without mass or
            inertia, elastic pivots, ``thermal`` or ``solid``, or surfaces that touch at the start.

    See docs/bearing_types.md. Example::

        lubrication.TiltingPadFilm(
            ground.at((0, 0, 0)), body.center, (0, 0, 1),
            bearing=lubrication.TiltingPadBearing(
                0.05, 0.05, 1e-4, 0.03,
                lubrication.TiltingPad(0.8, 1.3, 0.012, mass=0.6, inertia=2e-4).evenly(4),
                sliding_speed=15.0, cells=(12, 4),
            ),
        )
    """

    prefix, label = "tilting_pad_film", "films of tilting pads"
    _takes = TiltingPadBearing
    bearing: TiltingPadBearing

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, *, bearing: TiltingPadBearing,
        first: ArrayLike | None = None, tilts: ArrayLike = 0.0, roughness: float | None = None,
        name: str | None = None,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, axis, bearing, first, roughness, name)
        check_roughness(self.who, roughness, bearing.clearance)
        for pad, solver in zip(bearing.pads, bearing.bearings, strict=True):
            check_pad(self.who, pad)
            if not pad.pivot.rigid or pad.pivot.tilting > 0:
                raise InputError(
                    f"{self.who}: in a mechanism pads must tilt freely on rigid pivots; leave out "
                    "pivot=, or use the coefficients of a TiltingPadBearing in a bushing."
                )
            if solver.film.thermal is not None or solver.liner is not None:
                raise InputError(
                    f"{self.who}: warm and elastic pads are available in a TiltingPadBearing only; "
                    "leave out thermal= and solid= here."
                )
        self.tilts = np.broadcast_to(np.asarray(tilts, float), len(bearing.pads))

    @property
    def films(self) -> dict[str, Film]:
        """Film of each pad, by the last part of its name (``"film1"`` and so on)."""
        return {f"film{k + 1}": b.film for k, b in enumerate(self.bearing.bearings)}

    def portrait(self):
        sizes = {"bearing_radius": self.bearing.radius, "clearance": self.bearing.clearance}
        return Portrait(self.prefix, self.i, self.j, self.axis, sizes)

    def build(self, builder) -> None:
        """Add the pads and their films."""
        for k, (pad, (what, film)) in enumerate(
            zip(self.bearing.pads, self.films.items(), strict=True)
        ):
            name = f"{self.name}.{what}"
            cos, sin, arm = np.cos(pad.angle), np.sin(pad.angle), self.bearing.arm(k)
            axes = self.triad @ [[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]
            pivot = self.i.position + (self.bearing.radius + pad.thickness) * axes[:, 0]
            cos, sin = np.cos(self.tilts[k]), np.sin(self.tilts[k])
            tilted = axes @ [[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]
            body = add_pad(self, builder, k, pad, pivot, tilted)
            builder.add(
                RevoluteJoint(
                    self.i.body.at(pivot), body.center, axis=self.axis,
                    name=f"{self.name}.pivot{k + 1}",
                )
            )  # fmt: skip
            centre = body.point((-arm, 0.0, 0.0))  # centre of curvature
            gap = tilted.T @ (self.j.position - centre.position)
            if film.thickness(gap, np.zeros(2)).min() <= 0:
                raise InputError(
                    f"{self.name}: the journal touches pad {k + 1} at the start; move the journal, "
                    "or change tilts=."
                )
            item = SimpleNamespace(name=name, i=centre, j=self.j)
            kind = TiltingPadPortKind(centre.kind, self.j.kind, carrier=self.i.kind)
            port = add_film(
                item, builder, film, kind, (tilted, self.triad), more=self.i.refs,
                carrier=self.i.parameters(self.triad),
            )  # fmt: skip
            add_least_film_on((), builder, name, film, port, self.roughness)
