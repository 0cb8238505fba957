"""A journal bearing of two pads with warm oil under a vertical load: place, loss, temperatures.

Between the pads, on either side, are grooves in which part of the hot oil mixes with fresh oil. The
default is the bearing of 0.4 m for which the tests of ROSS contain results of thermal models.
"""

from typing import Any

import numpy as np

from .. import meshes
from ..core.observation import Channel
from ..lubrication import (
    Adiabatic,
    Bearing,
    Coefficients,
    Conducting,
    Convection,
    Film,
    HeatedSolid,
    Lubricant,
    Shaft,
    Streamers,
    attitude,
    cylinder,
    equilibrium,
    joined,
)
from ..lubrication.film.thermal import Thermal
from ..plotting import films
from ..runs.case import Case
from ..runs.parameters import Parameter
from ..runs.steady import SteadyResults
from .parts.films import counters, film_cells, heat_of
from .parts.parameters import cells, cells_of, choice, non_negative, positive, quantity, within

#: grooves between the pads, by the edges of the film that they feed
GROOVES = {"left": ("end0", "start1"), "right": ("end1", "start0")}
#: heat capacity of steel, J/(m^3 K), which a steady state does not depend on
CAPACITY = 3.6e6


def build(p):
    radius, arc = p["bearing_radius"], np.radians(p["arc"])
    upper, lower = (
        cylinder(radius, p["length"], cells_of(p["film.cells"]), arc=arc, start=middle - arc / 2)
        for middle in (np.pi / 2, 3 * np.pi / 2)
    )
    oil = Lubricant(p["viscosity"], **heat_of(p))
    common = {"carry_over": p["carry_over"], "upwind": p["upwind"]}
    thermal: Thermal | None = None
    if p["thermal"] == "adiabatic":
        thermal = Adiabatic(p["thermal.supply"], GROOVES, **common)
    elif p["thermal"] == "conducting":
        journal = Shaft() if p["journal"] == "one_temperature" else None
        thermal = Conducting(p["thermal.supply"], GROOVES, bush=_bush(p), journal=journal, **common)
    edges = ("z0", "z1", *(name for sets in GROOVES.values() for name in sets))
    return Film(
        joined([upper, lower]), p["clearance"], oil, Streamers(), dict.fromkeys(edges, 0.0),
        sliding_speed=radius * abs(p["speed"]), thermal=thermal,
    )  # fmt: skip


def _bush(p) -> Convection | HeatedSolid:
    radius, outer = p["bearing_radius"], p["bearing_radius"] + p["bush.thickness"]
    if p["bush"] == "ring":
        cooling = p["bush.cooling"], p["surroundings"]
        return Convection.through_ring(radius, outer, p["bush.conductivity"], *cooling)
    mesh = meshes.hollow_cylinder(radius, outer, p["length"], cells_of(p["bush.mesh"]), degree=2)
    cooled = {"rim": (p["bush.cooling"], p["surroundings"])}
    return HeatedSolid(mesh, p["bush.conductivity"], CAPACITY, cooled=cooled)


def analyse(film, p):
    bearing = Bearing(film)
    state = equilibrium(bearing, (0.0, -p["load"]), p["speed"])
    e = np.asarray(state.place.e[:2])
    warm, supply = state.warm, p["thermal.supply"]
    found = {
        Channel("eccentricity_ratio", "", "distance of the centres over the clearance"):
            float(np.hypot(*e)) / p["clearance"],
        Channel("attitude_deg", "deg", "from the load on the journal to the line of centres"):
            float(np.degrees(attitude(state))),
        Channel("power_loss", "W", "that the film turns into heat"): state.power_loss,
        Channel("max_pressure", "Pa", "largest pressure"): float(state.pressure.max()),
        Channel("min_film", "m", "smallest film thickness"): float(state.thickness.min()),
        Channel("side_flow", "m^3/s", "out of both ends"):
            state.outflow["z0"] + state.outflow["z1"],
        Channel("max_temperature", "K", "of the oil"):
            float(warm.temperature.max()) if warm else supply,
    }  # fmt: skip
    follows = Coefficients.of(state)
    more: dict[str, Any] = {
        "groove_temperatures": warm.grooves if warm else dict.fromkeys(GROOVES, supply),
        "stiffness": follows.stiffness, "damping": follows.damping,
        "stiffness_error": follows.stiffness_error, "damping_error": follows.damping_error,
    }  # fmt: skip
    if warm and warm.bush is not None and warm.journal is not None:
        found |= {
            Channel("max_bush_temperature", "K", "of the bore"): float(warm.bush.max()),
            Channel("max_journal_temperature", "K", "of the journal"): float(warm.journal.max()),
        }  # fmt: skip
        more |= {"bush_heat": warm.bush_heat, "journal_heat": warm.journal_heat}
    if warm:
        held = Coefficients.of(state, errors=False, temperature="held")
        more |= {
            "stiffness_held": held.stiffness, "damping_held": held.damping,
            "heat": warm.heat, "oil_heat": warm.oil_heat,
        }  # fmt: skip
    return SteadyResults(more, found, {"film": films.vtk(film, state)}, counters(bearing))


case = Case(
    "thermal_bearing",
    "a journal bearing of two pads with warm oil: place under a load, loss, temperatures",
    build,
    [
        choice(
            "thermal", "the oil warms between insulated walls (adiabatic) or gives heat to them "
            "(conducting), or has the supply's temperature (none)", "adiabatic", "none",
            "conducting",
        ),
        positive("bearing_radius", 0.1999996, "m", "of the bore"),
        positive("length", 0.263144, "m", "of the bearing"),
        quantity("clearance", 1.94564e-4),
        Parameter("arc", 176.0, "deg", "of each pad", check=within(10.0, 179.0)),
        quantity("load", 112814.907, "on the journal, downwards"),
        positive("speed", 94.24777961, "rad/s", "of the journal"),
        quantity("viscosity", 0.0190062133, "of the lubricant, at the supply's temperature"),
        non_negative("viscosity.beta", 0.0300690117, "1/K", "exp(-beta (T - supply))"),
        positive("thermal.supply", 323.0, "K", "temperature of the fresh oil"),
        positive("thermal.density", 854.951614, "kg/m^3", "of the oil"),
        positive("thermal.specific_heat", 1951.501495, "J/(kg K)", "of the oil"),
        non_negative("thermal.conductivity", 0.15, "W/(m K)", "of the oil"),
        Parameter(
            "carry_over", 0.8, text="part of the hot oil that a groove passes on",
            check=within(0.0, 1.0),
        ),
        choice(
            "journal", "has one temperature and takes no heat in all, or is insulated at each "
            "place; with thermal=conducting, as all of the bush", "one_temperature", "insulated",
        ),
        choice(
            "bush", "conducts heat outwards alone, as a ring does (ring), or in all directions, on "
            "a mesh (mesh); with thermal=conducting, as all of the bush", "ring", "mesh",
        ),
        cells("bush.mesh", "48x6x4", "of the bush, with bush=mesh", "around, along and through"),
        positive("bush.thickness", 0.149614636, "m", "of the bush"),
        positive("bush.conductivity", 50.0943941, "W/(m K)", "of the bush"),
        positive("bush.cooling", 735.9030318, "W/(m^2 K)", "heat transfer at the bush's back"),
        positive("surroundings", 323.0, "K", "temperature at the bush's back"),
        Parameter("upwind", False, text="stabilise to first order, without overshoot"),
        film_cells("of a pad, around and along", "64x24"),
    ],
    figures=films.figures,
    analyse=analyse,
)  # fmt: skip
