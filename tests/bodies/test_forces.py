"""Rigid bodies: rows of the residual by Newton's and Euler's equations."""

import numpy as np
import pytest

import fem_clearance as fc

from ..forces import Bench
from .elements import GRAVITY, slopes


def test_rigid_body():
    """Newton and Euler: m (a - g), and J alpha + omega x J omega as the moment of the rows."""
    found = Bench()
    found.system.gravity = GRAVITY
    found.assemble()
    found.state.globals[3:6] = GRAVITY
    found.move(found.a, (0.1, 0.2, -0.3), (0.2, 0.1, -0.5), (1, 2, 3), (0.7, -1.1, 0.4))
    r, axes, v, w = found.pose(found.a)
    a, alpha, at = np.array([0.3, -0.4, 0.9]), np.array([2.0, 1.0, -3.0]), found.numbers(found.a)
    d = axes.T
    rates = np.cross(alpha, d) + np.cross(w, np.cross(w, d))
    found.state.a[at] = np.r_[a, rates.ravel()]
    force, moment = found.wrench(found.a, r)
    J = axes @ found.a.inertia @ axes.T
    np.testing.assert_allclose(-force, 1.3 * (a - GRAVITY))
    np.testing.assert_allclose(-moment, J @ alpha + np.cross(w, J @ w))
    see = found.channels
    other, _, v_b, w_b = found.pose(found.b)
    kinetic = 1.3 / 2 * v @ v + w @ J @ w / 2
    assert (v_b @ v_b, w_b @ w_b) == (0, 0)
    assert see["energy.kinetic"] == pytest.approx(kinetic)
    assert see["energy.potential"] == pytest.approx(-1.3 * GRAVITY @ (r + other))
    assert [see[f"a.{x}"] for x in "xyz"] == pytest.approx(r)
    assert [see[f"a.v{x}"] for x in "xyz"] == pytest.approx(v)


def test_energy_of_a_sphere_that_rolls():
    """m v^2 / 2 + 2/5 m r^2 w^2 / 2: with v = w r seven tenths of m v^2; m g times the height."""
    system = fc.System(gravity=(0, -9.81, 0))
    ball = fc.shapes.Sphere(0.1)
    body = system.add(fc.RigidBody(shape=ball, density=3000 / np.pi, position=(0.4, 0.7, 0),
                                   velocity=(2.0, 0, 0), angular_velocity=(0, 0, -20.0),
                                   name="ball", free=True))  # fmt: skip
    system.assemble()
    system.channels.read()
    assert body.mass == pytest.approx(4)  # 4/3 r^3 times 3000 kg/m^3
    assert system.channels["energy.kinetic"] == pytest.approx(0.7 * 4 * 2.0**2)
    assert system.channels["energy.potential"] == pytest.approx(4 * 9.81 * 0.7)


def test_orthonormality():
    """Rows of the six products of directors, and what their multipliers do to them."""
    found = Bench()
    state = found.assemble()
    at, lam = found.numbers(found.a), found.block("a.orthonormality")
    d = state.q[at[3:]].reshape(3, 3) + [[0.1, 0, 0.2], [0, -0.1, 0.1], [0.3, 0, 0]]
    state.q[at[3:]] = d.ravel()
    pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]

    def products(d):
        return np.array([d[i] @ d[j] - (i == j) for i, j in pairs])

    np.testing.assert_allclose(state.residual()[lam], products(d))
    values = np.array([1.0, -2, 3, 4, -5, 6])
    state.q[lam] = values
    work = slopes(lambda x: values @ products(x), d)
    np.testing.assert_allclose(state.residual()[at[3:]].reshape(3, 3), work, atol=1e-8)
