"""Subnormal numbers: 0 to compiled functions, numbers as ever to Python."""

import platform

import numpy as np
import pytest

import fem_clearance as fc

TINY = 1e-310
FLUSHES = platform.machine().lower() in ("x86_64", "amd64", "aarch64", "arm64")


def kept() -> bool:
    """Whether arithmetic here knows subnormal numbers."""
    return bool(np.all(np.full(8, TINY) * np.full(8, 0.5) > 0.0))


def spring():
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(2.0, (1.0, 1.0, 1.0), position=(0.1, 0, 0), name="body"))
    system.add(fc.SpringDamper(system.ground.at((-1, 0, 0)), body.center, 100.0, free_length=1.0))
    return system


@pytest.mark.skipif(not FLUSHES, reason="processors that have no such mode")
def test_kernels_take_them_for_zero():
    """The force of inertia m a: 2 kg times 1e-310 m/s^2."""
    state = spring().state
    a = state.a[: state.local]
    bodies = next(k for k, c in enumerate(state.components) if "body" in c.owners)
    for value, expected in ((1e-300, 2e-300), (TINY, 0.0)):
        a[:] = value
        state.problem.residual_kernels.evaluate(state.address)
        force = state.problem.residual_kernels.parts[bodies][0]
        assert force[:3] == pytest.approx([expected] * 3, rel=1e-15, abs=0.0)
    assert kept()


def test_python_sees_them_before_during_and_after_a_step(monkeypatch):
    stepper = fc.Stepper(spring(), dt=1e-3, t_end=1.0)
    stepper.start()
    newton, seen = stepper.newton, []
    refresh = type(newton).refresh
    monkeypatch.setattr(type(newton), "refresh", lambda me: (seen.append(kept()), refresh(me)))
    newton.rebuild, newton.c.tangent_age = True, newton.max_tangent_age
    assert kept()
    stepper.advance()
    assert seen
    assert all(seen)
    assert kept()
