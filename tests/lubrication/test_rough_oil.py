"""Oil between rough surfaces: its mean thickness, and the load that a film of it carries."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, simpson
from ufl import as_ufl

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.lubrication import (
    Asperities,
    Bearing,
    CylindricalFilm,
    Full,
    Place,
    pad_film,
    plain_bearing,
)
from fem_clearance.lubrication.film.asperities import oil

SIGMA = 0.5e-6
#: so soft that only the oil carries
SOFT = Asperities(SIGMA, 1e-3)
STEEL = Asperities(SIGMA, 1.1e11)


def mean_gap(x):
    """Mean of the gap of surfaces whose heights are normally distributed, and the part of them that
    are apart, by quadrature; distance x and gap in roughnesses."""
    points, weights = np.polynomial.legendre.leggauss(200)
    gap, weights = (1 + points) * (x + 30) / 2, weights * (x + 30) / 2
    density = weights * np.exp(-((x - gap) ** 2) / 2) / np.sqrt(2 * np.pi)
    return density @ gap, density.sum()


@pytest.mark.parametrize("x", [-5.0, -3.0, -1.0, 0.0, 0.5, 2.0, 4.0, 10.0])
def test_mean_thickness(x):
    gap, apart = mean_gap(x)
    assert oil(np.array(x * SIGMA), SIGMA, np) == pytest.approx((SIGMA * gap, apart), rel=1e-8)
    form = [float(as_ufl(z)(())) for z in oil(as_ufl(x * SIGMA), SIGMA)]
    assert form == pytest.approx([SIGMA * gap, apart], rel=1e-8)
    assert SOFT.apart(float(SOFT.oil(x * SIGMA))) == pytest.approx(x * SIGMA, rel=1e-6, abs=1e-12)


def test_distant_surfaces():
    """However far apart, the thickness is the distance; the surfaces never leave less than none."""
    far = np.array([10.0, 1e3, 1e9, 1e200]) * SIGMA
    with np.errstate(all="raise", under="ignore", over="ignore"):
        assert oil(far, SIGMA, np)[0] == pytest.approx(far, rel=1e-15)
    assert np.all(SOFT.oil(SIGMA * np.linspace(-6, 6, 200)) > 0)


@pytest.mark.parametrize("ratio, modulus", [(0.6, 1e-3), (0.6, 1e11), (3.0, 1e11)])
def test_rough_slider(ratio, modulus):
    """A wide pad, thickness from ``ratio`` roughnesses behind to 2.2 times that in front: Reynolds'
    equation by quadrature with the mean thickness, its pressure on the part that is wetted, and the
    pressure of the asperities."""
    L, B, C, mu, U = 0.02, 0.01, 20 * SIGMA, 0.04, 2.0
    h0 = ratio * SIGMA
    slope, middle = 1.2 * h0 / L, 1.6 * h0
    rough = Asperities(SIGMA, modulus)
    film = pad_film(L, B, C, mu, sliding_speed=U, cells=(96, 1), edges=("x0", "x1"),
                    cavitation=Full(), asperities=rough)  # fmt: skip
    along = np.array([-np.sqrt(1 - slope**2), 0.0, slope])
    found = Bearing(film).solve(Place(e=(0, 0, C - middle), t=(slope, 0), V=tuple(U * along)))
    x = np.linspace(0, L, 201)
    d = h0 + slope * x
    h, apart = np.array([mean_gap(s / SIGMA) for s in d]).T * [[SIGMA], [1]]
    steady = simpson(h**-2, x=x) / simpson(h**-3, x=x)  # thickness at the largest pressure
    pressure = cumulative_simpson(6 * mu * U * (h - steady) / h**3, x=x, initial=0)
    load = B * simpson(abs(pressure) * apart, x=x)
    contact = B * simpson(rough.pressure(d), x=x)
    normal = np.array([slope, 0, np.sqrt(1 - slope**2)])
    assert -found.force @ normal == pytest.approx(load + contact, rel=2e-3)
    assert (contact < 1e-9 * load) == (modulus < 1)


def at_ratio(smooth, ratio):
    """Loads of a smooth and a rough bearing whose least distance is so many roughnesses."""
    c = smooth.clearance
    place = Place(e=(c - ratio * SIGMA, 0, 0), Omega=(0, 0, 100))
    films = smooth, replace(smooth, asperities=STEEL)
    return [float(np.linalg.norm(Bearing(film).solve(place).force)) for film in films]


def test_load_where_nothing_touches():
    """From 4 roughnesses on a bearing carries what smooth surfaces do (the flow factor of Patir and
    Cheng is 0.997 at 10 roughnesses); below, wider gaps in the valleys cost load."""
    film = plain_bearing(15e-3, 30e-3, 5e-5, 0.04, cells=(48, 8), crowd=0.8, sliding_speed=1.5)
    for ratio, rel in ((50, 1e-9), (10, 1e-9), (4, 2e-5)):
        smooth, rough = at_ratio(film, ratio)
        assert rough == pytest.approx(smooth, rel=rel)
    smooth, rough = at_ratio(film, 1.0)
    assert 0.8 * smooth < rough < 0.95 * smooth


def test_overlap_is_borne_by_asperities():
    """Mean planes that overlap by two roughnesses, in a bearing that hardly turns."""
    film = replace(
        plain_bearing(15e-3, 30e-3, 5e-5, 0.04, cells=(48, 8), crowd=0.8), asperities=STEEL
    )
    place = Place(e=(5e-5 + 2 * SIGMA, 0, 0), Omega=(0, 0, 1e-3))
    found = Bearing(film).solve(place)
    touching = film.surface.areas() @ (
        found.contact_pressure * film.surface.nodes[:, 0] / film.radius
    )
    assert found.thickness.min() == pytest.approx(-2 * SIGMA, rel=1e-6)
    assert -found.force[0] == pytest.approx(touching, rel=0.1)
    assert touching > 100


def test_rougher_than_wide():
    """0.5 m, where 0.5 um is meant: of a film, of a joint with a warning, of the case."""
    wrong = {"clearance": 5e-5, "roughness": 0.5}
    film, ground = plain_bearing(15e-3, 30e-3, 5e-5, 0.04), fc.System().ground.point((0, 0, 0))
    journal = fc.RigidBody(1.0, (1e-3,) * 3).center
    for make in (
        lambda: replace(film, asperities=Asperities(0.5, 1e11)),
        lambda: CylindricalFilm(ground, journal, (0, 0, 1), film=film, roughness=0.5),
        lambda: cases.get("journal_bearing").simulation(wrong, progress=False).run(),
    ):
        with pytest.raises(
            fc.InputError, match="of 0.5 m, are rougher than the clearance of 5e-05"
        ):
            make()


def test_overlap_without_dry_contact_is_no_transition_to_it(caplog):
    """Rough surfaces overlap under 2e5 N/m: only that they touch is said."""
    film = replace(
        plain_bearing(15e-3, 30e-3, 5e-5, 0.04, cells=(24, 4)),
        asperities=replace(STEEL, modulus=1e8),
    )
    system = fc.System(gravity=(0, 0, 0))
    rotor = system.add(fc.RigidBody(1.0, (1e-3,) * 3, position=(5.02e-5, 0, 0)))
    bearing = system.ground.point((0, 0, 0))
    system.add(fc.PlanarJoint(bearing, rotor.center, axis=(0, 0, 1)))
    system.add(CylindricalFilm(bearing, rotor.center, (0, 0, 1), film=film))
    fc.Simulation(system, dt=1e-5, t_end=2e-5, progress=False).run()
    assert "asperities touch" in caplog.text and "transition" not in caplog.text
