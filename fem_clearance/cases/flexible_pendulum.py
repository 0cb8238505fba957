"""Flexible pendulum released from the horizontal (Tian et al. 2009, Fig. 7 and Table 1)."""

import fem_clearance as fc
from fem_clearance import checks

from ._beams import SECTION_MODEL

LENGTH, WIDTH = 1.0, 0.02


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    beam = system.add(
        fc.Beam(
            (0, 0, 0),
            (LENGTH, 0, 0),
            fc.Rectangle(WIDTH, WIDTH),
            fc.StVenantKirchhoff(E=p["beam.E"], nu=p["beam.nu"], rho=p["beam.rho"]),
            elements=p["beam.elements"],
            model=p["beam.model"],
            poisson=p["beam.poisson"],
            section_model=p["section_model"],
            name="beam",
        )
    )
    system.add(fc.SphericalJoint(system.ground, beam.start, name="pivot"))
    system.add(fc.Probe(beam.end, name="tip"))
    return system


case = fc.Case(
    "flexible_pendulum",
    "a soft beam swings down from the horizontal",
    build,
    [
        fc.Parameter(
            "beam.model", "quadratic", text="element", choices=("quadratic", "ancf", "cable")
        ),
        fc.Parameter(
            "beam.poisson",
            "split",
            text="Poisson effect on the axis only, or the full law",
            choices=("split", "full"),
        ),
        SECTION_MODEL,
        fc.Parameter("beam.E", 6e7, "Pa", "Young's modulus", check=checks.positive),
        fc.Parameter(
            "beam.nu", 0.3, text="Poisson's ratio", check=lambda n, x: checks.within(n, x, -1, 0.5)
        ),
        fc.Parameter("beam.rho", 6000.0, "kg/m^3", "density", check=checks.positive),
        fc.Parameter("beam.elements", 10, text="number of elements", check=checks.count),
    ],
    settings={"t_end": 20.0, "dt": 1e-3, "adaptive": False},
)
