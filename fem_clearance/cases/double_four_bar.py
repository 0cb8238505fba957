"""Double four-bar mechanism through its singular poses (IFToMM benchmark A02)."""

import numpy as np

import fem_clearance as fc

MASS, LENGTH, SPEED, LOOPS = 1.0, 1.0, 1.0, 2
LINK = fc.shapes.Link(0.08)  # appearance of a bar


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    along = MASS * LENGTH**2 / 12
    inertia = (1e-3 * along, along, along)  # slender; it never rotates about its own axis
    upright = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    axis = (0, 0, 1)
    cranks = []
    for k in range(LOOPS + 1):
        foot = np.array([k * LENGTH, 0.0, 0.0])
        crank = system.add(
            fc.RigidBody(
                MASS, inertia, position=foot + (0, LENGTH / 2, 0), orientation=upright,
                velocity=(SPEED / 2, 0, 0), angular_velocity=(0, 0, -SPEED / LENGTH),
                shape=LINK, name=f"crank{k}",
            )
        )  # fmt: skip
        system.add(fc.RevoluteJoint(system.ground, crank.at(foot), axis=axis, name=f"A{k}"))
        cranks.append(crank)
    for k in range(LOOPS):
        left = np.array([k * LENGTH, LENGTH, 0.0])
        rod = system.add(
            fc.RigidBody(
                MASS, inertia, position=left + (LENGTH / 2, 0, 0), velocity=(SPEED, 0, 0),
                shape=LINK, name=f"rod{k}",
            )
        )  # fmt: skip
        system.add(fc.RevoluteJoint(cranks[k].at(left), rod.at(left), axis=axis, name=f"left{k}"))
        right = left + (LENGTH, 0, 0)
        system.add(
            fc.RevoluteJoint(rod.at(right), cranks[k + 1].at(right), axis=axis, name=f"right{k}")
        )
    system.add(fc.Probe(cranks[0].at((0, LENGTH, 0)), name="B0"))
    return system


case = fc.Case(
    "double_four_bar",
    "planar double four-bar mechanism that passes singular poses (IFToMM benchmark A02)",
    build,
    # multipliers, and with them the force scale, grow as 1/angle near the singular poses, so that
    # the tolerance must be smaller
    settings={"t_end": 10.0, "dt": 1e-3, "adaptive": False, "newton_tolerance": 1e-11},
)
