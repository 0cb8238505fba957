"""Films of a running system as VTK files: their pressure bears what the joint says they bear."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.fields.writer import FieldWriter
from fem_clearance.io.vtk import entries, read_vtu
from fem_clearance.lubrication import (
    CylindricalFilm,
    Film,
    Guembel,
    GuideFilm,
    Liner,
    Lubricant,
    Reynolds,
    cylinder,
)
from fem_clearance.plotting import bearings
from fem_clearance.plotting.offscreen import opengl_works

R, LENGTH, C, MU, SPEED = 0.015, 0.014, 2e-5, 0.04, 1000.0


def run(folder, lined):
    """A loaded journal, five steps; what was written last, and the channels."""
    film = Film(
        cylinder(R, LENGTH, (32, 6)), C, Lubricant(MU), sliding_speed=R * SPEED,
        cavitation=Reynolds() if lined else Guembel(),
    )  # fmt: skip
    liner = None
    if lined:
        mesh = meshes.hollow_cylinder(R, 0.025, LENGTH, (12, 2, 1))
        bronze = fc.StVenantKirchhoff(E=1e10, nu=0.3, rho=8000)
        liner = Liner(
            fc.CondensedSolid(mesh, bronze, clamped="rim", facets="bore", direction="normal",
                              responses=16)
        )  # fmt: skip
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(1.0, (1e3, 1e3, 1e3), name="journal", angular_velocity=(0, 0, SPEED),
                     position=(0.4 * C, -0.1 * C, 0))
    )  # fmt: skip
    system.add(
        CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                        liner=liner, first=(1, 0, 0), name="film")
    )  # fmt: skip
    system.add(fc.Force(journal.center, (3000.0, -900.0, 0), name="load"))
    stepper = fc.Stepper(system, dt=1e-5, t_end=1e-4)
    stepper.start()
    writer = FieldWriter(system, folder, 1)
    for _ in range(10):
        stepper.advance()
    stepper.channels.read()
    writer.record(stepper.t)
    ((t, name),) = entries(folder / "film.pvd")
    assert t == stepper.t
    return read_vtu(folder / name), stepper.channels


@pytest.mark.parametrize("lined", [False, True])
def test_written_pressure_bears_the_load(tmp_path, lined):
    """Sum of pressure times area of the cells against the film's force, which the system finds
    through velocities (4 % by the middle of cells of a 32nd of a turn); thickness against the
    channel."""
    data, channels = run(tmp_path, lined)
    x, p = data["points"], data["pressure"]
    cells = data["connectivity"].reshape(-1, 4)
    assert p.min() > -1e-12 * p.max() and p.max() > 0
    middle = x[cells].mean(axis=1)
    normal = middle[:, :2] / np.linalg.norm(middle[:, :2], axis=1, keepdims=True)
    area = 2 * np.pi * R * LENGTH / len(cells)
    force = -(p[cells].mean(axis=1)[:, None] * normal).sum(axis=0) * area
    own = np.array([channels["film.force.x"], channels["film.force.y"]])
    assert np.linalg.norm(own) > 100
    assert np.linalg.norm(force - own) < 0.04 * np.linalg.norm(own)
    e = data["eccentricity"].ravel()
    assert e == pytest.approx([channels[f"film.e{n}"] for n in "xyz"], abs=1e-15)
    along = (x[:, :2] @ e[:2]) / R
    # thickness of a rigid bearing, (23) in the paper, and what the liner adds
    assert data["film_thickness"] == pytest.approx(C - along + data["deformation"], abs=1e-12)
    assert (data["deformation"].max() > 1e-3 * C) == lined
    if lined:
        assert data["film_thickness"].min() == pytest.approx(channels["film.min_film"], rel=1e-9)


@pytest.mark.parametrize("solid", [False, True])
def test_film_on_a_guide(tmp_path, solid):
    """A pressed block on a guide: places in the guide's axes, thickness as the block stands, the
    integral of the written pressure by trapezoids is the channel's force; and it is drawn."""
    mesh = (
        meshes.block((0.1, 0.05, 0.04), (8, 2, 4)) if solid else meshes.block((0.1, 0.05), (8, 2))
    )
    system = fc.System(gravity=(0, 0, 0))
    width = {} if solid else {"state": "plane_strain", "thickness": 0.04}
    steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800.0)
    block = system.add(fc.Solid(mesh, steel, degree=mesh.degree, free=True, name="block", **width))
    system.add(fc.Pressure(block.facets("y1"), 1e5, follower=False))
    system.add(
        GuideFilm(system.ground.point((0, 0.01, 0)), block.facets("y0"), (1, 0, 0), (0, 1, 0),
                  side="lower", gap=0.07 + 8e-5, lubricant=MU, cavitation=Reynolds(), name="oil")
    )  # fmt: skip
    results = fc.Simulation(
        system, dt=2e-5, t_end=2e-4, output=tmp_path, fields_every=5, progress=False
    ).run()
    *_, (t, name) = entries(tmp_path / "fields" / "oil.pvd")
    assert t == pytest.approx(2e-4)
    data = read_vtu(tmp_path / "fields" / name)
    x, p, h = data["points"], data["pressure"].ravel(), data["film_thickness"].ravel()
    assert h == pytest.approx(x[:, 2] + 0.035 + 4e-5, abs=1e-15)  # third axis: across
    cells = data["connectivity"].reshape(len(data["offsets"]), -1)
    assert len(cells) == (32 if solid else 8)
    least = h[cells].mean(axis=1).min()
    assert least == pytest.approx(results["oil.min_film"][-1], rel=1e-6)
    force = p[cells].mean(axis=1).sum() * 0.1 * 0.04 / len(cells)
    assert force == pytest.approx(results["oil.normal_force"][-1], rel=1e-3)
    scene = results.scene()
    (film,) = [part for part in scene.parts if part.kind == "film"]
    drawn = film.at(len(scene.mechanism.motion.time) - 1)
    assert np.ptp(drawn.points[:, 0]) == pytest.approx(0.1, rel=1e-4)
    unit = 1e-6 if "MPa" in film.paint.label else 1e-3
    assert drawn["pressure"].max() == pytest.approx(unit * p.max(), rel=1e-9)


@pytest.mark.skipif(not opengl_works(), reason="no OpenGL")
def test_picture(tmp_path):
    """One column a film, stress below where there are liners."""
    (tmp_path / "fields").mkdir()
    run(tmp_path / "fields", True)
    figure = bearings.figure(tmp_path, ["film"])
    labels = [ax.get_xlabel() for ax in figure.axes]
    assert [w for w in labels if w] == ["pressure [MPa]", "von Mises stress [MPa]"]
    shown = [ax.images[0].get_array() for ax in figure.axes if ax.images]
    assert len(shown) == 2 and all(np.ptp(z) > 100 for z in shown)
    with pytest.raises(fc.InputError, match="holds no films"):
        bearings.saved(tmp_path, "other")
