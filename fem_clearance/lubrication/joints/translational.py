"""The films of a translational joint: on the faces of a rigid slider in a guide, over the dry
contact of its corners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from ... import checks, deprecated
from ...contact.films import film_part
from ...contact.guide import Plane
from ...contact.translational import SIDES, TranslationalClearance
from ...core.component import Cell
from ...errors import InputError
from ..film.asperities import Asperities
from ..film.cavitation import Cavitation, Reynolds
from ..film.dimensions import check_roughness
from ..film.film import Film
from ..film.lubricant import Lubricant, lubricant_of
from ..film.surface import pad
from ..film.thickness import FlatGap
from .joint import add_film, check_same, shown
from .least_film import WatchedPadFilmKind
from .port import PadPortKind

EDGES = ("x0", "x1", "y0", "y1")
#: thickness at which the transition of films begins, in clearances
LEAST = 0.05


@deprecated.arguments(speed="sliding_speed")
def pad_film(
    length: float, width: float, clearance: float, lubricant: Lubricant | float, *,
    sliding_speed: float = 1.0, cells: Sequence[int] = (32, 8),
    cavitation: Cavitation | None = None, edges: Sequence[str] = EDGES,
    recess: Callable[[np.ndarray], np.ndarray] | None = None, asperities: Asperities | None = None,
    least: float = 0.0, smooth: tuple[str, ...] = (),
) -> Film:  # fmt: skip
    """The film on a rectangular face of a slider, at ambient pressure on its edges.

    Example:
        >>> film = pad_film(0.1, 0.02, 2e-5, 0.04, sliding_speed=10.0)
        >>> Bearing(film).solve(Place(t=(1e-4, 0), V=(-10.0, 0, 0))).force

    Args:
        length, width: along and across the guide, m.
        clearance: m.
        lubricant: viscosity law, or the viscosity in Pa s.
        sliding_speed: typical sliding speed, m/s.
        cells: along and across.
        cavitation: default ``Reynolds()``.
        edges: at ambient pressure; nothing leaves at the others. ``("x0", "x1")``: a film without
            end across.
        recess, asperities, least, smooth: see ``Film``.
    """
    checks.positive("film: length", length)
    checks.positive("film: width", width)
    surface = pad(length, width, cells, start=(-length / 2, -width / 2))
    return Film(
        surface, clearance, lubricant_of(lubricant), cavitation or Reynolds(),
        dict.fromkeys(edges, 0.0), sliding_speed=sliding_speed, gap=FlatGap(),
        recess=recess, asperities=asperities, least=least, smooth=smooth,
    )  # fmt: skip


class LubricatedTranslational(TranslationalClearance):
    """A translational joint with clearance whose faces carry films: a ``TranslationalClearance``
    with a ``film``, which must be given.

    Below a least thickness a film has a transition, point by point (thickness.py); where a corner
    reaches the guide its dry contact takes over. An overload therefore has an answer.

    Args:
        guide, slider, axis, across: as of ``TranslationalClearance``.
        film: a ``Film`` on a flat surface in the axes of a face (along the slider; across, away
            from the guide last; origin in the face's middle) of the joint's clearance, such as
            ``pad_film(...)``; both faces get one. Or a pair, for the upper and the lower face, one
            of which may be ``None``.
        least: thickness at which the films' transition begins, as a part of the clearance; default
            0.05.
        roughness: thickness below which a warning is logged, m; default that of the asperities.

    All others are those of the dry joint, see ``TranslationalClearance``.

    Channels: those of the dry joint, and of each film ``<name>.upper.`` and ``<name>.lower.``:
    ``normal_force`` (N, of the film across the face), ``friction_force`` (N, along it),
    ``force.x .. moment.z`` (N and N m, on the slider about the face's middle, in space),
    ``min_film`` (m, at the nearest corner, negative in dry contact), ``max_pressure`` (Pa),
    ``power_loss`` (W).

    Raises:
        InputError: besides those of the dry joint: no films, films of another clearance, larger
            than the slider's face or not flat, guides that are not flat.

    See docs/translational.md. Example::

        lubrication.LubricatedTranslational(
            ground, body.center, (1, 0, 0), (0, 1, 0), length=0.1, height=0.05, width=0.05,
            gap=0.0502, stiffness=1e9, film=lubrication.pad_film(
                length=0.1, width=0.05, clearance=1e-4, lubricant=0.04, sliding_speed=2.0,
                cells=(8, 4)))
    """

    prefix, label = "lubricated_guide", "lubricated translational joint"
    needs_film = True


@film_part.register(TranslationalClearance)
class SliderFilms:
    """The films in a ``TranslationalClearance``, a ``FilmPart``; arguments as the joint's."""

    label, room = "lubricated translational joint", 0.0

    def __init__(self, joint: TranslationalClearance, film, *, least=None, roughness=None):
        who = self.who = joint.name or self.label
        self.joint = joint
        joint.prefix = LubricatedTranslational.prefix
        if not all(isinstance(s, Plane) for s in joint.guide.surfaces.values()):
            raise InputError(f"{who}: films need flat surfaces of the guide.")
        self.least = checks.positive(f"{who}: least", LEAST if least is None else least)
        both = tuple(film) if isinstance(film, tuple | list) else (film, film)
        if len(both) != 2 or not any(both):
            raise InputError(
                f"{who}: film is a Film such as pad_film(...), or a pair, for the upper and the "
                f"lower face; got {film!r}."
            )
        self.films: dict[str, Film] = {}
        for side, f in zip(SIDES, both, strict=True):
            if f is not None:
                self._check(f)
                self.films[side] = replace(f, least=self.least * joint.clearance)
        check_roughness(who, roughness, joint.clearance)
        self.roughness = roughness

    def _check(self, film) -> None:
        who, joint = self.who, self.joint
        if not isinstance(film, Film) or not isinstance(film.gap, FlatGap):
            raise InputError(f"{who}: film must be a Film with gap=FlatGap(), got {film!r}.")
        check_same(who, "clearance", film.clearance, joint.clearance)
        room = np.array([joint.length, joint.width or np.inf, 0.0]) / 2
        out = np.max(np.abs(film.surface.points), axis=0) - room
        if np.any(out > 1e-9 * joint.length):
            raise InputError(
                f"{who}: the film's surface is not on the slider's face ({joint.length:g} m long"
                + (f", {joint.width:g} m wide" if joint.width else "")
                + "); its origin is the middle of that."
            )

    def under(self, kind, numbers):
        """Corners have dry contact as without films."""
        return kind, numbers

    def _face(self, side: str) -> np.ndarray:
        """Axes of a face in the slider's, by columns."""
        up = SIDES[side]
        return np.diag([1.0, -up, -up])

    def portrait(self):
        joint = self.joint
        return {
            "films": [
                shown(
                    f"{joint.name}.{side}", joint.j, joint.slider @ self._face(side), side="j",
                    origin=(0.0, 0.0, -joint.height / 2),
                )
                for side in self.films
            ]
        }  # fmt: skip

    def build(self, builder) -> None:
        """Add the film of each face."""
        for side, film in self.films.items():
            self._add(builder, side, film)

    def _add(self, builder, side: str, film: Film) -> None:
        """Port, film and least thickness of one face."""
        joint = self.joint
        up, name = SIDES[side], f"{joint.name}.{side}"
        half, turned = joint.height / 2, self._face(side)
        face = joint.j.body.at(joint.j.position + joint.slider @ (0, 0, up * half))
        triads = joint.slider @ turned, joint.guide.triad @ turned
        normal = triads[1][:, 2]
        start = triads[0].T @ (joint.i.position - face.position)
        start[2] = normal @ (joint.i.position - face.position) - half
        item = SimpleNamespace(name=name, i=face, j=joint.i)
        kind = PadPortKind(face.kind, joint.i.kind)
        port = add_film(item, builder, film, kind, triads, start=start, half=half)
        rough = self.roughness
        if rough is None and film.asperities is not None:
            rough = film.asperities.roughness
        begins = film.asperities.apart(film.least) if film.asperities else film.least
        least = WatchedPadFilmKind(owner=name, transition=begins)
        low, high = film.surface.points.min(axis=0)[:2], film.surface.points.max(axis=0)[:2]
        numbers = least.pack(
            clearance=film.clearance, middle=(high + low) / 2, half=(high - low) / 2,
            roughness=rough or 0.0, warned=0.0,
        )  # fmt: skip
        builder.add_cell(least, Cell(name, port[:2], numbers))
