"""Input that cannot be: one clear sentence from the class that is asked."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.beam import Beam
from fem_clearance.bodies.materials import StVenantKirchhoff
from fem_clearance.bodies.sections import Rectangle

Z = (0, 0, 1)
RAMP = fc.SmoothRamp(1.0, 0.1)


class Wrong:
    numbers = (1.0,)

    def expression(self, t, p):
        return p[3] * t


@pytest.fixture
def parts():
    system = fc.System()
    body = system.add(fc.RigidBody(1, (1, 1, 1), position=(1, 0, 0), name="arm"))
    cable = system.add(
        Beam((0, 0, 0), (1, 0, 0), Rectangle(0.1, 0.1), StVenantKirchhoff(E=1e6, nu=0.3, rho=1e3),
             2, model="cable", name="rope")
    )  # fmt: skip
    return system, body, cable


CASES = {
    "revolute joint needs an axis": lambda s, b, c: fc.RevoluteJoint(s.ground, b.center),
    "hinge: axis must not be the zero": lambda s, b, c: fc.RevoluteJoint(s.ground, b.center, (0, 0, 0), name="hinge"),
    "axis must be a vector of 3": lambda s, b, c: fc.PrismaticJoint(s.ground, b.center, axis=(0, 1)),
    "axis must be finite": lambda s, b, c: fc.RevoluteJoint(s.ground, b.center, axis=(0, np.nan, 1)),
    "second axis": lambda s, b, c: fc.UniversalJoint(s.ground, b.center, axis=Z),
    "must be perpendicular": lambda s, b, c: fc.UniversalJoint(s.ground, b.center, axis=Z, cross=(0, 1, 1)),
    "connects arm with itself": lambda s, b, c: fc.SphericalJoint(b.point((1, 0, 0)), b.center),
    "give at least one frame": lambda s, b, c: fc.SphericalJoint(s.ground, b),
    "needs a frame such as": lambda s, b, c: fc.SphericalJoint("ground", b.center),
    "needs a triad at rope.end": lambda s, b, c: fc.RevoluteJoint(c.end, b.center, axis=Z),
    "fixed joint needs a triad": lambda s, b, c: fc.FixedJoint(b.center, c.end),
    "cannot close at the start": lambda s, b, c: fc.SphericalJoint(s.ground.at((0, 0.2, 0)), b.center),
    "m apart across the axis": lambda s, b, c: fc.PrismaticJoint(s.ground.at((0, 0.2, 0)), b.center, axis=Z),
    "frame of another system|another system": lambda s, b, c: fc.SphericalJoint(fc.System().ground, b.center),
    "not in the system": lambda s, b, c: fc.SphericalJoint(
        s.ground, fc.RigidBody(1, (1, 1, 1), name="stranger").center
    ),
    "distance must be positive": lambda s, b, c: fc.DistanceJoint(s.ground.at((0, 0, 0)), b.center, -1),
    "apart, not 2 m": lambda s, b, c: fc.DistanceJoint(s.ground.at((0, 0, 0)), b.center, 2.0),
    "points coincide": lambda s, b, c: fc.DistanceJoint(s.ground, b.center),
    "needs its angle as a function of time": lambda s, b, c: fc.RotationDriver(s.ground, b.center, Z),
    "function of time.*got 3.0": lambda s, b, c: fc.RotationDriver(s.ground, b.center, Z, 3.0),
    "needs its displacement": lambda s, b, c: fc.TranslationDriver(s.ground, b.center, Z),
    "driver needs an axis": lambda s, b, c: fc.TranslationDriver(s.ground, b.center, displacement=RAMP),
    "rotation driver needs a triad": lambda s, b, c: fc.RotationDriver(b.center, c.end, Z, RAMP),
    "Wrong.expression": lambda s, b, c: fc.RotationDriver(s.ground, b.center, Z, Wrong()),
    "Linear.rate must be a finite": lambda s, b, c: fc.Linear(float("inf")),
    "Harmonic.amplitude must be a number": lambda s, b, c: fc.Harmonic("big", 1.0),
    "duration must be positive": lambda s, b, c: fc.SmoothRamp(1.0, 0.0),
    "at least one coefficient": lambda s, b, c: fc.Polynomial(()),
    "list of coefficients": lambda s, b, c: fc.Polynomial(3.0),
    "needs a stiffness in N/m": lambda s, b, c: fc.SpringDamper(s.ground, b.center),
    "stiffness must not be negative": lambda s, b, c: fc.SpringDamper(s.ground, b.center, -1.0),
    "damping must not be negative": lambda s, b, c: fc.SpringDamper(s.ground, b.center, 1.0, -0.1),
    "free_length must not be negative": lambda s, b, c: fc.SpringDamper(s.ground, b.center, 1.0, 0.0, -1.0),
    "torsion spring: stiffness must not": lambda s, b, c: fc.TorsionSpring(s.ground, b.center, Z, -1.0),
    "torsion spring needs an axis": lambda s, b, c: fc.TorsionSpring(s.ground, b.center, stiffness=1.0),
    "torsion spring needs a triad": lambda s, b, c: fc.TorsionSpring(s.ground, c.start, Z, 1.0),
    "angle probe needs a triad": lambda s, b, c: fc.AngleProbe(s.ground, c.start, Z),
    "vector must be a vector": lambda s, b, c: fc.Force(b.center, None),
    "vector must be finite": lambda s, b, c: fc.Force(b.center, (0, np.inf, 0)),
    "force needs a triad": lambda s, b, c: fc.Force(c.end, (1, 0, 0), follower=True),
    "torque needs a triad": lambda s, b, c: fc.Torque(c.end, (1, 0, 0)),
    "force needs a frame": lambda s, b, c: fc.Force("tip", (1, 0, 0)),
    "probe needs a frame": lambda s, b, c: fc.Probe(3),
    "connects arm, which is not|not in the system": lambda s, b, c: fc.Force(
        fc.RigidBody(1, (1, 1, 1), name="stranger"), (1, 0, 0)
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", CASES)
def test_refused(message, parts):
    with pytest.raises(fc.InputError, match=message) as caught:
        parts[0].add(CASES[message](*parts))
    text = str(caught.value)
    assert "\n" not in text and text[-1] in ".!" and len(text) < 250


def test_both_ends_of_a_beam_may_be_joined(parts):
    """A ring: two nodes of one body are two frames."""
    system, _, cable = parts
    system.add(fc.DistanceJoint(cable.start, cable.end))
