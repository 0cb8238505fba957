"""Loads and joints of beams anywhere, section forces, stress, damping: closed forms and balance."""

from dataclasses import dataclass

import numpy as np
import pytest
import ufl
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.bodies.beam_frames import BeamPoint
from fem_clearance.core.newton import Newton
from fem_clearance.diagnostics import tangent_error

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
SQUARE, L = fc.Rectangle(0.02, 0.02), 2.0
EI, EA, GA = STEEL.E * SQUARE.I_y, STEEL.E * SQUARE.area, STEEL.mu * SQUARE.area
MODELS = ["cable", "quadratic", "ancf"]
SLOW_ANCF = pytest.param("ancf", marks=pytest.mark.slow)  # long compilation
#: enough for 0.5 % with every model (ANCF locks in shear when coarse)
ELEMENTS = {"cable": 6, "quadratic": 6, "ancf": 40}


def straight(model, elements=None, section=SQUARE, **options):
    elements = elements or ELEMENTS[model]
    return fc.Beam((0, 0, 0), (L, 0, 0), section, STEEL, elements, model=model, **options)


def clamped(beam, *items, steps=1):
    """Results of a beam clamped at its start; probe ``tip`` and joint ``clamp``."""
    return solved(beam, *items, steps=steps)[0]


def solved(beam, *items, steps=1):
    """These results, and the coordinates by global number."""
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    system.add(fc.FixedJoint(system.ground, beam.start, name="clamp"))
    for item in items:
        system.add(item)
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=steps).solve()
    return results, system.state.everything(system.state.q)


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
    state = system.assemble()
    rng = np.random.default_rng(1)
    state.q += 0.01 * rng.normal(size=state.size)
    forces = {}
    for factor in (1.0, 0.0):
        for c, numbers in zip(state.components, state.parameters, strict=True):
            if "vector" in c.kind.parameters:
                numbers[:, c.kind.columns(c.kind.parameters, "vector")] = factor * moment
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


# --- section forces and stress --------------------------------------------------------------------
def loaded(model, torque, elements):
    beam = straight(model, elements)
    places = {"a": 0.0, "b": 0.31, "c": 1.0}
    probes = [fc.SectionForces(beam, s, name=n) for n, s in places.items()]
    items = [fc.Force(beam.end, (0.03, -0.01, 0.005))]
    if torque:
        items.append(fc.Torque(beam.end, (0.002, 0, 0)))
    return beam, places, *solved(beam, *items, *probes)


@pytest.mark.parametrize(
    ("model", "elements", "error"), [("quadratic", 8, 3e-3), ("cable", 8, 5e-3)]
)
def test_section_forces_balance_the_load(model, elements, error):
    """Small bending: N, Q constant, moments force times arm, torque constant; the clamp agrees."""
    beam, places, r, _ = loaded(model, model != "cable", elements)
    for name, s in places.items():
        arm = L - s
        assert r[f"{name}.Q_y"][-1] == pytest.approx(-0.01, rel=error)
        assert r[f"{name}.Q_z"][-1] == pytest.approx(0.005, rel=error)
        assert r[f"{name}.N"][-1] == pytest.approx(0.03, rel=error)
        assert r[f"{name}.M_z"][-1] == pytest.approx(-0.01 * arm, rel=error)
        assert r[f"{name}.M_y"][-1] == pytest.approx(-0.005 * arm, rel=error)
        torque = 0.002 if model != "cable" else 0.0
        assert r[f"{name}.M_t"][-1] == pytest.approx(torque, rel=1e-2, abs=1e-9)
    assert r["a.M_z"][-1] == pytest.approx(-r["clamp.moment.z"][-1], rel=error)


@pytest.mark.parametrize("model", ["quadratic", "cable"])
def test_section_forces_and_stress_of_the_whole_beam(model):
    """After the fact: the same numbers as the probe; N/A and M y/I on the outline."""
    beam, _, r, state = loaded(model, False, 8)
    forces = beam.section_forces(state)
    k = int(np.argmin(np.abs(forces["s"] - 1.0)))
    for name in ("N", "Q_y", "Q_z", "M_y", "M_z"):
        assert forces[name][k] == pytest.approx(r[f"c.{name}"][-1], rel=1e-9)
    stress = beam.surface_stress(state)
    y, z = SQUARE.outline.T
    expected = forces["N"][k] / SQUARE.area
    expected = expected - forces["M_z"][k] * y / SQUARE.I_y + forces["M_y"][k] * z / SQUARE.I_z
    assert stress["xx"][k] == pytest.approx(expected, rel=2e-3)
    assert stress["von_mises"][k] == pytest.approx(np.abs(expected), rel=1e-2)


def test_torsion_stress_of_a_tube():
    """T r/I_p on the outline of a tube, von Mises sqrt(3) times it."""
    tube = fc.Tube(0.03, 0.02)
    beam = straight("quadratic", 4, tube)
    _, state = solved(beam, fc.Torque(beam.end, (50.0, 0, 0)))
    stress = beam.surface_stress(state)
    expected = 50.0 * 0.03 / (tube.I_y + tube.I_z)
    assert stress["von_mises"] == pytest.approx(np.full((9, 24), np.sqrt(3) * expected), rel=1e-3)


# --- damping --------------------------------------------------------------------------------------
DAMPED = {
    "cable": lambda: straight("cable", 3, damping=1e-3, free=True),
    "quadratic": lambda: straight("quadratic", 2, damping=1e-3, free=True),
    "quadratic, green": lambda: straight("quadratic", 2, damping=1e-3, free=True, strain="green"),
    "ancf, full": lambda: straight("ancf", 2, damping=1e-3, free=True, poisson="full"),
    "neo-Hookean": lambda: fc.Beam(
        (0, 0, 0), (L, 0, 0), SQUARE, fc.NeoHookean(2e11, 0.3, 7800), 2, damping=1e-3, free=True
    ),
    "arc": lambda: fc.Beam.along(
        fc.Arc((0, 1, 0), (0, 0, 0), (0, 0, 1), 1.2), SQUARE, STEEL, 2, damping=1e-3, free=True
    ),
}


def matrices(state):
    """Stiffness, damping and mass matrix at the present state."""
    parts = [state.tangent(*z).copy() for z in ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))]
    n = state.size
    dense = []
    for entries in (parts[0], parts[1] - parts[0], parts[2] - parts[0]):
        matrix = np.zeros((n, n))
        np.add.at(matrix, (state.coo_rows, state.coo_cols), entries)
        dense.append(matrix)
    return dense


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "neo-Hookean")) for n in DAMPED]
)
def test_damping_matrix_is_the_retardation_time_times_the_stiffness(name):
    """At rest, whatever the law: so the damping ratio of every mode is omega tau/2."""
    system = fc.System(gravity=(0, 0, 0))
    system.add(DAMPED[name]())
    K, C, _ = matrices(system.assemble())
    assert np.abs(C - 1e-3 * K).max() < 1e-12 * np.abs(K).max()


@pytest.mark.parametrize(
    "name", ["cable", "quadratic", pytest.param("neo-Hookean", marks=pytest.mark.slow)]
)
def test_a_spinning_beam_is_not_damped(name):
    """Rates of strain vanish in a rigid rotation of a bent beam about the normal of its plane."""
    beam = DAMPED[name]()
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    state = system.assemble()
    for k, node in enumerate(beam.nodes):  # an arc of a circle, radius 1
        a = beam.stations[k]
        e1, e2 = np.array([np.cos(a), np.sin(a), 0]), np.array([-np.sin(a), np.cos(a), 0])
        values = {"r": -e2, "slope": L / beam.elements * e1, "d2": e2, "d3": np.eye(3)[2]}
        for field, block in node.items():
            state.q[block.numbers] = values[field]
            state.v[block.numbers] = np.cross([0, 0, 3.0], values[field])
    system.channels.read()
    power = system.channels[f"{beam.name}.damping_power"]
    state.v[:] = np.random.default_rng(2).normal(size=state.size)
    system.channels.read()
    assert abs(power) < 1e-12 * system.channels[f"{beam.name}.damping_power"]


@pytest.mark.parametrize(("model", "elements"), [("cable", 4), ("quadratic", 3)])
def test_logarithmic_decrement(model, elements):
    """Free bending vibration of small amplitude in the first mode of a free beam: energy decays by
    exp(-tau omega^2 t), omega from the eigenvalue problem; what is lost is the damping power."""
    tau = 2e-4
    beam = straight(model, elements, damping=tau, free=True)
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    state = system.assemble()
    K, _, M = matrices(state)
    squares, modes = eigh((K + K.T) / 2, (M + M.T) / 2)
    first = int(np.argmax(squares > 1.0))
    omega, shape = np.sqrt(squares[first]), modes[:, first]
    state.q += 1e-5 * shape / np.abs(shape).max()
    state.q_n[:] = state.q
    newton = Newton(state, 1e-10)
    scheme = fc.GeneralizedAlpha(1.0).scheme(newton)
    h = 2 * np.pi / omega / 200
    scheme.start(h)
    channels = system.channels

    def look():
        channels.read()
        energy = channels["energy.kinetic"] + channels["energy.strain"]
        return energy, channels[f"{beam.name}.damping_power"]

    energies, powers = zip(look(), strict=True)
    energies, powers = [*energies], [*powers]
    steps = 400
    for _ in range(steps):
        assert scheme.step(h)
        newton.accepted()
        energy, power = look()
        energies.append(energy)
        powers.append(power)
    decay = np.log(energies[0] / energies[-1]) / (steps * h)
    assert decay == pytest.approx(tau * omega**2, rel=5e-3)
    lost = h * (np.sum(powers) - (powers[0] + powers[-1]) / 2)
    assert energies[0] - energies[-1] == pytest.approx(lost, rel=5e-3)


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
    state = system.assemble()
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
        state = system.assemble()
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
    state = system.assemble()
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


@pytest.mark.parametrize("law", ["green", "neo-Hookean", "biot"])
def test_stress_of_a_stretched_and_turned_beam(law):
    """Cauchy's stress of F = diag(a, b, b): neo-Hookean (mu (a^2 - 1) + lam ln J)/J; Green's split
    law a^2 S/J with the full law's S; Biot's the same S of a - 1 (undeformed area)."""
    m = STEEL if law != "neo-Hookean" else fc.NeoHookean(2e11, 0.3, 7800)
    options = {} if law == "neo-Hookean" else {"strain": law}
    beam = fc.Beam((0, 0, 0), (L, 0, 0), SQUARE, m, 2, free=True, **options)
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    state = system.assemble()
    a, b = 1.02, 0.995
    turn = Rotation.from_rotvec([0.9, -2.0, 0.7]).as_matrix()
    for node in beam.nodes:
        for name, factor in (("r", a), ("d2", b), ("d3", b)):
            state.q[node[name].numbers] = turn @ (factor * state.q[node[name].numbers])
    J = a * b * b
    axial, across = (a - 1 if law == "biot" else (a**2 - 1) / 2), (b**2 - 1) / 2
    S = [m.lam * (axial + 2 * across) + 2 * m.mu * x for x in (axial, across)]
    expected = {
        "neo-Hookean": [(m.mu * (x**2 - 1) + m.lam * np.log(J)) / J for x in (a, b)],
        "green": [S[0] * a**2 / J, S[1] * b**2 / J], "biot": S,
    }[law]  # fmt: skip
    stress = beam.surface_stress(state.everything(state.q))
    for name, value in (("xx", expected[0]), ("yy", expected[1]), ("zz", expected[1])):
        assert stress[name] == pytest.approx(np.full((5, 4), value), rel=1e-9)
    assert np.abs(stress["xy"]).max() < 1e-9 * abs(expected[0])


def test_the_law_of_the_docs():
    """Blatz and Ko's foam, ten lines in docs/beams.md: E = 5/2 mu at rest, so F L/EA under a small
    pull."""
    beam = fc.Beam((0, 0, 0), (L, 0, 0), SQUARE, Blatz(rho=300, mu=1e5), 2)
    pull = 1e-6 * 2.5e5 * SQUARE.area
    r = clamped(beam, fc.Force(beam.end, (pull, 0, 0)))
    assert r["tip.x"][-1] - L == pytest.approx(1e-6 * L, rel=1e-4)


@dataclass(frozen=True)
class Blatz(fc.Material):
    """mu/2 (tr C + 2/J - 5): Blatz and Ko's foam; at rest E = 5/2 mu, nu = 1/4."""

    mu: float
    parameters = ("mu",)

    @staticmethod
    def energy(F, p):
        return p.mu / 2 * (ufl.inner(F, F) + 2 / ufl.det(F) - 5)
