"""Flexible pendulum released from the horizontal (Tian et al. 2009, Fig. 7 and Table 1)."""

import fem_clearance as fc

from .parts.bars import bar
from .parts.parameters import SECTION_MODEL, choice, quantity

LENGTH, WIDTH = 1.0, 0.02


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    material = fc.StVenantKirchhoff(E=p["beam.E"], nu=p["beam.nu"], rho=p["beam.rho"])
    section = fc.Rectangle(WIDTH, WIDTH)
    beam = bar(
        system, p, "beam", (0, 0, 0), (LENGTH, 0, 0), section, material,
        poisson=p["beam.poisson"], name="beam",
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start, name="pivot"))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


case = fc.Case(
    "flexible_pendulum",
    "a soft beam swings down from the horizontal",
    build,
    [
        choice("beam.model", "element", "quadratic", "ancf", "cable"),
        choice("beam.poisson", "Poisson effect on the axis only, or the full law", "split", "full"),
        SECTION_MODEL,
        quantity("beam.E", 6e7),
        quantity("beam.nu", 0.3),
        quantity("beam.rho", 6000.0),
        quantity("beam.elements", 10),
    ],
    settings={"t_end": 20.0, "dt": 1e-3, "adaptive": False},
)
