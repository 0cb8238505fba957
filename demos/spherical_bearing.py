# %% [markdown]
# # A ball in oil: the film compared with its closed form
#
# Tian et al. (2009) give the force of oil that is squeezed out of a spherical joint in closed form,
# for the half of the socket that the ball approaches. Reynolds' equation by finite elements on the
# same hemisphere agrees with it for all eccentricities. The full sphere differs, because its far
# half pulls (or the film ruptures there).
# Takes about 15 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

count = 9
ball = cases.get("spherical_bearing")
ratios = np.linspace(0.1, 0.9, count)
loads = {
    surface: [
        ball.simulation(
            {"eccentricity_ratio": ratio, "eccentricity_rate": 1.0, "surface": surface},
            progress=False,
        )
        .run()
        .summary
        for ratio in ratios
    ]
    for surface in ("hemisphere", "full")
}
# the oil pushes the ball, which moves along +x, back
closed = -np.array([s["closed_form_load_x"] for s in loads["hemisphere"]])
load = {surface: -np.array([s["load_x"] for s in found]) for surface, found in loads.items()}
worst = abs(load["hemisphere"] / closed - 1).max()
print(f"hemisphere within {100 * worst:.2f} % of the closed form")

# %%
figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.6))
axes[0].semilogy(ratios, load["full"], ".-", color="C1", label="full sphere")
axes[0].semilogy(ratios, load["hemisphere"], "o", color="C0", mfc="none", label="hemisphere")
axes[0].semilogy(ratios, closed, "k-", lw=0.9, label="closed form")
axes[0].set(xlabel="eccentricity ratio", ylabel="force at a rate of 1/s [N]")
axes[0].set_yticks([0.2, 0.5, 1, 2], ["0.2", "0.5", "1", "2"])
axes[0].minorticks_off()
axes[0].legend()
axes[1].plot(ratios, 100 * (load["hemisphere"] / closed - 1), "o-", mfc="none")
axes[1].axhline(0, color="k", lw=0.9)
axes[1].set(xlabel="eccentricity ratio", ylabel="hemisphere off the closed form [%]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "spherical_bearing.png", dpi=150)
