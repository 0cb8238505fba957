# %% [markdown]
# # One pendulum, three beam models
#
# A soft beam of 1 m falls from the horizontal (Tian et al. 2009, Table 1) and bends by a tenth of
# its length. The thin cable models stretch and bending; the quadratic beam adds shear, torsion and
# rotary inertia; the ANCF beam with 24 coordinates in an element is the model of the papers.
# Takes about 10 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 2.0  # s
pendulum = cases.get("flexible_pendulum")
runs = {
    model: pendulum.simulation(
        {"beam.model": model, "beam.elements": 20, "t_end": t_end}, progress=False
    ).run()
    for model in ("cable", "quadratic", "ancf")
}
for model, results in runs.items():
    energy = results["energy.total"]
    drift = abs(energy - energy[0]).max() / (2.4 * 9.81 * 0.5)
    x, y = results["tip.x"][-1], results["tip.y"][-1]
    print(f"{model}: tip ({x:.5f}, {y:.5f}) m, energy within {drift:.1e} of m g L / 2")

# %% [markdown]
# The converged cable is at (-0.883911, 0.161776) m after 1 s and at (0.999038, -0.005085) m after 2
# s.

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4))
cable = runs["cable"]
axes[0].plot(*style.circle(), color="0.6", lw=0.8)  # a rigid rod's
axes[0].plot(cable["tip.x"], cable["tip.y"])
axes[0].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 0.4))
axes[0].set_title("path of the tip (grey: of a rigid rod)", fontsize=10)
for model, results in list(runs.items())[1:]:
    x, y = (np.interp(results.time, cable.time, cable[f"tip.{k}"]) for k in "xy")
    axes[1].plot(
        results.time, 1e3 * np.hypot(results["tip.x"] - x, results["tip.y"] - y), label=model
    )
axes[1].set(xlabel="time [s]", ylabel="tip's distance from the cable's [mm]")
axes[1].legend(ncols=2, **style.ABOVE)
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "flexible_pendulum.png", dpi=150)
