"""Slider-crank with a revolute clearance joint between coupler and slider (Flores et al.).

A crank of 50 mm rotates at a constant 5000 rpm; coupler of 120 mm, slider on a straight guide,
bearing of 10 mm radius on the coupler, journal on the slider. It starts stretched, with the journal
centred and the velocities of ideal joints.
"""

from typing import Any

import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import LubricatedCylindrical

from ..contact.laws.pair_data import sphere_stiffness
from . import figures
from .parts.bars import AXIS, bar, crank_on_ground, crank_speed, slender
from .parts.films import GROOVES, cavitation, film_cells, journal_film, oil
from .parts.joints import first_impact, ideal_channels, no_strain_energy
from .parts.parameters import (
    APPROACH_SPEED,
    FRICTION,
    SECTION_MODEL,
    choice,
    hysteresis,
    quantity,
    restitution,
)

#: length m, mass kg, moment of inertia kg m^2 about the middle
CRANK, COUPLER = (0.05, 0.3, 1e-5), (0.12, 0.21, 2.5e-4)
SLIDER = (0.14, 1e-4)  # mass kg, moment of inertia kg m^2 (it never rotates)
BLOCK = fc.shapes.Slider(0.06, 0.036, 0.03)  # its appearance
BEARING, LENGTH = 0.01, 0.02  # radius and length of the bearing, m
DENSITY = 7800.0
#: a flexible coupler has a square section of the same mass
WIDTH = (COUPLER[1] / (DENSITY * COUPLER[0])) ** 0.5
ZERO = {"penetration": "m", "ex": "m", "ey": "m", "friction_force": "N"}


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    speed = crank_speed(p)
    a = np.array([CRANK[0], 0, 0])
    b = a + [COUPLER[0], 0, 0]
    crank, pivot = crank_on_ground(system, CRANK, speed)
    slider = system.add(
        fc.RigidBody(SLIDER[0], (SLIDER[1],) * 3, position=b, shape=BLOCK, name="slider")
    )
    system.add(fc.RotationDriver(pivot.i, pivot.j, AXIS, fc.functions.Linear(speed), name="drive"))
    system.add(fc.PrismaticJoint(system.ground, slider.center, (1, 0, 0), name="guide"))
    bearing = _coupler(system, p, crank.at(a), a, b, speed)
    derived = _joint(system, p, bearing, slider.center)
    system.add(fc.AngleProbe(pivot.i, pivot.j, AXIS, name="crank_angle"))
    system.add(fc.Probe(slider.center, name="slide"))
    rename = {
        "drive.torque": "crank.moment",
        "crank_angle.angle_deg": "crank.angle_deg",
        "slide.ax": "slider.acceleration",
    }
    return fc.Model(system, rename, derived)


def _coupler(system, p, pin, a, b, speed):
    """Add the coupler, hinged to the crank; returns the frame of its bearing."""
    motion: dict[str, Any] = {
        "velocity": (0, speed * CRANK[0] / 2, 0),
        "angular_velocity": (0, 0, -speed * CRANK[0] / COUPLER[0]),
        "name": "coupler",
    }
    model = p["coupler.model"]
    if model == "rigid":
        body = system.add(
            fc.RigidBody(
                COUPLER[1],
                slender(COUPLER[2]),
                position=(a + b) / 2,
                shape=fc.shapes.Link(WIDTH),
                **motion,
            )
        )
        system.add(fc.RevoluteJoint(pin, body.at(a), AXIS, name="A"))
        return body.at(b)
    section = fc.Rectangle(WIDTH, WIDTH)
    material = fc.StVenantKirchhoff(p["coupler.E"], 0.3, DENSITY)
    body = bar(
        system, p, "coupler", a, b, section, material, damping=p["coupler.damping"], **motion
    )
    if model != "cable":
        system.add(fc.RevoluteJoint(pin, body.start, AXIS, name="A"))
        return body.end
    system.add(fc.SphericalJoint(pin, body.start, name="A"))
    # a cable has no triad: a frame without mass in the plane of motion holds its end
    end = system.add(
        fc.MasslessFrame(b, plane=True, angular_velocity=motion["angular_velocity"], name="end")
    )
    system.add(fc.FixedJoint(end.center, body.end, name="seat"))
    return end.center


def _joint(system, p, bearing, journal) -> list:
    """Add the joint between coupler and slider; returns channels that the model lacks."""
    derived = []
    if p["coupler.model"] == "rigid":
        derived.append(no_strain_energy("the coupler is rigid"))
    if p["joint.kind"] == "ideal":
        system.add(fc.RevoluteJoint(bearing, journal, AXIS, name="joint"))
        return derived + ideal_channels(ZERO, "xy")
    if not p["clearance"] < BEARING:
        raise p.error(
            "clearance", f"it must be less than the radius of the bearing, {BEARING:g} m."
        )
    steel = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=DENSITY)
    friction = None
    if p["joint.friction"]:
        friction = fc.ModifiedCoulomb(p["joint.friction"], v0=1e-3, v1=1e-2)
    options = {
        "bearing_radius": BEARING, "journal_radius": BEARING - p["clearance"], "length": LENGTH,
        # the paper's: Hertz's stiffness for spheres
        "normal": fc.LankaraniNikravesh(**hysteresis(p)),
        "stiffness": sphere_stiffness(BEARING, BEARING - p["clearance"], steel, steel),
        "friction": friction, "materials": (steel, steel), "name": "joint",
    }  # fmt: skip
    if p["joint.kind"] == "dry":
        system.add(fc.RevoluteClearance(bearing, journal, AXIS, **options))
    else:  # the motion is plane, so that one station of dry contact is sufficient
        film = journal_film(p, BEARING, LENGTH, crank_speed(p) * BEARING)
        system.add(LubricatedCylindrical(bearing, journal, AXIS, film=film, stations=1, **options))
    return derived


def summary(results, events):
    """Peaks, and the first impact."""
    found = {
        "peak_force": float(results["joint.normal_force"].max()),
        "peak_acceleration": float(np.abs(results["slider.acceleration"]).max()),
        "peak_moment": float(np.abs(results["crank.moment"]).max()),
        "max_penetration": float(results["joint.penetration"].max()),
    }
    first = first_impact(events)
    if first is not None:
        found |= {"first_impact_time": first.time, "first_impact_speed": first.speed}
    return found


def derived_settings(values):
    """The run lasts for four turns of the crank."""
    return {"t_end": 4 * 60 / values["crank.rpm"]}


case = fc.Case(
    "slider_crank_revolute",
    "slider-crank with a revolute clearance joint at the slider (Flores et al.)",
    build,
    [
        choice("joint.kind", "joint of coupler and slider", "dry", "ideal", "lubricated"),
        choice(
            "joint.film", "film of a lubricated joint: Ocvirk's, or cells", "closed_form",
            "reynolds",
        ),
        *oil(0.4),
        cavitation("guembel", " in a film"),
        film_cells("around and along", "24x4"),
        *GROOVES,
        quantity("clearance", 5e-4, "radial clearance of the joint"),
        quantity("crank.rpm", 5000.0),
        choice("coupler.model", "coupler", "rigid", "quadratic", "ancf", "cable"),
        SECTION_MODEL,
        quantity("coupler.E", 207e9, "Young's modulus of a flexible coupler"),
        quantity("coupler.elements", 4, "elements of a flexible coupler"),
        quantity("coupler.damping", 0.0, "retardation time of a flexible coupler"),
        restitution(),
        APPROACH_SPEED,
        FRICTION,
    ],
    summary=summary,
    units={
        "peak_force": "N", "peak_acceleration": "m/s^2", "peak_moment": "N m",
        "max_penetration": "m", "first_impact_time": "s", "first_impact_speed": "m/s",
    },  # fmt: skip
    settings={"constraints": "stabilised"},  # steps change ten thousandfold in an impact
    derived_settings=derived_settings,
    figures=figures.of("slider_crank"),
)  # fmt: skip
