"""Pictures of solids: what is drawn, against geometry; files and messages."""

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.bodies.solids.condensed import CondensedSolid
from fem_clearance.fields.writer import FieldWriter
from fem_clearance.io import folder
from fem_clearance.plotting import solids
from fem_clearance.plotting.offscreen import opengl_works
from fem_clearance.plotting.solid_series import QUANTITIES, Body, deformation, others

needs_opengl = pytest.mark.usefixtures("opengl")
STEEL = {"E": 2.07e11, "nu": 0.3, "rho": 7800}
BORE, RIM, LENGTH = 0.015, 0.025, 0.03


@pytest.fixture(scope="module")
def opengl():
    if not opengl_works():
        pytest.skip("no OpenGL here")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A plane cantilever with a load at its tip that grows, and a rigid box that flies by."""
    path = tmp_path_factory.mktemp("solids") / "run"
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.block((0.4, 0.1), (4, 1), center=(0.2, 0, 0), degree=2)
    bar = system.add(
        fc.Solid(
            mesh,
            fc.StVenantKirchhoff(E=1e7, nu=0.3, rho=1000),
            name="bar",
            clamped=["x0"],
            state="plane_stress",
            thickness=0.1,
        )  # fmt: skip
    )
    system.add(fc.Traction(bar.facets("x1"), (0, -1e6, 0), fc.functions.Linear(1.0), name="load"))
    system.add(
        fc.RigidBody(
            shape=fc.shapes.Box(0.1, 0.1, 0.1),
            density=1000,
            position=(0, 0.5, 0),
            velocity=(1, 0, 0),
            name="box",
            free=True,
        )  # fmt: skip
    )
    fc.Simulation(
        system, dt=1e-3, t_end=0.01, output=path, fields_every=0.002, progress=False
    ).run()
    return path


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """A ring under pressure, condensed to its bore: one file."""
    path = tmp_path_factory.mktemp("ring")
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.hollow_cylinder(BORE, RIM, LENGTH, (16, 2, 1), degree=2)
    liner = system.add(
        CondensedSolid(
            mesh,
            fc.LinearElastic(**STEEL),
            clamped="rim",
            facets="bore",
            responses=6,
            direction="normal",
            name="liner",
        )  # fmt: skip
    )
    system.add(fc.Pressure(liner.facets("bore"), 1e6, name="oil"))
    fc.Statics(system).solve()
    (path / folder.FIELDS).mkdir()
    FieldWriter(system, path / folder.FIELDS, 1).record(0.0)
    return path


def colors(path) -> int:
    return len(np.unique(np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3), axis=0))


def test_what_is_up(run, tmp_path):
    """From the front, right and above, with y or z up; against gravity, as the run has it."""
    view, axes = solids.directions((0, 1, 0), plane=False)
    np.testing.assert_allclose(view, np.array((1, 0.8, 1.6)) / np.linalg.norm((1, 0.8, 1.6)))
    assert axes[0] @ (1, 0, 0) > 0.8 and axes[1] @ (0, 1, 0) > 0.9
    turn = np.array([(1, 0, 0), (0, 0, -1), (0, 1, 0)])  # y to z, z to -y
    for mine, other in zip(solids.directions((0, 0, 1), plane=False), (view, axes), strict=True):
        np.testing.assert_allclose(mine, other @ turn.T, atol=1e-15)
    np.testing.assert_allclose(solids.directions((0, 1, 0), True)[1], [(1, 0, 0), (0, 1, 0)])
    above = solids.directions((0, 1, 0), False, (0, 1, 0))[1]  # z points down, as on a table
    np.testing.assert_allclose(above, [(1, 0, 0), (0, 0, -1)], atol=1e-15)
    (tmp_path / folder.SCENE).write_text('{"up": [0, 0, 1]}')
    assert list(solids.upward(tmp_path)) == [0, 0, 1]
    assert solids.upward(run) == solids.upward(run / "nowhere") == (0.0, 1.0, 0.0)  # no gravity


def test_what_there_is(run):
    assert solids.names(run) == ["bar"]
    times = [t for t, _ in solids.series(run, "bar")]
    assert times == pytest.approx(np.arange(6) * 0.002)
    t, value = solids.largest(run, "bar")
    assert t == times[-1] and value > 1e3  # the load grows


def test_surface_of_curved_cells(ring):
    """Areas of the drawn facets (two rings, bore and rim) and lengths of their edges; volume of
    the half behind a cut, whose arcs are polygons of 32 sides."""
    body = Body(ring, "liner", QUANTITIES["von_mises"])
    x, values = body.at(0)
    surface, lines = body.surface(x, values)
    area = 2 * np.pi * ((RIM**2 - BORE**2) + (RIM + BORE) * LENGTH)
    assert surface.area == pytest.approx(area, rel=1e-3)
    assert not body.plane and body.degree == 2
    # each of the facets' edges once for each of its two facets
    rings = 2 * 2 * np.pi * (BORE + (BORE + RIM) / 2 + RIM)  # at both ends
    across = 2 * 16 * (RIM - BORE)
    along = 2 * 16 * LENGTH
    length = lines.compute_cell_sizes(area=False, volume=False)["Length"].sum()
    assert length == pytest.approx(2 * (rings + across + along), rel=2e-3)
    half, edges = body.cut(x, values, np.array([0.0, 0.0, 1.0]))
    polygon = 32 / 2 * np.sin(2 * np.pi / 32)
    volume = polygon * (RIM**2 - BORE**2) * LENGTH / 2
    assert half.triangulate().volume == pytest.approx(volume, rel=1e-4)
    assert edges.bounds[5] == pytest.approx(half.bounds[5], abs=1e-9)
    assert half["shown"].max() <= values.max() * (1 + 1e-9)


def test_exaggerated_displacement(run):
    plain, large = (Body(run, "bar", QUANTITIES["displacement"], f) for f in (1.0, 3.0))
    (x, u), (y, v) = plain.at(5), large.at(5)
    start = plain.at(0)[0]
    np.testing.assert_allclose(y - start, 3 * (x - start), atol=1e-12)
    np.testing.assert_allclose(u, 1e3 * np.linalg.norm(x - start, axis=1), atol=1e-9)
    assert (v == u).all()


@pytest.mark.parametrize("flat", [False, True])
def test_deformation_without_rigid_motion(flat):
    """Corners of a cube or a square, x = c + R U X: by polar decomposition R is what fits best
    (their second moments are isotropic), so U X - X is left."""
    X = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], float)
    U = np.array([[1.1, 0.05, 0.02], [0.05, 0.9, -0.03], [0.02, -0.03, 1.0]])
    R = Rotation.from_rotvec((1.0, -2.0, 0.5))
    if flat:
        X, U = X[::2] * [1, 1, 0], U * np.outer([1, 1, 0], [1, 1, 0])
        R = Rotation.from_rotvec((0, 0, 2.5))
    start = X + [3, 4, 0]
    np.testing.assert_allclose(
        deformation(start, R.apply(X @ U) + [7, -2, 0]), X @ U - X, atol=1e-12
    )


def test_bodies_kept_still(run):
    """The bar's end sinks; still and drawn large its nodes move by the factor times what is left
    without the mean displacement and the mean rotation, so their mean stays."""
    body = Body(run, "bar", QUANTITIES["displacement"], 5.0, still=True)
    (x, u), start = body.at(5), body.start
    np.testing.assert_allclose(x.mean(axis=0), start.mean(axis=0), atol=1e-12)
    plain = Body(run, "bar", QUANTITIES["displacement"]).at(5)
    assert (u == plain[1]).all()  # the colours are those of the whole displacement
    np.testing.assert_allclose(x - start, 5 * deformation(start, plain[0]), atol=1e-12)
    look = solids.still(run, "bar")
    largest = np.abs(deformation(start, plain[0])).max()
    # a twentieth of the diagonal, to one digit
    assert look.still and 0.025 < look.exaggerate * largest / np.hypot(0.4, 0.1) <= 0.05
    assert solids.travel(run, "bar") < 0.1


def test_the_other_bodies(run):
    """The box alone, where it has flown to."""
    box = others(run, 0.01, ["bar"])
    assert box.bounds == pytest.approx([-0.04, 0.06, 0.45, 0.55, -0.05, 0.05], abs=1e-9)
    assert others(run, 0.01, ["bar", "box"]) is None


def greys(path) -> int:
    """Pixels of the grey that bodies have in a scene, lit one way or another."""
    r, g, b = np.asarray(Image.open(path).convert("RGB")).reshape(-1, 3).astype(int).T
    return int(((r == g) & (g == b) & (r > 110) & (r < 220)).sum())


@needs_opengl
def test_pictures(run, tmp_path):
    one = solids.picture(run, "bar", tmp_path / "new" / "one.png")
    assert colors(one) > 100
    width, height = Image.open(one).size
    assert width > 1.5 * height  # a plane solid is seen from the front: 0.4 m x 0.1 m
    look = solids.Appearance(
        "stress.xx", exaggerate=5, scene=True, edges=False, size=400, view=(1, 1, 1)
    )
    scene = solids.picture(run, ["bar"], tmp_path / "scene.png", look, at=[0.004, 0.01])
    assert colors(scene) > 100
    alone = solids.picture(run, ["bar"], tmp_path / "alone.png", look._replace(scene=False))
    assert greys(alone) < 0.5 * greys(scene)


@needs_opengl
def test_a_cut_body(ring, tmp_path):
    look = solids.Appearance(cut="x", size=300)
    assert colors(solids.picture(ring, "liner", tmp_path / "cut.png", look)) > 100


@needs_opengl
def test_animation(run, tmp_path):
    film = Image.open(solids.animation(run, "bar", tmp_path / "a.gif"))
    assert film.n_frames == 6
    assert film.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
    film = Image.open(
        solids.animation(run, "bar", tmp_path / "s.gif", solids.Appearance(scene=True, size=300))
    )
    # the grey box moves to the right by 2 mm from frame to frame
    places = []
    for k in range(film.n_frames):
        film.seek(k)
        pixels = np.asarray(film.convert("RGB")).astype(int)
        box = np.nonzero((np.abs(pixels - 0xB8) < 6).all(axis=2))
        places.append(np.median(box[1]))
    assert np.all(np.diff(places) >= 0)
    scale = 300 / (1.04 * 0.6)  # pixels a metre: from below the bar to the top of the box
    assert places[-1] - places[0] == pytest.approx(0.01 * scale, abs=1)
    film = Image.open(solids.animation(run, "bar", tmp_path / "b.gif", seconds=1, frames=3))
    assert film.n_frames == 3 and film.info["duration"] == pytest.approx(333, abs=10)


@needs_opengl
def test_plot_draws_them(run):
    files = [p.relative_to(run).as_posix() for p in solids.draw(run)]
    assert files == ["figures/bar_von_mises.png", "figures/bar.gif"]
    assert all((run / f).stat().st_size > 5000 for f in files)


def test_without_opengl(run, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(solids, "opengl_works", lambda: False)
    assert solids.draw(run) == [] and solids.draw(tmp_path) == []
    assert "no pictures of bar: OpenGL does not work here" in caplog.text
    assert len(caplog.records) == 1
    with pytest.raises(fc.InputError, match="open the .pvd files .* in ParaView"):
        solids.picture(run, "bar", tmp_path / "a.png")


@pytest.mark.parametrize(
    ("name", "look", "message"),
    [
        ("box", {}, r"no fields of a solid 'box' \(there are: bar\); .* output.fields_every"),
        ("fields", {}, "no fields of a solid 'fields'"),
        ("bar", {"quantity": "von_mise"}, "quantity"),
        ("bar", {"cut": "w"}, "cut"),
        ("bar", {"view": (0, 0, 0)}, "view"),
        ("bar", {"exaggerate": "much"}, "exaggerate"),
        ("bar", {"still": True, "scene": True}, "one of still and scene"),
    ],
)
def test_bad_input(run, tmp_path, name, look, message):
    with pytest.raises(fc.InputError, match=message):
        solids.picture(run, name, tmp_path / "a.png", solids.Appearance(**look))
