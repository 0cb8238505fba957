"""Lubricated joints: films between two frames of a running system."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import checks
from ..bodies.frame import triad_about
from ..component import Cell
from ..errors import InputError
from ..joints.pair import Pair
from ..unknowns import Block
from .film import FILM, PORT, Film
from .port_kind import PortKind


def add_port(item, system, film: Film, kind: PortKind, triads, **numbers: float) -> Block:
    """Register a port between the frames of ``item`` and the film behind it.

    Args:
        item: gives name and frames (``i``, ``j``).
        system: to add to.
        film: in the axes of the housing's triad.
        kind: of the port's cell.
        triads: of housing and journal at the start, by columns.
        numbers: further parameters of the kind.

    Returns:
        The film's pressures.
    """
    name, housing = item.name, triads[0]
    length = float(np.ptp(film.surface.points[:, 2])) or film.radius
    rate, turn = film.rate_unit, film.speed / film.radius
    force = film.power_unit / rate
    lean = film.clearance / length
    definition: dict[str, Any] = {"order": 0, "row": PORT, "floor": 1.0}
    power: dict[str, Any] = {"order": 0, "row": FILM, "floor": 1e-6 * film.power_unit}
    blocks = [
        Block(
            f"{name}.e",
            housing.T @ (item.j.position - item.i.position),
            unit=film.clearance,
            **definition,
        ),
        Block(f"{name}.t", (housing.T @ triads[1][:, 2])[:2], unit=lean, **definition),
        Block(f"{name}.V", np.zeros(3), unit=rate, measured=True, **power),
        Block(f"{name}.Omega", np.zeros(3), unit=turn, measured=True, **power),
        Block(f"{name}.force", np.zeros(3), unit=force, **power),
        Block(f"{name}.moment", np.zeros(3), unit=film.power_unit / turn, **power),
    ]
    parameters = kind.pack_pair(
        item.i.parameters(triads[0]), item.j.parameters(triads[1]), length=film.clearance,
        lean=lean, **numbers,
    )  # fmt: skip
    for block in blocks:
        system.add_block(block, after=(item.i, item.j))
    refs = [*item.i.refs, *item.j.refs, *(b.all for b in blocks)]
    system.add_cell(kind, Cell(name, refs, parameters))
    system.connect(item.i.body, item.j.body)
    return film.build(system, name, [b.all for b in blocks[:4]])


class CylindricalFilm(Pair):
    """A journal in a bearing with a film between them, and nothing else: along the axis it moves
    freely but for the film's drag, and so it turns.

    Args:
        frame_housing, frame_journal: centres of bearing and journal (or one of them and a rigid
            body or the ground); sections of beams too.
        axis: direction of the bearing's axis at the start, fixed in the housing.
        film: the film; its surface lies in axes whose third is ``axis``.
        journal_axis: direction of the journal's axis at the start; default ``axis``.
        first: direction near which the first of the film's axes lies at the start; default: the
            fixed axis that is furthest from ``axis``.
        name: for messages and channels.

    Channels: ``eccentricity``, ``ex ey ez`` (m), ``normal_force`` (N, along the line of centres),
    ``force.x .. moment.z`` (on the journal, N and N m), all in the film's axes;
    ``power_loss`` (W).

    Raises:
        InputError: no axis, a frame without triad, surfaces that touch at the start.
    """

    prefix, label = "cylindrical_film", "lubricated cylindrical joint"

    def __init__(
        self, frame_housing, frame_journal, axis=None, *, film, journal_axis=None, first=None,
        name=None,
    ):  # fmt: skip
        super().__init__(frame_housing, frame_journal, name)
        axis = checks.axis(self.who, axis)
        if journal_axis is not None:
            journal_axis = checks.direction(f"{self.who}: journal_axis", journal_axis)
        if first is not None:
            first = checks.vector(f"{self.who}: first", first)
            if np.linalg.norm(np.cross(first, axis)) < 1e-6 * np.linalg.norm(first):
                raise InputError(f"{self.who}: first must not lie along the axis.")
        self.triads = [triad_about(a, first) for a in (axis, axis if journal_axis is None
                                                       else journal_axis)]  # fmt: skip
        if not isinstance(film, Film):
            raise InputError(f"{self.who}: film must be a Film, got {film!r}.")
        self.film = film

    def build(self, system) -> None:
        housing, journal = self.triads
        e, t = housing.T @ self.gap, housing.T @ journal[:, 2]
        thickness = self.film.thickness(e, t[:2])
        if thickness.min() <= 0:
            raise InputError(
                f"{self.name}: journal and bearing touch at the start: the film would be "
                f"{thickness.min():.3g} m thick."
            )
        kind = PortKind(self.i.kind, self.j.kind)
        add_port(self, system, self.film, kind, self.triads)
