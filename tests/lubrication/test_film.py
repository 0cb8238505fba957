"""The film alone: limits with closed forms, order of convergence, balance of power, tangents."""

from dataclasses import replace

import numpy as np
import pytest
import ufl
from scipy.integrate import cumulative_simpson, simpson, solve_bvp

import fem_clearance  # noqa: F401  (MPI first)
from fem_clearance.errors import InputError
from fem_clearance.lubrication.bearings.bearing import Bearing, Place
from fem_clearance.lubrication.bearings.plain import START, plain_bearing
from fem_clearance.lubrication.closed_forms.journal import LongBearing, ShortBearing
from fem_clearance.lubrication.film.cavitation import JFO, Full, Guembel, Reynolds, Streamers
from fem_clearance.lubrication.film.film import Film
from fem_clearance.lubrication.film.lubricant import Barus, Lubricant, Roelands
from fem_clearance.lubrication.film.surface import cap, cylinder
from fem_clearance.lubrication.film.thickness import CylinderGap, SphereGap
from fem_clearance.lubrication.joints.translational import pad_film

from .balances import dissipated

R, C, MU, SPEED = 15e-3, 0.2e-3, 0.04, 100.0
PLAIN = dict(radius=R, length=2 * R, clearance=C, lubricant=MU, sliding_speed=R * SPEED)


def plain(**changes):
    return Bearing(plain_bearing(**PLAIN | changes))


def turning(e, **more):
    return Place(e=(e * C, 0.0, 0.0), Omega=(0.0, 0.0, SPEED), **more)


def tilted(ratio=0.5):
    return Place(
        e=(ratio * C, -0.2 * C, 0.05 * C), t=(0.2 * C / R, -0.3 * C / R),
        V=(0.1 * C * SPEED, 0.05 * C * SPEED, 0.01 * C * SPEED), Omega=(0.02, -0.03, SPEED),
    )  # fmt: skip


# --- limits -------------------------------------------------------------------------------------
@pytest.mark.parametrize("eps", [0.3, 0.6])
def test_short_bearing(eps):
    """Ocvirk's limit: the error falls with the square of L/D."""
    errors = []
    for ratio in (1 / 16, 1 / 32):
        L = ratio * 2 * R
        bearing = plain(length=L, cells=(96, 24), cavitation=Guembel())
        exact = ShortBearing(R, L, C, MU).force(turning(eps))
        errors.append(np.linalg.norm(bearing.solve(turning(eps)).force - exact))
        errors[-1] /= np.linalg.norm(exact)
    assert errors[0] < 2e-2 and errors[1] < 7e-3


def test_short_bearing_squeezed_in_any_direction():
    L = R / 16
    place = Place(e=(0.3 * C, 0.4 * C, 0), V=(0.4 * C * SPEED, -0.2 * C * SPEED, 0),
                  Omega=(0, 0, SPEED))  # fmt: skip
    for cavitation in (Full(), Guembel()):
        force = plain(length=L, cells=(96, 24), cavitation=cavitation).solve(place).force
        exact = ShortBearing(R, L, C, MU, cavitation).force(place)
        assert np.linalg.norm(force - exact) < 7e-3 * np.linalg.norm(exact)


def long_bearing(cells, **more):
    return plain(length=0.2 * R, cells=(cells, 1), cavitation=Full(), starts_at_largest_gap=True,
                 pressures={}, **more)  # fmt: skip


@pytest.mark.parametrize(
    "place",
    [turning(0.5), Place(e=(0.5 * C, 0, 0), V=(C * SPEED, 0, 0)),
     turning(0.5, V=(0.3 * C * SPEED, 0.2 * C * SPEED, 0))],
    ids=["wedge", "squeeze", "both"],
)  # fmt: skip
def test_long_bearing_and_its_order(place):
    """Sommerfeld's limit, closed ends: second order of the load in the mesh."""
    exact = LongBearing(R, 0.2 * R, C, MU, Full()).force(place)
    errors = [
        np.linalg.norm(long_bearing(n).solve(place).force - exact) / np.linalg.norm(exact)
        for n in (24, 48, 96, 192)
    ]
    assert errors[-1] < 3e-4
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.12)


def test_half_sommerfeld_is_the_positive_half():
    bearing = plain(length=0.2 * R, cells=(192, 1), cavitation=Guembel(), pressures={},
                    starts_at_largest_gap=True)  # fmt: skip
    exact = LongBearing(R, 0.2 * R, C, MU).force(turning(0.6))
    assert np.linalg.norm(bearing.solve(turning(0.6)).force - exact) < 1e-3 * np.linalg.norm(exact)


def test_centred_journal_is_braked_by_shear_alone():
    """Petroff: the moment is 2 pi mu omega R^3 L / c."""
    film = plain(cells=(48, 4)).solve(turning(0.0))
    assert film.moment[2] == pytest.approx(-2 * np.pi * MU * SPEED * R**3 * 2 * R / C, rel=3e-6)
    np.testing.assert_allclose(film.force, 0, atol=1e-9)


def test_misaligned_short_bearing():
    """A tilted journal that turns about its own axis, against the film of a short bearing
    integrated twice along the axis; shear adds to the moment."""
    L, e, t = R / 32, np.array([0.3 * C, 0.1 * C]), np.array([4.0 * C / R, -6.0 * C / R])
    place = Place(e=(*e, 0), t=tuple(t), Omega=(*SPEED * t, SPEED))
    film = plain(length=L, cells=(96, 32), cavitation=Full()).solve(place)
    z, phi = np.linspace(-L / 2, L / 2, 401), np.linspace(0, 2 * np.pi, 721)
    n = np.stack([np.cos(phi), np.sin(phi)])
    along = np.stack([-n[1], n[0]])
    h = C - (e @ n)[:, None] - np.outer(t @ n, z)
    slope = -(e @ along)[:, None] - np.outer(t @ along, z)
    # the surface of a tilted journal slides along the axis too, into a gap that narrows there
    slope += (R * (t @ along) * (t @ n))[:, None]
    flow = cumulative_simpson(6 * MU * SPEED * slope, x=z, initial=0)
    first = cumulative_simpson(flow / h**3, x=z, initial=0)
    second = cumulative_simpson(1 / h**3, x=z, initial=0)
    fed = first[:, -1:] / second[:, -1:]
    p, along_axis = first - second * fed, (flow - fed) / h**3
    shear = MU * SPEED * R / h

    def around(per_angle):
        return -simpson(simpson(per_angle, x=z), x=phi) * R

    def stack(field):  # both components of a field along n and one along the circle
        return n[:, :, None] * field

    force = around(stack(p))
    assert np.linalg.norm(film.force[:2] - force) < 4e-3 * np.linalg.norm(force)
    arm = around(stack(p * z) + along[:, :, None] * shear * z)
    pull = around(stack(h / 2 * along_axis - shear * (t @ along)[:, None])) * R
    moment = np.array([-arm[1] + pull[1], arm[0] - pull[0]])
    assert np.linalg.norm(film.moment[:2] - moment) < 4e-3 * np.linalg.norm(moment)


# --- finite bearings (their forces: tests/literature/test_film_forces.py) -------------------------
def test_order_of_load_and_pressure():
    """Both converge with the square of the cells' size, also where the film cavitates."""
    results = []
    for n in (6, 12, 24, 48):
        film = plain(cells=(4 * n, n), starts_at_largest_gap=True).solve(turning(0.6))
        results.append([np.hypot(*film.force[:2]), film.pressure.max()])
    results = np.array(results)
    steps = np.diff(results, axis=0)
    orders = np.log2(np.abs(steps[:-1] / steps[1:]))
    # the edge of the film lies somewhere between two lines
    assert orders[:, 0].mean() == pytest.approx(2.0, abs=0.2) and orders[:, 0].min() > 1.7
    # the largest nodal pressure jumps about its place
    error = np.abs(results[:-1, 1] / results[-1, 1] - 1)
    assert error[0] < 2e-2 and error[2] < 1e-3


# --- balances and tangents ----------------------------------------------------------------------
#: a model, how far its loss is off the integral on 96x16 cells: where a film
#: breaks inside a cell, or takes up voids it carried, discrete solutions are of first order
MODELS = [(Full(), 5e-6), (Reynolds(), 5e-6), (Guembel(), 2e-4), (JFO(), 2e-3), (Streamers(), 2e-3)]


@pytest.mark.parametrize("supply", [0.0, 5e4])
@pytest.mark.parametrize(("model", "most"), MODELS, ids=lambda m: type(m).__name__)
def test_power_balance(model, most, supply):
    """What the journal loses and what a groove feeds, pressure times inflow, is what the film turns
    into heat, on any mesh; and that is the integral of Reynolds' theory over the bore."""
    off = []
    for cells in ((24, 4), (48, 8), (96, 16)):
        surface = cylinder(R, 2 * R, cells).marked(groove=lambda x: x[:, 0] < -(1 - 1e-9) * R)
        pressures = {"z0": 0.0, "z1": 0.0, "groove": supply}
        film = Film(surface, C, Lubricant(MU), model, pressures, sliding_speed=R * SPEED)
        place = tilted()
        found = Bearing(film).solve(place)
        fed = -supply * found.outflow["groove"]
        lost = -(found.force @ place.V + found.moment @ place.Omega)
        assert lost + fed == pytest.approx(found.power_loss, rel=1e-9) and lost > 0
        assert (fed > 1e-3 * lost) == (supply > 0)
        own = dissipated(
            found, surface.corners[0], surface.nodes, C, MU,
            cancelled=isinstance(model, Guembel), broken=isinstance(model, Streamers),
        )  # fmt: skip
        off.append(abs(found.power_loss / own - 1))
    assert off[2] < most, off


@pytest.mark.parametrize("model", [Full(), Guembel(), Reynolds()], ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("law", [Lubricant(MU), Roelands(MU, 0.6)], ids=["constant", "roelands"])
def test_coefficients_are_derivatives(model, law):
    """Stiffness and damping against central differences of solutions, a tilted moving journal."""
    bearing = Bearing(
        plain_bearing(**PLAIN | dict(lubricant=law), cells=(24, 4), cavitation=model),
        tolerance=1e-13,
    )
    place = tilted()
    film = bearing.solve(place)
    units = np.array([C] * 3 + [C / R] * 2 + [C * SPEED] * 3 + [SPEED] * 3)

    def loads(numbers):
        parts = [tuple(z) for z in np.split(numbers, (3, 5, 8))]
        there = bearing.solve(Place(*parts))
        return np.concatenate([there.force, there.moment / R])

    exact = -np.hstack([film.stiffness, film.damping])
    exact[3:] /= R
    for k, unit in enumerate(units):
        step = 1e-6 * unit * np.eye(11)[k]
        column = (loads(place.numbers + step) - loads(place.numbers - step)) / 2e-6
        size = np.abs(exact * units).max()
        np.testing.assert_allclose(exact[:, k] * unit, column, atol=2e-6 * size)


def test_turned_bearing():
    """Everything turned about the axis by an odd angle gives the turned answer."""
    angle = 0.7
    Q = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    first, place = plain(cells=(48, 8)).solve(tilted()), tilted()
    axes = np.eye(3)
    axes[:2, :2] = Q
    moved = Place(tuple(axes @ place.e), tuple(Q @ place.t), tuple(axes @ place.V),
                  tuple(axes @ place.Omega))  # fmt: skip
    second = plain(cells=(48, 8), narrowest=angle).solve(moved)
    size = abs(first.force).max()
    np.testing.assert_allclose(second.force, axes @ first.force, atol=1e-9 * size)
    np.testing.assert_allclose(second.moment, axes @ first.moment, atol=1e-9 * R * size)
    # the mesh's own direction hardly matters
    third = plain(cells=(96, 8)).solve(moved)
    fourth = plain(cells=(96, 8)).solve(tilted())
    np.testing.assert_allclose(third.force, axes @ fourth.force, atol=1e-3 * size)


def test_pressure_cannot_be_negative_and_complements():
    bearing = plain(cells=(48, 8))
    film = bearing.solve(turning(0.8))
    assert film.pressure.min() > -1e-9 * film.pressure.max()
    assert (film.pressure < 1e-9 * film.pressure.max()).sum() > len(film.pressure) / 4


@pytest.mark.parametrize("film", [plain_bearing, ShortBearing])
def test_the_former_name_of_the_sliding_speed(film):
    with pytest.warns(DeprecationWarning, match="speed is called sliding_speed now"):
        assert film(R, 2 * R, C, MU, speed=3.0).sliding_speed == 3.0


# --- viscosity that depends on pressure ---------------------------------------------------------
@pytest.mark.parametrize("law", [Barus(MU, 2e-8), Roelands(MU, 0.6)], ids=["barus", "roelands"])
def test_piezoviscous_long_bearing(law):
    """Reynolds' equation round a long bearing by SciPy's boundary value solver."""
    c, speed, eps = 0.05e-3, 1000.0, 0.6

    def viscosity(p):
        if isinstance(law, Barus):
            return MU * np.exp(law.alpha * p)
        return MU * np.exp((np.log(MU) + 9.67) * ((1 + p / 1.96e8) ** law.z - 1))

    def thickness(phi):
        return c * (1 - eps * np.cos(phi))

    unit = 6 * MU * speed * (R / c) ** 2

    def rates(phi, y, constant):  # h^3 dp/dphi = 6 mu omega R^2 (h - h*)
        h = thickness(phi)
        return [6 * viscosity(y[0] * unit) * speed * R**2 * (h - constant[0] * c) / h**3 / unit]

    phi = np.linspace(-np.pi, np.pi, 4001)
    exact = solve_bvp(rates, lambda a, b, _: np.array([a[0], b[0]]), phi, 0 * phi[None], [0.5],
                      tol=1e-8, max_nodes=100_000)  # fmt: skip
    assert exact.success
    p = exact.sol(phi)[0] * unit
    force = -R * 0.2 * R * simpson(p * np.stack([np.cos(phi), np.sin(phi)]), x=phi)
    film = long_bearing(192, clearance=c, lubricant=law, sliding_speed=R * speed, crowd=0.8).solve(
        Place(e=(eps * c, 0, 0), Omega=(0, 0, speed))
    )
    assert np.linalg.norm(film.force[:2] - force) < 2e-3 * np.linalg.norm(force)
    assert film.pressure.max() == pytest.approx(p.max(), rel=2e-3)
    constant = LongBearing(R, 0.2 * R, c, MU, Full()).force(
        Place(e=(eps * c, 0, 0), Omega=(0, 0, speed))
    )
    assert np.linalg.norm(force) > 1.02 * np.linalg.norm(constant)


# --- gaps and input -----------------------------------------------------------------------------
@pytest.mark.parametrize("gap", [CylinderGap, SphereGap])
def test_gap_by_numbers(gap):
    """``closing`` of an array is that of each point."""
    points = R * np.random.default_rng(3).normal(size=(5, 3))
    e, t = np.array([1e-4, -2e-5, 3e-5]), np.array([1e-3, -2e-3])
    wanted = [float(gap.closing(ufl.as_vector(x), ufl.as_vector(e), t)(())) for x in points]
    np.testing.assert_allclose(gap.closing(points.T, e, t), wanted, rtol=1e-13)


def test_bad_input():
    with pytest.raises(InputError, match="viscosity must be positive"):
        plain(lubricant=0.0)
    with pytest.raises(InputError, match="clearance must be positive"):
        plain(clearance=-1e-4)
    with pytest.raises(InputError, match="no nodes marked 'hole'"):
        plain(pressures={"z0": 0.0, "hole": 1e5})
    with pytest.raises(InputError, match="needs 0 or more"):
        plain(pressures={"z0": -1e5, "z1": 0.0})
    with pytest.raises(InputError, match="even number"):
        plain(cells=(47, 8), starts_at_largest_gap=True)
    with pytest.raises(InputError, match="no node lies in 'hole'"):
        cylinder(R, R).marked(hole=lambda x: x[:, 0] > 2 * R)
    for answer in (lambda x: True, [0, 1]):
        with pytest.raises(InputError, match="must be a function of places"):
            cylinder(R, R).marked(hole=answer)
    for part, message in (
        ({"surface": "bore"}, "surface must be a Surface"),
        ({"lubricant": MU}, "lubricant must be a Lubricant"),
        ({"cavitation": "jfo"}, "cavitation must be a Cavitation"),
        ({"gap": CylinderGap}, "gap must be a Gap"),
        ({"surface": cap(R), "pressures": {}}, "crosses the axis"),
        ({"clearance": 1.01 * R}, "no radius left"),
    ):
        with pytest.raises(InputError, match=message):
            replace(plain(cells=(12, 2)).film, **part)
    with pytest.raises(InputError, match="no radius left"):
        ShortBearing(R, R, 2 * R, MU)
    for shallow in (
        plain_bearing(**PLAIN, cells=(16, 1)),
        pad_film(R, R, C, MU, sliding_speed=1.0, cells=(1, 4)),
    ):
        with pytest.raises(InputError, match="film: the pressure is given at all of its nodes"):
            Bearing(shallow)
    bearing = plain(cells=(12, 2))
    with pytest.raises(InputError, match="touches the bearing"):
        bearing.solve(turning(1.0))
    with pytest.raises(InputError, match="t must be a vector of 2"):
        bearing.solve(Place(t=(0, 0, 0)))
    assert START in plain(cells=(12, 2), starts_at_largest_gap=True).film.surface.sets
    assert isinstance(bearing.film, Film)
    with pytest.raises(InputError, match="parallel axes"):
        ShortBearing(R, R, C, MU).force(tilted())
    with pytest.raises(InputError, match="centre rests"):
        LongBearing(R, R, C, MU).force(Place(V=(1, 0, 0)))
