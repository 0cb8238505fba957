"""Slider-crank with a flexible coupler: a solid, in full or reduced, a beam, or a rigid body.

The mechanism of the SPACAR manual (Jonker and Meijaard), also in Brugnoli et al. (2021): crank
0.15 m, round steel rod 0.30 m long and 6 mm thick, E = 200 GPa, 7870 kg/m^3, a slider of half the
rod's mass, 150 rad/s from a stretched start, no gravity, no damping. Here the rod is square: with
0.866 times the round rod's thickness it has the same ratio of stiffness to mass, and the same
deflection.
"""

from typing import Any

import numpy as np

import fem_clearance as fc
from fem_clearance import meshes

from .parts.bars import bar
from .parts.joints import no_strain_energy
from .parts.parameters import (
    SECTION_MODEL,
    choice,
    count,
    positive,
    quantity,
)

CRANK, LENGTH, DIAMETER = 0.15, 0.30, 6e-3
WIDTH = 3**0.5 / 2 * DIAMETER
Z = (0, 0, 1)


def build(p):
    system = fc.System(gravity=(0, 0, 0), up=(0, 1, 0), comm=p.comm)
    speed, rho, area = p["crank.speed"], p["coupler.rho"], p["coupler.width"] ** 2
    A, B = np.array([CRANK, 0, 0]), np.array([CRANK + LENGTH, 0, 0])
    crank = system.add(
        fc.RigidBody(
            shape=fc.shapes.Box(CRANK, p["coupler.width"], p["coupler.width"]), density=rho,
            position=A / 2, velocity=(0, speed * CRANK / 2, 0), angular_velocity=(0, 0, speed),
            name="crank",
        )
    )  # fmt: skip
    mass = p["slider.mass_ratio"] * rho * area * LENGTH
    inertia = (mass * (0.1 * LENGTH) ** 2 / 6,) * 3
    block = fc.shapes.Slider(0.1 * LENGTH, 0.06 * LENGTH, 0.06 * LENGTH)
    slider = system.add(fc.RigidBody(mass, inertia, position=B, shape=block, name="slider"))
    start, middle, end = _coupler(system, p, A, B)
    pivot = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), Z, name="pivot"))
    system.add(fc.RevoluteJoint(crank.at(A), start, Z, name="crankpin"))
    system.add(fc.RevoluteJoint(end, slider.center, Z, name="wristpin"))
    system.add(fc.PrismaticJoint(system.ground, slider.center, (1, 0, 0), name="guide"))
    system.add(fc.RotationDriver(pivot.i, pivot.j, Z, fc.functions.Linear(speed), name="drive"))
    for name, frame in (("A", crank.at(A)), ("B", slider.center), ("middle", middle)):
        system.add(fc.Probe(frame, name=name))
    derived = [
        fc.Derived("crank.angle", "rad", "angle turned by the crank", lambda c: c["drive.angle"]),
        fc.Derived("crank.moment", "N m", "moment of the drive", lambda c: c["drive.torque"]),
        fc.Derived("slider.acceleration", "m/s^2", "along the guide", lambda c: c["B.ax"]),
        fc.Derived("coupler.deflection", "m", "of the middle, left of the line AB", deflection),
    ]
    if p["coupler.model"] == "rigid":
        derived.append(no_strain_energy("the coupler is rigid"))
    return fc.Model(system, derived=derived)


def _coupler(system, p, A, B):
    """Frames at both ends of the coupler, and one in its middle."""
    model, width, n = p["coupler.model"], p["coupler.width"], p["coupler.elements"]
    material = fc.StVenantKirchhoff(E=p["coupler.E"], nu=p["coupler.nu"], rho=p["coupler.rho"])
    speed = p["crank.speed"]
    motion: dict[str, Any] = {
        "velocity": (0, speed * CRANK / 2, 0), "angular_velocity": (0, 0, -speed * CRANK / LENGTH),
        "name": "coupler",
    }  # fmt: skip
    middle = (A + B) / 2
    of_cells = model in ("solid", "reduced")
    if p["coupler.damping"] and not of_cells:
        raise p.error(
            "coupler.damping",
            "only a solid coupler has damping; use coupler.model=solid or "
            "coupler.model=reduced, or leave coupler.damping at 0.",
        )
    if n % 2 and model != "rigid":
        raise p.error("coupler.elements", "it must be even, so that there is a node in the middle.")
    if not of_cells:
        rod = bar(system, p, "coupler", A, B, fc.Rectangle(width, width), material, **motion)
        return rod.at(A), rod.at(middle), rod.at(B)
    degree, across = p["coupler.degree"], p["coupler.across"]
    if degree * across % 2:
        raise p.error(
            "coupler.across",
            "it must be even for linear cells, so that there is a node on the axis.",
        )
    mesh = meshes.block((LENGTH, width, width), (n, across, across), center=middle, degree=degree)
    damping = fc.Damping(retardation=p["coupler.damping"]) if p["coupler.damping"] else None
    rod = fc.Solid(mesh, material, degree=degree, damping=damping, **motion)
    if model == "reduced":
        rod = fc.ReducedBody.from_solid(rod, p["coupler.modes"], stiffening=True)
    system.add(rod)
    ends = [
        system.add(fc.Attachment(rod.facets(side), kind=p["coupler.attachment"], name=name))
        for side, name in (("x0", "coupler_start"), ("x1", "coupler_end"))
    ]
    return ends[0].frame, rod.at(middle), ends[1].frame


def deflection(c):
    """Distance of the coupler's middle from the line AB, positive to the left."""
    (ax, ay), (bx, by), (mx, my) = ((c[f"{n}.x"], c[f"{n}.y"]) for n in ("A", "B", "middle"))
    chord = np.hypot(bx - ax, by - ay)
    return ((bx - ax) * (my - ay) - (by - ay) * (mx - ax)) / chord


def summary(results, events):
    """Largest deflection and the crank angle there, and the largest moment."""
    bent = np.abs(results["coupler.deflection"])
    k = int(np.argmax(bent))
    return {
        "max_deflection": float(bent[k]),
        "max_deflection_angle_deg": float(np.degrees(results["crank.angle"][k])),
        "max_moment": float(np.abs(results["crank.moment"]).max()),
    }


def figures(results, p):
    """Deflection by the coupler's length, drive's moment and slider over the crank angle."""
    from fem_clearance.plotting import curves, style
    from fem_clearance.plotting.units import scaled

    angle = style.label("crank angle", "rad")
    lines = (
        ("coupler.deflection", "deflection of the middle / length", "", 1 / LENGTH),
        ("crank.moment", "driving moment", "N m", 1.0),
        ("slider.x", "slider", "m", 1.0),
    )
    for name, what, unit, factor in lines:
        (y,), unit = scaled(unit, [factor * results[name]])
        figure = curves.line(results["crank.angle"], y, angle, style.label(what, unit))
        yield name.replace(".", "_"), figure


case = fc.Case(
    "flexible_slider_crank",
    "slider-crank with a flexible coupler, solid, beam or rigid (Jonker and Meijaard)",
    build,
    [
        choice(
            "coupler.model", "coupler; reduced: a solid in a few shapes", "solid", "quadratic",
            "ancf", "rigid", "reduced",
        ),
        SECTION_MODEL,
        quantity("coupler.E", 2e11),
        quantity("coupler.nu", 0.3),
        quantity("coupler.rho", 7870.0),
        quantity(
            "coupler.width", WIDTH,
            "of its square section; default: as stiff by mass as a round one of 6 mm",
        ),
        quantity("coupler.elements", 16, "elements along the coupler"),
        count("coupler.across", 1, "cells across a solid"),
        count("coupler.modes", 4, "natural modes of a reduced solid"),
        choice("coupler.degree", "degree of a solid", 2, 1),
        choice(
            "coupler.attachment", "how a solid's ends are held to the pins", "averaged", "rigid"
        ),
        quantity(
            "coupler.damping", 0.0, "retardation time of a solid",
            aliases={"coupler.retardation": 1.0},
        ),
        quantity("crank.speed", 150.0),
        positive("slider.mass_ratio", 0.5, "", "mass of the slider by the coupler's"),
    ],
    settings={"t_end": 8 / 150, "dt": 1e-4, "adaptive": False},
    summary=summary,
    units={"max_deflection": "m", "max_deflection_angle_deg": "deg", "max_moment": "N m"},
    figures=figures,
)  # fmt: skip
