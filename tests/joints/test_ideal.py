"""Ideal joints: reactions in statics and motion, closed forms of motion, energy, invariance."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import fem_clearance as fc

X, Y, Z = np.eye(3)
#: turns every test off the axes
R = Rotation.from_rotvec((0.3, -0.8, 0.5)).as_matrix()
P = np.array([0.2, -0.1, 0.3])

#: joint with its axes, direction of gravity, centre of mass from the joint's point (m): all at rest
STATIC = {
    "fixed": (lambda i, j, r: fc.FixedJoint(i, j), (1, 2, 3), (0.3, 0.2, -0.1)),
    "revolute": (lambda i, j, r: fc.RevoluteJoint(i, j, axis=r @ Z), Z, (0.3, 0.2, -0.1)),
    "cylindrical": (lambda i, j, r: fc.CylindricalJoint(i, j, axis=r @ Z), Y, (0, -0.3, 0.2)),
    "prismatic": (lambda i, j, r: fc.PrismaticJoint(i, j, axis=r @ Z), X + Y, (0.3, 0.2, -0.1)),
    "universal": (lambda i, j, r: fc.UniversalJoint(i, j, r @ X, r @ Y), Y, (0.3, 0, 0)),
    "spherical": (lambda i, j, r: fc.SphericalJoint(i, j), Y, (0, -0.3, 0)),
    "point_on_line": (lambda i, j, r: fc.PointOnLine(i, j, axis=r @ Z), Y, (0, -0.3, 0)),
}


@pytest.fixture(scope="module")
def hanging(march):
    """All joints in one system, each turned so that gravity has its direction."""
    down = np.array((2.0, -8.0, 5.0))
    system, turns = fc.System(down), {}
    for k, (joint, (make, direction, arm)) in enumerate(STATIC.items()):
        side = np.cross(direction, (0.3, 0.5, 0.8))
        turn = Rotation.align_vectors([down, np.cross(down, P)], [direction, side])[0].as_matrix()
        at = P + (k, 0, 0)
        body = system.add(fc.RigidBody(2.0, (0.1, 0.2, 0.15), position=at + turn @ arm, name=joint))
        item = make(system.ground, body.at(at), turn)
        item.name = f"{joint}.joint"
        system.add(item)
        turns[joint] = turn
    # directors are orthonormal to 1e-16; what first steps make of that is gone after 60 of them
    return down, turns, march(system, 1e-3, 0.06)


@pytest.mark.parametrize("joint", STATIC)
def test_static_weight(joint, hanging):
    """The force - m g on the body, and the moment that keeps the weight from turning it."""
    down, turns, run = hanging
    weight, arm = 2.0 * down, turns[joint] @ STATIC[joint][2]
    force = np.array([run[f"{joint}.joint.reaction.{x}"][-1] for x in "xyz"])
    assert force == pytest.approx(-weight, abs=1e-5)
    assert max(abs(run[f"{joint}.v{x}"][-1]) for x in "xyz") < 1e-8
    if f"{joint}.joint.moment.x" in run:
        moment = np.array([run[f"{joint}.joint.moment.{x}"][-1] for x in "xyz"])
        assert moment == pytest.approx(-np.cross(arm, weight), abs=1e-5)
    else:
        assert np.cross(arm, weight) == pytest.approx(np.zeros(3), abs=1e-9)


MOVING = {
    **{name: entry[0] for name, entry in STATIC.items() if name != "fixed"},
    "distance": lambda i, j, r: fc.DistanceJoint(i, j),
}


@pytest.mark.parametrize("joint", MOVING)
def test_energy_and_invariance(joint, march):
    """Released from rest, all centres off every axis: energy stays, and a copy that is turned about
    gravity moves the same way, turned."""
    down = np.array((1.0, -8.0, 3.0))
    turn = Rotation.from_rotvec(2.0 * down / np.linalg.norm(down)).as_matrix()
    axes = Rotation.from_rotvec((0.4, 0.2, -0.3)).as_matrix()
    system = fc.System(down)
    for name, r in (("first", np.eye(3)), ("second", turn)):
        body = system.add(
            fc.RigidBody(
                2.0,
                (0.04, 0.06, 0.07),
                position=r @ (0.2, 0.1, 0.3),
                orientation=r @ axes,
                name=name,
            )
        )
        place = r @ (0.5, 0.4, -0.2) if joint == "distance" else r @ P
        system.add(MOVING[joint](system.ground.at(place), body.at(r @ P), r))
    run = march(system, 2e-3, 0.5)
    energy = run["energy.total"]
    assert np.max(np.abs(energy - energy[0])) < 2e-3 * np.max(run["energy.kinetic"])
    first, second = (np.array([run[f"{n}.{x}"] for x in "xyz"]) for n in ("first", "second"))
    assert np.max(np.abs(first - first[:, :1])) > 0.05
    assert turn @ first == pytest.approx(second, abs=1e-8)


def test_pendulum_closed_form(pendulum, march):
    """Angle against its equation (DOP853), second order; reaction m (a - g) and its closed form."""
    sol = solve_ivp(
        lambda t, y: [y[1], -1.5 * 9.81 * np.cos(y[0])],
        (0, 1),
        (0, 0),
        "DOP853",
        rtol=1e-12,
        atol=1e-12,
    )
    theta, speed = sol.y[:, -1]
    errors = []
    for h in (4e-3, 2e-3):
        system, rod, _ = pendulum()
        system.add(fc.Probe(rod, name="centre"))
        run = march(system, h, 1.0)
        position = np.array([run["rod.x"][-1], run["rod.y"][-1]])
        force = np.array([run["pin.reaction.x"], run["pin.reaction.y"]])
        inertia = 2.0 * np.array([run["centre.ax"], run["centre.ay"] + 9.81])
        assert force == pytest.approx(inertia, abs=1e-6)
        radial = np.array([np.cos(theta), np.sin(theta)])
        across = np.array([-radial[1], radial[0]])
        exact = 2.0 * (
            (-1.5 * 9.81 * np.cos(theta) * 0.5) * across - speed**2 * 0.5 * radial + (0, 9.81)
        )
        errors.append(
            [np.linalg.norm(position - 0.5 * radial), np.linalg.norm(force[:, -1] - exact)]
        )
    coarse, fine = np.array(errors)
    assert fine[0] < 5e-6 and fine[1] < 2e-3
    assert coarse / fine == pytest.approx(4.0, rel=0.1)


def test_distance_is_a_pendulum(march):
    """A ball on a rod without mass: tension m g at rest, then that of a point pendulum."""
    system = fc.System()
    ball = system.add(fc.RigidBody(1.5, (0.1, 0.1, 0.1), position=(0, -0.8, 0), name="ball"))
    system.add(fc.DistanceJoint(system.ground.at((0, 0, 0)), ball.center, name="rod"))
    assert march(system, 1e-3, 0.01)["rod.tension"][-1] == pytest.approx(1.5 * 9.81, abs=1e-8)

    system = fc.System()
    ball = system.add(fc.RigidBody(1.5, (0.1, 0.1, 0.1), position=(0.8, 0, 0), name="ball"))
    system.add(fc.DistanceJoint(system.ground.at((0, 0, 0)), ball.center, name="rod"))
    run = march(system, 1e-3, 0.8)
    length = np.hypot(run["ball.x"], run["ball.y"])
    assert np.max(np.abs(length - 0.8)) < 1e-10
    # at height y the point pendulum has tension 3 m g (-y) / L
    assert run["rod.tension"][5:] == pytest.approx(
        3 * 1.5 * 9.81 * -run["ball.y"][5:] / 0.8, abs=2e-3
    )


def test_cylindrical_turns_and_slides(march):
    """Uniform turning and uniform sliding do not feel each other."""
    system = fc.System(gravity=(0, 0, 0))
    axis = R @ Z
    body = system.add(
        fc.RigidBody(
            1.0,
            (0.2, 0.3, 0.4),
            position=P,
            orientation=R,
            velocity=0.7 * axis,
            angular_velocity=5 * axis,
        )
    )
    joint = system.add(fc.CylindricalJoint(system.ground, body.at(P), axis=axis))
    system.add(fc.AngleProbe(joint.i, joint.j, axis, name="turn"))
    run = march(system, 1e-3, 1.0)
    path = np.array([run[f"body1.{x}"] for x in "xyz"]).T - P
    assert path == pytest.approx(0.7 * np.outer(run["time"], axis), abs=1e-9)
    assert run["turn.angle"] == pytest.approx(
        5 * run["time"], abs=5e-5
    )  # (w h)^2 / 12 of the angle


def test_universal_speed_ratio(march):
    """Two shafts at an angle b: speeds as cos b / (1 - sin^2 b cos^2 phi), more than a turn."""
    bend = 0.5
    along = np.array([np.sin(bend), 0, np.cos(bend)])
    system = fc.System(gravity=(0, 0, 0))
    first = system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1), position=-0.2 * Z))
    second = system.add(fc.RigidBody(1.0, (0.1, 0.1, 0.1), position=0.2 * along))
    system.add(fc.RevoluteJoint(system.ground, first.center, axis=Z))
    system.add(fc.RevoluteJoint(system.ground, second.center, axis=along))
    system.add(fc.UniversalJoint(first.at((0, 0, 0)), second.at((0, 0, 0)), axis=X, cross=Y))
    system.add(
        fc.RotationDriver(
            system.ground, first.center, Z, fc.functions.SmoothRamp(10.0, 0.4), name="drive"
        )
    )
    system.add(fc.AngleProbe(system.ground, second.center, along, name="out"))
    run = march(system, 1e-3, 1.0, "drive.angle", "out.angle", "out.speed")
    phi = run["drive.angle"]
    assert phi[-1] > 2 * np.pi
    late = run["time"] > 0.45
    ratio = np.cos(bend) / (1 - np.sin(bend) ** 2 * np.cos(phi[late]) ** 2)
    assert run["out.speed"][late] / 10 == pytest.approx(ratio, abs=5e-4)
    turned = np.arctan2(np.sin(phi), np.cos(phi) * np.cos(bend))
    assert np.unwrap(run["out.angle"] - turned) == pytest.approx(0 * phi, abs=1e-9)
