"""Two free bodies that meet in one joint: what they keep, and a run over fixed or chosen steps."""

import numpy as np

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
