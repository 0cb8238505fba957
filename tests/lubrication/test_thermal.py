"""Films with a temperature: exact wedge, recirculation through a groove, heat balances worked out
from nodal flows, Newton's tangents, and what is refused.

The wedge: rho c Q T' = mu F with F = U^2/h + 12 (h U/2 - Q)^2/h^3 and mu = mu_0 exp(-beta T) is
exp(beta T) = 1 + beta mu_0/(rho c Q) int F dx; p' = 12 mu (h U/2 - Q)/h^3; Q by p(B) = 0."""

import logging

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from fem_clearance.errors import InputError, StepFailed
from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Asperities,
    Bearing,
    Coefficients,
    DowsonHigginson,
    Exponential,
    Film,
    FlatGap,
    Full,
    Groove,
    Guembel,
    Lubricant,
    Place,
    Reynolds,
    RoelandsTemperature,
    Streamers,
    Vogel,
    cylinder,
    joined,
    pad,
    plain_bearing,
)
from fem_clearance.lubrication.film.thermal import warmth

MU, BETA, U, B, H_IN, H_OUT, W = 0.04, 0.035, 20.0, 0.1, 100e-6, 50e-6, 0.01
OIL = Lubricant(
    MU, temperature=Exponential(BETA), reference_temperature=323.0, mass_density=850.0,
    specific_heat=2000.0, conductivity=0.0,
)  # fmt: skip
RC = 1.7e6


def solved(film, place):
    """A bearing and its film."""
    bearing = Bearing(film)
    return bearing, bearing.solve(place)


# --- the exact wedge ----------------------------------------------------------------------------
class Wedge:
    def __init__(self):
        s = (H_IN - H_OUT) / B

        def h(x):
            return H_IN - s * x

        def heated(x, Q):
            def f(z):
                return U**2 * np.log(z) + 12 * (U**2 / 4 * np.log(z) + U * Q / z - Q**2 / 2 / z**2)

            return (f(H_IN) - f(h(x))) / s

        def T(x, Q):
            return np.log1p(BETA * MU / (RC * Q) * heated(x, Q)) / BETA

        def slope(x, Q):
            return 12 * MU * np.exp(-BETA * T(x, Q)) * (h(x) * U / 2 - Q) / h(x) ** 3

        def end(Q):
            return quad(slope, 0, B, args=(Q,), epsabs=1e-3, epsrel=1e-12)[0]

        self.Q = brentq(end, H_OUT * U / 4, H_IN * U / 2 * 0.9, xtol=1e-18, rtol=1e-14)
        self.load = -quad(lambda x: slope(x, self.Q) * x, 0, B, epsrel=1e-12)[0]
        self.T = lambda x: T(x, self.Q)


def wedge(n, cavitation=None, oil=OIL, **more):
    def recess(x):
        return (H_IN - H_OUT) * (1 - x[:, 0] / B)

    thermal = Adiabatic(323.0, **more)
    return Film(
        pad(B, W, (n, 1)), H_OUT, oil, cavitation or Full(), {"x0": 0.0, "x1": 0.0},
        sliding_speed=U, gap=FlatGap(), recess=recess, thermal=thermal,
    )  # fmt: skip


RUN = Place(V=(U, 0.0, 0.0))


@pytest.mark.parametrize(("upwind", "order"), [(False, 2), (True, 1)])
def test_exact_wedge(upwind, order):
    """Order of temperatures, load and flow; a published copy of the exact values."""
    exact = Wedge()
    # references/thermal_wedge_exact: Q 6.8642877e-4 m^2/s, exit 15.877872 K, 391871.6 N/m
    assert pytest.approx(6.864287723788693e-4, rel=1e-9) == exact.Q
    assert exact.load == pytest.approx(391871.595, rel=1e-8)
    assert exact.T(B) == pytest.approx(15.87787189703133, rel=1e-9)
    errors = []
    for n in (16, 32, 64):
        film = wedge(n, upwind=upwind)
        bearing, state = solved(film, RUN)
        x, rise = film.surface.nodes[:, 0], state.warm.temperature - 323.0
        errors.append(
            [
                np.abs(rise - exact.T(x)).max() / exact.T(B),
                abs(rise[x > B * (1 - 1e-9)].mean() / exact.T(B) - 1),
                abs(state.force[2] / W / exact.load + 1),
            ]
        )
        # loss = heat = what the oil takes = rho c Q T at the exit, to round-off on every mesh
        assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-12)
        assert state.warm.heat == pytest.approx(state.power_loss, rel=1e-12)
        out = RC * state.outflow["x1"] * rise[x > B * (1 - 1e-9)].mean()
        assert out == pytest.approx(state.power_loss, rel=1e-12)
    found = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.all(found > order - 0.15), (errors, found)
    if order == 2:
        assert errors[-1][1] < 6e-5 and errors[-1][2] < 4e-4
    assert bearing.item.warm_said is False


def test_isoviscous_oil_keeps_the_isothermal_film():
    """A viscosity that does not change gives the forces of the isothermal film."""
    plain = Lubricant(MU)
    warm, cold = wedge(16, oil=plain), wedge(16, oil=plain)
    cold = Film(cold.surface, H_OUT, plain, Full(), cold.pressures, sliding_speed=U, gap=FlatGap(),
                recess=cold.recess)  # fmt: skip
    here, there = (solved(film, RUN)[1] for film in (warm, cold))
    np.testing.assert_allclose(here.force[[0, 2]], there.force[[0, 2]], rtol=1e-9)
    assert here.power_loss == pytest.approx(there.power_loss, rel=1e-9)
    assert here.warm.temperature.max() > 330.0 and there.warm is None


def test_expanding_oil():
    """Of a density that falls with the temperature the same mass flows through every section: by
    nodal rows at the inlet and the outlet, and the heat is that of the mass."""
    oil = Lubricant(MU, temperature=Exponential(BETA), reference_temperature=323.0,
                    density=DowsonHigginson(0.0, 0.0, expansion=2e-3), mass_density=850.0,
                    specific_heat=2000.0, conductivity=0.0)  # fmt: skip
    film = wedge(64, oil=oil)
    _, state = solved(film, RUN)
    x, rise = film.surface.nodes[:, 0], state.warm.temperature - 323.0
    assert state.outflow["x1"] == pytest.approx(-state.outflow["x0"], rel=1e-10)
    at_exit = rise[x > B * (1 - 1e-9)].mean()
    out = RC * state.outflow["x1"] * at_exit
    assert out == pytest.approx(state.warm.heat, rel=1e-10)
    # an ODE with the mass flow m: m c T' = mu F(m / rho), rho and mu of T
    h = H_IN - (H_IN - H_OUT) * np.linspace(0, B, 20001) / B
    dx = B / 20000

    def run(m):
        T, p = 0.0, 0.0
        for z in (h[1:] + h[:-1]) / 2:
            start = T
            for _ in range(2):  # the midpoint rule
                mid = (start + T) / 2
                mu, q = MU * np.exp(-BETA * mid), m / (1 - 2e-3 * mid)
                heat = mu * (U**2 / z + 12 * (z * U / 2 - q) ** 2 / z**3)
                T = start + dx * heat / (RC * m)
            p += dx * 12 * mu * (z * U / 2 - q) / z**3
        return p, T

    m = brentq(lambda z: run(z)[0], 5e-4, 8e-4, xtol=1e-12)
    assert state.outflow["x1"] / W == pytest.approx(m, rel=3e-4)
    assert at_exit == pytest.approx(run(m)[1], rel=1e-3)


# --- grooves ------------------------------------------------------------------------------------
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


R, L, C, SPEED, ARC = 0.2, 0.263, 2e-4, 94.0, np.radians(176)
WARM_OIL = Lubricant(
    0.019, temperature=Exponential(0.03), reference_temperature=323.0, mass_density=855.0,
    specific_heat=1950.0, conductivity=0.15,
)  # fmt: skip
PRESSURES = dict.fromkeys(("z0", "z1", "start0", "end0", "start1", "end1"), 0.0)
GROOVES = {"left": ("end0", "start1"), "right": ("end1", "start0")}


def pads(cells, cavitation=None, oil=WARM_OIL, **more):
    halves = (cylinder(R, L, cells, arc=ARC, start=m - ARC / 2) for m in (np.pi / 2, 1.5 * np.pi))
    thermal = Adiabatic(323.0, **({"grooves": GROOVES} | more))
    return Film(joined(halves), C, oil, cavitation or Streamers(), PRESSURES,
                sliding_speed=R * SPEED, thermal=thermal)  # fmt: skip


LOADED = Place(e=(0.4 * C, -0.42 * C, 0.0), Omega=(0.0, 0.0, SPEED))


def carried_away(bearing, state):
    """Heat that leaves the oil of two pads, W, by the flow and temperature of each node: at the
    ends, and what of the hot oil at the grooves is not carried over."""
    film, thermal = bearing.film, bearing.film.thermal
    flow = bearing._flow(bearing.state.residual())
    rise, rc = state.warm.temperature - thermal.supply, film.lubricant.heat_capacity
    given = film.given()
    ends = np.concatenate([given[n] for n in ("z0", "z1")])
    total = rc * float(flow[ends] @ rise[ends])
    for name, sets in thermal.grooves.items():
        nodes = np.concatenate([given[n] for n in sets])
        out = np.maximum(flow[nodes], 0)
        total += rc * float(out @ rise[nodes])
        total -= rc * float((out - flow[nodes]).sum()) * (state.warm.grooves[name] - thermal.supply)
    return total


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
    T = 323.0 + bearing.state.q[bearing.at_temperature]
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


# --- what goes wrong ----------------------------------------------------------------------------
def test_broken_film_of_reynolds():
    """Ends only: fresh oil comes where the film forms again, and what leaves at the ends takes the
    loss with it."""
    surface = cylinder(R, L, (32, 8))
    film = Film(surface, C, WARM_OIL, Reynolds(), sliding_speed=R * SPEED,
                thermal=Adiabatic(323.0))  # fmt: skip
    bearing, state = solved(film, LOADED)
    assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-11)
    assert state.warm.heat == pytest.approx(state.power_loss, rel=1e-11)
    flow = -bearing.state.residual()[bearing.at_complement] * film.rate_unit / film.pressure_unit
    ends = np.concatenate([surface.sets[z] for z in ("z0", "z1")])
    out = WARM_OIL.heat_capacity * flow[ends] @ (state.warm.temperature[ends] - 323.0)
    assert out == pytest.approx(state.power_loss, rel=1e-10)


def test_heat_that_nothing_carries_away():
    """A journal in the middle passes no oil through the film: it warms for ever."""
    film = Film(cylinder(R, L, (16, 4)), C, WARM_OIL, Full(), sliding_speed=R * SPEED,
                thermal=Adiabatic(323.0))  # fmt: skip
    with pytest.raises(StepFailed, match="nothing carries its heat away"):
        Bearing(film).solve(Place(Omega=(0.0, 0.0, SPEED)))


def test_from_nothing_near_the_wall():
    """Where Newton's method fails at the full speed the film is followed from a low one; no raw
    error comes out, and heat balances."""
    place = Place(e=(0.65 * C, -0.65 * C, 0.0), Omega=(0.0, 0.0, SPEED))
    _, state = solved(pads((24, 8)), place)
    assert state.warm.temperature.max() > 355.0
    assert state.warm.oil_heat == pytest.approx(state.warm.heat, rel=1e-10)


def test_beyond_the_bounds_is_said(caplog):
    film = pads((20, 8), bounds=(-5.0, 10.0))
    with caplog.at_level(logging.WARNING):
        solved(film, LOADED)
    said = [r.getMessage() for r in caplog.records if "leave the bounds" in r.getMessage()]
    assert len(said) == 1 and "328" not in said[0] and "333" in said[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pads((8, 4), Reynolds()), "grooves that mix need Streamers"),
        (lambda: pads((8, 4), Guembel(), grooves={}), "takes Reynolds"),
        (lambda: pads((8, 4), grooves={"left": ("end7",)}), "no nodes marked 'end7'"),
        (lambda: Adiabatic(-3.0), "supply must be positive"),
        (lambda: Adiabatic(323.0, carry_over=1.5), "carry_over"),
        (lambda: Adiabatic(323.0, {"a": "x0"}), "list of names"),
        (lambda: Adiabatic(323.0, bounds=(10.0, 200.0)), "bounds are K over"),
        (
            lambda: pads((8, 4), oil=Lubricant(0.04, temperature=Vogel(700.0, 310.0))),
            "Adiabatic\\(bounds",
        ),
        (
            lambda: pads((8, 4), bounds=(-200.0, 200.0),
                         oil=Lubricant(0.04, temperature=RoelandsTemperature())),
            "at 123 K the lubricant's viscosity would be nan",
        ),
        (
            lambda: Film(cylinder(R, L, (8, 4)), C, WARM_OIL, thermal=323.0),
            "thermal must be Adiabatic",
        ),
        (
            lambda: Film(cylinder(R, L, (8, 4)), C, WARM_OIL, thermal=Adiabatic(323.0),
                         asperities=Asperities(1e-6, 1e11)),
            "omit asperities",
        ),
    ],
)  # fmt: skip
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_joined_pads():
    """Sets of each pad by its number, ends of all; coarser where all are; cells and nodes as they
    were."""
    arcs = [cylinder(R, L, (8, 4), arc=0.9, start=s) for s in (0.0, 1.0, 2.5)]
    surface = joined(arcs)
    assert len(surface.nodes) == 3 * 45 and len(surface.cells) == 3 * 32
    assert {*surface.sets} == {"z0", "z1", *(f"{n}{k}" for n in ("start", "end") for k in range(3))}
    angle = np.arctan2(surface.nodes[:, 1], surface.nodes[:, 0])
    np.testing.assert_allclose(angle[surface.sets["start1"]], 1.0, atol=1e-12)
    np.testing.assert_allclose(angle[surface.sets["end2"]], 3.4 - 2 * np.pi, atol=1e-12)
    np.testing.assert_allclose(surface.nodes[surface.sets["z1"], 2], L / 2)
    assert surface.areas().sum() == pytest.approx(3 * 0.9 * R * L, rel=1e-5)
    assert surface.coarser is not None and len(surface.coarser.cells) == 3 * 16
    with pytest.raises(InputError, match="at least one pad"):
        joined([])
