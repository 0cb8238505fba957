# %% [markdown]
# # Stick and slip on a moving belt
#
# A belt carries a block on a spring along until the spring is stronger than static friction; the
# block slips back and sticks again. With a law that models sticking (a tangential spring and return
# mapping) or with LuGre's bristles it rests on the belt, whereas it creeps with a smooth friction
# law. The exact motion is piecewise harmonic.
# Takes about 20 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 45.0  # s
block = cases.get("stick_slip_oscillator")
runs = {
    friction: block.simulation({"friction": friction, "t_end": t_end}, progress=False).run()
    for friction in ("true_stick", "smooth", "lugre")
}

# %% [markdown]
# Where the block sticks, its speed is that of the belt, 0.2 m/s. The following number is the
# remaining difference in the longest such interval.

# %%
for friction, results in runs.items():
    v = results["block.v"]
    sticking = abs(v - 0.2) < 2e-3
    left = np.median(abs(v[sticking] - 0.2)) if sticking.any() else np.nan
    share = np.sum(np.diff(results.time)[sticking[1:]]) / results.time[-1]
    print(f"{friction}: sticks {100 * share:.0f} % of the time, speed off by {left:.1e} m/s")

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4))
words = {"true_stick": "true stick", "smooth": "smooth law", "lugre": "LuGre"}
for friction, results in runs.items():
    axes[0].plot(results.time, results["block.x"], label=words[friction])
    late = results.time > t_end / 2
    axes[1].plot(results["block.x"][late], results["block.v"][late])
axes[0].set(xlabel="time [s]", ylabel="displacement of the block [m]")
axes[1].set(xlabel="displacement of the block [m]", ylabel="velocity [m/s]", title="second half")
axes[0].legend(ncols=3, **style.ABOVE)
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "stick_slip_oscillator.png", dpi=150)
