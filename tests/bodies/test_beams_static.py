"""Cantilevers: small bending, shear, and the locking of the paper's law. Large bending:
tests/literature/test_beams_static.py."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.beams.beam import Beam
from fem_clearance.bodies.beams.sections import Circle, Rectangle
from fem_clearance.bodies.materials import StVenantKirchhoff


def bend(beam, force=(0, 0, 0), steps=1):
    """Tip displacement of a beam clamped at its start under a dead force at its end (Newton with
    dense matrices, load in equal steps)."""
    system = fc.System(gravity=(0, 0, 0))
    beam.free = True
    system.add(beam)
    state = system.state
    tip = beam.nodes[-1]["r"].numbers
    root = np.concatenate([block.numbers for block in beam.nodes[0].values()])
    free = np.setdiff1d(np.arange(state.size), root)
    size = (state.size, state.size)
    for step in range(1, steps + 1):
        for _ in range(30):
            f = state.residual()[: state.size].copy()
            f[tip] -= np.asarray(force) * step / steps
            entries = state.tangent(0.0, 0.0)
            flat = np.ravel_multi_index((state.problem.coo_rows, state.problem.coo_cols), size)
            K = np.bincount(flat, entries, state.size**2).reshape(size)
            change = np.linalg.solve(K[np.ix_(free, free)], -f[free])
            state.q[free] += change
            if np.abs(change).max() < 1e-11:
                break
        else:
            raise AssertionError("Newton did not converge")
    return state.q[tip] - beam.end.position


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize(("section", "factor"), [(Rectangle(0.02, 0.05), 13 / 15.3),
                                                 (Circle(0.02), 7.8 / 8.8)])  # fmt: skip
@pytest.mark.parametrize("direction", [1, 2])
def test_small_bending_of_a_shear_flexible_beam(section, factor, direction, plane):
    """Timoshenko's beam, uniform load: q L^4/8EI + q L^2/2kGA, about both axes; k is 1 in plane
    sections, else Cowper's (1966).

    Quadratic shapes with reduced integration give the nodal values of the exact solution.
    """
    steel, q, L = StVenantKirchhoff(2e11, 0.3, 7800), 0.01, 0.3
    load = np.eye(3)[direction] * q
    options = {"section_model": "plane"} if plane else {}
    beam = Beam((0, 0, 0), (L, 0, 0), section, steel, 3, load=load, **options)
    inertia = {1: section.I_y, 2: section.I_z}[direction]
    k = 1 if plane else factor
    exact = q * L**4 / (8 * steel.E * inertia) + q * L**2 / (2 * k * steel.mu * section.area)
    assert bend(beam)[direction] == pytest.approx(exact, rel=1e-5)


def test_small_bending_of_a_cable():
    """Euler and Bernoulli's beam: F L^3/3EI, exact for one cubic."""
    section, steel = Circle(0.02), StVenantKirchhoff(2e11, 0.3, 7800)
    tip = bend(Beam((0, 0, 0), (0.3, 0, 0), section, steel, 1, model="cable"), (0, 0.01, 0))
    assert tip[1] == pytest.approx(0.01 * 0.3**3 / (3 * steel.E * section.I_y), rel=1e-6)


def test_thin_beams_agree(reference):
    """Gerstmayr and Irschik's cantilever (tests/literature) ten times thinner: shear-flexible beam
    and cable differ by 5e-5 L."""
    data = reference("beams.json")["gerstmayr_irschik_cantilever"] | {"b": 0.01, "h": 0.01}
    beam, cable = (bend(**cantilever(data, m, 16)) for m in ("quadratic", "cable"))
    assert beam == pytest.approx(cable, abs=5e-5 * data["L"])


def cantilever(data, model, elements):
    section = Rectangle(data["b"], data["h"])
    material = StVenantKirchhoff(data["E"], data["nu"], 7800)
    force = 3 * data["E"] * section.I_y / data["L"] ** 2
    beam = Beam((0, 0, 0), (data["L"], 0, 0), section, material, elements, model=model)
    return {"beam": beam, "force": (0, -force, 0), "steps": 8}


@pytest.mark.parametrize(("model", "elements"), [("quadratic", 8), ("ancf", 64)])
def test_full_law_is_too_stiff_in_bending(model, elements):
    """Poisson locking: (1-nu)/((1+nu)(1-2nu)) = 1.346 for nu = .3 on any mesh, 1 for the split
    (equations.md B: sections whose directors are linear across cannot contract unevenly)."""
    section, steel, F, L = Rectangle(0.01, 0.01), StVenantKirchhoff(2e11, 0.3, 7800), 1e-3, 1.0
    tips = {}
    for poisson in ("split", "full"):
        beam = Beam((0, 0, 0), (L, 0, 0), section, steel, elements, model=model, poisson=poisson)
        tips[poisson] = bend(beam, (0, F, 0))[1]
    exact = F * L**3 / (3 * steel.E * section.I_y)
    assert tips["split"] == pytest.approx(exact, rel=0.01)
    assert tips["split"] / tips["full"] == pytest.approx(1.346, rel=0.01)


def test_torsion_and_stretch_of_a_quadratic_beam():
    """Stretch F L/EA, a little less as the clamp holds the section's width; a section that stays
    plane twists with G (I_y + I_z), for a circle the exact stiffness."""
    section, steel, L = Circle(0.02), StVenantKirchhoff(2e11, 0.3, 7800), 0.5
    assert bend(Beam((0, 0, 0), (L, 0, 0), section, steel, 4), (50.0, 0, 0))[0] == pytest.approx(
        50.0 * L / (steel.E * section.area), rel=5e-3
    )
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(Beam((0, 0, 0), (L, 0, 0), section, steel, 4, free=True))
    state = system.state
    for k, node in enumerate(beam.nodes):  # a small twist of 1e-3 rad/m, linear along the axis
        angle = 1e-3 * k * beam.spacing
        state.q[node["d2"].numbers] = 0, np.cos(angle), np.sin(angle)
        state.q[node["d3"].numbers] = 0, -np.sin(angle), np.cos(angle)
    system.channels.read()
    energy = steel.mu * (section.I_y + section.I_z) * 1e-6 * L / 2
    assert system.channels["energy.strain"] == pytest.approx(energy, rel=1e-5)
