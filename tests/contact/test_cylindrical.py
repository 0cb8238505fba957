"""Cylindrical clearance joint: against the revolute one and closed forms, balance, invariance."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.contact.cylindrical import RULES, quadrature
from fem_clearance.diagnostics import tangent_error

from .conftest import IN_FIRST, IN_SECOND, free_pair, momenta, run

STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)
FRICTION = fc.CubicStribeck(mu_s=0.2, mu_d=0.1, v_s=0.01, v_d=0.1)
LENGTH, GAP = 0.03, 5e-4
SIZE = {"bearing_radius": 0.01, "journal_radius": 0.01 - GAP, "length": LENGTH}
Z = (0, 0, 1.0)
STIFFNESS = 2e6  # N/m, soft: contacts of milliseconds
SPRING = {"normal": fc.Hertz(exponent=1.0), "stiffness": STIFFNESS}
BAI_ZHAO = {"normal": fc.BaiZhao(restitution=0.9), "stiffness": None, "materials": (STEEL, STEEL)}
#: the paper's laws take a minute to compile: quick tests have those that others compile too
LAWS = [
    pytest.param({**SPRING, "friction": FRICTION}, id="friction"),
    pytest.param(
        {"normal": fc.LankaraniNikravesh(restitution=0.9), "stiffness": 1e10}, id="hysteresis"
    ),
    pytest.param(BAI_ZHAO, marks=pytest.mark.slow, id="Bai-Zhao"),
    pytest.param(
        {**BAI_ZHAO, "friction": FRICTION}, marks=pytest.mark.slow, id="Bai-Zhao, friction"
    ),
]


def in_ground(position=(0, 0, 0), tilt=0.0, velocity=(0, 0, 0), spin=(0, 0, 0), **options):
    """A free journal in a fixed bearing, turned about x by ``tilt``."""
    system = fc.System(gravity=(0, 0, 0))
    turn = Rotation.from_rotvec((tilt, 0, 0)).as_matrix()
    body = system.add(
        fc.RigidBody(0.5, (6e-4, 4e-4, 5e-4), position=position, orientation=turn, name="journal",
                     velocity=velocity, angular_velocity=spin, free=True)
    )  # fmt: skip
    options = {**SIZE, **SPRING, "name": "joint", **options}
    joint = fc.CylindricalClearance(
        system.ground.point((0, 0, 0)), body.center, Z, journal_axis=turn @ Z, **options
    )
    return system, body, joint


def moved(system, body, position, tilt=0.0, about=(1, 0, 0), back=0.0):
    """The assembled state with the journal put elsewhere and turned on."""
    state = system.assemble()
    axes = Rotation.from_euler("x", back).as_matrix()
    turned = Rotation.from_rotvec(tilt * np.array(about)).as_matrix() @ axes
    state.q[body.refs[0].numbers] = position
    state.q[body.refs[1].numbers] = turned.T.ravel()
    system.channels.read()
    return state


# --- where and how hard -------------------------------------------------------------------------
@pytest.mark.parametrize("rule", RULES)
def test_rules_integrate_polynomials(rule):
    """n points: degree 2n - 3 (Lobatto), 2n - 1 (Gauss), 1 (midpoint)."""
    for n in (1, 2, 3, 5, 8):
        x, w = quadrature(rule, n)
        degree = 1 if n == 1 else {"lobatto": 2 * n - 3, "gauss": 2 * n - 1, "midpoint": 1}[rule]
        assert len(x) == n
        for k in range(degree + 1):
            assert w @ x**k == pytest.approx((k + 1) % 2 / (k + 1), abs=1e-13)


@pytest.mark.parametrize("rule, stations", [("lobatto", 5), ("gauss", 2), ("midpoint", 1)])
@pytest.mark.parametrize("laws", LAWS)
def test_aligned_journal_is_a_revolute_joint(rule, stations, laws):
    """Forces to 1e-10, touching and in motion, with hysteresis and friction."""
    forces = []
    motion = {"velocity": (0.3, 0.2, 0), "spin": (0, 0, 40.0)}
    for kind in ("cylindrical", "revolute"):
        system, body, joint = in_ground(**motion, **laws, rule=rule, stations=stations)
        if kind == "revolute":
            joint = fc.RevoluteClearance(
                joint.i, joint.j, Z, name="joint", **{**SIZE, **SPRING, **laws}
            )
        system.add(joint)
        state = moved(system, body, (4e-4, 3.1e-4, 0))
        names = "normal_force", "friction_force", "friction_power", "ex", "ey", "eccentricity"
        row = [system.channels[f"joint.{n}"] for n in names]
        forces.append([*row, *state.residual()[np.concatenate([r.numbers for r in body.refs])]])
    assert forces[0][0] > 10.0
    assert forces[0] == pytest.approx(forces[1], rel=1e-10, abs=1e-9)


def tilted_closed_form(tilt):
    """Moment about the centre of a linear law, K / L a length of bearing, on both sides of the
    middle; the force acts across the journal."""
    slope, half = np.tan(tilt), LENGTH / 2
    start = GAP / slope
    moment = slope * (half**3 - start**3) / 3 - GAP * (half**2 - start**2) / 2
    return 2 * STIFFNESS / LENGTH * moment * (1 + slope**2)


def test_tilted_journal_touches_at_opposite_edges():
    """From a tilt of 2 c / L on; forces cancel, the moment is the integral along the bearing."""
    limit = np.arctan(2 * GAP / LENGTH)
    errors = []
    for stations in (5, 9, 17, 33):
        system, body, joint = in_ground(stations=stations)
        system.add(joint)
        channel = lambda n, system=system: system.channels[f"joint.{n}"]  # noqa: E731
        moved(system, body, (0, 0, 0), 0.999 * limit)
        assert channel("contacts") == channel("normal_force") == channel("penetration") == 0
        system.state.q[body.refs[1].numbers] = Rotation.from_euler(
            "x", 1.001 * limit).as_matrix().T.ravel()  # fmt: skip
        system.channels.read()
        assert channel("contacts") == 2
        tilt = 2 * limit
        system.state.q[body.refs[1].numbers] = Rotation.from_euler(
            "x", tilt).as_matrix().T.ravel()  # fmt: skip
        system.channels.read()
        assert channel("penetration") == pytest.approx(np.tan(tilt) * LENGTH / 2 - GAP, rel=1e-12)
        force = channel("normal_force")
        assert [channel("f" + x) for x in "xyz"] == pytest.approx((0, 0, 0), abs=1e-9 * force)
        assert channel("mx") < 0  # rights the journal
        errors.append(abs(channel("mx") / tilted_closed_form(tilt) + 1))
    assert errors[1] < 0.03
    assert errors[-1] < 2e-3


def test_one_edge():
    """A journal that is down at one end touches there; the moment is force times lever."""
    system, body, joint = in_ground(stations=65)
    system.add(joint)
    tilt = 1e-2
    moved(system, body, (0, -4.5e-4, 0), tilt)
    z = np.linspace(-LENGTH / 2, LENGTH / 2, 200001)
    depth = np.maximum(np.abs(-4.5e-4 - np.tan(tilt) * z) - GAP, 0)
    force = STIFFNESS / LENGTH * np.trapezoid(depth, z)
    moment = STIFFNESS / LENGTH * np.trapezoid(depth * z, z)
    c = system.channels
    assert c["joint.fy"] == pytest.approx(force, rel=2e-3)
    assert c["joint.mx"] == pytest.approx(-moment, rel=2e-3)
    assert c["joint.fz"] == pytest.approx(force * np.tan(tilt), rel=2e-3)  # across the journal
    assert c["joint.penetration"] == pytest.approx(4.5e-4 + np.tan(tilt) * LENGTH / 2 - GAP)


def test_journal_that_ends_inside():
    """Half of it in the bearing: half of the force; gone: none."""
    forces = []
    for shift in (0.0, 0.5, 1.1, -0.5, -1.1):
        system, body, joint = in_ground(journal_length=LENGTH)
        system.add(joint)
        moved(system, body, (0, -5.5e-4, shift * LENGTH))
        forces.append(system.channels["joint.fy"])
        assert system.channels["joint.overlap"] == pytest.approx(max(0, 1 - abs(shift)) * LENGTH)
    assert forces == pytest.approx(STIFFNESS * 5e-5 * np.array([1, 0.5, 0, 0.5, 0]), rel=1e-10)


def test_short_journal_pushes_across_the_bearing():
    """Where the journal ends inside, the bearing's surface gives the direction."""
    system, body, joint = in_ground(journal_length=LENGTH / 2)
    system.add(joint)
    moved(system, body, (0, -4.8e-4, 0), 1e-2)
    assert system.channels["joint.fy"] > 10
    assert abs(system.channels["joint.fz"]) < 1e-9 * system.channels["joint.fy"]


# --- tangents -----------------------------------------------------------------------------------
@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize("where", ["centre", "free", "one edge", "both edges", "aligned", "ended"])
def test_tangent_against_differences(laws, where):
    system, body, joint = in_ground(journal_length=None if where != "ended" else LENGTH, **laws)
    system.add(joint)
    position, tilt = {
        "centre": ((0, 0, 0), 0), "free": ((2e-4, 1e-4, 1e-3), 5e-3),
        "aligned": ((4e-4, 3.05e-4, 0), 0),
        "one edge": ((4e-4, 2e-4, 0), 1e-2), "both edges": ((1e-5, 2e-5, 1e-3), 3.4e-2),
        "ended": ((4e-4, 2e-4, 4e-3), 1.3e-2),
    }[where]  # fmt: skip
    state = moved(system, body, position, tilt)
    rng = np.random.default_rng(1)
    state.v[:] += 0.05 * rng.standard_normal(state.total) * state.dynamic
    system.channels.read()
    assert (system.channels["joint.penetration"] > 0) == (where not in ("centre", "free"))
    assert np.isfinite(system.channels.values).all()
    assert tangent_error(state, step=1e-9) < 1e-5


@pytest.mark.slow
def test_tangent_with_bristles():
    system, body, joint = in_ground(
        friction=fc.LuGre(0.3, 0.2, v_s=1e-2, stiffness=1e4, damping=2.0), stations=3
    )
    system.add(joint)
    state = moved(system, body, (4e-4, 2e-4, 0), 2e-2)
    rng = np.random.default_rng(1)
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.dynamic
    assert tangent_error(state, step=1e-8) < 1e-5


# --- balance ------------------------------------------------------------------------------------
def two_bodies(turn=None, normal=None, friction=FRICTION, spin=(8.0, -15.0), thrust=True, **more):
    """Free bodies that tumble; the joint sits off both centres of mass."""
    turn = np.eye(3) if turn is None else turn
    system, first, second = free_pair(
        turn, spin_a=(0.5, 0.4, spin[0]), spin_b=(-0.3, 0.9, spin[1]), velocity_a=(0.2, 0.1, 0.1)
    )
    faces = fc.Thrust(4e-4, 0.014, normal or fc.Hertz(exponent=1.0), 1e7, friction)
    joint = fc.CylindricalClearance(
        first.point(IN_FIRST), second.point(IN_SECOND), turn @ Z, name="joint",
        thrust=faces if thrust else None, friction=friction,
        normal=normal or fc.Hertz(exponent=1.0), stiffness=1e7, **{**SIZE, **more},
    )  # fmt: skip
    system.add(joint)
    return system, first, second


def test_action_equals_reaction():
    """Rubbing along the journal and on its collars, all momentum is kept."""
    system, *bodies = two_bodies()
    system.assemble()
    before, seen = momenta(system, bodies), []
    names = "joint.friction_force", "joint.thrust.friction_force", "joint.tilt"
    run(system, 2e-5, 0.02, lambda c, t: seen.append([c[n] for n in names]))
    after = momenta(system, bodies)
    rubbed, thrust, tilt = np.max(seen, axis=0)
    assert rubbed > 10 and thrust > 1 and tilt > 1e-3
    assert after[0] == pytest.approx(before[0], abs=1e-9)
    assert after[1] == pytest.approx(before[1], abs=1e-7 * np.linalg.norm(before[1]))


def test_frame_invariance():
    """The same run posed in a turned frame ends turned."""
    turn = Rotation.from_rotvec((0.4, -1.1, 0.7)).as_matrix()
    ends = []
    for rotation in (np.eye(3), turn):
        system, *_, second = two_bodies(turn=rotation)
        run(system, 2e-5, 0.004, newton_tolerance=1e-11)
        ends.append(rotation.T @ system.state.q[second.refs[0].numbers])
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


def test_energy_lost_is_friction():
    """With elastic laws the energy lost equals the work of friction that the joint reports."""
    system, *_ = two_bodies(spin=(8.0, -40.0))
    log, dt = [], 5e-6
    names = "energy.total", "joint.friction_power", "joint.thrust.friction_power"
    run(system, dt, 0.02, lambda c, t: log.append([c[n] for n in names]))
    energy, *powers = np.array(log).T
    power = sum(powers)
    assert energy[0] - energy[-1] == pytest.approx(np.trapezoid(power, dx=dt), rel=2e-3)
    assert energy[0] - energy[-1] > 1e-3 and min(power) >= 0


def energies(dt, out):
    """Largest change of energy of a rattling elastic journal by its first; ``out``: it leaves."""
    system, body, joint = in_ground(
        velocity=(0.3, 0.4, 1.0 if out else 0.0), spin=(20.0, 5.0, 0.0),
        journal_length=LENGTH if out else None,
    )  # fmt: skip
    system.add(joint)
    log, names = [], ("energy.total", "joint.overlap", "energy.contact")
    run(
        system, dt, 0.036, lambda c, t: log.append([c[n] for n in names]),
        integrator=fc.GeneralizedAlpha(1.0),
    )  # fmt: skip
    energy, overlap, stored = np.array(log).T
    assert stored.max() > 0.2 * energy[0]
    assert (overlap[-1] <= 0) == out
    return np.abs(energy - energy[0]).max() / energy[0]


def test_energy_is_kept():
    """Elastic, without friction, to second order in the step."""
    coarse, fine = (energies(dt, False) for dt in (4e-5, 1e-5))
    assert fine < 1e-4
    assert coarse / fine > 8


def test_energy_is_kept_by_a_journal_that_slides_out():
    """The force along the axis makes up for the contact that gets shorter."""
    assert energies(1e-5, True) < 5e-4


@pytest.mark.parametrize("direction", ["across", "along"])
def test_restitution_and_rebound(direction, reference):
    """Against the wall, and of a collar on its face: Lankarani-Nikravesh e = 0.9 returns 0.9132
    (e_restitution.csv)."""
    table = reference("e_restitution.csv")
    returned = table["LN_eeff"][np.argmin(np.abs(table["c_e"] - 0.9))]
    velocity = {"across": (0.1, 0, 0), "along": (0, 0, 0.1)}[direction]
    law = fc.LankaraniNikravesh(exponent=1.0, restitution=0.9)
    stepper = thrown(velocity, law, 0.015 if direction == "across" else 0.004)[0]
    v = stepper.state.v[:3]
    assert np.linalg.norm(v) == pytest.approx(0.1 * returned, rel=1e-4)
    assert v @ velocity < 0
    assert stepper.events[0].time == pytest.approx(
        5e-3 if direction == "across" else 1e-3, rel=1e-6
    )
    assert stepper.events[0].speed == pytest.approx(0.1, rel=1e-6)


def thrown(velocity, law, t_end):
    """A spinning journal on its way to wall or face: the stepper at the end, times, forces."""
    system, body, joint = in_ground(
        velocity=velocity,
        spin=(0, 0, 5.0),
        normal=law,
        thrust=fc.Thrust(2e-4, 0.012, law, STIFFNESS),
    )
    system.add(joint)
    log, names = [], ("joint.normal_force", "joint.thrust.normal_force")
    stepper = run(
        system, None, t_end, lambda c, t: log.append([t, sum(c[n] for n in names)]), adaptive=True
    )
    return stepper, *np.array(log).T


@pytest.mark.parametrize("velocity, first", [((0.1, 0, 0), 5e-3), ((0, 0, 0.1), 1e-3)])
def test_linear_contact_lasts_half_a_period(velocity, first):
    """pi sqrt(m / K), its peak v sqrt(m K)."""
    _, time, pressed = thrown(velocity, fc.Hertz(exponent=1.0), first + 2e-3)
    half = np.pi * np.sqrt(0.5 / STIFFNESS)
    assert pressed.max() == pytest.approx(0.1 * np.sqrt(0.5 * STIFFNESS), rel=1e-3)
    assert time[pressed > 0][-1] == pytest.approx(first + half, abs=0.03 * half)


def test_collars_carry_flat_and_right_a_tilt():
    """Flat on the face: K depth. Tilted: the touching side rights the journal."""
    face = fc.Thrust(2e-4, 0.012, fc.Hertz(exponent=1.0), STIFFNESS, points=8)
    system, body, joint = in_ground(thrust=face)
    system.add(joint)
    moved(system, body, (0, 0, -3e-4))
    c = system.channels
    assert c["joint.thrust.fz"] == pytest.approx(STIFFNESS * 2e-4, rel=1e-10)
    assert c["joint.thrust.contacts"] == 8
    assert [c["joint.thrust.mx"], c["joint.thrust.my"]] == pytest.approx((0, 0), abs=1e-9)
    tilt = 0.02
    system.state.q[body.refs[0].numbers] = 0.0
    system.state.q[body.refs[1].numbers] = Rotation.from_euler("x", tilt).as_matrix().T.ravel()
    system.channels.read()
    # both collars touch on opposite sides, at the points +-y of the ring
    angles = np.pi / 4 * np.arange(8)
    out = 0.012 * np.sin(angles) * np.sin(tilt) - LENGTH / 2 * (1 - np.cos(tilt)) - 1e-4
    lever = 0.012 * np.sin(angles) * np.cos(tilt) - LENGTH / 2 * np.sin(tilt)
    moment = 2 * STIFFNESS / 8 * np.sum(np.maximum(out, 0) * lever)
    assert c["joint.thrust.contacts"] == 2 * (out > 0).sum()
    assert c["joint.thrust.mx"] == pytest.approx(-moment, rel=1e-6)


# --- flexible bodies, long motions --------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_overhung_shaft(model):
    """A flexible shaft, held at a ball, ends in a bearing: at rest the bearing's force and moment
    balance the weight, and it lies on the inner edge with the slope of a simply supported beam."""
    section, length = fc.Circle(0.0095), 0.6
    soft = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=7800)
    system = fc.System(gravity=(0, -9.81, 0))
    shaft = system.add(
        fc.Beam(
            (0, 0, 0), (0, 0, length), section, soft, 6, model=model, damping=2e-2, name="shaft"
        )
    )
    system.add(fc.SphericalJoint(system.ground, shaft.start, name="ball"))
    system.add(fc.TorsionSpring(system.ground.point((0, 0, 0)), shaft.start, Z, stiffness=1.0))
    joint = fc.CylindricalClearance(
        system.ground.point((0, 0, length)), shaft.end, Z, name="joint", stations=17, **SIZE,
        normal=fc.KelvinVoigt(damping=20.0, stiffness=1e5),
    )  # fmt: skip
    system.add(joint)
    stepper = run(system, 2e-4, 0.6)
    c, weight = stepper.channels, shaft.mass * 9.81
    bending = 2e9 * np.pi * 0.0095**4 / 4
    moment = c["joint.fy"] * length - c["joint.mx"]  # about the ball
    assert moment == pytest.approx(weight * length / 2, rel=2e-3)
    assert 5e-3 < c["joint.mx"] / c["joint.fy"] < LENGTH / 2  # on the inner half
    slope = weight * length**2 / (24 * bending) - c["joint.mx"] * length / (3 * bending)
    assert c["joint.tilt"] == pytest.approx(slope + c["joint.ey"] / length, rel=0.02)
    assert 0 < c["joint.contacts"] < 17


@pytest.mark.slow
def test_rattling_journal_only_loses_energy():
    """Free journal with collars, hysteresis and friction: energy never grows, it stays inside."""
    law = fc.LankaraniNikravesh(exponent=1.0, restitution=0.8)
    system, body, joint = in_ground(
        velocity=(0.3, 0.4, 0.5), spin=(20.0, 5.0, 60.0), normal=law, friction=FRICTION,
        stiffness=5e7,
        thrust=fc.Thrust(1e-3, 0.014, law, 1e7, FRICTION),
    )  # fmt: skip
    system.add(joint)
    log, names = [], ("energy.total", "joint.shift", "joint.penetration", "joint.tilt")
    stepper = run(system, 1e-5, 0.2, lambda c, t: log.append([c[n] for n in names]))
    energy, shift, depth, tilt = np.array(log).T
    assert len(stepper.events) > 100
    assert np.diff(energy).max() < 1e-4 * energy[0]
    assert energy[-1] < 0.8 * energy[0]
    assert np.abs(shift).max() < 6e-4 and depth.max() < 2e-4 and tilt.max() < 0.05


# --- input --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "change, words",
    [
        ({"journal_radius": 0.01}, "does not fit"),
        ({"axis": None}, "needs an axis"),
        ({"length": -0.1}, "length must be positive"),
        ({"journal_length": 0.0}, "journal_length must be positive"),
        ({"journal_axis": (1, 0, 0.1)}, "differ by 84 degrees"),
        ({"gap": (6e-4, 0, 0)}, "axes are 0.0006 m apart"),
        ({"journal_axis": (0, 0.04, 1)}, "overlap at the start"),
        ({"stations": 0}, "stations must be a whole number"),
        ({"rule": "lobato"}, "did you mean 'lobatto'"),
        ({"materials": None, "stiffness": None}, "neither body has a material"),
        ({"thrust": 3}, "thrust must be Thrust"),
        ({"thrust": fc.Thrust(1e-4, 0.009)}, "must exceed the journal's"),
        ({"thrust": fc.Thrust(1e-4, 0.012, fc.Hertz())}, "give Thrust\\(stiffness=...\\)"),
        ({"thrust": fc.Thrust(1e-4, 0.012), "gap": (0, 0, 1e-3)}, "play is 0.0001 m"),
        ({"thrust": fc.Thrust(1e-4, 0.012, fc.Liu())}, "the joint has no length"),
    ],
)
def test_bad_input_is_a_sentence(change, words):
    system = fc.System()
    gap = np.array(change.pop("gap", (0, 0, 0)))
    bodies = [system.add(fc.RigidBody(1.0, (1, 1, 1), position=k * gap, free=True)) for k in (0, 1)]
    options = {**SIZE, "axis": Z, "materials": (STEEL, STEEL), **change}
    with pytest.raises(fc.InputError, match=words):
        system.add(fc.CylindricalClearance(bodies[0].center, bodies[1].center, **options))


@pytest.mark.parametrize(
    "options, words",
    [
        ({"play": -1e-4}, "play must not be negative"),
        ({"radius": 0.0}, "radius must be positive"),
        ({"points": 2}, "at least 3"),
        ({"normal": 3}, "must be a normal-force law"),
        ({"friction": 0.3}, "must be a friction law"),
        ({"ends": (False, False)}, "at least one of two ends"),
        ({"stiffness": -1.0}, "stiffness must be positive"),
    ],
)
def test_bad_thrust_is_a_sentence(options, words):
    with pytest.raises(fc.InputError, match=words):
        fc.Thrust(**{"play": 1e-4, "radius": 0.012, **options})
