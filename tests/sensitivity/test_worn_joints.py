"""Derivatives through the worn profiles of a journal and its bearing: Archard's depth in closed
form, and differences of whole runs."""

import numpy as np
import pytest

import fem_clearance as fc
from tests.sensitivity import models
from tests.sensitivity.test_memory import agree

RADIUS, LENGTH, STIFFNESS, HARDNESS, PERIOD = 0.01, 0.015, 1e10, 2e9, 2e-4
STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)
AT = {"coefficient": 1e-4, "load": 1000.0, "speed": 60.0, "clearance": 5e-4}
OF = ["joint.ey", "joint.bearing_wear", "joint.worn_volume", "joint.normal_force"]


def spinning(p, joint=fc.RevoluteClearance, **wear):
    """A shaft that a driver turns is pressed on its bearing."""
    system = fc.System(gravity=(0, 0, 0))
    at, spin = (0, -0.97 * AT["clearance"], 0), (0, 0, p["speed"])
    carrier = system.add(fc.RigidBody(0.5, (1e-3,) * 3, position=at, name="carrier"))
    shaft = system.add(
        fc.RigidBody(0.5, (1e-3,) * 3, position=at, angular_velocity=spin, name="shaft")
    )
    system.add(fc.PrismaticJoint(system.ground, carrier.center, axis=(0, 1, 0)))
    pin = system.add(fc.RevoluteJoint(carrier.center, shaft.center, axis=(0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(p["speed"])))
    system.add(fc.Force(carrier.center, (0, -p["load"], 0)))
    law = fc.Archard(p["coefficient"], HARDNESS)
    system.add(
        joint(
            system.ground.point((0, 0, 0)), shaft.center, (0, 0, 1), bearing_radius=RADIUS,
            journal_radius=RADIUS - p["clearance"], length=LENGTH, normal=fc.Hertz(),
            stiffness=STIFFNESS, materials=(STEEL, STEEL), name="joint",
            wear=fc.Wear(law, period=PERIOD, **wear),
        )
    )  # fmt: skip
    return system


def settings(build, t_end):
    """From rest in the bearing, in fixed steps."""
    begin = fc.Statics(build(AT), steps=10, time=0.0, tolerance=1e-10).solve().last
    return {"t_end": t_end, "dt": PERIOD / 10, "newton_tolerance": 1e-12, "initial": begin}


def test_archard():
    """Constant load and speed: the volume k F s / H, and the depth k p s / H that the first period
    has worn all over Hertz's half width, by which the journal sinks. All are linear in k and s."""

    def build(p):
        return spinning(p, gap="radial", bins=180, share=1.0, smoothing=0.0, repeat=100.0)

    s = fc.Sensitivity(
        build, at=AT, by=["coefficient", "speed"], of=[*OF[:3], "joint.slid"],
        **settings(build, 2 * PERIOD),
    )  # fmt: skip
    d = s.forward(histories=False)
    sunk, depth, volume, slid = d.values
    sunk -= s.run().history["joint.ey"][0]
    rate, load, c = AT["coefficient"] / HARDNESS, AT["load"], AT["clearance"]
    modulus = STEEL.E / (2 * (1 - STEEL.nu**2))
    radius = RADIUS * (RADIUS - c) / c
    half = np.sqrt(4 * load * radius / (np.pi * LENGTH * modulus))
    assert volume == pytest.approx(rate * load * slid, rel=1e-3)
    assert depth == pytest.approx(100 * rate * load / (2 * half * LENGTH) * slid / 2, rel=1e-3)
    sizes, wanted = np.array([sunk, depth, volume, slid]), np.ones((4, 2))
    wanted[3, 0] = 0.0
    assert d.scaled / sizes[:, None] == pytest.approx(wanted, abs=1e-3)
    agree(s, d)


VARIANTS = [
    {"gap": "foundation", "repeat": 1e4},
    {"gap": "foundation", "pressure": "foundation", "repeat": 1e4, "share": 0.3},
    {"gap": "radial", "repeat": None, "growth": 1e-5},
]


@pytest.mark.slow
@pytest.mark.parametrize("wear", VARIANTS, ids=["patch", "foundation", "growth"])
def test_worn_profiles(wear):
    """Position, depth, volume and force while the worn shape grows in, against runs."""

    def build(p):
        return spinning({**AT, **p}, bins=90, **wear)

    how = settings(build, 2.5 * PERIOD)
    s = fc.Sensitivity(build, at=AT, of=OF, **how)
    d = s.forward(histories=False)
    found = models.differences(build, AT, OF, 1e-4, **how) * d.sizes
    for row, other in zip(d.scaled, found, strict=True):
        assert row == pytest.approx(other, abs=3e-7 * abs(other).max())
    agree(s, d)


def test_slices_that_depend_on_each_other():
    """The slices of a cylindrical joint, of which the most worn one says how often all are
    repeated."""

    def build(p):
        return spinning(p, fc.CylindricalClearance, repeat=None, growth=1e-5)

    s = fc.Sensitivity(build, at=AT, of="joint.ey", t_end=1e-4, dt=2e-5)
    with pytest.raises(fc.InputError, match=r"joint: the slices .* give Wear\(repeat="):
        s.forward()
