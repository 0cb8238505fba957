"""Case ``twisting_column``: balances of free flight, the torsion vibration of small twist, other
meshes and elements at the full twist."""

import numpy as np
import pytest

from fem_clearance import cases

SOURCE = "closed form: Saint Venant's torsion, first mode of a clamped rod"


def run(changes):
    return cases.get("twisting_column").simulation(changes, progress=False).run()


def test_small_twist_is_the_first_torsion_vibration(published):
    """The initial velocities are those of the first torsion mode of a clamped rod: angle of the top
    spin/w sin(w t), w = pi/(2 L) sqrt(G J / (rho I_p)); Saint Venant's J = 0.140577 a^4 of a
    square, I_p = a^4/6."""
    spin, E, nu, rho = 0.01, 1.7e7, 0.3, 1100.0
    results = run({"spin": spin, "t_end": 0.2})
    w = np.pi / 12 * np.sqrt(E / (2 * (1 + nu)) * 0.140577 * 6 / rho)
    t, angle = results.time, np.arctan2(results["tip.x"], results["tip.z"]) - np.pi / 4
    k = int(np.flatnonzero((angle[1:-1] > 0) & (angle[2:] <= 0))[0]) + 1
    crossing = t[k] + (t[k + 1] - t[k]) * angle[k] / (angle[k] - angle[k + 1])
    published("frequency of small twist", np.pi / crossing, w, rel=0.02, unit="rad/s")
    largest = np.abs(angle).max()
    published("amplitude of small twist", largest, spin / w, rel=0.02, unit="rad")


@pytest.mark.parametrize(("cell", "degree"), [("hexahedron", 2), ("tetrahedron", 1)])
def test_free_flight(published, cell, degree):
    """No base: momentum and angular momentum stay what they were while the column twists by more
    than a turn; energy of generalized-alpha without damping."""
    changes = {"column.cell": cell, "column.degree": degree, "base": "free", "rho_inf": 1.0}
    results = run(changes | {"t_end": 0.1, "dt": 5e-4})
    scale = 1100.0 * 6 * 105 * 0.5
    for k in ("px", "py", "pz"):
        momentum = results[f"momentum.{k}"]
        assert np.abs(momentum - momentum[0]).max() < 1e-10 * scale
    L = results["momentum.Ly"]
    energy = results["energy.total"]
    exact = 1100 * 105 * 6 / 6 * 2 / np.pi
    published(f"angular momentum, {cell} {degree}", L[0], exact, rel=0.02, unit="kg m^2/s")
    assert np.abs(L / L[0] - 1).max() < 2e-3
    assert results["energy.strain"].max() > 0.2 * energy[0]
    assert np.abs(energy / energy[0] - 1).max() < 1e-2


def test_start(published):
    """Kinetic energy: rho/2 spin^2 I_p times the integral of sin^2 = rho spin^2 a^4 L / 24."""
    results = run({"t_end": 1e-3})
    exact, found = 1100 * 105**2 * 6 / 24, results["energy.kinetic"][0]
    published("kinetic energy at the start", found, exact, rel=1e-3, unit="J")
    assert results["energy.strain"][0] == 0
    assert results["tip.uy"][0] == 0


@pytest.mark.slow
def test_meshes_and_elements_agree():
    """The clamped column after 0.05 s, twisted by 244 degrees at the top: angle of the top and
    strain energy as a finer mesh, tetrahedra and lumped masses have them."""
    ends = {}
    for key, changes in {
        "coarse": {},
        "fine": {"column.cells": 3},
        "tetrahedra": {"column.cell": "tetrahedron"},
        "lumped": {"column.lumped": True},
    }.items():
        results = run({"t_end": 0.05, "dt": 2e-3, **changes})
        turn = np.unwrap(np.arctan2(results["tip.x"], results["tip.z"]))
        ends[key] = turn[-1] - turn[0], results["energy.strain"][-1]
        print(key, ends[key])
    assert ends["coarse"] == pytest.approx(ends["fine"], rel=2e-3)
    for key in ("tetrahedra", "lumped"):
        assert ends[key] == pytest.approx(ends["fine"], rel=0.03)
