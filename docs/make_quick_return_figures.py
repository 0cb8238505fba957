"""Figures and tables of quick_return.md: the tip of the rod by stiffness, friction, transmission
error, clearance, crank (figs. 14 to 18 of Tian et al. 2015), orbits (19), pressure and stress (20).

python docs/make_quick_return_figures.py FOLDER [--only NAME ...]

Runs that FOLDER already holds are read, not repeated; all of them take up to an hour of CPU. --only
makes some of them. Prints a line of the table for each and draws the figures whose runs are there.
"""

import argparse
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance import cases
from fem_clearance.cases.figures import quick_return
from fem_clearance.errors import StepFailed
from fem_clearance.plotting import style
from fem_clearance.plotting.curves import thinned

FIGURES = Path(__file__).parent / "figures"
ERRORS = {"0": 0.0, "90": 9e-5, "180": 1.8e-4}  # um
CLEARANCES = {"100": 1e-4, "200": 2e-4, "300": 3e-4}  # um
CRANKS = {"6": 0.0059997, "12": 0.012, "24": 0.024, "60": 0.059997}  # mm
SPRING = {"bearings": "spring"}
CHAARI = {**SPRING, "stiffness": "chaari"}
EHD = {"bearings": "ehd"}
#: by name: what differs from the case's defaults, one turn each
RUNS = (
    {"direct": {"coupled": False}}
    | {f"spring {n}": {**SPRING, "transmission_error": e} for n, e in ERRORS.items()}
    | {
        "spring 180, mu = 0.1": {**SPRING, "friction": "constant"},
        "spring 180, EHD friction": {**SPRING, "friction": "ehd"},
        "spring 180, Fourier": {**SPRING, "stiffness": "fourier"},
        "spring 180, Fourier, mu = 0.1": {**SPRING, "stiffness": "fourier", "friction": "constant"},
    }
    | {
        f"spring {n}, Chaari, EHD friction": {**CHAARI, "friction": "ehd", "transmission_error": e}
        for n, e in ERRORS.items()
    }
    | {f"hd {c}": {"clearance": z} for c, z in CLEARANCES.items()}
    | {f"hd 200, {n}": {"transmission_error": e} for n, e in ERRORS.items() if n != "180"}
    | {f"hd 100, {n}": {"clearance": 1e-4, "transmission_error": e} for n, e in ERRORS.items()
       if n != "180"}
    | {f"ehd {c}": {**EHD, "clearance": z} for c, z in CLEARANCES.items() if c != "300"}
    | {f"closed {c}, {n}": {"joint.film": "closed_form", "clearance": float(c) * 1e-6,
                            "transmission_error": ERRORS[n]}
       for c in ("50", "100", "200", "300") for n in ERRORS}
    | {f"closed 200, {n}, pulls": {"joint.film": "closed_form", "cavitation": "full",
                                   "transmission_error": ERRORS[n]} for n in ERRORS}
    | {"closed 200, 10 us": {"joint.film": "closed_form", "dt": 1e-5},
       "hd 200, 10 us": {"dt": 1e-5}, "hd 200, 24x4": {"film.cells": "24x4"},
       "hd 200, 96x16": {"film.cells": "96x16"},
       "hd 200, film alone": {"contact": False}, "spring 180, 10 us": {**SPRING, "dt": 1e-5}}
    | {"hd 20": {"clearance": 2e-5}, "ehd 20": {**EHD, "clearance": 2e-5},
       "ehd 20, 1 GPa": {**EHD, "clearance": 2e-5, "liner.E": 1e9, "cavitation": "reynolds"},
       "ehd 20, 1 GPa, Guembel": {**EHD, "clearance": 2e-5, "liner.E": 1e9},
       "ehd 200, 1 GPa": {**EHD, "liner.E": 1e9}}
    | {f"direct, crank {n}": {"coupled": False, "crank.length": z} for n, z in CRANKS.items()
       if n != "6"}
    | {f"spring 180, crank {n}": {**SPRING, "crank.length": z} for n, z in CRANKS.items()
       if n != "6"}
)  # fmt: skip
#: fields at every quarter of a turn
FIELDS = {"output.fields_every": np.pi / 200}
MICRO = 1e6
#: of the curves of a panel: some lie on each other
STROKES = ("-", "--", ":", "-.")


def place(folder, name):
    """Folder of a run."""
    return folder / name.replace(" ", "_").replace(",", "").replace("=", "")


def run(folder, name):
    """Run it if it has not been."""
    target = place(folder, name)
    if (target / "summary.json").exists():
        return
    values = RUNS[name] | (FIELDS if name.startswith("ehd") else {})
    simulation = cases.get("quick_return").simulation(values, output=target, progress=False)
    try:
        simulation.run()
    except StepFailed as stop:
        print(f"{name}: {stop}")


def row(name, results):
    """A line of the table: largest and rms deflection, largest deviation, velocity and acceleration
    of the tip, force of the mesh, largest eccentricity of F."""
    d, off, vy, ay, force = (
        results[n]
        for n in ("rod_tip.deflection", "rod_tip.deviation", "rod_tip.vy", "rod_tip.ay",
                  "mesh_force")
    )  # fmt: skip
    clearance = RUNS[name].get("clearance", 2e-4)
    ratio = np.hypot(results["journal.F.x"], results["journal.F.y"]).max() / clearance
    films = f"{ratio:.3f}" if name.startswith(("hd", "ehd", "closed")) else ""
    return (
        f"| {name} | {MICRO * np.abs(d).max():.1f} | {MICRO * np.sqrt(np.mean(d**2)):.1f} | "
        f"{MICRO * np.abs(off).max():.0f} | {MICRO * np.sqrt(np.mean(off**2)):.0f} | "
        f"{vy.min():.3f} .. {vy.max():.3f} | {np.abs(ay[5:]).max():.0f} | "
        f"{force.min():.0f} .. {force.max():.0f} | {films} |"
    )


@style.styled
def panels(runs, parts, channel, columns=2):
    """Panels of curves of one channel (um) over the crank angle.

    Args:
        runs: name -> results.
        parts: title -> names of runs, or name -> words of the legend.
        channel: to draw.
    """
    rows = -(-len(parts) // columns)
    figure, axes = style.subplots(
        rows, columns, sharex=True, sharey=True, figsize=(3.9 * columns, 1.0 + 1.9 * rows),
        squeeze=False,
    )  # fmt: skip
    for ax, (title, names) in zip(axes.flat, parts.items(), strict=False):
        ax.set_title(title, fontsize=10)
        for (name, words), ls in zip(names.items(), STROKES, strict=False):
            x, y = thinned(runs[name]["crank.angle_deg"], MICRO * runs[name][channel])
            ax.plot(x, y, ls=ls, lw=0.9, label=words)
        ax.legend(loc="upper right", fontsize=7.5, ncols=-(-len(names) // 3))
        ax.set_xticks(range(-90, 271, 90))
    low, high = axes[0, 0].get_ylim()
    axes[0, 0].set_ylim(low, high + 0.3 * (high - low))  # room for the legends
    for ax in axes[-1]:
        ax.set_xlabel("crank angle [deg]")
    for ax in axes[:, 0]:
        ax.set_ylabel(f"{channel.split('.')[1]} [µm]")
    return figure


def springs():
    """Panels of fig. 14."""
    friction = {"spring 180": "none", "spring 180, mu = 0.1": "0.1",
                "spring 180, EHD friction": "EHD"}  # fmt: skip
    return {
        "(a) crank driven directly": {"direct": "direct"},
        "(b) constant stiffness: friction": friction,
        "(c) Fourier series of the stiffness: friction": {
            "spring 180, Fourier": "none", "spring 180, Fourier, mu = 0.1": "0.1",
        },
        "(d) mesh stiffness": {
            "spring 180": "constant", "spring 180, Fourier": "Fourier",
            "spring 180, Chaari, EHD friction": "Chaari, EHD friction",
        },
        "(e) constant stiffness: transmission error": {f"spring {n}": f"{n} µm" for n in ERRORS},
        "(f) Chaari, EHD friction: transmission error": {
            f"spring {n}, Chaari, EHD friction": f"{n} µm" for n in ERRORS
        },
    }  # fmt: skip


def films():
    """Panels of figs. 16 and 17."""
    liners = {f"{kind} {c}": f"{kind}, c = {c} µm" for c in ("100", "200")
              for kind in ("hd", "ehd")}  # fmt: skip
    return {
        "(a) rigid bores: clearance": {f"hd {c}": f"c = {c} µm" for c in CLEARANCES},
        "(b) clearance 200 µm: transmission error": {
            "hd 200, 0": "0 µm", "hd 200, 90": "90 µm", "hd 200": "180 µm",
        },
        "(c) clearance 100 µm: transmission error": {
            "hd 100, 0": "0 µm", "hd 100, 90": "90 µm", "hd 100": "180 µm",
        },
        "(d) rigid bores (hd), elastic liners (ehd)": liners,
    }  # fmt: skip


@style.styled
def cranks(runs):
    """Largest deflection by the length of the crank."""
    figure, (ax,) = style.new()
    lengths = list(CRANKS)
    for kind, words in (
        ("direct", "driven directly"),
        ("spring 180", "driven by gears, bearings with springs"),
    ):
        names = [kind if n == "6" else f"{kind}, crank {n}" for n in lengths]
        size = [1e3 * np.abs(runs[n]["rod_tip.deflection"]).max() for n in names]
        ax.loglog([float(n) for n in lengths], size, "o-", label=words)
    ax.set_xticks([float(n) for n in lengths], lengths)
    ax.minorticks_off()
    ax.set_xlabel("length of the crank [mm]")
    ax.set_ylabel("largest deflection of the tip [mm]")
    ax.legend()
    return figure


def lines(parts):
    """Names of the runs that panels show."""
    return [name for names in parts.values() for name in names]


def draw(runs):
    """The figures whose runs are there: file's name and figure."""
    for channel in ("deflection", "deviation"):
        for what, parts in (("springs", springs()), ("films", films())):
            if set(lines(parts)) <= set(runs):
                yield f"{what}_{channel}", panels(runs, parts, f"rod_tip.{channel}")
    lengths = [
        f"{kind}, crank {n}" for kind in ("direct", "spring 180") for n in CRANKS if n != "6"
    ]
    if {"direct", "spring 180", *lengths} <= set(runs):
        yield "cranks", cranks(runs)
    if "hd 200" in runs:
        motion = {"y": "$y$ of the tip", "vy": "velocity of the tip", "ay": "acceleration"}
        shown = [(f"rod_tip.{n}", words) for n, words in motion.items()]
        yield "tip", quick_return.over_angle(runs["hd 200"], *shown)
    if "ehd 200" in runs:
        yield "orbits", quick_return.orbits(runs["ehd 200"], 2e-4, 20.0)
        yield from quick_return.bearings(runs["ehd 200"], "bearing.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=list(RUNS))
    given = parser.parse_args()
    for name in given.only:
        run(given.folder, name)
        print(row(name, fc.Results.open(place(given.folder, name))), flush=True)
    there = [n for n in RUNS if (place(given.folder, n) / "summary.json").exists()]
    runs = {n: fc.Results.open(place(given.folder, n)) for n in there}
    for name, figure in draw(runs):
        figure.savefig(FIGURES / f"quick_return_{name}.png", dpi=110)


if __name__ == "__main__":
    main()
