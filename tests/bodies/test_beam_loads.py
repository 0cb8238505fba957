"""Loads and joints of beams, at nodes and inside elements: closed forms, balance, nodal forces."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.beams.layout import BeamPoint
from fem_clearance.diagnostics import tangent_error

from .cantilevers import EI, MODELS, SLOW_ANCF, SQUARE, STEEL, L, clamped, straight


# --- loads ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("model", MODELS)
def test_end_moment(model):
    """A moment M bends the tip by M L^2/2EI; the clamp holds M."""
    beam = straight(model)
    r = clamped(beam, fc.Torque(beam.end, (0, 0, 0.1)))
    assert r["tip.y"][-1] == pytest.approx(0.1 * L**2 / (2 * EI), rel=5e-3)
    assert r["clamp.moment.z"][-1] == pytest.approx(-0.1, rel=1e-9)


def test_moment_on_a_cable_as_nodal_forces():
    """docs/beams.md: the slope unknown S bears the force M x S/|S|^2, r none."""
    beam = straight("cable", free=True)
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    moment = np.array([0.3, -0.2, 0.5])
    system.add(fc.Torque(beam.end, moment))
    state = system.state
    rng = np.random.default_rng(1)
    state.q += 0.01 * rng.normal(size=state.size)
    forces = {}
    for factor in (1.0, 0.0):
        for c, numbers in zip(state.components, state.parameters, strict=True):
            if "vector" in c.kind.parameters:
                numbers[:, c.kind.columns("vector")] = factor * moment
        f = state.residual()
        node = beam.nodes[-1]
        forces[factor] = {n: f[b.numbers].copy() for n, b in node.items()}
    S = state.q[node["slope"].numbers]
    applied = {n: forces[0.0][n] - forces[1.0][n] for n in forces[1.0]}
    assert applied["r"] == pytest.approx(np.zeros(3), abs=1e-9)
    expected = np.cross(moment, S) / (S @ S)
    assert applied["slope"] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("model", ["cable", "quadratic", SLOW_ANCF])
def test_line_loads(model):
    """q0 (1 - s/L) along y: tip q0 L^4/30EI (+ shear q0 L^2/6GA); a moment m per length: m L^3/3EI;
    a span [a, b]: sum and moment about the root."""
    q0, m = 0.01, 0.01
    beam = straight(model)
    r = clamped(beam, fc.LineLoad(beam, lambda s: (0, q0 * (1 - s / L), 0), name="wind"))
    assert r["tip.y"][-1] == pytest.approx(q0 * L**4 / (30 * EI), rel=5e-3)
    assert r["wind.y"][-1] == pytest.approx(q0 * L / 2, rel=1e-12)
    beam = straight(model)
    r = clamped(beam, fc.LineLoad(beam, (0, 0, m), moment=True))
    assert r["tip.y"][-1] == pytest.approx(m * L**3 / (3 * EI), rel=5e-3)
    beam = straight(model)
    r = clamped(beam, fc.LineLoad(beam, (0, q0, 0), span=(0.3, 1.1)))
    assert r["clamp.reaction.y"][-1] == pytest.approx(-q0 * 0.8, rel=1e-9)
    assert r["clamp.moment.z"][-1] == pytest.approx(-q0 * 0.8 * 0.7, rel=1e-6)


def test_a_uniform_line_load_is_the_beams_own_load():
    tips = []
    for own in (True, False):
        beam = straight("quadratic", load=(0, 5.0, 0) if own else (0, 0, 0))
        items = [] if own else [fc.LineLoad(beam, (0, 5.0, 0))]
        tips.append(clamped(beam, *items)["tip.y"][-1])
    assert tips[1] == pytest.approx(tips[0], rel=1e-9)


def test_follower_force_stays_across_the_end():
    """A follower across the tip of a strongly bent beam: all shear there, no normal force."""
    beam, F = straight("quadratic", 12), 3 * EI / L**2
    probes = [fc.SectionForces(beam, L, name="end")]
    r = clamped(beam, fc.Force(beam.end, (0, -F, 0), follower=True), *probes, steps=6)
    assert abs(r["tip.y"][-1]) > 0.6 * L
    assert r["end.Q_y"][-1] == pytest.approx(-F, rel=2e-3)
    assert abs(r["end.N"][-1]) < 5e-3 * F


# --- joints anywhere ------------------------------------------------------------------------------
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("place", [0.37, 1.0])
def test_a_force_inside_an_element(model, place):
    """The clamp bears force and lever arm; the tip follows as a straight extension,
    F a^2 (3 L - a)/6EI."""
    beam, F = straight(model, 40), 0.05
    a = place * L
    r = clamped(beam, fc.Force(beam.at_length(a), (0, F, 0)))
    assert r["clamp.moment.z"][-1] == pytest.approx(-F * a, rel=1e-6)
    expected = F * a**2 * (3 * L - a) / (6 * EI)
    assert r["tip.y"][-1] == pytest.approx(expected, rel=6e-3)


@pytest.mark.parametrize("model", ["quadratic", SLOW_ANCF])
def test_a_body_fixed_inside_an_element(model):
    """A block fixed at .37 L: the joint bears its weight, the clamp weights times arms."""
    a, mass = 0.37 * L, 2.0
    system = fc.System(gravity=(0, -10, 0))
    beam = system.add(straight(model, 12))
    system.add(fc.FixedJoint(system.ground, beam.start, name="clamp"))
    block = fc.RigidBody(mass=mass, inertia=(0.01, 0.01, 0.01), position=(a, 0, 0), name="block")
    system.add(block)
    joint = system.add(fc.FixedJoint(beam.at((a, 0, 0)), block, name="hook"))
    assert joint.i.name.endswith("at arc length 0.74 m")
    r = fc.Statics(system, steps=1).solve()
    assert r["hook.reaction.y"][-1] == pytest.approx(mass * 10, rel=1e-9)
    moment = mass * 10 * a + STEEL.rho * SQUARE.area * L * 10 * L / 2
    assert r["clamp.moment.z"][-1] == pytest.approx(moment, rel=1e-3)


def test_a_body_hung_from_a_cable():
    """A pendulum bob pinned inside an element of a cable: the pin bears its weight."""
    a = 0.37 * L
    system = fc.System(gravity=(0, -10, 0))
    cable = system.add(straight("cable", 4))
    system.add(fc.FixedJoint(system.ground, cable.start, name="clamp"))
    block = fc.RigidBody(mass=2.0, inertia=(0.1, 0.1, 0.1), position=(a, -0.3, 0), name="bob")
    system.add(block)
    system.add(fc.SphericalJoint(cable.at((a, 0, 0)), block.at((a, 0, 0)), name="pin"))
    system.add(fc.TorsionSpring(system.ground, block.center, axis=(0, 1, 0), stiffness=1.0))
    r = fc.Statics(system, steps=1).solve()
    assert r["pin.reaction.y"][-1] == pytest.approx(20.0, rel=1e-9)


def test_a_frame_inside_an_element_moves_with_it():
    """Position and angular velocity of a rigid motion, for all models."""
    for model in MODELS:
        beam = straight(model, 3, velocity=(1, 2, 3), angular_velocity=(0.4, 0.5, -2.0), free=True)
        system = fc.System(gravity=(0, 0, 0))
        system.add(beam)
        system.add(fc.Probe(beam.at_length(0.41), name="here"))
        system.assemble()
        system.channels.read()
        channels = system.channels
        arm = np.array([0.41, 0, 0]) - beam.position
        expected = np.array([1, 2, 3]) + np.cross([0.4, 0.5, -2.0], arm)
        assert [channels[f"here.v{x}"] for x in "xyz"] == pytest.approx(expected, rel=1e-12)
        assert channels["here.x"] == pytest.approx(0.41)
        if model != "cable":
            omega = [channels[f"here.omega_{x}"] for x in "xyz"]
            assert omega == pytest.approx([0.4, 0.5, -2.0], rel=1e-9)


# --- forms of frames inside an element ------------------------------------------------------------
def test_tangent_of_items_inside_an_element():
    """Joint, torque and follower at 27 unknowns, derived for a node's 9: central differences."""
    system = fc.System(gravity=(0, -10, 0))
    beam = system.add(straight("quadratic", 2))
    block = system.add(fc.RigidBody(mass=2.0, inertia=(0.01, 0.02, 0.03), position=(0.3, 0, 0)))
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.FixedJoint(beam.at((0.3, 0, 0)), block))
    system.add(fc.Torque(beam.at_length(0.7), (0.1, 0.2, 0.3)))
    system.add(fc.Force(beam.at_length(0.7), (1, 2, 3), follower=True))
    state = system.state
    rng = np.random.default_rng(1)
    for field, size in ((state.q, 0.02), (state.v, 1.0), (state.a, 1.0)):
        free = slice(0, state.size)
        field[free] += size * rng.normal(size=state.size)
    assert tangent_error(state) < 1e-6


@pytest.mark.parametrize("model", MODELS)
def test_a_point_at_a_node_is_the_node(model):
    """The interpolated frame at the end of an element against the node's: the same forces."""
    forces = []
    for frame in (lambda b: b.end, lambda b: BeamPoint(b, L)):
        beam = straight(model, 2, free=True)
        system = fc.System(gravity=(0, 0, 0))
        system.add(beam)
        system.add(fc.Torque(frame(beam), (100.0, 200.0, 300.0)))
        system.add(fc.Force(frame(beam), (100.0, 200.0, 300.0)))
        state = system.state
        state.q += 0.02 * np.random.default_rng(1).normal(size=state.size)
        forces.append(state.residual()[: state.size].copy())
    assert forces[1] == pytest.approx(forces[0], abs=1e-12 * np.abs(forces[0]).max())


def test_moment_on_a_section_as_nodal_forces():
    """docs/beams.md, for orthonormal directors: c x d2 + p (M.n) d3 on d2, c x d3 - (1-p)(M.n) d2
    on d3, c = M - (M.n) n, p = I_y/(I_y + I_z)."""
    section, moment = fc.Rectangle(0.02, 0.05), np.array([0.3, -0.2, 0.5])
    beam = straight("quadratic", 2, section, free=True)
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    system.add(fc.Torque(beam.end, moment))
    state = system.state
    p = section.I_y / (section.I_y + section.I_z)
    f = -state.residual()
    n, d2, d3 = np.eye(3)
    across = moment - (moment @ n) * n
    node = beam.nodes[-1]
    expected = np.cross(across, d2) + p * (moment @ n) * d3
    assert f[node["d2"].numbers] == pytest.approx(expected, abs=2e-6)  # round-off of E A
    expected = np.cross(across, d3) - (1 - p) * (moment @ n) * d2
    assert f[node["d3"].numbers] == pytest.approx(expected, abs=2e-6)  # round-off of E A
    assert f[node["r"].numbers] == pytest.approx(np.zeros(3), abs=2e-6)  # round-off of E A
