"""Responses of a condensed solid: m a + c v + k q less the weight that excites them; energies."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes

from ..forces import residuals_only


def test_response():
    gravity = np.array([1.0, -9.0, 2.0])
    system = fc.System(gravity=gravity)
    system.add(fc.CondensedSolid(
        meshes.block((0.2, 0.3, 0.1), (1, 1, 1)), fc.StVenantKirchhoff(E=2e6, nu=0.3, rho=1100.0),
        facets="z1", clamped="z0", name="s"))  # fmt: skip
    with residuals_only():
        state = system.state
    k = next(
        n for n, z in enumerate(system.state.components) if type(z.kind).__name__ == "ResponseKind"
    )
    kind, numbers = system.state.components[k].kind, state.parameters[k]
    at = state.problem.local_unknowns[k].ravel()
    random = np.random.default_rng(1)
    stiffness, mass, damping = random.uniform(1, 2, (3, len(at)))
    for name, values in (("stiffness", stiffness), ("mass", mass), ("damping", damping)):
        kind.column(numbers, name)[:] = values
    excitation = kind.column(numbers, "excitation")
    q, v, a = random.uniform(-1, 1, (3, len(at)))
    state.q[at], state.v[at], state.a[at] = q, v, a
    wanted = mass * a + damping * v + stiffness * q - excitation @ gravity
    np.testing.assert_allclose(state.residual()[at], wanted, atol=1e-12)
    system.channels.read()
    see = {name: system.channels[f"energy.{name}"] for name in ("kinetic", "potential", "strain")}
    assert see["kinetic"] == pytest.approx(mass @ v**2 / 2)
    assert see["potential"] == pytest.approx(-(excitation @ gravity) @ q)
    assert see["strain"] == pytest.approx(stiffness @ q**2 / 2)
