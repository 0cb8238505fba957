"""A block on a moving belt, held by a spring: sticks and slips (data: docs/translational.md).

At the start the spring is relaxed and the block at rest. With Coulomb's law (true_stick) the motion
has a closed form: after the first slip the block sticks up to x = mu_s N / k and oscillates about
mu_d N / k.
"""

import numpy as np

import fem_clearance as fc

from . import figures
from .parts.parameters import choice, non_negative, number, positive, quantity

AXIS = (1, 0, 0)
#: appearance: the belt is longer than its travel and hides the lower rail of the block's guide
BLOCK = fc.shapes.Slider(0.8, 0.5, 0.5)
BELT = fc.shapes.Box(30, 0.3, 1.0, position=(0, -0.37, 0))


def build(p):
    system = fc.System(gravity=(0, 0, 0), up=(0, 1, 0), comm=p.comm)
    speed = p["belt.speed"]
    if p["mu_d"] > p["mu_s"]:
        raise p.error("mu_d", f"it must not exceed mu_s = {p['mu_s']:g}.")
    inertia = (p["mass"],) * 3  # nothing turns
    belt = system.add(fc.RigidBody(1.0, (1, 1, 1), velocity=(speed, 0, 0), shape=BELT, name="belt"))
    system.add(fc.PrismaticJoint(system.ground, belt.center, axis=AXIS, name="belt_guide"))
    system.add(
        fc.TranslationDriver(
            system.ground,
            belt.center,
            axis=AXIS,
            displacement=fc.functions.Linear(speed),
            name="belt_drive",
        )
    )
    block = system.add(fc.RigidBody(p["mass"], inertia, shape=BLOCK, name="block"))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=AXIS, name="guide"))
    system.add(fc.SpringDamper(system.ground.point((-1, 0, 0)), block.center,
                               stiffness=p["stiffness"], name="spring"))  # fmt: skip
    system.add(
        fc.FrictionElement(
            belt.center, block.center, AXIS, friction=_law(p), normal_force=p["normal_force"],
            name="contact",
        )
    )  # fmt: skip
    return fc.Model(system, {"contact.friction_force": "friction_force", "block.vx": "block.v"})


def _law(p):
    mu_s, mu_d, load = p["mu_s"], p["mu_d"], p["normal_force"]
    stiffness = p["stick.stiffness"]
    if p["friction"] == "true_stick":
        damping = 0.4 * np.sqrt(stiffness * p["mass"])
        return fc.TrueStick(mu_s, mu_d, stiffness=stiffness, damping=damping)
    if p["friction"] == "smooth":
        return fc.Stribeck(mu_s, mu_d, v_s=p["smooth.v_s"], v0=p["smooth.v0"])
    if not load or not mu_d:
        raise p.error("friction", "lugre needs a positive normal_force and a positive mu_d.")
    # bristles of the same stiffness and damping, per unit of normal force
    bristles = stiffness / load
    damping = 0.4 * np.sqrt(stiffness * p["mass"]) / load
    return fc.LuGre(
        mu_s, mu_d, v_s=p["smooth.v_s"], stiffness=bristles, damping=damping,
        damping_speed=p["smooth.v_s"],
    )  # fmt: skip


case = fc.Case(
    "stick_slip_oscillator",
    "block on a belt, held by a spring: stick and slip",
    build,
    [
        choice("friction", "law of friction", "true_stick", "smooth", "lugre"),
        number("belt.speed", 0.2, "m/s", "speed of the belt"),
        positive("mass", 1.0, "kg", "of the block"),
        quantity("stiffness", 1.0),
        non_negative("mu_s", 0.4, "", "coefficient of static friction"),
        non_negative("mu_d", 0.3, "", "coefficient of sliding friction"),
        non_negative("normal_force", 10.0, "N", "presses the block on the belt"),
        quantity("stick.stiffness", 1e9, "of the sticking contact, and of LuGre's bristles"),
        positive("smooth.v0", 1e-3, "m/s", "smooth friction rises over this speed"),
        positive("smooth.v_s", 1e-2, "m/s", "Stribeck speed of smooth friction and LuGre"),
    ],
    settings={"t_end": 45.0, "tolerance": 1e-9},
    figures=figures.of("stick_slip"),
)  # fmt: skip
