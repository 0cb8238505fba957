"""Channels of joints with clearance have one meaning: ``ex ey ez`` and ``force.x .. moment.z`` are
components in space, of the inner body from and by the outer one.

What they are checked against is the motion of a body that nothing else acts on: its mass times its
acceleration, the rate of its angular momentum about its centre. Everything is turned in space.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.core import renamed
from fem_clearance.lubrication import (
    CylindricalFilm,
    Film,
    Full,
    Lubricant,
    ShortBearing,
    SphereGap,
    SphericalSqueeze,
    cap,
    pad_film,
    plain_bearing,
)

R, C, MU, MASS, SPIN = 0.015, 1e-4, 0.04, 0.7, 300.0
TURN = Rotation.from_rotvec([0.7, -1.1, 0.4]).as_matrix()
INERTIA = 2e-4
DRY = {"stiffness": 1e10, "name": "joint"}
CYLINDER = {**DRY, "bearing_radius": R, "journal_radius": R - C, "length": R, "stations": 1}
PLANAR = {n: x for n, x in CYLINDER.items() if n != "stations"}
BALL = {**DRY, "socket_radius": R, "ball_radius": R - C}
PLAIN = plain_bearing(R, R, C, MU, sliding_speed=R * SPIN, cells=(24, 4), cavitation=Full())
HEMISPHERE = Film(
    cap(R, cells=(4, 4)),
    C,
    Lubricant(MU),
    Full(),
    {"rim": 0.0},
    sliding_speed=R * SPIN,
    gap=SphereGap(),
)
COULOMB = fc.SmoothCoulomb(0.2, v0=1e-2)


def cylinder(joint=fc.CylindricalClearance, **options):
    def made(system, body):
        system.add(joint(system.ground.at((0, 0, 0)), body.center, TURN[:, 2], **options))

    return made


def ball(**options):
    def made(system, body):
        joint = fc.SphericalClearance(system.ground.at((0, 0, 0)), body.center, **options)
        system.add(joint)

    return made


JOINTS = {
    "film": (cylinder(CylindricalFilm, film=PLAIN, name="joint"), 0.5),
    "film and contact": (cylinder(**CYLINDER, film=PLAIN), 0.5),
    "short film": (cylinder(**CYLINDER, film=ShortBearing(R, R, C, MU)), 0.5),
    "film beside contact": (cylinder(**CYLINDER, film=PLAIN, friction=COULOMB), 1.02),
    "dry": (cylinder(**CYLINDER, friction=COULOMB), 1.0 - 1e-12),
    "dry, in a plane": (cylinder(fc.RevoluteClearance, **PLANAR, friction=COULOMB), 1.0 - 1e-12),
    "squeeze": (ball(**BALL, film=SphericalSqueeze(MU)), 0.5),
    "hemisphere that turns": (ball(**BALL, film=HEMISPHERE, axis=TURN[:, 2]), 0.5),
    "hemisphere that lies still": (ball(**BALL, film=HEMISPHERE, surface="fixed"), 0.5),
    "dry ball": (ball(**BALL, friction=COULOMB), 1.0 - 1e-12),
}


@pytest.mark.parametrize("name", JOINTS)
def test_components_are_those_in_space(name):
    add, ratio = JOINTS[name]
    system = fc.System(gravity=(0, 0, 0))
    e = TURN @ (0.6 * ratio * C, 0.8 * ratio * C, 0)
    body = system.add(
        fc.RigidBody(MASS, (INERTIA,) * 3, name="body", free=True, position=e,
                     velocity=TURN @ (0.2, 0.1, 0.01), angular_velocity=TURN @ (2.0, 1.0, SPIN))
    )  # fmt: skip
    add(system, body)
    system.add(fc.Probe(body.center, name="probe"))
    stepper = fc.Stepper(system, dt=2e-6, t_end=1e-5, newton_tolerance=1e-12)
    stepper.start()
    spins = []
    while stepper.t < stepper.t_end - 1e-9:
        stepper.advance()
        stepper.channels.read()
        spins.append([stepper.channels[f"probe.omega_{x}"] for x in "xyz"])
    c = stepper.channels
    place, force, moment, acceleration = (
        np.array([c[n.format(x)] for x in "xyz"])
        for n in ("joint.e{}", "joint.force.{}", "joint.moment.{}", "probe.a{}")
    )
    assert place == pytest.approx([c[f"probe.{x}"] for x in "xyz"], abs=1e-9 * C)
    assert np.abs(force).min() > 0.1
    assert force == pytest.approx(MASS * acceleration, rel=1e-6, abs=1e-7 * np.abs(force).max())
    # a sphere's angular acceleration, at the middle of the last three ends of steps extrapolated
    last = np.array(spins[-3:])
    turning = INERTIA * (1.5 * last[2] - 2 * last[1] + 0.5 * last[0]) / 2e-6
    assert moment == pytest.approx(turning, abs=2e-2 * np.abs(moment).max() + 1e-6)


def test_pads():
    """A slider in a guide that lies askew: sum of both films."""
    system = fc.System(gravity=(0, 0, 0))
    L, H, clearance = 0.1, 0.05, 2e-4
    body = system.add(
        fc.RigidBody(MASS, (2e-3,) * 3, name="body", free=True, orientation=TURN,
                     position=TURN @ (0, 0.3 * clearance, 0), velocity=TURN @ (5.0, -0.1, 0.2))
    )  # fmt: skip
    film = pad_film(L, 0.04, clearance, MU, sliding_speed=5.0, cells=(8, 4), cavitation=Full())
    system.add(
        fc.TranslationalClearance(
            system.ground.at((0, 0, 0)), body.center, TURN[:, 0], TURN[:, 1], length=L, height=H,
            gap=H + 2 * clearance, width=0.04, stiffness=1e9, film=film, name="joint",
            normal=fc.ExactRestitution(restitution=0.4),
        )
    )  # fmt: skip
    system.add(fc.Probe(body.center, name="probe"))
    stepper = fc.Stepper(system, dt=1e-6, t_end=5e-6, newton_tolerance=1e-12)
    stepper.start()
    while stepper.t < stepper.t_end - 1e-9:
        stepper.advance()
    stepper.channels.read()
    c = stepper.channels
    force = sum(
        np.array([c[f"joint.{side}.force.{x}"] for x in "xyz"]) for side in ("upper", "lower")
    )
    acceleration = np.array([c[f"probe.a{x}"] for x in "xyz"])
    assert np.abs(force).min() > 0.1
    assert force == pytest.approx(MASS * acceleration, rel=1e-6)


def test_old_names_of_arguments():
    system = fc.System()
    body = system.add(fc.RigidBody(MASS, (INERTIA,) * 3, name="body"))
    with pytest.warns(DeprecationWarning, match="frame_journal is called frame_j now"):
        joint = CylindricalFilm(
            system.ground.at((0, 0, 0)), frame_journal=body.center, axis=(0, 0, 1), film=PLAIN
        )
    assert joint.j.body is body


def test_old_names_of_forces(caplog, monkeypatch):
    monkeypatch.setattr(renamed, "_said", set())
    system = fc.System()
    body = system.add(fc.RigidBody(MASS, (INERTIA,) * 3, name="body"))
    cylinder(**CYLINDER)(system, body)
    results = fc.Simulation(system, t_end=1e-5, dt=1e-6, progress=False).run()
    assert np.array_equal(results["joint.fx"], results["joint.force.x"])
    assert "joint.mz" in results and "joint.fw" not in results
    assert "joint.fx is called joint.force.x now" in caplog.text
    with pytest.raises(fc.InputError, match="no channel"):
        results["joint.fw"]
