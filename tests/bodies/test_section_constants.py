"""Torsion constants, shear factors and shear centres by finite elements on sections, against closed
forms and published values; beams that use them."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.bodies.beams import warping
from fem_clearance.bodies.beams.warping import constants
from fem_clearance.meshes.bisection import from_triangles, refined
from fem_clearance.meshes.polygons import doubles, triangles

NUS = (0.0, 0.3, 0.5)


def box(a, b, y=0.0, z=0.0):
    return np.array([(-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2)]) + (y, z)


def ring(a, b, count=96):
    """Corners on an ellipse, outside of it by as much as the edges are inside."""
    angles = 2 * np.pi * np.arange(count) / count
    out = np.sqrt(2 * np.pi / count / np.sin(2 * np.pi / count))  # equal area
    return out * np.column_stack([a * np.cos(angles), b * np.sin(angles)])


# --- closed forms against finite elements -------------------------------------------------------
@pytest.mark.parametrize(
    "closed, corners, holes",
    [
        (fc.Rectangle(1.0, 1.0), box(1, 1), ()),
        (fc.Rectangle(10.0, 1.0), box(10, 1), ()),
        (fc.Rectangle(0.02, 0.05), box(0.02, 0.05), ()),
        (fc.Circle(2.0), ring(2, 2), ()),
        (fc.Ellipse(2.0, 1.0), ring(2, 1), ()),
        (fc.Tube(1.0, 0.6), ring(1, 1), [ring(0.6, 0.6)]),
    ],
)
def test_closed_forms(closed, corners, holes):
    """Saint-Venant's series and Cowper's (1966) table of shear factors: rectangle, circle, ellipse,
    round tube."""
    section = fc.Polygon(corners, holes)
    assert section.saint_venant == pytest.approx(closed.saint_venant, rel=1e-3)
    for nu in NUS:
        assert section.shear_factors(nu) == pytest.approx(closed.shear_factors(nu), rel=5e-4)
    size = np.sqrt(section.area)
    assert section.shear_centre == pytest.approx((0, 0), abs=1e-5 * size)


def test_torsion_constants_of_textbooks():
    """Timoshenko and Goodier, Theory of Elasticity: square 0.1406 a^4, 10:1 strip 0.312 a b^3
    (section 109), equilateral triangle sqrt(3)/80 a^4 (section 106)."""
    assert fc.Polygon(box(1, 1)).saint_venant == pytest.approx(0.1406, rel=3e-4)
    assert fc.Polygon(box(10, 1)).saint_venant == pytest.approx(3.12, rel=2e-3)
    triangle = fc.Polygon([(0, 0), (1, 0), (0.5, np.sqrt(3) / 2)])
    assert triangle.saint_venant == pytest.approx(np.sqrt(3) / 80, rel=1e-4)


@pytest.mark.parametrize(
    "height, width, web, flange", [(0.1, 0.1, 0.006, 0.008), (0.3, 0.15, 0.0071, 0.0107)]
)
def test_i_profile(height, width, web, flange):
    """El Darwish and Johnston (1965): rectangles, and what junctions of web and flange without
    fillets add and the flanges' ends lack."""
    a = -0.042 + 0.2204 * web / flange - 0.0725 * (web / flange) ** 2
    D = (flange**2 + web**2 / 4) / flange
    J = (2 * width * flange**3 + (height - 2 * flange) * web**3) / 3
    J += 2 * a * D**4 - 0.42 * flange**4
    section = fc.IProfile(height, width, web, flange)
    assert section.saint_venant == pytest.approx(J, rel=4e-3)


def test_i_profile_in_shear():
    """Cowper (1966), thin-walled I: m the area of both flanges by that of the web, n width by
    height."""
    h, b, t_w, t_f = 1.0, 0.5, 0.004, 0.005
    m, n = 2 * b * t_f / (h * t_w), b / h
    section = fc.IProfile(h + t_f, b, t_w, t_f)
    for nu in NUS:
        above = 10 * (1 + nu) * (1 + 3 * m) ** 2
        below = 12 + 72 * m + 150 * m**2 + 90 * m**3
        below += nu * (11 + 66 * m + 135 * m**2 + 90 * m**3)
        below += 30 * n**2 * (m + m**2) + 5 * nu * n**2 * (8 * m + 9 * m**2)
        assert section.shear_factors(nu)[0] == pytest.approx(above / below, rel=0.01)


def test_closed_and_open_thin_walls():
    """Bredt: 4 A^2 t / circumference of a closed box; slit open, a third of length times t^3."""
    t, a, b = 0.002, 0.1, 0.2
    closed = fc.Polygon(box(a, b), [box(a - 2 * t, b - 2 * t)])
    middle = (a - t) * (b - t), 2 * (a + b - 2 * t)
    assert closed.saint_venant == pytest.approx(4 * middle[0] ** 2 * t / middle[1], rel=0.01)
    half = t / 200  # of the slit
    outer = [(a / 2, half), *box(a, b)[[2, 3, 0, 1]], (a / 2, -half)]
    inner = box(a - 2 * t, b - 2 * t)[[1, 0, 3, 2]]
    slit = fc.Polygon([*outer, (a / 2 - t, -half), *inner, (a / 2 - t, half)])
    assert slit.saint_venant == pytest.approx(middle[1] * t**3 / 3, rel=0.02)


def test_shear_centres():
    """Of a thin angle where its legs meet; of a thin channel 3 b^2 / (h + 6 b) behind the web
    (h, b: height of the web, width of the flanges)."""
    t, b, h = 0.5, 50.0, 100.0
    angle = fc.Polygon([(0, 0), (h, 0), (h, t), (t, t), (t, h), (0, h)])
    assert angle.shear_centre + angle.centroid == pytest.approx([t / 2, t / 2], abs=0.05 * t)
    b, h = b - t / 2, h - t  # of the middle lines
    corners = [(0, 0), (50, 0), (50, t), (t, t), (t, 100 - t), (50, 100 - t), (50, 100), (0, 100)]
    channel = fc.Polygon(corners)
    expected = t / 2 - 3 * b**2 / (h + 6 * b)
    assert channel.shear_centre[0] + channel.centroid[0] == pytest.approx(expected, abs=0.02 * b)
    assert channel.shear_centre[1] == pytest.approx(0, abs=1e-4 * h)


def test_turned_and_scaled_sections():
    """J goes with the fourth power of the size; compliances turn as tensors do."""
    corners = 1e-3 * np.array([(0, 0), (60, 0), (60, 10), (10, 10), (10, 40), (0, 40)])
    first, big = fc.Polygon(corners), fc.Polygon(1e3 * corners)
    assert big.saint_venant == pytest.approx(1e12 * first.saint_venant, rel=1e-9)
    quarter = fc.Polygon(corners @ [[0, 1], [-1, 0]])
    assert quarter.saint_venant == pytest.approx(first.saint_venant, rel=1e-4)
    assert quarter.shear_factors(0.3)[::-1] == pytest.approx(first.shear_factors(0.3), rel=1e-4)
    y, z = first.shear_centre
    assert quarter.shear_centre == pytest.approx((-z, y), abs=1e-6)


def test_several_holes():
    """Two cells: Bredt's equations for the flows q_i, 2 A_i = (sum of lengths by t) q_i / (G twist)
    - those of the wall between."""
    t, a, b = 0.001, 0.1, 0.1
    holes = [box(a - t, b - t, -a / 2), box(a - t, b - t, a / 2)]
    section = fc.Polygon(box(2 * a + t, b + t), holes)
    assert section.area == pytest.approx((2 * a + t) * (b + t) - 2 * (a - t) * (b - t), rel=1e-12)
    walls = np.array([[4 * a, -b], [-b, 4 * a]]) / t
    flows = np.linalg.solve(walls, [2 * a * b] * 2)
    assert section.saint_venant == pytest.approx(2 * np.sum(flows) * a * b, rel=0.015)


def test_details_that_are_too_fine_are_said(caplog, monkeypatch):
    monkeypatch.setattr(warping, "LIMIT", 40)
    found = constants(triangles(box(3.0, 1.0)))
    assert "may be wrong by" in caplog.text and "torsion_constant=" in caplog.text
    assert found.torsion == pytest.approx(fc.Rectangle(3.0, 1.0).saint_venant, rel=0.02)


# --- meshes -------------------------------------------------------------------------------------
def test_refined_meshes_conform():
    """Area is kept, every inner edge has two triangles, and angles do not degrade."""
    corners = np.array([(0, 0), (60, 0), (60, 10), (10, 10), (10, 40), (0, 40)], float)
    mesh, rng = from_triangles(triangles(corners)), np.random.default_rng(2)
    for _ in range(12):
        mesh = refined(mesh, rng.random(len(mesh.cells)) < 0.2)
    x = mesh.points[mesh.cells]
    assert doubles(x).sum() == pytest.approx(1800, rel=1e-12) and doubles(x).min() > 0
    ends, sides = mesh.edges
    counts = np.bincount(sides.ravel(), minlength=len(ends))
    outside = mesh.points[ends[counts == 1]]
    assert counts.max() == 2
    lengths = np.linalg.norm(outside[:, 0] - outside[:, 1], axis=1)
    assert lengths.sum() == pytest.approx(200, rel=1e-12)


def test_triangles_that_share_parts_of_edges():
    """A corner in the middle of another triangle's edge: cut there."""
    square = np.array(
        [[(0, 0), (2, 0), (0, 2)], [(2, 0), (2, 2), (1, 1)], [(1, 1), (2, 2), (0, 2)]]
    )
    assert constants(square.astype(float)).torsion == pytest.approx(16 * 0.140577, rel=1e-4)


# --- beams --------------------------------------------------------------------------------------
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)


def loaded(section, elements=4, force=(0, 0, 0), torque=0.0, length=1.0, **options):
    """Tip's displacement and twist of a cantilever along x."""
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(
        fc.Beam((0, 0, 0), (length, 0, 0), section, STEEL, elements, name="beam", **options)
    )
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.Force(beam.end, force))
    system.add(fc.Torque(beam.end, (torque, 0, 0)))
    system.add(fc.AngleProbe(system.ground, beam.end, (1, 0, 0), name="twist"))
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system).solve()
    return results["tip.y"][-1], results["twist.angle"][-1]


@pytest.mark.parametrize(
    "section, J",
    [
        (fc.Rectangle(0.1, 0.01), 0.312 * 0.1 * 0.01**3),  # Timoshenko and Goodier
        (fc.Polygon(0.05 * np.array([(0, 0), (1, 0), (0.5, np.sqrt(3) / 2)])),
         np.sqrt(3) / 80 * 0.05**4),
        (fc.Ellipse(0.02, 0.01), np.pi * 0.02**3 * 0.01**3 / (0.02**2 + 0.01**2)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_beams_twist_as_saint_venant_says(section, J, model):
    twist = loaded(section, torque=0.01, model=model)[1]
    assert twist == pytest.approx(0.01 / (STEEL.mu * J), rel=2e-3)
    stiff = loaded(section, torque=0.01, model=model, section_model="plane")[1]
    assert stiff == pytest.approx(0.01 / (STEEL.mu * (section.I_y + section.I_z)), rel=1e-3)


@pytest.mark.parametrize("section, k", [(fc.Rectangle(0.1, 0.1), 13 / 15.3),
                                        (fc.Circle(0.05), 7.8 / 8.8)])  # fmt: skip
def test_short_beams_sag_by_shear(section, k):
    """Timoshenko's cantilever, F L^3 / 3 E I + F L / k G A, k by Cowper's table at nu = 0.3."""
    L, F = 0.3, 1000.0
    tip = loaded(section, 8, force=(0, -F, 0), length=L)[0]
    bending, shear = F * L**3 / 3 / 2e11 / section.I_y, F * L / STEEL.mu / section.area
    assert tip == pytest.approx(-(bending + shear / k), rel=1e-4)
    plane = loaded(section, 8, force=(0, -F, 0), length=L, section_model="plane")[0]
    assert plane == pytest.approx(-(bending + shear), rel=1e-4)


def test_given_numbers_come_first():
    beam = fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.01), STEEL, torsion_constant=1e-8)
    polar = beam.section.I_y + beam.section.I_z
    assert beam.factors == pytest.approx(
        {"shear_y": 13 / 15.3, "shear_z": 13 / 15.3, "torsion": 1e-8 / polar}
    )
    beam = fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.01), STEEL, shear=(0.7, 0.8))
    assert (beam.factors["shear_y"], beam.factors["shear_z"]) == (0.7, 0.8)
    assert beam.factors["torsion"] * polar == pytest.approx(beam.section.saint_venant)


@pytest.mark.parametrize("options", [{"poisson": "full"}, {"model": "cable"}])
def test_laws_without_free_warping_have_plane_sections(options):
    beam = fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.1), STEEL, **options)
    assert set(beam.factors.values()) == {1.0}
    with pytest.raises(fc.InputError, match="section_model='saint_venant' changes the law"):
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.1), STEEL, section_model="saint_venant",
                **options)  # fmt: skip
    with pytest.raises(fc.InputError, match="section_model"):
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.1), STEEL, section_model="round")


def test_sections_of_unknown_shape_say_so(caplog):
    points = fc.PointSection(*fc.Rectangle(0.1, 0.01).quadrature(4))
    beam = fc.Beam((0, 0, 0), (1, 0, 0), points, STEEL, name="strip")
    assert set(beam.factors.values()) == {1.0}
    assert "strip: its sections remain plane" in caplog.text and "give the beam" in caplog.text
    with pytest.raises(fc.InputError, match="strip: a PointSection has no shape"):
        fc.Beam((0, 0, 0), (1, 0, 0), points, STEEL, section_model="saint_venant", name="strip")


class Frame(fc.Section):
    """A section of a user with a hole that its outline does not show."""

    def quadrature(self, degree=4):
        return fc.Polygon(box(1, 1), [box(0.5, 0.5)]).quadrature(degree)

    @property
    def outline(self):
        return box(1, 1)


def test_outlines_that_do_not_enclose_the_area():
    with pytest.raises(fc.InputError, match="its outline encloses 1 m.2, its area is 0.75 m.2"):
        _ = Frame().saint_venant


def test_eccentric_shear_centres_are_said(caplog):
    angle = 1e-3 * np.array([(0, 0), (60, 0), (60, 10), (10, 10), (10, 40), (0, 40)])
    fc.Beam((0, 0, 0), (1, 0, 0), fc.Polygon(angle), STEEL, name="angle")
    assert "angle: shear forces through the centroid twist this section" in caplog.text
    caplog.clear()
    fc.Beam((0, 0, 0), (1, 0, 0), fc.IProfile(0.1, 0.1, 0.006, 0.008), STEEL)
    assert not caplog.text


CASES = ["double_pendulum", "flexible_pendulum", "flexible_slider_crank", "four_bar_wear",
         "quick_return", "slider_crank_revolute", "spatial_four_bar"]  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_cases_keep_plane_sections(name):
    case = cases.get(name)
    assert case.resolve({})["section_model"] == "plane"


def test_a_case_with_free_warping():
    case, factors = cases.get("flexible_pendulum"), []
    for model in ("plane", "saint_venant"):
        system = case.model(case.resolve({"section_model": model})).system
        beam = next(item for item in system.items if isinstance(item, fc.Beam))
        factors.append(beam.factors["torsion"])
    assert factors == pytest.approx([1.0, 0.1406 * 6], rel=1e-3)
