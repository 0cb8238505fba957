"""Beam elements: rigid motion, inertia, energies, tangents, pictures, input."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.bodies.beams.beam import Beam
from fem_clearance.bodies.beams.sections import Circle, Rectangle
from fem_clearance.bodies.materials import StVenantKirchhoff
from fem_clearance.diagnostics import tangent_error, tangent_errors

KINDS = [
    ("cable", "split"), ("quadratic", "split"), ("quadratic", "full"),
    ("ancf", "split"), ("ancf", "full"),
]  # fmt: skip
RUBBER = StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
SQUARE = Rectangle(0.02, 0.02)
ROTATION = Rotation.from_rotvec([0.9, -2.0, 0.7]).as_matrix()


def alone(model, poisson, section=SQUARE, gravity=(0, 0, 0), **options):
    """A beam that flies alone, and its assembled state."""
    system = fc.System(gravity=gravity)
    options.setdefault("elements", 3)
    beam = Beam(
        (0.1, 0.2, 0.3),
        (0.9, 0.5, 0.1),
        section,
        RUBBER,
        model=model,
        poisson=poisson,
        free=True,
        **options,
    )
    system.add(beam)
    return system, beam, system.state


def numbers(beam, *names):
    """Unknowns of some fields at all nodes, (nodes x 3)."""
    return np.array([node[n].numbers for node in beam.nodes for n in names if n in node])


def move_rigidly(state, beam, rotation, shift):
    full = state.everything(state.q)
    for field in beam.kind.node_fields:
        rows = numbers(beam, field)
        full[rows] = full[rows] @ rotation.T + (shift if field == "r" else 0)
    state.q[:] = full[state.numbers]


def disturb(state, size, seed=1):
    """A random state, the same on any number of ranks."""
    rng = np.random.default_rng(seed)
    for field, scale in ((state.q, size), (state.v, 1.0), (state.a, 10.0)):
        field += scale * rng.normal(size=state.size)[state.numbers]


@pytest.mark.mpi
@pytest.mark.parametrize(("model", "poisson"), KINDS)
def test_rigid_motion_leaves_no_strain(model, poisson):
    """Objectivity: a rotation and translation of all nodes costs no energy and no force."""
    system, beam, state = alone(model, poisson)
    move_rigidly(state, beam, ROTATION, np.array([3.0, -1.0, 2.0]))
    stiffness = RUBBER.E * SQUARE.area
    assert system.channels.read()[system.channels.names.index("energy.strain")] < 1e-26 * stiffness
    forces = state.add_over_ranks(state.residual())
    assert np.abs(forces).max(initial=0) < 1e-13 * stiffness


@pytest.mark.mpi
@pytest.mark.parametrize(("model", "poisson"), KINDS)
def test_tangent_is_the_derivative_of_the_residual(model, poisson):
    """Every derivative, by q, v and a, against central differences at a strongly strained state."""
    _, _, state = alone(model, poisson, load=(1, 2, 3), gravity=(1, 2, -9.81))
    disturb(state, 0.05)
    assert tangent_error(state) < 1e-7


def test_a_wrong_tangent_is_noticed(monkeypatch):
    """The check itself: one entry that is 0.1 % off is found in the right field."""
    _, _, state = alone("quadratic", "split")
    disturb(state, 0.05)
    right = state.tangent

    def wrong(beta, gamma):
        result = right(beta, gamma).copy()
        largest = np.argmax(np.abs(right(0.0, 0.0)))
        result[largest] *= 1.001
        return result

    monkeypatch.setattr(state, "tangent", wrong)
    assert tangent_errors(state)["q"] > 1e-4


def gauss(a, b, n=6):
    x, w = np.polynomial.legendre.leggauss(n)
    return (a + b) / 2 + (b - a) / 2 * x, (b - a) / 2 * w


@pytest.mark.parametrize("section", [Rectangle(0.02, 0.05), Circle(0.015)])
def test_full_law_is_the_solid_integrated_over_the_section(section):
    """Strain energy of one deformed ANCF element (Shabana and Yakoub 2001, full law) against numpy
    quadrature of the three-dimensional St. Venant-Kirchhoff energy at 30 and more points."""
    system, beam, state = alone("ancf", "full", section, elements=1)
    rng = np.random.default_rng(3)
    state.q += 0.05 * rng.normal(size=state.size)
    r0, s0, d20, d30, r1, s1, d21, d31 = (
        state.q[node[n].numbers] for node in beam.nodes for n in ("r", "slope", "d2", "d3")
    )
    L, (points, weights) = beam.length, section.quadrature(4)
    energy = 0.0
    # four points along the axis: the degree of the form, so that both sums are the same
    for x, w in zip(*gauss(0.0, 1.0, 4), strict=True):
        h = np.array([6 * x**2 - 6 * x, 3 * x**2 - 4 * x + 1, 6 * x - 6 * x**2, 3 * x**2 - 2 * x])
        t = (h[0] * r0 + h[1] * s0 + h[2] * r1 + h[3] * s1) / L
        d2, d3 = d20 + x * (d21 - d20), d30 + x * (d31 - d30)
        for (y, z), a in zip(points, weights, strict=True):
            F = np.column_stack([t + (y * (d21 - d20) + z * (d31 - d30)) / L, d2, d3])
            G = (F.T @ F - np.eye(3)) / 2
            energy += w * L * a * (RUBBER.lam / 2 * np.trace(G) ** 2 + RUBBER.mu * np.sum(G * G))
    system.channels.read()
    assert system.channels["energy.strain"] == pytest.approx(energy, rel=1e-12)


def test_split_and_full_agree_without_poisson_effect():
    """For nu = 0 the split of the elasticity tensor changes nothing (Nachbagauer et al. 2011)."""
    energies = []
    for poisson in ("split", "full"):
        system = fc.System()
        cork = StVenantKirchhoff(E=6e7, nu=0.0, rho=6000)
        beam = Beam(
            (0, 0, 0), (1, 0, 0), SQUARE, cork, 2, poisson=poisson, strain="green",
            section_model="plane", free=True,
        )  # fmt: skip
        system.add(beam)
        state = system.state
        disturb(state, 0.05)
        system.channels.read()
        energies.append(system.channels["energy.strain"])
    assert energies[0] == pytest.approx(energies[1], rel=1e-12)


@pytest.mark.parametrize("model", ["quadratic", "ancf", "cable"])
def test_kinetic_energy_of_an_initial_rigid_motion(model):
    """m v^2/2 + w.J.w/2 of a box (textbook moments); a cable is a rod without thickness."""
    section, v, w = Rectangle(0.06, 0.1), np.array([0.3, -1.0, 2.0]), np.array([1.0, 2.0, -3.0])
    if model == "cable":
        section = SQUARE
    system, beam, _ = alone(model, "split", section, velocity=v, angular_velocity=w, up=(0, 0, 1))
    sizes = (beam.length, 0, 0) if model == "cable" else (beam.length, 0.06, 0.1)
    squares = np.array(sizes) ** 2
    moments = beam.mass / 12 * (squares.sum() - squares)
    omega = beam.axes.T @ w
    system.channels.read()
    expected = beam.mass / 2 * v @ v + omega @ (moments * omega) / 2
    assert system.channels["energy.kinetic"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("section", [Rectangle(0.02, 0.05), Circle(0.3)])
def test_moments_equal_the_quadrature(section):
    points, w = section.quadrature(4)
    y, z = points.T
    for p in range(5):
        for q in range(5 - p):
            numeric = np.sum(w * y**p * z**q)
            assert section.moment(p, q) == pytest.approx(numeric, rel=1e-13, abs=1e-17)


def test_textbook_moments():
    """b h, b^3 h/12; pi R^2, pi R^4/4, and pi R^6/24 for y^2 z^2 (in polar coordinates)."""
    box, disc = Rectangle(0.2, 0.3), Circle(2.0)
    second = (0.2**3 * 0.3 / 12, 0.2 * 0.3**3 / 12)
    assert (box.area, box.I_y, box.I_z) == pytest.approx((0.06, *second))
    assert (disc.area, disc.I_y, disc.moment(2, 2)) == pytest.approx(
        (4 * np.pi, 4 * np.pi, 64 * np.pi / 24)
    )


@pytest.mark.parametrize("model", ["cable", "quadratic", "ancf"])
def test_shape_follows_the_beam(model):
    """A turned beam is drawn turned: points on its line, directors across it."""
    _, beam, state = alone(model, "split", up=(0, 0, 1))
    shift = np.array([0.0, 0.0, 1.0])
    move_rigidly(state, beam, ROTATION, shift)
    shape = beam.shape(state.everything(state.q))
    line = beam.origin + np.linspace(0, 1, 7)[:, None] * beam.length * beam.axes[:, 0]
    assert shape.points == pytest.approx(line @ ROTATION.T + shift, abs=1e-13)
    axis = ROTATION @ beam.axes[:, 0]
    for d in (shape.d2, shape.d3):
        assert d @ axis == pytest.approx(np.zeros(7), abs=1e-13)
        assert np.linalg.norm(d, axis=1) == pytest.approx(np.ones(7))
    if model != "cable":  # a cable does not know how it is turned about its axis
        assert shape.d2[3] == pytest.approx(ROTATION @ beam.axes[:, 1], abs=1e-13)


def test_a_cable_turned_straight_back_can_be_drawn():
    _, beam, state = alone("cable", "split")
    turn = Rotation.from_rotvec(np.pi * beam.axes[:, 2]).as_matrix()
    move_rigidly(state, beam, turn, 0)
    shape = beam.shape(state.q)
    assert shape.d2[0] == pytest.approx(-beam.axes[:, 1], abs=1e-6)


def test_frames_of_nodes():
    """Ends, nodes by number and by place; the triad of the section."""
    _, beam, _ = alone("quadratic", "split", elements=4, name="arm", up=(0, 0, 1))
    names = [frame.name for frame in (beam.start, beam.node(2), beam.end)]
    assert names == ["arm.start", "arm.node4", "arm.end"]
    assert beam.end.position == pytest.approx([0.9, 0.5, 0.1])
    assert beam.node(-1).k == beam.node(4).k == 8
    halfway = beam.at(beam.position + beam.length / 8 * beam.axes[:, 0])
    assert halfway.k == 5
    assert halfway.refs[0].values == pytest.approx(halfway.position)
    assert beam.start.basis.T @ beam.start.basis == pytest.approx(np.eye(3))
    assert beam.start.basis[:, 1] @ [0, 0, 1] > 0.9
    assert beam.start.kind.has_triad


def make(**changes):
    values = {"start": (0, 0, 0), "end": (1, 0, 0), "section": SQUARE, "material": RUBBER}
    return Beam(**(values | {"name": "arm"} | changes))


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: make(end=(0, 0, 0)), "arm: start and end are the same point"),
        (lambda: make(end=(0, 0, float("nan"))), "arm: end must be finite"),
        (lambda: make(end=(0, 1)), "arm: end must be a vector of 3"),
        (lambda: make(elements=0), "arm: elements must be a whole number of at least 1, got 0"),
        (lambda: make(elements=2.5), "arm: elements must be a whole number"),
        (lambda: make(model="quadratc"), "did you mean 'quadratic'"),
        (lambda: make(poisson="ful"), "did you mean 'full'"),
        (lambda: make(model="cable", poisson="full"), "arm: a cable has no strains across"),
        (
            lambda: make(model="cable", section=Rectangle(0.01, 0.02)),
            "arm: a cable has equal bending stiffness",
        ),
        (lambda: make(up=(-2, 0, 0)), "arm: up must not be parallel"),
        (lambda: make(up=(0, 0, 0)), "arm: up must not be the zero vector"),
        (lambda: make(section=0.02), "arm: section must be a section such as"),
        (lambda: make(material="steel"), "arm: material must be a material such as"),
        (lambda: make(load=(0, 1)), "arm: load must be a vector of 3"),
        (lambda: make().node(9), "arm has no node 9: its nodes are 0 to 6"),
        (lambda: make().at((0.1, 0.2, 0)), r"arm: \(0.1, 0.2, 0\) is 0.2 m away from its"),
        (lambda: Rectangle(-0.02, 0.02), "Rectangle.width_y must be positive, got -0.02"),
        (lambda: Circle(0), "Circle.radius must be positive, got 0"),
        (lambda: StVenantKirchhoff(-1, 0.3, 1), "Young's modulus E must be positive, got -1"),
        (lambda: StVenantKirchhoff(1, 0.5, 1), "nu must lie above -1 and below 0.5, got 0.5"),
        (lambda: StVenantKirchhoff(1, 0.3, 0), "density rho must be positive, got 0"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(build, words):
    with pytest.raises(fc.InputError, match=words):
        build()


def test_a_cable_has_no_triad_for_a_hinge():
    system = fc.System()
    cable = system.add(make(model="cable"))
    with pytest.raises(fc.InputError, match="a triad at arm.start"):
        fc.RevoluteJoint(system.ground, cable.start, axis=(0, 0, 1))
