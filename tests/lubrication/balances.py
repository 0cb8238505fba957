"""Runs of systems with films, and what films do to the bodies they separate."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_errors


def run(system, dt, t_end, **options):
    """The stepper of a system at its end, channels read; ``dt``: ``None`` for adaptive steps."""
    stepper = fc.Stepper(system, dt=dt, t_end=t_end, **options)
    stepper.start()
    while stepper.t < t_end:
        stepper.advance()
    stepper.channels.read()
    return stepper


def dissipated(state, corners, nodes, clearance, viscosity, cancelled=False, broken=False):
    """What a film on a bore turns into heat by Reynolds' theory, W: the integral of h^3 / (12 mu)
    |grad p|^2, where the pressure acts, and of mu U^2 / h, where the surfaces are wetted.

    By Gauss's rule of 4 x 4 points on the unfolded bore; thickness and sliding velocity are worked
    out here.

    Args:
        state: a ``FilmState``; of it only pressures, voids and the motion are used.
        corners: (cells, 4) nodes of each cell.
        nodes: places, m.
        clearance, viscosity: m, Pa s.
        cancelled: pressures below zero do not act (``Guembel``).
        broken: shear acts on the filled part only (``Streamers``).
    """
    e, t, V, omega = (np.asarray(z, float) for z in state.place)
    radius = np.hypot(*nodes[0, :2])
    angle = np.arctan2(nodes[corners, 1], nodes[corners, 0])
    angle = angle[:, :1] + np.angle(np.exp(1j * (angle - angle[:, :1])))
    z = nodes[corners, 2]
    points, weights = np.polynomial.legendre.leggauss(4)
    points, total = (1 + points) / 2, 0.0
    for x, a in zip(points, weights / 2, strict=True):
        for y, b in zip(points, weights / 2, strict=True):
            shape = np.array([(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y])
            by_x, by_y = np.array([[y - 1, 1 - y, -y, y], [x - 1, -x, 1 - x, x]])
            J = radius * np.array([[angle @ by_x, angle @ by_y], [z @ by_x, z @ by_y]])
            J[1] /= radius
            area = J[0, 0] * J[1, 1] - J[0, 1] * J[1, 0]
            p = state.pressure[corners]
            along_x, along_y = p @ by_x, p @ by_y
            slope = np.array([J[1, 1] * along_x - J[1, 0] * along_y,
                              J[0, 0] * along_y - J[0, 1] * along_x]) / area  # fmt: skip
            phi, height = angle @ shape, z @ shape
            cos, sin, s = np.cos(phi), np.sin(phi), height - e[2]
            h = clearance - (e[0] + s * t[0]) * cos - (e[1] + s * t[1]) * sin
            round_ = radius * omega[2] - height * (omega[0] * cos + omega[1] * sin)
            axial = V[2] + radius * (omega[0] * sin - omega[1] * cos)
            flow = h**3 / (12 * viscosity) * (slope**2).sum(axis=0)
            flow = np.where(cancelled & (p @ shape < 0), 0.0, flow)
            wet = 1 - broken * (state.void[corners] @ shape) / h
            shear = wet * viscosity * (round_**2 + axial**2) / h
            total += a * b * np.sum((flow + shear) * np.abs(area))
    return total


def check_power(stepper, steps, rel, least):
    """For some steps: what the bodies lose is what the films dissipate, which is not nothing."""
    for _ in range(steps):
        stepper.advance()
        stepper.channels.read()
        lost = stepper.channels["power.film"]
        assert lost > least
        assert stepper.channels["power.to_films"] == pytest.approx(lost, rel=rel)


def rows_of_forces(state):
    """The residual at rest and without multipliers: forces of springs, films and contacts only."""
    state.a[:] = 0.0
    for block in state.problem.blocks:
        if block.constraint:
            state.q[state.locate(block.numbers)] = 0.0
    return state.residual()


def on_body(state, rows, body):
    """Force on a rigid body, N, and moment about the space's origin, N m."""
    at = state.locate(np.concatenate([r.numbers for r in body.center.refs]))
    r, f = state.q[at].reshape(4, 3), rows[at].reshape(4, 3)
    return f[0], np.cross(r, f).sum(axis=0)


def check_action_and_reaction(state, bodies):
    """Forces and moments on two rigid bodies cancel to round-off."""
    rows = rows_of_forces(state)
    force, moment = map(np.array, zip(*(on_body(state, rows, b) for b in bodies), strict=True))
    assert np.abs(force[0]).max() > 1
    np.testing.assert_allclose(force.sum(axis=0), 0, atol=1e-12 * np.abs(force).max())
    np.testing.assert_allclose(moment.sum(axis=0), 0, atol=1e-12 * np.abs(moment).max())


def check_tangent(state, most, step=1e-6):
    """The tangent at the present state against differences; ``step``: in the unknowns' units."""
    state.scale[:] = 1.0
    _in_units(state)
    errors = tangent_errors(state, step=step, rates=1e-3)
    assert max(errors.values()) < most, errors


def _in_units(state):
    """Let the state's unknowns and rows be multiples of their units, which differ by orders: then
    differences change each unknown by a part of its own."""
    unit, q, x = state.problem.unit.copy(), state.q, state.q / state.problem.unit
    residual, tangent, rows, cols = (
        state.residual,
        state.tangent,
        state.problem.coo_rows,
        state.problem.coo_cols,
    )

    def at_x(function, *arguments):
        keep = q.copy()
        q[:] = x * unit
        result = function(*arguments)
        q[:] = keep
        return result

    state.residual = lambda: at_x(residual) * unit
    state.tangent = lambda beta, gamma: at_x(tangent, beta, gamma) * unit[rows] * unit[cols]
    state.q = x
