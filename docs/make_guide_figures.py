"""Figure of translational.md: the slider-crank with a dry and with a lubricated guide.

    python docs/make_guide_figures.py [FOLDER]

FOLDER (runs/guide) has runs ``dry`` and ``lubricated`` of the case (see the page) or gets them.
"""

import sys
from pathlib import Path

import numpy as np

import fem_clearance as fc
from fem_clearance.cases import slider_crank_translational
from fem_clearance.plotting import style

FIGURES = Path(__file__).parent / "figures"
SETTINGS = {
    "clearance": 1e-4, "viscosity": 0.04, "drive": "constant_speed", "t_end": 0.08,
}  # fmt: skip


def results(folder: Path, kind: str) -> fc.Results:
    """Of a run, which is made where there is none."""
    if not (folder / kind / "results.h5").exists():
        values = {**SETTINGS, "joint.kind": kind}
        slider_crank_translational.case.simulation(values, output=folder / kind).run()
    return fc.Results.open(folder / kind)


@style.styled
def guide(dry: fc.Results, lubricated: fc.Results):
    """Place across the guide, force on the upper surface, and film and tilt, over the angle."""
    figure, (place, force, film) = style.new(3)
    for found, name, color in ((dry, "dry", "C1"), (lubricated, "lubricated", "C0")):
        angle = np.degrees(found["crank.angle"])
        width = 0.6 if name == "dry" else 1.2
        place.plot(angle, 1e6 * found["slider.y"], color=color, lw=width, label=name)
        force.plot(angle, found["contact.upper"], color=color, lw=width)
        film.plot(angle, 1e6 * found["slider.angle"], color=color, lw=width)
    place.set_ylabel("slider y [µm]")
    place.legend(ncols=2, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)
    force.set_ylabel("upper surface [N]")
    film.set_ylabel("tilt [µrad]")
    film.set_xlabel("crank angle [deg]")
    film.set_xlim(0, angle[-1])
    film.set_xticks(range(0, int(angle[-1]), 90))
    return figure


if __name__ == "__main__":
    runs = Path(sys.argv[1] if len(sys.argv) > 1 else "runs/guide")
    found = {kind: results(runs, kind) for kind in ("dry", "lubricated")}
    for kind, run in found.items():
        y, force = abs(run["slider.y"]).max(), run["contact.upper"].max()
        print(f"{kind}: {1e6 * y:.1f} um off the middle, {force:.0f} N, {len(run.time) - 1} steps")
    style.save(guide(*found.values()), FIGURES / "lubricated_guide.png")
