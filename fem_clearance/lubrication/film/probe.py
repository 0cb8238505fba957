"""Film probes: pressure and content at a node as channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...core.blocks import Ref
from ...core.component import Cell
from ...core.kind import Kind
from ...core.observables import Observable
from ...errors import InputError
from ...markup import Shown
from ...model.portrait import Portrait
from .asperities import oil
from .cavitation import Cavitation, Full
from .film import Film, block_of
from .kind import FilmKind
from .thickness import CylinderGap, Gap, film_transition


def films_of(item) -> dict[str, Film]:
    """Films of a joint by the prefix of their unknowns and channels: one, or one on each face of a
    slider or each pad of a thrust bearing."""
    holder = getattr(item, "filling", item)
    if (several := getattr(holder, "films", None)) is not None:
        return {f"{item.name}.{side}": film for side, film in several.items()}
    film = getattr(holder, "film", None)
    return {item.name: film} if isinstance(film, Film) else {}


def cell_of(cells: Mapping[Kind, Sequence[Cell]], name: str) -> Cell:
    """Cells of the film ``name`` of a joint; their last unknowns are those of its port: e, t, V and
    Omega."""
    return next(
        cell for kind, own in cells.items() if isinstance(kind, FilmKind)
        for cell in own if cell.owner == name
    )  # fmt: skip


@dataclass(frozen=True)
class FilmProbeKind(Kind):
    """Observes a node of a film between rigid surfaces.

    Args:
        shape: of the film.
        cavitation: model.
        warm: the film has a temperature.
        rough, transition: it conserves its lubricant, and its surfaces are rough, or it has a
            transition where they meet.
    """

    called = "film probe"

    shape: type[Gap] = CylinderGap
    cavitation: type[Cavitation] = Full
    warm: bool = False
    rough: bool = False
    transition: bool = False

    @property
    def parameters(self):  # type: ignore[override]
        names = ["clearance"] + ["supply"] * self.warm
        names += ["roughness"] * self.rough + ["least"] * self.transition
        return {"place": (3,), **dict.fromkeys(names, ())}

    def fields(self):
        more = {"void": ()} if self.cavitation.conserving else {}
        more |= {"rise": ()} if self.warm else {}
        return {"pressure": (), **more, "e": (3,), "t": (2,)}

    def observables(self, c):
        p, *more, e, t = c.split(c.q)
        void = more[:1] if self.cavitation.conserving else []
        h = c.par("clearance") - self.shape.closing(c.par("place"), e, t)
        result = {
            "pressure": Observable(self.cavitation.acting(p) * p, "Pa", "pressure, as it acts"),
            "film_thickness": Observable(h, "m", "distance of the surfaces"),
        }
        if void:
            held = oil(h, c.par("roughness"))[0] if self.rough else h
            if self.transition:
                held, _ = film_transition(held, c.par("least"))
            result["content"] = Observable(held - void[0], "m", "thickness of the oil in the gap")
        if self.warm:
            T = c.par("supply") + more[-1]
            result["temperature"] = Observable(T, "K", "temperature mixed across the film")
        return result


class FilmProbe(Shown):
    """Records the film of a joint at the node of its mesh that is nearest to a given place.

    Args:
        joint: one with a ``Film`` that is already in the system.
        at: place in the film's axes, m, (3,): on a bore (R cos a, R sin a, z).
        side: which film, if the joint has several: ``"upper"`` or ``"lower"`` face of a slider, or
            pad of a thrust bearing, ``"film1"`` and so on.
        name: prefix of the channels.

    Attributes:
        place: of the node, m, (3,).

    Channels: ``pressure`` (Pa, as it acts), ``film_thickness`` (m, without wear and what yields or
    expands) and, of a film that conserves its lubricant, ``content`` (m, thickness of the oil in
    the gap, between rough surfaces its mean); of one with ``thermal`` its ``temperature`` (K;
    at a groove that of the oil on one side).

    Raises:
        InputError: a joint without a ``Film``, a place that is not on its surface.

    Example::

        oil = lubrication.Lubricant(0.04)
        film = lubrication.plain_bearing(10e-3, 20e-3, 50e-6, oil, cells=(32, 4))
        journal = lubrication.CylindricalFilm(ground, body.center, (0, 0, 1), film=film)
        lubrication.FilmProbe(system.add(journal), (10e-3, 0, 0), name="sensor")
    """

    prefix = "film_probe"

    def __init__(self, joint, at: ArrayLike, *, side: str | None = None, name: str | None = None):
        who = name or self.prefix
        films, owner = films_of(joint), getattr(joint, "name", None)
        wanted = owner if side is None else f"{owner}.{side}"
        if wanted not in films:
            raise InputError(
                f"{who}: {owner or joint!r} has no film"
                + ("" if side is None else f" on its side {side!r}")
                + "; give the joint itself, with a Film and in the system, or one side of a slider."
            )
        self.name, self.owner, self.film = name, wanted, films[wanted]
        nodes, at = self.film.surface.nodes, checks.vector(f"{who}: at", at)
        away = np.linalg.norm(nodes - at, axis=1)
        self.node = int(np.argmin(away))
        self.place = nodes[self.node]
        corners = self.film.surface.points[self.film.surface.cells[:, :4]]
        if away[self.node] > np.linalg.norm(np.ptp(corners, axis=1), axis=1).max():
            raise InputError(
                f"{who}: {np.array2string(np.asarray(at))} m is {away[self.node]:.3g} m from the "
                "nearest node of the film; give a place on its surface, in the film's axes."
            )

    def portrait(self) -> Portrait:
        return Portrait("film_probe", data={"film": self.owner, "place": self.place.tolist()})

    def build(self, builder) -> None:
        film, node = self.film, np.array([[self.node]])
        cell = cell_of(builder.cells, self.owner)
        refs = [Ref(cell.refs[0].block, film.shared[node])]
        centred = film.thickness(np.zeros(3), np.zeros(2))[self.node]
        numbers: dict[str, Any] = {"place": self.place, "clearance": centred}
        if conserving := film.cavitation.conserving:
            refs.append(Ref(cell.refs[1].block, film.void_nodes_in_time[node]))
            numbers |= {"least": film.transition} if film.transition else {}
            numbers |= {"roughness": film.asperities.roughness} if film.asperities else {}
        if film.thermal is not None:
            numbers["supply"] = film.thermal.supply
            where = film.warmth
            at = np.argwhere((film.surface.corners[0] == self.node) & ~where.inside[:, None])
            inside = np.argwhere(film.surface.corners[0] == self.node)[0, 0]
            what, index = (
                ("temperature", where.numbers[tuple(at[0])])
                if len(at) else ("groove", where.groove[inside])
            )  # fmt: skip
            block = block_of(builder, self.owner, what)
            assert block is not None
            refs.append(Ref(block, np.array([[index]])))
        refs += cell.refs[-4:-2]  # of the port e, t, V and Omega
        kind = FilmProbeKind(
            type(film.gap), type(film.cavitation), film.thermal is not None,
            conserving and film.asperities is not None, conserving and film.transition > 0,
        )  # fmt: skip
        builder.add_cell(kind, Cell(self.name or "", refs, kind.pack(**numbers)))
