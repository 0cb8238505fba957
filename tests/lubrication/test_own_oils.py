"""Viscosities of a user's own are tried at pressures around the ambient one."""

from dataclasses import dataclass

import pytest
import ufl

import fem_clearance as fc
from fem_clearance.lubrication import Lubricant, plain_bearing


@dataclass(frozen=True)
class Quadratic(Lubricant):
    """mu_0 (1 + a p + b p^2)."""

    a: float = 1e-8
    b: float = 1e-16
    parameters = ("viscosity", "a", "b")

    @staticmethod
    def at(pressure, p):
        return p.viscosity * (1 + p.a * pressure + p.b * pressure**2)


class Nothing(Quadratic):
    @staticmethod
    def at(pressure, p):
        return 0.0 * pressure


class Root(Quadratic):
    """Its slope is infinite at ambient pressure, and below it there is no number."""

    @staticmethod
    def at(pressure, p):
        return p.viscosity * (1 + ufl.sqrt(p.a * pressure))


class Steep(Quadratic):
    """Infinite at ambient pressure alone."""

    @staticmethod
    def at(pressure, p):
        return p.viscosity * (1 + ufl.sqrt(p.a * abs(pressure)))


class MegaPascal(Quadratic):
    """Its exponent is of pressures in MPa."""

    @staticmethod
    def at(pressure, p):
        return p.viscosity * ufl.exp(0.02 * pressure)


class Fewer(Quadratic):
    parameters = ("viscosity", "a")


def bearing(oil):
    return plain_bearing(15e-3, 30e-3, 2e-4, oil, sliding_speed=1.5, cells=(24, 4))


def test_a_right_one_is_taken():
    """By hand: 0.04 (1 + 1e-8 1e7 + 1e-16 1e14) Pa s at 10 MPa."""
    oil = bearing(Quadratic(0.04)).lubricant
    assert oil.values() == {
        "lubricant.viscosity": 0.04, "lubricant.a": 1e-8, "lubricant.b": 1e-16
    }  # fmt: skip
    assert oil.viscosity_at(313.15, 1e7) == pytest.approx(0.04 * 1.11)


@pytest.mark.parametrize(
    ("oil", "said"),
    [
        (Nothing(0.04), "Nothing.at gives 0 Pa s, with the slope 0 s, at a pressure of -100000 Pa"),
        (Root(0.04), "Root.at gives nan Pa s, with the slope nan s, at a pressure of -100000 Pa"),
        (Steep(0.04), "Steep.at gives 0.04 Pa s, with the slope nan s, at a pressure of 0 Pa over"),
        (
            MegaPascal(0.04),
            "MegaPascal.at gives 0 Pa s, with the slope 0 s, at a pressure of -1000",
        ),
    ],
)
def test_others_are_refused(oil, said):
    with pytest.raises(fc.InputError, match=said) as caught:
        oil.values()
    assert "test_own_oils.py, line " in str(caught.value) and len(str(caught.value)) <= 400


def test_films_try_their_oil():
    from fem_clearance.lubrication import Bearing, Place

    with pytest.raises(fc.InputError, match="Nothing.at gives 0 Pa s"):
        Bearing(bearing(Nothing(0.04))).solve(Place(e=(1e-4, 0, 0), Omega=(0, 0, 100)))


def test_numbers_that_a_subclass_leaves_out_are_missed_by_the_law():
    with pytest.raises(fc.InputError, match="'b' is none of the law's parameters"):
        Fewer(0.04).values()
