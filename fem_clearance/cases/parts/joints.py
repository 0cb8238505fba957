"""What cases with one joint, named ``joint``, share, and those whose joint is spherical: ideal, dry
or lubricated (Tian et al. 2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import (
    Film,
    Guembel,
    LubricatedSpherical,
    SphereGap,
    SphericalSqueeze,
    Transition,
    cap,
)

from ...timestepping.events import ONSET, Event
from .films import lubricant_of, oil, plain_oil
from .parameters import (
    APPROACH_SPEED,
    FRICTION,
    choice,
    count,
    hysteresis,
    non_negative,
    positive,
    restitution,
)


def ideal_channels(units: dict[str, str], axes: str) -> list[fc.Derived]:
    """Channels of a joint with clearance that an ideal one lacks.

    Args:
        units: names of channels that are zero, with their units.
        axes: of the reaction, whose size is ``normal_force``.
    """

    def size(channels):
        return np.sqrt(sum(channels[f"joint.reaction.{x}"] ** 2 for x in axes))

    return [
        *(zero(f"joint.{n}", unit, "the joint is ideal") for n, unit in units.items()),
        fc.Derived("joint.normal_force", "N", "size of the joint's force", size),
    ]


def no_strain_energy(what: str) -> fc.Derived:
    """The channel ``energy.strain`` of a model without flexible bodies."""
    return zero("energy.strain", "J", what)


def zero(name: str, unit: str, why: str) -> fc.Derived:
    """A channel that is zero."""
    return fc.Derived(name, unit, f"zero: {why}", lambda _: 0.0)


def first_impact(events: Sequence[Event]) -> Event | None:
    """The first contact in the joint."""
    return next((e for e in events if e.kind == ONSET and e.owner == "joint"), None)


def lasting(touching: np.ndarray) -> slice | None:
    """Rows of the first contact; ``None`` without one.

    Args:
        touching: of each row.
    """
    if not touching.any():
        return None
    begin = int(np.argmax(touching))
    free = np.flatnonzero(~touching[begin:])
    return slice(begin, begin + int(free[0]) if len(free) else len(touching))


# --- spherical joints -----------------------------------------------------------------------------
def spherical_joint(system, p, material, socket, ball) -> list[fc.Derived]:
    """Add the joint; returns channels that it lacks."""
    if p["joint.kind"] == "ideal":
        system.add(fc.SphericalJoint(socket, ball, name="joint"))
        return ideal_channels(
            {"eccentricity": "m", "penetration": "m", "friction_force": "N"}, "xyz"
        )
    friction = None
    if p["joint.friction"]:
        friction = fc.ModifiedCoulomb(p["joint.friction"], v0=p["joint.v0"], v1=p["joint.v1"])
    options = {
        "socket_radius": p["joint.socket_radius"], "ball_radius": p["joint.ball_radius"],
        "normal": fc.LankaraniNikravesh(**hysteresis(p)), "friction": friction,
        "radii": p["joint.radii"], "materials": (material, material), "name": "joint",
    }  # fmt: skip
    if p["joint.kind"] == "dry":
        system.add(fc.SphericalClearance(socket, ball, **options))
        return []
    film = _film(p, triads=all(frame.kind.has_triad for frame in (socket, ball)))
    transition = Transition(band=p["transition.band"], margin=p["transition.margin"])
    system.add(LubricatedSpherical(socket, ball, film=film, transition=transition, **options))
    return []


def _film(p, triads: bool):
    """The film of a lubricated joint: a hemisphere about the line of centres."""
    radius, n = p["joint.socket_radius"], p["film.cells"]
    if p["joint.film"] == "closed_form":
        return SphericalSqueeze(plain_oil(p))
    if not triads:
        raise p.error(
            "joint.film",
            "the frames of a cable have no triad; use joint.film=closed_form, or another "
            "model of the beam.",
        )
    return Film(
        cap(radius, cells=(n, n), crowd=0.6), radius - p["joint.ball_radius"],
        lubricant_of(p), Guembel(), {"rim": 0.0}, sliding_speed=0.1, gap=SphereGap(),
    )  # fmt: skip


def joint_parameters(where: str, socket: tuple[float, str], ball: tuple[float, str]) -> list:
    """Parameters that ``spherical_joint`` reads.

    Args:
        where: bodies that the joint connects.
        socket, ball: radius in m, and the body that has it.
    """
    return [
        choice("joint.kind", f"joint between {where}", "dry", "ideal", "lubricated"),
        choice("joint.film", "film of a lubricated joint", "closed_form", "reynolds"),
        *oil(0.4),
        count(
            "film.cells", 8,
            "cells of a Reynolds film from its axis to the rim, and along a quarter of it",
            aliases={"joint.cells": 1.0},
        ),
        positive(
            "transition.band", 0.05, "",
            "width of the transition from film to dry contact, by the clearance",
            aliases={"joint.e0": 1.0},
        ),
        positive(
            "transition.margin", 0.10, "",
            "by which the closed form's clearance is larger, by the clearance; more than "
            "transition.band",
            aliases={"joint.e1": 1.0},
        ),
        choice("joint.radii", "radii in the contact stiffness", "difference", "sum"),
        positive("joint.socket_radius", socket[0], "m", f"radius of the socket, on {socket[1]}"),
        positive("joint.ball_radius", ball[0], "m", f"radius of the ball, on {ball[1]}"),
        restitution(), APPROACH_SPEED, FRICTION,
        non_negative("joint.v0", 1e-3, "m/s", "sliding speed below which there is no friction"),
        positive("joint.v1", 1e-2, "m/s", "sliding speed of full friction"),
    ]  # fmt: skip


#: units of the summary's entries
UNITS = {
    "first_impact_time": "s", "first_impact_speed": "m/s", "first_impact_peak_force": "N",
}  # fmt: skip


def summary(results, events):
    """Time, approach speed and peak force of the first impact."""
    first = first_impact(events)
    if first is None:
        return {}
    found = {"first_impact_time": first.time, "first_impact_speed": first.speed}
    force, t = results["joint.normal_force"], results.time
    if rows := lasting((force > 0) & (t >= first.time - 1e-12)):
        found["first_impact_peak_force"] = float(force[rows].max())
    return found


def derived_settings(values):
    """Films react to errors of velocities, which constraints on positions alone do not remove."""
    return {"constraints": "stabilised"} if values["joint.kind"] == "lubricated" else {}
