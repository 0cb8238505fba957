"""Spatial double pendulum with a spherical clearance joint (Tian et al. 2009, section 6.1)."""

import numpy as np

import fem_clearance as fc
from fem_clearance import checks
from fem_clearance.lubrication import (
    Film,
    Guembel,
    Lubricant,
    LubricatedSpherical,
    SphereGap,
    SphericalSqueeze,
    Transition,
    cap,
)

from ._joint import FRICTION, first_impact, ideal_channels, no_strain_energy, restitution

LENGTH, WIDTH, NU = 0.3, 0.01, 0.3


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    material = fc.StVenantKirchhoff(E=p["arm.E"], nu=NU, rho=p["arm.rho"])
    elbow = np.array([LENGTH, 0.0, 0.0])
    along = {"collinear": (LENGTH, 0, 0), "perpendicular": (0, 0, LENGTH)}[p["start"]]
    first, second = (
        _arm(system, p, material, name, start, np.add(start, direction))
        for name, start, direction in (("arm1", np.zeros(3), elbow), ("arm2", elbow, along))
    )
    system.add(fc.SphericalJoint(system.ground, first[0], name="pivot"))
    derived = _joint(system, p, material, first[1], second[0])
    system.add(fc.Probe(second[1], name="tip"))
    if p["arm.model"] == "rigid":
        derived.append(no_strain_energy("arms are rigid"))
    return fc.Model(system, derived=derived)


def _arm(system, p, material, name, start, end):
    """Frames at both ends of an arm."""
    if p["arm.model"] != "rigid":
        arm = system.add(
            fc.Beam(
                start,
                end,
                fc.Rectangle(WIDTH, WIDTH),
                material,
                elements=p["arm.elements"],
                model=p["arm.model"],
                name=name,
            )
        )
        return arm.start, arm.end
    turned = np.column_stack([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]) if end[2] else None
    arm = system.add(
        fc.RigidBody(
            shape=fc.Box(LENGTH, WIDTH, WIDTH),
            density=material.rho,
            position=(start + end) / 2,
            orientation=turned,
            name=name,
        )
    )
    return arm.at(start), arm.at(end)


def _joint(system, p, material, socket, ball) -> list:
    """The joint between the arms; channels that an ideal one lacks."""
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
        "normal": fc.LankaraniNikravesh(restitution=p["joint.restitution"]),
        "friction": friction,
        "radii": p["joint.radii"],
        "materials": (material, material),
        "name": "joint",
    }
    if p["joint.kind"] == "dry":
        system.add(fc.SphericalClearance(socket, ball, **options))
    else:
        transition = Transition(band=p["joint.e0"], margin=p["joint.e1"])
        system.add(
            LubricatedSpherical(socket, ball, film=_film(p), transition=transition, **options)
        )
    return []


def _film(p):
    """The film of a lubricated joint: a hemisphere about the line of centres."""
    viscosity, radius = p["joint.viscosity"], p["joint.socket_radius"]
    if p["joint.film"] == "closed_form":
        return SphericalSqueeze(viscosity)
    if p["arm.model"] == "cable":
        raise p.refuse("joint.film", "a cable has no triad; use closed_form, or other arms.")
    n = p["joint.cells"]
    return Film(
        cap(radius, cells=(n, n), crowd=0.6), radius - p["joint.ball_radius"],
        Lubricant(viscosity), Guembel(), {"rim": 0.0}, speed=0.1, gap=SphereGap(),
    )  # fmt: skip


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


def figures(results, p):
    """Figures 9 to 14, 17 and 20 of the paper."""
    from fem_clearance.plotting import pendulum

    return pendulum.figures(results, p["joint.socket_radius"] - p["joint.ball_radius"])


case = fc.Case(
    "double_pendulum",
    "spatial double pendulum with a spherical clearance joint (Tian et al. 2009, 6.1)",
    build,
    [
        fc.Parameter(
            "arm.model", "quadratic", text="arms", choices=("quadratic", "ancf", "cable", "rigid")
        ),
        fc.Parameter("arm.E", 2.07e11, "Pa", "Young's modulus", check=checks.positive),
        fc.Parameter("arm.rho", 7800.0, "kg/m^3", "density", check=checks.positive),
        fc.Parameter("arm.elements", 6, text="elements of each arm", check=checks.count),
        fc.Parameter(
            "joint.kind",
            "dry",
            text="joint between the arms",
            choices=("dry", "ideal", "lubricated"),
        ),
        fc.Parameter(
            "joint.film",
            "closed_form",
            text="film of a lubricated joint",
            choices=("closed_form", "reynolds"),
        ),
        fc.Parameter("joint.viscosity", 0.4, "Pa s", "of the lubricant", check=checks.positive),
        fc.Parameter(
            "joint.cells",
            8,
            text="cells of a Reynolds film from its axis to the rim, and along a quarter of it",
            check=checks.count,
        ),
        fc.Parameter(
            "joint.e0",
            0.05,
            text="width of the transition from film to dry contact, by the clearance",
            check=checks.positive,
        ),
        fc.Parameter(
            "joint.e1",
            0.10,
            text="by which the film's clearance is larger, by the clearance; more than joint.e0",
            check=checks.positive,
        ),
        fc.Parameter(
            "joint.radii",
            "difference",
            text="radii in the contact stiffness",
            choices=("difference", "sum"),
        ),
        fc.Parameter(
            "joint.socket_radius",
            0.02,
            "m",
            "radius of the socket, on the first arm",
            check=checks.positive,
        ),
        fc.Parameter(
            "joint.ball_radius",
            0.018,
            "m",
            "radius of the ball, on the second arm",
            check=checks.positive,
        ),
        restitution(),
        FRICTION,
        fc.Parameter(
            "joint.v0",
            1e-3,
            "m/s",
            "sliding speed below which there is no friction",
            check=checks.non_negative,
        ),
        fc.Parameter(
            "joint.v1", 1e-2, "m/s", "sliding speed of full friction", check=checks.positive
        ),
        fc.Parameter(
            "start",
            "collinear",
            text="second arm along the first, or along z",
            choices=("collinear", "perpendicular"),
        ),
    ],
    settings={"t_end": 2.0},
    summary=summary,
    follow=follow,
    figures=figures,
)
