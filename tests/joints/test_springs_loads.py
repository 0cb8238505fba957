"""Springs, dampers, bushings, forces, torques and probes against closed forms and balances."""

import numpy as np
import pytest

import fem_clearance as fc

Y, Z = (0, 1, 0), (0, 0, 1)
MOMENTS = (0.4, 0.4, 0.4)


def test_damped_oscillator(march):
    """A carriage on a spring and damper: m x'' + c x' + k x = 0, energy and loss."""
    mass, k, damping, stretch = 2.0, 80.0, 1.6, 0.1
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(mass, MOMENTS, position=(1.1, 0, 0), name="body"))
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    system.add(
        fc.SpringDamper(
            system.ground.at((0.1, 0, 0)), body.center, k, damping, 1.0 - stretch, name="spring"
        )
    )
    run = march(system, 1e-3, 2.0)
    decay = damping / (2 * mass)
    frequency = np.sqrt(k / mass - decay**2)
    t = run["time"]
    exact = (
        stretch
        * np.exp(-decay * t)
        * (np.cos(frequency * t) + decay / frequency * np.sin(frequency * t))
    )
    assert run["body.x"] - 1.0 == pytest.approx(exact, abs=1e-5)
    assert run["spring.length"] == pytest.approx(run["body.x"] - 0.1, abs=1e-9)
    force = k * exact + damping * np.gradient(exact, t)
    assert run["spring.force"][1:-1] == pytest.approx(force[1:-1], abs=3e-3)
    loss = run["spring.loss"]
    lost = np.cumsum((loss[1:] + loss[:-1]) / 2) * 1e-3
    energy = run["energy.total"]
    assert energy[0] == pytest.approx(k * stretch**2 / 2, rel=1e-9)
    assert energy[0] - energy[1:] == pytest.approx(lost, abs=1e-4)


def test_torsion_over_several_turns(march):
    """A wheel wound up by its own speed: angle A sin(w t), no jump at half a turn."""
    inertia, k, speed = 0.4, 0.9, 30.0
    system = fc.System(gravity=(0, 0, 0))
    wheel = system.add(fc.RigidBody(1.0, MOMENTS, angular_velocity=(0, 0, speed), name="wheel"))
    pin = system.add(fc.RevoluteJoint(system.ground, wheel.center, axis=Z))
    system.add(fc.TorsionSpring(pin.i, pin.j, Z, k, name="spring"))
    run = march(system, 1e-3, 2.4)
    w = np.sqrt(k / inertia)
    angle = run["spring.angle"]
    assert np.max(angle) > 3 * 2 * np.pi
    assert angle == pytest.approx(speed / w * np.sin(w * run["time"]), abs=1e-2)
    assert run["spring.torque"] == pytest.approx(-k * angle, abs=1e-9)
    energy = run["energy.total"]
    assert np.ptp(energy) < 5e-4 * energy[0]


def test_torsion_damping_and_free_angle(march):
    """A heavily damped wheel creeps to the free angle."""
    system = fc.System(gravity=(0, 0, 0))
    wheel = system.add(fc.RigidBody(1.0, (0.01, 0.01, 0.01)))
    pin = system.add(fc.RevoluteJoint(system.ground, wheel.center, axis=Z))
    system.add(fc.TorsionSpring(pin.i, pin.j, Z, 2.0, 0.5, 0.7, name="spring"))
    run = march(system, 5e-3, 3.0)
    assert run["spring.angle"][-1] == pytest.approx(0.7, abs=1e-5)


def test_free_bodies_keep_momentum(march):
    """Two free bodies, a spring with damper off their centres: momentum and its moment stay."""
    system = fc.System(gravity=(0, 0, 0))
    first = system.add(
        fc.RigidBody(1.0, MOMENTS, velocity=(0.3, 0.1, 0), angular_velocity=(1, -2, 3), free=True)
    )
    second = system.add(
        fc.RigidBody(2.0, MOMENTS, position=(1, 0.5, 0), angular_velocity=(0, 2, -1), free=True)
    )
    system.add(fc.SpringDamper(first.point((0.2, 0.1, 0)), second.point((-0.3, 0, 0.1)), 30.0, 0.5))
    for body in (first, second):
        system.add(fc.Probe(body, name=f"p{body.name}"))
    run = march(system, 1e-3, 1.0)
    get = lambda name, what: np.array([run[f"p{name}.{what}{x}"] for x in "xyz"]).T  # noqa: E731
    linear = sum(m * get(f"body{k}", "v") for k, m in ((1, 1.0), (2, 2.0)))
    angular = sum(
        m * np.cross(get(f"body{k}", ""), get(f"body{k}", "v")) + 0.4 * get(f"body{k}", "omega_")
        for k, m in ((1, 1.0), (2, 2.0))
    )
    assert linear == pytest.approx(np.broadcast_to(linear[0], linear.shape), abs=1e-9)
    assert angular == pytest.approx(np.broadcast_to(angular[0], angular.shape), abs=2e-5)


def test_bushing():
    """Two free bodies: forces at the start by hand, energy and its loss, momentum."""
    system = fc.System(gravity=(0, 0, 0))
    axes = np.linalg.qr(np.array([[1.0, 2, 0], [0.5, -1, 1], [0, 1, 3]]))[0]
    vi, wi, wj = np.array([0.1, -0.2, 0.3]), np.array([1.0, 2, 3]), np.array([-1, 0.5, 0.2])
    ri, rj, pj = np.array([0.1, 0.2, 0.3]), np.array([0.2, 0, 0]), np.array([0, 0.1, 0])
    body, other = (
        system.add(fc.RigidBody(2.0, (1.0, 2.0, 2.5), position=r, velocity=v, angular_velocity=w,
                                free=True, name=n))
        for r, v, w, n in ((ri, vi, wi, "i"), (np.zeros(3), (0, 0, 0), wj, "j"))
    )  # fmt: skip
    frames = body.point(rj), other.point(pj)
    stiffness, damping = (100.0, 200.0, 300.0), np.array([10.0, 20.0, 30.0])
    system.add(fc.Bushing(*frames, stiffness, damping, axes=axes, name="b"))
    for frame, name in ((body.center, "I"), (other.center, "J")):
        system.add(fc.Probe(frame, name=name))
    results = fc.Simulation(system, dt=1e-3, adaptive=False, t_end=0.5, progress=False).run()
    gap = pj - ri - rj
    rate = np.cross(wj, pj) - vi - np.cross(wi, rj)
    by_hand = [-damping[n] * (rate @ e + gap @ np.cross(wi, e)) for n, e in enumerate(axes.T)]
    assert [results[f"b.force{n}"][0] for n in (1, 2, 3)] == pytest.approx(by_hand, rel=1e-9)
    energy = results["energy.kinetic"] + results["energy.strain"]
    lost = np.trapezoid(results["b.loss"], results.time)
    assert lost > 0.01 * energy[0] and energy[0] - energy[-1] == pytest.approx(lost, rel=1e-3)
    for x in "xyz":
        together = results[f"I.v{x}"] + results[f"J.v{x}"]
        assert together == pytest.approx(together[0], abs=1e-9)
    with pytest.raises(fc.InputError, match="needs a stiffness"):
        fc.Bushing(*frames)
    with pytest.raises(fc.InputError, match="orthogonal"):
        fc.Bushing(*frames, 1.0, axes=np.ones((3, 3)))


def test_dead_force(march):
    """x = F t^3 / (6 m) under a force that grows with time, and its power is what energy gains."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(2.0, MOMENTS, free=True, name="body"))
    system.add(fc.Force(body, (3.0, 0, -6.0), fc.functions.Linear(rate=1.0), name="push"))
    run = march(system, 1e-3, 1.0)
    t = run["time"]
    assert run["body.x"] == pytest.approx(3.0 * t**3 / 12, abs=2e-6)
    assert run["body.z"] == pytest.approx(-6.0 * t**3 / 12, abs=4e-6)
    assert run["push.z"] == pytest.approx(-6.0 * t, abs=1e-12)
    power = run["push.power"]
    work = np.sum((power[1:] + power[:-1]) / 2) * 1e-3
    assert run["energy.total"][-1] == pytest.approx(work, rel=1e-5)


def test_follower_force(march):
    """A force that turns with its body at the speed w: a circle of radius F / (m w^2)."""
    mass, force, w = 2.0, 3.0, 4.0
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(mass, MOMENTS, angular_velocity=(0, 0, w), orientation=(0.3, 0.2, 0.1),
                     velocity=(0, -force / (mass * w), 0), free=True, name="body")
    )  # fmt: skip
    system.add(fc.Force(body, (force, 0, 0), follower=True))
    run = march(system, 1e-3, 1.6)
    radius, t = force / (mass * w**2), run["time"]
    assert run["body.x"] == pytest.approx(radius * (1 - np.cos(w * t)), abs=2e-5)
    assert run["body.y"] == pytest.approx(-radius * np.sin(w * t), abs=2e-5)


@pytest.mark.parametrize("follower", [False, True])
def test_torque(follower, march):
    """Angular momentum grows by the torque, on a body that tumbles; power balances energy."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, MOMENTS, angular_velocity=(1, 2, 0), free=True))
    system.add(fc.Torque(body, (0, 0, 0.8), follower=follower, name="motor"))
    system.add(fc.Probe(body, name="probe"))
    run = march(system, 1e-3, 1.0)
    torque, omega = (
        np.array([run[f"{n}{x}"] for x in "xyz"]).T for n in ("motor.", "probe.omega_")
    )
    impulse = np.vstack([np.zeros(3), np.cumsum((torque[1:] + torque[:-1]) / 2 * 1e-3, axis=0)])
    assert 0.4 * (omega - omega[0]) == pytest.approx(impulse, abs=1e-5)
    assert follower == bool(np.ptp(torque, axis=0)[0] > 0.1)
    power = run["motor.power"]
    work = np.sum((power[1:] + power[:-1]) / 2) * 1e-3
    energy = run["energy.total"]
    assert energy[-1] - energy[0] == pytest.approx(work, rel=1e-5)


def test_probe_on_a_spinning_body(march):
    """v = w x r and a = w x (w x r) at a point; units and names of the channels."""
    w = np.array((0.0, 3.0, 0.0))
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, MOMENTS, position=(1, 2, 3), angular_velocity=w, free=True))
    system.add(fc.Probe(body.point((0.2, 0.4, 0.1)), name="tip"))
    run = march(system, 1e-3, 0.3)
    get = lambda what: np.array([run[f"tip.{what}{x}"][-1] for x in "xyz"])  # noqa: E731
    arm = get("") - (1, 2, 3)
    assert np.linalg.norm(arm) == pytest.approx(np.sqrt(0.21), abs=1e-8)
    assert get("v") == pytest.approx(np.cross(w, arm), abs=1e-5)
    assert get("a") == pytest.approx(np.cross(w, np.cross(w, arm)), abs=1e-4)
    assert get("omega_") == pytest.approx(w, abs=1e-5)
    units = {c.name: c.unit for c in system.channels.list}
    assert units["tip.x"] == "m" and units["tip.ay"] == "m/s^2" and units["tip.omega_z"] == "rad/s"
    assert "tip.omega_x" in units and "tip.reaction.x" not in units


@pytest.mark.mpi
def test_ranks_agree_with_closed_forms(march):
    """A wheel on a torsion spring and a pushed body: parameters move on, sums are right."""
    system = fc.System(gravity=(0, 0, 0))
    wheel = system.add(fc.RigidBody(1.0, MOMENTS, angular_velocity=(0, 0, 10)))
    pin = system.add(fc.RevoluteJoint(system.ground, wheel.center, axis=Z))
    system.add(fc.TorsionSpring(pin.i, pin.j, Z, 40.0, name="spring"))
    body = system.add(fc.RigidBody(2.0, MOMENTS, position=(1, 0, 0), free=True, name="body"))
    system.add(fc.Force(body, (0, 4.0, 0), fc.functions.Linear(rate=1.0), name="push"))
    system.add(fc.Probe(body, name="probe"))
    run = march(system, 1e-2, 0.4)
    t = run["time"]
    assert run["spring.angle"] == pytest.approx(np.sin(10 * t), abs=1e-2)
    assert run["probe.y"] == pytest.approx(t**3 / 3, abs=1e-4)
    assert run["probe.vy"] == pytest.approx(run["body.vy"], abs=1e-12)
    assert run["push.y"] == pytest.approx(4 * t, abs=1e-12)
    assert run["energy.strain"] == pytest.approx(20 * run["spring.angle"] ** 2, abs=1e-9)
