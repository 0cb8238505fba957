"""Beams whose section matrices vary: closed forms of tapered beams, published frequencies and tips,
section forces and stresses."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import j0, j1, y0, y1

import fem_clearance as fc

from .test_section_matrices import COMPOSITE, SLICE, tip

LENGTH = 2.0


def section(bending=1.0, other=1.0, **options):
    """Bending stiffness and rotary inertia times one factor, all else times another."""
    return fc.SectionMatrices.from_constants(
        EA=4e8 * other, GA=1.3e8 * other, EI=1e6 * bending, GJ=8e5 * bending,
        rho_A=15.7 * other, rho_I=0.04 * bending, **options,
    )  # fmt: skip


def clamped(beam, *more, gravity=(0, 0, 0)):
    system = fc.System(gravity=gravity)
    system.add(beam)
    system.add(fc.FixedJoint(system.ground, beam.start))
    for item in more:
        system.add(item)
    return system


def test_tapered_cantilever():
    """EI and GA that fall linearly to a fifth, a force at the tip: the integral of (L - s)^2 / EI
    and of 1 / GA in closed form, of fourth order in the size of the elements."""
    end = 0.2
    a, table = 1 - end, fc.SectionTable([0, LENGTH], [section(), section(end, end)])
    bending = (0.5 - 2 * end + 1.5 * end**2 - end**2 * np.log(end)) / a**3
    wanted = LENGTH**3 / 1e6 * bending - LENGTH / 1.3e8 * np.log(end) / a
    errors = []
    for elements in (2, 4, 8):
        beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), table, elements=elements)
        found, _ = tip(beam, (0, 0, 1.0), steps=1)
        errors.append(abs(found[2] / wanted - 1))
    assert errors[2] < 2e-5
    assert errors[0] / errors[1] > 8 and errors[1] / errors[2] > 8


def test_axial_frequencies_of_a_tapered_rod():
    """Stiffness and mass that fall linearly to 0.3: u = A J0(k r) + B Y0(k r), r = 1 - 0.7 s/L."""
    end = 0.3
    sections = [
        fc.SectionMatrices.from_constants(  # bends and twists at far higher frequencies
            EA=4e8 * z, GA=1e12, EI=1e11, GJ=1e11, rho_A=15.7 * z, rho_I=1e-3
        )
        for z in (1.0, end)
    ]  # fmt: skip
    beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.SectionTable([0, LENGTH], sections), elements=16)
    found = fc.eigenmodes(clamped(beam), 2).frequencies

    def condition(k):
        return j0(k) * y1(k * end) - y0(k) * j1(k * end)

    grid = np.linspace(0.5, 14, 400)
    roots = [
        brentq(condition, x, y) for x, y in zip(grid, grid[1:], strict=False)
        if condition(x) * condition(y) < 0
    ]  # fmt: skip
    speed = np.sqrt(4e8 / 15.7)
    wanted = speed * np.array(roots[:2]) * (1 - end) / LENGTH / (2 * np.pi)
    assert found[:2] == pytest.approx(wanted, rel=1e-4)


def test_frequency_of_a_wedge():
    """Kirchhoff (1879), as in Timoshenko, Vibration Problems in Engineering: a wedge clamped at its
    base vibrates with 5.315 / L^2 sqrt(EI / rho A) by the EI and A of the base."""
    depth = np.linspace(1.0, 0.0003, 65)
    sections = [
        fc.SectionMatrices.from_constants(
            EA=4e8 * z, GA=1e9 * z, EI=(1e3 * z**3, 1e6 * z), GJ=1e6 * z, rho_A=15.7 * z,
            rho_I=1e-5 * z,
        )
        for z in depth
    ]  # fmt: skip
    table = fc.SectionTable(LENGTH * np.linspace(0, 1, 65), sections)
    system = clamped(fc.Beam((0, 0, 0), (LENGTH, 0, 0), table, elements=16))
    wanted = 5.315 * np.sqrt(1e3 / 15.7) / LENGTH**2 / (2 * np.pi)
    assert fc.eigenmodes(system, 1).frequencies[0] == pytest.approx(wanted, rel=2e-3)


def test_a_twist_in_the_table():
    """The strip of MacNeal and Harder (1985), twisted by a quarter turn, as a table of turned
    matrices about axes that do not twist: 0.005424 and 0.001754 by unit loads."""
    length = 12.0
    strip = fc.SectionMatrices.of(fc.Rectangle(1.1, 0.32), fc.StVenantKirchhoff(29e6, 0.22, 1.0))
    along = np.linspace(0, 1, 97)
    turned = [strip.moved((0, 0), -np.pi / 2 * x) for x in along]
    for force, wanted in (((0, 0, 1e-3), 0.005424e-3), ((0, 1e-3, 0), 0.001754e-3)):
        table = fc.SectionTable(length * along, turned)
        beam = fc.Beam((0, 0, 0), (length, 0, 0), table, elements=12, up=(0, 1, 0))
        found, _ = tip(beam, force, steps=1)
        assert found[np.argmax(force)] == pytest.approx(wanted, rel=3e-3)


def test_a_table_of_equal_sections():
    """BeamDyn's composite beam by a table, on unequal elements: the published tip."""
    same = fc.SectionMatrices(COMPOSITE, SLICE)
    beam = fc.Beam(
        (0, 0, 0), (10, 0, 0), fc.SectionTable([0, 3, 10], [same] * 3), up=(0, 1, 0),
        elements=[0, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85, 1.0],
    )  # fmt: skip
    found, _ = tip(beam, (0, 0, 150.0))
    assert found[[0, 2]] == pytest.approx([-0.0902726627566299, 1.22973648292371], rel=1e-4)
    assert found[1] == pytest.approx(-0.0647488486259036, rel=1e-3)


def test_weight_forces_and_stress():
    """A rectangle whose width halves, with its mass off the axis: mass and its centre, the forces
    that its weight causes at the clamp and in the middle, bending stress M c / I at the corners."""
    b, h, E, rho = np.array([0.06, 0.03]), 0.05, 2e13, 7800.0
    sections = []
    for width in b:
        area, about_2, about_3 = width * h, width * h**3 / 12, h * width**3 / 12
        corners = np.array([[-width, -h], [width, -h], [width, h], [-width, h]]) / 2
        recovery = np.zeros((4, 6, 6))
        recovery[:, 0, 3] = corners[:, 1] / about_2
        sections.append(
            fc.SectionMatrices.from_constants(
                EA=E * area, GA=E / 2.6 * area, EI=(E * about_2, E * about_3), GJ=1e6,
                rho_A=rho * area, rho_I=rho * about_2, mass_centre=(0.02, 0.0), outline=corners,
                recovery=recovery,
            )
        )  # fmt: skip
    table = fc.SectionTable([0, LENGTH], sections)
    beam = fc.Beam((0, 0, 0), (LENGTH, 0, 0), table, elements=16, up=(0, 1, 0), name="beam")
    mass, arm = rho * h * b.mean() * LENGTH, LENGTH * (0.5 - 0.5 / 3) / 0.75
    assert beam.mass == pytest.approx(mass, rel=1e-12)
    assert beam.position == pytest.approx([arm, 0.02, 0], rel=1e-12)
    forces = [fc.SectionForces(beam, s, name=n) for s, n in ((0.0, "root"), (1.0, "middle"))]
    system = clamped(beam, *forces, gravity=(0, 0, -10.0))
    results = fc.Statics(system).solve()
    part = rho * h * (0.045 + 0.03) / 2 * 1.0  # beyond the middle
    centre = (0.045 + 2 * 0.03) / (3 * (0.045 + 0.03))
    for name, weight, lever in (("root", mass, arm), ("middle", part, centre)):
        seen = [results[f"{name}.{n}"][-1] for n in ("Q_z", "M_y", "M_t")]
        wanted = [-10 * weight, 10 * weight * lever, -10 * weight * 0.02]
        assert seen == pytest.approx(wanted, rel=5e-3)  # a line through two Gauss points
    stress = beam.surface_stress(system.state.everything(system.state.q))["xx"]
    about_2 = 0.045 * h**3 / 12
    assert stress[16, 2] == pytest.approx(10 * part * centre * h / 2 / about_2, rel=1e-2)
    shape = beam.shape(system.state.everything(system.state.q))
    assert np.ptp(shape.outline[16], axis=0) == pytest.approx([0.045, h])


def test_bad_input():
    one, other = section(), section(0.5, 0.5)
    corners = [[0, 0], [0.1, 0], [0, 0.1]]
    for lengths, sections, message in (
        ([0, 1], [one], "a section for each"),
        ([0.0], [one], "at least two"),
        ([0.1, 1], [one, other], "begin with 0 and increase"),
        ([0, 1, 1], [one, other, other], "join two beams"),
        ([0, 1], [one, fc.Rectangle(0.1, 0.1)], "must be SectionMatrices"),
        ([0, 1], [one, section(outline=corners)], "same number of corners"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SectionTable(lengths, sections)
    table = fc.SectionTable([0, 1], [one, other])
    with pytest.raises(fc.InputError, match="ends at an arc length of 1 m, the beam at 2 m"):
        fc.Beam((0, 0, 0), (2, 0, 0), table)
    with pytest.raises(fc.InputError, match="leave out material"):
        fc.Beam((0, 0, 0), (1, 0, 0), table, fc.StVenantKirchhoff(2e11, 0.3, 7800))
    assert "2 sections over 1 m" in repr(table)
