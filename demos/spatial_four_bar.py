# %% [markdown]
# # A spatial four-bar: ideal, dry, lubricated
#
# A crank drives a rocker through a flexible coupler, one end of which is a spherical joint (Tian et
# al. 2009, section 6.2; the geometry, which the paper omits, is assumed). With clearance the joint
# rattles. Oil softens the impacts, from over 1000 N to 142 N, and comes close to the ideal joint.
# The closed form of the film acts along the eccentricity only: the force of 142 N stops the ball
# after it has swung around.
# Takes about 90 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 1.0  # s
four_bar = cases.get("spatial_four_bar")
runs = {
    kind: four_bar.simulation(
        {"joint.kind": kind, "link.model": "cable", "t_end": t_end}, progress=False
    ).run()
    for kind in ("ideal", "dry", "lubricated")
}
ideal = runs["ideal"]
for kind, results in runs.items():
    off = np.abs(results["B.vy"] - np.interp(results.time, ideal.time, ideal["B.vy"])).max()
    force = results["joint.normal_force"].max()
    print(
        f"{kind}: largest force {force:.1f} N, velocity of B {results['B.vy'][-1]:.4f} m/s in the "
        f"end, off by up to {off:.3f} m/s"
    )

# %%
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(6.4, 5))
styles = {"dry": ("C1", "-"), "lubricated": ("C0", "-"), "ideal": ("k", ":")}
for kind, (color, line) in styles.items():
    results = runs[kind]
    axes[0].plot(results.time, results["B.vy"], line, color=color, label=kind, lw=1)
    if kind != "ideal":
        axes[1].plot(results.time, results["joint.eccentricity"] * 1e3, color=color, lw=1)
axes[0].set_ylabel("velocity of B [m/s]")
axes[0].legend(ncols=3, **style.ABOVE)
axes[1].set(xlabel="time [s]", ylabel="eccentricity [mm]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "spatial_four_bar.png", dpi=150)
