"""What cases with oil films share: parameters of oil, cells and grooves, liners, rough surfaces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ... import checks
from ...bodies.materials import StVenantKirchhoff
from ...bodies.solids.condensed import CondensedSolid
from ...bodies.solids.solid import Solid
from ...lubrication import ShortBearing
from ...lubrication.bearings.bearing import Bearing
from ...lubrication.bearings.plain import plain_bearing
from ...lubrication.film.asperities import Asperities
from ...lubrication.film.cavitation import JFO, Full, Guembel, Reynolds
from ...lubrication.film.film import Film
from ...lubrication.film.groove import Groove
from ...lubrication.film.liner import Liner
from ...lubrication.film.lubricant import Barus, Density, Lubricant, Roelands
from ...lubrication.film.temperature import Exponential
from ...lubrication.film.thermal import Adiabatic
from ...meshes.structured import hollow_cylinder
from ...runs.parameters import Parameter
from .parameters import (
    cells,
    cells_of,
    choice,
    count,
    each,
    non_negative,
    positive,
    quantity,
    within,
)

CAVITATION = {"reynolds": Reynolds, "full": Full, "guembel": Guembel, "jfo": JFO}
#: models of cavitation of a short bearing's closed form
CLOSED = ("guembel", "full")


def cavitation(first: str, where: str = "") -> Parameter:
    """The parameter ``cavitation``: its default, and a supplement to its text."""
    words = (first, *(w for w in CAVITATION if w != first))
    return choice("cavitation", f"what happens below ambient pressure{where}", *words)


def film_cells(along: str, default: str) -> Parameter:
    """The parameter ``film.cells``; ``along``: which directions, as ``around and along``."""
    return cells("film.cells", default, "cells", along, aliases={"joint.cells": 1.0})


# --- the oil --------------------------------------------------------------------------------------
def oil(default: float, what: str = "of the lubricant") -> tuple[Parameter, ...]:
    """Parameters of the viscosity; ``default``: at ambient pressure, Pa s."""
    return (
        quantity(
            "viscosity", default, f"{what}, at ambient pressure", aliases={"joint.viscosity": 1.0}
        ),
        choice(
            "viscosity.law", "how it changes with the pressure", "constant", "barus", "roelands"
        ),
        non_negative("viscosity.alpha", 2e-8, "1/Pa", "barus: coefficient"),
        Parameter("viscosity.z", 0.6, text="roelands: index", check=within(0, 2)),
    )


def lubricant_of(p, density: Density | None = None) -> Lubricant:
    """The lubricant that the parameters of ``oil`` describe."""
    options: dict[str, Any] = {"density": density} if density else {}
    if "thermal" in p:
        options |= heat_of(p)
    if p["viscosity.law"] == "barus":
        return Barus(p["viscosity"], alpha=p["viscosity.alpha"], **options)
    if p["viscosity.law"] == "roelands":
        return Roelands(p["viscosity"], z=p["viscosity.z"], **options)
    return Lubricant(p["viscosity"], **options)


def heat_of(p) -> dict[str, Any]:
    """Arguments of a lubricant that warms: its viscosity by the temperature, and its properties."""
    return {
        "temperature": Exponential(p["viscosity.beta"]),
        "reference_temperature": p["thermal.supply"], "mass_density": p["thermal.density"],
        "specific_heat": p["thermal.specific_heat"], "conductivity": p["thermal.conductivity"],
    }  # fmt: skip


def plain_oil(p) -> float:
    """The viscosity for a closed form, which must be constant, Pa s.

    Raises:
        InputError: a viscosity that depends on the pressure, or grooves.
    """
    if p["viscosity.law"] != "constant":
        raise p.error(
            "viscosity.law",
            "a film in closed form has a constant viscosity; use joint.film=reynolds.",
        )
    if "grooves.angles" in p and p["grooves.angles"]:
        raise p.error(
            "grooves.angles", "a film in closed form has no grooves; use joint.film=reynolds."
        )
    return p["viscosity"]


#: of a film with a temperature
THERMAL = (
    choice(
        "thermal", "the oil has the supply's temperature, or warms between insulated walls",
        "none", "adiabatic",
    ),
    positive("thermal.supply", 313.15, "K", "temperature of the fresh oil, of the viscosity"),
    non_negative("viscosity.beta", 0.03, "1/K", "adiabatic: exp(-beta (T - supply))"),
    positive("thermal.density", 870.0, "kg/m^3", "of the oil"),
    positive("thermal.specific_heat", 2000.0, "J/(kg K)", "of the oil"),
    non_negative("thermal.conductivity", 0.14, "W/(m K)", "of the oil"),
)  # fmt: skip


def thermal_of(p) -> Adiabatic | None:
    """Thermal model of the film, as the parameters ``THERMAL`` describe it.

    Raises:
        InputError: a model of cavitation without a heat balance.
    """
    if p["thermal"] == "none":
        return None
    if p["cavitation"] == "guembel":
        raise p.error("cavitation", "with thermal=adiabatic use reynolds, full or jfo.")
    return Adiabatic(p["thermal.supply"])


# --- grooves --------------------------------------------------------------------------------------
#: of bearings; one value holds for all grooves, or each has its own
GROOVES = (
    Parameter(
        "grooves.angles", [], "deg",
        "middles of the grooves that feed a bearing, from the film's first axis",
    ),
    Parameter(
        "grooves.widths", [20.0], "deg", "round the bearing; 360: a ring",
        check=each(within(0, 360)),
    ),
    Parameter(
        "grooves.lengths", [], "m", "along it; default: 0.8 of its length",
        check=each(checks.positive),
    ),
    Parameter("grooves.places", [0.0], "m", "of their middles along it from its middle"),
    Parameter("grooves.pressures", [0.0], "Pa", "of supply, over ambient"),
    Parameter("grooves.drag", True, text="the film shears over grooves, or they are too deep"),
)  # fmt: skip


def grooves_of(p) -> tuple[Groove, ...]:
    """The grooves that the parameters ``GROOVES`` describe.

    Raises:
        InputError: lists of different lengths.
    """
    count = len(p["grooves.angles"])
    columns = {
        name: _column(p, f"grooves.{name}", count)
        for name in ("angles", "widths", "lengths", "places", "pressures")
    }
    return tuple(
        Groove(np.radians(angle), np.radians(width), pressure, length, place, p["grooves.drag"])
        for angle, width, length, place, pressure in zip(*columns.values(), strict=True)
    )


def _column(p, key: str, count: int) -> list:
    """A value for each groove; ``None`` if none is given."""
    values = p[key]
    if len(values) == count:
        return values
    if len(values) > 1:
        raise p.error(key, f"give one value for all {count} grooves, or one for each.")
    return count * (values or [None])


# --- films and what they lie on -------------------------------------------------------------------
def film_options(p, sliding_speed: float) -> dict[str, Any]:
    """Common arguments of ``plain_bearing`` and ``bearing_on``; speed of the surfaces in m/s."""
    return {
        "sliding_speed": sliding_speed, "cavitation": CAVITATION[p["cavitation"]](),
        "grooves": grooves_of(p), "thermal": thermal_of(p) if "thermal" in p else None,
    }  # fmt: skip


def journal_film(p, radius: float, width: float, sliding_speed: float) -> Film | ShortBearing:
    """The film of a joint according to ``joint.film``: finite elements, or a short bearing.

    Args:
        p: parameters.
        radius, width: of the bore, m.
        sliding_speed: of the surfaces, m/s.
    """
    c = p["clearance"]
    if p["joint.film"] != "closed_form":
        cells = cells_of(p["film.cells"])
        options = film_options(p, sliding_speed)
        return plain_bearing(radius, width, c, lubricant_of(p), cells=cells, **options)
    if "thermal" in p and p["thermal"] != "none":
        raise p.error(
            "thermal", "a film in closed form has no temperature; use joint.film=reynolds."
        )
    if p["cavitation"] not in CLOSED:
        raise p.error(
            "cavitation",
            f"a film in closed form accepts {' and '.join(CLOSED)}; use joint.film=reynolds "
            "for other models.",
        )
    law = CAVITATION[p["cavitation"]]()
    return ShortBearing(radius, width, c, plain_oil(p), law, sliding_speed)


def liner_parameters(
    liner: Parameter, E: float, cells_: str, responses: int, of: str, nu: tuple[Parameter, ...] = ()
) -> tuple[Parameter, ...]:
    """Parameters that ``liner_of`` reads.

    Args:
        liner: what is elastic.
        E: Young's modulus, Pa.
        cells_: of its mesh.
        responses: number of them that are kept of a condensed liner.
        of: supplement to the text of the thickness.
        nu: a parameter for Poisson's ratio, if there is one.
    """
    return (
        liner, quantity("liner.E", E), *nu, positive("liner.thickness", 0.01, "m", of),
        cells("liner.cells", cells_, "quadratic cells", "round, along and through"),
        count("liner.responses", responses, "kept of a condensed liner"),
    )  # fmt: skip


def liner_of(p, radius: float, width: float, nu: float, rho: float) -> Liner:
    """A hollow cylinder that is fixed at its rim: all of the solid, or responses of its bore.

    Args:
        p: parameters ``liner``, ``liner.E`` and so on.
        radius, width: of its bore, m.
        nu, rho: Poisson's ratio and density, kg/m^3.
    """
    mesh = hollow_cylinder(radius, radius + p["liner.thickness"], width, cells_of(p["liner.cells"]))
    material = StVenantKirchhoff(E=p["liner.E"], nu=nu, rho=rho)
    if p["liner"] == "full":
        return Liner(Solid(mesh, material, clamped="rim"))
    return Liner(
        CondensedSolid(mesh, material, clamped="rim", facets="bore", direction="normal",
                       responses=p["liner.responses"])
    )  # fmt: skip


def rough(film: Film, roughness: float, moduli: tuple[float, float], nu: float) -> Film:
    """A film between rough surfaces.

    Args:
        film: between smooth ones.
        roughness: of both together, m.
        moduli: Young's, of both bodies, Pa.
        nu: Poisson's ratio of both.
    """
    compliance = (1 - nu**2) * sum(1 / E for E in moduli)
    return replace(film, asperities=Asperities(roughness, 1 / compliance))


def counters(bearing: Bearing) -> dict[str, int]:
    """Counters of the work for a bearing."""
    newton = bearing.newton
    return {
        "newton_iterations": newton.iterations, "jacobians": newton.tangents,
        "cells": len(bearing.film.surface.cells), "unknowns": bearing.state.size,
    }  # fmt: skip
