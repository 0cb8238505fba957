"""Cells that turn inside out have no forces, so that no step ends in a mirrored equilibrium."""

from dataclasses import dataclass

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.core.state import State
from fem_clearance.errors import StepFailed

LENGTH, WIDTH, GAP, STIFFNESS, E = 0.1, 0.02, 2e-4, 1e13, 2e9


@dataclass(frozen=True)
class Mirrored(fc.Material):
    """A user's law of C alone, which a reflection leaves as it is: mu/4 (C - I):(C - I)."""

    mu: float
    parameters = ("mu",)

    @staticmethod
    def energy(F, p):
        C = F.T * F - ufl.Identity(3)
        return p.mu / 4 * ufl.inner(C, C)


def bar(material, pull, damping=1e-3):
    """A bar along x, held at x = 0 along all normals there, that is pulled towards a wall."""
    system = fc.System(gravity=(0, 0, 0))
    middle = (LENGTH / 2, WIDTH / 2, WIDTH / 2)
    mesh = meshes.block((LENGTH, WIDTH, WIDTH), (6, 2, 2), center=middle)
    body = system.add(
        fc.Solid(
            mesh, material, clamped={"x0": "x", "y0": "y", "z0": "z"}, name="bar",
            damping=fc.Damping(retardation=damping) if damping else None,
        )
    )  # fmt: skip
    system.add(fc.Traction(body.facets("x1"), (1.0, 0, 0), pull, name="pull"))
    wall = fc.PlaneSurface(system.ground.at((LENGTH + GAP, 0, 0)), axis=(-1, 0, 0))
    system.add(fc.SurfaceContact(body.facets("x1"), wall, law=fc.Winkler(STIFFNESS), name="wall"))
    system.add(fc.Probe(body.at((LENGTH, 0, 0)), name="tip"))
    return system


@pytest.mark.parametrize("final", [4e5, 1.2e7])
def test_bar_pulled_to_a_wall(final):
    """In steps of 5 s the bar is pulled to a point before the wall, or presses on it with the force
    of a bar between springs, F = (p - E g / L) A / (1 + E / (k L)). The end never lies at -L, where
    the mirrored bar has the same strain."""
    material = fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000)
    system = bar(material, lambda t: final * t / 60)
    results = fc.Simulation(system, dt=5.0, t_end=60.0, progress=False).run()
    tip = results["tip.x"] - LENGTH
    assert np.all(tip > -1e-9)
    assert results.summary["energy_error"] < 2e-3
    carried = (final - E * GAP / LENGTH) * WIDTH**2 / (1 + E / (STIFFNESS * LENGTH))
    assert results["wall.normal_force"][-1] == pytest.approx(max(carried, 0.0), rel=5e-3)
    assert tip[-1] == pytest.approx(min(final / E * LENGTH, GAP), rel=5e-3)


LAWS = [
    fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000),
    pytest.param(Mirrored(rho=1000, mu=E), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("material", LAWS, ids=lambda m: type(m).__name__)
def test_crushed(material):
    """A pressure far beyond what the bar bears ends the run, which names body, law and remedy."""
    system = bar(material, lambda t: -5 * E * t, damping=0.0)
    simulation = fc.Simulation(system, dt=1e-2, t_end=1.0, progress=False)
    with pytest.raises(StepFailed) as caught:
        simulation.run()
    said, law = str(caught.value), type(material).__name__
    assert f"bar.displacement give no finite number (a cell of {law} turns inside out" in said
    assert len(said) <= 400
    assert np.all(simulation.results["tip.x"] > 0)


@pytest.mark.slow
def test_crushed_at_rest():
    """The same in Statics: no equilibrium that is recorded lies on the other side."""
    system = bar(LAWS[0], lambda t: -5 * E * t, damping=0.0)
    statics = fc.Statics(system, steps=2)
    with pytest.raises(StepFailed) as caught:
        statics.solve()
    assert "no equilibrium at load factor 0.0" in str(caught.value)
    assert np.all(statics.results["tip.x"] > 0)


@pytest.mark.parametrize("state", ["plane_strain", "plane_stress"])
@pytest.mark.parametrize("law", [fc.StVenantKirchhoff, fc.LinearElastic])
def test_mirrored_sheet(state, law):
    """A sheet reflected at x = 0: no finite forces, but those of small displacements."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.block((LENGTH, WIDTH), (2, 1))
    body = system.add(fc.Solid(mesh, law(E=E, nu=0.3, rho=1000), degree=1, state=state, free=True))
    problem = State(system.assemble())
    assert np.all(np.isfinite(problem.residual()))
    problem.q[body.block.numbers.reshape(-1, 2)[:, 0]] = -2 * body.nodes[:, 0]
    finite = np.all(np.isfinite(problem.residual()))
    assert finite == (law is fc.LinearElastic)
