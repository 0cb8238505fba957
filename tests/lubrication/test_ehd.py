"""Films on elastic liners: limits, balances, the full liner against the condensed one.

The bearing (unless a test says otherwise): bore 15 mm, liner 10 mm thick with its rim fixed, width
14 mm, 130 GPa, clearance .02 mm, .04 Pa s, 1000 rad/s, film starting at the largest gap. A rigid
film then has 513 MPa at an eccentricity ratio of .9.
"""

import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.core.roles import Condensed
from fem_clearance.lubrication import (
    JFO,
    Asperities,
    Bearing,
    CylindricalFilm,
    Film,
    Liner,
    Lubricant,
    Place,
    bearing_on,
    cylinder,
    equilibrium,
    plain_bearing,
)
from fem_clearance.meshes import block, hollow_cylinder, simplices
from fem_clearance.meshes.tools import project
from fem_clearance.plotting import films, lined_films
from fem_clearance.plotting.offscreen import opengl_works
from fem_clearance.program.figures import draw

from .balances import check_tangent

R, RIM, LENGTH, C, MU, SPEED = 0.015, 0.025, 0.014, 2e-5, 0.04, 1000.0
E = 130e9


def solid(cells=(16, 3, 1), kind=fc.Solid, stiffness=E, length=LENGTH, **options):
    options = {"clamped": "rim"} | options
    if kind is fc.CondensedSolid:
        options = {"facets": "bore", "direction": "normal"} | options
    mesh = hollow_cylinder(R, RIM, length, cells)
    return Liner(kind(mesh, fc.StVenantKirchhoff(E=stiffness, nu=0.3, rho=8000), **options))


def on(liner, clearance=C, speed=SPEED, **options):
    """The film whose cells are the facets of the liner, and its bearing."""
    options = {"starts_at_largest_gap": True} | options
    film = bearing_on(liner.surface(), clearance, MU, sliding_speed=R * speed, **options)
    return Bearing(film, liner)


def rigid(liner, **options):
    film = on(liner, **options).film
    return Bearing(film)


def at(ratio, clearance=C, speed=SPEED):
    return Place(e=(ratio * clearance, 0, 0), Omega=(0, 0, speed))


def size(film):
    return float(np.hypot(*film.force[:2]))


def test_stiff_liner_is_the_rigid_film():
    """Compliance a millionth: the rigid film to .1 % (measured 1e-5)."""
    for kind in (fc.Solid, fc.CondensedSolid):
        options = {"responses": 12} if kind is fc.CondensedSolid else {}
        liner = solid((12, 3, 1), kind, 1e6 * E, **options)
        soft, hard = on(liner).solve(at(0.9)), rigid(liner).solve(at(0.9))
        np.testing.assert_allclose(soft.pressure, hard.pressure, atol=1e-3 * hard.pressure.max())
        np.testing.assert_allclose(soft.force, hard.force, atol=1e-4 * size(hard))
        scale = np.abs(hard.damping[:2, :2]).max()
        np.testing.assert_allclose(soft.damping[:2, :2], hard.damping[:2, :2], atol=1e-3 * scale)


def test_full_against_condensed():
    """The same discrete problem but for linear elasticity: loads differ by 2e-4 where strains are
    3e-4, and less the less the liner is loaded."""
    errors = []
    for speed in (1000.0, 100.0):
        full = on(solid((12, 3, 1)), speed=speed).solve(at(0.9, speed=speed))
        linear = on(solid((12, 3, 1), fc.CondensedSolid), speed=speed).solve(at(0.9, speed=speed))
        errors.append(np.linalg.norm(full.force - linear.force) / size(full))
        np.testing.assert_allclose(
            linear.pressure, full.pressure, atol=10 * errors[-1] * full.pressure.max()
        )
    assert 1e-5 < errors[0] < 1e-3
    assert errors[1] < 0.5 * errors[0]


@pytest.mark.slow
def test_film_finer_than_the_liner():
    """A film of its own on the bore of a condensed liner, nodes of the one in cells of the other:
    its pressure works on what it moves, and its load tends to that of the film on the facets."""
    liner = solid((24, 4, 1), fc.CondensedSolid, responses=60)
    facets = on(liner).solve(at(0.9))
    loads = []
    for cells in ((24, 4), (48, 8)):
        film = plain_bearing(R, LENGTH, C, MU, sliding_speed=R * SPEED, cells=cells, crowd=1e-6,
                             starts_at_largest_gap=True)  # fmt: skip
        own = Bearing(film, liner).solve(at(0.9))
        loads.append(size(own))
    # same lattice: they differ in how the displacement is read (bilinear, projected)
    assert loads[0] == pytest.approx(size(facets), rel=0.01)
    assert loads[1] == pytest.approx(loads[0], rel=0.06)  # 24 cells round are coarse


@pytest.mark.parametrize("ratio", [0.95, 1.2])
def test_soft_liner_beyond_the_clearance(ratio):
    """E = 1e9: the journal's centre may leave the undeformed clearance; a film stays everywhere."""
    bearing = on(solid(stiffness=1e9))
    film = bearing.solve(at(ratio))
    assert film.thickness.min() > 0.05 * C
    assert film.deformation.max() > (ratio - 1) * C + film.thickness.min()
    rows = bearing.state.residual()[: bearing.state.owned]
    assert np.abs(rows).max() < 1e-6 * np.abs(film.force).max()
    # straight there or along another way
    bearing.solve(at(0.5))
    again = bearing.solve(at(ratio))
    np.testing.assert_allclose(again.force, film.force, rtol=1e-7, atol=1e-6 * size(film))


def test_load_on_a_soft_liner():
    """The place that bears a load, where a rigid bearing would have far less room."""
    bearing = on(solid(stiffness=1e9), starts_at_largest_gap=False)
    load = (500.0, -200.0)
    film = equilibrium(bearing, load, SPEED)
    np.testing.assert_allclose(film.force[:2], np.negative(load), atol=1e-6 * np.hypot(*load))


def test_balance():
    """What the journal loses is what the film dissipates; through the liner the pressure's force
    reaches the rim (shear along a cylinder has no resultant across its axis)."""
    liner = solid()
    bearing = on(liner)
    place = Place((0.8 * C, 0.1 * C, 0), (1e-4, -5e-5), (0, 0, 0), (0, 0, SPEED))
    film = bearing.solve(place)
    lost = -(film.force @ place.V + film.moment @ place.Omega)
    assert film.power_loss == pytest.approx(lost, rel=1e-10)
    # the rows of the liner's clamped nodes hold the rim's reaction
    state, body = bearing.state, bearing.lined.solid
    rows = state.residual()
    numbers = body.displacement(np.arange(len(body.nodes))[:, None]).numbers
    rim = rows[state.locate(numbers)].reshape(-1, 3)[body.held].sum(axis=0)
    np.testing.assert_allclose(rim[:2], film.force[:2], atol=1e-9 * size(film))


def test_turned_bearing():
    """Liner, film and place turned about the axis by three cells: the turned answer."""
    turn = 2 * np.pi * 3 / 16
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    liner = solid()
    first = on(liner, starts_at_largest_gap=False).solve(
        Place((0.9 * C, 0, 0), (1e-4, 0), (0, 0, 0), (0, 0, SPEED))
    )
    e, t = spin @ (0.9 * C, 0, 0), spin @ (1e-4, 0, 0)
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED)
    second = Bearing(film, liner).solve(Place(tuple(e), tuple(t[:2]), (0, 0, 0), (0, 0, SPEED)))
    for name in ("force", "moment"):
        here, there = getattr(first, name), getattr(second, name)
        np.testing.assert_allclose(there, spin @ here, atol=1e-8 * np.abs(here).max())


@pytest.mark.slow
def test_conserving_film_on_a_liner():
    """JFO fed at the largest gap bears what Reynolds' condition does there, and loses nothing."""
    liner = solid((24, 4, 1))
    film = on(liner, cavitation=JFO()).solve(at(0.9))
    swift = on(liner).solve(at(0.9))
    np.testing.assert_allclose(film.force, swift.force, atol=1e-5 * size(swift))
    assert abs(sum(film.outflow.values())) < 1e-10 * max(map(abs, film.outflow.values()))
    assert film.void.max() > 0.1 * C


#: so rough that asperities touch all round
ROUGH = Asperities(roughness=4e-6, modulus=1e11, friction=0.1, slip=1.0)


@pytest.mark.parametrize(
    "own, asperities", [(False, None), (True, None), (False, ROUGH), (True, ROUGH)]
)
def test_tangent_against_differences(own, asperities):
    kind = fc.CondensedSolid if own else fc.Solid
    liner = solid((6, 2, 1), kind, **({"responses": 8} if own else {}))
    surface = cylinder(R, LENGTH, (8, 2)) if own else liner.surface()
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(fc.RigidBody(1.0, (1, 1, 1), position=(0.3 * C, 0.1 * C, 0), free=True))
    film = Film(surface, C, Lubricant(MU), sliding_speed=R * SPEED, asperities=asperities)
    system.add(CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                               liner=liner, first=(1, 0, 0), name="film"))  # fmt: skip
    state = system.state
    rng = np.random.default_rng(1)
    for b in state.problem.blocks:
        place = state.locate(b.numbers)
        place, fixed = place[place >= 0], b.fixed[place >= 0]
        name = b.name.removeprefix("film.")
        if name in ("pressure", "inflow", "V", "Omega", "force", "moment"):  # given ones too
            state.q[place] = b.role.unit * rng.uniform(0.3, 1, len(place))
        if b.name.startswith("film.liner") and not isinstance(b.role, Condensed):
            state.problem.unit[place] = 0.1 * C
            state.q[place] = np.where(fixed, 0.0, 0.1 * C * rng.standard_normal(len(place)))
    state.q_n[:] = 0.9 * state.q
    state.follow()
    state.globals[-1] = 1e4
    if own:  # followers in the state's own units too
        fields = (state.q, state.v, state.a)
        state.follow = lambda: [state.problem.condensed.follow(z) for z in fields]
    check_tangent(state, 5e-6)


def test_projection_on_curved_facets():
    """Points moved off a quadratic cylinder along its normal are found, at their distance."""
    liner = solid((12, 3, 1))
    facets = liner.facets
    spots = cylinder(R, LENGTH, (17, 5)).nodes
    out = spots * (1.0 + 1e-3 * np.array([1, 1, 0]))
    at, values, distance = project("quadrilateral", 2, facets.geometry, out, 2)
    there = np.einsum("pn,pnx->px", values, facets.geometry[at])
    assert np.abs(there - spots).max() < 1e-3 * R  # 12 parabolas instead of a circle: 3e-4 R
    np.testing.assert_allclose(np.linalg.norm(out - there, axis=1), distance, atol=1e-15)
    np.testing.assert_allclose(values.sum(axis=1), 1.0, rtol=1e-12)


def test_bad_input():
    law = fc.StVenantKirchhoff(E=E, nu=0.3, rho=8000)
    ring = hollow_cylinder(R, RIM, LENGTH, (8, 2, 1))
    for body, facets, message in (
        ("bronze", "bore", "it is a Solid or"),
        (fc.Solid(ring, law), "bore", "give facet sets in clamped="),
        (fc.Solid(simplices(ring), law, clamped="rim"), "bore", "make the mesh of hexahedra"),
        (fc.Solid(ring, law, clamped="rim"), "z0", "not a closed ring"),
        (fc.Solid(ring, law, clamped="rim", damping=fc.Damping(1e-6)), "bore", "leave damping="),
        (fc.Solid(block((1, 1, 1), (2, 2, 2)), law, clamped="x0"), "x1", "not a closed ring"),
        (fc.Solid(ring, law, clamped="rim"), "hole", "no facets marked 'hole'"),
    ):
        with pytest.raises(fc.InputError, match=message):
            Liner(body, facets)
    whole = Liner(fc.Solid(ring, law, clamped="rim"))
    with pytest.raises(fc.InputError, match="make the film on liner.surface"):
        Bearing(plain_bearing(R, LENGTH, C, MU), whole)
    condensed = solid((8, 2, 1), fc.CondensedSolid, responses=6)
    with pytest.raises(fc.InputError, match="does not lie on the facets"):
        Bearing(plain_bearing(1.2 * R, LENGTH, C, MU), condensed)
    with pytest.raises(fc.InputError, match="even number of cells"):
        bearing_on(solid((9, 2, 1)).surface(), C, MU, starts_at_largest_gap=True)


SMALL = {
    "clearance": 2e-5, "speed": 1000.0, "eccentricity_ratio": 0.9, "film_start": "largest_gap",
    "liner.cells": "12x4x1", "film.cells": "24x4", "liner.responses": 60,
}  # fmt: skip


def test_case(caplog):
    """The three liners of the case, on small meshes: all numbers, the yielding ones alike."""
    case = cases.get("ehd_bearing")
    results = {}
    for liner in ("full", "condensed", "rigid"):
        with caplog.at_level(logging.INFO):
            results[liner] = case.simulation(SMALL | {"liner": liner}).run().summary
    assert "film.cells" in caplog.text
    names = set(cases.get("journal_bearing").simulation({"film.cells": "8x2"}).run().summary)
    for summary in results.values():
        assert names | {"max_von_mises", "max_deformation", "newton_iterations"} <= set(summary)
    full, condensed, rigid = (results[n] for n in ("full", "condensed", "rigid"))
    assert full["load"] == pytest.approx(condensed["load"], rel=0.05)  # film meshes differ
    assert full["max_von_mises"] == pytest.approx(condensed["max_von_mises"], rel=0.1)
    assert 2 * full["max_pressure"] < rigid["max_pressure"]
    assert rigid["max_deformation"] == 0 and rigid["max_von_mises"] is None
    film = case.simulation(SMALL | {"liner": "condensed", "load": condensed["load"]}).run().summary
    assert film["eccentricity_ratio"] == pytest.approx(0.9, rel=1e-6)


@pytest.mark.slow
def test_rough_case(caplog):
    """Beyond the clearance, oil and asperities bear together; dense oil."""
    settings = SMALL | {"liner": "condensed", "eccentricity_ratio": 1.1, "speed": 20.0}
    case = cases.get("ehd_bearing")
    rough = {"roughness": 1e-6, "density": "dowson_higginson"}
    found = case.simulation(settings | rough).run().summary
    assert found["min_film"] < 1e-6
    assert found["max_contact_pressure"] > 1e6
    assert "thinner than the surfaces are rough" in caplog.text


@pytest.mark.slow
def test_figures(tmp_path):
    """Film, pressure on the bore, stress in the liner whole and cut, from the run's folder."""
    if not opengl_works():
        pytest.skip("no OpenGL")
    run = tmp_path / "run"
    cases.get("ehd_bearing").simulation(SMALL, output=run).run()
    names = {f.stem for f in draw(run)}
    assert {"film_unfolded", "film_on_bore", "liner_von_mises", "liner_cut"} <= names
    film = films.read(run)
    assert film.deformation.max() > 0.05 * C
    assert 1 < lined_films.exaggeration(film) < 1e5


@pytest.mark.parametrize(
    "change, message",
    [
        ({"liner": "rigid", "eccentricity_ratio": 1.1}, "need an elastic liner"),
        ({"liner.cells": "48x8"}, "such as 48x8x2"),
        ({"liner.nu": 0.5}, "less than 0.5"),
        ({"cavitation": "jfo"}, "film_start=largest_gap"),
    ],
)
def test_case_refuses(change, message):
    with pytest.raises(fc.InputError, match=message):
        cases.get("ehd_bearing").simulation(change)
