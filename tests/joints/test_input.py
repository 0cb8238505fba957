"""Input that cannot be: one clear sentence from the class that is asked."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.beams.beam import Beam
from fem_clearance.bodies.beams.sections import Rectangle
from fem_clearance.bodies.materials import StVenantKirchhoff

HERE, UP, Z = (0, 0, 0), (0, 0.2, 0), (0, 0, 1)
RAMP = fc.functions.SmoothRamp(1.0, 0.1)


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
    "revolute joint needs an axis": lambda g, b, c: fc.RevoluteJoint(g, b.center),
    "pin: axis must not be the zero": lambda g, b, c: fc.RevoluteJoint(
        g, b.center, 3 * (0,), name="pin"
    ),
    "axis must be a vector of 3": lambda g, b, c: fc.PrismaticJoint(g, b.center, axis=(0, 1)),
    "axis must be finite": lambda g, b, c: fc.RevoluteJoint(g, b.center, axis=(0, np.nan, 1)),
    "second axis": lambda g, b, c: fc.UniversalJoint(g, b.center, axis=Z),
    "must be perpendicular": lambda g, b, c: fc.UniversalJoint(g, b.center, Z, (0, 1, 1)),
    "connects arm with itself": lambda g, b, c: fc.SphericalJoint(b.point((1, 0, 0)), b.center),
    "needs a place, because ": lambda g, b, c: fc.SphericalJoint(g, b),
    "must be a frame, such as": lambda g, b, c: fc.SphericalJoint("ground", b.center),
    "needs a triad at rope.end": lambda g, b, c: fc.RevoluteJoint(c.end, b.center, axis=Z),
    "fixed joint needs a triad": lambda g, b, c: fc.FixedJoint(c.start, c.end),
    "cannot close at the start": lambda g, b, c: fc.SphericalJoint(g.at(UP), b.center),
    "m apart across the axis": lambda g, b, c: fc.PrismaticJoint(g.at(UP), b.center, axis=Z),
    "of another system": lambda g, b, c: fc.SphericalJoint(fc.System().ground, b.center),
    "not in the system": lambda g, b, c: fc.SphericalJoint(
        g, fc.RigidBody(1, (1, 1, 1), name="stranger").center
    ),
    "distance must be positive": lambda g, b, c: fc.DistanceJoint(g.at(HERE), b.center, -1),
    "apart, not 2 m": lambda g, b, c: fc.DistanceJoint(g.at(HERE), b.center, 2.0),
    "points coincide": lambda g, b, c: fc.DistanceJoint(g, b.center),
    "needs its angle as a function of time": lambda g, b, c: fc.RotationDriver(g, b.center, Z),
    "function of time.*got 3.0": lambda g, b, c: fc.RotationDriver(g, b.center, Z, 3.0),
    "needs its displacement": lambda g, b, c: fc.TranslationDriver(g, b.center, Z),
    "driver needs an axis": lambda g, b, c: fc.TranslationDriver(g, b.center, displacement=RAMP),
    "rotation driver needs a triad": lambda g, b, c: fc.RotationDriver(b.center, c.end, Z, RAMP),
    "Wrong.expression": lambda g, b, c: fc.RotationDriver(g, b.center, Z, Wrong()),
    "Linear.rate must be a finite": lambda g, b, c: fc.functions.Linear(float("inf")),
    "Harmonic.amplitude must be a number": lambda g, b, c: fc.functions.Harmonic("big", 1.0),
    "duration must be positive": lambda g, b, c: fc.functions.SmoothRamp(1.0, 0.0),
    "at least one coefficient": lambda g, b, c: fc.functions.Polynomial(()),
    "list of coefficients": lambda g, b, c: fc.functions.Polynomial(3.0),
    "needs a stiffness in N/m": lambda g, b, c: fc.SpringDamper(g, b.center),
    "stiffness must not be negative": lambda g, b, c: fc.SpringDamper(g, b.center, -1.0),
    "damping must not be negative": lambda g, b, c: fc.SpringDamper(g, b.center, 1.0, -0.1),
    "free_length must not": lambda g, b, c: fc.SpringDamper(g, b.center, 1.0, 0.0, -1.0),
    "torsion spring: stiffness must not": lambda g, b, c: fc.TorsionSpring(g, b.center, Z, -1.0),
    "torsion spring needs an axis": lambda g, b, c: fc.TorsionSpring(g, b.center, stiffness=1.0),
    "torsion spring needs a triad": lambda g, b, c: fc.TorsionSpring(g, c.start, Z, 1.0),
    "angle probe needs a triad": lambda g, b, c: fc.AngleProbe(g, c.start, Z),
    "vector must be a vector": lambda g, b, c: fc.Force(b.center, None),
    "vector must be finite": lambda g, b, c: fc.Force(b.center, (0, np.inf, 0)),
    "force needs a triad": lambda g, b, c: fc.Force(c.end, (1, 0, 0), follower=True),
    "torque needs a triad": lambda g, b, c: fc.Torque(c.end, (1, 0, 0), follower=True),
    "force needs a frame": lambda g, b, c: fc.Force("tip", (1, 0, 0)),
    "probe needs a frame": lambda g, b, c: fc.Probe(3),
    "force connects stranger": lambda g, b, c: fc.Force(
        fc.RigidBody(1, (1, 1, 1), name="stranger"), (1, 0, 0)
    ),
}


@pytest.mark.parametrize("message", CASES)
def test_refused(message, parts):
    with pytest.raises(fc.InputError, match=message) as caught:
        system, body, cable = parts
        system.add(CASES[message](system.ground, body, cable))
    text = str(caught.value)
    assert "\n" not in text and text[-1] in ".!" and len(text) < 250


def test_both_ends_of_a_beam_may_be_joined(parts):
    """A ring: two nodes of one body are two frames."""
    system, _, cable = parts
    system.add(fc.DistanceJoint(cable.start, cable.end))
