# %% [markdown]
# # The heavy top: how fast the errors fall
#
# A disc on a massless arm spins at 150 rad/s about a fixed point (Bruels and Cardona 2010). With
# three steps, each half of the one before, the errors of the generalized-alpha scheme in the
# centre's place and in the force of the pivot fall by four: second order, multipliers included.
# Takes some 3 seconds.

# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases

t_end = float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
steps = np.array([4e-4, 2e-4, 1e-4])
top = cases.get("heavy_top")
runs = [top.simulation({"dt": h, "t_end": t_end}, progress=False).run() for h in steps]

# %% [markdown]
# Differences of neighbouring runs, at the end.

# %%
names = {"centre": "m", "reaction": "N"}
differences = {
    name: [
        np.sqrt(sum((a[f"{name}.{x}"][-1] - b[f"{name}.{x}"][-1]) ** 2 for x in "xyz"))
        for a, b in zip(runs, runs[1:], strict=False)
    ]
    for name in names
}
for name, unit in names.items():
    coarse, fine = differences[name]
    print(f"{name}: {coarse:.2e}, {fine:.2e} {unit}; order {np.log2(coarse / fine):.2f}")

# %%
figure, axes = plt.subplots(2, sharex=True, layout="constrained")
for x in "xyz":
    axes[0].plot(runs[-1].time, runs[-1][f"centre.{x}"], label=x)
axes[0].set_ylabel("centre [m]")
axes[0].legend(ncols=3)
axes[1].plot(runs[-1].time, runs[-1]["reaction.z"])
axes[1].set_ylabel("reaction along z [N]")
axes[1].set_xlabel("time [s]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "heavy_top.png", dpi=150)
