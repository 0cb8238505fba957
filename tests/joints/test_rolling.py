"""Rolling, against reduced equations in angles and closed forms."""

import logging
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import fem_clearance as fc

Z = (0.0, 0.0, 1.0)
G, MASS, RADIUS = 9.81, 1.2, 0.1
INTEGRATORS = [
    fc.GeneralizedAlpha(0.5),
    fc.GeneralizedAlpha(0.8),
    fc.GeneralizedAlpha(0.8, "stabilised"),
    fc.Bathe(),
    fc.Bathe(constraints="position"),
]

#: spins fast beside its steps
STEADY = fc.GeneralizedAlpha(0.8, "stabilised")


# --- a disc on a plane ----------------------------------------------------------------------------
# Euler angles: precession psi about the vertical, nutation theta (0: flat), spin about the axis; e1
# horizontal, e2 up the disc, e3 along the axis; w3 the angular velocity along e3. Angular momentum
# about the centre and Newton's law, without the contact force:
#   (A + m R^2) theta'' = A psi'^2 sin cos - (C + m R^2) w3 psi' sin - m g R cos
#   A (psi'' sin + 2 psi' theta' cos) = C w3 theta'
#   (C + m R^2) w3' = m R^2 theta' psi' sin
A, C = MASS * RADIUS**2 / 4, MASS * RADIUS**2 / 2


def triad(theta, psi):
    e1 = np.array([np.cos(psi), np.sin(psi), 0])
    e3 = np.array([np.sin(psi) * np.sin(theta), -np.cos(psi) * np.sin(theta), np.cos(theta)])
    return e1, np.cross(e3, e1), e3


def disc_rates(t, y):
    theta, psi, theta_t, psi_t, w3 = y[:5]
    s, c, whole = np.sin(theta), np.cos(theta), MASS * RADIUS**2
    e1, _, e3 = triad(theta, psi)
    turn = A * psi_t**2 * s * c - (C + whole) * w3 * psi_t * s - MASS * G * RADIUS * c
    velocity = RADIUS * (theta_t * e3 - w3 * e1)
    return [
        theta_t,
        psi_t,
        turn / (A + whole),
        (C * w3 * theta_t - 2 * A * psi_t * theta_t * c) / (A * s),
        whole * theta_t * psi_t * s / (C + whole),
        *velocity[:2],
    ]


def disc_force(y):
    """Force of the plane on the disc: m (acceleration of the centre + g)."""
    theta, psi, theta_t, psi_t, w3 = y[:5]
    rates = disc_rates(0, y)
    e1, e2, e3 = triad(theta, psi)
    s, c = np.sin(theta), np.cos(theta)
    a = e1 * (theta_t * psi_t * s - rates[4]) - e2 * (theta_t**2 + w3 * psi_t * c)
    a = RADIUS * (a + e3 * (rates[2] + w3 * psi_t * s))
    return MASS * (a + np.array([0, 0, G]))


def disc(theta, psi_t, w3, tilt=None, **options):
    """A thin disc that starts with its centre above the origin; ``tilt``: of the whole world."""
    e1, e2, e3 = triad(theta, 0.0)
    omega = psi_t * np.sin(theta) * e2 + w3 * e3
    world = Rotation.identity() if tilt is None else Rotation.from_rotvec(tilt)
    system = fc.System(gravity=world.apply((0, 0, -G)), **options)
    body = system.add(
        fc.RigidBody(
            MASS, (A, A, C), position=world.apply([0, 0, RADIUS * np.sin(theta)]), name="disc",
            orientation=world.as_matrix() @ np.column_stack([e1, e2, e3]),
            velocity=world.apply(np.cross(omega, RADIUS * e2)),
            angular_velocity=world.apply(omega),
        )
    )  # fmt: skip
    system.add(
        fc.RollingJoint(
            system.ground.point((0, 0, 0)), body.center, RADIUS,
            normal=world.apply(Z), axis=world.apply(e3), name="rolling",
        )
    )  # fmt: skip
    return system


FALLING = {"theta": np.radians(70), "psi_t": 1.0, "w3": -20.0}


@cache
def falling():
    start = [FALLING["theta"], 0, 0, FALLING["psi_t"], FALLING["w3"], 0, 0]
    options = {"rtol": 1e-12, "atol": 1e-13, "dense_output": True}
    return solve_ivp(disc_rates, (0, 1), start, **options).sol


def places(results, name):
    return np.column_stack([results[f"{name}.{x}"] for x in "xyz"])


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=str)
def test_coin(integrator):
    """A coin that is let go leaning and spinning: path, force and energy to second order."""
    found = []
    for h in (2e-3, 1e-3):
        results = fc.Simulation(
            disc(**FALLING), integrator, dt=h, t_end=1.0, newton_tolerance=1e-11
        ).run()
        y = falling()(results.time)
        path = np.column_stack([y[5], y[6], RADIUS * np.sin(y[0])])
        force = np.array([disc_force(z) for z in y.T])
        place = np.abs(places(results, "disc") - path).max()
        found.append([place, np.abs(places(results, "rolling.reaction") - force).max()])
        energy = results["energy.total"]
        assert np.ptp(energy) < 1e-4 * energy[0]
        assert results["rolling.slip"].max() < 1e-8
        assert results["rolling.normal_force"] == pytest.approx(
            results["rolling.reaction.z"], abs=1e-9
        )
    order = np.log2(np.divide(*found))
    assert found[1][0] < 1e-4
    assert order[0] > 1.8
    if integrator != fc.Bathe(constraints="position"):  # its multipliers are of first order
        assert found[1][1] < 5e-3
        assert order[1] > 1.7


def test_steady_circle():
    """With A psi'^2 cos - (C + m R^2) w3 psi' = m g R cot(theta) a disc rolls on a circle for ever:
    its centre's radius is R w3 / psi'. The plane is turned in space."""
    theta, psi_t = np.radians(60), 5.0
    w3 = A * psi_t**2 * np.cos(theta) - MASS * G * RADIUS / np.tan(theta)
    w3 /= (C + MASS * RADIUS**2) * psi_t
    tilt, period = np.array([0.4, -0.7, 0.2]), 2 * np.pi / psi_t
    system = disc(theta, psi_t, w3, tilt)
    results = fc.Simulation(system, STEADY, dt=period / 500, t_end=period).run()
    place = Rotation.from_rotvec(tilt).inv().apply(places(results, "disc"))
    contact = Rotation.from_rotvec(tilt).inv().apply(places(results, "rolling.contact"))
    angle = psi_t * results.time
    circle = RADIUS * abs(w3) / psi_t
    middle = np.array([0, np.sign(w3) * -circle, 0])
    away = np.linalg.norm((place - middle)[:, :2], axis=1)
    assert away == pytest.approx(circle, rel=2e-4)
    assert place[:, 2] == pytest.approx(RADIUS * np.sin(theta), rel=1e-4)
    assert place[-1] == pytest.approx(place[0], abs=2e-4 * circle)
    assert np.abs(contact[:, 2]).max() < 1e-10
    assert np.linalg.norm((contact - place)[0]) == pytest.approx(RADIUS, rel=1e-9)
    # e1, along which the centre runs backwards, turns with psi
    path = circle * np.column_stack([np.sin(angle), 1 - np.cos(angle)])
    path *= -np.sign(w3)
    assert np.abs(place[:, :2] - place[0, :2] - path).max() < 1e-3 * circle
    # m v^2 / r towards the middle
    assert results["rolling.normal_force"] == pytest.approx(MASS * G, rel=1e-3)
    needed = MASS * circle * psi_t**2
    assert results["rolling.tangential_force"] == pytest.approx(needed, rel=1e-3)


def test_straight_down_a_slope(caplog):
    """A disc between planar guides on a slope: 2/3 g sin. Its guide and its rolling say two things
    twice, which costs no force."""
    slope = 0.3
    gravity = G * np.array([np.sin(slope), 0, -np.cos(slope)])
    system = fc.System(gravity=gravity)
    body = system.add(fc.RigidBody(MASS, (A, C, A), position=(0, 0, RADIUS), name="disc"))
    system.add(fc.PlanarJoint(system.ground, body.center, axis=(0, 1, 0)))
    frame = system.ground.point((0, 0, 0))
    system.add(fc.RollingJoint(frame, body.center, RADIUS, normal=Z, axis=(0, 1, 0)))
    with caplog.at_level(logging.INFO):
        results = fc.Simulation(system, STEADY, dt=0.01, t_end=1.0).run()
    assert "rolling1: 1 of its 3 constraints follow from others" in caplog.text
    rate = 2 / 3 * G * np.sin(slope)
    assert results["disc.x"] == pytest.approx(rate * results.time**2 / 2, abs=5e-7)
    assert results["rolling1.tangential_force"] == pytest.approx(
        MASS * G * np.sin(slope) / 3, rel=2e-4
    )


# --- a ball ---------------------------------------------------------------------------------------
def ball(system, place, **motion):
    moment = 0.4 * MASS * RADIUS**2
    return system.add(fc.RigidBody(MASS, (moment,) * 3, position=place, name="ball", **motion))


def test_ball_down_a_slope():
    """5/7 g sin, friction 2/7 m g sin."""
    slope = 0.4
    down = np.array([np.cos(0.6), np.sin(0.6), 0])
    system = fc.System(gravity=G * (np.sin(slope) * down - np.cos(slope) * np.array(Z)))
    body = ball(system, (0, 0, RADIUS))
    system.add(
        fc.RollingJoint(system.ground.point((0, 0, 0)), body.center, RADIUS, normal=Z, name="r")
    )
    results = fc.Simulation(system, STEADY, dt=0.01, t_end=1.0).run()
    way = 5 / 7 * G * np.sin(slope) * results.time**2 / 2
    assert places(results, "ball")[:, :2] == pytest.approx(np.outer(way, down[:2]), abs=5e-7)
    assert results["r.tangential_force"] == pytest.approx(
        2 / 7 * MASS * G * np.sin(slope), rel=2e-4
    )
    assert results["r.normal_force"] == pytest.approx(MASS * G * np.cos(slope), rel=1e-6)


@pytest.mark.parametrize("integrator", INTEGRATORS[1:4], ids=str)
def test_ball_on_a_turntable(integrator):
    """On a table that turns with W, v' = 2/7 W x v (Weltner 1979): a circle of radius 7 v/(2 W)."""
    W, v = 3.0, 0.5
    errors = []
    for h in (2e-3, 1e-3):
        system = fc.System(gravity=(0, 0, -G))
        table = system.add(fc.RigidBody(5.0, (1, 1, 2), angular_velocity=(0, 0, W), name="table"))
        pin = system.add(fc.RevoluteJoint(system.ground, table.at((0, 0, 0)), axis=Z))
        system.add(fc.RotationDriver(pin.i, pin.j, Z, fc.functions.Linear(rate=W)))
        place = np.array([0.4, 0.1, RADIUS])
        # the contact moves with the table: v + omega x (-R n) = W x place, with a spin of 2 rad/s
        relative = np.array([v, 0, 0]) - np.cross([0, 0, W], place)
        omega = np.cross(Z, relative) / RADIUS + np.array([0, 0, 2.0])
        body = ball(system, place, velocity=(v, 0, 0), angular_velocity=omega)
        system.add(fc.RollingJoint(table.at((0, 0, 0)), body.center, RADIUS, normal=Z, name="r"))
        results = fc.Simulation(system, integrator, dt=h, t_end=2.0, newton_tolerance=1e-11).run()
        rate = 2 / 7 * W
        angle = rate * results.time
        circle = v / rate * np.column_stack([np.sin(angle), 1 - np.cos(angle)])
        errors.append(np.abs(places(results, "ball")[:, :2] - place[:2] - circle).max())
        force = MASS * v * rate
        assert results["r.tangential_force"] == pytest.approx(force, rel=1e-2)
    assert errors[1] < 5e-4 * v / rate
    assert np.log2(errors[0] / errors[1]) > 1.8


SOCKET = 0.5


def test_ball_in_a_bowl():
    """In a plane, 7/5 (R - r) theta'' = -g sin(theta): up to 115 degrees and back."""
    length, start = SOCKET - RADIUS, 2.0

    def rates(t, y):
        return [y[1], -5 / 7 * G / length * np.sin(y[0])]

    ends = solve_ivp(
        rates, (0, 3), [start, 0], rtol=1e-12, atol=1e-12, dense_output=True,
        events=lambda t, y: y[1],
    )  # fmt: skip
    system = fc.System(gravity=(0, 0, -G))
    side = np.array([np.cos(0.5), np.sin(0.5), 0])  # of the plane
    body = ball(system, length * (np.sin(start) * side - np.cos(start) * np.array(Z)))
    system.add(
        fc.RollingJoint(
            system.ground.point((0, 0, 0)), body.center, RADIUS, socket_radius=SOCKET, name="r"
        )
    )
    period = 2 * ends.t_events[0][1]
    results = fc.Simulation(system, STEADY, dt=period / 500, t_end=period).run()
    theta, rate = ends.sol(results.time)
    exact = length * (np.outer(np.sin(theta), side) - np.outer(np.cos(theta), Z))
    assert np.abs(places(results, "ball") - exact).max() < 1e-3 * length
    pressed = MASS * (length * rate**2 + G * np.cos(theta))
    assert results["r.normal_force"] == pytest.approx(pressed, abs=2e-3 * pressed.max())
    across = 2 / 7 * MASS * G * np.abs(np.sin(theta))
    assert results["r.tangential_force"] == pytest.approx(across, abs=2e-3 * across.max())
    away = np.linalg.norm(places(results, "r.contact"), axis=1)
    assert away == pytest.approx(SOCKET, rel=1e-9)


def socket_rates(t, y, moment=0.4 * MASS * RADIUS**2):
    """A ball of centre x, velocity v and spin w: m v' = F + m g, I w' = r u x F, and the
    derivative of v + w x r u = 0."""
    x, v, w = y[:3], y[3:6], y[6:]
    length = SOCKET - RADIUS
    u, u_t = x / length, v / length

    def across(z):
        return z - (z @ u) * u

    part = MASS * RADIUS**2 / moment
    pull = -part * across(G * np.array(Z)) - RADIUS * across(np.cross(w, u_t))
    a = pull / (1 + part) - (v @ v) / length * u
    force = MASS * (a + G * np.array(Z))
    return np.concatenate([v, a, RADIUS / moment * np.cross(u, force)])


@pytest.mark.parametrize("integrator", INTEGRATORS[1:4], ids=str)
def test_ball_in_a_socket(integrator):
    """In space with spin, over the top of the socket: more than once round."""
    length = SOCKET - RADIUS
    place, velocity = np.array([0, 0, -length]), np.array([5.0, 0.3, 0])
    u = place / length
    omega = np.cross(velocity, u) / RADIUS + 4.0 * u
    assert velocity + np.cross(omega, RADIUS * u) == pytest.approx(0, abs=1e-12)
    end = 0.8
    exact = solve_ivp(
        socket_rates, (0, end), [*place, *velocity, *omega], rtol=1e-12, atol=1e-12,
        dense_output=True,
    ).sol  # fmt: skip
    errors = []
    for h in (1e-3, 5e-4):
        system = fc.System(gravity=(0, 0, -G))
        body = ball(system, place, velocity=velocity, angular_velocity=omega)
        centre = system.ground.point((0, 0, 0))
        system.add(fc.RollingJoint(centre, body.center, RADIUS, socket_radius=SOCKET, name="r"))
        results = fc.Simulation(system, integrator, dt=h, t_end=end, newton_tolerance=1e-11).run()
        y = exact(results.time)
        assert y[2].max() > 0.9 * length
        assert np.count_nonzero(np.diff(np.sign(y[2]))) >= 3
        force = MASS * (np.array([socket_rates(0, z)[3:6] for z in y.T]) + G * np.array(Z))
        errors.append(
            [
                np.abs(places(results, "ball") - y[:3].T).max(),
                np.abs(places(results, "r.reaction") - force).max(),
            ]
        )
    assert errors[1][0] < 5e-3 * length
    assert errors[1][1] < 1e-2 * np.abs(force).max()
    order = np.log2(np.divide(*errors))
    assert np.all(order > 1.8), order


# --- what else ------------------------------------------------------------------------------------
def test_wheel_at_rest():
    """On a slope and a spring: m g sin = k x without friction; w^2 = k / (m + C/R^2)."""
    slope, k = 0.3, 50.0
    system = fc.System(gravity=G * np.array([np.sin(slope), 0, -np.cos(slope)]))
    body = system.add(fc.RigidBody(MASS, (A, C, A), position=(0, 0, RADIUS), name="wheel"))
    system.add(fc.PlanarJoint(system.ground, body.center, axis=(0, 1, 0)))
    frame = system.ground.point((0, 0, 0))
    system.add(fc.RollingJoint(frame, body.center, RADIUS, normal=Z, axis=(0, 1, 0), name="r"))
    anchor = system.ground.point((-1.0, 0, RADIUS))
    system.add(fc.SpringDamper(anchor, body.center, stiffness=k, free_length=1.0))
    found = fc.Statics(system).solve()
    assert found["wheel.x"][-1] == pytest.approx(MASS * G * np.sin(slope) / k, rel=1e-9)
    assert found["r.normal_force"][-1] == pytest.approx(MASS * G * np.cos(slope), rel=1e-9)
    assert found["r.tangential_force"][-1] == pytest.approx(0, abs=1e-7)
    frequency = np.sqrt(k / (1.5 * MASS)) / (2 * np.pi)
    assert fc.eigenmodes(system, 1).frequencies == pytest.approx([frequency], rel=1e-8)


@pytest.mark.parametrize("aside", [0.0, 1e-16])
def test_ball_at_rest(aside):
    """It rolls to the lowest point of its bowl, and about it with w^2 = 5/7 g / (R - r); beside the
    plane y = 0 too, where no stiffness that should be zero is."""
    length = SOCKET - RADIUS
    system = fc.System(gravity=(0, 0, -G))
    body = ball(system, (length * np.sin(1), aside, -length * np.cos(1)))
    system.add(
        fc.RollingJoint(
            system.ground.point((0, 0, 0)), body.center, RADIUS, socket_radius=SOCKET, name="r"
        )
    )
    found = fc.Statics(system).solve()
    assert places(found, "ball")[-1] == pytest.approx([0, 0, -length], abs=1e-9)
    assert found["r.normal_force"][-1] == pytest.approx(MASS * G, rel=1e-9)
    frequency = np.sqrt(5 / 7 * G / length) / (2 * np.pi)
    modes = fc.eigenmodes(system, 3).frequencies
    assert modes == pytest.approx([0, frequency, frequency], rel=1e-8, abs=1e-6)


def test_input():
    def add(place=(0, 0, RADIUS), **options):
        system = fc.System()
        body = ball(system, place)
        system.add(fc.RollingJoint(system.ground.point((0, 0, 0)), body.center, RADIUS, **options))

    with pytest.raises(fc.InputError, match="give normal= .* socket_radius= .* or along="):
        add()
    with pytest.raises(fc.InputError, match="give normal="):
        add(normal=Z, socket_radius=1.0)
    with pytest.raises(fc.InputError, match="lies flat"):
        add(normal=Z, axis=Z)
    with pytest.raises(fc.InputError, match="smaller than the socket"):
        add(socket_radius=RADIUS)
    with pytest.raises(fc.InputError, match="omit axis"):
        add(socket_radius=1.0, axis=Z)
    with pytest.raises(fc.InputError, match="axis"):
        add(along=(1, 0, 0))
    with pytest.raises(fc.InputError, match="perpendicular"):
        add(along=(1, 0, 0), axis=(1, 0, 0))
    with pytest.raises(fc.InputError, match="0.1 m too far from what it rolls on"):
        add(place=(0, 0, 2 * RADIUS), normal=Z)
    with pytest.raises(fc.InputError, match="0.1 m too near to"):
        add(place=(0, 0, -0.5), socket_radius=SOCKET)
    with pytest.raises(fc.InputError, match="radius must be positive"):
        fc.RollingJoint(fc.System().ground, fc.RigidBody(1, (1, 1, 1)).center, -1.0, normal=Z)


@pytest.mark.mpi
@pytest.mark.parametrize("integrator", [fc.GeneralizedAlpha(0.8), fc.Bathe()], ids=str)
def test_ranks(integrator):
    """The coin on any number of ranks."""
    results = fc.Simulation(disc(**FALLING), integrator, dt=2e-3, t_end=0.2).run()
    y = falling()(results.time)
    path = np.column_stack([y[5], y[6], RADIUS * np.sin(y[0])])
    assert np.abs(places(results, "disc") - path).max() < 2e-5
