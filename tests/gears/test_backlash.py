"""Backlash: a dead zone between two flanks, impacts on both, centres that move apart."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears import GearMesh, equivalent_mass

PLAY, SLIP = 5e-5, 0.2  # m, m/s along the line of action
MASS = equivalent_mass(data.mesh(), data.INERTIAS)
OMEGA = np.sqrt(data.MEAN / MASS)
RADII = [g.base_radius for g in (data.mesh().pinion, data.mesh().gear)]


def _rattle(gears, h, end, **options):
    """Gears on bearings, without load, in the middle of their play, coming together."""
    start = {"initial": -PLAY / 2, "backlash": PLAY, "speeds": (10 + SLIP / RADII[0], -250 / 31)}
    model = gears(**(start | options))
    for k, body in enumerate(model.bodies):
        model.system.add(fc.RevoluteJoint(model.system.ground, body.center, axis=(0, 0, 1),
                                          name=f"bearing{k}"))  # fmt: skip
    stepper = fc.Stepper(model.system, dt=h, t_end=end, newton_tolerance=1e-9)
    stepper.start()
    names = ("transmission_error", "transmission_error_rate", "mesh_force", "energy", "loss")
    rows = []

    def note():
        rows.append([stepper.t, *(stepper.channels[f"mesh.{n}"] for n in names),
                     stepper.channels["energy.kinetic"]])  # fmt: skip

    note()
    while stepper.t < end:
        stepper.advance()
        note()
    return np.array(rows).T


@pytest.mark.slow
def test_rattling_between_both_flanks(gears):
    """Without damping: free flight through the play, half an oscillation on each flank; the period
    is 2 b / v + 2 pi / omega and the excursions are v / omega beyond the play."""
    t, error, rate, force, energy, _, kinetic = _rattle(gears, 5e-7, 4e-3)
    assert rate[0] == pytest.approx(SLIP, rel=1e-10)
    free = (error < 0) & (error > -PLAY)
    assert np.all(force[free] == 0) and np.all(force[~free] != 0)
    assert force.max() > 0 > force.min()
    assert [error.max(), error.min()] == pytest.approx(
        [SLIP / OMEGA, -PLAY - SLIP / OMEGA], rel=2e-3
    )
    rising = np.flatnonzero((error[:-1] < -PLAY / 2) & (error[1:] >= -PLAY / 2))
    crossings = t[rising] + (-PLAY / 2 - error[rising]) / rate[rising]
    period = 2 * PLAY / SLIP + 2 * np.pi / OMEGA
    assert np.diff(crossings) == pytest.approx(period, rel=1e-3)
    spring = MASS * SLIP**2 / 2
    assert np.ptp(kinetic + energy) < 1e-2 * spring
    assert energy.max() == pytest.approx(spring, rel=5e-3)


@pytest.mark.slow
def test_damped_impacts_lose_what_the_mesh_says(gears):
    t, error, rate, _, energy, loss, kinetic = _rattle(gears, 5e-7, 2e-3, damping=0.1)
    lost = np.concatenate([[0], np.cumsum(np.diff(t) * (loss[1:] + loss[:-1]) / 2)])
    spring = MASS * SLIP**2 / 2
    assert lost[-1] > 0.3 * spring
    total = kinetic + energy + lost
    assert np.abs(total - total[0]).max() < 2e-2 * spring
    # a damped half oscillation, cut where the force would pull: the same on both flanks
    free = (error < -0.1 * PLAY) & (error > -0.9 * PLAY)
    speeds = np.abs(rate[free])
    levels = np.unique(np.round(speeds, 6))
    ratios = levels[:-1] / levels[1:]
    assert len(ratios) >= 2 and np.ptp(ratios) < 5e-3


@pytest.mark.slow
def test_centres_that_part_open_both_flanks(gears):
    """The approach falls by half of what the backlash grows by, the formula of gear geometry."""
    model = gears(initial=-PLAY / 2, backlash=PLAY, velocities=((0, 0, 0), (0.5, 0, 0)))
    stepper = fc.Stepper(model.system, dt=1e-5, t_end=1e-3)
    stepper.start()
    while stepper.t < stepper.t_end:
        stepper.advance()
    mesh = GearMesh(data.teeth(0), data.teeth(1), data.CENTRES + 5e-4)
    grown = (mesh.backlash - data.mesh().backlash) / 2
    assert stepper.channels["mesh.mesh_force"] == 0
    assert stepper.channels["mesh.transmission_error"] == pytest.approx(-PLAY / 2 - grown, rel=1e-6)
    angle = stepper.channels["mesh.pressure_angle_deg"]
    assert angle == pytest.approx(np.degrees(mesh.pressure_angle), rel=1e-9)


@pytest.mark.slow
def test_a_light_load_at_resonance_separates_the_teeth():
    """Kahraman and Singh (1991): near the mesh's natural frequency teeth part and hit again; the
    softening bends the peak to lower speeds."""
    rpm = 60 * OMEGA / (2 * np.pi) / data.TEETH[0]
    given = {"pinion.rpm": 0.95 * rpm, "pinion.torque": 20.0, "transmission_error": 2e-6,
             "tolerance": 1e-9}  # fmt: skip
    glued = data.case.simulation(given, progress=False).run()
    loose = data.case.simulation(given | {"backlash": 5e-5}, progress=False).run()
    assert glued["mesh_force"].min() < -10
    last = loose["mesh_force"][len(loose.time) // 2 :]
    assert last.min() == 0 and np.mean(last == 0) > 0.1
