"""Films of a ball in a socket: surfaces, closed form, transition, joints, the double pendulum."""

from types import SimpleNamespace

import numpy as np
import pytest
import ufl
from scipy.integrate import quad

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.lubrication import (
    Bearing,
    Film,
    Full,
    Guembel,
    Lubricant,
    LubricatedSpherical,
    Place,
    SphereGap,
    SphericalSqueeze,
    Transition,
    cap,
    sphere,
)
from fem_clearance.lubrication.closed_forms.spherical import bracket
from fem_clearance.lubrication.joints.transition import dry_share, shared_energy

RADIUS, C, MU = 0.02, 0.002, 0.4


def number(expression):
    return float(ufl.as_ufl(expression)(()))


def a_film(surface, held="rim", cavitation=None, clearance=C):
    return Film(
        surface, clearance, Lubricant(MU), cavitation or Full(), {held: 0.0}, sliding_speed=0.1,
        gap=SphereGap(),
    )  # fmt: skip


@pytest.mark.parametrize("angle", [0.6, np.pi / 2, 2.5])
@pytest.mark.parametrize("crowd", [0.0, 0.7])
def test_area_of_a_cap(angle, crowd):
    surface = cap(RADIUS, angle, (6, 5), crowd=crowd, axis=(1, 2, -2))
    areas = surface.areas()
    assert areas.sum() == pytest.approx(2 * np.pi * RADIUS**2 * (1 - np.cos(angle)), rel=1e-3)
    assert areas.min() > 0
    rim = surface.nodes[surface.sets["rim"]] / RADIUS
    assert len(rim) == 4 * 6
    np.testing.assert_allclose(rim @ (1, 2, -2) / 3, np.cos(angle), atol=1e-12)


def test_area_of_a_sphere():
    surface = sphere(RADIUS, 6)
    numbers, _ = surface.corners
    assert surface.areas().sum() == pytest.approx(4 * np.pi * RADIUS**2, rel=1e-4)
    assert len(surface.nodes) == 6 * 6**2 + 2  # Euler
    assert np.all(np.isin(np.bincount(numbers.ravel()), (3, 4)))
    # all cells the same way round, so that normals agree
    corners = surface.nodes[numbers]
    turns = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sides = np.sum(turns * corners.mean(axis=1), axis=1)
    assert np.all(np.abs(sides) > 0)


@pytest.mark.parametrize(
    ("ratio", "size"),
    # F c^2 / (mu R^4 deps/dt) by quadrature of the pressure (31) to 14 digits
    [(0.0, 4 * np.pi), (1e-3, 12.58052287666920), (0.1, 14.14839097114475),
     (0.5, 27.42275911619841), (0.9, 162.701271153817), (0.99, 1824.2453083059963)],
)  # fmt: skip
def test_closed_form(ratio, size):
    force = SphericalSqueeze(MU).force(RADIUS, C, ratio, 2.0)
    assert force == pytest.approx(size * MU * RADIUS**4 / C**2 * 2.0, rel=1e-12)


@pytest.mark.parametrize("ratio", [0.05, 0.0999, 0.1001, 0.7])
def test_closed_form_of_both_halves(ratio):
    """By quadrature of the pressure (31) over the whole sphere."""

    def density(x):
        return ((1 / (1 - ratio * x) ** 2) - 1) * x

    exact = 6 * np.pi / ratio * quad(density, -1, 1, epsabs=1e-13)[0]
    force = SphericalSqueeze(MU).force(RADIUS, C, ratio, 1.0, whole=True)
    assert force == pytest.approx(exact * MU * RADIUS**4 / C**2, rel=1e-11)
    one = 6 * np.pi / ratio * quad(density, 0, 1, epsabs=1e-13)[0] / (6 * np.pi)
    assert number(bracket(ufl.as_ufl(ratio))) == pytest.approx(one, rel=1e-11)


def squeezed(surface, held, ratio):
    film = a_film(surface, held)
    return Bearing(film).solve(Place(e=(0, 0, ratio * C), V=(0, 0, C)))


@pytest.mark.parametrize("ratio", [0.1, 0.5, 0.9])
def test_film_of_a_hemisphere(ratio):
    """Reynolds' equation by finite elements is the closed form, with second order."""
    exact = SphericalSqueeze(MU).force(RADIUS, C, ratio, 1.0)
    errors = []
    for cells in (12, 24):
        state = squeezed(cap(RADIUS, cells=(cells, cells), crowd=0.6), "rim", ratio)
        errors.append(abs(-state.force[2] / exact - 1))
        assert np.abs(state.force[:2]).max() < 1e-9 * exact
        assert state.power_loss == pytest.approx(-state.force[2] * C, rel=1e-9)
    assert errors[1] < 5e-3
    assert 1.8 < np.log2(errors[0] / errors[1]) < 2.3


def test_film_of_a_whole_sphere():
    exact = SphericalSqueeze(MU).force(RADIUS, C, 0.5, 1.0, whole=True)
    force = squeezed(sphere(RADIUS, 16), "pole", 0.5).force
    assert -force[2] == pytest.approx(exact, rel=3e-3)
    # where the pressure is fixed does not matter
    surface = sphere(RADIUS, 16).marked(side=lambda x: x[:, 0] > RADIUS * (1 - 1e-9))
    np.testing.assert_allclose(squeezed(surface, "side", 0.5).force, force, atol=1e-9 * exact)


def test_drag_of_a_spinning_ball():
    """Couette flow all over the sphere: M = -8/3 pi mu R^4 omega / c when centred."""
    state = Bearing(a_film(sphere(RADIUS, 12), "pole")).solve(Place(Omega=(0, 30.0, 0)))
    exact = 8 / 3 * np.pi * MU * RADIUS**4 / C * 30.0
    assert -state.moment[1] == pytest.approx(exact, rel=1e-3)
    assert np.abs(state.force).max() < 1e-9


def test_shares_and_energy_of_the_transition():
    """The energy's derivative is the share of the force; exact for depth^2.5."""
    band, K = 1e-4, 1e9

    def energy(depth):
        return K * abs(depth) ** 2.5 / 2.5

    for depth in (-1e-5, 2e-5, 7e-5, 1e-4, 3e-4):
        share = number(dry_share(ufl.as_ufl(depth), band))
        assert share == pytest.approx(np.clip(depth / band, 0, 1), abs=1e-15)
        exact = quad(lambda d: np.clip(d / band, 0, 1) * K * abs(d) ** 1.5, 0, max(depth, 0),
                     points=[band] if depth > band else None, epsrel=1e-12)[0]  # fmt: skip
        value = number(shared_energy(energy, ufl.as_ufl(depth), band))
        assert value == pytest.approx(exact, rel=1e-10, abs=1e-18)


def two_bodies(film, gap=(0.0, 0.0, 0.0), **options):
    system = fc.System(gravity=(0, 0, 0))
    first = system.add(fc.RigidBody(1.0, (0.010, 0.012, 0.015), name="a", free=True))
    second = system.add(
        fc.RigidBody(0.5, (0.006, 0.004, 0.005), name="b", free=True,
                     position=np.add((0.3, 0.05, 0.0), gap))
    )  # fmt: skip
    system.add(
        LubricatedSpherical(
            first.point((0.2, 0.03, 0.0)), second.point((-0.1, -0.02, 0.0)), socket_radius=RADIUS,
            ball_radius=RADIUS - C, stiffness=1e8, film=film, name="joint", **options,
        )
    )  # fmt: skip
    return system


@pytest.mark.parametrize("where", [0.0, 0.4, 1.02, 1.06])
def test_tangent_of_the_closed_form(where):
    """At the centre, in the film, in the transition, in dry contact alone."""
    system = two_bodies(SphericalSqueeze(MU))
    state = system.state
    direction = np.array([2.0, 1.0, -2.0]) / 3
    state.q[18:21] += where * C * direction  # the ball's body, behind the first's multipliers
    rng = np.random.default_rng(2)
    state.v[:] += 0.05 * rng.standard_normal(state.total) * state.problem.dynamic
    state.v[18:21] += 0.1 * direction
    system.channels.read()
    assert np.isfinite(system.channels.values).all()
    assert system.channels["joint.normal_force"] > 0
    assert system.channels["joint.eccentricity"] == pytest.approx(where * C, abs=1e-12)
    assert (system.channels["joint.contact_force"] > 0) == (where > 1)
    assert (system.channels["joint.film_force"] > 1e-20) == (where < 1.05)
    errors = tangent_errors(state, step=1e-9, rates=1e-6)
    if not where:  # the direction changes within 2e-9 m: differences by position tell nothing
        del errors["q"]
    assert max(errors.values()) < 1e-5


@pytest.mark.parametrize("surface", ["turning", "fixed"])
@pytest.mark.parametrize("times", [1.1, 1.5])
def test_any_depth_under_a_film(surface, times):
    """A ball pressed through its film comes to rest where the dry contact bears the load: K d^1.5
    at a depth of .1 and .5 clearances."""
    depth = (times - 1) * C
    load = 1e8 * depth**1.5
    system = fc.System(gravity=(0, 0, 0))
    ball = system.add(
        fc.RigidBody(1.0, (1e-3,) * 3, name="ball", free=True, position=(0, 0, 0.98 * C))
    )
    system.add(
        fc.SphericalClearance(
            system.ground.at((0, 0, 0)), ball.center, socket_radius=RADIUS, ball_radius=RADIUS - C,
            stiffness=1e8, normal=fc.LankaraniNikravesh(restitution=0.1), surface=surface,
            film=a_film(cap(RADIUS, cells=(4, 4))), name="joint",
        )
    )  # fmt: skip
    system.add(fc.Force(ball.center, (0, 0, load), name="load"))
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(0.8, "stabilised"), t_end=0.1)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    stepper.channels.read()
    c = stepper.channels
    assert c["joint.penetration"] == pytest.approx(depth, rel=5e-3)
    assert c["joint.contact_force"] == pytest.approx(load, rel=5e-3)
    assert c["joint.min_film"] == pytest.approx(-c["joint.penetration"], rel=1e-9)
    assert c["joint.force.z"] == pytest.approx(-load, rel=1e-3)
    assert c["power.to_films"] == pytest.approx(c["power.film"], rel=1e-6, abs=1e-9)


# --- the double pendulum of Tian et al. (2009), against SciPy in tests/literature -----------------
def pendulum(**changes):
    changes = {"joint.kind": "lubricated", "arm.model": "rigid"} | changes
    return cases.get("double_pendulum").simulation(changes, progress=False).run()


def losing(results):
    """Energy only ever falls, but for the integrator's error of 5e-6 of the kinetic energy; what is
    lost before contact went into the film."""
    energy = results["energy.total"]
    assert energy[0] - energy[-1] > 1e-4
    error = 5e-6 * results["energy.kinetic"].max()
    assert np.all(energy <= np.minimum.accumulate(energy) + error)
    assert results["joint.eccentricity"].max() < 1.05 * C
    dry = results["joint.contact_force"] > 0
    end = np.argmax(dry) if dry.any() else len(dry)
    work = np.trapezoid(results["power.film"][:end], results.time[:end])
    assert energy[0] - energy[end - 1] == pytest.approx(work, rel=1e-2)


@pytest.mark.slow
def test_double_pendulum_down_to_dry_contact():
    results = pendulum(t_end=0.5, tolerance=1e-8)
    losing(results)
    assert results["joint.contact_force"].max() > 1


@pytest.mark.slow
def test_flexible_double_pendulum():
    results = pendulum(**{"arm.model": "quadratic", "arm.elements": 2, "t_end": 0.3})
    losing(results)


@pytest.mark.slow
def test_reynolds_film_that_turns_is_the_closed_form():
    """The hemisphere about the line of centres by finite elements. Its squeeze force is the closed
    form at the same motion, of the joint's clearance; what the ball's sliding and shear add (1e-3
    of the torque of gravity) moves the run by less than 1 %.
    """
    case = cases.get("double_pendulum")
    changes = {"joint.kind": "lubricated", "arm.model": "rigid", "joint.film": "reynolds",
               "film.cells": 12}  # fmt: skip
    system = case.model(case.resolve(changes)).system
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(0.8, "stabilised"), dt=2e-4, t_end=0.1)
    stepper.start()
    for k in range(500):
        stepper.advance()
        if k % 50 == 49:
            state, blocks = stepper.state, {b.name: b for b in stepper.state.problem.blocks}
            e, V, F = (
                state.q[state.locate(blocks[f"joint.{n}"].numbers)] for n in ("e", "V", "force")
            )
            assert e[2] == pytest.approx(np.linalg.norm(e), rel=1e-3)
            exact = SphericalSqueeze(MU).force(RADIUS, C, e[2] / C, V[2] / C)
            assert -F[2] == pytest.approx(exact, rel=3e-3)
            lost = stepper.channels["power.film"]
            assert stepper.channels["power.to_films"] == pytest.approx(lost, rel=1e-6)
    assert stepper.channels["joint.eccentricity"] < 0.95 * C
    closed = pendulum(t_end=0.1, dt=2e-4, **{"joint.e0": 1e-4, "joint.e1": 2e-4})
    for name in ("joint.eccentricity", "joint.normal_force"):
        assert stepper.channels[name] == pytest.approx(closed[name][-1], rel=1e-2)
    assert stepper.channels["tip.y"] == pytest.approx(closed["tip.y"][-1], rel=5e-3)


@pytest.mark.slow
def test_tangent_of_a_film_that_turns():
    film = a_film(cap(RADIUS, cells=(2, 2)), cavitation=Guembel())
    system = two_bodies(film, gap=np.multiply(C, (0.2, -0.3, 0.4)))
    state = system.state
    rng = np.random.default_rng(5)
    for b in state.problem.blocks:
        at = state.locate(b.numbers)
        if b.name.startswith("joint.") and b.name[6:] not in ("e", "t"):
            state.q[at] = np.where(b.fixed, 0.0, b.role.unit * rng.uniform(0.3, 1, len(at)))
    state.v[:] += 0.01 * rng.standard_normal(state.total) * state.problem.dynamic
    assert max(tangent_errors(state, step=1e-7, rates=1e-4).values()) < 1e-5


def test_summary_of_the_case():
    for surface, whole in (("full", True), ("hemisphere", False)):
        changes = {"surface": surface, "film.cells": 12, "eccentricity_ratio": 0.3}
        summary = cases.get("spherical_bearing").simulation(changes, progress=False).run().summary
        exact = SphericalSqueeze(MU).force(RADIUS, C, 0.3, 1.0, whole=whole)
        assert summary["closed_form_load"] == pytest.approx(exact, rel=1e-12)
        assert summary["load"] == pytest.approx(exact, rel=5e-3)
        assert summary["load_x"] == pytest.approx(-summary["load"], rel=1e-9)
        assert summary["closed_form_load_x"] == pytest.approx(-exact, rel=1e-12)
        if whole:  # a ball that is drawn away is held back
            changes["eccentricity_rate"] = -1.0
            back = cases.get("spherical_bearing").simulation(changes, progress=False).run().summary
            assert back["load_x"] == pytest.approx(exact, rel=5e-3)
            assert back["closed_form_load_x"] == pytest.approx(exact, rel=1e-12)


def test_bad_input():
    ground = fc.System().ground.at((0, 0, 0))
    body = fc.RigidBody(1.0, (1.0, 1.0, 1.0))
    sizes = {"socket_radius": RADIUS, "ball_radius": RADIUS - C, "stiffness": 1e8}
    wide = a_film(cap(RADIUS), clearance=2 * C)
    for film, message in (
        (SimpleNamespace(), "must be a Film or a SphericalSqueeze"), (wide, "film has a clearance"),
        (a_film(cap(2 * RADIUS)), "film has a radius"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=message):
            LubricatedSpherical(ground, body.center, film=film, **sizes)
    with pytest.raises(fc.InputError, match="margin"):
        Transition(band=0.1, margin=0.1)
    with pytest.raises(fc.InputError, match="viscosity"):
        SphericalSqueeze(0.0)
    with pytest.raises(fc.InputError, match="angle of the cap"):
        cap(RADIUS, 4.0)
    for changes, message in (
        ({"eccentricity_ratio": 1.0}, "between 0 and 1"), ({"eccentricity_rate": 0}, "nothing"),
    ):  # fmt: skip
        with pytest.raises(fc.InputError, match=message):
            cases.get("spherical_bearing").simulation(changes)
    with pytest.raises(fc.InputError, match="cable have no triad"):
        cases.get("double_pendulum").simulation(
            {"joint.kind": "lubricated", "joint.film": "reynolds", "arm.model": "cable"}
        )
