"""A journal bearing whose elastic liner yields under its oil film (elastohydrodynamics).

As ``journal_bearing``, with a hollow cylinder, fixed at its rim, between film and housing. With the
default clearance and speed the liner hardly moves; ``clearance=2e-5 speed=1000`` make it.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from .. import checks
from ..bodies.condensed import CondensedSolid
from ..bodies.materials import StVenantKirchhoff
from ..bodies.solid import Solid
from ..bodies.stress import von_mises
from ..bodies.structured import hollow_cylinder
from ..core.channels import Channel
from ..errors import InputError
from ..io import solid_fields
from ..io.analysis import Findings
from ..io.case import Case
from ..io.parameters import Parameter
from ..lubrication.bearing import Bearing
from ..lubrication.film import Film
from ..lubrication.liner import Liner
from ..lubrication.plain import bearing_on, plain_bearing
from ..plotting import films, lined_films
from . import _bearing

logger = logging.getLogger(__name__)

#: density of bronze, kg/m^3; the liner rests
RHO = 8800.0


class Model(NamedTuple):
    film: Film
    liner: Liner | None


def _ratio(name, value):
    if value == 0 or not -3 <= value <= 3:
        raise InputError(
            f"{name} must lie between -3 and 3 and not be 0 (beyond 1 for soft liners), got "
            f"{value:g}."
        )
    return value


def _poisson(name, value):
    if not -1 < value < 0.5:
        raise InputError(f"{name} must lie above -1 and below 0.5, got {value:g}.")
    return value


def build(p):
    if p["liner"] == "rigid" and abs(p["eccentricity_ratio"]) >= 1 and p["load"] is None:
        raise p.refuse(
            "eccentricity_ratio",
            "a journal in a rigid bearing needs less than 1; the liner must yield beyond.",
        )
    options, length = _bearing.options(p), _bearing.length(p)
    liner = _liner(p, length) if p["liner"] != "rigid" else None
    if liner is not None and p["liner"] == "full":
        surface = liner.surface()
        film = bearing_on(surface, p["clearance"], _bearing.lubricant(p), **options)
    else:
        film = plain_bearing(
            _bearing.RADIUS, length, p["clearance"], _bearing.lubricant(p),
            cells=_bearing.cells_of(p["film.cells"]), crowd=p["film.crowd"], **options,
        )  # fmt: skip
    return Model(_bearing.roughened(film, p, p["liner.E"]), liner)


def _liner(p, length: float) -> Liner:
    outer = _bearing.RADIUS + p["liner.thickness"]
    mesh = hollow_cylinder(_bearing.RADIUS, outer, length, _bearing.cells_of(p["liner.cells"]))
    material = StVenantKirchhoff(E=p["liner.E"], nu=p["liner.nu"], rho=RHO)
    if p["liner"] == "full":
        return Liner(Solid(mesh, material, clamped="rim"))
    return Liner(
        CondensedSolid(mesh, material, clamped="rim", facets="bore", direction="normal",
                       responses=p["liner.responses"])
    )  # fmt: skip


def analyse(model, p):
    if p["liner"] == "full":
        logger.info(
            "liner=full: the film's cells are the %d facets of the bore; film.cells and film.crowd "
            "are ignored", len(model.film.surface.cells),
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
    summary = {channel.name: value for channel, value in found.items()} | more
    summary.setdefault("max_von_mises", None)
    return Findings(summary, found, fields, _bearing.counters(bearing))


case = Case(
    "ehd_bearing",
    "a journal bearing with an elastic liner: film and liner coupled, stress in the liner",
    build,
    [
        Parameter("eccentricity_ratio", 0.6, text="of the journal, along +x", check=_ratio),
        *_bearing.PARAMETERS,
        Parameter(
            "liner", "full",
            text="what yields: all of the solid, its bore's responses (linear), or nothing",
            choices=("full", "condensed", "rigid"),
        ),
        Parameter("liner.E", 130e9, "Pa", "Young's modulus", check=checks.positive),
        Parameter("liner.nu", 0.3, text="Poisson's ratio", check=_poisson),
        Parameter("liner.thickness", 0.01, "m", "of the liner", check=checks.positive),
        Parameter(
            "liner.cells", "48x8x2", text="quadratic cells round, along and through",
            check=_bearing.cells_check("round, along and through", "48x8x2"),
        ),
        Parameter(
            "liner.responses", 120, text="kept of a condensed liner", check=checks.count,
        ),
    ],
    figures=lined_films.figures,
    analyse=analyse,
)  # fmt: skip
