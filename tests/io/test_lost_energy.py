"""Energy that the integrator takes, small beside a rotor's but not beside what its bearings do."""

import json
import logging

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.runs.energy import EnergyMonitor

NAMES = [f"energy.{n}" for n in ("kinetic", "total", "dissipated", "fed", "balance")]
INERTIA, SPIN, STEP, DAMPING = 50.0, 314.0, 1e-4, 4e-3


def braked(integrator, t_end=0.1):
    """A heavy shaft with a little damping, which turns by 0.0314 rad a step."""
    system = fc.System()
    spin = (0, 0, SPIN)
    shaft = fc.RigidBody(1000.0, (INERTIA,) * 3, angular_velocity=spin, name="shaft")
    frame = system.add(shaft).at((0, 0, 0))
    system.add(fc.RevoluteJoint(system.ground, frame, axis=(0, 0, 1)))
    system.add(
        fc.TorsionSpring(system.ground, frame, axis=(0, 0, 1), stiffness=0.0, damping=DAMPING)
    )
    return fc.Simulation(system, integrator, dt=STEP, t_end=t_end, progress=False).run()


@pytest.mark.parametrize("rho_inf", [0.5, 0.8])
def test_what_constraints_on_positions_take_from_a_rotor(rho_inf, caplog):
    """For an oscillator the amplification of a step of angle x is 1 - r x^4/2 with
    r = ((1 - rho)/(1 + rho))^3; a body on constraints loses twice as much speed, because its
    directors keep their length: the power I w^3 r x^3."""
    rate = ((1 - rho_inf) / (1 + rho_inf)) ** 3 * INERTIA * SPIN**3 * (SPIN * STEP) ** 3
    results = braked(fc.GeneralizedAlpha(rho_inf, "position"))
    balance = results["energy.balance"]
    half = len(balance) // 2
    assert (balance[half] - balance[-1]) / 0.05 == pytest.approx(rate, rel=6e-3)
    assert results["energy.dissipated"][-1] == pytest.approx(DAMPING * SPIN**2 * 0.1, rel=1e-3)
    (message,) = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    lost, part = -balance[-1], -balance[-1] / results["energy.dissipated"][-1]
    assert message == (
        f"t = 0.1 s: the integrator has lost {lost:.3g} J (energy.balance), {part:.2g} of the "
        "energy that was dissipated (39.4 J): shaft turns by 0.031 rad a step, which brakes it "
        "with constraints on positions; use constraints=stabilised, smaller steps or a rho_inf "
        "closer to 1."
    )


def test_the_remedy_helps(caplog):
    results = braked(fc.GeneralizedAlpha(0.8, "stabilised"))
    assert not caplog.records
    assert abs(results["energy.balance"]).max() < 1e-3 * results["energy.dissipated"][-1]


def told(caplog, balances, dissipated, kinetic=1e6, swing=0.0, fed=0.0):
    """What a monitor says at the end of a run with these balances, J."""
    caplog.clear()
    monitor, n = EnergyMonitor(NAMES), len(balances)
    for k, balance in enumerate(balances):
        part, energy = k / (n - 1), kinetic + swing * np.sin(0.1 * k)
        row = [energy, energy, dissipated * part, fed * part, balance]
        monitor.see(np.array(row), float(k))
        if k in (n // 3, n - 2):  # a run that is resumed goes on as before
            saved = json.loads(json.dumps(monitor.snapshot()))
            monitor = EnergyMonitor(NAMES)
            monitor.restore(saved)
    with caplog.at_level(logging.WARNING, logger="fem_clearance"):
        monitor.warn_open(1.0)
    return caplog.text


def test_what_is_lost_for_good(caplog):
    """A loss in proportion to what is dissipated; an error that comes and goes is none."""
    drift, swing = np.linspace(0, -1, 1000), np.sin(np.linspace(0, 60, 1000))
    for n in (127, 128, 129, 1000):  # the window begins at a quarter to a half of the steps
        assert "lost 1 J" in told(caplog, np.linspace(0, -1, n), 10.0)
        assert not told(caplog, np.linspace(0, -1, n), 51.0)
    assert "supplied 1 J (energy.balance), 0.1 of the energy that was fed (10 J): use smaller" in (
        told(caplog, -drift, 0.0, fed=10.0)
    )
    assert not told(caplog, swing, 10.0) and not told(caplog, swing - 0.5, 10.0)
    assert not told(caplog, swing[:520], 5.0)  # the last eight steps alone look like a loss
    assert not told(caplog, drift, 0.0)  # nothing that it could be compared with
    # vibrations that are damped on purpose, 1e-3 of a pendulum's energy, and what is more
    assert not told(caplog, 0.02 * drift, 1e-6, swing=10.0)
    assert "of the energy that was dissipated" in told(caplog, 0.2 * drift, 1e-6, swing=10.0)
    # more than all that was dissipated, unless that is nothing beside the motion
    assert "6 of the energy that was dissipated" in told(caplog, 0.03 * drift, 5e-3, swing=10.0)
    assert not told(caplog, 0.03 * drift, 0.03, swing=10.0)
    assert not told(caplog, 0.03 * drift, 1e-3, swing=10.0)
    assert not told(caplog, 1e-4 * drift, 1e-6)  # round-off of a megajoule
    assert not told(caplog, 10 * drift[:99], 10.0)  # too few steps to judge
