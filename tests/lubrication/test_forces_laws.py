"""Laws and closed forms of films: viscosity, density, transition, and the bearings of Ocvirk and
Sommerfeld against integrals of their equations."""

import numpy as np
import pytest
import ufl
from scipy.integrate import quad

from fem_clearance.lubrication import (
    Barus,
    DowsonHigginson,
    Full,
    Guembel,
    LongBearing,
    Lubricant,
    Place,
    Roelands,
    ShortBearing,
    SphericalSqueeze,
)  # fmt: skip
from fem_clearance.lubrication.closed_forms.spherical import bracket
from fem_clearance.lubrication.film.thickness import film_transition
from fem_clearance.lubrication.joints.transition import dry_share, film_share, shared_energy

from ..forces import numbers, value

R, L, C, MU = 15e-3, 9e-3, 2e-5, 0.04


def test_viscosity_laws():
    """Barus (1893) and Roelands (1966), the latter with mu in Pa s and p in Pa."""
    p, mu = 2e8, 0.04
    law = Barus(mu, alpha=1.8e-8)
    found = value(law.at(ufl.as_ufl(p), numbers(viscosity=mu, alpha=1.8e-8)))
    assert found == pytest.approx(mu * np.exp(1.8e-8 * p))
    law = Roelands(mu, z=0.65)
    found = value(law.at(ufl.as_ufl(p), numbers(viscosity=mu, z=0.65)))
    assert np.log(found / mu) == pytest.approx((np.log(mu) + 9.67) * ((1 + p / 1.96e8) ** 0.65 - 1))
    assert value(Lubricant(mu).at(ufl.as_ufl(p), numbers(viscosity=mu))) == mu


def test_density_law():
    """Dowson and Higginson (1966): 1 + 0.6 p / (1 + 1.7 p), p in GPa."""
    law = DowsonHigginson()
    for p, wanted in ((0.5, 1 + 0.3 / 1.85), (-0.5, 1.0)):
        assert value(law.at(ufl.as_ufl(1e9 * p), numbers(**law.values()))) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("d", "h", "slope"),
    [(3e-6, 3e-6, 1), (0.8e-6, (2e-6 + 0.8e-6**2 / 2e-6) / 2, 0.4), (-1e-6, 1e-6, 0)],
)
def test_transition(d, h, slope):
    """h = d from least on, least/2 (1 + (d/least)^2) below, least/2 where surfaces overlap."""
    found, acts = film_transition(ufl.as_ufl(d), ufl.as_ufl(2e-6))
    assert value(found) == pytest.approx(h)
    assert value(acts) == pytest.approx(slope)


@pytest.mark.parametrize(("depth", "dry"), [(-1e-6, 0), (0.5e-6, 0.25), (3e-6, 1)])
def test_shares_of_film_and_dry_contact(depth, dry):
    """Tian et al. (2009) eq. (35); the energy is the integral of the force that acts."""
    band, K = 2e-6, 1e9
    d = ufl.as_ufl(depth)
    assert value(dry_share(d, band)) == pytest.approx(dry)
    assert value(film_share(d, band)) == pytest.approx(1 - dry)
    energy = value(shared_energy(lambda x: K * abs(x) ** 2.5 / 2.5, d, band))
    work = quad(lambda x: min(x / band, 1) * K * x**1.5, 0, max(depth, 0), epsabs=0)[0]
    assert energy == pytest.approx(work, rel=1e-6)


PLACES = [
    ((0.5 * C, 0.3 * C), (0.0, 0.0), 100.0),
    ((-0.2 * C, 0.4 * C), (30 * C, -25 * C), 80.0),
    ((0.3 * C, 0.0), (-20 * C, 10 * C), 0.0),
]


def around(function):
    """Integral over one turn, by the trapezoidal rule."""
    phi = 2 * np.pi * np.arange(20000) / 20000
    return np.mean(function(phi), axis=-1) * 2 * np.pi


def moving(e, V, omega, phi):
    """Thickness and Reynolds' right-hand side, omega/2 dh/dphi + dh/dt."""
    h = C - e[0] * np.cos(phi) - e[1] * np.sin(phi)
    rate = -(V[0] * np.cos(phi) + V[1] * np.sin(phi))
    return h, omega / 2 * (e[0] * np.sin(phi) - e[1] * np.cos(phi)) + rate


@pytest.mark.parametrize("cavitation", [Full(), Guembel()])
@pytest.mark.parametrize("place", PLACES)
def test_short_bearing(place, cavitation):
    """Ocvirk's parabola along the axis, integrated round the bearing (the positive half of it)."""
    e, V, omega = place

    def force(phi):
        h, source = moving(e, V, omega, phi)
        mean = -12 * MU * source / h**3 * L**3 / 12  # integral along the axis
        if isinstance(cavitation, Guembel):
            mean = np.maximum(mean, 0)
        return -mean * R * np.array([np.cos(phi), np.sin(phi)])

    film = ShortBearing(R, L, C, MU, cavitation)
    at = Place(e=(*e, 0), V=(*V, 0), Omega=(0, 0, omega))
    exact = around(force)
    np.testing.assert_allclose(film.force(at)[:2], exact, atol=1e-6 * np.linalg.norm(exact), rtol=0)
    shear = around(lambda phi: -MU * omega * R**3 * L / moving(e, V, omega, phi)[0])
    # of the pressure on the bearing's side half of the couple of the force, on the journal's half
    couple = -(e[0] * exact[1] - e[1] * exact[0]) / 2
    assert film.moment(at)[2] == pytest.approx(shear + couple, rel=1e-6)


@pytest.mark.parametrize("place", PLACES)
def test_long_bearing(place):
    """Sommerfeld: Reynolds' equation round the bearing integrated twice, the pressure periodic."""
    e, V, omega = place
    phi = np.linspace(0, 2 * np.pi, 40001)
    h, source = moving(e, V, omega, phi)

    def integral(f):
        return np.r_[0, np.cumsum((f[1:] + f[:-1]) / 2) * (phi[1] - phi[0])]

    inflow = integral(12 * MU * R**2 * source)
    constant = -integral(inflow / h**3)[-1] / integral(1 / h**3)[-1]
    p = integral((inflow + constant) / h**3)
    force = [-integral(p * f(phi))[-1] * R * L for f in (np.cos, np.sin)]
    film = LongBearing(R, L, C, MU, Full())
    found = film.force(Place(e=(*e, 0), V=(*V, 0), Omega=(0, 0, omega)))
    np.testing.assert_allclose(found[:2], force, atol=1e-6 * np.linalg.norm(force), rtol=0)


def test_half_of_the_long_bearing():
    """Half Sommerfeld: the half turn before the smallest gap, whose pressure is 0 there."""
    e = np.array([0.4 * C, 0.3 * C])
    eps, line = 0.5, np.arctan2(e[1], e[0])
    k = 6 * MU * 100.0 * (R / C) ** 2

    def p(x):  # x from the smallest gap; Sommerfeld's closed form
        return -k * eps * (2 - eps * np.cos(x)) * np.sin(x) / (
            (2 + eps**2) * (1 - eps * np.cos(x)) ** 2
        )  # fmt: skip

    along, across = (
        quad(lambda x, f=f: -p(x) * f(x), -np.pi, 0, epsabs=0)[0] * R * L for f in (np.cos, np.sin)
    )
    u, t = np.array([np.cos(line), np.sin(line)]), np.array([-np.sin(line), np.cos(line)])
    found = LongBearing(R, L, C, MU).force(Place(e=(*e, 0), Omega=(0, 0, 100.0)))
    np.testing.assert_allclose(found[:2], along * u + across * t, rtol=1e-8)


@pytest.mark.parametrize("eps", [0.05, 0.6])
def test_bracket_of_the_squeezed_ball(eps):
    """Tian et al. (2009) eqs. (31)-(34), written as the integral of the film's pressure over the
    hemisphere: p = 3 mu R^2 V (1/h^2 - 1/c^2) / (c eps) with h = c (1 - eps cos)."""
    x = quad(lambda c: (1 / (1 - eps * c) ** 2 - 1) * c, 0, 1, epsabs=0)[0] / eps
    assert value(bracket(ufl.as_ufl(eps))) == pytest.approx(x, rel=1e-9)
    film = SphericalSqueeze(MU)
    assert film.force(R, C, eps, 3.0) == pytest.approx(6 * np.pi * MU * R**4 / C**2 * 3.0 * x)
