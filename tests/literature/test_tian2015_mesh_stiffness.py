"""Mesh stiffness of the gears of Tian et al. (2015), table 1, by its eqs. (5) to (14) and (25)."""

import numpy as np
import pytest

from fem_clearance.cases import spur_gear_pair
from fem_clearance.gears import ChaariStiffness, FourierStiffness, RectangularStiffness
from fem_clearance.gears.chaari import contact_stiffness, sainsot
from fem_clearance.gears.mesh_stiffness import single_stiffness

SOURCE = "data of Tian et al. 2015, data/tian2015_mesh_stiffness.csv"
MESH = spur_gear_pair.mesh()
MOST, MEAN = spur_gear_pair.LARGEST, spur_gear_pair.MEAN
E, NU = spur_gear_pair.E, spur_gear_pair.NU


def test_smaller_stiffness(published):
    least = single_stiffness(MESH, MOST, MEAN)
    source = "Tian et al. 2015, eq. (25) by hand"
    published("stiffness of a single pair", least, 4.32169e8, rel=1e-6, unit="N/m", source=source)
    published("largest by least stiffness", MOST / least, 1.66601, abs=1e-5, source=source)


@pytest.mark.parametrize(
    "law, column",
    [
        (RectangularStiffness(MOST, MEAN), "k_rect"),
        (FourierStiffness(MOST, MEAN, 5), "k_F5"),
        (FourierStiffness(MOST, MEAN, 15), "k_F15"),
    ],
    ids=["rectangular", "Fourier 5", "Fourier 15"],
)
def test_rectangular_and_fourier(reference, published, request, law, column):
    table, name = reference("tian2015_mesh_stiffness.csv")[:-1], request.node.callspec.id
    found = law.total(MESH, table["mesh_phase"])
    published(f"stiffness over the cycle, {name}", found, table[column], rel=2e-9, unit="N/m")


def test_chaari_without_fillet(reference, published):
    """Within half a percent: how the straight flank below the base circle meets the root circle is
    a matter of convention."""
    table = reference("tian2015_mesh_stiffness.csv")[:-1]
    k = ChaariStiffness(E, NU, fillet=False).total(MESH, table["mesh_phase"])
    published("stiffness over the cycle, Chaari", k, table["k_chaari_raw"], rel=5e-3, unit="N/m")
    found = k.max(), k.min(), k.mean()
    published("its largest, least and mean", found, (6.077e8, 3.348e8, 4.574e8), rel=5e-3,
              unit="N/m")  # fmt: skip


def test_contact_stiffness_of_yang_and_sun(published):
    """20 mm of steel: the value of the rotordynamics library ROSS; table 1: equations of the
    paper."""
    rows = (206e9, 0.02, 3555868607.9, 1e-10, "ROSS"), (E, 0.03175, 5.6696e9, 1e-5, "the paper's")
    for modulus, width, value, close, source in rows:
        found, what = contact_stiffness(modulus, 0.3, width), f"contact stiffness, {width} m"
        published(what, found, value, rel=close, unit="N/m", source=f"Yang and Sun, {source}")


def test_sainsot_stays_in_its_published_ranges(published):
    """L* from 6.82 to 6.94, P* up to 13.47, Q* from 0.141. (At half angles below 0.02 the printed
    coefficients leave these ranges.)"""
    ratios, angles = np.meshgrid(np.linspace(1.4, 7, 40), np.linspace(0.02, 0.12, 40))
    values = np.array([sainsot(h, t) for h, t in zip(ratios.ravel(), angles.ravel(), strict=True)])
    L, P, Q, source = values[:, 0], values[:, 2].max(), values[:, 3].min(), "Sainsot et al. 2004"
    assert L.min() > 6.82 and L.max() < 6.95
    published("largest P*", P, 13.47, rel=1e-2, source=source)
    published("least Q*", Q, 0.141, rel=2e-2, source=source)
