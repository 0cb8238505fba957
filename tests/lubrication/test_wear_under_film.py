"""Wear of a bore under its film: Archard's law with Greenwood and Tripp's pressure by quadrature.

The journal slides by R times the integral of |speed| in a cycle.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import fem_clearance as fc
from fem_clearance.lubrication import (
    Asperities,
    Bearing,
    CylindricalFilm,
    Place,
    WornProfile,
    equilibrium,
    plain_bearing,
    wear_under_film,
)

R, L, C, SIGMA, STIFF = 15e-3, 15e-3, 3e-5, 0.4e-6, 1.1e11
ROUGH = Asperities(SIGMA, STIFF, friction=0.1)
LAW = fc.Archard(1e-7, 1e9)
#: starts and stops: s and rad/s, and how far the journal slides, m
TIME, SPEED, WAY = [0.0, 1.0, 2.0, 3.0], [0.0, 40.0, 40.0, 0.0], R * 80.0
SLOW = Place(e=(C + 0.2e-6, 0, 0))


def bearing(**options):
    options = {"cells": (32, 2), "sliding_speed": 0.5, "crowd": 0.8} | options
    return replace(plain_bearing(R, L, C, 0.02, **options), asperities=ROUGH)


def pressure(h):
    """Greenwood and Tripp (1971) at a distance, Pa, by quadrature."""
    F = quad(lambda s: (s - h / SIGMA) ** 2.5 * np.exp(-(s**2) / 2), h / SIGMA, 12)[0]
    factor = 16 * np.sqrt(2) * np.pi / 15 * 0.05**2 * np.sqrt(1e-3) * STIFF
    return factor * F / np.sqrt(2 * np.pi)


def angles(film):
    return np.arctan2(film.surface.nodes[:, 1], film.surface.nodes[:, 0])


def test_constant_pressure():
    """A few cycles, which change no pressure: depth k p s / H at each node, volume k s/H times the
    integral of the pressure."""
    film, cycles = bearing(), 2.0
    worn = wear_under_film(film, LAW, TIME, SPEED, cycles, place=SLOW)
    h = C - SLOW.e[0] * np.cos(angles(film))
    expected = [1e-16 * pressure(z) * WAY * cycles if z < 5 * SIGMA else 0.0 for z in h]
    assert worn.profile.depth == pytest.approx(
        np.array(expected), rel=1e-5, abs=1e-6 * max(expected)
    )
    assert worn.profile.depth.max() < 0.05 * SIGMA
    assert worn.volume == pytest.approx(1e-16 * WAY * cycles * worn.contact[0], rel=1e-9)
    assert worn.cycles.tolist() == [0.0, cycles] and worn.deepest[-1] == worn.profile.depth.max()


def test_held_journal_wears_itself_free():
    """dw/dn = k/H p(h + w) s at the middle of the contact, by SciPy, over many passes."""
    film, cycles = bearing(), 1e3
    worn = wear_under_film(film, LAW, TIME, SPEED, cycles, place=SLOW)
    h = C - SLOW.e[0]
    exact = solve_ivp(lambda n, w: [1e-16 * pressure(h + w[0]) * WAY], (0, cycles), [0.0],
                      rtol=1e-6, atol=1e-12).y[0, -1]  # fmt: skip
    assert len(worn.contact) > 5 and exact > 0.5 * SIGMA
    assert worn.profile.depth.max() == pytest.approx(exact, rel=0.04)
    assert worn.cycles[-1] == pytest.approx(cycles, rel=1e-12)
    assert np.all(np.diff(worn.contact) < 0)
    h = C - SLOW.e[0] * np.cos(angles(film)) + worn.profile.depth
    assert Bearing(worn.film).solve(SLOW).thickness == pytest.approx(h, abs=1e-12)


def test_running_in_under_a_load(tmp_path):
    """The worn arc carries more: asperities press less with every pass, and the film is in
    equilibrium. The profile is kept, and serves a mechanism."""
    film, load = bearing(), (0.0, -400.0)
    worn = wear_under_film(film, LAW, TIME, SPEED, 400.0, load=load)
    assert np.all(np.diff(worn.contact) < 0) and np.all(np.diff(worn.deepest) > 0)
    deepest = angles(film)[np.argmax(worn.profile.depth)]
    assert -np.pi / 2 - 0.3 < deepest < -np.pi / 2 + 0.5
    before, after = (equilibrium(z, load, 20.0) for z in (film, worn.film))
    assert after.force[:2] == pytest.approx((0.0, 400.0), abs=1e-3)
    assert after.contact_pressure.max() < before.contact_pressure.max()
    worn.profile.write(tmp_path / "bore.npz")
    kept = replace(film, recess=WornProfile.read(tmp_path / "bore.npz"))
    again = Bearing(kept).solve(after.place)
    assert again.force == pytest.approx(after.force, rel=1e-9, abs=1e-6)
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1e-3,) * 3, angular_velocity=(0, 0, 20.0)))
    joint = CylindricalFilm(system.ground.at((0, 0, 0)), body.center, (0, 0, 1), film=kept)
    system.add(joint)
    results = fc.Simulation(system, dt=1e-4, t_end=5e-4, progress=False).run()
    assert results[f"{joint.name}.min_film"][0] == pytest.approx(C, rel=1e-6)


def test_repeated_wear_adds_to_the_profile():
    """Twice 100 cycles are 200 cycles; a recess that was there before stays."""
    film = bearing()
    whole = wear_under_film(film, LAW, TIME, SPEED, 200.0, place=SLOW)
    half = wear_under_film(film, LAW, TIME, SPEED, 100.0, place=SLOW)
    again = wear_under_film(half.film, LAW, TIME, SPEED, 100.0, place=SLOW)
    total = half.profile.depth + again.profile.depth
    assert total.max() == pytest.approx(whole.profile.depth.max(), rel=0.03)
    assert again.film.depths() == pytest.approx(
        total[film.surface.corners[0]], rel=1e-12, abs=1e-18
    )


def test_bad_input(tmp_path):
    film = bearing()
    smooth = replace(film, asperities=None)
    for options, words in (
        ({"film": smooth}, "must be a Film with asperities"),
        ({"law": 3.0}, "law must be Archard"),
        ({"place": None}, "either load or place"),
        ({"load": (0, -1)}, "either load or place"),
        ({"time": [0, 1, 1, 2]}, "time must increase"),
        ({"speed": [0, 1]}, "time must increase"),
        ({"cycles": 0}, "cycles"),
    ):
        given = {"film": film, "law": LAW, "time": TIME, "speed": SPEED, "cycles": 1.0,
                 "place": SLOW} | options  # fmt: skip
        with pytest.raises(fc.InputError, match=words):
            wear_under_film(**given)
    nodes = film.surface.nodes
    worn = WornProfile(nodes, 0 * nodes[:, 0])
    for make, words in (
        (lambda: WornProfile(nodes, nodes), "a depth for each"),
        (lambda: WornProfile(nodes, -np.ones(len(nodes))), "not negative"),
        (lambda: WornProfile.read(tmp_path / "none.npz"), "cannot be read"),
        (lambda: replace(bearing(cells=(36, 2)), recess=worn).depths(), "use the mesh"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=words):
            make()
