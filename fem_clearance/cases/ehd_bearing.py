"""A journal bearing whose elastic liner deforms under its oil film (elastohydrodynamics).

As ``journal_bearing``, with a hollow cylinder, fixed at its rim, between film and housing. With the
default clearance and speed the liner hardly deforms; with ``clearance=2e-5 speed=1000`` it does.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from ..bodies.solids.stress import von_mises
from ..core.observation import Channel
from ..errors import InputError
from ..fields import solids as solid_fields
from ..lubrication.bearings.bearing import Bearing
from ..lubrication.bearings.plain import bearing_on
from ..lubrication.film.film import Film
from ..lubrication.film.liner import Liner
from ..plotting import films, lined_films
from ..runs.case import Case
from ..runs.parameters import Parameter
from ..runs.steady import SteadyResults
from .parts import bearing as _bearing
from .parts.films import counters, liner_of, liner_parameters
from .parts.parameters import choice, quantity

logger = logging.getLogger(__name__)

#: density of bronze, kg/m^3, without effect on a liner at rest
RHO = 8800.0


class Model(NamedTuple):
    """A film, and the liner on which it lies; ``None`` for a rigid bore."""

    film: Film
    liner: Liner | None


def _ratio(name, value):
    if value == 0 or not -3 <= value <= 3:
        raise InputError(
            f"{name} must be between -3 and 3 and not 0 (beyond 1 only for soft liners), got "
            f"{value:g}."
        )
    return value


def build(p):
    if p["liner"] == "rigid" and abs(p["eccentricity_ratio"]) >= 1 and p["load"] is None:
        raise p.error(
            "eccentricity_ratio",
            "in a rigid bearing it must be less than 1; larger values need an elastic liner "
            "(liner=full or liner=condensed).",
        )
    options = _bearing.options(p)  # refuses invalid input before a liner is made
    liner = None
    if p["liner"] != "rigid":
        liner = liner_of(p, _bearing.RADIUS, _bearing.length(p), p["liner.nu"], RHO)
    if liner is not None and p["liner"] == "full":
        lubricant, surface = _bearing.lubricant(p), liner.surface()
        film = bearing_on(surface, p["clearance"], lubricant, **options)
    else:
        film = _bearing.plain_film(p)
    return Model(_bearing.roughened(film, p, p["liner.E"]), liner)


def analyse(model, p):
    if p["liner"] == "full":
        logger.info(
            "liner=full: the cells of the film are the %d facets of the bore; film.cells and "
            "film.crowd are ignored", len(model.film.surface.cells),
        )  # fmt: skip
    bearing = Bearing(model.film, model.liner)
    state = _bearing.solved(bearing, p)
    found, more = _bearing.numbers(state, p)
    fields = {"film": films.vtk(model.film, state)}
    found[Channel("max_deformation", "m", "largest displacement of the bore outwards")] = float(
        state.deformation.max()
    )
    if bearing.lined is not None:
        tensors, values = bearing.stresses(), bearing.state.everything(bearing.state.q)
        fields["liner"] = solid_fields.text(bearing.lined.solid, values, 0 * values, tensors)
        found[Channel("max_von_mises", "Pa", "largest von Mises stress in the liner")] = float(
            von_mises(tensors["stress"]).max()
        )
    else:
        more["max_von_mises"] = None
    return SteadyResults(more, found, fields, counters(bearing))


case = Case(
    "ehd_bearing",
    "a journal bearing with an elastic liner: film and liner coupled, stress in the liner",
    build,
    [
        Parameter("eccentricity_ratio", 0.6, text="of the journal, along +x", check=_ratio),
        *_bearing.PARAMETERS,
        *liner_parameters(
            choice(
                "liner", "what yields: all of the solid, its bore's responses (linear), or nothing",
                "full", "condensed", "rigid",
            ),
            130e9, "48x8x2", 120, "of the liner",
            (quantity("liner.nu", 0.3),),
        ),
    ],
    figures=lined_films.figures,
    analyse=analyse,
    derived_settings=_bearing.derived_settings,
)  # fmt: skip
