"""Figures of the sliding pendulum: Figs. 2 to 8 of Ebrahimi et al. (2017).

A dry run gives Figs. 2 to 6, a lubricated one Figs. 7 and 8. Figures that compare laws run the
others too (a few seconds); multiple scales are drawn over the numerical solutions that they
approximate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._backend import MPI
from ...analysis import multiple_scales, periodic_orbit
from ...analysis.signals import resample
from ...analysis.spectra import fundamental, spectrum
from ...contact.laws.normal import Hysteretic
from ...contact.laws.pair_data import sphere_stiffness
from ...plotting import style
from ...plotting.curves import thinned
from ..sliding_pendulum import DROP, GRAVITY, LAWS, ROD, STEEL, case, place

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...runs.results import Results

FORCE = 10.0  # amplitude of the excitation in the paper's figures, N
MICRO = 1e6
SHORT = 0.03  # the transient, s
CLEARANCE = 5e-4  # of the paper's response curves, m
#: channels that determine a motion
MOTION = ("slider.y", "slider.vy", "pendulum.angle", "pendulum.speed")


#: axes of response curves
FREQUENCY, AMPLITUDE = "excitation frequency [Hz]", "amplitude of the slider [µm]"


def run(p, **changes) -> Results:
    """A short run of the same case with other parameters."""
    names = ("law", "force", "restitution", "approach_speed", "approach_floor", "clearance",
             "start.y", "start.angle_deg")  # fmt: skip
    same = {k: p[k] for k in names if p[k] is not None}
    changes = {**same, "t_end": SHORT, "tolerance": 1e-10, **changes}
    return case.simulation(changes, progress=False, comm=MPI.COMM_SELF).run()


def numbers(law: type[Hysteretic], restitution: float, clearance: float) -> tuple[float, float]:
    """Contact stiffness and hysteresis of a law."""
    stiffness = sphere_stiffness(ROD + clearance, ROD, STEEL, STEEL)
    return stiffness, law(restitution=restitution).hysteresis()


def figures(results: Results, p) -> Iterator[tuple[str, Figure]]:
    """File name and figure, one after the other, of a run of ``sliding_pendulum``."""
    if p["force"] == "lubricated":
        yield "fig07_lubricated", film_motion(results, p)
        yield "fig08_response_viscosity", film_response(p)
        return
    yield "fig02_taylor", taylor(p)
    yield "fig03_multiple_scales", motion(results, p)
    law = LAWS[p["law"]]
    named = {f"e = {e}": (law, e, CLEARANCE) for e in (0.9, 0.7, 0.5)}
    yield "fig04a_response_restitution", response(named)
    e = p["restitution"]
    named = {f"c = {1e3 * c:g} mm": (law, e, c) for c in (5e-4, 2e-4, 1e-4)}
    if e < 1:  # otherwise the response is unbounded
        yield "fig04b_response_clearance", response(named)
    if results.time[-1] > 1.0:
        yield "fig05_spectra", spectra(results)
    yield "fig06ab_laws", laws(p)
    named = {_words(name): (kind, e, CLEARANCE) for name, kind in LAWS.items()}
    if e < 1:
        yield "fig06c_response_laws", response(named)


def _words(law: str) -> str:
    """Name of a law in words: Hunt-Crossley."""
    return law.replace("_", "-").title()


# --- motion -------------------------------------------------------------------------------------
@style.styled
def taylor(p) -> Figure:
    """Fig. 2: slider with the full law and its Taylor series, and their differences."""
    labels = ("slider y [µm]", "difference to\nfull law [µm]")
    figure, (above, below) = style.new(2, x="time [ms]", y=labels)
    runs = {n: run(p, force=n) for n in ("full", "taylor2", "taylor3")}
    even = np.linspace(0, SHORT, 1501)
    names = {"full": "full law", "taylor2": "two terms", "taylor3": "three terms"}
    full = _at(runs["full"], even)
    for k, (name, r) in enumerate(runs.items()):
        path, color = _at(r, even), f"C{k}"
        above.plot(1e3 * even, MICRO * path, color=color, label=names[name], ls="--" if k else "-")
        if k:
            below.plot(1e3 * even, MICRO * (path - full), color=color)
    above.legend(ncols=3, loc="upper right")
    return figure


def _at(results: Results, times: np.ndarray) -> np.ndarray:
    from scipy.interpolate import CubicHermiteSpline

    return CubicHermiteSpline(results.time, results["slider.y"], results["slider.vy"])(times)


def _scales(results: Results, p) -> tuple[multiple_scales.Contact | None, float]:
    """Multiple scales from the first contact on, and its time."""
    touching = results["joint.normal_force"] > 0
    if not touching.any():
        return None, 0.0
    k = int(np.argmax(touching))
    restitution, clearance = p["restitution"], place(p)[0]
    speed = -results["slider.vy"][k]
    stiffness, chi = numbers(LAWS[p["law"]], restitution, clearance)
    c = multiple_scales.dry(stiffness, chi, speed, clearance=clearance)
    now = [results[n][k] for n in MOTION]
    return multiple_scales.Contact.through(c, float(results.time[k]), *now), float(results.time[k])


@style.styled
def motion(results: Results, p) -> Figure:
    """Fig. 3: transient, steady state and pendulum, computed and by multiple scales."""
    solution, begin = _scales(results, p)
    end = float(results.time[-1])
    windows = [(0, min(SHORT, end)), (0.1 * end, end), (0, end)]
    times = [f"time [{'ms' if b <= SHORT else 's'}]" for _, b in windows]
    labels = ("slider y [µm]", "slider y,\nsteady state [µm]", "pendulum angle [deg]")
    figure, axes = style.new(3, x=times, y=labels, size=(5.2, 6.6))
    for ax, (a, b), name in zip(
        axes, windows, ("slider.y", "slider.y", "pendulum.angle"), strict=True
    ):
        even = np.linspace(a, b, 1500)
        rate = {"slider.y": "slider.vy", "pendulum.angle": "pendulum.speed"}[name]
        _, values = resample(results.time, results[name], (b - a) / 1499, results[rate], (a, b))
        even, unit = even[: len(values)], MICRO if name == "slider.y" else 180 / np.pi
        x = 1e3 * even if b <= SHORT else even
        ax.plot(x, unit * values, label="computed")
        if solution is not None:
            late = even >= begin
            approximate = solution.y if name == "slider.y" else solution.angle
            ax.plot(x[late], unit * np.asarray(approximate(even[late])), "--", lw=1.6,
                    label="multiple scales")  # fmt: skip
    if solution is not None:
        early = np.linspace(0, begin, 20)
        flight = multiple_scales.Flight(*(float(results[n][0]) for n in MOTION))
        axes[0].plot(1e3 * early, MICRO * flight.motion(early)[0], ":", color="k", lw=2,
                     label="free flight, exact")  # fmt: skip
    axes[0].legend(loc="upper right")
    return figure


@style.styled
def laws(p) -> Figure:
    """Fig. 6 (a, b): position and speed of the slider with both contact laws."""
    labels = ("slider y [µm]", "slider speed [mm/s]")
    figure, (above, below) = style.new(2, x="time [ms]", y=labels)
    for name, ls in zip(LAWS, ("-", "--"), strict=True):
        r = run(p, law=name, force="full")
        even = np.linspace(0, SHORT, 1500)
        above.plot(1e3 * even, MICRO * _at(r, even), ls, label=_words(name))
        below.plot(1e3 * r.time, 1e3 * r["slider.vy"], ls)
    above.legend(loc="upper right")
    return figure


@style.styled
def film_motion(results: Results, p) -> Figure:
    """Fig. 7: slider on the film, computed and by multiple scales."""
    times = ("time [ms]", "time [s]")
    figure, (above, below) = style.new(2, x=times, y="slider y [µm]")
    c = multiple_scales.lubricated(p["viscosity"], clearance=place(p)[0])
    now = [float(results[n][0]) for n in MOTION]
    solution = multiple_scales.Contact.through(c, 0.0, *now)
    end = float(results.time[-1])
    for ax, (a, b) in zip((above, below), ((0, min(0.006, end)), (0.1 * end, end)), strict=True):
        even, values = resample(
            results.time, results["slider.y"], (b - a) / 1499, results["slider.vy"], (a, b)
        )
        x = 1e3 * even if ax is above else even
        ax.plot(x, MICRO * values, label="computed")
        ax.plot(x, MICRO * solution.y(even), "--", label="multiple scales")
    above.legend(loc="upper right")
    return figure


# --- spectra ------------------------------------------------------------------------------------
@style.styled
def spectra(results: Results) -> Figure:
    """Fig. 5: amplitude spectra of slider (fast and slow part) and pendulum, Hann window for the
    slow ones."""
    x = ("", "", "frequency [Hz]")
    figure, axes = style.new(3, x=x, size=(5.2, 6.6))
    begin = float(results.time[np.argmax(results["joint.normal_force"] > 0)])
    end = float(results.time[-1])
    t, y, vy = results.time, results["slider.y"], results["slider.vy"]
    fast = spectrum(t, y, rates=vy, span=(begin, end), spacing=1e-4, window="boxcar", unit="m")
    late: dict[str, Any] = {"rates": vy, "span": (0.1 * end, end), "spacing": 2e-3}
    slow = spectrum(t, y, unit="m", **late)
    angle = results["pendulum.angle"]
    whole: dict[str, Any] = {"rates": results["pendulum.speed"], "spacing": 2e-3}
    swing = spectrum(t, angle, unit="rad", **whole)
    # there are few periods: the frequencies of the lines are fitted, not read from the spectrum
    shown = (
        (fast, (100, 500), "slider, from contact on", fast.peaks(1, (100, 500))),
        (slow, (0, 5), "slider, steady state",
         [fundamental(t, y, f, **late) for f, *_ in slow.peaks(1, (0.5, 5))]),
        (swing, (0, 5), "pendulum",
         [fundamental(t, angle, f, 3, **whole) for f, *_ in swing.peaks(1, (0.2, 5))]),
    )  # fmt: skip
    for ax, (s, band, what, lines) in zip(axes, shown, strict=True):
        keep = (s.frequency >= band[0]) & (s.frequency <= band[1])
        scale, unit = (1e9, "nm") if s.unit == "m" else (180 / np.pi, "deg")
        ax.plot(*thinned(s.frequency[keep], scale * s.amplitude[keep]))
        for line in lines:
            ax.annotate(f"{line.frequency:.5g} Hz", (line.frequency, scale * line.amplitude),
                        xytext=(12, -8), textcoords="offset points")  # fmt: skip
        ax.set_ylabel(f"amplitude [{unit}]")
        ax.set_title(what, fontsize=9, loc="right")
    return figure


# --- response -----------------------------------------------------------------------------------
@style.styled
def response(models: Mapping[str, tuple[type[Hysteretic], float, float]]) -> Figure:
    """Figs. 4 and 6c: amplitude over frequency by multiple scales (lines) and shooting (dots).

    Args:
        models: label -> (law, restitution, clearance in m).
    """
    figure, (ax,) = style.new(x=FREQUENCY, y=AMPLITUDE)
    approach = np.sqrt(2 * GRAVITY * DROP)
    for label, (kind, restitution, clearance) in models.items():
        stiffness, chi = numbers(kind, restitution, clearance)
        c = multiple_scales.dry(stiffness, chi, approach, clearance=clearance)
        flow = multiple_scales.dry_flow(c, stiffness, chi, approach, FORCE)
        _curve(ax, label, c, flow)
    return _finish(figure, ax)


@style.styled
def film_response(p) -> Figure:
    """Fig. 8: amplitude over frequency for some viscosities."""
    figure, (ax,) = style.new(x=FREQUENCY, y=AMPLITUDE)
    clearance = place(p)[0]
    for viscosity in (0.1, 0.2, 0.4, 0.8):
        c = multiple_scales.lubricated(viscosity, clearance=clearance)
        flow = multiple_scales.lubricated_flow(c, viscosity, FORCE, clearance=clearance)
        _curve(ax, f"{viscosity:g} Pa s", c, flow)
    return _finish(figure, ax)


def _curve(ax, label: str, c: multiple_scales.Coefficients, flow) -> None:
    found = multiple_scales.Resonance(c, FORCE)
    middle = c.omega1 / (2 * np.pi)
    low, high = 0.6 * middle, 1.4 * middle
    f = np.linspace(low, high, 300)
    (line,) = ax.plot(f, [MICRO * found.amplitudes(x)[0] for x in f], label=label)
    for x in np.linspace(low, high, 17):
        ax.plot(x, MICRO * periodic_orbit(flow, x).amplitude(), "o", ms=3.5, color=line.get_color())


def _finish(figure, ax):
    ax.set_ylim(bottom=0)
    ax.set_title("lines: multiple scales, dots: shooting", fontsize=9, loc="right")
    ax.legend(loc="upper right")
    return figure
