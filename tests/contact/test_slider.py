"""The slider on its guide rod: dry contact on both sides, Taylor series, squeeze film."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import fem_clearance as fc
from fem_clearance.diagnostics import tangent_errors

MASS, K, C = 2.0, 1e9, 1e-3
LAW = fc.LankaraniNikravesh(restitution=0.7)


def slider(force, y=0.0, speed=0.0, gravity=0.0, axis=(0, 1, 0), **options):
    """A body that moves along an axis through the rod's centre, at ``y`` from it."""
    axis = np.array(axis) / np.linalg.norm(axis)
    system = fc.System(gravity=gravity * axis)
    body = system.add(fc.RigidBody(MASS, (1e-3,) * 3, position=y * axis, velocity=speed * axis))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=axis))
    options = {"hole_radius": 0.01 + C, "rod_radius": 0.01, "name": "joint", **options}
    if not isinstance(force, fc.SqueezeFilm):
        options.setdefault("stiffness", K)
    system.add(
        fc.RodGuide(system.ground.point((0, 0, 0)), body.center, axis, force=force, **options)
    )
    return system


def run(system, t_end, names=("joint.displacement",), **options):
    """Channels over time, and the stepper."""
    stepper = fc.Stepper(system, t_end=t_end, **options)
    stepper.start()
    rows = [[stepper.t, *(stepper.channels[n] for n in names)]]
    while stepper.t < t_end:
        stepper.advance()
        rows.append([stepper.t, *(stepper.channels[n] for n in names)])
    return np.array(rows).T, stepper


LAWS = [
    LAW,
    fc.HuntCrossley(restitution=0.5),
    fc.TaylorTwoTerms(LAW, load=500.0),
    fc.TaylorThreeTerms(fc.HuntCrossley(restitution=0.8), load=500.0),
    fc.SqueezeFilm(viscosity=0.4, length=0.04, spring=1e8),
]


@pytest.mark.parametrize("force", LAWS, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("y", [0.0, 0.5 * C, 1.004 * C, -1.004 * C])
def test_tangent(force, y):
    film = isinstance(force, fc.SqueezeFilm)
    if film and abs(y) > C:
        y = 0.9 * np.sign(y) * C
    system = slider(force, y, 0.1, **({} if film else {"approach": 0.2}))
    state = system.state
    assert max(tangent_errors(state, 1e-9, 1e-4).values()) < 1e-5


@pytest.mark.parametrize("side", [1, -1])
def test_both_sides_push_back_with_the_exact_restitution(side, reference):
    """The force of the upper contact points down. Restitution e = 0.7 returns 0.79597
    (e_restitution.csv)."""
    table = reference("e_restitution.csv")
    exact = np.interp(0.7, table["c_e"], table["LN_eeff"])
    found, stepper = run(
        slider(LAW, 0.0, side * 0.3), 1.5 * C / 0.3 + 2e-3, ("body1.vy", "joint.normal_force"),
        contact_tolerance=1e-6,
    )  # fmt: skip
    onset, loss = stepper.events
    assert (onset.kind, loss.kind) == ("onset", "loss")
    assert (onset.time, onset.speed) == pytest.approx((C / 0.3, 0.3), rel=1e-6)
    assert loss.speed == pytest.approx(exact * 0.3, rel=2e-5)
    assert found[1, -1] == pytest.approx(-side * exact * 0.3, rel=2e-5)
    assert found[2].min() == 0 and found[2].max() > 100


def test_direction_does_not_matter():
    """The same impact along a slanted axis."""
    one, two = (
        run(slider(LAW, 0.0, 0.3, axis=a), 5e-3, dt=5e-6)[0] for a in ((0, 1, 0), (1, 2, -2))
    )
    assert one[1] == pytest.approx(two[1], abs=1e-12)


@pytest.mark.parametrize("terms", [fc.TaylorTwoTerms, fc.TaylorThreeTerms])
def test_taylor_force_against_its_series(terms):
    """Ebrahimi et al. (2017) eq. (8) about Delta = (load / K)^(2/3), read in a static pose and in
    motion; at Delta all laws agree."""
    load = 500.0
    delta = (load / K) ** (2 / 3)
    chi = 0.75 * (1 - 0.7**2)
    for depth, speed in ((delta, 0.0), (0.7 * delta, 0.0), (1.4 * delta, 0.05), (0.1 * delta, 0.0)):
        system = slider(terms(LAW, load=load), C + depth, speed, approach=0.2)
        system.assemble()
        x = depth / delta - 1
        series = 1 + 1.5 * x + (0.375 * x**2 if terms is fc.TaylorThreeTerms else 0)
        force = K * delta**1.5 * series * (1 + chi * speed / 0.2)
        channels = system.channels
        channels.observe()
        assert channels["joint.normal_force"] == pytest.approx(force, rel=1e-9)


def test_taylor_energy_is_the_work_of_the_spring():
    load = 500.0
    delta = (load / K) ** (2 / 3)
    for terms in (fc.TaylorTwoTerms, fc.TaylorThreeTerms):
        law = terms(fc.Hertz(), load=load)
        system = slider(law, C + 0.6 * delta, approach=0.2)
        system.assemble()
        channels = system.channels
        channels.observe()
        work, _ = quad(
            lambda d, terms=terms: K * delta**1.5 * terms.series(d / delta - 1, 1.5),
            0, 0.6 * delta,
        )  # fmt: skip
        assert channels["energy.contact"] == pytest.approx(work, rel=1e-9)


def test_squeeze_film_is_reynolds_pressure_integrated(reference):
    """Long bearing, full Sommerfeld: 12 mu R^3 L / c^2 times the integral of the pressure of pure
    squeeze; 58.0416 at eps = 0.5 (sliding_pendulum.json)."""

    def integral(eps):
        # d/dt h = -c eps' cos; integrating Reynolds twice and by parts gives sin^2 / (1-eps cos)^3
        return 12 * quad(lambda a: np.sin(a) ** 2 / (1 - eps * np.cos(a)) ** 3, 0, 2 * np.pi)[0]

    mu, length, radius = 0.3, 0.05, 0.01
    for eps in (0.05, 0.5, 0.9):
        speed = -0.02
        system = slider(fc.SqueezeFilm(mu, length), -eps * C, speed)
        system.assemble()
        system.channels.observe()
        exact = mu * length * radius**3 / C**2 * integral(eps) * (-speed / C)
        assert system.channels["joint.normal_force"] == pytest.approx(exact, rel=1e-8)
    assert integral(0.5) == pytest.approx(
        reference("sliding_pendulum.json")["squeeze_force_eps_0.5"], rel=1e-6
    )


def test_slider_sinks_through_the_film_as_the_written_equation_says():
    """m y'' = F(y, y') - m g by SciPy; at rest y = -m g / k."""
    film = fc.SqueezeFilm(viscosity=0.4, length=0.04, spring=5e4)
    D = 12 * np.pi * 0.4 * 0.04 * 0.01**3 / C**2

    def rhs(t, x):
        eps = -x[0] / C
        force = D * (-x[1] / C) / (1 - eps**2) ** 1.5 - 5e4 * x[0]
        return [x[1], force / MASS - 9.81]

    found, _ = run(slider(film, gravity=-9.81), 0.05, tolerance=1e-11)
    exact = solve_ivp(rhs, (0, 0.05), [0, 0], method="LSODA", rtol=1e-10, atol=1e-13,
                      t_eval=found[0]).y[0]  # fmt: skip
    assert found[1] == pytest.approx(exact, abs=1e-8)
    assert found[1].min() < -3e-4


def test_film_is_not_pierced():
    """A slider shot at the wall stops before it: pressure grows without bound."""
    film = fc.SqueezeFilm(viscosity=0.4, length=0.04)
    found, _ = run(slider(film, 0.0, -0.5), 0.05)
    assert -C < found[1].min() < -0.5 * C


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: fc.SqueezeFilm(-0.4, 0.04), "SqueezeFilm.viscosity must be positive"),
        (lambda: fc.SqueezeFilm(0.4, 0.0), "SqueezeFilm.length must be positive"),
        (lambda: fc.TaylorTwoTerms(LAW, load=-1.0), "load must be positive"),
        (lambda: fc.TaylorTwoTerms(fc.KelvinVoigt(1.0)), "law must be Hertz"),
        (lambda: slider(LAW, hole_radius=0.01), "the clearance must be positive"),
        (lambda: slider(LAW, hole_radius=-1.0), "hole_radius must be positive"),
        (lambda: slider(LAW, 1.1 * C), "starts in contact"),
        (lambda: slider(LAW, approach=-1.0), "approach must be positive"),
        (lambda: slider(LAWS[-1], -1.1 * C), "starts outside the film"),
        (lambda: slider(LAWS[-1], C), "starts outside the film"),
        (lambda: slider(LAW, stiffness=None), "neither body has a material"),
        (lambda: slider("hertz"), "force must be a normal-force law"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(fc.InputError, match=message):
        make()
