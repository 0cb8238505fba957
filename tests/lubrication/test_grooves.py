"""Grooves of bearings: closed forms in one dimension, arrangements that are symmetric."""

import numpy as np
import pytest
from scipy.integrate import quad

import fem_clearance as fc
from fem_clearance.lubrication import (
    JFO,
    Bearing,
    Full,
    Groove,
    Lobe,
    PivotedPad,
    Place,
    ThrustBearing,
    TiltingPad,
    TiltingPadBearing,
    bearing_on,
    cap,
    cylinder,
    equilibrium,
    lobed_bearing,
    pad,
    pad_film,
    plain_bearing,
    sector,
    squeeze_film_damper,
)

R, L, C, MU, SPEED, SUPPLY = 15e-3, 30e-3, 1e-4, 0.04, 100.0, 2e5
FEED = {"sliding_speed": R * SPEED, "cavitation": Full()}


def turn(angle, vector):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]]) @ vector


@pytest.mark.parametrize("crowd, narrowest", [(0.0, 0.0), (0.8, 0.3)])
def test_edges_of_grooves_are_lines_of_nodes(crowd, narrowest):
    grooves = (Groove(1.7, 0.31, SUPPLY, 0.02, 0.003), Groove(-1.5, 0.2, 0.0, 0.013))
    film = plain_bearing(
        R, L, C, MU, cells=(48, 12), crowd=crowd, narrowest=narrowest, grooves=grooves,
        starts_at_largest_gap=True,
    )  # fmt: skip
    for k, groove in enumerate(grooves):
        x = film.surface.nodes[film.surface.sets[f"groove{k + 1}"]]
        angle = np.arctan2(x[:, 1], x[:, 0])
        low, high = groove.angle - groove.width / 2, groove.angle + groove.width / 2
        assert (angle.min(), angle.max()) == pytest.approx((low, high), abs=1e-12)
        ends = groove.place - groove.length / 2, groove.place + groove.length / 2
        assert (x[:, 2].min(), x[:, 2].max()) == pytest.approx(ends, abs=1e-12)
    coarse = getattr(film.surface, "coarser", None)
    while coarse is not None:  # a start for finer ones: its nodes are among theirs
        away = np.linalg.norm(coarse.nodes[:, None] - film.surface.nodes, axis=2).min(axis=1)
        assert away.max() < 1e-9 * R
        coarse = coarse.coarser
    assert film.surface.areas().sum() == pytest.approx(2 * np.pi * R * L, rel=1e-5)
    assert np.hypot(*film.surface.points[:, :2].T) == pytest.approx(R, rel=1e-12)


def test_flow_of_a_ring():
    """Journal in the middle: Poiseuille's flow from the ring to both ends."""
    ring = Groove(0.0, 2 * np.pi, SUPPLY, 0.006, 0.004)
    film = plain_bearing(R, L, C, MU, cells=(24, 9), grooves=(ring,), **FEED)
    state = Bearing(film).solve(Place())
    for end, way in (("z0", L / 2 + 0.001), ("z1", L / 2 - 0.007)):
        flow = 2 * np.pi * R * C**3 / (12 * MU) * SUPPLY / way
        assert state.outflow[end] == pytest.approx(flow, rel=1e-5)
    assert np.abs(state.force).max() < 1e-9 * SUPPLY * R * L


@pytest.mark.parametrize("drag", [True, False])
def test_drag_over_grooves(drag, caplog):
    """Petroff's moment of the bore, without that of smooth grooves; what the journal loses and the
    supply feeds is what the film dissipates."""
    grooves = [
        Groove(0.0, 2 * np.pi, SUPPLY, 0.006, drag=drag), Groove(1.0, 0.5, SUPPLY, 0.004, 0.01),
    ]  # fmt: skip
    with caplog.at_level("INFO", "fem_clearance"):
        film = plain_bearing(R, L, C, MU, cells=(48, 15), grooves=grooves, **FEED)
    assert ("groove1, groove2: the oil is sheared" if drag else "groove2: the oil") in caplog.text
    state = Bearing(film).solve(Place(Omega=(0, 0, SPEED)))
    sheared = 2 * np.pi * L - (0 if drag else 2 * np.pi * 0.006)
    assert -state.moment[2] == pytest.approx(MU * SPEED * R**3 / C * sheared, rel=3e-5)
    fed = -SUPPLY * (state.outflow["groove1"] + state.outflow["groove2"])
    assert state.power_loss == pytest.approx(fed - state.moment[2] * SPEED, rel=1e-9)


def between(low, high, first, last, ratio, speed):
    """Pressure (function of the angle) of a film without flow along the axis between two angles at
    which it is given: h^3 p' / (12 mu R^2) = omega h / 2 + K."""
    h = lambda a: C * (1 - ratio * np.cos(a))  # noqa: E731
    cube = quad(lambda a: h(a) ** -3, low, high, epsrel=1e-12)[0]
    square = quad(lambda a: h(a) ** -2, low, high, epsrel=1e-12)[0]
    unit = 12 * MU * R**2
    K = ((last - first) / unit - speed / 2 * square) / cube
    slope = lambda a: unit * (speed / 2 * h(a) ** -2 + K * h(a) ** -3)  # noqa: E731
    return lambda a: first + quad(slope, low, a, epsrel=1e-10)[0]


def moment(pressure, along, low, high):
    return quad(lambda a: pressure(a) * along(a), low, high, epsrel=1e-9)[0]


@pytest.mark.parametrize("speed", [0.0, SPEED])
def test_two_grooves_in_one_dimension(speed):
    """Grooves of different pressure from end to end of a bearing with sealed ends: the force of the
    pressure round the bearing by quadrature, to second order in the cells."""
    ratio, p = 0.4, (SUPPLY, 0.5 * SUPPLY)
    middles, widths = (0.9, 3.5), (0.3, 0.5)
    grooves = [Groove(*z, L) for z in zip(middles, widths, p, strict=True)]
    edges = [(m - w / 2, m + w / 2) for m, w in zip(middles, widths, strict=True)]
    force = np.zeros(2)
    for k, (low, high) in enumerate(((edges[0][1], edges[1][0]),
                                     (edges[1][1], edges[0][0] + 2 * np.pi))):  # fmt: skip
        pressure = between(low, high, p[k], p[1 - k], ratio, speed)
        force -= R * L * np.array([moment(pressure, z, low, high) for z in (np.cos, np.sin)])
    for k, (low, high) in enumerate(edges):
        force -= R * L * p[k] * np.array([np.sin(high) - np.sin(low), np.cos(low) - np.cos(high)])
    errors = []
    for cells in (48, 96):
        film = plain_bearing(R, L, C, MU, cells=(cells, 1), pressures={}, grooves=grooves, **FEED)
        state = Bearing(film).solve(Place(e=(ratio * C, 0, 0), Omega=(0, 0, speed)))
        errors.append(np.linalg.norm(state.force[:2] - force) / np.linalg.norm(force))
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4, abs=0.4)


def test_symmetric_arrangement():
    """Four equal grooves: a centred journal at rest feels no force, and is held as stiffly in one
    direction as in any other; three of them push it towards the missing one."""
    four = [Groove(k * np.pi / 2, 0.35, SUPPLY, 0.02) for k in range(4)]
    state = Bearing(plain_bearing(R, L, C, MU, cells=(64, 9), grooves=four, **FEED)).solve(Place())
    size = SUPPLY * R * L
    assert np.abs(state.force).max() < 1e-9 * size
    K = state.stiffness[:2, :2]
    assert K[0, 0] == pytest.approx(K[1, 1], rel=1e-9) and K[0, 0] > 0.01 * size / C
    assert np.abs(K[0, 1]) < 1e-9 * K[0, 0]
    film = plain_bearing(R, L, C, MU, cells=(64, 9), grooves=four[:3], **FEED)
    force = Bearing(film).solve(Place()).force
    assert abs(force[0]) < 1e-9 * size and force[1] < -0.1 * size


def test_the_answer_turns_with_grooves_and_load():
    """Everything turned by 45 degrees (a whole number of cells): so is the journal's place."""
    load = np.array([0.0, -60.0])
    places = []
    for angle in (0.0, np.pi / 4):
        grooves = [Groove(a + angle, 0.3, SUPPLY, 0.02) for a in (0.4, 2.6)]
        film = plain_bearing(R, L, C, MU, cells=(48, 9), grooves=grooves, sliding_speed=R * SPEED)
        state = equilibrium(Bearing(film), turn(angle, load), SPEED)
        places.append(turn(-angle, state.place.e[:2]))
    assert places[0] == pytest.approx(places[1], abs=1e-8 * C)
    assert np.linalg.norm(places[0]) > 0.1 * C


def test_what_grooves_feed_leaves_at_the_ends():
    grooves = [Groove(0.8, 0.3, SUPPLY, 0.02, drag=False), Groove(2.2, 0.3, 0.0, 0.01, 0.004)]
    film = plain_bearing(
        R, L, C, MU, cells=(48, 9), grooves=grooves, sliding_speed=R * SPEED, cavitation=JFO()
    )
    state = Bearing(film).solve(Place(e=(0.6 * C, 0, 0), Omega=(0, 0, SPEED)))
    assert state.void.max() > 0.05 * C
    fed = -(state.outflow["groove1"] + state.outflow["groove2"])
    assert fed > 1e-7
    assert state.outflow["z0"] + state.outflow["z1"] == pytest.approx(fed, rel=1e-9)


def test_bad_input():
    for options, words in (
        ({"angle": 0.0, "width": 7.0}, "width"),
        ({"angle": np.inf, "width": 0.1}, "angle"),
        ({"angle": 0.0, "width": 0.1, "length": 0.0}, "length"),
    ):
        with pytest.raises(fc.InputError, match=words):
            Groove(**options)
    with pytest.raises(fc.InputError, match="reaches from"):
        plain_bearing(R, L, C, MU, grooves=[Groove(0.0, 0.2, SUPPLY, 0.02, 0.01)])
    with pytest.raises(fc.InputError, match="too few"):
        plain_bearing(R, L, C, MU, cells=(5, 2), grooves=[Groove(k, 0.2, 1.0) for k in range(4)])
    with pytest.raises(fc.InputError, match="no node lies in 'groove1'"):
        bearing_on(cylinder(R, L, (12, 2)), C, MU, grooves=[Groove(0.2, 0.05, SUPPLY)])
    with pytest.raises(fc.InputError, match="must be Groove"):
        bearing_on(cylinder(R, L, (12, 2)), C, MU, grooves=[0.3])
    for make in (
        lambda **more: plain_bearing(R, L, C, MU, **more),
        lambda **more: bearing_on(cylinder(R, L, (12, 2)), C, MU, **more),
    ):
        with pytest.raises(fc.InputError, match=r"must be a list such as \[Groove\(angle, width, "):
            make(grooves=Groove(0.0, 0.2))


LOBE, PAD = Lobe(0.0, 2.0), TiltingPad(0.0, 1.0, 0.01)


@pytest.mark.parametrize("cells", [48, (48,), (48, 6, 2), "48x6", None, (0, 6), (4.5, 6)])
@pytest.mark.parametrize(
    "make",
    [
        lambda n: plain_bearing(R, L, C, MU, cells=n),
        lambda n: squeeze_film_damper(R, L, C, MU, whirl=600.0, cells=n),
        lambda n: lobed_bearing(R, L, C, MU, [LOBE], cells=n),
        lambda n: TiltingPadBearing(R, L, C, MU, [PAD], cells=n),
        lambda n: ThrustBearing(PivotedPad(0.04, 0.08, 0.7), 6, 3e-5, MU, cells=n),
        lambda n: pad_film(0.1, 0.02, 2e-5, MU, cells=n),
        lambda n: cylinder(R, L, n),
        lambda n: pad(L, L, n),
        lambda n: sector(0.03, 0.05, 0.7, n),
        lambda n: cap(R, 1.0, n),
    ],
)
def test_numbers_of_cells(make, cells):
    with pytest.raises(fc.InputError, match="cells must be (two|a) whole number"):
        make(cells)


def test_one_for_a_list():
    for make, words in (
        (lambda: lobed_bearing(R, L, C, MU, LOBE), r"\[Lobe\(angle, arc"),
        (lambda: lobed_bearing(R, L, C, MU, [0.3]), r"must be Lobe\(angle, arc"),
        (lambda: lobed_bearing(R, L, C, MU, [LOBE], pockets=3), r"\[Pocket\("),
        (lambda: TiltingPadBearing(R, L, C, MU, PAD), r"\[TiltingPad\(angle, arc"),
    ):
        with pytest.raises(fc.InputError, match=words):
            make()
