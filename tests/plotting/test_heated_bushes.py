"""Figures of heated bushes: what is drawn in a plane across the axis."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import (
    Adiabatic,
    Bearing,
    Conducting,
    Convection,
    Exponential,
    Film,
    Lubricant,
    Place,
    Reynolds,
    cylinder,
)
from fem_clearance.lubrication.film.heated import HeatedState
from fem_clearance.plotting import films, heated_bushes

PVD = """<?xml version="1.0"?>
<VTKFile type="Collection" version="0.1" byte_order="LittleEndian"><Collection>
<DataSet timestep="0.0" file="film.vtu"/></Collection></VTKFile>
"""


@pytest.mark.parametrize("degree", [1, 2])
def test_section(degree):
    """A field linear in x, y and z is itself in each plane, and the area is that of the ring of
    chords; in the middle between two layers of cells, and at an end."""
    mesh = fc.meshes.hollow_cylinder(0.1, 0.2, 0.3, (24, 2, 2), degree=degree)
    x = mesh.points
    field = 300.0 + x @ (10.0, 20.0, 30.0)
    stress = np.zeros((len(x), 3, 3))
    stress[:, 0, 0] = 1e6 * (2 + x[:, 0])  # of one axis: von Mises' is its size
    state = HeatedState(x, mesh.cells, field, np.zeros_like(x), stress)
    low, high = x[:, 2].min(), x[:, 2].max()
    for z in (None, low, high, low + 0.1):
        at = (low + high) / 2 if z is None else z
        points, triangles, (T, size) = heated_bushes._cut(state, z, [field, state.von_mises])
        np.testing.assert_allclose(T, 300 + points @ (10.0, 20.0) + 30 * at, atol=1e-4)
        np.testing.assert_allclose(size, 1e6 * (2 + points[:, 0]), rtol=1e-5)
        a, b, c = points[triangles].transpose(1, 2, 0)
        area = np.abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]).sum() / 2
        assert area == pytest.approx(np.pi * (0.2**2 - 0.1**2), rel=0.02)


@pytest.mark.parametrize("expands", [False, True])
def test_figure(expands, tmp_path):
    mesh = fc.meshes.hollow_cylinder(0.1, 0.2, 0.3, (12, 2, 2), degree=2)
    x = mesh.points
    stress = np.ones((len(x), 3, 3)) * x[:, :1, None] if expands else None
    state = HeatedState(x, mesh.cells, 300 + x[:, 0], np.zeros_like(x) if expands else None, stress)
    figure = heated_bushes.section(state)
    labels = [ax.get_ylabel() for ax in figure.axes]
    assert labels.count("y [m]") == 1 + expands
    assert any(z.startswith("temperature") for z in labels)
    assert any(z.startswith("von Mises") for z in labels) == expands
    figure.savefig(tmp_path / "a.png")


@pytest.mark.parametrize(
    ("thermal", "shown"),
    [
        (Adiabatic(320.0), ["temperature"]),
        (Conducting(320.0, bush=310.0), ["temperature"]),
        (
            Conducting(320.0, bush=Convection(2000.0, 310.0)),
            ["oil temperature", "bush temperature"],
        ),
    ],
    ids=["adiabatic", "given", "convection"],
)
def test_temperatures_on_the_bore(thermal, shown, tmp_path):
    """Of oil and bush beside the pressure, as solved and as read from a file."""
    R, C = 15e-3, 5e-5
    oil = Lubricant(0.04, temperature=Exponential(0.03), reference_temperature=320.0)
    film = Film(cylinder(R, R, (12, 4)), C, oil, Reynolds(), sliding_speed=300 * R,
                thermal=thermal)  # fmt: skip
    state = Bearing(film).solve(Place(e=(0.3 * C, -0.5 * C, 0), Omega=(0, 0, 300.0)))
    fields = tmp_path / "fields"
    fields.mkdir()
    (fields / "film.vtu").write_text(films.vtk(film, state))
    (fields / "film.pvd").write_text(PVD)
    read = films.read(tmp_path)
    for picture in (films.pictured(film, state), read):
        labels = [ax.get_ylabel() for ax in films.unfolded(picture).axes]
        assert [z[:-4] for z in labels if z.endswith("[K]")] == shown
    if len(shown) > 1:
        np.testing.assert_allclose(read.bore, state.warm.bush)
        assert np.ptp(read.bore) > 0.1
