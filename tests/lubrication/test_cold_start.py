"""Films found from nothing: iterations that do not grow with the mesh."""

import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.convergence import ConvergenceCriterion
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Film,
    FlatGap,
    Liner,
    Lubricant,
    Place,
    Reynolds,
    SphereGap,
    cap,
    cylinder,
    pad,
    plain_bearing,
    sphere,
)
from fem_clearance.lubrication.bearings.start import prolongation

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
MESHES = [(48, 8), (96, 16), (192, 32), (384, 32)]


def bearing(cells, law, start=True, crowd=0.8):
    return Bearing(
        plain_bearing(R, 2 * R, C, MU, sliding_speed=R * SPEED, cells=cells, crowd=crowd,
                      cavitation=law,
                      starts_at_largest_gap=start)
    )  # fmt: skip


def at(ratio):
    return Place(e=(ratio * C, 0, 0), Omega=(0, 0, SPEED))


def on_all_meshes(film):
    """Iterations of a bearing and of those on coarser meshes."""
    counts = []
    while film is not None:
        counts.append(film.newton.iterations)
        film = film.coarser
    return counts


@pytest.mark.parametrize("start", [True, False])
def test_a_fine_mesh(start):
    """384x32 cells: at most 15 iterations (measured: 4), and as few on each of the coarser ones."""
    film = bearing((384, 32), Reynolds(), start)
    found = film.solve(at(0.6))
    assert found.iterations <= 15
    assert max(on_all_meshes(film)[:-1]) <= 15
    assert found.pressure.min() >= -1e-10 * found.pressure.max()


def lined(stiffness):
    """The liner of docs/ehd.md."""
    mesh = fc.meshes.hollow_cylinder(R, 25e-3, 14e-3, (24, 4, 2))
    law = fc.StVenantKirchhoff(E=stiffness, nu=0.3, rho=8800)
    return Liner(
        fc.CondensedSolid(mesh, law, clamped="rim", facets="bore", direction="normal",
                          responses=80)
    )  # fmt: skip


def on(liner, cells, law, start=True):
    film = plain_bearing(R, 14e-3, 2e-5, MU, sliding_speed=R * 1e3, cells=cells, crowd=0.8,
                         cavitation=law, starts_at_largest_gap=start)  # fmt: skip
    return Bearing(film, liner)


def deep(ratio):
    return Place(e=(ratio * 2e-5, 0, 0), Omega=(0, 0, 1e3))


@pytest.mark.parametrize("law", [Reynolds(), JFO()])
@pytest.mark.parametrize(("stiffness", "ratio"), [(130e9, 0.6), (1e9, 1.2)])
def test_on_a_liner(law, stiffness, ratio, monkeypatch):
    """The same film as from nothing on its own mesh, in fewer iterations; the responses are
    found once for all meshes."""
    liner, condense, times = lined(stiffness), fc.CondensedSolid._condense, []
    monkeypatch.setattr(
        fc.CondensedSolid, "_condense", lambda solid: times.append(solid) or condense(solid)
    )
    first, alone = on(liner, (96, 8), law), on(liner, (96, 8), law)
    alone.coarser = None
    cold, nothing = first.solve(deep(ratio)), alone.solve(deep(ratio))
    assert max(on_all_meshes(first)[:-1]) <= 15
    assert cold.iterations < nothing.iterations
    size = cold.pressure.max()
    np.testing.assert_allclose(cold.pressure, nothing.pressure, atol=1e-8 * size)
    np.testing.assert_allclose(cold.deformation, nothing.deformation, atol=1e-8 * 2e-5)
    assert len(times) == 1


@pytest.mark.slow
@pytest.mark.parametrize("law", [Reynolds(), JFO()])
def test_iterations_on_a_liner(law):
    """The table of docs/ehd.md: at most 15 on 384x32 cells too, on a hard liner and on one that
    yields by more than the clearance."""
    for stiffness, ratios in ((130e9, (0.1, 0.6, 0.9)), (1e9, (0.6, 1.2))):
        liner = lined(stiffness)
        for cells in ((48, 4), (96, 8), (192, 16), (384, 32)):
            for ratio in ratios:
                found = on(liner, cells, law).solve(deep(ratio))
                assert found.iterations <= 15, (stiffness, cells, ratio)


@pytest.mark.slow
@pytest.mark.parametrize("law", [Reynolds(), JFO()])
def test_iterations_over_meshes(law):
    """The table of docs/films.md."""
    for cells in MESHES:
        for eps in (0.1, 0.3, 0.6, 0.9, 0.95):
            found = bearing(cells, law).solve(at(eps))
            assert found.iterations <= 15, (cells, eps)


@pytest.mark.parametrize("law", [Reynolds(), JFO()])
def test_the_same_film_from_anywhere(law):
    """From the coarser meshes, from nothing, and after another place whose film ends elsewhere."""
    first = bearing((96, 16), law)
    cold = first.solve(at(0.6))
    first.solve(at(0.05))
    first.solve(at(0.95))
    again = first.solve(at(0.6))
    alone = bearing((96, 16), law)
    alone.coarser = None
    nothing = alone.solve(at(0.6))
    for other in (again, nothing):
        np.testing.assert_allclose(other.pressure, cold.pressure, atol=1e-8 * cold.pressure.max())
    assert nothing.iterations > cold.iterations
    assert again.iterations <= 15


@pytest.mark.parametrize(
    "surface",
    [
        cylinder(R, R, (16, 4), crowd=0.8), cylinder(R, R, (32, 3)), cylinder(R, R, (16, 4), arc=2),
        pad(2e-3, 1e-3, (8, 4)), sphere(R, 4), cap(R, 1.2, (4, 4), crowd=0.5),
    ],
)  # fmt: skip
def test_prolongation(surface):
    """Keeps the nodes of the coarser mesh, and constants; between them bilinear in the lattice."""
    coarse, P = surface.coarser, prolongation(surface)
    assert P.shape == (len(surface.nodes), len(coarse.nodes))
    np.testing.assert_allclose(P @ np.ones(len(coarse.nodes)), 1.0, rtol=1e-14)
    assert P.min() >= 0
    np.testing.assert_allclose(P @ coarse.nodes, surface.nodes, atol=0.3 * R)
    same = np.flatnonzero(np.diff(P.indptr) == 1)
    np.testing.assert_allclose((P @ coarse.nodes)[same], surface.nodes[same], atol=1e-9 * R)
    assert len(same) == len(coarse.nodes)
    for name, nodes in coarse.sets.items():  # sets are the same places
        inside = P @ np.isin(np.arange(len(coarse.nodes)), nodes).astype(float)
        assert np.all(inside[surface.sets[name]] > 1 - 1e-12), name


def test_sets_that_a_coarser_mesh_has_not():
    surface = cylinder(R, 2 * R, (16, 4))
    assert surface.coarser.coarser is None  # 4 cells round and 1 along would be too few
    shared = np.unique(prolongation(surface).argmax(axis=0))
    line = surface.nodes[np.setdiff1d(np.arange(len(surface.nodes)), shared)[0]]
    marked = surface.marked(hole=lambda x: np.linalg.norm(x - line, axis=1) < 1e-9)
    assert marked.coarser is None
    assert marked.marked(more=lambda x: x[:, 0] > 0).coarser is None


def test_other_films():
    """A pad and a socket start on coarser meshes too."""
    flat = Film(pad(0.02, 0.02, (32, 16)), 1e-4, Lubricant(MU), Reynolds(),
                dict.fromkeys(("x0", "x1", "y0", "y1"), 0.0), gap=FlatGap(),
                sliding_speed=1.0)  # fmt: skip
    ball = Film(cap(R, 1.2, (8, 8)), C, Lubricant(MU), Reynolds(), {"rim": 0.0}, gap=SphereGap(),
                sliding_speed=1.0)  # fmt: skip
    for film, place in (
        (flat, Place(t=(2e-3, 0), V=(1.0, 0.2, 0))),
        (ball, Place(e=(0.2 * C, 0.1 * C, 0.5 * C), V=(0.1, 0, 0.05), Omega=(10.0, 50.0, 0))),
    ):
        cold, alone = Bearing(film), Bearing(film)
        alone.coarser = None
        one, other = cold.solve(place), alone.solve(place)
        assert one.iterations <= other.iterations + 1
        np.testing.assert_allclose(one.pressure, other.pressure, atol=1e-8 * one.pressure.max())


def test_a_failure_names_a_remedy(monkeypatch):
    monkeypatch.setattr(Bearing, "tries", lambda *_: False)
    for cells, remedy in (((24, 4), "a wider gap or a lower speed"), ((15, 3), "even numbers")):
        with pytest.raises(fc.StepFailed, match=f"no pressure found.*{remedy}"):
            bearing(cells, Reynolds(), False).solve(at(0.5))
    # where the film has no finite numbers: what it means, and one remedy, that of a bearing
    monkeypatch.setattr(ConvergenceCriterion, "worst", lambda *_: (np.nan, 0))
    with pytest.raises(fc.StepFailed, match="the surfaces touch.*laws.; solve for a") as found:
        bearing((24, 4), Reynolds(), False).solve(at(0.5))
    assert "dry contact" not in str(found.value) and len(str(found.value)) <= 400


def test_forms_are_announced_once(caplog):
    """Not again for each of the coarser meshes."""
    with caplog.at_level(logging.INFO):
        bearing((48, 8), Reynolds()).solve(at(0.5))
    assert sum("preparing the forms" in r.getMessage() for r in caplog.records) <= 1
