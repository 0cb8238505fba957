"""Forces of reduced bodies in a given motion, against formulas in NumPy: energies of the vectors
and their derivatives by differences."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.observation import Channels

from .test_reduced import rod

G = np.array([0.3, -9.81, 2.0])


def in_motion(cells, **options):
    """A body that is bent, turned and moved at random, its unknowns, rates and accelerations."""
    damping = fc.Damping(retardation=1e-3, drag=2.0)
    body = fc.ReducedBody.from_solid(rod(cells, E=2e7, damping=damping), modes=2, **options)
    system = fc.System(gravity=G)
    system.add(body)
    state, random = system.state, np.random.default_rng(5)
    d = body.dimension
    n = state.locate(body.amplitudes.numbers)
    turn = np.linalg.qr(random.standard_normal((3, 3)))[0]
    turn *= np.linalg.det(turn)
    if d == 2:
        turn = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
    places = body.basis.places
    now = places @ turn.T + 2e-3 * random.standard_normal(places.shape)
    state.q[n] = (now - places)[:, :d].ravel()
    state.v[n], state.a[n] = random.standard_normal((2, len(n)))
    return body, state, n


def along_triad(body, q):
    """Displacements u_a in the triad, (p, d)."""
    basis, d = body.basis, body.dimension
    c = basis.places[:, :d] + q.reshape(-1, d)
    start = basis.places[:, :d] @ basis.triad[:d, :d]
    leads = basis.leads @ c
    first = leads[0] / np.linalg.norm(leads[0])
    if d == 2:
        triad = np.stack([first, [-first[1], first[0]]])
    else:
        second = leads[1] - (leads[1] @ first) * first
        second /= np.linalg.norm(second)
        triad = np.stack([first, second, np.cross(first, second)])
    u = c @ triad.T - start
    u[0] = 0.0  # a translation
    return u


def slope(f, x, step=1e-6):
    """Derivatives of a function of numbers, by central differences."""
    each = np.eye(len(x)) * step
    return np.array([(f(x + e) - f(x - e)) / (2 * step) for e in each])


CELLS = pytest.mark.parametrize("cells", [(6, 1, 1), (8, 2)], ids=["space", "plane_stress"])


@CELLS
def test_inertia_weight_elasticity_and_damping(cells):
    body, state, n = in_motion(cells)
    basis, d, K = body.basis, body.dimension, body.basis.stiffness
    q, v, a = (z[n].copy() for z in (state.q, state.v, state.a))

    def energy(q):
        u = along_triad(body, q)
        return np.einsum("ak,akbl,bl->", u, K, u) / 2

    mass = np.repeat(basis.mass, d)
    expected = mass * (a + 2.0 * v) + slope(energy, q)
    expected[:d] -= basis.mass[0] * G[:d]
    rates = slope(lambda z: along_triad(body, z).ravel(), q)  # (unknowns, p d)
    expected += 1e-3 * rates @ K.reshape(rates.shape[1], -1) @ rates.T @ v
    rows = state.residual()[n]
    assert rows == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())
    channels = observed(state, body)
    assert channels["strain_energy"] == pytest.approx(energy(q), rel=1e-9)
    assert channels["energy.kinetic"] == pytest.approx(mass @ v**2 / 2, rel=1e-12)
    u = along_triad(body, q)
    square = np.sum(basis.mass * np.sum(u**2, axis=1)) / basis.mass[0] / basis.size**2
    assert channels["mean_square"] == pytest.approx(square, rel=1e-9)
    now = basis.places.copy()
    now[:, :d] += q.reshape(-1, d)
    rate = np.zeros_like(now)
    rate[:, :d] = v.reshape(-1, d)
    spin = np.einsum("a,ax->x", basis.mass, np.cross(now, rate))
    assert [channels[f"L{x}"] for x in "xyz"] == pytest.approx(spin, abs=1e-12 * np.abs(spin).max())
    assert [channels[f"p{x}"] for x in "xyz"] == pytest.approx(basis.mass[0] * rate[0], abs=1e-12)
    assert channels["energy.potential"] == pytest.approx(-basis.mass[0] * G @ now[0], rel=1e-9)


def observed(state, body):
    """Channels of the body at the present state, and totals."""
    channels = Channels(state)
    channels.read()
    prefix = f"{body.name}."
    return {c.name.removeprefix(prefix): channels[c.name] for c in channels.list}


@CELLS
def test_stiffening(cells):
    """k (e + g)^2 / 2 - k e^2 / 2 with the elongation that is stationary, e and g of the states."""
    body, state, n = in_motion(cells, stiffening=True)
    axial = body.reduction.axial
    stretch = np.flatnonzero(~np.isin(np.arange(state.owned), n))
    assert len(stretch) == len(axial.stiffness)

    def parts(q):
        u = along_triad(body, q)
        e = np.einsum("sak,ak->s", axial.reads, u)
        return e, np.einsum("sab,ak,bk->s", axial.products, u, u) / 2

    def energy(q):
        e, g = parts(q)
        return np.sum(axial.stiffness * ((e + g) ** 2 - e**2)) / 2

    q = state.q[n].copy()
    e, g = parts(q)
    state.q[stretch] = e + g
    assert state.residual()[stretch] == pytest.approx(
        np.zeros(len(e)), abs=1e-9 * np.abs(axial.stiffness * e).max()
    )
    K, d = body.basis.stiffness, body.dimension

    def linear(q):
        u = along_triad(body, q)
        return np.einsum("ak,akbl,bl->", u, K, u) / 2

    state.v[n] = state.a[n] = 0.0
    rows = state.residual()[n]
    expected = slope(energy, q) + slope(linear, q)
    expected[:d] -= body.basis.mass[0] * G[:d]
    assert rows == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())
    stiffer = np.abs(slope(energy, q)).max()
    assert stiffer > 1e-3 * np.abs(expected).max()
    ratio = np.sum(np.abs(e + g) / axial.critical)
    assert observed(state, body)["load_ratio"] == pytest.approx(ratio, rel=1e-9)
