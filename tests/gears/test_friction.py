"""Friction of teeth: Xu's coefficient with its units, Tian et al. (2015) eq. (21) and Fig. 8."""

from types import SimpleNamespace

import numpy as np
import pytest

from fem_clearance import InputError
from fem_clearance.cases import spur_gear_pair
from fem_clearance.extend import ToothFriction
from fem_clearance.gears import ConstantFriction, EHDFriction
from fem_clearance.gears.friction import xu_coefficient

NUMPY = SimpleNamespace(exp=np.exp, ln=np.log)
RATIOS = np.array([0.05, 0.1, 0.25, 0.5, 1.0])


def _fig8(speed):
    """R = 5 mm, 2 GPa, 10 cP, 0.07 um."""
    return xu_coefficient(RATIOS, 2.0, 10.0, 0.07, speed, 5e-3, NUMPY)


def test_curves_of_fig_8():
    """Values computed from the equation with the units that reproduce the published curves; an
    independent code and a thesis have the same coefficients."""
    assert _fig8(5.0) == pytest.approx([0.0113, 0.0175, 0.0224, 0.0196, 0.0147], abs=6e-5)
    assert _fig8(1.0) == pytest.approx([0.0132, 0.0206, 0.0263, 0.0231, 0.0173], abs=6e-5)


def test_friction_falls_with_speed():
    assert np.all(_fig8(10.0) < _fig8(5.0)) and np.all(_fig8(5.0) < _fig8(1.0))


def test_check_value_of_another_code():
    found = xu_coefficient(0.5, 1.0, 10.0, 0.4, 2.0, 1e-2, NUMPY)
    assert found == pytest.approx(0.0243, abs=1e-4)


def test_largest_pressure_of_the_case():
    """Hertz: p = sqrt(N E* / (pi b R)), E* = E / (2 (1 - nu^2)), at the pitch point."""
    mesh, load = spur_gear_pair.mesh(), 6283.17
    x1, x2 = mesh.curvatures(mesh.approach_length)
    radius = x1 * x2 / (x1 + x2)
    pressure = np.sqrt(load * 2.069e11 / (2 * 0.91) / (np.pi * 0.03175 * radius))
    assert np.sqrt(EHDFriction().values(mesh, load)["hertz"] / radius) == pytest.approx(
        1e-9 * pressure, rel=1e-12
    )
    assert pressure == pytest.approx(8.7e8, rel=2e-2)


@pytest.mark.parametrize(
    "make", [lambda: ConstantFriction(-0.1), lambda: EHDFriction(viscosity=0.0),
             lambda: ConstantFriction(0.1, smoothing=-1.0)],
)  # fmt: skip
def test_laws_that_cannot_be(make):
    with pytest.raises(InputError):
        make()


def test_base_of_the_laws():
    with pytest.raises(TypeError, match=r"defines coefficient\(\)"):
        ToothFriction.coefficient(None, None)
    with pytest.raises(InputError, match="ToothFriction.smoothing must"):
        ToothFriction(smoothing=-0.1)
