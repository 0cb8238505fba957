"""Planar four-bar mechanism with a worn revolute clearance joint (Bai, Zhang and Sun 2014)."""

import numpy as np

import fem_clearance as fc
from fem_clearance import checks

from . import figures
from .parts.bars import AXIS, bar, slender
from .parts.bush import elastic_bush
from .parts.joints import ideal_channels
from .parts.parameters import (
    APPROACH_FLOOR,
    APPROACH_SPEED,
    SECTION_MODEL,
    choice,
    count,
    non_negative,
    positive,
    quantity,
    turning,
    within,
)

#: length m, mass kg, moment of inertia kg m^2 about the middle: tables 1 and 2
CRANK, COUPLER, FOLLOWER = (
    (0.55, 3.6235, 0.10214),
    (0.36, 2.4394, 0.031428),
    (0.64, 4.1894, 0.15796),
)
GROUND, RPM = 0.21, 600.0  # m, 1/min
SPEED = 2 * np.pi * RPM / 60
BEARING, JOURNAL, LENGTH = 0.01, 0.0095, 0.015
WIDTH = 0.04  # of the links in pictures, m; steel links of this mass are half as thick
ARCHARD = fc.Archard(1.736e-4, 2.17e9)
#: turns at the end of a run, or of a wear period, from which figures and wear are taken
STEADY = 2
#: growth of the largest clearance in the first period, m: half of the paper's after two periods
FIRST_GROWTH = 9.03e-5
#: points of an elastic bush vibrate at some cm/s, at which a steeper law would cause stick-slip
BUSH_FRICTION = fc.SmoothCoulomb(0.1, v0=0.1)
FRICTION = fc.CubicStribeck(mu_s=0.1, mu_d=0.1, v_s=0.01, v_d=0.1)
STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)


def assembly(branch: int, speed: float = SPEED, ground: float = GROUND):
    """Directions of the three links and their angular velocities, crank vertical, ideal joints.

    Args:
        branch: 1 or -1, the branch of assembly.
        speed: of the crank, rad/s.
        ground: distance of the pivots, m.

    Raises:
        InputError: the links do not meet at every angle of the crank.
    """
    _check_closure(ground)
    first = np.array([0.0, CRANK[0]])
    pivot = np.array([ground, 0.0])
    gap = pivot - first
    d = np.hypot(*gap)
    across = (d**2 + COUPLER[0] ** 2 - FOLLOWER[0] ** 2) / (2 * d * COUPLER[0])
    coupler = np.arctan2(gap[1], gap[0]) + branch * np.arccos(across)
    second = first + COUPLER[0] * np.array([np.cos(coupler), np.sin(coupler)])
    follower = np.arctan2(*(second - pivot)[::-1])
    turned = lambda length, angle: length * np.array([-np.sin(angle), np.cos(angle)])  # noqa: E731
    speeds = np.linalg.solve(
        np.column_stack([turned(COUPLER[0], coupler), -turned(FOLLOWER[0], follower)]),
        -speed * turned(CRANK[0], np.pi / 2),
    )
    return (np.pi / 2, coupler, follower), (speed, *speeds)


def _check_closure(ground: float) -> None:
    """Coupler and follower must span the distance from crank to pivot over the whole turn."""
    nearest, farthest = abs(CRANK[0] - ground), CRANK[0] + ground
    least, most = abs(COUPLER[0] - FOLLOWER[0]), COUPLER[0] + FOLLOWER[0]
    if nearest <= least or farthest >= most:
        raise fc.InputError(
            f"ground.length = {ground:g} m: the mechanism cannot be assembled at every angle "
            f"of the crank. The end of the crank is {nearest:.3g} to {farthest:.3g} m from the "
            f"follower's pivot, but coupler and follower together span only {least:.3g} to "
            f"{most:.3g} m; use a length below {min(CRANK[0] - least, most - CRANK[0]):.3g} m."
        )


def _link(system, name, numbers, start, angle, speed, start_velocity):
    """A uniform bar from ``start`` along ``angle``: the body, and position and velocity of its
    end."""
    length, mass, inertia = numbers
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    axes = np.column_stack([along, [-along[1], along[0], 0.0], [0.0, 0.0, 1.0]])
    across = speed * length * axes[:, 1]
    body = system.add(
        fc.RigidBody(
            mass, slender(inertia), position=start + length / 2 * along, orientation=axes,
            velocity=start_velocity + across / 2, angular_velocity=(0, 0, speed),
            shape=fc.shapes.Link(WIDTH), name=name,
        )
    )  # fmt: skip
    return body, start + length * along, start_velocity + across


def _coupler(system, p, start, angle, speed, start_velocity):
    """Frames at both ends of the coupler, and the place of the second one."""
    if p["coupler.model"] == "rigid":
        body, end, _ = _link(system, "coupler", COUPLER, start, angle, speed, start_velocity)
        return body.at(start), body.at(end), end
    length, mass, _ = COUPLER
    width = (mass / (STEEL.rho * length)) ** 0.5
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    end, across = start + length * along, np.array([-along[1], along[0], 0.0])
    velocity = start_velocity + speed * length / 2 * across
    beam = bar(
        system, p, "coupler", start, end, fc.Rectangle(width, width), STEEL,
        velocity=velocity, angular_velocity=(0, 0, speed), name="coupler",
    )  # fmt: skip
    return beam.start, beam.end, end


def build(p):
    return mechanism(p, wear(p))


def mechanism(p, wear: fc.Wear | None):
    """The model; ``wear`` of the joint's surfaces."""
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    ground, speed = p["ground.length"], 2 * np.pi / time_of_turn(p)
    angles, speeds = assembly(p["branch"], speed, ground)
    axis, origin, pivot = AXIS, np.zeros(3), np.array([ground, 0.0, 0.0])
    crank, a, va = _link(system, "crank", CRANK, origin, angles[0], speeds[0], np.zeros(3))
    foot, head, b = _coupler(system, p, a, angles[1], speeds[1], va)
    follower, _, _ = _link(system, "follower", FOLLOWER, pivot, angles[2], speeds[2], np.zeros(3))
    pin = system.add(fc.RevoluteJoint(system.ground, crank.at(origin), axis=axis, name="O"))
    system.add(fc.RevoluteJoint(crank.at(a), foot, axis=axis, name="A"))
    hinge = system.add(fc.RevoluteJoint(system.ground, follower.at(pivot), axis=axis, name="D"))
    end = speeds[2] * FOLLOWER[0] * np.array([-np.sin(angles[2]), np.cos(angles[2]), 0.0])
    motion = end, (0.0, 0.0, speeds[1])
    derived = _joint(system, p, wear, head, follower.at(b), axis, motion)
    system.add(fc.RotationDriver(pin.i, pin.j, axis, fc.functions.Linear(speed), name="drive"))
    system.add(fc.AngleProbe(pin.i, pin.j, axis, name="crank_angle"))
    system.add(fc.AngleProbe(hinge.i, hinge.j, axis, name="follower_angle"))
    rename = {
        "drive.torque": "crank.moment",
        "crank_angle.angle_deg": "crank.angle_deg",
        "follower_angle.acceleration": "follower.acceleration",
    }
    return fc.Model(system, rename, derived)


def _joint(system, p, wear, bearing, journal, axis, motion) -> list:
    """Add the joint between coupler and follower; returns channels that it lacks. ``motion``:
    velocity of the coupler there and its angular velocity."""
    if p["joint.kind"] == "ideal":
        system.add(fc.RevoluteJoint(bearing, journal, axis=axis, name="joint"))
        return ideal_channels({"penetration": "m", "ex": "m", "ey": "m"}, "xy")
    if p["joint.kind"] == "bush":
        radii = BEARING, JOURNAL
        lasting = None if wear is None else fc.SurfaceWear(wear.law, repeat=p["bush.repeat"])
        return elastic_bush(
            system, p, bearing, journal, axis, radii, LENGTH, BUSH_FRICTION, lasting, motion
        )
    system.add(
        fc.RevoluteClearance(
            bearing, journal, axis, bearing_radius=BEARING, journal_radius=JOURNAL, length=LENGTH,
            normal=fc.bai_zhao(p["law"], 0.9, approach_speed=p["approach_speed"]),
            friction=FRICTION,
            friction_at=p["friction_at"], approach_floor=p["approach_floor"], wear=wear,
            materials=(STEEL, STEEL), name="joint",
        )
    )  # fmt: skip
    return []


def time_of_turn(values) -> float:
    """Duration of a turn of the crank, s."""
    return 60 / values["crank.rpm"]


def wear(p) -> fc.Wear:
    """Wear measured over the last turns of each period and extrapolated to ``turns_per_period``."""
    surfaces = {n: p[f"wear.{n}"] for n in ("pressure", "gap", "bins", "smoothing")}
    if not p["wear_periods"]:
        return fc.Wear(ARCHARD, **surfaces)
    if p["turns"] <= STEADY:
        raise p.error(
            "turns",
            f"with wear periods it must exceed {STEADY}, the number of turns that are measured.",
        )
    given, turn = p["turns_per_period"], time_of_turn(p)
    return fc.Wear(
        ARCHARD,
        period=p["turns"] * turn,
        settle=(p["turns"] - STEADY) * turn,
        repeat=given / STEADY if given else None,
        growth=None if given else FIRST_GROWTH,
        renewal=turn,
        **surfaces,
    )


def summary(results, events):
    """Force in the last two turns (its angle from the start), and wear."""
    time, force, angle = results.time, results["joint.normal_force"], results["crank.angle_deg"]
    last = angle >= angle[-1] - 360 * STEADY * (1 + 1e-9)
    span = time[last][-1] - time[last][0]
    peak = int(np.argmax(np.where(last, force, -1.0)))
    found: dict = {
        "peak_force": float(force[peak]),
        "peak_angle_deg": float(angle[peak] % 360),
        "mean_force": float(np.trapezoid(force[last], time[last]) / span),
        "max_penetration": float(results["joint.penetration"][last].max()),
    }
    if "joint.worn_volume" in results:
        worn = results["joint.worn_volume"][last]
        turns = (angle[last][-1] - angle[last][0]) / 360
        found["wear_volume_per_turn"] = float((worn[-1] - worn[0]) / turns)
        if "joint.worn_depth" in results:
            found["deepest_wear"] = float(results["joint.worn_depth"][-1])
            return found
        widest = results["joint.largest_clearance"]
        found["max_clearance"] = [float(x) for x in np.unique(widest)[1:]]
    return found


def derived_settings(values):
    """The run lasts for the turns of all periods."""
    return {"t_end": time_of_turn(values) * values["turns"] * max(1, values["wear_periods"])}


def _periods(name, value):
    return checks.count(name, value) if value else 0


case = fc.Case(
    "four_bar_wear",
    "four-bar mechanism with wear in a revolute clearance joint (Bai, Zhang and Sun 2014)",
    build,
    [
        choice(
            "joint.kind", "joint of coupler and follower; bush: the bearing is an elastic solid, "
            "which wears continuously", "dry", "ideal", "bush",
        ),
        quantity("bush.E", 3e9),
        quantity("bush.nu", 0.38, check=within(-0.99, 0.49)),
        quantity("bush.rho", 1420.0),
        positive("bush.thickness", 0.004, "m", "of its wall"),
        count("bush.cells", 64, "cells round the bush"),
        positive("bush.repeat", 1.0, "", "how many times as fast as in reality it wears"),
        quantity(
            "crank.rpm", RPM,
            check=turning("with the driver at rest the crank makes no turn to simulate"),
        ),
        positive("ground.length", GROUND, "m", "distance of the pivots"),
        choice(
            "coupler.model", "coupler: rigid, or a square bar of the same mass, of steel",
            "rigid", "quadratic", "ancf",
        ),
        SECTION_MODEL,
        quantity("coupler.elements", 4, "elements of a flexible coupler"),
        choice("branch", "way of assembly", 1, -1),
        choice("law", "reading of the contact law", "corr", "n1", "lit15"),
        APPROACH_SPEED,
        APPROACH_FLOOR,
        choice(
            "friction_at", "friction on each body at its radius (as printed), or midway between "
            "them", "radii", "midway",
        ),
        count("turns", 6, "turns of the crank (in each wear period)"),
        fc.Parameter(
            "wear_periods", 0, text="wear periods; 0: surfaces stay round", check=_periods
        ),
        positive(
            "turns_per_period", None, "",
            "turns that a wear period stands for; default: the first widens by 0.0903 mm",
        ),
        choice(
            "wear.pressure", "even over Hertz's patch, or as the local overlap", "patch",
            "foundation",
        ),
        choice(
            "wear.gap",
            "where worn surfaces touch: everywhere, or on the line of centres", "foundation",
            "radial",
        ),
        count("wear.bins", 720, "grid round the joint"),
        non_negative(
            "wear.smoothing", 0.01, "rad",
            "standard deviation of the Gaussian that worn depths are smoothed by",
        ),
    ],
    settings={"t_end": 0.6, "dt": 5e-6, "adaptive": False},
    summary=summary,
    units={
        "peak_force": "N", "peak_angle_deg": "deg", "mean_force": "N", "max_penetration": "m",
        "wear_volume_per_turn": "m^3", "max_clearance": "m", "deepest_wear": "m",
    },
    figures=figures.of("four_bar"),
    derived_settings=derived_settings,
)  # fmt: skip
