"""Spatial four-bar mechanism with a spherical clearance joint (Tian et al. 2009, section 6.2).

Crank OA rotates about z at O, rocker BH about x at H; two spherical joints, that at A with
clearance, connect them to coupler AB. A constant moment drives the crank; gravity acts along -y.
The paper gives neither the places of the pivots nor the length of AB nor the moment: these are
assumed, see docs/lubricated_joints.md.
"""

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
from .parts.parameters import SECTION_MODEL, choice, number, quantity

#: length m, mass kg, moments of inertia kg m^2 about the bar's axis and across it, of OA and BH
BAR, MASS, INERTIA = 0.15, 0.468, (3.12e-5, 8.93e-4, 8.93e-4)
COUPLER, WIDTH, NU = 0.3, 0.02, 0.3
#: pivots of crank and rocker, and the crank's angle from x at the start
ORIGIN, H, START = np.zeros(3), np.array([0.3, 0.0, 0.1]), np.pi / 4
X, Z = (1, 0, 0), (0, 0, 1)


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    material = fc.StVenantKirchhoff(E=p["link.E"], nu=NU, rho=p["link.rho"])
    a = BAR * np.array([np.cos(START), np.sin(START), 0.0])
    b = rocker_end(a)
    crank, rocker = (_bar(system, *ends) for ends in (("OA", ORIGIN, a), ("BH", b, H)))
    crank_pivot = system.add(fc.RevoluteJoint(system.ground, crank.at(ORIGIN), Z, name="O"))
    system.add(fc.RevoluteJoint(system.ground, rocker.at(H), X, name="H"))
    coupler = bar(
        system, p, "link", a, b, fc.Rectangle(WIDTH, WIDTH), material, name="AB",
        orientation=along(b - a),
    )  # fmt: skip
    derived = spherical_joint(system, p, material, crank.at(a), coupler.at(a))
    system.add(fc.SphericalJoint(coupler.at(b), rocker.at(b), name="B_joint"))
    system.add(fc.Torque(crank.center, (0, 0, p["crank.moment"]), name="drive"))
    system.add(fc.AngleProbe(crank_pivot.i, crank_pivot.j, Z, initial=START, name="crank"))
    system.add(fc.Probe(rocker.at(b), name="B"))
    if p["link.model"] == "rigid":
        derived.append(no_strain_energy("links are rigid"))
    return fc.Model(system, derived=derived)


def rocker_end(a):
    """Place of B, m, for a place of A: on its circle about H, at the coupler's length from A; the
    upper of two places."""
    reach = H - a
    # |reach + BAR (0, cos psi, sin psi)| = COUPLER
    level = (COUPLER**2 - BAR**2 - reach @ reach) / (2 * BAR)
    psi = np.arctan2(reach[2], reach[1]) - np.arccos(level / np.hypot(reach[1], reach[2]))
    return H + BAR * np.array([0.0, np.cos(psi), np.sin(psi)])


def _bar(system, name, start, end):
    return system.add(
        fc.RigidBody(
            MASS, INERTIA, position=(start + end) / 2, orientation=along(end - start),
            shape=fc.shapes.Rod(WIDTH / 2), name=name,
        )
    )  # fmt: skip


case = fc.Case(
    "spatial_four_bar",
    "spatial four-bar mechanism with a spherical clearance joint (Tian et al. 2009, 6.2)",
    build,
    [
        choice("link.model", "coupler AB", "quadratic", "ancf", "cable", "rigid"),
        SECTION_MODEL,
        quantity("link.E", 2.07e11, "Young's modulus of AB"),
        quantity("link.rho", 7800.0, "density of AB"),
        quantity("link.elements", 5, "elements of AB"),
        number("crank.moment", 1.0, "N m", "on OA about z"),
        *joint_parameters("OA and AB", (0.030, "OA"), (0.029, "AB")),
    ],
    settings={"t_end": 4.0},
    summary=summary,
    units=UNITS,
    derived_settings=derived_settings,
    figures=figures.of("spherical_joint", "four_bar"),
)  # fmt: skip
