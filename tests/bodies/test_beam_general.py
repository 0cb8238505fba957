"""Curved, graded and twisted beams, general sections, materials: strains against what is exact."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.bodies.beams.elements import GeneralCableKind
from fem_clearance.bodies.beams.fibres import AncfFibreKind, QuadraticFibreKind
from fem_clearance.diagnostics import tangent_error

RUBBER = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
BOX, SQUARE = fc.Rectangle(0.02, 0.05), fc.Rectangle(0.02, 0.02)
ANGLE = fc.Polygon(1e-3 * np.array([(0, 0), (60, 0), (60, 10), (10, 10), (10, 40), (0, 40)]))
ROTATION = Rotation.from_rotvec([0.9, -2.0, 0.7]).as_matrix()
GRADED = (0.0, 0.1, 0.4, 1.0)


class Copy(fc.StVenantKirchhoff):
    """A user's copy of the law."""

    @staticmethod
    def energy(F, p):
        import ufl

        E = (F.T * F - ufl.Identity(3)) / 2
        return p.lam / 2 * ufl.tr(E) ** 2 + p.mu * ufl.inner(E, E)


def helix(s):
    return [np.cos(2 * s), np.sin(2 * s), 0.5 * s]


def arc(model, section=BOX, elements=GRADED, **options):
    curve = fc.Arc((0, 1, 0), (0, 0, 0), (0, 0, 1), 1.2)
    return fc.Beam.along(curve, section, RUBBER, elements, model=model, free=True, **options)


def straight(model, section=SQUARE, material=RUBBER, **options):
    options.setdefault("elements", 3)
    return fc.Beam(
        (0.1, 0.2, 0.3), (0.9, 0.5, 0.1), section, material, model=model, free=True, **options
    )


BEAMS = {
    "cable, arc": lambda: arc("cable", SQUARE),
    "cable, graded": lambda: straight("cable", elements=GRADED),
    "quadratic, arc": lambda: arc("quadratic"),
    "quadratic, arc, green": lambda: arc("quadratic", strain="green"),
    "quadratic, helix": lambda: fc.Beam.along(
        helix, ANGLE, RUBBER, 4, length=1.0, free=True, shear=(0.8, 0.7), torsion_constant=1e-8
    ),
    "quadratic, twisted": lambda: straight(
        "quadratic", BOX, up=lambda s: (0, np.cos(3 * s), np.sin(3 * s))
    ),
    "quadratic, neo-Hookean": lambda: straight("quadratic", material=fc.NeoHookean(6e7, 0.3, 6000)),
    "ancf, arc": lambda: arc("ancf"),
    "ancf, graded": lambda: straight("ancf", elements=GRADED, poisson="full"),
}


#: kinds that take long to compile; the rest stand for them in quick tests
SLOW = {"quadratic, arc, green", "quadratic, neo-Hookean", "ancf, arc", "ancf, graded"}
EACH = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in BEAMS]


def assembled(beam, **options):
    system = fc.System(gravity=options.pop("gravity", (0, 0, 0)))
    system.add(beam)
    return system, system.state


def disturb(state, size, seed=1):
    rng = np.random.default_rng(seed)
    for field, scale in ((state.q, size), (state.v, 1.0), (state.a, 10.0)):
        field += scale * rng.normal(size=state.size)[state.numbers]


@pytest.mark.parametrize("name", EACH)
def test_stress_free_at_rest_and_under_rigid_motion(name):
    """No forces as built; a rotation and translation costs no energy and no force (a curved cable
    turns about the normal of its plane)."""
    beam = BEAMS[name]()
    system, state = assembled(beam)
    stiffness = RUBBER.E * beam.section.area
    assert np.abs(state.residual()).max() < 1e-13 * stiffness
    turn = Rotation.from_rotvec([0, 0, 2.0]).as_matrix() if name == "cable, arc" else ROTATION
    for node in beam.nodes:
        for field, block in node.items():
            moved = turn @ state.q[block.numbers]
            state.q[block.numbers] = moved + ([3.0, -1.0, 2.0] if field == "r" else 0)
    system.channels.read()
    # round-off of strains squared; of the neo-Hookean energy it counts once
    round_off = 1e-16 if "Hookean" in name else 1e-26
    assert abs(system.channels["energy.strain"]) < round_off * stiffness
    assert np.abs(state.residual()).max() < 2e-13 * stiffness


@pytest.mark.parametrize("name", EACH)
def test_tangent_is_the_derivative_of_the_residual(name):
    """By q, v and a, damping included, against central differences."""
    beam = BEAMS[name]()
    beam.damping, beam.load = 0.01, np.array([1.0, 2.0, 3.0])
    _, state = assembled(beam, gravity=(1, 2, -9.81))
    disturb(state, 0.005)
    assert tangent_error(state) < 1e-6


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("cable", {}),
        ("quadratic", {}),
        ("quadratic", {"shear": (0.8, 0.7), "torsion_constant": 1e-8}),
        pytest.param("quadratic", {"strain": "green"}, marks=pytest.mark.slow),
        pytest.param("quadratic", {"poisson": "full"}, marks=pytest.mark.slow),
        pytest.param("ancf", {}, marks=pytest.mark.slow),
        pytest.param("ancf", {"poisson": "full"}, marks=pytest.mark.slow),
    ],
)
def test_general_elements_equal_the_fast_ones(model, options):
    """Section quadrature and stress-free shape against section moments, on a straight beam far
    from rest: forces and all channels, to round-off."""
    results = []
    for general in (False, True):
        beam = straight(model, SQUARE, load=(1, 2, 3), damping=0.01, **options)
        if general:
            law = beam.law if model != "cable" else None
            beam.kind = {
                "cable": GeneralCableKind(), "quadratic": QuadraticFibreKind(law),
                "ancf": AncfFibreKind(law),
            }[model]  # fmt: skip
        system, state = assembled(beam, gravity=(1, 2, -9.81))
        disturb(state, 0.05)
        results.append((state.residual()[: state.size].copy(), system.channels.read().copy()))
    (f, channels), (g, others) = results
    assert g == pytest.approx(f, abs=1e-12 * np.abs(f).max())
    assert others == pytest.approx(channels, rel=1e-12)


@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_a_users_copy_of_a_law_is_the_law(model):
    """The energy written by a user against poisson="full" by section moments."""
    results = []
    for material in (RUBBER, Copy(6e7, 0.3, 6000)):
        system, state = assembled(straight(model, BOX, material, poisson="full"))
        disturb(state, 0.05)
        system.channels.read()
        f = state.residual()[: state.size].copy()
        results.append((f, system.channels["energy.strain"]))
    assert results[1][1] == pytest.approx(results[0][1], rel=1e-12)
    assert results[1][0] == pytest.approx(results[0][0], abs=1e-12 * np.abs(results[0][0]).max())


def test_neo_hookean_energy_of_a_stretch():
    """A beam stretched and thinned uniformly: volume times the energy density in closed form (Bonet
    and Wood 2008, eq. 6.27)."""
    beam = straight("quadratic", material=fc.NeoHookean(6e7, 0.3, 6000))
    system, state = assembled(beam)
    along, across = 1.3, 0.9
    for node in beam.nodes:
        start = beam.origin
        state.q[node["r"].numbers] = start + along * (state.q[node["r"].numbers] - start)
        for d in ("d2", "d3"):
            state.q[node[d].numbers] *= across
    system.channels.read()
    m, log = beam.material, np.log(along * across**2)
    density = m.mu / 2 * (along**2 + 2 * across**2 - 3) - m.mu * log + m.lam / 2 * log**2
    expected = density * SQUARE.area * beam.length
    assert system.channels["energy.strain"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("model", ["cable", "quadratic", "ancf"])
def test_uniform_stretch_of_a_graded_mesh(model):
    """Unequal elements hold a constant strain exactly: E A e^2/2 L (sections free to thin)."""
    beam = straight(model, elements=GRADED)
    system, state = assembled(beam)
    stretch, nu = 1.001, RUBBER.nu
    for node in beam.nodes:
        r = node["r"].numbers
        state.q[r] = beam.origin + stretch * (state.q[r] - beam.origin)
        if "slope" in node:
            state.q[node["slope"].numbers] *= stretch
        for d in ("d2", "d3"):
            if d in node:  # Green's transverse strain -nu e
                state.q[node[d].numbers] *= np.sqrt(1 - 2 * nu * (stretch - 1))
    system.channels.read()
    expected = RUBBER.E * SQUARE.area * (stretch - 1) ** 2 / 2 * beam.length
    assert system.channels["energy.strain"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("model", ["cable", "quadratic"])
def test_a_circle_bent_open(model):
    """An arc bent to a straight line of its length: E I k^2/2 L, k its initial curvature."""
    beam = arc(model, SQUARE, 8)
    system, state = assembled(beam)
    for k, node in enumerate(beam.nodes):
        state.q[node["r"].numbers] = beam.arc_lengths[k], 0, 0
        if "slope" in node:
            state.q[node["slope"].numbers] = beam.length / beam.elements, 0, 0
        else:
            state.q[node["d2"].numbers] = 0, np.sign(beam.triads[k][2, 2]), 0
            state.q[node["d3"].numbers] = 0, 0, np.sign(beam.triads[k][2, 2])
    system.channels.read()
    expected = RUBBER.E * SQUARE.I_y / 2 * beam.length  # radius 1
    assert system.channels["energy.strain"] == pytest.approx(expected, rel=2e-3)


def test_mass_of_a_curved_beam():
    """Kinetic energy of a translation: rho A L v^2/2 (Pappus), with the bend's volume factor."""
    beam = arc("quadratic", ANGLE, 8, velocity=(0, 0, 2.0))
    system, _ = assembled(beam)
    system.channels.read()
    assert system.channels["energy.kinetic"] == pytest.approx(beam.mass * 2, rel=1e-5)
    assert beam.length == pytest.approx(1.2)


def test_arc_lengths_of_curves():
    """A helix (radius 1, pitch) by closed form; a spline through points of a circle."""
    beam = fc.Beam.along(helix, SQUARE, RUBBER, 4, length=1.0)
    assert beam.length == pytest.approx(np.sqrt(4.25), rel=1e-9)
    s = beam.arc_lengths / np.sqrt(4.25)
    assert beam.corners == pytest.approx(np.array([helix(x) for x in s]), abs=1e-9)
    assert beam.triads[:, :, 0] @ [0, 0, 1] == pytest.approx(0.5 / np.sqrt(4.25), abs=1e-7)
    angles = np.linspace(0, np.pi, 40)
    spline = fc.Spline([(np.cos(a), np.sin(a), 0) for a in angles])
    assert spline.length == pytest.approx(np.pi, rel=1e-5)


def test_directors_are_carried_without_twist():
    """Along a helix the directors turn about the tangent by minus the torsion times the length."""
    beam = fc.Beam.along(helix, SQUARE, RUBBER, 6, length=3.0)
    s, last = beam.length, beam.triads[-1]

    def main_normal(t):
        return np.array([-np.cos(2 * t), -np.sin(2 * t), 0.0])

    def angle(triad, n):
        return np.arctan2(n @ triad[:, 2], n @ triad[:, 1])

    turned = angle(last, main_normal(3.0)) - angle(beam.triads[0], main_normal(0.0))
    torsion = 2 * 0.5 / (4 + 0.25)  # of a helix of radius 1: w h / (w^2 + h^2)
    assert np.cos(turned - torsion * s) == pytest.approx(1, abs=1e-8)


def test_plane_curves_keep_a_director_normal_to_the_plane():
    beam = arc("quadratic")
    normals = np.abs(beam.triads[:, 2, 1:])
    assert np.sort(normals, axis=1) == pytest.approx(np.tile([0.0, 1.0], (len(normals), 1)))


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: straight("ancf", elements=(0, 0.5, 0.4, 1)), "increasing fractions from 0 to 1"),
        (lambda: straight("ancf", elements=(0, 0.5)), "must go from 0 to 1, got 0 to 0.5"),
        (lambda: fc.Beam.along(helix, SQUARE, RUBBER), "where the curve's function ends"),
        (lambda: fc.Beam.along("circle", SQUARE, RUBBER), "curve must be an Arc"),
        (lambda: fc.Beam.along(lambda s: (0, 0), SQUARE, RUBBER, length=1), "vector of 3"),
        (lambda: fc.Beam.along(helix, SQUARE, RUBBER, length=1, model="cable"), "lie in a plane"),
        (lambda: fc.Arc((0, 0, 0), (1, 0, 0), (1, 0, 1), 1), "axis must be at right angles"),
        (lambda: fc.Arc((0, 0, 0), (1, 0, 0), (0, 0, 1), 7), "Arc: angle must lie between"),
        (lambda: fc.Spline([(0, 0, 0), (0, 0, 0)]), "neighbouring points must differ"),
        (lambda: fc.Spline([(0, 0, 0), (1, 0, 0)], [0, 0]), "one number for each point"),
        (lambda: fc.Spline([(0, 0, 0), (1, 0, 0)], [0, 1, 2]), "one number for each point"),
        (lambda: straight("quadratic", strain="biot", poisson="full"), "goes with poisson='split'"),
        (lambda: straight("quadratic", poisson="full", shear=(0.8, 1)), "change the law"),
        (lambda: straight("quadratic", material=Copy(1, 0, 1), poisson="split"), "its own energy"),
        (lambda: straight("quadratic", shear=(0, 1)), "shear factor must be positive"),
        (lambda: straight("quadratic", damping=-1), "damping must not be negative"),
        (lambda: straight("cable", ANGLE), "equal bending stiffness in all directions"),
        (lambda: straight("quadratic").at_length(2.0), "arc length must lie between 0 and"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(build, words):
    with pytest.raises(fc.InputError, match=words):
        build()
