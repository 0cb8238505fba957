"""Surfaces of frames: what they are given, what they say at the start, one of a user's own."""

from dataclasses import dataclass, field

from mpi4py import MPI

import numpy as np
import pytest
import ufl

import fem_clearance as fc
from fem_clearance import meshes

from ..scenes import check, scene_of

STEEL = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
R = 0.01


def ring(system, **options):
    mesh = meshes.hollow_cylinder(R, 2 * R, 1.0, (16, 1), degree=2)
    clamped = {"state": "plane_strain", "clamped": "rim", "name": "ring"}
    return system.add(fc.Solid(mesh, STEEL, **clamped | options))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda f: fc.CylinderSurface(f, radius=0.0), "radius must be positive"),
        (lambda f: fc.CylinderSurface(f, radius=1.0, side="out"), "side must be one of"),
        (lambda f: fc.SphereSurface("pin", radius=1.0), "must be a frame or a body"),
        (lambda f: fc.PlaneSurface(f, axis=(0, 0, 0)), "axis must not be the zero vector"),
        (lambda f: fc.PlaneSurface(f, first=(0, 0, 2)), "first must not be parallel to the axis"),
        (lambda f: fc.TorusSurface(f, radius=2.0, ring_radius=1.0), "must be larger than"),
        (lambda f: fc.ProfileSurface(f, radii=[1.0] * 7), "at least 8 finite numbers"),
        (lambda f: fc.ProfileSurface(f, radii=[-1.0] * 9), "must be positive"),
        (
            lambda f: fc.ProfileSurface(f, radii=[1.0] * 9, pieces=9),
            "pieces must be an even number",
        ),
        (lambda f: fc.ProfileSurface(f, radii=[1.0] * 9, pieces=80), "8 to 64 pieces"),
        (
            lambda f: fc.RevolvedSurface(f, radii=[1.0] * 9, start=1, end=0),
            "end must be greater than",
        ),
        (lambda f: fc.RevolvedSurface(f, radii=[1.0] * 99, start=0, end=1), "8 to 64 pieces"),
    ],
)
def test_bad_surfaces(make, message):
    system = fc.System()
    with pytest.raises(fc.InputError, match=message):
        make(system.ground)


def test_bad_contacts():
    system = fc.System()
    bore = ring(system).facets("bore")
    pin = fc.CylinderSurface(system.ground, radius=R)
    for facets, surface, message in (
        (pin, bore, "needs a set of facets"),
        (bore, fc.guides.Plane(), "surface must be a surface on a frame"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SurfaceContact(facets, surface)
    with pytest.raises(fc.InputError, match="frame must be a frame or a body"):
        fc.PlaneSurface(bore)


@pytest.mark.parametrize(
    "radius, side, said",
    [(R - 1e-5, "outside", ""), (R + 2e-4, "outside", "overlap the surface at the start by up to"),
     (0.9 * R, "inside", "check side= of the surface")],
)  # fmt: skip
def test_overlap_at_the_start_is_said(radius, side, said, caplog):
    system = fc.System()
    body = ring(system)
    surface = fc.CylinderSurface(system.ground, radius=radius, side=side)
    system.add(fc.SurfaceContact(body.facets("bore"), surface, name="c"))
    system.assemble()
    overlaps = [r.message for r in caplog.records if "overlap" in r.message]
    assert (said in overlaps[0]) if said else not overlaps


def test_surfaces_that_lean_in_a_plane_model():
    """What would never push back in the plane is refused; what cuts the plane at right angles is
    not, whatever its class."""
    system = fc.System()
    bore, frame = ring(system).facets("bore"), system.ground
    away = frame.point((0, 0, 0.001))
    for surface in (
        fc.PlaneSurface(frame), fc.PlaneSurface(frame, axis=(0, 1, 0.1)),
        fc.CylinderSurface(frame, radius=R, axis=(0, 1, 1)), fc.SphereSurface(away, radius=R),
        fc.RevolvedSurface(frame, radii=lambda z: 0.9 * R + 0.1 * z, start=-R, end=R),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match="points out of the plane of ring. Give a Plane"):
            system.add(fc.SurfaceContact(bore, surface))
    for surface in (
        fc.PlaneSurface(frame.point((0, R, 0)), axis=(0.1, -1, 0)),
        fc.SphereSurface(frame, radius=0.9 * R), fc.ProfileSurface(frame, radii=[0.9 * R] * 12),
        fc.CylinderSurface(away, radius=0.9 * R),
        fc.TorusSurface(frame, radius=0.1 * R, ring_radius=0.5 * R),
    ):  # fmt: skip
        system.add(fc.SurfaceContact(bore, surface))


def test_clamped_facets_are_said(caplog):
    system = fc.System()
    body, pin = ring(system), fc.CylinderSurface(system.ground, radius=0.9 * R)
    system.add(fc.SurfaceContact(body.facets("bore"), pin))
    assert "clamped" not in caplog.text
    system.add(fc.SurfaceContact(body.facets("rim"), pin, name="c"))
    assert "c: all nodes of the facets 'rim' are clamped" in caplog.text


def test_gaps_in_numpy_are_those_of_the_forms():
    """Checks at the start read the same surface: round bores by four classes."""
    system = fc.System()
    points = np.array([[0.02, 0.01, -0.3], [-0.03, 0.015, 0.4], [0.01, -0.02, 0.05]])
    wanted = np.hypot(points[:, 0], points[:, 1]) - R
    for surface in (
        fc.CylinderSurface(system.ground, radius=R),
        fc.ProfileSurface(system.ground, radii=[R] * 12),
        fc.RevolvedSurface(system.ground, radii=[R] * 12, start=-0.1, end=0.1),
    ):
        assert surface.gap_at(points) == pytest.approx(wanted, rel=1e-12)
    cone = fc.RevolvedSurface(system.ground, radii=lambda z: R + 0.1 * z, start=-0.05, end=0.05)
    assert cone.gap_at(points) == pytest.approx(wanted - 0.1 * points[:, 2], rel=1e-12)


def test_coarse_profiles_say_so(caplog):
    angles = 2 * np.pi / 360 * np.arange(360)
    system = fc.System()
    fc.ProfileSurface(system.ground, radii=R + 1e-4 * np.cos(angles), pieces=24)
    assert not caplog.records
    fc.ProfileSurface(system.ground, radii=R + 1e-4 * np.cos(20 * angles), pieces=24)
    assert "give more pieces" in caplog.text


@dataclass(frozen=True)
class Groove(fc.FrameSurface):
    """A trough along the third axis, that of the documentation."""

    depth: float = field(kw_only=True)
    width: float = field(kw_only=True)
    parameters = ("depth", "width")

    @classmethod
    def gap(cls, s, p):
        return s[1] + p.depth * ufl.exp(-((s[0] / p.width) ** 2))


def test_a_surface_of_ones_own():
    """A stiff block in the air over the middle of a trough, 1 um in the plane beside it: force and
    moment by quadrature of k times the depth over the lower facets."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.block((0.1, 0.02), (40, 1), center=(0.01, 0.01 - 1e-6, 0))
    block = system.add(fc.Solid(mesh, STEEL, state="plane_strain", clamped="y1", name="block"))
    surface = Groove(system.ground, depth=2e-6, width=0.02, first=(1, 0, 0))
    k = 1e12
    contact = fc.SurfaceContact(block.facets("y0"), surface, law=fc.Winkler(k), name="c")
    system.add(contact)
    system.assemble()
    system.channels.read()
    x = np.linspace(-0.04, 0.06, 200001)
    depth = np.maximum(0.0, 1e-6 - 2e-6 * np.exp(-((x / 0.02) ** 2)))
    assert system.channels["c.force.y"] == pytest.approx(-k * np.trapezoid(depth, x), rel=2e-3)
    moment = -k * np.trapezoid(depth * x, x)
    assert system.channels["c.moment.z"] == pytest.approx(moment, rel=2e-3)


def test_portrait():
    system = fc.System()
    body = ring(system)
    surface = fc.TorusSurface(system.ground, radius=R / 4, ring_radius=R / 2)
    system.add(fc.SurfaceContact(body.facets("bore"), surface, name="c"))
    scene = scene_of(system)
    check(scene)
    item = next(i for i in scene["items"] if i["name"] == "c")
    assert item["type"] == "contact_surface" and item["surface"] == "TorusSurface"
    assert item["sizes"] == {"radius": R / 4, "ring_radius": R / 2} and item["solid"] == "ring"


@pytest.mark.parametrize("law", [fc.Winkler(1e15), fc.Hard()])
def test_condensed_solids_touch_alike(law):
    """An oval pin in a bore: force, area and moment on the whole ring and on the condensed one, to
    the strain, 2e-4."""
    found = []
    for make, more in ((fc.Solid, {}), (fc.CondensedSolid, {"facets": "bore"})):
        system = fc.System(gravity=(0, 0, 0))
        mesh = meshes.hollow_cylinder(R, 2 * R, 1.0, (24, 2), degree=2)
        plane = {"state": "plane_strain", "clamped": "rim", "name": "ring"}
        body = system.add(make(mesh, fc.LinearElastic(2e11, 0.3, 7800.0), **plane, **more))
        surface = fc.ProfileSurface(
            system.ground, radii=lambda a: R + 2e-6 * np.cos(2 * a) + 1e-6 * np.cos(3 * a + 1)
        )
        system.add(fc.SurfaceContact(body.facets("bore"), surface, law=law, name="c"))
        results = fc.Statics(system, steps=2).solve()
        names = ("normal_force", "area", "force.x", "force.y")
        found.append(np.array([float(results[f"c.{n}"][-1]) for n in names]))
    assert found[0][0] > 1e5 and 0.005 < found[0][1] < 0.06
    assert found[1] == pytest.approx(found[0], rel=2e-3, abs=2e-3 * found[0][0])


@pytest.mark.mpi
@pytest.mark.parametrize("law", [fc.Winkler(1e15), fc.Hard()])
def test_ranks_agree(comm, law):
    """A press fit on all ranks and on one."""
    found = []
    for ranks in (comm, MPI.COMM_SELF):
        system = fc.System(gravity=(0, 0, 0), comm=ranks)
        body = ring(system)
        surface = fc.CylinderSurface(system.ground, radius=R + 1e-6)
        system.add(fc.SurfaceContact(body.facets("bore"), surface, law=law, name="c"))
        results = fc.Statics(system).solve()
        found.append([float(results[f"c.{n}"][-1]) for n in ("normal_force", "area", "moment.z")])
    assert found[1][0] > 1e5
    assert found[0] == pytest.approx(found[1], rel=1e-7, abs=1e-7 * found[1][0] * R)
