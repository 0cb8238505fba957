"""Gears that start backwards from rest, and that turn round in motion."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fem_clearance as fc
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears import (
    ConstantStiffness,
    GearMesh,
    GearPair,
    RectangularStiffness,
    SpurGear,
    equivalent_mass,
)

RADII = [g.base_radius for g in (data.mesh().pinion, data.mesh().gear)]
#: of a mesh so soft that steps of a millisecond resolve its oscillation (180 Hz)
SOFT = RectangularStiffness(data.LARGEST * 1e-3, data.MEAN * 1e-3)


def _swinging(gears, phase, torque, omega, stiffness=SOFT):
    """Gears on bearings at rest, a torque cos(omega t) on the pinion."""
    model = gears(stiffness=stiffness, speed=None, phase=phase, damping=0.05)
    for k, body in enumerate(model.bodies):
        pin = model.system.add(
            fc.RevoluteJoint(model.system.ground, body.center, axis=(0, 0, 1), name=f"pin{k}")
        )
        model.system.add(fc.AngleProbe(pin.i, pin.j, (0, 0, 1), name=f"turn{k}"))
    model.system.add(
        fc.Torque(model.bodies[0].center, (0, 0, torque),
                  function=fc.functions.Harmonic(1.0, omega / (2 * np.pi), np.pi / 2))
    )  # fmt: skip
    return model


def _reference(phase, torque, omega, t_end):
    """Both angles over time: two discs and a spring that is stiffer while two pairs are in contact,
    one smooth piece after the other."""
    share = data.mesh().contact_ratio - 1
    least = (data.MEAN - data.LARGEST * share) / (1 - share) * 1e-3
    I1, I2 = data.INERTIAS
    r1, r2 = RADII
    mass = I1 * I2 / (r1**2 * I2 + r2**2 * I1)
    pitch = data.mesh().base_pitch

    def place(x):
        return phase + r1 * x[0] / pitch

    def motion(stiff):
        k = data.LARGEST * 1e-3 if stiff else least
        c = 2 * 0.05 * np.sqrt(k * mass)

        def f(t, x):
            force = k * (r1 * x[0] + r2 * x[1]) + c * (r1 * x[2] + r2 * x[3])
            drive = torque * np.cos(omega * t)
            return [x[2], x[3], (drive - r1 * force) / I1, -r2 * force / I2]

        return f

    t, x, ts, xs = 0.0, np.zeros(4), [0.0], [np.zeros(4)]
    sense = np.sign(torque)
    while t < t_end:
        cycle, part = divmod(place(x) + 1e-9 * sense, 1.0)
        stiff = part < share
        first, last = (cycle, cycle + share) if stiff else (cycle + share, cycle + 1)

        def leaves(t, x, first=first, last=last):
            z = place(x)
            return min(z - first, last - z) + 1e-9

        leaves.terminal, leaves.direction = True, -1
        piece = solve_ivp(motion(stiff), (t, t_end), x, events=leaves, rtol=1e-10, atol=1e-13,
                          max_step=t_end / 500)  # fmt: skip
        ts += [*piece.t[1:]]
        xs += [*piece.y.T[1:]]
        t, x = ts[-1], xs[-1]
        sense = np.sign(x[2])
    return np.array(ts), np.array(xs)[:, :2]


def _errors(gears, phase, torque, dt, omega=20.0, t_end=0.7):
    """Of both angles, relative to their range."""
    model = _swinging(gears, phase, torque, omega)
    results = fc.Simulation(model.system, dt=dt, t_end=t_end, progress=False).run()
    t, angles = _reference(phase, torque, omega, t_end)
    assert np.ptp(angles[:, 0]) * data.TEETH[0] / (2 * np.pi) > 3  # so many pairs of teeth
    found = [results["turn0.angle"], results["turn1.angle"]]
    exact = [np.interp(results.time, t, z) for z in angles.T]
    return [np.abs(a - b).max() / np.ptp(b) for a, b in zip(found, exact, strict=True)]


@pytest.mark.parametrize("phase, torque", [(0.0, -0.4), (0.01, -0.4), (0.3, 0.4), (0.433, -0.4)])
def test_reversal_in_motion(gears, phase, torque):
    """The torque swings: the pinion turns back and forth over several pairs of teeth, from rest at
    an event of the mesh cycle or just before one, too. Of second order where steps are fixed."""
    coarse, fine = (_errors(gears, phase, torque, dt) for dt in (1e-3, 5e-4))
    assert max(coarse) < 3e-4
    assert np.all(np.array(coarse) > 2.5 * np.array(fine))


def test_reversal_with_adaptive_steps(gears):
    assert max(_errors(gears, 0.0, -0.4, None)) < 3e-5


@pytest.mark.parametrize("phase", [0.0, 0.3, 1 - 1e-9])
@pytest.mark.parametrize("way", [1, -1])
def test_start_from_rest_with_backlash(phase, way):
    """The pinion (I1) turns alone through the play, takes the gear (I2) along in a plastic impact,
    and both go on together."""
    I1, I2, play, t_end = 0.01, 0.05, 1e-4, 0.3
    system = fc.System(gravity=(0, 0, 0))
    gear = SpurGear(40, 2e-3, np.radians(20), 0.02)
    mesh = GearMesh(gear, gear)
    bodies = [
        system.add(fc.RigidBody(1, (1, 1, z), position=(x, 0, 0)))
        for x, z in ((0, I1), (mesh.centre_distance, I2))
    ]
    pins = [fc.RevoluteJoint(system.ground, b.center, axis=(0, 0, 1)) for b in bodies]
    for pin in pins:
        system.add(pin)
    system.add(
        GearPair(*(b.center for b in bodies), (0, 0, 1), mesh=mesh,
                 stiffness=ConstantStiffness(1e7), damping=0.05,
                 mass=equivalent_mass(mesh, (I1, I2)), backlash=play, phase=phase)
    )  # fmt: skip
    system.add(fc.Torque(bodies[0].center, (0, 0, way)))
    system.add(fc.AngleProbe(pins[0].i, pins[0].j, (0, 0, 1), name="turn"))
    results = fc.Simulation(system, t_end=t_end, progress=False).run()
    alone = play / gear.base_radius if way < 0 else 0.0  # forwards the flanks touch already
    t1 = np.sqrt(2 * alone * I1)
    speed, rest = t1 / (I1 + I2), t_end - t1
    exact = alone + speed * rest + rest**2 / 2 / (I1 + I2)
    assert results["turn.angle"][-1] == pytest.approx(way * exact, rel=2e-4)
