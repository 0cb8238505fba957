"""Temperatures of films that are ruptured: of nodes beside each other, of ends, and of oil that is
never colder than its supply."""

import numpy as np
import pytest

from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Bearing,
    Conducting,
    Convection,
    Exponential,
    Film,
    FlatGap,
    Groove,
    Lubricant,
    Place,
    Reynolds,
    Shaft,
    pad,
    plain_bearing,
)

R, L, C, SPEED = 25e-3, 50e-3, 40e-6, 300.0
OIL = Lubricant(
    0.05, temperature=Exponential(0.03), mass_density=860.0, specific_heat=2000.0,
    conductivity=0.14,
)  # fmt: skip


STEEL = Convection.through_ring(R, 2 * R, 50.0, 500.0, 300.0)


def supplied(cells, thermal, part=0.5):
    """A bearing with a groove at 1 bar that is shorter than the bearing, at an eccentricity that is
    this part of the clearance; more than a third of its film is ruptured."""
    film = plain_bearing(
        R, L, C, OIL, cells=cells, cavitation=JFO(), sliding_speed=R * SPEED, thermal=thermal,
        narrowest=-np.pi / 2, grooves=[Groove(np.pi / 2, np.radians(15.0), pressure=1e5)],
    )  # fmt: skip
    return Bearing(film).solve(Place(e=(0.0, -part * C, 0.0), Omega=(0.0, 0.0, SPEED)))


def alternating(state):
    """Largest alternation along the axis where more than a twentieth of the gap is void, K: the
    lesser of two second differences beside each other of different signs; without the flooded ends
    and the oil beside the groove, whose temperature jumps at its corners."""
    nodes, found = state.bearing.film.surface.nodes, []
    angles = np.round(np.arctan2(nodes[:, 1], nodes[:, 0]), 6)
    for angle in np.unique(angles):
        line = np.flatnonzero(angles == angle)
        line = line[np.argsort(nodes[line, 2])][1:-1]
        beside = abs(np.angle(np.exp(1j * (angle - np.pi / 2)))) < np.radians(16.0)
        if beside or (state.void / state.thickness)[line].min() < 0.05:
            continue
        bends = np.diff(state.warm.temperature[line], 2)
        turns = bends[1:] * bends[:-1] < 0
        found.append(np.minimum(np.abs(bends[1:]), np.abs(bends[:-1]))[turns].max(initial=0.0))
    assert len(found) > 15
    return max(found)


def alternating_around(state):
    """The same of the bush around the bearing in its middle, by the mean of the neighbours, K;
    without the last nodes before the groove, where the film forms again."""
    nodes = state.bearing.film.surface.nodes
    middle = np.flatnonzero(np.abs(nodes[:, 2]) < 1e-9)
    angles = np.degrees(np.arctan2(nodes[middle, 1], nodes[middle, 0]))
    line = middle[np.argsort(angles)]
    angles, void = np.sort(angles), (state.void / state.thickness)[line]
    broken = (void > 0.3) & (np.abs(angles) < 70.0)
    off = np.diff(state.warm.bush[line], 2)[broken[1:-1]] / 2
    assert len(off) > 5
    return np.abs(off).max()


def test_temperature_does_not_alternate_along_the_axis():
    """What oil carries where little is left. With the void's flow taken at the nodes and the filled
    gap's at the points of quadrature it alternates by 18 K."""
    for cells in ((48, 8), (96, 16)):
        state = supplied(cells, Conducting(313.15, bush=STEEL, journal=Shaft()))
        found, hottest = alternating(state), state.warm.temperature.max()
        print(f"{cells} alternates by {found:.2f} K, hottest point {hottest:.2f} K")
        assert found < 0.3
    assert state.warm.temperature.min() > 313.15 - 1e-6


def test_bush_of_a_fine_mesh_is_smooth_around_the_bearing():
    """At an eccentricity for which Newton's method found nothing as long as the bush's row had no
    stabilisation: its bush alternated from node to node in the ruptured film, and was 51 K over
    the supply beside fresh oil, 20 K hotter than the oil."""
    state = supplied((96, 16), Conducting(313.15, bush=STEEL, journal=Shaft()), 0.75)
    off, warm = alternating_around(state), state.warm
    print(f"bush alternates by {off:.2f} K, {warm.bush.max() - warm.temperature.max():.2f} K over "
          f"the oil, oil {warm.temperature.min() - 313.15:.3f} K over the supply")  # fmt: skip
    assert off < 0.5 and warm.bush.max() < warm.temperature.max() + 3.0
    assert warm.temperature.min() > 313.15 - 1e-6


@pytest.mark.parametrize("upwind", [False, True])
def test_oil_is_never_colder_than_its_supply(upwind):
    """Beside the groove the temperature jumps by 40 K and more along the axis. Where the groove's
    temperature is imposed on the mean over an edge's nodes, the one beside the corner is 4 K
    colder than the supply."""
    for part in (0.5, 0.75):
        state = supplied((48, 8), Adiabatic(313.15, upwind=upwind), part)
        print(f"{part} {state.warm.temperature.min() - 313.15:.3f} K, hottest "
              f"{state.warm.temperature.max() - 313.15:.2f} K")  # fmt: skip
        assert state.warm.temperature.min() > 313.15 - 0.1
        assert 40.0 < state.warm.temperature.max() - 313.15 < 75.0


def test_oil_that_reynolds_adds_is_fresh_up_to_the_ends():
    """In a gap that widens from h_0 by s over the length there is no pressure, and the oil that
    fills it is fresh: with q = h U/2, (q T)' = mu U^2/(rho c h), so that the rise is
    2 mu U/(rho c h s) ln(h/h_0) at every node of the width. A film that is fed between its ends
    only has a strip there that is 70 % too hot."""
    mu, U, B, h_0, s, rc = 0.04, 20.0, 0.1, 5e-5, 5e-4, 1.7e6
    oil = Lubricant(
        mu, temperature=Exponential(1e-9), mass_density=850.0, specific_heat=2000.0,
        conductivity=0.0,
    )  # fmt: skip
    errors = []
    for n in (8, 16, 32):
        film = Film(
            pad(B, 0.05, (n, 4)), h_0, oil, Reynolds(),
            dict.fromkeys(("x0", "x1", "y0", "y1"), 0.0), sliding_speed=U, gap=FlatGap(),
            recess=lambda x: s * x[:, 0], thermal=Adiabatic(323.0),
        )  # fmt: skip
        state = Bearing(film).solve(Place(V=(U, 0.0, 0.0)))
        x, y, _ = film.surface.nodes.T
        h = h_0 + s * x
        exact = 2 * mu * U / (rc * h * s) * np.log(h / h_0)
        off = np.abs(state.warm.temperature - 323.0 - exact) / exact.max()
        side, end = (y < 1e-9) | (y > 0.05 - 1e-9), x > B - 1e-9
        errors.append([off[side & ~end].max(), off[~side].max(), off.max()])
        assert state.warm.oil_heat == pytest.approx(state.power_loss, rel=1e-12)
    assert errors[0][2] < 0.06 and errors[-1][0] < 0.008 and errors[-1][1] < 0.004
    assert np.all(np.array(errors)[:-1] / np.array(errors)[1:] > 1.8), errors


def test_hottest_oil_of_a_broken_film_converges():
    """A bearing without a groove whose film is ruptured over half of its circumference, with both
    schemes: oil colder than its supply (by 5 K) and a hottest point at the ends of the ruptured
    film that was twice as hot were what ``Reynolds`` adds, left out at the ends and in SUPG."""
    oil = Lubricant(
        0.08, temperature=Exponential(0.035), reference_temperature=323.15, mass_density=870.0,
        specific_heat=2000.0, conductivity=0.13,
    )  # fmt: skip
    found = []
    for cells in ((48, 6), (96, 12), (192, 24)):
        for upwind in (False, True):
            film = plain_bearing(
                0.01, 0.01, 5e-5, oil, cells=cells, thermal=Adiabatic(323.15, upwind=upwind)
            )
            state = Bearing(film).solve(Place(e=(4e-5, 0.0, 0.0), Omega=(0.0, 0.0, 100.0)))
            rise = state.warm.temperature - 323.15
            print(
                f"{cells} {'upwind' if upwind else 'SUPG'} {rise.min():.2f} to {rise.max():.2f} K"
            )
            assert rise.min() > 1.5
            assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-10)
            found.append(rise.max())
    assert max(found) - min(found) < 0.25 and abs(found[-1] - found[-2]) < 0.08, found
