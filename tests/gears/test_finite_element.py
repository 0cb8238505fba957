"""Stiffness of a pair of teeth by finite elements against beams, foundation and Hertz's contact."""

import numpy as np
import pytest

from fem_clearance import InputError, cache
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears import ChaariStiffness, FiniteElementStiffness, SpurGear
from fem_clearance.gears.chaari import (
    bending_compliance,
    contact_stiffness,
    foundation_compliance,
    weber_contact,
)
from fem_clearance.gears.finite_element import contact
from fem_clearance.gears.outline import outline
from fem_clearance.gears.tooth_mesh import gear_mesh

LOAD = data.TORQUE / data.teeth(0).base_radius


@pytest.fixture(autouse=True)
def afresh(monkeypatch):
    """Nothing that earlier runs left on disk."""
    monkeypatch.setattr(cache, "kept", lambda kind, key, make: make())


def test_mesh_is_the_gear():
    """Area of the outline less the bore; facet sets along the bore and one flank."""
    gear = data.teeth(0)
    mesh = gear_mesh(gear, 1.5e-4, 0.0375)
    x, y = outline(gear, 300).T
    area = np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]) / 2 - np.pi * gear.bore_radius**2
    p = mesh.points[mesh.cells][:, [0, 1, 3, 2]]
    cells = 0.5 * np.abs(
        np.sum(p[:, :, 0] * np.roll(p[:, :, 1], -1, 1) - p[:, :, 1] * np.roll(p[:, :, 0], -1, 1), 1)
    )
    assert cells.sum() == pytest.approx(area, rel=5e-3)
    corners = np.unique(mesh.cells[mesh.facets["bore"][:, 0]])
    assert np.hypot(*mesh.points[corners, :2].T).min() == pytest.approx(gear.bore_radius)


def test_contact_of_springs_by_hand():
    """Two springs of 1 and 2 m/N, the second 3 m apart: at 1 N the first alone, at 6 N both."""
    compliance, gap = np.diag([1.0, 2.0]), np.array([0.0, 3.0])
    approach, forces = contact(compliance, gap, 1.0)
    assert approach == pytest.approx(1) and forces == pytest.approx([1, 0])
    approach, forces = contact(compliance, gap, 6.0)
    assert approach == pytest.approx(5) and forces == pytest.approx([5, 1])


@pytest.mark.slow
def test_pressure_is_that_of_hertz():
    """Half width and largest pressure of the contact at the pitch point."""
    law, mesh = FiniteElementStiffness(data.E, data.NU, LOAD, spacing=4e-5), data.mesh()
    _, places, forces = law.approach(mesh, mesh.approach_length)
    x1, x2 = mesh.curvatures(mesh.approach_length)
    radius, modulus = x1 * x2 / (x1 + x2), data.E / (2 * (1 - data.NU**2))
    half = np.sqrt(4 * LOAD * radius / (np.pi * data.WIDTH * modulus))
    assert np.ptp(places[forces > 0]) / 2 == pytest.approx(half, abs=2e-5)
    # second moment of an ellipse of pressure
    spread = np.sqrt(forces @ places**2 / LOAD - (forces @ places / LOAD) ** 2)
    assert spread == pytest.approx(half / 2, rel=3e-2)


@pytest.mark.slow
def test_against_chaari_with_fillet():
    """With Hertz's contact: within 4 %, in plane stress all along the path, in plane strain in the
    mesh's largest, smallest and mean stiffness. Against the paper's linear contact, of which
    ``test_where_a_pair_gives_way`` shows that it is 3.4 times as stiff: 9, 11 and 10 % softer."""
    mesh = data.mesh()
    stress = FiniteElementStiffness(data.E, data.NU, LOAD, "plane_stress")
    s, k = stress.table(mesh)
    hertz = ChaariStiffness(data.E, data.NU, load=LOAD).pair(mesh, s, 1)
    assert np.abs(k / hertz - 1).max() < 0.04
    strain = FiniteElementStiffness(data.E, data.NU, LOAD)
    phases = np.linspace(0, 1, 301)[:-1]
    total = strain.total(mesh, phases)
    linear = ChaariStiffness(data.E, data.NU).total(mesh, phases)
    with_hertz = ChaariStiffness(data.E, data.NU, load=LOAD).total(mesh, phases)
    for other, ratios in ((linear, [0.913, 0.890, 0.900]), (with_hertz, [1.035, 1.025, 1.029])):
        found = [f(total) / f(other) for f in (np.max, np.min, np.mean)]
        assert found == pytest.approx(ratios, abs=5e-3)


@pytest.mark.slow
def test_where_a_pair_gives_way():
    """Part by part at the pitch point: bodies as by Sainsot, whose table is plane strain; teeth
    between Weber's beam, that bends as in plane stress, and three quarters of it; contact a tenth
    softer than Hertz's by Weber and Banaschek, of the load that Yang and Sun leave out."""
    mesh = data.mesh()
    s = mesh.path_length / 2
    law = FiniteElementStiffness(data.E, data.NU, LOAD)
    parts = law.parts(mesh, s)
    assert sum(parts.values()) == pytest.approx(law.approach(mesh, s)[0] / LOAD, rel=1e-12)
    for gear, name, x in zip(
        (mesh.pinion, mesh.gear), ("pinion", "gear"), mesh.curvatures(s), strict=True
    ):
        body = foundation_compliance(gear, data.E, x)
        assert parts[f"{name}_body"] == pytest.approx(body, rel=2e-2)
        tooth = bending_compliance(gear, data.E, data.NU, x)
        assert 0.75 * tooth < parts[f"{name}_tooth"] < tooth
    hertz = weber_contact(mesh, data.E, data.NU, LOAD, s)
    assert hertz < parts["contact"] < 1.1 * hertz
    assert hertz == pytest.approx(3.41 / contact_stiffness(data.E, data.NU, data.WIDTH), rel=1e-2)


@pytest.mark.slow
def test_convergence_and_load():
    """A finer flank changes the stiffness by less than 0.1 %; a load three times as large stiffens
    the pair as Hertz's contact says."""
    mesh = data.mesh()
    s = 0.3 * mesh.path_length
    found = [
        LOAD / FiniteElementStiffness(data.E, data.NU, LOAD, spacing=h).approach(mesh, s)[0]
        for h in (9e-5, 4.5e-5)
    ]
    assert found[0] == pytest.approx(found[1], rel=1e-3)
    law = FiniteElementStiffness(data.E, data.NU, LOAD)
    soft, hard = (law.approach(mesh, s, load)[0] / load for load in (3e3, 9e3))
    change = 2 * (1 - data.NU**2) / (np.pi * data.WIDTH * data.E) * np.log(3)
    assert soft - hard == pytest.approx(change, rel=5e-2)


def test_laws_that_cannot_be():
    with pytest.raises(InputError, match="plane_strain"):
        FiniteElementStiffness(data.E, data.NU, LOAD, "space")
    with pytest.raises(InputError, match="at least 4"):
        FiniteElementStiffness(data.E, data.NU, LOAD, positions=2)
    with pytest.raises(InputError, match="bore_radius"):
        gear = SpurGear(25, data.MODULE, data.ANGLE, data.WIDTH)
        FiniteElementStiffness(data.E, data.NU, LOAD).total(
            data.gears.GearMesh(gear, gear), np.array([0.5])
        )
