"""A ball in a socket: force of the oil film by Reynolds' equation, and the closed form for squeeze.

The ball's centre is held on the x axis of the socket and moves along it; the film carries tension.
On the hemisphere about +x, with ambient pressure at its rim, it is that of Tian et al. (2009), eqs.
(31)-(34). The whole sphere has no edge: the pressure is prescribed at one node, which adds a
constant without a resultant, and the closed form is integrated over both halves.
"""

import numpy as np

from ..core.observation import Channel
from ..errors import InputError
from ..lubrication import (
    Bearing,
    Film,
    Full,
    Place,
    SphereGap,
    SphericalSqueeze,
    cap,
    sphere,
)
from ..plotting import films
from ..runs.case import Case
from ..runs.parameters import Parameter
from ..runs.steady import SteadyResults
from . import figures
from .parts.films import counters, lubricant_of, oil
from .parts.parameters import choice, count, positive, quantity


def _ratio(name, value):
    if not 0 <= value < 1:
        raise InputError(
            f"{name} must be between 0 and 1, got {value:g}: the ball would touch the socket."
        )
    return value


def build(p):
    radius, clearance = p["socket_radius"], p["clearance"]
    speed = radius * max(abs(p["eccentricity_rate"]), float(np.linalg.norm(p["spin"])))
    if speed == 0:
        raise p.error("eccentricity_rate", "nothing moves; give a rate or a spin.")
    n = p["film.cells"]
    if p["surface"] == "full":
        surface, pressures = sphere(radius, n), {"pole": 0.0}
    else:
        middle = max(1, round(2 * n / 3))  # cells across, half of them on either side of the axis
        surface = cap(radius, cells=(middle, middle), axis=(1, 0, 0), crowd=0.5)
        pressures = {"rim": 0.0}
    return Film(
        surface, clearance, lubricant_of(p), Full(), pressures, sliding_speed=speed,
        gap=SphereGap(),
    )  # fmt: skip


def analyse(film, p):
    c, ratio, rate = p["clearance"], p["eccentricity_ratio"], p["eccentricity_rate"]
    bearing = Bearing(film)
    state = bearing.solve(Place(e=(ratio * c, 0, 0), V=(rate * c, 0, 0), Omega=tuple(p["spin"])))
    closed = SphericalSqueeze(p["viscosity"]).force(
        p["socket_radius"], c, ratio, rate, whole=p["surface"] == "full"
    )
    numbers = {
        Channel("load", "N", "force of the film on the ball"): float(np.linalg.norm(state.force)),
        Channel("closed_form_load", "N", "of the squeeze alone, by the closed form"): abs(closed),
        Channel("closed_form_load_x", "N", "x of it, on the ball"): -closed,
        Channel("max_pressure", "Pa", "largest pressure"): float(state.pressure.max()),
        Channel("min_film", "m", "smallest film thickness"): float(state.thickness.min()),
        Channel("power_loss", "W", "that the film turns into heat"): state.power_loss,
    }  # fmt: skip
    for k, x in enumerate("xyz"):
        numbers[Channel(f"load_{x}", "N", f"{x} of the force on the ball")] = float(state.force[k])
        numbers[Channel(f"torque_{x}", "N m", f"{x} of the torque on the ball")] = float(
            state.moment[k]
        )
    return SteadyResults({}, numbers, {"film": films.vtk(film, state)}, counters(bearing))


case = Case(
    "spherical_bearing",
    "a ball in a socket by Reynolds' equation, against the closed form of Tian et al. (2009)",
    build,
    [
        Parameter("eccentricity_ratio", 0.5, text="of the ball, along +x", check=_ratio),
        Parameter("eccentricity_rate", 1.0, "1/s", "d(eccentricity_ratio)/dt"),
        Parameter("spin", [0.0, 0.0, 0.0], "rad/s", "of the ball in the socket"),
        choice("surface", "where the film lies", "full", "hemisphere"),
        positive(
            "socket_radius", 0.02, "m", "radius of the socket",
            aliases={"joint.socket_radius": 1.0},
        ),
        quantity("clearance", 2e-3),
        *oil(0.4),
        count("film.cells", 48, "cells along a quarter of a great circle"),
    ],
    figures=figures.of("spherical_film"),
    analyse=analyse,
)  # fmt: skip
