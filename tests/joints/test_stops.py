"""Stops and backlash: linear contacts against closed forms, and the ledger of energy."""

import numpy as np
import pytest

import fem_clearance as fc

MASS, INERTIA, STIFF = 2.0, 0.02, 1e5
ELASTIC = fc.Hertz(exponent=1.0)


def slider(*items, speed, **options):
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(MASS, (1, 1, 1), position=(0.3, 0, 0), velocity=(speed, 0, 0), name="body")
    )
    system.add(fc.PrismaticJoint(system.ground, body, axis=(1, 0, 0)))
    system.add(
        fc.TranslationStops(
            system.ground.at((0, 0, 0)), body.center, axis=(1, 0, 0), stiffness=STIFF, name="s",
            **options,
        )
    )  # fmt: skip
    system.add(fc.Probe(body.center, name="p"))
    return system


def test_between_two_stops():
    """A body that runs at 2 m/s between elastic stops at -0.1 and 0.2 m: straight lines and halves
    of sines of the period 2 pi sqrt(m / k)."""
    speed, lower, upper = 2.0, -0.1, 0.2
    system = slider(speed=speed, lower=lower, upper=upper, normal=ELASTIC)
    results = fc.Simulation(system, adaptive=True, tolerance=1e-7, t_end=0.5, progress=False).run()
    omega = np.sqrt(STIFF / MASS)
    contact, way = np.pi / omega, upper - lower
    touches = [(0.2 / speed, "s.upper"), (0.2 / speed + contact + way / speed, "s.lower"),
               (0.2 / speed + 2 * (contact + way / speed), "s.upper")]  # fmt: skip
    onsets = [e for e in results.events if e.kind == "onset"]
    assert len(onsets) == 3
    for event, (time, owner) in zip(onsets, touches, strict=True):
        assert event.owner == owner
        assert event.time == pytest.approx(time, abs=3e-5)
        assert event.speed == pytest.approx(speed, rel=3e-4)
    assert results["s.upper.normal_force"].max() == pytest.approx(
        speed * np.sqrt(STIFF * MASS), rel=1e-3
    )
    kinetic = MASS / 2 * speed**2
    assert abs(results["energy.balance"]).max() < 1e-3 * kinetic
    assert results["energy.dissipated"][-1] == pytest.approx(0, abs=1e-3 * kinetic)


def test_restitution():
    """The default law gives back 0.9 of the speed (Lankarani and Nikravesh: 0.913)."""
    results = fc.Simulation(
        slider(speed=2.0, upper=0.2), adaptive=True, tolerance=1e-7, t_end=0.15, progress=False
    ).run()
    assert results["p.vx"][-1] == pytest.approx(-2.0 * 0.91318, rel=1e-3)
    lost = MASS / 2 * 4 * (1 - 0.91318**2)
    assert results["energy.dissipated"][-1] == pytest.approx(lost, rel=1e-2)


def test_backlash_of_a_coupling():
    """Two discs whose coupling has a free angle: they exchange momentum elastically at the end of
    the free angle; equal discs exchange their speeds. Turns count: it happens after two of them."""
    free, radius, speed = 4 * np.pi, 0.05, 30.0
    system, bodies, pins = fc.System(gravity=(0, 0, 0)), [], []
    for k in range(2):
        body = fc.RigidBody(
            1.0, (INERTIA,) * 3, position=(0, 0, 0.1 * k),
            angular_velocity=(0, 0, speed * k), name=f"disc{k}",
        )  # fmt: skip
        bodies.append(system.add(body))
        pins.append(system.add(
            fc.RevoluteJoint(system.ground, body.center, axis=(0, 0, 1), name=f"pin{k}")
        ))  # fmt: skip
        system.add(fc.AngleProbe(pins[k].i, pins[k].j, axis=(0, 0, 1), name=f"a{k}"))
    system.add(
        fc.RotationStops(
            bodies[0].center, bodies[1].center, axis=(0, 0, 1), lower=-0.1, upper=free,
            radius=radius, stiffness=STIFF, normal=ELASTIC, name="play",
        )
    )  # fmt: skip
    scheme = fc.GeneralizedAlpha(constraints="stabilised")
    results = fc.Simulation(
        system, scheme, adaptive=True, tolerance=1e-7, t_end=0.5, progress=False
    ).run()
    (onset,) = [e for e in results.events if e.kind == "onset"]
    assert onset.owner == "play.upper"
    assert onset.time == pytest.approx(free / speed, rel=1e-5)
    assert onset.speed == pytest.approx(radius * speed, rel=1e-4)
    assert [results[f"a{k}.speed"][-1] for k in (0, 1)] == pytest.approx([speed, 0], abs=1e-2)
    # discs against each other: reduced inertia J / 2, stiffness k r^2
    largest = speed * np.sqrt(STIFF * radius**2 * INERTIA / 2)
    assert results["play.upper.torque"].min() == pytest.approx(-largest, rel=2e-3)
    assert abs(results["energy.balance"]).max() < 1e-3 * INERTIA / 2 * speed**2


def test_forces_at_rest():
    """A body 3 mm and a disc 0.2 rad beyond their stops."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(MASS, (1, 1, 1), name="body", free=True))
    ground = system.ground.at((0, 0, 0))
    system.add(fc.TranslationStops(ground, body.center, axis=(0, 0, 1), lower=0.003,
                                   stiffness=STIFF, normal=ELASTIC, name="s"))  # fmt: skip
    system.add(fc.RotationStops(ground, body.center, axis=(0, 0, 1), upper=-0.2, radius=0.1,
                                stiffness=STIFF, normal=ELASTIC, name="r"))  # fmt: skip
    state = system.state
    rows = state.residual()[np.concatenate([r.numbers for r in body.refs])]
    assert -rows[:3] == pytest.approx([0, 0, STIFF * 0.003])
    moment = -np.cross(np.eye(3), rows[3:12].reshape(3, 3)).sum(axis=0)
    assert moment == pytest.approx([0, 0, -STIFF * 0.2 * 0.1**2])


def test_bad_input():
    system = fc.System()
    body = fc.RigidBody(1.0, (1, 1, 1))
    ends = system.ground, body.center
    for make, options, message in (
        (fc.TranslationStops, {"stiffness": 1.0}, "needs a limit"),
        (fc.TranslationStops, {"lower": 0.1}, "needs a stiffness"),
        (fc.TranslationStops, {"lower": 1, "upper": 0, "stiffness": 1}, "lower must be below"),
        (fc.RotationStops, {"lower": 1, "stiffness": 1}, "needs the radius"),
        (fc.RotationStops, {"lower": 1, "stiffness": 1, "radius": 1, "normal": 3}, "normal must"),
    ):
        with pytest.raises(fc.InputError, match=message):
            make(*ends, axis=(0, 0, 1), **options)
