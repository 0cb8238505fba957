"""What cases with oil films share: words and cells of their parameters, liners, rough surfaces."""

from __future__ import annotations

from dataclasses import replace

from ..bodies.condensed import CondensedSolid
from ..bodies.materials import StVenantKirchhoff
from ..bodies.solid import Solid
from ..bodies.structured import hollow_cylinder
from ..errors import InputError
from ..lubrication.asperities import Asperities
from ..lubrication.bearing import Bearing
from ..lubrication.cavitation import JFO, Full, Guembel, Reynolds
from ..lubrication.film import Film
from ..lubrication.liner import Liner

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
