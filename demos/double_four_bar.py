# %% [markdown]
# # Through singular poses: the double four-bar
#
# Two parallelogram linkages side by side (N = 2 of the IFToMM benchmark library) start with 1 m/s.
# Twice per turn all bars are in line and the constraints lose rank. The mechanism must pass
# through without changing its mode or its energy. It moves like the single equation 3 theta'' = 3.5
# (g / L) sin(theta).
# Takes about 5 seconds.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from fem_clearance import cases
from fem_clearance.plotting import style

plt.style.use(style.STYLE)

t_end = 10.0  # s
results = cases.get("double_four_bar").simulation({"t_end": t_end}, progress=False).run()

# %% [markdown]
# The exact angle from the vertical, with 1 m/s at the upper joints of bars of 1 m.

# %%
exact = solve_ivp(
    lambda t, y: [y[1], 3.5 / 3 * 9.81 * np.sin(y[0])], (0, t_end), [0, 1], "DOP853",
    rtol=1e-11, atol=1e-11, dense_output=True,
)  # fmt: skip
theta = exact.sol(results.time)[0]
error = np.hypot(results["B0.x"] - np.sin(theta), results["B0.y"] - np.cos(theta))
turns = theta[-1] / (2 * np.pi)
energy = results["energy.total"]
print(f"{turns:.2f} turns; largest error of B0 {error.max():.1e} m")
print(f"energy changes by {np.ptp(energy) / np.ptp(results['energy.kinetic']):.1e} of the kinetic")

# %% [markdown]
# Dotted lines mark where the bars lie in line, after a quarter and three quarters of each turn. The
# cranks keep turning through these poses, and the energy is conserved.

# %%
figure, axes = plt.subplots(3, 1, figsize=(6.4, 6.2), sharex=True, height_ratios=(2, 1, 1))
angle = np.unwrap(np.arctan2(results["B0.x"], results["B0.y"])) / (2 * np.pi)
axes[0].plot(results.time, angle, label="mechanism")
axes[0].plot(results.time, theta / (2 * np.pi), "k--", lw=0.9, label="one equation")
for place in np.arange(0.25, turns, 0.5):
    axes[0].axhline(place, color="C1", ls=":", lw=0.9)
axes[0].set(ylabel="turns of the cranks")
axes[0].legend()
axes[1].semilogy(results.time[1:], error[1:])
axes[1].set(ylabel="error of B0 [m]")
axes[2].plot(results.time, 1e3 * (energy - energy[0]))
axes[2].set(xlabel="time [s]", ylabel="energy - its\nstart [mJ]")
figures = Path("figures")
figures.mkdir(exist_ok=True)
figure.savefig(figures / "double_four_bar.png", dpi=150)
