"""What cases with oil films share: parameters of oil, cells and grooves, liners, rough surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .. import checks
from ..bodies.materials import StVenantKirchhoff
from ..bodies.solids.condensed import CondensedSolid
from ..bodies.solids.solid import Solid
from ..errors import InputError
from ..lubrication.bearings.bearing import Bearing
from ..lubrication.film.asperities import Asperities
from ..lubrication.film.cavitation import JFO, Full, Guembel, Reynolds
from ..lubrication.film.film import Film
from ..lubrication.film.groove import Groove
from ..lubrication.film.liner import Liner
from ..lubrication.film.lubricant import Barus, Density, Lubricant, Roelands
from ..meshes.structured import hollow_cylinder
from ..runs.parameters import Parameter

CAVITATION = {"reynolds": Reynolds, "full": Full, "guembel": Guembel, "jfo": JFO}


def cells_of(text: str) -> tuple[int, ...]:
    """Numbers of cells of a text such as ``96x16``."""
    return tuple(int(n) for n in text.lower().split("x"))


def cells_check(what: str, example: str):
    """Check of a parameter such as ``96x16``."""
    count = example.count("x") + 1

    def check(name, value):
        parts = value.lower().split("x")
        if len(parts) != count or not all(n.strip().isdigit() and int(n) for n in parts):
            raise InputError(f"{name} must be cells {what}, such as {example}, got {value!r}.")
        return value

    return check


def film_cells(what: str, default: str) -> Parameter:
    """The parameter ``film.cells``; ``what``: along which directions, as ``round and along``."""
    return Parameter(
        "film.cells", default, text=f"cells {what}", check=cells_check(what, default),
        aliases={"joint.cells": 1.0},
    )  # fmt: skip


# --- the oil --------------------------------------------------------------------------------------
def oil(default: float, what: str = "of the lubricant") -> tuple[Parameter, ...]:
    """Parameters of the viscosity; ``default``: at ambient pressure, Pa s."""
    return (
        Parameter(
            "viscosity", default, "Pa s", f"{what}, at ambient pressure", check=checks.positive,
            aliases={"joint.viscosity": 1.0},
        ),
        Parameter(
            "viscosity.law", "constant", text="how it changes with the pressure",
            choices=("constant", "barus", "roelands"),
        ),
        Parameter("viscosity.alpha", 2e-8, "1/Pa", "barus: coefficient", check=checks.non_negative),
        Parameter(
            "viscosity.z", 0.6, text="roelands: index", check=lambda n, x: checks.within(n, x, 0, 2)
        ),
    )  # fmt: skip


def lubricant_of(p, density: Density | None = None) -> Lubricant:
    """The lubricant that the parameters of ``oil`` describe."""
    options = {"density": density} if density else {}
    if p["viscosity.law"] == "barus":
        return Barus(p["viscosity"], alpha=p["viscosity.alpha"], **options)
    if p["viscosity.law"] == "roelands":
        return Roelands(p["viscosity"], z=p["viscosity.z"], **options)
    return Lubricant(p["viscosity"], **options)


def plain_oil(p) -> float:
    """The viscosity for a closed form, which knows a constant one only, Pa s.

    Raises:
        InputError: a law of the pressure, or grooves, which closed forms do not know either.
    """
    if p["viscosity.law"] != "constant":
        raise p.refuse("viscosity.law", "a closed form has a constant viscosity.")
    if "grooves.angles" in p and p["grooves.angles"]:
        raise p.refuse("grooves.angles", "a closed form has no grooves.")
    return p["viscosity"]


# --- grooves --------------------------------------------------------------------------------------
def _each(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda name, values: [check(name, x) for x in values]


def _angle(name, value):
    return checks.within(name, value, 0.0, 360.0)


#: of bearings; one value holds for all grooves, or each has its own
GROOVES = (
    Parameter(
        "grooves.angles", [], "deg", "middles of the grooves that feed a bearing, from the film's "
        "first axis",
    ),
    Parameter("grooves.widths", [20.0], "deg", "round the bearing; 360: a ring",
              check=_each(_angle)),
    Parameter("grooves.lengths", [], "m", "along it; default: 0.8 of its length",
              check=_each(checks.positive)),
    Parameter("grooves.places", [0.0], "m", "of their middles along it from its middle"),
    Parameter("grooves.pressures", [0.0], "Pa", "of supply, over ambient"),
    Parameter("grooves.drag", True, text="the film shears over grooves, or they are too deep"),
)  # fmt: skip


def grooves_of(p) -> tuple[Groove, ...]:
    """The grooves that the parameters ``GROOVES`` describe.

    Raises:
        InputError: lists of other lengths.
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
    """A value of each groove; ``None`` where none is given."""
    values = p[key]
    if len(values) == count:
        return values
    if len(values) > 1:
        raise p.refuse(key, f"give one value for all {count} grooves, or one for each.")
    return count * (values or [None])


def liner_of(p, radius: float, width: float, nu: float, rho: float) -> Liner:
    """A hollow cylinder that is fixed at its rim: all of the solid, or responses of its bore.

    Args:
        p: parameters ``liner``, ``liner.E`` and so on.
        radius, width: of its bore, m.
        nu, rho: of its material, kg/m^3.
    """
    outer, cells = radius + p["liner.thickness"], cells_of(p["liner.cells"])
    mesh = hollow_cylinder(radius, outer, width, cells)
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
    """Work that a bearing alone took."""
    newton = bearing.newton
    return {
        "newton_iterations": newton.iterations, "jacobians": newton.tangents,
        "cells": len(bearing.film.surface.cells), "unknowns": bearing.state.size,
    }  # fmt: skip
