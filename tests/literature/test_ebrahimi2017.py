"""Sliding pendulum with clearance: Ebrahimi, Salahshoor, Maasoomi (2017). Numbers: independent
computation with SciPy, tests/literature/data/SOURCES.md (``sliding_pendulum``)."""

import numpy as np
import pytest
from scipy.integrate import DOP853

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.analysis import (
    damped_tones,
    extremes,
    fundamental,
    multiple_scales,
    periodic_orbit,
    spectrum,
    tones,
)

SOURCE = "data of Ebrahimi et al. 2017, SciPy"


def run(**changes):
    """Results of the case; hysteresis is measured as in the paper, by the speed of the first
    touch."""
    changes = {k.replace("__", "."): v for k, v in changes.items()}
    changes = {"approach_speed": "first_touch"} | changes
    return cases.get("sliding_pendulum").simulation(changes, progress=False).run()


@pytest.fixture(scope="module")
def dry():
    """The case as it stands."""
    return run()


@pytest.fixture(scope="module")
def known(reference):
    return reference("sliding_pendulum.json")


def test_first_contact(dry, known, published):
    """After a fall of one micron: exactly sqrt(2e-6 / g)."""
    time, speed = (dry.summary[f"first_contact_{n}"] for n in ("time", "speed"))
    exact, source = np.sqrt(2e-6 / 9.81), "closed form, free fall"
    published("first contact", time, exact, abs=1e-12, unit="s", source=source)
    published("first contact", time, known["first_contact_time"], abs=1e-12, unit="s")
    published("its speed", speed, known["first_contact_speed"], rel=5e-6, unit="m/s")


def test_extremes(dry, known, published):
    """Lowest position to 1e-10 m, largest force to 1e-5, both between the steps."""
    found = dry.summary
    published("lowest position", found["y_min"], known["y_min"], abs=1e-10, unit="m")
    published("largest force", found["peak_force"], known["peak_force"], rel=1e-5, unit="N")


def test_end(dry, known, published):
    """At 3 s: y to 1e-12 m, angle to 5e-8 rad; the slider has not left the rod."""
    assert dry.time[-1] == 3.0
    y, angle = dry["slider.y"][-1], dry["pendulum.angle"][-1]
    published("y at 3 s", y, known["y_at_3s"], abs=1e-12, unit="m")
    published("angle at 3 s", angle, known["angle_at_3s"], abs=5e-8, unit="rad")
    assert dry["joint.normal_force"][dry.time > 1e-3].min() > 0


def test_trajectory(dry, reference, published):
    """The first 30 ms, row by row."""
    table = reference("sliding_pendulum_LN_e0.90.csv")
    from scipy.interpolate import CubicHermiteSpline

    y = CubicHermiteSpline(dry.time, dry["slider.y"], dry["slider.vy"])(table["t"])
    published("y, first 30 ms", y, table["y"], abs=5e-10, unit="m")
    speed = np.interp(table["t"], dry.time, dry["slider.vy"])
    published("speed, first 30 ms", speed, table["ydot"], abs=3e-6, unit="m/s")


def by_phases(t_end, floor=1e-3, K=3.43620202e10, chi=0.75 * (1 - 0.9**2)):
    """Lowest place (m) and largest force (N) where hysteresis is measured by the largest speed of
    the present phase (compression or restitution) and the one before; SciPy from the equations
    (12), (13), steps of a microsecond."""
    m, total, L, g, c = 50.0, 50.2, 1.0, 9.81, 5e-4
    approach, peak, before, touching = floor, 0.0, 0.0, False

    def force(y, v):
        depth, speed = -y - c, max(approach, abs(v))
        return K * depth**1.5 * (1 - chi * v / speed) if depth > 0 else 0.0

    def rates(_, z):
        y, v, q, w = z
        inertia = [[total, m * L / 2 * np.sin(q)], [m * L / 2 * np.sin(q), m * L**2 / 3]]
        load = force(y, v) - total * g - m * L / 2 * w**2 * np.cos(q)
        a, b = np.linalg.solve(inertia, [load, -m * g * L / 2 * np.sin(q)])
        return [v, a, w, b]

    solver = DOP853(rates, 0.0, [1e-6 - c, 0.0, np.radians(10), 0.0], t_end, rtol=1e-11,
                    atol=1e-16, max_step=1e-6)  # fmt: skip
    lowest = largest = 0.0
    while solver.status == "running":
        solver.step()
        y, v = solver.y[:2]
        lowest, largest = min(lowest, y), max(largest, force(y, v))
        if -y - c <= 0:
            touching = False
            continue
        if not touching:
            approach = peak = max(-v, floor)
        elif (v < 0) != (before < 0):
            approach, peak = max(peak, floor), 0.0
        touching, before, peak = True, v, max(peak, abs(v))
        approach = max(approach, abs(v))
    return lowest, largest


def test_approach_speed_by_phases(published):
    """The default rule of the case: load drives the slider in faster than it touched the rod, and
    each later cycle is measured by its own speed, so the second dive is the deepest."""
    found = run(approach_speed="phase", approach_floor=1e-3, t_end=0.01).summary
    lowest, largest = by_phases(0.01)
    source = "SciPy, eqs. (12), (13)"
    published("lowest position, by phases", found["y_min"], lowest, abs=2e-10, unit="m",
              source=source)  # fmt: skip
    published("largest force, by phases", found["peak_force"], largest, rel=1e-4, unit="N",
              source=source)  # fmt: skip


def test_energy_is_lost_in_contact_only(dry):
    """The swing does no work on the slider; the rest of the energy of 1.5 J goes into hysteresis
    and nothing comes from nowhere."""
    assert dry.summary["energy_growth"] < 1e-7


# --- frequencies --------------------------------------------------------------------------------
def test_lines_of_the_steady_motion(dry, known, published):
    """0.60936 and 1.21872 Hz; mean -505.89998 um, amplitude .088945 um at twice the pendulum."""
    angle = fundamental(
        dry.time, dry["pendulum.angle"], 0.61, 3, rates=dry["pendulum.speed"], spacing=2e-3
    )
    late = {"rates": dry["slider.vy"], "span": (0.3, 3.0), "spacing": 2e-3}
    y = fundamental(dry.time, dry["slider.y"], 1.2, 2, **late)
    f = known["pendulum_frequency"]
    published("frequency of the pendulum", angle.frequency, f, abs=2e-6, unit="Hz")
    published("frequency of the slider", y.frequency, known["twice"], abs=1e-5, unit="Hz")
    mean, lines, rest = tones(
        dry.time, dry["slider.y"], [known["twice"], 2 * known["twice"]], **late
    )
    a, exact = lines[0].amplitude, known["steady_amplitude_twice"]
    published("mean of y, steady", mean, known["steady_mean_y"], abs=1e-11, unit="m")
    published("amplitude of y, steady", a, exact, rel=2e-5, unit="m")
    assert rest < 1e-11


def test_fast_line_is_what_the_fft_shows(dry, known, published):
    """252.6 Hz: the top of the FFT of 3 s from the first contact on, no window. It is a hump 50 Hz
    wide: the oscillation dies out within 6 ms. Its frequency is 251.99 Hz: contact carries
    g (m + m1 - 3/4 m sin^2 theta) and moves that mass, which makes 251.344 Hz of eq. (11)
    253.3 Hz, and damping takes 1.2 Hz (docs/multiple_scales.md)."""
    begin = dry.summary["first_contact_time"]
    whole = spectrum(
        dry.time, dry["slider.y"], rates=dry["slider.vy"], span=(begin, 3.0), spacing=5e-5,
        window="boxcar",
    )  # fmt: skip
    top = whole.peaks(1, (200, 300))[0].frequency
    published("top of the FFT", top, known["fast_fft_peak"], abs=0.1, unit="Hz")
    tail = damped_tones(
        dry.time, dry["slider.y"], 3, rates=dry["slider.vy"], span=(0.03, 0.06), spacing=1e-4
    )
    fast = next(d for d in tail if 100 < d.frequency < 500)
    lifted = 50.2 - 0.75 * 50 * np.sin(np.interp(0.045, dry.time, dry["pendulum.angle"])) ** 2
    undamped = known["omega1_Hz"] * (50.2 / lifted) ** (1 / 3)
    decay = 315.598 / 2
    assert undamped == pytest.approx(253.2, abs=0.1)
    source = "linear oscillator, docs/multiple_scales.md"
    damped = np.sqrt(undamped**2 - (decay / (2 * np.pi)) ** 2)
    published("fast line", fast.frequency, damped, abs=0.05, unit="Hz", source=source)
    published("its decay", fast.decay, decay, rel=2e-3, unit="1/s", source=source)


# --- Taylor, other laws, restitution ------------------------------------------------------------
@pytest.fixture(scope="module")
def short():
    """y of the full law and of its series on an even grid over 0.1 s."""
    even = np.linspace(0, 0.1, 20001)
    from scipy.interpolate import CubicHermiteSpline

    def path(**changes):
        r = run(t_end=0.1, tolerance=1e-11, **changes)
        return CubicHermiteSpline(r.time, r["slider.y"], r["slider.vy"])(even)

    return path


def test_taylor_series(short, known, published):
    """Largest difference to the full law over 0.1 s, three digits."""
    full = short()
    for force in ("taylor2", "taylor3"):
        off = np.max(np.abs(short(force=force) - full))
        published(f"effect of {force}", off, known[f"{force}_difference"], rel=3e-3, unit="m")


def test_hunt_crossley_dissipates_more():
    """Section 4.5: amplitudes slightly less; chi is larger by 3/4 (1 - e)^2."""
    ln, hc = (run(t_end=0.01, law=law) for law in ("lankarani_nikravesh", "hunt_crossley"))
    assert 0 < hc.summary["y_min"] - ln.summary["y_min"] < 0.1e-6
    assert np.ptp(hc["slider.y"][hc.time > 5e-3]) < np.ptp(ln["slider.y"][ln.time > 5e-3])


@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.95, 0.99])
def test_one_contact_only(restitution, known, published):
    """The slider stays on the rod up to a restitution of 0.95; 0.99 lifts it off at 3.929 ms."""
    found = run(t_end=0.02, tolerance=1e-11, restitution=restitution)
    losses = [e.time for e in found.events if e.kind == "loss"]
    assert bool(losses) == (restitution == 0.99)
    if losses:
        exact = known["separates_at"]["0.99"]
        published("lifts off, restitution 0.99", losses[0], exact, abs=1e-6, unit="s")


# --- lubricated ---------------------------------------------------------------------------------
def test_lubricated(known, published):
    """Settles at -m g / k plus the mean of the swing; never touches."""
    found = run(force="lubricated", tolerance=1e-10)
    assert found.summary["first_contact_time"] is None
    late = {"rates": found["slider.vy"], "span": (0.3, 3.0), "spacing": 2e-3}
    mean, lines, _ = tones(found.time, found["slider.y"], [1.21872, 2.43743], **late)
    rest = known["rest_y_lubricated"]
    published("rest, lubricated", mean, rest, abs=1e-12, unit="m", source="equilibrium m g / k")
    # eq. (42), with the pendulum's frequency where it has omega2 (0.4 % more)
    c3, w1, w = np.radians(10), known["omega1_hat"], 2 * np.pi * known["pendulum_frequency"]
    exact = 0.498008 * w**2 * (c3**2 - c3**4 / 12) / (w1**2 - 4 * w**2)
    published("amplitude, lubricated", lines[0].amplitude, exact, rel=2e-4, unit="m",
              source="Ebrahimi et al. 2017, eq. (42)")  # fmt: skip


def test_viscosity_damps():
    """Lowest point of the first dive: thicker oil, smaller overshoot."""
    lows = [
        run(force="lubricated", t_end=5e-3, viscosity=mu).summary["y_min"] for mu in (0.1, 0.4, 0.8)
    ]
    assert np.all(np.diff(lows) > 0)


# --- steps, input -------------------------------------------------------------------------------
@pytest.mark.mpi
def test_fixed_steps(known, published):
    """--dt 1e-5: the contact located inside its step, extremes between the steps."""
    found = run(dt=1e-5, t_end=5e-3).summary
    for name, unit, tolerance in (
        ("first_contact_time", "s", {"abs": 1e-9}), ("y_min", "m", {"abs": 1e-9}),
        ("peak_force", "N", {"rel": 1e-3}),
    ):  # fmt: skip
        what = f"{name.replace('_', ' ')}, fixed steps"
        published(what, found[name], known[name], unit=unit, **tolerance)


def test_excitation_is_in_the_model(published):
    """10 N at 250 Hz: the amplitude that shooting finds for the approach speed of this run (the
    force slows the fall down, so that it is 1 % below that of Fig. 4), the pendulum at rest."""
    found = run(
        start__angle_deg=0, excitation__force=10, excitation__frequency=250, t_end=0.12,
        tolerance=1e-12,
    )  # fmt: skip
    approach = found.summary["first_contact_speed"]
    c = multiple_scales.dry(3.43620202e10, 0.75 * 0.19, approach)
    flow = multiple_scales.dry_flow(c, 3.43620202e10, 0.75 * 0.19, approach, 10.0)
    late = slice(int(np.searchsorted(found.time, 0.1)), None)
    peaks = extremes(found.time[late], found["slider.y"][late], found["slider.vy"][late])
    exact = periodic_orbit(flow, 250.0).amplitude()
    found, source = (peaks.high - peaks.low) / 2, "shooting on the equations (12), (13)"
    published("amplitude, 10 N at 250 Hz", found, exact, rel=1e-3, unit="m", source=source)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"viscosity": -0.4}, "viscosity must be positive"),
        ({"clearance": 0}, "clearance must be positive"),
        ({"restitution": 1.2}, "restitution must lie between 0 and 1"),
        ({"start__y": -6e-4}, "must start inside the clearance"),
        ({"start__y": 1e-4, "force": "lubricated"}, "must start inside the clearance"),
        ({"force": "taylor4"}, "did you mean 'taylor"),
        ({"law": "flores"}, "law must be one of"),
    ],
)
def test_bad_input(changes, message):
    with pytest.raises(fc.InputError, match=message):
        run(**changes)
