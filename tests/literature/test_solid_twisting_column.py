"""Case ``twisting_column``: balances of free flight, the torsion vibration of small twist, meshes and
elements against each other at the full twist."""

import numpy as np
import pytest

from fem_clearance import cases


def run(**changes):
    changes = {k.replace("__", "."): v for k, v in changes.items()}
    return cases.get("twisting_column").simulation(changes, progress=False).run()


def test_small_twist_is_the_first_torsion_vibration():
    """The initial velocities are those of the first torsion mode of a clamped rod: angle of the top
    spin/w sin(w t), w = pi/(2 L) sqrt(G J / (rho I_p)); Saint Venant's J = 0.140577 a^4 of a square,
    I_p = a^4/6. (The clamp hinders warping: the rod is a little stiffer, by some 0.3 a/L.)"""
    spin, E, nu, rho = 0.01, 1.7e7, 0.3, 1100.0
    results = run(spin=spin, t_end=0.12)
    w = np.pi / 12 * np.sqrt(E / (2 * (1 + nu)) * 0.140577 * 6 / rho)
    t, angle = results.time, np.arctan2(results["tip.x"], results["tip.z"]) - np.pi / 4
    crossing = np.interp(0.0, -angle[30:], t[30:])
    print(w, np.pi / crossing / w, np.abs(angle).max() * w / spin)
    assert np.pi / crossing == pytest.approx(w, rel=0.03)
    assert np.abs(angle).max() == pytest.approx(spin / w, rel=0.03)


@pytest.mark.parametrize(("cell", "degree"), [("hexahedron", 2), ("tetrahedron", 1)])
def test_free_flight(cell, degree):
    """No base: the momentum stays zero and the angular momentum what it was, while the column twists
    by more than a turn; energy of generalized-alpha without damping."""
    results = run(
        base="free", t_end=0.1, rho_inf=1.0, column__cell=cell, column__degree=degree, dt=5e-4
    )
    scale = 1100.0 * 6 * 105 * 0.5
    for k in ("px", "py", "pz"):
        assert np.abs(results[f"momentum.{k}"]).max() < 1e-10 * scale
    L = results["momentum.Ly"]
    energy = results["energy.total"]
    print(cell, np.abs(L / L[0] - 1).max(), np.abs(energy / energy[0] - 1).max())
    assert L[0] == pytest.approx(1100 * 105 * 6 / 6 * 2 / np.pi, rel=0.02)
    assert np.abs(L / L[0] - 1).max() < 2e-3
    assert np.abs(results["momentum.Lx"]).max() < 1e-8 * L[0]
    assert results["energy.strain"].max() > 0.2 * energy[0]
    assert np.abs(energy / energy[0] - 1).max() < 1e-2


def test_start():
    """Kinetic energy of the velocities given: rho/2 spin^2 I_p integral sin^2 = rho spin^2 a^4 L/24."""
    results = run(t_end=1e-3)
    exact = 1100 * 105**2 * 6 / 24
    assert results["energy.kinetic"][0] == pytest.approx(exact, rel=1e-3)
    assert results["energy.strain"][0] == 0
    assert results["tip.uy"][0] == 0


@pytest.mark.slow
def test_meshes_and_elements_agree():
    """The clamped column to its first turning point, as fine meshes and other elements have it."""
    ends = {}
    for key, changes in {
        "coarse": {},
        "fine": {"column.cells": 4},
        "finest": {"column.cells": 6},
        "tets": {"column.cells": 4, "column.cell": "tetrahedron"},
        "linear": {"column.cells": 8, "column.degree": 1},
        "lumped": {"column.cells": 4, "column.lumped": True},
    }.items():
        results = run(t_end=0.06, dt=1e-3, rho_inf=0.9, **{k.replace(".", "__"): v
                                                           for k, v in changes.items()})  # fmt: skip
        k = int(np.argmin(results["tip.uy"]))
        ends[key] = [results.time[k], results["tip.uy"][k], results["energy.strain"].max()]
        print(key, ends[key], results["tip.uy"][-1])
