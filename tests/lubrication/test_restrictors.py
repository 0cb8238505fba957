"""Recesses that restrictors feed: hydrostatic pads in closed form, hybrid bearings.

Closed forms (Rowe 2012; Bassani and Piccigallo 1992): with the restrictor's and the lands'
resistances the pressure ratio of a capillary is 1 / (1 + R_c / R_land), R_land ~ h^-3; dry contact
and rotation play no part.
"""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Adiabatic,
    Bearing,
    Capillary,
    Coefficients,
    ConstantFlow,
    CylindricalFilm,
    Film,
    FilmProbe,
    FlatGap,
    Full,
    Groove,
    Guembel,
    Liner,
    Lubricant,
    Orifice,
    Place,
    Reynolds,
    bearing_on,
    circular_orbit,
    equilibrium,
    pad,
    plain_bearing,
    squeeze_film_damper,
)

#: of the pad: width, lengths of recess and land, thickness, m
W, B, LAND, H = 0.03, 0.02, 0.01, 5e-5
MU, SUPPLY = 0.04, 2e6
#: flow through both lands by the pressure of the recess, m^3/(s Pa)
LEAK = 2 * W * H**3 / (12 * MU * LAND)
#: area that the pressure of the recess acts on: it falls linearly over the lands, m^2
AREA = W * (B + LAND)
#: of the hybrid bearing
R, L, C, SPEED = 0.025, 0.05, 5e-5, 100.0


def pad_of(restrictor, cavitation=None):
    """A recess from edge to edge of a pad without side flow, between two lands."""
    surface = pad(B + 2 * LAND, W, (8, 2), start=(-B / 2 - LAND, -W / 2))
    surface = surface.marked(recess=lambda x: np.abs(x[:, 0]) < B / 2 + 1e-9)
    return Film(
        surface, H, Lubricant(MU), cavitation or Full(), {"x0": 0.0, "x1": 0.0}, gap=FlatGap(),
        sliding_speed=0.1, restrictors={"recess": restrictor},
    )  # fmt: skip


def ratio_of_orifice(d):
    flow = 0.6 * np.pi / 4 * d**2 * np.sqrt(2 / 870 * SUPPLY)
    return brentq(lambda b: flow * np.sqrt(1 - b) - LEAK * SUPPLY * b, 0, 1, xtol=1e-15)


@pytest.mark.parametrize("cavitation", [Full(), Guembel(), Reynolds(), JFO()])
@pytest.mark.parametrize(
    "restrictor, ratio, stiff",
    [
        (Capillary(SUPPLY, 1 / LEAK), 0.5, lambda b: 3 * (1 - b)),
        (Capillary(SUPPLY, 3 / LEAK), 0.25, lambda b: 3 * (1 - b)),
        (Orifice(SUPPLY, 0.4e-3), ratio_of_orifice(0.4e-3), lambda b: 6 * (1 - b) / (2 - b)),
        (ConstantFlow(1e-6), 1e-6 / LEAK / SUPPLY, lambda b: 3.0),
    ],
    ids=["capillary", "weaker", "orifice", "pump"],
)  # fmt: skip
def test_pad_in_closed_form(restrictor, ratio, stiff, cavitation):
    """Pressure ratio, load, stiffness, flow and power of a parallel pad: exact on any mesh."""
    state = Bearing(pad_of(restrictor, cavitation)).solve(Place())
    p = ratio * SUPPLY
    assert state.pressure.max() == pytest.approx(p, rel=1e-9)
    assert -state.force[2] == pytest.approx(p * AREA, rel=1e-9)
    assert state.stiffness[2, 2] == pytest.approx(stiff(ratio) * p * AREA / H, rel=1e-9)
    assert -state.outflow["recess"] == pytest.approx(LEAK * p, rel=1e-9)
    assert sum(state.outflow.values()) == pytest.approx(0.0, abs=1e-12 * LEAK * p)
    assert state.power_loss == pytest.approx(LEAK * p**2, rel=1e-9)


def test_stiffest_capillary_and_orifice():
    """Of a given pad and supply a capillary is stiffest at a pressure ratio of 0.5, an orifice at
    2 - sqrt(2) = 0.586."""

    def stiffness(restrictor):
        return Bearing(pad_of(restrictor)).solve(Place())

    tube = minimize_scalar(
        lambda x: -stiffness(Capillary(SUPPLY, x / LEAK)).stiffness[2, 2], bounds=(0.2, 3),
        method="bounded", options={"xatol": 1e-5},
    ).x  # fmt: skip
    hole = minimize_scalar(
        lambda x: -stiffness(Orifice(SUPPLY, x)).stiffness[2, 2], bounds=(1e-4, 1e-3),
        method="bounded", options={"xatol": 1e-9},
    ).x  # fmt: skip
    assert stiffness(Capillary(SUPPLY, tube / LEAK)).pressure.max() / SUPPLY == pytest.approx(
        0.5, abs=1e-3
    )
    assert stiffness(Orifice(SUPPLY, hole)).pressure.max() / SUPPLY == pytest.approx(
        2 - np.sqrt(2), abs=1e-3
    )


def test_tube():
    """Hagen and Poiseuille: 8 mu l Q / (pi r^4) is the loss of pressure."""
    tube = Capillary.tube(SUPPLY, 1e-3, 0.05, MU)
    assert tube.resistance == pytest.approx(8 * MU * 0.05 / (np.pi * 0.5e-3**4))


def hybrid(cavitation=None, cells=(48, 10), first=0.0, **more):
    """Four recesses, fed through capillaries."""
    tube = Capillary(SUPPLY, 6 * MU * L / (np.pi * R * C**3))
    recesses = [
        Groove(first + k * np.pi / 2, 0.8, length=0.03, restrictor=tube, drag=False)
        for k in range(4)
    ]
    return plain_bearing(
        R, L, C, MU, sliding_speed=R * SPEED, cells=cells, grooves=recesses,
        cavitation=cavitation or Full(), **more,
    )  # fmt: skip


def test_centred_hybrid_bearing():
    """No load in the middle; at rest as stiff in all directions without coupling, turning with
    equal and opposite coupling."""
    bearing = Bearing(hybrid())
    for speed in (0.0, SPEED):
        state = bearing.solve(Place(Omega=(0, 0, speed)))
        K = state.stiffness[:2, :2]
        assert np.abs(state.force).max() < 1e-9 * SUPPLY * R * L
        assert K[0, 0] == pytest.approx(K[1, 1], rel=1e-9) and K[0, 0] > 0.1 * SUPPLY * R * L / C
        assert K[0, 1] == pytest.approx(-K[1, 0], abs=1e-9 * K[0, 0])
        assert (abs(K[0, 1]) > 0.1 * K[0, 0]) == (speed > 0)
        p = [state.pressure[bearing.film.surface.sets[f"groove{k}"]] for k in (1, 2, 3, 4)]
        assert np.ptp(p) < 1e-9 * SUPPLY and 0.2 * SUPPLY < np.mean(p) < 0.9 * SUPPLY


@pytest.mark.parametrize("cavitation", [Full(), Reynolds(), JFO()])
def test_balances_of_a_loaded_hybrid_bearing(cavitation):
    """Flows add up to nothing, where the film conserves oil; what journal and supplies lose is what
    the film dissipates; each recess has one pressure, by which its capillary feeds."""
    film = hybrid(cavitation)
    place = Place(e=(0.4 * C, -0.3 * C, 0), Omega=(0, 0, SPEED))
    state = Bearing(film).solve(place)
    p = np.array([state.pressure[film.surface.sets[f"groove{k}"]] for k in (1, 2, 3, 4)])
    assert np.abs(np.ptp(p, axis=1)).max() == 0 and np.ptp(p) > 0.2 * SUPPLY
    fed = np.array([-state.outflow[f"groove{k}"] for k in (1, 2, 3, 4)])
    assert fed == pytest.approx((SUPPLY - p[:, 0]) / film.restrictors["groove1"].resistance)
    if type(cavitation) is not Reynolds:  # which makes oil where the film is broken
        sides = state.outflow["z0"] + state.outflow["z1"]
        assert sides == pytest.approx(fed.sum(), rel=1e-9)
    power = fed @ p[:, 0] - state.moment[2] * SPEED
    assert state.power_loss == pytest.approx(power, rel=1e-8)


def test_stiffness_and_damping_are_derivatives():
    bearing, d, slow = Bearing(hybrid(Reynolds())), 1e-5 * C, 1e-6
    place = Place(e=(0.4 * C, -0.3 * C, 0), Omega=(0, 0, SPEED))
    state = bearing.solve(place)
    for k in range(2):
        step = np.eye(3)[k]
        forces = [
            bearing.solve(place._replace(e=tuple(place.e + s * d * step))).force[:2]
            for s in (1, -1)
        ]
        slope = -(forces[0] - forces[1]) / (2 * d)
        assert state.stiffness[:2, k] == pytest.approx(slope, abs=1e-6 * state.stiffness.max())
        forces = [
            bearing.solve(place._replace(V=tuple(s * slow * step))).force[:2] for s in (1, -1)
        ]
        slope = -(forces[0] - forces[1]) / (2 * slow)
        assert state.damping[:2, k] == pytest.approx(slope, abs=1e-6 * state.damping[:2, :2].max())


def test_coefficients_where_the_film_breaks():
    """Coefficients against differences of forces over several cells' worth of moving fronts."""
    bearing, d = Bearing(hybrid(Reynolds(), cells=(96, 20))), 0.02 * C
    place = Place(e=(0.4 * C, -0.3 * C, 0), Omega=(0, 0, SPEED))
    found = Coefficients.of(bearing.solve(place), errors=False)
    for k in range(2):
        step = d * np.eye(3)[k]
        forces = [bearing.solve(place._replace(e=tuple(place.e + s * step))) for s in (1, -1)]
        slope = -(forces[0].force - forces[1].force)[:2] / (2 * d)
        assert found.stiffness[:, k] == pytest.approx(slope, abs=0.03 * found.stiffness.max())


def test_recess_turns_with_everything():
    load = np.array([0.0, -800.0])
    places = []
    for angle in (0.0, np.pi / 4):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s], [s, c]])
        state = equilibrium(hybrid(Reynolds(), first=angle), turn @ load, SPEED)
        places.append(turn.T @ state.place.e[:2])
    assert places[0] == pytest.approx(places[1], abs=1e-8 * C)
    assert np.linalg.norm(places[0]) > 0.1 * C


def test_journal_settles_where_the_bearing_alone_says():
    """In a system: place and pressures of the equilibrium, and the energy balance."""
    load, film = 800.0, hybrid(Reynolds(), cells=(32, 6))
    expected = equilibrium(film, (0.0, -load), SPEED)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(2.0, (1e-3,) * 3, angular_velocity=(0, 0, SPEED), name="journal")
    )
    system.add(fc.Force(journal.center, (0, -load, 0)))
    joint = system.add(
        CylindricalFilm(
            system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film, first=(1, 0, 0),
            name="film",
        )
    )  # fmt: skip
    nodes = film.surface.nodes[film.surface.sets["groove4"]]
    system.add(FilmProbe(joint, nodes[-1], name="inside"))
    system.add(fc.RotationDriver(
        system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), fc.functions.Linear(SPEED)
    ))  # fmt: skip
    results = fc.Simulation(system, dt=2e-3, t_end=0.2, progress=False).run()
    assert [results["film.ex"][-1], results["film.ey"][-1]] == pytest.approx(
        expected.place.e[:2], abs=2e-3 * C
    )
    p = results["film.groove4.pressure"]
    assert p[-1] == pytest.approx(expected.pressure[film.surface.sets["groove4"]][0], rel=2e-3)
    assert results["inside.pressure"] == pytest.approx(p, rel=1e-9)
    assert results["film.groove4.flow"] == pytest.approx(
        (SUPPLY - p) / film.restrictors["groove4"].resistance
    )
    fed = results["energy.fed"][-1]
    # the load comes suddenly, in the first step
    assert fed > 0.1 and np.ptp(results["energy.balance"][1:]) < 1e-3 * fed


def test_stiff_liner_is_the_rigid_bearing():
    mesh = fc.meshes.hollow_cylinder(R, 1.6 * R, L, (24, 2, 3))
    solid = fc.CondensedSolid(
        mesh, fc.StVenantKirchhoff(E=1e17, nu=0.3, rho=8000), clamped="rim", facets="bore",
        direction="normal", responses=12,
    )  # fmt: skip
    liner = Liner(solid)
    tube = Capillary(SUPPLY, 6 * MU * L / (np.pi * R * C**3))
    recesses = [Groove(k * np.pi / 2, 0.6, length=0.02, restrictor=tube) for k in range(4)]
    film = bearing_on(liner.surface(), C, MU, sliding_speed=R * SPEED, grooves=recesses)
    place = Place(e=(0.3 * C, 0.1 * C, 0), Omega=(0, 0, SPEED))
    soft, hard = Bearing(film, liner).solve(place), Bearing(film).solve(place)
    assert soft.force[:2] == pytest.approx(hard.force[:2], rel=1e-3)


def test_damper_with_a_fed_ring():
    """A ring that a pump feeds all round is a ring at the pressure that its flow makes."""
    orbit = []
    for ring in (
        Groove(0.0, 2 * np.pi, 2e5, 4e-3),
        Groove(0.0, 2 * np.pi, length=4e-3, restrictor=ConstantFlow(
            2 * 2 * np.pi * R * C**3 * 2e5 / (12 * MU * (L / 2 - 2e-3)))),
    ):  # fmt: skip
        film = squeeze_film_damper(
            R, L, C, MU, whirl=50.0, cells=(32, 10), grooves=[ring], cavitation=Full()
        )
        centred = Bearing(film).solve(Place())
        assert centred.pressure.max() == pytest.approx(2e5, rel=1e-4)
        orbit.append(circular_orbit(film, 0.01 * C, 50.0))
    assert orbit[0].damping == pytest.approx(orbit[1].damping, rel=1e-2)


def test_bad_input():
    tube, surface = Capillary(SUPPLY, 1e12), pad(0.04, W, (8, 2))
    surface = surface.marked(one=lambda x: x[:, 0] < 0.011, two=lambda x: x[:, 0] > 0.009)
    options = {"gap": FlatGap(), "pressures": {}}
    for restrictors, words in (
        ({"one": 3.0}, "must be Capillary"),
        ({"three": tube}, "no nodes marked 'three'"),
        ({"one": tube, "two": tube}, "'two' meets 'one'"),
    ):
        with pytest.raises(fc.InputError, match=words):
            Film(surface, H, Lubricant(MU), restrictors=restrictors, **options)
    with pytest.raises(fc.InputError, match="'one' meets 'x0'"):
        Film(surface, H, Lubricant(MU), restrictors={"one": tube}, gap=FlatGap(),
             pressures={"x0": 0.0})  # fmt: skip
    with pytest.raises(fc.InputError, match="takes no restrictors"):
        hybrid(thermal=Adiabatic(supply=320.0))
    with pytest.raises(fc.InputError, match="either pressure or restrictor"):
        Groove(0.0, 0.3, 1e5, restrictor=tube)
    for make in (
        lambda: Capillary(0.0, 1.0), lambda: Orifice(SUPPLY, -1.0), lambda: ConstantFlow(0.0),
        lambda: Capillary.tube(SUPPLY, 1e-3, 0.0, MU),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match="positive"):
            make()
