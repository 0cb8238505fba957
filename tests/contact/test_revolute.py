"""Revolute clearance joint: tangents, balance, invariance, friction, beams, bad input."""

import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_error

from .conftest import IN_FIRST, IN_SECOND, check_kept, check_turned, free_pair, momenta, run

STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)
LAWS = {
    "normal": fc.BaiZhao(restitution=0.9),
    "friction": fc.CubicStribeck(mu_s=0.2, mu_d=0.1, v_s=0.01, v_d=0.1),
}
SIZE = {"bearing_radius": 0.01, "journal_radius": 0.0095, "length": 0.015}


def two_bodies(gap=(0.0, 0.0, 0.0), turn=None, spin=(8.0, -15.0), **options):
    """Free bodies in plane motion; the joint sits off both centres of mass."""
    turn = np.eye(3) if turn is None else turn
    system, first, second = free_pair(
        turn, gap, (0, 0, spin[0]), (0, 0, spin[1]), velocity_a=(0.2, 0.1, 0.0)
    )
    options = {**LAWS, **options}
    joint = fc.RevoluteClearance(
        first.point(IN_FIRST), second.point(IN_SECOND), turn @ (0, 0, 1.0),
        materials=(STEEL, STEEL), name="joint", **SIZE, **options,
    )  # fmt: skip
    system.add(joint)
    return system, first, second


@pytest.mark.parametrize(
    "options",
    [{"friction": None}, {}, pytest.param({"friction_at": "radii"}, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("where", ["centre", "free", "touching"])
def test_tangent_against_differences(options, where):
    """Also out of the plane, and at the centred start, where no direction of contact exists."""
    gap = {"centre": (0, 0, 0), "free": (2e-4, 1e-4, 5e-5), "touching": (4e-4, 3.2e-4, 5e-5)}[where]
    system, _, second = two_bodies(**options)
    state = system.state
    state.q[second.refs[0].numbers] += gap
    rng = np.random.default_rng(1)
    state.v[:] += 0.05 * rng.standard_normal(state.total) * state.problem.dynamic
    system.channels.read()
    assert (system.channels["joint.penetration"] > 0) == (where == "touching")
    assert np.isfinite(system.channels.values).all()
    assert tangent_error(state, step=1e-9) < 1e-5


@pytest.mark.slow
def test_tangent_with_bristles():
    system, _, second = two_bodies(friction=fc.LuGre(mu_s=0.2, mu_d=0.1))
    state = system.state
    state.q[second.refs[0].numbers] += (4e-4, 3.2e-4, 0)
    rng = np.random.default_rng(2)
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    assert tangent_error(state, step=1e-9) < 1e-5


def test_action_equals_reaction():
    """Bodies that only meet in the joint, rubbing, keep linear and angular momentum."""
    system, *bodies = two_bodies()
    system.assemble()
    before = momenta(system, bodies)
    rubbed = []
    run(system, 2e-5, 0.02, lambda c, t: rubbed.append(c["joint.friction_force"]))
    assert max(rubbed) > 10.0
    check_kept(before, momenta(system, bodies))


def test_frame_invariance():
    check_turned(lambda turn: two_bodies(turn=turn), 2e-5, 0.005)


def test_energy_lost_is_friction_and_hysteresis():
    """Without hysteresis the energy lost equals the work of friction that the joint reports."""
    system, *_ = two_bodies(normal=fc.Liu(restitution=1.0), spin=(8.0, -40.0))
    log = []
    run(
        system, 1e-6, 0.02,
        lambda c, t: log.append((t, c["energy.total"], c["joint.friction_loss"])),
    )  # fmt: skip
    time, energy, power = np.array(log).T
    work = np.trapezoid(power, time)
    assert work > 1e-3
    assert energy[0] - energy[-1] == pytest.approx(work, rel=2e-3)
    assert power.min() >= 0


def test_pressed_journal_brakes_at_mu_force_radius():
    """A heavy journal spins in a fixed bearing: the moment of friction is mu F times its lever."""
    system = fc.System(gravity=(0, -10.0, 0))
    inertia, mass = 0.02, 2.0
    start = -5e-4 * (1 - 1e-9)
    body = system.add(
        fc.RigidBody(mass, (inertia,) * 3, position=(0, start, 0), angular_velocity=(0, 0, 50.0),
                     name="journal")
    )  # fmt: skip
    system.add(fc.PlanarJoint(system.ground, body.center, axis=(0, 0, 1), name="plane"))
    system.add(
        fc.RevoluteClearance(
            system.ground.point((0, 0, 0)), body.center, (0, 0, 1), materials=(STEEL, STEEL),
            normal=fc.BaiZhao(restitution=0.1), friction=LAWS["friction"], name="joint", **SIZE,
        )
    )  # fmt: skip
    stepper = run(system, 2e-5, 0.02)
    q, v = (z[body.refs[1].numbers].reshape(3, 3) for z in (stepper.state.q, stepper.state.v))
    impulse = 0.1 * mass * 10.0 * SIZE["journal_radius"] * 0.02 / inertia
    assert 50.0 - v[0] @ q[1] == pytest.approx(impulse, rel=0.02)


def test_planar_joint_keeps_the_plane_only():
    """Gravity along the axis is carried, across it the body falls freely and spins."""
    system = fc.System(gravity=(0, -10.0, -5.0))
    body = system.add(fc.RigidBody(1.0, (0.1, 0.2, 0.3), angular_velocity=(0, 0, 3.0), name="body"))
    joint = fc.PlanarJoint(system.ground, body.center, axis=(0, 0, 1), name="plane")
    system.add(joint)
    stepper = run(system, 1e-3, 0.1)
    r = stepper.state.q[body.refs[0].numbers]
    d1 = stepper.state.q[body.refs[1].numbers][:3]
    assert r == pytest.approx((0, -0.05, 0), abs=1e-9)
    assert np.arctan2(d1[1], d1[0]) == pytest.approx(0.3, abs=1e-5)
    assert stepper.channels["plane.reaction.z"] == pytest.approx(5.0, rel=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_between_beam_ends(model):
    """Two flexible bars joined with clearance: the contact's forces balance, the plane is kept."""
    bar = fc.Rectangle(0.01, 0.02)
    system = fc.System(gravity=(0, -9.81, 0))
    first = system.add(fc.Beam((0, 0, 0), (0.3, 0, 0), bar, STEEL, elements=2, model=model))
    second = system.add(fc.Beam((0.3, 0, 0), (0.6, 0, 0), bar, STEEL, elements=2, model=model))
    system.add(fc.RevoluteJoint(system.ground, first.start, axis=(0, 0, 1)))
    system.add(fc.PlanarJoint(system.ground, second.start, axis=(0, 0, 1)))
    system.add(
        fc.RevoluteClearance(first.end, second.start, (0, 0, 1), name="joint", **SIZE, **LAWS)
    )
    energy, force = [], []
    stepper = run(
        system, 1e-5, 0.02,
        lambda c, t: (energy.append(c["energy.total"]), force.append(c["joint.normal_force"])),
    )  # fmt: skip
    assert max(force) > 10.0
    assert np.isfinite(energy).all()
    assert max(energy) - energy[0] < 1e-6 * max(abs(np.array(energy)))
    assert abs(stepper.channels["joint.ez"]) < 1e-12


def test_recommended_step(caplog):
    """A twentieth of the period of the reduced mass on the contact's stiffness, in the log."""
    with caplog.at_level(logging.INFO, logger="fem_clearance"):
        two_bodies()
    line = next(m for m in caplog.messages if "contact needs steps" in m)
    depth, gap, scale = 5e-5, 5e-4, 0.015 * 207e9 / (2 * 0.91)
    force = lambda d: np.pi / 2 * scale * d * np.sqrt(d / (2 * (gap + d)))  # noqa: E731
    stiffness = (force(depth + 1e-9) - force(depth - 1e-9)) / 2e-9
    mobility = 1 / 1.0 + 0.0409 / 0.015 + 1 / 0.5 + 0.0104 / 0.006
    step = 2 * np.pi / np.sqrt(stiffness * mobility) / 20
    assert f"{stiffness:.3g} N/m" in line
    assert f"about {step:.2g} s" in line


@pytest.mark.parametrize(
    "change, words",
    [
        ({"journal_radius": 0.01}, "does not fit"),
        ({"axis": None}, "needs an axis"),
        ({"length": 0.0}, "length must be positive"),
        ({"gap": (6e-4, 0, 0)}, "overlap at the start"),
        ({"wear": 3}, "wear must be Wear"),
        ({"worn": (0, 0)}, "need wear="),
        ({"wear": fc.Wear(fc.Archard(1e-4, 1e9)), "worn": ([1, 2], 0)}, "two arrays of 720"),
        (
            {"wear": fc.Wear(fc.Archard(1e-4, 1e9), liner=1e-4), "worn": (2e-4, 0)},
            "through its liner",
        ),
        ({"materials": None}, "neither body has a material"),
    ],
)
def test_bad_input_is_a_sentence(change, words):
    system = fc.System()
    gap = np.array(change.pop("gap", (0, 0, 0)))
    bodies = [system.add(fc.RigidBody(1.0, (1, 1, 1), position=k * gap, free=True)) for k in (0, 1)]
    options = {**SIZE, **LAWS, "axis": (0, 0, 1), "materials": (STEEL, STEEL), **change}
    with pytest.raises(fc.InputError, match=words):
        system.add(fc.RevoluteClearance(bodies[0].center, bodies[1].center, **options))


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: fc.Archard(1e-4, 0.0), "hardness must be positive"),
        (lambda: fc.Archard(-1e-4, 1e9), "must not be negative"),
        (lambda: fc.Wear(3.0), "law must be Archard"),
        (lambda: fc.Wear(fc.Archard(1e-4, 1e9), period=0.1, settle=0.2), "nothing of a period"),
        (lambda: fc.Wear(fc.Archard(1e-4, 1e9), bins=8), "at least 32"),
        (lambda: fc.Wear(fc.Archard(1e-4, 1e9), repeat=None), "either repeat or growth"),
        (lambda: fc.Wear(fc.Archard(1e-4, 1e9), gap="round"), "must be one of"),
    ],
)
def test_bad_wear_is_a_sentence(make, words):
    with pytest.raises(fc.InputError, match=words):
        make()


# --- default settings -------------------------------------------------------------------------
@pytest.mark.parametrize("integrator", [fc.GeneralizedAlpha(), fc.Bathe()], ids=["alpha", "Bathe"])
@pytest.mark.parametrize(
    "spin, friction", [(0.0, None), (100.0, fc.SmoothCoulomb(0.1))], ids=["smooth", "rubbing"]
)
def test_a_disc_falls_into_its_bearing(integrator, spin, friction):
    """A flat steel disc (no inertia along its axis) on a journal with 0.1 mm of clearance, all
    settings as they are: the first touch is that of a free fall, 20 ms take a few hundred steps,
    and the energy never rises."""
    radius, width, clearance = 0.05, 0.02, 1e-4
    mass = 7800 * np.pi * radius**2 * width
    inertia = mass * radius**2 / 4
    system = fc.System(gravity=(0, -9.81, 0))
    disc = system.add(
        fc.RigidBody(mass, (inertia, inertia, 2 * inertia), angular_velocity=(0, 0, spin),
                     name="disc", free=True)
    )  # fmt: skip
    system.add(
        fc.RevoluteClearance(
            system.ground.at((0, 0, 0)), disc.center, axis=(0, 0, 1), bearing_radius=0.01,
            journal_radius=0.01 - clearance, length=width, materials=(STEEL, STEEL),
            friction=friction, name="joint",
        )
    )  # fmt: skip
    results = fc.Simulation(system, integrator, t_end=0.02).run()
    energy = results["energy.total"]
    onset = next(e for e in results.events if e.kind == "onset")
    assert onset.time == pytest.approx(np.sqrt(2 * clearance / 9.81), rel=1e-4)
    assert onset.speed == pytest.approx(np.sqrt(2 * 9.81 * clearance), rel=1e-4)
    assert len(results.time) < 1000
    assert energy.max() - energy[0] < 1e-6 * (
        mass * 9.81 * clearance + results["energy.kinetic"][0]
    )
    assert energy[-1] < energy[0]
