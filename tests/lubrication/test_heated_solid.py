"""Solids that a film heats: responses against closed forms of a ring, and a bearing's heat."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import jv, yv

import fem_clearance as fc
from fem_clearance.errors import InputError
from fem_clearance.lubrication import Conducting, HeatedSolid, cylinder

from .thermal import LOADED, L, R, pads, solved

OUTER, K, RC, ALPHA = 0.3, 50.0, 3.6e6, 700.0


def ring(cells=(32, 6, 2), outer=OUTER, conductivity=K, outside=323.0, **more):
    mesh = fc.meshes.hollow_cylinder(R, outer, L, cells, degree=2)
    return HeatedSolid(mesh, conductivity, RC, cooled={"rim": (ALPHA, outside)}, **more)


def test_steady_ring():
    """Under a uniform flux q the bore is warmer than the surroundings by q r (ln(R/r)/k + 1 /
    (alpha R)), and the rim gives off what comes in; surroundings of 330 K by a supply of 323 K."""
    solid, flux = ring(outside=330.0), 2e3
    found = solid.condensed(323.0)
    bore = solid._on_facets("bore")
    heat = flux * np.asarray(bore.sum(axis=1)).ravel()
    amplitudes = (found.shapes.T @ heat + found.excitation) / found.conductance
    rise = solid.at(np.array([[R, 0, 0], [0, -R, 0.1]])) @ (found.shapes @ amplitudes)
    exact = 7.0 + flux * R * (np.log(OUTER / R) / K + 1 / (ALPHA * OUTER))
    np.testing.assert_allclose(rise, exact, rtol=2e-4)
    passed = found.share @ (found.conductance * amplitudes - found.excitation)
    assert passed == pytest.approx(flux * 2 * np.pi * R * L, rel=1e-4)
    assert passed == pytest.approx(heat.sum(), rel=1e-10)
    np.testing.assert_allclose(found.shapes @ found.share, 1.0, atol=1e-9)


@pytest.mark.parametrize("cells", [(32, 2), (16, 1), (48, 5)])
def test_uniform_heat_of_a_film(cells):
    """A film that gives off a uniform flux heats the bore to one temperature, that of the closed
    form of ``test_steady_ring``, at all nodes of its facets, also with cells as coarse as the
    solid's or coarser; so it does if heat and temperature swap their parts."""
    solid, flux = ring(), 2e3
    found, film = solid.condensed(323.0), cylinder(R, L, cells)
    under = solid.under(film, found.shapes)
    amplitudes = under.T @ (flux * film.areas()) / found.conductance
    bore = np.unique(solid._facets("bore"))
    exact = flux * R * (np.log(OUTER / R) / K + 1 / (ALPHA * OUTER))
    np.testing.assert_allclose(found.shapes[bore] @ amplitudes, exact, rtol=2e-3)
    np.testing.assert_allclose(under @ amplitudes, exact, rtol=2e-3)
    np.testing.assert_allclose(under @ found.share, 1.0, atol=1e-9)


def test_slowest_cooling():
    """The lowest ratio of conductance and capacity is (k / rho c) z^2 with Bessel's functions: C'(z
    r) = 0 at the bore and k C'(z R) = -alpha C(z R) at the rim."""
    found = ring().condensed(323.0)

    def end(z):
        def f(order, x):
            return jv(order, x) * yv(1, z * R) - yv(order, x) * jv(1, z * R)

        return -K * z * f(1, z * OUTER) + ALPHA * f(0, z * OUTER)

    z = brentq(end, 1.0, 20.0)
    assert min(found.conductance / found.capacity) == pytest.approx(K / RC * z**2, rel=1e-4)


def heated(solid):
    film = pads((20, 8))
    return replace(film, thermal=Conducting(323.0, film.thermal.grooves, bush=solid))


def test_bearing_heats_its_bush():
    """Loss = oil + bush; what goes into the bush comes out of its rim. A ring that conducts very
    well has one temperature, by its heat, alpha and the area of its rim."""
    bearing, state = solved(heated(ring()), LOADED)
    warm = state.warm
    assert warm.oil_heat + warm.bush_heat == pytest.approx(state.power_loss, rel=1e-10)
    passed = bearing.system.channels["film.solid_passed"]
    assert passed == pytest.approx(warm.bush_heat, rel=1e-9) and passed > 0.05 * state.power_loss
    _, state = solved(heated(ring(conductivity=1e6)), LOADED)
    assert np.ptp(state.warm.bush) < 0.05 and np.ptp(warm.bush) > 5.0
    exact = 323.0 + state.warm.bush_heat / (ALPHA * 2 * np.pi * OUTER * L)
    np.testing.assert_allclose(state.warm.bush, exact, rtol=0, atol=0.05)


def test_more_responses():
    """Half as many as by default: the heat stays, temperatures of the bore, with the edges of pads
    across it, move by less than 8 % of their range."""
    _, few = solved(heated(ring(responses=60)), LOADED)
    _, many = solved(heated(ring()), LOADED)
    # where fresh oil enters the bush is as cold as this: a jump, which more responses sharpen
    assert few.warm.bush_heat == pytest.approx(many.warm.bush_heat, rel=1e-2)
    apart = np.abs(few.warm.bush - many.warm.bush).max()
    assert 0 < apart < 0.08 * np.ptp(many.warm.bush)
    assert few.warm.temperature.max() == pytest.approx(many.warm.temperature.max(), abs=0.2)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: HeatedSolid("bush", K, RC, cooled={"rim": (ALPHA, 300.0)}), "hexahedra"),
        (lambda: ring(conductivity=-1.0), "conductivity"),
        (lambda: replace(ring(), cooled={}), "without cooling"),
        (lambda: replace(ring(), cooled={"back": (1.0, 300.0)}), "no facets marked 'back'"),
        (lambda: replace(ring(), responses=0), "responses"),
        (lambda: ring().at(np.array([[0.1, 0.0, 0.0]])), "does not lie on the facets"),
    ],
)
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
