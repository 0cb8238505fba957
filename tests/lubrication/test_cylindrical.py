"""Closed forms and dry contact under a film in cylindrical joints of a running system.

The bearing: R 15 mm, c 0.1 mm, 0.04 Pa s, journal of 1 kg at 1000 rad/s. Axes are those of the
ground; the motion is plane but for the Reynolds film's moments.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, root
from scipy.special import gamma, pbdv
from ufl import as_ufl

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.lubrication import (
    JFO,
    Asperities,
    Bearing,
    ClosedForm,
    CylindricalFilm,
    Film,
    Full,
    Guembel,
    LongBearing,
    Lubricant,
    LubricatedCylindrical,
    LubricatedSpherical,
    Place,
    Reynolds,
    ShortBearing,
    SphericalSqueeze,
    Streamers,
    Transition,
    cylinder,
    plain_bearing,
)
from fem_clearance.lubrication.film.asperities import contacts

from .balances import run

R, C, MU, SPIN = 0.015, 1e-4, 0.04, 1000.0
AXIS = (0, 0, 1)
#: keeps its spin and its direction
HEAVY = (1e3, 1e3, 1e3)


def short(L=R / 2, cavitation=None, c=C):
    return ShortBearing(R, L, c, MU, cavitation or Guembel(), sliding_speed=R * SPIN)


def rotor(
    film, load=(0, 0, 0), at=(0, 0), spin=SPIN, joint=CylindricalFilm, inertia=HEAVY, comm=None,
    **more,
):  # fmt: skip
    """A journal with a constant load in a bearing on the ground."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    journal = system.add(
        fc.RigidBody(1.0, inertia, position=(*np.multiply(C, at), 0), name="journal",
                     angular_velocity=(0, 0, spin))
    )  # fmt: skip
    system.add(
        joint(system.ground.at((0, 0, 0)), journal.center, AXIS, film=film, name="film", **more)
    )
    if np.any(load):
        system.add(fc.Force(journal.center, load, name="load"))
    return system


# --- closed forms -------------------------------------------------------------------------------
X, WEIGHTS = np.polynomial.legendre.leggauss(200)


def ocvirk(L, e, V, omega):
    """Force of a short film by Gauss's rule over the half that closes, N."""
    v = V - omega / 2 * np.array([-e[1], e[0]])
    angle = np.arctan2(v[1], v[0]) + np.pi / 2 * X
    n = np.stack([np.cos(angle), np.sin(angle)])
    along = np.stack([-n[1], n[0]])
    rate = -omega * (e @ along) - 2 * (V @ n)
    return MU * R * L**3 / 2 * np.pi / 2 * n @ (WEIGHTS * rate / (C - e @ n) ** 3)


def sommerfeld(L, e, V, omega):
    """Force of a long full film: the pressure integrated round the bearing on a fine grid, N."""
    angle = np.linspace(0, 2 * np.pi, 2001)
    n = np.stack([np.cos(angle), np.sin(angle)])
    h, width = C - e @ n, angle[1]
    # h^3 / (12 mu R^2) dp/dangle = omega h / 2 - int V . n - flow; the pressure closes
    flow = omega * h / 2 - np.stack([n[1], -n[0]]).T @ V
    slope, unit = 12 * MU * R**2 * flow / h**3, 12 * MU * R**2 / h**3
    slope -= unit * np.trapezoid(slope, dx=width) / np.trapezoid(unit, dx=width)
    # by parts: the force is -L R int p n
    return L * R * np.trapezoid(slope * np.stack([n[1], -n[0]]), dx=width, axis=1)


@pytest.mark.parametrize("eps", [0.0, 0.3, 0.95])
def test_forces_by_quadrature(eps):
    """Booker's integrals of half a short film and Sommerfeld's of a long one, for any motion of the
    centre."""
    e, V = eps * C * np.array([0.6, -0.8]), C * SPIN * np.array([0.3, 0.4])
    place = Place((*e, 0), V=(*V, 0), Omega=(0, 0, SPIN))
    assert short().force(place)[:2] == pytest.approx(ocvirk(R / 2, e, V, SPIN), rel=1e-9)
    long = LongBearing(R, R, C, MU, Full())
    assert long.force(place)[:2] == pytest.approx(sommerfeld(R, e, V, SPIN), rel=1e-9)


def test_moment_of_a_closed_form_is_that_of_the_film():
    """Shear and pressure, in Ocvirk's limit (L/D 1/64: the force is off by 2e-3)."""
    place = Place((0.5 * C, 0.2 * C, 0), V=(0.1 * C * SPIN, 0, 0), Omega=(0, 0, SPIN))
    film = plain_bearing(
        R, R / 32, C, MU, sliding_speed=R * SPIN, cells=(96, 24), cavitation=Guembel()
    )
    form = short(R / 32)
    found = Bearing(film).solve(place)
    assert form.force(place)[:2] == pytest.approx(found.force[:2], rel=5e-3)
    assert form.moment(place)[2] == pytest.approx(found.moment[2], rel=1e-5)


def test_a_closed_form_behaves_like_its_film():
    """A journal that falls into a short bearing (L/D 1/16): path and force of the Reynolds film
    within the limit's error."""
    L = R / 8
    film = Film(
        cylinder(R, L, (48, 8), degree=1), C, Lubricant(MU), Guembel(), sliding_speed=R * SPIN
    )
    ends = []
    for either in (short(L), film):
        stepper = run(rotor(either, load=(3.0, 0, 0), at=(0.1, 0.0)), 2e-5, 2e-3)
        channels = stepper.channels
        ends.append([channels[f"film.{n}"] for n in ("ex", "ey", "force.x", "force.y", "moment.z")])
        assert channels["film.min_film"] == pytest.approx(C - channels["film.eccentricity"])
    ends = np.array(ends)
    assert np.abs(ends[0, :2] - ends[1, :2]).max() < 0.01 * C
    assert np.abs(ends[0, 2:4] - ends[1, 2:4]).max() < 0.03 * np.abs(ends[0, 2:4]).max()
    assert ends[0, 4] == pytest.approx(ends[1, 4], rel=5e-3)


@pytest.mark.parametrize(
    "form, law",
    [(short(), ocvirk), (LongBearing(R, R, C, MU, Full(), sliding_speed=R * SPIN), sommerfeld)],
    ids=["short", "long"],
)
def test_orbit_against_scipy(form, law):
    """A journal with a load: its path by a solver for stiff equations, with the forces above."""
    load, start = np.array([200.0, 0.0]), np.array([0.1, 0.2]) * C

    def rates(t, y):
        return np.concatenate([y[2:], load + law(form.length, y[:2], y[2:], SPIN)])

    exact = solve_ivp(rates, (0, 1e-3), [*start, 0, 0], method="Radau", rtol=1e-7, atol=1e-13)
    stepper = run(rotor(form, load=(*load, 0), at=start / C), 5e-6, 1e-3)
    found = [stepper.channels[f"film.{n}"] for n in ("ex", "ey")]
    assert np.abs(exact.y[:2, -1] - start).max() > 0.05 * C
    assert found == pytest.approx(exact.y[:2, -1], abs=2e-4 * C)


def test_closed_form_loses_what_the_film_dissipates():
    """Work of the load, less kinetic energy, is the film's loss: second order in time."""
    errors = []
    for dt in (4e-5, 2e-5):
        system = rotor(short(), load=(150.0, 40.0, 0), at=(0.3, 0.1), inertia=(1e-3,) * 3)
        stepper = fc.Stepper(system, dt=dt, t_end=1e-3, newton_tolerance=1e-11)
        stepper.start()
        rows = []
        while True:
            stepper.channels.read()
            rows.append(
                [
                    stepper.channels[n]
                    for n in ("energy.kinetic", "load.power", "power.film", "power.to_films")
                ]
            )
            if stepper.t >= 1e-3:
                break
            stepper.advance()
        kinetic, load, film, taken = np.array(rows).T
        assert taken[1:] == pytest.approx(film[1:], rel=1e-9)
        errors.append(kinetic[-1] - kinetic[0] - np.trapezoid(load - film, dx=dt))
    lost = np.trapezoid(film, dx=dt)
    assert abs(errors[1]) < 2e-3 * lost
    assert abs(errors[1]) < 0.35 * abs(errors[0])


@pytest.mark.parametrize("ratio", [0.955, 0.97])
@pytest.mark.parametrize("recess", [None, lambda x: 0.3 * C * (abs(x[:, 2]) < 1e-3)])
def test_thinner_than_verified(ratio, recess, caplog):
    """As of a bearing alone (test_bearing.py), once in a run."""
    film = replace(plain_bearing(**PLAIN), recess=recess)
    run(rotor(film, at=(ratio, 0), spin=0.0), 1e-7, 3e-7)
    assert caplog.text.count("loads were verified above 0.04") == (ratio > 0.96)
    assert caplog.text.count("film: the smallest thickness is 0.03 of the") == (ratio > 0.96)


def test_closed_forms_have_no_mesh(caplog):
    run(rotor(short(), at=(0.97, 0)), 1e-7, 3e-7)
    assert "loads were verified" not in caplog.text


# --- dry contact under the film -----------------------------------------------------------------
DRY = {"bearing_radius": R, "journal_radius": R - C, "length": R / 2, "stiffness": 5e11,
       "normal": fc.LankaraniNikravesh(), "stations": 1}  # fmt: skip


def lubricated(film, **more):
    return rotor(film, joint=LubricatedCylindrical, **more, **DRY)


def test_overload_ends_on_dry_contact():
    """A journal that does not turn squeezes its film out; it comes to rest where the dry contact
    bears the load: K d^1.5 = load."""
    load = 2000.0
    stepper = run(lubricated(short(), load=(load, 0, 0), spin=0.0), None, 0.02,
                  integrator=fc.GeneralizedAlpha(0.8, "stabilised"))  # fmt: skip
    channels = stepper.channels
    depth = channels["film.penetration"]
    assert 5e11 * depth**1.5 == pytest.approx(load, rel=1e-3)
    assert channels["film.contact_force"] == pytest.approx(load, rel=1e-3)
    assert channels["film.min_film"] == pytest.approx(-depth, rel=1e-9)


def test_film_bears_before_contact():
    """With the journal turning, the same load stays on the film."""
    stepper = run(lubricated(short(2 * R), load=(200.0, 0, 0), at=(0.3, -0.2)), None, 0.01,
                  integrator=fc.GeneralizedAlpha(0.8, "stabilised"))  # fmt: skip
    channels = stepper.channels
    assert channels["film.contact_force"] == 0.0
    assert channels["film.min_film"] > Transition().band * C


def in_a_joint(film, eps):
    """Channels of a joint whose journal is at e = eps c, after a step that hardly moves it."""
    return run(lubricated(film, at=(eps, 0)), 1e-9, 1e-9, newton_tolerance=1e-11).channels


@pytest.mark.parametrize("eps", [0.3, 0.8, 0.9499])
def test_film_of_the_joint_has_its_clearance(eps):
    """At the edge of the band as well: Ocvirk's force by quadrature."""
    channels = in_a_joint(short(), eps)
    e, V, found = (
        np.array([channels[n.format(x)] for x in "xy"])
        for n in ("film.e{}", "journal.v{}", "film.force.{}")
    )
    exact = ocvirk(R / 2, e, V, SPIN)
    assert found == pytest.approx(exact, rel=1e-4, abs=1e-4 * np.abs(exact).max())


def test_film_fades_to_nothing_where_the_surfaces_meet():
    """The closed form: its force is continuous, and none of it acts from e = c on; the friction of
    the oil stays."""
    sizes = [in_a_joint(short(), eps)["film.film_force"] for eps in (0.9999, 1.0, 1.04)]
    most = in_a_joint(short(), 0.95)["film.film_force"]
    assert 0 < sizes[0] < 0.05 * most and max(sizes[1:]) < 1e-9 * most


PLAIN = {"radius": R, "length": R / 2, "clearance": C, "lubricant": MU, "sliding_speed": R * SPIN,
         "cells": (32, 4)}  # fmt: skip
FEEDS = {"z0": 0.0, "z1": 0.0, "hole": 3e5}


def fed_film(cavitation):
    """With a hole under pressure opposite the smallest gap."""
    film = plain_bearing(**PLAIN, cavitation=cavitation)
    surface = film.surface.marked(hole=lambda x: (x[:, 0] < -0.95 * R) & (abs(x[:, 2]) < R / 8))
    return replace(film, surface=surface, pressures=FEEDS)


@pytest.mark.parametrize("cavitation", [Full(), Guembel(), Reynolds(), JFO(), Streamers()])
def test_power_in_the_band(cavitation):
    """From the free film through the band into contact: the film's heat is what bodies lose and the
    hole feeds, at every step."""
    system = lubricated(fed_film(cavitation), at=(0.93, 0), load=(3e4, 0, 0))
    stepper = fc.Stepper(system, dt=2e-6, t_end=1e-4, newton_tolerance=1e-11)
    stepper.start()
    least = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        stepper.channels.read()
        found = stepper.channels
        fed = found["power.supplies"]
        assert found["power.to_films"] + fed == pytest.approx(found["power.film"], rel=1e-8)
        assert fed > 0 and found["power.film"] > 1.0
        least.append(found["film.min_film"] / C)
    assert max(least) > 0.05 and min(least) < 0


@pytest.mark.parametrize(
    ("form", "end"), [(short(), 1e-4), (plain_bearing(**PLAIN), 4e-5)], ids=["closed", "reynolds"]
)
def test_energy_through_the_band(form, end):
    """From the film through the band onto an elastic contact: the work of the load, less kinetic
    and elastic energy, is the integral of the film's loss, second order in time."""
    defects = []
    for dt in (2e-7, 1e-7):
        law = {**DRY, "normal": fc.Hertz()}
        system = rotor(form, at=(0.9, 0), load=(1e5, 0, 0), inertia=(1e-3,) * 3,
                       joint=LubricatedCylindrical, **law)  # fmt: skip
        stepper = fc.Stepper(system, dt=dt, t_end=end, newton_tolerance=1e-11)
        stepper.start()
        rows = []
        while True:
            stepper.channels.read()
            wanted = ("energy.kinetic", "energy.contact", "load.power", "power.film",
                      "film.min_film")  # fmt: skip
            rows.append([stepper.channels[n] for n in wanted])
            if stepper.t >= end - 1e-9:
                break
            stepper.advance()
        kinetic, contact, load, film, least = np.array(rows).T
        lost, put_in = np.trapezoid(film, dx=dt), np.trapezoid(load, dx=dt)
        defects.append(put_in - lost - np.diff((kinetic + contact)[[0, -1]])[0])
        assert least.min() < 0 < 0.05 * C < least[0]
    assert abs(defects[1]) < 1e-4 * lost
    assert abs(defects[1]) < 0.4 * abs(defects[0])


@pytest.mark.parametrize("form", [short(), plain_bearing(**PLAIN)], ids=["closed", "reynolds"])
@pytest.mark.parametrize("times", [1.1, 1.5, 3.0])
def test_any_depth(form, times, caplog):
    """A load that the dry contact bears at a depth of .1, .5 and 2 clearances: K d^1.5 = load; the
    journal does not turn. The log says once that the film's transition begins."""
    load = 5e11 * ((times - 1) * C) ** 1.5
    stepper = run(lubricated(form, load=(load, 0, 0), spin=0.0, at=(0.9, 0)), None, 0.02,
                  integrator=fc.GeneralizedAlpha(0.8, "stabilised"))  # fmt: skip
    channels = stepper.channels
    assert caplog.text.count("film: the film gets thinner than 5e-06 m: there its transition") == 1
    assert "loads were verified" not in caplog.text  # of a film that has its transition
    assert channels["film.eccentricity"] == pytest.approx(times * C, rel=1e-3)
    assert channels["film.contact_force"] == pytest.approx(load, rel=1e-3)


def test_start_in_the_band():
    """A journal may be placed where it overlaps by less than the band, and not deeper."""
    assert in_a_joint(short(), 1.049)["film.contact_force"] > 0
    with pytest.raises(fc.InputError, match="overlap at the start"):
        in_a_joint(short(), 1.06)


# --- asperities ---------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [2.5, 3.5])
def test_asperities_contacts(n):
    """F_n against parabolic cylinder functions, also where surfaces overlap by many roughnesses
    (there E (s - x)^n by quadrature), as forms and as numbers."""
    for x in (-300.0, -20.0, -6.0, -4.01, -3.99, -3.0, -1.0, 0.0, 0.5, 2.0, 4.0):
        if x < -3:
            law = lambda s, x=x: (s - x) ** n * np.exp(-s * s / 2)  # noqa: E731
            exact = quad(law, max(x, -30.0), 30.0, points=[0.0], epsrel=1e-12)[0]
            exact /= np.sqrt(2 * np.pi)
        else:
            exact = np.exp(-x * x / 4) * gamma(n + 1) * pbdv(-(n + 1), x)[0] / np.sqrt(2 * np.pi)
        assert float(as_ufl(contacts(as_ufl(x), n))(())) == pytest.approx(exact, rel=1e-6)
        assert contacts(np.array(x), n, np) == pytest.approx(exact, rel=1e-6)


ROUGH = Asperities(roughness=1e-6, modulus=1.1e11, density=0.04, sharpness=1e-2, friction=0.1)


def rough_film(cells=(48, 4), cavitation=None, L=R / 2):
    return Film(
        cylinder(R, L, cells, degree=1), C, Lubricant(MU), cavitation or Guembel(),
        sliding_speed=R * SPIN, asperities=ROUGH,
    )  # fmt: skip


def bearing_of_asperities(e):
    """Load that rough cylinders bear, by quadrature of F_5/2 round the bearing, N."""
    angle = np.linspace(0, 2 * np.pi, 20001)
    x = (C - e * np.cos(angle)) / ROUGH.roughness
    near = x < 12
    x = x[near]
    F = np.exp(-x * x / 4) * gamma(3.5) * pbdv(-3.5, x)[0] / np.sqrt(2 * np.pi)
    k = 16 * np.sqrt(2) * np.pi / 15 * ROUGH.density**2 * np.sqrt(ROUGH.sharpness) * ROUGH.modulus
    return k * R * R / 2 * np.sum(F * np.cos(angle[near])) * angle[1]


@pytest.mark.parametrize("load", [500.0, 2e5])
def test_rough_surfaces_bear_a_resting_journal(caplog, load):
    """Without spin the oil goes and asperities bear the load, however large (by the second the
    surfaces overlap by more than the valleys are deep); the distance is that of independent
    quadrature, and the log says that the film is thin."""
    system = rotor(rough_film(), load=(load, 0, 0), at=(0.9, 0), spin=0.0)
    stepper = run(system, None, 0.2, integrator=fc.GeneralizedAlpha(0.8, "stabilised"))
    channels = stepper.channels
    rest = brentq(lambda e: bearing_of_asperities(e) - load, 0.9 * C, 1.1 * C)
    assert channels["film.min_film"] == pytest.approx(C - rest, abs=0.02 * ROUGH.roughness)
    assert channels["film.force.x"] == pytest.approx(-load, rel=1e-6)
    assert (C - rest < -1.1 * rough_film().valleys) == (load > 1e3)
    assert [r.message for r in caplog.records if "thinner than the surfaces are rough" in r.message]


@pytest.mark.slow
def test_starved_film():
    """A film that conserves its lubricant and is fed by nothing runs empty under load; asperities
    then carry the turning journal, with their friction."""
    load = 100.0
    film = replace(rough_film((24, 2), JFO(), R / 4), lubricant=Lubricant(MU / 10))
    system = rotor(film, load=(load, 0, 0), at=(0.8, 0))
    stepper = run(system, None, 0.036, integrator=fc.GeneralizedAlpha(0.8, "stabilised"))
    channels = stepper.channels
    assert channels["film.asperity_force"] > 0.9 * load
    assert channels["film.min_film"] > 0
    assert channels["film.content"] < 0.7 * 2 * np.pi * R * R / 4 * C


def test_bad_input():
    system = fc.System()
    journal = system.add(fc.RigidBody(1.0, HEAVY))
    ground = system.ground.at((0, 0, 0))
    half = LongBearing(R, R, C, MU, Guembel())
    for make, message in (
        (lambda: CylindricalFilm(ground, journal.center, AXIS, film=half), "rests; use Full"),
        (lambda: replace(rough_film(), asperities=1e-6), "asperities must be"),
        (lambda: LubricatedCylindrical(ground, journal.center, AXIS, film=rough_film(), **DRY),
         "leave out its asperities"),
        (lambda: LubricatedCylindrical(ground, journal.center, AXIS, film=short(c=2 * C), **DRY),
         "film has a clearance"),
        (lambda: LubricatedCylindrical(ground, journal.center, AXIS, film="oil", **DRY),
         "must be a Film or a closed form"),
        (lambda: Asperities(0.0, 1e11), "roughness"),
        (lambda: ClosedForm(R, R, R, MU), "has no radius left"),
        (lambda: ClosedForm(R, R, C, MU, JFO()), r"knows Full\(\) and Guembel\(\)"),
        (lambda: short().force(Place(e=(2 * C, 0, 0))), "touches the bearing"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=message):
            make()


def test_tangents():
    """Of the closed form with its dry contact, off its kinks."""
    system = lubricated(short(), at=(0.4, 0.3))
    state = system.state
    for b in state.problem.blocks:
        if b.name.startswith("film.") and b.name[5:] in ("V", "Omega", "force", "moment"):
            state.q[state.locate(b.numbers)] = b.role.unit * np.linspace(0.3, 1.0, len(b.numbers))
    assert max(tangent_errors(state, step=1e-9, rates=1e-6).values()) < 1e-5


# --- orbits and flexible shafts -----------------------------------------------------------------
def test_orbit_under_a_rotating_load():
    """In axes that turn with the load all is steady: the orbit is a circle whose size and lag
    follow from Ocvirk's force on a journal that whirls (and its centrifugal force)."""
    load, whirl, mass = 60.0, 300.0, 1.0
    form = short()

    def missing(e):
        V = whirl * np.array([-e[1], e[0]])
        return ocvirk(form.length, e, V, SPIN) + mass * whirl**2 * e + [load, 0.0]

    steady = root(missing, [0.1 * C, 0.2 * C], tol=1e-12)
    assert np.abs(missing(steady.x)).max() < 1e-8 * load
    system = rotor(form, at=steady.x / C)
    body = next(i for i in system.items if i.name == "journal")
    for axis, phase in (((load, 0, 0), np.pi / 2), ((0, load, 0), 0.0)):
        turning = fc.functions.Harmonic(1.0, whirl / (2 * np.pi), phase)
        system.add(fc.Force(body.center, axis, turning))
    stepper = fc.Stepper(system, dt=4e-5, t_end=0.03)
    stepper.start()
    path = []
    while stepper.t < 0.03:
        stepper.advance()
        stepper.channels.read()
        z = stepper.channels["film.ex"] + 1j * stepper.channels["film.ey"]
        path.append(z * np.exp(-1j * whirl * stepper.t))
    settled = np.array(path[-100:])
    assert np.abs(settled - (steady.x @ (1, 1j))).max() < 2e-3 * C


@pytest.mark.slow
def test_journal_on_a_flexible_shaft():
    """A shaft of steel, 8 mm, that turns on a pivot and in a bearing, loaded in the middle: half of
    the load is the bearing's, so the end of the beam runs where Ocvirk's journal does."""
    load, length, spin = 40.0, 0.3, 200.0
    form = ShortBearing(R, R / 2, C, MU, sliding_speed=R * spin)
    system = fc.System(gravity=(0, 0, 0))
    steel = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800.0)
    shaft = system.add(
        fc.Beam((0, 0, 0), (0, 0, length), fc.Circle(0.004), steel, elements=4, damping=1e-4,
                angular_velocity=(0, 0, spin), name="shaft")
    )  # fmt: skip
    pivot = system.add(fc.SphericalJoint(system.ground, shaft.start))
    system.add(fc.RotationDriver(pivot.i, pivot.j, AXIS, fc.functions.Linear(spin)))
    system.add(
        CylindricalFilm(system.ground.at((0, 0, length)), shaft.end, AXIS, film=form, name="film")
    )
    system.add(fc.Force(shaft.at_length(length / 2), (load, 0, 0)))
    system.add(fc.Probe(shaft.at_length(length / 2), name="middle"))
    system.add(fc.Probe(shaft.end, name="end"))
    channels = run(system, 1e-4, 0.15, integrator=fc.GeneralizedAlpha(0.6, "stabilised")).channels
    e = np.array([channels["film.ex"], channels["film.ey"]])
    force = ocvirk(form.length, e, np.zeros(2), channels["end.omega_z"])
    assert force == pytest.approx([-load / 2, 0.0], abs=0.02 * load)
    assert 0.3 * C < np.hypot(*e) < 0.95 * C
    sag = load * length**3 / (48 * 207e9 * np.pi / 4 * 0.004**4)
    assert channels["middle.x"] == pytest.approx(sag + e[0] / 2, rel=0.03)


def test_a_clearance_joint_with_a_film_is_the_lubricated_one():
    system = fc.System()
    ends = system.ground.at((0, 0, 0)), system.add(fc.RigidBody(1.0, HEAVY)).center
    size = {"bearing_radius": R, "journal_radius": R - C, "length": R / 2, "stiffness": 1e8}
    joint = fc.CylindricalClearance(*ends, AXIS, film=short(), **size)
    assert type(joint) is fc.CylindricalClearance and joint.label == LubricatedCylindrical.label
    assert joint.room == pytest.approx(0.05 * C)
    dry = fc.CylindricalClearance(*ends, AXIS, film=None, **size)
    assert (dry.film, dry.room) == (None, 0.0)
    ball = {"socket_radius": R, "ball_radius": R - C, "stiffness": 1e8}
    joint = fc.SphericalClearance(*ends, film=SphericalSqueeze(MU), **ball)
    assert type(joint) is fc.SphericalClearance and joint.label == LubricatedSpherical.label
    with pytest.raises(fc.InputError, match="joint does not accept a film; use"):
        fc.RevoluteClearance(*ends, AXIS, film=short(), **size)
