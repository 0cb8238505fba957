"""Bearings of the quick-return mechanism's shafts, which lie along x: springs, films in rigid bores
or elastic liners, or ideal."""

from typing import Any

import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import (
    CylindricalFilm,
    Film,
    LubricatedCylindrical,
    ShortBearing,
    Transition,
    bearing_on,
)

from .films import (
    GROOVES,
    THERMAL,
    cavitation,
    film_cells,
    film_options,
    journal_film,
    liner_of,
    liner_parameters,
    lubricant_of,
    oil,
    rough,
)
from .parameters import choice, non_negative, positive, quantity

#: radius of shafts and bores, bearings' width, m; density of the steel, Poisson's ratio
RADIUS, WIDTH, RHO, NU = 0.0185, 0.014, 7800.0, 0.3
X = (1, 0, 0)
#: dry contact replaces the film below a hundredth of the clearance
TRANSITION = Transition(band=0.01, margin=0.02)

PARAMETERS = [
    choice(
        "bearings", "of the shafts: oil films, springs and dampers, films in elastic liners, ideal",
        "hd", "spring", "ehd", "ideal",
    ),
    fc.Parameter(
        "contact", None, type=bool,
        text="dry contact takes over where a film gets too thin; default: in rigid bores unless "
        "joint.film=closed_form",
    ),
    positive("contact.stiffness", 1e11, "N/m^1.5", "of dry contact in rigid bores"),
    quantity(
        "roughness", 5e-7, "composite, of asperities that touch on liners",
        aliases={"contact.roughness": 1.0},
    ),
    quantity("clearance", 2e-4, "radial, of the bearings"),
    *oil(0.04, "of the bearings' oil"),
    *THERMAL,
    cavitation("guembel"),
    choice(
        "joint.film", "hd: Reynolds' equation, or a short bearing with parallel axes",
        "reynolds", "closed_form", aliases={"film": 1.0},
    ),
    film_cells("around and along", "48x8"),
    *GROOVES,
    *liner_parameters(
        choice("liner", "ehd: its bore's responses (linear), or all of the solid", "condensed",
               "full"),
        1.3e11, "24x2x2", 40, "of the liners",
    ),
    positive("bearing.stiffness", 1e6, "N/m", "of springs; of the axial stops beside films"),
    non_negative("bearing.damping", 3000.0, "N s/m", "likewise"),
]  # fmt: skip


def add(system, p, journals: dict):
    """Add both bearings of a shaft, of which the first also holds it axially.

    Args:
        system: to which they are added.
        p: parameters.
        journals: name of a bearing -> its place, m, and the shaft's frame in it.
    """
    kind, k_b, c_b = p["bearings"], p["bearing.stiffness"], p["bearing.damping"]
    films = _films(p) if kind in ("hd", "ehd") else {}
    dry = _dry(p)
    if dry:
        # a journal tilts as far as both bearings allow the shaft to tilt, and a little by bending
        first, last = (place for place, _ in journals.values())
        films["lean"] = 4 * p["clearance"] / float(np.linalg.norm(last - first))
    for k, (name, (place, journal)) in enumerate(journals.items()):
        system.add(fc.Probe(journal, name=f"shaft.{name}"))
        frames, label = (system.ground.at(place), journal), f"bearing.{name}"
        if kind == "ideal":
            joint = fc.PointOnLine if k else fc.SphericalJoint
            system.add(joint(*frames, X, name=label))
        elif kind == "spring":
            system.add(fc.Bushing(*frames, k_b, c_b, name=label))
        else:
            film = LubricatedCylindrical if dry else CylindricalFilm
            system.add(film(*frames, X, name=label, **films))
            if k == 0:
                system.add(fc.Bushing(*frames, (k_b, 0, 0), (c_b, 0, 0), name=f"stop.{name}"))


def _touches(p) -> bool:
    """Whether the surfaces can touch under the films."""
    if p["contact"] is None:
        return p["bearings"] == "hd" and p["joint.film"] == "reynolds"
    return p["contact"]


def _dry(p) -> bool:
    """Whether that contact is one of joints (rigid bores), not of asperities (liners)."""
    return p["bearings"] == "hd" and _touches(p)


def _films(p) -> dict[str, Any]:
    """Options of the bearings' joints."""
    if not _dry(p):
        liner = liner_of(p, RADIUS, WIDTH, NU, RHO) if p["bearings"] == "ehd" else None
        return {"film": _film(p, liner), "liner": liner, "first": (0, 1, 0)}
    return {
        "film": _film(p, None), "stations": 2, "length": WIDTH, "bearing_radius": RADIUS,
        "journal_radius": RADIUS - p["clearance"], "stiffness": p["contact.stiffness"],
        "transition": TRANSITION,
    }  # fmt: skip


def _film(p, liner) -> Film | ShortBearing:
    if p["joint.film"] == "closed_form" and p["bearings"] == "ehd":
        raise p.error("joint.film", "elastic liners need joint.film=reynolds.")
    speed = p["pinion.speed"] * RADIUS
    film: Film | ShortBearing
    if liner is not None and p["liner"] == "full":
        options = film_options(p, speed)
        film = bearing_on(liner.surface(), p["clearance"], lubricant_of(p), **options)
    else:
        film = journal_film(p, RADIUS, WIDTH, speed)
    if liner is None or not _touches(p) or isinstance(film, ShortBearing):
        return film
    return rough(film, p["roughness"], (p["liner.E"], p["shaft.E"]), NU)


def taken(c, name: str, p):
    """Power that a shaft gives to a bearing, its film and dry contact, W."""
    kind = p["bearings"]
    if kind == "ideal":
        return 0.0 * c[f"shaft.{name}.x"]
    if kind == "spring":
        return c[f"bearing.{name}.loss"]
    total = c[f"stop.{name}.loss"] if name in "AC" else 0.0
    for x in "xyz":
        total = total - c[f"bearing.{name}.force.{x}"] * c[f"shaft.{name}.v{x}"]
        total = total - c[f"bearing.{name}.moment.{x}"] * c[f"shaft.{name}.omega_{x}"]
    return total
