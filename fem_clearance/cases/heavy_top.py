"""Heavy top: a spinning body about a fixed point (Bruels and Cardona 2010)."""

import numpy as np

import fem_clearance as fc

MASS, ARM = 15.0, np.array([0.0, 1.0, 0.0])
INERTIA = (0.234375, 0.46875, 0.234375)
SPIN = np.array([0.0, 150.0, -4.61538])
#: a thin disc of radius 0.25 m has these moments (15 kg R^2/2 about its axis); the arm is massless
ALONG = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
TOP = [
    fc.shapes.Disc(0.25, 0.04, axis=ARM),
    fc.shapes.Rod(0.02, 1.0, position=(0, -0.5, 0), orientation=ALONG),
]


def build(p):
    system = fc.System(gravity=(0, 0, -9.81), comm=p.comm)
    top = system.add(
        fc.RigidBody(
            MASS, INERTIA, position=ARM, velocity=np.cross(SPIN, ARM), angular_velocity=SPIN,
            shape=TOP, name="top",
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
