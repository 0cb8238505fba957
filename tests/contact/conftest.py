"""Two free bodies that meet in one joint, a block that rubs, a run over fixed or chosen steps."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc

#: where the joint sits in either body, m: off both centres of mass
IN_FIRST, IN_SECOND = (0.2, 0.03, 0.0), (-0.1, -0.02, 0.0)


def free_pair(turn, gap=(0, 0, 0), spin_a=(0, 0, 0), spin_b=(0, 0, 0), velocity_a=(0, 0, 0)):
    """A system and two bodies in it, all of it posed in a frame turned by ``turn``; the joint's
    points are ``gap`` apart."""
    system = fc.System(gravity=(0, 0, 0))
    first = system.add(
        fc.RigidBody(1.0, (0.010, 0.012, 0.015), name="a", free=True, orientation=turn,
                     angular_velocity=turn @ spin_a, velocity=turn @ velocity_a)
    )  # fmt: skip
    second = system.add(
        fc.RigidBody(0.5, (0.006, 0.004, 0.005), name="b", free=True, orientation=turn,
                     position=turn @ (np.subtract(IN_FIRST, IN_SECOND) + gap),
                     angular_velocity=turn @ spin_b)
    )  # fmt: skip
    return system, first, second


def momenta(system, bodies):
    """Linear momentum, and angular momentum about the origin."""
    linear, angular = np.zeros(3), np.zeros(3)
    for body in bodies:
        numbers = np.concatenate([r.numbers for r in body.refs])
        q, v = (z[numbers].reshape(4, 3) for z in (system.state.q, system.state.v))
        axes = q[1:].T
        omega = sum(np.cross(q[k], v[k]) for k in (1, 2, 3)) / 2
        linear += body.mass * v[0]
        angular += body.mass * np.cross(q[0], v[0]) + axes @ body.inertia @ axes.T @ omega
    return linear, angular


def run(system, dt, t_end, see=lambda channels, t: None, **options):
    """A stepper at its end; ``see`` looks at the channels at the start and after each step."""
    stepper = fc.Stepper(system, dt=dt, t_end=t_end, **options)
    stepper.start()
    see(stepper.channels, stepper.t)
    while stepper.t < stepper.t_end:
        stepper.advance()
        see(stepper.channels, stepper.t)
    return stepper


def check_kept(before, after):
    """What ``momenta`` said before and after a run is the same."""
    assert after[0] == pytest.approx(before[0], abs=1e-9)
    assert after[1] == pytest.approx(before[1], abs=1e-7 * np.linalg.norm(before[1]))


def check_turned(make, dt, t_end):
    """A run that is posed in a turned frame ends turned; ``make`` a system and its bodies of a
    turn."""
    turn = Rotation.from_rotvec((0.4, -1.1, 0.7)).as_matrix()
    ends = []
    for rotation in (np.eye(3), turn):
        system, *_, last = make(rotation)
        run(system, dt, t_end, newton_tolerance=1e-11)
        ends.append(rotation.T @ system.state.q[last.refs[0].numbers])
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


def rubbing_block(friction, normal_force, mass, **motion):
    """A block on a straight guide along x that rubs; the element is called ``rub``."""
    system, x = fc.System(gravity=(0, 0, 0)), (1, 0, 0)
    body = system.add(fc.RigidBody(mass, (1, 1, 1), name="block", **motion))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=x))
    system.add(
        fc.FrictionElement(system.ground, body.center, axis=x, friction=friction,
                           normal_force=normal_force, name="rub")
    )  # fmt: skip
    return system, body
