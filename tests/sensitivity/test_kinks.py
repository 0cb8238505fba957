"""Derivatives at kinks are those of one side, which closed forms give; ``check`` names the kink."""

import numpy as np
import pytest

import fem_clearance as fc

K, SPEED, CLEARANCE = 1e3, 1.0, 0.1
#: how far from the kink, relative to the parameter: above round-off, far below all changes
NEAR = 1e-10


def ball(p):
    """A ball flies at 1 m/s towards the inside of a socket with a linear contact stiffness."""
    system = fc.System(gravity=(0, 0, 0))
    place, motion = (0, p["height"] - CLEARANCE, 0), (0, -SPEED, 0)
    body = system.add(
        fc.RigidBody(1.0, (1e-2,) * 3, position=place, velocity=motion, name="ball", free=True)
    )
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), body.center, socket_radius=0.5,
            ball_radius=0.5 - CLEARANCE, normal=fc.Hertz(exponent=1.0), stiffness=K, name="joint",
        )
    )  # fmt: skip
    return system


@pytest.mark.parametrize(("side", "force"), [(1, 0.0), (-1, -K)], ids=["above", "below"])
def test_end_at_an_onset(side, force):
    """The run ends as the ball touches. From a larger height it is still free, and the force zero;
    from a lower one the force is K (t - height)."""
    t = 0.15
    s = fc.Sensitivity(
        ball, at={"height": t * (1 + side * NEAR)}, of="joint.normal_force", t_end=t, dt=t / 1000,
        newton_tolerance=1e-12,
    )  # fmt: skip
    d = s.forward(histories=False)
    assert d.jacobian[0, 0] == pytest.approx(force, rel=1e-3, abs=1e-12)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, abs=1e-9 * K)
    same = s.check([float(side)], largest=1e-4)
    assert np.all(same.remainders <= 1e-3 * np.abs(same.changes) + 1e-12)
    assert not any("first order" in note for note in same.notes)
    other = s.check([-float(side)], largest=1e-4)
    assert other.orders == pytest.approx(1.0, abs=1e-2)
    assert any("onsets and ends of contacts" in note for note in other.notes)
    assert any("joint.normal_force is of first order" in note for note in other.notes)


V0, V1, MU, LOAD = 0.1, 0.3, 0.4, 10.0


def driven(p):
    """A block on a rail, driven with a speed."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (0.1,) * 3, velocity=(p["speed"], 0, 0), name="block"))
    joint = system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    path = fc.functions.Linear(p["speed"])
    system.add(fc.TranslationDriver(joint.i, joint.j, (1, 0, 0), path))
    system.add(
        fc.FrictionElement(
            system.ground, body.center, (1, 0, 0), friction=fc.ModifiedCoulomb(MU, v0=V0, v1=V1),
            normal_force=LOAD, name="rail",
        )
    )  # fmt: skip
    return system


@pytest.mark.parametrize(
    ("speed", "side", "slope"),
    [(0.0, 1, 0.0), (V0, -1, 0.0), (V0, 1, 1.0), (V1, -1, 1.0), (V1, 1, 0.0)],
    ids=["at rest", "below v0", "above v0", "below v1", "above v1"],
)
def test_friction_where_its_law_has_a_kink(speed, side, slope):
    """The friction of Ambrosio's law rises linearly from v0 to v1, where it has kinks; at rest it
    has none."""
    at = {"speed": speed + side * 1e-9}
    s = fc.Sensitivity(
        driven, at=at, of="rail.friction_force", t_end=0.01, dt=1e-3, sizes={"speed": V0},
        newton_tolerance=1e-12,
    )  # fmt: skip
    d = s.forward(histories=False)
    wanted = -slope * MU * LOAD / (V1 - V0)
    assert d.jacobian[0, 0] == pytest.approx(wanted, rel=1e-6, abs=1e-9)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, abs=1e-9)
    same = s.check([float(side)])
    assert same.notes == ()
    assert np.all(same.remainders < 1e-8)
    notes = s.check([-float(side)]).notes
    assert len(notes) == (speed > 0)
    assert all("rail.friction_force is of first order" in note for note in notes)
