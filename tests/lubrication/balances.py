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
    for block in state.blocks:
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
    unit, q, x = state.unit.copy(), state.q, state.q / state.unit
    residual, tangent, rows, cols = state.residual, state.tangent, state.coo_rows, state.coo_cols

    def at_x(function, *arguments):
        keep = q.copy()
        q[:] = x * unit
        result = function(*arguments)
        q[:] = keep
        return result

    state.residual = lambda: at_x(residual) * unit
    state.tangent = lambda beta, gamma: at_x(tangent, beta, gamma) * unit[rows] * unit[cols]
    state.q = x
