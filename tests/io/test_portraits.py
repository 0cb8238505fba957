"""What every public item says of itself for the eye."""

import inspect
from pathlib import Path

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    CylindricalFilm,
    GuideFilm,
    LubricatedCylindrical,
    LubricatedSpherical,
    LubricatedTranslational,
    SphericalSqueeze,
    pad_film,
    plain_bearing,
)
from fem_clearance.model.portrait import BodyPortrait, Portrait

from ..scenes import check, items_of, scene_of, two_bodies

X, Y, Z = np.eye(3)
STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)


def public_items() -> list[type]:
    found = {}
    for module in (fc, fc.lubrication, fc.gears):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) and hasattr(value, "build") and hasattr(value, "prefix"):
                found[value] = None
    return list(found)


@pytest.mark.parametrize("cls", public_items(), ids=lambda c: c.__name__)
def test_every_public_item_describes_itself(cls):
    assert "portrait" in dir(cls), f"{cls.__name__} has no portrait"


RADII = {"bearing_radius": 0.02, "journal_radius": 0.0198, "length": 0.03}
SPHERES = {"socket_radius": 0.02, "ball_radius": 0.0198, "stiffness": 1e8}
FILM = plain_bearing(0.02, 0.03, 2e-4, 0.04, cells=(12, 4))
PADS = {
    "axis": X,
    "across": Y,
    "length": 0.1,
    "height": 0.05,
    "gap": 0.0504,
    "stiffness": 1e9,
    "width": 0.03,
}
PAIRS = {
    "revolute": lambda a, b: fc.RevoluteJoint(a.center, b.center, Z),
    "spherical": lambda a, b: fc.SphericalJoint(a.center, b.center),
    "cylindrical": lambda a, b: fc.CylindricalJoint(a.center, b.center, Y),
    "prismatic": lambda a, b: fc.PrismaticJoint(a.center, b.center, X),
    "fixed": lambda a, b: fc.FixedJoint(a.center, b.center),
    "point_on_line": lambda a, b: fc.PointOnLine(a.center, b.center, X),
    "planar": lambda a, b: fc.PlanarJoint(a.center, b.center, Z),
    "universal": lambda a, b: fc.UniversalJoint(a.center, b.center, Z, X),
    "driver": lambda a, b: fc.RotationDriver(a.center, b.center, Z, fc.functions.Linear(1.0)),
    "angle": lambda a, b: fc.AngleProbe(a.center, b.center, Y),
    "torsion_spring": lambda a, b: fc.TorsionSpring(a.center, b.center, X, 1.0),
    "bushing": lambda a, b: fc.Bushing(a.center, b.center, 1.0),
    "friction": lambda a, b: fc.FrictionElement(
        a.center, b.center, X, friction=fc.SmoothCoulomb(0.1), normal_force=1.0
    ),
    "clearance_revolute": lambda a, b: fc.RevoluteClearance(
        a.center, b.center, Y, **RADII, stiffness=1e8
    ),
    "clearance_cylindrical": lambda a, b: fc.CylindricalClearance(
        a.center,
        b.center,
        Z,
        **RADII,
        stiffness=1e8,
        journal_length=0.05,
    ),
    "clearance_spherical": lambda a, b: fc.SphericalClearance(a.center, b.center, **SPHERES),
    "clearance_translational": lambda a, b: fc.TranslationalClearance(
        a.center, b.center, **PADS, normal=fc.ExactRestitution(restitution=0.4)
    ),
    "film": lambda a, b: CylindricalFilm(a.center, b.center, Y, film=FILM),
    "rod_guide": lambda a, b: fc.RodGuide(
        a.center, b.center, Y, hole_radius=0.02, rod_radius=0.0198, stiffness=1e8
    ),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_between_two_bodies(kind):
    """Frames at the bodies' centres, the axis in frame i as it was given in space."""
    system, first, second = two_bodies()
    item = system.add(PAIRS[kind](first, second))
    scene = scene_of(system)
    check(scene)
    (found,) = scene["items"]
    assert found["type"] == kind
    frames = scene["frames"]
    assert [frames[found[f"frame_{s}"]]["body"] for s in "ij"] == ["first", "second"]
    axis = getattr(item, "axis", None)
    if kind == "clearance_translational":
        axis = X
        np.testing.assert_allclose(first.axes @ found["across"], Y, atol=1e-14)
        np.testing.assert_allclose(
            second.axes @ found["slider"], np.column_stack([X, -Z, Y]), atol=1e-14
        )
    if kind == "film":
        axis = Y
    if kind == "rod_guide":  # across the clearance
        np.testing.assert_allclose(first.axes @ found["along"], X, atol=1e-14)
    if axis is None:
        assert found["axis"] is None
    else:
        np.testing.assert_allclose(first.axes @ found["axis"], axis, atol=1e-14)
    assert {b["name"]: [a["item"] for a in b["attached"]] for b in scene["bodies"]} == {
        "ground": [],
        "first": [item.name],
        "second": [item.name],
    }


def test_bearings_know_their_journals():
    system, first, second = two_bodies()
    thrust = fc.Thrust(play=1e-3, radius=0.03, stiffness=1e8, ends=(True, False))
    system.add(
        fc.CylindricalClearance(
            first.center,
            second.center,
            Z,
            **RADII,
            stiffness=1e8,
            journal_length=0.05,
            thrust=thrust,
            name="bearing",
        )
    )
    found = items_of(system)["bearing"]
    assert found["sizes"] == pytest.approx(
        {
            "bearing_radius": 0.02,
            "journal_radius": 0.0198,
            "clearance": 2e-4,
            "length": 0.03,
            "journal_length": 0.05,
            "collar_radius": 0.03,
            "play": 1e-3,
        }
    )
    np.testing.assert_allclose(second.axes @ found["journal_axis"], Z, atol=1e-14)
    assert found["collars"] == [True, False] and "films" not in found


def test_where_films_lie():
    """Axes of a film in the housing's frame: the third is the bearing's, the first as given."""
    system, first, second = two_bodies()
    system.add(CylindricalFilm(first.center, second.center, Y, film=FILM, first=X, name="oil"))
    found = items_of(system)["oil"]
    (film,) = found["films"]
    assert (film["series"], film["side"], film["turning"]) == ("oil", "i", False)
    np.testing.assert_allclose(first.axes @ film["axes"], np.column_stack([X, -Z, Y]), atol=1e-14)
    assert found["sizes"] == pytest.approx(
        {
            "bearing_radius": 0.02,
            "journal_radius": 0.0198,
            "clearance": 2e-4,
            "length": 0.03,
            "start": -0.015,
        }
    )


def test_films_in_clearances():
    system, first, second = two_bodies()
    system.add(
        LubricatedCylindrical(
            first.center, second.center, Z, **RADII, stiffness=1e8, film=FILM, name="bearing"
        )
    )
    pads = pad_film(0.1, 0.03, 2e-4, 0.04, cells=(4, 2))
    system.add(
        LubricatedTranslational(
            first.center,
            second.center,
            **PADS,
            film=(None, pads),
            normal=fc.ExactRestitution(restitution=0.4),
            name="guide",
        )
    )
    system.add(
        LubricatedSpherical(
            first.center, second.center, **SPHERES, film=SphericalSqueeze(0.04), name="ball"
        )
    )
    found = items_of(system)
    (journal,) = found["bearing"]["films"]
    np.testing.assert_allclose(first.axes @ np.array(journal["axes"])[:, 2], Z, atol=1e-14)
    (face,) = found["guide"]["films"]  # of the lower face: away from the guide is up
    assert (face["series"], face["side"]) == ("guide.lower", "j")
    np.testing.assert_allclose(second.axes @ np.array(face["axes"])[:, 2], Y, atol=1e-14)
    # its origin lies on the lower face: half the height below the slider's middle
    place = second.axes @ np.array(face["axes"]) @ face["origin"]
    np.testing.assert_allclose(place, -0.025 * Y, atol=1e-14)
    assert found["ball"]["films"] == [] and found["ball"]["type"] == "clearance_spherical"


def test_springs_loads_and_probes():
    system, first, second = two_bodies(gap=(1, 0, 0))
    system.add(fc.SpringDamper(first.center, second.center, 5.0, free_length=0.8, name="spring"))
    system.add(fc.SpringDamper(first.center, second.at((2, 2.5, 3)), 0.0, 2.0, name="damper"))
    system.add(fc.DistanceJoint(first.center, second.center, name="rod"))
    system.add(
        fc.TranslationDriver(first.center, second.center, X, fc.functions.Linear(1.0), name="jack")
    )
    system.add(fc.Force(first, (0, -2, 0), name="push"))
    system.add(fc.Torque(first, (0, 0, 1), follower=True, name="twist"))
    system.add(fc.Probe(second, name="look"))
    found = items_of(system)
    assert found["spring"]["sizes"] == {"free_length": 0.8}
    assert (found["spring"]["springs"], found["spring"]["damps"]) == (True, False)
    assert (found["damper"]["springs"], found["damper"]["damps"]) == (False, True)
    assert found["rod"]["sizes"] == {"length": 1.0}
    assert (found["jack"]["type"], found["jack"]["motion"]) == ("driver", "translation")
    assert found["push"]["vector"] == [0, -2, 0] and not found["push"]["follower"]
    assert found["twist"]["type"] == "torque" and found["twist"]["follower"]
    assert found["look"]["frame_j"] is None


def test_rolling():
    """What a disc rolls on, in the frame of that; its own axis in its own."""
    system = fc.System()
    coin = system.add(
        fc.RigidBody(
            1.0, (1, 2, 1), position=(0, 0, 0.1), name="coin", orientation=(0, 0, 0.5), free=True
        )
    )
    axis = coin.axes @ Y
    system.add(
        fc.RollingJoint(
            system.ground.point((0, 0, 0)), coin.center, 0.1, normal=Z, axis=axis, name="roll"
        )
    )
    found = items_of(system)["roll"]
    assert found["sizes"] == {"radius": 0.1} and found["normal"] == [0, 0, 1]
    np.testing.assert_allclose(found["axis_j"], Y, atol=1e-15)
    assert found["axis"] is None and "along" not in found


def test_solids_and_what_acts_on_them():
    system = fc.System()
    mesh = fc.meshes.block((0.1, 0.05, 0.05), (2, 1, 2))
    bar = system.add(fc.Solid(mesh, STEEL, free=True, name="bar"))
    system.add(fc.Pressure(bar.facets("x1"), 1e5, name="gas"))
    system.add(fc.Traction(bar.facets("y0"), (1, 0, 0), name="drag"))
    system.add(fc.SolidProbe(bar, name="whole"))
    guide = {"axis": X, "across": Y, "side": "upper", "gap": 0.0502}
    system.add(fc.GuideContact(system.ground, bar.facets("y1"), **guide, name="rail"))
    system.add(GuideFilm(system.ground, bar.facets("y1"), **guide, lubricant=0.04, name="oil"))
    system.add(
        fc.GuideProbe(
            system.ground,
            {"tip": ("upper", bar.at((0.05, 0.025, 0.025)))},
            X,
            Y,
            gap=0.0502,
            name="watch",
        )
    )
    scene = scene_of(system)
    check(scene)
    items = {i["name"]: i for i in scene["items"]}
    kinds = {n: i["type"] for n, i in items.items()}
    assert kinds == {
        "gas": "pressure",
        "drag": "traction",
        "whole": "solid_probe",
        "rail": "contact_guide",
        "oil": "film_guide",
        "watch": "guide_probe",
    }
    assert items["gas"]["solid"] == "bar" and items["gas"]["facets"] == "x1"
    assert items["gas"]["center"] == pytest.approx((0.05, 0, 0))
    assert items["rail"]["across"] == [0, 1, 0] and items["rail"]["side"] == "upper"
    assert items["watch"]["points"] == ["tip"]
    (film,) = items["oil"]["films"]
    assert film["series"] == "oil" and np.linalg.det(film["axes"]) == pytest.approx(1)


def test_beams_and_what_acts_on_them():
    system = fc.System(gravity=(0, 0, -9.81))
    beam = system.add(
        fc.Beam(
            (0, 0, 0),
            (1, 0, 0),
            fc.Tube(0.02, 0.015),
            STEEL,
            2,
            model="cable",
            name="pipe",
            free=True,
        )
    )
    ring = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(0.3, 0, 0), name="ring"))
    system.add(fc.SlidingJoint(beam, ring.center, name="slide"))
    system.add(fc.LineLoad(beam, (0, 0, -1), span=(0.2, 0.6), name="snow"))
    system.add(fc.SectionForces(beam, 0.5, name="middle"))
    scene = scene_of(system)
    check(scene)
    items = {i["name"]: i for i in scene["items"]}
    section = next(b for b in scene["bodies"] if b["name"] == "pipe")["section"]
    assert section["type"] == "tube"
    for name, radius in (("outline", 0.02), ("inner", 0.015)):
        np.testing.assert_allclose(np.linalg.norm(section[name], axis=1), radius)
    assert items["slide"]["beam"] == "pipe" and items["snow"]["beam"] == "pipe"
    assert items["snow"]["sizes"] == {"start": 0.2, "end": 0.6}
    assert items["snow"]["vectors"] == 13 * [[0, 0, -1]] and items["snow"]["steady"]
    pipe = next(b for b in scene["bodies"] if b["name"] == "pipe")
    assert pipe["stations"] == [0, 0.25, 0.5, 0.75, 1]
    assert scene["up"] == [0, 0, 1]


def test_shaped_guides():
    """Heights of the surface beyond half of the gap, as the surface has them."""
    system, first, second = two_bodies()
    surfaces = (fc.guides.Sinusoidal(1e-4, 0.2), fc.guides.Plane())
    system.add(
        fc.TranslationalClearance(
            first.center,
            second.center,
            **PADS,
            surfaces=surfaces,
            normal=fc.ExactRestitution(restitution=0.4),
            name="guide",
        )
    )
    found = items_of(system)["guide"]["surfaces"]
    assert list(found) == ["upper"]
    x, height = np.array(found["upper"]).T
    np.testing.assert_allclose(height, 1e-4 * np.cos(2 * np.pi * x / 0.2), atol=1e-18)


def test_portraits_of_bodies_and_items_are_told_apart():
    body = fc.RigidBody(1.0, (1, 1, 1), name="body")
    assert isinstance(body.portrait(), BodyPortrait)
    joint = fc.SphericalJoint(body.center, fc.System().ground, name="joint")
    more = joint.portrait().more({"radius": 1.0}, {"colour": "red"})
    assert isinstance(more, Portrait) and more.sizes == {"radius": 1.0}
    assert more.data == {"colour": "red"} and joint.portrait().sizes == {}


def test_the_page_knows_every_word():
    """Types of items that this file makes, and their sizes, are explained in the documentation."""
    page = (Path(__file__).parents[2] / "docs" / "recording.md").read_text()
    kinds = {
        *PAIRS, "spring", "distance", "force", "torque", "probe", "rolling", "gear_pair",
        "pressure", "traction", "solid_probe", "contact_guide", "film_guide", "guide_probe",
        "sliding", "line_load", "section_forces", "attachment", "drive", "film_probe", "point_mass",
    }  # fmt: skip
    assert not [kind for kind in kinds if f"`{kind}`" not in page]
    for make in PAIRS.values():
        system, first, second = two_bodies()
        portrait = system.add(make(first, second)).portrait()
        assert not [n for n in (*portrait.sizes, *portrait.data) if f"`{n}`" not in page]
