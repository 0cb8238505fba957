"""Every tangent against central differences: on rigid bodies, beam nodes and cables."""

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance.bodies.beams.beam import Beam
from fem_clearance.bodies.beams.sections import Rectangle
from fem_clearance.bodies.materials import StVenantKirchhoff
from fem_clearance.diagnostics import tangent_error

X, Y, Z = np.eye(3)
P = np.array([0.3, 0.1, -0.2])


def away(i, j):
    """From a frame to another."""
    return j.position - i.position


class Chirp:
    """A user's function of time."""

    numbers = (0.4, 3.0)

    def expression(self, t, p):
        return p[0] * ufl.sin(p[1] * t**2)


JOINTS = {
    "spherical": lambda i, j: fc.SphericalJoint(i, j),
    "revolute": lambda i, j: fc.RevoluteJoint(i, j, axis=(1, 2, 3)),
    "cylindrical": lambda i, j: fc.CylindricalJoint(i, j, axis=(1, 2, 3)),
    "prismatic": lambda i, j: fc.PrismaticJoint(i, j, axis=(1, 2, 3)),
    "universal": lambda i, j: fc.UniversalJoint(i, j, axis=(1, 2, 3), cross=(3, 0, -1)),
    "fixed": lambda i, j: fc.FixedJoint(i, j),
    "point_on_line": lambda i, j: fc.PointOnLine(i, j, axis=(1, 2, 3)),
    "rotation_driver": lambda i, j: fc.RotationDriver(
        i, j, (1, 2, 3), fc.functions.Harmonic(0.3, 2.0, 0.1)
    ),
    "translation_driver": lambda i, j: fc.TranslationDriver(
        i, j, (1, 2, 3), fc.functions.Harmonic(2.0, 0.5)
    ),
    "user_driver": lambda i, j: fc.RotationDriver(i, j, (1, 2, 3), Chirp()),
    "torsion": lambda i, j: fc.TorsionSpring(i, j, (1, 2, 3), 40.0, 3.0, 0.2),
    "angle": lambda i, j: fc.AngleProbe(i, j, (1, 2, 3), initial=0.4),
}
#: items between points that are apart
APART = {
    "distance": lambda i, j: fc.DistanceJoint(i, j),
    "spring": lambda i, j: fc.SpringDamper(i, j, 70.0, 5.0, 0.3),
    "bushing": lambda i, j: fc.Bushing(i, j, (70.0, 50.0, 20.0), (5.0, 3.0, 2.0)),
    "ball": lambda i, j: fc.RollingJoint(i, j, away(i, j) @ ALONG, normal=ALONG),
    "disc": lambda i, j: fc.RollingJoint(
        i, j, away(i, j) @ ALONG / 0.8, normal=ALONG, axis=LEANING
    ),
    "socket": lambda i, j: fc.RollingJoint(
        i, j, 0.1, socket_radius=0.1 + np.linalg.norm(away(i, j))
    ),
    "pinion": lambda i, j: fc.RollingJoint(
        i, j, np.linalg.norm(away(i, j) - away(i, j) @ X * X), along=X,
        axis=np.cross(X, away(i, j)),
    ),
}  # fmt: skip
#: a plane's normal and the axis of a disc that leans on it, 0.6 of it along the normal
ALONG = np.array([0.8, 0.0, 0.6])
LEANING = 0.6 * ALONG + 0.8 * Y
ON_POINTS = ("spherical", "distance", "spring")
LOADS = {
    "force": lambda f: fc.Force(f, (1, 2, 3)),
    "force_follower": lambda f: fc.Force(
        f, (1, 2, 3), fc.functions.Polynomial((1.0, 2.0)), follower=True
    ),
    "torque": lambda f: fc.Torque(f, (1, 2, 3), fc.functions.Harmonic(1.0, 1.0, 0.3)),
    "torque_follower": lambda f: fc.Torque(f, (1, 2, 3), follower=True),
    "probe": lambda f: fc.Probe(f),
}


def body(system, at, **options):
    return system.add(
        fc.RigidBody(
            1.3, (0.2, 0.3, 0.4), position=at, orientation=(0.3, -0.5, 0.7), free=True, **options
        )
    )


def beam(system, model, start):
    return system.add(
        Beam(start, np.array(start) + (0.4, 0.2, 0.1), Rectangle(0.1, 0.1),
                StVenantKirchhoff(E=1e4, nu=0.3, rho=1000), 1, model=model, free=True)
    )  # fmt: skip


def disturbed_error(system, size=0.1):
    """Error of the tangent at a state with rates, disturbed by ``size``, at t = 0.2 s."""
    state = system.state
    random = np.random.default_rng(3)
    n = state.local
    state.q[:n] += size * random.standard_normal(n)
    state.v[:n], state.a[:n] = random.standard_normal((2, n)) * state.problem.dynamic[:n]
    state.globals[0] = 0.2
    assert all(np.all(np.isfinite(x)) for x in state.observe())
    return tangent_error(state)


@pytest.mark.parametrize("item", [*JOINTS, *APART])
def test_between_rigid_bodies(item):
    system = fc.System()
    i, j = body(system, (0.1, 0, 0)), body(system, (0.5, 0.3, 0.2))
    if item in APART:
        system.add(APART[item](i.point(P), j.point(-P)))
    else:
        system.add(JOINTS[item](i.at(P), j.at(P)))
    assert disturbed_error(system) < 1e-6


@pytest.mark.parametrize("item", ["revolute", "torsion", "spring"])
def test_between_body_and_section(item):
    system = fc.System()
    i, j = body(system, (0.1, 0, 0)), beam(system, "quadratic", P)
    make = APART[item](i.center, j.start) if item in APART else JOINTS[item](i.at(P), j.start)
    system.add(make)
    assert disturbed_error(system) < 1e-6


@pytest.mark.parametrize("item", ON_POINTS)
def test_between_ground_and_cable(item):
    system = fc.System()
    cable = beam(system, "cable", P)
    i = system.ground.at(P + (0.1, 0.2, 0.3) if item in APART else P)
    system.add((APART if item in APART else JOINTS)[item](i, cable.start))
    assert disturbed_error(system) < 1e-6


@pytest.mark.parametrize("load", LOADS)
def test_loads_on_rigid_bodies(load):
    system = fc.System()
    system.add(LOADS[load](body(system, (0.1, 0, 0)).point(P)))
    assert disturbed_error(system) < 1e-6


@pytest.mark.parametrize("load", ["force_follower", "torque", "probe"])
def test_loads_on_sections(load):
    system = fc.System()
    system.add(LOADS[load](beam(system, "quadratic", P).end))
    assert disturbed_error(system, 0.03) < 1e-6  # its elements are not turned inside out


@pytest.mark.parametrize("item", ["spring", "torsion"])
def test_finite_where_points_coincide(item):
    """A spring of no length at its start: no NaN in force or tangent."""
    system = fc.System()
    i, j = body(system, (0.1, 0, 0)), body(system, (0.5, 0.3, 0.2))
    if item == "spring":
        system.add(fc.SpringDamper(i.at(P), j.at(P), 70.0, 5.0))
    else:
        system.add(fc.TorsionSpring(i.at(P), j.at(P), Z, 70.0, 5.0))
    state = system.state
    assert np.all(np.isfinite(state.residual()))
    assert np.all(np.isfinite(state.tangent(1e6, 1e3)))
