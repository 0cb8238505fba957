"""Section forces and stress of beams: closed forms, balance, laws at a point."""

from dataclasses import dataclass

import numpy as np
import pytest
import ufl
from scipy.spatial.transform import Rotation

import fem_clearance as fc

from .cantilevers import SQUARE, STEEL, L, clamped, solved, straight


def loaded(model, torque, elements):
    beam = straight(model, elements)
    places = {"a": 0.0, "b": 0.31, "c": 1.0}
    probes = [fc.SectionForces(beam, s, name=n) for n, s in places.items()]
    items = [fc.Force(beam.end, (0.03, -0.01, 0.005))]
    if torque:
        items.append(fc.Torque(beam.end, (0.002, 0, 0)))
    return beam, places, *solved(beam, *items, *probes)


@pytest.mark.parametrize(
    ("model", "elements", "error"), [("quadratic", 8, 3e-3), ("cable", 8, 5e-3)]
)
def test_section_forces_balance_the_load(model, elements, error):
    """Small bending: N, Q constant, moments force times arm, torque constant; the clamp agrees."""
    beam, places, r, _ = loaded(model, model != "cable", elements)
    for name, s in places.items():
        arm = L - s
        assert r[f"{name}.Q_y"][-1] == pytest.approx(-0.01, rel=error)
        assert r[f"{name}.Q_z"][-1] == pytest.approx(0.005, rel=error)
        assert r[f"{name}.N"][-1] == pytest.approx(0.03, rel=error)
        assert r[f"{name}.M_z"][-1] == pytest.approx(-0.01 * arm, rel=error)
        assert r[f"{name}.M_y"][-1] == pytest.approx(-0.005 * arm, rel=error)
        torque = 0.002 if model != "cable" else 0.0
        assert r[f"{name}.M_t"][-1] == pytest.approx(torque, rel=1e-2, abs=1e-9)
    assert r["a.M_z"][-1] == pytest.approx(-r["clamp.moment.z"][-1], rel=error)


@pytest.mark.parametrize("model", ["quadratic", "cable"])
def test_section_forces_and_stress_of_the_whole_beam(model):
    """After the fact: the same numbers as the probe; N/A and M y/I on the outline."""
    beam, _, r, state = loaded(model, False, 8)
    forces = beam.section_forces(state)
    k = int(np.argmin(np.abs(forces["s"] - 1.0)))
    for name in ("N", "Q_y", "Q_z", "M_y", "M_z"):
        assert forces[name][k] == pytest.approx(r[f"c.{name}"][-1], rel=1e-9)
    stress = beam.surface_stress(state)
    y, z = SQUARE.outline.T
    expected = forces["N"][k] / SQUARE.area
    expected = expected - forces["M_z"][k] * y / SQUARE.I_y + forces["M_y"][k] * z / SQUARE.I_z
    assert stress["xx"][k] == pytest.approx(expected, rel=2e-3)
    assert stress["von_mises"][k] == pytest.approx(np.abs(expected), rel=1e-2)


def test_torsion_stress_of_a_tube():
    """T r/I_p on the outline of a tube, von Mises sqrt(3) times it."""
    tube = fc.Tube(0.03, 0.02)
    beam = straight("quadratic", 4, tube)
    _, state = solved(beam, fc.Torque(beam.end, (50.0, 0, 0)))
    stress = beam.surface_stress(state)
    expected = 50.0 * 0.03 / (tube.I_y + tube.I_z)
    assert stress["von_mises"] == pytest.approx(np.full((9, 24), np.sqrt(3) * expected), rel=1e-3)


@pytest.mark.parametrize("law", ["green", "neo-Hookean", "biot"])
def test_stress_of_a_stretched_and_turned_beam(law):
    """Cauchy's stress of F = diag(a, b, b): neo-Hookean (mu (a^2 - 1) + lam ln J)/J; Green's split
    law a^2 S/J with the full law's S; Biot's the same S of a - 1 (undeformed area)."""
    m = STEEL if law != "neo-Hookean" else fc.NeoHookean(2e11, 0.3, 7800)
    options = {} if law == "neo-Hookean" else {"strain": law}
    beam = fc.Beam((0, 0, 0), (L, 0, 0), SQUARE, m, 2, free=True, **options)
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    state = system.state
    a, b = 1.02, 0.995
    turn = Rotation.from_rotvec([0.9, -2.0, 0.7]).as_matrix()
    for node in beam.nodes:
        for name, factor in (("r", a), ("d2", b), ("d3", b)):
            state.q[node[name].numbers] = turn @ (factor * state.q[node[name].numbers])
    J = a * b * b
    axial, across = (a - 1 if law == "biot" else (a**2 - 1) / 2), (b**2 - 1) / 2
    S = [m.lam * (axial + 2 * across) + 2 * m.mu * x for x in (axial, across)]
    expected = {
        "neo-Hookean": [(m.mu * (x**2 - 1) + m.lam * np.log(J)) / J for x in (a, b)],
        "green": [S[0] * a**2 / J, S[1] * b**2 / J], "biot": S,
    }[law]  # fmt: skip
    stress = beam.surface_stress(state.everything(state.q))
    for name, value in (("xx", expected[0]), ("yy", expected[1]), ("zz", expected[1])):
        assert stress[name] == pytest.approx(np.full((5, 4), value), rel=1e-9)
    assert np.abs(stress["xy"]).max() < 1e-9 * abs(expected[0])


def test_the_law_of_the_docs():
    """Blatz and Ko's foam, ten lines in docs/beams.md: E = 5/2 mu at rest, so F L/EA under a small
    pull."""
    beam = fc.Beam((0, 0, 0), (L, 0, 0), SQUARE, Blatz(rho=300, mu=1e5), 2)
    pull = 1e-6 * 2.5e5 * SQUARE.area
    r = clamped(beam, fc.Force(beam.end, (pull, 0, 0)))
    assert r["tip.x"][-1] - L == pytest.approx(1e-6 * L, rel=1e-4)


@dataclass(frozen=True)
class Blatz(fc.Material):
    """mu/2 (tr C + 2/J - 5): Blatz and Ko's foam; at rest E = 5/2 mu, nu = 1/4."""

    mu: float
    parameters = ("mu",)

    @staticmethod
    def energy(F, p):
        return p.mu / 2 * (ufl.inner(F, F) + 2 / ufl.det(F) - 5)
