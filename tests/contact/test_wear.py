"""Wear: profiles, worn gaps, energy on worn surfaces, Archard's volume, periods, resuming."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import fem_clearance as fc
from fem_clearance.contact.wear import overlap as wear_gap
from fem_clearance.contact.wear import profile
from fem_clearance.contact.wear.archard import half_width
from fem_clearance.contact.wear.periods import counted
from fem_clearance.diagnostics import tangent_error

STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)
CLEARANCE = 5e-4
SIZE = {"bearing_radius": 0.01, "journal_radius": 0.0095, "length": 0.015}
NONE = fc.Archard(0.0, 1e9)


def bearing(angle):
    """A patch worn 15 um deep, 80 degrees wide, on a wavy surface."""
    z = (np.mod(angle - 1 + np.pi, 2 * np.pi) - np.pi) / np.radians(40)
    return 1.5e-5 * np.maximum(1 - z**2, 0) ** 2 + 5e-6 * np.cos(5 * angle)


def journal(angle):
    return 8e-6 * np.cos(2 * angle) - 2e-6 * np.sin(7 * angle)


# --- profiles -------------------------------------------------------------------------------------
def test_spline_against_scipy():
    angles = profile.angles(64)
    spline = profile.coefficients(bearing(angles))
    other = CubicSpline(np.append(angles, 2 * np.pi), np.append(bearing(angles), bearing(0.0)),
                        bc_type="periodic")  # fmt: skip
    assert profile.values(spline) == pytest.approx(bearing(angles), abs=1e-18)
    for angle in (-7.0, -0.01, 0.3, 3.0, 6.28, 11.0):
        wanted = np.array([other(angle % (2 * np.pi), k) for k in range(3)])
        assert np.array(profile.at(spline, angle)) == pytest.approx(wanted, rel=1e-9, abs=1e-13)
    turned = profile.turned(spline, 0.77, -20, 41)
    wanted = np.array([profile.at(spline, a * 2 * np.pi / 64 - 0.77) for a in range(-20, 21)]).T
    assert turned == pytest.approx(wanted, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("bins", [180, 720])
def test_smoothing_is_an_angle_not_a_number_of_bins(bins):
    """A Gaussian of width w leaves exp(-k^2 w^2 / 2) of cos(k angle)."""
    wave = np.cos(10 * profile.angles(bins))
    left = profile.values(profile.coefficients(wave, 0.05))
    assert left == pytest.approx(np.exp(-(0.5**2) / 2) * wave, abs=1e-13)


@pytest.mark.parametrize("centre, half", [(0.0, 0.1), (-9.0, 0.003), (6.28, 1.0), (2.0, 0.0004)])
def test_spread_deals_out_all(centre, half):
    ring = np.zeros(90)
    profile.spread(ring, centre, half, 3.0)
    width = 2 * np.pi / 90
    assert ring.sum() * width == pytest.approx(3.0 * 2 * half, rel=1e-12)
    assert ring.min() > -1e-15 and ring.max() <= 3.0 * (1 + 1e-12)
    if half < 0.5:
        moment = np.sum(ring * np.exp(1j * profile.angles(90)))
        assert np.angle(moment * np.exp(-1j * centre)) == pytest.approx(0.0, abs=width / 2)


# --- gaps -----------------------------------------------------------------------------------------
def depth(model, x, y, turn, splines):
    overlap = wear_gap.MODELS[model](x, y, turn, splines, CLEARANCE)
    return overlap.value + np.hypot(x, y) - CLEARANCE


def splines(first, second, bins=720):
    angles = profile.angles(bins)
    return profile.coefficients(np.array([first(angles), second(angles)]))


@pytest.mark.parametrize("model", ["radial", "foundation"])
@pytest.mark.parametrize("angle", [0.4, 1.0, 4.0])
def test_derivatives_of_gaps(model, angle):
    worn = splines(bearing, journal)
    place = np.array([5.3e-4 * np.cos(angle), 5.3e-4 * np.sin(angle), 0.6])
    overlap = wear_gap.MODELS[model](*place, worn, CLEARANCE)
    steps = np.diag([2e-9, 2e-9, 4e-6])

    def parts(z):
        o = wear_gap.MODELS[model](*z, worn, CLEARANCE)
        return o.value, o.gradient

    for k, step in enumerate(steps):
        (v1, g1), (v0, g0) = parts(place + step), parts(place - step)
        h = step[k]
        assert (v1 - v0) / (2 * h) == pytest.approx(overlap.gradient[k], rel=1e-5, abs=1e-9)
        scale = np.abs(overlap.hessian).max(axis=0)
        error = np.abs((g1 - g0) / (2 * h) - overlap.hessian[k])
        # bins enter and leave the overlap: second derivatives of the sum jump a little
        assert np.all(error < (1e-4 if model == "radial" else 0.05) * scale)


def test_foundation_of_round_and_of_shifted_surfaces():
    """A depth of a cos(angle) shifts the bearing by a: the depth is |e - a| - c exactly."""
    worn = splines(lambda a: 1e-4 * np.cos(a), lambda a: 0 * a)
    for angle in (0.0, 0.7, 2.0, 4.5):
        for r in (4.9e-4, 5.2e-4, 6.4e-4):
            x, y = r * np.cos(angle), r * np.sin(angle)
            exact = np.hypot(x - 1e-4, y) - CLEARANCE
            if exact > -1e-6:  # in contact
                found = depth("foundation", x, y, 0.3, worn)
                assert found == pytest.approx(exact, abs=2e-4 * max(exact, 1e-6))


def test_radial_gap_misses_the_shift():
    """On the line of centres a shifted surface is a cos(angle) away: off by a^2/2e across it."""
    worn = splines(lambda a: 1e-4 * np.cos(a), lambda a: 0 * a)
    r = 5.2e-4
    missed = depth("radial", 0.0, r, 0.0, worn) - (np.hypot(1e-4, r) - CLEARANCE)
    assert missed == pytest.approx(-(1e-4**2) / (2 * r), rel=0.02)


def test_foundation_converges_with_bins():
    """The grid's error in depth falls faster than the square of the bin."""
    place = 5.3e-4 * np.cos(0.8), 5.3e-4 * np.sin(0.8), 0.6
    found = [
        depth("foundation", *place, splines(bearing, journal, n)) for n in (180, 360, 720, 2880)
    ]
    errors = np.abs(np.array(found[:-1]) - found[-1])
    assert errors[2] < 2e-8
    assert errors[2] < errors[0] / 4


# --- energy ---------------------------------------------------------------------------------------
def two_bodies(gap, friction=None, spin=(5.0, 30.0)):
    """A bearing and a journal that roll and bounce on each other, held by nothing else."""
    omega = 20 * np.pi
    system = fc.System(gravity=(0, 0, 0))
    outer = system.add(
        fc.RigidBody(2.0, (4e-4,) * 3, free=True, name="bearing", orientation=(0, 0, 0.3),
                     velocity=(0, -omega * CLEARANCE / 2, 0), angular_velocity=(0, 0, spin[0]))
    )  # fmt: skip
    inner = system.add(
        fc.RigidBody(1.0, (5e-5,) * 3, free=True, name="journal", position=(0.99 * CLEARANCE, 0, 0),
                     velocity=(0, omega * CLEARANCE, 0), angular_velocity=(0, 0, spin[1]))
    )  # fmt: skip
    system.add(
        fc.RevoluteClearance(
            outer.center, inner.center, (0, 0, 1), normal=fc.Hertz(), stiffness=1e8,
            friction=friction, wear=fc.Wear(NONE, gap=gap), worn=(bearing, journal),
            materials=(STEEL, STEEL), name="joint", **SIZE,
        )
    )  # fmt: skip
    return system


def energies(gap, dt, t_end, **options):
    """Total energy and work of friction after each step, and the stepper."""
    system = two_bodies(gap, **options)
    stepper = fc.Stepper(system, dt=dt, t_end=t_end)
    stepper.start()
    log = []
    while stepper.t < t_end:
        c = stepper.channels
        names = ("energy.total", "joint.friction_loss", "joint.normal_force")
        log.append((stepper.t, *(c[n] for n in names)))
        stepper.advance()
    time, energy, power, force = np.array(log).T
    work = np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(time))])
    return energy, work, force, stepper


@pytest.mark.parametrize("gap", ["radial", "foundation"])
def test_tangent_on_worn_surfaces(gap):
    _, _, force, stepper = energies(gap, 4e-5, 0.03, friction=fc.CubicStribeck())
    while stepper.channels["joint.normal_force"] == 0:
        stepper.t_end = 1.0
        stepper.advance()
    assert tangent_error(stepper.state, step=1e-9) < 1e-5


@pytest.mark.parametrize("gap", ["radial", "foundation"])
def test_contact_on_worn_surfaces_keeps_energy(gap):
    """Forces along the gradient, with moments on both bodies. What is left is below 1e-4
    of the orbit's (7.4e-4 J) and of second order in the step; a force along the line of centres
    would change the energy by 9 % of it, however small the steps."""
    ranges = []
    for dt in (4e-5, 2e-5):
        energy, _, force, _ = energies(gap, dt, 0.05)
        assert force.max() > 1.0
        ranges.append(np.ptp(energy))
    assert ranges[1] < 1e-4 * 7.4e-4
    assert ranges[1] < 0.3 * ranges[0]


@pytest.mark.parametrize("gap", ["radial", "foundation"])
def test_energy_balance_with_friction(gap):
    """Work in = stored + dissipated, to 1e-4 of what friction dissipates."""
    energy, work, _, _ = energies(gap, 2e-5, 0.03, friction=fc.CubicStribeck(), spin=(5.0, 300.0))
    assert work[-1] > 0.01
    assert np.abs(energy[0] - energy - work).max() < 1e-4 * work[-1]


# --- wear -----------------------------------------------------------------------------------------
def pressed(wear, speed=20.0):
    """A journal pulled down into a fixed bearing by a force of 2000 N and turned steadily."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.RigidBody(2.0, (1e-2,) * 3, position=(0, -0.999 * CLEARANCE, 0),
                     angular_velocity=(0, 0, speed), name="journal")
    )  # fmt: skip
    system.add(fc.RotationDriver(system.ground, body.center, (0, 0, 1), fc.functions.Linear(speed)))
    system.add(fc.PlanarJoint(system.ground, body.center, axis=(0, 0, 1)))
    far = system.ground.point((0, -1.0, 0))
    system.add(fc.SpringDamper(far, body.center, stiffness=1e4, free_length=0.7995))
    joint = system.add(
        fc.RevoluteClearance(
            system.ground.point((0, 0, 0)), body.center, (0, 0, 1), materials=(STEEL, STEEL),
            normal=fc.BaiZhao(restitution=0.1), friction=None, wear=wear, name="joint", **SIZE,
        )
    )  # fmt: skip
    return system, joint


def steps(system, dt, t_end):
    stepper = fc.Stepper(system, dt=dt, t_end=t_end)
    stepper.start()
    while stepper.t < t_end:
        stepper.advance()
    return stepper


def test_volume_and_depth_of_archard():
    """k/H times force times sliding distance; a steady load on a fixed patch digs the bearing to
    half that volume over the patch's area, and the journal loses the other half all round."""
    law = fc.Archard(1e-4, 2e9)
    turn = 2 * np.pi / 20
    system, joint = pressed(fc.Wear(law, smoothing=0.0))
    stepper = steps(system, 2e-4, turn)
    volume, slid = (stepper.channels[f"joint.{n}"] for n in ("worn_volume", "slid"))
    force = 2000.0
    assert slid == pytest.approx(2 * np.pi * 0.0095, rel=2e-3)
    assert volume == pytest.approx(law.depth(force, slid), rel=2e-3)
    collected = joint.collected(system)
    area = profile.angles(720)[1] * 0.015
    assert collected[0].sum() * area * 0.01 == pytest.approx(volume / 2, rel=1e-6)
    assert collected[1].sum() * area * 0.0095 == pytest.approx(volume / 2, rel=1e-6)
    half = half_width(force, 0.01, 0.0095, 0.015 * 207e9 / (2 * 0.91))
    assert collected[0].max() == pytest.approx(volume / 2 / (2 * half * 0.015), rel=2e-2)
    assert np.ptp(collected[1][:700]) < 0.1 * collected[1].max()


def test_period_renews_the_surfaces():
    """The first period widens the clearance by what was asked, later ones by the same factor; the
    journal sinks by what the bearing's bottom and the journal lost."""
    wear = fc.Wear(fc.Archard(1e-4, 2e9), period=0.02, settle=0.01, renewal=0.005, repeat=None,
                   growth=4e-5, gap="radial")  # fmt: skip
    system, joint = pressed(wear)
    stepper = steps(system, 1e-4, 0.02)
    first = joint.worn_depths(system)
    assert not first.any()  # the new shape grows in from now on
    assert stepper.channels["joint.largest_clearance"] == pytest.approx(5.4e-4, rel=1e-9)
    stepper = steps(pressed(wear)[0], 1e-4, 0.0399)
    c = stepper.channels
    assert c["joint.bearing_wear"] + c["joint.journal_wear"] > 2e-5
    sunk = c["joint.eccentricity"] - c["joint.penetration"]
    assert sunk == pytest.approx(c["joint.clearance"], rel=1e-6)
    assert c["joint.normal_force"] == pytest.approx(2000.0, rel=0.02)


def test_parts_of_steps_that_count():
    """Steps of any length against a fine sum over the time that lies in a period's counted part."""
    random = np.random.default_rng(4)
    period, settle, begun, t = 0.02, 0.007, 0.0, 0.0
    bins = np.zeros(40)
    for dt in random.uniform(0, 0.05, 30) * np.array([1, 0.1, 0.01] * 10):
        t += dt
        now, later, ends = counted(t, dt, begun, period, settle)
        fine = t - dt * (np.arange(4000) + 0.5) / 4000
        counts = fine % period > settle
        present = counts & (fine < begun + ends * period) if ends else counts
        assert now == pytest.approx(present.mean(), abs=1e-3)
        assert now + later == pytest.approx(counts.mean(), abs=1e-3)
        np.add.at(bins, [round(begun / period), round(begun / period + ends)],
                  [now * dt, later * dt])  # fmt: skip
        begun += ends * period
    assert bins.sum() == pytest.approx(
        t // period * (period - settle) + max(t % period - settle, 0), rel=1e-12
    )
    many = counted(np.full(3, t), np.full(3, dt), np.full(3, begun), np.full(3, period), settle)
    assert np.all(many.now == counted(t, dt, begun, period, settle).now)


def test_steps_across_the_end_of_settling_count_by_a_part():
    """Steady force and speed: both surfaces collect k/H F v (period - settle) of volume, and grow
    by as much, whatever steps lie across the ends of settling and period."""
    law, period, settle = fc.Archard(1e-4, 2e9), 0.02, 0.0103
    wear = fc.Wear(law, period=period, settle=settle, renewal=1e-3, smoothing=0.0, gap="radial")
    wanted = law.depth(2000.0, 20.0 * 0.0095 * (period - settle))
    area = profile.angles(720)[1] * 0.015 * np.array([0.01, 0.0095])
    for dt in (7e-4, 3e-4):
        system, joint = pressed(wear)
        steps(system, dt, 0.0245)
        volume = area @ joint.worn_depths(system).sum(axis=1)
        assert volume == pytest.approx(wanted, rel=4e-3)
        assert not joint.collected(system).any()


def test_continuous_wear_goes_on_at_archards_rate():
    """Wear renewed every millisecond: the centre sinks at the rate of the depth worn."""
    law = fc.Archard(1e-4, 2e9)
    wear = fc.Wear(law, period=1e-3, repeat=1e3, smoothing=0.02)
    system, joint = pressed(wear)
    stepper = steps(system, 1e-4, 0.06)
    widest = stepper.channels["joint.largest_clearance"]
    shape = joint.worn_depths(system)
    assert shape[0].max() > 1e-6
    assert widest - CLEARANCE == pytest.approx(shape.max(axis=1).sum(), rel=0.1)
    area = profile.angles(720)[1] * 0.015
    volume = (shape.sum(axis=1) * area * np.array([0.01, 0.0095])).sum()
    # applied a thousand times, and at most two periods late
    assert volume == pytest.approx(1e3 * stepper.channels["joint.worn_volume"], rel=0.05)


def test_worn_through_the_liner():
    wear = fc.Wear(fc.Archard(1e-4, 2e9), period=0.01, repeat=1e6, liner=1e-4)
    with pytest.raises(fc.StepFailed, match="through its liner"):
        steps(pressed(wear)[0], 1e-4, 0.03)


def test_resume_is_exact(tmp_path):
    """A run that goes on from a checkpoint in the second period ends with the same bits."""
    wear = fc.Wear(fc.Archard(1e-4, 2e9), period=0.01, settle=0.004, repeat=100.0)

    def simulation(t_end, folder):
        return fc.Simulation(pressed(wear)[0], dt=1e-4, t_end=t_end, output=folder, progress=False)

    whole = simulation(0.03, tmp_path / "whole").run()
    simulation(0.016, tmp_path / "parts").run()
    parts = simulation(0.03, tmp_path / "parts").run(resume=True)
    for name in ("joint.normal_force", "joint.bearing_wear", "joint.ey"):
        assert np.array_equal(whole[name], parts[name])
    assert whole["joint.bearing_wear"][-1] > 0


def test_pictures_have_the_worn_surfaces(tmp_path):
    """Recorded depths: at the start those given; at the end those of the joint, by then a channel's
    volume (depth times radius times length, over both circles). In memory and on disk."""
    wear = fc.Wear(fc.Archard(1e-4, 2e9), period=0.01, settle=0.004, repeat=100.0)
    for output in (None, tmp_path / "run"):
        system, joint, *_ = pressed(wear)
        results = fc.Simulation(system, dt=1e-4, t_end=0.03, output=output, progress=False).run()
        worn = results.motion.worn["joint"]
        assert worn.shape == (51, 2, wear.bins) and not worn[0].any()
        np.testing.assert_array_equal(worn[-1], joint.worn_depths(system))
        assert worn[-1].max() > worn[20].max() > 0
        (item,) = (i for i in results.motion.scene["items"] if i["name"] == "joint")
        assert item["worn"]["bins"] == wear.bins
        frames = [item["frame_i"], item["frame_j"]]
        gap = np.subtract(*(results.motion.position[:, k] for k in frames[::-1]))
        rows = np.searchsorted(results.time, results.motion.time - 1e-9)
        for k, first, name in zip(
            frames, item["worn"]["first"], ("bearing", "journal"), strict=True
        ):
            local = np.einsum("nxa,nx->na", results.motion.triad[:, k], gap)
            angle = np.arctan2(local @ np.cross((0, 0, 1), first), local @ first)
            told = np.radians(results[f"joint.{name}_angle_deg"][rows])
            np.testing.assert_allclose(np.exp(1j * angle), np.exp(1j * told), atol=1e-9)


def test_worn_surfaces_are_recorded_where_they_are():
    """A joint that begins worn: depths at the bins' angles from the first direction, which turns
    with either body; the bearing's is turned by 0.7 rad here."""
    turned = (0, 0, 0.7)
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(1.0, (1, 1, 1), orientation=turned, name="body", free=True))
    pin = system.add(fc.RigidBody(1.0, (1, 1, 1), name="pin", free=True))
    system.add(fc.RevoluteClearance(
        body.center, pin.center, (0, 0, 1), **SIZE, wear=fc.Wear(NONE), materials=(STEEL, STEEL),
        worn=(bearing, journal), name="joint",
    ))  # fmt: skip
    motion = fc.Simulation(system, dt=1e-4, t_end=1e-3, progress=False).run().motion
    item = motion.scene["items"][0]
    angles = profile.angles(item["worn"]["bins"])
    np.testing.assert_allclose(
        motion.worn["joint"][0], [bearing(angles), journal(angles)], atol=1e-18
    )
    frames = [item["frame_i"], item["frame_j"]]
    first = [motion.triad[0, k] @ d for k, d in zip(frames, item["worn"]["first"], strict=True)]
    # both are counted from one direction in space at the start, whatever the bodies' axes
    np.testing.assert_allclose(first[0], first[1], atol=1e-15)
    assert abs(first[0][2]) < 1e-15 and np.linalg.norm(first[0]) == pytest.approx(1)
