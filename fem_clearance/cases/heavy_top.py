"""Heavy top: a spinning body about a fixed point (Bruels and Cardona 2010)."""

import numpy as np

import fem_clearance as fc

MASS, ARM = 15.0, np.array([0.0, 1.0, 0.0])
INERTIA = (0.234375, 0.46875, 0.234375)
SPIN = np.array([0.0, 150.0, -4.61538])


def build(p):
    system = fc.System(gravity=(0, 0, -9.81), comm=p.comm)
    top = system.add(
        fc.RigidBody(
            MASS, INERTIA, position=ARM, velocity=np.cross(SPIN, ARM), angular_velocity=SPIN,
            name="top",
        )
    )  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, top.at((0, 0, 0)), name="pivot"))
    system.add(fc.Probe(top.center, name="centre"))
    return fc.Model(system, rename={"pivot.reaction": "reaction"})


case = fc.Case(
    "heavy_top",
    "spinning top about a fixed point: order of the integrator in position, velocity, reaction",
    build,
    settings={"t_end": 2.0, "dt": 1e-4, "adaptive": False},
)
