"""Stiffness laws of the mesh: Tian et al. (2015) eqs. (5) to (14) and (25)."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.polynomial import chebyshev
from scipy.integrate import quad

from fem_clearance import InputError
from fem_clearance.cases import spur_gear_pair
from fem_clearance.gears import (
    ChaariStiffness,
    ConstantStiffness,
    FourierStiffness,
    GearMesh,
    MeshStiffness,
    RectangularStiffness,
    SpurGear,
    TabulatedStiffness,
)
from fem_clearance.gears.chaari import (
    bending_compliance,
    contact_stiffness,
    load_angle,
    weber_contact,
)
from fem_clearance.gears.mesh_stiffness import schedule, single_stiffness

MESH = spur_gear_pair.mesh()
MOST, MEAN = spur_gear_pair.LARGEST, spur_gear_pair.MEAN
E, NU = spur_gear_pair.E, spur_gear_pair.NU
PHASES = np.linspace(0, 1, 401)[:-1]
LAWS = [
    ConstantStiffness(MEAN),
    RectangularStiffness(MOST, MEAN),
    FourierStiffness(MOST, MEAN, 5),
    FourierStiffness(MOST, MEAN, 15),
    ChaariStiffness(E, NU),
    ChaariStiffness(E, NU, fillet=False),
    ChaariStiffness(E, NU, load=3e3),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda z: type(z).__name__)
def test_series_between_events_follow_the_law(law):
    """What the force element reads is the law, to 1e-7, away from the events' jumps."""
    for segment in schedule(MESH, law):
        phase = np.linspace(segment.first, segment.last, 101)[1:-1]
        x = 2 * (phase - segment.first) / (segment.last - segment.first) - 1
        found = sum(chebyshev.chebval(x, z) for z in segment.series)
        assert found == pytest.approx(law.total(MESH, phase), rel=1e-7)


def test_fourier_series_tends_to_the_rectangle():
    errors = []
    for order in (15, 60):
        k = FourierStiffness(MOST, MEAN, order).total(MESH, PHASES)
        errors.append(np.mean(np.abs(k - LAWS[1].total(MESH, PHASES))))
    assert errors[1] < 0.45 * errors[0]


def test_the_fillet_makes_teeth_stiffer():
    k = ChaariStiffness(E, NU).total(MESH, PHASES)
    bare = ChaariStiffness(E, NU, fillet=False).total(MESH, PHASES)
    assert np.all(k / bare > 1.06) and np.all(k / bare < 1.1)


def test_contact_of_yang_and_sun_is_the_overlap_of_hertzs_strip():
    """a^2 / 2R, the overlap of undeformed cylinders as wide as Hertz's strip, for any load: it
    leaves out how far the bodies yield below."""
    load, radius, width = 5e3, 7e-3, 0.03
    half = np.sqrt(8 * load * radius * (1 - NU**2) / (np.pi * width * E))
    overlap = half**2 / (2 * radius)
    assert load / overlap == pytest.approx(contact_stiffness(E, NU, width), rel=1e-12)


def test_bending_against_integration_of_the_beam():
    """The energy of bending, shear and compression of the tooth, integrated adaptively over the
    involute itself (radial below the base circle)."""
    gear, x = MESH.pinion, MESH.curvatures(0.7 * MESH.path_length)[0]
    angle = load_angle(gear, x)
    base = gear.base_radius * np.array([np.sin(gear.half_angle(gear.base_radius)),
                                        np.cos(gear.half_angle(gear.base_radius))])  # fmt: skip
    start = gear.root_radius * base[1] / gear.base_radius
    reach = gear.base_radius / np.cos(angle)

    def energy(y, thick):
        second, area = gear.face_width * thick**3 / 12, gear.face_width * thick
        shear = 2.4 * (1 + NU) + np.tan(angle) ** 2
        return np.cos(angle) ** 2 / E * ((reach - y) ** 2 / second + shear / area)

    def along(radius):  # by the radius of the flank, with dy/dr by differences
        def at(r):
            return r * np.cos(gear.half_angle(r))

        slope = (at(radius * (1 + 1e-6)) - at(radius * (1 - 1e-6))) / (2e-6 * radius)
        return energy(at(radius), 2 * radius * np.sin(gear.half_angle(radius))) * slope

    from scipy.optimize import brentq

    last = brentq(
        lambda r: r * np.cos(gear.half_angle(r)) - reach, gear.base_radius, 1.1 * gear.tip
    )
    lower = quad(lambda y: energy(y, 2 * y * base[0] / base[1]), start, base[1])[0]
    upper = quad(along, gear.base_radius * (1 + 2e-6), last, limit=200)[0]
    found = bending_compliance(gear, E, NU, x, fillet=False)
    assert found == pytest.approx(lower + upper, rel=2e-5)


def test_hertz_contact_of_cylinders():
    """Weber's approach grows by 2 (1 - nu^2) ln(2) / (pi b E) per force where the load halves."""
    s = MESH.approach_length
    change = weber_contact(MESH, E, NU, 2e3, s) - weber_contact(MESH, E, NU, 4e3, s)
    width = MESH.pinion.face_width
    assert change == pytest.approx(2 * (1 - NU**2) / (np.pi * width * E) * np.log(2), rel=1e-10)


def test_table_between_its_values():
    s = np.linspace(0, MESH.path_length, 30)
    k = 3e8 + 1e8 * np.sin(np.pi * s / MESH.path_length)
    law = TabulatedStiffness(s, k)
    between = (s[1:] + s[:-1]) / 2
    exact = 3e8 + 1e8 * np.sin(np.pi * between / MESH.path_length)
    assert law.pair(MESH, between, 1) == pytest.approx(exact, rel=1e-5)


def test_three_pairs_in_contact():
    """A contact ratio above two: the rectangle jumps between two and three pairs."""
    angle = np.radians(20)
    slim = [
        SpurGear(z, 2e-3, angle, 0.02, tip_radius=1e-3 * z + 2.6e-3, dedendum=1.6) for z in (60, 70)
    ]
    mesh = GearMesh(*slim)
    assert 2 < mesh.contact_ratio < 3 and mesh.slots == 3
    law = RectangularStiffness(9e8, 7e8)
    k = law.total(mesh, PHASES)
    assert sorted(set(np.round(k / 1e6))) == [round(single_stiffness(mesh, 9e8, 7e8) / 1e6), 900]
    assert np.mean(law.total(mesh, np.linspace(0, 1, 100001)[:-1])) == pytest.approx(7e8, rel=1e-4)
    assert all(z.direction.tolist()[2] in (0.0, 1.0) for z in schedule(mesh, law))


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: ConstantStiffness(-1.0), "positive"),
        (lambda: single_stiffness(MESH, 7e8, 2e8), "mean"),
        (lambda: FourierStiffness(MOST, MEAN, 0), "at least 1"),
        (lambda: TabulatedStiffness([0, 1], [1, 1]), "at least 4"),
        (lambda: TabulatedStiffness(np.linspace(0, 1e-3, 9), np.ones(9)).total(MESH, 0.5), "cover"),
        (lambda: ChaariStiffness(E, NU).total(
            GearMesh(SpurGear(25, 3e-3, 0.4, 0.03), SpurGear(31, 3e-3, 0.4, 0.03)), 0.5), "bore"),
    ],
)  # fmt: skip
def test_laws_that_cannot_be(make, words):
    with pytest.raises(InputError, match=words):
        make()


@dataclass(frozen=True)
class Even(MeshStiffness):
    """The same for each pair, wherever it touches."""

    stiffness: float

    def pair(self, mesh, s, count):
        return np.full(np.shape(s), self.stiffness)


def test_a_law_of_ones_own():
    """On the average the contact ratio is the number of pairs."""
    phases = (np.arange(20000) + 0.5) / 20000
    mean = Even(3e8).total(MESH, phases).mean()
    assert mean == pytest.approx(3e8 * MESH.contact_ratio, rel=1e-4)
    with pytest.raises(TypeError, match=r"defines pair\(\)"):
        MeshStiffness().total(MESH, phases)
