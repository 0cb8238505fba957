# %% [markdown]
# # Gears, oil and a flexible rod
#
# In the quick-return mechanism of Tian et al. (2015) a pair of gears with an error of 0.18 mm
# drives a crank over two flexible shafts in four bearings; its pin slides along a flexible rod. The
# error excites the rod at the frequency of the mesh. The journals move along the line of action of
# the teeth, and those beside the crank in the direction in which the rod pulls.
# Takes about 40 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 0.0628  # s
case = cases.get("quick_return")
variants = {
    "crank driven directly": {"coupled": False},
    "gears, springs": {"bearings": "spring"},
    "gears, oil films": {"bearings": "hd", "film.cells": "24x4"},
}
runs = {
    name: case.simulation({**changes, "t_end": t_end}, progress=False).run()
    for name, changes in variants.items()
}
for name, results in runs.items():
    print(f"{name}: the rod bends by up to {results.summary['max_tip_deflection'] * 1e6:.0f} um")

# %%
films = runs["gears, oil films"]
figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.8))
for name, results in runs.items():
    axes[0].plot(
        results["crank.angle_deg"], results["rod_tip.deflection"] * 1e6, label=name, lw=0.8
    )
axes[0].set(xlabel="crank angle [deg]", ylabel="deflection of the rod's tip [µm]")
axes[0].legend(fontsize=8, ncols=3, columnspacing=1, **style.ABOVE)
for journal in "ADCF":
    axes[1].plot(
        films[f"journal.{journal}.x"] * 1e6, films[f"journal.{journal}.y"] * 1e6,
        label=journal, lw=0.8,
    )  # fmt: skip
axes[1].plot(*style.circle(200.0), color="0.4", lw=0.8)  # the clearance
axes[1].set(xlabel="y [µm]", ylabel="z [µm]", aspect="equal", title="journals in their bearings")
axes[1].legend(title="bearing", fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "quick_return.png", dpi=150)
