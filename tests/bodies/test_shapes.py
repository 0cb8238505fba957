"""Shapes of rigid bodies: volume, centre and inertia against closed forms and VTK's own, what they
look like, and what is refused."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import pyvista
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.bodies.polyhedra import moments
from fem_clearance.errors import InputError
from fem_clearance.gears import Gear, SpurGear

SPUR = SpurGear(20, 3e-3, np.radians(20), 0.02, bore_radius=8e-3)
TURNED = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
SHAPES = {
    "box": fc.shapes.Box(0.1, 0.2, 0.4),
    "slider": fc.shapes.Slider(0.1, 0.05, 0.03),
    "cylinder": fc.shapes.Cylinder(0.05, 0.3),
    "sphere": fc.shapes.Sphere(0.1),
    "rod": fc.shapes.Rod(0.01, 0.5),
    "link": fc.shapes.Link(0.02, 0.01, 0.2),
    "plate": fc.shapes.Plate(
        [(0, 0), (0.3, 0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.2), (0, 0.2)], 0.01
    ),
    "disc": fc.shapes.Disc(0.1, 0.02, axis=(0, 1, 1), bore=0.03),
    "gear": Gear(SPUR, axis=(1, 0, 0)),
    "surface": fc.shapes.Surface(pyvista.Cone(height=0.2, radius=0.1), scale=2.0),
    "compound": fc.shapes.Compound(
        [fc.shapes.Sphere(0.05, position=(0.3, 0, 0)), fc.shapes.Rod(0.01, 0.5)]
    ),
}


def mesh(shape) -> pyvista.PolyData:
    points, faces = shape.surface()
    flat = np.concatenate([[len(f), *f] for f in faces])
    return pyvista.PolyData(points, flat).triangulate()


@pytest.mark.parametrize("name", SHAPES)
def test_the_surface_encloses_the_volume(name):
    """VTK's own volume and orientation of the faces; circles have 24 corners (1.2 %), a sphere's
    half circle 11 more."""
    shape = SHAPES[name]
    assert mesh(shape).volume == pytest.approx(shape.volume, rel=0.05)
    if name not in ("compound",):  # whose parts may touch
        found = mesh(shape).clean(tolerance=1e-9)
        assert found.is_manifold
    assert moments(*shape.surface())[0] > 0  # faces seen from outside


def test_polyhedra_are_exact():
    """Against the closed form of a box, away from the origin and turned."""
    box = fc.shapes.Box(0.1, 0.2, 0.4, position=(1, 2, 3), orientation=TURNED)
    volume, centre, inertia = moments(*box.surface())
    assert volume == pytest.approx(0.008, rel=1e-12)
    np.testing.assert_allclose(centre, (1, 2, 3), rtol=1e-12)
    x, y, z = 0.2, 0.1, 0.4  # turned by a quarter about the third axis
    wanted = 0.008 / 12 * np.diag([y**2 + z**2, x**2 + z**2, x**2 + y**2])
    np.testing.assert_allclose(inertia, wanted, atol=1e-13)
    np.testing.assert_allclose(box.inertia(0.008), wanted, atol=1e-15)


def test_orientation_is_by_columns():
    """The long edge of a bar lies along the first column, its least moment about that; corners and
    closed form agree."""
    axes = Rotation.from_rotvec([0.3, -0.7, 0.5]).as_matrix()
    bar = fc.shapes.Box(2.0, 0.1, 0.2, position=(1, 0, 0), orientation=axes)
    points, _ = bar.surface()
    assert np.ptp(points @ axes[:, 0]) == pytest.approx(2.0)
    about = [axes[:, k] @ bar.inertia(3.0) @ axes[:, k] for k in range(3)]
    np.testing.assert_allclose(about, [3 / 12 * 0.05, 3 / 12 * 4.04, 3 / 12 * 4.01], rtol=1e-12)
    volume, centre, inertia = moments(*bar.surface())
    np.testing.assert_allclose(inertia * 3 / volume, bar.inertia(3.0), atol=1e-12)
    np.testing.assert_allclose(centre, (1, 0, 0), atol=1e-12)


def test_a_disc_with_a_hole():
    """Textbook: m (R^2 + r^2)/2 about the axis, m (3 (R^2 + r^2) + h^2)/12 across."""
    disc = fc.shapes.Disc(0.1, 0.02, axis=(0, 1, 0), bore=0.03)
    assert disc.volume == pytest.approx(np.pi * (0.1**2 - 0.03**2) * 0.02, rel=1e-12)
    about, across = 2 * (0.01 + 0.0009) / 2, 2 * (3 * (0.01 + 0.0009) + 0.0004) / 12
    np.testing.assert_allclose(disc.inertia(2.0), np.diag([across, about, across]), atol=1e-15)
    points, _ = disc.surface()
    assert np.ptp(points[:, 1]) == pytest.approx(0.02) and np.ptp(points[:, 0]) > 0.19


def test_a_compound_is_the_sum_of_its_parts():
    """Parallel axes (Steiner) written out for a ball at the end of a rod."""
    ball, rod = 4 / 3 * np.pi * 0.05**3, np.pi * 0.01**2 * 0.5
    centre = ball * 0.3 / (ball + rod)
    volume, found, inertia = SHAPES["compound"].moments()
    assert volume == pytest.approx(ball + rod, rel=1e-12)
    np.testing.assert_allclose(found, (centre, 0, 0), atol=1e-15)
    across = 0.4 * ball * 0.05**2 + ball * (0.3 - centre) ** 2
    across += rod * (3 * 0.01**2 + 0.5**2) / 12 + rod * centre**2
    assert inertia[1, 1] == pytest.approx(across, rel=1e-12)
    assert inertia[0, 0] == pytest.approx(0.4 * ball * 0.05**2 + rod * 0.01**2 / 2, rel=1e-12)


def test_a_gear_weighs_a_little_less_than_its_tip_circle():
    """Between the discs of root and tip circle; about the axis more than across."""
    gear = Gear(SPUR, axis=(1, 0, 0))
    discs = [np.pi * (r**2 - 8e-3**2) * 0.02 for r in (SPUR.root_radius, SPUR.tip)]
    assert discs[0] < gear.volume < discs[1]
    inertia = gear.inertia(1.0)
    assert SPUR.root_radius**2 / 2 < inertia[0, 0] < (SPUR.tip**2 + 8e-3**2) / 2
    np.testing.assert_allclose(inertia, np.diag(np.diag(inertia)), atol=1e-9)
    # any prism of such symmetry: across = about / 2 + m h^2/12
    assert inertia[1, 1] == pytest.approx(inertia[0, 0] / 2 + 0.02**2 / 12, rel=1e-9)


def test_a_file(tmp_path):
    """An STL in mm, read back by VTK."""
    pyvista.Cube(x_length=100, y_length=200, z_length=400).save(tmp_path / "box.stl")
    shape = fc.shapes.Surface(tmp_path / "box.stl", scale=1e-3)
    assert shape.volume == pytest.approx(0.008, rel=1e-6)
    body = fc.RigidBody(shape=shape, density=1000)
    wanted = fc.shapes.Box(0.1, 0.2, 0.4).inertia(8.0)
    np.testing.assert_allclose(np.diag(body.inertia), wanted, rtol=1e-6)
    portrait = shape.portrait()
    assert portrait["type"] == "surface" and np.ptp(np.array(portrait["points"]), axis=0)[2] == (
        pytest.approx(0.4)
    )


def test_large_surfaces_are_thinned_for_pictures_alone():
    ball = pyvista.Sphere(radius=0.1, theta_resolution=200, phi_resolution=200)
    shape = fc.shapes.Surface(ball)
    assert len(shape.corners()[1]) == ball.n_cells > 70_000
    assert len(shape.portrait()["faces"]) / 4 <= 20_001


def test_with_mass_and_inertia_a_shape_is_for_the_eye():
    body = fc.RigidBody(2.0, (1, 2, 2), shape=fc.shapes.Rod(0.01), name="bar")
    assert body.mass == 2 and body.inertia[0, 0] == 1
    shown = body.portrait().shape
    assert (shown["type"], shown["radius"], shown["length"]) == ("rod", 0.01, None)


def test_several_shapes_are_one():
    bob = [fc.shapes.Sphere(0.05), fc.shapes.Rod(0.01, 0.5, position=(0.25, 0, 0))]
    shown = fc.RigidBody(2.0, (1, 2, 2), shape=bob).portrait().shape
    assert [p["type"] for p in shown["parts"]] == ["sphere", "rod"]
    assert shown["parts"][1]["position"] == (0.25, 0, 0)


@pytest.mark.parametrize("shape", ["disc", "gear", "link", "slider"])
def test_density_gives_mass(shape):
    body = fc.RigidBody(shape=SHAPES[shape], density=7800)
    assert body.mass == pytest.approx(7800 * SHAPES[shape].volume)
    np.testing.assert_allclose(body.inertia, SHAPES[shape].moments()[2] * 7800, rtol=1e-12)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: fc.RigidBody(1.0, shape=fc.shapes.Sphere(1)), "mass and inertia are both needed"),
        (lambda: fc.RigidBody(1.0, (1, 1, 1), density=1), "give shape and density"),
        (
            lambda: fc.RigidBody(1.0, (1, 1, 1), shape=fc.shapes.Sphere(1), density=1),
            "give shape and density, or mass and inertia",
        ),
        (lambda: fc.RigidBody(1.0, (1, 1, 1), shape="ball"), "shape must be one of shapes"),
        (lambda: fc.RigidBody(shape=fc.shapes.Rod(0.1), density=1), "Rod without a length"),
        (
            lambda: fc.RigidBody(shape=fc.shapes.Sphere(1, position=(1, 0, 0)), density=1),
            r"lies at \(1, 0, 0\) m in the body's axes",
        ),
        (lambda: fc.shapes.Plate([(0, 0), (1, 0)], 1), "three or more corners"),
        (lambda: fc.shapes.Disc(0.1, 0.1, bore=0.1), "bore must be below"),
        (lambda: fc.shapes.Box(1, 1, 1, orientation=np.ones((3, 3))), "orthogonal unit vectors"),
        (lambda: fc.shapes.Surface("nothing.stl"), "there is no file"),
        (lambda: fc.shapes.Surface(3.0), "path or a PyVista data set"),
        (lambda: fc.shapes.Compound([]), "must be shapes"),
        (lambda: fc.shapes.Link(0.0), "Link.width must be positive"),
        (lambda: Gear("spur"), "needs a SpurGear"),
        (
            lambda: fc.RigidBody(shape=fc.shapes.Surface(pyvista.Plane()), density=1),
            "encloses no volume",
        ),
    ],
)
def test_refused(make, said):
    with pytest.raises(InputError, match=said):
        make()


@dataclass(frozen=True)
class Corner(fc.shapes.Shape):
    """A tetrahedron that a plane cuts off the corner of a cube."""

    edge: float
    positive: ClassVar[tuple[str, ...]] = ("edge",)

    def corners(self):
        points = self.edge * np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        return points, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def test_a_shape_of_ones_own():
    """V = a^3 / 6, its centre at a / 4 along each axis, I = m a^2 (1/5 - 2/16) about that; turned
    and moved, the centre goes with it."""
    volume, centre, inertia = Corner(0.06).moments()
    assert volume == pytest.approx(0.06**3 / 6)
    assert centre == pytest.approx([0.015] * 3)
    assert np.diag(inertia) == pytest.approx([volume * 0.06**2 * (1 / 5 - 2 / 16)] * 3)
    turn = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    moved = Corner(0.06, position=(1.0, 0.0, 0.0), orientation=turn)
    assert moved.moments()[1] == pytest.approx([0.985, 0.015, 0.015])
    with pytest.raises(fc.InputError, match="Corner.edge must be positive"):
        Corner(-1.0)
    with pytest.raises(TypeError, match="Shape defines no corners"):
        fc.shapes.Shape().corners()
