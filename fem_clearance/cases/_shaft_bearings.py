"""Bearings of the quick-return mechanism's shafts, which lie along x: springs, films in rigid bores
or elastic liners, or ideal."""

from typing import Any

import numpy as np

import fem_clearance as fc
from fem_clearance import checks
from fem_clearance.lubrication import (
    CylindricalFilm,
    Film,
    LubricatedCylindrical,
    ShortBearing,
    Transition,
    bearing_on,
    plain_bearing,
)

from ._films import (
    CAVITATION,
    GROOVES,
    cells_check,
    cells_of,
    film_cells,
    grooves_of,
    liner_of,
    lubricant_of,
    oil,
    plain_oil,
    rough,
)

#: radius of shafts and bores, bearings' width, m; density of the steel, Poisson's ratio
RADIUS, WIDTH, RHO, NU = 0.0185, 0.014, 7800.0, 0.3
X = (1, 0, 0)
#: where dry contact takes over from a film: below a hundredth of the clearance
TRANSITION = Transition(band=0.01, margin=0.02)

PARAMETERS = [
    fc.Parameter(
        "bearings", "hd",
        text="of the shafts: oil films, springs and dampers, films in elastic liners, ideal",
        choices=("hd", "spring", "ehd", "ideal"),
    ),
    fc.Parameter(
        "contact", None, type=bool,
        text="dry contact takes over where a film gets too thin; default: in rigid bores unless "
        "joint.film=closed_form",
    ),
    fc.Parameter(
        "contact.stiffness", 1e11, "N/m^1.5", "of dry contact in rigid bores",
        check=checks.positive,
    ),
    fc.Parameter(
        "roughness", 5e-7, "m", "composite, of asperities that touch on liners",
        check=checks.positive, aliases={"contact.roughness": 1.0},
    ),
    fc.Parameter("clearance", 2e-4, "m", "radial, of the bearings", check=checks.positive),
    *oil(0.04, "of the bearings' oil"),
    fc.Parameter(
        "cavitation", "guembel", text="what happens below ambient pressure",
        choices=("guembel", "reynolds", "full", "jfo"),
    ),
    fc.Parameter(
        "joint.film", "reynolds",
        text="hd: Reynolds' equation, or a short bearing with parallel axes",
        choices=("reynolds", "closed_form"), aliases={"film": 1.0},
    ),
    film_cells("round and along", "48x8"),
    *GROOVES,
    fc.Parameter(
        "liner", "condensed", text="ehd: its bore's responses (linear), or all of the solid",
        choices=("condensed", "full"),
    ),
    fc.Parameter("liner.E", 1.3e11, "Pa", "Young's modulus", check=checks.positive),
    fc.Parameter("liner.thickness", 0.01, "m", "of the liners", check=checks.positive),
    fc.Parameter(
        "liner.cells", "24x2x2", text="quadratic cells round, along and through",
        check=cells_check("round, along and through", "24x2x2"),
    ),
    fc.Parameter(
        "liner.responses", 40, text="kept of a condensed liner", check=checks.count
    ),
    fc.Parameter(
        "bearing.stiffness", 1e6, "N/m", "of springs; of the axial stops beside films",
        check=checks.positive,
    ),
    fc.Parameter(
        "bearing.damping", 3000.0, "N s/m", "likewise", check=checks.non_negative
    ),
]  # fmt: skip


def add(system, p, journals: dict):
    """Both bearings of a shaft, the first of which holds it along its axis.

    Args:
        journals: name of a bearing -> its place and the shaft's frame in it.
    """
    kind, k_b, c_b = p["bearings"], p["bearing.stiffness"], p["bearing.damping"]
    films = _films(p) if kind in ("hd", "ehd") else {}
    dry = _dry(p)
    if dry:
        # a journal leans as far as both bearings let the shaft lean, and a little as that bends
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
    """Whether there is contact under the films."""
    if p["contact"] is None:
        return p["bearings"] == "hd" and p["joint.film"] == "reynolds"
    return p["contact"]


def _dry(p) -> bool:
    """Whether that contact is a joint's (in rigid bores) and not that of asperities (on liners)."""
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
    if p["joint.film"] == "closed_form":
        return _closed_form(p)
    options: dict[str, Any] = {
        "sliding_speed": p["pinion.speed"] * RADIUS, "cavitation": CAVITATION[p["cavitation"]](),
    }  # fmt: skip
    c, lubricant, options["grooves"] = p["clearance"], lubricant_of(p), grooves_of(p)
    if liner is not None and p["liner"] == "full":
        film = bearing_on(liner.surface(), c, lubricant, **options)
    else:
        cells = cells_of(p["film.cells"])
        film = plain_bearing(RADIUS, WIDTH, c, lubricant, cells=cells, **options)
    if liner is None or not _touches(p):
        return film
    return rough(film, p["roughness"], (p["liner.E"], p["shaft.E"]), NU)


def _closed_form(p) -> ShortBearing:
    if p["bearings"] == "ehd":
        raise p.refuse("joint.film", "liners need joint.film=reynolds.")
    if p["cavitation"] not in ("guembel", "full"):
        raise p.refuse("cavitation", "the closed form knows guembel and full.")
    return ShortBearing(
        RADIUS, WIDTH, p["clearance"], plain_oil(p), CAVITATION[p["cavitation"]](),
        p["pinion.speed"] * RADIUS,
    )  # fmt: skip


def taken(c, name: str, p):
    """Power that a bearing takes, its film and dry contact: - F . W."""
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
