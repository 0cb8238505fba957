# %% [markdown]
# # The heavy top: how fast the errors fall
#
# A disc on a massless arm spins at 150 rad/s about a fixed point (Bruels and Cardona 2010). With
# four steps, each half of the one before, the errors of the generalized-alpha scheme in the
# position of the centre and in the force of the pivot fall by a factor of four: second order,
# multipliers included.
# Takes about 3 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 0.1  # s
steps = np.array([4e-4, 2e-4, 1e-4, 5e-5])
top = cases.get("heavy_top")
runs = [top.simulation({"dt": h, "t_end": t_end}, progress=False).run() for h in steps]

# %% [markdown]
# The errors are estimated by the differences of successive runs at the end.

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
    errors = ", ".join(f"{d:.2e}" for d in differences[name])
    orders = np.log2(np.divide(differences[name][:-1], differences[name][1:]))
    print(f"{name}: {errors} {unit}; order " + ", order ".join(f"{o:.2f}" for o in orders))

# %% [markdown]
# On logarithmic scales the errors follow a line of slope 2.

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.6))
words = {
    "centre": (1e6, "change of the centre's place [µm]"),
    "reaction": (1e3, "change of the pivot's force [mN]"),
}
for ax, (name, (factor, word)) in zip(axes, words.items(), strict=True):
    h, d = 1e3 * steps[:-1], factor * np.array(differences[name])
    ax.loglog(h, d, "o-", label="step h beside h / 2")
    ax.loglog(h, d[-1] * (h / h[-1]) ** 2, "k--", lw=0.9, label="slope 2")
    ticks = [t for t in (2, 5, 10, 20, 50, 100, 200) if d.min() / 2 < t < 2 * d.max()]
    ax.set(xlabel="step h [ms]", ylabel=word)
    ax.set_xticks(h, [f"{x:g}" for x in h])
    ax.set_yticks(ticks, [str(t) for t in ticks])
    ax.minorticks_off()
    ax.legend()
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "heavy_top.png", dpi=150)
