"""Films that conduct heat and are ruptured: their temperature does not alternate between nodes."""

import numpy as np

from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Conducting,
    Convection,
    Exponential,
    Groove,
    Lubricant,
    Place,
    Shaft,
    plain_bearing,
)

R, L, C, SPEED = 25e-3, 50e-3, 40e-6, 300.0
OIL = Lubricant(
    0.05, temperature=Exponential(0.03), mass_density=860.0, specific_heat=2000.0,
    conductivity=0.14,
)  # fmt: skip


def supplied(cells):
    """A bearing of steel with a groove at 1 bar that is shorter than the bearing; more than a third
    of its film is ruptured."""
    bush = Convection.through_ring(R, 2 * R, 50.0, 500.0, 300.0)
    film = plain_bearing(
        R, L, C, OIL, cells=cells, cavitation=JFO(), sliding_speed=R * SPEED,
        thermal=Conducting(313.15, bush=bush, journal=Shaft()), narrowest=-np.pi / 2,
        grooves=[Groove(np.pi / 2, np.radians(15.0), pressure=1e5)],
    )  # fmt: skip
    return Bearing(film).solve(Place(e=(0.0, -0.5 * C, 0.0), Omega=(0.0, 0.0, SPEED)))


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


def test_temperature_does_not_alternate_along_the_axis():
    """What oil carries where little is left. With the void's flow taken at the nodes and the filled
    gap's at the points of quadrature it alternates by 18 K."""
    for cells in ((48, 8), (96, 16)):
        state = supplied(cells)
        found, hottest = alternating(state), state.warm.temperature.max()
        print(f"{cells} alternates by {found:.2f} K, hottest point {hottest:.2f} K")
        assert found < 0.3
    assert state.warm.temperature.min() > 313.15 - 1e-6
