"""Sliding pendulum with a dry or lubricated clearance joint (Ebrahimi et al. 2017)."""

import numpy as np

import fem_clearance as fc

from . import figures
from .parts.joints import first_impact
from .parts.parameters import (
    APPROACH_FLOOR,
    APPROACH_SPEED,
    choice,
    hysteresis,
    non_negative,
    number,
    positive,
    quantity,
    restitution,
)

GRAVITY = 9.81
PENDULUM, SLIDER, LENGTH = 50.0, 0.2, 1.0  # kg, kg, m: Table 1
ROD, DROP = 0.005, 1e-6  # radius of the rod, fall before the first contact, m
STEEL = fc.LinearElastic(E=200e9, nu=0.3, rho=7800)
#: appearance of the slider, the pendulum and the guide's rod
BLOCK = fc.shapes.Slider(0.12, 0.08, 0.06)
BAR = fc.shapes.Rod(0.02, LENGTH, orientation=((0, -1, 0), (1, 0, 0), (0, 0, 1)))
RAIL = fc.shapes.Rod(ROD, 0.8)
OIL_LENGTH, OIL_SPRING = 0.04, 1.56e9  # m, N/m: section 4.6
CLEARANCE = {True: 8e-5, False: 5e-4}  # lubricated, dry, m

LAWS = {"lankarani_nikravesh": fc.LankaraniNikravesh, "hunt_crossley": fc.HuntCrossley}
TERMS = {"taylor2": fc.TaylorTwoTerms, "taylor3": fc.TaylorThreeTerms}


def build(p):
    clearance, start = place(p)
    angle = np.radians(p["start.angle_deg"])
    system = fc.System(gravity=(0, -GRAVITY, 0), comm=p.comm)
    pivot = np.array([0.0, start, 0.0])
    inertia = (1e-5,) * 3  # it does not rotate
    slider = system.add(fc.RigidBody(SLIDER, inertia, position=pivot, shape=BLOCK, name="slider"))
    system.ground.shape = RAIL
    turned = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    across = PENDULUM * LENGTH**2 / 12
    rod = system.add(
        fc.RigidBody(
            PENDULUM, (across, 1e-3 * across, across),  # slender; it never turns about its own axis
            position=pivot + turned @ (0, -LENGTH / 2, 0), orientation=turned, shape=BAR,
            name="rod",
        )
    )  # fmt: skip
    # the slider's steady motion along the guide only changes the frame of reference
    system.add(fc.PrismaticJoint(system.ground, slider.center, axis=(0, 1, 0), name="guide"))
    system.add(fc.RevoluteJoint(slider.center, rod, axis=(0, 0, 1), name="pivot"))
    system.add(
        fc.RodGuide(
            system.ground.point((0, 0, 0)), slider.center, axis=(0, 1, 0),
            hole_radius=ROD + clearance, rod_radius=ROD, force=_force(p),
            materials=(STEEL, STEEL), approach_floor=p["approach_floor"], name="joint",
        )
    )  # fmt: skip
    system.add(fc.AngleProbe(slider.center, rod, axis=(0, 0, 1), initial=angle, name="pendulum"))
    if p["excitation.force"]:
        cosine = fc.functions.Harmonic(1.0, p["excitation.frequency"], np.pi / 2)
        system.add(fc.Force(slider, (0, p["excitation.force"], 0), cosine, name="excitation"))
    return system


def place(p) -> tuple[float, float]:
    """Clearance and initial height of the slider, m."""
    oil = p["force"] == "lubricated"
    clearance = CLEARANCE[oil] if p["clearance"] is None else p["clearance"]
    if p["start.y"] is None:
        return clearance, 0.0 if oil else min(0.0, DROP - clearance)
    if abs(p["start.y"]) >= clearance:
        raise p.error(
            "start.y",
            f"the slider must start inside the clearance, within {clearance:g} m of the "
            "rod's centre.",
        )
    return clearance, p["start.y"]


def _force(p):
    if p["force"] == "lubricated":
        return fc.SqueezeFilm(p["viscosity"], OIL_LENGTH, OIL_SPRING)
    law = LAWS[p["law"]](**hysteresis(p, "restitution"))
    if p["force"] == "full":
        return law
    load = (PENDULUM + SLIDER) * GRAVITY
    return TERMS[p["force"]](law, load=load, approach_speed=p["approach_speed"])


def summary(results, events):
    """First contact, lowest position and largest force, also between the steps."""
    from fem_clearance.analysis import extremes

    first = first_impact(events)
    time, y = results.time, results["slider.y"]
    return {
        "first_contact_time": first.time if first else None,
        "first_contact_speed": first.speed if first else None,
        "y_min": extremes(time, y, results["slider.vy"]).low,
        "peak_force": extremes(time, results["joint.normal_force"]).high,
    }


case = fc.Case(
    "sliding_pendulum",
    "pendulum on a slider with clearance on its guide rod (Ebrahimi et al. 2017)",
    build,
    [
        choice("law", "contact law of a dry joint", *LAWS),
        choice(
            "force",
            "force of the joint: the law, its Taylor series with 2 or 3 terms, an oil film",
            "full", *TERMS, "lubricated",
        ),
        restitution("restitution"),
        APPROACH_SPEED,
        APPROACH_FLOOR,
        quantity("clearance", None, "hole's radius minus rod's; default 5e-4, lubricated 8e-5"),
        quantity("viscosity", 0.4),
        number(
            "start.y", None, "m",
            "initial height of the slider; default 1e-6 above contact, lubricated centred",
        ),
        number("start.angle_deg", 10.0, "deg", "initial angle from the vertical"),
        non_negative(
            "excitation.force", 0.0, "N", "amplitude of a vertical force on the slider"
        ),
        positive("excitation.frequency", 250.0, "Hz", "its frequency (a cosine)"),
    ],
    settings={"t_end": 3.0, "tolerance": 1e-12},
    summary=summary,
    units={
        "first_contact_time": "s", "first_contact_speed": "m/s", "y_min": "m", "peak_force": "N",
    },  # fmt: skip
    figures=figures.of("sliding_pendulum"),
)  # fmt: skip
