"""Orbits under a varying load."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.lubrication import (
    Bearing,
    Full,
    Liner,
    Place,
    ShortBearing,
    bearing_on,
    orbit,
    plain_bearing,
)
from fem_clearance.plotting import film_orbits

R, C, MU, SPEED = 15e-3, 2e-4, 0.04, 100.0
L = R / 8
START = (0.2 * C, 0.1 * C)
SHORT = ShortBearing(R, L, C, MU, Full())
SIZE = 2 * float(np.hypot(*SHORT.force(Place(e=(0.5 * C, 0, 0), Omega=(0, 0, SPEED)))[:2]))


def load(t):
    return SIZE * np.array([np.cos(60 * t), 0.5 + np.sin(60 * t)])


def short_orbit(times):
    """Ocvirk's force is linear in the velocity: its orbit by Runge and Kutta."""

    def force(e, V):
        return SHORT.force(Place(e=(*e, 0), V=(*V, 0), Omega=(0, 0, SPEED)))[:2]

    def rate(t, e):
        wedge = force(e, (0, 0))
        D = np.array([force(e, v) - wedge for v in np.eye(2)]).T
        return np.linalg.solve(D, -load(t) - wedge)

    ends = (times[0], times[-1])
    return solve_ivp(rate, ends, START, rtol=1e-8, atol=1e-12, t_eval=times).y.T


def test_short_bearing(tmp_path):
    """Ratios up to .8; the bearing of L/D 1/16 is within 1 % of the infinitely short one (.5 %
    measured), steps of second order."""
    film = plain_bearing(R, L, C, MU, sliding_speed=R * SPEED, cells=(32, 6), cavitation=Full())
    bearing, found = Bearing(film), []
    for count in (4, 7, 13):
        found.append(orbit(bearing, load, SPEED, np.linspace(0, 0.03, count), START, keep=6))
    exact = short_orbit(found[-1].time)
    assert np.abs(found[-1].e - exact).max() < 0.01 * C
    far = np.abs(found[0].e - found[2].e[::4]).max()
    near = np.abs(found[1].e - found[2].e[::2]).max()
    assert far / near > 3.5  # 5 for the second order
    last = found[-1]
    assert np.hypot(*(last.films[0].force[:2] + load(0.0))) < 1e-7 * SIZE
    np.testing.assert_allclose(last.min_film[0], last.films[0].thickness.min())
    for figure in (film_orbits.path(last, C), film_orbits.series(last)):
        figure.savefig(tmp_path / "figure.png")
    target = film_orbits.animation(last, film, tmp_path / "orbit.gif", seconds=1.0)
    assert target.stat().st_size > 1000


def test_bad_input():
    bearing = Bearing(
        plain_bearing(R, L, C, MU, sliding_speed=R * SPEED, cells=(16, 2), cavitation=Full())
    )
    with pytest.raises(fc.InputError, match="increasing instants"):
        orbit(bearing, load, SPEED, [0.0, 0.0])
    with pytest.raises(fc.StepFailed, match="at t = 0 s"):  # no film holds a journal that rests so
        orbit(bearing, lambda t: load(t) * (1 if t == 0 else 1e9), SPEED, [0.0, 1.0])


def test_orbit_of_a_closed_form():
    """The same law by the trapezoidal rule: of second order against Runge and Kutta."""
    exact = short_orbit(np.linspace(0, 0.03, 49))
    errors = []
    for count in (25, 49):
        found = orbit(SHORT, load, SPEED, np.linspace(0, 0.03, count), START)
        errors.append(np.abs(found.e - exact[:: 48 // (count - 1)]).max())
    assert errors[1] < 1e-3 * C
    assert 3.5 < errors[0] / errors[1] < 4.5
    assert np.isnan(found.max_pressure).all() and np.all(found.min_film > 0)


def test_a_liner_squeezes_the_film():
    """What leaves at the ends is what the room between the surfaces loses: the journal moves along
    it without any change of volume, so that all of that is the liner's. A full film; volumes by the
    area of each node, flows from Reynolds' equation."""
    mesh = fc.meshes.hollow_cylinder(R, 0.025, 2 * L, (16, 3, 1))
    soft = fc.StVenantKirchhoff(E=2e6, nu=0.3, rho=1000.0)
    liner = Liner(fc.CondensedSolid(mesh, soft, clamped="rim", facets="bore", direction="normal"))
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED, cavitation=Full())
    area, h = film.surface.areas(), 2e-3
    times = h * np.arange(4)
    found = orbit(Bearing(film, liner), load, SPEED, times, START, keep=1)
    room = np.array([area @ z.thickness for z in found.films])
    out = np.array([sum(z.outflow.values()) for z in found.films])
    assert abs(out[0]) < 1e-6 * np.abs(out[1:]).min()  # at rest in the beginning
    np.testing.assert_allclose(-np.diff(room) / h, out[1:], rtol=5e-3)
