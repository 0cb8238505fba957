"""Warm films with grooves: recirculation, heat balances from nodal flows, coefficients."""

import numpy as np
import pytest

from fem_clearance.errors import InputError
from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Coefficients,
    Exponential,
    Film,
    FlatGap,
    Groove,
    Lubricant,
    Place,
    Reynolds,
    Streamers,
    cylinder,
    pad,
    plain_bearing,
)
from fem_clearance.lubrication.film.thermal import warmth

from .thermal import (
    GROOVES,
    H_OUT,
    LOADED,
    MU,
    RC,
    RUN,
    SPEED,
    WARM_OIL,
    B,
    C,
    L,
    R,
    U,
    W,
    carried_away,
    pads,
    solved,
)


@pytest.mark.parametrize("carry", [0.0, 0.5, 0.8])
def test_recirculation(carry):
    """A parallel film of constant viscosity whose oil comes round: each pass warms it by
    Phi B / (rho c U h/2), and T_g = carry (T_g + that)."""
    oil = Lubricant(MU, mass_density=850.0, specific_heat=2000.0, conductivity=0.0)
    thermal = Adiabatic(300.0, {"way": ["x1", "x0"]}, carry_over=carry)
    film = Film(pad(B, W, (16, 2)), H_OUT, oil, Streamers(), {"x0": 0.0, "x1": 0.0},
                sliding_speed=U, gap=FlatGap(), thermal=thermal)  # fmt: skip
    _, state = solved(film, RUN)
    step = MU * U**2 / H_OUT * B / (RC * U * H_OUT / 2)
    assert state.warm.grooves["way"] - 300 == pytest.approx(
        carry * step / (1 - carry), rel=1e-9, abs=1e-9
    )
    x = film.surface.nodes[:, 0]
    exact = 300 + carry * step / (1 - carry) + step * x / B
    np.testing.assert_allclose(state.warm.temperature, exact, rtol=0, atol=1e-9 * step)
    assert state.warm.heat == pytest.approx(MU * U**2 / H_OUT * B * W, rel=1e-12)


@pytest.mark.parametrize("upwind", [False, True])
def test_heat_of_pads(upwind):
    """Filled films balance to round-off; of the real oil, of which a broken film has a part, the
    loss is what leaves to the first order in the cells."""
    off = []
    for cells in ((20, 8), (40, 16)):
        bearing, state = solved(pads(cells, upwind=upwind), LOADED)
        assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-11)
        off.append(carried_away(bearing, state) / state.power_loss - 1)
    assert abs(off[1]) < 0.02 and abs(off[1]) < 0.65 * abs(off[0]), off


def test_mixing_in_grooves():
    """in (T_g - T_s) = carry out (T_e - T_s) with the flows and temperatures of nodes, which leave
    what the void's flow along the edge is off by, of the first order in the cells."""
    off = []
    for cells in ((20, 8), (40, 16)):
        bearing, state = solved(pads(cells), LOADED)
        flow = bearing._flow(bearing.state.residual())
        given, rise = bearing.film.given(), state.warm.temperature - 323.0
        for name, (hot, cool) in GROOVES.items():
            out, into = (given[n] for n in (hot, cool))
            assert flow[out].min() > -1e-12 and flow[into].max() < 1e-12
            passed = -flow[into].sum() * (state.warm.grooves[name] - 323.0)
            off.append(abs(passed / (0.8 * flow[out] @ rise[out]) - 1))
    assert max(off[:2]) < 5e-3 and max(off[2:]) < 0.6 * max(off[:2]), off


@pytest.mark.parametrize("cavitation", [JFO(), Streamers()])
def test_tangent(cavitation):
    """Of warm films with grooves, against differences: SUPG, the limiter, mixing."""
    bearing, _ = solved(pads((8, 4), cavitation), LOADED)
    slopes = bearing.solve(LOADED).stiffness
    found = []
    for sign in (1, -1):
        place = LOADED._replace(e=(LOADED.e[0] + sign * 1e-9, *LOADED.e[1:]))
        found.append(bearing.solve(place).force)
    differences = -(found[0] - found[1]) / 2e-9
    np.testing.assert_allclose(slopes[:3, 0], differences, rtol=2e-4, atol=1e3)


def test_coefficients():
    """With the temperature held Reynolds' equation is symmetric, and so is the damping (Lund); with
    one that follows it is not, and the stiffness is that of the mesh to its error."""
    bearing, state = solved(pads((48, 16)), LOADED)
    held = Coefficients.of(state, errors=False, temperature="held")
    follows = Coefficients.of(state, errors=False)
    size = np.abs(held.damping).max()
    assert abs(held.damping[0, 1] - held.damping[1, 0]) < 5e-4 * size
    assert abs(follows.damping[0, 1] - follows.damping[1, 0]) > 2e-2 * size
    scale = np.abs(state.stiffness[:2, :2]).max()
    assert np.abs(follows.stiffness - state.stiffness[:2, :2]).max() < 0.01 * scale
    assert np.abs(held.stiffness - state.stiffness[:2, :2]).max() > 0.05 * scale
    with pytest.raises(InputError, match="temperature must be one of"):
        Coefficients.of(state, temperature="frozen")


def test_groove_across_a_ring():
    """A groove from end to end in a full bearing: oil comes to one side and leaves at the other,
    where the temperature jumps."""
    surface = cylinder(R, L, (32, 8)).marked(
        groove=lambda x: np.abs(np.arctan2(x[:, 1], x[:, 0]) - np.pi / 2) < 1e-6
    )
    thermal = Adiabatic(323.0, {"feed": ["groove"]}, carry_over=0.5)
    film = Film(surface, C, WARM_OIL, Streamers(), {"z0": 0.0, "z1": 0.0, "groove": 0.0},
                sliding_speed=R * SPEED, thermal=thermal)  # fmt: skip
    where = film.warmth
    assert len(where.nodes) == len(surface.nodes) + 9 and (where.groove == 0).sum() == 16
    bearing, state = solved(film, LOADED)
    T = 323.0 + bearing.temperatures.values("temperature")
    sides = [T[where.nodes == n] for n in surface.sets["groove"]]
    jumps = np.array([np.ptp(z) for z in sides])
    assert jumps.min() > 2.0
    assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-11)
    assert 323.0 < state.warm.grooves["feed"] < max(z.max() for z in sides)


def test_wide_groove_has_one_temperature():
    """Cells in a groove have its temperature, and their heat goes into it."""
    corners = np.array([[k, k + 1, k + 7, k + 8] for k in range(6)])  # a strip of six cells
    where = warmth(corners, {"a": np.array([2, 3, 9, 10])}, [])
    assert where.inside.tolist() == [False, False, True, False, False, False]
    assert where.fed.tolist() == [False, True, False, True, False, False]
    with pytest.raises(InputError, match="whole edges"):
        warmth(corners, {"a": np.array([2])}, [])
    with pytest.raises(InputError, match="give more"):
        warmth(corners, {"a": np.array([2, 9]), "b": np.array([3, 10])}, [])


def test_supplied_groove():
    """A short groove under pressure in a ring: oil that leaves it is fresh, that beside it hot, and
    the heat of the film is what the ends carry away but for the corners' cells."""
    film = plain_bearing(
        15e-3, 20e-3, 3e-5, Lubricant(0.04, temperature=Exponential(0.03)), sliding_speed=4.5,
        cells=(48, 12), cavitation=Reynolds(), thermal=Adiabatic(313.15),
        grooves=(Groove(np.pi / 2, 0.3, 2e5, drag=False),),
    )  # fmt: skip
    bearing, state = solved(film, Place(e=(9e-6, -12e-6, 0), Omega=(0, 0, 300.0)))
    assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-10)
    assert state.warm.heat == pytest.approx(state.power_loss, rel=1e-10)
    x = film.surface.nodes
    angle, middle = np.degrees(np.arctan2(x[:, 1], x[:, 0])), np.abs(x[:, 2]) < 4e-3
    assert np.all(state.warm.temperature[middle & (np.abs(angle - 90) < 1)] == 313.15)
    behind = middle & (angle > 98) & (angle < 99)  # the groove ends there
    np.testing.assert_allclose(state.warm.temperature[behind], 313.15, rtol=0, atol=2.0)
    before = middle & (angle > 73) & (angle < 75)  # the last line ahead of it
    assert state.warm.temperature[before].min() > state.warm.temperature[behind].max() + 3
