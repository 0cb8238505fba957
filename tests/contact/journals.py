"""A free journal in a fixed cylindrical bearing."""

from scipy.spatial.transform import Rotation

import fem_clearance as fc

FRICTION = fc.CubicStribeck(mu_s=0.2, mu_d=0.1, v_s=0.01, v_d=0.1)
LENGTH, GAP = 0.03, 5e-4
SIZE = {"bearing_radius": 0.01, "journal_radius": 0.01 - GAP, "length": LENGTH}
Z = (0, 0, 1.0)
STIFFNESS = 2e6  # N/m, soft: contacts of milliseconds
SPRING = {"normal": fc.Hertz(exponent=1.0), "stiffness": STIFFNESS}


def in_ground(position=(0, 0, 0), tilt=0.0, velocity=(0, 0, 0), spin=(0, 0, 0), **options):
    """A free journal in a fixed bearing, turned about x by ``tilt``."""
    system = fc.System(gravity=(0, 0, 0))
    turn = Rotation.from_rotvec((tilt, 0, 0)).as_matrix()
    body = system.add(
        fc.RigidBody(0.5, (6e-4, 4e-4, 5e-4), position=position, orientation=turn, name="journal",
                     velocity=velocity, angular_velocity=spin, free=True)
    )  # fmt: skip
    options = {**SIZE, **SPRING, "name": "joint", **options}
    joint = fc.CylindricalClearance(
        system.ground.point((0, 0, 0)), body.center, Z, journal_axis=turn @ Z, **options
    )
    return system, body, joint


def moved(system, body, position, tilt=0.0):
    """The assembled state with the journal put elsewhere."""
    state = system.state
    put(system, body, position, tilt)
    return state


def put(system, body, position, tilt):
    """Put the journal somewhere, turned about x, and read the channels."""
    state, axes = system.state, Rotation.from_euler("x", tilt).as_matrix()
    state.q[body.refs[0].numbers] = position
    state.q[body.refs[1].numbers] = axes.T.ravel()
    system.channels.read()
