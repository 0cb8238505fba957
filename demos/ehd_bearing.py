# %% [markdown]
# # An elastic bearing
#
# At a clearance of 0.02 mm and 1000 rad/s a rigid bore would carry an oil pressure of more than 500
# MPa at an eccentricity ratio of 0.9. A bronze liner of 10 mm deforms by a fifth of the clearance,
# and the pressure falls to a sixth. Film and liner are solved together. For a linear liner,
# the responses of its bore are computed once.
# Takes about 40 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import films, lined_films, solids, style
from fem_clearance.plotting.offscreen import opengl_works

plt.style.use(style.STYLE)

cells = "48x6x2"  # round, along, through
case = cases.get("ehd_bearing")
data = {
    "clearance": 2e-5, "speed": 1000.0, "L_over_D": 14 / 30, "eccentricity_ratio": 0.9,
    "liner.cells": cells, "film.cells": cells[: cells.rindex("x")],
}  # fmt: skip
runs = {
    liner: case.simulation(
        {**data, "liner": liner}, output=f"runs/{liner}", overwrite=True, progress=False
    ).run()
    for liner in ("rigid", "condensed", "full")
}
for liner, results in runs.items():
    s = results.summary
    print(f"{liner}: load {s['load'] / 1e3:.2f} kN, ", end="")
    print(f"largest pressure {s['max_pressure'] / 1e6:.1f} MPa", end="")
    if liner != "rigid":
        print(f", deformation {s['max_deformation'] * 1e6:.2f} um", end="")
        print(f", von Mises stress up to {s['max_von_mises'] / 1e6:.1f} MPa", end="")
    print()

# %%
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure, ax = plt.subplots()
for (liner, results), line in zip(runs.items(), ("-", "-", "k:"), strict=True):
    film = films.read(results.folder)
    middle = np.flatnonzero(np.abs(film.z) < 1e-9)
    middle = middle[np.argsort(film.angle[middle])]
    ax.plot(np.degrees(film.angle[middle]), film.pressure[middle] / 1e6, line, label=liner)
ax.set(xlabel="angle from the smallest gap [deg]", ylabel="pressure [MPa]", xlim=(-180, 180))
ax.legend()
figure.savefig(figures / "ehd_bearing.png", dpi=150)
if opengl_works():
    lined_films.save("runs/full", figures / "ehd_bearing_bore.png")
    solids.picture("runs/full", "liner", figures / "ehd_bearing_liner.png")
