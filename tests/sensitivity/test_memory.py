"""Derivatives through what friction and wear remember from step to step: closed forms, and
differences of whole runs."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.gears import MeanRotationDriver
from tests.sensitivity import models

LOAD = 10.0


def block(p, friction):
    """A block of 1 kg on a guide, pressed by 10 N, pushed by a force or with a speed."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(1.0, (0.1,) * 3, velocity=(p.get("speed", 0.0), 0, 0), name="block")
    )
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    if p.get("push"):
        system.add(fc.Force(body.center, (p["push"], 0, 0)))
    system.add(
        fc.FrictionElement(
            system.ground, body.center, (1, 0, 0), friction=friction, normal_force=LOAD,
            name="rail",
        )
    )  # fmt: skip
    return system


def sticking(p):
    """The same with a spring that holds it where it rests."""
    return block(p, fc.TrueStick(p["mu"], stiffness=p["stiffness"], damping=p["damping"]))


def agree(s, d, part=1e-9):
    """Whether the adjoint gives the same."""
    sizes = abs(d.scaled).max(axis=1, keepdims=True)
    assert s.adjoint().scaled / sizes == pytest.approx(d.scaled / sizes, abs=part)


AT = {"speed": 1.0, "mu": 0.3, "stiffness": 1e6, "damping": 400.0}
OF = ["block.x", "block.vx", "rail.friction_force"]


def test_block_comes_to_rest():
    """It slides over v^2 / (2 mu N / m), in fixed steps and in those that end where it rests; where
    the mode changes, accelerations are found anew."""
    way = 1.0 / (2 * 0.3 * LOAD)
    for settings, part in (({"dt": 2e-3}, 1e-2), ({}, 1e-4)):
        s = fc.Sensitivity(
            sticking, at=AT, by=["speed", "mu"], of=["block.x"], t_end=0.36, **settings
        )
        d = s.forward(histories=False)
        assert [e.kind for e in s.run().stepper.events] == ["stick"]
        assert d.jacobian[0] == pytest.approx([2 * way, -way / 0.3], rel=part)
        agree(s, d)
        assert bool(d.notes) == ("dt" in settings)


@pytest.mark.slow
def test_differences_of_sticking_runs():
    """Fixed steps, all outputs, by the spring's numbers too: it slips, rests and swings."""
    at = {**AT, "stiffness": 1e4, "damping": 20.0}
    settings = {"t_end": 0.4, "dt": 2e-3, "newton_tolerance": 1e-12}
    of = [*OF, "rail.energy"]
    s = fc.Sensitivity(sticking, at=at, of=of, **settings)
    d = s.forward(histories=False)
    found = models.differences(sticking, at, of, 1e-4, **settings) * d.sizes
    assert d.scaled == pytest.approx(found, abs=1e-6 * abs(found).max())
    for row, other in zip(d.scaled, found, strict=True):
        assert row == pytest.approx(other, abs=1e-6 * abs(other).max())
    agree(s, d)


@pytest.mark.slow
def test_taylor():
    """The remainder of the linear prediction is of second order, over two decades: by the numbers
    of the spring, for it is linear in the others as long as it rests in the same step."""
    s = fc.Sensitivity(
        sticking, at={**AT, "stiffness": 1e4, "damping": 20.0}, by=["stiffness", "damping"],
        of=["block.x", "block.vx"], t_end=0.4, dt=2e-3, newton_tolerance=1e-12,
    )  # fmt: skip
    test = s.check()
    assert test.orders[1:] == pytest.approx(2.0, abs=0.06), test


@pytest.mark.parametrize("settings", [{}, {"dt": 1e-3}], ids=["adaptive", "fixed"])
def test_breaking_away(settings):
    """A block on an incline is pushed by a growing force, rate x t. It breaks away at t0, where
    rate t0 - weight = mu_s N, and is then pushed by rate t - weight - mu_d N. Adaptive steps end
    at t0; fixed ones give the derivative of the grid."""
    at = {"mu_s": 0.4, "mu_d": 0.3, "rate": 5.0, "weight": 1.0}

    def pushed(p):
        system = block(p, fc.TrueStick(p["mu_s"], p["mu_d"], stiffness=1e8, damping=4000.0))
        (body,) = system.bodies
        system.add(fc.Force(body.center, (1, 0, 0), fc.functions.Linear(p["rate"])))
        system.add(fc.Force(body.center, (-p["weight"], 0, 0)))
        return system

    t = 1.5
    s = fc.Sensitivity(pushed, at=at, of=["block.x", "block.vx"], t_end=t, **settings)
    d = s.forward(histories=False)
    assert [e.kind for e in s.run().stepper.events] == ["slip"]
    agree(s, d)
    t0 = (at["mu_s"] * LOAD + at["weight"]) / at["rate"]
    jump = (at["mu_s"] - at["mu_d"]) * LOAD  # the force at once after t0
    rest = t - t0
    by_rate = t**3 / 6 - t * t0**2 / 2 + t0**3 / 3 + rest * jump * t0 / at["rate"]
    wanted = [
        [-rest * jump * LOAD / at["rate"], -(rest**2) / 2 * LOAD, by_rate,
         -(rest**2) / 2 - rest * jump / at["rate"]],
        [-jump * LOAD / at["rate"], -rest * LOAD,
         (t**2 - t0**2) / 2 + jump * t0 / at["rate"], -rest - jump / at["rate"]],
    ]  # fmt: skip
    if not settings:
        assert d.jacobian == pytest.approx(np.array(wanted), rel=1e-4)
    assert bool(d.notes) == ("dt" in settings)


def test_bristles_before_they_slip():
    """LuGre: under a force that bristles bear, the block gives by -(mu / s0) ln(1 - F / (mu N)), as
    long as it moves one way; the bristles are unknowns."""

    def bristly(p):
        mu, s0 = p["mu"], p["s0"]
        return block(p, fc.LuGre(mu, mu, stiffness=s0, damping=40.0))

    at = {"mu": 0.4, "s0": 1e3, "push": 2.0}
    s = fc.Sensitivity(bristly, at=at, of=["block.x"], t_end=0.6, dt=5e-4)
    d = s.forward(histories=False)
    part = at["push"] / (at["mu"] * LOAD)
    gives = -at["mu"] / at["s0"] * np.log(1 - part)
    assert d.values[0] == pytest.approx(gives, rel=1e-5)
    by_force = 1 / (LOAD * at["s0"] * (1 - part))
    by_mu = gives / at["mu"] - part * LOAD * by_force
    assert d.jacobian[0] == pytest.approx([by_mu, -gives / at["s0"], by_force], rel=1e-4)
    agree(s, d)


def test_driver_of_gears():
    """Two wheels whose mean speed is driven and one of which is pushed by a torque: their angles
    are w t +- T t^2 / (2 (I_1 + I_2)), over most of a turn, which the driver counts."""

    def driven(p):
        system, bodies = fc.System(gravity=(0, 0, 0)), []
        for k, inertia in enumerate((0.02, p["inertia"])):
            body = fc.RigidBody(
                1.0, (inertia,) * 3, position=(k, 0, 0), angular_velocity=(0, 0, p["speed"])
            )
            bodies.append(system.add(body))
            system.add(fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1)))
        system.add(fc.Torque(bodies[0].center, (0, 0, p["torque"])))
        system.add(
            MeanRotationDriver(
                *(body.center for body in bodies), (0, 0, 1), weights=(1.0, 1.0),
                speed=p["speed"], name="drive",
            )
        )  # fmt: skip
        return system

    at, t = {"speed": 2.0, "torque": 0.05, "inertia": 0.03}, 1.6
    of = ["drive.pinion_angle", "drive.gear_angle", "drive.pinion_torque"]
    s = fc.Sensitivity(driven, at=at, of=of, t_end=t, dt=1e-2)
    d = s.forward(histories=False)
    ahead = at["torque"] * t**2 / 2 / 0.05
    wanted = [[2 * t, ahead, -0.6 * ahead], [2 * t, -ahead, 0.6 * ahead], [0.0, -0.03, -0.012]]
    assert d.scaled == pytest.approx(np.array(wanted), rel=1e-3, abs=1e-4)
    agree(s, d)


# --- facets ---------------------------------------------------------------------------------------
SOFT = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)
AXES = {"axis": (1, 0, 0), "across": (0, 1, 0)}
HARD, HARDNESS = 1e12, 2.17e9
WORN = {"coefficient": 1.736e-4, "pressure": 1e6, "speed": 2.0, "repeat": 100.0}


def rubbing(p, **periods):
    """A block of 0.1 x 0.05 m, 0.01 m thick, pressed on a rail that is driven below it."""
    system = fc.System(gravity=(0, 0, 0))
    solid = system.add(
        fc.Solid(
            meshes.block((0.1, 0.05), (2, 1)), SOFT, degree=1, state="plane_strain",
            thickness=0.01, clamped={"x0": "x"}, name="block",
        )
    )  # fmt: skip
    system.add(fc.Pressure(solid.facets("y1"), p["pressure"], follower=False))
    rail = system.add(fc.RigidBody(1.0, (0.01,) * 3, velocity=(p["speed"], 0, 0), name="rail"))
    slide = system.add(fc.PrismaticJoint(system.ground, rail.center, axis=(1, 0, 0)))
    path = fc.functions.Linear(p["speed"])
    system.add(fc.TranslationDriver(slide.i, slide.j, (1, 0, 0), path))
    wear = fc.SurfaceWear(fc.Archard(p["coefficient"], HARDNESS), repeat=p["repeat"], **periods)
    system.add(
        fc.GuideContact(
            rail, solid.facets("y0"), **AXES, side="lower", gap=0.05 - 2e6 / HARD,
            law=fc.Winkler(HARD), wear=wear, name="contact",
        )
    )  # fmt: skip
    return system


def at_rest(build, at):
    return fc.Statics(build(at), steps=1, time=0.0, tolerance=1e-12).solve().last


def test_archard():
    """Constant load: the volume k F s / H, and the depth k p s / H of repeated wear."""
    of = ["contact.worn_volume", "contact.worn_depth"]
    settings = {"dt": 1e-3, "newton_tolerance": 1e-12, "initial": at_rest(rubbing, WORN)}
    by = ["coefficient", "speed", "repeat"]
    s = fc.Sensitivity(rubbing, at=WORN, by=by, of=of, t_end=0.01, **settings)
    d = s.forward(histories=False)
    depth = WORN["coefficient"] * WORN["pressure"] / HARDNESS * WORN["speed"] * 0.01
    sizes = np.array([1e-3 * depth, 100 * depth])
    assert d.values == pytest.approx(sizes, rel=1e-5)
    wanted = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    assert d.scaled / sizes[:, None] == pytest.approx(wanted, abs=2e-5)
    agree(s, d)


@pytest.mark.slow
def test_wear_periods():
    """Worn depths that are collected and grow in: differences of runs, and of the contact force,
    which the new shape changes."""

    def build(p):
        return rubbing(p, period=8e-3, settle=2e-3)

    of = ["contact.worn_volume", "contact.worn_depth", "contact.normal_force"]
    settings = {"t_end": 0.02, "dt": 1e-3, "newton_tolerance": 1e-12}
    settings["initial"] = at_rest(build, WORN)
    at = {n: WORN[n] for n in ("coefficient", "speed", "repeat")}  # the pressure moves the deepest
    s = fc.Sensitivity(build, at=WORN, by=[*at], of=of, **settings)
    d = s.forward()

    def some(p):
        return build({**WORN, **p})

    found = models.differences(some, at, of, 1e-3, **settings) * d.sizes
    # Newton's tolerance shows in differences of a force of 1000 N
    for row, other, part in zip(d.scaled, found, (1e-7, 1e-7, 1e-5), strict=True):
        assert row == pytest.approx(other, abs=part * abs(other).max())
    agree(s, d)
    history = d.histories["contact.worn_depth", "coefficient"]
    assert history[-1] == d.jacobian[1, 0]
    assert history[:8] == pytest.approx(0.0, abs=1e-6 * history[-1])  # nothing has grown in yet


@pytest.mark.slow
@pytest.mark.parametrize("bristles", [False, True])
def test_friction_of_facets(bristles):
    """A block that slides down an incline: anchors and bristles of its facets' points."""
    K, G, angle = 1e11, 9.81, np.radians(25.0)
    depth = SOFT.rho * 0.05 * G * np.cos(angle) / K

    def build(p):
        system = fc.System(gravity=G * np.array([np.sin(angle), -np.cos(angle), 0]))
        mesh = meshes.block((0.1, 0.05), (2, 1)).moved((0, -depth, 0))
        solid = system.add(
            fc.Solid(mesh, SOFT, degree=1, state="plane_strain", free=True, thickness=0.02,
                     damping=fc.Damping(1e-4), name="block")
        )  # fmt: skip
        law = fc.SurfaceStick(p["mu_s"], p["mu_d"], damping=1e7)
        if bristles:
            law = fc.LuGre(
                p["mu_s"], p["mu_d"], v_s=1e-3, stiffness=1e6, damping=1e3, damping_speed=1e-3
            )
        system.add(
            fc.GuideContact(
                system.ground.point((0, 0, 0)), solid.facets("y0"), **AXES, side="lower", gap=0.05,
                law=fc.Winkler(K, 10.0), friction=law, resolution=3, name="contact",
            )
        )  # fmt: skip
        system.add(fc.SolidProbe(solid, name="middle"))
        return system

    at, of = {"mu_s": 0.4, "mu_d": 0.3}, ["middle.x", "contact.friction_force"]
    settings = {"t_end": 0.02, "dt": 1e-3, "newton_tolerance": 1e-12}
    s = fc.Sensitivity(build, at=at, of=of, **settings)
    d = s.forward(histories=False)
    found = models.differences(build, at, of, 1e-4, **settings) * d.sizes
    for row, other, part in zip(d.scaled, found, (1e-6, 1e-5), strict=True):
        assert row == pytest.approx(other, abs=part * abs(other).max())
    agree(s, d)


@pytest.mark.parametrize("settings", [{}, {"dt": 5e-3}], ids=["adaptive", "fixed"])
def test_slipping_from_the_start(settings):
    """A block that moves at the start slips from then on, with mu_d: mu_s has no influence."""

    def moving(p):
        return block(p, fc.TrueStick(p["mu_s"], p["mu_d"], stiffness=1e6, damping=400.0))

    at, t = {"mu_s": 0.4, "mu_d": 0.3, "speed": 1.0}, 0.2
    s = fc.Sensitivity(moving, at=at, of="block.x", t_end=t, **settings)
    d = s.forward(histories=False)
    assert s.run().stepper.events == []
    assert d.jacobian == pytest.approx(np.array([[0.0, -LOAD * t**2 / 2, t]]), rel=1e-5, abs=1e-8)
    agree(s, d)
