"""Viscosity of temperature and pressure, against formulas in NumPy, published oils, and each
other."""

from dataclasses import dataclass

import numpy as np
import pytest

from fem_clearance.errors import InputError
from fem_clearance.extend import TemperatureLaw
from fem_clearance.lubrication import (
    Barus,
    DowsonHigginson,
    Exponential,
    Lubricant,
    Roelands,
    RoelandsTemperature,
    Vogel,
    Walther,
)

HOT, COLD = 353.15, 313.15


def test_exponential():
    """mu_0 exp(-beta (T - T_0)), and the law through two points."""
    oil = Lubricant(0.04, temperature=Exponential(0.03), reference_temperature=300.0)
    assert oil.viscosity_at(300.0) == 0.04
    assert oil.viscosity_at(340.0) == pytest.approx(0.04 * np.exp(-1.2), rel=1e-14)
    # the oil of the two pads of petrobras/ross, 0.019016 Pa s at 322.98 K, 0.0077152 at 352.98 K
    law = Exponential.through((322.983, 0.019015741), (352.983, 0.0077152332))
    assert law.beta == pytest.approx(np.log(0.019015741 / 0.0077152332) / 30, rel=1e-12)


def test_vogel_of_an_sae_30_oil():
    """Seireg and Dandage (1982), as in Shigley: mu = 0.0141e-6 reyn exp(1360 / (T_F + 95))."""

    def reyn(K):
        return 0.0141e-6 * np.exp(1360.0 / ((K - 273.15) * 1.8 + 32 + 95)) * 6894.757

    law = Vogel(1360.0 / 1.8, (459.67 - 95) / 1.8)
    oil = Lubricant(reyn(COLD), temperature=law, reference_temperature=COLD)
    for T in (300.0, 330.0, 370.0):
        assert oil.viscosity_at(T) == pytest.approx(reyn(T), rel=1e-6)
    found = Vogel.through(*((T, reyn(T)) for T in (370.0, 300.0, 330.0)))
    assert found.b == pytest.approx(law.b, rel=1e-9) and found.c == pytest.approx(law.c, rel=1e-9)


def test_walther_of_an_iso_vg_46_oil():
    """ASTM D341 in decimal logarithms: lg lg(nu + 0.7) = A - B lg T, nu in mm^2/s; 46 mm^2/s at
    40, 6.8 at 100 degrees C. The dynamic viscosity falls with the density, too."""
    cold, hot = (313.15, 46.0), (373.15, 6.8)
    Z = [np.log10(np.log10(nu + 0.7)) for _, nu in (cold, hot)]
    B = (Z[0] - Z[1]) / np.log10(hot[0] / cold[0])
    A = Z[0] + B * np.log10(cold[0])

    def nu(T):
        return 10**10 ** (A - B * np.log10(T)) - 0.7

    law = Walther((313.15, 46e-6), (373.15, 6.8e-6))
    T = 343.15
    assert law.kinematic_viscosity(T) == pytest.approx(1e-6 * nu(T), rel=1e-12)
    oil = Lubricant(0.04, temperature=law)
    assert oil.viscosity_at(T) == pytest.approx(0.04 * nu(T) / 46.0, rel=1e-12)
    expanding = Lubricant(0.04, temperature=law, density=DowsonHigginson(0, 0, expansion=7e-4))
    assert expanding.viscosity_at(T) == pytest.approx(
        0.04 * nu(T) / 46.0 * (1 - 7e-4 * 30), rel=1e-12
    )


def test_roelands_of_temperature_and_pressure():
    """Roelands (1966), as Houpert (1985) writes it; at both pressures the same oil."""
    mu, z, s, T0 = 0.04, 0.68, 1.1, 313.0
    law = RoelandsTemperature(s)
    oil = Roelands(mu, z, temperature=law, reference_temperature=T0)
    for T in (300.0, 360.0):
        for p in (0.0, 0.3e9):
            tau = ((T - 138.0) / (T0 - 138.0)) ** -s
            exact = np.exp(-9.67 + (np.log(mu) + 9.67) * tau * (1 + p / 1.96e8) ** z)
            assert oil.viscosity_at(T, p) == pytest.approx(exact, rel=1e-12)
    found = RoelandsTemperature.through((T0, mu), (360.0, oil.viscosity_at(360.0)))
    assert found.s == pytest.approx(s, rel=1e-12)


@pytest.mark.parametrize(
    "law",
    [
        Exponential(0.03),
        Vogel(755.0, 202.0),
        Walther((313.15, 46e-6), (373.15, 6.8e-6)),
        RoelandsTemperature(1.1),
    ],
)
def test_barus_times_each(law):
    """mu(p, T) = mu(0, T) exp(alpha p)."""
    oil = Barus(0.04, 2e-8, temperature=law)
    plain = Lubricant(0.04, temperature=law)
    assert oil.viscosity_at(HOT, 5e7) == pytest.approx(np.e * plain.viscosity_at(HOT), rel=1e-12)
    assert plain.viscosity_at(313.15) == pytest.approx(0.04, rel=1e-14)
    assert plain.viscosity_at(HOT) < 0.02
    # an oil that is given at another temperature is the same oil
    hot = oil.at_temperature(HOT)
    assert hot.viscosity == pytest.approx(plain.viscosity_at(HOT), rel=1e-12)
    assert hot.viscosity_at(COLD, 1e7) == pytest.approx(oil.viscosity_at(COLD, 1e7), rel=1e-12)


@dataclass(frozen=True)
class Slotte(TemperatureLaw):
    """Slotte (1881): mu = mu_0 ((T_0 - c) / (T - c))^m."""

    c: float = 230.0
    m: float = 2.5
    parameters = ("c", "m")

    @staticmethod
    def factor(temperature, reference, p):
        return ((reference - p.c) / (temperature - p.c)) ** p.m


def test_law_of_ones_own():
    oil = Lubricant(0.04, temperature=Slotte())
    assert oil.viscosity_at(HOT) == pytest.approx(
        0.04 * ((313.15 - 230) / (HOT - 230)) ** 2.5, rel=1e-13
    )

    class Wrong(Slotte):
        @staticmethod
        def factor(temperature, reference, p):
            return 1 / p.slope

    with pytest.raises(InputError, match="'slope' is none of the law's parameters"):
        Lubricant(0.04, temperature=Wrong()).viscosity_at(HOT)


def test_beyond_all_numbers():
    assert Barus(0.04, 2e-8).viscosity_at(300.0, 1e12) == np.inf
    oil = Lubricant(0.04, temperature=RoelandsTemperature())
    assert oil.viscosity_at(138.0) == np.inf
    assert np.isnan(oil.viscosity_at(120.0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Exponential(-0.1), "Exponential.beta"),
        (lambda: Exponential.through((300, 0.01), (340, 0.02)), "falls"),
        (lambda: Walther((313.15, 46.0), (373.15, 0.5e-6)), "above 1e-6"),
        (lambda: Walther((40.0, 46e-6), (100.0, 6.8e-6)), "in K"),
        (lambda: Walther((313.15, 46.0), (373.15, 6.8)), r"46 mm\^2/s \(cSt\) are 46e-6"),
        (lambda: RoelandsTemperature.through((313.15, 46.0), (373.15, 6.8)), "are 46e-3 Pa s"),
        (lambda: Vogel.through((300, 0.04), (330, 0.03), (360, 0.01)), "convex"),
        (lambda: Lubricant(0.04, temperature=0.03), "temperature must be a law"),
        (lambda: Lubricant(0.04, specific_heat=0), "specific_heat"),
    ],
)
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
