"""What cases with one spherical joint share: ideal, dry or lubricated (Tian et al. 2009)."""

from __future__ import annotations

import numpy as np

import fem_clearance as fc
from fem_clearance import checks
from fem_clearance.lubrication import (
    Film,
    Guembel,
    LubricatedSpherical,
    SphereGap,
    SphericalSqueeze,
    Transition,
    cap,
)

from ._films import lubricant_of, oil, plain_oil
from ._joint import (
    APPROACH_SPEED,
    FRICTION,
    first_impact,
    hysteresis,
    ideal_channels,
    restitution,
)


def spherical_joint(system, p, material, socket, ball) -> list:
    """Add the joint; channels that an ideal one lacks."""
    if p["joint.kind"] == "ideal":
        system.add(fc.SphericalJoint(socket, ball, name="joint"))
        zero = {"eccentricity": "m", "penetration": "m", "friction_force": "N"}
        return ideal_channels(zero, "xyz")
    friction = None
    if p["joint.friction"]:
        friction = fc.ModifiedCoulomb(p["joint.friction"], v0=p["joint.v0"], v1=p["joint.v1"])
    options = {
        "socket_radius": p["joint.socket_radius"],
        "ball_radius": p["joint.ball_radius"],
        "normal": fc.LankaraniNikravesh(**hysteresis(p)),
        "friction": friction,
        "radii": p["joint.radii"],
        "materials": (material, material),
        "name": "joint",
    }
    if p["joint.kind"] == "dry":
        system.add(fc.SphericalClearance(socket, ball, **options))
    else:
        triads = all(frame.kind.has_triad for frame in (socket, ball))
        transition = Transition(band=p["transition.band"], margin=p["transition.margin"])
        system.add(
            LubricatedSpherical(
                socket, ball, film=_film(p, triads), transition=transition, **options
            )
        )
    return []


def _film(p, triads: bool):
    """The film of a lubricated joint: a hemisphere about the line of centres."""
    radius = p["joint.socket_radius"]
    if p["joint.film"] == "closed_form":
        return SphericalSqueeze(plain_oil(p))
    if not triads:
        raise p.refuse("joint.film", "a cable has no triad; use closed_form, or another model.")
    n = p["film.cells"]
    return Film(
        cap(radius, cells=(n, n), crowd=0.6), radius - p["joint.ball_radius"],
        lubricant_of(p), Guembel(), {"rim": 0.0}, sliding_speed=0.1, gap=SphereGap(),
    )  # fmt: skip


def joint_parameters(where: str, socket: tuple[float, str], ball: tuple[float, str]) -> list:
    """Parameters that ``spherical_joint`` reads.

    Args:
        where: between what the joint is.
        socket, ball: radius in m, and what it is on.
    """
    return [
        fc.Parameter(
            "joint.kind", "dry", text=f"joint between {where}",
            choices=("dry", "ideal", "lubricated"),
        ),
        fc.Parameter(
            "joint.film", "closed_form", text="film of a lubricated joint",
            choices=("closed_form", "reynolds"),
        ),
        *oil(0.4),
        fc.Parameter(
            "film.cells", 8,
            text="cells of a Reynolds film from its axis to the rim, and along a quarter of it",
            check=checks.count, aliases={"joint.cells": 1.0},
        ),
        fc.Parameter(
            "transition.band", 0.05,
            text="width of the transition from film to dry contact, by the clearance",
            check=checks.positive, aliases={"joint.e0": 1.0},
        ),
        fc.Parameter(
            "transition.margin", 0.10,
            text="by which the closed form's clearance is larger, by the clearance; more than "
            "transition.band",
            check=checks.positive, aliases={"joint.e1": 1.0},
        ),
        fc.Parameter(
            "joint.radii", "difference", text="radii in the contact stiffness",
            choices=("difference", "sum"),
        ),
        fc.Parameter(
            "joint.socket_radius", socket[0], "m", f"radius of the socket, on {socket[1]}",
            check=checks.positive,
        ),
        fc.Parameter(
            "joint.ball_radius", ball[0], "m", f"radius of the ball, on {ball[1]}",
            check=checks.positive,
        ),
        restitution(),
        APPROACH_SPEED,
        FRICTION,
        fc.Parameter(
            "joint.v0", 1e-3, "m/s", "sliding speed below which there is no friction",
            check=checks.non_negative,
        ),
        fc.Parameter(
            "joint.v1", 1e-2, "m/s", "sliding speed of full friction", check=checks.positive
        ),
    ]  # fmt: skip


#: of the summary's entries
UNITS = {
    "first_impact_time": "s", "first_impact_speed": "m/s", "first_impact_peak_force": "N",
}  # fmt: skip


def summary(results, events):
    """Time, approach speed and peak force of the first impact."""
    first = first_impact(events)
    if first is None:
        return {}
    time, speed = first.time, first.speed
    force, t = results["joint.normal_force"], results.time
    touching = (force > 0) & (t >= time - 1e-12)
    begin = int(np.argmax(touching))
    if not touching[begin]:
        return {"first_impact_time": time, "first_impact_speed": speed}
    free = ~touching[begin:]
    end = begin + int(np.argmax(free)) if free.any() else len(t)
    return {
        "first_impact_time": time,
        "first_impact_speed": speed,
        "first_impact_peak_force": float(force[begin:end].max()),
    }


def follow(values):
    """A film feels errors of velocities, which constraints on positions alone leave."""
    return {"constraints": "stabilised"} if values["joint.kind"] == "lubricated" else {}
