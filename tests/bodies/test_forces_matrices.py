"""The beam element of section matrices: forces and energies against formulas in NumPy."""

import numpy as np
import pytest

import fem_clearance as fc

from .elements import GRAVITY, LENGTH, LOAD, Element, dot, gauss, slopes

SLICE = np.diag([1.0, 1.0, 1.0, 0.01, 0.01, 0.02])


def section(**options):
    """A full random section whose axis is not the centre of anything."""
    random = np.random.default_rng(3)
    root = np.diag([30.0, 40.0, 50.0, 2.0, 3.0, 1.5]) + random.uniform(-1, 1, (6, 6))
    mass = fc.SectionMatrices.from_constants(
        EA=1, GA=1, EI=1, GJ=1, rho_A=2.0, rho_I=(0.02, 0.03), mass_centre=(0.05, -0.03)
    ).mass
    mass[3, 4] = mass[4, 3] = mass[3, 4] + 0.004
    mass[5, 5] -= 0.02
    return fc.SectionMatrices(root @ root.T, mass, **options)


def frame(at):
    """Normal of the section, and its directors as unit vectors."""
    n = np.cross(at["d2"], at["d3"])
    n /= np.linalg.norm(n, axis=1)[:, None]
    a2 = at["d2"] / np.linalg.norm(at["d2"], axis=1)[:, None]
    b3 = at["d3"] / np.linalg.norm(at["d3"], axis=1)[:, None]
    return n, a2, b3


def strains(at):
    """Shear, stretch, curvatures and twist of the section's frame (rows), by its rotation
    vector."""
    n, a2, b3 = frame(at)
    a3, b2 = np.cross(n, a2), np.cross(b3, n)
    l2, l3 = (np.linalg.norm(at[d], axis=1) for d in ("d2", "d3"))
    return np.array([
        dot(at["t"], (a2 + b2) / 2), dot(at["t"], (a3 + b3) / 2), dot(at["t"], n),
        dot(at["t3"], n) / l3, -dot(at["t2"], n) / l2,
        (dot(at["t2"], a3) / l2 - dot(at["t3"], b2) / l3) / 2,
    ]).T  # fmt: skip


def places(count):
    """Gauss points of an element (0 to 1), and weights that sum to its length."""
    x, w = gauss(count)
    return x, LENGTH * w


def straight():
    return np.array([0, 0, 1.0, 0, 0, 0])


def stored(element, q, K):
    x, w = places(2)
    e = strains(element.lines(q, x)) - straight()
    energy = w @ np.einsum("pi,ij,pj->p", e, K, e) / 2
    x, w = places(3)
    at = element.lines(q, x)
    own = [(dot(at[d], at[d]) - 1) / 2 for d in ("d2", "d3")] + [dot(at["d2"], at["d3"]) / 2]
    stiff = [K[2, 2], K[2, 2], K[0, 0] + K[1, 1]]
    return energy + w @ sum(k * o**2 for k, o in zip(stiff, own, strict=True)) / 2


def test_forces_of_an_element():
    """Elastic forces, weight and load, as derivatives of energies in NumPy."""
    full = section()
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), full, elements=1, name="b", free=True, load=LOAD)
    )
    elastic = slopes(lambda q: stored(element, q, full.stiffness), element.q)
    x, w = places(3)
    m, (y, z) = full.mass[0, 0], full.mass_centre

    def potential(q):
        at = element.lines(q, x)
        centre = at["r"] + y * at["d2"] + z * at["d3"]
        return -w @ (m * centre @ GRAVITY + at["r"] @ LOAD)

    weight = slopes(potential, element.q)
    element.state.v[element.at] = 0.0
    size = np.abs(elastic).max()
    assert np.abs(weight).max() > 1e-4 * size
    np.testing.assert_allclose(element.rows, elastic + weight, atol=2e-7 * size)
    element.system.channels.read()
    see = element.system.channels
    assert see["b.strain_energy"] == pytest.approx(stored(element, element.q, full.stiffness))
    assert see["energy.potential"] == pytest.approx(potential(element.q))


def test_curved_element():
    """A quarter of a circle in one element, whose parameter is not its arc length everywhere:
    strains are differences to the stress-free ones by the length there, and count with it."""
    K, radius = section().stiffness, LENGTH / (np.pi / 2)
    arc = fc.Arc((0, radius, 0), (0, 0, 0), (0, 0, 1), np.pi / 2)
    element = Element(
        fc.Beam.along(arc, fc.SectionMatrices(K, SLICE), elements=1, name="b", free=True),
        gravity=np.zeros(3),
    )  # fmt: skip
    assert element.beam.length == pytest.approx(LENGTH)

    def energy(q):
        x, w = places(2)
        now, rest = (element.lines(z, x) for z in (q, element.rest))
        g = np.linalg.norm(rest["t"], axis=1)
        e = (strains(now) - strains(rest)) / g[:, None]
        stored = (w * g) @ np.einsum("pi,ij,pj->p", e, K, e) / 2
        x, w = places(3)
        now, rest = (element.lines(z, x) for z in (q, element.rest))
        own = [(dot(now[d], now[d]) - 1) / 2 for d in ("d2", "d3")]
        own.append(dot(now["d2"], now["d3"]) / 2)
        stiff = [K[2, 2], K[2, 2], K[0, 0] + K[1, 1]]
        held = sum(k * o**2 for k, o in zip(stiff, own, strict=True))
        return stored + (w * np.linalg.norm(rest["t"], axis=1)) @ held / 2

    element.state.v[element.at] = 0.0
    elastic = slopes(energy, element.q)
    np.testing.assert_allclose(element.rows, elastic, atol=2e-7 * np.abs(elastic).max())


def test_inertia_of_a_turning_section():
    """A rigid motion: momenta and kinetic energy by the 6x6 mass, whose polar inertia is not the
    sum of the others; Euler's equations of the whole beam as a rigid body."""
    full = section()
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), full, elements=1, name="b", free=True), size=0.0,
        gravity=np.zeros(3),
    )  # fmt: skip
    spin, turning, centre = np.array([0.7, -1.1, 0.9]), np.array([0.4, 0.3, -0.8]), LENGTH / 2
    velocity, change = np.array([0.3, 0.2, -0.5]), np.array([-0.6, 0.1, 0.4])
    v, a = np.zeros_like(element.q), np.zeros_like(element.q)
    for node in range(3):
        for k, field in enumerate(element.fields):
            arm = element.q[node, k] - ((centre, 0, 0) if field == "r" else 0)
            first = field == "r"
            v[node, k] = np.cross(spin, arm) + first * velocity
            a[node, k] = (
                np.cross(turning, arm) + np.cross(spin, np.cross(spin, arm)) + first * change
            )
    element.state.v[element.at], element.state.a[element.at] = v, a
    # 6x6 mass of the whole beam about its middle, axes (n, d2, d3)
    whole = np.zeros((6, 6))
    order = np.ix_([2, 0, 1, 5, 3, 4], [2, 0, 1, 5, 3, 4])
    for place, weight in zip(*places(4), strict=True):
        arm = np.array([place * LENGTH - centre, 0, 0])
        move = np.eye(6)
        move[:3, 3:] = -np.cross(np.eye(3), -arm)
        whole += weight * move.T @ full.mass[order] @ move
    V = np.r_[velocity, spin]
    momentum = whole @ V
    element.system.channels.read()
    assert element.system.channels["energy.kinetic"] == pytest.approx(V @ momentum / 2, rel=1e-9)
    # d/dt of momenta seen from fixed axes: p' = M A-terms + spin x p + velocity x p
    steady = change - np.cross(spin, velocity)  # rate of the velocity's components in the body
    rate = whole @ np.r_[steady, turning]
    force = rate[:3] + np.cross(spin, momentum[:3])
    moment = rate[3:] + np.cross(spin, momentum[3:]) + np.cross(velocity, momentum[:3])
    rows = element.rows
    found = rows[:, 0].sum(axis=0)
    arms = element.q.copy()
    arms[:, 0] -= (centre, 0, 0)
    assert found == pytest.approx(force, rel=1e-9)
    assert np.cross(arms, rows).sum(axis=(0, 1)) == pytest.approx(moment, rel=1e-9)


def test_damping():
    """Retardation time x K on the rates of the strains."""
    full = fc.SectionMatrices(section().stiffness, SLICE)  # no forces of inertia at rest
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), full, elements=1, name="b", free=True, damping=0.02)
    )
    h, K = 1e-5, full.stiffness

    def dissipation(v):
        ends = [element.q + k * h * v for k in (1, -1)]
        x, w = places(2)
        rate = np.subtract(*(strains(element.lines(q, x)) for q in ends)) / (2 * h)
        total = w @ np.einsum("pi,ij,pj->p", rate, K, rate)
        x, w = places(3)
        own = []
        for q in ends:
            at = element.lines(q, x)
            own.append([(dot(at[d], at[d]) - 1) / 2 for d in ("d2", "d3")]
                       + [dot(at["d2"], at["d3"]) / 2])  # fmt: skip
        own = np.subtract(*own) / (2 * h)
        return 0.02 / 2 * (total + w @ (np.array([K[2, 2], K[2, 2], K[0, 0] + K[1, 1]]) @ own**2))

    element.check_damping(dissipation)


def test_varying_section():
    """Matrices that change from one end to the other: those at each quadrature point, in elastic
    forces, weight, kinetic energy and damping."""
    first = section()
    root = np.diag([1.0, 2.0, 0.5, 1.5, 0.7, 1.2]) ** 0.5
    second = fc.SectionMatrices(
        root @ first.stiffness @ root, np.diag([0.5, 0.5, 0.5, 0.01, 0.02, 0.05])
    )

    def beam(sections, **options):
        table = fc.SectionTable([0, LENGTH], sections)
        return Element(
            fc.Beam((0, 0, 0), (LENGTH, 0, 0), table, elements=1, name="b", free=True, **options)
        )

    element = beam([first, second])

    def at(x, name):
        a, b = (getattr(z, name) for z in (first, second))
        return (1 - x)[:, None, None] * a + x[:, None, None] * b

    def quadratic(e, own):
        """Energy of strains (a function of where and the number of points) and own strains."""
        x, w = places(2)
        total = w @ np.einsum("pi,pij,pj->p", e(x), at(x, "stiffness"), e(x)) / 2
        x, w = places(3)
        K = at(x, "stiffness")
        stiff = np.array([K[:, 2, 2], K[:, 2, 2], K[:, 0, 0] + K[:, 1, 1]])
        return total + w @ np.sum(stiff * np.array(own(x)) ** 2, axis=0) / 2

    def own_of(q, x):
        z = element.lines(q, x)
        halves = [(dot(z[d], z[d]) - 1) / 2 for d in ("d2", "d3")]
        return np.array([*halves, dot(z["d2"], z["d3"]) / 2])

    def elastic(q):
        return quadratic(
            lambda x: strains(element.lines(q, x)) - straight(), lambda x: own_of(q, x)
        )

    def potential(q):
        x, w = places(3)
        z, mass = element.lines(q, x), at(x, "inertia")[:, 0]
        centre = sum(mass[:, [k]] * z[name] for k, name in enumerate(("r", "d2", "d3")))
        return -w @ (centre @ GRAVITY)

    def dissipation(v, h=1e-5):
        def rate(function):
            return (function(element.q + h * v) - function(element.q - h * v)) / (2 * h)

        return 0.02 * quadratic(
            lambda x: rate(lambda q: strains(element.lines(q, x))),
            lambda x: rate(lambda q: own_of(q, x)),
        )

    kinetic = element.v
    x, w = places(3)
    z = element.lines(kinetic, x)
    fields = np.array([z[name] for name in ("r", "d2", "d3")])
    moving = w @ np.einsum("pij,ipx,jpx->p", at(x, "inertia"), fields, fields) / 2
    now = element.lines(element.q, x)
    spin = dot(now["d3"], z["d2"]) - dot(now["d2"], z["d3"])
    extra = (1 - x) * first.spin + x * second.spin
    element.system.channels.read()
    see = element.system.channels
    assert see["energy.kinetic"] == pytest.approx(moving + w @ (extra * spin**2) / 8, rel=1e-9)
    element.state.v[element.at] = 0.0
    rows = slopes(lambda q: elastic(q) + potential(q), element.q)
    np.testing.assert_allclose(element.rows, rows, atol=2e-7 * np.abs(rows).max())
    plain = [fc.SectionMatrices(full.stiffness, SLICE) for full in (first, second)]
    beam(plain, damping=0.02).check_damping(dissipation)
