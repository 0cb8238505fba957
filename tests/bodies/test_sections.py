"""Sections: moments against textbook formulas, the quadrature against the moments, bad input."""

import numpy as np
import pytest

import fem_clearance as fc

#: two legs of 60 x 10 mm and 40 x 10 mm, corner at the origin
ANGLE = [(0, 0), (60, 0), (60, 10), (10, 10), (10, 40), (0, 40)]
#: a square with a hole off its centre
HOLED = [(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (2, 1), (2, 2), (1, 2)]]
SECTIONS = [
    fc.Rectangle(0.02, 0.05), fc.Circle(0.3), fc.Tube(0.03, 0.02), fc.Ellipse(0.02, 0.05),
    fc.IProfile(0.2, 0.1, 0.008, 0.012), fc.Polygon(1e-3 * np.array(ANGLE)),
    fc.Polygon(*HOLED),
]  # fmt: skip


@pytest.mark.parametrize("section", SECTIONS)
def test_moments_equal_the_quadrature(section):
    points, w = section.quadrature(4)
    y, z = points.T
    size = np.abs(section.outline).max()
    assert np.all(w > 0)
    for p in range(5):
        for q in range(5 - p):
            scale = section.area * size ** (p + q)
            numeric = np.sum(w * y**p * z**q)
            assert section.moment(p, q) == pytest.approx(numeric, rel=1e-12, abs=1e-14 * scale)


def test_tube_ellipse_and_i():
    """pi (R^4 - r^4)/4; pi a^3 b/4; parallel axes of an I: all textbook."""
    tube, ellipse = fc.Tube(0.03, 0.02), fc.Ellipse(2.0, 1.0)
    beam = fc.IProfile(0.2, 0.1, 0.01, 0.02)
    assert (tube.area, tube.I_y) == pytest.approx((np.pi * 5e-4, np.pi / 4 * (0.03**4 - 0.02**4)))
    assert (ellipse.I_y, ellipse.I_z) == pytest.approx((2 * np.pi, np.pi / 2))
    outer, holes = 0.1 * 0.2**3 / 12, 0.09 * 0.16**3 / 12
    assert beam.I_y == pytest.approx(outer - holes)
    assert beam.I_z == pytest.approx(2 * 0.02 * 0.1**3 / 12 + 0.16 * 0.01**3 / 12)


def test_angle_section():
    """Centroid, second moments and product of an L by adding two rectangles (parallel axes)."""
    section = fc.Polygon(ANGLE)
    parts = [(600.0, 30.0, 5.0, 60.0, 10.0), (300.0, 5.0, 25.0, 10.0, 30.0)]
    area = sum(a for a, *_ in parts)
    cy, cz = (sum(x[0] * x[k] for x in parts) / area for k in (1, 2))
    assert section.centroid == pytest.approx([cy, cz])
    I_y = sum(a * (y - cy) ** 2 + a * b**2 / 12 for a, y, z, b, h in parts)
    I_z = sum(a * (z - cz) ** 2 + a * h**2 / 12 for a, y, z, b, h in parts)
    I_yz = sum(a * (y - cy) * (z - cz) for a, y, z, b, h in parts)
    assert (section.area, section.I_y, section.I_z) == pytest.approx((area, I_y, I_z))
    assert section.I_yz == pytest.approx(I_yz)
    assert abs(section.moment(1, 0)) < 1e-9 and not section.symmetric
    largest, smallest, angle = section.principal()
    middle, radius = (I_y + I_z) / 2, np.hypot((I_y - I_z) / 2, I_yz)  # Mohr's circle
    assert (largest, smallest) == pytest.approx((middle + radius, middle - radius))
    assert np.tan(2 * angle) == pytest.approx(2 * I_yz / (I_y - I_z))


def test_a_section_with_a_hole():
    """By parallel axes, the square less the hole; either sense of the corners."""
    section = fc.Polygon(HOLED[0], [HOLED[1][0][::-1]])
    centre = (16 * 2 - 1.5) / 15
    assert section.area == pytest.approx(15.0)
    assert section.centroid == pytest.approx([centre, centre])
    second = 4**4 / 12 + 16 * (2 - centre) ** 2 - 1 / 12 - (1.5 - centre) ** 2
    assert (section.I_y, section.I_z) == pytest.approx((second, second))
    assert section.I_yz == pytest.approx(16 * (2 - centre) ** 2 - (1.5 - centre) ** 2)


def test_polygons_with_edges_in_one_line():
    """An I has its flanges' inner edges in pairs on one line: they do not meet."""
    profile = fc.IProfile(0.2, 0.1, 0.008, 0.012)
    section = fc.Polygon(profile.outline)
    assert (section.area, section.I_y) == pytest.approx((profile.area, profile.I_y))


def test_a_polygon_in_either_sense_or_as_points_is_the_same():
    corners = 1e-3 * np.array(ANGLE)
    first = fc.Polygon(corners)
    others = [fc.Polygon(corners[::-1] + [1.0, 2.0]), fc.PointSection(*first.quadrature(4))]
    for section in others:
        for powers in [(0, 0), (2, 0), (1, 1), (0, 2), (2, 1), (0, 4)]:
            assert section.moment(*powers) == pytest.approx(first.moment(*powers), rel=1e-9)


def test_saint_venant():
    """Timoshenko and Goodier, section 109: J/(a b^3) = .1406 (a = b), .229 (2), .312 (10)."""
    for ratio, factor in ((1, 0.1406), (2, 0.229), (10, 0.312)):
        for sides in ((ratio, 1), (1, ratio)):
            assert fc.Rectangle(*sides).saint_venant == pytest.approx(factor * ratio, rel=2e-3)
    assert fc.Ellipse(1.0, 1.0).saint_venant == pytest.approx(fc.Circle(1.0).saint_venant)


@pytest.mark.parametrize("section", SECTIONS)
def test_outline_runs_anticlockwise(section):
    y, z = section.outline.T
    area = np.sum(y * np.roll(z, -1) - np.roll(y, -1) * z) / 2
    assert area >= section.area * 0.95


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: fc.Tube(0.02, 0.03), "inner_radius 0.03 m must be smaller"),
        (lambda: fc.Ellipse(0, 1), "Ellipse.radius_y must be positive"),
        (lambda: fc.IProfile(0.2, 0.1, 0.2, 0.01), "web must not be thicker"),
        (lambda: fc.Polygon([(0, 0), (1, 0)]), "at least three corners are needed, got 2"),
        (lambda: fc.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]), "edges must not cross"),
        (lambda: fc.Polygon("square"), "must be finite pairs"),
        (lambda: fc.PointSection([(0, 0), (1, 1)], [1, 1]), "must not lie on one line"),
        (lambda: fc.PointSection([(0, 0), (1, 1)], [1, -1]), "one positive area for each point"),
        (lambda: fc.Polygon([(0, 0), (1, 0), (2, 0)]), "enclose no area"),
        (
            lambda: fc.Polygon(ANGLE, [[(5, 5), (15, 5), (15, 15), (5, 15)]]),
            "holes must lie inside the polygon and apart",
        ),
        (
            lambda: fc.Polygon(
                ANGLE, [[(2, 2), (8, 2), (8, 12), (2, 12)], [(3, 3), (4, 3), (4, 4)]]
            ),
            "holes must lie inside the polygon and apart",
        ),
        (lambda: fc.Polygon(ANGLE, [[(20, 20), (21, 20), (21, 21)]]), "holes must lie inside"),
        (
            lambda: fc.PointSection([(0, 0), (1, 1), (1, 0)], [1, 1, 1]).saint_venant,
            "has no shape from which",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(build, words):
    with pytest.raises(fc.InputError, match=words):
        build()
