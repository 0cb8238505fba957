"""Dynamic coefficients: smooth in the eccentricity, of second order, with an estimate of their
error; those of closed forms."""

import json

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.linear_solvers import Factors
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Coefficients,
    Film,
    Full,
    Groove,
    Guembel,
    LongBearing,
    Lubricant,
    Place,
    Reynolds,
    ShortBearing,
    cylinder,
    eccentricity_for,
    equilibrium,
    plain_bearing,
    threshold_speed,
)

from ..conftest import shell

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0


def bearing(cells, cavitation=None, start=True):
    film = plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=cells, crowd=0.8,
                         cavitation=cavitation, starts_at_largest_gap=start)  # fmt: skip
    return Bearing(film)


def at(ratio):
    return Place(e=(ratio * C, 0, 0), Omega=(0, 0, SPEED))


def numbers(found):
    return np.stack([found.stiffness.ravel(), found.damping.ravel()])


def roughness(rows):
    """Largest distance from the cubic of least squares, by the largest stiffness or damping."""
    rows, t = np.array(rows), np.linspace(-1, 1, len(rows))
    y = rows.reshape(len(t), -1)
    smooth = np.stack([np.polyval(np.polyfit(t, x, 3), t) for x in y.T], axis=1)
    away = np.abs(y - smooth).reshape(rows.shape)
    return (away.max(axis=(0, 2)) / np.abs(rows).max(axis=(0, 2))).max()


@pytest.mark.parametrize(
    ("law", "start"),
    [
        (Reynolds(), True),
        pytest.param(Reynolds(), False, marks=pytest.mark.slow),
        pytest.param(JFO(), True, marks=pytest.mark.slow),
    ],
)
def test_smooth_in_the_eccentricity(law, start):
    """To 0.02 % on 96x16 cells (measured: 0.002 %), where those of the mesh leave the same cubic by
    more than 0.2 % as the edge of the film goes from node to node."""
    films, found, mesh = bearing((96, 16), law, start), [], []
    for ratio in np.linspace(0.52, 0.58, 9):
        film = films.solve(at(ratio))
        found.append(numbers(Coefficients.of(film, errors=False)))
        mesh.append(numbers(Coefficients(film.stiffness[:2, :2], film.damping[:2, :2])))
    assert roughness(mesh) > 2e-3
    assert roughness(found) < 2e-4


@pytest.mark.parametrize("ratio", [0.55, pytest.param(0.8, marks=pytest.mark.slow)])
def test_second_order_and_the_estimate(ratio):
    """On half the cells four times the error, and it is what the estimate says."""
    found = [
        Coefficients.of(bearing(cells).solve(at(ratio))) for cells in ((48, 8), (96, 16), (192, 32))
    ]
    for name in ("stiffness", "damping"):
        coarse, medium, fine = (getattr(z, name) for z in found)
        assert np.linalg.norm(coarse - medium) > 3 * np.linalg.norm(medium - fine)
        best = fine + (fine - medium) / 3
        wrong, said = abs(medium - best), getattr(found[1], f"{name}_error")
        assert np.linalg.norm(wrong) == pytest.approx(np.linalg.norm(said), rel=0.5)


def test_linear_solutions_are_refined(monkeypatch):
    """Factors that are off by a thousandth (those of a film on a liner, 384x32 cells, left all of a
    right-hand side) change nothing."""
    films = bearing((48, 8))
    film = films.solve(at(0.55))
    good, solve = films.derivatives(film), Factors.solve
    monkeypatch.setattr(Factors, "solve", lambda self, b: 1.001 * solve(self, b))
    for a, b in zip(good, films.derivatives(film), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-7 * np.abs(a).max())


def reforming(cells):
    """A film that breaks behind its groove at 60 degrees and forms again at about 240."""
    groove = Groove(np.radians(60), np.radians(20), length=2 * R)
    film = plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=cells, cavitation=JFO(),
                         grooves=[groove])  # fmt: skip
    return Bearing(film)


def test_smooth_where_a_film_forms_again():
    """To 0.2 % of the largest on 48x8 cells (measured: 0.1 %), where those of the mesh leave the
    same cubic by more than 1 % as that edge goes from node to node."""
    films, found, mesh = reforming((48, 8)), [], []
    for ratio in np.linspace(0.25, 0.32, 13):
        film = films.solve(at(ratio))
        found.append(numbers(Coefficients.of(film, errors=False)))
        mesh.append(numbers(Coefficients(film.stiffness[:2, :2], film.damping[:2, :2])))
    assert roughness(mesh) > 1e-2
    assert roughness(found) < 2e-3


@pytest.mark.parametrize("ratio", [0.55, pytest.param(0.285, marks=pytest.mark.slow)])
def test_second_order_and_the_estimate_where_a_film_forms_again(ratio):
    """The largest estimate covers the largest error, against Richardson's extrapolation. Changes
    fall by 3 to 5; by 2.9 where those by the cells round and along the bearing cancel on the
    coarser meshes (first order: 2)."""
    found = [
        Coefficients.of(reforming(cells).solve(at(ratio)))
        for cells in ((48, 8), (96, 16), (192, 32))
    ]
    for name in ("stiffness", "damping"):
        coarse, medium, fine = (getattr(z, name) for z in found)
        assert np.linalg.norm(coarse - medium) > 2.7 * np.linalg.norm(medium - fine)
        best = fine + (fine - medium) / 3
        wrong, said = abs(medium - best).max(), getattr(found[1], f"{name}_error").max()
        assert wrong < 1.5 * said, (name, wrong, said)


#: Lund and Thomsen (1978), Topics in Fluid Film Bearing and Rotor Bearing System Design, ASME,
#: 1-28, as typed in petrobras/ross, ross/tests/test_fluid_film_literature.py: two axial grooves of
#: 20 degrees at the split, load between them. L/D, S = mu N L D (R/c)^2 / W, eps, phi (deg), then
#: k c / W and b c omega / W, x along the load: xx, xy, yx, yy; xx, xy, yy
GROOVED = (
    (0.5, 1.656, 0.244, 65.85, (1.69, 5.06, -2.2, 1.95), (9.93, 2.15, 4.8)),
    (0.5, 0.58, 0.477, 51.01, (2.67, 3.7, -0.78, 1.75), (6.96, 1.94, 2.4)),
    (0.5, 0.244, 0.655, 40.25, (4.21, 3.74, -0.13, 1.64), (6.87, 1.82, 1.54)),
    (1.0, 0.991, 0.15, 70.58, (1.56, 7.29, -2.16, 1.52), (14.66, 1.58, 4.49)),
    (1.0, 0.235, 0.46, 49.27, (2.19, 3.57, -0.8, 1.55), (7.36, 1.89, 2.19)),
    (1.0, 0.108, 0.65, 39.72, (3.45, 3.34, -0.23, 1.44), (6.89, 1.72, 1.43)),
)  # fmt: skip


@pytest.mark.parametrize(("ratio", "S", "eps", "phi", "K", "B"), GROOVED)
def test_two_axial_grooves(ratio, S, eps, phi, K, B):
    """All coefficients within 1.5 % of the largest (measured: 1.1 %; on 144x16 cells 0.9 %)."""
    length = 2 * R * ratio
    edge = R * np.sin(np.radians(10)) + 1e-9
    surface = cylinder(R, length, (72, 16)).marked(grooves=lambda x: np.abs(x[:, 1]) <= edge)
    film = Film(surface, C, Lubricant(MU), Reynolds(), {"z0": 0, "z1": 0, "grooves": 0},
                sliding_speed=R * SPEED)  # fmt: skip
    load = MU * SPEED / (2 * np.pi) * length * 2 * R * (R / C) ** 2 / S
    state = equilibrium(film, (0, -load), SPEED)
    found = Coefficients.of(state, errors=False)
    e = np.array(state.place.e[:2]) / C
    assert np.hypot(*e) == pytest.approx(eps, abs=2e-3)
    assert np.degrees(np.arctan2(e[0], -e[1])) == pytest.approx(phi, abs=0.15)
    k, b = found.stiffness * C / load, found.damping * C * SPEED / load
    np.testing.assert_allclose([k[1, 1], -k[1, 0], -k[0, 1], k[0, 0]], K, atol=0.015 * max(K))
    np.testing.assert_allclose([b[1, 1], -b[1, 0], b[0, 0]], B, atol=0.015 * max(B))


def test_no_estimate_without_a_coarser_mesh():
    found = Coefficients.of(bearing((30, 3)).solve(at(0.5)))
    assert found.stiffness_error is None and found.damping_error is None
    K, D = found
    assert K is found.stiffness and D is found.damping


def test_the_case_gives_them(tmp_path):
    out = tmp_path / "run"
    assert shell(f"run journal_bearing --set film.cells=48x8 --quiet --out {out}") == 0
    summary = json.loads((out / "summary.json").read_text())
    for name in ("stiffness", "damping"):
        wrong, value = (np.array(summary[key]) for key in (f"{name}_error", name))
        assert 0 < np.abs(wrong).max() < 0.05 * np.abs(value).max()


# --- closed forms -----------------------------------------------------------------------------
SHORT = ShortBearing(0.05, 0.03, 1e-4, 0.1, cavitation=Guembel(), sliding_speed=0.05 * 157.08)


def test_short_bearing():
    """A journal of 100 mm, 30 mm wide, under 525 N at 1500 rpm: place and coefficients by the
    theory of short bearings, as a textbook's task prints them."""
    film = equilibrium(SHORT, (0, -525.0), 157.08)
    assert np.hypot(*film.place.e[:2]) / 1e-4 == pytest.approx(0.2663, abs=5e-5)
    found = Coefficients.of(film)
    np.testing.assert_allclose(found.stiffness / 1e6, [[12.81, 16.39], [-25.06, 8.815]], rtol=5e-4)
    np.testing.assert_allclose(
        found.damping / 1e3, [[232.9, -81.92], [-81.92, 294.9]], rtol=5e-4
    )  # fmt: skip
    assert not found.stiffness_error.any() and not found.damping_error.any()
    np.testing.assert_allclose(film.force[:2], (0, 525.0), atol=1e-6)
    assert film.thickness.min() == pytest.approx((1 - 0.2663) * 1e-4, rel=1e-4)
    assert film.power_loss == pytest.approx(-film.moment[2] * 157.08, rel=1e-9)


def test_what_closed_forms_are_asked_for():
    mass = Coefficients.of(equilibrium(SHORT, (0, -525.0), 157.08)).critical_mass
    assert threshold_speed(SHORT, (0, -525.0), mass, 100.0, 300.0) == pytest.approx(157.08)
    alone = Bearing(SHORT)
    film = eccentricity_for(alone, 525.0, 157.08)
    assert film.place.e[0] / 1e-4 == pytest.approx(0.2663, abs=5e-5)
    assert alone.coarser is None and np.isnan(film.pressure).all()
    with pytest.raises(fc.InputError, match="parallel axes"):
        alone.solve(Place(t=(1e-4, 0)))
    with pytest.raises(fc.InputError, match="touches the bearing"):
        alone.solve(Place(e=(2e-4, 0, 0)))
    with pytest.raises(fc.InputError, match="film must be a Film or a closed form"):
        equilibrium(3, (0, -1.0), 1.0)


@pytest.mark.parametrize("law", [Guembel(), Full()])
def test_long_bearing(law):
    """Differences of the printed forces: f_r = -2 omega eps^2, f_t = pi omega eps (1 - eps^2)^(1/2)
    (half Sommerfeld; the full film has no f_r and twice f_t), each 6 mu R^3 L / (c^2 (2 + eps^2)
    (1 - eps^2)) (Sommerfeld 1904; Pinkus and Sternlicht 1961)."""
    L, eps, omega = 0.2, 0.5, 157.08
    closed = LongBearing(0.05, L, 1e-4, 0.1, law)
    film = Bearing(closed).solve(Place(e=(eps * 1e-4, 0, 0), Omega=(0, 0, omega)))

    def force(x):
        part = 6 * 0.1 * 0.05**3 * L * omega / 1e-8 / ((2 + x * x) * (1 - x * x))
        half = isinstance(law, Guembel)
        return part * np.array([-2 * x * x * half, np.pi * x * (1 - x * x) ** 0.5 * (2 - half)])

    np.testing.assert_allclose(film.force[:2], force(eps), rtol=1e-9, atol=1e-6)
    step = 1e-5
    slope = -(force(eps + step) - force(eps - step)) / (2 * step) / 1e-4
    np.testing.assert_allclose(film.stiffness[:2, 0], slope, rtol=1e-6, atol=1.0)
    # turned by a small angle the force turns with the place
    across = -np.array([-force(eps)[1], force(eps)[0]]) / (eps * 1e-4)
    np.testing.assert_allclose(film.stiffness[:2, 1], across, rtol=1e-6, atol=1.0)
