"""Spatial double pendulum with a spherical clearance joint (Tian et al. 2009, section 6.1)."""

import numpy as np

import fem_clearance as fc
from fem_clearance import checks

from ._beams import SECTION_MODEL
from ._joint import no_strain_energy
from ._spherical import UNITS, follow, joint_parameters, spherical_joint, summary

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
    derived = spherical_joint(system, p, material, first[1], second[0])
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
                section_model=p["section_model"],
                name=name,
            )
        )
        return arm.start, arm.end
    turned = np.column_stack([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]) if end[2] else None
    arm = system.add(
        fc.RigidBody(
            shape=fc.shapes.Box(LENGTH, WIDTH, WIDTH),
            density=material.rho,
            position=(start + end) / 2,
            orientation=turned,
            name=name,
        )
    )
    return arm.at(start), arm.at(end)


def figures(results, p):
    """Figures 9 to 14, 17 and 20 of the paper."""
    from .figures import pendulum

    return pendulum.figures(results, p["joint.socket_radius"] - p["joint.ball_radius"])


case = fc.Case(
    "double_pendulum",
    "spatial double pendulum with a spherical clearance joint (Tian et al. 2009, 6.1)",
    build,
    [
        fc.Parameter(
            "arm.model", "quadratic", text="arms", choices=("quadratic", "ancf", "cable", "rigid")
        ),
        SECTION_MODEL,
        fc.Parameter("arm.E", 2.07e11, "Pa", "Young's modulus", check=checks.positive),
        fc.Parameter("arm.rho", 7800.0, "kg/m^3", "density", check=checks.positive),
        fc.Parameter("arm.elements", 6, text="elements of each arm", check=checks.count),
        *joint_parameters("the arms", (0.02, "the first arm"), (0.018, "the second arm")),
        fc.Parameter(
            "start",
            "collinear",
            text="second arm along the first, or along z",
            choices=("collinear", "perpendicular"),
        ),
    ],
    settings={"t_end": 2.0},
    summary=summary,
    units=UNITS,
    follow=follow,
    figures=figures,
)
