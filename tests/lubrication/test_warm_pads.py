"""Tilting pads that warm: what one pad passes to the next, the heat of the bearing, one journal for
all pads; pads that expand and yield."""

from dataclasses import replace

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.errors import InputError
from fem_clearance.lubrication import (
    Adiabatic,
    Conducting,
    Expansion,
    Exponential,
    Film,
    HeatedSolid,
    Lubricant,
    Shaft,
    Streamers,
    TiltingPad,
    TiltingPadBearing,
    cylinder,
    tilting_pad_mesh,
)
from fem_clearance.lubrication.film.thermoelastic import Expanding

R, C, L, ARC, THICK, SPEED, SUPPLY = 0.05, 1e-4, 0.04, 1.3, 0.012, 200.0, 313.0
RC = 860.0 * 1950.0
OIL = Lubricant(0.03, temperature=Exponential(0.03), reference_temperature=SUPPLY,
                mass_density=860.0, specific_heat=1950.0, conductivity=0.15)  # fmt: skip
LOAD = np.array([0.0, -1000.0])


def found(thermal, **more):
    pads = TiltingPad(np.pi / 4, ARC, THICK, preload=0.4).evenly(4)
    bearing = TiltingPadBearing(R, L, C, OIL, pads, sliding_speed=R * SPEED, cells=(12, 4),
                                thermal=thermal, **more)  # fmt: skip
    return bearing.equilibrium(LOAD, SPEED)


def mesh(**more):
    return tilting_pad_mesh(R, ARC, THICK, L, (10, 4, 2), **more)


def warm_solid(**more):
    cooled = {n: (200.0, SUPPLY) for n in ("rim", "start", "end")}
    return HeatedSolid(mesh(), 50.0, 3.6e6, cooled=cooled, responses=15, **more)


@pytest.mark.parametrize("flow", [None, 2e-4])
def test_heat_of_the_bearing(flow):
    """The loss leaves with the oil: at the ends of the pads, and between them what is not carried
    on (with a supply, what of its tank does not enter), by flows and temperatures of the nodes; the
    inlet is warmer than the supply by less than the outlet."""
    state = found(Adiabatic(SUPPLY, carry_over=0.7), supply_flow=flow)
    assert all(state.loaded)
    out, hot = 0.0, []
    for film in state.films:
        bearing = film.bearing
        flows = bearing._flow(bearing.state.residual())
        given, rise = bearing.film.given(), film.warm.temperature - SUPPLY
        out += RC * sum(flows[given[n]] @ rise[given[n]] for n in ("z0", "z1"))
        q, T = flows[given["end"]], rise[given["end"]]
        entering = -flows[given["start"]].sum()
        hot.append((q.sum(), q @ T / q.sum(), entering, rise.max()))
    lost = 0.0
    for k, (q, T, _, _) in enumerate(hot):
        enters = hot[(k + 1) % 4][2]
        inlet = state.bearing._inlets.rises[(k + 1) % 4]
        assert 0.05 * T < inlet < 0.95 * T
        lost += RC * (q * T - enters * inlet)
        fresh = enters - 0.7 * q if flow is None else flow / 4
        assert inlet == pytest.approx(0.7 * q * T / (0.7 * q + fresh), rel=0.03)
    assert out + lost == pytest.approx(state.power_loss, rel=0.03)


def test_corners_of_the_leading_edge():
    """A cell at a corner takes in oil at the leading edge and not at the end of the bearing, in
    whatever order the pressures are given; a groove with pressure comes first."""
    cells = (6, 4)
    for names in (("start", "end", "z0", "z1"), ("z0", "z1", "start", "end")):
        film = Film(cylinder(R, L, cells, arc=ARC), C, OIL, pressures=dict.fromkeys(names, 0.0),
                    sliding_speed=1.0, thermal=Adiabatic(SUPPLY))  # fmt: skip
        where, corners, sets = film.warmth, film.surface.corners[0], film.surface.sets
        for edge in ("start", "end"):
            mine = np.isin(corners, sets[edge])
            at = mine.any(axis=1)
            assert at.sum() == cells[1]
            np.testing.assert_array_equal(where.mask[at], mine[at])
    fed = replace(film, pressures=film.pressures | {"z0": 1e5}).warmth
    at_z0 = np.isin(corners, sets["z0"])
    np.testing.assert_array_equal(fed.mask[at_z0.any(axis=1)], at_z0[at_z0.any(axis=1)])


def test_one_journal():
    """A journal that takes no heat: what some pads give to it the others take, at one temperature;
    the heat of each pad balances."""
    state = found(Conducting(SUPPLY, bush=warm_solid(), journal=Shaft(), carry_over=0.7))
    warms = [film.warm for film in state.films]
    heats = np.array([w.journal_heat for w in warms])
    assert abs(heats.sum()) < 1e-3 * state.power_loss < np.abs(heats).max()
    assert np.ptp([float(w.journal[0]) for w in warms]) == 0
    for film, w in zip(state.films, warms, strict=True):
        assert w.oil_heat + w.bush_heat + w.journal_heat == pytest.approx(film.power_loss, rel=1e-9)
        assert 0 < w.bush_heat < film.power_loss
    assert max(w.bush.max() for w in warms) > min(w.bush.max() for w in warms) + 1


def test_pad_expands_from_its_pivot():
    """Resting on its pivot, a pad that is warmer by dT moves its surface at the angle a by alpha dT
    (R - x cos a) away from the journal, x the place of the pivot, at R + t: it closes the clearance
    most above the pivot."""
    fine = tilting_pad_mesh(R, ARC, THICK, L, (20, 2, 2))
    body = Expanding(fine, Expansion(1e-5, E=2e11, nu=0.3, rests="pivot"), "bore")
    u = body.along_normal(body.displacements(np.full((len(fine.points), 1), 10.0)))
    nodes = body.facets.nodes
    x = body.solid.nodes[nodes]
    pivot = body.solid.nodes[body.solid.facets("pivot").nodes, 0].mean()
    assert pivot == pytest.approx(R + THICK, rel=2e-3)
    wanted = 1e-4 * (R - pivot * np.cos(np.arctan2(x[:, 1], x[:, 0])))
    np.testing.assert_allclose(u[nodes, 0], wanted, atol=1e-3 * 1e-4 * THICK)


def condensed(E):
    return fc.CondensedSolid(
        mesh(), fc.StVenantKirchhoff(E=E, nu=0.3, rho=7800), facets="bore", clamped="pivot",
        responses=15, direction="normal",
    )  # fmt: skip


@pytest.mark.slow
def test_elastic_pads():
    """Very stiff pads are rigid ones; soft ones yield in proportion to their compliance, most of
    all above what bends away from the pivot, at the edges."""
    cold = Adiabatic(SUPPLY, carry_over=0.0)
    rigid, stiff = found(cold), found(cold, solid=condensed(2e16))
    np.testing.assert_allclose(stiff.e, rigid.e, atol=1e-4 * C)
    assert stiff.power_loss == pytest.approx(rigid.power_loss, rel=1e-4)
    steel, soft = (found(cold, solid=condensed(E)) for E in (2e11, 1e11))
    yields = [max(np.abs(f.deformation).max() for f in z.films) for z in (stiff, steel, soft)]
    assert yields[0] < 1e-4 * yields[1]
    assert yields[2] == pytest.approx(2 * yields[1], rel=0.05)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: found(Adiabatic(SUPPLY, {"g": ["start"]}), cavitation=Streamers()), "between the"),
        (lambda: found(None, solid="steel"), "CondensedSolid"),
        (lambda: found(Adiabatic(SUPPLY), supply_flow=-1.0), "supply_flow"),
        (lambda: mesh(pivot=-1.0), "pivot"),
        (lambda: mesh(offset=2.0), "offset"),
    ],
)
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
