"""Spatial double pendulum with a spherical clearance joint (Tian et al. 2009, section 6.1)."""

import numpy as np

import fem_clearance as fc

from . import figures
from .parts.bars import along, bar
from .parts.joints import (
    UNITS,
    derived_settings,
    joint_parameters,
    no_strain_energy,
    spherical_joint,
    summary,
)
from .parts.parameters import SECTION_MODEL, choice, quantity

LENGTH, WIDTH, NU = 0.3, 0.01, 0.3


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    material = fc.StVenantKirchhoff(E=p["arm.E"], nu=NU, rho=p["arm.rho"])
    elbow = np.array([LENGTH, 0.0, 0.0])
    away = {"collinear": (LENGTH, 0, 0), "perpendicular": (0, 0, LENGTH)}[p["start"]]
    tip, section = elbow + away, fc.Rectangle(WIDTH, WIDTH)
    first = bar(system, p, "arm", np.zeros(3), elbow, section, material, name="arm1")
    turned = along(away) if p["start"] == "perpendicular" else None
    second = bar(
        system, p, "arm", elbow, tip, section, material, name="arm2", orientation=turned
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, first.at((0, 0, 0)), name="pivot"))
    derived = spherical_joint(system, p, material, first.at(elbow), second.at(elbow))
    system.add(fc.Probe(second.at(tip), name="tip"))
    if p["arm.model"] == "rigid":
        derived.append(no_strain_energy("arms are rigid"))
    return fc.Model(system, derived=derived)


case = fc.Case(
    "double_pendulum",
    "spatial double pendulum with a spherical clearance joint (Tian et al. 2009, 6.1)",
    build,
    [
        choice("arm.model", "arms", "quadratic", "ancf", "cable", "rigid"),
        SECTION_MODEL,
        quantity("arm.E", 2.07e11),
        quantity("arm.rho", 7800.0),
        quantity("arm.elements", 6, "elements of each arm"),
        *joint_parameters("the arms", (0.02, "the first arm"), (0.018, "the second arm")),
        choice("start", "second arm along the first, or along z", "collinear", "perpendicular"),
    ],
    settings={"t_end": 2.0},
    summary=summary,
    units=UNITS,
    derived_settings=derived_settings,
    figures=figures.of("spherical_joint"),
)
