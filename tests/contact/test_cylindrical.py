"""Cylindrical clearance joint at a place: against the revolute one and closed forms, tangents."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.contact.cylindrical import RULES, quadrature
from fem_clearance.diagnostics import tangent_error

from .journals import FRICTION, GAP, LENGTH, SIZE, SPRING, STIFFNESS, Z, in_ground, moved, put

STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)
BAI_ZHAO = {"normal": fc.BaiZhao(restitution=0.9), "stiffness": None, "materials": (STEEL, STEEL)}
#: the paper's laws take a minute to compile: quick tests have those that others compile too
LAWS = [
    pytest.param({**SPRING, "friction": FRICTION}, id="friction"),
    pytest.param(
        {
            "normal": fc.LankaraniNikravesh(restitution=0.9),
            "stiffness": 1e10,
            "approach_floor": 0.1,
        },
        id="hysteresis",
    ),
    pytest.param({**BAI_ZHAO, "approach_floor": 0.1}, marks=pytest.mark.slow, id="Bai-Zhao"),
    pytest.param(
        {**BAI_ZHAO, "friction": FRICTION, "approach_floor": 0.1},
        marks=pytest.mark.slow,
        id="Bai-Zhao, friction",
    ),
]


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
        names = "normal_force", "friction_force", "friction_loss", "ex", "ey", "eccentricity"
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
        put(system, body, (0, 0, 0), 1.001 * limit)
        assert channel("contacts") == 2
        tilt = 2 * limit
        put(system, body, (0, 0, 0), tilt)
        assert channel("penetration") == pytest.approx(np.tan(tilt) * LENGTH / 2 - GAP, rel=1e-12)
        force = channel("normal_force")
        assert [channel("force." + x) for x in "xyz"] == pytest.approx((0, 0, 0), abs=1e-9 * force)
        assert channel("moment.x") < 0  # rights the journal
        errors.append(abs(channel("moment.x") / tilted_closed_form(tilt) + 1))
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
    assert c["joint.force.y"] == pytest.approx(force, rel=2e-3)
    assert c["joint.moment.x"] == pytest.approx(-moment, rel=2e-3)
    assert c["joint.force.z"] == pytest.approx(force * np.tan(tilt), rel=2e-3)  # across the journal
    assert c["joint.penetration"] == pytest.approx(4.5e-4 + np.tan(tilt) * LENGTH / 2 - GAP)


def test_journal_that_ends_inside():
    """Half of it in the bearing: half of the force; gone: none."""
    forces = []
    for shift in (0.0, 0.5, 1.1, -0.5, -1.1):
        system, body, joint = in_ground(journal_length=LENGTH)
        system.add(joint)
        moved(system, body, (0, -5.5e-4, shift * LENGTH))
        forces.append(system.channels["joint.force.y"])
        assert system.channels["joint.overlap"] == pytest.approx(max(0, 1 - abs(shift)) * LENGTH)
    assert forces == pytest.approx(STIFFNESS * 5e-5 * np.array([1, 0.5, 0, 0.5, 0]), rel=1e-10)


def test_short_journal_pushes_across_the_bearing():
    """Where the journal ends inside, the bearing's surface gives the direction."""
    system, body, joint = in_ground(journal_length=LENGTH / 2)
    system.add(joint)
    moved(system, body, (0, -4.8e-4, 0), 1e-2)
    assert system.channels["joint.force.y"] > 10
    assert abs(system.channels["joint.force.z"]) < 1e-9 * system.channels["joint.force.y"]


def test_collars_carry_flat_and_right_a_tilt():
    """Flat on the face: K depth. Tilted: the touching side rights the journal."""
    face = fc.Thrust(2e-4, 0.012, fc.Hertz(exponent=1.0), STIFFNESS, points=8)
    system, body, joint = in_ground(thrust=face)
    system.add(joint)
    moved(system, body, (0, 0, -3e-4))
    c = system.channels
    assert c["joint.thrust.force.z"] == pytest.approx(STIFFNESS * 2e-4, rel=1e-10)
    assert c["joint.thrust.contacts"] == 8
    assert [c["joint.thrust.moment.x"], c["joint.thrust.moment.y"]] == pytest.approx(
        (0, 0), abs=1e-9
    )
    tilt = 0.02
    put(system, body, (0, 0, 0), tilt)
    # both collars touch on opposite sides, at the points +-y of the ring
    angles = np.pi / 4 * np.arange(8)
    out = 0.012 * np.sin(angles) * np.sin(tilt) - LENGTH / 2 * (1 - np.cos(tilt)) - 1e-4
    lever = 0.012 * np.sin(angles) * np.cos(tilt) - LENGTH / 2 * np.sin(tilt)
    moment = 2 * STIFFNESS / 8 * np.sum(np.maximum(out, 0) * lever)
    assert c["joint.thrust.contacts"] == 2 * (out > 0).sum()
    assert c["joint.thrust.moment.x"] == pytest.approx(-moment, rel=1e-6)


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
    state.v[:] += 0.05 * rng.standard_normal(state.total) * state.problem.dynamic
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
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    assert tangent_error(state, step=1e-8) < 1e-5


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
        ({"thrust": fc.Thrust(1e-4, 0.009)}, "must exceed that of the journal"),
        ({"thrust": fc.Thrust(1e-4, 0.012, fc.Hertz())}, "give Thrust\\(stiffness=...\\)"),
        ({"thrust": fc.Thrust(1e-4, 0.012), "gap": (0, 0, 1e-3)}, "\\(play\\) is 0.0001 m"),
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
        ({"ends": (False, False)}, "at least one of the two ends"),
        ({"stiffness": -1.0}, "stiffness must be positive"),
    ],
)
def test_bad_thrust_is_a_sentence(options, words):
    with pytest.raises(fc.InputError, match=words):
        fc.Thrust(**{"play": 1e-4, "radius": 0.012, **options})
