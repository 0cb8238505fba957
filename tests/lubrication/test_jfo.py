"""Films that conserve their lubricant, in steady motion: fronts of a long bearing against an
independent solution, balance of flows, starts, supplies, coarse meshes, bad input."""

from mpi4py import MPI  # noqa: F401

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from fem_clearance.errors import InputError
from fem_clearance.lubrication.bearings.bearing import Bearing, Place
from fem_clearance.lubrication.film.cavitation import JFO, Reynolds, Streamers
from fem_clearance.lubrication.film.film import Film
from fem_clearance.lubrication.film.lubricant import Lubricant
from fem_clearance.lubrication.film.surface import cylinder, pad
from fem_clearance.lubrication.film.thickness import FlatGap

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
U, L = SPEED * R, 2 * R


def at(degrees):
    """Nodes of the line at an angle."""
    direction = np.exp(1j * np.radians(degrees))
    return lambda x: np.abs(x[:, 0] + 1j * x[:, 1] - R * direction) < 1e-6 * R


def bearing(cells=(48, 8), model=None, supply=0.0, angle=180.0, **more):
    surface = cylinder(R, L, cells).marked(groove=at(angle))
    pressures = {"z0": 0.0, "z1": 0.0, "groove": supply}
    return Bearing(
        Film(surface, C, Lubricant(MU), model or JFO(), pressures, sliding_speed=U, **more)
    )


def turning(eps):
    return Place(e=(eps * C, 0.0, 0.0), Omega=(0.0, 0.0, SPEED))


# --- fronts -------------------------------------------------------------------------------------
class LongBearing:
    """Fronts of an endless bearing that an axial groove at ``start`` keeps under pressure.

    Behind the groove the film is whole up to rupture, where p = p' = 0 and so h_c = 2 q / U; it
    carries h_c on, until it meets the lubricant that the groove presses back:
    p' = 6 mu U (h - h_c) / h^3 on both sides.
    """

    def __init__(self, eps, start, supply):
        self.eps, self.start, self.supply = eps, start, supply

        def rise(h_c, a, b):
            f = lambda s: 6 * MU * U * (self.h(s) - h_c) / self.h(s) ** 3 * R  # noqa: E731
            return quad(f, a, b, epsabs=0, epsrel=1e-11, limit=200)[0]

        def rupture(h_c):
            # behind the smallest gap (at 2 pi) the gap opens
            return 2 * np.pi + np.arccos((1 - h_c / C) / eps)

        low, high = C * (1 - eps) * (1 + 1e-9), self.h(start)
        self.h_c = brentq(lambda h: supply + rise(h, start, rupture(h)), low, high, xtol=1e-16)
        self.rupture = rupture(self.h_c)
        # back from the groove to where the pressure is gone
        end = start + 2 * np.pi
        least = 2 * np.pi + np.pi
        self.reformation = brentq(
            lambda a: supply - rise(self.h_c, a, end), least - 1.0, end - 1e-6, xtol=1e-13
        )

    def h(self, angle):
        return C * (1 - self.eps * np.cos(angle))


def ring(cells, start, supply):
    surface = cylinder(R, L, (cells, 1)).marked(groove=at(np.degrees(start)))
    return Bearing(Film(surface, C, Lubricant(MU), JFO(), {"groove": supply}, sliding_speed=U))


@pytest.mark.parametrize("eps", [0.4, 0.8])
def test_fronts_of_a_long_bearing(eps):
    """Rupture and reformation to a cell; what is carried."""
    start, supply = 1.25 * np.pi, 2e4
    exact = LongBearing(eps, start, supply)
    assert 2 * np.pi < exact.rupture < exact.reformation < start + 2 * np.pi
    errors = []
    for cells in (64, 256):
        item = ring(cells, start, supply)
        film = item.solve(turning(eps))
        void, width = film.void, 2 * np.pi / cells
        x = item.film.surface.nodes
        angle = np.mod(np.arctan2(x[:, 1], x[:, 0]) - start - 1e-9, 2 * np.pi) + start
        broken = np.sort(np.unique(np.round(angle[void > 1e-12 * C], 9)))
        assert broken.min() == pytest.approx(exact.rupture, abs=1.01 * width)
        assert broken.max() == pytest.approx(exact.reformation, abs=1.01 * width)
        assert len(broken) == pytest.approx(np.ptp(broken) / width + 1)  # one stretch, no holes
        middle = np.abs(angle - (exact.rupture + exact.reformation) / 2) < 0.6 * width
        # a node's void flows in the cell behind it
        carried = exact.h(angle[middle] + width / 2) - void[middle]
        errors.append(np.abs(carried / exact.h_c - 1).max())
        # no ends: what enters at the groove leaves there
        assert abs(film.outflow["groove"]) < 1e-12 * U * C * L
    assert errors[1] < errors[0] / 3 and errors[1] < 1e-3, errors


# --- flows and loads ----------------------------------------------------------------------------
@pytest.mark.parametrize("cells", [(8, 2), (24, 4), (48, 8)])
@pytest.mark.parametrize("angle", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("supply", [0.0, 2e4])
def test_flows_balance(cells, angle, supply):
    """What enters at the groove leaves at the ends, to round-off, on any mesh."""
    item = bearing(cells, supply=supply, angle=angle)
    film = item.solve(turning(0.6))
    flows = np.array([*film.outflow.values()])
    # without supply nothing may enter at all: then the round-off of what the journal carries round
    assert abs(flows.sum()) < max(1e-12 * np.abs(flows).max(), 1e-14 * U * C * L)
    unit = item.film.pressure_unit
    assert film.pressure.min() > -1e-9 * unit
    void = film.void
    assert void.min() > -1e-9 * C and np.all(void < film.thickness)
    assert np.max(film.pressure / unit * void / C) < 1e-9


@pytest.mark.parametrize("eps, exact", [(0.3, 0.23843), (0.6, 0.46899), (0.9, 0.69512)])
def test_side_flow_is_that_of_pressure(eps, exact):
    """Ends draw nothing in beside a broken film: on 16 cells along the axis within .1 % of the flow
    of Reynolds' film on 64 (96x64, by U C L; own calculation)."""
    flow = bearing((96, 16)).solve(turning(eps)).outflow
    assert (flow["z0"] + flow["z1"]) / (U * C * L) == pytest.approx(exact, rel=1e-3)
    assert flow["groove"] == pytest.approx(-flow["z0"] - flow["z1"], rel=1e-11)


@pytest.mark.parametrize("eps", [0.2, 0.6, 0.9])
def test_agrees_with_reynolds_where_lubricant_abounds(eps):
    """The groove floods the largest gap: rupture is all there is, and Reynolds' condition is right;
    the Sommerfeld number of the prototypes (L/D = 1, 192x32) is 1.3148 at eps .6."""
    loads = [bearing(model=model).solve(turning(eps)).force for model in (Reynolds(), JFO())]
    np.testing.assert_allclose(loads[1], loads[0], rtol=1e-7, atol=1e-7 * abs(loads[0]).max())


def test_starvation_takes_load():
    """A groove behind the smallest gap feeds less than Reynolds' condition assumes."""
    loads = [
        np.linalg.norm(bearing(model=model, angle=45.0).solve(turning(0.5)).force)
        for model in (Reynolds(), JFO())
    ]
    assert 0.3 * loads[0] < loads[1] < 0.95 * loads[0]


def test_order_of_convergence():
    loads = [
        np.linalg.norm(bearing((n, n // 4), supply=2e4, angle=90.0).solve(turning(0.6)).force)
        for n in (16, 32, 64)
    ]
    assert 1.5 < abs(loads[1] - loads[0]) / abs(loads[2] - loads[1]) < 6.0


@pytest.mark.parametrize("supply", [2e3, 2e4, 2e5])
@pytest.mark.parametrize("eps", [0.1, 0.5, 0.9])
def test_any_start(eps, supply):
    """Newton's method from a full and from an empty film; a hole, 24x6 cells."""
    surface = cylinder(R, L, (24, 6)).marked(hole=lambda x: (x[:, 0] > 0.99 * R) & (x[:, 2] == 0))
    item = Bearing(
        Film(
            surface,
            C,
            Lubricant(MU),
            JFO(),
            {"z0": 0.0, "z1": 0.0, "hole": supply},
            sliding_speed=U,
        )
    )
    full = item.solve(turning(eps))
    state = item.state
    state.q[: state.owned] = 0.0
    at_void = item.at_complement
    state.q[at_void[at_void < state.owned]] = C
    empty = item.solve(turning(eps))
    np.testing.assert_allclose(empty.force, full.force, rtol=1e-7, atol=1e-9)
    assert max(full.iterations, empty.iterations) <= 25


def test_streamers_drag_less():
    """Pressures are the same, the broken part drags by its filled part."""
    wet, streamers = (bearing(model=m).solve(turning(0.6)) for m in (JFO(), Streamers()))
    np.testing.assert_allclose(streamers.pressure, wet.pressure, atol=1e-9 * wet.pressure.max())
    assert 0.7 * -wet.moment[2] < -streamers.moment[2] < 0.95 * -wet.moment[2]


def test_coefficients_are_derivatives():
    """Stiffness and damping against central differences of solutions."""
    item = bearing((24, 4), supply=2e4)
    item.newton.tolerances.tolerance = 1e-12
    place = Place(e=(0.5 * C, 0.1 * C, 0), V=(1e-3 * U, 2e-3 * U, 0), Omega=(0, 0, SPEED))
    film = item.solve(place)
    step = 1e-6
    for k in range(2):
        for name, unit, matrix in (("e", C, film.stiffness), ("V", C * SPEED, film.damping)):
            forces = []
            for sign in (1, -1):
                moved = np.array(getattr(place, name), float)
                moved[k] += sign * step * unit
                forces.append(item.solve(place._replace(**{name: tuple(moved)})).force)
            slope = -(forces[0] - forces[1]) / (2 * step * unit)
            np.testing.assert_allclose(
                matrix[:2, k], slope[:2], rtol=1e-5, atol=1e-5 * np.abs(matrix[:2, :2]).max()
            )


# --- pads and input -----------------------------------------------------------------------------
def test_slider():
    """A plane slider of infinite width: closed form, W = 6 mu U L^2 / (h0^2 (K - 1)^2) (ln K -
    2 (K - 1)/(K + 1)); tilted by the slider's lean or by the pad's shape."""
    length, h0, K = 0.1, 1e-4, 2.2
    load = np.log(K) - 2 * (K - 1) / (K + 1)
    load *= 6 * MU * 1.0 * length**2 / (h0 * (K - 1)) ** 2 * 0.01
    slope = (K - 1) * h0 / length
    surface = pad(length, 0.01, (200, 1))
    edges = {"x0": 0.0, "x1": 0.0}
    by_shape = Film(
        surface, h0, Lubricant(MU), JFO(), edges, gap=FlatGap(),
        recess=lambda x: slope * (length - x[:, 0]),
    )  # fmt: skip
    by_lean = Film(surface, K * h0, Lubricant(MU), JFO(), edges, gap=FlatGap())
    # a slider that leans by -slope closes the gap by slope x and takes its shape along: the wedge
    # is that of a pad seen from the slider, and works when the slider moves backwards
    for film, place in (
        (by_shape, Place(V=(1.0, 0, 0))),
        (by_lean, Place(t=(-slope, 0), V=(-1.0, 0, 0))),
    ):
        assert -Bearing(film).solve(place).force[2] == pytest.approx(load, rel=1e-4)


def test_unfed_film():
    surface = cylinder(R, L, (24, 4))
    item = Bearing(Film(surface, C, Lubricant(MU), JFO(), sliding_speed=U))
    with pytest.raises(InputError, match="nothing feeds it"):
        item.solve(turning(0.5))
    squeezed = item.solve(Place(e=(0.5 * C, 0, 0), V=(1e-3, 0, 0)))
    assert squeezed.force[0] < 0  # from the ends, while the surfaces move


def test_bad_input():
    surface = pad(0.1, 0.01, (8, 1))
    flat = {"surface": surface, "clearance": C, "lubricant": Lubricant(MU), "gap": FlatGap()}
    with pytest.raises(InputError, match="0 or more"):
        Film(**flat, cavitation=JFO(), pressures={"x0": -1.0, "x1": 0.0})
    with pytest.raises(InputError, match="recess must return"):
        Film(**flat, pressures={"x0": 0.0}, recess=lambda x: np.full(3, np.nan)).depths()
    with pytest.raises(InputError, match="length"):
        pad(0.0, 0.01)
