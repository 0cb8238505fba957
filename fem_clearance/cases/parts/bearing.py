"""What the cases of one bearing share: parameters, and results of a solved film.

The journal's centre is held on the x axis (and moves along it with ``eccentricity_rate``); the
housing is at rest.
"""

import logging

import numpy as np

from ...core.observation import Channel
from ...lubrication.bearings.bearing import Bearing
from ...lubrication.bearings.equilibrium import (
    Coefficients,
    attitude,
    eccentricity_for,
    equilibrium,
    sommerfeld_number,
)
from ...lubrication.bearings.place import FilmState, Place
from ...lubrication.bearings.plain import plain_bearing
from ...lubrication.film.film import Film
from ...lubrication.film.lubricant import Density, DowsonHigginson, Lubricant
from ...runs.parameters import Parameter
from .films import GROOVES, THERMAL, cavitation, film_cells, film_options, lubricant_of, oil, rough
from .parameters import cells_of, choice, number, positive, quantity, within

logger = logging.getLogger(__name__)

#: of the bore, m
RADIUS = 15e-3
#: of the journal's steel, Pa; Poisson's ratio of both bodies
STEEL, NU = 207e9, 0.3
DENSITY = {"constant": Density, "dowson_higginson": DowsonHigginson}

PARAMETERS = (
    positive("L_over_D", 1.0, "", "width over bore diameter (30 mm)"),
    quantity("load", None, "size of the film's force, instead of the eccentricity_ratio"),
    number(
        "load.angle", None, "deg", "direction in which the load pulls the journal, from +x; the "
        "journal then goes where it must. Default: its centre stays on the x axis",
    ),
    quantity("clearance", 2e-4),
    *oil(0.04),
    choice("density", "of the lubricant", *DENSITY),
    *THERMAL,
    quantity(
        "roughness", None, "of both surfaces together: asperities carry load where the film is thin"
    ),
    Parameter("speed", 100.0, "rad/s", "of the journal"),
    Parameter("eccentricity_rate", 0.0, "1/s", "d(eccentricity_ratio)/dt"),
    cavitation("reynolds"),
    choice(
        "film_start", "where the film begins: free, or p = 0 at the largest gap",
        "free", "largest_gap",
    ),
    film_cells("around and along", "96x16"),
    Parameter(
        "film.crowd", 0.8,
        text="crowds the cells round the smallest gap: 0 not at all, below 1",
        check=within(0.0, 0.99),
    ),
    *GROOVES,
)  # fmt: skip


def options(p) -> dict:
    """Common arguments of ``bearing_on`` and ``plain_bearing``.

    Raises:
        InputError: parameters that exclude each other; nothing moves or feeds the film.
    """
    if p["cavitation"] == "jfo" and p["film_start"] == "free" and not p["grooves.angles"]:
        raise p.error(
            "cavitation",
            "a film that conserves its oil needs a supply; set film_start=largest_gap, or add "
            "a groove (grooves.angles).",
        )
    speed, supply = _speed(p), max([0.0, *p["grooves.pressures"]]) if p["grooves.angles"] else 0.0
    if speed == 0 and supply == 0:
        raise p.error(
            "speed", "nothing moves; give a speed, an eccentricity_rate or grooves.pressures."
        )
    if p["load.angle"] is not None:
        _check_angle(p)
    if p["load"] is not None and p["speed"] == 0 and supply == 0:
        raise p.error(
            "load", "a journal that neither rotates nor moves carries no load; give a speed."
        )
    # for a journal at rest, the speed at which pressures are of the size of the supply's
    speed = speed or supply * p["clearance"] ** 2 / (p["viscosity"] * RADIUS)
    return film_options(p, speed) | {
        "narrowest": np.pi if p["eccentricity_ratio"] < 0 and p["load"] is None else 0.0,
        "starts_at_largest_gap": p["film_start"] == "largest_gap",
    }


def _speed(p) -> float:
    """Speed of the surfaces, m/s."""
    return max(abs(p["speed"]), abs(p["eccentricity_rate"])) * RADIUS


def _check_angle(p) -> None:
    """Refuse parameters that are incompatible with a load of given direction."""
    if p["load"] is None:
        raise p.error("load.angle", "it is the direction of the load; give load too.")
    if p["eccentricity_rate"]:
        raise p.error(
            "eccentricity_rate",
            "under a given load the journal is at rest; leave eccentricity_rate at 0.",
        )
    if p["film_start"] == "largest_gap":
        raise p.error(
            "film_start",
            "under a given load the place of the largest gap is not known beforehand; add a "
            "groove instead (grooves.angles).",
        )


def derived_settings(values) -> dict:
    """Under a load of given direction the place of the smallest gap is not known beforehand, so
    that cells are not crowded around it."""
    return {} if values["load.angle"] is None else {"film.crowd": 0.0}


def lubricant(p) -> Lubricant:
    """The oil."""
    return lubricant_of(p, DENSITY[p["density"]]())


def plain_film(p) -> Film:
    """The film in a round bore."""
    return plain_bearing(
        RADIUS, length(p), p["clearance"], lubricant(p), cells=cells_of(p["film.cells"]),
        crowd=p["film.crowd"], **options(p),
    )  # fmt: skip


def roughened(film: Film, p, E: float) -> Film:
    """The film between surfaces of given roughness; E: Young's modulus of the bore, Pa."""
    if p["roughness"] is None:
        return film
    return rough(film, p["roughness"], (STEEL, E), NU)


def length(p) -> float:
    """Width of the bearing, m."""
    return p["L_over_D"] * 2 * RADIUS


def solved(bearing: Bearing, p) -> FilmState:
    """The film at the given eccentricity or under the given load."""
    c, speed, rate = p["clearance"], p["speed"], p["eccentricity_rate"] * p["clearance"]
    if p["load.angle"] is not None:
        turn = np.radians(p["load.angle"])
        return equilibrium(bearing, p["load"] * np.array([np.cos(turn), np.sin(turn)]), speed)
    if p["load"] is not None:
        return eccentricity_for(bearing, p["load"], speed, rate=rate)
    e = p["eccentricity_ratio"] * c
    return bearing.solve(Place(e=(e, 0, 0), V=(rate, 0, 0), Omega=(0, 0, speed)))


def numbers(state: FilmState, p) -> tuple[dict[Channel, float], dict]:
    """Recorded values of a film, and further entries of its summary."""
    e, force, speed = np.asarray(state.place.e[:2]), state.force[:2], p["speed"]
    ratio, along = float(e[0]) / p["clearance"], np.array([1.0, 0.0])
    if p["load.angle"] is not None:
        ratio = float(np.hypot(*e)) / p["clearance"]
        along = e / np.hypot(*e)
    ends = state.outflow["z0"] + state.outflow["z1"]
    load, least = float(np.hypot(*force)), float(state.thickness.min())
    if p["roughness"] is not None and least < p["roughness"]:
        logger.warning(
            "the film is thinner than the surfaces are rough, %.3g m of %.3g m: asperities touch",
            least, p["roughness"],
        )  # fmt: skip
    found = {
        Channel("eccentricity_ratio", "", "distance of the centres over the clearance"):
            ratio,
        Channel("ex", "m", "x of the journal's centre"): float(e[0]),
        Channel("ey", "m", "y of the journal's centre"): float(e[1]),
        Channel("load", "N", "force of the film on the journal"): load,
        Channel("load_x", "N", "its component along the line of centres"): float(force @ along),
        Channel("load_y", "N", "its component across"):
            float(along[0] * force[1] - along[1] * force[0]),
        Channel("attitude_deg", "deg", "from the load on the journal to the line of centres"):
            float(np.degrees(attitude(state))),
        Channel("max_pressure", "Pa", "largest pressure"): float(state.pressure.max()),
        Channel("max_contact_pressure", "Pa", "largest pressure of asperities"):
            float(state.contact_pressure.max()),
        Channel("min_film", "m", "smallest film thickness (between mean surfaces)"): least,
        Channel("friction_torque", "N m", "that brakes the journal"):
            -float(state.moment[2]) * (np.sign(speed) or 1.0),
        Channel("side_flow", "m^3/s", "out of both ends"): ends,
        Channel("power_loss", "W", "that the film turns into heat"): state.power_loss,
    }  # fmt: skip
    if p["grooves.angles"] or p["cavitation"] in ("full", "jfo"):
        # the others make up for oil where the film forms again: then no line feeds what leaves
        what = "that grooves, or the line where the film starts, feed"
        found[Channel("supply_flow", "m^3/s", what)] = ends - sum(state.outflow.values())
    if state.warm is not None:
        what = "highest temperature of the oil, mean across the film"
        found[Channel("max_temperature", "K", what)] = float(state.warm.temperature.max())
    number = sommerfeld_number(
        load, radius=RADIUS, length=length(p), clearance=p["clearance"],
        viscosity=p["viscosity"], speed=speed,
    ) if load > 0 else None  # fmt: skip
    coefficients = Coefficients.of(state)
    _report(coefficients)
    return found, {
        "sommerfeld_number": number,
        "stiffness": coefficients.stiffness, "damping": coefficients.damping,
        "stiffness_error": coefficients.stiffness_error,
        "damping_error": coefficients.damping_error,
    }  # fmt: skip


def _report(found: Coefficients) -> None:
    """Log the estimated errors of the dynamic coefficients."""
    if found.stiffness_error is None or found.damping_error is None:
        logger.info(
            "dynamic coefficients: their errors cannot be estimated on this mesh; films with even "
            "numbers of cells in both directions have an estimate"
        )
        return
    parts = (
        100 * np.abs(wrong).max() / np.abs(value).max()
        for value, wrong in (
            (found.stiffness, found.stiffness_error), (found.damping, found.damping_error),
        )
    )  # fmt: skip
    logger.info(
        "dynamic coefficients: estimated errors up to %.2g %% of the largest stiffness, %.2g %% of "
        "the largest damping", *parts,
    )  # fmt: skip
