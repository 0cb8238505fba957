"""Thrust bearings in mechanisms: films between the pads on one body and a collar on another."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from ...errors import InputError
from ...joints.ideal import UniversalJoint
from ...model.portrait import Portrait
from ..bearings.thrust import TILT, ThrustBearing
from ..bearings.thrust_pads import PivotedPad
from ..film.film import Film
from ..film.heated import HeatedSolid
from ..film.walls import Conducting, Shaft
from .joint import add_film_behind, add_port, shown
from .least_film import add_least_film_on
from .pads import PadFilms, add_pad, check_pad
from .port import CollarPortKind


class ThrustFilm(PadFilms):
    """The films of a thrust bearing between the body that carries its pads and a collar.

    Fixed pads are part of the body of frame i. Each ``PivotedPad`` is a body of its own, named
    ``<name>.pad1`` and so on, on a universal joint at its pivot, where its centre of mass lies. At
    the start it is tilted so that its film narrows in the sense of rotation. Pads and collar are
    connected only by the films; the collar may also tilt.

    Args:
        frame_i: point on the axis in the plane of the highest parts of the pads (of pivoted pads,
            in the plane of the pivots), or the body.
        frame_j: point on the axis in the face of the collar, or the body.
        axis: direction of the axis from the collar to the pads at the start. A collar that rotates
            in the positive sense about it moves over each pad from the leading to the trailing
            edge.
        bearing: pads, lubricant and models of the films.
        first: direction near which the leading edge of the first pad lies at the start; default:
            the fixed axis that is furthest from ``axis``.
        roughness: thickness below which a warning is logged, m.
        name: for messages and channels.

    Channels: ``normal_force`` (N), ``torque`` (N m, of the films on the collar about the axis),
    ``force.x .. moment.z`` (of the films on the collar, about the point of frame i, N and N m); of
    each film ``<name>.film1.`` and so on: ``min_film`` (m), ``max_pressure`` (Pa), ``power_loss``
    (W). With pivoted pads the forces are those of each film, ``<name>.film1.normal_force`` and so
    on.

    Raises:
        InputError: no axis, ``bearing`` is not a ``ThrustBearing``, pivoted pads without mass or
            inertia, ``Conducting`` with a ``Shaft`` or a ``HeatedSolid``, points that do not lie
            on a common axis, or surfaces that touch at the start.

    See docs/thrust_bearings.md. Example::

        lubrication.ThrustFilm(
            ground.at((0, 0, 4e-5)), body.center, (0, 0, 1),
            bearing=lubrication.ThrustBearing(
                lubrication.TaperedPad(inner=0.04, outer=0.08, arc=0.7, depth_at_start=3e-5),
                6, 3e-5, 0.03, sliding_speed=6.0, cells=(8, 4),
            ),
        )
    """

    prefix, label = "thrust_film", "films of a thrust bearing"
    _takes = ThrustBearing
    bearing: ThrustBearing

    def __init__(
        self, frame_i, frame_j, axis: ArrayLike | None = None, *, bearing: ThrustBearing,
        first: ArrayLike | None = None, roughness: float | None = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(frame_i, frame_j, axis, bearing, first, roughness, name)
        thermal = bearing.thermal
        if isinstance(thermal, Conducting) and (
            isinstance(thermal.bush, HeatedSolid) or isinstance(thermal.journal, Shaft)
        ):
            raise InputError(
                f"{self.who}: in a mechanism a collar that its films heat and pads with a mesh are "
                "not available; give Conducting(journal=) a temperature in K or None, and bush= "
                "Convection(...), a temperature or None."
            )
        if self._pivoted:
            check_pad(self.who, bearing.pad)

    @property
    def films(self) -> dict[str, Film]:
        """Film of each pad, by the last part of its name (``"film1"`` and so on)."""
        return {f"film{k + 1}": self.bearing.film(k) for k in self._pads}

    @property
    def distance(self) -> float:
        """Distance between the face of the collar and the plane of the pads at the start, m."""
        return float(-self.gap @ self.axis)

    def portrait(self):
        pad = self.bearing.pad
        sizes = {"inner_radius": pad.inner, "outer_radius": pad.outer, "distance": self.distance}
        films = [] if self._pivoted else [
            shown(f"{self.name}.film{k + 1}", self.i, self.triad) for k in self._pads
        ]  # fmt: skip
        return Portrait(self.prefix, self.i, self.j, self.axis, sizes, {"films": films})

    @property
    def _pivoted(self) -> bool:
        return isinstance(self.bearing.pad, PivotedPad)

    @property
    def _pads(self) -> range:
        return range(self.bearing.count)

    def build(self, builder) -> None:
        """Add the films, and pivoted pads as bodies."""
        aside = self.gap + self.distance * self.axis
        if np.linalg.norm(aside) > 1e-6 * self.bearing.pad.outer:
            raise InputError(
                f"{self.name}: frame_j lies {np.linalg.norm(aside):.3g} m beside the axis of the "
                "bearing; choose a point on the axis for each of the two frames."
            )
        if self.distance <= 0:
            raise InputError(
                f"{self.name}: the collar must lie in front of the pads, but its distance along "
                f"the axis is {self.distance:.3g} m; move it, or reverse the axis, which points "
                "from the collar to the pads."
            )
        if self._pivoted:
            for k in self._pads:
                self._add_pad(builder, k)
            return
        port = self._port(builder, self.name, self.i, self.triad)
        for k in self._pads:
            self._film(builder, port, k)

    def _port(self, builder, name: str, pads, triad: np.ndarray):
        """Register the port of films in the axes ``triad`` at a frame of the pads."""
        film = self.bearing.film()
        item = SimpleNamespace(name=name, i=pads, j=self.j)
        gap = self.j.position - pads.position
        start = triad.T @ gap
        start[2] = self.axis @ gap + film.clearance  # the thickness is zero at distance zero
        kind = CollarPortKind(pads.kind, self.j.kind)
        return add_port(
            item, builder, film, kind, (triad, self.triad), start=start, half=-film.clearance
        )

    def _film(self, builder, port, k: int) -> None:
        name, film = f"{self.name}.film{k + 1}", self.bearing.film(k)
        add_film_behind(port, builder, name, film)
        add_least_film_on((), builder, name, film, port, self.roughness)

    def _add_pad(self, builder, k: int) -> None:
        """Add pad ``k`` on its pivot, and its film."""
        pad = self.bearing.pad
        assert isinstance(pad, PivotedPad)
        turn = Rotation.from_rotvec(2 * np.pi * k / self.bearing.count * self.axis).as_matrix()
        axes = turn @ self.triad
        at = np.array([*pad.pivot, 0.0])
        radial = axes @ at / np.linalg.norm(at)
        along = np.cross(self.axis, radial)  # direction in which the collar moves
        lean = TILT * self.distance / (np.linalg.norm(at) * pad.arc)
        tilted = Rotation.from_rotvec(-lean * radial).as_matrix() @ self.triad
        body = add_pad(self, builder, k, pad, self.i.position + axes @ at, tilted)
        pivot = self.i.body.at(body.position)
        builder.add(
            UniversalJoint(
                pivot, body.center, axis=along, cross=radial, name=f"{self.name}.pivot{k + 1}"
            )
        )
        face = body.point(-self.triad.T @ axes @ at)
        port = self._port(builder, f"{self.name}.film{k + 1}", face, body.axes)
        self._film(builder, port, k)
