"""The program of the page "DOLFINx" runs as printed, and its numbers are right."""

import re
from pathlib import Path

import dolfinx.fem.petsc  # noqa: F401  (assembles matrices)
import numpy as np
import pytest
import ufl
from dolfinx import fem
from scipy.integrate import solve_ivp
from scipy.linalg import expm

PAGE = Path(__file__).parents[2] / "docs" / "dolfinx.md"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """What the page's program leaves behind, and the folder it ran in."""
    script = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S))
    names: dict = {"__name__": "dolfinx_page"}
    here = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        exec(script, names)
    return names, here


def test_swing(page):
    """A rigid bar on a pin by SciPy: I a'' = m g l/2 cos a from the horizontal."""
    names, here = page
    length, height, g = 0.4, 0.04, 9.81
    arm = length / 2 * g / (length**2 / 3 + height**2 / 12)
    fall = solve_ivp(lambda t, y: (y[1], arm * np.cos(y[0])), (0, 0.1), (0, 0), rtol=1e-10)
    right = length / 2 * np.array([np.cos(fall.y[0, -1]), -np.sin(fall.y[0, -1])])
    assert names["centre"] == pytest.approx(right, abs=2e-5)
    swing = names["swing"]
    assert [swing["whole.x"][-1], swing["whole.y"][-1]] == pytest.approx(names["centre"], abs=1e-6)
    assert (here / "rod.bp").exists() and (here / "swing.npz").exists()


def test_hot_bar(page):
    """A strain that is linear over the height is free of stress whatever the modulus: away from the
    clamp the bar has the curvature a dT / h, and is longer by its mean."""
    names, _ = page
    curvature, mean = 1.2e-5 * 200 / 0.04, 1.2e-5 * 100
    u = names["unloaded"]
    x = u.function_space.tabulate_dof_coordinates()

    def moved(f, place):
        (node,) = np.flatnonzero(np.linalg.norm(x - (place, 0, 0), axis=1) < 1e-9)
        return f.x.array.reshape(-1, 3)[node]

    a, b, c = (moved(u, place) for place in (0.2, 0.3, 0.4))
    assert a[1] - 2 * b[1] + c[1] == pytest.approx(-curvature * 0.1**2, rel=5e-3)
    assert c[0] - a[0] == pytest.approx(mean * 0.2 - curvature**2 * (0.4**3 - 0.2**3) / 6, rel=1e-2)
    assert abs(moved(names["warm"], 0.4) - c)[1] > 1e-4  # the traction is a moment


def test_heat(page):
    """C T' + K T = f by the exponential of DOLFINx's own matrices."""
    names, _ = page
    V, ds = names["V"], names["ds"]
    u, w = ufl.TrialFunction(V), ufl.TestFunction(V)

    def dense(form):
        A = fem.petsc.assemble_matrix(fem.form(form))
        A.assemble()
        return A.convert("dense").getDenseArray().copy()

    C = dense(3.6e6 * u * w * ufl.dx)
    K = dense(50 * ufl.inner(ufl.grad(u), ufl.grad(w)) * ufl.dx + 100 * u * w * ds(2))
    f = fem.assemble_vector(fem.form(5e4 * w * ds(3))).array
    rate = np.block(
        [[-np.linalg.solve(C, K), np.linalg.solve(C, f)[:, None]], [np.zeros((1, len(f) + 1))]]
    )
    right = (expm(20 * rate) @ np.append(np.zeros(len(f)), 1.0))[:-1]
    found = names["temperature"].x.array
    np.testing.assert_allclose(found, right, atol=1e-3 * right.max())
    total = C.sum(axis=0) @ right
    assert names["run"]["T.heat"][-1] == pytest.approx(total, rel=1e-5)
    assert total == pytest.approx(5e4 * 0.4 * 0.04 * 20, rel=0.01)  # hardly any has left


def test_expansion_of_the_slab(page):
    """A body whose mean stress is zero: the mean displacement of the end is alpha times the heat by
    capacity and area, whatever the field of temperature; forwards, not back."""
    names, _ = page
    msh, u = names["msh"], names["longer"]
    end = ufl.Measure("ds", msh, subdomain_data=names["tags"])(2)
    mean = fem.assemble_scalar(fem.form(u[0] * end)) / 0.04**2
    heat = names["run"]["T.heat"][-1]  # of the same equation
    assert mean == pytest.approx(1.2e-5 * heat / (3.6e6 * 0.04**2), rel=1e-3)
