"""Planar four-bar mechanism with a worn revolute clearance joint (Bai, Zhang and Sun 2014)."""

import numpy as np

import fem_clearance as fc
from fem_clearance import checks

#: length m, mass kg, moment of inertia kg m^2 about the middle: tables 1 and 2
CRANK, COUPLER, FOLLOWER = (
    (0.55, 3.6235, 0.10214),
    (0.36, 2.4394, 0.031428),
    (0.64, 4.1894, 0.15796),
)
GROUND, SPEED = 0.21, 2 * np.pi * 10
STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)


def assembly(branch: int):
    """Directions of the three links and their angular velocities, crank vertical, ideal joints."""
    first = np.array([0.0, CRANK[0]])
    pivot = np.array([GROUND, 0.0])
    gap = pivot - first
    d = np.hypot(*gap)
    across = (d**2 + COUPLER[0] ** 2 - FOLLOWER[0] ** 2) / (2 * d * COUPLER[0])
    if abs(across) > 1:
        raise fc.InputError("the four-bar mechanism cannot close.")
    coupler = np.arctan2(gap[1], gap[0]) + branch * np.arccos(across)
    second = first + COUPLER[0] * np.array([np.cos(coupler), np.sin(coupler)])
    follower = np.arctan2(*(second - pivot)[::-1])
    turned = lambda length, angle: length * np.array([-np.sin(angle), np.cos(angle)])  # noqa: E731
    speeds = np.linalg.solve(
        np.column_stack([turned(COUPLER[0], coupler), -turned(FOLLOWER[0], follower)]),
        -SPEED * turned(CRANK[0], np.pi / 2),
    )
    return (np.pi / 2, coupler, follower), (SPEED, *speeds)


def _link(system, name, numbers, start, angle, speed, start_velocity):
    """A uniform bar from ``start`` along ``angle``; the body and its end's position, velocity."""
    length, mass, inertia = numbers
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    axes = np.column_stack([along, [-along[1], along[0], 0.0], [0.0, 0.0, 1.0]])
    across = speed * length * axes[:, 1]
    body = system.add(
        fc.RigidBody(
            mass,
            (1e-2 * inertia, inertia, inertia),  # about its own axis it never turns
            position=start + length / 2 * along,
            orientation=axes,
            velocity=start_velocity + across / 2,
            angular_velocity=(0, 0, speed),
            name=name,
        )
    )
    return body, start + length * along, start_velocity + across


def build(p):
    system = fc.System(gravity=(0, -9.81, 0), comm=p.comm)
    angles, speeds = assembly(p["branch"])
    axis, origin, pivot = (0, 0, 1), np.zeros(3), np.array([GROUND, 0.0, 0.0])
    crank, a, va = _link(system, "crank", CRANK, origin, angles[0], speeds[0], np.zeros(3))
    coupler, b, _ = _link(system, "coupler", COUPLER, a, angles[1], speeds[1], va)
    follower, _, _ = _link(system, "follower", FOLLOWER, pivot, angles[2], speeds[2], np.zeros(3))
    pin = system.add(fc.RevoluteJoint(system.ground, crank.at(origin), axis=axis, name="O"))
    system.add(fc.RevoluteJoint(crank.at(a), coupler.at(a), axis=axis, name="A"))
    system.add(fc.RevoluteJoint(system.ground, follower.at(pivot), axis=axis, name="D"))
    system.add(
        fc.RevoluteClearance(
            coupler.at(b),
            follower.at(b),
            axis,
            bearing_radius=0.01,
            journal_radius=0.0095,
            length=0.015,
            normal=fc.bai_zhao(p["law"], restitution=0.9),
            friction=fc.CubicStribeck(0.1, 0.1, 0.01, 0.1),
            materials=(STEEL, STEEL),
            name="joint",
        )
    )
    system.add(fc.RotationDriver(pin.i, pin.j, axis, fc.Linear(SPEED), name="drive"))
    return fc.Model(system, {"drive.torque": "crank.moment"})


case = fc.Case(
    "four_bar_wear",
    "four-bar mechanism with wear in a revolute clearance joint (Bai, Zhang and Sun 2014)",
    build,
    [
        fc.Parameter("branch", 1, text="way of assembly", choices=(1, -1)),
        fc.Parameter("law", "corr", text="reading of the contact law", choices=("corr", "n1", "lit15")),
    ],
    settings={"t_end": 0.6},
)
