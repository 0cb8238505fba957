"""Friction from the reactions of ideal joints, against closed forms and an equation of motion that
SciPy solves."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import fem_clearance as fc

MU, RADIUS, MASS, INERTIA, G = 0.2, 0.03, 2.0, 0.05, 9.81
#: full friction above 1e-5 m/s
LAW = fc.SmoothCoulomb(MU, v0=1e-6)


def spun(axis, gravity, joint=fc.RevoluteJoint, at=(0, 0, 0), **options):
    """A disc of MASS that spins at 20 rad/s about its axis in a joint at a place."""
    system = fc.System(gravity=gravity)
    body = system.add(
        fc.RigidBody(MASS, (INERTIA,) * 3, angular_velocity=20.0 * np.array(axis), name="disc")
    )
    pin = (joint(system.ground.at(at), body.at(at), axis=axis, name="pin")
           if joint is not fc.SphericalJoint
           else joint(system.ground.at(at), body.at(at), name="pin"))  # fmt: skip
    system.add(pin)
    system.add(fc.JointFriction(pin, LAW, radius=RADIUS, name="rub", **options))
    system.add(fc.AngleProbe(system.ground, body.center, axis=axis, name="spin"))
    return fc.Simulation(
        system, fc.GeneralizedAlpha(constraints="stabilised"), dt=1e-3, t_end=0.1, progress=False
    ).run()


@pytest.mark.parametrize(
    ("case", "wanted"),
    [
        # a horizontal pin in the middle carries the weight
        ({"axis": (0, 0, 1), "gravity": (0, -G, 0)}, MASS * G * RADIUS),
        # overhung by 50 mm on two bearings 40 mm apart: they carry weight/2 +- moment/length
        ({"axis": (0, 0, 1), "gravity": (0, -G, 0), "at": (0, 0, -0.05), "length": 0.04},
         2 * MASS * G * 0.05 / 0.04 * RADIUS),
        # between the bearings, 5 mm off: the weight alone
        ({"axis": (0, 0, 1), "gravity": (0, -G, 0), "at": (0, 0, -0.005), "length": 0.04},
         MASS * G * RADIUS),
        # a vertical pin: the collar carries the weight
        ({"axis": (0, 0, 1), "gravity": (0, 0, -G), "collar_radius": 0.02}, MASS * G * 0.02),
        ({"axis": (0, 0, 1), "gravity": (0, 0, -G)}, 0.0),
        ({"axis": (0, 0, 1), "gravity": (0, -G, 0), "joint": fc.CylindricalJoint},
         MASS * G * RADIUS),
        ({"axis": (0, 0, 1), "gravity": (0, -G, 0), "joint": fc.SphericalJoint},
         MASS * G * RADIUS),
    ],
)  # fmt: skip
def test_spinning_disc(case, wanted):
    """The spin falls by MU x (load x radius) t / inertia; what is lost is kinetic energy."""
    results = spun(**case)
    lost = 20.0 - results["spin.speed"][-1]
    assert lost == pytest.approx(MU * wanted * 0.1 / INERTIA, rel=1e-6, abs=1e-9)
    power = MU * wanted * results["spin.speed"][1:]  # of the force times the speed of the surface
    assert results["rub.friction_loss"][1:] == pytest.approx(power, rel=1e-5, abs=1e-9)
    dissipated = INERTIA / 2 * (20.0**2 - (20.0 - lost) ** 2)
    # work is counted along chords of the directors' circles: (20 rad/s x 1 ms)^2 / 6
    assert results["energy.dissipated"][-1] == pytest.approx(dissipated, rel=1e-4, abs=1e-9)
    assert abs(results["energy.balance"]).max() < 1e-4 * max(dissipated, 1e-3)
    assert abs(results["energy.fed"]).max() == 0


def test_pendulum():
    """m l^2 a = -m g l sin(q) - mu r N sign(q'), N from the motion: SciPy's solution."""
    length, law = 0.5, fc.SmoothCoulomb(0.3, v0=1e-2)
    about = INERTIA + MASS * length**2

    def rate(_, y):
        angle, speed = y

        def open_by(a):
            along = MASS * (G * np.cos(angle) + length * speed**2)
            across = MASS * (G * np.sin(angle) + length * a)
            drag = 0.3 * np.tanh(RADIUS * speed / 1e-2) * RADIUS * np.hypot(along, across)
            return about * a + MASS * G * length * np.sin(angle) + drag

        return speed, brentq(open_by, -1e3, 1e3, xtol=1e-13)

    exact = solve_ivp(rate, (0, 2), (1.2, 0.0), rtol=1e-10, atol=1e-12, dense_output=True)
    system = fc.System(gravity=(0, -G, 0))
    place = (length * np.sin(1.2), -length * np.cos(1.2), 0)
    body = system.add(fc.RigidBody(MASS, (INERTIA,) * 3, position=place))
    pin = fc.RevoluteJoint(system.ground.at((0, 0, 0)), body.at((0, 0, 0)), axis=(0, 0, 1))
    system.add(pin)
    system.add(fc.JointFriction(pin, law, radius=RADIUS))
    system.add(fc.AngleProbe(pin.i, pin.j, axis=(0, 0, 1), initial=1.2, name="a"))
    errors = []
    for h in (4e-3, 2e-3):
        results = fc.Simulation(system, dt=h, t_end=2.0, progress=False).run()
        errors.append(abs(results["a.angle"] - exact.sol(results.time)[0]).max())
    assert errors[1] < 2e-4
    assert errors[1] < 0.35 * errors[0]  # of second order


@pytest.mark.parametrize(
    ("options", "arm", "normal"),
    [
        ({}, (0, 0, 0), 0.0),
        ({"length": 0.2}, (0, 0.06, 0), 2 * 0.06 / 0.2),  # a drawer pulled beside its middle
        ({"half_width": 0.05}, (0, 0, 0), 0.0),
    ],
)
def test_drawer(options, arm, normal):
    """A force F along the guide at an arm d presses two bearings at the distance L by F d / L each:
    m a = F (1 - 2 mu d / L)."""
    force, system = 10.0, fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(MASS, (INERTIA,) * 3))
    guide = system.add(fc.PrismaticJoint(system.ground, body, axis=(1, 0, 0)))
    system.add(fc.JointFriction(guide, LAW, name="rub", **options))
    system.add(fc.Force(body.at(arm), (force, 0, 0)))
    system.add(fc.Probe(body.center, name="p"))
    results = fc.Simulation(system, dt=1e-3, t_end=0.1, progress=False).run()
    assert results["rub.normal_force"][-1] == pytest.approx(normal * force, abs=1e-6)
    wanted = force * (1 - MU * normal) / MASS * 0.1
    assert results["p.vx"][-1] == pytest.approx(wanted, rel=2e-4)


def test_incline_and_twist():
    """A slider on an incline of 30 degrees, g (sin - mu cos); a torque about the guide presses its
    flanks by T / half width more."""
    system = fc.System(gravity=(G * 0.5, -G * np.sqrt(0.75), 0))
    body = system.add(fc.RigidBody(MASS, (INERTIA,) * 3))
    guide = system.add(fc.PrismaticJoint(system.ground, body, axis=(1, 0, 0)))
    system.add(fc.JointFriction(guide, LAW, half_width=0.1, name="rub"))
    system.add(fc.Torque(body, (0.4, 0, 0)))
    system.add(fc.Probe(body.center, name="p"))
    results = fc.Simulation(system, dt=1e-3, t_end=0.1, progress=False).run()
    load = MASS * G * np.sqrt(0.75) + 0.4 / 0.1
    assert results["rub.normal_force"][-1] == pytest.approx(load, rel=1e-8)
    assert results["p.vx"][-1] == pytest.approx((G / 2 - MU * load / MASS) * 0.1, rel=2e-4)


def test_helical_sliding():
    """In a cylindrical joint friction is against the helix along which the surfaces slide."""
    system, spin, speed = fc.System(gravity=(0, -G, 0)), 20.0, 0.8
    body = system.add(
        fc.RigidBody(MASS, (INERTIA,) * 3, velocity=(0, 0, speed), angular_velocity=(0, 0, spin))
    )
    pin = system.add(fc.CylindricalJoint(system.ground, body.center, axis=(0, 0, 1)))
    system.add(fc.JointFriction(pin, LAW, radius=RADIUS))
    system.add(fc.Probe(body.center, name="p"))
    system.add(fc.AngleProbe(pin.i, pin.j, axis=(0, 0, 1), name="a"))
    results = fc.Simulation(system, dt=1e-4, t_end=2e-3, progress=False).run()
    size = np.hypot(RADIUS * spin, speed)
    friction = MU * MASS * G
    assert speed - results["p.vz"][-1] == pytest.approx(
        friction * speed / size / MASS * 2e-3, rel=5e-3
    )
    assert spin - results["a.speed"][-1] == pytest.approx(
        friction * RADIUS * spin / size * RADIUS / INERTIA * 2e-3, rel=5e-3
    )


def test_bad_input():
    system = fc.System()
    body = fc.RigidBody(1.0, (1, 1, 1))
    pin = fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1))
    guide = fc.PrismaticJoint(system.ground, body.center, axis=(0, 0, 1))
    for joint, law, sizes, message in (
        (pin, LAW, {}, "needs radius="),
        (pin, None, {"radius": 1}, "friction must be a law"),
        (pin, fc.LuGre(mu_s=0.2, mu_d=0.1), {"radius": 1}, "friction must be a law"),
        (guide, LAW, {"radius": 1}, "has no radius"),
        (pin, LAW, {"radius": -1}, "radius must be positive"),
        (fc.PlanarJoint(system.ground, body.center, axis=(0, 0, 1)), LAW, {}, "friction acts in"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.JointFriction(joint, law, **sizes)
    system.add(body)
    with pytest.raises(fc.InputError, match="before its friction"):
        system.add(fc.JointFriction(pin, LAW, radius=1.0))
