"""Equilibrium of beams and of a solid that bends: closed forms at every load step."""

import numpy as np
import pytest

import fem_clearance as fc

from ..elastica import elastica

STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800)


@pytest.mark.parametrize("load", [1.0, 10.0])
def test_cantilever_is_the_elastica(load):
    """Tip force F L^2/EI = 10 bends the beam by 0.81 L. A cable of 64 elements, so thin that its
    stretch (1e-6) does not count."""
    L, bar = 2.0, fc.Rectangle(0.002, 0.002)
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(fc.Beam((0, 0, 0), (L, 0, 0), bar, STEEL, 64, model="cable", free=True))
    for block in beam.nodes[0].values():
        block.fixed[:] = True
    system.add(fc.Force(beam.end, (0, load * STEEL.E * bar.I_y / L**2, 0)))
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=5).solve()
    back, up = elastica(load)
    assert results["tip.x"][-1] == pytest.approx((1 - back) * L, abs=2e-5 * L)
    assert results["tip.y"][-1] == pytest.approx(up * L, abs=2e-5 * L)
    assert results.factor == pytest.approx(np.linspace(0, 1, 6))
    for factor, y in zip(results.factor[1:], results["tip.y"][1:], strict=True):
        assert y == pytest.approx(elastica(load * factor)[1] * L, abs=3e-5 * L)


def test_an_end_moment_bends_a_beam_to_a_circle():
    """M = 2 pi EI/L closes the circle (Euler). A shear-flexible beam of L/h = 200."""
    L, bar = 1.0, fc.Rectangle(0.005, 0.005)
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(fc.Beam((0, 0, 0), (L, 0, 0), bar, STEEL, 16))
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.Torque(beam.end, (0, 0, 2 * np.pi * STEEL.E * bar.I_y / L)))
    system.add(fc.Probe(beam.node(8), name="middle"))
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=10).solve()
    assert [results[n][-1] for n in ("tip.x", "tip.y")] == pytest.approx([0, 0], abs=2e-3 * L)
    middle = [results[n][-1] for n in ("middle.x", "middle.y")]
    assert middle == pytest.approx([0, L / np.pi], abs=2e-3 * L)


def test_a_hanging_beam():
    """Released along +x it comes to hang, longer by rho g L^2 / 2E (its energy is quadratic in the
    stretch of the reference length)."""
    soft, L = fc.StVenantKirchhoff(E=1e6, nu=0.3, rho=1000), 1.0
    system = fc.System()
    beam = system.add(fc.Beam((0, 0, 0), (L, 0, 0), fc.Rectangle(0.02, 0.02), soft, 6,
                              model="cable"))  # fmt: skip
    system.add(fc.SphericalJoint(system.ground, beam.start))
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=2).solve()
    assert results["tip.y"][-1] == pytest.approx(-L - 1000 * 9.81 * L**2 / 2e6, rel=1e-8)
    assert abs(results["tip.x"][-1]) < 1e-8


def test_a_solid_cantilever():
    """Quadratic hexahedra without Poisson effect bend as Timoshenko's beam under uniform load,
    F L^3/8EI + F L / (2 5/6 GA), to 0.5 %."""
    cork = fc.StVenantKirchhoff(2e11, 0.0, 7800)
    L, h, F = 1.0, 0.1, 100.0
    mesh = fc.meshes.block((L, h, h), cells=(8, 1, 1), center=(L / 2, 0, 0), degree=2)
    system = fc.System(gravity=(0, 0, 0))
    load = (0, F / (L * h * h), 0)
    solid = system.add(fc.Solid(mesh, cork, clamped="x0", load=load, name="bar"))
    results = fc.Statics(system, steps=1).solve()
    state = system.state
    q = state.problem.initial()[0]
    q[: state.size] = state.everything(state.q)
    tip = np.flatnonzero(np.isclose(solid.nodes[:, 0], L) & np.isclose(solid.nodes[:, 1], -h / 2))
    deflection = q[solid.displacement(tip[:, None]).numbers].reshape(-1, 3)[:, 1].mean()
    area, inertia = h * h, h**4 / 12
    exact = F * L**3 / (8 * cork.E * inertia) + F * L / (2 * 5 / 6 * cork.mu * area)
    assert deflection == pytest.approx(exact, rel=5e-3)
    assert results.summary["newton_iterations"] <= 4
