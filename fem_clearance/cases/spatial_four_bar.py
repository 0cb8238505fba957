"""Spatial four-bar mechanism with a spherical clearance joint (Tian et al. 2009, section 6.2).

Crank OA turns about z at O, rocker BH about x at H; coupler AB hangs between two spherical joints,
that at A with clearance. A constant moment turns the crank; gravity acts along -y. The paper gives
neither the places of the pivots nor the length of AB nor the moment: those here are assumed, see
docs/lubricated_joints.md.
"""

import numpy as np

import fem_clearance as fc
from fem_clearance import checks

from ._beams import SECTION_MODEL
from ._joint import no_strain_energy
from ._spherical import UNITS, follow, joint_parameters, spherical_joint, summary

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
    start, end = _coupler(system, p, material, a, b)
    derived = spherical_joint(system, p, material, crank.at(a), start)
    system.add(fc.SphericalJoint(end, rocker.at(b), name="B_joint"))
    system.add(fc.Torque(crank.center, (0, 0, p["crank.moment"]), name="drive"))
    system.add(fc.AngleProbe(crank_pivot.i, crank_pivot.j, Z, initial=START, name="crank"))
    system.add(fc.Probe(rocker.at(b), name="B"))
    if p["link.model"] == "rigid":
        derived.append(no_strain_energy("links are rigid"))
    return fc.Model(system, derived=derived)


def rocker_end(a):
    """Where B is for a place of A: on its circle about H, a coupler's length from A; of both
    places the upper one."""
    reach = H - a
    # |reach + BAR (0, cos psi, sin psi)| = COUPLER
    level = (COUPLER**2 - BAR**2 - reach @ reach) / (2 * BAR)
    psi = np.arctan2(reach[2], reach[1]) - np.arccos(level / np.hypot(reach[1], reach[2]))
    return H + BAR * np.array([0.0, np.cos(psi), np.sin(psi)])


def _frame(start, end):
    """Axes by columns, the first along the bar."""
    along = (end - start) / np.linalg.norm(end - start)
    across = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    across /= np.linalg.norm(across)
    return np.column_stack([along, across, np.cross(along, across)])


def _bar(system, name, start, end):
    return system.add(
        fc.RigidBody(
            MASS, INERTIA, position=(start + end) / 2, orientation=_frame(start, end), name=name
        )
    )


def _coupler(system, p, material, a, b):
    """Frames at both ends of AB."""
    if p["link.model"] == "rigid":
        body = system.add(
            fc.RigidBody(
                shape=fc.shapes.Box(COUPLER, WIDTH, WIDTH), density=material.rho,
                position=(a + b) / 2,
                orientation=_frame(a, b), name="AB",
            )
        )  # fmt: skip
        return body.at(a), body.at(b)
    beam = system.add(
        fc.Beam(
            a, b, fc.Rectangle(WIDTH, WIDTH), material, elements=p["link.elements"],
            model=p["link.model"], section_model=p["section_model"], name="AB",
        )
    )  # fmt: skip
    return beam.start, beam.end


def figures(results, p):
    """Figures 22 to 27 of the paper, as far as one run shows them."""
    from .figures import spatial_four_bar

    clearance = p["joint.socket_radius"] - p["joint.ball_radius"]
    return spatial_four_bar.figures(results, clearance)


case = fc.Case(
    "spatial_four_bar",
    "spatial four-bar mechanism with a spherical clearance joint (Tian et al. 2009, 6.2)",
    build,
    [
        fc.Parameter(
            "link.model", "quadratic", text="coupler AB",
            choices=("quadratic", "ancf", "cable", "rigid"),
        ),
        SECTION_MODEL,
        fc.Parameter("link.E", 2.07e11, "Pa", "Young's modulus of AB", check=checks.positive),
        fc.Parameter("link.rho", 7800.0, "kg/m^3", "density of AB", check=checks.positive),
        fc.Parameter("link.elements", 5, text="elements of AB", check=checks.count),
        fc.Parameter("crank.moment", 1.0, "N m", "on OA about z", check=checks.number),
        *joint_parameters("OA and AB", (0.030, "OA"), (0.029, "AB")),
    ],
    settings={"t_end": 4.0},
    summary=summary,
    units=UNITS,
    follow=follow,
    figures=figures,
)  # fmt: skip
