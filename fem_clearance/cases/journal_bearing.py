"""A journal bearing: force, attitude, flow, friction and dynamic coefficients of its oil film.

The journal's centre is held on the x axis (and moves along it where ``eccentricity_rate`` says so);
the housing rests.
"""

import numpy as np

from .. import checks
from ..channels import Channel
from ..errors import InputError
from ..io.analysis import Findings
from ..io.case import Case
from ..io.parameters import Parameter
from ..lubrication.bearing import Bearing, Place
from ..lubrication.cavitation import JFO, Full, Guembel, Reynolds
from ..lubrication.equilibrium_bearing import (
    Coefficients,
    attitude,
    eccentricity_for,
    sommerfeld_number,
)
from ..lubrication.plain import plain_bearing
from ..plotting import films

RADIUS = 15e-3
CAVITATION = {"reynolds": Reynolds, "full": Full, "guembel": Guembel, "jfo": JFO}


def _ratio(name, value):
    if not -1 < value < 1:
        raise InputError(
            f"{name} must lie between -1 and 1, got {value:g}: the journal touches the bearing."
        )
    return value


def _cells(name, value):
    parts = value.lower().split("x")
    if len(parts) != 2 or not all(n.strip().isdigit() for n in parts):
        raise InputError(f"{name} must be cells round and along, such as 96x16, got {value!r}.")
    return value


def build(p):
    if p["cavitation"] == "jfo" and p["film_start"] == "free":
        raise p.refuse(
            "cavitation",
            "a film that conserves its oil must be fed; set film_start=largest_gap.",
        )
    if p["speed"] == 0 and p["eccentricity_rate"] == 0:
        raise p.refuse("speed", "nothing moves; give a speed or an eccentricity_rate.")
    if p["load"] is not None and p["speed"] == 0:
        raise p.refuse("load", "a journal that does not turn bears no load at rest; give a speed.")
    length = p["L_over_D"] * 2 * RADIUS
    largest = max(abs(p["speed"]) * RADIUS, abs(p["eccentricity_rate"]) * RADIUS)
    return plain_bearing(
        RADIUS, length, p["clearance"], p["viscosity"], speed=largest,
        cells=tuple(int(n) for n in p["film.cells"].lower().split("x")),
        cavitation=CAVITATION[p["cavitation"]](), crowd=p["film.crowd"],
        narrowest=np.pi if p["eccentricity_ratio"] < 0 and p["load"] is None else 0.0,
        starts_at_largest_gap=p["film_start"] == "largest_gap",
    )  # fmt: skip


def analyse(film, p):
    bearing = Bearing(film)
    c, speed, rate = p["clearance"], p["speed"], p["eccentricity_rate"] * p["clearance"]
    if p["load"] is None:
        e = p["eccentricity_ratio"] * c
        state = bearing.solve(Place(e=(e, 0, 0), V=(rate, 0, 0), Omega=(0, 0, speed)))
    else:
        state = eccentricity_for(bearing, p["load"], speed, rate=rate)
    force = state.force[:2]
    load = float(np.hypot(*force))
    length = p["L_over_D"] * 2 * RADIUS
    numbers = {
        Channel("eccentricity_ratio", "", "distance of the centres over the clearance"):
            state.place.e[0] / c,
        Channel("load", "N", "force of the film on the journal"): load,
        Channel("load_x", "N", "its component along the line of centres"): float(force[0]),
        Channel("load_y", "N", "its component across"): float(force[1]),
        Channel("attitude_deg", "deg", "from the load on the journal to the line of centres"):
            float(np.degrees(attitude(state))),
        Channel("max_pressure", "Pa", "largest pressure"): float(state.pressure.max()),
        Channel("min_film", "m", "smallest film thickness"): float(state.thickness.min()),
        Channel("friction_torque", "N m", "that brakes the journal"):
            -float(state.moment[2]) * (np.sign(speed) or 1.0),
        Channel("side_flow", "m^3/s", "out of both ends"):
            state.outflow["z0"] + state.outflow["z1"],
        Channel("power_loss", "W", "that the film turns into heat"): state.power_loss,
    }  # fmt: skip
    coefficients = Coefficients.of(state)
    summary = {channel.name: value for channel, value in numbers.items()}
    summary |= {
        "sommerfeld_number": sommerfeld_number(
            load, radius=RADIUS, length=length, clearance=c, viscosity=p["viscosity"], speed=speed
        ) if load > 0 else None,
        "stiffness": coefficients.stiffness, "damping": coefficients.damping,
    }  # fmt: skip
    newton = bearing.newton
    return Findings(
        summary, numbers, {"film": films.vtk(film, state)},
        {"newton_iterations": newton.iterations, "jacobians": newton.tangents,
         "cells": len(film.surface.cells), "unknowns": bearing.state.size},
    )  # fmt: skip


case = Case(
    "journal_bearing",
    "a journal bearing by Reynolds' equation: load, attitude, flow, dynamic coefficients",
    build,
    [
        Parameter("L_over_D", 1.0, text="width over bore diameter (30 mm)", check=checks.positive),
        Parameter("eccentricity_ratio", 0.6, text="of the journal, along +x", check=_ratio),
        Parameter(
            "load", None, "N", "size of the film's force, instead of the eccentricity_ratio",
            check=checks.positive, type=float,
        ),
        Parameter("clearance", 2e-4, "m", "radial", check=checks.positive),
        Parameter("viscosity", 0.04, "Pa s", "of the lubricant", check=checks.positive),
        Parameter("speed", 100.0, "rad/s", "of the journal"),
        Parameter("eccentricity_rate", 0.0, "1/s", "d(eccentricity_ratio)/dt"),
        Parameter(
            "cavitation", "reynolds", text="what happens below ambient pressure",
            choices=("reynolds", "full", "guembel", "jfo"),
        ),
        Parameter(
            "film_start", "free", text="where the film begins: free, or p = 0 at the largest gap",
            choices=("free", "largest_gap"),
        ),
        Parameter("film.cells", "96x16", text="cells round and along", check=_cells),
        Parameter(
            "film.crowd", 0.8,
            text="crowds the cells round the smallest gap: 0 not at all, below 1",
            check=lambda n, x: checks.within(n, x, 0.0, 0.99),
        ),
    ],
    figures=films.figures,
    analyse=analyse,
)  # fmt: skip
