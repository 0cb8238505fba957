"""Bai, Zhang and Sun (2014), four-bar mechanism with clearance: figures 9 to 20, with numbers.

References: independent computation with the paper's data (data/SOURCES.md). The paper's curves
carry no numbers beyond those of its text; what is asserted beside the references is each figure's
statement. Crank angles count from the starting position.
"""

import functools

from mpi4py import MPI

import numpy as np
import pytest

from fem_clearance import InputError, Stepper, Wear, cases
from fem_clearance.cases import four_bar_wear
from fem_clearance.contact.wear import profile
from fem_clearance.contact.wear.archard import half_width

CLEARANCE = 5e-4
SOURCE = "data of Bai et al. 2014, SciPy"
PAPER = "Bai et al. 2014"
SCALE = 0.015 * 207e9 / (2 * 0.91)
RATE = 1.736e-4 / 2.17e9


@functools.cache
def run(*changes, turns=3, dt=1e-5):
    """Results of the case; ``changes`` are pairs. Hysteresis is measured as in the paper, by the
    speed of the first touch."""
    paper = {"turns": turns, "approach_speed": "first_touch"}
    values = paper | {"dt": dt, "output.fields_every": 0} | dict(changes)
    return cases.get("four_bar_wear").simulation(values, progress=False).run()


def last(results, turns=2):
    return results.time >= results.time[-1] - 0.1 * turns * (1 + 1e-9)


def turned(results):
    """Crank angle from the start, degrees modulo 360, of the last two turns."""
    return (results["crank.angle_deg"][last(results)] + 1e-9) % 360


# --- ideal joints ---------------------------------------------------------------------------------
def ideal(reference, name, column):
    """Channel and reference over a turn, and the largest reference."""
    results, table = run(("joint.kind", "ideal"), turns=1, dt=2e-4), reference("c_ideal_BR1.csv")
    angle = results["crank.angle_deg"]
    wanted = np.interp(angle, table["deg_from_vertical"], table[column], period=360)
    return results[name][5:-1], wanted[5:-1], np.abs(table[column]).max()


@pytest.mark.parametrize(
    "name, column, unit",
    [
        ("joint.normal_force", "R_B", "N"),
        ("follower.acceleration", "alpha_follower", "rad/s^2"),
        ("crank.moment", "crank_torque", "N m"),
    ],
)
def test_ideal_mechanism(reference, published, name, column, unit):
    found, wanted, largest = ideal(reference, name, column)
    published(f"{name}, ideal joints", found, wanted, abs=2e-3 * largest, unit=unit)


def test_ideal_reaction(published):
    """Mean 4335.3 N, peak 20464 N at 274 degrees."""
    results = run(("joint.kind", "ideal"), turns=1, dt=2e-4)
    force = results["joint.normal_force"]
    angle = results["crank.angle_deg"][np.argmax(force)]
    published("mean reaction, ideal joints", force[:-1].mean(), 4335.3, rel=1e-3, unit="N")
    published("its peak", force.max(), 20464, rel=1e-3, unit="N")
    published("crank angle of the peak", angle, 274, abs=1, unit="deg")


# --- dry, unworn ----------------------------------------------------------------------------------
def check_forces(published, results, step):
    """Peak 35.87 kN at 254.7 degrees, mean 4379.97 N, penetration 56.67 um; no separation after
    turn .061. Friction acts at the nominal radii, as in the reference."""
    summary = results.summary
    for name, value, unit, close in (
        ("peak_force", 35870, "N", {"rel": 5e-3}),
        ("peak_angle_deg", 254.7, "deg", {"abs": 0.5}),
        ("mean_force", 4379.97, "N", {"rel": 2e-3}),
        ("max_penetration", 5.667e-5, "m", {"rel": 1e-2}),
    ):
        what = f"{name.removesuffix('_deg').replace('_', ' ')}, step {step}"
        published(what, summary[name], value, unit=unit, **close)
    free = results.time[1:][results["joint.normal_force"][1:] == 0]
    published(f"last separation, step {step}", free[-1], 0.0061, abs=2e-4, unit="s")


def test_force_with_clearance(published):
    check_forces(published, run(), "10 us")


@pytest.mark.slow
def test_force_with_clearance_at_the_default_step(published):
    check_forces(published, run(dt=5e-6), "5 us")


def test_adaptive_steps_stay_long_in_lasting_contact():
    """Constraints on positions leave velocities off by O(h^2), which ever shorter steps took for
    jumps: 4.6e-12 s at 16.8 ms before velocities were made to agree where steps shrink."""
    case = cases.get("four_bar_wear")
    stepper = Stepper(
        four_bar_wear.mechanism(case.resolve(), None).system, dt=1e-5, adaptive=True, t_end=0.03
    )
    stepper.start()
    shortest, last_free = np.inf, 0.0
    while stepper.t < stepper.t_end:
        before = stepper.t
        stepper.advance()
        if stepper.channels["joint.normal_force"] == 0:
            last_free = stepper.t
        elif stepper.t > 0.008:
            shortest = min(shortest, stepper.t - before)
    assert last_free < 0.007
    assert shortest > 1e-7
    assert stepper.steps < 4000


@pytest.mark.slow
def test_friction_midway_between_the_surfaces(published):
    """Without the couple that friction at the radii leaves (force times penetration) the peak is
    0.3 % lower, and the journal elsewhere by 1.3 % of the clearance."""
    summary = run(("friction_at", "midway"), dt=5e-6).summary
    peak, mean, source = summary["peak_force"], summary["mean_force"], "Runge-Kutta, 2 us"
    published("peak force, friction midway", peak, 35754, rel=2e-3, unit="N", source=source)
    published("its mean", mean, 4379.95, rel=1e-4, unit="N", source=source)


@pytest.mark.parametrize("branch, peak, angle", [(1, 36101.9, 254.70), (-1, 21369.0, 266.88)])
def test_approach_speed_by_phases(branch, peak, angle, published):
    """The default rule: SciPy, benchmarks/four_bar_equations.py, second turn, least approach speed
    1 mm/s. It converges with the step where the first touch's does not (docs/revolute.md)."""
    phases = ("approach_speed", "phase"), ("approach_floor", 1e-3)
    results = run(("branch", branch), *phases, turns=2)
    force = np.where(last(results, 1), results["joint.normal_force"], 0)
    k, source = np.argmax(force), "SciPy, DOP853, steps of 2 us"
    what = f"peak force by phases, branch {branch:+d}"
    published(what, force[k], peak, rel=1e-3, unit="N", source=source)
    published(f"{what}, angle", results["crank.angle_deg"][k] % 360, angle, abs=0.1, unit="deg",
              source=source)  # fmt: skip


def test_path_of_the_journal(reference, published):
    """Fig. 11: rms difference below 1 % of the clearance over two turns; always in contact."""
    results, table = run(), reference("c_fourbar_BR1_corr_turns5_6.csv")
    time = table["t"] - 0.6 + results.time[-1]
    error = [np.interp(time, results.time, results[f"joint.e{x}"]) - table[f"e{x}"] for x in "xy"]
    rms = np.sqrt(np.mean(np.sum(np.square(error), axis=0)))
    published("path of the journal, rms of the difference", rms, 0, abs=1e-2 * CLEARANCE, unit="m")
    assert results["joint.normal_force"][last(results)].min() > 100


def test_fig9_clearance_shakes_acceleration_and_moment():
    """Fig. 9: peaks above those of ideal joints, the same from turn to turn."""
    dry, fixed = run(), run(("joint.kind", "ideal"), turns=1, dt=2e-4)
    for name in ("follower.acceleration", "crank.moment"):
        window = last(dry)
        assert np.abs(dry[name][window]).max() > 1.3 * np.abs(fixed[name][5:]).max()
        even = dry.time[-1] - 0.2 + np.arange(20000) * 1e-5  # steps may be cut
        halves = np.array_split(np.interp(even, dry.time, dry[name]), 2)
        assert np.abs(halves[0] - halves[1]).max() < 0.03 * np.abs(dry[name][window]).max()


def test_fig10_large_forces_in_one_range():
    """Fig. 10: above half of the ideal peak only near 260 to 300 degrees."""
    results = run()
    force, angle = results["joint.normal_force"][last(results)], turned(results)
    large = angle[force > 20464 / 2]
    assert 235 < large.min() < 260
    assert 290 < large.max() < 312


def test_fig13_14_sliding_and_contact_angle(published):
    """Figs. 13, 14: .02514 m a turn; the angle of the patch, 2 a / R, is largest where wear is."""
    results = run()
    window = last(results)
    slid = results["joint.slid"][window]
    published("sliding a turn", (slid[-1] - slid[0]) / 2, 0.02514, rel=2e-3, unit="m")
    patch = 2 * half_width(results["joint.normal_force"][window], 0.01, 0.0095, SCALE) / 0.01
    assert 251 < turned(results)[np.argmax(patch)] < 306
    largest = np.degrees(patch.max())
    published("largest angle of the patch", largest, 25.8, abs=0.5, unit="deg")


def worn(results):
    """Depths a turn of bearing and journal, from channels alone: an independent sum of (16)."""
    window = last(results)
    force, speed = (
        np.abs(results[f"joint.{n}"][window]) for n in ("normal_force", "sliding_speed")
    )
    step = np.gradient(results.time[window])
    half = half_width(force, 0.01, 0.0095, SCALE)
    depth = RATE * force / (2 * half * 0.015) * speed * step / 4  # half a body, half of two turns
    rings = np.zeros((2, 720))
    for ring, radius, name in zip(rings, (0.01, 0.0095), ("bearing", "journal"), strict=True):
        angle = np.radians(results[f"joint.{name}_angle_deg"][window])
        for a, w, d in zip(angle[::4], half[::4] / radius, depth[::4], strict=True):
            profile.spread(ring, a, w, 4 * d)
    return rings


def test_fig12_15_16_first_wear_period(published):
    """Figs. 12, 15, 16: 8.14e-12 m^3 a turn; depths of bearing and journal as 2.439 to 6.591; more
    than 30 % of the largest wear at crank angles of 251 to 306 degrees only."""
    results = run()
    volume, (bearing, journal) = results.summary["wear_volume_per_turn"], worn(results)
    published("wear volume a turn", volume, 8.14e-12, rel=5e-3, unit="m^3")
    ratio = journal.max() / bearing.max()
    published("depth of journal by bearing", ratio, 6.591 / 2.439, rel=0.02)
    force, speed = (np.abs(results[f"joint.{n}"]) for n in ("normal_force", "sliding_speed"))
    rate = (np.sqrt(force) * speed)[last(results)]  # depth grows as pressure times speed
    degree = turned(results).astype(int)
    rate = np.bincount(degree, rate, 360) / np.bincount(degree, minlength=360)
    strong = np.flatnonzero(rate > 0.3 * rate.max())
    ends = strong.min(), strong.max()
    published("crank angles of strong wear", ends, (251, 306), abs=2, unit="deg")


def test_other_branch(published):
    """Branch -1: the ideal reaction exceeds half its peak at 243 to 281 degrees."""
    results = run(("joint.kind", "ideal"), ("branch", -1), turns=1, dt=2e-4)
    force, angle = results["joint.normal_force"], results["crank.angle_deg"]
    large = angle[force > force.max() / 2]
    ends = large.min(), large.max()
    published("large reactions, other branch", ends, (243, 281), abs=1.5, unit="deg")


# --- wear periods ---------------------------------------------------------------------------------
@functools.cache
def two_short_periods():
    """Rows of two wear periods of 1.5 turns, of which the last turn counts; the surfaces at the end
    of the second, in which those of the first are at work, and the largest clearance after it."""
    case = cases.get("four_bar_wear")
    law = Wear(
        four_bar_wear.ARCHARD, period=0.15, settle=0.05, renewal=0.04, repeat=None,
        growth=four_bar_wear.FIRST_GROWTH,
    )  # fmt: skip
    values = case.resolve({"approach_speed": "first_touch"})
    system = four_bar_wear.mechanism(values, law).system
    joint = next(i for i in system.items if i.name == "joint")
    stepper = Stepper(system, dt=2e-5, t_end=0.3)
    stepper.start()
    names = "eccentricity", "clearance", "bearing_wear", "journal_wear", "normal_force"
    rows = []
    while stepper.t < stepper.t_end:
        stepper.advance()
        rows.append([stepper.t] + [stepper.channels[f"joint.{n}"] for n in names])
    columns = dict(zip(("time", *names), np.array(rows).T, strict=True))
    return columns, joint.worn_depths(system), stepper.channels["joint.largest_clearance"]


def test_fig17_18_wear_adds_up(published):
    """Figs. 17, 18: the first period's .0903 mm are shared as 2.439 to 6.591; more than 30 % of the
    deepest wear covers 60 degrees of the bearing and 15 of the journal. There the bearing's profile
    is flat: a hundredth of the deepest wear, half of what depths are compared to, is 3 degrees."""
    _, worn_off, _ = two_short_periods()
    first = np.array([2.439, 6.591]) / 9.03 * four_bar_wear.FIRST_GROWTH
    published("deepest wear, bearing and journal", worn_off.max(axis=1), first, rel=0.02, unit="m")
    width = (worn_off > 0.3 * worn_off.max(axis=1)[:, None]).sum(axis=1) / 2  # half-degree bins
    published("width of strong wear", width, (61, 15), abs=(6, 1), unit="deg")


def test_fig19_20_clearance_and_path_widen(published):
    """Fig. 19: clearance where the surfaces touch reaches from the round .5 mm almost to .5903 mm;
    the largest after two periods is .6806 mm in the paper. Fig. 20: the path reaches out to it."""
    columns, _, largest = two_short_periods()
    published("largest clearance, two short periods", largest, 6.806e-4, rel=0.01, unit="m",
              source=f"{PAPER}, fig. 19")  # fmt: skip
    first, second = (
        {n: x[(columns["time"] > end - 0.1) & (columns["time"] <= end)] for n, x in columns.items()}
        for end in (0.15, 0.3)
    )
    assert np.ptp(first["clearance"]) == 0.0
    ends, out = (second["clearance"].min(), second["clearance"].max()), first["eccentricity"].max()
    published("clearance in contact, second period", ends, (5e-4, 5.903e-4), rel=0.01, unit="m",
              source=f"{PAPER}, fig. 19")  # fmt: skip
    published("eccentricity, first period", out, 5e-4 + 5.667e-5, rel=0.01, unit="m")
    assert 5.8e-4 < second["eccentricity"].max() < 6.0e-4
    assert second["normal_force"].min() > 0


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_fig17_to_20_three_wear_periods(published):
    """Figs. 17 to 20: the paper's largest clearances are .6806 and .7659 mm after two and three
    periods; period one adds .0903 mm by choice. The journal stays in contact, its path differs
    from period to period, wear goes on where it began, and the force grows."""
    results = run(("wear_periods", 3), turns=4, dt=1e-5)
    first, second, third = results.summary["max_clearance"]
    assert first == pytest.approx(5.903e-4, rel=1e-6)
    fig = {"unit": "m", "source": f"{PAPER}, fig. 19"}
    published("largest clearance, two periods", second, 6.806e-4, rel=0.01, **fig)
    published("largest clearance, three periods", third, 7.659e-4, rel=0.03, **fig)
    peaks, paths = [], []
    for period in (1, 2, 3):
        window = (results.time > 0.4 * period - 0.2) & (results.time <= 0.4 * period)
        force = results["joint.normal_force"][window]
        assert force.min() > 0
        peaks.append(force.max())
        angle = results["crank.angle_deg"][window][np.argmax(force)] % 360
        assert 250 < angle < 260
        paths.append(results["joint.eccentricity"][window].max())
    assert peaks[0] < peaks[1] < peaks[2] < 1.8 * peaks[0]
    assert paths[0] < paths[1] < paths[2]
    angle = results["crank.angle_deg"] % 360
    for body in ("bearing", "journal"):  # where it is deepest the surfaces touch as they press most
        worn = results[f"joint.{body}_wear"]
        assert worn[(angle > 240) & (angle < 312)].max() > 0.999 * worn.max()


# --- input, ranks ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "changes, words",
    [
        ({"crank.rpm": 0}, "driver at rest"),
        ({"crank.rpm": -600}, "must be positive"),
        ({"ground.length": 0.3}, "cannot be assembled at every angle"),
        ({"wear_periods": 1, "turns": 2}, "must exceed 2, the number of turns"),
        ({"wear_periods": -1}, "wear_periods"),
        ({"turns_per_period": 0}, "must be positive"),
    ],
)
def test_bad_input_is_a_sentence(changes, words):
    with pytest.raises(InputError, match=words):
        cases.get("four_bar_wear").simulation(changes, progress=False)


def test_speed_of_the_crank():
    """With ideal joints forces are those of inertia, which go with the square of the speed, and of
    weight, which does not: three speeds lie on a line over the square."""
    slow, middle, fast = (
        run(("joint.kind", "ideal"), ("crank.rpm", rpm), turns=1, dt=0.12 / rpm)
        for rpm in (60, 300, 600)
    )
    assert slow.time[-1] == pytest.approx(1.0)
    assert slow["crank.angle_deg"][-1] == pytest.approx(360.0)
    for name in ("joint.reaction.x", "joint.reaction.y"):
        part = (300**2 - 60**2) / (600**2 - 60**2)
        wanted = slow[name] + part * (fast[name] - slow[name])
        assert np.abs(middle[name] - wanted).max() < 1e-6 * np.abs(fast[name]).max()


@pytest.mark.mpi
def test_same_on_any_number_of_ranks(comm):
    """Contact, wear and the worn surfaces, renewed every millisecond, on one rank and on all."""
    ends = []
    for ranks in (comm, MPI.COMM_SELF):
        p = cases.get("four_bar_wear").resolve(comm=ranks)
        law = Wear(four_bar_wear.ARCHARD, period=1e-3, repeat=100.0)
        system = four_bar_wear.mechanism(p, law).system
        stepper = Stepper(system, dt=1e-5, t_end=0.004, newton_tolerance=1e-11)
        stepper.start()
        forces = []
        while stepper.t < stepper.t_end:
            stepper.advance()
            forces.append(stepper.channels["joint.normal_force"])
        joint = next(i for i in system.items if i.name == "joint")
        depths = next(d for d in ranks.allgather(joint.worn_depths(system)) if d is not None)
        names = ("joint.ex", "joint.ey", "joint.worn_volume", "joint.slid")
        ends.append((np.array(forces), depths, [stepper.channels[n] for n in names]))
    (force, depth, numbers), (force_1, depth_1, numbers_1) = ends
    assert force_1.max() > 1000
    assert depth_1.max() > 1e-8
    assert np.abs(force - force_1).max() < 1e-6 * force_1.max()
    assert np.abs(depth - depth_1).max() < 1e-6 * depth_1.max()
    assert numbers == pytest.approx(numbers_1, rel=1e-6)
